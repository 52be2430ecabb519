/** Go. */
import type { Node } from "../../languages/treesitter/SyntaxTree.ts"
import { Reader } from "./go/Reader.ts"
import type { FunctionParts, Language, Lower, LowerExpression, LowerNode } from "../Lower.ts"
import {
  binary,
  children,
  constant,
  element,
  elementName,
  inner,
  nothing,
  scopedChildren,
  valueOf
} from "./shared.ts"

const parametersOf = (lower: Lower, list: Node): void => {
  for (const p of lower.named(list)) {
    const variadic = lower.type(p) === "variadic_parameter_declaration"
    if (variadic) lower.fn.variadic = true
    else if (lower.type(p) !== "parameter_declaration") continue
    const type = lower.textOf(lower.field(p, "type"))
    const names = lower.fields(p, "name")
    if (names.length === 0) lower.unnamed(lower.at(p))
    for (const name of names) lower.parameter(lower.textOf(name), lower.at(name), type)
  }
}

const functionParts = (lower: Lower, n: Node): FunctionParts => ({
  name: lower.field(n, "name"),
  body: () => {
    const receiver = lower.named(lower.field(n, "receiver"))[0]
    if (receiver !== undefined) {
      const name = lower.field(receiver, "name")
      lower.receiver(lower.textOf(name), lower.at(name), lower.textOf(lower.field(receiver, "type")))
    }
    parametersOf(lower, lower.field(n, "parameters"))
    const result = lower.field(n, "result")
    if (lower.type(result) === "parameter_list")
      for (const p of lower.named(result))
        for (const name of lower.fields(p, "name")) {
          const slot = lower.declare(lower.textOf(name), lower.at(name), {
            type: lower.textOf(lower.field(p, "type"))
          })
          results.push(slot)
        }
    named.set(lower.fn, results.splice(0))
    lower.any(lower.field(n, "body"))
  }
})
const results: Array<number> = []
/** Named results, which a bare return gives back. */
const named = new WeakMap<object, ReadonlyArray<number>>()

const items = (lower: Lower, n: Node): ReadonlyArray<Node> =>
  n < 0 ? [] : lower.type(n) === "expression_list" ? lower.named(n) : [n]

/** Pairs targets with values; one call may give all of them. */
const assignAll = (
  lower: Lower,
  left: ReadonlyArray<Node>,
  right: ReadonlyArray<Node>,
  declares: boolean
): void => {
  const bindTo = (target: Node, value: number) => {
    const known = declares && lower.type(target) === "identifier" && lower.declaredHere(lower.textOf(target))
    lower.bind(target, value, declares && !known)
  }
  if (left.length === right.length) {
    const values = right.map((r, i) => lower.naming(left[i]!, () => lower.expr(r)))
    left.forEach((l, i) => bindTo(l, values[i]!))
  } else if (right.length === 1) {
    const value = lower.expr(right[0]!)
    const whole = /^(?:index_expression|type_assertion_expression|unary_expression)$/.test(
      lower.type(right[0]!)
    )
    left.forEach((l, i) => {
      if (lower.textOf(l) !== "_")
        bindTo(l, whole ? (i === 0 ? value : lower.compare([value])) : lower.load(value, `[${i}]`))
    })
  }
}

const assigning =
  (declares: boolean): LowerNode =>
  (lower, n) =>
    lower.statement(declares ? "declaration" : "assignment", n, () => {
      const left = items(lower, lower.field(n, "left"))
      const right = items(lower, lower.field(n, "right"))
      const operator = lower.textOf(lower.field(n, "operator"))
      if (!declares && operator !== "=" && operator !== "") {
        lower.bind(left[0]!, lower.derive([lower.expr(left[0]!), lower.expr(right[0]!)]), false)
        return
      }
      assignAll(lower, left, right, declares)
    })

