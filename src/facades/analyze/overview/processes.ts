import { Effect } from "effect"
import { answer, page } from "../../../registry/Answer.ts"
import type { Member } from "../../../registry/Facade.ts"
import { invalidArgument } from "../../../registry/Failure.ts"
import * as F from "../../../registry/Fields.ts"
import { CodeGraph } from "../../../services/CodeGraph.ts"
import { nodeRow } from "../../shared/structure/Nodes.ts"
import { processesOf, processRow } from "../../shared/structure/Processes.ts"
import { freshnessOf, graph, oneDefinition } from "../../shared/symbols.ts"
import { analyze } from "../facade.ts"

const needs = [CodeGraph] as const

export const processes: Member<typeof analyze, "processes", typeof needs> = analyze.operation("processes", {
  narrows: true,
  tool: "get_processes",
  summary: "Flows of execution found in the graph, or the steps of one.",
  tier: 2,
  page: { default: 50, max: 1000 },
  input: F.input({
    options: F.group({
      id: F.optional(F.described(F.text, "a process: its entry point"))
    })
  }),
  needs,
  handler: ({ options }) =>
    Effect.gen(function* () {
      const view = yield* graph
      const all = processesOf(view)
      const tail = {
        note: "entry points are callables that no code but tests and the top level of files calls; calls through super types and names alone are not followed",
        freshness: freshnessOf(view.freshness)
      }
      if (options.id === undefined)
        return page(
          "processes",
          { total: all.length, processes: all.map((each) => processRow(view, each)), ...tail },
          { snapshot: view.generation }
        )
      const ref = yield* oneDefinition(view, options.id, {
        facade: "analyze",
        operation: "processes",
        field: "options.id"
      })
      const node = view.columns.primaries[view.columns.nodeOf(ref)]!
      const one = all.find(({ entry }) => entry === node)
      if (one === undefined)
        return yield* invalidArgument(
          "options.id",
          `options.id: ${view.idOf(ref)} starts no process: something calls it, or it calls nothing`,
          {
            reason_code: "unknown_process",
            data: {
              id: view.idOf(ref),
              processes: all.slice(0, 20).map(({ entry }) => view.idOf(view.columns.refOf(entry)))
            }
          }
        )
      return answer(
        {
          ...processRow(view, one),
          steps: one.steps.map(({ caller, depth, node: step }, i) => ({
            step: i + 1,
            ...nodeRow(view, step),
            depth,
            ...(caller < 0 ? {} : { called_by: caller + 1 })
          })),
          ...tail
        },
        { list: "steps", snapshot: view.generation }
      )
    })
})
