/** Syntax trees of the texts that were looked at last, from which those of texts like them are made quickly. */
import { Edit, type Point, type Tree } from "web-tree-sitter"
import type { Look } from "./Parse.ts"

/** A tree without errors and its text. */
export interface Grown {
  readonly tree: Tree
  readonly text: string
  readonly looks: ReadonlyArray<Look>
}

export class Trees {
  readonly #kept = new Map<string, Grown>()
  #units = 0

  /** `most` are the UTF-16 units of all their texts; one of them has half of that at most. A tree takes up to 35 bytes for each. */
  constructor(private readonly most: number) {}

  get(key: string): Grown | undefined {
    const known = this.#kept.get(key)
    if (known === undefined) return undefined
    this.#kept.delete(key)
    this.#kept.set(key, known)
    return known
  }

  /** Keeps a copy. */
  keep(key: string, { looks, text, tree }: Grown): void {
    this.#drop(key)
    if (text.length > this.most / 2) return
    this.#kept.set(key, { tree: tree.copy(), text, looks })
    this.#units += text.length
    for (const oldest of this.#kept.keys()) {
      if (this.#units <= this.most) break
      this.#drop(oldest)
    }
  }

  #drop(key: string): void {
    const known = this.#kept.get(key)
    if (known === undefined) return
    this.#kept.delete(key)
    this.#units -= known.text.length
    known.tree.delete()
  }
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000

/** Units two texts have in common from their beginnings, no half characters. */
const headOf = (one: string, other: string): number => {
  const least = Math.min(one.length, other.length)
  let count = 0
  while (count < least && one.charCodeAt(count) === other.charCodeAt(count)) count++
  return count > 0 && isHigh(one.charCodeAt(count - 1)) ? count - 1 : count
}

/** Units two texts have in common before their ends, at most `limit` and no half characters. */
const tailOf = (one: string, other: string, limit: number): number => {
  const [a, b] = [one.length - 1, other.length - 1]
  let count = 0
  while (count < limit && one.charCodeAt(a - count) === other.charCodeAt(b - count)) count++
  return count > 0 && isLow(one.charCodeAt(a - count + 1)) ? count - 1 : count
}

const pointAt = (text: string, at: number): Point => {
  let row = 0
  let start = 0
  for (let next = text.indexOf("\n"); next >= 0 && next < at; next = text.indexOf("\n", start)) {
    row++
    start = next + 1
  }
  return { row, column: at - start }
}

/** The one stretch in which two texts differ. */
const editBetween = (from: string, to: string): Edit => {
  const startIndex = headOf(from, to)
  const tail = tailOf(from, to, Math.min(from.length, to.length) - startIndex)
  const oldEndIndex = from.length - tail
  const newEndIndex = to.length - tail
  return new Edit({
    startIndex,
    oldEndIndex,
    newEndIndex,
    startPosition: pointAt(from, startIndex),
    oldEndPosition: pointAt(from, oldEndIndex),
    newEndPosition: pointAt(to, newEndIndex)
  })
}

/** Looks that stay what they were: of what is taken over from the tree of the text before an edit. */
const keptOf = (looks: ReadonlyArray<Look>, edit: Edit): ReadonlyArray<Look> => {
  const shift = edit.newEndIndex - edit.oldEndIndex
  return looks.flatMap(([from, to]): ReadonlyArray<Look> => {
    if (from >= edit.oldEndIndex) return [[from + shift, to + shift]]
    if (from >= edit.startIndex) return []
    return [[from, to < edit.startIndex ? to : Math.max(to, to + shift)]]
  })
}

/** Calls with the tree as it is to be handed to a parser that reads another text, and the looks that it need not repeat. */
export const changed = <A>(
  { looks, text, tree }: Grown,
  to: string,
  use: (old: Tree, kept: ReadonlyArray<Look>) => A
): A => {
  const old = tree.copy()
  try {
    const edit = editBetween(text, to)
    old.edit(edit)
    return use(old, keptOf(looks, edit))
  } finally {
    old.delete()
  }
}
