import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { chmodSync, existsSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { served, type Value } from "../../read/support.ts"

const modules = join(import.meta.dirname, "../../../../node_modules")
const source = "const kept = 1\ndebugger\nexport const shown = kept\n"

describe("analyze.lint", () => {
  it.scopedLive("runs the linters of a trusted workspace", () =>
    Effect.gen(function* () {
      const at = yield* served(
        { "src/a.ts": source, "src/b.py": "x = 1\n", "notes.txt": "x" },
        { trusted: true }
      )
      symlinkSync(modules, at.folder.at("node_modules"))
      const found = yield* at.call("analyze", {
        kind: "lint",
        options: { path: "src/a.ts", timeout_ms: 60000 }
      })
      assert.deepStrictEqual(
        (found["linters_ran"] as ReadonlyArray<Value>).map(({ linter, source: from }) => [linter, from]),
        [
          ["oxlint", "workspace"],
          ["biome", "workspace"]
        ]
      )
      const rules = (found["diagnostics"] as ReadonlyArray<Value>)
        .filter(({ line }) => line === 2)
        .map(({ column, rule }) => [rule, column])
      assert.deepInclude(rules, ["eslint/no-debugger", 1])
      assert.deepInclude(rules, ["lint/suspicious/noDebugger", 1])
      assert.strictEqual(found["healthy"], false)
      assert.deepStrictEqual(
        (found["linters_skipped"] as ReadonlyArray<Value>).map(({ linter, reason }) => [linter, reason]),
        [["eslint", "failed"]]
      )
      const clean = yield* at.call("analyze", {
        kind: "lint",
        options: { path: "src/a.ts", language: "json", timeout_ms: 60000 }
      })
      assert.strictEqual(clean["language"], "json")

      yield* at.overlay("s", { path: "src/a.ts", content: "export const fine = 1\n", deleted: false })
      const overlaid = yield* at.refused(
        "analyze",
        { kind: "lint", options: { path: "src/a.ts", timeout_ms: 60000 } },
        "s"
      )
      assert.strictEqual(overlaid.reason_code, "no_linter_ran")
      const absent = yield* at.refused("analyze", { kind: "lint", options: { path: "src/b.py" } })
      assert.strictEqual(absent.reason_code, "no_linter_ran")
      assert.match(absent.message, /ruff is neither in the workspace nor on PATH/)
      const language = yield* at.refused("analyze", { kind: "lint", options: { path: "notes.txt" } })
      assert.strictEqual(language.reason_code, "no_linter")
      const missing = yield* at.refused("analyze", { kind: "lint", options: { path: "src/c.ts" } })
      assert.strictEqual(missing.code, "not_found")
      const outside = yield* at.refused("analyze", { kind: "lint", options: { path: "../../etc/passwd" } })
      assert.strictEqual(outside.code, "path_outside_root")
    })
  )

  it.scopedLive("runs nothing of a workspace that is not trusted, and ends what does not end", () =>
    Effect.gen(function* () {
      const program = "#!/bin/sh\ntouch ran\nsleep 60\n"
      const files = { "a.ts": source, "node_modules/.bin/oxlint": program }
      const careful = yield* served(files)
      chmodSync(careful.folder.at("node_modules/.bin/oxlint"), 0o755)
      const refused = yield* careful.refused("analyze", { kind: "lint", options: { path: "a.ts" } })
      assert.strictEqual(refused.code, "capability_unavailable")
      assert.strictEqual(refused.reason_code, "workspace_not_trusted")
      assert.match(refused.message, /PORTICO_TRUST_WORKSPACE=1/)
      assert.isFalse(existsSync(careful.folder.at("ran")))

      const trusting = yield* served(files, { trusted: true })
      chmodSync(trusting.folder.at("node_modules/.bin/oxlint"), 0o755)
      const late = yield* trusting.refused("analyze", {
        kind: "lint",
        options: { path: "a.ts", timeout_ms: 300 }
      })
      assert.strictEqual(late.code, "timeout")
      assert.strictEqual(late.reason_code, "linter_timeout")
    })
  )
})
