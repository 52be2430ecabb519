/**
 * Calls by name. A dispatcher holds a part of the registry and the services that serve it, and nothing it holds can need
 * a service it was not given: one that does is not constructible.
 */
import { Effect, Either, type Runtime } from "effect"
import { type Facade, select } from "./Facade.ts"
import { failure, type FollowUpData, type OperationFailure } from "./Failure.ts"
import type { Decoded } from "./Input.ts"
import type { UnknownRecord } from "./Json.ts"
import { type Operation, unavailable } from "./Operation.ts"
import type { Outcome } from "./Projection.ts"
import type { Registry } from "./Registry.ts"

/** A call of one facade. */
export interface Request {
  readonly facade: string
  /** The operation, where the caller's name for the call left no choice; absent to find it in the arguments. */
  readonly operation?: Operation.Any | undefined
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

/** A call whose operation is known and whose arguments are decoded; nothing of it has run. */
export interface Prepared {
  readonly operation: Operation.Any
  readonly decoded: Decoded
  /** Why this mode does not serve the operation; undefined when it does. */
  readonly blocked: OperationFailure | undefined
  /** Performs the call. Fails with `blocked` where there is one. */
  readonly run: Effect.Effect<Outcome, OperationFailure>
}

export interface Dispatcher {
  readonly mode: string
  readonly registry: Registry.Any
  /** Finds the operation of a call and decodes its arguments. */
  readonly prepare: (request: Request) => Either.Either<Prepared, OperationFailure>
  /** Prepares and runs. */
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
  const blockedBy = (operation: Operation.Any): OperationFailure =>
    failure(
      "tool_blocked_by_mode",
      `${operation.facade}.${operation.name} is not served in ${mode}: its effect is ${operation.effect}`,
      {
        field: "operation",
        failure_stage: "admission",
        data: { tool: operation.facade, operation: operation.name, effect: operation.effect, mode },
        recovery: options.leave
      }
    )
  const prepare = (request: Request): Either.Either<Prepared, OperationFailure> => {
    const facade = options.catalog.facade(request.facade)
    if (facade === undefined) return Either.left(unknownTool(request.facade, registry))
    const selected =
      request.operation === undefined
        ? select(facade, request.args)
        : Either.right({ operation: request.operation, args: request.args })
    if (Either.isLeft(selected)) return Either.left(selected.left)
    const { args, operation } = selected.right
    const found = registry.lookup(operation.facade, operation.name)
    const blocked = found === undefined ? blockedBy(operation) : undefined
    // What is not built has no arguments to be wrong about.
    if (operation.unavailable !== undefined)
      return Either.left(blocked ?? unavailable(operation, operation.unavailable))
    const decoding = operation.decode(args)
    // Mending arguments would not help a caller whom the mode refuses anyway.
    if (blocked !== undefined && Either.isLeft(decoding)) return Either.left(blocked)
    return Either.map(decoding, (decoded) => ({
      operation,
      decoded,
      blocked,
      run:
        found === undefined
          ? Effect.fail(blockedBy(operation))
          : (Effect.suspend(() => found.perform(decoded, options.runtime.context)) as Effect.Effect<
              Outcome,
              OperationFailure
            >)
    }))
  }
  return {
    mode,
    registry,
    prepare,
    call: (request) => Effect.suspend(() => Effect.flatMap(prepare(request), ({ run }) => run))
  }
}
