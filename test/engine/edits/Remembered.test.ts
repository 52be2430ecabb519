import { beforeAll, describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as FC from "effect/FastCheck"
import { readFileSync } from "node:fs"
import { canBeCut, type Cuts, cutsOf, partAround, spliced } from "../../../src/engine/edits/Cuts.ts"
import { Parse } from "../../../src/engine/edits/Parse.ts"
import type { Outline, ParseGate, Side, Sketch } from "../../../src/engine/edits/ParseGate.ts"
import { blobOid } from "../../../src/engine/git/Git.ts"
import { makeSyntaxGate } from "../../../src/engine/edits/SyntaxGate.ts"
import { type Stretch, stretchesAround } from "../../../src/engine/edits/Stretch.ts"
import { FactsBuilder } from "../../../src/engine/languages/FactsBuilder.ts"
import { Interner } from "../../../src/engine/languages/Interner.ts"
import { Source } from "../../../src/engine/languages/Source.ts"
import { sketchOf } from "../../../src/engine/workspace/Outlines.ts"
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

/** Functions of Go that are long: their statements, and the clauses of their switches, are looked at by themselves. */
const longFunctions = `package a\n\n${repeated(
  3,
  (i) => `func f${i}(a any, c chan int) (n int, err error) {
${repeated(
  12,
  (j) => `\tif a == ${j} { // "{
\t\treturn ${j}, nil
\t} else {
\t\tn++
\t}
\tt${j} := T{
\t\ta: func() int { return ${j} },
\t\tb: \`x
func\`,
\t}
`
)}\tswitch x := a.(type) {
${repeated(9, (j) => `\tcase []T${j}, *a.B:\n\t\tn = x.f(${j}, 'b') +\n\t\t\t1`)}
\tdefault:
\t}
\tswitch n {
${repeated(9, (j) => `\tcase ${j}, a.B:\n\t\tfallthrough\n\tcase 2${j}: /* one\n two */ n--`)}
\t}
L:
\tselect {
${repeated(9, (j) => `\tcase a[${j}] = <-c:\n\t\tbreak L\n\tcase c <- ${j}:\n\t\tgo f(${j})`)}
\t}
\tselect {
${repeated(9, (j) => `\tcase y := <-c:\n\t\tn = y * ${j}`)}
\t}
\treturn
}
`
)}`

/** Where the functions of a text of Go begin. */
const functionsOf = (text: string): Sketch => ({
  isSound: true,
  places: text.split("\n").flatMap((line, i) => (line.startsWith("func ") ? [i + 1, 0] : []))
})

/** The smallest part of a text that a change is in. */
const stretchAround = (id: string, sketch: Sketch, before: Buffer, after: Uint8Array): Stretch | undefined =>
  [...stretchesAround(id, sketch, before, after)][0]

describe("a gate that is told where definitions begin", () => {
  const [, text] = files.find(([path]) => path === "a.go")!
  it.each([
    ["short", text],
    ["long", longFunctions]
  ])("says of a first edit of %s functions what one says that reads everything", async (_, was) => {
    const check = (after: string, outline?: Outline) =>
      Effect.runPromise(makeSyntaxGate().check("a.go", side(was), side(after), outline))
    expect(await check(`${was}\n`)).toEqual({ status: "clean" })
    await FC.assert(
      FC.asyncProperty(edits, async (list) => {
        for (const edit of list) {
          const after = edited(was, was, edit)
          expect(await check(after, () => functionsOf(was))).toEqual(await check(after))
        }
      }),
      { numRuns: 5 }
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
    const { places } = functionsOf(broken)
    expect(
      await gate(() => ({ isSound: true, places: places.map((place) => (place === 0 ? 1 : place + 2)) }))
    ).toEqual(told)
  })

  it("looks at the one a change is in", () => {
    const lines = functionsOf(text)
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
    expect(around("")).toBe(undefined)
    expect(stretchAround("go", { isSound: true, places: [] }, Buffer.from(text), Buffer.from(""))).toBe(
      undefined
    )
    expect(stretchAround("ruby", lines, Buffer.from(text), Buffer.from(`${text}\n`))).toBe(undefined)
  })
})

describe("the part of a long function that a change is in", () => {
  const lines = functionsOf(longFunctions)
  const before = Buffer.from(longFunctions)
  /** What is read where all of the first occurrence of something, or what stands for it, is put in place of it. */
  const shown = (what: string, put: string) => {
    const at = longFunctions.indexOf(what)
    const after = Buffer.from(longFunctions.slice(0, at) + put + longFunctions.slice(at + what.length))
    const found = stretchAround("go", lines, before, after)!
    return `${found.head}|${before.subarray(found.start, found.end).toString()}|${found.tail}`
  }
  const [statements, end] = ["package p\nfunc f() {\nf()\n|", "|for {\n}\n}\n"]

  it("is a statement, with the lines before the next one", () => {
    expect(shown("return 3, nil", "return")).toBe(
      `${statements}\tif a == 3 { // "{\n\t\treturn 3, nil\n\t} else {\n\t\tn++\n\t}\n${end}`
    )
    expect(shown("{ return 3 }", "{}")).toBe(
      `${statements}\tt3 := T{\n\t\ta: func() int { return 3 },\n\t\tb: \`x\nfunc\`,\n\t}\n\n${end}`
    )
  })

  it("is two of them where the second begins with something else", () => {
    expect(shown("t3 :=", "t4 :=")).toMatch(/\|\tif a == 3 [^]*\n\tt3 := T\{[^]*\n\t\}\n\n\|/)
  })

  it("is a clause, among such of its kind", () => {
    expect(shown("T4, *a.B", "T4")).toBe(
      "package p\nfunc f() {\nswitch x.(type) {\ncase t:\n|\tcase []T4, *a.B:\n\t\tn = x.f(4, 'b') +\n\t\t\t1\n|case u:\n}\n}\n"
    )
    expect(shown("case 4, a.B", "case 4, ")).toBe(
      "package p\nfunc f() {\nswitch x {\ncase 1:\n|\tcase 4, a.B:\n\t\tfallthrough\n|case 2:\n}\n}\n"
    )
    expect(shown("n = y * 8", "")).toBe(
      "package p\nfunc f() {\nselect {\ncase <-c:\n|\tcase y := <-c:\n\t\tn = y * 8\n|case <-d:\n}\n}\n"
    )
  })

  it("is all of a labelled statement, and all of a switch where that begins otherwise", () => {
    expect(shown("go f(3)", "f(3)")).toMatch(/f\(\)\n\|L:\n\tselect \{[^]*go f\(8\)\n\t\}\n\|for/)
    expect(shown("x := a.(type)", "x")).toMatch(/f\(\)\n\|\tswitch x := a[^]*default:\n\t\}\n\|for/)
  })

  it("is all of the function outside of its body", () => {
    expect(shown("f1(a any", "f1(a int")).toMatch(/^package p\n\|func f1[^]*\n\}\n\n\|func f\(\) \{\}\n$/)
  })
})

