import { Effect } from "effect"
import type { Member } from "../../../registry/Facade.ts"
import type { OperationFailure } from "../../../registry/Failure.ts"
import * as F from "../../../registry/Fields.ts"
import { CodeGraph, type GraphView } from "../../../services/CodeGraph.ts"
import { type FlowPoint, ProgramFlow } from "../../../services/ProgramFlow.ts"
import * as Shared from "../../fields.ts"
import { freshnessOf, graph, oneDefinition } from "../../shared/symbols.ts"
import { trace } from "../facade.ts"
import { approximations, completenessOf, pathRow, refusedAt } from "./Words.ts"

/** A definition, or one of its parameters behind `#`. */
const pointOf = (view: GraphView, words: string, field: string): Effect.Effect<FlowPoint, OperationFailure> =>
  Effect.gen(function* () {
    const split = words.lastIndexOf("#")
    const parameter = split > 0 ? words.slice(split + 1) : undefined
    const ref = yield* oneDefinition(view, split > 0 ? words.slice(0, split) : words, {
      facade: "trace",
      operation: "flow",
      field,
      rest: {}
    })
    return { ref, ...(parameter === undefined || parameter === "" ? {} : { parameter }) }
  })

const idOf = (view: GraphView, { parameter, ref }: FlowPoint): string =>
  view.idOf(ref) + (parameter === undefined ? "" : `#${parameter}`)

const needs = [CodeGraph, ProgramFlow] as const

export const flow: Member<typeof trace, "flow", typeof needs> = trace.operation("flow", {
  tool: "flow_between",
  flat: { "target.symbol": "source_id", "to.symbol": "sink_id" },
  summary: "Data-flow paths from one symbol to another, ranked.",
  input: F.input({
    target: F.target({
      symbol: F.aliased(
        F.described(Shared.symbol, "function, field or variable; FUNCTION#NAME for a parameter"),
        "source_id"
      )
    }),
    to: F.target({ symbol: F.aliased(F.text, "id", "sink_id") }),
    options: F.group({
      max_depth: Shared.depth(8, 64),
      max_paths: F.clamped({ min: 1, max: 200, default: 10 }),
      min_tier: Shared.minTier
    })
  }),
  needs,
  handler: ({ options, target, to }) =>
    Effect.gen(function* () {
      const view = yield* graph
      const source = yield* pointOf(view, target.symbol, "target.symbol")
      const sink = yield* pointOf(view, to.symbol, "to.symbol")
      const found = yield* Effect.mapError(
        (yield* ProgramFlow).paths(view, source, sink, {
          hops: options.max_depth,
          most: options.max_paths,
          tier: options.min_tier
        }),
        refusedAt("target.symbol")
      )
      const source_id = idOf(view, source)
      const sink_id = idOf(view, sink)
      return {
        source_id,
        sink_id,
        total: found.paths.length,
        paths: found.paths.map((path) => pathRow(view, path, source_id, sink_id)),
        ...completenessOf(view, found),
        approximations,
        freshness: freshnessOf(view.freshness)
      }
    })
})
