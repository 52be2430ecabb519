/**
 * Many sessions over HTTP at once. Each makes a read, looks at the answer for a while as an agent does, and makes the
 * next; told to come back later, it comes back later and not at the same moment as the others.
 */
import { Agent, request } from "node:http"
import { join } from "node:path"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { HttpClient } from "./HttpClient.ts"
import { serveHttp } from "./HttpSubject.ts"
import { ProcessTree } from "./ProcessTree.ts"
import { median, percentile, random } from "./Statistics.ts"
import type { Asked, Subject } from "./Subject.ts"

/** The way in. */
export type Door = "mcp" | "contract"

/** What a door took of one kind of read, in milliseconds. */
interface Kind {
  readonly name: string
  readonly idleP50: number | undefined
  readonly p50: number | undefined
  readonly p99: number | undefined
}

export interface Round {
  readonly door: Door
  /** Milliseconds between an answer and the next call, from and to. */
  readonly think: readonly [least: number, most: number]
  readonly sessions: number
  readonly seconds: number
  readonly answers: number
  /** Times a session was told to come back later. */
  readonly busy: number
  readonly errors: number
  readonly firstError: string | undefined
  /** Over all reads; of those let in, from the request that was. */
  readonly idleP50: number | undefined
  readonly idleP99: number | undefined
  readonly p50: number | undefined
  readonly p99: number | undefined
  /** Milliseconds by which the clients' own loop was late at most in 99 of 100 cases: so much of a time may be theirs. */
  readonly lateP99: number
  readonly kinds: ReadonlyArray<Kind>
  /** Seconds of the server's processor time for each second. */
  readonly cpuShare: number
  /** Bytes resident before, and a while after. */
  readonly before: number
  readonly after: number
}

/** A read that many make: its name, the operation and its arguments. */
interface Read {
  readonly name: string
  readonly tool: string
  readonly operation: string
  readonly args: (asked: Asked) => object
}

const reads: ReadonlyArray<Read> = [
  { name: "symbols", tool: "search", operation: "symbols", args: ({ name }) => ({ query: name }) },
  { name: "source", tool: "read", operation: "source", args: ({ id }) => ({ target: { symbol: id } }) },
  { name: "usages", tool: "relations", operation: "usages", args: ({ id }) => ({ target: { symbol: id } }) }
]

/** What a call came to: an answer, word to come back after so many milliseconds, or something else. */
type Came =
  | { readonly tag: "ok"; readonly ms: number }
  | { readonly tag: "busy"; readonly retryMs: number }
  | { readonly tag: "error"; readonly text: string }

/** A session, or a caller with a connection of its own. */
interface Session {
  readonly call: (read: Read, asked: Asked) => Promise<Came>
  readonly close: () => Promise<void>
}

const failed = (cause: unknown): Came => ({ tag: "error", text: String(cause) })

const overMcp = async (url: string, name: string): Promise<Session> => {
  const client = new HttpClient(url)
  let status = await client.open(name)
  for (let turn = 0; status === 429 || status === 503; turn++) {
    if (turn === 100) break
    await wait(1000 + Math.random() * 500)
    status = await client.open(name)
  }
  if (status !== 200) throw new Error(`a session was answered with ${status}`)
  client.listen()
  return {
    call: async ({ args, operation, tool }, asked) => {
      try {
        const answered = await client.call(tool, { operation, ...args(asked) })
        const { message, milliseconds, retryMs, status } = answered
        if (retryMs !== undefined) return { tag: "busy", retryMs }
        const result = message?.["result"]
        if (status === 200 && result !== undefined && result.isError !== true)
          return { tag: "ok", ms: milliseconds }
        return { tag: "error", text: JSON.stringify(answered).slice(0, 300) }
      } catch (cause) {
        return failed(cause)
      }
    },
    close: () => client.close()
  }
}

let ids = 0
const overContract = (url: string, token: string): Session => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const address = new URL("/api/cos/tools/call", url)
  return {
    call: ({ args, operation, tool }, asked) =>
      new Promise((came) => {
        const body = JSON.stringify({
          requestId: `bench-${process.pid}-${ids++}`,
          name: `${tool}.${operation}`,
          arguments: args(asked)
        })
        const begun = performance.now()
        const sent = request(
          address,
          {
            method: "POST",
            agent,
            headers: {
              authorization: `Bearer ${token}`,
              "content-type": "application/json",
              "content-length": Buffer.byteLength(body)
            }
          },
          (response) => {
            let text = ""
            response.setEncoding("utf8").on("data", (part) => (text += part))
            response.on("error", (cause) => came(failed(cause)))
            response.on("end", () => {
              const { headers, statusCode } = response
              const after = Number(headers["retry-after"])
              if ((statusCode === 429 || statusCode === 503) && after > 0)
                came({ tag: "busy", retryMs: after * 1000 })
              else if (statusCode === 200) came({ tag: "ok", ms: performance.now() - begun })
              else came({ tag: "error", text: `${statusCode} ${text.slice(0, 300)}` })
            })
          }
        )
        sent.on("error", (cause) => came(failed(cause)))
        sent.end(body)
      }),
    close: async () => agent.destroy()
  }
}

