/** Which packages the files belong to, and whether others use those packages without being seen here. */
import { Effect } from "effect"
import { isWithin } from "../../../../registry/Place.ts"
import type { GraphView } from "../../../../services/CodeGraph.ts"
import type { ReadFs } from "../../../../services/ReadFs.ts"

/** How a package is built: by what its manifest is called. */
export type Ecosystem = "npm" | "go" | "cargo" | "python" | "jvm" | "dotnet"

/** A folder with a manifest. */
export interface Package {
  readonly ecosystem: Ecosystem
  /** Without a trailing slash; "" for the root. */
  readonly dir: string
  /** Code outside this workspace may use what it exports. */
  readonly published: boolean
  /**
   * npm only: the files others can import, when every one its manifest names was found among the sources; undefined
   * when that is not known, and any file may be one.
   */
  readonly entries?: ReadonlyArray<string> | undefined
  /** npm only: files that its scripts run. */
  readonly run?: ReadonlyArray<string> | undefined
  /** Python only: names of the functions that its commands and plugins are. */
  readonly called?: ReadonlySet<string> | undefined
  /** npm only: its own name. */
  readonly name?: string | undefined
  /** npm only: names of the packages it depends on. */
  readonly uses?: ReadonlySet<string> | undefined
}

const dirOf = (path: string): string => (path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "")
const baseOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1)
const joined = (dir: string, path: string): string => (dir === "" ? path : `${dir}/${path}`)

const ecosystemOf = (base: string): Ecosystem | undefined => {
  switch (base) {
    case "package.json":
      return "npm"
    case "go.mod":
      return "go"
    case "Cargo.toml":
      return "cargo"
    case "pyproject.toml":
    case "setup.py":
    case "setup.cfg":
      return "python"
    case "pom.xml":
    case "build.gradle":
    case "build.gradle.kts":
      return "jvm"
    default:
      return /\.(?:cs|fs|vb)proj$/.test(base) ? "dotnet" : undefined
  }
}

/** Every text in a value. */
const leaves = (value: unknown): ReadonlyArray<string> =>
  typeof value === "string"
    ? [value]
    : typeof value === "object" && value !== null
      ? Object.values(value).flatMap(leaves)
      : []

const built = new Set([
  "dist",
  "build",
  "lib",
  "out",
  "esm",
  "cjs",
  "es",
  "types",
  "output",
  "bin",
  "dist-src"
])
const sourceExtensions = ["ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs", "vue", "svelte"]

/** Sources a built file may come from, the likeliest first. */
const sourcesOf = (path: string): ReadonlyArray<string> => {
  const stem = path.replace(/(?:\.d)?\.[cm]?[jt]sx?$/, "")
  const parts = stem.split("/")
  let cut = 0
  while (cut < parts.length - 1 && built.has(parts[cut]!)) cut++
  const tails = Array.from({ length: cut + 1 }, (_, i) => parts.slice(i).join("/"))
  const stems = [...tails, ...tails.flatMap((tail) => [`src/${tail}`, `lib/${tail}`, `source/${tail}`])]
  return [
    path,
    ...stems.flatMap((each) => sourceExtensions.flatMap((ext) => [`${each}.${ext}`, `${each}/index.${ext}`]))
  ]
}

