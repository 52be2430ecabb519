/** Columns of the lists of answers, in the order they have for good. */
import type { Layout } from "../../registry/Layout.ts"
import { isRecord } from "../../registry/Json.ts"
import type { Shape } from "./Shape.ts"

export type Layouts = { readonly [operation: string]: Layout }

/** Columns by list, of the lists of objects in a result, in the order their members are declared in. */
export const columnsOf = (shape: Shape): { readonly [list: string]: ReadonlyArray<string> } => {
  const lists: { [list: string]: ReadonlyArray<string> } = {}
  for (const [name, inner] of Object.entries((shape["properties"] ?? {}) as { [name: string]: Shape }))
    for (const part of (inner["anyOf"] ?? [inner]) as ReadonlyArray<Shape>) {
      const items = part["items"]
      if (part["type"] !== "array" || !isRecord(items) || !isRecord(items["properties"])) continue
      const columns = Object.keys(items["properties"])
      if (columns.length > 0) lists[name] = [...new Set([...(lists[name] ?? []), ...columns])]
    }
  return lists
}

/** The layouts that follow on others: no column changes its place or goes, new ones come behind under the next version. */
export const evolved = (before: Layouts, shapes: ReadonlyMap<string, Shape>): Layouts => {
  const after: { [operation: string]: Layout } = {}
  for (const [operation, shape] of shapes) {
    const old = before[operation]
    const now = columnsOf(shape)
    const names = [...new Set([...Object.keys(old?.lists ?? {}), ...Object.keys(now)])]
    if (names.length === 0) continue
    let grown = false
    const lists: { [list: string]: ReadonlyArray<string> } = {}
    for (const name of names) {
      const held = old?.lists[name] ?? []
      const more = (now[name] ?? []).filter((column) => !held.includes(column))
      grown ||= more.length > 0
      lists[name] = [...held, ...more]
    }
    after[operation] = { version: (old?.version ?? 0) + (grown ? 1 : 0), lists }
  }
  return after
}
