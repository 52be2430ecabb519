/** Parses texts and sees how far ahead the parser looks. */
import { type Language as Grammar, Parser, type Tree } from "web-tree-sitter"

/** It took longer than it may. */
export class TooSlow extends Error {}

/** A stretch of a text that was looked over and come back from, in UTF-16 units. */
export type Look = readonly [from: number, to: number]

/** UTF-16 units handed over at a time: what is handed over again was looked over before. */
const chunk = 256
/** Looks no longer than that are those at the ends of chunks. */
const shortLook = 2 * chunk
/** Looks that are told apart. */
export const mostLooks = 64
/** One after the other, with one parser. */
export class Parse {
  readonly #parser = new Parser()

  /** `patience` are the milliseconds one text may take. */
  constructor(
    grammar: Grammar,
    private readonly patience: number
  ) {
    this.#parser.setLanguage(grammar)
  }

  close(): void {
    this.#parser.delete()
  }

  /**
   * `use` gets the tree, which lives as long as it runs, at most one more look than are told apart, and the least place
   * the parser came back to after it had seen the end of the text; Infinity if to none. Neither says anything where much
   * is taken over from `old`, the tree of a text like it, edited. Throws {@link TooSlow}.
   */
  read<A>(
    text: string,
    use: (tree: Tree, looks: ReadonlyArray<Look>, ended: number) => A,
    old: Tree | null = null
  ): A {
    const looks: Array<Look> = []
    let furthest = 0
    let ended = Infinity
    let hasEnded = false
    const give = (index: number): string => {
      if (index < furthest) {
        if (hasEnded && index < ended) ended = index
        if (looks.length <= mostLooks && furthest + chunk - index > shortLook)
          looks.push([index, Math.min(furthest + chunk, text.length)])
      } else furthest = index
      if (index >= text.length) hasEnded = true
      return text.slice(index, index + chunk)
    }
    const deadline = performance.now() + this.patience
    // A parser that is stopped and goes on finds other errors, though it finds no errors where there are none.
    const tree = this.#parser.parse(give, old, { progressCallback: () => performance.now() > deadline })
    if (tree === null) {
      this.#parser.reset()
      throw new TooSlow()
    }
    try {
      return use(tree, looks, ended)
    } finally {
      tree.delete()
    }
  }
}
