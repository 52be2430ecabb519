/** Repairs a language server proposes, written like every other change: whole, guarded, by the one writer. */
import { Effect } from "effect"
import { failure, fromService, invalidArgument, type OperationFailure } from "../../registry/Failure.ts"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { draft } from "../../registry/FollowUp.ts"
import { byteLength } from "../../registry/Json.ts"
import {
  type DocumentSpan,
  type LanguageAction,
  type LanguageAnswer,
  type LanguageChange,
  type LanguageDiagnostic,
  LanguageReader
} from "../../services/LanguageReader.ts"
import { LocalWriter } from "../../services/LocalWriter.ts"
import { type OverlayFile, OverlayView } from "../../services/OverlayView.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import type { ServiceFailure } from "../../services/ServiceFailure.ts"
import { fitting } from "../change/Rows.ts"
import * as Shared from "../fields.ts"
import { Drafts, settle } from "./Drafts.ts"
import { refactor } from "./facade.ts"
import { dryRun } from "./fields.ts"
import { SourceText, replaced } from "./SourceText.ts"
import { onDisk } from "./Target.ts"

const target = F.target({ file: Shared.file })

const failed = (cause: ServiceFailure): OperationFailure =>
  fromService(cause, { field: "target.file", failure_stage: "preflight", state_changed: false })

/** Actions of several kinds, each once, in the order in which change lists them. */
const offers = (
  span: DocumentSpan,
  kinds: ReadonlyArray<string> | undefined,
  overlay: ReadonlyArray<OverlayFile>
) =>
  Effect.gen(function* () {
    const reader = yield* LanguageReader
    const asked: ReadonlyArray<string | undefined> =
      kinds === undefined || kinds.length === 0 ? [undefined] : kinds
    const answers = yield* Effect.forEach(asked, (kind) =>
      Effect.mapError(reader.actions(span, kind, { overlay }), failed)
    )
    const seen = new Set<string>()
    return {
      actions: answers
        .flatMap(({ value }: LanguageAnswer<ReadonlyArray<LanguageAction>>) => value)
        .filter(({ kind, title }) => {
          const key = `${kind ?? ""}\0${title}`
          return seen.has(key) ? false : (seen.add(key), true)
        }),
      provider: [...new Set(answers.map(({ server }) => server))].join(", ")
    }
  })

/** A change as new texts over what there is. Operations on whole files are refused: the writer has its own for them. */
const textsAfter = (
  change: LanguageChange,
  textOf: (path: string) => Effect.Effect<string, OperationFailure, ReadFs | OverlayView>
) =>
  Effect.gen(function* () {
    const [operation] = change.files
    if (operation !== undefined)
      return yield* failure("capability_unavailable", `the action would ${operation.kind} files`, {
        field: "options.index",
        reason_code: "file_operation",
        failure_stage: "preflight",
        data: { files: change.files.slice(0, 20) }
      })
    const out = new Map<string, string>()
    for (const path of new Set(change.edits.map((edit) => edit.path))) {
      const source = new SourceText(yield* textOf(path))
      const list = change.edits
        .filter((edit) => edit.path === path)
        .map((edit) => ({
          from: source.offset(edit.startLine, edit.startColumn) ?? -1,
          to: source.offset(edit.endLine, edit.endColumn) ?? -1,
          text: edit.text
        }))
      if (list.some(({ from, to }) => from < 0 || to < from))
        return yield* failure("edit_conflict", `the server would edit a place that ${path} does not have`, {
          reason_code: "unexpected_edit",
          failure_stage: "preflight",
          data: { path }
        })
      out.set(path, replaced(source.text, list))
    }
    return out
  })

/** The whole of a file as one change of a draft, narrowed to what differs. */
const rewrite = (drafts: Drafts, path: string, after: string, reason: string) =>
  Effect.gen(function* () {
    const file = yield* drafts.open(path)
    const { text } = file.source
    if (text === after) return
    let head = 0
    while (head < text.length && head < after.length && text[head] === after[head]) head++
    let tail = 0
    while (
      tail < text.length - head &&
      tail < after.length - head &&
      text[text.length - 1 - tail] === after[after.length - 1 - tail]
    )
      tail++
    yield* drafts.add(file, [
      {
        from: head,
        to: text.length - tail,
        text: after.slice(head, after.length - tail),
        confidence: "language_server",
        reason
      }
    ])
  })

const applyCodeActionNeeds = [LocalWriter, LanguageReader, ReadFs, OverlayView] as const

