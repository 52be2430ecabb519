/** Definitions of which only the text tells that they may be in use though nothing names them. */
import { Effect } from "effect"
import type { GraphView, SymbolInfo } from "../../../../services/CodeGraph.ts"
import { ReadFs } from "../../../../services/ReadFs.ts"
import type { Reason, Sifted, Unused } from "./Unused.ts"

const escaped = (name: string): string => name.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** Whether a line outside of the definition has its name as a word. */
const isNamed = (lines: ReadonlyArray<string>, { end_line, name, start_line }: SymbolInfo): boolean => {
  const word = new RegExp(String.raw`(?<![\w$-])${escaped(name)}(?![\w$-])`)
  return lines.some((line, i) => (i + 1 < start_line || i + 1 > end_line) && word.test(line))
}

/** Whether a string of the file is the name of a member, as for a framework that asks a class for it. */
const isSpelled = (lines: ReadonlyArray<string>, { name }: SymbolInfo): boolean => {
  const spelled = new RegExp(`(["'])${escaped(name)}\\1`)
  return lines.some((line) => spelled.test(line))
}

/** Whether a local function of Python, which `def` assigns to a variable, is one of several things that variable holds. */
const isAssigned = (view: GraphView, node: number, lines: ReadonlyArray<string>, name: string): boolean => {
  const assigned = new RegExp(`^\\s*(?:nonlocal\\s.*)?\\b${name}\\s*(?::[^=]*)?=(?!=)`)
  const parent = view.parent(view.columns.refOf(node))
  const { end_line = lines.length, start_line = 1 } = parent === undefined ? {} : view.symbol(parent)
  return lines.slice(start_line - 1, end_line).some((line) => assigned.test(line))
}

/** Whether it is a value that is named only for itself, as in `return async function retry() { … }`. */
const isExpression = (lines: ReadonlyArray<string>, { start_column, start_line }: SymbolInfo): boolean => {
  const before = (lines[start_line - 1] ?? "").slice(0, start_column)
  if (!/^[\s;{}]*$/.test(before)) return true
  // An expression may also begin a line, behind a bracket or an operator on the one before.
  const above = lines.slice(0, start_line - 1).findLast((line) => line.trim() !== "") ?? ""
  return /(?:[(,=?:[|&+]|=>|\breturn)\s*$/.test(above)
}

/** Leaves out what the texts of {@link Unused.inspected} definitions speak for. */
export const withoutExpressions = (view: GraphView, all: Sifted) =>
  Effect.gen(function* () {
    const { readText } = yield* ReadFs
    const texts = new Map<string, ReadonlyArray<string>>()
    const linesOf = (path: string) =>
      Effect.gen(function* () {
        const known = texts.get(path)
        if (known !== undefined) return known
        const read = yield* Effect.option(readText(path))
        const lines = read._tag === "None" ? [] : read.value.text.split(/\r\n|\n|\r/)
        texts.set(path, lines)
        return lines
      })
    const kept: Array<Unused> = []
    const leftOut: { [reason in Reason]?: number } = { ...all.leftOut }
    for (const each of all.unused) {
      let why: Reason | undefined
      if (each.inspected !== undefined) {
        const symbol = view.symbol(view.columns.refOf(each.node))
        const lines = yield* linesOf(symbol.path)
        if (each.inspected === "misread") why = isNamed(lines, symbol) ? "name_used_unbound" : undefined
        else if (symbol.language !== "python") why = isExpression(lines, symbol) ? "expression" : undefined
        else if (symbol.flags.includes("local"))
          why = isAssigned(view, each.node, lines, symbol.name) ? "other_variant_used" : undefined
        else why = isSpelled(lines, symbol) ? "loaded_dynamically" : undefined
      }
      if (why === undefined) kept.push(each)
      else leftOut[why] = (leftOut[why] ?? 0) + 1
    }
    return { ...all, unused: kept, leftOut }
  })
