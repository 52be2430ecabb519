/**
 * One indexed root: finds out what changed, reads it, and keeps the newest snapshot. Every look at the graph goes
 * through {@link WorkspaceEngine.current}, which compares with the work tree first.
 */
import { Data, Effect, ExecutionStrategy, Exit, Fiber, Scope, Stream } from "effect"
import { existsSync, readFileSync, statSync } from "node:fs"
import { basename, join } from "node:path"
import { progress } from "../../registry/Progress.ts"
import { census, statCensus } from "../files/Census.ts"
import { openRootSync, type Root } from "../files/Confine.ts"
import { FileReader } from "../files/Reader.ts"
import { judgeStat, maxFileBytes, type Skipped } from "../files/Skip.ts"
import { type Entry, walk, type WalkOptions, type WalkResult } from "../files/Walk.ts"
import { type Watcher, watchTree } from "../files/Watch.ts"
import { blobOid, discover, lsIgnoredDirectories, type Repository } from "../git/Git.ts"
import type { GitError } from "../git/GitError.ts"
import { locate, locateHere, RepositoryStamp } from "../git/HeadStamp.ts"
import { type BlobOf, untouched } from "../git/Untouched.ts"
import {
  type Ahead,
  factsInFile,
  type Loaded,
  loadSnapshot,
  readAhead,
  saveSnapshot
} from "../graph/Persist.ts"
import type { FileEntry, Snapshot, Unit } from "../graph/Snapshot.ts"
import { emptySnapshot, prepare, update } from "../graph/Update.ts"
import { Inline } from "../indexer/Inline.ts"
import {
  blobIdOf,
  type FileColumns,
  type GroupResult,
  reasonNumber,
  reasons,
  statuses,
  trigramsOf
} from "../indexer/Job.ts"
import { makePool, type Pool } from "../indexer/Pool.ts"
import { languages } from "../languages/index.ts"
import { Interner } from "../languages/Interner.ts"
import { offsetsFrom, storedOffsets } from "../text/Offsets.ts"
import { type TrigramBuffers, TrigramIndex } from "../text/Trigrams.ts"
import type { IndexFeed } from "../../services/WorkspaceView.ts"
import { type Apart, indexApart } from "./Apart.ts"
import { Feed } from "./Feed.ts"
import { keptBelow } from "./Home.ts"
import { liftNursery, limitNursery } from "./Nursery.ts"
import { type Derived, type Ground, groundOf, readDerived, removeDerived, saveDerived } from "./Derived.ts"
import { type Place, placeOf, siblings, sweep } from "./Store.ts"

/** The workspace could not be opened or brought up to date. */
export class WorkspaceFailure extends Data.TaggedError("WorkspaceFailure")<{
  readonly reason: "not_found" | "not_directory" | "permission_denied" | "index_failed"
  readonly detail: string
}> {
  override get message(): string {
    return this.detail
  }
}

/** A consistent state: the graph, the text index over the same files, and what is known of its freshness. */
export interface Current {
  readonly snapshot: Snapshot
  readonly trigrams: TrigramIndex
  /** Paths that could not be brought up to date, and why the whole could not, if so. */
  readonly stale: ReadonlyArray<string>
  readonly problem: string | undefined
  /** Milliseconds since the epoch of the last comparison with the work tree. */
  readonly checkedAt: number
  /** Listed things that are no indexable files. */
  readonly left: ReadonlyArray<Skipped>
  /** Bytes of files that are not as on disk, by blob id: those of an overlay. */
  readonly contents?: ReadonlyMap<string, Buffer> | undefined
}

export interface Refreshed {
  readonly updated: ReadonlyArray<string>
  readonly removed: ReadonlyArray<string>
  readonly failed: ReadonlyArray<{ readonly path: string; readonly reason: string }>
  readonly skipped: number
  readonly full: boolean
}

export interface WorkspaceEngine {
  readonly root: Root
  readonly name: string
  /** The state as of now. Waits for a first index. */
  readonly current: Effect.Effect<Current, WorkspaceFailure>
  /** The state as last known, without looking; undefined before the first. */
  readonly known: () => Current | undefined
  /** Looks at everything again; with `paths` only at those. `anew` forgets what is indexed first. */
  readonly refresh: (options: {
    readonly anew?: boolean
    readonly paths?: ReadonlyArray<string> | undefined
  }) => Effect.Effect<Refreshed, WorkspaceFailure>
  readonly watching: () => boolean
  /** What was read again since it was opened. */
  readonly feed: () => IndexFeed
  /** Bytes of the stored snapshot; 0 when there is none. */
  readonly storeBytes: () => number
}

