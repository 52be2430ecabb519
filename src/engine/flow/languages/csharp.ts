/** C#. */
import type { Node } from "../../languages/treesitter/SyntaxTree.ts"
import type { FunctionParts, Language, Lower, LowerExpression, LowerNode } from "../Lower.ts"
import {
  binary,
  breaking,
  children,
  chosen,
  compared,
  constant,
  continuing,
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
  throwing,
  valueOf
} from "./shared.ts"

const modifiers = (lower: Lower, n: Node): ReadonlyArray<string> =>
  lower
    .named(n)
    .filter((c) => lower.type(c) === "modifier")
    .map((c) => lower.textOf(c))

const parametersOf = (lower: Lower, list: Node): void => {
  const type = lower.type(list)
  if (type === "identifier" || type === "implicit_parameter") {
    lower.parameter(lower.textOf(list), lower.at(list))
    return
  }
  for (const p of lower.named(list)) {
    const name = lower.type(p) === "identifier" ? p : lower.field(p, "name")
    if (name < 0) continue
    if (/\bparams\b/.test(lower.textOf(p))) lower.fn.variadic = true
    const passed = /^(?:out|ref)\b/.exec(lower.textOf(p))?.[0]
    const type = lower.textOf(lower.field(p, "type"))
    lower.parameter(lower.textOf(name), lower.at(name), passed === undefined ? type : `${passed} ${type}`)
  }
}

const functionParts =
  (kind: "method" | "lambda") =>
  (lower: Lower, n: Node): FunctionParts => {
    const marks = modifiers(lower, n)
    return {
      name: lower.field(n, "name"),
      async: marks.includes("async") || lower.has(n, "async"),
      marks,
      body: () => {
        if (kind === "method") lower.receiver("this", lower.at(n))
        const list = lower.field(n, "parameters")
        if (list >= 0) parametersOf(lower, list)
        const body =
          lower.field(n, "body") >= 0
            ? lower.field(n, "body")
            : lower.tree.childOf(n, "arrow_expression_clause")
        if (body < 0) return
        if (lower.type(body) === "block") lower.each(lower.named(body))
        else {
          const value = lower.type(body) === "arrow_expression_clause" ? lower.tree.named(body) : body
          lower.statement("return", value, () => lower.return(value, [lower.expr(value)]))
        }
      }
    }
  }

