import type { TextEdit } from "../../../src/services/LocalWriter.ts"
import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { endingOf, endingOfBytes } from "../../../src/engine/edits/LineEndings.ts"
import {
  applyReplacements,
  checkEdit,
  type Matched,
  matchEdit,
  Subject
} from "../../../src/engine/edits/Matcher.ts"
import { EditRefused } from "../../../src/services/EditRefused.ts"
import { reasonOf, refusedOf } from "./support.ts"

const on = (file: string | Uint8Array, edit: TextEdit): Matched | EditRefused =>
  checkEdit(edit) ?? matchEdit(new Subject(Buffer.from(file as string)), edit)

const edited = (file: string | Uint8Array, edit: TextEdit): string => {
  const matched = on(file, edit)
  if (matched instanceof EditRefused) throw matched
  return applyReplacements(Buffer.from(file as string), matched.replacements).toString("utf8")
}

/** What a refusal says about retrying. */
const recoveryOf = (value: unknown) => refusedOf(value).data!["conflict_recovery"] as Record<string, unknown>

describe("matching", () => {
  it("admits a unique match and refuses none and several", () => {
    expect(edited("a b c", { match: "b", replacement: "B" })).toBe("a B c")
    expect(reasonOf(on("a b c", { match: "d", replacement: "" }))).toBe("match_not_found")
    expect(reasonOf(on("a b b", { match: "b", replacement: "" }))).toBe("multiple_matches")
  })

  it("counts a text that overlaps itself as ambiguous", () => {
    const refused = refusedOf(on("aaa", { match: "aa", replacement: "b" }))
    expect(refused.reason).toBe("multiple_matches")
    expect(refused.data!["overlapping_match_count"]).toBe(2)
    expect(edited("aaa", { match: "aa", replacement: "b", occurrence: 1 })).toBe("ba")
    expect(edited("aaaa", { match: "aa", replacement: "b", expectedMatchCount: 2 })).toBe("bb")
  })

  it("takes characters of patterns literally", () => {
    expect(edited("a.*b axxb", { match: "a.*b", replacement: "$&\\1" })).toBe("$&\\1 axxb")
    expect(edited("f(x)? [y]", { match: "(x)? [y]", replacement: "" })).toBe("f")
  })

  it("tells code points apart that look alike", () => {
    expect(reasonOf(on("it\u2019s", { match: "it's", replacement: "" }))).toBe("match_not_found")
    expect(reasonOf(on("a\u00a0b", { match: "a b", replacement: "" }))).toBe("match_not_found")
    expect(reasonOf(on("caf\u00e9", { match: "cafe\u0301", replacement: "" }))).toBe("match_not_found")
    expect(reasonOf(on("cafe\u0301", { match: "cafe", replacement: "cave" }))).toBe("succeeded")
  })

  it("hands over what a retry needs when there are several matches", () => {
    const file = "x\n1\nx\nx\n"
    const recovery = recoveryOf(on(file, { match: "x", replacement: "y" }))
    expect(recovery).toEqual({
      schema_version: 1,
      conflict_kind: "multiple_matches",
      match_count: 3,
      occurrence_selector_supported: true,
      direct_retry_safe: true,
      reread_required: false,
      candidate_ranges: [
        { occurrence: 1, start_line: 1, end_line: 1 },
        { occurrence: 2, start_line: 3, end_line: 3 },
        { occurrence: 3, start_line: 4, end_line: 4 }
      ],
      candidates_truncated: false,
      recovery_action: "select_occurrence_or_refine_match"
    })
    expect(edited(file, { match: "x", replacement: "y", occurrence: 2 })).toBe("x\n1\ny\nx\n")
  })

  it("lists at most eight candidates and says that there are more", () => {
    const recovery = recoveryOf(on("x\n".repeat(38), { match: "x", replacement: "y" }))
    expect(recovery["candidate_ranges"]).toHaveLength(8)
    expect([recovery["match_count"], recovery["candidates_truncated"]]).toEqual([38, true])
    const matched = on("x\n".repeat(38), { match: "x", replacement: "y", expectedMatchCount: 38 })
    if (matched instanceof EditRefused) throw matched
    expect([matched.matchCount, matched.ranges.length, matched.rangesTruncated]).toEqual([38, 8, true])
  })
})

