import { describe, expect, it } from "vitest"
import { brief } from "../../../src/transports/cli/Brief.ts"

describe("a brief", () => {
  it("shows scalars by name, rows one a line, texts as they are", () => {
    expect(
      brief(
        {
          total: 2,
          rows: [
            { id: "a", n: 1, tags: [] },
            { id: "b", n: 0, tags: ["x", "y"] }
          ],
          text: "one\ntwo\n",
          skip: undefined
        },
        20
      )
    ).toBe("total: 2\nrows:\n  a  1\n  b  0  x, y\ntext:\n  one\n  two")
  })
  it("says none of a list or object without anything in it, and shows an empty text as one", () => {
    expect(brief({ list: [], object: {}, text: "", inner: { list: [], n: 1 } }, 20)).toBe(
      'list: none\nobject: none\ntext: ""\ninner:\n  list: none\n  n: 1'
    )
    expect(brief({ rows: [{}, { a: 1, b: {} }] }, 20)).toBe("rows:\n  none\n  1")
    expect(brief({}, 20)).toBe("none")
  })
  it("says how much it left out", () => {
    expect(brief({ text: "1\n2\n3\n4\n5" }, 3)).toBe("text:\n  1\n… 4 lines more")
  })
  it("cuts long lines, visibly", () => {
    expect(brief({ a: "x".repeat(50) }, 5, 10)).toBe("a: xxxxxx…")
  })
})
