import { Effect } from "effect"
import { fromService } from "../../registry/Failure.ts"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { WorkspaceView } from "../../services/WorkspaceView.ts"
import { projectUnknown } from "../shared/projects.ts"
import { freshnessOf, rowOf } from "../shared/symbols.ts"
import { workspace } from "./facade.ts"

const needs = [CodeGraph, WorkspaceView] as const

export const project: Member<typeof workspace, "project", typeof needs> = workspace.operation("project", {
  tool: "query_project",
  summary: "Look a symbol up in another project, the active one left as it is.",
  tier: 2,
  page: { default: 20, max: 200 },
  input: F.input({
    arguments: F.group({
      project: F.repository(F.described(F.text, "project name, tag or repository prefix")),
      query: F.text
    })
  }),
  needs,
  handler: ({ arguments: { project: wanted, query } }, call) =>
    Effect.gen(function* () {
      const view = yield* Effect.mapError((yield* WorkspaceView).projects, (cause) => fromService(cause))
      const name = wanted.replace(/\/+$/, "")
      const roots =
        name === view.workspace
          ? undefined
          : view.projects
              .filter((one) => one.name === name || one.roots.includes(name))
              .flatMap((one) => (one.name === name ? one.roots : [name]))
      if (roots !== undefined && roots.length === 0) return yield* projectUnknown(view, name, wanted)
      const graph = yield* Effect.mapError((yield* CodeGraph).wide, (cause) => fromService(cause))
      const { matches, total } = graph.search({
        text: query,
        ...(roots === undefined ? {} : { paths: roots }),
        limit: call.offset + (call.limit ?? 20)
      })
      return {
        project: name,
        query,
        repos: roots ?? [".", ...view.projects.flatMap((one) => one.roots)],
        total,
        freshness: freshnessOf(graph.freshness),
        results: matches.map(({ match, ref, score }) => ({
          ...rowOf(graph.symbol(ref)),
          match,
          score: Math.round(score * 100) / 100
        }))
      }
    })
})
