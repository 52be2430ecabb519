/** What an edit leaves behind that does not work any more: uses that lead nowhere, calls and members that do not fit. */
import { Effect } from "effect"
import type { OperationFailure } from "../../registry/Failure.ts"
import type { CodeGraph, EdgeInfo, GraphView, SymbolInfo, SymbolRef } from "../../services/CodeGraph.ts"
import type { ReadFs } from "../../services/ReadFs.ts"
import { nothingHidden } from "../relations/Evidence.ts"
import { kinOf, memberFinder, ownerOf } from "../relations/Kin.ts"
import { checkBy, type Site } from "./Callers.ts"
import type { Difference, Pair } from "./Difference.ts"
import type { Place } from "./Shift.ts"

/** A place that worked before. `line` is that after the edit. */
export interface BrokenSite {
  readonly file_path: string
  readonly line: number
  /** What the place is in, by its id after the edit. */
  readonly within: string
  /** What it used, by its id before. */
  readonly symbol: string
  /** As in edges: call, read, import, …; implementation or overridden for members. */
  readonly kind: string
  /** unbound, name_only, missing_member, or what of the arguments does not fit. */
  readonly problem: string
  readonly reason: string
  readonly tier?: string
}

export interface Broken {
  readonly callers: ReadonlyArray<BrokenSite>
  readonly implementors: ReadonlyArray<BrokenSite>
  /** Uses of which it cannot be told whether they still work. */
  readonly unsure: number
  /** Changed headers that were not held to their callers, for their number. */
  readonly unchecked: number
}

/** Files as they were and as they would be. */
export interface Reads {
  readonly before: ReadFs["Type"]
  readonly after: ReadFs["Type"]
}

/** Changed headers whose callers are looked at one by one. */
const mostChecked = 50
/** Files that pass definitions on and are followed from one to the next. */
const mostPassed = 10_000

/** A number for a place in a file: no line has so many columns. */
const keyOf = ({ column, line }: Place): number => line * 2 ** 26 + column
const certain = ({ tier }: EdgeInfo): boolean => tier !== "name"

/** Follows edges of the graph before into the graph after. */
class Sites {
  readonly #out = new Map<string, ReadonlyMap<number, ReadonlyArray<EdgeInfo>>>()

  constructor(readonly difference: Difference) {}

  /** Where a use is by now; undefined when the edit rewrote it or its file is gone. */
  now(edge: EdgeInfo): (Place & { readonly path: string }) | undefined {
    const { paths, shifts } = this.difference
    if (!paths.has(edge.path)) return { path: edge.path, line: edge.line, column: edge.column }
    const path = paths.get(edge.path)
    const place = shifts.get(edge.path)?.word(edge, Math.max(1, edge.name.length))
    return path === undefined || place === undefined ? undefined : { path, ...place }
  }

  /** What a place is bound to after the edit. */
  bound(path: string, place: Place): ReadonlyArray<EdgeInfo> {
    let known = this.#out.get(path)
    if (known === undefined) {
      const map = new Map<number, Array<EdgeInfo>>()
      const file = this.difference.after.fileRef(path)
      for (const edge of file === undefined ? [] : this.difference.after.outgoing(file)) {
        const key = keyOf(edge)
        const list = map.get(key)
        if (list === undefined) map.set(key, [edge])
        else list.push(edge)
      }
      this.#out.set(path, (known = map))
    }
    return known.get(keyOf(place)) ?? []
  }
}

/** Definitions outside of edited files that were passed on by what the edit took away. */
const passedOn = (difference: Difference, lost: ReadonlyArray<EdgeInfo>): ReadonlySet<SymbolRef> => {
  const { before, paths } = difference
  const out = new Set<SymbolRef>()
  const queue = lost.filter(({ role }) => role === "export").map(({ to }) => to)
  for (let at = 0; at < queue.length && out.size < mostPassed; at++) {
    const ref = queue[at]!
    if (out.has(ref)) continue
    out.add(ref)
    if (!before.isFile(ref)) continue
    for (const child of before.definitions(before.pathOf(ref)))
      if (before.symbol(child).flags.includes("exported")) queue.push(child)
    for (const edge of before.outgoing(ref)) if (edge.role === "export") queue.push(edge.to)
  }
  return new Set([...out].filter((ref) => !paths.has(before.pathOf(ref))))
}

const heritage: ReadonlySet<string> = new Set(["extends", "implements"])

