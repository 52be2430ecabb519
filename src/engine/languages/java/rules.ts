/** What Java's syntax means. */
import { Scope, Space } from "../FactsBuilder.ts"
import {
  arrayForm,
  builtinForm,
  callForm,
  castForm,
  eitherForm,
  elementForm,
  field,
  genericForm,
  literalForm,
  memberForm,
  nameForm,
  newForm,
  nth,
  selfForm,
  superForm,
  typeNameForm
} from "../treesitter/forms.ts"
import { inner, type Form, type Rules, type Visit } from "../treesitter/Rules.ts"
import type { Node } from "../treesitter/SyntaxTree.ts"
import {
  assigns,
  binary,
  branches,
  branchScope,
  elementOf,
  inherits,
  scoped,
  typeArguments,
  useMember,
  useName,
  useType
} from "../treesitter/visits.ts"
import type { Walk } from "../treesitter/Walk.ts"
import { type DefinitionKind, Flag, ImportFlag, Inherit, Op, Role } from "../Vocabulary.ts"

/** Methods have a name space of their own in Java: they are bound and called where types are looked up. */
const methodSpace = Space.type

const testAnnotations = new Set(["Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate"])

/** Flags of a declaration's modifiers and annotations. */
const modifiersOf = (w: Walk, n: Node): number => {
  const at = w.childOf(n, "modifiers")
  let flags = 0
  if (at >= 0) {
    for (const m of w.tree.children(at)) {
      switch (w.type(m)) {
        case "public":
          flags |= Flag.exported
          break
        case "protected":
          flags |= Flag.protected | Flag.exported
          break
        case "private":
          flags |= Flag.private
          break
        case "static":
          flags |= Flag.static
          break
        case "abstract":
          flags |= Flag.abstract
          break
        case "final":
          flags |= Flag.readonly
          break
        case "annotation":
        case "marker_annotation": {
          const name = w.text(w.child(m, "name"))
          if (testAnnotations.has(name)) flags |= Flag.test
          else if (name === "Override") flags |= Flag.override
          else if (name === "Deprecated") flags |= Flag.deprecated
        }
      }
    }
  }
  // Members of interfaces and annotations are public.
  const body = w.type(w.parent(n))
  if ((body === "interface_body" || body === "annotation_type_body") && (flags & Flag.private) === 0)
    flags |= Flag.exported
  return flags
}

/** Where the declaration starts after its annotations. */
const headerOf = (w: Walk, n: Node): number => {
  const modifiers = w.childOf(n, "modifiers")
  if (modifiers < 0) return w.start(n)
  let last = -1
  for (const m of w.tree.children(modifiers)) {
    if (w.type(m) === "annotation" || w.type(m) === "marker_annotation") last = m
  }
  if (last < 0) return w.start(n)
  let at = w.end(last)
  while (/\s/.test(w.source[at] ?? "x")) at++
  return at
}

/** `int[] x` and `int x[]` alike. */
const typeWithDimensions = (w: Walk, type: Node, declarator: Node): number => {
  const t = w.typeOf(type)
  return w.child(declarator, "dimensions") < 0 ? t : w.collection("array", [t])
}
const valueOfType = (w: Walk, type: number): number => (type < 0 ? -1 : w.b.expression(Op.instance, type))

const typeDeclaration =
  (kind: DefinitionKind): Visit =>
  (w, n) => {
    const flags = modifiersOf(w, n)
    const name = w.child(n, "name")
    const body = w.child(n, "body")
    if (name < 0) return
    const index = w.open(n, { kind, name, flags, body, header: headerOf(w, n) })
    w.skip(name)
    w.scope(n)
    for (const part of w.tree.children(n)) {
      const type = w.type(part)
      if (type === "superclass") inherits(w, index, w.named(part), "extends")
      else if (type === "super_interfaces")
        for (const t of w.all(w.named(part))) inherits(w, index, t, "implements")
      else if (type === "extends_interfaces")
        for (const t of w.all(w.named(part))) inherits(w, index, t, "extends")
      else if (type === "permits") for (const t of w.all(w.named(part))) w.assign(t, Role.mention)
    }
  }

