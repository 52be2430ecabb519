/** The name in comments and strings, where no engine follows it. */
import { Effect } from "effect"
import { fromService, type OperationFailure } from "../../registry/Failure.ts"
import type { GraphView } from "../../services/CodeGraph.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import { TextIndex } from "../../services/TextIndex.ts"
import type { Drafts } from "./Drafts.ts"
import { partsIn, type Where, whereIs } from "./Lexical.ts"
import { occurrences } from "./Names.ts"
import { SourceText } from "./SourceText.ts"

/** Lines looked at. */
const mostLines = 2000

export interface Mention {
  readonly path: string
  readonly line: number
  readonly column: number
  readonly offset: number
  readonly where: Exclude<Where, "code">
  readonly text: string
}

export interface Mentions {
  readonly list: ReadonlyArray<Mention>
  /** False when there were more lines with the name than were looked at, or files could not be read. */
  readonly complete: boolean
  /** Uses of the name in code that are of something else. */
  readonly code: number
}

/** Whole-word mentions that the drafts leave as they are. */
export const mentionsOf = (
  view: GraphView,
  drafts: Drafts,
  name: string
): Effect.Effect<Mentions, OperationFailure, TextIndex | ReadFs> =>
  Effect.gen(function* () {
    const index = yield* TextIndex
    const fs = yield* ReadFs
    const found = yield* Effect.mapError(
      index.search({
        pattern: name,
        regexp: false,
        word: /^\w+$/.test(name),
        limit: mostLines,
        mode: "matches"
      }),
      (cause) => fromService(cause)
    )
    const list: Array<Mention> = []
    let { complete } = found
    let code = 0
    for (const path of [...new Set(found.matches.map((match) => match.path))].sort()) {
      const open = drafts.get(path)
      const source =
        open?.source ??
        (yield* Effect.match(fs.readText(path), {
          onFailure: () => undefined,
          onSuccess: ({ text }) => new SourceText(text)
        }))
      if (source === undefined) {
        complete = false
        continue
      }
      for (const offset of occurrences(source.text, name)) {
        if (open?.changes.some(({ from, to }) => from <= offset && offset < to) === true) continue
        const where = whereIs(partsIn(source, view.file(path)?.language), offset)
        if (where === "code") {
          code++
          continue
        }
        const place = source.place(offset)
        list.push({ path, ...place, offset, where, text: source.line(place.line).trim().slice(0, 160) })
      }
    }
    return { list, complete, code }
  })

/** Mentions an answer lists. */
const listed = 20

export const mentionsRow = ({ complete, list }: Mentions) =>
  list.length === 0 && complete
    ? {}
    : {
        left_behind: {
          comments: list.filter(({ where }) => where === "comment").length,
          strings: list.filter(({ where }) => where === "string").length,
          sites: list
            .slice(0, listed)
            .map(({ line, path, text, where }) => ({ file: path, line, in: where, text })),
          ...(list.length > listed ? { truncated: true } : {}),
          ...(complete ? {} : { complete: false })
        }
      }
