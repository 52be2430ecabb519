/** Moving a definition to another file, with the imports of everything that it uses or that uses it. */
import { Effect } from "effect"
import { failure, fromService, invalidArgument, type OperationFailure } from "../../registry/Failure.ts"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import {
  CodeGraph,
  type EdgeInfo,
  type GraphView,
  type SymbolInfo,
  type SymbolRef
} from "../../services/CodeGraph.ts"
import { LanguageReader } from "../../services/LanguageReader.ts"
import { LocalWriter } from "../../services/LocalWriter.ts"
import { OverlayView } from "../../services/OverlayView.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import { TextIndex } from "../../services/TextIndex.ts"
import * as Shared from "../fields.ts"
import { rebasedWithin, tieOf } from "./Bound.ts"
import { type Change, checkGuards, Drafts, type OpenFile, settle } from "./Drafts.ts"
import { type Excision, excisionOf } from "./Excise.ts"
import { refactor } from "./facade.ts"
import { alike } from "./Family.ts"
import { dryRun, guard } from "./fields.ts"
import {
  addImports,
  type ImportLanguage,
  importLanguage,
  importStatements,
  type NewImport,
  unusedImports,
  usesInCode,
  without
} from "./Imports.ts"
import { isOuterTest, packageOf } from "./GoPackage.ts"
import { judge, shown } from "./Judged.ts"
import { partsOf, whereIs } from "./Lexical.ts"
import { compareSites, type Site } from "./Sites.ts"
import { replaced } from "./SourceText.ts"
import {
  ecmascriptSpecifier,
  means,
  pythonAbsolute,
  pythonMeans,
  pythonRebased,
  pythonRelative,
  pythonRoot,
  rebased
} from "./Specifier.ts"
import { listingsOf, spelledUses, unlisted } from "./Spelled.ts"
import { moduleStyle } from "./Style.ts"
import { onDisk, targetOf } from "./Target.ts"

const refuse = (
  reason: string,
  message: string,
  data: { readonly [key: string]: unknown } = {},
  field = "target.symbol"
): OperationFailure =>
  failure("edit_conflict", message, { field, reason_code: reason, failure_stage: "preflight", data })

const systems = new Set(
  "aix android darwin dragonfly freebsd illumos ios js linux netbsd openbsd plan9 solaris wasip1 windows 386 amd64 arm arm64 loong64 mips mipsle mips64 mips64le ppc64 ppc64le riscv64 s390x wasm test unix".split(
    " "
  )
)
/** What of a Go file's name says when it is built: "" for always. */
const builtOnlyIf = (path: string): string =>
  path
    .slice(path.lastIndexOf("/") + 1)
    .replace(/\.go$/, "")
    .split("_")
    .slice(1)
    .filter((part) => systems.has(part))
    .join("_")

/** A circle of imports among Go packages through one of these files' packages; undefined when there is none. */
const packageCycle = (view: GraphView, paths: ReadonlyArray<string>): ReadonlyArray<string> | undefined => {
  const files = new Map<string, Array<string>>()
  for (const { language, path } of view.files()) {
    if (language !== "go" || path.endsWith("_test.go")) continue
    const own = files.get(folder(path))
    if (own === undefined) files.set(folder(path), [path])
    else own.push(path)
  }
  const imported = new Map<string, ReadonlySet<string>>()
  const importsOf = (home: string): ReadonlySet<string> => {
    let known = imported.get(home)
    if (known === undefined) {
      const found = new Set<string>()
      for (const path of files.get(home) ?? [])
        for (const { module } of view.imports(path)) {
          // Folders below a module end its packages' paths.
          for (let at = module; at !== ""; at = at.includes("/") ? at.slice(at.indexOf("/") + 1) : "")
            if (files.has(`${at}/`)) {
              found.add(`${at}/`)
              break
            }
        }
      imported.set(home, (known = found))
    }
    return known
  }
  for (const start of new Set(paths.map(folder))) {
    const trail = new Map<string, string | undefined>([[start, undefined]])
    const queue = [start]
    for (let home = queue.shift(); home !== undefined; home = queue.shift())
      for (const next of importsOf(home)) {
        if (next === start) {
          const circle = [start]
          for (let at: string | undefined = home; at !== undefined; at = trail.get(at)) circle.unshift(at)
          return circle.map((one) => (one === "" ? "." : one.replace(/\/$/, "")))
        }
        if (trail.has(next)) continue
        trail.set(next, home)
        queue.push(next)
      }
  }
  return undefined
}

