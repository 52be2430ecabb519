import { Effect } from "effect"
import { draft } from "../../registry/FollowUp.ts"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { byteLength } from "../../registry/Json.ts"
import { CodeGraph, type GraphView } from "../../services/CodeGraph.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import * as Shared from "../fields.ts"
import { freshnessOf, graph } from "../shared/symbols.ts"
import { change } from "./facade.ts"
import { bySymbols } from "./fields.ts"
import { Manifests } from "./Manifests.ts"
import { runsOf } from "./Runners.ts"
import { subjects } from "./Subjects.ts"
import { type TestTarget, testsOf, type Way } from "./TestMap.ts"

/** Imports between a test file and the file of a subject that still count. */
const chain = 3
/** Ways that say enough to run a test for them. */
const telling: ReadonlySet<Way> = new Set(["calls", "name", "further_calls", "imports"])
const mostFunctions = 100
const mostIds = 200

/** A file of tests in an answer. */
export const testRow = (
  view: GraphView,
  target: TestTarget,
  ids: ReadonlyArray<string>,
  runner: string | undefined,
  several: boolean
) => ({
  file: target.path,
  ...(runner === undefined ? {} : { runner }),
  found_by: target.way,
  distance: target.distance,
  functions: target.functions.slice(0, mostFunctions).map(({ distance, line, name, via }) => ({
    name,
    line,
    distance,
    ...(via === undefined ? {} : { via: view.symbol(via).qualified })
  })),
  ...(target.functions.length > mostFunctions ? { function_count: target.functions.length } : {}),
  ...(several ? { covers: target.subjects.slice(0, 20).map((place) => ids[place]!) } : {})
})

/** The tests of some definitions as an answer, and what it takes to run them, with manifests read by `fs`. */
export const testPlanBy = (fs: ReadFs["Type"], view: GraphView, refs: ReadonlyArray<number>, depth: number) =>
  Effect.gen(function* () {
    const map = testsOf(view, refs, { depth, chain })
    const manifests = new Manifests(view, fs)
    const worth = map.targets.filter(({ way }) => telling.has(way))
    const run = worth.length > 0 ? worth : map.targets.slice(0, 20)
    const whole = (target: TestTarget) => (target.whole ? { ...target, functions: [] } : target)
    const all = yield* runsOf(view, manifests, map.targets)
    const runs = yield* runsOf(view, manifests, run.map(whole))
    return { ...map, runs, runners: all.runners, run }
  })

/** The same over the files as the session sees them. */
export const testPlan = (view: GraphView, refs: ReadonlyArray<number>, depth: number) =>
  Effect.flatMap(ReadFs, (fs) => testPlanBy(fs, view, refs, depth))

const needs = [CodeGraph, ReadFs] as const

export const tests: Member<typeof change, "tests", typeof needs> = change.operation("tests", {
  tool: "get_test_targets",
  presets: ["core", "edit", "hybrid"],
  summary: "Tests that exercise the symbols, with commands to run them.",
  input: F.input({ target: bySymbols, options: F.group({ depth: Shared.depth(3) }) }),
  needs,
  handler: ({ options, target }, call) =>
    Effect.gen(function* () {
      const view = yield* graph
      const refs = yield* subjects(view, target, "tests")
      const { run, runners, runs, targets, uncovered } = yield* testPlan(view, refs, options.depth)
      const ids = refs.map((ref) => view.idOf(ref))
      const head = {
        run_commands: runs.commands.map(({ command, files, runner }) => ({
          command,
          runner,
          files: files.length
        })),
        total_files: targets.length,
        ...(run.length === targets.length ? {} : { files_run: run.length }),
        uncovered: uncovered.slice(0, mostIds).map((place) => ids[place]!),
        ...(uncovered.length > mostIds ? { uncovered_count: uncovered.length } : {}),
        ...(runs.without.length === 0 ? {} : { no_runner_known: runs.without.slice(0, 50) }),
        coverage_note:
          targets.length === 0
            ? "no test is known to lead to these symbols; tests that reach them by dynamic means are not seen"
            : `nearest first: by uses within ${options.depth} edges, by their names, by uses further away; where no use leads to a test, by what test files import. Tests that reach the symbols by dynamic means are not seen.`,
        ...(view.freshness.state === "fresh" ? {} : { freshness: freshnessOf(view.freshness) })
      }
      const follow_up =
        ids.length > mostIds
          ? {}
          : {
              follow_up: draft("mechanically_followable", "change", {
                operation: "guards",
                target: { symbols: ids }
              })
            }
      const test_targets: Array<object> = []
      let used = byteLength(head) + byteLength(follow_up) + 300
      for (const each of targets) {
        const row = testRow(view, each, ids, runners.get(each.path), refs.length > 1)
        used += byteLength(row) + 1
        if (used > call.budget && test_targets.length > 0) break
        test_targets.push(row)
      }
      return {
        test_targets,
        ...(test_targets.length < targets.length
          ? { truncated: true, returned_files: test_targets.length }
          : {}),
        ...head,
        ...follow_up
      }
    })
})
