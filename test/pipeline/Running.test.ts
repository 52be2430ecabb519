import { Effect, Exit } from "effect"
import { assert, describe, it } from "vitest"
import { Running } from "../../src/pipeline/Running.ts"

describe("running calls", () => {
  it("end as they end by themselves", async () => {
    const running = new Running()
    assert.deepStrictEqual(await running.exit(Effect.runFork(Effect.succeed(1))), Exit.succeed(1))
    assert.deepStrictEqual(await running.exit(Effect.runFork(Effect.fail("no"))), Exit.fail("no"))
    assert.deepStrictEqual(await running.exit(Effect.runFork(Effect.as(Effect.sleep(1), 2))), Exit.succeed(2))
    assert.strictEqual(running.size, 0)
  })

  it("are interrupted by their own signal, and only by theirs", async () => {
    const running = new Running()
    const [one, other] = [new AbortController(), new AbortController()]
    const first = running.exit(Effect.runFork(Effect.never), one.signal)
    const second = running.exit(Effect.runFork(Effect.never), other.signal)
    one.abort()
    assert.isTrue(Exit.isInterrupted(await first))
    assert.strictEqual(running.size, 1)
    other.abort()
    assert.isTrue(Exit.isInterrupted(await second))
    const late = running.exit(Effect.runFork(Effect.never), one.signal)
    assert.isTrue(Exit.isInterrupted(await late))
    assert.strictEqual(running.size, 0)
  })

  it("are interrupted together at the end, those to come too", async () => {
    const running = new Running()
    const open = [1, 2].map(() => running.exit(Effect.runFork(Effect.never)))
    running.end()
    for (const exit of await Promise.all(open)) assert.isTrue(Exit.isInterrupted(exit))
    assert.isTrue(Exit.isInterrupted(await running.exit(Effect.runFork(Effect.never))))
  })
})
