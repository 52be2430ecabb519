import { lstatSync, readdirSync, readlinkSync, realpathSync } from "node:fs"
import type { Dirent, Stats } from "node:fs"
import { dirname, isAbsolute, join } from "node:path"
import { isUtf8 } from "node:buffer"
import { Effect } from "effect"
import { isWithin } from "../../registry/Place.ts"
import { nextTurn } from "../../registry/Turns.ts"
import { discover, isIgnored, lsFiles, type Repository } from "../git/Git.ts"
import type { GitError, GitErrorReason } from "../git/GitError.ts"
import { locateHere } from "../git/HeadStamp.ts"
import { displayBytes } from "../git/Parse.ts"
import type { Looked } from "./Census.ts"
import type { PathRefused } from "./Confine.ts"
import { openRoot } from "./Confine.ts"
import { kindOf } from "./SafeOpen.ts"
import type { Patterns } from "./IgnoreRules.ts"
import { compilePatterns, readIgnoreFile } from "./IgnoreRules.ts"
import type { Skipped, SkipReason } from "./Skip.ts"

/**
 * What a unit is. `git` is the root's own repository (the root may be a folder inside it), `plain` a folder without one;
 * the others lie below the root and keep their own ignore rules.
 */
export type UnitKind = "git" | "plain" | "submodule" | "linked-worktree" | "nested-repository"

/**
 * Why a unit's files were not listed by git. `not_initialised`: a submodule without a checkout (it has no files here);
 * `work_tree_elsewhere`: the repository's configuration puts its work tree somewhere else. In every case but
 * `not_initialised` the files were listed by our own walker, with ignore files honoured.
 */
export type UnitProblem = GitErrorReason | "not_initialised" | "work_tree_elsewhere"

/** A repository or folder with files of its own. */
export interface Unit {
  /** Root-relative, "" for the root itself. */
  readonly root: string
  readonly kind: UnitKind
  /** HEAD when git answered; `ref` null when detached, `oid` null before the first commit. */
  readonly head: { readonly ref: string | null; readonly oid: string | null } | null
  readonly gitDir: string | null
  readonly commonDir: string | null
  /** Null when the unit was listed as its kind says. */
  readonly problem: UnitProblem | null
}

/** A regular file. Never a symbolic link, never behind one. */
export interface Entry extends Looked {
  /**
   * The blob id the index holds for this path; null when untracked or unmerged. It tells what was last staged, not what
   * the disk holds now: compare it with `blobOid(bytes)` before relying on it.
   */
  readonly indexOid: string | null
  /** Index into `WalkResult.units`. */
  readonly unit: number
}

/** Everything below a root, once. Entries and skipped paths are sorted by path in UTF-16 order. */
export interface WalkResult {
  /** The resolved root. */
  readonly root: string
  readonly units: ReadonlyArray<Unit>
  readonly entries: ReadonlyArray<Entry>
  /** Paths found but not indexable. A reason `unreadable` on a folder means that its content is unknown. */
  readonly skipped: ReadonlyArray<Skipped>
  /** Tracked files that are not on disk (deleted, or left out by a sparse checkout). */
  readonly absent: number
  /** Files dropped by the caller's include and exclude patterns. */
  readonly excluded: number
  /** False when a folder could not be read, a unit's list was cut, or the entry limit was met: then a missing path is unknown, not absent. */
  readonly complete: boolean
}

/** What to leave out, and limits. */
export interface WalkOptions {
  /** `.gitignore`-style patterns; when given, only matching files are kept. */
  readonly include?: ReadonlyArray<string>
  /** `.gitignore`-style patterns, relative to the root. */
  readonly exclude?: ReadonlyArray<string>
  /** Of a path in what this server keeps for itself the path of that. It is skipped as one, with the reason `own_state`. */
  readonly kept?: (path: string) => string | undefined
  /** Milliseconds git gets to list one unit before our own walker takes over. Default 30 000. */
  readonly listTimeoutMs?: number
  /** Most entries. Default 1 000 000. */
  readonly maxEntries?: number
  /** The answer of `discover` for the root, for whoever has asked already. */
  readonly repository?: Effect.Effect<Repository, GitError>
  /** Paths that are likely to be listed: they are looked at while git lists. */
  readonly likely?: Iterable<string>
}

