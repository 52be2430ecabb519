/** What Ruby's syntax means. A bare lower-case name is a local variable where one is known, else a call. */
import { Scope, Space } from "../FactsBuilder.ts"
import { eitherForm, elementForm, field, literalForm, nameForm, nth } from "../treesitter/forms.ts"
import { inner, type Form, type Rules, type Visit } from "../treesitter/Rules.ts"
import type { Node } from "../treesitter/SyntaxTree.ts"
import { binary, branches } from "../treesitter/visits.ts"
import type { Walk } from "../treesitter/Walk.ts"
import { type DefinitionKind, Flag, ImportFlag, Inherit, kindNumber, Op, Role } from "../Vocabulary.ts"

/** Key of the visibility in force in a class body. */
const visibility = "visibility"
/** Key that is set inside `class << self`. */
const singleton = "singleton"

const mixers = new Set(["include", "extend", "prepend"])
const groups = new Set([
  "describe",
  "context",
  "feature",
  "shared_examples",
  "shared_examples_for",
  "shared_context"
])
const examples = new Set(["it", "specify", "scenario", "example", "its", "test", "should"])
const iterators = new Set([
  "each",
  "map",
  "select",
  "reject",
  "find",
  "detect",
  "each_with_index",
  "flat_map",
  "filter",
  "collect",
  "any?",
  "all?",
  "none?",
  "sort_by",
  "group_by",
  "partition",
  "min_by",
  "max_by",
  "each_with_object",
  "filter_map",
  "sum",
  "find_each",
  "reverse_each",
  "each_entry"
])

const selfType = (w: Walk): number => {
  const type = w.enclosingType()
  return type < 0 ? -1 : w.b.expression(Op.selfType, type)
}
/** The object or, in class bodies and static methods, the class. */
const self: Form = (w) => {
  const type = w.enclosingType()
  if (type < 0) return -1
  const f = w.enclosingFunction()
  return w.b.expression(f < 0 || (w.b.flagsOf(f) & Flag.static) !== 0 ? Op.selfType : Op.self, type)
}

const typeDeclaration =
  (kind: DefinitionKind): Visit =>
  (w, n) => {
    const name = w.child(n, "name")
    if (name < 0) return
    const body = w.child(n, "body")
    const qualified = w.type(name) === "scope_resolution"
    const last = qualified ? w.child(name, "name") : name
    const scope = qualified ? w.child(name, "scope") : -1
    const superclass = w.named(w.child(n, "superclass"))
    const index = w.open(n, {
      kind,
      name: last,
      flags: Flag.exported,
      body,
      space: scope >= 0 ? 0 : Space.any,
      headerEnd: superclass >= 0 ? w.end(superclass) : w.end(name)
    })
    if (scope >= 0) {
      w.b.setOwner(
        index,
        w.receiverOf(scope),
        w.name(w.type(scope) === "scope_resolution" ? w.child(scope, "name") : scope)
      )
      w.skip(last)
    } else w.skip(name)
    if (superclass >= 0) {
      const expression = w.typeOf(superclass)
      if (expression >= 0) w.b.inherit(index, -1, expression, Inherit.extends, w.start(superclass))
      w.assign(superclass, Role.extends)
      const text = w.text(superclass)
      if (/(?:^|::)(?:TestCase|Test|Spec)$|TestCase$/.test(text)) {
        w.notes.set(`test ${index}`, 1)
        w.b.setRunner(w.intern(text.startsWith("Test::Unit") ? "test-unit" : "minitest"))
      }
    }
    const before = w.notes.get(visibility) ?? 0
    w.notes.set(visibility, 0)
    w.onLeave(n, () => w.notes.set(visibility, before))
    w.scope(n, Scope.members)
  }

const parameterKinds = (w: Walk, list: Node) =>
  w.all(list).map((p) => {
    switch (w.type(p)) {
      case "identifier":
      case "destructured_parameter":
        return "required" as const
      case "optional_parameter":
        return "optional" as const
      case "keyword_parameter":
        return w.child(p, "value") >= 0 ? ("optional" as const) : ("required" as const)
      case "splat_parameter":
      case "hash_splat_parameter":
        return "variadic" as const
      default:
        return undefined
    }
  })

