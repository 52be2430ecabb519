/** Definitions that can only be renamed together, and what uses them, by the graph alone. */
import type { EdgeInfo, GraphView, SymbolInfo, SymbolRef } from "../../services/CodeGraph.ts"
import { nothingHidden } from "../relations/Evidence.ts"
import { kinOf, memberFinder, ownerOf, types } from "../relations/Kin.ts"
import { isEcmascript } from "./Names.ts"
import { type Site, siteKey } from "./Sites.ts"
import type { Spelling } from "./Spelled.ts"

/** Definitions under the same parent and name: overloads, merged declarations, branches of a condition. */
export const alike = (view: GraphView, ref: SymbolRef): ReadonlyArray<SymbolRef> => {
  const { name, path, qualified } = view.symbol(ref)
  return view
    .named(name)
    .filter((other) => view.pathOf(other) === path && view.symbol(other).qualified === qualified)
}

/** The definitions of a symbol: itself, its like, and what it overrides or is overridden by. */
export const familyOf = (view: GraphView, root: SymbolRef): ReadonlyArray<SymbolRef> => {
  const name = view.nameOf(root)
  const find = memberFinder(view, name)
  const out = new Set<SymbolRef>()
  const owners = new Set<SymbolRef>()
  const queue: Array<SymbolRef> = [root]
  for (let at = 0; at < queue.length; at++) {
    const ref = queue[at]!
    if (out.has(ref)) continue
    for (const one of alike(view, ref)) out.add(one)
    const owner = ownerOf(view, ref)
    if (owner === undefined || view.isFile(owner) || !types.has(view.symbol(owner).kind) || owners.has(owner))
      continue
    owners.add(owner)
    for (const way of ["above", "below"] as const)
      for (const kin of kinOf(view, owner, way, { include_speculative: false }, nothingHidden())) {
        const member = find(kin.ref)
        if (member !== undefined) queue.push(member)
      }
  }
  return [...out]
}

/**
 * The same with what is declared by the same word: an embedded type of Go is a field of the type's name as well, and
 * neither can be renamed without the other.
 */
export const namedTogether = (view: GraphView, root: SymbolRef): ReadonlyArray<SymbolRef> => {
  const out = new Set<SymbolRef>()
  const queue: Array<SymbolRef> = [root]
  for (let at = 0; at < queue.length; at++) {
    if (out.has(queue[at]!)) continue
    const family = familyOf(view, queue[at]!)
    for (const ref of family) out.add(ref)
    if (view.symbol(root).language !== "go") continue
    const name = view.nameOf(root)
    for (const ref of family)
      if (view.symbol(ref).kind === "field") {
        const { column, line, path } = view.symbol(ref)
        const owner = view.parent(ref)
        for (const edge of owner === undefined ? [] : view.outgoing(owner))
          if (
            edge.path === path &&
            edge.line === line &&
            edge.column === column &&
            view.nameOf(edge.to) === name
          )
            queue.push(edge.to)
      } else
        for (const edge of view.incoming(ref)) {
          if (edge.name !== name) continue
          for (const field of view.children(edge.from)) {
            const { column, kind, line, path } = view.symbol(field)
            if (kind === "field" && path === edge.path && line === edge.line && column === edge.column)
              queue.push(field)
          }
        }
  }
  return [...out]
}

/** Super types that mean nothing to those who inherit from them. */
const harmless = new Set(["object", "ABC", "Protocol", "Generic", "Object", "Any", "AnyRef"])

/** Methods of Go that types have for the sake of interfaces of the library. */
const goLibrary = new Set(
  "String Error Read Write Close Len Less Swap Push Pop ServeHTTP Unwrap Is As MarshalJSON UnmarshalJSON MarshalText UnmarshalText Scan Value Format GoString Seek ReadAt WriteTo ReadFrom Lock Unlock RoundTrip Set Name Size Mode ModTime IsDir Sys Done Err Deadline Open Stat".split(
    " "
  )
)

