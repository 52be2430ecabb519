/**
 * Every public operation of trace and every kind of analyze, from the registry: it is there, documented, finds something
 * in one tree, and refuses what is no argument of it. A kind that this does not know makes it fail.
 */
import { Context, Effect, Exit, Layer, Scope } from "effect"
import { readFileSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { layer as layerSessions, Sessions } from "../../../src/engine/sessions/Sessions.ts"
import { CallInfo } from "../../../src/registry/CallInfo.ts"
import { select } from "../../../src/registry/Facade.ts"
import type { OperationFailure } from "../../../src/registry/Failure.ts"
import { isRecord } from "../../../src/registry/Json.ts"
import { project } from "../../../src/registry/Projection.ts"
import { type Folder, served, type Value } from "../read/support.ts"
import { facade } from "../support.ts"
import { make } from "./corpus.ts"

/** What a call of a kind gives besides its name, and the field of the answer that must hold something. */
interface Expected {
  readonly with?: Value
  readonly holds: string
}
const rows = (holds: string, given?: Value): Expected =>
  given === undefined ? { holds } : { holds, with: given }
const options = (holds: string, given: Value): Expected => ({ holds, with: { options: given } })
const symbol = (id: string): Value => ({ symbol: id })

const traces: { readonly [operation: string]: Expected } = {
  call_chain: rows("nodes", { target: symbol("src/main.ts::main") }),
  walk: rows("nodes", { target: symbol("src/main.ts::main") }),
  path: rows("paths", {
    target: symbol("src/main.ts::main"),
    to: symbol("src/bills/ring.ts::billFive")
  }),
  flow: rows("paths", {
    target: symbol("src/bills/ring.ts::billOne#n"),
    to: symbol("src/bills/ring.ts::billFive#n")
  }),
  taint: rows("findings", { target: { query: "req.body" }, to: { query: "query" } }),
  cfg: rows("blocks", { target: symbol("src/copies.ts::sums") }),
  graph: options("nodes", { query: "nodes kind=function | traverse calls out" })
}

const kinds: { readonly [kind: string]: Expected } = {
  help: rows("kinds"),
  architecture: rows("communities"),
  hotspots: rows("hotspots"),
  communities: rows("communities"),
  clusters: rows("clusters"),
  concepts: rows("concepts"),
  processes: rows("processes"),
  coupling: rows("units"),
  surprising_connections: rows("connections"),
  knowledge_gaps: rows("untested_hotspots"),
  suggest_boundaries: rows("suggested_layers"),
  role: rows("symbols"),
  cross_repo: rows("dependencies"),
  impact: rows("symbols"),
  cycles: rows("cycles"),
  would_create_cycle: options("path", {
    from_id: "src/circle/right.ts::right",
    to_id: "src/circle/left.ts::left"
  }),
  pagerank: rows("pagerank"),
  kcore: rows("kcore"),
  louvain: rows("communities"),
  scc: rows("components"),
  wcc: rows("components"),
  connectivity_health: rows("dead_weight_by_file"),
  edge_audit: rows("unimplemented_interfaces"),
  ref_facts: rows("facts"),
  resolution_outcomes: rows("rows"),
  speculative: rows("shapes"),
  synthesizers: rows("synthesizers"),
  retrieval_log: rows("by_tool"),
  todos: rows("todos"),
  dead_code: rows("dead_code"),
  untested: rows("untested"),
  tests_as_edges: rows("rows"),
  clones: rows("clusters"),
  extraction: rows("candidates"),
  bottlenecks: rows("functions"),
  health: rows("worst_symbols"),
  health_score: rows("symbols"),
  coverage_gaps: rows("gaps"),
  coverage_summary: rows("directories"),
  doc_staleness: rows("stale"),
  agent_config: rows("dead_commands"),
  lint: options("diagnostics", { path: "src/linted.js", timeout_ms: 60_000 }),
  inspection_catalog: rows("inspections"),
  inspections: options("results", { inspections: ["py-subprocess-shell"] }),
  churn: rows("symbols"),
  co_change: rows("co_changing", { target: { file: "src/kit.ts" } }),
  fixes_history: rows("files"),
  ownership: rows("owners"),
  stale_code: rows("stale"),
  stale_flags: rows("flags"),
  releases: rows("releases"),
  recent_changes: options("changes", { since: "2020-06-01" }),
  replay: options("timeline", { anchor_symbol: "src/flags.ts::beta", window_days: 0 }),
  why: rows("rationale", { target: symbol("src/orders/ring.ts::orderOne") }),
  citation: options("match_lines", { span: "name.trim()", file_path: "src/kit.ts" }),
  sast: rows("matches"),
  hygiene: rows("matches"),
  review: rows("matches"),
  unsafe_patterns: rows("matches"),
  domain: rows("matches"),
  named: rows("queries"),
  def_use: rows("symbols", { target: symbol("src/copies.ts::sums") }),
  field_writers: rows("fields"),
  indirect_mutations: rows("fields"),
  constructors_missing_fields: rows("sites"),
  error_surface: rows("throwers"),
  race_writes: rows("race_writes"),
  goroutine_spawns: rows("spawns"),
  channel_ops: rows("channels"),
  unclosed_channels: rows("unclosed_channels"),
  contracts: rows("contracts"),
  routes: rows("routes"),
  route_frameworks: rows("route_counts_by_framework"),
  components: rows("components"),
  models: rows("models"),
  sql_call_sites: rows("call_sites"),
  orphan_tables: rows("orphans"),
  unreferenced_tables: rows("unreferenced"),
  dbt_models: rows("dbt_models"),
  pubsub: rows("topics"),
  temporal_orphans: rows("orphan_workflow"),
  event_emitters: rows("events"),
  log_events: rows("events"),
  string_emitters: rows("strings"),
  config_readers: rows("config_keys"),
  env_var_users: rows("env_vars"),
  annotation_users: rows("annotations"),
  external_calls: rows("modules"),
  k8s_resources: rows("resources"),
  kustomize: rows("kustomizations"),
  images: rows("images"),
  cgo_users: rows("cgo_users"),
  wasm_users: rows("wasm_users"),
  drupal_hooks: rows("hooks"),
  swiftui_views: rows("roles"),
  uikit_classes: rows("roles")
}

const public_ = (name: string) => facade(name).operations.filter((operation) => !operation.hidden)
const manual = readFileSync(new URL("../../../docs/tools.md", import.meta.url), "utf8")
/** The part of the manual about one tool. */
const chapter = (tool: string): string =>
  manual.split(/^## /m).find((part) => part.startsWith(`${tool}\n`)) ?? ""

const scope = Effect.runSync(Scope.make())
const sessions = new Sessions()
sessions.open("s")
sessions.log("s", {
  at: "2026-01-01T00:00:00.000Z",
  tool: "search_text",
  operation: "search.text",
  duration_ms: 3,
  rows: 0,
  outcome: "ok",
  question: "nothing"
})
let at: Folder
let context: Context.Context<any>
beforeAll(async () => {
  at = await Effect.runPromise(Scope.extend(served({}, { before: make, trusted: true, watch: true }), scope))
  context = Context.merge(
    at.context,
    await Effect.runPromise(Scope.extend(Layer.build(layerSessions(sessions)), scope))
  )
  await Effect.runPromise(
    at.call("workspace_admin", { operation: "coverage", arguments: { profile: "lcov.info" } })
  )
}, 60_000)
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

const call = (tool: string, args: Value): Promise<Value> =>
  Effect.gen(function* () {
    const { args: rest, operation } = yield* select(facade(tool), args)
    const outcome = yield* operation.run(rest) as Effect.Effect<any, OperationFailure>
    return (yield* project(outcome)).value as Value
  }).pipe(
    Effect.provide(context),
    Effect.provideService(CallInfo, { requestId: "t", session: "s" }),
    Effect.runPromise
  )

const held = (value: unknown): number =>
  Array.isArray(value) ? value.length : isRecord(value) ? Object.keys(value).length : 0

describe.each([
  ["trace", "operation", traces],
  ["analyze", "kind", kinds]
] as const)("%s", (tool, discriminator, table) => {
  it("has no operation that this does not know, and none less", () => {
    expect(
      public_(tool)
        .map(({ name }) => name)
        .sort()
    ).toEqual(Object.keys(table).sort())
  })

  it.each(public_(tool).map((operation) => [operation.name, operation] as const))(
    "%s is there, documented, finds something and refuses what it does not take",
    async (name, operation) => {
      expect(operation.available).toBe(true)
      expect(operation.summary).toMatch(/\S.*\.$/)
      const line = chapter(tool)
        .split("\n")
        .find((row) => row.startsWith(`| \`${name}\``))
      expect(line).toContain(operation.summary)

      const { holds, with: given = {} } = table[name]!
      const answer = await call(tool, { [discriminator]: name, ...given })
      expect([name, holds, held(answer[holds]) > 0, Object.keys(answer).join()], `${name}.${holds}`).toEqual([
        name,
        holds,
        true,
        Object.keys(answer).join()
      ])

      const { options: stated = {}, ...others } = given as { options?: Value }
      const refused = await Effect.runPromise(
        at.refused(tool, {
          [discriminator]: name,
          ...others,
          options: { ...stated, no_such_argument: true }
        })
      )
      expect([refused.code, refused.field]).toEqual(["invalid_argument", "options.no_such_argument"])
    },
    60_000
  )
})
