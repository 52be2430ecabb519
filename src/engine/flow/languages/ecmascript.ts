/** JavaScript and TypeScript, with JSX. */
import type { Node } from "../../languages/treesitter/SyntaxTree.ts"
import type { FunctionParts, Language, Lower, LowerExpression, LowerNode } from "../Lower.ts"
import {
  binary,
  constant,
  derived,
  doWhile,
  element,
  elementName,
  inner,
  nothing,
  returning
} from "./shared.ts"

const functionOf =
  (own: { readonly generator?: boolean; readonly lexical?: boolean }) =>
  (lower: Lower, n: Node): FunctionParts => {
    const name = lower.field(n, "name")
    return {
      name: lower.type(name) === "computed_property_name" ? -1 : name,
      generator: own.generator === true || lower.has(n, "*"),
      async: lower.has(n, "async"),
      marks: ["get", "set", "static"].filter((word) => lower.has(n, word)),
      body: () => {
        if (own.lexical !== true) lower.receiver("this", lower.at(n))
        const single = lower.field(n, "parameter")
        if (single >= 0) lower.parameter(lower.textOf(single), lower.at(single))
        for (const p of lower.named(lower.field(n, "parameters"))) parameter(lower, p)
        const body = lower.field(n, "body")
        if (lower.type(body) === "statement_block") {
          hoist(lower, body)
          lower.each(lower.named(body))
        } else if (body >= 0) lower.statement("return", body, () => lower.return(body, [lower.expr(body)]))
      }
    }
  }

const parameter = (lower: Lower, n: Node): void => {
  const type = lower.type(n)
  if (type === "required_parameter" || type === "optional_parameter") {
    const pattern = lower.field(n, "pattern")
    const written = lower.textOf(lower.field(n, "type")).replace(/^:\s*/, "")
    oneParameter(lower, pattern, lower.field(n, "value"), written)
    return
  }
  if (type === "assignment_pattern")
    return oneParameter(lower, lower.field(n, "left"), lower.field(n, "right"), "")
  oneParameter(lower, n, -1, "")
}

const oneParameter = (lower: Lower, pattern: Node, value: Node, written: string): void => {
  if (lower.type(pattern) === "rest_pattern") {
    lower.fn.variadic = true
    const name = lower.tree.named(pattern)
    if (lower.type(name) === "identifier") lower.parameter(lower.textOf(name), lower.at(name), written)
    else lower.bind(name, lower.unnamed(lower.at(name)), true)
    return
  }
  if (lower.type(pattern) === "this") return
  if (lower.type(pattern) === "identifier") {
    const slot = lower.parameter(lower.textOf(pattern), lower.at(pattern), written)
    if (value >= 0)
      lower.statement("declaration", value, () => {
        const given = lower.expr(value)
        lower.fn.op("copy", "choose", slot, [slot, given], {
          name: lower.textOf(pattern),
          at: lower.at(pattern)
        })
      })
    return
  }
  const slot = lower.unnamed(lower.at(pattern))
  lower.statement("declaration", pattern, () => {
    const given = value >= 0 ? lower.choose([slot, lower.expr(value)]) : slot
    lower.bind(pattern, given, true)
  })
}

/** Function and class declarations of a block can be used above them; `var` belongs to the whole function. */
const hoist = (lower: Lower, body: Node): void => {
  for (const child of lower.named(body)) {
    const at = lower.type(child) === "export_statement" ? lower.field(child, "declaration") : child
    const type = lower.type(at)
    if (
      type === "function_declaration" ||
      type === "generator_function_declaration" ||
      type === "class_declaration"
    ) {
      const name = lower.field(at, "name")
      if (name >= 0) lower.declare(lower.textOf(name), lower.at(name), { whole: true })
    }
  }
}

const variables =
  (whole: boolean): LowerNode =>
  (lower, n) => {
    for (const d of lower.named(n)) {
      if (lower.type(d) !== "variable_declarator") continue
      const name = lower.field(d, "name")
      const value = lower.field(d, "value")
      const simple = lower.type(name) === "identifier"
      if (simple && value < 0) {
        lower.declare(lower.textOf(name), lower.at(name), {
          whole,
          type: lower.textOf(lower.field(d, "type"))
        })
        continue
      }
      lower.statement(whole || value >= 0 ? "declaration" : "expression", d, () => {
        const given = simple ? lower.naming(name, () => lower.expr(value)) : lower.expr(value)
        if (simple)
          lower.bindName(name, given, true, {
            whole,
            type: lower.textOf(lower.field(d, "type")).replace(/^:\s*/, "")
          })
        else lower.bind(name, given, true)
      })
    }
  }

