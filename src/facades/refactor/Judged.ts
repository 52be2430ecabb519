/** What a language server says of the work tree as it would be. */
import { Effect } from "effect"
import { failure, fromService, type OperationFailure } from "../../registry/Failure.ts"
import type { GraphView } from "../../services/CodeGraph.ts"
import { type LanguageDiagnostic, LanguageReader } from "../../services/LanguageReader.ts"
import type { Drafts } from "./Drafts.ts"
import { isEcmascript } from "./Names.ts"
import { means } from "./Specifier.ts"

/** Files judged beside those that change. */
const mostDependents = 40

/** Problems a failure repeats. */
export const shown = 20

/** Files that import one of these. */
export const importersOf = (view: GraphView, paths: Iterable<string>): ReadonlySet<string> => {
  const out = new Set<string>()
  for (const path of paths) {
    const ref = view.fileRef(path)
    if (ref === undefined) continue
    for (const edge of view.incoming(ref)) if (edge.path !== path) out.add(edge.path)
    for (const definition of view.definitions(path))
      for (const edge of view.incoming(definition))
        if (edge.path !== path && (edge.role === "import" || edge.role === "export")) out.add(edge.path)
  }
  return out
}

const diagnosticRow = (d: LanguageDiagnostic) => ({
  path: d.path,
  line: d.startLine,
  message: d.message,
  ...(d.code === undefined ? {} : { code: d.code })
})

const sameFamily = (a: string | undefined, b: string): boolean =>
  a === b || (a !== undefined && isEcmascript(a) && isEcmascript(b) && a !== "vue" && a !== "svelte")

export interface Judgement {
  readonly server: string
  /** Files whose problems were compared. */
  readonly files: number
  /** Files that depend on what changes and were not looked at. */
  readonly unchecked: number
}

/**
 * Compares the problems of every file that changes, and of files that import them, with those of the disk. Fails with
 * the new errors when there are any, and with the server's own failure when it cannot tell; undefined without a server.
 * `renamed` are words that an error which was there before may have changed.
 */
export const judge = (
  drafts: Drafts,
  language: string,
  renamed?: { readonly from: string; readonly to: string }
): Effect.Effect<Judgement | undefined, OperationFailure, LanguageReader> =>
  Effect.gen(function* () {
    const reader = yield* LanguageReader
    const { view } = drafts
    const own = (path: string) => sameFamily(view.file(path)?.language, language)
    const touched = drafts.touched
      .filter(({ deleted, path }) => deleted !== true && own(path))
      .map(({ movedTo, path }) => movedTo ?? path)
    const changing = new Set([
      ...touched,
      ...drafts.touched.map(({ path }) => path),
      ...drafts.created.keys()
    ])
    const dependents = [
      ...importersOf(
        view,
        drafts.touched.map(({ path }) => path)
      )
    ].filter((path) => !changing.has(path) && own(path))
    const paths = [...touched, ...drafts.created.keys(), ...dependents.slice(0, mostDependents)]
    if (paths.length === 0) return undefined
    const compared = yield* Effect.either(reader.compareDiagnostics(paths, drafts.overlay))
    if (compared._tag === "Left") {
      if (compared.left.reason === "not_configured") return undefined
      return yield* fromService(compared.left, { failure_stage: "preflight", state_changed: false })
    }
    const { partial, server, value } = compared.right
    // A server looks for modules on disk: a folder that is not there yet hides what an overlay has in it.
    const hidden = [...drafts.created.keys()].filter((path) => {
      const folder = path.slice(0, path.lastIndexOf("/") + 1)
      return folder !== "" && !view.files().some((file) => file.path.startsWith(folder))
    })
    const blind = (d: LanguageDiagnostic): boolean => {
      const specifier = d.code === "2307" ? /['"]([^'"]+)['"]/.exec(d.message)?.[1] : undefined
      return specifier !== undefined && hidden.some((path) => means(d.path, specifier, path))
    }
    const plain = (message: string) =>
      renamed === undefined ? message : message.replaceAll(renamed.to, renamed.from)
    const gone = value.removed.map((d) => `${d.code ?? ""}\0${plain(d.message)}`)
    const added = value.added.filter((d) => {
      if (d.severity !== "error" || blind(d)) return false
      const at = gone.indexOf(`${d.code ?? ""}\0${plain(d.message)}`)
      if (at < 0) return true
      gone.splice(at, 1)
      return false
    })
    if (added.length > 0)
      return yield* failure(
        "edit_conflict",
        `${added.length === 1 ? "an error" : `${added.length} errors`} would be new; nothing was written`,
        {
          reason_code: "new_errors",
          failure_stage: "preflight",
          data: {
            errors: added.slice(0, shown).map(diagnosticRow),
            total_errors: added.length,
            server
          }
        }
      )
    if (partial)
      return yield* failure("index_incomplete", `${server} has not read the whole project yet`, {
        reason_code: "server_not_ready",
        failure_stage: "preflight",
        data: { server }
      })
    return {
      server,
      files: paths.length,
      unchecked: Math.max(0, dependents.length - mostDependents)
    }
  })
