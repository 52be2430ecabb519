/**
 * Where the lines of files come from, and which commits touched ranges of them: one walk from a commit to its ancestors
 * that carries all files and ranges along. At each commit the difference to a parent says which lines are its own; the
 * rest is the parent's, at other line numbers. Of a merge, what one parent has unchanged is that parent's.
 *
 * Ranges are carried by the rules of `git log -L`: lines of a hunk that touches a range leave it, and all lines the hunk
 * had before join it.
 */
import { Effect, Stream } from "effect"
import type { CommitGraph } from "./CommitGraph.ts"
import { emptyTree } from "./Diff.ts"
import { GitError } from "./GitError.ts"
import { type FileDiff, type TreeDiff, treeDiffs } from "./TreeDiffs.ts"

/** Lines from 0, the end not part of it, one pair after the other, ascending and apart. */
export type LineSet = ReadonlyArray<number>

/** Lines of a file at some commit that are still without origin: start, end, and what its first one is in the end. */
export type Segments = ReadonlyArray<number>

/** A file of the commit the walk begins at. */
export interface Tracked {
  readonly path: string
  /** Lines to find the origin of, and how many there are in the end. */
  readonly segments: Segments
  readonly size: number
  readonly ranges: ReadonlyArray<LineSet>
}

/** Places are those of commits in the graph, in the order of the walk. */
export interface Traced {
  /** Place of the commit of each line; -2 where the walk ended before it was found. */
  readonly origins: Int32Array
  /** Commits that touched each range; merges do not count. */
  readonly touches: ReadonlyArray<ReadonlyArray<number>>
  /** Commits that touched the file, under whatever name. */
  readonly commits: ReadonlyArray<number>
  readonly added: number
  readonly deleted: number
  /** Whether the walk found the file's beginning. */
  readonly whole: boolean
}

interface Held {
  readonly file: number
  readonly segments: Segments
  /** Numbers of ranges, and what of each is here. */
  readonly ranges: ReadonlyMap<number, LineSet>
}

type Holding = Map<string, ReadonlyArray<Held>>

/** Origin of a line the walk did not get to the bottom of. */
const unknown = -2

export interface Hunk {
  readonly oldStart: number
  readonly oldEnd: number
  readonly newStart: number
  readonly newEnd: number
}

/** Counted from 0, ends not part of them; a side without lines is the place between two. */
export const hunksOf = (file: { readonly hunks: ReadonlyArray<number> }): ReadonlyArray<Hunk> => {
  const out: Array<Hunk> = []
  for (let at = 0; at < file.hunks.length; at += 4) {
    const [os, ol, ns, nl] = [file.hunks[at]!, file.hunks[at + 1]!, file.hunks[at + 2]!, file.hunks[at + 3]!]
    const oldStart = ol === 0 ? os : os - 1
    const newStart = nl === 0 ? ns : ns - 1
    out.push({ oldStart, oldEnd: oldStart + ol, newStart, newEnd: newStart + nl })
  }
  return out
}

/** Whether a difference tells line by line what became of a file's lines. */
const isWhole = (file: FileDiff): boolean =>
  file.kind === "added" || file.kind === "type_changed" || file.binary

/** Pairs of both, those that meet as one. */
const union = (a: LineSet, b: LineSet): LineSet => {
  if (a.length + b.length === 2) return a.length === 0 ? b : a

  const pairs: Array<readonly [number, number]> = []
  for (const set of [a, b]) for (let i = 0; i < set.length; i += 2) pairs.push([set[i]!, set[i + 1]!])
  pairs.sort((x, y) => x[0] - y[0])
  const out: Array<number> = []
  for (const [start, end] of pairs) {
    const last = out.length - 1
    if (last >= 0 && start <= out[last]!) out[last] = Math.max(out[last]!, end)
    else out.push(start, end)
  }
  return out
}

const overlaps = (set: LineSet, start: number, end: number): boolean => {
  for (let i = 0; i < set.length; i += 2) if (set[i]! < end && start < set[i + 1]!) return true
  return false
}

