/** Rust. Branches, loops and blocks are expressions; what they give is gathered in a slot of their own. */
import type { Node } from "../../languages/treesitter/SyntaxTree.ts"
import type { FunctionParts, Language, Lower, LowerExpression, LowerNode } from "../Lower.ts"
import {
  binary,
  children,
  constant,
  derived,
  element,
  elementName,
  inner,
  nothing,
  valueOf
} from "./shared.ts"

const functionParts = (lower: Lower, n: Node): FunctionParts => ({
  name: lower.field(n, "name"),
  async: /\basync\b/.test(lower.textOf(lower.tree.childOf(n, "function_modifiers"))),
  body: () => {
    const list = lower.field(n, "parameters")
    for (const p of lower.named(list)) {
      const type = lower.type(p)
      if (type === "self_parameter") lower.receiver("self", lower.at(p))
      else if (type === "parameter")
        one(lower, lower.field(p, "pattern"), lower.textOf(lower.field(p, "type")))
      else if (!lower.language.silent.has(type)) one(lower, p, "")
    }
    tail(lower, lower.field(n, "body"))
  }
})

const one = (lower: Lower, pattern: Node, written: string): void => {
  let at = pattern
  while (lower.type(at) === "mut_pattern" || lower.type(at) === "ref_pattern") at = lower.tree.named(at)
  if (lower.type(at) === "identifier") lower.parameter(lower.textOf(at), lower.at(at), written)
  else {
    const slot = lower.unnamed(lower.at(at))
    lower.statement("declaration", at, () => lower.bind(at, slot, true))
  }
}

/** The last expression of a body is what the function gives back. */
const tail = (lower: Lower, body: Node): void => {
  if (body < 0) return
  if (lower.type(body) !== "block") {
    lower.statement("return", body, () => lower.return(body, [lower.expr(body)]))
    lower.fn.return()
    return
  }
  const value = block(lower, body)
  if (value >= 0 && lower.fn.current >= 0) {
    const all = lower.named(body)
    const last = all[all.length - 1]!
    lower.statement("return", last, () => lower.return(last, [value]))
    lower.fn.return()
  }
}

/** Runs a block; the slot of its last expression, -1 when it ends with a statement. */
const block = (lower: Lower, n: Node): number =>
  lower.scoped(() => {
    const all = lower.named(n).filter((c) => lower.type(c) !== "label")
    const last = all[all.length - 1]
    let value = -1
    for (const c of all) {
      if (c === last && gives(lower, c)) {
        const e = lower.type(c) === "expression_statement" ? lower.tree.named(c) : c
        if (nested(lower, e)) value = lower.expr(e)
        else
          lower.statement("expression", e, () => {
            value = lower.expr(e)
          })
      } else lower.any(c)
    }
    return value
  })

const gives = (lower: Lower, n: Node): boolean => {
  const type = lower.type(n)
  if (type === "expression_statement")
    return (
      !lower.has(n, ";") && !/^(?:return|break|continue)_expression$/.test(lower.type(lower.tree.named(n)))
    )
  return (
    (type in lower.language.expressions || lower.language.names.has(type)) &&
    !(type in lower.language.statements) &&
    !/^(?:return|break|continue)_expression$/.test(type) &&
    type !== "macro_definition"
  )
}

/** Expressions that make blocks of their own. */
const nested = (lower: Lower, n: Node): boolean =>
  /^(?:if_expression|match_expression|block|unsafe_block|loop_expression|while_expression|for_expression)$/.test(
    lower.type(n)
  )

const into = (lower: Lower, to: number, n: Node): void => {
  if (n < 0) return
  if (lower.type(n) === "block") {
    const value = block(lower, n)
    if (value >= 0 && lower.fn.current >= 0)
      lower.spanning("expression", lastOf(lower, n), lastOf(lower, n), () => lower.assign(to, value))
  } else if (nested(lower, n)) {
    const value = lower.expr(n)
    if (lower.fn.current >= 0)
      lower.statement("expression", n, () => lower.assign(to, value), lower.tree.start[n]!)
  } else if (/^(?:return|break|continue)_expression$/.test(lower.type(n))) lower.any(n)
  else lower.statement("expression", n, () => lower.assign(to, lower.expr(n)))
}
const lastOf = (lower: Lower, n: Node): Node => {
  const all = lower.named(n)
  return all[all.length - 1] ?? n
}

