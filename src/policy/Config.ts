/** `.effectrc`: what a repository says about its server. JSON with comments, closed: a key nobody knows is refused. */
import { Either, ParseResult, Schema } from "effect"
import { type ParseError, parse, printParseErrorCode } from "jsonc-parser"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { GuardRules } from "../registry/GuardRules.ts"

/** The settings: every key the file may have. */
export const Config = Schema.Struct({
  $schema: Schema.optionalWith(Schema.String, { exact: true }),
  /** Tools to show; see the surface's names. */
  tools: Schema.optionalWith(Schema.String, { exact: true }),
  /** By tool: effect classes or services its operations may have, and nothing beyond. */
  grants: Schema.optionalWith(Schema.Record({ key: Schema.String, value: Schema.Array(Schema.String) }), {
    exact: true
  }),
  /** What `change.guards` and `change.contract` hold changes to. */
  guards: Schema.optionalWith(GuardRules, { exact: true })
})
export type Config = typeof Config.Type

/** Name of the file. */
export const fileName = ".effectrc"

const decode = Schema.decodeUnknownEither(Config, { onExcessProperty: "error", errors: "all" })

/** Reads the text of a configuration. The left side says what is wrong with it. */
export const read = (text: string): Either.Either<Config, string> => {
  const errors: Array<ParseError> = []
  const value: unknown = parse(text, errors, { allowTrailingComma: true })
  const [first] = errors
  if (first !== undefined) {
    const line = text.slice(0, first.offset).split("\n").length
    return Either.left(`${fileName}:${line} ${printParseErrorCode(first.error)}`)
  }
  return Either.mapLeft(
    decode(value),
    (error) =>
      `${fileName}: ${ParseResult.ArrayFormatter.formatErrorSync(error)
        .map(({ message, path }) => `${path.join(".") || "it"}: ${message}`)
        .join("; ")}`
  )
}

/** Reads the configuration in a folder; undefined when there is none. */
export const load = (directory: string): Either.Either<Config | undefined, string> => {
  let text: string
  try {
    text = readFileSync(join(directory, fileName), "utf8")
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return Either.right(undefined)
    return Either.left(`${fileName} cannot be read`)
  }
  return read(text)
}
