/** A server over a small folder, as `portico serve` would run it. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { openEngine } from "../../../../src/layers.ts"
import { Opening } from "../../../../src/transports/http/Opening.ts"
import { listen } from "../../../../src/transports/http/Server.ts"
import { Tokens } from "../../../../src/transports/http/Tokens.ts"

export const version = "1.2.3"
export const tokens = { caller: "caller-token-of-a-test", approver: "approver-token-of-a-test" }

const files = {
  "src/greet.ts":
    'import { name } from "./name.ts"\n\nexport const greet = (): string => `hello ${name()}`\n',
  "src/name.ts": 'export const name = (): string => "world"\n',
  "README.md": "# Greetings\n"
}

export interface Running {
  /** Without a slash at the end. */
  readonly url: string
  readonly folder: string
  /** What the operator was told. */
  readonly log: ReadonlyArray<string>
  readonly close: () => Promise<void>
}

export interface RunOptions {
  /** What it takes itself to listen on. */
  readonly loopback?: boolean
  /** The user's settings. */
  readonly settings?: object
  /** Further files, by name. */
  readonly files?: { readonly [name: string]: string }
}

/** Starts a server on a free port of this machine. */
export const run = async (options: RunOptions = {}): Promise<Running> => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "portico-inventories-")))
  for (const [name, text] of Object.entries({ ...files, ...options.files })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  // Beside the folder: what is kept there changes with every call, and would be read as if it were served.
  const home = `${folder}-home`
  process.env["PORTICO_HOME"] = home
  process.env["XDG_CACHE_HOME"] = join(home, ".cache")
  process.env["PORTICO_CONFIG"] = join(folder, ".portico-settings")
  if (options.settings !== undefined)
    writeFileSync(join(folder, ".portico-settings"), JSON.stringify(options.settings))
  const engine = await openEngine({ directory: folder, watch: false })
  const log: Array<string> = []
  const listening = await listen({
    engine: Opening.of(engine),
    access: { tokens: new Tokens(tokens), loopback: options.loopback ?? true, hosts: [], origins: [] },
    version,
    log: (text) => void log.push(text),
    host: "127.0.0.1",
    port: 0
  })
  return {
    url: `http://127.0.0.1:${listening.address.port}`,
    folder,
    log,
    close: async () => {
      await listening.close()
      await engine.close()
      for (const each of [folder, home]) rmSync(each, { recursive: true, force: true })
    }
  }
}
