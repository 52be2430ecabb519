/** The overlay of a session and the files in it. */
import * as F from "../../registry/Fields.ts"
import { OverlayStore } from "../../services/OverlayStore.ts"
import { overlay } from "./facade.ts"

const because = "this build keeps no overlays"

export const register = overlay.declared("register", {
  tool: "overlay_register",
  summary: "Start an overlay for this session.",
  input: F.input({ arguments: F.group({ workspace_id: F.optional(F.text) }) }),
  needs: [OverlayStore],
  because
})

export const push = overlay.declared("push", {
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
  because
})

export const remove = overlay.declared("delete", {
  tool: "overlay_delete",
  summary: "Take one file off the overlay.",
  input: F.input({ arguments: F.group({ path: F.text }) }),
  needs: [OverlayStore],
  because
})

export const drop = overlay.declared("drop", {
  tool: "overlay_drop",
  summary: "Discard the session's overlay.",
  input: F.input({}),
  needs: [OverlayStore],
  because
})

export const keepalive = overlay.declared("keepalive", {
  tool: "overlay_keepalive",
  summary: "Keep the overlay from expiring.",
  tier: 2,
  input: F.input({}),
  needs: [OverlayStore],
  because
})
