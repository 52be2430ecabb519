/**
 * Writes the members of constant tables of numbers into the code that reads them. Offsets of fields, kinds of tokens
 * and the like are objects (`export const D = { kind: 0, name: 2 } as const`), so that code can say `D.name`; the engine
 * would look such a member up each time and, across chunks, call a function for the object first. That makes every
 * function that reads records longer to compile and slower until it is optimised.
 */
import { readFileSync } from "node:fs"
import path from "node:path"
import { parseAst } from "rolldown/parseAst"
import { walk } from "./sources.mjs"

/** The number an expression stands for; undefined when that takes more than arithmetic on literals. */
const numberOf = (node) => {
  switch (node?.type) {
    case "Literal":
      return typeof node.value === "number" ? node.value : undefined
    case "ParenthesizedExpression":
      return numberOf(node.expression)
    case "UnaryExpression": {
      const value = numberOf(node.argument)
      if (value === undefined) return undefined
      return node.operator === "-" ? -value : node.operator === "~" ? ~value : undefined
    }
    case "BinaryExpression": {
      const [left, right] = [numberOf(node.left), numberOf(node.right)]
      if (left === undefined || right === undefined) return undefined
      switch (node.operator) {
        case "+":
          return left + right
        case "-":
          return left - right
        case "*":
          return left * right
        case "|":
          return left | right
        case "<<":
          return left << right
      }
    }
  }
  return undefined
}

/** Members of an object that nothing can change and that holds numbers only; undefined for any other expression. */
const tableOf = (node) => {
  if (node?.type !== "TSAsExpression" || node.expression.type !== "ObjectExpression") return undefined
  const { typeAnnotation } = node
  if (typeAnnotation.type !== "TSTypeReference" || typeAnnotation.typeName.name !== "const") return undefined
  const members = new Map()
  for (const property of node.expression.properties) {
    if (property.type !== "Property" || property.computed || property.kind !== "init") return undefined
    const value = numberOf(property.value)
    if (value === undefined || property.key.type !== "Identifier") return undefined
    members.set(property.key.name, value)
  }
  return members
}

/** An expression without what only the type checker reads. */
const bare = (node) =>
  node?.type === "TSAsExpression" || node?.type === "TSSatisfiesExpression" ? bare(node.expression) : node

/** The words of `["a", "b"] as const`; undefined for any other expression. */
const wordsOf = (node) => {
  if (node?.type !== "TSAsExpression" && node?.type !== "TSSatisfiesExpression") return undefined
  const list = bare(node)
  if (list.type !== "ArrayExpression") return undefined
  const words = list.elements.map((element) => (element?.type === "Literal" ? element.value : undefined))
  return words.every((word) => typeof word === "string") ? words : undefined
}

/** Members of `Object.fromEntries(words.map((word, i) => [word, i]))`, the places of words in a list. */
const numberingOf = (node, lists) => {
  const call = bare(node)
  if (call?.type !== "CallExpression" || call.arguments.length !== 1) return undefined
  const isMember = ({ object, property, type }, of, name) =>
    type === "MemberExpression" && object.name === of && property.name === name
  const mapping = call.arguments[0]
  if (!isMember(call.callee, "Object", "fromEntries") || mapping.type !== "CallExpression") return undefined
  const words = lists.get(mapping.callee.object?.name)
  const made = mapping.arguments[0]
  if (words === undefined || !isMember(mapping.callee, mapping.callee.object.name, "map")) return undefined
  if (made?.type !== "ArrowFunctionExpression" || made.params.length !== 2) return undefined
  const [word, place] = made.params.map(({ name }) => name)
  const pair = made.body.type === "ArrayExpression" ? made.body.elements.map((element) => element?.name) : []
  return pair.length === 2 && pair[0] === word && pair[1] === place
    ? new Map(words.map((name, i) => [name, i]))
    : undefined
}

