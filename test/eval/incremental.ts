/**
 * A real tree under a campaign of changes: after each one, what is known incrementally against all files looked up from
 * nothing, and now and then against an index made from nothing.
 *
 *     npm run eval -- incremental <dir…> [--steps N] [--seed S] [--fresh N] [--show N] [--part FOLDER] [--watch] [--strict]
 *
 * The tree is cloned, with its history when it has one. Steps walk its commits, near and far, and edit, rename, move,
 * copy, swap, empty and delete files and folders, change ignore rules, and bend what configures it. `--fresh` says after
 * how many steps an index is made from nothing (1); 0 never. `--part` checks out one folder only, and may be said more
 * than once. A difference ends the run of its workspace and is told with what was done; the rest goes on with a new one.
 */
import { Effect, Exit, Scope } from "effect"
import { execFileSync } from "node:child_process"
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, extname, join, resolve } from "node:path"
import { lookedUp } from "../../src/engine/graph/Update.ts"
import { open, type WorkspaceEngine } from "../../src/engine/workspace/Workspace.ts"
import { differenceFromFresh, differenceFromResolved } from "../engine/workspace/support.ts"
import { random } from "./support/Sample.ts"

interface Options {
  readonly steps: number
  readonly seed: number
  readonly fresh: number
  readonly show: number
  readonly parts: ReadonlyArray<string>
  readonly watch: boolean
}

const env = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_"))),
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@example.org",
  GIT_COMMITTER_NAME: "Ada",
  GIT_COMMITTER_EMAIL: "ada@example.org"
}

const source =
  /\.(?:[cm]?[jt]sx?|go|rs|pyi?|java|rb|cs|kts?|swift|cpp|cc|hpp|h|c|php|scala|lua|vue|svelte|proto|sql|sh)$/
const config =
  /(?:^|\/)(?:tsconfig[\w.-]*\.json|jsconfig\.json|package\.json|go\.mod|go\.work|Cargo\.toml|pyproject\.toml|setup\.cfg)$/
const word = /[\p{L}_$][\p{L}\p{N}_$]*/gu

/** A work tree that is changed at random, the same way for the same seed. */
class Campaign {
  private readonly next: () => number
  private readonly commits: ReadonlyArray<string>
  private readonly ignored: Array<string> = []

  constructor(
    readonly root: string,
    seed: number
  ) {
    this.next = random(seed)
    this.commits = this.git("log", "--first-parent", "-n", "3000", "--format=%H").trim().split("\n")
  }

  git(...args: ReadonlyArray<string>): string {
    return execFileSync("git", args, {
      cwd: this.root,
      env,
      encoding: "utf8",
      maxBuffer: 1 << 30,
      stdio: ["ignore", "pipe", "pipe"]
    })
  }

  private below(count: number): number {
    return Math.floor(this.next() * count)
  }

  private one<A>(list: ReadonlyArray<A>): A {
    return list[this.below(list.length)]!
  }

  private at(path: string): string {
    return join(this.root, path)
  }

  /** Files of the work tree that match, in the order of their paths. */
  private files(which: RegExp): ReadonlyArray<string> {
    const found = this.git("ls-files", "-z", "-c", "-o", "--exclude-standard")
      .split("\0")
      .filter((path) => which.test(path) && existsSync(this.at(path)) && statSync(this.at(path)).isFile())
    return [...new Set(found)].sort()
  }

  private text(path: string): string {
    return readFileSync(this.at(path), "utf8")
  }

  private write(path: string, text: string | Uint8Array): void {
    mkdirSync(dirname(this.at(path)), { recursive: true })
    writeFileSync(this.at(path), text)
  }

  private move(from: string, to: string): void {
    mkdirSync(dirname(this.at(to)), { recursive: true })
    renameSync(this.at(from), this.at(to))
  }

  /** Makes one change and says it. */
  step(): string {
    for (;;) {
      const did = this.attempt()
      if (did !== undefined) return did
    }
  }

