/** The five tools that show what the agent context has. They read, and nothing else. */
import { fitting, type Item, mostRef, present, refOf, says, scopeOf } from "./Item.ts"
import { exclusions, limits, type Scope, scopes as allScopes, type Settings } from "./Settings.ts"
import { type Ask, type Found, locate, read, SourceFailed } from "./Sources.ts"

type Fields = { readonly [key: string]: unknown }

/** A tool as it is listed. */
export interface ToolDefinition {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: Fields
  readonly outputSchema?: Fields
  readonly annotations: {
    readonly readOnlyHint: boolean
    readonly destructiveHint: boolean
    readonly idempotentHint: boolean
    readonly openWorldHint: boolean
  }
}

/** What was asked for is not what the tool takes. */
export class BadArguments extends Error {}

/** A scope that the settings leave out. */
export class ScopeDisabled extends Error {
  readonly code = "scope_disabled"
  constructor(readonly scope: string) {
    super(`the scope ${scope} is not enabled in the settings of the agent context`)
  }
}

const annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false
} as const

const closed = (properties: Fields, required: ReadonlyArray<string> = []): Fields => ({
  type: "object",
  properties,
  ...(required.length === 0 ? {} : { required }),
  additionalProperties: false
})

const status = { type: "string", enum: ["fresh", "stale"] }
const flag = { type: "boolean" }
const count = { type: "integer", minimum: 0 }

const item = closed(
  {
    ref: { type: "string", maxLength: mostRef },
    scope: { type: "string", enum: allScopes },
    kind: { type: "string", maxLength: 80 },
    title: { type: "string", maxLength: 160 },
    summary: { type: "string", maxLength: limits.maxSummaryChars },
    path: { type: "string", maxLength: 300 }
  },
  ["ref", "scope", "kind", "title", "summary"]
)
const items = { type: "array", items: item, maxItems: limits.maxResults }
const query = { type: "string", minLength: 1, maxLength: 200 }
const limit = { type: "integer", minimum: 1, maximum: limits.maxResults, default: limits.defaultResults }

/** Scopes in which there is somewhere to go. */
const navigable: ReadonlyArray<Scope> = ["symbols", "docs", "repositories"]

/** The tools, as the settings have them. */
export const definitions = ({ scopes }: Settings): ReadonlyArray<ToolDefinition> => [
  {
    name: "context_profile",
    title: "Context profile",
    description: "What this context shows and grants, its bounds, and what it never shows.",
    inputSchema: closed({}),
    outputSchema: closed(
      {
        profile: { type: "string" },
        scopes: { type: "array", items: { type: "string" } },
        actions: { type: "object" },
        limits: { type: "object" },
        exclusions: { type: "array", items: { type: "string" } }
      },
      ["profile", "scopes", "actions", "limits", "exclusions"]
    ),
    annotations
  },
  {
    name: "search_context",
    title: "Search context",
    description: "Items that have some words in what is shown of them, whatever the case.",
    inputSchema: closed(
      {
        query,
        scopes: { type: "array", items: { type: "string", enum: scopes }, minItems: 1, uniqueItems: true },
        limit
      },
      ["query"]
    ),
    outputSchema: closed(
      { items, total: count, truncated: flag, sourceTruncated: flag, sourceStatus: status },
      ["items", "total", "truncated", "sourceTruncated", "sourceStatus"]
    ),
    annotations
  },
  {
    name: "get_context",
    title: "Get context",
    description: "One item by its ref; null when it is not there.",
    inputSchema: closed({ ref: { type: "string", minLength: 1, maxLength: mostRef } }, ["ref"]),
    outputSchema: closed(
      { item: { anyOf: [item, { type: "null" }] }, sourceTruncated: flag, sourceStatus: status },
      ["item", "sourceTruncated", "sourceStatus"]
    ),
    annotations
  },
  {
    name: "list_context",
    title: "List context",
    description: "The items of a scope, page by page.",
    inputSchema: closed(
      { scope: { type: "string", enum: scopes }, cursor: { type: "integer", minimum: 0 }, limit },
      ["scope"]
    ),
    outputSchema: closed(
      {
        items,
        total: count,
        nextCursor: { anyOf: [count, { type: "null" }] },
        truncated: flag,
        sourceTruncated: flag,
        sourceStatus: status
      },
      ["items", "total", "nextCursor", "truncated", "sourceTruncated", "sourceStatus"]
    ),
    annotations
  },
  ...(navigable.some((scope) => scopes.includes(scope))
    ? [
        {
          name: "resolve_navigation",
          title: "Resolve navigation",
          description: "The one place a name most likely means; null when nothing is named like that.",
          inputSchema: closed({ query }, ["query"]),
          outputSchema: closed({ match: { anyOf: [item, { type: "null" }] }, sourceStatus: status }, [
            "match",
            "sourceStatus"
          ]),
          annotations
        }
      ]
    : [])
]

