/** Histories made up from a seed: branches, merges, renames, removals, several authors under several names. */
import { execFileSync } from "node:child_process"
import type { TempFolder } from "./TempRepo.ts"

/** Numbers from a seed, the same ones every time. */
export class Dice {
  #state: number
  constructor(seed: number) {
    this.#state = seed >>> 0 || 1
  }
  /** From 0 to below `n`. */
  roll(n: number): number {
    this.#state ^= this.#state << 13
    this.#state >>>= 0
    this.#state ^= this.#state >>> 17
    this.#state ^= this.#state << 5
    this.#state >>>= 0
    return this.#state % n
  }
  of<A>(list: ReadonlyArray<A>): A {
    return list[this.roll(list.length)]!
  }
}

const authors = [
  ["Ada", "ada@example.org"],
  ["Ada L.", "countess@example.org"],
  ["Grace", "grace@example.org"],
  ['Łukasz "Q" O\'Hara', "lukasz@example.org"]
] as const

export const mailmap =
  "Ada Lovelace <ada@example.org> <countess@example.org>\nAda Lovelace <ada@example.org>\n"

type Tree = ReadonlyMap<string, ReadonlyArray<string>>

export interface Made {
  readonly merges: number
  readonly renames: number
}

/** Fills a repository; its head is `main`, checked out. */
export const generate = (
  folder: TempFolder,
  seed: number,
  options: { readonly commits: number; readonly merges: boolean; readonly end?: string }
): Made => {
  const dice = new Dice(seed)
  const end = options.end ?? ".txt"
  let mark = 0
  let time = 1_600_000_000
  let words = 0
  let merges = 0
  let renames = 0
  const stream: Array<string> = []
  const line = () => `${dice.of(["alpha", "beta", "gamma", "delta", "omega"])} ${words++}`
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`
  const commit = (tree: Tree, subject: string, parents: ReadonlyArray<number>): number => {
    const [name, email] = dice.of(authors)
    time += 60 + dice.roll(90_000)
    stream.push(
      `commit refs/heads/main\nmark :${++mark}\nauthor ${name} <${email}> ${time} +0000\ncommitter ${name} <${email}> ${time} +0000\n${data(subject)}`,
      ...parents.map((parent, i) => `${i === 0 ? "from" : "merge"} :${parent}\n`),
      "deleteall\n",
      ...[...tree].map(([path, lines]) => `M 100644 inline ${path}\n${data(`${lines.join("\n")}\n`)}`)
    )
    return mark
  }
  const change = (tree: Tree): { readonly tree: Tree; readonly subject: string } => {
    const next = new Map(tree)
    const path = dice.of([...tree.keys()])
    const lines = [...tree.get(path)!]
    const kind = dice.roll(12)
    if (kind === 0 || tree.size < 3) {
      const name = `${dice.of(["src", "lib", "src/deep"])}/f${words}${end}`
      next.set(name, Array.from({ length: 5 + dice.roll(30) }, line))
      return { tree: next, subject: `feat: add ${name}` }
    }
    if (kind === 1 && lines.length > 8) {
      const name = `${dice.of(["src", "moved"])}/r${words++}${end}`
      next.delete(path)
      // A small change on the way.
      lines.splice(dice.roll(lines.length), 1, line())
      next.set(name, lines)
      renames++
      return { tree: next, subject: `refactor: move ${path}` }
    }
    if (kind === 2 && tree.size > 4) {
      next.delete(path)
      return { tree: next, subject: `chore: drop ${path}` }
    }
    for (let n = dice.roll(3) + 1; n > 0; n--) {
      const at = dice.roll(lines.length)
      const cut = dice.roll(3)
      lines.splice(at, Math.min(cut, lines.length - 1), ...Array.from({ length: dice.roll(4) }, line))
    }
    if (lines.length === 0) lines.push(line())
    next.set(path, lines)
    // Some commits touch a second file.
    if (dice.roll(3) === 0) {
      const other = dice.of([...next.keys()])
      next.set(other, [...next.get(other)!, line()])
    }
    return { tree: next, subject: dice.roll(4) === 0 ? `fix: mend ${path}` : `feat: work on ${path}` }
  }
  let main: { tree: Tree; mark: number } = {
    tree: new Map([
      [".mailmap", mailmap.trimEnd().split("\n")],
      [`src/a${end}`, Array.from({ length: 40 }, line)],
      [`src/b${end}`, Array.from({ length: 25 }, line)],
      [`lib/c${end}`, Array.from({ length: 12 }, line)]
    ]),
    mark: 0
  }
  main = { tree: main.tree, mark: commit(main.tree, "feat: begin", []) }
  let side: { tree: Tree; mark: number; base: Tree } | undefined
  const work = (at: { tree: Tree; mark: number }) => {
    const { subject, tree } = change(withoutMailmap(at.tree))
    const whole = new Map([[".mailmap", at.tree.get(".mailmap")!], ...tree])
    return { tree: whole, mark: commit(whole, subject, [at.mark]) }
  }
  for (let i = 0; i < options.commits; i++) {
    if (options.merges && side === undefined && dice.roll(5) === 0) side = { ...main, base: main.tree }
    if (side !== undefined && dice.roll(2) === 0) side = { ...work(side), base: side.base }
    else main = work(main)
    if (side !== undefined && dice.roll(6) === 0 && side.tree !== side.base) {
      // Each file from whichever side changed it; where both did, sometimes a text of its own.
      const merged = new Map<string, ReadonlyArray<string>>()
      for (const path of new Set([...main.tree.keys(), ...side.tree.keys()])) {
        const [base, ours, theirs] = [side.base.get(path), main.tree.get(path), side.tree.get(path)]
        const result = ours === base ? theirs : theirs === base ? ours : dice.roll(3) === 0 ? theirs : ours
        if (result !== undefined)
          merged.set(
            path,
            ours !== base && theirs !== base && dice.roll(2) === 0 ? [...result, line()] : result
          )
      }
      main = { tree: merged, mark: commit(merged, "Merge side", [main.mark, side.mark]) }
      merges++
      side = undefined
    }
  }
  folder.init()
  execFileSync("git", ["fast-import", "--quiet", "--force"], {
    cwd: folder.path,
    input: stream.join(""),
    stdio: ["pipe", "pipe", "pipe"]
  })
  folder.git("", "reset", "-q", "--hard", "main")
  return { merges, renames }
}

const withoutMailmap = (tree: Tree): Tree => {
  const out = new Map(tree)
  out.delete(".mailmap")
  return out
}
