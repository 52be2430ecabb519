import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { served, type Value } from "../../read/support.ts"

const files = {
  "package.json": JSON.stringify({ name: "x", scripts: { build: "tsc", test: "vitest" } }),
  "src/store.ts": "export class OrderStore {\n  findOrder() {}\n}\n",
  "src/old/kept.ts": "export const kept_value = 1\n",
  "docs/guide.md": `# Guide

See [the store](../src/store.ts), [gone](../src/gone.ts) and [a site](https://example.com/x.ts).
\`src/store.ts:2\` is there, \`src/store.ts:99\` is not; \`src/store.ts::OrderStore\` is, \`src/store.ts::Basket\` is not.
Words such as \`and/or\`, \`tools/list\`, \`packages/NAME/x.ts\` and \`dist/main.js\` are no paths to judge.

\`\`\`ts
import "../src/never.ts"
\`\`\`
`,
  "docs/good.md": "All is well: [guide](guide.md), [section](#here).\n",
  "CHANGELOG.md": "- moved `src/before.ts`\n",
  "AGENTS.md": `# How to work

Run \`npm run build\`, then \`npm run deploy\`. Use \`OrderStore.findOrder()\`, never \`OrderStore.loadAll()\`.
\`kept_value\` lives in \`src/old/kept.ts\`; \`src/old/lost.ts\` is the old one.

\`\`\`sh
npm test
pnpm lint
\`\`\`
`,
  ".cursor/rules/style.mdc": "Prefer `findOrder` over `BasketLoader`.\n"
}

describe("documents and instructions of agents", () => {
  it.scoped("finds what they name and the tree does not have", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const stale = yield* at.call("analyze", { kind: "doc_staleness" })
      const rows = stale["stale"] as ReadonlyArray<Value>
      const guide = rows.find(({ id }) => id === "docs/guide.md")!
      assert.deepStrictEqual(
        (guide["links"] as ReadonlyArray<Value>).map(({ line, target, why }) => [line, target, why]),
        [
          [3, "../src/gone.ts", "there is no such file or folder"],
          [4, "src/store.ts:99", "src/store.ts has 4 lines"],
          [4, "src/store.ts::Basket", "src/store.ts defines no such symbol"]
        ]
      )
      assert.strictEqual(guide["dangling"], 3)
      assert.strictEqual(guide["name"], "Guide")
      assert.sameMembers(
        rows.map(({ id }) => id),
        ["docs/guide.md", "AGENTS.md"]
      )

      const audit = yield* at.call("analyze", { kind: "agent_config" })
      assert.strictEqual(audit["files_scanned"], 2)
      assert.deepStrictEqual(
        (audit["stale_refs"] as ReadonlyArray<Value>).map(({ file_path, token }) => [file_path, token]),
        [
          [".cursor/rules/style.mdc", "BasketLoader"],
          ["AGENTS.md", "OrderStore.loadAll()"]
        ]
      )
      assert.deepStrictEqual(
        (audit["dead_paths"] as ReadonlyArray<Value>).map(({ line, path }) => [line, path]),
        [[4, "src/old/lost.ts"]]
      )
      assert.deepStrictEqual(
        (audit["dead_commands"] as ReadonlyArray<Value>).map(({ command, line }) => [line, command]),
        [
          [8, "pnpm lint"],
          [3, "npm run deploy"]
        ]
      )
      assert.strictEqual(audit["bloat_score"], 0)
      const one = yield* at.call("analyze", {
        kind: "agent_config",
        options: { files: [".cursor/rules/style.mdc"] }
      })
      assert.strictEqual(one["files_scanned"], 1)
      const missing = yield* at.refused("analyze", { kind: "agent_config", options: { files: ["NOPE.md"] } })
      assert.strictEqual(missing.code, "not_found")
      assert.strictEqual(missing.field, "options.files")
      const elsewhere = yield* at.refused("analyze", {
        kind: "agent_config",
        options: { root: "src/nothing" }
      })
      assert.strictEqual(elsewhere.reason_code, "path_not_indexed")
      const none = yield* at.call("analyze", { kind: "agent_config", options: { root: "src" } })
      assert.strictEqual(none["files_scanned"], 0)
      assert.isString(none["message"])
      const target = yield* at.refused("analyze", { kind: "doc_staleness", target: { file: "AGENTS.md" } })
      assert.strictEqual(target.code, "invalid_argument")

      // The overlay of a session is read.
      yield* at.overlay("s", { path: "AGENTS.md", content: "Nothing to see.\n", deleted: false })
      const mended = yield* at.call(
        "analyze",
        { kind: "agent_config", options: { files: ["AGENTS.md"] } },
        "s"
      )
      assert.deepStrictEqual(mended["stale_refs"], [])
    })
  )

  it.scoped("counts what is too long", () =>
    Effect.gen(function* () {
      const at = yield* served({ "CLAUDE.md": `${"Be careful with everything. ".repeat(600)}\n` })
      const audit = yield* at.call("analyze", { kind: "agent_config" })
      assert.strictEqual(audit["total_tokens"], 4201)
      assert.strictEqual(
        audit["bloat_score"],
        Math.round((100 * Math.log(4201 / 1500)) / Math.log(10_000 / 1500))
      )
      assert.match((audit["suggestions"] as ReadonlyArray<string>)[0]!, /^shorten CLAUDE\.md/)
    })
  )
})
