import { Effect } from "effect"
import type { Member } from "../../../registry/Facade.ts"
import * as F from "../../../registry/Fields.ts"
import { byteLength } from "../../../registry/Json.ts"
import { CodeGraph } from "../../../services/CodeGraph.ts"
import { oneCommunity } from "../../analyze/overview/communities.ts"
import * as Shared from "../../fields.ts"
import { bytesOf, tokensIn, tokensOf } from "../../explore/Tokens.ts"
import { edgeFilter } from "../../search/EdgeKinds.ts"
import { communitiesOf } from "../../shared/structure/Communities.ts"
import { idOf, kindsOf, nodeRow } from "../../shared/structure/Nodes.ts"
import { startsOf } from "../../shared/structure/Subject.ts"
import { freshnessOf, graph, oneOf, rowOf } from "../../shared/symbols.ts"
import { trace } from "../facade.ts"
import { start } from "./fields.ts"

const needs = [CodeGraph] as const

export const walk: Member<typeof trace, "walk", typeof needs> = trace.operation("walk", {
  narrows: true,
  tool: "walk_graph",
  summary: "Free traversal over chosen kinds of edge, within a token budget.",
  input: F.input({
    target: start,
    options: F.group({
      edge_kinds: F.withDefault(
        F.described(F.csv, "calls, references, imports, extends, implements, or all"),
        ["calls"]
      ),
      direction: F.withDefault(F.choice("out", "in", "both"), "out"),
      community: F.optional(F.described(F.text, "stay in this community, by id or label")),
      token_budget: Shared.tokenBudget(6000),
      max_depth: Shared.depth(8, 64)
    })
  }),
  needs,
  handler: ({ options, target }, call) =>
    Effect.gen(function* () {
      const follows = yield* edgeFilter("options.edge_kinds", options.edge_kinds)
      const view = yield* graph
      const ref = yield* oneOf(view, target.symbol, { facade: "trace", operation: "walk" })
      const { columns } = view
      const { roleNames, roles, tiers } = columns
      const community =
        options.community === undefined
          ? undefined
          : yield* oneCommunity(view, communitiesOf(view), options.community, "options.community")
      const inside = community === undefined ? undefined : new Set(community.members)
      const takes = roleNames.map(follows)
      const { file } = kindsOf(columns)
      const roots = startsOf(view, ref)

      const head = {
        symbol: rowOf(view.symbol(ref)),
        edge_kinds: options.edge_kinds,
        direction: options.direction,
        ...(community === undefined ? {} : { community: { id: community.id, label: community.label } })
      }
      const budget = Math.min(bytesOf(options.token_budget), call.budget) - byteLength(head) - 500
      const depths = new Map<number, number>(roots.map((node) => [node, 0]))
      const queue = [...roots]
      const rows: Array<object> = []
      const edges: Array<object> = []
      const seen = new Set<number>()
      let used = 0
      let hit = false
      let suppressed = 0
      let outside = 0
      let deepest = 0
      let further = 0
      /** Adds the node at the far end of an edge, and the edge. False once the budget is used up. */
      const add = (edge: number, near: number, far: number): boolean => {
        if (seen.has(edge)) return true
        const known = depths.has(far)
        if (!known && inside !== undefined && !inside.has(far)) {
          outside++
          return true
        }
        const info = columns.edge(edge)
        const edgeRow = {
          from: idOf(view, columns.sources[edge]!),
          to: idOf(view, columns.out.others[edge]!),
          kind: info.role,
          file_path: info.path,
          line: info.line,
          tier: info.tier
        }
        const depth = depths.get(near)! + 1
        const nodeAt = known ? undefined : Object.assign(nodeRow(view, far), { depth })
        const bytes = byteLength(edgeRow) + 1 + (nodeAt === undefined ? 0 : byteLength(nodeAt) + 1)
        if (used + bytes > budget) {
          hit = true
          return false
        }
        used += bytes
        seen.add(edge)
        edges.push(edgeRow)
        if (nodeAt !== undefined) {
          depths.set(far, depth)
          queue.push(far)
          rows.push(nodeAt)
          deepest = Math.max(deepest, depth)
        }
        return true
      }
      for (let at = 0; at < queue.length && !hit; at++) {
        const node = queue[at]!
        const depth = depths.get(node)!
        // What a file's top level is used by or uses is only of interest where the walk starts from it.
        if (columns.kinds[node] === file && depth > 0) continue
        const own: Array<readonly [edge: number, far: number]> = []
        if (options.direction !== "in")
          for (let e = columns.out.starts[node]!; e < columns.out.starts[node + 1]!; e++)
            if (takes[roles[e]!] === true) own.push([e, columns.out.others[e]!])
        if (options.direction !== "out")
          for (let p = columns.in.starts[node]!; p < columns.in.starts[node + 1]!; p++)
            if (takes[roles[columns.inEdges[p]!]!] === true)
              own.push([columns.inEdges[p]!, columns.in.others[p]!])
        const verified = own.some(([edge]) => tiers[edge]! < 3)
        // One edge of each kind between two definitions is enough of them.
        const pairs = new Set<string>()
        for (const [edge, far] of own) {
          if (verified && tiers[edge] === 3) {
            suppressed++
            continue
          }
          const pair = `${columns.sources[edge]} ${columns.out.others[edge]} ${roles[edge]}`
          if (pairs.has(pair) || far === node) continue
          pairs.add(pair)
          if (depth >= options.max_depth) {
            if (!depths.has(far)) further++
            continue
          }
          if (!add(edge, node, far)) break
        }
      }
      return {
        ...head,
        total_nodes: rows.length,
        nodes: rows,
        edges,
        budget_hit: hit,
        stopped_at_depth: deepest,
        tokens: tokensOf(rows) + tokensOf(edges),
        token_budget: tokensIn(Math.max(0, budget)),
        ...(further === 0 ? {} : { beyond_max_depth: further }),
        ...(outside === 0 ? {} : { outside_community: outside }),
        ...(suppressed === 0 ? {} : { text_matched_suppressed: suppressed }),
        freshness: freshnessOf(view.freshness)
      }
    })
})
