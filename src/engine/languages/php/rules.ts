/** What PHP's syntax means. Variables keep their dollar sign as names, properties lose it. */
import { Scope, Space } from "../FactsBuilder.ts"
import {
  builtinForm,
  castForm,
  eitherForm,
  elementForm,
  field,
  literalForm,
  nth
} from "../treesitter/forms.ts"
import { inner, type Form, type Rules, type Visit } from "../treesitter/Rules.ts"
import type { Node } from "../treesitter/SyntaxTree.ts"
import { assigns, binary, branches, branchScope, elementOf, spaceOf } from "../treesitter/visits.ts"
import type { Walk } from "../treesitter/Walk.ts"
import { type DefinitionKind, Flag, ImportFlag, Inherit, Op, Role } from "../Vocabulary.ts"

const closures = ["anonymous_function", "arrow_function"]

/** Name without dollar sign: of a property's variable node, or the node itself. */
const bare = (w: Walk, n: Node): Node => (w.type(n) === "variable_name" ? w.named(n) : n)

const modifiersOf = (w: Walk, n: Node): number => {
  let flags = 0
  let visible: number = Flag.exported
  for (const c of w.tree.children(n)) {
    switch (w.type(c)) {
      case "visibility_modifier": {
        const text = w.text(c)
        visible = text.startsWith("private")
          ? Flag.private
          : text.startsWith("protected")
            ? Flag.protected | Flag.exported
            : Flag.exported
        break
      }
      case "static_modifier":
        flags |= Flag.static
        break
      case "abstract_modifier":
        flags |= Flag.abstract
        break
      case "readonly_modifier":
        flags |= Flag.readonly
        break
      case "attribute_list":
        if (/#\[\s*(?:\\?PHPUnit\\Framework\\Attributes\\)?Test\b/.test(w.text(c))) flags |= Flag.test
        else if (/\bDeprecated\b/.test(w.text(c))) flags |= Flag.deprecated
    }
  }
  return flags | visible
}

const headerOf = (w: Walk, n: Node): number => {
  for (const c of w.tree.children(n))
    if (w.type(c) !== "attribute_list" && w.type(c) !== "comment") return w.start(c)
  return w.start(n)
}

/** Prefix and last part of a qualified name; the prefix is -1 for a plain name. */
const partsOf = (w: Walk, n: Node): { readonly prefix: Node; readonly name: Node } =>
  w.type(n) === "qualified_name"
    ? { prefix: w.childOf(n, "namespace_name"), name: w.named(n, -1) }
    : { prefix: -1, name: n }

/** Prefix as written, a leading separator included. */
const prefixText = (w: Walk, n: Node, prefix: Node): string =>
  w.source.slice(w.start(n), w.end(prefix)).replace(/\s+/g, "").replace(/\\$/, "")

const prefixExpression = (w: Walk, n: Node, prefix: Node): number =>
  w.b.nameExpression(w.intern(prefixText(w, n, prefix)), w.start(prefix), Space.type)

const nameOrQualified =
  (space: number): Form =>
  (w, n) => {
    const { prefix, name } = partsOf(w, n)
    if (name < 0) return -1
    const text = w.text(name)
    if (prefix < 0 && (text === "self" || text === "static")) return selfType(w)
    if (prefix < 0 && text === "parent") return parentForm(w, n)
    return prefix < 0
      ? w.nameExpression(name, space)
      : w.memberExpression(prefixExpression(w, n, prefix), name)
  }

const selfType = (w: Walk): number => {
  const type = w.enclosingType()
  return type < 0 ? -1 : w.b.expression(Op.selfType, type)
}
const parentForm: Form = (w) => {
  const type = w.enclosingType()
  return type < 0 ? -1 : w.b.expression(Op.super, type)
}
const relativeScope: Form = (w, n) => (w.text(n) === "parent" ? parentForm(w, n) : selfType(w))

/** A use of a name or qualified name; returns the reference. */
const refer = (w: Walk, n: Node, role: number, space: number = spaceOf(role)): number => {
  const { prefix, name } = partsOf(w, n)
  w.skip(n)
  return prefix < 0
    ? w.reference(name, role, space)
    : w.memberReference(prefixExpression(w, n, prefix), w.name(name), w.start(name), role)
}

/** A type written in a documentation comment after one of the tags, as instance; -1 without one. */
const documented = (w: Walk, at: number, tag: RegExp): number => {
  const doc = w.documentation(at)
  if (doc === undefined) return -1
  const found = tag.exec(w.source.slice(doc[0], doc[1]))
  const text = found?.[1]?.replace(/^\?/, "") ?? ""
  const array = text.endsWith("[]")
  const name = text.replace(/(?:\[\])+$/, "").replace(/^\\/, "")
  if (!/^[A-Z]\w*$/.test(name))
    return name === "self" || name === "static" || name === "$this" ? selfInstance(w) : -1
  const type = w.b.nameExpression(w.intern(name), at, Space.type)
  return w.b.expression(Op.instance, array ? w.collection("array", [type]) : type)
}
const selfInstance = (w: Walk): number => {
  const type = selfType(w)
  return type < 0 ? -1 : w.b.expression(Op.instance, type)
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
      space: Space.type
    })
    w.skip(name)
    bases(w, n, index, kind)
    w.scope(n)
  }

