/** Symbols as the rows of search answers. */
import type { SymbolInfo, SymbolMatch } from "../../services/CodeGraph.ts"

export interface FoundRow {
  readonly id: string
  readonly kind: string
  readonly name: string
  readonly file_path: string
  readonly start_line: number
  readonly signature: string
  readonly test?: true
  readonly match: SymbolMatch["match"]
}

export const foundRow = (info: SymbolInfo, match: SymbolMatch["match"]): FoundRow => {
  const { id, kind, name, path: file_path, signature: whole, start_line } = info
  const signature = whole.length > 240 ? `${whole.slice(0, 239)}…` : whole
  return info.test
    ? { id, kind, name, file_path, start_line, signature, test: true, match }
    : { id, kind, name, file_path, start_line, signature, match }
}

/** A page is cut from a ranking of at least this many rows, so that every page is cut from the same one. */
const block = 200
export const rankedLimit = (offset: number, limit: number): number =>
  Math.ceil((offset + limit) / block) * block
