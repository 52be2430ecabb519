/**
 * An index of the trigrams and the words of file bytes.
 *
 * A trigram is three consecutive bytes, ASCII letters folded to lower case,
 * that hold no line feed. A word is as many ASCII letters, digits and
 * underscores as stand together, three or more, folded likewise, the first no
 * digit: in a long file all trigrams of a name tend to occur somewhere, the
 * name does not. Each is hashed into one of {@link bucketCount} buckets, words
 * into the upper half. The index keeps, for each bucket, the ascending ids of
 * the files that hold something of that bucket, as LEB128 deltas in one byte
 * array. A bucket answers "may hold", never "holds": whoever uses it verifies.
 *
 * U+212A (KELVIN SIGN) and U+017F (LONG S) are the only characters outside
 * ASCII whose simple case fold is an ASCII letter. A file that holds one is
 * indexed twice, as it is and with them replaced by `k` and `s`, so that a
 * query that ignores case may demand ASCII trigrams.
 */

/** Number of buckets of trigrams, and of words: 2^18 each. */
const half = 1 << 18
/** Number of buckets: 2^19. */
export const bucketCount = 2 * half

const blockWords = 32
const wordCount = bucketCount >>> 5
const blockCount = wordCount / blockWords

const fold = new Uint8Array(256)
for (let byte = 0; byte < 256; byte++) fold[byte] = byte >= 65 && byte <= 90 ? byte + 32 : byte

/** The bucket of the trigram `a b c` (bytes, folded here). */
export const bucketOf = (a: number, b: number, c: number): number =>
  Math.imul((fold[a]! << 16) | (fold[b]! << 8) | fold[c]!, 0x9e3779b1) >>> 14

/** Shortest word that is indexed. */
const shortestWord = 3
/** The folded byte of a word character, 0 for any other. */
const inWord = new Uint8Array(256)
for (let byte = 0; byte < 256; byte++)
  if ((byte >= 48 && byte <= 57) || (byte >= 97 && byte <= 122) || byte === 95) inWord[byte] = byte
for (let byte = 65; byte <= 90; byte++) inWord[byte] = byte + 32

const wordSeed = 0x811c9dc5 | 0
const addToWord = (hash: number, byte: number): number => Math.imul(hash ^ byte, 0x01000193)
const bucketOfWord = (hash: number): number => half + (Math.imul(hash ^ (hash >>> 15), 0x9e3779b1) >>> 14)

/** Whether a text is a word as the index holds them; it is folded here. */
export const isIndexedWord = (text: string): boolean => /^[a-z_]\w{2,}$/i.test(text)
/** The bucket of a word. */
export const wordBucketOf = (word: string): number => {
  let hash = wordSeed
  for (let i = 0; i < word.length; i++) hash = addToWord(hash, inWord[word.charCodeAt(i)]!)
  return bucketOfWord(hash)
}

/** Working memory of {@link fileTrigrams}: make one per thread and reuse it. */
export interface TrigramScratch {
  readonly bits: Int32Array
  readonly blocks: Uint8Array
}

export const makeScratch = (): TrigramScratch => ({
  bits: new Int32Array(wordCount),
  blocks: new Uint8Array(blockCount)
})

/** Marks a bucket; answers 1 when it was new, else 0. */
const put = (bits: Int32Array, blocks: Uint8Array, bucket: number): 0 | 1 => {
  const word = bucket >>> 5
  const bit = 1 << (bucket & 31)
  const held = bits[word]!
  if ((held & bit) !== 0) return 0
  bits[word] = held | bit
  blocks[word >>> 5] = 1
  return 1
}

/** Marks the trigrams of `bytes`; answers how many were new. */
const mark = (bytes: Uint8Array, scratch: TrigramScratch): number => {
  const { bits, blocks } = scratch
  const end = bytes.length
  let added = 0
  let at = 0
  while (at < end) {
    let first = fold[bytes[at]!]!
    if (first === 10) {
      at++
      continue
    }
    if (at + 1 >= end) break
    const second = fold[bytes[at + 1]!]!
    if (second === 10) {
      at += 2
      continue
    }
    let gram = (first << 8) | second
    at += 2
    while (at < end) {
      first = fold[bytes[at++]!]!
      if (first === 10) break
      gram = ((gram << 8) | first) & 0xffffff
      added += put(bits, blocks, Math.imul(gram, 0x9e3779b1) >>> 14)
    }
  }
  return added
}

