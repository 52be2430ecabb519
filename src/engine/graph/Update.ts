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
import { Resolver } from "./resolve/Resolver.ts"
import { forgetValues } from "./resolve/Value.ts"
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
  const byPath = new Map(previous.byPath)
  for (const id of changes.removed) {
    const file = files[id]
    if (file !== undefined && byPath.get(file.path) === id) byPath.delete(file.path)
    files[id] = undefined
  }
  for (const entry of changes.entries) {
    while (files.length < entry.id) files.push(undefined)
    const old = files[entry.id]
    if (old !== undefined && old.path !== entry.path && byPath.get(old.path) === entry.id)
      byPath.delete(old.path)
    files[entry.id] = entry
    byPath.set(entry.path, entry.id)
  }
  const { names } = previous
  const many =
    previous.generation === 0 || changes.entries.length + changes.removed.length > files.length * 0.3
  const impact: Impact = many
    ? { dirty: undefined, moved: new Map(), bases: [] }
    : impactOf(previous, changes.entries, changes.removed, files, names)
  let { configs } = previous
  let { dirty } = impact
  const resolved: Array<Resolved | undefined> = previous.resolved.slice()
  while (resolved.length < files.length) resolved.push(undefined)
  const asked = changes.entries.some(
    (e) => e.path.endsWith(".json") || e.path.endsWith(".mod") || e.path.endsWith(".toml")
  )
  if (dirty === undefined || dirty.size > 0 || asked || changes.removed.length > 0) {
    const read = new Map<string, string>()
    const texts: Array<string> = []
    const { world, idOf } = worldOf(files, byPath, names, (path) => {
      const text = readConfig(path)
      read.set(path, text === undefined ? "" : createHash("sha1").update(text).digest("base64"))
      if (text !== undefined) texts.push(text)
      return text
    })
    const resolver = new Resolver(world, familiesOf)
    if (
      dirty !== undefined &&
      (!sameConfigs(previous.configs, read) ||
        impact.bases.some((base) => texts.some((text) => text.includes(base))))
    ) {
      dirty = undefined
    }
    configs = read
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
      for (let id = 0; id < resolved.length; id++) {
        const slice = resolved[id]
        if (slice !== undefined && !dirty.has(id)) resolved[id] = renumbered(slice, file, map)
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
    incoming: new Incoming(files, resolved),
    configs,
    at: changes.at
  }
  looks.set(next, { files: dirty?.size ?? files.length, all: dirty === undefined })
  return next
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
