import { Effect } from "effect"
import { page } from "../../../registry/Answer.ts"
import type { Member } from "../../../registry/Facade.ts"
import * as F from "../../../registry/Fields.ts"
import { CodeGraph } from "../../../services/CodeGraph.ts"
import { round } from "../../shared/structure/Communities.ts"
import { isSymbol, pathOf } from "../../shared/structure/Nodes.ts"
import { usesOf } from "../../shared/structure/Uses.ts"
import { freshnessOf, graph } from "../../shared/symbols.ts"
import { type analyze, kind } from "../facade.ts"

const needs = [CodeGraph] as const

export const connectivityHealth: Member<typeof analyze, "connectivity_health", typeof needs> = kind(
  "connectivity_health",
  {
    summary: "Loose nodes and dead weight by file.",
    page: { default: 50, max: 1000 },
    input: F.input({}),
    needs,
    handler: () =>
      Effect.gen(function* () {
        const view = yield* graph
        const { columns } = view
        const { back, graph: uses } = usesOf(view, "uses")
        const kinds = new Map<number, { nodes: number; isolated: number; leaf: number }>()
        const files = new Map<number, { nodes: number; isolated: number; leaf: number }>()
        let nominal = 0
        let isolated = 0
        let leaf = 0
        let sources = 0
        let sinks = 0
        for (let node = 0; node < columns.nodeCount; node++) {
          if (!isSymbol(columns, node) || columns.tests[node] === 1) continue
          nominal++
          const into = back.starts[node + 1]! - back.starts[node]!
          const out = uses.starts[node + 1]! - uses.starts[node]!
          const own = kinds.get(columns.kinds[node]!) ?? { nodes: 0, isolated: 0, leaf: 0 }
          const file = files.get(columns.files[node]!) ?? { nodes: 0, isolated: 0, leaf: 0 }
          kinds.set(columns.kinds[node]!, own)
          files.set(columns.files[node]!, file)
          own.nodes++
          file.nodes++
          if (into + out === 0) {
            isolated++
            own.isolated++
            file.isolated++
          } else {
            if (into + out === 1) {
              leaf++
              own.leaf++
              file.leaf++
            }
            if (into === 0) sources++
            else if (out === 0) sinks++
          }
        }
        const rows = [...files]
          .filter(([, { isolated: loose, leaf: single }]) => loose + single > 0)
          .sort((a, b) => b[1].isolated + b[1].leaf - (a[1].isolated + a[1].leaf) || a[0] - b[0])
        return page(
          "dead_weight_by_file",
          {
            nominal_nodes: nominal,
            effective_nodes: nominal - isolated,
            effective_ratio: nominal === 0 ? null : round((nominal - isolated) / nominal),
            isolated,
            leaf,
            source_only: sources,
            sink_only: sinks,
            by_kind: [...kinds]
              .map(([of, counts]) => ({ kind: columns.kindNames[of]!, ...counts }))
              .sort((a, b) => b.nodes - a.nodes || (a.kind < b.kind ? -1 : 1)),
            total: rows.length,
            dead_weight_by_file: rows.map(([file, counts]) => ({
              file_path: pathOf(view, file),
              isolated: counts.isolated,
              leaf: counts.leaf,
              nodes: counts.nodes,
              dead_weight: round((counts.isolated + counts.leaf) / counts.nodes)
            })),
            note: "isolated: no uses either way; leaf: one; members that are only reached through super types, and what is exported for others, look loose here without being dead: dead_code tells. Tests and local definitions left out",
            freshness: freshnessOf(view.freshness)
          },
          { snapshot: view.generation }
        )
      })
  }
)
