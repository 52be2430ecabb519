import { Ajv2020 } from "ajv/dist/2020.js"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, Layer, Schema } from "effect"
import * as Capabilities from "../../src/registry/Capabilities.ts"
import * as Dispatcher from "../../src/registry/Dispatcher.ts"
import { closedWorldTags } from "../../src/registry/EffectClass.ts"
import * as Facade from "../../src/registry/Facade.ts"
import { failure, OperationFailure, wire } from "../../src/registry/Failure.ts"
import * as F from "../../src/registry/Fields.ts"
import * as FollowUp from "../../src/registry/FollowUp.ts"
import { canonical, hash, isRecord } from "../../src/registry/Json.ts"
import { sampleArguments } from "../../src/registry/JsonSchema.ts"
import { Progress } from "../../src/registry/Progress.ts"
import { project } from "../../src/registry/Projection.ts"
import * as Registry from "../../src/registry/Registry.ts"
import * as sample from "./sample.ts"

const call = (facade: string, args: Record<string, unknown>) =>
  Dispatcher.call(sample.registry, { facade, args }).pipe(Effect.provide(sample.layerFull))
const answer = (facade: string, args: Record<string, unknown>) =>
  Effect.map(call(facade, args), (outcome) => outcome.answer.value)
const ajv = new Ajv2020({ strict: false })

describe("dispatch", () => {
  it.effect("infers the operation, and lets selectors outrank the stated one", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* call("read", { target: { symbol: "a" } })).tool, "get_symbol_source")
      assert.strictEqual(
        (yield* call("read", { operation: "source", target: { file: "a" } })).tool,
        "read_file"
      )
      assert.strictEqual(
        (yield* call("read", { operation: " Get-Symbol_Source", target: { symbol: "a" } })).operation,
        "source"
      )
    })
  )
  it.effect("refuses an unknown operation with the valid ones and runs nothing", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(call("read", { operation: "fil", target: { file: "a" } }))
      assert.strictEqual(error.code, "invalid_argument")
      assert.deepInclude(error.data, {
        facade: "read",
        operation: "fil",
        valid_operations: ["file", "source", "rows"]
      })
      assert.strictEqual(error.state_changed, false)
      assert.strictEqual((yield* Effect.flip(call("session", {}))).reason_code, "missing_operation")
      assert.strictEqual((yield* Effect.flip(call("nope", {}))).code, "unknown_tool")
    })
  )
  it.effect("says what is available instead of an operation without a handler", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(call("read", { operation: "history" }))
      assert.strictEqual(error.code, "operation_unavailable")
      assert.deepStrictEqual(error.data?.["available_operations"], ["file", "source", "rows"])
      assert.match(error.message, /; available: file, source, rows$/)
      assert.strictEqual((yield* Effect.flip(sample.history.run({}))).code, "operation_unavailable")
    })
  )
  it("says that there is nothing instead where no operation has a handler", () => {
    const bare = Facade.make("bare", {
      effect: "read",
      purpose: "Nothing yet.",
      envelope: { properties: {} }
    })
    const facade = bare.of(
      bare.declared("thing", { tool: "thing", summary: "A thing.", because: "it is not made" })
    )
    const message = (args: Record<string, unknown>) =>
      Either.getOrThrow(Either.flip(Facade.select(facade, args))).message
    assert.strictEqual(
      message({ operation: "thing" }),
      "bare.thing is not available: it is not made; this build has no operation of bare"
    )
    assert.strictEqual(
      message({ operation: "think" }),
      'bare: operation "think" is not known; this build has no operation of bare'
    )
    assert.strictEqual(message({}), "bare: operation is required here; this build has no operation of bare")
  })
  it.effect("finds the kind of an analysis also inside a container, and refuses two that differ", () =>
    Effect.gen(function* () {
      const options = { from_id: "a" }
      assert.strictEqual(
        (yield* call("analyze", { options: { ...options, kind: "would_create_cycle" } })).operation,
        "would_create_cycle"
      )
      assert.strictEqual(
        (yield* call("analyze", { operation: "would-create-cycle", options })).operation,
        "would_create_cycle"
      )
      assert.strictEqual((yield* call("analyze", {})).operation, "help")
      const error = yield* Effect.flip(
        call("analyze", { kind: "help", options: { kind: "would_create_cycle" } })
      )
      assert.strictEqual(error.field, "kind")
    })
  )
  it.effect("names the canonical tool of a channel", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        (yield* call("session", { operation: "subscribe", channel: "stale_refs" })).tool,
        "subscribe_stale_refs"
      )
      const error = yield* Effect.flip(call("session", { operation: "subscribe", channel: "news" }))
      assert.deepStrictEqual(error.data?.["valid_channels"], ["diagnostics", "stale_refs"])
    })
  )
  it.effect("reaches no service beyond the declared ones", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* answer("read", { operation: "peek" }), {
        graph: "Some",
        writer: "None",
        fs: "None"
      })
    })
  )
  it.effect("hands progress through the narrowing without showing in requirements", () =>
    Effect.gen(function* () {
      const seen: Array<number> = []
      const facade = Facade.make("slow", {
        effect: "read",
        purpose: "",
        envelope: { properties: {} },
        default: "run"
      })
      const op = facade.operation("run", {
        tool: "run",
        summary: "",
        input: F.input({}),
        needs: [],
        handler: () => Effect.flatMap(Progress, (report) => Effect.as(report(1, 2), { ok: true }))
      })
      const program: Effect.Effect<unknown, OperationFailure, never> = Dispatcher.call(
        Registry.make(facade.of(op)),
        { facade: "slow", args: {} }
      )
      yield* Effect.provideService(program, Progress, (done) => Effect.sync(() => void seen.push(done)))
      assert.deepStrictEqual(seen, [1])
    })
  )
})

