import { describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Fiber, Layer, Scope } from "effect"
import { createHash } from "node:crypto"
import { statSync } from "node:fs"
import { assert } from "vitest"
import { createClient } from "@libsql/client"
import * as Database from "../../../src/engine/store/Database.ts"
import * as Jobs from "../../../src/engine/store/Jobs.ts"
import { layerStore } from "../../../src/engine/store/layer.ts"
import { ApprovalStore } from "../../../src/services/ApprovalStore.ts"
import { AuditLedger } from "../../../src/services/AuditLedger.ts"
import { CallRecords } from "../../../src/services/CallRecords.ts"
import { type Job, JobStore } from "../../../src/services/JobStore.ts"
import { TempFolder } from "../git/TempRepo.ts"
import { entry } from "./entry.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => new TempFolder()),
  (made) => Effect.sync(() => made[Symbol.dispose]())
)
/** A store of its own connection over a file; ended by `end`. */
const opened = (file: string, bounds?: Parameters<typeof layerStore>[1]) =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const context = yield* Layer.buildWithScope(layerStore(file, bounds), scope)
    return {
      ledger: Context.get(context, AuditLedger),
      approvals: Context.get(context, ApprovalStore),
      calls: Context.get(context, CallRecords),
      jobs: Context.get(context, JobStore),
      end: Scope.close(scope, Exit.void)
    }
  })

/** A first row with other contents than what was written, and the hash that fits them. */
const forged = {
  entry: "{}",
  hash: createHash("sha256")
    .update(`1\n${"0".repeat(64)}\n{}`)
    .digest("hex")
}

describe("the ledger", () => {
  it.scopedLive("keeps what two writers add in one chain, and is for its owner's eyes", () =>
    Effect.gen(function* () {
      const file = (yield* folder).at("records.db")
      const [one, two] = [yield* opened(file), yield* opened(file)]
      yield* Effect.forEach(
        Array.from({ length: 40 }, (_, at) => at),
        (at) => (at % 2 === 0 ? one : two).ledger.append([entry(2 * at), entry(2 * at + 1)]),
        { concurrency: 8 }
      )
      yield* one.ledger.note([entry(100), entry(101)])
      yield* one.end
      const verdict = yield* two.ledger.verify
      assert.deepInclude(verdict, { ok: true, rows: 82, broken: undefined })
      const rows = yield* two.ledger.rows(0, 1000)
      assert.deepStrictEqual(
        rows.map(({ seq }) => seq),
        Array.from({ length: 82 }, (_, at) => at + 1)
      )
      assert.strictEqual(rows.at(-1)?.hash, verdict.head)
      assert.strictEqual(statSync(file).mode & 0o777, 0o600)
      yield* two.end
    })
  )

  for (const [what, tamper, expected] of [
    [
      "an edited row",
      ["UPDATE ledger SET entry = replace(entry, 'ok', 'no') WHERE seq = 3"],
      { seq: 3, reason: "edited" }
    ],
    ["a removed row", ["DELETE FROM ledger WHERE seq = 4"], { seq: 4, reason: "removed" }],
    ["a removed end", ["DELETE FROM ledger WHERE seq > 7"], { seq: 8, reason: "removed" }],
    ["a removed beginning", ["DELETE FROM ledger WHERE seq < 3"], { seq: 1, reason: "removed" }],
    [
      "rows that changed places",
      [
        "UPDATE ledger SET seq = 100 WHERE seq = 5",
        "UPDATE ledger SET seq = 5 WHERE seq = 6",
        "UPDATE ledger SET seq = 6 WHERE seq = 100"
      ],
      { seq: 5, reason: "reordered" }
    ],
    [
      "a removed row whose gap was closed",
      [
        "DELETE FROM ledger WHERE seq = 4",
        ...[5, 6, 7, 8, 9, 10].map((seq) => `UPDATE ledger SET seq = ${seq - 1} WHERE seq = ${seq}`)
      ],
      { seq: 4, reason: "removed" }
    ],
    [
      "a row that was replaced together with its hash",
      [
        `UPDATE ledger SET (entry, hash) = (SELECT entry, hash FROM (SELECT '${forged.entry}' AS entry, '${forged.hash}' AS hash)) WHERE seq = 1`
      ],
      { seq: 1, reason: "edited" }
    ],
    ["everything removed", ["DELETE FROM ledger"], { seq: 1, reason: "removed" }]
  ] as const)
    it.scopedLive(`shows ${what}`, () =>
      Effect.gen(function* () {
        const file = (yield* folder).at("records.db")
        const store = yield* opened(file)
        for (let at = 0; at < 10; at++) yield* store.ledger.append([entry(at)])
        yield* Effect.promise(async () => {
          const raw = createClient({ url: `file:${file}` })
          for (const statement of [
            "DROP TRIGGER ledger_keeps_unsealed",
            "DROP TRIGGER ledger_stays",
            ...tamper
          ])
            await raw.execute(statement)
          raw.close()
        })
        const verdict = yield* store.ledger.verify
        assert.isFalse(verdict.ok)
        assert.deepStrictEqual(verdict.broken, expected)
        yield* store.end
      })
    )

  it.scopedLive("refuses to be changed", () =>
    Effect.gen(function* () {
      const file = (yield* folder).at("records.db")
      const store = yield* opened(file)
      yield* store.ledger.append([entry(1)])
      const refused = yield* Effect.promise(async () => {
        const raw = createClient({ url: `file:${file}` })
        const messages: Array<string> = []
        for (const statement of ["DELETE FROM ledger", "UPDATE ledger SET entry = ''"])
          await raw.execute(statement).catch((cause: unknown) => messages.push(String(cause)))
        raw.close()
        return messages
      })
      assert.lengthOf(refused, 2)
      assert.match(refused[0] ?? "", /only grows/)
      yield* store.end
    })
  )
})

