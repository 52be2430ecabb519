/** Python. */
import type { Node } from "../../languages/treesitter/SyntaxTree.ts"
import type { FunctionParts, Language, Lower, LowerExpression, LowerNode } from "../Lower.ts"
import {
  binary,
  breaking,
  children,
  compared,
  constant,
  continuing,
  derived,
  element,
  elementName,
  inner,
  nothing,
  returning,
  throwing
} from "./shared.ts"

const scopes = new Set(["function_definition", "class_definition", "lambda"])

/** Names that are assigned anywhere in a body belong to all of it, unless it says otherwise. */
const hoist = (lower: Lower, body: Node): void => {
  const { tree } = lower
  const outside = new Set<string>()
  const found: Array<Node> = []
  const names = (n: Node) => {
    for (let c = n; c < tree.after[n]!; ) {
      const type = tree.type(c)
      if (type === "attribute" || type === "subscript" || type === "call") c = tree.after[c]!
      else {
        if (type === "identifier") found.push(c)
        c++
      }
    }
  }
  for (let c = body + 1; c < tree.after[body]!; ) {
    const type = tree.type(c)
    if (type === "global_statement" || type === "nonlocal_statement")
      for (const name of tree.namedChildren(c)) outside.add(lower.textOf(name))
    else if (
      type === "assignment" ||
      type === "augmented_assignment" ||
      type === "for_statement" ||
      type === "for_in_clause"
    ) {
      if (type !== "for_in_clause") names(tree.child(c, "left"))
    } else if (type === "as_pattern_target") names(c)
    else if (type === "named_expression") names(tree.child(c, "name"))
    else if (scopes.has(type)) {
      const name = tree.child(c, "name")
      if (name >= 0) found.push(name)
      c = tree.after[c]!
      continue
    }
    c++
  }
  for (const n of found) {
    const name = lower.textOf(n)
    if (!outside.has(name)) lower.declare(name, lower.at(n), { whole: true })
  }
}

const parameters = (lower: Lower, list: Node, method: boolean): void => {
  let first = method
  for (const p of lower.named(list)) {
    const type = lower.type(p)
    const value = lower.field(p, "value")
    let name = lower.field(p, "name")
    if (name < 0) {
      name = type === "identifier" ? p : lower.tree.named(p)
      if (type === "typed_parameter" && lower.type(name) !== "identifier") name = lower.tree.named(name)
    }
    const written = lower.textOf(lower.field(p, "type"))
    if (lower.type(name) !== "identifier") {
      if (type !== "keyword_separator" && type !== "positional_separator") lower.unnamed(lower.at(p))
      continue
    }
    if (first) {
      lower.receiver(lower.textOf(name), lower.at(name), written)
      first = false
      continue
    }
    if (/splat/.test(type) || lower.textOf(p).startsWith("*")) lower.fn.variadic = true
    const slot = lower.parameter(lower.textOf(name), lower.at(name), written)
    if (value >= 0)
      lower.statement("declaration", p, () =>
        lower.fn.op("copy", "choose", slot, [slot, lower.expr(value)], {
          name: lower.textOf(name),
          at: lower.at(name)
        })
      )
  }
}

const functionParts =
  (kind: "function" | "lambda") =>
  (lower: Lower, n: Node): FunctionParts => {
    const { tree } = lower
    const outer = tree.parent[n]!
    const decorated = lower.type(outer) === "decorated_definition"
    const holder = decorated ? tree.parent[outer]! : outer
    const marks = decorated
      ? lower
          .named(outer)
          .filter((c) => lower.type(c) === "decorator")
          .map((c) => lower.textOf(c))
      : []
    const method =
      kind === "function" &&
      lower.type(holder) === "block" &&
      lower.type(tree.parent[holder]!) === "class_definition" &&
      !marks.includes("@staticmethod")
    const body = lower.field(n, "body")
    return {
      name: lower.field(n, "name"),
      async: lower.has(n, "async"),
      generator: yields(lower, body),
      marks,
      body: () => {
        parameters(lower, lower.field(n, "parameters"), method)
        if (kind === "lambda") {
          lower.statement("return", body, () => lower.return(body, [lower.expr(body)]))
          return
        }
        hoist(lower, body)
        lower.each(lower.named(body))
      }
    }
  }

