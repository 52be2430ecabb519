import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { LanguageModel } from "../../services/LanguageModel.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import { repository } from "../diff.ts"
import { ask } from "./facade.ts"

const needs = [LanguageModel, CodeGraph, ReadFs] as const

export const research: Member<typeof ask, "research", typeof needs> = ask.declared("research", {
  tool: "ask",
  summary: "An answer a model worked out with the read tools.",
  input: F.input({
    question: F.text,
    options: F.group({
      repo: repository,
      chain: F.withDefault(F.described(F.flag, "trace across services too"), false),
      include_transcript: F.withDefault(F.flag, false)
    })
  }),
  needs,
  because: "no language model is connected to this build"
})
