import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { classify, verdictOf } from "../../../src/facades/change/Verdict.ts"
import { served, type Value } from "../read/support.ts"

const files = {
  "package.json": `{"devDependencies": {"vitest": "3"}}`,
  "src/core.ts": `export function send(to: string): number {
  return helper(to)
}
function helper(to: string): number {
  return to.length
}
export function spare() {}
`,
  "src/app.ts": `import { send } from "./core.ts"\nexport const app = () => send("x")\n`,
  "src/core.test.ts": `import { test } from "vitest"\nimport { send } from "./core.ts"\ntest("sends", () => { send("y") })\n`
}
const git = { git: true }
const reasonsOf = (value: Value) =>
  value["reasons"].map(({ family, severity }: Value) => `${severity} ${family}`)
const diff = { operation: "contract", source: { source: "diff" } }

describe("change.contract", () => {
  it.scoped("allows a change of a body that its tests can verify", () =>
    Effect.gen(function* () {
      const at = yield* served(files, git)
      at.write("src/core.ts", files["src/core.ts"].replace("to.length", "to.length + 1"))
      const value = yield* at.call("change", diff)
      assert.deepStrictEqual(
        [value["verdict"], value["source"], value["classification"]],
        ["allow", "diff", "behavioral"]
      )
      assert.deepStrictEqual(value["reasons"], [])
      assert.deepStrictEqual(
        value["changed_symbols"].map(({ id }: Value) => id),
        ["src/core.ts::helper"]
      )
      assert.strictEqual(value["verification_command"], "npx vitest run src/core.test.ts")
      assert.include(value["stop_condition"], "exits with 0")
      assert.strictEqual(value["blast"].total, 3)
      assert.strictEqual(value["risk"].level, "LOW")
    })
  )

  it.scoped("refuses a header its callers do not fit, and names them", () =>
    Effect.gen(function* () {
      const at = yield* served(files, git)
      at.write(
        "src/core.ts",
        files["src/core.ts"].replace("send(to: string)", "send(to: string, body: string)")
      )
      const value = yield* at.call("change", diff)
      assert.strictEqual(value["verdict"], "refuse")
      assert.deepStrictEqual(reasonsOf(value), ["error callers", "error callers"])
      assert.include(value["reasons"][0].message, "src/app.ts:2")
      assert.strictEqual(value["follow_up"].arguments.operation, "edit_plan")
      // The same call with its caller mended.
      at.write("src/app.ts", files["src/app.ts"].replace(`"x"`, `"x", "b"`))
      at.write("src/core.test.ts", files["src/core.test.ts"].replace(`"y"`, `"y", "b"`))
      assert.strictEqual((yield* at.call("change", diff))["verdict"], "allow")
    })
  )

  it.scoped("judges an edit before it is made", () =>
    Effect.gen(function* () {
      const at = yield* served(files, git)
      const edit = (newText: string, line = 0, character = 25, end = 25) => ({
        operation: "contract",
        source: {
          source: "edit",
          workspace_edit: {
            changes: {
              "src/core.ts": [
                { range: { start: { line, character }, end: { line, character: end } }, newText }
              ]
            }
          }
        }
      })
      const breaks = yield* at.call("change", edit("first: string, ", 0, 21, 21))
      assert.deepStrictEqual([breaks["verdict"], breaks["source"]], ["refuse", "edit"])
      assert.include(breaks["reasons"][0].message, "send")
      const gone = yield* at.call("change", edit("", 0, 0, 40))
      assert.isString(gone["verdict"])
      const body = yield* at.call("change", edit("helper(to) + 1", 1, 9, 19))
      assert.deepStrictEqual(
        [body["verdict"], body["changed_symbols"].map(({ change, id }: Value) => `${change} ${id}`)],
        ["allow", ["modified src/core.ts::send"]]
      )
      const malformed = yield* at.refused("change", edit("x", 4, 9, 3))
      assert.strictEqual(malformed.code, "invalid_argument")
      assert.isTrue(malformed.field?.startsWith("source.workspace_edit"))
    })
  )

  it.scoped("weighs broken rules by their severity", () =>
    Effect.gen(function* () {
      for (const [severity, verdict] of [
        ["error", "refuse"],
        ["warn", "warn"],
        ["info", "allow"]
      ] as const) {
        const at = yield* served({
          ...files,
          ".effectrc": JSON.stringify({
            guards: { boundaries: [{ name: "apart", from: ["src/app.ts"], to: ["src/core.ts"], severity }] }
          })
        })
        const value = yield* at.call("change", {
          operation: "contract",
          target: { symbol: "src/app.ts::app" }
        })
        assert.deepStrictEqual([value["verdict"], value["source"]], [verdict, "symbols"])
        assert.deepStrictEqual(reasonsOf(value), [`${severity} guards`])
      }
    })
  )

  it.scoped("warns of what is gone and still named, and of what it does not know", () =>
    Effect.gen(function* () {
      const at = yield* served(files, git)
      at.write("src/core.ts", files["src/core.ts"].replace("export function spare() {}\n", ""))
      at.write("notes.md", "call spare first\n")
      // The path of a module names a file.
      at.write("src/other.ts", 'import "./spare.ts"\nexport { x } from "./spare"\n')
      const value = yield* at.call("change", diff)
      assert.strictEqual(value["verdict"], "warn")
      assert.include(reasonsOf(value), "warn deleted")
      assert.include(
        value["reasons"].find(({ family }: Value) => family === "deleted").message,
        "its name still stands in one line: notes.md:1"
      )
    })
  )

  it.scoped("holds what carries much of the code until its risk is acknowledged", () =>
    Effect.gen(function* () {
      const users = Object.fromEntries(
        Array.from({ length: 9 }, (_, i) => [
          `src/user${i}.ts`,
          `import { send } from "./core.ts"\nexport const use${i} = () => send("${i}")\n`
        ])
      )
      const at = yield* served({ ...files, ...users })
      const ask = { operation: "contract", target: { symbol: "src/core.ts::send" } }
      const open = yield* at.call("change", ask)
      assert.deepStrictEqual([open["verdict"], reasonsOf(open)], ["warn", ["warn risk"]])
      assert.strictEqual(open["risk"].tier, "high")
      const gated = yield* at.call("change", { ...ask, options: { risk_gate: true } })
      assert.strictEqual(gated["verdict"], "refuse")
      assert.deepStrictEqual(gated["risk_gate"].gated, ["src/core.ts::send"])
      assert.isString(gated["risk_gate"].unknown)
    })
  )

  it.scoped("takes lines of a file, and shows the exported surface when asked", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const value = yield* at.call("change", {
        operation: "contract",
        source: { source: "ranges", ranges: [{ file: "src/core.ts", start_line: 2, end_line: 5 }] },
        options: { lens: "api" }
      })
      assert.deepStrictEqual(
        value["changed_symbols"].map(({ name }: Value) => name),
        ["send", "helper"]
      )
      assert.deepStrictEqual(
        value["api_surface"].changed.map(({ name }: Value) => name),
        ["send"]
      )
      const none = yield* at.refused("change", { operation: "contract", source: { source: "edit" } })
      assert.deepStrictEqual([none.code, none.field], ["invalid_argument", "source.workspace_edit"])
      const bare = yield* at.refused("change", { operation: "contract" })
      assert.strictEqual(bare.code, "invalid_argument")
    })
  )

  it("sorts changes by what they are", () => {
    const file = (path: string, renameOnly = false) => ({ path, renameOnly })
    assert.strictEqual(classify([file("a.ts", true)], 1), "structural")
    assert.strictEqual(classify([file("config/app.yaml"), file(".env.local")], 3), "runtime_drift")
    assert.strictEqual(classify([file("README.md")], 0), "metadata_only")
    assert.strictEqual(classify([file("a.ts"), file("b.json")], 1), "behavioral")
    assert.strictEqual(verdictOf([{ family: "x", severity: "info", message: "", confidence: 1 }]), "allow")
  })
})
