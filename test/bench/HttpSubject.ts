/** A server over HTTP under measurement: ours, or a script that answers the opening with fixed texts. */
import { type ChildProcess, spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"

export class HttpSubject {
  readonly startedAt = performance.now()
  readonly #child: ChildProcess
  readonly #url: Promise<string>

  constructor(
    command: string,
    args: ReadonlyArray<string>,
    options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv }
  ) {
    this.#child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "inherit"] })
    this.#url = new Promise((found, failed) => {
      let said = ""
      this.#child.stdout?.setEncoding("utf8").on("data", (text: string) => {
        const address = /serves on (http:\S+)/.exec((said += text))?.[1]
        if (address !== undefined) found(address)
      })
      this.#child.once("exit", () => failed(new Error("the server ended")))
    })
  }

  get pid(): number {
    return this.#child.pid as number
  }

  /** Where it listens, as soon as it does. */
  get url(): Promise<string> {
    return this.#url
  }

  async close(): Promise<void> {
    const { exitCode, signalCode } = this.#child
    if (exitCode !== null || signalCode !== null) return
    const ended = new Promise((resolve) => this.#child.once("exit", resolve))
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), 15_000)
    this.#child.kill("SIGTERM")
    await ended
    clearTimeout(timer)
  }
}

/** The built command over HTTP, with tokens of its own in a folder. */
export const serveHttp = (
  main: string,
  tree: string,
  env: NodeJS.ProcessEnv,
  tokens: string
): HttpSubject & { readonly token: () => string } => {
  const subject = new HttpSubject(process.execPath, [main, "serve", "--port", "0"], {
    cwd: tree,
    env: { ...env, PORTICO_TOKENS: tokens }
  })
  return Object.assign(subject, { token: () => readFileSync(join(tokens, "caller.token"), "utf8").trim() })
}
