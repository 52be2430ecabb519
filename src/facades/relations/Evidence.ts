/** Which edges an answer is made of, and how far the answer can be trusted. */
import { Effect } from "effect"
import type { EdgeInfo, GraphView, SymbolRef, Tier } from "../../services/CodeGraph.ts"
import { TextIndex } from "../../services/TextIndex.ts"
import { freshnessOf } from "../shared/symbols.ts"

export const tiers = ["exact", "resolved", "inferred", "name"] as const satisfies ReadonlyArray<Tier>
const rank: { readonly [T in Tier]: number } = { exact: 0, resolved: 1, inferred: 2, name: 3 }

/** Whether `tier` is at least as certain as `least`. */
export const atLeast = (tier: Tier, least: Tier): boolean => rank[tier] <= rank[least]

export interface Trust {
  readonly min_tier?: Tier
  readonly include_speculative: boolean
}

/** Edges left out of an answer for their tier. */
export interface Hidden {
  /** Name-only edges, hidden because verified ones exist. */
  name: number
  /** Edges below the least tier asked for. */
  below: number
}
export const nothingHidden = (): Hidden => ({ name: 0, below: 0 })

/** Splits edges by trust: at least `min_tier` where one is asked for; else name-only edges go once verified ones exist. */
export const sift = (
  edges: ReadonlyArray<EdgeInfo>,
  trust: Trust,
  hidden: Hidden
): ReadonlyArray<EdgeInfo> => {
  const { include_speculative, min_tier } = trust
  if (min_tier !== undefined) {
    const kept = edges.filter(({ tier }) => atLeast(tier, min_tier))
    hidden.below += edges.length - kept.length
    return kept
  }
  if (include_speculative || !edges.some(({ tier }) => tier !== "name")) return edges
  const kept = edges.filter(({ tier }) => tier !== "name")
  hidden.name += edges.length - kept.length
  return kept
}

/** The same for types above and below. */
export const siftKin = <K extends { readonly tier: Tier }>(
  kin: ReadonlyArray<K>,
  trust: Trust,
  hidden: Hidden
): ReadonlyArray<K> => {
  const { min_tier } = trust
  if (min_tier === undefined) return kin
  const kept = kin.filter(({ tier }) => atLeast(tier, min_tier))
  hidden.below += kin.length - kept.length
  return kept
}

/** What was left out, for an answer; no keys when nothing was. */
export const hiddenOf = ({ below, name }: Hidden) => ({
  ...(name === 0 ? {} : { text_matched_suppressed: name }),
  ...(below === 0 ? {} : { below_min_tier: below })
})

const tally = (edges: ReadonlyArray<{ readonly tier: Tier }>) => {
  const counts: { [tier: string]: number } = {}
  for (const tier of tiers) {
    const count = edges.reduce((n, edge) => n + Number(edge.tier === tier), 0)
    if (count > 0) counts[tier] = count
  }
  return counts
}

/** Reasons for which a file without facts can hold no uses of code. */
const harmless = new Set([
  "binary",
  "no_language",
  "not_regular",
  "vanished",
  "symlink",
  "symlink_outside",
  "symlink_dangling",
  "symlink_loop",
  "behind_symlink",
  "none"
])
/** By a part of the view that stays the same while only its freshness is new. */
const unread = new WeakMap<GraphView["symbol"], number>()
/** Files of code whose uses are not known. Counted once for each view. */
const unreadFiles = (view: GraphView): number => {
  const known = unread.get(view.symbol)
  if (known !== undefined) return known
  let count = 0
  for (const [reason, files] of view.skipped()) if (!harmless.has(reason)) count += files
  unread.set(view.symbol, count)
  return count
}

const siteKey = ({
  column,
  line,
  path
}: {
  readonly path: string
  readonly line: number
  readonly column: number
}) => `${path}\0${line}\0${column}`

