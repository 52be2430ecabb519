import type { Extract } from "../Language.ts"
import { keyLimit, Lines } from "../outline/Lines.ts"
import { kindNumber } from "../Vocabulary.ts"

export const extract: Extract = (builder) => {
  const lines = new Lines(builder)
  const { bytes } = lines
  let section = false
  let continued = false
  let count = 0
  let end = 0
  while (lines.next() && count < keyLimit) {
    const skip = continued
    continued = !lines.blank && bytes[lines.trimmed - 1] === 92
    const { text } = lines
    const c = bytes[text]
    if (lines.blank || (!skip && (c === 35 || c === 59 || c === 33))) {
      continued = false
      continue
    }
    if (skip) {
      end = lines.trimmed
      continue
    }
    if (c === 91) {
      const close = lines.find(93, text + 1)
      if (close > text + 1) {
        if (section) builder.closeDefinition(end)
        const definition = builder.openDefinition(
          kindNumber.key,
          builder.name(text + 1, close),
          text + 1,
          text
        )
        builder.setSignature(definition, text, close + 1)
        section = true
        count++
        end = close + 1
        continue
      }
    }
    let start = text
    // `export NAME=value` of environment files.
    if (lines.end - text > 7 && builder.name(text, text + 7) === builder.nameOf("export ")) start = text + 7
    let p = start
    while (p < lines.end && bytes[p] !== 61 && bytes[p] !== 58) p++
    let stop = p
    while (stop > start && bytes[stop - 1]! <= 32) stop--
    if (p < lines.end && stop > start) {
      const definition = builder.define(kindNumber.key, builder.name(start, stop), start, text, lines.trimmed)
      builder.setSignature(definition, text, lines.trimmed)
      count++
    }
    end = lines.trimmed
  }
  if (section) builder.closeDefinition(end)
}
