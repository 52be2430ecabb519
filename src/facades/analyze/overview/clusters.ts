import { Effect } from "effect"
import { page } from "../../../registry/Answer.ts"
import type { Member } from "../../../registry/Facade.ts"
import { invalidArgument } from "../../../registry/Failure.ts"
import * as F from "../../../registry/Fields.ts"
import { CodeGraph, type GraphView } from "../../../services/CodeGraph.ts"
import * as Shared from "../../fields.ts"
import {
  communitiesOf,
  type Community,
  communityRow,
  divided,
  round
} from "../../shared/structure/Communities.ts"
import { isSymbol, under } from "../../shared/structure/Nodes.ts"
import { freshnessOf, graph } from "../../shared/symbols.ts"
import { type analyze, kind } from "../facade.ts"
import { scopeOf } from "./communities.ts"

/** Definitions that are halved along eigenvectors at most: time grows faster than their number. */
const mostSpectral = 8_000
const sample = 10

const languagesOf = (view: GraphView, { members }: Community) => {
  const { columns } = view
  const counts = new Map<string, number>()
  for (const node of members) {
    const name = columns.languageNames[columns.languages[node]!] ?? ""
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([name]) => name)
}

export const clusterRow = (view: GraphView, community: Community) => {
  const { files, inside, members } = community
  const { cohesion, file_count, hub, id, label, size } = communityRow(view, community, 0)
  const pairs = (size * (size - 1)) / 2
  return {
    id,
    label,
    hub,
    size,
    cohesion,
    density: round(pairs === 0 ? 0 : Math.min(1, inside / pairs)),
    languages: languagesOf(view, community),
    files: file_count,
    top_files: files.slice(0, 5).map(([path, count]) => ({ file_path: path, members: count })),
    member_sample: members.slice(0, sample).map((node) => view.idOf(view.columns.refOf(node)))
  }
}

const needs = [CodeGraph] as const

export const clusters: Member<typeof analyze, "clusters", typeof needs> = kind("clusters", {
  summary: "Clusters by an algorithm of your choice.",
  page: { default: 100, max: 1000 },
  input: F.input({
    options: F.group({
      algorithm: F.withDefault(F.choice("leiden", "louvain", "spectral"), "leiden"),
      min_size: F.withDefault(F.count, 3),
      resolution: F.withDefault(
        F.described(F.number({ min: 0.01, max: 100 }), "above 1 for smaller clusters"),
        1.0
      ),
      path_prefix: Shared.pathPrefix
    })
  }),
  needs,
  handler: ({ options }) =>
    Effect.gen(function* () {
      const { algorithm, min_size, path_prefix, resolution } = options
      const view = yield* graph
      const { columns } = view
      const whole = path_prefix === undefined
      const keep = under(view, path_prefix)
      if (algorithm === "spectral") {
        let count = 0
        for (let node = 0; node < columns.nodeCount; node++)
          if (keep(node) && isSymbol(columns, node) && columns.tests[node] === 0) count++
        if (count > mostSpectral)
          return yield* invalidArgument(
            "options.algorithm",
            `spectral is for at most ${mostSpectral} definitions and there are ${count}: stay in a folder with path_prefix, or take leiden`,
            { reason_code: "graph_too_large", data: { definitions: count, most: mostSpectral } }
          )
      }
      const found =
        whole && algorithm === "leiden" && resolution === 1
          ? communitiesOf(view)
          : divided(view, { method: algorithm, resolution, ...(whole ? {} : { keep }) })
      const rows = found.list.filter(({ members }) => members.length >= min_size)
      return page(
        "clusters",
        {
          total: rows.length,
          algorithm,
          resolution,
          modularity: round(found.modularity),
          clusters: rows.map((each) => clusterRow(view, each)),
          smaller: found.list.length - rows.length,
          scope: { ...scopeOf(found), ...(whole ? {} : { path_prefix }) },
          freshness: freshnessOf(view.freshness)
        },
        { snapshot: view.generation }
      )
    })
})
