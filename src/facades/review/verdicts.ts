/** Findings about a changeset, with a verdict. */
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

export const run = review.declared("run", {
  tool: "review",
  summary: "Findings by line and a verdict, from deterministic rules.",
  input: F.input({
    source: F.group(diffFieldsOrText),
    options: F.group({ repo: repository, use_llm: useModel })
  }),
  needs: [GitReader, CodeGraph, KnowledgeReader, LanguageModel],
  because
})

export const pack = review.declared("pack", {
  tool: "review_pack",
  summary: "Every review gate in one answer, with a receipt safe to share.",
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
  needs: [GitReader, CodeGraph, KnowledgeReader, LanguageModel],
  because
})

export const critique = review.declared("critique", {
  tool: "critique_review",
  summary: "Second look at findings, to drop false ones.",
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
  needs: [GitReader, CodeGraph, LanguageModel],
  because
})
