/** The kinds of edge callers name, and the roles of a use that each stands for. */
import { invalidArgument, type OperationFailure } from "../../registry/Failure.ts"
import { Either } from "effect"

const roles = {
  calls: ["call", "new", "macro", "decorate"],
  references: [
    "read",
    "write",
    "type",
    "parameter_type",
    "return_type",
    "field_type",
    "generic_arg",
    "mention"
  ],
  imports: ["import", "export"],
  extends: ["extends"],
  implements: ["implements"]
} as const

/** Every kind of edge there is. */
export const edgeKinds: ReadonlyArray<string> = Object.keys(roles)

/** Whether an edge of this role is followed, for the kinds asked for; `all` is every kind. Unknown kinds are refused. */
export const edgeFilter = (
  field: string,
  kinds: ReadonlyArray<string>
): Either.Either<(role: string) => boolean, OperationFailure> => {
  if (kinds.length === 0 || kinds.includes("all")) return Either.right(() => true)
  const unknown = kinds.filter((k) => !Object.hasOwn(roles, k))
  if (unknown.length > 0) {
    return Either.left(
      invalidArgument(field, `${field}: there is no kind of edge ${unknown.join(", ")}`, {
        data: { valid_values: [...edgeKinds, "all"] }
      })
    )
  }
  const wanted = new Set<string>(kinds.flatMap((k) => roles[k as keyof typeof roles]))
  return Either.right((role) => wanted.has(role))
}
