/** What C and C++ share: declarations, functions, types, macros, includes. */
import { Scope, Space } from "../FactsBuilder.ts"
import type { Form, Visit } from "../treesitter/Rules.ts"
import type { Node } from "../treesitter/SyntaxTree.ts"
import { inherits } from "../treesitter/visits.ts"
import type { Walk } from "../treesitter/Walk.ts"
import { type DefinitionKind, Flag, ImportFlag, kindNumber, Op, type ResultUse, Role } from "../Vocabulary.ts"
import {
  bareName,
  type Declarator,
  declaratorOf,
  declaredType,
  declaredValue,
  qualifiedParts
} from "./declarators.ts"

/** Key of the access level in force inside a class body. */
const access = "access"

/** Storage classes and qualifiers of a declaration. */
const specifiersOf = (w: Walk, n: Node) => {
  let isStatic = false
  let isExtern = false
  let constant = false
  let virtual = false
  for (const c of w.tree.children(n)) {
    switch (w.type(c)) {
      case "storage_class_specifier": {
        const text = w.text(c)
        if (text === "static") isStatic = true
        else if (text === "extern") isExtern = true
        break
      }
      case "type_qualifier": {
        const text = w.text(c)
        if (text === "const" || text === "constexpr" || text === "constinit") constant = true
        break
      }
      case "virtual":
      case "virtual_function_specifier":
        virtual = true
    }
  }
  return { isStatic, isExtern, constant, virtual }
}

const accessFlags = (w: Walk): number => {
  const level = w.notes.get(access) ?? 0
  return level === 0 ? Flag.exported : level
}

/** Where a declaration starts: `template <…>` in front of it included. */
const startOf = (w: Walk, n: Node): number => {
  let at = n
  while (w.type(w.parent(at)) === "template_declaration") at = w.parent(at)
  return w.start(at)
}

/** How many `template <…>` scopes lie between a declaration and the scope its name belongs to. */
const templatesAround = (w: Walk, n: Node): number => {
  let count = 0
  for (let at = w.parent(n); w.type(at) === "template_declaration"; at = w.parent(at)) count++
  return count
}

/** Expression of a scope such as `A::B` in `A::B::c`, from its parts. */
const scopeExpression = (w: Walk, parts: ReadonlyArray<Node>): number => {
  let expression = -1
  for (const part of parts) {
    const name = bareName(w, part)
    expression = expression < 0 ? w.nameExpression(name, Space.type) : w.memberExpression(expression, name)
  }
  return expression
}

/** References to the scopes of a qualified name, and roles for their template arguments. */
const referScopes = (w: Walk, parts: ReadonlyArray<Node>): void => {
  let before = -1
  for (const part of parts) {
    const name = bareName(w, part)
    if (before < 0) w.reference(name, Role.read, Space.type)
    else w.memberReference(before, w.name(name), w.start(name), Role.read)
    before = before < 0 ? w.nameExpression(name, Space.type) : w.memberExpression(before, name)
    w.skip(name)
  }
}

const parameterCounts = (w: Walk, func: Node) =>
  w.tree.children(w.child(func, "parameters")).map((p) => {
    switch (w.type(p)) {
      case "parameter_declaration":
        return w.text(p) === "void" ? undefined : ("required" as const)
      case "optional_parameter_declaration":
        return "optional" as const
      case "variadic_parameter":
      case "variadic_parameter_declaration":
      case "...":
        return "variadic" as const
      default:
        return undefined
    }
  })

const testMacro =
  /^(?:TEST|TEST_F|TEST_P|TYPED_TEST|TYPED_TEST_P|BOOST_AUTO_TEST_CASE|BOOST_FIXTURE_TEST_CASE|TEST_METHOD)$/
const titledTest = /^(?:TEST_CASE|SCENARIO|SECTION|SUBCASE|GIVEN|WHEN|THEN|TEST_CASE_METHOD)$/

