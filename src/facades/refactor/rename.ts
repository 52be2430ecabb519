/** Renaming: planned whole, looked at from every side, written in one transaction or not at all. */
import { Effect } from "effect"
import { failure, fromService, invalidArgument, type OperationFailure } from "../../registry/Failure.ts"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { byteLength } from "../../registry/Json.ts"
import type { EdgeInfo, GraphView, SymbolInfo, SymbolRef } from "../../services/CodeGraph.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { type LanguageChange, type LanguageEdit, LanguageReader } from "../../services/LanguageReader.ts"
import { LocalWriter } from "../../services/LocalWriter.ts"
import { OverlayView } from "../../services/OverlayView.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import { TextIndex } from "../../services/TextIndex.ts"
import { fitting } from "../change/Rows.ts"
import * as Shared from "../fields.ts"
import { rowOf } from "../shared/symbols.ts"
import { type Change, checkGuards, Drafts, type OpenFile, settle } from "./Drafts.ts"
import { refactor } from "./facade.ts"
import { alike, type Doubt, namedTogether, outsideBases, usesOf } from "./Family.ts"
import { fileRenameOf, moveFile } from "./FileRename.ts"
import { isEmbedding, isOuterTest } from "./GoPackage.ts"
import { holdersOf } from "./Holders.ts"
import { judge, shown } from "./Judged.ts"
import { partsIn, whereIs } from "./Lexical.ts"
import { astray, follow, nameOfUse } from "./Linked.ts"
import { mentionsOf, mentionsRow } from "./Mentions.ts"
import { changesKind, isEcmascript, isFixedName, nameProblem, wordAt } from "./Names.ts"
import { listingsOf, spellingAt } from "./Spelled.ts"
import { compareSites, type Site, siteAfter, siteKey } from "./Sites.ts"
import { turnedIntrinsic } from "./Tags.ts"
import { onDisk, type Target, targetOf } from "./Target.ts"
import { dryRun, guard } from "./fields.ts"

/** Reasons that another new name would take away. */
const ofNewName: ReadonlySet<string> = new Set([
  "name_taken",
  "captured",
  "hidden_by_name",
  "intrinsic_element"
])

const conflict = (
  reason: string,
  message: string,
  data: { readonly [key: string]: unknown }
): OperationFailure =>
  failure("edit_conflict", message, {
    field: ofNewName.has(reason) ? "new_name" : "target.symbol",
    reason_code: reason,
    failure_stage: "preflight",
    data
  })

const siteRow = (site: Site) => ({ file: site.path, line: site.line, column: site.column })
const sitesData = (sites: ReadonlyArray<Site>) => ({
  sites: sites.slice(0, shown).map(siteRow),
  total_sites: sites.length
})

/** What an edit of a rename may put in place of what. Undefined for anything else. */
const formOf = (was: string, text: string, from: string, to: string): string | undefined => {
  if (was === from)
    return text === to
      ? "reference"
      : text === `${from}: ${to}` || text === `${to}: ${from}`
        ? "shorthand"
        : text === `${to} as ${from}` || text === `${from} as ${to}`
          ? "alias"
          : undefined
  // Servers also insert around a name that stays.
  if (was === "")
    return text === `${to}: ` || text === `${from}: ` || text === `: ${to}`
      ? "shorthand"
      : text === `${to} as ` || text === ` as ${to}` || text === ` as ${from}`
        ? "alias"
        : undefined
  // Shorthand and alias that become superfluous.
  return new Set([`${from}: ${to}`, `${to}: ${from}`, `${from} as ${to}`, `${to} as ${from}`]).has(was) &&
    text === to
    ? "reference"
    : undefined
}

/** The part of an edit that changes: servers may send whole lines. */
const narrowed = (was: string, text: string) => {
  let head = 0
  while (head < was.length && head < text.length && was[head] === text[head]) head++
  let tail = 0
  while (
    tail < was.length - head &&
    tail < text.length - head &&
    was[was.length - 1 - tail] === text[text.length - 1 - tail]
  )
    tail++
  return { head, tail }
}

