/** How long the JSON text of a row is, told without making it: pages measure each row, and most throw the text away. */

/** What a JSON text escapes, or writes in more than one byte. */
const escaped = /[^\x20\x21\x23-\x5b\x5d-\x7e]/

const textBytes = (text: string): number =>
  escaped.test(text) ? Buffer.byteLength(JSON.stringify(text), "utf8") : text.length + 2

const numberBytes = (value: number): number => {
  if (!Number.isInteger(value) || value < 0 || value >= 1e6) return JSON.stringify(value).length
  return value < 10 ? 1 : value < 100 ? 2 : value < 1000 ? 3 : value < 10_000 ? 4 : value < 100_000 ? 5 : 6
}

/** Rows have few keys, and the same ones. */
const keys = new Map<string, number>()
const mostKeys = 1000
const keyBytes = (key: string): number => {
  let known = keys.get(key)
  if (known === undefined) {
    known = textBytes(key) + 1
    if (keys.size < mostKeys) keys.set(key, known)
  }
  return known
}

/** Size of the JSON text of plain data in UTF-8 bytes. */
export const byteLength = (value: unknown): number => {
  if (typeof value === "string") return textBytes(value)
  if (typeof value === "number") return numberBytes(value)
  if (value === null) return 4
  if (typeof value === "boolean") return value ? 4 : 5
  if (Array.isArray(value)) {
    let bytes = value.length === 0 ? 2 : value.length + 1
    for (let i = 0; i < value.length; i++) {
      const inner: unknown = value[i]
      bytes +=
        inner === undefined || typeof inner === "function" || typeof inner === "symbol"
          ? 4
          : byteLength(inner)
    }
    return bytes
  }
  if (typeof value === "object" && Object.getPrototypeOf(value) === Object.prototype) {
    let bytes = 1
    for (const key in value) {
      const inner = (value as { readonly [key: string]: unknown })[key]
      if (inner === undefined || typeof inner === "function" || typeof inner === "symbol") continue
      bytes += keyBytes(key) + byteLength(inner) + 1
    }
    return bytes === 1 ? 2 : bytes
  }
  return Buffer.byteLength(JSON.stringify(value) ?? "", "utf8")
}
