/**
 * The advertised shape of a facade. It is paid for on every turn, so it names only the frequent fields and leaves the
 * containers open; the exact schema of each operation is what validates, and capabilities hands that out.
 */
import type { JsonRecord } from "./Json.ts"

export interface Envelope {
  readonly properties: { readonly [name: string]: JsonRecord }
  readonly required?: ReadonlyArray<string>
}

const described = (schema: JsonRecord, description?: string): JsonRecord =>
  description === undefined ? schema : { ...schema, description }

/** A text field. */
export const text = (description?: string): JsonRecord => described({ type: "string" }, description)
/** A flag. */
export const flag = (description?: string): JsonRecord => described({ type: "boolean" }, description)
/** A container whose fields depend on the operation. */
export const object = (description?: string): JsonRecord => described({ type: "object" }, description)
/** A list of objects whose fields depend on the operation. */
export const objects = (description?: string): JsonRecord =>
  described({ type: "array", items: { type: "object" } }, description)
/** One of a closed set of words. */
export const choice = (...choices: ReadonlyArray<string>): JsonRecord => ({ type: "string", enum: choices })
/** A target: exactly one of the selectors. */
export const target = (
  ...selectors: ReadonlyArray<"file" | "symbol" | "symbols" | "query" | "artifact" | "repo">
): JsonRecord => ({
  type: "object",
  properties: Object.fromEntries(
    selectors.map((name) => [
      name,
      name === "symbols" ? { type: "array", items: { type: "string" } } : { type: "string" }
    ])
  ),
  minProperties: 1,
  maxProperties: 1,
  additionalProperties: false
})
