/** Makes the answer to a task out of a ranking, within a number of tokens. */
import { Effect } from "effect"
import { byteLength } from "../../registry/Json.ts"
import type { GraphView } from "../../services/CodeGraph.ts"
import type { ReadFs } from "../../services/ReadFs.ts"
import { excerptOf } from "./Excerpt.ts"
import { testsOf, usersOf } from "./Related.ts"
import { headOf, type RankedSymbol, type Relevance } from "./Relevance.ts"
import { lineReader } from "./Sources.ts"
import { brief, bytesOf } from "./Tokens.ts"

export interface PackedSymbol {
  readonly id: string
  readonly kind: string
  /** First and last line, 1-based. */
  readonly lines: readonly [number, number]
  readonly signature?: string
  /** What spoke for it: place, path, name, message, words, text, graph, test. */
  readonly because: ReadonlyArray<string>
  /** Source as far as the budget goes; `⋯ n lines` stands for what is left out. */
  readonly source?: string
  readonly cut?: true
  /** Who uses it, most uses first, and how many more there are. */
  readonly used_by?: ReadonlyArray<string>
  readonly more_users?: number
}
export interface TaskPack {
  readonly symbols: ReadonlyArray<PackedSymbol>
  /** Files in the order in which a change for the task is likely to touch them. */
  readonly files: ReadonlyArray<{ readonly path: string; readonly because: ReadonlyArray<string> }>
  /** Test files that reach the first symbols. */
  readonly tests: ReadonlyArray<string>
  readonly completeness: {
    readonly candidates: number
    readonly shown: number
    /** complete, or partial when a text search stopped early. */
    readonly text_search: "complete" | "partial"
    readonly index: string
    /** Names and places of the task that mean nothing here. */
    readonly unmatched?: ReadonlyArray<string>
    readonly stale_files?: ReadonlyArray<string>
    /** Files whose text has parse errors: what they define may be missing. */
    readonly files_with_parse_errors?: number
  }
}

const mostFiles = 10
const mostTests = 3
/** Symbols whose users are named. */
const withUsers = 3
const namedUsers = 3
/** Less source than this says nothing. */
const leastSource = 120

/** The whole answer for a budget of source: a quarter more, for what stands around it. */
export const wholeOf = (sourceTokens: number): number => Math.ceil(sourceTokens * 1.25)

/**
 * Packs a ranking. The JSON text of the answer has at most `bytes` bytes, of which source takes at most
 * `sourceTokens`; what does not fit is left out from the end of each list.
 */
export const packTask = (
  view: GraphView,
  relevance: Relevance,
  options: { readonly symbols: number; readonly sourceTokens: number; readonly bytes: number }
): Effect.Effect<TaskPack, never, ReadFs> =>
  Effect.gen(function* () {
    const head = headOf(relevance.symbols, options.symbols)
    const rows = head.map((row, at) => skeleton(view, row, at))
    const parseErrors = view.files().filter((f) => f.parse_errors > 0).length
    const { freshness } = view
    const completeness = (shown: number): TaskPack["completeness"] => ({
      candidates: relevance.candidates,
      shown,
      text_search: relevance.searched ? "complete" : "partial",
      index: freshness.state,
      ...(relevance.unmatched.length === 0
        ? {}
        : { unmatched: relevance.unmatched.slice(0, 5).map((w) => brief(w, 80)) }),
      ...(freshness.stale_files.length === 0 ? {} : { stale_files: freshness.stale_files.slice(0, 3) }),
      ...(parseErrors === 0 ? {} : { files_with_parse_errors: parseErrors })
    })
    const best = relevance.files[0]?.score ?? 0
    const files = relevance.files
      .filter((f) => f.score >= best * 0.12)
      .slice(0, mostFiles)
      .map((f) => ({ path: f.path, because: f.reasons }))
    const tests = testsOf(
      view,
      head.slice(0, 4).map((r) => r.ref)
    ).slice(0, mostTests)
    let pack: TaskPack = { symbols: rows, files, tests, completeness: completeness(rows.length) }
    // What stands around the source may itself be too much: the tails go first.
    while (byteLength(pack) > options.bytes) {
      if (pack.tests.length > 0) pack = { ...pack, tests: pack.tests.slice(0, -1) }
      else if (pack.symbols.length > 1 && pack.symbols.length * 2 >= pack.files.length)
        pack = { ...pack, symbols: pack.symbols.slice(0, -1) }
      else if (pack.files.length > 1) pack = { ...pack, files: pack.files.slice(0, -1) }
      else if (pack.symbols.some((s) => s.used_by !== undefined || s.signature !== undefined)) {
        pack = {
          ...pack,
          symbols: pack.symbols.map(({ id, because, kind, lines }) => ({ id, kind, lines, because }))
        }
      } else if (pack.completeness.unmatched !== undefined || pack.completeness.stale_files !== undefined) {
        const { candidates, index, shown, text_search } = pack.completeness
        pack = { ...pack, completeness: { candidates, shown, text_search, index } }
      } else if (pack.symbols.length > 0 || pack.files.length > 0) pack = { ...pack, symbols: [], files: [] }
      else break
    }
    const symbols = [...pack.symbols]
    pack = { ...pack, symbols, completeness: { ...pack.completeness, shown: symbols.length } }
    let left = Math.min(bytesOf(options.sourceTokens), options.bytes - byteLength(pack) - 8)
    const read = yield* lineReader
    for (let at = 0; at < symbols.length && left > leastSource; at++) {
      const row = head[at]!
      const { info } = row
      const lines = yield* read(info.path)
      if (lines === undefined || covered(symbols, head, at)) continue
      // The first get most of what is left, so that one long body cannot starve the others.
      const share = Math.floor(left * (at === symbols.length - 1 ? 1 : 0.55))
      const wanted =
        row.lines.length > 0 || !containers.has(info.kind)
          ? row.lines.slice(0, 40)
          : view
              .children(row.ref)
              .map((c) => view.symbol(c))
              .filter((c) => !c.flags.includes("local"))
              .map((c) => c.line)
      const excerpt = excerptOf(
        lines,
        info.start_line,
        info.end_line,
        wanted,
        share,
        Math.min(info.body_line ?? info.start_line, info.end_line)
      )
      if (excerpt === undefined || excerpt.text.length < 20) continue
      const { signature: _, ...rest } = symbols[at]!
      const next: PackedSymbol = {
        ...rest,
        source: excerpt.text,
        ...(excerpt.cut ? { cut: true as const } : {})
      }
      const cost = byteLength(next) - byteLength(symbols[at])
      if (cost > left) continue
      symbols[at] = next
      left -= Math.max(cost, byteLength(excerpt.text))
    }
    return pack
  })

