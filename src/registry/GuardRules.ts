/** Rules a repository holds its changes to, as `.effectrc` states them under `guards`. Closed: an unknown key is refused. */
import { Schema } from "effect"

const exact = { exact: true } as const

/** How much a broken rule weighs: `error` refuses a change, `warn` warns of it, `info` is told. */
export const Severity = Schema.Literal("error", "warn", "info")
export type Severity = typeof Severity.Type

const globs = Schema.NonEmptyArray(Schema.NonEmptyTrimmedString).annotations({
  description: "Globs of repository-relative paths: `*` stays in a folder, `**` crosses folders. Any of them."
})
const common = {
  name: Schema.NonEmptyTrimmedString,
  description: Schema.optionalWith(Schema.String, exact),
  severity: Schema.optionalWith(Severity.annotations({ description: "`warn` unless said." }), exact)
}

export const GuardRules = Schema.Struct({
  co_change: Schema.optionalWith(
    Schema.Array(Schema.Struct({ ...common, when: globs, also: globs })).annotations({
      description: "Who changes a file of `when` changes a file of `also` too."
    }),
    exact
  ),
  boundaries: Schema.optionalWith(
    Schema.Array(
      Schema.Struct({ ...common, from: globs, to: globs, except: Schema.optionalWith(globs, exact) })
    ).annotations({ description: "Code of `from` uses nothing of `to`, `except` aside." }),
    exact
  ),
  layers: Schema.optionalWith(
    Schema.Array(
      Schema.Struct({
        ...common,
        paths: globs,
        allow: Schema.optionalWith(Schema.Array(Schema.NonEmptyTrimmedString), exact),
        deny: Schema.optionalWith(Schema.Array(Schema.NonEmptyTrimmedString), exact)
      })
    ).annotations({
      description:
        "Layers, and by their names which others each may use (`allow`, no others then) or may not (`deny`). A file is in the first layer that fits."
    }),
    exact
  ),
  fan_out: Schema.optionalWith(
    Schema.Array(Schema.Struct({ ...common, paths: globs, max: Schema.NonNegativeInt })).annotations({
      description: "A file of `paths` uses at most `max` other files of the workspace."
    }),
    exact
  ),
  callers: Schema.optionalWith(
    Schema.Array(Schema.Struct({ ...common, of: globs, deny: globs })).annotations({
      description: "Code of `deny` calls nothing of `of`."
    }),
    exact
  )
}).annotations({ description: "Rules that `change.guards` and `change.contract` hold changed symbols to." })
export type GuardRules = typeof GuardRules.Type