export const applyCodeAction: Member<typeof refactor, "apply_code_action", typeof applyCodeActionNeeds> =
  refactor.operation("apply_code_action", {
    tool: "apply_code_action",
    summary: "Apply one code action of a language server.",
    tier: 2,
    input: F.input({
      target,
      dry_run: dryRun,
      options: F.group({
        index: F.described(F.count, "its index in the list change gave for the same lines and kinds"),
        title: F.optional(F.described(F.text, "its title; another one at the index is refused")),
        start_line: F.withDefault(F.described(F.count, "0-based"), 0),
        start_char: F.withDefault(F.count, 0),
        end_line: F.optional(F.count),
        end_char: F.withDefault(F.count, 0),
        only: F.optional(F.described(F.csv, "kinds of action"))
      })
    }),
    needs: applyCodeActionNeeds,
    handler: ({ dry_run, options, target: { file } }) =>
      Effect.gen(function* () {
        const view = yield* onDisk
        const drafts = new Drafts(view, "target.file")
        const fs = yield* ReadFs
        const path = yield* Effect.mapError(fs.relative(file), failed)
        const home = yield* drafts.open(path)
        const { end_char, end_line, start_char, start_line } = options
        const { lineCount } = home.source
        const end =
          end_line === undefined && end_char === 0 && start_line + 1 >= lineCount
            ? {
                endLine: start_line + 1,
                endColumn: Math.max(start_char, home.source.line(start_line + 1).length)
              }
            : { endLine: (end_line ?? start_line + 1) + 1, endColumn: end_char }
        const { actions, provider } = yield* offers(
          { path, startLine: start_line + 1, startColumn: start_char, ...end },
          options.only,
          []
        )
        const action = actions[options.index]
        const listing = draft("mechanically_followable", "change", {
          operation: "code_actions",
          source: {
            file: path,
            range: { start_line, start_char, ...(end_line === undefined ? {} : { end_line }), end_char }
          },
          ...(options.only === undefined ? {} : { options: { only: options.only } })
        })
        if (action === undefined)
          return yield* invalidArgument(
            "options.index",
            `${actions.length} actions are offered here, and ${options.index} is none of them`,
            { reason_code: "no_such_action", data: { total: actions.length }, recovery: listing }
          )
        if (options.title !== undefined && options.title !== action.title)
          return yield* failure(
            "stale_revision",
            `${JSON.stringify(action.title)} is what the index means now`,
            {
              field: "options.title",
              reason_code: "action_changed",
              failure_stage: "preflight",
              data: { title: action.title },
              recovery: listing
            }
          )
        if (action.disabled !== undefined)
          return yield* invalidArgument("options.index", action.disabled, { reason_code: "action_disabled" })
        const reader = yield* LanguageReader
        const resolved = yield* Effect.mapError(reader.resolveAction(action.handle), failed)
        const texts = yield* textsAfter(resolved.value, (one) =>
          Effect.map(drafts.open(one), ({ source }) => source.text)
        )
        for (const [one, after] of texts) yield* rewrite(drafts, one, after, action.title)
        const told = {
          path,
          provider,
          title: action.title,
          ...(action.kind === undefined ? {} : { kind: action.kind })
        }
        if (drafts.touched.length === 0) return { ...told, applied: false, files_touched: [] }
        const edits = [...drafts.rows()]
        const { files, ...settled } = yield* settle(drafts, {
          dryRun: dry_run,
          allowParseErrors: false,
          field: "target.file"
        })
        if (!dry_run) yield* reader.changed(drafts.overlay.map((one) => one.path))
        return { ...told, applied: !dry_run, ...(dry_run ? { edits } : {}), files_touched: files, ...settled }
      })
  })

const diagnosticRow = (d: LanguageDiagnostic) => ({
  path: d.path,
  line: d.startLine,
  severity: d.severity,
  message: d.message,
  ...(d.code === undefined ? {} : { code: d.code })
})

const fixAllNeeds = [LocalWriter, LanguageReader, ReadFs, OverlayView] as const

