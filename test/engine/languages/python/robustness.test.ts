import { readFileSync } from "node:fs"
import { FastCheck as fc } from "effect"
import { assert, describe, it } from "vitest"
import { FactsBuilder } from "../../../../src/engine/languages/FactsBuilder.ts"
import { python } from "../../../../src/engine/languages/python/index.ts"
import { Interner } from "../../../../src/engine/languages/Interner.ts"
import { Source } from "../../../../src/engine/languages/Source.ts"

const extract = await python.load()
const builder = new FactsBuilder(new Interner())
const read = (bytes: Uint8Array) => {
  builder.begin(Source.bytes("test_a.py", bytes), { hoisting: python.hoisting })
  extract(builder)
  // Fails when a scope was left open.
  builder.end()
  assert.strictEqual(builder.current, -1)
  return builder.take()
}
const encoder = new TextEncoder()
const sources = ["service.py", "syntax.py", "test_service.py"].map((f) =>
  readFileSync(new URL(`./fixtures/${f}`, import.meta.url))
)
const noise = encoder.encode("(){}[]\"'#\n\\:,;.*@ =\t")

describe("any bytes", () => {
  it("end with every scope and definition closed", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => void read(bytes)),
      { numRuns: 200 }
    )
  })
  it("so do real files cut short and sprinkled with noise", () => {
    const edit = fc.record({
      file: fc.nat(sources.length - 1),
      cut: fc.double({ min: 0.1, max: 1, noNaN: true }),
      edits: fc.array(fc.tuple(fc.double({ min: 0, max: 0.999, noNaN: true }), fc.nat(noise.length - 1)), {
        maxLength: 12
      })
    })
    fc.assert(
      fc.property(edit, ({ cut, edits, file }) => {
        const bytes = Uint8Array.from(sources[file]!)
        for (const [at, with_] of edits) bytes[Math.floor(at * bytes.length)] = noise[with_]!
        read(bytes.subarray(0, Math.floor(bytes.length * cut)))
      }),
      { numRuns: 200 }
    )
  })
  it("and so does endless nesting", () => {
    for (const open of ["(", "[", "{", "f(", "lambda: ", 'f"{', "x = ", "[x for y in "])
      read(encoder.encode("def f():\n  " + open.repeat(50_000)))
    for (const open of [
      "not ",
      "x.",
      "a[",
      "if x:\n ",
      "class A:\n",
      "def f(",
      "@",
      "await ",
      "yield ",
      "x if y else ",
      "{x: ",
      "*x, ",
      "match x:\n case ",
      "\\\n",
      "\t",
      "elif x:\n",
      "with (",
      "(x := ",
      "lambda x=",
      ": ",
      'x: "List[',
      "def f[T: ",
      "f'''{",
      '"""',
      "x: a["
    ]) {
      for (const before of ["", "def f():\n  "]) read(encoder.encode(before + open.repeat(4_000)))
    }
    let stairs = ""
    for (let i = 0; i < 1_000; i++) stairs += `${" ".repeat(i)}if x:\n`
    read(encoder.encode(stairs))
  })
  it("and so does one line of two megabytes", () => {
    read(encoder.encode(`x = [${"'some text', 12345, ".repeat(110_000)}]\n`))
    read(encoder.encode(`x = ${"f(a.b, 1) + ".repeat(40_000)}1\n`))
    read(encoder.encode(`x = [${"{'a': 1, 'b': g()}, ".repeat(20_000)}]\n`))
  })
})
