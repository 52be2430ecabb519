/**
 * Calls by name. A dispatcher holds a part of the registry and the services that serve it, and nothing it holds can need
 * a service it was not given: one that does is not constructible.
 */
import { Effect, type Runtime } from "effect"
import { type Facade, select } from "./Facade.ts"
import { failure, type FollowUpData, type OperationFailure } from "./Failure.ts"
import type { UnknownRecord } from "./Json.ts"
import type { Outcome } from "./Projection.ts"
import type { Registry } from "./Registry.ts"

/** A call of one facade. */
export interface Request {
  readonly facade: string
  readonly args: UnknownRecord
}

const unknownTool = (name: string, registry: Registry.Any): OperationFailure =>
  failure("unknown_tool", `there is no tool ${name}`, {
    failure_stage: "admission",
    data: { tool: name, valid_tools: registry.facades.map((facade) => facade.name) }
  })

/** The program of one call. It requires everything the registry could need for a name not known yet. */
export const call = <F extends Facade.Any>(
  registry: Registry<F>,
  request: Request
): Effect.Effect<Outcome, OperationFailure, Facade.Context<F>> =>
  Effect.suspend(() => {
    const facade = registry.facade(request.facade)
    if (facade === undefined) return Effect.fail(unknownTool(request.facade, registry))
    return Effect.flatMap(select(facade, request.args), ({ args, operation }) => operation.run(args))
  })

/** Printed by the compiler when a registry needs more than the mode provides. */
export interface ModeLacks<Mode extends string, Services> {
  readonly _error: `${Mode} does not provide this service`
  readonly _services: Services
}

/** `unknown` when `P` serves the facades `F`, and the complaint otherwise. */
export type CheckMode<Mode extends string, F extends Facade.Any, P> = [
  Exclude<Facade.Context<F>, P>
] extends [never]
  ? unknown
  : ModeLacks<Mode, Exclude<Facade.Context<F>, P>>

export interface Dispatcher {
  readonly mode: string
  readonly registry: Registry.Any
  readonly call: (request: Request) => Effect.Effect<Outcome, OperationFailure>
}

/**
 * Makes the dispatcher of a mode. `catalog` is the whole registry as data, so that a name which the mode does not hold is
 * refused for what it is (`tool_blocked_by_mode`) rather than as unknown.
 */
export const make = <M extends string, F extends Facade.Any, P>(
  mode: M,
  options: {
    readonly registry: Registry<F> & CheckMode<M, F, P>
    readonly runtime: Runtime.Runtime<P>
    readonly catalog: Registry.Any
    /** The call that leaves the mode, for refusals. */
    readonly leave?: FollowUpData
  }
): Dispatcher => {
  const registry: Registry<F> = options.registry
  return {
    mode,
    registry,
    call: (request) =>
      Effect.suspend(() => {
        const known = options.catalog.facade(request.facade)
        if (known === undefined) return Effect.fail(unknownTool(request.facade, registry))
        const held = registry.facade(request.facade)
        const selected = select(known, request.args)
        const blocked = (operation?: string) =>
          Effect.fail(
            failure(
              "tool_blocked_by_mode",
              `${request.facade}${operation === undefined ? "" : `.${operation}`} is not served in ${mode}: its effect is ${known.effect}`,
              {
                failure_stage: "admission",
                data: {
                  tool: request.facade,
                  ...(operation === undefined ? {} : { operation }),
                  effect: known.effect,
                  mode
                },
                recovery: options.leave
              }
            )
          )
        if (held === undefined) return blocked()
        if (selected._tag === "Left") return Effect.fail(selected.left)
        const { args, operation } = selected.right
        const found = registry.lookup(request.facade, operation.name)
        if (found === undefined) return blocked(operation.name)
        return Effect.provide(found.run(args) as Effect.Effect<Outcome, OperationFailure, P>, options.runtime)
      })
  }
}
