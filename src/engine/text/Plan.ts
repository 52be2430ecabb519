import type { CharacterClass } from "./CharacterClass.ts"
import type { Pattern } from "./Pattern.ts"
import { bucketOf, type TrigramQuery } from "./Trigrams.ts"

/** Byte strings, each held as a string of code units 0–255, ASCII letters lower case. */
type Strings = ReadonlySet<string>

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
const encode = (point: number): string => lowerAscii(Buffer.from(String.fromCodePoint(point)).toString("latin1"))

/** All trigrams of a byte string; those that hold a line feed are not indexed. */
const trigramsOf = (text: string): TrigramQuery => {
  const parts: Array<TrigramQuery> = []
  for (let i = 0; i + 2 < text.length; i++) {
    const gram = text.slice(i, i + 3)
    if (gram.includes("\n")) continue
    parts.push({ kind: "bucket", bucket: bucketOf(gram.charCodeAt(0), gram.charCodeAt(1), gram.charCodeAt(2)) })
  }
  return and(parts)
}

const anyOf = (strings: Strings): TrigramQuery =>
  strings.size === 0 ? all : or([...strings].map(trigramsOf))

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

const cross = (left: Strings, right: Strings): Strings | undefined => {
  if (left.size * right.size > maxStrings) return undefined
  const out = new Set<string>()
  for (const a of left) for (const b of right) out.add(a + b)
  return out
}

const demand = (facts: Facts): TrigramQuery => (facts.exact === undefined ? facts.query : and([facts.query, anyOf(facts.exact)]))

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
    case "look":
      return { exact: nothing, query: all }
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
      const copies = concat(new Array<Facts>(Math.min(node.min, 4)).fill(body))
      if (node.min === node.max && node.min <= 4) return copies
      return { exact: undefined, query: demand(copies) }
    }
  }
}

/** The trigrams a file must hold for the pattern to match in it. */
export const trigramQuery = (pattern: Pattern): TrigramQuery => demand(factsOf(pattern))

/** The single code point of a node, or undefined. */
const pointOf = (node: Pattern): number | undefined =>
  node.kind === "class" && node.set.length === 2 && node.set[0] === node.set[1] ? node.set[0] : undefined

const flatten = (node: Pattern): ReadonlyArray<Pattern> =>
  node.kind === "concat"
    ? node.parts.flatMap(flatten)
    : node.kind === "repeat" && node.min >= 1 && node.min <= 8
      ? [...new Array<Pattern>(node.min).fill(node.body).flatMap(flatten), ...(node.max === node.min ? [] : [unknownPart])]
      : [node]

/** Stands for a part that may be anything. */
const unknownPart: Pattern = { kind: "repeat", body: { kind: "empty" }, min: 0, max: Infinity, greedy: true }

export interface Literal {
  /** UTF-8. */
  readonly bytes: Buffer
  /** The pattern is this literal and nothing else. */
  readonly whole: boolean
}

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
  return longest === "" ? undefined : { bytes: Buffer.from(longest), whole }
}
