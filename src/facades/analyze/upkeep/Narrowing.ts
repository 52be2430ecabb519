/** What narrows an answer of this family: a path, kinds of definition. */
import { Effect } from "effect"
import { invalidArgument, type OperationFailure } from "../../../registry/Failure.ts"
import { isUnder } from "../../../registry/Place.ts"
import type { GraphView } from "../../../services/CodeGraph.ts"

/** Whether a path is the one given, or below it; one below which nothing is listed is refused. */
export const under = (
  view: GraphView,
  prefix: string | undefined,
  field = "options.path_prefix"
): Effect.Effect<(path: string) => boolean, OperationFailure> => {
  const fits = isUnder(prefix)
  return prefix === undefined || view.files().some(({ path }) => fits(path))
    ? Effect.succeed(fits)
    : Effect.fail(
        invalidArgument(field, `${field}: no indexed file is ${JSON.stringify(prefix)} or lies below it`, {
          reason_code: "path_not_indexed",
          data: { path_prefix: prefix }
        })
      )
}

/** By kind number of the view's columns: whether it is asked for. `all` asks for every kind; an unknown one is refused. */
export const kindFilter = (
  view: GraphView,
  words: ReadonlyArray<string> | undefined,
  otherwise: ReadonlyArray<string> | "all",
  field = "options.kinds"
): Effect.Effect<ReadonlyArray<boolean>, OperationFailure> =>
  Effect.suspend(() => {
    const { kindNames } = view.columns
    const known = kindNames.filter((kind) => kind !== "file")
    const asked =
      words === undefined || words.length === 0 ? otherwise : words.map((word) => word.trim().toLowerCase())
    if (asked === "all" || asked.includes("all"))
      return Effect.succeed(kindNames.map((kind) => kind !== "file"))
    const unknown = asked.find((kind) => !known.includes(kind))
    return unknown === undefined
      ? Effect.succeed(kindNames.map((kind) => asked.includes(kind)))
      : Effect.fail(
          invalidArgument(field, `${field} has ${JSON.stringify(unknown)}, which is no kind of symbol`, {
            reason_code: "unknown_kind",
            data: { valid_values: [...known].sort() }
          })
        )
  })

/** Rows of a page: those asked for, for a handler that makes only these. */
export const window = <A>(
  rows: ReadonlyArray<A>,
  call: { readonly offset: number; readonly limit: number | undefined }
): ReadonlyArray<A> =>
  rows.slice(call.offset, call.limit === undefined ? undefined : call.offset + call.limit)