/** A function with a body, or its prototype. */
const defineFunction = (w: Walk, n: Node, d: Declarator, body: Node): void => {
  const { isStatic, virtual } = specifiersOf(w, n)
  const type = w.child(n, "type")
  const parts = qualifiedParts(w, d.name)
  const last = parts[parts.length - 1]!
  const name = bareName(w, last)
  const text = w.text(name)
  const start = startOf(w, n)

  if (parts.length === 1 && body >= 0 && testMacro.test(text)) {
    const title = w
      .all(w.child(d.function, "parameters"))
      .map((p) => w.text(p))
      .join(".")
    w.open(n, { kind: "test", name, as: title === "" ? text : title, body, flags: Flag.test, space: 0 })
    w.b.setRunner(w.intern(text.startsWith("BOOST") ? "boost.test" : "gtest"))
    w.skip(w.child(n, "declarator"))
    w.scope(n, Scope.function)
    return
  }

  const inClass = w.directlyInType()
  const outside = parts.length > 1
  const scopeParts = parts.slice(0, -1)
  const ownerName = outside
    ? w.text(bareName(w, scopeParts[scopeParts.length - 1]!))
    : inClass
      ? w.spelled(w.b.nameOfDefinition(w.b.current))
      : ""
  const nameType = w.type(last)
  let kind: DefinitionKind = inClass || outside ? "method" : "function"
  if (nameType === "operator_name" || nameType === "operator_cast") kind = "operator"
  else if (nameType !== "destructor_name" && type < 0 && ownerName !== "" && ownerName === text)
    kind = "constructor"

  let flags = inClass ? accessFlags(w) : isStatic && !outside ? Flag.private : Flag.exported
  if (inClass && isStatic) flags |= Flag.static
  if (body < 0) flags |= Flag.declaration
  // `= 0`
  if ((virtual && w.child(n, "default_value") >= 0) || w.childOf(n, "pure_virtual_clause") >= 0)
    flags |= Flag.abstract
  for (const s of w.tree.children(d.function))
    if (w.type(s) === "virtual_specifier" && w.text(s) === "override") flags |= Flag.override
  for (const a of w.tree.children(n))
    if (w.type(a) === "attribute_declaration" && w.text(a).includes("deprecated")) flags |= Flag.deprecated
  if (text === "main" && !outside && !inClass) flags |= Flag.exported

  const owner = outside ? scopeExpression(w, scopeParts) : -1
  const as =
    nameType === "operator_name" || nameType === "operator_cast"
      ? (nameType === "operator_cast" ? `operator ${w.text(w.child(last, "type"))}` : w.text(last)).replace(
          /\s+/g,
          nameType === "operator_cast" ? " " : ""
        )
      : undefined
  const index = w.open(n, {
    kind,
    name,
    flags,
    body,
    start,
    header: w.start(n),
    up: templatesAround(w, n),
    ...(as === undefined ? {} : { as }),
    space: outside || kind === "constructor" || nameType === "destructor_name" ? 0 : Space.value
  })
  if (owner >= 0) {
    w.setOwner(index, owner, w.intern(ownerName))
    referScopes(w, scopeParts)
    w.assign(d.name, Role.call)
  }
  w.skip(name)
  if (nameType === "operator_cast") {
    w.assign(w.child(last, "type"), Role.return_type)
    const result = w.typeOf(w.child(last, "type"))
    if (result >= 0) w.b.setType(index, w.b.expression(Op.instance, result))
  }
  w.scope(n, Scope.function)
  w.parameters(index, parameterCounts(w, d.function))
  if (type >= 0) {
    w.assign(type, Role.return_type)
    const trailing =
      w.type(type) === "placeholder_type_specifier" ? w.childOf(d.function, "trailing_return_type") : -1
    const result = trailing < 0 ? w.typeOf(type) : w.typeOf(w.named(trailing))
    if (trailing >= 0) w.assign(w.named(trailing), Role.return_type)
    if (result >= 0) w.b.setType(index, w.b.expression(Op.instance, result))
  }
}

