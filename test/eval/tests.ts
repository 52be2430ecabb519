/**
 * Which tests exercise a function, against what each test runs when it is run alone.
 *
 *     npm run eval -- tests DIR… [--symbols N] [--show N] [--strict]
 *
 * Go is measured test by test with `go test`; Python with pytest and its coverage plugin, by the interpreter that
 * PORTICO_PYTHON names; TypeScript with the vitest among the tree's dependencies. The functions are drawn from those
 * that some test runs and that loading the code does not. The built command answers.
 */
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import type { GraphView } from "../../src/services/CodeGraph.ts"
import { Client } from "../bench/Client.ts"
import { argumentsOf, exitCode } from "./support/Arguments.ts"
import { type Measure, type Measured } from "./support/tracing/Coverage.ts"
import { measureGo } from "./support/tracing/go.ts"
import { measurePython } from "./support/tracing/python.ts"
import { measureVitest } from "./support/tracing/vitest.ts"
import { random, sample } from "./support/Sample.ts"
import { compare, precision, recall, score, scoreCells, scoreHead, table } from "./support/Table.ts"
import { type Tree, treeOf } from "./support/Tree.ts"

const bar = 0.8
/** Nearest tests of an answer, which one would run first. */
const first = 10
const telling = new Set(["calls", "name", "further_calls", "imports"])

interface Target {
  readonly file: string
  readonly found_by: string
  readonly distance: number
  readonly functions: ReadonlyArray<{
    readonly name: string
    readonly line: number
    readonly distance: number
  }>
  readonly function_count?: number
}

const command = fileURLToPath(new URL("../../dist/main.js", import.meta.url))

/** What a tree is measured with, by what lies at its top. */
export const measureOf = (directory: string): Measure | undefined =>
  existsSync(join(directory, "go.mod"))
    ? measureGo
    : existsSync(join(directory, "node_modules", "vitest"))
      ? measureVitest
      : ["pyproject.toml", "setup.py", "setup.cfg"].some((name) => existsSync(join(directory, name)))
        ? measurePython
        : undefined

/** A test an answer names, or all tests of a file where it names none of them. */
interface Said {
  readonly key: string
  /** How its file was found, and how far it is. */
  readonly how: string
  readonly distance: number
}

const saidOf = (targets: ReadonlyArray<Target>, measured: Measured): ReadonlyArray<Said> => {
  const worth = targets.filter(({ found_by }) => telling.has(found_by))
  const keys = new Map<string, Said>()
  for (const { distance, file, found_by, function_count, functions } of worth.length > 0
    ? worth
    : targets.slice(0, 20)) {
    const put = (key: string, what: string, far: number) => {
      if (!keys.has(key)) keys.set(key, { key, how: `${found_by}${what} ${far}`, distance: far })
    }
    for (const each of functions) put(measured.keyOf({ file, ...each }), "", each.distance)
    // A file with no test named, or with too many for a list, is run whole.
    if (functions.length === 0 || function_count !== undefined)
      for (const { key, path } of measured.tests) if (path === file) put(key, ", whole file", distance)
  }
  return [...keys.values()].sort((a, b) => a.distance - b.distance)
}

/** Why a test that runs a function was not found. */
const causeOf = (
  view: GraphView,
  id: string,
  key: string,
  path: string | undefined,
  measured: Measured
): string => {
  if (path === undefined) return "its name is not known as a test"
  const cases = view
    .definitions(path)
    .filter(
      (ref) =>
        view.isCase(ref) &&
        measured.keyOf({ file: path, name: view.symbol(ref).qualified, line: view.symbol(ref).line }) === key
    )
  if (cases.length === 0) return "its name is not known as a test"
  const [ref] = view.resolve(id).found
  const leads = (options: { readonly names: boolean; readonly values: boolean }) => {
    const { refs } = view.reach([ref!], { depth: 1000, most: 1_000_000, ...options })
    const all = new Set(refs)
    return cases.some((each) => all.has(each))
  }
  return leads({ names: false, values: true })
    ? "uses lead to it, further away than is looked"
    : leads({ names: false, values: false })
      ? "only uses as a type lead to it"
      : leads({ names: true, values: true })
        ? "only uses known by name lead to it"
        : "no uses lead to it"
}

