/** Rows of an answer that fit its bytes. */
import { byteLength } from "../../registry/Json.ts"

/** A list whose rows may be made only when they are asked for. */
export interface Sliced<A> {
  readonly length: number
  readonly slice: (start: number, end: number) => ReadonlyArray<A>
}

/** As many of the rows from `offset` on, at most `limit`, as fit into the bytes beside `used`. */
export const fitting = <A, B extends object>(
  rows: Sliced<A>,
  page: { readonly offset: number; readonly limit: number; readonly bytes: number },
  show: (row: A) => B
): ReadonlyArray<B> => {
  const out: Array<B> = []
  let used = 0
  for (const row of rows.slice(page.offset, page.offset + page.limit)) {
    const shown = show(row)
    used += byteLength(shown) + 1
    if (used > page.bytes && out.length > 0) break
    out.push(shown)
  }
  return out
}

/** What is left after a page. */
export const remainder = (total: number, offset: number, shown: number) =>
  offset + shown < total ? { truncated: true as const, next_offset: offset + shown } : {}
