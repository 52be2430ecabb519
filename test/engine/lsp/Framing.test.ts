import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { encode, FrameReader, FramingError } from "../../../src/engine/lsp/Framing.ts"

const readAll = (chunks: ReadonlyArray<Uint8Array>, reader = new FrameReader()): ReadonlyArray<unknown> => {
  const messages: Array<unknown> = []
  for (const chunk of chunks) reader.push(chunk, (message) => messages.push(message))
  return messages
}

const bytes = (text: string): Buffer => Buffer.from(text, "latin1")

/** Cuts a buffer at places, each given as a share of what is left. */
const cut = (buffer: Buffer, shares: ReadonlyArray<number>): ReadonlyArray<Buffer> => {
  const out: Array<Buffer> = []
  let rest = buffer
  for (const share of shares) {
    const at = Math.floor(share * rest.length)
    out.push(rest.subarray(0, at))
    rest = rest.subarray(at)
  }
  return [...out, rest]
}

describe("framing", () => {
  it("gives back the messages however the bytes are cut", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.array(FastCheck.dictionary(FastCheck.fullUnicodeString(), FastCheck.fullUnicodeString()), {
          maxLength: 5
        }),
        FastCheck.array(FastCheck.double({ min: 0, max: 1, noNaN: true }), { maxLength: 20 }),
        (messages, shares) => {
          const wire = Buffer.concat(messages.map(encode))
          expect(readAll(cut(wire, shares))).toEqual(
            messages.map((m) => JSON.parse(JSON.stringify(m)) as unknown)
          )
        }
      ),
      { numRuns: 500 }
    )
  })

  it("takes them byte by byte", () => {
    const wire = Buffer.concat([encode({ a: "é€😀" }), encode({ b: [1, 2] })])
    expect(readAll([...wire].map((byte) => Buffer.from([byte])))).toEqual([{ a: "é€😀" }, { b: [1, 2] }])
  })

  it("counts the length in bytes", () => {
    expect(encode({ a: "é" }).toString("utf8")).toBe('Content-Length: 10\r\n\r\n{"a":"é"}')
  })

  it("knows headers in any letter case, and others beside the length", () => {
    const type = "Content-Type: application/vscode-jsonrpc; charset=utf-8"
    expect(readAll([bytes(`${type}\r\ncontent-length:   2\r\n\r\n{}`)])).toEqual([{}])
  })

  it.each([
    ["a greeting", "Hello, I am a server\n", /not a header/],
    ["a line that is no field", "Content-Length 2\r\n\r\n{}", /not a header/],
    ["no length", "Content-Type: x\r\n\r\n{}", /without Content-Length/],
    ["a length that is no number", "Content-Length: two\r\n\r\n{}", /not a length/],
    ["a negative length", "Content-Length: -2\r\n\r\n{}", /not a length/],
    ["two lengths", "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{} ", /two different lengths/],
    ["a body that is not JSON", "Content-Length: 2\r\n\r\n{]", /not JSON/],
    ["a body that is not UTF-8", 'Content-Length: 3\r\n\r\n"\xff"', /not JSON/],
    ["a header without end", `X-Long: ${"a".repeat(5000)}`, /not a header/]
  ])("refuses %s", (_, wire, complaint) => {
    expect(() => readAll([bytes(wire)])).toThrow(FramingError)
    expect(() => readAll([bytes(wire)])).toThrow(complaint)
  })

  it("refuses garbage before its end has come", () => {
    expect(() => readAll([bytes("Segmentation fault")])).toThrow(/not a header/)
    expect(() => readAll([bytes("Usage: server [OPTIONS]\n")])).toThrow(/Usage: server/)
  })

  it("refuses a message larger than it takes, before its bytes have come", () => {
    expect(() => readAll([bytes("Content-Length: 101\r\n\r\n")], new FrameReader(100))).toThrow(/101 bytes/)
    expect(readAll([bytes('Content-Length: 2\r\n\r\n""')], new FrameReader(2))).toEqual([""])
  })

  it("hands out what came whole before the garbage, and nothing after it", () => {
    const reader = new FrameReader()
    const messages: Array<unknown> = []
    const push = (chunk: Buffer) => reader.push(chunk, (message) => messages.push(message))
    expect(() => push(Buffer.concat([encode({ n: 1 }), bytes("junk\n")]))).toThrow(FramingError)
    expect(() => push(encode({ n: 2 }))).toThrow(FramingError)
    expect(messages).toEqual([{ n: 1 }])
  })
})
