import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { ForgeClient } from "../../services/ForgeClient.ts"
import { GitReader } from "../../services/GitReader.ts"
import { diffFieldsOrText, repository } from "../diff.ts"
import { publishReview } from "./facade.ts"

const needs = [ForgeClient, GitReader, CodeGraph] as const

export const post: Member<typeof publishReview, "post", typeof needs> = publishReview.declared("post", {
  tool: "post_review",
  summary: "Post findings as line comments, secrets taken out first.",
  input: F.input({
    arguments: F.group({
      number: F.described(F.integer({ min: 1 }), "number of the pull request"),
      findings: F.optional(F.described(F.json, "findings to post; worked out when absent")),
      ...diffFieldsOrText,
      summary: F.optional(F.described(F.text, "comment at the top")),
      owner: F.optional(F.text),
      repo_name: F.optional(F.text),
      provider: F.withDefault(F.choice("github"), "github"),
      public: F.withDefault(F.described(F.flag, "anyone can read the repository"), false),
      confirm_public: F.withDefault(F.described(F.flag, "post in public all the same"), false),
      refuse_on_secret: F.withDefault(
        F.described(F.flag, "leave out a finding that still shows a secret"),
        true
      ),
      dry_run: F.withDefault(F.described(F.flag, "show what would be posted"), false),
      repo: repository
    })
  }),
  needs,
  because: "this build is connected to no forge"
})