  private attempt(): string | undefined {
    const at = this.next()
    if (at < 0.14) {
      const here = this.commits.indexOf(this.git("rev-parse", "HEAD").trim())
      const to =
        this.next() < 0.6
          ? Math.min(Math.max(0, here + this.below(9) - 4), this.commits.length - 1)
          : this.below(this.commits.length)
      return this.checkout(this.commits[to]!)
    }
    if (at < 0.2) return this.ignore()
    if (at < 0.27) return this.configure()
    const paths = this.files(source)
    if (paths.length < 10) return this.checkout(this.commits[0]!)
    const path = this.one(paths)
    if (at < 0.36) {
      const to =
        this.next() < 0.5 ? join(dirname(path), `moved${this.below(5)}${extname(path)}`) : this.one(paths)
      if (to === path) return undefined
      this.move(path, to)
      return `move ${path} to ${to}`
    }
    if (at < 0.4) {
      const folder = dirname(path)
      if (folder === ".") return undefined
      const to = `${folder}_${this.below(3)}`
      if (existsSync(this.at(to))) return undefined
      this.move(folder, to)
      return `move the folder ${folder} to ${to}`
    }
    if (at < 0.46) {
      rmSync(this.at(path))
      return `delete ${path}`
    }
    if (at < 0.5) {
      const to = join(dirname(this.one(paths)), basename(path))
      if (existsSync(this.at(to))) return undefined
      cpSync(this.at(path), this.at(to))
      return `copy ${path} to ${to}`
    }
    if (at < 0.53) {
      const other = this.one(paths.filter((each) => extname(each) === extname(path)))
      const text = this.text(other)
      this.write(other, this.text(path))
      this.write(path, text)
      return `swap ${path} and ${other}`
    }
    if (at < 0.55) {
      this.write(path, this.next() < 0.5 ? "" : Uint8Array.of(0, 1, 2, 255, 0))
      return `empty or spoil ${path}`
    }
    if (at < 0.58) {
      this.git("checkout", "-q", "-f", "HEAD", "--", ".")
      return "restore what is committed"
    }
    if (at < 0.6) {
      this.git("add", "-A")
      return "add all to the index"
    }
    const many = this.next() < 0.2 ? 6 : 1
    const done: Array<string> = []
    for (let i = 0; i < many; i++) done.push(this.edit(i === 0 ? path : this.one(paths), paths))
    return done.join("; ")
  }

  private checkout(commit: string): string {
    if (this.next() < 0.4) this.git("clean", "-q", "-f", "-d")
    this.git("checkout", "-q", "-f", commit)
    return `check out ${commit.slice(0, 12)}`
  }

  private ignore(): string {
    const folder = this.next() < 0.5 ? "" : dirname(this.one(this.files(/./)))
    const file = join(folder, ".gitignore")
    if (this.next() < 0.3 || this.ignored.length > 6) {
      const rules = this.ignored.pop()
      if (rules !== undefined && existsSync(this.at(rules))) {
        const lines = this.text(rules).split("\n")
        this.write(rules, `${lines.slice(0, Math.max(0, lines.length - 2)).join("\n")}\n`)
        return `take the last rule out of ${rules}`
      }
    }
    const target = this.one(this.files(/./))
    const rule = this.one([
      `*${extname(target) === "" ? ".x" : extname(target)}`,
      `/${dirname(target)}/`,
      basename(target),
      `!${basename(target)}`,
      `${basename(dirname(target))}/`
    ])
    // What is tracked is part of the tree whatever is ignored.
    if (this.next() < 0.6) {
      try {
        this.git("rm", "-q", "-r", "--cached", "--", dirname(target))
      } catch {
        // It was not tracked.
      }
    }
    mkdirSync(dirname(this.at(file)), { recursive: true })
    appendFileSync(this.at(file), `${rule}\n`)
    this.ignored.push(file)
    return `add the rule ${rule} to ${file}, with ${dirname(target)} out of the index or not`
  }

