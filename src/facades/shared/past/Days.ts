/** Times of history as answers show them. */
import { Clock, Effect } from "effect"

/** Now, in whole seconds since 1970. */
export const nowSeconds: Effect.Effect<number> = Effect.map(Clock.currentTimeMillis, (ms) =>
  Math.floor(ms / 1000)
)

/** ISO 8601 UTC, without fractions of a second. */
export const iso = (seconds: number): string => new Date(seconds * 1000).toISOString().replace(".000Z", "Z")

const day = 86_400
const units: { readonly [letter: string]: number } = { s: 1, m: 60, h: 3600, d: day, w: 7 * day }
/** How {@link momentOf} wants a span written. */
export const spanExamples = "30m, 168h, 7d or 2w"

/**
 * Whole seconds since 1970 of an ISO 8601 time, or of a span before `now`, such as {@link spanExamples}; undefined when
 * the words are neither. A span that reaches further back begins with 1970.
 */
export const momentOf = (words: string, now: number): number | undefined => {
  const text = words.trim()
  const span = /^(\d+(?:\.\d+)?)\s*([smhdw])$/i.exec(text)
  if (span !== null) return Math.max(0, Math.floor(now - Number(span[1]) * units[span[2]!.toLowerCase()]!))
  if (!/^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/.test(text))
    return undefined
  const ms = Date.parse(text.replace(" ", "T"))
  return Number.isNaN(ms) ? undefined : Math.floor(ms / 1000)
}

/** Whole days from one moment to another; never below 0. */
export const daysBetween = (from: number, to: number): number => Math.max(0, Math.floor((to - from) / day))
