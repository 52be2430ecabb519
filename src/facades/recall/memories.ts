/** Durable memories. */
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { KnowledgeReader } from "../../services/KnowledgeReader.ts"
import { importance, memoryKind, memorySource, since, stores } from "../knowledge.ts"
import { recall } from "./facade.ts"

const because = "this build keeps no knowledge"
const includeSuperseded = F.withDefault(F.described(F.flag, "replaced entries too"), false)

const surfaceNeeds = [KnowledgeReader, CodeGraph] as const

export const surface: Member<typeof recall, "surface", typeof surfaceNeeds> = recall.declared("surface", {
  tool: "surface_memories",
  direct: "formerWriter",
  presets: ["core"],
  fixed: { mark_accessed: false },
  summary: "Memories that matter for a task or a set of symbols and files.",
  page: { default: 10, max: 200 },
  input: F.input({
    arguments: F.group({
      task: F.optional(F.described(F.text, "the task, in plain words")),
      symbol_ids: F.optional(F.csv),
      file_paths: F.optional(F.csv),
      excerpt_chars: F.clamped({ min: 0, max: 100_000, default: 320 }),
      min_score: F.withDefault(F.number({ min: 0 }), 0),
      include_superseded: includeSuperseded,
      scope: F.withDefault(stores, "workspace")
    })
  }),
  needs: surfaceNeeds,
  because
})

const memoriesNeeds = [KnowledgeReader] as const

export const memories: Member<typeof recall, "memories", typeof memoriesNeeds> = recall.declared("memories", {
  tool: "query_memories",
  summary: "Memories filtered by symbol, file, kind, tag or text.",
  page: { default: 50, max: 500 },
  input: F.input({
    arguments: F.group({
      symbol_id: F.optional(F.text),
      file_path: F.optional(F.text),
      tag: F.optional(F.text),
      kind: F.optional(memoryKind),
      source: F.optional(memorySource),
      author: F.optional(F.text),
      text: F.optional(F.described(F.text, "part of a title or body")),
      since,
      min_importance: F.optional(importance),
      pinned_only: F.withDefault(F.flag, false),
      include_superseded: includeSuperseded,
      scope: F.withDefault(stores, "workspace")
    })
  }),
  needs: memoriesNeeds,
  because
})

const onboardingNeeds = [KnowledgeReader] as const

export const onboarding: Member<typeof recall, "onboarding", typeof onboardingNeeds> = recall.declared(
  "onboarding",
  {
    tool: "check_onboarding_performed",
    summary: "Whether enough is kept of each kind that matters.",
    tier: 2,
    input: F.input({
      arguments: F.group({
        essential_kinds: F.withDefault(F.described(F.csv, "none to check no kinds"), [
          "invariant",
          "convention",
          "decision"
        ]),
        min_per_kind: F.withDefault(F.count, 1),
        min_total: F.withDefault(F.count, 0)
      })
    }),
    needs: onboardingNeeds,
    because
  }
)
