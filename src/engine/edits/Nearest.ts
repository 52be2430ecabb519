/**
 * The places of a file that resemble a text that does not occur in it, and what differs there, named by code point.
 * They help a reader to see why nothing matched; nothing is ever applied from them. No source text is repeated beyond
 * the single code points that differ. Work is linear in the file.
 */
import { type DifferenceKind, kindOf, nameOf, plain } from "./CodePoints.ts"

/** One differing code point. `line` 1-based and `column` 0-based in UTF-16 units of the file; the texts name a code point or say "nothing". */
export interface Difference {
  readonly kind: DifferenceKind
  readonly line: number
  readonly column: number
  readonly expected: string
  readonly found: string
}

/** A place that resembles the text. `differences` has at most 8 rows. Lines 1-based, inclusive. */
export interface Candidate {
  readonly start_line: number
  readonly end_line: number
  readonly kinds: ReadonlyArray<DifferenceKind>
  readonly differences: ReadonlyArray<Difference>
  readonly differences_truncated: boolean
}

const maxCandidates = 3
const maxConsidered = 8
const neighbourBudget = 4_000_000
const maxDifferences = 8
/** Text beyond this many UTF-16 units is not looked at, in the file and in the text. */
const fileLimit = 4 << 20
const textLimit = 64 << 10
/** Longest pair of lines that is aligned code point by code point. */
const alignLimit = 600

/** A character as seen when looking for something similar: no case, no accent, plain quotes and dashes; "" for spaces and the invisible. */
const seenAs = (character: string): string => {
  if (/^\p{M}$/u.test(character)) return ""
  const seen = plain(character)
  return seen === " " ? "" : seen <= "\u007f" ? seen : seen.normalize("NFD").slice(0, 1)
}

const squeeze = (line: string): string => {
  let out = ""
  for (const character of line) out += seenAs(character)
  return out
}

/** First squeezed unit of each UTF-16 unit, 0 where nothing is seen; units above 127 are filled in when met. */
const seenUnits = new Int32Array(1 << 16).fill(-1)
const seenUnit = (code: number): number => {
  const known = seenUnits[code]!
  if (known >= 0) return known
  return (seenUnits[code] = seenAs(String.fromCharCode(code)).charCodeAt(0) || 0)
}

const gramOf = (a: number, b: number, c: number): number =>
  (Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b) ^ Math.imul(c, 0xc2b2ae35)) >>> 16

/** Reads lines one after the other and tells how like the wanted one they are. */
class Likeness {
  private readonly marks = new Uint8Array(1 << 16)
  private readonly size: number
  /** Of the last line: share of the wanted trigrams it has, 0 to 1. */
  covered = 0
  /** Of the last line: hash of its squeezed text, 0 when that is empty. */
  hash = 0

  constructor(wanted: string) {
    let a = 0
    let b = 0
    let seen = 0
    for (let i = 0; i < wanted.length; i++) {
      const c = seenUnit(wanted.charCodeAt(i))
      if (c === 0) continue
      if (++seen > 2) this.marks[gramOf(a, b, c)] = 1
      a = b
      b = c
    }
    this.size = Math.max(0, seen - 2)
  }

  /** 0 to 1, for the units `from` to `end` of the text. */
  of(text: string, from: number, end: number): number {
    let a = 0
    let b = 0
    let seen = 0
    let hits = 0
    let hash = 0
    for (let i = from; i < end; i++) {
      const c = seenUnit(text.charCodeAt(i))
      if (c === 0) continue
      hash = (Math.imul(hash, 31) + c) | 0
      if (++seen > 2 && this.marks[gramOf(a, b, c)] === 1) hits++
      a = b
      b = c
    }
    this.hash = seen === 0 ? 0 : hash || 1
    this.covered = 0
    if (seen < 3 || this.size === 0) return 0
    hits = Math.min(hits, this.size)
    this.covered = hits / this.size
    return (2 * hits) / (this.size + seen - 2)
  }
}

interface Step {
  readonly expected: string | undefined
  readonly found: string | undefined
  /** Index of the found character, or of the place where it is missing. */
  readonly at: number
}

