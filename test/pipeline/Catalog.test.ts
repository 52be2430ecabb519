/** Operations as tools: their names, and the way from a name and arguments to a call. */
import { Either, FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { registry } from "../../src/facades/index.ts"
import { digestOf, make, providerNameOf, sentence } from "../../src/pipeline/Catalog.ts"
import * as Policy from "../../src/policy/Policy.ts"
import * as Facade from "../../src/registry/Facade.ts"
import * as F from "../../src/registry/Fields.ts"
import * as Registry from "../../src/registry/Registry.ts"

const whole: Registry.Registry.Any = registry
const catalog = make(whole)

describe("the catalog", () => {
  it("holds every listed operation and no other", () => {
    const listed = registry.facades.flatMap((facade) =>
      facade.operations.filter(({ hidden }) => !hidden).map(({ name }) => `${facade.name}.${name}`)
    )
    expect(catalog.entries.map(({ name }) => name)).toEqual(listed)
  })

  it("finds each entry by each of its names", () => {
    for (const entry of catalog.entries)
      for (const name of [entry.name, entry.providerName, ...entry.aliases])
        expect(catalog.resolve(name)).toBe(entry)
    expect(catalog.resolve("nothing.at_all")).toBeUndefined()
  })

  it("gives a canonical tool to the one operation that stands for it, and to none of several", () => {
    expect(catalog.resolve("read_file")?.name).toBe("read.file")
    expect(catalog.resolve("simulate_chain")).toBeUndefined()
  })

  it("leads from every entry to its own operation", () => {
    for (const entry of catalog.entries.filter(({ available }) => available)) {
      const call = Either.getOrThrow(catalog.callOf(entry, {}))
      const facade = whole.facade(call.tool)
      const operation =
        facade === undefined ? undefined : Either.getOrThrow(Facade.select(facade, call.args)).operation
      expect(`${call.tool}.${operation?.name}`).toBe(entry.name)
    }
  })

  it("describes every input as a closed object that does not name the operation", () => {
    for (const { input_schema: schema, name } of catalog.entries) {
      const facade = registry.facade(name.split(".")[0] as string)
      expect([name, schema["type"], schema["additionalProperties"]]).toEqual([name, "object", false])
      expect(Object.keys(schema["properties"] as object)).not.toContain(facade?.discriminator)
    }
  })

  it("says in one short sentence what each does", () => {
    for (const { description } of catalog.entries) {
      expect(description.length).toBeLessThanOrEqual(280)
      expect(description).not.toMatch(/\s\s|\n/)
    }
    expect(sentence("One  thing.\nAnother.")).toBe("One thing.")
    expect(sentence("no end ".repeat(100)).length).toBeLessThanOrEqual(280)
  })

  it("is not made when two operations would go by one name, or a name is too long", () => {
    const of = (...names: ReadonlyArray<string>) => {
      const look = Facade.make("look", { effect: "read", purpose: "Look.", envelope: { properties: {} } })
      return Registry.make(
        look.of(
          ...names.map((name) =>
            look.declared(name, { tool: `tool_of_${name}`, summary: "Looks.", input: F.input({}) })
          )
        )
      )
    }
    expect(() => make(of("a.b", "a_b"))).toThrow("look_a_b")
    expect(() => make(of("x".repeat(70)))).toThrow("longer than 64")
    expect(make(of("a.b", "a_c")).entries).toHaveLength(2)
  })

  it("asks a person where the policy does, and in no other place", () => {
    const rows = catalog.rows(Policy.make({ user: { approvals: { mode: "edit" } } }), "all")
    for (const { policy } of rows)
      expect(policy.confirmation).toBe(
        policy.effect === "read"
          ? "none"
          : policy.effect === "control_write" || policy.effect === "external_write"
            ? "approval"
            : "capability-grant"
      )
  })
})

describe("a digest", () => {
  it("does not depend on the order of keys, and does on that of lists", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const turned = Object.fromEntries(Object.entries(value).reverse())
        expect(digestOf(turned)).toBe(digestOf(value))
      }),
      { numRuns: 100 }
    )
    expect(digestOf(["a", "b"])).not.toBe(digestOf(["b", "a"]))
  })
})

describe("a provider's name", () => {
  it("has no dots and no dashes", () => {
    expect(providerNameOf("a.b-c_d")).toBe("a_b_c_d")
  })
})
