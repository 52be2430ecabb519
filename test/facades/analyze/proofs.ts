/**
 * What every operation of trace and every kind of analyze says of the tree in corpus.ts, worked out by hand from its
 * sources and its three commits. Nothing but these rows says which kinds are proven: a kind without one fails.
 */
import { expect } from "vitest"
import type { Value } from "../read/support.ts"

export interface Proof {
  /** What a call gives besides the name of its kind. */
  readonly with?: Value
  /** A part of the answer. Its first member is what the kind is asked for, and must hold something. */
  readonly finds: Value
  /** What takes arithmetic on the answer to say. */
  readonly check?: (answer: Value) => void
}

const finds = (part: Value, check?: (answer: Value) => void): Proof => ({
  finds: part,
  ...(check === undefined ? {} : { check })
})
const given = (args: Value, part: Value): Proof => ({ with: args, finds: part })
const options = (stated: Value, part: Value): Proof => given({ options: stated }, part)
const symbol = (id: string): Value => ({ symbol: id })
const ids = (...all: ReadonlyArray<string>): ReadonlyArray<Value> => all.map((id) => ({ id }))
/** These rows among others. */
const among = (...all: ReadonlyArray<Value>): unknown =>
  expect.arrayContaining(all.map((row) => expect.objectContaining(row)))
