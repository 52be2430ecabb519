import * as fc from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import type { Snapshot } from "../../../src/engine/graph/Snapshot.ts"
import { makeView, withFreshness } from "../../../src/engine/graph/View.ts"
import type { GraphView } from "../../../src/services/CodeGraph.ts"
import { fresh, Line, type Tree, treeOf } from "./Line.ts"
import { histories, tweaked } from "./trees.ts"

const freshness = { state: "fresh", stale_files: [], head: undefined, checked_at: "" } as const
const viewOf = (snapshot: Snapshot): GraphView => makeView(snapshot, freshness)

/** What the columns say, in the words of the view. */
const written = (view: GraphView): ReadonlyArray<string> => {
  const c = view.columns
  const id = (node: number) => view.idOf(c.refOf(node))
  const out: Array<string> = []
  for (let node = 0; node < c.nodeCount; node++) {
    out.push(
      [
        node,
        id(node),
        c.kindNames[c.kinds[node]!],
        id(c.files[node]!),
        c.parents[node] === -1 ? "" : id(c.parents[node]!),
        id(c.primaries[node]!),
        c.languageNames[c.languages[node]!] ?? "",
        c.lines[node],
        c.complexity[node],
        c.tests[node]
      ].join(" ")
    )
    for (let e = c.out.starts[node]!; e < c.out.starts[node + 1]!; e++)
      out.push(
        `${id(node)} -> ${id(c.out.others[e]!)} ${c.roleNames[c.roles[e]!]} ${c.tiers[e]} ${c.edge(e).line}:${c.edge(e).column}`
      )
    for (let p = c.in.starts[node]!; p < c.in.starts[node + 1]!; p++)
      out.push(`${id(node)} <- ${id(c.in.others[p]!)} ${c.edge(c.inEdges[p]!).line}`)
  }
  return out
}

/** The same, from what the view says of each definition. */
const agrees = (view: GraphView) => {
  const c = view.columns
  const tiers = ["exact", "resolved", "inferred", "name"]
  let edges = 0
  for (const ref of view.all()) {
    const node = c.nodeOf(ref)
    const symbol = view.symbol(ref)
    expect(c.refOf(node)).toBe(ref)
    expect([c.kindNames[c.kinds[node]!], c.lines[node], c.complexity[node], c.tests[node] === 1]).toEqual([
      symbol.kind,
      symbol.line,
      symbol.complexity,
      symbol.test
    ])
    expect(c.refOf(c.parents[node]!)).toBe(view.parent(ref))
    if (c.primaries[node] !== node) {
      expect(c.in.starts[node + 1]! - c.in.starts[node]!).toBe(0)
      continue
    }
    const incoming = view.incoming(ref).map((e) => `${e.path}:${e.line}:${e.column} ${e.role} ${e.tier}`)
    const own: Array<string> = []
    for (let p = c.in.starts[node]!; p < c.in.starts[node + 1]!; p++) {
      const e = c.inEdges[p]!
      const info = c.edge(e)
      expect(c.out.others[e]).toBe(node)
      expect(c.sources[e]).toBe(c.in.others[p])
      expect(c.roleNames[c.roles[e]!]).toBe(info.role)
      expect(tiers[c.tiers[e]!]).toBe(info.tier)
      own.push(`${info.path}:${info.line}:${info.column} ${info.role} ${info.tier}`)
    }
    expect([...new Set(own)].sort()).toEqual([...new Set(incoming)].sort())
    edges += incoming.length
  }
  for (const node of c.fileNodes) edges += c.in.starts[node + 1]! - c.in.starts[node]!
  expect(edges).toBe(view.counts.edges)
  expect(c.edgeCount).toBeLessThanOrEqual(edges)
}

describe("the columns of a view", () => {
  for (const language of ["ecmascript", "go", "python", undefined]) {
    it(`are those of a fresh index over any history of ${language ?? "several languages"}`, async () => {
      await fc.assert(
        fc.asyncProperty(histories(language, 4), async ({ start, steps }) => {
          using line = new Line()
          let tree: Tree = treeOf({ "zz/last.ts": "export const last = 1\n" })
          for (const edit of start) tree = tweaked(tree, { _tag: "Write", edit })
          agrees(viewOf(await line.to(tree)))
          for (const tweaks of steps) {
            for (const tweak of tweaks) tree = tweaked(tree, tweak)
            const view = viewOf(await line.to(tree))
            agrees(view)
            expect(written(view)).toEqual(written(viewOf(await fresh(tree))))
          }
        }),
        { numRuns: 4 }
      )
    })
  }

  it("take overloads as one, uses in closures as their enclosing function's, and say what imports are", async () => {
    const view = viewOf(
      await fresh(
        treeOf({
          "a.ts": `export function over(a: string): void
export function over(a: number): void
export function over(a: unknown) { void a }
export interface Box { size: number }
`,
          "b.ts": `import { over } from "./a.ts"
import type { Box } from "./a.ts"
export { over } from "./a.ts"
export const outer = (box: Box) => {
  const inner = () => over(box.size)
  inner()
}
`
        })
      )
    )
    const c = view.columns
    const node = (id: string) => c.nodeOf(view.resolve(id).found[0]!)
    const over = c.primaries[node("a.ts::over")]!
    expect(view.idOf(c.refOf(over))).toBe("a.ts::over~3")
    const uses: Array<string> = []
    for (let p = c.in.starts[over]!; p < c.in.starts[over + 1]!; p++) {
      const e = c.inEdges[p]!
      uses.push(
        `${view.idOf(c.refOf(c.in.others[p]!))} ${c.roleNames[c.roles[e]!]} ${view.idOf(c.edge(e).from)} ${c.importBits[e]}`
      )
    }
    expect(uses).toEqual(["b.ts import b.ts 0", "b.ts export b.ts 0", "b.ts::outer call b.ts::outer.inner 0"])
    const box = node("a.ts::Box")
    expect(c.importBits[c.inEdges[c.in.starts[box]!]!]).toBe(1)
  })

  it("stay the same object while only the freshness is new", async () => {
    const view = viewOf(await fresh(treeOf({ "a.ts": "export const a = 1\n" })))
    const { columns } = view
    expect(withFreshness(view, { ...freshness, state: "stale" }).columns).toBe(columns)
  })
})