/** A condition: a plain one, or patterns that have to fit. */
const condition = (lower: Lower, n: Node): number => {
  lower.statement("condition", n, () => {
    const parts = lower.type(n) === "let_chain" ? lower.named(n) : [n]
    for (const part of parts) {
      if (lower.type(part) === "let_condition") {
        const value = lower.expr(lower.field(part, "value"))
        lower.bind(lower.field(part, "pattern"), value, true)
        lower.fn.op("test", "assign", -1, [value], { at: lower.at(part) })
      } else lower.fn.op("test", "assign", -1, [lower.expr(part)], { at: lower.at(part) })
    }
  })
  return lower.fn.current
}

const ifExpression: LowerExpression = (lower, n) => {
  const to = lower.temp()
  lower.scoped(() => {
    const alternative = lower.field(n, "alternative")
    lower.if(
      () => condition(lower, lower.field(n, "condition")),
      () => into(lower, to, lower.field(n, "consequence")),
      alternative < 0 ? undefined : () => into(lower, to, lower.tree.named(alternative))
    )
  })
  return to
}

const matchExpression: LowerExpression = (lower, n) => {
  const to = lower.temp()
  const value = lower.field(n, "value")
  let subject = -1
  lower.statement("condition", value, () => {
    subject = lower.expr(value)
    lower.fn.op("test", "assign", -1, [subject], { at: lower.at(value) })
  })
  const arms = lower.named(lower.field(n, "body")).filter((c) => lower.type(c) === "match_arm")
  lower.switch({
    breaks: false,
    exhaustive: true,
    arms: arms.map((arm) => {
      const pattern = lower.field(arm, "pattern")
      return {
        fallback: lower.textOf(pattern) === "_",
        falls: false,
        run: () =>
          lower.scoped(() => {
            const guard = lower.field(pattern, "condition")
            lower.statement("case", pattern, () => {
              for (const c of lower.named(pattern)) if (c !== guard) lower.bind(c, subject, true)
              if (guard >= 0) lower.compare([lower.expr(guard)])
            })
            into(lower, to, lower.field(arm, "value"))
          })
      }
    })
  })
  return to
}

const labelsOf = (lower: Lower, n: Node): ReadonlyArray<string> => {
  const label = lower.tree.childOf(n, "label")
  return label < 0 ? [] : [lower.textOf(label)]
}

const loops: { readonly [type: string]: LowerExpression } = {
  loop_expression: (lower, n) => {
    const to = lower.temp()
    lower.while({
      labels: labelsOf(lower, n),
      condition: undefined,
      result: to,
      body: () => void block(lower, lower.field(n, "body"))
    })
    return to
  },
  while_expression: (lower, n) => {
    lower.scoped(() =>
      lower.while({
        labels: labelsOf(lower, n),
        condition: () => condition(lower, lower.field(n, "condition")),
        body: () => void block(lower, lower.field(n, "body"))
      })
    )
    return lower.temp()
  },
  for_expression: (lower, n) => {
    const value = lower.field(n, "value")
    const pattern = lower.field(n, "pattern")
    let from = -1
    lower.statement("loop", value, () => {
      from = lower.expr(value)
    })
    lower.scoped(() =>
      lower.while({
        labels: labelsOf(lower, n),
        condition: () => {
          lower.spanning("loop", pattern, value, () => lower.bind(pattern, lower.load(from, "[]"), true))
          return lower.fn.current
        },
        body: () => void block(lower, lower.field(n, "body"))
      })
    )
    return lower.temp()
  }
}