const recordDeclaration: Visit = (w, n) => {
  const name = w.child(n, "name")
  if (name < 0) return
  const index = w.open(n, {
    kind: "class",
    name,
    flags: modifiersOf(w, n) | Flag.readonly,
    body: w.child(n, "body"),
    header: headerOf(w, n)
  })
  w.skip(name)
  w.scope(n, Scope.members)
  const interfaces = w.child(n, "interfaces")
  if (interfaces >= 0) for (const t of w.all(w.named(interfaces))) inherits(w, index, t, "implements")
  const parts = w.all(w.child(n, "parameters"))
  w.parameters(
    index,
    parts.map(() => "required")
  )
  for (const p of parts) {
    const component = w.child(p, "name")
    if (component < 0) continue
    const type = w.child(p, "type")
    w.b.setType(
      w.define(p, { kind: "field", name: component, flags: Flag.readonly | Flag.exported }),
      w.instanceOf(type)
    )
    w.assign(type, Role.field_type)
    w.skip(component)
  }
  // Parameters were declared as fields.
  w.notes.set("components", w.child(n, "parameters"))
}

const parameterKinds = (w: Walk, list: Node) =>
  w
    .all(list)
    .map((p) =>
      w.type(p) === "spread_parameter"
        ? ("variadic" as const)
        : w.type(p) === "receiver_parameter"
          ? undefined
          : ("required" as const)
    )

const callable =
  (kind: DefinitionKind): Visit =>
  (w, n) => {
    const name = w.child(n, "name")
    if (name < 0) return
    const body = w.child(n, "body")
    const parameters = w.child(n, "parameters")
    const flags = modifiersOf(w, n)
    const result = w.child(n, "type")
    const index = w.open(n, {
      kind,
      name,
      body,
      header: headerOf(w, n),
      flags: flags | (body < 0 && kind === "method" ? Flag.abstract : 0),
      space: kind === "constructor" ? 0 : methodSpace
    })
    w.skip(name)
    w.scope(n, Scope.function)
    if (parameters >= 0) w.parameters(index, parameterKinds(w, parameters))
    if (result >= 0) {
      w.assign(result, Role.return_type)
      w.b.setType(index, valueOfType(w, typeWithDimensions(w, result, n)))
    }
    for (const c of w.all(n)) if (w.type(c) === "throws") for (const t of w.all(c)) w.assign(t, Role.type)
  }

const parameter: Visit = (w, n) => {
  if (w.parent(n) === (w.notes.get("components") ?? -1)) return
  const type = w.child(n, "type")
  const name = w.child(n, "name")
  w.assign(type, Role.parameter_type)
  w.local(name, valueOfType(w, typeWithDimensions(w, type, n)))
  w.skip(name)
}

/** A field or local declaration: its type; the names are declared by its declarators. */
const declaration =
  (role: number): Visit =>
  (w, n) => {
    const type = w.child(n, "type")
    if (w.text(type) === "var") w.skip(type)
    else w.assign(type, role)
  }

const declarator: Visit = (w, n) => {
  const name = w.child(n, "name")
  const around = w.parent(n)
  const type = w.child(around, "type")
  if (name < 0 || w.type(around) === "spread_parameter") return
  w.skip(name)
  const expression =
    w.text(type) === "var" ? w.valueOf(w.child(n, "value")) : valueOfType(w, typeWithDimensions(w, type, n))
  if (w.type(around) === "local_variable_declaration") return w.local(name, expression)
  const constant = Flag.static | Flag.readonly
  const flags = modifiersOf(w, around) | (w.type(around) === "constant_declaration" ? constant : 0)
  const index = w.open(n, {
    kind: (flags & constant) === constant ? "constant" : "field",
    name,
    space: Space.value,
    flags,
    start: w.start(around),
    header: headerOf(w, around),
    headerEnd: w.end(around)
  })
  w.b.setType(index, expression)
}

const enumConstant: Visit = (w, n) => {
  const name = w.child(n, "name")
  if (name < 0) return
  const enclosing = w.enclosingType()
  const index = w.open(n, {
    kind: "enum_member",
    name,
    space: Space.value,
    flags: Flag.exported | Flag.static | Flag.readonly
  })
  if (enclosing >= 0) w.b.setType(index, w.b.expression(Op.self, enclosing))
  w.skip(name)
}

