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
const formatVersion = 4
const magic = "PORTICO\n"
const prefix = 32

/** Arrays that travel with a snapshot and mean nothing to it. */
export interface Attachments {
  readonly [name: string]: Uint8Array | Uint32Array
}
export interface Loaded {
  readonly snapshot: Snapshot
  readonly attachments: Attachments
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
  const known = snapshot.names.since(1)
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
    ["nameBytes", known.bytes],
    ["nameEnds", known.ends],
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

/** Reads a snapshot; undefined when there is none that can be trusted. */
export const loadSnapshot = (path: string, build: string): Loaded | undefined => {
  let file: number
  try {
    file = openSync(path, "r")
  } catch {
    return undefined
  }
  try {
    const size = fstatSync(file).size
    if (size < prefix || size > 4 * 1024 * 1024 * 1024 - 16) return undefined
    const bytes = new Uint8Array(size)
    for (let done = 0; done < size; ) {
      const read = readSync(file, bytes, done, Math.min(size - done, 1 << 26), done)
      if (read === 0) return undefined
      done += read
    }
    return decode(Buffer.from(bytes.buffer), build)
  } catch {
    return undefined
  } finally {
    closeSync(file)
  }
}

const decode = (bytes: Buffer<ArrayBuffer>, build: string): Loaded | undefined => {
  if (
    bytes.toString("latin1", 0, 8) !== magic ||
    bytes.readUInt32LE(8) !== formatVersion ||
    bytes.readUInt32LE(12) !== factsVersion
  )
    return undefined
  if (bytes.readDoubleLE(24) !== bytes.length) return undefined
  const headerLength = bytes.readUInt32LE(16)
  if (prefix + headerLength > bytes.length || crc32(bytes.subarray(prefix)) !== bytes.readUInt32LE(20))
    return undefined
  const header = JSON.parse(bytes.toString("utf8", prefix, prefix + headerLength)) as Header
  if (header.build !== build || header.languages.join() !== languages.map((l) => l.id).join())
    return undefined
  const base = prefix + align(headerLength)
  const section = (name: string): Numbers => {
    const found = header.sections.find((s) => s.name === name)
    if (found === undefined) throw new RangeError(`section ${name} is missing`)
    const start = base + found.at
    switch (found.type) {
      case "i32":
        return new Int32Array(bytes.buffer, start, found.length)
      case "u32":
        return new Uint32Array(bytes.buffer, start, found.length)
      case "f64":
        return new Float64Array(bytes.buffer, start, found.length)
      default:
        return new Uint8Array(bytes.buffer, start, found.length)
    }
  }
  const i32 = (name: string) => section(name) as Int32Array
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
  const names = new Interner()
  const nameBytes = section("nameBytes") as Uint8Array
  const nameEnds = i32("nameEnds")
  for (let i = 0, from = 0; i < nameEnds.length; i++) {
    names.bytes(nameBytes, from, nameEnds[i]!)
    from = nameEnds[i]!
  }
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
    if (s.name.startsWith("+")) attachments[s.name.slice(1)] = section(s.name) as Uint8Array | Uint32Array
  return {
    snapshot: {
      generation: header.generation,
      files,
      byPath,
      resolved,
      names,
      units: header.units,
      incoming: new Incoming(files, resolved),
      configs: new Map(header.configs),
      at: header.at
    },
    attachments,
    notes: header.notes
  }
}
