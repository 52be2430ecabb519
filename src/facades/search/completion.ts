import { fromService } from "../../registry/Failure.ts"
import { Effect } from "effect"
import { page } from "../../registry/Answer.ts"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { CodeGraph, type SymbolRef } from "../../services/CodeGraph.ts"
import { search } from "./facade.ts"
import { edgeFilter } from "./EdgeKinds.ts"

const needs = [CodeGraph] as const

export const completion: Member<typeof search, "completion", typeof needs> = search.operation("completion", {
  tool: "graph_completion_search",
  summary: "Name matches and their neighbours in the graph, ranked together.",
  page: { default: 25, max: 200 },
  input: F.input({
    query: F.described(F.text, "symbol name or a part of one"),
    options: F.group({
      seed_limit: F.clamped({ min: 1, max: 100, default: 5 }),
      max_seed_expansion: F.described(
        F.clamped({ min: 0, max: 100, default: 8 }),
        "neighbours added for each seed"
      ),
      edge_kinds: F.withDefault(
        F.described(
          F.csv,
          "kinds of edge to expand on: calls, references, imports, extends, implements; all for every kind"
        ),
        ["calls", "references"]
      )
    })
  }),
  needs,
  handler: (input) =>
    Effect.gen(function* () {
      const { options } = input
      const follows = yield* edgeFilter("options.edge_kinds", options.edge_kinds)
      const view = yield* Effect.mapError((yield* CodeGraph).view, fromService)
      const seeds = view.search({ text: input.query, limit: options.seed_limit }).matches
      const top = seeds[0]?.score ?? 1
      const scores = new Map<SymbolRef, number>(seeds.map((s) => [s.ref, 1 + s.score / top]))
      const seedRefs = new Set(seeds.map((s) => s.ref))
      let expanded = 0
      for (const seed of seeds) {
        const uses = new Map<SymbolRef, number>()
        for (const edge of view.outgoing(seed.ref)) {
          if (follows(edge.role) && edge.tier !== "name" && edge.to !== seed.ref && !view.isFile(edge.to))
            uses.set(edge.to, (uses.get(edge.to) ?? 0) + 1)
        }
        for (const edge of view.incoming(seed.ref)) {
          if (follows(edge.role) && edge.tier !== "name" && edge.from !== seed.ref && !view.isFile(edge.from))
            uses.set(edge.from, (uses.get(edge.from) ?? 0) + 1)
        }
        const near = [...uses]
          .sort((a, b) => b[1] - a[1] || view.incomingCount(b[0]) - view.incomingCount(a[0]))
          .slice(0, options.max_seed_expansion)
        for (const [ref, count] of near) {
          const score = ((seed.score / top) * count) / (count + 2)
          if (seedRefs.has(ref)) scores.set(ref, scores.get(ref)! + 0.1 * score)
          else {
            if (!scores.has(ref)) expanded++
            scores.set(ref, Math.min(0.99, (scores.get(ref) ?? 0) + 0.5 * score))
          }
        }
      }
      const rows = [...scores]
        .sort((a, b) => b[1] - a[1])
        .map(([ref]) => {
          const info = view.symbol(ref)
          return {
            id: info.id,
            name: info.name,
            kind: info.kind,
            file: info.path,
            start_line: info.start_line,
            ...(seedRefs.has(ref) ? { is_seed: true as const } : {})
          }
        })
      return page(
        "results",
        {
          results: rows,
          total: rows.length,
          seed_count: seeds.length,
          expanded,
          edge_kinds: options.edge_kinds
        },
        { total: rows.length, snapshot: view.generation }
      )
    })
})
