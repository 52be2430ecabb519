/** C and C++. What `*p` holds is an element of `p`. */
import type { Node } from "../../languages/treesitter/SyntaxTree.ts"
import type { FunctionParts, Language, Lower, LowerExpression, LowerNode } from "../Lower.ts"
import {
  binary,
  breaking,
  children,
  compared,
  constant,
  continuing,
  counting,
  derived,
  doWhile,
  element,
  elementName,
  inner,
  nothing,
  over,
  returning,
  scopedChildren,
  throwing,
  valueOf
} from "./shared.ts"

/** The name a declarator declares, behind pointers, arrays, references and parentheses. */
const declared = (lower: Lower, n: Node): Node => {
  let at = n
  for (let i = 0; i < 40 && at >= 0; i++) {
    const type = lower.type(at)
    if (
      type === "identifier" ||
      type === "field_identifier" ||
      type === "type_identifier" ||
      type === "destructor_name" ||
      type === "operator_name"
    )
      return at
    if (type === "qualified_identifier" || type === "template_function") {
      at = lower.field(at, "name")
      continue
    }
    const inside = lower.field(at, "declarator")
    at = inside >= 0 ? inside : lower.tree.named(at)
  }
  return at
}

const functionDeclarator = (lower: Lower, n: Node): Node => {
  let at = lower.field(n, "declarator")
  for (
    let i = 0;
    i < 20 &&
    at >= 0 &&
    lower.type(at) !== "function_declarator" &&
    lower.type(at) !== "abstract_function_declarator";
    i++
  ) {
    const inside = lower.field(at, "declarator")
    at = inside >= 0 ? inside : lower.tree.named(at)
  }
  return at
}

const parametersOf = (lower: Lower, list: Node): void => {
  for (const p of lower.named(list)) {
    const type = lower.type(p)
    if (type === "variadic_parameter") {
      lower.fn.variadic = true
      continue
    }
    if (!type.endsWith("parameter_declaration")) continue
    const declarator = lower.field(p, "declarator")
    const name = declarator < 0 ? -1 : declared(lower, declarator)
    if (name < 0 || !lower.type(name).endsWith("identifier")) {
      if (lower.textOf(p) !== "void") lower.unnamed(lower.at(p))
    } else
      lower.parameter(
        lower.textOf(name),
        lower.at(name),
        lower.textOf(lower.field(p, "type")) + (/^[*&]/.exec(lower.textOf(declarator))?.[0] ?? "")
      )
  }
}

const functionParts = (lower: Lower, n: Node): FunctionParts => {
  const lambda = lower.type(n) === "lambda_expression"
  const declarator = functionDeclarator(lower, n)
  const target = lower.field(declarator, "declarator")
  const qualified = lower.type(target) === "qualified_identifier"
  const inClass = lower.type(lower.tree.parent[n]!) === "field_declaration_list"
  return {
    name: lambda ? -1 : declared(lower, target),
    body: () => {
      if (!lambda && (qualified || inClass)) lower.receiver("this", lower.at(n))
      parametersOf(lower, lower.field(declarator, "parameters"))
      const initializers = lower.tree.childOf(n, "field_initializer_list")
      const self = lower.lookup("this")
      for (const f of lower.named(initializers)) {
        const [name, value] = lower.named(f)
        if (name === undefined || value === undefined || self === undefined) continue
        lower.statement("assignment", f, () =>
          lower.store(
            self,
            lower.textOf(name),
            lower.choose(lower.named(value).map((v) => lower.expr(v))),
            lower.at(name)
          )
        )
      }
      const body = lower.field(n, "body")
      if (lower.type(body) === "try_statement") lower.any(body)
      else lower.each(lower.named(body))
    }
  }
}