describe("modes", () => {
  const planning = Registry.only(sample.registry, ["read", "session_write"])
  const federated = Registry.satisfiedBy(sample.registry, closedWorldTags)
  it("hold what their classes and services allow", () => {
    assert.deepStrictEqual(
      planning.facades.map((_) => _.name),
      ["read", "pr", "analyze", "session"]
    )
    assert.deepStrictEqual(
      federated.facades.map((_) => _.name),
      ["read", "analyze"]
    )
    const rows = Capabilities.policy(sample.registry)
    for (const row of rows) {
      assert.strictEqual(row.planning, planning.lookup(row.facade, row.operation) !== undefined)
      assert.strictEqual(row.federation, federated.lookup(row.facade, row.operation) !== undefined)
    }
    assert.deepStrictEqual(rows.find((_) => _.facade === "edit" && _.operation === "batch")?.needs, [
      "LocalWriter"
    ])
  })
  it.scoped("refuse a known tool for what it is", () =>
    Effect.gen(function* () {
      const runtime = yield* Layer.toRuntime(sample.layerPlanning)
      const dispatcher = Dispatcher.make("planning mode", {
        registry: planning,
        runtime,
        catalog: sample.registry
      })
      const error = yield* Effect.flip(dispatcher.call({ facade: "edit", args: {} }))
      assert.strictEqual(error.code, "tool_blocked_by_mode")
      assert.deepInclude(error.data, { effect: "local_write", mode: "planning mode" })
      assert.strictEqual(
        (yield* dispatcher.call({ facade: "read", args: { target: { file: "a" } } })).operation,
        "file"
      )
    })
  )
  it("refuse to be put together wrongly", () => {
    assert.throws(() => Registry.make(sample.readFacade, sample.readFacade), /two facades are named read/)
    assert.throws(
      () => Registry.make({ ...sample.readFacade, operations: [sample.file, sample.file] }),
      /two operations of read are named file/
    )
    assert.throws(() => Registry.make({ ...sample.prFacade, operations: [] }), /defaults to list/)
  })
})

