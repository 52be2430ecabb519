/** Analyses of files over a workspace of several repositories: each repository is asked, the answers are put together. */
import { Effect } from "effect"
import { isWithin } from "../../registry/Place.ts"
import type {
  BodyMeasure,
  ClonePair,
  Clones,
  CodeTokens,
  SharedRun,
  TokenUnit
} from "../../services/CodeTokens.ts"
import type { RuleMatches, RuleMatcher } from "../../services/RuleMatcher.ts"
import type { ServiceFailure } from "../../services/ServiceFailure.ts"
import { filtersOf } from "./Filters.ts"
import type { Member, Membership } from "./Members.ts"
import { both } from "./Within.ts"

/** A repository that is asked, undefined for the served one, and its service; undefined for one that cannot be opened. */
export interface Asked<S> {
  readonly member: Member | undefined
  /** Paths in it to stay below; none for all of it. */
  readonly below: ReadonlyArray<string>
  readonly service: S | undefined
}
type All<S> = Effect.Effect<ReadonlyArray<Asked<S>>, ServiceFailure>

/** Rules over all repositories. One that cannot be opened counts as not looked at. */
export const rulesOver = (
  own: RuleMatcher["Type"],
  all: All<RuleMatcher["Type"]>,
  membership: Effect.Effect<Membership, ServiceFailure>
): RuleMatcher["Type"] => ({
  ...own,
  match: (query) =>
    Effect.gen(function* () {
      const { members } = yield* membership
      const results: Array<RuleMatches> = []
      const asked = query.path === undefined ? undefined : [query.path]
      for (const { below, member, service } of yield* all) {
        const filters = filtersOf(asked, member, members)
        const paths = filters === undefined ? undefined : both(filters, below)
        if (paths === undefined) continue
        const prefix = member?.prefix ?? ""
        if (service === undefined) {
          results.push({
            findings: [],
            files: 0,
            left: [{ path: prefix, reason: "repository_unavailable" }],
            generated: 0
          })
          continue
        }
        for (const path of paths.length === 0 ? [undefined] : paths) {
          const found = yield* service.match({ ...query, path })
          results.push({
            ...found,
            findings: found.findings.map((finding) => ({ ...finding, path: prefix + finding.path })),
            left: found.left.map((file) => ({ ...file, path: prefix + file.path }))
          })
        }
      }
      return {
        findings: results.flatMap(({ findings }) => findings),
        files: results.reduce((n, { files }) => n + files, 0),
        left: results.flatMap(({ left }) => left),
        generated: results.reduce((n, { generated }) => n + generated, 0)
      }
    })
})

const unitAt = (prefix: string, unit: TokenUnit): TokenUnit => ({ ...unit, path: prefix + unit.path })

const told = (prefix: string, found: Clones): Clones => ({
  ...found,
  pairs: found.pairs.map(
    (pair): ClonePair => ({ ...pair, a: unitAt(prefix, pair.a), b: unitAt(prefix, pair.b) })
  ),
  runs: found.runs.map((run): SharedRun => ({ ...run, a: unitAt(prefix, run.a), b: unitAt(prefix, run.b) }))
})

const isBelow = (path: string, paths: ReadonlyArray<string>): boolean =>
  paths.length === 0 || paths.some((prefix) => isWithin(path, prefix))

/** Pairs and runs with both sides below some paths. */
const kept = (found: Clones, below: ReadonlyArray<string>): Clones => {
  if (below.length === 0) return found
  const both = (pair: { readonly a: TokenUnit; readonly b: TokenUnit }) =>
    isBelow(pair.a.path, below) && isBelow(pair.b.path, below)
  return { ...found, pairs: found.pairs.filter(both), runs: found.runs.filter(both) }
}

/** Tokens over all repositories. Bodies are compared with those of their own repository. */
export const tokensOver = (own: CodeTokens["Type"], all: All<CodeTokens["Type"]>): CodeTokens["Type"] => ({
  ...own,
  measures: (paths) =>
    Effect.gen(function* () {
      const asked = yield* all
      const prefixes = asked.flatMap(({ member }) => (member === undefined ? [] : [member.prefix]))
      const out = new Map<string, ReadonlyArray<BodyMeasure>>()
      for (const { below, member, service } of asked) {
        const prefix = member?.prefix ?? ""
        const inside = paths
          .filter((path) =>
            member === undefined ? !prefixes.some((other) => path.startsWith(other)) : path.startsWith(prefix)
          )
          .map((path) => path.slice(prefix.length))
          .filter((path) => isBelow(path, below))
        if (service === undefined || inside.length === 0) continue
        for (const [path, measures] of yield* service.measures(inside)) out.set(prefix + path, measures)
      }
      return out
    }),
  clones: (query) =>
    Effect.gen(function* () {
      const results: Array<Clones> = []
      for (const { below, member, service } of yield* all)
        results.push(
          service === undefined
            ? { ...nothing, complete: false }
            : told(member?.prefix ?? "", kept(yield* service.clones(query), below))
        )
      return {
        pairs: results.flatMap(({ pairs }) => pairs).sort((a, b) => b.similarity - a.similarity),
        runs: results.flatMap(({ runs }) => runs).sort((a, b) => b.tokens - a.tokens),
        compared: results.reduce((n, { compared }) => n + compared, 0),
        files: results.reduce((n, { files }) => n + files, 0),
        unread_files: results.reduce((n, one) => n + one.unread_files, 0),
        complete: results.every(({ complete }) => complete)
      }
    })
})

const nothing: Clones = { pairs: [], runs: [], compared: 0, files: 0, unread_files: 0, complete: true }
