/**
 * The one way in: plans edits of a root, commits them, answers for past ones and finishes what a killed process left.
 */
import type { ChangeItem, Conflict } from "../../services/LocalWriter.ts"
import { Effect } from "effect"
import { createHash, randomUUID } from "node:crypto"
import { basename, join } from "node:path"
import type { Root } from "../files/Confine.ts"
import { type Disk, DiskError, realDisk } from "./Disk.ts"
import {
  type ChangeSummary,
  type DiskStatus,
  isClosed,
  isOver,
  Journal,
  type Manifest,
  type ReceiptChange,
  type TransactionState
} from "./Journal.ts"
import { Locks, lockPatience } from "./Locks.ts"
import type { ParseGate } from "./ParseGate.ts"
import { gitPathFacts, type PathFacts } from "./PathFacts.ts"
import {
  fingerprintOf,
  requestOf,
  type Plan,
  plan as makePlan,
  type PlanContext,
  type PlanOptions
} from "./Plan.ts"
import { EditRefused, placed, placeOf, refuse } from "../../services/EditRefused.ts"
import { Revisions } from "./Revisions.ts"
import { close, settle, sidesOf } from "./Settle.ts"
import { commitPlan } from "./Transaction.ts"

/** What is known of a transaction. */
export interface Receipt {
  readonly transactionId: string
  readonly state: TransactionState
  readonly diskStatus: DiskStatus
  /** This answer repeats an earlier commit with the same id and the same edits. */
  readonly replayed: boolean
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly updatedAt: number
  readonly changes: ReadonlyArray<ReceiptChange>
  readonly summary: ChangeSummary
  /** Root-relative paths in conflict; empty unless `state` is `recovery_conflict`. */
  readonly conflicts: ReadonlyArray<string>
  readonly conflict?: Conflict | undefined
  /** The next read revision by path, for the owner of the plan. Empty without one. */
  readonly readRevisions: { readonly [path: string]: number }
}

/**
 * What recovery came to, by transaction id. `conflicts` are open until somebody closes them, and told of every time;
 * `running` belong to living processes; `unreadable` counts damaged records.
 */
export interface RecoveryReport {
  readonly committed: ReadonlyArray<string>
  readonly aborted: ReadonlyArray<string>
  readonly conflicts: ReadonlyArray<{ readonly transactionId: string; readonly paths: ReadonlyArray<string> }>
  readonly failed: ReadonlyArray<{ readonly transactionId: string; readonly code: string }>
  readonly running: ReadonlyArray<string>
  readonly unreadable: number
}

export interface CommitOptions {
  /** At most 200 characters, none of them a control character. The same id with the same edits applies once. */
  readonly transactionId?: string
  /** What the caller asked for, where the items were worked out from it. The same request is the same edits. */
  readonly request?: unknown
  /** Milliseconds to wait for other writers. */
  readonly patience?: number
}

/** Writes the files of one root. All failures are {@link EditRefused}. */
export interface Writer {
  readonly root: Root
  readonly revisions: Revisions
  /** What the items would do now. Fails only for requests that are wrong in themselves; grants nothing for later. */
  readonly plan: (items: ReadonlyArray<ChangeItem>, options?: PlanOptions) => Effect.Effect<Plan, EditRefused>
  /**
   * Plans the items of the plan again under lock, with its options, and applies the outcome whole. Guards are checked
   * then, not before.
   */
  readonly commit: (plan: Plan, options?: CommitOptions) => Effect.Effect<Receipt, EditRefused>
  /** The receipt of an earlier commit under an id, if it was the same request; null for an id that is still free. */
  readonly replay: (
    transactionId: string,
    request: unknown,
    owner?: string
  ) => Effect.Effect<Receipt | null, EditRefused>
  /** What became of a transaction; null for an id nobody knows here (any more). */
  readonly receipt: (transactionId: string) => Effect.Effect<Receipt | null, EditRefused>
  /** The open conflicts of this root, oldest first. */
  readonly conflicts: Effect.Effect<ReadonlyArray<Receipt>, EditRefused>
  /** Closes a conflict; see `LocalWriter.resolve`. */
  readonly resolve: (transactionId: string, as: "restore" | "accept") => Effect.Effect<Receipt, EditRefused>
  /** Finishes what killed processes left, for this root. Safe to run at any time and from several processes. */
  readonly recover: Effect.Effect<RecoveryReport, EditRefused>
}