export interface OpenOptions {
  /** Any folder; the work tree around it is what is opened, unless `exact`. */
  readonly directory: string
  readonly exact?: boolean | undefined
  /** Keep watching for changes: for processes that live on. */
  readonly watch: boolean
  /** It is one of several, and mostly read: it is made ready for a change only after a first one. */
  readonly beside?: boolean | undefined
  /** Folder for stored snapshots, or false to keep nothing. */
  readonly store?: string | false | undefined
  /** Most worker threads. */
  readonly threads?: number | undefined
  /** Told of files that changed after the first look, by whomever. */
  readonly changed?: ((paths: ReadonlyArray<string>) => Effect.Effect<void>) | undefined
  /** Told of an index that was made from nothing: how many files it has, and in which languages. */
  readonly indexed?: ((files: number, languages: ReadonlySet<string>) => void) | undefined
  /** How to have a large tree indexed for the first time by a process of its own. Needs a store. */
  readonly apart?: Apart | undefined
}

/** Whether anything may have changed since the last look, and which paths if only some. */
type Suspicion = "nothing" | "everything" | ReadonlyArray<string>

/** The problem of a state that was only read, and not yet compared with the work tree. */
const uncompared = "not compared yet"

/** Trees of more files are large. */
const largeTree = 1500

/** Up to so many files and bytes are read on the calling thread; more go to worker threads. */
const inlineFiles = 32
const inlineBytes = 1 << 20
/** An index of git of so many bytes lists more files than are read on the calling thread. */
const manyFilesIndex = 16 * 1024
/** A snapshot is stored again once so many files changed since it was. */
const saveAfter = 24
/** Milliseconds without a change after which there is time for what can wait. */
const quietMs = 1500

