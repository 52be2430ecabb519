/**
 * What resolution adds to a file's facts: for each reference the definitions it means, for each type its super types.
 */

/** How an edge is known, strongest first; the number is what is stored. */
export const tiers = ["exact", "resolved", "inferred", "name"] as const
export type Tier = (typeof tiers)[number]
export const Tier = { exact: 0, resolved: 1, inferred: 2, name: 3 } as const

/**
 * An edge of a file's slice: three numbers.
 * `source`: index of the reference, or -1 - index of the import it comes from.
 * `file`: file the target lies in.
 * `target`: definition index + 1 (0 for the file itself) in the low 24 bits, tier above.
 */
export const G = { source: 0, file: 1, target: 2, size: 3 } as const

/** A resolved super type: subject file, subject definition, super file, super definition, how ({@link Inherit}), line. */
export const S = {
  file: 0,
  definition: 1,
  superFile: 2,
  superDefinition: 3,
  how: 4,
  line: 5,
  size: 6
} as const

export interface Resolved {
  readonly edges: Int32Array
  readonly supers: Int32Array
  /** One bit per reference: set when it is known to mean something outside the indexed files. */
  readonly outside: Int32Array
}
export const targetDefinition = (packed: number): number => (packed & 0xffffff) - 1
export const targetTier = (packed: number): number => packed >>> 24
export const packTarget = (definition: number, tier: number): number => (definition + 1) | (tier << 24)
