/**
 * A snapshot as one file: a header, then typed arrays as they are in memory. A checksum covers all of it; a file that
 * is damaged, of another version or of another set of languages is not read but rebuilt.
 */
import {
  closeSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  read as readLater,
  readSync,
  renameSync,
  unlinkSync,
  writeSync
} from "node:fs"
import { dirname } from "node:path"
import { crc32 } from "node:zlib"
import { factsVersion, FactsView, H } from "../languages/Facts.ts"
import { Interner } from "../languages/Interner.ts"
import { languages } from "../languages/index.ts"
import type { Resolved } from "./Edges.ts"
import { type FileEntry, Incoming, type Snapshot, type Unit } from "./Snapshot.ts"

/** Raised with every change of the layout or of what resolution answers. */
const formatVersion = 5
const magic = "PORTICO\n"
const prefix = 32

/** Arrays that travel with a snapshot and mean nothing to it. */
export interface Attachments {
  readonly [name: string]: Uint8Array | Uint32Array
}
/** Bytes that stay in the file until they are asked for. They were found undamaged when the file was loaded. */
export interface Parked {
  readonly length: number
  /** A copy of some of them. Throws when the file was written to since, and what the file system throws. */
  readonly read: (from: number, to: number) => Uint8Array
}
export interface Loaded {
  readonly snapshot: Snapshot
  readonly attachments: Attachments
  /** Those of the attachments that were to stay in the file. */
  readonly parked: { readonly [name: string]: Parked }
  /** What the caller noted beside it. */
  readonly notes: { readonly [key: string]: unknown }
}

interface Section {
  readonly name: string
  readonly type: "u8" | "i32" | "u32" | "f64"
  readonly at: number
  readonly length: number
}
interface Header {
  readonly build: string
  readonly languages: ReadonlyArray<string>
  readonly generation: number
  readonly at: number
  readonly units: ReadonlyArray<Unit>
  readonly configs: ReadonlyArray<readonly [path: string, digest: string]>
  readonly notes: { readonly [key: string]: unknown }
  readonly sections: ReadonlyArray<Section>
}
type Numbers = Uint8Array | Int32Array | Uint32Array | Float64Array

const typeOf = (array: Numbers): Section["type"] =>
  array instanceof Int32Array
    ? "i32"
    : array instanceof Uint32Array
      ? "u32"
      : array instanceof Float64Array
        ? "f64"
        : "u8"
const bytesOf = (array: Numbers) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
const align = (n: number) => (n + 7) & ~7