/** Marks the words of `bytes`; answers how many were new. */
const markWords = (bytes: Uint8Array, scratch: TrigramScratch): number => {
  const { bits, blocks } = scratch
  const end = bytes.length
  let added = 0
  let at = 0
  while (at < end) {
    let byte = inWord[bytes[at++]!]!
    if (byte === 0) continue
    const from = at
    const counts = byte > 57
    let hash = wordSeed
    do {
      hash = addToWord(hash, byte)
      byte = at < end ? inWord[bytes[at]!]! : 0
      at++
    } while (byte !== 0)
    if (!counts || at - from < shortestWord) continue
    added += put(bits, blocks, bucketOfWord(hash))
  }
  return added
}

const markAll = (bytes: Uint8Array, scratch: TrigramScratch): number =>
  mark(bytes, scratch) + markWords(bytes, scratch)

const kelvin = Buffer.from("\u212a")
const longS = Buffer.from("\u017f")

/**
 * The distinct buckets of one file, ascending. Its buffer is fresh and may be
 * transferred to another thread.
 */
export const fileTrigrams = (bytes: Uint8Array, scratch: TrigramScratch): Uint32Array => {
  const { bits, blocks } = scratch
  let count = markAll(bytes, scratch)
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.includes(kelvin) || view.includes(longS)) {
    const replaced = view.toString("latin1").replaceAll("\xe2\x84\xaa", "k").replaceAll("\xc5\xbf", "s")
    count += markAll(Buffer.from(replaced, "latin1"), scratch)
  }
  const found = new Uint32Array(count)
  let next = 0
  for (let block = 0; block < blockCount; block++) {
    if (blocks[block] === 0) continue
    blocks[block] = 0
    const from = block * blockWords
    for (let word = from; word < from + blockWords; word++) {
      let held = bits[word]!
      if (held === 0) continue
      bits[word] = 0
      while (held !== 0) {
        const low = held & -held
        found[next++] = (word << 5) | (31 - Math.clz32(low))
        held ^= low
      }
    }
  }
  return found
}

/** The trigrams of one file, as {@link fileTrigrams} answered them. */
export interface FileTrigrams {
  /** Small non-negative integer, given by the caller, stable between builds. */
  readonly id: number
  readonly buckets: Uint32Array
}

/** The base of an index as plain typed arrays, for a snapshot file. */
export interface TrigramBuffers {
  /** `bucketCount + 1` offsets into `postings`. */
  readonly offsets: Uint32Array
  /** For each bucket the ascending file ids as LEB128 deltas; the first delta is `id + 1`. */
  readonly postings: Uint8Array
  /** Ascending ids of the files the index knows, also those without a trigram. */
  readonly files: Uint32Array
}

/** The same with postings that are kept elsewhere and read as they are needed. */
export interface StoredTrigrams {
  readonly offsets: Uint32Array
  readonly files: Uint32Array
  readonly postings: {
    readonly length: number
    /** The bytes from one place to another. May throw: then every file is a candidate. */
    readonly read: (from: number, to: number) => Uint8Array
  }
}

/** A set of file ids as a bitmap. */
export class FileSet {
  readonly words: Uint32Array
  constructor(limit: number) {
    this.words = new Uint32Array((limit >>> 5) + 1)
  }
  add(id: number): void {
    const word = id >>> 5
    if (word < this.words.length) this.words[word]! |= 1 << (id & 31)
  }
  delete(id: number): void {
    const word = id >>> 5
    if (word < this.words.length) this.words[word]! &= ~(1 << (id & 31))
  }
  has(id: number): boolean {
    const word = id >>> 5
    return word < this.words.length && (this.words[word]! & (1 << (id & 31))) !== 0
  }
}

