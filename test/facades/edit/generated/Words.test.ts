import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { renaming, wordsOf } from "../../../../src/facades/edit/generated/Words.ts"

describe("renaming", () => {
  it("keeps every spelling and leaves words alone that only look alike", () => {
    const { apply, has } = renaming("maxLines", "noEmptyBlocks")
    expect(apply("maxLines MaxLines max_lines MAX_LINES max-lines maxlines")).toBe(
      "noEmptyBlocks NoEmptyBlocks no_empty_blocks NO_EMPTY_BLOCKS no-empty-blocks noemptyblocks"
    )
    expect(apply("useMaxLinesRule maxLinesOf MAX_LINES_LIMIT x_max_lines")).toBe(
      "useNoEmptyBlocksRule noEmptyBlocksOf NO_EMPTY_BLOCKS_LIMIT x_no_empty_blocks"
    )
    for (const other of ["maxLinesman", "climaxLines", "MaxLinesque", "maxLines2"]) {
      expect(apply(other)).toBe(other)
      expect(has(other)).toBe(false)
    }
  })

  it("decides by the neighbours what a single word becomes", () => {
    const { apply } = renaming("serve", "watchAll")
    expect(apply("serve serve_now serve-now Serve SERVE reserve server")).toBe(
      "watchAll watch_all_now watch-all-now WatchAll WATCH_ALL reserve server"
    )
  })

  it("splits names into words", () => {
    expect(wordsOf("HTTPServer2")).toEqual(["http", "server2"])
    expect(wordsOf("__max-lines_of")).toEqual(["max", "lines", "of"])
  })

  it("goes back to where it came from, for names of two words", () => {
    const word = fc.stringMatching(/^[b-df-hj-np-tv-z]{3,6}$/)
    const name = fc.tuple(word, word).map(([a, b]) => `${a}${b[0]!.toUpperCase()}${b.slice(1)}`)
    fc.assert(
      fc.property(name, name, fc.array(fc.nat(5), { maxLength: 6 }), (from, to, picks) => {
        fc.pre(from.toLowerCase() !== to.toLowerCase())
        const [a, b] = wordsOf(from) as [string, string]
        const spelled = [
          from,
          `${a}_${b}`,
          `${a}-${b}`,
          `${a}_${b}`.toUpperCase(),
          from[0]!.toUpperCase() + from.slice(1),
          "e.a(1)"
        ]
        const text = picks.map((at) => spelled[at]!).join(" = ")
        expect(renaming(to, from).apply(renaming(from, to).apply(text))).toBe(text)
      }),
      { numRuns: 300 }
    )
  })
})