const assignment =
  (compound: boolean): LowerExpression =>
  (lower, n) => {
    const left = lower.field(n, "left")
    const right = lower.field(n, "right")
    const name = lower.type(left) === "member_expression" ? lower.field(left, "property") : left
    const given = lower.naming(name, () => lower.expr(right))
    const logical = /^(?:\|\||&&|\?\?)=$/.test(lower.textOf(lower.field(n, "operator")))
    const value = compound
      ? logical
        ? lower.choose([lower.expr(left), given])
        : lower.derive([lower.expr(left), given])
      : given
    lower.bind(left, value, false)
    return value
  }

const member: LowerExpression = (lower, n) => {
  const property = lower.field(n, "property")
  return lower.load(lower.expr(lower.field(n, "object")), lower.textOf(property), lower.at(property))
}

const argumentsOf = (lower: Lower, n: Node): Array<number> =>
  lower.type(n) === "template_string"
    ? lower
        .named(n)
        .filter((c) => lower.type(c) === "template_substitution")
        .map((c) => lower.expr(c))
    : lower.named(n).map((c) => lower.expr(c))

const unwrapped = (lower: Lower, n: Node): Node => {
  let at = n
  while (
    ["parenthesized_expression", "non_null_expression", "as_expression", "satisfies_expression"].includes(
      lower.type(at)
    )
  )
    at = lower.tree.named(at)
  return at
}

const call =
  (how: "call" | "new", calleeField: string): LowerExpression =>
  (lower, n) => {
    const callee = unwrapped(lower, lower.field(n, calleeField))
    const args = lower.field(n, "arguments")
    const type = lower.type(callee)
    if (type === "member_expression") {
      const property = lower.field(callee, "property")
      const receiver = lower.expr(lower.field(callee, "object"))
      return lower.call(
        how,
        { receiver, name: lower.dotted(receiver, lower.textOf(property)), at: lower.at(property) },
        argumentsOf(lower, args)
      )
    }
    if (type === "identifier") {
      const name = lower.textOf(callee)
      return lower.call(
        how,
        { slot: lower.variable(name), name, at: lower.at(callee) },
        argumentsOf(lower, args)
      )
    }
    if (type === "super" || type === "import")
      return lower.call(
        how,
        { receiver: type === "super" ? lower.variable("this") : -1, name: type, at: lower.at(callee) },
        argumentsOf(lower, args)
      )
    const slot = lower.expr(callee)
    return lower.call(how, { slot, name: lower.pathOf(slot), at: -1 }, argumentsOf(lower, args))
  }

const object: LowerExpression = (lower, n) => {
  const to = lower.constant("", lower.at(n))
  for (const c of lower.named(n)) {
    const type = lower.type(c)
    if (type === "pair") {
      const key = lower.field(c, "key")
      lower.store(
        to,
        propertyName(lower, key),
        lower.naming(key, () => lower.expr(lower.field(c, "value"))),
        lower.at(key)
      )
    } else if (type === "shorthand_property_identifier") {
      const slot = lower.variable(lower.textOf(c))
      lower.store(to, lower.textOf(c), slot, lower.at(c))
    } else if (type === "spread_element")
      lower.assign(to, lower.choose([to, lower.expr(lower.tree.named(c))]))
    else if (type === "method_definition") {
      const name = lower.field(c, "name")
      lower.store(to, propertyName(lower, name), lower.closure(c), lower.at(name))
    }
  }
  return to
}

const propertyName = (lower: Lower, key: Node): string => {
  const text = lower.textOf(key)
  if (lower.type(key) === "computed_property_name") {
    lower.expr(lower.tree.named(key))
    return "[]"
  }
  return lower.type(key) === "string" ? text.slice(1, -1) : lower.type(key) === "number" ? `[${text}]` : text
}

const array: LowerExpression = (lower, n) => {
  const to = lower.constant("", lower.at(n))
  let index = 0
  let known = true
  for (const c of lower.named(n)) {
    if (lower.type(c) === "spread_element") {
      known = false
      lower.assign(to, lower.choose([to, lower.expr(lower.tree.named(c))]))
    } else lower.store(to, known ? `[${index++}]` : "[]", lower.expr(c), lower.at(c))
  }
  return to
}

const ifStatement: LowerNode = (lower, n) => {
  const alternative = lower.field(n, "alternative")
  const body = alternative < 0 ? -1 : lower.tree.named(alternative)
  lower.if(
    () => lower.test(lower.field(n, "condition")),
    () => lower.any(lower.field(n, "consequence")),
    body < 0 ? undefined : () => lower.any(body)
  )
}

