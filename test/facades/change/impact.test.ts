import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { riskOf } from "../../../src/facades/change/Affected.ts"
import { served, type Value } from "../read/support.ts"

const files = {
  "src/core.ts": `export function leaf(n: number): number {
  return n > 0 ? leaf(n - 1) : 0
}
export function middle() {
  const inner = () => leaf(1)
  return inner()
}
export const top = () => middle()
export const apex = () => top()
export const beyond = () => apex()
export abstract class Shape {
  abstract area(): number
  describe() {
    return this.area()
  }
}
export class Square extends Shape {
  area() {
    return 4
  }
}
export class Cube extends Square {
  area() {
    return 6
  }
}
export function unused() {}
`,
  "src/barrel.ts": `export { unused } from "./core.ts"\n`,
  "src/dyn.ts": "export function dyn(x: any) {\n  x.leaf()\n}\n",
  "test/core.test.ts": `import { test } from "vitest"
import { leaf } from "../src/core.ts"
test("leaf", () => { leaf(9) })
`
}

describe("change.impact", () => {
  it("sorts by what is reached directly and beyond", () => {
    const at = (direct: number, transitive: number) => riskOf(direct, transitive)
    assert.deepStrictEqual(
      [
        at(10, 0),
        at(5, 20),
        at(9, 19),
        at(4, 10),
        at(5, 0),
        at(4, 9),
        at(2, 0),
        at(1, 5),
        at(1, 4),
        at(0, 0)
      ],
      ["CRITICAL", "CRITICAL", "HIGH", "HIGH", "HIGH", "MEDIUM", "MEDIUM", "MEDIUM", "LOW", "LOW"]
    )
  })

  it.scoped("walks three edges, lifts what is local to a body, and counts all it found", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const value = yield* at.call("change", { operation: "impact", target: { symbol: "src/core.ts::leaf" } })
      const ids = (depth: string) => (value["by_depth"][depth] as ReadonlyArray<Value>).map(({ id }) => id)
      assert.sameMembers(ids("1"), ["src/core.ts::middle", "test/core.test.ts::leaf"])
      assert.deepStrictEqual(ids("2"), ["src/core.ts::top"])
      assert.deepStrictEqual(ids("3"), ["src/core.ts::apex"])
      assert.deepStrictEqual(value["by_depth_counts"], { 1: 2, 2: 1, 3: 1 })
      assert.strictEqual(value["total_affected"], 4)
      assert.strictEqual(value["risk"], "MEDIUM")
      assert.deepStrictEqual(value["test_files"], ["test/core.test.ts"])
      assert.strictEqual(value["by_depth"]["2"][0].via, "src/core.ts::middle")
      assert.strictEqual(value["by_depth"]["1"][0].tier, "resolved")
      // `x.leaf()` may mean it.
      assert.deepStrictEqual(value["boundaries"], [
        { name: "leaf", unbound_sites: 1, sites: [{ file_path: "src/dyn.ts", line: 2, kind: "call" }] }
      ])
      assert.strictEqual(value["lower_bound"], true)
      assert.strictEqual(value["complete"], false)
    })
  )

  it.scoped(
    "gives one symbol and a batch of one the same answer, whichever way it is sent, again and again",
    () =>
      Effect.gen(function* () {
        const at = yield* served(files)
        const rest = (value: Value) => ({ ...value, symbol: undefined, symbols: undefined })
        const one = yield* at.call("change", { operation: "impact", target: { symbol: "src/core.ts::leaf" } })
        for (let i = 0; i < 3; i++) {
          const batch = yield* at.call("change", {
            operation: "impact",
            target: { symbols: ["src/core.ts::leaf"] }
          })
          const listed = yield* at.call("change", {
            operation: "impact",
            source: { ids: ["src/core.ts::leaf"] }
          })
          assert.deepStrictEqual(rest(batch), rest(one))
          assert.deepStrictEqual(rest(listed), rest(one))
        }
      })
  )

  it.scoped("follows calls through super types, and members that take its place", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const square = yield* at.call("change", {
        operation: "impact",
        target: { symbol: "src/core.ts::Square.area" }
      })
      const rows = (square["by_depth"]["1"] as ReadonlyArray<Value>).map(({ how, id, tier }) => [
        id,
        how,
        tier
      ])
      assert.deepInclude(rows, ["src/core.ts::Cube.area", "overrides", "resolved"])
      assert.deepInclude(rows, ["src/core.ts::Shape.describe", undefined, "inferred"])
    })
  )

  it.scoped("never leaves a zero bare", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const value = yield* at.call("change", {
        operation: "impact",
        target: { symbol: "src/core.ts::beyond" }
      })
      assert.strictEqual(value["total_affected"], 0)
      assert.strictEqual(value["risk"], "LOW")
      assert.include(value["zero_impact_caveat"], "no proof")
      assert.include(value["zero_impact_caveat"], "exported")
      const passed = yield* at.call("change", {
        operation: "impact",
        target: { symbol: "src/core.ts::unused" }
      })
      assert.deepStrictEqual(
        passed["by_depth"]["1"].map(({ how, id }: Value) => [id, how]),
        [["src/barrel.ts", "imports"]]
      )
    })
  )

  it.scoped("takes a file for all that it defines, and drops the rows when only counts are wanted", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const value = yield* at.call("change", {
        operation: "impact",
        target: { file: "src/core.ts" },
        output: { summary_only: true }
      })
      assert.isUndefined(value["by_depth"])
      assert.deepStrictEqual(value["by_depth_counts"], { 1: 2, 2: 0, 3: 0 })
    })
  )

  it.scoped("fails for what it cannot resolve", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const symbol = yield* at.refused("change", {
        operation: "impact",
        target: { symbols: ["leaf", "nowhere"] }
      })
      assert.deepStrictEqual([symbol.code, symbol.field], ["symbol_not_found", "target.symbols[1]"])
      const none = yield* at.refused("change", { operation: "impact", target: { symbol: "nowhere" } })
      assert.deepStrictEqual([none.code, none.field], ["symbol_not_found", "target.symbol"])
      const file = yield* at.refused("change", { operation: "impact", target: { file: "src/none.ts" } })
      assert.strictEqual(file.code, "file_not_indexed")
    })
  )
})

