import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { served, type Value } from "../../read/support.ts"

const files = {
  "src/web.ts": `import { find } from "./store.ts"
export function handler(req: any, res: any) {
  const id = req.params.id
  const row = find(id)
  if (row === undefined) {
    return res.end("none")
  }
  res.end(row.name)
}
export abstract class Base { abstract go(): void }
`,
  "src/store.ts": `export class Cache {
  last = ""
  keep(value: string) {
    this.last = value
  }
  peek() {
    return run(this.last)
  }
}
const cache = new Cache()
export function find(key: string) {
  cache.keep(key)
  return run("select " + key, 1)
}
export function run(sql: string, limit = 10): any {
  return { name: sql, limit }
}
export const limit = 3
`,
  "notes.md": "# nothing\n"
}
const stepsOf = (path: Value) =>
  path["steps"].map((s: Value) => `${s["kind"]} ${s["file_path"]}:${s["line"]}`)

describe("trace.flow", () => {
  it.scoped("follows a parameter through calls, line by line, and through a field less surely", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const answer = yield* at.call("trace", {
        operation: "flow",
        target: { symbol: "src/web.ts::handler#req" },
        to: { symbol: "src/store.ts::run#sql" }
      })
      assert.strictEqual(answer["source_id"], "src/web.ts::handler#req")
      assert.strictEqual(answer["sink_id"], "src/store.ts::run#sql")
      assert.strictEqual(answer["total"], 2)
      const [first, second] = answer["paths"]
      assert.deepStrictEqual(first.ids, [
        "src/web.ts::handler#req",
        "src/web.ts::handler",
        "src/store.ts::find",
        "src/store.ts::run#sql"
      ])
      assert.deepStrictEqual(
        first.edges.map((e: Value) => `${e["kind"]} ${e["origin"]} ${e["tier"]}`),
        ["value src/web.ts:3 resolved", "arg_of src/store.ts:11 resolved", "arg_of src/store.ts:13 resolved"]
      )
      assert.deepStrictEqual(stepsOf(first), [
        "source src/web.ts:2",
        "load src/web.ts:3",
        "call src/web.ts:4",
        "argument src/store.ts:11",
        "sink src/store.ts:13"
      ])
      assert.strictEqual(first.confidence, 1)
      assert.strictEqual(second.tier, "inferred")
      assert.include(stepsOf(second), "sink src/store.ts:7")
      assert.isBelow(second.confidence, first.confidence)
      assert.strictEqual(answer["completeness"].complete, true)
      const limited = yield* at.call("trace", {
        operation: "flow",
        target: { symbol: "handler" },
        to: { symbol: "src/store.ts::run#limit" }
      })
      assert.strictEqual(limited["total"], 0)
      const short = yield* at.call("trace", {
        operation: "flow",
        target: { symbol: "src/web.ts::handler#req" },
        to: { symbol: "src/store.ts::run#sql" },
        options: { max_depth: 1 }
      })
      assert.strictEqual(short["total"], 1)
      assert.strictEqual(short["completeness"].complete, false)
      assert.include(short["completeness"].reasons[0], "max_depth")
      const field = yield* at.call("trace", {
        operation: "flow",
        target: { symbol: "src/web.ts::handler#req" },
        to: { symbol: "Cache.last" }
      })
      assert.strictEqual(field["total"], 1)
      const returned = yield* at.call("trace", {
        operation: "flow",
        target: { symbol: "find" },
        to: { symbol: "src/store.ts::run" }
      })
      assert.include(
        returned["paths"].map((p: Value) => p["starts"]),
        "parameter"
      )
      for (const [symbol, reason] of [
        ["nowhere", undefined],
        ["src/store.ts", "file_not_symbol"],
        ["find#other", "no_parameter"],
        ["Cache", "no_body"]
      ] as const) {
        const refused = yield* at.refused("trace", {
          operation: "flow",
          target: { symbol },
          to: { symbol: "find" }
        })
        if (reason === undefined) assert.strictEqual(refused.code, "symbol_not_found")
        else assert.strictEqual(refused.reason_code, reason, refused.message)
      }
    })
  )
})

