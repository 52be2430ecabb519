/** Nodes divided into groups. */

/** Which group each node is in. Groups are numbered from 0 in the order of their first nodes. */
export interface Groups {
  readonly of: Int32Array
  readonly count: number
}

/** The same division with its groups numbered in the order of their first nodes. */
export const numbered = (of: ArrayLike<number>): Groups => {
  const seen = new Map<number, number>()
  const out = new Int32Array(of.length)
  for (let node = 0; node < of.length; node++) {
    let own = seen.get(of[node]!)
    if (own === undefined) seen.set(of[node]!, (own = seen.size))
    out[node] = own
  }
  return { of: out, count: seen.size }
}

/** The nodes of group `g`, ascending, are `members` from `starts[g]` up to, exclusive, `starts[g + 1]`. */
export interface Members {
  readonly starts: Int32Array
  readonly members: Int32Array
}

export const membersOf = ({ count, of }: Groups): Members => {
  const starts = new Int32Array(count + 1)
  for (let node = 0; node < of.length; node++) starts[of[node]! + 1]!++
  for (let group = 0; group < count; group++) starts[group + 1]! += starts[group]!
  const next = starts.slice(0, count)
  const members = new Int32Array(of.length)
  for (let node = 0; node < of.length; node++) members[next[of[node]!]!++] = node
  return { starts, members }
}
