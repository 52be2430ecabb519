import { Effect } from "effect"
import { page } from "../../../registry/Answer.ts"
import { fromService } from "../../../registry/Failure.ts"
import type { Member } from "../../../registry/Facade.ts"
import * as F from "../../../registry/Fields.ts"
import { CodeGraph, type GraphView, type SymbolRef } from "../../../services/CodeGraph.ts"
import { type Clones, CodeTokens, type TokenUnit } from "../../../services/CodeTokens.ts"
import { ReadFs } from "../../../services/ReadFs.ts"
import { TextIndex } from "../../../services/TextIndex.ts"
import * as Shared from "../../fields.ts"
import { freshnessOf, graph } from "../../shared/symbols.ts"
import { analyze } from "../facade.ts"
import { aroundOf } from "./dead/Around.ts"
import { withoutExpressions } from "./dead/Expressions.ts"
import { unusedOf } from "./dead/Unused.ts"
import { rounded } from "./Grades.ts"
import { under, window } from "./Narrowing.ts"

/** Bodies of fewer tokens are alike for having little to say. */
const leastTokens = 40
/** What is less alike than this is called no clone, whatever is asked for. */
const leastSimilar = 0.6
/** Tokens of a run of equal code that is worth a word on its own. */
const leastRun = 50
const mostMembers = 50
const deadline = 20_000

const made = new WeakMap<GraphView["columns"], Clones>()
const dead = new WeakMap<GraphView["columns"], ReadonlySet<number>>()

/** Definitions of a body's place: by the line and column of the name. */
const finder = (view: GraphView): ((unit: TokenUnit) => SymbolRef | undefined) => {
  const files = new Map<string, ReadonlyMap<string, SymbolRef>>()
  return ({ column, line, path }) => {
    if (column < 0) return view.fileRef(path)
    let known = files.get(path)
    if (known === undefined)
      files.set(
        path,
        (known = new Map(
          view.definitions(path).map((ref) => {
            const symbol = view.symbol(ref)
            return [`${symbol.line}:${symbol.column}`, ref]
          })
        ))
      )
    return known.get(`${line}:${column}`)
  }
}

interface Cluster {
  readonly members: ReadonlyArray<SymbolRef>
  readonly similarity: number
  /** Tokens beyond the largest member, which one copy would do without. */
  readonly spare: number
  readonly tests: boolean
}

/** Bodies that are alike, directly or by way of others. */
const clustersOf = (
  view: GraphView,
  pairs: Clones["pairs"],
  refOf: (unit: TokenUnit) => SymbolRef | undefined
) => {
  const above = new Map<SymbolRef, SymbolRef>()
  const root = (ref: SymbolRef): SymbolRef => {
    let at = ref
    while (above.has(at) && above.get(at) !== at) at = above.get(at)!
    above.set(ref, at)
    return at
  }
  const tokens = new Map<SymbolRef, number>()
  const kept: Array<readonly [SymbolRef, SymbolRef, number]> = []
  for (const { a, b, similarity } of pairs) {
    const left = refOf(a)
    const right = refOf(b)
    if (left === undefined || right === undefined || left === right) continue
    tokens.set(left, a.tokens)
    tokens.set(right, b.tokens)
    for (const each of [left, right]) if (!above.has(each)) above.set(each, each)
    above.set(root(right), root(left))
    kept.push([left, right, similarity])
  }
  const groups = new Map<SymbolRef, { members: Set<SymbolRef>; sum: number; count: number }>()
  for (const [left, right, similarity] of kept) {
    const key = root(left)
    const group = groups.get(key) ?? { members: new Set<SymbolRef>(), sum: 0, count: 0 }
    groups.set(key, group)
    group.members.add(left).add(right)
    group.sum += similarity
    group.count++
  }
  const around = (ref: SymbolRef): SymbolRef | undefined => {
    for (let at = view.parent(ref); at !== undefined && !view.isFile(at); at = view.parent(at))
      if (above.has(at)) return at
    return undefined
  }
  // What lies inside the members of another cluster is alike because those are.
  const own = [...groups.values()].filter(({ members }) => {
    const outer = [...members].map(around)
    return (
      outer.some((ref) => ref === undefined || root(ref) !== root(outer[0]!)) ||
      new Set(outer).size < members.size
    )
  })
  return own.map(({ count, members, sum }): Cluster => {
    const sizes = [...members].map((ref) => tokens.get(ref) ?? 0)
    return {
      members: [...members].sort((a, b) => view.columns.nodeOf(a) - view.columns.nodeOf(b)),
      similarity: sum / count,
      spare: sizes.reduce((total, each) => total + each, 0) - Math.max(...sizes),
      tests: [...members].every((ref) => view.isTest(ref))
    }
  })
}

