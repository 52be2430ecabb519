import { Effect, Either } from "effect"
import { answer } from "../../../registry/Answer.ts"
import { fromService } from "../../../registry/Failure.ts"
import type { Member } from "../../../registry/Facade.ts"
import * as F from "../../../registry/Fields.ts"
import { CodeGraph, type GraphView, type SymbolRef } from "../../../services/CodeGraph.ts"
import { ControlView } from "../../../services/ControlView.ts"
import { GitReader } from "../../../services/GitReader.ts"
import { KnowledgeReader } from "../../../services/KnowledgeReader.ts"
import { WorkspaceView } from "../../../services/WorkspaceView.ts"
import { iso, nowSeconds } from "../../shared/past/Days.ts"
import { measuredNow } from "../../shared/past/Records.ts"
import { repositories, repositoryOf } from "../../shared/past/Repositories.ts"
import { graph, oneDefinition, rowOf } from "../../shared/symbols.ts"
import { analyze } from "../facade.ts"

/** Definitions around the anchor that are looked at. */
const mostAround = 500

/** What the anchor uses, and what that uses, by distance; nearest first. */
const usedBy = (view: GraphView, anchor: SymbolRef, depth: number): ReadonlyMap<SymbolRef, number> => {
  const found = new Map<SymbolRef, number>()
  let border: ReadonlyArray<SymbolRef> = [anchor]
  for (let distance = 1; distance <= depth && border.length > 0; distance++) {
    const next: Array<SymbolRef> = []
    for (const from of border)
      for (const { tier, to } of view.outgoing(from)) {
        if (tier === "name" || to === anchor || found.has(to) || view.isFile(to)) continue
        if (found.size >= mostAround) return found
        found.set(to, distance)
        next.push(to)
      }
    border = next
  }
  return found
}

const needs = [CodeGraph, GitReader, KnowledgeReader, ControlView, WorkspaceView] as const