const yields = (lower: Lower, body: Node): boolean => {
  const { tree } = lower
  for (let c = body; c >= 0 && c < tree.after[body]!; ) {
    const type = tree.type(c)
    if (type === "yield") return true
    c = scopes.has(type) ? tree.after[c]! : c + 1
  }
  return false
}

const call: LowerExpression = (lower, n) => {
  const callee = lower.field(n, "function")
  const list = lower.field(n, "arguments")
  const keywords: Array<string> = []
  const args = (lower.type(list) === "generator_expression" ? [list] : lower.named(list)).map((a) => {
    if (lower.type(a) === "keyword_argument") {
      keywords.push(lower.textOf(lower.field(a, "name")))
      return lower.expr(lower.field(a, "value"))
    }
    keywords.push("")
    return lower.expr(a)
  })
  const type = lower.type(callee)
  if (type === "attribute") {
    const name = lower.field(callee, "attribute")
    const receiver = lower.expr(lower.field(callee, "object"))
    return lower.call(
      "call",
      { receiver, name: lower.dotted(receiver, lower.textOf(name)), at: lower.at(name) },
      args,
      keywords
    )
  }
  if (type === "identifier") {
    const name = lower.textOf(callee)
    return lower.call("call", { slot: lower.variable(name), name, at: lower.at(callee) }, args, keywords)
  }
  const slot = lower.expr(callee)
  return lower.call("call", { slot, name: lower.pathOf(slot), at: -1 }, args, keywords)
}

const assignment: LowerExpression = (lower, n) => {
  const left = lower.field(n, "left")
  const right = lower.field(n, "right")
  if (right < 0) return lower.constant()
  const name = lower.type(left) === "attribute" ? lower.field(left, "attribute") : left
  const value = lower.naming(name, () => lower.expr(right))
  lower.bind(left, value, false)
  return value
}

const sequence = (): LowerExpression => (lower, n) => {
  const to = lower.constant("", lower.at(n))
  let index = 0
  let known = true
  for (const c of lower.named(n)) {
    if (/splat/.test(lower.type(c))) {
      known = false
      lower.assign(to, lower.choose([to, lower.expr(c)]))
    } else lower.store(to, known ? `[${index++}]` : "[]", lower.expr(c), lower.at(c))
  }
  return to
}

const comprehension: LowerExpression = (lower, n) =>
  lower.scoped(() => {
    for (const c of lower.named(n)) {
      if (lower.type(c) !== "for_in_clause") continue
      lower.bind(lower.field(c, "left"), lower.load(lower.expr(lower.field(c, "right")), "[]"), true)
    }
    for (const c of lower.named(n))
      if (lower.type(c) === "if_clause") lower.compare([lower.expr(lower.tree.named(c))])
    const to = lower.constant("", lower.at(n))
    const body = lower.field(n, "body")
    if (lower.type(body) === "pair") {
      lower.expr(lower.field(body, "key"))
      lower.store(to, "[]", lower.expr(lower.field(body, "value")))
    } else lower.store(to, "[]", lower.expr(body))
    return to
  })

const forStatement: LowerNode = (lower, n) => {
  const right = lower.field(n, "right")
  const left = lower.field(n, "left")
  const otherwise = lower.field(n, "alternative")
  let from = -1
  lower.statement("loop", right, () => {
    from = lower.expr(right)
  })
  lower.while({
    condition: () => {
      lower.spanning("loop", left, right, () => lower.bind(left, lower.load(from, "[]"), false))
      return lower.fn.current
    },
    otherwise: otherwise < 0 ? undefined : () => lower.any(lower.field(otherwise, "body")),
    body: () => lower.any(lower.field(n, "body"))
  })
}

