/** The overlay of a session and the files in it. */
import { Effect } from "effect"
import { fromService, invalidArgument } from "../../registry/Failure.ts"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { OverlayStore } from "../../services/OverlayStore.ts"
import type { OverlayFile } from "../../services/OverlayView.ts"
import { sessionId } from "../shared/session.ts"
import { overlay } from "./facade.ts"
import { lifeOf, store } from "./Store.ts"

const registerNeeds = [OverlayStore] as const

export const register: Member<typeof overlay, "register", typeof registerNeeds> = overlay.operation(
  "register",
  {
    tool: "overlay_register",
    summary: "Start an overlay for this session.",
    input: F.input({ arguments: F.group({ workspace_id: F.optional(F.text) }) }),
    needs: registerNeeds,
    handler: ({ arguments: { workspace_id } }) =>
      Effect.map(
        store((overlays, session) => overlays.register(session, workspace_id), {
          field: "arguments.workspace_id"
        }),
        (life) => ({ session_id: life.session, workspace_id: life.workspace, expires_at: life.expires_at })
      )
  }
)

const pushNeeds = [OverlayStore] as const

export const push: Member<typeof overlay, "push", typeof pushNeeds> = overlay.operation("push", {
  tool: "overlay_push",
  summary: "Put a file's text, or its deletion, onto the active branch.",
  input: F.input({
    arguments: F.group({
      path: F.path,
      content: F.optional(F.anyText),
      base_sha: F.optional(F.described(F.text, "git blob SHA-1 the text was made from")),
      deleted: F.withDefault(F.described(F.flag, "the file is gone; excludes content"), false)
    })
  }),
  needs: pushNeeds,
  handler: ({ arguments: { base_sha, content, deleted, path } }) =>
    Effect.gen(function* () {
      if (deleted && content !== undefined)
        return yield* invalidArgument("arguments.content", "a deleted file has no content")
      if (!deleted && content === undefined)
        return yield* invalidArgument(
          "arguments.content",
          'content is missing; an empty file has the content "", and a deleted one says deleted: true'
        )
      const guard = base_sha === undefined || base_sha === "" ? {} : { baseSha: base_sha }
      const file: OverlayFile =
        content === undefined
          ? { path, deleted: true, ...guard }
          : { path, content, deleted: false, ...guard }
      yield* store((overlays, session) => overlays.push(session, [file]), { field: "arguments.path" })
      return {
        path,
        ...(content === undefined ? { deleted: true } : { content_size: Buffer.byteLength(content) }),
        ...(file.baseSha === undefined ? {} : { base_sha: file.baseSha })
      }
    })
})

const removeNeeds = [OverlayStore] as const

export const remove: Member<typeof overlay, "delete", typeof removeNeeds> = overlay.operation("delete", {
  tool: "overlay_delete",
  summary: "Take one file off the overlay.",
  input: F.input({ arguments: F.group({ path: F.path }) }),
  needs: removeNeeds,
  handler: ({ arguments: { path } }) =>
    Effect.map(
      store((overlays, session) => overlays.remove(session, path), { field: "arguments.path" }),
      (removed) => ({ path, removed })
    )
})

const dropNeeds = [OverlayStore] as const

export const drop: Member<typeof overlay, "drop", typeof dropNeeds> = overlay.operation("drop", {
  tool: "overlay_drop",
  summary: "Discard the session's overlay.",
  input: F.input({}),
  needs: dropNeeds,
  handler: () =>
    Effect.gen(function* () {
      const session = yield* sessionId
      const overlays = yield* OverlayStore
      const dropped = yield* Effect.mapError(overlays.drop(session), (cause) => fromService(cause))
      return { session_id: session, dropped }
    })
})

const keepaliveNeeds = [OverlayStore] as const

export const keepalive: Member<typeof overlay, "keepalive", typeof keepaliveNeeds> = overlay.operation(
  "keepalive",
  {
    tool: "overlay_keepalive",
    summary: "Keep the overlay from expiring.",
    tier: 2,
    input: F.input({}),
    needs: keepaliveNeeds,
    handler: () =>
      Effect.map(
        store((overlays, session) => overlays.keepalive(session)),
        lifeOf
      )
  }
)
