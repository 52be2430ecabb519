import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, FastCheck, Layer } from "effect"
import { responseFacade } from "../../src/facades/response/index.ts"
import { compile } from "../../src/facades/response/Pattern.ts"
import { CallInfo } from "../../src/registry/CallInfo.ts"
import * as Dispatcher from "../../src/registry/Dispatcher.ts"
import { project } from "./advertised.ts"
import * as Registry from "../../src/registry/Registry.ts"
import { ServiceFailure } from "../../src/services/ServiceFailure.ts"
import { type BufferedResponse, SessionView } from "../../src/services/SessionView.ts"

// What the session alone can serve; an operation that needs more is not in it.
const registry = Registry.satisfiedBy(Registry.make(responseFacade), [SessionView])

const answer = (id: string, text: string): BufferedResponse => ({
  id,
  tool: "read_file",
  text,
  bytes: Buffer.byteLength(text),
  captured_at: "2026-01-01T00:00:00.000Z"
})
const kept = [
  answer("r1", "first answer\n"),
  answer(
    "r2",
    Array.from({ length: 50 }, (_, at) => `line ${at + 1}${at === 9 ? " Needle (x)" : ""}`).join("\n")
  )
]
const sessions = Layer.succeed(SessionView, {
  get: () => Effect.succeed(undefined),
  calls: () => Effect.succeed([]),
  responses: (session) =>
    session === "broken"
      ? Effect.fail(new ServiceFailure({ service: "sessions", reason: "overloaded", detail: "too many" }))
      : Effect.succeed(session === "s" ? kept : [])
})
const call = (args: { readonly [key: string]: unknown }, session = "s") =>
  Dispatcher.call(registry, { facade: "response", args }).pipe(
    Effect.provide(sessions),
    Effect.provideService(CallInfo, { requestId: "1", ...(session === "" ? {} : { session }) })
  )
const value = (args: { readonly [key: string]: unknown }) =>
  Effect.map(call(args), (outcome): any => outcome.answer.value)

describe("stats", () => {
  it.effect("lists what is kept for this session only", () =>
    Effect.gen(function* () {
      const listed = yield* value({})
      assert.strictEqual(listed.count, 2)
      assert.deepInclude(listed.buffered[0], {
        response_id: "r1",
        tool: "read_file",
        lines: 1,
        bytes: 13,
        approx_tokens: 4
      })
      assert.strictEqual((yield* value({ arguments: { response_id: "r2" } })).buffered[0].lines, 50)
      assert.strictEqual(((yield* call({}, "other")).answer.value as any).count, 0)
      assert.strictEqual(((yield* call({}, "")).answer.value as any).count, 0)
    })
  )
  it.effect("passes a failure of the sessions on under its code", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(call({}, "broken"))
      assert.strictEqual(error.code, "overloaded")
      assert.strictEqual(error.message, "too many")
    })
  )
})

describe("slice", () => {
  it.effect("cuts lines of the latest answer", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* value({ operation: "slice", arguments: { from: 2, to: 3 } }), {
        response_id: "r2",
        tool: "read_file",
        from_line: 2,
        to_line: 3,
        total_lines: 50,
        content: "line 2\nline 3"
      })
      const rest = yield* value({ operation: "slice", arguments: { from: 49, to: 99 } })
      assert.strictEqual(rest.to_line, 50)
      assert.strictEqual(
        (yield* value({ operation: "slice", arguments: { response_id: "r1" } })).content,
        "first answer"
      )
    })
  )
  it.effect("refuses lines that are not there, and answers that are not kept", () =>
    Effect.gen(function* () {
      const at = (args: object) => Effect.flip(call({ operation: "slice", arguments: args }))
      assert.deepInclude(yield* at({ from: 51 }), { code: "invalid_argument", field: "arguments.from" })
      assert.deepInclude(yield* at({ from: 5, to: 4 }), { code: "invalid_argument", field: "arguments.to" })
      const missing = yield* at({ response_id: "r9" })
      assert.strictEqual(missing.code, "not_found")
      assert.deepStrictEqual(missing.data?.["response_ids"], ["r1", "r2"])
      const none = yield* Effect.flip(call({ operation: "peek" }, "other"))
      assert.deepStrictEqual(none.data?.["response_ids"], [])
    })
  )
})

