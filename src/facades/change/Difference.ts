/** Two graphs of the same code, before and after an edit, as a difference of definitions. */
import type { GraphView, SymbolInfo, SymbolRef } from "../../services/CodeGraph.ts"
import { withoutCode } from "../shared/coverage.ts"
import type { UnknownFile } from "./Lowered.ts"
import { isTopLevelCode, type Owners, ownersOf } from "./Owners.ts"
import { Shift } from "./Shift.ts"
import type { EditedFile, Move } from "./WorkspaceEdits.ts"

/** One definition on both sides. */
export interface Pair {
  readonly before: SymbolInfo
  readonly after: SymbolInfo
}

export interface Difference {
  readonly before: GraphView
  readonly after: GraphView
  /** Edited files by the path they had, with the one they have; undefined for those that are gone. */
  readonly paths: ReadonlyMap<string, string | undefined>
  /** By the path before. */
  readonly shifts: ReadonlyMap<string, Shift>
  readonly added: ReadonlyArray<SymbolInfo>
  readonly removed: ReadonlyArray<SymbolInfo>
  /** The same definition under another id: renamed itself, or part of what was. */
  readonly renamed: ReadonlyArray<Pair>
  /** The same id with another text, without those that only hold what changed. */
  readonly changed: ReadonlyArray<Pair>
  /** Every definition other code can know of that is on both sides, from its handle before to that after. */
  readonly kept: ReadonlyMap<SymbolRef, SymbolRef>
  /** Files, as they were before, in which something outside of all definitions changed. */
  readonly topLevel: ReadonlyArray<string>
  readonly unknown: ReadonlyArray<UnknownFile>
}

const tail = ({ id, path }: SymbolInfo): string => id.slice(path.length)

interface Side {
  readonly view: GraphView
  readonly path: string
  readonly text: string
  /** Where its lines begin. */
  readonly starts: ReadonlyArray<number>
  readonly owners: Owners
  readonly symbols: ReadonlyArray<SymbolInfo>
}

const sideOf = (view: GraphView, path: string, text: string, starts: ReadonlyArray<number>): Side => {
  const owners = ownersOf(view, path)
  return { view, path, text, starts, owners, symbols: owners.symbols }
}

/** Where a column of a line is, 1-based line, or the line's end where it has fewer. */
const offsetIn = ({ starts, text }: Side, line: number, column: number): number => {
  const start = starts[line - 1]
  if (start === undefined) return text.length
  const next = starts[line]
  return Math.min(start + column, next === undefined ? text.length : next - 1)
}

const lineOf = (side: Side, line: number): string =>
  side.text.slice(offsetIn(side, line, 0), offsetIn(side, line, Infinity))

const textOf = (side: Side, { end_column, end_line, start_column, start_line }: SymbolInfo): string =>
  side.text.slice(offsetIn(side, start_line, start_column), offsetIn(side, end_line, end_column))

/** A definition's text with its own name taken out: what a rename leaves. */
const nameless = (side: Side, info: SymbolInfo): string =>
  textOf(side, info).replace(/[\p{L}\p{N}_$]+/gu, (word) => (word === info.name ? "\0" : word))

const parentOf = (side: Side, info: SymbolInfo): SymbolRef | undefined => {
  const parent = side.view.parent(info.ref)
  return parent === undefined || side.view.isFile(parent) ? undefined : parent
}

const grouped = <A, K>(all: ReadonlyArray<A>, keyOf: (one: A) => K): Map<K, Array<A>> => {
  const out = new Map<K, Array<A>>()
  for (const one of all) {
    const key = keyOf(one)
    const list = out.get(key)
    if (list === undefined) out.set(key, [one])
    else list.push(one)
  }
  return out
}

/** What a definition is called within its parent. A method declared apart from its type says the type's name as well. */
const ownName = (info: SymbolInfo, parent: SymbolInfo | undefined): string =>
  parent !== undefined && info.id.startsWith(`${parent.id}.`)
    ? info.id.slice(parent.id.length + 1)
    : tail(info).replace(/^::/, "")

/**
 * Definitions of one parent on both sides: those of one name within it are one; of the rest, those that alone have their
 * last name, and those of one kind with one body or one place.
 */
