/** The routes as an OpenAPI 3.0.3 document. */
import { Array } from "effect"
import { createHash } from "node:crypto"
import { goesBy } from "../Busy.ts"
import type { Route, Routes } from "./Routes.ts"
import { downLevel, isRecord, type Json, type JsonRecord } from "./Schemas.ts"

/** What every failure comes as. */
export const errorSchema: JsonRecord = {
  type: "object",
  required: ["error", "code", "timestamp"],
  properties: {
    error: { type: "string", description: "What is wrong, for a person." },
    code: { type: "string", description: "What is wrong, for a program." },
    timestamp: { type: "integer", description: "Milliseconds since 1970." },
    context: { type: "object", additionalProperties: true }
  },
  additionalProperties: false
}

const errorName = "Failure"

/** Whether a request to a route can be one that does not fit. What is served beside the typed routes says so itself. */
const takesSomething = ({ operation, typed }: Route): boolean =>
  typed && (((operation["parameters"] ?? []) as ReadonlyArray<Json>).length > 0 || "requestBody" in operation)

/** Failures at the door. What is served beside the typed routes and says them itself has them in a form of its own. */
const atTheDoor = ({ method, operation, path }: Route): ReadonlyArray<readonly [number, string]> =>
  goesBy(method, path) || "429" in ((operation["responses"] ?? {}) as JsonRecord)
    ? []
    : [
        [429, "RATE_LIMITED"],
        [503, "SERVICE_UNAVAILABLE"]
      ]

/** Failures that come before a route's own work. */
const shared = (route: Route): ReadonlyArray<readonly [number, string]> => [
  [403, "HOST_NOT_ALLOWED"],
  [403, "CROSS_ORIGIN_BLOCKED"],
  ...(route.access === "always-public" ? [] : ([[401, "AUTH_REQUIRED"]] as const)),
  ...(takesSomething(route) ? ([[400, "VALIDATION_ERROR"]] as const) : []),
  ...atTheDoor(route),
  [500, "INTERNAL_ERROR"]
]

/** Every declared failure of a route, by status, then code. */
export const failuresOf = (route: Route): ReadonlyArray<readonly [number, string]> =>
  [...shared(route), ...(route.declaration.errors ?? [])]
    .filter(
      ([status, code], at, all) => all.findIndex((other) => other[0] === status && other[1] === code) === at
    )
    .sort(([a, x], [b, y]) => a - b || (x < y ? -1 : 1))

const readable = (text: string): string => text.replace(/[^A-Za-z0-9]+/g, "_").slice(0, 80)

/** An identifier that a rename of neither the domain nor the operation can give to another route. */
export const operationIdOf = ({ domain, method, name, path }: Route): string =>
  `${readable(`${domain.id}_${name}`)}_${createHash("sha256").update(`${method} ${path}`).digest("hex").slice(0, 8)}`

const mediaDown = (content: Json): JsonRecord =>
  Object.fromEntries(
    Object.entries(content as JsonRecord).map(([type, media]) => [
      type,
      isRecord(media) && media["schema"] !== undefined
        ? { ...media, schema: downLevel(media["schema"]) }
        : media
    ])
  )

const failureMedia = {
  "application/json": { schema: { $ref: `#/components/schemas/${errorName}` } }
}

/** The answers of a route, by status: as 3.1 has them. */
export const responsesOf = (route: Route): { readonly [status: string]: JsonRecord } => {
  const own = (route.operation["responses"] ?? {}) as { readonly [status: string]: JsonRecord }
  const found: { [status: string]: JsonRecord } = {}
  for (const [status, response] of Object.entries(own)) {
    // How the platform would say that a request does not fit; it is said as every other failure.
    if (!JSON.stringify(response).includes("HttpApiDecodeError")) found[status] = response
  }
  for (const [status, description] of Object.entries(route.declaration.empty ?? {}))
    found[status] ??= { description }
  const byStatus = Array.groupBy(failuresOf(route), ([status]) => `${status}`)
  for (const [status, failures] of Object.entries(byStatus)) {
    const codes = failures.map(([, code]) => code).join(", ")
    const given = found[status]
    found[status] =
      given?.["content"] === undefined
        ? { description: codes, content: failureMedia }
        : { ...given, description: codes }
  }
  return Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)))
}

