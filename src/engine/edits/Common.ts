/** What two texts have in common, and where lines are: on bytes of UTF-8. */

const newline = 10

/** How many bytes two texts have in common from their beginning, or from their ends, up to a limit. */
export const shared = (one: Uint8Array, other: Uint8Array, limit: number, back: boolean): number => {
  const [a, b] = [Buffer.from(one.buffer, one.byteOffset, one.length), other]
  let known = 0
  let step = Math.min(limit, 1 << 12)
  const same = (from: number, to: number) =>
    back
      ? a.compare(b, b.length - to, b.length - from, a.length - to, a.length - from) === 0
      : a.compare(b, from, to, from, to) === 0
  while (known < limit && same(known, Math.min(limit, known + step))) {
    known = Math.min(limit, known + step)
    step *= 2
  }
  if (known === limit) return known
  // The first difference is within the step.
  let reach = Math.min(limit, known + step)
  while (reach - known > 1) {
    const middle = (known + reach) >> 1
    if (same(known, middle)) known = middle
    else reach = middle
  }
  return known
}

/** Lines that end within a part of a text. */
export const newlinesIn = (bytes: Uint8Array, from: number, to: number): number => {
  let count = 0
  for (let at = from; at < to; at++) if (bytes[at] === newline) count++
  return count
}

/** The stretch of `before` that is another in `after`. */
export const stretchOf = (before: Uint8Array, after: Uint8Array): readonly [from: number, to: number] => {
  const least = Math.min(before.length, after.length)
  const from = shared(before, after, least, false)
  return [from, before.length - shared(before, after, least - from, true)]
}
