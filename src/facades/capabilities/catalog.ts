/** What capabilities are read from, and how a caller's words find something in it. */
import { Either } from "effect"
import { type Facade, listed } from "../../registry/Facade.ts"
import { invalidArgument, type OperationFailure } from "../../registry/Failure.ts"
import * as F from "../../registry/Fields.ts"
import { nearest, operationName } from "../../registry/Names.ts"
import type { Operation } from "../../registry/Operation.ts"
import type { Registry } from "../../registry/Registry.ts"

/** The registry these operations are part of. A function, because it is complete only after they are made. */
export type Catalog = () => Registry.Any

export const fields = {
  domain: F.optional(F.aliased(F.described(F.text, "name of a tool; absent for all"), "tool")),
  operation: F.optional(
    F.aliased(F.described(F.text, "one of the domain's operations; absent for all"), "kind")
  )
}

/** What a call asks about: everything, a domain, or one operation of it. */
export type Subject =
  | { readonly tag: "all" }
  | { readonly tag: "domain"; readonly facade: Facade.Any }
  | { readonly tag: "operation"; readonly facade: Facade.Any; readonly operation: Operation.Any }

const unknown = (field: string, key: string, said: string, valid: ReadonlyArray<string>) => {
  const suggested = nearest(said, valid)
  return invalidArgument(field, `${field} ${JSON.stringify(said)} is not known; valid: ${valid.join(", ")}`, {
    reason_code: `unknown_${field}`,
    data: { [key]: valid, ...(suggested === undefined ? {} : { [`suggested_${field}`]: suggested }) }
  })
}

/** Finds the subject. A name that is not known is refused with the valid ones. */
export const subject = (
  registry: Registry.Any,
  named: { readonly domain?: string; readonly operation?: string }
): Either.Either<Subject, OperationFailure> => {
  if (named.domain === undefined) {
    return named.operation === undefined
      ? Either.right({ tag: "all" })
      : Either.left(
          invalidArgument("domain", "domain is required with operation", { reason_code: "missing_field" })
        )
  }
  const facade = registry.facade(operationName(named.domain))
  if (facade === undefined) {
    return Either.left(
      unknown(
        "domain",
        "valid_domains",
        named.domain,
        registry.facades.map((each) => each.name)
      )
    )
  }
  if (named.operation === undefined) return Either.right({ tag: "domain", facade })
  const said = operationName(named.operation)
  const operations = listed(facade)
  const operation =
    operations.find((each) => each.name === said) ?? operations.find((each) => each.aliases.includes(said))
  return operation === undefined
    ? Either.left(
        unknown(
          "operation",
          "valid_operations",
          named.operation,
          operations.map((each) => each.name)
        )
      )
    : Either.right({ tag: "operation", facade, operation })
}