/** A condition on the buckets of a file. */
export type TrigramQuery =
  | { readonly kind: "all" }
  | { readonly kind: "bucket"; readonly bucket: number }
  | { readonly kind: "and"; readonly parts: ReadonlyArray<TrigramQuery> }
  | { readonly kind: "or"; readonly parts: ReadonlyArray<TrigramQuery> }

/** What {@link TrigramIndex.candidates} answers. */
export interface Candidates {
  /** Whether the file may match. A file the index does not know always may. */
  readonly has: (fileId: number) => boolean
  /** Those of the files, in their order, that may match. */
  readonly among: (fileIds: ReadonlyArray<number>) => ReadonlyArray<number>
  /** False when the query named no trigram, so that every file is a candidate. */
  readonly filtered: boolean
}

const holds = (buckets: Uint32Array, bucket: number): boolean => {
  let low = 0
  let high = buckets.length - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const at = buckets[middle]!
    if (at === bucket) return true
    if (at < bucket) low = middle + 1
    else high = middle - 1
  }
  return false
}

const satisfies = (buckets: Uint32Array, query: TrigramQuery): boolean => {
  switch (query.kind) {
    case "all":
      return true
    case "bucket":
      return holds(buckets, query.bucket)
    case "and":
      return query.parts.every((part) => satisfies(buckets, part))
    case "or":
      return query.parts.some((part) => satisfies(buckets, part))
  }
}

const varintLength = (value: number): number =>
  value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x200000 ? 3 : value < 0x10000000 ? 4 : 5

/** Ascending ids; intersect and union below rely on it. */
type Ids = Uint32Array

const intersect = (left: Ids, right: Ids): Ids => {
  const out = new Uint32Array(Math.min(left.length, right.length))
  let count = 0
  let i = 0
  let j = 0
  while (i < left.length && j < right.length) {
    const a = left[i]!
    const b = right[j]!
    if (a === b) {
      out[count++] = a
      i++
      j++
    } else if (a < b) i++
    else j++
  }
  return out.subarray(0, count)
}

const union = (left: Ids, right: Ids): Ids => {
  const out = new Uint32Array(left.length + right.length)
  let count = 0
  let i = 0
  let j = 0
  while (i < left.length || j < right.length) {
    const a = i < left.length ? left[i]! : Infinity
    const b = j < right.length ? right[j]! : Infinity
    out[count++] = Math.min(a, b)
    if (a <= b) i++
    if (b <= a) j++
  }
  return out.subarray(0, count)
}

/** Some bytes of the postings, at hand or not. */
const bytesOf = ({ postings }: TrigramBuffers | StoredTrigrams, from: number, to: number): Uint8Array =>
  postings instanceof Uint8Array ? postings.subarray(from, to) : postings.read(from, to)

/** Postings a delta may hold before {@link TrigramIndex.with} rebuilds the base. */
const rebaseFloor = 200_000

/**
 * The index: an immutable base and a small delta of files added, changed or
 * removed since. Readers keep the value they hold; {@link TrigramIndex.with}
 * answers the next one.
 */
export class TrigramIndex {
  private readonly base: TrigramBuffers | StoredTrigrams
  /** Files that differ from the base; `undefined` marks a removed one. */
  private readonly delta: ReadonlyMap<number, Uint32Array | undefined>
  private readonly deltaPostings: number
  private readonly known: FileSet

  private constructor(
    base: TrigramBuffers | StoredTrigrams,
    delta: ReadonlyMap<number, Uint32Array | undefined>
  ) {
    this.base = base
    this.delta = delta
    let top = base.files.length === 0 ? 0 : base.files[base.files.length - 1]!
    let size = 0
    for (const [id, buckets] of delta) {
      top = Math.max(top, id)
      size += buckets?.length ?? 0
    }
    this.deltaPostings = size
    this.known = new FileSet(top)
    for (const id of base.files) this.known.add(id)
    for (const [id, buckets] of delta) {
      if (buckets === undefined) this.known.delete(id)
      else this.known.add(id)
    }
  }

