import { Effect } from "effect"
import { page } from "../../../registry/Answer.ts"
import type { Member } from "../../../registry/Facade.ts"
import { invalidArgument } from "../../../registry/Failure.ts"
import * as F from "../../../registry/Fields.ts"
import { CodeGraph, type GraphView } from "../../../services/CodeGraph.ts"
import * as Shared from "../../fields.ts"
import { coupledOf } from "../../shared/structure/Coupled.ts"
import { isSymbol, kindsOf, nodeRow, once, under } from "../../shared/structure/Nodes.ts"
import { freshnessOf, graph } from "../../shared/symbols.ts"
import { type analyze, kind } from "../facade.ts"

/** Roles with what makes one; the first that fits is it. */
const roles = {
  test: "code of tests",
  isolated: "neither used nor using anything",
  data: "a value or a field: a constant, variable, property or member of an enumeration",
  entry_point: "uses others, and nothing but tests uses it",
  hub: "among the twentieth with most users, and also uses many",
  utility: "among the twentieth with most users, and uses little",
  orchestrator: "among the twentieth that use most",
  bridge: "tied to three or more communities besides its own",
  leaf: "used, and uses nothing",
  worker: "used, and uses others"
} as const
export type Role = keyof typeof roles
export const roleNames = Object.keys(roles) as ReadonlyArray<Role>

/** Users, or used definitions, from which on a definition counts among the most tied twentieth. */
const twentieth = (values: ReadonlyArray<number>): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return Math.max(3, sorted[Math.floor(sorted.length * 0.95)] ?? 0)
}

/** The role of each node, as a place among the names; 255 for what is no symbol. */
export const rolesOf: (view: GraphView) => Uint8Array = once((view, columns) => {
  const { callable, type } = kindsOf(columns)
  const { crossings, fanIn, fanOut } = coupledOf(view)
  const behaves = (node: number) => callable[columns.kinds[node]!] === 1 || type[columns.kinds[node]!] === 1
  const active: Array<number> = []
  for (let node = 0; node < columns.nodeCount; node++)
    if (isSymbol(columns, node) && columns.tests[node] === 0 && behaves(node)) active.push(node)
  const manyIn = twentieth(active.map((node) => fanIn[node]!))
  const manyOut = twentieth(active.map((node) => fanOut[node]!))
  const of = new Uint8Array(columns.nodeCount).fill(255)
  const role = (node: number): Role => {
    if (columns.tests[node] === 1) return "test"
    const used = fanIn[node]!
    const uses = fanOut[node]!
    if (used + uses === 0) return "isolated"
    if (!behaves(node)) return "data"
    if (used === 0) return "entry_point"
    if (used >= manyIn) return uses >= manyOut / 2 ? "hub" : "utility"
    if (uses >= manyOut) return "orchestrator"
    if (crossings[node]! >= 3) return "bridge"
    return uses === 0 ? "leaf" : "worker"
  }
  for (let node = 0; node < columns.nodeCount; node++)
    if (isSymbol(columns, node)) of[node] = roleNames.indexOf(role(node))
  return of
})

const needs = [CodeGraph] as const

export const role: Member<typeof analyze, "role", typeof needs> = kind("role", {
  summary: "The architectural role of each symbol.",
  page: { default: 100, max: 1000 },
  input: F.input({
    options: F.group({
      role: F.optional(F.described(F.text, "keep this role; an unknown one lists them")),
      path_prefix: Shared.pathPrefix
    })
  }),
  needs,
  handler: ({ options }, call) =>
    Effect.gen(function* () {
      const wanted = options.role === undefined ? -1 : roleNames.indexOf(options.role as Role)
      if (options.role !== undefined && wanted < 0)
        return yield* invalidArgument(
          "options.role",
          `options.role: ${JSON.stringify(options.role)} is no role; roles: ${roleNames.join(", ")}`,
          { data: { valid_values: roleNames } }
        )
      const view = yield* graph
      const { columns } = view
      const of = rolesOf(view)
      const { fanIn, fanOut, score } = coupledOf(view)
      const keep = under(view, options.path_prefix)
      const tally = new Map<Role, number>()
      const nodes: Array<number> = []
      for (let node = 0; node < columns.nodeCount; node++) {
        if (of[node] === 255 || !keep(node)) continue
        const name = roleNames[of[node]!]!
        tally.set(name, (tally.get(name) ?? 0) + 1)
        // Data, tests and what is tied to nothing are counted, and listed when they are asked for.
        if (wanted < 0 ? name !== "data" && name !== "test" && name !== "isolated" : of[node] === wanted)
          nodes.push(node)
      }
      nodes.sort((a, b) => score[b]! - score[a]! || a - b)
      return page(
        "symbols",
        {
          total: nodes.length,
          symbols: nodes
            .slice(call.offset, call.limit === undefined ? undefined : call.offset + call.limit)
            .map((node) => ({
              ...nodeRow(view, node),
              role: roleNames[of[node]!]!,
              fan_in: fanIn[node]!,
              fan_out: fanOut[node]!
            })),
          tally_by_role: Object.fromEntries(
            roleNames.flatMap((name) => (tally.has(name) ? [[name, tally.get(name)!]] : []))
          ),
          roles: wanted < 0 ? roles : { [options.role as Role]: roles[options.role as Role] },
          freshness: freshnessOf(view.freshness)
        },
        { from: call.offset, total: nodes.length, snapshot: view.generation }
      )
    })
})
