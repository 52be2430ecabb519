/** Shapes of the routes that speak the Model Context Protocol. What is in their messages is the protocol's to say. */
import type { Json, JsonRecord } from "./Schemas.ts"

const id: Json = { type: ["string", "integer", "null"] }

const message: JsonRecord = {
  type: "object",
  description: "A message of JSON-RPC 2.0.",
  properties: {
    jsonrpc: { const: "2.0" },
    id,
    method: { type: "string" },
    params: { type: "object", additionalProperties: true },
    result: { type: "object", additionalProperties: true },
    error: { type: "object", additionalProperties: true }
  },
  required: ["jsonrpc"],
  additionalProperties: false
}

const failure: JsonRecord = {
  type: "object",
  properties: {
    jsonrpc: { const: "2.0" },
    id,
    error: {
      type: "object",
      properties: { code: { type: "integer" }, message: { type: "string" }, data: {} },
      required: ["code", "message"],
      additionalProperties: false
    }
  },
  required: ["jsonrpc", "error"],
  additionalProperties: false
}

const json = (schema: JsonRecord): JsonRecord => ({ "application/json": { schema } })
const stream: JsonRecord = { "text/event-stream": { schema: { type: "string" } } }

const header = (name: string, description: string): JsonRecord => ({
  name,
  in: "header",
  description,
  required: false,
  schema: { type: "string" }
})

const revision = header("MCP-Protocol-Version", "The revision of the protocol that was agreed on.")

/** Headers of a request that stands for itself and may have a tool called once. */
export const singleHeaders: ReadonlyArray<JsonRecord> = [
  revision,
  header("Idempotency-Key", "Names the call; the same one again gets the same outcome.")
]

/** Headers of a request in a session. */
export const sessionHeaders: ReadonlyArray<JsonRecord> = [
  header("Mcp-Session-Id", "The session the answer to `initialize` named."),
  revision
]

const refusals = (statuses: { readonly [status: string]: string }): JsonRecord =>
  Object.fromEntries(
    Object.entries(statuses).map(([status, description]) => [status, { description, content: json(failure) }])
  )

/** An operation that takes a message and answers with one, or with a stream of them. */
export const posting = (
  summary: string,
  options: {
    readonly streams: boolean
    readonly headers: ReadonlyArray<JsonRecord>
    readonly refusals: { readonly [status: string]: string }
  }
): JsonRecord => ({
  summary,
  parameters: options.headers,
  requestBody: { required: true, content: json(message) },
  responses: {
    "200": {
      description: "The answer.",
      content: { ...json(message), ...(options.streams ? stream : {}) }
    },
    "202": { description: "Taken; nothing is answered to a notification." },
    ...refusals(options.refusals)
  }
})

/** An operation that listens. */
export const listening = (summary: string, statuses: { readonly [status: string]: string }): JsonRecord => ({
  summary,
  parameters: [
    ...sessionHeaders,
    header("Last-Event-ID", "The last event that came, for a stream that broke.")
  ],
  responses: {
    "200": { description: "Messages, as server-sent events.", content: stream },
    "204": { description: "The stream is over." },
    ...refusals(statuses)
  }
})

/** An operation that ends something and answers nothing. */
export const ending = (summary: string, statuses: { readonly [status: string]: string }): JsonRecord => ({
  summary,
  parameters: sessionHeaders,
  responses: { "200": { description: "Ended." }, ...refusals(statuses) }
})

const words: Json = { type: "array", items: { type: "string" } }
const open: Json = { type: "object", additionalProperties: true }

/** What the agent context says of itself. */
export const describing: JsonRecord = {
  summary: "What the agent context is, and which of its tools could be called now.",
  responses: {
    "200": {
      description: "The manifest; also of a context that is disabled.",
      content: json({
        type: "object",
        properties: {
          kind: { const: "portos-agent-context" },
          schemaVersion: { type: "integer" },
          protocolVersion: { type: "string" },
          enabled: { type: "boolean" },
          configurationValid: { type: "boolean" },
          transport: {
            type: "object",
            properties: {
              type: { const: "streamable-http" },
              endpoint: { type: "string" },
              loopbackOnly: { type: "boolean" },
              stateful: { type: "boolean" }
            },
            required: ["type", "endpoint", "loopbackOnly", "stateful"],
            additionalProperties: false
          },
          profile: { enum: ["metadata", "summary"] },
          scopes: words,
          limits: { type: "object", additionalProperties: { type: "integer" } },
          exclusions: words,
          actions: open,
          tools: { type: "array", items: open },
          grantedWhenEnabled: words
        },
        required: [
          "kind",
          "schemaVersion",
          "protocolVersion",
          "enabled",
          "configurationValid",
          "transport",
          "profile",
          "scopes",
          "limits",
          "exclusions",
          "actions",
          "tools"
        ],
        additionalProperties: false
      })
    }
  }
}
