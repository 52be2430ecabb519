/** Edits tried on views that are thrown away: what each of them does to the graph, and what all of them do. */
import { Effect } from "effect"
import { fromService, type OperationFailure } from "../../registry/Failure.ts"
import { byteLength, type UnknownRecord } from "../../registry/Json.ts"
import type { CodeGraph, GraphView, SymbolInfo, SymbolRef } from "../../services/CodeGraph.ts"
import type { LanguageReader } from "../../services/LanguageReader.ts"
import { OverlayView } from "../../services/OverlayView.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import { ServiceFailure } from "../../services/ServiceFailure.ts"
import { blobId } from "../shared/blob.ts"
import { sessionId } from "../shared/session.ts"
import { freshnessOf, rowOf } from "../shared/symbols.ts"
import { boundariesOf, type Impact, impactOf, reachedRow, summaryOf } from "./Affected.ts"
import { type Broken, brokenBy, type Reads } from "./Broken.ts"
import {
  type Asked,
  type Compared,
  compareStates,
  diagnosticRow,
  type Sight,
  summaryOfDiagnostics
} from "./Diagnoses.ts"
import { type Difference, differenceOf, outermost, type Pair } from "./Difference.ts"
import { fitting, type Sliced } from "./Rows.ts"
import { testPlanBy, testRow } from "./tests.ts"
import { applyWorkspaceEdit, type EditedFile, type Files, type Move } from "./WorkspaceEdits.ts"

export interface SimulationOptions {
  readonly inherit_overlay: boolean
  readonly diagnostics: boolean
  readonly diagnostics_timeout_ms: number
}

/** Edges between a symbol and a test, as where change.tests is not told. */
const testDepth = 3
/** Files besides the edited ones that a language server is asked about. */
const mostDependents = 16

type Services = CodeGraph | LanguageReader | OverlayView | ReadFs

/** Reads files through overlaid ones, and otherwise what is on disk. */
const readsOf = (fs: ReadFs["Type"], files: Files): ReadFs["Type"] => ({
  ...fs,
  readText: (path) =>
    Effect.flatMap(fs.relative(path), (relative) => {
      const own = files.get(relative)
      if (own === undefined) return fs.readDisk(relative)
      if (own.deleted)
        return new ServiceFailure({
          service: "ReadFs",
          reason: "not_found",
          detail: `${relative} is deleted by the edit`,
          stateChanged: false
        })
      const bom = own.content.startsWith("\uFEFF")
      const bytes = Buffer.from(own.content)
      return Effect.succeed({
        path: relative,
        text: bom ? own.content.slice(1) : own.content,
        bytes: bytes.length,
        sha: blobId(bytes),
        eol: own.content.includes("\r\n") ? ("crlf" as const) : ("lf" as const),
        bom,
        encoding: "utf8",
        mtime_ms: 0,
        overlay: true as const
      })
    })
})

/** Texts over the work tree, and the graph they make. */
interface State {
  readonly files: Files
  readonly view: GraphView
  readonly reads: ReadFs["Type"]
  readonly sight: Sight
}

const stateOf = (files: Files, field: string): Effect.Effect<State, OperationFailure, OverlayView | ReadFs> =>
  Effect.gen(function* () {
    const overlays = yield* OverlayView
    const fs = yield* ReadFs
    const overlay = [...files.values()]
    const view = yield* Effect.mapError(overlays.over(overlay), (cause) =>
      fromService(cause, { field, failure_stage: "resolve" })
    )
    return { files, view, reads: readsOf(fs, files), sight: { overlay, judged: new Map() } }
  })

/** What one edit, or several together, come to. */
interface Outcome {
  readonly edited: ReadonlyArray<EditedFile>
  readonly moves: ReadonlyArray<Move>
  readonly missing: ReadonlyArray<string>
  readonly difference: Difference
  readonly broken: Broken
  readonly impact: Impact
  /** Definitions it was walked from and tests were looked for, in the graph they are of. */
  readonly subjects: { readonly view: GraphView; readonly refs: ReadonlyArray<SymbolRef> }
  readonly tests: Effect.Effect.Success<ReturnType<typeof testPlanBy>> | undefined
  /** Files with more syntax errors than before. */
  readonly syntax: ReadonlyArray<{
    readonly file_path: string
    readonly before: number
    readonly after: number
  }>
}

