import { Ajv } from "ajv"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { describe, expect, it } from "vitest"
import { rules } from "../../src/policy/Audit.ts"
import { sarif } from "../../src/policy/Sarif.ts"

// It is written in draft 4, of which nothing else than these two words differs from what the validator knows.
const {
  $schema: _,
  id: __,
  ...schema
} = JSON.parse(
  readFileSync(
    createRequire(import.meta.url).resolve("@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json"),
    "utf8"
  )
)
// The schema's one format, uri-reference, is looked at below.
const validate = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false }).compile(schema)

const looked = { typed: true, compiler: "TypeScript 7", files: 2, declarations: 3 } as const

describe("an audit as SARIF", () => {
  it("is valid by the schema of 2.1.0, with every rule, place and service there is", () => {
    const log = sarif(
      {
        looked,
        differences: [
          {
            rule: "authority",
            subject: "looks.a",
            service: "LocalWriter",
            message: "has class read and its handler requires LocalWriter, which is local_write",
            place: { file: "src/a folder/ö.ts", line: 12, column: 3 }
          },
          { rule: "fixed_split", subject: "get_x", message: "is two" }
        ]
      },
      "1.2.3"
    )
    expect(validate(log), JSON.stringify(validate.errors)).toBe(true)
    const [run] = log["runs"] as unknown as ReadonlyArray<any>
    expect(run.tool.driver.rules.map(({ id }: { id: string }) => id)).toEqual(Object.keys(rules))
    expect(
      run.results.map(({ ruleId, ruleIndex }: any) => run.tool.driver.rules[ruleIndex].id === ruleId)
    ).toEqual([true, true])
    expect(run.results[0].locations[0].physicalLocation).toEqual({
      artifactLocation: { uri: "src/a%20folder/%C3%B6.ts", uriBaseId: "SRCROOT" },
      region: { startLine: 12, startColumn: 3 }
    })
    expect(run.results[1].locations[0].physicalLocation).toBeUndefined()
    expect(run.results[0].message.text).toBe(
      "looks.a has class read and its handler requires LocalWriter, which is local_write"
    )
  })

  it("is valid without findings, and says when no types were checked", () => {
    const log = sarif({ differences: [], looked: { typed: false, because: "there are no sources" } }, "1.2.3")
    expect(validate(log), JSON.stringify(validate.errors)).toBe(true)
    expect(JSON.stringify(log)).toContain("Only the values of operations were checked: there are no sources.")
  })

  it("would not pass with something the schema does not know", () => {
    expect(validate({ version: "2.1.0", runs: [{ tool: {} }] })).toBe(false)
    expect(validate({ version: "2.0.0", runs: [] })).toBe(false)
  })
})
