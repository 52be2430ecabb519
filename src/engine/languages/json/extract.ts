import type { Extract } from "../Language.ts"
import { keyDepth, keyLimit } from "../outline/Lines.ts"
import { Tokens } from "../outline/Tokens.ts"
import { kindNumber } from "../Vocabulary.ts"

export const extract: Extract = (builder) => {
  const t = new Tokens(builder, {
    lineComments: ["//"],
    blockComments: true,
    quotes: "\"'",
    wordExtra: "$+-."
  })
  /** Open brackets: 123 for an object, 91 for a list. */
  const open: Array<number> = []
  /** Depth of brackets at which each open key was read. */
  const keys: Array<number> = []
  let objects = 0
  let count = 0

  const closeKeys = () => {
    while (keys.length > 0 && keys[keys.length - 1]! >= open.length) {
      builder.closeDefinition(t.before)
      keys.pop()
    }
  }

  while (!t.done && count < keyLimit) {
    if (t.is(123) || t.is(91)) {
      if (open.length >= 64) {
        t.skipGroup()
        continue
      }
      open.push(t.byte)
      if (t.is(123)) objects++
      t.next()
    } else if (t.is(125) || t.is(93)) {
      closeKeys()
      if (open.pop() === 123) objects--
      t.next()
    } else if (t.is(44)) {
      closeKeys()
      t.next()
    } else if ((t.isString || t.isWord) && open[open.length - 1] === 123) {
      const { end, name, nameStart, start } = t
      t.next()
      if (!t.is(58)) continue
      closeKeys()
      if (objects <= keyDepth && keys.length < keyDepth && !open.includes(91)) {
        const definition = builder.openDefinition(kindNumber.key, name, nameStart, start)
        let stop = end
        while (stop < t.length && stop < end + 240 && t.bytes[stop] !== 10) stop++
        while (stop > end && (t.bytes[stop - 1]! <= 32 || t.bytes[stop - 1] === 44)) stop--
        builder.setSignature(definition, start, stop)
        keys.push(open.length)
        count++
      }
      t.next()
    } else t.next()
  }
  while (keys.length > 0) {
    builder.closeDefinition(t.before)
    keys.pop()
  }
}
