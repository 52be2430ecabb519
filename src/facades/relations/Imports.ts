/** How a file would import a definition, by language. Paths of imports others already write come before computed ones. */
import { Effect } from "effect"
import type { GraphView, SymbolInfo, SymbolRef } from "../../services/CodeGraph.ts"
import { ReadFs } from "../../services/ReadFs.ts"

export interface ImportAnswer {
  readonly import_path: string
  /** The line to write; absent where the name is in reach without one. */
  readonly statement?: string
  /** Where the path comes from: what the file itself or other files write, or the project's layout. */
  readonly basis: "this_file" | "other_files" | "layout"
  /** The name is in reach without an import, and why. */
  readonly in_reach?: string
  readonly alternatives?: ReadonlyArray<string>
}

const folder = (path: string): string => (path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "")

/** A path relative to a folder, always beginning with `./` or `../`. */
export const relativeTo = (from: string, to: string): string => {
  const a = from === "" ? [] : from.split("/")
  const b = to.split("/")
  let same = 0
  while (same < a.length && same < b.length - 1 && a[same] === b[same]) same++
  const up = a.slice(same).map(() => "..")
  return [...(up.length === 0 ? ["."] : up), ...b.slice(same)].join("/")
}

/** Module texts that lead to a file: of one file, or of those that use it. */
const modulesTo = (view: GraphView, path: string, within: string): ReadonlyArray<string> => {
  const own = view.fileRef(path)
  const leads = (ref: SymbolRef) => ref === own || view.symbol(ref).path === path
  return [
    ...new Set(
      view
        .imports(within)
        .filter(({ targets }) => targets.some(leads))
        .map(({ module }) => module)
    )
  ]
}
const othersTo = (view: GraphView, path: string): ReadonlyArray<readonly [file: string, module: string]> => {
  const own = view.fileRef(path)
  if (own === undefined) return []
  const files = new Set<string>()
  for (const ref of [own, ...view.definitions(path).slice(0, 200)]) {
    for (const edge of view.incoming(ref))
      if (edge.role === "import" && edge.path !== path) files.add(edge.path)
    if (files.size > 50) break
  }
  return [...files]
    .slice(0, 50)
    .flatMap((file) => modulesTo(view, path, file).map((module) => [file, module] as const))
}

/** The text of a file, undefined when it is not there or no text. */
const read = (path: string) =>
  Effect.flatMap(ReadFs, (fs) => Effect.option(fs.readText(path))).pipe(
    Effect.map((found) => (found._tag === "Some" ? found.value.text : undefined))
  )

/** The nearest file of a name in the folder of a path or above it. */
const nearest = (view: GraphView, path: string, name: string): string | undefined => {
  for (let at = folder(path); ; at = folder(at)) {
    const file = at === "" ? name : `${at}/${name}`
    if (view.fileRef(file) !== undefined) return file
    if (at === "") return undefined
  }
}

const scriptExtension = /\.(?:[cm]?[jt]sx?|vue|svelte)$/
/** How relative imports of a script end: as the file is named, as its output is, or bare. */
type Ending = "source" | "output" | "bare"
const endingOf = (module: string): Ending | undefined =>
  !module.startsWith(".")
    ? undefined
    : /\.[cm]?tsx?$/.test(module)
      ? "source"
      : /\.[cm]?jsx?$/.test(module)
        ? "output"
        : "bare"

const scripted = (from: string, to: string, ending: Ending): string => {
  const whole = relativeTo(folder(from), to)
  if (ending === "source" || /\.(?:vue|svelte)$/.test(to)) return whole
  if (ending === "output") return whole.replace(/\.([cm]?)tsx?$/, ".$1js").replace(/\.jsx$/, ".js")
  const bare = whole.replace(scriptExtension, "")
  return bare.endsWith("/index") ? bare.slice(0, -"/index".length) : bare
}

