import { assert, describe, it } from "vitest"
import { Rehearsal } from "../../src/pipeline/Rehearsal.ts"

const named = (names: ReadonlyArray<string>) => names.map((tool) => ({ tool, args: {} }))
/** Settles once a condition holds; fails a test that waits in vain by its own time limit. */
const until = async (holds: () => boolean) => {
  while (!holds()) await new Promise((next) => setTimeout(next, 5))
}

describe("a rehearsal", () => {
  it("makes its calls one after the other, those that fail too", async () => {
    const made: Array<string> = []
    let open = 0
    const rehearsal = new Rehearsal(async ({ tool }) => {
      assert.strictEqual(open++, 0)
      await new Promise((next) => setImmediate(next))
      open--
      made.push(tool)
      if (tool === "bad") throw new Error("no")
    })
    rehearsal.add(named(["a", "bad", "b"]))
    await until(() => rehearsal.left === 0 && made.length === 3)
    assert.deepStrictEqual(made, ["a", "bad", "b"])
  })

  it("waits while somebody waits, and goes on afterwards", async () => {
    const made: Array<string> = []
    let over: (() => void) | undefined
    const rehearsal = new Rehearsal(async ({ tool }) => {
      made.push(tool)
      if (tool === "a") over = rehearsal.during()
    })
    rehearsal.add(named(["a", "b"]))
    await until(() => over !== undefined)
    await new Promise((next) => setTimeout(next, 250))
    assert.deepStrictEqual(made, ["a"])
    assert.strictEqual(rehearsal.left, 1)
    over!()
    await until(() => made.length === 2)
    assert.deepStrictEqual(made, ["a", "b"])
  })

  it("makes no call after its end", async () => {
    const made: Array<string> = []
    const rehearsal = new Rehearsal(async ({ tool }) => void made.push(tool))
    rehearsal.add(named(["a"]))
    rehearsal.end()
    rehearsal.add(named(["b"]))
    await new Promise((next) => setTimeout(next, 250))
    assert.deepStrictEqual(made, [])
  })
})
