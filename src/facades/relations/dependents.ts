import { Effect } from "effect"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { CodeGraph, type EdgeInfo, type GraphView, type SymbolRef } from "../../services/CodeGraph.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import { TextIndex } from "../../services/TextIndex.ts"
import * as Shared from "../fields.ts"
import { graph, oneFile, oneOf, rowOf } from "../shared/symbols.ts"
import { completenessOf, dispatchOf, hiddenOf, nothingHidden, sift, textHits } from "./Evidence.ts"
import { relations } from "./facade.ts"
import { bySymbolOrFile, page, trust } from "./fields.ts"
import { fileUsers, isInside } from "./Files.ts"
import { walk, walkAnswer } from "./Walk.ts"

/** Names looked at for places that are bound to nothing, and how many of them an answer lists. */
const mostNames = 500
const mostBoundaries = 10

/** Names of the walk that are also used in places bound to nothing: behind each the walk may have missed something. */
const boundariesOf = (view: GraphView, refs: ReadonlyArray<SymbolRef>) => {
  const seen = new Set<string>()
  const out: Array<{
    readonly name: string
    readonly unbound_sites: number
    readonly sites: ReadonlyArray<object>
  }> = []
  for (const ref of refs) {
    if (view.isFile(ref)) continue
    const { name } = view.symbol(ref)
    if (seen.has(name)) continue
    seen.add(name)
    const { sites, total } = view.unbound(name, 5)
    if (total > 0)
      out.push({
        name,
        unbound_sites: total,
        sites: sites.map(({ line, path, role }) => ({ file_path: path, line, kind: role }))
      })
    if (seen.size >= mostNames) break
  }
  return out
}

const needs = [CodeGraph, ReadFs, TextIndex] as const

export const dependents: Member<typeof relations, "dependents", typeof needs> = relations.operation(
  "dependents",
  {
    narrows: true,
    tool: "get_dependents",
    federated: true,
    presets: ["agent", "core", "nav", "hybrid"],
    summary: "All that depends on a symbol or file, to a depth.",
    page,
    input: F.input({
      target: bySymbolOrFile,
      options: F.group({ ...trust, depth: Shared.depth(3) })
    }),
    needs,
    handler: ({ options, target }, call) =>
      Effect.gen(function* () {
        const view = yield* graph
        const ref =
          target.file !== undefined
            ? yield* oneFile(view, target.file)
            : yield* oneOf(view, target.symbol, { facade: "relations", operation: "dependents" })
        const symbol = view.symbol(ref)
        const hidden = nothingHidden()
        const ofFile = view.isFile(ref)
        let direct: ReadonlyArray<EdgeInfo> = []
        const step = (at: SymbolRef, distance: number): ReadonlyArray<EdgeInfo> => {
          if (view.isFile(at) && !ofFile) return []
          const own = ofFile
            ? fileUsers(view, at, options, hidden)
            : // What uses a member of a type depends on the type.
              (distance === 0 ? [at, ...view.children(at)] : [at]).flatMap((each) =>
                sift(view.incoming(each), options, hidden)
              )
          const edges = ofFile ? own : own.filter(({ from }) => from === at || !isInside(view, at, from))
          if (distance === 0) direct = edges
          return edges
        }
        const walked = walk([ref], options.depth, step, ({ from }) => from)
        const subjects = ofFile
          ? view.definitions(symbol.path).filter((each) => view.parent(each) === ref)
          : [ref]
        const boundaries = boundariesOf(view, [...subjects, ...walked.nodes.map((visited) => visited.ref)])
        const dispatch = ofFile ? [] : dispatchOf(view, ref)
        const hits = direct.length === 0 && !ofFile ? yield* textHits(view, symbol.name) : undefined
        return walkAnswer(view, call, walked, {
          symbol: rowOf(symbol),
          ...completenessOf(view, {
            name: symbol.name,
            refs: [ref],
            edges: direct,
            hidden,
            hits,
            because: [
              ...(boundaries.length > 0 ? ["boundaries"] : []),
              ...(dispatch.length > 0 ? ["dispatch_through_supers"] : []),
              ...(walked.stopped ? ["walk_stopped"] : [])
            ]
          }),
          ...hiddenOf(hidden),
          ...(boundaries.length === 0 && !walked.stopped && dispatch.length === 0
            ? {}
            : { lower_bound: true }),
          ...(boundaries.length === 0
            ? {}
            : {
                boundaries: boundaries.slice(0, mostBoundaries),
                ...(boundaries.length > mostBoundaries ? { boundary_count: boundaries.length } : {})
              }),
          ...(dispatch.length === 0 ? {} : { dispatched_through: dispatch.slice(0, 10) })
        })
      })
  }
)
