/** Definitions worth showing first: the ones most of the code leans on. */
import { Effect } from "effect"
import { CodeGraph, type GraphView, type SymbolRef } from "../services/CodeGraph.ts"
import type { ServiceFailure } from "../services/ServiceFailure.ts"

export interface Highlight {
  readonly id: string
  readonly name: string
  readonly kind: string
  readonly path: string
  /** 1-based. */
  readonly line: number
  /** Uses of it, calls included. */
  readonly uses: number
  /** How many of them call it; 0 for what cannot be called. */
  readonly calls: number
}

const callable: ReadonlySet<string> = new Set(["function", "method", "constructor"])

const types: ReadonlySet<string> = new Set([
  "class",
  "struct",
  "interface",
  "trait",
  "enum",
  "union",
  "object",
  "type_alias"
])

/** Lines from which a definition is worth reading. */
const fullLines = 4
/** Characters from which a name is worth telling. */
const fullName = 3

interface Candidate {
  readonly ref: SymbolRef
  readonly uses: number
}

/** The most used of what is put in, at most `limit`; of equals the first. */
class Best {
  readonly #limit: number
  readonly found: Array<Candidate> = []

  constructor(limit: number) {
    this.#limit = limit
  }

  accepts(uses: number): boolean {
    return this.found.length < this.#limit || uses > (this.found[this.#limit - 1]?.uses ?? Infinity)
  }

  add(candidate: Candidate): void {
    if (!this.accepts(candidate.uses)) return
    const at = this.found.findIndex((other) => other.uses < candidate.uses)
    this.found.splice(at < 0 ? this.found.length : at, 0, candidate)
    if (this.found.length > this.#limit) this.found.pop()
  }
}

/** Callables whose calls are counted for each that is wanted: the most used are not always the most called. */
const closer = 8

const callsOf = (view: GraphView, ref: SymbolRef): number =>
  view.incoming(ref).reduce((count, { role }) => count + Number(role === "call" || role === "new"), 0)

const shown = (view: GraphView, ref: SymbolRef, uses: number, calls: number): Highlight => {
  const { id, kind, line, name, path } = view.symbol(ref)
  return { id, name, kind, path, line, uses, calls }
}

/** Functions and types outside tests. */
const code = (view: GraphView, limit: number): ReadonlyArray<Highlight> => {
  const full = new Best(limit * closer)
  const short = new Best(limit * closer)
  const type = new Best(limit)
  for (const ref of view.all()) {
    const uses = view.incomingCount(ref)
    if (!full.accepts(uses) && !short.accepts(uses) && !type.accepts(uses)) continue
    const { end_line, kind, name, start_line, test } = view.symbol(ref)
    if (test) continue
    const plain = end_line - start_line + 1 >= fullLines && name.length >= fullName
    if (callable.has(kind)) (plain ? full : short).add({ ref, uses })
    else if (types.has(kind)) type.add({ ref, uses })
  }
  const functions = [full, short].flatMap(({ found }) =>
    found
      .map(({ ref, uses }) => shown(view, ref, uses, callsOf(view, ref)))
      .sort((one, other) => other.calls - one.calls)
  )
  return [
    ...functions.filter(({ calls }) => calls > 0),
    ...type.found.map(({ ref, uses }) => shown(view, ref, uses, 0)),
    ...functions.filter(({ calls }) => calls === 0)
  ].slice(0, limit)
}

/** Whatever is defined, tests and data included. */
const anything = (view: GraphView, limit: number): ReadonlyArray<Highlight> => {
  const best = new Best(limit)
  for (const ref of view.all()) best.add({ ref, uses: view.incomingCount(ref) })
  return best.found.map(({ ref, uses }) =>
    shown(view, ref, uses, callable.has(view.symbol(ref).kind) ? callsOf(view, ref) : 0)
  )
}

/**
 * At most `limit` definitions. Functions and methods that are called come first, the most called first, those that are
 * short or hardly have a name behind the others; then types by their uses, functions nobody calls, and where that is
 * not enough whatever else is defined. Empty only when no definition is indexed.
 */
export const highlights = (
  limit: number
): Effect.Effect<ReadonlyArray<Highlight>, ServiceFailure, CodeGraph> =>
  Effect.gen(function* () {
    const view = yield* (yield* CodeGraph).view
    const first = code(view, limit)
    if (first.length >= limit) return first
    const taken = new Set(first.map(({ id }) => id))
    const rest = anything(view, limit * 2).filter(({ id }) => !taken.has(id))
    return [...first, ...rest].slice(0, limit)
  })
