import { hash as digestOf } from "node:crypto"

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

const plainKey = /^\w*$/

/** Sorted keys. Mostly they are that already, or there is one. */
const sortedKeys = (value: UnknownRecord): ReadonlyArray<string> => {
  const keys = Object.keys(value)
  for (let at = 1; at < keys.length; at++) if (keys[at]! < keys[at - 1]!) return keys.sort()
  return keys
}

/** JSON text with keys sorted at every depth, and with the arrays of a JSON Schema whose order means nothing sorted. */
export const canonical = (value: unknown, within = ""): string => {
  if (Array.isArray(value)) {
    const parts = value.map((item) => canonical(item))
    return `[${(within === "required" || within === "enum" ? parts.sort() : parts).join(",")}]`
  }
  if (!isRecord(value)) return JSON.stringify(value) ?? "null"
  let text = ""
  for (const key of sortedKeys(value)) {
    const inner = value[key]
    if (inner === undefined) continue
    text += `${text === "" ? "{" : ","}${plainKey.test(key) ? `"${key}"` : JSON.stringify(key)}:${canonical(inner, key)}`
  }
  return text === "" ? "{}" : `${text}}`
}

/** Hex SHA-256 of the canonical text. */
export const hash = (value: unknown): string => digestOf("sha256", canonical(value))

/** Bytes of what JSON writes for each ASCII character: controls and two others are escaped. */
const asciiBytes = Uint8Array.from(
  { length: 0x80 },
  (_, unit) => JSON.stringify(String.fromCharCode(unit)).length - 2
)

const textBytes = (text: string): number => {
  let bytes = 2
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 0x80) bytes += asciiBytes[unit]!
    else if (unit < 0x800) bytes += 2
    else if (unit < 0xd800 || unit > 0xdfff) bytes += 3
    else if (unit < 0xdc00 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      bytes += 4
      i++
    } else bytes += 6
  }
  return bytes
}

const numberBytes = (value: number): number => {
  if (!Number.isInteger(value) || value < 0 || value >= 1e6)
    return Number.isFinite(value) ? String(value).length : 4
  return value < 10 ? 1 : value < 100 ? 2 : value < 1000 ? 3 : value < 10_000 ? 4 : value < 100_000 ? 5 : 6
}

const arrayBytes = (values: ReadonlyArray<unknown>): number => {
  let bytes = values.length === 0 ? 2 : values.length + 1
  for (let i = 0; i < values.length; i++) bytes += memberBytes(values[i], i) || 4
  return bytes
}

const recordBytes = (record: UnknownRecord): number => {
  let bytes = 1
  for (const key in record) {
    const inner = memberBytes(record[key], key)
    if (inner > 0) bytes += textBytes(key) + inner + 2
  }
  return bytes === 1 ? 2 : bytes
}

/** Bytes of a member's value; 0 when JSON leaves it out. What is no plain data tells its text itself, which may depend on its key. */
const memberBytes = (value: unknown, key: string | number): number => {
  if (typeof value === "string") return textBytes(value)
  if (typeof value === "number") return numberBytes(value)
  if (typeof value === "boolean") return value ? 4 : 5
  if (value === null) return 4
  if (value === undefined) return 0
  if (typeof (value as UnknownRecord)["toJSON"] !== "function") {
    if (Array.isArray(value)) return arrayBytes(value)
    if (typeof value === "object" && Object.getPrototypeOf(value) === Object.prototype)
      return recordBytes(value as UnknownRecord)
  }
  const text = JSON.stringify({ [key]: value })
  return text === "{}" ? 0 : Buffer.byteLength(text, "utf8") - textBytes(String(key)) - 3
}

/** Size of the JSON text in UTF-8 bytes, 0 when there is none; told without making the text, because pages measure each of their rows. */
export const byteLength = (value: unknown): number => memberBytes(value, "")

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