/** A range before a change, and whether the change touched it. */
export const rangeBefore = (
  set: LineSet,
  hunks: ReadonlyArray<Hunk>
): { readonly touched: boolean; readonly set: LineSet } => {
  const touching = hunks.filter(({ newEnd, newStart }) => overlaps(set, newStart, newEnd))
  const kept: Array<number> = []
  for (let i = 0; i < set.length; i += 2) {
    let start = set[i]!
    const end = set[i + 1]!
    for (const { newEnd, newStart } of touching) {
      if (newEnd <= start && newStart < start) continue
      if (newStart >= end) break
      if (newStart > start) kept.push(start, newStart)
      start = Math.max(start, newEnd)
    }
    if (start < end) kept.push(start, end)
  }
  const shifted: Array<number> = []
  let offset = 0
  let next = 0
  for (let i = 0; i < kept.length; i += 2) {
    while (next < hunks.length && kept[i]! >= hunks[next]!.newStart) {
      const { newEnd, newStart, oldEnd, oldStart } = hunks[next++]!
      offset += oldEnd - oldStart - (newEnd - newStart)
    }
    shifted.push(kept[i]! + offset, kept[i + 1]! + offset)
  }
  const joined = touching
    .filter(({ oldEnd, oldStart }) => oldEnd > oldStart)
    .flatMap(({ oldEnd, oldStart }) => [oldStart, oldEnd])
  return { touched: touching.length > 0, set: union(shifted, joined) }
}

/** Segments before a change: those the other side has too at their places there, and those that are new. */
export const segmentsBefore = (
  segments: Segments,
  hunks: ReadonlyArray<Hunk>
): { readonly before: Segments; readonly own: Segments } => {
  const before: Array<number> = []
  const own: Array<number> = []
  for (let i = 0; i < segments.length; i += 3) {
    let start = segments[i]!
    const end = segments[i + 1]!
    let target = segments[i + 2]!
    let offset = 0
    const cut = (to: number, into: Array<number>, by: number) => {
      if (to <= start) return
      into.push(start + by, to + by, target)
      target += to - start
      start = to
    }
    for (const { newEnd, newStart, oldEnd, oldStart } of hunks) {
      if (newStart >= end) break
      cut(Math.min(newStart, end), before, offset)
      cut(Math.min(newEnd, end), own, 0)
      offset += oldEnd - oldStart - (newEnd - newStart)
    }
    cut(end, before, offset)
  }
  return { before, own }
}

const put = (into: Holding, path: string, held: ReadonlyArray<Held>): void => {
  const there = into.get(path)
  if (there === undefined || there === held) {
    into.set(path, held)
    return
  }
  const out = [...there]
  for (const one of held) {
    const place = out.findIndex(({ file }) => file === one.file)
    if (place < 0) {
      out.push(one)
      continue
    }
    const known = out[place]!
    if (known === one) continue
    const ranges = new Map(known.ranges)
    for (const [range, set] of one.ranges) ranges.set(range, union(ranges.get(range) ?? [], set))
    out[place] = { file: one.file, segments: [...known.segments, ...one.segments], ranges }
  }
  into.set(path, out)
}

/** The walk's books. */
class Walk {
  readonly #graph: CommitGraph
  readonly #tracked: ReadonlyArray<Tracked>
  readonly #states: Array<Holding | undefined>
  readonly #origins: ReadonlyArray<Int32Array>
  readonly #touches: ReadonlyArray<ReadonlyArray<Array<number>>>
  readonly #commits: ReadonlyArray<Array<number>>
  readonly #added: Float64Array
  readonly #deleted: Float64Array
  readonly #whole: Uint8Array

  constructor(graph: CommitGraph, tracked: ReadonlyArray<Tracked>) {
    this.#graph = graph
    this.#tracked = tracked
    this.#states = graph.commits.map(() => undefined)
    this.#origins = tracked.map(({ size }) => new Int32Array(size).fill(unknown))
    this.#touches = tracked.map(({ ranges }) => ranges.map(() => []))
    this.#commits = tracked.map(() => [])
    this.#added = new Float64Array(tracked.length)
    this.#deleted = new Float64Array(tracked.length)
    this.#whole = new Uint8Array(tracked.length).fill(1)
    const first: Holding = new Map()
    tracked.forEach(({ path, ranges, segments }, file) => {
      put(first, path, [
        { file, segments, ranges: new Map(ranges.map((set, range) => [range, set] as const)) }
      ])
    })
    if (graph.commits.length > 0) this.#states[0] = first
  }

