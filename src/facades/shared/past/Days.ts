/** Times of history as answers show them. */
import { Clock, Effect } from "effect"

/** Now, in whole seconds since 1970. */
export const nowSeconds: Effect.Effect<number> = Effect.map(Clock.currentTimeMillis, (ms) =>
  Math.floor(ms / 1000)
)

/** ISO 8601 UTC, without fractions of a second. */
export const iso = (seconds: number): string => new Date(seconds * 1000).toISOString().replace(".000Z", "Z")

const day = 86_400

/** Whole days from one moment to another; never below 0. */
export const daysBetween = (from: number, to: number): number => Math.max(0, Math.floor((to - from) / day))