describe("change.edit_plan", () => {
  it.scoped("puts definitions first, what uses them after, and tests last", () =>
    Effect.gen(function* () {
      const at = yield* served({
        "package.json": `{"devDependencies":{"vitest":"3"}}`,
        "src/a.ts": "export const base = () => 1\n",
        "src/b.ts": `import { base } from "./a.ts"\nexport const mid = () => base()\n`,
        "src/c.ts": `import { mid } from "./b.ts"\nexport const high = () => mid()\n`,
        "src/a.test.ts": `import { test } from "vitest"\nimport { base } from "./a.ts"\ntest("base", () => { base() })\n`
      })
      const value = yield* at.call("change", { operation: "edit_plan", target: { symbol: "base" } })
      assert.deepStrictEqual(
        value["edit_order"].map(({ file, order, reason }: Value) => [order, file, reason]),
        [
          [1, "src/a.ts", "defines what changes"],
          [2, "src/b.ts", "uses what changes"],
          [3, "src/c.ts", "is 2 edges from what changes"],
          [4, "src/a.test.ts", "tests what changes"]
        ]
      )
      assert.deepStrictEqual(value["test_after"], ["src/a.test.ts"])
      assert.deepStrictEqual(value["run_commands"], ["npx vitest run src/a.test.ts"])
    })
  )
})

describe("change.pattern", () => {
  it.scoped("shows an example with its kin, where it is entered, and its tests", () =>
    Effect.gen(function* () {
      const at = yield* served({
        "src/handlers.ts": `/** Makes. */
export function createHandler() {
  return 1
}
export function deleteHandler() {
  return 2
}
export function helper() {}
`,
        "src/table.ts": `import { createHandler } from "./handlers.ts"\nexport const table = [createHandler]\n`,
        "src/handlers.test.ts": `import { test } from "vitest"\nimport { createHandler } from "./handlers.ts"\ntest("creates", () => { createHandler() })\n`
      })
      const value = yield* at.call("change", {
        operation: "pattern",
        target: { symbol: "createHandler" },
        options: { max_source_lines: 2 }
      })
      assert.strictEqual(value["example_source"], "export function createHandler() {\n  return 1")
      assert.strictEqual(value["source_lines"], 3)
      assert.strictEqual(value["siblings"][0].id, "src/handlers.ts::deleteHandler")
      assert.deepStrictEqual(
        value["registration"].map(({ file_path, kind, line }: Value) => [file_path, line, kind]),
        [
          ["src/table.ts", 1, "import"],
          ["src/table.ts", 2, "read"]
        ]
      )
      assert.deepStrictEqual(value["test_patterns"][0].file, "src/handlers.test.ts")
      assert.deepStrictEqual(value["files_to_edit"], [
        "src/handlers.ts",
        "src/table.ts",
        "src/handlers.test.ts"
      ])
    })
  )
})

describe("change.api_impact", () => {
  const app = {
    "src/app.ts": `import { Hono } from "hono"
import { listUsers } from "./users.ts"
const app = new Hono()
app.get("/users/:id", listUsers)
app.post("/users", (c) => c.json(save()))
function save() { return 1 }
`,
    "src/users.ts": "export const listUsers = () => format()\nexport const format = () => 1\n",
    "src/client.ts": `export const load = () => fetch("https://api.example.org/users/7")\n`
  }
  it.scoped("names the handler of a route, what reaches it and who asks for it", () =>
    Effect.gen(function* () {
      const at = yield* served(app)
      const value = yield* at.call("change", { operation: "api_impact", options: { route: "/users/:id" } })
      assert.strictEqual(value["total"], 1)
      const [route] = value["routes"]
      assert.deepStrictEqual([route.route, route.method, route.line], ["/users/:id", "GET", 4])
      assert.strictEqual(route.handler.id, "src/users.ts::listUsers")
      assert.deepStrictEqual(
        route.consumers.map(({ file_path, text }: Value) => [file_path, text]),
        [["src/client.ts", "https://api.example.org/users/7"]]
      )
      assert.isString(route.risk)
    })
  )
  it.scoped("refuses a route that nobody serves, with those there are", () =>
    Effect.gen(function* () {
      const at = yield* served(app)
      const refused = yield* at.refused("change", { operation: "api_impact", options: { route: "/orders" } })
      assert.deepStrictEqual([refused.code, refused.reason_code], ["not_found", "route_not_found"])
      assert.sameMembers((refused.data as Value)["known_routes"], ["/users/:id", "/users"])
    })
  )
})
