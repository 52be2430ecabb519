/**
 * JavaScript and TypeScript: modules are files, found by relative paths, tsconfig `paths`, package.json `imports`,
 * `exports` and workspace names. Scripts without imports or exports share one global scope.
 */
import { parse as parseJsonc } from "jsonc-parser"
import { D, E, type FactsView, I } from "../../languages/Facts.ts"
import { Flag, ImportFlag } from "../../languages/Vocabulary.ts"
import { dirOf, fileOf, joinPath, type Node, nodeOf, type WorldFile } from "../World.ts"
import type { Family } from "./Family.ts"
import type { Resolver } from "./Resolver.ts"
import { type Found, moduleValue, nothing, outside } from "./Value.ts"

const extensions = [
  ".ts",
  ".tsx",
  ".mts",
  ".cts",
  ".d.ts",
  ".js",
  ".jsx",
  ".mjs",
  ".cjs",
  ".d.mts",
  ".d.cts",
  ".vue",
  ".svelte"
]
const asWritten: { readonly [extension: string]: ReadonlyArray<string> } = {
  ".js": [".ts", ".tsx", ".d.ts", ".js", ".jsx"],
  ".jsx": [".tsx", ".d.ts", ".jsx"],
  ".mjs": [".mts", ".d.mts", ".mjs"],
  ".cjs": [".cts", ".d.cts", ".cjs"]
}

interface Mapping {
  readonly dir: string
  readonly baseUrl: string | undefined
  readonly paths: ReadonlyArray<readonly [pattern: string, targets: ReadonlyArray<string>]>
}
interface Package {
  readonly dir: string
  readonly name: string | undefined
  readonly json: { readonly [key: string]: unknown }
}

const record = (value: unknown): { readonly [key: string]: unknown } | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as { readonly [key: string]: unknown })
    : undefined

/** What `*` stands for when the pattern matches, "" for a pattern without one, undefined otherwise. */
const star = (pattern: string, text: string): string | undefined => {
  const at = pattern.indexOf("*")
  if (at < 0) return pattern === text ? "" : undefined
  const end = pattern.slice(at + 1)
  return text.length >= pattern.length - 1 && text.startsWith(pattern.slice(0, at)) && text.endsWith(end)
    ? text.slice(at, text.length - end.length)
    : undefined
}

/** What a file puts into the global scope: all of a script, the ambient declarations of a module. */
const sharedBy = (view: FactsView): "everything" | "ambient" | "nothing" => {
  let shared = shares.get(view)
  if (shared === undefined) {
    let ambient = false
    let script = view.importCount === 0 && view.exportCount === 0
    for (let i = 0, n = view.definitionCount; i < n; i++) {
      const flags = view.def(i, D.flags)
      if ((flags & Flag.ambient) !== 0) ambient = true
      if (view.def(i, D.parent) === -1 && (flags & (Flag.exported | Flag.defaultExport)) !== 0) script = false
    }
    shares.set(view, (shared = script ? "everything" : ambient ? "ambient" : "nothing"))
  }
  return shared
}
const shares = new WeakMap<FactsView, "everything" | "ambient" | "nothing">()