describe("expected_match_count", () => {
  it.each([
    [0, "invalid_expected_match_count"],
    [1, "match_count_mismatch"],
    [2, "match_count_mismatch"],
    [3, "succeeded"],
    [4, "match_count_mismatch"],
    [1024, "match_count_mismatch"],
    [1025, "invalid_expected_match_count"],
    [2.5, "invalid_expected_match_count"]
  ])("of %d against three matches: %s", (expectedMatchCount, reason) => {
    const result = on("x x x", { match: "x", replacement: "y", expectedMatchCount })
    expect(reasonOf(result)).toBe(reason)
    if (reason === "match_count_mismatch") expect(refusedOf(result).data!["match_count"]).toBe(3)
  })

  it("reaches 1,024 matches", () => {
    expect(edited("x".repeat(1024), { match: "x", replacement: "y", expectedMatchCount: 1024 })).toBe(
      "y".repeat(1024)
    )
    expect(reasonOf(on("x".repeat(1025), { match: "x", replacement: "y", expectedMatchCount: 1024 }))).toBe(
      "match_count_mismatch"
    )
    expect(reasonOf(on("x".repeat(1025), { match: "x", replacement: "y", replaceAll: true }))).toBe(
      "match_count_mismatch"
    )
  })

  it("excludes occurrence, and both exclude replace_all", () => {
    const both = { match: "x", replacement: "y", occurrence: 1, expectedMatchCount: 1 }
    expect(reasonOf(on("x", both))).toBe("occurrence_with_expected_match_count")
    expect(reasonOf(on("x", { match: "x", replacement: "y", occurrence: 1, replaceAll: true }))).toBe(
      "occurrence_with_expected_match_count"
    )
  })
})

describe("occurrence", () => {
  it("counts over the whole file", () => {
    expect(edited("x x x x", { match: "x", replacement: "y", occurrence: 3 })).toBe("x x y x")
    expect(reasonOf(on("x x", { match: "x", replacement: "y", occurrence: 3 }))).toBe(
      "occurrence_out_of_range"
    )
    expect(reasonOf(on("x x", { match: "x", replacement: "y", occurrence: 0 }))).toBe("invalid_occurrence")
  })

  it("keeps its number under a line scope", () => {
    const file = "x\nx\nx\n"
    const lineScope = { startLine: 2, endLine: 3 }
    expect(edited(file, { match: "x", replacement: "y", occurrence: 3, lineScope })).toBe("x\nx\ny\n")
    const outside = on(file, { match: "x", replacement: "y", occurrence: 1, lineScope })
    expect(reasonOf(outside)).toBe("occurrence_outside_line_scope")
    expect(recoveryOf(outside)["candidate_ranges"]).toEqual([
      { occurrence: 2, start_line: 2, end_line: 2 },
      { occurrence: 3, start_line: 3, end_line: 3 }
    ])
  })
})

describe("line_scope", () => {
  it("counts only what lies fully inside", () => {
    const file = "a\nb\nc\na\nb\nc\n"
    expect(edited(file, { match: "b", replacement: "B", lineScope: { startLine: 4, endLine: 6 } })).toBe(
      "a\nb\nc\na\nB\nc\n"
    )
    expect(
      reasonOf(on(file, { match: "b\nc", replacement: "", lineScope: { startLine: 2, endLine: 2 } }))
    ).toBe("match_not_found")
    expect(
      reasonOf(on(file, { match: "b\nc", replacement: "", lineScope: { startLine: 2, endLine: 3 } }))
    ).toBe("succeeded")
  })

  it("has a line break belong to the line it ends", () => {
    expect(edited("a\nb\n", { match: "a\n", replacement: "", lineScope: { startLine: 1, endLine: 1 } })).toBe(
      "b\n"
    )
  })

  it("refuses a start after the end and accepts an end after the file's", () => {
    expect(reasonOf(on("a", { match: "a", replacement: "", lineScope: { startLine: 2, endLine: 1 } }))).toBe(
      "invalid_line_scope"
    )
    expect(reasonOf(on("a", { match: "a", replacement: "", lineScope: { startLine: 0, endLine: 1 } }))).toBe(
      "invalid_line_scope"
    )
    expect(edited("a", { match: "a", replacement: "b", lineScope: { startLine: 1, endLine: 99 } })).toBe("b")
    expect(reasonOf(on("a", { match: "a", replacement: "", lineScope: { startLine: 7, endLine: 9 } }))).toBe(
      "match_not_found"
    )
  })
})

