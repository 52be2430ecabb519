/** Operations kept for callers of the former tools; never listed. */
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { SessionView } from "../../services/SessionView.ts"
import { responseId } from "./buffered.ts"
import { response } from "./facade.ts"

const grepCompatNeeds = [SessionView] as const

export const grepCompat: Member<typeof response, "grep_compat", typeof grepCompatNeeds> = response.declared(
  "grep_compat",
  {
    tool: "grep_results",
    summary: "The former name of grep.",
    hidden: true,
    tier: 2,
    input: F.input({
      arguments: F.group({
        response_id: responseId,
        pattern: F.text,
        literal: F.withDefault(F.flag, false),
        ignore_case: F.withDefault(F.flag, false),
        context: F.clamped({ min: 0, max: 100, default: 0 }),
        before: F.clamped({ min: 0, max: 100 }),
        after: F.clamped({ min: 0, max: 100 }),
        max_matches: F.clamped({ min: 1, max: 10_000, default: 100 })
      })
    }),
    needs: grepCompatNeeds,
    because: "operation grep answers it"
  }
)

const headCompatNeeds = [SessionView] as const

export const headCompat: Member<typeof response, "head_compat", typeof headCompatNeeds> = response.declared(
  "head_compat",
  {
    tool: "head_results",
    summary: "First lines of an earlier answer.",
    hidden: true,
    tier: 2,
    input: F.input({
      arguments: F.group({ response_id: responseId, lines: F.clamped({ min: 1, max: 10_000, default: 40 }) })
    }),
    needs: headCompatNeeds,
    because: "operations peek and slice answer it"
  }
)