const specs: LowerNode = (lower, n) => {
  for (const spec of lower.named(n)) {
    if (lower.type(spec) === "var_spec_list") {
      specs(lower, spec)
      continue
    }
    if (!lower.type(spec).endsWith("_spec")) continue
    const names = lower.fields(spec, "name").filter((c) => lower.type(c) === "identifier")
    const values = items(lower, lower.field(spec, "value"))
    const type = lower.textOf(lower.field(spec, "type"))
    lower.statement("declaration", spec, () => {
      if (values.length > 0) assignAll(lower, names, values, true)
      else for (const name of names) lower.bindName(name, lower.constant(), true, { type })
    })
  }
}

const conversions = new Set([
  "string",
  "int",
  "int8",
  "int16",
  "int32",
  "int64",
  "uint",
  "uint8",
  "byte",
  "rune",
  "float32",
  "float64",
  "bool",
  "any"
])

const callExpression: LowerExpression = (lower, n) => {
  let callee = lower.field(n, "function")
  while (
    lower.type(callee) === "parenthesized_expression" ||
    lower.type(callee) === "type_instantiation_expression"
  )
    callee = lower.tree.named(callee)
  const args = lower.named(lower.field(n, "arguments")).filter((a) => !/_type$|^type_/.test(lower.type(a)))
  const values = () => args.map((a) => lower.expr(a))
  const type = lower.type(callee)
  if (type === "selector_expression") {
    const name = lower.field(callee, "field")
    const receiver = lower.expr(lower.field(callee, "operand"))
    return lower.call(
      "call",
      { receiver, name: lower.dotted(receiver, lower.textOf(name)), at: lower.at(name) },
      values()
    )
  }
  if (type === "identifier") {
    const name = lower.textOf(callee)
    if (name === "append" && lower.lookup(name) === undefined) {
      const [first, ...rest] = values()
      const to = lower.temp()
      lower.fn.op("copy", "assign", to, [first ?? lower.constant()], { at: lower.at(callee) })
      rest.forEach((value, i) =>
        lower.type(args[i + 1]!) === "variadic_argument"
          ? lower.assign(to, lower.choose([to, value]))
          : lower.store(to, "[]", value)
      )
      return to
    }
    if (name === "make" && lower.lookup(name) === undefined) {
      const made = lower.textOf(lower.tree.named(lower.field(n, "arguments")))
      const to = lower.slot("temporary", "", -1, "", made)
      lower.fn.op("constant", "new", to, [], { name: made, at: lower.at(callee) })
      return to
    }
    if (conversions.has(name) && args.length === 1 && lower.lookup(name) === undefined) {
      const value = lower.expr(args[0]!)
      return /^(?:string|byte|any|rune)$/.test(name) ? value : lower.copy("compare", [value], lower.temp())
    }
    if (name === "panic" && lower.lookup(name) === undefined) {
      const [value] = values()
      lower.throw(callee, value ?? lower.constant())
      return lower.constant()
    }
    return lower.call("call", { slot: lower.variable(name), name, at: lower.at(callee) }, values())
  }
  if (type.endsWith("_type")) return values()[0] ?? lower.constant()
  const slot = lower.expr(callee)
  return lower.call("call", { slot, name: lower.pathOf(slot), at: -1 }, values())
}

/** A call that runs elsewhere or later: its arguments are evaluated here. */
const apart =
  (how: "spawn" | "defer"): LowerNode =>
  (lower, n) => {
    lower.statement(how, n, () => {
      lower.expr(lower.tree.named(n))
      lower.fn.mark(how)
    })
    if (how === "defer") lower.fn.defer(lower.at(n), lower.tree.end[n]!)
  }

const literal: LowerExpression = (lower, n) => {
  const type = lower.field(n, "type")
  const to = lower.temp()
  lower.fn.op("constant", "new", to, [], { name: lower.textOf(type), at: lower.at(lastName(lower, type)) })
  fill(lower, to, lower.field(n, "body"))
  return to
}
/** The last name of a type: that of the type itself behind a package. */
const lastName = (lower: Lower, type: Node): Node =>
  lower.type(type) === "qualified_type"
    ? lower.field(type, "name")
    : lower.type(type) === "generic_type"
      ? lower.field(type, "type")
      : type

