/** Calls that wait for a person. A ticket is kept as its digest, and taken in by a single statement. */
import { Clock, Effect } from "effect"
import { createHash, randomBytes } from "node:crypto"
import type { RecordKey } from "../../services/CallRecords.ts"
import { type PendingCall, PendingCalls } from "../../services/PendingCalls.ts"
import type { Database } from "./Database.ts"

interface Stored {
  readonly principal_id: string
  readonly request_id: string
  readonly principal_kind: string
  readonly authenticated: number
  readonly door: string
  readonly tool: string
  readonly arguments: string
  readonly operation: string
  readonly fingerprint: string
  readonly reference: string
  readonly expires_at: number
}

const callOf = (row: Stored): PendingCall => ({
  principalId: row.principal_id,
  requestId: row.request_id,
  principalKind: row.principal_kind,
  authenticated: row.authenticated === 1,
  door: row.door,
  tool: row.tool,
  arguments: JSON.parse(row.arguments) as unknown,
  operation: row.operation,
  fingerprint: row.fingerprint,
  reference: row.reference,
  expiresAt: new Date(row.expires_at).toISOString()
})

const digest = (ticket: string): string => createHash("sha256").update(ticket).digest("hex")

export const make = (database: Database): PendingCalls["Type"] => {
  const run = <A extends object>(statement: Parameters<typeof database.run<A>>[1]) =>
    database.run<A>("PendingCalls", statement)
  const now = Clock.currentTimeMillis
  const first = (rows: ReadonlyArray<Stored>): PendingCall | undefined =>
    rows[0] === undefined ? undefined : callOf(rows[0])
  const lapse = Effect.flatMap(now, (at) =>
    run((sql) => sql`DELETE FROM pending_calls WHERE expires_at <= ${at}`)
  )

  return PendingCalls.of({
    put: (call) => {
      const row = {
        principal_id: call.principalId,
        request_id: call.requestId,
        principal_kind: call.principalKind,
        authenticated: call.authenticated ? 1 : 0,
        door: call.door,
        tool: call.tool,
        arguments: JSON.stringify(call.arguments ?? {}),
        operation: call.operation,
        fingerprint: call.fingerprint,
        reference: call.reference,
        expires_at: Date.parse(call.expiresAt)
      }
      return Effect.zipRight(
        lapse,
        Effect.asVoid(
          run(
            (sql) =>
              sql`INSERT INTO pending_calls ${sql.insert(row)} ON CONFLICT (principal_id, request_id) DO UPDATE SET reference = excluded.reference, expires_at = excluded.expires_at, ticket = NULL, decided_by = NULL WHERE reference <> excluded.reference AND fingerprint = excluded.fingerprint`
          )
        )
      )
    },
    find: ({ principalId, requestId }: RecordKey) =>
      Effect.flatMap(now, (at) =>
        Effect.map(
          run<Stored>(
            (sql) =>
              sql`SELECT * FROM pending_calls WHERE principal_id = ${principalId} AND request_id = ${requestId} AND expires_at > ${at}`
          ),
          first
        )
      ),
    about: (reference) =>
      Effect.flatMap(now, (at) =>
        Effect.map(
          run<Stored>(
            (sql) => sql`SELECT * FROM pending_calls WHERE reference = ${reference} AND expires_at > ${at}`
          ),
          first
        )
      ),
    ticket: (reference, by) =>
      Effect.gen(function* () {
        const ticket = `ticket_${randomBytes(24).toString("base64url")}`
        const at = yield* now
        const rows = yield* run(
          (sql) =>
            sql`UPDATE pending_calls SET ticket = ${digest(ticket)}, decided_by = ${by} WHERE reference = ${reference} AND ticket IS NULL AND expires_at > ${at} RETURNING reference`
        )
        return rows.length === 1 ? ticket : undefined
      }),
    redeem: (requestId, ticket, by) =>
      Effect.flatMap(now, (at) =>
        Effect.map(
          run<Stored>(
            (sql) =>
              sql`DELETE FROM pending_calls WHERE request_id = ${requestId} AND ticket = ${digest(ticket)} AND decided_by = ${by} AND expires_at > ${at} RETURNING *`
          ),
          first
        )
      ),
    remove: ({ principalId, requestId }) =>
      Effect.map(
        run(
          (sql) =>
            sql`DELETE FROM pending_calls WHERE principal_id = ${principalId} AND request_id = ${requestId} RETURNING request_id`
        ),
        (rows) => rows.length === 1
      )
  })
}
