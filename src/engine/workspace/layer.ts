/** Publishes one workspace as the services operations ask for. */
import { Context, Effect, Layer, type Scope, Stream } from "effect"
import { join } from "node:path"
import { CallInfo } from "../../registry/CallInfo.ts"
import { CodeGraph, type Freshness, type GraphView } from "../../services/CodeGraph.ts"
import { FrameworkFacts } from "../../services/FrameworkFacts.ts"
import { CodeTokens } from "../../services/CodeTokens.ts"
import { CoverageReader } from "../../services/CoverageReader.ts"
import { GitReader } from "../../services/GitReader.ts"
import { IndexControl, type IndexReport } from "../../services/IndexControl.ts"
import type { OverlayStore } from "../../services/OverlayStore.ts"
import type { OverlayView } from "../../services/OverlayView.ts"
import { type FileText, ReadFs } from "../../services/ReadFs.ts"
import { ProgramFlow } from "../../services/ProgramFlow.ts"
import { RuleMatcher } from "../../services/RuleMatcher.ts"
import { ServiceFailure } from "../../services/ServiceFailure.ts"
import { TextIndex } from "../../services/TextIndex.ts"
import { WorkspaceView } from "../../services/WorkspaceView.ts"
import { confineSync, PathRefused, readConfinedSync } from "../files/Confine.ts"
import { decodeText } from "../files/Reader.ts"
import { redactSecrets } from "../files/Secrets.ts"
import { isBinary } from "../files/Skip.ts"
import { coverageReader } from "../coverage/reader.ts"
import { blame } from "../git/Blame.ts"
import * as Changes from "../git/Changes.ts"
import * as Git from "../git/Git.ts"
import { type GitError, lacksObjects } from "../git/GitError.ts"
import * as Past from "../git/Past.ts"
import { firstSeen, tags } from "../git/Tags.ts"
import type { FileEntry } from "../graph/Snapshot.ts"
import { sketch } from "../graph/Sketch.ts"
import { makeView, withFreshness } from "../graph/View.ts"
import { H } from "../languages/Facts.ts"
import { languages } from "../languages/index.ts"
import type { EditRefused } from "../../services/EditRefused.ts"
import type { LocalWriter } from "../../services/LocalWriter.ts"
import { hasJournals } from "../edits/Journal.ts"
import type { ParseGate } from "../edits/ParseGate.ts"
import { Revisions } from "../edits/Revisions.ts"
import { writing } from "../edits/services.ts"
import { syntaxGate } from "../edits/SyntaxGate.ts"
import { makeWriter, type Writer } from "../edits/Writer.ts"
import { compileGlob } from "../text/Globs.ts"
import { flowLater } from "../flow/later.ts"
import type { Frameworks } from "../frameworks/Frameworks.ts"
import { codeTokens } from "../tokens/services.ts"
import { makeRuleMatcher } from "../rules/Matcher.ts"
import { Overlays } from "../overlays/Overlays.ts"
import { LineReader } from "./LineReader.ts"
import { locateTree } from "./Tree.ts"
import { overlayServices } from "../overlays/services.ts"
import { searchStructure } from "../structural/StructuralSearch.ts"
import { outlineOf } from "./Outlines.ts"
import { Overlaid } from "./Overlaid.ts"
import { fileFilter, TextSearch } from "./TextSearch.ts"
import { real, stateHome } from "./Home.ts"
import {
  type Current,
  open,
  type OpenOptions,
  type WorkspaceEngine,
  type WorkspaceFailure
} from "./Workspace.ts"

const largestText = 16 << 20

export type WorkspaceServices =
  | CodeGraph
  | CodeTokens
  | TextIndex
  | FrameworkFacts
  | ProgramFlow
  | RuleMatcher
  | ReadFs
  | GitReader
  | CoverageReader
  | WorkspaceView
  | IndexControl
  | OverlayView
  | OverlayStore
  | LocalWriter