const classBody = (lower: Lower, n: Node): void => {
  lower.scoped(() => {
    const self = lower.declare("this", -1)
    for (const c of lower.named(lower.field(n, "body"))) {
      const type = lower.type(c)
      if (type === "method_definition") lower.member(c)
      else if (type === "field_definition" || type === "public_field_definition") {
        const name =
          lower.tree.hasField(lower.tree.named(c), "name") || lower.field(c, "property") >= 0 ? c : c
        const property = lower.field(c, "property") >= 0 ? lower.field(c, "property") : lower.field(c, "name")
        const value = lower.field(c, "value")
        if (value >= 0)
          lower.statement("declaration", name, () => {
            lower.store(
              self,
              lower.textOf(property),
              lower.naming(property, () => lower.expr(value)),
              lower.at(property)
            )
          })
      } else if (type === "class_static_block") lower.any(lower.field(c, "body"))
    }
  })
}

const jsx: LowerExpression = (lower, n) => {
  const opening = lower.type(n) === "jsx_element" ? lower.field(n, "open_tag") : n
  const name = lower.field(opening, "name")
  const props = lower.constant(lower.textOf(name))
  for (const c of lower.named(opening)) {
    const type = lower.type(c)
    if (type === "jsx_attribute") {
      const key = lower.tree.named(c)
      const value = lower.tree.named(c, 1)
      lower.store(props, lower.textOf(key), lower.expr(value), lower.at(key))
    } else if (type === "jsx_expression") lower.assign(props, lower.choose([props, lower.expr(c)]))
  }
  const parts: Array<number> = []
  if (lower.type(n) === "jsx_element")
    for (const c of lower.named(n)) {
      const type = lower.type(c)
      if (type !== "jsx_opening_element" && type !== "jsx_closing_element" && type !== "jsx_text")
        parts.push(lower.expr(c))
    }
  if (parts.length > 0) lower.store(props, "children", lower.derive(parts))
  const written = lower.textOf(name)
  if (!/^[A-Z]|\./.test(written)) return props
  const last = lower.type(name) === "member_expression" ? lower.field(name, "property") : name
  return lower.call("call", { slot: lower.lookup(written) ?? -1, name: written, at: lower.at(last) }, [props])
}

const switchStatement: LowerNode = (lower, n) => {
  const labels = lower.takeLabels()
  lower.test(lower.field(n, "value"))
  lower.scoped(() =>
    lower.switch({
      labels,
      arms: lower.named(lower.field(n, "body")).map((c) => ({
        fallback: lower.type(c) === "switch_default",
        falls: true,
        run: () => {
          const value = lower.field(c, "value")
          lower.each(lower.named(c).filter((s) => s !== value))
        }
      }))
    })
  )
}

const forIn: LowerNode = (lower, n) => {
  const labels = lower.takeLabels()
  lower.scoped(() => {
    const right = lower.field(n, "right")
    const left = lower.field(n, "left")
    const of = lower.textOf(lower.field(n, "operator")) === "of"
    let from = -1
    lower.statement("loop", right, () => {
      from = lower.expr(right)
    })
    lower.while({
      labels,
      condition: () => {
        lower.spanning("loop", left, right, () => {
          const item = of ? lower.load(from, "[]") : lower.compare([from])
          lower.bind(left, item, lower.field(n, "kind") >= 0)
        })
        return lower.fn.current
      },
      body: () => lower.any(lower.field(n, "body"))
    })
  })
}

const tryStatement: LowerNode = (lower, n) => {
  const handler = lower.field(n, "handler")
  const finalizer = lower.field(n, "finalizer")
  lower.fn.try({
    body: () => lower.any(lower.field(n, "body")),
    handlers:
      handler < 0
        ? undefined
        : () =>
            lower.scoped(() => {
              const parameter = lower.field(handler, "parameter")
              if (parameter >= 0)
                lower.statement("declaration", parameter, () => lower.bind(parameter, lower.thrown(), true))
              lower.any(lower.field(handler, "body"))
            }),
    cleanup: finalizer < 0 ? undefined : () => lower.any(lower.field(finalizer, "body"))
  })
}

const update: LowerExpression = (lower, n) => {
  const target = lower.field(n, "argument")
  const value = lower.derive([lower.expr(target)])
  lower.bind(target, value, false)
  return value
}

