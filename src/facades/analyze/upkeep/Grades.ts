/** Scores from 0 to 100, and the letters they are given. */

export const grades = ["A", "B", "C", "D", "F"] as const
export type Grade = (typeof grades)[number]

export const gradeOf = (score: number): Grade =>
  score >= 90 ? "A" : score >= 80 ? "B" : score >= 70 ? "C" : score >= 60 ? "D" : "F"

export const rounded = (value: number, digits = 1): number => Math.round(value * 10 ** digits) / 10 ** digits

/**
 * How little a body branches: 100 for cyclomatic complexity 1, 90 for 10, which the measure's author set as the bound of
 * what is simple, then falling faster: 50 for 30, 0 from 55 on.
 */
export const simplicity = (complexity: number): number =>
  complexity <= 1
    ? 100
    : complexity <= 10
      ? 100 - ((complexity - 1) * 10) / 9
      : Math.max(0, 90 - (complexity - 10) * 2)

/** How loosely a definition is tied in: 100 up to `free` ties, 50 at four times as many, and never less than 0. */
export const looseness = (ties: number, free: number): number =>
  ties <= free ? 100 : Math.max(0, 100 - 25 * Math.log2(ties / free))

export const mean = (values: ReadonlyArray<number>): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length

export const counted = (all: Iterable<Grade>): { readonly [grade in Grade]: number } => {
  const out = { A: 0, B: 0, C: 0, D: 0, F: 0 }
  for (const grade of all) out[grade]++
  return out
}