/** Reads arguments of one call; every complaint names its field. */
class Arguments {
  readonly #given: Fields
  constructor(given: Fields, known: ReadonlyArray<string>) {
    this.#given = given
    const other = Object.keys(given).find((key) => !known.includes(key))
    if (other !== undefined)
      throw new BadArguments(
        `${other} is no argument of this tool; ${known.length === 0 ? "it takes none" : `valid: ${known.join(", ")}`}`
      )
  }

  text(name: string, most: number): string {
    const value = this.#given[name]
    const trimmed = typeof value === "string" ? value.trim() : ""
    if (trimmed === "" || trimmed.length > most)
      throw new BadArguments(`${name} must be a text of 1 to ${most} characters`)
    return trimmed
  }

  whole(name: string, least: number, most: number, standard: number): number {
    const value = this.#given[name] ?? standard
    if (typeof value !== "number" || !Number.isSafeInteger(value) || value < least || value > most)
      throw new BadArguments(
        `${name} must be a whole number from ${least}${most === Number.MAX_SAFE_INTEGER ? "" : ` to ${most}`}`
      )
    return value
  }

  scopes(name: string, enabled: ReadonlyArray<Scope>): ReadonlyArray<Scope> {
    const value = this.#given[name]
    if (value === undefined) return enabled
    if (!Array.isArray(value) || value.length === 0 || new Set(value).size !== value.length)
      throw new BadArguments(`${name} must be a list of scopes, each once`)
    return value.map((each) => enabledScope(name, each, enabled))
  }

