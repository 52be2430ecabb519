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
import type { Engine, Greeting } from "../../pipeline/Engine.ts"
import type { Door, Principal } from "../../policy/Principal.ts"
import { directInstructions } from "../../surface/instructions.ts"
import { isCompact, type Selection } from "../../surface/Selection.ts"
import type { ToolDefinition } from "../../surface/Tools.ts"
import { wireOf } from "../../surface/Wire.ts"
import type { CallResult } from "../../pipeline/CallResult.ts"
import {
  type Ask,
  DirectCalls,
  type Notification,
  type Notify,
  type ReplyingTransport
} from "./DirectCalls.ts"
import { ProgressSender } from "./Progress.ts"

export interface Options {
  readonly version: string
  readonly instructions: string
  /** Tools of the compact surface, which lie ready; those of others are asked of the engine. */
  readonly tools: ReadonlyArray<ToolDefinition>
  /** Resolves the surface of a session from the name its client gave; undefined or blank before one is known. */
  readonly select: (client: string | undefined) => Selection
  /** The engine, loaded when first asked for. */
  readonly engine: () => Promise<Engine>
  /** Id of the session the calls belong to; without one nothing is kept of them. */
  readonly session?: string | undefined
  /** Who calls, and by which way in; the agent on standard input when absent. */
  readonly principal?: Principal | undefined
  readonly door?: Door | undefined
  /** The name of a client that does not open with a handshake. Its calls are answered at once. */
  readonly client?: string | undefined
  /** Told what was asked of a surface and is not there. */
  readonly complain?: ((text: string) => void) | undefined
  /** Told once what the session was shown. */
  readonly onListed?: ((shown: Omit<Greeting, "door">) => void) | undefined
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
export const fault = (message: { readonly method: string }): string | undefined => {
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
 * Gives sessions of single tools their own guidance. Which one it is, is known when the client has given its name, and the
 * library is told its guidance before.
 */
const guideDirect = (transport: Transport, select: (client: string | undefined) => Selection): void => {
  const deliver = transport.onmessage
  if (deliver === undefined) return
  transport.onmessage = (message, extra) => {
    if ("method" in message && "id" in message && message.method === "initialize") {
      const client = (message.params?.["clientInfo"] as { readonly name?: unknown } | undefined)?.name
      const { preset } = select(typeof client === "string" ? client : undefined)
      if (preset !== "compact" && preset !== "hybrid") {
        const send = transport.send
        transport.send = (answer, options) => {
          if (!("result" in answer) || answer.id !== message.id) return send.call(transport, answer, options)
          transport.send = send
          return send.call(
            transport,
            { ...answer, result: { ...answer.result, instructions: directInstructions } },
            options
          )
        }
      }
    }
    deliver(message, extra)
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

/** Serves one connection over a transport until it closes. `form` makes of a result what the transport replies with. */
export const connect = async <A>(
  transport: ReplyingTransport<A>,
  options: Options,
  form: (result: CallResult) => A
): Promise<{ readonly close: () => Promise<void> }> => {
  const server = new Server(
    { name: "portico", version: options.version },
    { capabilities: { tools: {} }, instructions: options.instructions, jsonSchemaValidator: noValidator }
  ) as unknown as Served
  const clientName = () => options.client ?? server.getClientVersion()?.name
  let selection: Selection | undefined

  /** The surface is fixed by the first request that needs it. */
  const admit = (): Selection => (selection ??= options.select(clientName()))

  let greeted = false
  const greet = (surface: string, tools: ReadonlyArray<ToolDefinition>) => {
    if (!greeted) options.onListed?.({ client: clientName(), surface, tools })
    greeted = true
  }

  server.setRequestHandler(ListToolsRequestSchema, async () => {
    const chosen = admit()
    if (isCompact(chosen)) {
      setImmediate(options.onQuiet)
      greet("compact", options.tools)
      return { tools: options.tools }
    }
    const { name, tools, warnings } = (await options.engine()).surface(chosen)
    for (const warning of warnings) options.complain?.(warning)
    greet(name, tools)
    return { tools }
  })

  /** Makes a call, whichever way it came. */
  const answer = async (
    { name, arguments: args, _meta }: Ask,
    signal: AbortSignal,
    notify: Notify
  ): Promise<CallResult> => {
    const chosen = admit()
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
      {
        tool: name,
        args,
        session: options.session,
        principal: options.principal,
        door: options.door,
        ...(client === undefined ? {} : { client }),
        ...(isCompact(chosen) ? {} : { surface: chosen, format: wireOf(chosen, client) })
      },
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
  guideDirect(transport, (client) => options.select(options.client ?? client))
  refuseMisshapen(transport)
  const direct = new DirectCalls(transport, async (ask, signal, notify) =>
    form(await answer(ask, signal, notify))
  )
  // Before the handshake the library has to see everything: the surface depends on who the client is.
  direct.attach(() => options.client !== undefined || server.getClientVersion() !== undefined)
  return { close: () => server.close() }
}
