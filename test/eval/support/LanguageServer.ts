/** A language server over its standard streams, as far as an evaluation needs one: requests, open documents, quiet. */
import { Data, Deferred, Duration, Effect, type Scope } from "effect"
import { spawn } from "node:child_process"
import { pathToFileURL } from "node:url"

/** The server answered with an error, did not answer in time, or is gone. */
export class ServerProblem extends Data.TaggedError("ServerProblem")<{
  readonly reason: "refused" | "timeout" | "gone"
  readonly method: string
  readonly detail: string
}> {
  override get message(): string {
    return `${this.method}: ${this.reason} (${this.detail})`
  }
}

export interface ServerCommand {
  readonly command: string
  readonly args: ReadonlyArray<string>
  /** Folder the server works on. */
  readonly root: string
  readonly initializationOptions?: unknown
  /** Settings by section, for servers that ask for them. */
  readonly settings?: { readonly [section: string]: unknown }
}

export interface LanguageServer {
  readonly request: <A>(
    method: string,
    params: unknown,
    timeout?: Duration.DurationInput
  ) => Effect.Effect<A, ServerProblem>
  readonly notify: (method: string, params: unknown) => Effect.Effect<void>
  /** Waits until no progress has been open for `still`; false when `most` passes first. */
  readonly quiet: (still: Duration.DurationInput, most: Duration.DurationInput) => Effect.Effect<boolean>
}

interface Message {
  readonly id?: number | string | null
  readonly method?: string
  readonly params?: {
    readonly items?: ReadonlyArray<{ readonly section?: string }>
    readonly value?: { readonly kind?: string }
  }
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string }
}

/** Splits a byte stream with Content-Length headers into messages. */
export const unframe = (): ((chunk: Buffer) => Array<Message>) => {
  let rest: Array<Buffer> = []
  let size = 0
  let need = -1
  return (chunk) => {
    rest.push(chunk)
    size += chunk.length
    const out: Array<Message> = []
    for (;;) {
      if (need >= 0 && size < need) return out
      const all = rest.length === 1 ? rest[0]! : Buffer.concat(rest)
      let after: Buffer
      if (need < 0) {
        const end = all.indexOf("\r\n\r\n")
        rest = [all]
        if (end < 0) return out
        const length = /content-length:\s*(\d+)/i.exec(all.toString("latin1", 0, end))
        if (length === null) throw new Error("a message without a length")
        need = Number(length[1])
        after = all.subarray(end + 4)
      } else {
        out.push(JSON.parse(all.toString("utf8", 0, need)) as Message)
        after = all.subarray(need)
        need = -1
      }
      rest = [after]
      size = after.length
    }
  }
}

/** Starts the server and greets it; at the end of the scope it is told to go, then ended. */
export const start = (server: ServerCommand): Effect.Effect<LanguageServer, ServerProblem, Scope.Scope> =>
  Effect.gen(function* () {
    const child = spawn(server.command, [...server.args], {
      cwd: server.root,
      stdio: ["pipe", "pipe", "pipe"]
    })
    const waiting = new Map<
      number,
      { readonly method: string; readonly answer: Deferred.Deferred<unknown, ServerProblem> }
    >()
    let next = 0
    let open = 0
    let lastProgress = Date.now()
    let complaint = ""
    let gone: string | undefined
    const send = (message: object) => {
      const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }))
      if (gone === undefined)
        child.stdin.write(Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]))
    }
    const settle = (id: number, result: Effect.Effect<unknown, ServerProblem>) => {
      const one = waiting.get(id)
      waiting.delete(id)
      if (one !== undefined) Deferred.unsafeDone(one.answer, result)
    }
    const end = (why: string) => {
      gone ??= `${why} ${complaint.slice(-400)}`
      for (const [id, { method }] of waiting)
        settle(id, new ServerProblem({ reason: "gone", method, detail: gone }))
    }
    const take = (message: Message) => {
      if (message.method === undefined) {
        const id = Number(message.id)
        const method = waiting.get(id)?.method ?? ""
        settle(
          id,
          message.error === undefined
            ? Effect.succeed(message.result)
            : new ServerProblem({
                reason: "refused",
                method,
                detail: `${message.error.code} ${message.error.message}`
              })
        )
      } else if (message.id !== undefined && message.id !== null) {
        const items = message.params?.items
        send({
          id: message.id,
          result:
            message.method === "workspace/configuration" && items !== undefined
              ? items.map((i) => server.settings?.[i.section ?? ""] ?? null)
              : null
        })
      } else if (message.method === "$/progress") {
        const kind = message.params?.value?.kind
        if (kind === "begin") open++
        else if (kind === "end") open = Math.max(0, open - 1)
        lastProgress = Date.now()
      }
    }
    const decode = unframe()
    child.stdout.on("data", (chunk: Buffer) => {
      try {
        for (const message of decode(chunk)) take(message)
      } catch (cause) {
        end(String(cause))
      }
    })
    child.stderr.on("data", (chunk: Buffer) => {
      complaint = (complaint + chunk.toString("utf8")).slice(-4000)
    })
    child.stdin.on("error", () => undefined)
    child.on("error", (cause) => end(cause.message))
    child.on("close", (code) => end(`ended with ${code}`))

    const request = <A>(
      method: string,
      params: unknown,
      timeout: Duration.DurationInput = "120 seconds"
    ): Effect.Effect<A, ServerProblem> =>
      Effect.suspend(() => {
        if (gone !== undefined) return new ServerProblem({ reason: "gone", method, detail: gone })
        const id = ++next
        return Deferred.make<unknown, ServerProblem>().pipe(
          Effect.tap((answer) => {
            waiting.set(id, { method, answer })
            send({ id, method, params })
          }),
          Effect.flatMap((answer) => Deferred.await(answer) as Effect.Effect<A, ServerProblem>),
          Effect.timeoutFail({
            duration: timeout,
            onTimeout: () =>
              new ServerProblem({ reason: "timeout", method, detail: Duration.format(timeout) })
          })
        )
      })
    const notify = (method: string, params: unknown) => Effect.sync(() => send({ method, params }))
    yield* Effect.addFinalizer(() =>
      request("shutdown", null, "2 seconds").pipe(
        Effect.ignore,
        Effect.zipRight(notify("exit", null)),
        Effect.zipRight(Effect.sleep("300 millis")),
        Effect.zipRight(Effect.sync(() => child.kill("SIGKILL")))
      )
    )
    const root = pathToFileURL(server.root).href
    yield* request("initialize", {
      processId: process.pid,
      rootUri: root,
      workspaceFolders: [{ uri: root, name: "tree" }],
      capabilities: {
        general: { positionEncodings: ["utf-16"] },
        window: { workDoneProgress: true },
        workspace: { configuration: true, workspaceFolders: true },
        textDocument: { references: {}, callHierarchy: {} }
      },
      initializationOptions: server.initializationOptions
    })
    yield* notify("initialized", {})
    return {
      request,
      notify,
      quiet: (still, most) =>
        Effect.gen(function* () {
          const until = Date.now() + Duration.toMillis(most)
          const rest = Duration.toMillis(still)
          lastProgress = Date.now()
          while (Date.now() < until) {
            yield* Effect.sleep("200 millis")
            if (open === 0 && Date.now() - lastProgress >= rest) return true
          }
          return false
        })
    }
  })
