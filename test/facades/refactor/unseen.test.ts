import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { working } from "./support.ts"

const python = {
  "m.py":
    "class A:\n    def run(self):\n        return 1\n\n\nclass B(A):\n    def run(self):\n        return 2\n\n\ndef use(x: A):\n    return x.run()\n"
}
const go = {
  "go.mod": "module ex.com/m\n\ngo 1.20\n",
  "a/a.go":
    "package a\n\nfunc A() int { return 1 }\n\nfunc Lone() int { return 1 }\n\ntype G interface{ H() int }\n\ntype C struct{}\n\nfunc (C) H() int { return 1 }\n\nfunc Use(g G) int { return g.H() }\n\nfunc init() {}\n",
  "b/b.go":
    'package b\n\nimport "ex.com/m/a"\n\nfunc B() int { return a.A() }\n\nfunc D() int { return a.Lone() }\n',
  "c/c.go": 'package c\n\nimport "ex.com/m/b"\n\nfunc C() int { return b.B() }\n'
}

describe("what references do not show", () => {
  it.scoped("keeps overrides of one name together, or refuses", () =>
    Effect.gen(function* () {
      const work = yield* working(python, { servers: ["python"] })
      const answer = yield* Effect.either(
        Effect.exit(work.refactor({ operation: "rename", target: { symbol: "m.py::A.run" }, new_name: "go" }))
      )
      const text = work.read("m.py")
      const names = [...text.matchAll(/def (run|go)\(/g)].map((m) => m[1])
      assert.isTrue(new Set(names).size === 1, `${names.join(" ")} ${JSON.stringify(answer).slice(0, 200)}`)
    })
  )

  it.scoped("deletes no member that stands in for another, and nothing the run time calls", () =>
    Effect.gen(function* () {
      const work = yield* working({ ...python, ...go }, { servers: [] })
      for (const symbol of ["m.py::B.run", "a/a.go::C.H", "a/a.go::init"]) {
        const refused = yield* work.refused({ operation: "delete", target: { symbol }, dry_run: false })
        assert.deepStrictEqual([refused.reason_code, refused.state_changed], ["used_unseen", false], symbol)
      }
    })
  )

  it.scoped("moves nothing into a circle of Go packages, nor to where it is not always built", () =>
    Effect.gen(function* () {
      const work = yield* working(go, { servers: [] })
      for (const [symbol, destination, reason] of [
        ["b/b.go::B", "a/b.go", "circular_import"],
        ["a/a.go::A", "c/c.go", "circular_import"],
        ["a/a.go::A", "a/x_test.go", "other_build"],
        ["a/a.go::Lone", "a/lone_windows.go", "other_build"]
      ] as const) {
        const refused = yield* work.refused({ operation: "move", target: { symbol }, destination })
        assert.strictEqual(refused.reason_code, reason, `${symbol} to ${destination}: ${refused.message}`)
        assert.strictEqual(refused.state_changed, false)
      }
    })
  )
})
