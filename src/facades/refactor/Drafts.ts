/** Files as a refactoring would leave them, from their texts on disk to the writer. */
import { Effect } from "effect"
import { failure, fromService, invalidArgument, type OperationFailure } from "../../registry/Failure.ts"
import { draft } from "../../registry/FollowUp.ts"
import type { GraphView } from "../../services/CodeGraph.ts"
import { type ChangeItem, LocalWriter } from "../../services/LocalWriter.ts"
import type { OverlayFile, OverlayView } from "../../services/OverlayView.ts"
import { type FileText, ReadFs } from "../../services/ReadFs.ts"
import { receiptOf } from "../edit/Answers.ts"
import { refuseOverlaid } from "../edit/Overlaid.ts"
import { refusing } from "../edit/Refused.ts"
import { merged, type Replacement, replaced, SourceText } from "./SourceText.ts"

/** One replacement with what it is for. */
export interface Change extends Replacement {
  /** language_server, exact, resolved, inferred, text. */
  readonly confidence: string
  /** definition, the role of a use, import, alias, comment, string … */
  readonly reason: string
}

/** A file that is looked at or changed. */
export interface OpenFile {
  readonly path: string
  readonly file: FileText
  readonly source: SourceText
  changes: ReadonlyArray<Change>
  /** Place it goes to. */
  movedTo?: string
  deleted?: true
}

/** Files of one refactoring. Everything is read once and is compared with what the graph was made of. */
export class Drafts {
  private readonly files = new Map<string, OpenFile>()
  private readonly made = new Map<string, string>()

  constructor(
    readonly view: GraphView,
    /** The argument that names what is refactored. */
    readonly field: string
  ) {}

  /** A file, read the first time. Fails for one that is overlaid, in another encoding, or not what the graph has seen. */
  open(path: string): Effect.Effect<OpenFile, OperationFailure, ReadFs | OverlayView> {
    return Effect.gen(this, function* () {
      const known = this.files.get(path)
      if (known !== undefined) return known
      yield* refuseOverlaid([path], this.field)
      const fs = yield* ReadFs
      const file = yield* Effect.mapError(fs.readText(path), (cause) =>
        fromService(cause, { field: this.field, failure_stage: "preflight" })
      )
      if (file.encoding !== "utf8")
        return yield* failure("invalid_utf8", `${path} is not UTF-8 text, so it cannot be rewritten`, {
          field: this.field,
          reason_code: "invalid_utf8",
          failure_stage: "preflight",
          data: { path, encoding: file.encoding }
        })
      const seen = this.view.file(path)?.sha
      if (seen !== undefined && seen !== "" && seen !== file.sha)
        return yield* failure("edit_conflict", `${path} changed while this was worked out`, {
          field: this.field,
          reason_code: "changed_meanwhile",
          failure_stage: "preflight",
          data: { path },
          recovery: draft("mechanically_followable", "read", { operation: "file", target: { file: path } })
        })
      const opened: OpenFile = { path, file, source: new SourceText(file.text), changes: [] }
      this.files.set(path, opened)
      return opened
    })
  }

  /** Adds replacements to an open file. Exact repetitions are dropped; a contradiction fails. */
  add(file: OpenFile, changes: ReadonlyArray<Change>): Effect.Effect<void, OperationFailure> {
    const { list, overlap } = merged([...file.changes, ...changes])
    if (overlap !== undefined) {
      const [one, other] = overlap.map((change) => ({
        ...file.source.place(change.from),
        old_text: file.source.text.slice(change.from, change.to),
        new_text: change.text,
        reason: change.reason
      }))
      return failure("edit_conflict", `two edits of ${file.path} contradict each other`, {
        field: this.field,
        reason_code: "edit_overlap",
        failure_stage: "preflight",
        data: { path: file.path, edits: [one, other] }
      })
    }
    file.changes = list
    return Effect.void
  }

  /** Takes back the replacements that begin at these offsets. */
  leave(file: OpenFile, offsets: ReadonlySet<number>): void {
    file.changes = file.changes.filter(({ from }) => !offsets.has(from))
  }

  /** A new file. */
  create(path: string, text: string): void {
    this.made.set(path, text)
  }

  after(file: OpenFile): string {
    return replaced(file.source.text, file.changes)
  }

  /** Files that will not be as they are, by path. */
  get touched(): ReadonlyArray<OpenFile> {
    return [...this.files.values()]
      .filter((file) => file.changes.length > 0 || file.movedTo !== undefined || file.deleted === true)
      .sort((a, b) => (a.path < b.path ? -1 : 1))
  }

  get created(): ReadonlyMap<string, string> {
    return this.made
  }

  get(path: string): OpenFile | undefined {
    return this.files.get(path)
  }

  /** The same as overlays, for graphs and servers that see what would be. */
  get overlay(): ReadonlyArray<OverlayFile> {
    const out: Array<OverlayFile> = []
    for (const file of this.touched) {
      if (file.deleted === true || file.movedTo !== undefined) out.push({ path: file.path, deleted: true })
      if (file.movedTo !== undefined)
        out.push({ path: file.movedTo, deleted: false, content: this.after(file) })
      else if (file.deleted !== true)
        out.push({ path: file.path, deleted: false, content: this.after(file), baseSha: file.file.sha })
    }
    for (const [path, content] of this.made) out.push({ path, deleted: false, content })
    return out
  }