export interface WriterOptions {
  readonly root: Root
  /** Absolute directory for journals and locks; made when absent. Shared by all processes of the user. */
  readonly state: string
  readonly gate: ParseGate
  readonly revisions?: Revisions
  readonly facts?: PathFacts
  readonly disk?: Disk
  /** Absolute directories below the root that are never written to, besides the state directory. */
  readonly kept?: ReadonlyArray<string>
}

const checkId = (id: string): EditRefused | null =>
  id.trim() !== "" && id.length <= 200 && !/\p{Cc}/u.test(id)
    ? null
    : refuse("invalid_transaction_id", "a transaction id has 1 to 200 characters and no control characters", {
        stage: "admission",
        data: { field: "transaction_id" }
      })

const receiptOf = (
  manifest: Manifest,
  replayed: boolean,
  readRevisions: { readonly [path: string]: number } = {},
  conflict?: Conflict
): Receipt => ({
  transactionId: manifest.id,
  state: manifest.state,
  diskStatus: manifest.diskStatus,
  replayed,
  createdAt: manifest.createdAt,
  updatedAt: manifest.updatedAt,
  // What was planned is not what became of it.
  changes:
    manifest.state === "committed"
      ? manifest.changes
      : manifest.changes.map((change) => ({ ...change, changed: false, sha: null })),
  summary: manifest.state === "committed" ? manifest.summary : { ...manifest.summary, changedFiles: 0 },
  conflicts: manifest.conflicts,
  ...(conflict === undefined ? {} : { conflict }),
  readRevisions
})

/** Times a commit is planned anew because a file changed under it. */
const retries = 3

/** Whether an item means the same in a file that changed elsewhere: it is found by its text, and held to nothing else. */
const isFoundByText = ({ guard, ...item }: ChangeItem): boolean =>
  item.op === "edit" &&
  (guard === undefined || Object.values(guard).every((value) => value === undefined)) &&
  item.edits.every(({ lineScope, occurrence }) => lineScope === undefined && occurrence === undefined)

const fromJournal = (error: DiskError): EditRefused =>
  new EditRefused({
    reason: "io_error",
    detail: `the journal could not be used (${error.code})`,
    stage: "execute",
    stateChanged: false,
    data: { detail_code: error.code }
  })

/** Absolute parents of a path, outermost first, itself included. */
const upTo = (path: string): ReadonlyArray<string> =>
  path === join(path, "..") ? [] : [...upTo(join(path, "..")), path]

