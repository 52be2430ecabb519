/**
 * Catalog entries in the forms that providers of models and clients of the Model Context Protocol take. Each form is made
 * from the entry alone and leads back to it by its name.
 */
import { type Json, isRecord, type JsonRecord } from "../registry/Json.ts"
import type { CatalogEntry, CatalogRow } from "./Catalog.ts"

export const providerForms = ["openai", "anthropic", "mcp"] as const
export type ProviderForm = (typeof providerForms)[number]

/** Names that all of them accept. */
export const legalName = /^[a-zA-Z0-9_-]{1,64}$/

/** Names of fields that all of them accept. */
export const legalField = /^[a-zA-Z0-9_.-]{1,64}$/

/** The dotted path of a schema that only demands a field; undefined for any other schema. */
const demanded = (schema: unknown): string | undefined => {
  if (!isRecord(schema)) return undefined
  const { properties, required, ...rest } = schema
  const [name, ...more] = Array.isArray(required) ? (required as ReadonlyArray<unknown>) : []
  if (typeof name !== "string" || more.length > 0 || Object.keys(rest).length > 0) return undefined
  if (properties === undefined) return name
  if (!isRecord(properties) || Object.keys(properties).join() !== name) return undefined
  const inner = demanded(properties[name])
  return inner === undefined ? undefined : `${name}.${inner}`
}

const paths = (schemas: unknown): ReadonlyArray<string> | undefined => {
  if (!Array.isArray(schemas)) return undefined
  const found = schemas.map(demanded)
  return found.every((path) => path !== undefined) ? found : undefined
}

/** A rule between fields as a sentence. Throws on a rule of another kind, which would be lost. */
const ruleWords = (rule: unknown): string => {
  if (isRecord(rule) && Object.keys(rule).length === 1) {
    const one = paths(rule["oneOf"])
    if (one !== undefined) return `Exactly one of ${one.join(", ")}.`
    const some = paths(rule["anyOf"])
    if (some !== undefined) return `At least one of ${some.join(", ")}.`
    const both = isRecord(rule["not"]) ? paths(rule["not"]["allOf"]) : undefined
    if (both !== undefined) return `Not ${both.join(" together with ")}.`
  }
  throw new Error(`a rule between fields cannot be put into words: ${JSON.stringify(rule)}`)
}

/**
 * An input schema whose root combines nothing, which providers refuse. Rules between fields go into its description; the
 * call is checked against them all the same.
 */
export const flatRoot = (schema: JsonRecord): JsonRecord => {
  const { allOf, ...rest } = schema
  for (const key of ["oneOf", "anyOf", "not", "enum", "const", "$ref"])
    if (key in rest) throw new Error(`the root of an input schema holds ${key}`)
  if (allOf === undefined) return schema
  const rules = (allOf as ReadonlyArray<Json>).map(ruleWords)
  const said = typeof rest["description"] === "string" ? [rest["description"]] : []
  return { ...rest, description: [...said, ...rules].join(" ") }
}

const destroys = ({ policy }: CatalogEntry): boolean =>
  policy.effect !== "read" && policy.effect !== "session_write"

const forms: { readonly [F in ProviderForm]: (entry: CatalogEntry) => JsonRecord } = {
  openai: (entry) => ({
    type: "function",
    function: {
      name: entry.providerName,
      description: entry.description,
      parameters: flatRoot(entry.input_schema)
    }
  }),
  anthropic: (entry) => ({
    name: entry.providerName,
    description: entry.description,
    input_schema: flatRoot(entry.input_schema)
  }),
  mcp: (entry) => ({
    name: entry.providerName,
    title: entry.title,
    description: entry.description,
    inputSchema: flatRoot(entry.input_schema),
    outputSchema: entry.output_schema,
    annotations: {
      readOnlyHint: entry.policy.sideEffect === "read",
      destructiveHint: destroys(entry),
      idempotentHint: entry.policy.idempotent,
      openWorldHint: entry.policy.openWorld
    }
  })
}

/** An entry in a provider's form. */
export const project = (form: ProviderForm, entry: CatalogEntry): JsonRecord => forms[form](entry)

/**
 * The tools a model may be handed: what is there and has not been withheld from the scope's callers. These forms have no
 * place to say that a tool cannot be called.
 */
export const projectAll = (form: ProviderForm, rows: ReadonlyArray<CatalogRow>): ReadonlyArray<JsonRecord> =>
  rows.filter(({ available, granted }) => available && granted !== false).map((row) => project(form, row))

/** The name a tool in a provider's form goes by; undefined when it is no such tool. */
export const nameIn = (form: ProviderForm, tool: unknown): string | undefined => {
  if (!isRecord(tool)) return undefined
  const holder = form === "openai" ? tool["function"] : tool
  const name = isRecord(holder) ? holder["name"] : undefined
  return typeof name === "string" ? name : undefined
}

/**
 * The way back from provider names to entries. Throws when a name is not one that providers accept, or is the name of two
 * entries: what a model says would then not tell which one it means.
 */
export const byProviderName = (entries: ReadonlyArray<CatalogEntry>): ReadonlyMap<string, CatalogEntry> => {
  const found = new Map<string, CatalogEntry>()
  for (const entry of entries) {
    const name = entry.providerName
    if (!legalName.test(name)) throw new Error(`${entry.name}: ${name} is no name that providers accept`)
    const other = found.get(name)
    if (other !== undefined) throw new Error(`${name} stands for both ${other.name} and ${entry.name}`)
    found.set(name, entry)
  }
  return found
}