const importDeclaration: Visit = (w, n) => {
  const path = w.named(n)
  w.skipChildren(n)
  if (path < 0) return
  const wildcard = w.childOf(n, "asterisk") >= 0
  const isStatic = w.has(n, "static") ? ImportFlag.static : 0
  const whole = w.text(path).replace(/\s+/g, "")
  if (/^org\.testng\b/.test(whole)) w.b.setRunner(w.intern("testng"))
  else if (/^(?:org\.junit|junit)\b/.test(whole)) w.b.setRunner(w.intern("junit"))
  if (wildcard) {
    w.b.import(w.intern(whole), 0, 0, ImportFlag.wildcard | isStatic, w.start(path))
    return
  }
  const last = w.type(path) === "scoped_identifier" ? w.child(path, "name") : path
  const name = w.name(last)
  const module =
    w.type(path) === "scoped_identifier" ? w.text(w.child(path, "scope")).replace(/\s+/g, "") : ""
  w.b.bindImport(name, w.b.import(w.intern(module), name, name, isStatic, w.start(last)))
}

const invocation: Visit = (w, n) => {
  const name = w.child(n, "name")
  if (name < 0) return
  const object = w.child(n, "object")
  const args = w.child(n, "arguments")
  const reference = object < 0 ? w.reference(name, Role.call, methodSpace) : w.member(object, name, Role.call)
  w.called(reference, n, args)
  w.markCall(w.text(name), args)
  w.skip(name)
}

const creation: Visit = (w, n) => newInstance(w, n, w.child(n, "type"), w.child(n, "arguments"))

/** The reference of `new T(…)` is the type's last name. */
const newInstance = (w: Walk, n: Node, type: Node, args: Node): void => {
  let at = type
  if (w.type(at) === "generic_type") at = w.named(at)
  if (w.type(at) === "scoped_type_identifier") {
    const name = w.named(at, -1)
    const outer = w.named(at, 0)
    w.called(
      w.memberReference(
        w.typeOf(outer) < 0 ? w.unknown : w.typeOf(outer),
        w.name(name),
        w.start(name),
        Role.new
      ),
      n,
      args,
      Role.new
    )
    w.skip(name)
    w.assign(at, Role.type)
  } else if (w.type(at) === "type_identifier") {
    w.called(w.reference(at, Role.new, Space.type), n, args, Role.new)
    w.skip(at)
  }
}

const classBody: Visit = (w, n) => {
  const creation = w.parent(n)
  const type = w.type(creation) === "object_creation_expression" ? w.child(creation, "type") : -1
  if (type >= 0) {
    const base = w.typeOf(type)
    const index = w.open(n, {
      kind: "class",
      name: type,
      as: `new ${w.text(type).replace(/<[\s\S]*$/, "")}`,
      flags: Flag.local | Flag.synthetic,
      space: 0,
      start: w.start(creation),
      headerEnd: w.start(n)
    })
    if (base >= 0) w.b.inherit(index, -1, base, Inherit.extends, w.start(type))
  }
  w.scope(n, Scope.members)
}

const scopedType: Visit = (w, n) => {
  const name = w.named(n, -1)
  const outer = w.named(n, 0)
  if (name === outer || name < 0) return
  const from = w.typeOf(outer)
  w.memberReference(from < 0 ? w.unknown : from, w.name(name), w.start(name), w.roleOf(n, Role.type))
  w.skip(name)
  w.assign(outer, Role.type)
}

const scopedTypeForm: Form = (w, n) => {
  const outer = w.named(n, 0)
  const name = w.named(n, -1)
  return name === outer ? -1 : w.memberExpression(w.typeOf(outer), name)
}

const annotation: Visit = (w, n) => {
  const name = w.child(n, "name")
  w.assign(name, Role.decorate)
  if (/^(?:Get|Post|Put|Delete|Patch|Request)Mapping$|^Path$/.test(w.text(name))) {
    for (const a of w.all(w.child(n, "arguments")))
      w.markRoute(w.type(a) === "element_value_pair" ? w.child(a, "value") : a)
  }
}

const elementPair: Visit = (w, n) => w.skip(w.child(n, "key"))

