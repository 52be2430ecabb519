/**
 * A snapshot as one file: a header, the checksums of all blocks that follow, then typed arrays as they are in memory. No
 * block is used before its checksum was taken; a file that is damaged, of another version or of another set of languages
 * is not read but rebuilt.
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
import { factsVersion, FactsView, H, R } from "../languages/Facts.ts"
import { Interner } from "../languages/Interner.ts"
import { languages } from "../languages/index.ts"
import type { Resolved } from "./Edges.ts"
import { Bearers } from "./Bearers.ts"
import { FactsFile, type ReadSection } from "./FactsFile.ts"
import { LooseFiles } from "./Loose.ts"
import { type FileEntry, Incoming, type Snapshot, type Unit } from "./Snapshot.ts"

/** Raised with every change of the layout or of what resolution answers. */
const formatVersion = 9
const magic = "PORTICO\n"
const prefix = 40

/** Arrays that travel with a snapshot and mean nothing to it. */
export interface Attachments {
  readonly [name: string]: Uint8Array | Uint32Array
}
/** Bytes that stay in the file until they are asked for. */
export interface Parked {
  readonly length: number
  /** A copy of some of them. Throws when they are damaged or the file was written to since, and what the file system throws. */
  readonly read: (from: number, to: number) => Uint8Array
}
export interface Loaded {
  readonly snapshot: Snapshot
  readonly attachments: Attachments
  /** Those of the attachments that were to stay in the file. */
  readonly parked: { readonly [name: string]: Parked }
  /** Whether facts that were to stay in the file could not be read from it: then the snapshot is of no more use. */
  readonly isLost: () => boolean
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
/** What a section holds, in pieces that are made one after the other. Each is good until the next. */
interface Pieces {
  readonly type: "u8" | "i32"
  readonly length: number
  readonly each: (put: (piece: Numbers) => void) => void
}
const widths = { u8: 1, i32: 4, u32: 4, f64: 8 } as const
/** Bytes gathered before they are written. */
const gathered = 1 << 18
/** Bytes that have a checksum of their own: few, for of what stays in the file whole blocks are checked. */
const block = 1 << 14
const align = (n: number) => (n + 7) & ~7
/** Bytes of the checksums of a body of so many bytes. */
const sumsLength = (body: number) => align(Math.ceil(body / block) * Uint32Array.BYTES_PER_ELEMENT)

/** The checksums of a body that passes by in pieces. */
class BlockSums {
  readonly sums: Uint32Array
  #at = 0

  constructor(body: number) {
    this.sums = new Uint32Array(sumsLength(body) / Uint32Array.BYTES_PER_ELEMENT)
  }

