/**
 * Rust: crates are found through Cargo.toml, modules form a tree of files and inline `mod` items, and every module
 * sees its own items, its `use` declarations and the names of its globs.
 */
import { D, I } from "../../languages/Facts.ts"
import { ImportFlag, kindNumber } from "../../languages/Vocabulary.ts"
import { baseOf, definitionOf, dirOf, fileOf, joinPath, type Node, nodeOf, type WorldFile } from "../World.ts"
import type { Family } from "./Family.ts"
import type { Resolver } from "./Resolver.ts"
import { type Found, nothing, outside, typeValue } from "./Value.ts"

const K = kindNumber

const prelude = (
  "std core alloc proc_macro test Some None Ok Err Option Result Vec String Box Copy Send Sized Sync Unpin Drop Fn FnMut FnOnce AsMut AsRef From Into " +
  "Default DoubleEndedIterator ExactSizeIterator Extend IntoIterator Iterator Clone Debug Eq Ord PartialEq PartialOrd Hash ToOwned ToString TryFrom TryInto " +
  "FromIterator drop println print eprintln eprint format panic vec assert assert_eq assert_ne debug_assert debug_assert_eq debug_assert_ne write writeln " +
  "matches todo unimplemented unreachable concat stringify include_str include_bytes include env option_env cfg line column file module_path dbg thread_local " +
  "compile_error format_args try derive test allow warn deny cfg_attr inline must_use doc bool char str u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64"
).split(" ")
/** Methods of the standard traits that a type may have by a derive, a blanket implementation or its representation. */
const traitMethods = (
  "clone clone_from fmt eq ne cmp partial_cmp lt le gt ge max min clamp hash default from into try_from try_into to_string to_owned as_ref as_mut borrow " +
  "borrow_mut deref deref_mut drop next iter iter_mut into_iter map filter collect fold unwrap expect is_some is_none is_ok is_err ok err and_then or_else " +
  "type_id source description cause poll await index index_mut add sub mul div neg not len is_empty get get_mut push pop insert remove contains extend lock read write"
).split(" ")

