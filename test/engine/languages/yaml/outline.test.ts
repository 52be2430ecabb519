import { assert, describe, it } from "vitest"
import { yaml } from "../../../../src/engine/languages/yaml/index.ts"
import { outlineOf } from "../outline/support.ts"

describe("YAML", () => {
  it("nests keys by indentation to a depth of four", async () => {
    const text =
      "# c\na:\n  b: 1 # x: y\n  'c d':\n    e:\n      f:\n        g: 1\n  url: http://x:1\nrun: |\n  no: 1\n\n  nor: 2\nlist:\n  - name: x\n    use: y\n" +
      '  - name: z\n---\n"q": &anchor\n  k: v\n'
    assert.deepStrictEqual(
      await outlineOf(yaml, text),
      [
        "key a 2-8",
        "key a.b 3-3",
        "key a.c d 4-7",
        "key a.c d.e 5-7",
        "key a.c d.e.f 6-7",
        "key a.url 8-8",
        "key run 9-12",
        "key list 13-16",
        "key list.name 14-14",
        "key list.use 15-15",
        "key list.name 16-16",
        "key q 18-19",
        "key q.k 19-19"
      ].map((x) => x.replace("a.c d.e.f 6-7", "a.c d.e.f 6-7"))
    )
  })
})
