/**
 * Calls nobody made, run while nobody waits: the first calls of a session then meet compiled code and tables that are
 * there. They take the path of every call and leave nothing behind but that: no answer, no count, no kept response.
 */
import type { GraphView } from "../services/CodeGraph.ts"
import type { Step } from "./Lulls.ts"
import type { Request } from "./Pipeline.ts"

/** Processor time a rehearsal may take, in microseconds. */
const mostMicros = 1_600_000
/** Definitions that are asked about. */
const rounds = 96
/** One in so many of them gives a text to look for: that takes longer than the other questions together. */
const textEvery = 3
/** Definitions of a file that are looked at for one to ask about. */
const mostLooks = 200

const callable: ReadonlySet<string> = new Set(["function", "method"])

/** What is rehearsed in a workspace: the questions asked most, about functions from all over it. Found as they are taken. */
export function* callsFor(view: GraphView): Generator<Request> {
  const files = view.files().filter(({ symbols }) => symbols > 0)
  const taken = Math.min(rounds, files.length)
  for (let round = 0; round < taken; round++) {
    const { path } = files[Math.floor((round * files.length) / taken)]!
    for (const ref of view.definitions(path).slice(0, mostLooks)) {
      const { id, kind, name, signature } = view.symbol(ref)
      if (!callable.has(kind)) continue
      yield { tool: "search", args: { operation: "symbols", query: name } }
      yield { tool: "relations", args: { operation: "callers", target: { symbol: id } } }
      yield { tool: "read", args: { operation: "source", target: { symbol: id } } }
      if (round % textEvery === 0)
        yield { tool: "search", args: { operation: "text", query: signature.slice(0, 24) || name } }
      break
    }
  }
}

/** A rehearsal as work for lulls: a step makes one call, whether or not it fails. `find` is asked once, by the first. */
export const rehearsal = (
  find: () => Promise<Iterable<Request>>,
  call: (request: Request) => Promise<unknown>
): Step => {
  let left: Iterator<Request> | undefined
  let spent = 0
  return async () => {
    const before = process.cpuUsage()
    left ??= (await find())[Symbol.iterator]()
    const next = left.next()
    if (next.done === true) return false
    await call(next.value).catch(() => {})
    const { system, user } = process.cpuUsage(before)
    spent += system + user
    return spent <= mostMicros
  }
}