/** Writes the snapshot beside its place, makes it durable and renames it into place. Throws what the file system throws. */
export const saveSnapshot = (
  path: string,
  build: string,
  snapshot: Snapshot,
  attachments: Attachments,
  notes: { readonly [key: string]: unknown }
): number => {
  const files = snapshot.files
  const count = files.length
  const column = (read: (f: FileEntry) => number) =>
    Float64Array.from(files, (f) => (f === undefined ? 0 : read(f)))
  const whole = (read: (f: FileEntry) => number) =>
    Int32Array.from(files, (f) => (f === undefined ? -1 : read(f)))
  const strings = (read: (f: FileEntry) => string) =>
    Buffer.from(files.map((f) => (f === undefined ? "" : read(f))).join("\0"), "utf8")
  const at = new Int32Array(count).fill(-1)
  const textAt = new Int32Array(count)
  let ints = 0
  let text = 0
  files.forEach((f, i) => {
    if (f?.view === undefined) return
    at[i] = ints
    textAt[i] = text
    ints += f.view.ints[f.view.at + H.length]!
    text += f.view.ints[f.view.at + H.textLength]!
  })
  const factInts = new Int32Array(ints)
  const factText = new Uint8Array(text)
  files.forEach((f, i) => {
    if (f?.view === undefined) return
    const { view } = f
    factInts.set(view.ints.subarray(view.at, view.at + view.ints[view.at + H.length]!), at[i]!)
    factText.set(
      view.text.subarray(view.textAt, view.textAt + view.ints[view.at + H.textLength]!),
      textAt[i]!
    )
  })
  const slices = (read: (r: Resolved) => Int32Array) => {
    const ends = new Int32Array(count)
    let total = 0
    for (let i = 0; i < count; i++) {
      const r = snapshot.resolved[i]
      total += r === undefined ? 0 : read(r).length
      ends[i] = total
    }
    const out = new Int32Array(total)
    for (let i = 0; i < count; i++) {
      const r = snapshot.resolved[i]
      if (r !== undefined) out.set(read(r), i === 0 ? 0 : ends[i - 1]!)
    }
    return [ends, out] as const
  }
  const [edgeEnds, edges] = slices((r) => r.edges)
  const [superEnds, supers] = slices((r) => r.supers)
  const [outsideEnds, outside] = slices((r) => r.outside)
  const known = snapshot.names.columns()
  const incoming = snapshot.incoming.columns()
  const parts: ReadonlyArray<readonly [string, Numbers]> = [
    ["paths", strings((f) => f.path)],
    ["oids", strings((f) => f.oid)],
    ["skips", strings((f) => f.skip)],
    ["language", whole((f) => f.language)],
    ["unit", whole((f) => f.unit)],
    ["flags", whole((f) => f.flags)],
    ["mode", whole((f) => f.mode)],
    ["size", column((f) => f.size)],
    ["mtime", column((f) => f.mtimeMs)],
    ["ino", column((f) => f.ino)],
    ["at", at],
    ["textAt", textAt],
    ["ints", factInts],
    ["text", factText],
    ["edgeEnds", edgeEnds],
    ["edges", edges],
    ["superEnds", superEnds],
    ["supers", supers],
    ["outsideEnds", outsideEnds],
    ["outside", outside],
    ["incomingStarts", incoming.starts],
    ["incomingFiles", incoming.sourceFiles],
    ["incomingEdges", incoming.sourceEdges],
    ["nameStore", known.store],
    ["nameOffsets", known.offsets],
    ["nameHashes", known.hashes],
    ["nameTable", known.table],
    ...Object.entries(attachments).map(([name, value]) => [`+${name}`, value] as const)
  ]
  // Section offsets count from the end of the header, so that they do not depend on its length.
  let offset = 0
  const sections = parts.map(([name, array]): Section => {
    const section: Section = { name, type: typeOf(array), at: offset, length: array.length }
    offset = align(offset + array.byteLength)
    return section
  })
  const header: Header = {
    build,
    languages: languages.map((l) => l.id),
    generation: snapshot.generation,
    at: snapshot.at,
    units: snapshot.units,
    configs: [...snapshot.configs],
    notes,
    sections
  }
  const headerBytes = Buffer.from(JSON.stringify(header), "utf8")
  const headerSpace = align(headerBytes.length)

  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const temporary = `${path}.${process.pid}.${Date.now().toString(36)}.tmp`
  const file = openSync(temporary, "wx", 0o600)
  try {
    let sum = 0
    let position = prefix
    const put = (bytes: Uint8Array) => {
      // The checksum of no bytes would start over.
      if (bytes.length === 0) return
      sum = crc32(bytes, sum)
      for (let done = 0; done < bytes.length; )
        done += writeSync(file, bytes, done, Math.min(bytes.length - done, 1 << 24), position + done)
      position += bytes.length
    }
    const pad = (to: number) => {
      if (position < to) put(new Uint8Array(to - position))
    }
    put(headerBytes)
    pad(prefix + headerSpace)
    parts.forEach(([, array], i) => {
      pad(prefix + headerSpace + sections[i]!.at)
      put(bytesOf(array))
    })
    pad(prefix + headerSpace + offset)
    const head = Buffer.alloc(prefix)
    head.write(magic, 0, "latin1")
    head.writeUInt32LE(formatVersion, 8)
    head.writeUInt32LE(factsVersion, 12)
    head.writeUInt32LE(headerBytes.length, 16)
    head.writeUInt32LE(sum, 20)
    head.writeDoubleLE(position, 24)
    writeSync(file, head, 0, prefix, 0)
    fsyncSync(file)
    closeSync(file)
    renameSync(temporary, path)
    const directory = openSync(dirname(path), "r")
    try {
      fsyncSync(directory)
    } finally {
      closeSync(directory)
    }
    return position
  } catch (cause) {
    try {
      closeSync(file)
    } catch {
      // already closed
    }
    try {
      unlinkSync(temporary)
    } catch {
      // never made, or moved
    }
    throw cause
  }
}

