/** Runs a set of rules over the files of a workspace: each file is parsed once for all rules that may fit it. */
import { Effect } from "effect"
import { nextTurn } from "../../registry/Turns.ts"
import { ServiceFailure } from "../../services/ServiceFailure.ts"
import type { Finding, RuleMatches } from "../../services/RuleMatcher.ts"
import { decodeText } from "../files/Reader.ts"
import { redactSecrets } from "../files/Secrets.ts"
import { FileFlag, type FileEntry } from "../graph/Snapshot.ts"
import { languages } from "../languages/index.ts"
import { ParseAbandoned } from "../languages/treesitter/Grammar.ts"
import type { TrigramIndex } from "../text/Trigrams.ts"
import { InvalidRule } from "./Program.ts"
import {
  type Found,
  hasSeen,
  hasSeenAll,
  type Known,
  markSeen,
  type Need,
  type RuleSet,
  type Share
} from "./RuleSet.ts"

/** Longest text shown of a finding. */
const longest = 160
/** Findings kept of one rule in one file; that there are more is told. */
const mostPerFile = 200
/** Milliseconds at a time before others get their turn. */
const slice = 8

const failed = (reason: string, detail: string) =>
  new ServiceFailure({ service: "RuleMatcher", reason, detail, stateChanged: false })

export interface Corpus {
  /** Files in path order, filtered by path, language and tests. */
  readonly files: ReadonlyArray<FileEntry>
  readonly read: (file: FileEntry) => Uint8Array | undefined
  readonly trigrams: TrigramIndex
}

/** Line numbers of offsets, which are asked for in ascending order. */
class Lines {
  private line = 1
  private start = 0
  constructor(private readonly source: string) {}
  at(offset: number): { readonly line: number; readonly column: number } {
    if (offset < this.start) {
      this.line = 1
      this.start = 0
    }
    for (;;) {
      const feed = this.source.indexOf("\n", this.start)
      if (feed < 0 || feed >= offset) return { line: this.line, column: offset - this.start + 1 }
      this.line++
      this.start = feed + 1
    }
  }
}

