/** The built server, listening on a port of its own. */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import * as path from "node:path"
import { afterAll } from "vitest"
import { environment, main, type Message } from "./server.ts"

const running = new Set<ChildProcess>()
afterAll(() => {
  for (const child of running) child.kill("SIGKILL")
  running.clear()
})

export const json = { "content-type": "application/json", accept: "application/json, text/event-stream" }

export interface StartOptions {
  readonly args?: ReadonlyArray<string>
  /** Text of the user's settings. */
  readonly settings?: string
  readonly env?: { readonly [name: string]: string }
}

/** What a stream of events says. */
export interface Event {
  readonly id: string | undefined
  readonly message: Message | undefined
}

export const eventsOf = (text: string): ReadonlyArray<Event> =>
  text
    .split("\n\n")
    .filter((block) => /^(id|data):/m.test(block))
    .map((block) => {
      const data = /^data: ?(.*)$/m.exec(block)?.[1]
      return {
        id: /^id: ?(.*)$/m.exec(block)?.[1],
        message: data === undefined || data === "" ? undefined : (JSON.parse(data) as Message)
      }
    })

/** The message a response carries, as JSON or as the last event of a stream. */
export const messageOf = async (response: Response): Promise<Message> => {
  const text = await response.text()
  if (response.headers.get("content-type")?.startsWith("text/event-stream") !== true) return JSON.parse(text)
  const found = eventsOf(text).findLast(({ message }) => message !== undefined)?.message
  if (found === undefined) throw new Error(`no message in ${JSON.stringify(text)}`)
  return found
}

export class HttpServer {
  readonly child: ChildProcess
  /** Where it listens, without a path. */
  readonly url: string
  /** What callers show. */
  readonly token: string
  readonly settingsFile: string

  private constructor(child: ChildProcess, url: string, token: string, settingsFile: string) {
    this.child = child
    this.url = url
    this.token = token
    this.settingsFile = settingsFile
  }

  static async start(directory: string, options: StartOptions = {}): Promise<HttpServer> {
    const home = environment()
    const config = path.join(home["HOME"] as string, "config")
    const settingsFile = path.join(config, "portico/effectrc")
    mkdirSync(path.dirname(settingsFile), { recursive: true })
    if (options.settings !== undefined) writeFileSync(settingsFile, options.settings)
    const child = spawn(
      process.execPath,
      [main, "serve", "--dir", directory, "--port", "0", ...(options.args ?? [])],
      { env: { ...home, XDG_CONFIG_HOME: config, ...options.env }, stdio: ["ignore", "pipe", "pipe"] }
    )
    running.add(child)
    const url = await new Promise<string>((found, failed) => {
      let said = ""
      const look = (text: string) => {
        said += text
        const address = /serves on (http:\S+)/.exec(said)?.[1]
        if (address !== undefined) found(address)
      }
      child.stdout?.setEncoding("utf8").on("data", look)
      child.stderr?.setEncoding("utf8").on("data", look)
      // By then everything it said has been read.
      child.once("close", () => failed(new Error(`the server ended: ${said}`)))
    })
    const token = readFileSync(path.join(config, "portico/tokens/caller.token"), "utf8").trim()
    return new HttpServer(child, url, token, settingsFile)
  }

  get mcp(): URL {
    return new URL("/mcp", this.url)
  }

  /** Sends one message to the protocol's address. */
  post(
    message: unknown,
    headers: { readonly [name: string]: string } = {},
    init: RequestInit = {}
  ): Promise<Response> {
    return fetch(this.mcp, {
      method: "POST",
      body: JSON.stringify(message),
      ...init,
      headers: { ...json, ...headers }
    })
  }

  /** Opens a session; answers its id and what the server said. */
  async open(
    client = "some-client",
    headers: { readonly [name: string]: string } = {},
    protocolVersion = "2025-11-25"
  ): Promise<{ readonly session: string; readonly result: any }> {
    const response = await this.post(
      {
        jsonrpc: "2.0",
        id: 0,
        method: "initialize",
        params: { protocolVersion, capabilities: {}, clientInfo: { name: client, version: "1" } }
      },
      headers
    )
    const { result } = await messageOf(response)
    const session = response.headers.get("mcp-session-id")
    if (session === null) throw new Error(`no session: ${response.status}`)
    await this.post(
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { ...headers, "mcp-session-id": session }
    )
    return { session, result }
  }

  /** Ends as a signal makes it; answers the exit code, or the signal. */
  stop(): Promise<number | string | null> {
    const ended = new Promise<number | string | null>((resolve) =>
      this.child.once("exit", (code, signal) => resolve(code ?? signal))
    )
    this.child.kill("SIGTERM")
    return ended
  }
}
