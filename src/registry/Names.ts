/** Edit distance with unit costs. */
const distance = (left: string, right: string): number => {
  let previous = Array.from({ length: right.length + 1 }, (_, at) => at)
  for (let i = 1; i <= left.length; i++) {
    const next = [i]
    for (let j = 1; j <= right.length; j++) {
      const replaced = (previous[j - 1] as number) + (left[i - 1] === right[j - 1] ? 0 : 1)
      next[j] = Math.min((next[j - 1] as number) + 1, (previous[j] as number) + 1, replaced)
    }
    previous = next
  }
  return previous[right.length] as number
}

/** The candidate nearest to a word, when one is near enough to be worth a hint. Never applied, only suggested. */
export const nearest = (word: string, candidates: Iterable<string>): string | undefined => {
  let best: string | undefined
  let score = Math.max(2, Math.floor(word.length / 3)) + 1
  for (const candidate of candidates) {
    const last = candidate.slice(candidate.lastIndexOf(".") + 1)
    const far = distance(word.toLowerCase(), last.toLowerCase())
    if (far < score && far < Math.max(word.length, last.length)) {
      score = far
      best = candidate
    }
  }
  return best
}

/** An operation's name as the registry spells it: lower case, trimmed, `_` for `-`. */
export const operationName = (name: string): string => name.trim().toLowerCase().replaceAll("-", "_")
