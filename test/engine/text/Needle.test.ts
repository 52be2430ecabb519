import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { Needle } from "../../../src/engine/text/Needle.ts"

const all = (find: (from: number) => number): ReadonlyArray<number> => {
  const found: Array<number> = []
  for (let at = find(0); at >= 0; at = find(at + 1)) found.push(at)
  return found
}

describe("a needle", () => {
  it("is found wherever its bytes are, rare or common, at the edges too", () => {
    const byte = fc.constantFrom(...Buffer.from("ae z/_\n"), 0, 0xc3, 0xff)
    const bytes = (least: number, most: number) =>
      fc.array(byte, { minLength: least, maxLength: most }).map((items) => Buffer.from(items))
    fc.assert(
      fc.property(bytes(1, 4), fc.oneof(bytes(0, 40), bytes(250, 800)), (needle, hay) => {
        const one = new Needle(needle)
        expect(all((from) => one.find(hay, from))).toEqual(
          all((from) => (from > hay.length ? -1 : hay.indexOf(needle, from)))
        )
      })
    )
  })

  it("is found behind many of its rare byte, close together and far apart", () => {
    for (const filler of ["z", "z ".repeat(3), `z${" ".repeat(300)}`]) {
      const hay = Buffer.from(`${filler.repeat(300)}zebra${filler.repeat(300)}zebra`)
      const one = new Needle(Buffer.from("zebra"))
      const first = hay.indexOf("zebra")
      expect(all((from) => one.find(hay, from))).toEqual([first, hay.length - 5])
    }
  })

  it("is found in texts that are longer than one look, and by a needle that is", () => {
    const long = Buffer.alloc((1 << 20) + 100, "abcdefg ")
    long.write("needle", long.length - 6)
    expect(new Needle(Buffer.from("needle")).find(long, 0)).toBe(long.length - 6)
    const hay = Buffer.alloc(300_000, "abcdefg ")
    const needle = Buffer.from(hay.subarray(0, 200_000))
    needle[199_999] = 0x7a
    needle.copy(hay, 90_001)
    expect(new Needle(needle).find(hay, 0)).toBe(90_001)
    expect(new Needle(needle).find(hay, 90_002)).toBe(-1)
  })

  it("looks at each text anew", () => {
    const one = new Needle(Buffer.from("zebra"))
    const texts = [0, 1, 2].map((n) => Buffer.from(`${" ".repeat(300 + n)}zebra${" ".repeat(300)}`))
    expect(texts.map((text) => one.find(text, 0))).toEqual([300, 301, 302])
    expect(texts.map((text) => one.find(text, 303))).toEqual([-1, -1, -1])
  })
})
