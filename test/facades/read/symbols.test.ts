import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { OperationFailure } from "../../../src/registry/Failure.ts"
import { served, type Value } from "./support.ts"

const candidateIds = ({ data }: OperationFailure) =>
  ((data ?? {})["candidates"] as ReadonlyArray<Value>).map(({ id }) => id)

const files = {
  "src/server.ts": `import { load, Store } from "./load.ts"

/** Adds a tool. */
export class Server {
  tools: string[] = []

  addTool(name: string): number {
    const before = this.tools.length
    this.tools.push(name)
    return before
  }
}

export function start(): Server {
  const server = new Server()
  server.addTool(load())
  return server
}
`,
  "src/load.ts": `export const load = () => "x"
export class Store {
  get(id: string) {
    return id
  }
}
`,
  "src/main.ts": `import { start } from "./server.ts"\nexport const run = () => start()\n`,
  "j/A.java":
    "package p.q;\npublic class A {\n  public int foo(int x) { return x; }\n  public int foo(String s) {\n    return foo(1);\n  }\n}\n",
  "py/a.py": "class Store:\n    def get(self, id):\n        return id\n",
  "data.bin": new Uint8Array([0, 1, 0, 2])
}

describe("read.source", () => {
  it.scoped("gives one symbol with its lines, location and signature", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const value = yield* at.call("read", {
        target: { symbol: "Server.addTool" },
        context: { context_lines: 3 }
      })
      assert.strictEqual(value["id"], "src/server.ts::Server.addTool")
      assert.strictEqual(value["kind"], "method")
      assert.strictEqual(value["file_path"], "src/server.ts")
      assert.strictEqual(value["start_line"], 7)
      assert.strictEqual(value["end_line"], 11)
      assert.strictEqual(value["from_line"], 4)
      assert.strictEqual(value["signature"], "addTool(name: string): number")
      assert.strictEqual(value["source"], files["src/server.ts"].split("\n").slice(3, 14).join("\n") + "\n")
      const bare = yield* at.call("read", { target: { symbol: "addTool" }, context: { context_lines: 0 } })
      assert.strictEqual(bare["source"], files["src/server.ts"].split("\n").slice(6, 11).join("\n") + "\n")
      assert.isUndefined(bare["from_line"])
      const byId = yield* at.call("read", {
        operation: "get_symbol_source",
        target: { id: "src/server.ts::Server.addTool" },
        context: { context_lines: 0 }
      })
      assert.deepStrictEqual(byId, bare)
    })
  )
  it.scoped("never guesses: several definitions are refused with the candidates", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const several = yield* at.refused("read", { target: { symbol: "Store" } })
      assert.strictEqual(several.code, "invalid_argument")
      assert.strictEqual(several.reason_code, "ambiguous_symbol")
      assert.deepStrictEqual(several.data?.["candidates"], [
        { id: "py/a.py::Store", kind: "class", path: "py/a.py", line: 1, signature: "class Store" },
        {
          id: "src/load.ts::Store",
          kind: "class",
          path: "src/load.ts",
          line: 2,
          signature: "export class Store"
        }
      ])
      assert.strictEqual(several.recovery?.follow_up_kind, "fallback_recovery")
      const overloads = yield* at.refused("read", { target: { symbol: "A.foo" } })
      assert.deepStrictEqual(candidateIds(overloads), ["j/A.java::A.foo", "j/A.java::A.foo~2"])
      const second = yield* at.call("read", {
        target: { symbol: "j/A.java::A.foo~2" },
        context: { context_lines: 0 }
      })
      assert.strictEqual(second["start_line"], 4)
    })
  )
  it.scoped("says what is missing and why", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const id = yield* at.refused("read", { target: { symbol: "src/server.ts::Server.addTol" } })
      assert.strictEqual(id.code, "symbol_not_found")
      assert.include(id.data?.["suggestions"] as ReadonlyArray<string>, "src/server.ts::Server.addTool")
      const nowhere = yield* at.refused("read", { target: { symbol: "lib/none.ts::Server" } })
      assert.strictEqual(nowhere.code, "symbol_not_found")
      assert.include(nowhere.message, "lib/none.ts is not an indexed file")
      const binary = yield* at.refused("read", { target: { symbol: "data.bin::x" } })
      assert.strictEqual(binary.code, "symbol_not_indexed")
      const file = yield* at.refused("read", { target: { symbol: "src/server.ts" } })
      assert.strictEqual(file.reason_code, "file_not_symbol")
    })
  )
  it.scoped("follows an edit made a moment ago", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      yield* at.call("read", { target: { symbol: "start" } })
      at.write("src/server.ts", `// a new first line\n// and a second\n${files["src/server.ts"]}`)
      const value = yield* at.call("read", { target: { symbol: "start" }, context: { context_lines: 0 } })
      assert.strictEqual(value["start_line"], 16)
      assert.match(value["source"], /^export function start\(\): Server \{\n[^]*\}\n$/)
    })
  )
  it.scoped("shows a session the symbol where its overlay has it, and nobody else", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const asked = { target: { symbol: "start" } }
      const before = yield* at.call("read", asked)
      yield* at.overlay("s", {
        path: "src/server.ts",
        content: `// moved\n${files["src/server.ts"].replace("return server", "return  server")}`,
        deleted: false
      })
      const moved = yield* at.call("read", asked, "s")
      assert.strictEqual(moved["start_line"], before["start_line"] + 1)
      assert.strictEqual(moved["served_from"], "overlay")
      assert.notProperty(moved, "stale")
      assert.include(moved["source"], "return  server")
      assert.deepStrictEqual(yield* at.call("read", asked, "other"), before)
    })
  )
  it.scoped("cuts long sources and goes on to the end", () =>
    Effect.gen(function* () {
      const body = Array.from({ length: 300 }, (_, i) => `  use(${i}, "${"q".repeat(40)}")\n`).join("")
      const at = yield* served({
        "l.ts": `export function use(...a: unknown[]) { return a }\nexport function long() {\n${body}}\nexport const after = 1\n`
      })
      let next: Value = {
        target: { symbol: "long" },
        context: { context_lines: 0 },
        output: { max_bytes: 3000 }
      }
      let text = ""
      for (let calls = 0; calls < 100; calls++) {
        const value = yield* at.call("read", next)
        text += value["source"] ?? value["content"]
        if (value["follow_up"] === undefined) break
        next = value["follow_up"].arguments
      }
      assert.strictEqual(text, `export function long() {\n${body}}\n`)
    })
  )
  it.scoped("stubs nested bodies, not its own", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const value = yield* at.call("read", {
        target: { symbol: "Server" },
        context: { compress_bodies: true, context_lines: 0 }
      })
      assert.strictEqual(value["bodies_elided"], 1)
      assert.include(value["source"], "tools: string[] = []")
      assert.notInclude(value["source"], "this.tools.push")
    })
  )
})

