import type { Extract } from "../Language.ts"
import { Tokens } from "../outline/Tokens.ts"
import { Flag, kindNumber } from "../Vocabulary.ts"

/** Block types whose labels make a name other files use, with the prefix of that name. */
const blocks: ReadonlyArray<readonly [word: string, kind: number, prefix: string]> = [
  ["resource", kindNumber.resource, ""],
  ["data", kindNumber.resource, "data."],
  ["ephemeral", kindNumber.resource, "ephemeral."],
  ["variable", kindNumber.variable, ""],
  ["module", kindNumber.module, ""],
  ["output", kindNumber.property, ""],
  ["provider", kindNumber.object, ""],
  ["check", kindNumber.test, ""],
  ["run", kindNumber.test, ""]
]

export const extract: Extract = (builder) => {
  const { interner } = builder
  const t = new Tokens(builder, {
    lineComments: ["#", "//"],
    blockComments: true,
    quotes: '"',
    wordExtra: "-"
  })

  /** A value: up to the end of its line, brackets included. */
  const value = () => {
    const heredoc = t.is(60)
    let { before } = t
    do {
      if (t.is(123) || t.is(91) || t.is(40)) t.skipGroup()
      else t.next()
      before = t.before
    } while (!t.done && !t.is(125) && !newLine(before, t.start))
    if (heredoc) skipHeredoc(before)
  }
  const newLine = (from: number, to: number): boolean => {
    for (let p = from; p < to; p++) if (t.bytes[p] === 10) return true
    return false
  }
  /** `<<EOT` … `EOT`: the tag is what was read last. */
  const skipHeredoc = (end: number) => {
    let from = end
    while (from > 0 && t.bytes[from - 1]! > 32 && t.bytes[from - 1] !== 60 && t.bytes[from - 1] !== 45) from--
    const tag = builder.name(from, end)
    while (!t.done && !(t.isWord && t.name === tag)) t.next()
    t.next()
  }

  while (!t.done) {
    const { start } = t
    if (t.says("locals")) {
      t.next()
      if (!t.is(123)) continue
      t.next()
      while (!t.done && !t.is(125)) {
        if (!t.isWord && !t.isString) {
          t.next()
          continue
        }
        const { name, nameStart, start: at } = t
        t.next()
        if (!t.is(61)) continue
        const definition = builder.openDefinition(kindNumber.variable, name, nameStart, at, Flag.exported)
        t.next()
        value()
        builder.setSignature(definition, at, t.before)
        builder.closeDefinition(t.before)
      }
      t.next()
      continue
    }
    const found = blocks.find(([word]) => t.says(word))
    if (!t.isWord) {
      if (t.is(123) || t.is(91) || t.is(40)) t.skipGroup()
      else t.next()
      continue
    }
    const { name: first, start: firstAt } = t
    t.next()
    if (found !== undefined && t.isString) {
      let text = found[2] + interner.text(t.name)
      const at = t.nameStart
      t.next()
      while (t.isString) {
        text += `.${interner.text(t.name)}`
        t.next()
      }
      const name = builder.nameOf(text)
      const definition = builder.openDefinition(found[1], name, at, start, Flag.exported)
      builder.bindDefinition(name, definition)
      builder.setSignature(definition, start, t.before)
      if (t.is(123)) t.skipGroup()
      builder.closeDefinition(t.before)
    } else if (t.is(61)) {
      // An assignment at file level: a variables file.
      const definition = builder.openDefinition(kindNumber.key, first, firstAt, start)
      t.next()
      value()
      builder.setSignature(definition, start, t.before)
      builder.closeDefinition(t.before)
    } else {
      while (t.isString || t.isWord) t.next()
      if (t.is(123)) t.skipGroup()
    }
  }
}