export const open = (options: OpenOptions): Effect.Effect<WorkspaceEngine, WorkspaceFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const top =
      options.exact === true ? options.directory : (locate(options.directory)?.topLevel ?? options.directory)
    const root = openRootSync(top)
    if ("_tag" in root) {
      const reason =
        root.reason === "permission_denied"
          ? "permission_denied"
          : root.reason === "not_directory"
            ? "not_directory"
            : "not_found"
      return yield* new WorkspaceFailure({ reason, detail: root.detail ?? `${top} cannot be opened` })
    }
    // What is read for a start is made outside the nursery, and would let it grow.
    if (options.watch) limitNursery()
    const place = options.store === false ? undefined : placeOf(root.real, options.store)
    const state = new State(
      root,
      place,
      keptBelow(root.real, options.store === false ? undefined : options.store),
      options.threads,
      options.apart,
      options.watch,
      options.beside === true
    )
    const gate = yield* Effect.makeSemaphore(1)
    /** Looks under way, and those that wait for them. */
    let looking = 0
    /** Looks while nobody else does. */
    const alone = <A, E>(self: Effect.Effect<A, E>): Effect.Effect<A, E> =>
      Effect.acquireUseRelease(
        Effect.sync(() => {
          looking++
        }),
        () => gate.withPermits(1)(self),
        () =>
          Effect.sync(() => {
            looking--
          })
      )
    const scope = yield* Effect.scope
    /** One round of the event loop, in which whatever was begun is under way. */
    const turn = Effect.async<void>((resume) => {
      setImmediate(() => setImmediate(() => resume(Effect.void)))
    })
    yield* state.ask(scope)
    let watcher: Watcher | undefined
    let watchScope: Scope.CloseableScope | undefined
    let unwatched: ReadonlyArray<string> = []
    /** Starts watching, or starts over. What happened in between is not known. */
    const arm = Effect.gen(function* () {
      if (watchScope !== undefined) yield* Scope.close(watchScope, Exit.void)
      watchScope = yield* Scope.fork(scope, ExecutionStrategy.sequential)
      const ignored = yield* lsIgnoredDirectories(root.real).pipe(
        Effect.orElseSucceed((): ReadonlyArray<string> => []),
        Effect.fork
      )
      // While git looks, what is stored is read.
      yield* turn
      state.readAhead()
      unwatched = yield* Fiber.join(ignored)
      watcher = yield* watchTree(root.real, {
        ignoredDirectories: unwatched,
        ignores: (path) => state.kept(path) !== undefined,
        gatherMs: 1
      }).pipe(
        Scope.extend(watchScope),
        Effect.orElseSucceed(() => undefined)
      )
      yield* state.readToEnd
    })
    yield* options.watch ? arm : turn
    let stamp = ""
    const feed = new Feed()
    /** Set while the state is known to be behind: a look that failed, or a watch that began anew. */
    let owing = false

    const look = (what: { readonly anew?: boolean; readonly paths?: ReadonlyArray<string> | undefined }) =>
      Effect.gen(function* () {
        // Taken before the look: what moves meanwhile is looked at again.
        const before = state.stamp()
        const owed = owing
        owing = true
        const earlier = state.value?.snapshot
        const refreshed = yield* state.refresh(what)
        const news = [...refreshed.updated, ...refreshed.removed]
        if (!refreshed.full && news.length > 0) feed.note(earlier, state.value!.snapshot, refreshed)
        if (options.changed !== undefined) {
          // Those who were told of an earlier state hear what differs from it, however it was found out.
          const told = !refreshed.full
            ? news
            : earlier === undefined
              ? []
              : differing(earlier.files, state.value!.snapshot.files)
          if (told.length > 0) yield* options.changed(told)
        }
        if (refreshed.full && options.indexed !== undefined) {
          const read = state.value!.snapshot.files.filter((file) => file?.view !== undefined)
          options.indexed(read.length, new Set(read.map((file) => languages[file!.language]!.id)))
        }
        if (options.watch) limitNursery()
        owing = owed && !state.walked
        stamp = state.walked && state.unitsChanged ? state.listedStamp : before
        // A folder that was ignored when watching began may hold files of ours now.
        if (watcher !== undefined && state.walked) {
          const hidden = unwatched.map((folder) => `${folder.replace(/\/+$/, "")}/`)
          if (
            hidden.length > 0 &&
            state.value!.snapshot.files.some(
              (f) => f !== undefined && hidden.some((folder) => f.path.startsWith(folder))
            )
          ) {
            yield* arm
            owing = true
          }
        }
        return refreshed
      })

    /** What the watcher told that nobody has looked at yet. */
    let suspected: Suspicion | undefined
    const suspicion = (): Suspicion => {
      if (
        state.value === undefined ||
        watcher === undefined ||
        state.value.problem !== undefined ||
        owing ||
        state.isLost()
      )
        return "everything"
      const report = watcher.take()
      if (report?._tag === "Unknown") return "everything"
      if (state.stamp() !== stamp) return "everything"
      if (report === null || report.paths.length === 0)
        return state.value.stale.length > 0 ? state.value.stale : "nothing"
      return report.paths
    }
    const settled = Effect.suspend(() => {
      const what = suspected ?? suspicion()
      suspected = undefined
      return what === "nothing"
        ? Effect.succeed(state.value!)
        : Effect.map(look(what === "everything" ? {} : { paths: what }), () => state.value!)
    })
    const current = Effect.suspend(() =>
      watcher === undefined
        ? alone(settled)
        : // A whole round of the event loop delivers the watcher's pending events; the first turn may end one that has polled already.
          Effect.flatMap(turn, () => {
            // What an interrupted look left behind says nothing of what came after it.
            if (looking === 0) suspected = suspected === undefined ? suspicion() : "everything"
            if (suspected !== "nothing") return alone(settled)
            suspected = undefined
            return Effect.succeed(state.value!)
          })
    )

    if (place !== undefined) yield* Effect.addFinalizer(() => Effect.sync(() => state.end()))
    if (options.watch) {
      yield* Effect.forkScoped(
        alone(Effect.sync(() => state.rest())).pipe(Effect.delay("2 seconds"), Effect.forever)
      )
    }
    return {
      root,
      name: basename(root.real),
      current,
      known: () => (state.value?.problem === uncompared ? undefined : state.value),
      refresh: (o) => alone(look(o)),
      watching: () => watcher !== undefined,
      feed: () => feed.read(),
      storeBytes: () => {
        try {
          return place === undefined ? 0 : statSync(place.file).size
        } catch {
          return 0
        }
      }
    }
  })

type Files = ReadonlyArray<Pick<FileEntry, "path" | "oid"> | undefined>

/** Paths of files that one side does not have, or has with other bytes. */
const differing = (before: Files, after: Files): ReadonlyArray<string> => {
  const left = new Map(before.flatMap((file) => (file === undefined ? [] : [[file.path, file.oid] as const])))
  const out: Array<string> = []
  for (const file of after) {
    if (file === undefined) continue
    if (file.oid === "" || left.get(file.path) !== file.oid) out.push(file.path)
    left.delete(file.path)
  }
  return [...out, ...left.keys()]
}

/** What tells of the repositories that a listing came upon. */
const stampsOf = (units: WalkResult["units"]): ReadonlyArray<RepositoryStamp> =>
  units.flatMap((u) => (u.gitDir === null ? [] : [new RepositoryStamp(u.gitDir, u.commonDir ?? u.gitDir)]))

/** The stamp of the repository around a folder; undefined when no files tell of one. */
const rootStamp = (root: string): string | undefined => {
  const place = locate(root)
  return place === null
    ? undefined
    : `${place.gitDir} ${new RepositoryStamp(place.gitDir, place.commonDir).now()}`
}