export const rust = (resolver: Resolver): Family => {
  const { world } = resolver
  const { names } = world
  const at = (path: string | undefined): WorldFile | undefined => {
    const id = path === undefined ? -1 : world.fileAt(path)
    return id < 0 ? undefined : world.files[id]
  }

  /** Names that need no import: of the prelude, its macros, the standard crates, and crates that are depended on. */
  const externals = new Set(prelude.map((n) => names.string(n)))
  const implied = new Set(traitMethods.map((n) => names.string(n)))

  /** Library file of each crate of the workspace, by the name it is used under. */
  const crates = new Map<string, WorldFile>()
  for (const path of world.configs("Cargo.toml")) {
    const text = world.readConfig(path)
    if (text === undefined) continue
    const dir = dirOf(path)
    const section = (title: string) =>
      new RegExp(`^\\s*\\[${title}\\]([\\s\\S]*?)(?=^\\s*\\[|$(?![\\s\\S]))`, "m").exec(text)?.[1] ?? ""
    const field = (part: string, key: string) =>
      new RegExp(`^\\s*${key}\\s*=\\s*"([^"]*)"`, "m").exec(part)?.[1]
    const lib = section("lib")
    const name = field(lib, "name") ?? field(section("package"), "name")
    const root = at(joinPath(dir, field(lib, "path") ?? "src/lib.rs")) ?? at(joinPath(dir, "src/main.rs"))
    if (name !== undefined && root !== undefined) crates.set(name.replaceAll("-", "_"), root)
    for (const [, body] of text.matchAll(
      /^\s*\[(?:workspace\.)?(?:target\.[^\]]*\.)?(?:dev-|build-)?dependencies\]([^[]*(?:\[[^\]\n]*\][^[\n]*\n[^[]*)*)/gm
    )) {
      for (const [, dependency] of body!.matchAll(/^\s*([A-Za-z][\w-]*)\s*(?:\.[\w-]+\s*)?=/gm))
        externals.add(names.string(dependency!.replaceAll("-", "_")))
    }
    for (const [, dependency] of text.matchAll(
      /^\s*\[(?:workspace\.)?(?:dev-|build-)?dependencies\.([\w-]+)\]/gm
    ))
      externals.add(names.string(dependency!.replaceAll("-", "_")))
    // A dependency inside the workspace may be known under another name.
    for (const [, alias, inner] of text.matchAll(/^\s*([\w-]+)\s*=\s*\{([^}]*)\}/gm)) {
      const target = /path\s*=\s*"([^"]*)"/.exec(inner!)?.[1]
      const package_ = /package\s*=\s*"([^"]*)"/.exec(inner!)?.[1]
      const lib = target === undefined ? undefined : at(joinPath(dir, `${target}/src/lib.rs`))
      if (lib !== undefined && package_ !== undefined) crates.set(alias!.replaceAll("-", "_"), lib)
    }
  }

  // ---- the module tree --------------------------------------------------------------------------
  // A module is a node: a file (definition -1) or an inline `mod` item.

  interface Module {
    readonly items: Map<number, Array<Node>>
    /** Several of one name are each for another configuration. */
    readonly uses: Map<number, Array<number>>
    readonly globs: ReadonlyArray<number>
    /** Names looked up before. */
    readonly known: Map<number, Found>
    /** Names being looked up, and how many look-ups were open before. */
    readonly asked: Map<number, number>
  }
  const parents = new Map<number, Node>()
  const roots = new Map<number, WorldFile>()
  const children = (
    file: WorldFile,
    inline: ReadonlyArray<string>,
    name: string,
    written: string | undefined
  ): WorldFile | undefined => {
    const base = baseOf(file.path)
    const stem = base.slice(0, -3)
    const own =
      base === "mod.rs" ||
      base === "lib.rs" ||
      base === "main.rs" ||
      (!/(^|\/)src(\/|$)/.test(file.dir) && parents.get(file.id) === undefined)
        ? file.dir
        : joinPath(file.dir, stem)
    const dir = inline.length === 0 ? own : joinPath(own ?? "", inline.join("/"))
    if (written !== undefined) return at(joinPath(inline.length === 0 ? file.dir : (dir ?? ""), written))
    const prefix = dir === undefined || dir === "" ? "" : `${dir}/`
    return (
      at(`${prefix}${name}.rs`) ??
      at(`${prefix}${name}/mod.rs`) ??
      at(joinPath(file.dir, `${name}.rs`)) ??
      at(joinPath(file.dir, `${name}/mod.rs`))
    )
  }
  const rustFiles = world.files.filter((f): f is WorldFile => f?.language.family === "rust")
  const inlinePath = (file: WorldFile, definition: number): ReadonlyArray<string> => {
    const out: Array<string> = []
    for (let i = definition; i >= 0; i = file.view.def(i, D.parent)) {
      if (file.view.def(i, D.kind) === K.module) out.unshift(names.text(file.view.def(i, D.name)))
    }
    return out
  }
  /** The path that an attribute gives to a module; the module's declaration is an import as well. */
  const writtenPath = (file: WorldFile, definition: number): string | undefined => {
    const { view } = file
    for (let i = 0; i < view.importCount; i++)
      if (
        (view.import(i, I.flags) & ImportFlag.quoted) !== 0 &&
        view.import(i, I.local) === view.def(definition, D.name) &&
        view.import(i, I.line) === view.def(definition, D.nameLine)
      )
        return names.text(view.import(i, I.module))
    return undefined
  }
  const childFile = new Map<Node, WorldFile>()
  const rank = (f: WorldFile) =>
    f.path.endsWith("src/lib.rs")
      ? 0
      : f.path.endsWith("src/main.rs")
        ? 1
        : /(^|\/)(bin|tests|examples|benches)\/[^/]+\.rs$/.test(f.path)
          ? 2
          : 3
  const ordered = rustFiles
    .map((file) => ({ file, rank: rank(file), depth: file.path.split("/").length }))
    .sort((a, b) => a.rank - b.rank || a.depth - b.depth || (a.file.path < b.file.path ? -1 : 1))
  for (const { file } of ordered) {
    const { view } = file
    for (let i = 0; i < view.definitionCount; i++) {
      if (view.def(i, D.kind) !== K.module || view.def(i, D.bodyLine) !== 0) continue
      const parent = view.def(i, D.parent)
      const child = children(
        file,
        parent < 0 ? [] : inlinePath(file, parent),
        names.text(view.def(i, D.name)),
        writtenPath(file, i)
      )
      if (child === undefined || child.id === file.id) continue
      childFile.set(nodeOf(file.id, i), child)
      if (rank(child) > 1 && !parents.has(child.id)) parents.set(child.id, nodeOf(file.id, parent))
    }
  }
  /** The crate a file belongs to is that of the file at the top of its modules. */
  for (const file of rustFiles) {
    let top = file
    for (const seen = new Set<number>(); !seen.has(top.id); ) {
      seen.add(top.id)
      const parent = parents.get(top.id)
      if (parent !== undefined) top = world.files[fileOf(parent)]!
    }
    roots.set(file.id, top)
  }

  const modules = new Map<Node, Module>()
  const moduleOf = (node: Node): Module => {
    let module = modules.get(node)
    if (module === undefined) {
      const items = new Map<number, Array<Node>>()
      const uses = new Map<number, Array<number>>()
      const globs: Array<number> = []
      const file = world.files[fileOf(node)]!
      const parent = definitionOf(node)
      const { view } = file
      for (let i = parent + 1; i < view.definitionCount; i++) {
        if (view.def(i, D.parent) !== parent || view.def(i, D.owner) >= 0) continue
        const list = items.get(view.def(i, D.name))
        if (list === undefined) items.set(view.def(i, D.name), [nodeOf(file.id, i)])
        else list.push(nodeOf(file.id, i))
      }
      for (let i = 0; i < view.importCount; i++) {
        if (view.import(i, I.within) !== parent) continue
        if ((view.import(i, I.flags) & ImportFlag.wildcard) !== 0) globs.push(i)
        else if (view.import(i, I.local) !== 0) {
          const list = uses.get(view.import(i, I.local))
          if (list === undefined) uses.set(view.import(i, I.local), [i])
          else list.unshift(i)
        }
      }
      modules.set(node, (module = { items, uses, globs, known: new Map(), asked: new Map() }))
    }
    return module
  }
  /** By file, the imports inside of definitions that are no modules, by that definition; undefined where there are none. */
  const inner: Array<Map<number, Array<number>> | undefined> = []
  for (const file of rustFiles) {
    for (let i = 0; i < file.view.importCount; i++) {
      const within = file.view.import(i, I.within)
      if (within < 0 || file.view.def(within, D.kind) === K.module) continue
      const of = (inner[file.id] ??= new Map<number, Array<number>>())
      const list = of.get(within)
      if (list === undefined) of.set(within, [i])
      else list.push(i)
    }
  }
  /** Imports of definitions whose paths are being followed, the newest last. */
  const followed: Array<Node> = []
  /** Whether an import is being followed, so that it cannot say what its own path means. */
  const leadsBack = (node: Node): boolean => {
    if (!followed.includes(node)) return false
    // What is found without the one the outer path is waiting for rests on that.
    if (followed.at(-1) !== node) met = Math.min(met, 0)
    return true
  }
  /** A name that an import inside of a definition brings, from the place on outwards to the module. */
  const inBodies = (file: WorldFile, within: number, name: number): Found => {
    const all = inner[file.id]
    if (all === undefined) return nothing
    const { view } = file
    let beyond = false
    for (let at = within; at >= 0 && view.def(at, D.kind) !== K.module; at = view.def(at, D.parent)) {
      const own = all.get(at)
      if (own === undefined) continue
      const named = own.find((i) => view.import(i, I.local) === name)
      if (named !== undefined && !leadsBack(nodeOf(file.id, named))) return importTarget(file, named)
      for (const i of own) {
        if ((view.import(i, I.flags) & ImportFlag.wildcard) === 0 || leadsBack(nodeOf(file.id, i))) continue
        const found = memberOf(pathOf(file, i), name)
        if (found.nodes.length > 0) return found
        beyond ||= found.value !== undefined
      }
    }
    return beyond ? outside : nothing
  }
  const enclosingModule = (file: WorldFile, within: number): number => {
    let i = within
    while (i >= 0 && file.view.def(i, D.kind) !== K.module) i = file.view.def(i, D.parent)
    return i
  }
  const parentModule = (node: Node): Node | undefined => {
    const file = fileOf(node)
    const definition = definitionOf(node)
    return definition >= 0
      ? nodeOf(file, enclosingModule(world.files[file]!, world.files[file]!.view.def(definition, D.parent)))
      : parents.get(file)
  }

  const asModule = (node: Node): Found => ({ nodes: [node], value: typeValue(node) })
  const isModule = (node: Node) => definitionOf(node) < 0 || resolver.def(node, D.kind) === K.module

  /** Look-ups that are open. */
  let open = 0
  /** The outermost of them that was met again since the newest began: what is found meanwhile rests on it. */
  let met = Infinity
  /** A name in a module: an item, what a `use` brings, or a name of a glob. */
  const inModule = (node: Node, name: number): Found => {
    const module = moduleOf(node)
    const known = module.known.get(name)
    if (known !== undefined) return known
    const outer = met
    met = Infinity
    const found = findInModule(node, module, name)
    // An answer cut short by the guard against cycles holds only inside the look-up that was met again.
    if (met >= open) {
      module.known.set(name, found)
      met = Infinity
    }
    met = Math.min(met, outer)
    return found
  }
  const findInModule = (node: Node, module: Module, name: number): Found => {
    const items = module.items.get(name)
    if (items !== undefined) {
      const file = items.map((item) => childFile.get(item)).find((each) => each !== undefined)
      if (file === undefined) return resolver.found(items)
      const itself = nodeOf(file.id, -1)
      if (items.length > 1 && !variants.has(itself))
        variants.set(
          itself,
          items
            .filter((item) => isModule(item))
            .map((item) => (childFile.has(item) ? nodeOf(childFile.get(item)!.id, -1) : item))
            .filter((each) => each !== itself)
        )
      return { nodes: items.filter((item) => isModule(item)), value: typeValue(itself) }
    }
    const before = module.asked.get(name)
    if (before !== undefined) {
      met = Math.min(met, before)
      return nothing
    }
    module.asked.set(name, open++)
    try {
      const file = world.files[fileOf(node)]!
      const uses = module.uses.get(name)
      if (uses !== undefined) return uses.map((use) => importTarget(file, use)).reduce(together)
      let beyond = false
      for (const i of module.globs) {
        const found = memberOf(pathOf(file, i), name)
        if (found.nodes.length > 0) return found
        beyond ||= found.value !== undefined
      }
      return beyond ? outside : nothing
    } finally {
      module.asked.delete(name)
      open--
    }
  }
  /** Modules of one name, each for another configuration: by the first one that is a file, the others. */
  const variants = new Map<Node, ReadonlyArray<Node>>()
  const together = (a: Found, b: Found): Found => ({
    nodes: [...a.nodes, ...b.nodes.filter((node) => !a.nodes.includes(node))],
    value: a.value === undefined || (a.nodes.length === 0 && b.nodes.length > 0) ? b.value : a.value
  })
  /** A name in a module or in what stands for it elsewhere. */
  const inVariants = (node: Node, name: number): Found => {
    const found = inModule(node, name)
    const others = variants.get(node)
    return others === undefined ? found : others.map((each) => inModule(each, name)).reduce(together, found)
  }
  const memberOf = (found: Found, name: number): Found => {
    if (found.value === undefined) return nothing
    if (found.value.tag === 8) return outside
    const node = found.value.node
    return found.value.tag === 0 && isModule(node)
      ? inVariants(node, name)
      : resolver.member(found.value, name, -1)
  }
  /** The module or type that the path of a `use` names. */
  const paths: Array<Array<Found | undefined> | undefined> = []
  const pathOf = (file: WorldFile, index: number): Found => {
    const known = (paths[file.id] ??= [])[index]
    if (known !== undefined) return known
    const outer = met
    met = Infinity
    const found = findPath(file, index)
    if (met === Infinity) paths[file.id]![index] = found
    met = Math.min(met, outer)
    return found
  }
  const findPath = (file: WorldFile, index: number): Found => {
    const within = file.view.import(index, I.within)
    const itself = nodeOf(file.id, index)
    if (inner[file.id]?.has(within) !== true)
      return follow(file, within, names.text(file.view.import(index, I.module)))
    followed.push(itself)
    try {
      return follow(file, within, names.text(file.view.import(index, I.module)))
    } finally {
      followed.pop()
    }
  }
  /** What a path written in a definition or module of a file means. */
  const follow = (file: WorldFile, within: number, path: string): Found => {
    const here = nodeOf(file.id, enclosingModule(file, within))
    const parts = path.split("::").filter((p) => p !== "")
    if (parts.length === 0) return asModule(here)
    let found: Found = nothing
    let i = 0
    let module: Node | undefined = here
    while (i < parts.length && (parts[i] === "self" || parts[i] === "super")) {
      if (parts[i] === "super") module = module === undefined ? undefined : parentModule(module)
      i++
    }
    if (i > 0) found = module === undefined ? nothing : asModule(module)
    else {
      found = first(file, here, within, parts[0]!)
      i = 1
    }
    for (; i < parts.length; i++) {
      if (found.value === undefined) return nothing
      found = memberOf(found, names.string(parts[i]!))
    }
    return found
  }
  const first = (file: WorldFile, here: Node, within: number, name: string): Found => {
    if (name === "crate") return asModule(nodeOf((roots.get(file.id) ?? file).id, -1))
    const local = inBodies(file, within, names.string(name))
    if (local.nodes.length > 0) return local
    const item = inModule(here, names.string(name))
    if (item.nodes.length > 0) return item
    const crate = crates.get(name)
    if (crate !== undefined) return asModule(nodeOf(crate.id, -1))
    return (item.value ?? item.nodes.length > 0) ? item : outside
  }
  const importTarget = (file: WorldFile, index: number): Found => {
    const { view } = file
    if ((view.import(index, I.flags) & ImportFlag.quoted) !== 0)
      return inModule(nodeOf(file.id, view.import(index, I.within)), view.import(index, I.local))
    const module = pathOf(file, index)
    if ((view.import(index, I.flags) & ImportFlag.wildcard) !== 0) return module
    const imported = names.text(view.import(index, I.imported))
    if (imported === "self" || imported === "") return module
    const path = names.text(view.import(index, I.module))
    if (path === "") {
      if (imported === "crate") return asModule(nodeOf((roots.get(file.id) ?? file).id, -1))
      const crate = crates.get(imported)
      return crate === undefined ? outside : asModule(nodeOf(crate.id, -1))
    }
    return memberOf(module, view.import(index, I.imported))
  }

  let macros: Map<number, Array<Node>> | undefined
  const crateName = names.string("crate")
  const superName = names.string("super")
  const selfName = names.string("self")
  return {
    importTarget,
    free: (file, name, within) => {
      const here = nodeOf(file.id, enclosingModule(file, within))
      if (name === crateName) return asModule(nodeOf((roots.get(file.id) ?? file).id, -1))
      if (name === selfName) return asModule(here)
      if (name === superName) {
        const parent = parentModule(here)
        return parent === undefined ? nothing : asModule(parent)
      }
      const local = inBodies(file, within, name)
      if (local.nodes.length > 0) return local
      const item = inModule(here, name)
      if (item.nodes.length > 0) return item
      // A macro is visible in the whole crate below where it is defined.
      const crate = crates.get(names.text(name))
      if (crate !== undefined) return asModule(nodeOf(crate.id, -1))
      const macros = macroScope().get(name)
      if (macros !== undefined) return resolver.found(macros)
      return (local.value ?? item.value) !== undefined || externals.has(name) ? outside : nothing
    },
    impliedMember: (name) => implied.has(name),
    forget: () => {
      for (const module of modules.values()) module.known.clear()
      paths.length = 0
    },
    moduleMember: (file, name) => inVariants(nodeOf(file, -1), name),
    // Members of modules met as values: `mod` items and files.
    packageMember: (id, name) => {
      const node = -id
      if (node <= 0 || world.files[fileOf(node)]?.language.family !== "rust" || !isModule(node))
        return nothing
      const file = childFile.get(node)
      return inVariants(file === undefined ? node : nodeOf(file.id, -1), name)
    }
  }

  function macroScope(): Map<number, Array<Node>> {
    if (macros === undefined) {
      macros = new Map()
      for (const file of rustFiles) {
        for (let i = 0; i < file.view.definitionCount; i++) {
          if (file.view.def(i, D.kind) !== K.macro) continue
          const list = macros.get(file.view.def(i, D.name))
          if (list === undefined) macros.set(file.view.def(i, D.name), [nodeOf(file.id, i)])
          else list.push(nodeOf(file.id, i))
        }
      }
    }
    return macros
  }
}
