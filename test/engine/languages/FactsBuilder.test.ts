import { assert, describe, it } from "vitest"
import { describeFacts } from "../../../src/engine/languages/describe.ts"
import { deepestNesting, FactsBuilder, Scope } from "../../../src/engine/languages/FactsBuilder.ts"
import { Interner } from "../../../src/engine/languages/Interner.ts"
import { Source } from "../../../src/engine/languages/Source.ts"
import { kindNumber, Op, Role } from "../../../src/engine/languages/Vocabulary.ts"

const read = (
  text: string,
  hoisting: boolean,
  use: (b: FactsBuilder, at: (word: string, nth?: number) => number) => void
) => {
  const interner = new Interner()
  const b = new FactsBuilder(interner, false)
  b.begin(Source.bytes("a.x", new TextEncoder().encode(text)), { hoisting })
  const at = (word: string, nth = 0) => {
    let i = -1
    for (let k = 0; k <= nth; k++) i = text.indexOf(word, i + 1)
    return Buffer.byteLength(text.slice(0, i))
  }
  use(b, at)
  b.end()
  return describeFacts(b.last(), (id) => interner.text(id))
}

describe("lexical scopes", () => {
  it("drops references to locals and keeps those to definitions and free names", () => {
    const facts = read("fn f(x) { x; f; g }", false, (b, at) => {
      const f = b.openDefinition(kindNumber.function, b.nameOf("f"), at("f("), at("fn"))
      b.bindDefinition(b.nameOf("f"), f)
      b.openScope(Scope.function)
      b.bindLocal(b.nameOf("x"), -1, at("x"))
      b.reference(b.nameOf("x"), at("x;"), Role.read)
      b.reference(b.nameOf("f"), at("f;"), Role.read)
      b.reference(b.nameOf("g"), at("g "), Role.read)
      b.closeScope()
      b.closeDefinition(at("}") + 1)
    })
    assert.deepStrictEqual(
      facts.references.map((r) => [r.name, r.bind, r.within]),
      [
        ["f", "def0", 0],
        ["g", "free", 0]
      ]
    )
    assert.strictEqual(facts.definitions[0]!.span, "1:0-1:19")
  })

  it("binds a name used before its declaration only where names are hoisted", () => {
    const use = (b: FactsBuilder, at: (w: string, n?: number) => number) => {
      b.openScope()
      b.reference(b.nameOf("y"), at("y"), Role.read)
      b.bindDefinition(
        b.nameOf("y"),
        b.define(kindNumber.variable, b.nameOf("y"), at("y", 1), at("y", 1), at("y", 1) + 1),
        at("y", 1)
      )
      b.reference(b.nameOf("y"), at("y", 2), Role.read)
      b.closeScope()
    }
    assert.deepStrictEqual(
      read("y; let y; y", true, use).references.map((r) => r.bind),
      ["def0", "def0"]
    )
    assert.deepStrictEqual(
      read("y; let y; y", false, use).references.map((r) => r.bind),
      ["free", "def0"]
    )
  })

  it("takes the newest shadowing binding before the use", () => {
    const facts = read("x=a x x=b x", true, (b, at) => {
      const lit = (t: string) => b.expression(Op.literal, b.nameOf(t))
      b.bindLocal(b.nameOf("x"), lit("A"), at("x"))
      b.memberReference(b.nameExpression(b.nameOf("x"), at("x", 1)), b.nameOf("m"), at("x", 1), Role.read)
      b.bindLocal(b.nameOf("x"), lit("B"), at("x", 2))
      b.memberReference(b.nameExpression(b.nameOf("x"), at("x", 3)), b.nameOf("m"), at("x", 3), Role.read)
    })
    assert.deepStrictEqual(
      facts.references.map((r) => r.bind),
      ["of x#local('A')", "of x#local('B')"]
    )
  })

  it("hides a class body's names from functions inside it when the scope says so", () => {
    const facts = read("k k", true, (b, at) => {
      b.openScope(Scope.body)
      const k = b.define(kindNumber.field, b.nameOf("k"), at("k"), at("k"), at("k") + 1)
      b.bindDefinition(b.nameOf("k"), k)
      b.reference(b.nameOf("k"), at("k"), Role.read)
      b.openScope(Scope.function)
      b.reference(b.nameOf("k"), at("k", 1), Role.read)
      b.closeScope()
      b.closeScope()
    })
    assert.deepStrictEqual(
      facts.references.map((r) => r.bind),
      ["def0", "free"]
    )
  })

  it("declares a hoisted name in an outer scope", () => {
    const facts = read("v v", true, (b, at) => {
      b.openScope(Scope.function)
      b.openScope()
      b.bindLocal(b.nameOf("other"))
      b.bindDefinitionOuter(
        1,
        b.nameOf("v"),
        b.define(kindNumber.variable, b.nameOf("v"), at("v"), at("v"), at("v") + 1)
      )
      b.closeScope()
      b.reference(b.nameOf("v"), at("v", 1), Role.read)
      b.closeScope()
      b.reference(b.nameOf("v"), at("v", 1), Role.read)
    })
    assert.deepStrictEqual(
      facts.references.map((r) => r.bind),
      ["def0", "free"]
    )
  })
})

describe("positions", () => {
  it("counts columns in UTF-16 units and lines from one", () => {
    const facts = read("é😀 a\n  b", true, (b, at) => {
      b.reference(b.nameOf("a"), at("a"), Role.read)
      b.reference(b.nameOf("b"), at("b"), Role.read)
      b.reference(b.nameOf("a"), at("a"), Role.read)
    })
    assert.deepStrictEqual(
      facts.references.map((r) => r.at),
      ["1:4", "2:2", "1:4"]
    )
  })
})

describe("nesting", () => {
  it("of definitions ends at a bound, and what follows stands where it belongs", () => {
    const facts = read("class A x", false, (b, at) => {
      const levels = deepestNesting * 3
      for (let level = 0; level < levels; level++) {
        b.openDefinition(kindNumber.class, b.nameOf("A"), at("A"), at("class"))
      }
      for (let level = 0; level < levels; level++) b.closeDefinition(at("x"))
      b.define(kindNumber.variable, b.nameOf("x"), at("x"), at("x"), at("x") + 1)
    })
    assert.lengthOf(facts.definitions, deepestNesting * 3 + 1)
    const longest = Math.max(...facts.definitions.map((d) => d.qualified.split(".").length))
    assert.strictEqual(longest, deepestNesting)
    assert.strictEqual(facts.definitions.at(-1)!.qualified, "x")
  })
})
