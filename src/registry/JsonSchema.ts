/**
 * JSON Schema of an input for a reader who pays by the byte: closed, no `$defs`, no titles, and no `maximum` on
 * ergonomic numbers, since a client that checks it would refuse what the server is glad to bring into range.
 */
import { JSONSchema, type Schema } from "effect"
import { type Field, type Fields, type Input, mayBeAbsent } from "./Fields.ts"
import { isRecord, type Json, type JsonRecord } from "./Json.ts"

const strip = (node: unknown, definitions: { readonly [name: string]: unknown }): any => {
  if (Array.isArray(node)) return node.map((item) => strip(item, definitions))
  if (!isRecord(node)) return node
  if (typeof node["$ref"] === "string" && node["$ref"].startsWith("#/$defs/")) {
    return strip(definitions[node["$ref"].slice("#/$defs/".length)], definitions)
  }
  const out: { [key: string]: unknown } = {}
  for (const [key, value] of Object.entries(node)) {
    if (key === "$schema" || key === "$defs" || key === "$id" || key === "title") continue
    if (key === "description" && (node["title"] !== undefined || value === "a non empty string")) continue
    if (key === "required" && Array.isArray(value) && value.length === 0) continue
    out[key] =
      key === "properties" && isRecord(value)
        ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, strip(inner, definitions)]))
        : strip(value, definitions)
  }
  return out
}

/** JSON Schema of an Effect schema, inlined and stripped of boilerplate. */
export const ofSchema = (schema: Schema.Schema.AnyNoContext): JsonRecord => {
  const raw = JSONSchema.make(schema) as unknown as { readonly $defs?: { readonly [name: string]: unknown } }
  return strip(raw, raw.$defs ?? {})
}

const ofShape = (field: Field.Any): JsonRecord => {
  const { shape } = field
  switch (shape.tag) {
    case "leaf":
      return shape.json ?? ofSchema(shape.schema)
    case "clamped":
      return { type: shape.whole ? "integer" : "number", minimum: shape.range.min }
    case "list":
      return {
        type: shape.splits ? ["array", "string"] : "array",
        items: ofField(shape.item),
        ...(shape.min === 0 ? {} : { minItems: shape.min }),
        ...(shape.max === undefined ? {} : { maxItems: shape.max })
      }
    case "json": {
      const inner = ofField(shape.value)
      return Object.keys(inner).length === 0 ? {} : { anyOf: [inner, { type: "string" }] }
    }
    case "record":
      return { type: "object", additionalProperties: ofField(shape.value) }
    case "group":
      return ofFields(shape.fields)
    case "target":
      return {
        type: "object",
        properties: Object.fromEntries(
          Object.entries(shape.selectors).map(([name, inner]) => [name, ofField(inner)])
        ),
        minProperties: 1,
        maxProperties: 1,
        additionalProperties: false
      }
    case "union":
      return { anyOf: shape.members.map(ofField) }
  }
}

/** JSON Schema of one field. */
export const ofField = (field: Field.Any): JsonRecord => {
  const { shape } = field
  // A ceiling nobody meets is not worth its bytes.
  const ceiling =
    shape.tag === "clamped" && shape.range.max < 1_000_000
      ? `at most ${shape.range.max}, more is brought down to it`
      : undefined
  const words = [field.description, ceiling].filter((_) => _ !== undefined).join("; ")
  return {
    ...ofShape(field),
    ...(field.default === undefined ? {} : { default: field.default }),
    ...(words === "" ? {} : { description: words })
  }
}

const ofFields = (fields: Fields): JsonRecord => {
  const required = Object.entries(fields)
    .filter(([, field]) => !mayBeAbsent(field))
    .map(([name]) => name)
  return {
    type: "object",
    properties: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, ofField(field)])),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false
  }
}

/** A schema that demands the field at a dotted path. */
const demand = (path: string): JsonRecord => {
  const [name, ...rest] = path.split(".") as [string, ...Array<string>]
  return rest.length === 0
    ? { required: [name] }
    : { required: [name], properties: { [name]: demand(rest.join(".")) } }
}

/** Closed JSON Schema of an operation's input; `discriminator` adds the field that names the operation. */
export const ofInput = (
  input: Input.Any,
  discriminator?: { readonly name: string; readonly value: string; readonly required: boolean }
): JsonRecord => {
  const base = ofFields(input.fields) as {
    readonly properties: JsonRecord
    readonly required?: ReadonlyArray<string>
  }
  const rules = [
    ...(input.rules.exactlyOne ?? []).map((paths): JsonRecord => ({ oneOf: paths.map(demand) })),
    ...(input.rules.atLeastOne ?? []).map((paths): JsonRecord => ({ anyOf: paths.map(demand) })),
    ...(input.rules.atMostOne ?? []).flatMap((paths) =>
      paths.flatMap((left, at) =>
        paths.slice(at + 1).map((right): JsonRecord => ({ not: { allOf: [demand(left), demand(right)] } }))
      )
    )
  ]
  const required = [...(discriminator?.required ? [discriminator.name] : []), ...(base.required ?? [])]
  return {
    type: "object",
    properties: {
      ...(discriminator === undefined
        ? {}
        : { [discriminator.name]: { const: discriminator.value, enum: [discriminator.value] } }),
      ...base.properties
    },
    ...(required.length === 0 ? {} : { required }),
    ...(rules.length === 0 ? {} : { allOf: rules }),
    additionalProperties: false
  }
}

