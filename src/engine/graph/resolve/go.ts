/**
 * Go: a package is the files of one directory that name it; import paths are found through go.mod module paths,
 * `replace` directives that point inside, and vendor folders.
 */
import { isWithin } from "../../../registry/Place.ts"
import { D, I } from "../../languages/Facts.ts"
import { Flag, ImportFlag } from "../../languages/Vocabulary.ts"
import { dirOf, joinPath, type Node, nodeOf, type WorldFile } from "../World.ts"
import type { Family } from "./Family.ts"
import type { Resolver } from "./Resolver.ts"
import { type Found, nothing, outside, packageValue } from "./Value.ts"

const universe = [
  "any",
  "bool",
  "byte",
  "comparable",
  "complex64",
  "complex128",
  "error",
  "float32",
  "float64",
  "int",
  "int8",
  "int16",
  "int32",
  "int64",
  "rune",
  "string",
  "uint",
  "uint8",
  "uint16",
  "uint32",
  "uint64",
  "uintptr",
  "true",
  "false",
  "iota",
  "nil",
  "append",
  "cap",
  "clear",
  "close",
  "complex",
  "copy",
  "delete",
  "imag",
  "len",
  "make",
  "max",
  "min",
  "new",
  "panic",
  "print",
  "println",
  "real",
  "recover"
]

interface Package {
  readonly id: number
  readonly dir: string
  readonly name: number
  readonly files: Array<WorldFile>
  scope: Map<number, Array<Node>> | undefined
}

