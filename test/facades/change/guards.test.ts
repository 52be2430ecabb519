import { assert, describe, it } from "@effect/vitest"
import { Effect, Either } from "effect"
import { readRules } from "../../../src/facades/change/Rules.ts"
import { served, type Value } from "../read/support.ts"

const code = {
  "src/ui/view.ts": `import { query } from "../db/query.ts"\nimport { rule } from "../domain/rule.ts"\nexport const view = () => query() + rule()\n`,
  "src/db/query.ts": "export const query = () => 1\n",
  "src/domain/rule.ts": "export const rule = () => 2\n",
  "docs/db.md": "# Database\n"
}
const config = (guards: object) => ({ ...code, ".effectrc": `// rules\n${JSON.stringify({ guards })}` })
const rowsOf = (value: Value) =>
  value["violations"].map(({ kind, line, rule_name, severity, target, violator }: Value) => [
    kind,
    rule_name,
    severity,
    violator,
    target,
    line
  ])
const view = { operation: "guards", target: { symbols: ["src/ui/view.ts::view"] } }

describe("change.guards", () => {
  it.scoped("says that there are no rules, with or without a configuration", () =>
    Effect.gen(function* () {
      for (const files of [code, { ...code, ".effectrc": `{ "tools": "compact" }` }]) {
        const at = yield* served(files)
        const value = yield* at.call("change", view)
        assert.deepStrictEqual(value["violations"], [])
        assert.strictEqual(value["total"], 0)
        assert.include(value["message"], "no rules")
      }
    })
  )

  it.scoped("finds broken boundaries, layers, caps and forbidden callers, the heaviest first", () =>
    Effect.gen(function* () {
      const at = yield* served(
        config({
          boundaries: [{ name: "no db in ui", from: ["src/ui/**"], to: ["src/db/**"], severity: "error" }],
          layers: [
            { name: "ui", paths: ["src/ui/**"], allow: ["domain"], severity: "info" },
            { name: "domain", paths: ["src/domain/**"], allow: [] },
            { name: "db", paths: ["src/db/**"] }
          ],
          fan_out: [{ name: "thin", paths: ["src/ui/**"], max: 1 }],
          callers: [{ name: "no queries", of: ["src/db/**"], deny: ["src/ui/**"] }]
        })
      )
      const value = yield* at.call("change", view)
      assert.deepStrictEqual(rowsOf(value), [
        ["boundary", "no db in ui", "error", "src/ui/view.ts::view", "src/db/query.ts::query", 3],
        ["fan_out", "thin", "warn", "src/ui/view.ts", undefined, undefined],
        ["callers", "no queries", "warn", "src/ui/view.ts::view", "src/db/query.ts::query", 3],
        ["layer", "ui", "info", "src/ui/view.ts::view", "src/db/query.ts::query", 3]
      ])
      assert.strictEqual(value["violations"][3].layer_to, "db")
      const called = yield* at.call("change", {
        operation: "guards",
        target: { symbol: "src/db/query.ts::query" }
      })
      assert.deepStrictEqual(rowsOf(called), [
        ["callers", "no queries", "warn", "src/ui/view.ts::view", "src/db/query.ts::query", 3]
      ])
    })
  )

  it.scoped("wants what changes together, and sees what git says changed", () =>
    Effect.gen(function* () {
      const at = yield* served(
        config({ co_change: [{ name: "docs", when: ["src/db/**"], also: ["docs/**"] }] }),
        { git: true }
      )
      const ask = { operation: "guards", target: { symbol: "src/db/query.ts::query" } }
      assert.deepStrictEqual(rowsOf(yield* at.call("change", ask)), [
        ["co_change", "docs", "warn", "src/db/query.ts", undefined, undefined]
      ])
      at.write("docs/db.md", "# Database\nmore\n")
      assert.deepStrictEqual(rowsOf(yield* at.call("change", ask)), [])
    })
  )

  it.scoped("refuses a configuration that is none", () =>
    Effect.gen(function* () {
      const at = yield* served(config({ boundary: [] }))
      const refused = yield* at.refused("change", view)
      assert.deepStrictEqual(
        [refused.code, refused.field, refused.reason_code],
        ["invalid_argument", ".effectrc", "invalid_configuration"]
      )
    })
  )

  it("reads rules closed", () => {
    const why = (text: string) =>
      Either.match(readRules(text), { onLeft: ({ message }) => message, onRight: () => "" })
    assert.include(
      why(`{"guards": {"layers": [{"name": "a", "paths": ["**"], "allow": ["b"]}]}}`),
      "a names b"
    )
    assert.include(
      why(`{"guards": {"fan_out": [{"name": "a", "paths": [], "max": 1}]}}`),
      "guards.fan_out.0.paths"
    )
    assert.include(
      why(`{"guards": {"fan_out": [{"name": "a", "paths": ["**"], "max": 1, "min": 2}]}}`),
      "min"
    )
    assert.include(why(`{"guards": `), "line 1")
    assert.strictEqual(why(`{"guards": {"co_change": [],},} // fine`), "")
  })
})