const bases = (w: Walk, n: Node, index: number, kind: DefinitionKind): void => {
  for (const c of w.all(n)) {
    const type = w.type(c)
    if (type !== "base_clause" && type !== "class_interface_clause") continue
    for (const base of w.all(c)) {
      const expression = w.typeOf(base)
      const how = type === "class_interface_clause" ? "implements" : "extends"
      if (expression >= 0) w.b.inherit(index, -1, expression, Inherit[how], w.start(base))
      refer(w, base, how === "implements" ? Role.implements : Role.extends)
      if (kind === "class" && how === "extends" && w.text(base).endsWith("TestCase")) {
        w.notes.set(`test ${index}`, 1)
        w.b.setRunner(w.intern("phpunit"))
      }
    }
  }
}

const parameterCounts = (w: Walk, list: Node) =>
  w
    .all(list)
    .map((p) =>
      w.type(p) === "variadic_parameter"
        ? ("variadic" as const)
        : w.child(p, "default_value") >= 0
          ? ("optional" as const)
          : ("required" as const)
    )

const callable =
  (kind: "function" | "method"): Visit =>
  (w, n) => {
    const name = w.child(n, "name")
    if (name < 0) return
    const body = w.child(n, "body")
    const text = w.text(name)
    let flags = modifiersOf(w, n)
    const type = w.enclosingType()
    if (kind === "method") {
      if (body < 0) flags |= Flag.abstract
      const doc = w.documentation(w.start(n))
      const tagged = doc !== undefined && /@test\b/.test(w.source.slice(doc[0], doc[1]))
      if (w.notes.has(`test ${type}`) && (text.startsWith("test") || tagged)) flags |= Flag.test
    }
    const index = w.open(n, {
      kind: text === "__construct" && kind === "method" ? "constructor" : kind,
      name,
      body,
      flags,
      header: headerOf(w, n),
      space: kind === "function" ? Space.value : 0
    })
    w.skip(name)
    w.scope(n, Scope.function)
    const parameters = w.child(n, "parameters")
    if (parameters >= 0) w.parameters(index, parameterCounts(w, parameters))
    const result = w.child(n, "return_type")
    w.assign(result, Role.return_type)
    const expression =
      result >= 0 ? w.instanceOf(result) : documented(w, w.start(n), /@return\s+([\w\\?$[\]]+)/)
    if (expression >= 0) w.b.setType(index, expression)
  }

const parameter: Visit = (w, n) => {
  const type = w.child(n, "type")
  const variable = w.child(n, "name")
  w.assign(type, Role.parameter_type)
  if (variable < 0) return
  const value = w.instanceOf(type)
  w.skip(variable)
  w.local(
    variable,
    w.type(n) === "variadic_parameter" && value >= 0
      ? w.b.expression(Op.instance, w.collection("array", [w.typeOf(type)]))
      : value
  )
  if (w.type(n) === "property_promotion_parameter") {
    const name = bare(w, variable)
    const visibility = w.text(w.child(n, "visibility"))
    // Promoted parameters are properties of the class, not of its constructor.
    w.inside(w.enclosingType(), () => {
      const index = w.define(n, {
        kind: "property",
        name,
        space: 0,
        flags:
          (visibility === "private"
            ? Flag.private
            : visibility === "protected"
              ? Flag.protected | Flag.exported
              : Flag.exported) | (w.child(n, "readonly") >= 0 ? Flag.readonly : 0)
      })
      if (value >= 0) w.b.setType(index, value)
    })
  }
}

