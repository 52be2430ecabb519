/**
 * Uses in one repository of what another one defines. The evidence is the name of a package: what a file imports under
 * a name that another repository's manifest gives itself.
 */
import type { GraphView, OutsideUse, SymbolRef, Tier } from "../../services/CodeGraph.ts"
import { ecosystemOf, meant, type Package, subpathOf } from "./Packages.ts"

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

const leadOf = (packages: ReadonlyArray<Package>, language: string | undefined, module: string) => {
  const ecosystem = ecosystemOf(language)
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

const look = (user: Side, giver: Side): ReadonlyArray<Bridge> => {
  if (giver.packages.length === 0) return []
  const out: Array<Bridge> = []
  for (const { language, path, skipped } of user.view.files()) {
    if (skipped !== undefined || ecosystemOf(language) === undefined) continue
    const leads = new Map<string, Lead | undefined>()
    const lead = (module: string): Lead | undefined => {
      if (!leads.has(module)) leads.set(module, leadOf(giver.packages, language, module))
      return leads.get(module)
    }
    const imports = user.view.imports(path).filter(({ external, module }) => external && lead(module))
    if (imports.length === 0) continue
    const file = user.view.fileRef(path)!
    for (const { line, local, module, name } of imports) {
      const { of, subpath } = lead(module)!
      const wanted = name === "" ? undefined : name
      if (wanted === undefined) continue
      const target = meant(giver.view, of, subpath, { imported: wanted, members: [] })
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
          name: local === "" ? wanted : local
        })
    }
    for (const use of user.view.outside(path)) {
      const way = lead(use.module)
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
