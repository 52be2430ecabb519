/** A change of texts as a change of symbols: which definitions came, went, or have other text than before. */
import { Effect } from "effect"
import { retold } from "../../algorithms/Retold.ts"
import { fromService, type OperationFailure } from "../../registry/Failure.ts"
import { CodeGraph, type GraphView, type SymbolInfo, type SymbolRef } from "../../services/CodeGraph.ts"
import { GitReader, type Hunk } from "../../services/GitReader.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import { withoutCode } from "../shared/coverage.ts"
import { isTopLevelCode, ownersOf } from "./Owners.ts"
import type { Compared } from "./Repositories.ts"

/** One changed definition, or a file whose top level changed. */
export interface ChangedSymbol {
  /** The definition as it is now; undefined for one that is gone. */
  readonly ref: SymbolRef | undefined
  readonly info: SymbolInfo
  readonly change: "added" | "modified" | "deleted" | "top_level" | "renamed"
  /** The header before, when it reads otherwise now. */
  readonly previous_signature?: string
}

/** A changed file about whose symbols nothing can be said. */
export interface UnknownFile {
  readonly path: string
  readonly reason: string
}

export interface Lowered {
  readonly symbols: ReadonlyArray<ChangedSymbol>
  readonly unknown: ReadonlyArray<UnknownFile>
}

/** Files whose old text is read, and bytes of them. */
const mostOldTexts = 500

const spans = (hunks: ReadonlyArray<Hunk>, side: "old" | "new"): ReadonlyArray<readonly [number, number]> =>
  hunks.flatMap((hunk): ReadonlyArray<readonly [number, number]> => {
    const start = side === "old" ? hunk.old_start : hunk.new_start
    const lines = side === "old" ? hunk.old_lines : hunk.new_lines
    return lines === 0 ? [] : [[start, start + lines - 1]]
  })

/** Where lines went: inside a definition when the lines on both sides of the gap are. */
const gaps = (hunks: ReadonlyArray<Hunk>): ReadonlyArray<number> =>
  hunks.filter(({ new_lines }) => new_lines === 0).map(({ new_start }) => new_start)

const rest = ({ id, path }: SymbolInfo): string => id.slice(path.length)

interface Sides {
  /** The graph, for what is there now. */
  readonly view: GraphView
  /** Where the new side's lines are to be looked up: the graph itself, or a reading of the text they are of. */
  readonly now: { readonly view: GraphView; readonly path: string }
  /** A reading of the old side, when there is one. */
  readonly past: { readonly view: GraphView; readonly path: string } | undefined
  /** Lines of the new side. Undefined when they cannot be read. */
  readonly lines: ReadonlyArray<string> | undefined
}

const lowerHunks = (path: string, hunks: ReadonlyArray<Hunk>, sides: Sides): ReadonlyArray<ChangedSymbol> => {
  const { lines, now, past, view } = sides
  const owners = ownersOf(now.view, now.path)
  const touched = new Set<SymbolInfo>()
  let topLevel = false
  const imports = new Set(now.view.imports(now.path).map(({ line }) => line))
  for (const [from, to] of spans(hunks, "new"))
    for (let line = from; line <= to; line++) {
      const owner = owners.at(line)
      if (owner !== undefined) touched.add(owner)
      else if (owners.symbols.length > 0 || now.view.file(now.path)?.skipped === undefined)
        topLevel ||= lines !== undefined && isTopLevelCode(lines[line - 1] ?? "", imports, line)
    }
  for (const line of gaps(hunks)) {
    const owner = owners.at(line)
    if (owner !== undefined && owner === owners.at(line + 1)) touched.add(owner)
  }
  const out: Array<ChangedSymbol> = []
  const old = past === undefined ? undefined : ownersOf(past.view, past.path)
  const before = new Map(old?.symbols.map((info) => [rest(info), info]))
  const after = new Map(owners.symbols.map((info) => [rest(info), info]))
  if (old !== undefined) {
    for (const [from, to] of spans(hunks, "old"))
      for (let line = from; line <= to; line++) {
        const owner = old.at(line)
        if (owner === undefined) continue
        const same = after.get(rest(owner))
        if (same !== undefined) touched.add(same)
      }
    for (const [key, info] of before)
      if (
        !after.has(key) &&
        ![...before.keys()].some((outer) => key.startsWith(`${outer}.`) && !after.has(outer))
      )
        out.push({ ref: undefined, info: retold(info, { path, id: `${path}${key}` }), change: "deleted" })
  }
  for (const info of touched) {
    const key = rest(info)
    const known = view === now.view ? info.ref : exactRef(view, `${path}${key}`)
    const was = before.get(key)
    out.push({
      ref: known,
      info: retold(info, { path, id: `${path}${key}` }),
      change: known === undefined ? "deleted" : old !== undefined && was === undefined ? "added" : "modified",
      ...(was !== undefined && was.signature !== info.signature ? { previous_signature: was.signature } : {})
    })
  }
  if (topLevel) {
    const file = view.fileRef(path)
    if (file !== undefined) out.push({ ref: file, info: view.symbol(file), change: "top_level" })
  }
  return out.sort((a, b) => a.info.line - b.info.line)
}