describe("peek", () => {
  it.effect("shows both ends and never a line twice", () =>
    Effect.gen(function* () {
      for (const count of [1, 20, 24, 25, 26, 49, 50, 60]) {
        const seen = yield* value({ operation: "peek", arguments: { lines: count } })
        const head = seen.head.split("\n").length
        const tail = seen.tail === undefined ? 0 : seen.tail.split("\n").length
        assert.strictEqual(head + tail + seen.elided_lines, 50, `${count}`)
        if (seen.tail !== undefined)
          assert.strictEqual(seen.tail.split("\n")[0].split(" ")[1], `${seen.tail_from_line}`)
      }
    })
  )
})

describe("grep", () => {
  const grep = (args: object) => value({ operation: "grep", arguments: args })
  it.effect("finds lines by expression, by text, in either case", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* grep({ pattern: "Needle \\(" })).matches, [
        { line: 10, text: "line 10 Needle (x)" }
      ])
      assert.strictEqual((yield* grep({ pattern: "(x)", literal: true })).match_count, 1)
      assert.strictEqual((yield* grep({ pattern: "needle" })).match_count, 0)
      assert.strictEqual((yield* grep({ pattern: "needle", ignore_case: true })).match_count, 1)
    })
  )
  it.effect("adds the lines around, and says what it left out", () =>
    Effect.gen(function* () {
      const found = yield* grep({ pattern: "Needle", context: 1, after: 2 })
      assert.strictEqual(found.matches[0].block, "line 9\nline 10 Needle (x)\nline 11\nline 12")
      const some = yield* grep({ pattern: "line", max_matches: 3 })
      assert.deepInclude(some, { match_count: 50, returned: 3, truncated: true })
    })
  )
  it.effect("pages its matches", () =>
    Effect.gen(function* () {
      const args = { operation: "grep", arguments: { pattern: "line" }, output: { limit: 20 } }
      const first = Either.getOrThrow(project(yield* call(args))).value as any
      assert.strictEqual(first.matches.length, 20)
      const next = Either.getOrThrow(
        project(yield* call({ ...args, output: { limit: 20, cursor: first.next_cursor } }))
      ).value as any
      assert.strictEqual(next.matches[0].line, 21)
    })
  )
  it.effect("refuses what is no pattern or could run forever", () =>
    Effect.gen(function* () {
      for (const pattern of [
        "(",
        "[z-a]",
        "(a+)+b",
        "(a|a)*b",
        "(.*)*x",
        "((a*)b?)+",
        "(?:x|xy)+$",
        "(a{2,})*"
      ]) {
        const error = yield* Effect.flip(call({ operation: "grep", arguments: { pattern } }))
        assert.deepInclude(error, { code: "invalid_pattern", field: "arguments.pattern" })
      }
    })
  )
  it.effect("refuses patterns too large to be compiled, as text too", () =>
    Effect.gen(function* () {
      for (const args of [
        { pattern: "x".repeat(300_000) },
        { pattern: "x".repeat(300_000), literal: true }
      ]) {
        const error = yield* Effect.flip(call({ operation: "grep", arguments: args }))
        assert.deepInclude(error, { code: "invalid_pattern", field: "arguments.pattern" })
      }
    })
  )
  it("takes patterns that cannot explode", () => {
    for (const pattern of [
      "(ab)+",
      "(?:a|b)*c",
      "a+b+",
      "[(+]+",
      "\\(a+\\)+",
      "(a{2})+",
      "^(foo|bar): .*$",
      "(?<name>x)+",
      "a\\-b{",
      "\\d{4}-\\d{2}"
    ]) {
      assert.isTrue(Either.isRight(compile(pattern, { literal: false, ignoreCase: false })), pattern)
    }
  })
  it.prop(
    "a literal finds itself",
    [FastCheck.string({ minLength: 1 }), FastCheck.string()],
    ([needle, before]) => {
      const find = Either.getOrThrow(compile(needle, { literal: true, ignoreCase: false }))
      if (!/\p{Cs}/u.test(needle + before)) assert.isAtLeast(find(before + needle), 0)
    }
  )
})
