/** Java. */
import type { Node } from "../../languages/treesitter/SyntaxTree.ts"
import type { FunctionParts, Language, Lower, LowerExpression, LowerNode } from "../Lower.ts"
import {
  binary,
  children,
  compared,
  constant,
  counting,
  derived,
  doWhile,
  element,
  elementName,
  ifElse,
  inner,
  nothing,
  over,
  returning,
  scopedChildren,
  valueOf
} from "./shared.ts"

const parametersOf = (lower: Lower, list: Node): void => {
  if (lower.type(list) === "identifier") {
    lower.parameter(lower.textOf(list), lower.at(list))
    return
  }
  for (const p of lower.named(list)) {
    const type = lower.type(p)
    if (type === "spread_parameter") {
      lower.fn.variadic = true
      const d = lower.tree.childOf(p, "variable_declarator")
      const name = lower.field(d, "name")
      lower.parameter(lower.textOf(name), lower.at(name))
    } else if (type === "formal_parameter") {
      const name = lower.field(p, "name")
      lower.parameter(lower.textOf(name), lower.at(name), lower.textOf(lower.field(p, "type")))
    } else if (type === "identifier") lower.parameter(lower.textOf(p), lower.at(p))
  }
}

const functionParts =
  (kind: "method" | "lambda") =>
  (lower: Lower, n: Node): FunctionParts => ({
    name: lower.field(n, "name"),
    marks: [
      ...lower.named(lower.tree.childOf(n, "modifiers")).map((c) => lower.textOf(c)),
      ...lower.tree
        .children(lower.tree.childOf(n, "modifiers"))
        .map((c) => lower.textOf(c))
        .filter((w) => /^[a-z]+$/.test(w)),
      ...(lower.has(n, "throws") ? [lower.textOf(lower.tree.childOf(n, "throws"))] : [])
    ],
    body: () => {
      if (kind === "method") lower.receiver("this", lower.at(n))
      parametersOf(lower, lower.field(n, "parameters"))
      const body = lower.field(n, "body")
      if (body < 0) return
      if (kind === "lambda" && lower.type(body) !== "block")
        lower.statement("return", body, () => lower.return(body, [lower.expr(body)]))
      else lower.each(lower.named(body))
    }
  })

const declarators: LowerNode = (lower, n) => {
  const type = lower.textOf(lower.field(n, "type"))
  for (const d of lower.fields(n, "declarator")) {
    const name = lower.field(d, "name")
    const value = lower.field(d, "value")
    if (value < 0) lower.declare(lower.textOf(name), lower.at(name), { type })
    else
      lower.statement(
        "declaration",
        d,
        () =>
          void lower.bindName(
            name,
            lower.naming(name, () => lower.expr(value)),
            true,
            { type }
          )
      )
  }
}

const argumentsOf = (lower: Lower, n: Node): Array<number> =>
  lower.named(lower.field(n, "arguments")).map((c) => lower.expr(c))

const invocation: LowerExpression = (lower, n) => {
  const name = lower.field(n, "name")
  const object = lower.field(n, "object")
  const word = lower.textOf(name)
  if (object < 0)
    return lower.call(
      "call",
      { receiver: lower.lookup("this") ?? -1, name: word, at: lower.at(name) },
      argumentsOf(lower, n)
    )
  const receiver = lower.expr(object)
  return lower.call(
    "call",
    { receiver, name: lower.dotted(receiver, word), at: lower.at(name) },
    argumentsOf(lower, n)
  )
}

const creation: LowerExpression = (lower, n) => {
  const type = lower.field(n, "type")
  const body = lower.tree.childOf(n, "class_body")
  if (body >= 0) classBody(lower, body)
  const last = lower.type(type) === "generic_type" ? lower.tree.named(type) : type
  return lower.call(
    "new",
    {
      name: lower.textOf(last),
      at: lower.tree.end[last]! - (/\w+$/.exec(lower.textOf(last))?.[0].length ?? 0)
    },
    argumentsOf(lower, n)
  )
}

