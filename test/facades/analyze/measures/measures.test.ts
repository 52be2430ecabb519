import { describe, expect, it } from "vitest"
import { servedOnce } from "../../once.ts"
import type { Value } from "../../read/support.ts"

const files = {
  "a/one.ts": `import { two } from "./two.ts"
import type { Shape } from "./three.ts"
export const one = (n: number): number => (n > 0 ? two(n - 1) : 0)
export const lone = (shape: Shape) => shape.area()
export const self = (n: number): number => (n > 0 ? self(n - 1) : 0)
`,
  "a/two.ts": `import { one } from "./one.ts"
export const two = (n: number): number => one(n)
export const helper = () => 1
`,
  "a/three.ts": `import type { Square } from "./four.ts"
export interface Shape { area(): number }
export interface Never { missing(): void }
export const pick = (square: Square): Shape => square
`,
  "a/four.ts": `import type { Shape } from "./three.ts"
export class Square implements Shape {
  area() { return side() }
}
export class Round implements Shape {
  area() { return 3 }
}
const side = () => 2
`,
  "b/top.ts": `import { middle } from "./middle.ts"
export function top() { return middle() }
`,
  "b/middle.ts": `import { bottom } from "./bottom.ts"
export function middle() { return bottom() + bottom() }
export function aside() { return bottom() }
`,
  "b/bottom.ts": `export function bottom() { return 1 }
export const unusedHere = 4
`,
  "b/over.ts": `export function over(a: string): string
export function over(a: number): number
export function over(a: any): any { return a }
export const first = over(1)
export function loose(x: any) { return x.area() + x.nowhere() + x.stubbed() }
export declare function stubbed(): void
`,
  "b/app.py": `def uses(x):
    return x.haunt()


class Ghost:
    def haunt(self):
        return 1

    def onlyPython(self):
        return 1
`,
  "b/cross.ts": `export const crossing = (x: any) => x.onlyPython()
`,
  "test/bottom.test.ts": `import { aside } from "../b/middle.ts"
it("is one", () => { aside() })
`
}
const at = servedOnce(files)
const idsOf = (rows: ReadonlyArray<Value>) => rows.map(({ id }) => id as string)
const analyze = (kind: string, rest: Value = {}) => at.call("analyze", { kind, ...rest })
const refused = (kind: string, rest: Value = {}) => at.refused("analyze", { kind, ...rest })

describe("analyze.cycles", () => {
  it("finds files that import each other, with types apart, and functions that call each other", async () => {
    const value = await analyze("cycles")
    expect(value["cycles"]).toEqual([
      { kind: "import", severity: 3, path: ["a/one.ts", "a/two.ts", "a/one.ts"], size: 2 },
      { kind: "call", severity: 1, path: ["a/one.ts::one", "a/two.ts::two", "a/one.ts::one"], size: 2 }
    ])
    // three.ts and four.ts import only types of each other.
    expect(value["import_cycles_with_types"]).toBe(2)
    expect([value["recursive_functions"], value["by_kind"]]).toEqual([
      1,
      { import: 1, "cross-community": 0, call: 1 }
    ])
  })
  it("stays in its scope, and says that nothing is there", async () => {
    const value = await analyze("cycles", { options: { scope: "b" } })
    expect(value).toMatchObject({ total: 0, cycles: [], message: "no cycles among what was looked at" })
    expect(value["looked_at"].files).toBe(6)
    expect((await refused("cycles", { options: { scope: "nowhere" } })).reason_code).toBe("empty_scope")
  })
})

describe("analyze.would_create_cycle", () => {
  const would = (from_id: string, to_id: string) =>
    analyze("would_create_cycle", { options: { from_id, to_id } })
  it("shows the ring that would close, by symbols or by files alone", async () => {
    expect(await would("b/bottom.ts::bottom", "b/top.ts::top")).toMatchObject({
      would_cycle: true,
      level: "symbol",
      path: ["b/bottom.ts::bottom", "b/top.ts::top", "b/middle.ts::middle", "b/bottom.ts::bottom"]
    })
    expect(await would("b/bottom.ts::unusedHere", "b/top.ts::top")).toMatchObject({
      would_cycle: true,
      level: "file",
      path: ["b/bottom.ts", "b/top.ts", "b/middle.ts", "b/bottom.ts"]
    })
    expect(await would("a/one.ts::self", "a/one.ts::self")).toMatchObject({
      would_cycle: true,
      path: ["a/one.ts::self", "a/one.ts::self"]
    })
  })
  it("says no where nothing leads back, and that a dependency is there already", async () => {
    expect(await would("b/top.ts::top", "a/two.ts::helper")).toMatchObject({ would_cycle: false, path: [] })
    expect(await would("b/top.ts::top", "b/middle.ts::middle")).toMatchObject({
      would_cycle: false,
      depends_already: true
    })
  })
  it("refuses ends that mean nothing", async () => {
    const failure = await refused("would_create_cycle", { options: { from_id: "nobody", to_id: "one" } })
    expect([failure.code, failure.field]).toEqual(["symbol_not_found", "options.from_id"])
  })
})

