import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { type Candidate, nearest } from "../../../src/engine/edits/Nearest.ts"

const near = (file: string, wanted: string): ReadonlyArray<Candidate> => {
  const bytes = Buffer.from(file)
  return nearest(bytes, wanted, { start: 0, end: bytes.length })
}

describe("the nearest places", () => {
  it.each([
    [
      "a no-break space",
      "let a\u00a0= 1\n",
      "let a = 1",
      "space",
      "U+0020 SPACE",
      "U+00A0 NO-BREAK SPACE",
      5
    ],
    [
      "a curly quote",
      "say it\u2019s done\n",
      "say it's done",
      "quote",
      "U+0027 APOSTROPHE",
      "U+2019 RIGHT SINGLE QUOTATION MARK",
      6
    ],
    ["a dash", "pages 3\u20135 here\n", "pages 3-5 here", "dash", "U+002D HYPHEN-MINUS", "U+2013 EN DASH", 7],
    ["a tab", "name:\tvalue\n", "name: value", "tab", "U+0020 SPACE", "U+0009 TAB", 5],
    ["letter case", "const Total = 1\n", "const total = 1", "case", "U+0074 t", "U+0054 T", 6],
    [
      "something invisible",
      "foo\u200bbar = 2\n",
      "foobar = 2",
      "invisible",
      "nothing",
      "U+200B ZERO WIDTH SPACE",
      3
    ],
    [
      "another spelling of an accent",
      "cafe\u0301 au lait\n",
      "caf\u00e9 au lait",
      "normalization",
      "U+00E9",
      "U+0065 e",
      3
    ],
    [
      "other text",
      "return left + right\n",
      "return left - right",
      "content",
      "U+002D HYPHEN-MINUS",
      "U+002B +",
      12
    ]
  ])("name %s", (_, file, wanted, kind, expected, found, column) => {
    const [first] = near(file, wanted)
    expect(first).toMatchObject({ start_line: 1, end_line: 1, kinds: [kind], differences_truncated: false })
    expect(first!.differences[0]).toEqual({ kind, line: 1, column, expected, found })
  })

  it("name trailing white space and indentation", () => {
    const [trailing] = near("first  \nsecond\n", "first\nsecond")
    expect(trailing!.kinds).toEqual(["trailing_whitespace"])
    expect(trailing!.differences[0]).toMatchObject({ line: 1, column: 5 })
    const [indented] = near("if (x) {\n    go()\n}\n", "if (x) {\n  go()\n}")
    expect(indented).toMatchObject({ start_line: 1, end_line: 3, kinds: ["indentation"] })
  })

  it("come with lines of the whole file even inside a scope", () => {
    const bytes = Buffer.from("alpha beta\nother\nalpha\u00a0beta\n")
    const [first] = nearest(bytes, "alpha beta", { start: bytes.indexOf("other"), end: bytes.length })
    expect(first).toMatchObject({ start_line: 3, kinds: ["space"] })
  })

  it("put the likeliest first and are at most three", () => {
    const file = Array.from({ length: 50 }, (_, i) => `const value${i} = compute(${i})`).join("\n")
    const all = near(file, "const value31 = compute( 31)")
    expect(all).toHaveLength(3)
    expect(all[0]).toMatchObject({ start_line: 32, kinds: ["whitespace_run"] })
  })

  it("are none when nothing is alike", () => {
    expect(near("completely different\nwords here\n", "fn zzz() -> qqq")).toEqual([])
    expect(near("", "abc")).toEqual([])
    expect(near("abc\n", "  \n ")).toEqual([])
  })

  it("repeat no text of the file beyond single code points, for any input", () => {
    const word = fc.constantFrom(
      "alpha",
      "Beta",
      "\u201c",
      "\u00a0",
      "\t",
      " ",
      "\n",
      "\r\n",
      "é",
      "e\u0301",
      "😀",
      "x"
    )
    const text = fc.array(word, { maxLength: 30 }).map((words) => words.join(""))
    fc.assert(
      fc.property(text, text, (file, wanted) => {
        for (const { differences, start_line, end_line, kinds } of near(file, wanted)) {
          expect(start_line).toBeGreaterThan(0)
          expect(end_line).toBeGreaterThanOrEqual(start_line)
          expect(differences.length).toBeLessThanOrEqual(8)
          for (const { expected, found, kind } of differences) {
            expect(expected).toMatch(/^(nothing|U\+[0-9A-F]{4,6}( .+)?)$/)
            expect(found).toMatch(/^(nothing|U\+[0-9A-F]{4,6}( .+)?)$/)
            expect(kinds).toContain(kind)
          }
        }
      }),
      { numRuns: 1000 }
    )
  })
})
