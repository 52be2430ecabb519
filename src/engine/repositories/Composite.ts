/**
 * Several repositories as one graph. Nothing is copied: a question goes to the view of the repository it is about, and
 * what comes back is told with the paths and handles of the whole. Uses across repositories come from {@link bridges}.
 */
import { retold } from "../../algorithms/Retold.ts"
import type {
  EdgeInfo,
  FileInfo,
  Freshness,
  GraphView,
  Reached,
  ReachOptions,
  Resolution,
  SymbolInfo,
  SymbolMatch,
  SymbolRef,
  Tier,
  UnboundSite,
  UnresolvedReason,
  UnresolvedUse,
  UnresolvedUses
} from "../../services/CodeGraph.ts"
import { type Bridge, bridges, type Side } from "./Bridges.ts"
import { joined } from "./JoinedColumns.ts"

/** One repository of the whole. */
export interface Part extends Side {
  readonly name: string
  /** What its paths begin with in the whole: "" for the one that is served, else its name and a slash. */
  readonly prefix: string
}

/** More handles than one view has. */
const span = 2 ** 42

/** A place in the list of parts and a handle there. */
interface Within {
  readonly at: number
  readonly ref: SymbolRef
}

const tiers: ReadonlyArray<Tier> = ["exact", "resolved", "inferred", "name"]
const weaker = (a: Tier, b: Tier): Tier => (tiers.indexOf(a) > tiers.indexOf(b) ? a : b)

const merged = (parts: ReadonlyArray<Part>): Freshness => {
  const all = parts.map(({ view }) => view.freshness)
  return {
    state: (["indexing", "stale"] as const).find((state) => all.some((f) => f.state === state)) ?? "fresh",
    stale_files: parts
      .flatMap(({ prefix, view }) => view.freshness.stale_files.map((path) => prefix + path))
      .slice(0, 50),
    head: all[0]?.head,
    checked_at: all.map((f) => f.checked_at).sort()[0] ?? ""
  }
}

