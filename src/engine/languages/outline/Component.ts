/**
 * Single-file components: the component itself, named like its file, and the names its scripts declare at their
 * top level.
 */
import type { FactsBuilder } from "../FactsBuilder.ts"
import { Flag, kindNumber } from "../Vocabulary.ts"
import { visitTags } from "./Markup.ts"
import { Tokens } from "./Tokens.ts"

const script = {
  lineComments: ["//"],
  blockComments: true,
  quotes: "\"'`",
  wordExtra: "$",
  multilineStrings: true
}
const declarations: ReadonlyArray<readonly [word: string, kind: number]> = [
  ["function", kindNumber.function],
  ["class", kindNumber.class],
  ["interface", kindNumber.interface],
  ["enum", kindNumber.enum],
  ["const", kindNumber.constant],
  ["let", kindNumber.variable],
  ["var", kindNumber.variable],
  ["type", kindNumber.type_alias]
]

/** Names declared outside all brackets of a script between two offsets. */
const readScript = (builder: FactsBuilder, from: number, to: number): void => {
  const t = new Tokens(builder, script, from, to)
  let start = -1
  let flags = 0
  while (!t.done) {
    if (t.is(123) || t.is(40) || t.is(91)) {
      t.skipGroup()
      start = -1
      continue
    }
    if (t.says("export") || t.says("async") || t.says("default")) {
      if (start < 0) {
        start = t.start
        flags = 0
      }
      if (t.says("export")) flags |= Flag.exported
      if (t.says("async")) flags |= Flag.async
      t.next()
      continue
    }
    const found = declarations.find(([word]) => t.says(word))
    if (found === undefined) {
      start = -1
      t.next()
      continue
    }
    const begin = start < 0 ? t.start : start
    const bits = start < 0 ? 0 : flags
    start = -1
    t.next()
    if (t.is(42)) t.next()
    if (!t.isWord) continue
    const { name, start: at } = t
    t.next()
    const definition = builder.openDefinition(found[1], name, at, begin, bits)
    builder.bindDefinition(name, definition)
    const body =
      found[1] === kindNumber.function ||
      found[1] === kindNumber.class ||
      found[1] === kindNumber.interface ||
      found[1] === kindNumber.enum
    if (body) {
      while (!t.done && !t.is(123) && !t.is(59)) {
        if (t.is(40)) t.skipGroup()
        else t.next()
      }
      builder.setSignature(definition, begin, t.before)
      if (t.is(123)) t.skipGroup()
    } else {
      // To the end of the statement: a `;`, or a line that starts anew outside brackets.
      while (!t.done && !t.is(59)) {
        if (t.is(123) || t.is(40) || t.is(91)) t.skipGroup()
        else t.next()
        if (t.isWord && endsStatement(t)) break
      }
      builder.setSignature(definition, begin, t.before)
    }
    builder.closeDefinition(t.before)
  }
}
/** Whether the current word starts a line after something that may end a statement. */
const endsStatement = (t: Tokens): boolean => {
  let line = false
  for (let p = t.before; p < t.start && !line; p++) line = t.bytes[p] === 10
  if (!line) return false
  const c = t.bytes[t.before - 1]!
  return (
    c === 41 ||
    c === 93 ||
    c === 125 ||
    c === 34 ||
    c === 39 ||
    c === 96 ||
    c > 127 ||
    (c >= 48 && c <= 57) ||
    (c >= 65 && c <= 90) ||
    (c >= 97 && c <= 122) ||
    c === 95 ||
    c === 36
  )
}

/** Reads a component file: `extension` is cut from the file's name to make the component's. */
export const readComponent = (builder: FactsBuilder, extension: string): void => {
  const { source } = builder
  const file = source.path.slice(source.path.lastIndexOf("/") + 1)
  const name = builder.nameOf(file.endsWith(extension) ? file.slice(0, -extension.length) : file)
  const definition = builder.openDefinition(kindNumber.class, name, 0, 0, Flag.exported | Flag.defaultExport)
  builder.bindDefinition(name, definition)
  visitTags(
    builder,
    () => undefined,
    (element, from, to) => {
      if (element === "script") readScript(builder, from, to)
    }
  )
  builder.closeDefinition(source.length)
}
