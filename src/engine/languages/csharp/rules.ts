/** What C#'s syntax means. */
import { Scope, Space } from "../FactsBuilder.ts"
import {
  arrayForm,
  builtinForm,
  castForm,
  eitherForm,
  elementForm,
  field,
  literalForm,
  nameForm,
  newForm,
  nth,
  selfForm,
  superForm,
  typeNameForm,
  unwrapForm
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
  useName
} from "../treesitter/visits.ts"
import type { Walk } from "../treesitter/Walk.ts"
import { type DefinitionKind, Flag, ImportFlag, kindNumber, Op, Role } from "../Vocabulary.ts"

const testAttributes = new Set([
  "Fact",
  "Theory",
  "Test",
  "TestCase",
  "TestCaseSource",
  "TestMethod",
  "DataTestMethod"
])
const runners: ReadonlyArray<readonly [prefix: string, runner: string]> = [
  ["Xunit", "xunit"],
  ["NUnit.Framework", "nunit"],
  ["Microsoft.VisualStudio.TestTools.UnitTesting", "mstest"]
]

const plain = (w: Walk, n: Node): string => w.text(n).replace(/\s+/g, "")

/** The identifier of a name that may have type arguments. */
const bare = (w: Walk, n: Node): Node => (w.type(n) === "generic_name" ? w.named(n) : n)

const modifiersOf = (w: Walk, n: Node): number => {
  let flags = 0
  let visible = 0
  for (const c of w.tree.children(n)) {
    const type = w.type(c)
    if (type === "modifier") {
      switch (w.text(c)) {
        case "public":
        case "internal":
          visible = Flag.exported
          break
        case "protected":
          visible = Flag.protected | Flag.exported
          break
        case "private":
          visible = Flag.private
          break
        case "static":
          flags |= Flag.static
          break
        case "abstract":
          flags |= Flag.abstract
          break
        case "readonly":
          flags |= Flag.readonly
          break
        case "const":
          flags |= Flag.readonly | Flag.static
          break
        case "async":
          flags |= Flag.async
          break
        case "override":
          flags |= Flag.override
      }
    } else if (type === "attribute_list") {
      for (const a of w.all(c)) {
        const name = w.text(w.child(a, "name")).replace(/^.*\.|Attribute$/g, "")
        if (testAttributes.has(name)) flags |= Flag.test
        else if (name === "Obsolete") flags |= Flag.deprecated
      }
    }
  }
  if (visible === 0) {
    // Types are visible in their assembly, members of interfaces everywhere, other members in their type only.
    const around = w.b.current < 0 ? -1 : w.b.kindOf(w.b.current)
    visible =
      around < 0 || around === kindNumber.namespace || around === kindNumber.interface
        ? Flag.exported
        : Flag.private
  }
  return flags | visible
}

const headerOf = (w: Walk, n: Node): number => {
  for (const c of w.tree.children(n))
    if (w.type(c) !== "attribute_list" && w.type(c) !== "comment") return w.start(c)
  return w.start(n)
}

const namespaceDeclaration: Visit = (w, n) => {
  const name = w.child(n, "name")
  const text = plain(w, name)
  w.skip(name)
  const known = w.notes.get("namespace")
  const id = w.intern(text)
  if (known === undefined) {
    w.notes.set("namespace", id)
    w.b.setPackage(id)
  } else if (known !== id || w.ancestor(n, "namespace_declaration") >= 0) {
    w.open(n, { kind: "namespace", name, as: text, body: w.child(n, "body"), flags: Flag.exported })
  }
}

