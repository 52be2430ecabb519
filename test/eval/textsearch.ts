/**
 * Text search against ripgrep: the same matching lines for literals and regular expressions drawn from the tree.
 *
 *     npm run eval -- text [DIR] [--strict] [--show N] [--patterns N]
 */
import { rgPath } from "@vscode/ripgrep"
import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import type { TextQuery } from "../../src/services/TextIndex.ts"
import { argumentsOf, exitCode } from "./support/Arguments.ts"
import { random, sample } from "./support/Sample.ts"
import { table } from "./support/Table.ts"
import { type Tree, treeOf } from "./support/Tree.ts"

export interface Options {
  readonly directory: string
  /** Disagreements to print. */
  readonly show: number
  readonly patterns: number
}

interface Drawn {
  readonly kind: string
  readonly query: Omit<TextQuery, "limit" | "mode">
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|#&~/-]/g, "\\$&").replaceAll("\\/", "/")

/** Patterns of many shapes from words and lines that are there, and some that are not. */
const drawn = (tree: Tree, count: number): Array<Drawn> => {
  const next = random(13)
  const paths = sample(
    tree.view
      .files()
      .filter((f) => f.skipped === undefined && f.lines > 5)
      .map((f) => f.path),
    120,
    next
  )
  const lines = paths.flatMap((path) =>
    sample(
      tree.lines(path).filter((l) => l.trim().length > 3 && l.length < 300),
      12,
      next
    )
  )
  const pick = <A>(items: ReadonlyArray<A>): A => items[Math.floor(next() * items.length)]!
  const word = (): string => {
    for (;;) {
      const words = pick(lines).match(/[A-Za-z_][A-Za-z0-9_]{2,}/g)
      if (words !== null) return pick(words)
    }
  }
  const piece = (least: number): string => {
    const line = pick(lines).trim()
    const from = Math.floor(next() * Math.max(1, line.length - least))
    return line.slice(from, from + least + Math.floor(next() * 20))
  }
  const shapes: ReadonlyArray<readonly [string, () => Drawn["query"]]> = [
    ["word", () => ({ pattern: word(), regexp: false })],
    ["piece of a line", () => ({ pattern: piece(4), regexp: false })],
    ["short literal", () => ({ pattern: piece(1).slice(0, 2), regexp: false })],
    ["whole word", () => ({ pattern: word(), regexp: false, word: true })],
    ["any case", () => ({ pattern: word().toUpperCase(), regexp: false, ignore_case: true })],
    ["absent", () => ({ pattern: `${word()}Zq${word()}`, regexp: false })],
    ["escaped", () => ({ pattern: escaped(piece(6)), regexp: true })],
    ["alternation", () => ({ pattern: `${word()}|${word()}`, regexp: true })],
    ["classes", () => ({ pattern: `\\b${word().slice(0, 3)}\\w*\\s*\\(`, regexp: true })],
    ["gap", () => ({ pattern: `${word()}.*${word().slice(0, 2)}`, regexp: true })],
    ["anchored", () => ({ pattern: `^\\s*${word()}\\b`, regexp: true })],
    ["line end", () => ({ pattern: `${escaped(pick(["{", ")", ";", ",", "}"]))}$`, regexp: true })],
    ["regexp, any case", () => ({ pattern: `${word()}[a-z_]*`, regexp: true, ignore_case: true })],
    ["counted", () => ({ pattern: `[a-z]{${3 + Math.floor(next() * 4)},}_[a-z]+`, regexp: true })],
    ["unicode", () => ({ pattern: "\\p{Lu}\\p{Ll}+\\d", regexp: true })],
    ["inline flag", () => ({ pattern: `(?i)${word()}\\d?`, regexp: true })],
    [
      "across lines",
      () => ({
        pattern: `${escaped(pick(["{", "(", ","]))}\\n\\s*${word().slice(0, 3)}`,
        regexp: true,
        multiline: true
      })
    ]
  ]
  return Array.from({ length: count }, (_, i) => {
    const [kind, make] = shapes[i % shapes.length]!
    return { kind, query: make() }
  }).filter((d) => d.query.pattern !== "")
}

/** Matching lines as `path:line` by ripgrep over exactly the indexed files; undefined when it refuses the pattern. */
const byRipgrep = (
  tree: Tree,
  paths: ReadonlyArray<string>,
  query: Drawn["query"]
): Set<string> | undefined => {
  const flags = [
    "--json",
    "--no-config",
    "--no-ignore",
    "--hidden",
    "--text",
    "--crlf",
    ...(query.regexp ? [] : ["--fixed-strings"]),
    ...(query.ignore_case === true ? ["--ignore-case"] : []),
    ...(query.word === true ? ["--word-regexp"] : []),
    ...(query.multiline === true ? ["--multiline"] : [])
  ]
  const found = new Set<string>()
  for (let from = 0; from < paths.length; from += 1500) {
    const ran = spawnSync(rgPath, [...flags, "-e", query.pattern, "--", ...paths.slice(from, from + 1500)], {
      cwd: tree.root,
      encoding: "utf8",
      maxBuffer: 1 << 30
    })
    if (ran.status === 2) return undefined
    for (const row of ran.stdout.split("\n")) {
      if (row === "") continue
      const event = JSON.parse(row) as {
        readonly type: string
        readonly data: {
          readonly path: { readonly text: string }
          readonly line_number: number
          readonly lines: { readonly text: string } | { readonly bytes: string }
        }
      }
      if (event.type !== "match") continue
      // With matches across lines, all lines that are touched by some that touch each other.
      const { line_number: first, lines, path } = event.data
      const bytes = "text" in lines ? Buffer.from(lines.text) : Buffer.from(lines.bytes, "base64")
      const breaks = bytes.subarray(0, -1).filter((byte) => byte === 10).length
      for (let line = first; line <= first + breaks; line++) found.add(`${path.text}:${line}`)
    }
  }
  return found
}

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
    const paths = tree.view
      .files()
      .filter((f) => f.sha !== "" && !["binary", "too_large", "unreadable"].includes(f.skipped ?? ""))
      .map((f) => f.path)
    const rows = new Map<string, { same: number; total: number; lines: number; refused: number }>()
    const wrong: Array<string> = []
    for (const { kind, query } of drawn(tree, options.patterns)) {
      const row = rows.get(kind) ?? { same: 0, total: 0, lines: 0, refused: 0 }
      rows.set(kind, row)
      row.total++
      const theirs = byRipgrep(tree, paths, query)
      const answer = yield* Effect.either(tree.text.search({ ...query, limit: 1_000_000, mode: "matches" }))
      if (theirs === undefined || answer._tag === "Left") {
        row.refused++
        if ((theirs === undefined) === (answer._tag === "Left")) row.same++
        else
          wrong.push(
            `${kind} ${JSON.stringify(query)}: ${theirs === undefined ? "ripgrep refuses, we do not" : `we refuse: ${answer._tag === "Left" ? answer.left.detail : ""}`}`
          )
        continue
      }
      const ours = new Set(
        answer.right.matches.flatMap(({ end_line, line, path }) =>
          Array.from({ length: end_line - line + 1 }, (_, i) => `${path}:${line + i}`)
        )
      )
      row.lines += theirs.size
      const missing = [...theirs].filter((p) => !ours.has(p))
      const extra = [...ours].filter((p) => !theirs.has(p))
      const counted = query.multiline === true || answer.right.total === ours.size
      if (missing.length === 0 && extra.length === 0 && counted && answer.right.complete) row.same++
      else {
        wrong.push(
          `${kind} ${JSON.stringify(query)}: ${theirs.size} lines, ${missing.length} missing (${missing.slice(0, 3).join(", ")}), ${extra.length} extra (${extra.slice(0, 3).join(", ")}); total ${answer.right.total}, ${answer.right.complete ? "complete" : answer.right.causes.join(", ")}`
        )
      }
    }
    const all = [...rows.values()]
    const sum = (f: (row: (typeof all)[number]) => number) => all.reduce((n, row) => n + f(row), 0)
    console.log(`\n${tree.name} (${paths.length} files searched)`)
    console.log(
      table(
        ["patterns", "total", "the same", "refused", "lines"],
        [
          ...[...rows].map(([kind, r]) => [kind, r.total, r.same, r.refused, r.lines]),
          ["all", sum((r) => r.total), sum((r) => r.same), sum((r) => r.refused), sum((r) => r.lines)]
        ]
      )
    )
    for (const line of wrong.slice(0, Math.max(options.show, 5))) console.log(line)
    const ok = wrong.length === 0
    console.log(ok ? "the same as ripgrep" : `${wrong.length} patterns differ`)
    return ok
  })

/** Runs it for command line arguments; gives the exit code. */
export const main = async (args: ReadonlyArray<string>): Promise<number> => {
  const given = argumentsOf(args)
  return exitCode(
    given,
    await Effect.runPromise(
      run({
        directory: given.words[0] ?? ".",
        show: given.number("show", 5),
        patterns: given.number("patterns", 200)
      })
    )
  )
}
