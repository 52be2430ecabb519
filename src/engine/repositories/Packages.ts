/** Packages a repository gives to others, by its manifests, and what their names lead to. */
import type { GraphView, SymbolRef, Tier } from "../../services/CodeGraph.ts"
import { baseOf, dirOf } from "../graph/World.ts"

export type Ecosystem = "npm" | "go" | "python" | "cargo"

/** A package of a repository. `dir` is the folder of its manifest, "" for the root. */
export interface Package {
  readonly ecosystem: Ecosystem
  /** As other repositories import it. */
  readonly name: string
  readonly dir: string
  /** What a manifest says of entry files, by subpath ("." for the package itself); npm only. */
  readonly entries?: ReadonlyMap<string, ReadonlyArray<string>>
}

/** Ecosystem whose packages files of a language import. */
const ecosystems: { readonly [language: string]: Ecosystem } = {
  typescript: "npm",
  tsx: "npm",
  javascript: "npm",
  jsx: "npm",
  vue: "npm",
  svelte: "npm",
  go: "go",
  python: "python",
  rust: "cargo"
}
export const ecosystemOf = (language: string | undefined): Ecosystem | undefined =>
  language === undefined ? undefined : ecosystems[language]

const join = (...parts: ReadonlyArray<string>): string =>
  parts
    .join("/")
    .split("/")
    .filter((part) => part !== "" && part !== ".")
    .join("/")

const isRecord = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** All files an entry of `exports` may stand for, whatever the conditions. */
const filesIn = (value: unknown, into: Array<string>): void => {
  if (typeof value === "string") into.push(value)
  else if (Array.isArray(value)) for (const item of value) filesIn(item, into)
  else if (isRecord(value)) for (const item of Object.values(value)) filesIn(item, into)
}

