/**
 * Python: modules are files and packages directories; absolute names are looked for from every source root, the
 * top-most directory without an `__init__` above a file being one.
 */
import { I } from "../../languages/Facts.ts"
import { ImportFlag } from "../../languages/Vocabulary.ts"
import { dirOf, nodeOf, type WorldFile } from "../World.ts"
import type { Family } from "./Family.ts"
import type { Resolver } from "./Resolver.ts"
import { type Found, moduleValue, nothing, outside, packageValue } from "./Value.ts"

export const python = (resolver: Resolver): Family => {
  const { world } = resolver
  const { names } = world

  const roots: Array<string> = []
  const addRoot = (dir: string) => {
    if (!roots.includes(dir)) roots.push(dir)
  }
  const initAt = (dir: string): number => {
    for (const name of ["__init__.py", "__init__.pyi"]) {
      const file = world.fileAt(dir === "" ? name : `${dir}/${name}`)
      if (file >= 0) return file
    }
    return -1
  }
  const rootOf = new Map<string, string>()
  const sourceRoot = (dir: string): string => {
    let root = rootOf.get(dir)
    if (root === undefined) {
      root = dir
      while (root !== "" && initAt(root) >= 0) root = dirOf(root)
      rootOf.set(dir, root)
    }
    return root
  }
  addRoot("")
  for (const file of world.files) if (file?.language.family === "python") addRoot(sourceRoot(file.dir))

  // Directories that hold Python files stand for namespace packages; their number is their place here.
  const dirs: Array<string> = []
  const dirNumber = new Map<string, number>()
  const packageBase = 1 << 24
  const namespace = (dir: string): Found => {
    let id = dirNumber.get(dir)
    if (id === undefined) {
      id = dirs.length
      dirs.push(dir)
      dirNumber.set(dir, id)
    }
    return { nodes: [], value: packageValue(packageBase + id) }
  }
  const pythonDirs = new Set<string>()
  for (const file of world.files) {
    if (file?.language.family !== "python") continue
    for (let dir = file.dir; !pythonDirs.has(dir); dir = dirOf(dir)) {
      pythonDirs.add(dir)
      if (dir === "") break
    }
  }

  const whole = (file: number): Found => ({ nodes: [nodeOf(file, -1)], value: moduleValue(file) })
  const under = (dir: string, part: string): Found => {
    const path = dir === "" ? part : `${dir}/${part}`
    const init = initAt(path)
    if (init >= 0) return whole(init)
    for (const extension of [".py", ".pyi"]) {
      const file = world.fileAt(path + extension)
      if (file >= 0) return whole(file)
    }
    return pythonDirs.has(path) ? namespace(path) : nothing
  }
  /** The directory whose parts a module's submodules are, or undefined for a plain module. */
  const dirOfModule = (file: WorldFile): string | undefined =>
    /(^|\/)__init__\.pyi?$/.test(file.path) ? file.dir : undefined

  const walk = (start: Found, parts: ReadonlyArray<string>): Found => {
    let at = start
    for (const part of parts) {
      const value = at.value
      if (value === undefined) return nothing
      const name = names.string(part)
      at =
        value.tag === 3
          ? moduleMember(value.node, name)
          : value.tag === 4
            ? packageMember(value.node, name)
            : nothing
      if (at.nodes.length === 0 && at.value === undefined) return nothing
    }
    return at
  }
  const absolute = new Map<string, Found>()
  const absoluteModule = (from: string, module: string): Found => {
    const root = sourceRoot(from)
    const key = `${root}\n${module}`
    let found = absolute.get(key)
    if (found === undefined) {
      const parts = module.split(".")
      found = nothing
      for (const base of [root, ...roots]) {
        const first = under(base, parts[0]!)
        if (first.value === undefined) continue
        const rest = walk(first, parts.slice(1))
        if (rest.value !== undefined || rest.nodes.length > 0) {
          found = rest
          break
        }
      }
      const first = parts[0]!
      if (found === nothing && !roots.some((r) => under(r, first).value !== undefined)) found = outside
      // An answer found while another is looked for may rest on what is not known yet.
      if (looking.size <= 1) absolute.set(key, found)
    }
    return found
  }
  const relativeModule = (file: WorldFile, level: number, module: string): Found => {
    let dir = file.dir
    for (let i = 1; i < level; i++) dir = dirOf(dir)
    const parts = module === "" ? [] : module.split(".")
    const init = initAt(dir)
    const base = init >= 0 ? whole(init) : namespace(dir)
    if (parts.length === 0) return base
    // Submodules first: the package's own names may be imports of this very file.
    const first = under(dir, parts[0]!)
    return first.value === undefined ? walk(base, parts) : walk(first, parts.slice(1))
  }
  const looking = new Set<string>()
  const moduleOf = (file: WorldFile, index: number): Found => {
    const level = file.view.import(index, I.level)
    const module = names.text(file.view.import(index, I.module)).replace(/^\.+/, "")
    // A module that is looked for in a package that imports it is not there.
    const key = `${level > 0 ? file.dir : sourceRoot(file.dir)}\n${level}\n${module}`
    if (looking.has(key)) return nothing
    looking.add(key)
    try {
      return level > 0 ? relativeModule(file, level, module) : absoluteModule(file.dir, module)
    } finally {
      looking.delete(key)
    }
  }

  const memberOf = (found: Found, name: number, seen?: Set<number>): Found =>
    found.value?.tag === 3
      ? moduleMember(found.value.node, name, seen)
      : found.value?.tag === 4
        ? packageMember(found.value.node, name)
        : found.value === undefined
          ? nothing
          : outside

  const moduleMember = (id: number, name: number, seen: Set<number> = new Set()): Found => {
    const file = world.files[id]
    if (file === undefined) return nothing
    const key = id * 4 + 1
    if (seen.has(key)) return nothing
    seen.add(key)
    const { view } = file
    const definitions = resolver.fileScope(file).get(name)
    if (definitions !== undefined) {
      // The last one is in force; earlier ones are overloads or alternatives of an `if`.
      return resolver.found(
        resolver.narrow(
          definitions.map((i) => nodeOf(id, i)),
          -1
        )
      )
    }
    const dir = dirOfModule(file)
    let star: Found | undefined
    for (let i = view.importCount - 1; i >= 0; i--) {
      if (view.import(i, I.within) >= 0) continue
      const flags = view.import(i, I.flags)
      if ((flags & ImportFlag.wildcard) !== 0) {
        const found = memberOf(moduleOf(file, i), name, seen)
        if (found.nodes.length > 0) return found
        star ??= found.value === undefined ? undefined : found
      } else if (view.import(i, I.local) === name) {
        if (
          dir !== undefined &&
          view.import(i, I.level) === 1 &&
          moduleIs(file, i, "") &&
          view.import(i, I.imported) === name
        ) {
          const sub = under(dir, names.text(name))
          if (sub.value !== undefined) return sub
        }
        return importTarget(file, i, seen)
      }
    }
    if (dir !== undefined) {
      const sub = under(dir, names.text(name))
      if (sub.value !== undefined) return sub
    }
    return star ?? nothing
  }
  const moduleIs = (file: WorldFile, index: number, text: string) =>
    names.text(file.view.import(index, I.module)).replace(/^\.+/, "") === text

  const packageMember = (id: number, name: number): Found => {
    const dir = dirs[id - packageBase]
    return dir === undefined ? nothing : under(dir, names.text(name))
  }

  const importTarget = (file: WorldFile, index: number, seen?: Set<number>): Found => {
    const { view } = file
    const flags = view.import(index, I.flags)
    const imported = view.import(index, I.imported)
    const module = names.text(view.import(index, I.module))
    if ((flags & ImportFlag.namespace) !== 0 || imported === 0) {
      // `import a.b.c` binds `a`; with an alias it binds the last part.
      const local = names.text(view.import(index, I.local))
      const first = module.split(".")[0]!
      return local === first && module !== first ? absoluteModule(file.dir, first) : moduleOf(file, index)
    }
    if ((flags & ImportFlag.wildcard) !== 0) return moduleOf(file, index)
    return memberOf(moduleOf(file, index), imported, seen)
  }

  return {
    importTarget,
    free: (file, name) => {
      let open = false
      for (let i = file.view.importCount - 1; i >= 0; i--) {
        if ((file.view.import(i, I.flags) & ImportFlag.wildcard) === 0) continue
        const found = memberOf(moduleOf(file, i), name)
        if (found.nodes.length > 0) return found
        open ||= found.value !== undefined
      }
      return open ? outside : nothing
    },
    moduleMember,
    packageMember,
    forget: () => absolute.clear()
  }
}
