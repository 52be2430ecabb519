import { Effect } from "effect"
import { page } from "../../../registry/Answer.ts"
import type { Member } from "../../../registry/Facade.ts"
import * as F from "../../../registry/Fields.ts"
import { CodeGraph, type Tier } from "../../../services/CodeGraph.ts"
import { ReadFs } from "../../../services/ReadFs.ts"
import { tierNames } from "../../shared/structure/Uses.ts"
import { startsOf } from "../../shared/structure/Subject.ts"
import { freshnessOf, graph, oneFile, oneOf } from "../../shared/symbols.ts"
import { type analyze, kind } from "../facade.ts"

const origins: { readonly [T in Tier]: string } = {
  exact: "a compiler or language server",
  resolved: "scopes, imports and declared types",
  inferred: "types with a guess among them, or several candidates",
  name: "the name alone, which one definition has"
}

const needs = [CodeGraph, ReadFs] as const

export const refFacts: Member<typeof analyze, "ref_facts", typeof needs> = kind("ref_facts", {
  summary: "Resolved references with the evidence for each.",
  page: { default: 100, max: 1000 },
  input: F.input({
    options: F.group({
      id: F.optional(F.described(F.text, "a symbol: what it uses and what uses it")),
      path: F.optional(F.described(F.text, "a file: what is written in it"))
    })
  }),
  needs,
  handler: ({ options }, call) =>
    Effect.gen(function* () {
      const view = yield* graph
      const { columns } = view
      const file = options.path === undefined ? undefined : columns.nodeOf(yield* oneFile(view, options.path))
      const edges: Array<number> = []
      const inFile = (e: number) => file === undefined || columns.files[columns.sources[e]!] === file
      if (options.id !== undefined) {
        const ref = yield* oneOf(view, options.id, {
          facade: "analyze",
          operation: "ref_facts",
          field: "options.id"
        })
        const own = new Set<number>()
        for (const node of startsOf(view, ref)) {
          for (let e = columns.out.starts[node]!; e < columns.out.starts[node + 1]!; e++) own.add(e)
          for (let p = columns.in.starts[node]!; p < columns.in.starts[node + 1]!; p++)
            own.add(columns.inEdges[p]!)
        }
        edges.push(...[...own].filter(inFile).sort((a, b) => a - b))
      } else for (let e = 0; e < columns.edgeCount; e++) if (inFile(e)) edges.push(e)
      const counts = [0, 0, 0, 0]
      for (const e of edges) counts[columns.tiers[e]!]!++
      return page(
        "facts",
        {
          total: edges.length,
          by_tier: Object.fromEntries(tierNames.map((name, tier) => [name, counts[tier]!])),
          facts: edges
            .slice(call.offset, call.limit === undefined ? undefined : call.offset + call.limit)
            .map((e) => {
              const { column, from, line, name, path, role, tier, to } = columns.edge(e)
              return {
                from: view.idOf(from),
                to: view.idOf(to),
                kind: role,
                ref_name: name,
                file_path: path,
                line,
                column,
                tier,
                origin: origins[tier]
              }
            }),
          unbound_references: view.counts.unbound,
          freshness: freshnessOf(view.freshness)
        },
        { from: call.offset, total: edges.length, snapshot: view.generation }
      )
    })
})
