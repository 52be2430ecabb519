/** What a language server says of a file, the session's overlay in view. */
import { Duration, Effect } from "effect"
import { failure, fromService, type OperationFailure } from "../../registry/Failure.ts"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { CallInfo } from "../../registry/CallInfo.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { type LanguageAction, type LanguageAnswer, LanguageReader } from "../../services/LanguageReader.ts"
import { type OverlayFile, OverlayView } from "../../services/OverlayView.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import type { ServiceFailure } from "../../services/ServiceFailure.ts"
import { graph } from "../shared/symbols.ts"
import { diagnosticRow } from "./Diagnoses.ts"
import { change } from "./facade.ts"
import { inRange } from "./fields.ts"
import { fitting } from "./Rows.ts"

const file = F.aliased(F.path, "path")

const failed = (cause: ServiceFailure): OperationFailure =>
  fromService(cause, { field: "source.file", failure_stage: "resolve" })

/** Files the session has over the work tree. Fails with `overlay_drift` where they were made from others. */
const overlay: Effect.Effect<
  ReadonlyArray<OverlayFile>,
  OperationFailure,
  OverlayView | CodeGraph
> = Effect.gen(function* () {
  const { session } = yield* CallInfo
  if (session === undefined) return []
  const overlays = yield* OverlayView
  const files = yield* Effect.mapError(overlays.files(session), failed)
  // Looking through the overlay is what finds drift.
  if (files.length > 0) yield* graph
  return files
})

/** How long until a server that still reads the project is asked again. */
const pause = Duration.millis(150)

/** Asks until the server has read the whole project, or the time is over. The last answer counts. */
const settled = <A, E>(
  ask: Effect.Effect<LanguageAnswer<A>, E, LanguageReader>,
  until: number
): Effect.Effect<LanguageAnswer<A>, E, LanguageReader> =>
  Effect.flatMap(ask, (answer) =>
    !answer.partial || Date.now() + Duration.toMillis(pause) >= until
      ? Effect.succeed(answer)
      : Effect.map(
          Effect.timeoutOption(
            Effect.disconnect(Effect.delay(settled(ask, until), pause)),
            Math.max(0, until - Date.now())
          ),
          (later) => (later._tag === "Some" ? later.value : answer)
        )
  )

const diagnosticsNeeds = [LanguageReader, OverlayView, CodeGraph, ReadFs] as const

export const diagnostics: Member<typeof change, "diagnostics", typeof diagnosticsNeeds> = change.operation(
  "diagnostics",
  {
    tool: "get_diagnostics",
    presets: ["core", "edit", "hybrid"],
    summary: "A language server's diagnostics of a file.",
    input: F.input({
      source: F.group({ file }),
      options: F.group({
        wait: F.withDefault(F.described(F.flag, "wait until the server has read the whole project"), false),
        timeout_ms: F.clamped({ min: 0, max: 60_000, default: 5000 })
      })
    }),
    needs: diagnosticsNeeds,
    handler: ({ options, source }, call) =>
      Effect.gen(function* () {
        const fs = yield* ReadFs
        const path = yield* Effect.mapError(fs.relative(source.file), failed)
        const files = yield* overlay
        const reader = yield* LanguageReader
        const until = Date.now() + options.timeout_ms
        const ask = Effect.mapError(reader.diagnostics(path, { overlay: files }), failed)
        const answer = yield* (options.wait ? settled(ask, until) : ask).pipe(
          Effect.disconnect,
          Effect.timeoutOption(options.timeout_ms),
          Effect.flatten,
          Effect.catchTag("NoSuchElementException", () =>
            failure(
              "timeout",
              `no diagnostics of ${path} within ${options.timeout_ms} ms: whether it has any is not known`,
              { field: "options.timeout_ms", state_changed: false, data: { path } }
            )
          )
        )
        const rows = fitting(
          answer.value,
          { offset: 0, limit: 1000, bytes: Math.max(0, call.budget - 600) },
          (one) => {
            const { file_path, ...rest } = diagnosticRow(one)
            return file_path === path ? rest : { file_path, ...rest }
          }
        )
        return {
          path,
          diagnostics: rows,
          total: answer.value.length,
          provider: answer.server,
          ...(rows.length < answer.value.length ? { truncated: true } : {}),
          ...(answer.partial ? { partial: true } : {}),
          ...(files.some((own) => own.path === path) ? { overlay: true } : {})
        }
      })
  }
)

