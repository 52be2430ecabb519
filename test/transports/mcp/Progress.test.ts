import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { interval, ProgressSender, type Step } from "../../../src/transports/mcp/Progress.ts"

const sender = () => {
  const sent: Array<Step> = []
  const clock = { now: 0 }
  return {
    sent,
    clock,
    sender: new ProgressSender(
      (step) => sent.push(step),
      () => clock.now
    )
  }
}

describe("progress", () => {
  it("is sent at once, then at most once an interval, the newest first", () => {
    const { clock, sender: progress, sent } = sender()
    progress.report(1, 10)
    progress.report(2, 10)
    progress.report(3, 10)
    expect(sent).toEqual([{ progress: 1, total: 10 }])
    clock.now = interval
    progress.report(4, 10, "reading")
    expect(sent[1]).toEqual({ progress: 4, total: 10, message: "reading" })
  })
  it("gives the last report before the end, once", () => {
    const { sender: progress, sent } = sender()
    progress.report(1)
    progress.report(9)
    progress.flush()
    progress.flush()
    expect(sent).toEqual([{ progress: 1 }, { progress: 9 }])
  })
  it("rises when a count starts anew", () => {
    const { clock, sender: progress, sent } = sender()
    for (const [done, total] of [
      [5, 10],
      [10, 10],
      [1, 4],
      [4, 4]
    ] as const) {
      clock.now += interval
      progress.report(done, total)
    }
    expect(sent).toEqual([
      { progress: 5, total: 10 },
      { progress: 10, total: 10 },
      { progress: 11, total: 14 },
      { progress: 14, total: 14 }
    ])
  })
  it("never falls and never repeats, whatever is reported", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.array(FastCheck.tuple(FastCheck.nat(50), FastCheck.nat(200))),
        (reports) => {
          const { clock, sender: progress, sent } = sender()
          for (const [done, pause] of reports) {
            clock.now += pause
            progress.report(done)
          }
          progress.flush()
          expect(
            sent.every((step, at) => at === 0 || step.progress > (sent[at - 1]?.progress ?? Infinity))
          ).toBe(true)
        }
      )
    )
  })
})
