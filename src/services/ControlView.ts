import { Context, type Effect } from "effect"
import type {
  ControlTable,
  ControlTables,
  Run,
  SavedScope,
  Stored,
  TrackedRepository
} from "./ControlTables.ts"
import type { ServiceFailure } from "./ServiceFailure.ts"

/** Reads durable control state as it is. Reading leaves no trace: where nothing was ever stored, nothing is made. */
export class ControlView extends Context.Tag("portico/ControlView")<
  ControlView,
  {
    /** By name. */
    readonly repositories: Effect.Effect<ReadonlyArray<TrackedRepository>, ServiceFailure>
    /** By name. */
    readonly scopes: Effect.Effect<ReadonlyArray<SavedScope>, ServiceFailure>
    /** Undefined when none was ever chosen. */
    readonly activeProject: (workspace: string) => Effect.Effect<string | undefined, ServiceFailure>
    readonly get: <T extends ControlTable>(
      table: T,
      key: string
    ) => Effect.Effect<Stored<ControlTables[T]> | undefined, ServiceFailure>
    /** By key. Lists of a table that was written at once are kept in memory until it is written again. */
    readonly list: <T extends ControlTable>(
      table: T
    ) => Effect.Effect<ReadonlyArray<Stored<ControlTables[T]>>, ServiceFailure>
    /** The run a table's records are of; undefined when it was never written as a whole, so that empty and unknown differ. */
    readonly run: (table: ControlTable) => Effect.Effect<Run | undefined, ServiceFailure>
  }
>() {}
