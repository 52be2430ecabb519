import { beforeAll, describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as FC from "effect/FastCheck"
import { readFileSync } from "node:fs"
import {
  canBeCut,
  type Cuts,
  cutsOf,
  partAround,
  spliced,
  stretchAround
} from "../../../src/engine/edits/Cuts.ts"
import { Parse } from "../../../src/engine/edits/Parse.ts"
import type { Outline, ParseGate, Side } from "../../../src/engine/edits/ParseGate.ts"
import { blobOid } from "../../../src/engine/git/Git.ts"
import { makeSyntaxGate } from "../../../src/engine/edits/SyntaxGate.ts"
import { languages } from "../../../src/engine/languages/index.ts"
import { loadParser } from "../../../src/engine/languages/treesitter/Grammar.ts"

const side = (text: string): Side => {
  const bytes = Buffer.from(text)
  return { bytes, sha: blobOid(bytes) }
}

const repeated = (count: number, item: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => item(i)).join("\n")

const own = (path: string): string => readFileSync(new URL(`../../../src/${path}`, import.meta.url), "utf8")

/** Files of many items, some of them long ones, with what lexers look ahead for. */
const files: ReadonlyArray<readonly [path: string, text: string]> = [
  ["a.ts", own("engine/edits/Cuts.ts")],
  [
    "a.js",
    repeated(
      50,
      (i) =>
        `// ${i}\nconst a${i} = \`x\${${i}}\` + /"[/]/.source\nfunction f${i}(a, b = "{") {\n  return a / b\n}\n`
    )
  ],
  [
    "a.tsx",
    repeated(
      40,
      (i) =>
        `export const A${i} = (p: { n: number }) => (\n  <b title="{">\n    {p.n} it's {/* } */}\n  </b>\n)\n\ntype T${i} = Array<A${i}>\n`
    )
  ],
  [
    "a.go",
    `package a\n\n${repeated(60, (i) => `// f${i} is "one".\nfunc f${i}(a, b int) (int, error) {\n\tif a > b {\n\t\treturn a * b, nil\n\t}\n\treturn len(\`{\`), nil\n}\n`)}`
  ],
  [
    "a.rs",
    repeated(
      50,
      (i) =>
        `/// It's ${i}.\n#[derive(Debug)]\nstruct S${i}<'a> { a: &'a str }\n\nfn f${i}(a: u8) -> &'static str {\n    if a == b'{' { r#"a"b"# } else { "é" }\n}\n`
    )
  ],
  [
    "a.py",
    `"""A module."""\n${repeated(50, (i) => `\n@decorated\ndef f${i}(a, b=")"):\n    """It's ${i}."""\n    if a:\n        return f"{a} {b!r}"\n    # nothing\n    return [a for a in b]\n\nx${i} = {"a": ${i}}\n`)}`
  ],
  [
    "A.java",
    `package a;\n\n${repeated(40, (i) => `/** It's ${i}. */\n@Tagged("{")\nclass A${i}<T> {\n  int f(int a) { return a < 'x' ? a : ${i}; }\n}\n`)}`
  ],
  [
    "a.c",
    `#include <a.h>\n${repeated(50, (i) => `#ifdef A${i}\n#define B${i} "{"\n#endif\nstatic int f${i}(int a, int *b) {\n  return a / *b; /* it's ${i} */\n}\n`)}`
  ],
  [
    "a.cpp",
    `namespace a {}\n${repeated(40, (i) => `template <class T> struct S${i} {\n  T f() const { return a<b>(${i}); }\n};\nauto r${i} = R"x(" )x";\n`)}`
  ],
  [
    "a.cs",
    `using System;\n${repeated(40, (i) => `/// <summary>It's ${i}.</summary>\npublic class A${i} : B {\n  string F(int a) => $"{a} }}" + @"c:\\";\n}\n`)}`
  ]
]

