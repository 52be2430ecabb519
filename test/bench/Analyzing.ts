/**
 * How long analyses of a whole graph and walks through it take. The first call of an analysis on a snapshot gathers what
 * the later ones share, so it is measured in a server of its own; a walk's first calls are those while the server still
 * compiles itself. Beside the wall time stands the processor time of the thread that answers, which other work on the
 * machine disturbs less.
 */
import { readFileSync } from "node:fs"
import type { Answer, Client } from "./Client.ts"
import { ProcessTree } from "./ProcessTree.ts"
import { median, percentile, sample } from "./Statistics.ts"
import type { Asked, Subject } from "./Subject.ts"

/** Times in milliseconds; those of `processor` are of the answering thread alone. */
export interface Analysis {
  readonly operation: string
  readonly count: number
  readonly errors: number
  readonly wall: { readonly p50: number; readonly p95: number }
  readonly processor: { readonly p50: number; readonly p95: number }
  /** Of walks from one end to another: how many were answered to the end, whatever the answer. */
  readonly settled?: number | undefined
}

export interface Analyzed {
  readonly operations: ReadonlyArray<Analysis>
  /** Bytes resident after all of it, and at the most. */
  readonly resident: number
  readonly peak: number
}

/** Milliseconds of processor time of a process's first thread; its steps are below a microsecond. */
const mainThreadMs = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ")[0]) / 1e6

const measured = async (
  operation: string,
  client: Client,
  calls: ReadonlyArray<() => Promise<Answer>>,
  isSettled?: (answer: Answer) => boolean
): Promise<Analysis> => {
  const wall: Array<number> = []
  const processor: Array<number> = []
  let errors = 0
  let settled = 0
  for (const call of calls) {
    const at = performance.now()
    const before = mainThreadMs(client.pid)
    const answer = await call()
    processor.push(mainThreadMs(client.pid) - before)
    wall.push(performance.now() - at)
    if (answer.isError === true) {
      // Some definitions have no body that a value could flow through: that is said, and counted.
      errors++
    } else if (isSettled?.(answer) === true) settled++
  }
  return {
    operation,
    count: calls.length,
    errors,
    wall: { p50: percentile(wall, 0.5)!, p95: percentile(wall, 0.95)! },
    processor: { p50: percentile(processor, 0.5)!, p95: percentile(processor, 0.95)! },
    ...(isSettled === undefined ? {} : { settled })
  }
}

const whole = ["hotspots", "communities", "dead_code"] as const

/** Something that both ends of a walk are taken from. */
interface Pair {
  readonly from: string
  readonly to: string
}

/** Pairs of functions: for every other one an end that its calls lead to, where they lead anywhere. */
const pairsOf = async (
  client: Client,
  functions: ReadonlyArray<Asked>,
  next: () => number
): Promise<ReadonlyArray<Pair>> => {
  const pairs: Array<Pair> = []
  for (let i = 0; i + 1 < functions.length; i += 2) {
    const from = functions[i]!.id
    let to = functions[i + 1]!.id
    if ((i >> 1) % 2 === 0) {
      const { structuredContent } = await client.call("trace", {
        operation: "call_chain",
        target: { symbol: from }
      })
      const nodes = (structuredContent?.["nodes"] ?? []) as ReadonlyArray<{ readonly id: string }>
      to = nodes[Math.floor(next() * nodes.length)]?.id ?? to
    }
    pairs.push({ from, to })
  }
  return pairs
}

const isWhole = (answer: Answer): boolean => {
  const { completeness, paths } = (answer.structuredContent ?? {}) as {
    readonly completeness?: { readonly complete?: boolean }
    readonly paths?: ReadonlyArray<unknown>
  }
  return completeness?.complete === true || (paths?.length ?? 0) > 0
}

export const analyzing = async (
  subject: Subject,
  tree: string,
  functions: ReadonlyArray<Asked>,
  options: { readonly count: number; readonly starts: number; readonly next: () => number }
): Promise<Analyzed> => {
  const { count, next, starts } = options
  const picked = sample(functions, 6 * count, next)
  /** A server that has loaded its snapshot and has nothing left to do. */
  const opened = async (): Promise<Client> => {
    const client = subject.serve(tree)
    await client.open()
    await client.call("relations", { operation: "callers", target: { symbol: picked[0]!.id } })
    await new Promise((resolve) => setTimeout(resolve, 2500))
    return client
  }
  const operations: Array<Analysis> = []
  for (const kind of whole) {
    const ask = (client: Client) => () => client.call("analyze", { kind })
    const firsts: Array<Analysis> = []
    let later: Analysis | undefined
    for (let i = 0; i < starts; i++) {
      const client = await opened()
      try {
        firsts.push(await measured(kind, client, [ask(client)]))
        later ??= await measured(
          `${kind}, later`,
          client,
          Array.from({ length: count }, () => ask(client))
        )
      } finally {
        await client.close()
      }
    }
    const mid = (of: (one: Analysis) => number) => {
      const value = median(firsts.map(of))!
      return { p50: value, p95: Math.max(...firsts.map(of)) }
    }
    operations.push(
      {
        operation: `${kind}, first`,
        count: firsts.length,
        errors: firsts.reduce((sum, { errors }) => sum + errors, 0),
        wall: mid(({ wall }) => wall.p50),
        processor: mid(({ processor }) => processor.p50)
      },
      later!
    )
  }
  const client = await opened()
  try {
    const pairs = await pairsOf(client, picked.slice(0, 4 * count), next)
    const chains = picked.slice(4 * count)
    for (const [when, from] of [
      ["first", 0],
      ["later", count]
    ] as const) {
      const ends = pairs.slice(from, from + count)
      operations.push(
        await measured(
          `call_chain, ${when}`,
          client,
          chains.slice(from, from + count).map(
            ({ id }) =>
              () =>
                client.call("trace", { operation: "call_chain", target: { symbol: id } })
          )
        )
      )
      for (const [operation, isSettled] of [
        ["path", undefined],
        ["flow", isWhole]
      ] as const)
        operations.push(
          await measured(
            `${operation}, ${when}`,
            client,
            ends.map(
              ({ from: source, to: sink }) =>
                () =>
                  client.call("trace", { operation, target: { symbol: source }, to: { symbol: sink } })
            ),
            isSettled
          )
        )
    }
    const { highest, resident } = new ProcessTree(client.pid).memory()
    return { operations, resident, peak: highest }
  } finally {
    await client.close()
  }
}