/** The differing characters of two lines, by the cheapest alignment; look-alikes cost less than other changes. */
const align = (expected: ReadonlyArray<string>, found: ReadonlyArray<string>): ReadonlyArray<Step> => {
  let head = 0
  while (head < expected.length && head < found.length && expected[head] === found[head]) head++
  let tail = 0
  while (
    tail < expected.length - head &&
    tail < found.length - head &&
    expected[expected.length - 1 - tail] === found[found.length - 1 - tail]
  )
    tail++
  const a = expected.slice(head, expected.length - tail)
  const b = found.slice(head, found.length - tail)
  const width = b.length + 1
  const cost = new Float64Array((a.length + 1) * width)
  for (let i = 0; i <= a.length; i++)
    for (let j = 0; j <= b.length; j++) {
      if (i === 0 && j === 0) continue
      const both =
        i > 0 && j > 0
          ? cost[(i - 1) * width + j - 1]! +
            (a[i - 1] === b[j - 1] ? 0 : plain(a[i - 1]!) === plain(b[j - 1]!) ? 0.5 : 1.5)
          : Infinity
      const drop = i > 0 ? cost[(i - 1) * width + j]! + 1 : Infinity
      const add = j > 0 ? cost[i * width + j - 1]! + 1 : Infinity
      cost[i * width + j] = Math.min(both, drop, add)
    }
  const steps: Array<Step> = []
  for (let i = a.length, j = b.length; i > 0 || j > 0; ) {
    const here = cost[i * width + j]!
    if (
      i > 0 &&
      j > 0 &&
      here ===
        cost[(i - 1) * width + j - 1]! +
          (a[i - 1] === b[j - 1] ? 0 : plain(a[i - 1]!) === plain(b[j - 1]!) ? 0.5 : 1.5)
    ) {
      if (a[i - 1] !== b[j - 1]) steps.push({ expected: a[i - 1], found: b[j - 1], at: head + j - 1 })
      i--
      j--
    } else if (j > 0 && here === cost[i * width + j - 1]! + 1) {
      steps.push({ expected: undefined, found: b[j - 1], at: head + j - 1 })
      j--
    } else {
      steps.push({ expected: a[i - 1], found: undefined, at: head + j })
      i--
    }
  }
  return steps.reverse()
}

const named = (character: string | undefined): string =>
  character === undefined ? "nothing" : nameOf(character.codePointAt(0)!)

/** How two lines differ. `column` offsets are UTF-16 units of the found line from `from`. */
const compareLines = (
  expected: string,
  found: string,
  line: number,
  from: number,
  partial: { readonly first: boolean; readonly last: boolean }
): ReadonlyArray<Difference> => {
  if (expected === found) return []
  if (expected.normalize("NFC") === found.normalize("NFC")) {
    const at = [...expected].findIndex((character, i) => character !== [...found][i])
    const [one, two] = [[...expected][at], [...found][at]]
    return [
      {
        kind: "normalization",
        line,
        column: from + [...found].slice(0, at).join("").length,
        expected: named(one),
        found: named(two)
      }
    ]
  }
  const a = [...expected]
  const b = [...found]
  if (a.length > alignLimit || b.length > alignLimit) {
    const at = a.findIndex((character, i) => character !== b[i])
    const place = at < 0 ? a.length : at
    return [
      {
        kind: kindOf(a[place], b[place]),
        line,
        column: from + b.slice(0, place).join("").length,
        expected: named(a[place]),
        found: named(b[place])
      }
    ]
  }
  const contentEnd = b.length - /[^\S\n]*$/u.exec(found)![0].length
  const contentStart = /^[^\S\n]*/u.exec(found)![0].length
  return align(a, b).map(({ expected: one, found: two, at }) => {
    const kind = kindOf(one, two)
    const space = (one === undefined || /^\s$/.test(one)) && (two === undefined || /^\s$/.test(two))
    const refined: DifferenceKind =
      space && kind === "whitespace_run" && !partial.last && at >= contentEnd
        ? "trailing_whitespace"
        : space && kind === "whitespace_run" && !partial.first && at <= contentStart
          ? "indentation"
          : kind
    return {
      kind: refined,
      line,
      column: from + b.slice(0, at).join("").length,
      expected: named(one),
      found: named(two)
    }
  })
}

/**
 * At most three places in the given bytes that resemble the text, the likeliest first. `scope` limits the lines that
 * are looked at (byte offsets at line starts).
 */