/** Changes with every build, so that a snapshot never outlives the extractors that made it. */
export const buildId = (): string => {
  // The bundle's chunks lie one folder below its entries.
  for (const place of ["worker.js", "../worker.js"]) {
    const stat = statSync(join(import.meta.dirname, place), { throwIfNoEntry: false })
    if (stat !== undefined) return `${stat.size}.${stat.mtimeMs}`
  }
  return "source"
}

class State {
  value: Current | undefined
  private units: WalkResult["units"] = []
  private stamps: ReadonlyArray<RepositoryStamp> = []
  /** Whether the last look was at everything. */
  walked = false
  /** Whether the last look found other repositories than the one before. */
  unitsChanged = false
  /** Their stamp, taken as soon as they were listed. */
  listedStamp = ""
  private savedGeneration = -1
  private changedSinceSave = 0
  /** When files last changed, in milliseconds since the epoch. */
  private changedAt = 0
  /** Names of the snapshots that the next change was made ready for. */
  private ready: Interner | undefined
  private loaded = false
  /** Another work tree's snapshot that this one began with, as long as only differences from it are stored. */
  private ground: Ground | undefined
  /** Whether what was loaded can no longer be read from where it is stored: then it is made anew. */
  isLost: () => boolean = () => false
  /** What is being read. It is taken only once it is ready. */
  private ahead: { readonly ahead: Ahead; readonly sources: Sources } | undefined
  private tidied = false
  private asked: { readonly stamp: string; readonly fiber: Fiber.Fiber<Repository, GitError> } | undefined
  private readonly reader = new FileReader(maxFileBytes + 1)
  private inline: Inline | undefined
  private inlineNames: Interner | undefined
  /** A pool for a first look at a tree, whose thread starts while the tree is listed. */
  private early:
    | { readonly names: Interner; readonly pool: Pool; readonly scope: Scope.CloseableScope }
    | undefined

  constructor(
    readonly root: Root,
    readonly place: Place | undefined,
    /** What this server keeps for itself below the root. */
    readonly kept: (path: string) => string | undefined,
    readonly threads: number | undefined,
    private apart: Apart | undefined,
    /** Whether the process lives on. */
    readonly stays: boolean,
    /** Whether it is one of several, and mostly read. */
    readonly beside: boolean
  ) {}

  refresh(options: {
    readonly anew?: boolean
    readonly paths?: ReadonlyArray<string> | undefined
  }): Effect.Effect<Refreshed, WorkspaceFailure> {
    return this.looking(options).pipe(
      // What can no longer be read from where it is stored is made anew.
      Effect.catchIf(
        () => this.isLost(),
        () => this.looking({ anew: true })
      ),
      Effect.ensuring(this.endEarly)
    )
  }

  private looking(options: {
    readonly anew?: boolean
    readonly paths?: ReadonlyArray<string> | undefined
  }): Effect.Effect<Refreshed, WorkspaceFailure> {
    return Effect.gen(this, function* () {
      if (options.anew === true || this.isLost()) {
        this.value = undefined
        this.loaded = true
        this.isLost = () => false
      } else this.loadOnce()
      if (this.value === undefined) yield* this.startEarly
      const startedAt = Date.now()
      const some =
        options.paths === undefined || this.value === undefined ? undefined : this.lookAt(options.paths)
      this.walked = some === undefined
      if (some !== undefined) {
        // The listing stays as old as it was: what may have been overlooked then is still to be looked at.
        return yield* this.apply(
          some.entries,
          some.removed,
          this.value!.left,
          [],
          undefined,
          startedAt,
          this.value!.snapshot.at
        )
      }
      const listing = walk(this.root.real, {
        ...this.answer(),
        kept: this.kept,
        ...(this.value === undefined ? {} : { likely: this.value.snapshot.byPath.keys() })
      }).pipe(
        Effect.mapError(
          (e) =>
            new WorkspaceFailure({
              reason: "index_failed",
              detail: `the served folder cannot be listed: ${e.detail ?? e.reason}`
            })
        )
      )
      const [walked, untouchedOf] = yield* Effect.all([listing, this.untouched()], { concurrency: 2 })
      if (
        this.value === undefined &&
        options.anew !== true &&
        this.apart !== undefined &&
        this.place !== undefined &&
        walked.entries.length > largeTree
      ) {
        const { apart } = this
        this.apart = undefined
        if (yield* indexApart(apart, this.root.real)) {
          this.load()
          return yield* this.looking(options)
        }
      }
      this.unitsChanged =
        walked.units.length !== this.units.length ||
        walked.units.some((u, i) => u.gitDir !== this.units[i]!.gitDir)
      this.units = walked.units
      if (this.unitsChanged) {
        this.stamps = stampsOf(walked.units)
        this.listedStamp = this.stamp()
      }
      const files = this.value?.snapshot.files ?? []
      const before = files.filter((f): f is FileEntry => f !== undefined)
      const found = census(before, walked.entries)
      let removed: ReadonlyArray<string> = found.removed
      if (!walked.complete) {
        // A folder that could not be read says nothing about what was in it.
        removed = statCensus(this.root.real, found.removed)
          .filter((f) => f._tag === "Absent" || f._tag === "Other" || this.kept(f.path) !== undefined)
          .map((f) => f.path)
      }
      // A write within the clock's grain of our last look leaves no trace in the stat.
      const grain = (this.value?.snapshot.at ?? 0) - 100
      const racy = new Set(before.filter((f) => f.mtimeMs >= grain).map((f) => f.path))
      for (const { path } of found.changed) racy.delete(path)
      const suspects = racy.size === 0 ? [] : walked.entries.filter((e) => racy.has(e.path))
      return yield* this.apply(
        [...found.added, ...found.changed, ...suspects],
        removed,
        walked.skipped,
        found.removed.filter((path) => !removed.includes(path)),
        walked.complete ? undefined : "some folders could not be read",
        startedAt,
        startedAt,
        untouchedOf?.(walked.entries)
      )
    })
  }

