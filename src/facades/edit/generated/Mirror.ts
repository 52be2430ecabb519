/** Where code in the shape of an example goes, and what lists the example and its like. */
import type { GraphView, SymbolInfo, SymbolRef } from "../../../services/CodeGraph.ts"
import { element, type LineChange, registered } from "./Blocks.ts"
import { type Renaming, renaming, wordsOf } from "./Words.ts"

/** Files that stand for their folder. */
const folderFiles: ReadonlySet<string> = new Set(["index", "mod", "__init__", "lib"])
/** Languages in which the files of a folder share their names. */
const sharing: ReadonlySet<string> = new Set([
  "go",
  "java",
  "kotlin",
  "csharp",
  "c",
  "cpp",
  "swift",
  "scala",
  "php",
  "ruby"
])
/** Definitions like the example that are looked for. */
const mostSiblings = 60

/** Stands for any name when two lines are compared. */
const anyName = "anyNameAtAll"

const nameOfFile = (path: string): string => path.slice(path.lastIndexOf("/") + 1)
const folder = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1)
const stem = (path: string): string => nameOfFile(path).replace(/\..*$/, "")

const outer = (view: GraphView, ref: SymbolRef): SymbolRef | undefined => {
  const parent = view.parent(ref)
  return parent === undefined || view.isFile(parent) ? undefined : parent
}

/** Definitions of the example's kind beside it: in its type, or at the top level of its file. */
const besideIn = (view: GraphView, example: SymbolInfo, path: string, parent: SymbolRef | undefined) =>
  view
    .definitions(path)
    .filter(
      (ref) =>
        ref !== example.ref &&
        outer(view, ref) === parent &&
        view.symbol(ref).kind === example.kind &&
        view.nameOf(ref) !== example.name &&
        !view.symbol(ref).flags.includes("local")
    )

export interface Place {
  /** The example's own file, or one that is not there yet. */
  readonly path: string
  readonly creates: boolean
  /** Definitions like the example, of its file or, when each has a file of its own, of the files beside it. */
  readonly siblings: ReadonlyArray<SymbolRef>
}

/** A file of its own when the example has one that is called like it. */
export const placeOf = (view: GraphView, example: SymbolInfo, fresh: Renaming): Place => {
  const { path } = example
  const parent = outer(view, example.ref)
  const here = besideIn(view, example, path, parent)
  const same: Place = { path, creates: false, siblings: here.slice(0, mostSiblings) }
  if (parent !== undefined) return same
  // Others like it in the same file, that are not about it, are the pattern.
  const exported = example.flags.includes("exported")
  if (
    here.some(
      (ref) => !fresh.has(view.nameOf(ref)) && view.symbol(ref).flags.includes("exported") === exported
    )
  )
    return same
  const named = wordsOf(stem(path)).join(" ")
  const words = wordsOf(example.name).join(" ")
  const file = nameOfFile(path)
  const above = folder(path)
  const parts = above.split("/").slice(0, -1)
  const renamed =
    fresh.has(file) && ` ${named} `.includes(` ${words} `)
      ? `${above}${fresh.apply(file)}`
      : folderFiles.has(stem(path)) && parts.length > 0 && wordsOf(parts.at(-1)!).join(" ") === words
        ? `${[...parts.slice(0, -1), fresh.apply(parts.at(-1)!)].join("/")}/${file}`
        : undefined
  if (renamed === undefined) return same
  const around = renamed.startsWith(above)
    ? above
    : `${parts.slice(0, -1).join("/")}${parts.length > 1 ? "/" : ""}`
  const ending = file.slice(stem(path).length)
  const siblings: Array<SymbolRef> = []
  for (const { path: other, symbols, test } of view.files()) {
    if (siblings.length >= mostSiblings) break
    const beside = renamed.startsWith(above)
      ? folder(other) === around
      : other.startsWith(around) &&
        nameOfFile(other) === file &&
        other.slice(around.length).split("/").length === 2
    if (!beside || other === path || symbols === 0 || test || !other.endsWith(ending)) continue
    siblings.push(...besideIn(view, example, other, undefined))
  }
  return { path: renamed, creates: true, siblings: siblings.slice(0, mostSiblings) }
}

