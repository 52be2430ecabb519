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
import { Link, Resolver } from "./resolve/Resolver.ts"
import { forgetValues } from "./resolve/Value.ts"
import { patched } from "./Patched.ts"
import { Words } from "./Words.ts"
import { type FileEntry, Incoming, renumbered, type Snapshot, type Unit, worldOf } from "./Snapshot.ts"

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
  const many =
    previous.generation === 0 || changes.entries.length + changes.removed.length > files.length * 0.3
  const impact: Impact = many
    ? { dirty: undefined, moved: new Map(), bases: [] }
    : impactOf(previous, changes.entries, changes.removed, files, names)
  let { configs } = previous
  let { dirty } = impact
  let declared = links.get(previous.resolved)
  if (declared !== undefined && dirty !== undefined && impact.moved.size > 0)
    declared = movedLinks(declared, impact.moved, dirty)
  const resolved: Array<Resolved | undefined> = previous.resolved.slice()
  while (resolved.length < files.length) resolved.push(undefined)
  const asked = changes.entries.some(
    (e) => e.path.endsWith(".json") || e.path.endsWith(".mod") || e.path.endsWith(".toml")
  )
  if (dirty === undefined || dirty.size > 0 || asked || changes.removed.length > 0) {
    const read = new Map<string, string>()
    const texts: Array<string> = []
    const ranked = worldOf(files, byPath, names, (path) => {
      const text = readConfig(path)
      read.set(path, text === undefined ? "" : createHash("sha1").update(text).digest("base64"))
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
    const known = dirty === undefined ? undefined : declared
    const kept = dirty
    const found = resolver.link((file) => {
      const id = idOf[file.id]!
      const records = kept === undefined || kept.has(id) ? undefined : known?.[id]
      return records === undefined || records.length === 0 ? records : linksIn(records, ranked.rankOf)
    })
    declared = linksById(found, idOf)
    // In the order of paths too: what is learnt on the way to one answer may be remembered for the next.
    for (const file of world.files) {
      const id = file === undefined ? -1 : idOf[file.id]!
      if (file !== undefined && (dirty === undefined || dirty.has(id)))
        resolved[id] = inIds(resolver.resolve(file), idOf)
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
        ? patched(previous, files, resolved, dirty, impact.moved)
        : new Incoming(files, resolved),
    configs,
    at: changes.at
  }
  if (declared !== undefined) links.set(resolved, declared)
  looks.set(next, { files: dirty?.size ?? files.length, all: dirty === undefined })
  return next
}

/** Members and super types that each file declares away from their types, with ids of files: see {@link Link}. */
type Links = ReadonlyArray<Int32Array | undefined>
/** By the slices of a snapshot, which its copies with another listing share. */
const links = new WeakMap<Snapshot["resolved"], Links>()

/** Records with another numbering of files. */
const linksIn = (records: Int32Array, numbers: Int32Array): Int32Array => {
  if (records.length === 0) return records
  const out = records.slice()
  for (let p = 0; p < out.length; p += Link.size) {
    for (const field of [Link.file, Link.superFile])
      if (out[p + field]! >= 0) out[p + field] = numbers[out[p + field]!]!
  }
  return out
}
/** Records of files by id, from those by number in the world. */
const linksById = (found: Links, idOf: Int32Array): Links => {
  const out: Array<Int32Array | undefined> = []
  found.forEach((records, rank) => (out[idOf[rank]!] = records && linksIn(records, idOf)))
  return out
}
/** Records after definitions moved; a file with one that leads to what is gone is looked up again. */
const movedLinks = (before: Links, moved: ReadonlyMap<number, Int32Array>, dirty: Set<number>): Links =>
  before.map((records, id) => {
    if (records === undefined || dirty.has(id)) return records
    let out = records
    const move = (p: number, file: number, definition: number) => {
      const map = moved.get(out[p + file]!)
      const old = out[p + definition]!
      const now = map === undefined || old < 0 ? old : map[old]!
      if (now === old) return
      if (now < 0) dirty.add(id)
      if (out === records) out = records.slice()
      out[p + definition] = now
    }
    for (let p = 0; p < records.length; p += Link.size) {
      move(p, Link.file, Link.definition)
      move(p, Link.superFile, Link.superDefinition)
    }
    return out
  })

/**
 * Makes what an update of this snapshot would make first, so that the first change finds it. Costs a look at all facts
 * when nothing of it is there.
 */
export const prepare = (snapshot: Snapshot, readConfig: (path: string) => string | undefined): void => {
  const { byPath, files, names } = snapshot
  Words.of(files, names)
  if (links.has(snapshot.resolved)) return
  const { idOf, world } = worldOf(files, byPath, names, readConfig)
  links.set(snapshot.resolved, linksById(new Resolver(world, familiesOf).link(), idOf))
  forgetValues()
}

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
