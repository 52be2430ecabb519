import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { OperationFailure } from "../../../src/registry/Failure.ts"
import { served, type Value } from "../read/support.ts"

const candidateIds = ({ data }: OperationFailure) =>
  ((data ?? {})["candidates"] as ReadonlyArray<Value>).map(({ id }) => id)

const files = {
  "src/core.ts": `export function leaf(n: number): number {
  return n > 0 ? leaf(n - 1) : 0
}
export function middle() {
  return leaf(1)
}
export const top = () => {
  middle()
  void leaf(2)
}
export abstract class Shape {
  abstract area(): number
  describe() {
    return this.area()
  }
}
export class Square extends Shape {
  area() {
    return leaf(4)
  }
}
export class Cube extends Square {
  area() {
    return 6
  }
}
export function unused() {}
export interface Config { deep: number }
export function use(c: Config): Config {
  const list: Array<Config> = [c]
  return list[0]
}
`,
  "src/app.ts": `import { leaf as renamed, top } from "./core.ts"
import { readFileSync } from "node:fs"
export function app() {
  renamed(3)
  top()
  readFileSync("x")
}
app()
`,
  "src/deep/dyn.ts": `export function dyn(x: any) {
  x.describe()
  x.unused()
}
`,
  "test/core.test.ts": `import { leaf } from "../src/core.ts"
export function checks() {
  leaf(9)
}
`,
  "docs/readme.md": "Call describe or nothing_here sometimes.\n"
}
const idsOf = (rows: ReadonlyArray<Value>) => rows.map((row) => row["id"] as string)
const pairsOf = (rows: ReadonlyArray<Value>) =>
  rows.map(
    (row) =>
      `${row["from"]} -> ${row["to"]} ${row["kind"] ?? row["context"]} ${row["file_path"]}:${row["line"]}`
  )

