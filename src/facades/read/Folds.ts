/** Which lines of a file stand for themselves and which a stub replaces. */
import type { GraphView, SymbolInfo } from "../../services/CodeGraph.ts"
import type { Fold } from "./Lines.ts"

const callables = new Set(["function", "method", "constructor", "operator", "test", "procedure", "macro"])
const closing = /^\s*(?:[}\])]+[;,)]*|end\b.*|fi|done|esac)\s*[;,]?\s*(?:\/\/.*)?$/

/** Whether a body stays: by the symbol's name, its qualified name, its id or its kind. */
const kept = (symbol: SymbolInfo, keep: ReadonlySet<string>): boolean =>
  keep.has(symbol.name) || keep.has(symbol.qualified) || keep.has(symbol.id) || keep.has(symbol.kind)

/** Names out of `keep` whose symbols are in the file. */
export interface Bodies {
  readonly folds: ReadonlyArray<Fold>
  readonly kept: ReadonlyArray<string>
}

/**
 * The bodies of a file's callables, outermost first, but for the kept ones and those that hold one. The header stays to
 * the line the body opens on, and so does a last line that only closes it. `inside` bounds the lines that are looked at.
 */
export const bodiesOf = (
  view: GraphView,
  path: string,
  lines: ReadonlyArray<string>,
  keep: ReadonlyArray<string> = [],
  outer?: SymbolInfo
): Bodies => {
  const wanted = new Set(keep)
  const symbols = view.definitions(path).map((ref) => view.symbol(ref))
  const stays = symbols.filter((symbol) => wanted.size > 0 && kept(symbol, wanted))
  const folds: Array<Fold> = []
  for (const symbol of symbols) {
    if (!callables.has(symbol.kind) || symbol.body_line === undefined) continue
    if (
      outer !== undefined &&
      (symbol.ref === outer.ref || symbol.start_line < outer.start_line || symbol.end_line > outer.end_line)
    )
      continue
    if (stays.some((other) => other.start_line >= symbol.start_line && other.end_line <= symbol.end_line))
      continue
    if (
      stays.some(
        (other) =>
          callables.has(other.kind) &&
          other.start_line <= symbol.start_line &&
          other.end_line >= symbol.end_line
      )
    )
      continue
    const start = symbol.body_line + 1
    const end = closing.test(lines[symbol.end_line - 1] ?? "") ? symbol.end_line - 1 : symbol.end_line
    if (end - start < 1) continue
    folds.push({ start, end, what: "body" })
  }
  return { folds: apart(folds), kept: [...new Set(stays.map((symbol) => symbol.id))] }
}

/** Sorted, and without those that lie inside or across an earlier one. */
export const apart = (folds: ReadonlyArray<Fold>): ReadonlyArray<Fold> => {
  const sorted = [...folds].sort((a, b) => a.start - b.start || b.end - a.end)
  const out: Array<Fold> = []
  for (const fold of sorted) if (out.length === 0 || fold.start > out[out.length - 1]!.end) out.push(fold)
  return out
}

const indentOf = (line: string): number => /^[ \t]*/.exec(line)![0].replaceAll("\t", "    ").length

/**
 * Runs of leaf statements to fold so that at most `most` lines are left: lines inside callables that open no block and
 * close none, three in a row or more, the longest runs first.
 */
export const leavesOf = (
  view: GraphView,
  path: string,
  lines: ReadonlyArray<string>,
  range: { readonly from: number; readonly to: number },
  most: number,
  already: ReadonlyArray<Fold> = []
): ReadonlyArray<Fold> => {
  let left = range.to - range.from + 1
  for (const fold of already)
    left -= Math.max(0, Math.min(fold.end, range.to) - Math.max(fold.start, range.from))
  if (most <= 0 || left <= most) return []
  const inside = new Uint8Array(lines.length + 2)
  for (const ref of view.definitions(path)) {
    const symbol = view.symbol(ref)
    if (!callables.has(symbol.kind) || symbol.body_line === undefined) continue
    inside.fill(1, symbol.body_line + 1, symbol.end_line + 1)
  }
  for (const ref of view.definitions(path)) {
    const symbol = view.symbol(ref)
    if (callables.has(symbol.kind))
      inside.fill(0, symbol.start_line, (symbol.body_line ?? symbol.start_line) + 1)
  }
  for (const fold of already) inside.fill(0, fold.start, fold.end + 1)
  const leaf = (number: number): boolean => {
    const line = lines[number - 1]!
    if (inside[number] !== 1 || line.trim() === "" || closing.test(line)) return false
    let next = number
    while (next < range.to && lines[next]!.trim() === "") next++
    return next >= lines.length || indentOf(lines[next]!) <= indentOf(line) || inside[next + 1] !== 1
  }
  const runs: Array<Fold> = []
  for (let line = range.from; line <= range.to; line++) {
    if (!leaf(line)) continue
    const start = line
    while (
      line < range.to &&
      (leaf(line + 1) ||
        (lines[line]!.trim() === "" && inside[line + 1] === 1 && line + 1 < range.to && leaf(line + 2)))
    )
      line++
    if (line - start >= 2) runs.push({ start, end: line, what: "statements" })
  }
  const chosen: Array<Fold> = []
  for (const run of runs.sort((a, b) => b.end - b.start - (a.end - a.start) || a.start - b.start)) {
    if (left <= most) break
    chosen.push(run)
    left -= run.end - run.start
  }
  return chosen
}