const whyGone = (difference: Difference, edge: EdgeInfo): string => {
  const { before, kept, paths } = difference
  const target = before.symbol(edge.to)
  const now = kept.get(edge.to)
  const shown = `\`${edge.name}\``
  if (now === undefined && paths.has(target.path))
    return before.isFile(edge.to)
      ? paths.get(target.path) === undefined
        ? `${target.path} is gone`
        : `${target.path} is ${paths.get(target.path)!} now`
      : `${shown} is gone`
  if (now !== undefined) {
    const after = difference.after.symbol(now)
    if (after.path !== target.path) return `${target.path} is ${after.path} now`
    if (after.name !== target.name) return `\`${target.name}\` is \`${after.name}\` now`
  }
  return `${shown} cannot be reached from here any more`
}

/** Whether every use in a file is there as it was, and all of them mean what they meant. */
const meansTheSame = ({ after, before, paths }: Difference, path: string): boolean => {
  const meaning = before.meaning(path)
  return meaning !== undefined && paths.get(path) === path && after.meaning(path) === meaning
}

/**
 * Uses in an edited file that may not be what they were: without those from the first and from the last on that stand on
 * lines before or after all changed ones, and are bound as they were.
 */
const inDoubt = (
  { after, before, shifts }: Difference,
  path: string,
  now: string
): ReadonlyArray<EdgeInfo> => {
  const outgoing = (view: GraphView, of: string) => {
    const file = view.fileRef(of)
    return file === undefined ? [] : view.outgoing(file)
  }
  const old = outgoing(before, path)
  const shift = shifts.get(path)
  if (shift === undefined) return old
  const is = outgoing(after, now)
  const { above, below, moved } = shift.around()
  const isBound = (edge: EdgeInfo, other: EdgeInfo): boolean =>
    edge.name === other.name &&
    edge.column === other.column &&
    (edge.line < above ? edge.line : edge.line > below ? edge.line + moved : 0) === other.line &&
    (certain(other) || !certain(edge))
  const least = Math.min(old.length, is.length)
  let head = 0
  while (head < least && isBound(old[head]!, is[head]!)) head++
  let tail = 0
  while (tail < least - head && isBound(old[old.length - 1 - tail]!, is[is.length - 1 - tail]!)) tail++
  return old.slice(head, old.length - tail)
}

/** Uses that were bound before, were not rewritten, and are bound to nothing after. */
const unbound = (
  difference: Difference
): { readonly sites: ReadonlyArray<readonly [EdgeInfo, BrokenSite]>; readonly unsure: number } => {
  const { after, before, kept, paths } = difference
  const sites = new Sites(difference)
  const out: Array<readonly [EdgeInfo, BrokenSite]> = []
  const seen = new Set<string>()
  let unsure = 0

  const look = (edge: EdgeInfo): boolean => {
    const place = sites.now(edge)
    if (place === undefined) return false
    const bound = sites.bound(place.path, place)
    if (bound.some(certain) || (bound.length > 0 && !certain(edge))) return true
    const key = `${place.path}\0${keyOf(place)}`
    if (seen.has(key)) return false
    seen.add(key)
    if (!certain(edge)) {
      unsure++
      return false
    }
    const within = after.at(place.path, place.line)
    out.push([
      edge,
      {
        file_path: place.path,
        line: place.line,
        within: within === undefined ? place.path : after.idOf(within),
        symbol: before.idOf(edge.to),
        kind: edge.role,
        problem: bound.length === 0 ? "unbound" : "name_only",
        reason:
          bound.length === 0
            ? whyGone(difference, edge)
            : `${whyGone(difference, edge)}; only the name leads to ${after.idOf(bound[0]!.to)}`,
        tier: edge.tier
      }
    ])
    return false
  }

  // Uses in edited files, whatever they are of.
  const lost: Array<EdgeInfo> = []
  for (const [path, now] of paths) {
    const file = before.fileRef(path)
    if (file === undefined || meansTheSame(difference, path)) continue
    for (const edge of now === undefined ? before.outgoing(file) : inDoubt(difference, path, now)) {
      if (now === undefined || !look(edge)) lost.push(edge)
    }
  }
  // Uses elsewhere of what is in them, or was passed on by them.
  const targets = new Set<SymbolRef>(passedOn(difference, lost))
  for (const path of paths.keys()) {
    const file = before.fileRef(path)
    if (file !== undefined) targets.add(file)
    // What is local to a body is used in its own file alone.
    for (const ref of before.definitions(path))
      if (!before.symbol(ref).flags.includes("local")) targets.add(ref)
  }
  // Files whose names mean something else by now; in all others uses are bound as they were.
  const moved = new Map<string, boolean>()
  const hasMoved = (path: string): boolean => {
    let known = moved.get(path)
    if (known === undefined) {
      known = !paths.has(path) && before.meaning(path) !== after.meaning(path)
      moved.set(path, known)
    }
    return known
  }
  for (const ref of targets) {
    const edges = before.incoming(ref, hasMoved)
    if (edges.length === 0) continue
    const now = kept.get(ref)
    // Most uses of most definitions stay as they are, and one look at the definition tells.
    const still =
      now === undefined
        ? undefined
        : new Set(
            after
              .incoming(now, hasMoved)
              .map((edge) => `${edge.path}\0${keyOf(edge)}\0${Number(certain(edge))}`)
          )
    for (const edge of edges) {
      if (still?.has(`${edge.path}\0${keyOf(edge)}\0${Number(certain(edge))}`) === true) continue
      look(edge)
    }
  }
  return { sites: out, unsure }
}