/** Most bytes of one read: few enough to be still at hand when their checksum is taken. */
const chunk = 1 << 19

/** An open file. Whatever reads from it later holds it. */
interface Source {
  readonly file: number
}
const close = (source: Source): void => {
  closing.unregister(source)
  closeSync(source.file)
}
/** Files that stay open are closed when nothing holds them any more. */
const closing = new FinalizationRegistry<number>((file) => {
  try {
    closeSync(file)
  } catch {
    // Closed already.
  }
})

/**
 * Reads a snapshot; undefined when there is none that can be trusted. Byte attachments named in `park` are checked like
 * the rest but not kept in memory.
 */
export const loadSnapshot = (
  path: string,
  build: string,
  park: ReadonlyArray<string> = []
): Loaded | undefined => {
  const plan = planOf(path, build, park)
  return plan === undefined ? undefined : finished(plan, false)
}

/** A snapshot that is being read. */
export interface Ahead {
  /** Settles when all is read, or cannot be. Never rejects. */
  readonly ready: Promise<void>
  /** What {@link loadSnapshot} answers; before it is ready, it reads once more. To be called once. */
  readonly load: () => Loaded | undefined
}

/** As {@link loadSnapshot}, but reading on other threads while this one goes on; undefined when it can be told at once that there is none. */
export const readAhead = (
  path: string,
  build: string,
  park: ReadonlyArray<string> = []
): Ahead | undefined => {
  const plan = planOf(path, build, park)
  if (plan === undefined) return undefined
  let read = false
  const parts = plan.pieces.flatMap(({ bytes, from }) => {
    if (bytes === undefined) return []
    const half = Math.ceil(bytes.length / 2)
    return [
      { into: bytes.subarray(0, half), from },
      { into: bytes.subarray(half), from: from + half }
    ]
  })
  const ready = Promise.all(parts.map(({ from, into }) => filled(plan.source, into, from))).then(
    () => {
      read = true
    },
    // It is tried again when it is loaded.
    () => {}
  )
  return { ready, load: () => finished(plan, read) }
}

/** Opens a file and finds out what is to be read to where; undefined when there is nothing to trust. */
const planOf = (path: string, build: string, park: ReadonlyArray<string>): Plan | undefined => {
  let source: Source
  try {
    source = { file: openSync(path, "r") }
  } catch {
    return undefined
  }
  closing.register(source, source.file, source)
  let plan: Plan | undefined
  try {
    plan = plannedOf(source, build, park)
  } catch {
    plan = undefined
  }
  if (plan === undefined) close(source)
  return plan
}

/** Checks and decodes what a plan names. `inMemory` tells that its pieces are filled. */
const finished = (plan: Plan, inMemory: boolean): Loaded | undefined => {
  let loaded: Loaded | undefined
  try {
    loaded = isWhole(plan, inMemory) ? decode(plan) : undefined
  } catch {
    loaded = undefined
  }
  if (loaded === undefined || Object.keys(loaded.parked).length === 0) close(plan.source)
  return loaded
}

/** Fills an array from a place in the file. Throws when the file ends before. */
const fill = (file: number, into: Uint8Array, position: number): void => {
  for (let done = 0; done < into.length; ) {
    const got = readSync(file, into, done, into.length - done, position + done)
    if (got === 0) throw new RangeError("the file is too short")
    done += got
  }
}

const widths = { u8: 1, i32: 4, u32: 4, f64: 8 } as const

