/** Definitions without uses, and for each what speaks for and against its being dead. A pass over the columns. */
import type { GraphView } from "../../../../services/CodeGraph.ts"
import type { GraphColumns } from "../../../../services/GraphColumns.ts"
import { conventionOf, familyOf, isCalledByLanguage, isSetAside } from "./Conventions.ts"
import type { Package } from "./Manifests.ts"

/** Why a definition without uses is not called dead. */
export const reasons = [
  "entry_point",
  "exported_api",
  "convention",
  "decorated",
  "overrides",
  "interface_member",
  "foreign_super_type",
  "name_used_unbound",
  "name_used_by_guess",
  "name_used_of_unknown_module",
  "other_variant_used",
  "object_member",
  "expression",
  "declaration",
  "generated",
  "set_aside",
  "called_by_language",
  "loaded_dynamically",
  "cgo_export",
  "linkname",
  "assembly",
  "not_judged"
] as const
export type Reason = (typeof reasons)[number]

/** A definition nothing is known to use. */
export interface Unused {
  readonly node: number
  readonly exported: boolean
  /** Only its own body uses it. */
  readonly recursive: boolean
  /**
   * Its text is to be looked at: it may be a named expression, which is a value wherever its name is used or not, its
   * name may also be assigned to, and be used as a variable, or a string may tell its name to who looks it up. Of a file
   * that could not be read whole, uses may be missing.
   */
  readonly inspected: "value" | "misread" | undefined
  /** Why it may be in use all the same, though nothing says that it is. */
  readonly caveats: ReadonlyArray<string>
}

/** What is known beside the graph. */
export interface Around {
  readonly packageOf: (path: string, language: string) => Package | undefined
  /** Files that others can import, with what those publish on. */
  readonly entries: ReadonlySet<string>
  /** Files that `export * from` names. */
  readonly starred: ReadonlySet<string>
  /** Names that assembly files of a folder use or define. */
  readonly assembly: ReadonlyMap<string, ReadonlySet<string>>
  /** Names taken from modules that were not found and are no known dependency: they may be files here under another name. */
  readonly unknown: ReadonlySet<string>
  /** Names that `go:linkname` gives to others. */
  readonly linknames: ReadonlySet<string>
  /** Files of Go whose exported functions are targets of a build tool. */
  readonly targets: ReadonlySet<string>
  /**
   * Files of Python whose names are looked up at run time, as through `globals()`, those that look up members of their own
   * classes, and names that are looked up as they are written: their file and they, with a space between.
   */
  readonly lookedUp: {
    readonly names: ReadonlySet<string>
    readonly members: ReadonlySet<string>
    readonly told: ReadonlySet<string>
  }
}

export interface Wanted {
  readonly kinds: ReadonlySet<string>
  readonly cgoExports: boolean
  readonly linknames: boolean
  /** Whether a path is looked at. */
  readonly path: (path: string) => boolean
}

export interface Sifted {
  readonly unused: ReadonlyArray<Unused>
  readonly looked: number
  readonly leftOut: { readonly [reason in Reason]?: number }
}

const dirOf = (path: string): string => (path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "")

/** Whether `inner` lies in `outer`, or is it. */
const isWithin = ({ parents }: GraphColumns, inner: number, outer: number): boolean => {
  for (let at = inner; at >= outer; at = parents[at]!) if (at === outer) return true
  return false
}

const words = new Set([
  "struct",
  "class",
  "function",
  "interface",
  "enum",
  "union",
  "object",
  "default",
  "fn",
  "func",
  "lambda"
])
const typeKinds = new Set([
  "class",
  "struct",
  "enum",
  "object",
  "union",
  "extension",
  "trait",
  "interface",
  "type_alias"
])
const contractKinds = new Set(["interface", "trait", "type_alias", "annotation"])

/** Folders of Go whose files make a program. */
const programs = (view: GraphView, columns: GraphColumns): ReadonlySet<string> => {
  const out = new Set<string>()
  const go = columns.languageNames.indexOf("go")
  const callable = columns.kindNames.indexOf("function")
  for (let n = 0; n < columns.nodeCount; n++) {
    if (columns.languages[n] !== go || columns.kinds[n] !== callable || columns.tests[n] === 1) continue
    const ref = columns.refOf(n)
    if (columns.parents[n] === columns.files[n] && view.nameOf(ref) === "main")
      out.add(dirOf(view.pathOf(ref)))
  }
  return out
}

