/** The overlay of a session and the files in it. */
import { Effect } from "effect"
import { fromService, invalidArgument } from "../../registry/Failure.ts"
import * as F from "../../registry/Fields.ts"
import { OverlayStore } from "../../services/OverlayStore.ts"
import type { OverlayFile } from "../../services/OverlayView.ts"
import { sessionId } from "../shared/session.ts"
import { overlay } from "./facade.ts"
import { lifeOf, store } from "./Store.ts"

export const register = overlay.operation("register", {
  tool: "overlay_register",
  summary: "Start an overlay for this session.",
  input: F.input({ arguments: F.group({ workspace_id: F.optional(F.text) }) }),
  needs: [OverlayStore],
  handler: ({ arguments: { workspace_id } }) =>
    Effect.map(
      store((overlays, session) => overlays.register(session, workspace_id), {
        field: "arguments.workspace_id"
      }),
      (life) => ({ session_id: life.session, workspace_id: life.workspace, expires_at: life.expires_at })
    )
})

export const push = overlay.operation("push", {
  tool: "overlay_push",
  summary: "Put a file's text, or its deletion, onto the active branch.",
  input: F.input({
    arguments: F.group({
      path: F.text,
      content: F.optional(F.anyText),
      base_sha: F.optional(F.described(F.text, "git blob SHA-1 the text was made from")),
      deleted: F.withDefault(F.described(F.flag, "the file is gone; excludes content"), false)
    })
  }),
  needs: [OverlayStore],
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

export const remove = overlay.operation("delete", {
  tool: "overlay_delete",
  summary: "Take one file off the overlay.",
  input: F.input({ arguments: F.group({ path: F.text }) }),
  needs: [OverlayStore],
  handler: ({ arguments: { path } }) =>
    Effect.map(
      store((overlays, session) => overlays.remove(session, path), { field: "arguments.path" }),
      (removed) => ({ path, removed })
    )
})

export const drop = overlay.operation("drop", {
  tool: "overlay_drop",
  summary: "Discard the session's overlay.",
  input: F.input({}),
  needs: [OverlayStore],
  handler: () =>
    Effect.gen(function* () {
      const session = yield* sessionId
      const overlays = yield* OverlayStore
      const dropped = yield* Effect.mapError(overlays.drop(session), (cause) => fromService(cause))
      return { session_id: session, dropped }
    })
})

export const keepalive = overlay.operation("keepalive", {
  tool: "overlay_keepalive",
  summary: "Keep the overlay from expiring.",
  tier: 2,
  input: F.input({}),
  needs: [OverlayStore],
  handler: () =>
    Effect.map(
      store((overlays, session) => overlays.keepalive(session)),
      lifeOf
    )
})
