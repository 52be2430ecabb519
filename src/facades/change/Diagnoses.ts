/** What language servers say of files that are not on disk, before an edit and after it. */
import { Effect } from "effect"
import { type LanguageDiagnostic, LanguageReader } from "../../services/LanguageReader.ts"
import type { OverlayFile } from "../../services/OverlayView.ts"

/** What was said of one file, or why nothing is known of it. */
export type Said =
  | { readonly found: ReadonlyArray<LanguageDiagnostic>; readonly server: string; readonly partial: boolean }
  | { readonly unknown: string; readonly detail: string }

/** What was said of the files of one state of the texts, by path. Asked for once, kept for the next comparison. */
export type Judged = Map<string, Said>

/** Files asked about at a time. */
const abreast = 4

/** Asks about those of the paths that nothing is known of yet. */
const ask = (
  paths: ReadonlyArray<string>,
  overlay: ReadonlyArray<OverlayFile>,
  known: Judged
): Effect.Effect<void, never, LanguageReader> =>
  Effect.gen(function* () {
    const reader = yield* LanguageReader
    yield* Effect.forEach(
      paths.filter((path) => !known.has(path)),
      (path) =>
        reader.diagnostics(path, { overlay }).pipe(
          Effect.match({
            onFailure: ({ detail, reason }): Said => ({ unknown: reason, detail }),
            onSuccess: ({ partial, server, value }): Said => ({ found: value, server, partial })
          }),
          Effect.map((said) => {
            known.set(path, said)
          })
        ),
      { concurrency: abreast, discard: true }
    )
  })

/** Files of one state with what is known of them so far. */
export interface Sight {
  readonly overlay: ReadonlyArray<OverlayFile>
  readonly judged: Judged
}

/** A comparison of two states. */
export interface Compared {
  readonly added: ReadonlyArray<LanguageDiagnostic>
  readonly removed: ReadonlyArray<LanguageDiagnostic>
  /** Of the state after, in the files that were compared. */
  readonly errors: number
  readonly warnings: number
  /** Errors more than before; negative for fewer. */
  readonly moreErrors: number
  readonly moreWarnings: number
  readonly servers: ReadonlyArray<string>
  /** How many files were compared, and those that were not with the reason. */
  readonly compared: number
  readonly unknown: ReadonlyArray<{ readonly path: string; readonly reason: string; readonly detail: string }>
  /** A server had not read the whole project. */
  readonly partial: boolean
}

/** Places may have moved: what is compared is the rest. */
const wordsOf = ({ code, message, severity }: LanguageDiagnostic): string =>
  `${severity}\0${code ?? ""}\0${message}`

const count = (all: ReadonlyArray<LanguageDiagnostic>, wanted: LanguageDiagnostic["severity"]): number =>
  all.filter(({ severity }) => severity === wanted).length

/** What one list has beyond another, each repetition for itself. */
const beyond = (
  all: ReadonlyArray<LanguageDiagnostic>,
  others: ReadonlyArray<LanguageDiagnostic>
): ReadonlyArray<LanguageDiagnostic> => {
  const left = new Map<string, number>()
  for (const one of others) left.set(wordsOf(one), (left.get(wordsOf(one)) ?? 0) + 1)
  return all.filter((one) => {
    const words = wordsOf(one)
    const more = left.get(words) ?? 0
    if (more === 0) return true
    left.set(words, more - 1)
    return false
  })
}

/** A file of both states, or of one of them. */
export interface Asked {
  readonly before: string | undefined
  readonly after: string | undefined
}

/**
 * Compares two states within `millis`. Whatever was not answered by then is unknown, and an unknown file is in no count.
 */
export const compareStates = (
  files: ReadonlyArray<Asked>,
  before: Sight,
  after: Sight,
  millis: number
): Effect.Effect<Compared, never, LanguageReader> =>
  Effect.gen(function* () {
    const wanted = (side: "before" | "after") => files.flatMap((file) => file[side] ?? [])
    yield* ask(wanted("before"), before.overlay, before.judged).pipe(
      Effect.zipRight(ask(wanted("after"), after.overlay, after.judged)),
      Effect.disconnect,
      Effect.timeoutOption(millis)
    )
    const late: Said = { unknown: "timeout", detail: `no answer within ${millis} ms` }
    const none: Said = { found: [], server: "", partial: false }
    const added: Array<LanguageDiagnostic> = []
    const removed: Array<LanguageDiagnostic> = []
    const now: Array<LanguageDiagnostic> = []
    const unknown: Array<{ path: string; reason: string; detail: string }> = []
    const servers = new Set<string>()
    let [compared, partial, errors, warnings] = [0, false, 0, 0]
    for (const file of files) {
      const said = (side: "before" | "after", { judged }: Sight): Said =>
        file[side] === undefined ? none : (judged.get(file[side]) ?? late)
      const [was, is] = [said("before", before), said("after", after)]
      const why = "unknown" in is ? is : "unknown" in was ? was : undefined
      if (why !== undefined) {
        unknown.push({ path: (file.after ?? file.before)!, reason: why.unknown, detail: why.detail })
        continue
      }
      const [old, found] = [was as Extract<Said, { found: unknown }>, is as Extract<Said, { found: unknown }>]
      compared++
      partial ||= old.partial || found.partial
      for (const { server } of [old, found]) if (server !== "") servers.add(server)
      added.push(...beyond(found.found, old.found))
      removed.push(...beyond(old.found, found.found))
      now.push(...found.found)
      errors += count(found.found, "error") - count(old.found, "error")
      warnings += count(found.found, "warning") - count(old.found, "warning")
    }
    return {
      added,
      removed,
      errors: count(now, "error"),
      warnings: count(now, "warning"),
      moreErrors: errors,
      moreWarnings: warnings,
      servers: [...servers].sort(),
      compared,
      unknown,
      partial
    }
  })

/** A diagnostic in an answer: `line` 1-based, `column` 0-based in UTF-16 units. */
export const diagnosticRow = (one: LanguageDiagnostic) => ({
  file_path: one.path,
  line: one.startLine,
  column: one.startColumn,
  end_line: one.endLine,
  end_column: one.endColumn,
  severity: one.severity,
  message: one.message,
  ...(one.code === undefined ? {} : { code: one.code }),
  ...(one.source === undefined ? {} : { source: one.source })
})

const mostUnknown = 20

/** What is known of a comparison. Unknown is not clean: without a single file compared there are no counts. */
export const summaryOfDiagnostics = (compared: Compared) => {
  const unknown =
    compared.unknown.length === 0
      ? {}
      : {
          unchecked_files: compared.unknown
            .slice(0, mostUnknown)
            .map(({ path, reason }) => ({ file_path: path, reason_code: reason })),
          ...(compared.unknown.length > mostUnknown ? { unchecked_file_count: compared.unknown.length } : {}),
          detail: compared.unknown[0]!.detail
        }
  if (compared.compared === 0)
    return compared.unknown.length === 0
      ? { state: "nothing_to_check" as const }
      : { state: "unknown" as const, reason_code: compared.unknown[0]!.reason, ...unknown }
  return {
    state: compared.unknown.length > 0 || compared.partial ? ("partial" as const) : ("compared" as const),
    server: compared.servers.join(", "),
    checked_files: compared.compared,
    errors: compared.errors,
    warnings: compared.warnings,
    new: compared.added.length,
    resolved: compared.removed.length,
    ...unknown
  }
}