const outcomeOf = (
  from: State,
  to: State,
  edited: ReadonlyArray<EditedFile>,
  moves: ReadonlyArray<Move>,
  missing: ReadonlyArray<string>
): Effect.Effect<Outcome, OperationFailure, CodeGraph> =>
  Effect.gen(function* () {
    const difference = differenceOf(from.view, to.view, edited, moves)
    const reads: Reads = { before: from.reads, after: to.reads }
    const broken = yield* brokenBy(difference, reads)
    const files = difference.topLevel.flatMap((path) => from.view.fileRef(path) ?? [])
    const own = [
      ...difference.changed.map(({ before }) => before),
      ...difference.renamed.map(({ before }) => before),
      ...difference.removed
    ].map(({ ref }) => ref)
    const refs = [...new Set([...own, ...files])]
    const subjects =
      refs.length > 0
        ? { view: from.view, refs }
        : { view: to.view, refs: difference.added.map(({ ref }) => ref) }
    const tests =
      subjects.refs.length === 0
        ? undefined
        : yield* testPlanBy(refs.length > 0 ? from.reads : to.reads, subjects.view, subjects.refs, testDepth)
    const syntax = edited.flatMap(({ after, path }) => {
      if (after === undefined) return []
      const origin = moves.find((move) => move.to === path)?.from ?? path
      const [was, is] = [from.view.file(origin)?.parse_errors ?? 0, to.view.file(path)?.parse_errors ?? 0]
      return is > was ? [{ file_path: path, before: was, after: is }] : []
    })
    return {
      edited,
      moves,
      missing,
      difference,
      broken,
      impact: impactOf(from.view, refs),
      subjects,
      tests,
      syntax
    }
  })

/** The files a language server is asked about: the edited ones, and the nearest that use what is in them. */
const askedOf = ({ broken, difference, edited, impact, moves }: Outcome): ReadonlyArray<Asked> => {
  const origin = new Map(moves.map(({ from, to }) => [to, from]))
  const asked = new Map<string, Asked>()
  for (const { after, before, path } of edited)
    if (after !== undefined)
      asked.set(path, { before: origin.get(path) ?? (before === undefined ? undefined : path), after: path })
  const own = asked.size
  const gone = new Set(edited.map(({ path }) => path))
  const add = (path: string) => {
    if (asked.size < own + mostDependents && !gone.has(path) && !asked.has(path))
      asked.set(path, { before: path, after: path })
  }
  for (const { file_path } of [...broken.callers, ...broken.implementors]) add(file_path)
  for (const { depth, ref } of impact.rows) if (depth === 1) add(difference.before.pathOf(ref))
  return [...asked.values()]
}

// ---- answers -----------------------------------------------------------------------------------

const many = (n: number, one: string, more = `${one}s`) => `${n} ${n === 1 ? one : more}`

const summed = ({ broken, difference, edited, impact, missing, moves, syntax, tests }: Outcome): string => {
  if (edited.length === 0)
    return missing.length === 0 ? "changes nothing" : `changes nothing: ${missing.join(", ")} not there`
  const { added, changed, removed, renamed } = difference
  const symbols = [
    ...(added.length > 0 ? [`${added.length} added`] : []),
    ...(removed.length > 0 ? [`${removed.length} removed`] : []),
    ...(renamed.length > 0 ? [`${renamed.length} renamed`] : []),
    ...(changed.length > 0 ? [`${changed.length} changed`] : [])
  ]
  const bad = [
    ...(broken.callers.length > 0 ? [`${many(broken.callers.length, "use")} broken`] : []),
    ...(broken.implementors.length > 0 ? [`${many(broken.implementors.length, "implementor")} broken`] : []),
    ...(syntax.length > 0 ? [`more syntax errors in ${many(syntax.length, "file")}`] : [])
  ]
  return [
    `${many(edited.length, "file")}${moves.length > 0 ? `, ${moves.length} moved` : ""}`,
    symbols.length === 0 ? "no symbol changes" : `symbols: ${symbols.join(", ")}`,
    bad.length > 0
      ? bad.join(", ")
      : broken.unsure > 0
        ? `nothing known to break, ${many(broken.unsure, "use")} not judged`
        : "nothing known to break",
    impact.roots.length === 0 ? "nothing depends on it yet" : summaryOf(impact, "what changes"),
    tests === undefined || tests.targets.length === 0
      ? "no test known"
      : many(tests.targets.length, "test file"),
    ...(missing.length > 0 ? [`left undone: ${missing.join(", ")} not there`] : [])
  ].join("; ")
}

