import { FastCheck as fc } from "effect"
import { assert, describe, it } from "vitest"
import { fit, linesOf, rangeOf } from "../../../src/facades/read/Lines.ts"

const texts = fc
  .array(fc.constantFrom("a", "é", "😀", '"', "\\", "\t", "\r\n", "\n", "\n", "word "), { maxLength: 60 })
  .map((parts) => parts.join(""))

describe("a range of lines", () => {
  it("is what all lines have at its place", () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 20 }), fc.nat(20), (text, from, more) => {
        const all = linesOf(text)
        const { lines, whole } = rangeOf(text, from, from + more)
        assert.deepStrictEqual([...lines], all.slice(from - 1, from + more))
        if (from <= all.length) assert.strictEqual(whole, from + lines.length - 1 === all.length)
      })
    )
  })
})

describe("pieces that are fitted", () => {
  const bytes = (text: string) => Buffer.byteLength(JSON.stringify(text)) - 2
  it("are as many from the first on as both bounds allow", () => {
    fc.assert(
      fc.property(texts, fc.nat(120), fc.nat(120), (text, json, raw) => {
        const pieces = linesOf(text).map((line, i) => ({ start: i + 1, end: i + 1, text: line }))
        const joined = (count: number) =>
          pieces
            .slice(0, count)
            .map((piece) => piece.text)
            .join("")
        let most = 0
        while (
          most < pieces.length &&
          bytes(joined(most + 1)) <= json &&
          Buffer.byteLength(joined(most + 1)) <= raw
        )
          most++
        const fitted = fit(pieces, { json, raw })
        assert.strictEqual(fitted.pieces, most)
        assert.strictEqual(fitted.cut === undefined, most === pieces.length)
        if (most > 0 || pieces.length === 0) assert.strictEqual(fitted.content, joined(most))
        assert.strictEqual(fitted.end, fitted.cut === undefined ? most : fitted.cut.next - 1)
      })
    )
  })
})