/** Folders a plain walk never enters, since nothing there says that they are ignored. */
const neverEntered: ReadonlySet<string> = new Set([
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
  ".pytest_cache",
  ".gradle"
])

const breath = 2000

interface State {
  readonly root: string
  readonly options: WalkOptions
  readonly include: Patterns | null
  readonly exclude: Patterns | null
  readonly units: Array<Unit>
  readonly entries: Array<Entry>
  readonly skipped: Array<Skipped>
  readonly folders: Map<string, boolean>
  /** What this server keeps for itself here. */
  readonly kept: Set<string>
  /** What was found at likely paths. */
  readonly foreseen: Map<string, Stats>
  absent: number
  excluded: number
  complete: boolean
  sinceBreath: number
}

const under = (folder: string, name: string): string => (folder === "" ? name : `${folder}/${name}`)

const wanted = (state: State, path: string): boolean => {
  if (state.exclude?.test(path) === true) return false
  return state.include === null || state.include.test(path) === true
}

/** Whether every component of a root-relative folder is a directory itself, not a link to one. */
const isRealFolder = (state: State, folder: string): boolean => {
  if (folder === "") return true
  const known = state.folders.get(folder)
  if (known !== undefined) return known
  const slash = folder.lastIndexOf("/")
  let real = isRealFolder(state, slash < 0 ? "" : folder.slice(0, slash))
  if (real) {
    try {
      real = lstatSync(join(state.root, folder), { throwIfNoEntry: false })?.isDirectory() === true
    } catch {
      real = false
    }
  }
  state.folders.set(folder, real)
  return real
}

const skip = (state: State, path: string, reason: SkipReason, detail: string | null): void => {
  state.skipped.push({ path, reason, detail })
}

/** Whether a path lies in what this server keeps for itself, which is said once. */
const isKept = (state: State, path: string): boolean => {
  const kept = state.options.kept?.(path)
  if (kept === undefined) return false
  if (!state.kept.has(kept)) {
    state.kept.add(kept)
    skip(state, kept, "own_state", null)
  }
  return true
}

/** Says where a link leads without reading anything there. */
const judgeLink = (state: State, path: string): void => {
  const absolute = join(state.root, path)
  try {
    const target = realpathSync.native(absolute)
    const inside = target === state.root || target.startsWith(state.root === "/" ? "/" : `${state.root}/`)
    skip(
      state,
      path,
      inside ? "symlink" : "symlink_outside",
      inside ? target.slice(state.root.length + 1) : null
    )
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code
    if (code === "ELOOP") skip(state, path, "symlink_loop", null)
    else if (code === "ENOENT" || code === "ENOTDIR") skip(state, path, danglingKind(state, absolute), null)
    else skip(state, path, "unreadable", code ?? null)
  }
}

/** A dangling link that points out of the root is first of all a link that points out of the root. */
const danglingKind = (state: State, absolute: string): SkipReason => {
  try {
    const target = readlinkSync(absolute)
    const place = isAbsolute(target) ? join(target) : join(dirname(absolute), target)
    return isWithin(place, state.root) ? "symlink_dangling" : "symlink_outside"
  } catch {
    return "symlink_dangling"
  }
}

