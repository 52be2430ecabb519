/**
 * Clones against jscpd: how many of the copies of at least 60 tokens that it finds are found here as well.
 *
 *     npm run eval -- clones [dir…] [--strict] [--show N]
 *
 * A copy counts as found when two members of one cluster, or the two places of a copied run, overlap its two places.
 */
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { CallInfo } from "../../src/registry/CallInfo.ts"
import { CodeTokens } from "../../src/services/CodeTokens.ts"
import { argumentsOf, exitCode } from "./support/Arguments.ts"
import { type Tree, treeOf } from "./support/Tree.ts"

interface Span {
  readonly path: string
  readonly start: number
  readonly end: number
}
interface Copy {
  readonly first: Span
  readonly second: Span
  readonly tokens: number
}
const tokens = 60

const project = join(dirname(fileURLToPath(import.meta.url)), "../..")

/** What jscpd finds in code that is read here. */
const jscpd = (tree: Tree): ReadonlyArray<Copy> => {
  const folder = mkdtempSync(join(tmpdir(), "portico-jscpd-"))
  try {
    execFileSync(
      join(project, "node_modules", ".bin", "jscpd"),
      [
        "--min-tokens",
        String(tokens),
        "--min-lines",
        "3",
        "--skip-comments",
        "--reporters",
        "json",
        "--output",
        folder,
        "."
      ],
      { cwd: tree.root, stdio: "ignore" }
    )
  } catch {
    // It ends with 1 where it finds some.
  }
  try {
    const report = JSON.parse(readFileSync(join(folder, "jscpd-report.json"), "utf8")) as {
      readonly duplicates: ReadonlyArray<{
        readonly tokens: number
        readonly firstFile: { readonly name: string; readonly start: number; readonly end: number }
        readonly secondFile: { readonly name: string; readonly start: number; readonly end: number }
      }>
    }
    const span = ({
      end,
      name,
      start
    }: {
      readonly name: string
      readonly start: number
      readonly end: number
    }): Span => ({
      path: relative(tree.root, join(tree.root, name)).replaceAll("\\", "/"),
      start,
      end
    })
    return report.duplicates.map((each) => ({
      first: span(each.firstFile),
      second: span(each.secondFile),
      tokens: each.tokens
    }))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const overlap = (a: Span, b: Span): boolean => a.path === b.path && a.start <= b.end && b.start <= a.end

const judge = (directory: string, show: number) =>
  Effect.gen(function* () {
    const tree = yield* treeOf(directory)
    const found = yield* Effect.flatMap(CodeTokens, ({ clones }) =>
      clones({ min_tokens: 40, min_similarity: 0.6, min_run: 50, deadline_ms: 600_000 })
    ).pipe(
      Effect.provide(tree.services),
      Effect.provideService(CallInfo, { requestId: "eval" }),
      Effect.orDie
    )
    const ours: Array<readonly [Span, Span]> = [
      ...found.pairs.map(
        ({ a, b }) =>
          [
            { path: a.path, start: a.start_line, end: a.end_line },
            { path: b.path, start: b.start_line, end: b.end_line }
          ] as const
      ),
      ...found.runs.map(
        (run) =>
          [
            { path: run.a.path, start: run.a_start, end: run.a_end },
            { path: run.b.path, start: run.b_start, end: run.b_end }
          ] as const
      )
    ]
    const read = new Set(
      tree.view
        .files()
        .filter(
          ({ generated, language, skipped }) => skipped === undefined && !generated && language !== undefined
        )
        .filter(({ language }) => CodeLanguages.has(language!))
        .map(({ path }) => path)
    )
    const theirs = jscpd(tree).filter(
      (copy) => copy.tokens >= tokens && read.has(copy.first.path) && read.has(copy.second.path)
    )
    const hits = new Map<string, Array<readonly [Span, Span]>>()
    for (const pair of ours)
      for (const [x, y] of [pair, [pair[1], pair[0]] as const]) {
        const key = `${x.path}\0${y.path}`
        const list = hits.get(key)
        if (list === undefined) hits.set(key, [[x, y]])
        else list.push([x, y])
      }
    const known = (copy: Copy): boolean =>
      (hits.get(`${copy.first.path}\0${copy.second.path}`) ?? []).some(
        ([x, y]) => overlap(x, copy.first) && overlap(y, copy.second)
      )
    // Copies of a third place lead from one to the other: both are told, each beside the third.
    const linked = (copy: Copy): boolean => {
      const around = (span: Span) =>
        ours.flatMap(([x, y]) => (overlap(x, span) ? [y] : overlap(y, span) ? [x] : []))
      const second = around(copy.second)
      return around(copy.first).some((x) => second.some((y) => overlap(x, y)))
    }
    const missed = theirs.filter((copy) => !known(copy) && !linked(copy))
    const recall = theirs.length === 0 ? 1 : 1 - missed.length / theirs.length
    console.log(
      `${tree.name}: jscpd finds ${theirs.length} copies of ${tokens} tokens or more, ${theirs.length - missed.length} of them are found here: recall ${recall.toFixed(3)} (${found.pairs.length} pairs, ${found.runs.length} runs here)`
    )
    for (const copy of missed.slice(0, show))
      console.log(
        `  missed: ${copy.first.path}:${copy.first.start}-${copy.first.end} and ${copy.second.path}:${copy.second.start}-${copy.second.end}, ${copy.tokens} tokens`
      )
    return recall >= 0.9
  })

const CodeLanguages = new Set([
  "typescript",
  "tsx",
  "javascript",
  "jsx",
  "go",
  "rust",
  "python",
  "java",
  "csharp",
  "c",
  "cpp",
  "kotlin",
  "php",
  "swift",
  "scala"
])

export const main = async (args: ReadonlyArray<string>): Promise<number> => {
  const given = argumentsOf(args)
  let good = true
  for (const directory of given.words.length > 0 ? given.words : [project])
    good = (await Effect.runPromise(Effect.scoped(judge(directory, given.number("show", 5))))) && good
  return exitCode(given, good)
}