export const functionDefinition: Visit = (w, n) => {
  const d = declaratorOf(w, w.child(n, "declarator"))
  if (d === undefined) return w.scope(n, Scope.function)
  const body = w.child(n, "body")
  const defaulted = w.tree
    .children(n)
    .find((c) => w.type(c) === "default_method_clause" || w.type(c) === "delete_method_clause")
  if (d.function < 0) return w.scope(n, Scope.function)
  defineFunction(w, n, d, body >= 0 ? body : (defaulted ?? w.childOf(n, "try_statement")))
}

/** Declarations of variables, fields and prototypes, in files, functions and classes. */
export const declaration: Visit = (w, n) => {
  const type = w.child(n, "type")
  const inClass = w.directlyInType()
  const local = !inClass && w.enclosingFunction() >= 0
  const { isStatic, isExtern, constant } = specifiersOf(w, n)
  const declared = w
    .withField(n, "declarator")
    .map((c) => declaratorOf(w, c))
    .filter((d) => d !== undefined)
  if (declared.length === 0) return
  // Inside a function, `T x(y);` is far more often a variable than a prototype.
  const prototypes = local ? [] : declared.filter((d) => d.function >= 0)
  if (prototypes.length === 1 && declared.length === 1) return defineFunction(w, n, declared[0]!, -1)

  w.assign(type, inClass ? Role.field_type : Role.type)
  const auto = w.type(type) === "placeholder_type_specifier"
  for (const d of declared) {
    if (w.type(d.name) === "structured_binding_declarator") {
      for (const name of w.all(d.name)) {
        w.local(name)
        w.skip(name)
      }
      continue
    }
    const parts = qualifiedParts(w, d.name)
    const name = bareName(w, parts[parts.length - 1]!)
    const value = inClass && d.value < 0 && declared.length === 1 ? w.child(n, "default_value") : d.value
    const expression = auto ? w.valueOf(value) : declaredValue(w, type, d)
    if (local) {
      w.local(name, expression)
      w.skip(name)
      continue
    }
    const prototype = d.function >= 0
    const as = {
      kind: prototype
        ? inClass
          ? ("method" as const)
          : ("function" as const)
        : inClass
          ? ("field" as const)
          : constant && !d.array
            ? ("constant" as const)
            : ("variable" as const),
      name,
      flags:
        (inClass ? accessFlags(w) | (isStatic ? Flag.static : 0) : isStatic ? Flag.private : Flag.exported) |
        (constant ? Flag.readonly : 0) |
        (prototype || (isExtern && value < 0) ? Flag.declaration : 0),
      start: startOf(w, n),
      headerEnd: d.value >= 0 && w.end(d.value) - w.start(d.value) > 80 ? w.start(d.value) : w.end(n),
      space: (inClass && !w.notes.has("members")) || parts.length > 1 ? 0 : Space.value
    }
    const index = declared.length === 1 ? w.open(n, as) : w.define(n, as)
    if (expression >= 0) w.b.setType(index, expression)
    if (parts.length > 1) {
      w.b.setOwner(
        index,
        scopeExpression(w, parts.slice(0, -1)),
        w.name(bareName(w, parts[parts.length - 2]!))
      )
      referScopes(w, parts.slice(0, -1))
      w.assign(d.name, Role.call)
    }
    w.skip(name)
  }
  if (prototypes.length > 0) w.scope(n, Scope.function)
}

export const parameterDeclaration: Visit = (w, n) => {
  const type = w.child(n, "type")
  w.assign(type, Role.parameter_type)
  const d = declaratorOf(w, w.child(n, "declarator"))
  if (d === undefined) return
  w.local(d.name, declaredValue(w, type, d))
  w.skip(d.name)
}

