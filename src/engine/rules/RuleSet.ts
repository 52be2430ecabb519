/** A list of rules with what is kept for it: programs by language, trigrams by rule, and what was found by content. */
import { languages } from "../languages/index.ts"
import { compileGlobs } from "../text/Globs.ts"
import { parseLiteral } from "../text/Pattern.ts"
import { trigramQuery } from "../text/Plan.ts"
import type { Candidates, TrigramIndex, TrigramQuery } from "../text/Trigrams.ts"
import { InvalidRule, type MakeTest, Program, RuleGrammar, type Test } from "./Program.ts"
import type { CatalogRule } from "./Rule.ts"
import type { FindLines } from "./Tests.ts"

/** One thing found in a content, wherever that content lies. */
export interface Found {
  /** Place of the rule in the set. */
  readonly rule: number
  readonly line: number
  readonly endLine: number
  readonly column: number
  readonly text: string
}

/** What is known of one content: rules that have seen it, a bit each, and what they found. */
export interface Known {
  readonly seen: Uint32Array
  found: ReadonlyArray<Found>
  /** Whether some rule found more than is kept. */
  cut?: boolean
}

/** A language's share of a set. */
export interface Share {
  readonly program: Program | undefined
  /** Rules with patterns, in the order of the program, and rules of lines: places in the set. */
  readonly patterns: ReadonlyArray<number>
  readonly lines: ReadonlyArray<number>
  /** By rule that was read, how files are ruled out for it. */
  readonly needs: Map<number, Need>
}

/** What a file with a match must hold. */
export interface Need {
  /** All words of one of these sets; nothing is known when there is none. */
  readonly words: ReadonlyArray<ReadonlyArray<string>>
  readonly query: TrigramQuery | undefined
  readonly candidates: WeakMap<TrigramIndex, Candidates>
}

/** Contents kept. */
const most = 40_000

const grammars = new Map<string, Promise<RuleGrammar>>()
/** The grammar of a language, loaded once; undefined when there is none. */
export const grammarOf = (id: string): Promise<RuleGrammar> | undefined => {
  const language = languages.find((l) => l.id === id)
  if (language?.grammar === undefined) return undefined
  let loading = grammars.get(id)
  if (loading === undefined) grammars.set(id, (loading = RuleGrammar.load(language)))
  return loading
}

const wordQuery = (word: string): TrigramQuery =>
  trigramQuery(parseLiteral(word, { ignoreCase: false, multiline: false, dotAll: false, word: false }))

const needOf = (words: ReadonlyArray<ReadonlyArray<string>>): Need => ({
  words,
  query:
    words.length === 0
      ? undefined
      : { kind: "or", parts: words.map((set) => ({ kind: "and" as const, parts: set.map(wordQuery) })) },
  candidates: new WeakMap()
})

export class RuleSet {
  readonly byId: ReadonlyMap<string, number>
  readonly findLines: ReadonlyArray<FindLines | undefined>
  private readonly paths: ReadonlyArray<((path: string) => boolean) | undefined>
  private readonly tests = new Map<string, Test>()
  private readonly shares = new Map<string, Promise<Share>>()
  private readonly known = new Map<string, Known>()

  /** Throws {@link InvalidRule} for a rule of lines; one of patterns is read when its language is first met. */
  constructor(
    readonly rules: ReadonlyArray<CatalogRule>,
    private readonly engine: {
      readonly test: MakeTest
      readonly lines: (pattern: string, ignoreCase: boolean) => FindLines
    }
  ) {
    this.byId = new Map(rules.map(({ id }, i) => [id, i]))
    const guarded = <A>(id: string, make: () => A): A => {
      try {
        return make()
      } catch (cause) {
        throw new InvalidRule(id, cause instanceof Error ? cause.message : String(cause))
      }
    }
    this.findLines = rules.map(({ id, ignore_case, line }) =>
      line === undefined ? undefined : guarded(id, () => engine.lines(line, ignore_case === true))
    )
    this.paths = rules.map(({ globs, id, path, path_not }) =>
      globs === undefined && path === undefined && path_not === undefined
        ? undefined
        : guarded(id, () => {
            const glob = globs === undefined ? undefined : compileGlobs(globs)
            const yes = path === undefined ? undefined : engine.test(path)
            const no = path_not === undefined ? undefined : engine.test(path_not)
            return (at: string) => glob?.(at) !== false && yes?.(at) !== false && no?.(at) !== true
          })
    )
  }

