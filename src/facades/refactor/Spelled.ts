/** Places that mean a definition by spelling its name in a string or a comment that a program reads. */
import { Effect } from "effect"
import { fromService, type OperationFailure } from "../../registry/Failure.ts"
import type { GraphView, SymbolInfo, SymbolRef } from "../../services/CodeGraph.ts"
import type { OverlayView } from "../../services/OverlayView.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import { TextIndex } from "../../services/TextIndex.ts"
import { ownerOf, types } from "../relations/Kin.ts"
import type { Drafts, OpenFile } from "./Drafts.ts"
import { partsIn, partsOf, whereIs } from "./Lexical.ts"
import { isEcmascript, occurrences } from "./Names.ts"
import type { Site } from "./Sites.ts"
import { SourceText } from "./SourceText.ts"
import { pythonMeans } from "./Specifier.ts"

/**
 * directive: a comment that a compiler or generator reads; attribute: the argument of an attribute; key: a member asked for
 * by its name; dotted: the path of a module with the name behind it.
 */
export type Spelling = "directive" | "attribute" | "key" | "dotted"

const quoted = (text: string, at: number, name: string): boolean => {
  const quote = text[at - 1]
  return (quote === '"' || quote === "'" || quote === "`") && text[at + name.length] === quote
}

/** Module of a Python file in words, as far as its name can be absolute. */
const dotted = (path: string): string =>
  path
    .replace(/\.pyi?$/, "")
    .replace(/\/__init__$/, "")
    .replaceAll("/", ".")

const languageKin = (a: string, b: string): boolean => a === b || (isEcmascript(a) && isEcmascript(b))

const isMember = (view: GraphView, symbol: SymbolInfo): boolean => {
  const owner = ownerOf(view, symbol.ref)
  return owner !== undefined && !view.isFile(owner) && types.has(view.symbol(owner).kind)
}

