import { Ajv2020 } from "ajv/dist/2020.js"
import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { catalog as registry } from "../../src/facades/index.ts"
import { type CatalogEntry, make, providerNameOf } from "../../src/pipeline/Catalog.ts"
import {
  byProviderName,
  flatRoot,
  legalField,
  legalName,
  nameIn,
  project,
  projectAll,
  type ProviderForm,
  providerForms
} from "../../src/pipeline/Providers.ts"
import { isRecord, type JsonRecord } from "../../src/registry/Json.ts"

const { entries } = make(registry)
const found = byProviderName(entries)
const entry = fc.constantFrom(...entries)
const form = fc.constantFrom(...providerForms)

const schemaIn = (form: ProviderForm, tool: JsonRecord): JsonRecord =>
  (form === "openai"
    ? (tool["function"] as JsonRecord)["parameters"]
    : tool[form === "mcp" ? "inputSchema" : "input_schema"]) as JsonRecord

/** Every schema within a schema, with its depth: the root and what is in each property, item and alternative. */
function* within(schema: JsonRecord, depth = 1): Generator<{ schema: JsonRecord; depth: number }> {
  yield { schema, depth }
  for (const inner of Object.values((schema["properties"] ?? {}) as { [name: string]: JsonRecord }))
    yield* within(inner, depth + 1)
  for (const key of ["items", "additionalProperties"])
    if (isRecord(schema[key])) yield* within(schema[key] as JsonRecord, depth + 1)
  for (const key of ["anyOf", "oneOf"])
    for (const inner of (schema[key] ?? []) as ReadonlyArray<JsonRecord>) yield* within(inner, depth)
}

describe("the way back", () => {
  it("leads from every form of every entry to that entry", () => {
    expect(entries.length).toBeGreaterThan(200)
    for (const entry of entries)
      for (const form of providerForms)
        expect(found.get(nameIn(form, project(form, entry)) as string)).toBe(entry)
  })

  it("is the same whatever the order and choice of entries", () => {
    fc.assert(
      fc.property(fc.uniqueArray(entry, { minLength: 1, maxLength: 40 }), form, (chosen, form) => {
        const back = byProviderName(chosen)
        expect(chosen.map((entry) => back.get(nameIn(form, project(form, entry)) as string)?.name)).toEqual(
          chosen.map(({ name }) => name)
        )
      })
    )
  })

  it("tells nothing of what is no tool", () => {
    for (const form of providerForms)
      for (const value of [null, 1, "x", [], {}, { name: 1 }, { function: {} }])
        expect(nameIn(form, value)).toBeUndefined()
  })

  it("throws where two names fold into one, or a name is not legal", () => {
    const [first] = entries as [CatalogEntry]
    const named = (name: string): CatalogEntry => ({ ...first, name, providerName: providerNameOf(name) })
    expect(() => byProviderName([named("a.b-c"), named("a.b_c")])).toThrow("both a.b-c and a.b_c")
    expect(() => byProviderName([named("a_b.c"), named("a.b_c")])).toThrow("both a_b.c and a.b_c")
    expect(() => byProviderName([named(`a.${"b".repeat(63)}`)])).toThrow("no name")
    expect(() => byProviderName([named("a.b c")])).toThrow("no name")
  })
})

