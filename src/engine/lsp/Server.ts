/** One running language server: started, introduced, asked, and gone with its scope. */
import { Deferred, Effect, type Scope } from "effect"
import { pathToFileURL } from "node:url"
import { Activity } from "./Activity.ts"
import { Capabilities } from "./Capabilities.ts"
import { acquire, type Launch } from "./Child.ts"
import { connect, type Connection, unknownMethod } from "./Connection.ts"
import { type CallFailure, ServerGone, Unsupported } from "./LspFailure.ts"
import type { PositionEncoding } from "./Positions.ts"
import { Published } from "./Published.ts"
import { keyOf } from "./Uri.ts"

/** Settings of a server by section, nested as in its documentation: `{ python: { analysis: { … } } }`. */
export type Settings = { readonly [section: string]: unknown }

/** How to start a server and for what. */
export interface ServerOptions {
  /** The catalogue's id. */
  readonly id: string
  /** The folder it serves: absolute, without symbolic links. */
  readonly root: string
  readonly launch: Launch
  readonly initializationOptions?: unknown
  readonly settings?: Settings
  /** Milliseconds for `initialize`. Default 20 000. */
  readonly initializeMillis?: number
}

/** A server that has answered `initialize`. */
export interface Server {
  readonly id: string
  readonly root: string
  /** Also the id of its process group. */
  readonly pid: number
  /** What it calls itself, and its version when it tells. */
  readonly name: string
  readonly version: string | undefined
  /** Unit of its columns. */
  readonly encoding: PositionEncoding
  readonly capabilities: Capabilities
  readonly activity: Activity
  readonly published: Published
  /**
   * Asks a method that was offered, within `millis`. A method that turns out not to be known (-32601, or -32600 as some
   * answer) is not asked again while this process lives: later calls fail with `Unsupported` at once. A server that lets
   * three requests in a row run out of time is killed.
   */
  readonly call: (
    method: string,
    params: unknown,
    millis: number,
    languageId?: string
  ) => Effect.Effect<unknown, CallFailure>
  readonly notify: (method: string, params: unknown) => Effect.Effect<void>
  /** The same, said when this is called, so that what is known of the server and what it was told cannot part. */
  readonly tell: (method: string, params: unknown) => Effect.Effect<void>
  /** Runs something and gives back the edits that the server asked to have applied meanwhile. They are refused to it. */
  readonly capturing: <A, E, R>(
    effect: Effect.Effect<A, E, R>
  ) => Effect.Effect<readonly [A, ReadonlyArray<unknown>], E, R>
  /** Changes what it is told when it asks for its configuration, and says that it changed. */
  readonly configure: (settings: Settings) => Effect.Effect<void>
  readonly settings: () => Settings
  /** Milliseconds since 1970. */
  readonly startedAt: number
  /** The failure it ended with; undefined while it runs. */
  readonly goneWith: () => ServerGone | undefined
  /** Completes when it is gone. */
  readonly gone: Effect.Effect<ServerGone>
  /** Kills it at once; what waits for an answer fails with `ServerGone` and this reason. */
  readonly kill: (reason: string) => Effect.Effect<void>
  /** The end of what it logged or printed to standard error. */
  readonly log: () => string
  /** Requests without an answer yet. */
  readonly waiting: () => number
}

const shutdownMillis = 1500
const exitMillis = 700
/** Requests in a row that may run out of time before the server is taken for stuck and killed. */
const mostSilences = 3

const clientCapabilities = {
  general: {
    positionEncodings: ["utf-16"],
    staleRequestSupport: { cancel: true, retryOnContentModified: [] }
  },
  window: { workDoneProgress: true, showMessage: {}, showDocument: { support: false } },
  workspace: {
    applyEdit: true,
    configuration: true,
    workspaceFolders: true,
    didChangeConfiguration: { dynamicRegistration: true },
    didChangeWatchedFiles: { dynamicRegistration: true, relativePatternSupport: true },
    executeCommand: { dynamicRegistration: true },
    workspaceEdit: {
      documentChanges: true,
      resourceOperations: ["create", "rename", "delete"],
      failureHandling: "textOnlyTransactional"
    },
    fileOperations: { dynamicRegistration: true, willRename: true, didRename: true },
    diagnostics: { refreshSupport: true }
  },
  textDocument: {
    synchronization: { dynamicRegistration: true, didSave: true },
    definition: { dynamicRegistration: true, linkSupport: true },
    typeDefinition: { dynamicRegistration: true, linkSupport: true },
    implementation: { dynamicRegistration: true, linkSupport: true },
    references: { dynamicRegistration: true },
    rename: { dynamicRegistration: true, prepareSupport: true, prepareSupportDefaultBehavior: 1 },
    publishDiagnostics: { versionSupport: true, relatedInformation: false },
    diagnostic: { dynamicRegistration: true, relatedDocumentSupport: true },
    codeAction: {
      dynamicRegistration: true,
      dataSupport: true,
      disabledSupport: true,
      isPreferredSupport: true,
      resolveSupport: { properties: ["edit", "command"] },
      codeActionLiteralSupport: {
        codeActionKind: {
          valueSet: [
            "",
            "quickfix",
            "refactor",
            "refactor.extract",
            "refactor.inline",
            "refactor.move",
            "refactor.rewrite",
            "source",
            "source.organizeImports",
            "source.fixAll"
          ]
        }
      }
    },
    callHierarchy: { dynamicRegistration: true },
    typeHierarchy: { dynamicRegistration: true }
  },
  experimental: { serverStatusNotification: true }
}

