import { fromService } from "../../registry/Failure.ts"
import { Effect } from "effect"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import { TextIndex } from "../../services/TextIndex.ts"
import { WorkspaceView } from "../../services/WorkspaceView.ts"
import * as Shared from "../fields.ts"
import { explore } from "./facade.ts"
import { repository } from "./fields.ts"
import { questionOf } from "./Question.ts"
import { repositoryScope, scopeWithin } from "./Repository.ts"
import { relevanceOf } from "./Relevance.ts"
import { packTask, taskPage, wholeOf } from "./TaskPack.ts"
import { bytesOf } from "./Tokens.ts"

const needs = [CodeGraph, TextIndex, ReadFs, WorkspaceView] as const

export const task: Member<typeof explore, "task", typeof needs> = explore.operation("task", {
  tool: "explore",
  presets: ["agent", "core", "nav", "localization"],
  summary: "Ranked symbols and files for a task, with source, callers and files to change.",
  formats: { markdown: taskPage },
  input: F.input({
    task: Shared.task,
    path: repository,
    options: F.group({
      path: Shared.subPaths,
      max_symbols: F.described(F.clamped({ min: 1, max: 100, default: 10 }), "ranked candidates to list"),
      token_budget: F.described(Shared.tokenBudget(1600), "tokens of source to pack")
    })
  }),
  needs,
  handler: (input, call) =>
    Effect.gen(function* () {
      const view = yield* Effect.mapError((yield* CodeGraph).view, fromService)
      const paths = scopeWithin(yield* repositoryScope(view, input.path), input.options.path)
      const relevance = yield* Effect.mapError(
        relevanceOf(view, questionOf(input.task), { paths }),
        fromService
      )
      return yield* packTask(view, relevance, {
        symbols: input.options.max_symbols,
        sourceTokens: input.options.token_budget,
        bytes: Math.min(call.budget, bytesOf(wholeOf(input.options.token_budget)))
      })
    })
})