/** Looks at one listed path and keeps it when it is a regular file. Returns false when nothing is there. */
const take = (state: State, path: string, unit: number, indexOid: string | null): boolean => {
  if (!wanted(state, path)) {
    state.excluded++
    return true
  }
  if (isKept(state, path)) return true
  const slash = path.lastIndexOf("/")
  if (slash > 0 && !isRealFolder(state, path.slice(0, slash))) {
    // The index may name a path whose folder is a link by now: what lies behind is not this file.
    const folder = path.slice(0, slash)
    let there: Stats | undefined
    try {
      there = lstatSync(join(state.root, folder), { throwIfNoEntry: false })
    } catch {
      there = undefined
    }
    if (there === undefined) return false
    skip(state, path, "behind_symlink", null)
    return true
  }
  let stat = state.foreseen.get(path)
  try {
    stat ??= lstatSync(`${state.root}/${path}`, { throwIfNoEntry: false })
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code
    if (code === "ENOTDIR") return false
    skip(state, path, code === "ENAMETOOLONG" ? "name_too_long" : "unreadable", code ?? null)
    return true
  }
  if (stat === undefined) return false
  if (stat.isFile()) {
    if (state.entries.length >= (state.options.maxEntries ?? 1_000_000)) {
      state.complete = false
      return true
    }
    state.entries.push({
      path,
      size: stat.size,
      mtimeMs: stat.mtimeMs,
      ctimeMs: stat.ctimeMs,
      ino: stat.ino,
      mode: stat.mode,
      indexOid,
      unit
    })
  } else if (stat.isSymbolicLink()) judgeLink(state, path)
  else if (!stat.isDirectory()) skip(state, path, "not_regular", kindOf(stat))
  else return false
  return true
}

/** Looks at the likely paths once git has been started. What cannot be looked at now is looked at in its turn. */
const foresee = (state: State): Effect.Effect<void> =>
  nextTurn.pipe(
    Effect.zipRight(
      Effect.sync(() => {
        for (const path of state.options.likely ?? []) {
          try {
            const stat = lstatSync(`${state.root}/${path}`, { throwIfNoEntry: false })
            if (stat !== undefined) state.foreseen.set(path, stat)
          } catch {
            // Said when it is listed.
          }
        }
      })
    )
  )

/** Whether other fibers are due a turn. */
const due = (state: State): boolean => {
  if (++state.sinceBreath < breath) return false
  state.sinceBreath = 0
  return true
}

const addUnit = (state: State, unit: Unit): number => state.units.push(unit) - 1

const nestedKind = (folder: string): UnitKind =>
  locateHere(folder)?.isWorktree === true ? "linked-worktree" : "nested-repository"

