import type { Extract } from "../Language.ts"
import { Lines } from "../outline/Lines.ts"
import { Flag, kindNumber } from "../Vocabulary.ts"

export const extract: Extract = (builder) => {
  const lines = new Lines(builder)
  const { bytes } = lines
  let stage = false
  let continued = ""
  let end = 0

  const word = (from: number): number => {
    let p = from
    while (p < lines.end && bytes[p]! > 32) p++
    return p
  }
  const blanks = (from: number): number => {
    let p = from
    while (p < lines.end && bytes[p]! <= 32) p++
    return p
  }
  const upper = (from: number, to: number): string => {
    let text = ""
    for (let p = from; p < to && p < from + 16; p++)
      text += String.fromCharCode(bytes[p]! & ~(bytes[p]! >= 97 && bytes[p]! <= 122 ? 32 : 0))
    return text
  }
  /** `KEY=value KEY=value`, or `KEY value` and `KEY` alone. */
  const keys = (from: number, several: boolean) => {
    let p = from
    for (;;) {
      p = blanks(p)
      if (p >= lines.end || bytes[p] === 92) return
      const start = p
      while (p < lines.end && bytes[p]! > 32 && bytes[p] !== 61) p++
      if (p === start) return
      const equals = bytes[p] === 61
      const nameEnd = p
      if (equals) {
        p++
        const quote = bytes[p]
        if (quote === 34 || quote === 39) {
          p++
          while (p < lines.end && bytes[p] !== quote) p += bytes[p] === 92 ? 2 : 1
          p = Math.min(p + 1, lines.end)
        }
        while (p < lines.end && bytes[p]! > 32) p += bytes[p] === 92 ? 2 : 1
        p = Math.min(p, lines.end)
      }
      const definition = builder.define(
        kindNumber.key,
        builder.name(start, nameEnd),
        start,
        start,
        equals ? p : lines.trimmed
      )
      builder.setSignature(definition, start, equals ? p : lines.trimmed)
      if (!several || !equals) return
    }
  }

  while (lines.next()) {
    const { text } = lines
    if (lines.blank || bytes[text] === 35) continue
    let from = text
    let instruction = continued
    if (instruction === "") {
      const to = word(text)
      instruction = upper(text, to)
      from = blanks(to)
      if (instruction === "FROM") {
        if (stage) builder.closeDefinition(end)
        while (bytes[from] === 45 && bytes[from + 1] === 45) from = blanks(word(from))
        let nameStart = from
        let nameEnd = word(from)
        const as = blanks(nameEnd)
        if (upper(as, word(as)) === "AS" && blanks(word(as)) < lines.end) {
          nameStart = blanks(word(as))
          nameEnd = word(nameStart)
        }
        stage = nameEnd > nameStart
        if (stage) {
          const name = builder.name(nameStart, nameEnd)
          const definition = builder.openDefinition(kindNumber.stage, name, nameStart, text, Flag.exported)
          builder.bindDefinition(name, definition)
          builder.setSignature(definition, text, lines.trimmed)
        }
      }
    }
    if (instruction === "ENV") keys(from, true)
    else if (instruction === "ARG") keys(from, true)
    continued = bytes[lines.trimmed - 1] === 92 ? instruction : ""
    end = lines.trimmed
  }
  if (stage) builder.closeDefinition(end)
}
