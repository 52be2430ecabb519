/** The read services over a real folder, made from the engine's own parts. */
import { Effect, Layer, type Scope } from "effect"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { blobOid } from "../../../src/engine/git/Git.ts"
import { makeView } from "../../../src/engine/graph/View.ts"
import { languages } from "../../../src/engine/languages/index.ts"
import { compileGlob, compileGlobs } from "../../../src/engine/text/Globs.ts"
import { InvalidPattern } from "../../../src/engine/text/Pattern.ts"
import { searchText } from "../../../src/engine/text/Search.ts"
import { type Current, open, type WorkspaceEngine } from "../../../src/engine/workspace/Workspace.ts"
import { CodeGraph, type GraphView } from "../../../src/services/CodeGraph.ts"
import { ReadFs } from "../../../src/services/ReadFs.ts"
import { ServiceFailure } from "../../../src/services/ServiceFailure.ts"
import { TextIndex, type TextMatch } from "../../../src/services/TextIndex.ts"
import { WorkspaceView } from "../../../src/services/WorkspaceView.ts"

const under = (path: string, prefixes: ReadonlyArray<string> | undefined): boolean =>
  prefixes === undefined ||
  prefixes.length === 0 ||
  prefixes.some((p) => path === p || path.startsWith(`${p.replace(/\/$/, "")}/`))

/** Reads of one engine as the services handlers ask for. A view is kept as long as its snapshot is. */
export const servicesOf = (engine: WorkspaceEngine) => {
  let held: { readonly current: Current; readonly view: GraphView } | undefined
  const state = engine.current.pipe(
    Effect.mapError((e) => new ServiceFailure({ service: "CodeGraph", reason: e.reason, detail: e.detail }))
  )
  const view = Effect.map(state, (current) => {
    if (held === undefined || held.current.snapshot.files !== current.snapshot.files) {
      held = {
        current,
        view: makeView(current.snapshot, {
          state: "fresh",
          stale_files: [],
          head: undefined,
          checked_at: new Date(current.checkedAt).toISOString()
        })
      }
    }
    return held.view
  })
  const textOf = (path: string) => readFileSync(join(engine.root.real, path))
  const graph = CodeGraph.of({ view })
  const text = TextIndex.of({
    glob: (pattern) => compileGlob(pattern),
    structural: () =>
      Effect.fail(
        new ServiceFailure({
          service: "TextIndex",
          reason: "no_grammar",
          detail: "no structural search here"
        })
      ),
    // The state a view was made of, so that one answer speaks of one state.
    search: (query) =>
      Effect.flatMap(
        Effect.suspend(() => (held === undefined ? state : Effect.succeed(held.current))),
        ({ snapshot, trigrams }) =>
          Effect.try({
            try: () => {
              const globs =
                query.globs === undefined || query.globs.length === 0 ? () => true : compileGlobs(query.globs)
              const ids = snapshot.files.flatMap((f) =>
                f !== undefined &&
                f.oid !== "" &&
                under(f.path, query.paths) &&
                globs(f.path) &&
                (query.languages === undefined ||
                  query.languages.length === 0 ||
                  query.languages.includes(languages[f.language]?.id ?? ""))
                  ? [f.id]
                  : []
              )
              ids.sort((a, b) => (snapshot.files[a]!.path < snapshot.files[b]!.path ? -1 : 1))
              const result = searchText(
                query.pattern,
                {
                  files: ids,
                  index: trigrams,
                  read: (id) => {
                    try {
                      return textOf(snapshot.files[id]!.path)
                    } catch {
                      return undefined
                    }
                  }
                },
                {
                  literal: !query.regexp,
                  ignoreCase: query.ignore_case === true,
                  word: query.word === true,
                  multiline: query.multiline === true,
                  before: query.before ?? 0,
                  after: query.after ?? 0,
                  limit: query.limit,
                  mode: query.mode,
                  ...(query.per_file === undefined ? {} : { perFile: query.per_file })
                } as never
              )
              const matches: Array<TextMatch> = []
              for (const file of result.files) {
                for (const hit of file.hits) {
                  matches.push({
                    path: snapshot.files[file.fileId]!.path,
                    line: hit.line,
                    column: hit.ranges[0]?.column ?? 1,
                    end_line: hit.endLine,
                    text: hit.text,
                    clipped: hit.clipped,
                    before: hit.before.map((l) => l.text),
                    after: hit.after.map((l) => l.text)
                  })
                }
              }
              return {
                matches,
                files:
                  query.mode === "matches"
                    ? []
                    : result.files.map((f) => ({ path: snapshot.files[f.fileId]!.path, count: f.lines })),
                total: result.totals.lines,
                total_files: result.totals.files,
                complete:
                  result.truncated === undefined &&
                  result.incomplete === undefined &&
                  result.unreadable.length === 0,
                causes: [
                  result.truncated,
                  result.incomplete,
                  result.unreadable.length > 0 ? "unreadable" : undefined
                ].filter((c): c is NonNullable<typeof c> => c !== undefined),
                searched_files: result.searched
              }
            },
            catch: (e) =>
              new ServiceFailure({
                service: "TextIndex",
                reason: e instanceof InvalidPattern ? "invalid_pattern" : "failed",
                detail: String(e)
              })
          })
      )
  })
  const fs = ReadFs.of({
    relative: (path) => Effect.succeed(path),
    redact: (_, content) => ({ text: content, redactions: 0 }),
    readText: (path) =>
      Effect.try({
        try: () => {
          const bytes = textOf(path)
          return {
            path,
            text: bytes.toString("utf8"),
            bytes: bytes.length,
            sha: blobOid(bytes),
            eol: "lf" as const,
            bom: false,
            encoding: "utf8",
            mtime_ms: 0
          }
        },
        catch: () =>
          new ServiceFailure({ service: "ReadFs", reason: "not_found", detail: `${path} is not there` })
      })
  })
  const workspace = WorkspaceView.of({
    name: engine.name,
    repositories: Effect.succeed([
      { name: engine.name, root: ".", kind: "plain", head: undefined, branch: undefined, files: 0 }
    ]),
    health: Effect.fail(
      new ServiceFailure({ service: "WorkspaceView", reason: "no_index", detail: "not asked here" })
    )
  })
  return {
    graph,
    text,
    fs,
    workspace,
    layer: Layer.mergeAll(
      Layer.succeed(CodeGraph, graph),
      Layer.succeed(TextIndex, text),
      Layer.succeed(ReadFs, fs),
      Layer.succeed(WorkspaceView, workspace)
    )
  }
}

/** A folder with these files and the services over it. */
export const folder = (files: {
  readonly [path: string]: string
}): Effect.Effect<
  ReturnType<typeof servicesOf> & { readonly root: string; readonly engine: WorkspaceEngine },
  never,
  Scope.Scope
> =>
  Effect.gen(function* () {
    const root = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "portico-folder-"))),
      (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
    )
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
    const engine = yield* Effect.orDie(
      open({ directory: root, exact: true, watch: false, store: false, threads: 1 })
    )
    return { ...servicesOf(engine), root, engine }
  })
