import { Effect } from "effect"
import { fromService } from "../../registry/Failure.ts"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { prefixOf } from "../../registry/Place.ts"
import { CodeGraph, type EdgeInfo, type SymbolRef, type Tier } from "../../services/CodeGraph.ts"
import { TextIndex, type TextMatch } from "../../services/TextIndex.ts"
import * as Shared from "../fields.ts"
import { freshnessOf, graph, rowOf } from "../shared/symbols.ts"
import { atLeast } from "./Evidence.ts"
import { relations } from "./facade.ts"

/** Columns of a match on its first line, 0-based, the end exclusive. */
const spanOf = (match: TextMatch, pattern: string, regex: boolean): readonly [number, number] => {
  const start = match.column - 1
  if (!regex) return [start, match.end_line === match.line ? start + pattern.length : Infinity]
  try {
    const found = new RegExp(pattern, "uy")
    found.lastIndex = start
    const hit = match.clipped ? null : found.exec(match.text)
    return [start, hit === null || hit[0] === "" ? Infinity : start + hit[0].length]
  } catch {
    return [start, Infinity]
  }
}

/** Sites of one declaration an answer shows. */
const mostSites = 10

const needs = [CodeGraph, TextIndex] as const

export const declaration: Member<typeof relations, "declaration", typeof needs> = relations.operation(
  "declaration",
  {
    tool: "find_declaration",
    flat: { "target.query": "use_site" },
    summary: "From text at a use site, the declaration it means.",
    input: F.input({
      target: F.target({ query: F.aliased(F.described(F.text, "text at the use site"), "use_site") }),
      options: F.group({
        regex: F.aliased(F.withDefault(F.flag, false), "regexp"),
        path_prefix: Shared.pathPrefix,
        kind: Shared.kinds,
        limit: F.described(F.clamped({ min: 1, max: 1000, default: 20 }), "use sites to look at")
      })
    }),
    needs,
    handler: ({ options, target }) =>
      Effect.gen(function* () {
        const view = yield* graph
        const { search } = yield* TextIndex
        const pattern = target.query
        const prefix = prefixOf(options.path_prefix ?? "")
        const found = yield* Effect.mapError(
          search({
            pattern,
            regexp: options.regex,
            limit: options.limit,
            mode: "matches",
            ...(prefix === "" ? {} : { paths: [prefix] }),
            deadline_ms: 5000
          }),
          (cause) => fromService(cause, { field: "target.query" })
        )
        const edgesByFile = new Map<string, Map<number, Array<EdgeInfo>>>()
        const edgesOn = (path: string, line: number): ReadonlyArray<EdgeInfo> => {
          let lines = edgesByFile.get(path)
          if (lines === undefined) {
            edgesByFile.set(path, (lines = new Map()))
            const file = view.fileRef(path)
            for (const edge of file === undefined ? [] : view.outgoing(file)) {
              const own = lines.get(edge.line)
              if (own === undefined) lines.set(edge.line, [edge])
              else own.push(edge)
            }
          }
          return lines.get(line) ?? []
        }
        interface Found {
          readonly ref: SymbolRef
          tier: Tier
          readonly sites: Array<{ readonly file_path: string; readonly line: number; readonly text: string }>
        }
        const declarations = new Map<SymbolRef, Found>()
        const unresolved: Array<object> = []
        let definitions = 0
        for (const match of found.matches) {
          const [start, end] = spanOf(match, pattern, options.regex)
          const site = { file_path: match.path, line: match.line, text: match.text.trim().slice(0, 200) }
          const edges = edgesOn(match.path, match.line).filter(
            ({ column }) => column >= start && column < end
          )
          for (const edge of edges) {
            const known = declarations.get(edge.to)
            if (known === undefined)
              declarations.set(edge.to, { ref: edge.to, tier: edge.tier, sites: [site] })
            else {
              if (atLeast(edge.tier, known.tier)) known.tier = edge.tier
              if (!known.sites.includes(site)) known.sites.push(site)
            }
          }
          if (edges.length > 0) continue
          const defines = view.definitions(match.path).some((ref) => {
            const { column, line } = view.symbol(ref)
            return line === match.line && column >= start && column < end
          })
          if (defines) definitions++
          else unresolved.push(site)
        }
        const kinds = options.kind?.map((kind) => kind.toLowerCase())
        const rows = [...declarations.values()]
          .map(({ ref, sites, tier }) => ({ symbol: view.symbol(ref), sites, tier }))
          .filter(({ symbol }) => kinds === undefined || kinds.includes(symbol.kind))
          .sort((a, b) => b.sites.length - a.sites.length)
          .map(({ sites, symbol, tier }) => ({
            declaration: { ...rowOf(symbol), tier },
            use_sites: sites.slice(0, mostSites),
            ...(sites.length > mostSites ? { use_site_count: sites.length } : {})
          }))
        return {
          use_site: pattern,
          count: rows.length,
          use_sites_scanned: found.matches.length,
          ...(found.complete && found.total === found.matches.length
            ? {}
            : { complete: false, causes: found.causes, use_sites_seen: found.total }),
          ...(definitions === 0 ? {} : { definition_sites: definitions }),
          ...(unresolved.length === 0
            ? {}
            : { unresolved_count: unresolved.length, unresolved: unresolved.slice(0, 5) }),
          ...(view.freshness.state === "fresh" ? {} : { freshness: freshnessOf(view.freshness) }),
          declarations: rows
        }
      })
  }
)
