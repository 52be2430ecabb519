import { describe, expect, it } from "@effect/vitest"
import * as FC from "effect/FastCheck"
import { Shift } from "../../../src/facades/change/Shift.ts"

const filler = Array.from({ length: 400 }, (_, i) => `const line${i} = ${i}\n`).join("")

describe("a shift", () => {
  it("follows words over what was put before, behind and far away from them", () => {
    const shift = new Shift(`${filler}one(two)\n${filler}`, `// new\n${filler}one(a, two)\n${filler}`)
    expect(shift.word({ line: 401, column: 0 }, 3)).toEqual({ line: 402, column: 0 })
    expect(shift.word({ line: 401, column: 4 }, 3)).toEqual({ line: 402, column: 7 })
    expect(shift.word({ line: 1, column: 6 }, 5)).toEqual({ line: 2, column: 6 })
    expect(shift.word({ line: 801, column: 6 }, 7)).toEqual({ line: 802, column: 6 })
  })

  it("does not take a part of a word for it", () => {
    const shift = new Shift("one two\n", "oneé two$\n")
    expect(shift.word({ line: 1, column: 0 }, 3)).toBe(undefined)
    expect(shift.word({ line: 1, column: 4 }, 3)).toBe(undefined)
    // What is no word has no letters to go on with.
    expect(new Shift("(a)\n", "x(a)\n").word({ line: 1, column: 0 }, 1)).toEqual({ line: 1, column: 1 })
  })

  it("names the lines that are not the same", () => {
    expect(new Shift(`${filler}a\nb\n${filler}`, `${filler}a\nc\nd\n${filler}`).changedLines()).toEqual({
      before: [402],
      after: [402, 403]
    })
  })

  it("tells what lies before and after all changes", () => {
    const shift = new Shift(`${filler}a\nb\nc\n${filler}`, `${filler}a\nb1\n\n\nb2\nc\n${filler}`)
    expect(shift.around()).toEqual({ above: 402, below: 402, moved: 3 })
    expect(new Shift(`${filler}a\n${filler}`, `${filler}${filler}`).around()).toEqual({
      above: 401,
      below: 402,
      moved: -1
    })
  })

  it("knows where the lines of both texts begin", () => {
    const text = FC.array(FC.constantFrom("a", "b", "\n", "\n\n"), { maxLength: 12 }).map((parts) =>
      parts.join("")
    )
    const startsOf = (of: string) => [0, ...[...of.matchAll(/\n/g)].map(({ index }) => index + 1)]
    FC.assert(
      FC.property(text, text, text, text, (head, before, after, tail) => {
        const [was, is] = [head + before + tail, head + after + tail]
        const shift = new Shift(was, is)
        expect([shift.starts, shift.newStarts]).toEqual([startsOf(was), startsOf(is)])
      }),
      { numRuns: 2000 }
    )
  })

  it("sees a first line that was empty", () => {
    expect(new Shift("\na\n", "x\na\n").changedLines().after).toEqual([1])
    expect(new Shift("\nab", "xab").changedLines()).toEqual({ before: [1], after: [1] })
  })

  it("has nothing where nothing changed", () => {
    expect(new Shift(filler, filler).changedLines()).toEqual({ before: [], after: [] })
    expect(new Shift(filler, filler).around()).toEqual({ above: Infinity, below: Infinity, moved: 0 })
  })
})
