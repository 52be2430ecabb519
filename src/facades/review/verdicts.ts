/** Findings about a changeset, with a verdict. */
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { GitReader } from "../../services/GitReader.ts"
import { KnowledgeReader } from "../../services/KnowledgeReader.ts"
import { LanguageModel } from "../../services/LanguageModel.ts"
import { diffFieldsOrText, repository } from "../diff.ts"
import { review } from "./facade.ts"

const because = "this build has no rules to review by"
const useModel = F.aliased(
  F.withDefault(F.described(F.flag, "let a configured model take part"), false),
  "use_model"
)

const runNeeds = [GitReader, CodeGraph, KnowledgeReader, LanguageModel] as const

export const run: Member<typeof review, "run", typeof runNeeds> = review.declared("run", {
  tool: "review",
  presets: ["core"],
  summary: "Findings by line and a verdict, from deterministic rules.",
  long: true,
  input: F.input({
    source: F.group(diffFieldsOrText),
    options: F.group({ repo: repository, use_llm: useModel })
  }),
  needs: runNeeds,
  because
})

const packNeeds = [GitReader, CodeGraph, KnowledgeReader, LanguageModel] as const

export const pack: Member<typeof review, "pack", typeof packNeeds> = review.declared("pack", {
  tool: "review_pack",
  summary: "Every review gate in one answer, with a receipt safe to share.",
  long: true,
  input: F.input({
    source: F.group(diffFieldsOrText),
    options: F.group({
      repo: repository,
      use_llm: useModel,
      include_pack: F.withDefault(F.described(F.flag, "attach the hunks"), false),
      scrub: F.withDefault(
        F.described(F.flag, "take paths, symbols and mail addresses out of the receipt"),
        false
      )
    })
  }),
  needs: packNeeds,
  because
})

const critiqueNeeds = [GitReader, CodeGraph, LanguageModel] as const

export const critique: Member<typeof review, "critique", typeof critiqueNeeds> = review.declared("critique", {
  tool: "critique_review",
  summary: "Second look at findings, to drop false ones.",
  long: true,
  input: F.input({
    source: F.group(diffFieldsOrText),
    options: F.group({
      repo: repository,
      findings: F.optional(
        F.aliased(
          F.described(F.json, "findings of an earlier review; worked out when absent"),
          "prior_review"
        )
      ),
      max_tokens: F.described(
        F.clamped({ min: 1, max: 32_000, default: 1500 }),
        "tokens of the model's answer"
      )
    })
  }),
  needs: critiqueNeeds,
  because
})
