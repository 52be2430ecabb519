/** Calls that are to run once, whoever asks, in whatever order, from however many processes. */
import { describe, it } from "@effect/vitest"
import { Context, Effect, Either, Exit, FastCheck, Layer, Scope } from "effect"
import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert } from "vitest"
import { layerStore } from "../../src/engine/store/layer.ts"
import { type CallResult, failed, succeeded } from "../../src/pipeline/CallResult.ts"
import { Once } from "../../src/pipeline/Once.ts"
import { failure } from "../../src/registry/Failure.ts"
import { CallRecords } from "../../src/services/CallRecords.ts"
import { ServiceFailure } from "../../src/services/ServiceFailure.ts"
import { TempFolder } from "../engine/git/TempRepo.ts"
import { program } from "../program.ts"

const routing = { facade: "edit", operation: "file", canonical_tool: "edit_file" }

/** Ways for a call to end. */
const endings = ["works", "fails", "unknown"] as const
type Ending = (typeof endings)[number]

/** The result of the n-th run there ever was. */
const resultOf = (ending: Ending, run: number): CallResult =>
  ending === "works"
    ? succeeded(routing, { run })
    : failed(
        routing,
        failure(
          "internal",
          `run ${run}`,
          ending === "unknown" ? { outcome_unknown: true } : { state_changed: true }
        )
      )

interface Ask {
  readonly principal: "p" | "q"
  readonly id: "r1" | "r2" | "r3"
  readonly content: "f" | "g"
  /** Which of two servers over one file is asked. */
  readonly server: 0 | 1
  readonly ending: Ending
  /** Turns of the loop before the call is made, and while it runs. */
  readonly before: number
  readonly during: number
  /** Whether the one who asks goes away at once. */
  readonly leaves: boolean
}

const ask: FastCheck.Arbitrary<Ask> = FastCheck.record({
  principal: FastCheck.constantFrom("p", "q"),
  id: FastCheck.constantFrom("r1", "r2", "r3"),
  content: FastCheck.constantFrom("f", "f", "f", "g"),
  server: FastCheck.constantFrom(0, 1),
  ending: FastCheck.constantFrom(...endings),
  before: FastCheck.nat(6),
  during: FastCheck.nat(6),
  leaves: FastCheck.boolean()
})

const spin = (turns: number) => Effect.forEach(Array.from({ length: turns }), () => Effect.yieldNow())

const records = (file: string) => Effect.map(layered(file), ({ calls }) => calls)
const layered = (file: string) =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const context = yield* Layer.buildWithScope(layerStore(file), scope)
    return { calls: Context.get(context, CallRecords), end: Scope.close(scope, Exit.void) }
  })