/** What is not of the workspace itself. */
export interface Beside {
  /** Those of the sessions that read here. */
  readonly overlays?: Overlays | undefined
  /** Those issued to the sessions that read here. */
  readonly revisions?: Revisions | undefined
  /** Absolute folder for journals and locks of writes; that of the user when absent. */
  readonly state?: string | undefined
}

/** A workspace that is open, and what it serves. */
export interface Opened {
  readonly engine: WorkspaceEngine
  readonly services: Context.Context<WorkspaceServices>
}

/** Opens a workspace, and finishes what a killed process left half written in it. */
export const openWorkspace = (
  options: OpenOptions,
  beside: Beside = {}
): Effect.Effect<Opened, WorkspaceFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const engine = yield* open(options)
    const { revisions = new Revisions(), state = stateHome() } = beside
    const writer = lazyWriter(engine, state, revisions)
    // Nothing is answered about a tree that is half written, if that can be helped.
    if (hasJournals(state)) yield* Effect.ignore(writer)
    return { engine, services: servicesOf(engine, { ...beside, revisions }, writer) }
  })

export const layerWorkspace = (
  options: OpenOptions,
  beside: Beside = {}
): Layer.Layer<WorkspaceServices, WorkspaceFailure> =>
  Layer.scopedContext(Effect.map(openWorkspace(options, beside), ({ services }) => services))

/** The writer of a root, made when it is first needed; whoever was killed while writing is cleared up after first. */
const lazyWriter = (
  { known, root }: WorkspaceEngine,
  state: string,
  revisions: Revisions
): Effect.Effect<Writer, EditRefused> => {
  const gate: ParseGate = {
    check: (path, before, after) => syntaxGate.check(path, before, after, outlineOf(known, path))
  }
  return Effect.runSync(
    Effect.cached(
      Effect.tap(makeWriter({ root, state, kept: [real(state)], gate, revisions }), ({ recover }) => recover)
    )
  )
}

