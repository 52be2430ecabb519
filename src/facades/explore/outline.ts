import { fromService } from "../../registry/Failure.ts"
import { Effect } from "effect"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { CodeGraph, type SymbolRef } from "../../services/CodeGraph.ts"
import { explore } from "./facade.ts"
import { brief } from "./Tokens.ts"

const mostAreas = 12
const mostHotspots = 10
const mostFiles = 10
const mostEntries = 12

const data: ReadonlySet<string> = new Set(["key", "heading", "selector", "element", "target", "label"])
const notCode: ReadonlySet<string> = new Set([
  "markdown",
  "json",
  "yaml",
  "toml",
  "ini",
  "html",
  "css",
  "xml",
  "text"
])
const mainFile = /(?:^|\/)(?:main|__main__|index|app|server|cli|program|lib|mod)\.[a-z]+$/i

/** Folders with their share of the code: a folder that holds most of it is shown by its parts. */
const areasOf = (
  files: ReadonlyArray<{ readonly path: string; readonly lines: number; readonly symbols: number }>
) => {
  const total = files.reduce((n, f) => n + f.lines, 0)
  const split = (
    prefix: string,
    inside: typeof files,
    depth: number
  ): ReadonlyArray<{ path: string; files: number; lines: number; symbols: number }> => {
    const groups = new Map<string, Array<(typeof files)[number]>>()
    for (const file of inside) {
      const rest = file.path.slice(prefix.length)
      const at = rest.indexOf("/")
      const key = at < 0 ? prefix : `${prefix}${rest.slice(0, at + 1)}`
      const list = groups.get(key)
      if (list === undefined) groups.set(key, [file])
      else list.push(file)
    }
    return [...groups].flatMap(([key, list]) => {
      const lines = list.reduce((n, f) => n + f.lines, 0)
      if (key !== prefix && lines > total * 0.4 && depth < 4) return split(key, list, depth + 1)
      return [
        {
          path: key === "" ? "." : key.replace(/\/$/, ""),
          files: list.length,
          lines,
          symbols: list.reduce((n, f) => n + f.symbols, 0)
        }
      ]
    })
  }
  return [...split("", files, 0)].sort((a, b) => b.lines - a.lines)
}

const needs = [CodeGraph] as const

export const outline: Member<typeof explore, "outline", typeof needs> = explore.operation("outline", {
  tool: "get_repo_outline",
  presets: ["core", "nav", "hybrid"],
  summary: "First look at a codebase: languages, areas, hotspots, entry points.",
  input: F.input({}),
  needs,
  handler: () =>
    Effect.gen(function* () {
      const view = yield* Effect.mapError((yield* CodeGraph).view, fromService)
      const { counts } = view
      const files = view.files()
      const languages = new Map<string, { files: number; lines: number; symbols: number }>()
      for (const file of files) {
        if (file.language === undefined) continue
        const row = languages.get(file.language) ?? { files: 0, lines: 0, symbols: 0 }
        row.files++
        row.lines += file.lines
        row.symbols += file.symbols
        languages.set(file.language, row)
      }
      const table = [...languages]
        .map(([language, row]) => ({ language, ...row }))
        .sort((a, b) => b.lines - a.lines)
      const primary = table.find((l) => !notCode.has(l.language)) ?? table[0]
      const code = files.filter((f) => f.language !== undefined && !notCode.has(f.language))
      const areas = areasOf(code)

      // Only what others use can be a hotspot, so words are made for the most used alone.
      const used: Array<readonly [ref: SymbolRef, uses: number]> = []
      for (const ref of view.all()) {
        const uses = view.incomingCount(ref)
        if (uses >= 3) used.push([ref, uses])
      }
      used.sort((a, b) => b[1] - a[1])
      const hotspots: Array<{ id: string; kind: string; uses: number; complexity?: number }> = []
      for (const [ref, uses] of used.slice(0, 400)) {
        const info = view.symbol(ref)
        if (
          info.test ||
          data.has(info.kind) ||
          info.flags.includes("local") ||
          view.file(info.path)?.generated === true
        )
          continue
        hotspots.push({
          id: info.id,
          kind: info.kind,
          uses,
          ...(info.complexity > 1 ? { complexity: info.complexity } : {})
        })
        if (hotspots.length === mostHotspots * 4) break
      }
      hotspots.sort(
        (a, b) => b.uses * (1 + Math.log2(b.complexity ?? 1)) - a.uses * (1 + Math.log2(a.complexity ?? 1))
      )

      const importers = new Map<string, Set<string>>()
      for (const file of code) {
        for (const imported of view.imports(file.path)) {
          for (const target of imported.targets) {
            const { path } = view.symbol(target)
            if (path === file.path) continue
            const set = importers.get(path)
            if (set === undefined) importers.set(path, new Set([file.path]))
            else set.add(file.path)
          }
        }
      }
      const popular = [...importers]
        .map(([path, from]) => ({ path, importers: from.size }))
        .sort((a, b) => b.importers - a.importers || (a.path < b.path ? -1 : 1))
        .slice(0, mostFiles)

      const entries: Array<{ id: string; because: string }> = []
      for (const ref of view.named("main")) {
        const info = view.symbol(ref)
        if (
          (info.kind === "function" || info.kind === "method") &&
          !info.test &&
          !info.flags.includes("local")
        )
          entries.push({ id: info.id, because: "main" })
      }
      const roots = code.filter(
        (f) => mainFile.test(f.path) && !f.test && !entries.some((e) => e.id.startsWith(`${f.path}::`))
      )
      roots.sort((a, b) => a.path.split("/").length - b.path.split("/").length || (a.path < b.path ? -1 : 1))
      for (const file of roots) entries.push({ id: file.path, because: "name" })
      const routes = view.marks().filter((m) => m.kind === "route")
      return {
        summary: brief(
          `${counts.indexed_files} of ${counts.files} files indexed, ${counts.symbols} symbols, ${counts.edges} edges` +
            (primary === undefined ? "" : `; mostly ${primary.language}`) +
            (routes.length === 0 ? "" : `; ${routes.length} routes`) +
            (counts.unbound === 0
              ? ""
              : `; ${counts.unbound} uses of known names are not bound to a definition`),
          400
        ),
        total_nodes: counts.symbols + counts.files,
        total_edges: counts.edges,
        ...(primary === undefined ? {} : { primary_language: primary.language }),
        languages: table.slice(0, 12),
        areas: areas.slice(0, mostAreas),
        ...(areas.length > mostAreas ? { more_areas: areas.length - mostAreas } : {}),
        hotspots: hotspots.slice(0, mostHotspots),
        most_imported_files: popular,
        entry_points: entries.slice(0, mostEntries),
        ...(view.freshness.state === "fresh" ? {} : { index: view.freshness.state })
      }
    })
})