const exactRef = (view: GraphView, id: string): SymbolRef | undefined => {
  const { exact, found } = view.resolve(id)
  return exact && found.length === 1 && view.idOf(found[0]!) === id ? found[0] : undefined
}

/** All that other code can know of a file, outermost only: members are part of what they lie in. */
const outermost = (view: GraphView, path: string): ReadonlyArray<SymbolInfo> =>
  ownersOf(view, path).symbols.filter(({ ref }) => {
    const parent = view.parent(ref)
    return parent === undefined || view.isFile(parent)
  })

/** Lowers what git says of the repositories. Fails only when the graph or git do. */
export const lower = (
  view: GraphView,
  compared: ReadonlyArray<Compared>,
  scope: string
): Effect.Effect<Lowered, OperationFailure, CodeGraph | GitReader | ReadFs> =>
  Effect.gen(function* () {
    const graph = yield* CodeGraph
    const git = yield* GitReader
    const fs = yield* ReadFs
    const symbols: Array<ChangedSymbol> = []
    const unknown: Array<UnknownFile> = []
    for (const { changes, root } of compared) {
      // Blobs to read: the old side of what has one, and the new side where that is not the file on disk.
      const wanted = new Map<string, { old: string | undefined; new: string | undefined }>()
      let asked = 0
      for (const file of changes.files) {
        if (file.type !== "file" || file.binary) continue
        const needsOld =
          file.old_blob !== undefined && (file.kind === "deleted" || file.hunks.some((h) => h.old_lines > 0))
        const needsNew =
          scope === "staged" && file.new_blob !== undefined && view.file(file.path)?.sha !== file.new_blob
        if (!needsOld && !needsNew) continue
        if (asked >= mostOldTexts) continue
        asked += Number(needsOld) + Number(needsNew)
        wanted.set(file.path, {
          old: needsOld ? file.old_blob : undefined,
          new: needsNew ? file.new_blob : undefined
        })
      }
      const blobs = [
        ...new Set(
          [...wanted.values()].flatMap((pair) => [pair.old, pair.new].filter((blob) => blob !== undefined))
        )
      ]
      const read = yield* Effect.mapError(git.texts(blobs, { repository: root }), (cause) =>
        fromService(cause)
      )
      const textOf = new Map(blobs.map((blob, place) => [blob, read[place]]))
      const texts: Array<{ readonly path: string; readonly text: string }> = []
      for (const file of changes.files) {
        const pair = wanted.get(file.path)
        const then = pair?.old === undefined ? undefined : textOf.get(pair.old)
        const now = pair?.new === undefined ? undefined : textOf.get(pair.new)
        if (then !== undefined) texts.push({ path: `old/${file.previous_path ?? file.path}`, text: then })
        if (now !== undefined) texts.push({ path: `new/${file.path}`, text: now })
      }
      const readings = yield* Effect.mapError(graph.sketch(texts), (cause) => fromService(cause))
      const reading = (path: string) =>
        readings.file(path) !== undefined && readings.file(path)!.skipped === undefined
          ? { view: readings, path }
          : undefined

      for (const file of changes.files) {
        const { path } = file
        if (file.type === "submodule") {
          unknown.push({ path, reason: "submodule" })
          continue
        }
        if (file.type === "symlink") continue
        const pair = wanted.get(path)
        const then = reading(`old/${file.previous_path ?? path}`)
        if (file.kind === "deleted") {
          if (then === undefined) {
            const why = readings.file(`old/${path}`)?.skipped
            if (why !== "no_language" && !file.binary)
              unknown.push({ path, reason: why ?? (pair === undefined ? "too_many_files" : "not_read") })
            continue
          }
          for (const info of outermost(readings, then.path)) {
            const id = `${path}${rest(info)}`
            symbols.push({ ref: undefined, info: retold(info, { path, id }), change: "deleted" })
          }
          continue
        }
        const indexed = view.file(path)
        const staged = pair?.new !== undefined
        if (!staged && indexed?.skipped !== undefined && withoutCode.has(indexed.skipped)) continue
        if (file.binary && (indexed === undefined || indexed.skipped !== undefined)) continue
        if (file.kind === "unmerged") {
          unknown.push({ path, reason: "unmerged" })
          continue
        }
        if (!staged && (indexed === undefined || indexed.skipped !== undefined)) {
          unknown.push({ path, reason: indexed?.skipped ?? "not_indexed" })
          continue
        }
        const now = staged ? reading(`new/${path}`) : { view, path }
        if (now === undefined) {
          if (readings.file(`new/${path}`)?.skipped !== "no_language")
            unknown.push({ path, reason: "not_read" })
          continue
        }
        if (file.kind === "added" || file.kind === "untracked" || file.kind === "copied") {
          for (const info of outermost(now.view, now.path)) {
            const id = `${path}${rest(info)}`
            const ref = staged ? exactRef(view, id) : info.ref
            if (ref === undefined) unknown.push({ path, reason: "not_in_work_tree" })
            else symbols.push({ ref, info: retold(info, { path, id }), change: "added" })
          }
          if (
            file.kind === "untracked" &&
            file.old_blob !== undefined &&
            then === undefined &&
            pair !== undefined
          )
            unknown.push({ path, reason: "not_compared" })
          continue
        }
        if (!file.hunks_complete) unknown.push({ path, reason: "cut" })
        if (file.binary) {
          unknown.push({ path, reason: "no_lines" })
          continue
        }
        if (file.kind === "renamed") {
          const ref = view.fileRef(path)
          if (ref !== undefined) symbols.push({ ref, info: view.symbol(ref), change: "renamed" })
        }
        if (file.hunks.length === 0) continue
        if (pair?.old !== undefined && then === undefined) {
          const why = readings.file(`old/${file.previous_path ?? path}`)?.skipped
          if (why !== "no_language") unknown.push({ path, reason: "old_text_not_read" })
        }
        const lines = staged
          ? textOf.get(pair.new!)?.split("\n")
          : yield* fs.readText(path).pipe(
              Effect.map(({ text }) => text.split("\n")),
              Effect.orElseSucceed(() => undefined)
            )
        symbols.push(...lowerHunks(path, file.hunks, { view, now, past: then, lines }))
      }
      for (const path of changes.undecodable) unknown.push({ path, reason: "name_not_utf8" })
      for (const path of changes.nested) unknown.push({ path, reason: "nested_repository" })
      for (const path of changes.unreadable) unknown.push({ path, reason: "unreadable_folder" })
    }
    return { symbols: distinct(symbols), unknown }
  })

