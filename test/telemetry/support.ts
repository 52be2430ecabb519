/** A user of their own for each test: folders for counts and choices, and a server that takes what is sent. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Environment } from "../../src/telemetry/Consent.ts"

export class User {
  readonly home = mkdtempSync(join(tmpdir(), "portico-telemetry-"))
  readonly folder = join(this.home, "cache", "telemetry")

  /** The environment with more variables. */
  env(more: Environment = {}): Environment {
    return { PORTICO_HOME: join(this.home, "cache"), XDG_CONFIG_HOME: join(this.home, "config"), ...more }
  }

  /** Names of the files of counts; undefined when there is not even a folder. */
  files(): ReadonlyArray<string> | undefined {
    return existsSync(this.folder) ? readdirSync(this.folder).sort() : undefined
  }

  /** Everything in those files. */
  text(): string {
    return (this.files() ?? []).map((name) => readFileSync(join(this.folder, name), "utf8")).join("\n")
  }

  [Symbol.dispose](): void {
    rmSync(this.home, { recursive: true, force: true })
  }
}

export interface Taken {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/**
 * A server on this machine that remembers what it was sent. It answers with a status, never, or with half of an answer
 * that it never ends.
 */
export const collector = async (
  answer: number | "never" | "half" = 204,
  headers: { [name: string]: string } = {}
) => {
  const taken: Array<Taken> = []
  const server = createServer((request, response) => {
    let body = ""
    request.on("data", (chunk) => (body += chunk))
    request.on("end", () => {
      taken.push({ method: request.method, url: request.url, headers: request.headers, body })
      if (answer === "half") response.writeHead(200, { "content-length": 10 }).write("half")
      else if (answer !== "never") response.writeHead(answer, headers).end()
    })
  })
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/counts`,
    taken,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    }
  }
}
