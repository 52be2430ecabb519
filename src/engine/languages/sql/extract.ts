import type { Extract } from "../Language.ts"
import { Tokens } from "../outline/Tokens.ts"
import { Flag, kindNumber } from "../Vocabulary.ts"

/** Words that may stand between `CREATE` and the kind of what is created. */
const modifiers = [
  "or",
  "replace",
  "temp",
  "temporary",
  "unlogged",
  "global",
  "local",
  "external",
  "virtual",
  "materialized",
  "recursive",
  "alter",
  "force",
  "editionable",
  "noneditionable",
  "secure",
  "transient",
  "foreign"
]
/** Words that start an entry of a table's list which is no column. */
const constraints = [
  "constraint",
  "primary",
  "foreign",
  "unique",
  "check",
  "key",
  "index",
  "exclude",
  "like",
  "period",
  "fulltext",
  "spatial"
]
const bodyOpeners = ["begin", "case"]
const loops = ["if", "loop", "while", "repeat", "for"]

export const extract: Extract = (builder) => {
  const t = new Tokens(builder, {
    lineComments: ["--"],
    blockComments: true,
    quotes: "'\"`",
    wordExtra: "$",
    multilineStrings: true,
    dollarQuotes: true
  })

  const isName = () => t.isWord || (t.isString && t.bytes[t.start] !== 39) || t.is(91)
  /** A possibly qualified and quoted name: its last part. */
  const readName = (): { readonly name: number; readonly at: number } | undefined => {
    let found: { readonly name: number; readonly at: number } | undefined
    for (;;) {
      if (t.is(91)) {
        // [bracketed]
        t.next()
        const at = t.start
        while (!t.done && !t.is(93)) t.next()
        found = { name: builder.name(at, t.start), at }
        t.next()
      } else if (isName()) {
        found = { name: t.name, at: t.nameStart }
        t.next()
      } else return found
      if (!t.is(46)) return found
      t.next()
    }
  }

  const columns = () => {
    t.next()
    while (!t.done && !t.is(41)) {
      if (isName() && !t.saysOne(constraints)) {
        const { start } = t
        const column = readName()
        if (column !== undefined) {
          const definition = builder.openDefinition(kindNumber.field, column.name, column.at, start)
          skipEntry()
          builder.setSignature(definition, start, t.before)
          builder.closeDefinition(t.before)
        }
      } else skipEntry()
      if (t.is(44)) t.next()
    }
    t.next()
  }
  const skipEntry = () => {
    while (!t.done && !t.is(44) && !t.is(41) && !t.is(59)) {
      if (t.is(40)) t.skipGroup()
      else t.next()
    }
    if (t.is(59)) t.next()
  }

  /** The rest of a statement; bodies between BEGIN and END may hold further statements. */
  const finish = (body: boolean) => {
    let open = 0
    while (!t.done) {
      if (t.is(59) && open === 0) return
      if (body && t.isWord) {
        if (t.saysOne(bodyOpeners)) open++
        else if (t.says("end")) {
          t.next()
          if (!t.saysOne(loops) && open > 0) open--
          if (t.says("case")) t.next()
          continue
        }
      }
      t.next()
    }
  }

  while (!t.done) {
    if (!t.says("create")) {
      if (t.says("alter") || t.says("insert") || t.says("select") || t.says("update") || t.says("delete"))
        finish(false)
      else t.next()
      continue
    }
    const { start } = t
    t.next()
    while (t.saysOne(modifiers)) t.next()
    const kind = t.says("table")
      ? kindNumber.table
      : t.says("view")
        ? kindNumber.view
        : t.says("procedure") || t.says("proc")
          ? kindNumber.procedure
          : t.says("function")
            ? kindNumber.function
            : -1
    if (kind < 0) {
      finish(t.says("trigger") || t.says("event"))
      continue
    }
    t.next()
    if (t.accept("if")) {
      t.accept("not")
      t.accept("exists")
    }
    const named = readName()
    if (named === undefined) continue
    const definition = builder.openDefinition(kind, named.name, named.at, start, Flag.exported)
    builder.bindDefinition(named.name, definition)
    let header = t.before
    if (kind === kindNumber.table) {
      if (t.is(40)) columns()
      finish(false)
    } else {
      if (t.is(40) && kind !== kindNumber.view) {
        t.skipGroup()
        header = t.before
      }
      finish(kind !== kindNumber.view)
    }
    builder.setSignature(definition, start, header)
    builder.closeDefinition(t.is(59) ? t.end : t.before)
  }
}
