import { Effect } from "effect"
import { invalidArgument } from "../../registry/Failure.ts"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { draft } from "../../registry/FollowUp.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import { TextIndex } from "../../services/TextIndex.ts"
import * as Shared from "../fields.ts"
import { tagged } from "../shared/etag.ts"
import { graph } from "../shared/symbols.ts"
import { read } from "./facade.ts"
import { fidelityOf } from "./Fidelity.ts"
import {
  allowSecrets,
  compressBodies,
  fidelityGlobs,
  keep,
  maxLines,
  window,
  windowFields,
  windowRules
} from "./fields.ts"
import { apart, bodiesOf, leavesOf } from "./Folds.ts"
import { graphIfReady } from "./Graph.ts"
import { type Fold, linesOf, piecesOf } from "./Lines.ts"
import { sha256Of, textOf } from "./Text.ts"
import { outputOf, windowOf } from "./Window.ts"

const needs = [ReadFs, CodeGraph, TextIndex] as const

export const file: Member<typeof read, "file", typeof needs> = read.operation("file", {
  tool: "read_file",
  presets: ["agent", "core", "edit", "nav", "localization", "hybrid"],
  summary: "A file's text: whole, a window of lines, or with bodies stubbed.",
  input: F.input(
    {
      target: F.target({ file: Shared.file }),
      options: F.group({
        ...windowFields,
        keep,
        fidelity_globs: fidelityGlobs,
        max_chars: F.described(
          F.clamped({ min: 0, max: 10_000_000, default: 0 }),
          "bytes of text; 0 for no bound"
        ),
        allow_secrets: allowSecrets,
        physical_evidence: F.withDefault(
          F.described(F.flag, "add the SHA-256 and byte count of the file on disk"),
          false
        ),
        if_none_match: Shared.ifNoneMatch
      }),
      context: F.group({ compress_bodies: compressBodies, max_lines: maxLines })
    },
    windowRules
  ),
  needs,
  handler: (input, call) =>
    Effect.gen(function* () {
      const { context, options, target } = input
      const fs = yield* ReadFs
      const found = yield* textOf(target.file)
      const { path } = found
      const fidelity = yield* fidelityOf(path, options.fidelity_globs, context.compress_bodies)
      const folding = fidelity === "compress" || context.max_lines > 0
      const view = folding ? yield* Effect.option(graph) : undefined
      const known = view === undefined ? yield* graphIfReady : view._tag === "Some" ? view.value : undefined
      const indexed = known?.file(path)
      const shown = options.allow_secrets ? { text: found.text, redactions: 0 } : fs.redact(path, found.text)
      const lines = linesOf(shown.text)

      const asked = window(options)
      const from = asked?.start ?? 1
      if (from > Math.max(1, lines.length)) {
        return yield* invalidArgument(
          options.line === undefined ? "options.offset" : "options.line",
          `${path} has ${lines.length} lines; line ${from} is behind its end`,
          {
            reason_code: "behind_end",
            data: { file: path, total_lines: lines.length },
            recovery: draft("fallback_recovery", "read", {
              operation: "file",
              target: { file: path },
              options: { offset: Math.max(1, lines.length - 99) }
            })
          }
        )
      }
      const last = Math.min(lines.length, asked?.count === undefined ? lines.length : from + asked.count - 1)
      const whole = last === lines.length

      let folds: ReadonlyArray<Fold> = []
      let notFolded: string | undefined
      let kept: ReadonlyArray<string> = []
      if (folding) {
        if (known === undefined) notFolded = "no_index"
        else if (indexed === undefined) notFolded = "file_not_indexed"
        else if (indexed.skipped !== undefined) notFolded = indexed.skipped
        else if (indexed.sha !== found.sha) notFolded = "index_stale"
        else {
          const bodies =
            fidelity === "compress" ? bodiesOf(known, path, lines, options.keep) : { folds: [], kept: [] }
          kept = bodies.kept
          folds = apart([
            ...bodies.folds,
            ...leavesOf(known, path, lines, { from, to: last }, context.max_lines, bodies.folds)
          ])
        }
      }
      const evidence = options.physical_evidence && found.overlay !== true ? sha256Of(found) : undefined
      const own = found.revision === undefined ? {} : { read_revision: found.revision }
      const base = {
        path,
        ...(indexed?.language === undefined ? {} : { language: indexed.language }),
        bytes: found.bytes,
        sha: found.sha,
        ...(found.encoding === "utf8" ? {} : { encoding: found.encoding }),
        ...(found.bom ? { bom: true } : {}),
        ...(found.eol === "crlf" || found.eol === "mixed" ? { eol: found.eol } : {}),
        ...(found.overlay === true ? { served_from: "overlay" } : {}),
        ...(shown.redactions > 0 ? { secrets_redacted: shown.redactions } : {}),
        ...(options.physical_evidence
          ? {
              physical:
                evidence === undefined
                  ? {
                      unknown:
                        found.overlay === true
                          ? "text is of an overlay"
                          : "bytes cannot be told from the text"
                    }
                  : { sha256: evidence, bytes: found.bytes }
            }
          : {}),
        ...(notFolded === undefined ? {} : { not_compressed: notFolded }),
        ...(fidelity !== "compress" || options.keep === undefined || notFolded !== undefined
          ? {}
          : { kept_symbols: kept })
      }
      if (fidelity === "omit")
        return tagged(
          { ...base, omitted: "fidelity_globs", total_lines: lines.length },
          options.if_none_match,
          { path },
          own
        )
      const { compress_bodies, max_lines } = context
      const cut = windowOf(
        piecesOf(lines, from, last, folds, indexed?.language ?? ""),
        {
          ...base,
          ...own,
          window: { start_line: from, end_line: last, total_lines: lines.length },
          etag: "0123456789abcdef",
          bodies_elided: 1000
        },
        call.budget,
        {
          path,
          options: {
            ...(options.keep === undefined ? {} : { keep: options.keep }),
            ...(options.fidelity_globs === undefined ? {} : { fidelity_globs: options.fidelity_globs }),
            ...(options.allow_secrets ? { allow_secrets: true } : {})
          },
          context: {
            ...(compress_bodies ? { compress_bodies } : {}),
            ...(max_lines > 0 ? { max_lines } : {})
          },
          output: outputOf(input),
          maxChars: options.max_chars
        },
        { from, last, whole }
      )
      const counted = piecesOf(lines, from, Math.max(from - 1, cut.to), folds, "")
      const elided = counted.filter((piece) => piece.fold === "body").length
      const folded = counted.filter((piece) => piece.fold === "statements").length
      const answer = {
        ...base,
        ...(from === 1 && cut.to === lines.length
          ? {}
          : { window: { start_line: from, end_line: cut.to, total_lines: lines.length } }),
        ...(elided === 0 ? {} : { bodies_elided: elided }),
        ...(folded === 0 ? {} : { statements_folded: folded }),
        ...(cut.partial === undefined ? {} : { truncated: cut.partial.truncated }),
        content: cut.text
      }
      const out = tagged(answer, options.if_none_match, { path }, own)
      return cut.partial === undefined || "not_modified" in out
        ? out
        : { ...out, follow_up: cut.partial.follow_up }
    })
})