/** How a mention outside of code means the definition; undefined when it only talks of it. */
export const spellingAt = (
  view: GraphView,
  symbol: SymbolInfo,
  path: string,
  text: string,
  at: number
): Spelling | undefined => {
  const language = view.file(path)?.language ?? ""
  if (!languageKin(language, symbol.language) || symbol.flags.includes("local")) return undefined
  const { name } = symbol
  const line = text.slice(text.lastIndexOf("\n", at - 1) + 1, at)
  const head = text.slice(Math.max(0, at - 300), at - 1)
  const tail = text.slice(at + name.length + 1, at + name.length + 100)
  if (language === "go") {
    if (
      /^\/\/go:(?:linkname|generate|cgo_\w+|wasmimport|wasmexport)\s/.test(line) ||
      /^\/\/export\s+$/.test(line)
    )
      return "directive"
    return quoted(text, at, name) &&
      /\b(?:FieldByName|MethodByName)\(\s*$/.test(head) &&
      isMember(view, symbol)
      ? "key"
      : undefined
  }
  if (language === "rust") {
    const attribute = /#!?\[[^\]]*$/.test(text.slice(Math.max(0, at - 400), at))
    return attribute &&
      /^[)"\s,]/.test(text.slice(at + name.length)) &&
      /(?:["]|::)$/.test(text.slice(0, at).slice(-2))
      ? "attribute"
      : undefined
  }
  if (language === "python") {
    if (!isMember(view, symbol)) {
      if (quoted(text, at, name)) return /\bglobals\(\)\s*\[\s*$/.test(head) ? "key" : undefined
      const said = /(["'])((?:[\p{ID_Continue}]+\.)+)$/u.exec(line)
      return said !== null &&
        text[at + name.length] === said[1] &&
        `.${dotted(symbol.path)}`.endsWith(`.${said[2]!.slice(0, -1)}`)
        ? "dotted"
        : undefined
    }
    return quoted(text, at, name) &&
      (/\b(?:getattr|setattr|hasattr|delattr|patch\.object)\(\s*[^()]*(?:\([^()]*\)[^()]*)*,\s*[rbu]?$/.test(
        head
      ) ||
        /\b(?:attrgetter|methodcaller)\(\s*(?:["'][\w.]+["']\s*,\s*)*$/.test(head) ||
        /(?:\bvars\([^()]*\)|\.__dict__)\s*\[\s*$/.test(head))
      ? "key"
      : undefined
  }
  if (isEcmascript(language) && isMember(view, symbol) && quoted(text, at, name))
    return (/[\p{ID_Continue}$)\]](?:\?\.)?\[$/u.test(head) && tail.startsWith("]")) ||
      /^\s+in\s/.test(tail) ||
      /\b(?:Reflect\.\w+|Object\.(?:hasOwn|defineProperty|getOwnPropertyDescriptor))\(\s*[^()]*,\s*$/.test(
        head
      ) ||
      /\.hasOwnProperty(?:\.call)?\(\s*(?:[^()]*,\s*)?$/.test(head)
      ? "key"
      : undefined
  return undefined
}

export interface Spelled extends Site {
  readonly offset: number
  readonly how: Spelling
}

/** Files with the name that are looked at. */
const most = 2000

/** Places of the work tree that mean a definition by its name in a string or comment, in order of path and place. */
export const spelledUses = (
  view: GraphView,
  drafts: Drafts,
  symbol: SymbolInfo
): Effect.Effect<ReadonlyArray<Spelled>, OperationFailure, ReadFs | TextIndex> =>
  Effect.gen(function* () {
    const { name } = symbol
    const index = yield* TextIndex
    const fs = yield* ReadFs
    const found = yield* Effect.mapError(
      index.search({ pattern: name, regexp: false, word: /^\w+$/.test(name), limit: most, mode: "files" }),
      (cause) => fromService(cause)
    )
    const out: Array<Spelled> = []
    for (const { path } of found.files) {
      const language = view.file(path)?.language ?? ""
      if (!languageKin(language, symbol.language)) continue
      const source =
        drafts.get(path)?.source ??
        (yield* Effect.match(fs.readText(path), {
          onFailure: () => undefined,
          onSuccess: ({ text }) => new SourceText(text)
        }))
      if (source === undefined) continue
      for (const offset of occurrences(source.text, name)) {
        if (whereIs(partsIn(source, language), offset) === "code") continue
        const how = spellingAt(view, symbol, path, source.text, offset)
        if (how !== undefined) out.push({ path, ...source.place(offset), offset, how })
      }
    }
    return out
  })

/** A place in a list of names that is part of a definition's meaning. */
export interface Listing {
  readonly file: OpenFile
  /** Offset of the name, behind its quote. */
  readonly at: number
  /** `__all__`, `__slots__`, `__match_args__`. */
  readonly list: string
}

const lists = (text: string, indent: RegExp, names: string) =>
  text.matchAll(
    new RegExp(
      `^(${indent.source})(${names})\\s*(?:\\+?=|:[^=\\n]*=|\\.(?:extend|append)\\()\\s*(?:[[(]([^\\])]*)[\\])]|(["'])\\w+\\4\\s*(?:$|[,)#]))`,
      "gm"
    )
  )

const inLists = (
  file: OpenFile,
  name: string,
  indent: RegExp,
  names: string,
  from = 0,
  to = file.source.text.length
): ReadonlyArray<Listing> => {
  const out: Array<Listing> = []
  const { text } = file.source
  const parts = partsOf(text, "python")
  for (const list of lists(text, indent, names)) {
    if (list.index < from || list.index >= to || whereIs(parts, list.index + list[1]!.length) !== "code")
      continue
    for (const at of occurrences(list[0], name))
      if (quoted(list[0], at, name)) out.push({ file, at: list.index + at, list: list[2]! })
  }
  return out
}

/** Lists of Python that name one of these definitions: `__all__` of modules that have it, slots and patterns of its class. */
export const listingsOf = (
  drafts: Drafts,
  family: ReadonlyArray<SymbolRef>
): Effect.Effect<ReadonlyArray<Listing>, OperationFailure, ReadFs | OverlayView> =>
  Effect.gen(function* () {
    const { view } = drafts
    const out: Array<Listing> = []
    for (const ref of family) {
      const symbol = view.symbol(ref)
      if (symbol.language !== "python" || symbol.flags.includes("local")) continue
      const { name, path, qualified } = symbol
      if (qualified === name) {
        const homes = new Set([path])
        for (const edge of view.incoming(ref))
          if (edge.role === "import" && edge.name === name) homes.add(edge.path)
        const module = view.fileRef(path)
        for (const edge of module === undefined ? [] : view.incoming(module))
          if (
            view
              .imports(edge.path)
              .some((one) => one.name === "*" && pythonMeans(edge.path, one.module, path))
          )
            homes.add(edge.path)
        for (const home of homes) {
          if (view.file(home)?.language !== "python") continue
          out.push(...inLists(yield* drafts.open(home), name, /[ \t]*/, "__all__"))
        }
        continue
      }
      const owner = ownerOf(view, ref)
      if (owner === undefined || view.isFile(owner)) continue
      const type = view.symbol(owner)
      const file = yield* drafts.open(type.path)
      out.push(
        ...inLists(
          file,
          name,
          /[ \t]+/,
          "__slots__|__match_args__",
          file.source.start(type.start_line),
          file.source.end(type.end_line)
        )
      )
    }
    return [...new Map(out.map((one) => [`${one.file.path}\0${one.at}`, one])).values()]
  })

/** A listing taken out of its list, with the comma that goes with it. */
export const unlisted = (text: string, at: number, name: string) => {
  let from = at - 1
  let to = at + name.length + 1
  const behind = /^[ \t]*,[ \t]*/.exec(text.slice(to))
  if (behind !== null) {
    to += behind[0].length
    // A name on a line of its own takes the line along.
    const start = text.lastIndexOf("\n", from - 1) + 1
    if (text.slice(start, from).trim() === "" && /^\r?\n/.test(text.slice(to))) {
      from = start
      to = text.indexOf("\n", to) + 1
    }
  } else {
    const before = /,\s*$/.exec(text.slice(0, from))
    if (before !== null) from -= before[0].length
  }
  return { from, to, text: "" }
}
