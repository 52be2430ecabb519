import { readFileSync } from "node:fs"
import { FastCheck as fc } from "effect"
import { assert, describe, it } from "vitest"
import { FactsBuilder } from "../../../../src/engine/languages/FactsBuilder.ts"
import { go } from "../../../../src/engine/languages/go/index.ts"
import { Interner } from "../../../../src/engine/languages/Interner.ts"
import { Source } from "../../../../src/engine/languages/Source.ts"

const extract = await go.load()
const builder = new FactsBuilder(new Interner())
const read = (bytes: Uint8Array) => {
  builder.begin(Source.bytes("a_test.go", bytes), { hoisting: go.hoisting })
  extract(builder)
  // Fails when a scope was left open.
  builder.end()
  assert.strictEqual(builder.current, -1)
  return builder.take()
}
const encoder = new TextEncoder()
const sources = ["store.go", "syntax.go", "store_test.go"].map((f) =>
  readFileSync(new URL(`./fixtures/${f}`, import.meta.url))
)
const noise = encoder.encode("(){}[]\"'`\n\\:,;.*&<-= /%")

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
    for (const open of ["(", "[", "{", "func(){", "T{", "if x {"])
      read(encoder.encode("package a\nfunc f() {\n" + open.repeat(50_000)))
    for (const open of [
      "func(",
      "f(",
      "a[",
      "map[",
      "chan ",
      "struct{a ",
      "interface{",
      "x := func() {",
      "*",
      "<-",
      "!",
      "[]",
      "else if x {",
      "type T[P ",
      "switch {case x:",
      "x.(",
      "a: ",
      "if x {} else ",
      "go func() {"
    ]) {
      for (const before of ["", "package a\nfunc f() {\n"]) read(encoder.encode(before + open.repeat(4_000)))
    }
  })
  it("and so does one line of two megabytes", () => {
    read(encoder.encode(`package a\nvar x = []string{${'"some text", 12345, '.repeat(110_000)}}\n`))
    read(encoder.encode(`package a\nvar x = ${"f(a.b, 1) + ".repeat(40_000)}1\n`))
    read(encoder.encode(`package a\nvar x = []T{${"{a: 1, b: g()}, ".repeat(20_000)}}\n`))
  })
})