export const ecmascript: Language = {
  ids: ["javascript", "jsx", "typescript", "tsx"],
  probe: "function f(a) { return a + 1 }\n",
  names: new Set(["identifier", "shorthand_property_identifier_pattern"]),
  hoist,
  functions: {
    function_declaration: functionOf({}),
    generator_function_declaration: functionOf({ generator: true }),
    function_expression: functionOf({}),
    function: functionOf({}),
    generator_function: functionOf({ generator: true }),
    arrow_function: functionOf({ lexical: true }),
    method_definition: functionOf({})
  },
  statements: {
    statement_block: (lower, n) =>
      lower.scoped(() => {
        hoist(lower, n)
        lower.each(lower.named(n))
      }),
    expression_statement: (lower, n) => {
      const e = lower.tree.named(n)
      const type = lower.type(e)
      lower.statement(
        type.includes("assignment") ? "assignment" : type === "call_expression" ? "call" : "expression",
        n,
        () => lower.expr(e)
      )
    },
    lexical_declaration: variables(false),
    variable_declaration: variables(true),
    export_statement: (lower, n) => {
      const declaration = lower.field(n, "declaration")
      const value = lower.field(n, "value")
      if (declaration >= 0) lower.any(declaration)
      else if (value >= 0) lower.statement("expression", n, () => lower.expr(value))
    },
    if_statement: ifStatement,
    else_clause: (lower, n) => lower.any(lower.tree.named(n)),
    while_statement: (lower, n) =>
      lower.while({
        labels: lower.takeLabels(),
        condition: endless(lower, lower.field(n, "condition")),
        body: () => lower.any(lower.field(n, "body"))
      }),
    do_statement: doWhile,
    for_statement: (lower, n) => {
      const labels = lower.takeLabels()
      lower.scoped(() => {
        const initializer = lower.field(n, "initializer")
        if (lower.type(initializer) !== "empty_statement") lower.any(initializer)
        const condition = lower.field(n, "condition")
        const increment = lower.field(n, "increment")
        const given =
          lower.type(condition) === "expression_statement" ? lower.tree.named(condition) : condition
        lower.while({
          labels,
          condition:
            given < 0 || lower.type(given) === "empty_statement" ? undefined : () => lower.test(given),
          step:
            increment < 0 ? undefined : () => lower.statement("step", increment, () => lower.expr(increment)),
          body: () => lower.any(lower.field(n, "body"))
        })
      })
    },
    for_in_statement: forIn,
    switch_statement: switchStatement,
    break_statement: (lower, n) => {
      const label = lower.field(n, "label")
      lower.statement("jump", n, () => {})
      lower.fn.break(label < 0 ? undefined : lower.textOf(label))
    },
    continue_statement: (lower, n) => {
      const label = lower.field(n, "label")
      lower.statement("jump", n, () => {})
      lower.fn.continue(label < 0 ? undefined : lower.textOf(label))
    },
    return_statement: returning,
    throw_statement: (lower, n) => {
      lower.statement("throw", n, () => lower.throw(n, lower.expr(lower.tree.named(n))))
      lower.fn.throw()
    },
    try_statement: tryStatement,
    labeled_statement: (lower, n) => {
      const label = lower.textOf(lower.field(n, "label"))
      const body = lower.field(n, "body")
      const type = lower.type(body)
      if (/^(?:while|do|for|for_in|switch)_statement$/.test(type))
        lower.labelling(label, () => lower.any(body))
      else lower.labelled(label, () => lower.any(body))
    },
    class_declaration: (lower, n) => {
      const name = lower.field(n, "name")
      if (name >= 0) lower.declare(lower.textOf(name), lower.at(name), { whole: true })
      classBody(lower, n)
    },
    abstract_class_declaration: (lower, n) => classBody(lower, n),
    empty_statement: nothing,
    import_statement: nothing,
    debugger_statement: nothing
  },
  expressions: {
    parenthesized_expression: inner,
    non_null_expression: inner,
    as_expression: inner,
    satisfies_expression: inner,
    type_assertion: (lower, n) => lower.expr(lower.tree.named(n, -1)),
    instantiation_expression: inner,
    member_expression: member,
    subscript_expression: (lower, n) => element(lower, lower.field(n, "object"), lower.field(n, "index")),
    call_expression: call("call", "function"),
    new_expression: call("new", "constructor"),
    assignment_expression: assignment(false),
    augmented_assignment_expression: assignment(true),
    binary_expression: binary("binary_expression"),
    unary_expression: (lower, n) => {
      const value = lower.expr(lower.field(n, "argument"))
      const operator = lower.textOf(lower.field(n, "operator"))
      return operator === "void" ? lower.constant() : lower.compare([value])
    },
    update_expression: update,
    ternary_expression: (lower, n) => {
      lower.fn.op("test", "assign", -1, [lower.expr(lower.field(n, "condition"))], { at: lower.at(n) })
      return lower.choose([
        lower.expr(lower.field(n, "consequence")),
        lower.expr(lower.field(n, "alternative"))
      ])
    },
    sequence_expression: (lower, n) => {
      const parts = lower.named(n).map((c) => lower.expr(c))
      return parts[parts.length - 1] ?? lower.constant()
    },
    await_expression: (lower, n) => {
      const value = lower.expr(lower.tree.named(n))
      return lower.copy("await", [value], lower.temp(lower.pathOf(value)))
    },
    yield_expression: (lower, n) => {
      const given = lower.tree.named(n)
      const value = given < 0 ? lower.constant() : lower.expr(given)
      const to = lower.temp()
      lower.fn.op("yield", "assign", to, [value], { at: lower.at(n) })
      return to
    },
    spread_element: inner,
    object,
    array,
    template_string: derived,
    template_substitution: inner,
    this: (lower) => lower.variable("this"),
    super: (lower) => lower.variable("this"),
    string: constant,
    number: constant,
    regex: constant,
    true: constant,
    false: constant,
    null: constant,
    undefined: constant,
    class: (lower, n) => {
      classBody(lower, n)
      return lower.constant()
    },
    jsx_element: jsx,
    jsx_self_closing_element: jsx,
    jsx_expression: inner,
    meta_property: constant
  },
  patterns: {
    identifier: (lower, n, value, declares) => void lower.bindName(n, value, declares),
    shorthand_property_identifier_pattern: (lower, n, value, declares) =>
      void lower.bindName(n, lower.load(value, lower.textOf(n), lower.at(n)), declares),
    object_pattern: (lower, n, value, declares) => {
      for (const c of lower.named(n)) {
        const type = lower.type(c)
        if (type === "pair_pattern") {
          const key = lower.field(c, "key")
          lower.bind(
            lower.field(c, "value"),
            lower.load(value, propertyName(lower, key), lower.at(key)),
            declares
          )
        } else if (type === "object_assignment_pattern") {
          const left = lower.field(c, "left")
          const given = lower.load(value, lower.textOf(left), lower.at(left))
          const chosen = lower.choose([given, lower.expr(lower.field(c, "right"))])
          if (lower.type(left) === "shorthand_property_identifier_pattern")
            lower.bindName(left, chosen, declares)
          else lower.bind(left, chosen, declares)
        } else if (type === "rest_pattern") lower.bind(lower.tree.named(c), value, declares)
        else lower.bind(c, value, declares)
      }
    },
    array_pattern: (lower, n, value, declares) => {
      let index = 0
      for (const c of lower.tree.children(n)) {
        if (lower.type(c) === ",") index++
        else if (lower.tree.isNamed(c)) {
          if (lower.type(c) === "rest_pattern") lower.bind(lower.tree.named(c), value, declares)
          else lower.bind(c, lower.load(value, `[${index}]`), declares)
        }
      }
    },
    assignment_pattern: (lower, n, value, declares) =>
      lower.bind(
        lower.field(n, "left"),
        lower.choose([value, lower.expr(lower.field(n, "right"))]),
        declares
      ),
    rest_pattern: (lower, n, value, declares) => lower.bind(lower.tree.named(n), value, declares),
    member_expression: (lower, n, value) => {
      const property = lower.field(n, "property")
      lower.store(lower.expr(lower.field(n, "object")), lower.textOf(property), value, lower.at(property))
    },
    subscript_expression: (lower, n, value) => {
      const base = lower.expr(lower.field(n, "object"))
      const index = lower.field(n, "index")
      const name = elementName(lower, index)
      if (name === "[]") lower.expr(index)
      lower.store(base, name, value, lower.at(index))
    },
    parenthesized_expression: (lower, n, value, declares) => lower.bind(lower.tree.named(n), value, declares),
    non_null_expression: (lower, n, value, declares) => lower.bind(lower.tree.named(n), value, declares),
    as_expression: (lower, n, value, declares) => lower.bind(lower.tree.named(n), value, declares)
  },
  silent: new Set([
    "comment",
    "type_annotation",
    "type_arguments",
    "type_parameters",
    "interface_declaration",
    "type_alias_declaration",
    "ambient_declaration",
    "function_signature",
    "method_signature",
    "abstract_method_signature",
    "predefined_type",
    "enum_declaration",
    "type_identifier",
    "decorator",
    "hash_bang_line",
    "string_fragment",
    "escape_sequence"
  ])
}

/** The test of a loop; undefined for one that never ends by itself. */
const endless = (lower: Lower, condition: Node): (() => number) | undefined =>
  /^\(?\s*(?:true|1)\s*\)?$/.test(lower.textOf(condition)) ? undefined : () => lower.test(condition)