const pairRow = ({ after, before }: Pair) => ({
  from: before.id,
  to: after.id,
  kind: after.kind,
  file_path: after.path,
  line: after.line
})

const changedRow = ({ after, before }: Pair) => ({
  ...rowOf(after),
  ...(before.signature === after.signature ? {} : { previous_signature: before.signature })
})

const outerRows = (view: GraphView, all: ReadonlyArray<SymbolInfo>) =>
  outermost(view, all).map(({ info, members }) => ({ ...rowOf(info), ...(members === 0 ? {} : { members }) }))

const mostRows = 200

/** An outcome in about so many bytes. What is cut has its count. */
const shown = (outcome: Outcome, compared: Compared | undefined, bytes: number) => {
  const { broken, difference, edited, impact, missing, moves, subjects, syntax, tests } = outcome
  const found = impact.roots.length === 0 ? {} : boundariesOf(difference.before, impact)
  const bounds =
    found.boundaries === undefined || byteLength(found) < bytes / 5
      ? found
      : { boundary_count: found.boundary_count ?? found.boundaries.length }
  const commands = fitting(
    tests?.runs.commands ?? [],
    { offset: 0, limit: 20, bytes: bytes / 4 },
    ({ command, runner }) => ({ command, runner })
  )
  const { testFiles } = impact
  const paths = (keep: (file: EditedFile) => boolean) => edited.filter(keep).map(({ path }) => path)
  const ids = subjects.refs.map((ref) => subjects.view.idOf(ref))
  const head = {
    summary: summed(outcome),
    ...(moves.length === 0 ? {} : { renamed_files: moves.slice(0, mostRows) }),
    impact: {
      risk: impact.risk,
      by_depth_counts: impact.counts,
      total_affected: impact.rows.length,
      ...bounds,
      ...(impact.suppressed === 0 ? {} : { text_matched_suppressed: impact.suppressed }),
      ...(testFiles.length === 0 ? {} : { test_file_count: testFiles.length })
    },
    run_commands: commands,
    ...(tests !== undefined && commands.length < tests.runs.commands.length
      ? { run_command_count: tests.runs.commands.length }
      : {}),
    ...(broken.unsure === 0 ? {} : { unjudged_sites: broken.unsure }),
    ...(broken.unchecked === 0 ? {} : { unchecked_headers: broken.unchecked }),
    ...(syntax.length === 0 ? {} : { syntax_errors: syntax.slice(0, mostRows) }),
    ...(difference.unknown.length === 0 ? {} : { unknown_files: difference.unknown.slice(0, mostRows) }),
    ...(compared === undefined ? {} : { diagnostics_summary: summaryOfDiagnostics(compared) }),
    ...(difference.after.freshness.state === "fresh"
      ? {}
      : { freshness: freshnessOf(difference.after.freshness) })
  }
  let left = Math.max(0, bytes - byteLength(head) - 900)
  const counts: { [name: string]: number } = {}
  const list = <A, B extends object | string>(
    name: string,
    all: Sliced<A>,
    show: (row: A) => B,
    share: number
  ) => {
    const rows = fitting(all, { offset: 0, limit: mostRows, bytes: left * share }, (row) => ({
      row: show(row)
    })).map(({ row }) => row)
    left -= byteLength(rows)
    if (rows.length < all.length) counts[name] = all.length
    return rows
  }
  const same = <A>(row: A): A => row
  const broken_callers = list("broken_callers", broken.callers, same, 0.4)
  const broken_implementors = list("broken_implementors", broken.implementors, same, 0.4)
  const errorsFirst = [...(compared?.added ?? [])].sort(
    (a, b) => Number(b.severity === "error") - Number(a.severity === "error")
  )
  const diagnostics = list("diagnostics", errorsFirst, diagnosticRow, 0.4)
  const touched_files = list(
    "touched_files",
    paths(() => true),
    same,
    0.3
  )
  const new_files = list(
    "new_files",
    paths(({ after, before }) => before === undefined && after !== undefined),
    same,
    0.3
  )
  const deleted_files = list(
    "deleted_files",
    paths(({ after }) => after === undefined),
    same,
    0.3
  )
  const missing_files = list("missing_files", missing, same, 0.3)
  const symbols_removed = list("symbols_removed", outerRows(difference.before, difference.removed), same, 0.4)
  const symbols_renamed = list("symbols_renamed", difference.renamed, pairRow, 0.4)
  const symbols_changed = list("symbols_changed", difference.changed, changedRow, 0.4)
  const symbols_added = list("symbols_added", outerRows(difference.after, difference.added), same, 0.4)
  const test_targets = list(
    "test_targets",
    tests?.targets ?? [],
    (target) => testRow(subjects.view, target, ids, tests!.runners.get(target.path), ids.length > 1),
    0.5
  )
  const affected = list(
    "affected",
    impact.rows,
    (row) => ({ depth: row.depth, ...reachedRow(difference.before, row) }),
    0.9
  )
  return {
    touched_files,
    new_files,
    deleted_files,
    missing_files,
    symbols_added,
    symbols_removed,
    symbols_renamed,
    symbols_changed,
    broken_callers,
    broken_implementors,
    test_targets,
    ...(compared === undefined || compared.compared === 0 ? {} : { diagnostics }),
    ...head,
    impact: { ...head.impact, affected },
    ...(Object.keys(counts).length === 0 ? {} : { truncated: true, counts })
  }
}

