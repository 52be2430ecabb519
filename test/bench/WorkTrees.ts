/** What a further work tree of an indexed repository costs: from `git worktree add` to its first answer, on disk, and after it is gone. */
import { execFileSync } from "node:child_process"
import { lstatSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { Client } from "./Client.ts"
import { ProcessTree } from "./ProcessTree.ts"
import { median } from "./Statistics.ts"
import type { Asked, Subject } from "./Subject.ts"

/** Medians; times in milliseconds from the start of a server's process to its answer, sizes in bytes. */
export interface WorkTrees {
  readonly count: number
  /** To the list of tools. */
  readonly started: number
  /** To a first question for callers in the work tree that was indexed. */
  readonly indexed: number
  /** The same in one that was just added, the processor time of that, and when it is asked again. */
  readonly added: number
  readonly addedCpuMs: number
  readonly again: number
  /** On disk: of the repository with one work tree, and what each further one adds. */
  readonly storedBytes: number
  readonly addedBytes: number
  /** Files and bytes that are left once the work trees are removed and the first one was asked about again. */
  readonly leftFiles: number
  readonly leftBytes: number
}

interface OnDisk {
  readonly files: number
  readonly bytes: number
}

/** Files below a folder; several names of one file are one. */
const onDisk = (folder: string): OnDisk => {
  const sizes = new Map<number, number>()
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const stat = lstatSync(join(folder, name))
    if (stat.isFile()) sizes.set(stat.ino, stat.size)
  }
  return { files: sizes.size, bytes: [...sizes.values()].reduce((sum, size) => sum + size, 0) }
}

const git = (tree: string, ...args: ReadonlyArray<string>): void => {
  execFileSync("git", ["-C", tree, ...args], { stdio: ["ignore", "ignore", "pipe"] })
}

/** Adds so many work trees to a tree that is indexed, asks about each, and removes them. */
export const workTrees = async (
  subject: Subject,
  tree: string,
  asked: Asked,
  room: string,
  count: number
): Promise<WorkTrees> => {
  const question = { operation: "callers", target: { symbol: asked.id } }
  const served = async (at: string, ask: (client: Client) => Promise<{ readonly isError?: boolean }>) => {
    const client = subject.serve(at)
    try {
      await client.open()
      const answer = await ask(client)
      const ms = performance.now() - client.startedAt
      if (answer.isError === true) throw new Error(`a question about ${at} failed`)
      return { ms, cpuMs: new ProcessTree(client.pid).processorSeconds() * 1000 }
    } finally {
      await client.close()
    }
  }
  const first = (at: string) => served(at, (client) => client.call("relations", question))
  const stored = () => onDisk(subject.env["PORTICO_HOME"]!)
  const each = Array.from({ length: count }, (_, i) => join(room, `worktree-${i}`))
  const started: Array<number> = []
  const indexed: Array<number> = []
  for (let i = 0; i < count; i++) {
    started.push((await served(tree, (client) => client.request("tools/list"))).ms)
    indexed.push((await first(tree)).ms)
  }
  const before = stored()
  const added: Array<number> = []
  const addedCpu: Array<number> = []
  const again: Array<number> = []
  try {
    for (const at of each) {
      git(tree, "worktree", "add", "-q", "--detach", at)
      const { cpuMs, ms } = await first(at)
      added.push(ms)
      addedCpu.push(cpuMs)
    }
    for (const at of each) again.push((await first(at)).ms)
    const after = stored()
    for (const at of each) git(tree, "worktree", "remove", "--force", at)
    await first(tree)
    const left = stored()
    return {
      count,
      started: median(started)!,
      indexed: median(indexed)!,
      added: median(added)!,
      addedCpuMs: median(addedCpu)!,
      again: median(again)!,
      storedBytes: before.bytes,
      addedBytes: (after.bytes - before.bytes) / count,
      leftFiles: left.files - before.files,
      leftBytes: left.bytes - before.bytes
    }
  } finally {
    for (const at of each) rmSync(at, { recursive: true, force: true })
  }
}
