/** The part of a definition's source that fits a number of bytes and says most. */
import { byteLength } from "../../registry/Json.ts"

export interface Excerpt {
  readonly text: string
  /** Lines were left out; where, the text says. */
  readonly cut: boolean
}

/** Bytes a line takes in a JSON text. */
const sizeOf = (line: string): number => byteLength(line)

/**
 * Lines `from` to `to` (1-based, inclusive) of a file, whole when they fit. Otherwise its head, then what stands around
 * the `wanted` lines, then more from the top, in source order with the gaps counted. Undefined when not even the first
 * line fits.
 */
export const excerptOf = (
  lines: ReadonlyArray<string>,
  from: number,
  to: number,
  wanted: ReadonlyArray<number>,
  bytes: number,
  headEnd = from
): Excerpt | undefined => {
  const last = Math.min(to, lines.length)
  if (from > last) return undefined
  const indent = lines
    .slice(from - 1, last)
    .filter((l) => l.trim() !== "")
    .reduce((n, l) => Math.min(n, l.length - l.trimStart().length), Infinity)
  const line = (n: number) => {
    const text = lines[n - 1]!.slice(Number.isFinite(indent) ? indent : 0).trimEnd()
    return text.length > 240 ? `${text.slice(0, 239).replace(/[\ud800-\udbff]$/, "")}…` : text
  }
  let whole = 0
  for (let n = from; n <= last && whole <= bytes; n++) whole += sizeOf(line(n))
  if (
    whole <= bytes &&
    lines.slice(from - 1, last).every((l) => l.length - (Number.isFinite(indent) ? indent : 0) <= 240)
  ) {
    return { text: Array.from({ length: last - from + 1 }, (_, i) => line(from + i)).join("\n"), cut: false }
  }
  const order: Array<number> = []
  const put = (n: number) => {
    if (n >= from && n <= last && !order.includes(n)) order.push(n)
  }
  for (let n = from; n <= Math.min(headEnd, from + 5); n++) put(n)
  for (const n of wanted) put(n)
  for (let reach = 1; reach <= 4; reach++) {
    for (const n of wanted) {
      put(n - reach)
      put(n + reach)
    }
  }
  for (let n = from; n <= last && order.length < 400; n++) put(n)
  const taken = new Set<number>()
  let used = 0
  for (const n of order) {
    // Every line may open a gap of its own.
    const cost = sizeOf(line(n)) + 22
    if (used + cost > bytes) break
    used += cost
    taken.add(n)
  }
  if (taken.size === 0) return undefined
  const rows = [...taken].sort((a, b) => a - b)
  const out: Array<string> = []
  let previous = from - 1
  const gap = (count: number) => {
    if (count > 0) out.push(`⋯ ${count} ${count === 1 ? "line" : "lines"}`)
  }
  for (const n of rows) {
    gap(n - previous - 1)
    out.push(line(n))
    previous = n
  }
  gap(last - previous)
  return { text: out.join("\n"), cut: true }
}
