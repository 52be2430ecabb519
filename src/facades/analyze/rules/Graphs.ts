/** Inspections that look at the index rather than at the text of files. */
import type { GraphView, SymbolRef } from "../../../services/CodeGraph.ts"

export interface Violation {
  readonly file: string
  readonly line: number
  readonly symbol?: string
  readonly text: string
}

export interface GraphInspection {
  readonly id: string
  readonly category: string
  readonly description: string
  readonly severity: "error" | "warning" | "info"
  /** What there is of it in files that pass. Worst first, then in order of path and line. */
  readonly run: (view: GraphView, wanted: (path: string) => boolean) => ReadonlyArray<Violation>
}

const manyPaths = 25
const manyLines = 150
const manyFileLines = 1500

const callable: ReadonlySet<string> = new Set(["function", "method", "constructor"])

interface Measured {
  readonly value: number
  readonly violation: Violation
}
const worst = (found: Array<Measured>): ReadonlyArray<Violation> =>
  found
    .sort(
      (a, b) =>
        b.value - a.value ||
        (a.violation.file < b.violation.file
          ? -1
          : a.violation.file > b.violation.file
            ? 1
            : a.violation.line - b.violation.line)
    )
    .map(({ violation }) => violation)

/** Functions by something that is measured of them, where it is over a bound. */
const functions = (
  view: GraphView,
  wanted: (path: string) => boolean,
  measure: (symbol: ReturnType<GraphView["symbol"]>) => number,
  bound: number,
  words: (value: number) => string
): ReadonlyArray<Violation> => {
  const found: Array<Measured> = []
  for (const { generated, path, skipped, test } of view.files()) {
    if (generated || test || skipped !== undefined || !wanted(path)) continue
    for (const ref of view.definitions(path)) {
      const symbol = view.symbol(ref)
      if (!callable.has(symbol.kind)) continue
      const value = measure(symbol)
      if (value >= bound)
        found.push({
          value,
          violation: { file: path, line: symbol.line, symbol: symbol.id, text: words(value) }
        })
    }
  }
  return worst(found)
}

const deprecatedUses = (view: GraphView, wanted: (path: string) => boolean): ReadonlyArray<Violation> => {
  const found: Array<Measured> = []
  const seen = new Set<string>()
  for (const { path, skipped } of view.files()) {
    if (skipped !== undefined) continue
    for (const ref of view.definitions(path)) {
      if (!view.symbol(ref).flags.includes("deprecated")) continue
      for (const edge of view.incoming(ref)) {
        if (edge.tier === "name" || edge.role === "import" || edge.role === "export" || !wanted(edge.path))
          continue
        if (edge.path === path || isWithin(view, edge.from, ref)) continue
        const key = `${edge.path}:${edge.line}:${ref}`
        if (seen.has(key)) continue
        seen.add(key)
        found.push({
          value: 0,
          violation: {
            file: edge.path,
            line: edge.line,
            ...(view.isFile(edge.from) ? {} : { symbol: view.idOf(edge.from) }),
            text: `uses ${view.idOf(ref)}`
          }
        })
      }
    }
  }
  return worst(found)
}

const isWithin = (view: GraphView, inner: SymbolRef, outer: SymbolRef): boolean => {
  for (let at: SymbolRef | undefined = inner; at !== undefined; at = view.parent(at))
    if (at === outer) return true
  return false
}

export const graphInspections: ReadonlyArray<GraphInspection> = [
  {
    id: "syntax-errors",
    category: "index",
    description: "Files that could be read in part only.",
    severity: "warning",
    run: (view, wanted) =>
      worst(
        view
          .files()
          .filter(({ parse_errors, path }) => parse_errors > 0 && wanted(path))
          .map(({ parse_errors, path }) => ({
            value: parse_errors,
            violation: { file: path, line: 1, text: `${parse_errors} places that do not parse` }
          }))
      )
  },
  {
    id: "unread-files",
    category: "index",
    description: "Files of a known language that were not read.",
    severity: "info",
    run: (view, wanted) =>
      worst(
        view
          .files()
          .filter(
            ({ language, path, skipped }) =>
              language !== undefined && skipped !== undefined && skipped !== "no_language" && wanted(path)
          )
          .map(({ path, size, skipped }) => ({
            value: size,
            violation: { file: path, line: 1, text: `${skipped}, ${size} bytes` }
          }))
      )
  },
  {
    id: "complex-function",
    category: "structure",
    description: `Functions with a cyclomatic complexity of ${manyPaths} or more.`,
    severity: "warning",
    run: (view, wanted) =>
      functions(
        view,
        wanted,
        ({ complexity }) => complexity,
        manyPaths,
        (value) => `complexity ${value}`
      )
  },
  {
    id: "long-function",
    category: "structure",
    description: `Functions of ${manyLines} lines or more.`,
    severity: "info",
    run: (view, wanted) =>
      functions(
        view,
        wanted,
        ({ end_line, start_line }) => end_line - start_line + 1,
        manyLines,
        (value) => `${value} lines`
      )
  },
  {
    id: "long-file",
    category: "structure",
    description: `Files of code with ${manyFileLines} lines or more.`,
    severity: "info",
    run: (view, wanted) =>
      worst(
        view
          .files()
          .filter(
            ({ generated, lines, path, symbols, test }) =>
              !generated && !test && symbols > 0 && lines >= manyFileLines && wanted(path)
          )
          .map(({ lines, path }) => ({
            value: lines,
            violation: { file: path, line: 1, text: `${lines} lines` }
          }))
      )
  },
  {
    id: "deprecated-use",
    category: "structure",
    description: "Uses of definitions that are marked as deprecated, from other files.",
    severity: "warning",
    run: deprecatedUses
  },
  {
    id: "work-comment",
    category: "comments",
    description: "TODO, FIXME, HACK and XXX comments.",
    severity: "info",
    run: (view, wanted) =>
      worst(
        view
          .marks()
          .filter(({ kind, path }) => kind === "todo" && wanted(path))
          .map(({ line, path, text, within }) => ({
            value: 0,
            violation: {
              file: path,
              line,
              ...(view.isFile(within) ? {} : { symbol: view.idOf(within) }),
              text: text.slice(0, 160)
            }
          }))
      )
  }
]