/** Bytes for what stands around the reports. */
const frame = 600

// ---- one edit, several edits -------------------------------------------------------------------

interface Step {
  readonly outcome: Outcome
  readonly compared: Compared | undefined
  readonly state: State
}

const base = (
  inherit: boolean,
  field: string
): Effect.Effect<State, OperationFailure, OverlayView | ReadFs> =>
  Effect.gen(function* () {
    if (!inherit) return yield* stateOf(new Map(), field)
    const session = yield* sessionId
    const overlays = yield* OverlayView
    const files = yield* Effect.mapError(overlays.files(session), (cause) =>
      fromService(cause, { field: field.replace(/\w+$/, "inherit_overlay"), failure_stage: "resolve" })
    )
    return yield* stateOf(new Map(files.map((file) => [file.path, file])), field)
  })

const step = (
  from: State,
  edit: UnknownRecord,
  field: string,
  options: SimulationOptions
): Effect.Effect<Step, OperationFailure, Services> =>
  Effect.gen(function* () {
    const { edited, files, missing, moves } = yield* applyWorkspaceEdit(
      edit,
      {
        files: from.files,
        listed: function* () {
          for (const { path } of from.view.files()) yield path
        },
        text: (fs, path) => fs.readDisk(path)
      },
      field
    )
    const state = edited.length === 0 ? from : yield* stateOf(files, field)
    const outcome = yield* outcomeOf(from, state, edited, moves, missing)
    const compared = options.diagnostics
      ? yield* compareStates(askedOf(outcome), from.sight, state.sight, options.diagnostics_timeout_ms)
      : undefined
    return { outcome, compared, state }
  })

/** Tries one edit. Nothing is kept. */
export const previewed = (
  edit: UnknownRecord,
  options: SimulationOptions,
  field: string,
  bytes: number
): Effect.Effect<object, OperationFailure, Services> =>
  Effect.gen(function* () {
    const { compared, outcome } = yield* step(
      yield* base(options.inherit_overlay, field),
      edit,
      field,
      options
    )
    return shown(outcome, compared, bytes - frame)
  })

