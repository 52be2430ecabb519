/** Types by inheritance, and by method sets where a language has no declared implementation. */
import type { GraphView, SymbolInfo, SymbolRef, Tier } from "../../services/CodeGraph.ts"
import { type Open, rowOf, type SymbolRow } from "../shared/symbols.ts"
import { type Hidden, siftKin, type Trust } from "./Evidence.ts"

export interface Kin {
  readonly ref: SymbolRef
  /** extends, implements, embeds, mixes, or satisfies for a method set. */
  readonly how: string
  readonly tier: Tier
  readonly depth: number
  /** The type it was reached from. */
  readonly from: SymbolRef
}

/** A relative in an answer. */
export interface KinRow extends SymbolRow {
  readonly how: string
  readonly tier: Tier
  /** The type it was reached through. */
  readonly via?: string
}
/** A new row, which the caller may add to. */
export const kinRow = (symbol: SymbolInfo, { how, tier }: Pick<Kin, "how" | "tier">): Open<KinRow> => {
  const row = rowOf(symbol) as Open<KinRow>
  row.how = how
  row.tier = tier
  return row
}

const weaker = (a: Tier, b: Tier): Tier => {
  const order: ReadonlyArray<Tier> = ["exact", "resolved", "inferred", "name"]
  return order.indexOf(a) > order.indexOf(b) ? a : b
}

/** Types above or below a type, nearest first, each once; a chain is as certain as its weakest link. */
export const kinOf = (
  view: GraphView,
  type: SymbolRef,
  direction: "above" | "below",
  trust: Trust,
  hidden: Hidden,
  depth = 64
): ReadonlyArray<Kin> => {
  const seen = new Set([type])
  const out: Array<Kin> = []
  let level: ReadonlyArray<{ readonly ref: SymbolRef; readonly tier: Tier }> = [{ ref: type, tier: "exact" }]
  for (let distance = 1; distance <= depth && level.length > 0; distance++) {
    const next: Array<Kin> = []
    for (const at of level) {
      const found = [
        ...view[direction](at.ref),
        ...(direction === "below" ? satisfying(view, at.ref) : satisfied(view, at.ref))
      ]
      for (const { how, ref, tier } of siftKin(found, trust, hidden)) {
        if (seen.has(ref)) continue
        seen.add(ref)
        next.push({ ref, how, tier: weaker(at.tier, tier), depth: distance, from: at.ref })
      }
    }
    out.push(...next)
    level = next
  }
  return out
}

const folder = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1)

/** The type a member belongs to, also where it is declared away from it; undefined outside of types. */
export const ownerOf = (view: GraphView, ref: SymbolRef): SymbolRef | undefined => {
  const parent = view.parent(ref)
  if (parent !== undefined && !view.isFile(parent))
    return view.symbol(parent).kind === "extension" ? (named(view, view.symbol(ref)) ?? parent) : parent
  return named(view, view.symbol(ref))
}
const named = (view: GraphView, { language, path, qualified }: SymbolInfo): SymbolRef | undefined => {
  const dot = qualified.lastIndexOf(".")
  if (dot < 0) return undefined
  const type = qualified.slice(0, dot)
  const candidates = view.named(type.slice(type.lastIndexOf(".") + 1)).filter((other) => {
    const symbol = view.symbol(other)
    return symbol.qualified === type && symbol.language === language && types.has(symbol.kind)
  })
  return (
    candidates.find((other) => view.symbol(other).path === path) ??
    candidates.find((other) => folder(view.symbol(other).path) === folder(path)) ??
    (candidates.length === 1 && language !== "go" ? candidates[0] : undefined)
  )
}

export const types = new Set([
  "class",
  "interface",
  "struct",
  "enum",
  "trait",
  "type_alias",
  "object",
  "union",
  "annotation",
  "message",
  "service"
])

/** Finds a type's own member of a name. The name's definitions are sorted once, however many types are asked for. */
export const memberFinder = (view: GraphView, name: string): ((type: SymbolRef) => SymbolRef | undefined) => {
  let byQualified: Map<string, Array<SymbolInfo>> | undefined
  return (type) => {
    const own = view.children(type).find((child) => view.symbol(child).name === name)
    if (own !== undefined) return own
    const { language, path, qualified } = view.symbol(type)
    if (byQualified === undefined) {
      byQualified = new Map()
      for (const ref of view.named(name)) {
        const symbol = view.symbol(ref)
        const list = byQualified.get(symbol.qualified)
        if (list === undefined) byQualified.set(symbol.qualified, [symbol])
        else list.push(symbol)
      }
    }
    const found = (byQualified.get(`${qualified}.${name}`) ?? []).filter(
      (symbol) => symbol.language === language
    )
    return (
      found.find((symbol) => symbol.path === path) ??
      found.find((symbol) => folder(symbol.path) === folder(path)) ??
      (language === "go" ? undefined : found[0])
    )?.ref
  }
}

// ---- method sets of Go --------------------------------------------------------------------------

/** Parts of a list between top-level commas. */
const parts = (list: string): number => {
  if (list.trim() === "") return 0
  let depth = 0
  let count = 1
  for (const c of list) {
    if (c === "(" || c === "[" || c === "{") depth++
    else if (c === ")" || c === "]" || c === "}") depth--
    else if (c === "," && depth === 0) count++
  }
  return list.trim().endsWith(",") ? count - 1 : count
}

