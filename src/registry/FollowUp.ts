/**
 * The next call, as data that can be sent unchanged. A follow-up is made against the registry, so its arguments are those
 * of the operation as it is now.
 */
import { Either } from "effect"
import { select } from "./Facade.ts"
import { failure, type FollowUpData, type OperationFailure } from "./Failure.ts"
import type { Registry } from "./Registry.ts"

export type { FollowUpData } from "./Failure.ts"

/** A draft of a follow-up, for handlers, which do not see the registry. {@link check} is applied before it leaves. */
export const draft = (
  kind: FollowUpData["follow_up_kind"],
  tool: string,
  args: FollowUpData["arguments"]
): FollowUpData => ({ follow_up_kind: kind, tool, arguments: args })

/** What else is known about the situation a follow-up is offered in. */
export interface Situation {
  /** The effect of the failed call is in doubt: only looking is safe. */
  readonly outcomeUnknown?: boolean
  /** Preflight proved that nothing was written and that the guards still hold. */
  readonly retryProven?: boolean
}

/**
 * Validates a follow-up against the target operation's current schema and the facade's advertised shape. A write is never
 * mechanically followable unless the retry is proven safe, and never follows an unknown outcome.
 */
export const check = (
  registry: Registry.Any,
  followUp: FollowUpData,
  situation: Situation = {}
): Either.Either<FollowUpData, OperationFailure> => {
  const refuse = (why: string, cause?: OperationFailure) =>
    Either.left(
      failure("internal", `follow-up to ${followUp.tool} ${why}`, {
        failure_stage: "project",
        reason_code: "invalid_follow_up",
        data: {
          tool: followUp.tool,
          ...(cause === undefined ? {} : { cause: cause.message, field: cause.field })
        }
      })
    )
  const facade = registry.facade(followUp.tool)
  if (facade === undefined) return refuse("names no tool")
  const advertised = new Set([facade.discriminator, ...Object.keys(facade.envelope.properties)])
  const stray = Object.keys(followUp.arguments).find((name) => !advertised.has(name))
  if (stray !== undefined) return refuse(`sends ${stray}, which the tool does not advertise`)
  const selected = select(facade, followUp.arguments)
  if (Either.isLeft(selected)) return refuse("names no operation", selected.left)
  const decoded = selected.right.operation.decode(selected.right.args)
  if (Either.isLeft(decoded)) return refuse("does not fit the operation", decoded.left)
  const writes = facade.effect !== "read"
  if (writes && situation.outcomeUnknown === true)
    return refuse("would write while an earlier outcome is unknown")
  if (writes && followUp.follow_up_kind === "mechanically_followable" && situation.retryProven !== true) {
    return refuse("would write without proof that a retry is safe")
  }
  return Either.right(followUp)
}

/** Makes a checked follow-up. */
export const make = (
  registry: Registry.Any,
  followUp: {
    readonly kind: FollowUpData["follow_up_kind"]
    readonly tool: string
    readonly arguments: FollowUpData["arguments"]
  },
  situation: Situation = {}
): Either.Either<FollowUpData, OperationFailure> =>
  check(registry, draft(followUp.kind, followUp.tool, followUp.arguments), situation)
