/**
 * Speculative files of sessions: texts and deletions that exist in memory only, on named branches. Whoever reads in a
 * session sees its active branch over the work tree; nobody else does.
 */
import { Effect } from "effect"
import { ServiceFailure } from "../../services/ServiceFailure.ts"
import type { OverlayConflict } from "../../services/OverlayStore.ts"
import type { OverlayBranch, OverlayFile, OverlayLife } from "../../services/OverlayView.ts"
import { mergeText } from "./Merge.ts"

/** The branch that is always there. */
export const mainBranch = "main"
/** Most files of a branch, and most bytes of their texts together. */
export const mostFiles = 257
export const mostBytes = 4_259_840
/** Milliseconds without use after which the overlays of a session are dropped. */
export const idleMs = 30 * 60 * 1000

const nameOfBranch = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/

type Files = ReadonlyMap<string, OverlayFile>

interface Branch {
  readonly name: string
  readonly parent: string | undefined
  /** The parent's files when this branch was made. */
  readonly ancestor: Files
  readonly createdAt: number
  files: Files
}

interface State {
  readonly workspace: string
  readonly branches: Map<string, Branch>
  readonly createdAt: number
  active: Branch
  usedAt: number
  /** Set when the files were dropped for want of use. */
  expired: boolean
}

/** The files a session reads over the work tree. Equal files are the same value until the branch changes. */
export type Active = Files

const none: Files = new Map()

const refuse = (reason: string, detail: string): ServiceFailure =>
  new ServiceFailure({ service: "OverlayStore", reason, detail, stateChanged: false })

const sizeOf = (file: OverlayFile): number => (file.deleted ? 0 : Buffer.byteLength(file.content))

/**
 * A file as it comes onto a branch. What is pushed again was made from what the branch shows, so it still rests on what
 * was on disk at first, unless the caller says what it is made from now.
 */
const resting = (file: OverlayFile, before: OverlayFile | undefined): OverlayFile =>
  file.baseSha !== undefined || before?.ground === undefined ? file : { ...file, ground: before.ground }

/** The same for several files that come onto a branch with these, by path. */
const rested = (
  files: ReadonlyArray<OverlayFile>,
  before: Files
): ReadonlyArray<readonly [path: string, file: OverlayFile]> =>
  files.map((file) => [file.path, resting(file, before.get(file.path))])

const same = (a: OverlayFile, b: OverlayFile): boolean =>
  a.deleted === b.deleted && a.baseSha === b.baseSha && (a.deleted || (!b.deleted && a.content === b.content))

/** Files in path order, the form every answer lists them in. */
export const sorted = (files: Files): ReadonlyArray<OverlayFile> =>
  [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1))

export class Overlays {
  readonly #states = new Map<string, State>()

  constructor(
    readonly options: { readonly idleMs?: number | undefined; readonly now?: (() => number) | undefined } = {}
  ) {}