describe("capabilities", () => {
  for (const facade of sample.registry.facades) {
    const statics = ajv.compile(Capabilities.staticSchema(facade))
    for (const operation of facade.operations) {
      it(`${facade.name}.${operation.name}: the request shape fits both schemas and the decoder`, () => {
        const schema = Capabilities.inputSchema(facade, operation)
        const validate = ajv.compile(schema)
        const shape = Capabilities.requestShape(facade, operation)
        assert.isTrue(validate(shape), JSON.stringify(validate.errors))
        assert.isTrue(statics(shape), JSON.stringify(statics.errors))
        const { [facade.discriminator]: named, ...args } = shape
        assert.strictEqual(named, operation.name)
        const decoded = operation.decode(args)
        assert.isTrue(Either.isRight(decoded), Either.isLeft(decoded) ? decoded.left.message : "")
        for (const name of Object.keys(schema["properties"] as object)) {
          assert.property(Capabilities.staticSchema(facade)["properties"] as object, name)
        }
        assert.notInclude(JSON.stringify(schema), "$defs")
        for (const name of Object.keys(operation.fixed)) {
          if (name !== facade.discriminator) assert.notInclude(JSON.stringify(schema), `"${name}"`)
        }
      })
      it(`${facade.name}.${operation.name}: without a required field the decoder names it`, () => {
        const { [facade.discriminator]: _, ...args } = Capabilities.requestShape(facade, operation)
        for (const name of Object.entries(operation.input.fields)
          .filter(([, field]) => !F.mayBeAbsent(field))
          .map(([name]) => name)) {
          const { [name]: __, ...rest } = args
          const error = Either.getOrThrow(Either.flip(operation.decode(rest)))
          assert.isTrue(error.field === name || error.field?.startsWith(`${name}.`))
        }
      })
    }
  }
  it("closes every level and leaves ergonomic ceilings out", () => {
    const closed = (node: unknown): void => {
      if (Array.isArray(node)) return node.forEach(closed)
      if (!isRecord(node)) return
      if (node["type"] === "object" && node["properties"] !== undefined)
        assert.strictEqual(node["additionalProperties"], false)
      Object.values(node).forEach(closed)
    }
    const schema: any = Capabilities.inputSchema(sample.readFacade, sample.file)
    closed(schema)
    assert.notProperty(schema.properties.options.properties.limit, "maximum")
    assert.strictEqual(schema.properties.options.properties.limit.minimum, 1)
    assert.deepStrictEqual(schema.properties.target, {
      type: "object",
      properties: { file: { type: "string", minLength: 1 } },
      minProperties: 1,
      maxProperties: 1,
      additionalProperties: false
    })
    assert.notInclude(JSON.stringify(schema), "start_line")
  })
  it("answers list, domain and operation from the registry", () => {
    assert.deepStrictEqual(
      Capabilities.domains(sample.registry).domains.map((_) => [_.name, _.operations]),
      [
        ["read", 4],
        ["edit", 2],
        ["pr", 1],
        ["analyze", 2],
        ["session", 1]
      ]
    )
    assert.notInclude(
      Capabilities.domain(sample.readFacade).operations.map((_) => _.operation),
      "peek"
    )
    const detail: any = Capabilities.capability(sample.editFacade, sample.batch, "schema")
    assert.deepInclude(detail, {
      domain: "edit",
      operation: "batch",
      effect: "local_write",
      available: true,
      fixed_arguments: { to_disk: true }
    })
    assert.match(detail.schema_hash, /^[0-9a-f]{64}$/)
    assert.isFalse(Capabilities.capability(sample.readFacade, sample.history).available)
  })
  it("derives annotations from effects and services", () => {
    const hints = Object.fromEntries(
      Capabilities.tools(sample.registry).map((tool) => [tool.name, tool.annotations])
    )
    assert.deepStrictEqual(hints["read"], {
      readOnlyHint: true,
      destructiveHint: false,
      openWorldHint: false
    })
    assert.deepStrictEqual(hints["edit"], {
      readOnlyHint: false,
      destructiveHint: true,
      openWorldHint: false
    })
    assert.deepStrictEqual(hints["pr"], { readOnlyHint: true, destructiveHint: false, openWorldHint: true })
    assert.deepStrictEqual(hints["session"], {
      readOnlyHint: false,
      destructiveHint: false,
      openWorldHint: false
    })
  })
  it("names frequent operations and marks the default", () => {
    const schema: any = Capabilities.staticSchema(sample.readFacade)
    assert.strictEqual(schema.properties.operation.description, "file, source (default), …")
  })
  it("refuses to sample what it does not understand", () => {
    assert.throws(() => sampleArguments({ type: "object", patternProperties: {} }), /patternProperties/)
  })
  it.prop("the hash ignores the order of keys", { a: Schema.Int, b: Schema.String }, ({ a, b }) => {
    assert.strictEqual(hash({ a, b: { c: b, d: a } }), hash({ b: { d: a, c: b }, a }))
    assert.strictEqual(canonical({ required: ["x", "y"] }), canonical({ required: ["y", "x"] }))
  })
})

