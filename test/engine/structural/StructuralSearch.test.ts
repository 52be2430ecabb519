import { Effect, Exit } from "effect"
import { assert, describe, it } from "vitest"
import type { FileEntry } from "../../../src/engine/graph/Snapshot.ts"
import { searchStructure } from "../../../src/engine/structural/StructuralSearch.ts"

const entry = (path: string, id: number): FileEntry => ({
  id,
  path,
  language: 0,
  size: 0,
  mtimeMs: 0,
  ino: 0,
  mode: 0,
  oid: String(id),
  unit: 0,
  flags: 0,
  skip: "",
  view: undefined
})
const search = (language: string, pattern: string, texts: { readonly [path: string]: string }) => {
  const paths = Object.keys(texts)
  return Effect.runPromiseExit(
    searchStructure({ pattern, language, limit: 100 }, paths.map(entry), (f) => Buffer.from(texts[f.path]!))
  )
}
const lines = async (language: string, pattern: string, text: string) => {
  const exit = await search(language, pattern, { a: text })
  if (!Exit.isSuccess(exit)) throw new Error(String(exit.cause))
  return exit.value.matches.map((m) => [m.line, m.captures] as const)
}

describe("code patterns", () => {
  it("binds one node to a variable", async () => {
    assert.deepStrictEqual(
      await lines(
        "typescript",
        "console.log($A)",
        "console.log(1)\nconsole.log(a, b)\nfoo.log(2)\n  console.log(f(x))\n"
      ),
      [
        [1, { A: "1" }],
        [4, { A: "f(x)" }]
      ]
    )
  })
  it("binds any number of neighbours", async () => {
    assert.deepStrictEqual(await lines("javascript", "foo($$$ARGS)", "foo()\nfoo(1)\nfoo(1, 2)\nbar(1)"), [
      [1, { ARGS: "" }],
      [2, { ARGS: "1" }],
      [3, { ARGS: "1, 2" }]
    ])
    assert.deepStrictEqual(
      await lines("javascript", "foo($$$HEAD, $LAST)", "foo()\nfoo(1)\nfoo(1, 2)\nfoo(1, 2, 3)"),
      [
        [2, { HEAD: "", LAST: "1" }],
        [3, { HEAD: "1", LAST: "2" }],
        [4, { HEAD: "1, 2", LAST: "3" }]
      ]
    )
  })
  it("wants the same text for a variable used twice", async () => {
    assert.deepStrictEqual(
      (await lines("typescript", "$A === $A", "a === a\na === b\nf(x) === f(x)")).map(([l]) => l),
      [1, 3]
    )
  })
  it("finds statements and declarations in other languages", async () => {
    assert.deepStrictEqual(
      await lines(
        "go",
        "if err != nil { return $X }",
        "package p\nfunc f() error {\n\tif err != nil { return err }\n\tif err != nil { log() }\n\treturn nil\n}\n"
      ),
      [[3, { X: "err" }]]
    )
    assert.deepStrictEqual(
      (
        await lines(
          "rust",
          "$X.unwrap()",
          "fn f() {\n    a.unwrap();\n    b.unwrap_or(1);\n    c.d().unwrap();\n}\n"
        )
      ).map(([l, c]) => [l, c["X"]]),
      [
        [2, "a"],
        [4, "c.d()"]
      ]
    )
    assert.deepStrictEqual(
      (await lines("python", "print($A)", "print(1)\nprint(1, 2)\nx = print(y)\n")).map(([l]) => l),
      [1, 3]
    )
    assert.deepStrictEqual(
      (
        await lines("java", "$A.equals($B)", "class A { boolean f() { return a.equals(b) || a.same(b); } }")
      ).map(([, c]) => c),
      [{ A: "a", B: "b" }]
    )
  })
  it("refuses what would match everything or is not code", async () => {
    for (const pattern of ["$A", "", "if (", "a; b"]) {
      const exit = await search("typescript", pattern, { a: "x" })
      assert.isTrue(Exit.isFailure(exit), pattern)
      assert.include(String(exit), "invalid_pattern")
    }
  })
})

describe("tree-sitter queries", () => {
  it("reports the node captured as match, and the others by name", async () => {
    assert.deepStrictEqual(
      await lines("typescript", "(call_expression function: (identifier) @name) @match", "f(1)\n\ng(\n2)\n"),
      [
        [1, { name: "f" }],
        [3, { name: "g" }]
      ]
    )
  })
  it("says what is wrong with a query", async () => {
    const exit = await search("typescript", "(no_such_node) @x", { a: "x" })
    assert.include(String(exit), "no_such_node")
  })
  it("names the languages it has grammars for", async () => {
    assert.include(String(await search("cobol", "x", { a: "x" })), "typescript")
  })
})
