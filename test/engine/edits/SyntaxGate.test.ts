import type { GateAnswer } from "../../../src/services/LocalWriter.ts"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Side } from "../../../src/engine/edits/ParseGate.ts"
import { blobOid } from "../../../src/engine/git/Git.ts"
import { syntaxGate } from "../../../src/engine/edits/SyntaxGate.ts"
import { apply, Bench, edit, planOf, reasonOf, refusedOf } from "./support.ts"

const side = (content: string | Buffer): Side => {
  const bytes = Buffer.from(content)
  return { bytes, sha: blobOid(bytes) }
}

const check = (path: string, before: string | null, after: string): Promise<GateAnswer> =>
  Effect.runPromise(syntaxGate.check(path, before === null ? null : side(before), side(after)))

const samples: ReadonlyArray<readonly [path: string, good: string, bad: string]> = [
  ["a.ts", "export const a: number = 1\n", "export const a: number = = 1\n"],
  ["a.tsx", "const a = <b>{1}</b>\n", "const a = <b>{1}</c\n"],
  ["a.js", "function f() { return 1 }\n", "function f( { return 1 \n"],
  ["a.jsx", "const a = <b/>\n", "const a = <b\n"],
  ["a.py", "def f():\n    return 1\n", "def f(:\n    return 1\n"],
  ["a.go", "package a\n\nfunc f() int { return 1 }\n", "package a\n\nfunc f( int { return 1 \n"],
  ["a.rs", "fn f() -> u8 { 1 }\n", "fn f( -> u8 { 1 \n"],
  ["A.java", "class A { void f() {} }\n", "class A { void f( {} \n"],
  ["a.c", "int f(void) { return 1; }\n", "int f(void) { return 1; \n"],
  ["a.cpp", "class A { int f(); };\n", "class A { int f(; \n"],
  ["a.cs", "class A { void F() {} }\n", "class A { void F( {} \n"],
  ["a.rb", "def f\n  1\nend\n", "def f(\n  1\n"],
  ["a.php", "<?php\nfunction f() { return 1; }\n", "<?php\nfunction f( { return 1; \n"],
  ["a.sh", "if true; then echo 1; fi\n", "if true; then echo 1; \n"],
  ["a.kt", "fun f(): Int { return 1 }\n", "fun f(: Int { return 1 \n"],
  ["a.scala", "object A { def f = 1 }\n", "object A { def f = \n"],
  ["a.swift", "func f() -> Int { return 1 }\n", "func f( -> Int { return 1 \n"],
  ["a.lua", "local function f() return 1 end\n", "local function f( return 1 \n"],
  ["a.css", "a { color: red; }\n", "a { color: red; \n"],
  ["a.json", '{"a": [1, 2]}\n', '{"a": [1, 2}\n']
]

describe("the parse gate", () => {
  it.each(samples)("tells good from bad in %s", async (path, good, bad) => {
    expect(await check(path, null, good)).toEqual({ status: "clean" })
    const worse = await check(path, good, bad)
    expect(worse.status).toBe("added")
    if (worse.status === "added") {
      expect(worse.added).toBeGreaterThan(0)
      expect(worse.errors.length).toBeGreaterThan(0)
    }
    expect((await check(path, bad, good)).status).toBe("clean")
    expect((await check(path, bad, `${bad}\n`)).status).not.toBe("clean")
  })

  it.each(["a.md", "a.yaml", "a.toml", "notes.txt", "Dockerfile", "a.scss", "page.html.erb"])(
    "cannot say anything about %s and says that",
    async (path) => {
      expect(await check(path, "a\n", "{{{ (\n")).toEqual({ status: "unknown", because: "no_grammar" })
    }
  )

  it("does not hold old errors against an edit elsewhere", async () => {
    const broken = "const a = = 1\n\nfunction f() { return 1 }\n"
    expect((await check("a.ts", broken, broken.replace("return 1", "return 200"))).status).toBe("not_worse")
    expect((await check("a.ts", broken, `// more\n${broken}`)).status).toBe("not_worse")
    expect((await check("a.ts", broken, broken.replace("f()", "f("))).status).toBe("added")
  })

  it("names the place of an added error", async () => {
    const answer = await check("a.ts", "const a = 1\n\n", "const a = 1\n\nconst b = = 2\n")
    expect(answer).toMatchObject({ status: "added", errors: [{ line: 3, what: "unexpected text" }] })
  })

  it("allows comments only where JSON readers do", async () => {
    const text = '{\n  // why\n  "a": 1,\n}\n'
    expect((await check("tsconfig.json", null, text)).status).toBe("clean")
    expect((await check(".vscode/settings.json", null, text)).status).toBe("clean")
    expect((await check("package.json", null, text)).status).toBe("added")
  })

  it("does not judge bytes that are no text, or too many of them", async () => {
    const gate = (bytes: Buffer) => Effect.runPromise(syntaxGate.check("a.ts", null, side(bytes)))
    expect(await gate(Buffer.from([0x61, 0xff]))).toEqual({ status: "unknown", because: "not_text" })
    expect(await gate(Buffer.alloc((1 << 20) + 1, 32))).toEqual({ status: "unknown", because: "too_large" })
  })
})

describe("a write that adds syntax errors", () => {
  const bad = edit("a.ts", "= 1", "= = 1")

  it("is refused, and reported by a dry run", async () => {
    using bench = new Bench({ "a.ts": "const a = 1\n" })
    const writer = await bench.writer({ gate: syntaxGate })
    const plan = await planOf(writer, [bad])
    expect(plan.changes[0]!.status).toBe("conflict")
    expect(plan.files[0]!.syntax).toMatchObject({ status: "added", added: 1 })
    const refused = refusedOf(await apply(writer, [bad]))
    expect([refused.reason, refused.code, refused.path]).toEqual(["parse_gate", "parse_gate", "a.ts"])
    expect(refused.data).toMatchObject({ added: 1, errors: [{ line: 1 }] })
    expect(bench.text("a.ts")).toBe("const a = 1\n")
  })

  it("is let through when the caller allows it, with a warning", async () => {
    using bench = new Bench({ "a.ts": "const a = 1\n" })
    const writer = await bench.writer({ gate: syntaxGate })
    const plan = await planOf(writer, [bad], { allowParseErrors: true })
    expect(plan.changes[0]!.warnings).toEqual(["syntax_errors_allowed"])
    expect(reasonOf(await apply(writer, [bad], { allowParseErrors: true }))).toBe("succeeded")
  })

  it("is judged on all edits of the file together", async () => {
    using bench = new Bench({ "a.ts": "f(1)\ng(2)\n" })
    const writer = await bench.writer({ gate: syntaxGate })
    const half = edit("a.ts", "f(1)", "f(1")
    expect(reasonOf(await apply(writer, [half]))).toBe("parse_gate")
    expect(reasonOf(await apply(writer, [half, edit("a.ts", "g(2)", ", 2)")]))).toBe("succeeded")
    expect(bench.text("a.ts")).toBe("f(1\n, 2)\n")
  })

  it("does not stop a move or a deletion", async () => {
    using bench = new Bench({ "a.ts": "const = \n", "b.ts": "const = \n" })
    const writer = await bench.writer({ gate: syntaxGate })
    expect(
      reasonOf(
        await apply(writer, [
          { op: "move", source: "a.ts", destination: "c.ts" },
          { op: "delete", path: "b.ts" }
        ])
      )
    ).toBe("succeeded")
  })
})