const maxDepth = 16
const maxNodes = 256

/** Keywords the generator understands; anything else that constrains is refused rather than ignored. */
const known: ReadonlySet<string> = new Set([
  "type",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "minItems",
  "maxItems",
  "minLength",
  "maxLength",
  "minimum",
  "maximum",
  "enum",
  "const",
  "default",
  "description",
  "anyOf",
  "oneOf",
  "allOf",
  "not",
  "minProperties",
  "maxProperties",
  "examples"
])

/** Merges a schema that demands fields into the one that describes them. */
const demanded = (schema: JsonRecord, extra: JsonRecord): JsonRecord => {
  const own = (schema["properties"] ?? {}) as { readonly [name: string]: JsonRecord }
  const more = (extra["properties"] ?? {}) as { readonly [name: string]: JsonRecord }
  return {
    ...schema,
    required: [
      ...new Set([
        ...((schema["required"] ?? []) as ReadonlyArray<string>),
        ...((extra["required"] ?? []) as ReadonlyArray<string>)
      ])
    ],
    properties: {
      ...own,
      ...Object.fromEntries(
        Object.entries(more).map(([name, inner]) => [name, demanded(own[name] ?? {}, inner)])
      )
    }
  }
}

/**
 * A small value that fits a schema: the constant, else the first choice, else the default of a required field, else a
 * bounded sample; texts are `<name>` of the field they stand in. Throws on a constraint it does not know.
 */
export const sampleArguments = (schema: JsonRecord): JsonRecord => {
  let nodes = 0
  const sample = (node: JsonRecord, name: string, depth: number): Json => {
    if (depth > maxDepth || ++nodes > maxNodes) throw new Error("the schema is too large to sample")
    for (const key of Object.keys(node))
      if (!known.has(key)) throw new Error(`cannot sample a schema with ${key}`)
    if (node["const"] !== undefined) return node["const"]
    if (Array.isArray(node["enum"])) return node["enum"][0] as Json
    if (node["default"] !== undefined) return node["default"]
    let here = node
    for (const rule of (node["allOf"] ?? []) as ReadonlyArray<JsonRecord>) {
      const options = (rule["oneOf"] ?? rule["anyOf"]) as ReadonlyArray<JsonRecord> | undefined
      if (options?.[0] !== undefined) here = demanded(here, options[0])
    }
    const members = (here["anyOf"] ?? here["oneOf"]) as ReadonlyArray<JsonRecord> | undefined
    if (members?.[0] !== undefined) return sample(members[0], name, depth + 1)
    const type = Array.isArray(here["type"]) ? here["type"][0] : here["type"]
    switch (type) {
      case "object": {
        const properties = (here["properties"] ?? {}) as { readonly [name: string]: JsonRecord }
        const required = new Set((here["required"] ?? []) as ReadonlyArray<string>)
        for (const key of Object.keys(properties)) {
          if (required.size >= ((here["minProperties"] as number | undefined) ?? 0)) break
          required.add(key)
        }
        return Object.fromEntries(
          [...required].map((key) => {
            const inner = properties[key]
            if (inner === undefined) throw new Error(`required field ${key} is not described`)
            return [key, sample(inner, key, depth + 1)]
          })
        )
      }
      case "array": {
        const size = Math.max(1, (here["minItems"] as number | undefined) ?? 1)
        if (size > 32) throw new Error("the schema demands too many items")
        return Array.from({ length: size }, () =>
          sample((here["items"] ?? {}) as JsonRecord, name.replace(/s$/, ""), depth + 1)
        )
      }
      case "integer":
      case "number":
        return Math.max(
          (here["minimum"] as number | undefined) ?? 1,
          Math.min(1, (here["maximum"] as number | undefined) ?? 1)
        )
      case "boolean":
        return false
      case "null":
        return null
      case "string": {
        const text = `<${name}>`.padEnd((here["minLength"] as number | undefined) ?? 0, "_")
        return text.slice(0, Math.min((here["maxLength"] as number | undefined) ?? 1024, 1024))
      }
      case undefined:
        return `<${name}>`
      default:
        throw new Error(`cannot sample type ${String(type)}`)
    }
  }
  return sample(schema, "arguments", 0) as JsonRecord
}
