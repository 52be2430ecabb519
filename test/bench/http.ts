/**
 * Many sessions over HTTP at once: `npx tsx test/bench/http.ts [--dir TREE] [--sessions N] [--seconds S] [--think MS]
 * [--rounds N] [--starts N]`. Needs procfs, and dist/ as built. Each session makes a call, reads the answer, waits, and
 * makes the next. Prints what it found, and exits with 1 when a bound is broken.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { HttpClient } from "./HttpClient.ts"
import { load, machine } from "./Machine.ts"
import { ProcessTree } from "./ProcessTree.ts"
import { makeRoom, remove } from "./Room.ts"
import { median, percentile, random } from "./Statistics.ts"

const top = resolve(fileURLToPath(import.meta.url), "../../..")
const main = join(top, "dist/main.js")

const { values } = parseArgs({
  options: {
    dir: { type: "string", default: top },
    sessions: { type: "string", default: "200" },
    seconds: { type: "string", default: "60" },
    think: { type: "string", default: "1000" },
    rounds: { type: "string", default: "2" },
    starts: { type: "string", default: "5" }
  }
})
const whole = (name: keyof typeof values): number => {
  const value = Number(values[name])
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} takes a whole number from 1 on`)
  return value
}
const [sessions, seconds, think, rounds, starts] = (
  ["sessions", "seconds", "think", "rounds", "starts"] as const
).map(whole) as [number, number, number, number, number]
const directory = resolve(values.dir)
if (!existsSync(main)) throw new Error("dist/ is not built; node src/build/build.mjs does that")

/** A read at 99 of 100 may take this many times what it takes when nothing else is done. */
const mostFactor = 10
/** Memory after a round may be this many times that after the one before. */
const mostGrowth = 1.1

const room = makeRoom()
const env = {
  ...process.env,
  HOME: room,
  XDG_CACHE_HOME: join(room, "cache"),
  XDG_CONFIG_HOME: join(room, "config"),
  PORTICO_HOME: join(room, "portico")
}
const wait = (ms: number) => new Promise((resume) => setTimeout(resume, ms))

const serve = async (): Promise<{ readonly child: ChildProcess; readonly url: string }> => {
  const child = spawn(process.execPath, [main, "serve", "--dir", directory, "--port", "0"], {
    env,
    stdio: ["ignore", "pipe", "inherit"]
  })
  const url = await new Promise<string>((found, failed) => {
    let said = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text
      const address = /serves on (http:\S+)/.exec(said)?.[1]
      if (address !== undefined) found(address)
    })
    child.once("exit", () => failed(new Error("the server ended")))
  })
  return { child, url }
}

const stop = (child: ChildProcess) =>
  new Promise<void>((ended) => {
    child.once("exit", () => ended())
    child.kill("SIGTERM")
  })

/** Milliseconds from the start of the command to its list of tools. */
const startOverHttp = async (): Promise<number> => {
  const begun = performance.now()
  const { child, url } = await serve()
  const client = new HttpClient(url)
  await client.open("bench")
  await client.request("tools/list")
  const took = performance.now() - begun
  await client.close()
  await stop(child)
  return took
}

const startOverStdio = async (): Promise<number> => {
  const begun = performance.now()
  const child = spawn(process.execPath, [main, "mcp", "--dir", directory], {
    env,
    stdio: ["pipe", "pipe", "inherit"]
  })
  const lines = ["initialize", "notifications/initialized", "tools/list"].map((method, id) =>
    JSON.stringify({
      jsonrpc: "2.0",
      ...(method.startsWith("notifications/") ? {} : { id }),
      method,
      ...(method === "initialize"
        ? {
            params: {
              protocolVersion: "2025-11-25",
              capabilities: {},
              clientInfo: { name: "bench", version: "1" }
            }
          }
        : {})
    })
  )
  child.stdin.write(`${lines.join("\n")}\n`)
  await new Promise<void>((listed) => {
    let text = ""
    child.stdout.setEncoding("utf8").on("data", (part: string) => {
      text += part
      if (text.includes('"tools":[')) listed()
    })
  })
  const took = performance.now() - begun
  await stop(child)
  return took
}

interface Kind {
  readonly name: string
  readonly call: (client: HttpClient, next: () => number) => ReturnType<HttpClient["call"]>
}

/** Names and files that reads are about, as the server knows them. */
const subjects = async (client: HttpClient) => {
  const { message } = await client.call("search", {
    operation: "symbols",
    query: "path:.",
    options: { max_per_file: 2 },
    output: { limit: 200, max_bytes: 0 }
  })
  const rows = message?.["result"]?.structuredContent?.results as
    | ReadonlyArray<{ readonly id: string; readonly name: string; readonly file_path: string }>
    | undefined
  if (rows === undefined || rows.length === 0)
    throw new Error(`no symbols: ${JSON.stringify(message).slice(0, 300)}`)
  return rows
}

const kindsOf = (rows: Awaited<ReturnType<typeof subjects>>): ReadonlyArray<Kind> => {
  const one = (next: () => number) => rows[Math.floor(next() * rows.length)] as (typeof rows)[number]
  return [
    { name: "search.symbols", call: (client, next) => client.call("search", { query: one(next).name }) },
    {
      name: "read.source",
      call: (client, next) => client.call("read", { target: { symbol: one(next).id } })
    },
    {
      name: "relations.usages",
      call: (client, next) =>
        client.call("relations", { operation: "usages", target: { symbol: one(next).id } })
    }
  ]
}

