/** Which definition a line of a file belongs to. */
import type { GraphView, SymbolInfo, SymbolRef } from "../../services/CodeGraph.ts"

/** The definitions of one file that its lines belong to: those other code can know of, not what is local to a body. */
export interface Owners {
  readonly symbols: ReadonlyArray<SymbolInfo>
  /** The innermost definition around a line, 1-based; undefined outside of all. */
  readonly at: (line: number) => SymbolInfo | undefined
}

const local = ({ flags }: SymbolInfo): boolean => flags.includes("local")

export const ownersOf = (view: GraphView, path: string): Owners => {
  const hidden = new Set<SymbolRef>()
  const symbols: Array<SymbolInfo> = []
  let last = 0
  for (const ref of view.definitions(path)) {
    const parent = view.parent(ref)
    const info = view.symbol(ref)
    // What lies in a local definition is as local as that, whatever it says of itself.
    if (local(info) || (parent !== undefined && hidden.has(parent))) {
      hidden.add(ref)
      continue
    }
    symbols.push(info)
    last = Math.max(last, info.end_line)
  }
  const owner = new Int32Array(last + 1).fill(-1)
  // Source order has the outer before the inner, and a definition that begins later on the same line wins it.
  symbols.forEach(({ end_line, start_line }, place) => owner.fill(place, start_line, end_line + 1))
  return { symbols, at: (line) => symbols[owner[line] ?? -1] }
}

const remark = /^\s*(?:\/\/|\/\*|\*|#(?!\[|!\[|include|define|if|else|endif|pragma)|--|;|<!--|"""|'''|$)/
/** Words that bring names in and do nothing. */
const bringing =
  /^\s*(?:import\b|from\s+\S+\s+import\b|export\s*(?:\*|\{[^}]*\})\s*from\b|use\s|pub\s+use\s|mod\s+\w+;|package\b|using\s|require(?:_relative)?\b|#include\b|\}\s*from\b|[\w*{},\s"'`]*["'][^"']*["'];?\s*$)/

/** Whether a line outside of all definitions does anything when the file is run: it is no blank, remark or import. */
export const isTopLevelCode = (text: string, imports: ReadonlySet<number>, line: number): boolean =>
  !remark.test(text) && !bringing.test(text) && !imports.has(line)
