import { createHash } from "node:crypto"

/** Any JSON value. */
export type Json = null | boolean | number | string | ReadonlyArray<Json> | JsonRecord
export interface JsonRecord {
  readonly [key: string]: Json
}

export type UnknownRecord = { readonly [key: string]: unknown }

/** A plain object: neither null nor an array. */
export const isRecord = (value: unknown): value is UnknownRecord =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Structural equality of JSON values; the order of keys means nothing. */
export const equal = (left: unknown, right: unknown): boolean => {
  if (Object.is(left, right)) return true
  if (Array.isArray(left)) {
    return (
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((value, at) => equal(value, right[at]))
    )
  }
  if (!isRecord(left) || !isRecord(right)) return false
  const keys = Object.keys(left)
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && equal(left[key], right[key]))
  )
}

/** JSON text with keys sorted at every depth, and with the arrays of a JSON Schema whose order means nothing sorted. */
export const canonical = (value: unknown, within = ""): string => {
  if (Array.isArray(value)) {
    const parts = value.map((item) => canonical(item))
    return `[${(within === "required" || within === "enum" ? parts.sort() : parts).join(",")}]`
  }
  if (isRecord(value)) {
    const keys = Object.keys(value)
      .filter((key) => value[key] !== undefined)
      .sort()
    return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key], key)}`).join(",")}}`
  }
  return JSON.stringify(value) ?? "null"
}

/** Hex SHA-256 of the canonical text. */
export const hash = (value: unknown): string => createHash("sha256").update(canonical(value)).digest("hex")

/** Size of the JSON text in UTF-8 bytes. */
export const byteLength = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? "", "utf8")

/** Levels of objects and arrays a value from outside may have. Whatever walks one recursively stays far from the end of its stack. */
export const deepest = 64

/** Whether a value has more than {@link deepest} levels. Looks no further than that. */
export const isTooDeep = (value: unknown, levels = deepest): boolean => {
  if (typeof value !== "object" || value === null) return false
  if (levels === 0) return true
  return Object.values(value).some((inner) => isTooDeep(inner, levels - 1))
}

/** A value's JSON text, cut short for a message. */
export const show = (value: unknown): string => {
  if (isTooDeep(value)) return Array.isArray(value) ? "[...]" : "{...}"
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 60 ? `${text.slice(0, 57)}...` : text
}
