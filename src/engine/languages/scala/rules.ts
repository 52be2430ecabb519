/** What Scala's syntax means. */
import { Scope, Space } from "../FactsBuilder.ts"
import {
  castForm,
  field,
  genericForm,
  literalForm,
  nth,
  selfForm,
  superForm,
  typeMemberForm,
  typeNameForm
} from "../treesitter/forms.ts"
import { inner, type Form, type Rules, type Visit } from "../treesitter/Rules.ts"
import type { Node } from "../treesitter/SyntaxTree.ts"
import { branches, branchScope, inherits, scoped, typeArguments, useName } from "../treesitter/visits.ts"
import type { Walk } from "../treesitter/Walk.ts"
import { type DefinitionKind, Flag, ImportFlag, Op, Role } from "../Vocabulary.ts"

const titled = new Set(["test", "it", "describe", "property", "feature", "scenario"])
const iterators = new Set([
  "foreach",
  "map",
  "filter",
  "flatMap",
  "find",
  "exists",
  "forall",
  "count",
  "filterNot",
  "sortBy",
  "groupBy",
  "partition",
  "withFilter"
])

const modifiersOf = (w: Walk, n: Node): number => {
  let flags = 0
  let visible: number = Flag.exported
  const modifiers = w.childOf(n, "modifiers")
  for (const m of modifiers < 0 ? [] : w.tree.children(modifiers)) {
    const text = w.text(m)
    if (text.startsWith("private")) visible = Flag.private
    else if (text.startsWith("protected")) visible = Flag.protected | Flag.exported
    else if (text === "abstract") flags |= Flag.abstract
    else if (text === "override") flags |= Flag.override
  }
  for (const a of w.all(n)) {
    if (w.type(a) !== "annotation") continue
    const text = w.text(w.child(a, "name"))
    if (text === "Test") flags |= Flag.test
    else if (text === "deprecated") flags |= Flag.deprecated
  }
  return flags | visible
}

const headerOf = (w: Walk, n: Node): number => {
  for (const c of w.tree.children(n))
    if (w.type(c) !== "annotation" && !w.type(c).endsWith("comment")) return w.start(c)
  return w.start(n)
}

const typeDeclaration =
  (kind: DefinitionKind): Visit =>
  (w, n) => {
    const name = w.child(n, "name")
    if (name < 0) return
    const body = w.child(n, "body")
    const index = w.open(n, {
      kind,
      name,
      body,
      flags: modifiersOf(w, n),
      header: headerOf(w, n),
      space: kind === "object" ? Space.value : Space.any
    })
    w.skip(name)
    w.scope(n, Scope.members)
    const clause = w.child(n, "extend")
    w.withField(clause, "type").forEach((type, i) =>
      inherits(w, index, type, i === 0 || kind === "trait" ? "extends" : "mixes")
    )
    const isCase = w.has(n, "case")
    const counts: Array<"required" | "optional"> = []
    for (const list of w.all(n)) {
      if (w.type(list) !== "class_parameters") continue
      for (const p of w.all(list)) {
        const parameter = w.child(p, "name")
        if (w.type(p) !== "class_parameter" || parameter < 0) continue
        counts.push(w.child(p, "default_value") >= 0 ? "optional" : "required")
        const type = w.child(p, "type")
        const value = w.instanceOf(type)
        const isProperty = isCase || w.has(p, "val") || w.has(p, "var")
        w.assign(type, isProperty ? Role.field_type : Role.parameter_type)
        w.skip(parameter)
        if (isProperty) {
          const property = w.define(p, {
            kind: "property",
            name: parameter,
            flags: modifiersOf(w, p) | (w.has(p, "var") ? 0 : Flag.readonly),
            space: Space.value
          })
          if (value >= 0) w.b.setType(property, value)
        } else w.local(parameter, value, 0)
      }
    }
    if (kind === "class") w.parameters(index, counts)
  }

