import { Effect } from "effect"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { CodeGraph, type EdgeInfo, type SymbolRef } from "../../services/CodeGraph.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import * as Shared from "../fields.ts"
import { graph, oneFile, oneOf, rowOf } from "../shared/symbols.ts"
import { hiddenOf, nothingHidden, outgoingCompletenessOf, sift } from "./Evidence.ts"
import { relations } from "./facade.ts"
import { bySymbolOrFile, page, trust } from "./fields.ts"
import { fileUses, isInside } from "./Files.ts"
import { walk, walkAnswer } from "./Walk.ts"

/** Modules of other packages an answer names. */
const mostExternal = 50

const needs = [CodeGraph, ReadFs] as const

export const dependencies: Member<typeof relations, "dependencies", typeof needs> = relations.operation(
  "dependencies",
  {
    narrows: true,
    tool: "get_dependencies",
    presets: ["agent", "core", "nav", "hybrid"],
    summary: "What a symbol or file depends on, to a depth.",
    page,
    input: F.input({
      target: bySymbolOrFile,
      options: F.group({ ...trust, depth: Shared.depth(2) })
    }),
    needs,
    handler: ({ options, target }, call) =>
      Effect.gen(function* () {
        const view = yield* graph
        const ref =
          target.file !== undefined
            ? yield* oneFile(view, target.file)
            : yield* oneOf(view, target.symbol, { facade: "relations", operation: "dependencies" })
        const hidden = nothingHidden()
        const ofFile = view.isFile(ref)
        let direct: ReadonlyArray<EdgeInfo> = []
        const step = (at: SymbolRef, distance: number): ReadonlyArray<EdgeInfo> => {
          const edges = ofFile
            ? fileUses(view, at, options, hidden)
            : sift(
                view.isFile(at) ? [] : view.outgoing(at).filter(({ to }) => !isInside(view, at, to)),
                options,
                hidden
              )
          if (distance === 0) direct = edges
          return edges
        }
        const walked = walk([ref], options.depth, step, ({ to }) => to)
        const external = ofFile
          ? [
              ...new Set(
                view
                  .imports(view.symbol(ref).path)
                  .flatMap((each) => (each.external && each.module !== "" ? [each.module] : []))
              )
            ]
          : []
        return walkAnswer(view, call, walked, {
          symbol: rowOf(view.symbol(ref)),
          ...outgoingCompletenessOf(view, direct, hidden, walked.stopped ? ["walk_stopped"] : []),
          ...hiddenOf(hidden),
          ...(external.length === 0
            ? {}
            : {
                external_modules: external.slice(0, mostExternal),
                ...(external.length > mostExternal ? { external_module_count: external.length } : {})
              })
        })
      })
  }
)