const propertyElement: Visit = (w, n) => {
  const declaration = w.parent(n)
  const variable = w.child(n, "name") >= 0 ? w.child(n, "name") : w.childOf(n, "variable_name")
  if (variable < 0) return
  const type = w.child(declaration, "type")
  const value = w.child(n, "default_value")
  const index = w.open(n, {
    kind: "property",
    name: bare(w, variable),
    flags: modifiersOf(w, declaration),
    start: w.start(declaration),
    end: w.end(declaration),
    header: headerOf(w, declaration),
    headerEnd: value >= 0 && w.end(value) - w.start(value) > 80 ? w.start(value) : w.end(declaration),
    space: 0
  })
  const expression =
    type >= 0 ? w.instanceOf(type) : documented(w, w.start(declaration), /@var\s+([\w\\?$[\]]+)/)
  w.b.setType(index, expression >= 0 ? expression : w.valueOf(value))
  w.skip(variable)
}

const constElement: Visit = (w, n) => {
  const name = w.named(n)
  const declaration = w.parent(n)
  const inType = w.directlyInType()
  const index = w.open(n, {
    kind: "constant",
    name,
    flags: modifiersOf(w, declaration) | Flag.readonly | (inType ? Flag.static : 0),
    start: w.start(declaration),
    end: w.end(declaration),
    headerEnd: w.end(declaration),
    space: inType ? 0 : Space.value
  })
  w.b.setType(index, w.valueOf(w.named(n, -1)))
  w.skip(name)
}

const useDeclaration: Visit = (w, n) => {
  w.skipChildren(n)
  const group = w.child(n, "body")
  const prefix =
    group >= 0 ? w.text(w.childOf(n, "namespace_name")).replace(/\s+/g, "").replace(/^\\/, "") : ""
  for (const clause of group >= 0 ? w.all(group) : w.all(n)) {
    if (w.type(clause) !== "namespace_use_clause") continue
    const target = w.all(clause).find((c) => w.type(c) === "qualified_name" || w.type(c) === "name") ?? -1
    if (target < 0) continue
    const { prefix: before, name } = partsOf(w, target)
    const inside = before < 0 ? "" : prefixText(w, target, before).replace(/^\\/, "")
    const module = [prefix, inside].filter((p) => p !== "").join("\\")
    const alias = w.child(clause, "alias")
    const local = alias >= 0 ? w.name(alias) : w.name(name)
    w.b.bindImport(local, w.b.import(w.intern(module), w.name(name), local, 0, w.start(name)))
    if (/^PHPUnit\b/.test(module)) w.b.setRunner(w.intern("phpunit"))
    else if (/^Pest\b/.test(module)) w.b.setRunner(w.intern("pest"))
  }
}

const inclusion: Visit = (w, n) => {
  let at = w.named(n)
  if (w.type(at) === "parenthesized_expression") at = w.named(at)
  let relative = false
  if (
    w.type(at) === "binary_expression" &&
    /^(?:__DIR__|dirname\(__FILE__\))$/.test(w.text(w.child(at, "left")))
  ) {
    relative = true
    at = w.child(at, "right")
  }
  if (!w.isString(at)) return
  const [from, to] = w.content(at)
  const flags = ImportFlag.sideEffect | (w.insideFunction() ? ImportFlag.dynamic : 0)
  w.b.import(w.intern((relative ? "." : "") + w.source.slice(from, to)), 0, 0, flags, from)
}

/** A variable comes into being: local in functions, a definition at file level. */
const declares = (w: Walk, variable: Node, expression: number): void => {
  if (w.type(variable) !== "variable_name" || w.text(variable) === "$this") return
  if (w.insideFunction() || w.ancestor(variable, ...closures) >= 0) return w.local(variable, expression)
  const name = w.name(variable)
  if (w.notes.has(`global ${name}`)) return
  w.notes.set(`global ${name}`, 1)
  const index = w.define(variable, {
    kind: "variable",
    name: variable,
    flags: Flag.exported,
    space: Space.value
  })
  if (expression >= 0) w.b.setType(index, expression)
  w.skip(variable)
}

const assignment: Visit = (w, n) => {
  const left = w.child(n, "left")
  w.assign(left, Role.write)
  if (w.type(left) === "variable_name") declares(w, left, w.valueOf(w.child(n, "right")))
  else if (w.type(left) === "list_literal" || w.type(left) === "array_creation_expression") {
    for (const v of w.all(left))
      declares(w, w.type(v) === "array_element_initializer" ? w.named(v, -1) : v, -1)
  }
}

