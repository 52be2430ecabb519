/**
 * One MCP connection. The only module that knows the protocol library's server. Listing tools is data; the engine that
 * answers calls is asked for when the first one comes.
 */
import { Server } from "@modelcontextprotocol/sdk/server/index.js"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import {
  CallToolRequestSchema,
  CancelTaskRequestSchema,
  ErrorCode,
  GetTaskPayloadRequestSchema,
  GetTaskRequestSchema,
  InitializeRequestSchema,
  JSONRPCRequestSchema,
  ListTasksRequestSchema,
  ListToolsRequestSchema
} from "@modelcontextprotocol/sdk/types.js"
import { randomUUID } from "node:crypto"
import type { Engine, Greeting } from "../../pipeline/Engine.ts"
import type { Signal } from "../../pipeline/Running.ts"
import { type Door, type Principal, stdioAgent } from "../../policy/Principal.ts"
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
import { isKey, keyFault, keyName } from "./IdempotencyKey.ts"
import { ProgressSender } from "./Progress.ts"
import { Refusal } from "./Refusal.ts"
import { notifier } from "./notifier.ts"
import { capability, firstRevision, type TaskNotification, Tasks } from "./Tasks.ts"

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
  /** The revision of the protocol that such a client speaks. */
  readonly revision?: string | undefined
  /** Told what was asked of a surface and is not there. */
  readonly complain?: ((text: string) => void) | undefined
  /** Told once what the session was shown. */
  readonly onListed?: ((shown: Omit<Greeting, "door">) => void) | undefined
  /** Called when the client has what it needs to start and nothing is waiting. */
  readonly onQuiet: () => void
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
  ["tools/call", (message) => CallToolRequestSchema.safeParse(message).error],
  ["tasks/get", (message) => GetTaskRequestSchema.safeParse(message).error],
  ["tasks/result", (message) => GetTaskPayloadRequestSchema.safeParse(message).error],
  ["tasks/cancel", (message) => CancelTaskRequestSchema.safeParse(message).error],
  ["tasks/list", (message) => ListTasksRequestSchema.safeParse(message).error]
])