describe("relations.callers", () => {
  it.scoped("walks to the depth asked for, through aliases and cycles", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const direct = yield* at.call("relations", {
        operation: "callers",
        target: { symbol: "leaf" },
        options: { depth: 1 }
      })
      assert.sameMembers(idsOf(direct["nodes"]), [
        "src/app.ts::app",
        "src/core.ts::middle",
        "src/core.ts::top",
        "src/core.ts::Square.area",
        "test/core.test.ts::checks"
      ])
      assert.include(pairsOf(direct["edges"]), "src/app.ts::app -> src/core.ts::leaf call src/app.ts:4")
      assert.include(pairsOf(direct["edges"]), "src/core.ts::leaf -> src/core.ts::leaf call src/core.ts:2")
      assert.strictEqual(direct["completeness"].complete, true)
      assert.strictEqual(direct["completeness"].bound, 6)
      assert.deepStrictEqual(direct["completeness"].by_tier, { resolved: 6 })
      assert.strictEqual(direct["completeness"].unbound_sites, 0)
      assert.deepStrictEqual(direct["freshness"], { state: "fresh" })
      const deep = yield* at.call("relations", {
        operation: "callers",
        target: { symbol: "leaf" },
        options: { depth: 3, exclude_tests: true }
      })
      assert.strictEqual(deep["excluded_tests"], 1)
      const depths = Object.fromEntries(deep["nodes"].map((n: Value) => [n["id"], n["depth"]]))
      assert.strictEqual(depths["src/core.ts::top"], 1)
      assert.strictEqual(depths["src/core.ts::Shape.describe"], undefined)
      assert.strictEqual(depths["src/app.ts"], 2)
      assert.isUndefined(depths["test/core.test.ts::checks"])
    })
  )
  it.scoped("never leaves a zero bare", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const none = yield* at.call("relations", { operation: "callers", target: { symbol: "unused" } })
      assert.strictEqual(none["total_nodes"], 0)
      assert.strictEqual(none["completeness"].complete, false)
      assert.strictEqual(none["completeness"].unbound_sites, 1)
      assert.deepStrictEqual(none["completeness"].unbound, [
        { file_path: "src/deep/dyn.ts", line: 3, kind: "call" }
      ])
      assert.strictEqual(none["completeness"].text_hits.total, 1)
      assert.deepStrictEqual(none["completeness"].text_hits.sites, [
        { file_path: "src/deep/dyn.ts", line: 3, text: "x.unused()" }
      ])
      assert.include(none["completeness"].reason, "unbound_sites")
    })
  )
  it.scoped("names the super type's method that calls may go through", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const value = yield* at.call("relations", { operation: "callers", target: { symbol: "Square.area" } })
      assert.deepStrictEqual(value["dispatched_through"], [{ id: "src/core.ts::Shape.area", uses: 1 }])
      assert.strictEqual(value["completeness"].complete, false)
    })
  )
  it.scoped("refuses a name of several definitions and a file", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const area = yield* at.refused("relations", { operation: "callers", target: { symbol: "area" } })
      assert.strictEqual(area.code, "invalid_argument")
      assert.sameMembers(candidateIds(area), [
        "src/core.ts::Shape.area",
        "src/core.ts::Square.area",
        "src/core.ts::Cube.area"
      ])
      assert.strictEqual(
        (yield* at.refused("relations", { operation: "callers", target: { symbol: "src/core.ts" } }))
          .reason_code,
        "file_not_symbol"
      )
      assert.strictEqual(
        (yield* at.refused("relations", { operation: "callers", target: { symbol: "nothing_here" } })).code,
        "symbol_not_found"
      )
    })
  )
  it.scoped("pages nodes with their edges, and clamps the limit", () =>
    Effect.gen(function* () {
      const many = Array.from({ length: 130 }, (_, i) => `export function c${i}() {\n  hub()\n}\n`).join("")
      const at = yield* served({
        "hub.ts": "export function hub() {}\n",
        "many.ts": `import { hub } from "./hub"\n${many}`
      })
      const seen: Array<string> = []
      const edges: Array<string> = []
      let cursor: string | undefined
      for (let calls = 0; calls < 100; calls++) {
        const value: Value = yield* at.call("relations", {
          operation: "callers",
          target: { symbol: "hub" },
          output: { max_bytes: 6000, ...(cursor === undefined ? {} : { cursor }) }
        })
        assert.strictEqual(value["total_nodes"], 130)
        seen.push(...idsOf(value["nodes"]))
        edges.push(...pairsOf(value["edges"]))
        for (const edge of value["edges"]) assert.include(idsOf(value["nodes"]), edge.from)
        cursor = value["next_cursor"]
        if (cursor === undefined) break
      }
      assert.strictEqual(new Set(seen).size, 130)
      assert.strictEqual(seen.length, 130)
      assert.strictEqual(new Set(edges).size, 130)
      const large = yield* at.call("relations", {
        operation: "callers",
        target: { symbol: "hub" },
        output: { limit: 100_000, max_bytes: 0 }
      })
      assert.strictEqual(large["nodes"].length, 130)
      const first: Value = yield* at.call("relations", {
        operation: "callers",
        target: { symbol: "hub" },
        output: { limit: 10 }
      })
      assert.strictEqual(first["nodes"].length, 10)
      at.write("more.ts", "import { hub } from './hub'\nhub()\n")
      const stale = yield* at.refused("relations", {
        operation: "callers",
        target: { symbol: "hub" },
        output: { limit: 10, cursor: first["next_cursor"] }
      })
      assert.strictEqual(stale.code, "stale_continuation")
    })
  )
  it.scoped("keeps overloads apart and says where a site is bound to several", () =>
    Effect.gen(function* () {
      const at = yield* served({
        "j/A.java":
          'package p.q;\npublic class A {\n  public int foo(int x) { return x; }\n  public int foo(String s) {\n    return foo(1);\n  }\n  void run() { foo("a"); }\n}\n',
        "o.ts":
          "export function over(a: string): void\nexport function over(a: number): void\nexport function over(a: any) {}\nover(1)\n"
      })
      const first = yield* at.call("relations", {
        operation: "callers",
        target: { symbol: "j/A.java::A.foo" },
        options: { depth: 1 }
      })
      const second = yield* at.call("relations", {
        operation: "callers",
        target: { symbol: "j/A.java::A.foo~2" },
        options: { depth: 1 }
      })
      for (const { completeness } of [first, second] as ReadonlyArray<Value>)
        assert.strictEqual(completeness.ambiguous ?? 0, completeness.bound === 2 ? 2 : 0)
      const typescript = yield* at.call("relations", { operation: "callers", target: { symbol: "over" } })
      assert.deepStrictEqual(idsOf(typescript["nodes"]), ["o.ts"])
    })
  )
  it.scoped("counts what a tier leaves out", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const exact = yield* at.call("relations", {
        operation: "callers",
        target: { symbol: "leaf" },
        options: { min_tier: "exact", depth: 1 }
      })
      assert.strictEqual(exact["total_nodes"], 0)
      assert.strictEqual(exact["below_min_tier"], 6)
      assert.strictEqual(exact["completeness"].complete, false)
      assert.include(exact["completeness"].reason, "hidden_edges")
    })
  )
})

