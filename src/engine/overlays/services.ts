/** Publishes the overlays of sessions over one workspace. */
import { Context, Effect } from "effect"
import { isUtf8 } from "node:buffer"
import type { GraphView } from "../../services/CodeGraph.ts"
import { OverlayStore } from "../../services/OverlayStore.ts"
import { type Ground as DiskGround, type OverlayFile, OverlayView } from "../../services/OverlayView.ts"
import { ServiceFailure } from "../../services/ServiceFailure.ts"
import { isSecretStore } from "../edits/Sensitive.ts"
import { blobOid } from "../git/Git.ts"
import { type Overlays, sorted } from "./Overlays.ts"

/** What overlays need of the workspace they lie over. */
export interface Ground {
  readonly name: string
  /** Root-relative form of a path that need not exist. */
  readonly relative: (path: string) => Effect.Effect<string, ServiceFailure>
  /** Text of a file on disk; undefined when there is none. */
  readonly text: (path: string) => Effect.Effect<string | undefined, ServiceFailure>
  /** Bytes of a file on disk; undefined when nothing is there. Fails with `not_file` for what is no regular file. */
  readonly bytes: (path: string) => Effect.Effect<Uint8Array | undefined, ServiceFailure>
  readonly over: (files: ReadonlyMap<string, OverlayFile>) => Effect.Effect<GraphView, ServiceFailure>
}

const sha = /^[0-9a-f]{40}$/i

/** Longest text that is kept of what a file rests on, in bytes. */
const mostKept = 1 << 20

const groundOf = (bytes: Uint8Array | undefined): DiskGround =>
  bytes === undefined
    ? { sha: undefined }
    : {
        sha: blobOid(bytes),
        ...(bytes.length <= mostKept && isUtf8(bytes) ? { text: Buffer.from(bytes).toString("utf8") } : {})
      }

const refuse = (reason: string, detail: string): ServiceFailure =>
  new ServiceFailure({ service: "OverlayStore", reason, detail, stateChanged: false })

export const overlayServices = (
  overlays: Overlays,
  ground: Ground
): Context.Context<OverlayView | OverlayStore> => {
  /** Files under the paths the workspace knows them by. */
  const placed = (files: ReadonlyArray<OverlayFile>) =>
    Effect.forEach(files, (file) =>
      Effect.flatMap(ground.relative(file.path), (path) =>
        file.baseSha !== undefined && !sha.test(file.baseSha)
          ? refuse("invalid_argument", `the base id of ${path} is no git blob id of 40 hexadecimal digits`)
          : Effect.succeed({ ...file, path })
      )
    )
  /** The same for files that stay, and may be written to disk one day, with what they rest on. */
  const grounded = (files: ReadonlyArray<OverlayFile>) =>
    Effect.flatMap(placed(files), (own) =>
      Effect.forEach(own, (file, at) =>
        file.path === ""
          ? refuse("not_file", "this is the root folder")
          : isSecretStore(file.path) || isSecretStore(files[at]!.path)
            ? refuse("sensitive_path", `${file.path} only holds secrets and is never written from an overlay`)
            : Effect.map(
                ground.bytes(file.path),
                (bytes): OverlayFile => ({ ...file, ground: groundOf(bytes) })
              )
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
          : refuse("workspace_unknown", `this server serves ${ground.name}, no workspace ${workspace}`),
      keepalive: (session) => overlays.keepalive(session),
      push: (session, files) =>
        Effect.flatMap(grounded(files), (own) => overlays.push(session, ground.name, own)),
      replace: (session, files) =>
        Effect.flatMap(grounded(files), (own) => overlays.replace(session, ground.name, own)),
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
