import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { servedOnce } from "../../once.ts"
import type { Value } from "../../read/support.ts"

const files = {
  "src/shop.ts": `import { Store } from "./store.ts"
import { log } from "./log.ts"
export interface Pricing { price(id: string): number }
export class Flat implements Pricing {
  price() { return round(1) }
}
export class Tiered implements Pricing {
  price(id: string) { return lookup(id) }
}
export const round = (n: number) => n
export const lookup = (id: string) => id.length
export class Cart {
  private readonly store: Store
  constructor(store: Store) {
    this.store = store
    log("cart")
  }
  total(pricing: Pricing) {
    const sum = () => this.store.all().length * pricing.price("x")
    return sum()
  }
}
export function checkout(pricing: Pricing) {
  const cart = new Cart(new Store())
  return cart.total(pricing)
}
export function each(visit: (n: number) => number) { return visit(1) }
export function visitAll() { return each(round) }
`,
  "src/store.ts": `import { log } from "./log.ts"
export class Store {
  all() {
    log("all")
    return this.rows()
  }
  rows(): Array<string> { return [] }
}
`,
  "src/log.ts": `export const log = (text: string) => { write(text) }
const write = (text: string) => { void text }
`,
  "src/far.ts": `export const one = () => two()
export const two = () => three()
export const three = () => four()
export const four = () => 4
export const detour = () => three()
export const both = () => { two(); detour() }
export function handler() { return four() }
export function loose(x: any) { return x.handler2() }
export class A { handler2() { return 1 } }
export class B { handler2() { return four() } }
`,
  "src/main.ts": `import { checkout, Flat } from "./shop.ts"
checkout(new Flat())
`,
  "test/shop.test.ts": `import { checkout, Flat } from "../src/shop.ts"
it("sums", () => { checkout(new Flat()) })
`
}
const at = servedOnce(files)
const idsOf = (rows: ReadonlyArray<Value>) => rows.map(({ id }) => id as string)
const edgesOf = (rows: ReadonlyArray<Value>) => rows.map(({ from, kind, to }) => `${from} -> ${to} ${kind}`)

describe("trace.call_chain", () => {
  it("follows calls by distance: into closures, through constructors, up to a member without a body", async () => {
    const value = await at.call("trace", {
      operation: "call_chain",
      target: { symbol: "src/shop.ts::checkout" }
    })
    expect(idsOf(value["nodes"]).map((id, i) => `${value["nodes"][i].depth} ${id}`)).toEqual(
      [
        "1 src/shop.ts::Cart",
        "1 src/store.ts::Store",
        "1 src/shop.ts::Cart.total",
        "2 src/shop.ts::Cart.constructor",
        "2 src/store.ts::Store.all",
        "2 src/shop.ts::Pricing.price",
        "2 src/shop.ts::Cart.total.sum",
        "3 src/log.ts::log",
        "3 src/store.ts::Store.rows",
        "4 src/log.ts::write"
      ].sort((a, b) => Number(a[0]) - Number(b[0]))
    )
    expect(value["total_nodes"]).toBe(10)
    expect(value["dynamic_boundaries"]).toEqual([
      {
        id: "src/shop.ts::Pricing.price",
        candidates: ["src/shop.ts::Flat.price", "src/shop.ts::Tiered.price"],
        candidate_count: 2
      }
    ])
    expect(edgesOf(value["edges"])).toContain("src/shop.ts::Cart -> src/shop.ts::Cart.constructor constructs")
    expect(edgesOf(value["edges"])).toContain("src/shop.ts::Cart.total -> src/store.ts::Store.all call")
    expect(value["completeness"].complete).toBe(false)
  })
  it("stops at its depth, and pages", async () => {
    const args = { operation: "call_chain", target: { symbol: "src/far.ts::one" }, options: { depth: 2 } }
    expect(idsOf((await at.call("trace", args))["nodes"])).toEqual(["src/far.ts::two", "src/far.ts::three"])
    const first = await at.call("trace", { ...args, output: { limit: 1 } })
    expect([idsOf(first["nodes"]), first["total_nodes"]]).toEqual([["src/far.ts::two"], 2])
    const second = await at.call("trace", { ...args, output: { limit: 1, cursor: first["next_cursor"] } })
    expect([idsOf(second["nodes"]), edgesOf(second["edges"])]).toEqual([
      ["src/far.ts::three"],
      ["src/far.ts::two -> src/far.ts::three call"]
    ])
  })
  it("goes on through super types when it is told to guess", async () => {
    const value = await at.call("trace", {
      operation: "call_chain",
      target: { symbol: "src/shop.ts::Cart.total" },
      options: { include_speculative: true }
    })
    expect(idsOf(value["nodes"])).toEqual(
      expect.arrayContaining(["src/shop.ts::Tiered.price", "src/shop.ts::lookup", "src/shop.ts::round"])
    )
    expect(edgesOf(value["edges"])).toContain(
      "src/shop.ts::Pricing.price -> src/shop.ts::Flat.price dispatch"
    )
    expect(value["dynamic_boundaries"]).toBeUndefined()
  })
  it("refuses what means nothing, and what means several things", async () => {
    expect((await at.refused("trace", { operation: "call_chain", target: { symbol: "nothing" } })).code).toBe(
      "symbol_not_found"
    )
    const several = await at.refused("trace", { operation: "call_chain", target: { symbol: "handler2" } })
    expect([several.code, several.reason_code]).toEqual(["invalid_argument", "ambiguous_symbol"])
  })
  it("sees the session's overlay", async () => {
    await Effect.runPromise(
      at.folder().overlay("o", {
        path: "src/far.ts",
        deleted: false,
        content: files["src/far.ts"].replace("=> two()", "=> four()")
      })
    )
    const args = { operation: "call_chain", target: { symbol: "src/far.ts::one" }, options: { depth: 1 } }
    expect(idsOf((await at.call("trace", args, "o"))["nodes"])).toEqual(["src/far.ts::four"])
    expect(idsOf((await at.call("trace", args))["nodes"])).toEqual(["src/far.ts::two"])
  })
})

