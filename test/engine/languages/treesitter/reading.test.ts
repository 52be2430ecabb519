import { readdirSync } from "node:fs"
import { assert, describe, it } from "vitest"
import type { Rules } from "../../../../src/engine/languages/treesitter/Rules.ts"
import { Grammar, ParseAbandoned } from "../../../../src/engine/languages/treesitter/Grammar.ts"
import { NodeFlag, type SyntaxTree } from "../../../../src/engine/languages/treesitter/SyntaxTree.ts"
import { unknownTypes } from "../../../../src/engine/languages/treesitter/Walk.ts"
import { rules as c } from "../../../../src/engine/languages/c/rules.ts"
import { rules as cpp } from "../../../../src/engine/languages/cpp/rules.ts"
import { rules as csharp } from "../../../../src/engine/languages/csharp/rules.ts"
import { rules as java } from "../../../../src/engine/languages/java/rules.ts"
import { rules as kotlin } from "../../../../src/engine/languages/kotlin/rules.ts"
import { rules as lua } from "../../../../src/engine/languages/lua/rules.ts"
import { rules as php } from "../../../../src/engine/languages/php/rules.ts"
import { rules as ruby } from "../../../../src/engine/languages/ruby/rules.ts"
import { rules as scala } from "../../../../src/engine/languages/scala/rules.ts"
import { rules as swift } from "../../../../src/engine/languages/swift/rules.ts"
import { sample } from "./shown.ts"

const all: Readonly<Record<string, Rules>> = {
  c,
  cpp,
  csharp,
  java,
  kotlin,
  lua,
  php,
  ruby,
  scala,
  swift
}

const sampleOf = (id: string): string => {
  const folder = new URL(`../${id}/`, import.meta.url)
  const file = readdirSync(folder).find((f) => !f.endsWith(".test.ts"))!
  return sample(`../${id}/${file}`, import.meta.url)
}

const columns = (t: SyntaxTree) => {
  const n = t.count
  return {
    symbol: t.symbol.slice(0, n),
    start: t.start.slice(0, n),
    end: t.end.slice(0, n),
    parent: t.parent.slice(0, n),
    after: t.after.slice(0, n),
    field: t.field.slice(0, n),
    flags: t.flags.slice(0, n)
  }
}

describe.each(Object.entries(all))("the tree of %s", (id, rules) => {
  it("is read from memory as the public API tells it, errors, missing tokens and non-ASCII text included", async () => {
    const grammar = await Grammar.load(rules.grammar, rules.probe)
    assert.isTrue(grammar.readsHeap)
    const text = sampleOf(id)
    const broken = [0.1, 0.33, 0.5, 0.77, 0.95].flatMap((part) => {
      const at = Math.floor(text.length * part)
      return [text.slice(0, at), text.slice(at), `${text.slice(0, at)}\u{1F600}é}{((${text.slice(at)}`]
    })
    for (const variant of [text, "", "\n", "\u{1F600}", ...broken]) {
      const read = columns(grammar.parse("a", variant))
      assert.deepStrictEqual(read, columns(grammar.parseWithCursor("a", variant)))
    }
  })

  it("has every node type that the rules name", async () => {
    const grammar = await Grammar.load(rules.grammar, rules.probe)
    assert.deepStrictEqual(unknownTypes(rules, grammar.tree), [])
  })
})

describe("a syntax tree", () => {
  it("answers for children, fields and siblings", async () => {
    const grammar = await Grammar.load(java.grammar, java.probe)
    const text = "class A { int b; /* c */ void d(int e) {} }"
    const t = grammar.parse("A.java", text)
    const declaration = t.first(0)
    assert.strictEqual(t.type(declaration), "class_declaration")
    const body = t.child(declaration, "body")
    assert.strictEqual(t.type(body), "class_body")
    assert.deepStrictEqual(
      t.namedChildren(body).map((n) => t.type(n)),
      ["field_declaration", "method_declaration"]
    )
    assert.deepStrictEqual(
      t.children(body).map((n) => t.type(n)),
      ["{", "field_declaration", "block_comment", "method_declaration", "}"]
    )
    const method = t.named(body, -1)
    assert.strictEqual(text.slice(t.start[t.child(method, "name")]!, t.end[t.child(method, "name")]!), "d")
    assert.strictEqual(t.child(method, "superclass"), -1)
    assert.strictEqual(t.next(method), t.childOf(body, "}"))
    assert.strictEqual(t.next(t.childOf(body, "}")), -1)
    assert.strictEqual(t.flags[t.childOf(body, "block_comment")]! & NodeFlag.extra, NodeFlag.extra)
  })
})

describe("limits", () => {
  it("leave out files that are too long, have too many nodes or take too long, and the next file is read as ever", async () => {
    const grammar = await Grammar.load(c.grammar, c.probe)
    const reason = (text: string, limits: { length: number; nodes: number; time: number }) => {
      try {
        grammar.parse("a.c", text, limits)
      } catch (e) {
        assert.instanceOf(e, ParseAbandoned)
        return (e as ParseAbandoned).reason
      }
      return undefined
    }
    const text = "int f(int a) { return a + 1; }\n".repeat(2_000)
    assert.strictEqual(reason(text, { length: 100, nodes: 1e6, time: 60_000 }), "length")
    assert.strictEqual(reason(text, { length: 1e6, nodes: 100, time: 60_000 }), "nodes")
    assert.strictEqual(reason(text, { length: 1e6, nodes: 1e6, time: -1 }), "time")
    assert.strictEqual(reason("int x;", { length: 1e6, nodes: 1e6, time: 60_000 }), undefined)
    assert.deepStrictEqual(
      columns(grammar.parse("a.c", "int y;")),
      columns(grammar.parseWithCursor("a.c", "int y;"))
    )
  })
})
