/** Kinds of definition a caller may ask for, and refusals of those there are not. */
import { Either } from "effect"
import { invalidArgument, type OperationFailure } from "../../../registry/Failure.ts"
import type { GraphView } from "../../../services/CodeGraph.ts"

/** Whether a kind number is wanted: those named, or all of code when none is. `all` is every kind. */
export const kindFilter = (
  view: GraphView,
  field: string,
  kinds: ReadonlyArray<string> | undefined,
  usual: (name: string) => boolean = () => true
): Either.Either<Uint8Array, OperationFailure> => {
  const { kindNames } = view.columns
  if (kinds === undefined || kinds.length === 0)
    return Either.right(Uint8Array.from(kindNames, (name) => (usual(name) ? 1 : 0)))
  if (kinds.includes("all")) return Either.right(new Uint8Array(kindNames.length).fill(1))
  const stray = kinds.filter((kind) => !kindNames.includes(kind))
  return stray.length === 0
    ? Either.right(Uint8Array.from(kindNames, (name) => (kinds.includes(name) ? 1 : 0)))
    : Either.left(
        invalidArgument(field, `${field}: there is no kind ${stray.join(", ")}`, {
          data: { valid_values: [...kindNames, "all"] }
        })
      )
}