  /** Whether a rule is for some paths only. */
  isBound(rule: number): boolean {
    return this.paths[rule] !== undefined
  }

  /** A mask of rules, as those of {@link Known.seen}. */
  mask(rules: Iterable<number>): Uint32Array {
    const out = new Uint32Array((this.rules.length >>> 5) + 1)
    for (const rule of rules) out[rule >>> 5]! |= 1 << (rule & 31)
    return out
  }

  /** Whether a rule is for files at a path. */
  fits(rule: number, path: string): boolean {
    return this.paths[rule]?.(path) !== false
  }

  /** A test of a pattern of the set, made once. */
  test(pattern: string): Test {
    let made = this.tests.get(pattern)
    if (made === undefined) this.tests.set(pattern, (made = this.engine.test(pattern)))
    return made
  }

  /** The rules for a language, with those read that are asked for. Rejects with {@link InvalidRule}. */
  async share(language: string, asked: ReadonlySet<number>): Promise<Share> {
    let loading = this.shares.get(language)
    if (loading === undefined) this.shares.set(language, (loading = this.load(language)))
    const share = await loading
    const { lines, needs, patterns, program } = share
    if (program !== undefined) {
      const places = patterns.flatMap((rule, place) => (asked.has(rule) && !needs.has(rule) ? [place] : []))
      program.read(places)
      for (const place of places) needs.set(patterns[place]!, needOf(program.needs(place)))
    }
    for (const rule of lines)
      if (asked.has(rule) && !needs.has(rule))
        needs.set(rule, needOf((this.rules[rule]!.words ?? []).map((word) => [word])))
    return share
  }

  private async load(language: string): Promise<Share> {
    const patterns: Array<number> = []
    const lines: Array<number> = []
    this.rules.forEach((rule, i) => {
      if (!rule.languages.includes(language) && !rule.languages.includes("*")) return
      if (rule.line === undefined) patterns.push(i)
      else lines.push(i)
    })
    const loading = patterns.length === 0 ? undefined : grammarOf(language)
    if (patterns.length > 0 && loading === undefined)
      throw new InvalidRule(
        this.rules[patterns[0]!]!.id,
        `there is no grammar for ${language}; only lines can be matched in it`
      )
    const program =
      loading === undefined
        ? undefined
        : new Program(
            await loading,
            patterns.map((i) => this.rules[i]!),
            this.engine.test
          )
    return { program, patterns, lines, needs: new Map() }
  }

  /** Whether a file may hold what a rule looks for, by its trigrams. */
  may({ needs }: Share, rule: number, index: TrigramIndex, file: number): boolean {
    const need = needs.get(rule)
    if (need?.query === undefined) return true
    let set = need.candidates.get(index)
    if (set === undefined) need.candidates.set(index, (set = index.candidates(need.query)))
    return set.has(file)
  }

  /** What is known of a content; kept by its blob id and language. */
  of(oid: string, language: string): Known {
    const key = `${oid}${language}`
    const held = this.known.get(key)
    if (held !== undefined) return held
    const made: Known = { seen: new Uint32Array((this.rules.length >>> 5) + 1), found: [] }
    this.known.set(key, made)
    if (this.known.size > most) for (const old of this.known.keys()) if (this.known.delete(old)) break
    return made
  }
}

export const hasSeen = ({ seen }: Known, rule: number): boolean =>
  (seen[rule >>> 5]! & (1 << (rule & 31))) !== 0
/** Whether all rules of a mask have seen it. */
export const hasSeenAll = ({ seen }: Known, mask: Uint32Array): boolean => {
  for (let i = 0; i < mask.length; i++) if ((mask[i]! & ~seen[i]!) !== 0) return false
  return true
}
export const markSeen = ({ seen }: Known, rule: number): void => {
  seen[rule >>> 5]! |= 1 << (rule & 31)
}