/** Names of the super types a header states. */
const basesIn = ({ language, signature }: SymbolInfo): ReadonlyArray<string> => {
  const last = (text: string) => /([\p{ID_Start}_][\p{ID_Continue}]*)\s*$/u.exec(text)?.[1]
  const plain = signature.replace(/<[^<>]*(?:<[^<>]*>[^<>]*)*>|\[[^\]]*\]/g, "")
  const lists =
    language === "python"
      ? [/\(([^)]*)\)/.exec(plain)?.[1] ?? ""]
      : language === "rust"
        ? [/^(?:unsafe\s+)?impl\s+(.+?)\s+for\b/.exec(plain)?.[1] ?? ""]
        : /\b(?:extends|implements|with)\b/.test(plain)
          ? [
              ...plain.matchAll(
                /\b(?:extends|implements|with)\s+([^{]+?)(?=\b(?:extends|implements|with)\b|\{|$)/g
              )
            ].map((match) => match[1]!)
          : ["csharp", "kotlin", "swift", "cpp"].includes(language)
            ? [/[^:]:(?!:)\s*([^{]+)/.exec(plain)?.[1] ?? ""]
            : []
  return lists
    .flatMap((list) => list.split(","))
    .filter((entry) => !entry.includes("="))
    .flatMap((entry) => last(entry.replace(/\(.*$/, "").trim()) ?? [])
}

/** Super types that are not of this repository, so that the graph cannot say whether they demand the member. */
export const outsideBases = (view: GraphView, family: ReadonlyArray<SymbolRef>): ReadonlyArray<string> => {
  const out = new Set<string>()
  for (const ref of family) {
    const symbol = view.symbol(ref)
    const owner = ownerOf(view, ref)
    if (owner === undefined || view.isFile(owner)) continue
    if (symbol.language === "go" && goLibrary.has(symbol.name) && view.symbol(owner).kind !== "interface")
      out.add(`an interface of the library with ${symbol.name}`)
    const parent = view.parent(ref)
    const known = new Set(
      kinOf(view, owner, "above", { include_speculative: false }, nothingHidden()).map((kin) =>
        view.nameOf(kin.ref)
      )
    )
    for (const header of new Set([owner, ...(parent === undefined || view.isFile(parent) ? [] : [parent])]))
      for (const base of basesIn(view.symbol(header)))
        if (
          !known.has(base) &&
          !harmless.has(base) &&
          !view.named(base).some((one) => types.has(view.symbol(one).kind))
        )
          out.add(base)
  }
  return [...out]
}

export interface Doubt extends Site {
  readonly why: "name_only" | "several_meanings" | "unbound" | Spelling
}

export interface Uses {
  /** Uses by place, the most certain edge of each. */
  readonly sites: ReadonlyArray<EdgeInfo>
  /** Places that may or may not mean the symbol. */
  readonly doubts: ReadonlyArray<Doubt>
}

const order = { exact: 0, resolved: 1, inferred: 2, name: 3 } as const

const folder = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1)

/** Languages whose code can mean definitions of each other. */
const kinLanguages = (a: string | undefined, b: string): boolean =>
  a === b ||
  (a !== undefined && ((isEcmascript(a) && isEcmascript(b)) || (/^c(pp)?$/.test(a) && /^c(pp)?$/.test(b))))

/** Unbound places that are looked at. */
const mostUnbound = 2000

/**
 * What uses a family, and where that cannot be told. `memberAt` says whether the name at a place is asked of something,
 * as in `x.name`; undefined when the text cannot be read.
 */
export const usesOf = (
  view: GraphView,
  family: ReadonlyArray<SymbolRef>,
  memberAt: (site: Site) => boolean | undefined
): Uses => {
  const own = new Set(family)
  const root = view.symbol(family[0]!)
  const best = new Map<string, EdgeInfo>()
  for (const ref of family)
    for (const edge of view.incoming(ref)) {
      const key = siteKey(edge)
      const known = best.get(key)
      if (known === undefined || order[edge.tier] < order[known.tier]) best.set(key, edge)
    }
  const doubts: Array<Doubt> = []
  const sites: Array<EdgeInfo> = []
  const others = new Map<SymbolRef, Set<string>>()
  const otherMeanings = (from: SymbolRef): Set<string> => {
    let set = others.get(from)
    if (set === undefined) {
      set = new Set()
      for (const edge of view.outgoing(from))
        if (!own.has(edge.to) && edge.tier !== "name" && view.nameOf(edge.to) === root.name)
          set.add(siteKey(edge))
      others.set(from, set)
    }
    return set
  }
  const place = ({ column, line, path }: Site): Site => ({ path, line, column })
  for (const edge of best.values())
    if (edge.tier === "name") doubts.push({ ...place(edge), why: "name_only" })
    else if (edge.tier === "inferred" && otherMeanings(edge.from).has(siteKey(edge)))
      doubts.push({ ...place(edge), why: "several_meanings" })
    else sites.push(edge)
  const parent = view.parent(family[0]!)
  const owner = ownerOf(view, family[0]!)
  const member = owner !== undefined && !view.isFile(owner) && types.has(view.symbol(owner).kind)
  const local = root.flags.includes("local")
  const around = local && parent !== undefined ? view.symbol(parent) : undefined
  const packaged = root.language === "go" && !/^\p{Lu}/u.test(root.name)
  const unbound = view.unbound(root.name, mostUnbound)
  for (const site of unbound.sites) {
    if (!kinLanguages(view.file(site.path)?.language, root.language)) continue
    if (
      around !== undefined &&
      (site.path !== around.path || site.line < around.start_line || site.line > around.end_line)
    )
      continue
    if (packaged && folder(site.path) !== folder(root.path)) continue
    const asked = memberAt(site)
    if (asked === undefined || asked === member || (asked && !local))
      doubts.push({ ...place(site), why: "unbound" })
  }
  if (unbound.total > unbound.sites.length)
    doubts.push({ path: root.path, line: root.line, column: root.column, why: "unbound" })
  return { sites, doubts }
}
