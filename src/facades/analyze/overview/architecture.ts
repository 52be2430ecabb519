import { Effect } from "effect"
import type { Member } from "../../../registry/Facade.ts"
import * as F from "../../../registry/Fields.ts"
import { isUnder } from "../../../registry/Place.ts"
import { CodeGraph, type GraphView } from "../../../services/CodeGraph.ts"
import * as Shared from "../../fields.ts"
import { communitiesOf, communityRow, round } from "../../shared/structure/Communities.ts"
import { nodeRow, pathOf, under } from "../../shared/structure/Nodes.ts"
import { processesOf, processRow } from "../../shared/structure/Processes.ts"
import { usesOf } from "../../shared/structure/Uses.ts"
import { freshnessOf, graph } from "../../shared/symbols.ts"
import { analyze } from "../facade.ts"
import { packageOf } from "./coupling.ts"
import { hotspotRow, ranked } from "./hotspots.ts"

/** Files that something outside starts, by their names. */
const startFile = /(?:^|\/)(?:main|__main__|index|app|server|cli|program|lib|mod|manage|wsgi|asgi)\.[a-z]+$/i
const bin = /^(?:cmd|bin|scripts?|apps?)\//

/** Folders of a unit at each level of a hierarchy. */
const depths = { package: 2, service: 1 } as const
const mostUnits = 40
const mostTies = 5

type Resolution = "symbol" | "file" | "package" | "service" | "system"

/** What there is of one size, and how it uses the rest. */
const hierarchyOf = (view: GraphView, resolution: Resolution, keep: (node: number) => boolean) => {
  const { columns } = view
  const names: Array<string> = []
  const numbers = new Map<string, number>()
  const of = new Int32Array(columns.nodeCount).fill(-1)
  const number = (name: string): number => {
    let own = numbers.get(name)
    if (own === undefined) {
      numbers.set(name, (own = names.length))
      names.push(name)
    }
    return own
  }
  if (resolution === "symbol") {
    for (const node of Array.from(ranked(view)).filter(keep).slice(0, mostUnits))
      of[node] = number(view.idOf(columns.refOf(node)))
  } else {
    for (const file of columns.fileNodes) {
      if (!keep(file) || columns.tests[file] === 1) continue
      const path = pathOf(view, file)
      const language = columns.languages[file]!
      if (language === 255) continue
      of[file] = number(
        resolution === "file" ? path : resolution === "system" ? "." : packageOf(path, depths[resolution])
      )
    }
    for (let node = 0; node < columns.nodeCount; node++)
      if (of[columns.files[node]!]! >= 0) of[node] = of[columns.files[node]!]!
  }
  const members = new Int32Array(names.length)
  for (let node = 0; node < columns.nodeCount; node++)
    if (of[node]! >= 0 && columns.parents[node]! >= 0) members[of[node]!]!++
  const ties = names.map(() => new Map<number, number>())
  const { graph: uses } = usesOf(view, "uses", "inferred")
  for (let node = 0; node < columns.nodeCount; node++) {
    const own = of[node]!
    if (own < 0) continue
    for (let e = uses.starts[node]!; e < uses.starts[node + 1]!; e++) {
      const other = of[uses.others[e]!]!
      if (other >= 0 && other !== own) ties[own]!.set(other, (ties[own]!.get(other) ?? 0) + 1)
    }
  }
  const order = names
    .map((_, at) => at)
    .filter((at) => members[at]! > 0)
    .sort((a, b) => members[b]! - members[a]! || (names[a]! < names[b]! ? -1 : 1))
  return {
    tier: resolution,
    total: order.length,
    units: order.slice(0, mostUnits).map((at) => ({
      id: names[at]!,
      ...(resolution === "symbol" ? {} : { members: members[at]! }),
      uses: Object.fromEntries(
        [...ties[at]!]
          .sort((a, b) => b[1] - a[1] || a[0] - b[0])
          .slice(0, mostTies)
          .map(([other, count]) => [names[other]!, count])
      )
    })),
    ...(resolution === "service" || resolution === "system"
      ? { note: "services are folders at the top here: what runs as one is not known from the graph" }
      : {})
  }
}

