import { Effect } from "effect"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { CodeGraph, type GraphView, type SymbolRef } from "../../services/CodeGraph.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import * as Shared from "../fields.ts"
import { freshnessOf, graph } from "../shared/symbols.ts"
import { boundariesOf, impactOf, summaryOf, withParts } from "./Affected.ts"
import { change } from "./facade.ts"
import { bySymbols } from "./fields.ts"
import { subjects, wordsOf } from "./Subjects.ts"
import { testPlan } from "./tests.ts"

const mostFiles = 200
const mostSymbols = 30

interface Step {
  readonly file: string
  readonly symbols: Set<SymbolRef>
  readonly test: boolean
  /** 0 for a file of the subjects, else edges from one. */
  depth: number
}

/**
 * Files in the order in which edits keep what is above them compiling: the definitions, then by distance what uses
 * them; of one distance those that others of the plan use come first, and tests last.
 */
const ordered = (view: GraphView, steps: ReadonlyArray<Step>): ReadonlyArray<Step> => {
  const inPlan = new Map(steps.map((step) => [step.file, step]))
  const usedBy = new Map<string, number>()
  for (const { file, symbols } of steps) {
    const { refs } = view.reach([...symbols], { depth: 1, most: 10_000 })
    const users = new Set(
      refs.map((ref) => view.pathOf(ref)).filter((path) => path !== file && inPlan.has(path))
    )
    usedBy.set(file, users.size)
  }
  return [...steps].sort(
    (a, b) =>
      Number(a.test) - Number(b.test) ||
      a.depth - b.depth ||
      usedBy.get(b.file)! - usedBy.get(a.file)! ||
      (a.file < b.file ? -1 : 1)
  )
}

const needs = [CodeGraph, ReadFs] as const

export const editPlan: Member<typeof change, "edit_plan", typeof needs> = change.operation("edit_plan", {
  tool: "get_edit_plan",
  summary: "Order of the edits a change needs, definitions first, tests last.",
  input: F.input({ target: bySymbols, options: F.group({ depth: Shared.depth(3) }) }),
  needs,
  handler: ({ options, target }) =>
    Effect.gen(function* () {
      const view = yield* graph
      const refs = yield* subjects(view, target, "edit_plan")
      const found = impactOf(view, refs)
      const steps = new Map<string, Step>()
      const put = (ref: SymbolRef, depth: number) => {
        const file = view.pathOf(ref)
        let step = steps.get(file)
        if (step === undefined)
          steps.set(file, (step = { file, symbols: new Set(), test: view.file(file)?.test === true, depth }))
        if (depth < step.depth) step.depth = depth
        step.symbols.add(ref)
      }
      for (const ref of refs) put(ref, 0)
      for (const { depth, ref } of found.rows) if (depth <= options.depth) put(ref, depth)
      const subjectRefs = new Set(withParts(view, refs))
      const plan = ordered(view, [...steps.values()])
      const reasonOf = ({ depth, symbols, test }: Step): string =>
        depth === 0 && [...symbols].some((ref) => subjectRefs.has(ref))
          ? "defines what changes"
          : test
            ? "tests what changes"
            : depth === 1
              ? "uses what changes"
              : `is ${depth} edges from what changes`
      const { run, runs } = yield* testPlan(view, refs, options.depth)
      return {
        summary: summaryOf(found, wordsOf(view, refs)),
        total_files: plan.length,
        edit_order: plan.slice(0, mostFiles).map((step, place) => ({
          order: place + 1,
          file: step.file,
          symbols: [...step.symbols].slice(0, mostSymbols).map((ref) => view.idOf(ref)),
          ...(step.symbols.size > mostSymbols ? { symbol_count: step.symbols.size } : {}),
          reason: reasonOf(step)
        })),
        ...(plan.length > mostFiles ? { truncated: true } : {}),
        test_after: run.slice(0, mostFiles).map(({ path }) => path),
        run_commands: runs.commands.map(({ command }) => command),
        ...boundariesOf(view, found),
        ...(view.freshness.state === "fresh" ? {} : { freshness: freshnessOf(view.freshness) })
      }
    })
})
