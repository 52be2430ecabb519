/** What the kinds of this family have in common: reading facts, saying how complete they are, refusing words that fit nothing. */
import { Effect } from "effect"
import { fromService, invalidArgument, type OperationFailure } from "../../../registry/Failure.ts"
import { type FactReading, type Family, FrameworkFacts, type Note } from "../../../services/FrameworkFacts.ts"
import { freshnessOf } from "../../shared/symbols.ts"

/** Unread files that an answer names. */
const mostUnread = 20

export const facts = (
  ...families: ReadonlyArray<Family>
): Effect.Effect<FactReading, OperationFailure, FrameworkFacts> =>
  Effect.flatMap(FrameworkFacts, ({ read }) => Effect.mapError(read(families), (cause) => fromService(cause)))

/** The same over all repositories of the workspace, whichever project is active. */
export const wideFacts = (
  ...families: ReadonlyArray<Family>
): Effect.Effect<FactReading, OperationFailure, FrameworkFacts> =>
  Effect.flatMap(FrameworkFacts, ({ read }) =>
    Effect.mapError(read(families, { wide: true }), (cause) => fromService(cause))
  )

/** What was looked at. An empty list means that these files hold none. */
export const completenessOf = ({ coverage, freshness }: FactReading, ...further: ReadonlyArray<string>) => {
  const { candidate_files, read_files, unread } = coverage
  const reasons = [
    ...(unread.length === 0 ? [] : ["unread_files"]),
    ...(freshness.state === "fresh" ? [] : [`index_${freshness.state}`]),
    ...further
  ]
  return {
    completeness: {
      complete: reasons.length === 0,
      ...(reasons.length === 0 ? {} : { reason: reasons.join(",") }),
      candidate_files,
      read_files,
      ...(unread.length === 0
        ? {}
        : {
            unread_files: unread
              .slice(0, mostUnread)
              .map(({ path, reason }) => ({ file_path: path, reason })),
            unread_count: unread.length
          })
    },
    ...(freshness.state === "fresh" ? {} : { freshness: freshnessOf(freshness) })
  }
}

/** Refuses a word that is none of those there are; `undefined` and every word pass where there are none. */
export const oneWord = (
  field: string,
  given: string | undefined,
  valid: Iterable<string>,
  what: string
): Effect.Effect<string | undefined, OperationFailure> => {
  if (given === undefined) return Effect.succeed(undefined)
  const words = [...new Set(valid)].sort()
  const found =
    words.find((word) => word === given) ??
    words.find((word) => word.toLowerCase() === given.trim().toLowerCase())
  return found === undefined
    ? Effect.fail(
        invalidArgument(field, `${JSON.stringify(given)} is no ${what}`, {
          reason_code: "unknown_value",
          data: { valid_values: words }
        })
      )
    : Effect.succeed(found)
}

/** Whether a text holds the words of a filter, whatever their case. */
export const holds = (filter: string | undefined): ((text: string) => boolean) => {
  const wanted = filter?.trim().toLowerCase()
  return wanted === undefined || wanted === "" ? () => true : (text) => text.toLowerCase().includes(wanted)
}

export const notesOf = (reading: FactReading, ...what: ReadonlyArray<string>): ReadonlyArray<Note> =>
  reading.notes.filter((note) => what.includes(note.what))

export const text = (note: Note, key: string): string => {
  const value = note.data[key]
  return typeof value === "string" ? value : ""
}
export const texts = (note: Note, key: string): ReadonlyArray<string> => {
  const value = note.data[key]
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === "string") : []
}

/** One place of a fact in an answer. */
export interface Place {
  readonly symbol: string
  readonly file_path: string
  readonly line: number
  readonly test?: true
}
export const placeOf = ({ file, line, test, within }: Note): Place => ({
  symbol: within,
  file_path: file,
  line,
  ...(test ? { test: true as const } : {})
})

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
export const byPlace = (
  a: { readonly file_path: string; readonly line: number },
  b: { readonly file_path: string; readonly line: number }
): number => compare(a.file_path, b.file_path) || a.line - b.line

/** Notes by a key, in the order of the keys. */
export const grouped = (
  notes: Iterable<Note>,
  key: (note: Note) => string
): ReadonlyArray<readonly [string, ReadonlyArray<Note>]> => {
  const groups = new Map<string, Array<Note>>()
  for (const note of notes) {
    const own = key(note)
    const group = groups.get(own)
    if (group === undefined) groups.set(own, [note])
    else group.push(note)
  }
  return [...groups].sort((a, b) => compare(a[0], b[0]))
}

/** How many different definitions some notes lie in. */
export const holders = (notes: Iterable<Note>): number => new Set([...notes].map(({ within }) => within)).size

/** Places of a group, the first of them, and how many were left out. */
export const placesOf = (
  notes: ReadonlyArray<Note>,
  most = 50
): { readonly places: ReadonlyArray<Place>; readonly omitted?: number } => {
  const places = notes.map(placeOf).sort(byPlace)
  return places.length <= most ? { places } : { places: places.slice(0, most), omitted: places.length - most }
}

/** What stands for nothing found: what was looked at. */
export const none = (reading: FactReading, what: string): { readonly note?: string } => ({
  note: `no ${what}: ${reading.coverage.read_files} of ${reading.coverage.candidate_files} files that show a sign of one were read`
})

/** By `count` from the most, ties by id. */
export const mostFirst =
  <K extends string>(count: K) =>
  <R extends { readonly [P in K]: number } & { readonly id: string }>(a: R, b: R): number =>
    b[count] - a[count] || compare(a.id, b.id)