const question = {
  principalKind: "agent",
  principalId: "agent:stdio",
  facade: "edit",
  operation: "file",
  effect: "local_write",
  digest: "d",
  subject: { files: { "a.ts": "0" }, snapshot: null },
  arguments: { target: { file: "a.ts" } },
  lifeMs: 60_000
} as const

describe("approvals", () => {
  it.scopedLive("let one call through, once, whoever of many takes it", () =>
    Effect.gen(function* () {
      const file = (yield* folder).at("records.db")
      const [one, two] = [yield* opened(file), yield* opened(file)]
      const asked = yield* one.approvals.request(question)
      assert.strictEqual((yield* two.approvals.request(question)).reference, asked.reference)
      assert.isFalse(yield* one.approvals.consume(asked.reference))
      const own = yield* Effect.flip(one.approvals.decide(asked.reference, "approved", "agent:stdio"))
      assert.include(own.detail, "the one who would decide")
      const decided = yield* two.approvals.decide(asked.reference, "approved", "cli")
      assert.deepInclude(decided, { state: "approved", decidedBy: "cli" })
      const taken = yield* Effect.forEach(
        Array.from({ length: 20 }),
        (_, at) => (at % 2 === 0 ? one : two).approvals.consume(asked.reference),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(taken.filter(Boolean).length, 1)
      const settled = yield* one.approvals.get(asked.reference)
      assert.strictEqual(settled?.state, "consumed")
      assert.isUndefined(settled?.arguments)
      assert.notStrictEqual((yield* one.approvals.request(question)).reference, asked.reference)
      yield* one.end
      yield* two.end
    })
  )

  it.scopedLive("lapse", () =>
    Effect.gen(function* () {
      const store = yield* opened((yield* folder).at("records.db"))
      const asked = yield* store.approvals.request({ ...question, lifeMs: 30 })
      yield* Effect.sleep(60)
      const late = yield* Effect.flip(store.approvals.decide(asked.reference, "approved", "cli"))
      assert.include(late.detail, "lapsed")
      assert.strictEqual((yield* store.approvals.get(asked.reference))?.state, "expired")
      assert.isUndefined(yield* store.approvals.standing("agent:stdio", "d"))
      yield* store.end
    })
  )
})

describe("a file of records", () => {
  it.scopedLive("can be used when whoever asked for it first went away while it was opened", () =>
    Effect.gen(function* () {
      const store = yield* opened((yield* folder).at("records.db"))
      const first = yield* Effect.fork(store.approvals.list())
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(first)
      assert.deepStrictEqual(yield* store.approvals.list(), [])
      yield* store.end
    })
  )
})

describe("calls that run once", () => {
  const draft = { principalId: "p", requestId: "r", operation: "edit.file", fingerprint: "f", write: true }

  it.scopedLive("start for one of many, and are known to the others", () =>
    Effect.gen(function* () {
      const file = (yield* folder).at("records.db")
      const [one, two] = [yield* opened(file), yield* opened(file)]
      const begun = yield* Effect.forEach(
        Array.from({ length: 20 }),
        (_, at) => (at % 2 === 0 ? one : two).calls.begin(draft),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(begun.filter(({ tag }) => tag === "started").length, 1)
      assert.strictEqual(begun.filter(({ tag }) => tag === "known").length, 19)
      assert.strictEqual((yield* two.calls.begin({ ...draft, fingerprint: "g" })).tag, "conflict")
      assert.strictEqual((yield* two.calls.begin({ ...draft, principalId: "q" })).tag, "started")
      yield* one.calls.end(draft, "completed", "{}")
      assert.deepInclude(yield* two.calls.find(draft), { state: "completed", result: "{}" })
      yield* one.end
      yield* two.end
    })
  )

  it.scopedLive(
    "keep results up to a number, reads and writes apart, and refuse what could not be remembered",
    () =>
      Effect.gen(function* () {
        const store = yield* opened((yield* folder).at("records.db"), {
          results: 2,
          calls: 4,
          lifeMs: 60_000
        })
        const ran = (requestId: string, write: boolean) =>
          Effect.gen(function* () {
            const begun = yield* store.calls.begin({ ...draft, requestId, write })
            if (begun.tag === "started")
              yield* store.calls.end({ ...draft, requestId }, "completed", requestId)
            yield* Effect.sleep(2)
            return begun.tag
          })
        assert.strictEqual(yield* ran("w1", true), "started")
        for (const at of [1, 2, 3, 4, 5, 6, 7, 8]) assert.strictEqual(yield* ran(`r${at}`, false), "started")
        assert.strictEqual((yield* store.calls.begin({ ...draft, requestId: "w1" })).tag, "known")
        for (const at of [2, 3, 4]) assert.strictEqual(yield* ran(`w${at}`, true), "started")
        assert.strictEqual(yield* ran("w5", true), "full")
        assert.strictEqual((yield* store.calls.begin({ ...draft, requestId: "w1" })).tag, "expired")
        assert.isUndefined(yield* store.calls.find({ ...draft, requestId: "w5" }))
        yield* store.end
      })
  )
})

describe("results of calls that were kept in the rows of the calls", () => {
  it.scopedLive("are taken over, and let go of like others", () =>
    Effect.gen(function* () {
      const file = (yield* folder).at("records.db")
      const rows = [1, 2, 3].map(
        (n) =>
          `('p', 'old${n}', 'edit.file', 'f', 1, 'completed', '"result ${n}"', 1, ${Date.now() - 10 + n}, '{}')`
      )
      yield* Effect.promise(async () => {
        const raw = createClient({ url: `file:${file}` })
        await raw.execute(`CREATE TABLE calls (
          principal_id TEXT NOT NULL, request_id TEXT NOT NULL, operation TEXT NOT NULL, fingerprint TEXT NOT NULL,
          write INTEGER NOT NULL, state TEXT NOT NULL, result TEXT, started_at INTEGER NOT NULL, ended_at INTEGER,
          owner TEXT NOT NULL, PRIMARY KEY (principal_id, request_id)) WITHOUT ROWID`)
        await raw.execute(`INSERT INTO calls VALUES ${rows.join()}`)
        raw.close()
      })
      const { calls, end } = yield* opened(file, { results: 2, calls: 10, lifeMs: 60_000 })
      const known = (requestId: string) =>
        Effect.map(calls.find({ principalId: "p", requestId }), (record) => [record?.state, record?.result])
      assert.deepStrictEqual(yield* known("old1"), ["completed", '"result 1"'])
      const draft = { principalId: "p", operation: "edit.file", fingerprint: "f", write: true }
      for (const requestId of ["new1", "new2"]) {
        yield* calls.begin({ ...draft, requestId })
        yield* calls.end({ principalId: "p", requestId }, "completed", `"${requestId}"`)
      }
      assert.deepStrictEqual(yield* known("old1"), ["completed", undefined])
      assert.deepStrictEqual(yield* known("old3"), ["completed", '"result 3"'])
      assert.deepStrictEqual(yield* known("new2"), ["completed", '"new2"'])
      yield* end
    })
  )
})

describe("jobs", () => {
  it.scopedLive("number their events without gaps and end once", () =>
    Effect.gen(function* () {
      const file = (yield* folder).at("records.db")
      const [one, two] = [yield* opened(file), yield* opened(file)]
      const job = yield* one.jobs.create({
        principalId: "p",
        requestId: "r",
        operation: "workspace_admin.index"
      })
      yield* Effect.forEach(
        Array.from({ length: 20 }, (_, at) => at),
        (done) =>
          (done % 2 === 0 ? one : two).jobs.add(job.id, {
            phase: "running",
            progress: { done, total: 20 },
            message: undefined
          }),
        { concurrency: "unbounded" }
      )
      const ends = yield* Effect.forEach(
        ["completed", "cancelled", "failed"] as const,
        (phase) =>
          two.jobs.add(job.id, { phase, progress: undefined, message: undefined, result: { phase } }, phase),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(ends.filter(Boolean).length, 1)
      const events = yield* one.jobs.events(job.id, 0)
      assert.deepStrictEqual(
        events.map(({ sequence }) => sequence),
        Array.from({ length: 22 }, (_, at) => at + 1)
      )
      const state = (yield* one.jobs.get(job.id))?.state
      assert.strictEqual(state, events.at(-1)?.phase)
      assert.deepStrictEqual(events.at(-1)?.result, { phase: state })
      assert.isFalse(
        yield* one.jobs.add("job_none", { phase: "running", progress: undefined, message: undefined })
      )
      assert.isUndefined(yield* one.jobs.get("job_none"))
      assert.lengthOf(yield* one.jobs.list("p", { limit: 10 }), 1)
      yield* one.end
      yield* two.end
    })
  )

  const made = (jobs: JobStore["Type"], principalId: string, requestId: string) =>
    jobs.create({ principalId, requestId, operation: "workspace_admin.index" })

  it.scopedLive("say how far they are, and are told page by page to the one whose they are", () =>
    Effect.gen(function* () {
      const { end, jobs } = yield* opened((yield* folder).at("records.db"))
      const all = yield* Effect.forEach(
        Array.from({ length: 12 }, (_, at) => `r${at}`),
        (requestId) => made(jobs, "p", requestId),
        { concurrency: "unbounded" }
      )
      yield* made(jobs, "other", "r0")
      const pages: Array<ReadonlyArray<Job>> = []
      for (let after: Job | undefined; pages.length === 0 || after !== undefined; ) {
        const page = yield* jobs.list("p", { limit: 5, after })
        after = page.length < 5 ? undefined : page.at(-1)
        pages.push(page)
      }
      assert.deepStrictEqual(
        pages.map(({ length }) => length),
        [5, 5, 2]
      )
      const listed = pages.flat()
      assert.deepStrictEqual(listed.map(({ id }) => id).sort(), all.map(({ id }) => id).sort())
      const times = listed.map(({ createdAt }) => createdAt)
      assert.deepStrictEqual(times, [...times].sort().reverse())

      const [{ id } = { id: "" }] = all
      yield* jobs.add(id, { phase: "running", progress: { done: 3, total: 9 }, message: "reading" })
      const now = yield* jobs.get(id)
      assert.deepInclude(now, { state: "running", progress: { done: 3, total: 9 }, message: "reading" })
      assert.isTrue((now?.updatedAt ?? "") >= (now?.createdAt ?? "z"))
      yield* jobs.add(id, {
        phase: "failed",
        progress: undefined,
        message: undefined,
        error: { code: "internal", message: "it broke" }
      })
      const failed = yield* jobs.get(id)
      assert.deepInclude(failed, { state: "failed", progress: undefined, message: "it broke" })
      assert.strictEqual(failed?.updatedAt, failed?.endedAt)
      yield* end
    })
  )

  it.scopedLive("are kept in a number of each principal's own, those that run beside", () =>
    Effect.gen(function* () {
      const jobs = Jobs.make(yield* Database.make((yield* folder).at("records.db")), 20)
      const done = (principalId: string, requestId: string) =>
        Effect.tap(made(jobs, principalId, requestId), ({ id }) =>
          jobs.add(id, { phase: "completed", progress: undefined, message: undefined })
        )
      const first = yield* done("quiet", "r")
      const running = yield* made(jobs, "loud", "running")
      yield* Effect.forEach(
        Array.from({ length: 23 }, (_, at) => `r${at}`),
        (requestId) => done("loud", requestId),
        { concurrency: 1 }
      )
      yield* made(jobs, "loud", "last")
      const loud = yield* jobs.list("loud", { limit: 100 })
      assert.lengthOf(
        loud.filter(({ state }) => state === "completed"),
        20
      )
      assert.include(
        loud.map(({ id }) => id),
        running.id
      )
      assert.strictEqual((yield* jobs.get(first.id))?.state, "completed")
    })
  )
})
