/**
 * The last step of an answer: paging, row fields, the byte budget, text. Pure. Whatever is left out is said, each cause
 * by its own name.
 */
import { Either } from "effect"
import type { Answer } from "./Answer.ts"
import * as Cursor from "./Cursor.ts"
import { failure, type OperationFailure } from "./Failure.ts"
import { byteLength, isRecord, type UnknownRecord } from "./Json.ts"
import type { Controls } from "./Output.ts"

/** What other servers answered the same call with. */
export interface Elsewhere {
  /** Rows by the list of the answer they belong to, each with its `origin`. They follow the page of this server's rows. */
  readonly lists: { readonly [list: string]: ReadonlyArray<UnknownRecord> }
  /** Whole answers, for an answer without a list. */
  readonly answers: ReadonlyArray<UnknownRecord>
  /** How asking each came out. */
  readonly peers: ReadonlyArray<UnknownRecord>
}

/** A finished call before its projection. */
export interface Outcome {
  readonly facade: string
  readonly operation: string
  /** Canonical tool behind the operation. */
  readonly tool: string
  readonly answer: Answer<UnknownRecord>
  readonly controls: Controls
  readonly position: Cursor.Position
  /** What a cursor is bound to; made when one is. */
  readonly fingerprint: () => string
  /** Makes the text of a format other than JSON, if it can in at most so many bytes. */
  readonly render: ((value: UnknownRecord, bytes?: number) => string) | undefined
  /** Values used in place of the ones asked for, by published path; present only when there are any. */
  readonly effective?: { readonly [path: string]: unknown }
  readonly elsewhere?: Elsewhere | undefined
  /** How the input was brought into form. */
  readonly input_normalization?: { readonly code: string; readonly hint: string }
}

/** What goes back to the caller. */
export interface Projected {
  readonly value: UnknownRecord
  /** The value in the text format asked for; absent for JSON. */
  readonly text?: string
  /** The value's compact JSON, where measuring it made that. */
  readonly json?: string
  /** That, where it is the JSON of the whole answer. */
  readonly whole?: string
  /** Whether any cause left anything out. */
  readonly truncated: boolean
}

type Draft = { [key: string]: unknown }

const keep = (rows: ReadonlyArray<unknown>, fields: ReadonlyArray<string>): ReadonlyArray<unknown> =>
  rows.map((row) =>
    isRecord(row)
      ? Object.fromEntries(fields.filter((name) => Object.hasOwn(row, name)).map((name) => [name, row[name]]))
      : row
  )

/** Longest prefix whose JSON fits into the bytes, at least `least` items. */
const prefix = (rows: ReadonlyArray<unknown>, bytes: number, least: number): number => {
  let used = 2
  let count = 0
  for (const row of rows) {
    used += byteLength(row) + (count === 0 ? 0 : 1)
    if (used > bytes && count >= least) break
    count++
  }
  return count
}

/** The longest prefix of a text whose JSON fits into the bytes, at the end of a line when there is one. */
const cut = (text: string, bytes: number): string => {
  let low = 0
  let high = text.length
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (byteLength(text.slice(0, middle)) <= bytes) low = middle
    else high = middle - 1
  }
  // Never between the halves of a surrogate pair.
  const code = text.charCodeAt(low - 1)
  if (low > 0 && low < text.length && code >= 0xd800 && code <= 0xdbff) low--
  const line = text.lastIndexOf("\n", low - 1)
  return text.slice(0, line > 0 ? line + 1 : low)
}

const room = 160

/** Shortens the longest lists, then the longest texts, until the value fits. Answers whether it cut anything. */
const trim = (value: Draft, budget: number, paged: string | undefined): boolean => {
  const tried = new Set<string>()
  let trimmed = false
  for (;;) {
    const over = byteLength(value) - budget
    if (over <= 0) return trimmed
    const lists = Object.entries(value).filter(
      ([key, list]) => Array.isArray(list) && list.length > 0 && !tried.has(key)
    ) as Array<[string, ReadonlyArray<unknown>]>
    const texts = Object.entries(value).filter(
      ([key, text]) => typeof text === "string" && text.length > 64 && !tried.has(key)
    ) as Array<[string, string]>
    const longest = (entries: ReadonlyArray<readonly [string, unknown]>) =>
      entries.reduce<readonly [string, number] | undefined>((best, [key, inner]) => {
        const size = byteLength(inner)
        return best === undefined || size > best[1] ? [key, size] : best
      }, undefined)
    const list = longest(lists)
    if (list !== undefined) {
      const [key, size] = list
      tried.add(key)
      const rows = value[key] as ReadonlyArray<unknown>
      // One row of the paged list always stays, so that following the cursor makes progress.
      const count = prefix(rows, Math.max(2, size - over - room), key === paged ? 1 : 0)
      if (count < rows.length) {
        value[key] = rows.slice(0, count)
        value["_truncated_by_budget"] = true
        value[`_max_returned_${key}`] = count
        value[`_original_count_${key}`] = rows.length
        trimmed = true
      }
      continue
    }
    const text = longest(texts)
    if (text === undefined) {
      value["_truncated_by_budget"] = true
      value["_over_budget_bytes"] = over
      return true
    }
    const [key, size] = text
    tried.add(key)
    const whole = value[key] as string
    const part = cut(whole, Math.max(2, size - over - room))
    value[key] = part
    value["_truncated_by_budget"] = true
    value[`_returned_bytes_${key}`] = Buffer.byteLength(part)
    value[`_original_bytes_${key}`] = Buffer.byteLength(whole)
    trimmed = true
  }
}