describe("edges known by name only", () => {
  const guessed = {
    "a.ts":
      "export class Box {\n  unwrapped() { return 1 }\n}\nexport function sure(b: Box) {\n  return b.unwrapped()\n}\nexport function guess(x: any) {\n  return x.unwrapped()\n}\n"
  }
  it.scoped("hide once verified ones exist, and are counted", () =>
    Effect.gen(function* () {
      const at = yield* served(guessed)
      const value = yield* at.call("relations", { operation: "callers", target: { symbol: "Box.unwrapped" } })
      assert.deepStrictEqual(idsOf(value["nodes"]), ["a.ts::sure"])
      assert.strictEqual(value["text_matched_suppressed"], 1)
      assert.strictEqual(value["completeness"].complete, false)
      const every = yield* at.call("relations", {
        operation: "callers",
        target: { symbol: "Box.unwrapped" },
        options: { min_tier: "name" }
      })
      assert.sameMembers(idsOf(every["nodes"]), ["a.ts::sure", "a.ts::guess"])
      assert.isUndefined(every["text_matched_suppressed"])
      assert.strictEqual(every["completeness"].by_tier.name, 1)
      const speculative = yield* at.call("relations", {
        operation: "usages",
        target: { symbol: "Box.unwrapped" },
        options: { include_speculative: true }
      })
      assert.strictEqual(speculative["edges"].length, 2)
      const only = yield* served({ "a.ts": guessed["a.ts"].replace("return b.unwrapped()", "return b") })
      const verdict = yield* only.call("relations", {
        operation: "references",
        target: { symbol: "Box.unwrapped" }
      })
      assert.strictEqual(verdict["verdict"], "unknown")
      assert.strictEqual(verdict["reason"], "name_only_edges")
      assert.strictEqual(verdict["evidence"][0].tier, "name")
    })
  )
})