export const servicesOf = (
  engine: WorkspaceEngine,
  { overlays = new Overlays(), revisions = new Revisions(), state = stateHome() }: Beside = {},
  writer: Effect.Effect<Writer, EditRefused> = lazyWriter(engine, state, revisions)
): Context.Context<WorkspaceServices> => {
  const failed = (service: string) => (cause: WorkspaceFailure) =>
    new ServiceFailure({
      service,
      reason: cause.reason === "index_failed" ? "no_index" : cause.reason,
      detail: cause.detail,
      stateChanged: false,
      cause
    })
  /** A look at the work tree for the graph serves the searches of the same call. */
  let looked: { readonly call: string; readonly current: Current } | undefined
  const onDiskFor = (service: string, call: string): Effect.Effect<Current, ServiceFailure> =>
    service !== "CodeGraph" && looked?.call === call && looked.current === engine.known()
      ? Effect.succeed(looked.current)
      : Effect.mapBoth(engine.current, {
          onFailure: failed(service),
          onSuccess: (current) => {
            looked = call === "local" ? undefined : { call, current }
            return current
          }
        })

  const onDisk = (service: string) =>
    Effect.flatMap(CallInfo, ({ requestId }) => onDiskFor(service, requestId))

  const overlaid = new Overlaid(engine.root)
  /** The state as the session of the call sees it: with its overlay over the work tree. */
  const currently = (service: string) =>
    Effect.flatMap(CallInfo, ({ requestId, session }) =>
      Effect.flatMap(overlays.active(session), (files) =>
        files === undefined
          ? onDiskFor(service, requestId)
          : Effect.flatMap(onDiskFor(service, requestId), (current) => overlaid.over(current, files))
      )
    )

  const views = new WeakMap<object, { readonly current: Current; readonly view: GraphView }>()
  const viewOf = (current: Current): GraphView => {
    const { files } = current.snapshot
    const known = views.get(files)
    if (known?.current === current) return known.view
    const view =
      known !== undefined && isSame(known.current.stale, current.stale)
        ? withFreshness(known.view, freshnessOf(current))
        : makeView(current.snapshot, freshnessOf(current))
    views.set(files, { current, view })
    return view
  }
  const search = new TextSearch(engine.root.real)
  const lineReader = new LineReader(engine.root)
  /** The passes over frameworks are loaded when they are first asked for. */
  let frameworks: Promise<Frameworks> | undefined
  const frameworksOnce = () =>
    (frameworks ??= import("../frameworks/Frameworks.ts").then(
      (loaded) => new loaded.Frameworks((file, current) => search.read(file, current))
    ))

  const writes = writing(writer, {
    refresh: (paths) => engine.refresh({ paths }),
    hasJournals: () => hasJournals(state),
    spend: (session, branch) => overlays.retire(session, branch)
  })

  const refused = (cause: PathRefused) =>
    new ServiceFailure({
      service: "ReadFs",
      reason: cause.reason,
      detail: `${cause.path}: ${cause.detail ?? cause.reason.replaceAll("_", " ")}`,
      stateChanged: false
    })
  const flow = flowLater({
    open: Effect.map(currently("ProgramFlow"), (current) => (path: string) => {
      const file = current.snapshot.files[current.snapshot.byPath.get(path) ?? -1]
      const bytes = file === undefined ? undefined : search.read(file, current)
      return bytes === undefined
        ? refused(new PathRefused({ path, reason: "not_found", detail: null }))
        : textOf(path, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), bytes.length, 0)
    }),
    search: (query) => Effect.flatMap(currently("ProgramFlow"), (current) => search.search(current, query))
  })
  const gitFailed = (cause: GitError) =>
    new ServiceFailure({
      service: "GitReader",
      reason:
        cause.reason === "not_a_repository"
          ? "not_a_repository"
          : cause.reason === "unknown_revision" ||
              cause.reason === "invalid_revision" ||
              cause.reason === "not_found"
            ? "not_found"
            : lacksObjects(cause)
              ? "unavailable"
              : "git_failed",
      detail: lacksObjects(cause)
        ? "objects of this repository are missing here: the clone left them out, or is damaged"
        : cause.message,
      stateChanged: false
    })

  /** The folder of one of the workspace's repositories, by the path that leads to it. */
  const repositoryAt = (
    repository: string | undefined
  ): Effect.Effect<{ readonly directory: string; readonly prefix: string }, ServiceFailure> =>
    Effect.suspend(() => {
      if (repository === undefined || repository === "" || repository === ".")
        return Effect.succeed({ directory: engine.root.real, prefix: "" })
      const confined = confineSync(engine.root, repository)
      return confined instanceof PathRefused
        ? refused(confined)
        : Effect.succeed({
            directory: join(engine.root.real, confined.relative),
            prefix: `${confined.relative}/`
          })
    })

  const histories = new Past.Histories()
  /** Something of a repository's past. */
  const past = <A>(
    options: { readonly repository?: string | undefined } | undefined,
    ask: (place: Past.Place) => Effect.Effect<A, GitError>
  ): Effect.Effect<A, ServiceFailure> =>
    Effect.flatMap(repositoryAt(options?.repository), (place) => Effect.mapError(ask(place), gitFailed))

  const report = (options: {
    readonly anew?: boolean
    readonly paths?: ReadonlyArray<string> | undefined
  }): Effect.Effect<IndexReport, ServiceFailure> =>
    Effect.gen(function* () {
      const started = performance.now()
      const refreshed = yield* Effect.mapError(engine.refresh(options), failed("IndexControl"))
      const { counts } = viewOf(engine.known()!)
      return {
        file_count: counts.files,
        node_count: counts.symbols,
        edge_count: counts.edges,
        updated_files: refreshed.updated,
        removed_files: refreshed.removed,
        failed_files: refreshed.failed,
        skipped_files: refreshed.skipped,
        stale_file_count: engine.known()!.stale.length,
        full: refreshed.full,
        duration_ms: Math.round(performance.now() - started)
      }
    })

  const relative = (path: string) =>
    Effect.suspend(() => {
      const confined = confineSync(engine.root, path, { allowMissing: true })
      return confined instanceof PathRefused ? refused(confined) : Effect.succeed(confined.relative)
    })
  const textOnDisk = (path: string): Effect.Effect<FileText, ServiceFailure> =>
    Effect.suspend(() => {
      const read = readConfinedSync(engine.root, path, { maxBytes: largestText })
      return read instanceof PathRefused
        ? refused(read)
        : textOf(read.file.relative, read.bytes, read.size, read.mtimeMs)
    })

  return overlayServices(overlays, {
    name: engine.name,
    relative,
    text: (path) =>
      Effect.map(textOnDisk(path), ({ text }) => text).pipe(
        Effect.catchIf(
          ({ reason }) => reason === "not_found",
          () => Effect.succeed(undefined)
        )
      ),
    bytes: (path) =>
      Effect.suspend((): Effect.Effect<Uint8Array | undefined, ServiceFailure> => {
        const read = readConfinedSync(engine.root, path, { maxBytes: largestText })
        if (!(read instanceof PathRefused)) return Effect.succeed(read.bytes)
        return read.reason === "not_found" ? Effect.succeed(undefined) : refused(read)
      }),
    over: (files) =>
      Effect.flatMap(onDisk("OverlayView"), (current) => Effect.map(overlaid.over(current, files), viewOf))
  }).pipe(
    Context.add(CodeGraph, {
      view: Effect.map(currently("CodeGraph"), viewOf),
      wide: Effect.map(currently("CodeGraph"), viewOf),
      sketch: (texts) => Effect.promise(() => sketch(texts))
    }),
    Context.add(TextIndex, {
      search: (query) => Effect.flatMap(currently("TextIndex"), (current) => search.search(current, query)),
      glob: compileGlob,
      structural: (query) =>
        Effect.flatMap(currently("TextIndex"), (current) =>
          searchStructure(
            query,
            current.snapshot.files.filter(
              (f): f is FileEntry =>
                f?.view !== undefined && fileFilter({ paths: query.paths, languages: [query.language] })(f)
            ),
            (f) => search.read(f, current)
          )
        )
    }),
    Context.add(
      CodeTokens,
      codeTokens({
        files: Effect.map(currently("CodeTokens"), ({ snapshot }) => snapshot.files),
        read: (file) => Effect.map(currently("CodeTokens"), (current) => search.read(file, current))
      })
    ),
    Context.add(FrameworkFacts, {
      read: (families) =>
        Effect.flatMap(currently("FrameworkFacts"), (current) =>
          Effect.flatMap(Effect.promise(frameworksOnce), (loaded) =>
            loaded.reading(current, viewOf(current), families)
          )
        )
    }),
    Context.add(ProgramFlow, flow),
    Context.add(
      RuleMatcher,
      makeRuleMatcher((query) =>
        Effect.map(currently("RuleMatcher"), (current) => ({
          files: search.listed(current, {
            paths: query.path === undefined ? undefined : [query.path],
            languages: query.languages,
            tests: query.tests
          }),
          read: (file) => search.read(file, current),
          trigrams: current.trigrams
        }))
      )
    ),
    Context.add(ReadFs, {
      readText: (path) =>
        Effect.gen(function* () {
          const { session } = yield* CallInfo
          const files = yield* overlays.active(session)
          const own = files?.get(yield* relative(path))
          if (own === undefined) {
            const text = yield* textOnDisk(path)
            return session === undefined
              ? text
              : {
                  ...text,
                  revision: revisions.issue(
                    { owner: session, project: engine.root.real, path: text.path },
                    text.sha
                  )
                }
          }
          if (own.deleted)
            return yield* new ServiceFailure({
              service: "ReadFs",
              reason: "not_found",
              detail: `${own.path} is deleted in this session's overlay`,
              stateChanged: false
            })
          const bytes = Buffer.from(own.content)
          return { ...(yield* textOf(own.path, bytes, bytes.length, 0)), overlay: true as const }
        }),
      readDisk: textOnDisk,
      lines: (path, from, to) =>
        Effect.flatMap(CallInfo, ({ session }) =>
          Effect.match(overlays.active(session), {
            onFailure: () => undefined,
            onSuccess: (files) => {
              const current = files === undefined ? engine.known() : undefined
              return current === undefined ? undefined : lineReader.lines(current.snapshot, path, from, to)
            }
          })
        ),
      relative,
      redact: (path, text) => redactSecrets(path, text)
    }),
    Context.add(CoverageReader, coverageReader(engine.root)),
    Context.add(GitReader, {
      resolve: (revision) =>
        Git.revParse(engine.root.real, revision, { commit: true }).pipe(
          Effect.mapError(gitFailed),
          Effect.flatMap((id) =>
            id === null
              ? new ServiceFailure({
                  service: "GitReader",
                  reason: "not_found",
                  detail: `no commit ${revision}`,
                  stateChanged: false
                })
              : Effect.succeed(id)
          )
        ),
      log: ({ limit, path }) =>
        Git.log(engine.root.real, { limit, ...(path === undefined ? {} : { paths: [path] }) }).pipe(
          Stream.map((c) => ({
            id: c.oid,
            subject: c.subject,
            author: c.authorName,
            at: new Date(c.committedAt * 1000).toISOString(),
            files: c.files.map((f) => f.path)
          })),
          Stream.runCollect,
          Effect.map((chunk) => Array.from(chunk)),
          Effect.mapError(gitFailed)
        ),
      status: Git.status(engine.root.real).pipe(
        Effect.map((s) =>
          s.entries.map((e) => ({ path: e.path, status: `${e.index}${e.workTree}`.replaceAll(".", " ") }))
        ),
        Effect.mapError(gitFailed)
      ),
      changes: (comparison, { files, repository } = {}) =>
        repositoryAt(repository).pipe(
          Effect.flatMap(({ directory, prefix }) =>
            Effect.mapError(Changes.changes(directory, prefix, comparison, files), gitFailed)
          )
        ),
      texts: (blobs, { repository } = {}) =>
        Effect.flatMap(repositoryAt(repository), ({ directory }) =>
          Effect.mapError(Changes.texts(directory, blobs), gitFailed)
        ),
      blame: (path, { repository } = {}) =>
        Effect.flatMap(repositoryAt(repository), ({ directory, prefix }) =>
          Effect.mapError(
            blame(directory, path.startsWith(prefix) ? path.slice(prefix.length) : path),
            gitFailed
          )
        ),
      state: (options) => past(options, Past.state),
      history: ({ repository, ...options }) =>
        past({ repository }, (place) => Past.history(place, histories, options)),
      lineage: (files, { repository, ...options }) =>
        past({ repository }, (place) => Past.lineage(place, files, options)),
      tags: ({ merged, repository } = {}) => past({ repository }, ({ directory }) => tags(directory, merged)),
      firstSeen: (trees, options) =>
        past(options, ({ directory, prefix }) =>
          Effect.map(firstSeen(directory, trees), (all) =>
            prefix === "" ? all : all.map((paths) => paths.map((path) => prefix + path))
          )
        ),
      firstReached: (commits, options) => past(options, (place) => Past.firstReached(place, commits)),
      messages: (commits, options) => past(options, (place) => Past.messages(place, commits)),
      textAt: (commit, path, options) => past(options, (place) => Past.textAt(place, commit, path))
    }),
    Context.add(WorkspaceView, {
      name: engine.name,
      projects: Effect.succeed({ workspace: engine.name, active: undefined, projects: [] }),
      receipt: writes.receipt,
      receipts: writes.receipts,
      repositories: Effect.map(onDisk("WorkspaceView"), (current) => {
        const counts = new Map<number, number>()
        for (const file of current.snapshot.files)
          if (file !== undefined) counts.set(file.unit, (counts.get(file.unit) ?? 0) + 1)
        return current.snapshot.units.map((unit, i) => ({
          name: unit.root === "" ? engine.name : unit.root.slice(unit.root.lastIndexOf("/") + 1),
          root: unit.root === "" ? "." : unit.root,
          kind: unit.kind,
          head: unit.head,
          branch: unit.branch,
          files: counts.get(i) ?? 0
        }))
      }),
      feed: Effect.map(onDisk("WorkspaceView"), () => engine.feed()),
      health: Effect.map(onDisk("WorkspaceView"), (current) => {
        const { counts } = viewOf(current)
        const skipped: { [reason: string]: number } = {}
        const failures: Array<{ readonly path: string; readonly reason: string }> = []
        const perLanguage = new Map<number, { files: number; symbols: number }>()
        let parseErrors = 0
        for (const left of current.left) skipped[left.reason] = (skipped[left.reason] ?? 0) + 1
        for (const file of current.snapshot.files) {
          if (file === undefined) continue
          if (file.view === undefined) {
            const reason = file.skip === "" ? "no_language" : file.skip
            skipped[reason] = (skipped[reason] ?? 0) + 1
            if (failureReasons.has(reason) && failures.length < 50) failures.push({ path: file.path, reason })
            continue
          }
          const row = perLanguage.get(file.language) ?? { files: 0, symbols: 0 }
          row.files++
          row.symbols += file.view.definitionCount
          perLanguage.set(file.language, row)
          if (file.view.ints[file.view.at + H.parseErrors]! > 0) parseErrors++
        }
        return {
          state: "ready",
          listed_files: counts.files,
          indexed_files: counts.indexed_files,
          skipped,
          failures,
          parse_errors: parseErrors,
          languages: [...perLanguage]
            .map(([id, row]) => ({
              language: languages[id]!.id,
              files: row.files,
              depth: languages[id]!.depth,
              symbols: row.symbols
            }))
            .sort((a, b) => b.files - a.files),
          symbols: counts.symbols,
          edges: counts.edges,
          unbound: counts.unbound,
          indexed_at: new Date(current.checkedAt).toISOString(),
          watching: engine.watching(),
          store_bytes: engine.storeBytes()
        }
      })
    }),
    Context.merge(writes.services),
    Context.add(IndexControl, {
      index: report({ anew: true }),
      reindex: (paths) => report({ paths }),
      locate: (path, options) => locateTree(path, engine.root.real, options),
      load: (name) =>
        new ServiceFailure({
          service: "IndexControl",
          reason: "not_found",
          detail: `no repository ${name} is tracked here`,
          stateChanged: false
        }),
      unload: () => Effect.succeed(undefined),
      served: { root: engine.root.real, name: engine.name }
    })
  )
}

