/**
 * From one snapshot to the next: the files whose names may mean something else are looked up again, and no others.
 * Names are looked up in a world whose files are numbered in the order of their paths, so that what is found never
 * depends on the order in which files came to be known.
 */
import { createHash } from "node:crypto"
import type { Interner } from "../languages/Interner.ts"
import { G, type Resolved, S } from "./Edges.ts"
import { type Impact, impactOf } from "./Impact.ts"
import { familiesOf } from "./resolve/families.ts"
import { Link } from "./resolve/Attached.ts"
import { Resolver } from "./resolve/Resolver.ts"
import { forgetValues } from "./resolve/Value.ts"
import type { Common, Likeness } from "./Likeness.ts"
import { patched } from "./Patched.ts"
import { Words } from "./Words.ts"
import {
  type FileEntry,
  Incoming,
  type Ranked,
  renumbered,
  type Snapshot,
  type Unit,
  worldOf
} from "./Snapshot.ts"

export interface Changes {
  /** New or changed files; an id that is already in use replaces that file. */
  readonly entries: ReadonlyArray<FileEntry>
  readonly removed: ReadonlyArray<number>
  readonly units: ReadonlyArray<Unit>
  readonly at: number
}

export const emptySnapshot = (names: Interner): Snapshot => ({
  generation: 0,
  files: [],
  byPath: new Map(),
  resolved: [],
  names,
  units: [],
  incoming: new Incoming([], []),
  configs: new Map(),
  at: 0
})

/** What an update looked up again: for measuring and for tests. */
export interface Looked {
  readonly files: number
  readonly all: boolean
}
const looks = new WeakMap<Snapshot, Looked>()
export const lookedUp = (snapshot: Snapshot): Looked | undefined => looks.get(snapshot)

/** Whether an entry has the bytes and the facts that are known already, whatever its stat. */
const isTold = (old: FileEntry | undefined, entry: FileEntry): boolean =>
  old !== undefined &&
  old.path === entry.path &&
  old.language === entry.language &&
  old.view === entry.view &&
  old.skip === entry.skip &&
  old.oid === entry.oid &&
  old.oid !== ""

