/** Deleting a definition that nothing uses, with what is then of no use. */
import { Effect } from "effect"
import { failure, type OperationFailure } from "../../registry/Failure.ts"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { byteLength } from "../../registry/Json.ts"
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
import { fitting } from "../change/Rows.ts"
import * as Shared from "../fields.ts"
import { rowOf } from "../shared/symbols.ts"
import { closeOf, isPure } from "./Calls.ts"
import { checkGuards, Drafts, type OpenFile, settle } from "./Drafts.ts"
import { type Excision, excisionOf } from "./Excise.ts"
import { refactor } from "./facade.ts"
import { alike, familyOf } from "./Family.ts"
import { dryRun, guard } from "./fields.ts"
import { importLanguage, importStatements, unusedImports, without } from "./Imports.ts"
import { judge } from "./Judged.ts"
import { partsOf } from "./Lexical.ts"
import { isFixedName } from "./Names.ts"
import { positionalUses } from "./Positional.ts"
import { replaced } from "./SourceText.ts"
import { listingsOf, spelledUses, unlisted } from "./Spelled.ts"
import { onDisk, targetOf } from "./Target.ts"

/** Definitions of a set with all that they hold. */
const within = (view: GraphView, refs: Iterable<SymbolRef>): Set<SymbolRef> => {
  const out = new Set<SymbolRef>()
  const queue = [...refs]
  for (let at = 0; at < queue.length; at++) {
    const ref = queue[at]!
    if (out.has(ref)) continue
    out.add(ref)
    queue.push(...view.children(ref), ...alike(view, ref))
  }
  return out
}

interface Use {
  readonly edge: EdgeInfo
  /** import: nothing in the file uses the import; export: it is in the export list of its own file. */
  readonly how: "use" | "import" | "export" | "test"
}

/** What outside of some definitions uses them. */
const usesOutside = (
  view: GraphView,
  gone: ReadonlySet<SymbolRef>,
  intoTests: boolean
): ReadonlyArray<Use> => {
  const edges = new Map<string, EdgeInfo>()
  for (const ref of gone)
    for (const edge of view.incoming(ref))
      if (!gone.has(edge.from)) edges.set(`${edge.path}\0${edge.line}\0${edge.column}`, edge)
  const all = [...edges.values()].sort(
    (a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0) || a.line - b.line || a.column - b.column
  )
  const used = new Set(
    all
      .filter(({ role }) => role !== "import" && role !== "export")
      .map(({ path, to }) => `${path}\0${view.nameOf(to)}`)
  )
  const homes = new Set([...gone].map((ref) => view.pathOf(ref)))
  return all.map((edge) => ({
    edge,
    how:
      edge.role === "export" && homes.has(edge.path)
        ? "export"
        : edge.role === "import" && !used.has(`${edge.path}\0${view.nameOf(edge.to)}`)
          ? "import"
          : intoTests && (view.isTest(edge.from) || view.file(edge.path)?.test === true)
            ? "test"
            : "use"
  }))
}

