/** The routes that are declared as tools, small enough to be read whole: one closed input and one output each. */
import { failuresOf, responsesOf } from "./openapi.ts"
import { parametersOf, type Route, type Routes } from "./Routes.ts"
import { type Components, isRecord, type Json, type JsonRecord, standalone } from "./Schemas.ts"

/** Drops prose from a schema but for what describes a property. */
const terse = (schema: Json, isProperty: boolean): Json => {
  if (!isRecord(schema)) return schema
  const { description, examples: _, title: __, ...rest } = schema
  const out: { [key: string]: Json } = {}
  for (const [key, value] of Object.entries(rest)) {
    if (key === "properties")
      out[key] = Object.fromEntries(
        Object.entries(value as JsonRecord).map(([name, inner]) => [name, terse(inner, true)])
      )
    else if (isRecord(value)) out[key] = terse(value, false)
    else if (Array.isArray(value) && ["anyOf", "oneOf", "allOf", "prefixItems"].includes(key))
      out[key] = (value as ReadonlyArray<Json>).map((inner) => terse(inner, false))
    else out[key] = value
  }
  return isProperty && description !== undefined ? { ...out, description } : out
}

const jsonOf = (media: Json | undefined): Json | undefined => {
  const found = isRecord(media) ? media["application/json"] : undefined
  return isRecord(found) ? found["schema"] : undefined
}

/** The parameters and the body of a route as one closed object. Throws when two of them share a name. */
export const inputOf = (route: Route, components: Components): JsonRecord => {
  const properties: { [name: string]: Json } = {}
  const required: Array<string> = []
  const add = (name: string, schema: Json, needed: boolean) => {
    if (Object.hasOwn(properties, name)) throw new Error(`${route.method} ${route.path} takes two ${name}`)
    properties[name] = terse(standalone(schema, components), true)
    if (needed) required.push(name)
  }
  for (const place of ["path", "query"] as const)
    for (const { name, required, schema } of parametersOf(route, place)) add(name, schema, required)
  const body = route.operation["requestBody"]
  if (isRecord(body)) {
    const given = jsonOf(body["content"])
    const schema = given === undefined ? undefined : standalone(given, components)
    if (!isRecord(schema) || !isRecord(schema["properties"]))
      throw new Error(`${route.method} ${route.path} takes a body that is no object of named fields`)
    const needed = (schema["required"] ?? []) as ReadonlyArray<string>
    for (const [name, inner] of Object.entries(schema["properties"]))
      add(name, inner, needed.includes(name) && body["required"] === true)
  }
  return {
    type: "object",
    properties,
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false
  }
}

/** What a route answers with when all goes well. */
export const outputOf = (route: Route, components: Components): JsonRecord => {
  const kinds: Array<Json> = []
  for (const [status, response] of Object.entries(responsesOf(route))) {
    if (!/^2\d\d$/.test(status)) continue
    const content = response["content"]
    if (!isRecord(content)) continue
    const schema = jsonOf(content)
    kinds.push(
      schema === undefined
        ? {
            type: "string",
            format: "binary",
            contentMediaType: Object.keys(content)[0] ?? "application/octet-stream"
          }
        : terse(standalone(schema, components), false)
    )
  }
  const unlike = kinds.filter(
    (kind, at) => kinds.findIndex((other) => JSON.stringify(other) === JSON.stringify(kind)) === at
  )
  return unlike.length === 1 ? (unlike[0] as JsonRecord) : unlike.length === 0 ? {} : { anyOf: unlike }
}

/** The tool resource. */
export const toolResource = ({ components, routes }: Routes, version: string): JsonRecord => {
  const tools = routes.flatMap((route): ReadonlyArray<JsonRecord> => {
    const { tool } = route.declaration
    if (tool === undefined) return []
    return [
      {
        type: "portos_tool",
        name: tool.name,
        version: 1,
        providerName: tool.name.replace(/[.-]/g, "_"),
        description: route.summary,
        input_schema: inputOf(route, components),
        output_schema: outputOf(route, components),
        policy: {
          privacy: tool.privacy,
          sideEffect: route.sideEffect,
          async: tool.async,
          idempotent: tool.idempotent
        },
        binding: { protocol: "http", method: route.method, path: route.template },
        failures: failuresOf(route).map(([status, code]) => ({ status, code }))
      }
    ]
  })
  const names = tools.map(({ name }) => name)
  if (new Set(names).size < names.length) throw new Error("two routes are the same tool")
  const errors = routes
    .filter(({ declaration }) => declaration.tool !== undefined)
    .flatMap(failuresOf)
    .filter(
      ([status, code], at, all) => all.findIndex((other) => other[0] === status && other[1] === code) === at
    )
    .sort(([a, x], [b, y]) => a - b || (x < y ? -1 : 1))
  const read = tools.filter(({ policy }) => (policy as JsonRecord)["sideEffect"] === "read").length
  return {
    type: "portos_tool_resource",
    schemaVersion: 1,
    portosVersion: version,
    source: { document: "openapi", version: "3.0.3" },
    schemaDialect: "https://json-schema.org/draft/2020-12/schema",
    tools,
    errors: errors.map(([status, code]) => ({ status, code })),
    stats: { total: tools.length, read, write: tools.length - read }
  }
}
