import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, FastCheck } from "effect"
import { createHash } from "node:crypto"
import { symlinkSync } from "node:fs"
import { catalog as registry } from "../../../src/facades/index.ts"
import { CodeGraph } from "../../../src/services/CodeGraph.ts"
import { type Folder, served, type Value } from "./support.ts"

const blob = (text: string) =>
  createHash("sha1")
    .update(`blob ${Buffer.byteLength(text)}\0`)
    .update(text)
    .digest("hex")

const server = `import { load } from "./load.ts"

/** Adds a tool. */
export class Server {
  tools: string[] = []

  addTool(name: string): number {
    const before = this.tools.length
    this.tools.push(name)
    return before
  }

  remove(name: string): void {
    const at = this.tools.indexOf(name)
    if (at >= 0) {
      this.tools.splice(at, 1)
    }
  }
}

export function start(): Server {
  const server = new Server()
  server.addTool(load())
  return server
}
`
const files = {
  "src/server.ts": server,
  "src/load.ts": `export const load = () => "x"\n`,
  "app.py":
    "class A:\n    def long(self):\n        a = 1\n        b = 2\n        return a + b\n\n    def short(self):\n        return 1\n",
  "notes.xyz": "no language\r\nat all\r\n",
  "config/app.env": "NAME=portico\nAPI_KEY=sk_live_0123456789abcdefghij\n",
  "bin/data.bin": new Uint8Array([0, 1, 2, 0, 255, 254, 0, 0, 7, 9]),
  "empty.ts": ""
}

/** Follows continuations to the end and puts the windows together. A clipped line comes whole with the next answer. */
const exhaust = (at: Folder, args: Value, key = "content") =>
  Effect.gen(function* () {
    let text = ""
    let next: Value = args
    let calls = 0
    for (;;) {
      const value = yield* at.call("read", next)
      calls++
      if (value["truncated"]?.clipped_line === undefined) text += value[calls === 1 ? key : "content"]
      if (value["follow_up"] === undefined) return { text, calls }
      assert.strictEqual(value["follow_up"].follow_up_kind, "mechanically_followable")
      assert.isBelow(calls, 500)
      next = value["follow_up"].arguments
    }
  })

