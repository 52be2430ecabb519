/** Text search over the files of a workspace as they are on disk, or in an overlay. */
import { Effect } from "effect"
import { isWithin, prefixOf } from "../../registry/Place.ts"
import { nextTurn } from "../../registry/Turns.ts"
import { ServiceFailure } from "../../services/ServiceFailure.ts"
import type { TextMatches, TextQuery } from "../../services/TextIndex.ts"
import { type FileEntry, FileFlag } from "../graph/Snapshot.ts"
import { languages } from "../languages/index.ts"
import { compileGlobs, InvalidGlob } from "../text/Globs.ts"
import { Matcher } from "../text/Matcher.ts"
import { InvalidPattern } from "../text/Pattern.ts"
import { searchInSteps } from "../text/Search.ts"
import { FileBytes } from "./FileBytes.ts"
import type { Current } from "./Workspace.ts"

const isFiltered = ({ globs, languages, paths }: TextQuery): boolean =>
  [globs, languages, paths].some((list) => list !== undefined && list.length > 0)

/** A test on paths for "any of these prefixes, any of these globs, any of these languages". */
export const fileFilter = (query: {
  readonly paths?: ReadonlyArray<string> | undefined
  readonly globs?: ReadonlyArray<string> | undefined
  readonly languages?: ReadonlyArray<string> | undefined
}): ((file: FileEntry) => boolean) => {
  const prefixes = (query.paths ?? []).map(prefixOf).filter((prefix) => prefix !== "")
  const glob = query.globs === undefined || query.globs.length === 0 ? undefined : compileGlobs(query.globs)
  const ids =
    query.languages === undefined || query.languages.length === 0
      ? undefined
      : new Set(languages.flatMap((l, i) => (query.languages!.includes(l.id) ? [i] : [])))
  return (file) =>
    (prefixes.length === 0 || prefixes.some((prefix) => isWithin(file.path, prefix))) &&
    (glob === undefined || glob(file.path)) &&
    (ids === undefined || ids.has(file.language))
}

/** Whether a file may hold text that was not read when it was indexed. */
const isUnread = (file: FileEntry): boolean => file.oid === "" && file.skip !== "binary" && file.skip !== ""

export class TextSearch {
  private readonly bytes: FileBytes
  private known:
    | {
        readonly files: Current["snapshot"]["files"]
        /** Ids of the files with text, in path order. */
        readonly ids: ReadonlyArray<number>
        readonly unread: ReadonlyArray<FileEntry>
      }
    | undefined
  constructor(root: string) {
    this.bytes = new FileBytes(root)
  }

  /** What there is to search, gathered once for all searches of one state. */
  private listOf(current: Current): NonNullable<TextSearch["known"]> {
    const { files } = current.snapshot
    if (this.known?.files !== files) {
      const all = files.filter((f): f is FileEntry => f !== undefined)
      const texts = all.filter((f) => f.oid !== "" && f.skip !== "binary")
      texts.sort((a, b) => (a.path < b.path ? -1 : 1))
      this.known = { files, ids: texts.map((f) => f.id), unread: all.filter(isUnread) }
    }
    return this.known
  }

  /** Listed files that fit, in path order, those without text included. */
  listed(
    { snapshot }: Current,
    query: Parameters<typeof fileFilter>[0] & { readonly tests: boolean }
  ): ReadonlyArray<FileEntry> {
    const wanted = fileFilter(query)
    const files = snapshot.files.filter(
      (file): file is FileEntry =>
        file !== undefined && (query.tests || (file.flags & FileFlag.test) === 0) && wanted(file)
    )
    return files.sort((a, b) => (a.path < b.path ? -1 : 1))
  }

  read(file: FileEntry, current: Current): Uint8Array | undefined {
    return current.contents?.get(file.oid) ?? this.bytes.read(file)
  }