describe("trace.path", () => {
  const between = (from: string, to: string, options: Value = {}) =>
    at.call("trace", { operation: "path", target: { symbol: from }, to: { symbol: to }, options })

  it("finds the shortest way and tells how sure it is", async () => {
    const { found, paths } = await between("src/far.ts::one", "src/far.ts::four")
    expect(found).toBe(true)
    expect(paths).toHaveLength(1)
    expect(idsOf(paths[0].nodes)).toEqual(
      ["one", "two", "three", "four"].map((name) => `src/far.ts::${name}`)
    )
    // Three resolved edges: 0.95 cubed.
    expect([paths[0].length, paths[0].confidence, paths[0].worst_tier]).toEqual([3, 0.8574, "resolved"])
    expect(paths[0].edges[0]).toMatchObject({
      file_path: "src/far.ts",
      line: 1,
      kind: "call",
      tier: "resolved"
    })
  })
  it("finds as many as asked for, the shortest first", async () => {
    const { paths } = await between("src/far.ts::both", "src/far.ts::four", { k: 5 })
    expect(paths.map(({ nodes }: Value) => idsOf(nodes).map((id) => id.split("::")[1]))).toEqual([
      ["both", "two", "three", "four"],
      ["both", "detour", "three", "four"]
    ])
  })
  it("follows functions handed on as values unless told not to", async () => {
    expect((await between("src/shop.ts::visitAll", "src/shop.ts::round"))["found"]).toBe(true)
    const strict = await between("src/shop.ts::visitAll", "src/shop.ts::round", { include_references: false })
    expect(strict["found"]).toBe(false)
  })
  it.each([
    ["src/far.ts::four", "src/far.ts::one", {}, "src_no_out_edges"],
    ["src/far.ts::three", "src/far.ts::both", {}, "sink_no_in_edges"],
    ["src/far.ts::one", "src/far.ts::four", { max_depth: 2 }, "depth_exceeded"],
    ["src/shop.ts::checkout", "src/shop.ts::lookup", {}, "crosses_dynamic_dispatch"],
    ["src/far.ts::loose", "src/far.ts::four", {}, "crosses_dynamic_dispatch"],
    ["src/log.ts::log", "src/far.ts::three", {}, "disconnected"]
  ] as const)("says why no way leads from %s to %s", async (from, to, options, reason) => {
    const { found, gap, paths } = await between(from, to, options)
    expect([found, paths, gap.reason]).toEqual([false, [], reason])
  })
  it("names the call that a gap is at", async () => {
    const { gap } = await between("src/shop.ts::checkout", "src/shop.ts::lookup")
    expect(gap.boundary_hits).toEqual([
      { kind: "dispatch", from: "src/shop.ts::Pricing.price", to: "src/shop.ts::Tiered.price" }
    ])
    const unbound = (await between("src/far.ts::loose", "src/far.ts::four"))["gap"]
    expect(unbound.boundary_hits).toEqual([
      {
        kind: "unbound_call",
        from: "src/far.ts::loose",
        to: "src/far.ts::B.handler2",
        file_path: "src/far.ts",
        line: 8
      }
    ])
  })
  it("refuses an end that means nothing", async () => {
    const failure = await at.refused("trace", {
      operation: "path",
      target: { symbol: "src/far.ts::one" },
      to: { symbol: "nothing" }
    })
    expect([failure.code, failure.field]).toEqual(["symbol_not_found", "to.symbol"])
  })
})

