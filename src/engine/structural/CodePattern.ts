/**
 * A piece of code as a pattern: `$NAME` stands for one syntax node, `$$$NAME` for any number of neighbours. A name
 * used twice must mean the same text. Tokens that carry no name (separators, optional punctuation) may be left out of
 * the pattern, never out of the match.
 */
import type { Language as Grammar, Node, Parser } from "web-tree-sitter"

export class InvalidCodePattern extends Error {}

const one = "PORTICO_ONE_"
const many = "PORTICO_MANY_"

/** Ways to make a fragment of a language a whole file, in the order they are tried. */
const wrappers: { readonly [language: string]: ReadonlyArray<readonly [string, string]> } = {
  go: [
    ["", ""],
    ["package p\n", ""],
    ["package p\nfunc _() {\n", "\n}"],
    ["package p\nvar _ = ", ""],
    ["package p\ntype _ ", ""]
  ],
  rust: [
    ["", ""],
    ["fn f() {\n", "\n}"],
    ["fn f() {\n", ";\n}"],
    ["impl X {\n", "\n}"]
  ],
  java: [
    ["", ""],
    ["class A { void f() {\n", "\n} }"],
    ["class A { void f() {\n", ";\n} }"],
    ["class A { Object f() { return ", "; } }"],
    ["class A {\n", "\n}"]
  ],
  c: [
    ["", ""],
    ["void f() {\n", "\n}"],
    ["void f() {\n", ";\n}"]
  ],
  cpp: [
    ["", ""],
    ["void f() {\n", "\n}"],
    ["void f() {\n", ";\n}"],
    ["class A {\n", "\n};"]
  ],
  csharp: [
    ["", ""],
    ["class A { void F() {\n", "\n} }"],
    ["class A { void F() {\n", ";\n} }"],
    ["class A { object F() { return ", "; } }"],
    ["class A {\n", "\n}"]
  ],
  php: [
    ["<?php\n", ""],
    ["<?php\n", ";"],
    ["<?php class A {\n", "\n}"]
  ],
  kotlin: [
    ["", ""],
    ["fun f() {\n", "\n}"]
  ],
  scala: [
    ["", ""],
    ["object A {\n", "\n}"]
  ],
  typescript: [
    ["", ""],
    ["class A {\n", "\n}"]
  ],
  javascript: [
    ["", ""],
    ["class A {\n", "\n}"]
  ]
}

export type Part =
  | { readonly kind: "one"; readonly name: string }
  | { readonly kind: "many"; readonly name: string }
  | {
      readonly kind: "node"
      readonly type: string
      readonly named: boolean
      readonly text: string | undefined
      readonly parts: ReadonlyArray<Part>
    }

export interface CodePattern {
  readonly root: Part & { readonly kind: "node" }
  /** Words that every match contains, for ruling files out. */
  readonly words: ReadonlyArray<string>
}

/** PHP's variables of the runtime, which look like variables of a pattern. */
const superglobals = /^_(?:GET|POST|REQUEST|COOKIE|SERVER|FILES|ENV|SESSION)$/

/**
 * Reads a pattern. With `select` it is the first node of that type in the code, so that what is no whole expression by
 * itself (a keyword argument, a member of an object) can be written inside one.
 */
export const compile = (
  source: string,
  language: string,
  grammar: Grammar,
  parser: Parser,
  select?: string
): CodePattern => {
  const text = source.trim().replace(/;$/, "")
  if (text === "") throw new InvalidCodePattern("the pattern is empty")
  const code = text
    .replace(
      /\$\$\$([A-Z_][A-Z0-9_]*)?/g,
      (_, name: string | undefined, at: number) => `${many}${name ?? `_${at}`}`
    )
    .replace(/\$([A-Z_][A-Z0-9_]*)/g, (whole, name: string) =>
      language === "php" && superglobals.test(name) ? whole : `${one}${name}`
    )
  parser.setLanguage(grammar)
  for (const [before, after] of wrappers[language] ?? wrappers["javascript"]!) {
    const tree = parser.parse(before + code + after)
    if (tree === null) continue
    try {
      if (tree.rootNode.hasError) continue
      const start = before.length
      let node = tree.rootNode.descendantForIndex(start, start + code.length - 1)
      if (node === null || node.startIndex !== start || node.endIndex < start + code.length) {
        // Several statements side by side have no node of their own.
        if (node === null || node.namedChildCount === 0) continue
        throw new InvalidCodePattern("the pattern is more than one syntax node; search for one of them")
      }
      while (
        node.namedChildCount === 1 &&
        node.namedChild(0)!.startIndex === node.startIndex &&
        node.namedChild(0)!.endIndex === node.endIndex
      )
        node = node.namedChild(0)!
      if (
        before === "" &&
        /^(program|source_file|module|translation_unit|compilation_unit|chunk|document)$/.test(node.type)
      ) {
        if (node.namedChildCount !== 1)
          throw new InvalidCodePattern("the pattern is more than one syntax node; search for one of them")
        node = node.namedChild(0)!
        if (node.type === "expression_statement" && node.namedChildCount === 1) node = node.namedChild(0)!
      }
      if (select !== undefined) {
        const [chosen] = node.descendantsOfType(select)
        if (chosen === undefined || chosen === null)
          throw new InvalidCodePattern(`the pattern has no node of type ${select}`)
        node = chosen
      }
      const words: Array<string> = []
      const root = partOf(node, words)
      if (root.kind !== "node")
        throw new InvalidCodePattern("the pattern is a lone variable and would match everything")
      return { root, words: words.filter((w) => w.length > 2) }
    } finally {
      tree.delete()
    }
  }
  throw new InvalidCodePattern(
    `the pattern is not a whole expression, statement or declaration of ${language}`
  )
}