describe("relations.usages", () => {
  it.scoped("gives every site with its role", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const value = yield* at.call("relations", { target: { symbol: "Config" } })
      assert.deepStrictEqual(
        value["edges"].map((e: Value) => [e["line"], e["context"], e["from"]]),
        [
          [29, "parameter_type", "src/core.ts::use"],
          [29, "return_type", "src/core.ts::use"],
          [30, "generic_arg", "src/core.ts::use"]
        ]
      )
      assert.deepStrictEqual(value["usage_summary"], {
        uses: 3,
        files: 1,
        by_role: { parameter_type: 1, return_type: 1, generic_arg: 1 }
      })
      const one = yield* at.call("relations", {
        target: { symbol: "Config" },
        options: { context: "return_type" }
      })
      assert.strictEqual(one["edges"].length, 1)
      const renamed = yield* at.call("relations", {
        target: { symbol: "leaf" },
        options: { exclude_tests: true }
      })
      assert.include(
        renamed["edges"].map((e: Value) => e["as"]),
        "renamed"
      )
      assert.isAtLeast(renamed["excluded_tests"], 1)
      const grouped = yield* at.call("relations", {
        target: { symbol: "leaf" },
        options: { group_by: "file" }
      })
      assert.deepStrictEqual(
        grouped["files"].map((f: Value) => [f["file_path"], f["count"]]),
        [
          ["src/app.ts", 2],
          ["src/core.ts", 4],
          ["test/core.test.ts", 2]
        ]
      )
    })
  )
  it.scoped("keeps uses by what becomes of the result, and by the type around them", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const returned = yield* at.call("relations", {
        target: { symbol: "leaf" },
        options: { return_usage: "returned" }
      })
      assert.sameMembers(
        returned["edges"].map((e: Value) => e["from"]),
        ["src/core.ts::middle", "src/core.ts::Square.area"].concat(
          returned["edges"].some((e: Value) => e["line"] === 2) ? ["src/core.ts::leaf"] : []
        )
      )
      const inClass = yield* at.call("relations", {
        target: { symbol: "leaf" },
        options: { flavor: "class" }
      })
      assert.deepStrictEqual(
        inClass["edges"].map((e: Value) => e["from"]),
        ["src/core.ts::Square.area"]
      )
      const wrong = yield* at.refused("relations", {
        target: { symbol: "leaf" },
        options: { flavor: "gadget" }
      })
      assert.strictEqual(wrong.field, "options.flavor")
    })
  )
  it.scoped("pages sites to the end", () =>
    Effect.gen(function* () {
      const calls = Array.from({ length: 200 }, () => "  hub()\n").join("")
      const at = yield* served({
        "hub.ts": "export function hub() {}\n",
        "many.ts": `import { hub } from "./hub"\nexport function all() {\n${calls}}\n`
      })
      const lines: Array<number> = []
      let cursor: string | undefined
      do {
        const value: Value = yield* at.call("relations", {
          target: { symbol: "hub" },
          output: { max_bytes: 5000, ...(cursor === undefined ? {} : { cursor }) }
        })
        lines.push(...value["edges"].map((e: Value) => e["line"]))
        cursor = value["next_cursor"]
      } while (cursor !== undefined)
      assert.deepStrictEqual(lines, [1, ...Array.from({ length: 200 }, (_, i) => i + 3)])
    })
  )
})

describe("relations.dependencies and dependents", () => {
  it.scoped("follow a symbol outwards", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const value = yield* at.call("relations", {
        operation: "dependencies",
        target: { symbol: "app" },
        options: { depth: 2 }
      })
      const depths = Object.fromEntries(value["nodes"].map((n: Value) => [n["id"], n["depth"]]))
      assert.deepStrictEqual(depths, {
        "src/core.ts::leaf": 1,
        "src/core.ts::top": 1,
        "src/core.ts::middle": 2
      })
      assert.strictEqual(value["completeness"].complete, false)
      assert.include(value["completeness"].reason, "unresolved_names_are_not_listed")
    })
  )
  it.scoped("follow files, with modules of other packages by name", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const value = yield* at.call("relations", { operation: "dependencies", target: { file: "src/app.ts" } })
      assert.deepStrictEqual(idsOf(value["nodes"]), ["src/core.ts"])
      assert.strictEqual(value["edges"][0].sites, 4)
      assert.deepStrictEqual(value["external_modules"], ["node:fs"])
      const users = yield* at.call("relations", { operation: "dependents", target: { file: "src/core.ts" } })
      assert.sameMembers(idsOf(users["nodes"]), ["src/app.ts", "test/core.test.ts", "src/deep/dyn.ts"])
      // Only the name leads there, and the edge says so.
      assert.deepStrictEqual(
        users["edges"].filter((e: Value) => e["from"] === "src/deep/dyn.ts").map((e: Value) => e["tier"]),
        ["name"]
      )
      assert.strictEqual(users["lower_bound"], true)
      assert.include(
        users["boundaries"].map((b: Value) => b["name"]),
        "unused"
      )
      const missing = yield* at.refused("relations", {
        operation: "dependents",
        target: { file: "src/none.ts" }
      })
      assert.strictEqual(missing.code, "file_not_indexed")
      assert.strictEqual(
        (yield* at.refused("relations", { operation: "dependents", target: { file: "../x.ts" } })).code,
        "path_outside_root"
      )
    })
  )
  it.scoped("count the uses of members for their type, and say where they cannot see", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const value = yield* at.call("relations", {
        operation: "dependents",
        target: { symbol: "Shape" },
        options: { depth: 1 }
      })
      assert.include(idsOf(value["nodes"]), "src/core.ts::Square")
      const unused = yield* at.call("relations", { operation: "dependents", target: { symbol: "unused" } })
      assert.strictEqual(unused["lower_bound"], true)
      assert.deepStrictEqual(unused["boundaries"], [
        { name: "unused", unbound_sites: 1, sites: [{ file_path: "src/deep/dyn.ts", line: 3, kind: "call" }] }
      ])
      assert.strictEqual(unused["completeness"].text_hits.total, 1)
    })
  )
  it.scoped("show the neighbourhood in both directions", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const value = yield* at.call("relations", {
        operation: "cluster",
        target: { symbol: "middle" },
        options: { radius: 1 }
      })
      assert.sameMembers(idsOf(value["nodes"]), ["src/core.ts::leaf", "src/core.ts::top"])
      assert.strictEqual(value["method"], "neighbourhood")
    })
  )
})

