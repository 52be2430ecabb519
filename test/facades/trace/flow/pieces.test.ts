import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { served, type Value } from "../../read/support.ts"

/** So long that it is lowered function by function. */
const filler = Array.from(
  { length: 120 },
  (_, i) => `func filler${i}(a int) int {\n\tif a > ${i} {\n\t\treturn a - ${i}\n\t}\n\treturn a\n}\n`
).join("\n")

const store = `package store

var last string

type Box struct{ value string }

var box = &Box{}

func Find(key string) string {
	box.Keep(key)
	last = key
	return Run("select " + key)
}

${filler}
func (box *Box) Keep(value string) { box.value = value }

func (box *Box) Peek() string { return Exec(box.value) }

func Run(sql string) string { return sql }

func Exec(sql string) string { return sql }

func Again() string { return Log(last) }

func Log(line string) string { return line }

func Unused(sql string) string { return sql }

type Query interface{ Do(sql string) }
`
const files = {
  "go.mod": "module example.com/a\n\ngo 1.22\n",
  "store/store.go": store,
  "web/web.go": `package web

import "example.com/a/store"

func Handle(id string) string { return store.Find(id) }
`
}
const lineOf = (words: string) => store.slice(0, store.indexOf(words)).split("\n").length

describe("trace.flow in long files", () => {
  it.scoped("follows values through calls, fields and package variables", () =>
    Effect.gen(function* () {
      assert.isAbove(store.length, 6_000)
      const at = yield* served(files)
      const flow = (from: string, to: string) =>
        at.call("trace", { operation: "flow", target: { symbol: from }, to: { symbol: to } })
      const ends = (answer: Value) =>
        answer["paths"].map((path: Value) => {
          const last = path["steps"][path["steps"].length - 1]
          return `${last["file_path"]}:${last["line"]}`
        })
      const source = "web/web.go::Handle#id"
      assert.deepStrictEqual(ends(yield* flow(source, "store/store.go::Run#sql")), [
        `store/store.go:${lineOf("return Run(")}`
      ])
      assert.deepStrictEqual(ends(yield* flow(source, "store/store.go::Exec#sql")), [
        `store/store.go:${lineOf("func (box *Box) Peek")}`
      ])
      assert.deepStrictEqual(ends(yield* flow(source, "store/store.go::Log#line")), [
        `store/store.go:${lineOf("func Again")}`
      ])
    })
  )

  it.scoped("follows what a file says now, whatever it said before", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const lines = Effect.map(
        at.call("trace", {
          operation: "flow",
          target: { symbol: "web/web.go::Handle#id" },
          to: { symbol: "store/store.go::Run#sql" }
        }),
        (answer) => answer["paths"].map((path: Value) => path["steps"].at(-1)["line"])
      )
      const line = lineOf("return Run(")
      assert.deepStrictEqual(yield* lines, [line])
      // The same length, the same places of all names.
      const cut = store.replace('select " + key)', 'select " + "k")')
      at.write("store/store.go", cut)
      assert.deepStrictEqual(yield* lines, [])
      at.write("store/store.go", `// one line more\n${store}`)
      assert.deepStrictEqual(yield* lines, [line + 1])
      at.write("store/store.go", store)
      assert.deepStrictEqual(yield* lines, [line])
    })
  )

  it.scoped("tells files of the same text apart", () =>
    Effect.gen(function* () {
      const same = `package p\n\n${filler}\nfunc In(a string) { Out(a) }\n\nfunc Out(b string) string { return b }\n`
      const at = yield* served({ "go.mod": files["go.mod"], "one/p.go": same, "two/p.go": same })
      for (const path of ["one/p.go", "two/p.go"]) {
        const answer = yield* at.call("trace", {
          operation: "flow",
          target: { symbol: `${path}::In#a` },
          to: { symbol: `${path}::Out#b` }
        })
        assert.deepStrictEqual(
          answer["paths"].map((found: Value) => found["steps"].map((step: Value) => step["file_path"])),
          [[path, path]]
        )
      }
    })
  )

  it.scoped("says at once that nothing arrives where nothing calls, and refuses what has no body", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const answer = yield* at.call("trace", {
        operation: "flow",
        target: { symbol: "web/web.go::Handle#id" },
        to: { symbol: "store/store.go::Unused#sql" }
      })
      assert.deepStrictEqual(answer["paths"], [])
      assert.deepStrictEqual(answer["completeness"], {
        complete: true,
        functions_visited: 0,
        files_read: 2
      })
      const refused = yield* at.refused("trace", {
        operation: "flow",
        target: { symbol: "store/store.go::Query" },
        to: { symbol: "store/store.go::Run" }
      })
      assert.strictEqual(refused.reason_code, "no_body")
    })
  )
})
