import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { compilerErrors, project, type Value, working } from "./support.ts"

const inline = (symbol: string, options: object = {}, more: object = {}) => ({
  operation: "inline",
  target: { symbol },
  options,
  ...more
})
const reasonsOf = (failure: { readonly data?: unknown }) =>
  ((failure.data as Value)["refusals"] as ReadonlyArray<Value>).map(({ reason }) => reason)

describe("inline", () => {
  it.scoped("puts the expression in place of calls, and deletes the function", () =>
    Effect.gen(function* () {
      const files = {
        ...project,
        "a.ts": `/** Doubles. */
export function twice(x: number): number {
  return x * 2
}

export const sum = (a: number, b: number) => a + b
export const n = twice(3) + sum(1, 2) * twice(n0())
function n0() { return 4 }
`,
        "use.ts": 'import { twice, n } from "./a.js"\nexport const m = twice(n + 1)\n'
      }
      const work = yield* working(files)
      const dry = yield* work.refactor(inline("a.ts::twice", {}, { dry_run: true }))
      expect(dry).toMatchObject({ status: "would_apply", callsites_inlined: 3, callee_deleted: true })
      expect(work.tree()).toEqual(files)
      yield* work.refactor(inline("a.ts::twice"))
      expect(work.read("a.ts")).toBe(`export const sum = (a: number, b: number) => a + b
export const n = (3 * 2) + sum(1, 2) * ((n0()) * 2)
function n0() { return 4 }
`)
      expect(work.read("use.ts")).toBe('import { n } from "./a.js"\nexport const m = ((n + 1) * 2)\n')
      yield* work.refactor(inline("a.ts::sum", { delete_after: false }))
      expect(work.read("a.ts")).toContain("(1 + 2) * ((n0()) * 2)")
      expect(work.read("a.ts")).toContain("export const sum")
      expect(compilerErrors(work.folder.folder.path)).toBe("")
    })
  )

  it.scoped("refuses with reasons, all or nothing", () =>
    Effect.gen(function* () {
      const files = {
        ...project,
        "a.ts": `let k = 1
const next = () => k
export const square = (x: number) => x * x
export const fact = (x: number): number => x < 2 ? 1 : x * fact(x - 1)
export function two(x: number) { if (x > 1) return 1; return 2 }
export const make = (x: number) => () => x
export const late = async (x: number) => x
export const asValue = (x: number) => x + 1
export const scaled = (x: number) => x * k
export const all = [1].map(asValue)
export const a = square(next()) + square(2) + fact(3) + two(1) + make(1)()
export const f = (k: number) => scaled(k)
late(1)
`
      }
      const work = yield* working(files)
      const reasons: { [name: string]: unknown } = {}
      for (const name of ["square", "fact", "two", "make", "late", "asValue", "scaled"])
        reasons[name] = reasonsOf(yield* work.refused(inline(`a.ts::${name}`)))
      expect(reasons).toEqual({
        square: ["side_effects"],
        fact: ["recursion"],
        two: ["body"],
        make: ["closure"],
        late: ["async"],
        asValue: ["not_a_call"],
        scaled: ["not_visible"]
      })
      expect(work.tree()).toEqual(files)
    })
  )

  it.scoped("puts Go and Python functions in place", () =>
    Effect.gen(function* () {
      const work = yield* working({
        "go.mod": "module example.org/m\n\ngo 1.21\n",
        "a.go":
          "package m\n\n// add adds.\nfunc add(a, b int) int { return a + b }\n\nfunc Use() int { return add(1, 2) * 3 }\n\nfunc pair() (int, error) { return 1, nil }\n\nfunc Both() { pair() }\n",
        "p.py": 'def half(x):\n    """Half of it."""\n    return x / 2\n\n\nprint(half(4) + half(6))\n'
      })
      yield* work.refactor(inline("a.go::add"))
      expect(work.read("a.go")).toBe(
        "package m\n\nfunc Use() int { return (1 + 2) * 3 }\n\nfunc pair() (int, error) { return 1, nil }\n\nfunc Both() { pair() }\n"
      )
      expect(reasonsOf(yield* work.refused(inline("a.go::pair")))).toEqual(["several_results"])
      yield* work.refactor(inline("p.py::half"))
      expect(work.read("p.py")).toBe("print((4 / 2) + (6 / 2))\n")
    })
  )
})