const containers: ReadonlySet<string> = new Set([
  "class",
  "interface",
  "struct",
  "enum",
  "trait",
  "namespace",
  "module",
  "object",
  "union",
  "extension",
  "service",
  "message"
])

/** Whether the source of an earlier row already shows this one. */
const covered = (
  rows: ReadonlyArray<PackedSymbol>,
  head: ReadonlyArray<RankedSymbol>,
  at: number
): boolean => {
  const own = head[at]!.info
  return rows.some((row, k) => {
    const other = head[k]!.info
    return (
      k < at &&
      row.source !== undefined &&
      row.cut === undefined &&
      other.path === own.path &&
      other.start_line <= own.start_line &&
      own.end_line <= other.end_line
    )
  })
}

const skeleton = (view: GraphView, row: RankedSymbol, at: number): PackedSymbol => {
  const { info } = row
  const users = at < withUsers ? usersOf(view, row.ref).filter((u) => !u.test) : []
  return {
    id: info.id,
    kind: info.kind,
    lines: [info.start_line, info.end_line],
    signature: brief(info.signature, at < 5 ? 120 : 80),
    because: row.reasons,
    ...(users.length === 0 ? {} : { used_by: users.slice(0, namedUsers).map((u) => u.id) }),
    ...(users.length > namedUsers ? { more_users: users.length - namedUsers } : {})
  }
}

/** The answer as a page of Markdown. */
export const taskPage = (value: Partial<TaskPack>): string => {
  const out: Array<string> = []
  const symbols = value.symbols ?? []
  const shown = symbols.filter((s) => s.source !== undefined)
  const rest = symbols.filter((s) => s.source === undefined)
  for (const s of shown) {
    out.push(`### ${s.id} (${s.kind}, ${s.lines[0]}-${s.lines[1]})`)
    if (s.used_by !== undefined)
      out.push(
        `used by ${s.used_by.join(", ")}${s.more_users === undefined ? "" : ` and ${s.more_users} more`}`
      )
    const fence = s.source!.includes("```") ? "````" : "```"
    out.push(fence, s.source!, fence, "")
  }
  if (rest.length > 0) {
    out.push("### Around it")
    for (const s of rest)
      out.push(
        `- ${s.id} (${s.kind}, ${s.lines[0]}-${s.lines[1]})${s.signature === undefined ? "" : `: ${s.signature}`}`
      )
    out.push("")
  }
  if ((value.files ?? []).length > 0)
    out.push("### Files to change", ...value.files!.map((f) => `- ${f.path} (${f.because.join(", ")})`), "")
  if ((value.tests ?? []).length > 0) out.push("### Tests", ...value.tests!.map((t) => `- ${t}`), "")
  if (symbols.length === 0 && (value.files ?? []).length === 0) out.push("Nothing here matches the task.", "")
  const c = value.completeness
  if (c !== undefined) {
    const parts = [
      `${c.shown} of ${c.candidates} candidates`,
      `text search ${c.text_search}`,
      `index ${c.index}`,
      ...(c.unmatched === undefined ? [] : [`not found here: ${c.unmatched.join(", ")}`]),
      ...(c.stale_files === undefined ? [] : [`stale: ${c.stale_files.join(", ")}`]),
      ...(c.files_with_parse_errors === undefined
        ? []
        : [`${c.files_with_parse_errors} files with parse errors`])
    ]
    out.push(`Completeness: ${parts.join("; ")}.`)
  }
  return out.join("\n")
}