export const go = (resolver: Resolver): Family => {
  const { world } = resolver
  const { names } = world
  const predeclared = new Set(universe.map((n) => names.string(n)))

  const packages: Array<Package> = []
  const byDir = new Map<string, Array<Package>>()
  const packageOf = new Map<number, Package>()
  for (const file of world.files) {
    if (file === undefined || file.language.family !== "go") continue
    let here = byDir.get(file.dir)
    if (here === undefined) byDir.set(file.dir, (here = []))
    let found = here.find((p) => p.name === file.view.package)
    if (found === undefined) {
      found = { id: packages.length, dir: file.dir, name: file.view.package, files: [], scope: undefined }
      packages.push(found)
      here.push(found)
    }
    found.files.push(file)
    packageOf.set(file.id, found)
  }

  const roots: Array<readonly [prefix: string, dir: string]> = []
  for (const path of world.configs("go.mod")) {
    const text = world.readConfig(path)
    if (text === undefined) continue
    const dir = dirOf(path)
    const module = /^\s*module\s+"?([^\s"]+)"?/m.exec(text)?.[1]
    if (module !== undefined) roots.push([module, dir])
    for (const [, from, to] of text.matchAll(
      /^\s*(?:replace\s+)?(\S+)(?:\s+v\S+)?\s*=>\s*(\.{1,2}\/?\S*)/gm
    )) {
      const target = joinPath(dir, to!)
      if (target !== undefined) roots.push([from!, target])
    }
  }
  roots.sort((a, b) => b[0].length - a[0].length)

  /** Folders that hold a vendor folder with packages, deepest first. */
  const vendors = [
    ...new Set(
      [...byDir.keys()].flatMap((dir) => {
        const at = dir === "vendor" || dir.startsWith("vendor/") ? 0 : dir.indexOf("/vendor/") + 1
        return at === 0 && !dir.startsWith("vendor") ? [] : [dir.slice(0, Math.max(0, at - 1))]
      })
    )
  ].sort((a, b) => b.length - a.length)

  const dirs = new Map<string, string | undefined>()
  const findDir = (from: string, path: string): string | undefined => {
    for (const [prefix, root] of roots) {
      if (!isWithin(path, prefix)) continue
      const at = joinPath(root, path.slice(prefix.length))
      if (at !== undefined && byDir.has(at)) return at
    }
    for (const vendor of vendors) {
      if (!isWithin(from, vendor)) continue
      const at = `${vendor === "" ? "" : `${vendor}/`}vendor/${path}`
      if (byDir.has(at)) return at
    }
    // The standard library has no go.mod of its own import paths above it: its folders are its import paths.
    const standard = roots.find(([prefix]) => prefix === "std")
    const inside = standard === undefined ? undefined : joinPath(standard[1], path)
    return inside !== undefined && byDir.has(inside) ? inside : undefined
  }
  const dirOfImport = (from: string, path: string): string | undefined => {
    const key = vendors.length === 0 ? path : `${from}\n${path}`
    if (!dirs.has(key)) dirs.set(key, findDir(from, path))
    return dirs.get(key)
  }
  /** The package an import path names: never an external test package, and never `main` when there is another. */
  const importedPackage = (dir: string): Package | undefined => {
    const here = byDir.get(dir)
    if (here === undefined) return undefined
    const library = here.filter((p) => !names.text(p.name).endsWith("_test"))
    return library.find((p) => names.text(p.name) !== "main") ?? library[0]
  }
  const inModule = (path: string) => roots.some(([prefix]) => isWithin(path, prefix))

  const scopeOf = (pack: Package): Map<number, Array<Node>> => {
    if (pack.scope !== undefined) return pack.scope
    const scope = (pack.scope = new Map<number, Array<Node>>())
    for (const file of pack.files) {
      for (const [name, definitions] of resolver.fileScope(file)) {
        const list = scope.get(name)
        const nodes = definitions.map((i) => nodeOf(file.id, i))
        if (list === undefined) scope.set(name, nodes)
        else list.push(...nodes)
      }
    }
    return scope
  }
  const lookup = (pack: Package, name: number): Found => {
    const nodes = scopeOf(pack).get(name)
    return nodes === undefined ? nothing : resolver.found(nodes)
  }

  const packageMember = (id: number, name: number): Found => {
    const pack = packages[id]
    if (pack === undefined) return nothing
    const nodes = (scopeOf(pack).get(name) ?? []).filter(
      (n) => (resolver.def(n, D.flags) & Flag.exported) !== 0
    )
    return nodes.length === 0 ? nothing : resolver.found(nodes)
  }

  /** Packages a file imports under their own name, which may differ from the last part of the path, and those it dots in. */
  const importTables = new Map<
    number,
    { readonly named: ReadonlyMap<number, number>; readonly dots: ReadonlyArray<number> }
  >()
  const importsOf = (file: WorldFile) => {
    let table = importTables.get(file.id)
    if (table === undefined) {
      const named = new Map<number, number>()
      const dots: Array<number> = []
      for (let i = 0; i < file.view.importCount; i++) {
        const flags = file.view.import(i, I.flags)
        if ((flags & ImportFlag.sideEffect) !== 0) continue
        const dir = dirOfImport(file.dir, names.text(file.view.import(i, I.module)))
        const imported = dir === undefined ? undefined : importedPackage(dir)
        if (imported === undefined) continue
        if ((flags & ImportFlag.wildcard) !== 0) dots.push(imported.id)
        else named.set(imported.name, imported.id)
      }
      importTables.set(file.id, (table = { named, dots }))
    }
    return table
  }

  return {
    importTarget: (file, index) => {
      const path = names.text(file.view.import(index, I.module))
      const dir = dirOfImport(file.dir, path)
      if (dir === undefined) return inModule(path) ? nothing : outside
      const pack = importedPackage(dir)
      return pack === undefined ? nothing : { nodes: [], value: packageValue(pack.id) }
    },
    free: (file, name) => {
      const pack = packageOf.get(file.id)
      if (pack === undefined) return nothing
      const here = lookup(pack, name)
      if (here.nodes.length > 0) return here
      const more = importsOf(file)
      const imported = more.named.get(name)
      if (imported !== undefined) return { nodes: [], value: packageValue(imported) }
      for (const id of more.dots) {
        const found = packageMember(id, name)
        if (found.nodes.length > 0) return found
      }
      return predeclared.has(name) ? outside : nothing
    },
    moduleMember: () => nothing,
    packageMember
  }
}
