import { describe, it } from "@effect/vitest"
import { Effect, Fiber, TestClock } from "effect"
import { assert } from "vitest"
import type { CallResult } from "../../src/pipeline/CallResult.ts"
import { SessionView } from "../../src/services/SessionView.ts"
import { layer as layerSessions, type Sessions } from "../../src/engine/sessions/Sessions.ts"
import { open, root } from "./house.ts"

const code = (result: CallResult) => result.structuredContent["error_code"]
const routing = (result: CallResult) => result._meta.gortex_facade
const text = (result: CallResult) => result.content[0]?.text ?? ""

const kept = (sessions: Sessions) =>
  Effect.flatMap(SessionView, (view) => view.responses("s")).pipe(Effect.provide(layerSessions(sessions)))

describe("a call that works", () => {
  it.effect("carries the value as text and as structure, and says which operation answered", () =>
    Effect.gen(function* () {
      const { pipeline } = open()
      const result = yield* pipeline.call({
        tool: "look",
        args: { operation: "rows", options: { count: 2 } }
      })
      assert.deepStrictEqual(result.structuredContent, {
        rows: [
          { at: 0, text: "row number 0" },
          { at: 1, text: "row number 1" }
        ]
      })
      assert.strictEqual(text(result), JSON.stringify(result.structuredContent))
      assert.isUndefined(result.isError)
      assert.deepStrictEqual(routing(result), {
        surface_version: "facade-v1",
        facade: "look",
        operation: "rows",
        canonical_tool: "list_rows"
      })
    })
  )

  it.effect("answers in the text form asked for, the structure unchanged", () =>
    Effect.gen(function* () {
      const { pipeline } = open()
      const result = yield* pipeline.call({
        tool: "look",
        args: { options: { count: 2 }, output: { format: "text" } }
      })
      assert.strictEqual(text(result), "row number 0\nrow number 1")
      assert.deepStrictEqual(result.structuredContent["rows"], [
        { at: 0, text: "row number 0" },
        { at: 1, text: "row number 1" }
      ])
    })
  )

  it.effect("says what was used in place of a value that was out of range", () =>
    Effect.gen(function* () {
      const { pipeline } = open()
      const result = yield* pipeline.call({
        tool: "look",
        args: { options: { count: 1 }, output: { limit: 900 } }
      })
      assert.deepStrictEqual(result.structuredContent["effective"], { "output.limit": 50 })
    })
  )

  it.effect("knows its session and client", () =>
    Effect.gen(function* () {
      const { pipeline } = open()
      const result = yield* pipeline.call({
        tool: "look",
        args: { operation: "who" },
        session: "s",
        client: "c"
      })
      assert.deepStrictEqual(result.structuredContent, { client: "c", session: "s" })
    })
  )

  it.effect("drops a follow-up that may not be offered, and logs it", () =>
    Effect.gen(function* () {
      const { logged, pipeline } = open()
      const result = yield* pipeline.call({ tool: "look", args: { operation: "leads" } })
      assert.deepStrictEqual(result.structuredContent["next"], [
        { follow_up_kind: "mechanically_followable", tool: "look", arguments: { operation: "who" } }
      ])
      assert.strictEqual(logged.length, 1)
    })
  )
})