/** Walks one unit rooted at a root-relative folder. */
const walkUnit = (state: State, folder: string, kind: UnitKind): Effect.Effect<void> =>
  Effect.gen(function* () {
    const absolute = folder === "" ? state.root : join(state.root, folder)
    if (kind === "submodule" && locateHere(absolute) === null) {
      addUnit(state, {
        root: folder,
        kind,
        head: null,
        gitDir: null,
        commonDir: null,
        problem: "not_initialised"
      })
      return
    }
    const found = yield* Effect.either(
      folder === "" && state.options.repository !== undefined ? state.options.repository : discover(absolute)
    )
    if (found._tag === "Left") {
      const none = folder === "" && found.left.reason === "not_a_repository" && locateHere(absolute) === null
      const unit = addUnit(state, {
        root: folder,
        kind: none ? "plain" : kind,
        head: null,
        gitDir: null,
        commonDir: null,
        problem: none ? null : found.left.reason
      })
      return yield* walkPlain(state, folder, unit)
    }
    const repository = found.right
    const facts = {
      root: folder,
      kind,
      head: { ref: repository.headRef, oid: repository.headOid },
      gitDir: repository.gitDir,
      commonDir: repository.commonDir
    }
    const holds =
      repository.topLevel === absolute ||
      (folder === "" &&
        locateHere(absolute) === null &&
        absolute.startsWith(repository.topLevel === "/" ? "/" : `${repository.topLevel}/`))
    if (!holds) {
      return yield* walkPlain(state, folder, addUnit(state, { ...facts, problem: "work_tree_elsewhere" }))
    }
    const limits = { timeoutMs: state.options.listTimeoutMs ?? 30_000 }
    const listing = Effect.either(lsFiles(absolute, limits))
    const listed =
      folder === "" && state.options.likely !== undefined
        ? (yield* Effect.all([listing, foresee(state)], { concurrency: 2 }))[0]
        : yield* listing
    if (listed._tag === "Left") {
      return yield* walkPlain(state, folder, addUnit(state, { ...facts, problem: listed.left.reason }))
    }
    const { tracked, untracked } = listed.right
    const nothing =
      tracked.files.length === 0 && untracked.files.length === 0 && untracked.repositories.length === 0
    if (nothing && repository.topLevel !== absolute && (yield* ignoredByOuter(absolute))) {
      // The root is an ignored folder of some repository around it: that repository has no say in it.
      const unit = addUnit(state, {
        ...facts,
        kind: "plain",
        head: null,
        gitDir: null,
        commonDir: null,
        problem: null
      })
      return yield* walkPlain(state, folder, unit)
    }
    const unit = addUnit(state, { ...facts, problem: null })
    const submodules = new Set<string>()
    let previous = ""
    for (const file of tracked.files) {
      if (file.path === previous) continue
      previous = file.path
      const path = under(folder, file.path)
      if (file.mode === 0o160000) submodules.add(file.path)
      else if (!take(state, path, unit, file.stage === 0 ? file.oid : null)) state.absent++
      if (due(state)) yield* Effect.yieldNow()
    }
    const repositories = new Set(untracked.repositories.filter((path) => !submodules.has(path)))
    for (const path of untracked.files) {
      take(state, under(folder, path), unit, null)
      if (due(state)) yield* Effect.yieldNow()
    }
    for (const name of [...tracked.undecodable, ...untracked.undecodable]) {
      skip(state, under(folder, name), "name_not_utf8", null)
    }
    for (const path of untracked.unreadable) {
      skip(state, under(folder, path), "unreadable", "folder")
      state.complete = false
    }
    for (const path of submodules) {
      if (isRealFolder(state, under(folder, path))) yield* nested(state, under(folder, path), "submodule")
      else {
        addUnit(state, {
          root: under(folder, path),
          kind: "submodule",
          head: null,
          gitDir: null,
          commonDir: null,
          problem: "not_initialised"
        })
      }
    }
    for (const path of repositories) {
      const place = under(folder, path)
      if (isRealFolder(state, place)) yield* nested(state, place, nestedKind(join(state.root, place)))
    }
  })

const ignoredByOuter = (absolute: string): Effect.Effect<boolean> =>
  Effect.catchAll(isIgnored(absolute), () => Effect.succeed(false))

/** A unit below another one: entries the outer index claims inside it belong to the inner unit. */
const nested = (state: State, folder: string, kind: UnitKind): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (state.exclude?.test(`${folder}/`) === true || isKept(state, folder)) return Effect.void
    const prefix = `${folder}/`
    if (state.entries.some((entry) => entry.path.startsWith(prefix))) {
      const kept = state.entries.filter((entry) => !entry.path.startsWith(prefix))
      state.entries.length = 0
      for (const entry of kept) state.entries.push(entry)
    }
    return walkUnit(state, folder, kind)
  })

interface Level {
  /** Root-relative folder the rules were written in. */
  readonly folder: string
  readonly rules: ReadonlyArray<Patterns>
  readonly outer: Level | null
}

const isIgnoredBy = (level: Level | null, path: string, isFolder: boolean): boolean => {
  for (let at = level; at !== null; at = at.outer) {
    const relative = at.folder === "" ? path : path.slice(at.folder.length + 1)
    for (const rules of at.rules) {
      const answer = rules.test(isFolder ? `${relative}/` : relative)
      if (answer !== null) return answer
    }
  }
  return false
}