const fill = (lower: Lower, to: number, body: Node): void => {
  let index = 0
  for (const c of lower.named(body)) {
    const keyed = lower.type(c) === "keyed_element"
    const key = keyed ? lower.tree.named(lower.tree.named(c)) : -1
    const value = keyed ? lower.tree.named(c, 1) : c
    const given = lower.type(value) === "literal_element" ? lower.tree.named(value) : value
    const name = keyed
      ? lower.type(key) === "identifier"
        ? lower.textOf(key)
        : elementName(lower, key)
      : `[${index++}]`
    let slot: number
    if (lower.type(given) === "literal_value") {
      slot = lower.constant("", lower.at(given))
      fill(lower, slot, given)
    } else slot = keyed ? lower.naming(key, () => lower.expr(given)) : lower.expr(given)
    lower.store(to, name, slot, lower.at(keyed ? key : c))
  }
}

const ifStatement: LowerNode = (lower, n) =>
  lower.scoped(() => {
    const initializer = lower.field(n, "initializer")
    if (initializer >= 0) lower.any(initializer)
    const alternative = lower.field(n, "alternative")
    lower.if(
      () => lower.test(lower.field(n, "condition")),
      () => lower.any(lower.field(n, "consequence")),
      alternative < 0 ? undefined : () => lower.any(alternative)
    )
  })

const forStatement: LowerNode = (lower, n) => {
  const labels = lower.takeLabels()
  lower.scoped(() => {
    const body = lower.field(n, "body")
    const head = lower.named(n).find((c) => c !== body)
    if (head === undefined) return lower.while({ labels, condition: undefined, body: () => lower.any(body) })
    if (lower.type(head) === "for_clause") {
      const initializer = lower.field(head, "initializer")
      const condition = lower.field(head, "condition")
      const update = lower.field(head, "update")
      lower.any(initializer)
      return lower.while({
        labels,
        condition: condition < 0 ? undefined : () => lower.test(condition),
        step: update < 0 ? undefined : () => lower.any(update),
        body: () => lower.any(body)
      })
    }
    if (lower.type(head) !== "range_clause")
      return lower.while({ labels, condition: () => lower.test(head), body: () => lower.any(body) })
    const right = lower.field(head, "right")
    const left = lower.field(head, "left")
    const declares = lower.has(head, ":=")
    let from = -1
    lower.statement("loop", right, () => {
      from = lower.expr(right)
    })
    const targets = items(lower, left)
    lower.while({
      labels,
      condition: () => {
        lower.statement("loop", head, () => {
          targets.forEach((target, i) => {
            const single = targets.length === 1
            const item =
              i === 1
                ? lower.load(from, "[]")
                : single
                  ? lower.copy(
                      "choose",
                      [
                        /^(?:<-)?\s*chan\b/.test(lower.typeOf(from))
                          ? lower.load(from, "[]")
                          : lower.compare([from])
                      ],
                      lower.temp()
                    )
                  : lower.compare([from])
            if (lower.textOf(target) !== "_") lower.bind(target, item, declares)
          })
          if (targets.length <= 1)
            lower.fn.op("call", "receive", -1, [-1, from], { name: "range", at: lower.at(right) })
        })
        return lower.fn.current
      },
      body: () => lower.any(body)
    })
  })
}

const cases = /^(?:expression_case|default_case|type_case|communication_case)$/

