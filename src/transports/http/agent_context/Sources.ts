/** Where the rows of each scope come from: reading operations, called like any other call. */
import type { Raw } from "./Item.ts"
import { limits, type Scope } from "./Settings.ts"

/** What a source has. */
export interface Found {
  readonly rows: ReadonlyArray<Raw>
  /** Whether there is more than could be looked at. */
  readonly truncated: boolean
  /** Whether what was looked at may be behind the files. */
  readonly stale: boolean
}

/** A source that does not answer. Never the same as one that has nothing. */
export class SourceFailed extends Error {
  constructor(
    readonly scope: Scope,
    readonly code: string,
    why: string
  ) {
    super(`${scope}: ${why}`)
  }
}

type Row = { readonly [key: string]: unknown }

/** Makes a reading call; answers its structured form, and rejects with what went wrong. */
export type Ask = (tool: string, args: Row) => Promise<Row>

/** An operation that failed. */
export class Failed extends Error {
  constructor(
    readonly code: string,
    message: string
  ) {
    super(message)
  }
}

const text = (value: unknown): string => (typeof value === "string" ? value : "")

const isRow = (value: unknown): value is Row =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Rows of a page at most, which every operation asked here allows. */
const pageRows = 200

interface Listed {
  readonly rows: ReadonlyArray<Row>
  readonly more: boolean
  readonly stale: boolean
}

/** Reads a list page by page, up to what is looked at of a source. */
const readAll = async (ask: Ask, tool: string, args: Row, field: string): Promise<Listed> => {
  const rows: Array<Row> = []
  let cursor: unknown
  let stale = false
  do {
    const answer = await ask(tool, {
      ...args,
      output: { limit: pageRows, max_bytes: 0, ...(cursor === undefined ? {} : { cursor }) }
    })
    const page = answer[field]
    if (!Array.isArray(page)) throw new Failed("unexpected_answer", `${tool} gave no ${field}`)
    rows.push(...page.filter(isRow))
    stale ||= answer["complete"] === false || answer["stale_files"] !== undefined
    cursor = answer["next_cursor"]
  } while (typeof cursor === "string" && rows.length < limits.maxSourceItems)
  return {
    rows: rows.slice(0, limits.maxSourceItems),
    more: typeof cursor === "string" || rows.length > limits.maxSourceItems,
    stale
  }
}

const isBehind = async (ask: Ask): Promise<boolean> => {
  const { freshness, state } = await ask("workspace", { operation: "index" })
  return state !== "ready" || (isRow(freshness) && freshness["state"] !== "fresh")
}

const symbolsOf = (ask: Ask, query: string, corpus: "code" | "docs", path?: string): Promise<Listed> =>
  readAll(
    ask,
    "search",
    {
      operation: "symbols",
      query,
      options: { corpus, expand: "off", max_per_file: 0, ...(path === undefined ? {} : { path: [path] }) }
    },
    "results"
  )

const symbolRow =
  (scope: Scope) =>
  (row: Row): Raw => {
    const path = text(row["file_path"])
    const kind = text(row["kind"]) || "symbol"
    const where = `${path}:${String(row["start_line"] ?? "")}`
    return {
      scope,
      kind,
      id: text(row["id"]),
      title: text(row["name"]),
      text: [text(row["signature"]), text(row["doc"])].filter((each) => each !== "").join(" — "),
      path,
      label: `${kind} in ${where}`,
      personal: false
    }
  }

