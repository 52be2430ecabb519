import { Effect, Either } from "effect"
import { page } from "../../../registry/Answer.ts"
import type { Member } from "../../../registry/Facade.ts"
import { invalidArgument } from "../../../registry/Failure.ts"
import * as F from "../../../registry/Fields.ts"
import { CodeGraph } from "../../../services/CodeGraph.ts"
import { type Family, FrameworkFacts } from "../../../services/FrameworkFacts.ts"
import { WorkspaceView } from "../../../services/WorkspaceView.ts"
import { repository } from "../../diff.ts"
import { graph, oneOf } from "../../shared/symbols.ts"
import { analyze } from "../facade.ts"
import { type Contract, type ContractType, contractsOf, match, validate } from "./Matching.ts"
import { completenessOf, facts, none, wideFacts } from "./Facts.ts"

const familiesOf: { readonly [T in ContractType]: ReadonlyArray<Family> } = {
  http: ["routes", "clients"],
  grpc: ["routes", "clients"],
  thrift: ["routes"],
  graphql: ["routes", "clients"],
  ws: ["routes", "clients"],
  topic: ["routes", "messages"],
  env: ["config"],
  openapi: ["routes", "manifests"],
  dependency: ["manifests"]
}
const all: ReadonlyArray<Family> = ["routes", "clients", "messages", "config", "manifests"]

const named = (repository: string, workspace: string): string => (repository === "" ? workspace : repository)

const rowOf = (contract: Contract, workspace: string) => ({
  id: contract.key,
  type: contract.type,
  role: contract.role,
  method: contract.method,
  name: contract.name,
  repo: named(contract.repository, workspace),
  framework: contract.framework,
  symbol: contract.symbol,
  file_path: contract.file,
  line: contract.line,
  ...(contract.tier === "resolved" ? {} : { tier: contract.tier }),
  ...Object.fromEntries(Object.entries(contract.detail).filter(([, value]) => value !== ""))
})

/** How many contracts each repository has. */
const tally = (
  contracts: ReadonlyArray<Contract>,
  workspace: string
): { readonly [repo: string]: number } => {
  const counts: { [repo: string]: number } = {}
  for (const contract of [...contracts].sort((a, b) => (a.repository < b.repository ? -1 : 1))) {
    const repo = named(contract.repository, workspace)
    counts[repo] = (counts[repo] ?? 0) + 1
  }
  return counts
}

/** How well a contract fits words: the share of them that its names hold. */
const scoreOf = (contract: Contract, words: ReadonlyArray<string>): number => {
  const held = `${contract.name} ${contract.method} ${contract.symbol} ${contract.framework} ${contract.file}`
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
  const own = `${contract.name}`.toLowerCase()
  return (
    words.reduce((sum, word) => sum + (own.includes(word) ? 1 : held.includes(word) ? 0.5 : 0), 0) /
    words.length
  )
}

const needs = [FrameworkFacts, CodeGraph, WorkspaceView] as const