/** The same without holding up the thread. */
const filled = (source: Source, into: Uint8Array, position: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const next = (done: number): void => {
      if (done === into.length) return resolve()
      readLater(source.file, into, done, into.length - done, position + done, (cause, got) => {
        if (cause !== null) reject(cause)
        else if (got === 0) reject(new RangeError("the file is too short"))
        else next(done + got)
      })
    }
    next(0)
  })

/** What the head of a file says of the rest; believed only as far as it decides what is read to where. */
interface Plan {
  readonly source: Source
  readonly mtimeMs: number
  /** Bytes of the file. */
  readonly end: number
  readonly header: Header
  readonly headerBytes: Uint8Array
  /** Where sections count from. */
  readonly base: number
  /** All that follows the header, in order; without bytes what is not kept. */
  readonly pieces: ReadonlyArray<{
    readonly from: number
    readonly to: number
    readonly bytes?: Uint8Array<ArrayBuffer>
  }>
  readonly sum: number
  readonly isParked: (section: Section) => boolean
}

const plannedOf = (source: Source, build: string, park: ReadonlyArray<string>): Plan | undefined => {
  const { file } = source
  const { mtimeMs, size: end } = fstatSync(file)
  if (end < prefix || end > 4 * 1024 * 1024 * 1024 - 16) return undefined
  const head = Buffer.alloc(prefix)
  fill(file, head, 0)
  const headerLength = head.readUInt32LE(16)
  const base = prefix + align(headerLength)
  if (
    head.toString("latin1", 0, 8) !== magic ||
    head.readUInt32LE(8) !== formatVersion ||
    head.readUInt32LE(12) !== factsVersion ||
    head.readDoubleLE(24) !== end ||
    base > end
  )
    return undefined
  const headerBytes = Buffer.alloc(base - prefix)
  fill(file, headerBytes, prefix)
  const header = JSON.parse(headerBytes.toString("utf8", 0, headerLength)) as Header
  if (header.build !== build || header.languages.join() !== languages.map((l) => l.id).join())
    return undefined
  const isParked = ({ name, type }: Section) =>
    type === "u8" && name.startsWith("+") && park.includes(name.slice(1))
  const left = header.sections
    .filter(isParked)
    .map(({ at, length }) => ({ from: base + at, to: base + at + length }))
    .sort((x, y) => x.from - y.from)
  const pieces: Array<Plan["pieces"][number]> = []
  let position = base
  for (const { from, to } of [...left, { from: end, to: end }]) {
    if (!(from >= position && to >= from && to <= end)) return undefined
    if (from > position) {
      // Where arrays lie in memory is where they lie in the file, up to a multiple of eight bytes.
      const skew = position % 8
      const bytes = new Uint8Array(from - position + skew).subarray(skew)
      pieces.push({ from: position, to: from, bytes })
    }
    if (to > from) pieces.push({ from, to })
    position = to
  }
  return { source, mtimeMs, end, header, headerBytes, base, pieces, sum: head.readUInt32LE(20), isParked }
}

/** Takes the checksum of all that follows the head, reading what is not in memory. */
const isWhole = ({ headerBytes, pieces, source, sum }: Plan, inMemory: boolean): boolean => {
  let found = crc32(headerBytes)
  const scratch = Buffer.allocUnsafeSlow(chunk)
  for (const { bytes, from, to } of pieces)
    for (let at = from; at < to; ) {
      const length = Math.min(chunk, to - at)
      const part =
        bytes === undefined ? scratch.subarray(0, length) : bytes.subarray(at - from, at - from + length)
      if (bytes === undefined || !inMemory) fill(source.file, part, at)
      found = crc32(part, found)
      at += length
    }
  return found === sum
}

