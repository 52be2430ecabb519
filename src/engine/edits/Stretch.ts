/**
 * The part of a text that a change is in, between places at which items of a list begin. Where such a part is a whole
 * number of items before the change and after it, what is around it says nothing about it, and it says nothing about that.
 */
import { lineStartOf } from "../text/Lines.ts"
import { newlinesIn, stretchOf } from "./Common.ts"
import { bodyAround } from "./GoBody.ts"
import type { Sketch } from "./ParseGate.ts"
import { type Seam, seams } from "./Seams.ts"

/** Of a new text some whole items, with those that a change is in, between what stands for the items before and after. */
export interface Stretch {
  readonly head: string
  /** Where it begins and ends in the text before, in bytes. */
  readonly start: number
  readonly end: number
  readonly tail: string
  /** Where the last item begins that all of it makes, where that is no part of the tail. */
  readonly last?: number
  /** Where in the tail the item begins that is to be one of the list the part is in, which is that of the last item. */
  readonly item?: number
}

const newline = 10
const hash = 35
const brace = 125
/** Bytes of items from which on a part of one is looked for. */
const long = 2048
/** The share of a text that its parts may be together. */
const most = 0.75

/** Whether what goes before a place, white space and comments aside, cannot go on there. Also false where that is not plain. */
const isApart = (bytes: Buffer, place: number): boolean => {
  for (let end = place; end > 0; ) {
    const start = lineStartOf(bytes, end - 1)
    const text = bytes.toString("latin1", start, end).trim()
    if (text.endsWith("*/")) {
      end = bytes.lastIndexOf("/*", end - 1)
      if (end < 0 || bytes.toString("latin1", lineStartOf(bytes, end), end).trim() !== "") return false
      continue
    }
    end = start
    if (text === "" || text.startsWith("//")) continue
    return /[;{})\]'"`]$/.test(text) && !/\/[/*]/.test(text)
  }
  return true
}

const space = 32
const tab = 9

/** How many bytes a line is indented by, from where it begins; -1 when it is blank. */
const indentOf = (bytes: Uint8Array, start: number): number => {
  let at = start
  while (bytes[at] === space || bytes[at] === tab) at++
  return at >= bytes.length || bytes[at] === newline || bytes[at] === 13 ? -1 : at - start
}

const longest = 16
const firstOf = (firsts: ReadonlyArray<string>, bytes: Buffer, at: number): string | undefined => {
  const text = bytes.toString("latin1", at, at + longest)
  return firsts.find((first) => text.startsWith(first))
}

/** Where a part ends: at an item, at the end of its list, or with the text. */
interface End {
  readonly at: number
  readonly by: "item" | "list" | "text"
  /** What an item begins with. */
  readonly first: string
}

/** Where a part ends that begins indented as told, from a line on. */
const endOf = (seam: Seam, bytes: Buffer, from: number, indent: string): End | undefined => {
  const firsts = [...Object.keys(seam.items), ...Object.keys(seam.further ?? {})]
  for (let start = from; start < bytes.length; ) {
    const deep = indentOf(bytes, start)
    if (deep === indent.length && bytes.toString("latin1", start, start + deep) === indent) {
      const first = firstOf(firsts, bytes, start + deep)
      if (first !== undefined) return { at: start, by: "item", first }
    } else if (deep >= 0 && deep < indent.length && seam.list !== undefined) {
      const byte = bytes[start + deep]
      if (seam.list.of === "indented" ? byte !== hash : byte === brace)
        return { at: start, by: "list", first: "" }
    }
    const found = bytes.indexOf(newline, start)
    if (found < 0) break
    start = found + 1
  }
  return indent === "" ? { at: bytes.length, by: "text", first: "" } : undefined
}

/** What is to stand around a part. */
const between = (
  seam: Seam,
  isFirst: boolean,
  { by, first }: End,
  indent: string
): Pick<Stretch, "head" | "tail" | "last" | "item"> => {
  const { list } = seam
  const isIndented = indent !== "" && list?.of === "indented"
  const item = by === "item" ? (seam.items[first] ?? seam.further![first]!) : ""
  if (list === undefined || !(by === "list" || list.of === "all" || isIndented))
    return { head: isFirst ? "" : (seam.head ?? ""), tail: item }
  return {
    head: list.head,
    tail: `${isIndented ? item.replace(/^(?=.)/gm, indent) : item}${list.foot}`,
    last: 0,
    ...(by === "item" ? { item: isIndented ? indent.length : 0 } : {})
  }
}

/**
 * The items that a change is in, or parts of a long one, the smallest first.
 * The change is behind the first word of the first of them and before the line that ends them. None when they are not known
 * or most of the text.
 */
export function* stretchesAround(
  id: string,
  { places }: Sketch,
  before: Buffer,
  after: Uint8Array
): Generator<Stretch> {
  const seam = seams[id]
  if (seam === undefined) return
  const firsts = Object.keys(seam.items)
  const [from, to] = stretchOf(before, after)
  let line = 1 + newlinesIn(before, 0, from)
  let start = lineStartOf(before, from)
  const following = before.indexOf(newline, to)
  const behind = following < 0 ? before.length : following + 1
  let place = places.length - 2
  while (place >= 0 && places[place]! > line) place -= 2
  let least = Infinity
  let sum = 0
  for (; least > 0; place -= 2) {
    const isFirst = place < 0
    const column = isFirst ? 0 : places[place + 1]!
    if (column >= least) continue
    if (isFirst) start = 0
    else {
      for (; line > places[place]!; line--) start = lineStartOf(before, start - 1)
      const first = indentOf(before, start) === column ? firstOf(firsts, before, start + column) : undefined
      if (first === undefined || start + column + first.length > from) continue
      if (seam.joined?.has(first) === true && !isApart(before, start)) continue
    }
    const indent = before.toString("latin1", start, start + column)
    const end = endOf(seam, before, behind, indent)
    if (end === undefined) continue
    least = column
    if (id === "go" && end.at - start > long && before.toString("latin1", start, start + 5) === "func ") {
      const inner = bodyAround(before.subarray(start, end.at), from - start, to - start)
      if (inner !== null) yield { ...inner, start: start + inner.start, end: start + inner.end }
    }
    sum += end.at - start
    if (sum > before.length * most) return
    yield { start, end: end.at, ...between(seam, isFirst, end, indent) }
  }
}