const ifStatement: LowerNode = (lower, n) => {
  const alternatives = lower.fields(n, "alternative")
  const from = (i: number): (() => void) | undefined => {
    const next = alternatives[i]
    if (next === undefined) return undefined
    if (lower.type(next) === "else_clause") return () => lower.any(lower.field(next, "body"))
    return () =>
      lower.if(
        () => lower.test(lower.field(next, "condition")),
        () => lower.any(lower.field(next, "consequence")),
        from(i + 1)
      )
  }
  lower.if(
    () => lower.test(lower.field(n, "condition")),
    () => lower.any(lower.field(n, "consequence")),
    from(0)
  )
}

const tryStatement: LowerNode = (lower, n) => {
  const parts = lower.named(n)
  const handlers = parts.filter(
    (c) => lower.type(c) === "except_clause" || lower.type(c) === "except_group_clause"
  )
  const otherwise = parts.find((c) => lower.type(c) === "else_clause")
  const cleanup = parts.find((c) => lower.type(c) === "finally_clause")
  lower.fn.try({
    body: () => lower.any(lower.field(n, "body")),
    otherwise: otherwise === undefined ? undefined : () => lower.any(lower.field(otherwise, "body")),
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
                run: () => {
                  for (const c of lower.named(h)) {
                    if (lower.type(c) === "block") lower.any(c)
                    else
                      lower.statement("declaration", c, () => {
                        const alias = lower.field(c, "alias")
                        if (alias >= 0) lower.bind(alias, lower.thrown(), false)
                      })
                  }
                }
              }))
            }),
    cleanup: cleanup === undefined ? undefined : () => lower.each(lower.named(cleanup))
  })
}

const withStatement: LowerNode = (lower, n) => {
  const clause = lower.tree.childOf(n, "with_clause")
  for (const item of lower.named(clause)) {
    const value = lower.field(item, "value")
    lower.statement("declaration", item, () => {
      if (lower.type(value) === "as_pattern")
        lower.bind(lower.field(value, "alias"), lower.expr(lower.tree.named(value)), false)
      else lower.expr(value)
    })
  }
  lower.any(lower.field(n, "body"))
}

const matchStatement: LowerNode = (lower, n) => {
  const subject = lower.field(n, "subject")
  let value = -1
  lower.statement("condition", subject, () => {
    value = lower.expr(subject)
    lower.fn.op("test", "assign", -1, [value], { at: lower.at(subject) })
  })
  const arms = lower.named(lower.field(n, "body")).filter((c) => lower.type(c) === "case_clause")
  lower.switch({
    breaks: false,
    arms: arms.map((c) => {
      const patterns = lower.named(c).filter((p) => lower.type(p) === "case_pattern")
      const guard = lower.field(c, "guard")
      const text = patterns.map((p) => lower.textOf(p)).join(",")
      return {
        fallback: guard < 0 && /^[a-z_]\w*$/.test(text) && (text === "_" || patterns.length === 1),
        falls: false,
        run: () => {
          for (const p of patterns) lower.statement("case", p, () => matched(lower, p, value))
          if (guard >= 0) lower.test(guard)
          lower.any(lower.field(c, "consequence"))
        }
      }
    })
  })
}

/** Names in a pattern that stand for parts of the value. */
const matched = (lower: Lower, pattern: Node, value: number): void => {
  const { tree } = lower
  const only = lower.textOf(pattern)
  for (let c = pattern; c < tree.after[pattern]!; c++) {
    if (tree.type(c) !== "identifier" || lower.textOf(c) === "_") continue
    const above = tree.parent[c]!
    if (tree.type(above) === "dotted_name" && tree.namedChildren(above).length > 1) continue
    if (tree.type(tree.parent[above]!) === "class_pattern" && tree.named(tree.parent[above]!) === above)
      continue
    if (tree.type(above) === "keyword_pattern" && tree.named(above) === c) continue
    lower.bindName(
      c,
      only === lower.textOf(c) ? value : lower.load(value, "[]"),
      lower.lookup(lower.textOf(c)) === undefined
    )
  }
}

