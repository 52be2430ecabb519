/**
 * The graph at one moment: files, their facts, what their names mean. A snapshot never changes; an update makes the
 * next one and shares everything it did not touch.
 */
import { D, type FactsView } from "../languages/Facts.ts"
import type { Interner } from "../languages/Interner.ts"
import { languages } from "../languages/index.ts"
import { G, packTarget, type Resolved, S, targetDefinition } from "./Edges.ts"
import { Members } from "./Members.ts"
import { useAt } from "./Origins.ts"
import { definitionOf, dirOf, fileOf, nodeOf, type World, type WorldFile } from "./World.ts"

/** Facts about a file that are not in its text. */
export { FileBit as FileFlag } from "../indexer/Job.ts"

/** One listed file. Without a view it was skipped or has no language; `skip` says why. */
export interface FileEntry {
  readonly id: number
  readonly path: string
  /** Index in the table of languages, -1 for none. */
  readonly language: number
  /** Bytes, as of the stat that `mtimeMs` and `ino` come from. */
  readonly size: number
  readonly mtimeMs: number
  readonly ino: number
  readonly mode: number
  /** Git blob id of the bytes that were read, lower-case hex; "" when the file was not read. */
  readonly oid: string
  readonly unit: number
  readonly flags: number
  /** Reason code when the file has no facts although it could, "" otherwise. */
  readonly skip: string
  readonly view: FactsView | undefined
}

/** A repository or plain folder that files belong to. */
export interface Unit {
  /** Relative to the root; "" for the root itself. */
  readonly root: string
  readonly kind: string
  /** Commit and branch when it was listed; undefined outside git or before the first commit. */
  readonly head: string | undefined
  readonly branch: string | undefined
}

export interface Snapshot {
  /** Counts updates within one lineage. */
  readonly generation: number
  readonly files: ReadonlyArray<FileEntry | undefined>
  readonly byPath: ReadonlyMap<string, number>
  readonly resolved: ReadonlyArray<Resolved | undefined>
  readonly names: Interner
  readonly units: ReadonlyArray<Unit>
  readonly incoming: IncomingEdges
  /** Configuration files that resolution asked for, by path, with a digest of their text ("" when there was none to read). */
  readonly configs: ReadonlyMap<string, string>
  /** Milliseconds since the epoch at which the listing it rests on was complete. */
  readonly at: number
}

/** {@link Incoming} as plain arrays. Nodes are numbered file by file: the file itself, then its definitions. */
export interface IncomingColumns {
  /** Where each node's edges start in the columns below; two more than there are nodes. */
  readonly starts: Int32Array
  /** Source file of each edge, and its offset in that file's slice. */
  readonly sourceFiles: Int32Array
  readonly sourceEdges: Int32Array
}

/** Edges by their target: for each node the places that mean it. */
export interface IncomingEdges {
  /** Calls `visit` with the source file, ascending, and the offset of the edge in that file's slice. */
  readonly each: (file: number, definition: number, visit: (file: number, edge: number) => void) => void
  /** The same edges as {@link useAt} packs them; what is packed once is kept. `of` is the snapshot they are the edges of. */
  readonly eachUse: (
    of: Pick<Snapshot, "files" | "resolved">,
    file: number,
    definition: number,
    visit: (file: number, use: number) => void
  ) => void
  readonly count: (file: number, definition: number) => number
  readonly edgeCount: number
  readonly columns: () => IncomingColumns
}

/** All edges in three columns. */
export class Incoming implements IncomingEdges {
  /** First dense number of each file; a file's own node comes first, then its definitions. */
  private readonly bases: Int32Array
  private readonly starts: Int32Array
  private readonly sourceFiles: Int32Array
  private readonly sourceEdges: Int32Array
  /** Per edge what a walk asks of it; 0 where none has passed yet. */
  private uses: Int32Array | undefined

