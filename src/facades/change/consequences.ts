/** What a change would reach. */
import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import * as Shared from "../fields.ts"
import { change } from "./facade.ts"
import { bySymbols } from "./fields.ts"

const because = "this build does not work out what a change reaches"

export const impact = change.declared("impact", {
  tool: "explain_change_impact",
  summary: "What symbols or a file reach, by risk.",
  input: F.input(
    {
      target: F.optional(F.target({ symbol: Shared.symbol, symbols: Shared.symbols, file: Shared.file })),
      source: F.group({ symbols: F.optional(F.described(F.aliased(F.ids, "ids"), "used without a target")) }),
      output: F.group({
        summary_only: F.withDefault(F.flag, false),
        offset: F.withDefault(F.count, 0),
        limit: F.described(F.clamped({ min: 1, max: 1000, default: 100 }), "affected rows")
      })
    },
    { atLeastOne: [["target", "source.symbols"]] }
  ),
  needs: [CodeGraph],
  because
})

export const tests = change.declared("tests", {
  tool: "get_test_targets",
  summary: "Tests that exercise the symbols, with commands to run them.",
  input: F.input({ target: bySymbols, options: F.group({ depth: Shared.depth(3) }) }),
  needs: [CodeGraph],
  because
})

export const editPlan = change.declared("edit_plan", {
  tool: "get_edit_plan",
  summary: "Order of the edits a change needs, definitions first, tests last.",
  input: F.input({ target: bySymbols, options: F.group({ depth: Shared.depth(3) }) }),
  needs: [CodeGraph],
  because
})

export const verify = change.declared("verify", {
  tool: "verify_change",
  summary: "Proposed signatures against every caller and implementor.",
  input: F.input({
    source: F.group({
      changes: F.list(
        F.group({
          symbol_id: F.aliased(F.text, "id", "symbol"),
          new_signature: F.aliased(F.text, "signature")
        }),
        {
          min: 1
        }
      )
    })
  }),
  needs: [CodeGraph],
  because
})

export const apiImpact = change.declared("api_impact", {
  tool: "api_impact",
  summary: "What a change of an API route breaks: shapes, consumers, flows.",
  tier: 2,
  input: F.input(
    {
      source: F.group({ file: F.optional(F.described(F.text, "part of the handler's path")) }),
      options: F.group({ route: F.optional(F.described(F.text, "part of the route")) })
    },
    { atLeastOne: [["source.file", "options.route"]] }
  ),
  needs: [CodeGraph],
  because
})