const pieces = [
  "{",
  "}",
  "(",
  ")",
  '"',
  "'",
  "`",
  "/*",
  "*/",
  "//",
  "#",
  "<",
  ">",
  "\\",
  ";",
  ",",
  "=",
  "\n",
  "\n\n",
  "  ",
  '"""',
  "${",
  'R"x(',
  'r#"',
  "#if A\n",
  "#endif\n",
  "#!",
  "a /*b",
  "\n}\n",
  "é",
  "😀",
  "return",
  "\r\n"
]

/** What is done to a text at a place, which is a share of its length. */
const edits = FC.array(
  FC.record({
    at: FC.double({ min: 0, max: 1, noNaN: true }),
    line: FC.boolean(),
    cut: FC.oneof({ weight: 3, arbitrary: FC.constant(0) }, FC.nat({ max: 300 })),
    put: FC.oneof(
      FC.constantFrom(...pieces),
      FC.tuple(FC.double({ min: 0, max: 1, noNaN: true }), FC.nat({ max: 200 }))
    )
  }),
  { minLength: 6, maxLength: 6 }
)
type Edit = typeof edits extends FC.Arbitrary<ReadonlyArray<infer E>> ? E : never

const edited = (text: string, other: string, { at, cut, line, put }: Edit): string => {
  const near = Math.floor(at * text.length)
  const from = line ? text.indexOf("\n", near) + 1 : near
  const start = typeof put === "string" ? 0 : Math.floor(put[0] * other.length)
  const added = typeof put === "string" ? put : other.slice(start, start + put[1])
  return text.slice(0, from) + added + text.slice(from + cut)
}

describe("a gate that remembers", () => {
  it.each(files)("says of edits of %s what one says that reads everything anew", async (path, text) => {
    expect(await Effect.runPromise(makeSyntaxGate().check(path, null, side(text)))).toEqual({
      status: "clean"
    })
    await FC.assert(
      FC.asyncProperty(edits, async (list) => {
        const [gate, treeless] = [makeSyntaxGate(), makeSyntaxGate(0)]
        let before = text
        for (const edit of list) {
          const after = edited(before, text, edit)
          const check = (one: ParseGate) => Effect.runPromise(one.check(path, side(before), side(after)))
          const answer = await check(makeSyntaxGate())
          expect(await check(gate)).toEqual(answer)
          expect(await check(treeless)).toEqual(answer)
          if (answer.status === "clean") before = after
        }
      }),
      { numRuns: 2 }
    )
  })
})

/** Lines of a text of Go at which its functions begin. */
const functionLines = (text: string): ReadonlyArray<number> =>
  text.split("\n").flatMap((line, i) => (line.startsWith("func ") ? [i + 1] : []))