/** What a request has that the protocol does not allow, by path; undefined for a good one. */
export const fault = (message: { readonly method: string }): string | undefined => {
  const found: Fault | undefined =
    JSONRPCRequestSchema.safeParse(message).error ?? shapes.get(message.method)?.(message)
  return (
    found?.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("; ") ??
    (message.method === "tools/call"
      ? keyFault((message as { readonly params?: unknown }).params)
      : undefined)
  )
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

/** What an answer to `initialize` says, as far as it depends on who asked. */
interface Greeted {
  readonly protocolVersion?: unknown
  readonly capabilities?: { readonly [name: string]: unknown }
  readonly [key: string]: unknown
}

/** Has the answer to `initialize` changed by `adapt`, which is told the name the client gave. */
const greetAs = (
  transport: Transport,
  adapt: (client: string | undefined, result: Greeted) => Greeted
): void => {
  const deliver = transport.onmessage
  if (deliver === undefined) return
  transport.onmessage = (message, extra) => {
    if ("method" in message && "id" in message && message.method === "initialize") {
      const client = (message.params?.["clientInfo"] as { readonly name?: unknown } | undefined)?.name
      const name = typeof client === "string" ? client : undefined
      const send = transport.send
      transport.send = (answer, options) => {
        if ("method" in answer || answer.id !== message.id) return send.call(transport, answer, options)
        transport.send = send
        const adapted = "result" in answer ? { ...answer, result: adapt(name, answer.result) } : answer
        return send.call(transport, adapted, options)
      }
    }
    deliver(message, extra)
  }
}

/** A call without what asks for it to be a task. A client that knows of no tasks may have anything there. */
const withoutTask = (transport: Transport, speaksTasks: () => boolean): void => {
  const deliver = transport.onmessage
  if (deliver === undefined) return
  transport.onmessage = (message, extra) => {
    if (!("method" in message) || message.method !== "tools/call" || message.params?.["task"] === undefined)
      return deliver(message, extra)
    if (speaksTasks()) return deliver(message, extra)
    const { task: _task, ...params } = message.params
    deliver({ ...message, params }, extra)
  }
}

/** Lists of tools as they are shown to clients that know of no tasks. */
const plainLists = new WeakMap<ReadonlyArray<ToolDefinition>, ReadonlyArray<ToolDefinition>>()

const plainList = (tools: ReadonlyArray<ToolDefinition>): ReadonlyArray<ToolDefinition> => {
  const held = plainLists.get(tools)
  if (held !== undefined) return held
  const made = tools.map(({ execution: _execution, ...tool }) => tool)
  plainLists.set(tools, made)
  return made
}

/** What a request comes with. */
interface Extra {
  readonly signal: AbortSignal
  readonly sendNotification: (notification: Notification | TaskNotification) => Promise<void>
}

/** What names a task. */
interface Named {
  readonly taskId: string
}

/**
 * What is used of the library's server. Its own types compute each request and each answer from a schema, which takes the
 * compiler as long as a tenth of this project.
 */
interface Served {
  readonly setRequestHandler: (
    schema: object,
    handler: (request: { readonly params?: unknown }, extra: Extra) => object | Promise<object>
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
    {
      capabilities: { tools: {}, tasks: capability },
      instructions: options.instructions,
      jsonSchemaValidator: noValidator
    }
  ) as unknown as Served
  const principal = options.principal ?? stdioAgent
  /** The revision that was agreed on, once there is one. */
  let revision = options.revision
  /** Whether the client knows of tasks, and will be known again when it asks for one. */
  const speaksTasks = () =>
    revision !== undefined &&
    revision >= firstRevision &&
    (principal.authenticated || options.session !== undefined)
  const clientName = () => options.client ?? server.getClientVersion()?.name
  let selection: Selection | undefined

  /** The surface is fixed by the first request that needs it. */
  const admit = (): Selection => (selection ??= options.select(clientName()))

  let greeted = false
  const greet = (surface: string, tools: ReadonlyArray<ToolDefinition>) => {
    if (!greeted) options.onListed?.({ client: clientName(), surface, tools })
    greeted = true
  }

  const shown = (tools: ReadonlyArray<ToolDefinition>) => (speaksTasks() ? tools : plainList(tools))

  server.setRequestHandler(ListToolsRequestSchema, async () => {
    const chosen = admit()
    if (isCompact(chosen)) {
      setImmediate(options.onQuiet)
      const tools = shown(options.tools)
      greet("compact", tools)
      return { tools }
    }
    const { name, tools: all, warnings } = (await options.engine()).surface(chosen)
    for (const warning of warnings) options.complain?.(warning)
    const tools = shown(all)
    greet(name, tools)
    return { tools }
  })

  /** A call as the pipeline takes it. */
  const requestOf = ({ name, arguments: args, _meta: meta }: Ask) => {
    const chosen = admit()
    const client = clientName()
    const key = meta?.[keyName]
    return {
      tool: name,
      args,
      session: options.session,
      principal: options.principal,
      door: options.door,
      ...(client === undefined ? {} : { client }),
      ...(isCompact(chosen) ? {} : { surface: chosen, format: wireOf(chosen, client) }),
      ...(isKey(key) ? { requestId: key } : {})
    }
  }

  const refuseUnknown = ({ structuredContent: { data, message } }: CallResult): Refusal =>
    new Refusal(ErrorCode.InvalidParams, String(message), data)
  const isUnknown = ({ structuredContent }: CallResult): boolean =>
    structuredContent["error_code"] === "unknown_tool"

  /** Makes a call, whichever way it came. */
  const answer = async (ask: Ask, signal: Signal, notify: Notify): Promise<CallResult> => {
    const request = requestOf(ask)
    const engine = await options.engine()
    const token = ask._meta?.progressToken
    const progress =
      token === undefined
        ? undefined
        : new ProgressSender((step) =>
            notify({ method: "notifications/progress", params: { progressToken: token, ...step } })
          )
    const result = await engine.call(request, {
      signal,
      ...(progress === undefined
        ? {}
        : { onProgress: (done, total, message) => progress.report(done, total, message) })
    })
    progress?.flush()
    if (isUnknown(result)) throw refuseUnknown(result)
    return result
  }

  const tasks = new Tasks({
    engine: options.engine,
    principal,
    tell: notifier(transport)
  })

  /** Begins a call that is to be a task. A tool that was listed without them has none. */
  const begin = async (ask: Ask): Promise<object> => {
    const request = requestOf(ask)
    const chosen = admit()
    const listed = isCompact(chosen) ? options.tools : (await options.engine()).surface(chosen).tools
    const tool = listed.find(({ name }) => name === ask.name)
    if (tool !== undefined && tool.execution === undefined)
      throw new Refusal(ErrorCode.MethodNotFound, `calls of ${ask.name} cannot be tasks; call it without one`)
    const created = await tasks.create(
      { requestId: `task:${randomUUID()}`, ...request },
      ask._meta?.progressToken,
      isUnknown
    )
    if (created.tag === "result") throw refuseUnknown(created.result)
    return created.answer
  }

  server.setRequestHandler(CallToolRequestSchema, ({ params }, extra) =>
    (params as { readonly task?: object }).task === undefined
      ? answer(params as Ask, extra.signal, (notification) => {
          extra.sendNotification(notification).catch(() => {})
        })
      : begin(params as Ask)
  )

  /** Serves a request about tasks to clients that know of them. */
  const serveTasks = <P>(
    schema: object,
    method: string,
    serve: (params: P, extra: Extra) => Promise<object>
  ) =>
    server.setRequestHandler(schema, ({ params }, extra) => {
      if (!speaksTasks()) throw new Refusal(ErrorCode.MethodNotFound, `${method} is not served`)
      return serve((params ?? {}) as P, extra)
    })
  serveTasks<Named>(GetTaskRequestSchema, "tasks/get", ({ taskId }) => tasks.get(taskId))
  serveTasks<Named>(CancelTaskRequestSchema, "tasks/cancel", ({ taskId }) => tasks.cancel(taskId))
  serveTasks<{ readonly cursor?: string }>(ListTasksRequestSchema, "tasks/list", ({ cursor }) =>
    tasks.list(cursor)
  )
  serveTasks<Named>(GetTaskPayloadRequestSchema, "tasks/result", ({ taskId }, { sendNotification, signal }) =>
    tasks.result(taskId, signal, (notification) => {
      sendNotification(notification).catch(() => {})
    })
  )

  server.fallbackRequestHandler = async ({ method }) => {
    const answer = Object.hasOwn(emptyAnswers, method) ? emptyAnswers[method] : undefined
    if (answer === undefined) throw new Refusal(ErrorCode.MethodNotFound, `${method} is not served`)
    return answer
  }

  server.oninitialized = options.onQuiet
  await server.connect(transport)
  const { onclose } = transport
  transport.onclose = () => {
    tasks.close()
    onclose?.()
  }
  greetAs(transport, (client, result) => {
    if (typeof result.protocolVersion === "string") revision = result.protocolVersion
    const { tasks: offered, ...capabilities } = result.capabilities ?? {}
    const { preset } = options.select(options.client ?? client)
    return {
      ...result,
      capabilities: speaksTasks() ? { ...capabilities, tasks: offered } : capabilities,
      // The surface is known now, and the library was told the guidance of another before.
      ...(preset === "compact" || preset === "hybrid" ? {} : { instructions: directInstructions })
    }
  })
  refuseMisshapen(transport)
  withoutTask(transport, speaksTasks)
  const direct = new DirectCalls(transport, async (ask, signal, notify) =>
    form(await answer(ask, signal, notify))
  )
  // Before the handshake the library has to see everything: the surface depends on who the client is.
  direct.attach(() => options.client !== undefined || server.getClientVersion() !== undefined)
  return { close: () => server.close() }
}
