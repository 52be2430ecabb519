/** Edit distance with transpositions of neighbours, at most `most`; `most + 1` when it is more. */
export const editDistance = (a: string, b: string, most: number): number => {
  const n = a.length
  const m = b.length
  if (Math.abs(n - m) > most) return most + 1
  let before = new Int32Array(m + 1)
  let last = new Int32Array(m + 1)
  let row = new Int32Array(m + 1)
  for (let j = 0; j <= m; j++) last[j] = j
  for (let i = 1; i <= n; i++) {
    row[0] = i
    let least = i
    const from = Math.max(1, i - most)
    const to = Math.min(m, i + most)
    if (from > 1) row[from - 1] = most + 1
    for (let j = from; j <= to; j++) {
      const same = a.charCodeAt(i - 1) === b.charCodeAt(j - 1)
      let d = Math.min(
        last[j - 1]! + (same ? 0 : 1),
        row[j - 1]! + 1,
        (j <= i - 1 + most ? last[j]! : most + 1) + 1
      )
      if (
        i > 1 &&
        j > 1 &&
        a.charCodeAt(i - 1) === b.charCodeAt(j - 2) &&
        a.charCodeAt(i - 2) === b.charCodeAt(j - 1)
      )
        d = Math.min(d, before[j - 2]! + 1)
      row[j] = d
      if (d < least) least = d
    }
    if (least > most) return most + 1
    const spare = before
    before = last
    last = row
    row = spare
  }
  return Math.min(last[m]!, most + 1)
}