/** The source files behind what a manifest publishes; undefined when one is not found. */
const entriesOf = (
  view: GraphView,
  dir: string,
  published: ReadonlyArray<ReadonlyArray<string>>,
  inside: () => ReadonlyArray<string>
): ReadonlyArray<string> | undefined => {
  const out = new Set<string>()
  for (const way of published) {
    const code = way
      .map((path) => path.replace(/^\.\//, ""))
      .filter((path) => !path.startsWith("!") && (/\.[cm]?[jt]sx?$/.test(path) || !/\.\w+$/.test(path)))
    if (code.length === 0) continue
    let found = false
    for (const path of code) {
      for (const source of sourcesOf(path)) {
        if (!source.includes("*")) {
          const file = joined(dir, source)
          if (view.file(file)?.skipped !== undefined || view.file(file) === undefined) continue
          out.add(file)
          found = true
          break
        }
        const [before = "", after = ""] = source.split("*")
        const fitting = inside().filter(
          (file) =>
            file.startsWith(joined(dir, before)) && file.endsWith(after) && !/\.d\.[cm]?ts$/.test(file)
        )
        if (fitting.length === 0) continue
        for (const file of fitting) out.add(file)
        found = true
      }
    }
    if (!found) return undefined
  }
  return [...out]
}

const npm = (view: GraphView, dir: string, text: string, inside: () => ReadonlyArray<string>): Package => {
  let json: { readonly [key: string]: unknown } = {}
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed === "object" && parsed !== null) json = parsed as typeof json
  } catch {
    // A manifest that cannot be read may publish anything.
    return { ecosystem: "npm", dir, published: true, entries: undefined }
  }
  const uses = new Set(
    ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"].flatMap((key) =>
      typeof json[key] === "object" && json[key] !== null ? Object.keys(json[key] as object) : []
    )
  )
  const { exports } = json
  const paths =
    typeof exports === "object" &&
    exports !== null &&
    !Array.isArray(exports) &&
    Object.keys(exports).some((key) => key.startsWith("."))
  const ways: ReadonlyArray<ReadonlyArray<string>> = [
    ...(exports === undefined
      ? ["main", "module", "browser", "types", "typings", "react-native"].flatMap((key) =>
          typeof json[key] === "string" ? [[json[key] as string]] : []
        )
      : paths
        ? Object.values(exports as object).map(leaves)
        : [leaves(exports)]),
    ...leaves(json["bin"]).map((path) => [path])
  ]
  const library =
    exports !== undefined ||
    ["main", "module", "browser", "types", "typings"].some((key) => json[key] !== undefined)
  const published =
    json["private"] !== true &&
    (library || (json["name"] !== undefined && json["version"] !== undefined && json["bin"] === undefined))
  const entries = ways.length === 0 ? undefined : entriesOf(view, dir, ways, inside)
  const scripts = leaves(json["scripts"]).flatMap((line) =>
    [...line.matchAll(/[\w@.-][\w@./-]*\.[cm]?[jt]sx?\b/g)].map(([path]) =>
      joined(dir, path.replace(/^\.\//, ""))
    )
  )
  return {
    ecosystem: "npm",
    dir,
    published,
    entries,
    run: scripts.filter((path) => view.file(path) !== undefined),
    uses,
    name: typeof json["name"] === "string" ? json["name"] : undefined
  }
}

/** `pack.cli:start` in a manifest of Python, whichever way it is written: the name behind the colon. */
const calledBy = (text: string): ReadonlySet<string> =>
  new Set(
    [...text.matchAll(/=\s*["']?[A-Za-z_][\w.]*\s*:\s*([A-Za-z_]\w*)\s*(?:["'[]|$)/gm)].map(
      ([, name]) => name!
    )
  )

/** Whether a manifest of another kind than npm's is that of a library. */
const isLibrary = (view: GraphView, ecosystem: Ecosystem, dir: string, text: string): boolean => {
  switch (ecosystem) {
    case "cargo":
      return (
        !/^\s*publish\s*=\s*false/m.test(text) &&
        (/^\s*\[lib\]/m.test(text) || view.file(joined(dir, "src/lib.rs")) !== undefined)
      )
    case "jvm":
      return /maven-publish|java-library|distributionManagement|nexus-publish|vanniktech|signing\s*\{/.test(
        text
      )
    case "dotnet":
      return (
        !/<OutputType>\s*(?:Exe|WinExe)/i.test(text) &&
        /PackageId|IsPackable>\s*true|GeneratePackageOnBuild/i.test(text)
      )
    default:
      return true
  }
}

/** The packages of a view, the innermost first. */
export const packagesOf = (
  view: GraphView,
  readText: ReadFs["Type"]["readText"]
): Effect.Effect<ReadonlyArray<Package>> =>
  Effect.gen(function* () {
    const all = view.files().map(({ path }) => path)
    const manifests = all.filter(
      (path) => ecosystemOf(baseOf(path)) !== undefined && !path.includes("node_modules/")
    )
    const out: Array<Package> = []
    for (const path of manifests) {
      const ecosystem = ecosystemOf(baseOf(path))!
      const dir = dirOf(path)
      const read = yield* Effect.option(readText(path))
      const text = read._tag === "Some" ? read.value.text : ""
      if (ecosystem === "cargo" && !/^\s*\[package\]/m.test(text)) continue
      if (
        ecosystem === "python" &&
        baseOf(path) === "pyproject.toml" &&
        !/^\s*\[(?:project|tool\.poetry)\]/m.test(text)
      )
        continue
      out.push(
        ecosystem === "npm"
          ? npm(view, dir, text, () => all.filter((file) => isWithin(file, dir)))
          : {
              ecosystem,
              dir,
              published: isLibrary(view, ecosystem, dir, text),
              ...(ecosystem === "python" ? { called: calledBy(text) } : {})
            }
      )
    }
    return out.sort((a, b) => b.dir.length - a.dir.length || (a.dir < b.dir ? -1 : 1))
  })

const ofLanguage: { readonly [language: string]: Ecosystem } = {
  typescript: "npm",
  tsx: "npm",
  javascript: "npm",
  jsx: "npm",
  vue: "npm",
  svelte: "npm",
  go: "go",
  rust: "cargo",
  python: "python",
  java: "jvm",
  kotlin: "jvm",
  scala: "jvm",
  csharp: "dotnet"
}

/** Finds the package a file of a language belongs to. */
export const packageFinder = (
  packages: ReadonlyArray<Package>
): ((path: string, language: string) => Package | undefined) => {
  const known = new Map<string, Package | undefined>()
  return (path, language) => {
    const ecosystem = ofLanguage[language]
    if (ecosystem === undefined) return undefined
    const dir = dirOf(path)
    const key = `${ecosystem} ${dir}`
    if (!known.has(key))
      known.set(
        key,
        packages.find((each) => each.ecosystem === ecosystem && isWithin(dir, each.dir))
      )
    return known.get(key)
  }
}