  /** The same for the writer, every file guarded by what was read. */
  get items(): ReadonlyArray<ChangeItem> {
    const out: Array<ChangeItem> = []
    for (const file of this.touched) {
      const guard = { baseSha: file.file.sha }
      const bytes = Buffer.from((file.file.bom ? "\uFEFF" : "") + this.after(file))
      if (file.deleted === true) out.push({ op: "delete", path: file.path, guard })
      else if (file.movedTo === undefined) out.push({ op: "write", path: file.path, content: bytes, guard })
      else if (file.changes.length === 0)
        out.push({ op: "move", source: file.path, destination: file.movedTo, guard })
      else
        out.push(
          { op: "write", path: file.movedTo, content: bytes, ifExists: "refuse" },
          { op: "delete", path: file.path, guard }
        )
    }
    for (const [path, content] of this.made) out.push({ op: "write", path, content, ifExists: "refuse" })
    return out
  }

  /** Edits by file and place. */
  *rows(): Generator<EditRow> {
    for (const file of this.touched)
      for (const change of file.changes) {
        const { column, line } = file.source.place(change.from)
        yield {
          file: file.path,
          line,
          column,
          old_text: clip(file.source.text.slice(change.from, change.to)),
          new_text: clip(change.text),
          confidence: change.confidence,
          reason: change.reason
        }
      }
  }
}

/** Longest text of an edit that an answer repeats. */
const longest = 400
const clip = (text: string): string => (text.length > longest ? `${text.slice(0, longest)}…` : text)

export interface EditRow {
  readonly file: string
  readonly line: number
  /** 0-based UTF-16. */
  readonly column: number
  readonly old_text: string
  readonly new_text: string
  readonly confidence: string
  readonly reason: string
}

/** What the caller says the files have to be. */
export interface Guards {
  /** Git blob ids by path; every file named must be touched or read as it says. */
  readonly base_sha?: { readonly [path: string]: string } | undefined
  /** Generation of the graph the caller worked on. */
  readonly snapshot?: string | undefined
}

/** Fails where a guard does not hold. */
export const checkGuards = (view: GraphView, guards: Guards): Effect.Effect<void, OperationFailure, ReadFs> =>
  Effect.gen(function* () {
    const fs = yield* ReadFs
    if (guards.snapshot !== undefined && guards.snapshot !== view.generation)
      return yield* failure("stale_revision", "the work tree is not that of guard.snapshot any more", {
        field: "guard.snapshot",
        reason_code: "snapshot_mismatch",
        failure_stage: "preflight",
        data: { snapshot: view.generation }
      })
    for (const [path, sha] of Object.entries(guards.base_sha ?? {})) {
      if (!/^[0-9a-f]{40}$/i.test(sha))
        return yield* invalidArgument("guard.base_sha", `the id of ${path} is no git blob id`, {
          reason_code: "invalid_guard"
        })
      const file = yield* Effect.mapError(fs.readText(path), (cause) =>
        fromService(cause, { field: "guard.base_sha", failure_stage: "preflight" })
      )
      if (file.sha !== sha.toLowerCase())
        return yield* failure("stale_revision", `${path} is not what guard.base_sha names`, {
          field: "guard.base_sha",
          reason_code: "base_sha_mismatch",
          failure_stage: "preflight",
          data: { path, expected: sha, actual: file.sha },
          recovery: draft("mechanically_followable", "read", { operation: "file", target: { file: path } })
        })
    }
  })

/** Plans the drafts, or writes them in one transaction. Refused whole for anything the writer refuses. */
export const settle = (
  drafts: Drafts,
  how: {
    readonly dryRun: boolean
    readonly allowParseErrors: boolean
    readonly field: string
    /** Paths a compiler has read as they will be, without an error. */
    readonly sound?: ReadonlySet<string> | undefined
  }
) =>
  Effect.gen(function* () {
    const writer = yield* LocalWriter
    const options = { allowParseErrors: how.allowParseErrors, unlimited: true, sound: how.sound }
    if (how.dryRun) {
      const plan = yield* writer.plan(drafts.items, options)
      const [problem] = plan.problems
      if (problem !== undefined) return yield* problem
      return {
        files: plan.files.map(({ after, path }) => ({
          path,
          ...(after === null ? { deleted: true as const } : { new_sha: after.sha })
        })),
        dry_run: true as const
      }
    }
    const committed = yield* writer.commit(drafts.items, options)
    return {
      files: committed.changes.map(({ destination, path, sha }) => ({
        path: destination ?? path,
        ...(sha === null ? { deleted: true as const } : { new_sha: sha }),
        ...(committed.readRevisions[destination ?? path] === undefined
          ? {}
          : { read_revision: committed.readRevisions[destination ?? path] })
      })),
      ...receiptOf(committed)
    }
  }).pipe(refusing({ path: how.field, guard: "guard" }))
