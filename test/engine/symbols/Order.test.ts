import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { Interner } from "../../../src/engine/languages/Interner.ts"
import { byLowerCase, merged } from "../../../src/engine/symbols/Order.ts"

const interned = (texts: ReadonlyArray<string>): Interner => {
  const names = new Interner()
  for (const text of texts) names.string(text)
  return names
}

/** The same order, said with strings. */
const expected = (names: Interner, from: number, to: number): ReadonlyArray<number> =>
  Array.from({ length: to - from }, (_, i) => from + i)
    .map((n) => ({ n, lower: names.text(n).toLowerCase() }))
    .sort((a, b) => (a.lower < b.lower ? -1 : a.lower > b.lower ? 1 : a.n - b.n))
    .map(({ n }) => n)

describe("names by lower-case spelling", () => {
  it("stand as their strings would, whatever characters they have", () => {
    const letter = fc.constantFrom(
      "a",
      "A",
      "b",
      "Z",
      "_",
      "$",
      "1",
      "ä",
      "Ä",
      "İ",
      "K",
      "\u{1f600}",
      "\uff21",
      "\0"
    )
    const name = fc.string({ unit: letter, maxLength: 12 })
    fc.assert(
      fc.property(fc.array(name, { maxLength: 200 }), (texts) => {
        const names = interned(texts)
        expect(Array.from(byLowerCase(names, 1, names.size))).toEqual(expected(names, 1, names.size))
      })
    )
  })

  it("stand so where many share a long beginning", () => {
    const texts = Array.from(
      { length: 3000 },
      (_, i) => `handleRequest${i % 2 === 0 ? "A" : "a"}${(i * 7919) % 3001}`
    )
    const names = interned([
      ...texts,
      "handle",
      "HANDLE",
      "handleRequest",
      "x".repeat(5000),
      `${"X".repeat(5000)}y`
    ])
    expect(Array.from(byLowerCase(names, 1, names.size))).toEqual(expected(names, 1, names.size))
  })

  it("take new ones in where they belong", () => {
    const names = interned(["beta", "Alpha", "gamma", "alpha", "Gamma", "ALPHA", "delta"])
    const old = byLowerCase(names, 1, 5)
    const fresh = Array.from(byLowerCase(names, 5, names.size), (n) => ({
      n,
      lower: names.text(n).toLowerCase()
    }))
    expect(Array.from(merged(names, old, fresh), (n) => names.text(n))).toEqual([
      "Alpha",
      "alpha",
      "ALPHA",
      "beta",
      "delta",
      "gamma",
      "Gamma"
    ])
  })
})
