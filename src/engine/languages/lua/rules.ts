/** What Lua's syntax means. A table that functions are declared on acts as a class. */
import { Scope, Space } from "../FactsBuilder.ts"
import { callForm, elementForm, field, literalForm, memberForm, nth } from "../treesitter/forms.ts"
import { inner, type Form, type Rules, type Visit } from "../treesitter/Rules.ts"
import type { Node } from "../treesitter/SyntaxTree.ts"
import { binary, branches, branchScope, scoped, useName } from "../treesitter/visits.ts"
import type { Walk } from "../treesitter/Walk.ts"
import { Flag, ImportFlag, Inherit, Op, Role } from "../Vocabulary.ts"

const testNames = new Set(["describe", "context", "it", "spec", "test", "insulate", "expose"])

/** Tables with functions of their own, by name, found before the walk. */
const classKey = (name: string): string => `class ${name}`

const findClasses = (w: Walk): void => {
  for (let n = 0; n < w.tree.count; n++) {
    if (!w.tree.isNamed(n)) continue
    const type = w.type(n)
    if (type === "function_declaration") {
      const table = w.child(w.child(n, "name"), "table")
      if (w.type(table) === "identifier") w.notes.set(classKey(w.text(table)), 1)
    } else if (type === "dot_index_expression" && w.text(w.child(n, "field")) === "__index") {
      w.notes.set(classKey(w.text(w.child(n, "table"))), 1)
    }
  }
}

const required = (w: Walk, value: Node): Node => {
  if (w.type(value) !== "function_call" || w.text(w.child(value, "name")) !== "require") return -1
  const argument = w.named(w.child(value, "arguments"))
  return w.isString(argument) ? argument : -1
}

const values = (w: Walk, statement: Node): ReadonlyArray<Node> =>
  w.all(w.childOf(statement, "expression_list"))

const localDeclaration: Visit = (w, n) => {
  const statement = w.childOf(n, "assignment_statement")
  const names = w.all(w.childOf(statement >= 0 ? statement : n, "variable_list"))
  const given = statement >= 0 ? values(w, statement) : []
  w.notes.set(`local ${statement}`, 1)
  names.forEach((name, i) => {
    if (w.type(name) === "identifier") declare(w, n, name, given[i] ?? -1, true, names.length === 1)
  })
}

/** A name comes into being: import, class, function, variable or local. */
const declare = (w: Walk, n: Node, name: Node, value: Node, isLocal: boolean, alone: boolean): void => {
  const text = w.text(name)
  w.skip(name)
  const module = required(w, value)
  if (module >= 0 && isLocal) {
    const [from, to] = w.content(module)
    const flags = ImportFlag.namespace | (w.insideFunction() ? ImportFlag.dynamic : 0)
    w.b.bindImport(
      w.name(name),
      w.b.import(w.intern(w.source.slice(from, to)), 0, w.name(name), flags, w.start(name)),
      w.end(n)
    )
    w.skip(value)
    if (w.source.slice(from, to).startsWith("busted")) w.b.setRunner(w.intern("busted"))
    return
  }
  const isFunction = w.type(value) === "function_definition"
  if (w.insideFunction() && !isFunction)
    return w.local(name, w.valueOf(value), isLocal ? w.end(n) : w.start(name))
  if (!isLocal) {
    const key = `global ${text}`
    if (w.notes.has(key)) {
      w.reference(name, Role.write)
      return
    }
    w.notes.set(key, 1)
  }
  const flags = isLocal ? Flag.private : Flag.exported
  const isClass = w.notes.has(classKey(text)) && !isFunction
  const long = value >= 0 && w.end(value) - w.start(value) > 80
  const body = isFunction ? w.child(value, "body") : -1
  const declared = {
    kind: isClass ? ("class" as const) : isFunction ? ("function" as const) : ("variable" as const),
    name,
    flags,
    space: Space.value,
    headerEnd: isFunction ? w.end(w.child(value, "parameters")) : long ? w.start(value) : w.end(n),
    ...(body >= 0 ? { body } : {})
  }
  const index = alone ? w.open(n, declared) : w.define(n, declared)
  if (isFunction) parametersOf(w, index, value)
  else if (isClass) superClass(w, index, value)
  else {
    const expression = w.valueOf(value)
    if (expression >= 0) w.b.setType(index, expression)
  }
  if (w.type(value) === "table_constructor" && alone) w.notes.set(`table ${value}`, index)
}

