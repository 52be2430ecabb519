/** What is counted of calls, as the pipeline makes them. */
import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { assert } from "vitest"
import type { Counters } from "../../src/pipeline/Counters.ts"
import { countsOf, isEmpty, outcomeOf } from "../../src/pipeline/Observation.ts"
import * as Answer from "../../src/registry/Answer.ts"
import { failureCodes } from "../../src/registry/Failure.ts"
import type { Ended } from "../../src/telemetry/Ergonomics.ts"
import { outcomes } from "../../src/telemetry/Keys.ts"
import { open } from "./house.ts"

/** Everything drained, as `key dimension` to count. */
const drained = (counters: Counters): { readonly [row: string]: number } => {
  const rows: { [row: string]: number } = {}
  counters.drain((key, dimension, count = 1) => {
    const row = `${key} ${dimension}`
    rows[row] = (rows[row] ?? 0) + count
  })
  return rows
}

describe("an outcome", () => {
  it("is one of the list for every code a failure can have", () => {
    for (const code of failureCodes) assert.include(outcomes, outcomeOf(code, undefined, false))
  })
  it("tells what was wrong with a call from what went wrong with it", () => {
    assert.deepStrictEqual(
      (
        [
          [undefined, undefined, false],
          [undefined, undefined, true],
          ["unknown_tool", undefined, false],
          ["invalid_argument", "unknown_operation", false],
          ["invalid_argument", "missing_operation", false],
          ["invalid_argument", "unknown_field", false],
          ["invalid_pattern", undefined, false],
          ["tool_blocked_by_mode", undefined, false],
          ["approval_required", undefined, false],
          ["operation_unavailable", undefined, false],
          ["index_incomplete", undefined, false],
          ["symbol_not_found", undefined, false],
          ["edit_conflict", undefined, false],
          ["internal", undefined, false],
          ["timeout", undefined, false]
        ] as const
      ).map(([code, reason, empty]) => outcomeOf(code, reason, empty)),
      [
        "success",
        "empty_result",
        "invalid_operation",
        "invalid_operation",
        "invalid_operation",
        "invalid_argument",
        "invalid_argument",
        "blocked",
        "blocked",
        "unavailable",
        "unavailable",
        "tool_error",
        "tool_error",
        "handler_error",
        "handler_error"
      ]
    )
  })
})

describe("an answer", () => {
  it("is empty when its list is, and not when a page of it is", () => {
    assert.isTrue(isEmpty(Answer.from(Answer.page("rows", { rows: [] }))))
    assert.isFalse(isEmpty(Answer.from(Answer.page("rows", { rows: [1] }))))
    assert.isFalse(isEmpty(Answer.from(Answer.page("rows", { rows: [] }, { from: 40, total: 40 }))))
    assert.isFalse(isEmpty(Answer.from({ text: "" })))
    assert.isTrue(isEmpty(Answer.from([])))
  })
})

