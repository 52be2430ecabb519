import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { Lines } from "../../../src/transports/mcp/Stdio.ts"

const feed = (chunks: ReadonlyArray<Buffer>, limit = 1000) => {
  const lines: Array<string> = []
  let tooLong = 0
  const reader = new Lines(limit)
  for (const chunk of chunks)
    reader.push(
      chunk,
      (line) => lines.push(line),
      () => tooLong++
    )
  return { lines, tooLong }
}

/** The bytes in pieces of these sizes, over and over. */
const pieces = (bytes: Buffer, sizes: ReadonlyArray<number>): ReadonlyArray<Buffer> => {
  const out: Array<Buffer> = []
  for (let at = 0, n = 0; at < bytes.length; n++) {
    const size = sizes[n % sizes.length] as number
    out.push(bytes.subarray(at, at + size))
    at += size
  }
  return out
}

describe("lines", () => {
  it("are the same however the bytes come, in the middle of a character too", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.array(FastCheck.string({ unit: "grapheme" }).map((text) => text.replaceAll("\n", ""))),
        FastCheck.array(FastCheck.integer({ min: 1, max: 9 }), { minLength: 1 }),
        (texts, sizes) => {
          const bytes = Buffer.from(texts.map((text) => `${text}\n`).join(""))
          expect(feed(pieces(bytes, sizes), 100_000).lines).toEqual(
            texts.map((text) => Buffer.from(text).toString("utf8"))
          )
        }
      )
    )
  })
  it("over the limit are left out and reported once, and the next is read", () => {
    const bytes = Buffer.from(`ok\n${"x".repeat(5000)}\nfine\n`)
    for (const size of [1, 7, 999, 10_000]) {
      expect(feed(pieces(bytes, [size]))).toEqual({ lines: ["ok", "fine"], tooLong: 1 })
    }
  })
  it("exactly at the limit pass", () => {
    expect(feed([Buffer.from(`${"x".repeat(1000)}\n`)]).tooLong).toBe(0)
    expect(feed([Buffer.from(`${"x".repeat(1001)}\n`)]).tooLong).toBe(1)
  })
  it("are not given before they end", () => {
    expect(feed([Buffer.from("half")]).lines).toEqual([])
  })
})
