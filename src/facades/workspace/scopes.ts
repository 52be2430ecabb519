import { Effect } from "effect"
import { fromService } from "../../registry/Failure.ts"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { ControlView } from "../../services/ControlView.ts"
import { workspace } from "./facade.ts"

const needs = [ControlView] as const

export const scopes: Member<typeof workspace, "scopes", typeof needs> = workspace.operation("scopes", {
  tool: "list_scopes",
  summary: "Saved scopes.",
  tier: 2,
  input: F.input({}),
  needs,
  handler: () =>
    Effect.gen(function* () {
      const saved = yield* Effect.mapError((yield* ControlView).scopes, (cause) => fromService(cause))
      return {
        total: saved.length,
        scopes: saved.map(({ description, name, paths, repos }) => ({
          name,
          ...(description === undefined ? {} : { description }),
          repos,
          paths
        }))
      }
    })
})
