/**
 * Which files call a function, against a compiler's answer.
 *
 *     npm run eval -- callers DIR [go|javascript|typescript|rust|python] [--strict] [--show N] [--symbols N]
 *
 * Go is judged by the standard type checker, the other languages by their servers. Half of the functions share their
 * name with others.
 */
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { SymbolInfo, Tier } from "../../src/services/CodeGraph.ts"
import { type OracleLanguage, oracleFor, type Place, placeKey } from "./support/Oracle.ts"
import { argumentsOf, exitCode } from "./support/Arguments.ts"
import { random, sample } from "./support/Sample.ts"
import { edgesByPlace, inComment, isCalled, isLoaded, isTemplate } from "./support/Sites.ts"
import { compare, precision, recall, score, scoreCells, scoreHead, table } from "./support/Table.ts"
import { type Tree, treeOf } from "./support/Tree.ts"

export interface Options {
  readonly directory: string
  readonly language: string
  /** Disagreements to print. */
  readonly show: number
  readonly symbols: number
}

const languages: { readonly [name: string]: ReadonlyArray<string> } = {
  go: ["go"],
  javascript: ["javascript", "jsx"],
  typescript: ["typescript", "tsx"],
  rust: ["rust"],
  python: ["python"]
}
const kinds = new Set(["function", "method"])
const bar = 0.97

/** Named functions other files may call, half of them with names that several have; those no name of ours points to are drawn too. */
const chosen = (tree: Tree, language: string, count: number): Array<SymbolInfo> => {
  const wanted = languages[language] ?? []
  const symbols: Array<SymbolInfo> = []
  for (const ref of tree.view.all()) {
    const symbol = tree.view.symbol(ref)
    if (!kinds.has(symbol.kind) || !wanted.includes(symbol.language) || symbol.flags.includes("local"))
      continue
    if (!(tree.lines(symbol.path)[symbol.line - 1] ?? "").startsWith(symbol.name, symbol.column)) continue
    symbols.push(symbol)
  }
  const times = new Map<string, number>()
  for (const s of symbols) times.set(s.name, (times.get(s.name) ?? 0) + 1)
  const next = random(5)
  const shared = sample(
    symbols.filter((s) => times.get(s.name)! > 1),
    Math.ceil(count / 2),
    next
  )
  return [
    ...shared,
    ...sample(
      symbols.filter((s) => times.get(s.name) === 1),
      count - shared.length,
      next
    )
  ]
}

type Calls = (
  symbol: SymbolInfo
) => Effect.Effect<ReadonlyArray<Place> | undefined, { readonly message: string }>

/** Call sites by the place of the callee's name, from the Go type checker. */
const goCalls = (tree: Tree, seen: Set<string>): Calls => {
  const program = join(dirnameOf(import.meta.url), "oracles", "go")
  const text = execFileSync("go", ["run", ".", tree.root], {
    cwd: program,
    encoding: "utf8",
    maxBuffer: 1 << 30,
    env: { ...process.env, CGO_ENABLED: "0" },
    stdio: ["ignore", "pipe", "inherit"]
  })
  const known = new Set<string>()
  const calls = new Map<string, Array<Place>>()
  for (const row of text.split("\n")) {
    const [what, declared, path, line, column] = row.split("\t")
    if (what === "file") seen.add(declared!)
    else if (what === "def") known.add(declared!)
    else if (what === "call") {
      const place = { path: path!, line: Number(line), column: Number(column) }
      const there = calls.get(declared!)
      if (there === undefined) calls.set(declared!, [place])
      else there.push(place)
    }
  }
  return (symbol) =>
    Effect.sync(() => {
      const key = `${symbol.path}:${symbol.line}`
      return known.has(key) ? (calls.get(key) ?? []) : undefined
    })
}
const dirnameOf = (url: string) => process.env["PORTICO_EVAL"] ?? join(fileURLToPath(url), "..")

export const run = (options: Options): Effect.Effect<boolean> =>
  Effect.scoped(judge(options)).pipe(
    Effect.catchAll((problem) =>
      Effect.sync(() => {
        console.log(`${options.directory}: ${problem.message}`)
        return false
      })
    )
  )

