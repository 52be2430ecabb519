/** What a session tried out in memory, written to disk. */
import { Effect } from "effect"
import { failure, fromService } from "../../registry/Failure.ts"
import { draft } from "../../registry/FollowUp.ts"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { isWithin } from "../../registry/Place.ts"
import { GitReader } from "../../services/GitReader.ts"
import { type ChangeItem, LocalWriter, type Plan } from "../../services/LocalWriter.ts"
import { type OverlayFile, OverlayView } from "../../services/OverlayView.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import { WorkspaceView } from "../../services/WorkspaceView.ts"
import { blobId } from "../shared/blob.ts"
import { sessionId } from "../shared/session.ts"
import { receiptOf } from "./Answers.ts"
import { edit } from "./facade.ts"
import { folded } from "./Merge.ts"
import { refusing } from "./Refused.ts"

const mark = "\uFEFF"
const withoutMark = (text: string): string => (text.startsWith(mark) ? text.slice(1) : text)

/** The blob id of nothing at all: no file has it. */
const nothing = "0".repeat(40)

/** What a file was made from: what its caller said, else what was on disk when it was put onto the branch. */
const restsOn = ({ baseSha, ground }: OverlayFile): string => baseSha ?? ground?.sha ?? nothing

const itemOf = (file: OverlayFile): ChangeItem => {
  const guard = { baseSha: restsOn(file) }
  if (file.deleted) return { op: "delete", path: file.path, guard }
  const write = { op: "write" as const, path: file.path, content: file.content }
  return guard.baseSha === nothing ? { ...write, ifExists: "refuse" } : { ...write, guard }
}

/** A file that is not on disk as the branch knew it. */
interface Drift {
  readonly file: OverlayFile
  /** Blob id of what is there; undefined when nothing is. */
  readonly sha: string | undefined
}

/** What keeps a drifted file from being folded. */
interface Conflict {
  readonly path: string
  /** content: both changed one place. deleted: one side took the file away. base_unknown: what both come from is not to be had. */
  readonly reason: "content" | "deleted" | "base_unknown"
}

/** Items the writer refuses because of their guards, or because what they delete is not there; other refusals fail. */
const driftOf = (plan: Plan, files: ReadonlyArray<OverlayFile>) =>
  Effect.gen(function* () {
    const out: Array<Drift> = []
    for (const problem of plan.problems) {
      const file = problem.changeIndex === undefined ? undefined : files[problem.changeIndex]
      const gone = problem.reason === "not_found" && file?.deleted === true
      const drifted = problem.reason === "base_sha_mismatch" || problem.reason === "file_exists"
      if (file === undefined || (!drifted && !gone)) return yield* problem
      const sha = problem.data?.["current_sha"]
      out.push({ file, sha: typeof sha === "string" ? sha : undefined })
    }
    return out
  })

/** A drifted file as it would be written over what is there now; undefined where nothing is left to do. */
const foldedItem = ({ file, sha }: Drift) =>
  Effect.gen(function* () {
    const conflict = (reason: Conflict["reason"]): Conflict => ({ path: file.path, reason })
    if (file.deleted || sha === undefined) return conflict("deleted")
    const workspace = yield* WorkspaceView
    const git = yield* GitReader
    const fs = yield* ReadFs
    const repositories = yield* workspace.repositories
    const repository = repositories
      .filter(({ root }) => root === "." || isWithin(file.path, root))
      .reduce((best, { root }) => (root.length > best.length && root !== "." ? root : best), "")
    const root = restsOn(file).toLowerCase()
    const base =
      file.ground?.text !== undefined && file.ground.sha === root
        ? file.ground.text
        : yield* git.texts([root], { repository }).pipe(
            Effect.map(([text]) => text),
            Effect.orElseSucceed(() => undefined)
          )
    if (base === undefined) return conflict("base_unknown")
    const disk = yield* fs.readDisk(file.path)
    if (disk.sha !== sha || disk.encoding !== "utf8") return conflict("content")
    const text = folded(withoutMark(base), disk.text, withoutMark(file.content))
    if (text === undefined) return conflict("content")
    return {
      op: "write" as const,
      path: file.path,
      content: disk.bom ? mark + text : text,
      guard: { baseSha: sha }
    }
  })

/** Whether what is on disk is what the branch would put there. */
const arrived = ({ file, sha }: Drift): boolean =>
  file.deleted ? sha === undefined : sha === blobId(file.content)

const needs = [LocalWriter, OverlayView, ReadFs, GitReader, WorkspaceView] as const