/** struct, union, class and enum: definitions where they have a body, uses of the tag where not. */
export const typeSpecifier =
  (kind: "struct" | "union" | "class" | "enum"): Visit =>
  (w, n) => {
    const name = w.child(n, "name")
    const body = w.child(n, "body")
    const around = w.parent(n)
    if (body < 0) {
      if (name < 0) return
      const standalone =
        !/declaration$|type_definition|type_descriptor|_expression$|function_definition/.test(
          w.type(around)
        ) ||
        (w.type(around) === "declaration" && w.child(around, "declarator") < 0) ||
        w.type(around) === "template_declaration"
      if (standalone && w.type(around) !== "friend_declaration") {
        w.define(n, {
          kind,
          name: bareName(w, name),
          flags: Flag.declaration | (w.directlyInType() ? accessFlags(w) : Flag.exported),
          space: 0,
          start: startOf(w, n)
        })
        w.skip(name)
      } else w.assign(name, w.roleOf(n, Role.type))
      return
    }
    let spelled = name
    let start = startOf(w, n)
    if (spelled < 0 && w.type(around) === "type_definition") {
      // typedef struct { … } name;
      spelled = declaratorOf(w, w.child(around, "declarator"))?.name ?? -1
    }
    let end = w.end(n)
    if (w.type(around) === "type_definition") {
      start = w.start(around)
      end = w.end(around)
    }
    const scopedEnum = kind === "enum" && (w.has(n, "class") || w.has(n, "struct"))
    if (spelled < 0) {
      // Members of an anonymous struct belong to what is around it; an anonymous enum just names constants.
      if (kind !== "enum") fields(w, body, kind)
      return
    }
    const parts = qualifiedParts(w, spelled)
    const last = bareName(w, parts[parts.length - 1]!)
    const index = w.open(n, {
      kind,
      name: last,
      body,
      start,
      end,
      up: templatesAround(w, n),
      flags: w.directlyInType() ? accessFlags(w) : Flag.exported,
      space: parts.length > 1 ? 0 : Space.type | (w.notes.has("members") ? Space.value : 0)
    })
    w.skip(last)
    if (parts.length > 1) {
      w.b.setOwner(
        index,
        scopeExpression(w, parts.slice(0, -1)),
        w.name(bareName(w, parts[parts.length - 2]!))
      )
      referScopes(w, parts.slice(0, -1))
      w.assign(spelled, Role.call)
    }
    const bases = w.childOf(n, "base_class_clause")
    if (bases >= 0) {
      for (const base of w.all(bases)) {
        if (["access_specifier", "virtual", "attribute_declaration"].includes(w.type(base))) continue
        inherits(w, index, base, "extends")
      }
    }
    if (kind !== "enum") fields(w, body, kind)
    else if (scopedEnum) {
      w.notes.set("scoped enum", n)
      w.scope(n)
    }
  }

/** Scope and access level of a class body. */
const fields = (w: Walk, body: Node, kind: string): void => {
  const before = w.notes.get(access) ?? 0
  w.notes.set(access, kind === "class" ? Flag.private : 0)
  w.onLeave(body, () => w.notes.set(access, before))
}
export const fieldList: Visit = (w, n) => {
  if (w.notes.has("members") && w.child(w.parent(n), "name") >= 0) w.scope(n, Scope.members)
}
export const accessSpecifier: Visit = (w, n) => {
  if (w.type(w.parent(n)) !== "field_declaration_list") return
  const text = w.text(n)
  w.notes.set(
    access,
    text.startsWith("private")
      ? Flag.private
      : text.startsWith("protected")
        ? Flag.protected | Flag.exported
        : 0
  )
}

export const enumerator: Visit = (w, n) => {
  const name = w.child(n, "name")
  if (name < 0) return
  const inEnum = w.b.current >= 0 && w.b.kindOf(w.b.current) === kindNumber.enum
  const index = w.open(n, {
    kind: inEnum ? "enum_member" : "constant",
    name,
    flags: Flag.exported | Flag.readonly | Flag.static,
    space: Space.value
  })
  if (inEnum) w.b.setType(index, w.b.expression(Op.self, w.b.parentOf(index)))
  w.skip(name)
}