/** Lists a folder; names that are not UTF-8 are reported, since no string can name them. */
const list = (state: State, folder: string): ReadonlyArray<Dirent> | null => {
  const absolute = join(state.root, folder)
  let found: Array<Dirent>
  try {
    found = readdirSync(absolute, { withFileTypes: true })
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code
    skip(
      state,
      folder,
      code === "ENAMETOOLONG" ? "name_too_long" : "unreadable",
      `folder${code === undefined ? "" : ` ${code}`}`
    )
    state.complete = false
    return null
  }
  if (!found.some((entry) => entry.name.includes("\ufffd"))) return found
  const legible = new Set<string>()
  for (const bytes of readdirSync(absolute, { encoding: "buffer" }) as unknown as Array<Buffer>) {
    if (isUtf8(bytes)) legible.add(bytes.toString("utf8"))
    else skip(state, under(folder, displayBytes(bytes)), "name_not_utf8", null)
  }
  const seen = new Set<string>()
  return found.filter((entry) => {
    if (!legible.has(entry.name) || seen.has(entry.name)) return false
    seen.add(entry.name)
    return true
  })
}

/** Lists a unit without git: nested `.gitignore` and `.ignore` files, repositories below as units of their own. */
const walkPlain = (state: State, start: string, unit: number): Effect.Effect<void> =>
  Effect.gen(function* () {
    const base = readIgnoreFile(join(state.root, start, ".git", "info", "exclude"))
    const first: Level = { folder: start, rules: base === null ? [] : [base], outer: null }
    const pending: Array<{ readonly folder: string; readonly outer: Level }> = [
      { folder: start, outer: first }
    ]
    const inner: Array<string> = []
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const { folder } = next
      const entries = list(state, folder)
      if (entries === null) continue
      const rules: Array<Patterns> = []
      for (const name of [".ignore", ".gitignore"]) {
        if (!entries.some((entry) => entry.name === name && entry.isFile())) continue
        const patterns = readIgnoreFile(join(state.root, folder, name))
        if (patterns !== null) rules.push(patterns)
      }
      const level: Level = rules.length === 0 ? next.outer : { folder, rules, outer: next.outer }
      for (const entry of entries) {
        if (neverEntered.has(entry.name)) continue
        const path = under(folder, entry.name)
        const isFolder = entry.isDirectory()
        if (isIgnoredBy(level, path, isFolder) || (isFolder && isKept(state, path))) continue
        if (!isFolder) {
          take(state, path, unit, null)
          if (due(state)) yield* Effect.yieldNow()
        } else if (locateHere(join(state.root, path)) !== null) inner.push(path)
        else if (state.exclude?.test(`${path}/`) !== true) pending.push({ folder: path, outer: level })
      }
      if (due(state)) yield* Effect.yieldNow()
    }
    for (const path of inner) yield* nested(state, path, nestedKind(join(state.root, path)))
  })

const byPath = (a: { readonly path: string }, b: { readonly path: string }): number =>
  a.path < b.path ? -1 : a.path > b.path ? 1 : 0

/**
 * Finds every file below a root: in a repository what git tracks plus what it would let you add, elsewhere everything
 * ignore files do not cover. Submodules, linked work trees and repositories below the root become units of their own.
 * Fails only when the root itself cannot be used; trouble further down is part of the result.
 */
export const walk = (directory: string, options: WalkOptions = {}): Effect.Effect<WalkResult, PathRefused> =>
  Effect.gen(function* () {
    const root = yield* openRoot(directory)
    const state: State = {
      root: root.real,
      options,
      include:
        options.include === undefined || options.include.length === 0
          ? null
          : compilePatterns(options.include),
      exclude:
        options.exclude === undefined || options.exclude.length === 0
          ? null
          : compilePatterns(options.exclude),
      units: [],
      entries: [],
      skipped: [],
      folders: new Map(),
      kept: new Set(),
      foreseen: new Map(),
      absent: 0,
      excluded: 0,
      complete: true,
      sinceBreath: 0
    }
    yield* walkUnit(state, "", "git")
    return {
      root: root.real,
      units: state.units,
      entries: state.entries.sort(byPath),
      skipped: state.skipped.sort(byPath),
      absent: state.absent,
      excluded: state.excluded,
      complete: state.complete
    }
  })