const script = (view: GraphView, symbol: SymbolInfo, from: string): ImportAnswer => {
  const own = modulesTo(view, symbol.path, from)
  const others = othersTo(view, symbol.path)
  const statement = (path: string) =>
    symbol.flags.includes("default_export")
      ? `import ${symbol.name} from "${path}"`
      : `import { ${symbol.name} } from "${path}"`
  const aliases = [...new Set(others.map(([, module]) => module).filter((module) => !module.startsWith(".")))]
  if (own[0] !== undefined) return { import_path: own[0], statement: statement(own[0]), basis: "this_file" }
  const relatives = view
    .imports(from)
    .map(({ module }) => endingOf(module))
    .filter((ending) => ending !== undefined)
  const around = others.map(([, module]) => endingOf(module)).filter((ending) => ending !== undefined)
  const usual = (endings: ReadonlyArray<Ending>): Ending | undefined =>
    (["source", "output", "bare"] as const)
      .filter((ending) => endings.includes(ending))
      .sort((a, b) => endings.filter((e) => e === b).length - endings.filter((e) => e === a).length)[0]
  const ending = usual(relatives) ?? usual(around) ?? (/\.[cm]?js$/.test(from) ? "output" : "bare")
  const path = scripted(from, symbol.path, ending)
  return {
    import_path: path,
    statement: statement(path),
    basis: relatives.length > 0 ? "this_file" : around.length > 0 ? "other_files" : "layout",
    ...(aliases.length === 0 ? {} : { alternatives: aliases.slice(0, 5) })
  }
}

const go = (view: GraphView, symbol: SymbolInfo, from: string) =>
  Effect.gen(function* () {
    const mod = nearest(view, symbol.path, "go.mod")
    const text = mod === undefined ? undefined : yield* read(mod)
    const module = text === undefined ? undefined : /^\s*module\s+"?([^\s"]+)/m.exec(text)?.[1]
    const same = folder(symbol.path) === folder(from)
    if (mod === undefined || module === undefined)
      return same ? { import_path: ".", basis: "layout" as const, in_reach: "same_package" } : undefined
    const root = folder(mod)
    const inside = folder(symbol.path).slice(root === "" ? 0 : root.length + 1)
    const path = inside === "" ? module : `${module}/${inside}`
    return {
      import_path: path,
      basis: "layout" as const,
      ...(same ? { in_reach: "same_package" } : { statement: `import "${path}"` })
    }
  })

const python = (view: GraphView, symbol: SymbolInfo, from: string): ImportAnswer => {
  const statement = (module: string) => `from ${module} import ${symbol.name}`
  const own = modulesTo(view, symbol.path, from)
  if (own[0] !== undefined) return { import_path: own[0], statement: statement(own[0]), basis: "this_file" }
  const absolute = othersTo(view, symbol.path)
    .map(([, module]) => module)
    .find((module) => !module.startsWith("."))
  if (absolute !== undefined)
    return { import_path: absolute, statement: statement(absolute), basis: "other_files" }
  const parts = symbol.path.replace(/(?:\/__init__)?\.pyi?$/, "").split("/")
  // The package begins below the last folder above the file that is no package.
  let start = 0
  for (let at = folder(symbol.path); at !== ""; at = folder(at)) {
    if (view.fileRef(`${at}/__init__.py`) === undefined) {
      const outside = at.split("/").length
      if (view.fileRef(`${folder(symbol.path)}/__init__.py`) !== undefined) start = outside
      break
    }
  }
  if (start === 0 && (parts[0] === "src" || parts[0] === "lib") && parts.length > 1) start = 1
  const module = parts.slice(start).join(".")
  return { import_path: module, statement: statement(module), basis: "layout" }
}

const rust = (view: GraphView, symbol: SymbolInfo, from: string) =>
  Effect.gen(function* () {
    const manifest = nearest(view, symbol.path, "Cargo.toml")
    const root = manifest === undefined ? "" : folder(manifest)
    const inside = symbol.path
      .slice(root === "" ? 0 : root.length + 1)
      .replace(/^src\//, "")
      .replace(/\.rs$/, "")
    const modules = inside
      .split("/")
      .filter(
        (part, at, all) =>
          !(
            at === all.length - 1 &&
            (part === "mod" || (all.length === 1 && (part === "lib" || part === "main")))
          )
      )
    const path = [...modules, ...symbol.qualified.split(".")]
    if (nearest(view, from, "Cargo.toml") === manifest) {
      const whole = ["crate", ...path].join("::")
      return {
        import_path: whole,
        statement: `use ${whole};`,
        basis: "layout" as const,
        ...(symbol.path === from ? { in_reach: "same_file" } : {})
      }
    }
    const text = manifest === undefined ? undefined : yield* read(manifest)
    const named =
      text === undefined
        ? undefined
        : (/^\[lib\][^[]*?^\s*name\s*=\s*"([^"]+)"/ms.exec(text)?.[1] ??
          /^\[package\][^[]*?^\s*name\s*=\s*"([^"]+)"/ms.exec(text)?.[1])
    if (named === undefined) return undefined
    const whole = [named.replaceAll("-", "_"), ...path].join("::")
    return { import_path: whole, statement: `use ${whole};`, basis: "layout" as const }
  })

