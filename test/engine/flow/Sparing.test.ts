/** A flow reads what leads on, and what leads to its end before the rest. */
import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { served } from "../../facades/read/support.ts"

const filler = (lines: number): string =>
  Array.from({ length: lines }, (_, i) => `\tuse(n + ${i})`).join("\n")
const files = {
  "go.mod": "module m\n",
  "note.go": "package m\n\nfunc note(text string) {\n\tkeep(text)\n}\n",
  "keep.go": "package m\n\nfunc keep(text string) {\n\tprintln(text)\n}\n",
  "callers.go": 'package m\n\nfunc one() {\n\tnote("1")\n}\n\nfunc two() {\n\tdefer note("2")\n}\n',
  "long.go": [
    "package m\n",
    "func use(n int) {}\n",
    `func first(text string) {\n\tn := len(text)\n${filler(1000)}\n}\n`,
    `func second(text string) {\n\tn := len(text)\n${filler(1000)}\n}\n`,
    "func third(text string) {\n\tkeep(text)\n}\n",
    "func start(text string) {\n\tfirst(text)\n\tsecond(text)\n\tthird(text)\n}\n"
  ].join("\n")
}

describe("a flow", () => {
  it.scopedLive("reads no callers that throw the result away", () =>
    Effect.gen(function* () {
      const here = yield* served(files)
      const answer = yield* here.call("trace", {
        operation: "flow",
        target: { symbol: "note.go::note" },
        to: { symbol: "keep.go::keep" }
      })
      expect(answer["completeness"]).toMatchObject({ complete: true, functions_visited: 1, files_read: 2 })
      expect(answer["total"]).toBe(1)
    })
  )

  it.scopedLive("takes the way to its end before what is too much to read", () =>
    Effect.gen(function* () {
      const here = yield* served(files)
      const answer = yield* here.call("trace", {
        operation: "flow",
        target: { symbol: "long.go::start#text" },
        to: { symbol: "keep.go::keep" }
      })
      expect(answer["completeness"]).toMatchObject({ complete: false })
      expect(answer["total"]).toBe(1)
    })
  )
})
