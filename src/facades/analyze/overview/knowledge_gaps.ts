import { Effect } from "effect"
import { within } from "../../../algorithms/paths.ts"
import type { Member } from "../../../registry/Facade.ts"
import * as F from "../../../registry/Fields.ts"
import { CodeGraph, type GraphView } from "../../../services/CodeGraph.ts"
import * as Shared from "../../fields.ts"
import { communitiesOf, communityRow } from "../../shared/structure/Communities.ts"
import { coupledOf } from "../../shared/structure/Coupled.ts"
import { dispatchOf } from "../../shared/structure/Dispatch.ts"
import { isSymbol, kindsOf, nodeRow, once, under } from "../../shared/structure/Nodes.ts"
import { usesOf } from "../../shared/structure/Uses.ts"
import { freshnessOf, graph } from "../../shared/symbols.ts"
import { analyze } from "../facade.ts"
import { hotspotRow, ranked } from "./hotspots.ts"

/** 1 for what code of tests leads to, through calls, values and types. */
export const testedOf: (view: GraphView) => Uint8Array = once((view, columns) => {
  const tests: Array<number> = []
  for (let node = 0; node < columns.nodeCount; node++) if (columns.tests[node] === 1) tests.push(node)
  const { nodes } = within(usesOf(view, "uses", "inferred").graph, tests, Infinity)
  const out = new Uint8Array(columns.nodeCount)
  for (const node of nodes) out[node] = 1
  return out
})

const needs = [CodeGraph] as const

export const knowledgeGaps: Member<typeof analyze, "knowledge_gaps", typeof needs> = analyze.operation(
  "knowledge_gaps",
  {
    tool: "get_knowledge_gaps",
    summary: "Weak spots: loose nodes, thin communities, untested hotspots.",
    tier: 2,
    input: F.input({
      options: F.group({
        thin_community_size: F.withDefault(F.count, 3),
        min_coverage_pct: F.withDefault(F.number({ min: 0, max: 100 }), 50),
        hotspot_limit: F.clamped({ min: 1, max: 1000, default: 20 }),
        limit_per_category: F.clamped({ min: 1, max: 1000, default: 20 }),
        path_prefix: Shared.pathPrefix
      })
    }),
    needs,
    handler: ({ options }) =>
      Effect.gen(function* () {
        const { hotspot_limit, limit_per_category: most, min_coverage_pct, thin_community_size } = options
        const view = yield* graph
        const { columns } = view
        const keep = under(view, options.path_prefix)
        const { callable, type } = kindsOf(columns)
        const { fanIn, fanOut } = coupledOf(view)
        const above = dispatchOf(view).back
        const tied = new Set<number>()
        for (let node = 0; node < columns.nodeCount; node++)
          if (fanIn[node]! + fanOut[node]! > 0) tied.add(columns.parents[node]!)
        const hasTiedMember = (node: number) => tied.has(node)
        const loose: Array<number> = []
        let looked = 0
        for (let node = 0; node < columns.nodeCount; node++) {
          if (!isSymbol(columns, node) || columns.tests[node] === 1 || columns.generated[node] === 1) continue
          if (callable[columns.kinds[node]!] === 0 && type[columns.kinds[node]!] === 0) continue
          if (!keep(node)) continue
          looked++
          if (
            fanIn[node]! + fanOut[node]! === 0 &&
            columns.in.starts[node + 1] === columns.in.starts[node] &&
            above.starts[node + 1] === above.starts[node] &&
            !hasTiedMember(node)
          )
            loose.push(node)
        }
        const { list } = communitiesOf(view)
        const own = list.filter(({ members }) => members.some(keep))
        const thin = own.filter(({ members }) => members.length < thin_community_size)
        const single = own.filter(
          ({ files, members }) => files.length === 1 && members.length >= thin_community_size
        )
        const tested = testedOf(view)
        const hot = Array.from(ranked(view)).filter(keep).slice(0, hotspot_limit)
        const untested = hot.filter((node) => tested[node] === 0)
        const noTests = !columns.tests.includes(1)
        return {
          summary: {
            disconnected_nodes: loose.length,
            thin_communities: thin.length,
            single_file_communities: single.length,
            untested_hotspots: untested.length,
            looked_at: { definitions: looked, communities: own.length, hotspots: hot.length }
          },
          disconnected_nodes: loose.slice(0, most).map((node) => nodeRow(view, node)),
          thin_communities: thin.slice(0, most).map((each) => communityRow(view, each)),
          single_file_communities: single.slice(0, most).map((each) => communityRow(view, each)),
          untested_hotspots: untested.slice(0, most).map((node) => hotspotRow(view, node)),
          thresholds: { thin_community_size, min_coverage_pct, hotspot_limit },
          coverage: `no measured coverage is read: a hotspot counts as untested when no code of tests leads to it${noTests ? "; there are no tests here" : ""}`,
          freshness: freshnessOf(view.freshness)
        }
      })
  }
)
