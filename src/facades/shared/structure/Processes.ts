/** What runs when something outside starts it: an entry point and the calls below it. */
import type { GraphView } from "../../../services/CodeGraph.ts"
import { isSymbol, kindsOf, once, pathOf } from "./Nodes.ts"
import { usesOf } from "./Uses.ts"

export interface Step {
  readonly node: number
  /** Calls from the entry point. */
  readonly depth: number
  /** Place of its caller among the steps; -1 for the entry point. */
  readonly caller: number
}

export interface Process {
  readonly entry: number
  /** In the order in which they are first called, the entry point first. */
  readonly steps: ReadonlyArray<Step>
  /** Nodes of the files its steps lie in. */
  readonly files: ReadonlyArray<number>
  /** Some calls were left out. */
  readonly cut: boolean
  /** More for more steps over more files. */
  readonly score: number
}

const deepest = 8
const mostSteps = 60

/** Callables that call others and are called by nothing but tests and the top level of files; the highest score first. */
export const processesOf: (view: GraphView) => ReadonlyArray<Process> = once((view, columns) => {
  const { callable, file } = kindsOf(columns)
  const { back, graph } = usesOf(view, "calls", "inferred")
  const runs = (node: number) => callable[columns.kinds[node]!] === 1 && columns.tests[node] === 0
  const stamps = new Int32Array(columns.nodeCount).fill(-1)
  /** A call of a type goes on in its constructors; the type itself is no step. */
  const follow = (entry: number): Process => {
    const steps: Array<Step> = []
    const files: Array<number> = []
    let cut = false
    const visit = (node: number, depth: number, caller: number): void => {
      if (stamps[node] === entry) return
      if (steps.length >= mostSteps || depth > deepest) {
        cut = true
        return
      }
      stamps[node] = entry
      let own = caller
      if (runs(node)) {
        own = steps.push({ node, depth, caller }) - 1
        if (!files.includes(columns.files[node]!)) files.push(columns.files[node]!)
      }
      const next = own === caller ? depth : depth + 1
      for (let e = graph.starts[node]!; e < graph.starts[node + 1]!; e++) {
        const other = graph.others[e]!
        if (columns.tests[other] === 0 && other !== node) visit(other, next, own)
      }
    }
    visit(entry, 0, -1)
    return {
      entry,
      steps,
      files,
      cut,
      score: Number((steps.length * Math.log2(1 + files.length)).toFixed(2))
    }
  }
  const out: Array<Process> = []
  for (let node = 0; node < columns.nodeCount; node++) {
    if (!isSymbol(columns, node) || !runs(node) || graph.starts[node + 1] === graph.starts[node]) continue
    let used = false
    for (let e = back.starts[node]!; e < back.starts[node + 1]! && !used; e++) {
      const from = back.others[e]!
      used = from !== node && columns.kinds[from] !== file && columns.tests[from] === 0
    }
    if (used) continue
    const process = follow(node)
    if (process.steps.length > 1) out.push(process)
  }
  return out.sort((a, b) => b.score - a.score || a.entry - b.entry)
})

export const processRow = (view: GraphView, { cut, entry, files, score, steps }: Process) => ({
  id: view.idOf(view.columns.refOf(entry)),
  name: view.nameOf(view.columns.refOf(entry)),
  entry_point: view.idOf(view.columns.refOf(entry)),
  file_path: pathOf(view, entry),
  line: view.columns.lines[entry]!,
  step_count: steps.length,
  ...(cut ? { more_steps: true as const } : {}),
  file_count: files.length,
  files: files.slice(0, 5).map((file) => pathOf(view, file)),
  score
})
