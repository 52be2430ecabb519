/** A principal that may only read, at every write operation there is, by every way in. */
import { type Context, Effect, FastCheck, Layer, type Runtime } from "effect"
import { describe, expect, it } from "vitest"
import { registry } from "../../src/facades/index.ts"
import { Sessions } from "../../src/engine/sessions/Sessions.ts"
import { planningRegistry } from "../../src/layers.ts"
import { Counters } from "../../src/pipeline/Counters.ts"
import * as Pipeline from "../../src/pipeline/Pipeline.ts"
import { Turns } from "../../src/pipeline/Turns.ts"
import * as Policy from "../../src/policy/Policy.ts"
import { doors, type Principal, principalKinds } from "../../src/policy/Principal.ts"
import * as Arbitraries from "../../src/registry/Arbitraries.ts"
import * as Dispatcher from "../../src/registry/Dispatcher.ts"
import { classTags, readTags } from "../../src/registry/EffectClass.ts"

/** Services that are never to be touched: whatever is read of them is noted. */
const touched: Array<string> = []
const spies = Layer.mergeAll(
  ...([...readTags, ...Object.values(classTags).flat()].map((tag) =>
    Layer.succeed(
      tag as Context.Tag<unknown, object>,
      new Proxy(
        {},
        {
          get: (_, member) => {
            touched.push(`${tag.key}.${String(member)}`)
            return undefined
          }
        }
      )
    )
  ) as unknown as [Layer.Layer<never>])
)
const runtime = Effect.runSync(Effect.scoped(Layer.toRuntime(spies))) as Runtime.Runtime<never>

const readOnly = { grants: { agent: ["read"], ui: ["read"], federation: ["read"], cli: ["read"] } } as const

const open = (settings: Policy.Settings) => {
  const sessions = new Sessions()
  sessions.open("s")
  return Pipeline.make({
    catalog: registry,
    full: Dispatcher.make("this session", {
      registry: registry as never,
      runtime,
      catalog: registry
    }),
    planning: Dispatcher.make("planning mode", {
      registry: planningRegistry as never,
      runtime,
      catalog: registry
    }),
    isPlanning: () => false,
    workflow: { of: () => undefined, set: () => {} } as never,
    keep: () => {},
    counters: new Counters(),
    policy: () => Policy.make(settings),
    turns: new Turns(),
    log: () => {},
    roots: ["/srv/house"]
  })
}

const writes = registry.facades.flatMap((facade) =>
  facade.operations.filter(({ effect }) => effect !== "read").map((operation) => ({ facade, operation }))
)

/** Arguments of an operation, as somebody might send them: good ones, and such as are none. */
const sent = ({ facade, operation }: (typeof writes)[number]): ReadonlyArray<object> => {
  const named = { [facade.discriminator]: operation.name }
  // Some seeds keep the generator of batches busy for ever.
  const made =
    facade.name === "edit" && operation.name === "batch"
      ? [{ changes: [{ path: "a.ts", match: "one", replacement: "two" }] }, { changes: [] }]
      : FastCheck.sample(Arbitraries.ofInput(operation.input), { numRuns: 3, seed: 7 })
  return [...made.map((args) => ({ ...args, ...named })), named, { ...named, nothing_known: 1 }]
}

const all = writes.map((one) => ({ ...one, sent: sent(one) }))

describe("a principal that may only read", () => {
  it("finds writes of every class to be refused", () => {
    expect(new Set(writes.map(({ operation }) => operation.effect))).toEqual(
      new Set(["local_write", "session_write", "control_write", "external_write"])
    )
    expect(writes.length).toBeGreaterThan(50)
  })

  for (const kind of principalKinds.filter((one) => one !== "federation"))
    it(`of kind ${kind} is refused each of them with its class named, by every door, and no service hears of it`, async () => {
      const pipeline = open({ user: readOnly })
      touched.length = 0
      for (const door of doors)
        for (const one of all)
          for (const args of one.sent) {
            const { facade, operation } = one
            const result = await Effect.runPromise(
              pipeline.call({
                tool: facade.name,
                args,
                door,
                session: "s",
                principal: { kind, id: `${kind}:test`, authenticated: true }
              })
            )
            const where = `${door} ${facade.name}.${operation.name} ${JSON.stringify(args).slice(0, 200)}`
            expect(result.isError, where).toBe(true)
            const { data, error_code, message, state_changed } = result.structuredContent as any
            expect([error_code, data?.effect, state_changed], `${where}: ${message}`).toEqual([
              "permission_denied",
              operation.effect,
              false
            ])
            expect(message).toContain(operation.effect)
            expect(data).toMatchObject({
              tool: facade.name,
              operation: operation.name,
              principal_kind: kind,
              granted: ["read"],
              decided_by: "user"
            })
          }
      expect(touched).toEqual([])
    })

  it("of another server is refused each of them before anything else is looked at", async () => {
    const pipeline = open({ user: readOnly })
    touched.length = 0
    for (const door of doors)
      for (const one of all)
        for (const args of one.sent) {
          const result = await Effect.runPromise(
            pipeline.call({
              tool: one.facade.name,
              args,
              door,
              principal: { kind: "federation", id: "federation:test", authenticated: true }
            })
          )
          expect(result.structuredContent).toMatchObject({ state_changed: false })
          expect(["remote_disabled", "remote_read_only", "permission_denied"]).toContain(
            result.structuredContent["error_code"]
          )
        }
    expect(touched).toEqual([])
  })

  it("that has not shown who it is, is refused the same, whatever its kind was granted", async () => {
    const pipeline = open({})
    const nobody: Principal = { kind: "cli", id: "cli:anonymous", authenticated: false }
    touched.length = 0
    for (const one of all)
      for (const args of one.sent) {
        const result = await Effect.runPromise(
          pipeline.call({ tool: one.facade.name, args, door: "http", principal: nobody })
        )
        expect(result.structuredContent).toMatchObject({
          error_code: "permission_denied",
          reason_code: "not_authenticated",
          state_changed: false,
          data: { effect: one.operation.effect }
        })
      }
    expect(touched).toEqual([])
  })

  it("would touch services where it may: the spies do see", async () => {
    const pipeline = open({})
    touched.length = 0
    await Effect.runPromise(
      pipeline.call({
        tool: "edit",
        args: { operation: "file", target: { file: "a" }, match: "a", replacement: "b" }
      })
    )
    expect(touched.length).toBeGreaterThan(0)
  })
})
