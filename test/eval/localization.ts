/**
 * How well a task text leads to the files that had to change: subjects of real commits as tasks, the tree before the
 * commit as what is searched, the files the commit touched as what should be found.
 */
import { Context, Effect } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { servicesOf } from "../../src/engine/workspace/layer.ts"
import { open } from "../../src/engine/workspace/Workspace.ts"
import { task } from "../../src/facades/explore/task.ts"
import { project } from "../../src/registry/Projection.ts"
import { CodeGraph } from "../../src/services/CodeGraph.ts"
import { git, isSource, type Labelled, labelled } from "./commits.ts"
import { keywordFiles } from "./keywords.ts"

export interface Row extends Labelled {
  /** Place of the first touched file in each ranking, 0-based; Infinity when it is not there. */
  readonly ours: number
  readonly keywords: number
  /** The same keyword search over source files that are no tests. */
  readonly keywordsInSource: number
  /** Tokens of the answer, 3.5 bytes each. */
  readonly tokens: number
  readonly ms: number
}

const placeOf = (ranked: ReadonlyArray<string>, touched: ReadonlyArray<string>): number =>
  touched.reduce((best, path) => {
    const at = ranked.indexOf(path)
    return at >= 0 && at < best ? at : best
  }, Infinity)

/**
 * Evaluates one repository in a work tree of its own, which goes from parent to parent, oldest first; the index follows
 * it the way it follows any other change.
 */
export const localization = (repository: string, commits: number): Effect.Effect<ReadonlyArray<Row>> =>
  Effect.gen(function* () {
    const chosen = labelled(repository, commits).toReversed()
    const tree = yield* Effect.acquireRelease(
      Effect.sync(() => {
        const path = join(mkdtempSync(join(tmpdir(), "portico-eval-")), "tree")
        git(repository, "worktree", "add", "--detach", "--quiet", path, chosen[0]?.parent ?? "HEAD")
        return path
      }),
      (path) =>
        Effect.sync(() => {
          git(repository, "worktree", "remove", "--force", path)
          rmSync(join(path, ".."), { recursive: true, force: true })
        })
    )
    const services = servicesOf(
      yield* Effect.orDie(open({ directory: tree, exact: true, watch: true, store: false }))
    )
    const rows: Array<Row> = []
    for (const commit of chosen) {
      git(tree, "checkout", "--quiet", "--force", "--detach", commit.parent)
      // Bringing the index up to date is not part of the answer's time.
      yield* Effect.orDie(Context.get(services, CodeGraph).view)
      const started = performance.now()
      const outcome = yield* Effect.orDie(Effect.provide(task.run({ task: commit.subject }), services))
      const ms = performance.now() - started
      const answer = project(outcome)
      if (answer._tag === "Left") return yield* Effect.die(answer.left)
      const value = answer.right.value as { readonly files: ReadonlyArray<{ readonly path: string }> }
      const keywords = keywordFiles(tree, commit.subject, () => true)
      rows.push({
        ...commit,
        ours: placeOf(
          value.files.map((f) => f.path),
          commit.touched
        ),
        keywords: placeOf(keywords, commit.touched),
        keywordsInSource: placeOf(keywords.filter(isSource), commit.touched),
        tokens: Math.ceil(Buffer.byteLength(JSON.stringify(value)) / 3.5),
        ms
      })
    }
    return rows
  }).pipe(Effect.scoped)

const share = (places: ReadonlyArray<number>, top: number) =>
  places.filter((p) => p < top).length / Math.max(1, places.length)
const reciprocal = (places: ReadonlyArray<number>) =>
  places.reduce((n, p) => n + 1 / (p + 1), 0) / Math.max(1, places.length)
const median = (values: ReadonlyArray<number>) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** The table of one repository. */
export const report = (name: string, rows: ReadonlyArray<Row>): string => {
  const line = (label: string, places: ReadonlyArray<number>) =>
    `| ${label} | ${[1, 5, 10].map((k) => share(places, k).toFixed(2)).join(" | ")} | ${reciprocal(places).toFixed(2)} |`
  const ours = rows.map((r) => r.ours)
  const keywords = rows.map((r) => r.keywords)
  const ratio = share(ours, 5) / Math.max(1e-9, share(keywords, 5))
  return [
    `${name}: ${rows.length} commits; answer ${median(rows.map((r) => r.tokens))} tokens, ${median(rows.map((r) => r.ms)).toFixed(0)} ms (medians); recall@5 is ${ratio.toFixed(2)} times that of keywords`,
    "",
    "| ranking | top 1 | top 5 | top 10 | MRR |",
    "|---|---|---|---|---|",
    line("explore.task", ours),
    line("keywords", keywords),
    line(
      "keywords, source files only",
      rows.map((r) => r.keywordsInSource)
    ),
    ""
  ].join("\n")
}

/** Runs `localization [--commits n] [--misses] repository…`. */
export const main = async (args: ReadonlyArray<string>): Promise<number> => {
  const repositories: Array<string> = []
  let commits = 50
  let misses = false
  for (let at = 0; at < args.length; at++) {
    if (args[at] === "--commits") commits = Number(args[++at])
    else if (args[at] === "--misses") misses = true
    else repositories.push(args[at]!)
  }
  if (!Number.isInteger(commits) || commits < 1) {
    console.error("--commits takes a whole number of at least 1")
    return 2
  }
  for (const repository of repositories.length > 0 ? repositories : ["."]) {
    const top = git(repository, "rev-parse", "--show-toplevel").trim()
    const rows = await Effect.runPromise(localization(top, commits))
    console.log(report(top.slice(top.lastIndexOf("/") + 1), rows))
    if (misses)
      for (const row of rows)
        if (row.ours >= 5)
          console.log(
            `${row.commit.slice(0, 10)} ${row.ours} ${row.keywords} ${row.subject} -> ${row.touched.join(" ")}`
          )
  }
  return 0
}