describe("admission", () => {
  it.effect("refuses an unknown tool and names the tools", () =>
    Effect.gen(function* () {
      const { pipeline } = open()
      const result = yield* pipeline.call({ tool: "lok", args: {} })
      assert.strictEqual(code(result), "unknown_tool")
      assert.deepStrictEqual(result.structuredContent["data"], {
        tool: "lok",
        valid_tools: ["look", "write", "response", "capabilities"],
        suggested_tool: "look"
      })
      assert.strictEqual(routing(result).facade, "unknown")
    })
  )

  it.effect("blocks the name of a tool behind an operation, and leads to the operation", () =>
    Effect.gen(function* () {
      const { pipeline } = open()
      const result = yield* pipeline.call({ tool: "list_rows", args: { count: 1 } })
      assert.strictEqual(code(result), "tool_blocked_by_mode")
      assert.deepStrictEqual(result.structuredContent["recovery"], {
        follow_up_kind: "fallback_recovery",
        tool: "capabilities",
        arguments: { domain: "look", operation: "rows", detail: "schema" }
      })
      assert.deepStrictEqual(routing(result), {
        surface_version: "facade-v1",
        facade: "look",
        operation: "rows",
        canonical_tool: "list_rows"
      })
    })
  )

  it.effect("refuses arguments that are no object", () =>
    Effect.gen(function* () {
      const { pipeline } = open()
      for (const args of [[], "x", 3, null]) {
        const result = yield* pipeline.call({ tool: "look", args })
        assert.strictEqual(code(result), args === null ? undefined : "invalid_argument")
      }
    })
  )

  it.effect("names the facade on a failure whose operation is unknown", () =>
    Effect.gen(function* () {
      const { counters, pipeline } = open()
      const result = yield* pipeline.call({ tool: "look", args: { operation: "secret_stuff" } })
      assert.isTrue(result.isError)
      assert.deepStrictEqual(routing(result), {
        surface_version: "facade-v1",
        facade: "look",
        operation: "unknown",
        canonical_tool: "unknown"
      })
      // What a caller wrote is not counted under its own words.
      assert.deepStrictEqual(Object.keys(counters.snapshot()), ["look.unknown"])
    })
  )
})

describe("planning", () => {
  it.effect("swaps the dispatcher while the session plans, and only then", () =>
    Effect.gen(function* () {
      const { pipeline, sessions } = open()
      const write = pipeline.call({ tool: "write", args: { operation: "file" }, session: "s" })
      assert.deepStrictEqual((yield* write).structuredContent, { written: true })
      yield* Effect.sync(() => sessions.state("s")).pipe(
        Effect.flatten,
        Effect.map(({ values }) => values.set("planning", true))
      )
      const blocked = yield* write
      assert.strictEqual(code(blocked), "tool_blocked_by_mode")
      assert.strictEqual(blocked.structuredContent["state_changed"], false)
      assert.isUndefined((yield* pipeline.call({ tool: "look", args: {}, session: "s" })).isError)
      assert.isUndefined((yield* pipeline.call({ tool: "write", args: { operation: "file" } })).isError)
    })
  )
})

describe("failures", () => {
  it.effect("show no absolute path of the root, and keep a follow-up that holds", () =>
    Effect.gen(function* () {
      const { pipeline } = open()
      const result = yield* pipeline.call({ tool: "look", args: { operation: "refused" } })
      assert.strictEqual(result.structuredContent["message"], "lib/a.ts is not in .")
      assert.strictEqual(result.structuredContent["state_changed"], false)
      assert.deepStrictEqual(result.structuredContent["recovery"], {
        follow_up_kind: "fallback_recovery",
        tool: "look",
        arguments: { operation: "who" }
      })
    })
  )

  it.effect("lose a follow-up that names no operation", () =>
    Effect.gen(function* () {
      const { logged, pipeline } = open()
      const result = yield* pipeline.call({ tool: "look", args: { operation: "refused", name: "bad" } })
      assert.isUndefined(result.structuredContent["recovery"])
      assert.strictEqual(logged.length, 1)
    })
  )

  it.effect("of our own making are internal, their cause only in the log", () =>
    Effect.gen(function* () {
      const { logged, pipeline } = open()
      const result = yield* pipeline.call({ tool: "look", args: { operation: "broken" } })
      assert.strictEqual(code(result), "internal")
      assert.notInclude(JSON.stringify(result), root)
      assert.notInclude(JSON.stringify(result), "secret")
      assert.include(logged.join("\n"), "cannot read /srv/house/secret")
    })
  )

  it.effect("of a service that nobody translated still carry its reason", () =>
    Effect.gen(function* () {
      const { pipeline } = open()
      const result = yield* pipeline.call({ tool: "look", args: { operation: "untranslated" } })
      assert.strictEqual(code(result), "path_outside_root")
      assert.strictEqual(result.structuredContent["reason_code"], "path_outside_root")
    })
  )
})

