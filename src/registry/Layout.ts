/** Columns of the lists of an operation's answers in the line form. */
import { layouts } from "./ResultLayouts.ts"

export interface Layout {
  /** Counts from 1; one more whenever columns came behind the others. */
  readonly version: number
  /** By list, in the order they keep. */
  readonly lists: { readonly [list: string]: ReadonlyArray<string> }
}

/** The layout of `facade.operation`; undefined for an operation without lists, and for one of a pack. */
export const layoutOf = (operation: string): Layout | undefined => {
  const known = layouts[operation]
  return known === undefined ? undefined : (JSON.parse(known) as Layout)
}
