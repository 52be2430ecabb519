/** Members that count by their place among others: where that place is used, so that none can go. */
import { Effect } from "effect"
import type { OperationFailure } from "../../registry/Failure.ts"
import type { EdgeInfo, SymbolInfo, SymbolRef } from "../../services/CodeGraph.ts"
import type { OverlayView } from "../../services/OverlayView.ts"
import type { ReadFs } from "../../services/ReadFs.ts"
import { nothingHidden } from "../relations/Evidence.ts"
import { kinOf } from "../relations/Kin.ts"
import { closeOf, splitArguments } from "./Calls.ts"
import type { Drafts, OpenFile } from "./Drafts.ts"
import { type Part, partsOf, whereIs } from "./Lexical.ts"
import { type Site, siteKey } from "./Sites.ts"
import type { SourceText } from "./SourceText.ts"

type Parts = ReadonlyArray<Part> | undefined

/** Offset of the colon that divides a key from its value; undefined when there is none outside of brackets. */
const colonIn = (text: string, from: number, to: number, parts: Parts): number | undefined => {
  let depth = 0
  for (let at = from; at < to; at++) {
    if (whereIs(parts, at) !== "code") continue
    const c = text[at]!
    if (c === "(" || c === "[" || c === "{") depth++
    else if (c === ")" || c === "]" || c === "}") depth--
    else if (c === ":" && depth === 0 && text[at + 1] !== "=") return at
  }
  return undefined
}

/** Whether a literal of Go gives the fields of a type by their places. `depth` containers are around it; -1 for any. */
const unkeyed = (text: string, open: number, depth: number, parts: Parts): boolean => {
  const close = closeOf(text, open, parts)
  if (close === undefined) return true
  const elements = splitArguments(text, open + 1, close - 1, parts)
  const [first] = elements
  if (first === undefined) return false
  if (depth === 0) return colonIn(text, first.from, first.from + first.text.length, parts) === undefined
  return elements.some(({ from, text: element }) => {
    const colon = colonIn(text, from, from + element.length, parts)
    const value = colon === undefined ? from : colon + 1 + /^\s*/.exec(text.slice(colon + 1))![0].length
    if (text[value] !== "{") return false
    if (depth > 0) return unkeyed(text, value, depth - 1, parts)
    return unkeyed(text, value, 0, parts) || unkeyed(text, value, -1, parts)
  })
}

