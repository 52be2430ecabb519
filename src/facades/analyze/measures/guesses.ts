import { Effect } from "effect"
import type { Member } from "../../../registry/Facade.ts"
import { invalidArgument } from "../../../registry/Failure.ts"
import * as F from "../../../registry/Fields.ts"
import { CodeGraph, type GraphView } from "../../../services/CodeGraph.ts"
import { dispatchOf } from "../../shared/structure/Dispatch.ts"
import { isSymbol, kindsOf, once } from "../../shared/structure/Nodes.ts"
import { usesOf } from "../../shared/structure/Uses.ts"
import { freshnessOf, graph } from "../../shared/symbols.ts"
import { type analyze, kind } from "../facade.ts"

const samples = 5

interface Guess {
  readonly from: number
  readonly to: number
  readonly candidates: number
}
interface Shape {
  readonly shape: string
  readonly means: string
  readonly edges: number
  readonly calls: number
  readonly samples: ReadonlyArray<Guess>
}

/** Calls whose callee is not certain, by how they are written. */
const shapesOf: (view: GraphView) => { readonly shapes: ReadonlyArray<Shape>; readonly calls: number } = once(
  (view, columns) => {
    const { graph: calls, tiers } = usesOf(view, "calls", "name")
    const { graph: dispatch } = dispatchOf(view)
    const bodies = new Map<number, boolean>()
    const isOpen = (node: number): boolean => {
      let open = bodies.get(node)
      if (open === undefined)
        bodies.set(node, (open = view.symbol(columns.refOf(node)).body_line === undefined))
      return open
    }
    const gathered = new Map<string, { edges: number; calls: number; readonly samples: Array<Guess> }>()
    const add = (shape: string, count: number, sample: Guess) => {
      const own = gathered.get(shape) ?? { edges: 0, calls: 0, samples: [] }
      own.edges += count
      own.calls++
      if (own.samples.length < samples) own.samples.push(sample)
      gathered.set(shape, own)
    }
    let looked = 0
    for (let from = 0; from < columns.nodeCount; from++)
      for (let e = calls.starts[from]!; e < calls.starts[from + 1]!; e++) {
        const to = calls.others[e]!
        looked++
        if (tiers[e] === 3) add("name_only", 1, { from, to, candidates: 1 })
        else if (tiers[e] === 2) add("inferred_receiver", 1, { from, to, candidates: 1 })
        const first = dispatch.starts[to]!
        const count = dispatch.starts[to + 1]! - first
        if (count === 0) continue
        const open = isOpen(to)
        add(open ? "interface_member" : "overridden_member", count, {
          from,
          to: dispatch.others[first]!,
          candidates: count + (open ? 0 : 1)
        })
      }
    const words: ReadonlyArray<readonly [shape: string, means: string]> = [
      [
        "interface_member",
        "a member without a body is called, and each that may take its place is a candidate"
      ],
      ["overridden_member", "a member is called that sub types override"],
      ["inferred_receiver", "the receiver's type is a guess, or one of several"],
      ["name_only", "only the name fits, and one definition has it"]
    ]
    return {
      calls: looked,
      shapes: words.flatMap(([shape, means]) => {
        const own = gathered.get(shape)
        return own === undefined ? [] : [{ shape, means, ...own }]
      })
    }
  }
)

const needs = [CodeGraph] as const

export const speculative: Member<typeof analyze, "speculative", typeof needs> = kind("speculative", {
  summary: "Guessed edges of dynamic dispatch.",
  input: F.input({}),
  needs,
  handler: () =>
    Effect.gen(function* () {
      const view = yield* graph
      const { calls, shapes } = shapesOf(view)
      const idOf = (node: number) => view.idOf(view.columns.refOf(node))
      return {
        total: shapes.reduce((sum, { edges }) => sum + edges, 0),
        shapes: shapes.map(({ calls: own, edges, means, samples: some, shape }) => ({
          shape,
          means,
          edges,
          calls: own,
          samples: some.map(({ candidates, from, to }) => ({
            from: idOf(from),
            to: idOf(to),
            candidate_count: candidates,
            confidence: Number(
              (shape === "name_only" ? 0.3 : shape === "inferred_receiver" ? 0.7 : 1 / candidates).toFixed(3)
            )
          }))
        })),
        looked_at: { calls },
        note: "edges to further candidates are in no other answer unless include_speculative asks for them; those of inferred_receiver are",
        freshness: freshnessOf(view.freshness)
      }
    })
})