  search(current: Current, query: TextQuery): Effect.Effect<TextMatches, ServiceFailure> {
    return Effect.gen(this, function* () {
      const invalid = (detail: string) =>
        new ServiceFailure({ service: "TextIndex", reason: "invalid_pattern", detail, stateChanged: false })
      // A filter that nothing can fit would make a zero that says nothing about the files.
      const unknown = (query.languages ?? []).filter((id) => !languages.some((l) => l.id === id))
      if (unknown.length > 0) {
        return yield* new ServiceFailure({
          service: "TextIndex",
          reason: "unknown_language",
          detail: `no language is called ${unknown.join(", ")}; there are ${languages.map((l) => l.id).join(", ")}`,
          stateChanged: false
        })
      }
      const outside = (query.paths ?? []).find((path) =>
        /^(?:\/|[A-Za-z]:[\\/])|(?:^|\/)\.\.(?:\/|$)|\0/.test(path)
      )
      if (outside !== undefined) {
        return yield* new ServiceFailure({
          service: "TextIndex",
          reason: "path_outside_root",
          detail: `paths are relative to the root and stay below it; ${JSON.stringify(outside.slice(0, 100))} does not`,
          stateChanged: false
        })
      }
      const { matcher, wanted } = yield* Effect.try({
        try: () => ({
          matcher: new Matcher(query.pattern, {
            regexp: query.regexp,
            ignoreCase: query.ignore_case ?? false,
            word: query.word ?? false,
            multiline: query.multiline ?? false
          }),
          wanted: isFiltered(query) ? fileFilter(query) : undefined
        }),
        catch: (cause) => {
          if (cause instanceof InvalidPattern) return invalid(`at ${cause.position}: ${cause.reason}`)
          if (cause instanceof InvalidGlob)
            return new ServiceFailure({
              service: "TextIndex",
              reason: "invalid_glob",
              detail: cause.message,
              stateChanged: false
            })
          throw cause
        }
      })
      const { files } = current.snapshot
      const { except } = query
      const { ids, unread } = this.listOf(current)
      const chosen = wanted === undefined ? ids : ids.filter((id) => wanted(files[id]!))
      const steps = searchInSteps(
        matcher,
        {
          files: chosen,
          read: (id) => current.contents?.get(files[id]!.oid) ?? this.bytes.peek(files[id]!),
          index: current.trigrams
        },
        {
          before: query.before ?? 0,
          after: query.after ?? 0,
          limit: query.limit,
          mode: query.mode,
          ...(except === undefined ? {} : { except: (id) => except(files[id]!.path) }),
          ...(query.per_file === undefined || query.per_file === 0 ? {} : { perFile: query.per_file }),
          ...(query.deadline_ms === undefined ? {} : { deadlineMs: query.deadline_ms })
        }
      )
      const result = yield* Effect.gen(function* () {
        for (;;) {
          const step = steps.next()
          if (step.done === true) return step.value
          yield* nextTurn
        }
      }).pipe(Effect.onInterrupt(() => Effect.sync(() => steps.return(undefined as never))))
      const causes: Array<string> = []
      if (result.truncated !== undefined) causes.push(result.truncated)
      if (result.incomplete !== undefined) causes.push(result.incomplete)
      if (result.unreadable.length > 0) causes.push("unreadable")
      return {
        matches: result.files.flatMap((file) =>
          file.hits.map((hit) => ({
            path: files[file.fileId]!.path,
            line: hit.line,
            column: hit.ranges[0]?.column ?? hit.textColumn,
            end_line: hit.endLine,
            text: hit.text,
            clipped: hit.clipped,
            before: hit.before.map((l) => l.text),
            after: hit.after.map((l) => l.text)
          }))
        ),
        files: result.files.map((file) => ({ path: files[file.fileId]!.path, count: file.lines })),
        total: result.totals.lines,
        total_files: result.totals.files,
        complete: causes.length === 0,
        causes,
        searched_files: chosen.length,
        unread_files: wanted === undefined ? unread.length : unread.filter(wanted).length
      }
    })
  }
}
