/** What Swift's syntax means. */
import { Scope, Space } from "../FactsBuilder.ts"
import { field, literalForm, nameForm, nth, typeNameForm, unwrapForm } from "../treesitter/forms.ts"
import { inner, type Form, type Rules, type Visit } from "../treesitter/Rules.ts"
import type { Node } from "../treesitter/SyntaxTree.ts"
import {
  branches,
  branchScope,
  elementOf,
  inherits,
  scoped,
  typeArguments,
  useName
} from "../treesitter/visits.ts"
import type { Walk } from "../treesitter/Walk.ts"
import { type DefinitionKind, Flag, ImportFlag, Inherit, Op, Role } from "../Vocabulary.ts"

/** Key of the extended type's expression inside an extension. */
const extended = "extended"

const modifiersOf = (w: Walk, n: Node): number => {
  let flags = 0
  let visible: number = Flag.exported
  const modifiers = w.childOf(n, "modifiers")
  for (const m of modifiers < 0 ? [] : w.all(modifiers)) {
    const text = w.text(m)
    if (w.type(m) === "attribute") {
      if (/^@Test\b/.test(text)) flags |= Flag.test
      else if (/deprecated/.test(text)) flags |= Flag.deprecated
    } else if (/^(?:private|fileprivate)\b/.test(text) && !text.includes("(set)")) visible = Flag.private
    else if (text === "static" || text === "class") flags |= Flag.static
    else if (text === "override") flags |= Flag.override
  }
  if (w.has(n, "class") && w.type(n) === "function_declaration") flags |= Flag.static
  return flags | visible
}

const headerOf = (w: Walk, n: Node): number => {
  const modifiers = w.childOf(n, "modifiers")
  let last = -1
  for (const m of modifiers < 0 ? [] : w.tree.children(modifiers)) if (w.type(m) === "attribute") last = m
  if (last < 0) return w.start(n)
  let at = w.end(last)
  while (/\s/.test(w.source[at] ?? "x")) at++
  return at
}

/** The type among the children that have the field "name": the last one that is not the declared name. */
const typeNode = (w: Walk, n: Node): Node => {
  let found = -1
  for (const c of w.withField(n, "name"))
    if (!["simple_identifier", "type_identifier", "pattern"].includes(w.type(c)) && w.tree.isNamed(c))
      found = c
  return found
}

const supers = (w: Walk, n: Node, subject: number, kind: DefinitionKind): void => {
  let first = kind === "class"
  for (const s of w.all(n)) {
    if (w.type(s) !== "inheritance_specifier") continue
    const type = w.child(s, "inherits_from")
    if (type < 0) continue
    if (subject >= 0) {
      // A class may name its super class first; the syntax does not tell it from a protocol.
      inherits(w, subject, type, first || kind === "interface" ? "extends" : "implements")
      if (w.text(type).endsWith("TestCase")) {
        w.notes.set(`test ${subject}`, 1)
        w.b.setRunner(w.intern("xctest"))
      }
    } else {
      const subjectType = w.notes.get(extended) ?? -1
      const expression = w.typeOf(type)
      w.assign(type, Role.implements)
      if (subjectType >= 0 && expression >= 0)
        w.b.inherit(-1, subjectType, expression, Inherit.implements, w.start(type))
    }
    first = false
  }
}

const typeDeclaration: Visit = (w, n) => {
  const name = w.child(n, "name")
  if (name < 0) return
  const body = w.child(n, "body")
  if (w.has(n, "extension")) {
    const before = w.notes.get(extended) ?? -1
    w.notes.set(extended, w.typeOf(name))
    w.notes.set(
      "extended name",
      w.name(
        w.type(name) === "user_type"
          ? (w
              .all(name)
              .filter((c) => w.type(c) === "type_identifier")
              .at(-1) ?? name)
          : name
      )
    )
    w.assign(name, Role.type)
    supers(w, n, -1, "extension")
    w.scope(n)
    w.onLeave(n, () => w.notes.set(extended, before))
    return
  }
  const kind = w.has(n, "struct") ? "struct" : w.has(n, "enum") ? "enum" : "class"
  declareType(w, n, kind, name, body)
}

const declareType = (w: Walk, n: Node, kind: DefinitionKind, name: Node, body: Node): void => {
  const index = w.open(n, {
    kind,
    name,
    body,
    flags: modifiersOf(w, n),
    header: headerOf(w, n),
    space: Space.any
  })
  w.skip(name)
  const before = w.notes.get(extended) ?? -1
  w.notes.set(extended, -1)
  w.onLeave(n, () => w.notes.set(extended, before))
  w.scope(n, Scope.members)
  supers(w, n, index, kind)
}