/** The first part is the repository that is served. */
export const compose = (parts: ReadonlyArray<Part>): GraphView => {
  const [home] = parts
  if (home === undefined) throw new RangeError("no repository")
  if (parts.length === 1 && home.prefix === "") return home.view

  const up = (at: number, ref: SymbolRef): SymbolRef => at * span + ref
  const down = (ref: SymbolRef): Within => ({ at: Math.floor(ref / span), ref: ref % span })
  const viewAt = (at: number): GraphView => {
    const part = parts[at]
    if (part === undefined) throw new RangeError("a symbol of another view")
    return part.view
  }
  /** The part a path of the whole is in, and the path there. */
  const placeOf = (path: string): { readonly at: number; readonly path: string } => {
    for (let at = 0; at < parts.length; at++) {
      const { prefix } = parts[at]!
      if (prefix !== "" && path.startsWith(prefix)) return { at, path: path.slice(prefix.length) }
    }
    return { at: parts.findIndex(({ prefix }) => prefix === ""), path }
  }
  /** Asks the one view a path leads to. */
  const there = <A>(path: string, none: A, ask: (view: GraphView, path: string, at: number) => A): A => {
    const place = placeOf(path)
    return place.at < 0 ? none : ask(viewAt(place.at), place.path, place.at)
  }
  const ups = (at: number, refs: ReadonlyArray<SymbolRef>): ReadonlyArray<SymbolRef> =>
    refs.map((ref) => up(at, ref))
  const here = <A>(ref: SymbolRef, ask: (view: GraphView, ref: SymbolRef, at: number) => A): A => {
    const within = down(ref)
    return ask(viewAt(within.at), within.ref, within.at)
  }

  const edgeUp =
    (at: number) =>
    (edge: EdgeInfo): EdgeInfo => ({
      ...edge,
      from: up(at, edge.from),
      to: up(at, edge.to),
      path: parts[at]!.prefix + edge.path
    })
  const across = (user: number, giver: number, bridge: Bridge): EdgeInfo => ({
    from: up(user, bridge.from),
    to: up(giver, bridge.to),
    tier: bridge.tier,
    role: bridge.role,
    use: "unknown",
    path: parts[user]!.prefix + bridge.path,
    line: bridge.line,
    column: bridge.column,
    args: bridge.args,
    name: bridge.name
  })

  interface Crossings {
    readonly all: ReadonlyArray<EdgeInfo>
    /** By the handle of the whole they end at; uses of any definition of a symbol are those of all. */
    readonly into: ReadonlyMap<SymbolRef, ReadonlyArray<EdgeInfo>>
    /** By the file they start in. */
    readonly outOf: ReadonlyMap<string, ReadonlyArray<EdgeInfo>>
  }
  let known: Crossings | undefined
  const crossings = (): Crossings => {
    if (known !== undefined) return known
    const all: Array<EdgeInfo> = []
    const into = new Map<SymbolRef, Array<EdgeInfo>>()
    const outOf = new Map<string, Array<EdgeInfo>>()
    const put = <K>(map: Map<K, Array<EdgeInfo>>, key: K, edge: EdgeInfo) => {
      const list = map.get(key)
      if (list === undefined) map.set(key, [edge])
      else list.push(edge)
    }
    for (let user = 0; user < parts.length; user++) {
      for (let giver = 0; giver < parts.length; giver++) {
        if (user === giver) continue
        for (const bridge of bridges(parts[user]!, parts[giver]!)) {
          const edge = across(user, giver, bridge)
          all.push(edge)
          put(into, edge.to, edge)
          put(outOf, edge.path, edge)
        }
      }
    }
    known = { all, into, outOf }
    return known
  }

  const symbolUp = (at: number, info: SymbolInfo): SymbolInfo => {
    const path = parts[at]!.prefix + info.path
    return retold(info, {
      ref: up(at, info.ref),
      id: parts[at]!.prefix + info.id,
      path,
      ...(info.kind === "file" ? { qualified: path, signature: path } : {})
    })
  }
  const fileUp = (at: number, info: FileInfo): FileInfo => ({ ...info, path: parts[at]!.prefix + info.path })

  /** Whether a definition is another one, or lies inside it. */
  const inside = (outer: SymbolRef, inner: SymbolRef): boolean => {
    for (let ref: SymbolRef | undefined = inner; ref !== undefined; ref = parentOf(ref)) {
      if (ref === outer) return true
    }
    return false
  }
  const parentOf = (ref: SymbolRef): SymbolRef | undefined =>
    here(ref, (view, inner, at) => {
      const parent = view.parent(inner)
      return parent === undefined ? undefined : up(at, parent)
    })

  const byPlace = (a: EdgeInfo, b: EdgeInfo): number =>
    a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line || a.column - b.column

  const reach = (roots: ReadonlyArray<SymbolRef>, options: ReachOptions): Reached => {
    interface Found {
      readonly ref: SymbolRef
      readonly depth: number
      readonly tier: Tier
      /** The definition it uses. */
      readonly to: SymbolRef
    }
    const best = new Map<SymbolRef, Found>()
    const importers = new Set<SymbolRef>()
    let suppressed = 0
    let stopped = false
    interface Start {
      readonly ref: SymbolRef
      readonly depth: number
      readonly tier: Tier
    }
    let starts: ReadonlyArray<Start> = roots.map((ref) => ({ ref, depth: 0, tier: "exact" }))
    const rooted = new Set(roots)
    while (starts.length > 0 && !stopped) {
      const next: Array<Start> = []
      const groups = new Map<string, Array<Start>>()
      for (const start of starts) {
        const key = `${down(start.ref).at} ${start.depth} ${start.tier}`
        groups.set(key, [...(groups.get(key) ?? []), start])
      }
      for (const group of groups.values()) {
        const { depth, tier } = group[0]!
        const { at } = down(group[0]!.ref)
        const met: Array<Start> = [...group]
        if (depth < options.depth) {
          const reached = viewAt(at).reach(
            group.map(({ ref }) => down(ref).ref),
            { ...options, depth: options.depth - depth, most: Math.max(options.most - best.size, 1) }
          )
          suppressed += reached.suppressed
          stopped ||= reached.stopped
          if (depth === 0) for (const ref of reached.importers) importers.add(up(at, ref))
          reached.refs.forEach((inner, i) => {
            const ref = up(at, inner)
            const came = reached.cameFrom[i]!
            const to = came >= 0 ? up(at, reached.refs[came]!) : group[-1 - came]!.ref
            const found = {
              ref,
              depth: depth + reached.depths[i]!,
              tier: weaker(tier, reached.tiers[i]!),
              to
            }
            const old = best.get(ref)
            if (rooted.has(ref) || (old !== undefined && old.depth <= found.depth)) return
            best.set(ref, found)
            met.push(found)
          })
        }
        for (const { ref, depth: far, tier: sure } of met) {
          if (far >= options.depth) continue
          for (const edge of crossings().into.get(ref) ?? []) {
            if (edge.role === "import") {
              if (far === 0) importers.add(edge.from)
              continue
            }
            const old = best.get(edge.from)
            if (rooted.has(edge.from) || (old !== undefined && old.depth <= far + 1)) continue
            const found = { ref: edge.from, depth: far + 1, tier: weaker(sure, edge.tier), to: ref }
            best.set(edge.from, found)
            next.push(found)
          }
        }
      }
      starts = next
      if (best.size >= options.most) stopped = true
    }
    const rows = [...best.values()].sort((a, b) => a.depth - b.depth).slice(0, options.most)
    const places = new Map(rows.map(({ ref }, i) => [ref, i]))
    const rootPlaces = new Map(roots.map((ref, i) => [ref, i]))
    return {
      refs: rows.map(({ ref }) => ref),
      files: rows.map(({ ref }) => here(ref, (view, inner, at) => up(at, view.fileRef(view.pathOf(inner))!))),
      depths: rows.map(({ depth }) => depth),
      cameFrom: rows.map(({ to }) => places.get(to) ?? -1 - (rootPlaces.get(to) ?? 0)),
      tiers: rows.map(({ tier }) => tier),
      importers: [...importers],
      suppressed,
      stopped
    }
  }

  const resolve = (words: string): Resolution => {
    const place = placeOf(words.trim())
    const answers: Array<{ readonly at: number; readonly resolution: Resolution }> = []
    if (place.at >= 0 && parts[place.at]!.prefix !== "")
      answers.push({ at: place.at, resolution: viewAt(place.at).resolve(place.path) })
    else {
      for (let at = 0; at < parts.length; at++) {
        const resolution = viewAt(at).resolve(words)
        // What the served repository calls by just this path or id is meant.
        if (at === place.at && resolution.exact && /[/:]/.test(words)) {
          return {
            found: ups(at, resolution.found),
            exact: true,
            suggestions: []
          }
        }
        answers.push({ at, resolution })
      }
    }
    const found = answers.flatMap(({ at, resolution }) => ups(at, resolution.found))
    return {
      found,
      exact: found.length === 1 && answers.some(({ resolution }) => resolution.exact),
      suggestions:
        found.length > 0
          ? []
          : answers
              .flatMap(({ at, resolution }) => resolution.suggestions.map((id) => parts[at]!.prefix + id))
              .slice(0, 5)
    }
  }

  /** Path filters of the whole as those of one part; undefined when it is left out. */
  const pathsAt = (at: number, paths: ReadonlyArray<string>): ReadonlyArray<string> | undefined => {
    const { prefix } = parts[at]!
    if (paths.length === 0) return paths
    const out: Array<string> = []
    for (const path of paths) {
      if (prefix !== "" && (path === prefix || `${path}/` === prefix)) return []
      const place = placeOf(path)
      if (place.at === at) out.push(place.path)
    }
    return out.length === 0 ? undefined : out
  }

  const columns = lazy(() => joined(parts, crossings().all, { up, down }))
  const doubts = lazy(() => {
    const each = parts.map(({ view }) => view.doubts)
    const of = new Uint8Array(each.reduce((n, one) => n + one.of.length, 0))
    let at = 0
    for (const one of each) {
      of.set(one.of, at)
      at += one.of.length
    }
    return { of, bits: each[0]!.bits }
  })
  const unresolved = lazy((): UnresolvedUses => {
    const each = parts.map(({ view }) => view.unresolved())
    const reasons = Object.keys(each[0]!.counts) as ReadonlyArray<UnresolvedReason>
    const sum = (reason: UnresolvedReason) => each.reduce((n, one) => n + one.counts[reason], 0)
    return {
      counts: Object.fromEntries(reasons.map((reason) => [reason, sum(reason)])) as UnresolvedUses["counts"],
      rows: (reason, from, limit) => {
        const out: Array<UnresolvedUse> = []
        let skip = from
        each.forEach((one, at) => {
          const rows = one.rows(reason, skip, Math.max(limit - out.length, 0))
          for (const row of rows)
            out.push({
              ...row,
              path: parts[at]!.prefix + row.path,
              within: up(at, row.within),
              candidates: ups(at, row.candidates)
            })
          skip = Math.max(skip - one.counts[reason], 0)
        })
        return out
      }
    }
  })
  const counts = lazy(() => {
    const each = parts.map(({ view }) => view.counts)
    const sum = (key: keyof GraphView["counts"]) => each.reduce((n, one) => n + one[key], 0)
    return {
      files: sum("files"),
      indexed_files: sum("indexed_files"),
      symbols: sum("symbols"),
      edges: sum("edges") + crossings().all.length,
      unbound: sum("unbound")
    }
  })

  return {
    generation: parts.map(({ name, view }) => `${name}:${view.generation}`).join(" "),
    freshness: merged(parts),
    get counts() {
      return counts()
    },
    symbol: (ref) => here(ref, (view, inner, at) => symbolUp(at, view.symbol(inner))),
    isFile: (ref) => here(ref, (view, inner) => view.isFile(inner)),
    fileRef: (path) =>
      there(path, undefined as SymbolRef | undefined, (view, inner, at) => {
        const ref = view.fileRef(inner)
        return ref === undefined ? undefined : up(at, ref)
      }),
    file: (path) =>
      there(path, undefined as FileInfo | undefined, (view, inner, at) => {
        const info = view.file(inner)
        return info === undefined ? undefined : fileUp(at, info)
      }),
    files: () => parts.flatMap(({ view }, at) => view.files().map((info) => fileUp(at, info))),
    skipped: () => {
      const counts = new Map<string, number>()
      for (const { view } of parts)
        for (const [reason, count] of view.skipped()) counts.set(reason, (counts.get(reason) ?? 0) + count)
      return counts
    },
    definitions: (path) =>
      there(path, [] as ReadonlyArray<SymbolRef>, (view, inner, at) => ups(at, view.definitions(inner))),
    *all() {
      for (let at = 0; at < parts.length; at++) for (const ref of viewAt(at).all()) yield up(at, ref)
    },
    parent: parentOf,
    children: (ref) => here(ref, (view, inner, at) => ups(at, view.children(inner))),
    at: (path, line) =>
      there(path, undefined as SymbolRef | undefined, (view, inner, at) => {
        const ref = view.at(inner, line)
        return ref === undefined ? undefined : up(at, ref)
      }),
    resolve,
    named: (name) => parts.flatMap(({ view }, at) => ups(at, view.named(name))),
    search: (query) => {
      let total = 0
      let queryClass: ReturnType<GraphView["search"]>["query_class"] | undefined
      const matches: Array<SymbolMatch> = []
      for (let at = 0; at < parts.length; at++) {
        const paths = pathsAt(at, query.paths ?? [])
        if (paths === undefined) continue
        const part = viewAt(at).search({
          ...query,
          ...(paths.length === 0 ? { paths: undefined } : { paths })
        })
        total += part.total
        queryClass ??= part.query_class
        matches.push(...part.matches.map((match) => ({ ...match, ref: up(at, match.ref) })))
      }
      // Rows of one part keep their order; exact matches of any come before the rest.
      const order = ["exact", "prefix", "subword", "text", "fuzzy"]
      const placed = matches.map((match, i) => ({ match, i }))
      placed.sort(
        (a, b) =>
          Math.min(order.indexOf(a.match.match), 1) - Math.min(order.indexOf(b.match.match), 1) ||
          b.match.score - a.match.score ||
          a.i - b.i
      )
      return {
        matches: placed.slice(0, query.limit).map(({ match }) => match),
        total,
        query_class: queryClass ?? "symbol"
      }
    },
    incoming: (ref, from = () => true) => {
      const own = here(ref, (view, inner, at) =>
        view.incoming(inner, (path) => from(parts[at]!.prefix + path)).map(edgeUp(at))
      )
      const others = (crossings().into.get(ref) ?? []).filter(({ path }) => from(path))
      return others.length === 0 ? own : [...own, ...others].sort(byPlace)
    },
    incomingCount: (ref) =>
      here(ref, (view, inner) => view.incomingCount(inner)) + (crossings().into.get(ref)?.length ?? 0),
    // What a file uses of another repository is not part of what its own one knows, so no two are taken for the same.
    meaning: (path) =>
      there(path, undefined as object | undefined, (view, inner) => view.meaning(inner)) && {},
    outgoing: (ref) => {
      const own = here(ref, (view, inner, at) => view.outgoing(inner).map(edgeUp(at)))
      const { at, ref: inner } = down(ref)
      const others = (crossings().outOf.get(parts[at]!.prefix + viewAt(at).pathOf(inner)) ?? []).filter(
        (edge) => inside(ref, edge.from)
      )
      return others.length === 0 ? own : [...own, ...others].sort(byPlace)
    },
    above: (ref) =>
      here(ref, (view, inner, at) => view.above(inner).map((k) => ({ ...k, ref: up(at, k.ref) }))),
    below: (ref) =>
      here(ref, (view, inner, at) => view.below(inner).map((k) => ({ ...k, ref: up(at, k.ref) }))),
    members: (ref) => here(ref, (view, inner, at) => ups(at, view.members(inner))),
    unbound: (name, limit) => {
      let total = 0
      const sites: Array<UnboundSite> = []
      for (let at = 0; at < parts.length; at++) {
        const part = viewAt(at).unbound(name, Math.max(limit - sites.length, 0))
        total += part.total
        for (const site of part.sites)
          sites.push({ ...site, path: parts[at]!.prefix + site.path, within: up(at, site.within) })
      }
      return { total, sites }
    },
    unresolved: () => unresolved(),
    imports: (path) =>
      there(path, [] as ReturnType<GraphView["imports"]>, (view, inner, at) => {
        const crossing = crossings()
          .outOf.get(path)
          ?.filter(({ role }) => role === "import")
        return view.imports(inner).map((row) => {
          const targets = row.external
            ? (crossing ?? []).filter(
                (edge) => edge.line === row.line && edge.name === (row.local === "" ? row.name : row.local)
              )
            : []
          return targets.length > 0
            ? { ...row, targets: targets.map(({ to }) => to), external: false }
            : { ...row, targets: ups(at, row.targets) }
        })
      }),
    outside: (path) =>
      there(path, [] as ReturnType<GraphView["outside"]>, (view, inner, at) =>
        view.outside(inner).map((use) => ({ ...use, from: up(at, use.from) }))
      ),
    marks: (path) => {
      const of = (at: number, inner: string | undefined) =>
        viewAt(at)
          .marks(inner)
          .map((mark) => ({ ...mark, path: parts[at]!.prefix + mark.path, within: up(at, mark.within) }))
      return path === undefined
        ? parts.flatMap((_, at) => of(at, undefined))
        : there(path, [] as ReturnType<GraphView["marks"]>, (_, inner, at) => of(at, inner))
    },
    idOf: (ref) => here(ref, (view, inner, at) => parts[at]!.prefix + view.idOf(inner)),
    nameOf: (ref) => here(ref, (view, inner) => view.nameOf(inner)),
    pathOf: (ref) => here(ref, (view, inner, at) => parts[at]!.prefix + view.pathOf(inner)),
    isTest: (ref) => here(ref, (view, inner) => view.isTest(inner)),
    isCase: (ref) => here(ref, (view, inner) => view.isCase(inner)),
    get columns() {
      return columns()
    },
    get doubts() {
      return doubts()
    },
    reach,
    overriders: (ref) => here(ref, (view, inner, at) => ups(at, view.overriders(inner))),
    rank: (ref) => here(ref, (view, inner) => view.rank(inner)),
    parameters: (ref) => here(ref, (view, inner) => view.parameters(inner)),
    runner: (path) => there(path, undefined as string | undefined, (view, inner) => view.runner(inner))
  }
}

const lazy = <A>(make: () => A): (() => A) => {
  let value: A | undefined
  return () => (value ??= make())
}
