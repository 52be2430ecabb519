import { Effect } from "effect"
import { page } from "../../../registry/Answer.ts"
import type { Member } from "../../../registry/Facade.ts"
import * as F from "../../../registry/Fields.ts"
import { CodeGraph, type GraphView } from "../../../services/CodeGraph.ts"
import { communitiesOf, round } from "../../shared/structure/Communities.ts"
import { isSymbol, pathOf } from "../../shared/structure/Nodes.ts"
import { usesOf } from "../../shared/structure/Uses.ts"
import { freshnessOf, graph } from "../../shared/symbols.ts"
import { type analyze, kind } from "../facade.ts"

/** A layer's uses of another below this share of all its uses are taken for slips rather than for design. */
const slip = 0.01

const folderOf = (path: string): string => {
  const at = path.lastIndexOf("/")
  return at < 0 ? "" : path.slice(0, at)
}

/** A name from the folders of a layer that no other one has. */
const nameOf = (folder: string, taken: ReadonlySet<string>): string => {
  const parts = folder === "" ? ["root"] : folder.split("/")
  for (let take = 1; take <= parts.length; take++) {
    const name = parts.slice(-take).join("-")
    if (!taken.has(name)) return name
  }
  for (let n = 2; ; n++) if (!taken.has(`${parts.join("-")}-${n}`)) return `${parts.join("-")}-${n}`
}

interface Layer {
  readonly name: string
  readonly folders: ReadonlyArray<string>
  readonly size: number
  readonly community: number
}

/** Each folder goes to the community that most of its definitions are in; a community's folders are a layer. */
const layersOf = (view: GraphView, least: number): ReadonlyArray<Layer> => {
  const { columns } = view
  const { list, of } = communitiesOf(view)
  const votes = new Map<string, Map<number, number>>()
  for (let node = 0; node < columns.nodeCount; node++) {
    const group = of[node]!
    if (group < 0) continue
    const folder = folderOf(pathOf(view, node))
    const own = votes.get(folder) ?? new Map<number, number>()
    own.set(group, (own.get(group) ?? 0) + 1)
    votes.set(folder, own)
  }
  const folders = new Map<number, Array<readonly [folder: string, members: number]>>()
  for (const [folder, own] of votes) {
    const [[group]] = [...own].sort((a, b) => b[1] - a[1] || a[0] - b[0]) as [[number, number]]
    const all = [...own.values()].reduce((sum, count) => sum + count, 0)
    const known = folders.get(group)
    if (known === undefined) folders.set(group, [[folder, all]])
    else known.push([folder, all])
  }
  const taken = new Set<string>()
  return list.flatMap((_, community) => {
    const own = folders.get(community)
    if (own === undefined) return []
    const size = own.reduce((sum, [, count]) => sum + count, 0)
    if (size < least) return []
    own.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    const name = nameOf(own[0]![0], taken)
    taken.add(name)
    return [{ name, folders: own.map(([folder]) => folder).sort(), size, community }]
  })
}

const needs = [CodeGraph] as const

export const suggestBoundaries: Member<typeof analyze, "suggest_boundaries", typeof needs> = kind(
  "suggest_boundaries",
  {
    summary: "A layer map proposed from communities.",
    page: { default: 100, max: 1000 },
    input: F.input({
      options: F.group({
        min_size: F.optional(F.described(F.count, "least definitions of a layer; 10 unless given"))
      })
    }),
    needs,
    handler: ({ options }) =>
      Effect.gen(function* () {
        const view = yield* graph
        const { columns } = view
        const found = communitiesOf(view)
        const layers = layersOf(view, options.min_size ?? 10)
        const ofFolder = new Map(
          layers.flatMap((layer, at) => layer.folders.map((folder) => [folder, at] as const))
        )
        const ofFile = new Int32Array(columns.nodeCount).fill(-1)
        for (const file of columns.fileNodes) ofFile[file] = ofFolder.get(folderOf(pathOf(view, file))) ?? -1
        const { graph: uses } = usesOf(view, "uses", "inferred")
        const counts = layers.map(() => new Int32Array(layers.length))
        for (let node = 0; node < columns.nodeCount; node++) {
          const own = ofFile[columns.files[node]!]!
          if (own < 0 || columns.tests[node] === 1 || !isSymbol(columns, node)) continue
          for (let e = uses.starts[node]!; e < uses.starts[node + 1]!; e++) {
            const other = ofFile[columns.files[uses.others[e]!]!]!
            if (other >= 0) counts[own]![other]!++
          }
        }
        const rows = layers.map(({ folders, name, size }, at) => {
          const total = counts[at]!.reduce((sum, count) => sum + count, 0)
          const others = layers.flatMap((layer, other) =>
            other !== at && counts[at]![other]! > 0 ? [{ layer: layer.name, uses: counts[at]![other]! }] : []
          )
          others.sort((a, b) => b.uses - a.uses || (a.layer < b.layer ? -1 : 1))
          return {
            name,
            paths: folders.map((folder) => (folder === "" ? "*" : `${folder}/*`)),
            allow: others.filter(({ uses: count }) => count >= total * slip).map(({ layer }) => layer),
            size,
            uses: Object.fromEntries(others.map(({ layer, uses: count }) => [layer, count]))
          }
        })
        return page(
          "suggested_layers",
          {
            total: rows.length,
            suggested_layers: rows,
            effectrc: JSON.stringify({
              guards: { layers: rows.map(({ allow, name, paths }) => ({ name, paths, allow })) }
            }),
            community_count: found.list.length,
            modularity: round(found.modularity),
            note: "a proposal: folders go with the community most of their definitions are in; uses below one in a hundred of a layer's are not allowed and worth a look. The text under effectrc is what .effectrc takes, and change.guards then holds changes to it",
            freshness: freshnessOf(view.freshness)
          },
          { snapshot: view.generation }
        )
      })
  }
)