describe("the deadline", () => {
  it.effect("ends a read that hangs, which changed nothing", () =>
    Effect.gen(function* () {
      const { pipeline } = open()
      const running = yield* Effect.fork(pipeline.call({ tool: "look", args: { operation: "hangs" } }))
      yield* TestClock.adjust("59 seconds")
      assert.isNull(
        yield* Fiber.poll(running).pipe(Effect.map((exit) => (exit._tag === "None" ? null : exit)))
      )
      yield* TestClock.adjust("2 seconds")
      const result = yield* Fiber.join(running)
      assert.strictEqual(code(result), "timeout")
      assert.strictEqual(result.structuredContent["state_changed"], false)
      assert.isUndefined(result.structuredContent["outcome_unknown"])
    })
  )

  it.effect("leaves the outcome of a write in doubt", () =>
    Effect.gen(function* () {
      const { pipeline } = open()
      const running = yield* Effect.fork(pipeline.call({ tool: "write", args: { operation: "hangs" } }))
      yield* TestClock.adjust("61 seconds")
      const result = yield* Fiber.join(running)
      assert.strictEqual(code(result), "timeout")
      assert.strictEqual(result.structuredContent["outcome_unknown"], true)
      assert.isUndefined(result.structuredContent["state_changed"])
    })
  )

  it.effect("starts anew with every sign of progress, and progress reaches the caller", () =>
    Effect.gen(function* () {
      const { pipeline } = open()
      const heard: Array<number> = []
      const running = yield* Effect.fork(
        pipeline.call({ tool: "look", args: { operation: "slow" } }, (done) =>
          Effect.sync(() => void heard.push(done))
        )
      )
      for (let step = 0; step < 4; step++) yield* TestClock.adjust("40 seconds")
      const result = yield* Fiber.join(running)
      assert.deepStrictEqual(result.structuredContent, { done: true })
      assert.deepStrictEqual(heard, [1, 2, 3, 4])
    })
  )
})

describe("the side of a call", () => {
  it.effect("keeps whole answers of at least 1 KiB, spread over lines, and never those of response", () =>
    Effect.gen(function* () {
      const { pipeline, sessions } = open()
      yield* pipeline.call({ tool: "look", args: { options: { count: 2 } }, session: "s" })
      const paged = yield* pipeline.call({ tool: "look", args: { options: { count: 100 } }, session: "s" })
      yield* pipeline.call({ tool: "response", args: {}, session: "s" })
      yield* pipeline.call({ tool: "look", args: { options: { count: 100 } } })
      const answers = yield* kept(sessions)
      assert.deepStrictEqual(
        answers.map(({ id, tool }) => [id, tool]),
        [["resp_1", "list_rows"]]
      )
      assert.strictEqual((paged.structuredContent["rows"] as ReadonlyArray<unknown>).length, 5)
      assert.strictEqual(JSON.parse(answers[0]?.text ?? "").rows.length, 100)
      assert.isAbove(answers[0]?.text.split("\n").length ?? 0, 100)
    })
  )

  it.effect("is remembered by its session: the operation, its rows, how it came out", () =>
    Effect.gen(function* () {
      const { pipeline, sessions } = open()
      yield* pipeline.call({ tool: "look", args: { options: { count: 100 } }, session: "s" })
      yield* pipeline.call({ tool: "look", args: { operation: "broken" }, session: "s" })
      yield* pipeline.call({ tool: "look", args: {} })
      const { calls } = yield* sessions.state("s")
      assert.deepStrictEqual(
        calls.map(({ operation, outcome, rows, tool }) => [tool, operation, rows, outcome]),
        [
          ["list_rows", "look.rows", 100, "ok"],
          ["broken", "look.broken", undefined, "internal"]
        ]
      )
    })
  )

  it.effect("counts calls by operation and outcome", () =>
    Effect.gen(function* () {
      const { counters, pipeline } = open()
      yield* pipeline.call({ tool: "look", args: {} })
      yield* pipeline.call({ tool: "look", args: {} })
      yield* pipeline.call({ tool: "look", args: { operation: "broken" } })
      yield* pipeline.call({ tool: "who_knows", args: {} })
      const counts = counters.snapshot()
      assert.deepStrictEqual(counts["look.rows"]?.outcomes, { ok: 2 })
      assert.deepStrictEqual(counts["look.broken"]?.outcomes, { internal: 1 })
      assert.deepStrictEqual(counts["unknown.unknown"]?.outcomes, { unknown_tool: 1 })
    })
  )
})
