/** Analyses of files over a workspace of several repositories: each repository is asked, the answers are put together. */
import { Effect } from "effect"
import type {
  BodyMeasure,
  ClonePair,
  Clones,
  CodeTokens,
  SharedRun,
  TokenUnit
} from "../../services/CodeTokens.ts"
import type { RuleMatches, RuleMatcher, RuleQuery } from "../../services/RuleMatcher.ts"
import type { ServiceFailure } from "../../services/ServiceFailure.ts"
import { filtersOf } from "./Filters.ts"
import type { Member } from "./Members.ts"

/** A repository beside the served one, with its service; undefined for one that cannot be opened. */
export interface Other<S> {
  readonly member: Member
  readonly service: S | undefined
}
type Others<S> = Effect.Effect<ReadonlyArray<Other<S>>, ServiceFailure>

/** Rules over all repositories. One that cannot be opened counts as not looked at. */
export const rulesOver = (
  own: RuleMatcher["Type"],
  others: Others<RuleMatcher["Type"]>
): RuleMatcher["Type"] => ({
  ...own,
  match: (query) =>
    Effect.gen(function* () {
      const rest = yield* others
      const members = rest.map(({ member }) => member)
      const results: Array<RuleMatches> = []
      const ask = (service: RuleMatcher["Type"], member: Member | undefined, part: RuleQuery) =>
        Effect.map(service.match(part), (found) => {
          const prefix = member?.prefix ?? ""
          results.push({
            ...found,
            findings: found.findings.map((finding) => ({ ...finding, path: prefix + finding.path })),
            left: found.left.map((file) => ({ ...file, path: prefix + file.path }))
          })
        })
      const asked = query.path === undefined ? undefined : [query.path]
      const here = filtersOf(asked, undefined, members)
      if (here !== undefined) yield* ask(own, undefined, { ...query, path: here[0] })
      for (const { member, service } of rest) {
        const there = filtersOf(asked, member, members)
        if (there === undefined) continue
        if (service === undefined)
          results.push({
            findings: [],
            files: 0,
            left: [{ path: member.prefix, reason: "repository_unavailable" }],
            generated: 0
          })
        else yield* ask(service, member, { ...query, path: there[0] })
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

/** Tokens over all repositories. Bodies are compared with those of their own repository. */
export const tokensOver = (
  own: CodeTokens["Type"],
  others: Others<CodeTokens["Type"]>
): CodeTokens["Type"] => ({
  ...own,
  measures: (paths) =>
    Effect.gen(function* () {
      const rest = yield* others
      const owned = new Set<string>()
      const out = new Map<string, ReadonlyArray<BodyMeasure>>()
      for (const { member, service } of rest) {
        const inside = paths.filter((path) => path.startsWith(member.prefix))
        for (const path of inside) owned.add(path)
        if (service === undefined || inside.length === 0) continue
        const found = yield* service.measures(inside.map((path) => path.slice(member.prefix.length)))
        for (const [path, measures] of found) out.set(member.prefix + path, measures)
      }
      const found = yield* own.measures(paths.filter((path) => !owned.has(path)))
      for (const [path, measures] of found) out.set(path, measures)
      return out
    }),
  clones: (query) =>
    Effect.gen(function* () {
      const results = [yield* own.clones(query)]
      for (const { member, service } of yield* others)
        if (service === undefined) results.push({ ...nothing, complete: false })
        else results.push(told(member.prefix, yield* service.clones(query)))
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