const pairUp = (
  old: Side,
  now: Side,
  before: ReadonlyArray<SymbolInfo>,
  after: ReadonlyArray<SymbolInfo>,
  parents?: Pair
): ReadonlyArray<Pair> => {
  const byName = new Map(after.map((info) => [ownName(info, parents?.after), info]))
  const pairs = new Map<SymbolInfo, SymbolInfo>()
  for (const info of before) {
    const same = byName.get(ownName(info, parents?.before))
    if (same !== undefined) pairs.set(info, same)
  }
  const lastName = ({ id }: SymbolInfo) => id.slice(Math.max(id.lastIndexOf("."), id.lastIndexOf(":")) + 1)
  const known = new Set(pairs.values())
  const named = grouped(
    after.filter((info) => !known.has(info)),
    lastName
  )
  for (const [name, from] of grouped(
    before.filter((info) => !pairs.has(info)),
    lastName
  )) {
    const to = named.get(name)
    if (from.length === 1 && to?.length === 1) pairs.set(from[0]!, to[0]!)
  }
  const taken = new Set(pairs.values())
  const gone = before.filter((info) => !pairs.has(info))
  const come = after.filter((info) => !taken.has(info))
  if (gone.length === 0 || come.length === 0) return [...pairs].map(([a, b]) => ({ before: a, after: b }))
  // The same body, where only one came that has it.
  const bodies = grouped(come, (info) => `${info.kind}\0${nameless(now, info)}`)
  const goneBodies = grouped(gone, (info) => `${info.kind}\0${nameless(old, info)}`)
  for (const [body, from] of goneBodies) {
    const to = bodies.get(body)
    if (from.length === 1 && to?.length === 1) {
      pairs.set(from[0]!, to[0]!)
      taken.add(to[0]!)
    }
  }
  // The same place: one went and one of its kind came between the same neighbours.
  const place = new Map(before.map((info, i) => [info, i]))
  const newPlace = new Map(after.map((info, i) => [info, i]))
  const neighbour = (
    list: ReadonlyArray<SymbolInfo>,
    at: number,
    step: 1 | -1,
    known: (info: SymbolInfo) => boolean
  ) => {
    for (let i = at + step; i >= 0 && i < list.length; i += step) if (known(list[i]!)) return list[i]!
    return undefined
  }
  const left = gone.filter((info) => !pairs.has(info))
  const right = come.filter((info) => !taken.has(info))
  const gapOf = (info: SymbolInfo) => {
    const at = place.get(info)!
    const [above, below] = ([-1, 1] as const).map((step) =>
      neighbour(before, at, step, (one) => pairs.has(one))
    )
    return `${info.kind}\0${above === undefined ? "" : pairs.get(above)!.ref}\0${below === undefined ? "" : pairs.get(below)!.ref}`
  }
  const newGapOf = (info: SymbolInfo) => {
    const at = newPlace.get(info)!
    const [above, below] = ([-1, 1] as const).map((step) =>
      neighbour(after, at, step, (one) => taken.has(one))
    )
    return `${info.kind}\0${above === undefined ? "" : above.ref}\0${below === undefined ? "" : below.ref}`
  }
  const gaps = grouped(right, newGapOf)
  const found: Array<Pair> = []
  for (const [gap, from] of grouped(left, gapOf)) {
    const to = gaps.get(gap)
    if (from.length === 1 && to?.length === 1) found.push({ before: from[0]!, after: to[0]! })
  }
  for (const { after: to, before: from } of found) pairs.set(from, to)
  return [...pairs].map(([a, b]) => ({ before: a, after: b }))
}

