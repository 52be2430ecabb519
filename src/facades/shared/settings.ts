/** Reads one part of the workspace's `.effectrc`. */
import { Effect, Either, ParseResult, Schema } from "effect"
import { type ParseError, parse, printParseErrorCode } from "jsonc-parser"
import { failure, fromService, type OperationFailure } from "../../registry/Failure.ts"
import { isRecord } from "../../registry/Json.ts"
import { ReadFs } from "../../services/ReadFs.ts"

export const fileName = ".effectrc"

/** The settings are at fault. `data` names what they may hold. */
export const invalidSettings = (why: string, data: { readonly [key: string]: unknown }): OperationFailure =>
  failure("invalid_argument", `${fileName}: ${why}`, {
    field: fileName,
    failure_stage: "preflight",
    reason_code: "invalid_configuration",
    data
  })

export interface Section<A, I> {
  /** Its key at the top level. */
  readonly key: string
  readonly schema: Schema.Schema<A, I>
  /** What is wrong with it as a whole, beyond its shape; undefined when nothing is. */
  readonly fault: (value: A) => string | undefined
  /** What it may hold, for refusals. */
  readonly data: { readonly [key: string]: unknown }
}

/** Reads the part out of the text of a configuration; undefined when it has none. */
export const readSection = <A, I>({
  data,
  fault,
  key,
  schema
}: Section<A, I>): ((text: string) => Either.Either<A | undefined, OperationFailure>) => {
  const decode = Schema.decodeUnknownEither(schema, { onExcessProperty: "error", errors: "all" })
  const invalid = (why: string) => Either.left(invalidSettings(why, data))
  return (text) => {
    const errors: Array<ParseError> = []
    const value: unknown = parse(text, errors, { allowTrailingComma: true })
    const [first] = errors
    if (first !== undefined)
      return invalid(
        `line ${text.slice(0, first.offset).split("\n").length}: ${printParseErrorCode(first.error)}`
      )
    if (!isRecord(value) || value[key] === undefined) return Either.right(undefined)
    const decoded = decode(value[key])
    if (Either.isLeft(decoded))
      return invalid(
        ParseResult.ArrayFormatter.formatErrorSync(decoded.left)
          .map(({ message, path }) => `${[key, ...path].join(".")}: ${message}`)
          .join("; ")
      )
    const why = fault(decoded.right)
    return why === undefined ? Either.right(decoded.right) : invalid(`${key}${why}`)
  }
}

/** The part as the workspace states it; undefined when it states none. */
export const sectionOf = <A>(
  read: (text: string) => Either.Either<A | undefined, OperationFailure>
): Effect.Effect<A | undefined, OperationFailure, ReadFs> =>
  Effect.gen(function* () {
    const fs = yield* ReadFs
    const text = yield* fs.readText(fileName).pipe(
      Effect.map(({ text: found }) => found),
      Effect.catchIf(
        ({ reason }) => reason === "not_found",
        () => Effect.succeed(undefined)
      ),
      Effect.mapError((cause) => fromService(cause, { field: fileName }))
    )
    return text === undefined ? undefined : yield* read(text)
  })