/** Parameters and results of a Go method, counted from its header; undefined when it cannot be read. */
export const arityOf = (signature: string, name: string): string | undefined => {
  const start = new RegExp(`(?:^|[\\s)])${name.replace(/[$]/g, "\\$&")}\\(`).exec(signature)
  if (start === null) return undefined
  const close = (open: number): number => {
    let depth = 0
    for (let at = open; at < signature.length; at++) {
      const c = signature[at]
      if (c === "(" || c === "[" || c === "{") depth++
      else if (c === ")" || c === "]" || c === "}") {
        depth--
        if (depth === 0) return at
      }
    }
    return -1
  }
  const open = start.index + start[0].length - 1
  const end = close(open)
  if (end < 0) return undefined
  const rest = signature.slice(end + 1).trim()
  const results = rest === "" ? 0 : rest.startsWith("(") ? parts(rest.slice(1, rest.lastIndexOf(")"))) : 1
  return `${parts(signature.slice(open + 1, end))}>${results}`
}

/** Methods by name with their arity. */
type MethodSet = ReadonlyMap<string, string | undefined>

const methodSetOf = (view: GraphView, type: SymbolRef, seen = new Set<SymbolRef>()): MethodSet => {
  const set = new Map<string, string | undefined>()
  if (seen.has(type)) return set
  seen.add(type)
  for (const child of view.children(type)) {
    const { kind, name, signature } = view.symbol(child)
    if (kind === "method") set.set(name, arityOf(signature, name))
  }
  for (const { how, ref } of view.above(type)) {
    if (how !== "embeds" && how !== "extends") continue
    for (const [name, arity] of methodSetOf(view, ref, seen)) if (!set.has(name)) set.set(name, arity)
  }
  return set
}

const isGo = (view: GraphView, ref: SymbolRef, kind?: string): boolean => {
  const symbol = view.symbol(ref)
  return symbol.language === "go" && (kind === undefined || symbol.kind === kind)
}

/** Whether a type has every method of a set, its own or those of what it embeds. */
const has = (
  view: GraphView,
  type: SymbolRef,
  set: MethodSet,
  finders: Map<string, (type: SymbolRef) => SymbolRef | undefined>
): boolean => {
  const reach: Array<SymbolRef> = [type]
  for (let at = 0; at < reach.length && at < 64; at++)
    for (const { ref } of view.above(reach[at]!)) if (!reach.includes(ref)) reach.push(ref)
  for (const [name, arity] of set) {
    let find = finders.get(name)
    if (find === undefined) finders.set(name, (find = memberFinder(view, name)))
    const own = reach.map(find).find((ref) => ref !== undefined)
    if (own === undefined) return false
    const other = arityOf(view.symbol(own).signature, name)
    if (arity !== undefined && other !== undefined && arity !== other) return false
  }
  return true
}

/** Definitions of a name beyond which no method sets are compared. */
const mostOwners = 2000

/** By a part of the view that stays the same while only its freshness is new. */
const satisfyingByView = new WeakMap<
  GraphView["symbol"],
  Map<SymbolRef, ReadonlyArray<{ readonly ref: SymbolRef; readonly how: string; readonly tier: Tier }>>
>()

/** Concrete Go types whose method set holds an interface's, by names and arities. Nothing for the empty interface. */
export const satisfying = (
  view: GraphView,
  type: SymbolRef
): ReadonlyArray<{ readonly ref: SymbolRef; readonly how: string; readonly tier: Tier }> => {
  if (!isGo(view, type, "interface")) return []
  let held = satisfyingByView.get(view.symbol)
  if (held === undefined) satisfyingByView.set(view.symbol, (held = new Map()))
  const known = held.get(type)
  if (known !== undefined) return known
  const set = methodSetOf(view, type)
  const rarest = [...set.keys()].sort((a, b) => view.named(a).length - view.named(b).length)[0]
  const owners = new Set<SymbolRef>()
  if (rarest !== undefined && view.named(rarest).length <= mostOwners) {
    for (const ref of view.named(rarest)) {
      if (!isGo(view, ref, "method")) continue
      const owner = ownerOf(view, ref)
      if (owner === undefined || view.symbol(owner).kind === "interface") continue
      const queue = [owner]
      for (let at = 0; at < queue.length; at++) {
        if (owners.has(queue[at]!)) continue
        owners.add(queue[at]!)
        for (const below of view.below(queue[at]!)) queue.push(below.ref)
      }
    }
  }
  const finders = new Map<string, (type: SymbolRef) => SymbolRef | undefined>()
  const out = [...owners]
    .filter((owner) => view.symbol(owner).kind !== "interface" && has(view, owner, set, finders))
    .map((ref) => ({ ref, how: "satisfies", tier: "inferred" as const }))
  held.set(type, out)
  return out
}

/** Go interfaces a concrete type satisfies. */
export const satisfied = (
  view: GraphView,
  type: SymbolRef
): ReadonlyArray<{ readonly ref: SymbolRef; readonly how: string; readonly tier: Tier }> => {
  if (!isGo(view, type) || view.symbol(type).kind === "interface") return []
  const interfaces = new Set<SymbolRef>()
  const reach: Array<SymbolRef> = [type]
  for (let at = 0; at < reach.length && at < 64; at++)
    for (const { ref } of view.above(reach[at]!)) if (!reach.includes(ref)) reach.push(ref)
  for (const each of reach) {
    for (const member of view.members(each)) {
      const { kind, name } = view.symbol(member)
      if (kind !== "method" || view.named(name).length > mostOwners) continue
      for (const other of view.named(name)) {
        const parent = view.parent(other)
        if (parent !== undefined && !view.isFile(parent) && isGo(view, parent, "interface"))
          interfaces.add(parent)
      }
    }
  }
  const finders = new Map<string, (type: SymbolRef) => SymbolRef | undefined>()
  return [...interfaces].flatMap((ref) => {
    const set = methodSetOf(view, ref)
    return set.size > 0 && has(view, type, set, finders)
      ? [{ ref, how: "satisfies", tier: "inferred" as const }]
      : []
  })
}
