/**
 * Reads a snapshot the way operations ask: symbols with their words, uses with their places. Everything is computed
 * when asked; what costs a pass over all files is kept for the life of the view.
 */
import type {
  EdgeInfo,
  FileInfo,
  Freshness,
  GraphView,
  Mark,
  Resolution,
  SymbolInfo,
  SymbolRef,
  UnboundSite,
  Tier
} from "../../services/CodeGraph.ts"
import { D, E, type FactsView, H, I, M, R } from "../languages/Facts.ts"
import { languages } from "../languages/index.ts"
import { Flag, kindNumber, markKinds, resultUses, roles } from "../languages/Vocabulary.ts"
import { G, S, targetDefinition, targetTier, tiers } from "./Edges.ts"
import { columnsOf } from "./Columns.ts"
import { described, endLineOf, type Words } from "./Described.ts"
import { doubtsOf } from "./Doubts.ts"
import { methodSets } from "./MethodSets.ts"
import { outsideUses } from "./Outside.ts"
import { ranks } from "./Rank.ts"
import { reach } from "./Reach.ts"
import { Bearers } from "./Bearers.ts"
import { eachLoose, LooseFiles, settled } from "./Loose.ts"
import { unresolvedOf } from "./Unresolved.ts"
import { FileFlag, type FileEntry, inPathOrder, qualifiedParts, type Snapshot } from "./Snapshot.ts"
import { SymbolSearch } from "../symbols/SymbolSearch.ts"
import { definitionOf, dirOf, fileOf, type Node, nodeOf } from "./World.ts"

const K = kindNumber
const callables = new Set<number>([K.function, K.method, K.constructor, K.operator])
const data = new Set<number>([K.key, K.heading, K.selector, K.element, K.target, K.label])
/** Families in which several definitions of a callable, or of a type, may be one symbol. */
const grouping: ReadonlySet<string | undefined> = new Set(["ecmascript", "python", "c"])
const merging: ReadonlySet<string | undefined> = new Set(["ecmascript"])

/** Unbound references of a name that are kept once they were found, and of how many names. */
const mostKept = 16
const mostNames = 20_000

/** Whether any definition of a file is one of a test. */
const holdsTests = (view: FactsView): boolean => {
  let known = testsKnown.get(view)
  if (known === undefined) {
    known = false
    for (let i = 0, n = view.definitionCount; i < n && !known; i++)
      known = (view.def(i, D.flags) & Flag.test) !== 0 || view.def(i, D.kind) === K.test
    testsKnown.set(view, known)
  }
  return known
}
const testsKnown = new WeakMap<FactsView, boolean>()