describe("line endings", () => {
  it("match LF text in a CRLF file and write CRLF back", () => {
    const matched = on("a\r\nb\r\nc\r\n", { match: "a\nb", replacement: "x\ny\nz" })
    if (matched instanceof EditRefused) throw matched
    expect(matched.eolNormalized).toBe(true)
    expect(edited("a\r\nb\r\nc\r\n", { match: "a\nb", replacement: "x\ny\nz" })).toBe("x\r\ny\r\nz\r\nc\r\n")
  })

  it("match CRLF text in an LF file and write LF back", () => {
    expect(edited("a\nb\n", { match: "a\r\nb", replacement: "x\r\ny" })).toBe("x\ny\n")
  })

  it("are not touched by an edit without any", () => {
    const matched = on("a\r\nb\r\n", { match: "b", replacement: "c" })
    expect(matched).toMatchObject({ eolNormalized: false })
    expect(edited("a\r\nb\r\n", { match: "b", replacement: "c" })).toBe("a\r\nc\r\n")
  })

  it.each([
    ["a\nb\r\n", "a", "b", "mixed_line_endings", "file"],
    ["a\rb\n", "a", "b", "bare_carriage_return", "file"],
    ["a\n", "a\nb\r\n", "", "mixed_line_endings", "match"],
    ["a\n", "a", "x\r\ny\n", "mixed_line_endings", "replacement"],
    ["a\n", "a\r", "", "bare_carriage_return", "match"],
    ["a\n", "a", "\r\r\n", "bare_carriage_return", "replacement"]
  ])("that are ambiguous are refused: %j, %j -> %j", (file, match, replacement, reason, where) => {
    const refused = refusedOf(on(file, { match, replacement }))
    expect([refused.reason, refused.data!["where"]]).toEqual([reason, where])
  })

  it("are read alike from bytes and from text", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("\r", "\n", "a", "é")).map((parts) => parts.join("")),
        (text) => {
          expect(endingOfBytes(Buffer.from(text))).toBe(endingOf(text))
        }
      ),
      { numRuns: 1000 }
    )
  })
})

describe("bytes outside an edit", () => {
  it("keep a byte order mark, a missing final newline, odd spaces and quotes", () => {
    const file = "\ufeff\u201chi\u201d\u00a0there\tx\u2028y"
    expect(edited(file, { match: "x", replacement: "z" })).toBe("\ufeff\u201chi\u201d\u00a0there\tz\u2028y")
  })

  it("are not touched in a file that is not UTF-8: it is refused", () => {
    expect(reasonOf(on(Buffer.from([0x61, 0xe9, 0x62]), { match: "a", replacement: "b" }))).toBe(
      "invalid_utf8"
    )
    expect(reasonOf(on(Buffer.from("\ufeffa\n", "utf16le"), { match: "a", replacement: "b" }))).toBe(
      "invalid_utf8"
    )
  })
})

describe("text of a request", () => {
  it("is refused when empty or half a character", () => {
    expect(reasonOf(on("a", { match: "", replacement: "b" }))).toBe("empty_match")
    expect(reasonOf(on("a", { match: "\ud83d", replacement: "b" }))).toBe("invalid_text")
    expect(reasonOf(on("a", { match: "a", replacement: "\ude00" }))).toBe("invalid_text")
  })
})

/** A second opinion, over arrays of code points and nothing else. */
const oracle = (file: string, edit: TextEdit): string | null => {
  const crlf = file.includes("\r\n")
  const lf = !crlf && file.includes("\n")
  const tidy = (text: string) =>
    crlf ? text.split("\r\n").join("\n").split("\n").join("\r\n") : lf ? text.split("\r\n").join("\n") : text
  const points = [...file]
  const needle = [...tidy(edit.match)]
  const lines: Array<number> = []
  let line = 1
  for (const point of points) {
    lines.push(line)
    if (point === "\n") line++
  }
  const all: Array<{ at: number; n: number | null }> = []
  let next = 0
  let n = 0
  for (let at = 0; at + needle.length <= points.length; at++) {
    if (!needle.every((point, i) => points[at + i] === point)) continue
    if (at >= next) {
      next = at + needle.length
      all.push({ at, n: ++n })
    } else all.push({ at, n: null })
  }
  const scope = edit.lineScope ?? { startLine: 1, endLine: Infinity }
  const inside = all.filter(
    ({ at }) => lines[at]! >= scope.startLine && lines[at + needle.length - 1]! <= scope.endLine
  )
  const numbered = inside.filter((found) => found.n !== null)
  const chosen =
    edit.occurrence !== undefined
      ? numbered.filter((found) => found.n === edit.occurrence)
      : edit.expectedMatchCount !== undefined
        ? numbered.length === edit.expectedMatchCount
          ? numbered
          : []
        : edit.replaceAll === true
          ? numbered
          : inside.length === 1
            ? inside
            : []
  if (chosen.length === 0) return null
  const out: Array<string> = []
  let from = 0
  for (const { at } of chosen) {
    out.push(...points.slice(from, at), tidy(edit.replacement))
    from = at + needle.length
  }
  return [...out, ...points.slice(from)].join("")
}

