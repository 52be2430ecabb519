/**
 * Strings as small numbers. Names are interned straight from source bytes, without making a JavaScript string.
 * Number 0 is the empty string and stands for "no name".
 */
const encoder = new TextEncoder()
const decoder = new TextDecoder("utf-8", { ignoreBOM: true })

/** An interner as plain arrays: what {@link Interner.columns} answers and another one starts from. */
export interface InternerColumns {
  /** The strings one after the other, UTF-8. */
  readonly store: Uint8Array<ArrayBuffer>
  /** Where each string starts in `store`, and where the last one ends: one more than there are strings. */
  readonly offsets: Int32Array<ArrayBuffer>
  /** A hash of each string. */
  readonly hashes: Int32Array<ArrayBuffer>
  /** Open addressing by hash: number of the string plus one, 0 for a free slot. A power of two long, at most half full. */
  readonly table: Int32Array<ArrayBuffer>
}

export class Interner {
  private mask: number
  private table: Int32Array<ArrayBuffer>
  private hashes: Int32Array<ArrayBuffer>
  private offsets: Int32Array<ArrayBuffer>
  private store: Uint8Array<ArrayBuffer>
  private cache: Array<string | undefined> = []
  /** How many strings there are; valid numbers are 0 … size-1. */
  size = 0

  /** Empty, or with these columns, which are its own from now on. Throws a RangeError when they do not fit each other. */
  constructor(columns?: InternerColumns) {
    if (columns !== undefined) {
      const { hashes, offsets, store, table } = columns
      this.size = hashes.length
      if (
        this.size === 0 ||
        offsets.length !== this.size + 1 ||
        offsets[0] !== 0 ||
        offsets[1] !== 0 ||
        offsets[this.size] !== store.length ||
        table.length < 2 * this.size ||
        (table.length & (table.length - 1)) !== 0
      )
        throw new RangeError("columns of an interner that do not fit each other")
      this.store = store
      this.offsets = offsets
      this.hashes = hashes
      this.table = table
      this.mask = table.length - 1
      return
    }
    this.store = new Uint8Array(1 << 18)
    this.offsets = new Int32Array((1 << 14) + 1)
    this.hashes = new Int32Array(1 << 14)
    this.table = new Int32Array(1 << 15)
    this.mask = (1 << 15) - 1
    this.bytes(this.store, 0, 0)
  }

  /** Its content as arrays that stay as they are only until the next string is added. */
  columns(): InternerColumns {
    return {
      store: this.store.subarray(0, this.offsets[this.size]),
      offsets: this.offsets.subarray(0, this.size + 1),
      hashes: this.hashes.subarray(0, this.size),
      table: this.table
    }
  }

  /** Interns `source[start, end)`, UTF-8. */
  bytes(source: Uint8Array, start: number, end: number): number {
    let h = 0
    for (let i = start; i < end; i++) h = (Math.imul(h, 31) + source[i]!) | 0
    return this.hashed(source, start, end, h)
  }

  /** As {@link bytes}, for a lexer that has already computed `h = imul(h, 31) + byte` over the name. */
  hashed(source: Uint8Array, start: number, end: number, h: number): number {
    const { table, hashes, offsets, store } = this
    const length = end - start
    let slot = (h ^ (h >>> 15)) & this.mask
    for (;;) {
      const entry = table[slot]!
      if (entry === 0) break
      const id = entry - 1
      if (hashes[id] === h) {
        const from = offsets[id]!
        if (offsets[id + 1]! - from === length) {
          let i = 0
          while (i < length && store[from + i] === source[start + i]) i++
          if (i === length) return id
        }
      }
      slot = (slot + 1) & this.mask
    }
    return this.add(source, start, length, h, slot)
  }

  string(text: string): number {
    const bytes = encoder.encode(text)
    return this.bytes(bytes, 0, bytes.length)
  }

  /** The number of a string that is known, or -1. */
  find(text: string): number {
    const bytes = encoder.encode(text)
    let h = 0
    for (const byte of bytes) h = (Math.imul(h, 31) + byte) | 0
    for (let slot = (h ^ (h >>> 15)) & this.mask; this.table[slot] !== 0; slot = (slot + 1) & this.mask) {
      const id = this.table[slot]! - 1
      if (this.hashes[id] !== h || this.offsets[id + 1]! - this.offsets[id]! !== bytes.length) continue
      const from = this.offsets[id]!
      if (bytes.every((byte, i) => this.store[from + i] === byte)) return id
    }
    return -1
  }

  text(id: number): string {
    return (this.cache[id] ??= decoder.decode(this.store.subarray(this.offsets[id]!, this.offsets[id + 1]!)))
  }

  /** Forgets the strings that were made of bytes; they are made anew when they are asked for. */
  forgetTexts(): void {
    this.cache = []
  }

  hash(id: number): number {
    return this.hashes[id]!
  }

  /** The strings numbered `from` and up, as one byte array and their end offsets within it. */
  since(from: number): { readonly bytes: Uint8Array<ArrayBuffer>; readonly ends: Int32Array<ArrayBuffer> } {
    const start = this.offsets[from]!
    const ends = new Int32Array(this.size - from)
    for (let i = 0; i < ends.length; i++) ends[i] = this.offsets[from + i + 1]! - start
    return { bytes: this.store.slice(start, this.offsets[this.size]!), ends }
  }

  private add(source: Uint8Array, start: number, length: number, h: number, slot: number): number {
    const id = this.size++
    if (id + 2 > this.offsets.length) this.offsets = grown(this.offsets, roomier(this.offsets.length))
    if (id >= this.hashes.length) this.hashes = grown(this.hashes, roomier(this.hashes.length))
    const at = this.offsets[id]!
    if (at + length > this.store.length) {
      const store = new Uint8Array(Math.max(roomier(this.store.length), at + length))
      store.set(this.store)
      this.store = store
    }
    for (let i = 0; i < length; i++) this.store[at + i] = source[start + i]!
    this.offsets[id + 1] = at + length
    this.hashes[id] = h
    this.table[slot] = id + 1
    if (this.size * 2 > this.table.length) this.rehash()
    return id
  }

  private rehash() {
    const table = new Int32Array(this.table.length * 2)
    const mask = table.length - 1
    for (let id = 0; id < this.size; id++) {
      const h = this.hashes[id]!
      let slot = (h ^ (h >>> 15)) & mask
      while (table[slot] !== 0) slot = (slot + 1) & mask
      table[slot] = id + 1
    }
    this.table = table
    this.mask = mask
  }
}

/** What an array that is full grows to: a large one, such as one that was stored, by little. */
const roomier = (length: number): number => (length < 1 << 17 ? length * 2 : length + (length >> 3))

export const grown = (old: Int32Array<ArrayBuffer>, length: number): Int32Array<ArrayBuffer> => {
  const out = new Int32Array(length)
  out.set(old)
  return out
}
