import type { Extract } from "../Language.ts"
import { Tokens } from "../outline/Tokens.ts"
import { Flag, kindNumber } from "../Vocabulary.ts"

const labels = ["repeated", "optional", "required"]
const depthLimit = 100

export const extract: Extract = (builder) => {
  const t = new Tokens(builder, { lineComments: ["//"], blockComments: true, quotes: "\"'", wordExtra: "." })

  const statement = () => {
    while (!t.done && !t.is(59) && !t.is(125)) {
      if (t.is(123)) return t.skipGroup()
      t.next()
    }
    if (t.is(59)) t.next()
  }
  const block = (kind: number, depth: number, entries: () => void) => {
    const { start } = t
    t.next()
    if (!t.isWord) return
    const { name } = t
    const definition = builder.openDefinition(kind, name, t.start, start, Flag.exported)
    builder.bindDefinition(name, definition)
    t.next()
    builder.setSignature(definition, start, t.before)
    if (t.is(123)) {
      if (depth >= depthLimit) t.skipGroup()
      else {
        t.next()
        while (!t.done && !t.is(125)) entries()
        t.next()
      }
    }
    builder.closeDefinition(t.before)
  }
  const enumValue = () => {
    if (!t.isWord || t.says("option") || t.says("reserved")) return t.isWord || !t.is(59) ? skip() : t.next()
    const { name, start } = t
    t.next()
    if (!t.is(61)) return statement()
    const definition = builder.openDefinition(kindNumber.enum_member, name, start, start, Flag.exported)
    const from = start
    statement()
    builder.setSignature(definition, from, t.bytes[t.before - 1] === 59 ? t.before - 1 : t.before)
    builder.closeDefinition(t.before)
  }
  /** A statement, or a single token where none starts. */
  const skip = () => {
    const at = t.start
    statement()
    if (t.start === at && !t.is(125)) t.next()
  }
  const rpc = () => {
    if (!t.says("rpc")) return skip()
    const { start } = t
    t.next()
    if (!t.isWord) return
    const definition = builder.openDefinition(kindNumber.rpc, t.name, t.start, start, Flag.exported)
    while (!t.done && !t.is(123) && !t.is(59) && !t.is(125)) t.next()
    builder.setSignature(definition, start, t.before)
    if (t.is(123)) t.skipGroup()
    else if (t.is(59)) t.next()
    builder.closeDefinition(t.before)
  }
  const member = (depth: number) => {
    if (t.says("message") || t.says("group")) return block(kindNumber.message, depth, () => member(depth + 1))
    if (t.says("enum")) return block(kindNumber.enum, depth, enumValue)
    if (t.says("oneof") || t.says("extend")) {
      // Their fields belong to the message around them.
      t.next()
      if (t.isWord) t.next()
      if (!t.is(123)) return
      if (depth >= depthLimit) return t.skipGroup()
      t.next()
      while (!t.done && !t.is(125)) member(depth + 1)
      t.next()
      return
    }
    if (t.says("option") || t.says("reserved") || t.says("extensions") || !t.isWord) return skip()
    // label type name = number
    const { start } = t
    let name = 0
    let at = -1
    if (t.saysOne(labels)) t.next()
    while (!t.done && !t.is(61) && !t.is(59) && !t.is(123) && !t.is(125)) {
      if (t.isWord) {
        name = t.name
        at = t.start
      }
      t.next()
    }
    if (!t.is(61) || at < 0) return skip()
    const definition = builder.openDefinition(kindNumber.field, name, at, start, Flag.exported)
    statement()
    builder.setSignature(definition, start, t.bytes[t.before - 1] === 59 ? t.before - 1 : t.before)
    builder.closeDefinition(t.before)
  }

  while (!t.done) {
    if (t.says("package")) {
      t.next()
      if (t.isWord) builder.setPackage(t.name)
      skip()
    } else if (t.says("message")) block(kindNumber.message, 0, () => member(1))
    else if (t.says("enum")) block(kindNumber.enum, 0, enumValue)
    else if (t.says("service")) block(kindNumber.service, 0, rpc)
    else if (t.says("extend")) member(0)
    else if (t.is(125)) t.next()
    else skip()
  }
}
