import { Ajv } from "ajv"
import { Schema } from "effect"
import { parse } from "jsonc-parser"
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { settingsPage } from "../../src/build/docs/settings.ts"
import { catalog as registry } from "../../src/facades/index.ts"
import { Config, load } from "../../src/policy/Config.ts"

const accepts = new Ajv({ allowUnionTypes: true }).compile(JSON.parse(settingsPage(Config, registry).text))
const top = new URL("../..", import.meta.url)

describe("the schema of .effectrc", () => {
  it("accepts this repository's file, and so does the server", () => {
    const own: unknown = parse(readFileSync(new URL(".effectrc", top), "utf8"), [], {
      allowTrailingComma: true
    })
    expect(accepts(own), JSON.stringify(accepts.errors)).toBe(true)
    expect(load(new URL(".", top).pathname)._tag).toBe("Right")
  })

  it("refuses keys, tools, classes and services nobody knows", () => {
    expect(accepts({})).toBe(true)
    expect(accepts({ tools: "facade-v1", ceilings: { edit: ["read", "LocalWriter"] } })).toBe(true)
    for (const wrong of [
      { colour: "red" },
      { tools: 21 },
      { ceilings: { nothing: ["read"] } },
      { ceilings: { edit: ["write"] } },
      { ceilings: { edit: ["read", "read"] } }
    ])
      expect(accepts(wrong), JSON.stringify(wrong)).toBe(false)
  })

  it("is refused when a setting it describes is gone", () => {
    expect(() => settingsPage(Schema.Struct({ tools: Schema.String }), registry)).toThrow(
      ".effectrc has no setting ceilings"
    )
  })
})
