/** What a change of some definitions can reach: a walk against the edges that makes no words of what it passes. */
import type { Reached, ReachOptions, SymbolRef, Tier } from "../../services/CodeGraph.ts"
import { Role } from "../languages/Vocabulary.ts"
import { Tier as TierNumber, tiers } from "./Edges.ts"
import { definitionOfUse, roleOfUse, tierOfUse } from "./Origins.ts"
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
  const { incoming } = snapshot
  const firsts = firstsOf(snapshot)
  /** One bit for each file and definition: whether it was met. */
  const met = new Int32Array((firsts[firsts.length - 1]! >> 5) + 1)
  /** Whether it is met for the first time. */
  const mark = (file: number, definition: number): boolean => {
    const place = firsts[file]! + definition + 1
    const bit = 1 << (place & 31)
    if ((met[place >> 5]! & bit) !== 0) return false
    met[place >> 5]! |= bit
    return true
  }
  const refs: Array<SymbolRef> = []
  const inFiles: Array<SymbolRef> = []
  const depths: Array<number> = []
  const cameFrom: Array<number> = []
  const found: Array<number> = []
  const importers = new Set<SymbolRef>()
  const values = options.values === true
  const names = options.names === true
  let suppressed = 0
  let stopped = false

  for (const root of roots) for (const each of group(root)) mark(fileOf(each), definitionOf(each))

  /** Edges known by name only: whether they count depends on all others of the node. */
  const guessFiles: Array<number> = []
  const guesses: Array<number> = []
  let verified = false
  let ofRoots = true
  let atMost = 0
  let place = 0
  let weakest = 0
  let depth = 0
  const enter = (file: number, definition: number, tier: number): void => {
    if (stopped || !mark(file, definition)) return
    if (refs.length >= options.most) {
      stopped = true
      return
    }
    refs.push(nodeOf(file, definition))
    inFiles.push(nodeOf(file, -1))
    depths.push(depth)
    cameFrom.push(place)
    found.push(Math.max(tier, weakest))
  }
  const visit = (file: number, use: number): void => {
    const role = roleOfUse(use)
    if (role === Role.import || role === Role.export) {
      if (ofRoots) importers.add(nodeOf(file, definitionOfUse(use)))
      return
    }
    if (values && declares.has(role)) return
    const tier = Math.max(tierOfUse(use), atMost)
    if (tier === TierNumber.name && !names) {
      guessFiles.push(file)
      guesses.push(use)
      return
    }
    verified = true
    enter(file, definitionOfUse(use), tier)
  }
  const gather = (node: SymbolRef, tier: number): void => {
    atMost = tier
    incoming.eachUse(snapshot, fileOf(node), definitionOf(node), visit)
  }
  const step = (node: SymbolRef, at: number, sure: number, far: number): void => {
    place = at
    weakest = sure
    depth = far
    verified = false
    for (const each of group(node)) {
      gather(each, 0)
      for (const above of dispatchers(each)) gather(above, TierNumber.inferred)
    }
    if (guesses.length === 0) return
    if (verified) suppressed += guesses.length
    else guesses.forEach((use, i) => enter(guessFiles[i]!, definitionOfUse(use), TierNumber.name))
    guessFiles.length = guesses.length = 0
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
    files: inFiles,
    depths,
    cameFrom,
    tiers: found.map((tier): Tier => tiers[tier]!),
    importers: [...importers],
    suppressed,
    stopped
  }
}

/** Where the bits of each file begin: its own, then those of its definitions. The last is how many there are. */
const firstsOf = ({ files }: Snapshot): Int32Array => {
  const known = firstsKnown.get(files)
  if (known !== undefined) return known
  const firsts = new Int32Array(files.length + 1)
  files.forEach((file, id) => {
    firsts[id + 1] = firsts[id]! + 1 + (file?.view?.definitionCount ?? 0)
  })
  firstsKnown.set(files, firsts)
  return firsts
}
const firstsKnown = new WeakMap<Snapshot["files"], Int32Array>()