const addEdits = (
  drafts: Drafts,
  edits: ReadonlyArray<LanguageEdit>,
  from: string,
  to: string,
  definitions: ReadonlySet<string>,
  server: string
) =>
  Effect.gen(function* () {
    for (const edit of edits) {
      const file = yield* drafts.open(edit.path)
      const start = file.source.offset(edit.startLine, edit.startColumn)
      const end = file.source.offset(edit.endLine, edit.endColumn)
      const was = start === undefined || end === undefined ? undefined : file.source.text.slice(start, end)
      const form = was === undefined ? undefined : formOf(was, edit.text, from, to)
      const inside = () => {
        const { head, tail } = narrowed(was!, edit.text)
        return {
          old_text: was!.slice(head, was!.length - tail),
          new_text: edit.text.slice(head, edit.text.length - tail)
        }
      }
      if (form === undefined)
        return yield* conflict(
          "unexpected_edit",
          `${server} would replace something other than the name in ${edit.path}:${edit.startLine}`,
          {
            server,
            file: edit.path,
            line: edit.startLine,
            ...(was === undefined ? { new_text: edit.text.slice(0, 200) } : inside())
          }
        )
      const where = whereIs(partsIn(file.source, drafts.view.file(edit.path)?.language), start!)
      yield* drafts.add(file, [
        {
          from: start!,
          to: end!,
          text: edit.text,
          confidence: "language_server",
          reason: definitions.has(
            siteKey({ path: edit.path, line: edit.startLine, column: edit.startColumn })
          )
            ? "definition"
            : where === "code" || form !== "reference"
              ? form
              : where
        }
      ])
    }
  })

const nameProblemOf = ({ language, name }: Target, to: string): OperationFailure | undefined => {
  const problem = nameProblem(language, to)
  if (problem !== undefined)
    return invalidArgument("new_name", problem.detail, { reason_code: problem.reason, data: { language } })
  if (isFixedName(language, name) || isFixedName(language, to))
    return invalidArgument(
      isFixedName(language, to) ? "new_name" : "target.symbol",
      `${isFixedName(language, to) ? to : name} has a meaning of its own in ${language}`,
      { reason_code: "fixed_name", data: { language } }
    )
  return changesKind(language, name, to)
    ? invalidArgument("new_name", `${name} and ${to} differ in what their names mean in ${language}`, {
        reason_code: "changes_kind",
        data: { language }
      })
    : undefined
}

const folder = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1)

/** Definitions that bear the new name where the old one is defined. */
const collisionsOf = (
  view: GraphView,
  family: ReadonlyArray<SymbolRef>,
  to: string
): ReadonlyArray<SymbolRef> => {
  const out = new Set<SymbolRef>()
  for (const ref of family) {
    const { language, path } = view.symbol(ref)
    const parent = view.parent(ref)
    for (const other of view.named(to)) {
      if (view.parent(other) === parent && view.pathOf(other) === path) out.add(other)
      // One package of Go is one scope, whatever the file.
      else if (
        language === "go" &&
        (parent === undefined || view.isFile(parent)) &&
        view.symbol(other).language === "go" &&
        folder(view.pathOf(other)) === folder(path) &&
        !view.symbol(other).qualified.includes(".") &&
        !view.symbol(ref).qualified.includes(".")
      )
        out.add(other)
    }
  }
  return [...out]
}

/** Languages whose servers cannot tell what a member is asked of. */
const untyped = new Set(["python", "javascript", "jsx", "ruby", "php", "lua"])

/** Doubts a server is asked about. */
const mostAsked = 60

const refuseOutside = (
  view: GraphView,
  family: ReadonlyArray<SymbolRef>
): Effect.Effect<void, OperationFailure> => {
  const outside = outsideBases(view, family)
  return outside.length === 0
    ? Effect.void
    : conflict(
        "outside_supertype",
        `${view.idOf(family[0]!)} may be demanded by ${outside.join(", ")}, which is not of this repository`,
        { supertypes: outside }
      )
}

const graphUses = (drafts: Drafts, family: ReadonlyArray<SymbolRef>) =>
  Effect.gen(function* () {
    const { view } = drafts
    const { name, path } = view.symbol(family[0]!)
    const paths = new Set<string>([path, ...view.unbound(name, 2000).sites.map((site) => site.path)])
    for (const one of paths) yield* Effect.option(drafts.open(one))
    return usesOf(view, family, (site) => {
      const file = drafts.get(site.path)
      const at = file?.source.offset(site.line, site.column)
      if (file === undefined || at === undefined) return undefined
      return /(?:\.|->|::)\s*$/.test(file.source.text.slice(file.source.start(site.line), at))
    })
  })

const doubtRows = (doubts: ReadonlyArray<Doubt>) =>
  doubts.slice(0, shown).map((site) => ({ ...siteRow(site), why: site.why }))