export const contracts: Member<typeof analyze, "contracts", typeof needs> = analyze.operation("contracts", {
  tool: "contracts",
  summary: "API contracts: list, check, validate, or bridge across repositories.",
  page: { default: 200, max: 1000 },
  input: F.input({
    options: F.group({
      action: F.withDefault(F.choice("list", "check", "validate", "bridge"), "list"),
      repo: repository,
      all_repos: F.withDefault(F.described(F.flag, "beyond the active project"), false),
      include_deps: F.withDefault(F.described(F.flag, "contracts of dependencies too"), false),
      type: F.optional(
        F.choice("http", "grpc", "thrift", "graphql", "topic", "ws", "env", "openapi", "dependency")
      ),
      role: F.optional(F.choice("provider", "consumer")),
      query: F.optional(F.described(F.text, "for action bridge")),
      symbol: F.optional(F.described(F.text, "for action bridge")),
      mode: F.withDefault(F.choice("rank", "impact"), "rank")
    })
  }),
  needs,
  handler: ({ options }) =>
    Effect.gen(function* () {
      const { name: workspace, repositories } = yield* WorkspaceView
      const roots = (yield* Effect.orElseSucceed(repositories, () => [])).map(({ name, root }) => ({
        name,
        root: root === "." ? "" : root
      }))
      const wanted = options.repo?.trim().replace(/\/+$/, "")
      const repo =
        wanted === undefined
          ? undefined
          : roots.find(
              ({ name, root }) => root === wanted || name === wanted || (wanted === "." && root === "")
            )
      if (wanted !== undefined && repo === undefined)
        return yield* invalidArgument(
          "options.repo",
          `${JSON.stringify(wanted)} is no repository of this workspace`,
          {
            reason_code: "unknown_repository",
            data: { valid_values: roots.map(({ name, root }) => (root === "" ? name : root)) }
          }
        )
      const reading = yield* (options.all_repos ? wideFacts : facts)(
        ...(options.type === undefined ? all : familiesOf[options.type])
      )
      const every = contractsOf(reading)
      const here = (contract: Contract): boolean => repo === undefined || contract.repository === repo.root
      const typed = every.filter(
        (contract) =>
          options.type === undefined ||
          contract.type === options.type ||
          (options.type === "openapi" && options.action === "validate" && contract.type === "http")
      )
      const inWorkspace = new Set(
        every.filter(({ role, type }) => type === "dependency" && role === "provider").map(({ key }) => key)
      )
      const isForeign = (contract: Contract): boolean =>
        contract.type === "dependency" && contract.role === "consumer" && !inWorkspace.has(contract.key)
      const showDependencies = options.include_deps || options.type === "dependency"
      const shown = typed.filter((contract) => showDependencies || !isForeign(contract))
      const skipped = typed.length - shown.length
      const tail = { ...(skipped === 0 ? {} : { dependencies_skipped: skipped }), ...completenessOf(reading) }
      const row = (contract: Contract) => rowOf(contract, workspace)

      if (options.action === "list") {
        const rows = shown.filter(
          (contract) => here(contract) && (options.role === undefined || contract.role === options.role)
        )
        const others = shown.filter((contract) => !here(contract))
        const by_repo: { [repo: string]: { [type: string]: { provider: number; consumer: number } } } = {}
        for (const contract of rows) {
          const own = (by_repo[named(contract.repository, workspace)] ??= {})
          ;(own[contract.type] ??= { provider: 0, consumer: 0 })[contract.role]++
        }
        return page(
          "contracts",
          {
            by_repo,
            contracts: rows.map(row),
            total: rows.length,
            ...(others.length === 0 ? {} : { other_repos: tally(others, workspace) }),
            ...(rows.length === 0 ? none(reading, "contract of that kind") : {}),
            ...tail
          },
          { snapshot: reading.generation }
        )
      }
      const matching = match(shown)
      if (options.action === "check") {
        const matched = matching.matched
          .filter(
            ({ consumers, provider }) => here(provider) || consumers.some(({ contract }) => here(contract))
          )
          .map(({ consumers, provider }) => ({
            id: provider.key,
            type: provider.type,
            name: provider.name,
            method: provider.method,
            across_repos: consumers.some(({ contract }) => contract.repository !== provider.repository),
            provider: row(provider),
            consumers: consumers.map(({ contract, drift, tier }) => ({
              ...row(contract),
              match_tier: tier,
              ...(drift === undefined ? {} : { drift })
            }))
          }))
        // A package that nobody here depends on, and a variable that is set and not read, are no broken promise.
        const orphanProviders = matching.orphanProviders
          .filter(
            (contract) =>
              here(contract) &&
              contract.type !== "dependency" &&
              contract.type !== "openapi" &&
              (contract.type !== "env" || options.type === "env")
          )
          .map(row)
        const outside = (contract: Contract): boolean =>
          (contract.type === "http" || contract.type === "ws") &&
          !contract.relative &&
          contract.detail["url"] !== undefined
        const orphanConsumers = matching.orphanConsumers
          .filter((each) => here(each) && !outside(each))
          .map(row)
        // A service whose host is written out and that nothing here answers for is somebody else's.
        const external = matching.orphanConsumers.filter((each) => here(each) && outside(each)).length
        return page(
          "matched",
          {
            matched,
            total: matched.length,
            orphan_providers: orphanProviders.slice(0, 200),
            orphan_provider_count: orphanProviders.length,
            orphan_consumers: orphanConsumers.slice(0, 200),
            orphan_consumer_count: orphanConsumers.length,
            ...(external === 0 ? {} : { external_consumer_count: external }),
            ...(matched.length + orphanProviders.length + orphanConsumers.length === 0
              ? none(reading, "contract of that kind")
              : {}),
            ...tail
          },
          { snapshot: reading.generation }
        )
      }
      if (options.action === "validate") {
        const issues = validate(shown, matching)
          .filter(({ contract, others }) => here(contract) || others.some(here))
          .map(({ contract, message, others, rule, severity }) => ({
            severity,
            rule,
            message,
            ...row(contract),
            ...(others.length === 0
              ? {}
              : {
                  others: others.slice(0, 10).map(({ file, line, method, name, symbol }) => ({
                    method,
                    name,
                    symbol,
                    file_path: file,
                    line
                  }))
                })
          }))
        const by_severity = { error: 0, warning: 0, info: 0 }
        for (const { severity } of issues) by_severity[severity]++
        return page(
          "issues",
          {
            issues,
            total: issues.length,
            by_severity,
            checked: shown.length,
            ...(shown.length === 0 ? none(reading, "contract of that kind") : {}),
            ...tail
          },
          { snapshot: reading.generation }
        )
      }
      if (options.query === undefined && options.symbol === undefined)
        return yield* invalidArgument("options.query", "action bridge needs a query or a symbol", {
          reason_code: "missing_argument"
        })
      let related = shown
      let anchor: string | undefined
      if (options.symbol !== undefined) {
        const view = yield* graph
        const ref = yield* Either.mapLeft(
          oneOf(view, options.symbol, { facade: "analyze", operation: "contracts", field: "options.symbol" }),
          (failure) =>
            invalidArgument("options.symbol", failure.message, {
              reason_code: failure.reason_code,
              data: failure.data
            })
        )
        anchor = view.idOf(ref)
        const file = view.isFile(ref)
        related = shown.filter(
          (contract) =>
            contract.symbol === anchor ||
            contract.symbol.startsWith(`${anchor}.`) ||
            (file && contract.file === anchor)
        )
      }
      const words = (options.query ?? "")
        .toLowerCase()
        .split(/[^a-z0-9_]+/)
        .filter((word) => word.length > 1)
      if (options.query !== undefined && words.length === 0)
        return yield* invalidArgument(
          "options.query",
          `${JSON.stringify(options.query)} holds no word to look for`,
          { reason_code: "empty_query" }
        )
      const partners = new Map<Contract, Array<{ readonly contract: Contract; readonly tier: string }>>()
      for (const { consumers, provider } of matching.matched)
        for (const { contract, tier } of consumers) {
          partners.set(provider, [...(partners.get(provider) ?? []), { contract, tier }])
          partners.set(contract, [...(partners.get(contract) ?? []), { contract: provider, tier }])
        }
      const ranked = related
        .filter(here)
        .filter((contract) => options.role === undefined || contract.role === options.role)
        .map((contract) => ({
          contract,
          score: words.length === 0 ? 1 : scoreOf(contract, words),
          partners: partners.get(contract) ?? []
        }))
        .filter(({ score }) => score > 0)
        .map((each) => ({
          ...each,
          across: each.partners.some(({ contract }) => contract.repository !== each.contract.repository)
        }))
        .sort(
          (a, b) =>
            b.score - a.score ||
            Number(b.across) - Number(a.across) ||
            b.partners.length - a.partners.length ||
            (a.contract.key < b.contract.key
              ? -1
              : a.contract.key > b.contract.key
                ? 1
                : a.contract.line - b.contract.line)
        )
      if (options.mode === "rank")
        return page(
          "ranked",
          {
            ...(anchor === undefined ? {} : { symbol: anchor }),
            ranked: ranked.map(({ across, contract, partners: own, score }) => ({
              score: Math.round(score * 1000) / 1000,
              ...row(contract),
              across_repos: across,
              partners: own.map(({ contract: other, tier }) => ({
                role: other.role,
                repo: named(other.repository, workspace),
                symbol: other.symbol,
                file_path: other.file,
                line: other.line,
                tier
              }))
            })),
            total: ranked.length,
            ...(ranked.length === 0 ? none(reading, "contract that fits") : {}),
            ...tail
          },
          { snapshot: reading.generation }
        )
      const groups = ranked
        .filter(({ partners: own }) => own.length > 0)
        .map(({ contract, partners: own }) => ({
          id: contract.key,
          contract: row(contract),
          repos: [...new Set(own.map(({ contract: other }) => named(other.repository, workspace)))].sort(),
          affected: own.map(({ contract: other, tier }) => ({
            symbol: other.symbol,
            role: other.role,
            repo: named(other.repository, workspace),
            file_path: other.file,
            line: other.line,
            tier
          }))
        }))
      return page(
        "impact",
        {
          ...(anchor === undefined ? {} : { symbol: anchor }),
          impact: groups,
          total: groups.length,
          affected_repos: [...new Set(groups.flatMap(({ repos }) => repos))].sort(),
          contracts_without_partner: ranked.length - groups.length,
          ...(ranked.length === 0 ? none(reading, "contract that fits") : {}),
          ...tail
        },
        { snapshot: reading.generation }
      )
    })
})