describe("read.symbols", () => {
  it.scoped("answers row by row in the order asked, failures among them", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const value = yield* at.call("read", {
        target: { symbols: ["start", "nope.nope", "Store", "load"] },
        context: { context_lines: 0 }
      })
      const rows = value["symbols"] as ReadonlyArray<Value>
      assert.deepStrictEqual(
        rows.map((row) => row["id"] ?? row["error"].reason_code),
        ["src/server.ts::start", "symbol_not_found", "invalid_argument", "src/load.ts::load"]
      )
      assert.strictEqual(value["failed_count"], 2)
      assert.strictEqual(rows[2]?.["error"].candidates.length, 2)
      assert.deepStrictEqual(rows[0]?.["callers"], ["src/main.ts::run"])
      assert.sameMembers(rows[0]?.["callees"], [
        "src/server.ts::Server",
        "src/server.ts::Server.addTool",
        "src/load.ts::load"
      ])
      assert.match(rows[0]?.["source"], /^export function start/)
      const plain = yield* at.call("read", {
        target: { symbols: ["start"] },
        options: { include_source: false }
      })
      assert.isUndefined(plain["symbols"][0].source)
      assert.isUndefined(plain["failed_count"])
      assert.strictEqual(plain["symbols"][0].start_line, 14)
    })
  )
  it.scoped("drops whole rows over the budget, and the rest equals one large answer", () =>
    Effect.gen(function* () {
      const many = Array.from(
        { length: 40 },
        (_, i) => `export function f${i}() {\n  return "${"r".repeat(i === 20 ? 3000 : 60)}"\n}\n`
      ).join("")
      const at = yield* served({ "m.ts": many })
      const ids = Array.from({ length: 40 }, (_, i) => `m.ts::f${i}`)
      const whole = yield* at.call("read", {
        target: { symbols: ids },
        context: { context_lines: 0 },
        output: { max_bytes: 0 }
      })
      assert.strictEqual(whole["symbols"].length, 40)
      const rows: Array<Value> = []
      let next: Value = {
        target: { symbols: ids },
        context: { context_lines: 0 },
        output: { max_bytes: 4500 }
      }
      for (let calls = 0; calls < 60; calls++) {
        const value = yield* at.call("read", next)
        rows.push(...value["symbols"])
        if (value["next_index"] === undefined) break
        assert.strictEqual(value["returned_count"], value["next_index"])
        next = value["follow_up"].arguments
      }
      assert.deepStrictEqual(rows, whole["symbols"])
      const tight = yield* at.call("read", {
        target: { symbols: ["m.ts::f20"] },
        context: { context_lines: 0 },
        output: { max_bytes: 2000 }
      })
      assert.strictEqual(tight["symbols"][0].truncated.cause, "max_bytes")
      assert.isDefined(tight["symbols"][0].follow_up)
    })
  )
})

