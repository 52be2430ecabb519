import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Folder, served, type Value } from "../read/support.ts"

const files = {
  "package.json": '{"type":"module"}',
  "tsconfig.json": JSON.stringify({
    compilerOptions: {
      strict: true,
      module: "nodenext",
      target: "es2022",
      lib: ["es2022"],
      noEmit: true,
      types: [],
      allowImportingTsExtensions: true
    },
    include: ["src"]
  }),
  "src/price.ts": "export const price = (n: number): number => n * 2\n",
  "src/cart.ts": 'import { price } from "./price.ts"\nexport const total: number = price(3)\n',
  "src/wrong.ts": "export const wrong: string = 1\n",
  "src/loose.ts": 'import { price } from "./price.ts"\nexport const loose = 1\n',
  "data.adoc": "text\n"
}

/** The folder with the servers of this machine. */
const inFolder = (body: (at: Folder) => Effect.Effect<void>) => Effect.flatMap(served(files), body)

const patient = { diagnostics_timeout_ms: 60_000 }
const edit = (path: string, line: number, from: number, to: number, newText: string) => ({
  changes: {
    [path]: [{ range: { start: { line, character: from }, end: { line, character: to } }, newText }]
  }
})
const diagnostics = (file: string, options: Value = {}) => ({
  operation: "diagnostics",
  source: { file },
  options: { timeout_ms: 60_000, ...options }
})

describe("a real TypeScript server", () => {
  it.scoped(
    "judges files as the session has them",
    () =>
      inFolder((at) =>
        Effect.gen(function* () {
          const wrong = yield* at.call("change", diagnostics("src/wrong.ts", { wait: true }), "s")
          assert.deepStrictEqual([wrong["path"], wrong["total"]], ["src/wrong.ts", 1])
          assert.deepInclude(wrong["diagnostics"][0], {
            line: 1,
            column: 13,
            severity: "error",
            code: "2322"
          })
          assert.match(wrong["provider"], /typescript/i)
          yield* at.overlay("s", {
            path: "src/wrong.ts",
            content: "export const wrong: string = 'x'\n",
            deleted: false
          })
          const right = yield* at.call("change", diagnostics("src/wrong.ts"), "s")
          assert.deepStrictEqual([right["total"], right["overlay"]], [0, true])
          assert.strictEqual((yield* at.call("change", diagnostics("src/wrong.ts")))["total"], 1)

          const none = yield* at.refused("change", diagnostics("data.adoc"), "s")
          assert.deepStrictEqual([none.code, none.reason_code], ["capability_unavailable", "not_configured"])
          const late = yield* at.refused("change", diagnostics("src/cart.ts", { timeout_ms: 0 }), "s")
          assert.deepStrictEqual([late.code, late.field], ["timeout", "options.timeout_ms"])
          const missing = yield* at.refused("change", diagnostics("src/nope.ts"), "s")
          assert.strictEqual(missing.code, "not_found")

          const actions = yield* at.call("change", {
            operation: "code_actions",
            source: { file: "src/cart.ts", range: { start_line: 0 } },
            options: { only: ["refactor.move"] }
          })
          assert.strictEqual(actions["total"], actions["actions"].length)
          const organize = yield* at.call("change", {
            operation: "code_actions",
            source: { file: "src/loose.ts" },
            options: { only: ["source.organizeImports", "source.removeUnused"] }
          })
          assert.deepStrictEqual(organize["path"], "src/loose.ts")
          assert.include(
            organize["actions"].map((row: Value) => row["kind"]).join(" "),
            "source.organizeImports"
          )
          assert.deepStrictEqual(organize["actions"][0]["index"], 0)
          const far = yield* at.refused("change", {
            operation: "code_actions",
            source: { file: "src/cart.ts", range: { start_line: 90, end_line: 91 } }
          })
          assert.deepStrictEqual([far.code, far.field], ["invalid_argument", "source.range"])
        })
      ),
    180_000
  )

  it.scoped(
    "judges an edit before it is made, with what uses it, against what was",
    () =>
      inFolder((at) =>
        Effect.gen(function* () {
          // The result is text now: only types tell that the other file does not fit any more.
          const textual = edit("src/price.ts", 0, 34, 40, "string")
          const whole = {
            changes: {
              "src/price.ts": [
                ...textual.changes["src/price.ts"]!,
                {
                  range: { start: { line: 0, character: 44 }, end: { line: 0, character: 49 } },
                  newText: "`${n}`"
                }
              ]
            }
          }
          const preview = yield* at.call("change", {
            operation: "preview",
            source: { workspace_edit: whole },
            options: patient
          })
          assert.deepStrictEqual(preview["broken_callers"], [])
          assert.deepStrictEqual(
            preview["diagnostics"].map(({ code, file_path, line, severity }: Value) => [
              file_path,
              line,
              severity,
              code
            ]),
            [["src/cart.ts", 2, "error", "2322"]]
          )
          assert.deepInclude(preview["diagnostics_summary"], { errors: 1, new: 1, resolved: 0 })

          const back = {
            changes: {
              "src/price.ts": [
                {
                  range: { start: { line: 0, character: 34 }, end: { line: 0, character: 50 } },
                  newText: "number => n * 2"
                }
              ]
            }
          }
          const chain = yield* at.call("change", {
            operation: "simulate",
            source: { steps: [whole, back] },
            options: { ...patient, stop_on_error: false }
          })
          assert.deepStrictEqual(
            chain["steps"].map((step: Value) => [
              step["diagnostics_delta"]["errors"],
              step["diagnostics_delta"]["new_errors"]
            ]),
            [
              [1, 1],
              [-1, 0]
            ]
          )
          const stopped = yield* at.call("change", {
            operation: "simulate",
            source: { steps: [whole, back] },
            options: patient
          })
          assert.deepStrictEqual(
            [stopped["stopped_at"], stopped["applied_steps"], stopped["total_steps"]],
            [0, 1, 2]
          )

          const late = yield* at.call("change", {
            operation: "preview",
            source: { workspace_edit: edit("src/price.ts", 0, 44, 49, "n * 3") },
            options: { diagnostics_timeout_ms: 0 }
          })
          assert.deepInclude(late["diagnostics_summary"], { state: "unknown", reason_code: "timeout" })
          assert.isUndefined(late["diagnostics"])
        })
      ),
    180_000
  )
})

describe("without any server", () => {
  it.scoped("diagnostics and actions are refused with how to get one, never empty", () =>
    Effect.gen(function* () {
      const at = yield* served(files, { servers: [] })
      const calls: ReadonlyArray<Value> = [
        diagnostics("src/cart.ts"),
        { operation: "code_actions", source: { file: "src/cart.ts" } }
      ]
      for (const args of calls) {
        const refused = yield* at.refused("change", args, "s")
        assert.deepStrictEqual(
          [refused.code, refused.reason_code],
          ["capability_unavailable", "not_configured"]
        )
        assert.include(refused.message, "server")
      }
    })
  )
})
