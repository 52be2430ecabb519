import * as fc from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { byteLength } from "../../src/registry/Json.ts"

const written = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? "", "utf8")

/** Any UTF-16 units, whole and halved pairs among them. */
const text = fc
  .array(fc.oneof(fc.nat(0x7f), fc.nat(0xffff), fc.integer({ min: 0xd800, max: 0xdfff })))
  .map((units) => String.fromCharCode(...units))

class Point {
  constructor(readonly x: unknown) {}
}

class Told {
  constructor(readonly what: unknown) {}
  toJSON(key: string) {
    return key === "keyed" ? key : this.what
  }
}

const boxed = fc
  .oneof(text, fc.double(), fc.boolean())
  .map((value: string | number | boolean): unknown => Object(value))

const leaf = fc.oneof(
  text,
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.date({ noInvalidDate: false }),
  fc.constantFrom(null, undefined, -0, 999_999, 1e6, 1e21, Symbol("no"), () => 1, /x/, new Map([[1, 2]])),
  boxed
)

const { value: anything } = fc.letrec<{ value: unknown }>((tie) => {
  const value = tie("value")
  const key = fc.oneof(text, fc.constantFrom("keyed", "0", "__proto__"))
  const record = fc.dictionary(key, value, { maxKeys: 4 })
  return {
    value: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      leaf,
      record,
      fc.array(value, { maxLength: 4 }),
      fc.sparseArray(value, { maxLength: 4, maxNumElements: 2 }),
      value.map((x) => new Point(x)),
      value.map((what) => new Told(what)),
      value.map((what) => ({ a: 1, toJSON: () => what })),
      value.map((what) => Object.assign([1], { toJSON: () => what })),
      fc.tuple(record, record).map(([own, above]) => Object.setPrototypeOf({ ...own }, above))
    )
  }
})

describe("the size of a value", () => {
  it("is that of its JSON text, whatever JSON escapes, leaves out or writes otherwise", () => {
    fc.assert(
      fc.property(anything, (value) => {
        expect(byteLength(value)).toBe(written(value))
      }),
      { numRuns: 2000 }
    )
  })
  it("is nothing when there is no text", () => {
    for (const value of [undefined, () => 1, Symbol("no"), { toJSON: () => undefined }])
      expect(byteLength(value)).toBe(0)
  })
})