/** The tables a module declares at its top, by name. */
export const tablesIn = (tree) => {
  const found = new Map()
  const lists = new Map()
  for (const statement of tree.body) {
    const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement
    if (declaration?.type !== "VariableDeclaration" || declaration.kind !== "const") continue
    for (const { id, init } of declaration.declarations) {
      if (id.type !== "Identifier") continue
      const words = wordsOf(init)
      if (words !== undefined) lists.set(id.name, words)
      const members = tableOf(init) ?? numberingOf(init, lists)
      if (members !== undefined) found.set(id.name, members)
    }
  }
  return found
}

/** Adds the names that a pattern binds, once for each time. */
const bindings = (pattern, into) => {
  switch (pattern?.type) {
    case "Identifier":
      into.push(pattern.name)
      return
    case "ObjectPattern":
      for (const property of pattern.properties) bindings(property.value ?? property, into)
      return
    case "ArrayPattern":
      for (const element of pattern.elements) bindings(element, into)
      return
    case "AssignmentPattern":
      return bindings(pattern.left, into)
    case "RestElement":
      return bindings(pattern.argument, into)
    case "TSParameterProperty":
      return bindings(pattern.parameter, into)
  }
}

/** Every value a module binds, anywhere in it, imports left out. */
const boundIn = (tree) => {
  const names = []
  walk(tree, (node) => {
    if (
      node.type === "VariableDeclarator" ||
      node.type.endsWith("Declaration") ||
      node.type.endsWith("Expression")
    )
      bindings(node.id, names)
    if (node.type === "CatchClause") bindings(node.param, names)
    const params = node.params
    if (Array.isArray(params)) for (const param of params) bindings(param, names)
    else if (Array.isArray(params?.items)) for (const param of params.items) bindings(param, names)
  })
  return names
}

/**
 * A module's text with the members of tables written out. `tablesOf` gives the tables of a module that this one
 * imports from by a relative specifier. A table whose name means something else anywhere in the module stays as it is.
 */
export const withConstants = (code, tree, tablesOf) => {
  const known = new Map()
  const bound = boundIn(tree)
  const times = (name) => bound.filter((other) => other === name).length
  for (const [name, members] of tablesIn(tree)) if (times(name) === 1) known.set(name, members)
  for (const statement of tree.body) {
    if (statement.type !== "ImportDeclaration" || !statement.source.value.startsWith(".")) continue
    for (const specifier of statement.specifiers) {
      if (specifier.type !== "ImportSpecifier" || times(specifier.local.name) > 0) continue
      const members = tablesOf(statement.source.value).get(specifier.imported.name)
      if (members !== undefined) known.set(specifier.local.name, members)
    }
  }
  if (known.size === 0) return code
  const places = []
  walk(tree, (node) => {
    if (node.type !== "MemberExpression" || node.computed || node.object.type !== "Identifier") return
    const value = known.get(node.object.name)?.get(node.property.name)
    if (value !== undefined) places.push({ from: node.start, to: node.end, value })
  })
  let out = ""
  let at = 0
  for (const { from, to, value } of places.sort((a, b) => a.from - b.from)) {
    out += `${code.slice(at, from)}${value < 0 || Object.is(value, -0) ? `(${value})` : value}`
    at = to
  }
  return out + code.slice(at)
}

/** The plugin for rolldown. */
export const constantTables = () => {
  const cache = new Map()
  const tablesOf = (file) => {
    if (!cache.has(file))
      cache.set(file, tablesIn(parseAst(readFileSync(file, "utf8"), { lang: "ts" }, file)))
    return cache.get(file)
  }
  return {
    name: "constant-tables",
    transform: {
      filter: { id: /[\\/]src[\\/].*\.ts$/ },
      handler: (code, id) => {
        if (id.includes("node_modules")) return undefined
        const tree = parseAst(code, { lang: "ts" }, id)
        return {
          code: withConstants(code, tree, (specifier) => tablesOf(path.resolve(path.dirname(id), specifier)))
        }
      }
    }
  }
}
