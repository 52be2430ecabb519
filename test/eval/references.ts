/**
 * Usages and calls as the graph knows them against what language servers answer, position by position.
 *
 *     npm run eval -- references [dir…] [--strict] [--show N] [--symbols N]
 *
 * Without folders it judges this project and the sources of effect. The language of a tree is the one with most
 * definitions. A language server that is no dependency is looked for in the folder PORTICO_ORACLES names.
 *
 * Servers answer for a member together with those it implements, and through them with uses of a member that only the
 * language's library declares: `iterator.next()` counts as a use of every `next` written for an iterator. At a place that
 * only the server names, it is asked for the definition there: where all of those lie outside the tree, the place uses
 * nothing of this tree. It is left out of both sides and counted as "library". At a place that only the graph names, the
 * server is asked the same: where it knows no definition at all, such as behind a module that it does not see imported,
 * it says nothing about the place. That is left out and counted as "unjudged"; the rows "judged or not" count it as wrong.
 */
import { Effect } from "effect"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { createRequire } from "node:module"
import type { EdgeInfo, SymbolInfo, SymbolRef, Tier } from "../../src/services/CodeGraph.ts"
import { type OracleLanguage, oracleFor, type Place, placeKey } from "./support/Oracle.ts"
import { argumentsOf, exitCode } from "./support/Arguments.ts"
import { random, sample } from "./support/Sample.ts"
import { edgesByPlace, inComment, isAlias, isCalled } from "./support/Sites.ts"
import {
  compare,
  precision,
  recall,
  type Score,
  score,
  scoreCells,
  scoreHead,
  table
} from "./support/Table.ts"
import { type Tree, treeOf } from "./support/Tree.ts"

const judged = [
  "function",
  "class",
  "interface",
  "type_alias",
  "enum",
  "variable",
  "constant",
  "method",
  "property",
  "field",
  "struct",
  "trait",
  "enum_member"
]
/** Kinds whose definitions count only when other files can see them. */
const valueKinds = new Set(["variable", "constant"])
const languageOf: { readonly [language: string]: OracleLanguage } = {
  typescript: "typescript",
  tsx: "typescript",
  javascript: "javascript",
  jsx: "javascript",
  python: "python",
  rust: "rust"
}
/** Kinds whose calls are judged on their own. */
const callables = new Set(["function", "method", "class"])
const certain = new Set<Tier>(["exact", "resolved"])

interface Bars {
  readonly precision: number
  readonly recall: number
}
const barsOf = (language: OracleLanguage): Bars =>
  language === "python" ? { precision: 0.95, recall: 0.8 } : { precision: 0.98, recall: 0.9 }

export interface Options {
  readonly directories: ReadonlyArray<string>
  /** Disagreements to print for each tree. */
  readonly show: number
  readonly symbols: number
}

const defaults = (): ReadonlyArray<string> => {
  const project = join(dirname(fileURLToPath(import.meta.url)), "../..")
  return [
    project,
    join(dirname(createRequire(join(project, "package.json")).resolve("effect/package.json")), "src")
  ]
}

const mainLanguage = (tree: Tree): OracleLanguage | undefined => {
  const counts = new Map<OracleLanguage, number>()
  for (const file of tree.view.files()) {
    const language = languageOf[file.language ?? ""]
    if (language !== undefined) counts.set(language, (counts.get(language) ?? 0) + file.symbols)
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0]
}