const switchStatement: LowerNode = (lower, n) => {
  const labels = lower.takeLabels()
  lower.scoped(() => {
    const initializer = lower.field(n, "initializer")
    if (initializer >= 0) lower.any(initializer)
    const value = lower.field(n, "value")
    const alias = lower.field(n, "alias")
    let subject = -1
    if (value >= 0)
      lower.statement("condition", value, () => {
        subject = lower.expr(value)
        lower.fn.op("test", "assign", -1, [subject], { at: lower.at(value) })
      })
    else lower.statement("condition", n, () => {}, endOfHead(lower, n))
    const arms = lower.named(n).filter((c) => cases.test(lower.type(c)))
    lower.switch({
      labels,
      exhaustive: lower.type(n) === "select_statement",
      arms: arms.map((c) => {
        const skipped = new Set([...lower.fields(c, "value"), ...lower.fields(c, "type")])
        const communication = lower.field(c, "communication")
        const body = lower.named(c).filter((s) => !skipped.has(s) && s !== communication)
        const flat = body.flatMap((s) => (lower.type(s) === "statement_list" ? lower.named(s) : [s]))
        return {
          fallback: lower.type(c) === "default_case",
          falls: flat.some((s) => lower.type(s) === "fallthrough_statement"),
          run: () =>
            lower.scoped(() => {
              if (alias >= 0 && subject >= 0)
                for (const name of items(lower, alias))
                  lower.statement("declaration", name, () => lower.bindName(name, subject, true))
              if (communication >= 0) lower.any(communication)
              lower.each(flat)
            })
        }
      })
    })
  })
}
const endOfHead = (lower: Lower, n: Node): number => {
  const brace = lower.text.indexOf("{", lower.at(n))
  return brace < 0 ? lower.tree.end[n]! : brace
}

const reader = new Reader()