const operationOf = (route: Route): JsonRecord => {
  const { operation } = route
  const body = operation["requestBody"]
  const failures = failuresOf(route)
  return {
    operationId: operationIdOf(route),
    tags: [route.domain.label],
    summary: route.summary,
    ...(typeof operation["description"] === "string" ? { description: operation["description"] } : {}),
    ...(operation["deprecated"] === true ? { deprecated: true } : {}),
    parameters: ((operation["parameters"] ?? []) as ReadonlyArray<JsonRecord>).map((parameter) => ({
      ...parameter,
      ...(parameter["in"] === "path" ? { required: true } : {}),
      schema: downLevel(parameter["schema"] ?? {})
    })),
    ...(isRecord(body) ? { requestBody: { ...body, content: mediaDown(body["content"] ?? {}) } } : {}),
    responses: Object.fromEntries(
      Object.entries(responsesOf(route)).map(([status, response]) => [
        status,
        response["content"] === undefined
          ? response
          : { ...response, content: mediaDown(response["content"]) }
      ])
    ),
    security: route.access === "always-public" ? [{}] : [{ bearerAuth: [] }, {}],
    "x-portos-contract-status": route.contractStatus,
    "x-portos-express-path": route.path,
    "x-portos-mount": route.domain.mount,
    "x-portos-source": route.domain.source,
    "x-portos-access": route.access,
    "x-portos-side-effect": route.sideEffect,
    ...(route.declaration.tool === undefined ? {} : { "x-portos-tool": { ...route.declaration.tool } }),
    "x-portos-error-codes": failures.map(([status, code]) => ({ status, code }))
  }
}

/** Names of the schemas that a document's operations lead to. */
const reached = (document: Json, components: { readonly [name: string]: Json }): ReadonlySet<string> => {
  const names = new Set<string>()
  const look = (value: Json): void => {
    if (Array.isArray(value)) for (const inner of value as ReadonlyArray<Json>) look(inner)
    if (!isRecord(value)) return
    const ref = value["$ref"]
    const name = typeof ref === "string" ? ref.slice("#/components/schemas/".length) : undefined
    if (name !== undefined && !names.has(name)) {
      names.add(name)
      const target = components[name]
      if (target === undefined) throw new Error(`there is no schema ${name}`)
      look(target)
    }
    for (const inner of Object.values(value)) look(inner)
  }
  look(document)
  return names
}

const describing = {
  internal: "Every HTTP route of the server. That a route is listed here makes no tool of it.",
  public: "The routes that are meant for callers elsewhere."
}

/** Whether a route is for callers elsewhere. */
export const isExposed = ({ access }: Route): boolean =>
  access === "externally-exposable" || access === "always-public"

/** The OpenAPI document of all routes, or of those for callers elsewhere. */
export const openApi = (
  { components, routes }: Routes,
  kind: "internal" | "public",
  version: string
): JsonRecord => {
  const shown = kind === "internal" ? routes : routes.filter(isExposed)
  const paths: { [template: string]: { [method: string]: Json } } = {}
  for (const route of shown) (paths[route.template] ??= {})[route.method.toLowerCase()] = operationOf(route)
  const schemas = Object.fromEntries(
    Object.entries({ ...components, [errorName]: errorSchema }).map(([name, schema]) => [
      name,
      downLevel(schema)
    ])
  )
  const used = reached(paths, schemas)
  const labels = [...new Set(shown.map(({ domain }) => domain.label))].sort()
  return {
    openapi: "3.0.3",
    info: { title: "Portico", description: describing[kind], version },
    servers: [{ url: "/" }],
    tags: labels.map((name) => ({ name })),
    paths,
    components: {
      schemas: Object.fromEntries(
        Object.entries(schemas)
          .filter(([name]) => used.has(name))
          .sort(([a], [b]) => (a < b ? -1 : 1))
      ),
      securitySchemes: {
        bearerAuth: {
          type: "http",
          scheme: "bearer",
          description: "A token from a file of the server's owner. Reads from the same machine need none."
        }
      }
    }
  }
}