export const typeDefinition: Visit = (w, n) => {
  const type = w.child(n, "type")
  w.assign(type, Role.type)
  const own =
    /^(?:struct|union|enum|class)_specifier$/.test(w.type(type)) &&
    w.child(type, "body") >= 0 &&
    w.child(type, "name") < 0
  let first = true
  for (const c of w.withField(n, "declarator")) {
    const d = declaratorOf(w, c)
    if (d === undefined) continue
    w.skip(d.name)
    // The first name of an anonymous struct is the struct's own.
    if (own && first) {
      first = false
      continue
    }
    if (w.text(d.name) === w.text(w.child(type, "name"))) {
      // typedef struct s s; announces the struct.
      if (w.child(type, "body") < 0 && d.function < 0) {
        w.define(n, {
          kind: w.type(type).replace("_specifier", "") as DefinitionKind,
          name: d.name,
          flags: Flag.exported | Flag.declaration,
          space: 0
        })
        w.skip(w.child(type, "name"))
      }
      continue
    }
    const index = w.define(n, {
      kind: "type_alias",
      name: d.name,
      space: Space.type,
      flags: w.directlyInType() ? accessFlags(w) : Flag.exported,
      headerEnd: w.child(type, "body") >= 0 ? w.start(w.child(type, "body")) : w.end(n)
    })
    if (d.function < 0) {
      const target = declaredType(w, type, d)
      if (target >= 0) w.b.setType(index, target)
    }
  }
}

