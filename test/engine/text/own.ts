import { InvalidPattern } from "../../../src/engine/text/Pattern.ts"
import { searchText, type SearchOptions } from "../../../src/engine/text/Search.ts"
import type { TrigramIndex } from "../../../src/engine/text/Trigrams.ts"
import type { Found, Tree } from "./ripgrep.ts"

/** All matches of our own search, in ripgrep's words; undefined when the pattern is refused. */
export const ownSearch = (
  tree: Tree,
  pattern: string,
  options: SearchOptions,
  index?: TrigramIndex
): Array<Found> | undefined => {
  try {
    const result = searchText(
      pattern,
      {
        files: tree.paths.map((_, id) => id),
        read: (id) => tree.bytes[id],
        ...(index === undefined ? {} : { index })
      },
      { limit: Infinity, deadlineMs: Infinity, maxRanges: Infinity, maxLineBytes: Infinity, ...options }
    )
    return result.files
      .flatMap(({ fileId, hits }) =>
        hits.flatMap((hit) =>
          hit.ranges.map((range) => `${tree.paths[fileId]}:${hit.line}:${range.byteStart}-${range.byteEnd}`)
        )
      )
      .sort()
  } catch (error) {
    if (error instanceof InvalidPattern) return undefined
    throw error
  }
}

/** A small generator with a seed, so that a failure can be seen again. */
export const seeded = (seed: number): ((below: number) => number) => {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 0x100000000) * below)
  }
}

export const escapeRegex = (text: string): string => text.replace(/[.*+?^${}()|[\]\\#&~-]/g, "\\$&")
