import { assert, describe, it } from "@effect/vitest"
import { Context, Effect } from "effect"
import { catalog as registry } from "../../../src/facades/index.ts"
import type { Registry } from "../../../src/registry/Registry.ts"
import { ServiceFailure } from "../../../src/services/ServiceFailure.ts"
import { WorkspaceView } from "../../../src/services/WorkspaceView.ts"
import { byteLength } from "../../../src/registry/Json.ts"
import { Progress } from "../../../src/registry/Progress.ts"
import { served, type Value } from "../read/support.ts"

const catalog: Registry.Any = registry
const files = {
  "src/a.ts": "export class A {\n  run() {}\n}\nnew A().run()\n",
  "src/b.py": "def b():\n    return b()\n",
  "logo.png": new Uint8Array([137, 80, 78, 71, 0, 1]),
  "sub/c.ts": "export const c = 1\n"
}

describe("workspace", () => {
  it.scoped("says briefly where it is, and everything on request", () =>
    Effect.gen(function* () {
      const at = yield* served(files, { git: true })
      const brief = yield* at.call("workspace", {})
      const name = at.folder.path.slice(at.folder.path.lastIndexOf("/") + 1)
      assert.deepStrictEqual(brief, {
        mode: "single_repository",
        workspace: name,
        members: [{ name, root: ".", kind: "git", branch: "main" }]
      })
      const full = yield* at.call("workspace", { operation: "info", arguments: { compact: false } })
      assert.match(full["members"][0].head, /^[0-9a-f]{40}$/)
      assert.strictEqual(full["index"].state, "ready")
      assert.isFalse(JSON.stringify(full).includes(at.folder.path))
      assert.deepStrictEqual(yield* at.call("workspace", { operation: "repos" }), {
        mode: "single_repository",
        workspace: name,
        repos: [{ name, root: "." }]
      })
      assert.deepStrictEqual(yield* at.call("workspace", { operation: "active_project" }), {
        bound: true,
        workspace: name,
        project: name,
        repos: [name]
      })
    })
  )
  it.scoped("counts the graph", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const brief = yield* at.call("workspace", { operation: "graph" })
      assert.deepStrictEqual(brief["by_language"], {
        typescript: { files: 2, symbols: 3 },
        python: { files: 1, symbols: 1 }
      })
      assert.strictEqual(brief["symbols"], 4)
      assert.isUndefined(brief["by_kind"])
      const full = yield* at.call("workspace", { operation: "graph", arguments: { compact: false } })
      assert.deepStrictEqual(full["by_kind"], { class: 1, constant: 1, function: 1, method: 1 })
      assert.strictEqual(full["per_repo"].length, 1)
      assert.isBelow(byteLength(brief), byteLength(full))
    })
  )
  it.scoped("tells the health of the index, with what it could not read", () =>
    Effect.gen(function* () {
      const at = yield* served({ ...files, "huge.ts": `export const x = "${"y".repeat(2 * 1024 * 1024)}"\n` })
      const brief = yield* at.call("workspace", { operation: "index" })
      assert.strictEqual(brief["state"], "ready")
      assert.deepStrictEqual(brief["freshness"], { state: "fresh" })
      assert.deepStrictEqual(brief["gaps"], { too_large: 1 })
      assert.isUndefined(brief["languages"])
      const full = yield* at.call("workspace", { operation: "index", arguments: { compact: false } })
      assert.sameMembers(
        full["languages"].map((l: Value) => l["language"]),
        ["typescript", "python"]
      )
    })
  )
  it.effect("says that nothing is bound", () =>
    Effect.gen(function* () {
      const gone = Effect.fail(
        new ServiceFailure({ service: "WorkspaceView", reason: "workspace_unknown", detail: "nothing here" })
      )
      const context = Context.make(WorkspaceView, {
        name: "",
        repositories: gone,
        health: gone,
        feed: gone,
        receipt: () => gone,
        projects: Effect.never,
        receipts: Effect.succeed([])
      }) as Context.Context<any>
      const run = (operation: string) =>
        Effect.map(
          Effect.provide(
            catalog.lookup("workspace", operation)!.run({}) as Effect.Effect<any, never>,
            context
          ),
          (outcome) => outcome.answer.value
        )
      assert.deepStrictEqual(yield* run("info"), { mode: "unbound", repos: [] })
      assert.deepStrictEqual(yield* run("active_project"), { bound: false, repos: [] })
    })
  )
})

describe("workspace_admin", () => {
  it.scoped("reads again what changed, forgets what is gone, and says which", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      yield* at.call("workspace", { operation: "graph" })
      at.write("src/a.ts", "export class B {}\n")
      at.write("sub/c.ts", "export const d = 1\n")
      const some = yield* at.call("workspace_admin", {
        operation: "reindex",
        arguments: { paths: ["src/a.ts"] }
      })
      assert.deepStrictEqual(some["scope"], ["src/a.ts"])
      assert.deepStrictEqual(some["reindexed_paths"], ["src/a.ts"])
      assert.strictEqual(some["full"], false)
      at.remove("src/b.py")
      const all = yield* at.call("workspace_admin", { operation: "reindex" })
      assert.strictEqual(all["scope"], "workspace")
      assert.include(all["reindexed_paths"], "sub/c.ts")
      assert.deepStrictEqual(all["removed_files"], ["src/b.py"])
      assert.strictEqual(all["node_count"], 2)
      const outside = yield* at.refused("workspace_admin", {
        operation: "reindex",
        arguments: { path: "/etc" }
      })
      assert.strictEqual(outside.code, "repo_not_tracked")
      assert.strictEqual(
        (yield* at.refused("workspace_admin", { operation: "reindex", arguments: { paths: [] } })).code,
        "invalid_argument"
      )
    })
  )
  it.scoped("indexes the root anew, and no part of it", () =>
    Effect.gen(function* () {
      const many = Object.fromEntries(
        Array.from({ length: 60 }, (_, i) => [`many/m${i}.ts`, `export const m${i} = ${i}\n`])
      )
      const at = yield* served({ ...files, ...many })
      const reports: Array<ReadonlyArray<unknown>> = []
      const whole = yield* at
        .call("workspace_admin", { operation: "index", arguments: { path: at.folder.path } })
        .pipe(Effect.provideService(Progress, (...what) => Effect.sync(() => reports.push(what))))
      assert.strictEqual(whole["full"], true)
      assert.strictEqual(whole["updated_file_count"], 64)
      assert.strictEqual(whole["node_count"], 64)
      assert.isAbove(reports.length, 0)
      const part = yield* at.refused("workspace_admin", { operation: "index", arguments: { path: "src" } })
      assert.strictEqual(part.reason_code, "not_a_root")
      assert.strictEqual(
        (yield* at.refused("workspace_admin", { operation: "index", arguments: { path: ".." } })).code,
        "repo_not_tracked"
      )
    })
  )
})
