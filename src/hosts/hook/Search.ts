/** Which pattern a host's tool is about to look for in files, as far as that can be read from what the tool is given. */
import type { HookEvent } from "./Event.ts"
import { searchers, shells } from "./Tools.ts"

const programs = new Set(["rg", "grep", "egrep", "fgrep", "ag", "ack"])
/** Options that say the pattern, and such whose value is the next word. */
const patternOptions = new Set(["-e", "--regexp"])
const valued = new Set(
  "-A -B -C -m -g -t -T -f --glob --type --type-not --file --max-count --context --include --exclude".split(
    " "
  )
)

/** Longest command that is looked at, in UTF-16 units: longer ones are programs of their own. */
const longest = 1 << 16

/** A quote that is not closed goes up to the end, so that no place is looked at twice. */
const word = /"((?:\\[^]?|[^"\\])*)(?:"|$)|'([^']*)(?:'|$)|([^\s"']+)/g

/** Words of a command as a shell would part them, roughly. */
const wordsOf = (command: string): ReadonlyArray<string> =>
  [...command.matchAll(word)].map(([, double, single, bare]) => double ?? single ?? bare ?? "")

/** The commands that begin something: not what filters another one's output. */
const beginningsOf = (command: string): ReadonlyArray<ReadonlyArray<string>> => {
  const words = wordsOf(command.replace(/&&|\|\||;|\n/g, " ; "))
  const beginnings: Array<Array<string>> = [[]]
  let piped = false
  for (const each of words) {
    if (each === ";") {
      beginnings.push([])
      piped = false
    } else if (each === "|") piped = true
    else if (!piped) beginnings.at(-1)!.push(each)
  }
  return beginnings
}

const ofCommand = (words: ReadonlyArray<string>): string | undefined => {
  const [first, ...rest] = words[0] === "git" ? words.slice(1) : words
  if (first === undefined || !programs.has(first.slice(first.lastIndexOf("/") + 1))) return undefined
  for (let at = 0; at < rest.length; at++) {
    const each = rest[at]!
    if (patternOptions.has(each)) return rest[at + 1]
    if (each.startsWith("--regexp=")) return each.slice("--regexp=".length)
    if (each === "--") return rest[at + 1]
    if (valued.has(each)) at++
    else if (!each.startsWith("-")) return each
  }
  return undefined
}

/** The pattern; undefined where the tool looks for none. */
export const patternOf = ({ input, tool }: HookEvent): string | undefined => {
  if (searchers.some((each) => each === tool))
    return typeof input["pattern"] === "string" ? input["pattern"] : undefined
  if (!shells.some((each) => each === tool)) return undefined
  const { command } = input
  const text = Array.isArray(command)
    ? // `bash -lc "…"`: the command is the last word.
      (command.at(-1) as unknown)
    : command
  if (typeof text !== "string" || text.length > longest) return undefined
  for (const words of beginningsOf(text)) {
    const pattern = ofCommand(words)
    if (pattern !== undefined && pattern !== "") return pattern
  }
  return undefined
}

/** The alternatives of a pattern at its top, `a|b` or grep's `a\|b`. */
export const alternativesOf = (pattern: string): ReadonlyArray<string> => {
  const parts: Array<string> = [""]
  let depth = 0
  let inClass = false
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at]!
    if (char === "\\") {
      const next = pattern[++at] ?? ""
      if (next === "|" && depth === 0) parts.push("")
      else parts[parts.length - 1] += char + next
      continue
    }
    if (inClass) inClass = char !== "]"
    else if (char === "[") inClass = true
    else if (char === "(") depth++
    else if (char === ")") depth--
    else if (char === "|" && depth === 0) {
      parts.push("")
      continue
    }
    parts[parts.length - 1] += char
  }
  return parts.filter((part) => part !== "")
}
