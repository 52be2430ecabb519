import { Effect } from "effect"
import { page } from "../../registry/Answer.ts"
import { draft } from "../../registry/FollowUp.ts"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { GitReader } from "../../services/GitReader.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import { TextIndex } from "../../services/TextIndex.ts"
import { freshnessOf, graph } from "../shared/symbols.ts"
import { change } from "./facade.ts"
import { bySymbols } from "./fields.ts"
import { rules, violationsOf } from "./Rules.ts"
import { subjects } from "./Subjects.ts"

/** Files that differ from the newest commit; undefined when git does not say. */
export const changedFiles: Effect.Effect<ReadonlySet<string> | undefined, never, GitReader> = Effect.flatMap(
  GitReader,
  (git) =>
    git.changes({ scope: "all" }).pipe(
      Effect.map(({ files }): ReadonlySet<string> | undefined => new Set(files.map(({ path }) => path))),
      Effect.orElseSucceed(() => undefined)
    )
)

const mostIds = 200

const needs = [CodeGraph, GitReader, ReadFs, TextIndex] as const

export const guards: Member<typeof change, "guards", typeof needs> = change.operation("guards", {
  tool: "check_guards",
  presets: ["core", "edit", "hybrid"],
  summary: "Configured co-change, boundary and layer rules, for changed symbols.",
  page: { default: 100, max: 1000 },
  input: F.input({ target: bySymbols }),
  needs,
  handler: ({ target }) =>
    Effect.gen(function* () {
      const view = yield* graph
      const refs = yield* subjects(view, target, "guards")
      const held = yield* rules
      const follow_up =
        refs.length > mostIds
          ? {}
          : {
              follow_up: draft("mechanically_followable", "change", {
                operation: "contract",
                target: { symbols: refs.map((ref) => view.idOf(ref)) }
              })
            }
      const stale = view.freshness.state === "fresh" ? {} : { freshness: freshnessOf(view.freshness) }
      const count = Object.values(held ?? {}).reduce((sum, list) => sum + (list?.length ?? 0), 0)
      if (held === undefined || count === 0)
        return page("violations", {
          violations: [],
          total: 0,
          message: "no rules: .effectrc states none under guards",
          ...stale,
          ...follow_up
        })
      const changed = (held.co_change ?? []).length === 0 ? new Set<string>() : yield* changedFiles
      const violations = yield* violationsOf(view, held, refs, changed ?? new Set())
      return page(
        "violations",
        {
          violations,
          total: violations.length,
          rules: count,
          ...(changed === undefined
            ? { co_change_sees: "the files of these symbols only; git tells of no others" }
            : {}),
          ...stale,
          ...follow_up
        },
        { snapshot: view.generation }
      )
    })
})
