import { assert, describe, it } from "@effect/vitest"
import { definitionsBefore, usesAfter } from "../../../src/engine/flow/Chains.ts"
import { lowerable } from "../../../src/engine/flow/Lowered.ts"
import { files } from "../../facades/trace/flow/corpus.ts"
import { functionNamed, lowered } from "./support.ts"

const languageOf: { readonly [ending: string]: string } = {
  js: "javascript",
  ts: "typescript",
  tsx: "tsx",
  py: "python",
  go: "go",
  rs: "rust",
  java: "java",
  cs: "csharp",
  c: "c",
  cpp: "cpp"
}

describe("lowering", () => {
  it("covers every language that has a table", () => {
    assert.deepStrictEqual(lowerable, [
      "c",
      "cpp",
      "csharp",
      "go",
      "java",
      "javascript",
      "jsx",
      "python",
      "rust",
      "tsx",
      "typescript"
    ])
  })

  it("puts every statement into one block and every way out of a block into the function", async () => {
    for (const [path, text] of Object.entries(files)) {
      const file = await lowered(languageOf[path.slice(path.lastIndexOf(".") + 1)]!, text)
      assert.isAbove(file.functions.length, 1, path)
      for (const fn of file.functions) {
        const placed = fn.blocks.flatMap(({ statements }) => statements)
        assert.strictEqual(new Set(placed).size, placed.length, `${path} ${fn.name}`)
        assert.strictEqual(placed.length, fn.statements.length, `${path} ${fn.name}`)
        const last = fn.blocks.length - 1
        for (const [i, block] of fn.blocks.entries()) {
          for (const { to } of block.successors) assert.isTrue(to >= 0 && to <= last)
          if (i === last) assert.strictEqual(block.successors.length, 0)
          else assert.isAbove(block.successors.length, 0, `${path} ${fn.name} B${i}`)
        }
        fn.ops.forEach((op, index) => {
          if (op.to < 0) return
          // What a definition reaches has that definition before it.
          for (const use of usesAfter(fn, index, op.to))
            if (!fn.blocks.some(({ successors }) => successors.some(({ kind }) => kind === "exception")))
              assert.include(definitionsBefore(fn, use, op.to), index, `${path} ${fn.name}`)
        })
      }
    }
  })

  it("keeps its stack however deep the syntax is", async () => {
    const deep = (open: string, middle: string, close: string, times = 4_000) =>
      open.repeat(times) + middle + close.repeat(times)
    const texts: ReadonlyArray<readonly [language: string, text: string]> = [
      ["javascript", `function f(a) { return ${deep("(", "a", ")")} }`],
      ["javascript", `function f(a) { ${deep("{", "a()", "}")} }`],
      ["javascript", `function f(a) { return ${"a + ".repeat(20_000)}a }`],
      ["javascript", `function f(a) { return a${".b()".repeat(5_000)} }`],
      ["typescript", `function f(a) { ${"if (a) { a() } else ".repeat(3_000)}{ a() } }`],
      ["go", `package p\nfunc f(a int) int { return ${deep("(", "a", ")")} }`],
      ["python", `def f(a):\n    return ${deep("[", "a", "]", 500)}\n`],
      ["rust", `fn f(a: i32) -> i32 { ${deep("{", "a", "}", 2_000)} }`],
      ["java", `class A { int f(int a) { return ${deep("(", "a", ")", 3_000)}; } }`],
      ["csharp", `class A { int f(int a) { return ${deep("(", "a", ")", 3_000)}; } }`],
      ["c", `int f(int a) { return ${deep("(", "a", ")", 3_000)}; }`]
    ]
    for (const [language, text] of texts) {
      const fn = functionNamed(await lowered(language, text), "f")
      assert.isAbove(fn.ops.length, 0, language)
    }
    const flat = functionNamed(await lowered("javascript", texts[0]![1]), "f")
    assert.deepStrictEqual(flat.approximations, ["deep_nesting"])
  })

  it("lowers what is broken as far as it goes", async () => {
    const file = await lowered(
      "typescript",
      "function f(a) { if (a { return g(a) }\nfunction h() { return 1 }"
    )
    assert.isAbove(file.errors, 0)
    assert.isAbove(file.functions.length, 1)
  })
})
