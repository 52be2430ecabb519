/**
 * Segments of the ledger: files with the rows that are no longer in the table, a compressed line of JSON each. A file is
 * named by the number of its first row, is put in place as a whole, and is never changed after that.
 */
import { createHash, randomBytes } from "node:crypto"
import { once } from "node:events"
import { createReadStream, createWriteStream, readdirSync } from "node:fs"
import { mkdir, open, readFile, rename, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { promisify } from "node:util"
import { createGunzip, createGzip, gunzip } from "node:zlib"
import { lineOf, type Stored, storedOf } from "./LedgerChain.ts"

export interface Segment {
  /** Number of the first row it has, or should have. */
  readonly first: number
  readonly name: string
}

const named = /^(\d{12,15})\.jsonl\.gz$/
const unfinished = ".part"

/** The name of the segment whose first row has a number. */
export const segmentName = (first: number): string => `${String(first).padStart(12, "0")}.jsonl.gz`

const isMissing = (cause: unknown): boolean => (cause as NodeJS.ErrnoException).code === "ENOENT"

/** The segments in a folder, by their numbers. None where there is no folder. */
export const segmentsIn = (folder: string): ReadonlyArray<Segment> => {
  let names: ReadonlyArray<string>
  try {
    names = readdirSync(folder)
  } catch (cause) {
    if (isMissing(cause)) return []
    throw cause
  }
  return names
    .flatMap((name) => {
      const number = named.exec(name)?.[1]
      return number === undefined ? [] : [{ first: Number(number), name }]
    })
    .sort((left, right) => left.first - right.first)
}

const inflate = promisify(gunzip)

/** What a file holds: its rows, up to the first line that is none. */
export interface Contents {
  readonly rows: ReadonlyArray<Stored>
  /** Whether the whole of it could be read. */
  readonly whole: boolean
}

/** Reads a segment; undefined where the file is gone. Rejects where the disk fails. */
export const readSegment = async (folder: string, name: string): Promise<Contents | undefined> => {
  const bytes = await readFile(join(folder, name)).catch((cause: unknown) => {
    if (isMissing(cause)) return undefined
    throw cause
  })
  if (bytes === undefined) return undefined
  const text = await inflate(bytes).then(
    (plain) => plain.toString("utf8"),
    () => undefined
  )
  if (text === undefined) return { rows: [], whole: false }
  const rows: Array<Stored> = []
  for (const line of text.split("\n")) {
    if (line === "") continue
    const row = storedOf(line)
    if (row === undefined) return { rows, whole: false }
    rows.push(row)
  }
  return { rows, whole: text.endsWith("\n") }
}

const digestOf = async (path: string): Promise<string> => {
  const hash = createHash("sha256")
  await pipeline(createReadStream(path), createGunzip(), async (chunks) => {
    for await (const chunk of chunks as AsyncIterable<Buffer>) hash.update(chunk)
  })
  return hash.digest("hex")
}

const sync = async (path: string): Promise<void> => {
  const handle = await open(path, "r")
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** A segment that is being written, next to where it will stand. */
export class SegmentWriter {
  readonly #folder: string
  readonly #first: number
  readonly #part: string
  readonly #gzip = createGzip()
  readonly #hash = createHash("sha256")
  readonly #written: Promise<void>

  private constructor(folder: string, first: number) {
    this.#folder = folder
    this.#first = first
    this.#part = join(folder, `${segmentName(first)}.${randomBytes(6).toString("hex")}${unfinished}`)
    this.#written = pipeline(this.#gzip, createWriteStream(this.#part, { flags: "wx", mode: 0o600 }))
    // Told to whoever ends it.
    this.#written.catch(() => {})
  }

  static async open(folder: string, first: number): Promise<SegmentWriter> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    // Whoever left one behind is gone: one process at a time writes segments.
    for (const name of readdirSync(folder))
      if (name.endsWith(unfinished)) await rm(join(folder, name), { force: true })
    return new SegmentWriter(folder, first)
  }

  async add(rows: ReadonlyArray<Stored>): Promise<void> {
    const text = rows.map((row) => `${lineOf(row)}\n`).join("")
    this.#hash.update(text)
    if (!this.#gzip.write(text)) await Promise.race([once(this.#gzip, "drain"), this.#written])
  }

  /** Puts the file in place, once the disk has it and it reads as it was written. Bytes of it. */
  async place(): Promise<number> {
    this.#gzip.end()
    await this.#written
    await sync(this.#part)
    if ((await digestOf(this.#part)) !== this.#hash.digest("hex"))
      throw new Error("a segment of the ledger does not read as it was written")
    const { size } = await stat(this.#part)
    await rename(this.#part, join(this.#folder, segmentName(this.#first)))
    await sync(this.#folder)
    return size
  }

  async abandon(): Promise<void> {
    this.#gzip.destroy()
    await this.#written.catch(() => {})
    await rm(this.#part, { force: true })
  }
}

/** Removes a segment; nothing happens where it is gone. */
export const removeSegment = async (folder: string, name: string): Promise<void> => {
  await rm(join(folder, name), { force: true })
  await sync(folder)
}