describe("a call with a request id", () => {
  it("has one effect and one outcome for one content, under any interleaving of two servers", {
    timeout: 120_000
  }, async () => {
    await FastCheck.assert(
      FastCheck.asyncProperty(FastCheck.array(ask, { minLength: 2, maxLength: 24 }), async (asks) => {
        using temp = new TempFolder()
        const file = temp.at("records.db")
        const stores = await Promise.all([0, 1].map(() => Effect.runPromise(layered(file))))
        const servers = stores.map(({ calls }) => new Once(calls))
        let runs = 0
        /** How often each content of each id had its effect. */
        const effects = new Map<string, number>()
        const outcomes = await Effect.runPromise(
          Effect.forEach(
            asks,
            (one) =>
              Effect.gen(function* () {
                yield* spin(one.before)
                const once = servers[one.server] as Once
                const call = Effect.gen(function* () {
                  const key = `${one.principal} ${one.id} ${one.content}`
                  effects.set(key, (effects.get(key) ?? 0) + 1)
                  const run = ++runs
                  yield* spin(one.during)
                  return resultOf(one.ending, run)
                })
                const answer = Effect.either(
                  once.run(
                    {
                      principalId: one.principal,
                      requestId: one.id,
                      operation: "edit.file",
                      fingerprint: one.content,
                      write: true
                    },
                    call
                  )
                )
                return one.leaves
                  ? yield* Effect.as(Effect.timeoutOption(answer, 1), undefined)
                  : yield* answer
              }),
            { concurrency: "unbounded" }
          )
        )
        const seen = new Map<
          string,
          { readonly contents: Set<string>; readonly results: Set<string>; firsts: number }
        >()
        for (const [at, outcome] of outcomes.entries()) {
          if (outcome === undefined) continue
          const one = asks[at] as Ask
          const key = `${one.principal} ${one.id}`
          const here = seen.get(key) ?? { contents: new Set(), results: new Set(), firsts: 0 }
          seen.set(key, here)
          if (Either.isLeft(outcome)) {
            assert.strictEqual(outcome.left.code, "idempotency_conflict")
            continue
          }
          here.contents.add(one.content)
          here.results.add(JSON.stringify(outcome.right.result))
          if (!outcome.right.duplicate) here.firsts++
        }
        for (const { contents, firsts, results } of seen.values()) {
          assert.isAtMost(contents.size, 1)
          assert.isAtMost(results.size, 1)
          assert.isAtMost(firsts, 1)
        }
        // An id has its effect once, whatever contents were tried under it.
        for (const principal of ["p", "q"])
          for (const id of ["r1", "r2", "r3"]) {
            const count = ["f", "g"].reduce(
              (sum, content) => sum + (effects.get(`${principal} ${id} ${content}`) ?? 0),
              0
            )
            assert.isAtMost(count, 1)
          }
        // Nothing is left open: what ran has ended, and its record says how.
        for (const one of asks) {
          const record = await Effect.runPromise(
            (stores[0] as (typeof stores)[number]).calls.find({
              principalId: one.principal,
              requestId: one.id
            })
          )
          if (record === undefined || record.state === "running") continue
          const { isError, structuredContent } = JSON.parse(record.result ?? "null") as CallResult
          assert.strictEqual(
            record.state,
            isError !== true
              ? "completed"
              : structuredContent["outcome_unknown"] === true
                ? "unknown"
                : "failed"
          )
        }
        for (const { end } of stores) await Effect.runPromise(end)
      }),
      { numRuns: 40 }
    )
  })

  it("is answered with what it came to even when that cannot be written down", async () => {
    using temp = new TempFolder()
    const calls = await Effect.runPromise(records(temp.at("records.db")))
    const broken: CallRecords["Type"] = {
      ...calls,
      end: () =>
        Effect.fail(new ServiceFailure({ service: "CallRecords", reason: "io_error", detail: "no room" }))
    }
    const once = new Once(broken)
    let runs = 0
    const draft = { principalId: "p", requestId: "r", operation: "edit.file", fingerprint: "f", write: true }
    const make = () =>
      Effect.runPromise(
        once.run(
          draft,
          Effect.sync(() => resultOf("works", ++runs))
        )
      )
    const first = await make()
    const second = await make()
    assert.deepStrictEqual(second.result.structuredContent, first.result.structuredContent)
    assert.deepStrictEqual([first.duplicate, second.duplicate, runs], [false, true, 1])
  })

  it("runs once among two processes that ask fifty times", { timeout: 60_000 }, async () => {
    using temp = new TempFolder()
    const file = temp.at("records.db")
    const effects = temp.write("effects.txt", "")
    const child = () =>
      new Promise<ReadonlyArray<{ readonly duplicate: boolean; readonly run: string }>>((resolve, reject) => {
        const running = spawn(process.execPath, [program("once-child"), file, effects, "25"], {
          cwd: join(import.meta.dirname, "../.."),
          stdio: ["ignore", "pipe", "pipe"]
        })
        let out = ""
        let errors = ""
        running.stdout.on("data", (data: Buffer) => (out += data.toString()))
        running.stderr.on("data", (data: Buffer) => (errors += data.toString()))
        running.on("exit", (code) => (code === 0 ? resolve(JSON.parse(out)) : reject(new Error(errors))))
      })
    const answers = (await Promise.all([child(), child()])).flat()
    const lines = readFileSync(effects, "utf8").trimEnd().split("\n")
    assert.lengthOf(lines, 1)
    assert.lengthOf(answers, 50)
    assert.deepStrictEqual([...new Set(answers.map(({ run }) => run))], lines)
    assert.lengthOf(
      answers.filter(({ duplicate }) => !duplicate),
      1
    )
  })
})