const parameters: Visit = (w, n) => {
  for (const p of w.all(n)) {
    const name = w.type(p) === "identifier" ? p : w.child(p, "name")
    if (name >= 0) {
      w.local(name, w.valueOf(w.child(p, "value")))
      w.skip(name)
    } else if (w.type(p) === "destructured_parameter") parameters(w, p)
  }
}

const methodVisibility = (w: Walk, n: Node): number => {
  const list = w.parent(n)
  const around = w.type(list) === "argument_list" ? w.parent(list) : -1
  const modifier = w.type(around) === "call" ? w.text(w.child(around, "method")) : ""
  if (modifier === "private" || modifier === "private_class_method") return Flag.private
  if (modifier === "protected") return Flag.protected | Flag.exported
  if (modifier === "public") return Flag.exported
  const level = w.notes.get(visibility) ?? 0
  return level === 0 ? Flag.exported : level
}

const method: Visit = (w, n) => {
  const name = w.child(n, "name")
  if (name < 0) return
  const body = w.child(n, "body")
  const list = w.child(n, "parameters")
  const text = w.text(name)
  const inType = w.directlyInType()
  const onSelf = w.type(n) === "singleton_method"
  let flags = onSelf ? Flag.static | Flag.exported : methodVisibility(w, n)
  if (w.notes.get(singleton) === 1) flags |= Flag.static
  if (w.notes.has(`test ${w.enclosingType()}`) && text.startsWith("test_")) flags |= Flag.test
  const constructor = inType && text === "initialize"
  const index = w.open(n, {
    kind: constructor
      ? "constructor"
      : w.type(name) === "operator"
        ? "operator"
        : inType || onSelf
          ? "method"
          : "function",
    name,
    flags,
    body,
    headerEnd: list >= 0 ? w.end(list) : w.end(name),
    space: Space.value
  })
  w.skip(name)
  if (onSelf) {
    const object = w.child(n, "object")
    if (w.type(object) !== "self") w.b.setOwner(index, w.receiverOf(object), w.name(object))
  }
  w.scope(n, Scope.function)
  w.parameters(index, list < 0 ? [] : parameterKinds(w, list))
  // The value of the last statement is the method's.
  const last = w.type(body) === "body_statement" ? w.named(body, -1) : body
  if (last >= 0 && !constructor) {
    const value = w.valueOf(last)
    if (value >= 0 && w.b.operatorOf(value) !== Op.literal) w.b.setType(index, value)
  }
}

/** `@x`: a member of the current object, declared by the first assignment in the class. */
const instanceVariable = (w: Walk, n: Node, role: number): void => {
  const receiver = self(w, n)
  w.memberReference(receiver < 0 ? w.unknown : receiver, w.name(n), w.start(n), role)
}
const declareField = (w: Walk, n: Node, value: number): void => {
  const type = w.enclosingType()
  if (type < 0) return
  const key = `field ${type} ${w.text(n)}`
  const known = w.notes.get(key)
  if (known !== undefined) {
    if (value >= 0 && w.b.typeOf(known) < 0) w.b.setType(known, value)
    return
  }
  w.inside(type, () => {
    const index = w.define(n, {
      kind: "field",
      name: n,
      flags: w.type(n) === "class_variable" ? Flag.static | Flag.private : Flag.private,
      space: 0
    })
    if (value >= 0) w.b.setType(index, value)
    w.notes.set(key, index)
  })
}

/** The left side of an assignment comes into being or is written. */
const assigned = (w: Walk, left: Node, value: number, whole: Node): void => {
  switch (w.type(left)) {
    case "identifier":
      w.local(left, value)
      return w.skip(left)
    case "instance_variable":
    case "class_variable":
      declareField(w, left, value)
      return w.assign(left, Role.write)
    case "constant": {
      const index = w.define(whole, {
        kind: "constant",
        name: left,
        flags: Flag.exported | Flag.readonly,
        space: Space.any,
        headerEnd: Math.min(w.end(whole), w.end(left) + 80)
      })
      if (value >= 0) w.b.setType(index, value)
      return w.skip(left)
    }
    case "global_variable": {
      const key = `global ${w.text(left)}`
      if (!w.notes.has(key)) {
        w.notes.set(key, 1)
        w.inside(-1, () => {
          const index = w.define(left, { kind: "variable", name: left, flags: Flag.exported, space: 0 })
          if (value >= 0) w.b.setType(index, value)
        })
      }
      return w.assign(left, Role.write)
    }
    case "left_assignment_list":
      for (const part of w.all(left))
        assigned(w, w.type(part) === "rest_assignment" ? w.named(part) : part, -1, whole)
      return
    case "call":
    case "scope_resolution":
    case "element_reference":
      return w.assign(left, Role.write)
  }
}