const needs = [CodeGraph] as const

export const architecture: Member<typeof analyze, "architecture", typeof needs> = analyze.operation(
  "architecture",
  {
    tool: "get_architecture",
    summary: "One page on the architecture: languages, clusters, hotspots, entry points.",
    input: F.input({
      options: F.group({
        top_communities: F.clamped({ min: 0, max: 1000, default: 5 }),
        top_hotspots: F.clamped({ min: 0, max: 1000, default: 5 }),
        top_processes: F.clamped({ min: 0, max: 1000, default: 5 }),
        top_entry_points: F.clamped({ min: 0, max: 1000, default: 10 }),
        path_prefix: Shared.pathPrefix,
        resolution: F.optional(
          F.described(
            F.choice("symbol", "file", "package", "service", "system"),
            "add a hierarchy of this size"
          )
        )
      })
    }),
    needs,
    handler: ({ options }) =>
      Effect.gen(function* () {
        const view = yield* graph
        const { columns } = view
        const { path_prefix } = options
        const keep = under(view, path_prefix)
        const fits = isUnder(path_prefix)
        const languages = new Map<string, { files: number; lines: number; symbols: number }>()
        let files = 0
        let symbols = 0
        for (const file of view.files()) {
          if (!fits(file.path)) continue
          files++
          if (file.language === undefined || file.skipped !== undefined) continue
          const row = languages.get(file.language) ?? { files: 0, lines: 0, symbols: 0 }
          row.files++
          row.lines += file.lines
          row.symbols += file.symbols
          symbols += file.symbols
          languages.set(file.language, row)
        }
        const { list, modularity } = communitiesOf(view)
        const own = list.filter(({ members }) => members.length >= 3 && members.some(keep))
        const hot = Array.from(ranked(view)).filter(keep)
        const processes = processesOf(view).filter(({ entry }) => keep(entry))
        const starts = processes
          .map(({ entry, score }) => {
            const path = pathOf(view, entry)
            const name = view.nameOf(columns.refOf(entry))
            const main = /^(?:main|Main|run|start|serve|cli|handler|execute|bootstrap)$/.test(name)
            return {
              entry,
              weight: score * (main ? 3 : 1) * (startFile.test(path) || bin.test(path) ? 2 : 1),
              main
            }
          })
          .sort((a, b) => b.weight - a.weight || a.entry - b.entry)
        const routes = view
          .marks()
          .filter(({ kind, path }) => kind === "route" && !view.file(path)?.test && fits(path))
        return {
          summary: {
            files,
            symbols,
            edges: columns.edgeCount,
            communities: own.length,
            modularity: round(modularity),
            processes: processes.length,
            // Texts that look like paths, by their place in calls; kind routes reads which of them are routes.
            route_strings: routes.length
          },
          languages: [...languages]
            .map(([language, row]) => ({ language, ...row }))
            .sort((a, b) => b.lines - a.lines || (a.language < b.language ? -1 : 1)),
          communities: own.slice(0, options.top_communities).map((each) => communityRow(view, each)),
          hotspots: hot.slice(0, options.top_hotspots).map((node) => hotspotRow(view, node)),
          entry_points: starts.slice(0, options.top_entry_points).map(({ entry }) => nodeRow(view, entry)),
          processes: processes.slice(0, options.top_processes).map((each) => processRow(view, each)),
          ...(options.resolution === undefined
            ? {}
            : { hierarchy: hierarchyOf(view, options.resolution, keep) }),
          elsewhere: "cross_repo and contracts are kinds of their own",
          freshness: freshnessOf(view.freshness)
        }
      })
  }
)
