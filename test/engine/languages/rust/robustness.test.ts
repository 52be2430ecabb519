import * as FastCheck from "effect/FastCheck"
import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { FactsBuilder } from "../../../../src/engine/languages/FactsBuilder.ts"
import { Interner } from "../../../../src/engine/languages/Interner.ts"
import { extract } from "../../../../src/engine/languages/rust/extract.ts"
import { Source } from "../../../../src/engine/languages/Source.ts"

const interner = new Interner()
const builder = new FactsBuilder(interner)

/** Reads bytes as a file; what must hold of any input is checked here. */
const read = (bytes: Uint8Array) => {
  builder.begin(Source.bytes("any.rs", bytes), { hoisting: false })
  extract(builder)
  assert.strictEqual(builder.depth, 1, "every scope is closed")
  assert.strictEqual(builder.current, -1, "every definition is closed")
  builder.end()
  const view = builder.last()
  const counts = { definitions: view.definitionCount, references: view.referenceCount }
  builder.take()
  return counts
}
const utf8 = (text: string) => new TextEncoder().encode(text)
const fixture = readFileSync(new URL("./fixtures/shapes.rs", import.meta.url))

const words = [
  "fn",
  "f",
  "struct",
  "S",
  "enum",
  "impl",
  "trait",
  "for",
  "where",
  "mod",
  "use",
  "pub",
  "let",
  "match",
  "if",
  "else",
  "while",
  "loop",
  "return",
  "async",
  "move",
  "const",
  "static",
  "type",
  "unsafe",
  "extern",
  "crate",
  "self",
  "Self",
  "super",
  "dyn",
  "as",
  "in",
  "ref",
  "mut",
  "macro_rules",
  "union",
  "matches",
  "println",
  "{",
  "}",
  "(",
  ")",
  "[",
  "]",
  "<",
  ">",
  "::",
  ":",
  ";",
  ",",
  ".",
  "..",
  "..=",
  "=",
  "=>",
  "->",
  "|",
  "||",
  "&",
  "&&",
  "!",
  "?",
  "#",
  "$",
  "@",
  "'a",
  "'x'",
  '"s"',
  'r#"r"#',
  "1",
  "1.0",
  "0..1",
  "_",
  "*",
  "+"
]

describe("any input", () => {
  it("is read to its end whatever the bytes are", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.uint8Array({ maxLength: 400 }), (bytes) => void read(bytes)),
      { numRuns: 300 }
    )
  })

  it("is read to its end whatever the tokens are", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.array(FastCheck.constantFrom(...words), { maxLength: 120 }),
        (tokens) => void read(utf8(tokens.join(" ")))
      ),
      { numRuns: 1500 }
    )
  })

  it("is read to its end when real text is cut, spliced or damaged", () => {
    const at = FastCheck.nat(fixture.length)
    FastCheck.assert(
      FastCheck.property(at, at, FastCheck.constantFrom(...words), (a, b, word) => {
        const from = Math.min(a, b)
        const to = Math.max(a, b)
        read(fixture.subarray(from, to))
        read(Buffer.concat([fixture.subarray(0, from), utf8(` ${word} `), fixture.subarray(to)]))
      }),
      { numRuns: 400 }
    )
  })
})

describe("deep input", () => {
  const depth = 50_000
  for (const opener of [
    "(",
    "[",
    "{",
    "<",
    "f(",
    "x[",
    "fn f() {",
    "mod m {",
    "impl T {",
    "trait T {",
    "match x {",
    "if x {",
    "A<",
    "&",
    "!",
    "-",
    "|x| ",
    "Some(",
    "let Some(",
    "fn f(",
    "#[a(",
    "use a::{",
    "vec![",
    "m!{",
    "S { x: ",
    "if ",
    "else if ",
    "while let ",
    "return ",
    "'a: ",
    "<A as ",
    "dyn (",
    "impl Fn(",
    "struct S {",
    "enum E { A(",
    "macro_rules! m {",
    "for<'a> ",
    "async ",
    "const { ",
    "x.y(",
    "a::<",
    "/*",
    "[[",
    "({["
  ]) {
    it(`survives 50,000 times ${opener}`, () => {
      read(utf8(opener.repeat(depth)))
      read(utf8(`fn main() { ${opener.repeat(depth)} }`))
      read(utf8(`type T = ${opener.repeat(depth)};`))
    })
  }

  it("reads what follows a bracket that is too deep", () => {
    const counts = read(utf8(`fn a() { ${"(".repeat(depth)}${")".repeat(depth)} }\nfn b() {}`))
    assert.strictEqual(counts.definitions, 2)
  })

  it("reads a single line of two mebibytes", () => {
    const one = 'fn f(x: u8) -> Vec<u8> { g(x)?.h(1, "a").await } '
    const times = Math.ceil((2 << 20) / one.length)
    const counts = read(utf8(one.repeat(times)))
    assert.deepStrictEqual(counts, { definitions: times, references: times * 3 })
  })
})