export const update = (
  previous: Snapshot,
  changes: Changes,
  readConfig: (path: string) => string | undefined
): Snapshot => {
  const files = previous.files.slice()
  /** Whether the same files are there, and those with facts in the same language. */
  const inPlace =
    changes.removed.length === 0 &&
    changes.entries.every((entry) => {
      const old = files[entry.id]
      return (
        old?.path === entry.path &&
        old.language === entry.language &&
        (old.view === undefined) === (entry.view === undefined)
      )
    })
  const byPath = inPlace ? previous.byPath : new Map(previous.byPath)
  const paths = byPath as Map<string, number>
  for (const id of changes.removed) {
    const file = files[id]
    if (file !== undefined && paths.get(file.path) === id) paths.delete(file.path)
    files[id] = undefined
  }
  for (const entry of changes.entries) {
    while (files.length < entry.id) files.push(undefined)
    const old = files[entry.id]
    files[entry.id] = entry
    if (inPlace) continue
    if (old !== undefined && old.path !== entry.path && paths.get(old.path) === entry.id)
      paths.delete(old.path)
    paths.set(entry.path, entry.id)
  }
  const { names } = previous
  // In another work tree of the repository all files have other stats, and nearly all are what they were.
  const news = changes.entries.filter((entry) => !isTold(previous.files[entry.id], entry))
  const many = previous.generation === 0 || news.length + changes.removed.length > files.length * 0.3
  const impact: Impact = many
    ? { dirty: undefined, moved: new Map(), alike: new Map(), bases: [] }
    : impactOf(previous, news, changes.removed, files, names)
  let { configs } = previous
  let { dirty } = impact
  const resolved: Array<Resolved | undefined> = previous.resolved.slice()
  while (resolved.length < files.length) resolved.push(undefined)
  const asked = news.some(
    (e) => e.path.endsWith(".json") || e.path.endsWith(".mod") || e.path.endsWith(".toml")
  )
  let linked = links.get(previous.resolved)
  /** Files that are like what they were, with what they have in common with that. */
  const alike = commonOf(impact)
  const settled =
    asked || changes.removed.length > 0 ? undefined : settledOf(previous, impact, alike, readConfig)
  if (settled !== undefined) for (const [id, slice] of settled) resolved[id] = slice
  else if (dirty === undefined || dirty.size > 0 || asked || changes.removed.length > 0) {
    if (linked !== undefined && dirty !== undefined && impact.moved.size > 0)
      linked = movedLinks(linked, impact.moved, dirty)
    const read = new Map<string, string>()
    const texts: Array<string> = []
    const ranked = worldOf(files, byPath, names, (path) => {
      const text = readConfig(path)
      read.set(path, digestOf(text))
      if (text !== undefined) texts.push(text)
      return text
    })
    const { idOf, world } = ranked
    const resolver = new Resolver(world, familiesOf)
    if (
      dirty !== undefined &&
      (!sameConfigs(previous.configs, read) ||
        impact.bases.some((base) => texts.some((text) => text.includes(base))))
    ) {
      dirty = undefined
    }
    configs = read
    const known = dirty === undefined || linked === undefined ? undefined : recordsIn(linked, ranked)
    const kept = dirty
    linked = {
      idOf,
      records: resolver.link((file) => {
        const id = idOf[file.id]!
        return kept === undefined || (kept.has(id) && !alike.has(id)) ? undefined : known?.[file.id]
      })
    }
    // In the order of paths too: what is learnt on the way to one answer may be remembered for the next.
    for (const file of world.files) {
      const id = file === undefined ? -1 : idOf[file.id]!
      if (file === undefined || (dirty !== undefined && !dirty.has(id))) continue
      const like = dirty === undefined ? undefined : alike.get(id)
      const before = previous.resolved[id]
      resolved[id] =
        like === undefined || before === undefined
          ? inIds(resolver.resolve(file), idOf)
          : like.likeness.joined(
              like.common,
              before,
              inIds(resolver.resolve(file, like.common.head, like.common.tail), idOf)
            )
    }
    forgetValues()
  }
  files.forEach((file, id) => {
    if (file?.view === undefined) resolved[id] = undefined
  })
  if (dirty !== undefined) {
    for (const [file, map] of impact.moved) {
      const sources = new Set<number>()
      let some = false
      for (let i = 0; i < map.length; i++) {
        if (map[i] === i) continue
        some = true
        previous.incoming.each(file, i, (source) => sources.add(source))
      }
      for (let id = 0; some && id < resolved.length; id++) {
        const slice = resolved[id]
        if (slice !== undefined && !dirty.has(id) && (slice.supers.length > 0 || sources.has(id)))
          resolved[id] = renumbered(slice, file, map)
      }
    }
  }
  const next: Snapshot = {
    generation: previous.generation + 1,
    files,
    byPath,
    resolved,
    names,
    units: changes.units,
    incoming:
      dirty !== undefined && inPlace
        ? patched(previous, files, resolved, spokenAnew(previous, resolved, dirty), impact.moved)
        : new Incoming(files, resolved),
    configs,
    at: changes.at
  }
  if (linked !== undefined) links.set(resolved, linked)
  looks.set(next, { files: dirty?.size ?? files.length, all: dirty === undefined })
  return next
}

/** A file that is like what it was. */
interface Alike {
  readonly likeness: Likeness
  readonly common: Common
}
const commonOf = ({ alike }: Impact): ReadonlyMap<number, Alike> => {
  const out = new Map<number, Alike>()
  for (const [id, likeness] of alike) {
    const common = likeness.common()
    if (common !== undefined) out.set(id, { likeness, common })
  }
  return out
}

/** What the names of changed files mean, where not one of them has to be looked up; undefined where one has. */
const settledOf = (
  { configs, resolved }: Snapshot,
  { dirty }: Impact,
  alike: ReadonlyMap<number, Alike>,
  readConfig: (path: string) => string | undefined
): ReadonlyMap<number, Resolved> | undefined => {
  const out = new Map<number, Resolved>()
  if (dirty === undefined || dirty.size === 0) return undefined
  for (const id of dirty) {
    const like = alike.get(id)
    const before = resolved[id]
    const slice = before && like?.likeness.unchanged(like.common, before)
    if (slice === undefined) return undefined
    out.set(id, slice)
  }
  return [...configs].every(([path, digest]) => digestOf(readConfig(path)) === digest) ? out : undefined
}

