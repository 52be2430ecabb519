/**
 * Reads files one after another into facts, in whatever thread it is made. Nothing a file holds or does makes it throw:
 * the file is recorded as skipped or failed and the next one is read as if nothing had been.
 */
import { isAscii, isUtf8 } from "node:buffer"
import { createHash } from "node:crypto"
import { lstatSync } from "node:fs"
import type { Stats } from "node:fs"
import { kindOf } from "../files/SafeOpen.ts"
import { FileReader } from "../files/Reader.ts"
import { type FileFlag, judgeBytes, judgeStat, type SkipReason } from "../files/Skip.ts"
import { definitionLimit } from "../graph/World.ts"
import { H } from "../languages/Facts.ts"
import { FactsBuilder } from "../languages/FactsBuilder.ts"
import type { Interner } from "../languages/Interner.ts"
import type { Extract, Language } from "../languages/Language.ts"
import { Source } from "../languages/Source.ts"
import { indexFile } from "../text/Decoding.ts"
import { makeScratch } from "../text/Trigrams.ts"
import { isTestPath, type LanguageTable } from "./Detect.ts"
import {
  blobIdBytes,
  emptyColumns,
  type FailureReason,
  type FileColumns,
  FileBit,
  type RawGroup,
  reasonNumber,
  type Remark,
  statusNumber
} from "./Job.ts"

const bitOf: { readonly [K in FileFlag]: number } = {
  generated: FileBit.generated,
  vendored: FileBit.vendored,
  lock_file: FileBit.lockFile,
  nul_bytes: FileBit.nulBytes
}

/** Enters what the system says of a file. */
export const noteStat = (columns: FileColumns, place: number, stat: Stats): void => {
  columns.size[place] = stat.size
  columns.mtimeMs[place] = stat.mtimeMs
  columns.ino[place] = stat.ino
  columns.mode[place] = stat.mode
}

/** A file's text as valid UTF-8 without a byte order mark, and how it was written. */
interface Text {
  readonly bytes: Buffer
  /** Set when it had to be made anyway. */
  readonly text: string | undefined
  readonly bits: number
}

const textOf = (raw: Buffer): Text => {
  if (raw.length >= 2 && raw.length % 2 === 0) {
    const little = raw[0] === 0xff && raw[1] === 0xfe
    if (little || (raw[0] === 0xfe && raw[1] === 0xff)) {
      const units = little ? raw.subarray(2) : Buffer.from(raw.subarray(2)).swap16()
      const text = units.toString("utf16le")
      return { bytes: Buffer.from(text), text, bits: FileBit.utf16 }
    }
  }
  if (isUtf8(raw)) {
    const marked = raw.length >= 3 && raw[0] === 0xef && raw[1] === 0xbb && raw[2] === 0xbf
    return { bytes: marked ? raw.subarray(3) : raw, text: undefined, bits: 0 }
  }
  const text = raw.toString("latin1")
  return { bytes: Buffer.from(text), text, bits: FileBit.invalidUtf8 }
}

const linesOf = (bytes: Uint8Array): number => {
  let lines = 1
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines++
  return lines
}

/** A thrown value as one short line. */
export const describeThrown = (thrown: unknown): string => {
  try {
    const text = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown)
    return text.replace(/\s+/g, " ").slice(0, 200)
  } catch {
    return "threw a value that cannot be shown"
  }
}

export interface ExtractionOptions {
  /** Most definitions a file may have; the graph's limit unless given. */
  readonly definitionLimit?: number
}

export class Extraction {
  private readonly builder: FactsBuilder
  private readonly reader = new FileReader()
  private readonly scratch = makeScratch()
  private readonly limit: number
  /** Per language: its reader, or why there is none; undefined until it is needed. */
  private readonly extractors: Array<Extract | { readonly unavailable: string } | undefined>

  private root = ""
  private columns = emptyColumns(0)
  private place = 0
  private remarks: Array<Remark> = []
  /** Per file of the group, where the builder's batch has its facts; -1 when it has none. */
  private slot = new Int32Array(0)
  private slots = 0
  private buckets: Uint32Array<ArrayBuffer> | undefined
  private bucketCount = 0
  private bucketEnds = new Uint32Array(0)
  private factless = false

