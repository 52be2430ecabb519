import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { served, type Value } from "../../read/support.ts"

const files = {
  "src/shop.ts": `// TODO(@ann): price of zero, see SHOP-12 by 2024-05-01
export function total(items: Array<number>): number {
  let sum = 0
  for (const item of items) {
    if (item > 0 && item < 100) sum += tax(item)
    else if (item > 1000) {
      for (const part of [item]) sum += part
    }
  }
  return sum
}
// NOTE: rates of this year
export function tax(item: number): number {
  return item > 10 ? item * 2 : item // FIXME rounding #7
}
export function never(item: number) { return tax(item) }
export function caller(item: number) {
  while (item > 0) item -= total([item])
  return never(item)
}
export function endless(): void { endless() }
export const note = "TODO in a string"
`,
  "src/long.ts": `import { total, tax, never, caller, endless } from "./shop.ts"
export function long(a: number) {
  total([a])
  tax(a)
  never(a)
  caller(a)
  endless()
  return a


















}
export const one = () => long(1)
export const two = () => long(2)
`,
  "src/deploy.yaml": "# HACK: until the cluster is new\nname: x\n",
  "docs/plan.md": "TODO write more\n\n<!-- TODO: publish -->\n",
  "test/shop.test.ts": `import { it } from "vitest"
import { total } from "../src/shop.ts"
it("adds", () => { total([1]) })
it("adds more", () => { total([2]); total([3]) })
`
}
const ids = (rows: ReadonlyArray<Value>) => rows.map(({ id }) => id as string)

