import { Effect } from "effect"
import { page } from "../../../registry/Answer.ts"
import type { Member } from "../../../registry/Facade.ts"
import * as F from "../../../registry/Fields.ts"
import { isUnder } from "../../../registry/Place.ts"
import { CodeGraph, type GraphView } from "../../../services/CodeGraph.ts"
import { edgeFilter } from "../../search/EdgeKinds.ts"
import { isSymbol, kindsOf, nodeRow, pathOf } from "../../shared/structure/Nodes.ts"
import { tierNames } from "../../shared/structure/Uses.ts"
import { freshnessOf, graph as viewNow } from "../../shared/symbols.ts"
import { trace } from "../facade.ts"
import { type Filter, parse } from "./Query.ts"

/** Edges of one answer. */
const mostEdges = 2_000

const tests = (view: GraphView, filters: ReadonlyArray<Filter>): ((node: number) => boolean) => {
  const { columns } = view
  const each = filters.map((filter): ((node: number) => boolean) => {
    switch (filter.of) {
      case "kind": {
        const wanted = columns.kindNames.map((name) => filter.values.includes(name))
        return (node) => wanted[columns.kinds[node]!] === true
      }
      case "lang": {
        const wanted = columns.languageNames.map((name) => filter.values.includes(name))
        return (node) => wanted[columns.languages[node]!] === true
      }
      case "path": {
        const fits = isUnder(filter.value)
        const inside = new Set<number>()
        for (const file of columns.fileNodes) if (fits(pathOf(view, file))) inside.add(file)
        return (node) => inside.has(columns.files[node]!)
      }
      case "name":
        return (node) => view.nameOf(columns.refOf(node)) === filter.value
      case "matches":
        return (node) => filter.pattern.test(view.nameOf(columns.refOf(node)))
    }
  })
  return (node) => each.every((test) => test(node))
}

interface Tie {
  readonly from: number
  readonly to: number
  readonly role: number
  tier: number
  sites: number
  readonly edge: number
}

const needs = [CodeGraph] as const

export const graph: Member<typeof trace, "graph", typeof needs> = trace.operation("graph", {
  tool: "graph_query",
  summary: "A small query of piped stages: nodes, traverse, filter.",
  tier: 2,
  page: { default: 100, max: 1000 },
  input: F.input({
    options: F.group({
      query: F.described(
        F.text,
        "nodes FILTER* | traverse KINDS out|in|both | filter FILTER+; at most 5 stages"
      )
    })
  }),
  needs,
  handler: ({ options }, call) =>
    Effect.gen(function* () {
      const view = yield* viewNow
      const { columns } = view
      const { file } = kindsOf(columns)
      const stages = yield* parse(options.query, {
        kinds: columns.kindNames,
        languages: columns.languageNames
      })
      let nodes: ReadonlyArray<number> = []
      let ties = new Map<string, Tie>()
      let suppressed = 0
      const counts: Array<{ readonly stage: string; readonly nodes: number }> = []
      for (const stage of stages) {
        switch (stage.stage) {
          case "nodes": {
            const keep = tests(view, stage.filters)
            const out: Array<number> = []
            for (let node = 0; node < columns.nodeCount; node++)
              if ((columns.kinds[node] === file || isSymbol(columns, node)) && keep(node)) out.push(node)
            nodes = out
            break
          }
          case "filter":
            nodes = nodes.filter(tests(view, stage.filters))
            break
          case "traverse": {
            const follows = yield* edgeFilter("options.query", stage.kinds)
            const takes = columns.roleNames.map(follows)
            const found = new Set<number>()
            ties = new Map()
            const add = (edge: number, far: number) => {
              found.add(far)
              const from = columns.sources[edge]!
              const to = columns.out.others[edge]!
              const role = columns.roles[edge]!
              const key = `${from} ${to} ${role}`
              const known = ties.get(key)
              if (known === undefined)
                ties.set(key, { from, to, role, tier: columns.tiers[edge]!, sites: 1, edge })
              else {
                known.sites++
                known.tier = Math.min(known.tier, columns.tiers[edge]!)
              }
            }
            for (const node of nodes) {
              const own: Array<readonly [edge: number, far: number]> = []
              if (stage.direction !== "in")
                for (let e = columns.out.starts[node]!; e < columns.out.starts[node + 1]!; e++)
                  if (takes[columns.roles[e]!] === true) own.push([e, columns.out.others[e]!])
              if (stage.direction !== "out")
                for (let p = columns.in.starts[node]!; p < columns.in.starts[node + 1]!; p++)
                  if (takes[columns.roles[columns.inEdges[p]!]!] === true)
                    own.push([columns.inEdges[p]!, columns.in.others[p]!])
              const verified = own.some(([edge]) => columns.tiers[edge]! < 3)
              for (const [edge, far] of own)
                if (verified && columns.tiers[edge] === 3) suppressed++
                else add(edge, far)
            }
            nodes = [...found].sort((a, b) => a - b)
            break
          }
        }
        counts.push({ stage: stage.stage, nodes: nodes.length })
      }
      const begin = call.offset
      const rows = nodes.slice(begin, call.limit === undefined ? undefined : begin + call.limit)
      const shown = new Set(rows)
      const edges = [...ties.values()].filter(({ from, to }) => shown.has(from) || shown.has(to))
      return page(
        "nodes",
        {
          total: nodes.length,
          stages: counts,
          nodes: rows.map((node) => nodeRow(view, node)),
          ...(ties.size === 0
            ? {}
            : {
                edges: edges.slice(0, mostEdges).map(({ edge, from, role, sites, tier, to }) => {
                  const { line, path } = columns.edge(edge)
                  return {
                    from: view.idOf(columns.refOf(from)),
                    to: view.idOf(columns.refOf(to)),
                    kind: columns.roleNames[role]!,
                    file_path: path,
                    line,
                    tier: tierNames[tier]!,
                    ...(sites > 1 ? { sites } : {})
                  }
                }),
                ...(edges.length > mostEdges ? { edge_count: edges.length } : {})
              }),
          ...(suppressed === 0 ? {} : { text_matched_suppressed: suppressed }),
          freshness: freshnessOf(view.freshness)
        },
        { from: begin, total: nodes.length, snapshot: view.generation }
      )
    })
})