/** Whether a definition adds to what another module or the global scope declares. */
const augments = (
  view: GraphView,
  { kindNames, kinds, parents, refOf }: GraphColumns,
  node: number
): boolean => {
  for (let at = parents[node]!; at >= 0; at = parents[at]!)
    if (
      (kindNames[kinds[at]!] === "namespace" || kindNames[kinds[at]!] === "module") &&
      /^(?:export\s+)?declare\s+(?:global\b|module\s*["'`])/.test(view.symbol(refOf(at)).signature)
    )
      return true
  return false
}

const rank = ({ caveats, exported }: Unused): number => (exported ? 1 : 0) + (caveats.length > 0 ? 2 : 0)

export const unusedOf = (view: GraphView, around: Around, wanted: Wanted): Sifted => {
  const { columns, doubts } = view
  const { bits } = doubts
  const { flagBits, kindNames, languageNames, roleNames } = columns
  const kept = kindNames.map((kind) => wanted.kinds.has(kind))
  const isType = kindNames.map((kind) => typeKinds.has(kind))
  const isContract = kindNames.map((kind) => contractKinds.has(kind))
  const exports = roleNames.indexOf("export")
  const unused: Array<Unused> = []
  const leftOut: { [reason in Reason]?: number } = {}
  const leave = (reason: Reason) => {
    leftOut[reason] = (leftOut[reason] ?? 0) + 1
  }
  let mains: ReadonlySet<string> | undefined
  let looked = 0

  /** What is asked once for each file. */
  let file = -1
  let path = ""
  let asked = false
  let aside = false
  let language = ""
  let owner: Package | undefined
  let convention: string | undefined
  let imported = false
  let misread = false
  let dynamic = false
  let whole = false
  const enter = (node: number) => {
    file = node
    path = view.pathOf(columns.refOf(node))
    asked = wanted.path(path)
    aside = isSetAside(path)
    language = columns.languages[node] === 255 ? "" : languageNames[columns.languages[node]!]!
    owner = around.packageOf(path, language)
    convention = conventionOf(path, language, owner)
    imported = around.starred.has(path)
    misread = (view.file(path)?.parse_errors ?? 0) > 0
    dynamic = whole = false
    for (let p = columns.in.starts[node]!; p < columns.in.starts[node + 1]!; p++) {
      if (columns.files[columns.in.others[p]!] === node) continue
      const edge = columns.inEdges[p]!
      imported = true
      if ((columns.importBits[edge]! & 2) !== 0) dynamic = true
      else if (roleNames[columns.roles[edge]!] !== "import") whole = true
    }
  }
  /** Whether another file uses anything of this one; asked for few. */
  const usedElsewhere = (node: number): boolean => {
    if (imported) return true
    for (let n = node; n < columns.nodeCount && columns.files[n] === node; n++)
      for (let p = columns.in.starts[n]!; p < columns.in.starts[n + 1]!; p++)
        if (columns.files[columns.in.others[p]!] !== node) return (imported = true)
    return false
  }

  for (let n = 0; n < columns.nodeCount; n++) {
    if (!kept[columns.kinds[n]!] || columns.primaries[n] !== n || columns.tests[n] === 1) continue
    if (columns.files[n] !== file) enter(columns.files[n]!)
    if (!asked) continue
    looked++
    let recursive = false
    let used = false
    for (let p = columns.in.starts[n]!; p < columns.in.starts[n + 1]! && !used; p++) {
      if (columns.roles[columns.inEdges[p]!] !== exports && isWithin(columns, columns.in.others[p]!, n))
        recursive = true
      else used = true
    }
    if (used) continue

    const flags = columns.flags[n]!
    const doubtful = doubts.of[n]!
    const parent = columns.parents[n]!
    const parentKind = columns.kinds[parent]!
    const member = kindNames[columns.kinds[n]!] === "method" || isType[parentKind] === true
    const family = familyOf(language)
    if (family === undefined) {
      leave("not_judged")
      continue
    }
    if (aside) {
      leave("set_aside")
      continue
    }
    if (columns.generated[n] === 1) {
      leave("generated")
      continue
    }
    const ref = columns.refOf(n)
    const name = view.nameOf(ref)
    // What has no name is called by the word it begins with.
    if (words.has(name)) {
      leave("expression")
      continue
    }
    const local = (flags & flagBits.local) !== 0
    const exported = (flags & flagBits.exported) !== 0
    if (
      (flags & (flagBits.declaration | flagBits.abstract)) !== 0 &&
      (family !== "ecmascript" || (flags & flagBits.declaration) !== 0)
    ) {
      leave("declaration")
      continue
    }
    if (/\.d\.[cm]?ts$/.test(path) || augments(view, columns, n)) {
      leave("declaration")
      continue
    }
    if ((flags & flagBits.override) !== 0 || (doubtful & bits.overrides) !== 0) {
      leave("overrides")
      continue
    }
    if (isContract[parentKind] === true || (member && (doubtful & bits.contract) !== 0)) {
      leave("interface_member")
      continue
    }
    if ((doubtful & bits.foreign) !== 0) {
      leave("foreign_super_type")
      continue
    }
    if (
      (doubtful & bits.decorated) !== 0 ||
      (member && (doubts.of[parent]! & bits.decorated) !== 0 && family === "ecmascript")
    ) {
      leave("decorated")
      continue
    }
    if (isCalledByLanguage(language, name, member)) {
      leave(name === "main" || name === "init" ? "entry_point" : "called_by_language")
      continue
    }
    if (
      member &&
      kindNames[columns.kinds[n]!] !== "class" &&
      isType[parentKind] !== true &&
      family === "ecmascript"
    ) {
      leave("object_member")
      continue
    }
    if ((doubtful & bits.unbound) !== 0) {
      leave("name_used_unbound")
      continue
    }
    if ((doubtful & bits.guessed) !== 0) {
      leave("name_used_by_guess")
      continue
    }
    if ((doubtful & bits.namesake) !== 0) {
      leave("other_variant_used")
      continue
    }

    if (
      parent === file
        ? around.lookedUp.names.has(path) || around.lookedUp.told.has(`${path} ${name}`)
        : around.lookedUp.members.has(path)
    ) {
      leave("loaded_dynamically")
      continue
    }

    if (family === "python" && owner?.called?.has(name) === true) {
      leave("entry_point")
      continue
    }

    const caveats: Array<string> = []
    if (family === "go") {
      const symbol = view.symbol(ref)
      if (new RegExp(`(?:^|\\s)export\\s+${name}\\b`).test(symbol.doc) && !wanted.cgoExports) {
        leave("cgo_export")
        continue
      }
      if (around.linknames.has(name) && !wanted.linknames) {
        leave("linkname")
        continue
      }
      if (around.assembly.get(dirOf(path))?.has(name) === true) {
        leave("assembly")
        continue
      }
      if (exported && member) {
        leave("interface_member")
        continue
      }
      if (exported) {
        if (around.targets.has(path) || /(?:^|\/)magefiles\//.test(path)) {
          leave("convention")
          continue
        }
        mains ??= programs(view, columns)
        const inside = /(?:^|\/)internal\//.test(path) || mains.has(dirOf(path))
        if (!inside && owner?.published !== false) {
          leave("exported_api")
          continue
        }
      }
    } else if (exported && !local) {
      if (around.unknown.has(name)) {
        leave("name_used_of_unknown_module")
        continue
      }
      if (convention !== undefined) {
        leave("convention")
        continue
      }
      if (dynamic) {
        leave("loaded_dynamically")
        continue
      }
      if (family === "ecmascript") {
        if (
          owner?.published === true &&
          (parent !== file || owner.entries === undefined || around.entries.has(path))
        ) {
          leave("exported_api")
          continue
        }
        if (
          (owner?.published === false || owner === undefined) &&
          around.entries.has(path) &&
          !usedElsewhere(file)
        ) {
          leave("entry_point")
          continue
        }
        if (!usedElsewhere(file)) caveats.push("no file imports this one, so a tool or runtime may load it")
        else if (whole) caveats.push("its file is also used as a whole, as a namespace")
      } else if (family === "rust") {
        const visible = !/^\s*pub\s*\(/.test(view.symbol(ref).signature)
        if (visible && owner?.published === true) {
          leave("exported_api")
          continue
        }
      } else if (family === "python") {
        if (owner?.published === true && !name.startsWith("_")) {
          leave("exported_api")
          continue
        }
        if (
          member &&
          typeKinds.has(kindNames[parentKind]!) &&
          /^(?:Meta|Config|Media|Params|Arguments)$/.test(view.nameOf(columns.refOf(parent)))
        ) {
          leave("convention")
          continue
        }
      } else if (family === "jvm" || language === "csharp" || language === "swift") {
        if (owner?.published === true || (owner === undefined && language === "swift")) {
          leave("exported_api")
          continue
        }
        caveats.push("it is public, so code outside this workspace may use it")
      } else if (language === "c" || language === "cpp") {
        leave("exported_api")
        continue
      } else caveats.push("uses in this language may be made at run time")
    } else if (convention !== undefined && family !== "ecmascript" && !name.startsWith("_")) {
      leave("convention")
      continue
    }
    if (member && exported && family === "ecmascript")
      caveats.push("a value may be used as another type that has a member of this name")
    unused.push({
      node: n,
      exported: exported && !local,
      recursive,
      inspected: misread
        ? "misread"
        : (local && (family === "ecmascript" || family === "python")) || (member && family === "python")
          ? "value"
          : undefined,
      caveats
    })
  }
  // What no other file can see is the surest, and comes first.
  unused.sort((a, b) => rank(a) - rank(b) || a.node - b.node)
  return { unused, looked, leftOut }
}