  /** What git knows of the bytes of files, where nothing is known of the stats of many. */
  private untouched() {
    const files = this.value?.snapshot.files ?? []
    let foreign = 0
    for (const file of files) if (file?.ino === -1) foreign++
    const place = foreign > inlineFiles ? locateHere(this.root.real) : null
    return place === null
      ? Effect.succeed(undefined)
      : Effect.orElseSucceed(untouched(place.topLevel, place.gitDir), () => undefined)
  }

  /** Only the given paths, when they are all known files: anything else needs the ignore rules. */
  private lookAt(
    paths: ReadonlyArray<string>
  ): { readonly entries: ReadonlyArray<Entry>; readonly removed: ReadonlyArray<string> } | undefined {
    const { byPath, files } = this.value!.snapshot
    const known: Array<string> = []
    // Whether or not such a file is listed itself, it decides what else is.
    if (paths.some((path) => /(^|\/)\.(git)?ignore$/.test(path))) return undefined
    for (const path of paths) {
      if (byPath.has(path)) known.push(path)
      else if (this.kept(path) === undefined) {
        const fact = statCensus(this.root.real, [path])[0]!
        // A folder, or something new. What vanished before we looked is nobody's business.
        if (fact._tag !== "Absent") {
          return undefined
        }
        const inside = `${path}/`
        for (const file of files)
          if (file !== undefined && file.path.startsWith(inside)) known.push(file.path)
      }
    }
    if (known.some((path) => /(^|\/)\.(git)?ignore$/.test(path))) return undefined
    const entries: Array<Entry> = []
    const removed: Array<string> = []
    for (const fact of statCensus(this.root.real, known)) {
      if (fact._tag === "Absent") removed.push(fact.path)
      else if (fact._tag === "File") {
        entries.push({
          path: fact.path,
          size: fact.size,
          mtimeMs: fact.mtimeMs,
          ctimeMs: fact.ctimeMs,
          ino: fact.ino,
          mode: fact.mode,
          indexOid: null,
          unit: files[byPath.get(fact.path)!]!.unit
        })
      } else return undefined
    }
    return { entries, removed }
  }