describe("relations by inheritance", () => {
  const more = {
    "g/go.mod": "module example.com/shop\n",
    "g/store/store.go": `package store

type Store interface {
	Get(id string) (int, error)
	Put(a, b string)
}

type Base struct{}

func (b *Base) Put(a string, c string) {}

type Mem struct{ Base }

func (m *Mem) Get(id string) (int, error) {
	return 1, nil
}

type Half struct{}

func (h *Half) Get(id string) (int, error) { return 0, nil }

type Wrong struct{}

func (w Wrong) Get(id string, more int) (int, error) { return 0, nil }
func (w Wrong) Put(a, b string)                      {}

type Direct struct{}

func (d Direct) Get(id string) (int, error) { return 0, nil }
func (d Direct) Put(a, b string)            {}
`,
    "r/src/lib.rs":
      "pub trait Area {\n    fn area(&self) -> f64;\n}\npub struct Sq { s: f64 }\nimpl Area for Sq {\n    fn area(&self) -> f64 {\n        self.s\n    }\n}\n"
  }
  it.scoped("finds implementations declared and, in Go, by method sets", () =>
    Effect.gen(function* () {
      const at = yield* served({ ...files, ...more })
      const rust = yield* at.call("relations", { operation: "implementations", target: { symbol: "Area" } })
      assert.deepStrictEqual(
        rust["implementations"].map((i: Value) => [i["id"], i["how"], i["tier"]]),
        [["r/src/lib.rs::Sq", "implements", "resolved"]]
      )
      const go = yield* at.call("relations", {
        operation: "implementations",
        target: { symbol: "g/store/store.go::Store" }
      })
      assert.sameMembers(idsOf(go["implementations"]), ["g/store/store.go::Mem", "g/store/store.go::Direct"])
      for (const row of go["implementations"]) assert.strictEqual(row.tier, "inferred")
      const method = yield* at.call("relations", {
        operation: "implementations",
        target: { symbol: "g/store/store.go::Store.Get" }
      })
      assert.sameMembers(idsOf(method["implementations"]), [
        "g/store/store.go::Mem.Get",
        "g/store/store.go::Direct.Get"
      ])
      const certain = yield* at.call("relations", {
        operation: "implementations",
        target: { symbol: "g/store/store.go::Store" },
        options: { min_tier: "resolved" }
      })
      assert.strictEqual(certain["total"], 0)
      assert.strictEqual(certain["below_min_tier"], 2)
      assert.strictEqual(certain["completeness"].complete, false)
      const abstract = yield* at.call("relations", {
        operation: "implementations",
        target: { symbol: "Shape.area" }
      })
      assert.sameMembers(idsOf(abstract["implementations"]), [
        "src/core.ts::Square.area",
        "src/core.ts::Cube.area"
      ])
    })
  )
  it.scoped("finds overrides in both directions", () =>
    Effect.gen(function* () {
      const at = yield* served({ ...files, ...more })
      const down = yield* at.call("relations", { operation: "overrides", target: { symbol: "Shape.area" } })
      assert.deepStrictEqual(idsOf(down["overrides"]), ["src/core.ts::Square.area", "src/core.ts::Cube.area"])
      const up = yield* at.call("relations", {
        operation: "overrides",
        target: { symbol: "Cube.area" },
        options: { direction: "parents" }
      })
      assert.deepStrictEqual(idsOf(up["overridden"]), ["src/core.ts::Square.area", "src/core.ts::Shape.area"])
      const trait = yield* at.call("relations", { operation: "overrides", target: { symbol: "Area.area" } })
      assert.deepStrictEqual(idsOf(trait["overrides"]), ["r/src/lib.rs::Sq.area"])
      const go = yield* at.call("relations", {
        operation: "overrides",
        target: { symbol: "g/store/store.go::Direct.Put" },
        options: { direction: "parents" }
      })
      assert.deepStrictEqual(idsOf(go["overridden"]), ["g/store/store.go::Store.Put"])
      assert.strictEqual(
        (yield* at.refused("relations", { operation: "overrides", target: { symbol: "leaf" } })).reason_code,
        "not_a_member"
      )
    })
  )
  it.scoped("draws the hierarchy of a type and of a method", () =>
    Effect.gen(function* () {
      const at = yield* served({ ...files, ...more })
      const square = yield* at.call("relations", {
        operation: "hierarchy",
        target: { symbol: "Square" },
        options: { include_methods: true }
      })
      assert.deepStrictEqual(
        square["nodes"].map((n: Value) => [n["id"], n["depth"]]),
        [
          ["src/core.ts::Shape", -1],
          ["src/core.ts::Cube", 1]
        ]
      )
      assert.deepStrictEqual(
        square["edges"].map((e: Value) => [e["from"], e["to"], e["kind"]]),
        [
          ["src/core.ts::Square", "src/core.ts::Shape", "extends"],
          ["src/core.ts::Cube", "src/core.ts::Square", "extends"]
        ]
      )
      assert.deepStrictEqual(square["nodes"][1].members, [
        { id: "src/core.ts::Cube.area", kind: "method", line: 23, overrides: "src/core.ts::Square.area" }
      ])
      const up = yield* at.call("relations", {
        operation: "hierarchy",
        target: { symbol: "Cube" },
        options: { direction: "up", depth: 1 }
      })
      assert.deepStrictEqual(idsOf(up["nodes"]), ["src/core.ts::Square"])
      const method = yield* at.call("relations", {
        operation: "hierarchy",
        target: { symbol: "Square.area" }
      })
      assert.sameMembers(idsOf(method["nodes"]), ["src/core.ts::Shape.area", "src/core.ts::Cube.area"])
    })
  )
})

