/** Fields of a view, and who writes them. */
import { Effect, Either } from "effect"
import { invalidArgument, type OperationFailure } from "../../../registry/Failure.ts"
import type { EdgeInfo, GraphView, SymbolRef } from "../../../services/CodeGraph.ts"
import { oneDefinition } from "../../shared/symbols.ts"
import { inTurns } from "../../../registry/Turns.ts"

export const isField = (kind: string): boolean => kind === "field" || kind === "property"

export interface Written {
  readonly ref: SymbolRef
  readonly writes: ReadonlyArray<EdgeInfo>
}

interface All {
  /** Fields with at least one write, the most written first. */
  readonly written: ReadonlyArray<Written>
  readonly fields: number
  /** Writes known by name only, which are left out. */
  readonly byName: number
}

/** By a part of the view that stays the same while only its freshness is new. */
const known = new WeakMap<GraphView["symbol"], All>()

export const writtenFields = (view: GraphView): Effect.Effect<All> =>
  Effect.gen(function* () {
    const before = known.get(view.symbol)
    if (before !== undefined) return before
    const found: Array<Written & { readonly id: string }> = []
    let fields = 0
    let byName = 0
    yield* inTurns(view.all(), (ref) => {
      if (!isField(view.symbol(ref).kind)) return
      fields++
      if (view.incomingCount(ref) === 0) return
      const all = view.incoming(ref).filter(({ role }) => role === "write")
      const writes = all.filter(({ tier }) => tier !== "name")
      byName += all.length - writes.length
      if (writes.length > 0) found.push({ ref, writes, id: view.idOf(ref) })
    })
    found.sort((a, b) => b.writes.length - a.writes.length || (a.id < b.id ? -1 : 1))
    const all = { written: found.map(({ ref, writes }) => ({ ref, writes })), fields, byName }
    known.set(view.symbol, all)
    return all
  })

/** The one field some words mean. */
export const oneField = (
  view: GraphView,
  words: string,
  operation: string
): Effect.Effect<SymbolRef, OperationFailure> =>
  Effect.gen(function* () {
    const asking = { facade: "analyze", operation, field: "options.id" }
    const ref = yield* Either.mapLeft(oneDefinition(view, words, asking), (failure) =>
      // The offered call would put a target where this kind takes an id.
      failure.recovery?.tool === "analyze"
        ? invalidArgument("options.id", failure.message, {
            reason_code: failure.reason_code,
            data: failure.data
          })
        : failure
    )
    const { id, kind } = view.symbol(ref)
    return isField(kind)
      ? ref
      : yield* invalidArgument("options.id", `${id} is a ${kind}, not a field`, {
          reason_code: "not_a_field",
          data: { id, kind }
        })
  })

/** How often each of some definitions appears, the most first. */
export const tally = (
  view: GraphView,
  refs: ReadonlyArray<SymbolRef>
): ReadonlyArray<{ readonly id: string; readonly count: number }> => {
  const counts = new Map<SymbolRef, number>()
  for (const ref of refs) counts.set(ref, (counts.get(ref) ?? 0) + 1)
  return [...counts]
    .map(([ref, count]) => ({ id: view.idOf(ref), count }))
    .sort((a, b) => b.count - a.count || (a.id < b.id ? -1 : 1))
}
