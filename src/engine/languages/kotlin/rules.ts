/** What Kotlin's syntax means. The grammar reads `A<B>(c)` as two comparisons; they are taken for the call they are. */
import { Scope, Space } from "../FactsBuilder.ts"
import { elementForm, field, literalForm, nameForm, nth, typeNameForm } from "../treesitter/forms.ts"
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
import { type DefinitionKind, Flag, ImportFlag, Op, Role } from "../Vocabulary.ts"

/** Key that is set inside a companion object, whose members act as static members of the class. */
const companion = "companion"

const typeNodes = new Set([
  "user_type",
  "nullable_type",
  "non_nullable_type",
  "function_type",
  "parenthesized_type"
])
const constants = new Set(["null", "true", "false"])
const testAnnotations = new Set(["Test", "ParameterizedTest", "RepeatedTest"])
/** Functions whose lambda takes the receiver itself. */
const scopeFunctions = new Set(["let", "also", "takeIf", "takeUnless"])
const iterators = new Set([
  "forEach",
  "map",
  "filter",
  "find",
  "first",
  "firstOrNull",
  "last",
  "any",
  "all",
  "none",
  "count",
  "flatMap",
  "mapNotNull",
  "filterNot",
  "sortedBy",
  "groupBy",
  "associateBy",
  "associateWith",
  "sumOf",
  "maxByOrNull",
  "minByOrNull",
  "onEach",
  "partition",
  "single"
])

const modifiersOf = (w: Walk, n: Node): number => {
  let flags = w.notes.get(companion) === 1 ? Flag.static : 0
  let visible: number = Flag.exported
  const modifiers = w.childOf(n, "modifiers")
  for (const m of modifiers < 0 ? [] : w.all(modifiers)) {
    const text = w.text(m)
    if (w.type(m) === "annotation") {
      const name = annotationName(w, m)
      if (testAnnotations.has(name)) flags |= Flag.test
      else if (name === "Deprecated") flags |= Flag.deprecated
      else if (name === "JvmStatic") flags |= Flag.static
    } else if (text === "private") visible = Flag.private
    else if (text === "protected") visible = Flag.protected | Flag.exported
    else if (text === "abstract") flags |= Flag.abstract
    else if (text === "override") flags |= Flag.override
    else if (text === "suspend") flags |= Flag.async
    else if (text === "const") flags |= Flag.readonly
  }
  return flags | visible
}
const annotationName = (w: Walk, n: Node): string =>
  /^@(?:\w+:)?([\w.]+)/.exec(w.text(n))?.[1]?.split(".").at(-1) ?? ""
const hasModifier = (w: Walk, n: Node, text: string): boolean => {
  const modifiers = w.childOf(n, "modifiers")
  return modifiers >= 0 && w.all(modifiers).some((m) => w.text(m) === text)
}

const headerOf = (w: Walk, n: Node): number => {
  const modifiers = w.childOf(n, "modifiers")
  let last = -1
  for (const m of modifiers < 0 ? [] : w.all(modifiers)) if (w.type(m) === "annotation") last = m
  if (last < 0) return w.start(n)
  let at = w.end(last)
  while (/\s/.test(w.source[at] ?? "x")) at++
  return at
}

const typeDeclaration: Visit = (w, n) => {
  const name = w.child(n, "name")
  if (name < 0) return
  const kind: DefinitionKind =
    w.type(n) === "object_declaration"
      ? "object"
      : w.has(n, "interface")
        ? "interface"
        : hasModifier(w, n, "enum")
          ? "enum"
          : hasModifier(w, n, "annotation")
            ? "annotation"
            : "class"
  const body = w.childOf(n, "class_body") >= 0 ? w.childOf(n, "class_body") : w.childOf(n, "enum_class_body")
  const index = w.open(n, {
    kind,
    name,
    body,
    flags: modifiersOf(w, n) & ~(kind === "object" ? 0 : Flag.static),
    header: headerOf(w, n),
    space: Space.any
  })
  w.skip(name)
  const before = w.notes.get(companion) ?? 0
  w.notes.set(companion, 0)
  w.onLeave(n, () => w.notes.set(companion, before))
  w.scope(n, Scope.members)
  superTypes(w, n, index, kind)
  const primary = w.childOf(n, "primary_constructor")
  if (primary >= 0) w.parameters(index, counts(w, w.childOf(primary, "class_parameters")))
}

