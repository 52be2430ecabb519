import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { assert, describe, it } from "vitest"
import { Language, Parser, Query } from "web-tree-sitter"
import { go } from "../../../../src/engine/languages/go/index.ts"
import { factsOf } from "../support.ts"

await Parser.init()
const grammar = await Language.load(
  createRequire(import.meta.url).resolve(`${go.grammar!.package}/${go.grammar!.file}`)
)
const parser = new Parser()
parser.setLanguage(grammar)
const definitions = new Query(
  grammar,
  `
  (function_declaration name: (_) @function) (method_declaration name: (_) @method)
  (source_file (type_declaration (type_spec name: (_) @type))) (source_file (type_declaration (type_alias name: (_) @type)))
  (source_file (const_declaration (const_spec (identifier) @constant)))
  (source_file (var_declaration (var_spec name: (identifier) @variable)))
  (source_file (var_declaration (var_spec_list (var_spec name: (identifier) @variable))))
  (source_file (type_declaration (type_spec type: (struct_type (field_declaration_list (field_declaration name: (_) @field))))))
  (source_file (type_declaration (type_spec type: (interface_type (method_elem name: (_) @method)))))`
)
const calls = new Query(
  grammar,
  `
  (call_expression function: (identifier) @call) (call_expression function: (selector_expression field: (_) @call))
  (call_expression function: (parenthesized_expression (selector_expression field: (_) @call)))`
)

const kindOf = (kind: string) =>
  kind === "struct" || kind === "interface" || kind === "type_alias" ? "type" : kind
/** Calls of variables leave no reference, conversions to predeclared types none either. */
const unseen = new Set(["string", "f", "h", "g", "save"])

describe("against the grammar", () => {
  for (const file of ["store.go", "store_test.go", "syntax.go"]) {
    it(`finds the same definitions and calls in ${file}`, async () => {
      const text = readFileSync(new URL(`./fixtures/${file}`, import.meta.url), "utf8")
      const root = parser.parse(text)!.rootNode
      assert.isFalse(root.hasError)
      const facts = await factsOf(go, text, file)
      assert.strictEqual(facts.parseErrors, 0)
      const line = (at: string) => at.slice(0, at.indexOf(":"))
      const ours = new Set(
        facts.definitions
          .filter((d) => {
            const parent = facts.definitions[d.parent]
            return (
              d.kind !== "test" &&
              !d.flags.includes("local") &&
              (parent === undefined || parent.kind === "struct" || parent.kind === "interface")
            )
          })
          .map(
            (d) =>
              `${d.kind === "function" && !d.signature.startsWith("func ") ? "variable" : kindOf(d.kind)} ${d.name} ${line(d.at)}`
          )
      )
      const theirs = new Set(
        definitions
          .captures(root)
          .filter((c) => c.node.text !== "_")
          .map((c) => `${c.name} ${c.node.text} ${c.node.startPosition.row + 1}`)
      )
      // Embedded fields have no name of their own in the grammar, but here they do.
      assert.deepStrictEqual(
        [...ours].filter((d) => !/^field (Base|Stringer|Pool) /.test(d)).sort(),
        [...theirs].sort()
      )
      const called = new Set(
        facts.references.filter((r) => r.role === "call").map((r) => `${r.name} ${line(r.at)}`)
      )
      const expected = new Set(
        calls
          .captures(root)
          .filter((c) => !unseen.has(c.node.text))
          .map((c) => `${c.node.text} ${c.node.startPosition.row + 1}`)
      )
      // The grammar reads the call of an instantiated function as a conversion.
      assert.deepStrictEqual(
        [...called].filter((c) => !/^(Map|G) /.test(c) && !unseen.has(c.split(" ")[0]!)).sort(),
        [...expected].filter((c) => !/^(Map|G) /.test(c)).sort()
      )
    })
  }
})
