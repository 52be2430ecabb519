/** Uses that a server does not connect with a definition while the graph is certain of them: by properties of a module. */
import { Effect } from "effect"
import { fromService, type OperationFailure } from "../../registry/Failure.ts"
import type { EdgeInfo, SymbolRef } from "../../services/CodeGraph.ts"
import { OverlayView } from "../../services/OverlayView.ts"
import type { ReadFs } from "../../services/ReadFs.ts"
import type { Drafts } from "./Drafts.ts"
import { alike } from "./Family.ts"
import { wordAt } from "./Names.ts"
import { compareSites, type Site, siteAfter, siteKey } from "./Sites.ts"

const escaped = (name: string) => name.replaceAll(/[$]/g, "\\$&")

/**
 * Where a use has the name of the definition: at its place, or, for what is taken from a module under another name or by
 * a member of the call, beside it. Undefined when it is not there.
 */
export const nameOfUse = (text: string, at: number, name: string): number | undefined => {
  if (wordAt(text, at, name)) return at
  const key = new RegExp(`(?<![\\p{ID_Continue}$])${escaped(name)}\\s*:\\s*$`, "u").exec(
    text.slice(Math.max(0, at - 300), at)
  )
  if (key !== null) return at - key[0].length
  const member = new RegExp(
    `^[\\p{ID_Continue}$]+\\s*=\\s*(?:require|import)\\s*\\(\\s*(["'])[^"'\\n]*\\1\\s*\\)\\s*\\.\\s*(?=${escaped(name)}(?![\\p{ID_Continue}$]))`,
    "u"
  ).exec(text.slice(at, at + 400))
  return member === null ? undefined : at + member[0].length
}

/** The definitions that bear the new name where the old ones are defined. */
const usesAfter = (drafts: Drafts, definitions: ReadonlyArray<SymbolRef>, to: string) =>
  Effect.gen(function* () {
    const { view } = drafts
    const overlays = yield* OverlayView
    const later = yield* Effect.mapError(overlays.over(drafts.overlay), (cause) => fromService(cause))
    const out = new Map<string, Site>()
    for (const ref of definitions) {
      const symbol = view.symbol(ref)
      const file = yield* drafts.open(symbol.path)
      const place = siteAfter(drafts, file, file.source.offset(symbol.line, symbol.column)!, to)
      const now = later.definitions(place.path).find((other) => {
        const one = later.symbol(other)
        return one.line === place.line && one.column === place.column && one.name === to
      })
      for (const one of now === undefined ? [] : alike(later, now))
        for (const edge of later.incoming(one)) if (edge.tier !== "name") out.set(siteKey(edge), edge)
    }
    return [...out.values()]
  })

/** Places that keep their text and that, as far as the graph is certain, would not lead to the definition any more. */
export const astray = (
  drafts: Drafts,
  definition: SymbolRef,
  to: string,
  sites: ReadonlyArray<Site>
): Effect.Effect<ReadonlyArray<Site>, OperationFailure, ReadFs | OverlayView> =>
  Effect.gen(function* () {
    const { lost } = yield* compareSites(
      drafts,
      sites,
      yield* usesAfter(drafts, alike(drafts.view, definition), to)
    )
    const gone = new Set(lost.map(siteKey))
    const out: Array<Site> = []
    for (const site of sites) {
      const file = yield* drafts.open(site.path)
      const at = file.source.offset(site.line, site.column)
      const changes = at === undefined || file.changes.some(({ from, to: end }) => from <= at && at < end)
      if (changes || gone.has(siteKey(site))) out.push(site)
    }
    return out
  })

/**
 * Looks at uses that a server left as they are. One that would still lead to the definition, because what it goes through
 * keeps the old name, stays; members and names taken out of a module are renamed. Answers what would then be lost, and
 * what else would mean the definition.
 */
export const follow = (
  drafts: Drafts,
  definition: SymbolRef,
  to: string,
  unseen: ReadonlyArray<EdgeInfo>
): Effect.Effect<
  { readonly lost: ReadonlyArray<Site>; readonly gained: ReadonlyArray<Site> },
  OperationFailure,
  ReadFs | OverlayView
> =>
  Effect.gen(function* () {
    const { view } = drafts
    const definitions = alike(view, definition)
    const name = view.nameOf(definition)
    const first = yield* compareSites(drafts, unseen, yield* usesAfter(drafts, definitions, to))
    if (first.lost.length === 0) return { lost: [], gained: [] }
    const gone = new Set(first.lost.map(siteKey))
    for (const edge of unseen) {
      if (!gone.has(siteKey(edge)) || edge.role === "export") continue
      const file = yield* drafts.open(edge.path)
      const { text } = file.source
      const place = file.source.offset(edge.line, edge.column)
      const at = place === undefined ? undefined : nameOfUse(text, place, name)
      if (at === undefined) continue
      const taken = edge.role === "import"
      if (!taken && !/\.\s*$/.test(text.slice(file.source.start(edge.line), at))) continue
      // What takes the name out of a module and calls it so goes on calling it so.
      const short = taken && at === place && !/\.\s*$/.test(text.slice(Math.max(0, at - 20), at))
      yield* drafts.add(file, [
        {
          from: at,
          to: at + name.length,
          text: short ? `${to}: ${name}` : to,
          confidence: edge.tier,
          reason: short ? "alias" : edge.role
        }
      ])
    }
    const after = yield* usesAfter(drafts, definitions, to)
    const { lost } = yield* compareSites(drafts, unseen, after)
    const before = definitions.flatMap((ref) => view.incoming(ref)).filter(({ tier }) => tier !== "name")
    const { gained } = yield* compareSites(drafts, before, after)
    return { lost, gained }
  })
