/** Splits a job into groups of about equal work, and says which thread reads which of them. */
import type { Job } from "./Job.ts"

/** Bytes of source a group holds, unless one file alone is larger. */
export const groupBytes = 384 * 1024
/** Most files of a group. */
export const groupFiles = 256

const assumedBytes = 8 * 1024
/** What opening and looking at a file costs, in bytes read. */
const fileCost = 1024

/** Files with the same ending are probably read by the same code. */
const endingOf = (path: string): string => path.slice(path.lastIndexOf(".") + 1)

/** Places in the job's paths that are read in one go. */
export interface Group {
  readonly indices: Int32Array
  /** What its files have in common; "" for a mixture. */
  readonly kind: string
  /** Bytes, or what takes as long as reading so many. */
  readonly cost: number
}

/**
 * The groups of a job, by what reads their files (by ending unless `kindOf` knows better): kinds with most work come
 * first and within one the large files, so that no thread is left with a large file at the end; equal sizes keep the
 * order of the paths. Only kinds that fill no group of their own share one.
 */
export const split = (
  job: Pick<Job, "paths" | "sizes">,
  kindOf: (path: string) => string = endingOf
): ReadonlyArray<Group> => {
  const count = job.paths.length
  const cost = new Float64Array(count)
  for (let i = 0; i < count; i++) cost[i] = fileCost + (job.sizes?.[i] ?? assumedBytes)
  const work = new Map<string, number>()
  const kinds = job.paths.map(kindOf)
  kinds.forEach((kind, i) => work.set(kind, (work.get(kind) ?? 0) + cost[i]!))
  const rank = new Map([...work].sort((a, b) => b[1] - a[1]).map(([kind], i) => [kind, i]))
  const ranks = Int32Array.from(kinds, (kind) => rank.get(kind)!)
  const order = Int32Array.from({ length: count }, (_, i) => i).sort(
    (a, b) => ranks[a]! - ranks[b]! || cost[b]! - cost[a]! || a - b
  )
  const groups: Array<Group> = []
  let from = 0
  let sum = 0
  const close = (to: number) => {
    const kind = kinds[order[from]!]!
    groups.push({
      indices: order.slice(from, to),
      kind: kind === kinds[order[to - 1]!] ? kind : "",
      cost: sum
    })
    from = to
    sum = 0
  }
  for (let i = 0; i < count; i++) {
    const next = cost[order[i]!]!
    if (
      i > from &&
      (sum + next > groupBytes ||
        i - from === groupFiles ||
        (ranks[order[i]!] !== ranks[order[i - 1]!] && work.get(kinds[order[i - 1]!]!)! > groupBytes))
    )
      close(i)
    sum += next
  }
  if (count > from) close(count)
  return groups
}

/**
 * Hands the groups of a job to its threads. A thread stays with one kind, since a reader is slow until the thread has
 * compiled it; a kind gets a second thread only when more than `worthwhile` of it is left, at which that pays.
 */
export class Schedule {
  private readonly kinds = new Map<
    string,
    { readonly groups: ReadonlyArray<Group>; at: number; left: number }
  >()
  /** What each thread reads. */
  private readonly reading: Array<string | undefined>

  constructor(
    groups: ReadonlyArray<Group>,
    threads: number,
    private readonly worthwhile: number
  ) {
    const lists = new Map<string, Array<Group>>()
    for (const group of groups) {
      const list = lists.get(group.kind)
      if (list === undefined) lists.set(group.kind, [group])
      else list.push(group)
    }
    for (const [kind, list] of lists)
      this.kinds.set(kind, { groups: list, at: 0, left: list.reduce((sum, { cost }) => sum + cost, 0) })
    this.reading = Array.from({ length: threads }, () => undefined)
  }

  /** The next group for a thread; undefined when there is none that it had better read. */
  next(thread: number): Group | undefined {
    const own = this.reading[thread]
    const kind = own !== undefined && this.kinds.has(own) ? own : this.other()
    if (kind === undefined) return undefined
    this.reading[thread] = kind
    const queue = this.kinds.get(kind)!
    const group = queue.groups[queue.at++]!
    queue.left -= group.cost
    if (queue.at === queue.groups.length) this.kinds.delete(kind)
    return group
  }

  /** The kind with most left that nobody reads, else one that is worth another thread. */
  private other(): string | undefined {
    let best: string | undefined
    let most = -1
    let free = false
    for (const [kind, { left }] of this.kinds) {
      const untouched = !this.reading.includes(kind)
      if ((!untouched && (free || left <= this.worthwhile)) || (untouched === free && left <= most)) continue
      best = kind
      most = left
      free = untouched
    }
    return best
  }
}