/** Files whose edges are others by now, of those that were looked up again. */
const spokenAnew = (
  { resolved: before }: Snapshot,
  now: ReadonlyArray<Resolved | undefined>,
  looked: ReadonlySet<number>
): ReadonlySet<number> => new Set([...looked].filter((id) => before[id]?.edges !== now[id]?.edges))

/** Members and super types that each file declares away from their types: see {@link Link}. */
interface Linked {
  /** The numbering of files that the records are in. */
  readonly idOf: Int32Array
  /** By those numbers. */
  readonly records: ReadonlyArray<Int32Array | undefined>
}
/** By the slices of a snapshot, which its copies with another listing share. */
const links = new WeakMap<Snapshot["resolved"], Linked>()

/** Records by the numbers of a world, and with them. */
const recordsIn = (
  { idOf, records }: Linked,
  { idOf: ids, rankOf }: Pick<Ranked, "idOf" | "rankOf">
): Linked["records"] => {
  if (idOf === ids) return records
  const out: Array<Int32Array | undefined> = []
  records.forEach((before, number) => {
    const now = rankOf[idOf[number]!]!
    if (ids[now] !== idOf[number]) return
    const of = before?.slice()
    for (let p = 0; of !== undefined && p < of.length; p += Link.size) {
      for (const field of [Link.file, Link.superFile])
        if (of[p + field]! >= 0) of[p + field] = rankOf[idOf[of[p + field]!]!]!
    }
    out[now] = of
  })
  return out
}
/** Records after definitions moved, by id of their file; a file with one that leads to what is gone is looked up again. */
const movedLinks = (
  { idOf, records }: Linked,
  moved: ReadonlyMap<number, Int32Array>,
  dirty: Set<number>
): Linked => {
  const maps = Array.from(idOf, (id) => moved.get(id))
  return {
    idOf,
    records: records.map((before, number) => {
      if (before === undefined || dirty.has(idOf[number]!)) return before
      let out = before
      const move = (p: number, file: number, definition: number) => {
        const map = maps[out[p + file]!]
        const old = out[p + definition]!
        const now = map === undefined || old < 0 ? old : map[old]!
        if (now === old) return
        if (now < 0) dirty.add(idOf[number]!)
        if (out === before) out = before.slice()
        out[p + definition] = now
      }
      for (let p = 0; p < before.length; p += Link.size) {
        move(p, Link.file, Link.definition)
        move(p, Link.superFile, Link.superDefinition)
      }
      return out
    })
  }
}

/**
 * Makes what an update of this snapshot would make first, so that the first change finds it. Costs a look at all facts
 * when nothing of it is there.
 */
export const prepare = (snapshot: Snapshot, readConfig: (path: string) => string | undefined): void => {
  const { byPath, files, names } = snapshot
  Words.of(files, names)
  if (links.has(snapshot.resolved)) return
  const { idOf, world } = worldOf(files, byPath, names, readConfig)
  links.set(snapshot.resolved, { idOf, records: new Resolver(world, familiesOf).link() })
  forgetValues()
}

const digestOf = (text: string | undefined): string =>
  text === undefined ? "" : createHash("sha1").update(text).digest("base64")
const sameConfigs = (a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean =>
  a.size === b.size && [...a].every(([path, digest]) => b.get(path) === digest)

/** A slice from the numbers of a world to the ids of the snapshot. */
const inIds = (slice: Resolved, idOf: Int32Array): Resolved => {
  const { edges, supers } = slice
  for (let p = G.file; p < edges.length; p += G.size) edges[p] = idOf[edges[p]!]!
  for (let p = 0; p < supers.length; p += S.size) {
    supers[p + S.file] = idOf[supers[p + S.file]!]!
    supers[p + S.superFile] = idOf[supers[p + S.superFile]!]!
  }
  return slice
}
