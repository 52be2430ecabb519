/**
 * Local functions that are values: named only for themselves, as in `return async function retry() { … }`, or one of
 * several things a variable holds, as in Python where `def` assigns.
 */
import { Effect } from "effect"
import type { GraphView } from "../../../../services/CodeGraph.ts"
import { ReadFs } from "../../../../services/ReadFs.ts"
import type { Sifted, Unused } from "./Unused.ts"

/** Leaves out named expressions: what stands behind something else on its line, such as `return`. And what a variable holds. */
export const withoutExpressions = (view: GraphView, all: Sifted) =>
  Effect.gen(function* () {
    const { readText } = yield* ReadFs
    const texts = new Map<string, ReadonlyArray<string>>()
    const kept: Array<Unused> = []
    let variants = 0
    for (const each of all.unused) {
      if (!each.inspected) {
        kept.push(each)
        continue
      }
      const symbol = view.symbol(view.columns.refOf(each.node))
      let lines = texts.get(symbol.path)
      if (lines === undefined) {
        const read = yield* Effect.option(readText(symbol.path))
        texts.set(symbol.path, (lines = read._tag === "None" ? [] : read.value.text.split(/\r\n|\n|\r/)))
      }
      if (symbol.language === "python") {
        const assigned = new RegExp(`^\\s*(?:nonlocal\\s.*)?\\b${symbol.name}\\s*(?::[^=]*)?=(?!=)`)
        const parent = view.parent(view.columns.refOf(each.node))
        const { end_line = lines.length, start_line = 1 } = parent === undefined ? {} : view.symbol(parent)
        const also = lines.slice(start_line - 1, end_line).some((line) => assigned.test(line))
        if (also) variants++
        else kept.push(each)
        continue
      }
      const before = (lines[symbol.start_line - 1] ?? "").slice(0, symbol.start_column)
      // An expression may also begin a line, behind a bracket or an operator on the one before.
      const above = lines.slice(0, symbol.start_line - 1).findLast((line) => line.trim() !== "") ?? ""
      if (/^[\s;{}]*$/.test(before) && !/(?:[(,=?:[|&+]|=>|\breturn)\s*$/.test(above)) kept.push(each)
    }
    const dropped = all.unused.length - kept.length - variants
    return {
      ...all,
      unused: kept,
      leftOut: {
        ...all.leftOut,
        ...(dropped === 0 ? {} : { expression: (all.leftOut.expression ?? 0) + dropped }),
        ...(variants === 0 ? {} : { other_variant_used: (all.leftOut.other_variant_used ?? 0) + variants })
      }
    }
  })