const assignment: Visit = (w, n) => {
  const left = w.child(n, "left")
  const right = w.child(n, "right")
  // Point = Struct.new(:x, :y) is a class.
  if (w.type(left) === "constant" && w.type(right) === "call" && w.text(w.child(right, "method")) === "new") {
    const maker = w.text(w.child(right, "receiver"))
    if (maker === "Struct" || maker === "Class" || maker === "Module" || maker === "Data") {
      const index = w.open(n, {
        kind: "class",
        name: left,
        flags: Flag.exported,
        body: right,
        headerEnd: w.end(left),
        space: Space.any
      })
      w.skip(left)
      w.scope(n, Scope.members)
      for (const a of w.all(w.child(right, "arguments"))) {
        if (w.type(a) === "simple_symbol")
          w.define(a, {
            kind: "property",
            name: a,
            as: w.text(a).slice(1),
            flags: Flag.exported,
            space: Space.value
          })
        else if (maker === "Class" && index >= 0 && w.typeOf(a) >= 0)
          w.b.inherit(index, -1, w.typeOf(a), Inherit.extends, w.start(a))
      }
      return
    }
  }
  assigned(w, left, w.valueOf(right), n)
}

const symbolName = (w: Walk, n: Node): string => {
  if (w.type(n) === "simple_symbol") return w.text(n).slice(1)
  if (!w.isString(n)) return ""
  const [from, to] = w.content(n)
  return w.source.slice(from, to)
}

const call: Visit = (w, n) => {
  const method = w.child(n, "method")
  const receiver = w.child(n, "receiver")
  const args = w.child(n, "arguments")
  const block = w.child(n, "block")
  const text = w.text(method)
  const first = w.named(args)
  if (receiver < 0 && directive(w, n, text, args, first)) return
  if (
    receiver < 0 &&
    block >= 0 &&
    (groups.has(text) || examples.has(text)) &&
    (groups.has(text) || first >= 0)
  ) {
    test(w, n, method, text, first, block)
    return
  }
  if (text === "describe" && w.text(receiver) === "RSpec" && block >= 0) {
    w.skip(receiver)
    test(w, n, method, text, first, block)
    return
  }
  if (method < 0 || !/^(?:identifier|constant|operator)$/.test(w.type(method))) return
  const role = w.roleOf(n, Role.call)
  if (receiver < 0) {
    w.called(w.reference(method, Role.call), n, args)
    w.markCall(text, args)
  } else if (text === "new" && /^(?:constant|scope_resolution)$/.test(w.type(receiver))) {
    const name = w.type(receiver) === "constant" ? receiver : w.child(receiver, "name")
    const scope = w.child(receiver, "scope")
    const reference = scope < 0 ? w.reference(name, Role.new) : w.member(scope, name, Role.new)
    w.called(reference, n, args, Role.new)
    w.skip(name)
    w.assign(receiver, Role.call)
  } else {
    const reference = w.member(receiver, method, role)
    if (role === Role.call) w.called(reference, n, args)
    if (w.text(receiver) === "ENV" && text === "fetch") w.markEnvironment(first)
    else w.markCall(text, args)
  }
  w.skip(method)
}

const test = (w: Walk, n: Node, method: Node, text: string, first: Node, block: Node): void => {
  const title =
    first < 0
      ? text
      : w.isString(first)
        ? w.source.slice(w.content(first)[0], Math.min(w.content(first)[1], w.content(first)[0] + 120))
        : w.text(first).slice(0, 120)
  w.skip(method)
  w.open(n, {
    kind: "test",
    name: first < 0 ? method : first,
    as: title,
    flags: Flag.test,
    body: block,
    space: 0
  })
  w.scope(n)
  if (groups.has(text)) w.b.setRunner(w.intern("rspec"))
}