const forEach: Visit = (w, n) => {
  w.b.branch()
  w.scope(n)
  const type = w.child(n, "type")
  const name = w.child(n, "name")
  const inferred = w.text(type) === "var"
  if (inferred) w.skip(type)
  w.local(name, inferred ? elementOf(w, w.child(n, "value")) : w.instanceOf(type))
  w.skip(name)
}

const lambda: Visit = (w, n) => {
  w.scope(n, Scope.function)
  const parameters = w.child(n, "parameters")
  const bare =
    w.type(parameters) === "identifier"
      ? [parameters]
      : w.type(parameters) === "inferred_parameters"
        ? w.all(parameters)
        : []
  for (const p of bare) {
    w.local(p)
    w.skip(p)
  }
}

const methodReference: Visit = (w, n) => {
  const receiver = w.named(n, 0)
  const name = w.countNamed(n) > 1 ? w.named(n, -1) : -1
  if (name < 0 || w.type(name) !== "identifier") return
  w.member(receiver, name, Role.read)
  w.skip(name)
}

const named =
  (type: string): Visit =>
  (w, n) => {
    const name = w.child(n, "name")
    if (name < 0) return
    w.local(name, w.instanceOf(w.child(n, type)))
    w.skip(name)
  }

const catchParameter: Visit = (w, n) => {
  const name = w.child(n, "name")
  w.local(name, w.instanceOf(w.named(w.childOf(n, "catch_type"))))
  w.skip(name)
}

const resource: Visit = (w, n) => {
  const name = w.child(n, "name")
  if (name < 0) return
  const type = w.child(n, "type")
  const inferred = w.text(type) === "var"
  if (inferred) w.skip(type)
  w.local(name, inferred ? w.valueOf(w.child(n, "value")) : w.instanceOf(type))
  w.skip(name)
}