const interfaces: ReadonlySet<string> = new Set(["interface", "trait", "protocol"])

/** Whether every type below has to have a member itself. */
const isRequired = (view: GraphView, type: SymbolInfo, member: SymbolInfo): boolean => {
  if (member.body_line !== undefined || /^\w+\s*\?/.test(member.signature)) return false
  if (interfaces.has(type.kind)) return !/\bdefault\b/.test(member.signature)
  return member.flags.includes("abstract")
}

/** A type's member of a name, its own or one it inherits from what has bodies. */
const has = (view: GraphView, type: SymbolRef, name: string): boolean => {
  const find = memberFinder(view, name)
  if (find(type) !== undefined) return true
  return kinOf(view, type, "above", { include_speculative: false }, nothingHidden()).some(({ ref }) => {
    const info = view.symbol(ref)
    const member = find(ref)
    return member !== undefined && !isRequired(view, info, view.symbol(member))
  })
}

/** Types that lack a member which something above them asks for by now, and did not before. */
const missingMembers = (difference: Difference): ReadonlyArray<BrokenSite> => {
  const { added, after, before, kept, removed } = difference
  const out: Array<BrokenSite> = []
  const back = new Map([...kept].map(([was, now]) => [now, was]))
  const row = (type: SymbolRef, asks: string, name: string): BrokenSite => {
    const info = after.symbol(type)
    return {
      file_path: info.path,
      line: info.line,
      within: info.id,
      symbol: asks,
      kind: "implementation",
      problem: "missing_member",
      reason: `has no \`${name}\`, which ${asks} asks for`
    }
  }
  const excused = ({ flags, kind }: SymbolInfo) => interfaces.has(kind) || flags.includes("abstract")
  for (const member of added) {
    const parent = after.parent(member.ref)
    if (parent === undefined || after.isFile(parent) || !back.has(parent)) continue
    const type = after.symbol(parent)
    if (!isRequired(after, type, member)) continue
    const seen = new Set<SymbolRef>()
    for (const { ref } of kinOf(after, parent, "below", { include_speculative: false }, nothingHidden())) {
      if (seen.has(ref) || excused(after.symbol(ref)) || has(after, ref, member.name)) continue
      seen.add(ref)
      out.push(row(ref, member.id, member.name))
    }
    // Method sets have no declaration that stays: what satisfied the type before is looked for by that.
    for (const { how, ref } of kinOf(
      before,
      back.get(parent)!,
      "below",
      { include_speculative: false },
      nothingHidden()
    )) {
      if (how !== "satisfies") continue
      const now = kept.get(ref) ?? after.resolve(before.idOf(ref)).found[0]
      if (now === undefined || seen.has(now) || has(after, now, member.name)) continue
      seen.add(now)
      out.push(row(now, member.id, member.name))
    }
  }
  for (const member of removed) {
    const parent = ownerOf(before, member.ref)
    const now = parent === undefined ? undefined : (kept.get(parent) ?? stays(difference, parent))
    if (
      parent === undefined ||
      now === undefined ||
      excused(after.symbol(now)) ||
      has(after, now, member.name)
    )
      continue
    const find = memberFinder(before, member.name)
    for (const { ref } of kinOf(before, parent, "above", { include_speculative: false }, nothingHidden())) {
      const asked = find(ref)
      if (asked === undefined || !isRequired(before, before.symbol(ref), before.symbol(asked))) continue
      if (removed.some((one) => one.ref === asked)) continue
      out.push(row(now, before.idOf(asked), member.name))
      break
    }
  }
  return out
}

