/** What runs when something outside starts it: an entry point and the calls below it. */
import type { GraphView, SymbolRef } from "../../../services/CodeGraph.ts"

export interface Step {
  readonly ref: SymbolRef
  /** Calls from the entry point. */
  readonly depth: number
  /** Place of its caller among the steps; -1 for the entry point. */
  readonly caller: number
}

export interface Process {
  readonly entry: SymbolRef
  /** In the order in which they are first called, the entry point first. */
  readonly steps: ReadonlyArray<Step>
  /** Some calls were left out. */
  readonly cut: boolean
}

const callables: ReadonlySet<string> = new Set(["function", "method", "constructor", "procedure", "operator"])
const runs: ReadonlySet<string> = new Set(["call", "new", "decorate", "macro"])
const deepest = 6
const mostSteps = 40

const isCallable = (view: GraphView, ref: SymbolRef): boolean =>
  !view.isFile(ref) && callables.has(view.symbol(ref).kind)

/** Calls of a definition in source order, each callee once. */
const calleesOf = (view: GraphView, ref: SymbolRef): ReadonlyArray<SymbolRef> =>
  [
    ...new Set(
      view
        .outgoing(ref)
        .filter(
          ({ role, tier, to }) =>
            runs.has(role) && tier !== "name" && isCallable(view, to) && !view.isTest(to)
        )
        .sort((a, b) => a.line - b.line || a.column - b.column)
        .map(({ to }) => to)
    )
  ].filter((to) => to !== ref)

const follow = (view: GraphView, entry: SymbolRef): Process => {
  const steps: Array<Step> = []
  const seen = new Set<SymbolRef>()
  let cut = false
  const visit = (ref: SymbolRef, depth: number, caller: number): void => {
    if (seen.has(ref)) return
    if (steps.length >= mostSteps || depth > deepest) {
      cut = true
      return
    }
    seen.add(ref)
    const own = steps.push({ ref, depth, caller }) - 1
    for (const callee of calleesOf(view, ref)) visit(callee, depth + 1, own)
  }
  visit(entry, 0, -1)
  return { entry, steps, cut }
}

/**
 * Definitions that call others and are called by nothing here but tests and code at the top level of files, with what they
 * call; those with the most steps first.
 */
export const processesOf = (
  view: GraphView,
  most: number,
  keep: (path: string) => boolean = () => true
): { readonly list: ReadonlyArray<Process>; readonly total: number } => {
  const all: Array<Process> = []
  for (const ref of view.all()) {
    if (!isCallable(view, ref) || view.isTest(ref) || !keep(view.pathOf(ref))) continue
    if (view.symbol(ref).flags.includes("local")) continue
    const used = view
      .incoming(ref)
      .some(
        ({ from, role, tier }) =>
          runs.has(role) && tier !== "name" && from !== ref && !view.isFile(from) && !view.isTest(from)
      )
    if (used || calleesOf(view, ref).length === 0) continue
    all.push(follow(view, ref))
  }
  const byId = (a: Process, b: Process) => (view.idOf(a.entry) < view.idOf(b.entry) ? -1 : 1)
  all.sort((a, b) => b.steps.length - a.steps.length || byId(a, b))
  return { list: all.slice(0, most), total: all.length }
}
