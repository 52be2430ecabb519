/** A client of the protocol over HTTP that costs little itself: it reads answers and nothing more of the protocol. */
import { Agent, request } from "node:http"

export interface Answered {
  readonly status: number
  readonly milliseconds: number
  /** The answer's message; undefined when there was none. */
  readonly message: { readonly [key: string]: any } | undefined
  readonly session: string | undefined
  /** Milliseconds after which the server says to come back; undefined where it does not. */
  readonly retryMs: number | undefined
}

export class HttpClient {
  readonly #url: URL
  readonly #agent: Agent
  #session: string | undefined
  #id = 0

  constructor(url: string, agent = new Agent({ keepAlive: true, maxSockets: 2 })) {
    this.#url = new URL("/mcp", url)
    this.#agent = agent
  }

  #headers(): { [name: string]: string } {
    return {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-11-25",
      ...(this.#session === undefined ? {} : { "mcp-session-id": this.#session })
    }
  }

  post(message: object): Promise<Answered> {
    const begun = performance.now()
    return new Promise((answered, failed) => {
      const sent = request(
        this.#url,
        { method: "POST", agent: this.#agent, headers: this.#headers() },
        (response) => {
          let text = ""
          response.setEncoding("utf8").on("data", (part) => (text += part))
          response.on("error", failed)
          response.on("end", () => {
            const milliseconds = performance.now() - begun
            const data = text.startsWith("{") ? text : /^data: (\{.*)$/m.exec(text)?.[1]
            const session = response.headers["mcp-session-id"]
            const after = Number(response.headers["retry-after"])
            const isBusy = response.statusCode === 429 || response.statusCode === 503
            answered({
              status: response.statusCode ?? 0,
              milliseconds,
              message: data === undefined ? undefined : JSON.parse(data),
              session: typeof session === "string" ? session : undefined,
              retryMs: isBusy && after > 0 ? after * 1000 : undefined
            })
          })
        }
      )
      sent.on("error", failed)
      sent.end(JSON.stringify({ jsonrpc: "2.0", ...message }))
    })
  }

  /** The handshake; answers the status of its first step. */
  async open(name: string): Promise<number> {
    const { session, status } = await this.post({
      id: this.#id++,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name, version: "1" } }
    })
    this.#session = session
    if (session !== undefined) await this.post({ method: "notifications/initialized" })
    return status
  }

  request(method: string, params?: object): Promise<Answered> {
    return this.post({ id: this.#id++, method, ...(params === undefined ? {} : { params }) })
  }

  call(name: string, args: object): Promise<Answered> {
    return this.request("tools/call", { name, arguments: args })
  }

  /** Holds a stream open for what the server says, until the session ends. */
  listen(): void {
    const { accept: _, ...headers } = this.#headers()
    request(this.#url, { headers: { ...headers, accept: "text/event-stream" } }, (response) => {
      response.on("error", () => {}).resume()
    })
      .on("error", () => {})
      .end()
  }

  /** Closes the connections, and leaves the session as it is. */
  destroy(): void {
    this.#agent.destroy()
  }

  /** Ends the session. */
  async close(): Promise<void> {
    await new Promise<void>((ended) => {
      const sent = request(
        this.#url,
        { method: "DELETE", agent: this.#agent, headers: this.#headers() },
        (response) => response.resume().on("end", ended)
      )
      sent.on("error", () => ended())
      sent.end()
    })
    this.#agent.destroy()
  }
}
