/** Everything that is sent without being asked for, and everything that is told without an answer. */
import type { Json, JsonRecord } from "./Schemas.ts"

export type Direction = "server-to-client" | "client-to-server"

export interface Channel {
  readonly id: string
  readonly title: string
  /** Path, as OpenAPI writes it. */
  readonly address: string
  readonly domain: string
  readonly domainLabel: string
  readonly parameters?: { readonly [name: string]: string }
}

export interface EventNote {
  /** Name on the wire. */
  readonly event: string
  readonly channel: string
  readonly direction: Direction
  readonly summary: string
  /** JSON Schema 2020-12 of what it carries. */
  readonly payload: JsonRecord
  /** Repository-relative. */
  readonly source: string
}

const object = (properties: JsonRecord, required: ReadonlyArray<string>): JsonRecord => ({
  type: "object",
  properties,
  required,
  additionalProperties: false
})

const terminal = ["completed", "failed", "cancelled"]

/** The frame of a job. The name of the event is the phase. */
const frame = (phase: string): JsonRecord =>
  object(
    {
      sequence: { type: "integer", minimum: 1, description: "counts from 1 without gaps" },
      at: { type: "string", description: "ISO 8601, UTC" },
      phase: { const: phase },
      progress: object(
        {
          done: { type: "number", minimum: 0 },
          total: { type: "number", minimum: 0 }
        },
        ["done"]
      ),
      message: { type: "string" },
      ...(terminal.includes(phase)
        ? {
            result: {},
            error: object({ code: { type: "string" }, message: { type: "string" } }, ["code", "message"])
          }
        : {})
    },
    ["sequence", "at", "phase"]
  )

const rpc = (method: string, params: JsonRecord, required: boolean): JsonRecord =>
  object(
    { jsonrpc: { const: "2.0" }, method: { const: method }, params },
    required ? ["jsonrpc", "method", "params"] : ["jsonrpc", "method"]
  )

const meta: JsonRecord = { _meta: { type: "object", additionalProperties: true } }
const requestId: Json = { type: ["string", "integer"] }

export const channels: ReadonlyArray<Channel> = [
  {
    id: "jobEvents",
    title: "Events of a job",
    address: "/api/cos/tools/jobs/{jobId}/events",
    domain: "tools",
    domainLabel: "Tools",
    parameters: { jobId: "Names the job." }
  },
  {
    id: "mcp",
    title: "Model Context Protocol",
    address: "/mcp",
    domain: "mcp",
    domainLabel: "Model Context Protocol"
  }
]

const job = (phase: string, summary: string): EventNote => ({
  event: phase,
  channel: "jobEvents",
  direction: "server-to-client",
  summary,
  payload: frame(phase),
  source: "src/transports/http/contract/Events.ts"
})

const jobEvents: ReadonlyArray<EventNote> = [
  job("queued", "The job waits for its turn."),
  job("running", "The job works; may be sent many times."),
  job("completed", "The job is done; nothing follows."),
  job("failed", "The job could not be done; nothing follows."),
  job("cancelled", "The job was stopped; nothing follows.")
]

const ts = { type: "string", description: "ISO 8601, UTC" }
const notifications: ReadonlyArray<EventNote> = [
  {
    event: "notifications/progress",
    channel: "mcp",
    direction: "server-to-client",
    summary: "How far a call has come whose caller asked to be told.",
    payload: rpc(
      "notifications/progress",
      object(
        {
          ...meta,
          progressToken: requestId,
          progress: { type: "number" },
          total: { type: "number" },
          message: { type: "string" }
        },
        ["progressToken", "progress"]
      ),
      true
    ),
    source: "src/transports/mcp/Connection.ts"
  },
  {
    event: "notifications/tasks/status",
    channel: "mcp",
    direction: "server-to-client",
    summary: "A task that the session began is over.",
    payload: rpc(
      "notifications/tasks/status",
      object(
        {
          ...meta,
          taskId: { type: "string" },
          status: { enum: terminal },
          statusMessage: { type: "string" },
          createdAt: { type: "string", description: "ISO 8601, UTC" },
          lastUpdatedAt: { type: "string", description: "ISO 8601, UTC" },
          ttl: { type: "integer", minimum: 0, description: "milliseconds" },
          pollInterval: { type: "integer", minimum: 0, description: "milliseconds" }
        },
        ["taskId", "status", "createdAt", "lastUpdatedAt", "ttl", "pollInterval"]
      ),
      true
    ),
    source: "src/transports/mcp/Tasks.ts"
  },
  {
    event: "notifications/graph_invalidated",
    channel: "mcp",
    direction: "server-to-client",
    summary: "Indexed files changed since the session subscribed, or was told last.",
    payload: rpc(
      "notifications/graph_invalidated",
      object(
        {
          reason: { enum: ["files_changed"] },
          node_count: { type: "integer", minimum: 0 },
          edge_count: { type: "integer", minimum: 0 },
          ts,
          files: {
            type: "array",
            maxItems: 200,
            items: object({ path: { type: "string" }, kind: { enum: ["added", "modified", "removed"] } }, [
              "path",
              "kind"
            ])
          },
          total: { type: "integer", minimum: 0, description: "of files, named or not" },
          unnamed_changes: {
            type: "integer",
            minimum: 1,
            description: "older changes that are not kept any more, below any path"
          }
        },
        ["reason", "node_count", "edge_count", "files", "total", "ts"]
      ),
      true
    ),
    source: "src/pipeline/Notices.ts"
  },
  {
    event: "notifications/workspace_readiness",
    channel: "mcp",
    direction: "server-to-client",
    summary: "How it stands with the index: told to whoever subscribed, at once and when it changes.",
    payload: rpc(
      "notifications/workspace_readiness",
      object(
        {
          phase: { enum: ["ready", "indexing", "unavailable"] },
          ready: { type: "boolean" },
          listed_files: { type: "integer", minimum: 0 },
          indexed_files: { type: "integer", minimum: 0 },
          symbols: { type: "integer", minimum: 0 },
          initial_replay: { enum: [true], description: "what holds as the session joins" },
          ts
        },
        ["phase", "ready", "ts"]
      ),
      true
    ),
    source: "src/pipeline/Notices.ts"
  },
  {
    event: "notifications/initialized",
    channel: "mcp",
    direction: "client-to-server",
    summary: "The client has read what the server is and begins.",
    payload: rpc("notifications/initialized", object(meta, []), false),
    source: "src/transports/mcp/Connection.ts"
  },
  {
    event: "notifications/cancelled",
    channel: "mcp",
    direction: "client-to-server",
    summary: "The client no longer waits for an answer.",
    payload: rpc(
      "notifications/cancelled",
      object({ ...meta, requestId, reason: { type: "string" } }, ["requestId"]),
      true
    ),
    source: "src/transports/mcp/Connection.ts"
  }
]