describe("follow-ups", () => {
  const make = (
    tool: string,
    args: Record<string, unknown>,
    kind: "mechanically_followable" | "fallback_recovery" = "fallback_recovery"
  ) => FollowUp.make(sample.registry, { kind, tool, arguments: args })
  it("have exactly three keys and can be called unchanged", () => {
    const made = Either.getOrThrow(
      make("read", { operation: "file", target: { file: "a" } }, "mechanically_followable")
    )
    assert.deepStrictEqual(made, {
      follow_up_kind: "mechanically_followable",
      tool: "read",
      arguments: { operation: "file", target: { file: "a" } }
    })
  })
  it("are refused when the target operation would refuse them", () => {
    for (const made of [
      make("nope", {}),
      make("read", { operation: "fil" }),
      make("read", { operation: "history" }),
      make("read", { operation: "file", target: { symbol: "a" } }),
      make("read", { operation: "rows", options: { cuont: 1 } }),
      make("read", { operation: "rows", count: 1 }),
      make("edit", { target: { file: "a" }, match: "x", replacement: "y" }, "mechanically_followable")
    ])
      assert.strictEqual(Either.getOrThrow(Either.flip(made)).reason_code, "invalid_follow_up")
  })
  it("never write after an unknown outcome", () => {
    const write = FollowUp.draft("fallback_recovery", "edit", {
      target: { file: "a" },
      match: "x",
      replacement: "y"
    })
    assert.isTrue(Either.isRight(FollowUp.check(sample.registry, write)))
    assert.isTrue(Either.isLeft(FollowUp.check(sample.registry, write, { outcomeUnknown: true })))
  })
})

describe("failures", () => {
  it("state that nothing changed before execution, and do not claim to know with an unknown outcome", () => {
    assert.strictEqual(failure("invalid_argument", "x", { failure_stage: "decode" }).state_changed, false)
    assert.strictEqual(failure("io_error", "x").state_changed, undefined)
    const unknown = failure("io_error", "x", { outcome_unknown: true, state_changed: false })
    assert.deepStrictEqual(wire(unknown), {
      error_code: "io_error",
      message: "x",
      failure_stage: "execute",
      outcome_unknown: true
    })
  })
  it("survive their own schema", () => {
    const error = failure("not_found", "no file a", {
      field: "target.file",
      data: { path: "a" },
      recovery: FollowUp.draft("fallback_recovery", "read", {})
    })
    const again = Schema.decodeSync(OperationFailure)(Schema.encodeSync(OperationFailure)(error))
    assert.deepStrictEqual(wire(again), wire(error))
  })
  it.effect("leave effective values and normalizations to the outcome", () =>
    Effect.gen(function* () {
      const outcome = yield* call("read", { operation: "rows", output: { limit: 500 } })
      assert.deepStrictEqual(outcome.effective, { "output.limit": 50 })
      assert.strictEqual((Either.getOrThrow(project(outcome)).value["rows"] as Array<unknown>).length, 25)
    })
  )
})
