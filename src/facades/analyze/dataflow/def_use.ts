import { Effect } from "effect"
import type { Member } from "../../../registry/Facade.ts"
import * as F from "../../../registry/Fields.ts"
import { CodeGraph } from "../../../services/CodeGraph.ts"
import { ProgramFlow } from "../../../services/ProgramFlow.ts"
import * as Shared from "../../fields.ts"
import { freshnessOf, graph, oneDefinition } from "../../shared/symbols.ts"
import { refusedAt } from "../../trace/flow/Words.ts"
import { type analyze, kind } from "../facade.ts"

const needs = [CodeGraph, ProgramFlow] as const

export const defUse: Member<typeof analyze, "def_use", typeof needs> = kind("def_use", {
  summary: "Definitions and uses inside functions.",
  input: F.input({
    target: F.target({ symbol: Shared.symbol, symbols: Shared.symbols })
  }),
  needs,
  handler: ({ target }) =>
    Effect.gen(function* () {
      const view = yield* graph
      const flow = yield* ProgramFlow
      const one = target.symbols === undefined
      const words = target.symbols ?? [target.symbol]
      const field = one ? "target.symbol" : "target.symbols"
      const refs = []
      for (const word of words)
        refs.push(yield* oneDefinition(view, word, { facade: "analyze", operation: "def_use", field }))
      const symbols = []
      for (const ref of refs) {
        const { id, name, path } = view.symbol(ref)
        const found = yield* Effect.either(flow.control(view, ref))
        if (found._tag === "Left") {
          // The only one asked for is refused; among several it says why it has no row.
          if (one) return yield* refusedAt(field)(found.left)
          symbols.push({ id, name, file_path: path, chains: [], variables: [], error: found.left.detail })
          continue
        }
        const { approximations, def_use, language, variables } = found.right
        symbols.push({
          id,
          name,
          file_path: path,
          line: view.symbol(ref).line,
          language,
          chains: def_use.map(({ captured, definitions, line, statement, variable }) => ({
            stmt: statement,
            stmt_line: line,
            var: variable,
            defs: definitions.map((d) => d.statement),
            def_lines: definitions.map((d) => d.line),
            ...(captured && definitions.length === 0 ? { outside: true } : {})
          })),
          variables,
          ...(approximations.length === 0 ? {} : { approximations })
        })
      }
      return {
        symbols,
        total: symbols.length,
        notes: [
          "statement numbers are those of trace.cfg; a parameter's definition is its own statement",
          "outside: the variable belongs to a function or file around this one",
          "a write through another name or by a called function is not a definition here"
        ],
        freshness: freshnessOf(view.freshness)
      }
    })
})
