import { lstatSync, readdirSync, realpathSync, watch as watchFolder } from "node:fs"
import type { FSWatcher } from "node:fs"
import { join, relative, sep } from "node:path"
import type { Scope } from "effect"
import { Data, Effect, Stream } from "effect"
import { locateHere } from "../git/HeadStamp.ts"

/** The watcher could not be set up. `code` is the system's, e.g. `ENOSPC` when there are no more inotify watches. */
export class WatchError extends Data.TaggedError("WatchError")<{
  readonly root: string
  readonly code: string
  readonly detail: string
}> {}

/**
 * What happened since the last report. Every set is a hint to look again, never proof of a change.
 *
 * - `Dirty`: `paths` (root-relative, `/`, sorted) were created, changed or removed; a folder among them stands for all it
 *   holds. `git` tells that HEAD, refs or the index may have moved.
 * - `Unknown`: events were lost; only a census of the whole tree tells what changed.
 */
export type WatchReport =
  | { readonly _tag: "Dirty"; readonly paths: ReadonlyArray<string>; readonly git: boolean }
  | { readonly _tag: "Unknown"; readonly reason: string }

/** A running watcher. `reports` may be run by one consumer at a time; what happens in between is gathered, not lost. */
export interface Watcher {
  readonly backend: "parcel" | "fs.watch"
  readonly reports: Stream.Stream<WatchReport>
  /** What has been gathered so far, without waiting; null when nothing happened. Takes it away from `reports`. */
  readonly take: () => WatchReport | null
}

/** How to watch. */
export interface WatchOptions {
  /** Folders (root-relative) that need no watching, e.g. those `lsIgnoredDirectories` names. */
  readonly ignoredDirectories?: ReadonlyArray<string>
  /** Whether a path (root-relative) needs no watching, be it there yet or not. */
  readonly ignores?: (path: string) => boolean
  /** Milliseconds of gathering before a report. Default 30. */
  readonly gatherMs?: number
  /** Paths a report may hold before it becomes `Unknown`. Default 20 000. */
  readonly maxPaths?: number
  /**
   * Insist on a backend. Default: fs.watch on Linux, elsewhere @parcel/watcher when its binary loads, else fs.watch.
   * On Linux @parcel/watcher never hears of what happens below folders made together with their parents (`mkdir -p`,
   * a checkout), so it is used there only on request.
   */
  readonly backend?: "parcel" | "fs.watch"
}

/** Folders no one wants watched, at any depth. */
const quietNames: ReadonlySet<string> = new Set([
  ".git",
  ".hg",
  ".svn",
  ".jj",
  "node_modules",
  "bower_components",
  "__pycache__",
  ".venv",
  ".tox",
  ".mypy_cache",
  ".gradle"
])

/** Gathers events until someone asks. */
class Pending {
  private readonly paths = new Set<string>()
  private git = false
  private lost: string | null = null
  private wake: (() => void) | null = null
  private readonly maxPaths: number

  constructor(maxPaths: number) {
    this.maxPaths = maxPaths
  }

  path(path: string): void {
    if (this.lost === null) {
      this.paths.add(path)
      if (this.paths.size > this.maxPaths) this.unknown("too many changes")
    }
    this.ring()
  }

  gitMoved(): void {
    this.git = true
    this.ring()
  }

  unknown(reason: string): void {
    this.lost = reason
    this.paths.clear()
    this.ring()
  }

  /** Resolves once there is something to drain. */
  readonly ready: Effect.Effect<void> = Effect.async<void>((resume) => {
    if (this.paths.size > 0 || this.git || this.lost !== null) return resume(Effect.void)
    this.wake = () => resume(Effect.void)
    return Effect.sync(() => {
      this.wake = null
    })
  })

  drain(): WatchReport {
    const report: WatchReport =
      this.lost !== null
        ? { _tag: "Unknown", reason: this.lost }
        : { _tag: "Dirty", paths: [...this.paths].sort(), git: this.git }
    this.paths.clear()
    this.git = false
    this.lost = null
    return report
  }

  take(): WatchReport | null {
    return this.paths.size > 0 || this.git || this.lost !== null ? this.drain() : null
  }

  private ring(): void {
    const wake = this.wake
    this.wake = null
    wake?.()
  }
}

/** The part of @parcel/watcher used here. */
interface ParcelWatcher {
  readonly subscribe: (
    directory: string,
    callback: (
      error: Error | null,
      events: ReadonlyArray<{ readonly path: string; readonly type: string }>
    ) => unknown,
    options: { readonly ignore: Array<string> }
  ) => Promise<{ readonly unsubscribe: () => Promise<void> }>
}

