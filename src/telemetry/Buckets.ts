/** Ranges that stand for numbers. An exact number could tell one repository or one machine from another. */

/** A scale: upper bounds, each of which belongs to the next range, and the names of the ranges. */
export interface Scale {
  readonly bounds: ReadonlyArray<number>
  /** One more than there are bounds. */
  readonly names: ReadonlyArray<string>
}

const scale = <const N extends ReadonlyArray<string>>(
  bounds: ReadonlyArray<number>,
  names: N
): { readonly bounds: ReadonlyArray<number>; readonly names: N } => ({ bounds, names })

/** Files of an index run. */
export const files = scale([100, 1_000, 10_000], ["<100", "100-1k", "1k-10k", "10k+"])

/** Milliseconds a call took. */
export const latency = scale(
  [1, 10, 100, 1_000, 10_000],
  ["<1ms", "1-10ms", "10-100ms", "100ms-1s", "1-10s", "10s+"]
)

/** Tools a session lists. */
export const tools = scale([20, 50, 100], ["<20", "20-49", "50-99", "100+"])

/** Bytes of the list of tools. */
export const bytes = scale(
  [4_000, 12_000, 28_000, 48_000, 96_000, 200_000],
  ["<4k", "4k-12k", "12k-28k", "28k-48k", "48k-96k", "96k-200k", "200k+"]
)

/** Calls a session made up to and including the first that helped. */
export const calls = scale([2, 4, 8], ["1", "2-3", "4-7", "8+"])

/** The range a number falls into. */
export const bucket = ({ bounds, names }: Scale, value: number): string => {
  let at = 0
  // Also true for what is no number, which then is in the last range rather than in the first.
  while (at < bounds.length && !(value < bounds[at]!)) at++
  return names[at]!
}
