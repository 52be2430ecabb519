import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { compilerErrors, project, type Value, working } from "./support.ts"

const files = {
  ...project,
  "a.ts": "export const area = (x: number) => x\nexport interface Shape { readonly a: number }\n",
  "b.ts": "export const zero = 0\nexport const one = 1\n",
  "use.ts": 'import { zero, one } from "./b.js"\n\nexport const n: Shape = { a: area(one) }\n'
}

describe("code actions", () => {
  it.scoped("applies the one at an index, and refuses another title there", () =>
    Effect.gen(function* () {
      const work = yield* working(files)
      const at = { start_line: 2, start_char: 16, end_line: 2, end_char: 21, only: "quickfix" }
      const call = (options: object, more: object = {}) => ({
        operation: "apply_code_action",
        target: { file: "use.ts" },
        options: { ...at, ...options },
        ...more
      })
      const dry = yield* work.refactor(call({ index: 0 }, { dry_run: true }))
      expect(dry).toMatchObject({
        applied: false,
        kind: "quickfix",
        title: expect.stringContaining("./a.ts")
      })
      expect(work.tree()).toEqual(files)
      expect((yield* work.refused(call({ index: 99 }))).reason_code).toBe("no_such_action")
      expect((yield* work.refused(call({ index: 0, title: "Something else" }))).reason_code).toBe(
        "action_changed"
      )
      const done = yield* work.refactor(call({ index: 0, title: dry["title"] }))
      expect(done).toMatchObject({ applied: true, path: "use.ts" })
      expect((done["files_touched"] as ReadonlyArray<Value>).map(({ path }) => path)).toEqual(["use.ts"])
      expect(work.read("use.ts")).toMatch(/import .*Shape.* from "\.\/a\.ts"/)
    })
  )

  it.scoped("fixes a file until nothing is left to fix, in one write", () =>
    Effect.gen(function* () {
      const work = yield* working(files)
      const done = yield* work.refactor({
        operation: "fix_all",
        target: { file: "use.ts" },
        options: { diagnostic_timeout_ms: 60_000 }
      })
      expect(done["applied_actions"]).toBeGreaterThanOrEqual(2)
      expect(done["final_diagnostics"]).toEqual([])
      expect(work.read("use.ts")).not.toContain("zero")
      expect(compilerErrors(work.folder.folder.path)).toBe("")
      const again = yield* work.refactor({
        operation: "fix_all",
        target: { file: "use.ts" },
        options: { diagnostic_timeout_ms: 60_000 }
      })
      expect(again).toMatchObject({ applied_actions: 0, files_touched: [] })
    })
  )

  it.scoped("says how to get a server where there is none", () =>
    Effect.gen(function* () {
      const work = yield* working({ "a.lua": "print(1)\n" })
      const refused = yield* work.refused({ operation: "fix_all", target: { file: "a.lua" } })
      expect(refused).toMatchObject({ code: "capability_unavailable", reason_code: "not_configured" })
    })
  )
})