describe("relations.declaration", () => {
  it.scoped("leads from text to what it means, and says what it could not", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const value = yield* at.call("relations", { operation: "declaration", target: { query: "renamed(3)" } })
      assert.strictEqual(value["count"], 1)
      assert.strictEqual(value["declarations"][0].declaration.id, "src/core.ts::leaf")
      assert.deepStrictEqual(value["declarations"][0].use_sites, [
        { file_path: "src/app.ts", line: 4, text: "renamed(3)" }
      ])
      const regex = yield* at.call("relations", {
        operation: "declaration",
        target: { query: "middle\\(\\)$" },
        options: { regex: true, path_prefix: "src" }
      })
      assert.deepStrictEqual(
        regex["declarations"].map((d: Value) => d["declaration"].id),
        ["src/core.ts::middle"]
      )
      const unknown = yield* at.call("relations", {
        operation: "declaration",
        target: { query: "x.unused()" }
      })
      assert.strictEqual(unknown["count"], 0)
      assert.strictEqual(unknown["unresolved_count"], 1)
      const kinds = yield* at.call("relations", {
        operation: "declaration",
        target: { query: "renamed(3)" },
        options: { kind: "class" }
      })
      assert.strictEqual(kinds["count"], 0)
      assert.strictEqual(
        (yield* at.refused("relations", {
          operation: "declaration",
          target: { query: "(" },
          options: { regex: true }
        })).code,
        "invalid_pattern"
      )
    })
  )
})

