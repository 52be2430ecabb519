/**
 * Where a text without syntax errors can be cut. In some grammars a file is nothing but a sequence of items, and what is
 * between two of them says nothing about the others: where the part around a change parses by itself, its first and last
 * items being what they were, a parser that reads the whole text stands at the last item as it stood there before the
 * change, and reads on as it did then. So the whole has no errors either.
 */
import type { Language as Grammar, Tree } from "web-tree-sitter"
import { stretchOf } from "./Common.ts"

/** Languages whose grammars have it so. The files of the others are heredocs, templates and other texts besides. */
const sequences: ReadonlySet<string> = new Set([
  "c",
  "cpp",
  "csharp",
  "go",
  "java",
  "javascript",
  "jsx",
  "python",
  "rust",
  "tsx",
  "typescript"
])

/** What belongs to the item after it or to none. */
const noItem = /comment|attribute|preproc|pragma|region|hash_bang|shebang|empty|ERROR/

/** The items at which a text can be cut, ascending: they begin lines. Places are in bytes. */
export interface Cuts {
  readonly starts: Int32Array
  readonly ends: Int32Array
  /** Their types in the grammar. */
  readonly types: Int32Array
  /** Stretches the parser looked over and came back from, as pairs of their bounds. */
  readonly looks: Int32Array
}

/** A part of a new text that stands for the whole of it. Places are in bytes, of the new text unless said otherwise. */
export interface Part {
  readonly start: number
  readonly end: number
  /** The last item before the change that is in the part, the first one after it; -1 at the ends of the text. */
  readonly head: number
  readonly last: number
  /** Where the first item after the change begins; `end` without one. */
  readonly lastStart: number
  /** How much longer the new text is. */
  readonly shift: number
}

const newline = 10
/** Bytes before a change that are looked at again. What the parser looks over without a trace is shorter. */
const margin = 2048

/** By type, whether nodes of it are items; null for grammars that are no sequences. */
const itemTypes = new Map<string, Uint8Array>()
const itemsOf = (id: string, grammar: Grammar): Uint8Array => {
  let types = itemTypes.get(id)
  if (types === undefined) {
    types = Uint8Array.from({ length: grammar.nodeTypeCount }, (_, type) =>
      grammar.nodeTypeIsNamed(type) && !noItem.test(grammar.nodeTypeForId(type) ?? "ERROR") ? 1 : 0
    )
    itemTypes.set(id, types)
  }
  return types
}

export const canBeCut = (id: string): boolean => sequences.has(id)

/** Bytes of a text up to places in it, which ascend. */
const byteAt = (text: string, bytes: Uint8Array): ((at: number) => number) => {
  if (text.length === bytes.length) return (at) => at
  let known = 0
  let sum = 0
  return (at) => {
    if (at < known) known = sum = 0
    sum += Buffer.byteLength(text.slice(known, at))
    known = at
    return sum
  }
}

/**
 * The cuts of a text by its tree, which has no errors. `looks` are in UTF-16 units, as the tree is; `bytes` are the text's.
 */
export const cutsOf = (
  id: string,
  grammar: Grammar,
  tree: Tree,
  text: string,
  bytes: Uint8Array,
  looks: ReadonlyArray<readonly [number, number]>
): Cuts => {
  const items = itemsOf(id, grammar)
  const starts: Array<number> = []
  const ends: Array<number> = []
  const types: Array<number> = []
  const place = byteAt(text, bytes)
  const cursor = tree.walk()
  try {
    if (cursor.gotoFirstChild())
      do {
        const type = cursor.nodeTypeId
        if (items[type] !== 1) continue
        const start = cursor.startIndex
        if (start > 0 && text.charCodeAt(start - 1) !== newline) continue
        starts.push(place(start))
        ends.push(place(cursor.endIndex))
        types.push(type)
      } while (cursor.gotoNextSibling())
  } finally {
    cursor.delete()
  }
  return {
    starts: Int32Array.from(starts),
    ends: Int32Array.from(ends),
    types: Int32Array.from(types),
    looks: Int32Array.from(looks.flatMap(([from, to]) => [place(from), place(to)]))
  }
}

/**
 * The smallest part of `after` that has to be parsed where `before` is known; null when there is none, or it is more than
 * a share of the text.
 */
export const partAround = (cuts: Cuts, before: Uint8Array, after: Uint8Array, share = 0.75): Part | null => {
  const [from, to] = stretchOf(before, after)
  const shift = after.length - before.length
  const { ends, looks, starts } = cuts
  for (let i = 0; i < looks.length; i += 2)
    if (looks[i]! < from && looks[i + 1]! >= from - margin) return null
  let head = starts.length - 1
  while (head >= 0 && (ends[head]! > from || starts[head]! > from - margin)) head--
  let last = Math.max(head + 1, 0)
  while (last < starts.length && starts[last]! < to) last++
  const start = head < 0 ? 0 : starts[head]!
  const lastStart = last < starts.length ? starts[last]! + shift : after.length
  let end = after.length
  if (last < starts.length) {
    const line = after.indexOf(newline, ends[last]! + shift)
    end = line < 0 ? after.length : line + 1
  }
  return end - start > after.length * share
    ? null
    : { start, end, head, last: last < starts.length ? last : -1, lastStart, shift }
}

/**
 * The cuts of the new text, where its part was parsed: `own` are those of the part, with places in it. Null where the items
 * at its ends are not what they were, which leaves open what the rest is now.
 */
export const spliced = (cuts: Cuts, part: Part, own: Cuts): Cuts | null => {
  const { head, last, lastStart, shift, start } = part
  if (
    head >= 0 &&
    !(
      own.starts[0] === 0 &&
      own.types[0] === cuts.types[head] &&
      own.ends[0] === cuts.ends[head]! - cuts.starts[head]!
    )
  )
    return null
  let upTo = own.starts.length
  if (last >= 0) {
    upTo = own.starts.indexOf(lastStart - start)
    if (
      upTo < 0 ||
      own.types[upTo] !== cuts.types[last] ||
      own.ends[upTo]! - own.starts[upTo]! !== cuts.ends[last]! - cuts.starts[last]!
    )
      return null
  }
  const rest = last < 0 ? cuts.starts.length : last
  const joined = (of: Cuts[keyof Cuts], add: Cuts[keyof Cuts], moved: number, movedAdd: number) => {
    const kept = Math.max(head, 0)
    const out = new Int32Array(kept + upTo + of.length - rest)
    out.set(of.subarray(0, kept))
    for (let i = 0; i < upTo; i++) out[kept + i] = add[i]! + movedAdd
    for (let i = rest; i < of.length; i++) out[kept + upTo + i - rest] = of[i]! + moved
    return out
  }
  const looks: Array<number> = []
  const changed = lastStart - shift
  for (let i = 0; i < cuts.looks.length; i += 2)
    if (cuts.looks[i]! < start) looks.push(cuts.looks[i]!, cuts.looks[i + 1]!)
  for (const at of own.looks) looks.push(at + start)
  for (let i = 0; i < cuts.looks.length; i += 2)
    if (cuts.looks[i]! >= changed) looks.push(cuts.looks[i]! + shift, cuts.looks[i + 1]! + shift)
  return {
    starts: joined(cuts.starts, own.starts, shift, start),
    ends: joined(cuts.ends, own.ends, shift, start),
    types: joined(cuts.types, own.types, 0, 0),
    looks: Int32Array.from(looks)
  }
}
