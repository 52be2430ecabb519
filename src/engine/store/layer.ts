/** The records of one repository, all in one file. */
import { Context, Effect, Layer } from "effect"
import { basename, dirname, join } from "node:path"
import { ApprovalStore } from "../../services/ApprovalStore.ts"
import { AuditLedger } from "../../services/AuditLedger.ts"
import { CallRecords } from "../../services/CallRecords.ts"
import { ControlStore } from "../../services/ControlStore.ts"
import { ControlView } from "../../services/ControlView.ts"
import { JobStore } from "../../services/JobStore.ts"
import { PendingCalls } from "../../services/PendingCalls.ts"
import { recordsHome } from "../workspace/Home.ts"
import { placeOf } from "../workspace/Store.ts"
import * as Approvals from "./Approvals.ts"
import * as Calls from "./Calls.ts"
import * as Control from "./Control.ts"
import * as Database from "./Database.ts"
import * as Jobs from "./Jobs.ts"
import * as Ledger from "./Ledger.ts"
import type { LedgerLimits } from "./LedgerRotation.ts"
import * as Pending from "./Pending.ts"

export type StoreServices = AuditLedger | ApprovalStore | CallRecords | JobStore | PendingCalls

/** The file for a repository's root; `home` in place of the user's folder. */
export const fileOf = (root: string, home = recordsHome()): string =>
  join(home, "records", basename(placeOf(root, home).folder), "records.db")

/** The two files of control state for a repository's root: the user's, and that of this one work tree. */
export const controlFiles = (
  root: string,
  home = recordsHome()
): { readonly user: string; readonly workspace: string } => {
  const { file, folder } = placeOf(root, home)
  return {
    user: join(home, "control.db"),
    workspace: join(home, "records", basename(folder), `${basename(file, ".graph")}.control.db`)
  }
}

/** Control state. Nothing is opened before something is asked, and nothing is made before something is stored. */
export const layerControl = (files: {
  readonly user: string
  readonly workspace: string
}): Layer.Layer<ControlStore | ControlView> =>
  Layer.scopedContext(
    Effect.map(Control.make(files), ({ store, view }) =>
      Context.add(Context.make(ControlStore, store), ControlView, view)
    )
  )

/** Folder of the ledger's segments, beside the file of its other rows. */
export const segmentsOf = (file: string): string => join(dirname(file), "ledger")

/**
 * The records in a file. Nothing is opened before something is asked. `limits` says what the ledger's table may hold, and
 * is asked whenever rows were added; without it no rows go into segments.
 */
export const layerStore = (
  file: string,
  bounds?: Calls.Bounds,
  limits: () => LedgerLimits | undefined = () => undefined,
  options: Database.DatabaseOptions = {}
): Layer.Layer<StoreServices> =>
  Layer.scopedContext(
    Effect.gen(function* () {
      const database = yield* Database.make(file, undefined, options)
      const ledger = yield* Ledger.make(database, { folder: segmentsOf(file), limits })
      return Context.make(AuditLedger, ledger).pipe(
        Context.add(ApprovalStore, Approvals.make(database)),
        Context.add(CallRecords, Calls.make(database, bounds)),
        Context.add(JobStore, Jobs.make(database)),
        Context.add(PendingCalls, Pending.make(database))
      )
    })
  )
