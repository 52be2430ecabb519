/** Facts stamped onto the graph from outside it, and feedback on answers. They stay, which makes them control writes. */
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { ControlStore } from "../../services/ControlStore.ts"
import { GitReader } from "../../services/GitReader.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import { workspaceAdmin } from "./facade.ts"

const because = "this build stamps no outside facts onto the graph"

const history = F.group({
  branch: F.optional(F.described(F.text, "revision to measure; the default branch when absent")),
  path: F.optional(F.described(F.text, "path or prefix to stay in"))
})

const enrichChurnNeeds = [ControlStore, GitReader, CodeGraph] as const

export const enrichChurn: Member<typeof workspaceAdmin, "enrich_churn", typeof enrichChurnNeeds> =
  workspaceAdmin.declared("enrich_churn", {
    tool: "enrich_churn",
    summary: "Stamp git churn on files and symbols.",
    long: true,
    tier: 2,
    input: F.input({ arguments: history }),
    needs: enrichChurnNeeds,
    because
  })

const enrichReleasesNeeds = [ControlStore, GitReader, CodeGraph] as const

export const enrichReleases: Member<typeof workspaceAdmin, "enrich_releases", typeof enrichReleasesNeeds> =
  workspaceAdmin.declared("enrich_releases", {
    tool: "enrich_releases",
    summary: "Build the release timeline from tags and stamp it on files.",
    long: true,
    tier: 2,
    input: F.input({ arguments: history }),
    needs: enrichReleasesNeeds,
    because
  })

const blameNeeds = [ControlStore, GitReader, CodeGraph] as const

export const blame: Member<typeof workspaceAdmin, "blame", typeof blameNeeds> = workspaceAdmin.declared(
  "blame",
  {
    tool: "analyze",
    fixed: { kind: "blame" },
    summary: "Stamp the last author of every symbol, from git blame.",
    long: true,
    tier: 2,
    input: F.input({}),
    needs: blameNeeds,
    because
  }
)

const coverageNeeds = [ControlStore, ReadFs, CodeGraph] as const

export const coverage: Member<typeof workspaceAdmin, "coverage", typeof coverageNeeds> =
  workspaceAdmin.declared("coverage", {
    tool: "analyze",
    fixed: { kind: "coverage" },
    summary: "Stamp test coverage on symbols, from a coverage profile.",
    long: true,
    tier: 2,
    input: F.input({ arguments: F.group({ profile: F.described(F.text, "path of the coverage profile") }) }),
    needs: coverageNeeds,
    because
  })

const sqlRebuildNeeds = [ControlStore, CodeGraph] as const

export const sqlRebuild: Member<typeof workspaceAdmin, "sql_rebuild", typeof sqlRebuildNeeds> =
  workspaceAdmin.declared("sql_rebuild", {
    tool: "analyze",
    fixed: { kind: "sql_rebuild" },
    summary: "Rebuild the layer of SQL tables from the strings in code.",
    long: true,
    tier: 2,
    input: F.input({}),
    needs: sqlRebuildNeeds,
    because
  })

const temporalVerifyNeeds = [ControlStore, CodeGraph] as const

export const temporalVerify: Member<typeof workspaceAdmin, "temporal_verify", typeof temporalVerifyNeeds> =
  workspaceAdmin.declared("temporal_verify", {
    tool: "analyze",
    fixed: { kind: "temporal_verify" },
    summary: "Let a model judge workflow dispatch edges, and keep its verdicts.",
    long: true,
    tier: 2,
    input: F.input({}),
    needs: temporalVerifyNeeds,
    because
  })

const feedbackNeeds = [ControlStore] as const

export const feedback: Member<typeof workspaceAdmin, "feedback", typeof feedbackNeeds> =
  workspaceAdmin.declared("feedback", {
    tool: "feedback",
    summary: "Record which symbols of an answer helped, or read the tally.",
    tier: 2,
    input: F.input({
      arguments: F.group({
        action: F.choice("record", "query"),
        task: F.optional(F.text),
        useful: F.optional(F.described(F.csv, "symbol ids that helped")),
        not_needed: F.optional(F.described(F.csv, "symbol ids that did not")),
        missing: F.optional(F.described(F.csv, "symbol ids that were absent")),
        tool_source: F.withDefault(F.choice("smart_context", "prefetch_context", "all"), "smart_context"),
        top_n: F.clamped({ min: 1, max: 100, default: 10 })
      })
    }),
    needs: feedbackNeeds,
    because: "this build keeps no feedback"
  })
