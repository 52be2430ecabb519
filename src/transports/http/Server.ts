/**
 * The HTTP server: the socket it listens on, the door and the guard before its rooms. It listens at once and answers what
 * needs no engine; the rooms that need one are opened with it.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { standardHttp } from "../../policy/HttpLimits.ts"
import type { Wishes } from "../../surface/Selection.ts"
import { worded } from "./agent_context/Gate.ts"
import { busy, callerOf, goesBy, pathOf } from "./Busy.ts"
import { corsHeaders, preflight } from "./Cors.ts"
import { Door } from "./Door.ts"
import { type Access, fromElsewhere, type Head, isRefused, principalOf } from "./Guard.ts"
import { headOf } from "./Head.ts"
import * as Mcp from "./mcp/Route.ts"
import { Sessions } from "./mcp/Sessions.ts"
import type { Opening } from "./Opening.ts"
import { failureOf, refusalOf, write } from "./Plain.ts"
import type { Rooms } from "./Rooms.ts"

export interface ListenOptions {
  readonly engine: Opening
  readonly access: Access
  readonly version: string
  readonly log: (text: string) => void
  /** Address to listen on. */
  readonly host: string
  /** 0 for any free port. */
  readonly port: number
  /** What was wished of the surface of protocol sessions when the server was started. */
  readonly wishes?: Omit<Wishes, "client"> | undefined
  /** Told that somebody connected, and that a client of the protocol has what it needs to start. */
  readonly onConnect?: (() => void) | undefined
  readonly onQuiet?: (() => void) | undefined
}

export interface Listening {
  readonly address: AddressInfo
  /** Stops listening, lets requests in work end, and closes. */
  readonly close: () => Promise<void>
}

/** Milliseconds a connection is kept for the next request: longer than clients pause, who would find it closed under them. */
const keepAliveMs = 75_000

/** Milliseconds for which requests in work are waited for when the server stops. */
const patienceMs = 5_000

/** Milliseconds between two looks at the limits the settings state. */
const lookMs = 1_000

/** Why an address cannot be had. */
const whyNot = ({ code, message }: NodeJS.ErrnoException): string =>
  code === "EADDRINUSE" ? "is in use by another process" : `cannot be listened on: ${code ?? message}`

type Limits = { readonly [K in keyof typeof standardHttp]: number }

/** Limits as the settings state them, looked up now and then: a door is passed too often to read settings each time. */
const limitsOf = (engine: Opening): (() => Limits) => {
  let limits: Limits = standardHttp
  let at = -Infinity
  return () => {
    const now = performance.now()
    if (engine.opened !== undefined && now - at > lookMs) {
      at = now
      limits = { ...standardHttp, ...engine.opened.policy().http }
    }
    return limits
  }
}

/** Listens. Rejects when the address cannot be had. */
export const listen = async (options: ListenOptions): Promise<Listening> => {
  const { access, engine, log, version } = options
  const ending = new AbortController()
  const limits = limitsOf(engine)
  const door = new Door(limits)
  const sessions = new Sessions({ ...options, most: () => limits().sessions })

  let rooms: Rooms | undefined
  let opening: Promise<Rooms> | undefined
  const openRooms = (): Promise<Rooms> =>
    (opening ??= Promise.all([import("./Rooms.ts"), engine.load()])
      .then(([{ open }, loaded]) => open({ engine: loaded, access, version, ending: ending.signal, log }))
      .then(
        (opened) => (rooms = opened),
        (cause: unknown) => {
          opening = undefined
          throw cause
        }
      ))

  /** Answers what got past the door and the guard. */
  const serve = (request: IncomingMessage, response: ServerResponse, path: string, head: Head): void => {
    if (path === Mcp.path) {
      const who = principalOf("agent", "mcp_http", head, access)
      if (isRefused(who)) write(response, refusalOf(who))
      else void Mcp.serve(request, response, who, sessions, log)
      return
    }
    if (rooms !== undefined) return rooms.handle(request, response)
    // Whoever asks whether the server is there does not wait for its engine.
    if (path === "/health" && request.method === "GET")
      return write(response, {
        status: 200,
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ status: "ok", version })
      })
    openRooms().then(
      ({ handle }) => {
        if (!response.destroyed) handle(request, response)
      },
      (cause: unknown) => {
        log(`the engine could not be started: ${cause instanceof Error ? cause.stack : String(cause)}`)
        if (!response.destroyed)
          write(response, failureOf(500, "INTERNAL_ERROR", "the server failed; its log says more"))
      }
    )
  }

  const enter = (request: IncomingMessage, response: ServerResponse, path: string): void => {
    const head = headOf(request)
    const refused = fromElsewhere(head, access)
    if (refused !== undefined) return write(response, refusalOf(worded(path, refused)))
    const cors = corsHeaders(head, access)
    for (const [name, value] of Object.entries(cors)) response.setHeader(name, value)
    const asked = request.headers["access-control-request-method"]
    const told = preflight(request.method ?? "", asked, head, access)
    if (told === undefined) return serve(request, response, path, head)
    response.writeHead(204, told)
    response.end()
  }

  const server = createServer({ keepAliveTimeout: keepAliveMs }, (request, response) => {
    const path = pathOf(request.url ?? "/")
    if (goesBy(request.method ?? "", path)) return enter(request, response, path)
    const left = door.enter(callerOf(request), () => {
      if (response.destroyed) return
      enter(request, response, path)
    })
    if (typeof left !== "string") return void response.once("close", left)
    for (const [name, value] of Object.entries(corsHeaders(headOf(request), access)))
      response.setHeader(name, value)
    write(response, busy(left, path))
  })

  server.on("connection", () => options.onConnect?.())

  try {
    await new Promise<void>((listening, failed) => {
      server.once("error", failed)
      server.listen({ host: options.host, port: options.port }, () => {
        server.off("error", failed)
        listening()
      })
    })
  } catch (cause) {
    await sessions.close()
    throw new Error(`${options.host}:${options.port} ${whyNot(cause as NodeJS.ErrnoException)}`)
  }
  engine.whenOpen(() => {
    // The first to ask for something of theirs need not wait for the rooms.
    if (!ending.signal.aborted) openRooms().catch(() => {})
  })
  return {
    address: server.address() as AddressInfo,
    close: async () => {
      // Streams that clients leave open would be waited for.
      ending.abort()
      await sessions.close()
      // A connection whose request ends now would be kept for the next one, and who does not read an answer keeps it open.
      const idle = setInterval(() => server.closeIdleConnections(), 50)
      const late = setTimeout(() => server.closeAllConnections(), patienceMs)
      try {
        await new Promise<void>((closed) => server.close(() => closed()))
        await (await opening?.catch(() => undefined))?.close()
      } finally {
        clearInterval(idle)
        clearTimeout(late)
      }
    }
  }
}