const npmPackage = (text: string, dir: string): Package | undefined => {
  let manifest: unknown
  try {
    manifest = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isRecord(manifest) || typeof manifest["name"] !== "string" || manifest["name"] === "") return undefined
  const entries = new Map<string, ReadonlyArray<string>>()
  const own: Array<string> = []
  const { exports } = manifest
  if (isRecord(exports) && Object.keys(exports).some((key) => key.startsWith("."))) {
    for (const [key, value] of Object.entries(exports)) {
      const files: Array<string> = []
      filesIn(value, files)
      if (key === ".") own.push(...files)
      else entries.set(key.replace(/^\.\//, ""), files)
    }
  } else filesIn(exports, own)
  for (const key of ["source", "types", "typings", "module", "main"]) filesIn(manifest[key], own)
  entries.set(".", own)
  return { ecosystem: "npm", name: manifest["name"], dir, entries }
}

/** The value of a string key in a table of a TOML text; enough for the names of packages. */
const tomlName = (text: string, tables: ReadonlyArray<string>): string | undefined => {
  let inside = false
  for (const line of text.split(/\r?\n/)) {
    const table = /^\s*\[([^[\]]+)\]\s*(?:#.*)?$/.exec(line)
    if (table !== null) inside = tables.includes(table[1]!.trim())
    else if (inside) {
      const name = /^\s*name\s*=\s*["']([^"']+)["']/.exec(line)
      if (name !== null) return name[1]
    }
  }
  return undefined
}

/** Names by which Python code imports what a folder holds: the packages right in it or in its `src`. */
const pythonNames = (
  view: GraphView,
  dir: string,
  distribution: string | undefined
): ReadonlyArray<string> => {
  const names = new Set<string>()
  for (const base of [dir, join(dir, "src")]) {
    const prefix = base === "" ? "" : `${base}/`
    for (const { path } of view.files()) {
      if (!path.startsWith(prefix) || !path.endsWith("/__init__.py")) continue
      const rest = path.slice(prefix.length, -"/__init__.py".length)
      if (!rest.includes("/") && !/^(tests?|docs?|examples?)$/.test(rest)) names.add(rest)
    }
  }
  const own = distribution?.toLowerCase().replaceAll("-", "_")
  if (own !== undefined && view.file(join(dir, `${own}.py`)) !== undefined) names.add(own)
  return [...names]
}

/** Reads the manifests of a repository. `read` gives a file's text, undefined when it cannot be read. */
export const packagesOf = (
  view: GraphView,
  read: (path: string) => string | undefined
): ReadonlyArray<Package> => {
  const out: Array<Package> = []
  for (const { path } of view.files()) {
    const name = baseOf(path)
    const dir = dirOf(path)
    if (name === "package.json") {
      const made = npmPackage(read(path) ?? "", dir)
      if (made !== undefined) out.push(made)
    } else if (name === "go.mod") {
      const module = /^\s*module\s+"?([^\s"]+)"?/m.exec(read(path) ?? "")
      if (module !== null) out.push({ ecosystem: "go", name: module[1]!, dir })
    } else if (name === "Cargo.toml") {
      const crate = tomlName(read(path) ?? "", ["package"])
      if (crate !== undefined) out.push({ ecosystem: "cargo", name: crate.replaceAll("-", "_"), dir })
    } else if (name === "pyproject.toml" || name === "setup.py" || name === "setup.cfg") {
      const distribution =
        name === "pyproject.toml" ? tomlName(read(path) ?? "", ["project", "tool.poetry"]) : undefined
      for (const known of pythonNames(view, dir, distribution))
        if (!out.some((p) => p.ecosystem === "python" && p.name === known && p.dir === dir))
          out.push({ ecosystem: "python", name: known, dir })
    }
  }
  // The longest name wins where one is part of another.
  return out.sort((a, b) => b.name.length - a.name.length || (a.dir < b.dir ? -1 : a.dir > b.dir ? 1 : 0))
}

const separators: Record<Ecosystem, string> = { npm: "/", go: "/", python: ".", cargo: "::" }

/** What is behind the name of a package in a module as written; undefined when the module is not of the package. */
export const subpathOf = ({ ecosystem, name }: Package, module: string): string | undefined => {
  if (module === name) return ""
  const separator = separators[ecosystem]
  return module.startsWith(name + separator) ? module.slice(name.length + separator.length) : undefined
}

/** A definition that a use in another repository means. */
export interface Meant {
  readonly ref: SymbolRef
  readonly tier: Tier
}

const scripts = [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"]

/** Files that a path of a built package was made from, likeliest first. */
const sourcesOf = (dir: string, path: string): ReadonlyArray<string> => {
  const bare = path.replace(/\.d\.[cm]?ts$|\.[cm]?[jt]sx?$/, "")
  const places = [bare]
  const built = /^(?:\.\/)?(?:dist|lib|build|out|esm|cjs)\/(?:esm\/|cjs\/|types\/|src\/)?(.*)$/.exec(bare)
  if (built !== null) places.push(`src/${built[1]}`, built[1]!)
  return places.flatMap((place) => [
    join(dir, path),
    ...scripts.map((extension) => join(dir, place) + extension),
    ...scripts.map((extension) => join(dir, place, "index") + extension)
  ])
}

/** The definition a file publishes under a name: its own, or one it exports from elsewhere. */
const published = (view: GraphView, path: string, name: string): SymbolRef | undefined => {
  for (const ref of view.definitions(path)) {
    if (view.parent(ref) !== view.fileRef(path)) continue
    const { flags, name: own } = view.symbol(ref)
    if (name === "default" ? flags.includes("default_export") : own === name) return ref
  }
  const file = view.fileRef(path)
  if (file === undefined) return undefined
  for (const edge of view.outgoing(file))
    if (edge.role === "export" && edge.name === name && !view.isFile(edge.to)) return edge.to
  for (const imported of view.imports(path))
    if (imported.local === name && imported.targets.length === 1 && !view.isFile(imported.targets[0]!))
      return imported.targets[0]
  return undefined
}

/** The one definition below a folder that others may take by a name. */
const onlyOne = (view: GraphView, dir: string, name: string): SymbolRef | undefined => {
  const prefix = dir === "" ? "" : `${dir}/`
  const found = view.named(name).filter((ref) => {
    if (!view.pathOf(ref).startsWith(prefix) || view.isTest(ref)) return false
    const parent = view.parent(ref)
    return parent !== undefined && view.isFile(parent) && view.symbol(ref).flags.includes("exported")
  })
  return found.length === 1 ? found[0] : undefined
}

/** A member of a definition by its name. */
const memberOf = (view: GraphView, ref: SymbolRef, name: string): SymbolRef | undefined =>
  view.members(ref).find((member) => view.nameOf(member) === name)

/** Goes on from a definition through members; what cannot be followed to its end means nothing. */
const along = (
  view: GraphView,
  start: Meant | undefined,
  members: ReadonlyArray<string>
): Meant | undefined => {
  let at = start
  for (const name of members) {
    if (at === undefined) return undefined
    const next = memberOf(view, at.ref, name)
    at = next === undefined ? undefined : { ref: next, tier: at.tier }
  }
  return at
}

const inNpm = (
  view: GraphView,
  { dir, entries }: Package,
  subpath: string,
  imported: string | undefined,
  members: ReadonlyArray<string>
): Meant | undefined => {
  const [name, rest] = imported === undefined ? [members[0], members.slice(1)] : [imported, members]
  if (name === undefined) return undefined
  const stated = entries?.get(subpath === "" ? "." : subpath) ?? []
  const guesses = subpath === "" ? ["src/index.ts", "index.ts", "index.js"] : [subpath, `src/${subpath}`]
  for (const candidate of [...stated, ...guesses].flatMap((path) => sourcesOf(dir, path))) {
    if (view.file(candidate)?.skipped !== undefined || view.file(candidate) === undefined) continue
    const ref = published(view, candidate, name)
    if (ref !== undefined) return along(view, { ref, tier: "resolved" }, rest)
  }
  const ref = onlyOne(view, dir, name)
  return ref === undefined ? undefined : along(view, { ref, tier: "inferred" }, rest)
}

const inGo = (
  view: GraphView,
  { dir }: Package,
  subpath: string,
  members: ReadonlyArray<string>
): Meant | undefined => {
  const [name, ...rest] = members
  if (name === undefined) return undefined
  const folder = join(dir, subpath)
  const found = view
    .named(name)
    .filter(
      (ref) =>
        dirOf(view.pathOf(ref)) === folder &&
        view.pathOf(ref).endsWith(".go") &&
        !view.pathOf(ref).endsWith("_test.go") &&
        view.isFile(view.parent(ref) ?? ref)
    )
  return found.length === 1 ? along(view, { ref: found[0]!, tier: "resolved" }, rest) : undefined
}

const inPython = (
  view: GraphView,
  { dir, name }: Package,
  subpath: string,
  imported: string | undefined,
  members: ReadonlyArray<string>
): Meant | undefined => {
  const below = subpath === "" ? [] : subpath.split(".")
  // `import a.b` binds `a`, so that uses are written with the whole way.
  const whole = imported === undefined && below.every((part, i) => members[i] === part)
  const wanted = imported === undefined ? members.slice(whole ? below.length : 0) : [imported, ...members]
  for (const base of [dir, join(dir, "src")]) {
    let folder = join(base, name, ...below)
    for (let at = 0; at < wanted.length; at++) {
      const module = [`${folder}.py`, `${folder}/__init__.py`].find((path) => view.file(path) !== undefined)
      const ref = module === undefined ? undefined : published(view, module, wanted[at]!)
      if (ref !== undefined) return along(view, { ref, tier: "resolved" }, wanted.slice(at + 1))
      folder = join(folder, wanted[at]!)
    }
  }
  return undefined
}

const inCargo = (
  view: GraphView,
  { dir }: Package,
  imported: string | undefined,
  members: ReadonlyArray<string>
): Meant | undefined => {
  const wanted = [...(imported === undefined ? [] : [imported]), ...members]
  for (let at = 0; at < wanted.length; at++) {
    const ref = onlyOne(view, dir, wanted[at]!)
    if (ref !== undefined) return along(view, { ref, tier: "inferred" }, wanted.slice(at + 1))
  }
  return undefined
}

/** What a use of something imported from a package means in the repository that has the package. */
export const meant = (
  view: GraphView,
  from: Package,
  subpath: string,
  { imported, members }: { readonly imported: string | undefined; readonly members: ReadonlyArray<string> }
): Meant | undefined => {
  switch (from.ecosystem) {
    case "npm":
      return inNpm(view, from, subpath, imported, members)
    case "go":
      return inGo(view, from, subpath, members)
    case "python":
      return inPython(view, from, subpath, imported, members)
    case "cargo":
      return inCargo(view, from, imported, members)
  }
}
