/** One engine for one command: opened, used, closed. */
import { randomUUID } from "node:crypto"
import type { CallResult } from "../../pipeline/CallResult.ts"
import type { Engine, OpenEngine } from "../../pipeline/Engine.ts"
import { cli } from "../../policy/Principal.ts"
import { Meter } from "./Meter.ts"

export interface Session {
  readonly engine: Engine
  /** Makes a call, drawing its progress. */
  readonly call: (tool: string, args: unknown) => Promise<CallResult>
  readonly meter: Meter
}

/** Runs `use` with an engine on a folder. An interrupt ends the call in hand, and the engine is closed whatever happens. */
export const withSession = async <A>(
  loadEngine: () => Promise<OpenEngine>,
  directory: string,
  use: (session: Session) => Promise<A>
): Promise<A> => {
  const open = await loadEngine()
  const engine = await open({ directory, watch: false })
  const id = randomUUID()
  engine.openSession(id, { principal: cli })
  const meter = new Meter()
  const interrupted = new AbortController()
  const interrupt = () => interrupted.abort()
  process.once("SIGINT", interrupt)
  process.once("SIGTERM", interrupt)
  try {
    return await use({
      engine,
      meter,
      call: async (tool, args) => {
        try {
          return await engine.call(
            { tool, args, session: id, client: "portico-cli", principal: cli, door: "cli" },
            {
              signal: interrupted.signal,
              onProgress: meter.report
            }
          )
        } finally {
          meter.end()
        }
      }
    })
  } finally {
    process.off("SIGINT", interrupt)
    process.off("SIGTERM", interrupt)
    meter.end()
    await engine.close()
  }
}