/** Makes the state directory and answers the writer of a root. */
export const makeWriter = (options: WriterOptions): Effect.Effect<Writer, EditRefused> =>
  Effect.gen(function* () {
    const { root, state } = options
    const disk = options.disk ?? realDisk
    const lockFolder = join(state, "locks")
    for (const folder of upTo(lockFolder))
      if ((yield* Effect.mapError(disk.entry(folder), fromJournal)) === null)
        yield* Effect.mapError(disk.mkdir(folder, 0o700), fromJournal)
    const journal = new Journal(disk, state)
    const locks = new Locks(disk, lockFolder)
    const revisions = options.revisions ?? new Revisions()
    const context: PlanContext = {
      root,
      disk,
      gate: options.gate,
      facts: options.facts ?? gitPathFacts(root.real),
      revisions,
      kept: [state, ...(options.kept ?? [])]
    }
    const transactionKey = (id: string) => `transaction ${createHash("sha256").update(id).digest("hex")}`
    const lock = (keys: ReadonlyArray<string>, patience: number) =>
      locks
        .acquire(keys, patience)
        .pipe(Effect.mapError((error) => (error instanceof DiskError ? fromJournal(error) : error)))

    const revisionsAfter = (manifest: Manifest, owner: string | undefined) =>
      owner === undefined || manifest.state !== "committed"
        ? {}
        : Object.fromEntries(
            manifest.changes.flatMap(({ path, destination, sha }) =>
              sha === null
                ? []
                : [
                    [
                      destination ?? path,
                      revisions.issue({ owner, project: root.real, path: destination ?? path }, sha)
                    ]
                  ]
            )
          )

    /** What is known of a record's conflict, by what its files hold now; undefined when there was none. */
    const conflictOf = (manifest: Manifest): Effect.Effect<Conflict | undefined, EditRefused> =>
      manifest.state !== "recovery_conflict" && manifest.closed === undefined
        ? Effect.succeed(undefined)
        : Effect.map(Effect.mapError(sidesOf(disk, manifest), fromJournal), (sides) => ({
            keptIn: `${basename(state)}/${journal.place(manifest.id)}`,
            files: [...sides].map(([{ path }, side]) => {
              const copies = manifest.kept?.find((one) => one.path === path)
              return { path, state: side, before: copies?.before ?? null, after: copies?.after ?? null }
            }),
            ...(manifest.closed === undefined ? {} : { closed: manifest.closed.as }),
            found: manifest.closed?.found ?? []
          }))
    const toldOf = (
      manifest: Manifest,
      replayed: boolean,
      owner?: string
    ): Effect.Effect<Receipt, EditRefused> =>
      Effect.map(conflictOf(manifest), (conflict) =>
        receiptOf(manifest, replayed, revisionsAfter(manifest, owner), conflict)
      )
    /** A failure that says all there is to say of an open conflict. */
    const inConflict = (manifest: Manifest, detail: string, more: Partial<EditRefused> = {}) =>
      Effect.flatMap(conflictOf(manifest), (conflict) =>
        Effect.fail(
          new EditRefused({
            reason: "recovery_conflict",
            detail,
            stage: "execute",
            ...more,
            data: {
              transaction_id: manifest.id,
              paths: manifest.conflicts,
              ...(conflict === undefined ? {} : { files: conflict.files, kept_in: conflict.keptIn })
            }
          })
        )
      )

    const settleLocked = (manifest: Manifest): Effect.Effect<Manifest, EditRefused> =>
      Effect.scoped(
        Effect.zipRight(
          lock(
            manifest.files.map(({ absolute }) => absolute),
            lockPatience
          ),
          Effect.mapError(settle(disk, journal, manifest), fromJournal)
        )
      )

    /** An earlier commit under this id, finished if it was left half-way. The id is locked. */
    const earlier = (id: string): Effect.Effect<Manifest | null, EditRefused> =>
      Effect.gen(function* () {
        const known = yield* Effect.mapError(journal.read(id), fromJournal)
        if (known === "unreadable")
          return yield* new EditRefused({
            reason: "recovery_conflict",
            detail: "the record of this transaction is damaged",
            stage: "execute",
            outcomeUnknown: true,
            data: { transaction_id: id }
          })
        return known === null || isOver(known.state) ? known : yield* settleLocked(known)
      })

    const recover: Writer["recover"] = Effect.gen(function* () {
      const { manifests, unreadable } = yield* Effect.mapError(journal.all(), fromJournal)
      const committed: Array<string> = []
      const aborted: Array<string> = []
      const conflicts: Array<RecoveryReport["conflicts"][number]> = []
      const failed: Array<RecoveryReport["failed"][number]> = []
      const running: Array<string> = []
      for (const { id, state: was, root: of } of manifests) {
        if (isClosed(was) || of !== root.real) continue
        yield* Effect.scoped(
          Effect.gen(function* () {
            if (!(yield* Effect.mapError(locks.tryAcquire(transactionKey(id)), fromJournal))) {
              running.push(id)
              return
            }
            // The process may have finished between the listing and the lock.
            const now = yield* Effect.mapError(journal.read(id), fromJournal)
            if (now === null || now === "unreadable" || isClosed(now.state)) return
            const after = yield* settleLocked(now)
            if (after.state === "committed") committed.push(id)
            else if (after.state === "aborted") aborted.push(id)
            else conflicts.push({ transactionId: id, paths: after.conflicts })
          })
        ).pipe(
          Effect.catchAll((error) =>
            Effect.sync(() => {
              failed.push({ transactionId: id, code: String(error.data?.["detail_code"] ?? error.reason) })
            })
          )
        )
      }
      yield* Effect.ignore(journal.sweep())
      yield* Effect.ignore(locks.sweep())
      return { committed, aborted, conflicts, failed, running, unreadable }
    })

    /**
     * A transaction whose process died half-way through one of these files, which are locked: its locks bind nobody any
     * more, but what it left has to be settled before anything is built on it.
     */
    const orphanOf = (held: ReadonlySet<string>, id: string): Effect.Effect<string | null, EditRefused> =>
      Effect.gen(function* () {
        for (const manifest of yield* journal.pending(root.real))
          if (
            manifest.id !== id &&
            manifest.files.some(({ absolute }) => held.has(absolute)) &&
            !(yield* locks.isHeld(transactionKey(manifest.id)))
          )
            return manifest.id
        return null
      }).pipe(Effect.mapError(fromJournal))

    /** Plans under the locks of exactly the files that the plan is about; paths may lead elsewhere than they did. */
    const underLock = <A>(
      draft: Plan,
      patience: number,
      id: string,
      use: (locked: Plan) => Effect.Effect<A, EditRefused>,
      attempts = 4
    ): Effect.Effect<A, EditRefused> => {
      const keysOf = (of: Plan) => of.files.map(({ absolute }) => absolute)
      return Effect.scoped(
        Effect.gen(function* () {
          yield* lock(keysOf(draft), patience)
          const locked = yield* makePlan(context, draft.items, draft.options)
          const held = new Set(keysOf(draft))
          for (const manifest of yield* Effect.mapError(journal.conflicted(root.real), fromJournal))
            if (manifest.id !== id && manifest.files.some(({ absolute }) => held.has(absolute)))
              return { _tag: "Conflicted" as const, manifest }
          const first = locked.problems[0]
          if (first !== undefined) {
            // What a dead process left half-done may be the very reason.
            const spoken = new Set(
              locked.changes.flatMap(({ path, destination }) => [path, destination ?? path])
            )
            const orphan = yield* orphanOf(new Set([...spoken].map((path) => join(root.real, path))), id)
            return orphan === null
              ? { _tag: "Refused" as const, first }
              : { _tag: "Orphaned" as const, orphan }
          }
          if (keysOf(locked).some((key) => !held.has(key))) return { _tag: "Moved" as const, locked }
          const orphan = yield* orphanOf(held, id)
          if (orphan !== null) return { _tag: "Orphaned" as const, orphan }
          return { _tag: "Done" as const, value: yield* use(locked) }
        })
      ).pipe(
        Effect.flatMap((outcome): Effect.Effect<A, EditRefused> => {
          if (outcome._tag === "Done") return Effect.succeed(outcome.value)
          if (outcome._tag === "Refused") return outcome.first
          if (outcome._tag === "Conflicted")
            return inConflict(
              outcome.manifest,
              "an earlier transaction stopped half-way at files of this one; restore or accept what it left first",
              {
                stage: "preflight",
                stateChanged: false,
                path: outcome.manifest.files.find(({ absolute }) => keysOf(draft).includes(absolute))!.path
              }
            )
          if (outcome._tag === "Orphaned")
            return attempts > 1
              ? Effect.zipRight(recover, underLock(draft, patience, id, use, attempts - 1))
              : refuse("recovery_conflict", "an earlier transaction on these files could not be finished", {
                  stage: "execute",
                  data: { transaction_id: outcome.orphan }
                })
          return attempts > 1
            ? underLock(outcome.locked, patience, id, use, attempts - 1)
            : refuse("changed_during_commit", "the paths lead to other files every time they are looked at", {
                stage: "execute"
              })
        })
      )
    }

    /** Locks an id a caller gave, and answers an earlier commit under it, which must have been the same request. */
    const claimed = (id: string, fingerprint: string, owner: string | undefined, waits: number) =>
      Effect.gen(function* () {
        yield* lock([transactionKey(id)], waits).pipe(
          Effect.catchIf(
            ({ reason }) => reason === "busy",
            () =>
              refuse("transaction_in_progress", "this transaction is being worked on", {
                stage: "execute",
                data: { transaction_id: id }
              })
          )
        )
        const known = yield* earlier(id)
        if (known === null) return null
        if (known.fingerprint !== fingerprint || known.root !== root.real)
          return yield* refuse("transaction_mismatch", "this transaction id was used for other edits", {
            stage: "admission",
            data: { transaction_id: id }
          })
        return yield* toldOf(known, true, owner)
      })

    const replay: Writer["replay"] = (id, request, owner) =>
      Effect.suspend(() => {
        const wrong = checkId(id)
        return wrong === null
          ? Effect.scoped(claimed(id, fingerprintOf(request), owner, lockPatience))
          : wrong
      })

    const commit: Writer["commit"] = (draft, given = {}) =>
      Effect.gen(function* () {
        const id = given.transactionId ?? `tx_${randomUUID()}`
        const wrong = checkId(id)
        if (wrong !== null) return yield* wrong
        const patience = given.patience ?? lockPatience
        const { owner } = draft.options
        const fingerprint = fingerprintOf(given.request ?? requestOf(draft.items, draft.options))
        if (given.transactionId !== undefined) {
          const known = yield* claimed(id, fingerprint, owner, patience)
          if (known !== null) return known
        } else yield* lock([transactionKey(id)], patience)
        /** What the files held when the commit was first planned under lock. */
        let first: ReadonlyMap<string, string | undefined> | undefined
        const moved = ({ path, before }: Plan["files"][number]) =>
          first !== undefined && first.has(path) && first.get(path) !== before?.sha256
        const once = underLock(draft, patience, id, (locked) => {
          const lost = locked.files.find(
            (file) => moved(file) && !file.changes.every((index) => isFoundByText(locked.items[index]!))
          )
          if (lost !== undefined)
            return refuse("changed_during_commit", "somebody else changed the file while it was written", {
              path: lost.path,
              ...(lost.changes.length === 1 ? { changeIndex: lost.changes[0]! } : {}),
              stage: "execute",
              data: {
                reread_required: true,
                ...(lost.before === null ? {} : { current_sha: lost.before.sha })
              }
            })
          first ??= new Map(locked.files.map(({ before, path }) => [path, before?.sha256]))
          return Effect.map(
            commitPlan(
              disk,
              journal,
              { ...locked, fingerprint },
              {
                id,
                generated: given.transactionId === undefined,
                root: root.real
              }
            ),
            (manifest) => receiptOf(manifest, false, revisionsAfter(manifest, owner))
          )
        })
        return yield* once.pipe(
          Effect.mapError((cause) =>
            // What no longer fits a file that changed under the commit is not wrong but out of date.
            first === undefined || cause.stage !== "preflight" || cause.reason.endsWith("_mismatch")
              ? cause
              : placed(
                  refuse("changed_during_commit", "somebody else changed the file while it was written", {
                    stage: "execute",
                    data: { reread_required: true, refused_now: cause.reason }
                  }),
                  placeOf(cause)
                )
          ),
          Effect.retry({
            times: retries,
            while: ({ reason, data, stateChanged }) =>
              reason === "changed_during_commit" &&
              stateChanged === false &&
              data?.["current_sha"] === undefined &&
              data?.["refused_now"] === undefined
          }),
          Effect.catchIf(
            (cause) => cause.reason === "recovery_conflict" && cause.outcomeUnknown === true,
            (cause) =>
              Effect.flatMap(Effect.mapError(journal.read(id), fromJournal), (known) =>
                known === null || known === "unreadable"
                  ? cause
                  : inConflict(known, cause.detail, { outcomeUnknown: true })
              )
          )
        )
      }).pipe(Effect.scoped)

    const receipt: Writer["receipt"] = (id) =>
      Effect.gen(function* () {
        const wrong = checkId(id)
        if (wrong !== null) return yield* wrong
        const known = yield* Effect.mapError(journal.read(id), fromJournal)
        if (known === "unreadable")
          return yield* new EditRefused({
            reason: "recovery_conflict",
            detail: "the record of this transaction is damaged",
            stage: "resolve",
            outcomeUnknown: true,
            data: { transaction_id: id }
          })
        return known === null || known.root !== root.real ? null : yield* toldOf(known, true)
      })

    const conflicts: Writer["conflicts"] = Effect.gen(function* () {
      const found = yield* Effect.mapError(journal.conflicted(root.real), fromJournal)
      return yield* Effect.forEach(
        found.toSorted((a, b) => a.createdAt - b.createdAt),
        (manifest) => toldOf(manifest, true)
      )
    })

    const resolve: Writer["resolve"] = (id, as) =>
      Effect.gen(function* () {
        const wrong = checkId(id)
        if (wrong !== null) return yield* wrong
        yield* lock([transactionKey(id)], lockPatience)
        const known = yield* earlier(id)
        if (known === null || known.root !== root.real)
          return yield* refuse(
            "unknown_transaction",
            "nobody knows a transaction of this id here (any more)",
            {
              stage: "resolve",
              data: { transaction_id: id }
            }
          )
        if (known.state !== "recovery_conflict") return yield* toldOf(known, true)
        yield* lock(
          known.files.map(({ absolute }) => absolute),
          lockPatience
        )
        const closed = yield* close(disk, journal, known, as === "restore" ? "restored" : "accepted").pipe(
          Effect.mapError((error) =>
            error.code === "ENOTSUP"
              ? refuse("not_file", "something that is no file stands in its place; move it away first", {
                  path: error.path,
                  data: { transaction_id: id }
                })
              : new EditRefused({
                  reason: "io_error",
                  detail: `the conflict could not be closed (${error.code}); it is still open`,
                  stage: "execute",
                  outcomeUnknown: true,
                  data: { transaction_id: id, detail_code: error.code }
                })
          )
        )
        return yield* toldOf(closed, false)
      }).pipe(Effect.scoped)

    return {
      root,
      revisions,
      plan: (items, planOptions) => makePlan(context, items, planOptions),
      commit,
      replay,
      receipt,
      conflicts,
      resolve,
      recover
    }
  })
