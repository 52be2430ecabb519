/**
 * What is declared of every route: who may call it and what it changes. The shape of a typed route is read off the route
 * itself; a route served beside the typed ones brings its shape along.
 */
import { type ContractCode, contractCodes } from "../contract/Failures.ts"
import { asking } from "./federation.ts"
import { describing, ending, listening, posting, sessionHeaders, singleHeaders } from "./protocol.ts"
import type { JsonRecord } from "./Schemas.ts"

/**
 * Who is answered. `always-public`: anybody whom the guard lets in. `loopback`: programs on this machine.
 * `externally-exposable`: whoever shows a token, and for reads programs on this machine. `authenticated-ui`: the same, but
 * of use to the server's own people alone, so that it is kept out of the public document.
 */
export type Access = "always-public" | "loopback" | "externally-exposable" | "authenticated-ui"

/** What a call changes, at most. */
export type SideEffect = "read" | "local-write" | "external-write" | "process-control" | "destructive"

/** A route as a tool: for clients that make tools of HTTP operations. */
export interface ToolNote {
  readonly name: string
  readonly privacy: "public" | "internal" | "personal"
  readonly idempotent: boolean
  /** Whether its answer may be that the work has only begun. */
  readonly async: boolean
}

export interface Declaration {
  readonly access: Access
  readonly sideEffect: SideEffect
  /** Failures besides those every route shares, by status and code. */
  readonly errors?: ReadonlyArray<readonly [status: number, code: string]>
  /** Answers without a body, by status. */
  readonly empty?: { readonly [status: string]: string }
  readonly tool?: ToolNote
}

export interface RawRoute extends Declaration {
  readonly group: string
  readonly name: string
  readonly method: string
  readonly path: string
  /** An operation object of OpenAPI 3.1, without what follows from the declaration. */
  readonly operation: JsonRecord
}

export interface Domain {
  readonly id: string
  readonly label: string
  /** What every path of it begins with. */
  readonly mount: string
  /** Repository-relative. */
  readonly source: string
}

/** Parts of the server, by the name of their group. */
export const domains: { readonly [group: string]: Omit<Domain, "id"> } = {
  mcp: { label: "Model Context Protocol", mount: "/mcp", source: "src/transports/http/mcp/Route.ts" },
  tools: { label: "Tools", mount: "/api/cos/tools", source: "src/transports/http/contract/endpoints.ts" },
  federation: {
    label: "Federation",
    mount: "/federation",
    source: "src/transports/http/federation/Route.ts"
  },
  agent_context: {
    label: "Agent context",
    mount: "/api/agent-context",
    source: "src/transports/http/agent_context/Route.ts"
  },
  server: { label: "Server", mount: "/health", source: "src/transports/http/Api.ts" },
  inventories: {
    label: "Inventories",
    mount: "/api/api-docs",
    source: "src/transports/http/inventories/endpoints.ts"
  }
}

const document: Declaration = {
  access: "authenticated-ui",
  sideEffect: "read",
  empty: { "304": "What the caller has is still current." }
}

/** Failures of the tool contract with their statuses. */
const codes = (...names: ReadonlyArray<ContractCode>): NonNullable<Declaration["errors"]> =>
  names.map((name) => [contractCodes[name][0], name] as const)

/** Failures of whatever has a call made. */
const calling = codes(
  "TOOL_VALIDATION_ERROR",
  "TOOL_SCOPE_DENIED",
  "TOOL_CAPABILITY_DENIED",
  "TOOL_AUTH_REQUIRED",
  "TOOL_NOT_FOUND",
  "TOOL_IDEMPOTENCY_CONFLICT",
  "TOOL_IDEMPOTENCY_EXPIRED",
  "TOOL_UNAVAILABLE",
  "RATE_LIMITED"
)
/** Failures of whatever has a body that names a call. */
const keyed = codes("TOOL_IDEMPOTENCY_MISMATCH", "PAYLOAD_TOO_LARGE")
const recorded = codes("SERVICE_UNAVAILABLE")
/** Failures of what the server's own people do about a call. A model is never handed any of it. */
const deciding = codes("TOOL_AUTH_REQUIRED", "APPROVAL_NOT_FOUND", "CONFIRMATION_INVALID")

