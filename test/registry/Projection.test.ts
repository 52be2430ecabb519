import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, FastCheck, Layer } from "effect"
import * as Dispatcher from "../../src/registry/Dispatcher.ts"
import { byteLength, isRecord } from "../../src/registry/Json.ts"
import { project } from "../../src/registry/Projection.ts"
import * as sample from "./sample.ts"

/** Built once: a property calls some thousand times. */
const full = Effect.runSync(Effect.scoped(Layer.build(sample.layerFull)))

const run = (args: Record<string, unknown>) =>
  Dispatcher.call(sample.registry, { facade: "read", args }).pipe(
    Effect.flatMap(project),
    Effect.provide(full),
    Effect.either,
    Effect.runSync
  )
const answer = (args: Record<string, unknown>): any => Either.getOrThrow(run(args)).value
const error = (args: Record<string, unknown>) => Either.getOrThrow(Either.flip(run(args)))

describe("paging", () => {
  it("is silent when everything fits", () => {
    assert.deepStrictEqual(answer({ operation: "rows", options: { count: 2 } }), {
      kind: "rows",
      rows: [
        { at: 0, text: "x" },
        { at: 1, text: "x" }
      ]
    })
  })

  it.prop(
    "following cursors yields every row once",
    [FastCheck.nat(120), FastCheck.integer({ min: 1, max: 50 }), FastCheck.constantFrom(400, 900, 40_000)],
    ([count, limit, max_bytes]) => {
      const seen: Array<number> = []
      let cursor: string | undefined
      do {
        const page = answer({
          operation: "rows",
          options: { count, width: 20 },
          output: { limit, max_bytes, ...(cursor === undefined ? {} : { cursor }) }
        })
        assert.isAtMost(page.rows.length, limit)
        assert.isAtMost(byteLength(page), max_bytes)
        seen.push(...page.rows.map((row: { at: number }) => row.at))
        cursor = page.next_cursor
        if (cursor !== undefined) assert.strictEqual(page.total, count)
      } while (cursor !== undefined)
      assert.deepStrictEqual(
        seen,
        Array.from({ length: count }, (_, at) => at)
      )
    }
  )

  it("refuses a cursor of another request, of another server, or of another state", () => {
    const { next_cursor: cursor } = answer({ operation: "rows" })
    assert.strictEqual(answer({ operation: "rows", output: { cursor, max_bytes: 5000 } }).rows[0].at, 10)
    const other = error({ operation: "rows", options: { width: 2 }, output: { cursor } })
    assert.strictEqual(other.code, "invalid_cursor")
    assert.strictEqual(other.state_changed, false)
    assert.strictEqual(error({ operation: "rows", output: { cursor: "zzz" } }).code, "invalid_cursor")
    assert.strictEqual(
      error({ operation: "rows", output: { cursor: cursor.slice(2) } }).code,
      "invalid_cursor"
    )
    const outcome = Effect.runSync(
      Dispatcher.call(sample.registry, {
        facade: "read",
        args: { operation: "rows", output: { cursor } }
      }).pipe(Effect.provide(full))
    )
    const stale = project({ ...outcome, position: { ...outcome.position, snapshot: "v1" } })
    assert.strictEqual(Either.getOrThrow(Either.flip(stale)).code, "stale_continuation")
  })
})

describe("budget", () => {
  it("shortens the longest list, names every cut, and gives the rest a cursor", () => {
    const page = answer({
      operation: "rows",
      options: { count: 40, width: 100 },
      output: { limit: 40, max_bytes: 2000 }
    })
    assert.isTrue(page._truncated_by_budget)
    assert.strictEqual(page._original_count_rows, 40)
    assert.strictEqual(page._max_returned_rows, page.rows.length)
    assert.isString(page.next_cursor)
    assert.isAtMost(byteLength(page), 2000)
  })
  it("keeps one row of the page so that following it makes progress", () => {
    const page = answer({ operation: "rows", options: { count: 3, width: 5000 }, output: { max_bytes: 300 } })
    assert.strictEqual(page.rows.length, 1)
    assert.isAbove(page._over_budget_bytes, 0)
  })
  it("combines bytes and tokens, the tighter wins, and 0 opts out", () => {
    const at = (output: object) =>
      answer({ operation: "rows", options: { count: 50, width: 2000 }, output: { limit: 50, ...output } })
        .rows.length
    assert.isBelow(at({}), 50)
    assert.strictEqual(at({ max_bytes: 0 }), 50)
    assert.strictEqual(at({ max_bytes: 20_000, max_tokens: 2000 }), at({ max_tokens: 2000 }))
    assert.strictEqual(at({ max_bytes: 7000 }), at({ max_bytes: 7000, max_tokens: 0 }))
  })
  it("cuts text between code points and says how much there was", () => {
    const outcome = Effect.runSync(
      Dispatcher.call(sample.registry, {
        facade: "read",
        args: { operation: "rows", output: { max_bytes: 500 } }
      }).pipe(Effect.provide(full))
    )
    const cut = Either.getOrThrow(
      project({ ...outcome, answer: { value: { content: "😀".repeat(1000) }, shape: {} } })
    )
    const content = cut.value["content"] as string
    assert.notMatch(content, /[\ud800-\udbff]$/)
    assert.strictEqual(cut.value["_original_bytes_content"], 4000)
    assert.strictEqual(cut.value["_returned_bytes_content"], Buffer.byteLength(content))
    assert.isTrue(cut.truncated)
    assert.isAtMost(byteLength(cut.value), 500)
  })
})

describe("shape", () => {
  it("keeps the named row fields and tells of names no row has", () => {
    const page = answer({ operation: "rows", options: { count: 1 }, output: { fields: "at,nope" } })
    assert.deepStrictEqual(page, {
      kind: "rows",
      rows: [{ at: 0 }],
      _unknown_fields: ["nope"],
      _row_fields: ["at", "text"]
    })
  })
  it("renders a format the operation has, and refuses one it has not before running", () => {
    const projected = Either.getOrThrow(run({ target: { file: "a" }, output: { format: "text" } }))
    assert.strictEqual(projected.text, "0+200")
    assert.isTrue(isRecord(projected.value))
    assert.strictEqual(error({ operation: "rows", output: { format: "yaml" } }).failure_stage, "decode")
    assert.strictEqual(error({ operation: "rows", output: { format: "text" } }).field, "output.format")
  })
})