describe("analyze.pagerank", () => {
  it("ranks what is leaned on first", async () => {
    const value = await analyze("pagerank", { options: { node_kinds: "function", path_prefix: undefined } })
    const ranks = Object.fromEntries(value["pagerank"].map(({ id, rank }: Value) => [id, rank]))
    expect(ranks["b/bottom.ts::bottom"]).toBeGreaterThan(ranks["b/middle.ts::middle"])
    expect(ranks["b/middle.ts::middle"]).toBeGreaterThan(ranks["b/top.ts::top"])
    expect(value["converged"]).toBe(true)
    const once = await analyze("pagerank", { options: { max_iterations: 1 } })
    expect([once["iterations"], once["converged"]]).toEqual([1, false])
  })
  it("refuses kinds and damping there are not", async () => {
    expect(
      (await refused("pagerank", { options: { node_kinds: "gadget" } })).data?.["valid_values"]
    ).toContain("function")
    expect((await refused("pagerank", { options: { damping: 2 } })).code).toBe("invalid_argument")
  })
})

describe("analyze.kcore", () => {
  it("finds what is knit together", async () => {
    const value = await analyze("kcore", { options: { min_degree: 1 } })
    const degrees = Object.fromEntries(value["kcore"].map(({ id, k_degree }: Value) => [id, k_degree]))
    // Shape, its member, Square, Round, their members and lone: each tied to two others of them.
    expect(degrees["a/three.ts::Shape"]).toBe(2)
    expect(degrees["b/bottom.ts::bottom"]).toBe(1)
    expect(value["highest"]).toBe(2)
    expect((await analyze("kcore", { options: { min_degree: 9 } }))["count"]).toBe(0)
  })
  it("refuses kinds there are not", async () => {
    expect((await refused("kcore", { options: { node_kinds: ["gadget"] } })).code).toBe("invalid_argument")
  })
})

describe("analyze.louvain", () => {
  it("divides what belongs together, nearly as well as Leiden's method", async () => {
    const { communities, modularity, modularity_by_leiden } = await analyze("louvain")
    const shapes = communities.find(({ files: own }: Value) => own.includes("a/four.ts"))
    expect(shapes.files).toContain("a/three.ts")
    expect(modularity).toBeGreaterThanOrEqual(0.98 * modularity_by_leiden)
  })
  it("refuses arguments it has not", async () => {
    expect((await refused("louvain", { options: { seed: 1 } })).code).toBe("invalid_argument")
  })
})

describe("analyze.scc and analyze.wcc", () => {
  it("find what leads round, and what hangs together", async () => {
    const { components } = await analyze("scc")
    expect(components).toEqual([{ id: "scc1", size: 2, members: ["a/one.ts::one", "a/two.ts::two"] }])
    const weak = await analyze("wcc", { options: { member_limit: 3 } })
    const bottom = weak["components"].find(({ members }: Value) => members.includes("b/bottom.ts::bottom"))
    // bottom, middle, aside, top and the test.
    expect([bottom.size, bottom.members.length]).toEqual([5, 3])
  })
  it("leave out what is smaller than asked for, and refuse sizes that are none", async () => {
    expect((await analyze("scc", { options: { min_size: 3 } }))["total"]).toBe(0)
    expect((await refused("scc", { options: { min_size: -2 } })).code).toBe("invalid_argument")
    expect((await refused("wcc", { options: { min_size: "all" } })).code).toBe("invalid_argument")
  })
})

describe("analyze.connectivity_health", () => {
  it("counts what is loose, by kind and file", async () => {
    const value = await analyze("connectivity_health")
    const bottom = value["dead_weight_by_file"].find(({ file_path }: Value) => file_path === "b/bottom.ts")
    expect(bottom).toEqual({ file_path: "b/bottom.ts", isolated: 1, leaf: 0, nodes: 2, dead_weight: 0.5 })
    expect(value["effective_nodes"] + value["isolated"]).toBe(value["nominal_nodes"])
    const functions = value["by_kind"].find(({ kind }: Value) => kind === "class")
    expect(functions.nodes).toBe(3)
  })
  it("refuses arguments it has not", async () => {
    expect((await refused("connectivity_health", { options: { deep: true } })).code).toBe("invalid_argument")
  })
})

