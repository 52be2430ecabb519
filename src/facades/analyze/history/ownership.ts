/** Whose lines the code is made of, and how long ago they were written. */
import { Effect } from "effect"
import { page } from "../../../registry/Answer.ts"
import { invalidArgument, type OperationFailure } from "../../../registry/Failure.ts"
import * as F from "../../../registry/Fields.ts"
import { CodeGraph, type GraphView } from "../../../services/CodeGraph.ts"
import type { BlameRecord } from "../../../services/ControlTables.ts"
import { ControlView } from "../../../services/ControlView.ts"
import { GitReader } from "../../../services/GitReader.ts"
import { WorkspaceView } from "../../../services/WorkspaceView.ts"
import * as Shared from "../../fields.ts"
import { measurable } from "../../shared/past/Measured.ts"
import { daysBetween, iso, nowSeconds } from "../../shared/past/Days.ts"
import { past, symbolsOf } from "../../shared/past/Records.ts"
import { graph } from "../../shared/symbols.ts"
import { inTurns } from "../../../registry/Turns.ts"
import { kind } from "../facade.ts"
import { kindFilter, under } from "../upkeep/Narrowing.ts"
import { historyKinds } from "./fields.ts"

interface Blamed {
  readonly path: string
  readonly symbol: BlameRecord["symbols"][number]
}

/** Blamed definitions of the kinds and below the path that are asked for, and how many have no author yet. */
export const blamed = (
  view: GraphView,
  options: { readonly kinds: ReadonlyArray<string>; readonly path_prefix?: string | undefined }
) =>
  Effect.gen(function* () {
    const fits = yield* under(view, options.path_prefix)
    const kinds = yield* kindFilter(view, options.kinds, ["function", "method"])
    const wanted = (name: string) => kinds[view.columns.kindNames.indexOf(name)] === true
    const found = yield* past(view, "blame")
    const rows: Array<Blamed> = []
    let uncommitted = 0
    let files = 0
    let unattributed = 0
    yield* inTurns(found.records, ([path, record]) => {
      if (!fits(path) || view.file(path) === undefined) return
      files++
      uncommitted += record.uncommitted
      let known = 0
      for (const symbol of symbolsOf(view, path, record.symbols, found.stale.has(path))) {
        if (!wanted(symbol.kind)) continue
        known++
        rows.push({ path, symbol })
      }
      unattributed += measurable(view, path).filter((one) => wanted(one.kind)).length - known
    })
    return {
      rows,
      since: found.since,
      about: {
        files,
        symbols_blamed: rows.length,
        ...(unattributed === 0 ? {} : { symbols_without_author: unattributed }),
        ...(uncommitted === 0 ? {} : { uncommitted_lines: uncommitted }),
        ...found.about
      }
    }
  })

const needs = [CodeGraph, GitReader, ControlView, WorkspaceView] as const

export const ownership = kind("ownership", {
  summary: "Symbols and files of each author.",
  page: { default: 100, max: 1000 },
  input: F.input({
    options: F.group({
      kinds: historyKinds,
      min_symbols: F.withDefault(F.count, 1),
      path_prefix: Shared.pathPrefix
    })
  }),
  needs,
  handler: ({ options }) =>
    Effect.gen(function* () {
      const view = yield* graph
      const { about, rows } = yield* blamed(view, options)
      const owners = new Map<
        string,
        {
          readonly names: Map<string, number>
          symbols: number
          lines: number
          readonly files: Set<string>
          oldest: number
          newest: number
        }
      >()
      const of = (email: string) => {
        let owner = owners.get(email)
        if (owner === undefined)
          owners.set(
            email,
            (owner = {
              names: new Map(),
              symbols: 0,
              lines: 0,
              files: new Set(),
              oldest: Number.POSITIVE_INFINITY,
              newest: 0
            })
          )
        return owner
      }
      for (const { path, symbol } of rows) {
        const owner = of(symbol.email)
        owner.symbols++
        owner.files.add(path)
        owner.names.set(symbol.author, (owner.names.get(symbol.author) ?? 0) + 1)
        owner.oldest = Math.min(owner.oldest, symbol.at)
        owner.newest = Math.max(owner.newest, symbol.at)
        for (const author of symbol.authors) of(author.email).lines += author.lines
      }
      const out = [...owners]
        .filter(([, { symbols }]) => symbols > 0 && symbols >= options.min_symbols)
        .map(([email, owner]) => ({
          email,
          name: [...owner.names].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0]![0],
          symbols: owner.symbols,
          files: owner.files.size,
          lines: owner.lines,
          oldest_timestamp: iso(owner.oldest),
          newest_timestamp: iso(owner.newest)
        }))
        .sort((a, b) => b.symbols - a.symbols || (a.email < b.email ? -1 : 1))
      return page("owners", {
        owners: out,
        total: out.length,
        owner_is: "author of a symbol's newest line; lines count all lines in such symbols",
        ...about
      })
    })
})

const olderThan = F.withDefault(F.described(F.count, "days"), 365)

export const staleCode = kind("stale_code", {
  summary: "Symbols untouched for long.",
  page: { default: 100, max: 1000 },
  input: F.input({
    options: F.group({
      older_than: olderThan,
      email: F.optional(F.text),
      kinds: historyKinds,
      path_prefix: Shared.pathPrefix
    })
  }),
  needs,
  handler: ({ options }) =>
    Effect.gen(function* () {
      const view = yield* graph
      const { about, rows } = yield* blamed(view, options)
      const email = options.email?.toLowerCase()
      if (email !== undefined && !rows.some(({ symbol }) => symbol.email.toLowerCase() === email))
        return yield* unknownAuthor(rows, options.email!)
      const now = yield* nowSeconds
      const stale = rows
        .filter(
          ({ symbol }) =>
            daysBetween(symbol.at, now) > options.older_than &&
            (email === undefined || symbol.email.toLowerCase() === email)
        )
        .sort((a, b) => a.symbol.at - b.symbol.at || (a.symbol.id < b.symbol.id ? -1 : 1))
        .map(({ path, symbol }) => ({
          id: symbol.id,
          kind: symbol.kind,
          file_path: path,
          line: symbol.line,
          author: symbol.author,
          email: symbol.email,
          commit: symbol.commit,
          timestamp: iso(symbol.at),
          age_days: daysBetween(symbol.at, now)
        }))
      return page("stale", {
        stale,
        total: stale.length,
        older_than_day: options.older_than,
        ...(rows.length === 0
          ? {}
          : { newest_line: iso(rows.reduce((newest, { symbol }) => Math.max(newest, symbol.at), 0)) }),
        ...about
      })
    })
})

const unknownAuthor = (rows: ReadonlyArray<Blamed>, email: string): OperationFailure =>
  invalidArgument("options.email", `no symbol's newest line is by ${JSON.stringify(email)}`, {
    reason_code: "unknown_author",
    data: {
      email,
      authors: [...new Set(rows.map(({ symbol }) => symbol.email))].sort().slice(0, 50)
    }
  })