const declaration: LowerNode = (lower, n) => {
  const type = lower.textOf(lower.field(n, "type"))
  for (const d of lower.fields(n, "declarator")) {
    const kind = lower.type(d)
    if (kind === "init_declarator") {
      const inside = lower.field(d, "declarator")
      const value = lower.field(d, "value")
      if (
        lower.type(inside) === "structured_binding_declarator" ||
        lower.type(lower.tree.named(inside)) === "structured_binding_declarator"
      ) {
        const names = lower.named(
          lower.type(inside) === "structured_binding_declarator" ? inside : lower.tree.named(inside)
        )
        lower.statement("declaration", d, () => {
          const given = lower.expr(value)
          names.forEach((name, i) => lower.bindName(name, lower.load(given, `[${i}]`), true))
        })
        continue
      }
      const name = declared(lower, inside)
      if (name < 0) continue
      lower.statement("declaration", d, () => {
        // `C x(a)` makes an object; a list in braces may as well.
        const given =
          lower.type(value) === "argument_list"
            ? lower.call(
                "new",
                { name: type, at: lower.at(lower.field(n, "type")) },
                lower.named(value).map((v) => lower.expr(v))
              )
            : lower.naming(name, () => lower.expr(value))
        lower.bindName(name, given, true, { type })
      })
    } else if (kind !== "function_declarator") {
      const name = declared(lower, d)
      if (name >= 0 && lower.type(name) === "identifier") {
        lower.declare(lower.textOf(name), lower.at(name), { type })
      }
    }
  }
}

const argumentsOf = (lower: Lower, n: Node): Array<number> =>
  lower.named(lower.field(n, "arguments")).map((c) => lower.expr(c))

const call: LowerExpression = (lower, n) => {
  let callee = lower.field(n, "function")
  while (lower.type(callee) === "parenthesized_expression") callee = lower.tree.named(callee)
  const type = lower.type(callee)
  const plain = (name: Node) =>
    lower.type(name) === "template_method" || lower.type(name) === "template_function"
      ? lower.field(name, "name")
      : name
  if (type === "field_expression") {
    const name = plain(lower.field(callee, "field"))
    const receiver = lower.expr(lower.field(callee, "argument"))
    return lower.call(
      "call",
      { receiver, name: lower.dotted(receiver, lower.textOf(name)), at: lower.at(name) },
      argumentsOf(lower, n)
    )
  }
  if (type === "identifier" || type === "template_function") {
    const at = plain(callee)
    const name = lower.textOf(at)
    const local = lower.lookup(name)
    const self = lower.lookup("this")
    return lower.call(
      "call",
      {
        ...(local === undefined
          ? self === undefined
            ? { slot: lower.variable(name) }
            : { receiver: self }
          : { slot: local }),
        name,
        at: lower.at(at)
      },
      argumentsOf(lower, n)
    )
  }
  if (type === "qualified_identifier") {
    let name = lower.field(callee, "name")
    while (lower.type(name) === "qualified_identifier") name = lower.field(name, "name")
    name = plain(name)
    return lower.call(
      "call",
      { name: lower.textOf(callee).replaceAll("::", ".").replace(/<.*$/, ""), at: lower.at(name) },
      argumentsOf(lower, n)
    )
  }
  const slot = lower.expr(callee)
  return lower.call("call", { slot, name: lower.pathOf(slot), at: -1 }, argumentsOf(lower, n))
}

const typeBody: LowerNode = (lower, n) =>
  lower.scoped(() => {
    for (const c of lower.named(lower.field(n, "body"))) {
      if (lower.type(c) === "function_definition") lower.member(c)
      else if (lower.type(c) === "template_declaration") {
        const inside = lower.named(c).find((s) => lower.type(s) === "function_definition")
        if (inside !== undefined) lower.member(inside)
      } else if (lower.type(c).endsWith("_specifier")) lower.any(c)
    }
  })

const condition = (lower: Lower, n: Node): number => {
  const inside = lower.type(n) === "condition_clause" ? lower.field(n, "value") : n
  const init = lower.type(n) === "condition_clause" ? lower.field(n, "initializer") : -1
  if (init >= 0) lower.any(init)
  if (lower.type(inside) === "declaration") {
    const value = lower.field(inside, "value")
    const name = declared(lower, lower.field(inside, "declarator"))
    lower.statement("condition", inside, () => {
      const slot = lower.bindName(name, lower.expr(value), true)
      lower.fn.op("test", "assign", -1, [slot], { at: lower.at(inside) })
    })
    return lower.fn.current
  }
  return lower.test(inside < 0 ? n : inside)
}

