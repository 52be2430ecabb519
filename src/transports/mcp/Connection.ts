/**
 * One MCP connection. The only module that knows the protocol library's server. Listing tools is data; the engine that
 * answers calls is asked for when the first one comes.
 */
import { Server } from "@modelcontextprotocol/sdk/server/index.js"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import {
  CallToolRequestSchema,
  ErrorCode,
  InitializeRequestSchema,
  JSONRPCRequestSchema,
  ListToolsRequestSchema
} from "@modelcontextprotocol/sdk/types.js"
import type { Engine } from "../../pipeline/Engine.ts"
import type { Selection } from "../../surface/Selection.ts"
import type { ToolDefinition } from "../../surface/Tools.ts"
import { type CallResult, serialize } from "../../pipeline/CallResult.ts"
import { type Ask, DirectCalls, type LineTransport, type Notification, type Notify } from "./DirectCalls.ts"
import { ProgressSender } from "./Progress.ts"

export interface Options {
  readonly version: string
  readonly instructions: string
  readonly tools: ReadonlyArray<ToolDefinition>
  /** Resolves the surface of a session from the name its client gave; undefined or blank before one is known. */
  readonly select: (client: string | undefined) => Selection
  /** The engine, loaded when first asked for. */
  readonly engine: () => Promise<Engine>
  /** Id of the session the calls belong to. */
  readonly session: string
  /** Called when the client has what it needs to start and nothing is waiting. */
  readonly onQuiet: () => void
}

/** An error of the protocol. The library's own class would write the code into the message as well. */
class Refusal extends Error {
  readonly code: ErrorCode
  readonly data: unknown
  constructor(code: ErrorCode, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** The library would build a validator for what clients elicit. This server elicits nothing. */
const noValidator = {
  getValidator: () => () => {
    throw new Error("nothing is validated here")
  }
}

/** Lists that are part of the protocol and empty here, so that a client that asks anyway is not told of an error. */
const emptyAnswers: { readonly [method: string]: { readonly [key: string]: ReadonlyArray<never> } } = {
  "resources/list": { resources: [] },
  "resources/templates/list": { resourceTemplates: [] },
  "prompts/list": { prompts: [] },
  "logging/setLevel": {}
}

/** What of a message is not as the protocol has it. */
interface Fault {
  readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<PropertyKey>; readonly message: string }>
}

/** Looks at requests served here, by method. */
const shapes = new Map<string, (message: unknown) => Fault | undefined>([
  ["initialize", (message) => InitializeRequestSchema.safeParse(message).error],
  ["tools/list", (message) => ListToolsRequestSchema.safeParse(message).error],
  ["tools/call", (message) => CallToolRequestSchema.safeParse(message).error]
])

/** What a request has that the protocol does not allow, by path; undefined for a good one. */
const fault = (message: { readonly method: string }): string | undefined => {
  const found: Fault | undefined =
    JSONRPCRequestSchema.safeParse(message).error ?? shapes.get(message.method)?.(message)
  return found?.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("; ")
}

/**
 * Answers requests of the wrong shape itself. The library calls some of them internal errors, and some it does not
 * answer at all.
 */
const refuseMisshapen = (transport: Transport): void => {
  const deliver = transport.onmessage
  if (deliver === undefined) return
  transport.onmessage = (message, extra) => {
    const wrong = "method" in message && "id" in message ? fault(message) : undefined
    if (wrong === undefined || !("id" in message) || message.id === undefined) return deliver(message, extra)
    transport
      .send({ jsonrpc: "2.0", id: message.id, error: { code: ErrorCode.InvalidParams, message: wrong } })
      .catch(() => {})
  }
}

/**
 * What is used of the library's server. Its own types compute each request and each answer from a schema, which takes the
 * compiler as long as a tenth of this project.
 */
interface Served {
  readonly setRequestHandler: (
    schema: object,
    handler: (
      request: { readonly params?: unknown },
      extra: {
        readonly signal: AbortSignal
        readonly sendNotification: (notification: Notification) => Promise<void>
      }
    ) => object | Promise<object>
  ) => void
  fallbackRequestHandler?: (request: { readonly method: string }) => Promise<object>
  oninitialized?: () => void
  readonly getClientVersion: () => { readonly name: string } | undefined
  readonly connect: (transport: Transport) => Promise<void>
  readonly close: () => Promise<void>
}

/** Serves one connection over a transport until it closes. */
export const connect = async (
  transport: LineTransport,
  options: Options
): Promise<{ readonly close: () => Promise<void> }> => {
  const server = new Server(
    { name: "portico", version: options.version },
    { capabilities: { tools: {} }, instructions: options.instructions, jsonSchemaValidator: noValidator }
  ) as unknown as Served
  const clientName = () => server.getClientVersion()?.name
  let selection: Selection | undefined

  /** The surface is fixed by the first request that needs it. */
  const admit = () => {
    selection ??= options.select(clientName())
    if (!selection.ok) throw new Refusal(ErrorCode.InvalidParams, selection.message)
  }

  server.setRequestHandler(ListToolsRequestSchema, () => {
    admit()
    setImmediate(options.onQuiet)
    return { tools: options.tools }
  })

  /** Makes a call, whichever way it came. */
  const answer = async (
    { name, arguments: args, _meta }: Ask,
    signal: AbortSignal,
    notify: Notify
  ): Promise<CallResult> => {
    admit()
    const engine = await options.engine()
    const token = _meta?.progressToken
    const progress =
      token === undefined
        ? undefined
        : new ProgressSender((step) =>
            notify({ method: "notifications/progress", params: { progressToken: token, ...step } })
          )
    const client = clientName()
    const result = await engine.call(
      { tool: name, args, session: options.session, ...(client === undefined ? {} : { client }) },
      {
        signal,
        ...(progress === undefined
          ? {}
          : { onProgress: (done, total, message) => progress.report(done, total, message) })
      }
    )
    progress?.flush()
    const { error_code, message, data } = result.structuredContent
    if (error_code === "unknown_tool") throw new Refusal(ErrorCode.InvalidParams, String(message), data)
    return result
  }

  server.setRequestHandler(CallToolRequestSchema, ({ params }, extra) =>
    answer(params as Ask, extra.signal, (notification) => {
      extra.sendNotification(notification).catch(() => {})
    })
  )

  server.fallbackRequestHandler = async ({ method }) => {
    const answer = Object.hasOwn(emptyAnswers, method) ? emptyAnswers[method] : undefined
    if (answer === undefined) throw new Refusal(ErrorCode.MethodNotFound, `${method} is not served`)
    return answer
  }

  server.oninitialized = options.onQuiet
  await server.connect(transport)
  refuseMisshapen(transport)
  const direct = new DirectCalls(transport, async (ask, signal, notify) =>
    serialize(await answer(ask, signal, notify))
  )
  // Before the handshake the library has to see everything: the surface depends on who the client is.
  direct.attach(() => server.getClientVersion() !== undefined)
  return { close: () => server.close() }
}
