/** Which names a pattern means. */
import type { FlowPattern } from "../../services/ProgramFlow.ts"

const normal = (word: string): string => word.replaceAll("::", ".").replaceAll("->", ".").replace(/\(\)/g, "")

/** Whether a word without capitals is found whatever the case. */
const holds = (name: string, word: string): boolean =>
  word === word.toLowerCase() ? name.toLowerCase().includes(word) : name.includes(word)

/** Whether a name is the word, or ends with it at a dot. */
const is = (name: string, word: string): boolean => name === word || name.endsWith(`.${word}`)

/** Whether any of the names of one thing fits all words of a pattern. */
export const fits = (pattern: FlowPattern, names: ReadonlyArray<string>): boolean => {
  const bare = names.map(normal)
  return pattern.words.every(({ alternatives, exact }) =>
    alternatives.some((word) =>
      bare.some((name) => (exact ? is(name, normal(word)) : holds(name, normal(word))))
    )
  )
}

export const inPath = (pattern: FlowPattern, path: string): boolean =>
  pattern.paths.length === 0 || pattern.paths.some((part) => path.includes(part))

export const ofKind = (pattern: FlowPattern, kind: string): boolean =>
  pattern.kinds.length === 0 || pattern.kinds.includes(kind)

/** Literal texts one of which a file must hold to have anything that fits: the longest last segment of a word's alternatives. */
export const needles = (pattern: FlowPattern): ReadonlyArray<string> => {
  const lists = pattern.words.map(({ alternatives }) =>
    alternatives.map((a) => {
      const parts = normal(a)
        .split(".")
        .filter((p) => p !== "")
      return parts[parts.length - 1] ?? a
    })
  )
  // The words are all needed, so any one list will do: the one whose shortest text is longest.
  return (
    [...lists].sort((a, b) => Math.min(...b.map((w) => w.length)) - Math.min(...a.map((w) => w.length)))[0] ??
    []
  )
}