const judge = (options: Options) =>
  Effect.gen(function* () {
    const tree = yield* treeOf(options.directory)
    const { view } = tree
    const symbols = chosen(tree, options.language, options.symbols)
    const places = edgesByPlace(view)
    const checked = new Set<string>()
    let callsOf: Calls
    if (options.language === "go") callsOf = goCalls(tree, checked)
    else {
      const oracle = yield* oracleFor(options.language as OracleLanguage, tree)
      // Packages outside the workspace are no part of the server's project.
      if (options.language === "rust") {
        for (const file of view.files())
          if (file.language === "rust" && (yield* oracle.knows(file.path))) checked.add(file.path)
      }
      callsOf = (symbol) =>
        Effect.map(oracle.references(symbol), (found) => {
          if (found === undefined) return undefined
          const same = new Set(found.map(placeKey))
          const declared = new Set(view.named(symbol.name).map((ref) => placeKey(view.symbol(ref))))
          // A call that the graph ties to another member of the same family is that member's caller.
          const elsewhere = (key: string) =>
            (places.get(key) ?? []).some(
              (e) =>
                e.to !== symbol.ref &&
                e.tier !== "name" &&
                !view.isFile(e.to) &&
                same.has(placeKey(view.symbol(e.to)))
            )
          const mine = new Set(view.incoming(symbol.ref).map(placeKey))
          const loaded = new Set(found.filter((p) => isLoaded(tree, p)).map((p) => p.path))
          const behind = view
            .incoming(symbol.ref)
            .filter((e) => loaded.has(e.path) && e.name === symbol.name && isCalled(tree, e))
          return [...found, ...behind].filter(
            (p) =>
              !declared.has(placeKey(p)) &&
              !inComment(tree, p) &&
              isCalled(tree, p) &&
              (mine.has(placeKey(p)) || !elsewhere(placeKey(p)))
          )
        })
    }
    // Build constraints leave files out of the checker's sight.
    const inside = new Set(
      view
        .files()
        .filter((f) => f.skipped === undefined && (checked.size === 0 || checked.has(f.path)))
        .map((f) => f.path)
    )
    const tiers: ReadonlyArray<readonly [string, ReadonlySet<Tier>]> = [
      ["resolved", new Set<Tier>(["exact", "resolved"])],
      ["inferred", new Set<Tier>(["exact", "resolved", "inferred"])],
      ["name", new Set<Tier>(["exact", "resolved", "inferred", "name"])]
    ]
    const scores = tiers.map(() => ({ files: score(), sites: score() }))
    const wrong: Array<string> = []
    let unknown = 0
    for (const symbol of symbols) {
      const answer = yield* callsOf(symbol)
      if (answer === undefined) {
        unknown++
        continue
      }
      const seen = (p: Place) => inside.has(p.path) && !isTemplate(tree, p)
      const theirs = answer.filter(seen)
      const edges = view
        .incoming(symbol.ref)
        .filter((e) => seen(e) && (e.role === "call" || e.role === "new"))
      tiers.forEach(([, keep], i) => {
        const ours = edges.filter((e) => keep.has(e.tier))
        compare(scores[i]!.files, new Set(ours.map((e) => e.path)), new Set(theirs.map((p) => p.path)))
        compare(scores[i]!.sites, new Set(ours.map(placeKey)), new Set(theirs.map(placeKey)))
      })
      const found = new Set(edges.filter((e) => tiers[1]![1].has(e.tier)).map(placeKey))
      const right = new Set(theirs.map(placeKey))
      const tell = (what: string, p: Place) => {
        const there = (places.get(placeKey(p)) ?? [])
          .map((e) => `${e.role} of ${view.symbol(e.to).id} (${e.tier})`)
          .slice(0, 3)
          .join("; ")
        wrong.push(
          `${what} ${symbol.kind} ${symbol.id}\n    ${placeKey(p)} [${there || "nothing"}]\n    ${(tree.lines(p.path)[p.line - 1] ?? "").trim().slice(0, 150)}`
        )
      }
      for (const p of theirs) if (!found.has(placeKey(p))) tell("missing", p)
      for (const e of edges) if (found.has(placeKey(e)) && !right.has(placeKey(e))) tell("extra", e)
    }
    console.log(
      `\n${tree.name} (${options.language}; ${view.counts.indexed_files} files; ${symbols.length} functions, ${unknown} of them unknown to the oracle)`
    )
    console.log(
      table(
        ["callers", "at tier", ...scoreHead],
        tiers.flatMap(([name], i) => [
          ["files", name, ...scoreCells(scores[i]!.files)],
          ["sites", name, ...scoreCells(scores[i]!.sites)]
        ])
      )
    )
    for (const line of sample(wrong, options.show, random(3))) console.log(line)
    const { files } = scores[1]!
    const ok = symbols.length >= 30 && precision(files) >= bar && recall(files) >= bar
    console.log(`${ok ? "meets" : "misses"} ${bar} on files at tier inferred and above`)
    return ok
  })

/** Runs it for command line arguments; gives the exit code, 2 when they are not understood. */
export const main = async (args: ReadonlyArray<string>): Promise<number> => {
  const given = argumentsOf(args)
  const [directory, language] = given.words
  if (directory === undefined || language === undefined || languages[language] === undefined) {
    console.error(
      `usage: eval callers DIR <${Object.keys(languages).join("|")}> [--strict] [--show N] [--symbols N]`
    )
    return 2
  }
  return exitCode(
    given,
    await Effect.runPromise(
      run({ directory, language, show: given.number("show", 0), symbols: given.number("symbols", 60) })
    )
  )
}
