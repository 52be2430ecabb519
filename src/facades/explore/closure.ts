import { Effect } from "effect"
import { failure, invalidArgument, fromService } from "../../registry/Failure.ts"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { isWithin } from "../../registry/Place.ts"
import { CodeGraph, type SymbolRef } from "../../services/CodeGraph.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import { WorkspaceView } from "../../services/WorkspaceView.ts"
import * as Shared from "../fields.ts"
import { edgeFilter } from "../search/EdgeKinds.ts"
import { excerptOf } from "./Excerpt.ts"
import { explore } from "./facade.ts"
import { repository } from "./fields.ts"
import { repositoryScope } from "./Repository.ts"
import { lineReader } from "./Sources.ts"
import { brief, bytesOf, tokensOf } from "./Tokens.ts"

/** Budget of the pack when none is given: a larger code base needs more to be understood. */
const budgetFor = (files: number): number => (files < 100 ? 2000 : files < 1000 ? 4000 : 8000)

/** Steps of the random walk, and how often it starts over. */
const rounds = 20
const restart = 0.25

const needs = [CodeGraph, ReadFs, WorkspaceView] as const

export const closure: Member<typeof explore, "closure", typeof needs> = explore.operation("closure", {
  narrows: true,
  tool: "context_closure",
  summary: "What seed files or symbols depend on, nearest first, within a token budget.",
  input: F.input(
    {
      path: repository,
      options: F.group({
        files: F.optional(F.described(F.csv, "seed files; every symbol in them is a seed")),
        symbols: F.optional(F.described(F.csv, "seed symbol ids; in an array each item stays whole")),
        edge_kinds: F.optional(
          F.described(
            F.csv,
            "kinds of edge to follow: calls, references, imports, extends, implements; all unless given"
          )
        ),
        token_budget: F.described(
          F.clamped({ min: 100, max: 100_000 }),
          "tokens of context_manifest; by size of the code base unless given"
        ),
        max_depth: Shared.depth(6, 64),
        max_nodes: F.described(F.clamped({ min: 1, max: 5000, default: 400 }), "members, nearest first"),
        rank: F.withDefault(
          F.described(
            F.choice("distance", "proximity"),
            "proximity: by a random walk that keeps coming back to the seeds"
          ),
          "distance"
        )
      })
    },
    { atLeastOne: [["options.files", "options.symbols"]] }
  ),
  needs,
  handler: (input) =>
    Effect.gen(function* () {
      const { options } = input
      const follows = yield* edgeFilter("options.edge_kinds", options.edge_kinds ?? [])
      const view = yield* Effect.mapError((yield* CodeGraph).view, fromService)
      const scope = yield* repositoryScope(view, input.path)
      const inScope = (path: string) => scope.length === 0 || scope.some((place) => isWithin(path, place))
      const missingFiles: Array<string> = []
      const missingSymbols: Array<string> = []
      const resolvedFiles: Array<string> = []
      const seeds = new Set<SymbolRef>()
      for (const path of options.files ?? []) {
        const ref = view.fileRef(path.replace(/^\.\//, ""))
        if (ref === undefined) missingFiles.push(path)
        else {
          resolvedFiles.push(view.symbol(ref).path)
          // A file's own edges are those of everything in it.
          seeds.add(ref)
        }
      }
      for (const id of options.symbols ?? []) {
        const { found } = view.resolve(id)
        if (found.length === 0) missingSymbols.push(id)
        else if (found.length > 1) {
          return yield* Effect.fail(
            invalidArgument("options.symbols", `options.symbols: ${id} may be any of ${found.length}`, {
              reason_code: "ambiguous",
              data: { candidates: found.slice(0, 10).map((r) => view.symbol(r).id) }
            })
          )
        } else seeds.add(found[0]!)
      }
      if (seeds.size === 0) {
        return yield* Effect.fail(
          failure("symbol_not_found", "none of the seeds is in the index", {
            failure_stage: "resolve",
            data: { missing_files: missingFiles, missing_symbols: missingSymbols }
          })
        )
      }
      const distance = new Map<SymbolRef, number>([...seeds].map((ref) => [ref, 0]))
      const links = new Map<SymbolRef, ReadonlyArray<SymbolRef>>()
      let edge = [...seeds]
      let depth = 0
      let truncated = false
      while (edge.length > 0 && depth < options.max_depth && !truncated) {
        depth++
        const next: Array<SymbolRef> = []
        for (const ref of edge) {
          const to = new Set<SymbolRef>()
          for (const e of view.outgoing(ref))
            if (e.tier !== "name" && follows(e.role) && e.to !== ref && inScope(view.symbol(e.to).path))
              to.add(e.to)
          links.set(ref, [...to])
          for (const target of to) {
            if (distance.has(target)) continue
            if (distance.size >= options.max_nodes + seeds.size) {
              truncated = true
              break
            }
            distance.set(target, depth)
            next.push(target)
          }
        }
        edge = next
      }
      const stopped = edge.length > 0 && (truncated || depth >= options.max_depth)
      let near: ReadonlyMap<SymbolRef, number> | undefined
      if (options.rank === "proximity") {
        let mass = new Map<SymbolRef, number>([...seeds].map((ref) => [ref, 1 / seeds.size]))
        for (let round = 0; round < rounds; round++) {
          const next = new Map<SymbolRef, number>([...seeds].map((ref) => [ref, restart / seeds.size]))
          for (const [ref, amount] of mass) {
            const to = (links.get(ref) ?? []).filter((t) => distance.has(t))
            // What leads nowhere goes back to the seeds.
            const targets = to.length > 0 ? to : [...seeds]
            for (const target of targets)
              next.set(target, (next.get(target) ?? 0) + ((1 - restart) * amount) / targets.length)
          }
          mass = next
        }
        near = mass
      }
      const members = [...distance]
        .filter(([ref]) => !seeds.has(ref))
        .map(([ref, d]) => ({ info: view.symbol(ref), distance: d, proximity: near?.get(ref) }))
      members.sort(
        (a, b) =>
          (near === undefined ? a.distance - b.distance : (b.proximity ?? 0) - (a.proximity ?? 0)) ||
          a.distance - b.distance ||
          (a.info.id < b.info.id ? -1 : 1)
      )
      const budget = options.token_budget ?? budgetFor(view.counts.files)
      let left = bytesOf(budget)
      const read = yield* lineReader
      const manifest: Array<{ readonly [field: string]: unknown }> = []
      for (const { info } of members) {
        const lines = info.kind === "file" ? undefined : yield* read(info.path)
        const source =
          lines === undefined
            ? undefined
            : excerptOf(
                lines,
                info.start_line,
                info.end_line,
                [],
                Math.floor(left * 0.4),
                info.body_line ?? info.start_line
              )
        const full = source !== undefined && !source.cut ? { id: info.id, source: source.text } : undefined
        const stub = { id: info.id, signature: brief(info.signature, 160) }
        const fits = (entry: object) => bytesOf(tokensOf(entry)) + 4 <= left
        const entry = full !== undefined && fits(full) ? full : fits(stub) ? stub : undefined
        if (entry === undefined) break
        left -= bytesOf(tokensOf(entry)) + 4
        manifest.push(entry)
      }
      return {
        seeds: [...seeds].map((ref) => view.symbol(ref).id),
        ...(resolvedFiles.length === 0 ? {} : { resolved_files: resolvedFiles }),
        rank: options.rank,
        member_count: members.length,
        truncated,
        ...(stopped ? { stopped_at_depth: depth } : {}),
        members: members.map(({ distance, info, proximity }) => ({
          id: info.id,
          kind: info.kind,
          distance,
          ...(proximity === undefined ? {} : { proximity: Math.round(proximity * 1e6) / 1e6 })
        })),
        context_manifest: manifest,
        ...(manifest.length < members.length ? { manifest_left_out: members.length - manifest.length } : {}),
        ...(missingFiles.length === 0 ? {} : { missing_files: missingFiles }),
        ...(missingSymbols.length === 0 ? {} : { missing_symbols: missingSymbols })
      }
    })
})
