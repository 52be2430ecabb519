/** `.effectrc`: what a repository says about its server. JSON with comments, closed: a key nobody knows is refused. */
import { Either, ParseResult, Schema } from "effect"
import { type ParseError, parse, printParseErrorCode } from "jsonc-parser"
import { readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { effectClasses } from "../registry/EffectClass.ts"
import { DetectorRules } from "../registry/DetectorRules.ts"
import { GuardRules } from "../registry/GuardRules.ts"

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

const Classes = Schema.Array(Schema.Literal(...effectClasses))

const Words = Schema.Record({ key: Schema.String, value: Schema.Array(Schema.String) })

const GrantSchema = Schema.Union(Classes, Schema.Struct({ classes: Classes, tools: optional(Words) }))

/** Another server whose reads may be asked along with this one's. */
export const Peer = Schema.Struct({
  /** How answers name it. */
  name: Schema.String.pipe(Schema.pattern(/^[a-z0-9][a-z0-9_-]{0,39}$/)),
  /** Its HTTP address, without a path. */
  url: Schema.String.pipe(Schema.pattern(/^https?:\/\/[^\s/]+$/)),
  /** Environment variable that holds the token for it. */
  token_env: optional(Schema.String),
  /** Whether sessions that do not say otherwise ask it; true when absent. */
  enabled: optional(Schema.Boolean)
})
export type Peer = typeof Peer.Type

/** What the agent-context endpoint shows, and the actions it grants. */
export const AgentContext = Schema.Struct({
  enabled: optional(Schema.Boolean),
  profile: optional(Schema.Literal("metadata", "summary")),
  scopes: optional(Schema.Array(Schema.Literal("repositories", "symbols", "memories", "notebooks", "docs"))),
  actions: optional(Schema.Struct({ read: optional(Schema.Boolean), write: optional(Schema.Boolean) }))
})
export type AgentContext = typeof AgentContext.Type

/** How much an HTTP server works on at a time; what goes beyond is turned away and told when to come back. */
export const Http = Schema.Struct({
  /** Requests that are worked on at a time; 2 when absent. Those that only wait for something else are not counted. */
  running: optional(Schema.Int.pipe(Schema.between(1, 64))),
  /** Requests that may wait in a burst; 64 when absent. */
  burst: optional(Schema.Int.pipe(Schema.between(0, 4096))),
  /** Requests that may wait while the queue does not get empty; 6 when absent. */
  queue: optional(Schema.Int.pipe(Schema.between(0, 4096))),
  /** Sessions of the protocol at a time; 512 when absent. */
  sessions: optional(Schema.Int.pipe(Schema.between(1, 65_536)))
})
export type Http = typeof Http.Type

const Days = Schema.Int.pipe(Schema.between(1, 36_500))
const Megabytes = Schema.Int.pipe(Schema.between(1, 100_000))

/** When a person is asked before an effect. `inspect`: before every one but a session's own. `edit`: before those beyond local files. */
export const trustModes = ["inspect", "edit", "trusted"] as const

/** The settings: every key the file may have. */
export const Config = Schema.Struct({
  $schema: optional(Schema.String),
  /** Tools to show; see the surface's names. */
  tools: optional(Schema.String),
  /** By kind of caller: the effect classes it may have run, narrowed by tool. */
  grants: optional(
    Schema.Struct({
      agent: optional(GrantSchema),
      ui: optional(GrantSchema),
      federation: optional(GrantSchema),
      cli: optional(GrantSchema)
    })
  ),
  /** By tool: effect classes or services its operations may need, and nothing beyond. `portico audit` checks it. */
  ceilings: optional(Words),
  /** When a person is asked, and for how long the question stands. */
  approvals: optional(
    Schema.Struct({
      mode: optional(Schema.Literal(...trustModes)),
      expires_seconds: optional(Schema.Int.pipe(Schema.between(10, 86_400)))
    })
  ),
  /** Whether sessions begin in planning mode, which `session.planning_mode` ends. Commands never do. */
  planning: optional(Schema.Boolean),
  /** What `change.guards` and `change.contract` hold changes to. */
  guards: optional(GuardRules),
  /** The project's own rules, which `analyze` matches, and bundles of rules. */
  detectors: optional(DetectorRules),
  /** Further files nobody may read or write: globs, relative to the repository. */
  secrets: optional(Schema.Struct({ paths: Schema.Array(Schema.NonEmptyString) })),
  /** Other servers. */
  federation: optional(Schema.Struct({ peers: Schema.Array(Peer) })),
  agent_context: optional(AgentContext),
  http: optional(Http),
  /** Modules with tools of their own: names of packages, or paths that begin with `./` and start at these settings' folder. */
  packs: optional(Schema.Array(Schema.NonEmptyString)),
  /** The audit ledger: whether reads are recorded as well, when its rows go into a segment, and how long segments stay. */
  audit: optional(
    Schema.Struct({
      reads: optional(Schema.Boolean),
      segment: optional(
        Schema.Struct({ megabytes: optional(Schema.Int.pipe(Schema.between(1, 128))), days: optional(Days) })
      ),
      retain: optional(Schema.Struct({ megabytes: optional(Megabytes), days: optional(Days) }))
    })
  )
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

/** Reads a file of settings; undefined when there is none. */
export const readFile = (file: string): Either.Either<Config | undefined, string> => {
  let text: string
  try {
    text = readFileSync(file, "utf8")
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === "ENOENT" || code === "ENOTDIR") return Either.right(undefined)
    return Either.left(`${basename(file)} cannot be read`)
  }
  return read(text)
}

/** Reads the settings in a folder; undefined when there are none. */
export const load = (directory: string): Either.Either<Config | undefined, string> =>
  readFile(join(directory, fileName))