/** `class("Name", Base)`, `Base:extend()`, `setmetatable({}, { __index = Base })`. */
const superClass = (w: Walk, index: number, value: Node): void => {
  if (w.type(value) !== "function_call") return
  const callee = w.child(value, "name")
  const args = w.all(w.child(value, "arguments"))
  let base = -1
  if (
    w.type(callee) === "method_index_expression" &&
    /^(?:extend|subclass|derive|inherit)$/.test(w.text(w.child(callee, "method")))
  )
    base = w.child(callee, "table")
  else if (w.text(callee) === "class")
    base = args.find((a) => w.type(a) === "identifier" || w.type(a) === "dot_index_expression") ?? -1
  else if (w.text(callee) === "setmetatable") base = indexOf(w, args[1] ?? -1)
  const expression = w.valueOf(base)
  if (expression >= 0) w.b.inherit(index, -1, expression, Inherit.extends, w.start(base))
}
const indexOf = (w: Walk, table: Node): Node => {
  for (const f of w.type(table) === "table_constructor" ? w.all(table) : [])
    if (w.text(w.child(f, "name")) === "__index") return w.child(f, "value")
  return -1
}

const parametersOf = (w: Walk, index: number, f: Node): void => {
  const list = w.child(f, "parameters")
  if (list >= 0)
    w.parameters(
      index,
      w.all(list).map((p) => (w.type(p) === "vararg_expression" ? "variadic" : "required"))
    )
}

/** Makes a member declared outside of its table belong to it. */
const own = (w: Walk, index: number, table: Node): void => {
  const owner = w.valueOf(table)
  const name = w.type(table) === "dot_index_expression" ? w.child(table, "field") : table
  if (owner >= 0) w.setOwner(index, owner, w.name(name))
}

const functionDeclaration: Visit = (w, n) => {
  const name = w.child(n, "name")
  const type = w.type(name)
  const body = w.child(n, "body")
  const parameters = w.child(n, "parameters")
  if (name < 0) return
  const headerEnd = parameters >= 0 ? w.end(parameters) : w.end(name)
  if (type === "identifier") {
    const local = w.has(n, "local")
    const index = w.open(n, {
      kind: "function",
      name,
      headerEnd,
      body: body >= 0 ? body : n,
      flags: local ? Flag.private : Flag.exported,
      space: Space.value
    })
    w.skip(name)
    w.scope(n, Scope.function)
    return parametersOf(w, index, n)
  }
  const method = type === "method_index_expression"
  const table = w.child(name, "table")
  const member = w.child(name, method ? "method" : "field")
  if (member < 0) return
  const index = w.open(n, {
    kind: "method",
    name: member,
    headerEnd,
    body: body >= 0 ? body : n,
    flags: Flag.exported | (method ? 0 : Flag.static),
    space: 0
  })
  own(w, index, table)
  w.skip(member)
  w.assign(name, Role.call)
  w.scope(n, Scope.function)
  parametersOf(w, index, n)
  if (method) w.b.bindLocal(w.intern("self"), selfOf(w, table))
}

/** An instance of the class a table stands for. */
const selfOf = (w: Walk, table: Node): number => {
  const type = w.valueOf(table)
  return type < 0 ? -1 : w.b.expression(Op.selfOf, type)
}

const assignment: Visit = (w, n) => {
  if (w.notes.has(`local ${n}`)) return
  const names = w.all(w.childOf(n, "variable_list"))
  const given = values(w, n)
  names.forEach((name, i) => {
    const value = given[i] ?? -1
    if (w.type(name) === "identifier") {
      // Inside functions an assignment changes a name declared elsewhere.
      if (w.insideFunction() || names.length > 1) w.assign(name, Role.write)
      else declare(w, n, name, value, false, true)
    } else if (w.type(name) === "dot_index_expression") memberAssignment(w, n, name, value)
    else w.assign(name, Role.write)
  })
}

