/**
 * Every public operation of trace and every kind of analyze, from the registry: it is there, documented, finds in one
 * tree what is in it, and refuses what is no argument of it. A kind that no row of proofs.ts proves fails.
 */
import { Context, Effect, Exit, Layer, Scope } from "effect"
import { readFileSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { layer as layerSessions, Sessions } from "../../../src/engine/sessions/Sessions.ts"
import { CallInfo } from "../../../src/registry/CallInfo.ts"
import { select } from "../../../src/registry/Facade.ts"
import type { OperationFailure } from "../../../src/registry/Failure.ts"
import { isRecord } from "../../../src/registry/Json.ts"
import { project } from "../advertised.ts"
import { type Folder, served, type Value } from "../read/support.ts"
import { facade } from "../support.ts"
import { make } from "./corpus.ts"
import { kinds, traces } from "./proofs.ts"

const public_ = (name: string) => facade(name).operations.filter((operation) => !operation.hidden)
const manual = readFileSync(new URL("../../../docs/tools.md", import.meta.url), "utf8")
/** The part of the manual about one tool. */
const chapter = (tool: string): string =>
  manual.split(/^## /m).find((part) => part.startsWith(`${tool}\n`)) ?? ""

const scope = Effect.runSync(Scope.make())
const sessions = new Sessions()
sessions.open("s")
sessions.log("s", {
  at: "2026-01-01T00:00:00.000Z",
  tool: "search_text",
  operation: "search.text",
  duration_ms: 3,
  rows: 0,
  outcome: "ok",
  question: "nothing"
})
let at: Folder
let context: Context.Context<any>
beforeAll(async () => {
  at = await Effect.runPromise(Scope.extend(served({}, { before: make, trusted: true, watch: true }), scope))
  context = Context.merge(
    at.context,
    await Effect.runPromise(Scope.extend(Layer.build(layerSessions(sessions)), scope))
  )
  await Effect.runPromise(
    at.call("workspace_admin", { operation: "coverage", arguments: { profile: "lcov.info" } })
  )
}, 60_000)
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

const call = (tool: string, args: Value): Promise<Value> =>
  Effect.gen(function* () {
    const { args: rest, operation } = yield* select(facade(tool), args)
    const outcome = yield* operation.run(rest) as Effect.Effect<any, OperationFailure>
    return (yield* project(outcome)).value as Value
  }).pipe(
    Effect.provide(context),
    Effect.provideService(CallInfo, { requestId: "t", session: "s" }),
    Effect.runPromise
  )

const held = (value: unknown): number =>
  Array.isArray(value) ? value.length : isRecord(value) ? Object.keys(value).length : 0

describe.each([
  ["trace", "operation", traces],
  ["analyze", "kind", kinds]
] as const)("%s", (tool, discriminator, table) => {
  it("proves nothing that is not there", () => {
    const names = public_(tool).map(({ name }) => name)
    expect(Object.keys(table).filter((name) => !names.includes(name))).toEqual([])
  })

  it.each(public_(tool).map((operation) => [operation.name, operation] as const))(
    "%s is there, documented, finds what is there and refuses what it does not take",
    async (name, operation) => {
      expect(operation.available).toBe(true)
      expect(operation.summary).toMatch(/\S.*\.$/)
      const line = chapter(tool)
        .split("\n")
        .find((row) => row.startsWith(`| \`${name}\``))
      expect(line).toContain(operation.summary)

      const proof = table[name]
      if (proof === undefined) throw new Error(`${tool}.${name} is proven by nothing`)
      const { check, finds, with: given = {} } = proof
      const answer = await call(tool, { [discriminator]: name, ...given })
      const [first] = Object.keys(finds)
      expect(held(answer[first!]), `${name}.${first}`).toBeGreaterThan(0)
      expect(answer).toMatchObject(finds)
      check?.(answer)

      const { options: stated = {}, ...others } = given as { options?: Value }
      const refused = await Effect.runPromise(
        at.refused(tool, {
          [discriminator]: name,
          ...others,
          options: { ...stated, no_such_argument: true }
        })
      )
      expect([refused.code, refused.field]).toEqual(["invalid_argument", "options.no_such_argument"])
    },
    60_000
  )
})
