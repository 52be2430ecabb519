import { wordRanges, wordUnicode } from "./WordCharacters.ts"

/**
 * Sets of Unicode code points as sorted, disjoint, inclusive ranges in one
 * flat array: `[low, high, low, high, …]`.
 *
 * Property tables come from the JavaScript engine's own Unicode data, so they
 * follow the Unicode version of the Node that runs.
 */
export type CharacterClass = ReadonlyArray<number>

export const lastCodePoint = 0x10ffff

export const any: CharacterClass = [0, lastCodePoint]

/** Sorts and merges ranges given as flat pairs. */
export const normalise = (pairs: ReadonlyArray<number>): CharacterClass => {
  const ranges: Array<readonly [number, number]> = []
  for (let i = 0; i < pairs.length; i += 2) ranges.push([pairs[i]!, pairs[i + 1]!])
  ranges.sort((left, right) => left[0] - right[0])
  const out: Array<number> = []
  for (const [low, high] of ranges) {
    const last = out.length - 1
    if (last > 0 && low <= out[last]! + 1) out[last] = Math.max(out[last]!, high)
    else out.push(low, high)
  }
  return out
}

export const union = (left: CharacterClass, right: CharacterClass): CharacterClass =>
  normalise([...left, ...right])

export const negate = (set: CharacterClass): CharacterClass => {
  const out: Array<number> = []
  let next = 0
  for (let i = 0; i < set.length; i += 2) {
    if (set[i]! > next) out.push(next, set[i]! - 1)
    next = set[i + 1]! + 1
  }
  if (next <= lastCodePoint) out.push(next, lastCodePoint)
  return out
}

export const intersect = (left: CharacterClass, right: CharacterClass): CharacterClass => {
  const out: Array<number> = []
  let i = 0
  let j = 0
  while (i < left.length && j < right.length) {
    const low = Math.max(left[i]!, right[j]!)
    const high = Math.min(left[i + 1]!, right[j + 1]!)
    if (low <= high) out.push(low, high)
    if (left[i + 1]! < right[j + 1]!) i += 2
    else j += 2
  }
  return out
}

export const subtract = (left: CharacterClass, right: CharacterClass): CharacterClass =>
  intersect(left, negate(right))

export const contains = (set: CharacterClass, point: number): boolean => {
  for (let i = 0; i < set.length && set[i]! <= point; i += 2) if (point <= set[i + 1]!) return true
  return false
}

/** Number of code points in the set. */
export const size = (set: CharacterClass): number => {
  let total = 0
  for (let i = 0; i < set.length; i += 2) total += set[i + 1]! - set[i]! + 1
  return total
}

const properties = new Map<string, CharacterClass>()

/** All code points that match the JavaScript class body `body`, such as `\p{L}`. */
const enumerate = (body: string): CharacterClass => {
  const cached = properties.get(body)
  if (cached !== undefined) return cached
  const runs = new RegExp(`[${body}]+`, "gu")
  const one = new RegExp(`[${body}]`, "u")
  const out: Array<number> = []
  const step = 0x4000
  for (let from = 0; from <= lastCodePoint; from += step) {
    // Surrogates are not characters of UTF-8 text.
    if (from >= 0xd800 && from < 0xe000 && from + step <= 0xe000) continue
    // Planes 4 to 13 are unassigned, 15 and 16 private use; only their last two code points differ.
    const plane = from >>> 16
    if (((plane >= 4 && plane <= 13) || plane >= 15) && (from & 0xffff) + step <= 0xffff) {
      if (one.test(String.fromCodePoint(from))) out.push(from, from + step - 1)
      continue
    }
    const points: Array<number> = []
    for (let point = from; point < from + step && point <= lastCodePoint; point++) {
      if (point < 0xd800 || point > 0xdfff) points.push(point)
    }
    const text = String.fromCodePoint(...points)
    const wide = from > 0xffff ? 2 : 1
    for (const found of text.matchAll(runs)) {
      const first = text.codePointAt(found.index)!
      const length = found[0].length / wide
      // A run may step over the surrogate gap; split it there.
      if (first < 0xd800 && first + length - 1 >= 0xd800) {
        out.push(first, 0xd7ff, 0xe000, first + length - 1 + 0x800)
      } else out.push(first, first + length - 1)
    }
  }
  const set = normalise(out)
  properties.set(body, set)
  return set
}

export const asciiDigit: CharacterClass = [48, 57]
export const asciiSpace: CharacterClass = [9, 13, 32, 32]
export const asciiWord: CharacterClass = [48, 57, 65, 90, 95, 95, 97, 122]

/** `\d` with Unicode on. */
export const digit = (): CharacterClass => enumerate("\\p{Nd}")
/** `\s` with Unicode on. */
export const space = (): CharacterClass => enumerate("\\p{White_Space}")
let words: CharacterClass | undefined
/** `\w` with Unicode on (UTS #18 Annex C). */
export const word = (): CharacterClass =>
  (words ??= process.versions["unicode"] === wordUnicode ? wordRanges() : askedWord())
/** The same, asked of the engine. */
export const askedWord = (): CharacterClass =>
  enumerate("\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}")

