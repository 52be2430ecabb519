import { Effect } from "effect"
import { strong, weak } from "../../../algorithms/components.ts"
import type { Graph } from "../../../algorithms/Graph.ts"
import { type Groups, membersOf } from "../../../algorithms/Groups.ts"
import { page } from "../../../registry/Answer.ts"
import type { Member } from "../../../registry/Facade.ts"
import * as F from "../../../registry/Fields.ts"
import { CodeGraph, type GraphView } from "../../../services/CodeGraph.ts"
import { communitiesOf, communityRow, divided, round } from "../../shared/structure/Communities.ts"
import { isSymbol, once } from "../../shared/structure/Nodes.ts"
import { usesOf } from "../../shared/structure/Uses.ts"
import { freshnessOf, graph } from "../../shared/symbols.ts"
import { type analyze, kind } from "../facade.ts"
import { scopeOf } from "../overview/communities.ts"

const usualMembers = 20

interface Components {
  /** Nodes of each component of at least two, ascending; the largest first. */
  readonly list: ReadonlyArray<ReadonlyArray<number>>
  readonly alone: number
}

const componentsBy = (find: (graph: Graph) => Groups): ((view: GraphView) => Components) =>
  once((view, columns) => {
    const groups = find(usesOf(view, "uses").graph)
    const { members, starts } = membersOf(groups)
    const list: Array<ReadonlyArray<number>> = []
    let alone = 0
    for (let group = 0; group < groups.count; group++) {
      const own = Array.from(members.subarray(starts[group]!, starts[group + 1]!)).filter((node) =>
        isSymbol(columns, node)
      )
      if (own.length > 1) list.push(own)
      else alone += own.length
    }
    list.sort((a, b) => b.length - a.length || a[0]! - b[0]!)
    return { list, alone }
  })

const strongOf = componentsBy(strong)
const weakOf = componentsBy(weak)

const input = F.input({
  options: F.group({
    min_size: F.optional(F.described(F.count, "least members; 2 unless given")),
    member_limit: F.described(F.clamped({ min: 1, max: 1000 }), "members of a component; 20 unless given")
  })
})

const needs = [CodeGraph] as const

const answer = (
  view: GraphView,
  { alone, list }: Components,
  name: "scc" | "wcc",
  options: { readonly min_size?: number; readonly member_limit?: number }
) => {
  const { min_size: least = 2, member_limit: most = usualMembers } = options
  const rows = list.filter((own) => own.length >= least)
  return page(
    "components",
    {
      total: rows.length,
      kind: name,
      components: rows.map((own, i) => ({
        id: `${name}${i + 1}`,
        size: own.length,
        members: own.slice(0, most).map((node) => view.idOf(view.columns.refOf(node)))
      })),
      alone,
      edges: "uses between definitions and the top level of files; imports left out",
      freshness: freshnessOf(view.freshness)
    },
    { snapshot: view.generation }
  )
}

export const scc: Member<typeof analyze, "scc", typeof needs> = kind("scc", {
  summary: "Strongly connected components.",
  page: { default: 100, max: 1000 },
  input,
  needs,
  handler: ({ options }) => Effect.map(graph, (view) => answer(view, strongOf(view), "scc", options))
})

export const wcc: Member<typeof analyze, "wcc", typeof needs> = kind("wcc", {
  summary: "Weakly connected components.",
  page: { default: 100, max: 1000 },
  input,
  needs,
  handler: ({ options }) => Effect.map(graph, (view) => answer(view, weakOf(view), "wcc", options))
})

const byLouvain = once((view) => divided(view, { method: "louvain" }))

export const louvain: Member<typeof analyze, "louvain", typeof needs> = kind("louvain", {
  summary: "Communities by the Louvain method.",
  page: { default: 100, max: 1000 },
  input: F.input({}),
  needs,
  handler: () =>
    Effect.gen(function* () {
      const view = yield* graph
      const found = byLouvain(view)
      return page(
        "communities",
        {
          total: found.list.length,
          modularity: round(found.modularity),
          modularity_by_leiden: round(communitiesOf(view).modularity),
          communities: found.list.map((each) => communityRow(view, each)),
          scope: scopeOf(found),
          freshness: freshnessOf(view.freshness)
        },
        { snapshot: view.generation }
      )
    })
})
