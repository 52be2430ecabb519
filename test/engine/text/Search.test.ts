import { describe, expect, it } from "vitest"
import { InvalidPattern } from "../../../src/engine/text/Pattern.ts"
import { Matcher } from "../../../src/engine/text/Matcher.ts"
import {
  searchInSteps,
  searchText,
  type SearchOptions,
  type SearchResult
} from "../../../src/engine/text/Search.ts"
import { seeded } from "./own.ts"

const search = (
  texts: ReadonlyArray<string | Buffer | undefined>,
  pattern: string,
  options: SearchOptions = {}
): SearchResult =>
  searchText(
    pattern,
    {
      files: texts.map((_, id) => id),
      read: (id) => (typeof texts[id] === "string" ? Buffer.from(texts[id]) : texts[id])
    },
    options
  )
const hits = (text: string | Buffer, pattern: string, options: SearchOptions = {}) =>
  search([text], pattern, options).files[0]?.hits ?? []

describe("a hit", () => {
  it("has line, columns in UTF-16 and bytes, byte offsets and the line without its break", () => {
    expect(hits("one\r\n  😀é two two\r\n", "two")).toEqual([
      {
        line: 2,
        endLine: 2,
        text: "  😀é two two",
        clipped: false,
        textColumn: 1,
        matches: 2,
        ranges: [
          { column: 7, byteColumn: 10, byteStart: 14, byteEnd: 17, start: 6, end: 9 },
          { column: 11, byteColumn: 14, byteStart: 18, byteEnd: 21, start: 10, end: 13 }
        ],
        before: [],
        after: []
      }
    ])
  })

  it("on a long line shows a window around the match", () => {
    const line = `${"é".repeat(3000)}needle${"x".repeat(5000)}`
    const [hit] = hits(line, "needle", { maxLineBytes: 100 })
    const [range] = hit!.ranges
    expect(hit!.clipped).toBe(true)
    expect(Buffer.byteLength(hit!.text)).toBeLessThanOrEqual(100)
    expect(hit!.text.slice(range!.start, range!.end)).toBe("needle")
    expect(range!.column).toBe(3001)
    expect(line.slice(hit!.textColumn - 1, hit!.textColumn - 1 + hit!.text.length)).toBe(hit!.text)
  })

  it("longer than the window shows its beginning", () => {
    const [hit] = hits("a".repeat(1000), "a+", { regexp: true, maxLineBytes: 50 })
    expect([hit!.text, hit!.ranges[0]!.start, hit!.ranges[0]!.end, hit!.ranges[0]!.byteEnd]).toEqual([
      "a".repeat(50),
      0,
      50,
      1000
    ])
  })

  it("over several lines holds them all", () => {
    const [hit, ...more] = hits("a {\n  b\n} c\nd\n", "\\{[^}]*\\}", { regexp: true, multiline: true })
    expect(more).toEqual([])
    expect([hit!.line, hit!.endLine, hit!.text]).toEqual([1, 3, "a {\n  b\n} c"])
    expect(hit!.ranges).toEqual([{ column: 3, byteColumn: 3, byteStart: 2, byteEnd: 9, start: 2, end: 9 }])
  })

  it("counts columns from the line a match begins in", () => {
    const [hit] = hits("ab\ncd x\n", "b\\nc|x", { regexp: true, multiline: true })
    expect(hit!.ranges.map(({ column, byteColumn, start, end }) => [column, byteColumn, start, end])).toEqual(
      [
        [2, 2, 1, 4],
        [4, 4, 6, 7]
      ]
    )
  })

  it("shows malformed bytes as U+FFFD", () => {
    expect(hits(Buffer.from([0x61, 0xff, 0x62, 0x0a]), "b")[0]).toMatchObject({
      text: "a\ufffdb",
      ranges: [{ column: 3, byteColumn: 3, byteStart: 2 }]
    })
  })

  it("counts byte offsets with a byte order mark, columns without", () => {
    expect(hits("\ufeffname", "^name", { regexp: true })[0]!.ranges).toEqual([
      { column: 1, byteColumn: 1, byteStart: 3, byteEnd: 7, start: 0, end: 4 }
    ])
  })

  it("is found in UTF-16 with a byte order mark", () => {
    expect(hits(Buffer.from("\ufeffa\nname\n", "utf16le"), "name")[0]).toMatchObject({
      line: 2,
      text: "name"
    })
  })
})

