import * as fc from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { Interner } from "../../../src/engine/languages/Interner.ts"

/** The same, in memory of its own. */
const copied = (names: Interner) => {
  const { hashes, offsets, store, table } = names.columns()
  return { hashes: hashes.slice(), offsets: offsets.slice(), store: store.slice(), table: table.slice() }
}
const texts = (names: Interner) => Array.from({ length: names.size }, (_, id) => names.text(id))

describe("an interner made of columns", () => {
  it("knows what the one they came from knew, and goes on like it", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: "grapheme", maxLength: 12 }), { maxLength: 60 }),
        fc.array(fc.string({ unit: "grapheme", maxLength: 12 }), { maxLength: 60 }),
        (before, after) => {
          const first = new Interner()
          for (const text of before) first.string(text)
          const second = new Interner(copied(first))
          expect(texts(second)).toEqual(texts(first))
          for (const text of before) expect(second.find(text)).toBe(first.find(text))
          for (const text of [...after, ...before]) expect(second.string(text)).toBe(first.string(text))
          expect(texts(second)).toEqual(texts(first))
          expect(second.find("")).toBe(0)
        }
      )
    )
  })

  it("gives the same strings again when it forgot them", () => {
    const names = new Interner()
    const ids = ["", "one", "größe", "\u{1f600}"].map((text) => names.string(text))
    const texts = ids.map((id) => names.text(id))
    names.forgetTexts()
    expect(ids.map((id) => names.text(id))).toEqual(texts)
    expect(names.string("one")).toBe(ids[1])
  })

  it("grows past every array it was given", () => {
    const first = new Interner()
    for (let i = 0; i < 20_000; i++) first.string(`name ${i}`)
    const second = new Interner(copied(first))
    for (let i = 20_000; i < 60_000; i++) expect(second.string(`name ${i}`)).toBe(i + 1)
    for (let i = 0; i < 60_000; i += 7) expect(second.find(`name ${i}`)).toBe(i + 1)
    expect(first.size).toBe(20_001)
  })

  it("is refused when they do not fit each other", () => {
    const names = new Interner()
    names.string("one")
    names.string("two")
    const good = copied(names)
    const none = new Int32Array(0)
    for (const wrong of [
      { ...good, hashes: none },
      { ...good, offsets: good.offsets.subarray(1) },
      { ...good, offsets: good.offsets.map((at) => at + 1) },
      { ...good, store: good.store.subarray(1) },
      { ...good, table: good.table.subarray(1) },
      { ...good, table: new Int32Array(4) }
    ])
      expect(() => new Interner(wrong)).toThrow(RangeError)
  })
})
