/** A server over a small repository, as `portico serve` would run it, and a client of its contract. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { spawnSync } from "node:child_process"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import type { Engine } from "../../../../src/pipeline/Engine.ts"
import type { Config } from "../../../../src/policy/Config.ts"
import { openEngine } from "../../../../src/layers.ts"
import { Opening } from "../../../../src/transports/http/Opening.ts"
import { listen } from "../../../../src/transports/http/Server.ts"
import { type Client, clientOf } from "./client.ts"
import { Tokens } from "../../../../src/transports/http/Tokens.ts"

export const tokens = { caller: "caller-token-of-a-test", approver: "approver-token-of-a-test" }

const files = {
  "src/greet.ts":
    'import { name } from "./name.ts"\n\nexport const greet = (): string => `hello ${name()}`\n',
  "src/name.ts": 'export const name = (): string => "world"\n',
  "README.md": "# Greetings\n"
}

export interface Running extends Client {
  readonly url: string
  readonly folder: string
  readonly engine: Engine
  readonly log: ReadonlyArray<string>
  /** Writes the user's settings, which hold with the next call. */
  readonly settings: (config: Config) => void
  readonly close: () => Promise<void>
}

/** A repository in a folder of its own. */
export const repository = (): string => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "portico-contract-")))
  const top = join(folder, "repo")
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(top, name)), { recursive: true })
    writeFileSync(join(top, name), text)
  }
  const git = (...args: ReadonlyArray<string>) =>
    spawnSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], { cwd: top })
  git("init", "-q")
  git("add", ".")
  git("commit", "-qm", "one")
  return top
}

/** Starts a server on a free port of this machine. */
export const run = async (
  options: { readonly top?: string; readonly settings?: Config } = {}
): Promise<Running> => {
  const top = options.top ?? repository()
  const home = dirname(top)
  process.env["PORTICO_HOME"] = join(home, "state")
  process.env["XDG_CACHE_HOME"] = join(home, "cache")
  process.env["PORTICO_CONFIG"] = join(home, "effectrc")
  const settings = (config: Config) => writeFileSync(join(home, "effectrc"), JSON.stringify(config))
  settings(options.settings ?? {})
  const engine = await openEngine({ directory: top, watch: false })
  const log: Array<string> = []
  const listening = await listen({
    engine: Opening.of(engine),
    access: { tokens: new Tokens(tokens), loopback: true, hosts: [], origins: [] },
    version: "1.2.3",
    log: (text) => void log.push(text),
    host: "127.0.0.1",
    port: 0
  })
  const url = `http://127.0.0.1:${listening.address.port}`
  return {
    ...clientOf(url, tokens),
    url,
    folder: top,
    engine,
    log,
    settings,
    close: async () => {
      await listening.close()
      await engine.close()
      rmSync(home, { recursive: true, force: true })
    }
  }
}