  #now(): number {
    return this.options.now?.() ?? Date.now()
  }
  get #idle(): number {
    return this.options.idleMs ?? idleMs
  }

  #make(session: string, workspace: string): State {
    const at = this.#now()
    const main: Branch = { name: mainBranch, parent: undefined, ancestor: none, createdAt: at, files: none }
    const state: State = {
      workspace,
      branches: new Map([[mainBranch, main]]),
      createdAt: at,
      active: main,
      usedAt: at,
      expired: false
    }
    this.#states.set(session, state)
    return state
  }

  /** The state of a session, its files dropped if nobody used them for too long. */
  #state(session: string): State | undefined {
    const state = this.#states.get(session)
    if (state !== undefined && !state.expired && this.#now() - state.usedAt >= this.#idle) {
      state.expired = true
      state.branches.clear()
    }
    return state
  }

  #alive(session: string): Effect.Effect<State, ServiceFailure> {
    return Effect.suspend(() => {
      const state = this.#state(session)
      if (state === undefined)
        return refuse("overlay_session_unknown", "this session has no overlay; push a file or register first")
      if (state.expired) return this.#gone()
      state.usedAt = this.#now()
      return Effect.succeed(state)
    })
  }
  #gone(): ServiceFailure {
    return refuse(
      "overlay_session_unknown",
      `the overlay of this session was dropped after ${Math.round(this.#idle / 1000)} s without use; its files are gone`
    )
  }

  /** As {@link Overlays.#alive}, made anew where there is none. */
  #made(session: string, workspace: string): Effect.Effect<State, ServiceFailure> {
    return Effect.suspend(() => {
      const state = this.#state(session)
      if (state === undefined) return Effect.succeed(this.#make(session, workspace))
      if (state.expired) return this.#gone()
      state.usedAt = this.#now()
      return Effect.succeed(state)
    })
  }

  #branch(state: State, name: string): Effect.Effect<Branch, ServiceFailure> {
    const branch = state.branches.get(name)
    return branch === undefined
      ? refuse("not_found", `no branch ${name}; there are ${[...state.branches.keys()].join(", ")}`)
      : Effect.succeed(branch)
  }

  #hold(branch: Branch, files: Files): Effect.Effect<void, ServiceFailure> {
    return Effect.suspend(() => {
      const bytes = [...files.values()].reduce((sum, file) => sum + sizeOf(file), 0)
      if (files.size > mostFiles)
        return refuse(
          "range_too_large",
          `a branch holds at most ${mostFiles} files; this would be ${files.size}`
        )
      if (bytes > mostBytes)
        return refuse("range_too_large", `a branch holds at most ${mostBytes} bytes; this would be ${bytes}`)
      branch.files = files
      return Effect.void
    })
  }

  #described(state: State, branch: Branch): OverlayBranch {
    return {
      name: branch.name,
      active: branch === state.active,
      parent: branch.parent,
      files: branch.files.size,
      guarded: [...branch.files.values()].filter((file) => file.baseSha !== undefined).length,
      bytes: [...branch.files.values()].reduce((sum, file) => sum + sizeOf(file), 0),
      created_at: new Date(branch.createdAt).toISOString()
    }
  }

  #life(session: string, state: State): OverlayLife {
    return {
      session,
      workspace: state.workspace,
      branch: state.active.name,
      created_at: new Date(state.createdAt).toISOString(),
      last_used_at: new Date(state.usedAt).toISOString(),
      idle_seconds: Math.floor((this.#now() - state.usedAt) / 1000),
      idle_ttl_seconds: Math.floor(this.#idle / 1000),
      expires_at: new Date(state.usedAt + this.#idle).toISOString(),
      expired: state.expired
    }
  }

  // ---- reading -----------------------------------------------------------------------------------

  /** The files to read over the work tree, which counts as use; undefined when there are none. */
  active(session: string | undefined): Effect.Effect<Active | undefined, ServiceFailure> {
    return Effect.suspend(() => {
      const state = session === undefined ? undefined : this.#state(session)
      if (state === undefined) return Effect.succeed(undefined)
      if (state.expired) return this.#gone()
      state.usedAt = this.#now()
      return Effect.succeed(state.active.files.size === 0 ? undefined : state.active.files)
    })
  }

  /** Without extending its life; undefined for a session without an overlay. */
  life(session: string): OverlayLife | undefined {
    const state = this.#state(session)
    return state === undefined ? undefined : this.#life(session, state)
  }

  /** Without extending their life. A session without an overlay has an empty main branch. */
  branches(session: string): ReadonlyArray<OverlayBranch> {
    const state = this.#state(session)
    return state === undefined
      ? [
          {
            name: mainBranch,
            active: true,
            parent: undefined,
            files: 0,
            guarded: 0,
            bytes: 0,
            created_at: undefined
          }
        ]
      : [...state.branches.values()].map((branch) => this.#described(state, branch))
  }

  /** Files of a branch, the active one when none is named, without extending their life. */
  files(session: string, name?: string): Effect.Effect<Files, ServiceFailure> {
    return Effect.suspend(() => {
      const state = this.#state(session)
      if (state?.expired === true) return this.#gone()
      if (state === undefined)
        return name === undefined || name === mainBranch
          ? Effect.succeed(none)
          : refuse("not_found", `no branch ${name}; there is ${mainBranch}`)
      return name === undefined
        ? Effect.succeed(state.active.files)
        : Effect.map(this.#branch(state, name), ({ files }) => files)
    })
  }

  // ---- writing -----------------------------------------------------------------------------------

  /** Starts an overlay, or finds the one there is. One session has one workspace. */
  register(session: string, workspace: string): Effect.Effect<OverlayLife, ServiceFailure> {
    return Effect.suspend(() => {
      const state = this.#state(session)
      if (state === undefined || state.expired)
        return Effect.succeed(this.#life(session, this.#make(session, workspace)))
      if (state.workspace !== workspace)
        return refuse("workspace_unknown", `this session's overlay lies over ${state.workspace}`)
      state.usedAt = this.#now()
      return Effect.succeed(this.#life(session, state))
    })
  }

  keepalive(session: string): Effect.Effect<OverlayLife, ServiceFailure> {
    return Effect.map(this.#alive(session), (state) => this.#life(session, state))
  }

  /** Puts files onto the active branch, all or none. */
  push(
    session: string,
    workspace: string,
    files: ReadonlyArray<OverlayFile>
  ): Effect.Effect<void, ServiceFailure> {
    return Effect.flatMap(this.#made(session, workspace), (state) =>
      this.#hold(state.active, new Map([...state.active.files, ...rested(files, state.active.files)]))
    )
  }

  /** Replaces all files of the active branch. */
  replace(
    session: string,
    workspace: string,
    files: ReadonlyArray<OverlayFile>
  ): Effect.Effect<void, ServiceFailure> {
    return Effect.flatMap(this.#made(session, workspace), (state) =>
      this.#hold(state.active, new Map(rested(files, state.active.files)))
    )
  }

  /** Takes a file off the active branch; false when it was not on it. */
  remove(session: string, path: string): Effect.Effect<boolean, ServiceFailure> {
    return Effect.map(this.#alive(session), (state) => {
      if (!state.active.files.has(path)) return false
      const files = new Map(state.active.files)
      files.delete(path)
      state.active.files = files
      return true
    })
  }

  /** Forgets all branches of a session; false when it had none. */
  drop(session: string): boolean {
    return this.#states.delete(session)
  }

  fork(
    session: string,
    workspace: string,
    options: {
      readonly name: string
      readonly from?: string | undefined
      readonly activate?: boolean | undefined
    }
  ): Effect.Effect<OverlayBranch, ServiceFailure> {
    return Effect.gen(this, function* () {
      const { name } = options
      if (!nameOfBranch.test(name))
        return yield* refuse(
          "invalid_argument",
          "a branch name begins with a letter or digit and has at most 64 letters, digits, dashes and underscores"
        )
      const state = yield* this.#made(session, workspace)
      if (state.branches.has(name)) return yield* refuse("conflict", `there is a branch ${name} already`)
      const parent = options.from === undefined ? state.active : yield* this.#branch(state, options.from)
      const branch: Branch = {
        name,
        parent: parent.name,
        ancestor: parent.files,
        createdAt: this.#now(),
        files: parent.files
      }
      state.branches.set(name, branch)
      if (options.activate === true) state.active = branch
      return this.#described(state, branch)
    })
  }

  switchTo(session: string, name: string): Effect.Effect<OverlayBranch, ServiceFailure> {
    return Effect.gen(this, function* () {
      const state = yield* this.#alive(session)
      state.active = yield* this.#branch(state, name)
      return this.#described(state, state.active)
    })
  }

  /** Forgets a branch that is neither main nor active. */
  dropBranch(session: string, name: string): Effect.Effect<void, ServiceFailure> {
    return Effect.gen(this, function* () {
      const state = yield* this.#alive(session)
      const branch = yield* this.#branch(state, name)
      if (name === mainBranch) return yield* refuse("conflict", `${mainBranch} cannot be dropped`)
      if (branch === state.active)
        return yield* refuse("conflict", `${name} is active; switch to another branch first`)
      state.branches.delete(name)
    })
  }

  /** Forgets a branch whose files were written to disk: main is emptied, and an active one gives way to main. */
  retire(session: string, name: string): Effect.Effect<void, ServiceFailure> {
    return Effect.gen(this, function* () {
      const state = yield* this.#alive(session)
      const branch = yield* this.#branch(state, name)
      if (name === mainBranch) branch.files = none
      else {
        if (branch === state.active) state.active = yield* this.#branch(state, mainBranch)
        state.branches.delete(name)
      }
    })
  }

  /**
   * Folds one branch into another: what only one side changed is taken, what both did is merged by hunks against what
   * they come from (the fork, else the work tree, read by `disk`). Where that fails nothing is merged, unless `force`
   * lets the source win. The source branch stays.
   */
  merge(
    session: string,
    options: { readonly from: string; readonly into: string; readonly force: boolean },
    disk: (path: string) => Effect.Effect<string | undefined, ServiceFailure>
  ): Effect.Effect<
    { readonly merged: ReadonlyArray<string>; readonly conflicts: ReadonlyArray<OverlayConflict> },
    ServiceFailure
  > {
    return Effect.gen(this, function* () {
      const state = yield* this.#alive(session)
      const from = yield* this.#branch(state, options.from)
      const into = yield* this.#branch(state, options.into)
      if (from === into) return yield* refuse("invalid_argument", "a branch is not merged into itself")
      const ancestor =
        from.parent === into.name ? from.ancestor : into.parent === from.name ? into.ancestor : undefined
      const source = from.files
      const before = into.files
      const files = new Map(before)
      const merged: Array<string> = []
      const conflicts: Array<OverlayConflict> = []
      const conflict = (theirs: OverlayFile | undefined, path: string, reason: OverlayConflict["reason"]) => {
        conflicts.push({
          path,
          reason,
          ...(options.force ? { resolution: "last-writer-wins" as const } : {})
        })
        if (!options.force) return
        if (theirs === undefined) files.delete(path)
        else files.set(path, theirs)
        merged.push(path)
      }
      // What the source took off again since the fork is a change of its own.
      const paths = new Set([...source.keys(), ...(ancestor === undefined ? [] : ancestor.keys())])
      for (const path of [...paths].sort()) {
        const [theirs, ours, root] = [source.get(path), before.get(path), ancestor?.get(path)]
        const unchanged = (side: OverlayFile | undefined) =>
          ancestor !== undefined &&
          (side === undefined || root === undefined ? side === root : same(side, root))
        if (
          theirs === ours ||
          (theirs !== undefined && ours !== undefined && same(theirs, ours)) ||
          unchanged(theirs)
        )
          continue
        if (ours === undefined ? ancestor === undefined || root === undefined : unchanged(ours)) {
          if (theirs === undefined) files.delete(path)
          else files.set(path, theirs)
          merged.push(path)
          continue
        }
        if (theirs === undefined || ours === undefined || theirs.deleted || ours.deleted) {
          conflict(theirs, path, "deleted")
          continue
        }
        if (theirs.baseSha !== ours.baseSha) {
          conflict(theirs, path, "base_sha")
          continue
        }
        const base = root !== undefined ? (root.deleted ? undefined : root.content) : yield* disk(path)
        const folded = base === undefined ? undefined : mergeText(base, ours.content, theirs.content)
        if (folded === undefined || !("text" in folded)) {
          conflict(theirs, path, "content")
          continue
        }
        files.set(path, { ...ours, content: folded.text })
        merged.push(path)
      }
      if (conflicts.length > 0 && !options.force) return { merged: [], conflicts }
      yield* this.#hold(into, files)
      return { merged, conflicts }
    })
  }
}
