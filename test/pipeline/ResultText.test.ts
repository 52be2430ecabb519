import { FastCheck } from "effect"
import { assert, describe, it } from "vitest"
import { failedWith, succeeded } from "../../src/pipeline/CallResult.ts"
import { restored, stored } from "../../src/pipeline/ResultText.ts"

const routing = { facade: "search", operation: "symbols", canonical_tool: "search_symbols" }
const values = FastCheck.dictionary(FastCheck.string(), FastCheck.jsonValue())

describe("a result that is kept", () => {
  it("comes back as it was, whether or not its text only repeats its value", () => {
    FastCheck.assert(
      FastCheck.property(values, FastCheck.option(FastCheck.string(), { nil: undefined }), (value, text) => {
        const plain = JSON.parse(JSON.stringify(value)) as typeof value
        for (const result of [succeeded(routing, plain, text), failedWith(routing, plain)])
          assert.deepStrictEqual(restored(stored(result)), result)
      })
    )
  })

  it("does not say everything twice", () => {
    const result = succeeded(routing, { rows: ["a".repeat(1000)] })
    assert.isBelow(stored(result).length, 1400)
  })
})