  #assign(file: number, segments: Segments, place: number): void {
    const origins = this.#origins[file]!
    for (let i = 0; i < segments.length; i += 3)
      origins.fill(place, segments[i + 2]!, segments[i + 2]! + segments[i + 1]! - segments[i]!)
  }

  #give(place: number, holding: Holding): void {
    const there = this.#states[place]
    if (there === undefined) {
      this.#states[place] = holding
      return
    }
    const [into, from] = there.size >= holding.size ? [there, holding] : [holding, there]
    for (const [path, held] of from) put(into, path, held)
    this.#states[place] = into
  }

  #lose(holding: Holding): void {
    for (const held of holding.values()) for (const { file } of held) this.#whole[file] = 0
  }

  /** Takes the differences of one commit to its parents, in their order; undefined where the two are the same. */
  take(place: number, diffs: ReadonlyArray<TreeDiff | undefined>): void {
    const state = this.#states[place]
    if (state === undefined) return
    this.#states[place] = undefined
    const { id, parents } = this.#graph.commits[place]!
    if (this.#graph.boundary.has(id)) return this.#lose(state)
    const places = parents.map((parent) => this.#graph.placeOf.get(parent))
    if (parents.length <= 1) this.#plain(place, state, parents.length === 0 ? undefined : places[0], diffs[0])
    else this.#merge(place, state, places, diffs)
  }

  /** A commit with one parent or none; then everything is its own. */
  #plain(place: number, state: Holding, parent: number | undefined, diff: TreeDiff | undefined): void {
    const isRoot = this.#graph.commits[place]!.parents.length === 0
    if (!isRoot && parent === undefined && !this.#graph.beyond.has(this.#graph.commits[place]!.parents[0]!))
      return this.#lose(state)
    const moved: Array<readonly [string, ReadonlyArray<Held>]> = []
    for (const file of diff?.files ?? []) {
      const held = state.get(file.path)
      if (held === undefined) continue
      state.delete(file.path)
      const hunks = hunksOf(file)
      const next: Array<Held> = []
      for (const one of held) {
        this.#commits[one.file]!.push(place)
        for (const { newEnd, newStart, oldEnd, oldStart } of hunks) {
          this.#added[one.file]! += newEnd - newStart
          this.#deleted[one.file]! += oldEnd - oldStart
        }
        const touches = this.#touches[one.file]!
        if (isWhole(file)) {
          this.#assign(one.file, one.segments, place)
          for (const range of one.ranges.keys()) touches[range]!.push(place)
          if (file.kind !== "added") next.push({ file: one.file, segments: [], ranges: new Map() })
          continue
        }
        const { before, own } = segmentsBefore(one.segments, hunks)
        this.#assign(one.file, own, place)
        const ranges = new Map<number, LineSet>()
        for (const [range, set] of one.ranges) {
          const earlier = rangeBefore(set, hunks)
          if (earlier.touched) touches[range]!.push(place)
          if (earlier.set.length > 0) ranges.set(range, earlier.set)
        }
        next.push({ file: one.file, segments: before, ranges })
      }
      if (next.length > 0) moved.push([file.oldPath ?? file.path, next])
    }
    for (const [path, held] of moved) put(state, path, held)
    if (parent !== undefined) this.#give(parent, state)
    else if (!isRoot) this.#lose(state)
  }

  #merge(
    place: number,
    state: Holding,
    parents: ReadonlyArray<number | undefined>,
    diffs: ReadonlyArray<TreeDiff | undefined>
  ): void {
    const changed = diffs.map(
      (diff) => new Map((diff?.files ?? []).map((file) => [file.path, file] as const))
    )
    const given: ReadonlyArray<Holding> = parents.map(() => new Map())
    for (const path of changed[0]!.keys()) {
      const held = state.get(path)
      if (held === undefined) continue
      state.delete(path)
      const same = changed.findIndex((files) => !files.has(path))
      if (same >= 0) put(given[same]!, path, held)
      else
        for (const one of held)
          this.#split(
            place,
            one,
            changed.map((files) => files.get(path)!),
            given
          )
    }
    parents.forEach((parent, i) => {
      const mine = given[i]!
      if (i === 0) for (const [path, held] of mine) put(state, path, held)
      const all = i === 0 ? state : mine
      if (all.size === 0) return
      if (parent === undefined) this.#lose(all)
      else this.#give(parent, all)
    })
  }

  /** A file that differs from all parents of a merge. */
  #split(place: number, one: Held, files: ReadonlyArray<FileDiff>, given: ReadonlyArray<Holding>): void {
    const hunks = files.map(hunksOf)
    let left = one.segments
    const sets = files.map((file, i) =>
      isWhole(file)
        ? undefined
        : new Map([...one.ranges].map(([range, set]) => [range, rangeBefore(set, hunks[i]!)] as const))
    )
    files.forEach((file, i) => {
      const earlier = sets[i]
      if (earlier === undefined) return
      const { before, own } = segmentsBefore(left, hunks[i]!)
      left = own
      const ranges = new Map<number, LineSet>()
      for (const [range, { set }] of earlier) {
        const untouched = sets.findIndex((other) => other !== undefined && !other.get(range)!.touched)
        if (set.length > 0 && (untouched < 0 || untouched === i)) ranges.set(range, set)
      }
      put(given[i]!, file.oldPath ?? file.path, [{ file: one.file, segments: before, ranges }])
    })
    this.#assign(one.file, left, place)
  }

  /** What was found, once every commit was taken. */
  traced(): ReadonlyArray<Traced> {
    return this.#tracked.map((_, file) => ({
      origins: this.#origins[file]!,
      touches: this.#touches[file]!,
      commits: this.#commits[file]!,
      added: this.#added[file]!,
      deleted: this.#deleted[file]!,
      whole: this.#whole[file] === 1
    }))
  }
}