  private apply(
    entries: ReadonlyArray<Entry>,
    removedPaths: ReadonlyArray<string>,
    left: ReadonlyArray<Skipped>,
    stale: ReadonlyArray<string>,
    problem: string | undefined,
    startedAt: number,
    at: number,
    blobOf: BlobOf = () => undefined
  ): Effect.Effect<Refreshed, WorkspaceFailure> {
    return Effect.gen(this, function* () {
      const previous = this.value?.snapshot ?? emptySnapshot(this.early?.names ?? new Interner())
      const full = previous.generation === 0
      const changed: Array<FileEntry> = []
      const read: Array<Entry> = []
      for (const entry of entries) {
        const id = previous.byPath.get(entry.path)
        const old = id === undefined ? undefined : previous.files[id]
        // The same bytes under a new stat, or none that are looked at: only the stat is news.
        if (
          old !== undefined &&
          (old.oid === ""
            ? old.skip !== "" && judgeStat(entry.path, entry.size).skip === old.skip
            : entry.size === old.size && (blobOf(entry) === old.oid || this.hash(entry.path) === old.oid))
        ) {
          if (
            old.size !== entry.size ||
            old.mtimeMs !== entry.mtimeMs ||
            old.ino !== entry.ino ||
            old.mode !== entry.mode ||
            old.unit !== entry.unit
          ) {
            changed.push({
              ...old,
              size: entry.size,
              mtimeMs: entry.mtimeMs,
              ino: entry.ino,
              mode: entry.mode,
              unit: entry.unit
            })
          }
        } else read.push(entry)
      }
      const touched = changed.length
      const removed = removedPaths.flatMap((path) => previous.byPath.get(path) ?? [])
      const units = this.units.length === 0 ? previous.units : unitsOf(this.units)
      const trigramChanges: Array<readonly [number, Uint32Array | undefined]> = removed.map(
        (id) => [id, undefined] as const
      )
      const failed: Array<{ readonly path: string; readonly reason: string }> = []
      // In a first look by their places in it, so that no number depends on when a thread had read what.
      let next = previous.files.length
      let skipped = 0
      const take = (jobEntries: ReadonlyArray<Entry>, group: GroupResult) => {
        for (let place = 0; place < group.indices.length; place++) {
          const entry = jobEntries[group.indices[place]!]!
          const id = full ? group.indices[place]! : (previous.byPath.get(entry.path) ?? next++)
          const made = entryOf(entry, id, group.columns, place, group.views[place])
          const status = statuses[group.columns.status[place]!]
          if (group.columns.reason[place] === reasonNumber.vanished) {
            if (previous.byPath.has(entry.path)) removed.push(id)
            continue
          }
          if (status === "failed") failed.push({ path: entry.path, reason: made.skip })
          if (status === "skipped") skipped++
          changed.push(made)
          trigramChanges.push([id, made.oid === "" ? undefined : trigramsOf(group, place)])
        }
      }
      if (read.length > 0) {
        const bytes = read.reduce((n, e) => n + Math.min(e.size, maxFileBytes), 0)
        const job = (part: ReadonlyArray<Entry>) => ({
          root: this.root.real,
          paths: part.map((e) => e.path),
          sizes: part.map((e) => e.size),
          wantTrigrams: true
        })
        if (read.length <= inlineFiles && bytes <= inlineBytes)
          take(read, yield* this.inlineFor(previous.names).run(job(read)))
        else {
          if (this.stays) liftNursery()
          yield* Effect.scoped(
            Effect.gen(this, function* () {
              const { early } = this
              const pool =
                early?.names === previous.names ? early.pool : yield* this.poolFor(previous.names, false)
              yield* Stream.runForEach(pool.run(job(read)), (group) => {
                take(read, group)
                return progress(group.progress.files, group.progress.totalFiles, "reading files")
              })
            })
          ).pipe(Effect.mapError((e) => new WorkspaceFailure({ reason: "index_failed", detail: e.message })))
          // Its threads end while names are resolved.
          yield* Effect.forkDaemon(this.endEarly)
          yield* Effect.yieldNow()
        }
      }
      const unitsChanged = JSON.stringify(units) !== JSON.stringify(previous.units)
      let snapshot = previous
      if (read.length > 0 || removed.length > 0 || full) {
        if (read.length > 200) yield* progress(read.length, read.length, "resolving names")
        snapshot = yield* Effect.try({
          try: () =>
            update(previous, { entries: changed, removed, units, at }, (path) => this.readConfig(path)),
          catch: (cause) =>
            new WorkspaceFailure({
              reason: "index_failed",
              detail: `names could not be resolved: ${String(cause)}`
            })
        })
      } else if (touched > 0 || unitsChanged) {
        const files = previous.files.slice()
        for (const entry of changed) files[entry.id] = entry
        snapshot = { ...previous, files, units, at }
      } else snapshot = { ...previous, at }
      const trigrams = full
        ? TrigramIndex.build(
            trigramChanges.flatMap(([id, buckets]) => (buckets === undefined ? [] : [{ id, buckets }]))
          )
        : this.value!.trigrams.with(trigramChanges)
      if (read.length > 0 || removed.length > 0) this.changedAt = Date.now()
      this.changedSinceSave +=
        read.length + removed.length + (full ? saveAfter : 0) + Math.floor(touched / 50)
      this.value = { snapshot, trigrams, stale, problem, checkedAt: startedAt, left }
      return {
        updated: read.map((e) => e.path),
        removed: removedPaths,
        failed,
        skipped: skipped + left.length,
        full
      }
    })
  }