/** Asks for the tests of some functions and compares; whether recall is enough. */
export const judge = async (
  tree: Tree,
  measured: Measured,
  client: Pick<Client, "call">,
  options: { readonly symbols: number; readonly show: number }
): Promise<boolean> => {
  const { view } = tree
  const covering = new Map<string, Set<string>>()
  for (const { covers, key } of measured.tests)
    for (const id of covers) {
      const known = covering.get(id)
      if (known === undefined) covering.set(id, new Set([key]))
      else known.add(key)
    }
  const pathOf = new Map(measured.tests.map(({ key, path }) => [key, path]))
  const possible = [...covering.keys()].filter((id) => !measured.atLoad.has(id)).sort()
  const drawn = sample(possible, options.symbols, random(5))
  const scores = { tests: score(), near: score(), files: score() }
  const ways = new Map<string, { said: number; right: number }>()
  const causes = new Map<string, number>()
  const lines: Array<string> = []
  for (const id of drawn) {
    const answer = await client.call("change", {
      operation: "tests",
      target: { symbol: id },
      output: { max_bytes: 0, max_tokens: 0 }
    })
    if (answer.isError === true) throw new Error(`${id}: ${answer.content?.[0]?.text ?? "no answer"}`)
    const targets = (answer.structuredContent?.["test_targets"] ?? []) as ReadonlyArray<Target>
    const said = saidOf(targets, measured).filter(({ key }) => pathOf.has(key))
    const ours = new Set(said.map(({ key }) => key))
    const right = covering.get(id)!
    compare(scores.tests, ours, right)
    const near = new Set(said.slice(0, first).map(({ key }) => key))
    compare(scores.near, near, new Set([...right].filter((key) => near.has(key))))
    const filesOf = (keys: Iterable<string>) => new Set([...keys].map((key) => pathOf.get(key) ?? key))
    compare(scores.files, filesOf(ours), filesOf(right))
    for (const { how, key } of said) {
      const way = ways.get(how) ?? { said: 0, right: 0 }
      way.said++
      if (right.has(key)) way.right++
      ways.set(how, way)
    }
    for (const key of right) {
      if (ours.has(key)) continue
      const cause = causeOf(view, id, key, pathOf.get(key), measured)
      causes.set(cause, (causes.get(cause) ?? 0) + 1)
      lines.push(`missing ${id}\n    ${key}: ${cause}`)
    }
    for (const { how, key } of said) if (!right.has(key)) lines.push(`extra ${id}\n    ${key} (${how})`)
  }
  console.log(
    `\n${tree.name}: ${measured.tests.length} tests, ${possible.length} functions that they run, ${drawn.length} of them drawn`
  )
  console.log(
    table(
      ["of", ...scoreHead],
      [
        ["tests", ...scoreCells(scores.tests)],
        ["test files", ...scoreCells(scores.files)],
        [`nearest ${first} tests`, ...scoreCells(scores.near).slice(0, -1), "–"]
      ]
    )
  )
  console.log(
    table(
      ["found by, distance", "said", "right", "share"],
      [...ways]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([how, { right, said }]) => [how, said, right, (right / said).toFixed(2)])
    )
  )
  for (const [cause, count] of [...causes].sort(([, a], [, b]) => b - a))
    console.log(`missed ${count}: ${cause}`)
  for (const line of sample(lines, options.show, random(3))) console.log(line)
  const ok = drawn.length >= 30 && recall(scores.tests) >= bar
  console.log(
    `${ok ? "meets" : "misses"} a recall of ${bar}: ${recall(scores.tests).toFixed(3)}, precision ${precision(scores.tests).toFixed(3)}`
  )
  return ok
}

const run = (
  directory: string,
  measure: Measure,
  options: { readonly symbols: number; readonly show: number }
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const tree = yield* treeOf(directory)
      const measured = measure(tree)
      const client = yield* Effect.acquireRelease(
        Effect.sync(
          () =>
            new Client(process.execPath, [command, "mcp"], {
              cwd: tree.root,
              env: { ...process.env, PORTICO_HOME: resolve(tree.root, "..", "home") }
            })
        ),
        (opened) => Effect.promise(() => opened.close())
      )
      return yield* Effect.promise(async () => {
        await client.open()
        return judge(tree, measured, client, options)
      })
    })
  )

/** Runs it for command line arguments; gives the exit code, 2 when they are not understood. */
export const main = async (args: ReadonlyArray<string>): Promise<number> => {
  const given = argumentsOf(args)
  const measures = given.words.map((directory) => [directory, measureOf(resolve(directory))] as const)
  const unknown = measures.find(([, measure]) => measure === undefined)
  if (measures.length === 0 || unknown !== undefined) {
    console.error(
      unknown === undefined
        ? "usage: eval tests DIR… [--symbols N] [--show N] [--strict]"
        : `${unknown[0]}: neither go.mod, nor pyproject.toml, nor vitest among its dependencies`
    )
    return 2
  }
  execFileSync(
    process.execPath,
    [fileURLToPath(new URL("../../src/build/build.mjs", import.meta.url)), "--if-stale"],
    { stdio: ["ignore", "ignore", "inherit"] }
  )
  let good = true
  for (const [directory, measure] of measures) {
    const options = { symbols: given.number("symbols", 60), show: given.number("show", 0) }
    good = (await Effect.runPromise(run(directory, measure!, options))) && good
  }
  return exitCode(given, good)
}
