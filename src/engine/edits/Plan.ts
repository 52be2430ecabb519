/**
 * Plans a request on one snapshot of the files it names: where every path leads, what every edit matches, whether the
 * items get in each other's way, and what each file would hold afterwards. Nothing is written.
 */
import { isWithin } from "../../registry/Place.ts"
import type {
  ChangeItem,
  Content,
  GateAnswer,
  Guard,
  PathState,
  PlannedChange,
  PlannedEdit
} from "../../services/LocalWriter.ts"
import { Effect } from "effect"
import { isUtf8 } from "node:buffer"
import { hash } from "node:crypto"
import { lstatSync } from "node:fs"
import { dirname, join } from "node:path"
import { type Confined, confineSync, PathRefused, type Root } from "../files/Confine.ts"
import { blobOid } from "../git/Git.ts"
import type { Disk, DiskEntry, DiskError } from "./Disk.ts"
import {
  admit,
  type BulkGuard,
  type Limits,
  limits as defaultLimits,
  maxEditedBytes,
  pathOf,
  rankOf
} from "./Item.ts"
import { endingOfBytes } from "./LineEndings.ts"
import { unifiedDiff } from "./LineDiff.ts"
import { applyReplacements, type Matched, matchEdit, Subject } from "./Matcher.ts"
import type { ParseGate } from "./ParseGate.ts"
import type { PathFact, PathFacts } from "./PathFacts.ts"
import { EditRefused, type EditReason, type Place, placed, refuse } from "../../services/EditRefused.ts"
import type { Revisions } from "./Revisions.ts"
import { isSecretStore, writesRedaction } from "./Sensitive.ts"

/** A regular file as it was when planned. */
export interface Original extends Content {
  readonly entry: DiskEntry
}

/** One path whose bytes the request touches. `before` null: nothing is there; `after` null: nothing will be. */
export interface PlannedFile {
  /** Root-relative, links resolved. */
  readonly path: string
  readonly absolute: string
  readonly before: Original | null
  readonly after: Content | null
  /** Path the bytes come from, for the destination of a move. */
  readonly movedFrom: string | null
  readonly movedTo: string | null
  /** Items that touch it. */
  readonly changes: ReadonlyArray<number>
  readonly syntax: GateAnswer | null
  /** Unified diff, null when it was not asked for or a side is not text. */
  readonly diff: string | null
}

/** A whole request as planned. It may be committed when `problems` is empty. */
export interface Plan {
  /** SHA-256 of the request: equal requests have equal fingerprints. */
  readonly fingerprint: string
  readonly items: ReadonlyArray<ChangeItem>
  readonly changes: ReadonlyArray<PlannedChange>
  /** By path. */
  readonly files: ReadonlyArray<PlannedFile>
  /** All refusals, in the order of the items. */
  readonly problems: ReadonlyArray<EditRefused>
  /** How many items are in conflict or have failed. */
  readonly conflicts: number
  readonly options: PlanOptions
}

export interface PlanOptions {
  /** Who asks: read revisions are theirs. Default "". */
  readonly owner?: string
  readonly allowParseErrors?: boolean
  /** Add diffs. */
  readonly diff?: boolean
  /** Ask git about every path, not only those of moves and deletions. */
  readonly states?: boolean
  /** Paths whose new text is known to have no syntax error. */
  readonly sound?: ReadonlySet<string>
  readonly limits?: Partial<Limits>
  /** Default "read_revision". */
  readonly bulkGuard?: BulkGuard
}

/** Where plans are made. */
export interface PlanContext {
  readonly root: Root
  readonly disk: Disk
  readonly gate: ParseGate
  readonly facts: PathFacts
  readonly revisions: Revisions
  /** Absolute directories that are never written to. */
  readonly kept: ReadonlyArray<string>
}

export const sha256 = (bytes: Uint8Array | string): string => hash("sha256", bytes)

/** Bytes whose digests are worked out when they are asked for. */
class Bytes implements Content {
  #sha: string | undefined
  #sha256: string | undefined

  constructor(readonly bytes: Buffer) {}