const variables: LowerNode = (lower, n) => {
  const declaration =
    lower.type(n) === "variable_declaration" ? n : lower.tree.childOf(n, "variable_declaration")
  const type = lower.textOf(lower.field(declaration, "type"))
  for (const d of lower.named(declaration)) {
    if (lower.type(d) !== "variable_declarator") continue
    const name = lower.field(d, "name") >= 0 ? lower.field(d, "name") : lower.tree.named(d)
    const value = initial(lower, d, name)
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
const initial = (lower: Lower, d: Node, name: Node): Node => {
  const clause = lower.tree.childOf(d, "equals_value_clause")
  if (clause >= 0) return lower.tree.named(clause)
  return lower.has(d, "=")
    ? (lower
        .named(d)
        .filter((c) => c !== name)
        .pop() ?? -1)
    : -1
}

const classBody = (lower: Lower, n: Node): void =>
  lower.scoped(() => {
    const self = lower.declare("this", -1)
    for (const c of lower.named(lower.field(n, "body"))) {
      const type = lower.type(c)
      if (type in csharp.functions) lower.member(c)
      else if (type === "property_declaration" || type === "indexer_declaration") {
        const name = lower.field(c, "name")
        const accessors = lower.field(c, "accessors")
        for (const a of lower.named(accessors))
          if (lower.field(a, "body") >= 0 || lower.has(a, "arrow_expression_clause"))
            lower.naming(name, () => lower.closure(a))
        const value = lower.field(c, "value")
        if (lower.type(value) === "arrow_expression_clause") lower.naming(name, () => lower.closure(c))
        else if (value >= 0)
          lower.statement("declaration", c, () =>
            lower.store(self, lower.textOf(name), lower.expr(value), lower.at(name))
          )
      } else if (type === "field_declaration") {
        for (const d of lower.named(lower.tree.childOf(c, "variable_declaration"))) {
          if (lower.type(d) !== "variable_declarator") continue
          const name = lower.field(d, "name") >= 0 ? lower.field(d, "name") : lower.tree.named(d)
          const value = initial(lower, d, name)
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
      } else lower.any(c)
    }
  })

const argumentsOf = (
  lower: Lower,
  list: Node
): { readonly slots: Array<number>; readonly keywords: Array<string> } => {
  const keywords: Array<string> = []
  const slots = lower.named(list).map((a) => {
    const name = lower.field(a, "name")
    keywords.push(name < 0 ? "" : lower.textOf(name))
    const parts = lower.named(a).filter((c) => c !== name)
    const value = parts[parts.length - 1] ?? a
    if (lower.type(value) === "declaration_expression") {
      const declared = lower.field(value, "name")
      const slot = lower.declare(lower.textOf(declared), lower.at(declared))
      return lower.copy("ref", [slot], lower.temp(lower.textOf(declared)))
    }
    const slot = lower.type(a) === "argument" ? lower.expr(value) : lower.expr(a)
    return /^(?:ref|out)\b/.test(lower.textOf(a))
      ? lower.copy("ref", [slot], lower.temp(lower.pathOf(slot)))
      : slot
  })
  return { slots, keywords }
}

const callTo = (lower: Lower, callee: Node, list: Node, receiver?: number): number => {
  const type = lower.type(callee)
  const nameOf = (n: Node) => (lower.type(n) === "generic_name" ? lower.tree.named(n) : n)
  if (type === "member_access_expression") {
    const name = nameOf(lower.field(callee, "name"))
    const owner = lower.field(callee, "expression")
    const base =
      lower.type(owner) === "predefined_type" ? lower.constant(lower.textOf(owner)) : lower.expr(owner)
    const { keywords, slots } = argumentsOf(lower, list)
    return lower.call(
      "call",
      { receiver: base, name: lower.dotted(base, lower.textOf(name)), at: lower.at(name) },
      slots,
      keywords
    )
  }
  if (type === "member_binding_expression" && receiver !== undefined) {
    const name = nameOf(lower.field(callee, "name"))
    const { keywords, slots } = argumentsOf(lower, list)
    return lower.call(
      "call",
      { receiver, name: lower.dotted(receiver, lower.textOf(name)), at: lower.at(name) },
      slots,
      keywords
    )
  }
  if (type === "identifier" || type === "generic_name") {
    const name = lower.textOf(nameOf(callee))
    const { keywords, slots } = argumentsOf(lower, list)
    const local = lower.lookup(name)
    return lower.call(
      "call",
      {
        ...(local === undefined ? { receiver: lower.lookup("this") ?? -1 } : { slot: local }),
        name,
        at: lower.at(callee)
      },
      slots,
      keywords
    )
  }
  const slot = lower.expr(callee)
  const { keywords, slots } = argumentsOf(lower, list)
  return lower.call("call", { slot, name: lower.pathOf(slot), at: -1 }, slots, keywords)
}

const creation: LowerExpression = (lower, n) => {
  const type = lower.field(n, "type")
  const written =
    lower.type(type) === "generic_name" ? lower.textOf(lower.tree.named(type)) : lower.textOf(type)
  const { keywords, slots } = argumentsOf(lower, lower.field(n, "arguments"))
  const at = type < 0 ? lower.at(n) : lower.at(type) + Math.max(0, written.lastIndexOf(".") + 1)
  const to = lower.call("new", { name: written, at }, slots, keywords)
  const initializer = lower.field(n, "initializer")
  if (initializer >= 0) fill(lower, to, initializer)
  return to
}
const fill = (lower: Lower, to: number, initializer: Node): void => {
  for (const c of lower.named(initializer)) {
    if (lower.type(c) === "assignment_expression") {
      const left = lower.field(c, "left")
      lower.store(to, lower.textOf(left), lower.expr(lower.field(c, "right")), lower.at(left))
    } else lower.store(to, "[]", lower.expr(c), lower.at(c))
  }
}

const tryStatement: LowerNode = (lower, n) => {
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
                    const declaration = lower.tree.childOf(h, "catch_declaration")
                    const name = lower.field(declaration, "name")
                    lower.statement(
                      "declaration",
                      declaration < 0 ? h : declaration,
                      () => {
                        if (name >= 0) lower.bindName(name, lower.thrown(), true)
                      },
                      declaration < 0 ? lower.tree.start[h]! + 5 : lower.tree.end[declaration]!
                    )
                    lower.any(lower.field(h, "body"))
                  })
              }))
            }),
    cleanup: cleanup === undefined ? undefined : () => lower.each(lower.named(cleanup))
  })
}

