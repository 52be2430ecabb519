/** Resident memory of process groups, where the system tells it. */
import { execFile } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { Effect } from "effect"

const pageSize = 4096

const fromProc = (groups: ReadonlySet<number>): Map<number, number> => {
  const out = new Map<number, number>()
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue
    let stat: string
    try {
      stat = readFileSync(`/proc/${name}/stat`, "latin1")
    } catch {
      continue
    }
    // The second field, a program's name in brackets, may hold anything; the third begins after the last bracket.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    const group = Number(fields[2])
    if (groups.has(group)) out.set(group, (out.get(group) ?? 0) + Number(fields[21]) * pageSize)
  }
  return out
}

const fromPs = (groups: ReadonlySet<number>): Effect.Effect<Map<number, number>> =>
  Effect.async((resume) => {
    const child = execFile("ps", ["-A", "-o", "pgid=,rss="], { timeout: 2000 }, (error, text) => {
      const out = new Map<number, number>()
      for (const line of error === null ? text.split("\n") : []) {
        const [group, kib] = line.trim().split(/\s+/).map(Number)
        if (group !== undefined && kib !== undefined && groups.has(group))
          out.set(group, (out.get(group) ?? 0) + kib * 1024)
      }
      resume(Effect.succeed(out))
    })
    return Effect.sync(() => void child.kill())
  })

/** Bytes by process group. A group that is gone, or whose memory the system does not tell, is absent. */
export const groupMemory = (groups: ReadonlySet<number>): Effect.Effect<ReadonlyMap<number, number>> => {
  if (groups.size === 0) return Effect.succeed(new Map())
  if (process.platform === "linux") return Effect.sync(() => fromProc(groups))
  return process.platform === "win32" ? Effect.succeed(new Map()) : fromPs(groups)
}