  /** `interner` takes the names; it outlives every group. */
  constructor(
    readonly table: LanguageTable,
    interner: Interner,
    options: ExtractionOptions = {}
  ) {
    this.builder = new FactsBuilder(interner)
    this.limit = options.definitionLimit ?? definitionLimit
    this.extractors = table.languages.map(() => undefined)
  }

  /**
   * Starts a group of `count` files below an absolute root. `factless` leaves facts out. A group not yet taken is
   * dropped; the names it met stay in the interner and do not appear in a later batch's `strings`.
   */
  begin(
    root: string,
    count: number,
    options: { readonly wantTrigrams: boolean; readonly factless?: boolean }
  ): void {
    this.builder.take()
    this.root = root.endsWith("/") ? root : `${root}/`
    this.columns = emptyColumns(count)
    this.place = 0
    this.remarks = []
    this.slot = new Int32Array(count).fill(-1)
    this.slots = 0
    this.factless = options.factless === true
    this.buckets = options.wantTrigrams ? new Uint32Array(1 << 14) : undefined
    this.bucketCount = 0
    this.bucketEnds = new Uint32Array(options.wantTrigrams ? count : 0)
  }

  /** Prepares a language, once. Never fails: files of a language that cannot be prepared are recorded as such. */
  async load(number: number): Promise<void> {
    if (this.extractors[number] !== undefined) return
    try {
      this.extractors[number] = await this.table.languages[number]!.load()
    } catch (thrown) {
      this.extractors[number] = { unavailable: describeThrown(thrown) }
    }
  }

  /** Whether a language is ready, or known not to be available. */
  isLoaded(number: number): boolean {
    return this.extractors[number] !== undefined
  }

  /**
   * Reads the next file of the group. Returns -1 when it is done with, or the number of a language that must be
   * {@link load}ed before the same file is asked for again. `given` are its bytes in place of those on disk.
   */
  file(path: string, given?: Buffer): number {
    try {
      const needed = this.read(path, given)
      if (needed >= 0) return needed
    } catch (thrown) {
      // Parsers are caught where they are called; this is for the rest, such as memory that ran out while decoding.
      this.fail("extractor_failed", describeThrown(thrown))
    }
    if (this.buckets !== undefined) this.bucketEnds[this.place] = this.bucketCount
    this.place++
    return -1
  }

  /** The group, with everything ready to be transferred. */
  take(): RawGroup {
    const taken = this.builder.take()
    // The builder knows of the files it was given; the batch has a row for every file.
    const batch = { ...taken, at: new Int32Array(this.slot.length), textAt: new Int32Array(this.slot.length) }
    this.slot.forEach((slot, place) => {
      batch.at[place] = slot < 0 ? -1 : taken.at[slot]!
      batch.textAt[place] = slot < 0 ? -1 : taken.textAt[slot]!
    })
    const trigrams =
      this.buckets === undefined
        ? undefined
        : { buckets: this.buckets.slice(0, this.bucketCount), ends: this.bucketEnds }
    const { columns, remarks } = this
    this.columns = emptyColumns(0)
    this.buckets = undefined
    return { columns, batch, trigrams, remarks }
  }

