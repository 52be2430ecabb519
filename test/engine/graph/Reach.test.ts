import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { sketch } from "../../../src/engine/graph/Sketch.ts"
import type { GraphView } from "../../../src/services/CodeGraph.ts"
import { folder } from "../../facades/explore/services.ts"

const named = (view: GraphView, name: string) => {
  const { found } = view.resolve(name)
  assert.strictEqual(found.length, 1, name)
  return found[0]!
}
const most = 1000
const found = (
  view: GraphView,
  name: string,
  options: { readonly depth: number; readonly values?: boolean }
) => {
  const { depths, refs, tiers } = view.reach([named(view, name)], { most, ...options })
  return refs.map((ref, i) => `${depths[i]} ${view.idOf(ref)} ${tiers[i]}`)
}

const files = {
  "a.ts": `export interface Shape { area(): number }
export class Square implements Shape {
  area() { return 1 }
}
export const measure = (shape: Shape) => shape.area()
export const twice = (shape: Shape) => measure(shape) * 2
export function loop() { return loop() }
`,
  "b.ts": `import { loop } from "./a.ts"
export const run = () => {
  const inner = () => loop()
  inner()
}
run()
`,
  "c.ts": `export { loop } from "./a.ts"\n`,
  "go.mod": "module m\n",
  "s/s.go": `package s

type Putter interface { Put(k string) error }
type Mem struct{}

func (m Mem) Put(k string) error { return nil }

type Other struct{}

func (o Other) Put(k string, v int) error { return nil }

func Use(p Putter) { p.Put("a") }
`
}

describe("reach", () => {
  it.scoped("goes no step further once it has plenty, and says that it stopped", () =>
    Effect.gen(function* () {
      const view = yield* (yield* folder({
        "a.ts": `export const a = () => 1
export const b = () => a()
export const c = () => a()
export const d = () => b() + c()
`
      })).graph.view
      const walk = (plenty: number) => {
        const { refs, stopped } = view.reach([named(view, "a")], { depth: 9, most, plenty })
        return [refs.map((ref) => view.nameOf(ref)), stopped]
      }
      assert.deepStrictEqual(walk(2), [["b", "c"], true])
      assert.deepStrictEqual(walk(4), [["b", "c", "d"], false])
    })
  )
  it.scoped("goes by distance, through local definitions to what others know, and stops at top levels", () =>
    Effect.gen(function* () {
      const view = yield* (yield* folder(files)).graph.view
      assert.deepStrictEqual(found(view, "a.ts::loop", { depth: 5 }), [
        "1 b.ts::run resolved",
        "2 b.ts resolved"
      ])
      assert.deepStrictEqual(found(view, "a.ts::loop", { depth: 1 }), ["1 b.ts::run resolved"])
      const { importers } = view.reach([named(view, "a.ts::loop")], { depth: 2, most })
      assert.sameMembers(
        importers.map((ref) => view.idOf(ref)),
        ["b.ts", "c.ts"]
      )
    })
  )

  it.scoped(
    "counts calls that a super type dispatches as likely, and leaves uses as a type out when asked",
    () =>
      Effect.gen(function* () {
        const view = yield* (yield* folder(files)).graph.view
        assert.deepStrictEqual(found(view, "a.ts::Square.area", { depth: 2 }), [
          "1 a.ts::measure inferred",
          "2 a.ts::twice inferred"
        ])
        assert.include(found(view, "a.ts::Shape", { depth: 1 }), "1 a.ts::measure resolved")
        assert.deepStrictEqual(found(view, "a.ts::Shape", { depth: 1, values: true }), [])
      })
  )

  it.scoped("knows types of Go by the methods they have, with as many parameters", () =>
    Effect.gen(function* () {
      const view = yield* (yield* folder(files)).graph.view
      assert.deepStrictEqual(found(view, "s/s.go::Mem.Put", { depth: 1 }), ["1 s/s.go::Use inferred"])
      assert.deepStrictEqual(found(view, "s/s.go::Other.Put", { depth: 1 }), [])
      assert.deepStrictEqual(
        view.overriders(named(view, "s/s.go::Putter.Put")).map((ref) => view.idOf(ref)),
        ["s/s.go::Mem.Put"]
      )
      assert.deepStrictEqual(
        view.overriders(named(view, "a.ts::Shape.area")).map((ref) => view.idOf(ref)),
        ["a.ts::Square.area"]
      )
    })
  )

  it.scoped("says when it was stopped", () =>
    Effect.gen(function* () {
      const view = yield* (yield* folder(files)).graph.view
      const walked = view.reach([named(view, "a.ts::Square.area")], { depth: 3, most: 1 })
      assert.deepStrictEqual([walked.refs.length, walked.stopped], [1, true])
    })
  )

  it.scoped("ranks what much leans on above what nothing does", () =>
    Effect.gen(function* () {
      const view = yield* (yield* folder(files)).graph.view
      const all = [...view.all()].map((ref) => view.rank(ref))
      assert.strictEqual(Math.max(...all), 1)
      assert.isAbove(view.rank(named(view, "a.ts::measure")), view.rank(named(view, "a.ts::twice")))
    })
  )
})

describe("sketch", () => {
  it.effect("reads texts that are no files, each in its language", () =>
    Effect.gen(function* () {
      const view = yield* Effect.promise(() =>
        sketch([
          { path: "old/a.ts", text: "export class A { m(a: number, b?: string) {} }\n" },
          { path: "old/b.py", text: "def f(a, *rest): pass\n" },
          { path: "old/notes", text: "nothing\n" },
          { path: "old/broken.ts", text: "export function (((\n" }
        ])
      )
      const m = named(view, "old/a.ts::A.m")
      assert.deepStrictEqual(view.parameters(m), { min: 1, max: 2, variadic: false })
      assert.strictEqual(view.parameters(named(view, "old/b.py::f"))?.variadic, true)
      assert.strictEqual(view.file("old/notes")?.skipped, "no_language")
      assert.isAbove(view.file("old/broken.ts")!.parse_errors, 0)
      // What was read before stays as it was.
      yield* Effect.promise(() => sketch([{ path: "x.ts", text: "export const later = 1\n" }]))
      assert.strictEqual(view.symbol(m).signature, "m(a: number, b?: string)")
    })
  )
})