export const go: Language = {
  ids: ["go"],
  read: (text, parts) => reader.read(text, parts),
  probe: "package p\n\nfunc f(a int) int { return a + 1 }\n",
  names: new Set(["identifier"]),
  functions: {
    function_declaration: functionParts,
    method_declaration: functionParts,
    func_literal: functionParts
  },
  statements: {
    source_file: children,
    method_declaration: (lower, n) => lower.member(n),
    block: scopedChildren,
    statement_list: children,
    expression_statement: (lower, n) => {
      const e = lower.tree.named(n)
      const panics =
        lower.type(e) === "call_expression" && lower.textOf(lower.field(e, "function")) === "panic"
      lower.statement(panics ? "throw" : lower.type(e) === "call_expression" ? "call" : "expression", n, () =>
        lower.expr(e)
      )
      if (panics) lower.fn.throw()
    },
    short_var_declaration: assigning(true),
    assignment_statement: assigning(false),
    var_declaration: specs,
    const_declaration: specs,
    inc_statement: (lower, n) => step(lower, n),
    dec_statement: (lower, n) => step(lower, n),
    if_statement: ifStatement,
    for_statement: forStatement,
    expression_switch_statement: switchStatement,
    type_switch_statement: switchStatement,
    select_statement: switchStatement,
    return_statement: (lower, n) => {
      lower.statement("return", n, () => {
        const values = items(lower, lower.tree.named(n)).map((v) => lower.expr(v))
        const bare = values.length === 0 ? (named.get(lower.fn) ?? []) : values
        if (bare.length < 2) lower.return(n, bare)
        else {
          const tuple = lower.constant()
          bare.forEach((value, i) => lower.store(tuple, `[${i}]`, value))
          lower.return(n, [tuple])
        }
      })
      lower.fn.return()
    },
    go_statement: apart("spawn"),
    defer_statement: apart("defer"),
    send_statement: (lower, n) =>
      lower.statement("send", n, () => {
        const channel = lower.expr(lower.field(n, "channel"))
        const value = lower.expr(lower.field(n, "value"))
        lower.store(channel, "[]", value)
        lower.fn.op("call", "send", -1, [-1, channel, value], {
          name: "<-",
          at: lower.at(lower.field(n, "channel"))
        })
      }),
    receive_statement: (lower, n) => {
      const left = lower.field(n, "left")
      const right = lower.field(n, "right")
      lower.statement("receive", n, () => assignAll(lower, items(lower, left), [right], lower.has(n, ":=")))
    },
    labeled_statement: (lower, n) => {
      const label = lower.textOf(lower.field(n, "label"))
      const body = lower.tree.named(n, 1)
      lower.fn.enter(lower.fn.label(label))
      if (/^(?:for|expression_switch|type_switch|select)_statement$/.test(lower.type(body)))
        lower.labelling(label, () => lower.any(body))
      else if (body >= 0) lower.any(body)
    },
    goto_statement: (lower, n) => {
      lower.statement("jump", n, () => {})
      lower.fn.goto(lower.textOf(lower.tree.named(n)))
    },
    break_statement: (lower, n) => {
      lower.statement("jump", n, () => {})
      lower.fn.break(lower.tree.named(n) < 0 ? undefined : lower.textOf(lower.tree.named(n)))
    },
    continue_statement: (lower, n) => {
      lower.statement("jump", n, () => {})
      lower.fn.continue(lower.tree.named(n) < 0 ? undefined : lower.textOf(lower.tree.named(n)))
    },
    fallthrough_statement: (lower, n) => lower.statement("jump", n, () => {}),
    package_clause: nothing,
    import_declaration: nothing,
    type_declaration: nothing,
    empty_statement: nothing
  },
  expressions: {
    parenthesized_expression: inner,
    type_instantiation_expression: inner,
    selector_expression: (lower, n) => {
      const name = lower.field(n, "field")
      return lower.load(lower.expr(lower.field(n, "operand")), lower.textOf(name), lower.at(name))
    },
    call_expression: callExpression,
    type_conversion_expression: valueOf("operand"),
    index_expression: (lower, n) => element(lower, lower.field(n, "operand"), lower.field(n, "index")),
    slice_expression: (lower, n) =>
      lower.copy("assign", [lower.expr(lower.field(n, "operand"))], lower.temp()),
    type_assertion_expression: valueOf("operand"),
    composite_literal: literal,
    unary_expression: (lower, n) => {
      const operand = lower.field(n, "operand")
      const operator = lower.textOf(lower.field(n, "operator"))
      const value = lower.expr(operand)
      if (operator === "&") return lower.copy("ref", [value], lower.temp(lower.pathOf(value)))
      if (operator === "*") return lower.copy("assign", [value], lower.temp(lower.pathOf(value)))
      if (operator === "<-") {
        lower.fn.op("call", "receive", -1, [-1, value], { name: "<-", at: lower.at(operand) })
        return lower.load(value, "[]")
      }
      return lower.compare([value])
    },
    binary_expression: binary("binary_expression"),
    variadic_argument: inner,
    interpreted_string_literal: constant,
    raw_string_literal: constant,
    rune_literal: constant,
    int_literal: constant,
    float_literal: constant,
    nil: constant,
    true: constant,
    false: constant,
    iota: constant
  },
  patterns: {
    selector_expression: (lower, n, value) => {
      const name = lower.field(n, "field")
      lower.store(lower.expr(lower.field(n, "operand")), lower.textOf(name), value, lower.at(name))
    },
    index_expression: (lower, n, value) => {
      const base = lower.expr(lower.field(n, "operand"))
      lower.store(base, elementName(lower, lower.field(n, "index")), value, lower.at(lower.field(n, "index")))
    },
    unary_expression: (lower, n, value) => {
      const operand = lower.field(n, "operand")
      lower.store(lower.expr(operand), "[]", value, lower.at(operand))
    },
    parenthesized_expression: (lower, n, value, declares) => lower.bind(lower.tree.named(n), value, declares),
    identifier: (lower, n, value, declares) => {
      if (lower.textOf(n) !== "_") lower.bindName(n, value, declares)
    }
  },
  silent: new Set([
    "comment",
    "type_parameter_list",
    "type_identifier",
    "pointer_type",
    "slice_type",
    "map_type",
    "channel_type",
    "struct_type",
    "interface_type",
    "function_type",
    "array_type",
    "qualified_type",
    "generic_type",
    "escape_sequence"
  ])
}

const step = (lower: Lower, n: Node): void =>
  lower.statement("assignment", n, () => {
    const target = lower.tree.named(n)
    lower.bind(target, lower.derive([lower.expr(target)]), false)
  })
