import { Effect } from "effect"
import { page as paged } from "../../registry/Answer.ts"
import { invalidArgument } from "../../registry/Failure.ts"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { byteLength } from "../../registry/Json.ts"
import { CodeGraph, type SymbolRef, type Tier } from "../../services/CodeGraph.ts"
import * as Shared from "../fields.ts"
import { graph, oneDefinition, type Open, rowOf, type SymbolRow } from "../shared/symbols.ts"
import { hiddenOf, kinCompletenessOf, nothingHidden } from "./Evidence.ts"
import { relations } from "./facade.ts"
import { bySymbol, page, trust } from "./fields.ts"
import { type Kin, kinOf, memberFinder, ownerOf, types } from "./Kin.ts"
import { ids } from "./Walk.ts"

/** Members of one type an answer lists. */
const mostMembers = 100
const members = new Set(["method", "constructor", "property", "field", "operator", "function"])

/** One step of a chain. */
interface Link {
  readonly kin: Kin
  readonly tier: Tier
  readonly isUp: boolean
  /** The definition it leads to, and the one it starts from. */
  readonly node: SymbolRef
  readonly base: SymbolRef
}

/** A type or member in an answer, and how far it is: below zero for what is above. */
interface NodeRow extends SymbolRow {
  readonly depth: number
  readonly members?: ReadonlyArray<object>
}

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
        // A method's own chain: the member of each type that has one.
        const find = owner === undefined ? undefined : memberFinder(view, symbol.name)
        const linksOf = (kins: ReadonlyArray<Kin>, isUp: boolean): ReadonlyArray<Link> =>
          kins.flatMap((kin) => {
            const { from, ref: type, tier } = kin
            if (find === undefined) return [{ kin, tier, isUp, node: type, base: from }]
            const node = find(type)
            return node === undefined || node === ref ? [] : [{ kin, tier, isUp, node, base: ref }]
          })
        const chain = [...linksOf(up, true), ...linksOf(down, false)]
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
              return overridden === undefined
                ? { id, kind, line }
                : { id, kind, line, overrides: idOf(overridden) }
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
        for (const { base, isUp, kin, node: shown, tier } of chain.slice(
          call.offset,
          call.limit === undefined ? undefined : call.offset + call.limit
        )) {
          const node = rowOf(view.symbol(shown)) as Open<NodeRow>
          node.depth = isUp ? -kin.depth : kin.depth
          if (withMembers) node.members = methodsOf(kin.ref, isUp ? undefined : kin.from)
          const edge = {
            from: idOf(isUp ? base : shown),
            to: idOf(isUp ? shown : base),
            kind: find === undefined ? kin.how : "overrides",
            tier
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
