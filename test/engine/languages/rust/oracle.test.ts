import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { assert, describe, it } from "vitest"
import { Language, Parser } from "web-tree-sitter"
import { rust } from "../../../../src/engine/languages/rust/index.ts"
import { factsOf } from "../support.ts"

await Parser.init()
const grammar = createRequire(import.meta.url).resolve(`${rust.grammar!.package}/${rust.grammar!.file}`)
const parser = new Parser()
parser.setLanguage(await Language.load(grammar))

const kinds: { readonly [type: string]: string } = {
  function_item: "function",
  function_signature_item: "function",
  struct_item: "struct",
  enum_item: "enum",
  union_item: "union",
  trait_item: "trait",
  mod_item: "module",
  const_item: "constant",
  static_item: "variable",
  type_item: "type_alias",
  associated_type: "type_alias",
  macro_definition: "macro",
  field_declaration: "field",
  enum_variant: "enum_member"
}

/** Definitions by kind, name and line, and calls of names that are no variables, outside macro bodies. */
const expected = (text: string) => {
  const definitions: Array<string> = []
  const calls: Array<string> = []
  const visit = (node: NonNullable<ReturnType<typeof parser.parse>>["rootNode"]): void => {
    if (node.type === "token_tree") return
    const kind = kinds[node.type]
    const name = node.childForFieldName("name")
    if (kind !== undefined && name !== null && name.text !== "_")
      definitions.push(`${kind} ${name.text} ${name.startPosition.row + 1}`)
    if (node.type === "macro_definition") return
    if (node.type === "call_expression") {
      let callee = node.childForFieldName("function")
      if (callee?.type === "generic_function") callee = callee.childForFieldName("function")
      if (callee?.type === "scoped_identifier") callee = callee.childForFieldName("name")
      else if (callee?.type === "field_expression") callee = callee.childForFieldName("field")
      if (callee !== null && callee !== undefined && /^\w+$/.test(callee.text))
        calls.push(`${callee.text} ${callee.startPosition.row + 1}`)
    }
    for (const child of node.namedChildren) if (child !== null) visit(child)
  }
  visit(parser.parse(text)!.rootNode)
  return { definitions: definitions.sort(), calls: calls.sort() }
}

describe("against the grammar", () => {
  for (const file of ["shapes.rs", "engine.rs"]) {
    it(`finds the same definitions and calls in ${file}`, async () => {
      const text = readFileSync(new URL(`./fixtures/${file}`, import.meta.url), "utf8")
      const facts = await factsOf(rust, text)
      const want = expected(text)
      const line = (at: string) => at.slice(0, at.indexOf(":"))
      const macroLines = new Set(
        text.split("\n").flatMap((l, i) => (/!\s*[([{]|=>\s*\{?$|build\(\$x/.test(l) ? [String(i + 1)] : []))
      )
      assert.deepStrictEqual(
        facts.definitions
          .filter((d) => !d.flags.includes("synthetic") && !d.signature.startsWith("let "))
          .map((d) => `${d.kind === "method" ? "function" : d.kind} ${d.name} ${line(d.at)}`)
          .sort(),
        want.definitions
      )
      const outside = (call: string) => !macroLines.has(call.slice(call.lastIndexOf(" ") + 1))
      assert.deepStrictEqual(
        facts.references
          .filter((r) => r.role === "call")
          .map((r) => `${r.name} ${line(r.at)}`)
          .sort()
          .filter(outside),
        want.calls.filter(outside)
      )
    })
  }
})
