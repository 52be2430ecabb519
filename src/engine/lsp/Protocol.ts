/** The parts of the Language Server Protocol (3.17) this room reads, decoded at its boundary. */
import { Effect, ParseResult, Schema } from "effect"
import { MalformedAnswer } from "./LspFailure.ts"

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optional(Schema.NullishOr(schema))

/** Zero-based, in units of the negotiated encoding. */
export const Position = Schema.Struct({ line: Schema.Number, character: Schema.Number })
export type Position = typeof Position.Type

/** End exclusive. */
export const Range = Schema.Struct({ start: Position, end: Position })
export type Range = typeof Range.Type

const Location = Schema.Struct({ uri: Schema.String, range: Range })
const LocationLink = Schema.Struct({
  targetUri: Schema.String,
  targetRange: Range,
  targetSelectionRange: Range
})

/** What definition-like requests answer: nothing, one place, places or links. */
export const Places = Schema.NullOr(
  Schema.Union(Location, Schema.Array(Schema.Union(Location, LocationLink)))
)
export type Places = typeof Places.Type

/** What `references` answers. */
export const Locations = Schema.NullOr(Schema.Array(Location))

export const TextEdit = Schema.Struct({ range: Range, newText: Schema.String })
export type TextEdit = typeof TextEdit.Type

const CreateFile = Schema.Struct({
  kind: Schema.Literal("create"),
  uri: Schema.String,
  options: optional(
    Schema.Struct({ overwrite: optional(Schema.Boolean), ignoreIfExists: optional(Schema.Boolean) })
  )
})
const RenameFile = Schema.Struct({
  kind: Schema.Literal("rename"),
  oldUri: Schema.String,
  newUri: Schema.String,
  options: optional(
    Schema.Struct({ overwrite: optional(Schema.Boolean), ignoreIfExists: optional(Schema.Boolean) })
  )
})
const DeleteFile = Schema.Struct({
  kind: Schema.Literal("delete"),
  uri: Schema.String,
  options: optional(
    Schema.Struct({ recursive: optional(Schema.Boolean), ignoreIfNotExists: optional(Schema.Boolean) })
  )
})
const TextDocumentEdit = Schema.Struct({
  textDocument: Schema.Struct({ uri: Schema.String, version: optional(Schema.Number) }),
  edits: Schema.Array(TextEdit)
})
/** One member of `documentChanges`. */
export const DocumentChange = Schema.Union(CreateFile, RenameFile, DeleteFile, TextDocumentEdit)
export type DocumentChange = typeof DocumentChange.Type

/** A change of several documents in either of its two forms. */
export const WorkspaceEdit = Schema.Struct({
  changes: optional(Schema.Record({ key: Schema.String, value: Schema.Array(TextEdit) })),
  documentChanges: optional(Schema.Array(DocumentChange))
})
export type WorkspaceEdit = typeof WorkspaceEdit.Type

export const Diagnostic = Schema.Struct({
  range: Range,
  severity: optional(Schema.Number),
  code: optional(Schema.Union(Schema.Number, Schema.String)),
  source: optional(Schema.String),
  message: Schema.Union(Schema.String, Schema.Struct({ value: Schema.String }))
})
export type Diagnostic = typeof Diagnostic.Type

export const PublishedDiagnostics = Schema.Struct({
  uri: Schema.String,
  version: optional(Schema.Number),
  diagnostics: Schema.Array(Diagnostic)
})

const FullReport = Schema.Struct({ kind: Schema.Literal("full"), items: Schema.Array(Diagnostic) })
const UnchangedReport = Schema.Struct({ kind: Schema.Literal("unchanged"), resultId: Schema.String })
/** What `textDocument/diagnostic` answers; `relatedDocuments` holds reports of others by URI. */
export const DiagnosticReport = Schema.Union(
  Schema.extend(
    FullReport,
    Schema.Struct({
      relatedDocuments: optional(
        Schema.Record({ key: Schema.String, value: Schema.Union(FullReport, UnchangedReport) })
      )
    })
  ),
  UnchangedReport
)

/** `prepareRename`: a range, a range with a placeholder, or that the client's own rule will do. */
export const Prepared = Schema.NullOr(
  Schema.Union(
    Schema.Struct({ range: Range, placeholder: Schema.String }),
    Range,
    Schema.Struct({ defaultBehavior: Schema.Boolean })
  )
)

const Command = Schema.Struct({
  title: Schema.String,
  command: Schema.String,
  arguments: optional(Schema.Array(Schema.Unknown))
})
export const CodeAction = Schema.Struct({
  title: Schema.String,
  kind: optional(Schema.String),
  isPreferred: optional(Schema.Boolean),
  disabled: optional(Schema.Struct({ reason: Schema.String })),
  edit: optional(WorkspaceEdit),
  command: optional(Command),
  data: Schema.optional(Schema.Unknown)
})
export type CodeAction = typeof CodeAction.Type
export type Command = typeof Command.Type
/** What `textDocument/codeAction` answers. */
export const CodeActions = Schema.NullOr(Schema.Array(Schema.Union(Command, CodeAction)))

/** Decodes an answer; members the protocol adds are kept out of the way, wrong ones fail. */
export const decode = <A, I>(
  schema: Schema.Schema<A, I>,
  server: string,
  method: string
): ((value: unknown) => Effect.Effect<A, MalformedAnswer>) => {
  const parse = Schema.decodeUnknown(schema)
  return (value) =>
    Effect.mapError(parse(value ?? null), (error) => {
      const [first] = ParseResult.ArrayFormatter.formatErrorSync(error)
      return new MalformedAnswer({
        server,
        method,
        detail: first === undefined ? "no detail" : `${first.path.join(".") || "it"}: ${first.message}`
      })
    })
}
