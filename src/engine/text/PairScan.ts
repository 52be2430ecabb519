/**
 * Finds two bytes at a fixed distance, sixteen places at a time: a function of WebAssembly, whose vector instructions
 * JavaScript has not. It is small enough to be written down in its binary form.
 */

/** Bytes of text that are looked at in one piece. */
export const mostBytes = 1 << 20
/** A load reaches this far beyond the last place. */
const beyond = 1 << 16

const i32 = 0x7f
const v128 = 0x7b
const local = { get: 0x20, set: 0x21, tee: 0x22 } as const
const simd = (code: number): ReadonlyArray<number> => [0xfd, code]
const load = [...simd(0x00), 0, 0]
const splat = simd(0x0f)
const equal = simd(0x23)
const and = simd(0x4e)
const bitmask = simd(0x64)

/** Parameters: place, last place, first byte, second byte, and how far each lies from the place. Then locals. */
const [place, last, first, second, firstAt, secondAt, firsts, seconds, mask] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8
] as const

/** Sixteen places: which of them have a byte at a distance. */
const matching = (distance: number, bytes: number): ReadonlyArray<number> => [
  local.get,
  place,
  local.get,
  distance,
  0x6a,
  ...load,
  local.get,
  bytes,
  ...equal
]

/** `scan(place, last, first, second, firstAt, secondAt)`: the next place, or -1. */
const body: ReadonlyArray<number> = [
  // Locals: two vectors and a number.
  [2, 2, v128, 1, i32],
  [local.get, first, ...splat, local.set, firsts],
  [local.get, second, ...splat, local.set, seconds],
  // loop: if place > last, return -1
  [0x03, 0x40],
  [local.get, place, local.get, last, 0x4a, 0x04, 0x40, 0x41, 0x7f, 0x0f, 0x0b],
  matching(firstAt, firsts),
  matching(secondAt, seconds),
  and,
  bitmask,
  // if any: place += trailing zeros; return place <= last ? place : -1
  [local.tee, mask, 0x04, 0x40],
  [local.get, place, local.get, mask, 0x68, 0x6a, local.tee, place],
  [0x41, 0x7f, local.get, place, local.get, last, 0x4c, 0x1b, 0x0f, 0x0b],
  // place += 16; again
  [local.get, place, 0x41, 16, 0x6a, local.set, place, 0x0c, 0, 0x0b],
  [0x00, 0x0b]
].flat()

const section = (id: number, bytes: ReadonlyArray<number>): ReadonlyArray<number> => [
  id,
  ...leb(bytes.length),
  ...bytes
]
const leb = (n: number): ReadonlyArray<number> => (n < 128 ? [n] : [(n & 127) | 128, ...leb(n >>> 7)])
const name = (text: string): ReadonlyArray<number> => [text.length, ...Buffer.from(text)]

const module: ReadonlyArray<number> = [
  [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  section(1, [1, 0x60, 6, i32, i32, i32, i32, i32, i32, 1, i32]),
  section(2, [1, ...name("m"), ...name("m"), 0x02, 0x00, 1]),
  section(3, [1, 0]),
  section(7, [1, ...name("scan"), 0x00, 0]),
  section(10, [1, ...leb(body.length), ...body])
].flat()

/** The part of the global that is used here; the compiler's library for servers does not know it as a value. */
interface Wasm {
  readonly Memory: new (size: { readonly initial: number }) => { readonly buffer: ArrayBuffer }
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (
    module: object,
    imports: object
  ) => { readonly exports: { readonly scan: PairScan["scan"] } }
}

export interface PairScan {
  /** The text to look at; at most {@link mostBytes}. */
  readonly put: (text: Uint8Array) => void
  /** The next place from `place` to `last` with both bytes at their distances, or -1. Distances are below 65000. */
  readonly scan: (
    place: number,
    last: number,
    first: number,
    second: number,
    firstAt: number,
    secondAt: number
  ) => number
}

/** Makes one; undefined where WebAssembly or its vectors are not to be had. */
export const makePairScan = (): PairScan | undefined => {
  try {
    const { Instance, Memory, Module } = (globalThis as unknown as { readonly WebAssembly: Wasm }).WebAssembly
    const memory = new Memory({ initial: (mostBytes + 2 * beyond) >>> 16 })
    const made = new Instance(new Module(Uint8Array.from(module)), { m: { m: memory } })
    const room = new Uint8Array(memory.buffer)
    return {
      put: (text) => room.set(text),
      scan: made.exports.scan
    }
  } catch {
    return undefined
  }
}
