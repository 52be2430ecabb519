/** What a process and its descendants hold and have used, read from procfs. */
import { readdirSync, readFileSync } from "node:fs"

/** Memory in bytes: what is resident now, over all, and the highest that any single one has had. */
export interface Memory {
  readonly resident: number
  readonly highest: number
  readonly processes: number
}

/** The pid of a process's parent; undefined when there is no such process. */
export const parentOf = (pid: number): number | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1")
    // The command's name, in parentheses, may hold anything.
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1])
  } catch {
    return undefined
  }
}

/** A process and those that descend from it. What it learns of parents it keeps, so each process is looked at once. */
export class ProcessTree {
  readonly #parents = new Map<number, number>()
  constructor(readonly root: number) {}

  /** Pids alive now, the root first. */
  members(): ReadonlyArray<number> {
    const alive = new Set<number>()
    for (const name of readdirSync("/proc")) {
      const pid = Number(name)
      if (!Number.isInteger(pid)) continue
      alive.add(pid)
      if (this.#parents.has(pid)) continue
      const parent = parentOf(pid)
      if (parent !== undefined) this.#parents.set(pid, parent)
    }
    for (const pid of this.#parents.keys()) if (!alive.has(pid)) this.#parents.delete(pid)
    const members = alive.has(this.root) ? [this.root] : []
    for (let i = 0; i < members.length; i++)
      for (const [pid, parent] of this.#parents) if (parent === members[i]) members.push(pid)
    return members
  }

  memory(): Memory {
    let resident = 0
    let highest = 0
    let processes = 0
    for (const pid of this.members()) {
      const status = statusOf(pid)
      if (status === undefined) continue
      processes++
      resident += status.resident
      highest = Math.max(highest, status.highest)
    }
    return { resident, highest, processes }
  }

  /** Seconds of processor time, user and system, of the members alive and the children they have waited for. */
  processorSeconds(): number {
    let ticks = 0
    for (const pid of this.members()) {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, "latin1")
        const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
        for (let i = 11; i <= 14; i++) ticks += Number(fields[i])
      } catch {
        // It has just ended.
      }
    }
    return ticks / 100
  }
}

const kilobytes = (status: string, field: string): number =>
  Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? 0) * 1024

const statusOf = (pid: number): { readonly resident: number; readonly highest: number } | undefined => {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "latin1")
    const resident = kilobytes(status, "VmRSS")
    return { resident, highest: Math.max(resident, kilobytes(status, "VmHWM")) }
  } catch {
    return undefined
  }
}

/** Watches a tree's memory until stopped. */
export class PeakMemory {
  readonly #timer: NodeJS.Timeout
  readonly #tree: ProcessTree
  #peak = 0
  constructor(root: number, everyMs = 150) {
    this.#tree = new ProcessTree(root)
    this.#timer = setInterval(() => this.#look(), everyMs)
    this.#look()
  }
  #look(): void {
    const { highest, resident } = this.#tree.memory()
    this.#peak = Math.max(this.#peak, resident, highest)
  }
  /** Bytes. The most that was resident at one time, or the most that one process had in between. */
  stop(): number {
    clearInterval(this.#timer)
    return this.#peak
  }
}
