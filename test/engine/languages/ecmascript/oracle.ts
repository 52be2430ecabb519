/**
 * Definitions and calls of JavaScript and TypeScript as tree-sitter's grammars see them, and as our parser tells
 * them, in a form that can be compared: sorted `kind name line` words.
 */
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { Language as Grammar, type Node, Parser } from "web-tree-sitter"
import { D, R, X } from "../../../../src/engine/languages/Facts.ts"
import { FactsBuilder } from "../../../../src/engine/languages/FactsBuilder.ts"
import { Interner } from "../../../../src/engine/languages/Interner.ts"
import type { Language } from "../../../../src/engine/languages/Language.ts"
import { Source } from "../../../../src/engine/languages/Source.ts"
import { Bind, definitionKinds, Flag, Op, Role } from "../../../../src/engine/languages/Vocabulary.ts"

export interface Sight {
  readonly definitions: ReadonlyArray<string>
  readonly calls: ReadonlyArray<string>
}

/** Keeps uses of parameters and local variables, which the real builder drops. */
class KeepingBuilder extends FactsBuilder {
  override bindLocal(): void {}
  override bindLocalOuter(): void {}
}

/** What our parser sees. Members of object literals and of object types are left out. */
export const ourSight = async (language: Language) => {
  const extract = await language.load()
  const interner = new Interner()
  const builder = new KeepingBuilder(interner)
  return (path: string, bytes: Uint8Array): Sight & { readonly errors: number } => {
    builder.take()
    builder.begin(Source.bytes(path, bytes), { hoisting: true })
    extract(builder)
    builder.end()
    const view = builder.last()
    const definitions: Array<string> = []
    for (let i = 0; i < view.definitionCount; i++) {
      const kind = definitionKinds[view.def(i, D.kind)]!
      const flags = view.def(i, D.flags)
      if (kind === "test" || (flags & Flag.synthetic) !== 0 || view.def(i, D.owner) >= 0) continue
      const parent = view.def(i, D.parent)
      if (kind === "method" || kind === "property" || kind === "field") {
        const of = parent < 0 ? "" : definitionKinds[view.def(parent, D.kind)]!
        if (of !== "class" && of !== "interface") continue
      }
      const name = interner.text(view.def(i, D.name))
      if ((name === "default" && parent < 0) || name === "") continue
      definitions.push(`${coarse(kind)} ${name} ${view.def(i, D.nameLine)}`)
    }
    const calls: Array<string> = []
    for (let i = 0; i < view.referenceCount; i++) {
      const place = view.ref(i, R.place)
      const role = (place >> 16) & 15
      if (view.ref(i, R.arity) === 0 && role !== Role.new) continue
      if (role !== Role.call && role !== Role.new && role !== Role.decorate) continue
      const bind = view.ref(i, R.bind)
      const ofSuper = (bind & 7) === Bind.member && view.expr(bind >> 3, X.op) === Op.super
      const name = interner.text(view.ref(i, R.name))
      calls.push(
        `${role === Role.new ? "new" : "call"} ${ofSuper && name === "constructor" ? "super" : name} ${view.ref(i, R.line)}`
      )
    }
    return { definitions: definitions.sort(), calls: calls.sort(), errors: view.ints[view.at + 10]! }
  }
}

const coarse = (kind: string): string =>
  kind === "constructor" || kind === "field" || kind === "property"
    ? "method"
    : kind === "constant"
      ? "variable"
      : kind === "namespace" || kind === "module"
        ? "namespace"
        : kind

/** What tree-sitter sees, or undefined when it finds errors in the file. */
export const grammarSight = async (language: Language) => {
  await Parser.init()
  const home = dirname(createRequire(import.meta.url).resolve(`${language.grammar!.package}/package.json`))
  const parser = new Parser()
  parser.setLanguage(await Grammar.load(join(home, language.grammar!.file)))
  return (text: string): Sight | undefined => {
    const tree = parser.parse(text)!
    try {
      if (tree.rootNode.hasError) return undefined
      const definitions: Array<string> = []
      const calls: Array<string> = []
      visit(tree.rootNode, definitions, calls, language.id.startsWith("java") || language.id === "jsx")
      return { definitions: definitions.sort(), calls: calls.sort() }
    } finally {
      tree.delete()
    }
  }
}

const lineOf = (node: Node): number => node.startPosition.row + 1

