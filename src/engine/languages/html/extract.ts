import type { Extract } from "../Language.ts"
import { visitTags } from "../outline/Markup.ts"
import { Flag, kindNumber } from "../Vocabulary.ts"

const limit = 2000

export const extract: Extract = (builder) => {
  const { bytes } = builder.source
  const seen = new Set<number>()
  let count = 0
  visitTags(builder, (tag) => {
    if (tag.closing || count >= limit) return
    if (tag.idStart >= 0 && tag.idEnd > tag.idStart) {
      const definition = builder.define(
        kindNumber.element,
        builder.name(tag.idStart, tag.idEnd),
        tag.idStart,
        tag.start,
        tag.end,
        Flag.exported
      )
      builder.setSignature(definition, tag.start, tag.end)
      count++
    }
    // A name with a hyphen is a custom element: listed once.
    let p = tag.nameStart
    while (p < tag.nameEnd && bytes[p] !== 45) p++
    if (p === tag.nameEnd) return
    const name = builder.name(tag.nameStart, tag.nameEnd)
    if (seen.has(name)) return
    seen.add(name)
    const definition = builder.define(kindNumber.element, name, tag.nameStart, tag.start, tag.end)
    builder.setSignature(definition, tag.start, tag.end)
    count++
  })
}
