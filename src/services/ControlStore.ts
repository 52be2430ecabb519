import { Context, type Effect } from "effect"
import type { ControlTable, ControlTables, Run, SavedScope, TrackedRepository } from "./ControlTables.ts"
import type { ServiceFailure } from "./ServiceFailure.ts"

/**
 * Changes durable control state: tracked repositories, scopes and the active project, which are the user's, and records
 * of the workspace. The witness of control writes. Each change happens whole or not at all.
 */
export class ControlStore extends Context.Tag("portico/ControlStore")<
  ControlStore,
  {
    /** Takes the place of a repository of the same name. */
    readonly track: (repository: TrackedRepository) => Effect.Effect<void, ServiceFailure>
    /** Whether there was one. */
    readonly untrack: (name: string) => Effect.Effect<boolean, ServiceFailure>
    /** Of a workspace, by its name. */
    readonly setActiveProject: (workspace: string, project: string) => Effect.Effect<void, ServiceFailure>
    /** Takes the place of a scope of the same name; whether there was one. */
    readonly saveScope: (scope: SavedScope) => Effect.Effect<boolean, ServiceFailure>
    /** Whether there was one. */
    readonly deleteScope: (name: string) => Effect.Effect<boolean, ServiceFailure>
    /** One record of the workspace, in place of what was under its key. */
    readonly put: <T extends ControlTable>(
      table: T,
      key: string,
      value: ControlTables[T]
    ) => Effect.Effect<void, ServiceFailure>
    /** Whether there was one. */
    readonly remove: (table: ControlTable, key: string) => Effect.Effect<boolean, ServiceFailure>
    /**
     * All records of a table at once: readers see those of before until all are written. Two that are written at the same
     * time do not mix; the one that began later stays.
     */
    readonly replace: <T extends ControlTable>(
      table: T,
      records: Iterable<readonly [key: string, value: ControlTables[T]]>,
      about: Run["about"]
    ) => Effect.Effect<Run, ServiceFailure>
  }
>() {}