/** Definitions to ask about, the same number of each kind as far as there are so many. */
const chosen = (tree: Tree, language: OracleLanguage, count: number): Array<SymbolInfo> => {
  const byKind = new Map<string, Array<SymbolInfo>>()
  const seen = new Set<string>()
  for (const ref of tree.view.all()) {
    const symbol = tree.view.symbol(ref)
    if (
      languageOf[symbol.language] !== language ||
      !judged.includes(symbol.kind) ||
      symbol.flags.includes("local") ||
      withinLocal(tree, ref)
    )
      continue
    if (valueKinds.has(symbol.kind) && !symbol.flags.includes("exported")) continue
    if (
      !/^[\p{ID_Continue}$#]+$/u.test(symbol.name) ||
      !(tree.lines(symbol.path)[symbol.line - 1] ?? "").startsWith(symbol.name, symbol.column)
    )
      continue
    const key = `${symbol.path}::${symbol.qualified}`
    if (seen.has(key)) continue
    seen.add(key)
    const there = byKind.get(symbol.kind)
    if (there === undefined) byKind.set(symbol.kind, [symbol])
    else there.push(symbol)
  }
  const next = random(7)
  const pools = judged.flatMap((kind) => (byKind.has(kind) ? [sample(byKind.get(kind)!, count, next)] : []))
  const out: Array<SymbolInfo> = []
  for (let round = 0; out.length < count && pools.some((pool) => pool.length > round); round++) {
    for (const pool of pools) if (pool[round] !== undefined && out.length < count) out.push(pool[round]!)
  }
  return out
}
const withinLocal = (tree: Tree, ref: SymbolRef): boolean => {
  for (let at = tree.view.parent(ref); at !== undefined && !tree.view.isFile(at); at = tree.view.parent(at)) {
    if (tree.view.symbol(at).flags.includes("local")) return true
  }
  return false
}

const isSame = (a: SymbolInfo, b: SymbolInfo): boolean => a.path === b.path && a.qualified === b.qualified

interface Disagreement {
  readonly what: "missing" | "extra"
  readonly symbol: SymbolInfo
  readonly place: Place
}

export const run = (options: Options): Effect.Effect<boolean> =>
  Effect.gen(function* () {
    let good = true
    for (const directory of options.directories.length > 0 ? options.directories : defaults()) {
      const passed = yield* Effect.scoped(judge(directory, options)).pipe(
        Effect.catchAll((problem) =>
          Effect.sync(() => {
            console.log(`${directory}: ${problem.message}`)
            return false
          })
        )
      )
      good &&= passed
    }
    return good
  })

const judge = (directory: string, options: Options) =>
  Effect.gen(function* () {
    const tree = yield* treeOf(directory, { git: true })
    const { view } = tree
    const language = mainLanguage(tree)
    if (language === undefined) {
      console.log(`${tree.name}: no language with an oracle`)
      return false
    }
    const symbols = chosen(tree, language, options.symbols)
    const oracle = yield* oracleFor(language, tree)
    const inside = new Set(
      view
        .files()
        .filter((f) => f.skipped === undefined)
        .map((f) => f.path)
    )
    const kinds = new Map<string, Score>()
    const all = score()
    const inferred = score()
    const named = score()
    const calls = score()
    /** Places left out because they use something of the library, per kind. */
    const library = new Map<string, number>()
    const ofLibrary = new Map<string, boolean>()
    /** Places left out because the server knows no definition there, per kind. */
    const unjudged = new Map<string, number>()
    const ofNobody = new Map<string, boolean>()
    const allOrNot = score()
    const callsOrNot = score()
    const leftOut = (counts: Map<string, number>, row: string) => counts.set(row, (counts.get(row) ?? 0) + 1)
    const disagreements: Array<Disagreement> = []
    let unknown = 0
    let related = 0
    const places = edgesByPlace(view)
    for (const symbol of symbols) {
      // Declarations that merge in the language are one symbol to us: a type, its companion value and its namespace.
      const merged = view.named(symbol.name).filter((ref) => isSame(view.symbol(ref), symbol))
      const answers = yield* Effect.forEach(merged, (ref) => oracle.references(view.symbol(ref)))
      const answer = answers.flatMap((a) => a ?? [])
      if (answer.length === 0) {
        unknown++
        continue
      }
      const same = new Set(answer.map(placeKey))
      const declared = new Set(view.named(symbol.name).map((ref) => placeKey(view.symbol(ref))))
      // Servers answer for a member together with the members it implements or overrides. A use that the graph ties to
      // one of those is found there, and no miss here.
      const elsewhere = (key: string) =>
        (places.get(key) ?? []).some(
          (e) =>
            !merged.includes(e.to) &&
            certain.has(e.tier) &&
            !view.isFile(e.to) &&
            same.has(placeKey(view.symbol(e.to)))
        )
      const counted = answer.filter(
        (p) => inside.has(p.path) && !declared.has(placeKey(p)) && !inComment(tree, p) && !isAlias(tree, p)
      )
      const edges = merged.flatMap((ref) => view.incoming(ref))
      const used = (keep: (edge: EdgeInfo) => boolean) =>
        new Map(edges.filter((e) => keep(e) && !declared.has(placeKey(e))).map((e) => [placeKey(e), e]))
      const ours = used((e) => certain.has(e.tier))
      const theirs = new Map(
        counted.filter((p) => ours.has(placeKey(p)) || !elsewhere(placeKey(p))).map((p) => [placeKey(p), p])
      )
      related += counted.length - theirs.size
      for (const [key, place] of theirs) {
        if (ours.has(key)) continue
        let outside = ofLibrary.get(key)
        if (outside === undefined) {
          const found = yield* oracle.definitions(place)
          ofLibrary.set(key, (outside = found.outside > 0 && found.inside === 0))
        }
        if (!outside) continue
        theirs.delete(key)
        leftOut(library, symbol.kind)
        leftOut(library, "all")
        if (callables.has(symbol.kind) && isCalled(tree, place)) leftOut(library, "calls")
      }
      const isCall = (e: EdgeInfo) => certain.has(e.tier) && (e.role === "call" || e.role === "new")
      const open = new Set<string>()
      for (const [key, edge] of used((e) => e.tier !== "name")) {
        if (theirs.has(key)) continue
        let nobody = ofNobody.get(key)
        if (nobody === undefined) {
          const found = yield* oracle.definitions(edge)
          ofNobody.set(key, (nobody = found.outside + found.inside === 0))
        }
        if (!nobody) continue
        open.add(key)
        if (!ours.has(key)) continue
        leftOut(unjudged, symbol.kind)
        leftOut(unjudged, "all")
        if (callables.has(symbol.kind) && isCall(edge)) leftOut(unjudged, "calls")
      }
      const every = (m: ReadonlyMap<string, unknown>) => new Set(m.keys())
      const known = (m: ReadonlyMap<string, unknown>) =>
        new Set([...m.keys()].filter((key) => !open.has(key)))
      if (!kinds.has(symbol.kind)) kinds.set(symbol.kind, score())
      compare(kinds.get(symbol.kind)!, known(ours), known(theirs))
      compare(all, known(ours), known(theirs))
      compare(allOrNot, every(ours), every(theirs))
      compare(inferred, known(used((e) => e.tier !== "name")), known(theirs))
      compare(named, known(used(() => true)), known(theirs))
      if (callables.has(symbol.kind)) {
        const called = new Set([...theirs].filter(([, p]) => isCalled(tree, p)).map(([key]) => key))
        compare(calls, known(used(isCall)), called)
        compare(callsOrNot, every(used(isCall)), called)
      }
      for (const [key, place] of theirs)
        if (!ours.has(key)) disagreements.push({ what: "missing", symbol, place })
      for (const [key, place] of ours)
        if (!theirs.has(key) && !open.has(key)) disagreements.push({ what: "extra", symbol, place })
    }
    console.log(
      `\n${tree.name} (${language}; ${view.counts.indexed_files} files; ${symbols.length} symbols, ${unknown} of them unknown to the server; ${related} uses tied to a related member)`
    )
    const row = (title: string, key: string, s: Score) => [
      title,
      ...scoreCells(s),
      library.get(key) ?? 0,
      unjudged.get(key) ?? 0
    ]
    console.log(
      table(
        ["usages", ...scoreHead, "library", "unjudged"],
        [
          ...[...kinds].sort().map(([kind, s]) => row(kind, kind, s)),
          row("all", "all", all),
          ["all, judged or not", ...scoreCells(allOrNot)],
          ["with inferred", ...scoreCells(inferred)],
          ["with names", ...scoreCells(named)],
          row("calls", "calls", calls),
          ["calls, judged or not", ...scoreCells(callsOrNot)]
        ]
      )
    )
    if (options.show > 0) explain(tree, places, disagreements, options.show)
    const bars = barsOf(language)
    const ok =
      precision(all) >= bars.precision &&
      recall(all) >= bars.recall &&
      precision(calls) >= bars.precision &&
      recall(calls) >= bars.recall
    console.log(`${ok ? "meets" : "misses"} precision ${bars.precision} and recall ${bars.recall}`)
    return ok
  })

/** Prints disagreements with what the graph has at their places. */
const explain = (
  tree: Tree,
  at: ReadonlyMap<string, ReadonlyArray<EdgeInfo>>,
  disagreements: ReadonlyArray<Disagreement>,
  show: number
): void => {
  const said = (d: Disagreement) => {
    const there = at.get(placeKey(d.place)) ?? []
    const own = there.find((e) => e.to === d.symbol.ref)
    if (own !== undefined) return `${own.role}, ${own.tier}`
    return there.length === 0
      ? "nothing"
      : there
          .slice(0, 2)
          .map((e) => `${e.role} of ${tree.view.symbol(e.to).id} (${e.tier})`)
          .join("; ")
  }
  for (const d of sample(disagreements, show, random(11))) {
    console.log(
      `${d.what} ${d.symbol.kind} ${d.symbol.id}\n    ${placeKey(d.place)} [${said(d)}]\n    ${(tree.lines(d.place.path)[d.place.line - 1] ?? "").trim().slice(0, 150)}`
    )
  }
}

/** Runs it for command line arguments; gives the exit code. */
export const main = async (args: ReadonlyArray<string>): Promise<number> => {
  const given = argumentsOf(args)
  return exitCode(
    given,
    await Effect.runPromise(
      run({ directories: given.words, show: given.number("show", 0), symbols: given.number("symbols", 300) })
    )
  )
}
