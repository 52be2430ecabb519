/**
 * Rules made ready for one language: their patterns read once, indexed by the type of node they begin at, so that one
 * walk over a parsed file serves all of them.
 */
import { Parser } from "web-tree-sitter"
import { Grammar } from "../languages/treesitter/Grammar.ts"
import type { Language } from "../languages/Language.ts"
import type { Node, SyntaxTree } from "../languages/treesitter/SyntaxTree.ts"
import {
  type Bound,
  type CodeMatcher,
  compileCode,
  lookUp,
  Matching,
  TypeNumbers,
  unbound
} from "./Pattern.ts"
import { type CatalogRule, type Condition, listed, type Place } from "./Rule.ts"
import { Sight } from "./Sight.ts"
import { requestOf, Trait, traitsOf } from "./Traits.ts"

/** Whether a text fits; the way regular expressions are run is the caller's choice. */
export type Test = (text: string) => boolean
export type MakeTest = (pattern: string) => Test

/** A rule whose patterns cannot be read. */
export class InvalidRule extends Error {
  constructor(
    readonly rule: string,
    readonly detail: string
  ) {
    super(`rule ${rule}: ${detail}`)
  }
}

/** A place in a file that a rule complains of: offsets in UTF-16 units. */
export interface Hit {
  /** Place of the rule in the list the program was made of. */
  readonly rule: number
  readonly start: number
  readonly end: number
}

type PlaceMatcher = {
  readonly types: ReadonlySet<number>
  readonly code?: CodeMatcher
  readonly text?: Test
  readonly not?: Test
}
interface ConditionTest {
  readonly name: string
  readonly test: (sight: Sight, bound: Bound) => boolean
}
interface Ready {
  readonly place: PlaceMatcher
  readonly rule: number
}
interface Prepared {
  readonly rule: CatalogRule
  readonly starts: ReadonlyArray<PlaceMatcher>
  readonly conditions: ReadonlyArray<ConditionTest>
  readonly inside: ReadonlyArray<PlaceMatcher>
  readonly notInside: ReadonlyArray<PlaceMatcher>
  readonly has: ReadonlyArray<PlaceMatcher>
  readonly lacks: ReadonlyArray<PlaceMatcher>
  readonly text: Test | undefined
  readonly not: Test | undefined
  readonly around: Test | undefined
  readonly aroundNot: Test | undefined
  readonly file: Test | undefined
  readonly fileNot: Test | undefined
  /** Something has to come from a request. */
  readonly request: boolean
  /** Sets of words; a file with a match holds all of one of them. Empty when nothing is known. */
  readonly needs: ReadonlyArray<ReadonlyArray<string>>
}

