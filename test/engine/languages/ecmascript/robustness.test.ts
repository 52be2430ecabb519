import * as FastCheck from "effect/FastCheck"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { assert, describe, it } from "vitest"
import { extractor } from "../../../../src/engine/languages/ecmascript/extract.ts"
import { FactsBuilder } from "../../../../src/engine/languages/FactsBuilder.ts"
import { Interner } from "../../../../src/engine/languages/Interner.ts"
import { Source } from "../../../../src/engine/languages/Source.ts"

const dialects = [
  { types: true, jsx: false },
  { types: true, jsx: true },
  { types: false, jsx: true }
].map((dialect) => extractor(dialect))
const interner = new Interner()
const encoder = new TextEncoder()

/** Reads bytes in every dialect: it throws unless each leaves all scopes and definitions closed. */
const read = (bytes: Uint8Array, readers = dialects): void => {
  for (const extract of readers) {
    const builder = new FactsBuilder(interner)
    builder.begin(Source.bytes("a.test.ts", bytes), { hoisting: true })
    extract(builder)
    assert.strictEqual(builder.depth, 1)
    assert.strictEqual(builder.current, -1)
    builder.end()
  }
}

const tokens = [
  "(",
  ")",
  "[",
  "]",
  "{",
  "}",
  "<",
  ">",
  "</",
  "/>",
  "=>",
  "=",
  ":",
  ";",
  ",",
  ".",
  "?.",
  "...",
  "?",
  "??",
  "&&",
  "|",
  "&",
  "!",
  "+",
  "++",
  "*",
  "/",
  "`",
  "${",
  "'",
  '"',
  "@",
  "#a",
  "\\",
  "//",
  "/*",
  "*/",
  "\n",
  " ",
  "a",
  "b",
  "T",
  "0",
  "1.5e3",
  "'x'",
  '"/p"',
  "`t`",
  "/r/g",
  "function",
  "class",
  "extends",
  "implements",
  "interface",
  "type",
  "enum",
  "namespace",
  "declare",
  "abstract",
  "import",
  "export",
  "default",
  "from",
  "const",
  "let",
  "var",
  "if",
  "else",
  "for",
  "of",
  "in",
  "while",
  "do",
  "switch",
  "case",
  "try",
  "catch",
  "return",
  "new",
  "this",
  "super",
  "async",
  "await",
  "yield",
  "static",
  "get",
  "set",
  "readonly",
  "private",
  "constructor",
  "keyof",
  "typeof",
  "infer",
  "is",
  "asserts",
  "as",
  "satisfies",
  "using",
  "require",
  "module",
  "exports",
  "prototype",
  "describe",
  "it",
  "unique",
  "accessor",
  "é",
  "\u00a0",
  "\u2028"
]

describe("any input", () => {
  it("is read to the end, whatever the order of its tokens", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.array(FastCheck.constantFrom(...tokens), { maxLength: 120 }), (words) => {
        read(encoder.encode(words.join(" ")))
        read(encoder.encode(words.join("")))
      }),
      { numRuns: 600 }
    )
  })

  it("is read to the end when it is no text at all", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.uint8Array({ maxLength: 400 }), (bytes) => read(bytes)),
      { numRuns: 300 }
    )
  })

  it("is read to the end when a real file is cut anywhere or has bytes changed", () => {
    const require = createRequire(import.meta.url)
    const real = [
      require.resolve("effect/package.json").replace("package.json", "src/Duration.ts"),
      require.resolve("vitest/package.json").replace("package.json", "dist/index.js")
    ].map((path) => readFileSync(path).subarray(0, 40_000))
    FastCheck.assert(
      FastCheck.property(
        FastCheck.constantFrom(...real),
        FastCheck.nat(39_999),
        FastCheck.nat(39_999),
        FastCheck.nat(255),
        (bytes, from, to, byte) => {
          read(bytes.subarray(Math.min(from, to), Math.max(from, to)))
          const changed = bytes.slice(Math.min(from, 36_000), Math.min(from, 36_000) + 4_000)
          if (changed.length > 0) changed[to % changed.length] = byte
          read(changed)
        }
      ),
      { numRuns: 60 }
    )
  })

  it("may nest tens of thousands deep", { timeout: 120_000 }, () => {
    for (const open of ["(", "[", "{", "a("]) read(encoder.encode(open.repeat(50_000)))
    for (const open of [
      "(",
      "[",
      "{",
      "({",
      "<a>",
      "`${",
      "a(",
      "f(() => {",
      "x = {a: ",
      "if (a) {",
      "class A { x = ",
      "type A = [",
      "type A = B<",
      "!",
      "new ",
      "a ? ",
      "a => ",
      "(a = ",
      "function f(a = ",
      "class extends ",
      "declare "
    ]) {
      read(encoder.encode(open.repeat(6_000)))
    }
    read(encoder.encode("(".repeat(50_000) + "a" + ")".repeat(50_000)))
    read(encoder.encode("x=" + "a?b:".repeat(50_000) + "c"))
    read(encoder.encode("if(a){}else ".repeat(50_000)))
  })

  it("may be one line of two megabytes", { timeout: 60_000 }, () => {
    read(encoder.encode("var a=1;f(a.b.c(d,e=>e+1)),x={y:[z]};".repeat(58_000)), dialects.slice(0, 1))
  })
})
