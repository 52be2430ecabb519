import * as F from "../../registry/Fields.ts"

/** Lines shown before and after a symbol. */
export const contextLines = F.clamped({ min: 0, max: 200, default: 3 })
/** Bodies replaced by a stub that tells their length. */
export const compressBodies = F.withDefault(F.described(F.flag, "replace bodies by a stub"), false)
/** Symbols or kinds whose bodies stay. */
export const keep = F.optional(F.described(F.csv, "symbols or kinds whose bodies stay"))
/** Ordered rules, the first that fits a path wins. */
export const fidelityGlobs = F.optional(
  F.described(F.csv, "ordered glob:full, glob:compress or glob:omit rules")
)
/** Lines above which leaf statements are folded; 0 for never. */
export const maxLines = F.described(
  F.clamped({ min: 0, max: 100_000, default: 0 }),
  "fold leaf statements above so many lines; 0 for never"
)
/** Show values that look like secrets. */
export const allowSecrets = F.withDefault(F.described(F.flag, "show values that look like secrets"), false)

/** Fields of a window of lines; {@link window} reads them. */
export const windowFields = {
  offset: F.optional(
    F.aliased(
      F.described(F.integer(), "first line, 1-based"),
      "start",
      "start_line",
      "window.offset",
      "options.window.offset",
      "context.window.offset"
    )
  ),
  limit: F.aliased(
    F.described(F.clamped({ min: 0, max: 100_000 }), "number of lines; 0 for all that follow"),
    "window.limit",
    "options.window.limit",
    "context.window.limit"
  ),
  end: F.optional(F.aliased(F.described(F.integer(), "last line, in place of limit"), "end_line")),
  line: F.optional(
    F.aliased(
      F.described(F.integer(), "this line alone, or the first of limit lines"),
      "window.line",
      "options.window.line",
      "context.window.line"
    )
  )
}
/** Which of the window's fields exclude each other. */
export const windowRules = {
  atMostOne: [
    ["options.offset", "options.line"],
    ["options.limit", "options.end"],
    ["options.end", "options.line"]
  ]
} satisfies F.Rules

/** Lines asked for: the first, 1-based, and how many; undefined for all that follow. */
export interface Window {
  readonly start: number
  readonly count: number | undefined
}

/** The window a call asks for; undefined for the whole file. A start before the file means its first line. */
export const window = (options: {
  readonly offset?: number
  readonly limit?: number
  readonly end?: number
  readonly line?: number
}): Window | undefined => {
  const { end, limit, line, offset } = options
  if (end === undefined && line === undefined && offset === undefined && (limit ?? 0) === 0) return undefined
  const start = Math.max(1, line ?? offset ?? 1)
  if (end !== undefined) return { start, count: Math.max(start, end) - start + 1 }
  if (limit !== undefined && limit > 0) return { start, count: limit }
  return { start, count: line === undefined || limit === 0 ? undefined : 1 }
}
