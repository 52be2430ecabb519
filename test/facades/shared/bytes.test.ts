import * as fc from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { byteLength } from "../../../src/facades/shared/bytes.ts"
import { byteLength as written } from "../../../src/registry/Json.ts"

describe("the size of a row", () => {
  it("is that of its JSON text", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(0xffff)), fc.double(), fc.integer(), (units, part, whole) => {
        const text = String.fromCharCode(...units)
        const row = { text, [text]: part, inner: [whole, { part, whole }, []] }
        expect(byteLength(row)).toBe(written(row))
      })
    )
  })
  it("counts what JSON escapes, leaves out or writes otherwise", () => {
    const rows = [
      { a: undefined, b: 1, c: [undefined, () => 1, null] },
      { a: undefined },
      [],
      [[], {}],
      { [`"\\\n\u007fé\ud800😀`]: `"\\\n\u007fé\ud800😀` },
      [-0, -1, 0.5, 1e21, 999_999, 1e6, Number.NaN, Infinity],
      new Date(0),
      Object.assign(Object.create(null), { a: 1 })
    ]
    for (const row of rows) expect(byteLength(row)).toBe(written(row))
  })
})
