/**
 * JSON Schemas on their way out. Within the house they are those of OpenAPI 3.1, which are JSON Schema 2020-12; OpenAPI
 * 3.0 knows an older dialect, to which they are brought down at the edge of a document and nowhere else.
 */

export type Json = null | boolean | number | string | ReadonlyArray<Json> | JsonRecord
export interface JsonRecord {
  readonly [key: string]: Json
}

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Schemas by the name a reference gives them. */
export type Components = { readonly [name: string]: JsonRecord }

const prefix = "#/components/schemas/"

const mapValues = (record: Json | undefined, f: (value: Json) => Json): JsonRecord =>
  Object.fromEntries(Object.entries((record ?? {}) as JsonRecord).map(([key, value]) => [key, f(value)]))

const isNull = (schema: Json): boolean =>
  isRecord(schema) &&
  (schema["type"] === "null" ||
    schema["const"] === null ||
    (Array.isArray(schema["enum"]) && schema["enum"].length === 1 && schema["enum"][0] === null))

/** The name a reference gives; throws for one that leads out of the document. */
const referred = (ref: Json): string => {
  if (typeof ref !== "string" || !ref.startsWith(prefix)) throw new Error(`${String(ref)} leads nowhere`)
  return ref.slice(prefix.length)
}

/** Keywords that both dialects know, with a meaning of one kind. */
const alike: ReadonlySet<string> = new Set([
  "title",
  "description",
  "default",
  "format",
  "pattern",
  "minLength",
  "maxLength",
  "minimum",
  "maximum",
  "multipleOf",
  "minItems",
  "maxItems",
  "uniqueItems",
  "minProperties",
  "maxProperties",
  "required",
  "enum",
  "deprecated",
  "readOnly",
  "writeOnly"
])

/** Keywords that only say where a schema comes from. */
const idle: ReadonlySet<string> = new Set(["$schema", "$id", "$comment", "propertyNames"])

const downEach = (schemas: Json): ReadonlyArray<Json> => (schemas as ReadonlyArray<Json>).map(downLevel)

/** Alternatives of which one is null: in the older dialect the others may be null. */
const alternatives = (key: "anyOf" | "oneOf", schemas: ReadonlyArray<Json>): JsonRecord => {
  const others = schemas.filter((schema) => !isNull(schema))
  const nullable = others.length < schemas.length
  if (others.length === 0) return { nullable: true, enum: [null] }
  if (nullable && others.length === 1 && isRecord(others[0])) {
    const only = downLevel(others[0])
    return "$ref" in (only as JsonRecord)
      ? { allOf: [only], nullable: true }
      : { ...(only as JsonRecord), nullable: true }
  }
  return { [key]: downEach(others), ...(nullable ? { nullable: true } : {}) }
}

/** A tuple as an array whose items are of any of its kinds. */
const tuple = (items: ReadonlyArray<Json>, rest: Json | undefined): JsonRecord => {
  const closed = rest === undefined || rest === false
  const kinds = [...items, ...(isRecord(rest) ? [rest] : [])].map(downLevel)
  return {
    items: closed || isRecord(rest) ? (kinds.length === 1 ? (kinds[0] as Json) : { anyOf: kinds }) : {},
    minItems: items.length,
    ...(closed ? { maxItems: items.length } : {})
  }
}