const loadParcel: Effect.Effect<ParcelWatcher | null> = Effect.promise(async () => {
  try {
    const loaded = (await import("@parcel/watcher")) as unknown as ParcelWatcher & {
      readonly default?: ParcelWatcher
    }
    const watcher = loaded.default ?? loaded
    return typeof watcher.subscribe === "function" ? watcher : null
  } catch {
    return null
  }
})

const codeOf = (cause: unknown): string => (cause as NodeJS.ErrnoException)?.code ?? "unknown"

const toRelative = (root: string, absolute: string): string | null => {
  const path = relative(root, absolute)
  if (path === "" || path === ".." || path.startsWith(`..${sep}`)) return null
  return sep === "/" ? path : path.split(sep).join("/")
}

interface Ignored {
  /** Those that are known by name. */
  readonly folders: ReadonlySet<string>
  readonly has: (path: string) => boolean
}

const isQuiet = (path: string, ignored: Ignored): boolean => {
  let from = 0
  for (;;) {
    const slash = path.indexOf("/", from)
    const name = slash < 0 ? path.slice(from) : path.slice(from, slash)
    if (quietNames.has(name) || ignored.has(slash < 0 ? path : path.slice(0, slash))) return true
    if (slash < 0) return false
    from = slash + 1
  }
}

const startParcel = (
  parcel: ParcelWatcher,
  root: string,
  ignored: Ignored,
  pending: Pending
): Effect.Effect<void, WatchError, Scope.Scope> =>
  Effect.asVoid(
    Effect.acquireRelease(
      Effect.tryPromise({
        try: () =>
          parcel.subscribe(
            root,
            (error, events) => {
              if (error !== null) return pending.unknown(error.message)
              for (const event of events) {
                const path = toRelative(root, event.path)
                if (path === null) pending.unknown("the root itself changed")
                else if (!isQuiet(path, ignored)) pending.path(path)
              }
            },
            {
              ignore: [
                ...[...quietNames].map((name) => `**/${name}`),
                ...[...ignored.folders].map((path) => join(root, path))
              ]
            }
          ),
        catch: (cause) =>
          new WatchError({ root, code: codeOf(cause), detail: String((cause as Error).message ?? cause) })
      }),
      (subscription) => Effect.ignore(Effect.tryPromise(() => subscription.unsubscribe()))
    )
  )

/** Inode of a folder; undefined when there is none at the path (links do not count). */
const folderIno = (absolute: string): number | undefined => {
  try {
    const stat = lstatSync(absolute, { throwIfNoEntry: false })
    return stat?.isDirectory() === true ? stat.ino : undefined
  } catch {
    return undefined
  }
}

/** One `fs.watch` per folder, so that ignored folders cost nothing. */
class FolderWatches {
  private readonly watches = new Map<string, { readonly watcher: FSWatcher; readonly ino: number }>()
  private readonly root: string
  private readonly ignored: Ignored
  private readonly pending: Pending
  private closed = false

  constructor(root: string, ignored: Ignored, pending: Pending) {
    this.root = root
    this.ignored = ignored
    this.pending = pending
  }

  /** Watches a folder and all below it. Throws only when the folder itself cannot be watched. */
  add(start: string): void {
    const queue = [start]
    for (let folder = queue.pop(); folder !== undefined; folder = queue.pop()) {
      if (this.watches.has(folder)) continue
      const absolute = join(this.root, folder)
      try {
        this.watchOne(folder, absolute)
        for (const entry of readdirSync(absolute, { withFileTypes: true })) {
          const path = folder === "" ? entry.name : `${folder}/${entry.name}`
          if (entry.isDirectory() && !quietNames.has(entry.name) && !this.ignored.has(path)) queue.push(path)
        }
      } catch (cause) {
        if (folder === "") throw cause
        const code = codeOf(cause)
        if (code === "ENOSPC" || code === "EMFILE") this.pending.unknown(`no watch for a folder: ${code}`)
      }
    }
  }

  close(): void {
    this.closed = true
    for (const { watcher } of this.watches.values()) watcher.close()
    this.watches.clear()
  }

  private watchOne(folder: string, absolute: string): void {
    const watcher = watchFolder(absolute, { persistent: false }, (_, name) => {
      if (this.closed) return
      if (name === null) return this.pending.unknown("an event without a name")
      const path = folder === "" ? name : `${folder}/${name}`
      if (quietNames.has(name) || this.ignored.has(path)) return
      const ino = folderIno(join(this.root, path))
      // A folder put in another's place needs new watches; the old ones follow the old folder.
      if (this.watches.get(path)?.ino !== ino) this.drop(path)
      // A new folder may have been filled before its watch exists: the report names the folder.
      if (ino !== undefined && !this.watches.has(path)) this.add(path)
      this.pending.path(path)
    })
    watcher.on("error", (cause) => {
      this.drop(folder)
      if (folder === "") this.pending.unknown(`the root can no longer be watched: ${codeOf(cause)}`)
      else this.pending.path(folder)
    })
    this.watches.set(folder, { watcher, ino: folderIno(absolute) ?? -1 })
  }

