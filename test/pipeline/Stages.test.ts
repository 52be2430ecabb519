/** A refusal at each stage, and that nothing behind it ran. */
import { describe, it } from "@effect/vitest"
import { Context, Effect } from "effect"
import { assert } from "vitest"
import type { CallResult } from "../../src/pipeline/CallResult.ts"
import type { Request } from "../../src/pipeline/Pipeline.ts"
import { Turns } from "../../src/pipeline/Turns.ts"
import { ApprovalStore } from "../../src/services/ApprovalStore.ts"
import { AuditLedger } from "../../src/services/AuditLedger.ts"
import { CallRecords } from "../../src/services/CallRecords.ts"
import { TempFolder } from "../engine/git/TempRepo.ts"
import { type Furniture, open } from "./house.ts"

const house = (furniture: Omit<Furniture, "records"> = {}) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const folder = new TempFolder()
      return { folder, ...open({ ...furniture, records: folder.at("records.db") }) }
    }),
    ({ close, folder }) =>
      Effect.zipRight(
        close,
        Effect.sync(() => folder[Symbol.dispose]())
      )
  ).pipe(
    Effect.map((made) => {
      const stores = made.stores
      if (stores === undefined) throw new Error("this house has records")
      return {
        ...made,
        approvals: Context.get(stores, ApprovalStore),
        ledger: Context.get(stores, AuditLedger),
        calls: Context.get(stores, CallRecords)
      }
    })
  )

const agent = { kind: "agent", id: "agent:a", authenticated: true } as const
const write: Request = {
  tool: "write",
  args: { operation: "file" },
  session: "s",
  principal: agent,
  requestId: "r1"
}
const code = (result: CallResult) => result.structuredContent["error_code"] ?? "ok"
const reference = (result: CallResult) => (result.structuredContent as any).data.approval.reference as string

describe("a call that is refused", () => {
  const never: TurnsOfNobody = {
    running: 0,
    runningOfSession: 0,
    waitingOfSession: 0,
    waiting: 0,
    abandoned: 1
  }
  type TurnsOfNobody = ConstructorParameters<typeof Turns>[0] & object
  for (const [stage, furniture, request, expected, what] of [
    ["admission", {}, { ...write, tool: "write_file" }, "tool_blocked_by_mode", {}],
    ["admission", {}, { ...write, tool: "wrote" }, "unknown_tool", {}],
    ["decode", {}, { ...write, args: { operation: "file", nothing: 1 } }, "invalid_argument", {}],
    ["authority", { settings: { user: { grants: { agent: ["read"] } } } }, write, "permission_denied", {}],
    ["authority", {}, { ...write, principal: { ...agent, authenticated: false } }, "permission_denied", {}],
    [
      "approval",
      { settings: { user: { approvals: { mode: "inspect" } } } },
      write,
      "approval_required",
      { asked: 1 }
    ],
    ["turn", { turns: new Turns(never) }, write, "overloaded", {}]
  ] as ReadonlyArray<readonly [string, Furniture, Request, string, { asked?: number; remembered?: string }]>)
    it.scopedLive(`at ${stage} with ${expected} reaches nothing behind it`, () =>
      Effect.gen(function* () {
        const { approvals, calls, ledger, pipeline, writes } = yield* house(furniture)
        const result = yield* pipeline.call(request)
        assert.strictEqual(code(result), expected)
        assert.isFalse(result.structuredContent["state_changed"])
        assert.strictEqual(writes(), 0)
        assert.lengthOf(yield* approvals.list(), what.asked ?? 0)
        const record = yield* calls.find({ principalId: agent.id, requestId: "r1" })
        assert.strictEqual(record?.state, what.remembered)
        const rows = yield* ledger.rows(0, 10)
        assert.isNotEmpty(rows)
        const last = rows.at(-1)
        assert.deepInclude(last, {
          outcome: expected,
          principal_id: agent.id,
          door: "stdio",
          state_changed: false
        })
        if (stage !== "turn") {
          assert.deepInclude(last, { stage, decision: stage === "approval" ? "pending" : "refused" })
          assert.isFalse(rows.some(({ outcome }) => outcome === "begun"))
        }
      })
    )
})

describe("a call that passes", () => {
  it.scopedLive(
    "is written down at both layers, the beginning before the effect, and holds no arguments",
    () =>
      Effect.gen(function* () {
        const { ledger, pipeline, writes } = yield* house()
        assert.strictEqual(code(yield* pipeline.call(write)), "ok")
        assert.strictEqual(
          code(yield* pipeline.call({ tool: "look", args: { operation: "who" }, principal: agent })),
          "ok"
        )
        assert.strictEqual(writes(), 1)
        const rows = yield* ledger.rows(0, 10)
        assert.deepStrictEqual(
          rows.map(({ decision, effect, facade, layer, operation, outcome }) => [
            layer,
            facade,
            operation,
            effect,
            decision,
            outcome
          ]),
          [
            ["facade", "write", "file", "local_write", "allowed", "begun"],
            ["target", "write", "file", "local_write", "allowed", "ok"],
            ["facade", "look", "who", "read", "allowed", "ok"],
            ["target", "look", "who", "read", "allowed", "ok"]
          ]
        )
        assert.match(rows[1]?.arguments_digest ?? "", /^[0-9a-f]{64}$/)
        assert.isTrue((yield* ledger.verify).ok)
      })
  )
})