const unproven = (symbol: SymbolInfo, doubts: ReadonlyArray<Doubt>, proven: number): OperationFailure =>
  conflict(
    "unproven_sites",
    `${doubts.length} places use the name ${symbol.name} and may mean ${symbol.id}; options.allow_unproven leaves them as they are`,
    { sites: doubtRows(doubts), total_sites: doubts.length, proven }
  )

/**
 * Doubts of the graph that a server does not count in: those it has no answer to either, and those that lead to the
 * definition by its own answer. What leads elsewhere is none.
 */
const doubtsLeft = (
  drafts: Drafts,
  family: ReadonlyArray<SymbolRef>,
  seen: ReadonlySet<string>,
  across: ReadonlyArray<string>
) =>
  Effect.gen(function* () {
    const reader = yield* LanguageReader
    const { doubts } = yield* graphUses(drafts, family)
    const open = doubts.filter((site) => !seen.has(siteKey(site)))
    const answers = yield* Effect.forEach(
      open.slice(0, mostAsked),
      ({ column, line, path }) => Effect.option(reader.definitions({ path, line, column }, { across })),
      { concurrency: 2 }
    )
    const own = new Set(family.map((ref) => siteKey(drafts.view.symbol(ref))))
    const unanswered: Array<Doubt> = []
    const leading: Array<Site> = []
    open.forEach((site, i) => {
      const answer = answers[i]
      if (
        answer === undefined ||
        answer._tag === "None" ||
        (answer.value.value.length === 0 && answer.value.outside === 0)
      )
        unanswered.push(site)
      else if (answer.value.value.some((span) => own.has(siteKey(siteOf(span))))) leading.push(site)
    })
    return { unanswered, leading }
  })

/** What is renamed: its place, all that goes by its name, and where it may be used. */
interface Definition {
  readonly home: OpenFile
  readonly start: number
  readonly family: ReadonlyArray<SymbolRef>
  readonly across: ReadonlyArray<string>
}

/** Places that keep their text, and whether they lead to the renamed definition all the same. */
const leadThere = (
  drafts: Drafts,
  sites: ReadonlyArray<Site>,
  definition: Definition,
  from: string,
  to: string
) =>
  Effect.gen(function* () {
    const reader = yield* LanguageReader
    const { across, family, home, start } = definition
    const { overlay } = drafts
    const meant = new Set([siteKey(siteAfter(drafts, home, start, to))])
    for (const ref of family) {
      const { column, line, path } = drafts.view.symbol(ref)
      const file = yield* drafts.open(path)
      const at = file.source.offset(line, column)
      if (at !== undefined) meant.add(siteKey(siteAfter(drafts, file, at, to)))
    }
    return yield* Effect.forEach(
      sites,
      (site) =>
        Effect.gen(function* () {
          const file = yield* drafts.open(site.path)
          const at = file.source.offset(site.line, site.column)
          if (at === undefined) return false
          const answer = yield* Effect.mapError(
            reader.definitions(siteAfter(drafts, file, at, from), { overlay, across }),
            (cause) => fromService(cause)
          )
          return answer.value.some((span) => meant.has(siteKey(siteOf(span))))
        }),
      { concurrency: 4 }
    )
  })

