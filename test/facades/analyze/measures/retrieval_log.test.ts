import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { layer, Sessions } from "../../../../src/engine/sessions/Sessions.ts"
import { analyzeFacade } from "../../../../src/facades/analyze/index.ts"
import { CallInfo } from "../../../../src/registry/CallInfo.ts"
import * as Dispatcher from "../../../../src/registry/Dispatcher.ts"
import * as Registry from "../../../../src/registry/Registry.ts"
import { SessionView } from "../../../../src/services/SessionView.ts"

const registry = Registry.satisfiedBy(Registry.make(analyzeFacade), [SessionView])
const sessions = new Sessions()
sessions.open("s")
const logged = (
  minute: number,
  operation: string,
  duration_ms: number,
  rows: number | undefined,
  question?: string,
  outcome = "ok"
) =>
  sessions.log("s", {
    at: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString(),
    tool: operation.replace(".", "_"),
    operation,
    duration_ms,
    rows,
    outcome,
    question
  })
logged(1, "search.text", 10, 3, "one")
logged(2, "search.text", 30, 0, "two")
logged(3, "search.text", 20, 0, "three")
logged(4, "read.file", 5, undefined, "src/a.ts")
logged(5, "read.file", 7, undefined, "src/b.ts", "file_not_indexed")

const run = (options: object, session: string | undefined = "s") =>
  Dispatcher.call(registry, { facade: "analyze", args: { kind: "retrieval_log", options } }).pipe(
    Effect.provide(layer(sessions)),
    Effect.provideService(CallInfo, { requestId: "1", ...(session === undefined ? {} : { session }) })
  )
const value = (options: object = {}, session?: string) =>
  Effect.runPromise(Effect.map(run(options, session), ({ answer }): any => answer.value))

describe("analyze.retrieval_log", () => {
  it("counts calls by operation, with what found nothing and how long they took", async () => {
    const { by_tool, scanned, total, zero_rate, zero_result_questions } = await value()
    expect([total, scanned, zero_rate]).toEqual([5, 5, 0.6667])
    expect(by_tool).toEqual([
      { tool: "search.text", count: 3, failed: 0, zero_rate: 0.6667, avg_nodes: 1, p50_ms: 20, p95_ms: 30 },
      { tool: "read.file", count: 2, failed: 1, zero_rate: null, avg_nodes: null, p50_ms: 5, p95_ms: 7 }
    ])
    expect(zero_result_questions.map(({ question }: any) => question)).toEqual(["two", "three"])
  })
  it("keeps a tool, a time and what found nothing", async () => {
    expect((await value({ tool: "read.file", include_recent: true })).recent).toHaveLength(2)
    expect((await value({ since: "2026-01-01T00:02:30Z" })).total).toBe(3)
    expect((await value({ zero_only: true })).total).toBe(2)
    expect(await value({ since: "99999999999999h" })).toMatchObject({
      total: 5,
      since: "1970-01-01T00:00:00.000Z"
    })
  })
  it("refuses a time that is none, and a tool that was not called", async () => {
    const refused = (options: object) => Effect.runPromise(Effect.flip(run(options)))
    expect(await refused({ since: "last week" })).toMatchObject({
      code: "invalid_argument",
      field: "options.since"
    })
    expect(((await refused({ tool: "edit.file" })) as any).data.valid_values).toContain("search.text")
  })
})
