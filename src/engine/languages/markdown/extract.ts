import type { Extract } from "../Language.ts"
import { Lines } from "../outline/Lines.ts"
import { Flag, kindNumber } from "../Vocabulary.ts"

export const extract: Extract = (builder) => {
  const lines = new Lines(builder)
  const { bytes } = lines
  /** Levels of the open headings, outermost first. */
  const open: Array<number> = []
  let fence = 0
  let fenceLength = 0
  let first = true
  // The paragraph line before, for underlined headings; -1 when it cannot be one.
  let previousStart = -1
  let previousEnd = -1
  // Where the line before that paragraph line ended.
  let beforePrevious = 0
  let end = 0

  const heading = (level: number, nameStart: number, nameEnd: number, start: number, closeAt: number) => {
    while (open.length > 0 && open[open.length - 1]! >= level) {
      builder.closeDefinition(closeAt)
      open.pop()
    }
    if (nameEnd <= nameStart) return
    const name = builder.name(nameStart, Math.min(nameEnd, nameStart + 240))
    const definition = builder.openDefinition(kindNumber.heading, name, nameStart, start, Flag.exported)
    builder.setSignature(definition, start, nameEnd)
    open.push(level)
  }
  const run = (from: number, byte: number) => {
    let p = from
    while (p < lines.end && bytes[p] === byte) p++
    return p - from
  }

  while (lines.next()) {
    const { text } = lines
    const c = lines.blank ? 0 : bytes[text]!
    const wasFirst = first
    first = false
    if (fence !== 0) {
      const n = run(text, fence)
      if (
        n >= fenceLength &&
        (fence === 45 || fence === 43 ? lines.indent === 0 : true) &&
        text + n >= lines.trimmed
      )
        fence = 0
    } else if (
      wasFirst &&
      lines.indent === 0 &&
      (c === 45 || c === 43) &&
      run(text, c) === 3 &&
      text + 3 >= lines.trimmed
    ) {
      // Front matter.
      fence = c
      fenceLength = 3
    } else if (c === 0 || lines.indent > 3) {
      previousStart = -1
    } else if ((c === 96 || c === 126) && run(text, c) >= 3) {
      fence = c
      fenceLength = run(text, c)
      previousStart = -1
    } else if (
      c === 35 &&
      run(text, 35) <= 6 &&
      (text + run(text, 35) >= lines.end || bytes[text + run(text, 35)]! <= 32)
    ) {
      const level = run(text, 35)
      let from = text + level
      while (from < lines.end && bytes[from]! <= 32) from++
      let to = lines.trimmed
      let hashes = to
      while (hashes > from && bytes[hashes - 1] === 35) hashes--
      if (hashes < to && (hashes === from || bytes[hashes - 1]! <= 32)) to = hashes
      while (to > from && bytes[to - 1]! <= 32) to--
      heading(level, from, to, text, end)
      previousStart = -1
    } else if (previousStart >= 0 && (c === 61 || c === 45) && text + run(text, c) >= lines.trimmed) {
      const started = previousStart
      heading(c === 61 ? 1 : 2, started, previousEnd, started, beforePrevious)
      previousStart = -1
    } else if (c === 91) {
      // [label]: destination
      const close = lines.find(93, text + 1)
      if (close > text + 1 && bytes[close + 1] === 58 && bytes[text + 1] !== 94) {
        const definition = builder.define(
          kindNumber.label,
          builder.name(text + 1, close),
          text + 1,
          text,
          lines.trimmed
        )
        builder.setSignature(definition, text, lines.trimmed)
        previousStart = -1
      } else {
        previousStart = text
        previousEnd = lines.trimmed
        beforePrevious = end
      }
    } else if (c === 62 || c === 124 || ((c === 45 || c === 42 || c === 43) && bytes[text + 1] === 32)) {
      previousStart = -1
    } else {
      previousStart = text
      previousEnd = lines.trimmed
      beforePrevious = end
    }
    end = lines.end
  }
  while (open.length > 0) {
    builder.closeDefinition(builder.source.length)
    open.pop()
  }
}
