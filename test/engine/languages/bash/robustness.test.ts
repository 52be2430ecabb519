import { FastCheck as fc } from "effect"
import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { bash } from "../../../../src/engine/languages/bash/index.ts"
import { FactsBuilder } from "../../../../src/engine/languages/FactsBuilder.ts"
import { Interner } from "../../../../src/engine/languages/Interner.ts"
import { Source } from "../../../../src/engine/languages/Source.ts"
import { factsOf } from "../support.ts"

const extract = await bash.load()
const builder = new FactsBuilder(new Interner())
const read = (bytes: Uint8Array) => {
  builder.begin(Source.bytes("a.sh", bytes), { hoisting: bash.hoisting })
  extract(builder)
  // Fails when a scope was left open.
  builder.end()
  assert.strictEqual(builder.current, -1)
  return builder.take()
}
const encoder = new TextEncoder()
const sample = readFileSync(new URL("./build.sh", import.meta.url))
const noise = encoder.encode("(){}[]\"'`$#\n\\;&|<>=! \r\0")

describe("any bytes", () => {
  it("end with every scope and definition closed", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => void read(bytes)),
      { numRuns: 100 }
    )
    const syntax = fc.array(fc.constantFrom(...noise, 97), { maxLength: 120 })
    fc.assert(
      fc.property(syntax, (bytes) => void read(Uint8Array.from(bytes))),
      { numRuns: 150 }
    )
  })
  it("so does a real file cut short and sprinkled with noise", () => {
    const edits = fc.array(fc.tuple(fc.nat(sample.length - 1), fc.constantFrom(...noise)), { maxLength: 12 })
    fc.assert(
      fc.property(fc.nat(sample.length), edits, (length, edits) => {
        const bytes = Uint8Array.from(sample)
        for (const [at, byte] of edits) bytes[at] = byte
        read(bytes.subarray(0, length))
      }),
      { numRuns: 100 }
    )
  })
  it("and so does endless nesting", () => {
    for (const open of [
      "(",
      "((",
      "$(",
      "$((",
      "{ ",
      "${",
      '"${x:-',
      '"$(',
      "`",
      "<(",
      "*(",
      "a[",
      "a=(",
      "if a; then ",
      "while a; do ",
      "case x in a) ",
      "f() { ",
      "cat <<A\n",
      "$(cat <<A\n",
      "@test x { "
    ])
      read(encoder.encode(open.repeat(5_000)))
  })
})

describe("scripts one after another", () => {
  const scripts = [
    "a 1 | b",
    "if c; then d; else e; fi",
    "cat <<X\n$(f)\nX",
    'g "$(h "`i`")"',
    "case $x in (j) k ;; l|m) n ;& esac",
    "o() { p; }",
    "for q in *; do r; done <<'Y'\n)\nY",
    "# s\nt \\\n  u",
    "v=(w $(x)) y || { z; }",
    "[[ $a =~ (b c) ]] && (d)",
    ""
  ]
  const known = Promise.all(scripts.map((text) => factsOf(bash, text)))
  const shifted = (at: string, lines: number) => {
    const [line, column] = at.split(":")
    return `${Number(line) + lines}:${column}`
  }
  it("make the calls that each of them makes", async () => {
    const each = await known
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(scripts.length - 1), { maxLength: 8 }), async (picks) => {
        const expected: Array<string> = []
        let lines = 0
        for (const pick of picks) {
          for (const r of each[pick]!.references)
            if (r.role === "call") expected.push(`${r.name} ${shifted(r.at, lines)} ${r.args} ${r.use}`)
          lines += scripts[pick]!.split("\n").length
        }
        const facts = await factsOf(bash, picks.map((pick) => `${scripts[pick]!}\n`).join(""))
        assert.deepStrictEqual(
          facts.references
            .filter((r) => r.role === "call")
            .map((r) => `${r.name} ${r.at} ${r.args} ${r.use}`),
          expected
        )
        assert.strictEqual(facts.parseErrors, 0)
      }),
      { numRuns: 60 }
    )
  })
})
