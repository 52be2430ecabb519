import { fromService } from "../../registry/Failure.ts"
import { Effect } from "effect"
import { page } from "../../registry/Answer.ts"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { CodeGraph, type GraphView } from "../../services/CodeGraph.ts"
import { TextIndex, type TextMatch } from "../../services/TextIndex.ts"
import * as Shared from "../fields.ts"
import { search } from "./facade.ts"
import { languages } from "./fields.ts"

/** The field a service's complaint is about. */
const fieldOf: { readonly [reason: string]: string } = {
  invalid_pattern: "query",
  invalid_glob: "options.glob",
  unknown_language: "options.language",
  path_outside_root: "options.path"
}

/** Pages are cut from a search that went a little further, so that the next one is known to exist. */
const beyond = 1

const hit = (view: GraphView, match: TextMatch) => {
  const ref = view.at(match.path, match.line)
  const symbol = ref === undefined || view.isFile(ref) ? undefined : view.symbol(ref)
  return {
    path: match.path,
    line: match.line,
    ...(match.end_line === match.line ? {} : { end_line: match.end_line }),
    column: match.column,
    text: match.text,
    ...(match.clipped ? { clipped: true as const } : {}),
    ...(match.before.length === 0 ? {} : { before: match.before }),
    ...(match.after.length === 0 ? {} : { after: match.after }),
    ...(symbol === undefined ? {} : { symbol_id: symbol.id })
  }
}

const needs = [TextIndex, CodeGraph] as const

export const text: Member<typeof search, "text", typeof needs> = search.operation("text", {
  narrows: "path",
  tool: "search_text",
  presets: ["core", "edit", "nav", "localization", "hybrid"],
  summary: "Literal text or a regular expression in files, with the symbol around each hit.",
  page: { default: 100, max: 1000 },
  input: F.input({
    query: F.described(F.text, "literal and case-sensitive unless options say otherwise"),
    options: F.group({
      regexp: F.aliased(F.withDefault(F.flag, false), "regex"),
      ignore_case: F.withDefault(F.flag, false),
      word: F.withDefault(F.described(F.flag, "whole words only"), false),
      multiline: F.withDefault(F.described(F.flag, "let a pattern cross lines"), false),
      path: Shared.subPaths,
      glob: F.optional(F.described(F.csv, "path globs; * stays in a segment, ** crosses")),
      language: languages,
      before: F.clamped({ min: 0, max: 50, default: 0 }),
      after: F.clamped({ min: 0, max: 50, default: 0 }),
      max_per_file: F.clamped({ min: 1, max: 1000 }),
      mode: F.withDefault(
        F.described(F.choice("matches", "files", "count"), "lines, files, or lines counted by file"),
        "matches"
      )
    })
  }),
  needs,
  handler: (input, call) =>
    Effect.gen(function* () {
      const { options } = input
      const view = yield* (yield* CodeGraph).view
      const limit = call.limit ?? 100
      const found = yield* (yield* TextIndex).search({
        pattern: input.query,
        regexp: options.regexp,
        ignore_case: options.ignore_case,
        word: options.word,
        multiline: options.multiline,
        before: options.before,
        after: options.after,
        paths: options.path,
        globs: options.glob,
        languages: options.language,
        per_file: options.max_per_file,
        limit: call.offset + limit + beyond,
        mode: options.mode
      })
      // The page ends before the search did: that is paging, not incompleteness.
      const list = options.mode === "matches" ? found.matches : found.files
      const causes = found.causes.filter((c) => c !== "limit")
      const cut = found.causes.includes("limit")
      const state = {
        // With rows left over the totals are what has been seen so far.
        ...(cut ? { totals: "at_least" as const } : {}),
        ...(causes.length > 0 ? { complete: false, causes } : {}),
        ...(found.unread_files > 0 ? { unread_files: found.unread_files } : {}),
        ...(view.freshness.stale_files.length === 0
          ? {}
          : { stale_files: view.freshness.stale_files.slice(0, 10) })
      }
      const shape = {
        from: call.offset,
        total: Math.max(
          list.length,
          options.mode === "matches"
            ? causes.includes("per_file")
              ? list.length
              : found.total
            : found.total_files
        ),
        snapshot: view.generation
      }
      if (options.mode === "matches") {
        return page(
          "matches",
          {
            matches: found.matches.slice(call.offset, call.offset + limit).map((m) => hit(view, m)),
            total: found.total,
            total_files: found.total_files,
            ...state
          },
          shape
        )
      }
      return page(
        "files",
        {
          files: found.files
            .slice(call.offset, call.offset + limit)
            .map((f) => (options.mode === "count" ? f : { path: f.path })),
          ...(options.mode === "count" ? { total: found.total } : {}),
          total_files: found.total_files,
          ...state
        },
        shape
      )
    }).pipe(
      Effect.mapError((cause) => {
        const field = fieldOf[cause.reason]
        return fromService(cause, field === undefined ? {} : { field, failure_stage: "resolve" })
      })
    )
})