  /** Builds an index. Of several entries with one id the last counts. */
  static build(perFile: Iterable<FileTrigrams>): TrigramIndex {
    const byId = new Map<number, Uint32Array>()
    for (const { id, buckets } of perFile) byId.set(id, buckets)
    const ids = Uint32Array.from(byId.keys()).sort()
    const offsets = new Uint32Array(bucketCount + 1)
    const last = new Uint32Array(bucketCount)
    for (const id of ids) {
      const buckets = byId.get(id)!
      for (let i = 0; i < buckets.length; i++) {
        const bucket = buckets[i]!
        offsets[bucket + 1]! += varintLength(id + 1 - last[bucket]!)
        last[bucket] = id + 1
      }
    }
    for (let bucket = 0; bucket < bucketCount; bucket++) offsets[bucket + 1]! += offsets[bucket]!
    const postings = new Uint8Array(offsets[bucketCount]!)
    const write = offsets.slice(0, bucketCount)
    last.fill(0)
    for (const id of ids) {
      const buckets = byId.get(id)!
      for (let i = 0; i < buckets.length; i++) {
        const bucket = buckets[i]!
        let delta = id + 1 - last[bucket]!
        last[bucket] = id + 1
        let at = write[bucket]!
        while (delta >= 0x80) {
          postings[at++] = (delta & 0x7f) | 0x80
          delta >>>= 7
        }
        postings[at++] = delta
        write[bucket] = at
      }
    }
    return new TrigramIndex({ offsets, postings, files: ids }, new Map())
  }

  /** An index over buffers that {@link toBuffers} answered, or over the like. */
  static fromBuffers(buffers: TrigramBuffers | StoredTrigrams): TrigramIndex {
    return new TrigramIndex(buffers, new Map())
  }

  /** The whole index as plain typed arrays; a delta is merged in first. */
  toBuffers(): TrigramBuffers {
    if (this.delta.size > 0) return this.rebased().toBuffers()
    const { files, offsets } = this.base
    return { offsets, postings: bytesOf(this.base, 0, offsets[bucketCount]!), files }
  }

  /** Bytes held by the typed arrays of base and delta. */
  get byteLength(): number {
    const { offsets, postings, files } = this.base
    return (
      offsets.byteLength +
      (postings instanceof Uint8Array ? postings.byteLength : 0) +
      files.byteLength +
      this.known.words.byteLength +
      this.deltaPostings * 4
    )
  }

  /** Number of files in the delta. */
  get deltaSize(): number {
    return this.delta.size
  }

  /** Whether the index knows the file. */
  has(fileId: number): boolean {
    return this.known.has(fileId)
  }

  /**
   * The index after changes: a file id with its new buckets, or `undefined`
   * when the file is gone. Merges the delta into a new base once it is large.
   */
  with(changes: Iterable<readonly [fileId: number, buckets: Uint32Array | undefined]>): TrigramIndex {
    const delta = new Map(this.delta)
    for (const [id, buckets] of changes) delta.set(id, buckets)
    const next = new TrigramIndex(this.base, delta)
    const large =
      next.deltaPostings > Math.max(rebaseFloor, this.base.postings.length >>> 3) ||
      delta.size > Math.max(1024, this.base.files.length >>> 3)
    if (!large) return next
    try {
      return next.rebased()
    } catch {
      // Postings that can no longer be read: the delta stays as it is.
      return next
    }
  }