describe("context", () => {
  const text = "1\n2\n3 x\n4\n5\n6 x\n7\n8\n9 x\n"
  it("never shows a line twice", () => {
    const found = hits(text, "x", { before: 2, after: 2 })
    expect(
      found.map((hit) => [hit.before.map(({ line }) => line), hit.line, hit.after.map(({ line }) => line)])
    ).toEqual([
      [[1, 2], 3, [4, 5]],
      [[], 6, [7, 8]],
      [[], 9, []]
    ])
    expect(found[0]!.before).toEqual([
      { line: 1, text: "1", clipped: false },
      { line: 2, text: "2", clipped: false }
    ])
  })
})

describe("limits are told", () => {
  const texts = ["x\nx\nx\n", "none", "x\nx\n", "x\n"]
  it("and without any the totals are exact", () => {
    const result = search(texts, "x")
    expect(result.totals).toEqual({ files: 3, lines: 6, matches: 6, exact: true })
    expect([result.truncated, result.incomplete]).toEqual([undefined, undefined])
  })

  it("per file, while counting goes on", () => {
    const result = search(texts, "x", { perFile: 2 })
    expect(result.files.map((file) => [file.hits.length, file.lines, file.truncated])).toEqual([
      [2, 3, "per_file"],
      [2, 2, undefined],
      [1, 1, undefined]
    ])
    expect([result.totals, result.truncated]).toEqual([
      { files: 3, lines: 6, matches: 6, exact: true },
      "per_file"
    ])
  })

  it("in all, with totals as lower bounds", () => {
    const result = search(texts, "x", { limit: 4 })
    expect(result.files.map((file) => [file.hits.length, file.lines, file.truncated])).toEqual([
      [3, 3, undefined],
      [1, 2, "limit"]
    ])
    expect([result.totals, result.truncated]).toEqual([
      { files: 2, lines: 5, matches: 5, exact: false },
      "limit"
    ])
  })

  it("only when they cut something off", () => {
    expect(search(texts, "x", { limit: 6 }).truncated).toBe(undefined)
    expect(search(texts, "x", { limit: 5 })).toMatchObject({
      truncated: "limit",
      totals: { files: 3, lines: 6, exact: false }
    })
    expect(search(texts, "x", { limit: 3, mode: "files" })).toMatchObject({
      totals: { files: 3, exact: true }
    })
    expect(search(texts, "x", { limit: 2, mode: "files" })).toMatchObject({
      truncated: "limit",
      totals: { exact: false }
    })
  })

  it("of ranges, with all matches counted", () => {
    const [hit] = hits("x".repeat(300), "x", { maxRanges: 5 })
    expect([hit!.ranges.length, hit!.matches]).toEqual([5, 300])
  })
})

describe("lines to pass over", () => {
  it("are neither told nor counted, and the others are as they were", () => {
    const next = seeded(11)
    const texts = Array.from({ length: 40 }, () =>
      Array.from({ length: 12 }, () => ["", "x", "y x x", "yy", "x y"][next(5)]!).join("\n")
    )
    const passes = (file: number, line: number) => file % 5 > 0 && (file * 7 + line * 3) % 4 === 0
    const except = (file: number) => (file % 5 > 0 ? (line: number) => passes(file, line) : undefined)
    const all = search(texts, "x")
    const kept = all.files
      .map(({ fileId, hits }) => [fileId, hits.filter(({ line }) => !passes(fileId, line))] as const)
      .filter(([, hits]) => hits.length > 0)
    const found = search(texts, "x", { except })
    expect(found.files.map(({ fileId, hits }) => [fileId, hits])).toEqual(kept)
    const count = (of: (hit: { readonly matches: number }) => number) =>
      kept.flatMap(([, hits]) => hits).reduce((sum, hit) => sum + of(hit), 0)
    expect(found.totals).toEqual({
      files: kept.length,
      lines: count(() => 1),
      matches: count(({ matches }) => matches),
      exact: true
    })
    expect(all.totals.lines).toBeGreaterThan(found.totals.lines)
    expect(search(texts, "x", { except, mode: "files" }).totals.files).toBe(kept.length)
  })

  it("take none of the room there is", () => {
    const texts = ["x 1\nx 2\nx 3\nx 4\n", "x 1\nx 2\n"]
    const result = search(texts, "x", { limit: 2, except: () => (line) => line < 3 })
    expect(result.files.map(({ hits }) => hits.map(({ line }) => line))).toEqual([[3, 4]])
    expect(result.truncated).toBe(undefined)
    expect(result.totals).toMatchObject({ files: 1, lines: 2, exact: true })
  })
})

describe("modes", () => {
  it("files answers which, count how often", () => {
    const texts = ["x x\nx\n", "y", "x"]
    expect(search(texts, "x", { mode: "files" }).files.map(({ fileId, hits }) => [fileId, hits])).toEqual([
      [0, []],
      [2, []]
    ])
    expect(
      search(texts, "x", { mode: "count" }).files.map(({ fileId, lines, matches, exact }) => [
        fileId,
        lines,
        matches,
        exact
      ])
    ).toEqual([
      [0, 2, 3, true],
      [2, 1, 1, true]
    ])
  })
})