  private configure(): string | undefined {
    const found = this.files(config)
    if (found.length === 0) return undefined
    const path = this.one(found)
    const how = this.below(5)
    if (how === 0) {
      rmSync(this.at(path))
      return `delete ${path}`
    }
    if (how === 1) {
      this.move(path, join(dirname(dirname(path)), basename(path)))
      return `move ${path} a folder up`
    }
    const text = this.text(path)
    if (how === 2) {
      // A value with another one of the file.
      const values = [...text.matchAll(/"(?:\.\/|@|\w)[^"\n]*"/g)]
      if (values.length < 2) return undefined
      const value = this.one(values)
      const other = this.one(values)[0]
      this.write(path, text.slice(0, value.index) + other + text.slice(value.index + value[0].length))
      return `in ${path} ${value[0]} becomes ${other}`
    }
    if (how === 3) {
      const lines = text.split("\n")
      const gone = this.below(lines.length)
      this.write(path, lines.filter((_, i) => i !== gone).join("\n"))
      return `line ${gone + 1} of ${path} goes`
    }
    const to = join(dirname(this.one(this.files(source))), basename(path))
    if (existsSync(this.at(to))) return undefined
    cpSync(this.at(path), this.at(to))
    return `copy ${path} to ${to}`
  }

  private edit(path: string, paths: ReadonlyArray<string>): string {
    if (!existsSync(this.at(path))) return `${path} is gone`
    const text = this.text(path)
    const lines = text.split("\n")
    const line = this.below(lines.length)
    const words = [...text.matchAll(word)]
    const how = this.below(8)
    if (how === 0) {
      const count = 1 + this.below(this.next() < 0.3 ? 40 : 2)
      this.write(path, lines.filter((_, i) => i < line || i >= line + count).join("\n"))
      return `${count} lines from ${line + 1} of ${path} go`
    }
    if (how === 1) {
      const to = this.below(lines.length)
      const block = lines.slice(line, line + 1 + this.below(30))
      this.write(path, [...lines.slice(0, to), ...block, ...lines.slice(to)].join("\n"))
      return `${block.length} lines from ${line + 1} of ${path} also stand before ${to + 1}`
    }
    const alike = paths.filter((each) => extname(each) === extname(path) && existsSync(this.at(each)))
    if (how === 2) {
      const other = this.one(alike)
      const block = this.text(other).split("\n")
      const from = this.below(block.length)
      const taken = block.slice(from, from + 1 + this.below(30))
      this.write(path, [...lines.slice(0, line), ...taken, ...lines.slice(line)].join("\n"))
      return `${taken.length} lines from ${from + 1} of ${other} go into ${path} before ${line + 1}`
    }
    if (words.length === 0) return `${path} has no words`
    const chosen = this.one(words)
    if (how === 3 || how === 4) {
      const other = this.next() < 0.5 ? this.one(words)[0] : `other${this.below(4)}`
      this.write(path, text.slice(0, chosen.index) + other + text.slice(chosen.index + chosen[0].length))
      return `${chosen[0]} becomes ${other} at ${chosen.index} of ${path}`
    }
    if (how === 5) {
      const other = this.one(words)[0]
      this.write(
        path,
        text.replace(word, (each) => (each === chosen[0] ? other : each))
      )
      return `every ${chosen[0]} of ${path} becomes ${other}`
    }
    if (how === 6) {
      // One more import, of another file.
      const from = this.text(this.one(alike))
        .split("\n")
        .filter((each) => /^\s*(?:import|export .* from|use|from|#include|require)\b/.test(each))
      if (from.length === 0) return `nothing is imported into ${path}`
      const added = this.one(from)
      const head = lines.findIndex((each) => /^\s*(?:import|use|from|#include)\b/.test(each))
      const place = Math.max(0, head)
      this.write(path, [...lines.slice(0, place), added, ...lines.slice(place)].join("\n"))
      return `${added.trim()} goes into ${path}`
    }
    // A name of another file.
    const others = [...this.text(this.one(alike)).matchAll(word)]
    if (others.length === 0) return `${path} stays`
    const other = this.one(others)[0]
    this.write(path, text.slice(0, chosen.index) + other + text.slice(chosen.index + chosen[0].length))
    return `${chosen[0]} becomes ${other} at ${chosen.index} of ${path}`
  }
}

/** A clone of a tree with its history; one commit of all it holds when it has none of its own. */
const cloned = (directory: string, parts: ReadonlyArray<string>): string => {
  const from = realpathSync(resolve(directory))
  const root = join(realpathSync(mkdtempSync(join(tmpdir(), "portico-eval-"))), basename(from))
  const git = (at: string, ...args: ReadonlyArray<string>) =>
    execFileSync("git", args, { cwd: at, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })
  if (existsSync(join(from, ".git"))) {
    git(dirname(root), "clone", "-q", "--shared", "--no-checkout", from, root)
    if (parts.length > 0) git(root, "sparse-checkout", "set", ...parts)
    git(root, "checkout", "-q", "-f", "HEAD")
  } else {
    cpSync(from, root, { recursive: true, filter: (path) => basename(path) !== "node_modules" })
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "all")
  }
  git(root, "config", "gc.auto", "0")
  return root
}

const evaluate = async (directory: string, options: Options): Promise<boolean> => {
  const root = cloned(directory, options.parts)
  try {
    const campaign = new Campaign(root, options.seed)
    let done: Array<string> = []
    let workspace: { readonly engine: WorkspaceEngine; readonly scope: Scope.CloseableScope } | undefined
    const close = async () => {
      if (workspace !== undefined) await Effect.runPromise(Scope.close(workspace.scope, Exit.void))
      workspace = undefined
      done = []
    }
    const engine = async () => {
      if (workspace === undefined) {
        const scope = Effect.runSync(Scope.make())
        workspace = {
          scope,
          engine: await Effect.runPromise(
            open({ directory: root, exact: true, watch: options.watch, store: false, threads: 1 }).pipe(
              Scope.extend(scope)
            )
          )
        }
      }
      return workspace.engine
    }
    let differences = 0
    let whole = 0
    let looked = 0
    let files = 0
    let fresh = 0
    try {
      await Effect.runPromise((await engine()).current)
      for (let step = 1; step <= options.steps; step++) {
        done.push(campaign.step())
        const { snapshot } = await Effect.runPromise((await engine()).current)
        const look = lookedUp(snapshot)
        whole += Number(look?.all ?? false)
        looked += look?.files ?? 0
        files = snapshot.byPath.size
        let against = "looked up from nothing"
        let difference = differenceFromResolved(snapshot, root)
        if (
          difference.length === 0 &&
          options.fresh > 0 &&
          (step % options.fresh === 0 || step === options.steps)
        ) {
          against = "an index from nothing"
          fresh++
          difference = await differenceFromFresh(snapshot, root)
        }
        if (difference.length === 0) continue
        differences++
        if (differences <= options.show)
          console.log(
            `\nstep ${step} against ${against}, after\n${done
              .slice(-6)
              .map((each) => `    ${each}`)
              .join("\n")}\n${difference.map((each) => `  ${each.slice(0, 300)}`).join("\n")}`
          )
        await close()
        await Effect.runPromise((await engine()).current)
      }
    } finally {
      await close()
    }
    console.log(
      `${basename(directory)}: ${options.steps} steps of seed ${options.seed}, ${differences} with a difference; ${fresh} indexes from nothing; ${files} files at the end; ${whole} times everything was looked up again, ${looked} files in all`
    )
    return differences === 0
  } finally {
    rmSync(dirname(root), { recursive: true, force: true })
  }
}

export const main = async (args: ReadonlyArray<string>): Promise<number> => {
  const valued = ["--steps", "--seed", "--fresh", "--show", "--part"]
  const number = (name: string, otherwise: number): number => {
    const at = args.indexOf(name)
    const value = at < 0 ? Number.NaN : Number(args[at + 1])
    return Number.isInteger(value) && value >= 0 ? value : otherwise
  }
  const options: Options = {
    steps: number("--steps", 150),
    seed: number("--seed", 1),
    fresh: number("--fresh", 1),
    show: number("--show", 5),
    parts: args.flatMap((word, i) => (args[i - 1] === "--part" ? [word] : [])),
    watch: args.includes("--watch")
  }
  const directories = args.filter((word, i) => !word.startsWith("--") && !valued.includes(args[i - 1] ?? ""))
  if (directories.length === 0) {
    console.error(
      "usage: eval incremental <dir…> [--steps N] [--seed S] [--fresh N] [--part FOLDER] [--watch]"
    )
    return 2
  }
  let good = true
  for (const directory of directories) good = (await evaluate(directory, options)) && good
  return args.includes("--strict") && !good ? 1 : 0
}