const decode = ({ base, end, header, isParked, mtimeMs, pieces, source }: Plan): Loaded => {
  const parked: { [name: string]: Parked } = {}
  for (const found of header.sections)
    if (isParked(found)) {
      const { at, length, name } = found
      parked[name.slice(1)] = {
        length,
        read: (from, to) => {
          const now = fstatSync(source.file)
          if (now.size !== end || now.mtimeMs !== mtimeMs) throw new Error("the stored snapshot was changed")
          const out = new Uint8Array(Math.min(to, length) - from)
          fill(source.file, out, base + at + from)
          return out
        }
      }
    }
  const section = (name: string): Numbers => {
    const found = header.sections.find((s) => s.name === name)
    if (found === undefined) throw new RangeError(`section ${name} is missing`)
    const from = base + found.at
    const held = pieces.find((piece) => piece.bytes !== undefined && piece.from <= from && from <= piece.to)
    if (held?.bytes === undefined || from + found.length * widths[found.type] > held.to)
      throw new RangeError(`section ${name} lies elsewhere`)
    const { buffer, byteOffset } = held.bytes
    const start = byteOffset + from - held.from
    switch (found.type) {
      case "i32":
        return new Int32Array(buffer, start, found.length)
      case "u32":
        return new Uint32Array(buffer, start, found.length)
      case "f64":
        return new Float64Array(buffer, start, found.length)
      default:
        return new Uint8Array(buffer, start, found.length)
    }
  }
  const i32 = (name: string) => section(name) as Int32Array<ArrayBuffer>
  const texts = (name: string) =>
    Buffer.from(section(name) as Uint8Array)
      .toString("utf8")
      .split("\0")
  const paths = texts("paths")
  const oids = texts("oids")
  const skips = texts("skips")
  const [language, unit, flags, mode, at, textAt] = ["language", "unit", "flags", "mode", "at", "textAt"].map(
    i32
  ) as [Int32Array, Int32Array, Int32Array, Int32Array, Int32Array, Int32Array]
  const [size, mtime, ino] = ["size", "mtime", "ino"].map(section) as [Numbers, Numbers, Numbers]
  const ints = i32("ints")
  const text = section("text") as Uint8Array
  const files: Array<FileEntry | undefined> = []
  const byPath = new Map<string, number>()
  for (let i = 0; i < language.length; i++) {
    const path = paths[i]!
    if (path === "") {
      files.push(undefined)
      continue
    }
    byPath.set(path, i)
    files.push({
      id: i,
      path,
      language: language[i]!,
      unit: unit[i]!,
      flags: flags[i]!,
      mode: mode[i]!,
      size: size[i]!,
      mtimeMs: mtime[i]!,
      ino: ino[i]!,
      oid: oids[i]!,
      skip: skips[i]!,
      view: at[i]! < 0 ? undefined : new FactsView(ints, at[i]!, text, textAt[i]!)
    })
  }
  const names = new Interner({
    store: section("nameStore") as Uint8Array<ArrayBuffer>,
    offsets: i32("nameOffsets"),
    hashes: i32("nameHashes"),
    table: i32("nameTable")
  })
  const slice = (data: Int32Array, ends: Int32Array, i: number) =>
    data.subarray(i === 0 ? 0 : ends[i - 1]!, ends[i]!)
  const [edges, edgeEnds, supers, superEnds] = ["edges", "edgeEnds", "supers", "superEnds"].map(i32) as [
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array
  ]
  const [outside, outsideEnds] = ["outside", "outsideEnds"].map(i32) as [Int32Array, Int32Array]
  const resolved = files.map((f, i): Resolved | undefined =>
    f?.view === undefined
      ? undefined
      : {
          edges: slice(edges, edgeEnds, i),
          supers: slice(supers, superEnds, i),
          outside: slice(outside, outsideEnds, i)
        }
  )
  const attachments: { [name: string]: Uint8Array | Uint32Array } = {}
  for (const s of header.sections)
    if (s.name.startsWith("+") && !isParked(s))
      attachments[s.name.slice(1)] = section(s.name) as Uint8Array | Uint32Array
  return {
    snapshot: {
      generation: header.generation,
      files,
      byPath,
      resolved,
      names,
      units: header.units,
      incoming: new Incoming(files, resolved, {
        starts: i32("incomingStarts"),
        sourceFiles: i32("incomingFiles"),
        sourceEdges: i32("incomingEdges")
      }),
      configs: new Map(header.configs),
      at: header.at
    },
    attachments,
    parked,
    notes: header.notes
  }
}