/** Typed routes, by group and name. */
export const declared: { readonly [key: string]: Declaration } = {
  "server.health": { access: "always-public", sideEffect: "read" },
  "tools.catalog": {
    access: "externally-exposable",
    sideEffect: "read",
    empty: { "304": "What the caller has is still current." },
    tool: { name: "tools.catalog", privacy: "public", idempotent: true, async: false }
  },
  "tools.call": {
    access: "externally-exposable",
    // A call of any operation comes this way.
    sideEffect: "destructive",
    errors: [...calling, ...keyed, ...recorded],
    tool: { name: "tools.call", privacy: "personal", idempotent: true, async: true }
  },
  "tools.lookup": {
    access: "externally-exposable",
    sideEffect: "read",
    errors: [...codes("TOOL_CALL_NOT_FOUND", "TOOL_IDEMPOTENCY_EXPIRED"), ...recorded],
    tool: { name: "tools.lookup", privacy: "personal", idempotent: true, async: false }
  },
  "tools.approve": {
    access: "authenticated-ui",
    sideEffect: "local-write",
    errors: [...codes("TOOL_CALL_NOT_FOUND"), ...deciding, ...keyed, ...recorded]
  },
  "tools.confirm": {
    access: "authenticated-ui",
    sideEffect: "destructive",
    errors: [...calling, ...deciding, ...keyed, ...recorded]
  },
  "tools.cancel": {
    access: "externally-exposable",
    sideEffect: "process-control",
    errors: [
      ...codes("TOOL_CALL_NOT_FOUND", "INVALID_STATE", "TOOL_IDEMPOTENCY_EXPIRED"),
      ...keyed,
      ...recorded
    ],
    tool: { name: "tools.cancel", privacy: "personal", idempotent: true, async: true }
  },
  "tools.job": {
    access: "externally-exposable",
    sideEffect: "read",
    errors: [...codes("JOB_NOT_FOUND"), ...recorded],
    tool: { name: "tools.job", privacy: "personal", idempotent: true, async: false }
  },
  "tools.jobEvents": {
    access: "externally-exposable",
    sideEffect: "read",
    errors: [...codes("JOB_NOT_FOUND"), ...recorded],
    empty: { "204": "The caller has every event there is." }
  },
  "tools.approvals": { access: "authenticated-ui", sideEffect: "read", errors: recorded },
  "tools.decide": {
    access: "authenticated-ui",
    sideEffect: "local-write",
    errors: [...deciding, ...codes("PAYLOAD_TOO_LARGE"), ...recorded]
  },
  "inventories.catalog": document,
  "inventories.internalOpenapi": document,
  "inventories.openapi": document,
  "inventories.events": document,
  "inventories.asyncapi": document,
  "inventories.tools": document
}

/** How those are turned away who come when there is no room. */
const full = {
  "429": "Enough of this caller waits already; `Retry-After` says when to come back.",
  "503": "As much is going on as there may be; `Retry-After` says when to come back."
} as const

const agentContext = {
  group: "agent_context",
  access: "loopback",
  errors: [
    [403, "AGENT_CONTEXT_LOCAL_ONLY"],
    [403, "AGENT_CONTEXT_ORIGIN_REJECTED"]
  ]
} as const
const mcp = { group: "mcp", path: "/mcp", access: "externally-exposable" } as const

/** Routes beside the typed ones. */
export const raw: ReadonlyArray<RawRoute> = [
  {
    ...mcp,
    name: "post",
    method: "POST",
    // A call of any operation comes this way.
    sideEffect: "destructive",
    operation: posting("Sends a message of the Model Context Protocol.", {
      streams: true,
      headers: sessionHeaders,
      refusals: {
        "400": "The message is none, or belongs to no session.",
        "404": "The session is over, or somebody else's.",
        "406": "The client does not take both JSON and event streams.",
        "413": "The message is too long.",
        "415": "The message is not said to be JSON.",
        ...full
      }
    })
  },
  {
    ...mcp,
    name: "get",
    method: "GET",
    sideEffect: "read",
    operation: listening("Listens to what the server says, or takes a broken stream up again.", {
      "400": "The request belongs to no session.",
      "404": "The session is over, or somebody else's.",
      "406": "The client does not take event streams.",
      "409": "Somebody already listens in this session.",
      "410": "Some of what was missed is no longer kept."
    })
  },
  {
    ...mcp,
    name: "delete",
    method: "DELETE",
    sideEffect: "local-write",
    operation: ending("Ends a session.", {
      "400": "The request belongs to no session.",
      "404": "The session is over, or somebody else's."
    })
  },
  {
    ...agentContext,
    path: "/api/agent-context/manifest",
    name: "manifest",
    method: "GET",
    sideEffect: "read",
    operation: describing
  },
  {
    ...agentContext,
    path: "/api/agent-context/mcp",
    name: "post",
    method: "POST",
    // Tools that write are there where the settings grant them.
    sideEffect: "destructive",
    errors: [...agentContext.errors, [403, "AGENT_CONTEXT_DISABLED"]],
    operation: posting("Sends a message of the Model Context Protocol to the agent context.", {
      streams: false,
      headers: singleHeaders,
      refusals: {
        "400": "The message is none, or says something else than the headers do.",
        "406": "The client does not take both JSON and event streams.",
        "413": "The message is too long.",
        "415": "The message is not said to be JSON.",
        ...full
      }
    })
  },
  {
    group: "federation",
    path: "/federation/call",
    access: "externally-exposable",
    name: "call",
    method: "POST",
    sideEffect: "read",
    errors: codes("VALIDATION_ERROR", "PAYLOAD_TOO_LARGE"),
    operation: asking
  }
]
