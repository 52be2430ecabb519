import { Effect } from "effect"
import { page as paged } from "../../registry/Answer.ts"
import { invalidArgument } from "../../registry/Failure.ts"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { byteLength } from "../../registry/Json.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import * as Shared from "../fields.ts"
import { graph, oneDefinition, rowOf } from "../shared/symbols.ts"
import { hiddenOf, kinCompletenessOf, nothingHidden } from "./Evidence.ts"
import { relations } from "./facade.ts"
import { bySymbol, page, trust } from "./fields.ts"
import { kinOf, memberFinder, ownerOf, types } from "./Kin.ts"
import { ids } from "./Walk.ts"

/** Members of one type an answer lists. */
const mostMembers = 100
const members = new Set(["method", "constructor", "property", "field", "operator", "function"])

const needs = [CodeGraph] as const

export const hierarchy: Member<typeof relations, "hierarchy", typeof needs> = relations.operation(
  "hierarchy",
  {
    narrows: true,
    tool: "get_class_hierarchy",
    summary: "Ancestors and descendants of a type or method.",
    page,
    input: F.input({
      target: bySymbol,
      options: F.group({
        ...trust,
        direction: F.withDefault(F.choice("up", "down", "both"), "both"),
        depth: Shared.depth(5, 64),
        include_methods: F.withDefault(F.described(F.flag, "add members and their override chains"), false)
      })
    }),
    needs,
    handler: ({ options, target }, call) =>
      Effect.gen(function* () {
        const view = yield* graph
        const ref = yield* oneDefinition(view, target.symbol, { facade: "relations", operation: "hierarchy" })
        const symbol = view.symbol(ref)
        const owner = types.has(symbol.kind) ? undefined : ownerOf(view, ref)
        if (owner === undefined && !types.has(symbol.kind)) {
          return yield* invalidArgument(
            "target.symbol",
            `${symbol.id} is a ${symbol.kind}: neither a type nor a member of one`,
            {
              reason_code: "not_a_type",
              data: { id: symbol.id, kind: symbol.kind }
            }
          )
        }
        const type = owner ?? ref
        const hidden = nothingHidden()
        const idOf = ids(view)
        const up =
          options.direction === "down" ? [] : kinOf(view, type, "above", options, hidden, options.depth)
        const down =
          options.direction === "up" ? [] : kinOf(view, type, "below", options, hidden, options.depth)
        const all = [
          ...up.map((kin) => ({ ...kin, up: true })),
          ...down.map((kin) => ({ ...kin, up: false }))
        ]
        // A method's own chain: the member of each type that has one.
        const find = owner === undefined ? undefined : memberFinder(view, symbol.name)
        const chain =
          find === undefined
            ? all.map((kin) => ({ ...kin, node: kin.ref, base: kin.from }))
            : all.flatMap((kin) => {
                const node = find(kin.ref)
                return node === undefined || node === ref ? [] : [{ ...kin, node, base: ref }]
              })
        const finders = new Map<string, ReturnType<typeof memberFinder>>()
        const membersOf = (of: number) =>
          view.children(of).filter((child) => members.has(view.symbol(child).kind))
        const methodsOf = (of: number, base?: number) =>
          membersOf(of)
            .slice(0, mostMembers)
            .map((child) => {
              const { id, name, kind, line } = view.symbol(child)
              let look = finders.get(name)
              if (look === undefined) finders.set(name, (look = memberFinder(view, name)))
              const overridden = base === undefined ? undefined : look(base)
              return { id, kind, line, ...(overridden === undefined ? {} : { overrides: idOf(overridden) }) }
            })
        const withMembers = options.include_methods && find === undefined
        const edges: Array<object> = []
        const nodes: Array<object> = []
        const head = {
          symbol: { ...rowOf(symbol), ...(withMembers ? { members: methodsOf(ref) } : {}) },
          ...kinCompletenessOf(view, view.symbol(type).name, chain, hidden),
          ...hiddenOf(hidden),
          total_nodes: chain.length
        }
        let used = byteLength(head) + 400
        for (const kin of chain.slice(
          call.offset,
          call.limit === undefined ? undefined : call.offset + call.limit
        )) {
          const node = {
            ...rowOf(view.symbol(kin.node)),
            depth: kin.up ? -kin.depth : kin.depth,
            ...(withMembers ? { members: methodsOf(kin.ref, kin.up ? undefined : kin.from) } : {})
          }
          const edge = kin.up
            ? {
                from: idOf(kin.base),
                to: idOf(kin.node),
                kind: find === undefined ? kin.how : "overrides",
                tier: kin.tier
              }
            : {
                from: idOf(kin.node),
                to: idOf(kin.base),
                kind: find === undefined ? kin.how : "overrides",
                tier: kin.tier
              }
          const bytes = byteLength(node) + byteLength(edge) + 2
          if (used + bytes > call.budget && nodes.length > 0) break
          used += bytes
          nodes.push(node)
          edges.push(edge)
        }
        return paged(
          "nodes",
          { ...head, nodes, edges },
          { from: call.offset, total: chain.length, snapshot: view.generation }
        )
      })
  }
)
