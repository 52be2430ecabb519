/** The walk over the whole chain of the ledger, through its segments and its table, for the first that does not fit. */
import type { Statement } from "@effect/sql/Statement"
import { Effect } from "effect"
import type { LedgerBreak, LedgerEntry, LedgerVerdict } from "../../services/AuditLedger.ts"
import type { ServiceFailure } from "../../services/ServiceFailure.ts"
import type { Sql } from "./Database.ts"
import { follows, hashOf, origin, type Stored, stride } from "./LedgerChain.ts"
import { type Contents, type Segment, segmentName } from "./LedgerSegments.ts"

/** Runs a statement over the records. */
export type Run = <A extends object>(
  statement: (sql: Sql) => Statement<A>
) => Effect.Effect<ReadonlyArray<A>, ServiceFailure>

/** A segment as the table of segments has it. */
export interface Known {
  readonly first: number
  readonly last: number
  /** Hash of its last row. */
  readonly hash: string
  /** `sealing`: its file may not be there yet. `dropped`: a row says that it was let go, and its file goes. */
  readonly state: "sealing" | "sealed" | "dropped"
}

/** Where the rows of a ledger are. */
export interface Sources {
  readonly run: Run
  readonly segments: Effect.Effect<ReadonlyArray<Segment>, ServiceFailure>
  /** Undefined when the file has gone. */
  readonly contents: (segment: Segment) => Effect.Effect<Contents | undefined, ServiceFailure>
}

const isSound = (row: Stored, seq = row.seq): boolean => row.hash === hashOf(seq, row.previous, row.entry)

/** What was done to the chain where `row` stands in place of number `seq`; `followers` are the rows there are behind `previous`. */
const wrong = (
  row: Stored,
  seq: number,
  previous: string,
  last: number,
  followers: ReadonlyArray<Stored>
): LedgerBreak => {
  // The row that belongs here is the one whose hash is right for this place.
  if (followers.some((one) => one.hash === hashOf(seq, previous, one.entry)))
    return { seq, reason: "reordered" }
  if (row.seq !== seq) return { seq, reason: "removed" }
  // This row is as it was: what it follows is not, or is gone.
  if (isSound(row)) return seq === 1 ? { seq, reason: "removed" } : { seq: seq - 1, reason: "edited" }
  for (let other = seq + 1; other <= last; other++) if (isSound(row, other)) return { seq, reason: "removed" }
  return { seq, reason: "edited" }
}

/** Where the walk has come to. */
class Position {
  seq: number
  previous: string
  readonly #head: { readonly seq: number } | undefined
  /** The hash of the row whose number the head of the chain has. */
  atHead: string | undefined
  /** Hashes before the first rows of segments and of the table, by the numbers of these rows. */
  readonly starts = new Map<number, string>()
  /** What rows say about old ones that were let go. */
  readonly markers: Array<{ readonly from: number; readonly previous: string }> = []

  constructor(from: number, previous: string, head: { readonly seq: number } | undefined) {
    this.seq = from - 1
    this.previous = previous
    this.#head = head
    if (head?.seq === this.seq) this.atHead = previous
  }

