/** Changes of several documents, from either form of the protocol to the one this house plans with. */
import { Effect } from "effect"
import type {
  DocumentSpan,
  LanguageChange,
  LanguageEdit,
  LanguageFileOperation
} from "../../services/LanguageReader.ts"
import { EditRefused } from "./LspFailure.ts"
import type { Position, Range, TextEdit, WorkspaceEdit } from "./Protocol.ts"
import { keyOf, relativeOf } from "./Uri.ts"

/** What is needed to read a server's edit. */
export interface EditContext {
  /** The workspace's root: absolute, without symbolic links. */
  readonly root: string
  /** A server's place as this house counts, in the text the server knows. */
  readonly place: (path: string, position: Position) => { readonly line: number; readonly column: number }
  /** Whether there is such a file. */
  readonly exists: (path: string) => boolean
  /** Version of a document that is open; undefined for others. */
  readonly version: (path: string) => number | undefined
}

/** No change at all. */
export const nothing: LanguageChange = { edits: [], files: [], duplicates: 0 }

/** A range of a server as a span. */
export const spanOf = (context: Pick<EditContext, "place">, path: string, range: Range): DocumentSpan => {
  const start = context.place(path, range.start)
  const end = context.place(path, range.end)
  return { path, startLine: start.line, startColumn: start.column, endLine: end.line, endColumn: end.column }
}

const byPlace = (a: LanguageEdit, b: LanguageEdit): number =>
  a.startLine - b.startLine ||
  a.startColumn - b.startColumn ||
  a.endLine - b.endLine ||
  a.endColumn - b.endColumn

const startsBefore = (line: number, column: number, edit: LanguageEdit): boolean =>
  edit.startLine < line || (edit.startLine === line && edit.startColumn < column)

const same = (a: LanguageEdit, b: LanguageEdit): boolean => byPlace(a, b) === 0 && a.text === b.text

/**
 * Puts a file's edits in order, drops exact repetitions and refuses what else overlaps. Insertions at one place keep the
 * order they came in.
 */
export const tidy = (
  edits: ReadonlyArray<LanguageEdit>
): Effect.Effect<{ readonly edits: ReadonlyArray<LanguageEdit>; readonly duplicates: number }, EditRefused> =>
  Effect.suspend(() => {
    const sorted = edits.map((edit, index) => ({ edit, index }))
    sorted.sort((a, b) => byPlace(a.edit, b.edit) || a.index - b.index)
    const kept: Array<LanguageEdit> = []
    let duplicates = 0
    let last: LanguageEdit | undefined
    for (const { edit } of sorted) {
      // Repetitions need not be neighbours: insertions at one place may stand between them.
      let repeated = false
      for (let i = kept.length - 1; i >= 0; i--) {
        const before = kept[i]
        if (before === undefined || byPlace(before, edit) !== 0) break
        if (same(before, edit)) repeated = true
      }
      if (repeated) {
        duplicates++
        continue
      }
      const reaches = last !== undefined && startsBefore(last.endLine, last.endColumn, edit)
      const twice =
        last !== undefined &&
        byPlace(last, edit) === 0 &&
        (edit.startLine !== edit.endLine || edit.startColumn !== edit.endColumn)
      if (reaches || twice)
        return Effect.fail(
          new EditRefused({
            reason: "overlap",
            path: edit.path,
            detail: `two edits of the server change the same text at line ${edit.startLine}, column ${edit.startColumn}`
          })
        )
      kept.push(edit)
      if (last === undefined || startsBefore(edit.endLine, edit.endColumn, last) || reachesPast(edit, last))
        last = edit
    }
    return Effect.succeed({ edits: kept, duplicates })
  })

const reachesPast = (a: LanguageEdit, b: LanguageEdit): boolean =>
  a.endLine > b.endLine || (a.endLine === b.endLine && a.endColumn >= b.endColumn)

const outside = (uri: string): EditRefused =>
  new EditRefused({
    reason: "outside",
    path: uri.slice(uri.lastIndexOf("/") + 1),
    detail: "the server wants to change a file outside the root"
  })

/**
 * A server's edit as edits by path and file operations. Fails with `EditRefused`: `outside` for a file that is not below
 * the root, `stale` for an edit of another version than the server was told, `overlap` for edits that contradict.
 */
export const normalise = (
  edit: WorkspaceEdit,
  context: EditContext
): Effect.Effect<LanguageChange, EditRefused> =>
  Effect.gen(function* () {
    const files: Array<LanguageFileOperation> = []
    const byPath = new Map<string, Array<LanguageEdit>>()
    /** What a file that was renamed on the way is called in the original. */
    const original = new Map<string, string>()
    const created = new Set<string>()
    const pathOf = (uri: string) => {
      const path = relativeOf(context.root, uri)
      return path === undefined ? Effect.fail(outside(uri)) : Effect.succeed(path)
    }
    const add = (uri: string, edits: ReadonlyArray<TextEdit>) =>
      Effect.map(pathOf(uri), (now) => {
        const path = original.get(now) ?? now
        const list = byPath.get(path) ?? []
        byPath.set(path, list)
        for (const { range, newText } of edits) list.push({ ...spanOf(context, path, range), text: newText })
      })

    const changes = edit.documentChanges ?? undefined
    if (changes === undefined) {
      // Two spellings of one URI are one file.
      const merged = new Map<string, Array<TextEdit>>()
      for (const [uri, edits] of Object.entries(edit.changes ?? {})) {
        const key = keyOf(uri)
        merged.set(key, [...(merged.get(key) ?? []), ...edits])
      }
      for (const [uri, edits] of merged) yield* add(uri, edits)
    } else {
      for (const change of changes) {
        if (!("kind" in change)) {
          const { uri, version } = change.textDocument
          const path = yield* pathOf(uri)
          const known = context.version(path)
          if (version !== undefined && version !== null && known !== undefined && version !== known)
            return yield* new EditRefused({
              reason: "stale",
              path,
              detail: `the server's edit is for version ${version} of the document, which is at ${known}`
            })
          yield* add(uri, change.edits)
        } else if (change.kind === "create") {
          const path = yield* pathOf(change.uri)
          created.add(path)
          files.push({ kind: "create", path, overwrite: change.options?.overwrite === true })
        } else if (change.kind === "rename") {
          const from = yield* pathOf(change.oldUri)
          const to = yield* pathOf(change.newUri)
          original.set(to, original.get(from) ?? from)
          original.delete(from)
          files.push({ kind: "rename", from, to, overwrite: change.options?.overwrite === true })
        } else {
          const path = yield* pathOf(change.uri)
          files.push({ kind: "delete", path, recursive: change.options?.recursive === true })
        }
      }
    }
    const edits: Array<LanguageEdit> = []
    let duplicates = 0
    // Some write into a file that is not there yet without saying that it is to be made.
    for (const path of [...byPath.keys()].sort())
      if (!created.has(path) && !context.exists(path)) files.push({ kind: "create", path, overwrite: false })
    for (const path of [...byPath.keys()].sort()) {
      const tidied = yield* tidy(byPath.get(path) ?? [])
      edits.push(...tidied.edits)
      duplicates += tidied.duplicates
    }
    return { edits, files, duplicates }
  })
