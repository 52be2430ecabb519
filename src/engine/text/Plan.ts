import type { CharacterClass } from "./CharacterClass.ts"
import type { Look, Pattern } from "./Pattern.ts"
import { bucketOf, isIndexedWord, type TrigramQuery, wordBucketOf } from "./Trigrams.ts"

/**
 * Byte strings, each held as a string of code units 0–255, ASCII letters lower case. Between two of them {@link edge} may
 * stand.
 */
type Strings = ReadonlySet<string>

/** Stands for no byte: a word character of ASCII on one side of it has none on the other. */
const edge = "\u0100"
const edges: ReadonlySet<Look> = new Set([
  "startText",
  "endText",
  "startLine",
  "endLine",
  "startCrlf",
  "endCrlf",
  "word",
  "wordStart",
  "wordEnd",
  "wordStartHalf",
  "wordEndHalf"
] satisfies ReadonlyArray<Look>)

const maxStrings = 16
const maxMembers = 4
const maxQueryParts = 64
const all: TrigramQuery = { kind: "all" }

const and = (parts: ReadonlyArray<TrigramQuery>): TrigramQuery => {
  const kept: Array<TrigramQuery> = []
  const seen = new Set<number>()
  const add = (part: TrigramQuery): void => {
    if (part.kind === "all") return
    if (part.kind === "and") return part.parts.forEach(add)
    if (part.kind === "bucket") {
      if (seen.has(part.bucket)) return
      seen.add(part.bucket)
    }
    kept.push(part)
  }
  parts.forEach(add)
  return kept.length === 0 ? all : kept.length === 1 ? kept[0]! : { kind: "and", parts: kept }
}

const or = (parts: ReadonlyArray<TrigramQuery>): TrigramQuery =>
  parts.some((part) => part.kind === "all") ? all : parts.length === 1 ? parts[0]! : { kind: "or", parts }

const lowerAscii = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
const encode = (point: number): string =>
  lowerAscii(Buffer.from(String.fromCodePoint(point)).toString("latin1"))

/**
 * All trigrams of a byte string; those that hold a line feed are not indexed. And its words, when they are known to be
 * whole: what follows the string in a file may go on with its last one.
 */
const partsOf = (held: string): TrigramQuery => {
  const parts: Array<TrigramQuery> = []
  for (const [word] of held.matchAll(/(?<=[^\w])\w+(?=[^\w])/g))
    if (isIndexedWord(word)) parts.push({ kind: "bucket", bucket: wordBucketOf(word) })
  const text = held.replaceAll(edge, "")
  for (let i = 0; i + 2 < text.length; i++) {
    const gram = text.slice(i, i + 3)
    if (gram.includes("\n")) continue
    parts.push({
      kind: "bucket",
      bucket: bucketOf(gram.charCodeAt(0), gram.charCodeAt(1), gram.charCodeAt(2))
    })
  }
  return and(parts)
}

const anyOf = (strings: Strings): TrigramQuery => (strings.size === 0 ? all : or([...strings].map(partsOf)))

/** The strings a small class stands for, or undefined. */
const membersOf = (set: CharacterClass): Strings | undefined => {
  const points: Array<number> = []
  for (let i = 0; i < set.length; i += 2) {
    for (let point = set[i]!; point <= set[i + 1]!; point++) {
      points.push(point)
      if (points.length > maxMembers) return undefined
    }
  }
  const out = new Set<string>()
  for (const point of points) {
    // The index holds these two under their ASCII fold as well; alone they are not counted on.
    if (point === 0x212a && points.includes(0x6b)) continue
    if (point === 0x17f && points.includes(0x73)) continue
    if (point === 0x212a || point === 0x17f || (point >= 0xd800 && point <= 0xdfff)) return undefined
    out.add(encode(point))
  }
  return out.size === 0 ? undefined : out
}

/** What holds of every match of a pattern. */
interface Facts {
  /** The match is one of these strings; undefined when that is not known. */
  readonly exact: Strings | undefined
  /** Already includes what `exact` implies when that is undefined; `all` otherwise. */
  readonly query: TrigramQuery
}

