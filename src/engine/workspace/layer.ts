/** Publishes one workspace as the services operations ask for. */
import { Context, Effect, Layer, Stream } from "effect"
import { CallInfo } from "../../registry/CallInfo.ts"
import { CodeGraph, type Freshness, type GraphView } from "../../services/CodeGraph.ts"
import { GitReader } from "../../services/GitReader.ts"
import { IndexControl, type IndexReport } from "../../services/IndexControl.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import { ServiceFailure } from "../../services/ServiceFailure.ts"
import { TextIndex } from "../../services/TextIndex.ts"
import { WorkspaceView } from "../../services/WorkspaceView.ts"
import { confineSync, PathRefused, readConfinedSync } from "../files/Confine.ts"
import { decodeText } from "../files/Reader.ts"
import { redactSecrets } from "../files/Secrets.ts"
import { isBinary } from "../files/Skip.ts"
import * as Git from "../git/Git.ts"
import type { GitError } from "../git/GitError.ts"
import type { FileEntry } from "../graph/Snapshot.ts"
import { makeView, withFreshness } from "../graph/View.ts"
import { H } from "../languages/Facts.ts"
import { languages } from "../languages/index.ts"
import { compileGlob } from "../text/Globs.ts"
import { searchStructure } from "../structural/StructuralSearch.ts"
import { fileFilter, TextSearch } from "./TextSearch.ts"
import {
  type Current,
  open,
  type OpenOptions,
  type WorkspaceEngine,
  type WorkspaceFailure
} from "./Workspace.ts"

const largestText = 16 << 20

export const layerWorkspace = (
  options: OpenOptions
): Layer.Layer<CodeGraph | TextIndex | ReadFs | GitReader | WorkspaceView | IndexControl, WorkspaceFailure> =>
  Layer.scopedContext(Effect.map(open(options), servicesOf))

export const servicesOf = (
  engine: WorkspaceEngine
): Context.Context<CodeGraph | TextIndex | ReadFs | GitReader | WorkspaceView | IndexControl> => {
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
  const currently = (service: string) =>
    Effect.flatMap(CallInfo, ({ requestId }) =>
      service !== "CodeGraph" && looked?.call === requestId && looked.current === engine.known()
        ? Effect.succeed(looked.current)
        : Effect.mapError(engine.current, failed(service)).pipe(
            Effect.tap((current) =>
              Effect.sync(() => {
                looked = requestId === "local" ? undefined : { call: requestId, current }
              })
            )
          )
    )

  let last: { readonly current: Current; readonly view: GraphView } | undefined
  const viewOf = (current: Current): GraphView => {
    if (last === undefined || last.current !== current) {
      const same =
        last !== undefined &&
        last.current.snapshot.files === current.snapshot.files &&
        last.current.stale === current.stale
      last = {
        current,
        view: same
          ? withFreshness(last!.view, freshnessOf(current))
          : makeView(current.snapshot, freshnessOf(current))
      }
    }
    return last.view
  }
  const search = new TextSearch(engine.root.real)

  const refused = (cause: PathRefused) =>
    new ServiceFailure({
      service: "ReadFs",
      reason: cause.reason,
      detail: `${cause.path}: ${cause.detail ?? cause.reason.replaceAll("_", " ")}`,
      stateChanged: false
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
            : "git_failed",
      detail: cause.message,
      stateChanged: false
    })

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

  return Context.empty().pipe(
    Context.add(CodeGraph, { view: Effect.map(currently("CodeGraph"), viewOf) }),
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
            (f) => search.read(f)
          )
        )
    }),
    Context.add(ReadFs, {
      readText: (path) =>
        Effect.suspend(() => {
          const read = readConfinedSync(engine.root, path, { maxBytes: largestText })
          if (read instanceof PathRefused) return refused(read)
          if (isBinary(read.bytes))
            return new ServiceFailure({
              service: "ReadFs",
              reason: "binary",
              detail: `${read.file.relative} is a binary file`,
              stateChanged: false
            })
          const decoded = decodeText(read.bytes)
          return Effect.succeed({
            path: read.file.relative,
            text: decoded.text,
            bytes: read.size,
            sha: Git.blobOid(read.bytes),
            eol: decoded.eol === "cr" ? ("mixed" as const) : decoded.eol,
            bom: decoded.bom,
            encoding: decoded.encoding === "latin1-fallback" ? "latin1" : decoded.encoding,
            mtime_ms: read.mtimeMs
          })
        }),
      relative: (path) =>
        Effect.suspend(() => {
          const confined = confineSync(engine.root, path, { allowMissing: true })
          return confined instanceof PathRefused ? refused(confined) : Effect.succeed(confined.relative)
        }),
      redact: (path, text) => redactSecrets(path, text)
    }),
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
          s.entries.map((e) => ({ path: e.path, status: "status" in e ? String(e.status) : "??" }))
        ),
        Effect.mapError(gitFailed)
      )
    }),
    Context.add(WorkspaceView, {
      name: engine.name,
      repositories: Effect.map(currently("WorkspaceView"), (current) => {
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
      health: Effect.map(currently("WorkspaceView"), (current) => {
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
    Context.add(IndexControl, {
      index: report({ anew: true }),
      reindex: (paths) => report({ paths })
    })
  )
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