const functionDeclaration: Visit = (w, n) => {
  const name = w.child(n, "name")
  if (name < 0) return
  const body = w.child(n, "body")
  const member = w.directlyInType()
  const constructor = w.text(name) === "this"
  const equals = w.childOf(n, "=")
  const index = w.open(n, {
    kind: constructor ? "constructor" : member ? "method" : "function",
    name,
    body,
    header: headerOf(w, n),
    flags: modifiersOf(w, n) | (body < 0 && member ? Flag.abstract : 0),
    space: constructor ? 0 : Space.value,
    ...(equals >= 0 ? { headerEnd: w.start(equals) } : {})
  })
  w.skip(name)
  const extended = w.notes.get("extended") ?? -1
  if (extended >= 0 && !member) {
    // Methods of an extension belong to the type of its parameter.
    const type = w.child(extended, "type")
    const owner = w.typeOf(type)
    if (owner >= 0)
      w.setOwner(index, owner, w.name(w.type(type) === "generic_type" ? w.child(type, "type") : type))
  }
  w.scope(n, Scope.function)
  const parameters = w
    .all(n)
    .filter((c) => w.type(c) === "parameters")
    .flatMap((c) => w.all(c))
    .filter((p) => w.type(p) === "parameter")
  w.parameters(
    index,
    parameters.map((p) =>
      w.type(w.child(p, "type")) === "repeated_parameter_type"
        ? "variadic"
        : w.child(p, "default_value") >= 0
          ? "optional"
          : "required"
    )
  )
  const result = w.child(n, "return_type")
  if (result >= 0) {
    w.assign(result, Role.return_type)
    w.b.setType(index, w.instanceOf(result))
  } else if (body >= 0 && !constructor) {
    const value = w.valueOf(w.type(body) === "block" ? w.named(body, -1) : body)
    if (value >= 0) w.b.setType(index, value)
  }
}

const parameter: Visit = (w, n) => {
  const name = w.child(n, "name")
  const type = w.child(n, "type")
  if (name < 0) return
  w.assign(type, Role.parameter_type)
  w.local(name, w.instanceOf(type))
  w.skip(name)
}

/** val, var and their declarations: members, top-level values or locals. */
const value: Visit = (w, n) => {
  const pattern = w.child(n, "pattern") >= 0 ? w.child(n, "pattern") : w.child(n, "name")
  const type = w.child(n, "type")
  const given = w.child(n, "value")
  const member = w.directlyInType()
  const local = !member && (w.insideFunction() || w.ancestor(n, "block") >= 0)
  w.assign(type, local ? Role.type : Role.field_type)
  const expression = type >= 0 ? w.instanceOf(type) : w.valueOf(given)
  if (w.type(pattern) !== "identifier") return bindPattern(w, pattern, -1)
  w.skip(pattern)
  if (local) return w.local(pattern, expression)
  const readonly = w.type(n).startsWith("val")
  const index = w.open(n, {
    kind: member ? "property" : readonly ? "constant" : "variable",
    name: pattern,
    header: headerOf(w, n),
    space: Space.value,
    flags: modifiersOf(w, n) | (readonly ? Flag.readonly : 0),
    headerEnd: given >= 0 && w.end(given) - w.start(given) > 80 ? w.start(given) : w.end(n)
  })
  if (expression >= 0) w.b.setType(index, expression)
}

/** Names that a pattern introduces: lower-case ones; the others are uses. */
const bindPattern = (w: Walk, n: Node, type: number, depth = 0): void => {
  if (n < 0 || depth > 40) return
  switch (w.type(n)) {
    case "identifier":
      if (/^[a-z_]/.test(w.text(n))) {
        w.local(n, type)
        w.skip(n)
      }
      return
    case "typed_pattern": {
      const of = w.child(n, "type")
      w.assign(of, Role.type)
      return bindPattern(w, w.child(n, "pattern"), w.instanceOf(of), depth + 1)
    }
    case "capture_pattern":
      bindPattern(w, w.child(n, "name"), -1, depth + 1)
      return bindPattern(w, w.child(n, "pattern"), -1, depth + 1)
    case "case_class_pattern":
      w.assign(w.child(n, "type"), Role.type)
      for (const p of w.withField(n, "pattern")) bindPattern(w, p, -1, depth + 1)
      return
    case "tuple_pattern":
    case "infix_pattern":
    case "alternative_pattern":
      for (const p of w.all(n)) if (w.type(p) !== "operator_identifier") bindPattern(w, p, -1, depth + 1)
  }
}

