import { Effect } from "effect"
import { page } from "../../../registry/Answer.ts"
import { failure, fromService, invalidArgument } from "../../../registry/Failure.ts"
import type { Member } from "../../../registry/Facade.ts"
import * as F from "../../../registry/Fields.ts"
import { CodeGraph } from "../../../services/CodeGraph.ts"
import { LintReader } from "../../../services/LintReader.ts"
import { ReadFs } from "../../../services/ReadFs.ts"
import { graph } from "../../shared/symbols.ts"
import { analyze } from "../facade.ts"
import { window } from "./Narrowing.ts"

const needs = [CodeGraph, ReadFs, LintReader] as const

export const lint: Member<typeof analyze, "lint", typeof needs> = analyze.operation("lint", {
  tool: "lint_file",
  summary: "Installed linters on one file.",
  tier: 2,
  page: { default: 100, max: 1000 },
  input: F.input({
    options: F.group({
      path: F.text,
      language: F.optional(F.text),
      timeout_ms: F.described(F.clamped({ min: 1, max: 60000, default: 5000 }), "for each linter")
    })
  }),
  needs,
  handler: ({ options }, call) =>
    Effect.gen(function* () {
      const reader = yield* LintReader
      const view = yield* graph
      const file = yield* Effect.mapError((yield* ReadFs).readText(options.path), (cause) =>
        fromService(cause, { field: "options.path", failure_stage: "resolve" })
      )
      const language = options.language?.trim().toLowerCase() ?? view.file(file.path)?.language
      if (language === undefined || !reader.languages.includes(language))
        return yield* invalidArgument(
          options.language === undefined ? "options.path" : "options.language",
          language === undefined
            ? `${file.path} is of no known language; options.language says which linters to run`
            : `no linter is known for ${language}`,
          { reason_code: "no_linter", data: { valid_values: reader.languages } }
        )
      const { findings, ran, skipped } = yield* Effect.mapError(
        reader.lint({
          path: file.path,
          language,
          text: file.text,
          overlay: file.overlay === true,
          timeout_ms: options.timeout_ms ?? 5000
        }),
        (cause) => fromService(cause)
      )
      if (ran.length === 0) {
        const untrusted = skipped.filter(({ reason }) => reason === "untrusted")
        const late = skipped.some(({ reason }) => reason === "timeout")
        return yield* failure(
          late ? "timeout" : "capability_unavailable",
          untrusted.length > 0
            ? untrusted[0]!.detail
            : late
              ? `no linter ended in time: ${skipped.find(({ reason }) => reason === "timeout")!.detail}`
              : `no linter for ${language} could run: ${skipped.map(({ detail }) => detail).join("; ")}`,
          {
            reason_code:
              untrusted.length > 0 ? "workspace_not_trusted" : late ? "linter_timeout" : "no_linter_ran",
            failure_stage: late ? "execute" : "resolve",
            ...(late ? { state_changed: false } : {}),
            data: { path: file.path, language, linters_skipped: skipped }
          }
        )
      }
      const errors = findings.filter(({ severity }) => severity === "error").length
      const warnings = findings.filter(({ severity }) => severity === "warning").length
      return page(
        "diagnostics",
        {
          path: file.path,
          language,
          healthy: errors === 0,
          diagnostics: window(findings, call).map(
            ({ column, end_line, line, linter, message, rule, severity }) => ({
              id: `${file.path}:${line}:${column}`,
              file_path: file.path,
              line,
              column,
              ...(end_line === undefined || end_line === line ? {} : { end_line }),
              severity,
              linter,
              ...(rule === undefined ? {} : { rule }),
              message
            })
          ),
          summary: { errors, warnings, total: findings.length },
          linters_ran: ran,
          ...(skipped.length === 0 ? {} : { linters_skipped: skipped }),
          ...(findings.length === 0
            ? { note: `${ran.map(({ linter }) => linter).join(", ")} found nothing` }
            : {})
        },
        { from: call.offset, total: findings.length }
      )
    })
})
