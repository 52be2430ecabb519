import { Effect, Schema } from "effect"
import { type OperationFailure, invalidArgument } from "../../registry/Failure.ts"
import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { type ChangeItem, LocalWriter, type Committed } from "../../services/LocalWriter.ts"
import { OverlayView } from "../../services/OverlayView.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import { WorkspaceView } from "../../services/WorkspaceView.ts"
import { planOf, receiptOf } from "./Answers.ts"
import { edit } from "./facade.ts"
import {
  allowParseErrors,
  cardinality,
  dryRun,
  guardOf,
  match,
  replacement,
  staleGuard,
  textEditOf
} from "./fields.ts"
import { refuseOverlaid } from "./Overlaid.ts"
import { refusing } from "./Refused.ts"
import { spanOf } from "./Span.ts"

const transactionId = Schema.String.pipe(
  Schema.filter((id) => id.trim() !== "" && id.length <= 200 && !/\p{Cc}/u.test(id))
)

const item = F.union(
  F.group({
    op: F.withDefault(F.constant("edit_file"), "edit_file"),
    path: F.aliased(F.text, "file"),
    match,
    replacement,
    ...cardinality,
    ...staleGuard
  }),
  F.group({
    op: F.withDefault(F.constant("edit_symbol"), "edit_symbol"),
    id: F.aliased(F.text, "symbol"),
    match: F.aliased(match, "old_source"),
    replacement: F.aliased(replacement, "new_source"),
    ...staleGuard
  }),
  F.group({
    op: F.constant("write_file"),
    path: F.aliased(F.text, "file"),
    content: F.anyText,
    create_only: F.withDefault(F.described(F.flag, "refuse to replace a file"), false),
    ...staleGuard
  }),
  F.group({ op: F.constant("move_file"), source: F.text, destination: F.text, ...staleGuard }),
  F.group({ op: F.constant("delete_file"), path: F.aliased(F.text, "file"), ...staleGuard })
)
type Item = F.Field.Type<typeof item>

const types: ReadonlySet<string> = new Set([
  "interface",
  "type",
  "struct",
  "enum",
  "trait",
  "protocol",
  "class"
])
const functions: ReadonlySet<string> = new Set(["function", "method", "constructor"])
const rankOf = (kind: string): number => (types.has(kind) ? 0 : functions.has(kind) ? 20 : 50)

const itemOf = (given: Item, at: number): Effect.Effect<ChangeItem, OperationFailure, CodeGraph | ReadFs> => {
  const guard = guardOf(given)
  switch (given.op) {
    case "edit_file":
      return Effect.succeed({ op: "edit", path: given.path, edits: [textEditOf(given)], guard })
    case "edit_symbol":
      return Effect.map(
        spanOf(given.id, { facade: "edit", operation: "batch", field: `changes[${at}].id` }),
        (span) => ({
          op: "edit",
          path: span.path,
          edits: [{ match: given.match, replacement: given.replacement, lineScope: span.lines }],
          guard: { ...span.guard, ...guard },
          rank: rankOf(span.kind)
        })
      )
    case "write_file":
      return Effect.succeed({
        op: "write",
        path: given.path,
        content: given.content,
        ifExists: given.create_only ? "refuse" : "replace",
        guard
      })
    case "move_file":
      return Effect.succeed({ op: "move", source: given.source, destination: given.destination, guard })
    case "delete_file":
      return Effect.succeed({ op: "delete", path: given.path, guard })
  }
}

const pathsOf = (items: ReadonlyArray<ChangeItem>): ReadonlyArray<string> =>
  items.flatMap((one) => (one.op === "move" ? [one.source, one.destination] : [one.path]))

const kinds = { edit: "edit_file", write: "write_file", move: "move_file", delete: "delete_file" } as const

const answerOf = (committed: Committed) => ({
  transaction_id: committed.transactionId,
  status: committed.state,
  disk_status: committed.diskStatus,
  graph_status: committed.graphStatus,
  results: committed.changes.map(({ changed, destination, index, kind, path, sha }) => ({
    index,
    kind: kinds[kind],
    path,
    ...(destination === null ? {} : { destination }),
    ...(changed ? {} : { changed }),
    ...(sha === null ? {} : { new_sha: sha }),
    ...(committed.readRevisions[destination ?? path] === undefined
      ? {}
      : { read_revision: committed.readRevisions[destination ?? path] })
  })),
  change_summary: {
    requested_changes: committed.summary.requestedChanges,
    changed_files: committed.summary.changedFiles,
    logical_edits: committed.summary.logicalEdits,
    resolved_matches: committed.summary.resolvedMatches,
    ...(committed.summary.warnings === 0 ? {} : { warnings: committed.summary.warnings })
  },
  ...(committed.conflicts.length === 0 ? {} : { conflicts: committed.conflicts }),
  ...(receiptOf(committed).replayed === true ? { replayed: true } : {})
})

const fields = {
  path: "changes",
  match: "changes",
  replacement: "changes",
  content: "changes",
  guard: "changes",
  options: "options.transaction_id"
}

export const batch = edit.operation("batch", {
  tool: "batch_edit",
  summary: "Edits, moves and deletions in one transaction: all or nothing.",
  input: F.input(
    {
      changes: F.optional(F.aliased(F.list(item, { min: 1, max: 500 }), "edits")),
      dry_run: dryRun,
      options: F.group({
        transaction_id: F.optional(
          F.described(
            F.schema(transactionId, "text of at most 200 characters without control characters", {
              type: "string",
              minLength: 1,
              maxLength: 200
            }),
            "your id of the transaction; a repeat answers its receipt"
          )
        ),
        status_only: F.withDefault(F.described(F.flag, "ask about transaction_id and run nothing"), false),
        allow_parse_errors: allowParseErrors
      })
    },
    { atLeastOne: [["changes", "options.transaction_id"]] }
  ),
  needs: [LocalWriter, ReadFs, CodeGraph, OverlayView, WorkspaceView],
  handler: ({ changes, dry_run, options }) =>
    Effect.gen(function* () {
      const { transaction_id } = options
      if (options.status_only || changes === undefined) {
        if (transaction_id === undefined)
          return yield* invalidArgument("options.transaction_id", "is needed to ask about a transaction")
        const workspace = yield* WorkspaceView
        const receipt = yield* workspace.receipt(transaction_id)
        return receipt === undefined
          ? { transaction_id, found: false }
          : { found: true, ...answerOf(receipt) }
      }
      const writer = yield* LocalWriter
      const allowed = { allowParseErrors: options.allow_parse_errors }
      const request = { changes, ...allowed }
      if (transaction_id !== undefined && !dry_run) {
        // Before symbols are looked up: the edits may have moved them.
        const known = yield* writer.replay(transaction_id, request)
        if (known !== undefined) return answerOf(known)
      }
      const items = yield* Effect.forEach(changes, itemOf)
      yield* refuseOverlaid(pathsOf(items), "changes")
      if (dry_run) return planOf(yield* writer.plan(items, { ...allowed, diff: true, states: true }))
      return answerOf(yield* writer.commit(items, { ...allowed, request, transactionId: transaction_id }))
    }).pipe(refusing(fields))
})