const superTypes = (w: Walk, n: Node, index: number, kind: DefinitionKind): void => {
  const list = w.childOf(n, "delegation_specifiers")
  if (list < 0) return
  for (const specifier of w.all(list)) {
    const base = w.named(specifier)
    const type = w.type(base) === "user_type" ? base : w.named(base)
    if (type < 0) continue
    inherits(
      w,
      index,
      type,
      w.type(base) === "constructor_invocation" || kind === "interface" ? "extends" : "implements"
    )
  }
}

const counts = (w: Walk, list: Node) => {
  const out: Array<"required" | "optional" | "variadic"> = []
  if (list < 0) return out
  let variadic = false
  for (const c of w.tree.children(list)) {
    const type = w.type(c)
    if (type === "parameter_modifiers") variadic = w.text(c).includes("vararg")
    else if (type === "parameter" || type === "class_parameter") {
      out.push(variadic ? "variadic" : w.has(c, "=") ? "optional" : "required")
      variadic = false
    } else if (type === "=" && out.length > 0) out[out.length - 1] = "optional"
  }
  return out
}

const ownType = (w: Walk, n: Node): Node => w.all(n).find((c) => typeNodes.has(w.type(c))) ?? -1

const classParameter: Visit = (w, n) => {
  const name = w.all(n).find((c) => w.type(c) === "identifier") ?? -1
  const type = ownType(w, n)
  if (name < 0) return
  const isProperty = w.has(n, "val") || w.has(n, "var")
  const value = w.instanceOf(type)
  w.assign(type, isProperty ? Role.field_type : Role.parameter_type)
  w.skip(name)
  if (!isProperty) return w.local(name, value, 0)
  const index = w.define(n, {
    kind: "property",
    name,
    flags: modifiersOf(w, n) | (w.has(n, "val") ? Flag.readonly : 0),
    header: headerOf(w, n),
    space: Space.value
  })
  if (value >= 0) w.b.setType(index, value)
}

/** The receiver type in front of an extension's name. */
const receiverType = (w: Walk, n: Node, name: Node): Node =>
  w.all(n).find((c) => c < name && typeNodes.has(w.type(c))) ?? -1
const lastName = (w: Walk, type: Node): number => {
  const at = w.type(type) === "nullable_type" ? w.named(type) : type
  const names = w.all(at).filter((c) => w.type(c) === "identifier")
  return names.length === 0 ? 0 : w.name(names.at(-1)!)
}
const extend = (w: Walk, index: number, receiver: Node): void => {
  const owner = w.typeOf(receiver)
  w.assign(receiver, Role.type)
  if (owner < 0) return
  w.setOwner(index, owner, lastName(w, receiver))
}

const functionDeclaration: Visit = (w, n) => {
  const name = w.child(n, "name")
  if (name < 0) return
  const body = w.childOf(n, "function_body")
  const list = w.childOf(n, "function_value_parameters")
  const member = w.directlyInType()
  const receiver = receiverType(w, n, name)
  const text = w.text(name)
  const index = w.open(n, {
    kind: member ? "method" : "function",
    name,
    body,
    header: headerOf(w, n),
    space: Space.value,
    flags: modifiersOf(w, n) | (member && body < 0 ? Flag.abstract : 0),
    ...(text.startsWith("`") ? { as: text.slice(1, -1) } : {})
  })
  w.skip(name)
  if (receiver >= 0) extend(w, index, receiver)
  w.scope(n, Scope.function)
  w.parameters(index, counts(w, list))
  const result = w.all(n).find((c) => c > list && typeNodes.has(w.type(c))) ?? -1
  if (result >= 0) {
    w.assign(result, Role.return_type)
    w.b.setType(index, w.instanceOf(result))
  } else if (body >= 0 && w.type(w.named(body)) !== "block") {
    const value = w.valueOf(w.named(body))
    if (value >= 0) w.b.setType(index, value)
  }
}

const parameter: Visit = (w, n) => {
  const name = w.named(n)
  const type = ownType(w, n)
  w.assign(type, Role.parameter_type)
  if (w.type(name) !== "identifier") return
  w.local(name, w.instanceOf(type))
  w.skip(name)
}