  private read(path: string, given: Buffer | undefined): number {
    const { columns, place } = this
    const absolute = this.root + path
    let stat: Stats | undefined
    if (given !== undefined) {
      const early = judgeStat(path, given.length)
      if (early.skip !== null) return this.skip(path, early.skip, early.detail, early.flags)
    } else {
      try {
        stat = lstatSync(absolute)
      } catch {
        // The reader says why.
      }
    }
    if (stat !== undefined) {
      noteStat(columns, place, stat)
      if (stat.isSymbolicLink()) return this.skip(path, "symlink", null)
      if (!stat.isFile()) return this.skip(path, "not_regular", kindOf(stat))
      const early = judgeStat(path, stat.size)
      if (early.skip !== null) return this.skip(path, early.skip, early.detail, early.flags)
    }
    const outcome =
      given === undefined ? this.reader.read(absolute) : ({ _tag: "Bytes", bytes: given } as const)
    if (outcome._tag === "Skip") return this.skip(path, outcome.reason, outcome.detail)
    const raw = outcome.bytes
    const verdict = judgeBytes(path, raw)
    if (verdict.skip !== null) {
      this.identify(raw)
      // A minified file has no facts worth having, but it is text, and what it says can be searched for.
      if (this.buckets !== undefined && verdict.skip === "minified")
        this.addBuckets(indexFile(raw, this.scratch))
      return this.skip(path, verdict.skip, verdict.detail, verdict.flags)
    }
    const text = textOf(raw)
    const language = this.table.of(path, text.bytes)
    if (language >= 0 && !this.factless && !this.isLoaded(language)) return language

    this.identify(raw)
    columns.language[place] = language
    columns.flags[place] = this.bits(path, verdict.flags) | text.bits
    // Before facts: a parser is given these very bytes, and nothing says that it leaves them as they were.
    if (this.buckets !== undefined) this.addBuckets(indexFile(raw, this.scratch))
    if (language < 0 || this.factless) columns.status[place] = statusNumber.text
    else this.facts(path, text, this.table.languages[language]!, this.extractors[language]!)
    if (columns.lines[place] === 0) columns.lines[place] = linesOf(text.bytes)
    return -1
  }

  private facts(
    path: string,
    text: Text,
    language: Language,
    extract: Extract | { readonly unavailable: string }
  ): void {
    if (typeof extract !== "function") return this.fail("language_unavailable", extract.unavailable)
    const { builder, columns, place } = this
    let begun = false
    try {
      const source =
        language.reads === "bytes"
          ? Source.bytes(path, text.bytes)
          : Source.text(
              path,
              text.bytes,
              text.text ?? text.bytes.toString(isAscii(text.bytes) ? "latin1" : "utf8")
            )
      columns.lines[place] = source.lineCount
      builder.begin(source, { hoisting: language.hoisting })
      begun = true
      extract(builder)
      builder.end()
    } catch (thrown) {
      if (begun) {
        builder.abandon()
        this.slots++
      }
      return this.fail("extractor_failed", describeThrown(thrown))
    }
    this.slot[place] = this.slots++
    const view = builder.last()
    columns.parseErrors[place] = view.ints[view.at + H.parseErrors]!
    if (view.definitionCount > this.limit) {
      this.slot[place] = -1
      return this.fail("too_many_definitions", `${view.definitionCount} definitions, at most ${this.limit}`)
    }
    columns.status[place] = statusNumber.facts
  }

  private skip(
    path: string,
    reason: SkipReason,
    detail: string | null,
    flags: ReadonlyArray<FileFlag> = []
  ): number {
    this.columns.status[this.place] = statusNumber.skipped
    this.columns.reason[this.place] = reasonNumber[reason]
    this.columns.flags[this.place] = this.bits(path, flags)
    if (detail !== null) this.remarks.push([this.place, detail])
    return -1
  }

  private fail(reason: FailureReason, detail: string): void {
    this.columns.status[this.place] = statusNumber.failed
    this.columns.reason[this.place] = reasonNumber[reason]
    this.remarks.push([this.place, detail])
  }

  private bits(path: string, flags: ReadonlyArray<FileFlag>): number {
    let bits = isTestPath(path) ? FileBit.test : 0
    for (const flag of flags) bits |= bitOf[flag]
    return bits
  }

  /** Notes the blob id git would give these bytes. */
  private identify(raw: Buffer): void {
    this.columns.size[this.place] = raw.length
    this.columns.blob.set(
      createHash("sha1").update(`blob ${raw.length}\0`).update(raw).digest(),
      this.place * blobIdBytes
    )
  }

  private addBuckets(found: Uint32Array): void {
    const needed = this.bucketCount + found.length
    if (needed > this.buckets!.length) {
      const more = new Uint32Array(Math.max(needed, this.buckets!.length * 2))
      more.set(this.buckets!.subarray(0, this.bucketCount))
      this.buckets = more
    }
    this.buckets!.set(found, this.bucketCount)
    this.bucketCount = needed
  }
}