  add(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length; ) {
      const number = Math.floor(this.#at / block)
      const length = Math.min((number + 1) * block - this.#at, bytes.length - done)
      this.sums[number] = crc32(bytes.subarray(done, done + length), this.sums[number]!)
      this.#at += length
      done += length
    }
  }
}

/** Numbers of a file's facts before its references. */
const headLength = (view: FactsView): number => view.ints[view.at + H.length]! - view.referenceCount * R.size

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
  const refsAt = new Int32Array(count)
  const textAt = new Int32Array(count)
  let ints = 0
  let refs = 0
  let text = 0
  files.forEach((f, i) => {
    if (f?.view === undefined) return
    at[i] = ints
    refsAt[i] = refs
    textAt[i] = text
    ints += headLength(f.view)
    refs += f.view.referenceCount * R.size
    text += f.view.ints[f.view.at + H.textLength]!
  })
  const ofViews = (
    type: "u8" | "i32",
    length: number,
    read: (view: FactsView) => Int32Array | Uint8Array
  ): Pieces => ({
    type,
    length,
    each: (put) => {
      for (const f of files) if (f?.view !== undefined) put(read(f.view))
    }
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
  const bearers = Bearers.columns(snapshot)
  const loose = LooseFiles.columns(snapshot)
  const parts: ReadonlyArray<readonly [string, Numbers | Pieces]> = [
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
    ["refsAt", refsAt],
    ["textAt", textAt],
    ["ints", ofViews("i32", ints, (view) => view.ints.subarray(view.at, view.at + headLength(view)))],
    [
      "refs",
      ofViews("i32", refs, (view) =>
        view.glance().subarray(view.references, view.references + view.referenceCount * R.size)
      )
    ],
    [
      "text",
      ofViews("u8", text, (view) =>
        view.text.subarray(view.textAt, view.textAt + view.ints[view.at + H.textLength]!)
      )
    ],
    ["edgeEnds", edgeEnds],
    ["edges", edges],
    ["superEnds", superEnds],
    ["supers", supers],
    ["outsideEnds", outsideEnds],
    ["outside", outside],
    ["incomingStarts", incoming.starts],
    ["incomingFiles", incoming.sourceFiles],
    ["incomingEdges", incoming.sourceEdges],
    ["bearerStarts", bearers.starts],
    ["bearers", bearers.nodes],
    ["looseNames", loose.names],
    ["looseEnds", loose.ends],
    ["looseFiles", loose.files],
    ["looseCounts", loose.counts],
    ["nameStore", known.store],
    ["nameOffsets", known.offsets],
    ["nameHashes", known.hashes],
    ["nameTable", known.table],
    ...Object.entries(attachments).map(([name, value]) => [`+${name}`, value] as const)
  ]
  // Section offsets count from the end of the header, so that they do not depend on its length.
  let offset = 0
  const sections = parts.map(([name, array]): Section => {
    const type = "each" in array ? array.type : typeOf(array)
    const section: Section = { name, type, at: offset, length: array.length }
    offset = align(offset + array.length * widths[type])
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
  const base = prefix + align(headerBytes.length) + sumsLength(offset)

  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const temporary = `${path}.${process.pid}.${Date.now().toString(36)}.tmp`
  const file = openSync(temporary, "wx", 0o600)
  try {
    const body = new BlockSums(offset)
    let position = base
    const writeAt = (bytes: Uint8Array, at: number) => {
      for (let done = 0; done < bytes.length; )
        done += writeSync(file, bytes, done, Math.min(bytes.length - done, 1 << 24), at + done)
    }
    const put = (bytes: Uint8Array) => {
      body.add(bytes)
      writeAt(bytes, position)
      position += bytes.length
    }
    const putAll = ({ each }: Pieces) => {
      const buffer = Buffer.allocUnsafeSlow(gathered)
      let filled = 0
      each((piece) => {
        const bytes = bytesOf(piece)
        if (filled + bytes.length > gathered) {
          put(buffer.subarray(0, filled))
          filled = 0
        }
        if (bytes.length > gathered) put(bytes)
        else {
          buffer.set(bytes, filled)
          filled += bytes.length
        }
      })
      put(buffer.subarray(0, filled))
    }
    const pad = (to: number) => {
      if (position < to) put(new Uint8Array(to - position))
    }
    parts.forEach(([, array], i) => {
      pad(base + sections[i]!.at)
      if ("each" in array) putAll(array)
      else put(bytesOf(array))
    })
    pad(base + offset)
    const top = Buffer.alloc(base - prefix)
    top.set(headerBytes)
    top.set(bytesOf(body.sums), align(headerBytes.length))
    writeAt(top, prefix)
    const head = Buffer.alloc(prefix)
    head.write(magic, 0, "latin1")
    head.writeUInt32LE(formatVersion, 8)
    head.writeUInt32LE(factsVersion, 12)
    head.writeUInt32LE(headerBytes.length, 16)
    head.writeUInt32LE(crc32(top), 20)
    head.writeDoubleLE(position, 24)
    head.writeDoubleLE(base, 32)
    writeAt(head, 0)
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

/** A section of so many bytes is read by two threads. */
const large = 4 << 20
/** Milliseconds for which a file that was found as it was is taken to be. */
const verifiedMs = 50

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

/** Given among what to park: the references and texts of all facts. */
export const factsInFile = "facts"

/**
 * Reads a snapshot; undefined when there is none that can be trusted. Byte attachments named in `park`, and with
 * {@link factsInFile} most of the facts, are checked like the rest but not kept in memory.
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
    if (bytes.length < large) return [{ into: bytes, from }]
    const half = bytes.length >> 1
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
  if (loaded === undefined || !plan.header.sections.some(plan.isParked)) close(plan.source)
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
  /** The checksums of the blocks from the base on. */
  readonly sums: Uint32Array
  /** Where sections and blocks count from. */
  readonly base: number
  /** The sections in their order, each with what follows up to the next; without bytes those that are not kept. */
  readonly pieces: ReadonlyArray<{
    readonly section: Section
    readonly from: number
    readonly to: number
    readonly bytes?: Uint8Array<ArrayBuffer>
  }>
  readonly isParked: (section: Section) => boolean
}

/** Whether a snapshot was made by a build with the languages there are. */
const isOf = (header: Header, build: string): boolean =>
  header.build === build && header.languages.join() === languages.map((l) => l.id).join()

/** Bytes to be filled whole: they are not set to zero first. */
const room = (length: number): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.allocUnsafeSlow(length).buffer as ArrayBuffer)

const plannedOf = (source: Source, build: string, park: ReadonlyArray<string>): Plan | undefined => {
  const { file } = source
  const { mtimeMs, size: end } = fstatSync(file)
  if (end < prefix || end > 4 * 1024 * 1024 * 1024 - 16) return undefined
  const head = Buffer.alloc(prefix)
  fill(file, head, 0)
  const headerLength = head.readUInt32LE(16)
  const base = head.readDoubleLE(32)
  const sumsAt = align(headerLength)
  if (
    head.toString("latin1", 0, 8) !== magic ||
    head.readUInt32LE(8) !== formatVersion ||
    head.readUInt32LE(12) !== factsVersion ||
    head.readDoubleLE(24) !== end ||
    base > end ||
    base !== prefix + sumsAt + sumsLength(end - base)
  )
    return undefined
  const top = Buffer.allocUnsafeSlow(base - prefix)
  fill(file, top, prefix)
  if (crc32(top) !== head.readUInt32LE(20)) return undefined
  const header = JSON.parse(top.toString("utf8", 0, headerLength)) as Header
  const sums = new Uint32Array(top.buffer, sumsAt, (top.length - sumsAt) / Uint32Array.BYTES_PER_ELEMENT)
  if (!isOf(header, build)) return undefined
  const factsStay = park.includes(factsInFile)
  const isParked = ({ name, type }: Section) =>
    name.startsWith("+")
      ? type === "u8" && park.includes(name.slice(1))
      : factsStay && (name === "refs" || name === "text")
  // Each section is an array of its own, with what fills the file up to the next one.
  const sections = [...header.sections].sort((x, y) => x.at - y.at)
  const pieces: Array<Plan["pieces"][number]> = []
  if (base + (sections[0]?.at ?? 0) !== (sections.length === 0 ? end : base)) return undefined
  for (const [i, section] of sections.entries()) {
    const from = base + section.at
    const to = i + 1 < sections.length ? base + sections[i + 1]!.at : end
    if (!(section.length >= 0 && from + section.length * widths[section.type] <= to)) return undefined
    pieces.push({ section, from, to, ...(isParked(section) ? {} : { bytes: room(to - from) }) })
  }
  return { source, mtimeMs, end, header, sums, base, pieces, isParked }
}

/** Takes the checksums of the blocks that are in memory, be it in part; the others are checked when they are read. */
const isWhole = ({ base, end, pieces, source, sums }: Plan, inMemory: boolean): boolean => {
  if (!inMemory) for (const { bytes, from } of pieces) if (bytes !== undefined) fill(source.file, bytes, from)
  const scratch = Buffer.allocUnsafeSlow(block)
  let first = 0
  for (let number = 0, at = base; at < end; number++, at += block) {
    const stop = Math.min(at + block, end)
    while (pieces[first]!.to <= at) first++
    let held = false
    for (let i = first; i < pieces.length && pieces[i]!.from < stop; i++)
      held ||= pieces[i]!.bytes !== undefined
    if (!held) continue
    let found = 0
    for (let i = first; i < pieces.length && pieces[i]!.from < stop; i++) {
      const { bytes, from, to } = pieces[i]!
      const [begin, close] = [Math.max(at, from), Math.min(stop, to)]
      // The checksum of no bytes would start over.
      if (begin === close) continue
      const part = bytes?.subarray(begin - from, close - from) ?? scratch.subarray(0, close - begin)
      if (bytes === undefined) fill(source.file, part, begin)
      found = crc32(part, found)
    }
    if (found !== sums[number]) return false
  }
  return true
}

/** The file that a plan was made for, read in later: of the plan it holds the file and the checksums. */
const rereadingOf = ({ base, end, mtimeMs, source, sums }: Plan) => {
  let verified = -Infinity
  /** The blocks whose checksums were taken. */
  const sound = new Uint8Array(sums.length)
  const scratch = Buffer.allocUnsafeSlow(block)
  const check = (number: number): void => {
    const at = base + number * block
    const bytes = scratch.subarray(0, Math.min(block, end - at))
    fill(source.file, bytes, at)
    if (crc32(bytes) !== sums[number]) throw new Error("the stored snapshot is damaged")
    sound[number] = 1
  }
  /** Fills an array from a place in the file. It is looked at whether the file was written to since, or was a moment ago. */
  return (into: Uint8Array, position: number, recently: boolean): void => {
    const now = performance.now()
    if (!recently || now - verified > verifiedMs) {
      const stat = fstatSync(source.file)
      if (stat.size !== end || stat.mtimeMs !== mtimeMs) throw new Error("the stored snapshot was changed")
      verified = now
    }
    if (into.length === 0) return
    const last = Math.floor((position + into.length - 1 - base) / block)
    for (let number = Math.floor((position - base) / block); number <= last; number++)
      if (sound[number] === 0) check(number)
    fill(source.file, into, position)
  }
}
type Rereading = ReturnType<typeof rereadingOf>

const parkedOf = (reread: Rereading, start: number, length: number): Parked => ({
  length,
  read: (from, to) => {
    const out = new Uint8Array(Math.min(to, length) - from)
    reread(out, start + from, false)
    return out
  }
})
const readingOf = (reread: Rereading, start: number, length: number): ReadSection => ({
  length,
  read: (into, from) => {
    if (!(from >= 0 && from + into.length <= length)) throw new RangeError("facts beyond their section")
    reread(into, start + from, true)
  }
})

const lossOf = (home: FactsFile | undefined) => () => home?.lost === true

const decode = (plan: Plan): Loaded => {
  const { base, header, isParked, pieces } = plan
  const reread = rereadingOf(plan)
  const parked: { [name: string]: Parked } = {}
  for (const s of header.sections)
    if (isParked(s) && s.name.startsWith("+"))
      parked[s.name.slice(1)] = parkedOf(reread, base + s.at, s.length)
  const section = (name: string): Numbers => {
    const found = header.sections.find((s) => s.name === name)
    if (found === undefined) throw new RangeError(`section ${name} is missing`)
    const held = pieces.find((piece) => piece.section === found)
    if (held?.bytes === undefined) throw new RangeError(`section ${name} is not in memory`)
    const { buffer } = held.bytes
    switch (found.type) {
      case "i32":
        return new Int32Array(buffer, 0, found.length)
      case "u32":
        return new Uint32Array(buffer, 0, found.length)
      case "f64":
        return new Float64Array(buffer, 0, found.length)
      default:
        return new Uint8Array(buffer, 0, found.length)
    }
  }
  const i32 = (name: string) => section(name) as Int32Array<ArrayBuffer>
  const texts = (name: string) =>
    Buffer.from(section(name).buffer, 0, section(name).length).toString("utf8").split("\0")
  const paths = texts("paths")
  const oids = texts("oids")
  const skips = texts("skips")
  const [language, unit, flags, mode] = ["language", "unit", "flags", "mode"].map(i32) as [
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array
  ]
  const [at, refsAt, textAt] = ["at", "refsAt", "textAt"].map(i32) as [Int32Array, Int32Array, Int32Array]
  const [size, mtime, ino] = ["size", "mtime", "ino"].map(section) as [Numbers, Numbers, Numbers]
  const ints = i32("ints")
  const reading = (name: string): ReadSection => {
    const found = header.sections.find((s) => s.name === name)
    if (found === undefined) throw new RangeError(`section ${name} is missing`)
    return readingOf(reread, base + found.at, found.length * widths[found.type])
  }
  const stay = header.sections.some((s) => s.name === "refs" && isParked(s))
  const home = stay ? new FactsFile(reading("refs"), reading("text")) : undefined
  const refs = stay ? undefined : i32("refs")
  const text = stay ? undefined : (section("text") as Uint8Array)
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
      view:
        at[i]! < 0
          ? undefined
          : new FactsView(
              ints,
              at[i]!,
              home === undefined
                ? { refs: refs!, references: refsAt[i]!, text: text!, textAt: textAt[i]! }
                : { home, refsPlace: refsAt[i]!, textPlace: textAt[i]! }
            )
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
  const snapshot: Snapshot = {
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
  }
  Bearers.restore(snapshot, { starts: i32("bearerStarts"), nodes: section("bearers") as Float64Array })
  LooseFiles.restore(snapshot, {
    names: i32("looseNames"),
    ends: i32("looseEnds"),
    files: i32("looseFiles"),
    counts: i32("looseCounts")
  })
  return {
    snapshot,
    attachments,
    parked,
    isLost: lossOf(home),
    notes: header.notes
  }
}

/** Looks into a file; `otherwise` where it cannot be read, or holds something else than what is looked for. */
const lookedInto = <A>(path: string, otherwise: A, look: (file: number) => A): A => {
  let file: number
  try {
    file = openSync(path, "r")
  } catch {
    return otherwise
  }
  try {
    return look(file)
  } catch {
    return otherwise
  } finally {
    closeSync(file)
  }
}

/**
 * Whether a file is a snapshot of another build, version or set of languages, which is as good as none; false for one of
 * this build and for what is no snapshot. Only its head is looked at.
 */
export const isOfAnother = (path: string, build: string): boolean =>
  lookedInto(path, false, (file) => {
    const head = Buffer.alloc(prefix)
    fill(file, head, 0)
    if (head.toString("latin1", 0, 8) !== magic) return false
    if (head.readUInt32LE(8) !== formatVersion || head.readUInt32LE(12) !== factsVersion) return true
    const length = head.readUInt32LE(16)
    const top = Buffer.alloc(head.readDoubleLE(32) - prefix)
    fill(file, top, prefix)
    return (
      crc32(top) === head.readUInt32LE(20) &&
      !isOf(JSON.parse(top.toString("utf8", 0, length)) as Header, build)
    )
  })

/** What was noted beside a stored snapshot, without reading or checking the rest; undefined when it cannot be told. */
export const notesOf = (path: string): Loaded["notes"] | undefined =>
  lookedInto(path, undefined, (file) => {
    const head = Buffer.alloc(prefix)
    fill(file, head, 0)
    const length = head.readUInt32LE(16)
    if (head.toString("latin1", 0, 8) !== magic) return undefined
    if (head.readUInt32LE(8) !== formatVersion || length > 64 << 20) return undefined
    const text = Buffer.alloc(length)
    fill(file, text, prefix)
    return (JSON.parse(text.toString("utf8")) as Header).notes
  })
