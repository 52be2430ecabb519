/** A value that is put into what everybody hands on: the walk looks at each place once, however many ways lead to it. */
import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { served } from "../../facades/read/support.ts"

/** Layers of functions that each hand their parameter to all functions of the next layer. */
const layers = 8
const width = 10
const source = [
  "package main",
  "",
  "type Box struct{ value string }",
  "",
  ...Array.from({ length: layers }, (_, layer) =>
    Array.from({ length: width }, (__, at) =>
      [
        `func f${layer}_${at}(box *Box, text string) {`,
        ...(layer + 1 < layers
          ? Array.from({ length: width }, (___, next) => `\tf${layer + 1}_${next}(box, text)`)
          : ["\tbox.value = text"]),
        "}",
        ""
      ].join("\n")
    ).join("\n")
  ),
  "func sink(box *Box) string {",
  "\treturn box.value",
  "}",
  ""
].join("\n")

describe("a walk over many callers", () => {
  it.scopedLive("ends within its bounds", () =>
    Effect.gen(function* () {
      const here = yield* served({ "go.mod": "module m\n", "main.go": source })
      const answer = yield* here.call("trace", {
        operation: "flow",
        target: { symbol: `main.go::f${layers - 1}_0#text` },
        to: { symbol: "main.go::sink#box" },
        options: { max_depth: 12 }
      })
      expect(answer["paths"]).toBeInstanceOf(Array)
    })
  )
})
