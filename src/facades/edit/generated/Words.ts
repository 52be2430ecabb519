/** A name in all the spellings a code base gives it, and text renamed from one name to another. */

const spellings = ["camel", "pascal", "snake", "screaming", "kebab", "flat"] as const
type Spelling = (typeof spellings)[number]

/** The words of a name in lower case: `HTTPServer2` is http, server2. */
export const wordsOf = (name: string): ReadonlyArray<string> =>
  name
    .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, "$1 $2")
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1 $2")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .map((word) => word.toLowerCase())

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1)

const spell = (words: ReadonlyArray<string>, as: Spelling): string => {
  switch (as) {
    case "camel":
      return words.map((word, at) => (at === 0 ? word : capital(word))).join("")
    case "pascal":
      return words.map(capital).join("")
    case "snake":
      return words.join("_")
    case "screaming":
      return words.join("_").toUpperCase()
    case "kebab":
      return words.join("-")
    case "flat":
      return words.join("")
  }
}

/** Lower and upper case letters go on, so a spelling that ends or starts inside a word is none. */
const letter = /[\p{L}\p{N}]/u
const lower = /[\p{Ll}\p{N}]/u

const startsHere = (text: string, at: number): boolean => {
  const before = text[at - 1]
  if (before === undefined || !letter.test(before)) return true
  // A capital after a small letter or digit begins a word.
  return /\p{Lu}/u.test(text[at]!) && lower.test(before)
}
const endsHere = (text: string, end: number): boolean => {
  const after = text[end]
  if (after === undefined || !letter.test(after)) return true
  return /\p{Lu}/u.test(after) && lower.test(text[end - 1]!)
}

export interface Renaming {
  /** The text with every spelling of the old name in the same spelling of the new one. */
  readonly apply: (text: string) => string
  readonly has: (text: string) => boolean
}

/**
 * Renames `from` to `to` in all spellings. Where one word is spelled alike in several ways, what stands beside it
 * decides: an underscore for snake case, a hyphen for kebab case; otherwise it becomes `to` as it is written.
 */
export const renaming = (from: string, to: string): Renaming => {
  const [old, fresh] = [wordsOf(from), wordsOf(to)]
  const pairs = new Map<string, string>()
  for (const as of spellings) {
    const spelled = spell(old, as)
    if (spelled !== "" && !pairs.has(spelled)) pairs.set(spelled, spell(fresh, as))
  }
  pairs.set(from, to)
  const longest = [...pairs.keys()].sort((a, b) => b.length - a.length || (a < b ? -1 : 1))
  const single = old.length === 1
  const meant = (text: string, at: number, spelled: string): string => {
    const beside = [text[at - 1], text[at + spelled.length]]
    if (single && spelled === old[0]) {
      if (beside.includes("_")) return spell(fresh, "snake")
      if (beside.includes("-")) return spell(fresh, "kebab")
    }
    return pairs.get(spelled)!
  }
  const found = function* (text: string): Generator<readonly [at: number, spelled: string]> {
    for (let at = 0; at < text.length; ) {
      const spelled = longest.find(
        (each) => text.startsWith(each, at) && startsHere(text, at) && endsHere(text, at + each.length)
      )
      if (spelled === undefined) at++
      else {
        yield [at, spelled]
        at += spelled.length
      }
    }
  }
  return {
    apply: (text) => {
      let out = ""
      let last = 0
      for (const [at, spelled] of found(text)) {
        out += text.slice(last, at) + meant(text, at, spelled)
        last = at + spelled.length
      }
      return out + text.slice(last)
    },
    has: (text) => !found(text).next().done
  }
}

/** Whether two names are spelled in the same way, as far as their letters tell. */
export const spelledAlike = (a: string, b: string): boolean =>
  spellings.some((as) => spell(wordsOf(a), as) === a && spell(wordsOf(b), as) === b)
