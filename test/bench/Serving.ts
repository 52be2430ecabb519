/** How long a running server takes to answer, and what it holds meanwhile. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Answer, Client } from "./Client.ts"
import { ProcessTree } from "./ProcessTree.ts"
import { percentile, sample } from "./Statistics.ts"
import type { Asked, Subject } from "./Subject.ts"

/** Milliseconds; `inServer` ones are those minus the median of a ping. */
export interface Latency {
  readonly operation: string
  readonly count: number
  readonly errors: number
  readonly p50: number
  readonly p95: number
  readonly inServerP50: number
  readonly inServerP95: number
  /** Processor time of the server for one call. */
  readonly cpuMs: number
  readonly bytesP50: number
}

export interface Served {
  readonly ping: { readonly p50: number; readonly p95: number }
  readonly operations: ReadonlyArray<Latency>
  /** Bytes resident after the first answer, after the last, and at the most. */
  readonly residentAfterStart: number
  readonly residentAfterRun: number
  readonly peak: number
}

/** Pieces of lines as one would look for them: 6 to 24 characters, from words on. */
const literals = (
  tree: string,
  paths: ReadonlyArray<string>,
  count: number,
  next: () => number
): ReadonlyArray<string> => {
  const found = new Set<string>()
  for (const path of sample(paths, count * 4, next)) {
    const lines = readFileSync(join(tree, path), "utf8")
      .split("\n")
      .filter((line) => line.trim().length >= 12 && line.length < 300)
    const line = lines[Math.floor(next() * lines.length)]?.trim()
    const words = line === undefined ? [] : [...line.matchAll(/\b\w/g)].map(({ index }) => index)
    const from = words[Math.floor(next() * words.length)]
    const text = from === undefined ? "" : line!.slice(from, from + 6 + Math.floor(next() * 19)).trim()
    if (text.length >= 6) found.add(text)
    if (found.size === count) break
  }
  return [...found]
}

export const serving = async (
  subject: Subject,
  tree: string,
  functions: ReadonlyArray<Asked>,
  options: { readonly count: number; readonly next: () => number }
): Promise<Served> => {
  const { count, next } = options
  const picked = sample(functions, 2 * count, next)
  const texts = literals(tree, subject.sources(), 2 * count, next)
  const client = subject.serve(tree)
  const processes = new ProcessTree(client.pid)
  try {
    await client.open()
    await client.call("relations", { operation: "callers", target: { symbol: picked[0]!.id } })
    // What the start left to do in the background is done before anything is measured.
    await new Promise((resolve) => setTimeout(resolve, 2500))
    const residentAfterStart = processes.memory().resident
    const pings = await timed(
      client,
      processes,
      Array.from({ length: count }, () => () => client.request("ping"))
    )
    const ping = { p50: percentile(pings.ms, 0.5)!, p95: percentile(pings.ms, 0.95)! }
    const operations: Array<Latency> = []
    for (const [when, from] of [
      ["first", 0],
      ["later", count]
    ] as const) {
      const symbols = picked.slice(from, from + count)
      const plans: ReadonlyArray<readonly [string, ReadonlyArray<() => Promise<Answer>>]> = [
        [
          "symbol search, exact name",
          symbols.map(
            ({ name }) =>
              () =>
                client.call("search", { operation: "symbols", query: name })
          )
        ],
        [
          "callers",
          symbols.map(
            ({ id }) =>
              () =>
                client.call("relations", { operation: "callers", target: { symbol: id } })
          )
        ],
        [
          "source of a symbol",
          symbols.map(
            ({ id }) =>
              () =>
                client.call("read", { operation: "source", target: { symbol: id } })
          )
        ],
        [
          "literal text search",
          texts
            .slice(from, from + count)
            .map((query) => () => client.call("search", { operation: "text", query }))
        ]
      ]
      for (const [operation, calls] of plans)
        operations.push(latency(`${operation}, ${when}`, await timed(client, processes, calls), ping.p50))
    }
    const { highest, resident } = processes.memory()
    return { ping, operations, residentAfterStart, residentAfterRun: resident, peak: highest }
  } finally {
    await client.close()
  }
}

/** What calls of one kind took; the first failure is told. */
export const latency = (
  operation: string,
  { bytes, cpuMs, errors, firstError, ms }: Awaited<ReturnType<typeof timed>>,
  ping: number
): Latency => {
  if (errors > 0)
    process.stderr.write(`${operation}: ${errors} of ${ms.length} calls failed, such as: ${firstError}\n`)
  const p50 = percentile(ms, 0.5)!
  const p95 = percentile(ms, 0.95)!
  return {
    operation,
    count: ms.length,
    errors,
    p50,
    p95,
    inServerP50: Math.max(0, p50 - ping),
    inServerP95: Math.max(0, p95 - ping),
    cpuMs,
    bytesP50: percentile(bytes, 0.5)!
  }
}

/** Makes the calls one after another. */
export const timed = async (
  client: Client,
  processes: ProcessTree,
  calls: ReadonlyArray<() => Promise<Answer>>
) => {
  const ms: Array<number> = []
  const bytes: Array<number> = []
  let errors = 0
  let firstError = ""
  const before = processes.processorSeconds()
  for (const call of calls) {
    const at = performance.now()
    const answer = await call()
    ms.push(performance.now() - at)
    bytes.push(client.lastBytes)
    if (answer.isError === true) {
      errors++
      firstError ||= answer.content?.[0]?.text ?? ""
    }
  }
  return {
    ms,
    bytes,
    errors,
    firstError,
    cpuMs: ((processes.processorSeconds() - before) * 1000) / calls.length
  }
}