interface Pass {
  readonly name: string
  readonly adds: string
  readonly edges: number
  readonly samples: ReadonlyArray<readonly [from: number, to: number]>
}

/** Relations no text of the sources states in so many words, by what derives them. */
const passesOf: (view: GraphView) => ReadonlyArray<Pass> = once((view, columns) => {
  const { graph: dispatch } = dispatchOf(view)
  const { type } = kindsOf(columns)
  const go = columns.languageNames.indexOf("go")
  const sets: Array<readonly [number, number]> = []
  const overrides: Array<readonly [number, number]> = []
  for (let node = 0; node < columns.nodeCount; node++)
    for (let e = dispatch.starts[node]!; e < dispatch.starts[node + 1]!; e++)
      (columns.languages[node] === go ? sets : overrides).push([node, dispatch.others[e]!])
  const constructs: Array<readonly [number, number]> = []
  const { edges, graph: calls } = usesOf(view, "calls")
  for (let node = 0; node < columns.nodeCount; node++)
    if (type[columns.kinds[node]!] === 1)
      for (let e = calls.starts[node]!; e < calls.starts[node + 1]!; e++)
        if (edges[e]! < 0) constructs.push([node, calls.others[e]!])
  const shared: Array<readonly [number, number]> = []
  for (let node = 0; node < columns.nodeCount; node++)
    if (columns.primaries[node] !== node && isSymbol(columns, columns.primaries[node]!))
      shared.push([node, columns.primaries[node]!])
  const pass = (name: string, adds: string, list: ReadonlyArray<readonly [number, number]>): Pass => ({
    name,
    adds,
    edges: list.length,
    samples: list.slice(0, samples)
  })
  return [
    pass("method_sets", "from members of a Go interface to methods of types that satisfy it", sets),
    pass(
      "inheritance",
      "from members of a super type to those of sub types that take their place",
      overrides
    ),
    pass("constructors", "from a type to the constructor that making one runs", constructs),
    pass(
      "overloads",
      "from overload signatures, prototypes and merged declarations to the one that stands for them",
      shared
    )
  ]
})

export const synthesizers: Member<typeof analyze, "synthesizers", typeof needs> = kind("synthesizers", {
  summary: "Edges that framework passes added.",
  input: F.input({
    options: F.group({
      name: F.optional(F.described(F.text, "keep one pass; an unknown one lists them"))
    })
  }),
  needs,
  handler: ({ options }) =>
    Effect.gen(function* () {
      const view = yield* graph
      const all = passesOf(view)
      const kept = options.name === undefined ? all : all.filter(({ name }) => name === options.name)
      if (kept.length === 0)
        return yield* invalidArgument(
          "options.name",
          `options.name: there is no pass ${JSON.stringify(options.name)}; passes: ${all.map(({ name }) => name).join(", ")}`,
          { data: { valid_values: all.map(({ name }) => name) } }
        )
      const idOf = (node: number) => view.idOf(view.columns.refOf(node))
      return {
        total_edges: kept.reduce((sum, { edges }) => sum + edges, 0),
        synthesizers: kept.map(({ samples: some, ...rest }) => ({
          ...rest,
          samples: some.map(([from, to]) => ({ from: idOf(from), to: idOf(to) }))
        })),
        framework_passes: 0,
        note: "edges come from what is written: no framework pass adds any to the graph, and what frameworks tie together is told by routes, components, pubsub and the like. These passes derive relations from types and names; they are followed by impact, overrides and include_speculative, and are not among the edges counted elsewhere",
        scope: { definitions: view.counts.symbols, edges: view.counts.edges },
        freshness: freshnessOf(view.freshness)
      }
    })
})