/** Every event, by channel and name. */
export const events: ReadonlyArray<EventNote> = [...jobEvents, ...notifications]

const byChannel = (): ReadonlyArray<readonly [Channel, ReadonlyArray<EventNote>]> => {
  for (const { channel, event } of events)
    if (!channels.some(({ id }) => id === channel)) throw new Error(`${event} has no channel ${channel}`)
  return channels.map((channel) => [channel, events.filter((event) => event.channel === channel.id)] as const)
}

const order = (left: EventNote, right: EventNote): number =>
  left.event < right.event ? -1 : left.event > right.event ? 1 : 0

/** The event catalog. */
export const eventCatalog = (): JsonRecord => {
  const rows = byChannel()
    .flatMap(([channel, own]) => own.map((event) => ({ channel, event })))
    .sort((a, b) => order(a.event, b.event))
  const count = (direction: Direction) => rows.filter(({ event }) => event.direction === direction).length
  return {
    schemaVersion: 1,
    derivedFrom: "the events the server sends and takes",
    events: rows.map(({ channel, event }) => ({
      event: event.event,
      directions: [event.direction],
      sources: [event.source],
      domain: channel.domain,
      domainLabel: channel.domainLabel,
      channel: channel.address,
      summary: event.summary,
      contractStatus: "modeled",
      modeledDirections: [event.direction],
      payloadSchemas: { [event.direction]: event.payload }
    })),
    stats: {
      events: rows.length,
      clientToServer: count("client-to-server"),
      serverToClient: count("server-to-client"),
      bidirectional: 0,
      sourceFiles: new Set(rows.map(({ event }) => event.source)).size
    }
  }
}

/** A name as a key of a document: no slashes. */
const keyOf = (event: string): string => event.replace(/[^A-Za-z0-9]+/g, "_")

/** The events as an AsyncAPI 3.0.0 document. */
export const asyncApi = (version: string): JsonRecord => {
  const grouped = byChannel()
  const messageKey = (channel: Channel, event: EventNote) => `${channel.id}_${keyOf(event.event)}`
  return {
    asyncapi: "3.0.0",
    info: {
      title: "Portico events",
      version,
      description: "What the server sends and takes besides requests and their answers."
    },
    defaultContentType: "application/json",
    servers: { local: { host: "localhost", protocol: "http", pathname: "/" } },
    channels: Object.fromEntries(
      grouped.map(([channel, own]) => [
        channel.id,
        {
          address: channel.address,
          title: channel.title,
          messages: Object.fromEntries(
            own.map((event) => [
              keyOf(event.event),
              { $ref: `#/components/messages/${messageKey(channel, event)}` }
            ])
          ),
          ...(channel.parameters === undefined
            ? {}
            : {
                parameters: Object.fromEntries(
                  Object.entries(channel.parameters).map(([name, description]) => [name, { description }])
                )
              }),
          "x-portos-directions": [...new Set(own.map(({ direction }) => direction))].sort()
        }
      ])
    ),
    operations: Object.fromEntries(
      grouped.flatMap(([channel, own]) =>
        own.map((event) => [
          `${event.direction === "server-to-client" ? "send" : "receive"}_${messageKey(channel, event)}`,
          {
            action: event.direction === "server-to-client" ? "send" : "receive",
            channel: { $ref: `#/channels/${channel.id}` },
            summary: event.summary,
            messages: [{ $ref: `#/channels/${channel.id}/messages/${keyOf(event.event)}` }],
            tags: [{ name: channel.domainLabel }]
          }
        ])
      )
    ),
    components: {
      messages: Object.fromEntries(
        grouped.flatMap(([channel, own]) =>
          own.map((event) => [
            messageKey(channel, event),
            {
              name: event.event,
              summary: event.summary,
              payload: event.payload,
              "x-portos-contract-status": "modeled"
            }
          ])
        )
      )
    }
  }
}
