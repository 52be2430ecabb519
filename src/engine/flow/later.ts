/** The flow of values, whose engine is loaded when something is first asked of it. */
import { Effect } from "effect"
import type { ProgramFlow } from "../../services/ProgramFlow.ts"
import type { Sources } from "./Service.ts"

export const flowLater = (from: Sources): ProgramFlow["Type"] => {
  let loading: Promise<ProgramFlow["Type"]> | undefined
  const loaded = Effect.promise(
    () => (loading ??= import("./Service.ts").then(({ programFlow }) => programFlow(from)))
  )
  return {
    languages: Effect.flatMap(loaded, ({ languages }) => languages),
    control: (...question) => Effect.flatMap(loaded, (flow) => flow.control(...question)),
    paths: (...question) => Effect.flatMap(loaded, (flow) => flow.paths(...question)),
    taint: (...question) => Effect.flatMap(loaded, (flow) => flow.taint(...question)),
    facts: (...question) => Effect.flatMap(loaded, (flow) => flow.facts(...question))
  }
}
