import { Clock, Effect } from "effect"
import { invalidArgument, type OperationFailure } from "../../registry/Failure.ts"
import { draft } from "../../registry/FollowUp.ts"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { CodeGraph, type GraphView, type SymbolRef } from "../../services/CodeGraph.ts"
import { GitReader } from "../../services/GitReader.ts"
import { KnowledgeReader } from "../../services/KnowledgeReader.ts"
import { OverlayView } from "../../services/OverlayView.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import { TextIndex } from "../../services/TextIndex.ts"
import { WorkspaceView } from "../../services/WorkspaceView.ts"
import { changes, diffFields, lineRange, repository } from "../diff.ts"
import { textHits } from "../relations/Evidence.ts"
import { freshnessOf, graph, oneFile } from "../shared/symbols.ts"
import { workspaceEdit } from "../simulation.ts"
import { boundariesOf, impactOf, summaryOf } from "./Affected.ts"
import { check, type Site } from "./Callers.ts"
import { change } from "./facade.ts"
import { bySymbols, lines } from "./fields.ts"
import { changedFiles } from "./guards.ts"
import { changedRow, type ChangedSymbol, type Lowered, lower, lowerTexts, unknownRows } from "./Lowered.ts"
import { ownersOf } from "./Owners.ts"
import { compare, graphOnDisk, kindOf } from "./Repositories.ts"
import { rules, violationsOf } from "./Rules.ts"
import { subjects } from "./Subjects.ts"
import { testPlan } from "./tests.ts"
import { classify, loadBearing, type Reason, scoreOf, verdictOf } from "./Verdict.ts"
import { editedFiles } from "./WorkspaceEdits.ts"

/** Hours for which an acknowledged risk stays acknowledged. */
const acknowledgedHours = 4
const mostReasons = 100
const mostListed = 200
/** Changed headers whose callers are looked at one by one. */
const mostChecked = 50
const mostDeleted = 20

type Source = "edit" | "diff" | "symbols" | "ranges"

/** A change brought to symbols, whatever form it was told in. */
interface Told extends Lowered {
  readonly files: ReadonlyArray<{ readonly path: string; readonly renameOnly: boolean }>
  readonly repositories: ReadonlyArray<string>
  /** The graph is that of before: the change is not made yet. */
  readonly ahead: boolean
  readonly cut: boolean
}

const asChanged = (view: GraphView, refs: ReadonlyArray<SymbolRef>): ReadonlyArray<ChangedSymbol> =>
  refs.map((ref) => ({ ref, info: view.symbol(ref), change: "modified" as const }))

const filesOf = (symbols: ReadonlyArray<ChangedSymbol>) =>
  [...new Set(symbols.map(({ info }) => info.path))].map((path) => ({ path, renameOnly: false }))

const siteReason = (view: GraphView, id: string, { file_path, line, reason, within }: Site): string =>
  `${file_path}:${line} ${view.idOf(within)} ${reason ?? "does not fit"} (${id})`

