import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { served, type Value } from "../read/support.ts"

const files = {
  "src/price.ts": "export const price = (n: number) => n * 2\n",
  "src/cart.ts":
    'import { price } from "./price.ts"\n\nexport function total(items: number[]) {\n  return items.map((n) => price(n))\n}\n',
  "src/old.ts": "export const old = 1\n"
}
const push = (path: string, content: string) => ({ operation: "push", arguments: { path, content } })

const paths = (rows: ReadonlyArray<Value>, key = "file_path") => rows.map((row) => row[key]).sort()

describe("an overlay", () => {
  it.scoped(
    "takes no file that is never written from one: secrets, folders, git's own, and other places",
    () =>
      Effect.gen(function* () {
        const at = yield* served({ ...files, ".env": "KEY=1\n" })
        for (const [path, code] of [
          [".env", "sensitive_path"],
          [".env.local", "sensitive_path"],
          ["deploy/id_rsa", "sensitive_path"],
          ["keys/server.pem", "sensitive_path"],
          [".git/hooks/pre-commit", "sensitive_path"],
          ["src", "not_file"],
          ["../out.ts", "path_outside_root"]
        ] as const)
          for (const rest of [{ content: "x\n" }, { deleted: true }]) {
            const refused = yield* at.refused(
              "overlay",
              { operation: "push", arguments: { path, ...rest } },
              "s"
            )
            assert.deepStrictEqual(
              [path, refused.code, refused.field, refused.state_changed],
              [path, code, "arguments.path", false]
            )
          }
        const branches = yield* at.call("change", { operation: "overlay_branches" }, "s")
        assert.strictEqual(branches["branches"][0]["file_count"], 0)
        // A template of one is a text like any other.
        yield* at.call("overlay", push(".env.example", "KEY=\n"), "s")
      })
  )

  it.scoped("is what its session reads, searches and asks about, and nobody else", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      yield* at.call(
        "overlay",
        push(
          "src/tax.ts",
          'import { price } from "./price.ts"\nexport const taxed = (n: number) => price(n) * 1.2\n'
        ),
        "s"
      )
      yield* at.call(
        "overlay",
        push("src/price.ts", "// doubled\nexport const price = (n: number) => n * 3\n"),
        "s"
      )
      yield* at.call("overlay", { operation: "push", arguments: { path: "src/old.ts", deleted: true } }, "s")
      const ask = (session: string | undefined) =>
        Effect.gen(function* () {
          const callers = yield* at.call(
            "relations",
            { operation: "callers", target: { symbol: "price" } },
            session
          )
          const symbols = yield* at.call("search", { operation: "symbols", query: "taxed" }, session)
          const text = yield* at.call("search", { operation: "text", query: "doubled" }, session)
          const read = yield* at.call("read", { target: { symbol: "price" } }, session)
          const old = yield* at.call("search", { operation: "files", query: "old.ts" }, session)
          return {
            callers: callers["nodes"].map((row: Value) => row["name"]).sort(),
            symbols: symbols["results"].map((row: Value) => row["id"]),
            text: text["total"] ?? text["matches"].length,
            line: read["start_line"],
            old: paths(old["files"], "path")
          }
        })
      assert.deepStrictEqual(yield* ask("s"), {
        callers: ["taxed", "total"],
        symbols: ["src/tax.ts::taxed"],
        text: 1,
        line: 2,
        old: []
      })
      for (const other of ["t", undefined]) {
        assert.deepStrictEqual(yield* ask(other), {
          callers: ["total"],
          symbols: [],
          text: 0,
          line: 1,
          old: ["src/old.ts"]
        })
      }
      assert.strictEqual(readFileSync(at.folder.at("src/price.ts"), "utf8"), files["src/price.ts"])
    })
  )

  it.scoped("fails its session's reads once a file it was made from has changed on disk", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const read = yield* at.call("read", { target: { file: "src/price.ts" } }, "s")
      yield* at.call(
        "overlay",
        {
          operation: "push",
          arguments: { path: "src/price.ts", content: "export const price = 1\n", base_sha: read["sha"] }
        },
        "s"
      )
      assert.strictEqual(
        (yield* at.call("search", { operation: "symbols", query: "price" }, "s"))["results"].length,
        1
      )
      at.write("src/price.ts", "export const price = 5\n")
      const refused = yield* at.refused("search", { operation: "symbols", query: "price" }, "s")
      assert.strictEqual(refused.code, "overlay_drift")
      assert.include(refused.message, "src/price.ts")
      yield* at.call("overlay", { operation: "delete", arguments: { path: "src/price.ts" } }, "s")
      yield* at.call("search", { operation: "symbols", query: "price" }, "s")
    })
  )

  it.scoped("refuses content beside a deletion, neither, paths outside and ids that are none", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const refused = (args: Value) => at.refused("overlay", { operation: "push", arguments: args }, "s")
      for (const [args, code, field] of [
        [{ path: "a.ts", content: "x", deleted: true }, "invalid_argument", "arguments.content"],
        [{ path: "a.ts" }, "invalid_argument", "arguments.content"],
        [{ path: "../a.ts", content: "x" }, "path_outside_root", "arguments.path"],
        [{ path: "a.ts", content: "x", base_sha: "abc" }, "invalid_argument", "arguments.path"]
      ] as const) {
        const failure = yield* refused(args)
        assert.deepStrictEqual([failure.code, failure.field, failure.state_changed], [code, field, false])
      }
      assert.strictEqual((yield* at.call("change", { operation: "overlay_state" }, "s"))["count"], 0)
    })
  )

  it.scoped("needs a session", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const failure = yield* at.refused("overlay", push("a.ts", ""))
      assert.deepStrictEqual(
        [failure.code, failure.reason_code],
        ["capability_unavailable", "session_unknown"]
      )
    })
  )

  it.scoped("has branches that are switched, compared, merged and listed", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      yield* at.call("overlay", { operation: "fork", arguments: { name: "try", activate: true } }, "s")
      yield* at.call("overlay", push("src/cart.ts", "export function total() {\n  return 0\n}\n"), "s")
      const callers = { symbol: "src/price.ts::price" }
      const compared = yield* at.call(
        "change",
        {
          operation: "compare_branches",
          target: callers,
          options: { a: "main", b: "try", kind: "get_callers" }
        },
        "s"
      )
      assert.deepStrictEqual(compared["delta"], { only_in_a: ["src/cart.ts::total"], only_in_b: [] })
      const overlaid = yield* at.call(
        "change",
        { operation: "compare_overlay", target: callers, options: { kind: "find_usages" } },
        "s"
      )
      assert.deepStrictEqual(overlaid["delta"]["removed"].includes("src/cart.ts::total"), true)
      assert.deepStrictEqual(overlaid["overlay_paths"], ["src/cart.ts"])
      yield* at.call("overlay", { operation: "switch", arguments: { name: "main" } }, "s")
      const merged = yield* at.call("overlay", { operation: "merge", arguments: { from: "try" } }, "s")
      assert.deepStrictEqual([merged["into"], merged["merged"]], ["main", ["src/cart.ts"]])
      const branches = yield* at.call("change", { operation: "overlay_branches" }, "s")
      assert.deepStrictEqual(
        branches["branches"].map((b: Value) => [b["name"], b["active"], b["file_count"]]),
        [
          ["main", true, 1],
          ["try", false, 1]
        ]
      )
      const unknown = yield* at.refused(
        "overlay",
        { operation: "switch", arguments: { name: "nowhere" } },
        "s"
      )
      assert.deepStrictEqual([unknown.code, unknown.field], ["not_found", "arguments.name"])
      yield* at.call("overlay", { operation: "drop" }, "s")
      assert.strictEqual((yield* at.call("change", { operation: "overlay_state" }, "s"))["count"], 0)
    })
  )
})