/** Edits by the graph alone. Refuses whatever it cannot prove. */
const addByGraph = (drafts: Drafts, target: Target, to: string, allowUnproven: boolean) =>
  Effect.gen(function* () {
    const { view } = drafts
    const { name, symbol } = target
    if (symbol === undefined)
      return yield* conflict(
        "unknown_definition",
        `the graph has no definition of ${name}, and no language server is here to say what it is`,
        {}
      )
    const family = namedTogether(view, symbol.ref)
    if (!allowUnproven) yield* refuseOutside(view, family)
    const { doubts, sites } = yield* graphUses(drafts, family)
    if (doubts.length > 0 && !allowUnproven) return yield* unproven(symbol, doubts, sites.length)
    if (
      symbol.language === "go" &&
      /^\p{Lu}/u.test(name) &&
      !/^\p{Lu}/u.test(to) &&
      sites.some((site) => folder(site.path) !== folder(symbol.path))
    )
      return yield* conflict(
        "hidden_by_name",
        `${to} would not be visible in other packages that use ${name}`,
        {
          ...sitesData(sites.filter((site) => folder(site.path) !== folder(symbol.path)))
        }
      )
    const put = (file: OpenFile, at: number, confidence: string, reason: string) =>
      drafts.add(file, [{ from: at, to: at + name.length, text: to, confidence, reason } satisfies Change])
    for (const ref of family) {
      const one = view.symbol(ref)
      const file = yield* drafts.open(one.path)
      const at = file.source.offset(one.line, one.column)
      if (at === undefined || !wordAt(file.source.text, at, name))
        return yield* conflict("unexpected_text", `${one.id} is not written as ${name} where it is defined`, {
          file: one.path,
          line: one.line
        })
      yield* put(file, at, "exact", "definition")
    }
    for (const edge of sites) {
      const file = yield* drafts.open(edge.path)
      const at = file.source.offset(edge.line, edge.column)
      if (at === undefined || !wordAt(file.source.text, at, name)) continue
      // A shorthand names a property as well, which keeps its name.
      const short = isEcmascript(target.language) && isShorthand(file.source.text, at, name)
      yield* drafts.add(file, [
        {
          from: at,
          to: at + name.length,
          text: short ? `${name}: ${to}` : to,
          confidence: edge.tier,
          reason: short ? "shorthand" : edge.role
        }
      ])
    }
    return { family, sites, doubts }
  })

/** What follows a name in braces that take something apart. */
const pattern = /^[^{}]*\}\s*(?:=(?![=>])|:|\)\s*(?::|=>|\{))/

