/** The rules by which one family of languages finds names of other files. */
import type { WorldFile } from "../World.ts"
import type { Found } from "./Value.ts"

export interface Family {
  /** What import number `index` of the file brings in: a module, a package, or the definitions of the imported name. */
  readonly importTarget: (file: WorldFile, index: number) => Found
  /** What a name means that nothing in the file binds. `within` is the enclosing definition or -1. */
  readonly free: (file: WorldFile, name: number, within: number, arity: number) => Found
  /** A public name of a file taken as a module. `seen` guards against re-export cycles. */
  readonly moduleMember: (file: number, name: number, seen?: Set<number>) => Found
  /** A public name of a package. */
  readonly packageMember?: (id: number, name: number) => Found
  /** Whether every type may have a member of this name from the language itself (derived traits and the like). */
  readonly impliedMember?: (name: number) => boolean
  /** Drops what was found while some members of types were not known yet. */
  readonly forget?: () => void
  /** What calling or constructing a module itself means (CommonJS). */
  readonly moduleItself?: (file: number) => Found
}