const folder = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1)
const siteRows = (sites: ReadonlyArray<Site>) => ({
  sites: sites.slice(0, shown).map(({ line, path }) => ({ file: path, line })),
  total_sites: sites.length
})
const typeKinds = new Set(["interface", "type_alias"])

/** Whether one file reaches another by imports, as far as the graph knows them. */
const reaches = (view: GraphView, from: string, to: string): boolean => {
  const seen = new Set([from])
  const queue = [from]
  for (let at = 0; at < queue.length && at < 5000; at++)
    for (const { targets } of view.imports(queue[at]!))
      for (const ref of targets) {
        const path = view.pathOf(ref)
        if (path === to) return true
        if (!seen.has(path)) {
          seen.add(path)
          queue.push(path)
        }
      }
  return false
}

interface Moving {
  readonly view: GraphView
  readonly drafts: Drafts
  readonly symbol: SymbolInfo
  readonly group: ReadonlyArray<SymbolInfo>
  readonly language: ImportLanguage
  readonly source: OpenFile
  readonly destination: string
  /** Undefined for a new file. */
  readonly there: OpenFile | undefined
  /** The definition's text. */
  readonly text: string
  /** Uses outside of the definition itself. */
  readonly uses: ReadonlyArray<EdgeInfo>
  /** How files here write the ending of a module, when a file has no example of its own. */
  readonly style: string | undefined
  /** Definitions of the same file that it uses. */
  readonly needs: ReadonlyArray<SymbolInfo>
}

/** Adds changes that do not touch what changes already. */
const quietly = (
  drafts: Drafts,
  file: OpenFile,
  changes: ReadonlyArray<Pick<Change, "from" | "to" | "text">>,
  reason: string
) =>
  drafts.add(
    file,
    changes
      .filter(({ from, to }) => !file.changes.some((one) => one.from < to && from < one.to))
      .map((change) => ({ ...change, confidence: "resolved", reason }))
  )