describe("read.file", () => {
  it.scoped("gives a whole file sparsely, with the fence an edit needs", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const value = yield* at.call("read", { target: { file: "src/server.ts" } })
      assert.deepStrictEqual(Object.keys(value).sort(), [
        "bytes",
        "content",
        "etag",
        "language",
        "path",
        "sha"
      ])
      assert.strictEqual(value["content"], server)
      assert.strictEqual(value["sha"], blob(server))
      assert.strictEqual(value["bytes"], Buffer.byteLength(server))
      assert.strictEqual(value["language"], "typescript")
      const absolute = yield* at.call("read", {
        operation: "file",
        target: { file: at.folder.at("src/server.ts") }
      })
      assert.deepStrictEqual(absolute, value)
      const empty = yield* at.call("read", { target: { file: "empty.ts" } })
      assert.strictEqual(empty["content"], "")
      assert.isUndefined(empty["window"])
    })
  )
  it.scoped("reads the representative window of lines", () =>
    Effect.gen(function* () {
      const lines = Array.from({ length: 300 }, (_, i) => `line ${i + 1}\n`)
      const at = yield* served({ "internal/mcp/server.go": lines.join("") })
      const value = yield* at.call("read", {
        operation: "file",
        target: { file: "internal/mcp/server.go" },
        context: { start_line: 100, end_line: 180 }
      })
      assert.strictEqual(value["content"], lines.slice(99, 180).join(""))
      assert.deepStrictEqual(value["window"], { start_line: 100, end_line: 180, total_lines: 300 })
      assert.isUndefined(value["follow_up"])
      const same = yield* at.call("read", {
        target: { file: "internal/mcp/server.go" },
        context: { compress_bodies: true },
        options: { offset: 100, limit: 80 },
        output: { max_bytes: 20000 }
      })
      assert.strictEqual(same["content"], lines.slice(99, 179).join(""))
      const one = yield* at.call("read", { target: { file: "internal/mcp/server.go" }, options: { line: 7 } })
      assert.strictEqual(one["content"], "line 7\n")
    })
  )
  it.scoped("reads what is not indexed, and keeps its line ends", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      yield* at.call("workspace", { operation: "graph" })
      const value = yield* at.call("read", { target: { file: "notes.xyz" } })
      assert.strictEqual(value["content"], "no language\r\nat all\r\n")
      assert.strictEqual(value["eol"], "crlf")
      assert.isUndefined(value["language"])
      at.write("late.ts", "export const late = 1\n")
      assert.strictEqual(
        (yield* at.call("read", { target: { file: "late.ts" } }))["content"],
        "export const late = 1\n"
      )
    })
  )
  it.scopedLive("does not wait for an index that is not there yet", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const never = Context.add(at.context, CodeGraph, {
        wide: Effect.never,
        view: Effect.never,
        sketch: () => Effect.never
      })
      const outcome = yield* Effect.provide(
        registry.lookup("read", "file")!.run({ target: { file: "src/load.ts" } }) as Effect.Effect<any>,
        never
      )
      assert.strictEqual(outcome.answer.value.content, files["src/load.ts"])
      assert.isUndefined(outcome.answer.value.language)
    })
  )
  it.scoped("tells missing, folder, outside, binary and behind the end apart", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      symlinkSync("/etc/hostname", at.folder.at("out.txt"))
      const code = (file: string, options: Value = {}) =>
        Effect.map(at.refused("read", { target: { file }, options }), (f) => f.code)
      assert.strictEqual(yield* code("src/nothing.ts"), "not_found")
      assert.strictEqual(yield* code("src"), "not_file")
      assert.strictEqual(yield* code("../../etc/passwd"), "path_outside_root")
      assert.strictEqual(yield* code("out.txt"), "path_outside_root")
      assert.strictEqual(yield* code("bin/data.bin"), "invalid_utf8")
      const behind = yield* at.refused("read", {
        target: { file: "src/server.ts" },
        options: { offset: 500 }
      })
      assert.strictEqual(behind.code, "invalid_argument")
      assert.strictEqual(behind.data?.["total_lines"], 25)
      const missing = yield* at.refused("read", { target: { file: "lib/server.ts" } })
      assert.deepStrictEqual(missing.recovery?.arguments, { operation: "files", query: "server.ts" })
    })
  )
  it.scoped("stubs bodies, keeps those asked for, and says how many went", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const value = yield* at.call("read", {
        target: { file: "src/server.ts" },
        context: { compress_bodies: true }
      })
      assert.strictEqual(value["bodies_elided"], 3)
      assert.include(value["content"], "  addTool(name: string): number {\n    // … 3 lines (8-10)\n  }\n")
      assert.notInclude(value["content"], "splice")
      const kept = yield* at.call("read", {
        target: { file: "src/server.ts" },
        context: { compress_bodies: true },
        options: { keep: "remove" }
      })
      assert.strictEqual(kept["bodies_elided"], 2)
      assert.include(kept["content"], "splice")
      assert.deepStrictEqual(kept["kept_symbols"], ["src/server.ts::Server.remove"])
      const python = yield* at.call("read", {
        target: { file: "app.py" },
        context: { compress_bodies: true }
      })
      assert.strictEqual(
        python["content"],
        "class A:\n    def long(self):\n        # … 3 lines (3-5)\n\n    def short(self):\n        return 1\n"
      )
      const rules = yield* at.call("read", {
        target: { file: "src/server.ts" },
        options: { fidelity_globs: "*.py:full, src/**:omit" }
      })
      assert.strictEqual(rules["omitted"], "fidelity_globs")
      assert.isUndefined(rules["content"])
      const wrong = yield* at.refused("read", {
        target: { file: "src/server.ts" },
        options: { fidelity_globs: "src/**:half" }
      })
      assert.strictEqual(wrong.field, "options.fidelity_globs")
      const unknown = yield* at.call("read", {
        target: { file: "notes.xyz" },
        context: { compress_bodies: true }
      })
      assert.strictEqual(unknown["not_compressed"], "no_language")
      assert.include(unknown["content"], "at all")
    })
  )
  it.scoped("folds leaf statements of long files", () =>
    Effect.gen(function* () {
      const body = Array.from({ length: 40 }, (_, i) => `  step(${i})\n`).join("")
      const at = yield* served({
        "a.ts": `export function step(n: number) { return n }\nexport function all() {\n${body}  if (step(1)) {\n    step(2)\n  }\n}\n`
      })
      const value = yield* at.call("read", { target: { file: "a.ts" }, context: { max_lines: 20 } })
      assert.strictEqual(value["statements_folded"], 1)
      assert.include(value["content"], "// … 40 lines folded (3-42)\n  if (step(1)) {\n    step(2)\n  }\n}\n")
    })
  )
  it.scoped("answers not_modified for the same answer only", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const { etag } = yield* at.call("read", { target: { file: "src/server.ts" } })
      const again = yield* at.call("read", {
        target: { file: "src/server.ts" },
        options: { if_none_match: etag }
      })
      assert.deepStrictEqual(again, { path: "src/server.ts", not_modified: true, etag })
      const window = yield* at.call("read", {
        target: { file: "src/server.ts" },
        options: { if_none_match: etag, offset: 2, limit: 3 }
      })
      assert.isUndefined(window["not_modified"])
      at.write("src/server.ts", server.replace("before", "earlier"))
      const changed = yield* at.call("read", {
        target: { file: "src/server.ts" },
        options: { if_none_match: etag }
      })
      assert.include(changed["content"], "earlier")
    })
  )
  it.scoped("masks secrets of configuration unless asked for them", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const masked = yield* at.call("read", { target: { file: "config/app.env" } })
      assert.notInclude(masked["content"], "0123456789abcdefghij")
      assert.strictEqual(masked["secrets_redacted"], 1)
      const open = yield* at.call("read", {
        target: { file: "config/app.env" },
        options: { allow_secrets: true }
      })
      assert.strictEqual(open["content"], files["config/app.env"])
    })
  )
  it.scoped("adds the hash of the bytes on disk on request, byte order marks included", () =>
    Effect.gen(function* () {
      const marked = Buffer.from("\uFEFFexport const a = 1\n", "utf8")
      const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("wide ü\n", "utf16le")])
      const at = yield* served({ ...files, "marked.ts": marked, "wide.txt": wide })
      for (const [path, bytes] of [
        ["marked.ts", marked],
        ["wide.txt", wide],
        ["src/server.ts", Buffer.from(server)]
      ] as const) {
        const value = yield* at.call("read", { target: { file: path }, options: { physical_evidence: true } })
        assert.deepStrictEqual(value["physical"], {
          sha256: createHash("sha256").update(bytes).digest("hex"),
          bytes: bytes.length
        })
      }
    })
  )
  it.scoped("prefers the session's overlay", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      yield* at.overlay(
        "s",
        { path: "src/load.ts", content: "export const load = () => 2\n", deleted: false },
        { path: "app.py", deleted: true }
      )
      const value = yield* at.call("read", { target: { file: "src/load.ts" } }, "s")
      assert.strictEqual(value["content"], "export const load = () => 2\n")
      assert.strictEqual(value["served_from"], "overlay")
      assert.strictEqual((yield* at.refused("read", { target: { file: "app.py" } }, "s")).code, "not_found")
      assert.strictEqual(
        (yield* at.call("read", { target: { file: "src/load.ts" } }))["content"],
        files["src/load.ts"]
      )
    })
  )
})

