/** Publishes the overlays of sessions over one workspace. */
import { Context, Effect } from "effect"
import type { GraphView } from "../../services/CodeGraph.ts"
import { OverlayStore } from "../../services/OverlayStore.ts"
import { type OverlayFile, OverlayView } from "../../services/OverlayView.ts"
import { ServiceFailure } from "../../services/ServiceFailure.ts"
import { type Overlays, sorted } from "./Overlays.ts"

/** What overlays need of the workspace they lie over. */
export interface Ground {
  readonly name: string
  /** Root-relative form of a path that need not exist. */
  readonly relative: (path: string) => Effect.Effect<string, ServiceFailure>
  /** Text of a file on disk; undefined when there is none. */
  readonly text: (path: string) => Effect.Effect<string | undefined, ServiceFailure>
  readonly over: (files: ReadonlyMap<string, OverlayFile>) => Effect.Effect<GraphView, ServiceFailure>
}

const sha = /^[0-9a-f]{40}$/i

export const overlayServices = (
  overlays: Overlays,
  ground: Ground
): Context.Context<OverlayView | OverlayStore> => {
  /** Files under the paths the workspace knows them by. */
  const placed = (files: ReadonlyArray<OverlayFile>) =>
    Effect.forEach(files, (file) =>
      Effect.flatMap(ground.relative(file.path), (path) =>
        file.baseSha !== undefined && !sha.test(file.baseSha)
          ? new ServiceFailure({
              service: "OverlayStore",
              reason: "invalid_argument",
              detail: `the base id of ${path} is no git blob id of 40 hexadecimal digits`,
              stateChanged: false
            })
          : Effect.succeed({ ...file, path })
      )
    )
  return Context.make(OverlayView, {
    life: (session) => Effect.sync(() => overlays.life(session)),
    branches: (session) => Effect.sync(() => overlays.branches(session)),
    files: (session, branch) => Effect.map(overlays.files(session, branch), sorted),
    over: (files) =>
      Effect.flatMap(placed(files), (own) => ground.over(new Map(own.map((file) => [file.path, file]))))
  }).pipe(
    Context.add(OverlayStore, {
      register: (session, workspace) =>
        workspace === undefined || workspace === ground.name
          ? overlays.register(session, ground.name)
          : new ServiceFailure({
              service: "OverlayStore",
              reason: "workspace_unknown",
              detail: `this server serves ${ground.name}, no workspace ${workspace}`,
              stateChanged: false
            }),
      keepalive: (session) => overlays.keepalive(session),
      push: (session, files) =>
        Effect.flatMap(placed(files), (own) => overlays.push(session, ground.name, own)),
      replace: (session, files) =>
        Effect.flatMap(placed(files), (own) => overlays.replace(session, ground.name, own)),
      remove: (session, path) =>
        Effect.flatMap(ground.relative(path), (relative) => overlays.remove(session, relative)),
      drop: (session) => Effect.sync(() => overlays.drop(session)),
      fork: (session, options) => overlays.fork(session, ground.name, options),
      switchTo: (session, branch) => overlays.switchTo(session, branch),
      dropBranch: (session, branch) => overlays.dropBranch(session, branch),
      merge: (session, options) => overlays.merge(session, options, ground.text)
    })
  )
}