const switchStatement: LowerNode = (lower, n) => {
  lower.test(lower.field(n, "value"))
  lower.scoped(() =>
    lower.switch({
      arms: lower.named(lower.field(n, "body")).map((section) => {
        const all = lower.named(section)
        const statements = all.filter((c) => /_statement$|^block$/.test(lower.type(c)))
        const text = lower.textOf(section)
        return {
          fallback: /^default\s*:/.test(text) || lower.has(section, "default"),
          // Labels that share the statements below them.
          falls: statements.length === 0,
          run: () => lower.each(statements)
        }
      })
    })
  )
}

export const csharp: Language = {
  ids: ["csharp"],
  probe: "class A { int F(int a) { return a + 1; } }\n",
  names: new Set(["identifier"]),
  fieldsByName: true,
  functions: {
    method_declaration: functionParts("method"),
    constructor_declaration: functionParts("method"),
    destructor_declaration: functionParts("method"),
    operator_declaration: functionParts("method"),
    conversion_operator_declaration: functionParts("method"),
    accessor_declaration: functionParts("method"),
    property_declaration: (lower, n) => ({
      name: lower.field(n, "name"),
      body: () => {
        lower.receiver("this", lower.at(n))
        const value = lower.tree.named(lower.field(n, "value"))
        if (value >= 0) lower.statement("return", value, () => lower.return(value, [lower.expr(value)]))
      }
    }),
    local_function_statement: functionParts("lambda"),
    lambda_expression: functionParts("lambda"),
    anonymous_method_expression: functionParts("lambda")
  },
  statements: {
    compilation_unit: children,
    global_statement: children,
    namespace_declaration: (lower, n) => lower.each(lower.named(lower.field(n, "body"))),
    file_scoped_namespace_declaration: children,
    declaration_list: children,
    class_declaration: classBody,
    struct_declaration: classBody,
    record_declaration: classBody,
    record_struct_declaration: classBody,
    interface_declaration: classBody,
    enum_declaration: nothing,
    property_declaration: nothing,
    block: scopedChildren,
    local_declaration_statement: variables,
    expression_statement: (lower, n) => {
      const e = lower.tree.named(n)
      const type = lower.type(e)
      lower.statement(
        type.includes("assignment") ? "assignment" : type.includes("invocation") ? "call" : "expression",
        n,
        () => lower.expr(e)
      )
    },
    if_statement: ifElse,
    while_statement: (lower, n) => {
      const condition = lower.field(n, "condition")
      lower.while({
        labels: lower.takeLabels(),
        condition: lower.textOf(condition) === "true" ? undefined : () => lower.test(condition),
        body: () => lower.any(lower.field(n, "body"))
      })
    },
    do_statement: doWhile,
    for_statement: counting((lower, n) => {
      for (const i of lower.fields(n, "initializer")) {
        if (lower.type(i) === "variable_declaration") variables(lower, i)
        else lower.any(i)
      }
    }),
    foreach_statement: (lower, n) => {
      const left = lower.field(n, "left")
      over(lower, n, left, lower.field(n, "right"), (item) => lower.bind(left, item, true))
    },
    switch_statement: switchStatement,
    try_statement: tryStatement,
    using_statement: (lower, n) =>
      lower.scoped(() => {
        const body = lower.field(n, "body")
        for (const c of lower.named(n)) {
          if (c === body) continue
          if (lower.type(c) === "variable_declaration") variables(lower, c)
          else lower.statement("expression", c, () => lower.expr(c))
        }
        lower.any(body)
      }),
    lock_statement: (lower, n) => {
      const [lock, body] = lower.named(n)
      if (lock !== undefined)
        lower.statement(
          "call",
          lock,
          () => void lower.call("call", { receiver: lower.expr(lock), name: "lock", at: lower.at(n) }, [])
        )
      lower.any(body ?? -1)
    },
    checked_statement: children,
    unsafe_statement: children,
    fixed_statement: children,
    return_statement: returning,
    throw_statement: throwing,
    yield_statement: (lower, n) => {
      const value = lower.tree.named(n)
      lower.statement("yield", n, () => {
        if (value >= 0) lower.fn.op("yield", "assign", -1, [lower.expr(value)], { at: lower.at(n) })
      })
      if (value < 0) lower.fn.return()
    },
    break_statement: breaking,
    continue_statement: continuing,
    goto_statement: (lower, n) => {
      lower.statement("jump", n, () => {})
      const label = lower.tree.named(n)
      if (label >= 0 && lower.type(label) === "identifier" && !/^goto\s+case/.test(lower.textOf(n)))
        lower.fn.goto(lower.textOf(label))
      else {
        lower.fn.approximations.add("goto_case")
        lower.fn.break()
      }
    },
    labeled_statement: (lower, n) => {
      lower.fn.enter(lower.fn.label(lower.textOf(lower.tree.named(n))))
      lower.any(lower.tree.named(n, 1))
    },
    using_directive: nothing,
    empty_statement: nothing,
    delegate_declaration: nothing,
    event_field_declaration: nothing
  },
  expressions: {
    parenthesized_expression: inner,
    cast_expression: valueOf("value"),
    as_expression: (lower, n) => lower.expr(lower.tree.named(n)),
    is_expression: compared,
    is_pattern_expression: (lower, n) => {
      const value = lower.expr(lower.field(n, "expression"))
      const pattern = lower.field(n, "pattern")
      for (let c = pattern; pattern >= 0 && c < lower.tree.after[pattern]!; c++)
        if (lower.type(c) === "declaration_pattern") lower.bind(lower.field(c, "name"), value, true)
      return lower.compare([value])
    },
    invocation_expression: (lower, n) =>
      callTo(lower, lower.field(n, "function"), lower.field(n, "arguments")),
    conditional_access_expression: (lower, n) => {
      const base = lower.expr(lower.field(n, "condition"))
      const rest = lower.named(n).pop() ?? -1
      return bound(lower, rest, base)
    },
    member_access_expression: (lower, n) => {
      const name = lower.field(n, "name")
      return lower.load(lower.expr(lower.field(n, "expression")), lower.textOf(name), lower.at(name))
    },
    element_access_expression: (lower, n) => {
      const list =
        lower.field(n, "subscript") >= 0
          ? lower.field(n, "subscript")
          : lower.tree.childOf(n, "bracketed_argument_list")
      return element(lower, lower.field(n, "expression"), lower.tree.named(lower.tree.named(list)))
    },
    object_creation_expression: creation,
    implicit_object_creation_expression: creation,
    anonymous_object_creation_expression: (lower, n) => {
      const to = lower.constant("", lower.at(n))
      let name = ""
      for (const c of lower.named(n)) {
        if (
          lower.type(c) === "identifier" &&
          lower.text
            .slice(lower.tree.end[c]!, lower.tree.end[c]! + 3)
            .trim()
            .startsWith("=")
        )
          name = lower.textOf(c)
        else {
          lower.store(to, name === "" ? lower.textOf(c) : name, lower.expr(c), lower.at(c))
          name = ""
        }
      }
      return to
    },
    assignment_expression: (lower, n) => {
      const left = lower.field(n, "left")
      const right = lower.expr(lower.field(n, "right"))
      const operator = lower.textOf(lower.field(n, "operator"))
      const compound = operator !== "=" && operator !== ""
      const value = compound
        ? operator === "??="
          ? lower.choose([lower.expr(left), right])
          : lower.derive([lower.expr(left), right])
        : right
      lower.bind(left, value, false)
      return value
    },
    binary_expression: binary("binary_expression"),
    prefix_unary_expression: compared,
    unary_expression: compared,
    ref_expression: inner,
    postfix_unary_expression: (lower, n) => {
      const target = lower.tree.named(n)
      const value = lower.derive([lower.expr(target)])
      if (!lower.textOf(n).endsWith("!")) lower.bind(target, value, false)
      return value
    },
    conditional_expression: (lower, n) => {
      lower.fn.op("test", "assign", -1, [lower.expr(lower.field(n, "condition"))], { at: lower.at(n) })
      return lower.choose([
        lower.expr(lower.field(n, "consequence")),
        lower.expr(lower.field(n, "alternative"))
      ])
    },
    switch_expression: (lower, n) => {
      const [value, ...rest] = lower.named(n)
      lower.fn.op("test", "assign", -1, [lower.expr(value ?? -1)], { at: lower.at(n) })
      const arms = rest.flatMap((c) => (lower.type(c) === "switch_expression_arm" ? [c] : lower.named(c)))
      return lower.choose(arms.map((arm) => lower.expr(lower.tree.named(arm, -1))))
    },
    await_expression: (lower, n) => {
      const value = lower.expr(lower.tree.named(n))
      return lower.copy("await", [value], lower.temp(lower.pathOf(value)))
    },
    throw_expression: (lower, n) => {
      lower.throw(n, lower.expr(lower.tree.named(n)))
      return lower.constant()
    },
    interpolated_string_expression: (lower, n) => {
      const parts = lower
        .named(n)
        .filter((c) => lower.type(c) === "interpolation")
        .map((c) =>
          lower.expr(lower.named(c).find((part) => !lower.language.silent.has(lower.type(part))) ?? -1)
        )
      return parts.length === 0 ? lower.constant() : lower.derive(parts)
    },
    tuple_expression: (lower, n) => {
      const to = lower.constant("", lower.at(n))
      lower
        .named(n)
        .forEach((c, i) =>
          lower.store(
            to,
            `[${i}]`,
            lower.expr(lower.tree.named(c, -1) >= 0 ? lower.tree.named(c, -1) : c),
            lower.at(c)
          )
        )
      return to
    },
    initializer_expression: (lower, n) => {
      const to = lower.constant("", lower.at(n))
      fill(lower, to, n)
      return to
    },
    array_creation_expression: (lower, n) => lastInitializer(lower, n),
    implicit_array_creation_expression: (lower, n) => lastInitializer(lower, n),
    this_expression: (lower) => lower.variable("this"),
    this: (lower) => lower.variable("this"),
    base_expression: (lower) => lower.variable("this"),
    base: (lower) => lower.variable("this"),
    generic_name: constant,
    string_literal: constant,
    verbatim_string_literal: constant,
    raw_string_literal: constant,
    integer_literal: constant,
    real_literal: constant,
    boolean_literal: constant,
    null_literal: constant,
    character_literal: constant,
    typeof_expression: constant,
    default_expression: constant,
    sizeof_expression: constant,
    query_expression: derived,
    with_expression: chosen
  },
  patterns: {
    member_access_expression: (lower, n, value) => {
      const name = lower.field(n, "name")
      lower.store(lower.expr(lower.field(n, "expression")), lower.textOf(name), value, lower.at(name))
    },
    element_access_expression: (lower, n, value) => {
      const list =
        lower.field(n, "subscript") >= 0
          ? lower.field(n, "subscript")
          : lower.tree.childOf(n, "bracketed_argument_list")
      const index = lower.tree.named(lower.tree.named(list))
      lower.store(lower.expr(lower.field(n, "expression")), elementName(lower, index), value, lower.at(index))
    },
    identifier: (lower, n, value, declares) => {
      const name = lower.textOf(n)
      if (name === "_") return
      const self = lower.lookup("this")
      if (!declares && self !== undefined && lower.lookup(name) === undefined)
        lower.store(self, name, value, lower.at(n))
      else lower.bindName(n, value, declares)
    },
    tuple_expression: (lower, n, value, declares) =>
      lower.named(n).forEach((c, i) => {
        const target = lower.type(c) === "argument" ? lower.tree.named(c, -1) : c
        const declaration = lower.type(target) === "declaration_expression"
        lower.bind(
          declaration ? lower.field(target, "name") : target,
          lower.load(value, `[${i}]`),
          declares || declaration
        )
      }),
    tuple_pattern: (lower, n, value) =>
      lower.named(n).forEach((c, i) => lower.bind(c, lower.load(value, `[${i}]`), true)),
    declaration_expression: (lower, n, value) => {
      const name = lower.field(n, "name")
      if (lower.type(name) === "parenthesized_variable_designation")
        lower.named(name).forEach((c, i) => lower.bind(c, lower.load(value, `[${i}]`), true))
      else lower.bind(name, value, true)
    },
    parenthesized_variable_designation: (lower, n, value) =>
      lower.named(n).forEach((c, i) => lower.bind(c, lower.load(value, `[${i}]`), true)),
    parenthesized_expression: (lower, n, value, declares) => lower.bind(lower.tree.named(n), value, declares)
  },
  silent: new Set([
    "comment",
    "modifier",
    "attribute_list",
    "predefined_type",
    "type_argument_list",
    "type_parameter_list",
    "nullable_type",
    "array_type",
    "base_list",
    "preproc_region",
    "preproc_endregion",
    "string_content",
    "implicit_type",
    "interpolation_brace",
    "global_attribute",
    "attribute"
  ])
}