  private poolFor(names: Interner, eager: boolean): Effect.Effect<Pool, never, Scope.Scope> {
    return makePool({
      names,
      languages,
      eager,
      ...(this.threads === undefined ? {} : { size: this.threads })
    })
  }
  /** Starts a thread that will read, if git knows of many files and another process is not to index them. */
  private readonly startEarly: Effect.Effect<void> = Effect.suspend(() => {
    if (this.early !== undefined || this.apart !== undefined) return Effect.void
    const gitDir = locate(this.root.real)?.gitDir
    const index =
      gitDir === undefined ? undefined : statSync(join(gitDir, "index"), { throwIfNoEntry: false })
    if (index === undefined || index.size < manyFilesIndex) return Effect.void
    const names = new Interner()
    return Effect.gen(this, function* () {
      const scope = yield* Scope.make()
      const pool = yield* this.poolFor(names, true).pipe(Scope.extend(scope))
      this.early = { names, pool, scope }
    })
  }).pipe(Effect.uninterruptible)
  private readonly endEarly: Effect.Effect<void> = Effect.suspend(() => {
    const { early } = this
    this.early = undefined
    return early === undefined ? Effect.void : Scope.close(early.scope, Exit.void)
  })

  private inlineFor(names: Interner): Inline {
    if (this.inline === undefined || this.inlineNames !== names) {
      this.inline = new Inline(names, languages)
      this.inlineNames = names
    }
    return this.inline
  }
  private hash(path: string): string | undefined {
    const outcome = this.reader.read(join(this.root.real, path))
    return outcome._tag === "Bytes" ? blobOid(outcome.bytes) : undefined
  }
  private readConfig(path: string): string | undefined {
    try {
      const absolute = join(this.root.real, path)
      return statSync(absolute).size > 1 << 20 ? undefined : readFileSync(absolute, "utf8")
    } catch {
      return undefined
    }
  }

  /** What the repositories that were listed tell of themselves now. */
  stamp(): string {
    return this.stamps.map((unit) => unit.now()).join("\n")
  }

  /** Asks git about the root's repository ahead of the first look, which takes the answer if nothing moved by then. */
  ask(scope: Scope.Scope): Effect.Effect<void> {
    return Effect.suspend(() => {
      const stamp = rootStamp(this.root.real)
      if (stamp === undefined) return Effect.void
      return discover(this.root.real).pipe(
        Effect.forkIn(scope),
        Effect.map((fiber) => {
          this.asked = { stamp, fiber }
        })
      )
    })
  }
  private answer(): Pick<WalkOptions, "repository"> {
    const { asked } = this
    this.asked = undefined
    return asked !== undefined && rootStamp(this.root.real) === asked.stamp
      ? { repository: Fiber.join(asked.fiber) }
      : {}
  }

  /** Begins to read what this root starts from, unless that has been tried or something is known. */
  readAhead(): void {
    if (this.value !== undefined || this.loaded || this.place === undefined) return
    const sources = sourcesOf(this.place, this.root.real)
    const [file] = sources.files
    const ahead = file === undefined ? undefined : readAhead(file, buildId(), parked)
    if (ahead !== undefined) this.ahead = { ahead, sources }
  }
  readonly readToEnd: Effect.Effect<void> = Effect.suspend(() =>
    this.ahead === undefined ? Effect.void : Effect.promise(() => this.ahead!.ahead.ready)
  ).pipe(Effect.map(() => this.loadOnce()))

  /** Reads what is stored, unless that has been tried or something is known. */
  loadOnce(): void {
    if (this.value === undefined && !this.loaded) this.load()
  }

  /** Starts from what is stored for this root, else from what a sibling work tree of the same repository has. */
  private load(): void {
    this.loaded = true
    if (this.place === undefined) return
    const begun = this.ahead
    this.ahead = undefined
    const { derived, files } = begun?.sources ?? sourcesOf(this.place, this.root.real)
    for (const file of files) {
      const stored =
        file === begun?.sources.files[0] ? begun.ahead.load() : loadSnapshot(file, buildId(), parked)
      const text = stored === undefined ? undefined : trigramsFrom(stored)
      if (stored === undefined || text === undefined) continue
      const whole = file === this.place.file && stored.notes["root"] === this.root.real
      const own = whole || file === derived?.file
      this.isLost = stored.isLost
      if (this.stays) limitNursery()
      if (!whole) this.ground = groundOf(file, stored.snapshot)
      const snapshot = whole
        ? stored.snapshot
        : file === derived?.file
          ? derived.apply(stored.snapshot)
          : foreign(stored.snapshot)
      this.value = {
        snapshot,
        trigrams: text,
        stale: [],
        problem: uncompared,
        checkedAt: 0,
        left: []
      }
      if (own) this.savedGeneration = snapshot.generation
      else this.changedSinceSave = saveAfter
      return
    }
  }

  /** Removes what is stored and nobody will read, once. */
  private tidy(): void {
    if (this.tidied || this.place === undefined) return
    this.tidied = true
    sweep(this.place)
  }