export const include: Visit = (w, n) => {
  const path = w.child(n, "path")
  w.skipChildren(n)
  const text = w.text(path)
  if (/^[<"].*[>"]$/s.test(text)) {
    const quoted = text.startsWith('"')
    w.b.import(
      w.intern(text.slice(1, -1)),
      0,
      0,
      ImportFlag.wildcard | (quoted ? ImportFlag.quoted : 0),
      w.start(path) + 1
    )
    if (/(?:^|\/)(?:gtest|gmock)\//.test(text)) w.b.setRunner(w.intern("gtest"))
    else if (/catch2?[/.]|catch_test_macros/.test(text)) w.b.setRunner(w.intern("catch2"))
    else if (/doctest\.h/.test(text)) w.b.setRunner(w.intern("doctest"))
  }
}

export const macro: Visit = (w, n) => {
  const name = w.child(n, "name")
  const parameters = w.child(n, "parameters")
  if (name < 0) return
  let end = w.end(n)
  while (end > w.start(n) && /\s/.test(w.source[end - 1]!)) end--
  const value = w.child(n, "value")
  const index = w.define(n, {
    kind: "macro",
    name,
    flags: Flag.exported,
    headerEnd: value >= 0 && end - w.start(value) > 80 ? w.start(value) : end,
    space: Space.value
  })
  w.b.setEnd(index, end)
  if (parameters >= 0) {
    const names = w.all(parameters).filter((p) => w.type(p) === "identifier")
    w.b.setParameters(index, names.length, names.length, w.has(parameters, "..."))
  }
  w.skipChildren(n)
}

/** `f(x)`, `a.f(x)`, `A::f(x)`, `f<T>(x)`. */
export const call: Visit = (w, n) => {
  const callee = w.child(n, "function")
  const args = w.child(n, "arguments")
  const type = w.type(callee)
  if (type === "identifier" || type === "template_function") {
    const name = bareName(w, callee)
    const text = w.text(name)
    if (!/^(?:static|dynamic|reinterpret|const)_cast$/.test(text)) {
      w.called(w.reference(name, Role.call), n, args)
      w.markCall(text, args)
    }
    w.skip(name)
  } else if (type === "field_expression") {
    const name = bareName(w, w.child(callee, "field"))
    if (name < 0) return
    w.called(w.member(w.child(callee, "argument"), name, Role.call), n, args)
    w.markCall(w.text(name), args)
    w.skip(name)
    w.assign(callee, Role.call)
  } else if (type === "qualified_identifier") {
    const parts = qualifiedParts(w, callee)
    const name = bareName(w, parts[parts.length - 1]!)
    const scope = scopeExpression(w, parts.slice(0, -1))
    const reference =
      scope < 0
        ? w.reference(name, Role.call)
        : w.memberReference(scope, w.name(name), w.start(name), Role.call)
    w.called(reference, n, args)
    w.markCall(w.text(name), args)
    referScopes(w, parts.slice(0, -1))
    w.skip(name)
    w.assign(callee, Role.call)
  }
}

/** `a.b` and `a->b` outside of calls. */
export const fieldAccess: Visit = (w, n) => {
  const name = bareName(w, w.child(n, "field"))
  // A call has already reported its callee.
  if (name < 0 || w.roleOf(n, Role.read) === Role.call) return
  w.member(w.child(n, "argument"), name, w.roleOf(n, Role.read))
  w.skip(name)
}

/** `A::b` outside of calls, as a value or as a type. */
export const qualified: Visit = (w, n) => {
  const role = w.roleOf(n, w.type(w.parent(n)) === "qualified_identifier" ? Role.mention : Role.read)
  if (role === Role.call || w.type(w.parent(n)) === "qualified_identifier") return
  const parts = qualifiedParts(w, n)
  const last = parts[parts.length - 1]!
  const name = bareName(w, last)
  const scope = scopeExpression(w, parts.slice(0, -1))
  const type = w.type(name)
  if (type === "identifier" || type === "type_identifier" || type === "field_identifier") {
    const as = type === "type_identifier" && role === Role.read ? Role.type : role
    if (scope < 0) w.reference(name, as)
    else w.memberReference(scope, w.name(name), w.start(name), as)
    w.skip(name)
  }
  referScopes(w, parts.slice(0, -1))
}

export const qualifiedForm: Form = (w, n) => {
  const parts = qualifiedParts(w, n)
  const scope = scopeExpression(w, parts.slice(0, -1))
  const last = parts[parts.length - 1]!
  const name = bareName(w, last)
  const base = scope < 0 ? w.nameExpression(name) : w.memberExpression(scope, name)
  if (w.type(last) !== "template_type") return base
  return w.generic(
    base,
    w.all(w.child(last, "arguments")).map((a) => w.typeOf(a))
  )
}

/** Value of a call: casts and the standard makers name their type. */
export const callValue: Form = (w, n) => {
  const callee = w.child(n, "function")
  const template = w.type(callee) === "qualified_identifier" ? qualifiedParts(w, callee).at(-1)! : callee
  if (w.type(template) === "template_function") {
    const name = w.text(w.child(template, "name"))
    const argument = w.named(w.child(template, "arguments"))
    if (/^(?:static|dynamic|reinterpret|const)(?:_pointer)?_cast$|^make_(?:shared|unique)$/.test(name)) {
      return w.instanceOf(argument)
    }
  }
  if (w.type(callee) === "qualified_identifier" && w.text(callee) === "std::move")
    return w.valueOf(w.named(w.child(n, "arguments")))
  const f = w.valueOf(callee)
  return f < 0 ? -1 : w.b.expression(Op.call, f)
}

/** The current object: of the enclosing class, or of the class a method defined outside belongs to. */
export const thisForm: Form = (w) => {
  const owner = w.enclosingOwner()
  if (owner !== undefined) return w.b.expression(Op.selfOf, owner.type)
  const type = w.enclosingType()
  return type < 0 ? -1 : w.b.expression(Op.self, type)
}

/** Test macros that take a title and are followed by a block. */
export const statement: Visit = (w, n) => {
  const callNode = w.named(n)
  const block = w.tree.next(n)
  if (w.type(callNode) !== "call_expression" || w.type(block) !== "compound_statement") return
  const callee = w.child(callNode, "function")
  const title = w.named(w.child(callNode, "arguments"))
  if (!titledTest.test(w.text(callee)) || !w.isString(title)) return
  const [from, to] = w.content(title)
  w.open(block, {
    kind: "test",
    name: title,
    as: w.source.slice(from, Math.min(to, from + 120)),
    flags: Flag.test,
    start: w.start(n),
    body: block,
    space: 0
  })
  w.skip(callNode)
}

/** Result uses of both languages. */
export const uses = {
  expression_statement: "discarded",
  return_statement: "returned",
  init_declarator: "assigned",
  assignment_expression: "assigned",
  argument_list: "argument",
  if_statement: "condition",
  while_statement: "condition"
} as const satisfies { readonly [type: string]: keyof typeof ResultUse }