/**
 * Projects an outcome. Fails only with `stale_continuation`, when the cursor was made over another state than the one
 * just read.
 */
export const project = (outcome: Outcome): Either.Either<Projected, OperationFailure> => {
  const { answer, controls, fingerprint, position } = outcome
  const { list, snapshot } = answer.shape
  if (position.snapshot !== undefined && snapshot !== undefined && position.snapshot !== snapshot) {
    return Either.left(
      failure(
        "stale_continuation",
        "output.cursor continues an answer over another state; start again without it",
        {
          field: "output.cursor",
          failure_stage: "project",
          state_changed: false
        }
      )
    )
  }
  const value: Draft = { ...answer.value }
  let truncated = false
  let json: string | undefined
  const whole = list === undefined ? undefined : value[list]
  let total = 0
  let start = 0
  if (list !== undefined && Array.isArray(whole)) {
    start = answer.shape.from ?? position.offset
    total = answer.shape.total ?? (answer.shape.from ?? 0) + whole.length
    const rows = answer.shape.from === undefined ? whole.slice(start) : whole
    value[list] = controls.limit === undefined ? rows : rows.slice(0, controls.limit)
  }
  if (controls.fields !== undefined) {
    const fields = controls.fields
    const shown =
      list !== undefined && Array.isArray(value[list])
        ? [list]
        : Object.keys(value).filter((key) => Array.isArray(value[key]))
    const present = new Set(
      shown.flatMap((key) =>
        (value[key] as ReadonlyArray<unknown>).flatMap((row) => (isRecord(row) ? Object.keys(row) : []))
      )
    )
    for (const key of shown) value[key] = keep(value[key] as ReadonlyArray<unknown>, fields)
    const unknown = fields.filter((name) => !present.has(name))
    if (unknown.length > 0 && present.size > 0) {
      value["_unknown_fields"] = unknown
      value["_row_fields"] = [...present]
    }
  }
  const own = list === undefined || !Array.isArray(value[list]) ? 0 : value[list].length
  if (outcome.elsewhere !== undefined) {
    const { answers, lists, peers } = outcome.elsewhere
    for (const [key, rows] of Object.entries(lists)) {
      const held = value[key]
      if (rows.length > 0) value[key] = [...(Array.isArray(held) ? held : []), ...rows]
    }
    if (answers.length > 0) value["elsewhere"] = answers
    value["peers"] = peers
  }
  /** This server's rows that are left; the others' stand behind them. */
  const mine = (): number => Math.min(own, (value[list as string] as ReadonlyArray<unknown>).length)
  if (list !== undefined && Array.isArray(value[list])) {
    // Room for what paging adds is taken before the budget is applied.
    const more = start + mine() < total
    const bytes = Buffer.byteLength((json = JSON.stringify(value)))
    const reserve = more || bytes > controls.budget ? 200 : 0
    if (bytes > controls.budget - reserve) {
      json = undefined
      if (trim(value, controls.budget - reserve, list)) truncated = true
    }
    const next = start + mine()
    if (next < total) {
      json = undefined
      truncated = true
      value["total"] ??= total
      value["next_cursor"] = Cursor.encode(
        { offset: next, ...(snapshot === undefined ? {} : { snapshot }) },
        fingerprint()
      )
    }
  } else if (Buffer.byteLength((json = JSON.stringify(value))) > controls.budget) {
    json = undefined
    if (trim(value, controls.budget, undefined)) truncated = true
  }
  const isWhole =
    controls.fields === undefined &&
    outcome.elsewhere === undefined &&
    (start === 0 || answer.shape.from !== undefined)
  const known = json === undefined ? {} : isWhole ? { json, whole: json } : { json }
  if (controls.format === "json" || outcome.render === undefined)
    return Either.right({ value, truncated, ...known })
  const text = outcome.render(value, controls.budget)
  if (Buffer.byteLength(text) <= controls.budget) return Either.right({ value, text, truncated, ...known })
  const part = cut(text, controls.budget - 80)
  const left = Buffer.byteLength(text) - Buffer.byteLength(part)
  return Either.right({
    value,
    text: `${part}${part.endsWith("\n") ? "" : "\n"}(cut by the byte budget: ${left} bytes more)\n`,
    truncated: true,
    ...known
  })
}
