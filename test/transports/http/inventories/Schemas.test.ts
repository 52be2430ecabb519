import AjvDraft4 from "ajv-draft-04"
import { Ajv2020 } from "ajv/dist/2020.js"
import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import {
  downLevel,
  type Json,
  type JsonRecord,
  standalone
} from "../../../../src/transports/http/inventories/Schemas.ts"

describe("the older dialect", () => {
  const cases: ReadonlyArray<readonly [string, Json, Json]> = [
    ["null among types", { type: ["string", "null"] }, { type: "string", nullable: true }],
    ["several types", { type: ["string", "integer"] }, { anyOf: [{ type: "string" }, { type: "integer" }] }],
    ["null alone", { type: "null" }, { nullable: true, enum: [null] }],
    [
      "null among alternatives",
      { anyOf: [{ type: "string", minLength: 1 }, { type: "null" }] },
      { type: "string", minLength: 1, nullable: true }
    ],
    [
      "null beside a reference",
      { anyOf: [{ $ref: "#/components/schemas/A" }, { type: "null" }] },
      { allOf: [{ $ref: "#/components/schemas/A" }], nullable: true }
    ],
    [
      "null among more alternatives",
      { oneOf: [{ type: "string" }, { type: "integer" }, { enum: [null] }] },
      { oneOf: [{ type: "string" }, { type: "integer" }], nullable: true }
    ],
    [
      "bounds that are left out",
      { type: "number", exclusiveMinimum: 1, exclusiveMaximum: 5 },
      { type: "number", minimum: 1, exclusiveMinimum: true, maximum: 5, exclusiveMaximum: true }
    ],
    ["one value", { const: "a" }, { enum: ["a"] }],
    ["examples", { type: "string", examples: ["a", "b"] }, { type: "string", example: "a" }],
    [
      "a tuple",
      { type: "array", prefixItems: [{ type: "string" }, { type: "integer" }], items: false },
      { type: "array", items: { anyOf: [{ type: "string" }, { type: "integer" }] }, minItems: 2, maxItems: 2 }
    ],
    [
      "a tuple with a rest",
      { type: "array", items: [{ type: "string" }], additionalItems: { type: "integer" } },
      { type: "array", items: { anyOf: [{ type: "string" }, { type: "integer" }] }, minItems: 1 }
    ],
    ["an array of anything", { type: "array" }, { type: "array", items: {} }],
    [
      "patterns of names",
      { type: "object", properties: {}, patternProperties: { "^a": { const: 1 } }, propertyNames: {} },
      { type: "object", properties: {}, additionalProperties: { anyOf: [{ enum: [1] }] } }
    ],
    ["where a schema comes from", { $schema: "x", $id: "/schemas/any", $comment: "y" }, {}],
    ["everything", true, {}],
    ["nothing", false, { not: {} }],
    [
      "words beside a reference",
      { $ref: "#/components/schemas/A", description: "x" },
      { allOf: [{ $ref: "#/components/schemas/A" }], description: "x" }
    ]
  ]
  for (const [name, given, wanted] of cases)
    it(`says ${name}`, () => {
      expect(downLevel(given)).toEqual(wanted)
      expect(downLevel({ properties: { a: given } })).toEqual({ properties: { a: wanted } })
    })

  it("refuses what it cannot say", () => {
    expect(() => downLevel({ if: {} })).toThrow("if cannot be said")
    expect(() => downLevel({ unevaluatedProperties: false })).toThrow("unevaluatedProperties")
    expect(() => downLevel({ $ref: "#/$defs/A" })).toThrow("leads nowhere")
    expect(() => downLevel(1)).toThrow("no schema")
  })

  const leaf: fc.Arbitrary<JsonRecord> = fc.oneof(
    fc.constantFrom<JsonRecord>(
      { type: "string" },
      { type: "integer" },
      { type: "boolean" },
      { type: "null" },
      { const: "a" },
      { enum: ["a", 1] },
      { type: ["string", "null"] },
      { type: ["integer", "boolean"] }
    ),
    fc.integer({ min: -2, max: 2 }).map((exclusiveMinimum) => ({ type: "integer", exclusiveMinimum }))
  )
  const schema = fc.letrec<{ node: JsonRecord }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 3, depthIdentifier: "schema" },
      leaf,
      fc
        .dictionary(fc.constantFrom("a", "b"), tie("node"))
        .map((properties) => ({ type: "object", properties, additionalProperties: false })),
      tie("node").map((items) => ({ type: "array", items })),
      fc.array(tie("node"), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf }))
    )
  })).node
  const value = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom(null, true, "a", "b", "", -1, 0, 1, 3, 0.5),
      fc.dictionary(fc.constantFrom("a", "b", "c"), tie("node")),
      fc.array(tie("node"), { maxLength: 2 })
    )
  })).node

  /** `nullable` is no word of draft 4: null is let in where the schema that says it is asked. */
  const nullAware = (node: Json): Json => {
    if (Array.isArray(node)) return (node as ReadonlyArray<Json>).map(nullAware)
    if (typeof node !== "object" || node === null) return node
    const { nullable, ...rest } = node as JsonRecord
    const inner = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, nullAware(value)]))
    return nullable === true ? { anyOf: [inner, { enum: [null] }] } : inner
  }

  it("lets in the same values", () => {
    const options = { strict: false, addUsedSchema: false }
    const newer = new Ajv2020(options)
    const older = new (AjvDraft4 as unknown as typeof AjvDraft4.default)(options)
    fc.assert(
      fc.property(schema, fc.array(value, { minLength: 1, maxLength: 20 }), (schema, values) => {
        const given = newer.compile(schema)
        const down = older.compile(nullAware(downLevel(schema)) as object)
        for (const value of values) expect(down(value)).toBe(given(value))
      }),
      { numRuns: 50 }
    )
  })
})

describe("a schema that stands alone", () => {
  const components = {
    A: { type: "object", properties: { b: { $ref: "#/components/schemas/B" } }, required: [] },
    B: { type: "array", items: [{ type: "string" }] },
    Loop: { anyOf: [{ $ref: "#/components/schemas/Loop" }] }
  }

  it("holds what it referred to", () => {
    expect(standalone({ $ref: "#/components/schemas/A", description: "x" }, components)).toEqual({
      type: "object",
      properties: { b: { type: "array", prefixItems: [{ type: "string" }], items: false } },
      description: "x"
    })
  })

  it("is refused where it leads nowhere or holds itself", () => {
    expect(() => standalone({ $ref: "#/components/schemas/None" }, components)).toThrow("no schema None")
    expect(() => standalone({ $ref: "#/components/schemas/Loop" }, components)).toThrow("holds itself")
    expect(() => standalone({ $ref: "other.json" }, components)).toThrow("leads nowhere")
  })
})