export const python: Language = {
  ids: ["python"],
  probe: "def f(a):\n    return a + 1\n",
  names: new Set(["identifier"]),
  hoist,
  functions: {
    function_definition: functionParts("function"),
    lambda: functionParts("lambda")
  },
  statements: {
    module: children,
    block: children,
    decorated_definition: (lower, n) => lower.any(lower.field(n, "definition")),
    class_definition: (lower, n) => {
      lower.scoped(() => {
        const self = lower.constant(lower.textOf(lower.field(n, "name")))
        for (const c of lower.named(lower.field(n, "body"))) {
          const at = lower.type(c) === "decorated_definition" ? lower.field(c, "definition") : c
          if (lower.type(at) === "function_definition") lower.member(at)
          else if (
            lower.type(c) === "expression_statement" &&
            lower.type(lower.tree.named(c)) === "assignment"
          ) {
            const a = lower.tree.named(c)
            const left = lower.field(a, "left")
            const right = lower.field(a, "right")
            if (right >= 0)
              lower.statement("declaration", c, () =>
                lower.store(self, lower.textOf(left), lower.expr(right), lower.at(left))
              )
          } else lower.any(c)
        }
      })
    },
    expression_statement: (lower, n) => {
      const e = lower.tree.named(n)
      const type = lower.type(e)
      lower.statement(
        type.includes("assignment")
          ? "assignment"
          : type === "call"
            ? "call"
            : type === "yield"
              ? "yield"
              : "expression",
        n,
        () => {
          for (const c of lower.named(n)) lower.expr(c)
        }
      )
    },
    if_statement: ifStatement,
    for_statement: forStatement,
    while_statement: (lower, n) => {
      const condition = lower.field(n, "condition")
      const otherwise = lower.field(n, "alternative")
      lower.while({
        condition: /^(?:True|1)$/.test(lower.textOf(condition)) ? undefined : () => lower.test(condition),
        otherwise: otherwise < 0 ? undefined : () => lower.any(lower.field(otherwise, "body")),
        body: () => lower.any(lower.field(n, "body"))
      })
    },
    try_statement: tryStatement,
    with_statement: withStatement,
    match_statement: matchStatement,
    return_statement: returning,
    raise_statement: throwing,
    break_statement: breaking,
    continue_statement: continuing,
    assert_statement: (lower, n) =>
      lower.statement("expression", n, () => lower.compare(lower.named(n).map((c) => lower.expr(c)))),
    delete_statement: (lower, n) =>
      lower.statement("assignment", n, () => {
        for (const c of lower.named(n)) lower.bind(c, lower.constant(), false)
      }),
    print_statement: (lower, n) => lower.statement("call", n, () => void derived(lower, n)),
    exec_statement: (lower, n) =>
      lower.statement(
        "call",
        n,
        () =>
          void lower.call(
            "call",
            { name: "exec", at: lower.at(n) },
            lower.named(n).map((c) => lower.expr(c))
          )
      ),
    pass_statement: nothing,
    global_statement: nothing,
    nonlocal_statement: nothing,
    import_statement: nothing,
    import_from_statement: nothing,
    future_import_statement: nothing,
    type_alias_statement: nothing
  },
  expressions: {
    call,
    assignment,
    augmented_assignment: (lower, n) => {
      const left = lower.field(n, "left")
      const value = lower.derive([lower.expr(left), lower.expr(lower.field(n, "right"))])
      lower.bind(left, value, false)
      return value
    },
    named_expression: (lower, n) => {
      const value = lower.expr(lower.field(n, "value"))
      lower.bind(lower.field(n, "name"), value, false)
      return value
    },
    attribute: (lower, n) => {
      const name = lower.field(n, "attribute")
      return lower.load(lower.expr(lower.field(n, "object")), lower.textOf(name), lower.at(name))
    },
    subscript: (lower, n) => {
      const index = lower.field(n, "subscript")
      if (lower.type(index) === "slice")
        return lower.copy("assign", [lower.expr(lower.field(n, "value"))], lower.temp())
      return element(lower, lower.field(n, "value"), index)
    },
    parenthesized_expression: inner,
    expression_list: sequence(),
    pattern_list: sequence(),
    list: sequence(),
    tuple: sequence(),
    set: sequence(),
    list_splat: inner,
    dictionary_splat: inner,
    dictionary: (lower, n) => {
      const to = lower.constant("", lower.at(n))
      for (const c of lower.named(n)) {
        if (lower.type(c) === "pair") {
          const key = lower.field(c, "key")
          const name = elementName(lower, key)
          if (name === "[]") lower.expr(key)
          lower.store(to, name, lower.expr(lower.field(c, "value")), lower.at(key))
        } else lower.assign(to, lower.choose([to, lower.expr(c)]))
      }
      return to
    },
    list_comprehension: comprehension,
    set_comprehension: comprehension,
    dictionary_comprehension: comprehension,
    generator_expression: comprehension,
    binary_operator: binary("binary_operator"),
    boolean_operator: binary("boolean_operator"),
    comparison_operator: compared,
    not_operator: compared,
    unary_operator: derived,
    conditional_expression: (lower, n) => {
      const [then, condition, otherwise] = lower.named(n)
      lower.fn.op("test", "assign", -1, [lower.expr(condition ?? -1)], { at: lower.at(n) })
      return lower.choose([lower.expr(then ?? -1), lower.expr(otherwise ?? -1)])
    },
    await: (lower, n) => {
      const value = lower.expr(lower.tree.named(n))
      return lower.copy("await", [value], lower.temp(lower.pathOf(value)))
    },
    yield: (lower, n) => {
      const given = lower.tree.named(n)
      const value = given < 0 ? lower.constant() : lower.expr(given)
      const to = lower.temp()
      lower.fn.op("yield", "assign", to, [value], { at: lower.at(n) })
      return to
    },
    string: (lower, n) => {
      const parts = lower.named(n).filter((c) => lower.type(c) === "interpolation")
      return parts.length === 0
        ? lower.constant()
        : lower.derive(parts.map((c) => lower.expr(lower.tree.named(c))))
    },
    concatenated_string: derived,
    as_pattern: inner,
    integer: constant,
    float: constant,
    true: constant,
    false: constant,
    none: constant,
    ellipsis: constant,
    slice: derived,
    keyword_argument: (lower, n) => lower.expr(lower.field(n, "value"))
  },
  patterns: {
    attribute: (lower, n, value) => {
      const name = lower.field(n, "attribute")
      lower.store(lower.expr(lower.field(n, "object")), lower.textOf(name), value, lower.at(name))
    },
    subscript: (lower, n, value) => {
      const index = lower.field(n, "subscript")
      const base = lower.expr(lower.field(n, "value"))
      const name = elementName(lower, index)
      if (name === "[]") lower.expr(index)
      lower.store(base, name, value, lower.at(index))
    },
    pattern_list: (lower, n, value, declares) => each(lower, n, value, declares),
    tuple_pattern: (lower, n, value, declares) => each(lower, n, value, declares),
    list_pattern: (lower, n, value, declares) => each(lower, n, value, declares),
    tuple: (lower, n, value, declares) => each(lower, n, value, declares),
    list: (lower, n, value, declares) => each(lower, n, value, declares),
    list_splat_pattern: (lower, n, value, declares) => lower.bind(lower.tree.named(n), value, declares),
    call: nothing
  },
  silent: new Set([
    "comment",
    "type",
    "string_content",
    "string_start",
    "string_end",
    "escape_sequence",
    "type_parameter",
    "decorator"
  ])
}

const each = (lower: Lower, n: Node, value: number, declares: boolean): void => {
  lower.named(n).forEach((c, i) => {
    if (lower.type(c) === "list_splat_pattern") lower.bind(c, value, declares)
    else lower.bind(c, lower.load(value, `[${i}]`), declares)
  })
}