describe("a byte budget", () => {
  it.scoped("cuts at lines, names the cause, and is followed to the whole file", () =>
    Effect.gen(function* () {
      const text =
        Array.from(
          { length: 400 },
          (_, i) => `const value${i} = "ü\\t${"x".repeat(i % 90)}" // ${i}\r\n`
        ).join("") + "last line without end"
      const at = yield* served({ "big.ts": text })
      const first = yield* at.call("read", { target: { file: "big.ts" }, output: { max_bytes: 2000 } })
      assert.strictEqual(first["truncated"].cause, "max_bytes")
      assert.strictEqual(first["window"].start_line, 1)
      assert.strictEqual(first["window"].total_lines, 401)
      assert.strictEqual(first["truncated"].next_line, first["window"].end_line + 1)
      assert.isUndefined(first["_truncated_by_budget"])
      const { calls, text: whole } = yield* exhaust(at, {
        target: { file: "big.ts" },
        output: { max_bytes: 2000 }
      })
      assert.strictEqual(whole, text)
      assert.isAbove(calls, 10)
      const chars = yield* exhaust(at, { target: { file: "big.ts" }, options: { max_chars: 3000 } })
      assert.strictEqual(chars.text, text)
    })
  )
  it.scoped("keeps to the window asked for", () =>
    Effect.gen(function* () {
      const lines = Array.from({ length: 200 }, (_, i) => `${"y".repeat(50)} ${i}\n`)
      const at = yield* served({ "w.txt": lines.join("") })
      const { text } = yield* exhaust(at, {
        target: { file: "w.txt" },
        options: { offset: 20, limit: 100 },
        output: { max_bytes: 1500 }
      })
      assert.strictEqual(text, lines.slice(19, 119).join(""))
    })
  )
  it.scoped("shows the beginning of a line that is too long by itself, and gets it whole next", () =>
    Effect.gen(function* () {
      const text = `short\n${"z".repeat(9000)}\nend\n`
      const at = yield* served({ "long.txt": text })
      const second = yield* at.call("read", {
        target: { file: "long.txt" },
        options: { offset: 2 },
        output: { max_bytes: 2000 }
      })
      assert.strictEqual(second["truncated"].clipped_line.line, 2)
      assert.strictEqual(second["truncated"].clipped_line.bytes, 9001)
      assert.isAbove(second["content"].length, 500)
      assert.strictEqual(
        (yield* exhaust(at, { target: { file: "long.txt" }, output: { max_bytes: 2000 } })).text,
        text
      )
      assert.strictEqual(
        (yield* exhaust(at, { target: { file: "long.txt" }, options: { max_chars: 100 } })).text,
        text
      )
    })
  )
  it.scoped(
    "loses nothing of any text",
    () =>
      Effect.gen(function* () {
        const at = yield* served({ "p.txt": "" })
        const line = FastCheck.string({
          unit: FastCheck.constantFrom("a", "é", "😀", "\t", '"', "\\"),
          maxLength: 300
        })
        const cases = FastCheck.sample(
          FastCheck.tuple(
            FastCheck.array(FastCheck.tuple(line, FastCheck.constantFrom("\n", "\r\n")), { maxLength: 40 }),
            line,
            FastCheck.integer({ min: 900, max: 4000 })
          ),
          { numRuns: 25, seed: 7 }
        )
        for (const [lines, last, max_bytes] of cases) {
          const text = lines.map(([l, e]) => l + e).join("") + last
          at.write("p.txt", text)
          const { text: whole } = yield* exhaust(at, { target: { file: "p.txt" }, output: { max_bytes } })
          assert.strictEqual(whole, text)
        }
      }),
    30_000
  )
  it.scoped("resumes compressed files where it stopped", () =>
    Effect.gen(function* () {
      const text = Array.from(
        { length: 60 },
        (_, i) => `export function f${i}() {\n  const a = ${i}\n  const b = a\n  return b\n}\n`
      ).join("")
      const at = yield* served({ "c.ts": text })
      const whole = yield* at.call("read", { target: { file: "c.ts" }, context: { compress_bodies: true } })
      assert.strictEqual(whole["bodies_elided"], 60)
      const parts = yield* exhaust(at, {
        target: { file: "c.ts" },
        context: { compress_bodies: true },
        output: { max_bytes: 1500 }
      })
      assert.strictEqual(parts.text, whole["content"])
      assert.isAbove(parts.calls, 2)
    })
  )
})
