/** Why definitions without edges may be in use all the same; see {@link GraphDoubts}. One pass over all names, made when asked for. */
import type { SymbolRef } from "../../services/CodeGraph.ts"
import type { GraphColumns } from "../../services/GraphColumns.ts"
import type { DoubtBits, GraphDoubts } from "../../services/GraphDoubts.ts"
import { D, type FactsView, I, N, R, X } from "../languages/Facts.ts"
import { languages } from "../languages/index.ts"
import { Bind, Flag, kindNumber, Op, Role } from "../languages/Vocabulary.ts"
import { G, S, targetTier, Tier } from "./Edges.ts"
import type { Snapshot } from "./Snapshot.ts"
import { dirOf, nodeOf } from "./World.ts"

const doubt: DoubtBits = {
  unbound: 1,
  guessed: 2,
  namesake: 4,
  decorated: 8,
  contract: 16,
  foreign: 32,
  overrides: 64
}

const K = kindNumber
const contracts = new Set<number>([K.interface, K.trait, K.type_alias])

export interface DoubtsGround {
  readonly snapshot: Snapshot
  readonly columns: GraphColumns
  /** By reference of a file: 1 when it is bound, or known to mean something outside. */
  readonly settled: (file: number, view: FactsView) => Uint8Array
  /** Direct super types of a type. */
  readonly above: (type: SymbolRef) => ReadonlyArray<{ readonly ref: SymbolRef }>
  /** Members of super types through which calls may get to a member. */
  readonly dispatchers: (ref: SymbolRef) => ReadonlyArray<SymbolRef>
}

/** What is written in front of a name, as places of decorations in a file. */
const decorationsOf = (view: FactsView, refs: Int32Array): ReadonlyArray<number> => {
  const out: Array<number> = []
  for (let i = 0, at = view.references, n = view.referenceCount; i < n; i++, at += R.size)
    if (((refs[at + R.place]! >> 16) & 15) === Role.decorate)
      out.push(refs[at + R.line]! * 65_536 + (refs[at + R.place]! & 0xffff))
  return out
}

/** Names of the definitions around one: modules of one name stand for each other, each for another platform. */
const nestOf = (view: FactsView, definition: number): string => {
  let out = ""
  for (let at = definition; at >= 0; at = view.def(at, D.parent)) out += `${view.def(at, D.name)}.`
  return out
}

/** Imports of one name in one place lead to files of which each is for another configuration. */
const variantsOf = ({ files, resolved }: Snapshot): ReadonlyMap<number, number> => {
  const first = new Map<number, number>()
  for (const file of files) {
    const view = file?.view
    if (file === undefined || view === undefined || languages[file.language]?.family !== "rust") continue
    const same = new Map<string, Array<number>>()
    let several = false
    for (let i = 0; i < view.importCount; i++) {
      const local = view.import(i, I.local)
      if (local === 0) continue
      const key = `${view.import(i, I.within)} ${local}`
      const list = same.get(key)
      if (list === undefined) same.set(key, [i])
      else several = list.push(i) > 1
    }
    if (!several) continue
    const edges = resolved[file.id]?.edges ?? new Int32Array(0)
    for (const list of same.values()) {
      if (list.length < 2) continue
      let lead = -1
      for (let p = 0; p < edges.length; p += G.size) {
        if (!list.includes(-1 - edges[p]!)) continue
        const target = edges[p + G.file]!
        lead = lead < 0 ? (first.get(target) ?? target) : lead
        first.set(target, lead)
      }
    }
  }
  return first
}

/** Operators of expressions that say in so many words what their value is. */
const written = new Set<number>([
  Op.name,
  Op.literal,
  Op.instance,
  Op.generic,
  Op.tuple,
  Op.callable,
  Op.new,
  Op.self,
  Op.selfType,
  Op.thisType,
  Op.super
])

