import { Effect } from "effect"
import { page } from "../../../../registry/Answer.ts"
import * as F from "../../../../registry/Fields.ts"
import { byteLength } from "../../../../registry/Json.ts"
import { isWithin } from "../../../../registry/Place.ts"
import { CodeGraph, type GraphView, type SymbolInfo } from "../../../../services/CodeGraph.ts"
import { ReadFs } from "../../../../services/ReadFs.ts"
import { TextIndex } from "../../../../services/TextIndex.ts"
import { WorkspaceView } from "../../../../services/WorkspaceView.ts"
import { unreadFiles } from "../../../shared/coverage.ts"
import { freshnessOf, graph } from "../../../shared/symbols.ts"
import { kind } from "../../facade.ts"
import { aroundOf } from "./Around.ts"
import { judgedLanguages } from "./Conventions.ts"
import { type Mentions, mentionsOf } from "./Mentions.ts"
import { withoutExpressions } from "./Expressions.ts"
import { type Sifted, type Unused, unusedOf } from "./Unused.ts"

/** Kinds that are looked at in any case. */
const usual = [
  "function",
  "method",
  "class",
  "struct",
  "interface",
  "enum",
  "trait",
  "type_alias",
  "union",
  "object",
  "macro"
]

export type Confidence = "high" | "medium" | "low"

/** How sure it is that a definition is dead, and why. */
export const verdictOf = (
  { caveats, exported, recursive }: Unused,
  mentions: Mentions,
  symbol: SymbolInfo
): { readonly confidence: Confidence; readonly why: string } => {
  const doubts = [
    ...(mentions.count === 0
      ? []
      : [
          `its name stands in ${mentions.atLeast ? "at least " : ""}${mentions.count} other line${mentions.count === 1 ? "" : "s"}`
        ]),
    ...(mentions.unknown ? ["texts were not searched to the end"] : []),
    ...caveats
  ]
  const scripted = ["php", "ruby", "lua", "bash"].includes(symbol.language)
  const confidence: Confidence =
    mentions.count > 0 || mentions.unknown || caveats.some((each) => each.startsWith("no file imports"))
      ? "low"
      : exported || scripted || caveats.length > 0
        ? "medium"
        : "high"
  const what = recursive ? "only its own body uses it" : "nothing uses it"
  const reach = exported
    ? "it is visible to other files, none of which uses it"
    : symbol.flags.includes("local")
      ? "it is local to the code around it"
      : "other files or packages cannot see it"
  return { confidence, why: [`${what}; ${reach}`, ...doubts].join("; ") }
}

/** Whether what nothing uses is asked for anew: by what was asked, for each snapshot. */
const sifted = new WeakMap<object, Map<string, Sifted>>()

const needs = [CodeGraph, ReadFs, TextIndex, WorkspaceView] as const

export const deadCode = kind("dead_code", {
  summary: "Symbols nothing uses.",
  tier: 1,
  page: { default: 100, max: 1000 },
  input: F.input({
    options: F.group({
      include_variables: F.withDefault(F.flag, false),
      include_fields: F.withDefault(F.flag, false),
      include_constants: F.withDefault(F.flag, false),
      include_cgo_exports: F.withDefault(F.flag, false),
      include_linkname_targets: F.withDefault(F.flag, false),
      skip_cross_repo_nodes: F.withDefault(F.flag, false)
    })
  }),
  needs,
  handler: ({ options }, call) =>
    Effect.gen(function* () {
      const view = yield* graph
      const text = yield* TextIndex
      const around = yield* aroundOf(view, yield* ReadFs, text)
      const others = options.skip_cross_repo_nodes ? yield* otherRepositories : []
      const kinds = new Set([
        ...usual,
        ...(options.include_variables ? ["variable"] : []),
        ...(options.include_fields ? ["field", "property"] : []),
        ...(options.include_constants ? ["constant"] : [])
      ])
      const key = JSON.stringify(options)
      const made = sifted.get(view.columns) ?? new Map<string, Sifted>()
      sifted.set(view.columns, made)
      const found =
        made.get(key) ??
        (yield* withoutExpressions(
          view,
          unusedOf(view, around, {
            kinds,
            cgoExports: options.include_cgo_exports,
            linknames: options.include_linkname_targets,
            path: (path) => !others.some((root) => isWithin(path, root))
          })
        ))
      made.set(key, found)
      const unread = unreadFiles(view)
      const languages = unjudged(view)
      const head = {
        looked_at: found.looked,
        ...(Object.keys(found.leftOut).length === 0 ? {} : { left_out: found.leftOut }),
        ...(languages.length === 0 ? {} : { languages_not_judged: languages }),
        ...(unread === 0 ? {} : { unread_files: unread }),
        ...(others.length === 0 ? {} : { repositories_skipped: others }),
        note:
          found.unused.length === 0
            ? `none of ${found.looked} definitions outside of tests is without a use`
            : "no use is known to the index; reflection, evaluated strings and code outside the workspace are not seen",
        ...(view.freshness.state === "fresh" ? {} : { freshness: freshnessOf(view.freshness) })
      }
      const dead: Array<object> = []
      let used = byteLength(head) + 400
      for (const each of found.unused.slice(
        call.offset,
        call.limit === undefined ? undefined : call.offset + call.limit
      )) {
        const symbol = view.symbol(view.columns.refOf(each.node))
        const mentions = yield* mentionsOf(view, text, symbol)
        const { confidence, why } = verdictOf(each, mentions, symbol)
        const row = {
          id: symbol.id,
          name: symbol.name,
          kind: symbol.kind,
          file_path: symbol.path,
          line: symbol.line,
          start_line: symbol.start_line,
          end_line: symbol.end_line,
          confidence,
          why,
          ...(mentions.places.length === 0 ? {} : { mentions: mentions.places })
        }
        const bytes = byteLength(row) + 2
        if (used + bytes > call.budget && dead.length > 0) break
        used += bytes
        dead.push(row)
      }
      return page(
        "dead_code",
        { ...head, dead_code: dead, total: found.unused.length },
        { from: call.offset, total: found.unused.length, snapshot: view.generation }
      )
    })
})

/** Folders of repositories that lie inside the one that is served. */
const otherRepositories = Effect.flatMap(WorkspaceView, ({ repositories }) =>
  Effect.match(repositories, {
    onFailure: () => [],
    onSuccess: (all) => all.flatMap(({ root }) => (root === "." || root === "" ? [] : [root])).sort()
  })
)

/** Languages with definitions whose uses are not followed. */
const unjudged = (view: GraphView): ReadonlyArray<string> => {
  const { columns } = view
  const out = new Set<string>()
  const codeKinds = new Set(["function", "method", "class", "struct", "interface", "procedure", "resource"])
  const code = columns.kindNames.map((each) => codeKinds.has(each))
  for (let n = 0; n < columns.nodeCount; n++) {
    if (!code[columns.kinds[n]!] || columns.languages[n] === 255) continue
    out.add(columns.languageNames[columns.languages[n]!]!)
  }
  return [...out].filter((language) => !judgedLanguages.includes(language)).sort()
}
