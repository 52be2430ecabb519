/** Rules of a project's own, as `.effectrc` states them under `detectors`. Closed: an unknown key is refused. */
import { Schema } from "effect"

const exact = { exact: true } as const
const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, exact)

const name = Schema.String.pipe(Schema.pattern(/^[a-z0-9][a-z0-9_-]{0,59}$/)).annotations({
  description: "Lower-case letters, digits, `-` and `_`."
})
const pattern = Schema.NonEmptyString.annotations({
  description: "Regular expression, in the syntax of text search: no look-around, no back references."
})
/** What is matched against names of node types; nothing that could take long to match. */
const nodeTypes = Schema.String.pipe(Schema.pattern(/^\w+(\|\w+)*$/)).annotations({
  description: "Types of node of the language's tree-sitter grammar, joined with `|`."
})
const globs = Schema.NonEmptyArray(Schema.NonEmptyTrimmedString).annotations({
  description: "Globs of repository-relative paths: `*` stays in a folder, `**` crosses folders. Any of them."
})

/** A place in code. */
const Place = Schema.Union(
  Schema.NonEmptyString.annotations({
    description: "Code: `$NAME` stands for one syntax node, `$$$NAME` for any number of neighbours."
  }),
  Schema.Struct({
    code: Schema.NonEmptyString,
    select: optional(
      Schema.NonEmptyString.annotations({
        description: "The first node of this type within the code is what is looked for."
      })
    )
  }),
  Schema.Struct({
    kind: nodeTypes,
    text: optional(pattern),
    not: optional(pattern)
  })
)
const places = Schema.NonEmptyArray(Place)

/** What a variable has to stand for. All that is said must hold. */
const Condition = Schema.Struct({
  constant: optional(
    Schema.Boolean.annotations({
      description: "Whether the value is written in the file, also by way of locals."
    })
  ),
  string: optional(pattern.annotations({ description: "A literal text that fits." })),
  built: optional(
    Schema.Boolean.annotations({ description: "Whether it is a text put together from values." })
  ),
  request: optional(Schema.Boolean.annotations({ description: "Whether it comes from a request." })),
  text: optional(pattern.annotations({ description: "The source text fits." })),
  not: optional(pattern.annotations({ description: "The source text does not fit." })),
  kind: optional(nodeTypes)
})

/** One rule. */
export const DetectorRule = Schema.Struct({
  name,
  /** What a place that fits means. */
  message: Schema.NonEmptyTrimmedString,
  fix: optional(Schema.NonEmptyTrimmedString),
  severity: optional(
    Schema.Literal("error", "warning", "info").annotations({ description: "`info` unless said." })
  ),
  tags: optional(Schema.Array(Schema.NonEmptyTrimmedString)),
  languages: Schema.NonEmptyArray(Schema.NonEmptyTrimmedString).annotations({
    description: "Language ids; `*` for every file with text, with `line` only."
  }),
  paths: optional(globs),
  find: optional(Schema.Union(Place, places).annotations({ description: "Any of these places in code." })),
  line: optional(pattern.annotations({ description: "Or any line that fits." })),
  where: optional(Schema.Record({ key: Schema.String, value: Condition })),
  inside: optional(places.annotations({ description: "Only within one of these." })),
  not_inside: optional(places),
  has: optional(places.annotations({ description: "Only with one of these within." })),
  lacks: optional(places),
  text: optional(pattern.annotations({ description: "The text of the place fits." })),
  not: optional(pattern),
  file: optional(pattern.annotations({ description: "The text of the file fits." })),
  file_not: optional(pattern)
})
  .annotations({ title: "a rule" })
  .pipe(
    Schema.filter(
      ({ find, line }) => (find === undefined) !== (line === undefined) || "state either find or line",
      { title: "a rule", jsonSchema: {} }
    )
  )
export type DetectorRule = typeof DetectorRule.Type

/** A name for several rules, of the catalogue or the project's own. */
export const DetectorBundle = Schema.Struct({
  name,
  description: optional(Schema.String),
  detectors: Schema.NonEmptyArray(Schema.NonEmptyTrimmedString)
})
export type DetectorBundle = typeof DetectorBundle.Type

export const DetectorRules = Schema.Struct({
  rules: optional(
    Schema.Array(DetectorRule).annotations({
      description: "Rules that `analyze` with kind `domain` matches."
    })
  ),
  bundles: optional(
    Schema.Array(DetectorBundle).annotations({
      description: "Bundles that `analyze` with kind `named` runs by their names."
    })
  )
}).annotations({ description: "The project's own rules for facts of its domain, and bundles of rules." })
export type DetectorRules = typeof DetectorRules.Type
