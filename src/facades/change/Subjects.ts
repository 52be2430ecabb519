/** The symbols a call is about. */
import { Either } from "effect"
import { type OperationFailure } from "../../registry/Failure.ts"
import type { GraphView, SymbolRef } from "../../services/CodeGraph.ts"
import { oneOf } from "../shared/symbols.ts"

/** What the fields of a call name: one symbol or several, where a file's id is its path. */
export interface Named {
  readonly symbol?: string | undefined
  readonly symbols?: ReadonlyArray<string> | undefined
}

/**
 * The definitions or files meant, each once. The first that means none, or several, fails as `symbol_not_found` or
 * `invalid_argument` with its candidates.
 */
export const subjects = (
  view: GraphView,
  { symbol, symbols }: Named,
  operation: string,
  field?: string
): Either.Either<ReadonlyArray<SymbolRef>, OperationFailure> => {
  const refs = new Set<SymbolRef>()
  for (const [place, words] of (symbols ?? [symbol!]).entries()) {
    const one = oneOf(view, words, {
      facade: "change",
      operation,
      field: symbols === undefined ? (field ?? "target.symbol") : `${field ?? "target.symbols"}[${place}]`
    })
    if (Either.isLeft(one)) return Either.left(one.left)
    refs.add(one.right)
  }
  return Either.right([...refs])
}

/** A few of them in words. */
export const wordsOf = (view: GraphView, refs: ReadonlyArray<SymbolRef>): string =>
  refs.length === 1 ? view.idOf(refs[0]!) : `${refs.length} symbols`
