/** The catalog as it is listed: one body per policy, scope, intent and form, made once. */
import { type Catalog, type CatalogRow, digestOf, statsOf } from "../../../pipeline/Catalog.ts"
import { projectAll } from "../../../pipeline/Providers.ts"
import type { Policy } from "../../../policy/Policy.ts"
import type { catalogFormats, catalogScopes } from "./Schemas.ts"

export interface Query {
  readonly scope: (typeof catalogScopes)[number]
  readonly intent?: string | undefined
  readonly format: (typeof catalogFormats)[number]
}

export interface Listing {
  readonly text: string
  /** Base64url SHA-256 of the body, whatever the order of its keys. */
  readonly digest: string
}

/** Listings kept of one policy. */
const most = 64

/** Words too common to tell anything. */
const stop = new Set([
  "the",
  "and",
  "for",
  "with",
  "this",
  "that",
  "from",
  "into",
  "what",
  "which",
  "are",
  "all"
])

const wordsOf = (text: string): ReadonlyArray<string> =>
  text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 2 && !stop.has(word))

/**
 * The rows an intent has to do with: those that share a word with it. `capabilities` stays, since it leads to the rest; and
 * where nothing fits, nothing is left out.
 */
const narrowed = (rows: ReadonlyArray<CatalogRow>, intent: string): ReadonlyArray<CatalogRow> => {
  const wanted = wordsOf(intent)
  if (wanted.length === 0) return rows
  const fits = (row: CatalogRow) => {
    const own = wordsOf(`${row.name} ${row.description}`)
    return wanted.some((word) => own.some((other) => other.startsWith(word) || word.startsWith(other)))
  }
  const kept = rows.filter(fits)
  return kept.length === 0
    ? rows
    : rows.filter((row) => kept.includes(row) || row.name.startsWith("capabilities."))
}

const made = new WeakMap<Policy, Map<string, Listing>>()

/** The listing a query asks for. */
export const listingOf = (
  catalog: Catalog,
  policy: Policy,
  { format, intent = "", scope }: Query
): Listing => {
  let held = made.get(policy)
  if (held === undefined) made.set(policy, (held = new Map()))
  const key = `${scope} ${format} ${intent.trim()}`
  const known = held.get(key)
  if (known !== undefined) return known
  const rows = narrowed(catalog.rows(policy, scope), intent)
  const body =
    format === "portos"
      ? { type: "portos_tool_catalog", schemaVersion: 1, scope, tools: rows, stats: statsOf(rows) }
      : { type: `${format}_tool_catalog`, schemaVersion: 1, scope, tools: projectAll(format, rows) }
  const listing = { text: JSON.stringify(body), digest: digestOf(body) }
  const [oldest] = held.keys()
  if (held.size >= most && oldest !== undefined) held.delete(oldest)
  held.set(key, listing)
  return listing
}
