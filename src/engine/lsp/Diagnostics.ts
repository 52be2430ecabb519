/** Diagnostics of a document: asked for, waited for, or both, and compared with earlier ones. */
import { Effect } from "effect"
import type { DiagnosticsComparison, LanguageDiagnostic } from "../../services/LanguageReader.ts"
import type { Documents } from "./Documents.ts"
import type { CallFailure } from "./LspFailure.ts"
import { decode, type Diagnostic, DiagnosticReport } from "./Protocol.ts"
import type { Server } from "./Server.ts"
import { spanOf } from "./WorkspaceEdits.ts"

const severities = ["error", "warning", "information", "hint"] as const

const read = (documents: Documents, path: string, diagnostic: Diagnostic): LanguageDiagnostic => {
  const { code, source, message } = diagnostic
  return {
    ...spanOf({ place: (p, position) => documents.fromServer(p, position) }, path, diagnostic.range),
    severity: severities[(diagnostic.severity ?? 1) - 1] ?? "error",
    message: typeof message === "string" ? message : message.value,
    ...(code === undefined || code === null ? {} : { code: String(code) }),
    ...(source === undefined || source === null ? {} : { source })
  }
}

const identity = (d: LanguageDiagnostic): string =>
  JSON.stringify([d.path, d.severity, d.code, d.message, d.source])

const spot = (d: LanguageDiagnostic): string =>
  JSON.stringify([identity(d), d.startLine, d.startColumn, d.endLine, d.endColumn])

const inOrder = (a: LanguageDiagnostic, b: LanguageDiagnostic): number =>
  (a.path < b.path ? -1 : a.path > b.path ? 1 : 0) ||
  a.startLine - b.startLine ||
  a.startColumn - b.startColumn

/** Both lists as one, each diagnostic once, in order of place. */
export const union = (
  a: ReadonlyArray<LanguageDiagnostic>,
  b: ReadonlyArray<LanguageDiagnostic>
): ReadonlyArray<LanguageDiagnostic> => {
  const seen = new Map<string, LanguageDiagnostic>()
  for (const d of [...a, ...b]) if (!seen.has(spot(d))) seen.set(spot(d), d)
  return [...seen.values()].sort(inOrder)
}

/** What is new and what is gone after a change. Equal diagnostics are counted: three where there were two is one added. */
export const compare = (
  before: ReadonlyArray<LanguageDiagnostic>,
  after: ReadonlyArray<LanguageDiagnostic>
): DiagnosticsComparison => {
  const left = new Map<string, Array<LanguageDiagnostic>>()
  for (const d of before) left.set(identity(d), [...(left.get(identity(d)) ?? []), d])
  const unmatched: Array<LanguageDiagnostic> = []
  let kept = 0
  // Those that did not move are matched first, so that the rest is the truly new one.
  const still = new Set(before.map(spot))
  for (const d of [...after.filter((x) => still.has(spot(x))), ...after.filter((x) => !still.has(spot(x)))]) {
    const list = left.get(identity(d)) ?? []
    const same = list.findIndex((x) => spot(x) === spot(d))
    if (list.length === 0) unmatched.push(d)
    else {
      list.splice(Math.max(same, 0), 1)
      kept++
    }
  }
  return { added: unmatched.sort(inOrder), removed: [...left.values()].flat().sort(inOrder), kept }
}

/** Milliseconds for a server's own diagnostics to arrive, and without more of them to count as all. */
export const arrival = { max: 10_000, quiet: 300 }

/** Diagnostics and whether they are all. */
export interface Judged {
  readonly diagnostics: ReadonlyArray<LanguageDiagnostic>
  readonly complete: boolean
}

/**
 * Diagnostics of an open document as the server sees it now. A server that can be asked is asked within `millis`; what it
 * sent by itself for the same text is added. One that only sends is waited for, at most `publishMillis`; if nothing comes the answer is marked.
 */
export const judge = (
  server: Server,
  documents: Documents,
  path: string,
  languageId: string,
  millis: number,
  publishMillis: number = arrival.max
): Effect.Effect<Judged, CallFailure> =>
  Effect.gen(function* () {
    const told = documents.told(path)
    const published = (): ReadonlyArray<LanguageDiagnostic> => {
      const latest = told === undefined ? undefined : server.published.get(told.uri)
      const version = documents.told(path)?.version
      if (latest === undefined || (latest.version !== undefined && latest.version !== version)) return []
      return latest.diagnostics.map((d) => read(documents, path, d))
    }
    const method = "textDocument/diagnostic"
    if (server.capabilities.offers(method, languageId)) {
      const pulled = yield* server
        .call(method, { textDocument: { uri: documents.uri(path) } }, millis, languageId)
        .pipe(
          Effect.flatMap(decode(DiagnosticReport, server.id, method)),
          Effect.map((report) => (report.kind === "full" ? report.items : [])),
          Effect.catchTag("Unsupported", () => Effect.succeed(undefined))
        )
      if (pulled !== undefined)
        return {
          diagnostics: union(
            pulled.map((d) => read(documents, path, d)),
            // What a server sends beside its answers comes from a compiler that reads the disk.
            documents.overlaid ? [] : published()
          ),
          complete: true
        }
    }
    const seen = judgedAt.get(documents)?.get(path)
    if (seen !== documents.state) {
      // Something was said since this document was judged: say it again and wait for what the server makes of it.
      if (seen !== undefined || server.published.get(documents.told(path)?.uri ?? "") !== undefined)
        yield* documents.touch(path)
    }
    const fresh = (): boolean => {
      const now = documents.told(path)
      const latest = now === undefined ? undefined : server.published.get(now.uri)
      return (
        server.goneWith() !== undefined ||
        (now !== undefined &&
          latest !== undefined &&
          (latest.version === undefined ? latest.order > now.order : latest.version === now.version))
      )
    }
    const complete = yield* server.published.settled({
      when: fresh,
      quietMillis: seen === documents.state ? 0 : arrival.quiet,
      maxMillis: Math.min(publishMillis, millis)
    })
    const goneWith = server.goneWith()
    if (goneWith !== undefined) return yield* Effect.fail(goneWith)
    if (complete) {
      const judged = judgedAt.get(documents) ?? new Map<string, number>()
      judgedAt.set(documents, judged)
      judged.set(path, documents.state)
    }
    return { diagnostics: union(published(), []), complete }
  })

/** The state of the documents in which a path was last judged by a server that only sends. */
const judgedAt = new WeakMap<Documents, Map<string, number>>()
