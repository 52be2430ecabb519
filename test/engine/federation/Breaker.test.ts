import { describe, expect, it } from "vitest"
import { Breaker } from "../../../src/engine/federation/Breaker.ts"

const limits = { failures: 3, restMs: 1000 }

describe("a circuit breaker", () => {
  it("opens with the third failure in a row, not before", () => {
    const breaker = new Breaker(limits)
    breaker.failed(0)
    breaker.failed(0)
    expect(breaker.admits(0)).toBe(true)
    breaker.succeeded()
    breaker.failed(1)
    breaker.failed(1)
    expect(breaker.admits(1)).toBe(true)
    breaker.failed(1)
    expect(breaker.admits(1)).toBe(false)
  })

  it("lets one attempt through after its rest, and what comes of that decides", () => {
    const breaker = new Breaker(limits)
    for (const now of [0, 0, 0]) breaker.failed(now)
    expect(breaker.admits(999)).toBe(false)
    expect([breaker.admits(1000), breaker.admits(1000)]).toEqual([true, false])
    breaker.failed(1500)
    expect([breaker.admits(2499), breaker.admits(2500)]).toEqual([false, true])
    breaker.succeeded()
    expect([breaker.admits(2500), breaker.admits(2500)]).toEqual([true, true])
  })

  it("tries again when the attempt was given up", () => {
    const breaker = new Breaker(limits)
    for (const now of [0, 0, 0]) breaker.failed(now)
    expect(breaker.admits(1000)).toBe(true)
    breaker.abandoned()
    expect(breaker.admits(1000)).toBe(true)
  })
})
