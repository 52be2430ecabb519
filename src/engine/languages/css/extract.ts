import type { Extract } from "../Language.ts"
import { Flag, kindNumber } from "../Vocabulary.ts"

const depthLimit = 64

/**
 * Style sheets are read by statement: text up to `;`, `{` or `}`. What stands before a `{` is a selector or an
 * at-rule; what ends with `;` may declare a custom property or variable.
 */
export const extract: Extract = (builder) => {
  const { bytes } = builder.source
  const length = bytes.length
  const scss = !builder.source.path.endsWith(".css")
  /** Whether each open brace belongs to a definition. */
  const open: Array<boolean> = []
  let start = -1
  let last = -1
  let p = 0

  const word = (from: number): number => {
    let q = from
    while (
      q < length &&
      (bytes[q] === 45 ||
        bytes[q] === 95 ||
        bytes[q]! > 127 ||
        (bytes[q]! >= 48 && bytes[q]! <= 57) ||
        (bytes[q]! >= 65 && bytes[q]! <= 90) ||
        (bytes[q]! >= 97 && bytes[q]! <= 122))
    )
      q++
    return q
  }
  const blanks = (from: number): number => {
    let q = from
    while (q < length && bytes[q]! <= 32) q++
    return q
  }
  const names = {
    keyframes: ["keyframes", "-webkit-keyframes", "-moz-keyframes", "-o-keyframes"].map((n) =>
      builder.nameOf(n)
    ),
    mixin: builder.nameOf("mixin"),
    function: builder.nameOf("function"),
    property: builder.nameOf("property")
  }

  /** A declaration `--name: …`, `$name: …` or `@name: …` from `start` to `end`. */
  const declaration = (end: number) => {
    const c = bytes[start]!
    const custom = c === 45 && bytes[start + 1] === 45
    if (!custom && !(scss && (c === 36 || c === 64))) return
    const stop = word(custom ? start : start + 1)
    if (stop <= start + 1 || bytes[blanks(stop)] !== 58) return
    const name = builder.name(start, stop)
    const definition = builder.define(
      custom ? kindNumber.property : kindNumber.variable,
      name,
      start,
      start,
      end,
      Flag.exported
    )
    builder.setSignature(definition, start, end)
    if (!custom) builder.bindDefinition(name, definition, start)
  }

  const opened = () => {
    if (start < 0 || open.length >= depthLimit) {
      open.push(false)
      return
    }
    let kind: number = kindNumber.selector
    let nameStart = start
    let nameEnd = last
    if (bytes[start] === 64) {
      const stop = word(start + 1)
      const rule = builder.name(start + 1, stop)
      const from = blanks(stop)
      const to = rule === names.property ? word(from) : word(from)
      kind = names.keyframes.includes(rule)
        ? kindNumber.object
        : rule === names.mixin
          ? kindNumber.macro
          : rule === names.function
            ? kindNumber.function
            : rule === names.property
              ? kindNumber.property
              : -1
      if (kind < 0 || to <= from) {
        open.push(false)
        return
      }
      nameStart = from
      nameEnd = to
    } else if (scss && bytes[start] === 46 && bytes[last - 1] === 41 && bytes[word(start + 1)] === 40) {
      // `.name() { … }` of Less.
      kind = kindNumber.macro
      nameEnd = word(start + 1)
    }
    let q = nameStart
    let spaced = false
    while (q < nameEnd && !spaced) spaced = bytes[q++]! < 32
    const name = spaced
      ? builder.nameOf(decoder.decode(bytes.subarray(nameStart, nameEnd)).replace(/\s+/g, " "))
      : builder.name(nameStart, Math.min(nameEnd, nameStart + 400))
    const definition = builder.openDefinition(kind, name, nameStart, start, Flag.exported)
    builder.setSignature(definition, start, last)
    open.push(true)
  }

  let parentheses = 0
  while (p < length) {
    const c = bytes[p]!
    if (c <= 32) p++
    else if (c === 47 && bytes[p + 1] === 42) {
      p += 2
      while (p < length && !(bytes[p] === 42 && bytes[p + 1] === 47)) p++
      p = Math.min(p + 2, length)
    } else if (c === 47 && bytes[p + 1] === 47 && scss && parentheses === 0) {
      while (p < length && bytes[p] !== 10) p++
    } else if (c === 34 || c === 39) {
      if (start < 0) start = p
      p++
      while (p < length && bytes[p] !== c && bytes[p] !== 10) p += bytes[p] === 92 ? 2 : 1
      p = Math.min(p + 1, length)
      last = p
    } else if ((c === 35 || c === 64) && bytes[p + 1] === 123) {
      // Interpolation: `#{…}`, `@{…}`.
      if (start < 0) start = p
      while (p < length && bytes[p] !== 125 && bytes[p] !== 10) p++
      p = Math.min(p + 1, length)
      last = p
    } else if (c === 123 && parentheses === 0) {
      opened()
      start = -1
      p++
    } else if (c === 125) {
      if (start >= 0) declaration(last)
      if (open.pop() === true) builder.closeDefinition(p + 1)
      start = -1
      parentheses = 0
      p++
    } else if (c === 59 && parentheses === 0) {
      if (start >= 0) declaration(last)
      start = -1
      p++
    } else {
      if (c === 40) parentheses++
      else if (c === 41 && parentheses > 0) parentheses--
      if (start < 0) start = p
      p += c === 92 ? 2 : 1
      last = Math.min(p, length)
    }
  }
  if (start >= 0) declaration(last)
  while (open.length > 0) if (open.pop() === true) builder.closeDefinition(length)
}
const decoder = new TextDecoder()
