/** What answers about flow say of themselves, and how the engine's refusals read. */
import { fromService, invalidArgument, type OperationFailure } from "../../../registry/Failure.ts"
import type { FlowPath, FlowSearch, FlowStep } from "../../../services/ProgramFlow.ts"
import type { GraphView } from "../../../services/CodeGraph.ts"
import type { ServiceFailure } from "../../../services/ServiceFailure.ts"

/** Reasons that name the caller's choice of symbol. */
const ofTheSymbol = new Set(["language_not_covered", "no_body", "no_parameter"])

export const refusedAt =
  (field: string) =>
  (cause: ServiceFailure): OperationFailure =>
    ofTheSymbol.has(cause.reason)
      ? invalidArgument(field, cause.detail, { reason_code: cause.reason })
      : cause.reason === "stale"
        ? fromService(cause, { reason_code: "index_stale", field })
        : fromService(cause, { field })

const whys: { readonly [cause: string]: string } = {
  states: "the walk met its bound of places",
  time: "the time for one question ran out; the same question again goes on from what was read",
  work: "as much was read as one question reads; the same question again goes on from there",
  hops: "options.max_depth cut some ways off",
  callers: "a function has more callers than are followed",
  readers: "a field has more readers than are followed",
  files: "more files may hold the words than were read",
  sources: "there are more sources than were started from",
  findings: "there are more findings",
  paths: "there are more ways"
}

export const because = (causes: ReadonlyArray<string>): ReadonlyArray<string> =>
  causes.map((cause) => whys[cause] ?? cause)

/** What every walk leaves out. */
export const approximations = [
  "aliases are followed one assignment back, and what is inside a value by three field names",
  "a call that is not bound to source is taken to pass its arguments on to its result, unless its name says otherwise",
  "conditions carry nothing: a value that only decides a branch does not flow",
  "thrown values, reflection, functions kept in data and work started elsewhere are not followed from one function to the next"
]

export const completenessOf = (view: GraphView, search: Omit<FlowSearch, "paths">) => ({
  completeness: {
    complete: search.complete && view.freshness.state === "fresh",
    ...(search.complete
      ? {}
      : {
          reasons: [
            ...because(search.causes),
            ...(search.unread.length > 0 ? ["files on the way could not be read"] : [])
          ]
        }),
    functions_visited: search.functions_visited,
    files_read: search.files_read,
    ...(search.unread.length === 0
      ? {}
      : { unread_files: search.unread.map(({ path, reason }) => ({ file_path: path, reason })) })
  }
})

export const stepRow = (view: GraphView, { kind, line, path, text, tier, within }: FlowStep) => ({
  kind,
  file_path: path,
  line,
  text,
  ...(within === undefined || view.isFile(within) ? {} : { in: view.idOf(within) }),
  ...(tier === "resolved" || tier === "exact" ? {} : { tier })
})

/** Movements from one definition to another, by what a step is. */
const kinds: { readonly [kind: string]: string } = {
  argument: "arg_of",
  callback: "arg_of",
  sink: "arg_of",
  result: "returns_to",
  return: "returns_to",
  field: "field",
  capture: "capture",
  mutate: "mutates",
  store: "mutates"
}

/** A path as definitions it passes through, and as lines. */
export const pathRow = (view: GraphView, path: FlowPath, from: string, to: string) => {
  const ids: Array<string> = [from]
  const edges: Array<{
    readonly from: string
    readonly to: string
    readonly kind: string
    readonly origin: string
    readonly tier: string
  }> = []
  const enter = (id: string, step: FlowStep) => {
    const last = ids[ids.length - 1]!
    if (last === id) return
    edges.push({
      from: last,
      to: id,
      kind: kinds[step.kind] ?? "value",
      origin: `${step.path}:${step.line}`,
      tier: step.tier
    })
    ids.push(id)
  }
  path.steps.forEach((step, i) => {
    if (i === path.steps.length - 1) enter(to, step)
    else if (step.within !== undefined && !view.isFile(step.within)) {
      const id = view.idOf(step.within)
      // The source's own lines are the source.
      if (!(i === 0 && from.startsWith(id)) && id !== to) enter(id, step)
    }
  })
  return {
    ids,
    edges,
    confidence: path.confidence,
    tier: path.tier,
    starts: path.origin,
    steps: path.steps.map((step) => stepRow(view, step))
  }
}