/** A symbol search may not know every part of a name, so what is listed anyway is looked at as well. */
const withSearched = async (
  ask: Ask,
  corpus: "code" | "docs",
  query: string | undefined
): Promise<Listed> => {
  const all = await symbolsOf(ask, "path:.", corpus)
  if (query === undefined || !all.more) return all
  // Words with a colon would be read as filters.
  const words = query.replace(/[:"]/g, " ").trim()
  if (words === "") return all
  const found = await symbolsOf(ask, words, corpus)
  const seen = new Set(found.rows.map((row) => row["id"]))
  return {
    rows: [...found.rows, ...all.rows.filter((row) => !seen.has(row["id"]))],
    more: true,
    stale: all.stale || found.stale
  }
}

const kept = async (
  ask: Ask,
  scope: "memories" | "notebooks",
  operation: string,
  fields: ReadonlyArray<string>,
  label: string
): Promise<Found> => {
  const answer = await ask("recall", { operation, output: { max_bytes: 0 } })
  const field = fields.find((each) => Array.isArray(answer[each]))
  if (field === undefined)
    throw new Failed("unexpected_answer", `recall.${operation} gave no ${fields.join(" or ")}`)
  const all = (answer[field] as ReadonlyArray<unknown>).filter(isRow)
  return {
    rows: all.slice(0, limits.maxSourceItems).map((row) => ({
      scope,
      kind: scope === "memories" ? "memory" : "notebook_entry",
      id: text(row["id"]),
      title: text(row["title"]) || text(row["body"]).slice(0, 80),
      text: text(row["body"]),
      label,
      personal: true
    })),
    truncated: all.length > limits.maxSourceItems || answer["next_cursor"] !== undefined,
    stale: false
  }
}

type Source = (ask: Ask, query: string | undefined) => Promise<Found>

const sources: { readonly [S in Scope]: Source } = {
  repositories: async (ask) => {
    const { repos } = await ask("workspace", { operation: "repos" })
    if (!Array.isArray(repos)) throw new Failed("unexpected_answer", "workspace.repos gave no repositories")
    return {
      rows: repos
        .filter(isRow)
        .slice(0, limits.maxSourceItems)
        .map((row) => ({
          scope: "repositories",
          kind: "repository",
          id: `${text(row["name"])}@${text(row["root"])}`,
          title: text(row["name"]),
          text: "",
          path: text(row["root"]),
          label: "a repository of the workspace",
          personal: false
        })),
      truncated: repos.length > limits.maxSourceItems,
      stale: false
    }
  },
  symbols: async (ask, query) => {
    const { more, rows, stale } = await withSearched(ask, "code", query)
    return { rows: rows.map(symbolRow("symbols")), truncated: more, stale: stale || (await isBehind(ask)) }
  },
  docs: async (ask, query) => {
    const files = await readAll(
      ask,
      "search",
      { operation: "files", options: { glob: "**/*.{md,mdx,markdown}" } },
      "files"
    )
    const headings = await withSearched(ask, "docs", query)
    const documents = files.rows.map((row): Raw => {
      const path = text(row["path"])
      return {
        scope: "docs",
        kind: "document",
        id: path,
        title: path.slice(path.lastIndexOf("/") + 1),
        text: "",
        path,
        label: "a document of the repository",
        personal: false
      }
    })
    const rows = [...documents, ...headings.rows.map(symbolRow("docs"))]
    return {
      rows: query === undefined ? rows.slice(0, limits.maxSourceItems) : rows,
      truncated: files.more || headings.more || rows.length > limits.maxSourceItems,
      stale: files.stale || headings.stale || (await isBehind(ask))
    }
  },
  memories: (ask) => kept(ask, "memories", "memories", ["memories"], "a memory that was kept"),
  notebooks: (ask) =>
    kept(ask, "notebooks", "notebook_list", ["notebooks", "entries"], "an entry of the notebook")
}

const named = async (scope: Scope, found: Promise<Found>): Promise<Found> => {
  try {
    return await found
  } catch (cause) {
    if (cause instanceof Failed) throw new SourceFailed(scope, cause.code, cause.message)
    throw cause
  }
}

/** Reads a scope: all of it, or what may have some words. Rejects with {@link SourceFailed}. */
export const read = (scope: Scope, ask: Ask, query?: string): Promise<Found> =>
  named(scope, sources[scope](ask, query))

/** Reads the part of a scope in which a reference would be: the file it names, or all. */
export const locate = (scope: Scope, ref: string, ask: Ask): Promise<Found> => {
  const [, path] = /^[^:]+:[^:]+:(.+?)::/.exec(ref) ?? []
  if (path === undefined || (scope !== "symbols" && scope !== "docs")) return read(scope, ask)
  return named(
    scope,
    (async () => {
      const { more, rows, stale } = await symbolsOf(
        ask,
        "path:.",
        scope === "symbols" ? "code" : "docs",
        path
      )
      return { rows: rows.map(symbolRow(scope)), truncated: more, stale: stale || (await isBehind(ask)) }
    })()
  )
}
