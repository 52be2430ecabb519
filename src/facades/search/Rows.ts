/** Symbols as the rows of search answers. */
import type { SymbolInfo } from "../../services/CodeGraph.ts"

export const symbolRow = (info: SymbolInfo) => ({
  id: info.id,
  kind: info.kind,
  name: info.name,
  file_path: info.path,
  start_line: info.start_line,
  signature: info.signature.length > 240 ? `${info.signature.slice(0, 239)}…` : info.signature,
  ...(info.test ? { test: true as const } : {})
})

/** A page is cut from a ranking of at least this many rows, so that every page is cut from the same one. */
const block = 200
export const rankedLimit = (offset: number, limit: number): number =>
  Math.ceil((offset + limit) / block) * block