  /** Gathers the edges of all files, or takes over columns of the same files. Throws a RangeError when those do not fit them. */
  constructor(
    files: ReadonlyArray<FileEntry | undefined>,
    resolved: ReadonlyArray<Resolved | undefined>,
    columns?: IncomingColumns
  ) {
    const bases = (this.bases = new Int32Array(files.length + 1))
    for (let i = 0; i < files.length; i++)
      bases[i + 1] = bases[i]! + 1 + (files[i]?.view?.definitionCount ?? 0)
    const nodes = bases[files.length]!
    let total = 0
    for (const slice of resolved) total += slice === undefined ? 0 : slice.edges.length / G.size
    if (columns !== undefined) {
      this.starts = columns.starts
      this.sourceFiles = columns.sourceFiles
      this.sourceEdges = columns.sourceEdges
      if (
        this.starts.length !== nodes + 2 ||
        this.starts[nodes + 1] !== total ||
        this.sourceFiles.length !== total ||
        this.sourceEdges.length !== total
      )
        throw new RangeError("columns of edges that do not fit their files")
      return
    }
    const starts = (this.starts = new Int32Array(nodes + 2))
    for (const slice of resolved) {
      if (slice === undefined) continue
      const { edges } = slice
      for (let p = 0; p < edges.length; p += G.size)
        starts[bases[edges[p + G.file]!]! + (edges[p + G.target]! & 0xffffff) + 2]!++
    }
    for (let i = 1; i < starts.length; i++) starts[i]! += starts[i - 1]!
    this.sourceFiles = new Int32Array(total)
    this.sourceEdges = new Int32Array(total)
    for (let file = 0; file < resolved.length; file++) {
      const edges = resolved[file]?.edges
      if (edges === undefined) continue
      for (let p = 0; p < edges.length; p += G.size) {
        const at = starts[bases[edges[p + G.file]!]! + (edges[p + G.target]! & 0xffffff) + 1]!++
        this.sourceFiles[at] = file
        this.sourceEdges[at] = p
      }
    }
  }

  /** Everything but what the files themselves tell. */
  columns(): IncomingColumns {
    return { starts: this.starts, sourceFiles: this.sourceFiles, sourceEdges: this.sourceEdges }
  }

  /** Calls `visit` with the source file and the offset of the edge in that file's slice. */
  each(file: number, definition: number, visit: (file: number, edge: number) => void): void {
    const node = this.bases[file]! + definition + 1
    for (let i = this.starts[node]!, end = this.starts[node + 1]!; i < end; i++)
      visit(this.sourceFiles[i]!, this.sourceEdges[i]!)
  }
  /** Without edges of files that `except` holds a 1 for. */
  eachUse(
    { files, resolved }: Pick<Snapshot, "files" | "resolved">,
    file: number,
    definition: number,
    visit: (file: number, use: number) => void,
    except?: Uint8Array
  ): void {
    const { sourceEdges, sourceFiles } = this
    const uses = (this.uses ??= new Int32Array(sourceFiles.length))
    const node = this.bases[file]! + definition + 1
    for (let i = this.starts[node]!, end = this.starts[node + 1]!; i < end; i++) {
      const source = sourceFiles[i]!
      if (except !== undefined && except[source] === 1) continue
      let use = uses[i]!
      if (use === 0) use = uses[i] = useAt(files[source]!.view!, resolved[source]!.edges, sourceEdges[i]!)
      visit(source, use)
    }
  }
  count(file: number, definition: number): number {
    const node = this.bases[file]! + definition + 1
    return this.starts[node + 1]! - this.starts[node]!
  }
  get edgeCount(): number {
    return this.sourceFiles.length
  }
  get nodeCount(): number {
    return this.bases[this.bases.length - 1]!
  }
}

/** Files in the order of their paths. Ids come from the order in which files were read, and nothing said may depend on that. */
export const inPathOrder = ({ files }: Pick<Snapshot, "files">): ReadonlyArray<FileEntry> =>
  files.filter((file) => file !== undefined).sort((a, b) => (a.path < b.path ? -1 : 1))

/** What resolution looks at, with files numbered in the order of their paths, and the way between those numbers and ids. */
export interface Ranked {
  readonly world: World
  /** Number in the world to id. */
  readonly idOf: Int32Array
  /** Id to number in the world; of files with facts only. */
  readonly rankOf: Int32Array
}

/** The order of files with facts, and their folders. */
interface Listing {
  readonly idOf: Int32Array
  readonly rankOf: Int32Array
  readonly dirs: ReadonlySet<string>
  readonly byBase: ReadonlyMap<string, ReadonlyArray<string>>
  /** The files as they were last, by rank. */
  files: ReadonlyArray<WorldFile>
}
/** Snapshots with the same table of paths have the same files. */
const listings = new WeakMap<ReadonlyMap<string, number>, Listing>()

