/** Plain tables and the two measures they show. */

export interface Score {
  symbols: number
  /** Found by both. */
  both: number
  /** Ours alone. */
  extra: number
  /** The oracle's alone. */
  missing: number
}
export const score = (): Score => ({ symbols: 0, both: 0, extra: 0, missing: 0 })
/** Shares of 1; 1 when there was nothing to get wrong. */
export const precision = (s: Score): number => (s.both + s.extra === 0 ? 1 : s.both / (s.both + s.extra))
export const recall = (s: Score): number => (s.both + s.missing === 0 ? 1 : s.both / (s.both + s.missing))

/** One symbol weighs at most so many places, so that a common name does not drown the rest. */
const most = 50

/** Counts two sets of places against each other. */
export const compare = (into: Score, ours: ReadonlySet<string>, theirs: ReadonlySet<string>): void => {
  into.symbols++
  const share = (n: number) => (n > most ? most / n : 1)
  let both = 0
  for (const place of theirs) if (ours.has(place)) both++
  const scale = share(Math.max(ours.size, theirs.size))
  into.both += both * scale
  into.extra += (ours.size - both) * scale
  into.missing += (theirs.size - both) * scale
}

/** Rows under their head, columns padded; numbers to the right. */
export const table = (
  head: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string | number>>
): string => {
  const text = [head, ...rows.map((row) => row.map(String))]
  const widths = head.map((_, column) => Math.max(...text.map((row) => (row[column] ?? "").length)))
  return text
    .map((row) =>
      row
        .map((cell, column) =>
          /^[-\d.%]+$/.test(cell) ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!)
        )
        .join("  ")
        .trimEnd()
    )
    .join("\n")
}
export const scoreHead = ["symbols", "both", "extra", "missing", "precision", "recall"] as const
export const scoreCells = (s: Score): ReadonlyArray<string | number> => [
  s.symbols,
  ...[s.both, s.extra, s.missing].map(Math.round),
  precision(s).toFixed(3),
  recall(s).toFixed(3)
]
