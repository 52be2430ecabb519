import * as fc from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { makeView } from "../../../../src/engine/graph/View.ts"
import { dependentsOf } from "../../../../src/facades/analyze/measures/impact.ts"
import { fresh, Line, treeOf } from "../../../engine/graph/Line.ts"
import { servedOnce } from "../../once.ts"
import type { Value } from "../../read/support.ts"

const files = {
  "src/core.ts": `export interface Source { read(): string }
export const leaf = (n: number) => n + 1
export function middle(n: number) { return leaf(n) }
export class Holder {
  value = 1
  get() { return middle(this.value) }
}
export function top() { return new Holder().get() }
`,
  "src/other.ts": `import { top } from "./core.ts"
export function far() { return top() }
export const aside = () => 3
`,
  "test/core.test.ts": `import { leaf } from "../src/core.ts"
it("adds", () => { leaf(1) })
`
}
const at = servedOnce(files, { git: true })
const analyze = (rest: Value, session?: string) => at.call("analyze", { kind: "impact", ...rest }, session)
const rowsOf = (value: Value) =>
  (value["symbols"] as ReadonlyArray<Value>).map(({ depth, id }) => `${depth} ${id}`)

describe("analyze.impact", () => {
  it("puts a target first in its own closure, all that depends on it behind", async () => {
    const value = await analyze({ target: { symbol: "leaf" } })
    expect(rowsOf(value)[0]).toBe("0 src/core.ts::leaf")
    expect(value["symbols"][0].target).toBe(true)
    expect(rowsOf(value).slice(1).sort()).toEqual([
      "1 src/core.ts::middle",
      "2 src/core.ts::Holder.get",
      "3 src/core.ts::top",
      "4 src/other.ts::far"
    ])
    // The test and its file depend on it too, and are no functions.
    expect(value["target"]).toMatchObject({
      id: "src/core.ts::leaf",
      dependents: 6,
      dependents_by_depth: { 1: 3, 2: 1, 3: 1, 4: 1 },
      filtered_out: 2
    })
  })
  it("never filters the target out", async () => {
    const value = await analyze({
      target: { symbol: "leaf" },
      options: { kinds: "class", path_prefix: "src/other.ts", min_score: 99 }
    })
    expect(rowsOf(value)).toEqual(["0 src/core.ts::leaf"])
    expect(value["target"].dependents).toBe(6)
  })
  it("takes a file for all in it, and several symbols for just those", async () => {
    const file = await analyze({ target: { file: "src/other.ts" } })
    expect(file["symbols"].map(({ id, target }: Value) => [id, target])).toEqual(
      expect.arrayContaining([
        ["src/other.ts::far", true],
        ["src/other.ts::aside", true]
      ])
    )
    const some = await analyze({ target: { symbols: ["src/core.ts::top", "src/core.ts::Source"] } })
    expect(some["symbols"].map(({ id }: Value) => id).sort()).toEqual([
      "src/core.ts::Source",
      "src/core.ts::top"
    ])
    expect(some["target"].closure).toBe(false)
  })
  it("ranks everything without a target, by parts that add up", async () => {
    const value = await analyze({ options: { kinds: "all" } })
    const { weights } = value
    for (const row of value["symbols"]) {
      const sum = ["centrality", "reach", "complexity", "co_change", "community"].reduce(
        (total, part) => total + weights[part] * (row[part] ?? 0),
        0
      )
      expect(Math.abs(row.score - sum)).toBeLessThan(0.2)
    }
    const scores = value["symbols"].map(({ score }: Value) => score)
    expect(scores).toEqual([...scores].sort((a: number, b: number) => b - a))
    const leaf = value["symbols"].find(({ name }: Value) => name === "leaf")
    // Within three edges: middle, get, top, the test.
    expect(leaf.reach_count).toBe(4)
    const some = await analyze({ options: { min_score: leaf.score, max_score: leaf.score } })
    expect(some["symbols"].map(({ name }: Value) => name)).toContain("leaf")
  })
  it("refuses a target it cannot find rather than rank everything", async () => {
    const refused = (target: Value) => at.refused("analyze", { kind: "impact", target })
    expect((await refused({ symbol: "nobody" })).code).toBe("symbol_not_found")
    expect((await refused({ symbols: ["leaf", "nobody"] })).code).toBe("symbol_not_found")
    expect((await refused({ file: "src/none.ts" })).code).toBe("file_not_indexed")
    const kinds = await at.refused("analyze", { kind: "impact", options: { kinds: "gadget" } })
    expect(kinds.data?.["valid_values"]).toContain("method")
  })
  it("never tells less while the tree changes under it", async () => {
    const known = new Set(rowsOf(await analyze({ target: { symbol: "src/core.ts::leaf" } })))
    const calls: Array<Promise<Value>> = []
    for (let i = 0; i < 6; i++) {
      at.folder().write(
        `src/more${i}.ts`,
        `import { leaf } from "./core.ts"\nexport const more${i} = () => leaf(${i})\n`
      )
      calls.push(
        analyze({ target: { symbol: "src/core.ts::leaf" } }),
        analyze({ target: { symbol: "src/core.ts::leaf" } })
      )
    }
    for (const value of await Promise.all(calls)) {
      const rows = new Set(rowsOf(value))
      for (const row of known) expect(rows).toContain(row)
      expect(value["symbols"][0].target).toBe(true)
    }
    const last = rowsOf(await analyze({ target: { symbol: "src/core.ts::leaf" } }))
    for (let i = 0; i < 6; i++) expect(last).toContain(`1 src/more${i}.ts::more${i}`)
  })
})