const usingDirective: Visit = (w, n) => {
  w.skipChildren(n)
  const target = w.named(n, -1)
  const text = plain(w, target)
  const alias = w.child(n, "name")
  const everywhere = w.has(n, "global") ? ImportFlag.reexport : 0
  for (const [prefix, runner] of runners) if (text.startsWith(prefix)) w.b.setRunner(w.intern(runner))
  if (alias >= 0) {
    const last = w.type(target) === "qualified_name" ? bare(w, w.child(target, "name")) : bare(w, target)
    const module = w.type(target) === "qualified_name" ? plain(w, w.child(target, "qualifier")) : ""
    w.b.bindImport(
      w.name(alias),
      w.b.import(w.intern(module), w.name(last), w.name(alias), everywhere, w.start(last))
    )
  } else {
    w.b.import(
      w.intern(text),
      0,
      0,
      ImportFlag.wildcard | everywhere | (w.has(n, "static") ? ImportFlag.static : 0),
      w.start(target)
    )
  }
}

const typeDeclaration =
  (kind: DefinitionKind): Visit =>
  (w, n) => {
    const name = w.child(n, "name")
    if (name < 0) return
    const body = w.child(n, "body")
    const parameters = w.childOf(n, "parameter_list")
    const index = w.open(n, {
      kind,
      name,
      flags: modifiersOf(w, n),
      body,
      header: headerOf(w, n),
      space: Space.any
    })
    w.skip(name)
    w.scope(n, Scope.members)
    const bases = w.childOf(n, "base_list")
    if (bases >= 0) {
      let first = kind === "class"
      for (const base of w.all(bases)) {
        if (w.type(base) === "argument_list") continue
        const type = w.type(base) === "primary_constructor_base_type" ? w.child(base, "type") : base
        const isInterface = /^(?:.*\.)?I[A-Z]/.test(w.text(type))
        inherits(w, index, type, kind === "interface" || (first && !isInterface) ? "extends" : "implements")
        first = false
      }
    }
    if (parameters >= 0) {
      w.parameters(index, parameterCounts(w, parameters))
      if (w.type(n) === "record_declaration") {
        // Parameters of a record are its properties.
        for (const p of w.all(parameters)) {
          const property = w.child(p, "name")
          if (w.type(p) !== "parameter" || property < 0) continue
          const type = w.child(p, "type")
          w.b.setType(
            w.define(p, {
              kind: "property",
              name: property,
              flags: Flag.exported | Flag.readonly,
              space: Space.value
            }),
            w.instanceOf(type)
          )
          w.assign(type, Role.field_type)
          w.skip(property)
        }
      }
    }
  }

const parameterCounts = (w: Walk, list: Node) => {
  const counts: Array<"required" | "optional" | "variadic"> = []
  if (list < 0) return counts
  for (const p of w.all(list)) {
    if (w.type(p) === "parameter") counts.push(w.has(p, "=") ? "optional" : "required")
  }
  // `params T[] xs` stands in the list itself.
  if (w.child(list, "name") >= 0 || w.has(list, "params")) counts.push("variadic")
  return counts
}

const callable =
  (kind: DefinitionKind): Visit =>
  (w, n) => {
    const spelled = w.child(n, "name")
    const name = spelled >= 0 ? spelled : kind === "operator" ? w.child(n, "operator") : -1
    if (name < 0) return
    const body = w.child(n, "body")
    const parameters = w.child(n, "parameters")
    const result = w.child(n, "returns") >= 0 ? w.child(n, "returns") : w.child(n, "type")
    const local = w.type(n) === "local_function_statement"
    const flags = local ? (w.text(n).startsWith("static") ? Flag.static : 0) : modifiersOf(w, n)
    const prefix = w.type(n) === "destructor_declaration" ? "~" : kind === "operator" ? "operator " : ""
    const index = w.open(n, {
      kind: local ? "function" : kind,
      name,
      flags,
      body,
      header: headerOf(w, n),
      ...(prefix === "" ? {} : { as: prefix + w.text(name) }),
      space: kind === "constructor" || prefix !== "" ? 0 : Space.value
    })
    w.skip(name)
    w.scope(n, Scope.function)
    const first = w.named(parameters)
    if (
      w.type(first) === "parameter" &&
      w.all(first).some((c) => w.type(c) === "modifier" && w.text(c) === "this")
    ) {
      const type = w.child(first, "type")
      const owner = w.typeOf(type)
      if (owner >= 0) w.b.setOwner(index, owner, w.name(bare(w, type)))
    }
    w.parameters(index, parameterCounts(w, parameters))
    if (result >= 0) {
      w.assign(result, Role.return_type)
      if (kind !== "type_alias") w.b.setType(index, w.instanceOf(result))
    }
    const explicit = w.childOf(n, "explicit_interface_specifier")
    if (explicit >= 0) w.assign(w.named(explicit), Role.type)
  }

