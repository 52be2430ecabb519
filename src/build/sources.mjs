/** Reads our sources for the structural gates: which files there are, and what each imports. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import path from "node:path"
import { parseAst } from "rolldown/parseAst"

/** Repository-relative paths (with `/`) of the TypeScript files below `top/src`, sorted. */
export const sourceFiles = (top) => {
  const src = path.join(top, "src")
  if (!existsSync(src)) return []
  return readdirSync(src, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) =>
      path
        .relative(top, path.join(entry.parentPath ?? entry.path, entry.name))
        .split(path.sep)
        .join("/")
    )
    .sort()
}

/** True when a JavaScript text holds an import() expression. */
export const importsAtRunTime = (code) => {
  let found = false
  walk(parseAst(code), (node) => {
    found ||= node.type === "ImportExpression"
  })
  return found
}

/** Calls `visit` with every node of a syntax tree, parents before children. */
export const walk = (node, visit) => {
  if (Array.isArray(node)) {
    for (const child of node) walk(child, visit)
  } else if (node !== null && typeof node === "object") {
    if (typeof node.type === "string") visit(node)
    for (const key in node) walk(node[key], visit)
  }
}

/** Parses one file. `lineOf` turns a node's offset into a 1-based line. */
export const parseSource = (top, file) => {
  const text = readFileSync(path.join(top, file), "utf8")
  const tree = parseAst(text, { lang: "ts" }, file)
  return { tree, lineOf: (node) => text.slice(0, node.start).split("\n").length }
}

const onlyTypes = (declaration, kind, specifiers) =>
  declaration[kind] === "type" ||
  (specifiers.length > 0 && specifiers.every((specifier) => specifier[kind] === "type"))

/**
 * Everything a tree imports, re-exports or loads: `{ specifier, typeOnly, lazy, line }`, lazy when it is loaded while
 * the program runs. A load whose specifier is not a literal has `specifier` undefined.
 */
export const importsOf = ({ tree, lineOf }) => {
  const found = []
  const add = (node, source, typeOnly, lazy = false) =>
    found.push({
      specifier: typeof source?.value === "string" ? source.value : undefined,
      typeOnly,
      lazy,
      line: lineOf(node)
    })
  walk(tree, (node) => {
    switch (node.type) {
      case "ImportDeclaration":
        return add(node, node.source, onlyTypes(node, "importKind", node.specifiers))
      case "ExportAllDeclaration":
        return add(node, node.source, node.exportKind === "type")
      case "ExportNamedDeclaration":
        return node.source
          ? add(node, node.source, onlyTypes(node, "exportKind", node.specifiers))
          : undefined
      case "ImportExpression":
        return add(node, node.source, false, true)
      case "TSImportType":
        return add(node, node.source ?? node.argument?.literal ?? node.argument, true)
    }
  })
  return found
}