  /** What is left to do when the workspace is closed. */
  end(): void {
    this.save(false)
    this.tidy()
  }

  /** What can wait until nothing changes: storing, and making ready for the next change. */
  rest(): void {
    const { value } = this
    if (
      value === undefined ||
      value.problem === uncompared ||
      (Date.now() - this.changedAt < quietMs && this.changedSinceSave < 10 * saveAfter)
    )
      return
    this.save(false)
    this.tidy()
    if (this.stays) limitNursery()
    if (this.ready === value.snapshot.names || (this.beside && this.changedAt === 0)) return
    this.ready = value.snapshot.names
    try {
      prepare(value.snapshot, (path) => this.readConfig(path))
    } catch (cause) {
      // What cannot be read any more is made anew before the next answer.
      if (!this.isLost()) throw cause
    }
    // That looked at most names, and hardly any of them is asked for soon.
    value.snapshot.names.forgetTexts()
  }

  save(always: boolean): void {
    const current = this.value
    if (this.place === undefined || current === undefined || current.problem === uncompared) return
    if (
      current.snapshot.generation === this.savedGeneration ||
      (!always && this.changedSinceSave < saveAfter)
    )
      return
    try {
      if (
        this.ground !== undefined &&
        saveDerived(this.place, buildId(), this.root.real, this.ground, current.snapshot)
      ) {
        this.savedGeneration = current.snapshot.generation
        this.changedSinceSave = 0
        return
      }
      const { offsets, ...buffers } = current.trigrams.toBuffers()
      saveSnapshot(
        this.place.file,
        buildId(),
        current.snapshot,
        { ...buffers, offsets: storedOffsets(offsets) },
        { root: this.root.real }
      )
      if (this.ground !== undefined) removeDerived(this.place)
      this.ground = undefined
      this.savedGeneration = current.snapshot.generation
      this.changedSinceSave = 0
    } catch {
      // A full disk or a read-only cache costs the next start time, nothing else.
    }
  }
}

/** What a root may start from: files of snapshots, the best first, and what is stored of it as derived from one. */
interface Sources {
  readonly files: ReadonlyArray<string>
  readonly derived: Derived | undefined
}

const sourcesOf = (place: Place, root: string): Sources => {
  const isStored = existsSync(place.file)
  const derived = isStored ? undefined : readDerived(place, buildId(), root)
  return {
    files: [
      ...(isStored ? [place.file] : []),
      ...(derived === undefined ? [] : [derived.file]),
      ...siblings(place)
    ],
    derived
  }
}

/** What is read bit by bit: it is most of what is stored, and little of it is asked for. */
export const parked = ["postings", factsInFile]

const trigramsFrom = ({ attachments, parked: { postings } }: Loaded): TrigramIndex | undefined => {
  const { files, offsets: stored } = attachments as Partial<TrigramBuffers>
  const offsets = stored === undefined ? undefined : offsetsFrom(stored)
  return offsets === undefined ||
    postings === undefined ||
    files === undefined ||
    offsets.at(-1) !== postings.length
    ? undefined
    : TrigramIndex.fromBuffers({ offsets, postings, files })
}

/** Another work tree's files: every stat is unknown here, so that each file is compared by content. */
const foreign = (snapshot: Snapshot): Snapshot => ({
  ...snapshot,
  files: snapshot.files.map((f) => (f === undefined ? f : { ...f, ino: -1, mtimeMs: -1 }))
})

const unitsOf = (units: WalkResult["units"]): ReadonlyArray<Unit> =>
  units.map((u) => ({
    root: u.root,
    kind: u.kind,
    head: u.head?.oid ?? undefined,
    branch: u.head?.ref?.replace(/^refs\/heads\//, "") ?? undefined
  }))

/** A file's row out of a group that was read. */
export const entryOf = (
  entry: Entry,
  id: number,
  columns: FileColumns,
  place: number,
  view: FileEntry["view"]
): FileEntry => {
  const status = statuses[columns.status[place]!]
  const known = columns.mtimeMs[place]! > 0
  return {
    id,
    path: entry.path,
    language: columns.language[place]!,
    size: known ? columns.size[place]! : entry.size,
    mtimeMs: known ? columns.mtimeMs[place]! : entry.mtimeMs,
    ino: known ? columns.ino[place]! : entry.ino,
    mode: known ? columns.mode[place]! : entry.mode,
    oid: blobIdOf(columns, place) ?? "",
    unit: entry.unit,
    flags: columns.flags[place]!,
    skip: status === "skipped" || status === "failed" ? reasons[columns.reason[place]!]! : "",
    view
  }
}
