import { Effect } from "effect"
import { page as paged } from "../../registry/Answer.ts"
import { invalidArgument } from "../../registry/Failure.ts"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { draft } from "../../registry/FollowUp.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { graph, oneDefinition, rowOf } from "../shared/symbols.ts"
import { hiddenOf, kinCompletenessOf, nothingHidden } from "./Evidence.ts"
import { relations } from "./facade.ts"
import { bySymbol, page, trust } from "./fields.ts"
import { kinOf, kinRow, memberFinder, ownerOf, types } from "./Kin.ts"

const needs = [CodeGraph] as const

export const overrides: Member<typeof relations, "overrides", typeof needs> = relations.operation(
  "overrides",
  {
    narrows: true,
    tool: "find_overrides",
    presets: ["nav"],
    summary: "Methods that override a method, or those it overrides.",
    page,
    input: F.input({
      target: bySymbol,
      options: F.group({ ...trust, direction: F.withDefault(F.choice("children", "parents"), "children") })
    }),
    needs,
    handler: ({ options, target }) =>
      Effect.gen(function* () {
        const view = yield* graph
        const ref = yield* oneDefinition(view, target.symbol, {
          facade: "relations",
          operation: "overrides",
          rest: { options: { direction: options.direction } }
        })
        const symbol = view.symbol(ref)
        const owner = types.has(symbol.kind) ? undefined : ownerOf(view, ref)
        if (owner === undefined) {
          return yield* invalidArgument(
            "target.symbol",
            `${symbol.id} is a ${symbol.kind} and no member of a type, so nothing overrides it`,
            {
              reason_code: "not_a_member",
              data: { id: symbol.id, kind: symbol.kind },
              ...(types.has(symbol.kind)
                ? {
                    recovery: draft("fallback_recovery", "relations", {
                      operation: "hierarchy",
                      target: { symbol: symbol.id },
                      options: { include_methods: true }
                    })
                  }
                : {})
            }
          )
        }
        const hidden = nothingHidden()
        const find = memberFinder(view, symbol.name)
        const rows = kinOf(
          view,
          owner,
          options.direction === "children" ? "below" : "above",
          options,
          hidden
        ).flatMap((kin) => {
          const found = find(kin.ref)
          return found === undefined || found === ref ? [] : [kinRow(view.symbol(found), kin)]
        })
        const list = options.direction === "children" ? "overrides" : "overridden"
        return paged(
          list,
          {
            symbol: rowOf(symbol),
            direction: options.direction,
            ...kinCompletenessOf(view, view.symbol(owner).name, rows, hidden),
            ...hiddenOf(hidden),
            total: rows.length,
            [list]: rows
          } as { readonly [key: string]: unknown },
          { snapshot: view.generation }
        )
      })
  }
)