const distinct = (symbols: ReadonlyArray<ChangedSymbol>): ReadonlyArray<ChangedSymbol> => {
  const seen = new Set<string>()
  return symbols.filter(({ change, info }) => {
    const key = `${change === "deleted" ? "-" : "+"}${info.id}`
    return seen.has(key) ? false : (seen.add(key), true)
  })
}

/** Lowers one text that is to replace another: what an edit would do to the symbols of a file. */
export const lowerTexts = (
  view: GraphView,
  path: string,
  before: string,
  after: string
): Effect.Effect<Lowered, OperationFailure, CodeGraph> =>
  Effect.gen(function* () {
    const graph = yield* CodeGraph
    const readings = yield* Effect.mapError(
      graph.sketch([
        { path: `old/${path}`, text: before },
        { path: `new/${path}`, text: after }
      ]),
      (cause) => fromService(cause)
    )
    const old = readings.file(`old/${path}`)
    const now = readings.file(`new/${path}`)
    if (old?.skipped !== undefined || now?.skipped !== undefined)
      return {
        symbols: [],
        unknown:
          old?.skipped === "no_language" ? [] : [{ path, reason: now?.skipped ?? old?.skipped ?? "not_read" }]
      }
    const oldOwners = ownersOf(readings, `old/${path}`).symbols
    const newOwners = new Map(ownersOf(readings, `new/${path}`).symbols.map((info) => [rest(info), info]))
    const oldLines = before.split("\n")
    const newLines = after.split("\n")
    const textOf = (lines: ReadonlyArray<string>, info: SymbolInfo) =>
      lines.slice(info.start_line - 1, info.end_line).join("\n")
    const symbols: Array<ChangedSymbol> = []
    const seen = new Set<string>()
    for (const info of oldOwners) {
      const key = rest(info)
      seen.add(key)
      const same = newOwners.get(key)
      const ref = exactRef(view, `${path}${key}`)
      const shown = retold(info, { path, id: `${path}${key}` })
      if (same === undefined) symbols.push({ ref: undefined, info: shown, change: "deleted" })
      else if (textOf(oldLines, info) !== textOf(newLines, same))
        symbols.push({
          ref,
          info: retold(same, { path, id: `${path}${key}` }),
          change: "modified",
          ...(info.signature === same.signature ? {} : { previous_signature: info.signature })
        })
    }
    for (const [key, info] of newOwners)
      if (!seen.has(key))
        symbols.push({ ref: undefined, info: retold(info, { path, id: `${path}${key}` }), change: "added" })
    // A container whose members changed has other text for that alone.
    return {
      symbols: symbols.filter(
        ({ info }) => !symbols.some(({ info: inner }) => inner !== info && inner.id.startsWith(`${info.id}.`))
      ),
      unknown: []
    }
  })

/** What is said of files that a change is not known for. */
export const unknownRows = (unknown: ReadonlyArray<UnknownFile>, most = 100) =>
  unknown.length === 0
    ? {}
    : {
        unknown_files: unknown.slice(0, most),
        ...(unknown.length > most ? { unknown_file_count: unknown.length } : {})
      }

/** A changed symbol in an answer. */
export const changedRow = ({ change, info, previous_signature }: ChangedSymbol) => ({
  id: info.id,
  kind: info.kind,
  name: info.name,
  file_path: info.path,
  line: info.line,
  change,
  ...(previous_signature === undefined ? {} : { signature: info.signature, previous_signature }),
  ...(info.test ? { test: true as const } : {})
})