/** Functions over three files that call each other as drawn, some through methods and closures. */
const program = (size: number, calls: ReadonlyArray<readonly [number, number]>) => {
  const file = (i: number) => i % 3
  const names = Array.from({ length: size }, (_, i) => i)
  const texts = [0, 1, 2].map((at) => {
    const imports = [0, 1, 2]
      .filter((other) => other !== at)
      .map(
        (other) =>
          `import { ${names
            .filter((i) => file(i) === other)
            .map((i) => `f${i}`)
            .join(", ")} } from "./m${other}.ts"`
      )
    const bodies = names
      .filter((i) => file(i) === at)
      .map((i) => {
        const own = calls.filter(([from]) => from === i).map(([, to]) => `f${to}()`)
        return i % 4 === 0
          ? `export const f${i} = () => { const inner = () => { ${own.join("; ")} }\n  inner() }`
          : `export function f${i}() { ${own.join("; ")} }`
      })
    return [`m${at}.ts`, `${[...imports, ...bodies].join("\n")}\n`] as const
  })
  return treeOf(Object.fromEntries(texts))
}

describe("the closure of a target", () => {
  const drawn = fc
    .integer({ min: 3, max: 12 })
    .chain((size) =>
      fc.tuple(
        fc.constant(size),
        fc.array(fc.tuple(fc.nat(size - 1), fc.nat(size - 1)), { maxLength: 30 }),
        fc.array(fc.tuple(fc.nat(size - 1), fc.nat(size - 1)), { maxLength: 6 })
      )
    )

  it("is all that calls lead back to, over random programs and their next versions", async () => {
    await fc.assert(
      fc.asyncProperty(drawn, async ([size, calls, more]) => {
        using line = new Line()
        for (const now of [calls, [...calls, ...more]]) {
          const tree = program(size, now)
          const view = makeView(await line.to(tree), {
            state: "fresh",
            stale_files: [],
            head: undefined,
            checked_at: ""
          })
          for (let target = 0; target < size; target++) {
            const distance = new Map([[target, 0]])
            for (let depth = 1, grew = true; grew; depth++) {
              grew = false
              for (const [from, to] of now)
                if (distance.get(to) === depth - 1 && !distance.has(from)) {
                  distance.set(from, depth)
                  grew = true
                }
            }
            distance.delete(target)
            const ref = view.resolve(`f${target}`).found[0]!
            const { depths } = dependentsOf(view, [ref])
            const found = new Map(
              [...depths].flatMap(([node, depth]) => {
                const name = /::f(\d+)$/.exec(view.idOf(view.columns.refOf(node)))
                return name === null ? [] : [[Number(name[1]), depth] as const]
              })
            )
            expect(new Map([...found].sort())).toEqual(new Map([...distance].sort()))
          }
        }
      }),
      { numRuns: 25 }
    )
  })

  it("goes through super types: what uses a member without a body depends on those that may run", async () => {
    const snapshot = await fresh(
      treeOf({
        "a.ts": `export interface Source { read(): string }
export class File implements Source { read() { return load() } }
export const load = () => "x"
export const show = (source: Source) => source.read()
export const page = () => show(new File())
`
      })
    )
    const view = makeView(snapshot, { state: "fresh", stale_files: [], head: undefined, checked_at: "" })
    const closure = (name: string) =>
      [...dependentsOf(view, [view.resolve(name).found[0]!]).depths]
        .map(([node, depth]) => `${depth} ${view.nameOf(view.columns.refOf(node))}`)
        .sort()
    expect(closure("load")).toEqual(["1 read", "2 show", "3 page"])
    expect(closure("Source.read")).toEqual(["1 read", "1 show", "2 page"])
  })
})
