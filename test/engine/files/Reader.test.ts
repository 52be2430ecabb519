import { execFileSync } from "node:child_process"
import { symlinkSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { decodeText, FileReader, LineIndex } from "../../../src/engine/files/Reader.ts"
import type { TextEncoding } from "../../../src/engine/files/Reader.ts"
import { TempFolder } from "../git/TempRepo.ts"

describe("FileReader", () => {
  it("reads files of any size into one buffer", () => {
    using temp = new TempFolder()
    const reader = new FileReader()
    const big = Buffer.alloc(1_000_000, "abcdefghi\n")
    const take = (path: string) => {
      const outcome = reader.read(path)
      return outcome._tag === "Bytes" ? Buffer.from(outcome.bytes) : outcome.reason
    }
    expect(take(temp.write("small", "hello"))).toEqual(Buffer.from("hello"))
    expect(big.equals(take(temp.write("big", big)) as Buffer)).toBe(true)
    expect(take(temp.write("empty", ""))).toEqual(Buffer.alloc(0))
    expect(take(temp.at("small"))).toEqual(Buffer.from("hello"))
  })

  it("says why a path gives no bytes, and never waits", () => {
    using temp = new TempFolder()
    execFileSync("mkfifo", [temp.at("fifo")])
    temp.write("f", "12345")
    symlinkSync("f", temp.at("link"))
    const reader = new FileReader(4)
    const reason = (name: string) => {
      const outcome = reader.read(temp.at(name))
      return outcome._tag === "Skip" ? outcome.reason : "bytes"
    }
    expect(reason("fifo")).toBe("not_regular")
    expect(reason("")).toBe("not_regular")
    expect(reason("link")).toBe("symlink")
    expect(reason("gone")).toBe("vanished")
    expect(reason("f")).toBe("too_large")
    expect(reason("n".repeat(300))).toBe("name_too_long")
    temp.write("f", "1234")
    expect(reason("f")).toBe("bytes")
  })
})

describe("decodeText", () => {
  it("recognises encodings and byte order marks", () => {
    const text = "a\u00e9\u4e2d\ud83d\ude00\n"
    expect(decodeText(Buffer.from(text))).toEqual({
      text,
      encoding: "utf8",
      bom: false,
      bomBytes: 0,
      eol: "lf",
      invalidUtf8: false
    })
    expect(decodeText(Buffer.from(`\ufeff${text}`))).toMatchObject({
      text,
      encoding: "utf8",
      bom: true,
      bomBytes: 3
    })
    expect(decodeText(Buffer.from(`\ufeff${text}`, "utf16le"))).toMatchObject({
      text,
      encoding: "utf16le",
      bom: true
    })
    expect(decodeText(Buffer.from(`\ufeff${text}`, "utf16le").swap16())).toMatchObject({
      text,
      encoding: "utf16be"
    })
    expect(decodeText(Buffer.from([0x61, 0xe9, 0x0a]))).toMatchObject({
      text: "a\u00e9\n",
      encoding: "latin1-fallback",
      invalidUtf8: true
    })
    expect(decodeText(Buffer.alloc(0))).toMatchObject({
      text: "",
      encoding: "utf8",
      eol: "none",
      invalidUtf8: false
    })
  })

  it("names the line endings", () => {
    const eol = (text: string) => decodeText(Buffer.from(text)).eol
    expect([eol("a"), eol("a\nb"), eol("a\r\nb\r\n"), eol("a\rb"), eol("a\r\nb\n"), eol("a\n\rb")]).toEqual([
      "none",
      "lf",
      "crlf",
      "cr",
      "mixed",
      "mixed"
    ])
  })

  it("gives back any text that was encoded", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.fullUnicodeString(), (text) => {
        if (text.startsWith("\ufeff")) return
        expect(decodeText(Buffer.from(text)).text).toBe(text)
        expect(decodeText(Buffer.from(`\ufeff${text}`, "utf16le")).text).toBe(text)
      })
    )
  })
})

describe("LineIndex", () => {
  it("finds lines by `\\n` only and trims line ends", () => {
    const index = new LineIndex(Buffer.from("ab\r\n\nc\rd\n"))
    expect([...index.starts]).toEqual([0, 4, 5, 9])
    expect([1, 2, 3, 4].map((line) => index.lineEnd(line))).toEqual([2, 4, 8, 9])
    expect([index.lineStart(0), index.lineStart(5), index.lineCount]).toEqual([null, null, 4])
    expect(index.lineAt(1000)).toBe(4)
  })

  it("agrees with JavaScript strings on every place in the text, in both directions and any order", () => {
    const piece = FastCheck.constantFrom("a", "\n", "\r\n", "\u00e9", "\u4e2d", "\ud83d\ude00", "\t", "xyz")
    const encodings: ReadonlyArray<readonly [TextEncoding, boolean, (text: string) => Buffer]> = [
      ["utf8", false, (text) => Buffer.from(text)],
      ["utf8", true, (text) => Buffer.from(`\ufeff${text}`)],
      ["utf16le", true, (text) => Buffer.from(`\ufeff${text}`, "utf16le")],
      ["utf16be", true, (text) => Buffer.from(`\ufeff${text}`, "utf16le").swap16()]
    ]
    FastCheck.assert(
      FastCheck.property(
        FastCheck.array(piece, { maxLength: 40 }),
        FastCheck.array(FastCheck.nat(60), { maxLength: 20 }),
        FastCheck.constantFrom(...encodings),
        (pieces, picks, [encoding, bom, encode]) => {
          const text = pieces.join("")
          const bytes = encode(text)
          const index = new LineIndex(bytes, encoding)
          const bomBytes = bom ? (encoding === "utf8" ? 3 : 2) : 0
          expect(index.lineCount).toBe(text.split("\n").length)
          const bounds = [0]
          for (const character of text) bounds.push(bounds.at(-1)! + character.length)
          for (const pick of [...picks, ...bounds.keys()]) {
            const unit = bounds[pick % bounds.length]!
            const before = text.slice(0, unit)
            const offset = encode(before).length
            const want = { line: before.split("\n").length, column: unit - (before.lastIndexOf("\n") + 1) }
            expect(index.positionAt(offset)).toEqual(want)
            expect(index.offsetAt(want)).toBe(Math.max(offset, bomBytes))
          }
        }
      ),
      { numRuns: 40 }
    )
  })

  it("counts a byte inside a character as the character's start", () => {
    const index = new LineIndex(Buffer.from("\ud83d\ude00b"))
    expect([0, 1, 2, 3, 4, 5].map((offset) => index.positionAt(offset).column)).toEqual([0, 0, 0, 0, 2, 3])
    expect([0, 1, 2, 3, 4].map((column) => index.offsetAt({ line: 1, column }))).toEqual([0, 0, 4, 5, null])
    expect(index.offsetAt({ line: 2, column: 0 })).toBe(null)
  })

  it("counts bytes of text that is no UTF-8 one by one", () => {
    const index = new LineIndex(Buffer.from([0xe9, 0xe9, 0x0a, 0xe9, 0x62]), "latin1-fallback")
    expect(index.positionAt(4)).toEqual({ line: 2, column: 1 })
  })
})
