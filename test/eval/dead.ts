/**
 * Definitions that are reported as dead, against who knows better: how many of a sample are used after all.
 *
 *     npm run eval -- dead [dir…] [--strict] [--show N] [--symbols N]
 *
 * The language server of each language is asked for the references of each: the compiler's for TypeScript and JavaScript,
 * gopls, rust-analyzer, basedpyright. What a server does not know, such as what is configured out, counts as unknown, and
 * another report is drawn in its place; languages without a server are only counted. Without folders this project is
 * judged.
 */
import { Effect } from "effect"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import type { SymbolInfo } from "../../src/services/CodeGraph.ts"
import { argumentsOf, exitCode } from "./support/Arguments.ts"
import { oracleFor, type OracleLanguage, type Place, placeKey } from "./support/Oracle.ts"
import { type Row, rowsOf } from "./support/Operation.ts"
import { random, sample } from "./support/Sample.ts"
import { inComment } from "./support/Sites.ts"
import { table } from "./support/Table.ts"
import { treeOf } from "./support/Tree.ts"

interface Options {
  readonly directories: ReadonlyArray<string>
  readonly show: number
  readonly symbols: number
}

const oracles: { readonly [language: string]: OracleLanguage } = {
  typescript: "typescript",
  tsx: "typescript",
  javascript: "javascript",
  jsx: "javascript",
  python: "python",
  rust: "rust",
  go: "go"
}

const inside = (place: Place, symbol: SymbolInfo): boolean =>
  place.path === symbol.path && place.line >= symbol.start_line && place.line <= symbol.end_line

/** What became of the reports of one language. */
interface Count {
  reported: number
  judged: number
  used: number
  unknown: number
}

/** By language, what a server says of reports drawn at random: so many that it knows, or all there are. */
const judge = (directory: string, options: Options) =>
  Effect.gen(function* () {
    const tree = yield* treeOf(directory, { git: true })
    const { view } = tree
    const rows = yield* rowsOf(tree, "analyze", { kind: "dead_code" }, "dead_code")
    const started = new Map<OracleLanguage, Effect.Effect.Success<ReturnType<typeof oracleFor>>>()
    const counts = new Map<string, Count>()
    const wrong: Array<{ readonly row: Row; readonly at: Place }> = []
    const drawn = sample(rows, rows.length, random(5)).map((row) => {
      const [ref] = view.resolve(row["id"] as string).found
      if (ref === undefined) throw new Error(`${row["id"]} leads nowhere`)
      const symbol = view.symbol(ref)
      const language = symbol.language === "tsx" ? "typescript" : symbol.language
      const count = counts.get(language) ?? { reported: 0, judged: 0, used: 0, unknown: 0 }
      counts.set(language, count)
      count.reported++
      return { row, symbol, count }
    })
    let judged = 0
    for (const { count, row, symbol } of drawn) {
      const language = oracles[symbol.language]
      if (judged === options.symbols || language === undefined) continue
      const declared = new Set(view.named(symbol.name).map((each) => placeKey(view.symbol(each))))
      const oracle = started.get(language) ?? (yield* oracleFor(language, tree))
      started.set(language, oracle)
      const uses = yield* oracle.references(symbol).pipe(
        Effect.catchIf(
          ({ reason }) => reason === "timeout",
          () => Effect.succeed(undefined)
        )
      )
      // A server that knows the definition names it among its references.
      if (uses === undefined || !uses.some((place) => inside(place, symbol))) {
        count.unknown++
        continue
      }
      judged++
      count.judged++
      const others = uses.filter(
        (place) => !inside(place, symbol) && !declared.has(placeKey(place)) && !inComment(tree, place)
      )
      if (others.length === 0) continue
      count.used++
      wrong.push({ row, at: others[0]! })
    }
    for (const { at, row } of wrong.slice(0, options.show))
      console.log(
        `used: ${row["kind"]} ${row["id"]} (${row["confidence"]}) of ${tree.name}\n    ${placeKey(at)} ${(tree.lines(at.path)[at.line - 1] ?? "").trim().slice(0, 140)}`
      )
    return [...counts]
      .sort(([, a], [, b]) => b.reported - a.reported)
      .map(([language, { judged, reported, unknown, used }]) => ({
        used,
        cells: [
          tree.name,
          language,
          reported,
          ...(oracles[language] === undefined ? ["–", "–", "–"] : [judged, used, unknown])
        ]
      }))
  })

export const main = async (args: ReadonlyArray<string>): Promise<number> => {
  const given = argumentsOf(args)
  const options: Options = {
    directories:
      given.words.length > 0 ? given.words : [join(dirname(fileURLToPath(import.meta.url)), "../..")],
    show: given.number("show", 10),
    symbols: given.number("symbols", 50)
  }
  const rows: Array<Effect.Effect.Success<ReturnType<typeof judge>>[number]> = []
  for (const directory of options.directories)
    rows.push(...(await Effect.runPromise(Effect.scoped(judge(directory, options)))))
  console.log(
    table(
      ["tree", "language", "reported", "judged", "used", "unknown"],
      rows.map(({ cells }) => cells)
    )
  )
  return exitCode(
    given,
    rows.every(({ used }) => used === 0)
  )
}