const isShorthand = (text: string, at: number, name: string): boolean =>
  /[{,]\s*$/.test(text.slice(Math.max(0, at - 200), at)) &&
  /^\s*[,}]/.test(text.slice(at + name.length, at + name.length + 200)) &&
  /(?:[=(,:[]|return)\s*\{[^{}]*$/.test(text.slice(Math.max(0, at - 400), at))

/** The graph's own references, before and after. Fails where they differ. */
const compareGraph = (
  drafts: Drafts,
  family: ReadonlyArray<SymbolRef>,
  before: ReadonlyArray<Site>,
  to: string
) =>
  Effect.gen(function* () {
    const { view } = drafts
    const overlays = yield* OverlayView
    const later = yield* Effect.mapError(overlays.over(drafts.overlay), (cause) => fromService(cause))
    const after = new Map<string, Site>()
    const unnamed: Array<Site> = []
    for (const ref of family) {
      const symbol = view.symbol(ref)
      const file = yield* drafts.open(symbol.path)
      const place = siteAfter(drafts, file, file.source.offset(symbol.line, symbol.column)!, to)
      const now = later.definitions(place.path).find((other) => {
        const one = later.symbol(other)
        return one.line === place.line && one.column === place.column && one.name === to
      })
      if (now === undefined) unnamed.push(symbol)
      else
        for (const one of alike(later, now))
          for (const edge of later.incoming(one)) if (edge.tier !== "name") after.set(siteKey(edge), edge)
    }
    if (unnamed.length > 0)
      return yield* conflict(
        "definition_lost",
        `${to} would not be defined where it should be`,
        sitesData(unnamed)
      )
    const { gained, lost } = yield* compareSites(drafts, before, [...after.values()])
    yield* refuseDifference(lost, gained, to)
  })

/** Members that override each other go by one name: a server that renames some of them would change what is called. */
const refusePartOf = (
  drafts: Drafts,
  family: ReadonlyArray<SymbolRef>,
  server: string
): Effect.Effect<void, OperationFailure, ReadFs | OverlayView> =>
  Effect.gen(function* () {
    const kept: Array<Site> = []
    for (const ref of family) {
      const symbol = drafts.view.symbol(ref)
      const file = yield* drafts.open(symbol.path)
      const at = file.source.offset(symbol.line, symbol.column)
      if (!file.changes.some(({ from }) => from === at)) kept.push(symbol)
    }
    if (kept.length > 0)
      return yield* conflict(
        "override_family",
        `${server} would leave ${kept.length} of the ${family.length} definitions that override each other as they are`,
        sitesData(kept)
      )
  })

const refuseDifference = (
  lost: ReadonlyArray<Site>,
  gained: ReadonlyArray<Site>,
  to: string
): Effect.Effect<void, OperationFailure> =>
  lost.length === 0 && gained.length === 0
    ? Effect.void
    : conflict(
        "captured",
        lost.length > 0
          ? `${lost.length} places that mean the symbol would mean another ${to}`
          : `${gained.length} places that mean another ${to} would mean the symbol`,
        {
          ...(lost.length === 0 ? {} : { lost: lost.slice(0, shown).map(siteRow), total_lost: lost.length }),
          ...(gained.length === 0
            ? {}
            : { gained: gained.slice(0, shown).map(siteRow), total_gained: gained.length })
        }
      )

const needs = [LocalWriter, ReadFs, CodeGraph, LanguageReader, OverlayView, TextIndex] as const

export const rename: Member<typeof refactor, "rename", typeof needs> = refactor.operation("rename", {
  tool: "rename_symbol",
  presets: ["core", "edit", "hybrid"],
  summary: "Rename a symbol wherever it is used: all or nothing.",
  input: F.input({
    target: F.target({ symbol: Shared.symbol }),
    new_name: F.anyText,
    guard,
    dry_run: dryRun,
    options: F.group({
      allow_parse_errors: F.withDefault(F.flag, false),
      rename_file: F.withDefault(F.described(F.flag, "rename the file that bears its name too"), false),
      in_comments: F.withDefault(F.described(F.flag, "rename mentions in comments too"), false),
      in_strings: F.withDefault(F.described(F.flag, "rename mentions in strings too"), false),
      allow_unproven: F.withDefault(
        F.described(F.flag, "leave places that may or may not mean it as they are"),
        false
      ),
      through_reexports: F.withDefault(
        F.described(F.flag, "rename what re-exports it too, not keep the old name by an alias"),
        false
      )
    })
  }),
  needs,
  handler: ({ dry_run, guard: guards, new_name, options, target: { symbol: words } }, call) =>
    Effect.gen(function* () {
      const view = yield* onDisk
      const drafts = new Drafts(view, "target.symbol")
      yield* checkGuards(view, guards)
      const target = yield* targetOf(view, drafts, words, "rename")
      const { language, name } = target
      const names = { old_name: name, new_name }
      const problem = nameProblemOf(target, new_name)
      if (problem !== undefined) return yield* problem
      if (name === new_name)
        return { ...names, status: "no_edits", edits: [], total_edits: 0, files_affected: 0, files: [] }
      const home = yield* drafts.open(target.path)
      const start = home.source.offset(target.line, target.column)
      if (start === undefined || !wordAt(home.source.text, start, name))
        return yield* conflict("unexpected_text", `${words} is not written as ${name} where it is defined`, {
          file: target.path,
          line: target.line
        })
      const own = target.symbol
      const family = own === undefined ? [] : namedTogether(view, own.ref)
      const taken: Array<SymbolRef> = []
      for (const ref of collisionsOf(view, family, new_name)) {
        const path = view.pathOf(ref)
        // A test from outside shares the folder and not the scope.
        const apart =
          language === "go" &&
          path !== target.path &&
          isOuterTest(path, (yield* textOf(path)) ?? "") !== isOuterTest(target.path, home.source.text)
        if (!apart) taken.push(ref)
      }
      if (taken.length > 0)
        return yield* conflict("name_taken", `${new_name} is defined in the same scope already`, {
          definitions: taken.slice(0, shown).map((ref) => rowOf(view.symbol(ref)))
        })

      if (
        language === "go" &&
        own?.kind === "field" &&
        family.every((ref) => view.symbol(ref).kind === "field") &&
        isEmbedding(home.source.line(target.line), target.column, name)
      )
        return yield* conflict(
          "outside_supertype",
          `${own.id} is an embedded type that is not of this repository, and is called like it`,
          {}
        )

      const reader = yield* LanguageReader
      const at = { path: target.path, line: target.line, column: target.column }
      const across = yield* holdersOf(view, target, family)
      const asked = yield* Effect.either(
        reader.rename(at, new_name, { throughAliases: options.through_reexports, across })
      )
      let server: string | undefined
      let doubts: ReadonlyArray<Doubt> = []
      let verification: { readonly [key: string]: unknown }
      if (asked._tag === "Right") {
        const { partial, value } = asked.right
        server = asked.right.server
        if (partial)
          return yield* failure("index_incomplete", `${server} has not read the whole project yet`, {
            reason_code: "server_not_ready",
            failure_stage: "preflight"
          })
        yield* refuseFileOperations(value, server)
        const definitions = new Set([siteKey(at), ...family.map((ref) => siteKey(view.symbol(ref)))])
        const edits = options.through_reexports
          ? yield* keepingShapes(drafts, value.edits, at, name, new_name, across)
          : value.edits
        yield* addEdits(drafts, edits, name, new_name, definitions, server)
        if (!isEcmascript(language) || untyped.has(language)) yield* refusePartOf(drafts, family, server)
      } else if (asked.left.reason !== "not_configured" || isEcmascript(language))
        return yield* fromService(asked.left, {
          failure_stage: "preflight",
          state_changed: false,
          ...(asked.left.reason === "invalid_argument" ? { field: "target.symbol" } : {})
        })
      const graphBefore =
        asked._tag === "Left"
          ? yield* addByGraph(drafts, target, new_name, options.allow_unproven)
          : undefined
      for (const { at: place, file, list } of yield* listingsOf(drafts, family))
        yield* drafts.add(file, [
          {
            from: place,
            to: place + name.length,
            text: new_name,
            confidence: file.changes.find(({ from }) => from === place)?.confidence ?? "resolved",
            reason: list
          }
        ])
      const intrinsic = turnedIntrinsic(drafts, name, new_name)
      if (intrinsic.length > 0)
        return yield* conflict(
          "intrinsic_element",
          `<${new_name}> is an element of the platform, in lower case, and would not mean the component any more`,
          sitesData(intrinsic)
        )
      if (drafts.touched.length === 0)
        return { ...names, status: "no_edits", edits: [], total_edits: 0, files_affected: 0, files: [] }

      if (server === undefined) {
        doubts = graphBefore!.doubts
        yield* compareGraph(drafts, graphBefore!.family, graphBefore!.sites, new_name)
        verification = {
          verification: "graph",
          ...(asked._tag === "Left" ? { server_hint: asked.left.detail } : {})
        }
      } else {
        // At a shorthand stand two symbols; a use elsewhere names the one that is renamed.
        if (own !== undefined && !isEcmascript(language) && untyped.has(language) && !options.allow_unproven)
          yield* refuseOutside(view, family)
        const anchor = anchorOf(drafts, home, start)
        const before = yield* Effect.mapError(
          reader.references({ path: anchor.file.path, ...anchor.file.source.place(anchor.at) }, { across }),
          (cause) => fromService(cause)
        )
        const sitesBefore = before.value.map(siteOf)
        // What the graph knows for certain and the server does not see would be left behind.
        const seen = new Set(sitesBefore.map(siteKey))
        const unseen: Array<EdgeInfo> = []
        if (own !== undefined)
          for (const ref of alike(view, own.ref))
            for (const edge of view.incoming(ref)) {
              if (edge.tier !== "exact" && edge.tier !== "resolved") continue
              if (seen.has(siteKey(edge)) || edge.name !== name) continue
              const file = yield* drafts.open(edge.path)
              const offset = file.source.offset(edge.line, edge.column)
              const said = offset === undefined ? undefined : nameOfUse(file.source.text, offset, name)
              if (said === undefined || seen.has(siteKey({ path: edge.path, ...file.source.place(said) })))
                continue
              if (!file.changes.some(({ from, to }) => from <= said && said < to)) unseen.push(edge)
            }
        const linked =
          own === undefined || unseen.length === 0 || !isEcmascript(language)
            ? undefined
            : yield* follow(drafts, own.ref, new_name, unseen)
        if (linked !== undefined && linked.lost.length === 0)
          yield* refuseDifference([], linked.gained, new_name)
        else if (unseen.length > 0)
          return yield* conflict(
            "unseen_by_server",
            `${server} does not know ${linked?.lost.length ?? unseen.length} uses that the graph is certain of`,
            { ...sitesData(linked?.lost ?? unseen), server }
          )
        let leading: ReadonlyArray<Site> = []
        if (own !== undefined) {
          const left = yield* doubtsLeft(drafts, family, seen, across)
          doubts = left.unanswered
          leading = left.leading
          if (doubts.length > 0 && untyped.has(language) && !options.allow_unproven)
            return yield* unproven(own, doubts, sitesBefore.length)
        }
        const differing = () =>
          Effect.gen(function* () {
            const place = siteAfter(drafts, anchor.file, anchor.at, new_name)
            const after = yield* Effect.mapError(
              reader.references(place, { overlay: drafts.overlay, across }),
              (cause) => fromService(cause)
            )
            const { gained, lost } = yield* compareSites(drafts, sitesBefore, after.value.map(siteOf))
            // What takes the name out of a module may go on calling it so, and be asked for by that name elsewhere.
            const missed =
              own === undefined || lost.length === 0 || !isEcmascript(language)
                ? lost
                : yield* astray(drafts, own.ref, new_name, lost)
            return { gained, missed }
          })
        const definition = { home, start, family, across }
        let difference = yield* differing()
        if (difference.missed.length > 0 && isEcmascript(language)) {
          const kept = yield* keptBehind(drafts, difference.missed, definition, name, new_name)
          if (kept.size > 0) {
            const { gained, missed } = yield* differing()
            difference = { gained, missed: missed.filter((site) => !kept.has(siteKey(site))) }
          }
        }
        yield* refuseDifference(difference.missed, difference.gained, new_name)
        const kept = leading.filter(({ column, line, path }) => {
          const file = drafts.get(path)
          const place = file?.source.offset(line, column)
          return !(file?.changes ?? []).some(({ from, to }) => from <= place! && place! < to)
        })
        const there = yield* leadThere(drafts, kept, definition, name, new_name)
        const behind = kept.filter((_, i) => !there[i])
        if (behind.length > 0)
          return yield* conflict(
            "unseen_by_server",
            `${server} would leave ${behind.length} places as they are that mean the symbol by its own account`,
            { ...sitesData(behind), server }
          )
        verification = { verification: "language_server", server }
      }

      const mentions = yield* mentionsOf(view, drafts, name)
      const chosen = mentions.list.filter(({ where }) =>
        where === "comment" ? options.in_comments : options.in_strings
      )
      if (own !== undefined && !options.allow_unproven) {
        // Strings and comments that are read by programs mean the symbol, or may.
        const meaning: Array<Doubt> = []
        for (const mention of mentions.list) {
          if (chosen.includes(mention)) continue
          const text = drafts.get(mention.path)?.source.text ?? (yield* textOf(mention.path))
          const how =
            text === undefined ? undefined : spellingAt(view, own, mention.path, text, mention.offset)
          if (how !== undefined && (how !== "key" || untyped.has(language) || language === "go"))
            meaning.push({ path: mention.path, line: mention.line, column: mention.column, why: how })
        }
        if (meaning.length > 0) return yield* unproven(own, meaning, drafts.touched.length)
      }
      if (chosen.length > 0 || ((options.in_comments || options.in_strings) && !mentions.complete)) {
        if (!mentions.complete)
          return yield* conflict("too_many_mentions", `not every mention of ${name} could be looked at`, {})
        for (const { offset, path, where } of chosen)
          yield* drafts.add(yield* drafts.open(path), [
            { from: offset, to: offset + name.length, text: new_name, confidence: "text", reason: where }
          ])
      }
      const offered = fileRenameOf(view, target, new_name)
      if (options.rename_file) {
        if (offered === undefined || "blocked" in offered)
          return yield* invalidArgument(
            "options.rename_file",
            offered === undefined
              ? `${target.path} does not bear the name ${name}`
              : `${offered.to} is there already`,
            { reason_code: offered === undefined ? "file_name_differs" : "destination_exists" }
          )
        yield* moveFile(drafts, home, offered.to)
      }
      const judged =
        server === undefined && !options.rename_file
          ? undefined
          : yield* judge(drafts, language, { from: name, to: new_name }, across)
      const rows = [...drafts.rows()]
      const settled = yield* settle(drafts, {
        dryRun: dry_run,
        allowParseErrors: options.allow_parse_errors,
        sound: judged?.sound,
        field: "target.symbol"
      })
      if (!dry_run) yield* reader.changed(drafts.overlay.map(({ path }) => path))
      const head = {
        ...names,
        status: dry_run ? "would_apply" : "applied",
        total_edits: rows.length,
        files_affected: drafts.touched.length,
        ...settled,
        ...verification,
        ...(judged === undefined
          ? {}
          : {
              checked_files: judged.files,
              ...(judged.unchecked === 0 ? {} : { unchecked_dependents: judged.unchecked })
            }),
        ...(dry_run ? { snapshot: view.generation } : {}),
        ...(doubts.length === 0
          ? {}
          : { unproven: { sites: doubtRows(doubts), total_sites: doubts.length } }),
        ...mentionsRow({ ...mentions, list: mentions.list.filter((one) => !chosen.includes(one)) }),
        ...(offered === undefined || options.rename_file || "blocked" in offered
          ? {}
          : { file_rename: offered })
      }
      const edits = fitting(
        rows,
        { offset: 0, limit: dry_run ? 500 : 50, bytes: Math.max(0, call.budget - byteLength(head) - 200) },
        (row) => row
      )
      return { ...head, edits, ...(edits.length < rows.length ? { edits_truncated: true } : {}) }
    })
})

/**
 * Without aliases servers of ECMAScript rename the property of `{ x }` along with the variable, which would change what
 * the object has: such places are spelled out as they are with aliases.
 */
const keepingShapes = (
  drafts: Drafts,
  edits: ReadonlyArray<LanguageEdit>,
  at: { readonly path: string; readonly line: number; readonly column: number },
  from: string,
  to: string,
  across: ReadonlyArray<string>
) =>
  Effect.gen(function* () {
    const reader = yield* LanguageReader
    const place = ({ path, startColumn, startLine }: LanguageEdit) =>
      siteKey({ path, line: startLine, column: startColumn })
    const aliased = yield* Effect.mapError(reader.rename(at, to, { across }), (cause) => fromService(cause))
    const out: Array<LanguageEdit> = []
    for (const edit of edits) {
      const file = yield* drafts.open(edit.path)
      const offset = file.source.offset(edit.startLine, edit.startColumn)
      const kept =
        edit.text === to &&
        offset !== undefined &&
        isEcmascript(drafts.view.file(edit.path)?.language ?? "") &&
        isShorthand(file.source.text, offset, from) &&
        !pattern.test(file.source.text.slice(offset, offset + 400)) &&
        // Behind a re-export the aliased rename does not go.
        (aliased.value.edits.find((other) => place(other) === place(edit))?.text.startsWith(`${from}:`) ??
          true)
      out.push(kept ? { ...edit, text: `${from}: ${to}` } : edit)
    }
    return out
  })

/**
 * A server may keep the old name by an alias and rename what is asked for behind it all the same, as members of a
 * module's namespace are. Takes such edits back and answers the places that lead to the definition as they are.
 */
const keptBehind = (
  drafts: Drafts,
  missed: ReadonlyArray<Site>,
  definition: Definition,
  from: string,
  to: string
) =>
  Effect.gen(function* () {
    const aliased = drafts.touched.some(({ changes }) => changes.some(({ reason }) => reason === "alias"))
    if (!aliased) return new Set<string>()
    const taken: Array<{ readonly site: Site; readonly file: OpenFile; readonly at: number }> = []
    for (const site of missed) {
      const file = yield* drafts.open(site.path)
      const at = file.source.offset(site.line, site.column)
      const change = file.changes.find((one) => one.from === at)
      if (at !== undefined && change?.text === to && change.to - change.from === from.length)
        taken.push({ site, file, at })
    }
    for (const file of new Set(taken.map((one) => one.file)))
      drafts.leave(file, new Set(taken.flatMap((one) => (one.file === file ? [one.at] : []))))
    const sites = taken.map(({ site }) => site)
    const there = yield* leadThere(drafts, sites, definition, from, to)
    return new Set(sites.filter((_, i) => there[i]).map(siteKey))
  })

/** A place that names what is renamed and nothing else: the definition, if it is such. */
const anchorOf = (
  drafts: Drafts,
  home: OpenFile,
  start: number
): { readonly file: OpenFile; readonly at: number } => {
  const own = home.changes.find(({ from }) => from === start)
  if (own === undefined || !own.text.includes(":")) return { file: home, at: start }
  for (const file of drafts.touched)
    for (const { from, reason, text } of file.changes)
      if (reason === "reference" && !text.includes(":")) return { file, at: from }
  return { file: home, at: start }
}

const siteOf = (span: {
  readonly path: string
  readonly startLine: number
  readonly startColumn: number
}): Site => ({
  path: span.path,
  line: span.startLine,
  column: span.startColumn
})

const textOf = (path: string): Effect.Effect<string | undefined, never, ReadFs> =>
  Effect.flatMap(ReadFs, (fs) =>
    Effect.match(fs.readText(path), { onFailure: () => undefined, onSuccess: ({ text }) => text })
  )

const refuseFileOperations = (
  change: LanguageChange,
  server: string
): Effect.Effect<void, OperationFailure> =>
  change.files.length === 0
    ? Effect.void
    : conflict("unexpected_edit", `${server} would create, move or delete files for a rename`, {
        server,
        files: change.files.slice(0, shown)
      })