const needs = [CodeGraph, CodeTokens, ReadFs, TextIndex] as const

export const clones: Member<typeof analyze, "clones", typeof needs> = analyze.operation("clones", {
  narrows: true,
  tool: "find_clones",
  summary: "Near-duplicate functions.",
  tier: 2,
  page: { default: 50, max: 1000 },
  input: F.input({
    options: F.group({
      min_similarity: F.withDefault(F.described(F.number({ min: 0, max: 1 }), "0 to 1"), 0),
      dead_only: F.withDefault(F.described(F.flag, "clusters with a dead member only"), false),
      path_prefix: Shared.pathPrefix
    })
  }),
  needs,
  handler: ({ options }, call) =>
    Effect.gen(function* () {
      const view = yield* graph
      const fits = yield* under(view, options.path_prefix)
      const reader = yield* CodeTokens
      const found =
        made.get(view.columns) ??
        (yield* Effect.mapError(
          reader.clones({
            min_tokens: leastTokens,
            min_similarity: leastSimilar,
            min_run: leastRun,
            deadline_ms: deadline
          }),
          (cause) => fromService(cause)
        ))
      if (found.complete) made.set(view.columns, found)
      const unused =
        dead.get(view.columns) ??
        new Set(
          (yield* withoutExpressions(
            view,
            unusedOf(view, yield* aroundOf(view, yield* ReadFs, yield* TextIndex), {
              kinds: new Set(["function", "method"]),
              cgoExports: false,
              linknames: false,
              path: () => true
            })
          )).unused.map(({ node }) => node)
        )
      dead.set(view.columns, unused)
      const refOf = finder(view)
      const isDead = (ref: SymbolRef) => unused.has(view.columns.nodeOf(ref))
      const clusters = clustersOf(
        view,
        found.pairs.filter(({ similarity }) => similarity >= options.min_similarity),
        refOf
      )
        .filter(
          ({ members }) =>
            members.some((ref) => fits(view.pathOf(ref))) && (!options.dead_only || members.some(isDead))
        )
        .sort(
          (a, b) =>
            Number(a.tests) - Number(b.tests) ||
            b.spare - a.spare ||
            view.columns.nodeOf(a.members[0]!) - view.columns.nodeOf(b.members[0]!)
        )
      const runs =
        options.dead_only || options.min_similarity > 0
          ? []
          : found.runs.filter(({ a, b }) => fits(a.path) || fits(b.path))
      const within = (unit: TokenUnit) => {
        const ref = refOf(unit)
        return ref === undefined || view.isFile(ref) ? {} : { within: view.idOf(ref) }
      }
      return page(
        "clusters",
        {
          clusters: window(clusters, call).map(({ members, similarity, spare, tests }) => {
            const deadMembers = members.filter(isDead).length
            return {
              id: view.idOf(members[0]!),
              size: members.length,
              avg_similarity: rounded(similarity, 3),
              spare_tokens: spare,
              dead_count: deadMembers,
              has_dead_code: deadMembers > 0,
              ...(tests ? { tests: true } : {}),
              members: members.slice(0, mostMembers).map((ref) => {
                const symbol = view.symbol(ref)
                return {
                  id: symbol.id,
                  name: symbol.name,
                  kind: symbol.kind,
                  file_path: symbol.path,
                  line: symbol.line,
                  start_line: symbol.start_line,
                  end_line: symbol.end_line,
                  is_dead: isDead(ref)
                }
              })
            }
          }),
          total: clusters.length,
          pairs: found.pairs.length,
          compared: found.compared,
          ...(runs.length === 0
            ? {}
            : {
                copied_runs: runs.slice(0, 25).map(({ a, a_end, a_start, b, b_end, b_start, tokens }) => ({
                  tokens,
                  first: { file_path: a.path, line: a_start, end_line: a_end, ...within(a) },
                  second: { file_path: b.path, line: b_start, end_line: b_end, ...within(b) }
                })),
                copied_run_count: runs.length
              }),
          bounds: {
            min_tokens: leastTokens,
            min_similarity: Math.max(leastSimilar, options.min_similarity),
            min_run: leastRun
          },
          note: "similarity is the Jaccard index of token shingles with names of variables and literals left out; copied_runs are equal tokens outside of the clusters",
          ...(found.complete ? {} : { complete: false, incomplete_because: ["deadline"] }),
          ...(found.unread_files === 0 ? {} : { unread_files: found.unread_files }),
          ...(view.freshness.state === "fresh" ? {} : { freshness: freshnessOf(view.freshness) })
        },
        { from: call.offset, total: clusters.length, snapshot: view.generation }
      )
    })
})
