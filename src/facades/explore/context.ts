import { Effect } from "effect"
import { failure, invalidArgument, fromService } from "../../registry/Failure.ts"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { CodeGraph, type GraphView, type SymbolInfo, type SymbolRef } from "../../services/CodeGraph.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import { TextIndex } from "../../services/TextIndex.ts"
import { WorkspaceView } from "../../services/WorkspaceView.ts"
import * as Shared from "../fields.ts"
import { deltaFrom, etagOf } from "./Etag.ts"
import { excerptOf } from "./Excerpt.ts"
import { explore } from "./facade.ts"
import { repository } from "./fields.ts"
import { questionOf } from "./Question.ts"
import { testsOf, usedBy, usersOf } from "./Related.ts"
import { headOf, type RankedSymbol, relevanceOf } from "./Relevance.ts"
import { repositoryScope, scopeWithin } from "./Repository.ts"
import { lineReader } from "./Sources.ts"
import { brief, bytesOf, tokensIn, tokensOf } from "./Tokens.ts"

/** Source of one symbol in the flat pack, at most. */
const mostSource = 6000
/** A graded manifest names so many symbols at most. */
const mostGraded = 60
const neighbours = 12

/** Bytes of a definition's lines as they would stand in an answer: exact when its file can be read. */
const sourceOf = (lines: ReadonlyArray<string> | undefined, info: SymbolInfo, bytes: number) =>
  lines === undefined
    ? undefined
    : excerptOf(lines, info.start_line, info.end_line, [], bytes, info.body_line ?? info.start_line)

const row = (info: SymbolInfo) => ({
  id: info.id,
  kind: info.kind,
  start_line: info.start_line,
  signature: brief(info.signature, 160)
})

/** What uses the symbols directly, and through one step more. */
const blastOf = (view: GraphView, refs: ReadonlyArray<SymbolRef>) => {
  const own = new Set(refs)
  const direct = new Set<SymbolRef>()
  for (const ref of refs) for (const user of usersOf(view, ref)) if (!own.has(user.ref)) direct.add(user.ref)
  const files = new Set<string>()
  const tests = new Set<string>()
  const note = (info: SymbolInfo) => (info.test ? tests : files).add(info.path)
  const second = new Set<SymbolRef>()
  for (const ref of direct) {
    note(view.symbol(ref))
    if (direct.size > 200 || view.isFile(ref)) continue
    for (const user of usersOf(view, ref)) {
      if (own.has(user.ref) || direct.has(user.ref)) continue
      second.add(user.ref)
      note(user)
    }
  }
  return {
    direct_users: direct.size,
    users_of_users: second.size,
    files: files.size,
    test_files: tests.size,
    ...(direct.size > 200 ? { second_step: "not followed: too many direct users" } : {})
  }
}

/** Shortest chains of uses between the symbols, each as ids from user to used. */
const pathsBetween = (
  view: GraphView,
  refs: ReadonlyArray<SymbolRef>
): ReadonlyArray<ReadonlyArray<string>> => {
  const wanted = new Set(refs)
  const out: Array<ReadonlyArray<string>> = []
  for (const from of refs) {
    const before = new Map<SymbolRef, SymbolRef>([[from, from]])
    let edge = [from]
    for (let depth = 0; depth < 4 && edge.length > 0 && before.size < 400; depth++) {
      const next: Array<SymbolRef> = []
      for (const ref of edge) {
        for (const used of usedBy(view, ref)) {
          if (before.has(used.ref)) continue
          before.set(used.ref, ref)
          next.push(used.ref)
        }
      }
      edge = next
    }
    for (const to of wanted) {
      if (to === from || !before.has(to)) continue
      const chain = [to]
      while (chain[0] !== from) chain.unshift(before.get(chain[0]!)!)
      out.push(chain.map((r) => view.symbol(r).id))
    }
  }
  return out.sort((a, b) => a.length - b.length).slice(0, 8)
}