export const doubtsOf = ({ above, columns, dispatchers, settled, snapshot }: DoubtsGround): GraphDoubts => {
  const { files, names, resolved } = snapshot
  const out = new Uint8Array(columns.nodeCount)
  const { starts } = columns.in
  /** Bits of every definition of a name. */
  const ofName = new Uint8Array(names.size)
  /** Names by whether one and whether several definitions have them, local variables aside. */
  const bearers = new Uint8Array(names.size)
  const foreignTypes = new Set<SymbolRef>()

  for (const file of files) {
    const view = file?.view
    if (file === undefined || view === undefined) continue
    const slice = resolved[file.id]
    const bound = settled(file.id, view)
    const refs = view.glance()
    for (let i = 0, at = view.references + R.name; i < bound.length; i++, at += R.size)
      if (bound[i] === 0) ofName[refs[at]!]! |= doubt.unbound
    const edges = slice?.edges ?? new Int32Array(0)
    for (let p = 0; p < edges.length; p += G.size)
      if (edges[p]! >= 0 && targetTier(edges[p + G.target]!) >= Tier.inferred)
        ofName[refs[view.references + edges[p]! * R.size + R.name]!]! |= doubt.guessed

    const base = columns.nodeOf(nodeOf(file.id, -1))
    const decorations = decorationsOf(view, refs)
    const attributes = languages[file.language]?.family === "rust"
    for (let i = 0, n = view.definitionCount; i < n; i++) {
      const parent = view.def(i, D.parent)
      const kind = view.def(i, D.kind)
      if ((view.def(i, D.flags) & Flag.local) === 0 || kind === K.function || kind === K.class) {
        const name = view.def(i, D.name)
        bearers[name] = bearers[name] === 0 ? 1 : 2
      }
      if (parent >= 0 && contracts.has(view.def(parent, D.kind)))
        ofName[view.def(i, D.name)]! |= doubt.contract
      if (attributes && view.def(i, D.startLine) < view.def(i, D.nameLine))
        out[base + 1 + i]! |= doubt.decorated
      if (decorations.length === 0) continue
      const from = view.def(i, D.startLine) * 65_536 + view.def(i, D.startColumn)
      const to = view.def(i, D.nameLine) * 65_536 + view.def(i, D.nameColumn)
      if (decorations.some((place) => place >= from && place < to)) out[base + 1 + i]! |= doubt.decorated
    }

    // A super type that is written and was not found is one of somebody else.
    const inherits = view.inheritCount
    if (inherits === 0) continue
    const written = new Map<number, number>()
    for (let i = 0; i < inherits; i++) {
      const subject = view.inherit(i, N.subject)
      if (subject >= 0) written.set(subject, (written.get(subject) ?? 0) + 1)
    }
    const supers = slice?.supers ?? new Int32Array(0)
    const found = new Map<number, Set<number>>()
    for (let p = 0; p < supers.length; p += S.size) {
      if (supers[p + S.file] !== file.id) continue
      const subject = supers[p + S.definition]!
      const own = found.get(subject) ?? new Set()
      own.add(nodeOf(supers[p + S.superFile]!, supers[p + S.superDefinition]!))
      found.set(subject, own)
    }
    for (const [subject, count] of written)
      if ((found.get(subject)?.size ?? 0) < count) foreignTypes.add(nodeOf(file.id, subject))
  }

  const foreign = new Map<SymbolRef, boolean>()
  const isForeign = (type: SymbolRef): boolean => {
    const known = foreign.get(type)
    if (known !== undefined) return known
    // A type that is its own super type by way of others has none outside on that way.
    foreign.set(type, false)
    const answer = foreignTypes.has(type) || above(type).some(({ ref }) => isForeign(ref))
    foreign.set(type, answer)
    return answer
  }

  const members = ofName.map((bits) => bits & doubt.contract)
  for (const file of files) {
    const view = file?.view
    const outside = file === undefined ? undefined : resolved[file.id]?.outside
    if (view === undefined || outside === undefined || outside.length === 0) continue
    const refs = view.glance()
    // Nothing outside has a member that its package alone can name, which is the only kind of Go that is asked about.
    const go = languages[file!.language]?.family === "go"
    // What a call to something outside gives may be one of ours: a container hands out what was put into it.
    for (let i = 0, at = view.references, n = view.referenceCount; i < n; i++, at += R.size) {
      if ((outside[i >> 5]! & (1 << (i & 31))) === 0 || (refs[at + R.bind]! & 7) !== Bind.member) continue
      let receiver = refs[at + R.bind]! >> 3
      while (receiver >= 0 && view.expr(receiver, X.op) === Op.member) receiver = view.expr(receiver, X.a)
      if (receiver >= 0 && (go || !written.has(view.expr(receiver, X.op))))
        members[refs[at + R.name]!]! |= doubt.guessed
    }
  }
  const variants = variantsOf(snapshot)
  /** Whether one of the definitions at a place is used, for places with more than one. */
  const places = new Map<string, { used: boolean; readonly unused: Array<number> }>()
  for (const file of files) {
    const view = file?.view
    if (file === undefined || view === undefined) continue
    const base = columns.nodeOf(nodeOf(file.id, -1))
    const { family, id: language } = languages[file.language] ?? { family: "none", id: "" }
    const whole =
      family === "go" || family === "c" ? dirOf(file.path) : String(variants.get(file.id) ?? file.id)
    for (let i = 0, n = view.definitionCount; i < n; i++) {
      const node = base + 1 + i
      const name = view.def(i, D.name)
      const parent = view.def(i, D.parent)
      const used = starts[node + 1]! > starts[node]!
      if (bearers[name] === 2) {
        const around = family === "rust" ? nestOf(view, parent) : parent
        const key = `${whole} ${family === "go" || family === "c" ? -1 : around} ${view.def(i, D.container)} ${name}`
        const place = places.get(key)
        if (place === undefined) places.set(key, { used, unused: used ? [] : [node] })
        else if (used) place.used = true
        else place.unused.push(node)
      }
      if (used) continue
      out[node]! |= ofName[name]! & (doubt.unbound | doubt.guessed)
      const container = view.def(i, D.container)
      if (parent < 0 && container === 0) continue
      out[node]! |= members[name]!
      const ref = nodeOf(file.id, i)
      if (language !== "go" && parent >= 0 && isForeign(nodeOf(file.id, parent))) out[node]! |= doubt.foreign
      if (dispatchers(ref).length > 0) out[node]! |= doubt.overrides
    }
  }
  for (const { unused, used } of places.values())
    if (used) for (const node of unused) out[node]! |= doubt.namesake
  return { of: out, bits: doubt }
}