const propertyDeclaration: Visit = (w, n) => {
  const variables = w.childOf(n, "multi_variable_declaration")
  const single = w.childOf(n, "variable_declaration")
  const all = w.all(n)
  const value =
    all.find(
      (c) =>
        c > Math.max(single, variables) &&
        !["getter", "setter", "property_delegate", "type_constraints", "modifiers"].includes(w.type(c))
    ) ?? -1
  if (variables >= 0) {
    for (const v of w.all(variables)) {
      w.local(w.named(v), w.instanceOf(ownType(w, v)))
      w.skip(w.named(v))
    }
    return
  }
  const name = w.all(single).find((c) => w.type(c) === "identifier") ?? -1
  if (name < 0) return
  const type = ownType(w, single)
  const member = w.directlyInType()
  const local = !member && w.insideFunction()
  w.assign(type, local ? Role.type : Role.field_type)
  w.skip(name)
  const delegate = w.childOf(n, "property_delegate")
  const expression = type >= 0 ? w.instanceOf(type) : w.valueOf(value)
  if (local) return w.local(name, expression)
  const readonly = w.has(n, "val")
  const isConstant = hasModifier(w, n, "const") || (!member && readonly && w.childOf(n, "getter") < 0)
  const receiver = receiverType(w, n, single)
  const index = w.open(n, {
    kind: isConstant ? "constant" : member ? "property" : "variable",
    name,
    header: headerOf(w, n),
    space: Space.value,
    flags: modifiersOf(w, n) | (readonly ? Flag.readonly : 0),
    headerEnd:
      value >= 0 && w.end(value) - w.start(value) > 80
        ? w.start(value)
        : w.end(delegate >= 0 ? single : w.childOf(n, "getter") >= 0 ? single : n)
  })
  if (expression >= 0) w.b.setType(index, expression)
  if (receiver >= 0) extend(w, index, receiver)
}