/** The path of a module in an import, an export or a call that loads one. */
const moduleSpecifier = /\b(from|import|require|export)\b(\s*\(?\s*)(["'`])(?:(?!\3).)*\3/g

/** Whether a line names something otherwise than in the path of a module, where a file of that name is meant. */
const namedBesideModules = (line: string, name: string): boolean =>
  line.replace(moduleSpecifier, "$1$2").includes(name)

const needs = [CodeGraph, GitReader, OverlayView, KnowledgeReader, ReadFs, TextIndex, WorkspaceView] as const

export const contract: Member<typeof change, "contract", typeof needs> = change.operation("contract", {
  tool: "change_contract",
  flat: { "target.symbol": "symbol", "target.symbols": "symbols" },
  fixed: { ack: false },
  summary: "One verdict on a change: allow, warn or refuse, with reasons.",
  input: F.input(
    {
      target: F.optional(bySymbols),
      source: F.group({
        source: F.optional(F.choice("auto", "edit", "diff", "symbols", "ranges")),
        ...diffFields,
        workspace_edit: F.optional(workspaceEdit),
        ranges: F.optional(F.list(lineRange)),
        path: F.optional(F.described(F.path, "one file, for source ranges")),
        range: lines
      }),
      options: F.group({
        repo: repository,
        lens: F.optional(F.described(F.choice("api"), "look at the exported surface")),
        risk_gate: F.withDefault(
          F.described(F.flag, "refuse load-bearing symbols not acknowledged lately"),
          false
        )
      })
    },
    { atLeastOne: [["target", "source.source"]] }
  ),
  needs,
  handler: ({ options, source, target }) =>
    Effect.gen(function* () {
      const hasRanges = (source.ranges ?? []).length > 0 || source.path !== undefined
      const from: Source =
        target !== undefined
          ? "symbols"
          : source.source !== undefined && source.source !== "auto"
            ? source.source
            : source.workspace_edit !== undefined
              ? "edit"
              : hasRanges
                ? "ranges"
                : "diff"

      const view = yield* from === "diff" ? graphOnDisk : graph

      const tell: Effect.Effect<Told, OperationFailure, CodeGraph | GitReader | ReadFs | WorkspaceView> =
        Effect.gen(function* () {
          switch (from) {
            case "symbols": {
              if (target === undefined)
                return yield* invalidArgument("target", "target.symbols names what source symbols is about", {
                  reason_code: "missing_field",
                  failure_stage: "decode"
                })
              const symbols = asChanged(view, yield* subjects(view, target, "contract"))
              return {
                symbols,
                unknown: [],
                files: filesOf(symbols),
                repositories: [],
                ahead: false,
                cut: false
              }
            }
            case "ranges": {
              if (!hasRanges)
                return yield* invalidArgument(
                  "source.ranges",
                  "source.ranges or source.path says which lines change",
                  {
                    reason_code: "missing_field",
                    failure_stage: "decode"
                  }
                )
              const asked = [
                ...(source.ranges ?? []),
                ...(source.path === undefined
                  ? []
                  : [
                      {
                        file: source.path,
                        ...(source.range ?? { start_line: 1, end_line: Number.MAX_SAFE_INTEGER })
                      }
                    ])
              ]
              const refs = new Set<SymbolRef>()
              const files = new Set<string>()
              for (const { end_line, file, start_line } of asked) {
                const ref = yield* oneFile(view, file)
                const path = view.pathOf(ref)
                files.add(path)
                const owners = ownersOf(view, path)
                const last = Math.min(end_line ?? start_line, view.file(path)!.lines)
                for (let line = start_line; line <= last; line++) {
                  const owner = owners.at(line)
                  if (owner !== undefined) refs.add(owner.ref)
                }
              }
              return {
                symbols: asChanged(view, [...refs]),
                unknown: [...files].flatMap((path) => {
                  const { skipped } = view.file(path)!
                  return skipped === undefined ? [] : [{ path, reason: skipped }]
                }),
                files: [...files].map((path) => ({ path, renameOnly: false })),
                repositories: [],
                ahead: false,
                cut: false
              }
            }
            case "edit": {
              if (source.workspace_edit === undefined)
                return yield* invalidArgument(
                  "source.workspace_edit",
                  "source.workspace_edit says what source edit changes",
                  {
                    reason_code: "missing_field",
                    failure_stage: "decode"
                  }
                )
              const edited = yield* editedFiles(source.workspace_edit)
              const each = yield* Effect.forEach(edited, ({ after, before, path }) =>
                lowerTexts(view, path, before ?? "", after ?? "")
              )
              return {
                symbols: each.flatMap(({ symbols }) => symbols),
                unknown: each.flatMap(({ unknown }) => unknown),
                files: edited
                  .filter(({ after, before }) => after !== before)
                  .map(({ path }) => ({ path, renameOnly: false })),
                repositories: [],
                ahead: true,
                cut: false
              }
            }
            case "diff": {
              const comparison = changes(source)
              const compared = yield* compare(comparison, options.repo)
              const lowered = yield* lower(view, compared, comparison.scope)
              return {
                ...lowered,
                files: compared.flatMap((one) =>
                  one.changes.files.map((file) => ({
                    path: file.path,
                    renameOnly: kindOf(file) === "renamed" && file.hunks.length === 0 && file.hunks_complete
                  }))
                ),
                repositories: compared.filter((one) => one.changes.files.length > 0).map(({ name }) => name),
                ahead: false,
                cut: compared.some((one) => one.changes.cut.files + one.changes.cut.hunks > 0)
              }
            }
          }
        })
      const told = yield* tell
      const refs = [...new Set(told.symbols.flatMap(({ ref }) => (ref === undefined ? [] : [ref])))]
      const reasons: Array<Reason> = []

      // What does not fit the new headers.
      const checked = told.symbols.filter(
        ({ previous_signature, ref }) => ref !== undefined && previous_signature !== undefined
      )
      const edited = new Set(told.files.map(({ path }) => path))
      let unknownSites = 0
      for (const { info, previous_signature, ref } of checked.slice(0, mostChecked)) {
        const found = yield* check(view, ref!, info.signature, previous_signature)
        if ("detail" in found) continue
        for (const site of found.sites) {
          // Files that the edit changes as well have other text by then.
          const moving = told.ahead && edited.has(site.file_path)
          if (site.verdict === "unknown" || (moving && site.verdict === "breaks")) unknownSites++
          else if (site.verdict === "breaks")
            reasons.push({
              family:
                site.kind === "implementation" || site.kind === "overridden" ? "implementors" : "callers",
              severity: "error",
              message: siteReason(view, info.id, site),
              confidence: site.tier === "exact" ? 1 : site.tier === "inferred" ? 0.7 : 0.9
            })
        }
      }
      if (unknownSites > 0)
        reasons.push({
          family: "callers",
          severity: "warn",
          message: `${unknownSites} uses of changed headers could not be judged, types first of all; change.verify lists them`,
          confidence: 0.5
        })
      if (checked.length > mostChecked)
        reasons.push({
          family: "completeness",
          severity: "warn",
          message: `${checked.length - mostChecked} changed headers were not held to their callers`,
          confidence: 1
        })
      for (const { info } of told.symbols
        .filter(({ change: how }) => how === "deleted")
        .slice(0, mostDeleted)) {
        const still = told.ahead ? view.resolve(info.id) : undefined
        if (still?.exact === true && still.found.length === 1) {
          const users = view
            .incoming(still.found[0]!)
            .filter(({ path, tier }) => tier !== "name" && !edited.has(path))
          for (const { line, path } of users.slice(0, 10))
            reasons.push({
              family: "callers",
              severity: "error",
              message: `${path}:${line} uses ${info.id}, which goes`,
              confidence: 0.9
            })
          continue
        }
        if (view.named(info.name).length > 0) continue
        const hits = yield* textHits(view, info.name, (line) => namedBesideModules(line, info.name))
        if ("unknown" in hits || hits.total > 0)
          reasons.push({
            family: "deleted",
            severity: "warn",
            message:
              "unknown" in hits
                ? `${info.id} is gone, and the text was not searched for what still names it`
                : `${info.id} is gone, and its name still stands in ${hits.total === 1 ? "one line" : `${hits.total} lines`}: ${hits.sites.map(({ file_path, line }) => `${file_path}:${line}`).join(", ")}`,
            confidence: 0.5
          })
      }

      const held = yield* rules
      if (held !== undefined) {
        const also = (held.co_change ?? []).length === 0 || told.ahead ? undefined : yield* changedFiles
        const violations = yield* violationsOf(view, held, refs, new Set([...edited, ...(also ?? [])]))
        for (const { description, file_path, line, rule_name, severity } of violations)
          reasons.push({
            family: "guards",
            severity,
            message: `${rule_name}: ${description}${line === undefined ? "" : ` (${file_path}:${line})`}`,
            confidence: 1
          })
      }

      const impact = impactOf(view, refs)
      const score = scoreOf(view, impact.roots, impact.rows.length, impact.risk)
      if (score.tier === "high")
        reasons.push({
          family: "risk",
          severity: "warn",
          message: summaryOf(impact, refs.length === 1 ? view.idOf(refs[0]!) : `${refs.length} symbols`),
          confidence: 1
        })
      const bounds = boundariesOf(view, impact)
      const unsure = [
        ...(view.freshness.state === "fresh" ? [] : [`the index is ${view.freshness.state}`]),
        ...(told.unknown.length === 0
          ? []
          : [`${told.unknown.length} changed files are not known symbol by symbol`]),
        ...(told.cut ? ["the comparison was cut"] : [])
      ]
      for (const message of unsure)
        reasons.push({ family: "completeness", severity: "warn", message, confidence: 1 })

      const gate = options.risk_gate ? yield* gateOf(view, refs) : undefined
      if (gate !== undefined) {
        for (const id of gate.gated)
          reasons.push({
            family: "risk_gate",
            severity: "error",
            message: `${id} carries much of the code, and its risk was not acknowledged in the last ${acknowledgedHours} h`,
            confidence: 1
          })
        if (gate.unknown !== undefined && gate.gated.length > 0)
          reasons.push({ family: "risk_gate", severity: "info", message: gate.unknown, confidence: 1 })
      }
      if (told.repositories.length > 1)
        reasons.push({
          family: "repositories",
          severity: "warn",
          message: `${told.repositories.length} repositories change: ${told.repositories.join(", ")}`,
          confidence: 1
        })

      const plan = refs.length === 0 ? undefined : yield* testPlan(view, refs, 3)
      const commands = plan?.runs.commands.map(({ command }) => command) ?? []
      const verdict = verdictOf(reasons)
      const weight = { error: 0, warn: 1, info: 2 }
      reasons.sort((a, b) => weight[a.severity] - weight[b.severity])
      const surface = told.symbols.filter(
        ({ change: how, info }) => info.flags.includes("exported") && how !== "top_level" && how !== "renamed"
      )
      const ids = refs.map((ref) => view.idOf(ref))
      return {
        verdict,
        source: from,
        classification: classify(told.files, told.symbols.length),
        changed_symbols: told.symbols.slice(0, mostListed).map(changedRow),
        ...(told.symbols.length > mostListed ? { changed_symbol_count: told.symbols.length } : {}),
        reasons: reasons.slice(0, mostReasons),
        ...(reasons.length > mostReasons ? { reason_count: reasons.length } : {}),
        risk: { level: impact.risk, ...score },
        blast: { by_depth_counts: impact.counts, total: impact.rows.length, ...bounds },
        ...(gate === undefined ? {} : { risk_gate: gate }),
        ...(commands.length === 0 || told.repositories.length > 1
          ? {}
          : { verification_command: commands.slice(0, 10).join(" && ") }),
        ...(commands.length > 10 ? { verification_commands_left: commands.length - 10 } : {}),
        ...(plan === undefined || plan.uncovered.length === 0
          ? {}
          : { uncovered: plan.uncovered.slice(0, 50).map((place) => ids[place]!) }),
        stop_condition:
          told.symbols.length === 0 && told.files.length === 0
            ? "nothing changed: there is nothing to verify"
            : told.repositories.length > 1
              ? told.repositories
                  .map(
                    (name) =>
                      `${name}: its own tests pass, and change.detect with options.repo shows nothing unexpected`
                  )
                  .join("; ")
              : `${commands.length === 0 ? "no test is known: the project's own checks pass" : "the verification command exits with 0"}, and change.detect shows no symbols beyond these`,
        ...(verdict === "allow"
          ? {}
          : {
              edit_strategy: reasons.some(({ family }) => family === "callers" || family === "implementors")
                ? "change the definition and every use named in the reasons in one batch"
                : "change one symbol at a time, and verify after each"
            }),
        ...(options.lens === "api"
          ? {
              api_surface: {
                changed: surface
                  .filter(({ change: how }) => how !== "deleted")
                  .map(changedRow)
                  .slice(0, mostListed),
                removed: surface
                  .filter(({ change: how }) => how === "deleted")
                  .map(changedRow)
                  .slice(0, mostListed)
              }
            }
          : {}),
        ...unknownRows(told.unknown),
        ...(view.freshness.state === "fresh" ? {} : { freshness: freshnessOf(view.freshness) }),
        ...(verdict === "refuse" && ids.length > 0 && ids.length <= mostListed
          ? {
              follow_up: draft("fallback_recovery", "change", {
                operation: "edit_plan",
                target: { symbols: ids }
              })
            }
          : {})
      }
    })
})

/** The symbols a gate holds, and those somebody has acknowledged. */
const gateOf = (
  view: GraphView,
  refs: ReadonlyArray<SymbolRef>
): Effect.Effect<
  {
    readonly gated: ReadonlyArray<string>
    readonly acknowledged: ReadonlyArray<string>
    readonly unknown?: string
  },
  OperationFailure,
  KnowledgeReader
> =>
  Effect.gen(function* () {
    const heavy = loadBearing(view, refs).map((ref) => view.idOf(ref))
    if (heavy.length === 0) return { gated: [], acknowledged: [] }
    const knowledge = yield* KnowledgeReader
    const now = yield* Clock.currentTimeMillis
    const records = yield* Effect.either(
      Effect.all([
        knowledge.query({ kind: "memory", tags: ["risk-ack"] }),
        knowledge.query({ kind: "acknowledgement" })
      ])
    )
    if (records._tag === "Left")
      return {
        gated: heavy,
        acknowledged: [],
        unknown: `acknowledgements cannot be read: ${records.left.detail}`
      }
    const fresh = new Set(
      records.right
        .flat()
        .filter(({ updatedAt }) => now - updatedAt < acknowledgedHours * 3_600_000)
        .flatMap(({ symbols }) => symbols)
    )
    return {
      gated: heavy.filter((id) => !fresh.has(id)),
      acknowledged: heavy.filter((id) => fresh.has(id))
    }
  })
