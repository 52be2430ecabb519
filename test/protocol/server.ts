/** The built server, driven by lines as a client would send them. */
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, afterEach } from "vitest"

const top = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..")

/** The command as it is built. */
export const main = path.join(top, "dist/main.js")

const lock = path.join(tmpdir(), `portico-build-${process.getuid?.() ?? "user"}.lock`)

/** Builds when the sources have changed. Test files that start at the same time take turns. */
export const build = async (): Promise<void> => {
  for (;;) {
    try {
      mkdirSync(lock)
      break
    } catch {
      const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
      if (age > 60_000) rmSync(lock, { recursive: true, force: true })
      await new Promise((resume) => setTimeout(resume, 100))
    }
  }
  try {
    const built = spawnSync(process.execPath, [path.join(top, "src/build/build.mjs"), "--if-stale"], {
      cwd: top,
      encoding: "utf8"
    })
    if (built.status !== 0) throw new Error(`the build failed: ${built.stderr}`)
  } finally {
    rmSync(lock, { recursive: true, force: true })
  }
}

const made: Array<string> = []
afterAll(() => {
  for (const directory of made.splice(0)) rmSync(directory, { recursive: true, force: true })
})

/** A new folder with these files, removed after the tests of the file. */
export const folder = (files: { readonly [name: string]: string }): string => {
  const directory = realpathSync(mkdtempSync(path.join(tmpdir(), "portico-protocol-")))
  made.push(directory)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(directory, name)), { recursive: true })
    writeFileSync(path.join(directory, name), text)
  }
  return directory
}

/** Environment in which nothing outside a folder of the test is read or written. */
export const environment = (): NodeJS.ProcessEnv => {
  const home = folder({})
  const {
    GORTEX_INSTRUCTIONS_PROFILE: _a,
    GORTEX_TOOLS: _b,
    PORTICO_CONFIG: _c,
    PORTICO_INSTRUCTIONS_PROFILE: _d,
    PORTICO_TOOLS: _e,
    ...rest
  } = process.env
  const caches = rest["XDG_CACHE_HOME"] ?? path.join(rest["HOME"] ?? home, ".cache")
  return {
    ...rest,
    HOME: home,
    XDG_CACHE_HOME: path.join(home, "cache"),
    // What Go compiles of itself takes it half a minute, and is nobody's state.
    GOCACHE: rest["GOCACHE"] ?? path.join(caches, "go-build"),
    PORTICO_HOME: path.join(home, "portico")
  }
}

/** Runs a program to its end, without holding up whoever waits for it. */
export const ran = (
  program: string,
  args: ReadonlyArray<string>,
  { input = "", ...options }: { cwd?: string; env?: NodeJS.ProcessEnv; input?: string } = {}
): Promise<{ readonly code: number | null; readonly out: string; readonly err: string }> =>
  new Promise((ended, failed) => {
    const child = spawn(program, args, options)
    let [out, err] = ["", ""]
    child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text))
    child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text))
    child.stdin.on("error", () => {}).end(input)
    child.once("error", failed).once("close", (code) => ended({ code, out, err }))
  })

export interface Message {
  readonly jsonrpc?: string
  readonly id?: string | number | null
  readonly method?: string
  readonly params?: any
  readonly result?: any
  readonly error?: { readonly code: number; readonly message: string; readonly data?: any }
}

const running = new Set<ChildProcessWithoutNullStreams>()
afterEach(() => {
  for (const child of running) child.kill("SIGKILL")
  running.clear()
})

/** A server process and what it has said so far. */
export class Server {
  readonly child: ChildProcessWithoutNullStreams
  /** Standard output as it came. */
  out = ""
  err = ""
  readonly #seen: Array<Message> = []
  readonly #waiting = new Set<() => void>()
  #id = 0
  /** Exit code, or the signal, once the process has ended. */
  readonly ended: Promise<number | string | null>

  constructor(directory: string, args: ReadonlyArray<string> = [], env = environment()) {
    this.child = spawn(process.execPath, [main, "mcp", ...args], { cwd: directory, env })
    running.add(this.child)
    this.child.stdin.on("error", () => {})
    this.child.stdout.setEncoding("utf8").on("data", (text: string) => {
      const before = this.out.lastIndexOf("\n") + 1
      this.out += text
      const whole = this.out.lastIndexOf("\n") + 1
      for (const line of this.out.slice(before, whole).split("\n"))
        if (line !== "") this.#seen.push(JSON.parse(line))
      for (const look of this.#waiting) look()
    })
    this.child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.err += text
    })
    this.ended = new Promise((ended) => this.child.once("exit", (code, signal) => ended(code ?? signal)))
  }

  /** Every message so far. */
  get messages(): ReadonlyArray<Message> {
    return this.#seen
  }

  raw(text: string): void {
    this.child.stdin.write(text)
  }

  notify(method: string, params?: unknown): void {
    this.raw(`${JSON.stringify({ jsonrpc: "2.0", method, ...(params === undefined ? {} : { params }) })}\n`)
  }

  /** Sends a request without waiting and returns its id. */
  send(method: string, params?: unknown): number {
    const id = ++this.#id
    this.raw(
      `${JSON.stringify({ jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) })}\n`
    )
    return id
  }

  /** Waits for the first message that fits. */
  async until(fits: (message: Message) => boolean): Promise<Message> {
    for (;;) {
      const found = this.#seen.find(fits)
      if (found !== undefined) return found
      await new Promise<void>((resume) => {
        const look = () => {
          this.#waiting.delete(look)
          resume()
        }
        this.#waiting.add(look)
      })
    }
  }

  answer(id: number): Promise<Message> {
    return this.until((message) => message.id === id && message.method === undefined)
  }

  request(method: string, params?: unknown): Promise<Message> {
    return this.answer(this.send(method, params))
  }

  call(name: string, args?: unknown): Promise<Message> {
    return this.request("tools/call", { name, ...(args === undefined ? {} : { arguments: args }) })
  }

  /** The handshake. */
  async open(client = "some-client"): Promise<Message> {
    const opened = await this.request("initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: client, version: "1" }
    })
    this.notify("notifications/initialized")
    return opened
  }
}