export const ecmascript = (resolver: Resolver): Family => {
  const { world } = resolver
  const { names } = world
  const defaultName = names.string("default")
  const starName = names.string("*")

  const readJson = (path: string) => {
    const text = world.readConfig(path)
    return text === undefined ? undefined : record(parseJsonc(text, [], { allowTrailingComma: true }))
  }

  // ---- packages and path mappings ---------------------------------------------------------------

  const packages = new Map<string, Package>()
  const byName = new Map<string, Package>()
  for (const path of world.configs("package.json")) {
    const json = readJson(path)
    if (json === undefined) continue
    const found: Package = {
      dir: dirOf(path),
      name: typeof json["name"] === "string" ? json["name"] : undefined,
      json
    }
    packages.set(found.dir, found)
    if (found.name !== undefined && !byName.has(found.name)) byName.set(found.name, found)
  }
  const mappings = new Map<string, Mapping>()
  const readMapping = (path: string, seen: Set<string>): Mapping | undefined => {
    if (seen.has(path)) return undefined
    seen.add(path)
    const json = readJson(path)
    if (json === undefined) return undefined
    const dir = dirOf(path)
    let inherited: Mapping | undefined
    const bases =
      typeof json["extends"] === "string"
        ? [json["extends"]]
        : Array.isArray(json["extends"])
          ? json["extends"]
          : []
    for (const base of bases) {
      if (typeof base !== "string" || !base.startsWith(".")) continue
      const target = joinPath(dir, base)
      if (target === undefined) continue
      inherited = readMapping(target.endsWith(".json") ? target : `${target}.json`, seen) ?? inherited
    }
    const options = record(json["compilerOptions"])
    const base =
      typeof options?.["baseUrl"] === "string" ? joinPath(dir, options["baseUrl"]) : inherited?.baseUrl
    const paths = record(options?.["paths"])
    const from = typeof options?.["baseUrl"] === "string" ? (base ?? dir) : dir
    return {
      dir,
      baseUrl: base,
      paths:
        paths === undefined
          ? (inherited?.paths ?? [])
          : Object.entries(paths).map(([pattern, targets]) => [
              pattern,
              (Array.isArray(targets) ? targets : []).flatMap((t) => {
                const at = typeof t === "string" ? joinPath(from, t) : undefined
                return at === undefined ? [] : [at]
              })
            ])
    }
  }
  for (const base of ["jsconfig.json", "tsconfig.base.json", "tsconfig.json"]) {
    for (const path of world.configs(base)) {
      const found = readMapping(path, new Set())
      if (found !== undefined && (found.baseUrl !== undefined || found.paths.length > 0))
        mappings.set(found.dir, found)
    }
  }
  const nearest = <A>(table: Map<string, A>, dir: string): A | undefined => {
    for (let at = dir; ; at = dirOf(at)) {
      const found = table.get(at)
      if (found !== undefined) return found
      if (at === "") return undefined
    }
  }

  // ---- files ------------------------------------------------------------------------------------

  const asFile = (path: string): number => {
    const dot = path.lastIndexOf(".")
    const written = dot > path.lastIndexOf("/") ? asWritten[path.slice(dot)] : undefined
    if (written !== undefined) {
      for (const extension of written) {
        const file = world.fileAt(path.slice(0, dot) + extension)
        if (file >= 0) return file
      }
    }
    const exact = world.fileAt(path)
    if (exact >= 0) return exact
    for (const extension of extensions) {
      const file = world.fileAt(path + extension)
      if (file >= 0) return file
    }
    return -1
  }
  const asModule = (path: string): number => {
    const file = path === "" ? -1 : asFile(path)
    if (file >= 0) return file
    const pack = packages.get(path)
    if (pack !== undefined) {
      const entry = entryOf(pack, ".")
      if (entry >= 0) return entry
    }
    return asFile(path === "" ? "index" : `${path}/index`)
  }
  const conditions = ["source", "types", "import", "module", "node", "default", "require", "browser"]
  const targetOf = (value: unknown): ReadonlyArray<string> => {
    if (typeof value === "string") return [value]
    if (Array.isArray(value)) return value.flatMap(targetOf)
    const table = record(value)
    if (table === undefined) return []
    const known = conditions.flatMap((c) => (c in table ? targetOf(table[c]) : []))
    // Conditions of a project's own usually name its sources.
    return [
      ...Object.keys(table)
        .filter((c) => !conditions.includes(c))
        .flatMap((c) => targetOf(table[c])),
      ...known
    ]
  }
  /** A built file stands for the source it is made from, when only that is indexed. */
  const sourceOf = (path: string): number => {
    const direct = asFile(path)
    if (direct >= 0) return direct
    const moved = path.replace(
      /(^|\/)(?:dist|lib|build|out|es|esm|cjs|dist\/esm|dist\/cjs|build\/esm|build\/cjs|dist\/dts|build\/dts|dist\/types)\//,
      "$1src/"
    )
    if (moved === path) return -1
    const bare = moved.replace(/\.d\.([mc]?ts)$/, ".$1").replace(/\.([mc]?)js$/, ".$1js")
    const file = asFile(bare)
    return file >= 0 ? file : asFile(bare.replace(/\.[mc]?[jt]sx?$/, ""))
  }
  const entries = new Map<string, number>()
  const entryOf = (pack: Package, subpath: string): number => {
    const key = `${pack.dir}\n${subpath}`
    const known = entries.get(key)
    if (known !== undefined) return known
    entries.set(key, -1)
    const file = findEntry(pack, subpath)
    entries.set(key, file)
    return file
  }
  const tryTargets = (pack: Package, targets: ReadonlyArray<string>, part: string): number => {
    for (const target of targets) {
      const path = joinPath(pack.dir, target.replaceAll("*", part))
      const file = path === undefined ? -1 : sourceOf(path)
      if (file >= 0) return file
    }
    return -1
  }
  const findEntry = (pack: Package, subpath: string): number => {
    const { exports } = pack.json
    const table = record(exports)
    if (exports !== undefined) {
      if (table === undefined || Object.keys(table).every((k) => !k.startsWith("."))) {
        const file = subpath === "." ? tryTargets(pack, targetOf(exports), "") : -1
        if (file >= 0) return file
      } else {
        for (const [pattern, value] of Object.entries(table)) {
          const part = star(pattern, subpath)
          if (part === undefined) continue
          const file = tryTargets(pack, targetOf(value), part)
          if (file >= 0) return file
        }
      }
    }
    if (subpath === ".") {
      for (const field of ["source", "types", "typings", "module", "main"]) {
        const value = pack.json[field]
        const file = typeof value === "string" ? tryTargets(pack, [value], "") : -1
        if (file >= 0) return file
      }
      for (const guess of ["index", "src/index", "lib/index"]) {
        const file = asFile(joinPath(pack.dir, guess) ?? guess)
        if (file >= 0) return file
      }
      return -1
    }
    const path = joinPath(pack.dir, subpath)
    const direct = path === undefined ? -1 : asModule(path)
    if (direct >= 0) return direct
    const inSource = joinPath(pack.dir, `src/${subpath.slice(2)}`)
    return inSource === undefined ? -1 : asModule(inSource)
  }

  const modules = new Map<string, Map<string, number>>()
  const outsideModule = -2
  /** File of a module as written in a file; -1 when it should be here and is not, -2 when it lies outside. */
  const moduleOf = (dir: string, specifier: string): number => {
    let here = modules.get(dir)
    if (here === undefined) modules.set(dir, (here = new Map()))
    let file = here.get(specifier)
    if (file === undefined) here.set(specifier, (file = findModule(dir, specifier)))
    return file
  }
  const findModule = (dir: string, written: string): number => {
    const query = written.indexOf("?")
    const specifier = query > 0 ? written.slice(0, query) : written
    if (
      specifier.startsWith("./") ||
      specifier.startsWith("../") ||
      specifier === "." ||
      specifier === ".."
    ) {
      const path = joinPath(dir, specifier)
      return path === undefined ? outsideModule : asModule(path)
    }
    if (specifier.startsWith("/")) return asModule(specifier.slice(1))
    if (specifier.startsWith("#")) {
      const pack = nearest(packages, dir)
      for (const [pattern, value] of Object.entries(record(pack?.json["imports"]) ?? {})) {
        const part = star(pattern, specifier)
        const file = part === undefined || pack === undefined ? -1 : tryTargets(pack, targetOf(value), part)
        if (file >= 0) return file
      }
    }
    const mapping = nearest(mappings, dir)
    if (mapping !== undefined) {
      for (const [pattern, targets] of mapping.paths) {
        const part = star(pattern, specifier)
        if (part === undefined) continue
        for (const target of targets) {
          const file = asModule(target.replace("*", part))
          if (file >= 0) return file
        }
      }
      if (mapping.baseUrl !== undefined) {
        const path = joinPath(mapping.baseUrl, specifier)
        const file = path === undefined ? -1 : asModule(path)
        if (file >= 0) return file
      }
    }
    const parts = specifier.split("/")
    const name = specifier.startsWith("@") ? parts.slice(0, 2).join("/") : parts[0]!
    const pack = byName.get(name)
    if (pack !== undefined) {
      const rest = specifier.slice(name.length)
      const file = entryOf(pack, rest === "" ? "." : `.${rest}`)
      if (file >= 0) return file
    }
    // Bundlers commonly map "@/" and "~/" to the source folder.
    if (specifier.startsWith("@/") || specifier.startsWith("~/")) {
      const near = nearest(packages, dir)
      for (const base of [near === undefined ? "src" : joinPath(near.dir, "src"), near?.dir ?? ""]) {
        const path = base === undefined ? undefined : joinPath(base, specifier.slice(2))
        const file = path === undefined ? -1 : asModule(path)
        if (file >= 0) return file
      }
    }
    return outsideModule
  }

  // ---- names of modules -------------------------------------------------------------------------

  interface Exports {
    readonly byName: ReadonlyMap<number, ReadonlyArray<number>>
    readonly stars: ReadonlyArray<number>
  }
  const exportTables = new Map<number, Exports>()
  const exportsOf = (file: WorldFile): Exports => {
    let table = exportTables.get(file.id)
    if (table === undefined) {
      const byName = new Map<number, Array<number>>()
      const stars: Array<number> = []
      for (let i = 0; i < file.view.exportCount; i++) {
        const name = file.view.export(i, E.exported)
        if (name === starName) stars.push(i)
        else {
          const list = byName.get(name)
          if (list === undefined) byName.set(name, [i])
          else list.push(i)
        }
      }
      exportTables.set(file.id, (table = { byName, stars }))
    }
    return table
  }
  const importByLocal = new Map<number, Map<number, number>>()
  const importNamed = (file: WorldFile, local: number): number => {
    let table = importByLocal.get(file.id)
    if (table === undefined) {
      table = new Map()
      for (let i = file.view.importCount - 1; i >= 0; i--) table.set(file.view.import(i, I.local), i)
      importByLocal.set(file.id, table)
    }
    return table.get(local) ?? -1
  }
  const nodesOf = (file: WorldFile, definitions: ReadonlyArray<number>): ReadonlyArray<Node> =>
    definitions.map((i) => nodeOf(file.id, i))

  const reexported = (file: WorldFile, index: number, name: number, seen: Set<number>): Found => {
    const module = moduleOf(file.dir, names.text(file.view.export(index, E.from)))
    if (module < 0) return module === outsideModule ? outside : nothing
    return name === 0 ? whole(module) : moduleMember(module, name, seen)
  }
  const whole = (file: number): Found => ({ nodes: [nodeOf(file, -1)], value: moduleValue(file) })

  const members = new Map<number, Found>()
  const moduleMember = (id: number, name: number, seen?: Set<number>): Found => {
    // Inside a chain of re-exports an answer may be cut short by the guard against cycles, so only whole ones are kept.
    if (seen !== undefined) return findMember(id, name, seen)
    const key = id * 0x400000 + name
    let known = members.get(key)
    if (known === undefined) members.set(key, (known = findMember(id, name, new Set())))
    return known
  }
  const findMember = (id: number, name: number, seen: Set<number>): Found => {
    const file = world.files[id]
    if (file === undefined || seen.has(id)) return nothing
    seen.add(id)
    const { view } = file
    const scope = resolver.fileScope(file)
    if (name === defaultName) {
      for (let i = 0; i < view.definitionCount; i++) {
        if ((view.def(i, D.flags) & Flag.defaultExport) !== 0) {
          const same = scope.get(view.def(i, D.name))
          return resolver.found(
            resolver.narrow(same?.includes(i) ? nodesOf(file, same) : [nodeOf(id, i)], -1)
          )
        }
      }
    }
    const table = exportsOf(file)
    for (const i of table.byName.get(name) ?? []) {
      const definition = view.export(i, E.definition)
      if (definition >= 0) {
        const same = scope.get(view.def(definition, D.name))
        return resolver.found(
          resolver.narrow(same?.includes(definition) ? nodesOf(file, same) : [nodeOf(id, definition)], -1)
        )
      }
      if (view.export(i, E.from) !== 0) return reexported(file, i, view.export(i, E.imported), seen)
      const local = view.export(i, E.local)
      const definitions = scope.get(local)
      if (definitions !== undefined) return resolver.found(nodesOf(file, definitions))
      const at = importNamed(file, local)
      if (at >= 0) return resolver.imported(file, at)
    }
    const own = (scope.get(name) ?? []).filter((i) => (view.def(i, D.flags) & Flag.exported) !== 0)
    if (own.length > 0) return resolver.found(nodesOf(file, own))
    // An import that is published as it comes in.
    const at = importNamed(file, name)
    if (at >= 0 && (view.import(at, I.flags) & ImportFlag.reexport) !== 0) return resolver.imported(file, at)
    let open = false
    if (name !== defaultName) {
      for (const i of table.stars) {
        const found = reexported(file, i, name, seen)
        if (found.nodes.length > 0) return found
        open ||= found.value !== undefined
      }
    }
    return open ? outside : nothing
  }

  /** What `require` of a module gives when it exports one value. */
  const moduleItself = (id: number): Found => moduleMember(id, defaultName)

  // ---- global scope of scripts ------------------------------------------------------------------

  let globals: Map<number, Array<Node>> | undefined
  const globalScope = () => {
    if (globals !== undefined) return globals
    globals = new Map()
    for (const file of world.files) {
      if (file === undefined || file.language.family !== "ecmascript") continue
      const { view } = file
      const shared = sharedBy(view)
      if (shared === "nothing") continue
      for (const [name, definitions] of resolver.fileScope(file)) {
        for (const i of definitions) {
          if (shared === "ambient" && (view.def(i, D.flags) & Flag.ambient) === 0) continue
          const list = globals.get(name)
          if (list === undefined) globals.set(name, [nodeOf(file.id, i)])
          else list.push(nodeOf(file.id, i))
        }
      }
    }
    return globals
  }

  return {
    importTarget: (file, index) => {
      const { view } = file
      const module = moduleOf(file.dir, names.text(view.import(index, I.module)))
      if (module < 0) return module === outsideModule ? outside : nothing
      const flags = view.import(index, I.flags)
      if ((flags & (ImportFlag.namespace | ImportFlag.sideEffect | ImportFlag.wildcard)) !== 0)
        return whole(module)
      const imported = (flags & ImportFlag.default) !== 0 ? defaultName : view.import(index, I.imported)
      if (imported === 0) return whole(module)
      const found = moduleMember(module, imported)
      // A default import of a CommonJS module is the module.
      return found.nodes.length === 0 && found.value === undefined && imported === defaultName
        ? whole(module)
        : found
    },
    free: (file, name) => {
      // What no scope, import, script or ambient declaration gives is a global of the platform.
      const nodes = (globalScope().get(name) ?? []).filter((n) => fileOf(n) !== file.id)
      return nodes.length === 0 ? outside : nodes.length > 4 ? nothing : resolver.found(nodes)
    },
    moduleMember,
    moduleItself,
    forget: () => members.clear()
  }
}
