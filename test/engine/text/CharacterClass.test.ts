import { describe, expect, it } from "vitest"
import { askedWord, contains, word } from "../../../src/engine/text/CharacterClass.ts"
import { wordRanges, wordUnicode } from "../../../src/engine/text/WordCharacters.ts"

describe("the characters of words", () => {
  it("are those the engine knows, whatever its version of Unicode", () => {
    // When only this fails, Unicode moved on: write askedWord() down as wordRanges reads it, with the version.
    expect(word()).toEqual(askedWord())
  })

  it("are written down as sorted, disjoint ranges", () => {
    const ranges = wordRanges()
    expect(ranges.length % 2).toBe(0)
    for (let i = 1; i < ranges.length; i++) {
      if (i % 2 === 1) expect(ranges[i]).toBeGreaterThanOrEqual(ranges[i - 1]!)
      else expect(ranges[i]).toBeGreaterThan(ranges[i - 1]! + 1)
    }
    expect(wordUnicode).toMatch(/^\d+\.\d+$/)
    for (const inside of ["a", "Z", "0", "_", "é", "ß", "中", "\u0301", "\u200d", "𐐀"])
      expect(contains(ranges, inside.codePointAt(0)!)).toBe(true)
    for (const outside of [" ", "-", "$", "€", "\u2019", "😀"])
      expect(contains(ranges, outside.codePointAt(0)!)).toBe(false)
  })
})