const visit = (root: Node, definitions: Array<string>, calls: Array<string>, javascript: boolean): void => {
  const define = (kind: string, name: Node | null) => {
    if (name !== null) definitions.push(`${kind} ${unquoted(name.text)} ${lineOf(name)}`)
  }
  const stack: Array<{ readonly node: Node; readonly level: boolean }> = [{ node: root, level: true }]
  while (stack.length > 0) {
    const { level, node } = stack.pop()!
    let inner = level
    switch (node.type) {
      case "function_declaration":
      case "generator_function_declaration":
      case "function_signature":
        define("function", node.childForFieldName("name"))
        inner = false
        break
      case "function_expression":
      case "function":
      case "generator_function":
        if (!valueOfName(node)) define("function", node.childForFieldName("name"))
        inner = false
        break
      case "arrow_function":
      case "statement_block":
      case "class_static_block":
      case "for_statement":
      case "for_in_statement":
      case "switch_body":
        inner =
          node.type === "statement_block" &&
          (node.parent?.type === "internal_module" ||
            node.parent?.type === "module" ||
            node.parent?.type === "ambient_declaration") &&
          level
        break
      case "if_statement":
      case "while_statement":
      case "do_statement":
      case "labeled_statement":
        break
      case "class_declaration":
      case "abstract_class_declaration":
        define("class", node.childForFieldName("name"))
        break
      case "class":
        if (node.isNamed && !valueOfName(node)) define("class", node.childForFieldName("name"))
        break
      case "interface_declaration":
        define("interface", node.childForFieldName("name"))
        break
      case "type_alias_declaration":
        define("type_alias", node.childForFieldName("name"))
        break
      case "enum_declaration":
        define("enum", node.childForFieldName("name"))
        for (const member of node.childForFieldName("body")!.namedChildren) {
          if (member!.type === "enum_assignment") define("enum_member", member!.childForFieldName("name"))
          else if (member!.type !== "comment") define("enum_member", member)
        }
        break
      case "internal_module":
      case "module": {
        if (!node.isNamed) break
        const name = node.childForFieldName("name")!
        if (name.type === "nested_identifier") {
          for (const part of name.text.split(".")) definitions.push(`namespace ${part} ${lineOf(name)}`)
        } else define("namespace", name)
        break
      }
      case "method_definition":
        if (node.parent!.type === "class_body") define("method", node.childForFieldName("name"))
        inner = false
        break
      case "method_signature":
      case "abstract_method_signature":
      case "property_signature":
        if (node.parent!.type === "class_body" || node.parent!.type === "interface_body")
          define("method", node.childForFieldName("name"))
        break
      case "public_field_definition":
      case "field_definition":
        define("method", node.childForFieldName("name") ?? node.childForFieldName("property"))
        inner = false
        break
      case "class_body":
        inner = false
        if (javascript) assignedFields(node, definitions)
        break
      case "required_parameter":
      case "optional_parameter":
        if (
          node.children.some(
            (child) =>
              child!.type === "accessibility_modifier" ||
              child!.type === "readonly" ||
              child!.type === "override_modifier"
          )
        ) {
          define("method", node.childForFieldName("pattern"))
        }
        break
      case "variable_declarator": {
        const name = node.childForFieldName("name")!
        const value = node.childForFieldName("value")
        const type = node.childForFieldName("type")?.namedChildren[0]?.type
        const hoisted = node.parent!.type === "variable_declaration" && scopeIsFile(node)
        const callable =
          value !== null &&
          /^(arrow_function|function_expression|function|generator_function)$/.test(value.type)
        if (callable) define("function", name)
        else if (value?.type === "class") define("class", name)
        else if ((level || hoisted) && !requires(node, value)) {
          if (name.type === "identifier") define(type === "function_type" ? "function" : "variable", name)
          else bound(name, (leaf) => define("variable", leaf))
        }
        break
      }
      case "call_expression": {
        let callee = node.childForFieldName("function")!
        while (
          callee.type === "parenthesized_expression" ||
          callee.type === "non_null_expression" ||
          callee.type === "instantiation_expression"
        ) {
          callee = callee.namedChildren.find((child) => child!.type !== "comment")!
          if (callee.type === "sequence_expression") callee = callee.namedChildren.at(-1)!
        }
        const name = nameOf(callee)
        if (name !== undefined) calls.push(`call ${name.text} ${lineOf(name)}`)
        break
      }
      case "new_expression": {
        let callee = node.childForFieldName("constructor")!
        while (callee.type === "parenthesized_expression" || callee.type === "non_null_expression")
          callee = callee.namedChildren[0]!
        const name = nameOf(callee)
        if (name !== undefined && name.text !== "super") calls.push(`new ${name.text} ${lineOf(name)}`)
        break
      }
    }
    for (const child of node.namedChildren) stack.push({ node: child!, level: inner })
  }
}

const nameOf = (callee: Node): Node | undefined =>
  callee.type === "identifier" || callee.type === "super" || callee.type === "undefined"
    ? callee
    : callee.type === "member_expression"
      ? (callee.childForFieldName("property") ?? undefined)
      : undefined

const unquoted = (text: string): string => (text[0] === '"' || text[0] === "'" ? text.slice(1, -1) : text)

