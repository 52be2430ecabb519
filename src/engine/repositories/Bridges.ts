/**
 * Uses in one repository of what another one defines. The evidence is the name of a package: what a file imports under
 * a name that another repository's manifest gives itself.
 */
import type { GraphView, OutsideUse, SymbolRef, Tier } from "../../services/CodeGraph.ts"
import { type Ecosystem, ecosystemOf, meant, type Package, subpathOf } from "./Packages.ts"

/** A repository as the others see it. */
export interface Side {
  readonly view: GraphView
  readonly packages: ReadonlyArray<Package>
}

/** One use. `from` and the place are of the using side, `to` of the other. */
export interface Bridge extends Pick<OutsideUse, "role" | "line" | "column" | "args" | "name"> {
  readonly from: SymbolRef
  readonly to: SymbolRef
  readonly path: string
  readonly tier: Tier
}

/** A module that names a package of the other side, and how far the package's name goes. */
interface Lead {
  readonly of: Package
  readonly subpath: string
}

const leadOf = (packages: ReadonlyArray<Package>, ecosystem: Ecosystem, module: string): Lead | undefined => {
  for (const of of packages) {
    if (of.ecosystem !== ecosystem) continue
    const subpath = subpathOf(of, module)
    if (subpath !== undefined) return { of, subpath }
  }
  return undefined
}

/** Views keep their functions while only their freshness is new. */
type Key = GraphView["symbol"]
const found = new WeakMap<Key, WeakMap<Key, ReadonlyArray<Bridge>>>()

/** Files of one ecosystem by the modules outside of the repository that they import, in the order of paths. */
type Outside = ReadonlyMap<Ecosystem, ReadonlyMap<string, ReadonlyArray<string>>>
const outsides = new WeakMap<Key, Outside>()

/** Whoever gives something is asked about these modules alone, however many files there are. */
const outsideOf = (view: GraphView): Outside => {
  const known = outsides.get(view.symbol)
  if (known !== undefined) return known
  const all = new Map<Ecosystem, Map<string, Array<string>>>()
  for (const { language, path, skipped } of view.files()) {
    const ecosystem = skipped === undefined ? ecosystemOf(language) : undefined
    if (ecosystem === undefined) continue
    let modules = all.get(ecosystem)
    if (modules === undefined) all.set(ecosystem, (modules = new Map()))
    for (const { external, module } of view.imports(path)) {
      if (!external) continue
      const files = modules.get(module)
      if (files === undefined) modules.set(module, [path])
      else if (files.at(-1) !== path) files.push(path)
    }
  }
  outsides.set(view.symbol, all)
  return all
}

const look = (user: Side, giver: Side): ReadonlyArray<Bridge> => {
  const leads = new Map<Ecosystem, Map<string, Lead>>()
  /** Files that import a package of the giver. */
  const files = new Map<string, Ecosystem>()
  for (const [ecosystem, modules] of outsideOf(user.view)) {
    const packages = giver.packages.filter((one) => one.ecosystem === ecosystem)
    if (packages.length === 0) continue
    const found = new Map<string, Lead>()
    leads.set(ecosystem, found)
    for (const [module, paths] of modules) {
      const lead = leadOf(packages, ecosystem, module)
      if (lead === undefined) continue
      found.set(module, lead)
      for (const path of paths) files.set(path, ecosystem)
    }
  }
  const out: Array<Bridge> = []
  for (const [path, ecosystem] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const own = leads.get(ecosystem)!
    const file = user.view.fileRef(path)!
    for (const { external, line, local, module, name } of user.view.imports(path)) {
      const way = external && name !== "" ? own.get(module) : undefined
      if (way === undefined) continue
      const target = meant(giver.view, way.of, way.subpath, { imported: name, members: [] })
      if (target !== undefined)
        out.push({
          from: file,
          to: target.ref,
          tier: target.tier,
          path,
          role: "import",
          line,
          column: 0,
          args: -1,
          name: local === "" ? name : local
        })
    }
    for (const use of user.view.outside(path)) {
      const way = own.get(use.module)
      if (way === undefined) continue
      const target = meant(giver.view, way.of, way.subpath, use)
      if (target === undefined) continue
      const { args, column, from, line, name, role } = use
      out.push({ from, to: target.ref, tier: target.tier, path, role, line, column, args, name })
    }
  }
  return out
}

/** What one side uses of the other, in the order of paths and lines; kept as long as both views. */
export const bridges = (user: Side, giver: Side): ReadonlyArray<Bridge> => {
  let known = found.get(user.view.symbol)
  if (known === undefined) found.set(user.view.symbol, (known = new WeakMap()))
  let list = known.get(giver.view.symbol)
  if (list === undefined) known.set(giver.view.symbol, (list = look(user, giver)))
  return list
}
