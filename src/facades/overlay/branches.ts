/** Branches of an overlay. */
import { Effect } from "effect"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { OverlayStore } from "../../services/OverlayStore.ts"
import { sessionId } from "../shared/session.ts"
import { overlay } from "./facade.ts"
import { store } from "./Store.ts"

const name = F.described(F.text, "name of the branch")

const forkNeeds = [OverlayStore] as const

export const fork: Member<typeof overlay, "fork", typeof forkNeeds> = overlay.operation("fork", {
  tool: "overlay_fork",
  summary: "Copy a branch into a new one.",
  input: F.input({
    arguments: F.group({
      name: F.described(F.text, "letters, digits, dash, underscore; at most 64"),
      from: F.optional(F.described(F.text, "the active branch when absent")),
      activate: F.withDefault(F.flag, false)
    })
  }),
  needs: forkNeeds,
  handler: ({ arguments: wanted }) =>
    Effect.map(
      store((overlays, session) => overlays.fork(session, wanted), { field: "arguments.name" }),
      ({ active, files, name: branch, parent }) => ({ branch, parent, files, active })
    )
})

const switchToNeeds = [OverlayStore] as const

export const switchTo: Member<typeof overlay, "switch", typeof switchToNeeds> = overlay.operation("switch", {
  tool: "overlay_switch",
  summary: "Make a branch the active one.",
  input: F.input({ arguments: F.group({ name }) }),
  needs: switchToNeeds,
  handler: ({ arguments: { name: branch } }) =>
    Effect.map(
      store((overlays, session) => overlays.switchTo(session, branch), { field: "arguments.name" }),
      ({ files, name: active_branch }) => ({ active_branch, files })
    )
})

const dropBranchNeeds = [OverlayStore] as const

export const dropBranch: Member<typeof overlay, "drop_branch", typeof dropBranchNeeds> = overlay.operation(
  "drop_branch",
  {
    tool: "overlay_drop_branch",
    summary: "Delete a branch that is neither main nor active.",
    tier: 2,
    input: F.input({ arguments: F.group({ name }) }),
    needs: dropBranchNeeds,
    handler: ({ arguments: { name: branch } }) =>
      Effect.as(
        store((overlays, session) => overlays.dropBranch(session, branch), { field: "arguments.name" }),
        { branch, dropped: true }
      )
  }
)

const mergeNeeds = [OverlayStore] as const

export const merge: Member<typeof overlay, "merge", typeof mergeNeeds> = overlay.operation("merge", {
  tool: "overlay_merge",
  fixed: { to_disk: false },
  summary: "Fold one branch into another, in memory.",
  input: F.input({
    arguments: F.group({
      from: F.text,
      into: F.withDefault(F.text, "main"),
      force: F.withDefault(F.described(F.flag, "let the source win where they differ"), false)
    })
  }),
  needs: mergeNeeds,
  handler: ({ arguments: { force, from, into } }) =>
    Effect.gen(function* () {
      const session_id = yield* sessionId
      const { conflicts, merged } = yield* store(
        (overlays, session) => overlays.merge(session, { from, into, force }),
        { field: "arguments.from" }
      )
      return {
        session_id,
        from,
        into,
        merged,
        ...(conflicts.length === 0 ? {} : { conflicts }),
        ...(force && conflicts.length > 0 ? { resolution: "last-writer-wins" } : {})
      }
    })
})