describe("trace.walk", () => {
  it("goes along the kinds of edge asked for, both ways", async () => {
    const value = await at.call("trace", {
      operation: "walk",
      target: { symbol: "src/shop.ts::Pricing" },
      options: { edge_kinds: "references,implements", direction: "in", max_depth: 1 }
    })
    expect(idsOf(value["nodes"]).sort()).toEqual([
      "src/shop.ts::Cart.total",
      "src/shop.ts::Flat",
      "src/shop.ts::Tiered",
      "src/shop.ts::checkout"
    ])
    expect(value["budget_hit"]).toBe(false)
  })
  it("ends when its tokens are used up, and says so", async () => {
    const value = await at.call("trace", {
      operation: "walk",
      target: { symbol: "src/shop.ts::checkout" },
      options: { token_budget: 300, edge_kinds: "all" }
    })
    expect(value["budget_hit"]).toBe(true)
    expect(value["nodes"].length).toBeGreaterThan(0)
    expect(JSON.stringify(value).length).toBeLessThan(300 * 3.5 + 200)
  })
  it("refuses kinds of edge and communities there are not", async () => {
    const kinds = await at.refused("trace", {
      operation: "walk",
      target: { symbol: "src/far.ts::one" },
      options: { edge_kinds: "flies" }
    })
    expect([kinds.code, kinds.data?.["valid_values"]]).toEqual([
      "invalid_argument",
      expect.arrayContaining(["calls", "all"])
    ])
    const community = await at.refused("trace", {
      operation: "walk",
      target: { symbol: "src/far.ts::one" },
      options: { community: "c99" }
    })
    expect(community.reason_code).toBe("unknown_community")
  })
})

describe("trace.graph", () => {
  const query = (text: string, output: Value = {}) =>
    at.call("trace", { operation: "graph", options: { query: text }, output })

  it("pipes nodes through filters and edges", async () => {
    const value = await query(
      "nodes kind=class name~^Tier | traverse implements out | traverse references in | filter kind=function path=src lang=typescript"
    )
    expect(idsOf(value["nodes"])).toEqual(["src/shop.ts::checkout"])
    expect(value["stages"].map(({ nodes }: Value) => nodes)).toEqual([1, 1, 2, 1])
  })
  it("shows the edges of its last walk", async () => {
    const value = await query("nodes name=four | traverse calls in")
    expect(edgesOf(value["edges"]).sort()).toEqual([
      "src/far.ts::B.handler2 -> src/far.ts::four call",
      "src/far.ts::handler -> src/far.ts::four call",
      "src/far.ts::three -> src/far.ts::four call"
    ])
  })
  it("tells an empty set from a query it cannot read", async () => {
    expect(await query("nodes name=nobody")).toMatchObject({ total: 0, nodes: [] })
  })
  it.each([
    ["traverse calls", "first stage is nodes"],
    ["nodes | nodes", "only the first stage"],
    ["nodes | traverse flies", "no kind of edge flies"],
    ["nodes | traverse calls sideways", "no direction"],
    ["nodes kind=klass", "no kind klass"],
    ["nodes colour=red", "is no filter"],
    ["nodes name~(", "name~("],
    ["nodes name~(a+)+$", "repeats"],
    ["nodes | filter", "no filters"],
    ["nodes | | filter kind=class", "empty"],
    ["nodes | traverse all | traverse all | traverse all | traverse all | traverse all", "more than 5"]
  ])("refuses %s", async (text, why) => {
    const failure = await at.refused("trace", { operation: "graph", options: { query: text } })
    expect([failure.code, failure.reason_code]).toEqual(["invalid_argument", "invalid_query"])
    expect(failure.message).toContain(why)
    expect(failure.data?.["grammar"]).toContain("traverse KINDS")
  })
})
