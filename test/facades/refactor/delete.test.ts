import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { compilerErrors, project, type Value, working } from "./support.ts"

const remove = (symbol: string, options: object = {}, more: object = {}) => ({
  operation: "delete",
  target: { symbol },
  options,
  dry_run: false,
  ...more
})

const files = {
  ...project,
  "a.ts": `import { inner, other } from "./b.js"
import type { Shape } from "./b.js"

/** Says it. */
export function used(): number {
  return other()
}

/**
 * Not used.
 */
function dead(shape: Shape): number {
  return inner() + helper()
}

// Helps dead alone.
const helper = () => 2

export { dead as gone }
`,
  "b.ts": `export const inner = () => 1
export const other = () => 2
export interface Shape { readonly a: number }
`,
  "use.ts": `import { used } from "./a.js"

export const run = () => {
  used()
  return 1
}
`
}

describe("delete", () => {
  it.scoped("says what it would do and does nothing unless told", () =>
    Effect.gen(function* () {
      const work = yield* working(files)
      const dry = yield* work.refactor({ operation: "delete", target: { symbol: "a.ts::dead" } })
      expect(dry).toMatchObject({
        status: "would_delete",
        symbol: "a.ts::dead",
        start_line: 9,
        end_line: 14,
        lines_deleted: 6,
        total_references: 0
      })
      expect(work.tree()).toEqual(files)
    })
  )

  it.scoped("takes documentation, export list and unused imports along", () =>
    Effect.gen(function* () {
      const work = yield* working(files)
      yield* work.refactor(remove("a.ts::dead"))
      expect(work.read("a.ts")).toBe(`import { other } from "./b.js"

/** Says it. */
export function used(): number {
  return other()
}

// Helps dead alone.
const helper = () => 2

`)
      expect(compilerErrors(work.folder.folder.path)).toBe("")
    })
  )

  it.scoped("refuses while it is used, and lists where", () =>
    Effect.gen(function* () {
      const work = yield* working(files)
      const refused = yield* work.refused(remove("a.ts::used"))
      expect(refused).toMatchObject({
        code: "edit_conflict",
        reason_code: "still_referenced",
        state_changed: false
      })
      expect(
        ((refused.data ?? {})["references"] as ReadonlyArray<Value>).map((row) => [
          row["file"],
          row["line"],
          row["tier"]
        ])
      ).toEqual([
        ["use.ts", 1, "resolved"],
        ["use.ts", 4, "resolved"]
      ])
      expect(work.tree()).toEqual(files)
      const forced = yield* work.refactor(remove("a.ts::used", { force: true }))
      expect(forced["status"]).toBe("deleted")
      expect(work.read("a.ts")).not.toContain("Says it")
    })
  )

  it.scoped("removes calls that stand alone, and their import", () =>
    Effect.gen(function* () {
      const work = yield* working(files)
      const done = yield* work.refactor(remove("a.ts::used", { propagate: true }))
      expect(done["caller_patches"]).toEqual([{ file: "use.ts", line: 4, within: "use.ts::run" }])
      expect(work.read("use.ts")).toBe("\nexport const run = () => {\n  return 1\n}\n")
      expect(compilerErrors(work.folder.folder.path)).toBe("")
    })
  )

  it.scoped("goes on to what only the deleted used, to the end", () =>
    Effect.gen(function* () {
      const work = yield* working(files)
      const preview = yield* work.refactor(remove("a.ts::dead", { cascade: "preview" }, { dry_run: true }))
      expect((preview["cascade_closure"] as ReadonlyArray<Value>).map((row) => row["id"]).sort()).toEqual([
        "a.ts::helper",
        "b.ts::Shape",
        "b.ts::inner"
      ])
      expect(preview["cascade_deleted"]).toBe(0)
      const done = yield* work.refactor(remove("a.ts::dead", { cascade: "apply" }))
      expect(done["cascade_deleted"]).toBe(3)
      expect(work.read("b.ts")).toBe("export const other = () => 2\n")
      expect(work.read("a.ts")).toBe(
        'import { other } from "./b.js"\n\n/** Says it. */\nexport function used(): number {\n  return other()\n}\n\n'
      )
      expect(compilerErrors(work.folder.folder.path)).toBe("")
    })
  )

  it.scoped("takes tests along when uses in tests do not count", () =>
    Effect.gen(function* () {
      const work = yield* working({
        "core.py": "def keep():\n    return 1\n\n\n# Dead.\ndef dead():\n    return 2\n",
        "test_core.py":
          "from core import dead, keep\n\n\ndef test_dead():\n    assert dead() == 2\n\n\ndef test_keep():\n    assert keep() == 1\n"
      })
      expect((yield* work.refused(remove("core.py::dead"))).reason_code).toBe("still_referenced")
      yield* work.refactor(remove("core.py::dead", { cascade_into_tests: true }))
      expect(work.read("core.py")).toBe("def keep():\n    return 1\n")
      expect(work.read("test_core.py")).toBe(
        "from core import keep\n\n\ndef test_keep():\n    assert keep() == 1\n"
      )
    })
  )

  it.scoped("removes an import of Go that nothing else uses", () =>
    Effect.gen(function* () {
      const work = yield* working({
        "go.mod": "module example.org/m\n\ngo 1.21\n",
        "a.go":
          'package m\n\nimport (\n\t"fmt"\n\t"os"\n)\n\n// dead prints.\nfunc dead() {\n\tfmt.Println(1)\n}\n\n// Keep stays.\nfunc Keep() string { return os.Args[0] }\n'
      })
      yield* work.refactor(remove("a.go::dead"))
      expect(work.read("a.go")).toBe(
        'package m\n\nimport (\n\t"os"\n)\n\n// Keep stays.\nfunc Keep() string { return os.Args[0] }\n'
      )
    })
  )

  it.scoped("refuses what shares its line with something else", () =>
    Effect.gen(function* () {
      const work = yield* working({ ...project, "a.ts": "const one = 1, two = 2\nexport const three = 3\n" })
      expect((yield* work.refused(remove("a.ts::one"))).reason_code).toBe("not_alone")
      expect((yield* work.refused(remove("a.ts::two"))).reason_code).toBe("not_alone")
    })
  )
})
