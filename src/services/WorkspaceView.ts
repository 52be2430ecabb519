import { Context, type Effect } from "effect"
import type { ServiceFailure } from "./ServiceFailure.ts"

/** The repositories, projects and scopes the server knows. */
export class WorkspaceView extends Context.Tag("portico/WorkspaceView")<WorkspaceView, {
  readonly repositories: Effect.Effect<ReadonlyArray<string>, ServiceFailure>
}>() {}
