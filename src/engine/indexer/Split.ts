/** Splits a job into groups of about equal work. */
import type { Job } from "./Job.ts"

/** Bytes of source a group holds, unless one file alone is larger. */
export const groupBytes = 384 * 1024
/** Most files of a group. */
export const groupFiles = 256

const assumedBytes = 8 * 1024
/** What opening and looking at a file costs, in bytes read. */
const fileCost = 1024

/** Files with the same ending are probably of one language. */
const endingOf = (path: string): string => path.slice(path.lastIndexOf(".") + 1)

/**
 * Places in the job's paths, group by group. Files of one ending stand together, so that a thread prepares few
 * languages; endings with most work come first and within one the large files, so that no thread is left with a large
 * file at the end; equal sizes keep the order of the paths.
 */
export const split = (job: Pick<Job, "paths" | "sizes">): ReadonlyArray<Int32Array> => {
  const count = job.paths.length
  const cost = new Float64Array(count)
  for (let i = 0; i < count; i++) cost[i] = fileCost + (job.sizes?.[i] ?? assumedBytes)
  const work = new Map<string, number>()
  const endings = job.paths.map(endingOf)
  endings.forEach((ending, i) => work.set(ending, (work.get(ending) ?? 0) + cost[i]!))
  const rank = new Map([...work].sort((a, b) => b[1] - a[1]).map(([ending], i) => [ending, i]))
  const ranks = Int32Array.from(endings, (ending) => rank.get(ending)!)
  const order = Int32Array.from({ length: count }, (_, i) => i).sort(
    (a, b) => ranks[a]! - ranks[b]! || cost[b]! - cost[a]! || a - b
  )
  const groups: Array<Int32Array> = []
  let from = 0
  let sum = 0
  for (let i = 0; i < count; i++) {
    const next = cost[order[i]!]!
    if (i > from && (sum + next > groupBytes || i - from === groupFiles)) {
      groups.push(order.slice(from, i))
      from = i
      sum = 0
    }
    sum += next
  }
  if (count > from) groups.push(order.slice(from))
  return groups
}
