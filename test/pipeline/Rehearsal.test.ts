import { assert, describe, it } from "vitest"
import { rehearsal } from "../../src/pipeline/Rehearsal.ts"

const named = (names: ReadonlyArray<string>) => names.map((tool) => ({ tool, args: {} }))

describe("a rehearsal", () => {
  it("makes one call a step, those that fail too, and finds them once", async () => {
    const made: Array<string> = []
    let found = 0
    const step = rehearsal(
      async () => {
        found++
        return named(["a", "bad", "b"])
      },
      async ({ tool }) => {
        made.push(tool)
        if (tool === "bad") throw new Error("no")
      }
    )
    assert.strictEqual(found, 0)
    for (const so of [["a"], ["a", "bad"], ["a", "bad", "b"]]) {
      assert.isTrue(await step())
      assert.deepStrictEqual(made, so)
    }
    assert.isFalse(await step())
    assert.strictEqual(found, 1)
    assert.strictEqual(made.length, 3)
  })

  it("takes the calls as it makes them", async () => {
    const taken: Array<string> = []
    const calls = function* () {
      for (const call of named(["a", "b"])) {
        taken.push(call.tool)
        yield call
      }
    }
    const step = rehearsal(
      async () => calls(),
      async () => {}
    )
    assert.isTrue(await step())
    assert.deepStrictEqual(taken, ["a"])
  })
})