describe("trace.taint", () => {
  it.scoped("tells the three zeros apart, keeps to paths, and says what stopped a value", () =>
    Effect.gen(function* () {
      const at = yield* served({
        "a/in.js": `import { exec as run } from "child_process"
export function one(req) {
  run(req.query.a)
  run(shellEscape(req.query.b))
}
`,
        "b/in.js": "export function two(req) {\n  send(req.query.a)\n}\n"
      })
      const ask = (source: string, sink: string, options: Value = {}) =>
        at.call("trace", { operation: "taint", target: { query: source }, to: { query: sink }, options })
      const found = yield* ask("req.query", "exact:child_process.exec")
      assert.strictEqual(found["total"], 1)
      assert.strictEqual(found["sources"], 3)
      assert.strictEqual(found["sinks"], 2)
      assert.strictEqual(found["findings"][0].source.name, "req.query")
      assert.strictEqual(found["findings"][0].sink.line, 3)
      assert.strictEqual(found["findings"][0].sink.in, "a/in.js::one")
      assert.strictEqual(found["stopped_by_sanitizers"], 1)
      assert.strictEqual(found["sanitizers_met"][0].name, "shellEscape")
      const trusting = yield* ask("req.query", "exact:child_process.exec", {
        sanitizers: ["nothing_like_it"]
      })
      assert.strictEqual(trusting["total"], 2)
      assert.strictEqual((yield* ask("req.query path:b/", "exact:exec path:a/"))["total"], 0)
      assert.match((yield* ask("req.query", "exact:unheard_of"))["none_because"], /sink pattern/)
      assert.match((yield* ask("unheard_of", "exact:send"))["none_because"], /source pattern/)
      assert.match((yield* ask("req.query path:a/", "exact:send"))["none_because"], /was seen to reach/)
      const parameters = yield* ask("kind:parameter exact:req", "exact:send")
      assert.strictEqual(parameters["findings"][0].paths[0].steps[0].line, 1)
      for (const [source, reason] of [
        ["path:a/", "no_words"],
        ["req kind:thing", "unknown_kind"],
        ["exact:", "empty_clause"],
        ["req arg:0", "invalid_clause"]
      ] as const)
        assert.strictEqual(
          (yield* at.refused("trace", {
            operation: "taint",
            target: { query: source },
            to: { query: "exec" }
          })).reason_code,
          reason
        )
    })
  )
  it.scoped("sees the texts a session has over the files", () =>
    Effect.gen(function* () {
      const at = yield* served({ "in.js": "export function one(req) {\n  exec('ls')\n}\n" })
      const ask = (session?: string) =>
        at.call(
          "trace",
          { operation: "taint", target: { query: "req.query" }, to: { query: "exact:exec" } },
          session
        )
      yield* at.overlay("s", {
        path: "in.js",
        content: "export function one(req) {\n  exec(req.query.cmd)\n}\n",
        deleted: false
      })
      assert.strictEqual((yield* ask("s"))["total"], 1)
      assert.strictEqual((yield* ask())["total"], 0)
    })
  )
})

describe("trace.cfg", () => {
  it.scoped("draws one function as data, as Mermaid and as a digraph", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const answer = yield* at.call("trace", {
        operation: "cfg",
        target: { symbol: "handler" },
        options: { mermaid: true, dot: true }
      })
      assert.strictEqual(answer["id"], "src/web.ts::handler")
      assert.strictEqual(answer["language"], "typescript")
      assert.deepStrictEqual([answer["start_line"], answer["end_line"]], [2, 9])
      assert.deepStrictEqual(
        answer["edges"].map((e: Value) => `${e["from"]} ${e["kind"]} ${e["to"]}`),
        ["0 next 1", "1 true 2", "1 false 3", "2 return 4", "3 next 4"]
      )
      assert.deepStrictEqual(
        answer["blocks"][1].statements.map((s: Value) => [
          s["line"],
          s["kind"],
          s["defs"] ?? [],
          s["uses"] ?? []
        ]),
        [
          [3, "declaration", ["id"], ["req"]],
          [4, "declaration", ["row"], ["find", "id"]],
          [5, "condition", [], ["row"]]
        ]
      )
      assert.deepStrictEqual(
        answer["def_use"].filter((d: Value) => d["var"] === "row").map((d: Value) => [d["line"], d["defs"]]),
        [
          [5, [3]],
          [8, [3]]
        ]
      )
      assert.strictEqual(answer["blocks"][3].dominator, 1)
      assert.include(answer["mermaid"], 'B0(["entry"])')
      assert.include(answer["mermaid"], "B1 -->|false| B3")
      assert.include(answer["dot"], 'B1 -> B2 [label="true"];')
      assert.strictEqual(answer["totals"].blocks, 5)
      const plain = yield* at.call("trace", { operation: "cfg", target: { symbol: "find" } })
      assert.isUndefined(plain["mermaid"])
      assert.isUndefined(plain["dot"])
      assert.strictEqual(
        (yield* at.refused("trace", { operation: "cfg", target: { symbol: "Base.go" } })).reason_code,
        "no_body"
      )
      assert.strictEqual(
        (yield* at.refused("trace", { operation: "cfg", target: { symbol: "src/store.ts::limit" } }))
          .reason_code,
        "no_body"
      )
      assert.strictEqual(
        (yield* at.refused("trace", { operation: "cfg", target: { symbol: "absent" } })).code,
        "symbol_not_found"
      )
    })
  )
})
