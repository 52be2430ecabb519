import { Effect } from "effect"
import { page } from "../../../registry/Answer.ts"
import type { Member } from "../../../registry/Facade.ts"
import { failure, fromService } from "../../../registry/Failure.ts"
import * as F from "../../../registry/Fields.ts"
import { isWithin } from "../../../registry/Place.ts"
import { CodeGraph } from "../../../services/CodeGraph.ts"
import { WorkspaceView } from "../../../services/WorkspaceView.ts"
import { repository } from "../../diff.ts"
import * as Shared from "../../fields.ts"
import { pathOf, under } from "../../shared/structure/Nodes.ts"
import { freshnessOf, graph } from "../../shared/symbols.ts"
import { type analyze, kind } from "../facade.ts"

const kindOfRole: { readonly [role: string]: "calls" | "implements" | "extends" } = {
  call: "calls",
  new: "calls",
  macro: "calls",
  decorate: "calls",
  implements: "implements",
  extends: "extends"
}
const samples = 5

const needs = [CodeGraph, WorkspaceView] as const

export const crossRepo: Member<typeof analyze, "cross_repo", typeof needs> = kind("cross_repo", {
  summary: "Calls and inheritance that cross repositories.",
  page: { default: 200, max: 1000 },
  input: F.input({
    options: F.group({
      repo: repository,
      base_kind: F.optional(F.choice("calls", "implements", "extends")),
      path_prefix: Shared.pathPrefix
    })
  }),
  needs,
  handler: ({ options }) =>
    Effect.gen(function* () {
      const view = yield* graph
      const workspace = yield* WorkspaceView
      const repositories = yield* Effect.mapError(workspace.repositories, (cause) => fromService(cause))
      const roots = repositories
        .map(({ name, root }) => ({ name, root: root === "." ? "" : root }))
        .sort((a, b) => b.root.length - a.root.length || (a.root < b.root ? -1 : 1))
      const wanted =
        options.repo === undefined
          ? undefined
          : roots.findIndex(
              ({ name, root }) =>
                name === options.repo ||
                root === options.repo!.replace(/^\.\/|\/+$/g, "") ||
                (options.repo === "." && root === "")
            )
      if (wanted === -1)
        return yield* failure(
          "repo_not_tracked",
          `options.repo ${JSON.stringify(options.repo)} is no repository of this workspace`,
          {
            field: "options.repo",
            failure_stage: "resolve",
            data: { repositories: repositories.map(({ name }) => name) }
          }
        )
      const { columns } = view
      const repoOf = new Int32Array(columns.nodeCount).fill(-1)
      for (const file of columns.fileNodes) {
        const path = pathOf(view, file)
        repoOf[file] = roots.findIndex(({ root }) => isWithin(path, root))
      }
      const keep = under(view, options.path_prefix)
      const groups = new Map<
        string,
        { readonly edges: Array<number>; readonly from: number; readonly to: number; readonly kind: string }
      >()
      let looked = 0
      for (let e = 0; e < columns.edgeCount; e++) {
        const own = kindOfRole[columns.roleNames[columns.roles[e]!]!]
        if (own === undefined || columns.tiers[e] === 3) continue
        looked++
        const from = repoOf[columns.files[columns.sources[e]!]!]!
        const to = repoOf[columns.files[columns.out.others[e]!]!]!
        if (from === to || (options.base_kind !== undefined && own !== options.base_kind)) continue
        if (wanted !== undefined && from !== wanted && to !== wanted) continue
        if (!keep(columns.sources[e]!) && !keep(columns.out.others[e]!)) continue
        const key = `${from} ${to} ${own}`
        const known = groups.get(key)
        if (known === undefined) groups.set(key, { edges: [e], from, to, kind: own })
        else known.edges.push(e)
      }
      const nameOf = (repo: number) => roots[repo]?.name ?? "none"
      const rows = [...groups.values()]
        .map(({ edges, from, kind: own, to }) => ({
          from_repo: nameOf(from),
          to_repo: nameOf(to),
          kind: own,
          count: edges.length,
          samples: edges.slice(0, samples).map((e) => {
            const edge = columns.edge(e)
            return {
              from: view.idOf(edge.from),
              to: view.idOf(edge.to),
              file_path: edge.path,
              line: edge.line,
              tier: edge.tier
            }
          })
        }))
        .sort(
          (a, b) =>
            b.count - a.count ||
            (`${a.from_repo} ${a.to_repo} ${a.kind}` < `${b.from_repo} ${b.to_repo} ${b.kind}` ? -1 : 1)
        )
      return page(
        "dependencies",
        {
          total: rows.length,
          dependencies: rows,
          repositories: repositories.map(({ name, root }) => ({ name, root })),
          looked_at: looked,
          ...(repositories.length < 2
            ? { note: "the workspace has one repository, so nothing can cross" }
            : {}),
          freshness: freshnessOf(view.freshness)
        },
        { snapshot: view.generation }
      )
    })
})