describe("upkeep of one tree", () => {
  it.scoped("answers each kind with values worked out by hand", () =>
    Effect.gen(function* () {
      const at = yield* served(files, { git: true })
      const todos = yield* at.call("analyze", { kind: "todos" })
      assert.deepStrictEqual(
        (todos["todos"] as ReadonlyArray<Value>).map((row) => [row["id"], row["tag"], row["text"]]),
        [
          ["docs/plan.md:3", "TODO", "publish"],
          ["src/deploy.yaml:1", "HACK", "until the cluster is new"],
          ["src/shop.ts:1", "TODO", "price of zero, see SHOP-12 by 2024-05-01"],
          ["src/shop.ts:12", "NOTE", "rates of this year"],
          ["src/shop.ts:14", "FIXME", "rounding #7"]
        ]
      )
      const first = (todos["todos"] as ReadonlyArray<Value>)[2]!
      assert.deepStrictEqual(
        [first["assignee"], first["ticket"], first["due"]],
        ["ann", "SHOP-12", "2024-05-01"]
      )
      const assigned = yield* at.call("analyze", { kind: "todos", options: { has_assignee: true } })
      assert.strictEqual(assigned["total"], 1)
      const ticket = yield* at.call("analyze", { kind: "todos", options: { ticket: "#7", tag: "fixme" } })
      assert.deepStrictEqual(ids(ticket["todos"]), ["src/shop.ts:14"])
      const unknown = yield* at.refused("analyze", { kind: "todos", options: { tag: "LATER" } })
      assert.strictEqual(unknown.reason_code, "unknown_tag")

      const untested = yield* at.call("analyze", { kind: "untested" })
      assert.deepStrictEqual(
        (untested["untested"] as ReadonlyArray<Value>).map((row) => [row["id"], row["fan_in"]]),
        [
          ["src/long.ts::long", 2],
          ["src/shop.ts::never", 2],
          ["src/shop.ts::caller", 1],
          ["src/shop.ts::endless", 1],
          ["src/long.ts::one", 0],
          ["src/long.ts::two", 0]
        ]
      )
      // total is used by the tests and uses tax; the other six are not reached.
      assert.deepStrictEqual(
        [untested["total_candidates"], untested["total_uncovered"], untested["coverage_ratio"]],
        [8, 6, 0.25]
      )
      const wanted = yield* at.call("analyze", {
        kind: "untested",
        options: { min_fan_in: 2, path_prefix: "src/long.ts" }
      })
      assert.deepStrictEqual(ids(wanted["untested"]), ["src/long.ts::long"])
      const nowhere = yield* at.refused("analyze", { kind: "untested", options: { file_prefix: "lib" } })
      assert.strictEqual(nowhere.reason_code, "path_not_indexed")

      const edges = yield* at.call("analyze", { kind: "tests_as_edges" })
      assert.deepStrictEqual(
        (edges["rows"] as ReadonlyArray<Value>).map((row) => [row["id"], row["related"]]),
        [["src/shop.ts::total", ["test/shop.test.ts::adds", "test/shop.test.ts::adds more"]]]
      )
      assert.deepStrictEqual(edges["summary"], { test_edges: 2, tested_symbols: 1, test_functions: 2 })
      const byTest = yield* at.call("analyze", { kind: "tests_as_edges", options: { group_by: "test" } })
      assert.deepStrictEqual(ids(byTest["rows"]), ["test/shop.test.ts::adds", "test/shop.test.ts::adds more"])
      const odd = yield* at.refused("analyze", { kind: "tests_as_edges", options: { group_by: "file" } })
      assert.strictEqual(odd.code, "invalid_argument")

      const extraction = yield* at.call("analyze", { kind: "extraction" })
      assert.deepStrictEqual(
        (extraction["candidates"] as ReadonlyArray<Value>).map((row) => [
          row["id"],
          row["line_count"],
          row["caller_count"],
          row["fan_out"]
        ]),
        [["src/long.ts::long", 26, 2, 5]]
      )
      const strict = yield* at.call("analyze", { kind: "extraction", options: { min_lines: 27 } })
      assert.strictEqual(strict["total"], 0)

      const bottlenecks = yield* at.call("analyze", { kind: "bottlenecks" })
      const row = (name: string) =>
        (bottlenecks["functions"] as ReadonlyArray<Value>).find((each) => each["name"] === name)!
      // for 1, if 2, && 1, else if 1, inner for 3: eight; tax is called inside one loop and has none.
      assert.deepStrictEqual(
        ["cyclomatic", "cognitive", "loop_depth", "transitive_loop_depth", "recursive"].map(
          (key) => row("total")[key]
        ),
        [6, 8, 2, 2, false]
      )
      assert.deepStrictEqual(
        ["loop_depth", "transitive_loop_depth"].map((key) => row("caller")[key]),
        [1, 3]
      )
      assert.strictEqual(row("endless")["recursive"], true)
      assert.include(row("endless")["reasons"], "calls itself without a branch that ends it")
      const kind = yield* at.refused("analyze", { kind: "bottlenecks", options: { kinds: ["functoin"] } })
      assert.strictEqual(kind.reason_code, "unknown_kind")

      const health = yield* at.call("analyze", { kind: "health" })
      assert.strictEqual(health["symbol_count"], 8)
      assert.strictEqual(health["grade"], "A")
      // total: complexity 6 is 94.4 of 100, and nothing else costs it anything.
      assert.deepStrictEqual(
        (health["worst_symbols"] as ReadonlyArray<Value>)[0]!["score"],
        Math.round((0.6 * (100 - (5 * 10) / 9) + 40) * 10) / 10
      )

      const score = yield* at.call("analyze", { kind: "health_score", options: { min_axes: 3 } })
      assert.strictEqual(score["total"], 8)
      assert.deepStrictEqual(Object.keys(score["missing_axes"] as object), ["coverage"])
      assert.deepStrictEqual((score["symbols"] as ReadonlyArray<Value>)[0]!["axes_used"], [
        "complexity",
        "recency",
        "churn"
      ])
      const rolled = yield* at.call("analyze", { kind: "health_score", options: { roll_up: "file" } })
      assert.sameMembers(ids(rolled["rollup"]), ["src/shop.ts", "src/long.ts"])
      const all = yield* at.call("analyze", { kind: "health_score", options: { min_axes: 4 } })
      assert.deepStrictEqual([all["total"], all["too_few_axes"]], [0, 8])
      const grade = yield* at.refused("analyze", { kind: "health_score", options: { grade: ["e"] } })
      assert.strictEqual(grade.code, "invalid_argument")

      const unstamped = yield* at.refused("analyze", { kind: "coverage_gaps" })
      assert.strictEqual(unstamped.reason_code, "no_coverage")
      at.write(
        "lcov.info",
        "TN:\nSF:src/shop.ts\nDA:3,1\nDA:4,1\nDA:5,0\nDA:6,0\nDA:7,0\nDA:10,1\nDA:14,4\nDA:16,0\nDA:18,0\nDA:19,0\nend_of_record\n"
      )
      yield* at.call("workspace_admin", { operation: "coverage", arguments: { profile: "lcov.info" } })
      const gaps = yield* at.call("analyze", { kind: "coverage_gaps" })
      assert.deepStrictEqual(
        (gaps["gaps"] as ReadonlyArray<Value>).map((each) => [
          each["id"],
          each["coverage_pct"],
          each["hit"],
          each["num_stmt"]
        ]),
        [
          ["src/shop.ts::caller", 0, 0, 2],
          ["src/shop.ts::never", 0, 0, 1],
          ["src/shop.ts::total", 50, 3, 6]
        ]
      )
      const band = yield* at.refused("analyze", {
        kind: "coverage_gaps",
        options: { min_pct: 60, max_pct: 50 }
      })
      assert.strictEqual(band.reason_code, "empty_band")
      const summary = yield* at.call("analyze", { kind: "coverage_summary" })
      assert.deepStrictEqual(
        (summary["directories"] as ReadonlyArray<Value>).map((row): Value => ({ ...row, id: undefined })),
        [
          {
            id: undefined,
            dir: "src",
            symbols: 4,
            avg_pct: 37.5,
            statement_pct: 40,
            covered: 1,
            partial: 1,
            uncovered: 2
          }
        ]
      )
      const covered = yield* at.call("analyze", { kind: "health_score", options: { min_axes: 4 } })
      assert.strictEqual(covered["total"], 4)
      assert.isUndefined(covered["missing_axes"])
      const wrong = yield* at.refused("analyze", { kind: "coverage_summary", options: { kinds: ["thing"] } })
      assert.strictEqual(wrong.reason_code, "unknown_kind")
    })
  )

  it.scoped("says so when there is nothing to measure", () =>
    Effect.gen(function* () {
      const at = yield* served({ "readme.md": "# Nothing\n" })
      assert.strictEqual((yield* at.call("analyze", { kind: "health" }))["symbol_count"], 0)
      const untested = yield* at.call("analyze", { kind: "untested" })
      assert.strictEqual(untested["total_candidates"], 0)
      assert.isUndefined(untested["coverage_ratio"])
      assert.strictEqual((yield* at.call("analyze", { kind: "todos" }))["total"], 0)
    })
  )
})
