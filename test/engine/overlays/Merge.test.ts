import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { mergeText } from "../../../src/engine/overlays/Merge.ts"

const runs = { numRuns: 1000 }
const line = fc.stringMatching(/^[a-d]{0,3}$/)
const text = fc
  .tuple(fc.array(line, { maxLength: 12 }), fc.boolean(), fc.constantFrom("\n", "\r\n"))
  .map(([lines, ended, eol]) => lines.join(eol) + (ended ? eol : ""))

describe("merging two versions of a text", () => {
  it("takes what only one side changed", () => {
    fc.assert(
      fc.property(text, text, (base, changed) => {
        expect(mergeText(base, base, changed)).toEqual({ text: changed })
        expect(mergeText(base, changed, base)).toEqual({ text: changed })
        expect(mergeText(base, changed, changed)).toEqual({ text: changed })
      }),
      runs
    )
  })

  it("puts changes of lines that lie apart together as if one were made after the other", () => {
    const unique = fc.integer({ min: 5, max: 40 }).chain((n) =>
      fc.record({
        n: fc.constant(n),
        ours: fc.integer({ min: 0, max: n - 4 }),
        gap: fc.integer({ min: 2, max: 30 }),
        eol: fc.constantFrom("\n", "\r\n"),
        first: line,
        second: line
      })
    )
    fc.assert(
      fc.property(unique, ({ n, ours, gap, eol, first, second }) => {
        const theirs = Math.min(n - 1, ours + gap)
        fc.pre(theirs - ours >= 2)
        const lines = Array.from({ length: n }, (_, i) => `line ${i}`)
        const put = (changes: ReadonlyArray<readonly [number, string]>) => {
          const out = [...lines]
          for (const [at, what] of changes) out[at] = what
          return out.join(eol) + eol
        }
        expect(mergeText(put([]), put([[ours, first]]), put([[theirs, second]]))).toEqual({
          text: put([
            [ours, first],
            [theirs, second]
          ])
        })
      }),
      runs
    )
  })

  it("says how many places both sides changed otherwise", () => {
    expect(mergeText("a\nb\nc\n", "a\nX\nc\n", "a\nY\nc\n")).toEqual({ conflicts: 1 })
    expect(mergeText("a\nb\nc\nd\ne\n", "X\nb\nc\nd\nX\n", "Y\nb\nc\nd\nY\n")).toEqual({ conflicts: 2 })
    expect(mergeText("a\nb\nc\n", "a\nX\nc\n", "a\nX\nc\n")).toEqual({ text: "a\nX\nc\n" })
  })

  it("keeps a missing end of the last line", () => {
    expect(mergeText("a\nb\nc\nd", "A\nb\nc\nd", "a\nb\nc\nD")).toEqual({ text: "A\nb\nc\nD" })
  })
})
