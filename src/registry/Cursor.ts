import { Either } from "effect"
import { failure, type OperationFailure } from "./Failure.ts"
import { isRecord } from "./Json.ts"

/** Where a page starts, and what it is a page of. Opaque to callers. */
export interface Position {
  readonly offset: number
  readonly snapshot?: string
}

const bound = (fingerprint: string): string => fingerprint.slice(0, 16)

/** Cursor text for a position of the request with this fingerprint. */
export const encode = (position: Position, fingerprint: string): string =>
  Buffer.from(
    JSON.stringify({
      o: position.offset,
      q: bound(fingerprint),
      ...(position.snapshot === undefined ? {} : { s: position.snapshot })
    })
  ).toString("base64url")

const invalid = (why: string): OperationFailure =>
  failure("invalid_cursor", `output.cursor ${why}; leave it out to start again`, {
    field: "output.cursor",
    failure_stage: "decode"
  })

/** Reads a cursor; one of another request, or none of ours, fails with `invalid_cursor`. */
export const decode = (cursor: string, fingerprint: string): Either.Either<Position, OperationFailure> => {
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"))
  } catch {
    return Either.left(invalid("is not a cursor of this server"))
  }
  if (!isRecord(value) || !Number.isSafeInteger(value["o"]) || (value["o"] as number) < 0) {
    return Either.left(invalid("is not a cursor of this server"))
  }
  if (value["q"] !== bound(fingerprint)) return Either.left(invalid("belongs to another request"))
  return Either.right({
    offset: value["o"] as number,
    ...(typeof value["s"] === "string" ? { snapshot: value["s"] } : {})
  })
}