/** A schema as OpenAPI 3.0 has them. Throws on a keyword it cannot say. */
export const downLevel = (schema: Json): Json => {
  if (schema === true) return {}
  if (schema === false) return { not: {} }
  if (!isRecord(schema)) throw new Error(`${JSON.stringify(schema)} is no schema`)
  if (typeof schema["$ref"] === "string") {
    const { $ref, ...beside } = schema
    referred($ref as Json)
    // What stands beside a reference would not be read.
    return Object.keys(beside).length === 0
      ? { $ref: $ref as Json }
      : { allOf: [{ $ref: $ref as Json }], ...(downLevel(beside) as JsonRecord) }
  }
  const out: { [key: string]: Json } = {}
  for (const [key, value] of Object.entries(schema)) {
    if (alike.has(key) || key.startsWith("x-")) {
      if (key === "required" && Array.isArray(value) && value.length === 0) continue
      out[key] = value
    } else if (idle.has(key)) continue
    else
      switch (key) {
        case "type": {
          const types = (Array.isArray(value) ? value : [value]) as ReadonlyArray<string>
          const others = types.filter((type) => type !== "null")
          if (others.length < types.length) out["nullable"] = true
          if (others.length === 1) out["type"] = others[0] as string
          else if (others.length > 1) out["anyOf"] = others.map((type) => ({ type }))
          else out["enum"] = [null]
          break
        }
        case "const":
          out["enum"] = [value]
          if (value === null) out["nullable"] = true
          break
        case "examples":
          if (Array.isArray(value) && value.length > 0) out["example"] = value[0] as Json
          break
        case "exclusiveMinimum":
          out["minimum"] = value
          out["exclusiveMinimum"] = true
          break
        case "exclusiveMaximum":
          out["maximum"] = value
          out["exclusiveMaximum"] = true
          break
        case "anyOf":
        case "oneOf":
          Object.assign(out, alternatives(key, value as ReadonlyArray<Json>))
          break
        case "allOf":
          out["allOf"] = downEach(value)
          break
        case "not":
          out["not"] = downLevel(value)
          break
        case "properties":
          out["properties"] = mapValues(value, downLevel)
          break
        case "patternProperties":
          out["additionalProperties"] = { anyOf: Object.values(value as JsonRecord).map(downLevel) }
          break
        case "additionalProperties":
          if (!("patternProperties" in schema))
            out["additionalProperties"] = typeof value === "boolean" ? value : downLevel(value)
          break
        case "prefixItems":
          Object.assign(out, tuple(value as ReadonlyArray<Json>, schema["items"]))
          break
        case "items":
          if ("prefixItems" in schema) break
          if (Array.isArray(value)) Object.assign(out, tuple(value, schema["additionalItems"]))
          else out["items"] = downLevel(value)
          break
        case "additionalItems":
          break
        case "contentMediaType":
        case "contentSchema":
          break
        default:
          throw new Error(`${key} cannot be said in OpenAPI 3.0`)
      }
  }
  if (out["type"] === "array" && !("items" in out)) out["items"] = {}
  return out
}

/**
 * A schema that stands alone: references replaced by what they refer to, tuples as 2020-12 has them, and nothing that only
 * says where it comes from. Throws on one that holds itself.
 */
export const standalone = (
  schema: Json,
  components: Components,
  inside: ReadonlyArray<string> = []
): Json => {
  if (typeof schema === "boolean") return schema
  if (!isRecord(schema)) throw new Error(`${JSON.stringify(schema)} is no schema`)
  const go = (inner: Json): Json => standalone(inner, components, inside)
  if (typeof schema["$ref"] === "string") {
    const { $ref, ...beside } = schema
    const name = referred($ref as Json)
    const target = components[name]
    if (target === undefined) throw new Error(`there is no schema ${name}`)
    if (inside.includes(name)) throw new Error(`the schema ${name} holds itself`)
    return { ...(standalone(target, components, [...inside, name]) as JsonRecord), ...beside }
  }
  const out: { [key: string]: Json } = {}
  for (const [key, value] of Object.entries(schema)) {
    if (key === "$schema" || key === "$id" || key === "$comment" || key === "additionalItems") continue
    if (key === "properties" || key === "patternProperties") out[key] = mapValues(value, go)
    else if (key === "anyOf" || key === "oneOf" || key === "allOf" || key === "prefixItems")
      out[key] = (value as ReadonlyArray<Json>).map(go)
    else if (key === "items" && Array.isArray(value)) {
      const rest = schema["additionalItems"]
      if (value.length > 0) out["prefixItems"] = value.map(go)
      out["items"] = rest === undefined ? false : go(rest)
    } else if (key === "required" && Array.isArray(value) && value.length === 0) continue
    else if (key === "items" || key === "additionalProperties" || key === "not" || key === "propertyNames")
      out[key] = go(value)
    else out[key] = value
  }
  return out
}