const unknown: Facts = { exact: undefined, query: all }
const nothing: Strings = new Set([""])
const anEdge: Strings = new Set([edge])

const cross = (left: Strings, right: Strings): Strings | undefined => {
  if (left.size * right.size > maxStrings) return undefined
  const out = new Set<string>()
  for (const a of left) for (const b of right) out.add(a + b)
  return out
}

const demand = (facts: Facts): TrigramQuery =>
  facts.exact === undefined ? facts.query : and([facts.query, anyOf(facts.exact)])

const suffixes = (strings: Strings): Strings => new Set([...strings].map((text) => text.slice(-2)))

const concat = (parts: ReadonlyArray<Facts>): Facts => {
  const queries: Array<TrigramQuery> = []
  let run: Strings = nothing
  let whole = true
  for (const part of parts) {
    if (part.exact === undefined) {
      queries.push(anyOf(run), part.query)
      run = nothing
      whole = false
      continue
    }
    queries.push(part.query)
    let joined = cross(run, part.exact)
    if (joined === undefined) {
      // Too many: keep what is known of the run and go on from its last two bytes.
      queries.push(anyOf(run))
      whole = false
      joined = cross(suffixes(run), part.exact) ?? part.exact
    }
    run = joined
  }
  if (whole) return { exact: run, query: and(queries) }
  queries.push(anyOf(run))
  return { exact: undefined, query: and(queries) }
}

const factsOf = (node: Pattern): Facts => {
  switch (node.kind) {
    case "empty":
      return { exact: nothing, query: all }
    case "look":
      return { exact: edges.has(node.look) ? anEdge : nothing, query: all }
    case "class": {
      const exact = membersOf(node.set)
      return exact === undefined ? unknown : { exact, query: all }
    }
    case "concat":
      return concat(node.parts.map(factsOf))
    case "alternate": {
      const parts = node.parts.map(factsOf)
      const exact = new Set<string>()
      if (parts.every((part) => part.exact !== undefined)) {
        for (const part of parts) for (const text of part.exact!) exact.add(text)
        if (exact.size <= maxStrings) return { exact, query: all }
      }
      if (parts.length > maxQueryParts) return unknown
      return { exact: undefined, query: or(parts.map(demand)) }
    }
    case "repeat": {
      if (node.max === 0) return { exact: nothing, query: all }
      const body = factsOf(node.body)
      if (node.min === 0) {
        if (node.max === 1 && body.exact !== undefined && body.exact.size < maxStrings) {
          return { exact: new Set(["", ...body.exact]), query: all }
        }
        return unknown
      }
      const copies = concat(Array.from({ length: Math.min(node.min, 4) }, () => body))
      if (node.min === node.max && node.min <= 4) return copies
      return { exact: undefined, query: demand(copies) }
    }
  }
}

/** The trigrams and words a file must hold for the pattern to match in it. */
export const trigramQuery = (pattern: Pattern): TrigramQuery => demand(factsOf(pattern))

/** The single code point of a node, or undefined. */
const pointOf = (node: Pattern): number | undefined =>
  node.kind === "class" && node.set.length === 2 && node.set[0] === node.set[1] ? node.set[0] : undefined

/** Stands for a part that may be anything. */
const unknownPart: Pattern = { kind: "repeat", body: { kind: "empty" }, min: 0, max: Infinity, greedy: true }

const maxParts = 2000

/** The parts of a pattern one after another, counts written out; stops at {@link maxParts}. */
const flatten = (pattern: Pattern): ReadonlyArray<Pattern> => {
  const out: Array<Pattern> = []
  const visit = (node: Pattern): void => {
    if (out.length > maxParts) return
    if (out.length === maxParts) out.push(unknownPart)
    else if (node.kind === "concat") node.parts.forEach(visit)
    else if (node.kind === "repeat" && node.min >= 1 && node.min <= 8) {
      for (let i = 0; i < node.min; i++) visit(node.body)
      if (node.max !== node.min) visit(unknownPart)
    } else out.push(node)
  }
  visit(pattern)
  return out
}

