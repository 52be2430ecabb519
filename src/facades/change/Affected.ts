/** What a change of definitions reaches, how bad that is, and what of it is not known. */
import type { GraphView, Reached, SymbolRef } from "../../services/CodeGraph.ts"
import { rowOf } from "../shared/symbols.ts"

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

export interface Impact {
  readonly roots: ReadonlyArray<SymbolRef>
  readonly rows: ReadonlyArray<Row>
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
  const place = new Set(overrides)
  const rows: Array<Row> = overrides.map((ref) => ({
    ref,
    depth: 1,
    tier: "resolved",
    via: undefined,
    how: "overrides"
  }))
  reached.refs.forEach((ref, i) => {
    const from = reached.cameFrom[i]!
    if (place.has(ref)) return
    rows.push({
      ref,
      depth: reached.depths[i]!,
      tier: reached.tiers[i]!,
      via: from < 0 ? roots[-1 - from] : reached.refs[from],
      how: "uses"
    })
  })
  // A file that only passes a subject on, or runs it by importing it, is reached too; elsewhere what uses it says so.
  const files = new Set<string>(rows.map(({ ref }) => view.pathOf(ref)))
  const ownFiles = new Set(roots.map((ref) => view.pathOf(ref)))
  for (const ref of reached.importers) {
    const path = view.pathOf(ref)
    if (files.has(path) || ownFiles.has(path)) continue
    files.add(path)
    rows.push({ ref, depth: 1, tier: "resolved", via: undefined, how: "imports" })
  }
  const counts: { [depth: string]: number } = {}
  for (let depth = 1; depth <= impactDepth; depth++) counts[depth] = 0
  for (const { depth } of rows) counts[depth]!++
  const direct = counts["1"]!
  const transitive = rows.length - direct
  return {
    roots,
    rows: rows.sort((a, b) => a.depth - b.depth),
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
    const { sites, total } = view.unbound(name, 3)
    if (total > 0)
      out.push({
        name,
        unbound_sites: total,
        sites: sites.map(({ line, path, role }) => ({ file_path: path, line, kind: role }))
      })
  }
  impact.roots.forEach(look)
  for (const { depth, how, ref } of impact.rows) if (depth < impactDepth && how !== "imports") look(ref)
  return out.length === 0
    ? {}
    : {
        boundaries: out.slice(0, mostBoundaries),
        ...(out.length > mostBoundaries ? { boundary_count: out.length } : {})
      }
}

/** A reached definition in an answer. */
export const reachedRow = (view: GraphView, row: Row) => ({
  ...rowOf(view.symbol(row.ref)),
  tier: row.tier,
  ...(row.via === undefined ? {} : { via: view.idOf(row.via) }),
  ...(row.how === "uses" ? {} : { how: row.how })
})

/** Files of tests among what is reached. */
export const testFilesOf = (view: GraphView, impact: Impact): ReadonlyArray<string> => {
  const files = new Set<string>()
  for (const { ref } of impact.rows) if (view.isTest(ref)) files.add(view.pathOf(ref))
  return [...files].sort()
}

const plural = (n: number, one: string, many = `${one}s`) => `${n} ${n === 1 ? one : many}`

/** The change in one sentence. */
export const summaryOf = (impact: Impact, subjects: string): string =>
  impact.rows.length === 0
    ? `${impact.risk}: nothing that uses ${subjects} is known`
    : `${impact.risk}: ${plural(impact.direct, "direct dependent")}, ${impact.transitive} further within ${impactDepth} edges of ${subjects}`
