import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { ForgeReader } from "../../services/ForgeReader.ts"
import { GitReader } from "../../services/GitReader.ts"
import { LanguageModel } from "../../services/LanguageModel.ts"
import { repository } from "../diff.ts"
import { pr } from "./facade.ts"

const because = "this build is connected to no forge"
const prs = F.optional(F.described(F.json, "pull requests already fetched; nothing is asked then"))
const filesOf = F.optional(F.described(F.json, "paths by number of the pull request"))
const changedSymbols = F.optional(F.described(F.csv, "changed symbols"))
const number = F.described(F.integer({ min: 1 }), "number of the pull request")
const base = F.optional(F.aliased(F.described(F.text, "revision to compare with"), "base_ref"))

const listNeeds = [ForgeReader] as const

export const list: Member<typeof pr, "list", typeof listNeeds> = pr.declared("list", {
  tool: "list_prs",
  summary: "Pull requests with review state, checks and blockers.",
  page: { default: 30, max: 200 },
  input: F.input({
    arguments: F.group({
      state: F.withDefault(F.choice("open", "closed", "all"), "open"),
      prs,
      repo: repository
    })
  }),
  needs: listNeeds,
  because
})

const impactNeeds = [ForgeReader, CodeGraph] as const

export const impact: Member<typeof pr, "impact", typeof impactNeeds> = pr.declared("impact", {
  tool: "get_pr_impact",
  summary: "What one pull request reaches, and its risk.",
  input: F.input({
    arguments: F.group({
      number,
      files: F.optional(F.described(F.json, "changed paths already known; nothing is asked then")),
      receipt: F.withDefault(F.described(F.flag, "add a receipt safe to share"), false),
      scrub: F.withDefault(F.flag, false),
      repo: repository
    })
  }),
  needs: impactNeeds,
  because
})

const riskNeeds = [GitReader, CodeGraph] as const

export const risk: Member<typeof pr, "risk", typeof riskNeeds> = pr.declared("risk", {
  tool: "pr_risk",
  summary: "Risk of a set of changed symbols.",
  input: F.input(
    { arguments: F.group({ ids: changedSymbols, base, repo: repository }) },
    { atLeastOne: [["arguments.ids", "arguments.base"]] }
  ),
  needs: riskNeeds,
  because
})

const triageNeeds = [ForgeReader, CodeGraph, LanguageModel] as const

export const triage: Member<typeof pr, "triage", typeof triageNeeds> = pr.declared("triage", {
  tool: "triage_prs",
  summary: "Open pull requests, the most urgent first.",
  page: { default: 20, max: 200 },
  input: F.input({
    arguments: F.group({
      prs,
      files: filesOf,
      use_llm: F.aliased(
        F.withDefault(F.described(F.flag, "let a configured model rank again"), false),
        "use_model"
      ),
      max_tokens: F.described(
        F.clamped({ min: 1, max: 32_000, default: 512 }),
        "tokens of the model's answer"
      ),
      repo: repository
    })
  }),
  needs: triageNeeds,
  because
})

const conflictsNeeds = [ForgeReader, CodeGraph] as const

export const conflicts: Member<typeof pr, "conflicts", typeof conflictsNeeds> = pr.declared("conflicts", {
  tool: "conflicts_prs",
  summary: "Where open pull requests collide, with an order to merge them in.",
  page: { default: 20, max: 200 },
  input: F.input({ arguments: F.group({ prs, files: filesOf, repo: repository }) }),
  needs: conflictsNeeds,
  because
})

const reviewersNeeds = [ForgeReader, GitReader, CodeGraph] as const

export const reviewers: Member<typeof pr, "reviewers", typeof reviewersNeeds> = pr.declared("reviewers", {
  tool: "suggest_reviewers",
  summary: "Who should review a changeset.",
  page: { default: 10, max: 100 },
  input: F.input(
    { arguments: F.group({ ids: changedSymbols, base, number: F.optional(number), repo: repository }) },
    { atLeastOne: [["arguments.ids", "arguments.base", "arguments.number"]] }
  ),
  needs: reviewersNeeds,
  because
})
