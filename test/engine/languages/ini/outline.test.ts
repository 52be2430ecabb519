import { assert, describe, it } from "vitest"
import { ini } from "../../../../src/engine/languages/ini/index.ts"
import { outlineOf } from "../outline/support.ts"

describe("INI and properties", () => {
  it("lists sections and keys", async () => {
    const text =
      '; c\nroot = true\n[core]\n# x = 1\nname=a=b\npath: /x\nlong = a \\\n  b = c\n[remote "origin"]\nurl = u\nexport KEY=1\n'
    assert.deepStrictEqual(await outlineOf(ini, text), [
      "key root 2-2",
      "key core 3-8",
      "key core.name 5-5",
      "key core.path 6-6",
      "key core.long 7-7",
      'key remote "origin" 9-11',
      'key remote "origin".url 10-10',
      'key remote "origin".KEY 11-11'
    ])
  })
})