const parameter: Visit = (w, n) => {
  const type = w.child(n, "type")
  const name = w.child(n, "name")
  w.assign(type, Role.parameter_type)
  if (name < 0 || w.hasRole(name)) return
  w.local(name, w.instanceOf(type))
  w.skip(name)
}

const property =
  (kind: DefinitionKind): Visit =>
  (w, n) => {
    const name = w.child(n, "name")
    const type = w.child(n, "type")
    const indexer = w.type(n) === "indexer_declaration"
    if (name < 0 && !indexer) return
    const accessors = w.child(n, "accessors")
    const value = w.child(n, "value")
    const index = w.open(n, {
      kind,
      name: indexer ? type : name,
      flags: modifiersOf(w, n),
      header: headerOf(w, n),
      ...(indexer ? { as: "this[]" } : {}),
      headerEnd:
        accessors >= 0 && w.text(accessors).includes("{") && w.end(accessors) - w.start(accessors) > 40
          ? w.start(accessors)
          : w.type(value) === "arrow_expression_clause"
            ? w.start(value)
            : w.end(n),
      space: indexer ? 0 : Space.value
    })
    if (!indexer) w.skip(name)
    w.assign(type, Role.field_type)
    w.b.setType(index, w.instanceOf(type))
    w.scope(n, Scope.function)
    w.b.bindLocal(w.intern("value"), w.instanceOf(type))
  }

const variableDeclaration: Visit = (w, n) => {
  const type = w.child(n, "type")
  if (w.type(type) !== "implicit_type")
    w.assign(type, w.type(w.parent(n)).endsWith("field_declaration") ? Role.field_type : Role.type)
}

const declarator: Visit = (w, n) => {
  const declaration = w.parent(n)
  const around = w.parent(declaration)
  const type = w.child(declaration, "type")
  const name = w.child(n, "name")
  const last = w.named(n, -1)
  const value = last === name ? -1 : last
  const expression = w.type(type) === "implicit_type" ? w.valueOf(value) : w.instanceOf(type)
  if (name < 0) {
    const pattern = w.childOf(n, "tuple_pattern")
    if (pattern >= 0) tuple(w, pattern)
    return
  }
  w.skip(name)
  const event = w.type(around) === "event_field_declaration"
  if (w.type(around) !== "field_declaration" && !event) return w.local(name, expression)
  const flags = modifiersOf(w, around)
  const constant = w.all(around).some((c) => w.type(c) === "modifier" && w.text(c) === "const")
  const index = w.open(n, {
    kind: event ? "event" : constant ? "constant" : "field",
    name,
    flags,
    start: w.start(around),
    header: headerOf(w, around),
    end: w.end(around),
    headerEnd: value >= 0 && w.end(value) - w.start(value) > 80 ? w.start(value) : w.end(around),
    space: Space.value
  })
  w.b.setType(index, expression)
}

const tuple = (w: Walk, pattern: Node): void => {
  for (const name of w.all(pattern)) {
    if (w.type(name) === "tuple_pattern") tuple(w, name)
    else if (w.type(name) === "identifier") {
      w.local(name)
      w.skip(name)
    }
  }
}

/** A name introduced by a pattern, a catch or an out argument. */
const introduces: Visit = (w, n) => {
  const type = w.child(n, "type")
  const name = w.child(n, "name")
  if (w.type(type) !== "implicit_type") w.assign(type, Role.type)
  if (w.type(name) !== "identifier") return
  w.local(name, w.type(type) === "implicit_type" ? -1 : w.instanceOf(type))
  w.skip(name)
}