describe("relations.references", () => {
  it.scoped("gives one verdict, and unknown where it is not known", () =>
    Effect.gen(function* () {
      const at = yield* served({ ...files, "src/lone.ts": "export function lonely() {\n  lonely()\n}\n" })
      const used = yield* at.call("relations", { operation: "references", target: { symbol: "leaf" } })
      assert.strictEqual(used["verdict"], "used")
      assert.strictEqual(used["referenced"], true)
      assert.strictEqual(used["caller_count"], 5)
      assert.strictEqual(used["own_references"], 1)
      assert.deepStrictEqual(used["importing_files"], ["src/app.ts", "test/core.test.ts"])
      const unused = yield* at.call("relations", { operation: "references", target: { symbol: "unused" } })
      assert.strictEqual(unused["verdict"], "unknown")
      assert.isUndefined(unused["referenced"])
      assert.include(unused["reason"], "unbound_sites")
      const config = yield* at.call("relations", {
        operation: "references",
        target: { symbol: "use" },
        options: { evidence_limit: 5 }
      })
      assert.strictEqual(config["total_references"], 0)
      const gone = yield* at.call("relations", {
        operation: "references",
        options: { name: "never_was_here" }
      })
      assert.strictEqual(gone["verdict"], "unused")
      assert.strictEqual(gone["defined"], false)
      const mentioned = yield* at.call("relations", {
        operation: "references",
        options: { name: "nothing_here" }
      })
      assert.strictEqual(mentioned["verdict"], "unknown")
      assert.strictEqual(mentioned["text_hits"].sites[0].file_path, "docs/readme.md")
      assert.strictEqual(
        (yield* at.refused("relations", { operation: "references", options: { name: "area" } })).reason_code,
        "ambiguous_symbol"
      )
    })
  )
  it.scoped("calls a symbol unused only when nothing points at it", () =>
    Effect.gen(function* () {
      const at = yield* served({
        "a.ts": "export function lonely() {}\nexport function other() {}\nother()\n"
      })
      const value = yield* at.call("relations", { operation: "references", target: { symbol: "lonely" } })
      assert.strictEqual(value["verdict"], "unused")
      assert.strictEqual(value["referenced"], false)
      assert.strictEqual(value["exported"], true)
      assert.strictEqual(value["completeness"].complete, true)
      assert.strictEqual(value["completeness"].text_hits.total, 0)
    })
  )
})