/** Members of an extension belong to the extended type. */
const own = (w: Walk, index: number): boolean => {
  const type = w.notes.get(extended) ?? -1
  if (type < 0) return false
  w.b.setOwner(index, type, w.notes.get("extended name") ?? 0)
  return true
}
const isMember = (w: Walk): boolean =>
  w.directlyInType() || ((w.notes.get(extended) ?? -1) >= 0 && !w.insideFunction())

const parameterKinds = (w: Walk, n: Node) => {
  const counts: Array<"required" | "optional" | "variadic"> = []
  for (const c of w.tree.children(n)) {
    if (w.type(c) === "parameter") counts.push("required")
    else if (w.type(c) === "..." && counts.length > 0) counts[counts.length - 1] = "variadic"
    else if (w.tree.hasField(c, "default_value") && counts.length > 0) counts[counts.length - 1] = "optional"
  }
  return counts.map((kind, i) => {
    const p = w.all(n).filter((c) => w.type(c) === "parameter")[i]!
    return kind === "required" && w.text(p).endsWith("...") ? ("variadic" as const) : kind
  })
}

const callable =
  (kind: "function" | "constructor" | "property"): Visit =>
  (w, n) => {
    const spelled = w.withField(n, "name").find((c) => w.type(c) === "simple_identifier") ?? -1
    const token = w.tree.first(n)
    const operator = spelled < 0 && kind === "function" ? w.child(n, "name") : -1
    const name = spelled >= 0 ? spelled : operator >= 0 ? operator : token
    if (name < 0) return
    const body = w.child(n, "body")
    const member = isMember(w)
    const deinit = w.type(n) === "deinit_declaration"
    let flags = modifiersOf(w, n)
    if (w.notes.has(`test ${w.enclosingType()}`) && w.text(name).startsWith("test")) flags |= Flag.test
    const index = w.open(n, {
      kind:
        kind === "function"
          ? operator >= 0
            ? "operator"
            : member
              ? "method"
              : "function"
          : deinit
            ? "method"
            : kind,
      name,
      flags: flags | (w.type(n).startsWith("protocol_") ? Flag.abstract : 0),
      body,
      header: headerOf(w, n),
      ...(spelled >= 0
        ? {}
        : {
            as:
              kind === "constructor"
                ? deinit
                  ? "deinit"
                  : "init"
                : kind === "property"
                  ? "subscript"
                  : w.text(name)
          }),
      space: kind === "function" ? Space.value : 0
    })
    w.skip(spelled)
    if (member) own(w, index)
    w.scope(n, Scope.function)
    w.parameters(index, parameterKinds(w, n))
    const result = kind === "constructor" ? -1 : typeNode(w, n)
    w.assign(result, Role.return_type)
    if (result >= 0) w.b.setType(index, w.instanceOf(result))
  }

const parameter: Visit = (w, n) => {
  const name = w.withField(n, "name").find((c) => w.type(c) === "simple_identifier") ?? -1
  const type = typeNode(w, n)
  w.skip(w.child(n, "external_name"))
  w.assign(type, Role.parameter_type)
  w.local(name, w.instanceOf(type))
  w.skip(name)
}

const property: Visit = (w, n) => {
  const annotation = w.childOf(n, "type_annotation")
  const type = annotation < 0 ? -1 : w.child(annotation, "name")
  const value = w.child(n, "value")
  const patterns = w.withField(n, "name").filter((c) => w.type(c) === "pattern")
  const member = isMember(w)
  const local = !member && w.insideFunction()
  w.assign(type, local ? Role.type : Role.field_type)
  const keyword = w.text(w.childOf(n, "value_binding_pattern"))
  let expression = w.instanceOf(type)
  if (expression < 0) expression = w.valueOf(value)
  const computed = w.child(n, "computed_value")
  for (const p of patterns) {
    const name = w.child(p, "bound_identifier")
    if (name < 0) continue
    w.skip(name)
    if (local) {
      w.local(name, expression)
      continue
    }
    const constant = keyword === "let"
    const declared = {
      kind: member ? ("property" as const) : constant ? ("constant" as const) : ("variable" as const),
      name,
      header: headerOf(w, n),
      flags: modifiersOf(w, n) | (constant ? Flag.readonly : 0),
      space: Space.value,
      headerEnd:
        computed >= 0
          ? w.start(computed)
          : value >= 0 && w.end(value) - w.start(value) > 80
            ? w.start(value)
            : w.end(n)
    }
    const index = patterns.length === 1 ? w.open(n, declared) : w.define(n, declared)
    if (expression >= 0) w.b.setType(index, expression)
    if (member) own(w, index)
  }
  if (computed >= 0 || w.childOf(n, "willset_didset_block") >= 0) w.scope(n, Scope.function)
}

