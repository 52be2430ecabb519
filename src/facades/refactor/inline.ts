/** Putting a small function's expression in place of its calls. */
import { Effect } from "effect"
import { failure, fromService, type OperationFailure } from "../../registry/Failure.ts"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { CodeGraph, type EdgeInfo, type GraphView, type SymbolInfo } from "../../services/CodeGraph.ts"
import { LanguageReader } from "../../services/LanguageReader.ts"
import { LocalWriter } from "../../services/LocalWriter.ts"
import { OverlayView } from "../../services/OverlayView.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import * as Shared from "../fields.ts"
import { closeOf, isPure, splitArguments } from "./Calls.ts"
import { checkGuards, Drafts, type OpenFile, settle } from "./Drafts.ts"
import { excisionOf } from "./Excise.ts"
import { refactor } from "./facade.ts"
import { alike, usesOf } from "./Family.ts"
import { dryRun, guard } from "./fields.ts"
import { importLanguage, importStatements, unusedImports, without } from "./Imports.ts"
import { judge, shown } from "./Judged.ts"
import { partsOf, whereIs } from "./Lexical.ts"
import { occurrences } from "./Names.ts"
import { replaced } from "./SourceText.ts"
import { onDisk, targetOf } from "./Target.ts"

/** Why a call or the function itself stands in the way. */
interface Refusal {
  readonly reason: string
  readonly detail: string
  readonly file: string
  readonly line: number
}

interface Body {
  readonly parameters: ReadonlyArray<string>
  readonly expression: string
}

const word = /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u

