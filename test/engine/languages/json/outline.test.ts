import { assert, describe, it } from "vitest"
import { json } from "../../../../src/engine/languages/json/index.ts"
import { outlineOf } from "../outline/support.ts"
import { factsOf } from "../support.ts"

describe("JSON", () => {
  it("nests keys to a depth of four and leaves lists alone", async () => {
    const text =
      '{\n  // note\n  "a": { "b": { "c": { "d": { "e": 1 } } } },\n  "l": [{ "x": 1 }, "k"],\n  "esc\\"q": "v: 1",\n  /* "no": 1 */\n  "z": null\n}\n'
    assert.deepStrictEqual(await outlineOf(json, text), [
      "key a 3-3",
      "key a.b 3-3",
      "key a.b.c 3-3",
      "key a.b.c.d 3-3",
      "key l 4-4",
      'key esc\\"q 5-5',
      "key z 7-7"
    ])
  })
  it("stops at two thousand keys", async () => {
    const text = `{${Array.from({ length: 5000 }, (_, i) => `"k${i}": ${i}`).join(",")}}`
    assert.strictEqual((await factsOf(json, text)).definitions.length, 2000)
  })
})
