/**
 * Facts in words: a plain object per record, for tests, for debugging and for comparing two snapshots.
 */
import { D, E, type FactsView, H, I, M, N, R, X } from "./Facts.ts"
import { Bind, definitionKinds, Flag, ImportFlag, markKinds, Op, resultUses, roles } from "./Vocabulary.ts"

const bits = (table: { readonly [name: string]: number }, value: number): ReadonlyArray<string> =>
  Object.keys(table).filter((name) => (value & table[name]!) !== 0)

/** An expression as text: `x` a free name, `x#def3` bound to definition 3, `x#imp0` to import 0, `x#local(…)` to a variable of that type. */
export const describeExpression = (
  view: FactsView,
  text: (name: number) => string,
  index: number,
  depth = 0
): string => {
  if (index < 0) return "?"
  if (depth > 20) return "…"
  const a = view.expr(index, X.a)
  const b = view.expr(index, X.b)
  const c = view.expr(index, X.c)
  const inner = (i: number) => describeExpression(view, text, i, depth + 1)
  const parts = () => Array.from({ length: c }, (_, i) => inner(view.ints[view.args + b + i]!)).join(", ")
  switch (view.expr(index, X.op)) {
    case Op.name:
      return (
        text(a) +
        (b === Bind.free
          ? ""
          : b === Bind.definition
            ? `#def${c}`
            : b === Bind.import
              ? `#imp${c}`
              : `#local(${inner(c)})`)
      )
    case Op.member:
      return `${inner(a)}.${text(b)}`
    case Op.call:
      return `${inner(a)}()`
    case Op.new:
      return `new ${inner(a)}`
    case Op.instance:
      return `:${inner(a)}`
    case Op.self:
      return `self#def${a}`
    case Op.selfType:
      return `Self#def${a}`
    case Op.selfOf:
      return `selfOf(${inner(a)})`
    case Op.super:
      return `super#def${a}`
    case Op.element:
      return `${inner(a)}[]`
    case Op.generic:
      return `${inner(a)}<${parts()}>`
    case Op.unwrap:
      return `unwrap(${inner(a)})`
    case Op.literal:
      return `'${text(a)}'`
    case Op.union:
      return `${inner(a)} | ${inner(b)}`
    case Op.tuple:
      return `(${parts()})`
    case Op.slot:
      return `${inner(a)}[${b}]`
    case Op.callable:
      return `((${parts()}) => ${inner(a)})`
    case Op.argument:
      return `argument${b}(${inner(a)})`
    case Op.parameter:
      return `parameter${b}(${inner(a)})`
    case Op.function:
      return `fn#def${a}`
    case Op.typeParameter:
      return inner(a)
    case Op.property:
      return `${text(b)}: ${inner(a)}`
    case Op.record:
      return `{ ${parts()} }`
    case Op.signature:
    case Op.typeOf:
      return inner(a)
    case Op.thisType:
      return `Self#def${a}`
    case Op.conditional:
      return `conditional(${parts()})`
    case Op.keyOf:
      return `keyof ${inner(a)}`
    case Op.indexed:
      return `indexed(${parts()})`
    case Op.mapped:
      return `mapped(${parts()})`
    case Op.chosen:
      return inner(view.ints[view.args + b]!)
    case Op.delegated:
      return `unwrap(${inner(a)})`
    default:
      return "?"
  }
}

export const describeFacts = (view: FactsView, text: (name: number) => string) => {
  const expression = (i: number) => describeExpression(view, text, i)
  const definitions = Array.from({ length: view.definitionCount }, (_, i) => {
    const path: Array<string> = []
    for (let at = i; at >= 0; at = view.def(at, D.parent)) {
      path.unshift(text(view.def(at, D.name)))
      if (view.def(at, D.container) !== 0) path.unshift(text(view.def(at, D.container)))
    }
    const type = view.def(i, D.type)
    const owner = view.def(i, D.owner)
    const parameters = view.def(i, D.parameters)
    return {
      kind: definitionKinds[view.def(i, D.kind)]!,
      name: text(view.def(i, D.name)),
      qualified: path.join("."),
      parent: view.def(i, D.parent),
      at: `${view.def(i, D.nameLine)}:${view.def(i, D.nameColumn)}`,
      span: `${view.def(i, D.startLine)}:${view.def(i, D.startColumn)}-${view.def(i, D.endLine)}:${view.def(i, D.endColumn)}`,
      body:
        view.def(i, D.bodyLine) === 0 ? undefined : `${view.def(i, D.bodyLine)}:${view.def(i, D.bodyColumn)}`,
      flags: bits(Flag, view.def(i, D.flags)),
      type: type < 0 ? undefined : expression(type),
      owner: owner < 0 ? undefined : expression(owner),
      takes: view.def(i, D.takes) < 0 ? undefined : expression(view.def(i, D.takes)),
      signature: view.signature(i),
      doc: view.doc(i),
      complexity: view.def(i, D.complexity),
      parameters:
        parameters < 0
          ? undefined
          : { min: parameters & 255, max: (parameters >> 8) & 255, variadic: (parameters & (1 << 16)) !== 0 }
    }
  })
  const references = Array.from({ length: view.referenceCount }, (_, i) => {
    const place = view.ref(i, R.place)
    const bind = view.ref(i, R.bind)
    const value = bind >> 3
    const kind = bind & 7
    return {
      name: text(view.ref(i, R.name)),
      at: `${view.ref(i, R.line)}:${place & 0xffff}`,
      role: roles[(place >> 16) & 15]!,
      use: resultUses[(place >> 20) & 15]!,
      within: view.ref(i, R.within),
      args: view.ref(i, R.arity) - 1,
      bind:
        kind === Bind.free
          ? "free"
          : kind === Bind.definition
            ? `def${value}`
            : kind === Bind.import
              ? `imp${value}`
              : `of ${expression(value)}`
    }
  })
  const imports = Array.from({ length: view.importCount }, (_, i) => ({
    module: text(view.import(i, I.module)),
    imported: text(view.import(i, I.imported)),
    local: text(view.import(i, I.local)),
    flags: bits(ImportFlag, view.import(i, I.flags)),
    at: `${view.import(i, I.line)}:${view.import(i, I.column)}`,
    within: view.import(i, I.within),
    level: view.import(i, I.level)
  }))
  const exports = Array.from({ length: view.exportCount }, (_, i) => ({
    exported: text(view.export(i, E.exported)),
    local: text(view.export(i, E.local)),
    from: text(view.export(i, E.from)),
    imported: text(view.export(i, E.imported)),
    definition: view.export(i, E.definition)
  }))
  const inherits = Array.from({ length: view.inheritCount }, (_, i) => ({
    subject: view.inherit(i, N.subject),
    subjectType: expression(view.inherit(i, N.subjectType)),
    superType: expression(view.inherit(i, N.superType)),
    how: (["extends", "implements", "embeds", "mixes"] as const)[view.inherit(i, N.how)]!
  }))
  const marks = Array.from({ length: view.markCount }, (_, i) => ({
    kind: markKinds[view.mark(i, M.kind)]!,
    text: view.markText(i),
    line: view.mark(i, M.line),
    within: view.mark(i, M.within)
  }))
  return {
    package: text(view.package),
    runner: text(view.ints[view.at + H.runner]!),
    parseErrors: view.ints[view.at + H.parseErrors]!,
    definitions,
    references,
    imports,
    exports,
    inherits,
    marks
  }
}
export type FactsDescription = ReturnType<typeof describeFacts>
