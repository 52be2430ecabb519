/** Bits of {@link GraphDoubts.of}. Those from `contract` on are of members of types only. */
export interface DoubtBits {
  /** Somewhere its name is used, and the use is bound to nothing. */
  readonly unbound: number
  /** Somewhere its name is used, and the use is bound to another definition by a guess. */
  readonly guessed: number
  /** Another definition of its name stands for it elsewhere, such as on another platform, and is used. */
  readonly namesake: number
  /** It carries a decorator, an annotation or an attribute. */
  readonly decorated: number
  /** An interface or a trait has a member of its name. */
  readonly contract: number
  /** Its type has a super type that is not indexed. */
  readonly foreign: number
  /** It takes the place of a member of a super type. */
  readonly overrides: number
}

/** What may use a definition beside its edges: why one without any may still be in use. Do not write into it. */
export interface GraphDoubts {
  /** The sum of the bits that hold, by node of the graph's columns. Definitions with edges have `decorated` only. */
  readonly of: Uint8Array
  readonly bits: DoubtBits
}
