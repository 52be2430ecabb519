import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { editDistance } from "../../../src/engine/symbols/Distance.ts"
import { longestWord, stemOf, words } from "../../../src/engine/symbols/Words.ts"

describe("words", () => {
  it.each([
    ["HTTPServer", ["http", "server"]],
    ["parseURLs", ["parse", "urls"]],
    ["getUserByID2", ["get", "user", "by", "id", "2"]],
    ["snake_case_name", ["snake", "case", "name"]],
    ["src/routes/api-v2.ts", ["src", "routes", "api", "v", "2", "ts"]],
    ["XMLHttpRequest", ["xml", "http", "request"]],
    ["__init__", ["init"]],
    ["größeÄndern", ["größeändern"]]
  ])("splits %s", (text, expected) => {
    expect(words(text)).toEqual(expected)
  })

  it("keeps every letter and digit, in order", () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[A-Za-z0-9_. /-]{0,20}$/), { maxLength: 4 }), (parts) => {
        const text = parts.join(" ")
        expect(words(text).every((w) => w.length <= longestWord)).toBe(true)
        if (words(text).every((w) => w.length < longestWord))
          expect(words(text).join("")).toBe(text.toLowerCase().replace(/[^a-z0-9]/g, ""))
      })
    )
  })

  it("gives words made of its own words back", () => {
    const word = fc.stringMatching(/^[a-z]{2,10}$/)
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), (list) => {
        expect(words(list.join("_"))).toEqual(list)
        expect(words(list.map((w) => w[0]!.toUpperCase() + w.slice(1)).join(""))).toEqual(list)
      })
    )
  })
})

describe("stems", () => {
  it.each([
    ["parses", "parsed"],
    ["parsing", "parsed"],
    ["queries", "query"],
    ["classes", "class"],
    ["routing", "routed"],
    ["stopped", "stops"],
    ["paths", "path"],
    ["certificates", "certificate"],
    ["renewed", "renews"]
  ])("%s and %s meet", (a, b) => {
    expect(stemOf(a)).toBe(stemOf(b))
  })
  it.each([
    ["status", "state"],
    ["string", "strip"],
    ["address", "add"],
    ["thing", "the"],
    ["class", "clan"]
  ])("%s and %s do not", (a, b) => {
    expect(stemOf(a)).not.toBe(stemOf(b))
  })
  it("are never empty nor longer than the word", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{1,20}$/), (word) => {
        expect(stemOf(word).length).toBeGreaterThan(0)
        expect(stemOf(word).length).toBeLessThanOrEqual(word.length)
      })
    )
  })
})

describe("edit distance", () => {
  const reference = (a: string, b: string): number => {
    const d = Array.from({ length: a.length + 1 }, (_, i) =>
      Array.from({ length: b.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0))
    )
    for (let i = 1; i <= a.length; i++) {
      for (let j = 1; j <= b.length; j++) {
        d[i]![j] = Math.min(
          d[i - 1]![j]! + 1,
          d[i]![j - 1]! + 1,
          d[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
        )
        if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
          d[i]![j] = Math.min(d[i]![j]!, d[i - 2]![j - 2]! + 1)
      }
    }
    return d[a.length]![b.length]!
  }
  it("is that of the full table, up to its bound", () => {
    const text = fc.stringMatching(/^[ab_c]{0,9}$/)
    fc.assert(
      fc.property(text, text, (a, b) => {
        for (const most of [1, 2]) expect(editDistance(a, b, most)).toBe(Math.min(reference(a, b), most + 1))
      }),
      { numRuns: 500 }
    )
  })
})