const forEach: Visit = (w, n) => {
  w.b.branch()
  w.scope(n)
  const type = w.child(n, "type")
  const name = w.child(n, "left")
  if (w.type(type) !== "implicit_type") w.assign(type, Role.type)
  if (w.type(name) === "tuple_pattern") tuple(w, name)
  else if (w.type(name) === "identifier") {
    w.local(name, w.type(type) === "implicit_type" ? elementOf(w, w.child(n, "right")) : w.instanceOf(type))
    w.skip(name)
  }
}

const lambda: Visit = (w, n) => {
  w.scope(n, Scope.function)
  const parameters = w.child(n, "parameters")
  if (w.type(parameters) === "implicit_parameter" || w.type(parameters) === "identifier") {
    w.local(parameters)
    w.skip(parameters)
  }
}

/** Receiver of `.x` in `a?.x`: the condition of the conditional access around it. */
const conditionOf = (w: Walk, n: Node): number =>
  w.receiverOf(w.child(w.ancestor(n, "conditional_access_expression"), "condition"))

const invocation: Visit = (w, n) => {
  const callee = w.child(n, "function")
  const args = w.child(n, "arguments")
  const type = w.type(callee)
  let name = -1
  if (type === "identifier" || type === "generic_name") {
    name = bare(w, callee)
    if (w.text(name) === "nameof") return w.skip(callee)
    w.called(w.reference(name, Role.call, Space.value), n, args)
  } else if (type === "member_access_expression") {
    name = bare(w, w.child(callee, "name"))
    w.called(w.member(w.child(callee, "expression"), name, Role.call), n, args)
    w.assign(callee, Role.call)
  } else if (type === "member_binding_expression") {
    name = bare(w, w.child(callee, "name"))
    w.called(w.memberReference(conditionOf(w, callee), w.name(name), w.start(name), Role.call), n, args)
    w.assign(callee, Role.call)
  }
  if (name < 0) return
  w.skip(name)
  w.markCall(w.text(name), args)
}

const memberAccess: Visit = (w, n) => {
  const name = bare(w, w.child(n, "name"))
  const role = w.roleOf(n, Role.read)
  if (name < 0 || role === Role.call) return
  w.member(w.child(n, "expression"), name, role)
  w.skip(name)
}

const memberBinding: Visit = (w, n) => {
  const name = bare(w, w.child(n, "name"))
  const role = w.roleOf(n, Role.read)
  if (name < 0 || role === Role.call) return
  w.memberReference(conditionOf(w, n), w.name(name), w.start(name), role)
  w.skip(name)
}

const creation: Visit = (w, n) => {
  const type = w.child(n, "type")
  const at = w.type(type) === "qualified_name" ? bare(w, w.child(type, "name")) : bare(w, type)
  const args = w.child(n, "arguments")
  if (w.type(type) === "qualified_name") {
    const qualifier = w.child(type, "qualifier")
    w.called(
      w.memberReference(
        w.typeOf(qualifier) < 0 ? w.unknown : w.typeOf(qualifier),
        w.name(at),
        w.start(at),
        Role.new
      ),
      n,
      args,
      Role.new
    )
    w.skip(at)
    w.assign(type, Role.call)
  } else if (w.type(at) === "identifier") {
    w.called(w.reference(at, Role.new, Space.type), n, args, Role.new)
    w.skip(at)
  }
}

/** Members set in `new T { A = 1 }` belong to T. */
const initializer: Visit = (w, n) => {
  const around = w.parent(n)
  const created = w.type(around) === "object_creation_expression" ? w.receiverOf(around) : w.unknown
  for (const entry of w.all(n)) {
    if (w.type(entry) !== "assignment_expression") continue
    const left = w.child(entry, "left")
    if (w.type(left) !== "identifier") continue
    w.memberReference(created, w.name(left), w.start(left), Role.write)
    w.skip(left)
  }
}

