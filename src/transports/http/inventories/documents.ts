/** The six inventories as they are served. One and the same build makes them byte for byte alike, wherever it runs. */
import { createHash } from "node:crypto"
import { routeCatalog } from "./catalog.ts"
import { asyncApi, eventCatalog } from "./events.ts"
import { openApi } from "./openapi.ts"
import { type AnyApi, routesOf } from "./Routes.ts"
import type { JsonRecord } from "./Schemas.ts"
import { toolResource } from "./tools.ts"

export const documentNames = [
  "catalog.json",
  "internal/openapi.json",
  "openapi.json",
  "events.json",
  "asyncapi.json",
  "tools.min.json"
] as const
export type DocumentName = (typeof documentNames)[number]

export interface InventoryDocument {
  readonly name: DocumentName
  readonly value: JsonRecord
  readonly text: string
  /** Hex SHA-256 of the text. */
  readonly digest: string
}

export type Documents = { readonly [N in DocumentName]: InventoryDocument }

const textOf = (name: DocumentName, value: JsonRecord): string =>
  `${name.includes(".min.") ? JSON.stringify(value) : JSON.stringify(value, null, 2)}\n`

/** Makes the documents of an API. Throws when a route of it is not declared, or is declared and not there. */
export const documentsOf = (api: AnyApi, version: string): Documents => {
  const routes = routesOf(api)
  const values: { readonly [N in DocumentName]: JsonRecord } = {
    "catalog.json": routeCatalog(routes),
    "internal/openapi.json": openApi(routes, "internal", version),
    "openapi.json": openApi(routes, "public", version),
    "events.json": eventCatalog(),
    "asyncapi.json": asyncApi(version),
    "tools.min.json": toolResource(routes, version)
  }
  return Object.fromEntries(
    documentNames.map((name) => {
      const text = textOf(name, values[name])
      return [
        name,
        { name, value: values[name], text, digest: createHash("sha256").update(text).digest("hex") }
      ]
    })
  ) as Documents
}