  /** The same index with an empty delta. */
  rebased(): TrigramIndex {
    if (this.delta.size === 0) return this
    const { files, offsets } = this.base
    const postings = bytesOf(this.base, 0, offsets[bucketCount]!)
    // Invert the base file by file; removed and replaced files fall out.
    const kept = files.filter((id) => !this.delta.has(id))
    const slot = new Map<number, number>()
    kept.forEach((id, index) => slot.set(id, index))
    const counts = new Uint32Array(kept.length + 1)
    const slots = new Int32Array(files.length === 0 ? 1 : files[files.length - 1]! + 1).fill(-1)
    for (const [id, index] of slot) slots[id] = index
    const visit = (each: (slot: number, bucket: number) => void): void => {
      for (let bucket = 0; bucket < bucketCount; bucket++) {
        let at = offsets[bucket]!
        const end = offsets[bucket + 1]!
        let id = -1
        while (at < end) {
          let shift = 0
          let value = 0
          let byte = 0
          do {
            byte = postings[at++]!
            value |= (byte & 0x7f) << shift
            shift += 7
          } while (byte >= 0x80)
          id += value
          const index = slots[id]!
          if (index >= 0) each(index, bucket)
        }
      }
    }
    visit((index) => {
      counts[index + 1]!++
    })
    for (let i = 0; i < kept.length; i++) counts[i + 1]! += counts[i]!
    const all = new Uint32Array(counts[kept.length]!)
    const write = counts.slice()
    visit((index, bucket) => {
      all[write[index]!++] = bucket
    })
    const perFile: Array<FileTrigrams> = []
    kept.forEach((id, index) =>
      perFile.push({ id, buckets: all.subarray(counts[index]!, counts[index + 1]!) })
    )
    for (const [id, buckets] of this.delta) if (buckets !== undefined) perFile.push({ id, buckets })
    return TrigramIndex.build(perFile)
  }

  /** The files that may satisfy the query. */
  candidates(query: TrigramQuery): Candidates {
    if (query.kind === "all") return { has: () => true, among: (fileIds) => fileIds, filtered: false }
    const ids = this.evaluate(query)
    const set = new FileSet(this.known.words.length * 32 - 1)
    for (const id of ids) if (!this.delta.has(id)) set.add(id)
    for (const [id, buckets] of this.delta)
      if (buckets !== undefined && satisfies(buckets, query)) set.add(id)
    const known = this.known
    const has = (id: number): boolean => set.has(id) || !known.has(id)
    return { has, among: (fileIds) => fileIds.filter(has), filtered: true }
  }

  /** Upper bound of the files of a query, in bytes of postings. */
  private weight(query: TrigramQuery): number {
    switch (query.kind) {
      case "all":
        return Infinity
      case "bucket":
        return this.base.offsets[query.bucket + 1]! - this.base.offsets[query.bucket]!
      case "and":
        return query.parts.reduce((least, part) => Math.min(least, this.weight(part)), Infinity)
      case "or":
        return query.parts.reduce((sum, part) => sum + this.weight(part), 0)
    }
  }

  private evaluate(query: TrigramQuery): Ids {
    switch (query.kind) {
      case "all":
        return this.base.files
      case "bucket":
        return this.postingsOf(query.bucket)
      case "or":
        return query.parts.reduce<Ids>((sum, part) => union(sum, this.evaluate(part)), new Uint32Array(0))
      case "and": {
        const parts = query.parts
          .map((part) => ({ part, weight: this.weight(part) }))
          .filter(({ weight }) => weight !== Infinity)
          .sort((left, right) => left.weight - right.weight)
        if (parts.length === 0) return this.base.files
        let ids = this.evaluate(parts[0]!.part)
        for (let i = 1; i < parts.length && ids.length > 0; i++) {
          // Decoding a long list costs more than verifying a handful of files.
          if (ids.length <= 4 && parts[i]!.weight > 512) break
          ids = intersect(ids, this.evaluate(parts[i]!.part))
        }
        return ids
      }
    }
  }

  private postingsOf(bucket: number): Ids {
    const { files, offsets } = this.base
    let postings: Uint8Array
    try {
      postings = bytesOf(this.base, offsets[bucket]!, offsets[bucket + 1]!)
    } catch {
      // Not knowing who may hold it, everyone may.
      return files
    }
    const end = postings.length
    const ids = new Uint32Array(end)
    let at = 0
    let count = 0
    let id = -1
    while (at < end) {
      let byte = postings[at++]!
      let value = byte & 0x7f
      let shift = 7
      while (byte >= 0x80) {
        byte = postings[at++]!
        value |= (byte & 0x7f) << shift
        shift += 7
      }
      id += value
      ids[count++] = id
    }
    return ids.subarray(0, count)
  }
}