const wait = (ms: number) => new Promise<void>((resume) => setTimeout(resume, ms))

export interface LoadOptions {
  readonly sessions: number
  readonly seconds: number
  readonly next: () => number
  readonly say: (text: string) => void
  /** Milliseconds of rest after a round, before memory is looked at. */
  readonly restMs: number
}

/** Milliseconds between two looks at how late the clients' loop is. */
const lookMs = 1

/** How long sessions look at an answer: as agents do, and not at all. */
const paces = [
  [1000, 2000],
  [1000, 2000],
  [0, 0]
] as const

/** Every round at both doors of one server: two at the pace of agents, one without a pause. */
export const loading = async (
  subject: Subject,
  tree: string,
  functions: ReadonlyArray<Asked>,
  room: string,
  { next, restMs, say, seconds, sessions }: LoadOptions
): Promise<ReadonlyArray<Round>> => {
  const server = serveHttp(subject.main, tree, subject.env, join(room, "tokens"))
  try {
    const url = await server.url
    const token = server.token()
    const processes = new ProcessTree(server.pid)
    const session = (door: Door, at: number) =>
      door === "mcp" ? overMcp(url, `bench-${at}`) : Promise.resolve(overContract(url, token))
    const pick = (from: () => number): Asked => functions[Math.floor(from() * functions.length)] as Asked
    const rounds: Array<Round> = []
    for (const door of ["mcp", "contract"] as const) {
      say(`${door}: alone`)
      const alone = await session(door, -1)
      const idle = new Map<string, Array<number>>(reads.map(({ name }) => [name, []]))
      // The first answers wait for the index and have code compiled.
      for (let n = 0; n < 600; n++)
        for (const read of reads) {
          if (n >= 400) await wait(2)
          const came = await alone.call(read, pick(next))
          if (n >= 400 && came.tag === "ok") idle.get(read.name)?.push(came.ms)
        }
      await alone.close()
      await wait(restMs)
      for (const think of paces) {
        say(`${door}: ${sessions} sessions, ${think.join(" to ")} ms between calls`)
        const before = processes.memory().resident
        const times = new Map<string, Array<number>>(reads.map(({ name }) => [name, []]))
        const counts = { ok: 0, busy: 0, error: 0 }
        let firstError: string | undefined
        const all: Array<Session> = []
        for (let at = 0; at < sessions; at++) all.push(await session(door, at))
        const end = performance.now() + seconds * 1000
        const used = processes.processorSeconds()
        const late = monitorEventLoopDelay({ resolution: lookMs })
        late.enable()
        await Promise.all(
          all.map(async (each, at) => {
            const own = random(at + 1)
            const [least, most] = think
            const pause = () => wait(least + own() * (most - least))
            await wait(own() * most)
            let read: Read | undefined
            while (performance.now() < end) {
              read ??= reads[Math.floor(own() * reads.length)] as Read
              const came = await each.call(read, pick(own))
              counts[came.tag]++
              if (came.tag === "busy") {
                await wait(came.retryMs * (1 + own() / 2))
                continue
              }
              if (came.tag === "ok") times.get(read.name)?.push(came.ms)
              else firstError ??= came.text
              read = undefined
              await pause()
            }
          })
        )
        late.disable()
        const cpu = processes.processorSeconds() - used
        await Promise.all(all.map((each) => each.close()))
        await wait(restMs)
        const quiet = [...idle.values()].flat()
        const loaded = [...times.values()].flat()
        rounds.push({
          door,
          think,
          sessions,
          seconds,
          answers: counts.ok,
          busy: counts.busy,
          errors: counts.error,
          firstError,
          idleP50: median(quiet),
          idleP99: percentile(quiet, 0.99),
          p50: median(loaded),
          p99: percentile(loaded, 0.99),
          lateP99: Math.max(0, late.percentile(99) / 1e6 - lookMs),
          kinds: reads.map(({ name }) => ({
            name,
            idleP50: median(idle.get(name) ?? []),
            p50: median(times.get(name) ?? []),
            p99: percentile(times.get(name) ?? [], 0.99)
          })),
          cpuShare: cpu / seconds,
          before,
          after: processes.memory().resident
        })
        if (firstError !== undefined) say(`${door}: ${counts.error} errors, such as: ${firstError}`)
      }
    }
    return rounds
  } finally {
    await server.close()
  }
}