const forEach: Visit = (w, n) => {
  w.b.branch()
  const [collection, target] = w.all(n)
  if (collection === undefined || target === undefined) return
  const pair = w.type(target) === "pair"
  if (pair) declares(w, w.named(target), -1)
  const value = pair ? w.named(target, -1) : target
  declares(w, w.type(value) === "by_ref" ? w.named(value) : value, elementOf(w, collection))
}

const functionCall: Visit = (w, n) => {
  const callee = w.child(n, "function")
  const args = w.child(n, "arguments")
  const type = w.type(callee)
  if (type !== "name" && type !== "qualified_name") return
  const text = w.text(callee).replace(/^\\/, "")
  w.called(refer(w, callee, Role.call, Space.value), n, args)
  w.markCall(text, args)
  const first = w.named(w.named(args))
  if (!w.isString(first)) return
  const [from, to] = w.content(first)
  const title = w.source.slice(from, Math.min(to, from + 120))
  if (text === "define" && !w.insideFunction()) {
    w.define(n, {
      kind: "constant",
      name: first,
      as: title,
      flags: Flag.exported | Flag.readonly,
      space: Space.value
    })
  } else if ((text === "test" || text === "it" || text === "describe") && w.countNamed(args) > 1) {
    w.open(n, {
      kind: "test",
      name: first,
      as: title,
      flags: Flag.test,
      body: args,
      headerEnd: w.end(first),
      space: 0
    })
    w.b.setRunner(w.intern("pest"))
  }
}

const memberCall: Visit = (w, n) => {
  const name = w.child(n, "name")
  const args = w.child(n, "arguments")
  if (w.type(name) !== "name") return
  w.called(w.member(w.child(n, "object"), name, Role.call), n, args)
  w.markCall(w.text(name), args)
  w.skip(name)
}

const scopedCall: Visit = (w, n) => {
  const name = w.child(n, "name")
  const args = w.child(n, "arguments")
  if (w.type(name) !== "name") return
  w.called(w.member(w.child(n, "scope"), name, Role.call), n, args)
  w.markCall(w.text(name), args)
  w.skip(name)
}

const memberAccess: Visit = (w, n) => {
  const name = w.child(n, "name")
  if (w.type(name) !== "name") return
  w.member(w.child(n, "object"), name, w.roleOf(n, Role.read))
  w.skip(name)
}

const classConstant: Visit = (w, n) => {
  const scope = w.named(n, 0)
  const name = w.named(n, -1)
  if (scope === name) return
  w.skip(name)
  if (w.text(name) !== "class") w.member(scope, name, Role.read)
}

const creation: Visit = (w, n) => {
  const type = w.named(n)
  const args = w.childOf(n, "arguments")
  if (w.type(type) === "anonymous_class") return
  const text = w.text(type)
  if (text === "self" || text === "static" || text === "parent") return w.skip(type)
  if (w.type(type) === "name" || w.type(type) === "qualified_name")
    w.called(refer(w, type, Role.new, Space.type), n, args, Role.new)
}

const anonymousClass: Visit = (w, n) => {
  const base = w.childOf(n, "base_clause")
  const body = w.child(n, "body")
  const named = base >= 0 ? w.named(base) : n
  const index = w.open(n, {
    kind: "class",
    name: named,
    as: base >= 0 ? `new ${w.text(named)}` : "new class",
    flags: Flag.local | Flag.synthetic,
    body,
    space: 0
  })
  bases(w, n, index, "class")
}

