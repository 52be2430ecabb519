/** Which selector a call carries, before its operation is known and its input can be decoded. */
import { isRecord, type UnknownRecord } from "../registry/Json.ts"

export type Selector = "file" | "symbol" | "symbols" | "artifact" | "query"

const spellings: { readonly [name: string]: Selector } = {
  file: "file",
  path: "file",
  file_path: "file",
  symbol: "symbol",
  id: "symbol",
  symbol_id: "symbol",
  symbols: "symbols",
  ids: "symbols",
  symbol_ids: "symbols",
  artifact: "artifact",
  query: "query"
}

/** Whether a caller has sent something under a name: neither nothing nor blank. */
export const sent = (value: unknown): boolean =>
  value !== undefined &&
  value !== null &&
  !(typeof value === "string" && value.trim() === "") &&
  !(Array.isArray(value) && value.length === 0)

const within = (root: UnknownRecord): ReadonlyArray<Selector> => [
  ...new Set(
    Object.entries(spellings).flatMap(([name, selector]) =>
      Object.hasOwn(root, name) && sent(root[name]) ? [selector] : []
    )
  )
]

/** The one selector of the target, or at the top level of a call without a target. Undefined for none and for several. */
export const selector = (args: UnknownRecord): Selector | undefined => {
  const found = within(isRecord(args["target"]) ? args["target"] : args)
  return found.length === 1 ? found[0] : undefined
}