/** The line of a call that is a statement of its own, when removing it removes nothing else. */
const statementCall = (
  file: OpenFile,
  edge: EdgeInfo,
  language: string
): { readonly from: number; readonly to: number } | undefined => {
  if (edge.role !== "call" || edge.use !== "discarded") return undefined
  const { source } = file
  const at = source.offset(edge.line, edge.column)
  if (at === undefined) return undefined
  const lineStart = source.start(edge.line)
  if (!/^\s*(?:await\s+)?[\w$.]*$/.test(source.text.slice(lineStart, at))) return undefined
  const parts = partsOf(source.text, language)
  const open = at + edge.name.length
  if (source.text[open] !== "(") return undefined
  const close = closeOf(source.text, open, parts)
  if (close === undefined) return undefined
  const inner = source.text.slice(open + 1, close - 1).trim()
  if (inner !== "" && !isPure(inner)) return undefined
  const { line } = source.place(close)
  const rest = source.text.slice(close, source.end(line))
  if (!/^\s*;?\s*(?:\/\/.*|#.*)?$/.test(rest)) return undefined
  return { from: lineStart, to: source.start(line + 1) }
}

const useRow = (view: GraphView, { edge, how }: Use) => ({
  file: edge.path,
  line: edge.line,
  role: edge.role,
  tier: edge.tier,
  within: view.idOf(edge.from),
  ...(how === "use" ? {} : { as: how })
})

/** Flags of definitions that are used without a reference. */
const roots = new Set(["default_export", "override"])

/** Names that a language's run time calls, though nothing in the code does. */
const calledFromOutside: { readonly [language: string]: ReadonlySet<string> } = {
  go: new Set(["main", "init"]),
  rust: new Set(["main"]),
  java: new Set(["main"]),
  c: new Set(["main"]),
  cpp: new Set(["main"])
}

/** Uses that no reference shows: by whatever overrides it or is overridden, by a test runner, by the run time. */
const refuseUnseenUses = (
  view: GraphView,
  symbol: SymbolInfo,
  own: ReadonlySet<SymbolRef>
): Effect.Effect<void, OperationFailure> => {
  const kin = [...new Set([...familyOf(view, symbol.ref), ...view.overriders(symbol.ref)])].filter(
    (ref) => !own.has(ref)
  )
  const because =
    kin.length > 0
      ? `it stands in for, or is stood in for by, ${kin.length === 1 ? "another definition" : `${kin.length} others`} of its name`
      : calledFromOutside[symbol.language]?.has(symbol.name) === true && symbol.qualified === symbol.name
        ? "it is run without being called"
        : symbol.test
          ? "a test runner runs it"
          : undefined
  return because === undefined
    ? Effect.void
    : Effect.fail(
        failure(
          "edit_conflict",
          `${symbol.id} may be used though nothing refers to it: ${because}; options.force deletes it all the same`,
          {
            field: "target.symbol",
            reason_code: "used_unseen",
            failure_stage: "preflight",
            data: { related: kin.slice(0, 20).map((ref) => view.idOf(ref)) }
          }
        )
      )
}

const needs = [LocalWriter, ReadFs, CodeGraph, OverlayView, LanguageReader, TextIndex] as const

export const remove: Member<typeof refactor, "delete", typeof needs> = refactor.operation("delete", {
  tool: "safe_delete_symbol",
  presets: ["hybrid"],
  summary: "Delete a symbol that nothing refers to; a dry run unless told otherwise.",
  input: F.input({
    target: F.target({ symbol: Shared.symbol }),
    guard,
    dry_run: F.withDefault(dryRun, true),
    options: F.group({
      force: F.withDefault(F.described(F.flag, "delete in spite of references"), false),
      cascade: F.withDefault(
        F.described(F.choice("off", "preview", "apply"), "symbols nothing uses any more"),
        "off"
      ),
      cascade_into_tests: F.withDefault(F.described(F.flag, "uses in tests do not count"), false),
      propagate: F.withDefault(F.described(F.flag, "remove calls that stand alone"), false)
    })
  }),
  needs,
  handler: ({ dry_run, guard: guards, options, target: { symbol: words } }, call) =>
    Effect.gen(function* () {
      const view = yield* onDisk
      const drafts = new Drafts(view, "target.symbol")
      yield* checkGuards(view, guards)
      const { symbol } = yield* targetOf(view, drafts, words, "delete")
      if (symbol === undefined)
        return yield* failure("symbol_not_found", `${words} is no definition of the graph`, {
          field: "target.symbol",
          failure_stage: "resolve"
        })
      const chosen = new Set<SymbolRef>(alike(view, symbol.ref))
      if (!options.force) yield* refuseUnseenUses(view, symbol, chosen)
      const cascaded: Array<{ readonly ref: SymbolRef; readonly because: SymbolRef }> = []

      /** Uses that stand in the way, and calls that go with the definition. */
      const standing = (refs: ReadonlySet<SymbolRef>) =>
        Effect.gen(function* () {
          const uses = usesOutside(view, within(view, refs), options.cascade_into_tests)
          const blocking: Array<Use> = []
          const calls: Array<{ readonly edge: EdgeInfo; readonly from: number; readonly to: number }> = []
          for (const use of uses) {
            if (use.how === "import" || use.how === "export") continue
            if (options.propagate) {
              const file = yield* drafts.open(use.edge.path)
              const statement = statementCall(file, use.edge, view.file(use.edge.path)?.language ?? "")
              if (statement !== undefined) {
                calls.push({ edge: use.edge, ...statement })
                continue
              }
            }
            blocking.push(use)
          }
          // An import goes with the last call.
          const left = new Set(
            blocking.filter(({ edge }) => edge.role !== "import").map(({ edge }) => edge.path)
          )
          const gone = new Set(calls.map(({ edge }) => edge.path))
          return {
            uses,
            calls,
            blocking: blocking.filter(
              ({ edge }) => !(edge.role === "import" && !left.has(edge.path) && gone.has(edge.path))
            )
          }
        })

      // Tests that use it go too, where they are definitions of their own.
      if (options.cascade_into_tests)
        for (let more = true; more; ) {
          more = false
          for (const { edge, how } of usesOutside(view, within(view, chosen), true)) {
            if (how !== "test" || view.isFile(edge.from)) continue
            let top = edge.from
            for (let up = view.parent(top); up !== undefined && !view.isFile(up); up = view.parent(up))
              top = up
            if (chosen.has(top)) continue
            chosen.add(top)
            cascaded.push({ ref: top, because: edge.to })
            more = true
          }
        }
      const first = yield* standing(chosen)
      const references = first.uses.filter(({ how }) => how !== "import" && how !== "export")
      if (options.cascade !== "off") {
        const found = new Set(chosen)
        for (let more = true; more; ) {
          more = false
          const all = within(view, found)
          for (const ref of all)
            for (const edge of view.outgoing(ref)) {
              const to = edge.to
              if (all.has(to) || found.has(to) || view.isFile(to) || edge.tier === "name") continue
              const info = view.symbol(to)
              if (
                info.test ||
                isFixedName(info.language, info.name) ||
                info.flags.some((flag) => roots.has(flag))
              )
                continue
              // A member of something that stays may be demanded by it.
              const parent = view.parent(to)
              if (parent !== undefined && !view.isFile(parent)) continue
              const group = new Set([...found, ...alike(view, to)])
              const inside = within(view, group)
              const others = usesOutside(
                view,
                within(view, alike(view, to)),
                options.cascade_into_tests
              ).filter((use) => use.how === "use" && !inside.has(use.edge.from))
              const onlyThere = others.every(({ edge: { role } }) => role === "import")
              if (
                others.length > 0 &&
                !(
                  onlyThere &&
                  others.every((use) => [...found].some((one) => view.pathOf(one) === use.edge.path))
                )
              )
                continue
              if (view.unbound(info.name, 1).total > 0) continue
              for (const one of alike(view, to)) found.add(one)
              cascaded.push({ ref: to, because: ref })
              more = true
            }
        }
        if (options.cascade === "apply") for (const ref of found) chosen.add(ref)
      }
      const { blocking, calls, uses } = options.cascade === "apply" ? yield* standing(chosen) : first

      const closure = cascaded.map(({ because, ref }) => ({
        ...rowOf(view.symbol(ref)),
        used_by: view.idOf(because)
      }))
      const shownOf = (references_: ReadonlyArray<Use>, bytes: number) => {
        const rows = fitting(references_, { offset: 0, limit: 200, bytes }, (use) => useRow(view, use))
        return {
          references: rows,
          total_references: references_.length,
          ...(rows.length < references_.length ? { references_truncated: true } : {})
        }
      }
      if (blocking.length > 0 && !options.force)
        return yield* failure(
          "edit_conflict",
          `${symbol.id} is used in ${blocking.length} ${blocking.length === 1 ? "place" : "places"}; options.force deletes it all the same`,
          {
            field: "target.symbol",
            reason_code: "still_referenced",
            failure_stage: "preflight",
            data: { symbol: symbol.id, ...shownOf(blocking, 4000) }
          }
        )

      let own: Excision | undefined
      for (const ref of chosen) {
        let up = view.parent(ref)
        while (up !== undefined && !chosen.has(up)) up = view.parent(up)
        if (up !== undefined) continue
        const one = view.symbol(ref)
        const file = yield* drafts.open(one.path)
        const excision = excisionOf(view, file.source, one)
        if ("problem" in excision)
          return yield* failure("edit_conflict", `${one.id} cannot be taken out: ${excision.problem}`, {
            field: "target.symbol",
            reason_code: "not_alone",
            failure_stage: "preflight",
            data: { symbol: one.id }
          })
        if (ref === symbol.ref) own = excision
        // Overload signatures that follow each other share their documentation.
        const free = file.changes.filter(({ from, to }) => from < excision.to && excision.from < to)
        const from = Math.max(excision.from, ...free.map((change) => change.to))
        if (from < excision.to)
          yield* drafts.add(file, [
            { from, to: excision.to, text: "", confidence: "exact", reason: "definition" }
          ])
      }
      for (const { edge, from, to } of calls) {
        const file = yield* drafts.open(edge.path)
        if (!file.changes.some((change) => change.from < to && from < change.to))
          yield* drafts.add(file, [{ from, to, text: "", confidence: edge.tier, reason: "call" }])
      }
      yield* tidy(drafts, uses)
      const spelled = yield* spelledLeft(drafts, symbol, chosen)
      if (!options.force) {
        if (spelled.references.length > 0)
          return yield* failure(
            "edit_conflict",
            `${symbol.id} is named in ${spelled.references.length === 1 ? "a string or comment" : `${spelled.references.length} strings and comments`} that may mean it; options.force deletes it all the same`,
            {
              field: "target.symbol",
              reason_code: "still_referenced",
              failure_stage: "preflight",
              data: {
                symbol: symbol.id,
                references: spelled.references.slice(0, 50),
                total_references: spelled.references.length
              }
            }
          )
        const placed = yield* positionalUses(drafts, symbol)
        if (placed.length > 0)
          return yield* failure(
            "edit_conflict",
            `what follows ${symbol.id} counts on its place; options.force deletes it all the same`,
            {
              field: "target.symbol",
              reason_code: "used_by_position",
              failure_stage: "preflight",
              data: {
                symbol: symbol.id,
                sites: placed.slice(0, 20).map(({ line, path }) => ({ file: path, line })),
                total_sites: placed.length
              }
            }
          )
      }
      // What lists the names of a module lists no name that is gone.
      for (const { at, file, list } of spelled.listings) {
        const name = /^\w+/.exec(file.source.text.slice(at))![0]
        const change = unlisted(file.source.text, at, name)
        if (!file.changes.some(({ from, to }) => from < change.to && change.from < to))
          yield* drafts.add(file, [{ ...change, confidence: "resolved", reason: list }])
      }
      const judged = options.force ? undefined : yield* judge(drafts, symbol.language)
      const settled = yield* settle(drafts, {
        dryRun: dry_run,
        allowParseErrors: false,
        sound: judged?.sound,
        field: "target.symbol"
      })
      const reader = yield* LanguageReader
      if (!dry_run) yield* reader.changed(drafts.overlay.map(({ path }) => path))
      const head = {
        status: dry_run ? "would_delete" : "deleted",
        symbol: symbol.id,
        file: symbol.path,
        start_line: own!.startLine,
        end_line: own!.endLine,
        lines_deleted: own!.endLine - own!.startLine + 1,
        ...(dry_run ? { preview: own!.text.slice(0, 2000), snapshot: view.generation } : {}),
        cascade_mode: options.cascade,
        cascade_closure: closure,
        cascade_deleted: options.cascade === "apply" ? cascaded.length : 0,
        ...(calls.length === 0
          ? {}
          : {
              caller_patches: calls.map(({ edge }) => ({
                file: edge.path,
                line: edge.line,
                within: view.idOf(edge.from)
              }))
            }),
        ...settled,
        verification: judged === undefined ? "graph" : "language_server",
        ...(options.cascade === "preview" && closure.length > 0
          ? { hint: "options.cascade=apply deletes cascade_closure too" }
          : {})
      }
      return { ...head, ...shownOf(references, Math.max(0, call.budget - byteLength(head) - 300)) }
    })
})

/** Places outside of what goes that name it in a string or a comment that is read by a program. */
const spelledLeft = (drafts: Drafts, symbol: SymbolInfo, chosen: ReadonlySet<SymbolRef>) =>
  Effect.gen(function* () {
    const { view } = drafts
    const goes = (path: string, at: number): boolean =>
      drafts.get(path)?.changes.some(({ from, text, to }) => text === "" && from <= at && at < to) === true
    const listings = (yield* listingsOf(drafts, [...chosen])).filter(({ at, file }) => !goes(file.path, at))
    const uses = (yield* spelledUses(view, drafts, symbol)).filter(({ offset, path }) => !goes(path, offset))
    const row = (path: string, line: number, role: string) => ({
      file: path,
      line,
      role,
      within: view.idOf(view.at(path, line) ?? view.fileRef(path)!)
    })
    return {
      listings,
      references: [
        ...listings.map(({ at, file, list }) => row(file.path, file.source.place(at).line, list)),
        ...uses.map(({ how, line, path }) => row(path, line, how))
      ]
    }
  })

/** Takes out of import and export lists what is gone, and imports that only the deleted text used. */
const tidy = (
  drafts: Drafts,
  uses: ReadonlyArray<Use>
): Effect.Effect<void, OperationFailure, ReadFs | OverlayView> =>
  Effect.gen(function* () {
    const { view } = drafts
    const named = new Map<string, Set<number>>()
    for (const { edge } of uses) {
      if (edge.role !== "import" && edge.role !== "export") continue
      const file = yield* drafts.open(edge.path)
      const at = file.source.offset(edge.line, edge.column)
      const known = named.get(edge.path)
      if (at === undefined) continue
      if (known === undefined) named.set(edge.path, new Set([at]))
      else known.add(at)
    }
    for (const path of new Set([...drafts.touched.map((file) => file.path), ...named.keys()])) {
      const file = yield* drafts.open(path)
      const language = importLanguage(view.file(path)?.language ?? "")
      if (language === undefined) continue
      const { text } = file.source
      const places = named.get(path) ?? new Set()
      const gone = importStatements(language, text).flatMap((statement) => {
        const inside = [...places].filter((at) => statement.from <= at && at < statement.to)
        if (inside.length === 0) return []
        const words = new Set(inside.map((at) => /^[\p{ID_Continue}$]+/u.exec(text.slice(at))?.[0]))
        const change = without(
          text,
          statement,
          ({ imported, local }) => words.has(imported) || words.has(local)
        )
        return change === undefined ? [] : [change]
      })
      const listed = gone.filter(
        ({ from, to }) => !file.changes.some((change) => change.from < to && from < change.to)
      )
      yield* drafts.add(
        file,
        listed.map((change) => ({ ...change, confidence: "exact", reason: "import" }))
      )
      const after = replaced(text, file.changes)
      const unused = unusedImports(language, text, after).filter(
        ({ from, to }) => !file.changes.some((change) => change.from < to && from < change.to)
      )
      yield* drafts.add(
        file,
        unused.map((change) => ({ ...change, confidence: "exact", reason: "unused import" }))
      )
    }
  })