export const rules: Rules = {
  grammar: { package: "@repomix/tree-sitter-wasms", file: "out/tree-sitter-java.wasm" },
  probe:
    'package a.b; import c.D; /** x */ @A(v = 1) class E<T extends F> extends G<T> { int f = 1, g; E(int... x) { this.f = x[0]; a.b().c("é", y -> z); } }',
  nodes: {
    package_declaration: (w, n) => {
      w.b.setPackage(w.intern(w.text(w.named(n, -1)).replace(/\s+/g, "")))
      w.skipChildren(n)
    },
    import_declaration: importDeclaration,
    class_declaration: typeDeclaration("class"),
    interface_declaration: typeDeclaration("interface"),
    enum_declaration: typeDeclaration("enum"),
    annotation_type_declaration: typeDeclaration("annotation"),
    record_declaration: recordDeclaration,
    class_body: classBody,
    interface_body: scoped(Scope.members),
    enum_body: scoped(Scope.members),
    annotation_type_body: scoped(Scope.members),
    type_parameter: (w, n) => {
      const name = w.named(n)
      const bound = w.childOf(n, "type_bound")
      w.b.bindLocal(w.name(name), bound < 0 ? -1 : w.typeOf(w.named(bound)), 0, Space.type)
      w.skip(name)
    },
    method_declaration: callable("method"),
    constructor_declaration: callable("constructor"),
    compact_constructor_declaration: callable("constructor"),
    annotation_type_element_declaration: callable("method"),
    formal_parameter: parameter,
    spread_parameter: (w, n) => {
      const type = w.all(n).find((c) => !["modifiers", "variable_declarator"].includes(w.type(c))) ?? -1
      const name = w.child(w.childOf(n, "variable_declarator"), "name")
      w.assign(type, Role.parameter_type)
      w.local(name, w.b.expression(Op.instance, w.collection("array", [w.typeOf(type)])))
      w.skip(name)
    },
    field_declaration: declaration(Role.field_type),
    constant_declaration: declaration(Role.field_type),
    local_variable_declaration: declaration(Role.type),
    variable_declarator: declarator,
    enum_constant: enumConstant,
    static_initializer: scoped(),
    block: scoped(),
    switch_block_statement_group: branches,
    switch_rule: branchScope,
    if_statement: branches,
    while_statement: branches,
    do_statement: branches,
    for_statement: branchScope,
    enhanced_for_statement: forEach,
    catch_clause: branchScope,
    catch_formal_parameter: catchParameter,
    try_with_resources_statement: scoped(),
    resource,
    ternary_expression: branches,
    binary_expression: binary("&&", "||"),
    lambda_expression: lambda,
    instanceof_expression: named("right"),
    record_pattern_component: (w, n) => {
      const name = w.named(n, -1)
      const type = w.named(n, 0)
      if (name === type) return
      w.local(name, w.instanceOf(type))
      w.skip(name)
    },
    type_pattern: (w, n) => {
      const name = w.named(n, -1)
      w.local(name, w.instanceOf(w.named(n, 0)))
      w.skip(name)
    },
    method_invocation: invocation,
    object_creation_expression: creation,
    method_reference: methodReference,
    field_access: (w, n) => {
      if (w.type(w.child(n, "field")) === "this") return
      useMember(field("object"), field("field"))(w, n)
    },
    assignment_expression: assigns(field("left")),
    update_expression: assigns(nth(0)),
    annotation,
    marker_annotation: annotation,
    element_value_pair: elementPair,
    scoped_type_identifier: scopedType,
    type_arguments: typeArguments,
    labeled_statement: (w, n) => w.skip(w.named(n)),
    break_statement: (w, n) => w.skipChildren(n),
    continue_statement: (w, n) => w.skipChildren(n),
    identifier: useName(),
    type_identifier: useType
  },
  values: {
    identifier: nameForm,
    this: selfForm,
    super: superForm,
    parenthesized_expression: inner(nth(0)),
    field_access: (w, n) =>
      w.type(w.child(n, "field")) === "this"
        ? w.instanceOf(w.child(n, "object"))
        : memberForm(field("object"), field("field"))(w, n),
    method_invocation: (w, n) => {
      const name = w.child(n, "name")
      const object = w.child(n, "object")
      const callee =
        object < 0 ? w.nameExpression(name, methodSpace) : w.memberExpression(w.receiverOf(object), name)
      return w.b.expression(Op.call, callee)
    },
    object_creation_expression: newForm(field("type")),
    array_access: elementForm(field("array")),
    array_creation_expression: (w, n) =>
      w.b.expression(Op.instance, w.collection("array", [w.typeOf(w.child(n, "type"))])),
    cast_expression: castForm(field("type")),
    ternary_expression: eitherForm(field("consequence"), field("alternative")),
    assignment_expression: inner(field("right")),
    string_literal: literalForm("String"),
    character_literal: literalForm("char"),
    true: literalForm("boolean"),
    false: literalForm("boolean"),
    decimal_integer_literal: literalForm("int"),
    hex_integer_literal: literalForm("int"),
    decimal_floating_point_literal: literalForm("double"),
    class_literal: (w) => w.literalExpression("Class"),
    scoped_identifier: callForm(nth(0))
  },
  types: {
    type_identifier: typeNameForm,
    scoped_type_identifier: scopedTypeForm,
    generic_type: genericForm(nth(0), (w, n) => w.childOf(n, "type_arguments")),
    array_type: arrayForm(field("element")),
    annotated_type: inner(nth(-1), "type"),
    wildcard: (w, n) => {
      const bound = w.named(n, -1)
      return bound < 0 ? -1 : w.typeOf(bound)
    },
    integral_type: builtinForm,
    floating_point_type: builtinForm,
    boolean_type: builtinForm,
    void_type: builtinForm,
    identifier: nameForm
  },
  passes: [
    "generic_type",
    "array_type",
    "annotated_type",
    "scoped_type_identifier",
    "wildcard",
    "parenthesized_expression",
    "scoped_identifier"
  ],
  comments: ["line_comment", "block_comment"],
  docs: /^\/\*\*|^\/\/\//,
  uses: {
    expression_statement: "discarded",
    return_statement: "returned",
    variable_declarator: "assigned",
    assignment_expression: "assigned",
    argument_list: "argument",
    if_statement: "condition",
    while_statement: "condition"
  },
  strings: ["string_literal"],
  environment: ["getenv"],
  routes: ["get", "post", "put", "delete", "patch", "route", "path"]
}
