/** What many tracked repositories cost a running server: copies of the measured trees, tracked from a small one. */
import { execFileSync } from "node:child_process"
import { mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { ProcessTree } from "./ProcessTree.ts"
import { bytesBelow, copyTree, remove } from "./Room.ts"
import { percentile } from "./Statistics.ts"
import type { Subject } from "./Subject.ts"

/** Times in milliseconds, memory and the store in bytes. */
export interface Tracked {
  readonly repositories: number
  readonly storeBytes: number
  /** Resident with all of them tracked and none asked about. */
  readonly residentIdle: number
  /** A first question about one that is stored and not open, the snapshot read and compared with its work tree. */
  readonly coldP50: number
  readonly coldP95: number
  readonly coldCpuMs: number
  /** Resident after each was asked about in turn, and the most that was resident meanwhile. */
  readonly residentAfterTurn: number
  /** A question about all of them together: the first, which opens what is not open, and a second one. */
  readonly wholeFirst: number
  readonly wholeSecond: number
  readonly residentAfterWhole: number
  readonly peak: number
}

/** Milliseconds that a process may take to do what is left to do when nobody asks. */
const quietMs = 5000

/** A word that many definitions of a tree carry: what is looked for in each copy. */
const wordOf = (tree: string): string => {
  const counts = new Map<string, number>()
  const look = (folder: string, depth: number): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.name.startsWith(".") || entry.name === "node_modules") continue
      if (entry.isDirectory() && depth < 4) look(join(folder, entry.name), depth + 1)
      const word = entry.isFile() ? /^[a-z]{4,}/i.exec(entry.name)?.[0].toLowerCase() : undefined
      if (word !== undefined) counts.set(word, (counts.get(word) ?? 0) + 1)
    }
  }
  look(tree, 0)
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0]?.[0] ?? "main"
}

/** Tracks so many copies of the trees in turn, and asks about them. */
export const repositories = async (
  subject: Subject,
  trees: ReadonlyArray<string>,
  room: string,
  { count, say }: { readonly count: number; readonly say: (text: string) => void }
): Promise<Tracked> => {
  subject.forget()
  const served = join(room, "served")
  mkdirSync(served)
  writeFileSync(join(served, "alone.js"), "export function alone() {}\n")
  execFileSync("git", ["init", "-q"], { cwd: served })
  const words = new Map<string, string>()
  for (let i = 0; i < count; i++) {
    const tree = trees[i % trees.length]!
    const name = `${basename(tree)}-${Math.floor(i / trees.length) + 1}`
    words.set(name, wordOf(tree))
    copyTree(tree, join(room, "tracked", name))
  }
  const home = { tool: "search", args: { operation: "symbols", query: "alone", options: { repo: "." } } }
  const ask = async (client: ReturnType<Subject["serve"]>, tool: string, args: object) => {
    const before = performance.now()
    const answer = await client.call(tool, args)
    if (answer.isError === true) throw new Error(`${tool} failed: ${answer.content?.[0]?.text}`)
    return performance.now() - before
  }
  try {
    const tracking = subject.serve(served)
    try {
      await tracking.open()
      await ask(tracking, home.tool, home.args)
      for (const name of words.keys()) {
        say(`repositories: tracking ${name}`)
        await ask(tracking, "workspace_admin", {
          operation: "track",
          arguments: { path: join(room, "tracked", name) }
        })
      }
      // Those whose first index took longer than an answer waits are done with a question about all.
      await ask(tracking, "search", { operation: "symbols", query: "alone" })
    } finally {
      await tracking.close()
    }
    const client = subject.serve(served)
    const processes = new ProcessTree(client.pid)
    try {
      await client.open()
      await ask(client, home.tool, home.args)
      await new Promise((resolve) => setTimeout(resolve, quietMs))
      const residentIdle = processes.memory().resident
      const cpuBefore = processes.processorSeconds()
      const cold: Array<number> = []
      for (const [name, query] of words)
        cold.push(await ask(client, "search", { operation: "symbols", query, options: { repo: name } }))
      const coldCpuMs = ((processes.processorSeconds() - cpuBefore) * 1000) / cold.length
      const residentAfterTurn = processes.memory().resident
      const whole = { operation: "symbols", query: "alone" }
      const wholeFirst = await ask(client, "search", whole)
      const wholeSecond = await ask(client, "search", whole)
      await new Promise((resolve) => setTimeout(resolve, quietMs))
      const { highest, resident } = processes.memory()
      return {
        repositories: count,
        storeBytes: bytesBelow(join(subject.env["PORTICO_HOME"]!, "graphs")),
        residentIdle,
        coldP50: percentile(cold, 0.5)!,
        coldP95: percentile(cold, 0.95)!,
        coldCpuMs,
        residentAfterTurn,
        wholeFirst,
        wholeSecond,
        residentAfterWhole: resident,
        peak: highest
      }
    } finally {
      await client.close()
    }
  } finally {
    remove(join(room, "tracked"))
    remove(served)
  }
}
