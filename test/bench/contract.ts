/**
 * Many callers of the tool contract at once: `npx tsx test/bench/contract.ts [--dir TREE] [--main FILE] [--sessions N]
 * [--seconds S] [--pause MS]`. Needs procfs, and dist/ as built. Each has a connection of its own and reads, then pauses as
 * an agent does that looks at what it got. Prints what it found, and exits with 1 when anything but an answer or declared
 * back-pressure came.
 */
import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { Agent, request } from "node:http"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { load, machine } from "./Machine.ts"
import { ProcessTree } from "./ProcessTree.ts"
import { makeRoom, remove } from "./Room.ts"
import { median, percentile, random } from "./Statistics.ts"

const { values } = parseArgs({
  options: {
    dir: { type: "string", default: "." },
    main: { type: "string", default: "dist/main.js" },
    sessions: { type: "string", default: "200" },
    seconds: { type: "string", default: "60" },
    pause: { type: "string", default: "1000" }
  }
})
const [sessions, seconds, pause] = [values.sessions, values.seconds, values.pause].map(Number) as [
  number,
  number,
  number
]

const room = makeRoom()
const child = spawn(
  process.execPath,
  [resolve(values.main), "serve", "--dir", resolve(values.dir), "--port", "0"],
  {
    env: {
      ...process.env,
      HOME: room,
      XDG_CACHE_HOME: join(room, "cache"),
      PORTICO_HOME: join(room, "portico"),
      PORTICO_TOKENS: join(room, "tokens"),
      PORTICO_CONFIG: join(room, "effectrc")
    },
    stdio: ["ignore", "pipe", "inherit"]
  }
)
const url = await new Promise<URL>((found, failed) => {
  let said = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const address = /serves on (http:\S+)/.exec((said += text))?.[1]
    if (address !== undefined) found(new URL("/api/cos/tools/call", address))
  })
  child.once("exit", () => failed(new Error("the server ended")))
})
const token = readFileSync(join(room, "tokens/caller.token"), "utf8").trim()
const tree = new ProcessTree(child.pid as number)
const wait = (ms: number) => new Promise<void>((done) => setTimeout(done, ms))

const reads = [
  ["search.symbols", { query: "parse" }],
  ["search.text", { query: "return" }],
  ["read.file", { target: { file: "package.json" } }]
] as const

let ids = 0
/** Makes a call; answers its status and the milliseconds it took. */
const call = (agent: Agent): Promise<readonly [status: number | string, ms: number]> =>
  new Promise((done) => {
    const at = ids++
    const [name, args] = reads[at % reads.length] ?? reads[0]
    const body = JSON.stringify({ requestId: `load-${at}`, name, arguments: args })
    const began = performance.now()
    const sent = request(
      url,
      {
        method: "POST",
        agent,
        headers: {
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
          "content-length": Buffer.byteLength(body)
        }
      },
      (response) =>
        response.resume().on("end", () => done([response.statusCode ?? 0, performance.now() - began]))
    )
    sent.on("error", (cause: NodeJS.ErrnoException) => done([cause.code ?? cause.message, 0]))
    sent.end(body)
  })

const ms = (value: number | undefined): string => (value === undefined ? "none" : `${value.toFixed(1)} ms`)
const megabytes = (): string => `${(tree.memory().resident / 1024 / 1024).toFixed(0)} MB`

const alone = new Agent({ keepAlive: true, maxSockets: 1 })
// The first answers wait for the index and warm the code.
for (let at = 0; at < 300; at++) await call(alone)
const idle: Array<number> = []
for (let at = 0; at < 300; at++) idle.push((await call(alone))[1])
const before = megabytes()

const statuses = new Map<number | string, number>()
const took: Array<number> = []
const next = random(1)
const end = performance.now() + seconds * 1000
const used = tree.processorSeconds()
await Promise.all(
  Array.from({ length: sessions }, async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    await wait(next() * pause)
    while (performance.now() < end) {
      const [status, time] = await call(agent)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status === 200) took.push(time)
      await wait(pause * (0.5 + next()))
    }
    agent.destroy()
  })
)
const cpu = tree.processorSeconds() - used
const during = megabytes()
await wait(10_000)
const after = megabytes()
alone.destroy()
child.kill("SIGTERM")
await new Promise((done) => child.once("exit", done))
remove(room)

const { cores, processor } = machine()
const quiet = median(idle)
const slow = percentile(took, 0.99)
process.stdout.write(
  [
    `${processor}, ${cores} cores, load ${load().toFixed(1)}`,
    `${sessions} callers, ${seconds} s, pause ${pause} ms: ${JSON.stringify(Object.fromEntries(statuses))}`,
    `idle p50 ${ms(quiet)}, p99 ${ms(percentile(idle, 0.99))}; loaded p50 ${ms(median(took))}, p99 ${ms(slow)} (${((slow ?? 0) / (quiet ?? 1)).toFixed(1)} times the idle p50)`,
    `server CPU ${((100 * cpu) / seconds).toFixed(0)} %; memory before ${before}, at the end ${during}, 10 s later ${after}`,
    ""
  ].join("\n")
)
const declared = new Set<number | string>([200, 429, 503])
process.exitCode = [...statuses.keys()].every((status) => declared.has(status)) ? 0 : 1