describe("analyze.edge_audit", () => {
  it("tallies tiers, and finds contracts nobody keeps and code only tests use", async () => {
    const value = await analyze("edge_audit")
    expect(idsOf(value["unimplemented_interfaces"])).toEqual(["a/three.ts::Never"])
    expect(idsOf(value["test_only_targets"])).toEqual(["b/middle.ts::aside"])
    const { summary } = value
    expect(Object.values(value["edge_tiers"] as { [tier: string]: number }).reduce((a, b) => a + b)).toBe(
      summary.total_edges
    )
    expect(summary.weak_call_edges).toBe(value["call_tiers"].name)
    expect(value["weak_call_edges"].map(({ to }: Value) => to)).toEqual(["b/app.py::Ghost.haunt"])
  })
  it("refuses arguments it has not", async () => {
    expect((await refused("edge_audit", { options: { deep: true } })).code).toBe("invalid_argument")
  })
})

describe("analyze.ref_facts", () => {
  it("tells of each use how it is known", async () => {
    const value = await analyze("ref_facts", { options: { id: "b/bottom.ts::bottom" } })
    expect(
      value["facts"].map(
        ({ file_path, from, kind, line, tier }: Value) => `${from} ${kind} ${file_path}:${line} ${tier}`
      )
    ).toEqual([
      "b/middle.ts import b/middle.ts:1 resolved",
      "b/middle.ts::middle call b/middle.ts:2 resolved",
      "b/middle.ts::middle call b/middle.ts:2 resolved",
      "b/middle.ts::aside call b/middle.ts:3 resolved"
    ])
    expect(value["facts"][0].origin).toContain("imports")
    const inFile = await analyze("ref_facts", { options: { path: "b/app.py" } })
    expect(inFile["facts"].map(({ ref_name, tier }: Value) => [ref_name, tier])).toEqual([["haunt", "name"]])
  })
  it("refuses a file and a symbol there are not", async () => {
    expect((await refused("ref_facts", { options: { path: "no/file.ts" } })).code).toBe("file_not_indexed")
    expect((await refused("ref_facts", { options: { id: "nobody" } })).code).toBe("symbol_not_found")
  })
})

describe("analyze.resolution_outcomes", () => {
  it("says why uses stay unbound", async () => {
    const value = await analyze("resolution_outcomes")
    const by = Object.fromEntries(value["rows"].map(({ name, reason }: Value) => [name, reason]))
    expect(by["area"]).toBe("ambiguous_multi_match")
    expect(by["onlyPython"]).toBe("cross_language_only")
    expect(by["stubbed"]).toBe("stub_only")
    const none = await analyze("resolution_outcomes", { options: { reason: "no_definition" } })
    expect(none["rows"].map(({ name }: Value) => name)).toContain("nowhere")
    expect(none["total"]).toBe(value["by_reason"].no_definition)
  })
  it("pages over several reasons without losing a row", async () => {
    const whole = await analyze("resolution_outcomes")
    const rows: Array<Value> = []
    let cursor: unknown
    do {
      const part = await analyze("resolution_outcomes", {
        output: { limit: 2, ...(cursor === undefined ? {} : { cursor }) }
      })
      rows.push(...part["rows"])
      cursor = part["next_cursor"]
    } while (cursor !== undefined)
    expect(rows).toEqual(whole["rows"])
    expect(rows.length).toBe(whole["total"])
  })
  it("refuses a reason there is not", async () => {
    expect((await refused("resolution_outcomes", { options: { reason: "bad luck" } })).code).toBe(
      "invalid_argument"
    )
  })
})

describe("analyze.speculative and analyze.synthesizers", () => {
  it("count the calls whose callee is a guess", async () => {
    const { shapes, total } = await analyze("speculative")
    const by = Object.fromEntries(shapes.map((shape: Value) => [shape["shape"], shape]))
    expect(by["interface_member"]).toMatchObject({ edges: 2, calls: 1 })
    expect(by["interface_member"].samples).toEqual([
      { from: "a/one.ts::lone", to: "a/four.ts::Square.area", candidate_count: 2, confidence: 0.5 }
    ])
    expect(by["name_only"]).toMatchObject({ edges: 1 })
    expect(total).toBe(3)
  })
  it("name the passes that derive edges, and own that no framework's does", async () => {
    const value = await analyze("synthesizers")
    const edges = Object.fromEntries(
      value["synthesizers"].map(({ edges: count, name }: Value) => [name, count])
    )
    expect(edges).toEqual({ method_sets: 0, inheritance: 2, constructors: 0, overloads: 2 })
    expect(value["framework_passes"]).toBe(0)
    expect((await analyze("synthesizers", { options: { name: "overloads" } }))["total_edges"]).toBe(2)
  })
  it("refuse a pass there is not, and arguments they have not", async () => {
    expect((await refused("synthesizers", { options: { name: "spring" } })).data?.["valid_values"]).toContain(
      "inheritance"
    )
    expect((await refused("speculative", { options: { deep: true } })).code).toBe("invalid_argument")
  })
})