/**
 * Writes a branch in one transaction. Each file is held to the blob it was made from, which is what was on disk when it
 * was put onto the branch unless its caller said otherwise. One that is something else by now is refused together with
 * all others, so that nothing is ever written in part. With `force` such a file is merged by hunks with what is on disk,
 * against the blob it was made from, where that is to be had. Whatever does not merge is a conflict, and again nothing
 * is written. A branch that was written is gone, and main is left empty.
 */
export const applyOverlay: Member<typeof edit, "apply_overlay", typeof needs> = edit.operation(
  "apply_overlay",
  {
    tool: "overlay_merge",
    fixed: { to_disk: true },
    summary: "Write an overlay branch to disk.",
    tier: 2,
    input: F.input({
      options: F.group({
        from: F.described(F.text, "branch"),
        force: F.withDefault(F.described(F.flag, "merge with files that changed on disk since"), false)
      })
    }),
    needs,
    handler: ({ options: { force, from } }) =>
      Effect.gen(function* () {
        const session_id = yield* sessionId
        const overlays = yield* OverlayView
        const writer = yield* LocalWriter
        const files = yield* Effect.mapError(overlays.files(session_id, from), (cause) =>
          fromService(cause, { field: "options.from", failure_stage: "resolve" })
        )
        const head = { session_id, from, to_disk: true }
        if (files.length === 0) return { ...head, merged: [], note: `${from} holds no files` }

        const plan = yield* writer.plan(files.map(itemOf), { unlimited: true })
        const drifts = yield* driftOf(plan, files)
        const open = drifts.filter((one) => !arrived(one))
        if (open.length > 0 && !force)
          return yield* failure(
            "overlay_drift",
            `changed on disk since the overlay was made from it, and nothing was written: ${open.map(({ file }) => file.path).join(", ")}`,
            {
              field: "options.from",
              failure_stage: "preflight",
              data: {
                drifted: open.map(({ file, sha }) => ({
                  path: file.path,
                  base_sha: restsOn(file) === nothing ? null : restsOn(file),
                  current_sha: sha ?? null
                }))
              },
              recovery: draft("fallback_recovery", "edit", {
                operation: "apply_overlay",
                options: { from, force: true }
              })
            }
          )
        const outcomes = yield* Effect.forEach(open, (one) =>
          Effect.map(foldedItem(one), (item) => [one.file, item] as const)
        )
        const conflicts = outcomes.flatMap(([, item]) => ("reason" in item ? [item] : []))
        if (conflicts.length > 0)
          return yield* failure(
            "edit_conflict",
            `cannot be merged with what is on disk, and nothing was written: ${conflicts.map(({ path, reason }) => `${path} (${reason})`).join(", ")}`,
            {
              field: "options.from",
              reason_code: "merge_conflict",
              failure_stage: "preflight",
              data: { conflicts }
            }
          )
        const instead = new Map<OverlayFile, ChangeItem | undefined>(
          outcomes.flatMap(([file, item]) => ("reason" in item ? [] : [[file, item] as const]))
        )
        for (const one of drifts)
          if (arrived(one))
            instead.set(
              one.file,
              one.file.deleted
                ? undefined
                : {
                    op: "write",
                    path: one.file.path,
                    content: one.file.content,
                    guard: { baseSha: one.sha! }
                  }
            )
        const items = files.flatMap((file): ReadonlyArray<ChangeItem> => {
          if (!instead.has(file)) return [itemOf(file)]
          const item = instead.get(file)
          return item === undefined ? [] : [item]
        })
        if (items.length === 0) return { ...head, merged: [], note: `what ${from} deletes is gone already` }
        const committed = yield* writer.commit(items, { unlimited: true, spends: from })
        const left = yield* Effect.orElseSucceed(overlays.branches(session_id), () => [])
        const spent = left.find(({ name }) => name === from)
        return {
          ...head,
          merged: committed.changes.map(({ changed, kind, path, sha }) => ({
            path,
            ...(kind === "delete" ? { deleted: true } : {}),
            ...(changed ? {} : { changed }),
            ...(sha === null ? {} : { new_sha: sha }),
            ...(committed.readRevisions[path] === undefined
              ? {}
              : { read_revision: committed.readRevisions[path] })
          })),
          ...(outcomes.length === 0 ? {} : { merged_with_disk: outcomes.map(([{ path }]) => path) }),
          ...(spent === undefined
            ? { dropped_branch: from }
            : spent.files === 0
              ? { emptied_branch: from }
              : { branch_left: from }),
          ...receiptOf(committed)
        }
      }).pipe(refusing({ path: "options.from" }))
  }
)
