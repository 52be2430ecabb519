import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { catalog as registry } from "../../src/facades/index.ts"
import { audit } from "../../src/policy/Audit.ts"
import * as Facade from "../../src/registry/Facade.ts"
import * as F from "../../src/registry/Fields.ts"
import type { Operation } from "../../src/registry/Operation.ts"
import * as Registry from "../../src/registry/Registry.ts"
import { LocalWriter } from "../../src/services/LocalWriter.ts"

const envelope = { properties: {} }
const looks = Facade.make("looks", { effect: "read", purpose: "", envelope })
const writes = Facade.make("writes", { effect: "local_write", purpose: "", envelope })
const of = (fixed: { readonly [key: string]: string }) => ({
  tool: "shared",
  summary: "",
  fixed,
  input: F.input({}),
  needs: [],
  handler: () => Effect.succeed({})
})

/** An operation after somebody went around the types. */
const altered = <O extends Operation.Any>(operation: O, change: Partial<Operation.Any>): O =>
  Object.defineProperties(
    {},
    { ...Object.getOwnPropertyDescriptors(operation), ...Object.getOwnPropertyDescriptors(change) }
  ) as O

describe("the audit", () => {
  it("finds nothing to say about this registry, and has a row for every operation", () => {
    const { differences, rows } = audit(registry)
    expect(differences).toEqual([])
    expect(rows.length).toBe(registry.facades.reduce((sum, { operations }) => sum + operations.length, 0))
  })

  it("finds a tool behind two classes that nothing fixed tells apart", () => {
    const same = Registry.make(
      looks.of(looks.operation("a", of({}))),
      writes.of(writes.operation("b", of({})))
    )
    expect(audit(same).differences.map(({ rule, subject }) => [rule, subject])).toEqual([
      ["fixed_split", "shared"]
    ])
    const apart = Registry.make(
      looks.of(looks.operation("a", of({ mode: "look" }))),
      writes.of(writes.operation("b", of({ mode: "write" })))
    )
    expect(audit(apart).differences).toEqual([])
  })

  it("finds a write without its witness, and a read that reaches a writer", () => {
    const around = Registry.make(
      looks.of(altered(looks.operation("a", of({ mode: "look" })), { needs: [LocalWriter.key] })),
      writes.of(altered(writes.operation("b", of({ mode: "write" })), { needs: [] }))
    )
    expect(audit(around).differences.map(({ message, rule, subject }) => [rule, subject, message])).toEqual([
      ["authority", "looks.a", "has class read and needs LocalWriter, which is local_write"],
      ["witness", "writes.b", "has class local_write and lacks LocalWriter"]
    ])
  })

  it("holds the registry against ceilings by class and by service", () => {
    expect(audit(registry, { read: ["read"] }).differences).toEqual([])
    expect(audit(registry, { edit: ["read", "local_write"] }).differences).toEqual([])
    const needed = audit(registry).rows.filter(
      ({ facade, needs }) => facade === "response" && needs.length > 0
    )
    const narrow = audit(registry, { response: [] }).differences
    expect(narrow.map(({ rule, subject }) => [rule, subject])).toEqual(
      needed.flatMap(({ needs, operation }) => needs.map(() => ["ceilings", `response.${operation}`]))
    )
    expect(narrow.length).toBeGreaterThan(0)
    expect(
      audit(registry, { response: [...new Set(needed.flatMap(({ needs }) => needs))] }).differences
    ).toEqual([])
    expect(
      audit(registry, { reed: ["read"], read: ["read", "everything"] }).differences.map(
        ({ subject }) => subject
      )
    ).toEqual(["reed", "read"])
  })
})
