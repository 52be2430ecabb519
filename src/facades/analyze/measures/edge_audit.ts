import { Effect } from "effect"
import type { Member } from "../../../registry/Facade.ts"
import * as F from "../../../registry/Fields.ts"
import { CodeGraph, type GraphView } from "../../../services/CodeGraph.ts"
import { unreadFiles } from "../../shared/coverage.ts"
import { isSymbol, kindsOf, nodeRow, once } from "../../shared/structure/Nodes.ts"
import { tierNames, usesOf } from "../../shared/structure/Uses.ts"
import { freshnessOf, graph } from "../../shared/symbols.ts"
import { type analyze, kind } from "../facade.ts"

const usualRows = 20
const calls: ReadonlySet<string> = new Set(["call", "new", "macro", "decorate"])

interface Audit {
  readonly tiers: ReadonlyArray<number>
  readonly callTiers: ReadonlyArray<number>
  readonly roles: ReadonlyMap<string, number>
  /** Calls known by name only. */
  readonly weak: ReadonlyArray<number>
  readonly interfaces: ReadonlyArray<number>
  readonly lonely: ReadonlyArray<number>
  readonly testOnly: ReadonlyArray<number>
}

const auditOf: (view: GraphView) => Audit = once((view, columns) => {
  const { callable, type } = kindsOf(columns)
  const tiers = [0, 0, 0, 0]
  const callTiers = [0, 0, 0, 0]
  const roles = new Map<string, number>()
  const weak: Array<number> = []
  for (let e = 0; e < columns.edgeCount; e++) {
    const role = columns.roleNames[columns.roles[e]!]!
    const tier = columns.tiers[e]!
    tiers[tier]!++
    roles.set(role, (roles.get(role) ?? 0) + 1)
    if (!calls.has(role)) continue
    callTiers[tier]!++
    if (tier === 3) weak.push(e)
  }
  const contracts = new Set(["interface", "trait"].map((name) => columns.kindNames.indexOf(name)))
  const interfaces: Array<number> = []
  const lonely: Array<number> = []
  const testOnly: Array<number> = []
  const { back } = usesOf(view, "uses")
  for (let node = 0; node < columns.nodeCount; node++) {
    if (!isSymbol(columns, node) || columns.tests[node] === 1) continue
    const own = columns.kinds[node]!
    if (contracts.has(own)) {
      const ref = columns.refOf(node)
      const methods = view
        .members(ref)
        .filter((member) => callable[columns.kinds[columns.nodeOf(member)]!] === 1)
      if (methods.length > 0) {
        interfaces.push(node)
        if (view.below(ref).length === 0 && methods.every((member) => view.overriders(member).length === 0))
          lonely.push(node)
      }
    }
    if (callable[own] === 0 && type[own] === 0) continue
    const first = back.starts[node]!
    const last = back.starts[node + 1]!
    let tested = last > first
    for (let e = first; e < last && tested; e++)
      tested = columns.tests[back.others[e]!] === 1 || back.others[e] === node
    if (tested && Array.from(back.others.subarray(first, last)).some((other) => other !== node))
      testOnly.push(node)
  }
  return { tiers, callTiers, roles, weak, interfaces, lonely, testOnly }
})

const tally = (counts: ReadonlyArray<number>) =>
  Object.fromEntries(tierNames.map((name, tier) => [name, counts[tier]!]))

const needs = [CodeGraph] as const

export const edgeAudit: Member<typeof analyze, "edge_audit", typeof needs> = kind("edge_audit", {
  summary: "How well edges are known, and what is missing.",
  page: { default: usualRows, max: 1000 },
  input: F.input({}),
  needs,
  handler: (_, call) =>
    Effect.gen(function* () {
      const view = yield* graph
      const { columns } = view
      const found = auditOf(view)
      const most = call.limit ?? usualRows
      const all = found.callTiers.reduce((sum, count) => sum + count, 0)
      const sure = found.callTiers[0]! + found.callTiers[1]!
      const files = view.files()
      const rows = (nodes: ReadonlyArray<number>) => nodes.slice(0, most).map((node) => nodeRow(view, node))
      return {
        summary: {
          total_edges: columns.edgeCount,
          calls: all,
          high_confidence_call_pct: all === 0 ? null : Number(((100 * sure) / all).toFixed(2)),
          unimplemented_interfaces: found.lonely.length,
          interfaces: found.interfaces.length,
          test_only_targets: found.testOnly.length,
          weak_call_edges: found.weak.length
        },
        edge_tiers: tally(found.tiers),
        call_tiers: tally(found.callTiers),
        edge_kinds: Object.fromEntries(
          [...found.roles].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
        ),
        unimplemented_interfaces: rows(found.lonely),
        test_only_targets: rows(found.testOnly),
        weak_call_edges: found.weak.slice(0, most).map((e) => {
          const edge = columns.edge(e)
          return {
            from: view.idOf(edge.from),
            to: view.idOf(edge.to),
            kind: edge.role,
            file_path: edge.path,
            line: edge.line,
            tier: edge.tier
          }
        }),
        graph_integrity: {
          unbound_references: view.counts.unbound,
          unread_files: unreadFiles(view),
          files_with_syntax_errors: files.reduce((sum, file) => sum + Number(file.parse_errors > 0), 0),
          files_without_facts: files.length - view.counts.indexed_files,
          generation: view.generation
        },
        freshness: freshnessOf(view.freshness)
      }
    })
})