const isSame = (a: ReadonlyArray<string>, b: ReadonlyArray<string>): boolean =>
  a === b || (a.length === b.length && a.every((path, i) => path === b[i]))

/** A file's text out of its bytes. */
const textOf = (
  path: string,
  bytes: Buffer,
  size: number,
  mtimeMs: number
): Effect.Effect<FileText, ServiceFailure> => {
  if (isBinary(bytes))
    return new ServiceFailure({
      service: "ReadFs",
      reason: "binary",
      detail: `${path} is a binary file`,
      stateChanged: false
    })
  const decoded = decodeText(bytes)
  let sha: string | undefined
  return Effect.succeed({
    path,
    text: decoded.text,
    bytes: size,
    // Many texts are read for what they say alone.
    get sha() {
      return (sha ??= Git.blobOid(bytes))
    },
    eol: decoded.eol === "cr" ? ("mixed" as const) : decoded.eol,
    bom: decoded.bom,
    encoding: decoded.encoding === "latin1-fallback" ? "latin1" : decoded.encoding,
    mtime_ms: mtimeMs
  })
}

const failureReasons = new Set([
  "extractor_failed",
  "too_many_definitions",
  "language_unavailable",
  "timeout",
  "crashed",
  "unreadable"
])

const freshnessOf = (current: Current): Freshness => ({
  state: current.stale.length > 0 || current.problem !== undefined ? "stale" : "fresh",
  stale_files: current.stale.slice(0, 50),
  head: current.snapshot.units[0]?.head,
  checked_at: new Date(current.checkedAt).toISOString()
})