const jump =
  (how: "return" | "break" | "continue"): LowerNode =>
  (lower, n) => {
    const label = lower.tree.childOf(n, "label")
    const name = label < 0 ? undefined : lower.textOf(label)
    const value = lower.named(n).find((c) => lower.type(c) !== "label")
    lower.statement(how === "return" ? "return" : "jump", n, () => {
      const given = value === undefined ? -1 : lower.expr(value)
      if (how === "return") lower.return(n, given < 0 ? [] : [given])
      else if (how === "break" && given >= 0) {
        const to = lower.fn.valueOfBreak(name)
        if (to !== undefined) lower.assign(to, given)
      }
    })
    if (how === "return") lower.fn.return()
    else if (how === "break") lower.fn.break(name)
    else lower.fn.continue(name)
  }

const jumped =
  (how: "return" | "break" | "continue"): LowerExpression =>
  (lower, n) => {
    if (lower.fn.inStatement) {
      // In the middle of an expression: the value is what matters, the way out is shown at the statement's end.
      const value = lower.named(n).find((c) => lower.type(c) !== "label")
      if (how === "return") {
        lower.return(n, value === undefined ? [] : [lower.expr(value)])
        lower.fn.mayErr()
      }
      return lower.temp()
    }
    jump(how)(lower, n)
    return lower.temp()
  }

const call: LowerExpression = (lower, n) => {
  let callee = lower.field(n, "function")
  if (lower.type(callee) === "generic_function") callee = lower.field(callee, "function")
  const args = () => lower.named(lower.field(n, "arguments")).map((c) => lower.expr(c))
  const type = lower.type(callee)
  if (type === "field_expression") {
    const name = lower.field(callee, "field")
    const receiver = lower.expr(lower.field(callee, "value"))
    return lower.call(
      "call",
      { receiver, name: lower.dotted(receiver, lower.textOf(name)), at: lower.at(name) },
      args()
    )
  }
  if (type === "identifier") {
    const name = lower.textOf(callee)
    const given = args()
    // Variants hold what they are made of.
    if (/^[A-Z]/.test(name)) {
      const to = lower.call("new", { slot: -1, name, at: lower.at(callee) }, given)
      return to
    }
    return lower.call("call", { slot: lower.variable(name), name, at: lower.at(callee) }, given)
  }
  if (type === "scoped_identifier") {
    const name = lower.field(callee, "name")
    return lower.call(
      "call",
      { name: lower.textOf(callee).replaceAll("::", ".").replace(/\s+/g, ""), at: lower.at(name) },
      args()
    )
  }
  const slot = lower.expr(callee)
  return lower.call("call", { slot, name: lower.pathOf(slot), at: -1 }, args())
}

/** A macro's tokens are not parsed: every name in them, and in the braces of its format strings, is read. */
const macro: LowerExpression = (lower, n) => {
  const name = lower.field(n, "macro")
  const word = lower.textOf(name).replaceAll("::", ".")
  const { tree } = lower
  const args: Array<number> = []
  for (let c = n + 1; c < tree.after[n]!; c++) {
    const type = tree.type(c)
    if (type === "identifier" || type === "self") {
      if (tree.parent[c] === n) continue
      const dot = lower.text[tree.start[c]! - 1]
      const next = lower.text[tree.end[c]!]
      if (dot === "." || dot === ":" || next === ":" || next === "!") continue
      const known = lower.lookup(lower.textOf(c))
      if (known === undefined) continue
      let value = known
      // What follows through dots is loaded: `self.name`.
      let at = c + 1
      while (
        at < tree.after[n]! &&
        lower.text.slice(tree.end[at - 1]!, tree.start[at]!).trim() === "" &&
        lower.textOf(at) === "." &&
        at + 1 < tree.after[n]!
      ) {
        const member = at + 1
        if (tree.type(member) !== "identifier") break
        const calls = lower.text[tree.end[member]!] === "("
        value = calls
          ? lower.call(
              "call",
              { receiver: value, name: lower.dotted(value, lower.textOf(member)), at: lower.at(member) },
              []
            )
          : lower.load(value, lower.textOf(member), lower.at(member))
        at = member + 1
        if (calls) break
      }
      args.push(value)
    } else if (/string_literal|string_content/.test(type)) {
      for (const [, inline] of lower.textOf(c).matchAll(/\{([a-z_]\w*)(?::[^}]*)?\}/g)) {
        const known = lower.lookup(inline!)
        if (known !== undefined && !args.includes(known)) args.push(known)
      }
    }
  }
  const to = lower.call("macro", { name: `${word}!`, at: lower.at(name) }, args)
  if (/^(?:panic|unreachable|todo|unimplemented)$/.test(word))
    lower.fn.op("throw", "assign", lower.thrown(), args, { name: `${word}!`, at: lower.at(n) })
  return to
}