/** The parameters and the one expression of a function; a word for why there is none such. */
const bodyOf = (symbol: SymbolInfo, file: OpenFile): Body | string => {
  const start = file.source.offset(symbol.start_line, symbol.start_column)
  const end = file.source.offset(symbol.end_line, symbol.end_column)
  if (start === undefined || end === undefined) return "unreadable"
  const text = file.source.text.slice(start, end)
  const parts = partsOf(text, symbol.language)
  const language = importLanguage(symbol.language)
  if (symbol.flags.some((flag) => flag === "async" || flag === "generator")) return "async"
  const named = text.indexOf(symbol.name)
  const open = text.indexOf("(", named < 0 ? 0 : named)
  const close = open < 0 ? undefined : closeOf(text, open, parts)
  if (close === undefined) return "parameters"
  const parameters: Array<string> = []
  for (const one of splitArguments(text, open + 1, close - 1, parts)) {
    const name =
      language === "go"
        ? one.text.split(/\s+/)[0]!
        : one.text
            .replace(/\s*:[\s\S]*$/, "")
            .replace(/\?$/, "")
            .trim()
    if (!word.test(name) || /=/.test(one.text.replace(/=>/g, "")) || one.text.includes("..."))
      return "parameters"
    parameters.push(name)
  }
  const rest = text.slice(close)
  const at = close
  const code = (from: number) => whereIs(parts, from) === "code"
  const single = (inner: string): string | undefined => {
    const said = /^\s*return\b([\s\S]+?)\s*;?\s*$/.exec(inner)?.[1]?.trim()
    return said === undefined || /\breturn\b/.test(said) || /;/.test(said) ? undefined : said
  }
  let expression: string | undefined
  if (language === "python") {
    if (!/^\s*def\b/m.test(text) || text.startsWith("@")) return "decorated"
    const colon = rest.search(/:\s*(?:#[^\n]*)?\n|:\s*return\b/)
    if (colon < 0) return "body"
    const inner = rest
      .slice(rest.indexOf(":", colon) + 1)
      .replace(/^\s*(?:"""[\s\S]*?"""|'''[\s\S]*?''')\s*\n/, "\n")
    expression = single(inner)
    if (expression?.includes("\n") === true && !/^[([{]/.test(expression)) return "body"
  } else if (language === "go") {
    const brace = rest.indexOf("{")
    if (brace < 0) return "body"
    if (/^\s*\(/.test(rest.slice(0, brace)) && rest.slice(0, brace).includes(",")) return "several_results"
    if (/\b(?:defer|go)\b|\bfunc\b/.test(rest.slice(brace))) return "closure"
    expression = single(rest.slice(brace + 1, rest.lastIndexOf("}")))
    if (
      expression !== undefined &&
      splitArguments(expression, 0, expression.length, partsOf(expression, "go")).length > 1
    )
      return "several_results"
  } else if (language === "ecmascript") {
    const arrow = [...rest.matchAll(/=>/g)].find((match) => code(at + match.index))
    const brace = [...rest.matchAll(/\{/g)].find((match) => code(at + match.index))
    if (/\bfunction\b/.test(text.slice(0, open))) {
      if (brace === undefined) return "body"
      expression = single(rest.slice(brace.index + 1, rest.lastIndexOf("}")))
    } else {
      if (arrow === undefined) return "body"
      const inner = rest
        .slice(arrow.index + 2)
        .trim()
        .replace(/;$/, "")
      expression = inner.startsWith("{") ? single(inner.slice(1, inner.lastIndexOf("}"))) : inner
      if (/^\([^()]*\)$/.test(expression ?? "")) expression = expression!.slice(1, -1).trim()
    }
  } else return "language"
  if (expression === undefined || expression === "") return "body"
  const inside = partsOf(expression, symbol.language)
  if (inside?.some(({ where }) => where === "comment") === true) return "body"
  if (/=>|\bfunction\b|\blambda\b|\bfunc\b/.test(expression)) return "closure"
  if (/\b(?:this|super|arguments|self|yield|await)\b/.test(expression)) return "context"
  if (occurrences(expression, symbol.name).length > 0) return "recursion"
  return { parameters, expression }
}

const why: { readonly [reason: string]: string } = {
  unreadable: "it is not what the graph has seen",
  async: "it is asynchronous or a generator",
  parameters: "its parameters are more than names",
  decorated: "it is decorated or no plain function",
  body: "its body is not one return of one expression",
  several_results: "it has several results",
  closure: "it makes a function, or defers one",
  context: "it means this, self, super or what called it",
  recursion: "it calls itself",
  language: "functions of this language cannot be put in place"
}

const atom = /^(?:[\p{ID_Start}_$][\p{ID_Continue}$.]*|\d[\w.]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')$/u

const usesOfName = (expression: string, name: string, language: string): ReadonlyArray<number> => {
  const parts = partsOf(expression, language)
  return occurrences(expression, name).filter(
    (at) =>
      whereIs(parts, at) === "code" &&
      !/(?<!\.\.)\.\s*$/.test(expression.slice(0, at)) &&
      !/^\s*:(?!:)/.test(expression.slice(at + name.length))
  )
}

/** Names in an expression that are not its parameters: they must mean the same where it goes. */
const freeNames = (body: Body, language: string): ReadonlyArray<string> => {
  const parts = partsOf(body.expression, language)
  const out = new Set<string>()
  for (const match of body.expression.matchAll(/[\p{ID_Start}_$][\p{ID_Continue}$]*/gu))
    if (
      whereIs(parts, match.index) === "code" &&
      !/\.\s*$/.test(body.expression.slice(0, match.index)) &&
      !body.parameters.includes(match[0])
    )
      out.add(match[0])
  return [...out]
}

const literals = new Set(
  "true false null undefined None True False nil and or not in is if else typeof instanceof void new len string int float64 bool byte rune str as satisfies".split(
    " "
  )
)

/** The call with its arguments put in; a word for why that is not possible. */
const inlined = (
  body: Body,
  file: OpenFile,
  edge: EdgeInfo,
  language: string
): { readonly from: number; readonly to: number; readonly text: string } | string => {
  const { source } = file
  const at = source.offset(edge.line, edge.column)
  if (at === undefined) return "unreadable"
  if (edge.role !== "call") return "not_a_call"
  const parts = partsOf(source.text, language)
  const open = at + edge.name.length
  if (source.text[open] !== "(") return "not_a_call"
  if (/\.\s*$/.test(source.text.slice(source.start(edge.line), at))) return "qualified"
  const close = closeOf(source.text, open, parts)
  if (close === undefined) return "unreadable"
  const given = splitArguments(source.text, open + 1, close - 1, parts)
  if (given.length !== body.parameters.length) return "arity"
  if (
    given.some(
      ({ text }) =>
        text.startsWith("...") ||
        text.startsWith("*") ||
        (language === "python" && /^\w+\s*=(?!=)/.test(text))
    )
  )
    return "spread"
  const order: Array<number> = []
  const substitutions: Array<{ readonly from: number; readonly to: number; readonly text: string }> = []
  for (const [i, name] of body.parameters.entries()) {
    const argument = given[i]!.text
    const uses = usesOfName(body.expression, name, language)
    const all = occurrences(body.expression, name).filter(
      (place) =>
        whereIs(partsOf(body.expression, language), place) === "code" &&
        !/\.\s*$/.test(body.expression.slice(0, place))
    )
    if (all.length !== uses.length) return "shorthand"
    if (!isPure(argument)) {
      if (uses.length !== 1) return "side_effects"
      order.push(uses[0]!)
    }
    for (const use of uses)
      substitutions.push({
        from: use,
        to: use + name.length,
        text: atom.test(argument) ? argument : `(${argument})`
      })
  }
  // Effects happen in the order of the arguments; what may be skipped or comes before them is not theirs.
  if (order.some((place, i) => i > 0 && place < order[i - 1]!)) return "side_effects"
  if (order.length > 0 && /\?|&&|\|\||\band\b|\bor\b|\bif\b|\(/.test(body.expression)) return "side_effects"
  if (body.expression.startsWith("{")) return "body"
  const said = replaced(
    body.expression,
    [...substitutions].sort((a, b) => a.from - b.from)
  )
  return { from: at, to: close, text: atom.test(said) ? said : `(${said})` }
}

const callWhy: { readonly [reason: string]: string } = {
  ...why,
  not_a_call: "it is used otherwise than by a call",
  qualified: "it is called through something else",
  arity: "the call has another number of arguments",
  spread: "arguments are spread or named",
  shorthand: "a parameter is the name of a property too",
  side_effects: "an argument does something, and would do it another number of times or in another order",
  not_visible: "a name it uses is not visible there, or means something else",
  unproven: "it may or may not be meant"
}

/** Names that an expression uses and that do not mean the same in another place. */
const hiddenAt = (
  view: GraphView,
  file: OpenFile,
  edge: EdgeInfo,
  home: OpenFile,
  free: ReadonlyArray<string>,
  language: string
): boolean => {
  const names = free.filter((name) => !literals.has(name))
  if (names.length === 0) return false
  const around: Array<string> = []
  for (let up: number | undefined = edge.from; up !== undefined && !view.isFile(up); up = view.parent(up)) {
    const symbol = view.symbol(up)
    const from = file.source.offset(symbol.start_line, symbol.start_column) ?? 0
    const to = file.source.offset(symbol.end_line, symbol.end_column) ?? 0
    around.push(file.source.text.slice(from, to))
  }
  // A name that is bound anywhere around the call may be another one.
  const bound = (name: string) =>
    around.some((text) =>
      occurrences(text, name).some((at) => {
        const before = text.slice(0, at)
        const after = text.slice(at + name.length)
        return (
          (/(?:\b(?:const|let|var|for|def|func|function|class|import|as)\s+|[(,{[]\s*)$/.test(before) &&
            !/^\s*[.([]/.test(after)) ||
          /^\s*(?::=|=(?![=>]))/.test(after)
        )
      })
    )
  if (names.some(bound)) return true
  if (file.path === home.path) return false
  if (
    language === "go" &&
    file.path.slice(0, file.path.lastIndexOf("/")) === home.path.slice(0, home.path.lastIndexOf("/"))
  ) {
    const kind = importLanguage(language)!
    const imported = importStatements(kind, home.source.text).flatMap(({ entries }) =>
      entries.map(({ local }) => local)
    )
    const there = importStatements(kind, file.source.text).flatMap(({ entries }) =>
      entries.map(({ local }) => local)
    )
    return names.some((name) => imported.includes(name) && !there.includes(name))
  }
  // Elsewhere only what every file knows by itself is sure to be the same.
  const own = new Set(view.definitions(home.path).map((ref) => view.nameOf(ref)))
  const kind = importLanguage(language)
  const imported =
    kind === undefined
      ? []
      : importStatements(kind, home.source.text).flatMap(({ entries }) => entries.map(({ local }) => local))
  const there = new Set([
    ...view.definitions(file.path).map((ref) => view.nameOf(ref)),
    ...(kind === undefined
      ? []
      : importStatements(kind, file.source.text).flatMap(({ entries }) => entries.map(({ local }) => local)))
  ])
  return names.some((name) => own.has(name) || imported.includes(name) || there.has(name))
}

const refusedFor = (symbol: SymbolInfo, refusals: ReadonlyArray<Refusal>): OperationFailure =>
  failure("edit_conflict", `${symbol.id} cannot be put in place: ${refusals[0]!.detail}`, {
    field: "target.symbol",
    reason_code: "not_inlinable",
    failure_stage: "preflight",
    data: { refusals: refusals.slice(0, shown), total_refusals: refusals.length, callee: symbol.id }
  })

const needs = [LocalWriter, ReadFs, CodeGraph, OverlayView, LanguageReader] as const

export const inline: Member<typeof refactor, "inline", typeof needs> = refactor.operation("inline", {
  tool: "inline_symbol",
  summary: "Put a small function's body in place of its calls.",
  input: F.input({
    target: F.target({ symbol: Shared.symbol }),
    guard,
    dry_run: dryRun,
    options: F.group({
      delete_after: F.withDefault(F.described(F.flag, "delete the function afterwards"), true)
    })
  }),
  needs,
  handler: ({ dry_run, guard: guards, options, target: { symbol: words } }) =>
    Effect.gen(function* () {
      const view = yield* onDisk
      const drafts = new Drafts(view, "target.symbol")
      yield* checkGuards(view, guards)
      const { symbol } = yield* targetOf(view, drafts, words, "inline")
      if (symbol === undefined || symbol.kind !== "function")
        return yield* failure("invalid_argument", `${words} is no function`, {
          field: "target.symbol",
          reason_code: "not_a_function",
          failure_stage: "resolve"
        })
      const home = yield* drafts.open(symbol.path)
      const here = { file: symbol.path, line: symbol.line }
      const group = alike(view, symbol.ref)
      if (group.length > 1)
        return yield* refusedFor(symbol, [
          { reason: "overloads", detail: "it has several definitions", ...here }
        ])
      const body = bodyOf(symbol, home)
      if (typeof body === "string")
        return yield* refusedFor(symbol, [{ reason: body, detail: why[body]!, ...here }])
      const { doubts, sites } = usesOf(view, group, () => false)
      const refusals: Array<Refusal> = doubts.map(({ line, path }) => ({
        reason: "unproven",
        detail: callWhy["unproven"]!,
        file: path,
        line
      }))
      const free = freeNames(body, symbol.language)
      const listed: Array<EdgeInfo> = []
      let calls = 0
      for (const edge of sites) {
        if (edge.role === "import") {
          listed.push(edge)
          continue
        }
        const file = yield* drafts.open(edge.path)
        const done = inlined(body, file, edge, symbol.language)
        const reason =
          typeof done === "string"
            ? done
            : hiddenAt(view, file, edge, home, free, symbol.language)
              ? "not_visible"
              : undefined
        if (reason !== undefined) {
          refusals.push({ reason, detail: callWhy[reason]!, file: edge.path, line: edge.line })
          continue
        }
        if (typeof done === "string") continue
        const nested = file.changes.some(({ from, to }) => from < done.to && done.from < to)
        if (nested) {
          refusals.push({
            reason: "nested",
            detail: "calls of it stand inside each other",
            file: edge.path,
            line: edge.line
          })
          continue
        }
        yield* drafts.add(file, [{ ...done, confidence: edge.tier, reason: "call" }])
        calls++
      }
      if (refusals.length > 0) return yield* refusedFor(symbol, refusals)
      if (calls === 0 && !options.delete_after)
        return {
          status: "no_edits",
          refusals: [],
          callee: symbol.id,
          callsites_inlined: 0,
          callee_deleted: false,
          touched: [],
          files_touched: 0
        }
      if (calls === 0)
        return yield* refusedFor(symbol, [
          { reason: "no_calls", detail: "nothing calls it; delete removes it", ...here }
        ])
      if (options.delete_after) {
        const excision = excisionOf(view, home.source, symbol)
        if ("problem" in excision)
          return yield* refusedFor(symbol, [{ reason: "not_alone", detail: excision.problem, ...here }])
        yield* drafts.add(home, [
          { from: excision.from, to: excision.to, text: "", confidence: "exact", reason: "definition" }
        ])
        const kind = importLanguage(symbol.language)!
        for (const edge of listed) {
          const file = yield* drafts.open(edge.path)
          const at = file.source.offset(edge.line, edge.column) ?? -1
          for (const statement of importStatements(kind, file.source.text)) {
            if (!(statement.from <= at && at < statement.to)) continue
            const change = without(file.source.text, statement, ({ imported }) => imported === symbol.name)
            if (
              change !== undefined &&
              !file.changes.some(({ from, to }) => from < change.to && change.from < to)
            )
              yield* drafts.add(file, [{ ...change, confidence: "exact", reason: "import" }])
          }
        }
        const unused = unusedImports(kind, home.source.text, replaced(home.source.text, home.changes)).filter(
          (change) => !home.changes.some(({ from, to }) => from < change.to && change.from < to)
        )
        yield* drafts.add(
          home,
          unused.map((change) => ({ ...change, confidence: "exact", reason: "unused import" }))
        )
      }
      // What the expression uses has to be used at the places of the calls as well.
      const overlays = yield* OverlayView
      const later = yield* Effect.mapError(overlays.over(drafts.overlay), (cause) => fromService(cause))
      for (const edge of view.outgoing(symbol.ref)) {
        if (view.isFile(edge.to) || edge.tier === "name") continue
        const before = view.incoming(edge.to).length
        const id = view.idOf(edge.to)
        const [now] = later.resolve(id).found
        const expected = before - (options.delete_after ? 1 : 0) + calls
        if (now === undefined || later.incoming(now).length < Math.min(expected, before))
          return yield* refusedFor(symbol, [
            { reason: "not_visible", detail: `${id} would not be meant everywhere`, ...here }
          ])
      }
      const judged = yield* judge(drafts, symbol.language)
      const rows = [...drafts.rows()]
      const touched = drafts.touched.map(({ path }) => ({
        path,
        edits: rows.filter(({ file }) => file === path).length
      }))
      const settled = yield* settle(drafts, {
        dryRun: dry_run,
        allowParseErrors: false,
        sound: judged?.sound,
        field: "target.symbol"
      })
      const reader = yield* LanguageReader
      if (!dry_run) yield* reader.changed(drafts.overlay.map(({ path }) => path))
      return {
        status: dry_run ? "would_apply" : "applied",
        refusals: [],
        callee: symbol.id,
        callsites_inlined: calls,
        callee_deleted: options.delete_after,
        touched,
        files_touched: touched.length,
        ...settled,
        ...(dry_run ? { edits: rows.slice(0, 100), snapshot: view.generation } : {}),
        verification: judged === undefined ? "graph" : "language_server"
      }
    })
})