const masked = (text: string): string =>
  text.replace(/[A-Za-z0-9+/=_.$!@#%^&*-]{6,}/g, (run) => `${run.slice(0, 4)}…`)

const shown = (source: string, start: number, end: number, secret: boolean, path: string): string => {
  const text = source
    .slice(start, Math.min(end, start + 4 * longest))
    .replace(/\s+/g, " ")
    .trim()
  const cut = text.length > longest ? `${text.slice(0, longest)}…` : text
  return secret ? masked(cut) : redactSecrets(path, cut).text
}

const textOf = (bytes: Uint8Array, flags: number): string => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if ((flags & (FileFlag.utf16 | FileFlag.invalidUtf8)) !== 0) return decodeText(buffer).text
  const text = buffer.toString("utf8")
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
}

export interface SetHit {
  /** Place of the rule in the set; offsets in UTF-16 units. */
  readonly rule: number
  readonly start: number
  readonly end: number
}

const holds = (need: Need | undefined, source: string): boolean =>
  need === undefined ||
  need.words.length === 0 ||
  need.words.some((words) => words.every((word) => source.includes(word)))

/** What rules of a set find in a text, in source order. Throws ParseAbandoned. */
export const hitsIn = (
  set: RuleSet,
  { lines, needs, patterns, program }: Share,
  asked: ReadonlySet<number>,
  path: string,
  source: string
): ReadonlyArray<SetHit> => {
  const hits: Array<SetHit> = []
  if (program !== undefined) {
    const chosen: Array<number> = []
    patterns.forEach((rule, place) => {
      if (asked.has(rule) && holds(needs.get(rule), source) && program.accepts(place, source))
        chosen.push(place)
    })
    if (chosen.length > 0)
      for (const hit of program.run(program.grammar.parse(path, source), chosen))
        hits.push({ ...hit, rule: patterns[hit.rule]! })
  }
  for (const rule of lines) {
    if (!asked.has(rule) || (set.rules[rule]!.ignore_case !== true && !holds(needs.get(rule), source)))
      continue
    const { file, file_not } = set.rules[rule]!
    if (file !== undefined && !set.test(file)(source)) continue
    if (file_not !== undefined && set.test(file_not)(source)) continue
    for (const { end, start } of set.findLines[rule]!(source)) hits.push({ rule, start, end })
  }
  return hits.sort((a, b) => a.start - b.start || a.rule - b.rule)
}

/** Looks at one file with the rules that have not seen its content. Throws ParseAbandoned. */
const look = (
  set: RuleSet,
  share: Share,
  missing: ReadonlySet<number>,
  file: FileEntry,
  bytes: Uint8Array,
  known: Known
): void => {
  const source = textOf(bytes, file.flags)
  const hits = hitsIn(set, share, missing, file.path, source)
  if (hits.length === 0) return
  const lines = new Lines(source)
  const counts = new Map<number, number>()
  const found: Array<Found> = [...known.found]
  for (const { end, rule, start } of hits) {
    const count = (counts.get(rule) ?? 0) + 1
    counts.set(rule, count)
    if (count > mostPerFile) {
      known.cut = true
      continue
    }
    const { column, line } = lines.at(start)
    const secret = set.rules[rule]!.secret === true
    const text = shown(source, start, end, secret, file.path)
    let endLine = line
    for (let at = source.indexOf("\n", start); at >= 0 && at < end - 1; at = source.indexOf("\n", at + 1))
      endLine++
    found.push({ rule, line, endLine, column, text })
  }
  known.found = found
}

/** Rules of one language that were asked for. */
interface Chosen {
  readonly share: Share
  readonly rules: ReadonlyArray<number>
  /** Those for some paths only, and whether there are others. */
  readonly bound: ReadonlyArray<number>
  readonly free: boolean
  readonly mask: Uint32Array
}

/** What the chosen rules of a set find. Fails with reason invalid_pattern. */
export const runRules = (
  set: RuleSet,
  chosen: ReadonlyArray<number>,
  corpus: Corpus,
  deadlineMs: number
): Effect.Effect<RuleMatches, ServiceFailure> =>
  Effect.gen(function* () {
    const until = performance.now() + deadlineMs
    const wanted = new Set(chosen)
    const shares = new Map<number, Chosen | undefined>()
    const findings: Array<Finding> = []
    const left: Array<{ readonly path: string; readonly reason: string }> = []
    let files = 0
    let generated = 0
    let resumed = performance.now()
    for (const file of corpus.files) {
      if (performance.now() - resumed > slice) {
        yield* nextTurn
        resumed = performance.now()
      }
      const id = languages[file.language]?.id
      if (!shares.has(file.language)) {
        const share = yield* Effect.tryPromise({
          try: () => set.share(id ?? "", wanted),
          catch: (cause) =>
            cause instanceof InvalidRule
              ? failed("invalid_pattern", cause.message)
              : failed("no_grammar", `the grammar of ${id ?? "this file"} could not be loaded`)
        })
        const rules = [...share.patterns, ...share.lines].filter((rule) => wanted.has(rule))
        const bound = rules.filter((rule) => set.isBound(rule))
        shares.set(
          file.language,
          rules.length === 0
            ? undefined
            : { share, rules, bound, free: bound.length < rules.length, mask: set.mask(rules) }
        )
      }
      const held = shares.get(file.language)
      if (held === undefined) continue
      if (!held.free && !held.bound.some((rule) => set.fits(rule, file.path))) continue
      if ((file.flags & (FileFlag.generated | FileFlag.lockFile)) !== 0) {
        generated++
        continue
      }
      if (file.oid === "" || file.skip !== "") {
        if (file.skip !== "binary")
          left.push({ path: file.path, reason: file.skip === "" ? "unreadable" : file.skip })
        continue
      }
      files++
      const known = set.of(file.oid, id ?? "")
      const missing = new Set<number>()
      // A rule for other paths sees the content here as well: the content may lie there too.
      if (!hasSeenAll(known, held.mask))
        for (const rule of held.rules) {
          if (hasSeen(known, rule)) continue
          if (set.may(held.share, rule, corpus.trigrams, file.id)) missing.add(rule)
          else markSeen(known, rule)
        }
      if (missing.size > 0) {
        if (performance.now() > until) {
          left.push({ path: file.path, reason: "deadline" })
          continue
        }
        const bytes = corpus.read(file)
        if (bytes === undefined) {
          left.push({ path: file.path, reason: "unreadable" })
          continue
        }
        try {
          look(set, held.share, missing, file, bytes, known)
        } catch (cause) {
          left.push({
            path: file.path,
            reason:
              cause instanceof ParseAbandoned ? (cause.reason === "time" ? "timeout" : "too_large") : "failed"
          })
          continue
        }
        for (const rule of missing) markSeen(known, rule)
      }
      if (known.cut === true) left.push({ path: file.path, reason: "too_many_findings" })
      for (const found of known.found) {
        if (!wanted.has(found.rule) || !set.fits(found.rule, file.path)) continue
        findings.push({
          rule: set.rules[found.rule]!.id,
          path: file.path,
          language: id,
          line: found.line,
          end_line: found.endLine,
          column: found.column,
          text: found.text
        })
      }
    }
    findings.sort(
      (a, b) =>
        (a.path < b.path ? -1 : a.path > b.path ? 1 : 0) ||
        a.line - b.line ||
        a.column - b.column ||
        (a.rule < b.rule ? -1 : 1)
    )
    return { findings, files, left, generated }
  })