  private drop(path: string): void {
    if (!this.watches.has(path)) return
    for (const [folder, { watcher }] of this.watches) {
      if (folder === path || folder.startsWith(`${path}/`)) {
        watcher.close()
        this.watches.delete(folder)
      }
    }
  }
}

const startFolders = (
  root: string,
  ignored: Ignored,
  pending: Pending
): Effect.Effect<void, WatchError, Scope.Scope> =>
  Effect.flatMap(
    Effect.acquireRelease(
      Effect.sync(() => new FolderWatches(root, ignored, pending)),
      (watches) => Effect.sync(() => watches.close())
    ),
    (watches) =>
      Effect.try({
        try: () => watches.add(""),
        catch: (cause) =>
          new WatchError({ root, code: codeOf(cause), detail: String((cause as Error).message ?? cause) })
      })
  )

/** Watches the few files of a git directory that say where HEAD and the index are. Missing parts are left out. */
const startGit = (root: string, pending: Pending): Effect.Effect<void, never, Scope.Scope> =>
  Effect.asVoid(
    Effect.acquireRelease(
      Effect.sync(() => {
        const location = locateHere(root)
        if (location === null) return []
        const watches: Array<FSWatcher> = []
        const interesting = /^(HEAD|index|packed-refs|MERGE_HEAD|ORIG_HEAD|tables\.list)$/
        const observe = (folder: string, all: boolean): void => {
          try {
            const watcher = watchFolder(folder, { persistent: false }, (_, name) => {
              if (name !== null && name.endsWith(".lock")) return
              if (all || name === null || interesting.test(name)) pending.gitMoved()
            })
            watcher.on("error", () => undefined)
            watches.push(watcher)
          } catch {
            // The folder does not exist in this repository's layout.
          }
        }
        observe(location.gitDir, false)
        if (location.commonDir !== location.gitDir) observe(location.commonDir, false)
        observe(join(location.commonDir, "reftable"), false)
        const queue = [join(location.commonDir, "refs", "heads")]
        for (let folder = queue.pop(); folder !== undefined && watches.length < 500; folder = queue.pop()) {
          observe(folder, true)
          try {
            for (const entry of readdirSync(folder, { withFileTypes: true })) {
              if (entry.isDirectory()) queue.push(join(folder, entry.name))
            }
          } catch {
            // Gone or unreadable: HEAD and the index still tell of most moves.
          }
        }
        return watches
      }),
      (watches) => Effect.sync(() => watches.forEach((watcher) => watcher.close()))
    )
  )

/**
 * Watches a tree until the scope closes. When this effect succeeds the watcher is armed: changes from then on are reported.
 * Ignored and never-entered folders (`node_modules`, `.git`, …) are not watched; of `.git` only HEAD, refs and the index are.
 */
export const watchTree = (
  directory: string,
  options: WatchOptions = {}
): Effect.Effect<Watcher, WatchError, Scope.Scope> =>
  Effect.gen(function* () {
    const root = yield* Effect.try({
      try: () => realpathSync.native(directory),
      catch: (cause) =>
        new WatchError({ root: directory, code: codeOf(cause), detail: "cannot resolve the root" })
    })
    const folders = new Set((options.ignoredDirectories ?? []).map((path) => path.replace(/\/+$/, "")))
    const ignored: Ignored = {
      folders,
      has: (path) => folders.has(path) || options.ignores?.(path) === true
    }
    const pending = new Pending(options.maxPaths ?? 20_000)
    const backend = options.backend ?? (process.platform === "linux" ? "fs.watch" : null)
    const parcel = backend === "fs.watch" ? null : yield* loadParcel
    if (parcel === null && backend === "parcel") {
      return yield* Effect.fail(
        new WatchError({ root, code: "unavailable", detail: "@parcel/watcher does not load here" })
      )
    }
    yield* parcel === null
      ? startFolders(root, ignored, pending)
      : startParcel(parcel, root, ignored, pending)
    yield* startGit(root, pending)
    const report = pending.ready.pipe(
      Effect.zipRight(Effect.sleep(options.gatherMs ?? 30)),
      Effect.zipRight(Effect.sync(() => pending.drain()))
    )
    return {
      backend: parcel === null ? "fs.watch" : "parcel",
      reports: Stream.repeatEffect(report),
      take: () => pending.take()
    }
  })