export const makeView = (snapshot: Snapshot, freshness: Freshness): GraphView => {
  const { files, incoming, names, resolved } = snapshot
  const entry = (ref: SymbolRef): FileEntry => {
    const file = files[fileOf(ref)]
    if (file === undefined) throw new RangeError("a symbol of another view")
    return file
  }
  const viewOf = (ref: SymbolRef): FactsView => entry(ref).view!
  const isFile = (ref: SymbolRef) => definitionOf(ref) < 0
  const lazy = <A>(make: () => A): (() => A) => {
    let value: A | undefined
    return () => (value ??= make())
  }

  const eachDefinition = (visit: (file: FileEntry, view: FactsView, definition: number) => void) => {
    for (const file of files) {
      const view = file?.view
      if (file === undefined || view === undefined) continue
      for (let i = 0, n = view.definitionCount; i < n; i++) visit(file, view, i)
    }
  }
  const byName = lazy(() => Bearers.of(snapshot))
  /** Members that are declared apart from their type, by its name, in the order of files. */
  const declaredAway = lazy(() => {
    const found = new Map<number, Array<Node>>()
    eachDefinition((file, view, i) => {
      if (view.def(i, D.owner) < 0) return
      const container = view.def(i, D.container)
      const known = found.get(container)
      if (known === undefined) found.set(container, [nodeOf(file.id, i)])
      else known.push(nodeOf(file.id, i))
    })
    return found
  })
  const loose = lazy(() => LooseFiles.of(snapshot))

  /** How many references mean nothing known although the name exists here. */
  const unboundTotal = lazy(() => {
    const known = new Uint8Array(names.size)
    eachDefinition((_, view, i) => {
      if (!data.has(view.def(i, D.kind))) known[view.def(i, D.name)] = 1
    })
    let total = 0
    for (const file of files) {
      const view = file?.view
      if (file === undefined || view === undefined) continue
      const bound = settled(view, resolved[file.id])
      const refs = view.glance()
      for (let i = 0, at = view.references + R.name; i < bound.length; i++, at += R.size)
        if (bound[i] === 0 && known[refs[at]!] === 1) total++
    }
    return total
  })
  /** What was said of a name, and how many of its places were asked for. */
  const unboundKnown = new Map<
    string,
    { readonly limit: number; readonly said: ReturnType<GraphView["unbound"]> }
  >()
  /** Those of one name, and where the first of them are. */
  const unboundOf = (
    name: number,
    limit: number
  ): { readonly total: number; readonly nodes: ReadonlyArray<Node> } => {
    const nodes: Array<Node> = []
    let total = 0
    const known = byName().some(name, (node) => !data.has(viewOf(node).def(definitionOf(node), D.kind)))
    if (!known) return { total, nodes }
    loose().each(name, (id, count) => {
      if (count >= 0) total += count
      const view = files[id]?.view
      // What is not known of a file is counted.
      if (view === undefined || (count >= 0 && nodes.length >= limit)) return
      eachLoose(view, resolved[id], name, (reference) => {
        if (count < 0) total++
        if (nodes.length < limit) nodes.push(nodeOf(id, reference))
        return count < 0 || nodes.length < limit
      })
    })
    return { total, nodes }
  }

  interface Kin {
    readonly ref: SymbolRef
    readonly how: string
    readonly tier: Tier
  }
  const kinship = lazy(() => {
    const above = new Map<Node, Array<Kin>>()
    const below = new Map<Node, Array<Kin>>()
    const hows = ["extends", "implements", "embeds", "mixes"]
    for (const { id } of inPathOrder(snapshot)) {
      const supers = resolved[id]?.supers
      if (supers === undefined) continue
      for (let p = 0; p < supers.length; p += S.size) {
        const sub = nodeOf(supers[p + S.file]!, supers[p + S.definition]!)
        const sup = nodeOf(supers[p + S.superFile]!, supers[p + S.superDefinition]!)
        const how = hows[supers[p + S.how]!]!
        const put = (map: Map<Node, Array<Kin>>, key: Node, ref: Node) => {
          const list = map.get(key) ?? []
          if (!list.some((k) => k.ref === ref && k.how === how)) list.push({ ref, how, tier: "resolved" })
          map.set(key, list)
        }
        put(above, sub, sup)
        put(below, sup, sub)
      }
    }
    return { above, below }
  })

  // ---- words ------------------------------------------------------------------------------------

  const qualifiedOf = (view: FactsView, definition: number) =>
    qualifiedParts(view, names, definition).join(".")
  /** Which of the definitions of one qualified name in its file each one is, from 1; counted once a file. */
  const ordinals = new Map<number, Uint16Array>()
  const ordinalsOf = (id: number, view: FactsView): Uint16Array => {
    let known = ordinals.get(id)
    if (known === undefined) {
      known = new Uint16Array(view.definitionCount).fill(1)
      const byName = new Map<number, Array<number>>()
      for (let i = 0; i < known.length; i++) {
        const name = view.def(i, D.name)
        const same = byName.get(name)
        if (same === undefined) byName.set(name, [i])
        else same.push(i)
      }
      for (const same of byName.values()) {
        if (same.length < 2) continue
        const seen = new Map<string, number>()
        for (const i of same) {
          const qualified = qualifiedOf(view, i)
          const nth = (seen.get(qualified) ?? 0) + 1
          seen.set(qualified, nth)
          known[i] = nth
        }
      }
      ordinals.set(id, known)
    }
    return known
  }
  const idOf = (ref: SymbolRef): string => {
    const file = entry(ref)
    const definition = definitionOf(ref)
    if (definition < 0) return file.path
    return idFrom(file, definition, qualifiedOf(file.view!, definition))
  }
  const idFrom = (file: FileEntry, definition: number, qualified: string): string => {
    const nth = ordinalsOf(file.id, file.view!)[definition]!
    return `${file.path}::${qualified}${nth === 1 ? "" : `~${nth}`}`
  }
  const symbol = (ref: SymbolRef): SymbolInfo => described(ref, entry(ref), words)
  const isTest = (file: FileEntry, view: FactsView, definition: number): boolean => {
    if ((file.flags & FileFlag.test) !== 0) return true
    if (!holdsTests(view)) return false
    for (let i = definition; i >= 0; i = view.def(i, D.parent)) {
      if ((view.def(i, D.flags) & Flag.test) !== 0 || view.def(i, D.kind) === K.test) return true
    }
    return false
  }
  const words: Words = {
    text: (name) => names.text(name),
    qualified: qualifiedOf,
    id: idFrom,
    test: isTest
  }

  const reasonOf = (file: FileEntry): string | undefined =>
    file.view !== undefined ? undefined : file.skip === "" ? "no_language" : file.skip
  const skipped = lazy(() => {
    const counts = new Map<string, number>()
    for (const file of files) {
      const reason = file === undefined ? undefined : reasonOf(file)
      if (reason !== undefined) counts.set(reason, (counts.get(reason) ?? 0) + 1)
    }
    return counts
  })
  const infoOf = (file: FileEntry): FileInfo => ({
    path: file.path,
    language: languages[file.language]?.id,
    lines: file.view === undefined ? 0 : file.view.ints[file.view.at + H.lines]!,
    size: file.size,
    sha: file.oid,
    generated: (file.flags & FileFlag.generated) !== 0,
    test: (file.flags & FileFlag.test) !== 0,
    skipped: reasonOf(file),
    parse_errors: file.view === undefined ? 0 : file.view.ints[file.view.at + H.parseErrors]!,
    symbols: file.view?.definitionCount ?? 0
  })
  const fileRef = (path: string): SymbolRef | undefined => {
    const id = snapshot.byPath.get(path)
    return id === undefined ? undefined : nodeOf(id, -1)
  }

  // ---- groups -----------------------------------------------------------------------------------

  const placeKey = (file: number, parent: number, container: number) => `${file} ${parent} ${container}`
  interface Namesakes {
    readonly all: ReadonlyArray<SymbolRef>
    readonly places: ReadonlyMap<string, ReadonlyArray<SymbolRef>>
  }
  const placed = new Map<number, Namesakes>()
  /** Definitions of one name, and by where they stand; gathered once a name, for names that thousands of definitions have. */
  const namesakes = (name: number): Namesakes => {
    const known = placed.get(name)
    if (known !== undefined) return known
    const places = new Map<string, Array<SymbolRef>>()
    const all = byName().get(name)
    for (const n of all) {
      const view = viewOf(n)
      const i = definitionOf(n)
      const key = placeKey(fileOf(n), view.def(i, D.parent), view.def(i, D.container))
      const same = places.get(key)
      if (same === undefined) places.set(key, [n])
      else same.push(n)
    }
    const made = { all, places }
    placed.set(name, made)
    return made
  }
  /** Definitions that are one symbol: overload signatures with their implementation, a C prototype with its function, merged declarations. */
  const groupOf = (ref: SymbolRef): ReadonlyArray<SymbolRef> => {
    const definition = definitionOf(ref)
    if (definition < 0) return [ref]
    const file = entry(ref)
    const language = languages[file.language]
    if (!grouping.has(language?.family)) return [ref]
    const view = file.view!
    const callable = callables.has(view.def(definition, D.kind))
    // Elsewhere every definition is one by itself.
    if (!(callable ? grouping : merging).has(language?.family)) return [ref]
    const name = view.def(definition, D.name)
    const parent = view.def(definition, D.parent)
    const container = view.def(definition, D.container)
    const { all: others, places } = namesakes(name)
    if (others.length < 2) return [ref]
    const declared = (n: SymbolRef) => (viewOf(n).def(definitionOf(n), D.flags) & Flag.declaration) !== 0
    const siblings = places.get(placeKey(file.id, parent, container)) ?? []
    if (callable) {
      const same = siblings.filter((n) => callables.has(view.def(definitionOf(n), D.kind)))
      if (
        same.length > 1 &&
        same.some(declared) &&
        (language?.family === "ecmascript" || language?.family === "python")
      )
        return same
      if (language?.family === "c") {
        const qualified = qualifiedOf(view, definition)
        const family = others.filter(
          (n) =>
            languages[files[fileOf(n)]!.language]?.family === "c" &&
            callables.has(viewOf(n).def(definitionOf(n), D.kind)) &&
            qualifiedOf(viewOf(n), definitionOf(n)) === qualified &&
            (viewOf(n).def(definitionOf(n), D.flags) & Flag.private) === 0
        )
        const real = family.filter((n) => !declared(n))
        if (family.includes(ref) && real.length <= 1 && family.length > 1) return family
      }
      return [ref]
    }
    // Interfaces, namespaces and classes of one name in one TypeScript file are one symbol.
    if (language?.family === "ecmascript") {
      const types = new Set<number>([K.interface, K.namespace, K.class, K.enum])
      if (types.has(view.def(definition, D.kind))) {
        const same = siblings.filter((n) => types.has(view.def(definitionOf(n), D.kind)))
        if (same.length > 1) return same
      }
    }
    return [ref]
  }
  const primaryOf = (group: ReadonlyArray<SymbolRef>): SymbolRef =>
    group.find(
      (n) => definitionOf(n) >= 0 && (viewOf(n).def(definitionOf(n), D.flags) & Flag.declaration) === 0
    ) ?? group[0]!

  // ---- edges ------------------------------------------------------------------------------------

  const edgeInfo = (fileId: number, p: number): EdgeInfo => {
    const file = files[fileId]!
    const view = file.view!
    const edges = resolved[fileId]!.edges
    const source = edges[p + G.source]!
    const target = edges[p + G.target]!
    const to = nodeOf(edges[p + G.file]!, targetDefinition(target))
    const tier = tiers[targetTier(target)]!
    if (source >= 0) {
      const place = view.glimpse(source, R.place)
      return {
        from: nodeOf(fileId, view.glimpse(source, R.within)),
        to,
        tier,
        role: roles[(place >> 16) & 15]!,
        use: resultUses[(place >> 20) & 15]!,
        path: file.path,
        line: view.glimpse(source, R.line),
        column: place & 0xffff,
        args: view.glimpse(source, R.arity) - 1,
        name: names.text(view.glimpse(source, R.name))
      }
    }
    const index = -1 - source
    const imports = view.importCount
    if (index < imports) {
      const imported = view.import(index, I.imported)
      return {
        from: nodeOf(fileId, view.import(index, I.within)),
        to,
        tier,
        role: "import",
        use: "unknown",
        path: file.path,
        line: view.import(index, I.line),
        column: view.import(index, I.column),
        args: -1,
        name: names.text(imported === 0 ? view.import(index, I.local) : imported)
      }
    }
    const at = index - imports
    const local = view.export(at, E.local)
    return {
      from: nodeOf(fileId, -1),
      to,
      tier,
      role: "export",
      use: "unknown",
      path: file.path,
      line: view.export(at, E.line),
      column: view.export(at, E.column),
      args: -1,
      name: names.text(
        local !== 0
          ? local
          : view.export(at, E.imported) !== 0
            ? view.export(at, E.imported)
            : view.export(at, E.exported)
      )
    }
  }
  const incomingOf = (ref: SymbolRef, from?: (path: string) => boolean): ReadonlyArray<EdgeInfo> => {
    const out: Array<EdgeInfo> = []
    for (const node of groupOf(ref))
      incoming.each(fileOf(node), definitionOf(node), (file, p) => {
        if (from === undefined || from(files[file]!.path)) out.push(edgeInfo(file, p))
      })
    if (out.length > 1)
      out.sort((a, b) =>
        a.path === b.path ? a.line - b.line || a.column - b.column : a.path < b.path ? -1 : 1
      )
    return out
  }
  const contains = (view: FactsView, outer: number, inner: number): boolean => {
    for (let i = inner; i >= 0; i = view.def(i, D.parent)) if (i === outer) return true
    return outer < 0
  }
  const outgoingOf = (ref: SymbolRef): ReadonlyArray<EdgeInfo> => {
    const file = entry(ref)
    const definition = definitionOf(ref)
    const edges = resolved[file.id]?.edges
    if (edges === undefined || file.view === undefined) return []
    const view = file.view
    const out: Array<EdgeInfo> = []
    for (let p = 0; p < edges.length; p += G.size) {
      const source = edges[p]!
      const within =
        source >= 0
          ? view.glimpse(source, R.within)
          : -1 - source < view.importCount
            ? view.import(-1 - source, I.within)
            : -1
      if (definition < 0 || contains(view, definition, within)) out.push(edgeInfo(file.id, p))
    }
    return out
  }

  /** Members of super types of the same name, through which calls get to this one. */
  const dispatchers = (ref: SymbolRef): ReadonlyArray<SymbolRef> => {
    const definition = definitionOf(ref)
    const view = files[fileOf(ref)]?.view
    if (definition < 0 || view === undefined) return []
    if (view.def(definition, D.container) !== 0 && languages[entry(ref).language]?.id === "go")
      return sets().above(ref)
    return alongKin(ref, view, "above", 64)
  }
  const sets = lazy(() => methodSets(snapshot))
  /** Members of the same name in the types above or below that of a member. */
  const alongKin = (
    ref: SymbolRef,
    view: FactsView,
    way: "above" | "below",
    most: number
  ): ReadonlyArray<SymbolRef> => {
    const definition = definitionOf(ref)
    const parent = view.def(definition, D.parent)
    if (parent < 0) return []
    const first = nodeOf(fileOf(ref), parent)
    const kin = kinship()[way]
    if (!kin.has(first)) return []
    const name = view.def(definition, D.name)
    const out: Array<SymbolRef> = []
    const seen = new Set<SymbolRef>([first])
    const queue: Array<SymbolRef> = [first]
    for (let at = 0; at < queue.length && at < most; at++) {
      for (const { ref: type } of kin.get(queue[at]!) ?? []) {
        if (seen.has(type)) continue
        seen.add(type)
        queue.push(type)
        const own = viewOf(type)
        const over = definitionOf(type)
        for (let i = over + 1; i < own.definitionCount; i++)
          if (own.def(i, D.parent) === over && own.def(i, D.name) === name) out.push(nodeOf(fileOf(type), i))
      }
    }
    return out
  }
  const overriders = (ref: SymbolRef): ReadonlyArray<SymbolRef> => {
    const view = files[fileOf(ref)]?.view
    if (definitionOf(ref) < 0 || view === undefined) return []
    return languages[entry(ref).language]?.id === "go"
      ? sets().below(ref)
      : alongKin(ref, view, "below", 1000)
  }
  const rank = lazy(() => ranks(snapshot))
  const unresolved = lazy(() =>
    unresolvedOf({
      snapshot,
      settled: (file, view) => settled(view, resolved[file]),
      named: (name) =>
        byName()
          .get(name)
          .filter((ref) => !data.has(viewOf(ref).def(definitionOf(ref), D.kind)))
    })
  )
  const columns = lazy(() =>
    columnsOf({
      snapshot,
      group: groupOf,
      primary: primaryOf,
      edge: (file, offset) => edgeInfo(file, offset)
    })
  )

  const doubts = lazy(() =>
    doubtsOf({
      snapshot,
      columns: columns(),
      settled: (file, view) => settled(view, resolved[file]),
      above: (type) => kinship().above.get(type) ?? [],
      dispatchers
    })
  )

  // ---- lookups ----------------------------------------------------------------------------------

  const named = (name: string): ReadonlyArray<SymbolRef> => {
    const n = names.find(name)
    return n < 0 ? [] : byName().get(n)
  }
  /** One node for each group; local definitions, forward declarations and data leaves only when there is nothing else. */
  const distinct = (nodes: ReadonlyArray<SymbolRef>): ReadonlyArray<SymbolRef> => {
    const flag = (n: SymbolRef, bit: number) => (viewOf(n).def(definitionOf(n), D.flags) & bit) !== 0
    let out = nodes
    for (const keep of [
      (n: SymbolRef) =>
        !data.has(viewOf(n).def(definitionOf(n), D.kind)) &&
        viewOf(n).def(definitionOf(n), D.kind) !== K.test,
      (n: SymbolRef) => !flag(n, Flag.local)
    ]) {
      const some = out.filter(keep)
      if (some.length > 0) out = some
    }
    const seen = new Set<SymbolRef>()
    const result: Array<SymbolRef> = []
    for (const n of out) {
      const primary = primaryOf(groupOf(n))
      if (!seen.has(primary)) {
        seen.add(primary)
        result.push(primary)
      }
    }
    return result
  }
  const byId = (path: string, rest: string): ReadonlyArray<SymbolRef> => {
    const id = snapshot.byPath.get(path)
    const view = id === undefined ? undefined : files[id]?.view
    if (id === undefined || view === undefined) return []
    const matching = (qualified: string): ReadonlyArray<SymbolRef> => {
      const out: Array<SymbolRef> = []
      for (let i = 0; i < view.definitionCount; i++) {
        if (qualified.endsWith(names.text(view.def(i, D.name))) && qualifiedOf(view, i) === qualified)
          out.push(nodeOf(id, i))
      }
      return out
    }
    // Names may hold any character (titles of tests do), so what is written comes before what it may stand for.
    const whole = matching(rest)
    if (whole.length > 0) return whole.slice(0, 1)
    const nth = /~(\d+)$/.exec(rest)
    const bare = nth === null ? rest : rest.slice(0, nth.index)
    const written = matching(bare)
    const out = written.length > 0 ? written : matching(bare.replaceAll("::", ".").replaceAll("#", "."))
    return out.slice(nth === null ? 0 : Number(nth[1]) - 1).slice(0, 1)
  }
  const at = (path: string, line: number): SymbolRef | undefined => {
    const id = snapshot.byPath.get(path)
    const view = id === undefined ? undefined : files[id]?.view
    if (id === undefined) return undefined
    let best = -1
    if (view !== undefined) {
      for (let i = 0; i < view.definitionCount; i++) {
        if (
          view.def(i, D.startLine) <= line &&
          line <= endLineOf(view, i) &&
          (best < 0 || view.def(i, D.startLine) >= view.def(best, D.startLine))
        )
          best = i
      }
    }
    return nodeOf(id, best)
  }
  const none: Resolution = { found: [], exact: false, suggestions: [] }
  const resolve = (words: string): Resolution => {
    const text = words.trim().replace(/\(\)?$/, "")
    if (text === "") return none
    const split = text.indexOf("::")
    if (split > 0 && (snapshot.byPath.has(text.slice(0, split)) || text.slice(0, split).includes("/"))) {
      const found = byId(text.slice(0, split), text.slice(split + 2))
      if (found.length > 0) return { found, exact: true, suggestions: [] }
      const last = text.slice(split + 2).split(/[.:#~]+/)[0]!
      return { found: [], exact: false, suggestions: suggest(last) }
    }
    const place = /^(.+):(\d+)(?::\d+)?$/.exec(text)
    if (place !== null && snapshot.byPath.has(place[1]!)) {
      const ref = at(place[1]!, Number(place[2]))
      return ref === undefined ? none : { found: [ref], exact: true, suggestions: [] }
    }
    const file = fileRef(text)
    if (file !== undefined) return { found: [file], exact: true, suggestions: [] }
    const whole = named(text)
    const parts = text.split(/::|[.#]|->/).filter((p) => p !== "")
    const last = parts[parts.length - 1]
    if (last === undefined) return none
    let nodes = whole
    if (nodes.length === 0 && parts.length > 1) {
      nodes = named(last).filter((n) => {
        const own = qualifiedParts(viewOf(n), names, definitionOf(n))
        let k = own.length - 1
        let p = parts.length - 1
        while (p >= 0 && k >= 0 && own[k] === parts[p]) {
          k--
          p--
        }
        if (p < 0) return true
        // What is left may name the file, its folder or its package.
        const path = files[fileOf(n)]!.path
        const rest = parts.slice(0, p + 1)
        const places = [
          ...path.split("/"),
          path.slice(path.lastIndexOf("/") + 1).replace(/\.[^.]*$/, ""),
          ...names.text(viewOf(n).package).split(/[.\\]|::/)
        ]
        return k < 0 && rest.every((r) => places.includes(r))
      })
    }
    const found = distinct(nodes)
    if (found.length > 0) return { found, exact: found.length === 1, suggestions: [] }
    return { found: [], exact: false, suggestions: suggest(last) }
  }
  const symbols = lazy(() => new SymbolSearch(snapshot))
  const suggest = (name: string): ReadonlyArray<string> => {
    const out: Array<string> = []
    for (const { ref } of symbols().search({ text: name, limit: 12 }).matches) {
      const id = idOf(ref)
      if (!out.includes(id)) out.push(id)
      if (out.length === 5) break
    }
    return out
  }

  const counts = lazy(() => {
    let listed = 0
    let indexed = 0
    let definitions = 0
    for (const file of files) {
      if (file === undefined) continue
      listed++
      if (file.view === undefined) continue
      indexed++
      definitions += file.view.definitionCount
    }
    return {
      files: listed,
      indexed_files: indexed,
      symbols: definitions,
      edges: incoming.edgeCount,
      unbound: unboundTotal()
    }
  })

  return {
    generation: String(snapshot.generation),
    freshness,
    get counts() {
      return counts()
    },
    symbol,
    isFile,
    fileRef,
    file: (path) => {
      const id = snapshot.byPath.get(path)
      return id === undefined ? undefined : infoOf(files[id]!)
    },
    files: () => files.flatMap((f) => (f === undefined ? [] : [infoOf(f)])),
    skipped,
    definitions: (path) => {
      const id = snapshot.byPath.get(path)
      const count = id === undefined ? 0 : (files[id]?.view?.definitionCount ?? 0)
      return Array.from({ length: count }, (_, i) => nodeOf(id!, i))
    },
    *all() {
      for (const file of files) {
        const count = file?.view?.definitionCount ?? 0
        for (let i = 0; i < count; i++) yield nodeOf(file!.id, i)
      }
    },
    parent: (ref) => {
      const definition = definitionOf(ref)
      return definition < 0 ? undefined : nodeOf(fileOf(ref), viewOf(ref).def(definition, D.parent))
    },
    children: (ref) => {
      const view = entry(ref).view
      const parent = definitionOf(ref)
      const out: Array<SymbolRef> = []
      if (view !== undefined)
        for (let i = parent + 1; i < view.definitionCount; i++)
          if (view.def(i, D.parent) === parent) out.push(nodeOf(fileOf(ref), i))
      return out
    },
    at,
    resolve,
    named,
    search: (query) => symbols().search(query),
    incoming: incomingOf,
    meaning: (path) => {
      const id = snapshot.byPath.get(path)
      return id === undefined ? undefined : resolved[id]
    },
    incomingCount: (ref) =>
      groupOf(ref).reduce((n, node) => n + incoming.count(fileOf(node), definitionOf(node)), 0),
    outgoing: outgoingOf,
    above: (ref) => groupOf(ref).flatMap((n) => kinship().above.get(n) ?? []),
    below: (ref) => groupOf(ref).flatMap((n) => kinship().below.get(n) ?? []),
    members: (ref) => {
      const own = entry(ref)
      const definition = definitionOf(ref)
      if (own.view === undefined || definition < 0) return []
      const out: Array<SymbolRef> = []
      for (const node of groupOf(ref)) {
        const view = viewOf(node)
        const i = definitionOf(node)
        for (let k = i + 1; k < view.definitionCount; k++)
          if (view.def(k, D.parent) === i) out.push(nodeOf(fileOf(node), k))
      }
      const family = languages[own.language]?.family
      const dir = dirOf(own.path)
      for (const node of declaredAway().get(own.view.def(definition, D.name)) ?? []) {
        const file = entry(node)
        // Go methods and Rust impls lie in the same package or crate; other languages extend from anywhere.
        if (languages[file.language]?.family === family && (family !== "go" || dirOf(file.path) === dir))
          out.push(node)
      }
      return out
    },
    unbound: (name, limit) => {
      const held = unboundKnown.get(name)
      if (held !== undefined && (limit <= held.limit || held.said.sites.length === held.said.total)) {
        const { sites, total } = held.said
        return limit >= sites.length ? held.said : { total, sites: sites.slice(0, limit) }
      }
      const n = names.find(name)
      const { nodes, total } = n < 0 ? { nodes: [], total: 0 } : unboundOf(n, limit)
      const sites = nodes.map((node): UnboundSite => {
        const view = viewOf(node)
        const i = definitionOf(node)
        const place = view.glimpse(i, R.place)
        return {
          path: entry(node).path,
          line: view.glimpse(i, R.line),
          column: place & 0xffff,
          role: roles[(place >> 16) & 15]!,
          within: nodeOf(fileOf(node), view.glimpse(i, R.within))
        }
      })
      const said = { total, sites }
      if ((limit <= mostKept || total <= mostKept) && unboundKnown.size < mostNames)
        unboundKnown.set(name, { limit, said })
      return said
    },
    unresolved,
    imports: (path) => {
      const id = snapshot.byPath.get(path)
      const view = id === undefined ? undefined : files[id]?.view
      if (id === undefined || view === undefined) return []
      const targets: Array<Array<SymbolRef>> = Array.from({ length: view.importCount }, () => [])
      const edges = resolved[id]?.edges ?? new Int32Array(0)
      for (let p = 0; p < edges.length; p += G.size) {
        const index = -1 - edges[p]!
        if (index >= 0 && index < view.importCount)
          targets[index]!.push(nodeOf(edges[p + G.file]!, targetDefinition(edges[p + G.target]!)))
      }
      return targets.map((refs, i) => ({
        module: names.text(view.import(i, I.module)),
        name: names.text(view.import(i, I.imported)),
        local: names.text(view.import(i, I.local)),
        line: view.import(i, I.line),
        targets: refs,
        external: refs.length === 0
      }))
    },
    outside: (path) => {
      const id = snapshot.byPath.get(path)
      return id === undefined ? [] : outsideUses(snapshot, id)
    },
    marks: (path) => {
      const out: Array<Mark> = []
      for (const file of files) {
        if (file?.view === undefined || (path !== undefined && file.path !== path)) continue
        const { view } = file
        for (let i = 0; i < view.markCount; i++) {
          out.push({
            kind: markKinds[view.mark(i, M.kind)]!,
            text: view.markText(i),
            path: file.path,
            line: view.mark(i, M.line),
            within: nodeOf(file.id, view.mark(i, M.within))
          })
        }
      }
      return out
    },
    idOf,
    nameOf: (ref) =>
      isFile(ref)
        ? entry(ref).path.slice(entry(ref).path.lastIndexOf("/") + 1)
        : names.text(viewOf(ref).def(definitionOf(ref), D.name)),
    pathOf: (ref) => entry(ref).path,
    isTest: (ref) =>
      isFile(ref)
        ? (entry(ref).flags & FileFlag.test) !== 0
        : isTest(entry(ref), viewOf(ref), definitionOf(ref)),
    isCase: (ref) =>
      !isFile(ref) &&
      (viewOf(ref).def(definitionOf(ref), D.kind) === K.test ||
        (viewOf(ref).def(definitionOf(ref), D.flags) & Flag.test) !== 0),
    get columns() {
      return columns()
    },
    get doubts() {
      return doubts()
    },
    reach: (roots, options) => reach({ snapshot, group: groupOf, dispatchers }, roots, options),
    overriders,
    rank: (ref) => rank()(ref),
    parameters: (ref) => {
      const packed = isFile(ref) ? -1 : viewOf(ref).def(definitionOf(ref), D.parameters)
      return packed < 0
        ? undefined
        : { min: packed & 255, max: (packed >> 8) & 255, variadic: ((packed >> 16) & 1) === 1 }
    },
    runner: (path) => {
      const id = snapshot.byPath.get(path)
      const view = id === undefined ? undefined : files[id]?.view
      const name = view === undefined ? 0 : view.ints[view.at + H.runner]!
      return name === 0 ? undefined : names.text(name)
    }
  }
}

/** The same view, found to be as fresh as said: what it has computed stays computed. */
export const withFreshness = (view: GraphView, freshness: Freshness): GraphView =>
  Object.defineProperties(
    {},
    { ...Object.getOwnPropertyDescriptors(view), freshness: { value: freshness, enumerable: true } }
  ) as GraphView