const memberAssignment = (w: Walk, n: Node, target: Node, value: Node): void => {
  const table = w.child(target, "table")
  const member = w.child(target, "field")
  const text = w.text(member)
  const isFunction = w.type(value) === "function_definition"
  const onSelf = w.text(table) === "self" && w.type(table) === "identifier"
  w.assign(target, Role.write)
  if (text === "__index" || w.type(table) !== "identifier" || (w.insideFunction() && !onSelf)) return
  const owner = onSelf ? w.enclosingOwner() : undefined
  if (onSelf && owner === undefined) return
  const key = `member ${owner?.name ?? w.text(table)} ${text}`
  if (w.notes.has(key)) return
  w.notes.set(key, 1)
  if (owner !== undefined) {
    // A field of the class that the enclosing function belongs to.
    w.inside(-1, () => {
      const index = w.define(target, { kind: "field", name: member, flags: Flag.exported, space: 0 })
      w.setOwner(index, owner.type, owner.name)
      const expression = w.valueOf(value)
      if (expression >= 0) w.b.setType(index, expression)
    })
    return
  }
  const body = isFunction ? w.child(value, "body") : -1
  const index = w.open(n, {
    kind: isFunction ? "method" : "field",
    name: member,
    flags: Flag.exported | Flag.static,
    space: 0,
    headerEnd: isFunction ? w.end(w.child(value, "parameters")) : Math.min(w.end(n), w.end(target) + 80),
    ...(body >= 0 ? { body } : {})
  })
  own(w, index, table)
  w.assign(target, Role.call)
  w.skip(member)
  if (isFunction) parametersOf(w, index, value)
  else {
    const expression = w.valueOf(value)
    if (expression >= 0) w.b.setType(index, expression)
  }
}

const call: Visit = (w, n) => {
  const callee = w.child(n, "name")
  const args = w.child(n, "arguments")
  const type = w.type(callee)
  const first = w.named(args)
  if (type === "identifier") {
    const text = w.text(callee)
    if (text === "require" && w.isString(first)) {
      const [from, to] = w.content(first)
      w.b.import(
        w.intern(w.source.slice(from, to)),
        0,
        0,
        ImportFlag.sideEffect | (w.insideFunction() ? ImportFlag.dynamic : 0),
        from
      )
      return w.skip(callee)
    }
    if (testNames.has(text) && w.isString(first) && w.countNamed(args) > 1) {
      const [from, to] = w.content(first)
      w.open(n, {
        kind: "test",
        name: first,
        as: w.source.slice(from, Math.min(to, from + 120)),
        flags: Flag.test,
        body: args,
        headerEnd: w.end(first),
        space: 0
      })
      w.b.setRunner(w.intern("busted"))
      return w.skip(callee)
    }
    if (text === "setmetatable" && w.type(first) === "identifier" && w.notes.has(classKey(w.text(first)))) {
      const base = indexOf(w, w.named(args, 1))
      const subject = w.valueOf(first)
      const expression = w.valueOf(base)
      if (expression >= 0 && subject >= 0)
        w.b.inherit(-1, subject, expression, Inherit.extends, w.start(base))
    }
    w.called(w.reference(callee, Role.call), n, args)
    w.skip(callee)
  } else if (type === "dot_index_expression" || type === "method_index_expression") {
    const name = w.child(callee, type === "dot_index_expression" ? "field" : "method")
    if (name < 0) return
    w.called(w.member(w.child(callee, "table"), name, Role.call), n, args)
    w.skip(name)
    w.assign(callee, Role.call)
    w.markCall(w.text(name), args)
  }
}

const member: Visit = (w, n) => {
  const name = w.child(n, "field")
  const role = w.roleOf(n, Role.read)
  if (name < 0 || role === Role.call) return
  w.member(w.child(n, "table"), name, role)
  w.skip(name)
}

const callValue: Form = (w, n) => {
  const callee = w.child(n, "name")
  const args = w.child(n, "arguments")
  if (w.text(callee) === "setmetatable") {
    const type = w.valueOf(w.named(args, 1))
    return type < 0 ? -1 : w.b.expression(Op.new, type)
  }
  return callForm(field("name"))(w, n)
}

