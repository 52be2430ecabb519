import { Effect } from "effect"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { CodeGraph, type EdgeInfo, type SymbolRef } from "../../services/CodeGraph.ts"
import * as Shared from "../fields.ts"
import { graph, oneOf, rowOf } from "../shared/symbols.ts"
import { completenessOf, hiddenOf, nothingHidden, sift } from "./Evidence.ts"
import { relations } from "./facade.ts"
import { bySymbol, page } from "./fields.ts"
import { isInside } from "./Files.ts"
import { walk, walkAnswer } from "./Walk.ts"

/** Edges of one node a neighbourhood goes along in one direction; a hub would make everything its neighbour. */
const mostBranches = 200

const needs = [CodeGraph] as const

export const cluster: Member<typeof relations, "cluster", typeof needs> = relations.operation("cluster", {
  narrows: true,
  tool: "get_cluster",
  summary: "Neighbourhood of a symbol in both directions.",
  tier: 2,
  page,
  input: F.input({
    target: bySymbol,
    options: F.group({ radius: F.aliased(Shared.depth(2), "depth") })
  }),
  needs,
  handler: ({ options, target }, call) =>
    Effect.gen(function* () {
      const view = yield* graph
      const ref = yield* oneOf(view, target.symbol, { facade: "relations", operation: "cluster" })
      const symbol = view.symbol(ref)
      const hidden = nothingHidden()
      const trust = { include_speculative: false }
      let hubs = 0
      let direct: ReadonlyArray<EdgeInfo> = []
      const bounded = (edges: ReadonlyArray<EdgeInfo>) => {
        if (edges.length > mostBranches) hubs++
        return edges.slice(0, mostBranches)
      }
      let here: SymbolRef = ref
      const step = (at: SymbolRef, distance: number): ReadonlyArray<EdgeInfo> => {
        here = at
        const incoming = sift(view.incoming(at), trust, hidden).filter(
          ({ from }) => !isInside(view, at, from)
        )
        if (distance === 0) direct = incoming
        const outgoing =
          view.isFile(at) && at !== ref
            ? []
            : sift(view.outgoing(at), trust, hidden).filter(({ to }) => !isInside(view, at, to))
        return [...bounded(incoming), ...bounded(outgoing)]
      }
      // An incoming edge ends in this node or, for overloads, in one that answers as the same.
      const walked = walk([ref], options.radius, step, (edge) =>
        isInside(view, here, edge.from) ? edge.to : edge.from
      )
      return walkAnswer(view, call, walked, {
        symbol: rowOf(symbol),
        method: "neighbourhood",
        ...completenessOf(view, {
          name: symbol.name,
          refs: [ref],
          edges: direct,
          hidden,
          because: [...(hubs > 0 ? ["hubs_cut"] : []), ...(walked.stopped ? ["walk_stopped"] : [])]
        }),
        ...hiddenOf(hidden),
        ...(hubs === 0 ? {} : { hubs_cut: hubs })
      })
    })
})
