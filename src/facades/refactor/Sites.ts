/** Places before and after a refactoring, and whether they still mean the same. */
import { Effect } from "effect"
import type { OperationFailure } from "../../registry/Failure.ts"
import type { OverlayView } from "../../services/OverlayView.ts"
import type { ReadFs } from "../../services/ReadFs.ts"
import type { Drafts, OpenFile } from "./Drafts.ts"
import { moved, SourceText } from "./SourceText.ts"

/** Line 1-based, column 0-based. */
export interface Site {
  readonly path: string
  readonly line: number
  readonly column: number
}

export const siteKey = ({ column, line, path }: Site): string => `${path}\0${line}\0${column}`

/** Where the places of a reference set are afterwards, and what the other side says. */
export interface Difference {
  /** Places that meant the symbol and would not any more; as they are now. */
  readonly lost: ReadonlyArray<Site>
  /** Places that would mean the symbol and did not; as they would be. */
  readonly gained: ReadonlyArray<Site>
}

/**
 * Compares what meant a symbol with what would mean it. A place inside replaced text may be anywhere in its new text, and
 * new text may mean the symbol more than once.
 */
export const compareSites = (
  drafts: Drafts,
  before: ReadonlyArray<Site>,
  after: ReadonlyArray<Site>
): Effect.Effect<Difference, OperationFailure, ReadFs | OverlayView> =>
  Effect.gen(function* () {
    const texts = new Map<string, SourceText>()
    const textAfter = (path: string, file: OpenFile | undefined): SourceText | undefined => {
      const known = texts.get(path)
      if (known !== undefined) return known
      const created = drafts.created.get(path)
      const source =
        created !== undefined
          ? new SourceText(created)
          : file === undefined
            ? undefined
            : file.changes.length === 0
              ? file.source
              : new SourceText(drafts.after(file))
      if (source !== undefined) texts.set(path, source)
      return source
    }
    const back = new Map(
      drafts.touched.flatMap((file) =>
        file.movedTo === undefined ? [] : [[file.movedTo, file.path] as const]
      )
    )
    const found = new Map<string, Array<number>>()
    const offsets: Array<{ readonly site: Site; readonly path: string; readonly at: number }> = []
    for (const site of after) {
      const path = back.get(site.path) ?? site.path
      const file = drafts.created.has(site.path) ? undefined : yield* drafts.open(path)
      const at = textAfter(site.path, file)?.offset(site.line, site.column)
      if (at === undefined) continue
      offsets.push({ site, path: site.path, at })
      const list = found.get(site.path)
      if (list === undefined) found.set(site.path, [at])
      else list.push(at)
    }
    const lost: Array<Site> = []
    const allowed = new Map<string, Array<{ readonly from: number; readonly to: number }>>()
    const allow = (path: string, range: { readonly from: number; readonly to: number }) => {
      const list = allowed.get(path)
      if (list === undefined) allowed.set(path, [range])
      else list.push(range)
    }
    for (const site of before) {
      const file = yield* drafts.open(site.path)
      const at = file.source.offset(site.line, site.column)
      if (at === undefined || file.deleted === true) continue
      const path = file.movedTo ?? file.path
      const range = moved(file.changes, at)
      allow(path, range)
      if (!(found.get(path) ?? []).some((there) => range.from <= there && there <= range.to)) lost.push(site)
    }
    for (const file of drafts.touched)
      for (const change of file.changes)
        if (change.text !== "") allow(file.movedTo ?? file.path, moved(file.changes, change.from))
    const gained = offsets
      .filter(({ at, path }) => !(allowed.get(path) ?? []).some(({ from, to }) => from <= at && at <= to))
      .map(({ site }) => site)
    return { lost, gained }
  })

/** Where a place is afterwards. */
export const siteAfter = (drafts: Drafts, file: OpenFile, offset: number, word: string): Site => {
  const range = moved(file.changes, offset)
  const text = drafts.after(file)
  const at = text.slice(range.from, range.to + 1 + word.length).indexOf(word)
  const path = file.movedTo ?? file.path
  return { path, ...new SourceText(text).place(range.from + Math.max(0, at)) }
}
