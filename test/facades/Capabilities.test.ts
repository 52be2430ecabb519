import { Ajv2020 } from "ajv/dist/2020.js"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Either } from "effect"
import { catalog as registry } from "../../src/facades/index.ts"
import { capabilitiesFacade } from "../../src/facades/capabilities/index.ts"
import * as Dispatcher from "../../src/registry/Dispatcher.ts"
import { listed } from "../../src/registry/Facade.ts"
import { project } from "./advertised.ts"
import * as Registry from "../../src/registry/Registry.ts"
import { catalog, facade, operation } from "./support.ts"

// Pure: of the services the others need, none is asked for.
const alone = Registry.satisfiedBy(Registry.make(capabilitiesFacade(() => registry)), [])
const call = (args: { readonly [key: string]: unknown }) =>
  Dispatcher.call(alone, { facade: "capabilities", args })
const value = (args: { readonly [key: string]: unknown }) =>
  Effect.map(call(args), (outcome): any => outcome.answer.value)

describe("capabilities", () => {
  it.effect("list all tools with how many operations each has, and how many are available", () =>
    Effect.gen(function* () {
      const all = yield* value({})
      assert.strictEqual(all.surface_version, "facade-v1")
      assert.deepStrictEqual(
        all.domains.map((domain: any) => [domain.name, domain.operations, domain.available]),
        catalog.facades.map((of) => [
          of.name,
          listed(of).length,
          listed(of).filter(({ available }) => available).length
        ])
      )
      assert.deepStrictEqual(yield* value({ output: { format: "json" } }), all)
    })
  )
  it.effect("list a tool's operations, hidden ones left out", () =>
    Effect.gen(function* () {
      for (const of of catalog.facades) {
        const domain = yield* value({ domain: of.name })
        assert.deepStrictEqual(
          domain.operations.map((op: any) => [op.operation, op.available]),
          listed(of).map((op) => [op.name, op.available])
        )
      }
      assert.notInclude(JSON.stringify(yield* value({ domain: "session" })), "subscribe_")
    })
  )
  it.effect("describe one operation, by an alias too", () =>
    Effect.gen(function* () {
      const one = yield* value({ domain: "change", operation: "simulate" })
      assert.deepInclude(one, {
        domain: "change",
        operation: "simulate",
        effect: "read",
        fixed_arguments: { keep: false }
      })
      assert.notProperty(one, "input_schema")
      assert.strictEqual(
        (yield* value({ domain: "Read", operation: "get-symbol-source" })).operation,
        "source"
      )
      assert.strictEqual((yield* value({ domain: "analyze", kind: "todos" })).operation, "todos")
    })
  )
  it.effect("give the exact schema and a call that fits it", () =>
    Effect.gen(function* () {
      const detail = yield* value({ domain: "read", operation: "file", detail: "schema" })
      assert.deepStrictEqual(detail.request_shape, { operation: "file", target: { file: "<file>" } })
      assert.isTrue(new Ajv2020({ strict: false }).compile(detail.input_schema)(detail.request_shape))
      assert.match(detail.schema_hash, /^[0-9a-f]{64}$/)
      assert.sameMembers(Object.keys(detail.input_schema.properties), [
        "operation",
        "target",
        "options",
        "context",
        "output"
      ])
      assert.strictEqual(
        (yield* call({ domain: "read", operation: "file", detail: "schema" })).tool,
        "capabilities"
      )
      const again = yield* value({ detail: "SCHEMA", domain: "read", operation: "file" })
      assert.strictEqual(again.schema_hash, detail.schema_hash)
    })
  )
  it.effect("give the schemas of a whole tool page by page", () =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      let cursor: string | undefined
      do {
        const outcome = yield* call({
          domain: "analyze",
          detail: "schema",
          output: cursor === undefined ? {} : { cursor }
        })
        const page = Either.getOrThrow(project(outcome)).value as any
        assert.isAtMost(Buffer.byteLength(JSON.stringify(page)), 40_000)
        for (const op of page.operations) {
          assert.property(op, "input_schema")
          seen.push(op.operation)
        }
        cursor = page.next_cursor
      } while (cursor !== undefined)
      assert.deepStrictEqual(
        seen,
        listed(facade("analyze")).map((op) => op.name)
      )
    })
  )
  it.effect("refuse names that are not there, with those that are", () =>
    Effect.gen(function* () {
      const domain = yield* Effect.flip(call({ domain: "raed" }))
      assert.deepInclude(domain, { code: "invalid_argument", field: "domain", reason_code: "unknown_domain" })
      assert.deepStrictEqual(
        domain.data?.["valid_domains"],
        catalog.facades.map((of) => of.name)
      )
      assert.strictEqual(domain.data?.["suggested_domain"], "read")
      const op = yield* Effect.flip(call({ domain: "read", operation: "symbol_metadata_compat" }))
      assert.strictEqual(op.field, "operation")
      assert.deepStrictEqual(
        op.data?.["valid_operations"],
        listed(facade("read")).map((each) => each.name)
      )
      assert.strictEqual((yield* Effect.flip(call({ operation: "file" }))).field, "domain")
      assert.strictEqual((yield* Effect.flip(call({ detail: "all" }))).field, "detail")
    })
  )
  it("need no services", () => {
    for (const op of ["summary", "schema"]) assert.deepStrictEqual(operation("capabilities", op).needs, [])
  })
})