export const nearest = (
  bytes: Buffer,
  wanted: string,
  scope: { readonly start: number; readonly end: number }
): ReadonlyArray<Candidate> => {
  if (wanted.length > textLimit) return []
  let firstLine = 1
  for (let lf = bytes.indexOf(10); lf >= 0 && lf < scope.start; lf = bytes.indexOf(10, lf + 1)) firstLine++
  const text = bytes.subarray(scope.start, Math.min(scope.end, scope.start + fileLimit)).toString("utf8")
  const parts = wanted.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line))
  // A final line break is no line of its own.
  if (parts.length > 1 && parts.at(-1) === "") parts.pop()
  const squeezed = parts.map(squeeze)
  let anchor = 0
  for (let i = 1; i < squeezed.length; i++) if (squeezed[i]!.length > squeezed[anchor]!.length) anchor = i
  if (squeezed[anchor] === "") return []
  const likeness = new Likeness(parts[anchor]!)
  const wantedHashes = parts.map((part) => {
    likeness.of(part, 0, part.length)
    return likeness.hash
  })
  const edge = anchor === 0 || anchor === parts.length - 1

  const starts: Array<number> = [0]
  for (let lf = text.indexOf("\n"); lf >= 0; lf = text.indexOf("\n", lf + 1)) starts.push(lf + 1)
  const endOf = (line: number) => (line + 1 < starts.length ? starts[line + 1]! - 1 : text.length)
  const lineAt = (line: number) => {
    const raw = text.slice(starts[line], endOf(line))
    return raw.endsWith("\r") ? raw.slice(0, -1) : raw
  }
  const hashes = new Int32Array(starts.length)
  const similar = new Float32Array(starts.length)
  for (let i = 0; i < starts.length; i++) {
    const like = likeness.of(text, starts[i]!, endOf(i))
    hashes[i] = likeness.hash
    similar[i] =
      likeness.hash === wantedHashes[anchor]
        ? 1
        : Math.min(0.99, edge && likeness.covered > 0.99 ? 0.99 : like)
  }

  const scored: Array<{ readonly first: number; readonly score: number }> = []
  const floor = () => (scored.length < maxConsidered ? 0 : scored[maxConsidered - 1]!.score)
  // Neighbours are compared only where a line could still get on the list, and only so often.
  let budget = neighbourBudget
  for (let first = 0; first + parts.length <= starts.length; first++) {
    const like = similar[first + anchor]!
    if (like < 0.6) continue
    let score = like
    if (parts.length > 1) {
      if ((like + 1) / 2 <= floor() || budget <= 0) continue
      let same = 0
      for (let k = 0; k < parts.length; k++, budget--) if (hashes[first + k] === wantedHashes[k]) same++
      score = (like + same / parts.length) / 2
    }
    if (score <= floor()) continue
    scored.push({ first, score })
    scored.sort((x, y) => y.score - x.score || x.first - y.first)
    if (scored.length > maxConsidered) scored.pop()
  }

  return scored
    .map(({ first, score }) => {
      const all: Array<Difference> = []
      for (let k = 0; k < parts.length && all.length <= maxDifferences; k++) {
        const line = lineAt(first + k)
        const startsHere = k === 0
        const endsHere = k === parts.length - 1
        const [from, to] = window(line, parts[k]!, squeezed[k]!, startsHere, endsHere)
        all.push(
          ...compareLines(parts[k]!, line.slice(from, to), firstLine + first + k, from, {
            first: startsHere && from > 0,
            last: endsHere && to < line.length
          })
        )
      }
      const weight = all.reduce((sum, { kind }) => sum + (kind === "content" ? 3 : 1), 0)
      return { first, score, all, weight }
    })
    .sort((x, y) => x.weight - y.weight || y.score - x.score || x.first - y.first)
    .slice(0, maxCandidates)
    .map(({ first, all }) => ({
      start_line: firstLine + first,
      end_line: firstLine + first + parts.length - 1,
      kinds: [...new Set(all.map(({ kind }) => kind))],
      differences: all.slice(0, maxDifferences),
      differences_truncated: all.length > maxDifferences
    }))
}

/** The part of a line that a part of the text speaks of: its first line may begin, its last line may end, inside. */
const window = (
  line: string,
  part: string,
  wanted: string,
  startsHere: boolean,
  endsHere: boolean
): readonly [from: number, to: number] => {
  if (!startsHere && !endsHere) return [0, line.length]
  // Positions of visible characters, so that the text can be looked for where spaces differ.
  const visible: Array<number> = []
  let squeezed = ""
  for (let i = 0; i < line.length; ) {
    const character = String.fromCodePoint(line.codePointAt(i)!)
    const seen = seenAs(character)
    if (seen !== "") {
      for (let k = 0; k < seen.length; k++) visible.push(i)
      squeezed += seen
    }
    i += character.length
  }
  const at = startsHere ? squeezed.indexOf(wanted) : squeezed.startsWith(wanted) ? 0 : -1
  if (wanted === "" || at < 0) return [0, line.length]
  const leading = /^\s*/.exec(part)![0].length
  const trailing = /\s*$/.exec(part)![0].length
  const last = visible[at + wanted.length - 1]!
  const after = last + String.fromCodePoint(line.codePointAt(last)!).length
  // Spaces around the part belong to it as far as the text has some of its own.
  const from = startsHere ? Math.max(at === 0 ? 0 : visible[at - 1]! + 1, visible[at]! - leading) : 0
  const nextVisible = visible[at + wanted.length] ?? line.length
  const to = endsHere ? Math.min(nextVisible, after + trailing) : line.length
  return [from, to]
}
