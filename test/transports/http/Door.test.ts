import * as fc from "effect/FastCheck"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { Door, type DoorLimits, momentMs, shortMs, wakeMs } from "../../../src/transports/http/Door.ts"

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }))
afterEach(() => void vi.useRealTimers())

/** A door whose visits are named, with a clock that is set by hand. */
const house = (limits: DoorLimits = { running: 2, burst: 6, queue: 2 }) => {
  const clock = { now: 0, busy: 0 }
  const door = new Door(
    () => limits,
    () => clock.now,
    () => () => clock.busy
  )
  const begun: Array<string> = []
  const over = new Map<string, () => void>()
  const knock = (name: string, caller = name): string => {
    const left = door.enter(caller, () => void begun.push(name))
    if (typeof left === "string") return left
    over.set(name, left)
    return begun.includes(name) ? "in" : "waits"
  }
  return { door, clock, begun, knock, leave: (name: string) => over.get(name)?.() }
}

describe("the door", () => {
  it("lets so many in at a time, and the others in turn when one leaves", () => {
    const { begun, door, knock, leave } = house()
    expect(["a", "b", "c", "d"].map((name) => knock(name))).toEqual(["in", "in", "waits", "waits"])
    leave("b")
    leave("b")
    expect(begun).toEqual(["a", "b", "c"])
    leave("a")
    expect([begun.at(-1), door.running, door.waiting]).toEqual(["d", 2, 0])
  })

  it("has callers take turns, so that one with many requests waits for its own", () => {
    const { begun, knock, leave } = house({ running: 1, burst: 9, queue: 9 })
    for (const name of ["a1", "a2", "a3", "a4"]) knock(name, "a")
    knock("b1", "b")
    knock("c1", "c")
    for (const name of ["a1", "a2", "b1", "c1", "a3"]) leave(name)
    expect(begun).toEqual(["a1", "a2", "b1", "c1", "a3", "a4"])
  })

  it("takes a burst, and turns away what goes beyond", () => {
    const { knock } = house()
    const answers = Array.from({ length: 10 }, (_, at) => knock(`${at}`))
    expect(answers.filter((answer) => answer === "waits")).toHaveLength(6)
    expect(answers.slice(8)).toEqual(["server", "server"])
  })

  it("keeps a queue short that does not get empty, and no caller has more than half of it", () => {
    const { clock, door, knock, leave } = house({ running: 1, burst: 6, queue: 4 })
    expect(["a", "b", "c"].map((name) => knock(name))).toEqual(["in", "waits", "waits"])
    clock.now = momentMs + 1
    expect([knock("b2", "b"), knock("b3", "b"), knock("d"), knock("e")]).toEqual([
      "waits",
      "caller",
      "waits",
      "server"
    ])
    for (const name of ["a", "b", "c", "b2", "d"]) leave(name)
    expect(door.waiting).toBe(0)
    const waiting = (name: string) =>
      Array.from({ length: 8 }, (_, at) => knock(`${name}${at}`)).filter((a) => a === "waits").length
    // Those who were turned away come back together, and that is no burst.
    clock.now = wakeMs
    expect(waiting("m")).toBe(4)
    for (let at = 0; at < 8; at++) leave(`m${at}`)
    // It was empty and nobody was turned away for long, so a burst may wait again.
    clock.now = 3 * wakeMs
    expect(waiting("n")).toBe(6)
  })

  it("does not count what only waits for something else", () => {
    const { begun, clock, door, knock, leave } = house({ running: 1, burst: 1, queue: 1 })
    knock("slow")
    knock("next")
    clock.busy = 0.9
    vi.advanceTimersByTime(3 * shortMs)
    expect([begun, door.running]).toEqual([["slow"], 1])
    clock.busy = 0.1
    vi.advanceTimersByTime(shortMs)
    expect([begun, door.running]).toEqual([["slow", "next"], 1])
    leave("slow")
    expect(door.running).toBe(1)
  })

  it("forgets whoever goes away while waiting", () => {
    const { begun, door, knock, leave } = house({ running: 1, burst: 2, queue: 2 })
    for (const name of ["a", "b", "c"]) knock(name)
    leave("b")
    expect([door.waiting, knock("d"), knock("e")]).toEqual([1, "waits", "server"])
    for (const name of ["a", "c", "d"]) leave(name)
    expect([begun, door.running, door.waiting]).toEqual([["a", "c", "d"], 0, 0])
  })

  it("never has more in than it may, loses nobody, and is empty in the end", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 0, max: 6 }),
        fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.boolean()), { maxLength: 60 }),
        (running, queue, steps) => {
          const { begun, door, knock, leave } = house({ running, queue, burst: queue })
          const inside: Array<string> = []
          const taken: Array<string> = []
          for (const [at, [caller, enters]] of steps.entries()) {
            if (enters) {
              const answer = knock(`${at}`, `${caller}`)
              if (answer !== "server" && answer !== "caller") {
                inside.push(`${at}`)
                taken.push(`${at}`)
              }
            } else {
              const first = inside.findIndex((name) => begun.includes(name))
              if (first >= 0) leave(inside.splice(first, 1)[0] as string)
            }
            expect(door.running).toBeLessThanOrEqual(running)
            expect(door.waiting).toBeLessThanOrEqual(queue)
          }
          while (inside.length > 0) {
            const first = inside.findIndex((name) => begun.includes(name))
            expect(first).toBeGreaterThanOrEqual(0)
            leave(inside.splice(first, 1)[0] as string)
          }
          expect([...begun].sort()).toEqual(taken.sort())
          expect([door.running, door.waiting]).toEqual([0, 0])
        }
      )
    )
  })
})
