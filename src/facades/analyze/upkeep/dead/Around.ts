/** What texts say about uses the graph does not hold: star exports, assembly, directives of Go, names looked up at run time. */
import { Effect } from "effect"
import type { GraphView } from "../../../../services/CodeGraph.ts"
import type { GraphColumns } from "../../../../services/GraphColumns.ts"
import type { ReadFs } from "../../../../services/ReadFs.ts"
import type { TextIndex, TextMatch } from "../../../../services/TextIndex.ts"
import { packageFinder, packagesOf } from "./Manifests.ts"
import type { Around } from "./Unused.ts"

const dirOf = (path: string): string => (path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "")

/** Lines of files of some kind that fit a pattern. A search that fails finds nothing. */
const lines = (
  text: TextIndex["Type"],
  pattern: string,
  where: { readonly globs?: ReadonlyArray<string>; readonly languages?: ReadonlyArray<string> }
): Effect.Effect<ReadonlyArray<TextMatch>> =>
  Effect.match(
    text.search({ pattern, regexp: true, limit: 100_000, mode: "matches", deadline_ms: 5000, ...where }),
    { onFailure: () => [], onSuccess: ({ matches }) => matches }
  )

const endings = [
  "",
  ".ts",
  ".tsx",
  ".mts",
  ".cts",
  ".js",
  ".jsx",
  ".mjs",
  ".cjs",
  "/index.ts",
  "/index.tsx",
  "/index.js"
]

/** The file a relative module of a file means. */
const fileOf = (view: GraphView, from: string, module: string): string | undefined => {
  const parts = dirOf(from) === "" ? [] : dirOf(from).split("/")
  for (const part of module.split("/")) {
    if (part === "..") parts.pop()
    else if (part !== ".") parts.push(part)
  }
  const stem = parts.join("/")
  for (const base of [stem, stem.replace(/\.[cm]?jsx?$/, "")])
    for (const ending of endings)
      if (view.file(base + ending)?.skipped === undefined && view.file(base + ending) !== undefined)
        return base + ending
  return undefined
}

/** Files named by `export * from`, by the file that says so. */
const starsOf = (view: GraphView, text: TextIndex["Type"]) =>
  Effect.map(
    lines(text, String.raw`export\s*(?:type\s*)?\*\s*(?:as\s+[\w$]+\s*)?from\s*["']\.`, {
      languages: ["typescript", "tsx", "javascript", "jsx"]
    }),
    (matches) => {
      const out = new Map<string, Array<string>>()
      for (const match of matches) {
        const module = /from\s*["'](\.[^"']*)["']/.exec(match.text)?.[1]
        const target = module === undefined ? undefined : fileOf(view, match.path, module)
        if (target === undefined) continue
        const own = out.get(match.path)
        if (own === undefined) out.set(match.path, [target])
        else own.push(target)
      }
      return out
    }
  )

/** Names that pages written in other languages import from code. */
const importedByPages = (text: TextIndex["Type"]) =>
  Effect.map(
    lines(text, String.raw`^\s*import\s.*\bfrom\s`, { globs: ["**/*.mdx", "**/*.astro"] }),
    (matches) =>
      matches.flatMap(({ text: line }) =>
        [
          ...(/^\s*import\s(.*)\bfrom\s/.exec(line)?.[1] ?? "").matchAll(
            /[\p{ID_Start}$_][\p{ID_Continue}$]*/gu
          )
        ].map(([name]) => name)
      )
  )

/** Files that the settings of tools name, as those that are run before tests. */
const namedInSettings = (view: GraphView, text: TextIndex["Type"]) =>
  Effect.map(
    lines(text, String.raw`["']\.{1,2}/[^"']+["']`, { globs: ["**/*.config.*", "**/package.json"] }),
    (matches) =>
      matches.flatMap(({ path, text: line }) =>
        [...line.matchAll(/["'](\.{1,2}\/[^"']+)["']/g)].flatMap(
          ([, module]) => fileOf(view, path, module!) ?? []
        )
      )
  )

const builtins =
  /^(?:node:|bun:|deno:|https?:|data:|(?:assert|async_hooks|buffer|child_process|cluster|console|constants|crypto|dgram|diagnostics_channel|dns|domain|events|fs|http|http2|https|inspector|module|net|os|path|perf_hooks|process|punycode|querystring|readline|repl|stream|string_decoder|timers|tls|trace_events|tty|url|util|v8|vm|wasi|worker_threads|zlib)(?:\/|$))/

/** Names used of modules that are neither here nor known dependencies, such as those an alias of a bundler leads to. */
const unknownNames = (view: GraphView, dependencies: ReadonlySet<string>): Set<string> => {
  const out = new Set<string>()
  const folders = new Set<string>()
  for (const { path } of view.files()) for (const part of path.split("/").slice(0, -1)) folders.add(part)
  for (const { language, path, skipped } of view.files()) {
    if (skipped !== undefined || language === undefined) continue
    const python = language === "python"
    if (!python && !["typescript", "tsx", "javascript", "jsx", "vue", "svelte"].includes(language)) continue
    for (const { imported, members, module } of view.outside(path)) {
      const parts = module.split("/")
      const name = module.startsWith("@") ? parts.slice(0, 2).join("/") : parts[0]!
      // What a package that is not ours calls its modules says nothing of a folder here.
      const foreign = python
        ? !folders.has(module.split(".")[0]!)
        : builtins.test(module) || dependencies.has(name)
      if (foreign) continue
      if (imported !== undefined) out.add(imported)
      for (const member of members) out.add(member)
    }
  }
  return out
}