export const fixAll: Member<typeof refactor, "fix_all", typeof fixAllNeeds> = refactor.operation("fix_all", {
  tool: "fix_all_in_file",
  summary: "Apply a file's quick fixes until none is left.",
  tier: 2,
  input: F.input({
    target,
    dry_run: dryRun,
    options: F.group({
      kinds: F.withDefault(F.csv, ["quickfix", "source.organizeImports"]),
      max_iterations: F.clamped({ min: 1, max: 50, default: 5 }),
      max_actions_per_iter: F.clamped({ min: 1, max: 500, default: 50 }),
      diagnostic_timeout_ms: F.clamped({ min: 0, max: 60_000, default: 5000 })
    })
  }),
  needs: fixAllNeeds,
  handler: ({ dry_run, options, target: { file } }, call) =>
    Effect.gen(function* () {
      const view = yield* onDisk
      const drafts = new Drafts(view, "target.file")
      const fs = yield* ReadFs
      const reader = yield* LanguageReader
      const path = yield* Effect.mapError(fs.relative(file), failed)
      yield* drafts.open(path)
      // All rounds happen in an overlay; the disk sees the outcome once.
      const texts = new Map<string, string>()
      const overlay = (): ReadonlyArray<OverlayFile> =>
        [...texts].map(([one, content]) => ({ path: one, content, deleted: false }))
      const textOf = (one: string) =>
        Effect.gen(function* () {
          return texts.get(one) ?? (yield* drafts.open(one)).source.text
        })
      const problems = Effect.suspend(() =>
        Effect.mapError(
          Effect.timeoutFail(Effect.disconnect(reader.diagnostics(path, { overlay: overlay() })), {
            duration: options.diagnostic_timeout_ms === 0 ? 60_000 : options.diagnostic_timeout_ms,
            onTimeout: () => undefined
          }),
          (cause) =>
            cause === undefined
              ? failure(
                  "timeout",
                  `the server did not judge ${path} in ${options.diagnostic_timeout_ms} ms`,
                  {
                    field: "options.diagnostic_timeout_ms",
                    reason_code: "diagnostics_timeout",
                    failure_stage: "preflight"
                  }
                )
              : failed(cause)
        )
      )
      const applied: Array<string> = []
      const seenTexts = new Set<string>()
      let found = yield* problems
      let iterations = 0
      let converged = false
      const before = found.value.filter(({ severity }) => severity === "error").length
      while (iterations < options.max_iterations) {
        iterations++
        let changed = 0
        const apply = (span: DocumentSpan, kind: string) =>
          Effect.gen(function* () {
            const { actions } = yield* offers(span, [kind], overlay())
            const usable = actions.filter(
              (one) =>
                one.disabled === undefined &&
                (one.kind === undefined || one.kind === kind || one.kind.startsWith(`${kind}.`))
            )
            // Of several that are no preference of the server the choice is not ours. Those that mend all alike are one more.
            const single = usable.filter(({ title }) => !/\ball\b/i.test(title))
            const chosen =
              usable.find(({ preferred }) => preferred) ?? (single.length === 1 ? single[0] : undefined)
            if (chosen === undefined) return false
            const resolved = yield* Effect.mapError(reader.resolveAction(chosen.handle), failed)
            const after = yield* textsAfter(resolved.value, textOf)
            let differs = false
            for (const [one, text] of after)
              if (text !== (yield* textOf(one))) {
                texts.set(one, text)
                differs = true
              }
            if (differs) applied.push(chosen.title)
            return differs
          })
        for (const kind of options.kinds)
          if (kind.startsWith("source")) {
            const text = new SourceText(yield* textOf(path))
            const span = {
              path,
              startLine: 1,
              startColumn: 0,
              endLine: text.lineCount,
              endColumn: text.line(text.lineCount).length
            }
            if (changed < options.max_actions_per_iter && (yield* apply(span, kind))) changed++
          } else {
            // One at a time: each fix moves the places of the others.
            let left = options.max_actions_per_iter - changed
            const tried = new Set<string>()
            while (left > 0) {
              const next = found.value.find((d) => !tried.has(`${d.code ?? ""}\0${d.message}`))
              if (next === undefined) break
              tried.add(`${next.code ?? ""}\0${next.message}`)
              if (!(yield* apply(next, kind))) continue
              changed++
              left--
              found = yield* problems
            }
          }
        const state = JSON.stringify([...texts])
        if (changed === 0 || seenTexts.has(state)) {
          converged = true
          break
        }
        seenTexts.add(state)
        found = yield* problems
      }
      const after = found.value.filter(({ severity }) => severity === "error").length
      if (after > before)
        return yield* failure(
          "edit_conflict",
          `the fixes would leave ${after} errors where there are ${before}`,
          {
            field: "target.file",
            reason_code: "new_errors",
            failure_stage: "preflight",
            data: { errors: found.value.slice(0, 20).map(diagnosticRow) }
          }
        )
      for (const [one, text] of texts) yield* rewrite(drafts, one, text, "fix")
      const { files, ...settled } =
        drafts.touched.length === 0
          ? { files: [] }
          : yield* settle(drafts, { dryRun: dry_run, allowParseErrors: false, field: "target.file" })
      if (!dry_run && drafts.touched.length > 0) yield* reader.changed(drafts.overlay.map((one) => one.path))
      const head = {
        path,
        provider: found.server,
        iterations,
        ...(converged ? {} : { converged }),
        applied_actions: applied.length,
        actions: applied.slice(0, 50),
        files_touched: files,
        ...(dry_run ? { edits: [...drafts.rows()] } : {}),
        ...settled
      }
      const rows = fitting(
        found.value,
        { offset: 0, limit: 200, bytes: Math.max(0, call.budget - byteLength(head) - 200) },
        diagnosticRow
      )
      return {
        ...head,
        final_diagnostics: rows,
        ...(rows.length < found.value.length ? { total_diagnostics: found.value.length } : {})
      }
    })
})
