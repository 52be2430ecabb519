import { assert, describe, it } from "vitest"
import { toml } from "../../../../src/engine/languages/toml/index.ts"
import { outlineOf } from "../outline/support.ts"

describe("TOML", () => {
  it("lists tables and keys, past values of several lines", async () => {
    const text =
      'title = "a = b" # c\nlist = [\n  "x = 1", # ]\n  \'y\'\n]\n[package]\nname = \'n\'\n"quoted key" = """\n[not]\nz = 1\n"""\n[[bin.x]]\na.b = 1\n'
    assert.deepStrictEqual(await outlineOf(toml, text), [
      "key title 1-1",
      "key list 2-2",
      "key package 6-11",
      "key package.name 7-7",
      "key package.quoted key 8-8",
      "key bin.x 12-13",
      "key bin.x.a.b 13-13"
    ])
  })
})