const qualifiedName: Visit = (w, n) => {
  const name = bare(w, w.child(n, "name"))
  const qualifier = w.child(n, "qualifier")
  const role = w.roleOf(n, Role.type)
  if (name < 0 || qualifier < 0) return
  if (role !== Role.call) {
    const from = w.typeOf(qualifier)
    w.memberReference(from < 0 ? w.unknown : from, w.name(name), w.start(name), role)
    w.skip(name)
  }
  w.assign(qualifier, Role.type)
}

const qualifiedForm: Form = (w, n) => {
  const name = w.child(n, "name")
  const at = bare(w, name)
  if (at < 0) return -1
  const base = w.memberExpression(w.typeOf(w.child(n, "qualifier")), at)
  return at === name
    ? base
    : w.generic(
        base,
        w.all(w.childOf(name, "type_argument_list")).map((a) => w.typeOf(a))
      )
}

const genericName: Form = (w, n) =>
  w.generic(
    w.nameExpression(w.named(n), Space.type),
    w.all(w.childOf(n, "type_argument_list")).map((a) => w.typeOf(a))
  )

const attribute: Visit = (w, n) => {
  const name = w.child(n, "name")
  w.assign(name, Role.decorate)
  if (/^(?:Http(?:Get|Post|Put|Delete|Patch)|Route)$/.test(w.text(name))) {
    const argument = w.named(w.childOf(n, "attribute_argument_list"))
    w.markRoute(w.named(argument))
  }
}

const typed =
  (role: number): Visit =>
  (w, n) =>
    w.assign(w.child(n, "type"), role)