const within = (file: string, ...names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.map((name) => `${file}::${name}`)

const orders = within("src/orders/ring.ts", "orderOne", "orderTwo", "orderThree", "orderFour", "orderFive")
const bills = within("src/bills/ring.ts", "billOne", "billTwo", "billThree", "billFour", "billFive")
const [orderOne, , , , orderFive] = orders as [string, string, string, string, string]
const [billOne, , , , billFive] = bills as [string, string, string, string, string]
const bridge = "src/bills/ring.ts::bridge"
const main = "src/main.ts::main"
const sums = "src/copies.ts::sums"
const amounts = "src/copies.ts::amounts"
const long = "src/long.ts::long"
const left = "src/circle/left.ts::left"
const right = "src/circle/right.ts::right"
const flag = "src/kit.ts::isFeatureEnabled"
const create = "api/app.ts::create"
const work = "flow/channels.go::Owner.Work"
const loose = "flow/channels.go::Counter.Loose"
const total = "flow/channels.go::Counter.total"

/** main calls three, two of which call on: nine at the second and third step. */
const below: ReadonlyArray<Value> = [
  ...[sums, orderOne, bridge].map((id) => ({ id, depth: 1 })),
  ...[...orders.slice(1), billOne].map((id) => ({ id, depth: 2 })),
  ...bills.slice(1).map((id) => ({ id, depth: 3 }))
]

export const traces: { readonly [operation: string]: Proof } = {
  call_chain: given(
    { target: symbol(main) },
    { nodes: among(...below), total_nodes: below.length, depth_reached: 3 }
  ),
  walk: given({ target: symbol(main) }, { nodes: among(...below), total_nodes: below.length }),
  path: given(
    { target: symbol(main), to: symbol(billFive) },
    { paths: [{ nodes: ids(main, bridge, billOne, billFive), length: 3 }], found: true }
  ),
  // The number goes from One to Five through any choice of Two, Three and Four.
  flow: given(
    { target: symbol(`${billOne}#n`), to: symbol(`${billFive}#n`) },
    { paths: among({ ids: [`${billOne}#n`, `${billFive}#n`] }), total: 2 ** 3 }
  ),
  // req.body is read twice and comes to the statement once.
  taint: given(
    { target: { query: "req.body" }, to: { query: "query" } },
    {
      findings: [
        { file_path: "api/app.ts", line: 8, source: { name: "req.body" }, sink: { name: "pool.query" } }
      ],
      sources: 2,
      sinks: 1,
      total: 1
    }
  ),
  // Two loops and two conditions: five ways, so edges are blocks - 2 + 5.
  cfg: given(
    { target: symbol(sums) },
    {
      blocks: [
        { label: "entry" },
        { label: "body", dominator: 0 },
        { label: "loop", dominator: 1 },
        { label: "loop body", dominator: 2 },
        { label: "then", dominator: 3 },
        { label: "after if", dominator: 3 },
        { label: "then", dominator: 5 },
        { label: "loop", dominator: 5 },
        { label: "loop body", dominator: 7 },
        { label: "after loop", dominator: 2 },
        { label: "exit", dominator: 2 }
      ],
      totals: { blocks: 11, edges: 11 - 2 + 5, unreachable: 0 }
    }
  ),
  graph: options(
    { query: "nodes kind=function | traverse calls out" },
    {
      nodes: among(
        ...ids(
          ...orders,
          ...bills,
          bridge,
          sums,
          long,
          left,
          right,
          flag,
          "api/models.py::run",
          "flow/channels.go::Counter",
          "kit/index.ts::help",
          "src/shapes.ts::Shape.area",
          "web/Button.tsx::Button"
        )
      ),
      total: 21,
      stages: [
        { stage: "nodes", nodes: 38 },
        { stage: "traverse", nodes: 21 }
      ]
    }
  )
}

const overview: { readonly [kind: string]: Proof } = {
  help: finds({
    kinds: { help: "The kinds of analysis, a line each.", cycles: "Dependency cycles by severity." }
  }),
  architecture: finds({
    languages: among(
      { language: "typescript", files: 16 },
      { language: "go", files: 3 },
      { language: "tsx", files: 2 },
      { language: "rust", files: 1 }
    ),
    summary: { files: 41 },
    entry_points: among(...ids(main, "src/long.ts::one", "web/Page.tsx::Page", work))
  }),
  hotspots: finds({
    hotspots: [
      { id: billOne, fan_in: 1, fan_out: 4, community_crossings: 1 },
      { id: bridge, fan_in: 1, fan_out: 2, community_crossings: 1 },
      { id: long, fan_in: 2, fan_out: 5, community_crossings: 0 },
      { id: orderOne, fan_in: 2, fan_out: 4, community_crossings: 0 }
    ]
  }),
  // bridge has two ties to the orders' side and one to the bills', which is the only one between them.
  communities: finds({
    communities: [
      { hub: long, size: 11, cohesion: 0.9545 },
      { hub: "flow/channels.go::Counter", size: 9, cohesion: 1 },
      { hub: "src/shapes.ts::Shape", size: 7, cohesion: 1 },
      { hub: "src/box.ts::Box", size: 6, cohesion: 1 },
      { hub: billOne, size: 5, cohesion: 0.9091 },
      { hub: "api/models.py::Invoice", size: 3, cohesion: 1 },
      { hub: flag, size: 3, cohesion: 1 }
    ],
    total: 7
  }),
  // Of 55 pairs of the largest 21 are tied, of the bills' ten all.
  clusters: finds({
    clusters: among(
      { hub: long, size: 11, density: 0.3818 },
      { hub: billOne, density: 1, member_sample: bills }
    ),
    total: 7
  }),
  concepts: finds({
    concepts: [
      { theme: "bill", member_sample: bills },
      {
        theme: "box",
        member_sample: [
          "src/box.ts::Box",
          ...within("src/box.ts", "Box.items", "Box.label", "Box.constructor", "Box.put")
        ]
      },
      { theme: "order", member_sample: orders }
    ]
  }),
  processes: finds({
    processes: [
      { entry_point: main, step_count: 13, file_count: 4 },
      { entry_point: "src/long.ts::one", step_count: 7 },
      { entry_point: "src/long.ts::two", step_count: 7 },
      ...[
        "src/flags.ts::beta",
        "src/flags.ts::gamma",
        "src/user.ts::user",
        "web/Page.tsx::Page",
        "api/models.py::quiet",
        work,
        "src/shapes.ts::size"
      ].map((entry_point) => ({ entry_point, step_count: 2 }))
    ]
  }),
  coupling: finds({
    units: among(
      { unit: "src/bills", ca: 1, ce: 1, instability: 0.5, internal_edges: 11, total_edges: 13 },
      { unit: "src/orders", ca: 3, ce: 0, instability: 0, internal_edges: 10, total_edges: 17 },
      { unit: "src", ca: 0, ce: 7, instability: 1 },
      { unit: "web", ca: 0, ce: 0, instability: null, internal_edges: 1 }
    ),
    total: 11
  }),
  surprising_connections: finds({
    connections: [{ from: bridge, to: billOne, signals: ["cross_community"] }]
  }),
  knowledge_gaps: finds({
    untested_hotspots: among(...ids(billOne, bridge, long, main, create, work, left)),
    disconnected_nodes: ids(
      "api/app.ts::digest",
      "api/models.py::Invoice",
      "flow/channels.go::Channels",
      "flow/native.go::free",
      "flow/workflow.go::Checkout",
      "ios/App.swift::Home",
      "ios/Legacy.swift::LoginViewController",
      "jvm/Config.java::Config",
      "src/box.ts::Box.constructor",
      amounts,
      "src/shapes.ts::Never",
      "src/shapes.ts::Never.missing",
      "src/unused.ts::hermit",
      "src/unused.ts::nobody",
      "wasm/lib.rs::greet"
    )
  }),
  // 29 definitions are in files of src itself; three of them are tied to nothing.
  suggest_boundaries: finds({ suggested_layers: [{ name: "src", paths: ["src/*"], allow: [], size: 26 }] }),
  role: finds({
    symbols: among(
      { id: orderFive, role: "utility", fan_in: 6, fan_out: 0 },
      { id: orderOne, role: "orchestrator", fan_in: 2, fan_out: 4 },
      { id: sums, role: "leaf", fan_in: 1, fan_out: 0 },
      { id: bridge, role: "worker", fan_in: 1, fan_out: 2 },
      { id: work, role: "entry_point", fan_in: 0, fan_out: 4 }
    )
  }),
  cross_repo: finds({
    dependencies: [
      {
        to_repo: "kit",
        kind: "calls",
        count: 1,
        samples: [{ from: "src/user.ts::user", to: "kit/index.ts::help", line: 2 }]
      }
    ]
  })
}

const rankOf = (answer: Value, id: string): number =>
  answer["pagerank"].find((row: Value) => row["id"] === id)["rank"]

const measures: { readonly [kind: string]: Proof } = {
  // Within three steps of Five: four of its ring, long and its two users, bridge, main, the test, and the top level.
  impact: finds({
    symbols: among(
      { id: orderFive, reach_count: 11 },
      { id: billFive, reach_count: 6 },
      { id: left, reach_count: 1 },
      { id: amounts, reach_count: 0 }
    )
  }),
  cycles: finds({
    cycles: [
      {
        kind: "import",
        severity: 3,
        path: ["src/circle/left.ts", "src/circle/right.ts", "src/circle/left.ts"]
      },
      { kind: "call", severity: 1, path: [left, right, left] }
    ]
  }),
  would_create_cycle: options(
    { from_id: right, to_id: left },
    { path: [right, left, right], would_cycle: true, depends_already: true }
  ),
  // With damping d: a node nobody uses has q; two that only use each other have q / (1 - d) each; one whose n users use
  // nothing else, and are not used, has q (1 + n d).
  pagerank: finds({ pagerank: among({ id: orderFive }, { id: left }), damping: 0.85 }, (answer) => {
    const q = rankOf(answer, amounts)
    expect(answer["pagerank"][0].id).toBe(orderFive)
    for (const id of [left, right]) expect(rankOf(answer, id)).toBeCloseTo(q / (1 - 0.85), 6)
    for (const id of [flag, long]) expect(rankOf(answer, id)).toBeCloseTo(q * (1 + 2 * 0.85), 6)
    expect(rankOf(answer, "kit/index.ts::help")).toBeCloseTo(q * (1 + 0.85), 6)
  }),
  // long and the five it uses are all tied to each other, and so are the five bills.
  kcore: finds({
    kcore: among(
      ...[long, ...orders].map((id) => ({ id, k_degree: 5 })),
      ...bills.map((id) => ({ id, k_degree: 4 })),
      { id: bridge, k_degree: 2 }
    ),
    highest: 5
  }),
  louvain: finds({
    communities: among({ hub: long, size: 11 }, { hub: billOne, size: 5, cohesion: 0.9091 })
  }),
  scc: finds({ components: [{ size: 2, members: [left, right] }], alone: 72 }),
  wcc: finds({
    components: [17, 7, 5, 3, 3, 3, 2, 2, 2, 2, 2].map((size) => ({ size })),
    total: 11
  }),
  // The components without the test have 47 definitions.
  connectivity_health: finds({
    dead_weight_by_file: among(
      { file_path: "src/unused.ts", isolated: 2, leaf: 0, nodes: 2, dead_weight: 1 },
      { file_path: "src/long.ts", isolated: 0, leaf: 2, nodes: 3 }
    ),
    nominal_nodes: 73,
    effective_nodes: 47,
    isolated: 26
  }),
  edge_audit: finds({
    unimplemented_interfaces: ids("src/shapes.ts::Never"),
    summary: { interfaces: 2, calls: 45 }
  }),
  ref_facts: finds({
    facts: among(
      { from: "api/models.py::quiet", to: "api/models.py::run", kind: "call", line: 12, column: 8 },
      { from: "flow/channels.go::Make", to: total, kind: "write", line: 23 },
      { from: "src/shapes.ts::Square", to: "src/shapes.ts::Shape", kind: "implements" }
    )
  }),
  resolution_outcomes: finds({
    rows: [8, 12].map((line) => ({
      name: "body",
      line,
      reason: "cross_language_only",
      candidates: ["ios/App.swift::Home.body"]
    })),
    by_reason: { cross_language_only: 2, ambiguous_multi_match: 0 }
  }),
  speculative: finds({
    shapes: [
      {
        shape: "interface_member",
        edges: 2,
        calls: 1,
        samples: [{ from: "src/shapes.ts::size", candidate_count: 2 }]
      }
    ]
  }),
  synthesizers: finds({
    synthesizers: among(
      { name: "inheritance", edges: 2 },
      {
        name: "constructors",
        edges: 1,
        samples: [{ from: "src/box.ts::Box", to: "src/box.ts::Box.constructor" }]
      }
    ),
    total_edges: 3
  }),
  retrieval_log: finds({
    by_tool: [{ tool: "search.text", count: 1, zero_rate: 1, p50_ms: 3 }],
    zero_result_questions: [{ question: "nothing" }]
  })
}

const upkeep: { readonly [kind: string]: Proof } = {
  todos: finds({
    todos: [{ id: "src/main.ts:4", tag: "TODO", assignee: "ann", text: "totals of zero" }],
    by_tag: { TODO: 1 }
  }),
  dead_code: finds({
    dead_code: [
      { id: "flow/native.go::free", confidence: "high" },
      { id: "src/unused.ts::hermit", confidence: "high" },
      { id: "src/unused.ts::nobody", confidence: "high" },
      { id: amounts, confidence: "medium" },
      ...[
        "api/app.ts::digest",
        ...within("src/box.ts", "Box", "Box.put"),
        ...within("src/flags.ts", "beta", "gamma"),
        ...within("src/long.ts", "one", "two"),
        ...within("src/shapes.ts", "Never", "Square", "Round", "size"),
        "src/user.ts::user",
        "web/Page.tsx::Page"
      ].map((id) => ({ id, confidence: "low" }))
    ]
  }),
  // The test leads to the five orders.
  untested: finds({
    untested: among({ id: billFive, fan_in: 4 }, { id: sums, complexity: 5 }, { id: main }),
    total_candidates: 43,
    total_uncovered: 43 - 5
  }),
  tests_as_edges: finds({ rows: [{ id: orderOne, count: 1, related: ["test/orders.test.ts::counts"] }] }),
  clones: finds({ clusters: [{ avg_similarity: 1, members: ids(sums, amounts), has_dead_code: true }] }),
  extraction: finds({ candidates: [{ id: long, line_count: 28, caller_count: 2, fan_out: 5 }] }),
  // A condition in a loop weighs two, and so does the loop in it: 1 + 2 + 2 + 2.
  bottlenecks: finds({
    functions: among(
      { id: sums, score: 5 + 7 + 5 * 2 ** 2, cyclomatic: 5, cognitive: 7, loop_depth: 2 },
      { id: main, score: 1 + 4 * 2, cyclomatic: 1, transitive_loop_depth: 2 },
      { id: work, score: 2 + 1 + 5, loop_depth: 1 }
    )
  }),
  health: finds({
    worst_symbols: among(
      { id: sums, complexity: 5 },
      { id: create, complexity: 2 },
      { id: billOne, complexity: 1, score: 100 }
    ),
    grade: "A"
  }),
  // Complexity 100 at .35 and recency 100 at .1, of weights that add up to .65 where nothing is covered.
  health_score: finds({
    symbols: among(
      ...["src/flags.ts::beta", flag].map((id) => ({
        id,
        score: 69.2,
        grade: "D",
        churn_pct: 0,
        complexity_pct: 100
      })),
      { id: sums, coverage_pct: 50, churn_pct: 100, complexity: 5 }
    )
  }),
  coverage_gaps: finds({ gaps: [{ id: sums, coverage_pct: 50, num_stmt: 4, hit: 2 }] }),
  coverage_summary: finds({ directories: [{ dir: "src", symbols: 1, avg_pct: 50, partial: 1, covered: 0 }] }),
  doc_staleness: finds({
    stale: [
      { id: "AGENTS.md", line: 3, links: [{ target: "src/lost.ts", state: "dangling" }] },
      { id: "docs/guide.md", line: 3, links: [{ target: "../src/gone.ts", state: "dangling" }] }
    ]
  }),
  agent_config: finds({
    dead_commands: [{ file_path: "AGENTS.md", line: 3, command: "npm run deploy" }],
    dead_paths: [{ path: "src/lost.ts" }]
  }),
  lint: options(
    { path: "src/linted.js", timeout_ms: 60_000 },
    {
      diagnostics: [
        { line: 2, column: 1, linter: "biome", rule: "lint/suspicious/noDebugger" },
        { line: 2, column: 1, linter: "oxlint", rule: "eslint/no-debugger" }
      ],
      healthy: false
    }
  )
}

const history: { readonly [kind: string]: Proof } = {
  // In 30 days: two commits in 731 days, one in the 365 between its first and the newest, one in 731.
  churn: finds({
    symbols: among(
      {
        id: flag,
        commit_count: 2,
        churn_rate: 0.08,
        last_commit_at: "2021-01-01T00:00:00Z",
        last_author: "Ada"
      },
      { id: "src/flags.ts::gamma", commit_count: 1, churn_rate: 0.08 },
      { id: create, commit_count: 1, churn_rate: 0.04, last_commit_at: "2020-01-01T00:00:00Z" }
    )
  }),
  // 2 / √(2 · 2), and 1 / √(2 · 1) for what only the first commit has.
  co_change: given(
    { target: { file: "src/kit.ts" } },
    {
      co_changing: among(
        { id: "src/flags.ts", score: 1, count: 2 },
        { id: "api/app.ts", score: 0.7071, count: 1 }
      ),
      total: 38 - 1
    }
  ),
  fixes_history: finds({
    files: ["src/flags.ts", "src/kit.ts"].map((id) => ({
      id,
      fix_commits: 1,
      recent: [{ subject: "fix: totals crash (#7)" }]
    })),
    total_fix_commits: 1,
    commits_looked_at: 3
  }),
  ownership: finds({
    owners: [{ email: "ada@example.org", name: "Ada", newest_timestamp: "2021-01-01T00:00:00Z" }],
    files_not_measured: { untracked: 2 }
  }),
  stale_code: finds({
    stale: among(
      { id: create, timestamp: "2020-01-01T00:00:00Z" },
      { id: flag, timestamp: "2021-01-01T00:00:00Z" }
    )
  }),
  stale_flags: finds({
    flags: [
      {
        name: "old-checkout",
        line: 2,
        caller_ids: ["src/flags.ts::beta"],
        newest_call_timestamp: "2020-01-01T00:00:00.000Z"
      },
      {
        name: "cart",
        line: 3,
        caller_ids: ["src/flags.ts::gamma"],
        newest_call_timestamp: "2021-01-01T00:00:00.000Z"
      }
    ]
  }),
  releases: finds({
    releases: [{ tag: "v1.0.0", released_at: "2020-01-01T00:00:00Z", commits: 1, file_count: 38 }]
  }),
  recent_changes: options(
    { since: "2020-06-01" },
    {
      changes: [
        { id: "docs/adr/0001-rings.md", subject: "docs: decide", timestamp: "2022-01-01T00:00:00Z" },
        { id: "src/flags.ts", subject: "fix: totals crash (#7)" },
        { id: "src/kit.ts", subject: "fix: totals crash (#7)" }
      ]
    }
  ),
  replay: options(
    { anchor_symbol: "src/flags.ts::beta", window_days: 0 },
    {
      timeline: [
        { id: flag, relation: "used", distance: 1, subject: "fix: totals crash (#7)" },
        { id: "src/flags.ts::beta", relation: "anchor", distance: 0, subject: "feat: begin" },
        { id: flag, relation: "used", distance: 1, subject: "feat: begin" }
      ]
    }
  ),
  why: given(
    { target: symbol(orderOne) },
    {
      rationale: [
        { id: "docs/adr/0001-rings.md:5", rationale_kind: "decision" },
        { rationale_kind: "introduction", text: "feat: begin" }
      ]
    }
  ),
  citation: options({ span: "name.trim()", file_path: "src/kit.ts" }, { match_lines: [1], verified: true })
}

/** Matches of detectors: where, and which. */
const matches = (
  ...all: ReadonlyArray<readonly [detector: string, file: string, line: number, column: number]>
): Value => ({
  matches: all.map(([detector, file, line, column]) => ({ detector, file, line, column })),
  total: all.length,
  complete: true
})

const rules: { readonly [kind: string]: Proof } = {
  inspection_catalog: options(
    { category: "hygiene" },
    {
      inspections: among(
        { id: "js-debugger", severity: "error" },
        { id: "py-bare-except", severity: "warning" }
      )
    }
  ),
  inspections: options(
    { inspections: ["py-subprocess-shell"] },
    {
      results: [
        {
          inspection: "py-subprocess-shell",
          violations: [{ file: "api/models.py", line: 8, symbol: "api/models.py::run" }]
        }
      ],
      summary: { total_violations: 1 }
    }
  ),
  sast: finds(
    matches(
      ["js-sql-built", "api/app.ts", 8, 9],
      ["py-subprocess-shell", "api/models.py", 8, 5],
      ["js-weak-hash", "api/app.ts", 6, 38],
      ["py-assert-check", "api/models.py", 9, 5]
    )
  ),
  hygiene: finds(
    matches(
      ["js-debugger", "src/linted.js", 2, 1],
      ["py-bare-except", "api/models.py", 13, 5],
      ["py-except-pass", "api/models.py", 13, 5]
    )
  ),
  review: finds(
    matches(
      ["sql-select-star", "dbt/models/orders.sql", 1, 1],
      ["sql-select-star", "dbt/models/stg_orders.sql", 1, 1]
    )
  ),
  unsafe_patterns: finds(
    matches(
      ["rs-unwrap", "wasm/lib.rs", 3, 48],
      ["ts-any", "api/app.ts", 7, 35],
      ["ts-any", "api/app.ts", 7, 45],
      ["py-assert", "api/models.py", 9, 5],
      ["ts-any", "src/shapes.ts", 9, 43]
    )
  ),
  domain: finds(matches(["main-called", "src/main.ts", 9, 1])),
  named: options(
    { name: "injection" },
    matches(["js-sql-built", "api/app.ts", 8, 9], ["py-subprocess-shell", "api/models.py", 8, 5])
  )
}

const dataflow: { readonly [kind: string]: Proof } = {
  def_use: given(
    { target: symbol(sums) },
    {
      symbols: [
        {
          id: sums,
          chains: among(
            { var: "prices", stmt_line: 4, def_lines: [1] },
            { var: "total", stmt_line: 6, def_lines: [2, 6, 8] },
            { var: "least", stmt_line: 7, def_lines: [3, 7] },
            { var: "total", stmt_line: 8, def_lines: [6, 8] },
            { var: "total", stmt_line: 10, def_lines: [2, 6, 8] }
          )
        }
      ]
    }
  ),
  field_writers: finds({
    fields: [
      { id: total, writes: 3, writers: ids(loose, "flow/channels.go::Make", work) },
      { id: "src/box.ts::Box.label", writes: 1, writers: ids("src/box.ts::Box.put") }
    ]
  }),
  indirect_mutations: finds({
    fields: [
      {
        id: "flow/channels.go::Owner.counter",
        mutators: [16, 18].map((line) => ({ function: work, via: loose, line }))
      },
      {
        id: "src/box.ts::Box.items",
        mutators: [{ function: "src/box.ts::Box.put", via: "push", line: 6, by_name: true }]
      }
    ]
  }),
  constructors_missing_fields: finds({
    sites: [
      { id: "flow/channels.go:23", type_name: "Counter", missing_fields: ["mu", "tags"], total_fields: 3 },
      { id: "src/box.ts:4", type_name: "Box", missing_fields: ["label"], total_fields: 3 }
    ]
  }),
  error_surface: finds({
    throwers: [
      { id: create, errors: ["Error"], error_msgs: ["no such user"] },
      { id: amounts, errors: ["RangeError"], error_msgs: ["a weight below zero"] },
      { id: sums, errors: ["RangeError"], error_msgs: ["a price below zero"] }
    ]
  }),
  race_writes: finds({
    race_writes: [
      { field: total, writer: work, line: 20 },
      { field: total, writer: loose, line: 11, spawn_path: [work, loose] }
    ]
  }),
  goroutine_spawns: finds({
    spawns: [
      { line: 18, target: loose, concurrency: "in_loop" },
      { line: 20, target: "func literal", concurrency: "once" },
      { line: 27, target: "func literal", concurrency: "once" }
    ]
  }),
  channel_ops: finds({ channels: [{ channel: "open", line: 26, sends: 1, recvs: 1, closes: 0 }] }),
  unclosed_channels: finds({
    unclosed_channels: [
      { channel: "open", line: 26, risk: "high", reason: "the range at flow/channels.go:28 never ends" }
    ]
  })
}

const made = { symbol: create, file_path: "api/app.ts" }

const platform: { readonly [kind: string]: Proof } = {
  contracts: finds({
    contracts: among(
      { id: "http::POST::/api/users", role: "consumer", symbol: "web/Page.tsx::Page", line: 4 },
      { id: "http::POST::/api/users", role: "provider", symbol: create, line: 15 },
      { id: "topic::user.created", role: "provider", symbol: create, line: 9 },
      { id: "topic::user.created", role: "consumer", line: 16 },
      { id: "env::SHOP_NAME", role: "consumer", symbol: create, line: 11 },
      { id: "dependency::npm::shop", role: "provider", file_path: "package.json" },
      { id: "dependency::go::example.com/shop", role: "provider", file_path: "go.mod" }
    ),
    total: 7,
    dependencies_skipped: 2
  }),
  routes: finds({
    routes: [
      { route: "POST /api/users", framework: "express", handler: create, line: 15 },
      { kind: "topic", path: "user.created", handler_kind: "inline", line: 16 }
    ]
  }),
  route_frameworks: finds({ route_counts_by_framework: { express: 1 } }),
  components: finds({
    components: [
      { id: "web/Button.tsx::Button", framework: "react", fan_in: 1, fan_out: 0 },
      { id: "web/Page.tsx::Page", framework: "react", fan_in: 0, fan_out: 1 }
    ]
  }),
  models: finds({
    models: [{ model: "Invoice", table: "invoices", orm: "sqlalchemy", derivation: "explicit", line: 4 }]
  }),
  sql_call_sites: finds({ call_sites: [{ id: create, line: 8, writes: ["users"], reads: [] }] }),
  orphan_tables: finds({ orphans: [{ table: "users", query_count: 1, file_path: "api/app.ts", line: 8 }] }),
  unreferenced_tables: finds({
    unreferenced: [{ table: "audit_trail", file_path: "api/schema.sql", line: 1 }]
  }),
  dbt_models: finds({
    dbt_models: [
      { name: "orders", upstream: ["stg_orders"], downstream: [] },
      { name: "stg_orders", upstream: ["source.raw.orders"], downstream: ["orders"] }
    ]
  }),
  pubsub: finds({
    topics: [{ name: "user.created", publishers: [{ ...made, line: 9 }], subscribers: [{ line: 16 }] }]
  }),
  temporal_orphans: finds({
    orphan_workflow: [{ name: "Checkout", line: 5 }],
    looked_at: { workflows: 1, dispatches: 1 }
  }),
  event_emitters: finds({
    events: [
      { name: "user.created", event_kind: "event", emitters: [{ ...made, line: 9 }] },
      { name: "made", event_kind: "log", emitters: [{ ...made, line: 10 }] }
    ]
  }),
  log_events: finds({
    events: [{ value: "made", level: "error", emitters: [{ ...made, line: 10 }] }],
    by_level: { error: 1 }
  }),
  string_emitters: finds({
    strings: [
      { context: "error", value: "a price below zero" },
      { context: "error", value: "a weight below zero" },
      { context: "error", value: "no such user" },
      { context: "feature_flag", value: "cart" },
      { context: "feature_flag", value: "old-checkout" },
      { context: "header", value: "X-Made-By", emitters: [{ ...made, line: 11 }] }
    ]
  }),
  config_readers: finds({
    config_keys: [
      { name: "SHOP_NAME", source: "environment", sites: [{ ...made, line: 11 }] },
      { name: "shop.url", source: "spring", sites: [{ symbol: "jvm/Config.java::Config.url", line: 4 }] }
    ]
  }),
  env_var_users: finds({ env_vars: [{ name: "SHOP_NAME", reads: 1, sites: [{ ...made, line: 11 }] }] }),
  annotation_users: finds({
    annotations: [
      { name: "Deprecated", users: 1, line: 2 },
      { name: "Value", users: 1, line: 4 },
      { name: "wasm_bindgen", users: 1, line: 2 }
    ]
  }),
  external_calls: finds({
    modules: [
      { path: "C" },
      { path: "axios", version: "^1.6.0" },
      { path: "express", version: "^4.0.0" },
      { path: "go.temporal.io/sdk/workflow" },
      { path: "node:crypto" },
      { path: "node:events" },
      { path: "org.springframework.beans.factory.annotation" },
      { path: "sqlalchemy" },
      { path: "subprocess" }
    ].map((module) => ({ ...module, calls: 1 }))
  }),
  k8s_resources: finds({
    resources: [{ k8s_kind: "Deployment", name: "api", file_path: "deploy/app.yaml", line: 1 }]
  }),
  kustomize: finds({ kustomizations: [{ dir: "deploy/prod", resources: ["deploy/app.yaml"] }] }),
  images: finds({
    images: [{ ref: "shop/api:1.4", tag: "1.4", line: 9, used_by: [{ name: "Deployment/api" }] }]
  }),
  cgo_users: finds({ cgo_users: [{ id: "flow/native.go", line: 4, uses: ["free"] }] }),
  wasm_users: finds({ wasm_users: [{ id: "wasm/lib.rs", line: 1, bound: ["greet"] }] }),
  drupal_hooks: finds({ hooks: [{ hook: "hook_cron", implementations: [{ module: "shop", line: 5 }] }] }),
  swiftui_views: finds({ roles: [{ role: "view", types: [{ name: "Home", line: 2 }] }] }),
  uikit_classes: finds({
    roles: [{ role: "view_controller", classes: [{ name: "LoginViewController", line: 2 }] }]
  })
}

export const kinds: { readonly [kind: string]: Proof } = {
  ...overview,
  ...measures,
  ...upkeep,
  ...history,
  ...rules,
  ...dataflow,
  ...platform
}
