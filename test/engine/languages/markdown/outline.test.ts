import { assert, describe, it } from "vitest"
import { markdown } from "../../../../src/engine/languages/markdown/index.ts"
import { outlineOf } from "../outline/support.ts"

describe("Markdown", () => {
  it("nests headings by level and skips fences, front matter and indented code", async () => {
    const text =
      "---\ntitle: x\n---\n# One #\ntext\n## Two\n```sh\n# not a heading\n```\n~~~~\n## nor this\n~~~\n~~~~\n### Three\n    # code\n" +
      "#no\n## Four\n\nUnder\n=====\nLine\n---\n\n---\n- a\n---\n[ref]: https://example.com 'T'\n[^1]: note\n"
    assert.deepStrictEqual(await outlineOf(markdown, text), [
      "heading One 4-18",
      "heading One.Two 6-16",
      "heading One.Two.Three 14-16",
      "heading One.Four 17-18",
      "heading Under 19-29",
      "heading Under.Line 21-29",
      "label Under.Line.ref 27-27"
    ])
  })
})
