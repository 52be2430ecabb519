import { FastCheck as fc } from "effect"
import { expect, it } from "vitest"
import { offsetsFrom, storedOffsets } from "../../../src/engine/text/Offsets.ts"
import { bucketCount } from "../../../src/engine/text/Trigrams.ts"

/** Offsets of buckets that hold so many bytes each, the others none. */
const offsetsOf = (held: ReadonlyArray<readonly [bucket: number, bytes: number]>): Uint32Array => {
  const offsets = new Uint32Array(bucketCount + 1)
  for (const [bucket, bytes] of held) offsets[bucket + 1]! += bytes
  for (let bucket = 0; bucket < bucketCount; bucket++) offsets[bucket + 1]! += offsets[bucket]!
  return offsets
}
const same = (left: Uint32Array | undefined, right: Uint32Array): boolean =>
  left !== undefined && Buffer.compare(Buffer.from(left.buffer), Buffer.from(right.buffer)) === 0

it("gives offsets back as they were, in room for the buckets that hold something", () => {
  const bucket = fc.oneof(fc.nat(bucketCount - 1), fc.constantFrom(0, 1, bucketCount - 2, bucketCount - 1))
  fc.assert(
    fc.property(fc.array(fc.tuple(bucket, fc.integer({ min: 1, max: 300 })), { maxLength: 60 }), (held) => {
      const offsets = offsetsOf(held)
      const stored = storedOffsets(offsets)
      expect(stored).toHaveLength(2 * new Set(held.map(([one]) => one)).size)
      expect(same(offsetsFrom(stored), offsets)).toBe(true)
    }),
    { numRuns: 30 }
  )
})

it("keeps offsets of many buckets as they are", () => {
  const offsets = offsetsOf(Array.from({ length: bucketCount / 2 }, (_, at) => [2 * at, 1] as const))
  expect(storedOffsets(offsets)).toBe(offsets)
  expect(offsetsFrom(offsets)).toBe(offsets)
})

it("takes nothing for offsets that is not", () => {
  for (const wrong of [[1], [5, 1, 4, 2], [5, 1, 5, 2], [5, 0], [1, 3, 2, 3], [1, 3, 2, 2], [bucketCount, 1]])
    expect(offsetsFrom(Uint32Array.from(wrong))).toBeUndefined()
})