const importDeclaration: Visit = (w, n) => {
  w.skipChildren(n)
  const path = w.withField(n, "path").filter((c) => w.type(c) === "identifier")
  const texts = path.map((p) => w.text(p))
  const whole = texts.join(".")
  if (/^org\.scalatest\b/.test(whole)) w.b.setRunner(w.intern("scalatest"))
  else if (/^munit\b/.test(whole)) w.b.setRunner(w.intern("munit"))
  else if (/^org\.junit\b/.test(whole)) w.b.setRunner(w.intern("junit"))
  const start = path[0] ?? n
  const wildcard = () => w.b.import(w.intern(whole), 0, 0, ImportFlag.wildcard, w.start(start))
  const single = (module: string, name: Node, alias: Node) => {
    const local = alias >= 0 ? w.name(alias) : w.name(name)
    w.b.bindImport(local, w.b.import(w.intern(module), w.name(name), local, 0, w.start(name)))
  }
  const selectors = w.childOf(n, "namespace_selectors")
  if (selectors >= 0) {
    for (const s of w.all(selectors)) {
      const type = w.type(s)
      if (type === "identifier") single(whole, s, -1)
      else if (type === "arrow_renamed_identifier" || type === "as_renamed_identifier") {
        if (w.text(w.child(s, "alias")) !== "_") single(whole, w.child(s, "name"), w.child(s, "alias"))
      } else if (type === "namespace_wildcard") wildcard()
    }
  } else if (w.childOf(n, "namespace_wildcard") >= 0) wildcard()
  else {
    const renamed = w.childOf(n, "as_renamed_identifier")
    if (renamed >= 0) single(whole, w.child(renamed, "name"), w.child(renamed, "alias"))
    else if (path.length > 0) single(texts.slice(0, -1).join("."), path.at(-1)!, -1)
  }
}

/** The name called and its receiver, through type arguments and further argument lists. */
const calleeOf = (w: Walk, n: Node): Node => {
  const f = w.child(n, "function")
  return w.type(f) === "generic_function" ? w.child(f, "function") : f
}

const call: Visit = (w, n) => {
  const callee = calleeOf(w, n)
  const args = w.child(n, "arguments")
  if (w.type(callee) === "call_expression" && w.type(args) === "block") {
    // test("title") { … }
    const name = w.text(calleeOf(w, callee))
    const title = w.named(w.child(callee, "arguments"))
    if (titled.has(name) && w.isString(title)) test(w, n, title, w.source.slice(...w.content(title)), args)
    return
  }
  if (w.type(callee) === "identifier") {
    const text = w.text(callee)
    if (text !== "this" && text !== "super")
      w.setCall(w.reference(callee, Role.call), Role.call, argumentCount(w, args), w.useOf(n))
    w.skip(callee)
    w.markCall(text, args)
  } else if (w.type(callee) === "field_expression") {
    const name = w.child(callee, "field")
    if (name < 0) return
    w.setCall(
      w.member(w.child(callee, "value"), name, Role.call),
      Role.call,
      argumentCount(w, args),
      w.useOf(n)
    )
    w.skip(name)
    w.assign(callee, Role.call)
    w.markCall(w.text(name), args)
  }
}
const argumentCount = (w: Walk, args: Node): number => (w.type(args) === "arguments" ? w.countNamed(args) : 1)

const test = (w: Walk, n: Node, name: Node, title: string, body: Node): void => {
  w.open(n, { kind: "test", name, as: title.slice(0, 120), flags: Flag.test, body, space: 0 })
}