const field = (value: unknown, ...path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>(
    (inner, key) =>
      typeof inner === "object" && inner !== null
        ? (inner as { readonly [key: string]: unknown })[key]
        : undefined,
    value
  )

const section = (settings: Settings, name: unknown): unknown => {
  if (typeof name !== "string" || name === "") return settings
  return field(settings, name) ?? field(settings, ...name.split("."))
}

const logLength = 4000

/**
 * Starts a server and waits for its answer to `initialize`. Closing the scope asks it to shut down (1.5 s), tells it to
 * exit (0.7 s) and kills its process group. Fails with `ServerGone` (phase `start`) when it ends before it answered, or
 * answers with an error, and with its `RequestTimeout` when it does not answer.
 */
export const start = (options: ServerOptions): Effect.Effect<Server, CallFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const { id, root } = options
    let phase: ServerGone["phase"] = "start"
    let settings: Settings = options.settings ?? {}
    let log = ""
    let why: string | undefined
    let goneWith: ServerGone | undefined
    const capabilities = new Capabilities()
    const activity = new Activity()
    const published = new Published(keyOf)
    const captures = new Set<Array<unknown>>()
    const departure = yield* Deferred.make<ServerGone>()
    const held: { connection?: Connection } = {}

    const note = (text: string): void => {
      log = `${log}${text}\n`.slice(-logLength)
      activity.logged(text)
    }

    const answer = (method: string, params: unknown): unknown => {
      switch (method) {
        case "workspace/configuration": {
          const items = field(params, "items")
          return Array.isArray(items)
            ? (items as ReadonlyArray<unknown>).map(
                (item) => section(settings, field(item, "section")) ?? null
              )
            : []
        }
        case "workspace/workspaceFolders":
          return folders(root)
        case "client/registerCapability":
          capabilities.register(params)
          return null
        case "client/unregisterCapability":
          capabilities.unregister(params)
          return null
        case "window/workDoneProgress/create":
          return null
        case "workspace/applyEdit":
          for (const capture of captures) capture.push(field(params, "edit"))
          return { applied: false, failureReason: "edits are taken as answers and applied elsewhere" }
        case "window/showMessageRequest":
          note(String(field(params, "message")))
          return null
        case "window/showDocument":
          return { success: false }
        case "workspace/diagnostic/refresh":
        case "workspace/semanticTokens/refresh":
        case "workspace/inlayHint/refresh":
        case "workspace/inlineValue/refresh":
        case "workspace/codeLens/refresh":
        case "workspace/foldingRange/refresh":
          return null
        default:
          return unknownMethod
      }
    }

    const notified = (method: string, params: unknown): void => {
      switch (method) {
        case "textDocument/publishDiagnostics":
          if (!published.take(params)) note("diagnostics of a shape the protocol does not know")
          return
        case "$/progress":
          return activity.progress(params)
        case "experimental/serverStatus":
          return activity.serverStatus(params)
        case "window/logMessage":
        case "window/showMessage":
          return note(String(field(params, "message")))
      }
    }

    const child = yield* acquire(
      options.launch,
      root,
      () =>
        held.connection === undefined || phase === "start"
          ? Effect.void
          : Effect.zipRight(
              Effect.ignore(held.connection.request("shutdown", undefined, shutdownMillis)),
              Effect.asVoid(Effect.timeoutOption(held.connection.notify("exit", undefined), 200))
            ),
      exitMillis
    )

    const end = (reason: string, exitCode: number | null): void => {
      if (goneWith !== undefined) return
      const printed = child.stderrTail()
      goneWith = new ServerGone({ server: id, phase, reason: why ?? reason, exitCode, stderrTail: printed })
      held.connection?.close(goneWith)
      Deferred.unsafeDone(departure, Effect.succeed(goneWith))
      activity.wake()
      published.wake()
    }
    const talk = connect({
      server: id,
      input: child.process.stdout,
      output: child.process.stdin,
      answer,
      notified,
      broken: (cause) => {
        why = cause.message
        child.kill()
      }
    })
    held.connection = talk
    child.onEnded(({ code, signal, error }) =>
      end(
        error !== undefined
          ? `it could not be started (${error})`
          : signal !== null
            ? `it was ended by ${signal}`
            : `it exited with code ${code}`,
        code
      )
    )

    let silences = 0
    let lastHeard = 0
    let lastSilence = 0
    const heard = (): void => {
      silences = 0
      lastHeard = Date.now()
    }
    /** A request ran out of time. Those that were under way together are one silence. */
    const unheard = (asked: number): void => {
      if (lastHeard > asked || lastSilence > asked) return
      silences++
      lastSilence = Date.now()
      if (silences < mostSilences) return
      why ??= `it did not answer ${silences} times in a row`
      child.kill()
    }

    const introduced = yield* talk
      .request(
        "initialize",
        {
          processId: process.pid,
          clientInfo: { name: "portico" },
          locale: "en",
          rootPath: root,
          rootUri: pathToFileURL(root).href,
          workspaceFolders: folders(root),
          capabilities: clientCapabilities,
          ...(options.initializationOptions === undefined
            ? {}
            : { initializationOptions: options.initializationOptions })
        },
        options.initializeMillis ?? 20_000
      )
      .pipe(
        Effect.catchTag("RequestRefused", (cause) =>
          Effect.fail(
            new ServerGone({
              server: id,
              phase: "start",
              reason: cause.detail,
              exitCode: null,
              stderrTail: child.stderrTail()
            })
          )
        )
      )
    const { pid } = child
    if (pid === undefined) return yield* Effect.never
    capabilities.declare(field(introduced, "capabilities"))
    phase = "running"
    yield* talk.notify("initialized", {})
    // Several servers read their settings only from this message.
    if (Object.keys(settings).length > 0) yield* talk.notify("workspace/didChangeConfiguration", { settings })

    const name = field(introduced, "serverInfo", "name")
    const version = field(introduced, "serverInfo", "version")
    const encoding = capabilities.value("positionEncoding")
    return {
      id,
      root,
      pid,
      name: typeof name === "string" ? name : id,
      // Some put a whole description of their build there.
      version: typeof version === "string" && /^[^{}\n]{1,60}$/.test(version) ? version : undefined,
      encoding: encoding === "utf-8" || encoding === "utf-32" ? encoding : "utf-16",
      capabilities,
      activity,
      published,
      call: (method, params, millis, languageId) =>
        Effect.suspend((): Effect.Effect<unknown, CallFailure> => {
          if (goneWith !== undefined) return Effect.fail(goneWith)
          if (!capabilities.offers(method, languageId))
            return Effect.fail(new Unsupported({ server: id, method }))
          const asked = Date.now()
          return talk.request(method, params, millis).pipe(
            Effect.tap(() => Effect.sync(heard)),
            Effect.mapError((cause): CallFailure => {
              if (cause._tag === "RequestTimeout") unheard(asked)
              if (cause._tag !== "RequestRefused") return cause
              heard()
              if (cause.code !== -32601 && cause.code !== -32600) return cause
              capabilities.withdraw(method)
              return new Unsupported({ server: id, method })
            })
          )
        }),
      notify: talk.notify,
      tell: talk.tell,
      capturing: (effect) =>
        Effect.suspend(() => {
          const taken: Array<unknown> = []
          captures.add(taken)
          return Effect.ensuring(
            Effect.map(effect, (value) => [value, taken] as const),
            Effect.sync(() => captures.delete(taken))
          )
        }),
      configure: (next) =>
        Effect.suspend(() => {
          settings = next
          return talk.notify("workspace/didChangeConfiguration", { settings })
        }),
      settings: () => settings,
      startedAt: Date.now(),
      goneWith: () => goneWith,
      gone: Deferred.await(departure),
      kill: (reason) =>
        Effect.suspend(() => {
          why ??= reason
          child.kill()
          return Effect.asVoid(child.ended)
        }),
      log: () => [log.trim(), child.stderrTail().trim()].filter((text) => text !== "").join("\n"),
      waiting: talk.waiting
    }
  })

const folders = (root: string) => [
  { uri: pathToFileURL(root).href, name: root.slice(root.lastIndexOf("/") + 1) }
]
