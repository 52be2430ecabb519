import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { assert, describe, it } from "vitest"
import { Language, Parser, Query } from "web-tree-sitter"
import { python } from "../../../../src/engine/languages/python/index.ts"
import { factsOf } from "../support.ts"

await Parser.init()
const grammar = await Language.load(
  createRequire(import.meta.url).resolve(`${python.grammar!.package}/${python.grammar!.file}`)
)
const parser = new Parser()
parser.setLanguage(grammar)
const definitions = new Query(
  grammar,
  "(function_definition name: (_) @function) (class_definition name: (_) @class)"
)
const calls = new Query(
  grammar,
  "(call function: (identifier) @call) (call function: (attribute attribute: (_) @call))"
)

const kinds: { readonly [kind: string]: string } = {
  function: "function",
  method: "function",
  constructor: "function",
  property: "function",
  class: "class",
  enum: "class"
}

describe("against the grammar", () => {
  for (const file of ["service.py", "test_service.py", "syntax.py"]) {
    it(`finds the same definitions and calls in ${file}`, async () => {
      const text = readFileSync(new URL(`./fixtures/${file}`, import.meta.url), "utf8")
      const root = parser.parse(text)!.rootNode
      assert.isFalse(root.hasError)
      const facts = await factsOf(python, text, file)
      assert.strictEqual(facts.parseErrors, 0)
      const line = (at: string) => at.slice(0, at.indexOf(":"))
      const ours = facts.definitions
        .filter((d) => kinds[d.kind] !== undefined && !/^\w+ = lambda/.test(d.signature))
        .map((d) => `${kinds[d.kind]} ${d.name} ${line(d.at)}`)
      assert.deepStrictEqual(
        ours.sort(),
        definitions
          .captures(root)
          .map((c) => `${c.name} ${c.node.text} ${c.node.startPosition.row + 1}`)
          .sort()
      )
      const called = new Set(
        facts.references.filter((r) => r.role === "call").map((r) => `${r.name} ${line(r.at)}`)
      )
      const expected = new Set(
        calls.captures(root).map((c) => `${c.node.text} ${c.node.startPosition.row + 1}`)
      )
      // Calls of parameters and local variables leave no reference.
      const locals = new Set(["cls", "i", "b", "e", "match", "type"])
      assert.deepStrictEqual(
        [...called].sort(),
        [...expected].filter((c) => !locals.has(c.split(" ")[0]!)).sort()
      )
    })
  }
})
