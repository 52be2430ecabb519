import { Effect } from "effect"
import { page as paged } from "../../registry/Answer.ts"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { CodeGraph, type SymbolRef, type Tier } from "../../services/CodeGraph.ts"
import { graph, oneDefinition, rowOf } from "../shared/symbols.ts"
import { hiddenOf, kinCompletenessOf, nothingHidden } from "./Evidence.ts"
import { relations } from "./facade.ts"
import { bySymbol, page, trust } from "./fields.ts"
import { kinOf, kinRow, memberFinder, ownerOf, types } from "./Kin.ts"

/** Kinds that stand for a contract rather than for something that fulfils one. */
const abstract = new Set(["interface", "trait", "annotation"])

const needs = [CodeGraph] as const

export const implementations: Member<typeof relations, "implementations", typeof needs> = relations.operation(
  "implementations",
  {
    narrows: true,
    tool: "find_implementations",
    federated: true,
    presets: ["agent", "core", "nav", "localization", "hybrid"],
    summary: "Concrete types that satisfy an interface.",
    page,
    input: F.input({
      target: bySymbol,
      options: F.group(trust)
    }),
    needs,
    handler: ({ options, target }) =>
      Effect.gen(function* () {
        const view = yield* graph
        const ref = yield* oneDefinition(view, target.symbol, {
          facade: "relations",
          operation: "implementations"
        })
        const symbol = view.symbol(ref)
        const hidden = nothingHidden()
        const owner = types.has(symbol.kind) ? undefined : ownerOf(view, ref)
        const type = owner ?? ref
        const kin = kinOf(view, type, "below", options, hidden)
        const member = owner === undefined ? undefined : memberFinder(view, symbol.name)
        const rows: Array<{
          readonly ref: SymbolRef
          readonly how: string
          readonly tier: Tier
          readonly via: SymbolRef | undefined
        }> = []
        for (const { from, how, ref, tier } of kin) {
          const own = view.symbol(ref)
          if (member === undefined) {
            if (!abstract.has(own.kind) && !own.flags.includes("abstract"))
              rows.push({ ref, how, tier, via: from === type ? undefined : from })
            continue
          }
          const found = member(ref)
          if (found === undefined) continue
          const { flags, kind } = view.symbol(found)
          if (!abstract.has(own.kind) && !flags.includes("abstract") && kind !== "field")
            rows.push({ ref: found, how, tier, via: ref })
        }
        const empty =
          symbol.language === "go" &&
          symbol.kind === "interface" &&
          view.children(ref).length === 0 &&
          view.above(ref).length === 0
        return paged(
          "implementations",
          {
            symbol: rowOf(symbol),
            ...kinCompletenessOf(
              view,
              view.symbol(type).name,
              rows,
              hidden,
              empty ? ["every_type_satisfies_the_empty_interface"] : []
            ),
            ...hiddenOf(hidden),
            total: rows.length,
            implementations: rows.map((kin) => {
              const row = kinRow(view.symbol(kin.ref), kin)
              if (kin.via !== undefined) row.via = view.symbol(kin.via).id
              return row
            })
          },
          { snapshot: view.generation }
        )
      })
  }
)
