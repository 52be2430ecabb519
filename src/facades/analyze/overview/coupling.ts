import { Effect } from "effect"
import { page } from "../../../registry/Answer.ts"
import type { Member } from "../../../registry/Facade.ts"
import * as F from "../../../registry/Fields.ts"
import { isUnder } from "../../../registry/Place.ts"
import { CodeGraph, type GraphView } from "../../../services/CodeGraph.ts"
import * as Shared from "../../fields.ts"
import { communitiesOf, round } from "../../shared/structure/Communities.ts"
import { isSymbol, pathOf } from "../../shared/structure/Nodes.ts"
import { usesOf } from "../../shared/structure/Uses.ts"
import { freshnessOf, graph } from "../../shared/symbols.ts"
import { analyze } from "../facade.ts"

/** The folders of a path, at most so many; "." for files at the top. */
export const packageOf = (path: string, depth: number): string => {
  const folders = path.split("/").slice(0, -1)
  return folders.length === 0 || depth === 0 ? "." : folders.slice(0, depth).join("/")
}

export interface Unit {
  readonly name: string
  members: number
  /** Definitions elsewhere that use one here, and definitions elsewhere that are used here. */
  ca: number
  ce: number
  internal: number
  crossing: number
}

/** By node the number of its unit, -1 for none, and the names. */
export interface Division {
  readonly of: Int32Array
  readonly names: ReadonlyArray<string>
}

export const packagesOf = (view: GraphView, depth: number): Division => {
  const { columns } = view
  const numbers = new Map<string, number>()
  const names: Array<string> = []
  const of = new Int32Array(columns.nodeCount).fill(-1)
  for (const file of columns.fileNodes) {
    const name = packageOf(pathOf(view, file), depth)
    let number = numbers.get(name)
    if (number === undefined) {
      numbers.set(name, (number = names.length))
      names.push(name)
    }
    of[file] = number
  }
  for (let node = 0; node < columns.nodeCount; node++) of[node] = of[columns.files[node]!]!
  return { of, names }
}

/** Uses between and within units; tests are left out on both sides. */
export const unitsOf = (view: GraphView, { names, of }: Division): ReadonlyArray<Unit> => {
  const { columns } = view
  const { back, graph: uses } = usesOf(view, "uses")
  const units = names.map((name): Unit => ({ name, members: 0, ca: 0, ce: 0, internal: 0, crossing: 0 }))
  const counted = new Int32Array(names.length).fill(-1)
  for (let node = 0; node < columns.nodeCount; node++) {
    const own = of[node]!
    if (own < 0 || columns.tests[node] === 1) continue
    if (isSymbol(columns, node)) units[own]!.members++
    for (let e = uses.starts[node]!; e < uses.starts[node + 1]!; e++) {
      const other = uses.others[e]!
      const unit = of[other]!
      if (unit < 0 || other === node || columns.tests[other] === 1) continue
      if (unit === own) {
        units[own]!.internal++
        continue
      }
      units[own]!.crossing++
      units[unit]!.crossing++
      // Each definition counts once for each unit it uses something of.
      if (counted[unit] !== node) units[unit]!.ca++
      counted[unit] = node
    }
  }
  counted.fill(-1)
  for (let node = 0; node < columns.nodeCount; node++) {
    const own = of[node]!
    if (own < 0 || columns.tests[node] === 1) continue
    for (let e = back.starts[node]!; e < back.starts[node + 1]!; e++) {
      const unit = of[back.others[e]!]!
      if (unit < 0 || unit === own || columns.tests[back.others[e]!] === 1) continue
      if (counted[unit] !== node) units[unit]!.ce++
      counted[unit] = node
    }
  }
  return units
}

const needs = [CodeGraph] as const

export const coupling: Member<typeof analyze, "coupling", typeof needs> = analyze.operation("coupling", {
  tool: "get_coupling_metrics",
  summary: "Coupling and instability of packages or communities.",
  tier: 2,
  page: { default: 50, max: 1000 },
  input: F.input({
    options: F.group({
      unit: F.withDefault(F.choice("package", "community"), "package"),
      package_depth: F.withDefault(F.described(F.count, "path segments of a package"), 2),
      min_members: F.withDefault(F.count, 1),
      sort_by: F.withDefault(
        F.choice("ca_and_instability", "ca", "ce", "instability", "members"),
        "ca_and_instability"
      ),
      path_prefix: Shared.pathPrefix
    })
  }),
  needs,
  handler: ({ options }) =>
    Effect.gen(function* () {
      const { min_members, package_depth, path_prefix, sort_by, unit } = options
      const view = yield* graph
      const found = unit === "package" ? undefined : communitiesOf(view)
      const division =
        found === undefined
          ? packagesOf(view, package_depth)
          : { of: found.of, names: found.list.map(({ id, label }) => `${id} ${label}`) }
      const fits = isUnder(path_prefix)
      const keeps = (at: number, name: string): boolean =>
        path_prefix === undefined ||
        (found === undefined ? fits(name) : found.list[at]!.files.some(([path]) => fits(path)))
      const rows = unitsOf(view, division)
        .flatMap(({ ca, ce, crossing, internal, members, name }, at) =>
          members >= Math.max(1, min_members) && keeps(at, name)
            ? [
                {
                  unit: name,
                  ca,
                  ce,
                  instability: ca + ce === 0 ? null : round(ce / (ca + ce)),
                  internal_edges: internal,
                  total_edges: internal + crossing,
                  members
                }
              ]
            : []
        )
        .sort((a, b) => {
          const instability = (b.instability ?? -1) - (a.instability ?? -1)
          const first =
            sort_by === "ca"
              ? b.ca - a.ca
              : sort_by === "ce"
                ? b.ce - a.ce
                : sort_by === "members"
                  ? b.members - a.members
                  : sort_by === "instability"
                    ? instability
                    : b.ca * (b.instability ?? 0) - a.ca * (a.instability ?? 0) || b.ca - a.ca
          return first || (a.unit < b.unit ? -1 : 1)
        })
      return page(
        "units",
        {
          total: rows.length,
          unit_kind: unit,
          sort_by,
          units: rows,
          ...(unit === "package" ? { package_depth } : {}),
          means:
            "ca: definitions elsewhere that use one here; ce: definitions elsewhere that are used here; instability: ce / (ca + ce), null when both are 0; tests left out",
          freshness: freshnessOf(view.freshness)
        },
        { snapshot: view.generation }
      )
    })
})
