/** The audit ledger: rows in a chain of hashes, and beside it the head of the chain, so that a shortened one shows. */
import { Duration, Effect, type Scope } from "effect"
import { createHash } from "node:crypto"
import {
  AuditLedger,
  type LedgerEntry,
  type LedgerRow,
  type LedgerVerdict
} from "../../services/AuditLedger.ts"
import type { ServiceFailure } from "../../services/ServiceFailure.ts"
import type { Database } from "./Database.ts"

/** The hash before the first row. */
export const origin = "0".repeat(64)

/** Rows read at a time while the chain is walked. */
const stride = 1000
/** Noted entries that are written at once, and how long they wait for more. */
const batch = 256
const patience = Duration.seconds(1)

interface Stored {
  readonly seq: number
  readonly previous: string
  readonly hash: string
  readonly entry: string
}

const hashOf = (seq: number, previous: string, entry: string): string =>
  createHash("sha256").update(`${seq}\n${previous}\n${entry}`).digest("hex")

/** Names of an entry, in the order they are written in. */
const members = [
  "at",
  "request_id",
  "principal_kind",
  "principal_id",
  "door",
  "session",
  "layer",
  "facade",
  "operation",
  "canonical_tool",
  "effect",
  "decision",
  "stage",
  "approval",
  "duration_ms",
  "outcome",
  "state_changed",
  "arguments_digest"
] as const satisfies ReadonlyArray<keyof LedgerEntry>

const encode = (entry: LedgerEntry): string => JSON.stringify(entry, members as unknown as Array<string>)

const rowOf = ({ entry, hash, previous, seq }: Stored): LedgerRow => ({
  ...(JSON.parse(entry) as LedgerEntry),
  seq,
  previous,
  hash
})

export const make = (database: Database): Effect.Effect<AuditLedger["Type"], never, Scope.Scope> =>
  Effect.gen(function* () {
    const run = <A extends object>(statement: Parameters<typeof database.run<A>>[1]) =>
      database.run<A>("AuditLedger", statement)
    const turn = yield* Effect.makeSemaphore(1)
    let noted: Array<LedgerEntry> = []
    let waiting = false

    const write = (entries: ReadonlyArray<LedgerEntry>): Effect.Effect<void, ServiceFailure> =>
      Effect.gen(function* () {
        const texts = entries.map(encode)
        for (;;) {
          const [last] = yield* run<Stored>(
            (sql) => sql`SELECT seq, hash FROM ledger ORDER BY seq DESC LIMIT 1`
          )
          let seq = last?.seq ?? 0
          let previous = last?.hash ?? origin
          const rows = texts.map((entry) => {
            const row = { seq: ++seq, previous, hash: hashOf(seq, previous, entry), entry }
            previous = row.hash
            return row
          })
          // Another process may have added rows since: then the first number is taken and none of these goes in.
          const added = yield* run<{ readonly seq: number }>(
            (sql) => sql`INSERT INTO ledger ${sql.insert(rows)} ON CONFLICT (seq) DO NOTHING RETURNING seq`
          )
          if (added.length === rows.length) return
        }
      })

    const flush = turn.withPermits(1)(
      Effect.suspend(() => {
        const entries = noted
        noted = []
        return entries.length === 0
          ? Effect.void
          : Effect.tapError(write(entries), () =>
              Effect.sync(() => {
                noted = [...entries, ...noted].slice(-16 * batch)
              })
            )
      })
    )
    yield* Effect.addFinalizer(() => Effect.ignore(flush))
    const later = Effect.zipRight(
      Effect.sleep(patience),
      Effect.ensuring(
        Effect.ignore(flush),
        Effect.sync(() => {
          waiting = false
        })
      )
    )
    const scope = yield* Effect.scope

    /** What was done to the chain where `row` stands in place of number `seq`, which follows the hash `previous`. */
    const wrong = (row: Stored, seq: number, previous: string, last: number) =>
      Effect.gen(function* () {
        // The row that belongs here is the one whose hash is right for this place.
        const followers = yield* run<Stored>((sql) => sql`SELECT * FROM ledger WHERE previous = ${previous}`)
        if (followers.some((one) => one.hash === hashOf(seq, previous, one.entry)))
          return { seq, reason: "reordered" } as const
        if (row.seq !== seq) return { seq, reason: "removed" } as const
        // This row is as it was: what it follows is not, or is gone.
        if (row.hash === hashOf(seq, row.previous, row.entry))
          return seq === 1
            ? ({ seq, reason: "removed" } as const)
            : ({ seq: seq - 1, reason: "edited" } as const)
        for (let other = seq + 1; other <= last; other++)
          if (row.hash === hashOf(other, row.previous, row.entry)) return { seq, reason: "removed" } as const
        return { seq, reason: "edited" } as const
      })

    return AuditLedger.of({
      append: (entries) => Effect.zipRight(flush, turn.withPermits(1)(write(entries))),
      note: (entries) =>
        Effect.suspend(() => {
          noted.push(...entries)
          if (noted.length >= batch) return Effect.ignore(Effect.forkIn(flush, scope))
          if (waiting) return Effect.void
          waiting = true
          return Effect.asVoid(Effect.forkIn(later, scope))
        }),
      rows: (after, limit) =>
        Effect.map(
          Effect.zipRight(
            flush,
            run<Stored>((sql) => sql`SELECT * FROM ledger WHERE seq > ${after} ORDER BY seq LIMIT ${limit}`)
          ),
          (rows) => rows.map(rowOf)
        ),
      last: Effect.map(
        Effect.zipRight(
          flush,
          run<{ readonly seq: number | null }>((sql) => sql`SELECT max(seq) AS seq FROM ledger`)
        ),
        ([row]) => row?.seq ?? 0
      ),
      verify: Effect.gen(function* () {
        yield* flush
        const [head] = yield* run<{ readonly seq: number; readonly hash: string }>(
          (sql) => sql`SELECT seq, hash FROM ledger_head`
        )
        let seq = 0
        let previous = origin
        const verdict = (broken: LedgerVerdict["broken"]): LedgerVerdict => ({
          rows: seq,
          ok: broken === undefined,
          head: seq === 0 ? undefined : previous,
          broken
        })
        for (;;) {
          const rows = yield* run<Stored>(
            (sql) => sql`SELECT * FROM ledger WHERE seq > ${seq} ORDER BY seq LIMIT ${stride}`
          )
          for (const row of rows) {
            if (
              row.seq !== seq + 1 ||
              row.previous !== previous ||
              row.hash !== hashOf(row.seq, row.previous, row.entry)
            )
              return verdict(yield* wrong(row, seq + 1, previous, Math.max(row.seq, head?.seq ?? 0)))
            seq = row.seq
            previous = row.hash
          }
          if (rows.length < stride) break
        }
        if ((head?.seq ?? 0) > seq) return verdict({ seq: seq + 1, reason: "removed" })
        return head !== undefined && head.hash !== previous
          ? verdict({ seq: head.seq, reason: "edited" })
          : verdict(undefined)
      })
    })
  })