const bound: Visit = (w, n) => {
  const name = w.child(n, "bound_identifier")
  if (name >= 0) {
    if (w.hasRole(name)) return
    w.local(name)
    w.skip(name)
    return
  }
  // `case let .some(x)`, `let (a, b)`: a lone name under a binding is a new one.
  const only = w.named(n)
  if (w.countNamed(n) === 1 && w.type(only) === "simple_identifier" && !w.has(n, ".")) {
    for (
      let p = w.parent(n);
      /^(?:pattern|switch_pattern|property_declaration)$/.test(w.type(p));
      p = w.parent(p)
    ) {
      if (w.childOf(p, "value_binding_pattern") < 0) continue
      w.local(only)
      w.skip(only)
      return
    }
  }
  const first = w.all(n).find((c) => w.type(c) === "simple_identifier") ?? -1
  if (first >= 0 && w.has(n, ".")) {
    w.memberReference(w.unknown, w.name(first), w.start(first), Role.read)
    w.skip(first)
  }
}

/** `if let a = b`, `guard let a = b`, `while let a = b`. */
const conditions = (w: Walk, n: Node): void => {
  const children = w.tree.children(n)
  children.forEach((c, i) => {
    if (!w.tree.hasField(c, "bound_identifier")) return
    const value = w.text(children[i + 1] ?? -1) === "=" ? (children[i + 2] ?? -1) : c
    const expression = w.valueOf(value)
    w.local(c, expression < 0 ? -1 : w.b.expression(Op.unwrap, expression), w.end(c) + (value === c ? 1 : 0))
    w.skip(c)
  })
}

const forLoop: Visit = (w, n) => {
  branchScope(w, n)
  const name = w.child(w.child(n, "item"), "bound_identifier")
  if (name < 0) return
  w.local(name, elementOf(w, w.child(n, "collection")))
  w.skip(name)
}

const argumentCount = (w: Walk, call: Node): { readonly args: Node; readonly count: number } => {
  const suffix =
    w.type(call) === "constructor_expression"
      ? w.childOf(call, "constructor_suffix")
      : w.childOf(call, "call_suffix")
  const args = w.childOf(suffix, "value_arguments")
  return {
    args,
    count: w.countNamed(args) + w.all(suffix).filter((c) => w.type(c) === "lambda_literal").length
  }
}
const isSubscript = (w: Walk, call: Node): boolean => w.source[w.start(argumentCount(w, call).args)] === "["

const call: Visit = (w, n) => {
  const callee = w.named(n)
  const { args, count } = argumentCount(w, n)
  if (args >= 0 && isSubscript(w, n)) return
  if (w.type(callee) === "simple_identifier") {
    w.setCall(w.reference(callee, Role.call), Role.call, count, w.useOf(n))
    w.skip(callee)
  } else if (w.type(callee) === "navigation_expression") {
    const name = w.child(w.child(callee, "suffix"), "suffix")
    if (w.type(name) !== "simple_identifier") return
    w.setCall(w.member(w.child(callee, "target"), name, Role.call), Role.call, count, w.useOf(n))
    w.skip(name)
    w.markCall(w.text(name), args)
  }
}

const construction: Visit = (w, n) => {
  const type = w.child(n, "constructed_type")
  const name =
    w.type(type) === "user_type"
      ? (w
          .all(type)
          .filter((c) => w.type(c) === "type_identifier")
          .at(-1) ?? -1)
      : -1
  if (name < 0) return
  w.setCall(w.reference(name, Role.new, Space.type), Role.new, argumentCount(w, n).count, w.useOf(n))
  w.skip(name)
}

const selfForm: Form = (w) => {
  const type = w.notes.get(extended) ?? -1
  if (type >= 0) return w.b.expression(Op.selfOf, type)
  const current = w.enclosingType()
  return current < 0 ? -1 : w.b.expression(Op.self, current)
}