/** What a call came to: an answer, back-pressure as it is declared, or an error. */
const verdict = ({ message, status }: Awaited<ReturnType<HttpClient["call"]>>): "ok" | "busy" | "error" => {
  if (status === 503 && message?.["error"]?.data?.reason_code === "overloaded") return "busy"
  const result = message?.["result"]
  if (status !== 200 || result === undefined) return "error"
  if (result.isError !== true) return "ok"
  return result.structuredContent?.error_code === "overloaded" ? "busy" : "error"
}

const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(0)} MB`
const ms = (value: number | undefined): string => (value === undefined ? "none" : `${value.toFixed(2)} ms`)
const broken: Array<string> = []

const { cores, node, processor } = machine()
process.stdout.write(`${processor}, ${cores} cores, node ${node}, load ${load().toFixed(2)}\n`)

try {
  const { child, url } = await serve()
  const tree = new ProcessTree(child.pid as number)
  const idle = new HttpClient(url)
  await idle.open("bench-idle")
  const kinds = kindsOf(await subjects(idle))
  const next = random(1)
  for (let n = 0; n < 200; n++) for (const kind of kinds) await kind.call(idle, next)
  const idleTimes = new Map<string, Array<number>>(kinds.map(({ name }) => [name, []]))
  for (let n = 0; n < 200; n++)
    for (const kind of kinds) {
      await wait(2)
      idleTimes.get(kind.name)?.push((await kind.call(idle, next)).milliseconds)
    }
  await idle.close()
  const before = tree.memory().resident
  process.stdout.write(`idle: memory ${megabytes(before)}\n`)

  let last: number | undefined
  for (let round = 1; round <= rounds; round++) {
    const times = new Map<string, Array<number>>(kinds.map(({ name }) => [name, []]))
    const counts = { ok: 0, busy: 0, error: 0 }
    const errors: Array<string> = []
    const clients = Array.from({ length: sessions }, () => new HttpClient(url))
    for (const [at, client] of clients.entries()) {
      const status = await client.open(`bench-${at}`)
      if (status !== 200) throw new Error(`session ${at} was answered with ${status}`)
      client.listen()
    }
    const end = performance.now() + seconds * 1000
    const used = tree.processorSeconds()
    let peak = 0
    const sampler = setInterval(() => {
      peak = Math.max(peak, tree.memory().resident)
    }, 1000)
    await Promise.all(
      clients.map(async (client, at) => {
        const own = random(round * 10_000 + at)
        await wait(own() * think)
        while (performance.now() < end) {
          const kind = kinds[Math.floor(own() * kinds.length)] as Kind
          try {
            const answered = await kind.call(client, own)
            const came = verdict(answered)
            counts[came]++
            if (came === "ok") times.get(kind.name)?.push(answered.milliseconds)
            if (came === "error") errors.push(JSON.stringify(answered).slice(0, 300))
          } catch (cause) {
            counts.error++
            errors.push(String(cause))
          }
          await wait(think * (0.5 + own()))
        }
      })
    )
    clearInterval(sampler)
    const cpu = tree.processorSeconds() - used
    await Promise.all(clients.map((client) => client.close()))
    await wait(5000)
    const after = tree.memory().resident
    process.stdout.write(
      `round ${round}: ${sessions} sessions, ${seconds} s, think ${think} ms: ${counts.ok} answers, ${counts.busy} times told to wait, ${counts.error} errors; server CPU ${((100 * cpu) / seconds).toFixed(0)} %; memory at most ${megabytes(peak)}, afterwards ${megabytes(after)}; load ${load().toFixed(2)}\n`
    )
    for (const text of errors.slice(0, 3)) process.stdout.write(`  ${text}\n`)
    if (counts.error > 0) broken.push(`round ${round}: ${counts.error} errors`)
    for (const { name } of kinds) {
      const quiet = median(idleTimes.get(name) ?? [])
      const own = times.get(name) ?? []
      const slow = percentile(own, 0.99)
      const factor = (slow ?? Infinity) / (quiet ?? 1)
      process.stdout.write(
        `  ${name}: idle p50 ${ms(quiet)}; p50 ${ms(median(own))}, p99 ${ms(slow)}: ${factor.toFixed(1)} times\n`
      )
      if (factor > mostFactor)
        broken.push(`round ${round}: ${name} p99 is ${factor.toFixed(1)} times its idle p50`)
    }
    if (last !== undefined && after > last * mostGrowth)
      broken.push(`memory grew from ${megabytes(last)} to ${megabytes(after)} in round ${round}`)
    last = after
  }
  await stop(child)

  const took: { readonly [way: string]: Array<number> } = { http: [], stdio: [] }
  for (let n = 0; n < starts; n++) {
    took["http"]?.push(await startOverHttp())
    took["stdio"]?.push(await startOverStdio())
  }
  for (const [way, all] of Object.entries(took))
    process.stdout.write(`start to the list of tools over ${way}: median ${ms(median(all))} of ${starts}\n`)
} finally {
  remove(room)
}
for (const sentence of broken) process.stdout.write(`broken: ${sentence}\n`)
process.exit(broken.length === 0 ? 0 : 1)
