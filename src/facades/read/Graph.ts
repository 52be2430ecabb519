/** The graph for reads that are also good without it. */
import { Effect, Fiber, Option } from "effect"
import { quietly } from "../../registry/Progress.ts"
import { CodeGraph, type GraphView } from "../../services/CodeGraph.ts"

/** How long a plain read waits for the graph before it does without. */
const patience = "100 millis"

/** The graph, unless it is not there soon: a first index goes on, and the read does not wait for its end. */
export const graphIfReady: Effect.Effect<GraphView | undefined, never, CodeGraph> = Effect.gen(function* () {
  const { view } = yield* CodeGraph
  const fiber = yield* Effect.forkDaemon(quietly(Effect.option(view)))
  const soon = yield* Effect.timeoutOption(Fiber.join(fiber), patience)
  return Option.getOrUndefined(Option.flatten(soon))
})