/** Compares what two graphs say of edited files. */
export const differenceOf = (
  before: GraphView,
  after: GraphView,
  edited: ReadonlyArray<EditedFile>,
  moves: ReadonlyArray<Move>
): Difference => {
  const movedTo = new Map(moves.map(({ from, to }) => [from, to]))
  const movedFrom = new Map(moves.map(({ from, to }) => [to, from]))
  const texts = new Map(edited.map((file) => [file.path, file]))
  const paths = new Map<string, string | undefined>()
  const shifts = new Map<string, Shift>()
  const added: Array<SymbolInfo> = []
  const removed: Array<SymbolInfo> = []
  const renamed: Array<Pair> = []
  const changed: Array<Pair> = []
  const kept = new Map<SymbolRef, SymbolRef>()
  const topLevel: Array<string> = []
  const unknown: Array<UnknownFile> = []

  const isKnown = (view: GraphView, path: string): boolean => {
    const file = view.file(path)
    if (file?.skipped === undefined) return file !== undefined
    if (!withoutCode.has(file.skipped)) unknown.push({ path, reason: file.skipped })
    return false
  }

  for (const file of edited) {
    if (file.before === undefined) {
      if (movedFrom.has(file.path)) continue
      if (isKnown(after, file.path)) added.push(...ownersOf(after, file.path).symbols)
      continue
    }
    const to = movedTo.get(file.path) ?? (file.after === undefined ? undefined : file.path)
    paths.set(file.path, to)
    const now = to === undefined ? undefined : texts.get(to)?.after
    if (to === undefined || now === undefined) {
      if (isKnown(before, file.path)) removed.push(...ownersOf(before, file.path).symbols)
      continue
    }
    const shift = new Shift(file.before, now)
    shifts.set(file.path, shift)
    if (!isKnown(before, file.path) || !isKnown(after, to)) continue
    const fileBefore = before.fileRef(file.path)
    const fileAfter = after.fileRef(to)
    if (fileBefore !== undefined && fileAfter !== undefined) kept.set(fileBefore, fileAfter)
    const [one, two] = [
      sideOf(before, file.path, file.before, shift.starts),
      sideOf(after, to, now, shift.newStarts)
    ]
    const children = grouped(one.symbols, (info) => parentOf(one, info))
    const newChildren = grouped(two.symbols, (info) => parentOf(two, info))
    const paired = new Set<SymbolInfo>()
    const { above, below, moved } = shift.around()
    /** Whether a definition lies before or after all that changed, and so has the same text. */
    const isApart = ({ after: now, before: was }: Pair): boolean => {
      const by = was.end_line < above ? 0 : was.start_line > below ? moved : undefined
      return (
        by !== undefined &&
        now.start_line === was.start_line + by &&
        now.end_line === was.end_line + by &&
        now.start_column === was.start_column &&
        now.end_column === was.end_column
      )
    }
    const descend = (parents?: Pair) => {
      const [mine, theirs] = [
        children.get(parents?.before.ref) ?? [],
        newChildren.get(parents?.after.ref) ?? []
      ]
      for (const pair of pairUp(one, two, mine, theirs, parents)) {
        paired.add(pair.before).add(pair.after)
        kept.set(pair.before.ref, pair.after.ref)
        if (pair.before.id !== pair.after.id) renamed.push(pair)
        else if (!isApart(pair) && textOf(one, pair.before) !== textOf(two, pair.after)) changed.push(pair)
        descend(pair)
      }
    }
    descend()
    removed.push(...one.symbols.filter((info) => !paired.has(info)))
    added.push(...two.symbols.filter((info) => !paired.has(info)))
    const lines = shift.changedLines()
    const loose = (side: Side, which: ReadonlyArray<number>) => {
      const outside = which.filter((line) => side.owners.at(line) === undefined)
      if (outside.length === 0) return false
      const imports = new Set(side.view.imports(side.path).map(({ line }) => line))
      return outside.some((line) => isTopLevelCode(lineOf(side, line), imports, line))
    }
    if (loose(one, lines.before) || loose(two, lines.after)) topLevel.push(file.path)
  }
  // What only holds something that changed has not changed itself.
  const inner = [
    ...changed.map(({ before: info }) => info),
    ...renamed.map(({ before: info }) => info),
    ...removed,
    ...added
  ].map(({ id }) => id)
  return {
    before,
    after,
    paths,
    shifts,
    added,
    removed,
    renamed,
    changed: changed.filter(
      ({ after: now, before: was }) =>
        was.signature !== now.signature || !inner.some((id) => id.startsWith(`${was.id}.`))
    ),
    kept,
    topLevel,
    unknown
  }
}

/** Those of some definitions that lie in no other of them, and how many lie in each. */
export const outermost = (
  view: GraphView,
  all: ReadonlyArray<SymbolInfo>
): ReadonlyArray<{ readonly info: SymbolInfo; readonly members: number }> => {
  const own = new Set(all.map(({ ref }) => ref))
  const members = new Map<SymbolRef, number>()
  const out: Array<SymbolInfo> = []
  for (const info of all) {
    let top: SymbolRef = info.ref
    for (let at = view.parent(info.ref); at !== undefined && !view.isFile(at); at = view.parent(at))
      if (own.has(at)) top = at
    if (top === info.ref) out.push(info)
    else members.set(top, (members.get(top) ?? 0) + 1)
  }
  return out.map((info) => ({ info, members: members.get(info.ref) ?? 0 }))
}