/** Calls that declare something; true when the call is dealt with. */
const directive = (w: Walk, n: Node, text: string, args: Node, first: Node): boolean => {
  const method = w.child(n, "method")
  if (text === "require" || text === "require_relative" || text === "load") {
    if (!w.isString(first)) return false
    const [from, to] = w.content(first)
    const path = w.source.slice(from, to)
    const relative = text === "require_relative"
    const module = relative && !path.startsWith(".") && !path.startsWith("/") ? `./${path}` : path
    w.b.import(
      w.intern(module),
      0,
      0,
      ImportFlag.wildcard |
        (relative ? ImportFlag.quoted : 0) |
        (w.insideFunction() ? ImportFlag.dynamic : 0),
      from
    )
    if (/^(?:rspec|spec_helper|rails_helper)/.test(path)) w.b.setRunner(w.intern("rspec"))
    else if (path.startsWith("minitest")) w.b.setRunner(w.intern("minitest"))
    w.skip(method)
    return true
  }
  if (text === "autoload" && w.countNamed(args) > 1) {
    const path = w.named(args, 1)
    if (!w.isString(path)) return false
    const [from, to] = w.content(path)
    const name = w.intern(symbolName(w, first))
    w.b.import(w.intern(w.source.slice(from, to)), name, name, 0, from)
    w.skip(method)
    return true
  }
  if (text === "let" || text === "let!" || text === "subject") {
    const block = w.child(n, "block")
    const name = first >= 0 ? symbolName(w, first) : text
    if (block < 0 || name === "") return false
    const value = w.named(w.child(block, "body"), -1)
    const index = w.open(n, {
      kind: "variable",
      name: first >= 0 ? first : method,
      as: name,
      flags: Flag.test,
      headerEnd: w.start(block),
      space: Space.value
    })
    w.b.setType(index, w.valueOf(value))
    w.skip(method)
    return true
  }
  if (!w.directlyInType()) return false
  const type = w.enclosingType()
  if (mixers.has(text)) {
    for (const m of w.all(args)) {
      const expression = w.typeOf(m)
      if (expression >= 0) w.b.inherit(type, -1, expression, Inherit.mixes, w.start(m))
      w.assign(m, Role.extends)
    }
    w.skip(method)
    return true
  }
  if (
    /^(?:attr_(?:accessor|reader|writer)|(?:cattr|mattr)_(?:accessor|reader)|class_attribute|attribute)$/.test(
      text
    )
  ) {
    const flags =
      (/reader|accessor|attribute/.test(text) ? Flag.getter : 0) |
      (/writer|accessor|attribute/.test(text) ? Flag.setter : 0)
    for (const a of w.all(args)) {
      const name = symbolName(w, a)
      if (name === "") continue
      const index = w.define(a, {
        kind: "property",
        name: a,
        as: name,
        flags: flags | methodVisibility(w, n),
        space: Space.value
      })
      // What it reads is the instance variable of the same name.
      w.b.setType(index, w.b.expression(Op.member, w.b.expression(Op.self, type), w.intern(`@${name}`)))
    }
    w.skip(method)
    return true
  }
  if (/^(?:private|protected|public|private_class_method|module_function|private_constant)$/.test(text)) {
    w.skip(method)
    return true
  }
  if (text === "alias_method" || text === "define_method" || text === "scope" || text === "delegate") {
    const name = symbolName(w, first)
    if (name !== "" && text !== "delegate") {
      const block = w.child(n, "block")
      const declared = {
        kind: "method" as const,
        name: first,
        as: name,
        flags: methodVisibility(w, n) | (text === "scope" ? Flag.static : 0),
        space: Space.value
      }
      if (block >= 0) w.open(n, { ...declared, body: block })
      else w.define(n, declared)
    }
    w.skip(method)
    return true
  }
  if (/^(?:belongs_to|has_one|has_many|has_and_belongs_to_many)$/.test(text)) {
    const name = symbolName(w, first)
    if (name !== "")
      w.define(n, { kind: "property", name: first, as: name, flags: Flag.exported, space: Space.value })
  }
  return false
}

