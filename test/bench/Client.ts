/** A client of the protocol on a process's standard input and output: as little as can be, so that it is not what is measured. */
import { type ChildProcess, spawn } from "node:child_process"

export interface Answer {
  readonly isError?: boolean
  readonly content?: ReadonlyArray<{ readonly text?: string }>
  readonly structuredContent?: { readonly [key: string]: unknown }
  readonly tools?: ReadonlyArray<unknown>
  readonly [key: string]: unknown
}

export class Client {
  readonly process: ChildProcess
  readonly startedAt = performance.now()
  readonly #waiting = new Map<
    number,
    { readonly resolve: (answer: Answer) => void; readonly reject: (cause: Error) => void }
  >()
  #parts: Array<string> = []
  #stderr = ""
  #last = 0
  /** Bytes of the newest message. */
  lastBytes = 0

  constructor(
    command: string,
    args: ReadonlyArray<string>,
    options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv }
  ) {
    const child = (this.process = spawn(command, args, { ...options, stdio: ["pipe", "pipe", "pipe"] }))
    child.stdin!.on("error", () => {})
    child
      .stderr!.setEncoding("utf8")
      .on("data", (text: string) => (this.#stderr = (this.#stderr + text).slice(-2000)))
    child.stdout!.setEncoding("utf8").on("data", (text: string) => {
      let from = 0
      for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", from)) {
        this.#parts.push(text.slice(from, end))
        const line = this.#parts.join("")
        this.#parts = []
        from = end + 1
        if (line !== "") this.#take(line)
      }
      if (from < text.length) this.#parts.push(text.slice(from))
    })
    child.on("exit", (code, signal) => {
      for (const { reject } of this.#waiting.values())
        reject(new Error(`the server ended with ${code ?? signal}: ${this.#stderr}`))
      this.#waiting.clear()
    })
  }

  get pid(): number {
    return this.process.pid!
  }
  get stderr(): string {
    return this.#stderr
  }

  #take(line: string): void {
    this.lastBytes = Buffer.byteLength(line)
    const message = JSON.parse(line) as {
      readonly id?: number
      readonly method?: string
      readonly result?: Answer
      readonly error?: { readonly message: string }
    }
    if (message.method !== undefined) {
      // Questions to the client, such as for its roots: it has no answers.
      if (message.id !== undefined)
        this.#write({ id: message.id, error: { code: -32601, message: "not supported" } })
      return
    }
    const waiting = this.#waiting.get(message.id!)
    this.#waiting.delete(message.id!)
    if (message.error !== undefined) waiting?.reject(new Error(message.error.message))
    else waiting?.resolve(message.result!)
  }
  #write(message: object): void {
    this.process.stdin!.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  }

  request(method: string, params: object = {}): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const id = ++this.#last
      this.#waiting.set(id, { resolve, reject })
      this.#write({ id, method, params })
    })
  }

  /** The handshake. */
  async open(): Promise<Answer> {
    const answer = await this.request("initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "bench", version: "1" }
    })
    this.#write({ method: "notifications/initialized" })
    return answer
  }

  call(name: string, args: object): Promise<Answer> {
    return this.request("tools/call", { name, arguments: args })
  }

  /** Ends the input and waits for the process; one that lingers is killed. */
  async close(): Promise<void> {
    const { process: child } = this
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once("exit", resolve))
    child.stdin!.end()
    const timer = setTimeout(() => child.kill("SIGKILL"), 10_000)
    await ended
    clearTimeout(timer)
  }
}
