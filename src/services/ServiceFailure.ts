import { Data } from "effect"

/**
 * What a service could not do, in terms its callers can act on.
 *
 * `reason` is a stable word from the failing domain (`not_found`, `conflict`, `unreachable`, …); handlers translate it
 * into a failure of their operation. `stateChanged` is absent when the service cannot tell.
 */
export class ServiceFailure extends Data.TaggedError("ServiceFailure")<{
  readonly service: string
  readonly reason: string
  readonly detail: string
  readonly stateChanged?: boolean
  readonly outcomeUnknown?: boolean
  /** The argument that cannot be served, by its published place, where the service knows it better than the handler. */
  readonly field?: string
  /** More for callers, such as the words that would do. */
  readonly data?: { readonly [key: string]: unknown }
  readonly cause?: unknown
}> {
  override get message(): string {
    return `${this.service}: ${this.detail}`
  }
}