/** The specifier of one file in another. `style` is an example of how the other writes them, undefined when it has none. */
const specifierOf = (
  { language, style, view }: Pick<Moving, "language" | "style" | "view">,
  from: OpenFile | { readonly path: string; readonly text: string },
  to: string,
  like: string | undefined,
  known: string
): string | undefined => {
  if (language === "python") {
    if (like?.startsWith(".") === true) return pythonRelative(from.path, to)
    if (like !== undefined) {
      const root = pythonRoot(like, known)
      return root === undefined ? undefined : pythonAbsolute(root, to)
    }
    if (folder(from.path) === folder(to) && view.file(`${folder(to)}__init__.py`) !== undefined)
      return pythonRelative(from.path, to)
    return pythonAbsolute(/^src\//.exec(to)?.[0] ?? "", to)
  }
  const text = "source" in from ? from.source.text : from.text
  const own =
    like ?? importStatements("ecmascript", text).find(({ module }) => module.startsWith("."))?.module
  return ecmascriptSpecifier(from.path, to, own ?? style)
}

/** A module named in the source as the destination would name it. */
const restyled = (moving: Moving, module: string): string => {
  const { destination, source, there, view } = moving
  const plain = rebased(module, source.path, destination)
  if (!module.startsWith(".")) return plain
  const path = view
    .imports(source.path)
    .filter((one) => one.module === module)
    .flatMap(({ targets }) => targets.map(view.pathOf))
    .find((target) => means(source.path, module, target))
  const like =
    there === undefined
      ? moving.style
      : (importStatements("ecmascript", there.source.text).find((one) => one.module.startsWith("."))
          ?.module ?? moving.style)
  return path === undefined || like === undefined ? plain : ecmascriptSpecifier(destination, path, like)
}

const moveByImports = (moving: Moving) =>
  Effect.gen(function* () {
    const { destination, drafts, group, language, needs, source, symbol, text, there, uses, view } = moving
    const { name } = symbol
    const ecma = language === "ecmascript"
    const isType = ecma && group.every(({ kind }) => typeKinds.has(kind))
    if (ecma && isCommonjs(source.source.text))
      return yield* refuse(
        "commonjs",
        `${source.path} exports by module.exports or takes by require(), which a move does not rewrite`
      )
    if (symbol.flags.includes("default_export"))
      return yield* refuse("default_export", `${name} is a default export, which belongs to its file`)
    const meant = (file: string, module: string): boolean =>
      ecma ? means(file, module, source.path) : pythonMeans(file, module, source.path)
    const imported = new Set(["import", "export"])

    // Its own file: does it use the symbol, and is it in a list there?
    const inSource = uses.filter(({ path }) => path === source.path)
    const statements = importStatements(language, source.source.text)
    const lists = inSource.filter((edge) => {
      const at = source.source.offset(edge.line, edge.column) ?? -1
      return statements.some(({ from, kind, to }) => kind === "export" && from <= at && at < to)
    })
    if (lists.length > 0)
      return yield* refuse("export_list", `${name} is exported in a list of its file`, siteRows(lists))
    const stays = inSource.filter(({ role }) => !imported.has(role))

    // Everything it needs of its own file has to be importable.
    const hidden = ecma ? needs.filter(({ flags }) => !flags.includes("exported")) : []
    const sourceSpecifier = specifierOf(
      moving,
      there ?? { path: destination, text: "" },
      source.path,
      undefined,
      source.path
    )
    const valueNeeds = needs.filter(({ kind }) => !typeKinds.has(kind))
    if (
      (stays.length > 0 && !isType && valueNeeds.length > 0) ||
      (valueNeeds.length > 0 && reaches(view, source.path, destination)) ||
      (stays.length > 0 &&
        !isType &&
        reaches(view, destination, source.path) &&
        there !== undefined &&
        usesOther(language, there, name))
    )
      return yield* refuse("circular_import", `${source.path} and ${destination} would import each other`, {
        needs: valueNeeds.map(({ id }) => id),
        used_at: stays.slice(0, shown).map(({ line }) => line)
      })
    for (const one of hidden) {
      const at = source.source.offset(one.start_line, one.start_column)!
      yield* drafts.add(source, [
        { from: at, to: at, text: "export ", confidence: "resolved", reason: "export" }
      ])
    }
    const wanted: Array<NewImport> = needs.map((one) => ({
      module: sourceSpecifier!,
      entry: { imported: one.name, local: one.name, type: ecma && typeKinds.has(one.kind) }
    }))
    const lost: Array<string> = []
    for (const statement of statements) {
      if (statement.kind !== "import") continue
      for (const entry of statement.entries) {
        if (entry.local === "" || usesInCode(language, text, entry.local) === 0) continue
        const own = ecma
          ? means(source.path, statement.module, destination)
          : pythonMeans(source.path, statement.module, destination)
        if (own) {
          if (entry.imported !== entry.local) lost.push(entry.local)
          continue
        }
        wanted.push({
          module: ecma
            ? restyled(moving, statement.module)
            : pythonRebased(statement.module, source.path, destination),
          entry: { ...entry, type: entry.type || statement.type }
        })
      }
    }
    if (lost.length > 0)
      return yield* refuse(
        "alias_of_destination",
        `${lost.join(", ")} would have another name in ${destination}`
      )

    // Names that the destination has already.
    if (there !== undefined) {
      const taken = importStatements(language, there.source.text)
        .filter(({ kind }) => kind === "import")
        .flatMap((statement) => statement.entries.map((entry) => ({ ...entry, module: statement.module })))
      const bound = new Set(
        view
          .definitions(destination)
          .map((ref) => view.symbol(ref))
          .filter(({ qualified, name: own }) => qualified === own)
          .map((one) => one.name)
      )
      for (const { entry, module } of wanted) {
        const clash = taken.find(
          (one) => one.local === entry.local && !(one.module === module && one.imported === entry.imported)
        )
        if (clash !== undefined || bound.has(entry.local))
          return yield* refuse(
            "name_taken",
            `${entry.local} means something else in ${destination}`,
            { name: entry.local },
            "destination"
          )
      }
      const clash = taken.find((one) => one.local === name && !meant(destination, one.module))
      if (clash !== undefined)
        return yield* refuse("name_taken", `${destination} imports another ${name}`, { name }, "destination")
    }

    // Who imports it.
    const qualified: Array<Site> = []
    const importers = new Map<string, Array<EdgeInfo>>()
    for (const edge of uses) {
      if (edge.path === source.path) continue
      const list = importers.get(edge.path)
      if (list === undefined) importers.set(edge.path, [edge])
      else list.push(edge)
    }
    const stars = new Set<string>()
    const ref = view.fileRef(source.path)
    for (const edge of ref === undefined ? [] : view.incoming(ref)) stars.add(edge.path)
    for (const path of new Set([...importers.keys(), ...stars])) {
      if (path === source.path) continue
      const file = yield* drafts.open(path)
      const { text: body } = file.source
      const own = importStatements(language, body)
      const edges = importers.get(path) ?? []
      for (const edge of edges) {
        if (imported.has(edge.role)) continue
        const at = file.source.offset(edge.line, edge.column)
        if (at !== undefined && /\.\s*$/.test(body.slice(file.source.start(edge.line), at)))
          qualified.push(edge)
      }
      const added: Array<NewImport> = []
      const changes: Array<Pick<Change, "from" | "to" | "text">> = []
      for (const statement of own) {
        if (!meant(path, statement.module)) continue
        const specifier = specifierOf(moving, file, destination, statement.module, source.path)
        if (specifier === undefined)
          return yield* refuse(
            "unsayable_import",
            `${path} cannot name ${destination} the way it names ${source.path}`,
            { file: path }
          )
        const star = statement.entries.some((entry) => entry.imported === "*" && entry.local === "")
        if (star && statement.kind === "export" && symbol.flags.includes("exported")) {
          if (path !== destination)
            changes.push({
              from: statement.to,
              to: statement.to,
              text: `${file.source.lineBreak}export ${isType ? "type " : ""}{ ${name} } from ${body[body.indexOf(statement.module, statement.from) - 1]}${specifier}${body[body.indexOf(statement.module, statement.from) - 1]}`
            })
          continue
        }
        if (
          !ecma &&
          statement.entries.some((entry) => entry.imported === "*" && statement.render !== undefined)
        ) {
          qualified.push({ path, line: file.source.place(statement.from).line, column: 0 })
          continue
        }
        const entries = statement.entries.filter((entry) => entry.imported === name)
        if (entries.length === 0) continue
        const change = without(body, statement, (entry) => entry.imported === name)
        if (change === undefined || statement.render === undefined)
          return yield* refuse("unsayable_import", `an import in ${path} cannot be rewritten`, { file: path })
        if (path === destination) {
          if (entries.some((entry) => entry.local !== name))
            return yield* refuse("alias_of_destination", `${destination} calls ${name} something else`, {
              file: path
            })
          changes.push(change)
        } else if (entries.length === statement.entries.length) {
          const at = body.lastIndexOf(statement.module, statement.to)
          changes.push({ from: at, to: at + statement.module.length, text: specifier })
        } else if (statement.kind === "export") {
          const said = statement.render(entries)
          changes.push(change, {
            from: statement.to,
            to: statement.to,
            text: file.source.lineBreak + said.replace(statement.module, specifier)
          })
        } else {
          changes.push(change)
          for (const entry of entries)
            added.push({ module: specifier, entry: { ...entry, type: entry.type || statement.type } })
        }
      }
      yield* quietly(drafts, file, changes, "import")
      if (added.length > 0) {
        const extra = addImports(language, body, added)
        for (const one of extra)
          if (file.changes.some((change) => change.from < one.to && one.from < change.to))
            return yield* refuse("unsayable_import", `the imports of ${path} cannot be rewritten`, {
              file: path
            })
        yield* quietly(drafts, file, extra, "import")
      }
    }
    if (qualified.length > 0)
      return yield* refuse(
        "qualified_use",
        `${name} is used through its module as a whole`,
        siteRows(qualified)
      )

    // The text itself.
    let moved = text
    const seenOutside =
      uses.some(({ path }) => path !== destination && path !== source.path) || stays.length > 0
    if (ecma && seenOutside && !symbol.flags.includes("exported")) {
      const head = source.source.text.slice(
        source.source.offset(symbol.start_line, symbol.start_column)!,
        source.source.end(symbol.start_line)
      )
      moved = text.replace(head, () => `export ${head}`)
    }
    if (stays.length > 0) {
      const specifier = specifierOf(moving, source, destination, undefined, source.path)
      if (specifier === undefined)
        return yield* refuse("unsayable_import", `${source.path} cannot name ${destination}`)
      yield* quietly(
        drafts,
        source,
        addImports(language, source.source.text, [
          { module: specifier, entry: { imported: name, local: name, type: isType } }
        ]),
        "import"
      )
    }
    return { wanted, moved }
  })

/** Whether a file is a module by `module.exports` or `require()` and not by import and export. */
const isCommonjs = (text: string): boolean => {
  const parts = partsOf(text, "javascript")
  const code = (pattern: RegExp) =>
    [...text.matchAll(pattern)].some(({ index }) => whereIs(parts, index) === "code")
  return (
    code(/(?<![\p{ID_Continue}$.])(?:module\.exports\b|exports\.[\p{ID_Start}$_]|require\s*\(\s*["'])/gu) &&
    !code(/^(?:import\b\s*[\w"'{*]|export\b)/gm)
  )
}

/** Whether a file uses a name of another in code at all. */
const usesOther = (language: ImportLanguage, file: OpenFile, name: string): boolean =>
  usesInCode(language, file.source.text, name) > 0

/** The import path of a folder, by the go.mod above it. */
const goPath = (drafts: Drafts, at: string) =>
  Effect.gen(function* () {
    const fs = yield* ReadFs
    const parts = at.split("/").filter((part) => part !== "")
    for (let depth = parts.length; depth >= 0; depth--) {
      const above = parts
        .slice(0, depth)
        .map((part) => `${part}/`)
        .join("")
      if (drafts.view.file(`${above}go.mod`) === undefined) continue
      const mod = yield* Effect.option(fs.readText(`${above}go.mod`))
      const module = mod._tag === "None" ? undefined : /^module[ \t]+(\S+)/m.exec(mod.value.text)?.[1]
      if (module !== undefined) return [module, ...parts.slice(depth)].join("/")
    }
    return undefined
  })

const moveInGo = (moving: Moving, targetPackage: string | undefined) =>
  Effect.gen(function* () {
    const { destination, drafts, group, source, symbol, text, there, uses, view } = moving
    const { name } = symbol
    const same = folder(destination) === folder(source.path)
    const oldPackage = packageOf(source.source.text)
    const beside = view
      .files()
      .find(
        ({ language, path }) =>
          language === "go" && !path.endsWith("_test.go") && folder(path) === folder(destination)
      )
    const besideText = beside === undefined ? undefined : (yield* drafts.open(beside.path)).source.text
    const newPackage =
      there === undefined
        ? same
          ? oldPackage
          : (targetPackage ??
            (besideText === undefined ? undefined : packageOf(besideText)) ??
            folder(destination).split("/").at(-2) ??
            "main")
        : packageOf(there.source.text)
    if (oldPackage === undefined || newPackage === undefined)
      return yield* refuse(
        "no_package_clause",
        `a package clause is missing in ${source.path} or ${destination}`
      )
    const wanted: Array<NewImport> = []
    for (const statement of importStatements("go", source.source.text))
      for (const entry of statement.entries)
        if (entry.local !== "_" && entry.local !== "." && usesInCode("go", text, entry.local) > 0)
          wanted.push({ module: statement.module, entry })
    // Directives ask for the import of a package that the code need not name.
    for (const [directive, module] of [
      [/^\/\/go:embed\b/m, "embed"],
      [/^\/\/go:linkname\b/m, "unsafe"]
    ] as const)
      if (
        directive.test(text) &&
        !wanted.some((one) => one.module === module) &&
        !importStatements("go", there?.source.text ?? "").some((one) => one.module === module)
      )
        wanted.push({ module, entry: { imported: "*", local: "_", type: false } })
    if (same && newPackage === oldPackage) return { wanted, moved: text, newPackage }

    if (!/^\p{Lu}/u.test(name) && uses.length > 0)
      return yield* refuse(
        "not_exported",
        `${name} is not visible in other packages that would use it`,
        siteRows(uses)
      )
    const owned = view.members(symbol.ref).filter((ref) => view.symbol(ref).kind === "method")
    if (owned.length > 0 && group.some(({ kind }) => kind !== "interface"))
      return yield* refuse("has_methods", `${name} has methods, which stay in its package`, {
        methods: owned.map(view.idOf)
      })
    // All of the package is in scope without an import.
    const outside = new Map<string, SymbolInfo>()
    for (const one of group)
      for (const edge of view.outgoing(one.ref)) {
        if (view.isFile(edge.to)) continue
        const to = view.symbol(edge.to)
        if (folder(to.path) === folder(source.path) && !to.qualified.includes(".") && to.ref !== symbol.ref)
          outside.set(to.id, to)
      }
    const inner = [...outside.values()].filter(
      (to) => !group.some((one) => one.id === to.id || to.qualified.startsWith(`${one.qualified}.`))
    )
    if (inner.length > 0)
      return yield* refuse("needs_package", `${name} uses definitions of its package`, {
        needs: inner.map(({ id }) => id)
      })
    const oldPath = yield* goPath(drafts, folder(source.path))
    const newPath = yield* goPath(drafts, folder(destination))
    if (oldPath === undefined || newPath === undefined)
      return yield* refuse("no_module", "no go.mod says what the packages are called")
    // Tests of a package from outside are a package of their own.
    const outer = new Set<string>()
    for (const path of new Set(uses.map((edge) => edge.path)))
      if (isOuterTest(path, (yield* drafts.open(path)).source.text)) outer.add(path)
    const stays = uses.filter(({ path }) => folder(path) === folder(source.path) && !outer.has(path))
    if (stays.length > 0 && wanted.some(({ module }) => module === oldPath))
      return yield* refuse("circular_import", `${oldPath} and ${newPath} would import each other`)
    const reachesBack = view
      .files()
      .filter(({ path }) => folder(path) === folder(destination) && !outer.has(path))
      .some(({ path }) => view.imports(path).some(({ module }) => module === oldPath))
    if (stays.length > 0 && reachesBack)
      return yield* refuse("circular_import", `${oldPath} and ${newPath} would import each other`)
    for (const path of new Set(uses.map((edge) => edge.path))) {
      const file = yield* drafts.open(path)
      const { text: body } = file.source
      const alias = importStatements("go", body).find(({ module }) => module === oldPath)?.entries[0]?.local
      const home = folder(path) === folder(destination) && packageOf(body) === newPackage
      const changes: Array<Pick<Change, "from" | "to" | "text">> = []
      for (const edge of uses) {
        if (edge.path !== path) continue
        const at = file.source.offset(edge.line, edge.column)
        if (at === undefined || !body.startsWith(name, at)) continue
        const before = /([\p{L}_][\p{L}\p{Nd}_]*)\s*\.\s*$/u.exec(
          body.slice(file.source.start(edge.line), at)
        )
        const from = before === null ? at : file.source.start(edge.line) + before.index
        if (before !== null && before[1] !== alias)
          return yield* refuse("qualified_use", `${name} is used through ${before[1]}`, siteRows([edge]))
        changes.push({ from, to: at + name.length, text: home ? name : `${newPackage}.${name}` })
      }
      yield* quietly(drafts, file, changes, "reference")
      if (!home) {
        yield* quietly(
          drafts,
          file,
          addImports("go", body, [
            { module: newPath, entry: { imported: "*", local: newPackage, type: false } }
          ]),
          "import"
        )
      }
      yield* quietly(drafts, file, unusedImports("go", body, replaced(body, file.changes)), "unused import")
    }
    return { wanted, moved: text, newPackage }
  })

const needs = [LocalWriter, ReadFs, CodeGraph, OverlayView, LanguageReader, TextIndex] as const

export const move: Member<typeof refactor, "move", typeof needs> = refactor.operation("move", {
  tool: "move_symbol",
  flat: { destination: "target_file" },
  summary: "Move a symbol to another file and rewrite what refers to it.",
  input: F.input({
    target: F.target({ symbol: Shared.symbol }),
    destination: F.aliased(F.described(F.path, "file to move it to"), "target_file"),
    guard,
    dry_run: dryRun,
    options: F.group({ target_package: F.optional(F.described(F.text, "package name of a new folder")) })
  }),
  needs,
  handler: ({ destination: given, dry_run, guard: guards, options, target: { symbol: words } }) =>
    Effect.gen(function* () {
      const view = yield* onDisk
      const drafts = new Drafts(view, "target.symbol")
      yield* checkGuards(view, guards)
      const fs = yield* ReadFs
      const { symbol } = yield* targetOf(view, drafts, words, "move")
      if (symbol === undefined)
        return yield* refuse("unknown_definition", `the graph has no definition of ${words}`)
      const destination = yield* Effect.mapError(fs.relative(given), (cause) =>
        fromService(cause, { field: "destination", failure_stage: "resolve" })
      )
      const language = importLanguage(symbol.language)
      if (language === undefined)
        return yield* failure(
          "capability_unavailable",
          `symbols of ${symbol.language} cannot be moved; TypeScript, JavaScript, Python and Go can`,
          {
            field: "target.symbol",
            reason_code: "language_not_supported",
            failure_stage: "resolve"
          }
        )
      const endings = { ecmascript: /\.[cm]?[jt]sx?$/, python: /\.pyi?$/, go: /\.go$/ }
      if (!endings[language].test(destination))
        return yield* invalidArgument("destination", `${destination} is no file of ${symbol.language}`, {
          reason_code: "other_language"
        })
      if (destination === symbol.path)
        return yield* invalidArgument("destination", `${symbol.id} is there already`, {
          reason_code: "same_file"
        })
      if (language === "go" && builtOnlyIf(destination) !== builtOnlyIf(symbol.path))
        return yield* invalidArgument(
          "destination",
          `${destination} is not built whenever ${symbol.path} is`,
          { reason_code: "other_build" }
        )
      const parent = view.parent(symbol.ref)
      if (symbol.qualified !== symbol.name || (parent !== undefined && !view.isFile(parent)))
        return yield* refuse("not_top_level", `${symbol.id} is part of something else`)
      const source = yield* drafts.open(symbol.path)
      const there = view.fileRef(destination) === undefined ? undefined : yield* drafts.open(destination)
      if (there === undefined && (yield* Effect.isSuccess(fs.readText(destination))))
        return yield* refuse("not_indexed", `${destination} is there and not in the graph`, {}, "destination")
      const group = alike(view, symbol.ref).map((ref) => view.symbol(ref))
      const taken = view
        .definitions(destination)
        .map((ref) => view.symbol(ref))
        .filter(({ name, qualified }) => qualified === name && name === symbol.name)
      if (taken.length > 0)
        return yield* refuse(
          "name_taken",
          `${destination} defines ${symbol.name} already`,
          { definitions: taken.map(({ id }) => id) },
          "destination"
        )

      const excisions: Array<Excision> = []
      for (const one of group) {
        const excision = excisionOf(view, source.source, one)
        if ("problem" in excision)
          return yield* refuse("not_alone", `${one.id} cannot be taken out: ${excision.problem}`)
        excisions.push(excision)
      }
      const gone = new Set<SymbolRef>()
      const queue = group.map(({ ref }) => ref)
      for (let at = 0; at < queue.length; at++) {
        gone.add(queue[at]!)
        queue.push(...view.children(queue[at]!))
      }
      const uses = new Map<string, EdgeInfo>()
      for (const { ref } of group)
        for (const edge of view.incoming(ref))
          if (!gone.has(edge.from) && edge.tier !== "name")
            uses.set(`${edge.path}\0${edge.line}\0${edge.column}`, edge)
      // The word `export` before a default is no use.
      const sites = [...uses.values()].filter((edge) => edge.name === symbol.name || edge.role !== "export")
      const needs = new Map<string, SymbolInfo>()
      for (const ref of gone)
        for (const edge of view.outgoing(ref)) {
          if (
            view.isFile(edge.to) ||
            gone.has(edge.to) ||
            view.pathOf(edge.to) !== symbol.path ||
            edge.tier === "name"
          )
            continue
          const to = view.symbol(edge.to)
          if (to.qualified === to.name) needs.set(to.name, to)
        }
      const plain = excisions.map((one) => one.text).join(source.source.lineBreak)
      const tie = tieOf(language, plain, symbol.path, destination)
      if (tie !== undefined)
        return yield* refuse(
          tie.reason,
          `${symbol.id} would mean something else in ${destination}: ${tie.word}`,
          {
            tie: tie.word
          }
        )
      const text = rebasedWithin(language, plain, symbol.path, destination)
      const leaves = (path: string, at: number): boolean =>
        path === symbol.path && excisions.some(({ from, to }) => from <= at && at < to)
      const named = (yield* spelledUses(view, drafts, symbol)).filter(
        ({ how, offset, path }) => how !== "key" && !leaves(path, offset)
      )
      if (named.length > 0)
        return yield* refuse(
          "named_in_text",
          `${symbol.name} is named in strings or comments that say where it is`,
          siteRows(named)
        )
      const moving: Moving = {
        view,
        drafts,
        symbol,
        group,
        language,
        source,
        destination,
        there,
        text,
        style: language === "ecmascript" ? yield* moduleStyle(drafts, symbol.path, destination) : undefined,
        uses: sites,
        needs: [...needs.values()]
      }
      const { moved, wanted, ...rest } =
        language === "go" ? yield* moveInGo(moving, options.target_package) : yield* moveByImports(moving)
      // The list of public names of its file goes with it, unless the file still has the name.
      const again =
        language === "python" &&
        drafts
          .get(symbol.path)!
          .changes.some(
            ({ reason, text: said }) => reason === "import" && new RegExp(`\\b${symbol.name}\\b`).test(said)
          )
      let listed = false
      if (language === "python" && !again)
        for (const { at, file } of yield* listingsOf(
          drafts,
          group.map(({ ref }) => ref)
        ))
          if (file.path === symbol.path) {
            listed = true
            yield* drafts.add(source, [
              { ...unlisted(source.source.text, at, symbol.name), confidence: "resolved", reason: "__all__" }
            ])
          }
      for (const { from, to } of excisions)
        yield* drafts.add(source, [{ from, to, text: "", confidence: "exact", reason: "definition" }])
      const eol = source.source.lineBreak
      yield* quietly(
        drafts,
        source,
        unusedImports(language, source.source.text, replaced(source.source.text, source.changes)),
        "unused import"
      )
      const gap = language === "python" ? eol + eol : eol
      if (there === undefined) {
        const head = "newPackage" in rest ? `package ${rest.newPackage}${eol}` : ""
        const imports = replaced(head, addImports(language, head, wanted))
        drafts.create(
          destination,
          `${imports}${imports === "" || imports.endsWith(eol + eol) ? "" : gap}${moved}${eol}`.replace(
            /^(?:\r?\n)+/,
            ""
          )
        )
      } else {
        const { text: body } = there.source
        const behind = body.trimEnd().length
        yield* quietly(drafts, there, addImports(language, body, wanted), "import")
        if (listed) {
          const last = /^__all__\s*=\s*[[(][^\])]*["'](?=\s*,?\s*[\])])/m.exec(body)
          if (last !== null) {
            const at = last.index + last[0].length
            yield* drafts.add(there, [
              {
                from: at,
                to: at,
                text: `, ${body[at - 1]}${symbol.name}${body[at - 1]}`,
                confidence: "resolved",
                reason: "__all__"
              }
            ])
          }
        }
        yield* drafts.add(there, [
          {
            from: Math.max(behind, ...there.changes.map((change) => Math.min(change.to, body.length))),
            to: body.length,
            text: `${behind === 0 ? "" : eol + gap}${moved}${eol}`,
            confidence: "exact",
            reason: "definition"
          }
        ])
      }

      // The graph as it would be: every use leads to the new place.
      const overlays = yield* OverlayView
      const later = yield* Effect.mapError(overlays.over(drafts.overlay), (cause) => fromService(cause))
      const circle =
        language === "go"
          ? packageCycle(
              later,
              drafts.overlay.map(({ path }) => path)
            )
          : undefined
      if (circle !== undefined)
        return yield* refuse("circular_import", `packages would import each other: ${circle.join(" -> ")}`, {
          packages: circle
        })
      const now = later.definitions(destination).filter((ref) => later.symbol(ref).qualified === symbol.name)
      if (now.length !== group.length)
        return yield* refuse("definition_lost", `${symbol.name} would not be defined in ${destination}`)
      const after = now.flatMap((ref) => later.incoming(ref)).filter(({ tier }) => tier !== "name")
      const { lost } = yield* compareSites(
        drafts,
        sites.filter(({ role }) => role !== "import" && role !== "export"),
        after
      )
      if (lost.length > 0)
        return yield* refuse(
          "reference_lost",
          `${lost.length} uses of ${symbol.name} would lead nowhere or elsewhere`,
          siteRows(lost)
        )
      const judged = yield* judge(drafts, symbol.language)
      const rows = [...drafts.rows()]
      const touched = [
        ...drafts.touched.map(({ path }) => ({
          path,
          role: path === source.path ? "source" : path === destination ? "destination" : "reference",
          edits: rows.filter(({ file }) => file === path).length
        })),
        ...[...drafts.created.keys()].map((path) => ({ path, role: "destination", created: true }))
      ]
      const settled = yield* settle(drafts, {
        dryRun: dry_run,
        allowParseErrors: false,
        sound: judged?.sound,
        field: "destination"
      })
      const reader = yield* LanguageReader
      if (!dry_run) yield* reader.changed(drafts.overlay.map(({ path }) => path))
      return {
        status: dry_run ? "would_apply" : "applied",
        source_id: symbol.id,
        target_id: `${destination}::${symbol.name}`,
        ...(language === "go"
          ? {
              source_package: folder(source.path) || ".",
              target_package: folder(destination) || ".",
              same_package: folder(source.path) === folder(destination)
            }
          : {}),
        references_rewritten: rows.filter(({ reason }) => reason === "import" || reason === "reference")
          .length,
        touched,
        files_touched: touched.length,
        ...settled,
        ...(dry_run ? { edits: rows.slice(0, 100), snapshot: view.generation } : {}),
        verification: judged === undefined ? "graph" : "language_server"
      }
    })
})
