/** What the reader knows of the module, class or function it is in. */
export const FrameKind = { module: 0, class: 1, function: 2 } as const

export class Frame {
  /** Names assigned so far and the definitions they became. Only for modules and classes. */
  readonly names = new Map<number, number>()
  /** Instance attributes of a class. */
  readonly attributes = new Map<number, number>()
  /** Instance attributes whose type is not known yet. */
  readonly untyped = new Set<number>()
  /** Names imported here. */
  readonly imported = new Set<number>()
  /** Names declared `global` or `nonlocal`. */
  outer: Set<number> | undefined
  /** First parameter of the method around, 0 when there is none. */
  self = 0
  /** Value of the first informative `return`, -1 without one. */
  result = -1
  /** Definitions in here are never visible to other files. */
  readonly local: boolean
  isEnum = false
  isTest = false

  constructor(
    readonly kind: number,
    /** The definition of the class or function, -1 for the module. */
    readonly definition: number,
    /** The class around, if any. */
    readonly owner: Frame | undefined,
    parent: Frame | undefined
  ) {
    this.local = kind === FrameKind.function || parent?.local === true
  }
}
