/**
 * Definitions as dense numbers, file by file. Snapshots that share their names share the numbers of the files that are
 * the same in them: a changed file's definitions get numbers behind all others, and its old numbers mean nothing. Tables
 * made for one snapshot so serve the next ones, with what changed looked up beside them, until that is too much.
 */
import type { FileEntry, Snapshot } from "../graph/Snapshot.ts"
import type { Interner } from "../languages/Interner.ts"
import type { NameBase } from "./NameTable.ts"
import type { TermBase } from "./TermIndex.ts"

type Files = ReadonlyArray<FileEntry | undefined>

/** So many files, and so large a share of all definitions, may have changed before everything is numbered anew. */
const mostChanged = 128
const mostShare = 1 / 8

/** The numbers of one snapshot, and the tables made for them so far. */
export class NumberBase {
  /** Number of each file's first definition, and how many there are. */
  readonly firsts: Int32Array
  /** File of each number, in steps of 64: where to begin looking. */
  private readonly coarse: Int32Array
  names: NameBase | undefined
  terms: TermBase | undefined

  constructor(readonly files: Files) {
    const firsts = (this.firsts = new Int32Array(files.length + 1))
    for (let f = 0; f < files.length; f++) firsts[f + 1] = firsts[f]! + (files[f]?.view?.definitionCount ?? 0)
    const coarse = (this.coarse = new Int32Array((this.total >> 6) + 1))
    for (let f = 0, at = 0; at < coarse.length; at++) {
      while (f + 1 < files.length && firsts[f + 1]! <= at << 6) f++
      coarse[at] = f
    }
  }
  get total(): number {
    return this.firsts[this.firsts.length - 1]!
  }
  fileOf(definition: number): number {
    let f = this.coarse[definition >> 6]!
    while (this.firsts[f + 1]! <= definition) f++
    return f
  }
  get bytes(): number {
    return this.firsts.byteLength + this.coarse.byteLength
  }
}
const bases = new WeakMap<Interner, NumberBase>()

export class Numbering {
  /** Number of each file's first definition. */
  readonly firsts: Int32Array
  /** Numbers run below this; some of them mean nothing. */
  readonly total: number
  /** How many mean something. */
  readonly live: number
  /** One bit for each number of the base that means nothing any more; undefined when all mean something. */
  private readonly dead: Int32Array | undefined
  /** Ends of the changed files' numbers, in their order. */
  private readonly ends: ReadonlyArray<number>

  private constructor(
    readonly base: NumberBase,
    readonly files: Files,
    /** Ids of files that are not as in the base, ascending. */
    readonly changed: ReadonlyArray<number>
  ) {
    const ends: Array<number> = []
    this.ends = ends
    if (changed.length === 0 && files.length === base.files.length) {
      this.firsts = base.firsts
      this.total = this.live = base.total
      this.dead = undefined
      return
    }
    const firsts = (this.firsts = new Int32Array(files.length + 1))
    firsts.set(base.firsts.subarray(0, base.files.length))
    const dead = (this.dead = new Int32Array((base.total >> 5) + 1))
    let total = base.total
    let gone = 0
    for (const f of changed) {
      if (f < base.files.length) {
        for (let d = base.firsts[f]!, end = base.firsts[f + 1]!; d < end; d++, gone++)
          dead[d >> 5]! |= 1 << (d & 31)
      }
      firsts[f] = total
      total += files[f]?.view?.definitionCount ?? 0
      ends.push(total)
    }
    firsts[files.length] = total
    this.total = total
    this.live = total - gone
  }

  static of(snapshot: Snapshot): Numbering {
    const { files, names } = snapshot
    const known = bases.get(names)
    if (known !== undefined && files.length >= known.files.length) {
      const changed: Array<number> = []
      let fresh = 0
      for (let f = 0; f < files.length && changed.length <= mostChanged; f++) {
        const old = known.files[f]
        const now = files[f]
        if (old === now || (old?.view === now?.view && old?.path === now?.path)) continue
        changed.push(f)
        fresh += now?.view?.definitionCount ?? 0
      }
      if (changed.length <= mostChanged && fresh <= Math.max(4096, known.total * mostShare))
        return new Numbering(known, files, changed)
    }
    const base = new NumberBase(files)
    bases.set(names, base)
    return new Numbering(base, files, [])
  }

  isDead(definition: number): boolean {
    const { dead } = this
    return (
      dead !== undefined &&
      definition < this.base.total &&
      (dead[definition >> 5]! & (1 << (definition & 31))) !== 0
    )
  }
  fileOf(definition: number): number {
    if (definition < this.base.total) return this.base.fileOf(definition)
    let k = 0
    while (this.ends[k]! <= definition) k++
    return this.changed[k]!
  }
  /** Whether one definition stands behind another in the order of files. */
  isLater(a: number, b: number): boolean {
    const { total } = this.base
    if (a < total && b < total) return a > b
    const f = this.fileOf(a)
    const g = this.fileOf(b)
    return f === g ? a > b : f > g
  }
}
