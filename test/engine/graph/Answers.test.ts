import * as fc from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import type { Snapshot } from "../../../src/engine/graph/Snapshot.ts"
import { makeView } from "../../../src/engine/graph/View.ts"
import type { GraphView } from "../../../src/services/CodeGraph.ts"
import { fresh, Line, type Tree, treeOf } from "./Line.ts"
import { histories, tweaked } from "./trees.ts"

// What a view computes from tables that snapshots share must not depend on the snapshots before.

const viewOf = (snapshot: Snapshot): GraphView =>
  makeView(snapshot, { state: "fresh", stale_files: [], head: undefined, checked_at: "" })

const words = [
  "alpha",
  "Base",
  "gamma beta",
  "leaf node",
  "only3",
  "Nod",
  "alhpa",
  "where is the base of leaf",
  "src/deep",
  "nothingOfTheKind"
]

/** Everything asked of a view, in words that do not depend on the numbers of files. */
const answers = (view: GraphView): ReadonlyArray<string> => {
  const out: Array<string> = []
  for (const text of words) {
    const { matches, query_class, total } = view.search({ text, limit: 500 })
    out.push(`search ${text}: ${query_class} ${total}`)
    for (const { match, ref, score } of matches)
      out.push(`search ${text}: ${view.symbol(ref).id} ${match} ${score.toFixed(4)}`)
  }
  const named = new Set<string>()
  for (const ref of view.all()) {
    const { id, name } = view.symbol(ref)
    named.add(name)
    const incoming = view.incoming(ref).map((e) => `${e.path}:${e.line}:${e.column} ${e.tier} ${e.role}`)
    out.push(`incoming ${id}: ${view.incomingCount(ref)} ${incoming.sort().join("; ")}`)
    // In their order: answers name the first few.
    out.push(`overridden by ${id}: ${view.overriders(ref).map(view.idOf).join("; ")}`)
  }
  for (const name of named) {
    out.push(
      `named ${name}: ${view
        .named(name)
        .map((r) => view.symbol(r).id)
        .sort()
        .join("; ")}`
    )
    const { sites, total } = view.unbound(name, 500)
    out.push(
      `unbound ${name}: ${total} ${sites
        .map((s) => `${s.path}:${s.line}:${s.column}`)
        .sort()
        .join("; ")}`
    )
  }
  const { edges, files, indexed_files, symbols, unbound } = view.counts
  out.push(`counts ${JSON.stringify({ edges, files, indexed_files, symbols, unbound })}`)
  return out.sort()
}

const runs = Number(process.env["PORTICO_HISTORIES"] ?? 5)
const seed = process.env["PORTICO_SEED"]

describe("a view of an updated snapshot answers as one of a fresh index", () => {
  for (const language of ["ecmascript", "go", "rust", "python", undefined]) {
    it(`over any history of ${language ?? "several languages"}`, { timeout: 600_000 }, async () => {
      await fc.assert(
        fc.asyncProperty(histories(language, 6), async ({ start, steps }) => {
          using line = new Line()
          let tree: Tree = treeOf(
            Object.fromEntries(
              Array.from({ length: 12 }, (_, i) => [`ballast/n${i}.ts`, `export const only${i} = ${i}\n`])
            )
          )
          for (const edit of start) tree = tweaked(tree, { _tag: "Write", edit })
          answers(viewOf(await line.to(tree)))
          for (const tweaks of steps) {
            for (const tweak of tweaks) tree = tweaked(tree, tweak)
            expect(answers(viewOf(await line.to(tree)))).toEqual(answers(viewOf(await fresh(tree))))
          }
        }),
        { numRuns: runs, ...(seed === undefined ? {} : { seed: Number(seed) }) }
      )
    })
  }
})