const struct: LowerExpression = (lower, n) => {
  const name = lower.field(n, "name")
  const written = lower.textOf(name)
  const to = lower.temp()
  const body = lower.field(n, "body")
  const base = lower.named(body).some((c) => lower.type(c) === "base_field_initializer")
  const last =
    lower.type(name) === "scoped_type_identifier"
      ? lower.field(name, "name")
      : lower.type(name) === "generic_type_with_turbofish"
        ? lower.field(name, "type")
        : name
  lower.fn.op("constant", "new", to, [], { name: base ? `${written} ..` : written, at: lower.at(last) })
  for (const c of lower.named(body)) {
    const type = lower.type(c)
    if (type === "field_initializer") {
      const key = lower.field(c, "field") >= 0 ? lower.field(c, "field") : lower.field(c, "name")
      lower.store(
        to,
        lower.textOf(key),
        lower.naming(key, () => lower.expr(lower.field(c, "value"))),
        lower.at(key)
      )
    } else if (type === "shorthand_field_initializer") {
      const key = lower.tree.named(c)
      lower.store(to, lower.textOf(key), lower.variable(lower.textOf(key)), lower.at(key))
    } else if (type === "base_field_initializer")
      lower.assign(to, lower.choose([to, lower.expr(lower.tree.named(c))]))
  }
  return to
}

const members: LowerNode = (lower, n) => {
  for (const c of lower.named(lower.field(n, "body"))) {
    if (lower.type(c) === "function_item") lower.member(c)
    else lower.any(c)
  }
}

const assignment =
  (compound: boolean): LowerExpression =>
  (lower, n) => {
    const left = lower.field(n, "left")
    const right = lower.expr(lower.field(n, "right"))
    const value = compound ? lower.derive([lower.expr(left), right]) : right
    lower.bind(left, value, false)
    return value
  }

const tuple: LowerExpression = (lower, n) => {
  const to = lower.constant("", lower.at(n))
  lower.named(n).forEach((c, i) => lower.store(to, `[${i}]`, lower.expr(c), lower.at(c)))
  return to
}