export const rules: Rules = {
  grammar: { package: "@repomix/tree-sitter-wasms", file: "out/tree-sitter-php.wasm" },
  probe:
    "<?php\nnamespace A\\B; use C\\{D, E as F}; /** \u00e9 */ abstract class G extends \\H implements I { use J; private ?K $k = null; public static function l(M|N $m, ...$o): static { $this->k?->p(q: 1); return new static(self::R); } }",
  nodes: {
    namespace_definition: (w, n) => {
      const name = w.child(n, "name")
      if (name < 0) return
      w.b.setPackage(w.intern(w.text(name).replace(/\s+/g, "")))
      w.skip(name)
    },
    namespace_use_declaration: useDeclaration,
    class_declaration: typeDeclaration("class"),
    interface_declaration: typeDeclaration("interface"),
    trait_declaration: typeDeclaration("trait"),
    enum_declaration: typeDeclaration("enum"),
    anonymous_class: anonymousClass,
    use_declaration: (w, n) => {
      const type = w.enclosingType()
      for (const t of w.all(n)) {
        if (w.type(t) !== "name" && w.type(t) !== "qualified_name") continue
        const expression = w.typeOf(t)
        if (type >= 0 && expression >= 0) w.b.inherit(type, -1, expression, Inherit.mixes, w.start(t))
        refer(w, t, Role.extends)
      }
    },
    use_list: (w, n) => w.skipChildren(n),
    function_definition: callable("function"),
    method_declaration: callable("method"),
    simple_parameter: parameter,
    variadic_parameter: parameter,
    property_promotion_parameter: parameter,
    property_declaration: (w, n) => w.assign(w.child(n, "type"), Role.field_type),
    property_element: propertyElement,
    named_type: (w, n) => w.suggest(n, Role.type),
    const_element: constElement,
    enum_case: (w, n) => {
      const name = w.child(n, "name")
      if (name < 0) return
      const index = w.open(n, {
        kind: "enum_member",
        name,
        flags: Flag.exported | Flag.static | Flag.readonly,
        space: 0
      })
      const type = w.b.parentOf(index)
      if (type >= 0) w.b.setType(index, w.b.expression(Op.self, type))
      w.skip(name)
    },
    require_expression: inclusion,
    require_once_expression: inclusion,
    include_expression: inclusion,
    include_once_expression: inclusion,
    anonymous_function: (w, n) => w.scope(n, Scope.function),
    arrow_function: (w, n) => w.scope(n, Scope.function),
    assignment_expression: assignment,
    reference_assignment_expression: assignment,
    augmented_assignment_expression: assigns(field("left")),
    update_expression: assigns(nth(0)),
    global_declaration: (w, n) => {
      for (const v of w.all(n)) w.assign(v, Role.mention)
    },
    static_variable_declaration: (w, n) => {
      const name = w.child(n, "name")
      if (name >= 0) w.local(name, w.valueOf(w.child(n, "value")))
    },
    foreach_statement: forEach,
    if_statement: branches,
    else_if_clause: branches,
    while_statement: branches,
    do_statement: branches,
    for_statement: branches,
    case_statement: branches,
    match_conditional_expression: branches,
    conditional_expression: branches,
    catch_clause: (w, n) => {
      branchScope(w, n)
      const name = w.child(n, "name")
      const type = w.named(w.child(n, "type"))
      if (name >= 0) w.local(name, w.instanceOf(type))
    },
    binary_expression: (w, n) => {
      binary("&&", "||", "??", "and", "or")(w, n)
      if (w.has(n, "instanceof")) w.assign(w.child(n, "right"), Role.type)
    },
    function_call_expression: functionCall,
    member_call_expression: memberCall,
    nullsafe_member_call_expression: memberCall,
    scoped_call_expression: scopedCall,
    member_access_expression: memberAccess,
    nullsafe_member_access_expression: memberAccess,
    scoped_property_access_expression: (w, n) => {
      const variable = w.child(n, "name")
      if (w.type(variable) !== "variable_name") return
      w.member(w.child(n, "scope"), bare(w, variable), w.roleOf(n, Role.read))
      w.skip(variable)
    },
    class_constant_access_expression: classConstant,
    object_creation_expression: creation,
    subscript_expression: (w, n) => {
      if (/^\$_(?:ENV|SERVER)$/.test(w.text(w.named(n)))) w.markEnvironment(w.named(n, -1))
    },
    return_statement: (w, n) => {
      const around = w.ancestor(n, ...closures, "function_definition", "method_declaration")
      if (around >= 0 && !closures.includes(w.type(around))) w.returns(w.named(n))
    },
    attribute: (w, n) => w.assign(w.named(n), Role.decorate),
    argument: (w, n) => w.skip(w.child(n, "name")),
    named_label_statement: (w, n) => w.skip(w.named(n)),
    goto_statement: (w, n) => w.skipChildren(n),
    qualified_name: (w, n) => {
      const { prefix, name } = partsOf(w, n)
      const role = w.roleOf(n, Role.read)
      if (prefix < 0) w.reference(name, role, spaceOf(role))
      else w.memberReference(prefixExpression(w, n, prefix), w.name(name), w.start(name), role)
      w.skipChildren(n)
    },
    namespace_name: (w, n) => w.skipChildren(n),
    variable_name: (w, n) => {
      w.skipChildren(n)
      const role = w.roleOf(n, Role.read)
      if (w.text(n) === "$this") return
      // Inside functions variables are local unless said otherwise.
      if (!w.insideFunction() || role === Role.mention)
        w.reference(n, role === Role.mention ? Role.read : role, Space.value)
    },
    name: (w, n) => {
      const text = w.text(n)
      if (text === "self" || text === "static" || text === "parent" || /^__[A-Z]+__$/.test(text)) return
      const role = w.roleOf(n, Role.read)
      w.reference(n, role, spaceOf(role))
    }
  },
  values: {
    variable_name: (w, n) => {
      if (w.text(n) !== "$this") return w.nameExpression(n, Space.value)
      const type = w.enclosingType()
      return type < 0 ? -1 : w.b.expression(Op.self, type)
    },
    name: nameOrQualified(Space.any),
    qualified_name: nameOrQualified(Space.any),
    relative_scope: relativeScope,
    parenthesized_expression: inner(nth(0)),
    member_access_expression: (w, n) =>
      w.type(w.child(n, "name")) === "name"
        ? w.memberExpression(w.receiverOf(w.child(n, "object")), w.child(n, "name"))
        : -1,
    nullsafe_member_access_expression: (w, n) =>
      w.type(w.child(n, "name")) === "name"
        ? w.memberExpression(w.receiverOf(w.child(n, "object")), w.child(n, "name"))
        : -1,
    member_call_expression: (w, n) => methodCall(w, n, "object"),
    nullsafe_member_call_expression: (w, n) => methodCall(w, n, "object"),
    scoped_call_expression: (w, n) => methodCall(w, n, "scope"),
    scoped_property_access_expression: (w, n) => {
      const name = bare(w, w.child(n, "name"))
      return name < 0 ? -1 : w.memberExpression(w.receiverOf(w.child(n, "scope")), name)
    },
    class_constant_access_expression: (w, n) => w.memberExpression(w.receiverOf(w.named(n)), w.named(n, -1)),
    function_call_expression: (w, n) => {
      const callee = w.child(n, "function")
      const f = w.valueOf(callee)
      return f < 0 ? -1 : w.b.expression(Op.call, f)
    },
    object_creation_expression: (w, n) => {
      const type = w.typeOf(w.named(n))
      return type < 0 ? -1 : w.b.expression(Op.new, type)
    },
    subscript_expression: elementForm(nth(0)),
    assignment_expression: inner(field("right")),
    conditional_expression: eitherForm(field("body"), field("alternative")),
    clone_expression: inner(nth(0)),
    cast_expression: castForm(field("type")),
    string: literalForm("string"),
    encapsed_string: literalForm("string"),
    integer: literalForm("int"),
    float: literalForm("float"),
    boolean: literalForm("bool"),
    array_creation_expression: literalForm("list")
  },
  types: {
    name: nameOrQualified(Space.type),
    qualified_name: nameOrQualified(Space.type),
    named_type: inner(nth(0), "type"),
    optional_type: inner(nth(0), "type"),
    union_type: (w, n) => {
      // `T|null` is T.
      const known = w
        .all(n)
        .filter((t) => w.type(t) !== "primitive_type")
        .map((t) => w.typeOf(t))
        .filter((t) => t >= 0)
      return known.length === 0 ? -1 : known.reduce((a, b) => w.b.expression(Op.union, a, b))
    },
    intersection_type: inner(nth(0), "type"),
    primitive_type: builtinForm
  },
  passes: [
    "named_type",
    "optional_type",
    "union_type",
    "intersection_type",
    "disjunctive_normal_form_type",
    "parenthesized_expression",
    "subscript_expression",
    "type_list"
  ],
  comments: ["comment"],
  docs: /^\/\*\*/,
  uses: {
    expression_statement: "discarded",
    return_statement: "returned",
    assignment_expression: "assigned",
    argument: "argument",
    if_statement: "condition",
    while_statement: "condition"
  },
  strings: ["string", "encapsed_string"],
  environment: ["getenv", "env"],
  routes: ["get", "post", "put", "delete", "patch", "any", "match", "group", "map"]
}

const methodCall = (w: Walk, n: Node, receiver: string): number => {
  const name = w.child(n, "name")
  return w.type(name) === "name"
    ? w.b.expression(Op.call, w.memberExpression(w.receiverOf(w.child(n, receiver)), name))
    : -1
}