/** Literals of a struct of Go without keys. */
const goLiterals = (drafts: Drafts, owner: SymbolRef) =>
  Effect.gen(function* () {
    const { view } = drafts
    const out: Array<Site> = []
    const queue: Array<SymbolRef> = [owner]
    const seen = new Set(queue)
    for (const type of queue)
      for (const edge of view.incoming(type)) {
        const from = view.isFile(edge.from) ? undefined : view.symbol(edge.from)
        // Types made of it, whose literals may leave its name out.
        if (
          from !== undefined &&
          !seen.has(edge.from) &&
          /^(?:type|type_alias|alias|class|newtype)$/.test(from.kind) &&
          from.language === "go"
        ) {
          seen.add(edge.from)
          queue.push(edge.from)
        }
        const file = yield* drafts.open(edge.path)
        const { text } = file.source
        const at = file.source.offset(edge.line, edge.column)
        if (at === undefined) continue
        const parts = partsOf(text, "go")
        const behind = at + view.nameOf(type).length
        const rest = text.slice(behind, behind + 400)
        const key = /^\][\w.*[\]]*\{/.exec(rest)
        if (key !== null && /map\[(?:\w+\.)?$/.test(text.slice(Math.max(0, at - 80), at))) {
          const open = behind + key[0].length - 1
          const close = closeOf(text, open, parts)
          const elements = close === undefined ? [] : splitArguments(text, open + 1, close - 1, parts)
          if (elements.some(({ from: start }) => text[start] === "{" && unkeyed(text, start, 0, parts)))
            out.push(edge)
          continue
        }
        const brace =
          /^(?:\[[^\]{}\n]*\])?\{/.exec(rest) ?? (edge.role === "new" ? /^\s*\{/.exec(rest) : null)
        if (brace === null) continue
        const around = /((?:\[[^[\]]*\]|map\[[^[\]]*\]|\*)*)(?:\w+\.)?$/.exec(
          text.slice(Math.max(0, at - 120), at)
        )![1]!
        const containers = (around.match(/\[/g) ?? []).length
        const open = behind + brace[0].length - 1
        const loose = type !== owner
        if (
          loose
            ? unkeyed(text, open, 0, parts) || unkeyed(text, open, -1, parts)
            : unkeyed(text, open, containers, parts)
        )
          out.push(edge)
      }
    return out
  })

/** Calls of a class of Python that give a field by its place, or by its name. */
const pythonCalls = (drafts: Drafts, symbol: SymbolInfo, owner: SymbolInfo, file: OpenFile) =>
  Effect.gen(function* () {
    const { view } = drafts
    const { source } = file
    let first = owner.start_line
    while (first > 1 && /^\s*[@)\w].*/.test(source.line(first - 1)) && source.line(first - 1).trim() !== "")
      first--
    const head = source.text.slice(source.start(first), source.end(owner.line))
    const tuple = /\bNamedTuple\b/.test(owner.signature)
    if (!tuple && !/@(?:[\w.]+\.)?(?:dataclass|define|frozen|mutable|attrs|s)\b/.test(head)) return []
    const fields = view
      .children(owner.ref)
      .map(view.symbol)
      .filter(
        (one) =>
          /^\s*\w+\s*:/.test(source.line(one.line)) && !["method", "function", "class"].includes(one.kind)
      )
    const inherits = /\(\s*[^)\s]/.test(owner.signature) && !tuple
    const index = inherits ? 0 : fields.findIndex(({ name }) => name === symbol.name)
    const kin = kinOf(view, owner.ref, "below", { include_speculative: false }, nothingHidden()).map(
      ({ ref }) => ref
    )
    const out: Array<EdgeInfo> = []
    for (const type of [owner.ref, ...kin])
      for (const edge of view.incoming(type)) {
        if (edge.role === "import") continue
        const user = yield* drafts.open(edge.path)
        const { text } = user.source
        const at = user.source.offset(edge.line, edge.column)
        if (at === undefined) continue
        // A tuple is taken apart by place wherever it goes.
        if (tuple) {
          out.push(edge)
          continue
        }
        const open = at + edge.name.length
        if (text[open] !== "(") continue
        const parts = partsOf(text, "python")
        const close = closeOf(text, open, parts)
        const given = close === undefined ? [] : splitArguments(text, open + 1, close - 1, parts)
        const placed = given.filter((one) => !/^\w+\s*=(?!=)/.test(one.text) && !one.text.startsWith("**"))
        if (
          close === undefined ||
          placed.length > Math.max(0, index) ||
          placed.some((one) => one.text.startsWith("*")) ||
          given.some(
            (one) => one.text.startsWith("**") || new RegExp(`^${symbol.name}\\s*=(?!=)`).test(one.text)
          )
        )
          out.push(edge)
      }
    return out
  })

/** Initializers of a struct of C without designators. */
const cInitializers = (drafts: Drafts, owner: SymbolInfo) =>
  Effect.gen(function* () {
    const out: Array<EdgeInfo> = []
    for (const edge of drafts.view.incoming(owner.ref)) {
      if (edge.role === "extends" || edge.role === "implements") continue
      const file = yield* drafts.open(edge.path)
      const { text } = file.source
      const at = file.source.offset(edge.line, edge.column)
      if (at === undefined) continue
      const behind = at + edge.name.length
      const form = /^\s*(?:\)\s*|\w+\s*(?:\[[^\]]*\]\s*)*(?:=\s*)?)?\{\s*/.exec(
        text.slice(behind, behind + 300)
      )
      if (form !== null && !/^[.}[]/.test(text.slice(behind + form[0].length))) out.push(edge)
    }
    return out
  })

/** Entries of a list behind a definition whose values count on. */
const countedBehind = (source: SourceText, symbol: SymbolInfo, end: number): ReadonlyArray<Site> => {
  const out: Array<Site> = []
  const { language, path } = symbol
  const parts = partsOf(source.text, language)
  const start = source.offset(symbol.end_line, symbol.end_column)!
  const go = language === "go"
  for (let from = start, at = start; at <= end; at++) {
    const c = source.text[at]
    if (at < end && (whereIs(parts, at) !== "code" || (c !== "," && c !== "\n" && c !== ";"))) continue
    if (!go && c === "\n" && at < end) continue
    let entry = ""
    for (let i = from; i < at; i++) if (whereIs(parts, i) !== "comment") entry += source.text[i]
    const name = /^[\s,;]*([\p{ID_Start}_$][\p{ID_Continue}$]*)/u.exec(entry)
    const counts = !entry.includes("=") || (go && /\biota\b/.test(entry))
    if (name !== null && counts) {
      const place = from + source.text.slice(from, at).indexOf(name[1]!)
      out.push({ path, ...source.place(place) })
    }
    from = at + 1
  }
  return out
}

/** Places that count on where a definition stands among others of its list; none for what has no place. */
export const positionalUses = (
  drafts: Drafts,
  symbol: SymbolInfo
): Effect.Effect<ReadonlyArray<Site>, OperationFailure, ReadFs | OverlayView> =>
  Effect.gen(function* () {
    const { view } = drafts
    const parent = view.parent(symbol.ref)
    const owner = parent === undefined || view.isFile(parent) ? undefined : view.symbol(parent)
    const { language } = symbol
    const file = yield* drafts.open(symbol.path)
    const { source } = file
    const { text } = source
    const at = source.offset(symbol.start_line, symbol.start_column)
    if (at === undefined) return []
    if (language === "go" && owner === undefined && symbol.kind === "constant") {
      const parts = partsOf(text, "go")
      for (const block of text.matchAll(/^const\s*\(/gm)) {
        const end = closeOf(text, block.index + block[0].length - 1, parts)
        if (end !== undefined && block.index < at && at < end) return countedBehind(source, symbol, end - 1)
      }
      return []
    }
    if (owner === undefined) return []
    const sites: Array<Site> = []
    if (language === "go" && symbol.kind === "field" && owner.kind !== "interface")
      sites.push(...(yield* goLiterals(drafts, owner.ref)))
    else if (language === "python") sites.push(...(yield* pythonCalls(drafts, symbol, owner, file)))
    else if ((language === "c" || language === "cpp") && symbol.kind === "field")
      sites.push(...(yield* cInitializers(drafts, owner)))
    if (owner.kind === "enum" && ["typescript", "tsx", "c", "cpp", "csharp"].includes(language)) {
      const end = source.offset(owner.end_line, owner.end_column)
      if (end !== undefined) sites.push(...countedBehind(source, symbol, end - 1))
    }
    if (language === "python" && owner.kind === "class" && /\bauto\(/.test(text)) {
      for (let line = symbol.end_line + 1; line <= owner.end_line; line++) {
        const entry = /^\s+(\w+)\s*=\s*(?:\w+\.)?auto\(/.exec(source.line(line))
        if (entry !== null) sites.push({ path: symbol.path, line, column: entry[0].indexOf(entry[1]!) })
      }
    }
    return [
      ...new Map(
        sites.map(({ column, line, path }) => [siteKey({ path, line, column }), { path, line, column }])
      ).values()
    ]
  })
