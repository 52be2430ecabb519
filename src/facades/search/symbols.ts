import { fromService } from "../../registry/Failure.ts"
import { Effect } from "effect"
import { page } from "../../registry/Answer.ts"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { CodeGraph, type GraphView, type SymbolMatches, type SymbolQuery } from "../../services/CodeGraph.ts"
import { equivalentsOf } from "../explore/Question.ts"
import * as Shared from "../fields.ts"
import { unreadFiles } from "../shared/coverage.ts"
import { languagesOf } from "./Corpus.ts"
import { search } from "./facade.ts"
import { flavor } from "./fields.ts"
import { foundRow, rankedLimit } from "./Rows.ts"

const clause = /(^|\s)-?(kind|lang|language|path|flavor):("[^"]*"|\S+)/gi

/** Flavours are kinds of definition; a clause of one is written as the other. */
const asKinds = (query: string): string => query.replace(/(^|\s)(-?)flavor:/gi, "$1$2kind:")

const ranked = (view: GraphView, query: SymbolQuery, expand: boolean): SymbolMatches => {
  const found = view.search(query)
  if (
    !expand ||
    found.total >= 5 ||
    found.query_class === "symbol" ||
    found.query_class === "path" ||
    found.query_class === "signature"
  )
    return found
  const words: ReadonlyArray<string> = query.text.toLowerCase().match(/[a-z]{2,}/g) ?? []
  const more = [...new Set(words.flatMap(equivalentsOf))].filter((w) => !words.includes(w))
  if (more.length === 0) return found
  // What the words themselves found stays in front.
  const wider = view.search({ ...query, text: `${query.text} ${more.join(" ")}` })
  const first = new Set(found.matches.map((m) => m.ref))
  return {
    ...found,
    matches: [...found.matches, ...wider.matches.filter((m) => !first.has(m.ref))].slice(0, query.limit),
    total: Math.max(found.total, wider.total)
  }
}

const needs = [CodeGraph] as const

export const symbols: Member<typeof search, "symbols", typeof needs> = search.operation("symbols", {
  narrows: "path",
  tool: "search_symbols",
  federated: true,
  presets: ["agent", "core", "edit", "nav", "localization", "hybrid"],
  summary: "Symbols by name, concept or keywords, ranked; filters may stand in the query.",
  fixed: { assist: "off" },
  page: { default: 20, max: 200 },
  input: F.input({
    query: F.described(
      F.text,
      'name, concept or keywords; may carry kind:, lang:, path: and flavor: filters, -path: and so on to leave out, and "phrases"'
    ),
    options: F.group({
      kind: Shared.kinds,
      flavor,
      path: Shared.subPaths,
      corpus: F.withDefault(F.choice("code", "docs", "content", "all"), "code"),
      expand: F.withDefault(
        F.described(
          F.choice("both", "equivalence", "off"),
          "whether words of like meaning are tried when few symbols match"
        ),
        "both"
      ),
      max_per_file: F.described(
        F.clamped({ min: 0, max: 100, default: 3 }),
        "rows of one file among the first; 0 for any number"
      )
    })
  }),
  needs,
  handler: (input, call) =>
    Effect.gen(function* () {
      const view = yield* (yield* CodeGraph).view
      const { options } = input
      const limit = call.limit ?? 20
      const text = asKinds(input.query)
      const query: SymbolQuery = {
        text,
        kinds: options.kind,
        // A language named in the query is searched whatever corpus it belongs to.
        languages: /(^|\s)lang(?:uage)?:/i.test(text) ? undefined : languagesOf(view, options.corpus),
        paths: options.path,
        per_file: options.max_per_file,
        limit: rankedLimit(call.offset, limit)
      }
      const flavours = options.flavor
      const narrowed =
        flavours === undefined || flavours.length === 0
          ? query
          : {
              ...query,
              kinds: options.kind === undefined ? flavours : options.kind.filter((k) => flavours.includes(k))
            }
      // Kinds and flavours that exclude each other leave nothing, not everything.
      const contradictory =
        narrowed.kinds !== undefined &&
        narrowed.kinds.length === 0 &&
        flavours !== undefined &&
        flavours.length > 0
      const expand = options.expand !== "off"
      let found: SymbolMatches = contradictory
        ? { matches: [], total: 0, query_class: "symbol" }
        : ranked(view, narrowed, expand)
      const clauses = [...text.matchAll(clause)].map((m) => m[0].trim())
      let relaxed: ReadonlyArray<string> | undefined
      if (found.total === 0 && clauses.length > 0 && !contradictory) {
        const bare = text.replace(clause, " ").trim()
        if (bare !== "") {
          const wide = ranked(view, { ...narrowed, text: bare }, expand)
          if (wide.total > 0) {
            found = wide
            relaxed = clauses
          }
        }
      }
      const rows = found.matches
        .slice(call.offset, call.offset + limit)
        .map(({ match, ref }) => foundRow(view.symbol(ref), match))
      const indexing = view.freshness.state === "indexing"
      const unread = found.total === 0 ? unreadFiles(view) : 0
      const causes = [...(indexing ? ["indexing"] : []), ...(unread > 0 ? ["unread_files"] : [])]
      return page(
        "results",
        {
          results: rows,
          total: found.total,
          query_class: found.query_class,
          ...(relaxed === undefined ? {} : { filters_relaxed: relaxed }),
          ...(causes.length > 0 ? { complete: false, causes } : {}),
          ...(unread > 0 ? { unread_files: unread } : {}),
          ...(found.total > 0 ? {} : { query_advice: adviceOf(found.query_class, options.corpus) })
        },
        {
          from: call.offset,
          total: Math.max(found.total, call.offset + rows.length),
          snapshot: view.generation
        }
      )
    }).pipe(Effect.mapError(fromService))
})

const adviceOf = (queryClass: string, corpus: string): string =>
  queryClass === "symbol"
    ? `No definition ${corpus === "all" ? "" : `in ${corpus} `}is named like this; search.text finds words in file contents.`
    : "No definition says these words; fewer or other words, or search.text for file contents."
