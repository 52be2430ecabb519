import { Effect } from "effect"
import { fromService } from "../../registry/Failure.ts"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { IndexControl } from "../../services/IndexControl.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import { workspaceAdmin } from "./facade.ts"
import { below, reported } from "./Run.ts"

const needs = [IndexControl, ReadFs] as const

export const reindex: Member<typeof workspaceAdmin, "reindex", typeof needs> = workspaceAdmin.operation(
  "reindex",
  {
    tool: "reindex_repository",
    summary: "Read again only what changed, and forget what was deleted.",
    long: true,
    input: F.input(
      {
        arguments: F.group({
          path: F.optional(F.described(F.path, "file or folder; the active repository when absent")),
          paths: F.optional(F.described(F.list(F.path, { min: 1 }), "several files or folders"))
        })
      },
      { atMostOne: [["arguments.path", "arguments.paths"]] }
    ),
    needs,
    handler: ({ arguments: { path, paths } }) =>
      Effect.gen(function* () {
        const control = yield* IndexControl
        const asked = path !== undefined ? [path] : (paths ?? [])
        const relative = yield* Effect.forEach(asked, (each) =>
          below(each, path === undefined ? "arguments.paths" : "arguments.path")
        )
        const whole = relative.length === 0 || relative.includes("")
        const report = yield* Effect.mapError(control.reindex(whole ? undefined : relative), (cause) =>
          fromService(cause)
        )
        return { scope: whole ? "workspace" : relative, ...reported(report) }
      })
  }
)