export const rust: Language = {
  ids: ["rust"],
  probe: "fn f(a: i32) -> i32 { a + 1 }\n",
  names: new Set(["identifier"]),
  functions: {
    function_item: functionParts,
    closure_expression: functionParts
  },
  statements: {
    source_file: children,
    mod_item: (lower, n) => lower.scoped(() => lower.each(lower.named(lower.field(n, "body")))),
    impl_item: members,
    trait_item: members,
    let_declaration: (lower, n) => {
      const value = lower.field(n, "value")
      const pattern = lower.field(n, "pattern")
      const otherwise = lower.field(n, "alternative")
      const written = lower.textOf(lower.field(n, "type"))
      if (value < 0) {
        if (lower.type(pattern) === "identifier")
          lower.declare(lower.textOf(pattern), lower.at(pattern), { type: written })
        return
      }
      const bound = () => {
        const given = nested(lower, value) ? before : lower.naming(pattern, () => lower.expr(value))
        if (lower.type(pattern) === "identifier") lower.bindName(pattern, given, true, { type: written })
        else lower.bind(pattern, given, true)
      }
      const before = nested(lower, value) ? lower.expr(value) : -1
      lower.statement("declaration", n, bound, lower.tree.end[value]!)
      if (otherwise >= 0) {
        const from = lower.fn.current
        lower.if(
          () => from,
          () => {},
          () => void block(lower, otherwise)
        )
      }
    },
    const_item: (lower, n) => global(lower, n),
    static_item: (lower, n) => global(lower, n),
    expression_statement: (lower, n) => {
      const e = lower.tree.named(n)
      const type = lower.type(e)
      if (nested(lower, e) || type in jumps) {
        lower.any(e)
        return
      }
      const before = lower.fn.ops.length
      lower.statement(
        type.includes("assignment") ? "assignment" : type === "call_expression" ? "call" : "expression",
        n,
        () => lower.expr(e)
      )
      if (type === "macro_invocation" && lower.fn.ops.slice(before).some(({ kind }) => kind === "throw"))
        lower.fn.throw()
    },
    if_expression: (lower, n) => void ifExpression(lower, n),
    match_expression: (lower, n) => void matchExpression(lower, n),
    loop_expression: (lower, n) => void loops["loop_expression"]!(lower, n),
    while_expression: (lower, n) => void loops["while_expression"]!(lower, n),
    for_expression: (lower, n) => void loops["for_expression"]!(lower, n),
    block: (lower, n) => void block(lower, n),
    unsafe_block: (lower, n) => void block(lower, lower.tree.childOf(n, "block")),
    return_expression: jump("return"),
    break_expression: jump("break"),
    continue_expression: jump("continue"),
    use_declaration: nothing,
    extern_crate_declaration: nothing,
    struct_item: nothing,
    enum_item: nothing,
    union_item: nothing,
    type_item: nothing,
    macro_definition: nothing,
    empty_statement: nothing,
    foreign_mod_item: nothing,
    function_signature_item: nothing,
    associated_type: nothing
  },
  expressions: {
    ...loops,
    if_expression: ifExpression,
    match_expression: matchExpression,
    block: (lower, n) => {
      const label = lower.tree.childOf(n, "label")
      if (label >= 0) {
        let value = -1
        lower.labelled(lower.textOf(label), () => {
          value = block(lower, n)
        })
        return value < 0 ? lower.temp() : value
      }
      const value = block(lower, n)
      return value < 0 ? lower.temp() : value
    },
    unsafe_block: (lower, n) => {
      const value = block(lower, lower.tree.childOf(n, "block"))
      return value < 0 ? lower.temp() : value
    },
    async_block: (lower, n) => {
      const value = block(lower, lower.tree.childOf(n, "block"))
      return value < 0 ? lower.temp() : value
    },
    return_expression: jumped("return"),
    break_expression: jumped("break"),
    continue_expression: jumped("continue"),
    call_expression: call,
    macro_invocation: macro,
    struct_expression: struct,
    field_expression: (lower, n) => {
      const name = lower.field(n, "field")
      const written = lower.textOf(name)
      return lower.load(
        lower.expr(lower.field(n, "value")),
        /^\d+$/.test(written) ? `[${written}]` : written,
        lower.at(name)
      )
    },
    index_expression: (lower, n) => {
      const [base, index] = lower.named(n)
      if (lower.type(index ?? -1) === "range_expression")
        return lower.copy("assign", [lower.expr(base ?? -1)], lower.temp())
      return element(lower, base ?? -1, index ?? -1)
    },
    reference_expression: (lower, n) => {
      const value = lower.expr(lower.field(n, "value"))
      return lower.copy("ref", [value], lower.temp(lower.pathOf(value)))
    },
    unary_expression: (lower, n) => {
      const value = lower.expr(lower.tree.named(n))
      return lower.text[lower.tree.start[n]!] === "*"
        ? lower.copy("assign", [value], lower.temp(lower.pathOf(value)))
        : lower.compare([value])
    },
    try_expression: (lower, n) => {
      const value = lower.expr(lower.tree.named(n))
      lower.fn.mayErr()
      return lower.copy("assign", [value], lower.temp(lower.pathOf(value)))
    },
    await_expression: (lower, n) => {
      const value = lower.expr(lower.tree.named(n))
      return lower.copy("await", [value], lower.temp(lower.pathOf(value)))
    },
    parenthesized_expression: inner,
    type_cast_expression: valueOf("value"),
    binary_expression: binary("binary_expression"),
    assignment_expression: assignment(false),
    compound_assignment_expr: assignment(true),
    tuple_expression: tuple,
    array_expression: (lower, n) => {
      const to = lower.constant("", lower.at(n))
      for (const c of lower.named(n)) lower.store(to, "[]", lower.expr(c), lower.at(c))
      return to
    },
    range_expression: derived,
    scoped_identifier: (lower, n) => {
      const name = lower.field(n, "name")
      const written = lower.textOf(n).replaceAll("::", ".")
      return lower.copy("assign", [], lower.temp(written), written, lower.at(name))
    },
    self: (lower) => lower.variable("self"),
    generic_function: valueOf("function"),
    let_condition: (lower, n) => {
      const value = lower.expr(lower.field(n, "value"))
      lower.bind(lower.field(n, "pattern"), value, true)
      return lower.compare([value])
    },
    string_literal: constant,
    raw_string_literal: constant,
    char_literal: constant,
    integer_literal: constant,
    float_literal: constant,
    boolean_literal: constant,
    unit_expression: constant
  },
  patterns: {
    identifier: (lower, n, value, declares) => {
      const name = lower.textOf(n)
      if (!declares || !/^[A-Z]/.test(name)) lower.bindName(n, value, declares)
    },
    tuple_pattern: (lower, n, value, declares) =>
      lower.named(n).forEach((c, i) => lower.bind(c, lower.load(value, `[${i}]`), declares)),
    tuple_expression: (lower, n, value, declares) =>
      lower.named(n).forEach((c, i) => lower.bind(c, lower.load(value, `[${i}]`), declares)),
    // What a variant holds is taken for the whole: `Some(x)` of a value is that value.
    tuple_struct_pattern: (lower, n, value, declares) => {
      const type = lower.field(n, "type")
      for (const c of lower.named(n)) if (c !== type) lower.bind(c, value, declares)
    },
    struct_pattern: (lower, n, value, declares) => {
      for (const c of lower.named(n)) {
        if (lower.type(c) !== "field_pattern") continue
        const name = lower.field(c, "name")
        const pattern = lower.field(c, "pattern")
        const got = lower.load(value, lower.textOf(name), lower.at(name))
        if (pattern >= 0) lower.bind(pattern, got, declares)
        else lower.bindName(name, got, declares)
      }
    },
    field_expression: (lower, n, value) => {
      const name = lower.field(n, "field")
      const written = lower.textOf(name)
      lower.store(
        lower.expr(lower.field(n, "value")),
        /^\d+$/.test(written) ? `[${written}]` : written,
        value,
        lower.at(name)
      )
    },
    index_expression: (lower, n, value) => {
      const [base, index] = lower.named(n)
      lower.store(lower.expr(base ?? -1), elementName(lower, index ?? -1), value, lower.at(index ?? -1))
    },
    unary_expression: (lower, n, value) => {
      const target = lower.tree.named(n)
      lower.store(lower.expr(target), "[]", value, lower.at(target))
    },
    mut_pattern: (lower, n, value, declares) => lower.bind(lower.tree.named(n), value, declares),
    ref_pattern: (lower, n, value, declares) => lower.bind(lower.tree.named(n), value, declares),
    reference_pattern: (lower, n, value, declares) => lower.bind(lower.tree.named(n, -1), value, declares),
    captured_pattern: (lower, n, value, declares) => {
      for (const c of lower.named(n)) lower.bind(c, value, declares)
    },
    slice_pattern: (lower, n, value, declares) => {
      for (const c of lower.named(n)) lower.bind(c, lower.load(value, "[]"), declares)
    },
    scoped_identifier: nothing,
    string_literal: nothing,
    integer_literal: nothing,
    negative_literal: nothing,
    range_pattern: nothing
  },
  silent: new Set([
    "line_comment",
    "block_comment",
    "attribute_item",
    "inner_attribute_item",
    "visibility_modifier",
    "type_identifier",
    "primitive_type",
    "mutable_specifier",
    "lifetime",
    "reference_type",
    "generic_type",
    "where_clause",
    "type_parameters",
    "type_arguments",
    "escape_sequence",
    "string_content",
    "label",
    "move"
  ])
}
const jumps: { readonly [type: string]: true } = {
  return_expression: true,
  break_expression: true,
  continue_expression: true
}

const global = (lower: Lower, n: Node): void => {
  const name = lower.field(n, "name")
  const value = lower.field(n, "value")
  if (value >= 0) lower.statement("declaration", n, () => void lower.bindName(name, lower.expr(value), true))
}