  /** Goes on to a row that follows. */
  pass(row: Stored): void {
    this.seq = row.seq
    this.previous = row.hash
    if (row.seq === this.#head?.seq) this.atHead = row.hash
    if (!row.entry.includes('"retained_from"')) return
    const { retained_from, retained_previous } = JSON.parse(row.entry) as LedgerEntry
    if (retained_from !== undefined && retained_previous !== undefined)
      this.markers.push({ from: retained_from, previous: retained_previous })
  }

  start(): void {
    this.starts.set(this.seq + 1, this.previous)
  }
}

/** One walk. Undefined when a file went away on the way, so that it has to be done again. */
export const walk = ({
  contents,
  run,
  segments
}: Sources): Effect.Effect<LedgerVerdict | undefined, ServiceFailure> =>
  Effect.gen(function* () {
    // What is written meanwhile comes behind this.
    const [head] = yield* run<{ readonly seq: number; readonly hash: string }>(
      (sql) => sql`SELECT seq, hash FROM ledger_head`
    )
    const known = yield* run<Known>(
      (sql) => sql`SELECT first, last, hash, state FROM ledger_segments ORDER BY first`
    )
    const files = yield* segments
    const present = new Set(files.map(({ first }) => first))
    /** The segment whose file should be there and has a row. */
    const missing = (seq: number): LedgerBreak | undefined => {
      const of = known.find(({ first, last, state }) => state === "sealed" && first <= seq && seq <= last)
      return of === undefined || present.has(of.first)
        ? undefined
        : { seq, reason: "segment_missing", segment: segmentName(of.first) }
    }
    const absent = (seq: number): LedgerBreak => missing(seq) ?? { seq, reason: "removed" }

    const [lowest] = yield* run<Stored>((sql) => sql`SELECT * FROM ledger ORDER BY seq LIMIT 1`)
    const opening = files[0] === undefined ? undefined : yield* contents(files[0])
    if (files[0] !== undefined && opening === undefined) return undefined
    const from = files[0]?.first ?? lowest?.seq ?? 1
    const before = from === 1 ? origin : ((opening?.rows[0] ?? lowest)?.previous ?? origin)
    const at = new Position(from, before, head)
    const verdict = (broken: LedgerBreak | undefined): LedgerVerdict => ({
      rows: Math.max(0, at.seq - from + 1),
      ok: broken === undefined,
      head: at.seq < from ? undefined : at.previous,
      from,
      previous: from === 1 ? undefined : before,
      segments: files.length,
      broken
    })
    const gone = known.find(({ first, state }) => state === "sealed" && first < from && !present.has(first))
    if (gone !== undefined)
      return verdict({ seq: gone.first, reason: "segment_missing", segment: segmentName(gone.first) })

    for (const file of files) {
      const { first, name } = file
      if (first <= at.seq) return verdict({ seq: first, reason: "segment_swapped", segment: name })
      if (first !== at.seq + 1) return verdict(absent(at.seq + 1))
      const read = file === files[0] ? opening : yield* contents(file)
      if (read === undefined) return undefined
      at.start()
      for (const [place, row] of read.rows.entries()) {
        const seq = at.seq + 1
        if (!follows(row, seq, at.previous)) {
          const another =
            place === 0 &&
            isSound(row) &&
            (row.seq === seq
              ? row.previous !== at.previous && seq > 1
              : known.some((one) => one.first === row.seq) || present.has(row.seq))
          return verdict(
            another
              ? { seq: first, reason: "segment_swapped", segment: name }
              : wrong(
                  row,
                  seq,
                  at.previous,
                  read.rows.at(-1)!.seq + 1,
                  read.rows.filter(({ previous }) => previous === at.previous)
                )
          )
        }
        at.pass(row)
      }
      if (!read.whole) return verdict({ seq: at.seq + 1, reason: "segment_damaged", segment: name })
      const noted = known.find((one) => one.first === first && one.state !== "sealing")
      if (noted !== undefined && at.seq < noted.last) return verdict({ seq: at.seq + 1, reason: "removed" })
      if (noted !== undefined && noted.hash !== at.previous)
        return verdict({ seq: first, reason: "segment_swapped", segment: name })
      // Rows that were not taken out of the table when they came into the segment are the same ones.
      const left = yield* run<Stored>(
        (sql) => sql`SELECT * FROM ledger WHERE seq BETWEEN ${first} AND ${at.seq} ORDER BY seq`
      )
      const hashes = new Map(left.length === 0 ? [] : read.rows.map(({ hash, seq }) => [seq, hash]))
      const other = left.find((row) => hashes.get(row.seq) !== row.hash || !isSound(row))
      if (other !== undefined) return verdict({ seq: other.seq, reason: "edited" })
    }

    at.start()
    for (;;) {
      const rows = yield* run<Stored>(
        (sql) => sql`SELECT * FROM ledger WHERE seq > ${at.seq} ORDER BY seq LIMIT ${stride}`
      )
      for (const row of rows) {
        const seq = at.seq + 1
        if (!follows(row, seq, at.previous)) {
          const lost = row.seq === seq ? undefined : missing(seq)
          if (lost !== undefined) return verdict(lost)
          const followers = yield* run<Stored>(
            (sql) => sql`SELECT * FROM ledger WHERE previous = ${at.previous}`
          )
          return verdict(wrong(row, seq, at.previous, Math.max(row.seq, head?.seq ?? 0), followers))
        }
        at.pass(row)
      }
      if (rows.length < stride) break
    }
    if ((head?.seq ?? 0) > at.seq) return verdict(absent(at.seq + 1))
    if (head !== undefined && head.hash !== at.atHead) return verdict({ seq: head.seq, reason: "edited" })
    if (from > 1) {
      // The beginning is only gone rightly where a row says so, and knows the hash that came before what is kept.
      const agreed = at.markers.some(
        (marker) =>
          marker.from >= from &&
          (marker.from === from ? before : at.starts.get(marker.from)) === marker.previous
      )
      if (!agreed) {
        const kept = at.markers.reduce((most, marker) => Math.max(most, marker.from), 1)
        return { ...verdict({ seq: Math.min(kept, from - 1), reason: "removed" }), rows: 0 }
      }
    }
    return verdict(undefined)
  })