const classBody = (lower: Lower, body: Node): void =>
  lower.scoped(() => {
    const self = lower.declare("this", -1)
    for (const c of lower.named(body)) {
      const type = lower.type(c)
      if (
        type === "method_declaration" ||
        type === "constructor_declaration" ||
        type === "compact_constructor_declaration"
      )
        lower.member(c)
      else if (type === "field_declaration") {
        for (const d of lower.fields(c, "declarator")) {
          const value = lower.field(d, "value")
          const name = lower.field(d, "name")
          if (value >= 0)
            lower.statement("declaration", d, () =>
              lower.store(
                self,
                lower.textOf(name),
                lower.naming(name, () => lower.expr(value)),
                lower.at(name)
              )
            )
        }
      } else if (type === "static_initializer") lower.any(lower.tree.named(c))
      else if (type === "enum_body_declarations") classBody(lower, c)
      else lower.any(c)
    }
  })
const typeDeclaration: LowerNode = (lower, n) => classBody(lower, lower.field(n, "body"))

const switchBlock =
  (gives: boolean) =>
  (lower: Lower, n: Node): number => {
    const labels = lower.takeLabels()
    const to = gives ? lower.temp() : -1
    const value = lower.field(n, "condition")
    lower.test(value)
    lower.scoped(() =>
      lower.switch({
        labels,
        exhaustive: gives,
        ...(gives ? { result: to } : {}),
        arms: lower.named(lower.field(n, "body")).map((c) => {
          const all = lower.named(c)
          const heads = all.filter((s) => lower.type(s) === "switch_label")
          const body = all.filter((s) => lower.type(s) !== "switch_label")
          const rule = lower.type(c) === "switch_rule"
          return {
            fallback: heads.some((h) => /^default\b|,\s*default\b/.test(lower.textOf(h))),
            falls: !rule,
            run: () => {
              const only = body[0]
              if (
                gives &&
                rule &&
                body.length === 1 &&
                only !== undefined &&
                lower.type(only) === "expression_statement"
              )
                lower.statement("expression", only, () =>
                  lower.assign(to, lower.expr(lower.tree.named(only)))
                )
              else lower.each(body)
            }
          }
        })
      })
    )
    return to
  }

const tryStatement: LowerNode = (lower, n) =>
  lower.scoped(() => {
    const resources = lower.field(n, "resources")
    if (resources >= 0)
      for (const r of lower.named(resources)) {
        const name = lower.field(r, "name")
        const value = lower.field(r, "value")
        if (name >= 0 && value >= 0)
          lower.statement(
            "declaration",
            r,
            () =>
              void lower.bindName(name, lower.expr(value), true, {
                type: lower.textOf(lower.field(r, "type"))
              })
          )
      }
    const parts = lower.named(n)
    const handlers = parts.filter((c) => lower.type(c) === "catch_clause")
    const cleanup = parts.find((c) => lower.type(c) === "finally_clause")
    lower.fn.try({
      body: () => lower.any(lower.field(n, "body")),
      handlers:
        handlers.length === 0
          ? undefined
          : () =>
              lower.switch({
                breaks: false,
                exhaustive: true,
                arms: handlers.map((h) => ({
                  fallback: false,
                  falls: false,
                  run: () =>
                    lower.scoped(() => {
                      const p = lower.tree.childOf(h, "catch_formal_parameter")
                      const name = lower.field(p, "name")
                      lower.statement("declaration", p < 0 ? h : p, () => {
                        if (name >= 0) lower.bindName(name, lower.thrown(), true)
                      })
                      lower.any(lower.field(h, "body"))
                    })
                }))
              }),
      cleanup: cleanup === undefined ? undefined : () => lower.each(lower.named(cleanup))
    })
  })