/** A block's parameters are elements of what is iterated over. */
const block: Visit = (w, n) => {
  w.scope(n, Scope.function)
  const list = w.child(n, "parameters")
  const around = w.parent(n)
  if (list < 0 || w.type(around) !== "call") return
  const receiver = w.child(around, "receiver")
  const first = w.named(list)
  if (receiver >= 0 && w.type(first) === "identifier" && iterators.has(w.text(w.child(around, "method")))) {
    const collection = w.valueOf(receiver)
    if (collection >= 0) {
      w.local(first, w.b.expression(Op.element, collection))
      w.skip(first)
    }
  }
}

const blockParameters: Visit = (w, n) => {
  for (const p of w.all(n)) {
    const name = w.type(p) === "identifier" ? p : w.child(p, "name")
    if (name >= 0) {
      // The first may have been declared with its type already.
      if (w.roleOf(name, 0) !== 254) w.local(name)
      w.skip(name)
    } else if (w.type(p) === "destructured_parameter") blockParameters(w, p)
  }
}

const identifier: Visit = (w, n) => {
  const text = w.text(n)
  if (/^(?:private|protected|public|module_function)$/.test(text) && w.directlyInType()) {
    w.notes.set(
      visibility,
      text === "private" ? Flag.private : text === "protected" ? Flag.protected | Flag.exported : 0
    )
    return
  }
  w.setCall(w.reference(n, Role.call), Role.call, 0, w.useOf(n))
}

const scopeResolution: Visit = (w, n) => {
  const name = w.child(n, "name")
  const scope = w.child(n, "scope")
  const role = w.roleOf(n, Role.read)
  if (name < 0 || role === Role.call) return
  if (scope < 0) w.reference(name, role)
  else w.member(scope, name, role)
  w.skip(name)
}
const scopeForm: Form = (w, n) => {
  const name = w.child(n, "name")
  const scope = w.child(n, "scope")
  return name < 0 ? -1 : scope < 0 ? w.nameExpression(name) : w.memberExpression(w.receiverOf(scope), name)
}

const callForm: Form = (w, n) => {
  const method = w.child(n, "method")
  const receiver = w.child(n, "receiver")
  if (method < 0) return w.valueOf(receiver)
  const text = w.text(method)
  if (receiver < 0) return w.b.expression(Op.call, w.nameExpression(method))
  if (text === "new") {
    const type = w.valueOf(receiver)
    return type < 0 ? -1 : w.b.expression(Op.new, type)
  }
  if (text === "class" && w.type(receiver) === "self") return selfType(w)
  if (
    text === "freeze" ||
    text === "dup" ||
    text === "clone" ||
    text === "tap" ||
    text === "itself" ||
    text === "tap!"
  )
    return w.valueOf(receiver)
  if (text === "first" || text === "last" || text === "pop" || text === "shift" || text === "sample") {
    const collection = w.valueOf(receiver)
    return collection < 0 ? -1 : w.b.expression(Op.element, collection)
  }
  return w.b.expression(Op.call, w.memberExpression(w.receiverOf(receiver), method))
}

