/** The language servers of one workspace as the service that facades ask. */
import { Effect, Layer, type Scope, Stream } from "effect"
import { existsSync } from "node:fs"
import { randomUUID } from "node:crypto"
import { basename, join, relative, sep } from "node:path"
import {
  type DiagnosticsProgress,
  type DocumentPosition,
  type DocumentSpan,
  type LanguageAction,
  type LanguageAnswer,
  type LanguageChange,
  type LanguageDiagnostic,
  type LanguageQuestion,
  LanguageReader,
  type LanguageServerStatus
} from "../../services/LanguageReader.ts"
import type { OverlayFile } from "../../services/OverlayView.ts"
import type { ServiceFailure } from "../../services/ServiceFailure.ts"
import { openRootSync, type PathRefused, type Root } from "../files/Confine.ts"
import { catalogue as everyRow } from "./Catalogue.ts"
import { compare, judge } from "./Diagnostics.ts"
import { type Found, type LanguageServerSettings, make as makeDiscovery } from "./Discovery.ts"
import { Documents, type View, viewOf } from "./Documents.ts"
import {
  BadQuestion,
  type CallFailure,
  type LspFailure,
  NoServer,
  RequestRefused,
  toService,
  type Untrusted
} from "./LspFailure.ts"
import { make as makePool, type Pool, type PoolOptions, type Running } from "./Pool.ts"
import {
  CodeActions,
  type CodeAction,
  decode,
  Locations,
  Places,
  Prepared,
  type Range,
  WorkspaceEdit
} from "./Protocol.ts"
import { documentKind, type ServerRow } from "./ServerRow.ts"
import { relativeOf } from "./Uri.ts"
import { type EditContext, normalise, nothing, spanOf } from "./WorkspaceEdits.ts"

/** How the servers of a workspace are found and kept. */
export interface LanguageServersOptions {
  /** The workspace's folder. */
  readonly root: string
  /** What the configuration says about servers, by id. */
  readonly settings?: LanguageServerSettings
  /**
   * Whether servers may run what the repository brings: build scripts, plugins, programs it configures. Comes from the
   * user; a repository cannot say it of itself. Default false.
   */
  readonly trustWorkspace?: boolean
  /** Known servers. Default: the catalogue. */
  readonly rows?: ReadonlyArray<ServerRow>
  readonly packagesFrom?: ReadonlyArray<string>
  /** Instead of the PATH of this process. */
  readonly path?: string
  readonly pool?: Omit<PoolOptions, "root">
  /** Longest wait for the diagnostics of a server that only sends them, in milliseconds. Default 10 000. */
  readonly publishMillis?: number
}

/** Deadlines in milliseconds. `first` holds for the first question a process is asked, which makes it read the project. */
const deadline = {
  first: 60_000,
  lookUp: 10_000,
  change: 15_000,
  implementation: 30_000,
  diagnostics: 30_000
} as const

/** Files of a workspace judged at a time. */
const abreast = 4

/** Handles of actions that can still be resolved. */
const mostHandles = 512

interface Offered {
  readonly action: CodeAction
  readonly path: string
  readonly found: Found
  readonly root: string
  readonly view: View
  readonly pid: number
}

type Reader = LanguageReader["Type"]

const overlayFiles = (
  root: Root,
  overlay: ReadonlyArray<OverlayFile> | undefined
): Effect.Effect<ReadonlyMap<string, string | null>, BadQuestion> =>
  Effect.map(
    Effect.forEach(overlay ?? [], (file) =>
      Effect.map(
        Documents.confine(root, file.path),
        (path) => [path, file.deleted ? null : file.content] as const
      )
    ),
    (entries) => new Map(entries)
  )

const nameOf = ({ server, found }: Running): string => {
  const version = found.version ?? server.version
  return version === undefined ? server.name : `${server.name} ${version}`
}

