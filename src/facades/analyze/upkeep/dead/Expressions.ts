/** Functions that are named only for themselves: `return async function retry() { … }`. */
import { Effect } from "effect"
import type { GraphView } from "../../../../services/CodeGraph.ts"
import { ReadFs } from "../../../../services/ReadFs.ts"
import type { Sifted, Unused } from "./Unused.ts"

/** Leaves out named expressions: what stands behind something else on its line, such as `return`. */
export const withoutExpressions = (view: GraphView, all: Sifted) =>
  Effect.gen(function* () {
    const { readText } = yield* ReadFs
    const texts = new Map<string, ReadonlyArray<string>>()
    const kept: Array<Unused> = []
    for (const each of all.unused) {
      if (!each.expression) {
        kept.push(each)
        continue
      }
      const symbol = view.symbol(view.columns.refOf(each.node))
      let lines = texts.get(symbol.path)
      if (lines === undefined) {
        const read = yield* Effect.option(readText(symbol.path))
        texts.set(symbol.path, (lines = read._tag === "None" ? [] : read.value.text.split(/\r\n|\n|\r/)))
      }
      const before = (lines[symbol.start_line - 1] ?? "").slice(0, symbol.start_column)
      // An expression may also begin a line, behind a bracket or an operator on the one before.
      const above = lines.slice(0, symbol.start_line - 1).findLast((line) => line.trim() !== "") ?? ""
      if (/^[\s;{}]*$/.test(before) && !/(?:[(,=?:[|&+]|=>|\breturn)\s*$/.test(above)) kept.push(each)
    }
    const dropped = all.unused.length - kept.length
    return {
      ...all,
      unused: kept,
      leftOut:
        dropped === 0 ? all.leftOut : { ...all.leftOut, expression: (all.leftOut.expression ?? 0) + dropped }
    }
  })