describe("a call with a request id", () => {
  it.scopedLive("runs once, however many ask, and every one gets the outcome", () =>
    Effect.gen(function* () {
      const { ledger, pipeline, writes } = yield* house()
      const results = yield* Effect.forEach(Array.from({ length: 50 }), () => pipeline.call(write), {
        concurrency: "unbounded"
      })
      assert.strictEqual(writes(), 1)
      assert.deepStrictEqual([...new Set(results.map(code))], ["ok"])
      assert.strictEqual(results.filter(({ _meta }) => _meta.portico?.duplicate === true).length, 49)
      const other = yield* pipeline.call({ ...write, tool: "look", args: { operation: "who" } })
      assert.strictEqual(code(other), "idempotency_conflict")
      const rows = yield* ledger.rows(0, 1000)
      assert.strictEqual(rows.filter(({ outcome }) => outcome === "begun").length, 1)
      assert.strictEqual(
        rows.filter(({ decision, layer }) => decision === "replayed" && layer === "target").length,
        49
      )
    })
  )

  it.scopedLive("belongs to its principal", () =>
    Effect.gen(function* () {
      const { pipeline, writes } = yield* house()
      yield* pipeline.call(write)
      yield* pipeline.call({ ...write, principal: { ...agent, id: "agent:b" } })
      assert.strictEqual(writes(), 2)
    })
  )

  it.scopedLive("is refused to who lost the right, whatever is remembered", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* house()
      yield* pipeline.call(write)
      const later = yield* pipeline.call({ ...write, principal: { ...agent, authenticated: false } })
      assert.strictEqual(code(later), "permission_denied")
    })
  )
})

describe("a call that a person is asked about", () => {
  const settings = { user: { approvals: { mode: "inspect" } } } as const
  const { requestId: _, ...once } = write

  it.scopedLive("waits, passes once when approved, and is asked about again", () =>
    Effect.gen(function* () {
      const { approvals, ledger, pipeline, writes } = yield* house({ settings })
      const asked = reference(yield* pipeline.call(once))
      assert.strictEqual(reference(yield* pipeline.call(once)), asked)
      yield* approvals.decide(asked, "approved", "cli")
      assert.strictEqual(code(yield* pipeline.call(once)), "ok")
      assert.strictEqual(writes(), 1)
      const again = yield* pipeline.call(once)
      assert.strictEqual(code(again), "approval_required")
      assert.notStrictEqual(reference(again), asked)
      assert.strictEqual(writes(), 1)
      const target = (yield* ledger.rows(0, 100)).filter(
        ({ layer, outcome }) => layer === "target" && outcome === "ok"
      )
      assert.deepStrictEqual(
        target.map(({ approval }) => approval),
        [asked]
      )
    })
  )

  it.scopedLive("keeps waiting when its arguments are other ones, or another asks", () =>
    Effect.gen(function* () {
      const { approvals, pipeline, writes } = yield* house({ settings })
      yield* approvals.decide(reference(yield* pipeline.call(once)), "approved", "cli")
      const other = yield* pipeline.call({ ...once, args: { operation: "file", output: { max_bytes: 900 } } })
      assert.strictEqual(code(other), "approval_required")
      const stranger = yield* pipeline.call({ ...once, principal: { ...agent, id: "agent:b" } })
      assert.strictEqual(code(stranger), "approval_required")
      assert.strictEqual(writes(), 0)
    })
  )

  it.scopedLive("is asked about anew when what it touches has moved", () =>
    Effect.gen(function* () {
      let blob = "0"
      const { approvals, pipeline, writes } = yield* house({ settings, blob: () => blob })
      const asked = reference(yield* pipeline.call(once))
      yield* approvals.decide(asked, "approved", "cli")
      blob = "1"
      const moved = yield* pipeline.call(once)
      assert.strictEqual(code(moved), "approval_required")
      assert.notStrictEqual(reference(moved), asked)
      assert.strictEqual((yield* approvals.get(asked))?.state, "void")
      assert.strictEqual(writes(), 0)
    })
  )

  it.scopedLive("is told no", () =>
    Effect.gen(function* () {
      const { approvals, pipeline, writes } = yield* house({ settings })
      const asked = reference(yield* pipeline.call(once))
      yield* approvals.decide(asked, "denied", "cli")
      assert.strictEqual(code(yield* pipeline.call(once)), "approval_denied")
      assert.strictEqual(writes(), 0)
    })
  )

  it.scopedLive("is not asked about again when it ran already under its request id", () =>
    Effect.gen(function* () {
      const { approvals, pipeline, writes } = yield* house({ settings })
      yield* approvals.decide(reference(yield* pipeline.call(write)), "approved", "cli")
      assert.strictEqual(code(yield* pipeline.call(write)), "ok")
      const again = yield* pipeline.call(write)
      assert.strictEqual(code(again), "ok")
      assert.isTrue(again._meta.portico?.duplicate)
      assert.strictEqual(writes(), 1)
    })
  )
})
