/** The record of calls, verified without touching it: in a copy, which is in the folder for temporary files for that long. */
import { Effect } from "effect"
import { existsSync, readdirSync } from "node:fs"
import type { LedgerVerdict } from "../../services/AuditLedger.ts"
import { ServiceFailure } from "../../services/ServiceFailure.ts"
import * as Database from "./Database.ts"
import { segmentsOf } from "./layer.ts"
import * as Ledger from "./Ledger.ts"

const failed = (detail: string): ServiceFailure =>
  new ServiceFailure({ service: "AuditLedger", reason: "io_error", detail, stateChanged: false })

const isEmptyFolder = (folder: string): boolean => {
  try {
    return readdirSync(folder).length === 0
  } catch {
    return true
  }
}

const verified = (file: string): Effect.Effect<LedgerVerdict | undefined, ServiceFailure> =>
  Effect.gen(function* () {
    if (!existsSync(file) && isEmptyFolder(segmentsOf(file))) return undefined
    const database = yield* Database.make(file, undefined, { reading: "in_copy" })
    const ledger = yield* Ledger.make(database, { folder: segmentsOf(file), limits: () => undefined })
    const unread = yield* ledger.unread
    if (unread !== undefined) return yield* failed(unread)
    const verdict = yield* ledger.verify
    return verdict.head === undefined && verdict.broken === undefined ? undefined : verdict
  }).pipe(Effect.scoped)

/** Verifies the ledger of a file of records; undefined where nothing was recorded. */
export const inspectLedger = (file: string): Effect.Effect<LedgerVerdict | undefined, ServiceFailure> =>
  Effect.flatMap(verified(file), (verdict) =>
    // Segments may have come or gone since the copy was made: what does not fit has to do so twice.
    verdict?.ok === false ? verified(file) : Effect.succeed(verdict)
  )