/** What was said of documents in a state of the disk that may still be the present one. */
interface Known {
  readonly disk: string
  readonly answers: Map<string, LanguageAnswer<ReadonlyArray<LanguageDiagnostic>>>
}

/** What the service is made of, for those who need the parts: the pool and the finder of servers. */
export interface LanguageServers {
  readonly reader: Reader
  readonly pool: Pool
  /**
   * Starts the server of TypeScript and JavaScript when the root is a project of them, so that the first question is
   * answered sooner. Says nothing when it cannot; the first question will.
   */
  readonly prewarm: Effect.Effect<void>
  /** The server that would answer for a path, found but not started. */
  readonly serverFor: (path: string) => Effect.Effect<Found, NoServer | Untrusted>
}

/** Opens the servers of a folder. None is started before it is asked; all are gone when the scope is closed. */
export const make = (
  options: LanguageServersOptions
): Effect.Effect<LanguageServers, PathRefused, Scope.Scope> =>
  Effect.gen(function* () {
    const opened = openRootSync(options.root)
    if ("_tag" in opened) return yield* opened
    const root: Root = opened
    const rows = options.rows ?? everyRow
    const discovery = makeDiscovery({
      root: root.real,
      ...(options.settings === undefined ? {} : { settings: options.settings }),
      trusted: options.trustWorkspace === true,
      ...(options.packagesFrom === undefined ? {} : { packagesFrom: options.packagesFrom }),
      ...(options.path === undefined ? {} : { path: options.path })
    })
    const pool = yield* makePool({ root, ...options.pool })
    const offered = new Map<string, Offered>()
    const knownOf = new WeakMap<Documents, Known>()
    /** Views of overlays that are asked about again and again, as when many files are judged. */
    const views = new WeakMap<ReadonlyArray<OverlayFile>, View>()
    /** The same of files that questions are asked across. */
    const confined = new WeakMap<ReadonlyArray<string>, ReadonlyArray<string>>()

    /** The topmost folder on the way to a file that holds one of the row's markers, else the root. */
    const folderOf = (row: ServerRow, path: string): string => {
      const parts = path.split("/").slice(0, -1)
      for (let depth = 0; depth <= parts.length; depth++) {
        const folder = join(root.real, ...parts.slice(0, depth))
        if (row.rootMarkers.some((marker) => existsSync(join(folder, marker)))) return folder
      }
      return root.real
    }

    /** The first of the rows that has a server here. Of several without one, the reason of the first is told. */
    const firstFound = (
      among: ReadonlyArray<ServerRow>,
      path: string
    ): Effect.Effect<Found, NoServer | Untrusted> =>
      Effect.suspend(() => {
        const [first, ...others] = among.map((row) => discovery.find(row))
        if (first === undefined) {
          const name = basename(path)
          return Effect.fail(
            new NoServer({
              language: name.includes(".")
                ? `files like *${name.slice(name.lastIndexOf("."))}`
                : `files like ${name}`,
              tried: [],
              hint: "No server for such files is known."
            })
          )
        }
        return others.reduce(
          (found, next) => Effect.catchAll(found, (cause) => Effect.mapError(next, () => cause)),
          first
        )
      })

    const rowsOf = (path: string, serves: ServerRow["serves"]): ReadonlyArray<ServerRow> =>
      rows.filter((row) => row.serves === serves && documentKind(row, path) !== undefined)

    const serverFor = (path: string): Effect.Effect<Found, NoServer | Untrusted> =>
      firstFound(rowsOf(path, "everything"), path)

    const languageIdOf = (found: Found, path: string): string =>
      documentKind(found.row, path)?.languageId ?? "plaintext"

    /** Asks again what a server gave up because a document changed or it had other things to do. */
    const insisting = <A, E>(
      ask: Effect.Effect<A, E | CallFailure>,
      left = 3
    ): Effect.Effect<A, E | CallFailure> =>
      Effect.catchIf(
        ask,
        (cause): cause is (E | CallFailure) & RequestRefused =>
          cause instanceof RequestRefused && (cause.code === -32801 || cause.code === -32802) && left > 0,
        () => Effect.delay(insisting(ask, left - 1), 50 * (4 - left))
      )

    const request = (
      running: Running,
      path: string,
      method: string,
      params: unknown,
      millis: number
    ): Effect.Effect<unknown, CallFailure> =>
      Effect.tap(
        insisting(
          running.server.call(
            method,
            params,
            running.warmed() ? millis : Math.max(millis, deadline.first),
            languageIdOf(running.found, path)
          )
        ),
        () => Effect.sync(running.warm)
      )

    const answerOf = <A>(running: Running, settled: boolean, value: A, outside = 0): LanguageAnswer<A> => ({
      value,
      server: nameOf(running),
      partial: !settled,
      outside
    })

    /** One question about one document. */
    const about = <A>(
      asked: string,
      question: LanguageQuestion | undefined,
      body: (
        running: Running,
        path: string,
        settled: boolean
      ) => Effect.Effect<LanguageAnswer<A>, LspFailure>,
      alter?: (found: Found) => View["settings"]
    ): Effect.Effect<LanguageAnswer<A>, ServiceFailure> =>
      Effect.gen(function* () {
        const path = yield* Documents.confine(root, asked)
        const overlay = question?.overlay
        const seen = overlay === undefined ? undefined : views.get(overlay)
        const files = seen?.files ?? (yield* overlayFiles(root, overlay))
        const found = yield* serverFor(path)
        const settings = alter?.(found)
        const view = seen !== undefined && settings === undefined ? seen : viewOf(files, settings)
        if (overlay !== undefined && settings === undefined) views.set(overlay, view)
        const given = question?.across
        const across =
          given === undefined
            ? undefined
            : (confined.get(given) ?? (yield* Effect.forEach(given, (one) => Documents.confine(root, one))))
        if (given !== undefined && across !== undefined) confined.set(given, across)
        return yield* pool.use(found, folderOf(found.row, path), (running) =>
          running.seeing(view, [path], (settled) => body(running, path, settled), across)
        )
      }).pipe(Effect.mapError(toService))

    const textPosition = (running: Running, path: string, at: DocumentPosition) =>
      Effect.map(running.documents.toServer(path, at.line, at.column), (position) => ({
        textDocument: { uri: running.documents.uri(path) },
        position
      }))

    const placing = ({ documents }: Running): EditContext => ({
      root: root.real,
      place: (path, position) => documents.fromServer(path, position),
      exists: (path) => documents.exists(path),
      version: (path) => documents.told(path)?.version
    })

    /** Spans below the root, each once, in order; and how many were elsewhere. */
    const spansOf = (
      running: Running,
      places: ReadonlyArray<{ readonly uri: string; readonly range: Range }>
    ): readonly [ReadonlyArray<DocumentSpan>, number] => {
      const context = placing(running)
      const spans = new Map<string, DocumentSpan>()
      let outside = 0
      for (const { uri, range } of places) {
        const path = relativeOf(root.real, uri)
        if (path === undefined) outside++
        else {
          const span = spanOf(context, path, range)
          spans.set(`${path}\0${span.startLine}:${span.startColumn}-${span.endLine}:${span.endColumn}`, span)
        }
      }
      const sorted = [...spans.values()].sort(
        (a, b) =>
          (a.path < b.path ? -1 : a.path > b.path ? 1 : 0) ||
          a.startLine - b.startLine ||
          a.startColumn - b.startColumn
      )
      return [sorted, outside]
    }

    const places =
      (method: string, millis: number): Reader["definitions"] =>
      (at, question) =>
        about(at.path, question, (running, path, settled) =>
          Effect.gen(function* () {
            const params = yield* textPosition(running, path, at)
            const answer = yield* Effect.flatMap(
              request(running, path, method, params, millis),
              decode(Places, running.server.id, method)
            )
            const list = answer === null ? [] : "uri" in answer ? [answer] : answer
            const [spans, outside] = spansOf(
              running,
              list.map((place) =>
                "targetUri" in place ? { uri: place.targetUri, range: place.targetSelectionRange } : place
              )
            )
            return answerOf(running, settled, spans, outside)
          })
        )

    const referencesAt = (
      running: Running,
      path: string,
      settled: boolean,
      position: Effect.Effect.Success<ReturnType<typeof textPosition>>
    ) =>
      Effect.gen(function* () {
        const method = "textDocument/references"
        const answer = yield* Effect.flatMap(
          request(
            running,
            path,
            method,
            { ...position, context: { includeDeclaration: true } },
            deadline.lookUp
          ),
          decode(Locations, running.server.id, method)
        )
        const [spans, outside] = spansOf(running, answer ?? [])
        return answerOf(running, settled, spans, outside)
      })

    const references: Reader["references"] = (at, question) =>
      about(at.path, question, (running, path, settled) =>
        Effect.flatMap(textPosition(running, path, at), (position) =>
          referencesAt(running, path, settled, position)
        )
      )

    const judged = (
      running: Running,
      path: string,
      settled: boolean
    ): Effect.Effect<LanguageAnswer<ReadonlyArray<LanguageDiagnostic>>, CallFailure> => {
      const { documents } = running
      const state = running.found.row.quirks.judgesTexts === true ? documents.ofDisk : undefined
      const held = state === undefined ? undefined : knownOf.get(documents)
      const said = held?.disk === state ? held?.answers.get(path) : undefined
      if (said !== undefined) return Effect.succeed(said)
      return Effect.map(
        insisting(
          judge(
            running.server,
            running.documents,
            path,
            languageIdOf(running.found, path),
            running.warmed() ? deadline.diagnostics : deadline.first,
            options.publishMillis
          )
        ),
        ({ diagnostics, complete }) => {
          running.warm()
          const answer = answerOf(running, settled && complete, diagnostics)
          if (state !== undefined && !answer.partial && documents.ofDisk === state) {
            let known = knownOf.get(documents)
            if (known?.disk !== state) knownOf.set(documents, (known = { disk: state, answers: new Map() }))
            known.answers.set(path, answer)
          }
          return answer
        }
      )
    }

    const diagnostics: Reader["diagnostics"] = (path, question) => about(path, question, judged)

    const workspaceDiagnostics: Reader["workspaceDiagnostics"] = (paths, question) => {
      let done = 0
      return Stream.fromIterable(paths).pipe(
        Stream.mapEffect(
          (path): Effect.Effect<DiagnosticsProgress> =>
            about(path, question, (running, inside, settled) =>
              Effect.zipLeft(judged(running, inside, settled), running.documents.release(inside))
            ).pipe(
              Effect.merge,
              Effect.map((result) => ({ path, done: ++done, total: paths.length, result }))
            ),
          { concurrency: abreast, unordered: true }
        )
      )
    }

    const compareDiagnostics: Reader["compareDiagnostics"] = (paths, overlay) =>
      Effect.gen(function* () {
        const all = (question?: LanguageQuestion, absent?: (path: string) => boolean) =>
          Effect.forEach(
            paths,
            (path) =>
              Effect.catchIf(
                diagnostics(path, question),
                (cause) => cause.reason === "not_found" && absent?.(path) === true,
                () => Effect.succeed(undefined)
              ),
            { concurrency: abreast }
          )
        const touched = new Set(overlay.map(({ path }) => path))
        // A file that one side does not have has no diagnostics there.
        const before = yield* all(undefined, (path) => touched.has(path))
        const after = yield* all({ overlay }, (path) => touched.has(path))
        const listed = (side: typeof before) => side.flatMap((answer) => answer?.value ?? [])
        const answers = [...before, ...after].flatMap((answer) => (answer === undefined ? [] : [answer]))
        return {
          value: compare(listed(before), listed(after)),
          server: [...new Set(answers.map(({ server }) => server))].join(", "),
          partial: answers.some(({ partial }) => partial),
          outside: 0
        }
      })

    const changeOf = (
      running: Running,
      settled: boolean,
      method: string,
      answer: unknown
    ): Effect.Effect<LanguageAnswer<LanguageChange>, LspFailure> =>
      answer === null || answer === undefined
        ? Effect.succeed(answerOf(running, settled, nothing))
        : Effect.flatMap(decode(WorkspaceEdit, running.server.id, method)(answer), (edit) =>
            Effect.map(normalise(edit, placing(running)), (change) => answerOf(running, settled, change))
          )

    const rename: Reader["rename"] = (at, newName, question) =>
      about(
        at.path,
        question,
        (running, path, settled) =>
          Effect.gen(function* () {
            const method = "textDocument/rename"
            const position = yield* textPosition(running, path, at)
            const answer = yield* request(running, path, method, { ...position, newName }, deadline.change)
            // No edit is how a server says that nothing here can be renamed.
            if (answer === null || answer === undefined)
              return yield* new BadQuestion({
                reason: "invalid_argument",
                detail: `${nameOf(running)} finds nothing to rename at ${path}:${at.line}:${at.column}`
              })
            const change = yield* changeOf(running, settled, method, answer)
            if (running.found.row.quirks.renamesReferences !== true) return change
            const { outside, value } = yield* referencesAt(running, path, settled, position)
            const known = new Set(change.value.edits.map((edit) => edit.path))
            return value.every((span) => known.has(span.path))
              ? change
              : {
                  ...change,
                  outside,
                  value: { ...change.value, edits: value.map((span) => ({ ...span, text: newName })) }
                }
          }),
        (found) => (question?.throughAliases === true ? found.row.quirks.renameThroughAliases : undefined)
      )

    const prepareRename: Reader["prepareRename"] = (at, question) =>
      about(at.path, question, (running, path, settled) =>
        Effect.gen(function* () {
          const method = "textDocument/prepareRename"
          const refused = new BadQuestion({
            reason: "invalid_argument",
            detail: `nothing can be renamed at ${path}:${at.line}:${at.column}`
          })
          const position = yield* textPosition(running, path, at)
          const answer = yield* Effect.flatMap(
            request(running, path, method, position, deadline.change),
            decode(Prepared, running.server.id, method)
          )
          if (answer === null) return yield* refused
          const range = "range" in answer ? answer.range : "start" in answer ? answer : undefined
          const span =
            range === undefined
              ? wordAt(path, running.documents.lines(path)?.line(at.line - 1) ?? "", at)
              : spanOf(placing(running), path, range)
          if (span === undefined) return yield* refused
          const line = running.documents.lines(path)?.line(span.startLine - 1) ?? ""
          return answerOf(running, settled, {
            span,
            placeholder:
              "placeholder" in answer ? answer.placeholder : line.slice(span.startColumn, span.endColumn)
          })
        })
      )

    const willRenameFiles: Reader["willRenameFiles"] = (moves, question) =>
      Effect.gen(function* () {
        const method = "workspace/willRenameFiles"
        const inside = yield* Effect.forEach(moves, ({ from, to }) =>
          Effect.all({ from: Documents.confine(root, from), to: Documents.confine(root, to) })
        )
        const [first] = inside
        if (first === undefined)
          return yield* new BadQuestion({
            reason: "invalid_argument",
            detail: "no file is named to be moved"
          })
        const files = yield* overlayFiles(root, question?.overlay)
        // A folder belongs to no language: every running or available server that offers it may have something to say;
        // the first row with a server for one of the files answers for files.
        const file = inside.find(({ from }) => rowsOf(from, "everything").length > 0)
        const found =
          file === undefined
            ? yield* firstFound(
                rows.filter(({ serves }) => serves === "everything"),
                first.from
              )
            : yield* serverFor(file.from)
        const at = (file ?? first).from
        return yield* pool.use(found, folderOf(found.row, at), (running) =>
          running.seeing(viewOf(files), file === undefined ? [] : [file.from], (settled) =>
            Effect.flatMap(
              request(
                running,
                at,
                method,
                {
                  files: inside.map(({ from, to }) => ({
                    oldUri: running.documents.uri(from),
                    newUri: running.documents.uri(to)
                  }))
                },
                deadline.change
              ),
              (answer) => changeOf(running, settled, method, answer)
            )
          )
        )
      }).pipe(Effect.mapError(toService))

    const keep = (action: Offered): string => {
      const handle = randomUUID()
      offered.set(handle, action)
      for (const old of offered.keys()) {
        if (offered.size <= mostHandles) break
        offered.delete(old)
      }
      return handle
    }

    /** What one server offers for a span. */
    const offersOf = (
      found: Found,
      path: string,
      view: View,
      span: DocumentSpan,
      kind: string | undefined,
      known: ReadonlyArray<LanguageDiagnostic>
    ): Effect.Effect<LanguageAnswer<ReadonlyArray<LanguageAction>>, LspFailure> => {
      const folder = folderOf(found.row, path)
      return pool.use(found, folder, (running) =>
        running.seeing(view, [path], (settled) =>
          Effect.gen(function* () {
            const method = "textDocument/codeAction"
            const { documents, server } = running
            const start = yield* documents.toServer(path, span.startLine, span.startColumn)
            const end = yield* documents.toServer(path, span.endLine, span.endColumn)
            // Servers repair only what they are reminded of.
            const touching = yield* Effect.forEach(
              known.filter((d) => touches(d, span)),
              (d) =>
                Effect.all({
                  start: documents.toServer(path, d.startLine, d.startColumn),
                  end: documents.toServer(path, d.endLine, d.endColumn)
                }).pipe(
                  Effect.map((range) => ({
                    range,
                    severity: ["error", "warning", "information", "hint"].indexOf(d.severity) + 1,
                    message: d.message,
                    ...(d.code === undefined ? {} : { code: /^\d+$/.test(d.code) ? Number(d.code) : d.code }),
                    ...(d.source === undefined ? {} : { source: d.source })
                  }))
                )
            )
            const answer = yield* Effect.flatMap(
              request(
                running,
                path,
                method,
                {
                  textDocument: { uri: documents.uri(path) },
                  range: { start, end },
                  context: {
                    diagnostics: touching,
                    triggerKind: 1,
                    ...(kind === undefined ? {} : { only: [kind] })
                  }
                },
                deadline.change
              ),
              decode(CodeActions, server.id, method)
            )
            const actions = yield* Effect.forEach(answer ?? [], (one) =>
              Effect.gen(function* () {
                const action: CodeAction =
                  typeof one.command === "string"
                    ? { title: one.title, command: { ...one, command: one.command } as CodeAction["command"] }
                    : (one as CodeAction)
                const edit =
                  action.edit === undefined || action.edit === null
                    ? undefined
                    : yield* normalise(action.edit, placing(running))
                const handle = keep({ action, path, found, root: folder, view, pid: server.pid })
                return {
                  handle,
                  title: action.title,
                  preferred: action.isPreferred === true,
                  ...(action.kind === undefined || action.kind === null ? {} : { kind: action.kind }),
                  ...(action.disabled === undefined || action.disabled === null
                    ? {}
                    : { disabled: action.disabled.reason }),
                  ...(edit === undefined ? {} : { edit: edit.edits })
                } satisfies LanguageAction
              })
            )
            return answerOf(running, settled, actions)
          })
        )
      )
    }

    const actions: Reader["actions"] = (span, kind, question) =>
      Effect.gen(function* () {
        const path = yield* Documents.confine(root, span.path)
        const view = viewOf(yield* overlayFiles(root, question?.overlay))
        const found = yield* serverFor(path)
        const { value: known } = yield* pool.use(found, folderOf(found.row, path), (running) =>
          running.seeing(view, [path], (settled) => judged(running, path, settled))
        )
        const main = yield* offersOf(found, path, view, span, kind, known)
        const beside = yield* Effect.option(firstFound(rowsOf(path, "actions"), path))
        if (beside._tag === "None") return main
        const more = yield* offersOf(beside.value, path, view, span, kind, known)
        // Of two servers that offer the same, the first is asked.
        const titles = new Set(main.value.map(({ title }) => title))
        return {
          value: [...main.value, ...more.value.filter(({ title }) => !titles.has(title))],
          server: `${main.server}, ${more.server}`,
          partial: main.partial || more.partial,
          outside: 0
        }
      }).pipe(Effect.mapError(toService))

    const resolveAction: Reader["resolveAction"] = (handle) =>
      Effect.gen(function* () {
        const held = offered.get(handle)
        const forgotten = new BadQuestion({
          reason: "not_found",
          detail: "the action is not known any more; ask for actions again"
        })
        if (held === undefined) return yield* forgotten
        const { path, found, view } = held
        return yield* pool.use(found, held.root, (running) =>
          running.seeing(view, [path], (settled) =>
            Effect.gen(function* () {
              const { server } = running
              if (server.pid !== held.pid) return yield* forgotten
              let { action } = held
              if (action.disabled !== undefined && action.disabled !== null)
                return yield* new BadQuestion({ reason: "invalid_argument", detail: action.disabled.reason })
              const resolve = "codeAction/resolve"
              if (
                (action.edit === undefined || action.edit === null) &&
                server.capabilities.offers(resolve, languageIdOf(found, path))
              ) {
                const [resolved] = yield* Effect.flatMap(
                  request(running, path, resolve, action, deadline.change),
                  (answer) => decode(CodeActions, server.id, resolve)([answer])
                ).pipe(Effect.map((list) => list ?? []))
                if (resolved !== undefined && typeof resolved.command !== "string")
                  action = resolved as CodeAction
              }
              if (action.edit !== undefined && action.edit !== null)
                return answerOf(running, settled, yield* normalise(action.edit, placing(running)))
              const { command } = action
              if (command === undefined || command === null) return answerOf(running, settled, nothing)
              const execute = "workspace/executeCommand"
              const [, edits] = yield* server.capturing(
                request(
                  running,
                  path,
                  execute,
                  { command: command.command, arguments: command.arguments ?? [] },
                  deadline.change
                )
              )
              const all = yield* Effect.forEach(edits, (edit) =>
                Effect.flatMap(decode(WorkspaceEdit, server.id, "workspace/applyEdit")(edit), (one) =>
                  normalise(one, placing(running))
                )
              )
              const [only, ...others] = all
              if (only === undefined || others.length > 0)
                return yield* new BadQuestion({
                  reason: "invalid_argument",
                  detail: `"${action.title}" is not one change but ${all.length}: it cannot be taken as data`
                })
              return answerOf(running, settled, only)
            })
          )
        )
      }).pipe(Effect.mapError(toService))

    const status = Effect.gen(function* () {
      const running = yield* pool.status
      const lists = yield* Effect.forEach(
        rows,
        (row): Effect.Effect<ReadonlyArray<LanguageServerStatus>> =>
          Effect.map(Effect.either(discovery.find(row)), (found) => {
            const base = {
              id: row.id,
              languages: [...new Set(row.documents.map(({ language }) => language))]
            }
            if (found._tag === "Left") {
              const cause = found.left
              return [
                {
                  ...base,
                  state: cause._tag === "Untrusted" ? "untrusted" : "absent",
                  detail: cause._tag === "NoServer" ? cause.tried.join("; ") : cause.message,
                  ...(cause._tag === "NoServer" ? { hint: cause.hint } : {})
                }
              ]
            }
            const { version, source } = found.right
            const known = {
              ...base,
              source,
              ...(version === undefined ? {} : { version })
            }
            const mine = running.filter(({ id }) => id === row.id)
            if (mine.length === 0) return [{ ...known, state: "available" }]
            return mine.map(({ root: folder, state, server, memory, starts, last }) => ({
              ...known,
              ...(server?.version === undefined ? {} : { version: server.version }),
              state: state === "stopped" ? ("available" as const) : state,
              root: relative(root.real, folder).split(sep).join("/"),
              restarts: Math.max(0, starts - 1),
              ...(server === undefined
                ? {}
                : {
                    pid: server.pid,
                    work: server.activity.work.map(({ title, detail }) =>
                      detail === undefined ? title : `${title}: ${detail}`
                    ),
                    broken: server.capabilities.broken
                  }),
              ...(memory === undefined ? {} : { memory }),
              ...(last === undefined ? {} : { detail: last })
            }))
          }),
        { concurrency: 4 }
      )
      return lists.flat()
    })

    const reader: Reader = {
      languages: Effect.map(status, (servers) =>
        [
          ...new Set(
            servers.flatMap(({ id, state, languages }) =>
              state === "absent" ||
              state === "untrusted" ||
              rows.find((row) => row.id === id)?.serves !== "everything"
                ? []
                : languages
            )
          )
        ].sort()
      ),
      servers: status,
      definitions: places("textDocument/definition", deadline.lookUp),
      implementations: places("textDocument/implementation", deadline.implementation),
      references,
      diagnostics,
      workspaceDiagnostics,
      compareDiagnostics,
      actions,
      resolveAction,
      prepareRename,
      rename,
      willRenameFiles,
      changed: (paths) =>
        Effect.gen(function* () {
          const inside = yield* Effect.forEach(paths, (path) => Effect.option(Documents.confine(root, path)))
          const changes = inside.flatMap((path) =>
            path._tag === "None" ? [] : [{ path: path.value, kind: "unknown" as const }]
          )
          if (changes.length === 0) return
          yield* pool.each(({ documents }) => documents.changed(changes))
        })
    }
    const prewarm = Effect.suspend(() =>
      ["tsconfig.json", "jsconfig.json", "package.json"].some((name) => existsSync(join(root.real, name)))
        ? Effect.flatMap(serverFor("index.ts"), (found) => pool.use(found, root.real, () => Effect.void))
        : Effect.void
    ).pipe(Effect.ignore)
    return { reader, pool, prewarm, serverFor }
  })

const touches = (d: LanguageDiagnostic, span: DocumentSpan): boolean =>
  (d.startLine < span.endLine || (d.startLine === span.endLine && d.startColumn <= span.endColumn)) &&
  (d.endLine > span.startLine || (d.endLine === span.startLine && d.endColumn >= span.startColumn))

/** The word around a place, for servers that leave finding it to their client. */
const wordAt = (path: string, line: string, at: DocumentPosition): DocumentSpan | undefined => {
  for (const { index, 0: word } of line.matchAll(/[\p{L}\p{N}_$]+/gu))
    if (index <= at.column && at.column <= index + word.length)
      return {
        path,
        startLine: at.line,
        startColumn: index,
        endLine: at.line,
        endColumn: index + word.length
      }
  return undefined
}

/** The service over the servers of a folder; see {@link make}. */
export const layerLanguageServers = (
  options: LanguageServersOptions
): Layer.Layer<LanguageReader, PathRefused> =>
  Layer.scoped(
    LanguageReader,
    Effect.map(make(options), ({ reader }) => reader)
  )
