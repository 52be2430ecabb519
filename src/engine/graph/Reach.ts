/** What a change of some definitions can reach: a walk against the edges that makes no words of what it passes. */
import type { Reached, ReachOptions, SymbolRef, Tier } from "../../services/CodeGraph.ts"
import { I } from "../languages/Facts.ts"
import { Role } from "../languages/Vocabulary.ts"
import { G, targetTier, Tier as TierNumber, tiers } from "./Edges.ts"
import { definitionAround, liftLocal, originsOf, roleOf } from "./Origins.ts"
import type { Snapshot } from "./Snapshot.ts"
import { definitionOf, fileOf, nodeOf } from "./World.ts"

/** The parts of a view a walk needs. */
export interface ReachGround {
  readonly snapshot: Snapshot
  /** Definitions that answer as one symbol with this one, itself included. */
  readonly group: (ref: SymbolRef) => ReadonlyArray<SymbolRef>
  /** Members of super types that calls may go through to get to this member. */
  readonly dispatchers: (ref: SymbolRef) => ReadonlyArray<SymbolRef>
}

/** Roles that say what something is, and run nothing. */
const declares = new Set<number>([
  Role.type,
  Role.parameter_type,
  Role.return_type,
  Role.field_type,
  Role.generic_arg,
  Role.implements
])

/**
 * Breadth first, each definition once, at its least distance. What imports or exports a definition and does nothing else
 * with it is not walked on from and comes apart. The walk goes on from a file's top level nowhere.
 */
export const reach = (
  { dispatchers, group, snapshot }: ReachGround,
  roots: ReadonlyArray<SymbolRef>,
  options: ReachOptions
): Reached => {
  const { files, incoming, resolved } = snapshot
  const seen: Array<Uint8Array | undefined> = []
  const mark = (ref: SymbolRef): boolean => {
    const file = fileOf(ref)
    const known = (seen[file] ??= new Uint8Array((files[file]?.view?.definitionCount ?? 0) + 1))
    const at = definitionOf(ref) + 1
    if (known[at] === 1) return false
    known[at] = 1
    return true
  }
  const refs: Array<SymbolRef> = []
  const depths: Array<number> = []
  const cameFrom: Array<number> = []
  const found: Array<number> = []
  const importers = new Set<SymbolRef>()
  let suppressed = 0
  let stopped = false

  for (const root of roots) for (const each of group(root)) mark(each)

  // Edges of one node, gathered before any is followed: whether name-only ones count depends on the others.
  const froms: Array<SymbolRef> = []
  const kinds: Array<number> = []
  let verified = false
  let ofRoots = true
  const gather = (node: SymbolRef, atMost: number): void =>
    incoming.each(fileOf(node), definitionOf(node), (file, p) => {
      const { edges } = resolved[file]!
      const view = files[file]!.view!
      const source = edges[p + G.source]!
      const tier = Math.max(targetTier(edges[p + G.target]!), atMost)
      if (source < 0) {
        const index = -1 - source
        const within = index < view.importCount ? liftLocal(view, view.import(index, I.within)) : -1
        if (ofRoots) importers.add(nodeOf(file, within))
        return
      }
      const origin = originsOf(view)[source]!
      const role = roleOf(origin)
      if (role === Role.import || role === Role.export) {
        if (ofRoots) importers.add(nodeOf(file, -1))
        return
      }
      if (options.values === true && declares.has(role)) return
      if (tier < TierNumber.name) verified = true
      froms.push(nodeOf(file, definitionAround(origin)))
      kinds.push(tier)
    })
  const follow = (place: number, weakest: number, depth: number): void => {
    for (let i = 0; i < froms.length; i++) {
      const tier = kinds[i]!
      if (tier === TierNumber.name && verified && options.names !== true) {
        suppressed++
        continue
      }
      const from = froms[i]!
      if (!mark(from)) continue
      if (refs.length >= options.most) {
        stopped = true
        return
      }
      refs.push(from)
      depths.push(depth)
      cameFrom.push(place)
      found.push(Math.max(tier, weakest))
    }
  }
  const step = (node: SymbolRef, place: number, weakest: number, depth: number): void => {
    froms.length = kinds.length = 0
    verified = false
    for (const each of group(node)) {
      gather(each, 0)
      for (const above of dispatchers(each)) gather(above, TierNumber.inferred)
    }
    follow(place, weakest, depth)
  }

  if (options.depth > 0) roots.forEach((root, place) => step(root, -1 - place, 0, 1))
  ofRoots = false
  const plenty = options.plenty ?? Infinity
  let level = 0
  for (let at = 0; at < refs.length && !stopped; at++) {
    const ref = refs[at]!
    if (depths[at]! >= options.depth) break
    if (depths[at]! > level) {
      level = depths[at]!
      if (refs.length >= plenty) {
        stopped = true
        break
      }
    }
    if (definitionOf(ref) >= 0) step(ref, at, found[at]!, depths[at]! + 1)
  }
  return {
    refs,
    depths,
    cameFrom,
    tiers: found.map((tier): Tier => tiers[tier]!),
    importers: [...importers],
    suppressed,
    stopped
  }
}
