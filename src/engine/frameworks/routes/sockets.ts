import type { LocalFact } from "../Local.ts"
import { ecmascript, type Pass } from "../Pass.ts"
import { argOf, textOf } from "../Script.ts"
import { at, handlerOf } from "./verbs.ts"

const lifecycle = new Set([
  "connection",
  "connect",
  "disconnect",
  "disconnecting",
  "error",
  "close",
  "message",
  "open",
  "upgrade",
  "listening",
  "headers",
  "pong",
  "ping"
])

/** Web sockets of `ws` and Socket.IO on the server. */
export const websocket: Pass = {
  name: "websocket",
  family: "routes",
  languages: ecmascript,
  hints: ["WebSocketServer", "WebSocket.Server", "socket.io", "Server("],
  *read({ script, text }): Generator<LocalFact> {
    const io = /["']socket\.io["']|\bio\.on\(\s*["']connection["']/.test(text)
    for (const chain of script.chains()) {
      for (const [index, part] of chain.parts.entries()) {
        if (part.args === undefined) continue
        if (
          part.name === "WebSocketServer" ||
          (part.name === "Server" && /^(?:WebSocket|ws|WS)$/.test(chain.parts[0]!.name))
        ) {
          const options = part.args[0]?.value
          const path = options?.kind === "record" ? textOf(argOf(options.items, "path")) : undefined
          yield {
            kind: "route",
            pass: "websocket",
            protocol: "ws",
            method: "WS",
            path: path ?? "/",
            handler: { kind: "inline", ...at(script, part.at) },
            ...at(script, part.at)
          }
        } else if (
          io &&
          index === 1 &&
          part.name === "on" &&
          /^(?:socket|client|s|conn|ws)$/i.test(chain.parts[0]!.name)
        ) {
          const event = textOf(part.args[0]?.value)
          if (event === undefined || lifecycle.has(event)) continue
          yield {
            kind: "route",
            pass: "socket.io",
            protocol: "ws",
            method: "message",
            path: event,
            handler: handlerOf(script, part.args[1]?.value) ?? { kind: "inline", ...at(script, part.at) },
            ...at(script, part.at)
          }
        }
      }
    }
  }
}