  get sha(): string {
    return (this.#sha ??= blobOid(this.bytes))
  }
  get sha256(): string {
    return (this.#sha256 ??= sha256(this.bytes))
  }
}

class Found extends Bytes implements Original {
  constructor(
    bytes: Buffer,
    readonly entry: DiskEntry
  ) {
    super(bytes)
  }
}

const isSame = (one: Content | null, other: Content | null): boolean =>
  one === other || (one !== null && other !== null && one.bytes.equals(other.bytes))

/** The same request gives the same text, whatever the order of an object's members. */
const canonical = (value: unknown): string => {
  if (value instanceof Uint8Array) return `bytes:${Buffer.from(value).toString("base64")}`
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`
  if (typeof value === "object" && value !== null)
    return `{${Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`)
      .join(",")}}`
  return JSON.stringify(value) ?? "null"
}

/** What a request comes to, for its fingerprint. */
export const requestOf = (items: ReadonlyArray<ChangeItem>, options: PlanOptions): unknown => ({
  items,
  allowParseErrors: options.allowParseErrors === true
})

/** SHA-256 of a request, whatever the order of members. What read revisions stand for is checked, not remembered. */
export const fingerprintOf = (request: unknown): string => sha256(canonical(request))

const pathReasons: { readonly [reason: string]: EditReason } = {
  path_outside_root: "path_outside_root",
  sensitive_path: "sensitive_path",
  not_found: "not_found",
  not_file: "not_file",
  not_directory: "not_found",
  permission_denied: "permission_denied",
  invalid_path: "invalid_path",
  too_large: "too_large",
  changed: "changed_during_commit",
  io_error: "io_error"
}

const fromPath = (cause: PathRefused): EditRefused =>
  refuse(
    pathReasons[cause.reason] ?? "io_error",
    cause.detail === null ? cause.reason.replaceAll("_", " ") : cause.detail.replaceAll("_", " "),
    { stage: "resolve", data: { detail_code: cause.detail ?? cause.reason } }
  )

/** A failed look at the disk, before anything was written. */
export const fromDisk = (cause: DiskError, place: Place = {}): EditRefused =>
  cause.code === "EACCES" || cause.code === "EPERM"
    ? refuse("permission_denied", "the system does not allow this", {
        ...place,
        data: { detail_code: cause.code }
      })
    : refuse("io_error", `the file system failed (${cause.code})`, {
        ...place,
        data: { detail_code: cause.code }
      })

/** Whether a path of the root, as written, passes through a symbolic link (or is one). */
const linkOnTheWay = (root: Root, requested: string): string | null => {
  let at = root.real
  for (const [i, part] of requested.split("/").entries()) {
    at = join(at, part)
    try {
      if (lstatSync(at).isSymbolicLink())
        return requested
          .split("/")
          .slice(0, i + 1)
          .join("/")
    } catch {
      return null
    }
  }
  return null
}

/** A resolved path of the request and what is known of it. Mutable while planning. */
interface Spot {
  readonly file: Confined
  readonly entry: DiskEntry | null
  readonly original: Original | null
  /** Why its bytes could not be had, when there is a regular file. */
  readonly unreadable: EditRefused | null
  readonly users: Array<number>
  after: Content | null | undefined
  movedFrom: string | null
  movedTo: string | null
  syntax: GateAnswer | null
}

interface Draft {
  readonly item: ChangeItem
  readonly index: number
  readonly problems: Array<EditRefused>
  readonly warnings: Array<string>
  spot: Spot | null
  target: Spot | null
  edits: Array<PlannedEdit | null>
  matched: Array<Matched | null>
}

const hasBom = (bytes: Uint8Array): boolean => bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf

/** Fails only for what is wrong with the request as such; everything else is told in the plan. */
export const plan = (
  context: PlanContext,
  items: ReadonlyArray<ChangeItem>,
  options: PlanOptions = {}
): Effect.Effect<Plan, EditRefused> =>
  Effect.gen(function* () {
    const refused = admit(
      items,
      { ...defaultLimits, ...options.limits },
      options.bulkGuard ?? "read_revision"
    )
    if (refused !== null) return yield* refused
    const spots = new Map<string, Spot>()
    const drafts = items.map(
      (item, index): Draft => ({
        item,
        index,
        problems: [],
        warnings: [],
        spot: null,
        target: null,
        edits: [],
        matched: []
      })
    )
    for (const draft of drafts) yield* resolve(context, spots, draft)
    alias(spots, drafts)
    for (const draft of drafts) check(context, draft, options)
    overlaps(drafts)
    compose(drafts)
    yield* gate(context, spots, drafts, options)
    const facts = yield* context.facts(
      options.states === true
        ? [...spots.keys()]
        : drafts.flatMap(({ item, spot, target }) =>
            item.op === "move" || item.op === "delete"
              ? [spot, target].flatMap((at) => (at === null ? [] : [at.file.relative]))
              : []
          )
    )
    return finish(items, spots, drafts, facts, options)
  })

/** Finds the places an item speaks of and reads what is there, once for all items. */
const resolve = (context: PlanContext, spots: Map<string, Spot>, draft: Draft): Effect.Effect<void> =>
  Effect.gen(function* () {
    const { item } = draft
    draft.spot = yield* locate(context, spots, draft, pathOf(item))
    if (item.op === "move") draft.target = yield* locate(context, spots, draft, item.destination)
  })

const locate = (
  context: PlanContext,
  spots: Map<string, Spot>,
  draft: Draft,
  path: string
): Effect.Effect<Spot | null> =>
  Effect.gen(function* () {
    const { root, disk, kept } = context
    const lifecycle = draft.item.op === "move" || draft.item.op === "delete"
    const problem = (refused: EditRefused) => {
      draft.problems.push(placed(refused, { path }))
      return null
    }
    if (/[*?]/.test(path) && confineSync(root, path) instanceof PathRefused)
      return problem(refuse("invalid_path", "no such file; patterns are not expanded", { stage: "resolve" }))
    const file = confineSync(root, path, { allowMissing: true })
    if (file instanceof PathRefused) return problem(fromPath(file))
    if (file.relative === "")
      return problem(refuse("not_file", "this is the root folder", { stage: "resolve" }))
    if (isSecretStore(file.relative) || isSecretStore(file.requested))
      return problem(
        refuse("sensitive_path", "this file only holds secrets and is not written here", { stage: "resolve" })
      )
    if (kept.some((directory) => isWithin(file.absolute, directory)))
      return problem(refuse("sensitive_path", "the server keeps its own state here", { stage: "resolve" }))
    if (lifecycle && file.requested !== file.relative) {
      const link = linkOnTheWay(root, file.requested)
      if (link !== null)
        return problem(
          refuse("symlink_component", "a symbolic link is on the way to this file", {
            stage: "resolve",
            data: { link }
          })
        )
    }
    const known = spots.get(file.relative)
    if (known !== undefined) {
      known.users.push(draft.index)
      return known
    }
    const entry = yield* Effect.either(disk.entry(file.absolute))
    if (entry._tag === "Left") return problem(fromDisk(entry.left))
    let original: Original | null = null
    let unreadable: EditRefused | null = null
    if (entry.right?.kind === "file") {
      if (entry.right.size > maxEditedBytes)
        unreadable = refuse("too_large", `the file has ${entry.right.size} bytes`, {
          data: { limit: maxEditedBytes, observed: entry.right.size }
        })
      else {
        const bytes = yield* Effect.either(disk.read(file.absolute))
        if (bytes._tag === "Left") unreadable = fromDisk(bytes.left)
        else original = new Found(bytes.right, entry.right)
      }
    }
    const spot: Spot = {
      file,
      entry: entry.right,
      original,
      unreadable,
      users: [draft.index],
      after: undefined,
      movedFrom: null,
      movedTo: null,
      syntax: null
    }
    spots.set(file.relative, spot)
    return spot
  })

/** Refuses items that speak of one file under two names, or of a file and something inside it. */
const alias = (spots: ReadonlyMap<string, Spot>, drafts: ReadonlyArray<Draft>): void => {
  const usersOf = (spot: Spot) => spot.users
  const clash = (one: Spot, other: Spot, detail: string) => {
    for (const index of usersOf(one)) {
      const rival = usersOf(other).find((i) => i !== index) ?? usersOf(other)[0]!
      drafts[index]!.problems.push(
        refuse("path_overlap", detail, {
          path: one.file.relative,
          data: { conflicts_with: { change_index: rival, path: other.file.relative } }
        })
      )
    }
  }
  const inodes = new Map<string, Spot>()
  for (const spot of spots.values()) {
    if (spot.entry?.kind !== "file") continue
    const id = `${spot.entry.device}:${spot.entry.inode}`
    const other = inodes.get(id)
    if (other === undefined) inodes.set(id, spot)
    else {
      clash(spot, other, "two paths of this request are one file")
      clash(other, spot, "two paths of this request are one file")
    }
  }
  const byPath = [...spots.values()]
  for (const outer of byPath)
    for (const inner of byPath)
      if (inner !== outer && isWithin(inner.file.relative, outer.file.relative)) {
        clash(inner, outer, "one path of this request lies inside another")
        clash(outer, inner, "one path of this request lies inside another")
      }
}

const checkGuard = (context: PlanContext, spot: Spot, guard: Guard, owner: string): EditRefused | null => {
  const { original } = spot
  const reread = { reread_required: true, ...(original === null ? {} : { current_sha: original.sha }) }
  if (guard.baseSha !== undefined && guard.baseSha.toLowerCase() !== original?.sha)
    return refuse("base_sha_mismatch", "base_sha mismatch — re-read and resubmit", {
      data: { base_sha: guard.baseSha, ...reread }
    })
  if (guard.sha256 !== undefined && guard.sha256.toLowerCase() !== original?.sha256)
    return refuse("sha256_mismatch", "expected_sha256 mismatch — re-read and resubmit", {
      data: { expected_sha256: guard.sha256, ...reread }
    })
  if (guard.readRevision === undefined) return null
  return context.revisions.check(
    { owner, project: context.root.real, path: spot.file.relative },
    guard.readRevision,
    original?.sha ?? "absent"
  )
}

/** Judges one item by itself against the snapshot. */
const check = (context: PlanContext, draft: Draft, options: PlanOptions): void => {
  const { item, spot } = draft
  if (item.op === "edit") draft.edits = item.edits.map(() => null)
  if (spot === null) return
  const path = spot.file.relative
  const problem = (refused: EditRefused, at: Place = {}) => {
    draft.problems.push(placed(refused, { path, ...at }))
  }
  const notRegular = (at: Spot) =>
    refuse("not_file", `this is no regular file${at.entry === null ? "" : ` but a ${at.entry.kind}`}`)

  if (spot.entry === null) {
    if (item.guard !== undefined && item.op === "write") {
      const stale = checkGuard(context, spot, item.guard, options.owner ?? "")
      if (stale !== null) return problem(stale)
    }
    if (item.op !== "write") return problem(refuse("not_found", "there is no such file"))
  } else if (spot.entry.kind !== "file") return problem(notRegular(spot))
  else if (spot.unreadable !== null) return problem(spot.unreadable)
  else {
    if (item.guard !== undefined) {
      const stale = checkGuard(context, spot, item.guard, options.owner ?? "")
      if (stale !== null) return problem(stale)
    }
    if (item.op === "write" && item.ifExists === "refuse")
      return problem(
        refuse("file_exists", "there is a file already", { data: { current_sha: spot.original!.sha } })
      )
    if ((spot.entry.mode & 0o222) === 0)
      return problem(refuse("read_only", "the file is marked read-only", { data: { mode: spot.entry.mode } }))
  }

  if (item.op === "move") {
    const { target } = draft
    if (target === null) return
    if (target === spot) return problem(refuse("path_overlap", "source and destination are one path"))
    if (target.entry !== null)
      return problem(
        refuse("destination_exists", `at the destination is a ${target.entry.kind} already`, {
          data: { destination: target.file.relative }
        })
      )
    return
  }
  if (item.op === "write") {
    if (typeof item.content === "string" && writesRedaction(path, item.content))
      problem(refuse("redacted_text", "the content has the mask of a secret where the secret belongs"))
    return
  }
  if (item.op !== "edit") return
  const subject = new Subject(spot.original!.bytes)
  draft.matched = item.edits.map((edit, editIndex) => {
    if (writesRedaction(path, edit.replacement)) {
      problem(refuse("redacted_text", "the replacement has the mask of a secret where the secret belongs"), {
        editIndex
      })
      return null
    }
    const matched = matchEdit(subject, edit)
    if (!(matched instanceof EditRefused)) return matched
    problem(matched, { editIndex })
    return null
  })
  draft.edits = draft.matched.map((matched, i) =>
    matched === null
      ? null
      : {
          matchCount: matched.matchCount,
          expectedMatchCount: item.edits[i]!.expectedMatchCount ?? null,
          ranges: matched.ranges,
          rangesTruncated: matched.rangesTruncated,
          eolNormalized: matched.eolNormalized,
          wouldChange: matched.replacements.some(
            ({ start, end, bytes }) => !spot.original!.bytes.subarray(start, end).equals(bytes)
          )
        }
  )
}

/** Refuses replacements that overlap, and items that share a path with a move, a deletion or a whole-file write. */
const overlaps = (drafts: ReadonlyArray<Draft>): void => {
  const byFile = new Map<Spot, Array<Draft>>()
  for (const draft of drafts)
    for (const spot of new Set([draft.spot, draft.target]))
      if (spot !== null) byFile.set(spot, [...(byFile.get(spot) ?? []), draft])
  for (const [spot, users] of byFile) {
    const path = spot.file.relative
    if (users.length > 1 && users.some(({ item }) => item.op !== "edit")) {
      for (const draft of users) {
        const rival = users.find((other) => other !== draft)!
        draft.problems.push(
          refuse("path_overlap", "another item of this request is about the same path", {
            path,
            data: { conflicts_with: { change_index: rival.index, path } }
          })
        )
      }
      continue
    }
    const pieces = users
      .flatMap((draft) =>
        draft.matched.flatMap((matched, editIndex) =>
          matched === null ? [] : matched.replacements.map((piece) => ({ ...piece, draft, editIndex }))
        )
      )
      .sort((a, b) => a.start - b.start || a.end - b.end)
    const told = new Set<string>()
    for (let i = 1, widest = pieces[0]; i < pieces.length; i++) {
      const piece = pieces[i]!
      if (piece.start < widest!.end) {
        for (const [one, other] of [
          [widest!, piece],
          [piece, widest!]
        ] as const) {
          const key = `${one.draft.index}.${one.editIndex}/${other.draft.index}.${other.editIndex}`
          if (told.has(key)) continue
          told.add(key)
          one.draft.problems.push(
            refuse("edit_overlap", "two replacements of this request overlap", {
              path,
              editIndex: one.editIndex,
              data: { conflicts_with: { change_index: other.draft.index, edit_index: other.editIndex, path } }
            })
          )
        }
      }
      if (piece.end > widest!.end) widest = piece
    }
  }
}

/** Works out what each file would hold, where no item about it was refused. */
const compose = (drafts: ReadonlyArray<Draft>): void => {
  for (const draft of drafts) {
    const { item, spot } = draft
    if (spot === null || spot.after !== undefined) continue
    const users = spot.users.map((index) => drafts[index]!)
    if (users.some(({ problems }) => problems.length > 0)) continue
    switch (item.op) {
      case "edit": {
        const pieces = users.flatMap(({ matched }) => matched.flatMap((one) => one!.replacements))
        spot.after = new Bytes(applyReplacements(spot.original!.bytes, pieces))
        break
      }
      case "write": {
        const bytes = Buffer.from(item.content)
        spot.after = new Bytes(bytes)
        if (spot.original === null) break
        const [was, is] = [endingOfBytes(spot.original.bytes), endingOfBytes(bytes)]
        if (was !== is && was !== "none" && is !== "none") draft.warnings.push("line_endings_changed")
        if (hasBom(spot.original.bytes) && !hasBom(bytes)) draft.warnings.push("bom_removed")
        if (!hasBom(spot.original.bytes) && hasBom(bytes)) draft.warnings.push("bom_added")
        break
      }
      case "move":
        spot.after = null
        spot.movedTo = draft.target!.file.relative
        draft.target!.after = spot.original!
        draft.target!.movedFrom = spot.file.relative
        break
      case "delete":
        spot.after = null
    }
  }
}

const gate = (
  context: PlanContext,
  spots: ReadonlyMap<string, Spot>,
  drafts: ReadonlyArray<Draft>,
  options: PlanOptions
): Effect.Effect<void> =>
  Effect.forEach(
    spots.values(),
    (spot) =>
      Effect.gen(function* () {
        const after = spot.after ?? null
        if (after === null || spot.movedFrom !== null || isSame(after, spot.original)) return
        if (options.sound?.has(spot.file.relative) === true) {
          spot.syntax = { status: "clean" }
          return
        }
        const answer = yield* context.gate.check(spot.file.relative, spot.original, after)
        spot.syntax = answer
        for (const index of spot.users) {
          const draft = drafts[index]!
          if (answer.status === "not_worse") draft.warnings.push("already_has_syntax_errors")
          if (answer.status === "unknown" && answer.because !== "no_grammar")
            draft.warnings.push("syntax_unknown")
          if (answer.status !== "added") continue
          if (options.allowParseErrors === true) draft.warnings.push("syntax_errors_allowed")
          else
            draft.problems.push(
              refuse("parse_gate", `the file would have ${answer.added} new syntax errors`, {
                path: spot.file.relative,
                data: { added: answer.added, errors: answer.errors }
              })
            )
        }
      }),
    { discard: true }
  )

const stateOf = (spot: Spot | null, fact: PathFact | undefined): PathState | null =>
  spot === null
    ? null
    : {
        exists: spot.entry !== null,
        kind: spot.entry?.kind ?? null,
        git: fact?.git ?? null,
        ignored: fact?.ignored ?? null,
        ...(spot.original === null ? {} : { sha256: spot.original.sha256 })
      }

const isText = (content: Content | null): boolean =>
  content === null || (!content.bytes.includes(0) && isUtf8(content.bytes))

const diffOf = (spot: Spot): string | null => {
  if (spot.after === undefined || spot.movedTo !== null) return null
  const path = spot.file.relative
  const before = spot.movedFrom === null ? spot.original : spot.after
  const { after } = spot
  if (!isText(before) || !isText(after)) return null
  return unifiedDiff(
    before === null ? null : { path: spot.movedFrom ?? path, bytes: before.bytes },
    after === null ? null : { path, bytes: after.bytes }
  )
}

const firstPosition = (draft: Draft): number =>
  Math.min(...draft.matched.flatMap((one) => one?.replacements.map(({ start }) => start) ?? []), Infinity)

const finish = (
  items: ReadonlyArray<ChangeItem>,
  spots: ReadonlyMap<string, Spot>,
  drafts: ReadonlyArray<Draft>,
  facts: ReadonlyMap<string, PathFact>,
  options: PlanOptions
): Plan => {
  const ordered = drafts.toSorted((a, b) => {
    const [p, q] = [a, b].map(({ spot, item }) => spot?.file.relative ?? pathOf(item))
    return (
      rankOf(a.item) - rankOf(b.item) ||
      (p! < q! ? -1 : p! > q! ? 1 : 0) ||
      firstPosition(a) - firstPosition(b) ||
      a.index - b.index
    )
  })
  const order = new Map(ordered.map(({ index }, at) => [index, at]))
  const changes = drafts.map((draft): PlannedChange => {
    const { item, index, spot, target } = draft
    const problems = draft.problems.map((refused) => placed(refused, { changeIndex: index, kind: item.op }))
    const path = spot?.file.relative ?? pathOf(item)
    const after = spot?.after
    return {
      index,
      op: item.op,
      order: order.get(index)!,
      path,
      destination: item.op === "move" ? (target?.file.relative ?? item.destination) : null,
      status:
        problems.length === 0
          ? "planned"
          : problems.some(({ stage }) => stage === "admission" || stage === "resolve")
            ? "failed"
            : "conflict",
      problems,
      source: stateOf(spot, spot === null ? undefined : facts.get(spot.file.relative)),
      destinationState: stateOf(target, target === null ? undefined : facts.get(target.file.relative)),
      edits: draft.edits,
      wouldChange:
        problems.length === 0 &&
        (item.op === "edit"
          ? draft.edits.some((edit) => edit?.wouldChange === true)
          : after === null || !isSame(after ?? null, spot?.original ?? null)),
      warnings: draft.warnings
    }
  })
  const files = [...spots.values()]
    .filter((spot) => spot.after !== undefined)
    .map(
      (spot): PlannedFile => ({
        path: spot.file.relative,
        absolute: spot.file.absolute,
        before: spot.original,
        after: spot.after!,
        movedFrom: spot.movedFrom,
        movedTo: spot.movedTo,
        changes: [...new Set(spot.users)].sort((a, b) => a - b),
        syntax: spot.syntax,
        diff: options.diff === true ? diffOf(spot) : null
      })
    )
    .sort((a, b) => (a.path < b.path ? -1 : 1))
  const problems = changes.flatMap((change) => change.problems)
  return {
    fingerprint: fingerprintOf(requestOf(items, options)),
    items,
    changes,
    files,
    problems,
    conflicts: changes.filter(({ status }) => status !== "planned").length,
    options
  }
}

/** The prose beside the reasons of a change: "planned", "conflict: …" or "failed: …". */
export const statusText = (change: PlannedChange): string =>
  change.status === "planned" ? "planned" : `${change.status}: ${change.problems[0]!.detail}`

/** Absolute paths of directories that hold the files of a plan, each once. */
export const directoriesOf = (files: ReadonlyArray<{ readonly absolute: string }>): ReadonlyArray<string> => [
  ...new Set(files.map(({ absolute }) => dirname(absolute)))
]
