import { assert, describe, it } from "vitest"
import { Lulls } from "../../src/pipeline/Lulls.ts"

/** Settles once a condition holds; fails a test that waits in vain by its own time limit. */
const until = async (holds: () => boolean) => {
  while (!holds()) await new Promise((next) => setTimeout(next, 5))
}
const longerThanQuiet = () => new Promise((next) => setTimeout(next, 250))

/** Work of some steps, each of which is written down. */
const steps = (names: ReadonlyArray<string>, made: Array<string>) => {
  const left = [...names]
  return async () => {
    await new Promise((next) => setImmediate(next))
    made.push(left.shift()!)
    return left.length > 0
  }
}

describe("lulls", () => {
  it("do one work after the other, step by step", async () => {
    const made: Array<string> = []
    const lulls = new Lulls()
    lulls.add(steps(["a", "b"], made))
    lulls.add(steps(["c"], made))
    assert.deepStrictEqual(made, [])
    await until(() => made.length === 3)
    assert.deepStrictEqual(made, ["a", "b", "c"])
  })

  it("go on with other work when some fails", async () => {
    const made: Array<string> = []
    const lulls = new Lulls()
    lulls.add(async () => {
      made.push("bad")
      throw new Error("no")
    })
    lulls.add(steps(["a"], made))
    await until(() => made.length === 2)
    await longerThanQuiet()
    assert.deepStrictEqual(made, ["bad", "a"])
  })

  it("wait while somebody waits, and go on afterwards", async () => {
    const made: Array<string> = []
    let over: (() => void) | undefined
    const lulls = new Lulls()
    lulls.add(async () => {
      over = lulls.during()
      made.push("a")
      return false
    })
    lulls.add(steps(["b"], made))
    await until(() => over !== undefined)
    await longerThanQuiet()
    assert.deepStrictEqual(made, ["a"])
    over!()
    await until(() => made.length === 2)
    assert.deepStrictEqual(made, ["a", "b"])
  })

  it("do nothing while somebody waits from the start", async () => {
    const made: Array<string> = []
    const lulls = new Lulls()
    const over = lulls.during()
    lulls.add(steps(["a"], made))
    await longerThanQuiet()
    assert.deepStrictEqual(made, [])
    over()
    await until(() => made.length === 1)
  })

  it("do nothing after their end", async () => {
    const made: Array<string> = []
    const lulls = new Lulls()
    lulls.add(steps(["a"], made))
    lulls.end()
    lulls.add(steps(["b"], made))
    await longerThanQuiet()
    assert.deepStrictEqual(made, [])
  })
})