export const replay: Member<typeof analyze, "replay", typeof needs> = analyze.operation("replay", {
  tool: "replay_episode",
  summary: "What may have caused a symptom: edits, callers, gaps, incidents.",
  tier: 2,
  input: F.input({
    options: F.group({
      anchor_symbol: F.described(F.text, "symbol where it showed"),
      window_days: F.withDefault(F.described(F.count, "days; 0 for all"), 30),
      depth: F.clamped({ min: 1, max: 20, default: 3 }),
      limit: F.described(F.clamped({ min: 1, max: 1000, default: 25 }), "rows of a section")
    })
  }),
  needs,
  handler: ({ options }) =>
    Effect.gen(function* () {
      const view = yield* graph
      const anchor = yield* Either.match(
        oneDefinition(view, options.anchor_symbol, {
          facade: "analyze",
          operation: "replay",
          field: "options.anchor_symbol"
        }),
        { onLeft: Effect.fail, onRight: Effect.succeed }
      )
      const now = yield* nowSeconds
      const from = options.window_days === 0 ? 0 : now - options.window_days * 86_400
      const unread: Array<{ readonly source: string; readonly because: string }> = []

      const upstream = view.reach([anchor], { depth: options.depth, most: mostAround })
      const around = new Map<
        SymbolRef,
        { readonly distance: number; readonly relation: "anchor" | "used" | "caller" }
      >([[anchor, { distance: 0, relation: "anchor" }]])
      for (const [ref, distance] of usedBy(view, anchor, options.depth))
        around.set(ref, { distance, relation: "used" })
      const used = around.size - 1
      upstream.refs.forEach((ref, i) => {
        if (!around.has(ref) && !view.isFile(ref))
          around.set(ref, { distance: upstream.depths[i]!, relation: "caller" })
      })
      const cut = used >= mostAround || upstream.stopped

      const callers = upstream.refs
        .flatMap((ref, i) =>
          view.isFile(ref)
            ? []
            : [{ ...rowOf(view.symbol(ref)), distance: upstream.depths[i]!, tier: upstream.tiers[i]! }]
        )
        .sort((a, b) => a.distance - b.distance || (a.id < b.id ? -1 : 1))

      const timeline: Array<{
        readonly id: string
        readonly file_path: string
        readonly line: number
        readonly relation: string
        readonly distance: number
        readonly kind: "commit" | "uncommitted"
        readonly at: string
        readonly commit?: string
        readonly author?: string
        readonly subject?: string
      }> = []
      const all = yield* Effect.either(repositories)
      if (Either.isLeft(all)) unread.push({ source: "commits", because: all.left.message })
      else {
        const git = yield* GitReader
        const measured = yield* measuredNow(view, all.right)
        const commits = new Map<string, Map<string, Array<SymbolRef>>>()
        const untold = new Set<string>()
        for (const ref of around.keys()) {
          const path = view.pathOf(ref)
          const home = repositoryOf(path, all.right.known)
          const touches =
            home === undefined
              ? undefined
              : measured[all.right.known.indexOf(home)]!.touches.get(view.idOf(ref))
          if (touches === undefined) {
            if (!view.symbol(ref).flags.includes("local")) untold.add(path)
            continue
          }
          let mine = commits.get(home!.prefix)
          if (mine === undefined) commits.set(home!.prefix, (mine = new Map()))
          for (const id of touches) mine.set(id, [...(mine.get(id) ?? []), ref])
        }
        for (const [prefix, mine] of commits) {
          const home = all.right.known.find((one) => one.prefix === prefix)!
          const messages = yield* Effect.mapError(
            git.messages([...mine.keys()], { repository: home.repository }),
            (cause) => fromService(cause)
          )
          for (const { at, author, id, subject } of messages) {
            if (at < from) continue
            for (const ref of mine.get(id)!) {
              const symbol = view.symbol(ref)
              timeline.push({
                id: symbol.id,
                file_path: symbol.path,
                line: symbol.line,
                ...around.get(ref)!,
                kind: "commit",
                at: iso(at),
                commit: id,
                author,
                subject
              })
            }
          }
        }
        for (const one of all.right.known) {
          const changes = yield* Effect.mapError(
            git.changes({ scope: "all" }, { repository: one.repository }),
            (cause) => fromService(cause)
          )
          for (const change of changes.files)
            for (const ref of around.keys()) {
              if (view.pathOf(ref) !== change.path) continue
              const { end_line, id, line, path, start_line } = view.symbol(ref)
              const touched =
                change.kind === "untracked" ||
                change.kind === "added" ||
                change.hunks.some(
                  ({ new_lines, new_start }) =>
                    new_start <= end_line && start_line <= new_start + Math.max(0, new_lines - 1)
                )
              if (touched)
                timeline.push({
                  id,
                  file_path: path,
                  line,
                  ...around.get(ref)!,
                  kind: "uncommitted",
                  at: iso(now)
                })
            }
        }
        if (untold.size > 0)
          unread.push({
            source: "commits",
            because: `${untold.size} files around the anchor are not as any commit has them`
          })
        const walked = measured.filter(({ truncated }) => truncated)
        const oldest = Math.min(...walked.map(({ oldestAt }) => oldestAt))
        if (walked.length > 0 && oldest > from)
          unread.push({ source: "commits", because: `those before ${iso(oldest)} were not walked` })
        if (measured.some(({ shallow }) => shallow))
          unread.push({ source: "commits", because: "the clone is shallow" })
      }
      timeline.sort(
        (a, b) =>
          Number(b.kind === "uncommitted") - Number(a.kind === "uncommitted") ||
          (a.at < b.at ? 1 : a.at > b.at ? -1 : 0) ||
          a.distance - b.distance ||
          (a.id < b.id ? -1 : 1)
      )

      const control = yield* ControlView
      const run = yield* Effect.mapError(control.run("coverage"), (cause) => fromService(cause))
      const gaps: Array<{
        readonly id: string
        readonly file_path: string
        readonly line: number
        readonly coverage_pct: number
        readonly distance: number
      }> = []
      if (run === undefined) unread.push({ source: "coverage", because: "no coverage was stamped" })
      else {
        const records = yield* Effect.mapError(control.list("coverage"), (cause) => fromService(cause))
        const byPath = new Map(records.map(({ key, value }) => [key, value] as const))
        let stale = 0
        for (const [ref, { distance }] of around) {
          const { id, line, path } = view.symbol(ref)
          const record = byPath.get(path)
          const one = record?.symbols.find((symbol) => symbol.id === id)
          if (one === undefined || one.hit === one.total) continue
          if (record!.sha !== view.file(path)?.sha) stale++
          gaps.push({
            id,
            file_path: path,
            line,
            coverage_pct: Math.round((1000 * one.hit) / one.total) / 10,
            distance
          })
        }
        if (stale > 0)
          unread.push({ source: "coverage", because: `${stale} of the gaps are of files that changed since` })
      }
      gaps.sort(
        (a, b) => a.distance - b.distance || a.coverage_pct - b.coverage_pct || (a.id < b.id ? -1 : 1)
      )

      const memories = yield* Effect.either(
        (yield* KnowledgeReader).query({
          kind: "memory",
          tags: ["incident"],
          symbols: [...around.keys()].map((ref) => view.idOf(ref))
        })
      )
      if (Either.isLeft(memories)) unread.push({ source: "memories", because: memories.left.detail })
      const incidents = Either.isRight(memories)
        ? memories.right.map(({ body, id, title, updatedAt }) => ({
            id,
            title: title ?? id,
            text: body.slice(0, 600),
            at: new Date(updatedAt).toISOString()
          }))
        : []
      const part = <A>(name: string, rows: ReadonlyArray<A>) => ({
        [name]: rows.slice(0, options.limit),
        ...(rows.length > options.limit ? { [`${name}_total`]: rows.length } : {})
      })
      return answer({
        anchor: rowOf(view.symbol(anchor)),
        window_days: options.window_days,
        depth: options.depth,
        radius_size: around.size - 1,
        ...(cut ? { radius_cut_at: mostAround } : {}),
        ...(upstream.suppressed === 0 ? {} : { text_matched_suppressed: upstream.suppressed }),
        ...part("timeline", timeline),
        ...part("callers", callers),
        ...part("coverage_gaps", gaps),
        ...part("memories", incidents),
        ...(unread.length === 0 ? {} : { not_looked_at: unread })
      })
    })
})