const userType: Form = (w, n) => {
  const names = w.all(n).filter((c) => w.type(c) === "type_identifier")
  const first = names[0]
  if (first === undefined) return -1
  let base = w.text(first) === "Self" ? selfTypeForm(w, n) : w.nameExpression(first, Space.type)
  for (const name of names.slice(1)) base = w.memberExpression(base, name)
  const args = w.childOf(n, "type_arguments")
  return args < 0
    ? base
    : w.generic(
        base,
        w.all(args).map((a) => w.typeOf(a))
      )
}
const selfTypeForm: Form = (w, n) => {
  const type = w.notes.get(extended) ?? -1
  if (type >= 0) return type
  const current = w.enclosingType()
  return current < 0 ? w.nameExpression(w.named(n), Space.type) : w.b.expression(Op.selfType, current)
}

const binaryBranch: Visit = (w) => w.b.branch()

export const rules: Rules = {
  grammar: { package: "@repomix/tree-sitter-wasms", file: "out/tree-sitter-swift.wasm" },
  probe:
    "import A\n/// \u00e9\npublic class B<T>: C { let d: [E] = f(g: 1); init(_ h: I?) { self.d = h?.j[0] } func k() -> L { if let m = n { m.o { $0.p } } } }\n",
  nodes: {
    import_declaration: (w, n) => {
      const path = w.childOf(n, "identifier")
      w.skipChildren(n)
      if (path < 0) return
      const text = w.text(path)
      w.b.import(w.intern(text), 0, 0, ImportFlag.wildcard, w.start(path))
      if (text === "XCTest") w.b.setRunner(w.intern("xctest"))
      else if (text === "Testing") w.b.setRunner(w.intern("swift-testing"))
    },
    class_declaration: typeDeclaration,
    protocol_declaration: (w, n) => {
      const name = w.child(n, "name")
      if (name >= 0) declareType(w, n, "interface", name, w.child(n, "body"))
    },
    associatedtype_declaration: (w, n) => {
      const name = w.child(n, "name")
      if (name < 0) return
      w.define(n, { kind: "type_alias", name, flags: Flag.exported | Flag.abstract, space: Space.type })
      w.skip(name)
    },
    typealias_declaration: (w, n) => {
      const name = w.child(n, "name")
      if (name < 0) return
      const type = typeNode(w, n)
      const index = w.open(n, { kind: "type_alias", name, flags: modifiersOf(w, n), space: Space.type })
      w.b.setType(index, w.typeOf(type))
      w.assign(type, Role.type)
      w.skip(name)
    },
    type_parameter: (w, n) => {
      const name = w.named(n)
      const bound = w.child(n, "name")
      if (name < 0) return
      w.b.bindLocal(w.name(name), bound < 0 ? -1 : w.typeOf(bound), 0, Space.any)
      w.skip(name)
    },
    function_declaration: callable("function"),
    protocol_function_declaration: callable("function"),
    init_declaration: callable("constructor"),
    deinit_declaration: callable("constructor"),
    subscript_declaration: callable("property"),
    parameter,
    property_declaration: property,
    protocol_property_declaration: property,
    enum_entry: (w, n) => {
      for (const name of w.withField(n, "name")) {
        if (w.type(name) !== "simple_identifier" || !w.directlyInType()) continue
        const index = w.define(n, {
          kind: "enum_member",
          name,
          flags: Flag.exported | Flag.static | Flag.readonly,
          space: Space.value
        })
        w.b.setType(index, w.b.expression(Op.self, w.b.current))
        w.skip(name)
      }
    },
    pattern: bound,
    if_statement: (w, n) => {
      branchScope(w, n)
      conditions(w, n)
    },
    guard_statement: (w, n) => {
      w.b.branch()
      conditions(w, n)
    },
    while_statement: (w, n) => {
      branchScope(w, n)
      conditions(w, n)
    },
    repeat_while_statement: branches,
    for_statement: forLoop,
    switch_entry: branchScope,
    catch_block: (w, n) => {
      branchScope(w, n)
      if (w.child(n, "error") < 0) w.b.bindLocal(w.intern("error"))
    },
    do_statement: scoped(),
    ternary_expression: branches,
    conjunction_expression: binaryBranch,
    disjunction_expression: binaryBranch,
    nil_coalescing_expression: binaryBranch,
    lambda_literal: (w, n) => w.scope(n, Scope.function),
    lambda_parameter: parameter,
    computed_getter: scoped(Scope.function),
    computed_setter: (w, n) => {
      w.scope(n, Scope.function)
      w.b.bindLocal(w.intern("newValue"))
    },
    call_expression: call,
    constructor_expression: construction,
    navigation_expression: (w, n) => {
      const name = w.child(w.child(n, "suffix"), "suffix")
      if (w.type(name) !== "simple_identifier" || w.hasRole(name)) return
      w.skip(name)
      if (w.text(name) !== "self") w.member(w.child(n, "target"), name, w.roleOf(n, Role.read))
    },
    prefix_expression: (w, n) => {
      const target = w.child(n, "target")
      if (!w.has(n, ".") || w.type(target) !== "simple_identifier") return
      w.memberReference(w.unknown, w.name(target), w.start(target), Role.read)
      w.skip(target)
    },
    directly_assignable_expression: (w, n) => w.suggest(n, Role.write),
    value_argument_label: (w, n) => w.skipChildren(n),
    type_arguments: typeArguments,
    attribute: (w, n) => {
      const type = w.named(n)
      w.assign(type, Role.decorate)
      for (const c of w.all(n).slice(1)) if (w.type(c) === "simple_identifier") w.skip(c)
    },
    inheritance_constraint: (w, n) => w.skip(w.child(n, "constrained_type")),
    equality_constraint: (w, n) => w.skip(w.child(n, "constrained_type")),
    identifier: (w, n) => w.skipChildren(n),
    simple_identifier: (w, n) => {
      if (w.source[w.start(n)] !== "$") useName()(w, n)
    },
    type_identifier: (w, n) => {
      if (w.text(n) !== "Self") useName(Role.type)(w, n)
    }
  },
  values: {
    simple_identifier: nameForm,
    self_expression: selfForm,
    super_expression: (w) => {
      const type = w.enclosingType()
      return type < 0 ? -1 : w.b.expression(Op.super, type)
    },
    navigation_expression: (w, n) => {
      const target = w.child(n, "target")
      const name = w.child(w.child(n, "suffix"), "suffix")
      if (w.type(name) !== "simple_identifier") return -1
      const receiver = w.type(target) === "user_type" ? w.typeOf(target) : w.valueOf(target)
      return w.text(name) === "self" ? receiver : w.memberExpression(receiver, name)
    },
    call_expression: (w, n) => {
      const f = w.valueOf(w.named(n))
      return f < 0
        ? -1
        : w.b.expression(argumentCount(w, n).args >= 0 && isSubscript(w, n) ? Op.element : Op.call, f)
    },
    constructor_expression: (w, n) => {
      const type = w.typeOf(w.child(n, "constructed_type"))
      return type < 0 ? -1 : w.b.expression(Op.new, type)
    },
    postfix_expression: unwrapForm(field("target")),
    try_expression: inner(field("expr")),
    await_expression: inner(field("expr")),
    as_expression: (w, n) => w.instanceOf(w.child(n, "name")),
    tuple_expression: (w, n) => (w.countNamed(n) === 1 ? w.valueOf(w.child(n, "value")) : -1),
    nil_coalescing_expression: inner(nth(0)),
    ternary_expression: inner(field("if_true")),
    line_string_literal: literalForm("String"),
    integer_literal: literalForm("Int"),
    real_literal: literalForm("Double"),
    boolean_literal: literalForm("Bool"),
    array_literal: literalForm("list"),
    dictionary_literal: literalForm("map")
  },
  types: {
    user_type: userType,
    type_identifier: typeNameForm,
    optional_type: inner(field("wrapped"), "type"),
    array_type: (w, n) => w.collection("array", [w.typeOf(w.child(n, "name"))]),
    dictionary_type: (w, n) =>
      w.collection(
        "map",
        w.withField(n, "name").map((t) => w.typeOf(t))
      ),
    opaque_type: inner(nth(-1), "type"),
    existential_type: inner(nth(-1), "type"),
    protocol_composition_type: inner(nth(0), "type")
  },
  passes: [
    "user_type",
    "optional_type",
    "array_type",
    "dictionary_type",
    "opaque_type",
    "existential_type",
    "directly_assignable_expression",
    "call_expression"
  ],
  comments: ["comment", "multiline_comment"],
  docs: /^\/\/\/|^\/\*\*/,
  uses: {
    statements: "discarded",
    control_transfer_statement: "returned",
    property_declaration: "assigned",
    assignment: "assigned",
    value_argument: "argument",
    if_statement: "condition",
    guard_statement: "condition",
    while_statement: "condition",
    await_expression: "awaited"
  },
  strings: ["line_string_literal"],
  routes: ["get", "post", "put", "delete", "patch"]
}