/** How many of the sites are also bound to another definition of the same name. */
const ambiguousSites = (
  view: GraphView,
  name: string,
  subject: ReadonlySet<SymbolRef>,
  edges: ReadonlyArray<EdgeInfo>
): number => {
  if (edges.length === 0) return 0
  const others = view.named(name).filter((ref) => !subject.has(ref))
  if (others.length === 0 || others.length > 64) return 0
  const sites = new Map(edges.map((edge) => [siteKey(edge), edge.to]))
  const paths = new Set(edges.map(({ path }) => path))
  const shared = new Set<string>()
  for (const other of others) {
    if (view.incomingCount(other) > 2000) continue
    for (const edge of view.incoming(other, (path) => paths.has(path))) {
      const key = siteKey(edge)
      const to = sites.get(key)
      if (to !== undefined && to !== edge.to) shared.add(key)
    }
  }
  return shared.size
}

/** Places a text is found in beside a zero. */
export interface TextHits {
  readonly total: number
  /** There may be more: the search had found enough, or could not look everywhere. */
  readonly at_least?: true
  readonly sites: ReadonlyArray<{ readonly file_path: string; readonly line: number; readonly text: string }>
}

/** Sites shown beside a zero. */
const shownSites = 5
/** Lines beside those of definitions after which a search has told enough. */
const enoughHits = 20

/**
 * Lines that hold the name as a word, those that define it left out, and those that `counts` says no to. Unknown when
 * the search fails.
 */
export const textHits = (
  view: GraphView,
  name: string,
  counts: (line: string) => boolean = () => true
): Effect.Effect<TextHits | { readonly unknown: string }, never, TextIndex> =>
  Effect.gen(function* () {
    const { search } = yield* TextIndex
    const defined = new Map<string, Set<number>>()
    for (const ref of view.named(name).slice(0, 500)) {
      const { line, path } = view.symbol(ref)
      const lines = defined.get(path)
      if (lines === undefined) defined.set(path, new Set([line]))
      else lines.add(line)
    }
    const found = yield* Effect.either(
      search({
        pattern: name,
        regexp: false,
        word: /^\w+$/.test(name),
        limit: enoughHits,
        mode: "matches",
        except: (path) => {
          const lines = defined.get(path)
          return lines && ((line) => lines.has(line))
        },
        deadline_ms: 1000
      })
    )
    if (found._tag === "Left") return { unknown: found.left.reason }
    const { complete, matches, total } = found.right
    const used = matches.filter(({ text }) => counts(text))
    return {
      total: total - (matches.length - used.length),
      ...(complete ? {} : { at_least: true as const }),
      sites: used
        .slice(0, shownSites)
        .map(({ line, path, text }) => ({ file_path: path, line, text: text.trim().slice(0, 200) }))
    }
  })

export interface Subject {
  readonly name: string
  /** Definitions the answer is about; overloads that answer as one are one. */
  readonly refs: ReadonlyArray<SymbolRef>
  /** The edges that were kept, or how many. */
  readonly edges: ReadonlyArray<EdgeInfo>
  readonly hidden: Hidden
  /** Further reasons for which the answer is a lower bound. */
  readonly because?: ReadonlyArray<string>
  readonly hits?: TextHits | { readonly unknown: string } | undefined
}

/**
 * What an answer says of its completeness. `complete` only when every use the index knows of is bound and shown, and the
 * index is that of the work tree. Text hits beside a zero tell nothing for sure, and leave it open.
 */
export const completenessOf = (view: GraphView, subject: Subject) => {
  const { edges, hidden, hits, name, refs } = subject
  const unbound = view.unbound(name, edges.length === 0 ? shownSites : 0)
  const ambiguous = ambiguousSites(view, name, new Set(refs), edges)
  const unindexed = unreadFiles(view)
  const reasons = [
    ...(view.freshness.state === "fresh" ? [] : [`index_${view.freshness.state}`]),
    ...(unbound.total === 0 ? [] : ["unbound_sites"]),
    ...(hidden.name + hidden.below === 0 ? [] : ["hidden_edges"]),
    ...(unindexed === 0 ? [] : ["unindexed_files"]),
    ...(hits === undefined
      ? []
      : "unknown" in hits
        ? ["text_not_searched"]
        : hits.total > 0
          ? ["text_hits"]
          : hits.at_least === true
            ? ["text_not_searched"]
            : []),
    ...(subject.because ?? [])
  ]
  return {
    completeness: {
      complete: reasons.length === 0,
      ...(reasons.length === 0 ? {} : { reason: reasons.join(", ") }),
      bound: edges.length,
      by_tier: tally(edges),
      ...(ambiguous === 0 ? {} : { ambiguous }),
      unbound_sites: unbound.total,
      ...(unbound.sites.length === 0
        ? {}
        : { unbound: unbound.sites.map(({ line, path, role }) => ({ file_path: path, line, kind: role })) }),
      ...(unindexed === 0 ? {} : { unindexed_files: unindexed }),
      ...(hits === undefined ? {} : { text_hits: hits })
    },
    freshness: freshnessOf(view.freshness)
  }
}

