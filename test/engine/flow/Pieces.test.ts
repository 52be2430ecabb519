import { assert, describe, it } from "@effect/vitest"
import { type FileIr, type FunctionIr, linesOf, positionOf } from "../../../src/engine/flow/Ir.ts"
import { loweringOf } from "../../../src/engine/flow/Lowered.ts"

const text = `package p

import "fmt"

var last string
var table = map[string]int{"a": 1}

type Box struct{ value string }

func plain(a, b string) string {
	rest := a + b
	return fmt.Sprint(a, b, rest)
}

// about keep
func (box *Box) keep(value string) (out string, err error) {
	box.value = value
	each := func(n int) int { return n + len(value) }
	for i := 0; i < each(2); i++ {
		out += box.value
	}
	return out, nil
}

func note(text string) { last = text; plain(last, "ü") }
`

/** What a function does, without the numbers of its slots. */
const said = (file: FileIr, fn: FunctionIr) =>
  fn.ops.map(({ at, from, how, kind, name, statement, to }) => {
    const slot = (n: number) => (n < 0 ? "-" : `${file.slots[n]!.name}|${file.slots[n]!.path}`)
    const { end, start } = fn.statements[statement]!
    return [kind, how, name, at, start, end, slot(to), from.map(slot).join()].join(" ")
  })

describe("functions lowered by themselves", () => {
  it("mean what they mean among the others, at the same places", async () => {
    const lowering = await loweringOf("go")!
    const whole = lowering.lower("a.go", text)
    const lines = linesOf(text)
    const point = (offset: number) => {
      const { column, line } = positionOf(lines, offset)
      return { row: line - 1, column }
    }
    const top = whole.functions.filter(({ index, parent }) => index > 0 && parent === 0)
    assert.deepStrictEqual(
      top.map(({ name }) => name),
      ["plain", "keep", "note"]
    )
    for (const fn of top) {
      const part = lowering.lowerParts(
        "a.go",
        text,
        [
          {
            startIndex: fn.start,
            endIndex: fn.end,
            startPosition: point(fn.start),
            endPosition: point(fn.end)
          }
        ],
        lines
      )
      assert.strictEqual(part.errors, 0)
      assert.strictEqual(part.text, text)
      const inside = whole.functions.filter(({ start }) => start >= fn.start && start < fn.end)
      const alone = part.functions.slice(1)
      assert.deepStrictEqual(
        alone.map(({ end, name, nameAt, start }) => [name, nameAt, start, end]),
        inside.map(({ end, name, nameAt, start }) => [name, nameAt, start, end])
      )
      if (fn.name === "note") {
        // What the rest of the file declares is of somewhere else.
        const slots = part.slots.filter(({ name }) => name === "last")
        assert.deepStrictEqual(
          slots.map(({ at, kind }) => [kind, at]),
          [["free", -1]]
        )
      } else alone.forEach((own, i) => assert.deepStrictEqual(said(part, own), said(whole, inside[i]!)))
    }
    // A parse of the whole after one of a part is of the whole again.
    assert.strictEqual(lowering.lower("a.go", text).functions.length, whole.functions.length)
  })
})