const comment = /^\s*(?:\/\/|\/\*|\*|#|--|"""|'''|@)/

/** Lines of the example with its overloads and the comments right above. */
export const spanOf = (
  view: GraphView,
  example: SymbolInfo,
  lines: ReadonlyArray<string>
): { readonly start: number; readonly end: number } => {
  const all = view.definitions(example.path).map((ref) => view.symbol(ref))
  let start = example.start_line
  let end = example.end_line
  for (const one of all)
    if (one.qualified === example.qualified && one.kind === example.kind) {
      start = Math.min(start, one.start_line)
      end = Math.max(end, one.end_line)
    }
  const floor = Math.max(0, ...all.map((one) => one.end_line).filter((line) => line < start))
  while (start - 1 > floor && comment.test(lines[start - 2] ?? "")) start--
  return { start, end }
}

/**
 * The renaming for a copy of some of the example's file. Names of what stays where it is are kept, though they have the
 * example's words in them, and so are the modules they come from; `moved` is how a module beside the file is reached then.
 */
export const copying = (
  view: GraphView,
  example: SymbolInfo,
  fresh: Renaming,
  copied: (ref: SymbolRef) => boolean,
  moved: (module: string) => string = (module) => module
): ((text: string) => string) => {
  const names = new Set<string>()
  const file = view.fileRef(example.path)
  for (const { name, to } of file === undefined ? [] : view.outgoing(file))
    if (!copied(to) && name !== example.name && fresh.has(name)) names.add(name)
  const modules = new Set<string>()
  for (const { external, local, module, targets } of view.imports(example.path)) {
    if (module !== "") modules.add(module)
    if ((external || targets.length === 0) && fresh.has(local)) names.add(local)
  }
  const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
  const quoted = [...modules].map((module) => `(?<=["'])${literal(module)}(?=["'])`)
  const words = [...names].map((name) => `(?<![\\p{L}\\p{N}_$])${literal(name)}(?![\\p{L}\\p{N}_$])`)
  if (quoted.length + words.length === 0) return fresh.apply
  const kept = new RegExp([...quoted, ...words].join("|"), "gu")
  return (text) => {
    let out = ""
    let last = 0
    for (const match of text.matchAll(kept)) {
      const [word] = match
      out += fresh.apply(text.slice(last, match.index)) + (modules.has(word) ? moved(word) : word)
      last = match.index + word.length
    }
    return out + fresh.apply(text.slice(last))
  }
}

/** Whether a definition has its lines for itself, but for a comma, a semicolon or a comment. */
export const aloneOnLines = (example: SymbolInfo, lines: ReadonlyArray<string>): boolean => {
  const before = (lines[example.start_line - 1] ?? "").slice(0, example.start_column)
  const after = (lines[example.end_line - 1] ?? "").slice(example.end_column)
  return /^[\w\s@]*$/.test(before) && /^\s*[;,]?\s*(?:(?:\/\/|#|\/\*).*)?$/.test(after)
}

/** The example's lines followed by those of the new one. Undefined when the example shares its lines with others. */
export const doubled = (
  view: GraphView,
  example: SymbolInfo,
  lines: ReadonlyArray<string>,
  fresh: Renaming
): LineChange | undefined => {
  const { end, start } = spanOf(view, example, lines)
  if (!aloneOnLines(example, lines)) {
    const line = start === end ? element(lines[start - 1] ?? "", fresh) : undefined
    return line === undefined ? undefined : { start, end, lines: [line] }
  }
  const own = lines.slice(start - 1, end)
  const copied = (ref: SymbolRef) => {
    const { end_line, path, start_line } = view.symbol(ref)
    return path === example.path && !view.isFile(ref) && start_line >= start && end_line <= end
  }
  const copy = own.map(copying(view, example, fresh, copied))
  const blank = (at: number) => lines[at - 1] !== undefined && lines[at - 1]!.trim() === ""
  let gap = 0
  while (blank(end + 1 + gap) && end + gap < lines.length) gap++
  if (end + gap >= lines.length || gap === 0) {
    gap = 0
    while (blank(start - 1 - gap)) gap++
  }
  const alone = besideIn(view, example, example.path, outer(view, example.ref)).length === 0
  if (gap === 0 && alone && own.length > 1)
    gap = example.language === "python" && example.start_column === 0 ? 2 : 1
  // The last of a list may do without the comma the others have.
  const last = own.at(-1)!
  const commas = besideIn(view, example, example.path, outer(view, example.ref)).some((ref) =>
    /,\s*$/.test(lines[view.symbol(ref).end_line - 1] ?? "")
  )
  const head = commas && !/[,;]\s*$/.test(last) ? [...own.slice(0, -1), `${last},`] : own
  return { start, end, lines: [...head, ...Array.from({ length: Math.min(gap, 2) }, () => ""), ...copy] }
}

/** The example's whole file for the new one, and the names of what was left out because it is there already. */
export const mirrored = (
  view: GraphView,
  example: SymbolInfo,
  text: string,
  fresh: Renaming,
  target: string
): { readonly text: string; readonly leftOut: ReadonlyArray<string> } => {
  const lines = text.split("\n")
  const drop = new Set<number>()
  const leftOut: Array<string> = []
  if (sharing.has(example.language))
    for (const ref of view.definitions(example.path)) {
      const { end_line, name, qualified, start_line } = view.symbol(ref)
      if (outer(view, ref) !== undefined || fresh.has(qualified) || ref === example.ref) continue
      if (start_line <= example.start_line && end_line >= example.end_line) continue
      leftOut.push(name)
      const span = spanOf(
        view,
        view.symbol(ref),
        lines.map((line) => line.replace(/\r$/, ""))
      )
      for (let line = span.start; line <= end_line; line++) drop.add(line)
    }
  const stays = new Set(leftOut)
  const copied = (ref: SymbolRef) => view.pathOf(ref) === example.path && !stays.has(view.nameOf(ref))
  const from = folder(example.path)
  // One folder further, what was beside the file is in the example's folder.
  const moved = (module: string) =>
    folder(target) !== from && module.startsWith("./")
      ? `../${from.split("/").at(-2)}/${module.slice(2)}`
      : module
  return {
    text: copying(
      view,
      example,
      fresh,
      copied,
      moved
    )(
      lines
        .filter((_, at) => !drop.has(at + 1))
        .join("\n")
        .replace(/(?:\r?\n){4,}/g, text.includes("\r\n") ? "\r\n\r\n" : "\n\n")
    ),
    leftOut
  }
}

export interface Site {
  readonly line: number
  readonly role: string
}

/** Places that list the example as they list others like it, by file, and places that use it in a way no list shows. */
export interface Sites {
  readonly listed: ReadonlyMap<string, ReadonlyArray<Site>>
  readonly others: ReadonlyArray<{ readonly path: string; readonly line: number; readonly role: string }>
}

const listing: ReadonlySet<string> = new Set(["export", "import", "read", "type", "generic_arg"])

export const sitesOf = (view: GraphView, example: SymbolInfo, siblings: ReadonlyArray<SymbolRef>): Sites => {
  const keys = new Set<string>()
  for (const sibling of siblings)
    for (const { from, path, role } of view.incoming(sibling)) keys.add(`${path}\0${from}\0${role}`)
  const listed = new Map<string, Array<Site>>()
  const others: Array<{ path: string; line: number; role: string }> = []
  const own = (path: string, line: number) =>
    path === example.path && line >= example.start_line && line <= example.end_line
  for (const { from, line, path, role, tier } of view.incoming(example.ref)) {
    if (tier === "name" || own(path, line) || view.file(path)?.test === true || view.isTest(from)) continue
    if (listing.has(role) && keys.has(`${path}\0${from}\0${role}`))
      listed.set(path, [...(listed.get(path) ?? []), { line, role }])
    else others.push({ path, line, role })
  }
  // An import alone lists nothing: without a place that uses what it brings, another one would be idle.
  for (const [path, sites] of listed)
    if (sites.every(({ role }) => role === "import")) {
      listed.delete(path)
      others.push(...sites.map(({ line, role }) => ({ path, line, role })))
    }
  return { listed, others }
}

/** Files that stand for the example's folder or the one above, which may name its file rather than the example. */
export const barrelsOf = (view: GraphView, example: SymbolInfo): ReadonlyArray<string> => {
  const own = folder(example.path)
  const above = own.slice(0, own.slice(0, -1).lastIndexOf("/") + 1)
  return view
    .files()
    .map(({ path }) => path)
    .filter(
      (path) =>
        path !== example.path &&
        folderFiles.has(stem(path)) &&
        (folder(path) === own || folder(path) === above)
    )
}

/**
 * Changes of one file that list the new one beside the example. `every` are the lines to look at; those that show no way
 * come back as `missed`.
 */
export const listingsIn = (
  view: GraphView,
  lines: ReadonlyArray<string>,
  every: ReadonlyArray<Site>,
  example: SymbolInfo,
  fresh: Renaming,
  siblings: ReadonlyArray<SymbolRef>
): { readonly changes: ReadonlyArray<LineChange>; readonly missed: ReadonlyArray<Site> } => {
  const erase = renaming(example.name, anyName)
  const names = [...new Set(siblings.map((ref) => view.nameOf(ref)))]
  const others = names
    .map((name) => {
      const one = renaming(name, anyName)
      return { here: one, erase: one }
    })
    .filter(({ here }) => lines.some((line) => here.has(line)))
  const changes: Array<LineChange> = []
  const missed: Array<Site> = []
  for (const site of [...every].sort((a, b) => a.line - b.line)) {
    if (changes.some(({ end, start }) => site.line >= start && site.line <= end)) continue
    const line = lines[site.line - 1]
    const change =
      registered(lines, site.line, fresh, erase, others) ??
      // An import of its own: another line when it names the example's file too, another name between the braces when not.
      (line !== undefined && site.role === "import" && fresh.has(line)
        ? importOf(site.line, line, example, fresh)
        : undefined)
    if (change === undefined || changes.some(({ end, start }) => change.start <= end && start <= change.end))
      missed.push(site)
    else changes.push(change)
  }
  return { changes, missed }
}

const importOf = (at: number, line: string, example: SymbolInfo, fresh: Renaming): LineChange | undefined => {
  if (!/^\s*(?:import|from|use|export)\b/.test(line)) return undefined
  const module = /["']([^"']+)["']|\bfrom\s+([\w.]+)/.exec(line)
  const named = module !== null && fresh.has(module[1] ?? module[2] ?? "")
  if (named) return { start: at, end: at, lines: [line, fresh.apply(line)] }
  const braces = new RegExp(`([{,]\\s*)${example.name}(\\s*[},])`).exec(line)
  if (braces === null) return undefined
  const behind = braces.index + braces[1]!.length + example.name.length
  return {
    start: at,
    end: at,
    lines: [`${line.slice(0, behind)}, ${fresh.apply(example.name)}${line.slice(behind)}`]
  }
}
