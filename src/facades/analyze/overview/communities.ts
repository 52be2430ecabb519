import { Effect } from "effect"
import { answer, page } from "../../../registry/Answer.ts"
import type { Member } from "../../../registry/Facade.ts"
import { invalidArgument, type OperationFailure } from "../../../registry/Failure.ts"
import * as F from "../../../registry/Fields.ts"
import { CodeGraph, type GraphView } from "../../../services/CodeGraph.ts"
import {
  type Communities,
  communitiesOf,
  type Community,
  communityNamed,
  communityRow,
  round
} from "../../shared/structure/Communities.ts"
import { nodeRow } from "../../shared/structure/Nodes.ts"
import { freshnessOf, graph } from "../../shared/symbols.ts"
import { analyze } from "../facade.ts"

/** What was divided, for an answer. */
export const scopeOf = ({ alone, definitions }: Communities) => ({
  definitions,
  alone,
  left_out: "tests, local definitions, data files, uses known by name only"
})

/** The community a caller names, or a refusal with those there are. */
export const oneCommunity = (
  view: GraphView,
  communities: Communities,
  words: string,
  field: string
): Effect.Effect<Community, OperationFailure> => {
  const found = communityNamed(view, communities, words)
  return found === undefined
    ? Effect.fail(
        invalidArgument(
          field,
          `${field}: ${JSON.stringify(words)} is no community: an id, a label or a symbol in one is`,
          {
            reason_code: "unknown_community",
            data: {
              community: words,
              communities: communities.list.slice(0, 50).map(({ id, label }) => `${id} ${label}`),
              total: communities.list.length
            }
          }
        )
      )
    : Effect.succeed(found)
}

const needs = [CodeGraph] as const

export const communities: Member<typeof analyze, "communities", typeof needs> = analyze.operation(
  "communities",
  {
    narrows: true,
    tool: "get_communities",
    summary: "Functional clusters, or one of them in detail.",
    tier: 2,
    page: { default: 50, max: 1000 },
    input: F.input({
      options: F.group({
        id: F.optional(F.described(F.text, "a community: its id, its label, or a symbol in it"))
      })
    }),
    needs,
    handler: ({ options }) =>
      Effect.gen(function* () {
        const view = yield* graph
        const found = communitiesOf(view)
        const head = {
          modularity: round(found.modularity),
          algorithm: found.method,
          scope: scopeOf(found),
          freshness: freshnessOf(view.freshness)
        }
        if (options.id === undefined) {
          const rows = found.list.filter(({ members }) => members.length >= 3)
          return page(
            "communities",
            {
              total: rows.length,
              communities: rows.map((each) => communityRow(view, each)),
              ...(rows.length < found.list.length ? { of_two: found.list.length - rows.length } : {}),
              ...head
            },
            { snapshot: view.generation }
          )
        }
        const one = yield* oneCommunity(view, found, options.id, "options.id")
        return answer(
          {
            ...communityRow(view, one, 0),
            files: one.files.map(([file_path, members]) => ({ file_path, members })),
            members: one.members.map((node) => nodeRow(view, node)),
            ...head
          },
          { list: "members", snapshot: view.generation }
        )
      })
  }
)