const exact = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`)

/** A grammar with what rules need to know of it. */
export class RuleGrammar {
  readonly types: TypeNumbers
  readonly traits: Uint16Array
  readonly traitsByName: ReadonlyMap<string, number>
  readonly request: RegExp | undefined

  private constructor(
    readonly language: string,
    readonly grammar: Grammar
  ) {
    this.types = new TypeNumbers(grammar.tree)
    this.traits = traitsOf(grammar.tree)
    this.traitsByName = new Map(grammar.tree.types.map((type, symbol) => [type, this.traits[symbol]!]))
    this.request = requestOf(language)
  }

  static async load(language: Language): Promise<RuleGrammar> {
    return new RuleGrammar(language.id, await Grammar.load(language.grammar!, ""))
  }

  /** Parses a file. The same tree is filled again by the next one. Throws ParseAbandoned. */
  parse(path: string, source: string): Sight {
    const tree: SyntaxTree = this.grammar.parse(path, source)
    return new Sight(tree, source, this.traits, this.request)
  }
}

/** A rule is read when it is first asked for. */
export class Program {
  private readonly prepared: Array<Prepared | undefined>

  constructor(
    readonly grammar: RuleGrammar,
    private readonly rules: ReadonlyArray<CatalogRule>,
    private readonly makeTest: MakeTest
  ) {
    this.prepared = rules.map(() => undefined)
  }

  /** Reads some of the rules. Throws {@link InvalidRule}. */
  read(chosen: ReadonlyArray<number>): void {
    const unread = chosen.filter((rule) => this.prepared[rule] === undefined)
    if (unread.length === 0) return
    const parser = new Parser()
    try {
      for (const rule of unread) {
        try {
          this.prepared[rule] = this.prepare(this.rules[rule]!, parser)
        } catch (cause) {
          throw new InvalidRule(this.rules[rule]!.id, cause instanceof Error ? cause.message : String(cause))
        }
      }
    } finally {
      parser.delete()
    }
  }

  private optional(pattern: string | undefined): Test | undefined {
    return pattern === undefined ? undefined : this.makeTest(pattern)
  }

  private place(place: Place, parser: Parser, one: boolean): PlaceMatcher {
    if (typeof place === "object" && "kind" in place) {
      const types = this.grammar.types.fitting(exact(place.kind))
      // Of several languages with one rule, some may have no such thing.
      if (types.length === 0 && one)
        throw new Error(`${this.grammar.language} has no node of type ${place.kind}`)
      const text = this.optional(place.text)
      const not = this.optional(place.not)
      return {
        types: new Set(types),
        ...(text === undefined ? {} : { text }),
        ...(not === undefined ? {} : { not })
      }
    }
    const { code, select, only } =
      typeof place === "string" ? { code: place, select: undefined, only: undefined } : place
    const { language, grammar, types, traitsByName } = this.grammar
    if (only !== undefined && !only.includes(language)) return { types: new Set() }
    const matcher = compileCode(code, select, language, grammar, parser, types, traitsByName)
    return { types: new Set([matcher.root.type]), code: matcher }
  }

  private prepare(rule: CatalogRule, parser: Parser): Prepared {
    const one = rule.languages.length === 1
    const places = (list: ReadonlyArray<Place> | undefined) =>
      (list ?? []).map((place) => this.place(place, parser, one))
    const starts = listed(rule.find).map((place) => this.place(place as Place, parser, one))
    const conditions = Object.entries(rule.where ?? {}).map(([name, condition]) => ({
      name,
      test: this.condition(condition)
    }))
    return {
      rule,
      starts,
      conditions,
      inside: places(rule.inside),
      notInside: places(rule.not_inside),
      has: places(rule.has),
      lacks: places(rule.lacks),
      text: this.optional(rule.text),
      not: this.optional(rule.not),
      around: this.optional(rule.around),
      aroundNot: this.optional(rule.around_not),
      file: this.optional(rule.file),
      fileNot: this.optional(rule.file_not),
      request: asksForRequest(rule, starts),
      needs: needsOf(rule, starts)
    }
  }

  private condition(condition: Condition): (sight: Sight, bound: Bound) => boolean {
    const string = this.optional(condition.string)
    const text = this.optional(condition.text)
    const not = this.optional(condition.not)
    const kind = condition.kind === undefined ? undefined : exact(condition.kind)
    const { built, constant, request } = condition
    return (sight, bound) => {
      const { node } = bound
      if (text !== undefined && !text(sight.source.slice(bound.start, bound.end))) return false
      if (not !== undefined && not(sight.source.slice(bound.start, bound.end))) return false
      if (node < 0)
        // Nothing, or several nodes: no value to speak of.
        return (
          string === undefined &&
          kind === undefined &&
          constant !== true &&
          built !== true &&
          request !== true
        )
      const at = sight.inner(node)
      if (kind !== undefined && !kind.test(sight.tree.type(at))) return false
      if (string !== undefined && !sight.strings(at).some(string)) return false
      if (constant !== undefined && sight.constant(at) !== constant) return false
      if (built !== undefined && sight.built(at) !== built) return false
      return request === undefined || sight.requested(at) === request
    }
  }

  /** Words by which a file can be ruled out for a rule that was read: it holds all of one of the sets, or has no match. Empty: unknown. */
  needs(rule: number): ReadonlyArray<ReadonlyArray<string>> {
    return this.prepared[rule]!.needs
  }

  /** Whether the text of a whole file is one that a rule that was read is for. */
  accepts(rule: number, source: string): boolean {
    const { file, fileNot, request } = this.prepared[rule]!
    return (
      (!request || this.grammar.request?.test(source) === true) &&
      file?.(source) !== false &&
      fileNot?.(source) !== true
    )
  }

  /** What the chosen rules find in a file they accept, in source order; one rule finds one thing at a place. */
  run(sight: Sight, chosen: ReadonlyArray<number>): ReadonlyArray<Hit> {
    const { tree } = sight
    const byType = new Map<number, Array<Ready>>()
    for (const rule of chosen) {
      const prepared = this.prepared[rule]!
      for (const place of prepared.starts)
        for (const type of place.types) {
          const list = byType.get(type)
          if (list === undefined) byType.set(type, [{ place, rule }])
          else list.push({ place, rule })
        }
    }
    if (byType.size === 0) return []
    const numbers = this.grammar.types.of
    const candidates = Array.from(tree.types, (_, symbol) => byType.get(numbers[symbol]!))
    const matching = new Matching(sight, numbers)
    const hits: Array<Hit> = []
    const last = new Map<number, number>()
    for (let n = 0; n < tree.count; n++) {
      const list = candidates[tree.symbol[n]!]
      if (list === undefined || !tree.isNamed(n)) continue
      for (const { place, rule } of list) {
        if (last.get(rule) === tree.start[n]) continue
        const bound = this.at(place, n, unbound, matching)
        if (bound === undefined || !this.holds(this.prepared[rule]!, n, bound, matching)) continue
        last.set(rule, tree.start[n]!)
        hits.push({ rule, start: tree.start[n]!, end: tree.end[n]! })
      }
    }
    return hits
  }

  private at(place: PlaceMatcher, n: Node, bound: Bound, matching: Matching): Bound | undefined {
    const { sight } = matching
    if (!place.types.has(this.grammar.types.of[sight.tree.symbol[n]!]!)) return undefined
    if (place.code !== undefined) return matching.code(place.code, n, bound)
    if (!sight.tree.isNamed(n)) return undefined
    if (place.text !== undefined && !place.text(sight.text(n))) return undefined
    if (place.not !== undefined && place.not(sight.text(n))) return undefined
    return bound
  }

  private within(places: ReadonlyArray<PlaceMatcher>, n: Node, bound: Bound, matching: Matching): boolean {
    const { tree } = matching.sight
    for (let at = n + 1, end = tree.after[n]!; at < end; at++)
      if (places.some((place) => this.at(place, at, bound, matching) !== undefined)) return true
    return false
  }

  private around(places: ReadonlyArray<PlaceMatcher>, n: Node, bound: Bound, matching: Matching): boolean {
    const { tree } = matching.sight
    for (let at = tree.parent[n]!; at >= 0; at = tree.parent[at]!)
      if (places.some((place) => this.at(place, at, bound, matching) !== undefined)) return true
    return false
  }

  private holds(prepared: Prepared, n: Node, bound: Bound, matching: Matching): boolean {
    const { sight } = matching
    if (prepared.text !== undefined && !prepared.text(sight.text(n))) return false
    if (prepared.not !== undefined && prepared.not(sight.text(n))) return false
    for (const { name, test } of prepared.conditions) {
      const value = lookUp(bound, name)
      // Another alternative of the rule may have no such variable.
      if (value !== undefined && !test(sight, value)) return false
    }
    if (prepared.inside.length > 0 && !this.around(prepared.inside, n, bound, matching)) return false
    if (prepared.notInside.length > 0 && this.around(prepared.notInside, n, bound, matching)) return false
    if (prepared.has.length > 0 && !this.within(prepared.has, n, bound, matching)) return false
    if (prepared.lacks.length > 0 && this.within(prepared.lacks, n, bound, matching)) return false
    if (prepared.around !== undefined || prepared.aroundNot !== undefined) {
      const text = aroundOf(sight, n)
      if (prepared.around !== undefined && !prepared.around(text)) return false
      if (prepared.aroundNot !== undefined && prepared.aroundNot(text)) return false
    }
    return true
  }
}

/** Whether every place of a rule has a variable that has to come from a request. */
const asksForRequest = ({ find, where }: CatalogRule, starts: ReadonlyArray<PlaceMatcher>): boolean => {
  const names = Object.entries(where ?? {}).flatMap(([name, { request }]) => (request === true ? [name] : []))
  return (
    names.length > 0 &&
    starts.every(({ code }) => code !== undefined) &&
    (listed(find) as ReadonlyArray<Place>).every((place) => {
      const code = typeof place === "string" ? place : "code" in place ? place.code : ""
      return names.some((name) => new RegExp(`\\$${name}\\b`).test(code))
    })
  )
}

/** The text of the function around a node with the name it is given, or of the file. */
const aroundOf = (sight: Sight, n: Node): string => {
  const scope = sight.scope(n)
  if (scope < 0) return sight.source
  const named = sight.tree.parent[scope]!
  return sight.text(sight.is(named, Trait.binding) || sight.tree.type(named) === "pair" ? named : scope)
}

const needsOf = (
  rule: CatalogRule,
  places: ReadonlyArray<PlaceMatcher>
): ReadonlyArray<ReadonlyArray<string>> => {
  const starts = places.filter(({ types }) => types.size > 0)
  const words = rule.words ?? []
  if (words.length > 0 && starts.every(({ code }) => code === undefined || code.words.length === 0))
    return words.map((word) => [word])
  const known = starts.map(({ code }) => code?.words ?? [])
  if (known.some((set) => set.length === 0)) return words.map((word) => [word])
  return words.length === 0 ? known : known.flatMap((set) => words.map((word) => [...set, word]))
}
