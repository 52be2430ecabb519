/** What C++'s syntax means: that of C and more. */
import { Scope, Space } from "../FactsBuilder.ts"
import { rules as c } from "../c/rules.ts"
import {
  accessSpecifier,
  parameterDeclaration,
  qualified,
  qualifiedForm,
  thisForm,
  typeSpecifier
} from "../c/family.ts"
import { bareName, declaratorOf, declaredValue } from "../c/declarators.ts"
import { castForm, field, genericForm, nth, typeNameForm, unwrapForm } from "../treesitter/forms.ts"
import { inner, type Rules, type Visit } from "../treesitter/Rules.ts"
import { branchScope, elementOf, typeArguments } from "../treesitter/visits.ts"
import { Flag, ImportFlag, Op, Role } from "../Vocabulary.ts"

const namespaceDefinition: Visit = (w, n) => {
  const name = w.child(n, "name")
  if (name < 0) return w.scope(n)
  const body = w.child(n, "body")
  const parts =
    w.type(name) === "nested_namespace_specifier"
      ? w.all(name).flatMap((p) => (w.type(p) === "nested_namespace_specifier" ? w.all(p) : [p]))
      : [name]
  for (const part of parts) {
    w.open(n, { kind: "namespace", name: part, flags: Flag.exported, body, space: Space.any })
    w.scope(n)
  }
  w.skip(name)
}

const usingDeclaration: Visit = (w, n) => {
  const target = w.named(n)
  if (w.has(n, "namespace")) {
    w.b.import(
      w.intern(w.text(target).replace(/\s+/g, "")),
      0,
      0,
      ImportFlag.namespace | ImportFlag.wildcard,
      w.start(target)
    )
    w.skipChildren(n)
  } else w.assign(target, Role.import)
}

const aliasDeclaration: Visit = (w, n) => {
  const name = w.child(n, "name")
  const type = w.child(n, "type")
  if (name < 0) return
  const index = w.open(n, { kind: "type_alias", name, flags: Flag.exported, space: Space.type })
  const target = w.typeOf(type)
  if (target >= 0) w.b.setType(index, target)
  w.assign(type, Role.type)
  w.skip(name)
}

const typeParameter: Visit = (w, n) => {
  const name = w.all(n).find((c) => w.type(c) === "type_identifier") ?? -1
  if (name < 0) return
  w.b.bindLocal(w.name(name), -1, 0, Space.any)
  w.skip(name)
}

const newExpression: Visit = (w, n) => {
  const type = w.child(n, "type")
  const args = w.child(n, "arguments")
  const at = bareName(w, type)
  if (w.type(at) === "type_identifier") {
    w.called(w.reference(at, Role.new, Space.type), n, args, Role.new)
    w.skip(at)
  } else w.assign(type, Role.new)
}

const rangeLoop: Visit = (w, n) => {
  w.b.branch()
  w.scope(n)
  const type = w.child(n, "type")
  const d = declaratorOf(w, w.child(n, "declarator"))
  if (d === undefined) return
  if (w.type(d.name) === "structured_binding_declarator") {
    for (const name of w.all(d.name)) {
      w.local(name)
      w.skip(name)
    }
    return
  }
  w.local(
    d.name,
    w.type(type) === "placeholder_type_specifier"
      ? elementOf(w, w.child(n, "right"))
      : declaredValue(w, type, d)
  )
  w.skip(d.name)
}

const fieldInitializer: Visit = (w, n) => {
  const name = bareName(w, w.named(n))
  if (w.type(name) !== "field_identifier") return
  const args = w.childOf(n, "argument_list")
  const type = w.enclosingType()
  if (w.type(w.named(n)) === "template_method") {
    w.called(w.reference(name, Role.new, Space.type), n, args, Role.new)
  } else {
    const self = thisForm(w, n)
    if (self < 0 && type < 0) return
    w.memberReference(self, w.name(name), w.start(name), Role.write)
  }
  w.skip(name)
}

// The C++ grammar has no node for a macro in type position.
const { macro_type_specifier: _, ...cNodes } = c.nodes

export const rules = {
  ...c,
  grammar: { package: "@repomix/tree-sitter-wasms", file: "out/tree-sitter-cpp.wasm" },
  probe:
    '#include "a.h"\nnamespace a::b { template <class T> class C : public D<T> { C() : x(1) { this->f<int>(u8"é"); } ~C(); int x = 1; }; }\nvoid a::b::C::g(auto& y) const { for (auto& z : y) z->h(); }',
  nodes: {
    ...cNodes,
    namespace_definition: namespaceDefinition,
    namespace_alias_definition: (w, n) => w.skip(w.child(n, "name")),
    using_declaration: usingDeclaration,
    alias_declaration: aliasDeclaration,
    template_declaration: (w, n) => w.scope(n),
    type_parameter_declaration: typeParameter,
    variadic_type_parameter_declaration: typeParameter,
    optional_type_parameter_declaration: (w, n) => {
      const name = w.child(n, "name")
      if (name < 0) return
      w.b.bindLocal(w.name(name), -1, 0, Space.any)
      w.skip(name)
    },
    optional_parameter_declaration: parameterDeclaration,
    class_specifier: typeSpecifier("class"),
    access_specifier: accessSpecifier,
    friend_declaration: (w, n) => {
      for (const t of w.all(n)) if (w.type(t) === "declaration" || w.type(t) === "function_definition") return
      for (const t of w.all(n)) w.assign(t, Role.mention)
    },
    qualified_identifier: qualified,
    template_argument_list: typeArguments,
    new_expression: newExpression,
    for_range_loop: rangeLoop,
    catch_clause: branchScope,
    lambda_expression: (w, n) => w.scope(n, Scope.function),
    field_initializer: fieldInitializer
  },
  values: {
    ...c.values,
    this: thisForm,
    qualified_identifier: qualifiedForm,
    template_function: (w, n) => w.valueOf(w.child(n, "name")),
    new_expression: (w, n) => {
      const t = w.typeOf(w.child(n, "type"))
      return t < 0 ? -1 : w.b.expression(Op.new, t)
    },
    compound_literal_expression: castForm(field("type")),
    co_await_expression: unwrapForm(field("argument")),
    field_expression: (w, n) => {
      const name = bareName(w, w.child(n, "field"))
      return name < 0 ? -1 : w.memberExpression(w.receiverOf(w.child(n, "argument")), name)
    }
  },
  types: {
    ...c.types,
    class_specifier: (w, n) => w.typeOf(w.child(n, "name")),
    template_type: genericForm(field("name"), field("arguments")),
    qualified_identifier: qualifiedForm,
    dependent_type: inner(nth(0), "type"),
    namespace_identifier: typeNameForm
  },
  passes: [...c.passes, "template_type", "dependent_type", "template_function", "template_method"],
  uses: { ...c.uses, condition_clause: "condition", co_await_expression: "awaited" },
  strings: ["string_literal", "raw_string_literal"]
} as const satisfies Rules
