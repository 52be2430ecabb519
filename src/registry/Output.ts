/**
 * The output controls every operation takes, and what they mean.
 */
import * as F from "./Fields.ts"
import type { UnknownRecord } from "./Json.ts"
import { wireFormats } from "./Wire.ts"

/** Bytes an answer may have when the caller does not say. */
export const defaultBudget = 40_000
const bytesPerToken = 3.5

/** How an operation pages: rows of a page by default and at most. */
export interface Paging {
  readonly default?: number
  readonly max?: number
}

/** Output controls in effect for one call. */
export interface Controls {
  readonly format: string
  /** The call says the format itself. */
  readonly stated?: boolean
  /** Bytes the answer may have; infinite when both budgets are opted out of. */
  readonly budget: number
  /** Rows of a page; undefined for all. */
  readonly limit: number | undefined
  readonly cursor: string | undefined
  /** Keys to keep on rows; undefined for all. */
  readonly fields: ReadonlyArray<string> | undefined
}

/** The shared fields of `output`, for an operation with these further formats and this paging. */
export const fields = (formats: ReadonlyArray<string>, paging: Paging): F.Fields => {
  const max = paging.max ?? 1000
  return {
    format: F.optional(F.choice("json", ...wireFormats, ...formats)),
    max_bytes: F.described(F.clamped({ min: 0, max: 10_000_000 }), "0 for no limit"),
    max_tokens: F.clamped({ min: 0, max: 3_000_000 }),
    limit:
      paging.default === undefined
        ? F.clamped({ min: 1, max })
        : F.clamped({ min: 1, max, default: paging.default }),
    cursor: F.optional(F.text),
    fields: F.optional(F.csv)
  }
}

/** The controls a decoded input carries. `max_bytes` and `max_tokens` combine, the tighter wins, 0 opts its axis out. */
export const controls = (value: UnknownRecord): Controls => {
  const output = (value["output"] ?? {}) as { readonly [key: string]: any }
  const axes = [
    output["max_bytes"] === 0 ? Infinity : output["max_bytes"],
    output["max_tokens"] === undefined
      ? undefined
      : output["max_tokens"] === 0
        ? Infinity
        : Math.floor(output["max_tokens"] * bytesPerToken)
  ].filter((_): _ is number => _ !== undefined)
  return {
    format: output["format"] ?? "json",
    stated: output["format"] !== undefined,
    budget: axes.length === 0 ? defaultBudget : Math.min(...axes),
    limit: output["limit"],
    cursor: output["cursor"],
    fields: output["fields"]
  }
}

/** Output fields that choose how an answer is shown, not what it is about: a cursor outlives a change of these. */
export const presentation: ReadonlySet<string> = new Set(["cursor", "format", "max_bytes", "max_tokens"])
