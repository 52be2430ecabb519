/** The overlay of a session: what is in it, and what it makes of the graph. */
import { Effect } from "effect"
import { failure, fromService, type OperationFailure } from "../../registry/Failure.ts"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import type { EdgeInfo, GraphView, SymbolRef } from "../../services/CodeGraph.ts"
import { OverlayView } from "../../services/OverlayView.ts"
import type { ServiceFailure } from "../../services/ServiceFailure.ts"
import * as Shared from "../fields.ts"
import { sessionId } from "../shared/session.ts"
import { change } from "./facade.ts"

const failed =
  (field: string) =>
  (cause: ServiceFailure): OperationFailure =>
    fromService(cause, { field, failure_stage: "resolve" })

const overlayStateNeeds = [OverlayView] as const

export const overlayState: Member<typeof change, "overlay_state", typeof overlayStateNeeds> =
  change.operation("overlay_state", {
    tool: "overlay_list",
    summary: "Files of the session's overlay and how long it lives.",
    tier: 2,
    input: F.input({}),
    needs: overlayStateNeeds,
    handler: () =>
      Effect.gen(function* () {
        const session = yield* sessionId
        const overlays = yield* OverlayView
        const life = yield* Effect.mapError(overlays.life(session), failed("operation"))
        if (life === undefined) return { session_id: session, count: 0, files: [] }
        const { expired, session: session_id, workspace: workspace_id, ...rest } = life
        const files = expired ? [] : yield* Effect.mapError(overlays.files(session), failed("operation"))
        return {
          session_id,
          workspace_id,
          count: files.length,
          files: files.map((file) => ({
            path: file.path,
            ...(file.deleted ? { deleted: true } : { content_size: Buffer.byteLength(file.content) }),
            ...(file.baseSha === undefined ? {} : { base_sha: file.baseSha })
          })),
          ...rest,
          ...(expired ? { expired } : {})
        }
      })
  })

const overlayBranchesNeeds = [OverlayView] as const

export const overlayBranches: Member<typeof change, "overlay_branches", typeof overlayBranchesNeeds> =
  change.operation("overlay_branches", {
    tool: "overlay_branches",
    summary: "Branches of the session's overlay.",
    tier: 2,
    input: F.input({}),
    needs: overlayBranchesNeeds,
    handler: () =>
      Effect.gen(function* () {
        const session = yield* sessionId
        const overlays = yield* OverlayView
        const branches = yield* Effect.mapError(overlays.branches(session), failed("operation"))
        return {
          session_id: session,
          count: branches.length,
          branches: branches.map(({ bytes, created_at, files, guarded, parent, ...rest }) => ({
            ...rest,
            file_count: files,
            base_sha_count: guarded,
            bytes,
            ...(parent === undefined ? {} : { parent }),
            ...(created_at === undefined ? {} : { created_at })
          }))
        }
      })
  })

const runs: ReadonlySet<string> = new Set(["call", "new", "macro"])
/** Edges a question goes along, from a definition to the next. */
const questions: {
  readonly [kind: string]: {
    readonly deep: boolean
    readonly next: (view: GraphView, at: SymbolRef) => ReadonlyArray<SymbolRef>
  }
} = {
  find_usages: { deep: false, next: (view, at) => view.incoming(at).map(({ from }) => from) },
  get_callers: { deep: true, next: (view, at) => called(view.incoming(at)).map(({ from }) => from) },
  get_call_chain: { deep: true, next: (view, at) => called(view.outgoing(at)).map(({ to }) => to) },
  get_dependencies: { deep: true, next: (view, at) => view.outgoing(at).map(({ to }) => to) },
  get_dependents: { deep: true, next: (view, at) => view.incoming(at).map(({ from }) => from) }
}
const called = (edges: ReadonlyArray<EdgeInfo>) => edges.filter(({ role }) => runs.has(role))

/** Ids a question leads to, sorted; undefined when the symbol is not in this graph. */
const answer = (
  view: GraphView,
  words: string,
  kind: string,
  depth: number
): ReadonlyArray<string> | undefined => {
  const { exact, found } = view.resolve(words)
  if (!exact && found.length !== 1) return undefined
  const { deep, next } = questions[kind]!
  const seen = new Set(found)
  const ids = new Set<string>()
  let level: ReadonlyArray<SymbolRef> = found
  for (let hop = 0; hop < (deep ? depth : 1) && level.length > 0; hop++) {
    const further: Array<SymbolRef> = []
    for (const at of level) {
      for (const ref of next(view, at)) {
        ids.add(view.symbol(ref).id)
        if (!seen.has(ref)) {
          seen.add(ref)
          further.push(ref)
        }
      }
    }
    level = further
  }
  return [...ids].sort()
}