const packaged = (symbol: SymbolInfo, from: string) =>
  Effect.gen(function* () {
    const declared = /^[ \t]*(?:package|namespace)[ \t]+([\w.\\]+)/m
    const own = declared.exec((yield* read(symbol.path)) ?? "")?.[1] ?? ""
    const here = declared.exec((yield* read(from)) ?? "")?.[1] ?? ""
    if (symbol.language === "php") {
      const whole = [own, symbol.qualified.split(/[.\\]/).pop()].filter((part) => part !== "").join("\\")
      return {
        import_path: whole,
        statement: `use ${symbol.kind === "function" ? "function " : ""}${whole};`,
        basis: "layout" as const,
        ...(own === here ? { in_reach: "same_namespace" } : {})
      }
    }
    if (symbol.language === "csharp") {
      return own === ""
        ? { import_path: "", basis: "layout" as const, in_reach: "global_namespace" }
        : {
            import_path: own,
            statement: `using ${own};`,
            basis: "layout" as const,
            ...(own === here ? { in_reach: "same_namespace" } : {})
          }
    }
    // The package is not part of the qualified name, nor is it repeated where it is.
    const qualified =
      own !== "" && symbol.qualified.startsWith(`${own}.`)
        ? symbol.qualified.slice(own.length + 1)
        : symbol.qualified
    const whole = own === "" ? qualified : `${own}.${qualified}`
    return {
      import_path: whole,
      statement: `import ${whole}${symbol.language === "java" ? ";" : ""}`,
      basis: "layout" as const,
      ...(own === here ? { in_reach: "same_package" } : {})
    }
  })

const included = (view: GraphView, symbol: SymbolInfo, from: string): ImportAnswer | undefined => {
  const header = /\.(?:h|hh|hpp|hxx|inl)$/
  const declared = header.test(symbol.path)
    ? symbol.path
    : view
        .named(symbol.name)
        .map((ref) => view.symbol(ref))
        .find(({ path, qualified }) => header.test(path) && qualified === symbol.qualified)?.path
  if (declared === undefined) return undefined
  const own = modulesTo(view, declared, from)
  const others = othersTo(view, declared)
  const near = others.filter(([file]) => folder(file) === folder(from)).map(([, module]) => module)
  const [path, basis] =
    own[0] !== undefined
      ? [own[0], "this_file" as const]
      : near[0] !== undefined
        ? [near[0], "other_files" as const]
        : [relativeTo(folder(from), declared).replace(/^\.\//, ""), "layout" as const]
  const bare = path.replace(/^["<]|[">]$/g, "")
  return { import_path: bare, statement: `#include "${bare}"`, basis }
}

/** The import of a top-level definition in a file; undefined when it cannot be told. `family` is that of both files. */
export const importOf = (
  view: GraphView,
  symbol: SymbolInfo,
  from: string
): Effect.Effect<ImportAnswer | undefined, never, ReadFs> => {
  switch (symbol.language) {
    case "typescript":
    case "tsx":
    case "jsx":
    case "javascript":
    case "vue":
    case "svelte":
      return Effect.succeed(script(view, symbol, from))
    case "go":
      return go(view, symbol, from)
    case "python":
      return Effect.succeed(python(view, symbol, from))
    case "rust":
      return rust(view, symbol, from)
    case "java":
    case "kotlin":
    case "scala":
    case "csharp":
    case "php":
      return packaged(symbol, from)
    case "c":
    case "cpp":
      return Effect.succeed(included(view, symbol, from))
    case "ruby": {
      const path = relativeTo(folder(from), symbol.path).replace(/\.rb$/, "").replace(/^\.\//, "")
      return Effect.succeed({
        import_path: path,
        statement: `require_relative "${path}"`,
        basis: "layout" as const
      })
    }
    default:
      return Effect.succeed(undefined)
  }
}

const families: ReadonlyArray<ReadonlySet<string>> = [
  new Set(["typescript", "tsx", "javascript", "jsx", "vue", "svelte"]),
  new Set(["java", "kotlin", "scala"]),
  new Set(["c", "cpp"])
]
/** Whether a file of one language can import from one of the other. */
export const related = (a: string, b: string): boolean =>
  a === b || families.some((family) => family.has(a) && family.has(b))