describe("read.summary and read.editing_context", () => {
  it.scoped("list what a file defines", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const value = yield* at.call("read", { operation: "summary", target: { file: "src/server.ts" } })
      assert.deepStrictEqual(
        value["nodes"].map((n: Value) => [n["id"], n["start_line"]]),
        [
          ["src/server.ts::Server", 4],
          ["src/server.ts::Server.tools", 5],
          ["src/server.ts::Server.addTool", 7],
          ["src/server.ts::start", 14]
        ]
      )
      assert.deepStrictEqual(value["imports"], ["./load.ts"])
      const held = yield* at.call("read", {
        operation: "summary",
        target: { file: "src/server.ts" },
        options: { if_none_match: value["etag"] }
      })
      assert.strictEqual(held["not_modified"], true)
      const none = yield* at.refused("read", { operation: "summary", target: { file: "src/none.ts" } })
      assert.strictEqual(none.code, "file_not_indexed")
    })
  )
  it.scoped("put together what an edit of a file has to know", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const value = yield* at.call("read", {
        operation: "editing_context",
        target: { file: "src/server.ts" }
      })
      assert.deepStrictEqual(value["imports"], [
        { module: "./load.ts", names: ["load", "Store"], file: "src/load.ts" }
      ])
      assert.deepStrictEqual(
        value["called_by"].map((n: Value) => n["id"]),
        ["src/main.ts::run"]
      )
      assert.deepStrictEqual(
        value["calls"].map((n: Value) => n["id"]),
        ["src/load.ts::load"]
      )
      assert.strictEqual(value["defines"].length, 4)
      assert.isUndefined(value["source_compressed"])
      const bySymbol = yield* at.call("read", {
        operation: "editing_context",
        target: { symbol: "start" },
        context: { compress_bodies: true }
      })
      assert.strictEqual(bySymbol["file"], "src/server.ts")
      assert.strictEqual(bySymbol["bodies_elided"], 2)
      assert.include(bySymbol["source_compressed"], "tools: string[] = []")
      assert.strictEqual(
        (yield* at.refused("read", { operation: "editing_context", target: { symbol: "Store" } })).code,
        "invalid_argument"
      )
    })
  )
})