describe("the forms", () => {
  it("say of every entry what its policy says", () => {
    for (const entry of entries) {
      expect(project("mcp", entry)).toMatchObject({
        title: entry.title,
        outputSchema: entry.output_schema,
        annotations: {
          readOnlyHint: entry.policy.effect === "read",
          destructiveHint: ["local_write", "control_write", "external_write"].includes(entry.policy.effect),
          idempotentHint: entry.policy.idempotent,
          openWorldHint: entry.policy.openWorld
        }
      })
      expect(project("openai", entry)).toMatchObject({
        type: "function",
        function: { description: entry.description }
      })
      expect(Object.keys(project("anthropic", entry))).toEqual(["name", "description", "input_schema"])
    }
  })

  it("are within what the providers publish", () => {
    for (const entry of entries)
      for (const form of providerForms) {
        const tool = project(form, entry)
        const schema = schemaIn(form, tool)
        expect(nameIn(form, tool)).toMatch(legalName)
        expect(entry.description.length).toBeGreaterThan(0)
        expect(entry.description.length).toBeLessThanOrEqual(1024)
        // A root that combines schemas is refused.
        expect(schema["type"]).toBe("object")
        for (const key of ["oneOf", "anyOf", "allOf", "not", "enum"]) expect(schema).not.toHaveProperty(key)
        const all = [...within(schema)]
        expect(Math.max(...all.map(({ depth }) => depth))).toBeLessThanOrEqual(10)
        const names = all.flatMap(({ schema }) => Object.keys((schema["properties"] ?? {}) as JsonRecord))
        for (const name of names) expect(name).toMatch(legalField)
        expect(names.length).toBeLessThanOrEqual(5000)
        const choices = all.flatMap(({ schema }) => (schema["enum"] ?? []) as ReadonlyArray<unknown>)
        expect(choices.length).toBeLessThanOrEqual(1000)
        const letters = [...names, ...choices].map(String).join("").length
        expect(letters).toBeLessThanOrEqual(120_000)
        expect(JSON.stringify(schema)).not.toMatch(/"\$(ref|defs|schema)"/)
      }
  })

  it("close every object that names its fields, at every depth", () => {
    const open: Array<string> = []
    for (const entry of entries)
      for (const { schema } of within(entry.input_schema))
        if (schema["properties"] !== undefined && schema["additionalProperties"] !== false)
          open.push(`${entry.name} ${JSON.stringify(schema).slice(0, 200)}`)
    expect(open).toEqual([])
  })

  it("are JSON Schemas that a strict validator compiles", () => {
    const ajv = new Ajv2020({
      strict: true,
      strictRequired: false,
      allowUnionTypes: true,
      strictTypes: false
    })
    for (const entry of entries) {
      ajv.compile(entry.input_schema)
      expect([entry.name, ajv.validateSchema(entry.output_schema)]).toEqual([entry.name, true])
      for (const form of providerForms) ajv.compile(schemaIn(form, project(form, entry)))
    }
  })

  it("take what the entry takes, and say the rules they cannot hold", () => {
    const schema: JsonRecord = {
      type: "object",
      properties: { a: { type: "string" }, b: { type: "object", properties: { c: { type: "string" } } } },
      allOf: [
        { oneOf: [{ required: ["a"] }, { required: ["b"], properties: { b: { required: ["c"] } } }] },
        { anyOf: [{ required: ["a"] }, { required: ["b"] }] },
        { not: { allOf: [{ required: ["a"] }, { required: ["b"] }] } }
      ],
      additionalProperties: false
    }
    const { allOf: _, ...rest } = schema
    expect(flatRoot(schema)).toEqual({
      ...rest,
      description: "Exactly one of a, b.c. At least one of a, b. Not a together with b."
    })
    expect(() => flatRoot({ type: "object", allOf: [{ minProperties: 1 }] })).toThrow("put into words")
    expect(() => flatRoot({ type: "object", oneOf: [] })).toThrow("holds oneOf")
  })
})

describe("what a model is handed", () => {
  const [first] = entries as [CatalogEntry]
  const row = (name: string, available: boolean, granted: boolean | null) => ({
    ...first,
    name,
    providerName: providerNameOf(name),
    available,
    availableInScope: true,
    granted
  })

  it("leaves out what is withheld and what is not there", () => {
    const rows = [
      row("a.granted", true, true),
      row("a.unasked", true, null),
      row("a.withheld", true, false),
      row("a.absent", false, true)
    ]
    for (const form of providerForms)
      expect(projectAll(form, rows).map((tool) => nameIn(form, tool))).toEqual(["a_granted", "a_unasked"])
  })
})
