/** What a change of definitions reaches, how bad that is, and what of it is not known. */
import type { GraphView, Reached, SymbolRef } from "../../services/CodeGraph.ts"
import { type Open, rowOf, type SymbolRow } from "../shared/symbols.ts"

/** Edges from a changed definition that count as reached. */
export const impactDepth = 3

export const risks = ["LOW", "MEDIUM", "HIGH", "CRITICAL"] as const
export type Risk = (typeof risks)[number]

/** The tier of a change by what it reaches directly and beyond. */
export const riskOf = (direct: number, transitive: number): Risk =>
  direct >= 10 || (direct >= 5 && transitive >= 20)
    ? "CRITICAL"
    : direct >= 5 || transitive >= 10
      ? "HIGH"
      : direct >= 2 || transitive >= 5
        ? "MEDIUM"
        : "LOW"

/** The definitions a caller means, with what belongs to them: the members of a type, all of a file. */
export const withParts = (view: GraphView, subjects: ReadonlyArray<SymbolRef>): ReadonlyArray<SymbolRef> => {
  const all = new Set<SymbolRef>()
  for (const subject of subjects) {
    all.add(subject)
    if (view.isFile(subject)) {
      for (const ref of view.definitions(view.pathOf(subject))) all.add(ref)
      continue
    }
    const queue = [subject]
    for (let at = 0; at < queue.length; at++)
      for (const child of view.children(queue[at]!))
        if (!all.has(child)) {
          all.add(child)
          queue.push(child)
        }
  }
  return [...all]
}

export interface Row {
  readonly ref: SymbolRef
  readonly depth: number
  readonly tier: string
  /** What it uses, and so was found by; undefined for members of sub types. */
  readonly via: SymbolRef | undefined
  readonly how: "uses" | "overrides" | "imports"
}

/** What is reached, nearest first: members of sub types, users, then files that import; a row is made when it is asked for. */
export class Rows implements Iterable<Row> {
  readonly length: number
  /** Places of users within one edge come before those of importers, the others after. */
  readonly #near: number
  /** Places among what was walked; undefined for all. */
  readonly #places: ReadonlyArray<number> | undefined