const alphabet = fc.constantFrom("a", "a", "a", "b", "é", "\u00a0", "😀", "\n", "\n", ".")
const textOf = (max: number, min = 0) =>
  fc.array(alphabet, { minLength: min, maxLength: max }).map((parts) => parts.join(""))
const ended = (text: string, crlf: boolean) => (crlf ? text.replaceAll("\n", "\r\n") : text)

const cases = fc
  .record({
    file: textOf(40),
    crlf: fc.boolean(),
    editCrlf: fc.boolean(),
    match: textOf(4, 1),
    cut: fc.option(fc.tuple(fc.nat(39), fc.integer({ min: 1, max: 6 })), { nil: undefined }),
    replacement: textOf(4),
    selector: fc.oneof(
      fc.constant({}),
      fc.record({ occurrence: fc.integer({ min: 1, max: 4 }) }),
      fc.record({ expectedMatchCount: fc.integer({ min: 1, max: 4 }) }),
      fc.constant({ replaceAll: true })
    ),
    lineScope: fc.option(
      fc.tuple(fc.integer({ min: 1, max: 5 }), fc.nat(4)).map(([startLine, more]) => ({
        startLine,
        endLine: startLine + more
      })),
      { nil: undefined }
    )
  })
  .map(({ file, crlf, editCrlf, match, cut, replacement, selector, lineScope }) => {
    // Half of the texts are cut out of the file, so that many of them occur.
    const points = [...file]
    const from = cut === undefined || points.length === 0 ? 0 : cut[0] % points.length
    const piece = cut === undefined ? "" : points.slice(from, from + cut[1]).join("")
    const edit: TextEdit = {
      match: ended(piece === "" ? match : piece, editCrlf),
      replacement: ended(replacement, editCrlf),
      ...selector,
      ...(lineScope === undefined ? {} : { lineScope })
    }
    return { file: ended(file, crlf), edit }
  })

describe("against a second opinion", () => {
  it("finds and replaces the same", () => {
    let applied = 0
    fc.assert(
      fc.property(cases, ({ file, edit }) => {
        const expected = oracle(file, edit)
        const result = on(file, edit)
        if (expected === null) expect(result).toBeInstanceOf(EditRefused)
        else {
          applied++
          expect(edited(file, edit)).toBe(expected)
        }
      }),
      { numRuns: 4000 }
    )
    expect(applied).toBeGreaterThan(500)
  })

  it("agrees on long texts that repeat themselves", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.constantFrom("a", "ab", "aab", "a\n"),
        fc.integer({ min: 1, max: 200 }),
        (times, unit, length) => {
          const match = unit.repeat(times)
          const file = unit.repeat(200).slice(0, length)
          for (const selector of [{}, { occurrence: 2 }, { replaceAll: true }]) {
            const edit = { match, replacement: "-", ...selector }
            const expected = oracle(file, edit)
            if (expected === null) expect(on(file, edit)).toBeInstanceOf(EditRefused)
            else expect(edited(file, edit)).toBe(expected)
          }
        }
      ),
      { numRuns: 1000 }
    )
  })

  it("leaves every byte outside the replacements alone", () => {
    fc.assert(
      fc.property(cases, ({ file, edit }) => {
        const result = on(file, edit)
        if (result instanceof EditRefused) return
        const before = Buffer.from(file)
        const after = applyReplacements(before, result.replacements)
        let from = 0
        let to = 0
        for (const { start, end, bytes } of result.replacements) {
          expect(after.subarray(to, to + start - from).equals(before.subarray(from, start))).toBe(true)
          to += start - from + bytes.length
          from = end
        }
        expect(after.subarray(to).equals(before.subarray(from))).toBe(true)
      }),
      { numRuns: 2000 }
    )
  })
})