/** What the calls of `getattr` on a line ask, and for which name; undefined for one that is made at run time. */
const askedByName = (
  line: string
): ReadonlyArray<{ readonly of: string; readonly name: string | undefined }> =>
  [...line.matchAll(/\bgetattr\(\s*([\w.]+)\s*,\s*(?:(["'])(\w+)\2\s*[,)])?/g)].map(
    ([, of = "", , name]) => ({
      of: of.slice(of.lastIndexOf(".") + 1),
      name
    })
  )

/** Files of Python whose names, and those whose members, are looked up by names made at run time, and what is by its own. */
const lookedUpIn = (view: GraphView, text: TextIndex["Type"]) =>
  Effect.gen(function* () {
    const names = new Set<string>()
    const members = new Set<string>()
    const told = new Set<string>()
    const ways = String.raw`\b(?:globals|vars)\(\)|\bsys\.modules\[__name__\]`
    for (const { path } of yield* lines(text, ways, { languages: ["python"] })) names.add(path)
    for (const { path, text: line } of yield* lines(text, String.raw`\bgetattr\(`, { languages: ["python"] }))
      for (const { name, of } of askedByName(line)) {
        if (name === undefined && (of === "self" || of === "cls")) members.add(path)
        for (const { local, targets } of view.imports(path))
          if (local === of || local.endsWith(`.${of}`))
            for (const target of targets)
              if (name === undefined) names.add(view.pathOf(target))
              else told.add(`${view.pathOf(target)} ${name}`)
      }
    return { names, members, told }
  })

const known = new WeakMap<GraphColumns, Around>()

/** What is known around a view; gathered once for each snapshot. */
export const aroundOf = (
  view: GraphView,
  fs: ReadFs["Type"],
  text: TextIndex["Type"]
): Effect.Effect<Around> =>
  Effect.gen(function* () {
    const { columns } = view
    const before = known.get(columns)
    if (before !== undefined) return before
    const present = new Set<string>()
    for (const node of columns.fileNodes) {
      const language = columns.languages[node]!
      if (language !== 255) present.add(columns.languageNames[language]!)
    }
    const packages = yield* packagesOf(view, fs.readText)
    const ecmascript = ["typescript", "tsx", "javascript", "jsx"].some((each) => present.has(each))
    const stars = ecmascript ? yield* starsOf(view, text) : new Map<string, Array<string>>()
    const starred = new Set([...stars.values()].flat())

    // What an entry publishes on is an entry too.
    const entries = new Set<string>()
    const queue = packages.flatMap(({ entries: own, run }) => [...(own ?? []), ...(run ?? [])])
    if (ecmascript) queue.push(...(yield* namedInSettings(view, text)))
    const roleExport = columns.roleNames.indexOf("export")
    const roleImport = columns.roleNames.indexOf("import")
    for (let at = 0; at < queue.length; at++) {
      const path = queue[at]!
      if (entries.has(path)) continue
      entries.add(path)
      queue.push(...(stars.get(path) ?? []))
      const ref = view.fileRef(path)
      const node = ref === undefined ? -1 : columns.nodeOf(ref)
      if (node < 0) continue
      for (let e = columns.out.starts[node]!; e < columns.out.starts[node + 1]!; e++) {
        const to = columns.out.others[e]!
        const role = columns.roles[e]!
        if (
          columns.files[to] === to &&
          to !== node &&
          (role === roleExport || (role === roleImport && columns.importBits[e] !== 2))
        )
          queue.push(view.pathOf(columns.refOf(to)))
      }
    }

    const assembly = new Map<string, Set<string>>()
    const linknames = new Set<string>()
    if (present.has("go")) {
      for (const { path, text: line } of yield* lines(text, "·[\\p{L}_]", { globs: ["*.s", "*.S"] })) {
        const own = assembly.get(dirOf(path)) ?? new Set<string>()
        assembly.set(dirOf(path), own)
        for (const [, name] of line.matchAll(/·([\p{L}_][\p{L}\p{N}_]*)/gu)) own.add(name!)
      }
      for (const { text: line } of yield* lines(text, "^//go:linkname ", { languages: ["go"] })) {
        const [, here, there] = line.trim().split(/\s+/)
        if (here !== undefined) linknames.add(here)
        if (there !== undefined) linknames.add(there.slice(there.lastIndexOf(".") + 1))
      }
    }
    const targets = new Set<string>()
    if (present.has("go"))
      for (const { path } of yield* lines(text, String.raw`^//\s*(?:go:build|\+build)\b.*\bmage\b`, {
        languages: ["go"]
      }))
        targets.add(path)
    const lookedUp = present.has("python")
      ? yield* lookedUpIn(view, text)
      : { names: new Set<string>(), members: new Set<string>(), told: new Set<string>() }
    // A package of this workspace is none that is only installed.
    const own = new Set(packages.map(({ name }) => name))
    const dependencies = new Set(
      packages.flatMap(({ uses }) => [...(uses ?? [])]).filter((name) => !own.has(name))
    )
    const unknown = unknownNames(view, dependencies)
    if (ecmascript) for (const name of yield* importedByPages(text)) unknown.add(name)
    const made: Around = {
      packageOf: packageFinder(packages),
      unknown,
      entries,
      starred,
      assembly,
      linknames,
      targets,
      lookedUp
    }
    known.set(columns, made)
    return made
  })
