/** Servers over small folders that know each other by the settings of their user. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import type { Engine } from "../../../../src/pipeline/Engine.ts"
import { openEngine } from "../../../../src/layers.ts"
import { Opening } from "../../../../src/transports/http/Opening.ts"
import { listen } from "../../../../src/transports/http/Server.ts"
import { Tokens } from "../../../../src/transports/http/Tokens.ts"

export const tokens = { caller: "caller-token-of-a-peer", approver: "approver-token-of-a-peer" }

/** A folder with files, and settings of a user that hold while `open` runs. */
export const place = (files: { readonly [path: string]: string }) => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "portico-federation-")))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, "tree", name)), { recursive: true })
    writeFileSync(join(folder, "tree", name), text)
  }
  const settle = (settings: object) => writeFileSync(join(folder, "effectrc"), JSON.stringify(settings))
  return {
    folder,
    /** Changes the settings, also of an engine that runs. */
    settle,
    open: async (settings: object = {}): Promise<Engine> => {
      settle(settings)
      process.env["PORTICO_CONFIG"] = join(folder, "effectrc")
      process.env["PORTICO_HOME"] = join(folder, "home")
      return openEngine({ directory: join(folder, "tree"), watch: false })
    },
    end: () => rmSync(folder, { recursive: true, force: true })
  }
}

/** Serves an engine on a free port of this machine. */
export const serve = async (engine: Engine) => {
  const listening = await listen({
    engine: Opening.of(engine),
    access: { tokens: new Tokens(tokens), loopback: true, hosts: [], origins: [] },
    version: "1.2.3",
    log: () => {},
    host: "127.0.0.1",
    port: 0
  })
  return { url: `http://127.0.0.1:${listening.address.port}`, close: listening.close }
}