/** Lists in lists, of files that are long enough to be looked at in part. */
const nested: ReadonlyArray<readonly [path: string, text: string]> = [
  [
    "b.js",
    `import a from "a"

${repeated(
  6,
  (i) => `// It's ${i}.
export function C${i}({ n }) {
  const [s, set] = use(n)

  const go = async () => {
    if (s) set(\`a\${n}
const b = 1
  }\`)
  }
  /* "{" */
  function back() {
    return s / 2 / n
  }

  switch (n) {
    case 1:
      const one = () => 1
      break
    default:
      const two = () => /[}"]/
  }
  use(() => {
    const inner = () => go()
    inner()
  }, [n])

  return <b title="{">it's {n} {/* } */}
    const x = <i>{go}</i>
  </b>
}

const held${i} =
  class A {}
const slow${i} =
  it("slow", () => {})
  let odd${i} = 1
const late${i} = (
  function q() {})
describe("c${i}", () => {
  let t
  it("works", async () => {
    t = await C${i}({ n: ${i} })
  })

  it("ends", () => {
    if (t)
      var u = () => t
    else t()
  })
})
`
)}`
  ],
  [
    "b.ts",
    `${repeated(
      16,
      (i) => `@tagged()
export class A${i}<T extends string> {
  readonly a: Array<T> = []
  get(): T { return this.a[0]! }
}
@tagged
class B${i} {}
export type T${i} =
  | "a"
  | { type: string }
declare namespace N${i} {
  interface I {
    type: string
  }
  type U = A${i}<"b">
  const c: number
}
function over(a: string): void
function over(a: unknown) {
  enum E { a, b }
  const f = <X,>(x: X) => x as unknown as E
  return f(a)
}
`
    )}`
  ],
  [
    "b.rs",
    `use a::b;

${repeated(
  12,
  (i) => `/// It's "${i}".
pub struct S${i}<'a> {
    pub a: &'a str,
    #[b]
    c: char
}

impl<'a> S${i}<'a> {
    pub fn new(a: &'a str) -> Self {
        S${i} { a, c: '{' }
    }

    fn a(&self) -> u8 {
        let text: &str = r#"
    fn not() {}
"#;
        let f = |x: u8| x + 1;
        match f(text.len() as u8) { 1 => b'}', _ => { 2 } }
    }
}

made! {
    fn b() {}
    pub fn c() { let a; }
}

#[cfg(test)]
mod tests${i} {
    use super::*;

    #[test]
    fn works() {
        assert_eq!(S${i}::new("}").a(), 1);
        fn inner() {}
    }

    #[test]
    fn ends() {}
}
`
)}`
  ],
  [
    "b.py",
    `import a
${repeated(
  14,
  (i) => `
class A${i}(a.B):
    """It's
    def no(): pass
    """

    @a.b(c=")")
    def f(self, x=1):
        def g(y):
            return [
    z for z in y
            ]
        # so
        if x:
            def h(): pass
        else:
            def h(): return 1
        return g(f"{x!r}")

    @property
    async def p(self):
        with a.c as d:
            yield d
# before
    def last(self):
        for a in self: pass

try:
    def t${i}(): pass
except a.E:
    def t${i}(): return 1
`
)}`
  ]
]

const readSketch = async (path: string, text: string): Promise<Sketch | undefined> => {
  const language = languages.find(({ extensions }) => extensions.some((one) => path.endsWith(one)))!
  const builder = new FactsBuilder(new Interner(), false)
  builder.begin(Source.bytes(path, Buffer.from(text)), { hoisting: language.hoisting })
  ;(await language.load())(builder)
  builder.end()
  return sketchOf(builder.last(), false)
}

describe("a gate that is told where definitions begin by a reader that misses errors", () => {
  const whole = (path: string, was: string, after: string) =>
    Effect.runPromise(makeSyntaxGate(0).check(path, side(was), side(after)))
  const told = (path: string, was: string, after: string, sketch: Sketch | undefined) =>
    Effect.runPromise(makeSyntaxGate(0).check(path, side(was), side(after), () => sketch))

  it.each(nested)(
    "tells of edits of %s what it looked at, or what one says that reads everything",
    async (path, text) => {
      expect(await whole(path, text, `${text}\n`)).toEqual({ status: "clean" })
      const sketch = (await readSketch(path, text))!
      expect(Buffer.byteLength(text)).toBeGreaterThan(4096)
      let parts = 0
      await FC.assert(
        FC.asyncProperty(edits, async (list) => {
          for (const edit of list.flatMap((one) => [one, { ...one, cut: 0, put: " " }])) {
            const after = edited(text, text, edit)
            const answer = await told(path, text, after, sketch)
            const expected = await whole(path, text, after)
            if (answer.status !== "none_added") expect(answer).toEqual(expected)
            else {
              parts++
              expect(expected).toEqual({ status: "clean" })
            }
          }
        }),
        { numRuns: 6 }
      )
      expect(parts).toBeGreaterThan(10)
    }
  )

  it("does not say that a file is without errors which has one that the reader misses", async () => {
    const [path, text] = nested.find(([path]) => path === "b.rs")!
    const broken = text.replace("use a::b;", "use a::{b c};")
    const sketch = await readSketch(path, broken)
    expect(sketch).not.toBe(undefined)
    const after = broken.replace("fn works() {", "fn does() {")
    expect(await whole(path, broken, after)).toMatchObject({ status: "not_worse" })
    const line = broken.split("\n").findIndex((one) => one.includes("fn works()")) + 1
    expect(await told(path, broken, after, sketch)).toEqual({
      status: "none_added",
      startLine: line - 1,
      endLine: line + 4
    })
    expect(await told(path, broken, after.replace("fn does() {", "fn does( {"), sketch)).toMatchObject({
      status: "added"
    })
  })

  it.each([
    ["b.js", "class A {}\nconst slow0 =", "class A {} const slow0 ="],
    ["b.js", 'it("slow", () => {})', 'it("slow", () => {}), y()'],
    ["b.js", "function q() {})\ndescribe", "function q() {}; a)\ndescribe"],
    ["b.js", "const one = () => 1\n      break", "const one = () => 1\n      case 3: break"],
    ["b.js", "const b = 1\n  }\\`", "const b = `1`\n  }\\`"],
    ["b.js", "var u = () => t\n    else", "var u = () => t; t\n    else"],
    ["b.ts", "class B0 {}", "const B0 = 1"],
    ["b.ts", "export class A1<T extends string> {", "export const A1 = {"],
    ["b.ts", "type: string\n  }\n  type U", "type: string\n  }; 1\n  type U"],
    ["b.rs", "S0 { a, c: '{' }\n    }\n", "S0 { a, c: '{' }\n    }\n    f();\n"],
    ["b.rs", 'let text: &str = r#"\n', 'let text: &str = r#""#; 0 }\n'],
    ["b.rs", "fn not() {}\n", 'fn not() { r#"a"# }\n'],
    ["b.rs", "pub fn c() { let a; }", "pub fn c() } let a; {"],
    ["b.py", "def no(): pass\n", 'def no(): """a"""\n'],
    ["b.py", "def h(): pass\n", "def h(): pass\n        x = 1\n"],
    ["b.py", "# before\n", "before = 1\n"]
  ])("says of %s what one says that reads everything: %j", async (path, what, put) => {
    const [, text] = nested.find(([name]) => name === path)!
    const was = text.replaceAll("\\`", "`")
    const old = what.replaceAll("\\`", "`")
    expect(was).toContain(old)
    const after = was.replace(old, () => put.replaceAll("\\`", "`"))
    const answer = await told(path, was, after, await readSketch(path, was))
    const expected = await whole(path, was, after)
    if (answer.status === "none_added") expect(expected).toEqual({ status: "clean" })
    else expect(answer).toEqual(expected)
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