describe("relations.import_path", () => {
  const more = {
    "go.mod": "module example.com/shop\n\ngo 1.22\n",
    "pkg/store/store.go": "package store\n\ntype Store struct{}\n\nfunc New() *Store { return nil }\n",
    "cmd/main.go": 'package main\n\nimport "example.com/shop/pkg/store"\n\nfunc main() { store.New() }\n',
    "cmd/other.go": "package main\n\nfunc other() {}\n",
    "py/shop/__init__.py": "",
    "py/shop/cart/__init__.py": "",
    "py/shop/cart/items.py": "class Item:\n    pass\n",
    "py/shop/app.py": "import os\n",
    "rs/Cargo.toml": '[package]\nname = "shop-core"\nversion = "0.1.0"\n',
    "rs/src/lib.rs": "pub mod cart;\npub struct Root;\n",
    "rs/src/cart/mod.rs": "pub mod line;\npub struct Cart;\n",
    "rs/src/cart/line.rs": "pub struct Line;\n",
    "rs2/Cargo.toml": '[package]\nname = "web"\n',
    "rs2/src/main.rs": "fn main() {}\n",
    "java/src/main/java/p/q/Money.java":
      "package p.q;\npublic class Money {\n  public static class Part {}\n}\n",
    "java/src/main/java/p/r/Use.java": "package p.r;\npublic class Use {}\n",
    "c/include/vec.h": "int vec_len(int a);\n",
    "c/src/vec.c": '#include "../include/vec.h"\nint vec_len(int a) { return a; }\n',
    "c/src/main.c": "int main(void) { return 0; }\n",
    "web/a.ts": "export const alpha = 1\n",
    "web/lib/index.ts": "export default function lib() {}\nexport const beta = 1\n",
    "web/b.ts": 'import { alpha } from "./a.js"\nexport const b = alpha\n',
    "web/new/c.ts": 'import { x } from "./d"\n',
    "web/new/d.ts": "export const x = 1\n"
  }
  it.scoped("follows each language's way and what the project already writes", () =>
    Effect.gen(function* () {
      const at = yield* served(more)
      const path = (symbol: string, file: string) =>
        Effect.map(
          at.call("relations", { operation: "import_path", target: { symbol }, options: { path: file } }),
          (v) => [v["import_path"], v["already_imported"]]
        )
      assert.deepStrictEqual(yield* path("alpha", "web/b.ts"), ["./a.js", true])
      assert.deepStrictEqual(yield* path("beta", "web/b.ts"), ["./lib/index.js", false])
      assert.deepStrictEqual(yield* path("beta", "web/new/c.ts"), ["../lib", false])
      assert.deepStrictEqual(yield* path("alpha", "web/new/not_there_yet.ts"), ["../a.js", false])
      assert.deepStrictEqual(yield* path("pkg/store/store.go::Store", "cmd/main.go"), [
        "example.com/shop/pkg/store",
        true
      ])
      assert.deepStrictEqual(yield* path("pkg/store/store.go::Store", "cmd/other.go"), [
        "example.com/shop/pkg/store",
        false
      ])
      assert.deepStrictEqual(yield* path("other", "cmd/main.go"), ["example.com/shop/cmd", true])
      assert.deepStrictEqual(yield* path("Item", "py/shop/app.py"), ["shop.cart.items", false])
      assert.deepStrictEqual(yield* path("Line", "rs/src/lib.rs"), ["crate::cart::line::Line", false])
      assert.deepStrictEqual(yield* path("Cart", "rs2/src/main.rs"), ["shop_core::cart::Cart", false])
      assert.deepStrictEqual(yield* path("Root", "rs/src/cart/line.rs"), ["crate::Root", false])
      assert.deepStrictEqual(yield* path("Money", "java/src/main/java/p/r/Use.java"), ["p.q.Money", false])
      assert.deepStrictEqual(yield* path("Money.Part", "java/src/main/java/p/r/Use.java"), [
        "p.q.Money.Part",
        false
      ])
      assert.deepStrictEqual(yield* path("c/include/vec.h::vec_len", "c/src/main.c"), [
        "../include/vec.h",
        false
      ])
      assert.deepStrictEqual(yield* path("c/include/vec.h::vec_len", "c/src/vec.c"), [
        "../include/vec.h",
        true
      ])
      const other = yield* at.refused("relations", {
        operation: "import_path",
        target: { symbol: "Item" },
        options: { path: "web/b.ts" }
      })
      assert.strictEqual(other.reason_code, "other_language")
      const lib = yield* at.call("relations", {
        operation: "import_path",
        target: { symbol: "lib" },
        options: { path: "web/b.ts" }
      })
      assert.strictEqual(lib["statement"], 'import lib from "./lib/index.js"')
    })
  )
})