/** Pairs of trees a walk needs, commit by commit. */
const pairsOf = (graph: CommitGraph, empty: string) => {
  const pairs: Array<readonly [string, string]> = []
  /** For each commit, the places of its pairs; -1 where nothing differs or the parent is not here. */
  const places = graph.commits.map(({ id, parents, tree }) => {
    const add = (old: string): number => (old === tree ? -1 : pairs.push([old, tree]) - 1)
    if (graph.boundary.has(id)) return []
    if (parents.length === 0) return [add(empty)]
    return parents.map((parent) => {
      const place = graph.placeOf.get(parent)
      const other = place === undefined ? graph.beyond.get(parent) : graph.commits[place]!.tree
      return other === undefined ? -1 : add(other)
    })
  })
  return { pairs, places }
}

/** Walks the graph from its first commit. `seen` is told how many commits are done. */
export const lineage = (
  directory: string,
  graph: CommitGraph,
  tracked: ReadonlyArray<Tracked>,
  seen: (commits: number) => Effect.Effect<void> = () => Effect.void
): Effect.Effect<ReadonlyArray<Traced>, GitError> =>
  Effect.gen(function* () {
    const walk = new Walk(graph, tracked)
    if (graph.commits.length === 0) return walk.traced()
    const { pairs, places } = pairsOf(graph, yield* emptyTree(directory))
    let at = 0
    let waiting: Array<TreeDiff | undefined> = []
    let told = 0
    /** Takes all commits that need no further difference. */
    const advance = (diff: TreeDiff | undefined) => {
      let one = diff
      while (at < places.length) {
        const wanted = places[at]!
        while (waiting.length < wanted.length) {
          if (wanted[waiting.length]! < 0) waiting.push(undefined)
          else if (one === undefined) return
          else {
            waiting.push(one)
            one = undefined
          }
        }
        walk.take(at, waiting)
        waiting = []
        at++
      }
    }
    advance(undefined)
    yield* Stream.runForEach(treeDiffs(directory, pairs), (diff) => {
      advance(diff)
      if (at - told < 256) return Effect.void
      told = at
      return seen(at)
    })
    if (at < places.length)
      return yield* new GitError({
        reason: "unexpected_output",
        cwd: directory,
        command: "diff-tree",
        exitCode: 0,
        stderr: `${pairs.length} pairs of trees, and not an answer for each`
      })
    return walk.traced()
  })
