import { Effect, Schema } from "effect"
import { type OperationFailure, invalidArgument } from "../../registry/Failure.ts"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { type ChangeItem, LocalWriter, type Committed } from "../../services/LocalWriter.ts"
import { OverlayView } from "../../services/OverlayView.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import { WorkspaceView } from "../../services/WorkspaceView.ts"
import { conflictOf } from "../shared/conflict.ts"
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
import { type Fields, refusing } from "./Refused.ts"
import { spanOf } from "./Span.ts"

const transactionId = Schema.String.pipe(
  Schema.filter((id) => id.trim() !== "" && id.length <= 200 && !/\p{Cc}/u.test(id))
)

const item = F.union(
  F.group({
    op: F.withDefault(F.constant("edit_file"), "edit_file"),
    path: F.aliased(F.path, "file"),
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
    path: F.aliased(F.path, "file"),
    content: F.anyText,
    create_only: F.withDefault(F.described(F.flag, "refuse to replace a file"), false),
    ...staleGuard
  }),
  F.group({ op: F.constant("move_file"), source: F.path, destination: F.path, ...staleGuard }),
  F.group({ op: F.constant("delete_file"), path: F.aliased(F.path, "file"), ...staleGuard })
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
        spanOf(given.id, { facade: "edit", operation: "batch", field: `changes.${at}.id` }),
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
  ...conflictOf(committed),
  ...(receiptOf(committed).replayed === true ? { replayed: true } : {})
})

/** Where the parts of one item stand. */
const placesOf = (given: Item | undefined, at: number): Fields | undefined => {
  if (given === undefined) return undefined
  const own = `changes.${at}`
  const guard =
    given.base_sha === undefined && given.read_revision !== undefined ? "read_revision" : "base_sha"
  const rest = { guard: `${own}.${guard}`, choices: own }
  switch (given.op) {
    case "edit_file":
      return { ...rest, path: `${own}.path`, match: `${own}.match`, replacement: `${own}.replacement` }
    case "edit_symbol":
      return { ...rest, path: `${own}.id`, match: `${own}.match`, replacement: `${own}.replacement` }
    case "write_file":
      return { ...rest, path: `${own}.path`, content: `${own}.content` }
    case "move_file":
      return { ...rest, path: `${own}.source`, destination: `${own}.destination` }
    case "delete_file":
      return { ...rest, path: `${own}.path` }
  }
}

const fieldsOf = (changes: ReadonlyArray<Item> | undefined): Fields => ({
  path: changes === undefined ? "options.transaction_id" : "changes",
  id: "options.transaction_id",
  item: (at) => placesOf(changes?.[at], at)
})

/** Most replacements and most files of one call, and so most items: all replacements in one file, all others elsewhere. */
const mostEdits = 20
const mostFiles = 16
const mostItems = mostEdits + mostFiles - 1

const needs = [LocalWriter, ReadFs, CodeGraph, OverlayView, WorkspaceView] as const

export const batch: Member<typeof edit, "batch", typeof needs> = edit.operation("batch", {
  tool: "batch_edit",
  presets: ["core", "edit", "hybrid"],
  summary: "Edits, moves and deletions in one transaction: all or nothing.",
  input: F.input(
    {
      changes: F.optional(
        F.aliased(
          F.described(
            F.list(item, { min: 1, max: mostItems }),
            `at most ${mostEdits} replacements and ${mostFiles} files`
          ),
          "edits"
        )
      ),
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
        recover: F.optional(
          F.described(
            F.choice("restore", "accept"),
            "close the recovery_conflict of transaction_id: put the old bytes back, or keep the files as they are"
          )
        ),
        allow_parse_errors: allowParseErrors
      })
    },
    { atLeastOne: [["changes", "options.transaction_id"]] }
  ),
  needs,
  handler: ({ changes, dry_run, options }) =>
    Effect.gen(function* () {
      const { transaction_id } = options
      if (options.recover !== undefined) {
        if (transaction_id === undefined)
          return yield* invalidArgument("options.transaction_id", "is needed to close its conflict")
        if (changes !== undefined)
          return yield* invalidArgument("changes", "nothing else is done while a conflict is closed")
        if (dry_run || options.status_only)
          return yield* invalidArgument(
            dry_run ? "dry_run" : "options.status_only",
            "a conflict is closed for real; ask about it without options.recover"
          )
        const writer = yield* LocalWriter
        return answerOf(yield* writer.resolve(transaction_id, options.recover))
      }
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
      for (const [at, one] of items.entries())
        yield* refuseOverlaid(pathsOf([one]), placesOf(changes[at], at)!.path)
      if (dry_run) return planOf(yield* writer.plan(items, { ...allowed, diff: true, states: true }))
      return answerOf(yield* writer.commit(items, { ...allowed, request, transactionId: transaction_id }))
    }).pipe(refusing(fieldsOf(changes)))
})