describe("a search in steps", () => {
  it("pauses between files and answers the same", () => {
    const texts = ["x", "y", "x x"]
    const corpus = { files: texts.map((_, id) => id), read: (id: number) => Buffer.from(texts[id]!) }
    const steps = searchInSteps(new Matcher("x"), corpus, { stepMs: 0 })
    let pauses = 0
    let step = steps.next()
    for (; step.done !== true; step = steps.next()) pauses++
    expect(pauses).toBe(3)
    expect(step.value).toEqual(search(texts, "x"))
  })
})

describe("files that are not searched are counted", () => {
  it("binary and unreadable ones", () => {
    const result = search([Buffer.from("x\0"), undefined, "x"], "x")
    expect([
      result.binary,
      result.unreadable,
      result.searched,
      result.files.map((file) => file.fileId)
    ]).toEqual([1, [1], 2, [2]])
  })

  it("a NUL beyond the first 8 KiB does not make a file binary", () => {
    expect(search([`${"y".repeat(8192)}\0x`], "x").totals.matches).toBe(1)
  })
})

describe("an invalid pattern", () => {
  const position = (pattern: string, options: SearchOptions = { regexp: true }): unknown => {
    try {
      search([""], pattern, options)
      return "accepted"
    } catch (error) {
      return error instanceof InvalidPattern ? [error.code, error.position] : error
    }
  }
  it("is refused with the position of what is wrong", () => {
    expect(position("ab(?=c)")).toEqual(["invalid_pattern", 2])
    expect(position("(a)\\1")).toEqual(["invalid_pattern", 3])
    expect(position("ab(c")).toEqual(["invalid_pattern", 2])
    expect(position("ab)")).toEqual(["invalid_pattern", 2])
    expect(position("a|*")).toEqual(["invalid_pattern", 2])
    expect(position("x[a")).toEqual(["invalid_pattern", 1])
    expect(position("fn {")).toEqual(["invalid_pattern", 3])
    expect(position("a\\nb")).toEqual(["invalid_pattern", 1])
    expect(position("a\nb", {})).toEqual(["invalid_pattern", 1])
    expect(position("\\pZz{")).toEqual(["invalid_pattern", 4])
    expect(position("(?-u:\\W)")).toEqual(["invalid_pattern", 5])
  })

  it("that would compile to too much is refused", () => {
    expect(position("((a{1000}){1000}){1000}")).toEqual(["invalid_pattern", 0])
    expect(position("(".repeat(100) + "a" + "){8}".repeat(100))).toEqual(["invalid_pattern", 0])
    expect(position("(".repeat(300) + ")".repeat(300))).toMatchObject(["invalid_pattern", expect.any(Number)])
  })

  it("is not what repeats nothing very often", () => {
    expect(search(["b"], "(?:){4000000000}b", { regexp: true }).totals.matches).toBe(1)
    expect(search(["b"], `${"(?:".repeat(100)}${"){8}".repeat(100)}b`, { regexp: true }).totals.matches).toBe(
      1
    )
  })
})

describe("hostile patterns and files", () => {
  const long = "a".repeat(10_000_000)
  const unhurried = { regexp: true, deadlineMs: Infinity }
  it("finish in linear time", () => {
    expect(search([long], "(a+)+$", unhurried).totals).toEqual({
      files: 1,
      lines: 1,
      matches: 1,
      exact: true
    })
    expect(search([`${long}b`], "(a+)+$", unhurried).totals.matches).toBe(0)
    expect(search([long], "(.*a){20}", unhurried).totals.matches).toBe(1)
    // Position n decides what holds at n + 200: a DFA state for almost every byte.
    const random = seeded(3)
    const noise = Array.from({ length: 20_000 }, () => "ab"[random(2)]).join("")
    const expected = noise.at(-200) === "a" ? 1 : 0
    expect(search([noise], "[ab]*a[ab]{199}$", unhurried).totals.matches).toBe(expected)
    expect(search(["a".repeat(200)], "(?:a?){200}a{200}", unhurried).totals.matches).toBe(1)
  }, 30_000)

  it("or stop at the deadline and say so", () => {
    const result = search([long, "a"], "a(.*b)?|x", { regexp: true, deadlineMs: 50 })
    expect([result.incomplete, result.totals.exact, result.searched]).toEqual(["deadline", false, 1])
  })

  it("with a deadline of zero read nothing", () => {
    expect(search(["a"], "a", { deadlineMs: 0 })).toMatchObject({
      incomplete: "deadline",
      searched: 0,
      candidates: 1,
      files: []
    })
  })
})