/** What follows `?.`. */
const bound = (lower: Lower, n: Node, base: number): number => {
  const type = lower.type(n)
  if (type === "member_binding_expression") {
    const name = lower.field(n, "name")
    return lower.load(base, lower.textOf(name), lower.at(name))
  }
  if (type === "invocation_expression") {
    const callee = lower.field(n, "function")
    if (lower.type(callee) === "member_binding_expression")
      return callTo(lower, callee, lower.field(n, "arguments"), base)
    if (lower.type(callee) === "member_access_expression") {
      const receiver = bound(lower, lower.field(callee, "expression"), base)
      const name = lower.field(callee, "name")
      const { slots } = argumentsOf(lower, lower.field(n, "arguments"))
      return lower.call(
        "call",
        { receiver, name: lower.dotted(receiver, lower.textOf(name)), at: lower.at(name) },
        slots
      )
    }
  }
  if (type === "member_access_expression") {
    const name = lower.field(n, "name")
    return lower.load(bound(lower, lower.field(n, "expression"), base), lower.textOf(name), lower.at(name))
  }
  if (type === "element_binding_expression") return lower.load(base, "[]")
  return lower.derive([base, lower.expr(n)])
}

const lastInitializer = (lower: Lower, n: Node): number => {
  const initializer = lower.tree.childOf(n, "initializer_expression")
  return initializer < 0 ? lower.constant("", lower.at(n)) : lower.expr(initializer)
}
