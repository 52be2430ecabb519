import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Linter } from "eslint"
import { CodeGraph } from "../../../../src/services/CodeGraph.ts"
import { served } from "../../read/support.ts"

const source = `function straight() { return 1 }
function branches(a, b) {
  if (a) return 1
  else if (b) return 2
  return a ? b : a && b || 3
}
function loops(list) {
  for (let i = 0; i < 3; i++) list.push(i)
  for (const x of list) while (x > 1) list.pop()
  for (const key in list) do { list[key]-- } while (list[key] > 0)
}
function cases(word) {
  switch (word) {
    case "a": return 1
    case "b":
    case "c": return 2
    default: return 3
  }
}
function caught(f) {
  try { f() } catch (e) { return e } finally { f() }
}
const arrow = (x) => x > 1 ? x : -x
class Box {
  open(x) { return x || this.lid && !x }
  set lid(v) { if (v) this.v = v }
}
`

describe("cyclomatic complexity", () => {
  // eslint counts default values and optional chains too, which are no ways through a body here.
  it.scoped("is what eslint's rule counts", () =>
    Effect.gen(function* () {
      const at = yield* served({ "a.js": source })
      const view = yield* Effect.provide(
        Effect.flatMap(CodeGraph, (graph) => graph.view),
        at.context
      )
      const theirs = new Map<number, number>()
      for (const { line, message } of new Linter({ configType: "flat" }).verify(source, [
        { rules: { complexity: ["error", { max: 0 }] } }
      ])) {
        const found = /complexity of (\d+)/.exec(message)
        if (found !== null) theirs.set(line, Number(found[1]))
      }
      const ours = new Map<number, number>()
      for (const ref of view.definitions("a.js")) {
        const { complexity, kind, line } = view.symbol(ref)
        if (["function", "method"].includes(kind)) ours.set(line, complexity)
      }
      assert.strictEqual(ours.size, 7)
      for (const [line, complexity] of ours) assert.strictEqual(complexity, theirs.get(line), `line ${line}`)
    })
  )
})
