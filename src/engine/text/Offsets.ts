/** The offsets of an index of trigrams as they are stored: of few files most buckets hold nothing, and need no room. */
import { bucketCount } from "./Trigrams.ts"

/** Offsets in less than half of their room: for each bucket that holds something its number and its end; else as they are. */
export const storedOffsets = (offsets: Uint32Array): Uint32Array => {
  const most = offsets.length >> 2
  const out: Array<number> = []
  for (let bucket = 0; bucket < bucketCount; bucket++) {
    const end = offsets[bucket + 1]!
    if (end === offsets[bucket]) continue
    if (out.length >= 2 * most) return offsets
    out.push(bucket, end)
  }
  return Uint32Array.from(out)
}

/** What {@link storedOffsets} was given; undefined for numbers it does not answer. */
export const offsetsFrom = (stored: Uint32Array): Uint32Array | undefined => {
  if (stored.length === bucketCount + 1) return stored
  if (stored.length % 2 !== 0) return undefined
  const offsets = new Uint32Array(bucketCount + 1)
  let next = 0
  let last = 0
  for (let at = 0; at < stored.length; at += 2) {
    const bucket = stored[at]!
    const end = stored[at + 1]!
    if (bucket < next || bucket >= bucketCount || end <= last) return undefined
    offsets.fill(last, next, bucket + 1)
    next = bucket + 1
    last = end
  }
  return offsets.fill(last, next)
}