interface Question {
  readonly symbol: string
  readonly kind: string
  readonly depth: number
  readonly limit: number
}

/** One question on two graphs. */
const compared = (
  { depth, kind, limit, symbol }: Question,
  sides: readonly [readonly [name: string, GraphView], readonly [name: string, GraphView]]
) => {
  const [first, second] = sides.map(([, view]) => answer(view, symbol, kind, depth)) as [
    ReadonlyArray<string> | undefined,
    ReadonlyArray<string> | undefined
  ]
  if (first === undefined && second === undefined) {
    return Effect.fail(
      failure("symbol_not_found", `no symbol ${JSON.stringify(symbol)} on either side`, {
        field: "target.symbol",
        failure_stage: "resolve",
        data: { symbol, suggestions: sides[1][1].resolve(symbol).suggestions }
      })
    )
  }
  const [a, b] = [first ?? [], second ?? []]
  const [inA, inB] = [new Set(a), new Set(b)]
  const missing = sides.filter((_, i) => [first, second][i] === undefined).map(([name]) => name)
  const gone = a.filter((id) => !inB.has(id))
  const come = b.filter((id) => !inA.has(id))
  return Effect.succeed({
    rows: [a.slice(0, limit), b.slice(0, limit)] as const,
    only: [gone.slice(0, limit), come.slice(0, limit)] as const,
    counts: {
      [sides[0][0]]: a.length,
      [sides[1][0]]: b.length,
      [`only_in_${sides[0][0]}`]: gone.length,
      [`only_in_${sides[1][0]}`]: come.length,
      common: a.length - gone.length
    },
    ...(a.length > limit || b.length > limit ? { truncated: true } : {}),
    ...(missing.length === 0 ? {} : { symbol_missing_in: missing })
  })
}

const comparison = {
  kind: F.choice("find_usages", "get_callers", "get_call_chain", "get_dependencies", "get_dependents"),
  depth: Shared.depth(2),
  limit: F.described(F.clamped({ min: 1, max: 1000, default: 50 }), "rows of each side")
}
const bySymbol = F.target({ symbol: Shared.symbol })

const compareOverlayNeeds = [OverlayView] as const

export const compareOverlay: Member<typeof change, "compare_overlay", typeof compareOverlayNeeds> =
  change.operation("compare_overlay", {
    tool: "compare_with_overlay",
    summary: "One graph question on disk and on the overlay, with the difference.",
    tier: 2,
    input: F.input({ target: bySymbol, options: F.group(comparison) }),
    needs: compareOverlayNeeds,
    handler: ({ options, target: { symbol } }) =>
      Effect.gen(function* () {
        const session = yield* sessionId
        const overlays = yield* OverlayView
        const files = yield* Effect.mapError(overlays.files(session), failed("target.symbol"))
        const over = (own: typeof files) => Effect.mapError(overlays.over(own), failed("target.symbol"))
        const { only, rows, ...rest } = yield* compared({ ...options, symbol }, [
          ["base", yield* over([])],
          ["overlay", yield* over(files)]
        ])
        return {
          kind: options.kind,
          id: symbol,
          base: rows[0],
          overlay: rows[1],
          overlay_paths: files.map(({ path }) => path),
          delta: { removed: only[0], added: only[1] },
          ...rest
        }
      })
  })

const compareBranchesNeeds = [OverlayView] as const

export const compareBranches: Member<typeof change, "compare_branches", typeof compareBranchesNeeds> =
  change.operation("compare_branches", {
    tool: "compare_branches",
    summary: "One graph question on two overlay branches, with the difference.",
    tier: 2,
    input: F.input({
      target: bySymbol,
      options: F.group({
        a: F.described(F.text, "first branch"),
        b: F.described(F.text, "second branch"),
        ...comparison
      })
    }),
    needs: compareBranchesNeeds,
    handler: ({ options: { a, b, ...question }, target: { symbol } }) =>
      Effect.gen(function* () {
        const session = yield* sessionId
        const overlays = yield* OverlayView
        const side = (branch: string, field: string) =>
          Effect.gen(function* () {
            const files = yield* overlays.files(session, branch)
            return { paths: files.map(({ path }) => path), view: yield* overlays.over(files) }
          }).pipe(Effect.mapError(failed(field)))
        const first = yield* side(a, "options.a")
        const second = yield* side(b, "options.b")
        const { only, rows, ...rest } = yield* compared({ ...question, symbol }, [
          ["a", first.view],
          ["b", second.view]
        ])
        return {
          a,
          b,
          kind: question.kind,
          id: symbol,
          a_result: rows[0],
          b_result: rows[1],
          a_overlay_paths: first.paths,
          b_overlay_paths: second.paths,
          delta: { only_in_a: only[0], only_in_b: only[1] },
          ...rest
        }
      })
  })
