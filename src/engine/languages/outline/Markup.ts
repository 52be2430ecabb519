/**
 * Tags of HTML-like text one after another, with the raw content of scripts and styles skipped.
 */
import type { FactsBuilder } from "../FactsBuilder.ts"

export interface Tag {
  readonly start: number
  /** After the `>`. */
  end: number
  readonly nameStart: number
  readonly nameEnd: number
  readonly closing: boolean
  /** Value of the `id` attribute; -1 without. */
  idStart: number
  idEnd: number
}

const isNameByte = (c: number) =>
  c === 45 ||
  c === 46 ||
  c === 58 ||
  c === 95 ||
  c > 127 ||
  (c >= 48 && c <= 57) ||
  (c >= 65 && c <= 90) ||
  (c >= 97 && c <= 122)
const lower = (c: number) => (c >= 65 && c <= 90 ? c + 32 : c)

/** Whether the bytes from `at` on are the word, given in lower case, in any case. */
export const saysAt = (bytes: Uint8Array, at: number, word: string): boolean => {
  for (let i = 0; i < word.length; i++)
    if (at + i >= bytes.length || lower(bytes[at + i]!) !== word.charCodeAt(i)) return false
  return true
}

/** Where the closing tag of a raw element starts; the end of the text when it has none. */
export const closingTag = (bytes: Uint8Array, from: number, name: string): number => {
  for (let p = from; p < bytes.length; p++) {
    if (bytes[p] === 60 && bytes[p + 1] === 47 && saysAt(bytes, p + 2, name)) return p
  }
  return bytes.length
}

/** Visits every tag in source order. `raw` receives the name and content of scripts and styles. */
export const visitTags = (
  builder: FactsBuilder,
  visit: (tag: Tag) => void,
  raw: (name: string, from: number, to: number) => void = () => undefined
): void => {
  const { bytes } = builder.source
  const length = bytes.length
  let p = 0
  while (p < length) {
    if (bytes[p] !== 60) {
      p++
      continue
    }
    if (bytes[p + 1] === 33) {
      if (bytes[p + 2] === 45 && bytes[p + 3] === 45) {
        p += 4
        while (p < length && !(bytes[p] === 45 && bytes[p + 1] === 45 && bytes[p + 2] === 62)) p++
        p += 3
      } else p += 2
      continue
    }
    const start = p
    const closing = bytes[p + 1] === 47
    const nameStart = p + (closing ? 2 : 1)
    const c = nameStart < length ? lower(bytes[nameStart]!) : 0
    if (c < 97 || c > 122) {
      p++
      continue
    }
    let nameEnd = nameStart
    while (nameEnd < length && isNameByte(bytes[nameEnd]!)) nameEnd++
    const tag: Tag = { start, end: length, nameStart, nameEnd, closing, idStart: -1, idEnd: -1 }
    p = nameEnd
    while (p < length && bytes[p] !== 62) {
      const d = bytes[p]!
      if (d === 34 || d === 39) {
        p++
        while (p < length && bytes[p] !== d) p++
        p++
      } else if (
        lower(d) === 105 &&
        lower(bytes[p + 1] ?? 0) === 100 &&
        bytes[p + 2] === 61 &&
        bytes[p - 1]! <= 32
      ) {
        let q = p + 3
        const quote = bytes[q]
        if (quote === 34 || quote === 39) {
          tag.idStart = ++q
          while (q < length && bytes[q] !== quote) q++
          tag.idEnd = Math.min(q, length)
          p = q + 1
        } else {
          tag.idStart = q
          while (q < length && bytes[q]! > 32 && bytes[q] !== 62) q++
          tag.idEnd = q
          p = q
        }
      } else p++
    }
    p = Math.min(p + 1, length)
    tag.end = p
    visit(tag)
    if (closing) continue
    for (const name of rawElements) {
      if (nameEnd - nameStart !== name.length || !saysAt(bytes, nameStart, name)) continue
      const end = closingTag(bytes, p, name)
      raw(name, p, end)
      p = end
    }
  }
}
const rawElements = ["script", "style"]
