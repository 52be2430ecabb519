/** What the project's settings say of detectors. */
import { Effect, Either, ParseResult, Schema } from "effect"
import { type ParseError, parse, printParseErrorCode } from "jsonc-parser"
import { DetectorRules } from "../../../registry/DetectorRules.ts"
import { failure, fromService, type OperationFailure } from "../../../registry/Failure.ts"
import { isRecord } from "../../../registry/Json.ts"
import { ReadFs } from "../../../services/ReadFs.ts"
import type { RuleInfo } from "../../../services/RuleMatcher.ts"

export const fileName = ".effectrc"
const decode = Schema.decodeUnknownEither(DetectorRules, { onExcessProperty: "error", errors: "all" })

/** The settings are at fault. */
export const invalid = (why: string): OperationFailure =>
  failure("invalid_argument", `${fileName}: ${why}`, {
    field: fileName,
    failure_stage: "preflight",
    reason_code: "invalid_configuration",
    data: { keys: ["rules", "bundles"], severities: ["error", "warning", "info"] }
  })

/** Reads the detectors out of the text of a configuration; undefined when it has none. */
export const readDetectors = (text: string): Either.Either<DetectorRules | undefined, OperationFailure> => {
  const errors: Array<ParseError> = []
  const value: unknown = parse(text, errors, { allowTrailingComma: true })
  const [first] = errors
  if (first !== undefined)
    return Either.left(
      invalid(`line ${text.slice(0, first.offset).split("\n").length}: ${printParseErrorCode(first.error)}`)
    )
  if (!isRecord(value) || value["detectors"] === undefined) return Either.right(undefined)
  return Either.flatMap(
    Either.mapLeft(decode(value["detectors"]), (error) =>
      invalid(
        ParseResult.ArrayFormatter.formatErrorSync(error)
          .map(({ message, path }) => `${["detectors", ...path].join(".")}: ${message}`)
          .join("; ")
      )
    ),
    (held) => {
      const names = [...(held.rules ?? []), ...(held.bundles ?? [])].map(({ name }) => name)
      const twice = names.find((name, i) => names.indexOf(name) !== i)
      return twice === undefined
        ? Either.right(held)
        : Either.left(invalid(`detectors: ${twice} is the name of two things`))
    }
  )
}

/** The detectors of the workspace; undefined when it states none. */
export const detectors: Effect.Effect<DetectorRules | undefined, OperationFailure, ReadFs> = Effect.gen(
  function* () {
    const fs = yield* ReadFs
    const text = yield* fs.readText(fileName).pipe(
      Effect.map(({ text: found }) => found),
      Effect.catchIf(
        ({ reason }) => reason === "not_found",
        () => Effect.succeed(undefined)
      ),
      Effect.mapError((cause) => fromService(cause, { field: fileName }))
    )
    return text === undefined ? undefined : yield* readDetectors(text)
  }
)

/** Rules of the project as rules say what they are. */
export const infosOf = (held: DetectorRules | undefined): ReadonlyArray<RuleInfo> =>
  (held?.rules ?? []).map(({ fix, languages, message, name, severity, tags }) => ({
    id: name,
    family: "domain",
    languages,
    severity: severity ?? "info",
    message,
    fix,
    cwe: undefined,
    owasp: undefined,
    tags: tags ?? []
  }))