/** Actions of several kinds, each once. */
const offered = (answers: ReadonlyArray<LanguageAnswer<ReadonlyArray<LanguageAction>>>) => {
  const seen = new Set<string>()
  return answers
    .flatMap(({ value }) => value)
    .filter(({ kind, title }) => {
      const key = `${kind ?? ""}\0${title}`
      return seen.has(key) ? false : (seen.add(key), true)
    })
}

const codeActionsNeeds = [LanguageReader, OverlayView, CodeGraph, ReadFs] as const

export const codeActions: Member<typeof change, "code_actions", typeof codeActionsNeeds> = change.operation(
  "code_actions",
  {
    tool: "get_code_actions",
    summary: "Code actions a language server offers for lines of a file.",
    input: F.input({
      source: F.group({
        file,
        range: F.group({
          start_line: F.withDefault(inRange("start_line", F.described(F.count, "0-based")), 0),
          start_char: F.withDefault(inRange("start_char", F.count), 0),
          end_line: F.optional(
            inRange("end_line", F.described(F.count, "0-based; the line after the first when absent"))
          ),
          end_char: F.withDefault(inRange("end_char", F.count), 0)
        })
      }),
      options: F.group({ only: F.optional(F.described(F.csv, "kinds of action to keep")) })
    }),
    needs: codeActionsNeeds,
    handler: ({ options, source }, call) =>
      Effect.gen(function* () {
        const fs = yield* ReadFs
        const { path, text } = yield* Effect.mapError(fs.readText(source.file), failed)
        const files = yield* overlay
        const reader = yield* LanguageReader
        const { end_char, end_line, start_char, start_line } = source.range
        const lines = text.split(/\r\n|\n|\r/)
        // The line after the last one is the end of the last one.
        const end =
          end_line === undefined && end_char === 0 && start_line + 1 >= lines.length
            ? { endLine: start_line + 1, endColumn: Math.max(start_char, lines[start_line]?.length ?? 0) }
            : { endLine: (end_line ?? start_line + 1) + 1, endColumn: end_char }
        const span = { path, startLine: start_line + 1, startColumn: start_char, ...end }
        const kinds: ReadonlyArray<string | undefined> =
          options.only === undefined || options.only.length === 0 ? [undefined] : options.only
        const answers = yield* Effect.forEach(kinds, (kind) =>
          Effect.mapError(reader.actions(span, kind, { overlay: files }), (cause) =>
            cause.reason === "invalid_argument"
              ? fromService(cause, { field: "source.range", failure_stage: "resolve" })
              : failed(cause)
          )
        )
        const actions = offered(answers)
        const rows = fitting(
          actions.map((action, index) => ({ action, index })),
          { offset: 0, limit: 500, bytes: Math.max(0, call.budget - 600) },
          ({ action, index }) => ({
            index,
            title: action.title,
            ...(action.kind === undefined ? {} : { kind: action.kind }),
            is_preferred: action.preferred,
            // An edit that was not stated up front may still come when the action is asked for.
            has_edit: action.edit !== undefined,
            ...(action.disabled === undefined ? {} : { disabled_reason: action.disabled })
          })
        )
        return {
          path,
          provider: [...new Set(answers.map(({ server }) => server))].join(", "),
          actions: rows,
          total: actions.length,
          ...(rows.length < actions.length ? { truncated: true } : {}),
          ...(answers.some(({ partial }) => partial) ? { partial: true } : {})
        }
      })
  }
)
