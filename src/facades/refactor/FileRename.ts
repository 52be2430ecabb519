/** Files that bear the name of what they define. */
import { Effect } from "effect"
import { failure, fromService, type OperationFailure } from "../../registry/Failure.ts"
import type { GraphView } from "../../services/CodeGraph.ts"
import { LanguageReader } from "../../services/LanguageReader.ts"
import type { OverlayView } from "../../services/OverlayView.ts"
import type { ReadFs } from "../../services/ReadFs.ts"
import type { Drafts, OpenFile } from "./Drafts.ts"
import { shown } from "./Judged.ts"
import { isEcmascript } from "./Names.ts"
import type { Target } from "./Target.ts"

/** The new path of a file called like the symbol; `blocked` when something is there already. */
export const fileRenameOf = (
  view: GraphView,
  { name, path, language, symbol }: Target,
  to: string
): { readonly from: string; readonly to: string; readonly blocked?: true } | undefined => {
  const split = path.lastIndexOf("/") + 1
  const base = path.slice(split)
  const dot = base.indexOf(".")
  if (symbol === undefined || symbol.qualified !== name) return undefined
  if (dot < 0 || base.slice(0, dot) !== name) return undefined
  if (!isEcmascript(language) && language !== "go") return undefined
  const there = `${path.slice(0, split)}${to}${base.slice(dot)}`
  return view.fileRef(there) === undefined
    ? { from: path, to: there }
    : { from: path, to: there, blocked: true }
}

/** Last part of a module specifier without its ending. */
const stemOf = (specifier: string): string => {
  const base = specifier.slice(specifier.lastIndexOf("/") + 1)
  const dot = base.indexOf(".")
  return dot < 0 ? base : base.slice(0, dot)
}

const specifier = /(["'])((?:\\.|(?!\1)[^\\\n])*)\1/g

/**
 * Moves a file within its folder: the server says what becomes of import paths, and every file that the graph has
 * importing it is looked at, since servers leave out importers of augmented modules.
 */
export const moveFile = (
  drafts: Drafts,
  file: OpenFile,
  to: string
): Effect.Effect<void, OperationFailure, ReadFs | OverlayView | LanguageReader> =>
  Effect.gen(function* () {
    file.movedTo = to
    const { view } = drafts
    if (!isEcmascript(view.file(file.path)?.language ?? "")) return
    const reader = yield* LanguageReader
    const { value } = yield* Effect.mapError(reader.willRenameFiles([{ from: file.path, to }]), (cause) =>
      fromService(cause, { failure_stage: "preflight", state_changed: false })
    )
    const oldStem = stemOf(file.path)
    const newStem = stemOf(to)
    for (const edit of value.edits) {
      const open = yield* drafts.open(edit.path)
      const start = open.source.offset(edit.startLine, edit.startColumn)
      const end = open.source.offset(edit.endLine, edit.endColumn)
      if (start === undefined || end === undefined) continue
      yield* drafts.add(open, [
        { from: start, to: end, text: edit.text, confidence: "language_server", reason: "import path" }
      ])
    }
    const ref = view.fileRef(file.path)
    if (ref === undefined) return
    const left: Array<{ readonly file: string; readonly line: number }> = []
    const importers = new Map<string, Set<number>>()
    const note = (path: string, line: number) => {
      const lines = importers.get(path)
      if (lines === undefined) importers.set(path, new Set([line]))
      else lines.add(line)
    }
    for (const edge of view.incoming(ref)) note(edge.path, edge.line)
    for (const definition of view.definitions(file.path))
      for (const edge of view.incoming(definition))
        if (edge.path !== file.path && (edge.role === "import" || edge.role === "export"))
          note(edge.path, edge.line)
    for (const [path, lines] of importers) {
      const open = yield* drafts.open(path)
      let found = false
      for (const match of open.source.text.matchAll(specifier)) {
        const text = match[2]!
        if (!text.startsWith(".") || stemOf(text) !== oldStem) continue
        if (resolved(path, text) !== withoutEnding(file.path)) continue
        found = true
        const from = match.index + 1
        if (open.changes.some((change) => change.from < from + text.length && change.to > from)) continue
        const at = from + text.lastIndexOf("/") + 1
        yield* drafts.add(open, [
          { from: at, to: at + oldStem.length, text: newStem, confidence: "resolved", reason: "import path" }
        ])
      }
      const rewritten = open.changes.some(({ reason }) => reason === "import path")
      if (!found && !rewritten && imports(view, path, file.path))
        left.push({ file: path, line: Math.min(...lines) })
    }
    if (left.length > 0)
      return yield* failure(
        "edit_conflict",
        `${left.length} files import ${file.path} in a way that cannot be rewritten`,
        {
          field: "options.rename_file",
          reason_code: "import_left",
          failure_stage: "preflight",
          data: { sites: left.slice(0, shown), total_sites: left.length }
        }
      )
  })

const imports = (view: GraphView, path: string, target: string): boolean =>
  view
    .imports(path)
    .some(
      ({ module, targets }) =>
        stemOf(module) === stemOf(target) && targets.some((ref) => view.pathOf(ref) === target)
    )

const withoutEnding = (path: string): string => {
  const split = path.lastIndexOf("/") + 1
  const dot = path.indexOf(".", split)
  return dot < 0 ? path : path.slice(0, dot)
}

/** The path a relative specifier means, without its ending. */
const resolved = (from: string, text: string): string => {
  const parts = from.split("/").slice(0, -1)
  for (const part of text.split("/"))
    if (part === "..") parts.pop()
    else if (part !== "." && part !== "") parts.push(part)
  return withoutEnding(parts.join("/"))
}
