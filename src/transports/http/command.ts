/** The command line of `portico serve`. */
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { userFolder } from "../../policy/UserFile.ts"
import type { OpenEngine } from "../../pipeline/Engine.ts"
import { wishesOf } from "../mcp/command.ts"
import { isLoopback } from "./Guard.ts"
import { Opening } from "./Opening.ts"
import { fileOf, Tokens } from "./Tokens.ts"

export const usage = `portico serve [--dir PATH] [--host ADDRESS] [--port NUMBER] [--name HOST] [--origin ORIGIN]
              [--tools NAMES]

Serves over HTTP: the tool contract, the Model Context Protocol at /mcp, and their descriptions.

  --dir PATH       folder to serve; the current one when absent
  --host ADDRESS   address to listen on; 127.0.0.1 when absent
  --port NUMBER    port to listen on; 7878 when absent, 0 for any that is free
  --name HOST      a name the server is addressed by besides localhost; may be repeated
  --origin ORIGIN  a web origin whose pages may call; may be repeated
  --tools NAMES    tools that sessions of the protocol show, as portico mcp takes them

Callers show a bearer token; without one, callers on this machine may read and nothing else. Another token is for the
person who settles approvals. Both are made at the first start, in files only you can read.
`

/** Folder of the tokens. */
export const tokenFolder = (): string => process.env["PORTICO_TOKENS"] ?? join(userFolder(), "tokens")

const portOf = (text: string | undefined): number => {
  const port = Number(text ?? 7878)
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error("--port takes a number from 0 to 65535")
  return port
}

/**
 * Milliseconds until the engine is opened: after the last opening message of a client, after one has connected, and
 * without any; and how long a start goes on in which clients are waited for.
 */
const quietMs = 60
const patienceMs = 1_000
const unaskedMs = 300
const latestMs = 10_000

export interface Given {
  readonly version: string
  readonly loadEngine: () => Promise<OpenEngine>
}

/** Reads the arguments and serves until a signal comes. Wrong ones are said on standard error, and the answer is 2. */
export const serve = async (args: ReadonlyArray<string>, given: Given): Promise<number> => {
  let values
  let port: number
  try {
    values = parseArgs({
      args: [...args],
      options: {
        dir: { type: "string" },
        host: { type: "string" },
        port: { type: "string" },
        name: { type: "string", multiple: true },
        origin: { type: "string", multiple: true },
        tools: { type: "string" },
        help: { type: "boolean", short: "h" }
      }
    }).values
    port = portOf(values.port)
  } catch (cause) {
    process.stderr.write(
      `portico serve: ${cause instanceof Error ? cause.message : String(cause)}\n\n${usage}`
    )
    return 2
  }
  if (values.help === true) {
    process.stdout.write(usage)
    return 0
  }
  const log = (text: string) => void process.stderr.write(`portico: ${text}\n`)
  const host = values.host ?? "127.0.0.1"
  const folder = tokenFolder()
  const tokens = Tokens.in(folder)
  const directory = resolve(values.dir ?? ".")
  const engine = new Opening(async () => {
    const open = await given.loadEngine()
    const opened = await open({ directory, watch: true })
    void opened.warm()
    return opened
  })
  /** Has the engine opened a while from now. Whoever needs it earlier has it opened then. */
  const openIn = (ms: number): NodeJS.Timeout =>
    setTimeout(() => {
      engine
        .load()
        .catch((cause: unknown) =>
          log(`the engine could not be started: ${cause instanceof Error ? cause.stack : String(cause)}`)
        )
    }, ms)
  let opening: NodeJS.Timeout | undefined
  const started = performance.now()
  /** Opens it so long from now instead, but for those who come too late for that. */
  const postpone = (ms: number) => {
    if (engine.begun !== undefined || performance.now() - started > latestMs) return
    clearTimeout(opening)
    opening = openIn(ms)
  }
  const { listen } = await import("./Server.ts")
  const listening = await listen({
    engine,
    wishes: await wishesOf(directory, values.tools),
    access: {
      tokens,
      loopback: isLoopback(host) || host === "localhost",
      hosts: (values.name ?? []).map((name) => name.toLowerCase()),
      origins: values.origin ?? []
    },
    version: given.version,
    log,
    host,
    port,
    onConnect: () => postpone(patienceMs),
    onQuiet: () => postpone(quietMs)
  })
  opening ??= openIn(unaskedMs)
  const { address, family } = listening.address
  const name = family === "IPv6" ? `[${address}]` : address
  process.stdout.write(
    `portico serves on http://${name}:${listening.address.port}\ntokens: ${fileOf(folder, "caller")} for callers, ${fileOf(folder, "approver")} for approvals\n`
  )
  await new Promise<void>((ended) => {
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, () => ended())
  })
  clearTimeout(opening)
  await listening.close()
  const opened = await engine.begun?.catch(() => undefined)
  await opened?.close()
  return 0
}