const partOf = (node: Node, words: Array<string>): Part => {
  const { text } = node
  if (text.startsWith(one) && /^\w+$/.test(text)) return { kind: "one", name: text.slice(one.length) }
  if (text.startsWith(many) && /^\w+$/.test(text)) return { kind: "many", name: text.slice(many.length) }
  if (node.childCount === 0) {
    if (node.isNamed && /^[\w$]+$/.test(text)) words.push(text)
    return { kind: "node", type: node.type, named: node.isNamed, text, parts: [] }
  }
  const parts: Array<Part> = []
  for (let i = 0; i < node.childCount; i++) {
    const child = node.child(i)!
    if (!child.isExtra) parts.push(partOf(child, words))
  }
  return { kind: "node", type: node.type, named: node.isNamed, text: undefined, parts }
}

export type Captures = Map<string, string>

/** The captures of a match of the pattern at a node, or undefined. */
export const matchAt = (pattern: CodePattern, node: Node): Captures | undefined => {
  const captures: Captures = new Map()
  return matches(pattern.root, node, captures, 0) ? captures : undefined
}

const bind = (captures: Captures, name: string, text: string): boolean => {
  if (name.startsWith("_")) return true
  const known = captures.get(name)
  if (known !== undefined) return known === text
  captures.set(name, text)
  return true
}

const matches = (part: Part, node: Node, captures: Captures, depth: number): boolean => {
  if (depth > 500) return false
  if (part.kind === "one") return node.isNamed && bind(captures, part.name, node.text)
  if (part.kind === "many") return bind(captures, part.name, node.text)
  if (part.type !== node.type) return false
  if (part.text !== undefined) return part.text === node.text
  const children: Array<Node> = []
  for (let i = 0; i < node.childCount; i++) {
    const child = node.child(i)!
    if (!child.isExtra) children.push(child)
  }
  return sequence(part.parts, 0, children, 0, captures, depth + 1)
}

const sequence = (
  parts: ReadonlyArray<Part>,
  p: number,
  nodes: ReadonlyArray<Node>,
  n: number,
  captures: Captures,
  depth: number
): boolean => {
  if (p === parts.length) return nodes.slice(n).every((node) => !node.isNamed)
  const part = parts[p]!
  if (part.kind === "many") {
    // The separator after it belongs to the run when the run is empty.
    const after =
      parts[p + 1]?.kind === "node" &&
      !(parts[p + 1] as { readonly named: boolean }).named &&
      (parts[p + 1] as { readonly type: string }).type === ","
        ? p + 2
        : p + 1
    for (let end = n; end <= nodes.length; end++) {
      const trial = new Map(captures)
      const text =
        end === n
          ? ""
          : nodes[end - 1]!.tree.rootNode.text.slice(nodes[n]!.startIndex, nodes[end - 1]!.endIndex)
      if (!bind(trial, part.name, text)) continue
      if (
        sequence(parts, end === n ? after : p + 1, nodes, end, trial, depth) ||
        (end > n && after !== p + 1 && sequence(parts, after, nodes, end, trial, depth))
      ) {
        for (const [k, v] of trial) captures.set(k, v)
        return true
      }
    }
    return false
  }
  for (let at = n; at < nodes.length; at++) {
    const trial = new Map(captures)
    if (matches(part, nodes[at]!, trial, depth) && sequence(parts, p + 1, nodes, at + 1, trial, depth)) {
      for (const [k, v] of trial) captures.set(k, v)
      return true
    }
    if (nodes[at]!.isNamed) return false
  }
  return false
}