const categories: ReadonlyArray<readonly [string, string]> = [
  ["L", "Letter"],
  ["LC", "Cased_Letter"],
  ["Lu", "Uppercase_Letter"],
  ["Ll", "Lowercase_Letter"],
  ["Lt", "Titlecase_Letter"],
  ["Lm", "Modifier_Letter"],
  ["Lo", "Other_Letter"],
  ["M", "Mark"],
  ["Mn", "Nonspacing_Mark"],
  ["Mc", "Spacing_Mark"],
  ["Me", "Enclosing_Mark"],
  ["N", "Number"],
  ["Nd", "Decimal_Number"],
  ["Nl", "Letter_Number"],
  ["No", "Other_Number"],
  ["P", "Punctuation"],
  ["Pc", "Connector_Punctuation"],
  ["Pd", "Dash_Punctuation"],
  ["Ps", "Open_Punctuation"],
  ["Pe", "Close_Punctuation"],
  ["Pi", "Initial_Punctuation"],
  ["Pf", "Final_Punctuation"],
  ["Po", "Other_Punctuation"],
  ["S", "Symbol"],
  ["Sm", "Math_Symbol"],
  ["Sc", "Currency_Symbol"],
  ["Sk", "Modifier_Symbol"],
  ["So", "Other_Symbol"],
  ["Z", "Separator"],
  ["Zs", "Space_Separator"],
  ["Zl", "Line_Separator"],
  ["Zp", "Paragraph_Separator"],
  ["C", "Other"],
  ["Cc", "Control"],
  ["Cf", "Format"],
  ["Co", "Private_Use"],
  ["Cn", "Unassigned"]
]
const binary = [
  "Alphabetic",
  "Any",
  "Assigned",
  "ASCII",
  "ASCII_Hex_Digit",
  "Case_Ignorable",
  "Cased",
  "Dash",
  "Default_Ignorable_Code_Point",
  "Deprecated",
  "Diacritic",
  "Emoji",
  "Emoji_Component",
  "Emoji_Modifier",
  "Emoji_Modifier_Base",
  "Emoji_Presentation",
  "Extended_Pictographic",
  "Extender",
  "Grapheme_Base",
  "Grapheme_Extend",
  "Hex_Digit",
  "ID_Continue",
  "ID_Start",
  "Ideographic",
  "Join_Control",
  "Lowercase",
  "Math",
  "Noncharacter_Code_Point",
  "Pattern_Syntax",
  "Pattern_White_Space",
  "Quotation_Mark",
  "Radical",
  "Unified_Ideograph",
  "Uppercase",
  "Variation_Selector",
  "White_Space",
  "XID_Continue",
  "XID_Start"
]
const loose = (name: string): string => name.replace(/[\s_-]/g, "").toLowerCase()
const byLooseName = new Map<string, string>()
for (const name of binary) byLooseName.set(loose(name), `\\p{${name}}`)
for (const [short, long] of categories) {
  byLooseName.set(loose(short), `\\p{${short}}`)
  byLooseName.set(loose(long), `\\p{${short}}`)
}

/** The set of a property named as in `\p{…}`, or undefined when there is none. */
export const property = (name: string): CharacterClass | undefined => {
  const parts = name.split(/[=:]/)
  const value = parts[parts.length - 1]!
  const kind = parts.length > 1 ? loose(parts[0]!) : ""
  if (parts.length > 2 || loose(value) === "") return undefined
  if (kind === "" || kind === "gc" || kind === "generalcategory") {
    const body = byLooseName.get(loose(value))
    if (body !== undefined) return enumerate(body)
    if (kind !== "") return undefined
  }
  const script = value
    .trim()
    .split(/[\s_-]+/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1).toLowerCase())
    .join("_")
  const extension = kind === "scx" || kind === "scriptextensions"
  if (kind !== "" && kind !== "sc" && kind !== "script" && !extension) return undefined
  try {
    return enumerate(`\\p{${extension ? "scx" : "sc"}=${script}}`)
  } catch {
    return undefined
  }
}

/** Builds the tables that most patterns need, some 100 ms once; otherwise the first pattern pays. */
export const prepareTables = (): void => {
  word()
  space()
  digit()
  foldTable()
}

let folds: ReadonlyMap<number, ReadonlyArray<number>> | undefined

/** Code points that fold to the same character, for those that have company. */
const foldTable = (): ReadonlyMap<number, ReadonlyArray<number>> => {
  if (folds !== undefined) return folds
  const groups = new Map<number, Array<number>>()
  const changing = enumerate("\\p{Changes_When_Casemapped}\\p{Changes_When_Casefolded}")
  const single = (text: string, otherwise: number): number => {
    const point = text.codePointAt(0)!
    return String.fromCodePoint(point).length === text.length ? point : otherwise
  }
  for (let i = 0; i < changing.length; i += 2) {
    for (let point = changing[i]!; point <= changing[i + 1]!; point++) {
      const upper = single(String.fromCodePoint(point).toUpperCase(), point)
      const key = single(String.fromCodePoint(upper).toLowerCase(), upper)
      const group = groups.get(key)
      if (group === undefined) groups.set(key, [point])
      else group.push(point)
    }
  }
  const table = new Map<number, ReadonlyArray<number>>()
  // With the flags i and u a back-reference compares by simple case folding.
  const same = /^(.)\1$/iu
  for (const group of groups.values()) {
    for (const point of group) {
      const others = group.filter((other) => other !== point && same.test(String.fromCodePoint(point, other)))
      if (others.length > 0) table.set(point, others)
    }
  }
  return (folds = table)
}

/** The set with every simple case variant of its members. */
export const foldCase = (set: CharacterClass): CharacterClass => {
  const out = [...set]
  if (set.length === 0) return set
  if (set[set.length - 1]! < 128) {
    for (let i = 0; i < set.length; i += 2) {
      for (let point = set[i]!; point <= set[i + 1]!; point++) {
        const lower = point | 32
        if (lower < 97 || lower > 122 || point < 65) continue
        out.push(point ^ 32, point ^ 32)
        if (lower === 107) out.push(0x212a, 0x212a)
        if (lower === 115) out.push(0x17f, 0x17f)
      }
    }
    return normalise(out)
  }
  for (const [point, others] of foldTable()) {
    if (contains(set, point)) for (const other of others) out.push(other, other)
  }
  return normalise(out)
}
