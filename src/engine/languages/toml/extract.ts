import type { Extract } from "../Language.ts"
import { keyLimit, Lines } from "../outline/Lines.ts"
import { kindNumber } from "../Vocabulary.ts"

export const extract: Extract = (builder) => {
  const lines = new Lines(builder)
  const { bytes } = lines
  let table = false
  let count = 0
  let end = 0
  // What a value that spans lines waits for: three quotes, or the brackets still open.
  let quote = 0
  let brackets = 0

  /** Follows a value from `from` to the end of the line. */
  const value = (from: number) => {
    let p = from
    while (p < lines.end) {
      const c = bytes[p]!
      if (quote !== 0) {
        if (c === 92 && quote === 34) p++
        else if (c === quote && bytes[p + 1] === quote && bytes[p + 2] === quote) {
          quote = 0
          p += 2
        }
      } else if (c === 35) return
      else if (c === 34 || c === 39) {
        if (bytes[p + 1] === c && bytes[p + 2] === c) {
          quote = c
          p += 2
        } else {
          p++
          while (p < lines.end && bytes[p] !== c) p += bytes[p] === 92 && c === 34 ? 2 : 1
        }
      } else if (c === 91 || c === 123) brackets++
      else if (c === 93 || c === 125) brackets = Math.max(0, brackets - 1)
      p++
    }
  }
  const named = (from: number, to: number) => {
    let start = from
    let stop = to
    while (stop > start && bytes[stop - 1]! <= 32) stop--
    while (start < stop && bytes[start]! <= 32) start++
    if (
      stop - start >= 2 &&
      (bytes[start] === 34 || bytes[start] === 39) &&
      bytes[stop - 1] === bytes[start]
    ) {
      start++
      stop--
    }
    return { start, stop }
  }

  while (lines.next() && count < keyLimit) {
    if (quote !== 0 || brackets > 0) {
      value(lines.start)
      end = lines.trimmed
      continue
    }
    if (lines.blank || bytes[lines.text] === 35) continue
    const { text } = lines
    if (bytes[text] === 91) {
      const double = bytes[text + 1] === 91 ? 2 : 1
      const close = lines.find(93, text + double)
      if (close < 0) {
        builder.addParseError()
        continue
      }
      if (table) builder.closeDefinition(end)
      const { start, stop } = named(text + double, close)
      table = stop > start
      if (table) {
        const definition = builder.openDefinition(kindNumber.key, builder.name(start, stop), start, text)
        builder.setSignature(definition, text, close + double)
        count++
      }
      end = close + double
      continue
    }
    let equals = text
    let inside = 0
    while (equals < lines.end && (inside !== 0 || bytes[equals] !== 61)) {
      const c = bytes[equals]!
      if (inside === 0 ? c === 34 || c === 39 : c === inside) inside = inside === 0 ? c : 0
      equals++
    }
    if (equals >= lines.end) {
      builder.addParseError()
      continue
    }
    const { start, stop } = named(text, equals)
    if (stop > start) {
      const definition = builder.define(kindNumber.key, builder.name(start, stop), start, text, lines.trimmed)
      builder.setSignature(definition, text, lines.trimmed)
      count++
    }
    value(equals + 1)
    end = lines.trimmed
  }
  if (table) builder.closeDefinition(end)
}
