import { Context, type Effect } from "effect"
import type { ServiceFailure } from "./ServiceFailure.ts"

/** A repository the server knows. `root` is the only absolute path and never leaves the server in answers. */
export interface TrackedRepository {
  readonly name: string
  readonly root: string
  readonly project?: string
  readonly workspace?: string
}

/** Changes durable control state: tracked repositories, scopes, the active project. The witness of control writes. */
export class ControlStore extends Context.Tag("portico/ControlStore")<
  ControlStore,
  {
    readonly track: (repository: TrackedRepository) => Effect.Effect<void, ServiceFailure>
    readonly untrack: (name: string) => Effect.Effect<boolean, ServiceFailure>
    readonly setActiveProject: (project: string) => Effect.Effect<void, ServiceFailure>
    readonly saveScope: (
      name: string,
      scope: { readonly [key: string]: unknown }
    ) => Effect.Effect<void, ServiceFailure>
    readonly deleteScope: (name: string) => Effect.Effect<boolean, ServiceFailure>
    /** Any other durable record, by table and key. */
    readonly put: (table: string, key: string, value: unknown) => Effect.Effect<void, ServiceFailure>
  }
>() {}