/** The node is the value of a variable, field or top-level assignment, which gives it its name. */
const valueOfName = (node: Node): boolean => {
  const parent = node.parent
  if (parent === null) return false
  if (
    parent.type === "variable_declarator" ||
    parent.type === "public_field_definition" ||
    parent.type === "field_definition"
  )
    return true
  if (parent.type === "pair") return objectOfDefinition(parent)
  return false
}
/** The pair belongs to an object literal, at most three deep, that is the value of a module-level variable. */
const objectOfDefinition = (pair: Node): boolean => {
  let at: Node = pair
  for (let level = 1; level <= 3; level++) {
    const object = at.parent!
    let up = object.parent!
    while (up.type === "as_expression" || up.type === "satisfies_expression") up = up.parent!
    if (up.type === "export_statement") return true
    if (up.type === "variable_declarator") return scopeIsFile(up) || scopeIsModule(up)
    if (up.type !== "pair") return false
    at = up
  }
  return false
}
const scopeIsModule = (node: Node): boolean => {
  for (let up = node.parent; up !== null; up = up.parent) {
    if (/^(function|generator|arrow|method|class_static|class$|for_|switch_)/.test(up.type)) return false
    if (
      up.type === "statement_block" &&
      up.parent?.type !== "internal_module" &&
      up.parent?.type !== "module"
    )
      return false
  }
  return true
}
/** No function lies between the node and the file. */
const scopeIsFile = (node: Node): boolean => {
  for (let up = node.parent; up !== null; up = up.parent) {
    if (
      /^(function_declaration|function_expression|generator_function|generator_function_declaration|arrow_function|method_definition|class_static_block|public_field_definition|field_definition)$/.test(
        up.type
      )
    )
      return false
    if (up.type === "for_statement" && up.childForFieldName("initializer")?.id === node.parent!.id)
      return false
    if (up.type === "for_in_statement") return false
  }
  return true
}
/** The declarator imports a module. */
const requires = (node: Node, value: Node | null): boolean => {
  if (value === null) return false
  let from = value
  if (from.type === "await_expression") {
    from = from.namedChildren[0]!
    if (from.type !== "call_expression" || from.childForFieldName("function")!.type !== "import") return false
  } else {
    if (from.type === "member_expression") from = from.childForFieldName("object")!
    if (from.type !== "call_expression" || from.childForFieldName("function")!.text !== "require")
      return false
  }
  const args = from.childForFieldName("arguments")!.namedChildren
  if (args.length !== 1 || args[0]!.type !== "string" || node.childForFieldName("type") !== null) return false
  const name = node.childForFieldName("name")!
  return (
    name.type === "identifier" ||
    (name.type === "object_pattern" &&
      name.namedChildren.every(
        (child) =>
          child!.type === "shorthand_property_identifier_pattern" ||
          (child!.type === "pair_pattern" && child!.childForFieldName("value")!.type === "identifier")
      ))
  )
}
const bound = (pattern: Node, each: (leaf: Node) => void): void => {
  switch (pattern.type) {
    case "identifier":
    case "shorthand_property_identifier_pattern":
      return each(pattern)
    case "pair_pattern":
      return bound(pattern.childForFieldName("value")!, each)
    case "object_assignment_pattern":
    case "assignment_pattern":
      return bound(pattern.childForFieldName("left")!, each)
    case "object_pattern":
    case "array_pattern":
    case "rest_pattern":
      for (const child of pattern.namedChildren) bound(child!, each)
  }
}

/** Fields a JavaScript class declares by assigning to `this` in its methods. */
const assignedFields = (body: Node, definitions: Array<string>): void => {
  const declared = new Set<string>()
  for (const member of body.namedChildren) {
    const name = member!.childForFieldName("name") ?? member!.childForFieldName("property")
    if (name !== null) declared.add(unquoted(name.text))
  }
  for (const member of body.namedChildren) {
    if (member!.type !== "method_definition" || member!.children.some((child) => child!.type === "static"))
      continue
    const walk = (node: Node): void => {
      if (node.type === "assignment_expression") {
        const left = node.childForFieldName("left")!
        if (left.type === "member_expression" && left.childForFieldName("object")!.type === "this") {
          const name = left.childForFieldName("property")!
          if (!declared.has(name.text)) {
            declared.add(name.text)
            definitions.push(`method ${name.text} ${lineOf(name)}`)
          }
        }
      }
      for (const child of node.namedChildren) {
        const type = child!.type
        if (
          type === "function_declaration" ||
          type === "function_expression" ||
          type === "generator_function" ||
          type === "class_body" ||
          type === "method_definition" ||
          type === "generator_function_declaration" ||
          type === "field_definition"
        )
          continue
        walk(child!)
      }
    }
    for (const child of member!.namedChildren) walk(child!)
  }
}

/** How many entries of two sorted lists agree, and what each has beyond the other. */
export const compare = (ours: ReadonlyArray<string>, theirs: ReadonlyArray<string>) => {
  const missing: Array<string> = []
  const extra: Array<string> = []
  let same = 0
  let i = 0
  let k = 0
  while (i < ours.length || k < theirs.length) {
    const a = ours[i]
    const b = theirs[k]
    if (a !== undefined && a === b) {
      same++
      i++
      k++
    } else if (b === undefined || (a !== undefined && a < b)) {
      extra.push(a!)
      i++
    } else {
      missing.push(b)
      k++
    }
  }
  return { same, missing, extra }
}