/** Whether an edit made something worse that was right before. */
const isWorse = ({ compared, outcome }: Step): boolean =>
  outcome.syntax.length > 0 || (compared?.added.some(({ severity }) => severity === "error") ?? false)

const deltaOf = (compared: Compared) =>
  compared.compared === 0 && compared.unknown.length > 0
    ? { unknown: compared.unknown[0]!.reason }
    : {
        errors: compared.moreErrors,
        warnings: compared.moreWarnings,
        new_errors: compared.added.filter(({ severity }) => severity === "error").length,
        resolved_errors: compared.removed.filter(({ severity }) => severity === "error").length,
        ...(compared.unknown.length === 0 ? {} : { unchecked_files: compared.unknown.length })
      }

/** All that several edits did to files: texts before the first and after the last. */
const together = (steps: ReadonlyArray<Step>): Pick<Outcome, "edited" | "missing" | "moves"> => {
  const files = new Map<string, EditedFile>()
  const origin = new Map<string, string>()
  const missing = new Set<string>()
  for (const { outcome } of steps) {
    for (const move of outcome.moves) {
      const from =
        origin.get(move.from) ??
        (files.get(move.from)?.before === undefined && files.has(move.from) ? undefined : move.from)
      origin.delete(move.from)
      if (from !== undefined) origin.set(move.to, from)
    }
    for (const file of outcome.edited) {
      const known = files.get(file.path)
      files.set(file.path, known === undefined ? file : { ...known, after: file.after })
    }
    for (const path of outcome.missing) missing.add(path)
  }
  const edited = [...files.values()]
    .filter(({ after, before }) => after !== before)
    .sort((a, b) => (a.path < b.path ? -1 : 1))
  const there = new Set(edited.filter(({ after }) => after !== undefined).map(({ path }) => path))
  return {
    edited,
    moves: [...origin].flatMap(([to, from]) =>
      there.has(to) && !there.has(from) && from !== to ? [{ from, to }] : []
    ),
    missing: [...missing].sort()
  }
}

/** What several edits came to, and the texts they end with. */
export interface Chain {
  readonly answer: { readonly [key: string]: unknown }
  readonly files: Files
}

/** Tries edits one after the other; `field` names their list. The first that makes something worse is the last if asked so. */
export const chained = (
  edits: ReadonlyArray<UnknownRecord>,
  options: SimulationOptions & { readonly stop_on_error: boolean },
  field: string,
  bytes: number
): Effect.Effect<Chain, OperationFailure, Services> =>
  Effect.gen(function* () {
    const start = yield* base(options.inherit_overlay, field)
    const steps: Array<Step> = []
    let state = start
    let stopped: number | undefined
    for (const [index, edit] of edits.entries()) {
      const done = yield* step(state, edit, `${field}[${index}]`, options)
      steps.push(done)
      state = done.state
      if (options.stop_on_error && isWorse(done)) {
        stopped = index
        break
      }
    }
    const all = together(steps)
    const cumulative =
      steps.length === 1
        ? steps[0]!.outcome
        : yield* outcomeOf(start, state, all.edited, all.moves, all.missing)
    const unjudged = options.diagnostics
      ? steps.flatMap(({ compared }, index) =>
          compared !== undefined && compared.unknown.length > 0 ? [index] : []
        )
      : []
    const overlay_paths = [...state.files.keys()].sort()
    const share = Math.floor((bytes - frame - byteLength(overlay_paths)) / (steps.length + 1))
    return {
      files: state.files,
      answer: {
        steps: steps.map(({ compared, outcome }, index) => ({
          index,
          ...shown(outcome, compared, share - 200),
          ...(compared === undefined ? {} : { diagnostics_delta: deltaOf(compared) })
        })),
        total_steps: edits.length,
        applied_steps: steps.length,
        ...(stopped === undefined ? {} : { stopped_at: stopped }),
        ...(options.stop_on_error && unjudged.length > 0 ? { errors_unknown_at: unjudged } : {}),
        cumulative: shown(cumulative, undefined, share),
        overlay_paths
      }
    }
  })