export const rules: Rules = {
  grammar: { package: "@repomix/tree-sitter-wasms", file: "out/tree-sitter-ruby.wasm" },
  probe:
    "require 'a'\n# \u00e9\nmodule A::B\n  class C < D\n    attr_reader :e\n    def f(g, h = 1, *i, j:, **k) = @l.m { |n| n&.o(p: \"#{q}\") }\n    X = [1]\n  end\nend\n",
  nodes: {
    module: typeDeclaration("module"),
    class: typeDeclaration("class"),
    singleton_class: (w, n) => {
      const before = w.notes.get(singleton) ?? 0
      const level = w.notes.get(visibility) ?? 0
      w.notes.set(singleton, 1)
      w.notes.set(visibility, 0)
      w.onLeave(n, () => {
        w.notes.set(singleton, before)
        w.notes.set(visibility, level)
      })
    },
    method,
    singleton_method: method,
    method_parameters: parameters,
    lambda_parameters: parameters,
    block_parameters: blockParameters,
    block,
    do_block: block,
    lambda: (w, n) => w.scope(n, Scope.function),
    assignment,
    operator_assignment: (w, n) => assigned(w, w.child(n, "left"), w.valueOf(w.child(n, "right")), n),
    call,
    super: (w, n) => {
      const f = w.enclosingFunction()
      const type = w.enclosingType()
      if (f < 0 || type < 0 || w.b.kindOf(f) === kindNumber.test) return
      const around = w.parent(n)
      const args = w.type(around) === "call" ? w.child(around, "arguments") : -1
      w.called(
        w.memberReference(w.b.expression(Op.super, type), w.b.nameOfDefinition(f), w.start(n), Role.call),
        args >= 0 ? around : n,
        args
      )
    },
    alias: (w, n) => {
      const name = w.child(n, "name")
      if (w.directlyInType() && name >= 0)
        w.define(n, { kind: "method", name, flags: methodVisibility(w, n), space: Space.value })
      w.skipChildren(n)
    },
    undef: (w, n) => w.skipChildren(n),
    element_reference: (w, n) => {
      if (w.text(w.child(n, "object")) === "ENV") w.markEnvironment(w.named(n, 1))
    },
    exception_variable: (w, n) => {
      const name = w.named(n)
      if (w.type(name) !== "identifier") return
      const types = w.child(w.parent(n), "exceptions")
      const first = w.countNamed(types) === 1 ? w.typeOf(w.named(types)) : -1
      w.local(name, first < 0 ? -1 : w.b.expression(Op.instance, first))
      w.skip(name)
    },
    for: (w, n) => {
      w.b.branch()
      const pattern = w.child(n, "pattern")
      const collection = w.valueOf(w.named(w.child(n, "value")))
      if (w.type(pattern) === "identifier")
        assigned(w, pattern, collection < 0 ? -1 : w.b.expression(Op.element, collection), n)
      else assigned(w, pattern, -1, n)
    },
    return: (w, n) => {
      const list = w.named(n)
      if (
        w.ancestor(n, "block", "do_block", "lambda", "method", "singleton_method") >= 0 &&
        w.countNamed(list) === 1
      )
        w.returns(w.named(list))
    },
    if: branches,
    unless: branches,
    elsif: branches,
    while: branches,
    until: branches,
    when: branches,
    in_clause: branches,
    rescue: branches,
    if_modifier: branches,
    unless_modifier: branches,
    while_modifier: branches,
    until_modifier: branches,
    rescue_modifier: branches,
    conditional: branches,
    binary: binary("&&", "||", "and", "or"),
    scope_resolution: scopeResolution,
    instance_variable: (w, n) => instanceVariable(w, n, w.roleOf(n, Role.read)),
    class_variable: (w, n) => instanceVariable(w, n, w.roleOf(n, Role.read)),
    global_variable: (w, n) => {
      if (w.text(n).length > 2) w.reference(n, w.roleOf(n, Role.read))
    },
    constant: (w, n) => {
      w.reference(n, w.roleOf(n, Role.read))
    },
    keyword_parameter: (w, n) => w.skip(w.child(n, "name")),
    identifier
  },
  values: {
    identifier: nameForm,
    constant: nameForm,
    self,
    scope_resolution: scopeForm,
    instance_variable: (w, n) => {
      const receiver = self(w, n)
      return receiver < 0 ? -1 : w.memberExpression(receiver, n)
    },
    call: callForm,
    element_reference: elementForm(field("object")),
    parenthesized_statements: inner(nth(-1)),
    assignment: inner(field("right")),
    operator_assignment: inner(field("right")),
    conditional: eitherForm(field("consequence"), field("alternative")),
    binary: (w, n) => (w.has(n, "||") ? eitherForm(field("left"), field("right"))(w, n) : -1),
    string: literalForm("string"),
    simple_symbol: literalForm("symbol"),
    integer: literalForm("number"),
    float: literalForm("number"),
    array: literalForm("list"),
    string_array: literalForm("list"),
    symbol_array: literalForm("list"),
    hash: literalForm("map"),
    true: literalForm("boolean"),
    false: literalForm("boolean")
  },
  types: {
    constant: nameForm,
    scope_resolution: scopeForm
  },
  passes: [],
  comments: ["comment"],
  docs: /^(?:#(?!!)|=begin)/,
  uses: {
    body_statement: "discarded",
    program: "discarded",
    return: "returned",
    assignment: "assigned",
    operator_assignment: "assigned",
    argument_list: "argument",
    if: "condition",
    unless: "condition",
    while: "condition",
    if_modifier: "condition"
  },
  strings: ["string"],
  environment: [],
  routes: ["get", "post", "put", "patch", "delete", "match", "mount", "resources"]
}