const loop: Visit = (w, n) => {
  branchScope(w, n)
  const generic = w.childOf(n, "for_generic_clause")
  if (generic >= 0) {
    const names = w.all(w.childOf(generic, "variable_list"))
    const iterated = w.named(w.childOf(generic, "expression_list"))
    const collection =
      w.type(iterated) === "function_call" && /^i?pairs$/.test(w.text(w.child(iterated, "name")))
        ? w.valueOf(w.named(w.child(iterated, "arguments")))
        : -1
    names.forEach((name, i) => {
      w.local(name, i === 1 && collection >= 0 ? w.b.expression(Op.element, collection) : -1)
      w.skip(name)
    })
  }
  const numeric = w.childOf(n, "for_numeric_clause")
  const name = w.child(numeric, "name")
  w.local(name)
  w.skip(name)
}

export const rules: Rules = {
  grammar: { package: "@tree-sitter-grammars/tree-sitter-lua", file: "tree-sitter-lua.wasm" },
  probe:
    '-- \u00e9\nlocal a = require("b")\nlocal C = { d = 1, ["e"] = 2 }\nfunction C:f(g, ...) for i, v in ipairs(self.h) do v:j(i) end return a.k(g)[1] end\nreturn C\n',
  begin: findClasses,
  nodes: {
    variable_declaration: localDeclaration,
    assignment_statement: assignment,
    function_declaration: functionDeclaration,
    function_definition: scoped(Scope.function),
    parameters: (w, n) => {
      for (const p of w.all(n)) {
        if (w.type(p) !== "identifier") continue
        w.local(p)
        w.skip(p)
      }
    },
    field: (w, n) => {
      const name = w.child(n, "name")
      const value = w.child(n, "value")
      if (w.type(name) !== "identifier" || w.has(n, "[")) return
      w.skip(name)
      const table = w.notes.get(`table ${w.parent(n)}`)
      if (table === undefined || table !== w.b.current) return
      const isFunction = w.type(value) === "function_definition"
      const body = isFunction ? w.child(value, "body") : -1
      const index = w.open(n, {
        kind: isFunction ? "method" : "field",
        name,
        flags: Flag.exported | Flag.static,
        space: 0,
        ...(body >= 0 ? { body } : {})
      })
      if (isFunction) parametersOf(w, index, value)
      else if (w.valueOf(value) >= 0) w.b.setType(index, w.valueOf(value))
    },
    do_statement: scoped(),
    if_statement: branches,
    elseif_statement: branches,
    while_statement: branchScope,
    repeat_statement: branchScope,
    for_statement: loop,
    binary_expression: binary("and", "or"),
    function_call: call,
    dot_index_expression: member,
    return_statement: (w, n) => {
      const list = w.childOf(n, "expression_list")
      if (w.countNamed(list) !== 1) return
      const value = w.named(list)
      if (w.b.current < 0 && w.type(value) === "identifier") {
        w.b.export(w.intern("default"), w.name(value), 0, 0, w.start(value))
      } else if (
        w.type(w.ancestor(n, "function_definition", "function_declaration")) === "function_declaration"
      )
        w.returns(value)
    },
    label_statement: (w, n) => w.skipChildren(n),
    goto_statement: (w, n) => w.skipChildren(n),
    identifier: useName()
  },
  values: {
    identifier: (w, n) => w.nameExpression(n, Space.any),
    dot_index_expression: memberForm(field("table"), field("field")),
    method_index_expression: memberForm(field("table"), field("method")),
    bracket_index_expression: elementForm(field("table")),
    function_call: callValue,
    parenthesized_expression: inner(nth(0)),
    string: literalForm("string"),
    number: literalForm("number"),
    true: literalForm("boolean"),
    false: literalForm("boolean"),
    table_constructor: literalForm("map")
  },
  types: {},
  passes: ["variable_list", "parenthesized_expression"],
  comments: ["comment"],
  docs: /^--/,
  uses: {
    block: "discarded",
    chunk: "discarded",
    return_statement: "returned",
    expression_list: "assigned",
    arguments: "argument"
  },
  strings: ["string"],
  environment: ["getenv"],
  routes: ["get", "post", "put", "delete", "patch", "match"]
}
