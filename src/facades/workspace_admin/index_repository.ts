import { Effect } from "effect"
import { fromService, invalidArgument } from "../../registry/Failure.ts"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { draft } from "../../registry/FollowUp.ts"
import { IndexControl } from "../../services/IndexControl.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import { workspaceAdmin } from "./facade.ts"
import { below, reported } from "./Run.ts"

const needs = [IndexControl, ReadFs] as const

export const index: Member<typeof workspaceAdmin, "index", typeof needs> = workspaceAdmin.operation("index", {
  tool: "index_repository",
  summary: "Index a repository from scratch.",
  long: true,
  input: F.input({ arguments: F.group({ path: F.described(F.text, "root of the repository") }) }),
  needs,
  handler: ({ arguments: { path } }) =>
    Effect.gen(function* () {
      const control = yield* IndexControl
      const relative = yield* below(path, "arguments.path")
      if (relative !== "") {
        return yield* invalidArgument(
          "arguments.path",
          `${relative} is not the root of the workspace; only the whole is indexed from scratch`,
          {
            reason_code: "not_a_root",
            data: { path: relative },
            recovery: draft("fallback_recovery", "workspace_admin", {
              operation: "reindex",
              arguments: { path: relative }
            })
          }
        )
      }
      return reported(yield* Effect.mapError(control.index, (cause) => fromService(cause)))
    })
})