export const java: Language = {
  ids: ["java"],
  probe: "class A { int f(int a) { return a + 1; } }\n",
  names: new Set(["identifier"]),
  functions: {
    method_declaration: functionParts("method"),
    constructor_declaration: functionParts("method"),
    compact_constructor_declaration: functionParts("method"),
    lambda_expression: functionParts("lambda")
  },
  statements: {
    program: children,
    class_declaration: typeDeclaration,
    interface_declaration: typeDeclaration,
    enum_declaration: typeDeclaration,
    record_declaration: typeDeclaration,
    annotation_type_declaration: nothing,
    block: scopedChildren,
    constructor_body: scopedChildren,
    local_variable_declaration: declarators,
    expression_statement: (lower, n) => {
      const e = lower.tree.named(n)
      const type = lower.type(e)
      if (type === "switch_expression") {
        switchBlock(false)(lower, e)
        return
      }
      lower.statement(
        type.includes("assignment") ? "assignment" : type === "method_invocation" ? "call" : "expression",
        n,
        () => lower.expr(e)
      )
    },
    if_statement: ifElse,
    while_statement: (lower, n) => {
      const condition = lower.field(n, "condition")
      lower.while({
        labels: lower.takeLabels(),
        condition: /^\(\s*true\s*\)$/.test(lower.textOf(condition)) ? undefined : () => lower.test(condition),
        body: () => lower.any(lower.field(n, "body"))
      })
    },
    do_statement: doWhile,
    for_statement: counting((lower, n) => {
      for (const i of lower.fields(n, "init")) lower.any(i)
    }),
    enhanced_for_statement: (lower, n) => {
      const name = lower.field(n, "name")
      over(
        lower,
        n,
        name,
        lower.field(n, "value"),
        (item) => void lower.bindName(name, item, true, { type: lower.textOf(lower.field(n, "type")) })
      )
    },
    switch_statement: (lower, n) => void switchBlock(false)(lower, n),
    switch_expression: (lower, n) => void switchBlock(false)(lower, n),
    yield_statement: (lower, n) => {
      lower.statement("yield", n, () => {
        const value = lower.expr(lower.tree.named(n))
        const to = lower.fn.valueOfBreak()
        if (to !== undefined) lower.assign(to, value)
      })
      lower.fn.break()
    },
    return_statement: returning,
    throw_statement: (lower, n) => {
      lower.statement("throw", n, () => lower.throw(n, lower.expr(lower.tree.named(n))))
      lower.fn.throw()
    },
    try_statement: tryStatement,
    try_with_resources_statement: tryStatement,
    synchronized_statement: (lower, n) => {
      const lock = lower.named(n).find((c) => lower.type(c) === "parenthesized_expression")
      if (lock !== undefined)
        lower.statement(
          "call",
          lock,
          () =>
            void lower.call("call", { receiver: lower.expr(lock), name: "synchronized", at: lower.at(n) }, [])
        )
      lower.any(lower.field(n, "body"))
    },
    labeled_statement: (lower, n) => {
      const label = lower.textOf(lower.tree.named(n))
      const body = lower.tree.named(n, 1)
      if (/^(?:while|do|for|enhanced_for)_statement$|^switch/.test(lower.type(body)))
        lower.labelling(label, () => lower.any(body))
      else lower.labelled(label, () => lower.any(body))
    },
    break_statement: (lower, n) => {
      lower.statement("jump", n, () => {})
      const label = lower.tree.named(n)
      lower.fn.break(label < 0 ? undefined : lower.textOf(label))
    },
    continue_statement: (lower, n) => {
      lower.statement("jump", n, () => {})
      const label = lower.tree.named(n)
      lower.fn.continue(label < 0 ? undefined : lower.textOf(label))
    },
    assert_statement: (lower, n) => lower.statement("expression", n, () => void compared(lower, n)),
    explicit_constructor_invocation: (lower, n) =>
      lower.statement("call", n, () => {
        const callee = lower.field(n, "constructor")
        lower.call(
          "call",
          { receiver: lower.lookup("this") ?? -1, name: lower.textOf(callee), at: lower.at(callee) },
          argumentsOf(lower, n)
        )
      }),
    package_declaration: nothing,
    import_declaration: nothing
  },
  expressions: {
    parenthesized_expression: inner,
    cast_expression: valueOf("value"),
    method_invocation: invocation,
    object_creation_expression: creation,
    field_access: (lower, n) => {
      const name = lower.field(n, "field")
      return lower.load(lower.expr(lower.field(n, "object")), lower.textOf(name), lower.at(name))
    },
    array_access: (lower, n) => element(lower, lower.field(n, "array"), lower.field(n, "index")),
    assignment_expression: (lower, n) => {
      const left = lower.field(n, "left")
      const right = lower.expr(lower.field(n, "right"))
      const compound = lower.textOf(lower.field(n, "operator")) !== "="
      const value = compound ? lower.derive([lower.expr(left), right]) : right
      lower.bind(left, value, false)
      return value
    },
    binary_expression: binary("binary_expression"),
    unary_expression: compared,
    update_expression: (lower, n) => {
      const target = lower.tree.named(n)
      const value = lower.derive([lower.expr(target)])
      lower.bind(target, value, false)
      return value
    },
    ternary_expression: (lower, n) => {
      lower.fn.op("test", "assign", -1, [lower.expr(lower.field(n, "condition"))], { at: lower.at(n) })
      return lower.choose([
        lower.expr(lower.field(n, "consequence")),
        lower.expr(lower.field(n, "alternative"))
      ])
    },
    switch_expression: (lower, n) => switchBlock(true)(lower, n),
    instanceof_expression: (lower, n) => {
      const value = lower.expr(lower.field(n, "left"))
      const name = lower.field(n, "name")
      if (name >= 0) lower.bindName(name, value, true)
      return lower.compare([value])
    },
    array_initializer: (lower, n) => {
      const to = lower.constant("", lower.at(n))
      lower.named(n).forEach((c, i) => lower.store(to, `[${i}]`, lower.expr(c), lower.at(c)))
      return to
    },
    array_creation_expression: (lower, n) => {
      const value = lower.field(n, "value")
      return value < 0 ? lower.constant("", lower.at(n)) : lower.expr(value)
    },
    method_reference: (lower, n) => {
      const [object, name] = lower.named(n)
      const base = lower.expr(object ?? -1)
      return name === undefined ? base : lower.load(base, lower.textOf(name), lower.at(name))
    },
    this: (lower) => lower.variable("this"),
    super: (lower) => lower.variable("this"),
    string_literal: constant,
    character_literal: constant,
    decimal_integer_literal: constant,
    hex_integer_literal: constant,
    decimal_floating_point_literal: constant,
    true: constant,
    false: constant,
    null_literal: constant,
    class_literal: constant,
    template_expression: derived
  },
  patterns: {
    field_access: (lower, n, value) => {
      const name = lower.field(n, "field")
      lower.store(lower.expr(lower.field(n, "object")), lower.textOf(name), value, lower.at(name))
    },
    array_access: (lower, n, value) => {
      const index = lower.field(n, "index")
      lower.store(lower.expr(lower.field(n, "array")), elementName(lower, index), value, lower.at(index))
    },
    // A bare name that nothing here declares is a field of the object.
    identifier: (lower, n, value, declares) => {
      const name = lower.textOf(n)
      const self = lower.lookup("this")
      if (!declares && self !== undefined && lower.lookup(name) === undefined)
        lower.store(self, name, value, lower.at(n))
      else lower.bindName(n, value, declares)
    },
    parenthesized_expression: (lower, n, value, declares) => lower.bind(lower.tree.named(n), value, declares)
  },
  silent: new Set([
    "line_comment",
    "block_comment",
    "modifiers",
    "type_identifier",
    "type_arguments",
    "type_parameters",
    "generic_type",
    "integral_type",
    "floating_point_type",
    "boolean_type",
    "void_type",
    "scoped_type_identifier",
    "array_type",
    "superclass",
    "super_interfaces",
    "throws",
    "dimensions",
    "dimensions_expr",
    "marker_annotation",
    "annotation",
    "permits"
  ]),
  fieldsByName: true
}