const memberOf = (view: GraphView, type: SymbolRef, name: string): SymbolRef | undefined =>
  view.children(type).find((child) => view.symbol(child).name === name)

/** Methods of super types that a call may go through to reach this one, with how many calls go to them. */
export const dispatchOf = (
  view: GraphView,
  ref: SymbolRef
): ReadonlyArray<{ readonly id: string; readonly uses: number }> => {
  const parent = view.parent(ref)
  if (parent === undefined || view.isFile(parent)) return []
  const { name } = view.symbol(ref)
  const seen = new Set<SymbolRef>([parent])
  const out: Array<{ readonly id: string; readonly uses: number }> = []
  const queue = [parent]
  for (let at = 0; at < queue.length && at < 64; at++) {
    for (const { ref: above } of view.above(queue[at]!)) {
      if (seen.has(above)) continue
      seen.add(above)
      queue.push(above)
      const own = memberOf(view, above, name)
      if (own === undefined) continue
      const uses = view.incomingCount(own)
      if (uses > 0) out.push({ id: view.symbol(own).id, uses })
    }
  }
  return out
}

/** The same for types and members found by inheritance; a super type named somewhere and bound to nothing leaves it open. */
export const kinCompletenessOf = (
  view: GraphView,
  name: string,
  rows: ReadonlyArray<{ readonly tier: Tier }>,
  hidden: Hidden,
  because: ReadonlyArray<string> = []
) => {
  const unbound = view.unbound(name, 1000)
  const supers = unbound.sites.filter(({ role }) => role === "extends" || role === "implements")
  const unindexed = unreadFiles(view)
  const reasons = [
    ...(view.freshness.state === "fresh" ? [] : [`index_${view.freshness.state}`]),
    ...(supers.length === 0 ? [] : ["unbound_sites"]),
    ...(hidden.name + hidden.below === 0 ? [] : ["hidden_edges"]),
    ...(unindexed === 0 ? [] : ["unindexed_files"]),
    ...because
  ]
  return {
    completeness: {
      complete: reasons.length === 0,
      ...(reasons.length === 0 ? {} : { reason: reasons.join(", ") }),
      bound: rows.length,
      by_tier: tally(rows),
      unbound_sites: supers.length,
      ...(supers.length === 0
        ? {}
        : {
            unbound: supers
              .slice(0, shownSites)
              .map(({ line, path, role }) => ({ file_path: path, line, kind: role }))
          }),
      ...(unindexed === 0 ? {} : { unindexed_files: unindexed })
    },
    freshness: freshnessOf(view.freshness)
  }
}

/** The same for what a symbol uses: names that mean nothing here are not known one by one, so it is never complete. */
export const outgoingCompletenessOf = (
  view: GraphView,
  edges: ReadonlyArray<{ readonly tier: Tier }>,
  hidden: Hidden,
  because: ReadonlyArray<string> = []
) => ({
  completeness: {
    complete: false,
    reason: [
      "unresolved_names_are_not_listed",
      ...(view.freshness.state === "fresh" ? [] : [`index_${view.freshness.state}`]),
      ...(hidden.name + hidden.below === 0 ? [] : ["hidden_edges"]),
      ...because
    ].join(", "),
    bound: edges.length,
    by_tier: tally(edges)
  },
  freshness: freshnessOf(view.freshness)
})