  scope(name: string, enabled: ReadonlyArray<Scope>): Scope {
    return enabledScope(name, this.#given[name], enabled)
  }
}

const enabledScope = (name: string, value: unknown, enabled: ReadonlyArray<Scope>): Scope => {
  const scope = allScopes.find((each) => each === value)
  if (scope === undefined)
    throw new BadArguments(
      `${name}: there is no scope ${JSON.stringify(value)}; enabled: ${enabled.join(", ")}`
    )
  if (!enabled.includes(scope)) throw new ScopeDisabled(scope)
  return scope
}

const statusOf = (found: ReadonlyArray<Found>): "fresh" | "stale" =>
  found.some(({ stale }) => stale) ? "stale" : "fresh"

/** Reads several scopes, one after the other: a caller takes one place in the queue. */
const readScopes = async (
  scopes: ReadonlyArray<Scope>,
  ask: Ask,
  words?: string
): Promise<ReadonlyArray<Found>> => {
  const found: Array<Found> = []
  for (const scope of scopes) found.push(await read(scope, ask, words))
  return found
}

type Run = (settings: Settings, given: Fields, ask: Ask) => Promise<Fields>

/** How near a name is to what was asked for; undefined for not at all. */
const nearness = (shown: Item, words: string): number | undefined => {
  const asked = words.toLowerCase()
  const title = shown.title.toLowerCase()
  const path = shown.path?.toLowerCase()
  if (shown.ref.toLowerCase().endsWith(`:${asked}`)) return 0
  if (title === asked) return 1
  if (path === asked) return 2
  if (title.startsWith(asked)) return 3
  if (title.includes(asked)) return 4
  return path?.includes(asked) === true ? 5 : undefined
}

const runs: { readonly [tool: string]: Run } = {
  context_profile: async ({ actions, profile, scopes }, given) => {
    new Arguments(given, [])
    return { profile, scopes, actions, limits, exclusions }
  },

  search_context: async ({ profile, scopes }, given, ask) => {
    const args = new Arguments(given, ["query", "scopes", "limit"])
    const words = args.text("query", 200)
    const most = args.whole("limit", 1, limits.maxResults, limits.defaultResults)
    const found = await readScopes(args.scopes("scopes", scopes), ask, words)
    const matches = found
      .flatMap(({ rows }) => rows)
      .flatMap((raw) => {
        const shown = present(raw, profile)
        return says(raw, shown, profile, words) ? [shown] : []
      })
    const sourceTruncated = found.some(({ truncated }) => truncated)
    const answer = (shown: ReadonlyArray<Item>) => ({
      items: shown,
      total: matches.length,
      truncated: shown.length < matches.length || sourceTruncated,
      sourceTruncated,
      sourceStatus: statusOf(found)
    })
    return answer(fitting(matches.slice(0, most), JSON.stringify(answer([])).length))
  },

  get_context: async ({ profile, scopes }, given, ask) => {
    const ref = new Arguments(given, ["ref"]).text("ref", mostRef)
    const scope = scopeOf(ref, scopes)
    if (scope === undefined) {
      if (scopeOf(ref, allScopes) === undefined)
        throw new BadArguments("ref must be one that an item of this context has")
      return { item: null, sourceTruncated: false, sourceStatus: "fresh" }
    }
    const found = await locate(scope, ref, ask)
    const raw = found.rows.find((each) => refOf(each) === ref)
    return {
      item: raw === undefined ? null : present(raw, profile),
      sourceTruncated: found.truncated,
      sourceStatus: statusOf([found])
    }
  },

  list_context: async ({ profile, scopes }, given, ask) => {
    const args = new Arguments(given, ["scope", "cursor", "limit"])
    const scope = args.scope("scope", scopes)
    const from = args.whole("cursor", 0, Number.MAX_SAFE_INTEGER, 0)
    const most = args.whole("limit", 1, limits.maxResults, limits.defaultResults)
    const found = await read(scope, ask)
    const total = found.rows.length
    const answer = (shown: ReadonlyArray<Item>) => {
      const next = from + shown.length
      return {
        items: shown,
        total,
        nextCursor: next < total ? next : null,
        truncated: next < total || found.truncated,
        sourceTruncated: found.truncated,
        sourceStatus: statusOf([found])
      }
    }
    const page = found.rows.slice(from, from + most).map((raw) => present(raw, profile))
    return answer(fitting(page, JSON.stringify(answer([])).length))
  },

  resolve_navigation: async ({ profile, scopes }, given, ask) => {
    const words = new Arguments(given, ["query"]).text("query", 200)
    const found = await readScopes(
      navigable.filter((scope) => scopes.includes(scope)),
      ask,
      words
    )
    let match: Item | null = null
    let best = Infinity
    for (const raw of found.flatMap(({ rows }) => rows)) {
      const shown = present(raw, profile)
      const near = nearness(shown, words)
      if (near !== undefined && near < best) {
        best = near
        match = shown
      }
    }
    return { match, sourceStatus: statusOf(found) }
  }
}

/** Runs a tool of these; undefined when the settings have none of that name. */
export const runOf = (
  settings: Settings,
  name: string
): ((given: Fields, ask: Ask) => Promise<Fields>) | undefined => {
  const run = Object.hasOwn(runs, name) ? runs[name] : undefined
  return run === undefined || !definitions(settings).some((tool) => tool.name === name)
    ? undefined
    : (given, ask) => run(settings, given, ask)
}

/** What a tool that failed says: a code and words. */
export const failureOf = (cause: unknown): { readonly code: string; readonly message: string } | undefined =>
  cause instanceof SourceFailed || cause instanceof ScopeDisabled
    ? { code: cause.code, message: cause.message }
    : undefined
