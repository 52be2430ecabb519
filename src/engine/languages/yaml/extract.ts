import type { Extract } from "../Language.ts"
import { keyDepth, keyLimit, Lines } from "../outline/Lines.ts"
import { kindNumber } from "../Vocabulary.ts"

export const extract: Extract = (builder) => {
  const lines = new Lines(builder)
  const { bytes } = lines
  /** Columns of the keys around the current line, and whether each has a definition. */
  const columns: Array<number> = []
  const defined: Array<boolean> = []
  let count = 0
  let end = 0
  // Lines indented deeper than this belong to a block scalar; -1 outside.
  let scalar = -1

  const closeTo = (column: number) => {
    while (columns.length > 0 && columns[columns.length - 1]! >= column) {
      if (defined.pop() === true) builder.closeDefinition(end)
      columns.pop()
    }
  }

  while (lines.next() && count < keyLimit) {
    if (lines.blank) continue
    if (scalar >= 0) {
      if (lines.indent > scalar) {
        end = lines.trimmed
        continue
      }
      scalar = -1
    }
    let p = lines.text
    const c = bytes[p]!
    if (c === 35 || c === 37) continue
    if (
      lines.indent === 0 &&
      ((c === 45 && bytes[p + 1] === 45 && bytes[p + 2] === 45) ||
        (c === 46 && bytes[p + 1] === 46 && bytes[p + 2] === 46))
    ) {
      closeTo(0)
      continue
    }
    // `- ` opens an entry whose keys stand deeper.
    while (bytes[p] === 45 && p + 1 < lines.end && bytes[p + 1]! <= 32) {
      closeTo(p - lines.start + 1)
      p++
      while (p < lines.end && bytes[p]! <= 32) p++
    }
    if (p >= lines.end) continue
    const start = p
    let nameStart = p
    let nameEnd = -1
    let colon = -1
    const q = bytes[p]!
    if (q === 34 || q === 39) {
      p++
      while (p < lines.end && bytes[p] !== q) p += bytes[p] === 92 && q === 34 ? 2 : 1
      nameStart = start + 1
      nameEnd = Math.min(p, lines.end)
      p++
      while (p < lines.end && bytes[p]! <= 32) p++
      if (p < lines.end && bytes[p] === 58 && (p + 1 >= lines.end || bytes[p + 1]! <= 32)) colon = p
    } else if (q !== 123 && q !== 91 && q !== 42 && q !== 38 && q !== 33 && q !== 63) {
      for (; p < lines.end; p++) {
        const d = bytes[p]!
        if (d === 58 && (p + 1 >= lines.end || bytes[p + 1]! <= 32)) {
          colon = p
          break
        }
        if (d === 35 && bytes[p - 1]! <= 32) break
      }
      nameEnd = colon
      while (nameEnd > nameStart && bytes[nameEnd - 1]! <= 32) nameEnd--
    }
    if (colon < 0 || nameEnd <= nameStart) {
      end = lines.trimmed
      continue
    }
    const column = start - lines.start
    closeTo(column)
    const define = columns.length < keyDepth
    if (define) {
      const definition = builder.openDefinition(
        kindNumber.key,
        builder.name(nameStart, nameEnd),
        nameStart,
        start
      )
      builder.setSignature(definition, start, lines.trimmed)
      count++
    }
    columns.push(column)
    defined.push(define)
    end = lines.trimmed
    let v = colon + 1
    while (v < lines.end && bytes[v]! <= 32) v++
    // A tag or anchor may stand before the block scalar's sign.
    while (v < lines.end && (bytes[v] === 38 || bytes[v] === 33)) {
      while (v < lines.end && bytes[v]! > 32) v++
      while (v < lines.end && bytes[v]! <= 32) v++
    }
    if (v < lines.end && (bytes[v] === 124 || bytes[v] === 62)) scalar = column
  }
  closeTo(0)
}