describe("calls", () => {
  it.effect("are counted by what they came to, and each is drained once", () =>
    Effect.gen(function* () {
      const { counters, pipeline } = open()
      yield* pipeline.call({ tool: "look", args: {} })
      yield* pipeline.call({ tool: "look", args: { options: { count: 0 } } })
      yield* pipeline.call({ tool: "look", args: { operation: "zq7" } })
      yield* pipeline.call({ tool: "look", args: { operation: "rows", zq7: 1 } })
      yield* pipeline.call({ tool: "look", args: { operation: "broken" } })
      yield* pipeline.call({ tool: "write_file", args: {} })
      yield* pipeline.call({ tool: "zq7", args: {} })
      const { "mcp_facade_latency <1ms": fast = 0, ...rest } = drained(counters)
      assert.strictEqual(fast, 7)
      assert.deepStrictEqual(rest, {
        "mcp_tool_call look": 5,
        "mcp_tool_call write_file": 1,
        "mcp_tool_call unknown": 1,
        "mcp_facade_call look.rows": 3,
        "mcp_facade_call look.unknown": 1,
        "mcp_facade_call look.broken": 1,
        "mcp_facade_call write.file": 1,
        "mcp_facade_call unknown.unknown": 1,
        "mcp_facade_status ok": 2,
        "mcp_facade_status error": 5,
        "mcp_facade_outcome success": 1,
        "mcp_facade_outcome empty_result": 1,
        "mcp_facade_outcome invalid_operation": 2,
        "mcp_facade_outcome invalid_argument": 1,
        "mcp_facade_outcome handler_error": 1,
        "mcp_facade_outcome blocked": 1,
        "mcp_facade_invalid look.unknown": 1,
        "mcp_facade_invalid look.rows": 1,
        "mcp_facade_invalid unknown.unknown": 1
      })
      assert.deepStrictEqual(drained(counters), {})
      yield* pipeline.call({ tool: "look", args: {} })
      assert.strictEqual(drained(counters)["mcp_facade_call look.rows"], 1)
      // What telemetry took is still there for the process itself.
      assert.strictEqual(counters.snapshot()["look.rows"]?.calls, 4)
    })
  )

  it.effect("of the tool that describes the others are counted by how much they ask", () =>
    Effect.gen(function* () {
      const { counters, pipeline } = open()
      for (const args of [
        {},
        { domain: "look" },
        { domain: "look", operation: "rows" },
        { domain: "look", operation: "rows", detail: "schema" },
        { nothing: 1 }
      ])
        yield* pipeline.call({ tool: "capabilities", args })
      const rows = drained(counters)
      assert.deepInclude(rows, {
        "mcp_facade_call capabilities.list": 1,
        "mcp_facade_call capabilities.domain": 1,
        "mcp_facade_call capabilities.operation": 2,
        "mcp_facade_call capabilities.unknown": 1,
        "mcp_facade_invalid capabilities.unknown": 1
      })
    })
  )
})

describe("whoever observes calls", () => {
  it.effect("is told what they came to, with nothing that was written in them", () =>
    Effect.gen(function* () {
      const seen: Array<Ended> = []
      const { pipeline } = open({ observe: (call) => void seen.push(call) })
      yield* pipeline.call({ tool: "look", args: {}, session: "s" })
      yield* pipeline.call({ tool: "look", args: { zq7: "zq7" }, session: "s" })
      yield* pipeline.call({ tool: "look", args: {}, session: "s", door: "cli" })
      assert.deepStrictEqual(
        seen.map(({ bytes: _bytes, contract: _contract, digest, ...rest }) => ({
          ...rest,
          digest: digest()?.length
        })),
        [
          { code: undefined, stage: undefined, digest: 64 },
          { code: "invalid_argument", stage: "decode", changed: false, digest: undefined },
          { code: undefined, stage: undefined, session: undefined, digest: 64 }
        ].map((more) => ({
          session: "s",
          facade: "look",
          operation: "rows",
          effect: "read",
          empty: false,
          changed: undefined,
          noted: false,
          ...more
        }))
      )
      assert.notInclude(JSON.stringify(seen), "zq7")
    })
  )
  it.effect("cannot make them fail", () =>
    Effect.gen(function* () {
      const { logged, pipeline } = open({
        observe: () => {
          throw new Error("no room")
        }
      })
      const result = yield* pipeline.call({ tool: "look", args: {}, session: "s" })
      assert.isUndefined(result.isError)
      assert.match(logged.join(), /could not be observed: Error: no room/)
    })
  )
})

describe("a greeting", () => {
  const tool = (name: string) => ({
    name,
    description: "",
    inputSchema: { type: "object" },
    annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false }
  })
  const greeting = { door: "stdio", client: "cursor", surface: "compact", tools: [tool("look")] } as never

  it("is counted by ranges, and by a hash where the list is one of many alike", () => {
    const rows = countsOf(greeting, (name) => name === "look")
    assert.deepStrictEqual(rows.slice(0, -1), [
      ["daemon_session", "stdio"],
      ["client", "cursor"],
      ["surface", "compact"],
      ["surface_tools", "<20"],
      ["surface_bytes", "<4k"]
    ])
    assert.match(rows.at(-1)?.[1] ?? "", /^[0-9a-f]{8}$/)
  })
  it("has no hash where the list may be the only one of its kind", () => {
    const keys = (more: object, ours = true) =>
      countsOf({ ...(greeting as object), ...more } as never, () => ours).map(([key]) => key)
    assert.notInclude(keys({ surface: "custom" }), "surface_schema")
    assert.notInclude(keys({}, false), "surface_schema")
    assert.include(keys({}), "surface_schema")
  })
})
