/** `portico hook`: what a host's hook runs. It reads one event, may have a word for the agent, and never fails. */
import { connect } from "node:net"
import { adviceOf, answerOf } from "../../hosts/hook/Advice.ts"
import { eventOf } from "../../hosts/hook/Event.ts"
import { hookAgents, hookDecisions, hookEffectiveness, hookEvents } from "../../telemetry/Hooks.ts"
import { read, value } from "./Options.ts"
import { UsageError } from "./Arguments.ts"

export const usage = `portico hook [--agent claude-code|codex] [--server URL]

Reads one event of an agent's host from standard input, as Claude Code's hooks give it, and prints a word for the agent
where there is one: when a session begins, before a text search, after an edit. It stops nothing and changes nothing.
Input that is no event is answered with nothing.

  --agent NAME   the host, for the record
  --server URL   an address of portico serve on this machine; while nothing listens there, nothing is said

Where telemetry is on, a line about how it went and one about what it decided are kept on this machine: portico
telemetry show.
`

/** Milliseconds a connection may take. */
const patienceMs = 1000
/** Bytes of an event that are read. An edit's text may be part of one. */
const mostBytes = 16 << 20

const input = async (): Promise<string> => {
  const parts: Array<Buffer> = []
  let size = 0
  for await (const part of process.stdin) {
    size += (part as Buffer).length
    if (size > mostBytes) return ""
    parts.push(part as Buffer)
  }
  return Buffer.concat(parts).toString("utf8")
}

/** Whether anything listens at an address. */
const listens = ({ hostname, port }: URL): Promise<boolean> =>
  new Promise((settled) => {
    const socket = connect({ host: hostname.replace(/^\[|\]$/g, ""), port: Number(port || 80) })
    const end = (found: boolean) => {
      clearTimeout(clock)
      socket.destroy()
      settled(found)
    }
    const clock = setTimeout(() => end(false), patienceMs)
    socket.on("connect", () => end(true))
    socket.on("error", () => end(false))
  })

const addressOf = (text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== "http:" || !["127.0.0.1", "localhost", "[::1]"].includes(url.hostname))
    throw new UsageError("--server is no http address of this machine")
  return url
}

export const hook = async (args: ReadonlyArray<string>): Promise<number> => {
  const { help, values } = read("hook", args, { agent: value("NAME"), server: value("URL") }, 0)
  if (help) {
    process.stdout.write(usage)
    return 0
  }
  const { agent: named = "claude-code", server } = values
  const agent = hookAgents.find((each) => each === named)
  if (agent === undefined) throw new UsageError(`${named} is none of ${hookAgents.join(", ")}`)
  const address = server === undefined ? undefined : addressOf(server)
  const event = eventOf(await input())
  if (event === undefined) return 0
  const reachable = address === undefined ? undefined : await listens(address)
  const advice = adviceOf(event)
  const answer = reachable === false ? undefined : answerOf(event, advice)
  if (answer !== undefined) process.stdout.write(`${JSON.stringify(answer)}\n`)
  const same = {
    ts: new Date().toISOString(),
    event: hookEvents.find((name) => name === event.name) ?? "other",
    agent
  } as const
  hookEffectiveness.add(
    {
      ...same,
      emitted_context: answer !== undefined,
      ...(reachable === undefined ? {} : { server_reachable: reachable }),
      alternation_segments: advice.alternatives,
      duration_ms: performance.now()
    },
    process.env
  )
  hookDecisions.add(
    {
      ...same,
      decision: answer === undefined ? "silent" : "advised",
      reason: reachable === false ? "no_server" : advice.reason,
      ...(event.tool === undefined ? {} : { tool: event.tool })
    },
    process.env
  )
  return 0
}