  constructor(
    private readonly roots: ReadonlyArray<SymbolRef>,
    private readonly reached: Reached,
    private readonly overrides: ReadonlyArray<SymbolRef>,
    private readonly importers: ReadonlyArray<SymbolRef>
  ) {
    const { depths, refs } = reached
    if (overrides.length > 0) {
      const taken = new Set(overrides)
      this.#places = refs.flatMap((ref, place) => (taken.has(ref) ? [] : [place]))
    }
    const walked = this.#places?.length ?? refs.length
    let near = 0
    while (near < walked && depths[this.#places?.[near] ?? near]! <= 1) near++
    this.#near = near
    this.length = overrides.length + walked + importers.length
  }

  at(index: number): Row {
    const { importers, overrides, reached, roots } = this
    let place = index - overrides.length
    if (place < 0)
      return { ref: overrides[index]!, depth: 1, tier: "resolved", via: undefined, how: "overrides" }
    if (place >= this.#near) {
      const importer = importers[place - this.#near]
      if (importer !== undefined)
        return { ref: importer, depth: 1, tier: "resolved", via: undefined, how: "imports" }
      place -= importers.length
    }
    place = this.#places?.[place] ?? place
    const from = reached.cameFrom[place]!
    return {
      ref: reached.refs[place]!,
      depth: reached.depths[place]!,
      tier: reached.tiers[place]!,
      via: from < 0 ? roots[-1 - from] : reached.refs[from],
      how: "uses"
    }
  }

  slice(start: number, end: number = this.length): ReadonlyArray<Row> {
    const out: Array<Row> = []
    for (let i = start; i < Math.min(end, this.length); i++) out.push(this.at(i))
    return out
  }

  *[Symbol.iterator](): Iterator<Row> {
    for (let i = 0; i < this.length; i++) yield this.at(i)
  }
}

export interface Impact {
  readonly roots: ReadonlyArray<SymbolRef>
  readonly rows: Rows
  /** Paths of files with code of tests among what is reached, sorted. */
  readonly testFiles: ReadonlyArray<string>
  readonly counts: { readonly [depth: string]: number }
  readonly direct: number
  readonly transitive: number
  readonly risk: Risk
  /** Edges known by name only, left out beside better ones. */
  readonly suppressed: number
}

const most = 1_000_000

/** Walks from the subjects and their parts. A subject is never part of what it reaches. */
export const impactOf = (view: GraphView, subjects: ReadonlyArray<SymbolRef>): Impact => {
  const roots = withParts(view, subjects)
  const own = new Set(roots)
  const overrides = [...new Set(roots.flatMap((ref) => view.overriders(ref)))].filter((ref) => !own.has(ref))
  const reached: Reached = view.reach(roots, { depth: impactDepth, most })

  const paths = new Set<string>()
  const tests = new Set<string>()
  /** Files that are tests as a whole: nothing in them is asked. */
  const tested = new Map<SymbolRef, boolean>()
  let last: SymbolRef | undefined
  let whole = false
  const enter = (ref: SymbolRef, file: SymbolRef) => {
    if (file !== last) {
      last = file
      const known = tested.get(file)
      whole = known ?? view.isTest(file)
      if (known === undefined) {
        tested.set(file, whole)
        const path = view.pathOf(file)
        paths.add(path)
        if (whole) tests.add(path)
      }
    }
    if (!whole && view.isTest(ref)) tests.add(view.pathOf(ref))
  }
  reached.refs.forEach((ref, place) => enter(ref, reached.files[place]!))
  for (const ref of overrides) {
    paths.add(view.pathOf(ref))
    if (view.isTest(ref)) tests.add(view.pathOf(ref))
  }

  // A file that only passes a subject on, or runs it by importing it, is reached too; elsewhere what uses it says so.
  const ownPaths = new Set(roots.map((ref) => view.pathOf(ref)))
  const importers: Array<SymbolRef> = []
  for (const ref of reached.importers) {
    const path = view.pathOf(ref)
    if (paths.has(path) || ownPaths.has(path)) continue
    paths.add(path)
    importers.push(ref)
    if (view.isTest(ref)) tests.add(path)
  }
  const rows = new Rows(roots, reached, overrides, importers)
  const counts: { [depth: string]: number } = {}
  for (let depth = 1; depth <= impactDepth; depth++) counts[depth] = 0
  for (const depth of reached.depths) counts[depth]!++
  const walked = rows.length - overrides.length - importers.length
  if (walked < reached.refs.length) {
    const taken = new Set(overrides)
    reached.refs.forEach((ref, place) => {
      if (taken.has(ref)) counts[reached.depths[place]!]!--
    })
  }
  counts[1]! += overrides.length + importers.length
  const direct = counts["1"]!
  const transitive = rows.length - direct
  return {
    roots,
    rows,
    testFiles: [...tests].sort(),
    counts,
    direct,
    transitive,
    risk: riskOf(direct, transitive),
    suppressed: reached.suppressed
  }
}

/** Names looked at for places that are bound to nothing, and how many of them an answer lists. */
const mostNames = 200
const mostBoundaries = 10

/** A name behind which a walk may have missed something. */
export interface Boundary {
  readonly name: string
  readonly unbound_sites: number
  readonly sites: ReadonlyArray<object>
}

/** Places that use the name of a subject, or of what it directly reaches, and are bound to nothing: the walk stops there. */
export const boundariesOf = (
  view: GraphView,
  impact: Impact
): { readonly boundaries?: ReadonlyArray<Boundary>; readonly boundary_count?: number } => {
  const seen = new Set<string>()
  const out: Array<Boundary> = []
  const look = (ref: SymbolRef) => {
    if (view.isFile(ref) || seen.size >= mostNames) return
    const name = view.nameOf(ref)
    if (seen.has(name)) return
    seen.add(name)
    const { sites, total } = view.unbound(name, out.length < mostBoundaries ? 3 : 0)
    if (total > 0)
      out.push({
        name,
        unbound_sites: total,
        sites: sites.map(({ line, path, role }) => ({ file_path: path, line, kind: role }))
      })
  }
  impact.roots.forEach(look)
  for (let i = 0; i < impact.rows.length && seen.size < mostNames; i++) {
    const { depth, how, ref } = impact.rows.at(i)
    if (depth >= impactDepth) break
    if (how !== "imports") look(ref)
  }
  return out.length === 0
    ? {}
    : {
        boundaries: out.slice(0, mostBoundaries),
        ...(out.length > mostBoundaries ? { boundary_count: out.length } : {})
      }
}

/** A reached definition in an answer. */
export interface ReachedRow extends SymbolRow {
  readonly tier: string
  readonly via?: string
  readonly how?: "overrides" | "imports"
}

/** `idOf` may keep what it has said. */
export const reachedRow = (
  view: GraphView,
  { how, ref, tier, via }: Row,
  idOf: (ref: SymbolRef) => string = view.idOf
): ReachedRow => {
  const row = rowOf(view.symbol(ref)) as Open<ReachedRow>
  row.tier = tier
  if (via !== undefined) row.via = idOf(via)
  if (how !== "uses") row.how = how
  return row
}

const plural = (n: number, one: string, many = `${one}s`) => `${n} ${n === 1 ? one : many}`

/** The change in one sentence. */
export const summaryOf = (impact: Impact, subjects: string): string =>
  impact.rows.length === 0
    ? `${impact.risk}: nothing that uses ${subjects} is known`
    : `${impact.risk}: ${plural(impact.direct, "direct dependent")}, ${impact.transitive} further within ${impactDepth} edges of ${subjects}`
