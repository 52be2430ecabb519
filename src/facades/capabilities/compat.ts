/** Discovery by the former tools; never listed. */
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { SessionView } from "../../services/SessionView.ts"
import { capabilities } from "./facade.ts"

const because = "every tool is listed from the start, and detail summary or schema tells the rest"

const legacyProfileNeeds = [SessionView] as const

export const legacyProfile: Member<typeof capabilities, "legacy_profile", typeof legacyProfileNeeds> =
  capabilities.declared("legacy_profile", {
    tool: "tool_profile",
    summary: "Which tools the session sees.",
    hidden: true,
    tier: 2,
    input: F.input({ arguments: F.group({ tool: F.optional(F.text) }) }),
    needs: legacyProfileNeeds,
    because
  })

const legacySearchNeeds = [SessionView] as const

export const legacySearch: Member<typeof capabilities, "legacy_search", typeof legacySearchNeeds> =
  capabilities.declared("legacy_search", {
    tool: "tools_search",
    summary: "Tools by words.",
    hidden: true,
    tier: 2,
    input: F.input({
      arguments: F.group({
        query: F.optional(F.text),
        max_results: F.clamped({ min: 1, max: 100, default: 10 }),
        promote: F.withDefault(F.flag, true)
      })
    }),
    needs: legacySearchNeeds,
    because
  })