const confidenceOf = (head: ReadonlyArray<RankedSymbol>, unmatched: ReadonlyArray<string>) => {
  const [first, second] = head
  if (first === undefined) return { verdict: "none", because: "nothing matches the task" }
  const named = head.some((r) => r.reasons.some((w) => w === "place" || w === "name" || w === "message"))
  const kinds = new Set(head.slice(0, 3).flatMap((r) => r.reasons)).size
  const ahead = second === undefined ? Infinity : first.score / second.score
  const verdict =
    named && unmatched.length === 0 ? "high" : named || (kinds >= 3 && ahead > 1.15) ? "medium" : "low"
  return {
    verdict,
    because: named
      ? "the task names places or symbols that exist here"
      : kinds >= 3
        ? "several kinds of evidence agree"
        : "words alone speak for the order"
  }
}

const needs = [CodeGraph, TextIndex, ReadFs, WorkspaceView] as const

export const context: Member<typeof explore, "context", typeof needs> = explore.operation("context", {
  narrows: true,
  tool: "smart_context",
  federated: true,
  presets: ["agent", "core", "edit", "nav", "localization", "hybrid"],
  summary: "Smallest working set for a task: key source, relations, tests, files to edit.",
  input: F.input({
    task: Shared.task,
    path: repository,
    options: F.group({
      path: Shared.subPaths,
      entry_point: F.optional(F.described(F.text, "symbol id or file to start from")),
      max_symbols: F.described(F.clamped({ min: 1, max: 100, default: 5 }), "symbols that get full source"),
      fidelity: F.withDefault(F.choice("flat", "graded"), "flat"),
      token_budget: F.described(Shared.tokenBudget(8000), "budget of the graded manifest"),
      estimate: F.withDefault(F.described(F.flag, "only say what it would cost"), false),
      if_none_match: Shared.ifNoneMatch,
      delta_from: F.optional(F.described(F.text, "etag of a held pack; answers only what differs from it")),
      include_call_paths: F.withDefault(F.flag, false),
      include_confidence: F.withDefault(F.flag, false)
    })
  }),
  needs,
  handler: (input) =>
    Effect.gen(function* () {
      const { options } = input
      const view = yield* Effect.mapError((yield* CodeGraph).view, fromService)
      const paths = scopeWithin(yield* repositoryScope(view, input.path), options.path)
      const relevance = yield* Effect.mapError(
        relevanceOf(view, questionOf(input.task), { paths }),
        fromService
      )
      const entry = options.entry_point === undefined ? undefined : view.resolve(options.entry_point)
      if (entry !== undefined && entry.found.length !== 1) {
        return yield* Effect.fail(
          entry.found.length === 0
            ? failure("symbol_not_found", `options.entry_point: nothing here is ${options.entry_point}`, {
                field: "options.entry_point",
                failure_stage: "resolve",
                data: { suggestions: entry.suggestions }
              })
            : invalidArgument(
                "options.entry_point",
                `options.entry_point: ${options.entry_point} may be any of ${entry.found.length}`,
                {
                  reason_code: "ambiguous",
                  data: { candidates: entry.found.slice(0, 10).map((r) => view.symbol(r).id) }
                }
              )
        )
      }
      const start = entry?.found[0]
      const read = yield* lineReader
      const ranked = headOf(
        relevance.symbols,
        options.fidelity === "graded" ? Math.max(mostGraded, options.max_symbols) : options.max_symbols
      )
      const first = start === undefined || view.isFile(start) ? [] : [view.symbol(start)]
      const chosen = [...first, ...ranked.map((r) => r.info).filter((i) => i.ref !== start)]
      const key = chosen.slice(0, options.max_symbols)

      if (options.estimate) {
        let source = 0
        for (const info of key)
          source += Buffer.byteLength(sourceOf(yield* read(info.path), info, mostSource)?.text ?? "")
        return {
          task: input.task,
          estimate: {
            symbols: key.length,
            source_tokens: tokensIn(source),
            whole_tokens: tokensIn(source) + 60 * key.length + 250
          }
        }
      }

      const items: Array<{ readonly id: string; readonly content: { readonly [field: string]: unknown } }> =
        []
      let left = bytesOf(options.token_budget)
      if (options.fidelity === "graded") {
        // Full source while it fits into half of what is left, then headers, then names.
        for (const [at, info] of chosen.entries()) {
          const full =
            at < options.max_symbols
              ? sourceOf(yield* read(info.path), info, Math.min(mostSource, Math.floor(left * 0.5)))
              : undefined
          const content =
            full !== undefined && !full.cut
              ? { id: info.id, tier: "full", kind: info.kind, start_line: info.start_line, source: full.text }
              : left > 1200
                ? { ...row(info), tier: "stub", ...(info.doc === "" ? {} : { doc: brief(info.doc, 160) }) }
                : { id: info.id, tier: "outline", kind: info.kind, start_line: info.start_line }
          const cost = bytesOf(tokensOf(content)) + 4
          if (cost > left - 400) break
          left -= cost
          items.push({ id: info.id, content })
        }
      } else {
        for (const info of key) {
          const source = sourceOf(yield* read(info.path), info, mostSource)
          items.push({
            id: info.id,
            content: {
              ...row(info),
              ...(source === undefined ? {} : { source: source.text, ...(source.cut ? { cut: true } : {}) })
            }
          })
        }
      }
      const refs = (options.fidelity === "graded" ? chosen.slice(0, options.max_symbols) : key).map(
        (i) => i.ref
      )
      const own = new Set(refs)
      const near = (find: (view: GraphView, ref: SymbolRef) => ReadonlyArray<SymbolInfo>) => {
        const seen = new Map<SymbolRef, SymbolInfo>()
        for (const ref of refs)
          for (const info of find(view, ref).slice(0, 6))
            if (!own.has(info.ref) && !info.test) seen.set(info.ref, info)
        return [...seen.values()].slice(0, neighbours).map((i) => i.id)
      }
      const best = relevance.files[0]?.score ?? 0
      const files = relevance.files
        .filter((f) => f.score >= best * 0.15 && view.file(f.path)?.test !== true)
        .slice(0, 8)
        .map((f) => f.path)
      const entryPath = start === undefined ? undefined : view.symbol(start).path
      const rest = {
        task: input.task,
        ...(entryPath === undefined
          ? {}
          : {
              entry_file_symbols: view
                .definitions(entryPath)
                .map((r) => view.symbol(r))
                .filter((i) => !i.flags.includes("local"))
                .slice(0, 60)
                .map(row)
            }),
        callers: near(usersOf),
        callees: near(usedBy),
        related_test_files: testsOf(view, refs).slice(0, 8),
        files_to_edit: entryPath === undefined ? files : [entryPath, ...files.filter((f) => f !== entryPath)],
        blast_radius: blastOf(view, refs),
        ...(options.include_call_paths ? { call_paths: pathsBetween(view, refs) } : {}),
        ...(options.include_confidence ? { confidence: confidenceOf(ranked, relevance.unmatched) } : {}),
        ...(relevance.searched && relevance.unmatched.length === 0
          ? {}
          : {
              retrieval_note: [
                ...(relevance.searched ? [] : ["a text search stopped early"]),
                ...(relevance.unmatched.length === 0
                  ? []
                  : [`not found here: ${relevance.unmatched.slice(0, 5).join(", ")}`])
              ].join("; ")
            })
      }
      const etag = etagOf(items, rest)
      if (options.if_none_match === etag) return { not_modified: true, etag }
      const list = options.fidelity === "graded" ? "context_manifest" : "relevant_symbols"
      if (options.delta_from !== undefined) {
        const delta = deltaFrom(options.delta_from, items)
        if (delta === undefined)
          return yield* Effect.fail(
            invalidArgument("options.delta_from", "options.delta_from is no etag of a pack")
          )
        return {
          ...rest,
          pack_delta: {
            added: items.filter((i) => delta.added.has(i.id)).map((i) => i.content),
            changed: items.filter((i) => delta.changed.has(i.id)).map((i) => i.content),
            unchanged: items
              .filter((i) => !delta.added.has(i.id) && !delta.changed.has(i.id))
              .map((i) => i.id),
            removed: delta.removed
          },
          etag
        }
      }
      return { ...rest, [list]: items.map((i) => i.content), etag }
    })
})
