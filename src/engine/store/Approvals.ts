/** Questions to a person. Who may settle one and who uses it up is decided by single statements. */
import { Clock, Effect } from "effect"
import { randomBytes } from "node:crypto"
import { type Approval, ApprovalStore, type ApprovalState } from "../../services/ApprovalStore.ts"
import { ServiceFailure } from "../../services/ServiceFailure.ts"
import type { Database } from "./Database.ts"
import { masked } from "./Masked.ts"

interface Stored {
  readonly reference: string
  readonly principal_kind: string
  readonly principal_id: string
  readonly facade: string
  readonly operation: string
  readonly effect: string
  readonly digest: string
  readonly subject: string
  readonly arguments: string | null
  readonly state: ApprovalState
  readonly created_at: number
  readonly expires_at: number
  readonly decided_at: number | null
  readonly decided_by: string | null
}

const iso = (ms: number): string => new Date(ms).toISOString()

const approvalOf = (row: Stored, now: number): Approval => {
  const lapsed = (row.state === "pending" || row.state === "approved") && row.expires_at <= now
  return {
    reference: row.reference,
    principalKind: row.principal_kind,
    principalId: row.principal_id,
    facade: row.facade,
    operation: row.operation,
    effect: row.effect as Approval["effect"],
    digest: row.digest,
    subject: JSON.parse(row.subject) as Approval["subject"],
    arguments: row.arguments === null ? undefined : (JSON.parse(row.arguments) as Approval["arguments"]),
    state: lapsed ? "expired" : row.state,
    createdAt: iso(row.created_at),
    expiresAt: iso(row.expires_at),
    decidedAt: row.decided_at === null ? undefined : iso(row.decided_at),
    decidedBy: row.decided_by ?? undefined
  }
}

const refuse = (reason: string, detail: string) =>
  new ServiceFailure({ service: "ApprovalStore", reason, detail, stateChanged: false })

export const make = (database: Database): ApprovalStore["Type"] => {
  const run = <A extends object>(statement: Parameters<typeof database.run<A>>[1]) =>
    database.run<A>("ApprovalStore", statement)
  const now = Clock.currentTimeMillis

  /** Closes questions that lapsed, and forgets what they were about. */
  const lapse = Effect.flatMap(now, (at) =>
    run(
      (sql) =>
        sql`UPDATE approvals SET state = 'expired', arguments = NULL WHERE state IN ('pending', 'approved', 'denied') AND expires_at <= ${at}`
    )
  )
  const get = (reference: string) =>
    Effect.flatMap(now, (at) =>
      Effect.map(
        run<Stored>((sql) => sql`SELECT * FROM approvals WHERE reference = ${reference}`),
        ([row]) => (row === undefined ? undefined : approvalOf(row, at))
      )
    )
  const standing = (principalId: string, digest: string) =>
    Effect.zipRight(
      lapse,
      Effect.flatMap(now, (at) =>
        Effect.map(
          run<Stored>(
            (sql) =>
              sql`SELECT * FROM approvals WHERE principal_id = ${principalId} AND digest = ${digest} AND state IN ('pending', 'approved', 'denied')`
          ),
          ([row]) => (row === undefined ? undefined : approvalOf(row, at))
        )
      )
    )

  return ApprovalStore.of({
    request: (draft) =>
      Effect.gen(function* () {
        yield* lapse
        const at = yield* now
        const row = {
          reference: `apr_${randomBytes(9).toString("base64url")}`,
          principal_kind: draft.principalKind,
          principal_id: draft.principalId,
          facade: draft.facade,
          operation: draft.operation,
          effect: draft.effect,
          digest: draft.digest,
          subject: JSON.stringify(draft.subject),
          arguments: JSON.stringify(masked(draft.arguments)),
          state: "pending" as const,
          created_at: at,
          expires_at: at + draft.lifeMs
        }
        const added = yield* run<Stored>(
          (sql) => sql`INSERT INTO approvals ${sql.insert(row)} ON CONFLICT DO NOTHING RETURNING *`
        )
        if (added[0] !== undefined) return approvalOf(added[0], at)
        const there = yield* standing(draft.principalId, draft.digest)
        return there ?? (yield* refuse("conflict", "the question was settled at this moment; ask again"))
      }),
    standing,
    decide: (reference, verdict, by) =>
      Effect.gen(function* () {
        yield* lapse
        const at = yield* now
        const [row] = yield* run<Stored>(
          (sql) =>
            sql`UPDATE approvals SET state = ${verdict}, decided_at = ${at}, decided_by = ${by} WHERE reference = ${reference} AND state = 'pending' AND expires_at > ${at} AND principal_id <> ${by} RETURNING *`
        )
        if (row !== undefined) return approvalOf(row, at)
        const found = yield* get(reference)
        if (found === undefined) return yield* refuse("not_found", `there is no question ${reference}`)
        if (found.state === "expired")
          return yield* refuse("conflict", `${reference} lapsed at ${found.expiresAt}`)
        return yield* refuse(
          "conflict",
          found.state === "pending"
            ? `${reference} was asked by the one who would decide it`
            : `${reference} is ${found.state} already`
        )
      }),
    consume: (reference) =>
      Effect.flatMap(now, (at) =>
        Effect.map(
          run<Stored>(
            (sql) =>
              sql`UPDATE approvals SET state = 'consumed', arguments = NULL WHERE reference = ${reference} AND state = 'approved' AND expires_at > ${at} RETURNING reference`
          ),
          (rows) => rows.length === 1
        )
      ),
    invalidate: (reference) =>
      Effect.asVoid(
        run(
          (sql) =>
            sql`UPDATE approvals SET state = 'void', arguments = NULL WHERE reference = ${reference} AND state IN ('pending', 'approved')`
        )
      ),
    list: (states) =>
      Effect.gen(function* () {
        yield* lapse
        const at = yield* now
        const rows = yield* run<Stored>((sql) =>
          states === undefined
            ? sql`SELECT * FROM approvals ORDER BY created_at DESC, reference LIMIT 500`
            : sql`SELECT * FROM approvals WHERE ${sql.in("state", states)} ORDER BY created_at DESC, reference LIMIT 500`
        )
        return rows.map((row) => approvalOf(row, at))
      }),
    get
  })
}