const listingOf = (files: ReadonlyArray<FileEntry | undefined>): Listing => {
  const dirs = new Set<string>([""])
  const byBase = new Map<string, Array<string>>()
  const wanted = new Set(configNames)
  const listed: Array<FileEntry> = []
  for (const file of files) {
    if (file === undefined) continue
    if (file.view !== undefined) listed.push(file)
    for (let dir = dirOf(file.path); !dirs.has(dir); dir = dirOf(dir)) dirs.add(dir)
    const base = file.path.slice(file.path.lastIndexOf("/") + 1)
    if (!wanted.has(base)) continue
    const list = byBase.get(base)
    if (list === undefined) byBase.set(base, [file.path])
    else list.push(file.path)
  }
  for (const list of byBase.values()) list.sort()
  listed.sort((a, b) => (a.path < b.path ? -1 : 1))
  const rankOf = new Int32Array(files.length)
  listed.forEach((f, rank) => (rankOf[f.id] = rank))
  return { idOf: Int32Array.from(listed, (f) => f.id), rankOf, dirs, byBase, files: [] }
}

/** The part of a snapshot that resolution looks at. */
export const worldOf = (
  files: ReadonlyArray<FileEntry | undefined>,
  byPath: ReadonlyMap<string, number>,
  names: Interner,
  readConfig: (path: string) => string | undefined
): Ranked => {
  let listing = listings.get(byPath)
  const indexed = files.reduce((n, f) => n + Number(f?.view !== undefined), 0)
  if (
    listing === undefined ||
    listing.idOf.length !== indexed ||
    listing.idOf.some((id) => files[id]?.view === undefined)
  )
    listings.set(byPath, (listing = listingOf(files)))
  const { byBase, dirs, idOf, rankOf } = listing
  const before = listing.files
  const ranked = Array.from(idOf, (id, rank): WorldFile => {
    const file = files[id]!
    const known = before[rank]
    return known !== undefined && known.view === file.view
      ? known
      : {
          id: rank,
          path: file.path,
          dir: dirOf(file.path),
          language: languages[file.language]!,
          view: file.view!
        }
  })
  listing.files = ranked
  const members = Members.of(files, names)
  const world: World = {
    files: ranked,
    names,
    fileAt: (path) => {
      const id = byPath.get(path)
      return id === undefined || files[id]?.view === undefined ? -1 : rankOf[id]!
    },
    hasDirectory: (dir) => dirs.has(dir),
    readConfig,
    configs: (base) => byBase.get(base) ?? [],
    loneMember: (name) => {
      const node = members.lone(name)
      return node < 0 ? -1 : nodeOf(rankOf[fileOf(node)]!, definitionOf(node))
    }
  }
  return { world, idOf, rankOf }
}

/** Names of files that say how modules are found. */
export const configNames: ReadonlyArray<string> = [
  "package.json",
  "tsconfig.json",
  "tsconfig.base.json",
  "jsconfig.json",
  "go.mod",
  "Cargo.toml"
]

/** A slice with the target definitions in one file renumbered. */
export const renumbered = (slice: Resolved, file: number, map: Int32Array): Resolved => {
  let edges = slice.edges
  let supers = slice.supers
  for (let p = 0; p < edges.length; p += G.size) {
    if (edges[p + G.file] !== file) continue
    const definition = targetDefinition(edges[p + G.target]!)
    if (definition < 0 || map[definition] === definition) continue
    if (edges === slice.edges) edges = slice.edges.slice()
    edges[p + G.target] = packTarget(map[definition]!, edges[p + G.target]! >>> 24)
  }
  const move = (p: number, fileField: number, definitionField: number) => {
    if (supers[p + fileField] !== file || map[supers[p + definitionField]!] === supers[p + definitionField])
      return
    if (supers === slice.supers) supers = slice.supers.slice()
    supers[p + definitionField] = map[supers[p + definitionField]!]!
  }
  for (let p = 0; p < supers.length; p += S.size) {
    move(p, S.file, S.definition)
    move(p, S.superFile, S.superDefinition)
  }
  return edges === slice.edges && supers === slice.supers ? slice : { ...slice, edges, supers }
}

/** Parts of a definition's qualified name, outermost first. */
export const qualifiedParts = (
  view: FactsView,
  names: Interner,
  definition: number
): ReadonlyArray<string> => {
  const parts: Array<string> = []
  for (let i = definition; i >= 0; i = view.def(i, D.parent)) {
    parts.unshift(names.text(view.def(i, D.name)))
    const container = view.def(i, D.container)
    if (container !== 0) parts.unshift(names.text(container))
  }
  return parts
}
