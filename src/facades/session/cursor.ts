import { Effect } from "effect"
import { failure, invalidArgument } from "../../registry/Failure.ts"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { draft } from "../../registry/FollowUp.ts"
import { CodeGraph, type GraphView, type SymbolRef } from "../../services/CodeGraph.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import { SessionStore } from "../../services/SessionStore.ts"
import { SessionView } from "../../services/SessionView.ts"
import { excerptOf } from "../read/Excerpt.ts"
import { graph, oneDefinition, rowOf, type SymbolRow } from "../shared/symbols.ts"
import { session } from "./facade.ts"
import { keep, kept } from "./Kept.ts"

const cursorName = "cursor"
/** Earlier positions kept. */
const mostSteps = 100
/** Neighbours of a kind that are listed. */
const mostNeighbours = 20

interface Cursor {
  /** Symbol ids, the newest last. */
  readonly trail: ReadonlyArray<string>
}

const runs: ReadonlySet<string> = new Set(["call", "new", "macro"])

const distinct = (refs: Iterable<SymbolRef>, but: SymbolRef): ReadonlyArray<SymbolRef> =>
  [...new Set(refs)].filter((ref) => ref !== but)

const neighboursOf = (view: GraphView, at: SymbolRef) => {
  const parent = view.parent(at)
  return {
    callees: distinct(
      view
        .outgoing(at)
        .filter(({ role }) => runs.has(role))
        .map(({ to }) => to),
      at
    ),
    callers: distinct(
      view
        .incoming(at)
        .filter(({ role }) => runs.has(role))
        .map(({ from }) => from),
      at
    ),
    siblings: parent === undefined ? [] : distinct(view.children(parent), at)
  }
}

const rows = (view: GraphView, refs: ReadonlyArray<SymbolRef>) => ({
  total: refs.length,
  rows: refs.slice(0, mostNeighbours).map((ref): SymbolRow => rowOf(view.symbol(ref)))
})

const chosen = (
  view: GraphView,
  action: string,
  refs: ReadonlyArray<SymbolRef>,
  select: string | undefined
) => {
  const names = refs.map((ref) => view.symbol(ref))
  const at =
    select === undefined
      ? 0
      : /^\d+$/.test(select)
        ? Number(select)
        : [
            (name: string) => name === select,
            (name: string) => name.toLowerCase().includes(select.toLowerCase())
          ]
            .map((fits) => names.findIndex(({ name }) => fits(name)))
            .find((found) => found >= 0)
  const ref = at === undefined ? undefined : refs[at]
  return ref === undefined
    ? Effect.fail(
        invalidArgument(
          "arguments.select",
          refs.length === 0
            ? `there is nothing to go ${action} to from here`
            : `${JSON.stringify(select)} is none of the ${refs.length} to go ${action} to`,
          { data: { choices: names.slice(0, mostNeighbours).map(({ id }, index) => ({ index, id })) } }
        )
      )
    : Effect.succeed(ref)
}

const needs = [SessionStore, SessionView, CodeGraph, ReadFs] as const

export const cursor: Member<typeof session, "cursor", typeof needs> = session.operation("cursor", {
  tool: "nav",
  summary: "Step a remembered position through the call graph.",
  input: F.input({
    arguments: F.group({
      action: F.choice("goto", "into", "up", "sibling", "back", "where", "read"),
      id: F.optional(F.described(F.text, "symbol to go to")),
      select: F.optional(
        F.described(F.text, "neighbour, by index or part of its name; the first when absent")
      )
    })
  }),
  needs,
  handler: ({ arguments: { action, id, select } }) =>
    Effect.gen(function* () {
      const view = yield* graph
      const before = ((yield* kept(cursorName)) as Cursor | undefined) ?? { trail: [] }
      // What an edit took away is no place to stand on.
      const alive = before.trail.filter((known) => view.resolve(known).exact)
      const stale = alive.length < before.trail.length
      let trail = alive
      if (action === "goto") {
        if (id === undefined) return yield* invalidArgument("arguments.id", "goto needs the symbol to go to")
        const ref = yield* oneDefinition(view, id, {
          facade: "session",
          operation: "cursor",
          field: "arguments.id"
        })
        trail = [...alive, view.symbol(ref).id]
      } else if (action === "back" && alive.length > 1) trail = alive.slice(0, -1)
      const here = trail.at(-1)
      if (here === undefined) {
        return yield* failure(
          "not_found",
          stale ? "where the cursor stood is no longer in the index" : "the cursor is nowhere yet",
          {
            field: "arguments.action",
            failure_stage: "resolve",
            reason_code: stale ? "stale_cursor" : "no_cursor",
            recovery: draft("fallback_recovery", "search", { operation: "symbols", query: "main" })
          }
        )
      }
      let at = view.resolve(here).found[0]!
      if (action === "into" || action === "up" || action === "sibling") {
        const { callees, callers, siblings } = neighboursOf(view, at)
        at = yield* chosen(
          view,
          action,
          action === "into" ? callees : action === "up" ? callers : siblings,
          select
        )
        trail = [...trail, view.symbol(at).id]
      }
      trail = trail.slice(-mostSteps)
      if (trail !== before.trail) yield* keep(cursorName, { trail } satisfies Cursor)
      const symbol = view.symbol(at)
      const { callees, callers, siblings } = neighboursOf(view, at)
      const text =
        action === "read" && !view.isFile(at)
          ? yield* excerptOf(
              symbol.id,
              { context_lines: 0, compress_bodies: false, max_lines: 0, allow_secrets: false },
              { facade: "session", operation: "cursor", field: "arguments.id" }
            )
          : undefined
      return {
        cursor: {
          current: symbol.id,
          kind: symbol.kind,
          name: symbol.name,
          file_path: symbol.path,
          start_line: symbol.start_line,
          history_size: trail.length - 1
        },
        ...(stale ? { stale: true } : {}),
        adjacency: {
          callees: rows(view, callees),
          callers: rows(view, callers),
          siblings: rows(view, siblings)
        },
        ...(text === undefined ? {} : { source: text.pieces.map((piece) => piece.text).join("\n") })
      }
    })
})
