/**
 * `portico mcp`: serves the protocol on standard input and output, for as long as whoever started it is there.
 */
import { randomUUID } from "node:crypto"
import type { Engine, OpenEngine } from "../../pipeline/Engine.ts"
import { serialize } from "../../pipeline/ResultText.ts"
import { instructions } from "../../surface/instructions.ts"
import { roster } from "../../surface/Tools.ts"
import { select, type Wishes } from "../../surface/Selection.ts"
import { connect } from "./Connection.ts"
import { notifier } from "./notifier.ts"
import { StdioTransport } from "./Stdio.ts"

export interface ServeOptions {
  readonly version: string
  /** Folder to serve. */
  readonly directory: string
  readonly wishes: Omit<Wishes, "client">
  readonly loadEngine: () => Promise<OpenEngine>
}

/** Milliseconds between the client's last opening message and the start of indexing. */
const quietMs = 60
/** Milliseconds between two looks at whether the parent is still the one that started us. */
const parentMs = 1000
/** Milliseconds that answers in work get when the input has ended, and that closing may take. */
const drainMs = 60_000
const closeMs = 3000

const complain = (text: string): void => {
  process.stderr.write(`portico: ${text}\n`)
}

/** Standard output carries the protocol and nothing else: whatever else is printed goes to standard error. */
const takeOutput = (): typeof process.stdout.write => {
  const write = process.stdout.write.bind(process.stdout)
  process.stdout.write = process.stderr.write.bind(process.stderr) as typeof process.stdout.write
  for (const name of ["log", "info", "debug", "table", "dir", "group"] as const) console[name] = console.error
  return write
}

/** Serves until the input ends, the parent goes away, or a signal comes; then the process exits. */
export const serve = async (options: ServeOptions): Promise<void> => {
  const write = takeOutput()
  const session = randomUUID()
  const parent = process.ppid
  const transport = new StdioTransport(process.stdin, write)

  let engine: Promise<Engine> | undefined
  let opened: (engine: Engine) => void = () => {}
  /** The engine once there is one; asking for it here does not load it. */
  const whenOpen = new Promise<Engine>((resolve) => {
    opened = resolve
  })
  const load = (): Promise<Engine> => {
    engine ??= options
      .loadEngine()
      .then((open) => open({ directory: options.directory, watch: true }))
      .then((loaded) => {
        loaded.openSession(session, { notify: notifier(transport) })
        void loaded.warm()
        opened(loaded)
        return loaded
      })
    engine.catch((cause) => {
      complain(`the engine could not be started: ${cause instanceof Error ? cause.stack : String(cause)}`)
      engine = undefined
    })
    return engine
  }

  let warmer: NodeJS.Timeout | undefined
  const onQuiet = () => {
    clearTimeout(warmer)
    if (engine === undefined && !ending) warmer = setTimeout(() => void load().catch(() => {}), quietMs)
  }

  let ending = false
  const end = (code: number) => {
    if (ending) return
    ending = true
    clearTimeout(warmer)
    setTimeout(() => process.exit(code), closeMs).unref()
    Promise.resolve(engine)
      .then((opened) => opened?.close())
      .catch((cause) => complain(`closing failed: ${String(cause)}`))
      .finally(() => process.exit(code))
  }

  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => end(0))
  process.stdout.on("error", () => end(0))
  // Nobody to tell.
  process.stderr.on("error", () => {})
  const orphaned = () => process.ppid !== parent
  setInterval(() => {
    if (orphaned()) end(0)
  }, parentMs).unref()
  transport.onend = () => {
    if (orphaned()) return end(0)
    // Requests that came before the end are still answered: a shell's pipe ends as soon as it has been written.
    setTimeout(() => end(0), drainMs).unref()
    void transport.idle().then(() => end(0))
  }
  process.on("uncaughtException", (cause) => complain(`unexpected: ${cause.stack ?? cause.message}`))
  process.on("unhandledRejection", (cause) =>
    complain(`unexpected: ${cause instanceof Error ? cause.stack : String(cause)}`)
  )

  await connect(
    transport,
    {
      version: options.version,
      instructions,
      tools: roster,
      select: (client) => select({ ...options.wishes, client }),
      engine: load,
      session,
      complain,
      onListed: (shown) => void whenOpen.then(({ greeted }) => greeted({ ...shown, door: "stdio" })),
      onQuiet
    },
    serialize
  )
}
