import type { Extract } from "../Language.ts"
import { Tokens } from "../outline/Tokens.ts"
import { Flag, kindNumber } from "../Vocabulary.ts"

export const extract: Extract = (builder) => {
  const t = new Tokens(builder, {
    lineComments: ["#"],
    blockComments: false,
    quotes: '"',
    wordExtra: "",
    tripleQuotes: true
  })

  /** Up to the next name that starts an entry, past arguments, types, defaults and directives. */
  const restOfField = () => {
    for (;;) {
      if (t.done || t.is(125)) return
      if (t.is(58) || t.is(61) || t.is(64) || t.is(33) || t.is(36)) {
        const directive = t.is(64)
        const type = t.is(58) || t.is(61)
        t.next()
        if (directive && t.isWord) t.next()
        else if (type && (t.isWord || t.isString)) t.next()
      } else if (t.is(40) || t.is(91) || t.is(123)) t.skipGroup()
      else return
    }
  }
  const entries = (kind: number) => {
    t.next()
    let doc = -1
    let docEnd = -1
    while (!t.done && !t.is(125)) {
      if (t.isString) {
        doc = t.start
        docEnd = t.end
        t.next()
      } else if (t.isWord) {
        const { name, start } = t
        const definition = builder.openDefinition(kind, name, start, start, Flag.exported)
        t.next()
        restOfField()
        if (doc >= 0) builder.setDoc(definition, doc, docEnd)
        doc = -1
        builder.setSignature(definition, start, t.before)
        builder.closeDefinition(t.before)
      } else t.next()
    }
    t.next()
  }
  const types: ReadonlyArray<readonly [word: string, kind: number, entry: number]> = [
    ["type", kindNumber.object, kindNumber.field],
    ["input", kindNumber.struct, kindNumber.field],
    ["interface", kindNumber.interface, kindNumber.field],
    ["enum", kindNumber.enum, kindNumber.enum_member],
    ["union", kindNumber.union, -1],
    ["scalar", kindNumber.type_alias, -1],
    ["directive", kindNumber.annotation, -1],
    ["query", kindNumber.query, -1],
    ["mutation", kindNumber.query, -1],
    ["subscription", kindNumber.query, -1],
    ["fragment", kindNumber.fragment, -1]
  ]

  let doc = -1
  let docEnd = -1
  while (!t.done) {
    if (t.isString) {
      doc = t.start
      docEnd = t.end
      t.next()
      continue
    }
    const found = types.find(([word]) => t.says(word))
    if (found === undefined) {
      const extend = t.says("extend")
      if (t.is(123)) t.skipGroup()
      else t.next()
      if (!extend) doc = -1
      continue
    }
    const { start } = t
    t.next()
    if (t.is(64)) t.next()
    if (!t.isWord) continue
    const { name } = t
    const definition = builder.openDefinition(found[1], name, t.start, start, Flag.exported)
    builder.bindDefinition(name, definition)
    if (doc >= 0) builder.setDoc(definition, doc, docEnd)
    doc = -1
    t.next()
    // The header: until a body, a description or the next definition.
    while (!t.done && !t.is(123) && !t.isString) {
      if (t.isWord && (t.says("extend") || t.says("schema") || types.some(([word]) => t.says(word)))) break
      if (t.is(40) || t.is(91)) t.skipGroup()
      else t.next()
    }
    builder.setSignature(definition, start, t.before)
    if (t.is(123)) {
      if (found[2] >= 0) entries(found[2])
      else t.skipGroup()
    }
    builder.closeDefinition(t.before)
  }
}
