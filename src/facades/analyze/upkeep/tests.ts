/** Tests and what they reach. */
import { Effect } from "effect"
import { page } from "../../../registry/Answer.ts"
import type { Member } from "../../../registry/Facade.ts"
import * as F from "../../../registry/Fields.ts"
import { CodeGraph, type GraphView } from "../../../services/CodeGraph.ts"
import * as Shared from "../../fields.ts"
import { unreadFiles } from "../../shared/coverage.ts"
import { freshnessOf, graph } from "../../shared/symbols.ts"
import { analyze, kind } from "../facade.ts"
import { under, window } from "./Narrowing.ts"
import { reachedByTests, testEdges } from "./TestReach.ts"
import { callables, usesOf } from "./Uses.ts"

const bodies = ["function", "method"]
/** Definitions a row of the edges names at most. */
const mostRelated = 20

const untestedNeeds = [CodeGraph] as const

export const untested: Member<typeof analyze, "untested", typeof untestedNeeds> = analyze.operation(
  "untested",
  {
    tool: "get_untested_symbols",
    summary: "Functions no test reaches, the most used first.",
    tier: 2,
    page: { default: 50, max: 1000 },
    input: F.input({
      options: F.group({
        file_prefix: F.optional(F.aliased(F.described(F.text, "keep rows under this path"), "path_prefix")),
        min_fan_in: F.withDefault(F.count, 0)
      })
    }),
    needs: untestedNeeds,
    handler: ({ options }, call) =>
      Effect.gen(function* () {
        const view = yield* graph
        const { columns } = view
        const fits = yield* under(view, options.file_prefix, "options.file_prefix")
        const reached = reachedByTests(view)
        const { fanIn } = usesOf(columns)
        const candidates = callables(
          columns,
          columns.kindNames.map((each) => bodies.includes(each))
        ).filter((n) => fanIn[n]! >= options.min_fan_in && fits(view.pathOf(columns.refOf(n))))
        const rows = candidates
          .filter((n) => reached[n] === 0)
          .sort((a, b) => fanIn[b]! - fanIn[a]! || columns.complexity[b]! - columns.complexity[a]! || a - b)
        const tests = columns.fileNodes.reduce((sum, n) => sum + columns.tests[n]!, 0)
        const unread = unreadFiles(view)
        return page(
          "untested",
          {
            untested: window(rows, call).map((n) => {
              const { file_path, id, kind: what, line, name } = named(view, n)
              return {
                id,
                name,
                kind: what,
                file_path,
                line,
                fan_in: fanIn[n]!,
                complexity: columns.complexity[n]!
              }
            }),
            total_candidates: candidates.length,
            total_uncovered: rows.length,
            ...(candidates.length === 0
              ? {}
              : { coverage_ratio: Math.round((1 - rows.length / candidates.length) * 10_000) / 10_000 }),
            test_files: tests,
            note:
              tests === 0
                ? "no file of tests is indexed, so none of these is reached"
                : "reached means by uses from code of tests, however many steps away; it is no measure of what runs",
            ...(unread === 0 ? {} : { unread_files: unread }),
            ...(view.freshness.state === "fresh" ? {} : { freshness: freshnessOf(view.freshness) })
          },
          { from: call.offset, total: rows.length, snapshot: view.generation }
        )
      })
  }
)

const named = (view: GraphView, node: number) => {
  const ref = view.columns.refOf(node)
  return {
    id: view.idOf(ref),
    name: view.nameOf(ref),
    kind: view.columns.kindNames[view.columns.kinds[node]!]!,
    file_path: view.pathOf(ref),
    line: view.columns.lines[node]!
  }
}

export const testsAsEdges = kind("tests_as_edges", {
  summary: "Which test reaches which code.",
  page: { default: 100, max: 1000 },
  input: F.input({
    options: F.group({
      group_by: F.withDefault(F.choice("symbol", "test"), "symbol"),
      path_prefix: Shared.pathPrefix
    })
  }),
  needs: [CodeGraph],
  handler: ({ options }, call) =>
    Effect.gen(function* () {
      const view = yield* graph
      const { columns } = view
      const fits = yield* under(view, options.path_prefix)
      const all = testEdges(columns)
      const bySymbol = options.group_by === "symbol"
      const groups = new Map<number, Array<number>>()
      for (const { code, test } of all) {
        const [key, other] = bySymbol ? [code, test] : [test, code]
        const group = groups.get(key)
        if (group !== undefined) group.push(other)
        else if (fits(view.pathOf(columns.refOf(key)))) groups.set(key, [other])
      }
      const rows = [...groups].sort((a, b) => b[1].length - a[1].length || a[0] - b[0])
      return page(
        "rows",
        {
          group_by: options.group_by,
          rows: window(rows, call).map(([node, related]) => ({
            ...named(view, node),
            count: related.length,
            related: related.slice(0, mostRelated).map((each) => view.idOf(columns.refOf(each)))
          })),
          total: rows.length,
          summary: {
            test_edges: all.length,
            tested_symbols: new Set(all.map(({ code }) => code)).size,
            test_functions: new Set(all.map(({ test }) => test)).size
          },
          note: "an edge is a use without a step between: a test that runs code through other code has none to it",
          ...(view.freshness.state === "fresh" ? {} : { freshness: freshnessOf(view.freshness) })
        },
        { from: call.offset, total: rows.length, snapshot: view.generation }
      )
    })
})