/** A definition of a file that was not edited, on the other side. */
const stays = ({ after, before, paths }: Difference, ref: SymbolRef): SymbolRef | undefined => {
  if (paths.has(before.pathOf(ref))) return undefined
  const { exact, found } = after.resolve(before.idOf(ref))
  return exact ? found[0] : undefined
}

const rowOf = (difference: Difference, symbol: SymbolInfo, site: Site): BrokenSite => ({
  file_path: site.file_path,
  line: site.line,
  within: difference.after.idOf(site.within),
  symbol: symbol.id,
  kind: site.kind,
  problem: site.problem ?? "does_not_fit",
  reason: site.reason ?? "does not fit",
  ...(site.tier === undefined ? {} : { tier: site.tier })
})

/** Calls, implementors and overridden members that fitted a header before and do not fit the one it has now. */
const misfits = (
  difference: Difference,
  { after: now, before: was }: Pair,
  reads: Reads
): Effect.Effect<
  { readonly sites: ReadonlyArray<Site>; readonly unsure: number },
  OperationFailure,
  CodeGraph
> =>
  Effect.gen(function* () {
    const { after, before, paths } = difference
    const checked = yield* checkBy(reads.after, after, now.ref, now.signature, was.signature)
    if ("detail" in checked) return { sites: [], unsure: 0 }
    const bad = checked.sites.filter(({ verdict }) => verdict === "breaks")
    const unsure = checked.sites.filter(({ verdict }) => verdict === "unknown").length
    if (bad.length === 0) return { sites: [], unsure }
    const former = yield* checkBy(reads.before, before, was.ref, was.signature)
    // As many of one place as did not fit before are no news.
    const bent = new Map<string, number>()
    const keyed = (path: string, within: string) => `${path}\0${within}`
    if (!("detail" in former))
      for (const { file_path, verdict, within } of former.sites) {
        if (verdict !== "breaks") continue
        const path = paths.get(file_path) ?? file_path
        const key = keyed(
          path,
          before.idOf(within).replace(file_path, () => path)
        )
        bent.set(key, (bent.get(key) ?? 0) + 1)
      }
    return {
      sites: bad.filter((site) => {
        const key = keyed(site.file_path, after.idOf(site.within))
        const left = bent.get(key) ?? 0
        if (left > 0) bent.set(key, left - 1)
        return left === 0
      }),
      unsure
    }
  })

/** Everything of that kind. */
export const brokenBy = (
  difference: Difference,
  reads: Reads
): Effect.Effect<Broken, OperationFailure, CodeGraph> =>
  Effect.gen(function* () {
    const lost = unbound(difference)
    const callers: Array<BrokenSite> = []
    const implementors: Array<BrokenSite> = []
    for (const [edge, site] of lost.sites) (heritage.has(edge.role) ? implementors : callers).push(site)
    let { unsure } = lost
    const headers = [...difference.changed, ...difference.renamed].filter(
      ({ after, before }) =>
        before.signature.replaceAll(before.name, "\0") !== after.signature.replaceAll(after.name, "\0")
    )
    const known = new Set(callers.map(({ file_path, line }) => `${file_path}\0${line}`))
    for (const pair of headers.slice(0, mostChecked)) {
      const found = yield* misfits(difference, pair, reads)
      unsure += found.unsure
      for (const site of found.sites) {
        if (known.has(`${site.file_path}\0${site.line}`) && site.kind === "call") continue
        const row = rowOf(difference, pair.before, site)
        if (site.kind === "implementation" || site.kind === "overridden") implementors.push(row)
        else callers.push(row)
      }
    }
    implementors.push(...missingMembers(difference))
    const byPlace = (a: BrokenSite, b: BrokenSite) =>
      a.file_path < b.file_path ? -1 : a.file_path > b.file_path ? 1 : a.line - b.line
    return {
      callers: callers.sort(byPlace),
      implementors: implementors.sort(byPlace),
      unsure,
      unchecked: Math.max(0, headers.length - mostChecked)
    }
  })
