import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import {
  layer,
  leastBytes,
  mostBytes,
  mostBytesOfAll,
  mostCalls,
  mostEntries,
  Sessions
} from "../../../src/engine/sessions/Sessions.ts"
import { SessionStore } from "../../../src/services/SessionStore.ts"
import { SessionView } from "../../../src/services/SessionView.ts"

const at = new Date(0)
const opened = () => {
  const sessions = new Sessions()
  sessions.open("s")
  return sessions
}
const run = <A, E>(sessions: Sessions, effect: Effect.Effect<A, E, SessionView | SessionStore>) =>
  Effect.runSync(Effect.either(Effect.provide(effect, layer(sessions))))
const ids = (sessions: Sessions) =>
  run(
    sessions,
    Effect.flatMap(SessionView, (view) => view.responses("s"))
  ).pipe((either) => (either._tag === "Right" ? either.right.map(({ id }) => id) : []))

describe("kept answers", () => {
  it("are those of at least 1 KiB, counted in bytes", () => {
    const sessions = opened()
    expect(sessions.keep("s", { tool: "t", text: "x".repeat(leastBytes - 1), at })).toBeUndefined()
    expect(sessions.keep("s", { tool: "t", text: "x".repeat(leastBytes), at })).toBe("resp_1")
    expect(sessions.keep("s", { tool: "t", text: "é".repeat(leastBytes / 2), at })).toBe("resp_2")
  })
  it("are at most 8, the oldest giving way, and ids are not used again", () => {
    const sessions = opened()
    for (let n = 0; n < mostEntries + 2; n++)
      sessions.keep("s", { tool: "t", text: "x".repeat(leastBytes), at })
    expect(ids(sessions)).toEqual([
      "resp_3",
      "resp_4",
      "resp_5",
      "resp_6",
      "resp_7",
      "resp_8",
      "resp_9",
      "resp_10"
    ])
  })
  it("are at most 8 MiB together, and one that is larger pushes nothing out", () => {
    const sessions = opened()
    sessions.keep("s", { tool: "t", text: "x".repeat(mostBytes - 1024), at })
    expect(sessions.keep("s", { tool: "t", text: "x".repeat(mostBytes + 1), at })).toBeUndefined()
    expect(ids(sessions)).toEqual(["resp_1"])
    sessions.keep("s", { tool: "t", text: "x".repeat(2048), at })
    expect(ids(sessions)).toEqual(["resp_2"])
  })
})

describe("kept answers of all sessions", () => {
  it("are at most 64 MiB together, the oldest giving way wherever they are", () => {
    const sessions = opened()
    const text = "x".repeat(mostBytes)
    sessions.keep("s", { tool: "t", text, at })
    const others = mostBytesOfAll / mostBytes
    for (let n = 0; n < others - 1; n++) {
      sessions.open(`o${n}`)
      sessions.keep(`o${n}`, { tool: "t", text, at })
    }
    expect(ids(sessions)).toEqual(["resp_1"])
    // What a session had that is gone makes room.
    sessions.close("o0")
    sessions.open("p")
    sessions.keep("p", { tool: "t", text, at })
    expect(ids(sessions)).toEqual(["resp_1"])
    sessions.open("q")
    sessions.keep("q", { tool: "t", text: "x".repeat(leastBytes), at })
    expect(ids(sessions)).toEqual([])
  })
})

describe("a session's values", () => {
  it("are set, read and cleared, and belong to the session alone", () => {
    const sessions = opened()
    sessions.open("other")
    const result = run(
      sessions,
      Effect.gen(function* () {
        const store = yield* SessionStore
        const view = yield* SessionView
        const before = yield* store.set("s", "phase", "explore")
        const previous = yield* store.set("s", "phase", "verify")
        const there = yield* view.get("s", "phase")
        const elsewhere = yield* view.get("other", "phase")
        const cleared = [yield* store.clear("s", "phase"), yield* store.clear("s", "phase")]
        return { before, previous, there, elsewhere, cleared, after: yield* view.get("s", "phase") }
      })
    )
    expect(result).toMatchObject({
      right: {
        before: undefined,
        previous: "explore",
        there: "verify",
        elsewhere: undefined,
        cleared: [true, false],
        after: undefined
      }
    })
  })
  it("end with it: what is not open is not known, rather than empty", () => {
    const sessions = opened()
    sessions.close("s")
    expect(
      run(
        sessions,
        Effect.flatMap(SessionView, (view) => view.responses("s"))
      )
    ).toMatchObject({
      left: { reason: "session_unknown" }
    })
    expect(
      run(
        sessions,
        Effect.flatMap(SessionStore, (store) => store.set("s", "a", 1))
      )
    ).toMatchObject({
      left: { reason: "session_unknown", stateChanged: false }
    })
  })
})

describe("remembered calls", () => {
  const call = (n: number) => ({
    at: new Date(n).toISOString(),
    tool: "t",
    operation: "search.text",
    duration_ms: n,
    rows: 0,
    outcome: "ok",
    question: undefined
  })
  it("are the last thousand of an open session, oldest first", () => {
    const sessions = opened()
    for (let n = 0; n < mostCalls + 3; n++) sessions.log("s", call(n))
    sessions.log("gone", call(1))
    const found = run(
      sessions,
      Effect.flatMap(SessionView, (view) => view.calls("s"))
    )
    if (found._tag === "Left") throw found.left
    expect([found.right.length, found.right[0]?.duration_ms, found.right.at(-1)?.duration_ms]).toEqual([
      mostCalls,
      3,
      mostCalls + 2
    ])
  })
})