export interface Literal {
  /** UTF-8. */
  readonly bytes: Buffer
  /** The pattern is this literal and nothing else. */
  readonly whole: boolean
  /** The pattern is this literal with no word character beside it, and nothing else. */
  readonly word: boolean
}

const isLook = (node: Pattern | undefined, look: Look): boolean =>
  node?.kind === "look" && node.look === look && !node.ascii

/** The longest byte string that every match holds exactly as written. */
export const requiredLiteral = (pattern: Pattern): Literal | undefined => {
  let longest = ""
  let run = ""
  const parts = flatten(pattern)
  let whole = true
  for (const part of parts) {
    const point = pointOf(part)
    if (point === undefined || (point >= 0xd800 && point <= 0xdfff)) {
      whole = false
      if (part.kind !== "look" && part.kind !== "empty") run = ""
      continue
    }
    run += String.fromCodePoint(point)
    if (run.length > longest.length) longest = run
  }
  if (longest === "") return undefined
  const word =
    isLook(parts[0], "wordStartHalf") &&
    isLook(parts[parts.length - 1], "wordEndHalf") &&
    parts.slice(1, -1).every((part) => pointOf(part) !== undefined) &&
    longest === run
  return { bytes: Buffer.from(longest), whole, word }
}

/** A regular expression for JavaScript's engine over the bytes of a file read as Latin-1. */
export interface Run {
  /** Alternatives and classes only, nothing repeats: it runs in linear time. */
  readonly source: string
  /** Least number of characters it takes. */
  readonly length: number
  /** The pattern is this run and nothing else. */
  readonly whole: boolean
}

const maxBranches = 32
const hex = (byte: number): string => `\\x${byte.toString(16).padStart(2, "0")}`

/** One of up to four characters as bytes. */
const unitOf = (node: Pattern): string | undefined => {
  if (node.kind !== "class") return undefined
  const units: Array<string> = []
  for (let i = 0; i < node.set.length; i += 2) {
    for (let point = node.set[i]!; point <= node.set[i + 1]!; point++) {
      if (units.length === maxMembers || (point >= 0xd800 && point <= 0xdfff)) return undefined
      units.push([...Buffer.from(String.fromCodePoint(point))].map(hex).join(""))
    }
  }
  if (units.length === 0) return undefined
  if (units.length === 1) return units[0]!
  return units.every((unit) => unit.length === 4) ? `[${units.join("")}]` : `(?:${units.join("|")})`
}

/**
 * The longest stretch of characters, each one of a few, that lies in every
 * match: what {@link requiredLiteral} cannot give when case is ignored or
 * alternatives stand side by side.
 */
export const requiredRun = (pattern: Pattern): Run | undefined => {
  if (pattern.kind === "alternate") {
    if (pattern.parts.length > maxBranches) return undefined
    const runs = pattern.parts.map(requiredRun)
    if (runs.some((run) => run === undefined)) return undefined
    return {
      source: `(?:${runs.map((run) => run!.source).join("|")})`,
      length: Math.min(...runs.map((run) => run!.length)),
      whole: runs.every((run) => run!.whole)
    }
  }
  if (pattern.kind === "repeat") return undefined
  let best: Run | undefined
  let source = ""
  let length = 0
  let whole = true
  const offer = (run: Run): void => {
    if (run.length > 0 && (best === undefined || run.length > best.length)) best = run
  }
  const parts = flatten(pattern)
  for (const part of parts) {
    const unit = unitOf(part)
    if (unit !== undefined) {
      source += unit
      length++
      continue
    }
    whole = false
    if (part.kind === "look" || part.kind === "empty") continue
    offer({ source, length, whole: false })
    source = ""
    length = 0
    if (part.kind === "alternate") {
      const run = requiredRun(part)
      if (run !== undefined) offer({ ...run, whole: run.whole && parts.length === 1 })
    }
  }
  offer({ source, length, whole })
  return best
}