const importHeader: Visit = (w, n) => {
  w.skipChildren(n)
  const path = w.childOf(n, "qualified_identifier")
  if (path < 0) return
  const parts = w.all(path)
  const text = w.text(path).replace(/[\s`]/g, "")
  if (/^(?:org\.junit|kotlin\.test)\b/.test(text)) w.b.setRunner(w.intern("junit"))
  else if (/^io\.kotest\b/.test(text)) w.b.setRunner(w.intern("kotest"))
  if (w.has(n, "*") || w.text(n).trimEnd().endsWith(".*")) {
    w.b.import(w.intern(text.replace(/\.\*$/, "")), 0, 0, ImportFlag.wildcard, w.start(path))
    return
  }
  const last = parts.at(-1)
  if (last === undefined) return
  const alias = w.all(n).find((c) => c > path && w.type(c) === "identifier") ?? -1
  const dot = text.lastIndexOf(".")
  const local = alias >= 0 ? w.name(alias) : w.name(last)
  w.b.bindImport(
    local,
    w.b.import(w.intern(dot < 0 ? "" : text.slice(0, dot)), w.name(last), local, 0, w.start(last))
  )
}

const argumentCount = (w: Walk, call: Node): number =>
  w.countNamed(w.childOf(call, "value_arguments")) +
  (w.childOf(call, "annotated_lambda") >= 0 || w.childOf(call, "lambda_literal") >= 0 ? 1 : 0)

const call: Visit = (w, n) => {
  const callee = w.named(n)
  const args = w.childOf(n, "value_arguments")
  const count = argumentCount(w, n)
  if (w.type(callee) === "identifier") {
    w.setCall(w.reference(callee, Role.call), Role.call, count, w.useOf(n))
    w.markCall(w.text(callee), args)
    w.skip(callee)
  } else if (w.type(callee) === "navigation_expression") {
    const name = w.named(callee, -1)
    if (w.type(name) !== "identifier") return
    w.setCall(w.member(w.named(callee), name, Role.call), Role.call, count, w.useOf(n))
    w.markCall(w.text(name), args)
    w.skip(name)
  }
}

/** The parts of `A<B>(c)` read as comparisons, or undefined. */
const genericCall = (
  w: Walk,
  n: Node
): { readonly callee: Node; readonly type: Node; readonly args: Node } | undefined => {
  const left = w.child(n, "left")
  const right = w.child(n, "right")
  if (
    w.type(left) !== "binary_expression" ||
    w.type(right) !== "parenthesized_expression" ||
    !w.has(n, ">") ||
    !w.has(left, "<")
  )
    return undefined
  const callee = w.child(left, "left")
  const type = w.child(left, "right")
  if (w.type(callee) !== "identifier" || w.type(type) !== "identifier" || w.source[w.end(callee)] !== "<")
    return undefined
  return { callee, type, args: right }
}

const binaryExpression: Visit = (w, n) => {
  const generic = genericCall(w, n)
  if (generic === undefined) return binary("&&", "||", "?:")(w, n)
  w.called(w.reference(generic.callee, Role.call), n, generic.args)
  w.skip(generic.callee)
  w.assign(generic.type, Role.generic_arg)
}

const lambda: Visit = (w, n) => {
  w.scope(n, Scope.function)
  const parameters = w.childOf(n, "lambda_parameters")
  // Without parameters there is `it`: an element or the receiver, by the function called.
  let at = w.parent(n)
  if (w.type(at) === "annotated_lambda") at = w.parent(at)
  const callee = w.type(at) === "call_expression" ? w.named(at) : -1
  const method = w.type(callee) === "navigation_expression" ? w.text(w.named(callee, -1)) : ""
  const receiver = method === "" ? -1 : w.valueOf(w.named(callee))
  const value =
    receiver < 0
      ? -1
      : scopeFunctions.has(method)
        ? receiver
        : iterators.has(method)
          ? w.b.expression(Op.element, receiver)
          : -1
  if (parameters < 0) return w.b.bindLocal(w.intern("it"), value)
  const declared = w.all(parameters)
  for (const v of declared) {
    const name = w.named(v)
    if (w.type(v) !== "variable_declaration" || w.type(name) !== "identifier") continue
    const type = ownType(w, v)
    w.assign(type, Role.parameter_type)
    w.local(name, type >= 0 ? w.instanceOf(type) : declared.length === 1 ? value : -1)
    w.skip(name)
  }
}

const selfForm: Form = (w) => {
  const owner = w.enclosingOwner()
  if (owner !== undefined) return w.b.expression(Op.selfOf, owner.type)
  const type = w.enclosingType()
  return type < 0 ? -1 : w.b.expression(Op.self, type)
}

const userType: Form = (w, n) => {
  const names = w.all(n).filter((c) => w.type(c) === "identifier")
  const first = names[0]
  if (first === undefined) return -1
  let base = w.nameExpression(first, Space.type)
  for (const name of names.slice(1)) base = w.memberExpression(base, name)
  const args = w.childOf(n, "type_arguments")
  return args < 0
    ? base
    : w.generic(
        base,
        w.all(args).map((a) => w.typeOf(w.type(a) === "type_projection" ? ownType(w, a) : a))
      )
}

const navigation: Visit = (w, n) => {
  const name = w.named(n, -1)
  if (w.type(name) !== "identifier" || name === w.named(n) || w.hasRole(name)) return
  w.skip(name)
  // `T::class` names no member.
  if (w.text(name) !== "class") w.member(w.named(n), name, w.roleOf(n, Role.read))
}

export const rules: Rules = {
  grammar: { package: "@tree-sitter-grammars/tree-sitter-kotlin", file: "tree-sitter-kotlin.wasm" },
  probe:
    'package a.b\nimport c.D as E\n/** \u00e9 */\nopen class F<T>(val g: H?) : I(g), J {\n  val k: List<T> = l()\n  fun m(n: Int = 1): O { p?.q("$r") { it.s } }\n}\n',
  nodes: {
    package_header: (w, n) => {
      w.b.setPackage(w.intern(w.text(w.named(n)).replace(/[\s`]/g, "")))
      w.skipChildren(n)
    },
    import: importHeader,
    class_declaration: typeDeclaration,
    object_declaration: typeDeclaration,
    companion_object: (w, n) => {
      const name = w.child(n, "name")
      w.skip(name)
      const before = w.notes.get(companion) ?? 0
      w.notes.set(companion, 1)
      w.onLeave(n, () => w.notes.set(companion, before))
      if (w.directlyInType()) superTypes(w, n, w.b.current, "class")
    },
    object_literal: (w, n) => {
      const list = w.childOf(n, "delegation_specifiers")
      const first = w.named(w.named(w.named(list)))
      const at = first >= 0 ? first : n
      const index = w.open(n, {
        kind: "class",
        name: at,
        as: first >= 0 ? `object : ${w.text(w.type(at) === "identifier" ? at : w.named(at))}` : "object",
        flags: Flag.local | Flag.synthetic,
        body: w.childOf(n, "class_body"),
        space: 0
      })
      w.scope(n, Scope.members)
      superTypes(w, n, index, "class")
    },
    type_parameter: (w, n) => {
      const name = w.all(n).find((c) => w.type(c) === "identifier") ?? -1
      if (name < 0) return
      const bound = ownType(w, n)
      w.b.bindLocal(w.name(name), bound < 0 ? -1 : w.typeOf(bound), 0, Space.type)
      w.skip(name)
    },
    type_constraint: (w, n) => w.skip(w.named(n)),
    class_parameter: classParameter,
    function_declaration: functionDeclaration,
    anonymous_function: scoped(Scope.function),
    secondary_constructor: (w, n) => {
      const index = w.open(n, {
        kind: "constructor",
        name: n,
        as: "constructor",
        flags: modifiersOf(w, n),
        body: w.childOf(n, "block"),
        header: headerOf(w, n),
        space: 0
      })
      w.scope(n, Scope.function)
      w.parameters(index, counts(w, w.childOf(n, "function_value_parameters")))
    },
    anonymous_initializer: scoped(),
    parameter,
    property_declaration: propertyDeclaration,
    setter: (w, n) => {
      w.scope(n, Scope.function)
      const name = w.all(n).find((c) => w.type(c) === "identifier") ?? -1
      w.local(name)
      w.skip(name)
    },
    getter: scoped(Scope.function),
    enum_entry: (w, n) => {
      const name = w.all(n).find((c) => w.type(c) === "identifier") ?? -1
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
    type_alias: (w, n) => {
      const name = w.child(n, "type")
      const type = ownType(w, n)
      if (w.type(name) !== "identifier") return
      const index = w.open(n, { kind: "type_alias", name, flags: modifiersOf(w, n), space: Space.type })
      w.b.setType(index, w.typeOf(type))
      w.assign(type, Role.type)
      w.skip(name)
    },
    block: scoped(),
    if_expression: branches,
    when_expression: scoped(),
    when_entry: branchScope,
    when_subject: (w, n) => {
      const v = w.childOf(n, "variable_declaration")
      if (v < 0) return
      w.local(w.named(v), w.valueOf(w.named(n, -1)))
      w.skip(w.named(v))
    },
    while_statement: branches,
    do_while_statement: branches,
    for_statement: (w, n) => {
      branchScope(w, n)
      const [v, collection] = w.all(n)
      if (v === undefined || collection === undefined) return
      const declared = w.type(v) === "multi_variable_declaration" ? w.all(v) : [v]
      for (const d of declared) {
        const name = w.named(d)
        if (w.type(name) !== "identifier") continue
        const type = ownType(w, d)
        w.local(name, type >= 0 ? w.instanceOf(type) : declared.length === 1 ? elementOf(w, collection) : -1)
        w.skip(name)
      }
    },
    catch_block: (w, n) => {
      branchScope(w, n)
      const name = w.named(n)
      if (w.type(name) !== "identifier") return
      w.local(name, w.instanceOf(ownType(w, n)))
      w.skip(name)
    },
    binary_expression: binaryExpression,
    call_expression: call,
    constructor_invocation: (w, n) => {
      // The super type itself was reported with the class.
      if (w.type(w.parent(n)) === "annotation") w.assign(w.named(n), Role.decorate)
    },
    annotation: (w, n) => {
      w.assign(w.named(n), Role.decorate)
      if (/^(?:Get|Post|Put|Delete|Patch|Request)Mapping$/.test(annotationName(w, n))) {
        w.markRoute(w.named(w.named(w.childOf(w.named(n), "value_arguments"))))
      }
    },
    navigation_expression: navigation,
    callable_reference: (w, n) => {
      const name = w.named(n, -1)
      if (w.countNamed(n) > 1 && w.type(name) === "identifier") {
        const receiver = w.named(n)
        w.memberReference(
          typeNodes.has(w.type(receiver))
            ? w.typeOf(receiver) < 0
              ? w.unknown
              : w.typeOf(receiver)
            : w.receiverOf(receiver),
          w.name(name),
          w.start(name),
          Role.read
        )
        w.skip(name)
      }
    },
    lambda_literal: lambda,
    assignment: assigns(field("left")),
    value_argument: (w, n) => {
      if (w.has(n, "=")) w.skip(w.named(n))
    },
    return_expression: (w, n) => {
      if (w.type(w.ancestor(n, "lambda_literal", "function_declaration")) === "function_declaration")
        w.returns(w.named(n))
    },
    type_projection: (w, n) => w.assign(ownType(w, n), Role.generic_arg),
    type_arguments: typeArguments,
    user_type: (w, n) => {
      const names = w.all(n).filter((c) => w.type(c) === "identifier")
      const role = w.roleOf(n, Role.type)
      const last = names.at(-1)
      if (last === undefined) return
      let before = -1
      for (const name of names) {
        const as = name === last ? role : Role.type
        if (before < 0) w.reference(name, as, Space.type)
        else w.memberReference(before, w.name(name), w.start(name), as)
        before =
          names.length === 1
            ? before
            : before < 0
              ? w.nameExpression(name, Space.type)
              : w.memberExpression(before, name)
        w.skip(name)
      }
    },
    label: (w, n) => w.skipChildren(n),
    identifier: (w, n) => {
      const text = w.text(n)
      if (!constants.has(text)) useName()(w, n)
    }
  },
  values: {
    identifier: (w, n) => {
      const text = w.text(n)
      return text === "null"
        ? -1
        : text === "true" || text === "false"
          ? w.literalExpression("Boolean")
          : nameForm(w, n)
    },
    this_expression: selfForm,
    super_expression: (w) => {
      const type = w.enclosingType()
      return type < 0 ? -1 : w.b.expression(Op.super, type)
    },
    navigation_expression: (w, n) => {
      const name = w.named(n, -1)
      return w.type(name) === "identifier" && name !== w.named(n)
        ? w.memberExpression(w.receiverOf(w.named(n)), name)
        : -1
    },
    call_expression: (w, n) => {
      const f = w.valueOf(w.named(n))
      return f < 0 ? -1 : w.b.expression(Op.call, f)
    },
    binary_expression: (w, n) => {
      const generic = genericCall(w, n)
      if (generic === undefined) return w.has(n, "?:") ? w.valueOf(w.child(n, "left")) : -1
      const callee = w.generic(w.nameExpression(generic.callee), [w.nameExpression(generic.type, Space.type)])
      return w.b.expression(Op.call, callee)
    },
    unary_expression: (w, n) => (w.has(n, "!!") ? w.valueOf(w.child(n, "argument")) : -1),
    parenthesized_expression: inner(nth(0)),
    as_expression: (w, n) => w.instanceOf(w.child(n, "right")),
    index_expression: elementForm(nth(0)),
    object_literal: (w, n) => {
      const first = w.named(w.named(w.childOf(n, "delegation_specifiers")))
      return w.instanceOf(w.type(first) === "user_type" ? first : w.named(first))
    },
    string_literal: literalForm("String"),
    multiline_string_literal: literalForm("String"),
    number_literal: literalForm("Int"),
    float_literal: literalForm("Double"),
    character_literal: literalForm("Char")
  },
  types: {
    identifier: typeNameForm,
    user_type: userType,
    nullable_type: inner(nth(0), "type"),
    non_nullable_type: inner(nth(0), "type"),
    parenthesized_type: inner(nth(0), "type")
  },
  passes: [
    "nullable_type",
    "non_nullable_type",
    "parenthesized_type",
    "parenthesized_expression",
    "constructor_invocation",
    "index_expression"
  ],
  comments: ["line_comment", "block_comment"],
  docs: /^\/\*\*/,
  uses: {
    block: "discarded",
    return_expression: "returned",
    property_declaration: "assigned",
    assignment: "assigned",
    value_argument: "argument",
    if_expression: "condition",
    while_statement: "condition",
    function_body: "returned"
  },
  strings: ["string_literal", "multiline_string_literal"],
  environment: ["getenv"],
  routes: ["get", "post", "put", "delete", "patch", "route"]
}
