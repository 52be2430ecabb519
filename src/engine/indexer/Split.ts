/** Splits a job into groups of about equal work. */
import type { Job } from "./Job.ts"

/** Bytes of source a group holds, unless one file alone is larger. */
export const groupBytes = 384 * 1024
/** Most files of a group. */
export const groupFiles = 256

const assumedBytes = 8 * 1024
/** What opening and looking at a file costs, in bytes read. */
const fileCost = 1024

/**
 * Places in the job's paths, group by group. Large files come first, so that no thread is left with one at the end;
 * equal sizes keep the order of the paths.
 */
export const split = (job: Pick<Job, "paths" | "sizes">): ReadonlyArray<Int32Array> => {
  const count = job.paths.length
  const cost = new Float64Array(count)
  for (let i = 0; i < count; i++) cost[i] = fileCost + (job.sizes?.[i] ?? assumedBytes)
  const order = Int32Array.from({ length: count }, (_, i) => i).sort((a, b) => cost[b]! - cost[a]! || a - b)
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