const switchStatement: LowerNode = (lower, n) => {
  const labels = lower.takeLabels()
  condition(lower, lower.field(n, "condition"))
  const body = lower.field(n, "body")
  const all = lower.type(body) === "compound_statement" ? lower.named(body) : [body]
  lower.scoped(() =>
    lower.switch({
      labels,
      arms: all
        .filter((c) => lower.type(c) === "case_statement")
        .map((c) => {
          const value = lower.field(c, "value")
          return {
            fallback: value < 0,
            falls: true,
            run: () => lower.each(lower.named(c).filter((s) => s !== value))
          }
        })
    })
  )
}

const pointer: LowerExpression = (lower, n) => {
  const value = lower.expr(lower.field(n, "argument"))
  const operator = lower.textOf(lower.field(n, "operator"))
  return operator === "&"
    ? lower.copy("ref", [value], lower.temp(lower.pathOf(value)))
    : lower.load(value, "[]")
}

export const c: Language = {
  ids: ["c", "cpp"],
  probe: "int f(int a) { return a + 1; }\n",
  names: new Set(["identifier"]),
  fieldsByName: true,
  functions: {
    function_definition: functionParts,
    lambda_expression: functionParts
  },
  statements: {
    translation_unit: children,
    function_definition: (lower, n) => {
      const declarator = functionDeclarator(lower, n)
      if (lower.type(lower.field(declarator, "declarator")) === "qualified_identifier") lower.member(n)
      else lower.declareFunction(n)
    },
    namespace_definition: (lower, n) => lower.any(lower.field(n, "body")),
    linkage_specification: (lower, n) => lower.any(lower.field(n, "body")),
    declaration_list: children,
    template_declaration: children,
    class_specifier: typeBody,
    struct_specifier: typeBody,
    preproc_if: children,
    preproc_ifdef: children,
    preproc_else: children,
    preproc_elif: children,
    compound_statement: scopedChildren,
    declaration: (lower, n) => {
      const type = lower.field(n, "type")
      if (/^(?:class|struct)_specifier$/.test(lower.type(type)) && lower.field(type, "body") >= 0)
        lower.any(type)
      declaration(lower, n)
    },
    expression_statement: (lower, n) => {
      const e = lower.tree.named(n)
      if (e < 0) return
      const type = lower.type(e)
      lower.statement(
        type.includes("assignment") ? "assignment" : type === "call_expression" ? "call" : "expression",
        n,
        () => lower.expr(e)
      )
    },
    if_statement: (lower, n) =>
      lower.scoped(() => {
        const alternative = lower.field(n, "alternative")
        const otherwise =
          lower.type(alternative) === "else_clause" ? lower.tree.named(alternative) : alternative
        lower.if(
          () => condition(lower, lower.field(n, "condition")),
          () => lower.any(lower.field(n, "consequence")),
          otherwise < 0 ? undefined : () => lower.any(otherwise)
        )
      }),
    while_statement: (lower, n) => {
      const test = lower.field(n, "condition")
      lower.while({
        labels: lower.takeLabels(),
        condition: /^\(\s*(?:1|true)\s*\)$/.test(lower.textOf(test))
          ? undefined
          : () => condition(lower, test),
        body: () => lower.any(lower.field(n, "body"))
      })
    },
    do_statement: doWhile,
    for_statement: counting((lower, n) => {
      const initializer = lower.field(n, "initializer")
      if (lower.type(initializer) === "declaration") lower.any(initializer)
      else if (initializer >= 0) lower.statement("expression", initializer, () => lower.expr(initializer))
    }),
    for_range_loop: (lower, n) => {
      const left = lower.field(n, "declarator")
      over(lower, n, left, lower.field(n, "right"), (item) => {
        const names =
          lower.type(left) === "structured_binding_declarator"
            ? left
            : lower.type(lower.tree.named(left)) === "structured_binding_declarator"
              ? lower.tree.named(left)
              : -1
        if (names >= 0)
          lower.named(names).forEach((name, i) => lower.bindName(name, lower.load(item, `[${i}]`), true))
        else lower.bindName(declared(lower, left), item, true)
      })
    },
    switch_statement: switchStatement,
    case_statement: (lower, n) => {
      const value = lower.field(n, "value")
      lower.fn.approximations.add("nested_case")
      lower.each(lower.named(n).filter((s) => s !== value))
    },
    labeled_statement: (lower, n) => {
      const label = lower.field(n, "label")
      lower.fn.enter(lower.fn.label(lower.textOf(label)))
      lower.each(lower.named(n).filter((s) => s !== label))
    },
    goto_statement: (lower, n) => {
      lower.statement("jump", n, () => {})
      lower.fn.goto(lower.textOf(lower.field(n, "label")))
    },
    return_statement: returning,
    co_return_statement: returning,
    co_yield_statement: (lower, n) =>
      lower.statement("yield", n, () =>
        lower.fn.op("yield", "assign", -1, [lower.expr(lower.tree.named(n))], { at: lower.at(n) })
      ),
    throw_statement: throwing,
    try_statement: (lower, n) => {
      const handlers = lower.named(n).filter((s) => lower.type(s) === "catch_clause")
      lower.fn.try({
        body: () => lower.any(lower.field(n, "body")),
        handlers: () =>
          lower.switch({
            breaks: false,
            exhaustive: true,
            arms: handlers.map((h) => ({
              fallback: false,
              falls: false,
              run: () =>
                lower.scoped(() => {
                  const list = lower.field(h, "parameters")
                  const p = lower.named(list)[0]
                  lower.statement("declaration", list < 0 ? h : list, () => {
                    const declarator = p === undefined ? -1 : lower.field(p, "declarator")
                    if (declarator >= 0) lower.bindName(declared(lower, declarator), lower.thrown(), true)
                  })
                  lower.any(lower.field(h, "body"))
                })
            }))
          })
      })
    },
    break_statement: breaking,
    continue_statement: continuing,
    preproc_include: nothing,
    preproc_def: nothing,
    preproc_function_def: nothing,
    preproc_call: nothing,
    type_definition: nothing,
    using_declaration: nothing,
    alias_declaration: nothing,
    static_assert_declaration: nothing,
    enum_specifier: nothing,
    union_specifier: nothing,
    access_specifier: nothing
  },
  expressions: {
    parenthesized_expression: inner,
    cast_expression: valueOf("value"),
    call_expression: call,
    field_expression: (lower, n) => {
      const name = lower.field(n, "field")
      return lower.load(lower.expr(lower.field(n, "argument")), lower.textOf(name), lower.at(name))
    },
    pointer_expression: pointer,
    subscript_expression: (lower, n) => element(lower, lower.field(n, "argument"), indexOf(lower, n)),
    assignment_expression: (lower, n) => {
      const left = lower.field(n, "left")
      const right = lower.expr(lower.field(n, "right"))
      const compound = lower.textOf(lower.field(n, "operator")) !== "="
      const value = compound ? lower.derive([lower.expr(left), right]) : right
      lower.bind(left, value, false)
      return value
    },
    // `<<` and `>>` of a stream are calls on it.
    binary_expression: (lower, n) => {
      const operator = lower.textOf(lower.field(n, "operator"))
      if (operator !== ">>" && operator !== "<<") return binary("binary_expression")(lower, n)
      const right = lower.field(n, "right")
      const left = lower.expr(lower.field(n, "left"))
      const value = lower.expr(right)
      if (operator === "<<") {
        const to = lower.call(
          "call",
          { receiver: left, name: lower.dotted(left, "<<"), at: lower.at(right) },
          [value]
        )
        return to
      }
      const got = lower.call(
        "call",
        { receiver: left, name: lower.dotted(left, ">>"), at: lower.at(right) },
        []
      )
      if (/identifier|field_expression/.test(lower.type(right))) lower.bind(right, got, false)
      return left
    },
    unary_expression: compared,
    update_expression: (lower, n) => {
      const target = lower.field(n, "argument")
      const value = lower.derive([lower.expr(target)])
      lower.bind(target, value, false)
      return value
    },
    conditional_expression: (lower, n) => {
      lower.fn.op("test", "assign", -1, [lower.expr(lower.field(n, "condition"))], { at: lower.at(n) })
      return lower.choose([
        lower.expr(lower.field(n, "consequence")),
        lower.expr(lower.field(n, "alternative"))
      ])
    },
    comma_expression: (lower, n) => {
      lower.expr(lower.field(n, "left"))
      return lower.expr(lower.field(n, "right"))
    },
    new_expression: (lower, n) => {
      const type = lower.field(n, "type")
      return lower.call("new", { name: lower.textOf(type), at: lower.at(type) }, argumentsOf(lower, n))
    },
    delete_expression: (lower, n) =>
      lower.call(
        "call",
        { name: "delete", at: lower.at(n) },
        lower.named(n).map((s) => lower.expr(s))
      ),
    initializer_list: (lower, n) => {
      const to = lower.constant("", lower.at(n))
      lower.named(n).forEach((s, i) => {
        if (lower.type(s) === "initializer_pair") {
          const name = lower.textOf(lower.field(s, "designator")).replace(/^\./, "")
          lower.store(to, name, lower.expr(lower.field(s, "value")), lower.at(s) + 1)
        } else lower.store(to, `[${i}]`, lower.expr(s), lower.at(s))
      })
      return to
    },
    compound_literal_expression: valueOf("value"),
    qualified_identifier: (lower, n) => {
      let name = lower.field(n, "name")
      while (lower.type(name) === "qualified_identifier") name = lower.field(name, "name")
      const written = lower.textOf(n).replaceAll("::", ".")
      return lower.copy("assign", [], lower.temp(written), written, lower.at(name))
    },
    co_await_expression: (lower, n) => {
      const value = lower.expr(lower.tree.named(n))
      return lower.copy("await", [value], lower.temp())
    },
    concatenated_string: derived,
    this: (lower) => lower.variable("this"),
    string_literal: constant,
    raw_string_literal: constant,
    char_literal: constant,
    number_literal: constant,
    true: constant,
    false: constant,
    null: constant,
    nullptr: constant,
    sizeof_expression: constant,
    alignof_expression: constant
  },
  patterns: {
    identifier: (lower, n, value, declares) => {
      const name = lower.textOf(n)
      const self = lower.lookup("this")
      if (!declares && self !== undefined && lower.lookup(name) === undefined)
        lower.store(self, name, value, lower.at(n))
      else lower.bindName(n, value, declares)
    },
    field_expression: (lower, n, value) => {
      const name = lower.field(n, "field")
      lower.store(lower.expr(lower.field(n, "argument")), lower.textOf(name), value, lower.at(name))
    },
    subscript_expression: (lower, n, value) => {
      const index = indexOf(lower, n)
      lower.store(lower.expr(lower.field(n, "argument")), elementName(lower, index), value, lower.at(index))
    },
    pointer_expression: (lower, n, value) => {
      const target = lower.field(n, "argument")
      lower.store(lower.expr(target), "[]", value, lower.at(target))
    },
    parenthesized_expression: (lower, n, value, declares) => lower.bind(lower.tree.named(n), value, declares)
  },
  silent: new Set([
    "comment",
    "preproc_defined",
    "friend_declaration",
    "type_identifier",
    "primitive_type",
    "type_qualifier",
    "storage_class_specifier",
    "sized_type_specifier",
    "type_descriptor",
    "template_parameter_list",
    "template_argument_list",
    "attribute_declaration",
    "ms_declspec_modifier",
    "attribute_specifier",
    "placeholder_type_specifier",
    "string_content",
    "escape_sequence"
  ])
}

const indexOf = (lower: Lower, n: Node): Node => {
  const own = lower.field(n, "index")
  if (own >= 0) return own
  return lower.tree.named(lower.field(n, "indices"))
}