export const rules: Rules = {
  grammar: { package: "@repomix/tree-sitter-wasms", file: "out/tree-sitter-c_sharp.wasm" },
  probe:
    "using A.B; namespace C.D; /* \u00e9 */ [E] public class F<T> : G<T>, IH where T : new() { int x = 1; string P { get; set; } void M(params int[] a) { var b = new I<J>(1); this.x = b?.K[0].L(y => y!); } }",
  nodes: {
    namespace_declaration: namespaceDeclaration,
    file_scoped_namespace_declaration: namespaceDeclaration,
    using_directive: usingDirective,
    class_declaration: typeDeclaration("class"),
    struct_declaration: typeDeclaration("struct"),
    record_declaration: typeDeclaration("class"),
    interface_declaration: typeDeclaration("interface"),
    enum_declaration: typeDeclaration("enum"),
    delegate_declaration: callable("type_alias"),
    type_parameter: (w, n) => {
      const name = w.child(n, "name")
      if (name < 0) return
      w.b.bindLocal(w.name(name), -1, 0, Space.type)
      w.skip(name)
    },
    type_parameter_constraint: typed(Role.type),
    type_parameter_constraints_clause: (w, n) => w.skip(w.named(n)),
    enum_member_declaration: (w, n) => {
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
    },
    method_declaration: callable("method"),
    constructor_declaration: callable("constructor"),
    destructor_declaration: callable("method"),
    operator_declaration: callable("operator"),
    local_function_statement: callable("function"),
    property_declaration: property("property"),
    indexer_declaration: property("property"),
    event_declaration: property("event"),
    parameter,
    parameter_list: (w, n) => {
      if (w.child(n, "name") >= 0) parameter(w, n)
    },
    variable_declaration: variableDeclaration,
    variable_declarator: declarator,
    declaration_pattern: introduces,
    declaration_expression: introduces,
    catch_declaration: introduces,
    recursive_pattern: introduces,
    var_pattern: introduces,
    block: scoped(),
    if_statement: branches,
    while_statement: branches,
    do_statement: branches,
    for_statement: branchScope,
    foreach_statement: forEach,
    catch_clause: branchScope,
    switch_section: branchScope,
    switch_expression_arm: branchScope,
    using_statement: scoped(),
    conditional_expression: branches,
    binary_expression: binary("&&", "||", "??"),
    lambda_expression: lambda,
    anonymous_method_expression: lambda,
    invocation_expression: invocation,
    member_access_expression: memberAccess,
    member_binding_expression: memberBinding,
    object_creation_expression: creation,
    initializer_expression: initializer,
    assignment_expression: assigns(field("left")),
    postfix_unary_expression: (w, n) => {
      if (w.has(n, "++") || w.has(n, "--")) w.assign(w.named(n), Role.write)
    },
    prefix_unary_expression: (w, n) => {
      if (w.has(n, "++") || w.has(n, "--")) w.assign(w.named(n), Role.write)
    },
    cast_expression: typed(Role.type),
    typeof_expression: typed(Role.type),
    default_expression: typed(Role.type),
    as_expression: (w, n) => w.assign(w.child(n, "right"), Role.type),
    is_expression: (w, n) => w.assign(w.child(n, "right"), Role.type),
    array_creation_expression: typed(Role.type),
    qualified_name: qualifiedName,
    type_argument_list: typeArguments,
    attribute,
    argument: (w, n) => {
      // The name of a named argument is no use of a name here.
      const name = w.child(n, "name")
      if (name >= 0) w.skip(name)
    },
    attribute_argument: (w, n) => {
      if (w.has(n, "=") || w.has(n, ":")) w.skip(w.named(n))
    },
    labeled_statement: (w, n) => w.skip(w.named(n)),
    goto_statement: (w, n) => w.skipChildren(n),
    identifier: useName()
  },
  values: {
    identifier: nameForm,
    this: selfForm,
    base: superForm,
    parenthesized_expression: inner(nth(0)),
    generic_name: (w, n) => w.nameExpression(w.named(n)),
    member_access_expression: (w, n) => {
      const name = bare(w, w.child(n, "name"))
      return name < 0 ? -1 : w.memberExpression(w.receiverOf(w.child(n, "expression")), name)
    },
    member_binding_expression: (w, n) => w.memberExpression(conditionOf(w, n), bare(w, w.child(n, "name"))),
    conditional_access_expression: inner(nth(-1)),
    invocation_expression: (w, n) => {
      const f = w.valueOf(w.child(n, "function"))
      return f < 0 ? -1 : w.b.expression(Op.call, f)
    },
    object_creation_expression: newForm(field("type")),
    element_access_expression: elementForm(field("expression")),
    await_expression: unwrapForm(nth(0)),
    postfix_unary_expression: inner(nth(0)),
    cast_expression: castForm(field("type")),
    as_expression: castForm(field("right")),
    conditional_expression: eitherForm(field("consequence"), field("alternative")),
    assignment_expression: inner(field("right")),
    array_creation_expression: castForm(field("type")),
    string_literal: literalForm("string"),
    interpolated_string_expression: literalForm("string"),
    verbatim_string_literal: literalForm("string"),
    integer_literal: literalForm("int"),
    real_literal: literalForm("double"),
    boolean_literal: literalForm("bool"),
    predefined_type: builtinForm,
    qualified_name: qualifiedForm
  },
  types: {
    identifier: typeNameForm,
    generic_name: genericName,
    qualified_name: qualifiedForm,
    nullable_type: inner(field("type"), "type"),
    array_type: arrayForm(field("type")),
    ref_type: inner(field("type"), "type"),
    predefined_type: builtinForm
  },
  passes: [
    "generic_name",
    "nullable_type",
    "array_type",
    "ref_type",
    "parenthesized_expression",
    "element_access_expression"
  ],
  comments: ["comment"],
  docs: /^\/\/\/|^\/\*\*/,
  uses: {
    expression_statement: "discarded",
    return_statement: "returned",
    arrow_expression_clause: "returned",
    variable_declarator: "assigned",
    assignment_expression: "assigned",
    argument: "argument",
    if_statement: "condition",
    while_statement: "condition",
    await_expression: "awaited"
  },
  strings: ["string_literal", "verbatim_string_literal", "raw_string_literal"],
  environment: ["GetEnvironmentVariable"],
  routes: ["MapGet", "MapPost", "MapPut", "MapDelete", "MapPatch", "MapMethods"]
}