const infix: Visit = (w, n) => {
  const operator = w.child(n, "operator")
  const left = w.child(n, "left")
  const text = w.text(operator)
  w.skip(operator)
  if (text === "&&" || text === "||") return w.b.branch()
  if (/^[^=!<>]+=$/.test(text)) return w.assign(left, Role.write)
  if (w.type(operator) !== "identifier") return
  if (text === "in" && w.text(left).startsWith('"') && w.type(w.child(n, "right")) === "block") {
    return test(w, n, left, w.text(left).replace(/["\n]/g, "").trim(), w.child(n, "right"))
  }
  w.setCall(w.member(left, operator, Role.call), Role.call, 1, w.useOf(n))
}

const instance: Visit = (w, n) => {
  const type = w.named(n)
  const name = w.type(type) === "generic_type" ? w.child(type, "type") : type
  const args = w.child(n, "arguments")
  const body = w.childOf(n, "template_body")
  if (w.type(name) === "type_identifier") {
    w.called(w.reference(name, Role.new, Space.type), n, args, Role.new)
    w.skip(name)
  }
  if (body >= 0 && type >= 0) {
    const base = w.typeOf(type)
    const index = w.open(n, {
      kind: "class",
      name: type,
      as: `new ${w.text(name)}`,
      flags: Flag.local | Flag.synthetic,
      body,
      space: 0
    })
    if (base >= 0) w.b.inherit(index, -1, base, 0, w.start(type))
    w.scope(n, Scope.members)
  }
}

const lambda: Visit = (w, n) => {
  w.scope(n, Scope.function)
  const parameters = w.child(n, "parameters")
  if (w.type(parameters) !== "identifier") return
  // An element of what is iterated over.
  let at = w.parent(n)
  while (/^(?:block|arguments|colon_argument)$/.test(w.type(at))) at = w.parent(at)
  const callee = w.type(at) === "call_expression" ? calleeOf(w, at) : -1
  const receiver =
    w.type(callee) === "field_expression" && iterators.has(w.text(w.child(callee, "field")))
      ? w.valueOf(w.child(callee, "value"))
      : -1
  w.local(parameters, receiver < 0 ? -1 : w.b.expression(Op.element, receiver))
  w.skip(parameters)
}

const nameOrSelf: Form = (w, n) => {
  const text = w.text(n)
  return text === "this"
    ? selfForm(w, n)
    : text === "super"
      ? superForm(w, n)
      : w.nameExpression(n, Space.any)
}

export const rules: Rules = {
  grammar: { package: "tree-sitter-scala", file: "tree-sitter-scala.wasm" },
  probe:
    "package a.b\nimport c.{D => E, _}\n/** \u00e9 */\nclass F[T](val g: H = 1) extends I[T](g) with J {\n  def k(l: Int*): M = { for (n <- o) n.p(q); this.r match { case s: U => s } }\n}\n",
  nodes: {
    package_clause: (w, n) => {
      const name = w.child(n, "name")
      const before = w.notes.has("package") ? `${w.spelled(w.notes.get("package")!)}.` : ""
      const id = w.intern(before + w.text(name).replace(/\s+/g, ""))
      w.notes.set("package", id)
      w.b.setPackage(id)
      w.skip(name)
    },
    import_declaration: importDeclaration,
    class_definition: typeDeclaration("class"),
    trait_definition: typeDeclaration("trait"),
    object_definition: typeDeclaration("object"),
    package_object: typeDeclaration("object"),
    enum_definition: typeDeclaration("enum"),
    simple_enum_case: (w, n) => enumCase(w, n),
    full_enum_case: (w, n) => enumCase(w, n),
    given_definition: (w, n) => {
      const name = w.child(n, "name")
      if (name < 0) return
      const index = w.open(n, {
        kind: "constant",
        name,
        flags: modifiersOf(w, n) | Flag.readonly,
        space: Space.value
      })
      const type = w.child(n, "return_type")
      if (type >= 0) w.b.setType(index, w.instanceOf(type))
      w.skip(name)
    },
    extension_definition: (w, n) => {
      const before = w.notes.get("extended") ?? -1
      w.notes.set(
        "extended",
        w
          .all(n)
          .filter((c) => w.type(c) === "parameters")
          .flatMap((c) => w.all(c))[0] ?? -1
      )
      w.onLeave(n, () => w.notes.set("extended", before))
      w.scope(n)
    },
    type_parameters: (w, n) => {
      for (const name of w.withField(n, "name")) {
        if (w.type(name) !== "identifier") continue
        const bound = w.tree.next(name)
        w.b.bindLocal(
          w.name(name),
          w.type(bound) === "upper_bound" ? w.typeOf(w.child(bound, "type")) : -1,
          0,
          Space.type
        )
        w.skip(name)
      }
    },
    type_definition: (w, n) => {
      const name = w.child(n, "name")
      const type = w.child(n, "type")
      if (name < 0) return
      const index = w.open(n, { kind: "type_alias", name, flags: modifiersOf(w, n), space: Space.type })
      w.b.setType(index, w.typeOf(type))
      w.assign(type, Role.type)
      w.skip(name)
    },
    function_definition: functionDeclaration,
    function_declaration: functionDeclaration,
    parameter,
    binding: parameter,
    val_definition: value,
    var_definition: value,
    val_declaration: value,
    var_declaration: value,
    block: scoped(),
    case_clause: (w, n) => {
      branchScope(w, n)
      bindPattern(w, w.child(n, "pattern"), -1)
    },
    if_expression: branches,
    while_expression: branches,
    do_while_expression: branches,
    for_expression: branchScope,
    enumerator: (w, n) => {
      const [pattern, source] = w.all(n)
      if (pattern === undefined || source === undefined) return
      const from = w.valueOf(source)
      bindPattern(w, pattern, from < 0 ? -1 : w.has(n, "<-") ? w.b.expression(Op.element, from) : from)
    },
    lambda_expression: lambda,
    call_expression: call,
    instance_expression: instance,
    infix_expression: infix,
    field_expression: (w, n) => {
      const name = w.child(n, "field")
      const role = w.roleOf(n, Role.read)
      if (name < 0 || role === Role.call) return
      w.member(w.child(n, "value"), name, role)
      w.skip(name)
    },
    assignment_expression: (w, n) => {
      const left = w.child(n, "left")
      // The name of a named argument is no use of a name here.
      if (w.type(w.parent(n)) === "arguments" && w.type(left) === "identifier") w.skip(left)
      else w.assign(left, Role.write)
    },
    annotation: (w, n) => w.assign(w.child(n, "name"), Role.decorate),
    type_arguments: typeArguments,
    stable_identifier: (w, n) => w.suggest(n, Role.read),
    identifier: (w, n) => {
      const text = w.text(n)
      if (text !== "this" && text !== "super" && text !== "_") useName()(w, n)
    },
    type_identifier: useName(Role.type)
  },
  values: {
    identifier: nameOrSelf,
    field_expression: (w, n) => {
      const name = w.child(n, "field")
      return name < 0 ? -1 : w.memberExpression(w.receiverOf(w.child(n, "value")), name)
    },
    call_expression: (w, n) => {
      const f = w.valueOf(calleeOf(w, n))
      // f(1)(2) has the type of f(1).
      return f < 0 ? -1 : w.type(calleeOf(w, n)) === "call_expression" ? f : w.b.expression(Op.call, f)
    },
    generic_function: inner(field("function")),
    instance_expression: (w, n) => {
      const type = w.typeOf(w.named(n))
      return type < 0 ? -1 : w.b.expression(Op.new, type)
    },
    parenthesized_expression: inner(nth(0)),
    ascription_expression: castForm(nth(-1)),
    string: literalForm("String"),
    interpolated_string_expression: literalForm("String"),
    integer_literal: literalForm("Int"),
    floating_point_literal: literalForm("Double"),
    boolean_literal: literalForm("Boolean")
  },
  types: {
    type_identifier: typeNameForm,
    identifier: typeNameForm,
    stable_type_identifier: typeMemberForm(nth(0), nth(-1)),
    stable_identifier: typeMemberForm(nth(0), nth(-1)),
    generic_type: genericForm(field("type"), field("type_arguments")),
    compound_type: inner(nth(0), "type"),
    annotated_type: inner(nth(0), "type"),
    lazy_parameter_type: inner(field("type"), "type"),
    repeated_parameter_type: (w, n) => w.collection("array", [w.typeOf(w.child(n, "type"))])
  },
  passes: [
    "generic_type",
    "compound_type",
    "annotated_type",
    "lazy_parameter_type",
    "repeated_parameter_type",
    "stable_type_identifier",
    "parenthesized_expression"
  ],
  comments: ["comment", "block_comment"],
  docs: /^\/\*\*/,
  uses: {
    block: "discarded",
    val_definition: "assigned",
    var_definition: "assigned",
    assignment_expression: "assigned",
    arguments: "argument",
    return_expression: "returned"
  },
  strings: ["string"],
  environment: ["getenv"],
  routes: ["get", "post", "put", "delete", "patch", "path"]
}

const enumCase = (w: Walk, n: Node): void => {
  const name = w.child(n, "name")
  if (name < 0) return
  const index = w.open(n, {
    kind: "enum_member",
    name,
    flags: Flag.exported | Flag.static | Flag.readonly,
    space: Space.value
  })
  const type = w.b.parentOf(index)
  if (type >= 0) w.b.setType(index, w.b.expression(Op.self, type))
  w.skip(name)
}