describe("a gate that is told where definitions begin", () => {
  const [, text] = files.find(([path]) => path === "a.go")!
  const before = side(text)
  const check = (after: string, outline?: Outline) =>
    Effect.runPromise(makeSyntaxGate().check("a.go", before, side(after), outline))

  it("says of a first edit what one says that reads everything", async () => {
    await FC.assert(
      FC.asyncProperty(edits, async (list) => {
        for (const edit of list) {
          const after = edited(text, text, edit)
          expect(await check(after, () => functionLines(text))).toEqual(await check(after))
        }
      }),
      { numRuns: 2 }
    )
  })

  it("reads everything when it is not told, or told of something else", async () => {
    const broken = text.replace("return a * b, nil", "return a *")
    const was = side(broken)
    const is = side(broken.replaceAll("f59", "g59"))
    const gate = (outline: Outline) => Effect.runPromise(makeSyntaxGate().check("a.go", was, is, outline))
    const told = { status: "not_worse", remaining: expect.any(Number) }
    expect(await gate(() => undefined)).toEqual(told)
    // In the middle of functions.
    expect(await gate(() => functionLines(broken).map((line) => line + 2))).toEqual(told)
  })

  it("looks at the one a change is in", () => {
    const lines = functionLines(text)
    const around = (after: string) => stretchAround("go", lines, Buffer.from(text), Buffer.from(after))
    const shown = (after: string) => {
      const { end, head, start, tail } = around(after)!
      return [head, Buffer.from(text).subarray(start, end).toString(), tail]
    }
    const of = (i: number) => text.slice(text.indexOf(`func f${i}(`), text.indexOf(`func f${i + 1}(`))
    const [head, tail] = ["package p\n", "func f() {}\n"]
    expect(shown(text.replace("f30(a", "f30(é"))).toEqual([head, of(30), tail])
    // What it begins with is a matter of the one before, too.
    expect(shown(text.replace("func f30(", "funk f30("))).toEqual([head, of(29) + of(30), tail])
    expect(shown(text.replace("\n// f31 ", " "))).toEqual([head, of(30), tail])
    expect(shown(text.replace("\nfunc f31(", "\n\nfunc f31("))).toEqual([head, of(30) + of(31), tail])
    expect(shown(text.replace("package a", "package b"))).toEqual([
      "",
      text.slice(0, text.indexOf("func f0(")),
      tail
    ])
    expect(shown(text.replace(/return 0\n}\n$|$/, "var a int\n"))).toEqual([
      head,
      text.slice(text.indexOf("func f59(")),
      ""
    ])
    expect(stretchAround("go", [], Buffer.from(text), Buffer.from(""))).toBe(null)
    expect(around("")).toBe(null)
    expect(stretchAround("rust", lines, Buffer.from(text), Buffer.from(`${text}\n`))).toBe(null)
  })
})

describe("the part around a change", () => {
  const language = languages.find(({ id }) => id === "c")!
  let parse: Parse
  let cut: (text: string) => Cuts
  beforeAll(async () => {
    const grammar = await loadParser(language.grammar!)
    parse = new Parse(grammar, 2000)
    cut = (text) =>
      parse.read(text, (tree, looks) => cutsOf("c", grammar, tree, text, Buffer.from(text), looks))
    return () => parse.close()
  })

  const text = repeated(200, (i) => `int é${i}(void) {\n  return ${i};\n}\n`)

  it("is a few items, and its cuts fit into those of the whole", () => {
    const after = text.replace("return 100;", "int a = 1;\n  return a;\n}\n\nint more(void) {\n  return 2;")
    const [from, to] = [Buffer.from(text), Buffer.from(after)]
    const cuts = cut(text)
    const part = partAround(cuts, from, to)!
    expect(part.end - part.start).toBeLessThan(3000)
    const inside = to.subarray(part.start, part.end).toString()
    expect(inside).toContain("int more(void)")
    expect(inside).toContain("é101(void)")
    expect(spliced(cuts, part, cut(inside))).toEqual(cut(after))
  })

  it("does not fit where an item at its end is another one now", () => {
    const after = text.replace("return 100;\n}", "return 100;")
    const [from, to] = [Buffer.from(text), Buffer.from(after)]
    const cuts = cut(text)
    const part = partAround(cuts, from, to)!
    expect(spliced(cuts, part, cut(to.subarray(part.start, part.end).toString()))).toBe(null)
  })

  it("sees the parser look for the end of a comment that is not there", () => {
    const gone = parse.read("int f(void) { return a /*b; }\n", (_, looks, ended) => ({ looks, ended }))
    expect(gone.ended).toBeLessThan(30)
    const long = parse.read(`int f(void) { return a /*b; }\n${text}`, (_, looks) => looks)
    expect(long.some(([from, to]) => from < 30 && to > 4000)).toBe(true)
  })

  it("is not asked for where a file is more than a sequence of items", () => {
    expect(["go", "rust", "c"].every(canBeCut)).toBe(true)
    expect(["php", "ruby", "bash", "vue", "css"].some(canBeCut)).toBe(false)
  })
})
