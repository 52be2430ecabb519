/** What a language server says of the work tree as it would be. */
import { Effect } from "effect"
import { failure, fromService, type OperationFailure } from "../../registry/Failure.ts"
import type { GraphView } from "../../services/CodeGraph.ts"
import {
  type LanguageAnswer,
  type LanguageDiagnostic,
  LanguageReader
} from "../../services/LanguageReader.ts"
import type { OverlayFile } from "../../services/OverlayView.ts"
import type { ServiceFailure } from "../../services/ServiceFailure.ts"
import type { Drafts } from "./Drafts.ts"
import { isEcmascript } from "./Names.ts"
import { means, pythonMeans } from "./Specifier.ts"

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
  /** Those a compiler has read and finds no error in, as they would be. */
  readonly sound: ReadonlySet<string>
}

const isError = ({ severity }: LanguageDiagnostic): boolean => severity === "error"

/** Files judged at a time. */
const abreast = 4

type Problems = ReadonlyMap<string, LanguageAnswer<ReadonlyArray<LanguageDiagnostic>>>

/** The problems of files, by path, as an overlay would have them, or as the disk has them. */
const problemsOf = (
  paths: ReadonlyArray<string>,
  how: { readonly overlay?: ReadonlyArray<OverlayFile>; readonly across?: ReadonlyArray<string> },
  mayBeAbsent: (path: string) => boolean = () => false
): Effect.Effect<Problems, ServiceFailure, LanguageReader> =>
  Effect.flatMap(LanguageReader, (reader) =>
    Effect.map(
      Effect.forEach(
        paths,
        (path) =>
          Effect.catchIf(
            reader.diagnostics(path, how),
            (cause) => cause.reason === "not_found" && mayBeAbsent(path),
            () => Effect.succeed(undefined)
          ),
        { concurrency: abreast }
      ),
      (answers) =>
        new Map(answers.flatMap((answer, i) => (answer === undefined ? [] : [[paths[i]!, answer] as const])))
    )
  )

const listed = (problems: Problems): ReadonlyArray<LanguageDiagnostic> =>
  [...problems.values()].flatMap(({ value }) => value)

/** Those that have no equal of their own on the other side, by some key of both; what has one is taken out of there. */
const unmatched = <A>(list: ReadonlyArray<A>, others: Set<A>, key: (one: A) => string): ReadonlyArray<A> => {
  const byKey = new Map<string, Array<A>>()
  for (const other of others) {
    const same = byKey.get(key(other))
    if (same === undefined) byKey.set(key(other), [other])
    else same.push(other)
  }
  return list.filter((one) => {
    const equal = byKey.get(key(one))?.shift()
    if (equal !== undefined) others.delete(equal)
    return equal === undefined
  })
}

/** Errors of the one side that the other does not have; `renamed` are words that differ between them. */
const addedIn = (
  after: ReadonlyArray<LanguageDiagnostic>,
  before: ReadonlyArray<LanguageDiagnostic>,
  blind: (d: LanguageDiagnostic) => boolean,
  renamed: { readonly from: string; readonly to: string } | undefined
): ReadonlyArray<LanguageDiagnostic> => {
  const plainly = (d: LanguageDiagnostic) => {
    const said = renamed === undefined ? d.message : d.message.replaceAll(renamed.to, renamed.from)
    const key = `${d.severity}\0${d.code ?? ""}\0${said}`
    const inFile = `${key}\0${d.path}`
    return { d, key, inFile, place: `${inFile}\0${d.startLine}:${d.startColumn}` }
  }
  const known = new Set(before.map(plainly))
  let left: ReadonlyArray<ReturnType<typeof plainly>> = after
    .filter((d) => isError(d) && !blind(d))
    .map(plainly)
  // What stayed where it was first, then what stayed in its file: a problem may move to another with its code.
  for (const by of ["place", "inFile", "key"] as const) left = unmatched(left, known, (one) => one[by])
  return left.map(({ d }) => d)
}

/**
 * Compares the problems of every file that changes, and of files that import them, with those of the disk. Fails with
 * the new errors when there are any, and with the server's own failure when it cannot tell; undefined without a server.
 * `renamed` are words that an error which was there before may have changed; `across` as of a question to the server.
 */
export const judge = (
  drafts: Drafts,
  language: string,
  renamed?: { readonly from: string; readonly to: string },
  across: ReadonlyArray<string> = []
): Effect.Effect<Judgement | undefined, OperationFailure, LanguageReader> =>
  Effect.gen(function* () {
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
    // A server looks for modules on disk: a folder that is not there yet hides what an overlay has in it.
    const hidden = [...drafts.created.keys()].filter((path) => {
      const folder = path.slice(0, path.lastIndexOf("/") + 1)
      return folder !== "" && !view.files().some((file) => file.path.startsWith(folder))
    })
    const blind = (d: LanguageDiagnostic): boolean => {
      const unresolved = d.code === "2307" || d.code === "reportMissingImports"
      const specifier = unresolved ? /['"]([^'"]+)['"]/.exec(d.message)?.[1] : undefined
      if (specifier === undefined) return false
      // Servers of Python look for every module on disk; what the graph finds in the new file counts instead.
      return d.code === "2307"
        ? hidden.some((path) => means(d.path, specifier, path))
        : [...drafts.created.keys()].some((path) => pythonMeans(d.path, specifier, path))
    }
    const looked = yield* Effect.either(
      Effect.gen(function* () {
        const after = yield* problemsOf(paths, { overlay: drafts.overlay, across })
        const wrong = new Set(paths.filter((path) => after.get(path)?.value.some(isError) === true))
        const added = (before: Problems) => addedIn(listed(after), listed(before), blind, renamed)
        // Where nothing is wrong afterwards nothing is new, and the disk need not be judged.
        if (wrong.size === 0) return { after, before: new Map(), added: [] }
        const onDisk = (of: ReadonlyArray<string>) => problemsOf(of, { across }, (path) => changing.has(path))
        const first = yield* onDisk([...wrong])
        const unexplained = added(first)
        if (unexplained.length === 0) return { after, before: first, added: unexplained }
        // What goes from its place takes its problems along, and may take them to another file.
        const gone = drafts.touched.flatMap(({ path }) => (own(path) && !paths.includes(path) ? [path] : []))
        const rest = yield* onDisk([...paths, ...gone].filter((path) => !wrong.has(path)))
        const before = new Map([...first, ...rest])
        return { after, before, added: added(before) }
      })
    )
    if (looked._tag === "Left") {
      if (looked.left.reason === "not_configured") return undefined
      return yield* fromService(looked.left, { failure_stage: "preflight", state_changed: false })
    }
    const { added, after, before } = looked.right
    const answers = [...after.values(), ...before.values()]
    const server = [...new Set(answers.map((answer) => answer.server))].join(", ")
    const partial = answers.some((answer) => answer.partial)
    if (added.length > 0)
      return yield* failure(
        "edit_conflict",
        `${added.length === 1 ? "an error" : `${added.length} errors`} would be new; nothing was written`,
        {
          field: drafts.field,
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
        field: drafts.field,
        reason_code: "server_not_ready",
        failure_stage: "preflight",
        data: { server }
      })
    return {
      server,
      files: paths.length,
      unchecked: Math.max(0, dependents.length - mostDependents),
      sound: new Set(
        isEcmascript(language)
          ? [...after].flatMap(([path, { value }]) => (value.some(isError) ? [] : [path]))
          : []
      )
    }
  })
