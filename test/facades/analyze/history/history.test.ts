import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { served, type Value } from "../../read/support.ts"
import { write } from "./support.ts"

const ada = ["Ada", "ada@example.org"] as const
const adaOld = ["ada l", "ada@old.example.org"] as const
const grace = ["Grace", "grace@example.org"] as const

const money = (inner: string) => `export function total(n: number): number {
  ${inner}
}

export function label(n: number): string {
  return "sum " + n
}
`
/** Six commits over two years: what each touched is written beside it. */
const begin = (folder: Parameters<typeof write>[0]) =>
  write(folder, [
    {
      at: "2020-01-01T00:00:00Z",
      by: adaOld,
      subject: "feat: begin",
      body: "Totals are kept as whole cents because floats lose money.",
      files: {
        ".mailmap": "Ada <ada@example.org> <ada@old.example.org>\n",
        "src/sum.ts": money("return n"),
        "src/flags.ts": `import { isFeatureEnabled } from "./kit.ts"
export const beta = () => isFeatureEnabled("old-checkout")
`,
        "src/kit.ts": `export const isFeatureEnabled = (name: string) => name !== ""
`
      },
      tag: "v1.0.0"
    },
    {
      at: "2020-06-01T00:00:00Z",
      by: grace,
      subject: "fix: totals of nothing (#7)",
      files: { "src/sum.ts": money("return n || 0"), "test/sum.test.ts": "import '../src/money.ts'\n" }
    },
    {
      at: "2021-01-01T00:00:00Z",
      by: ada,
      subject: "refactor: move sums",
      files: { "src/money.ts": { from: "src/sum.ts", text: money("return n || 0") } },
      tag: "v1.1.0"
    },
    {
      at: "2021-06-01T00:00:00Z",
      by: grace,
      subject: "fix(money): negative totals crash",
      files: {
        "src/money.ts": money("return Math.max(n || 0, 0)"),
        "test/sum.test.ts": "import '../src/money.ts'\n// negative\n"
      }
    },
    {
      at: "2021-07-01T00:00:00Z",
      by: grace,
      subject: "docs: fix typo",
      files: {
        "docs/adr/0001-cents.md":
          "# Whole cents\n\n## Decision\n\nWe decided that `total` works on cents, so that rounding happens once.\n"
      }
    },
    {
      at: "2022-01-01T00:00:00Z",
      by: ada,
      subject: "feat: newer flag",
      files: {
        "src/flags.ts": `import { isFeatureEnabled } from "./kit.ts"
export const beta = () => isFeatureEnabled("old-checkout")
export const gamma = () => isFeatureEnabled("new-cart")
`
      },
      tag: "v2.0.0-rc.1"
    }
  ])
const served6 = served({}, { before: begin })
const idsOf = (rows: ReadonlyArray<Value>) => rows.map((row) => row["id"])

describe("analyze: what history tells", () => {
  it.scopedLive("of symbols, files and authors, through renames and the mailmap", () =>
    Effect.gen(function* () {
      const at = yield* served6
      const heads = at.folder.git("", "log", "--format=%H", "--reverse").trim().split("\n")
      const churn = yield* at.call("analyze", { kind: "churn" })
      const [first] = churn["symbols"]
      // 2020-01, 2020-06 and 2021-06 changed it; the move in 2021-01 changed none of its lines.
      assert.deepInclude(first, {
        id: "src/money.ts::total",
        file_path: "src/money.ts",
        line: 1,
        commit_count: 3,
        last_author: "Grace",
        last_commit: heads[3],
        last_commit_at: "2021-06-01T00:00:00Z",
        // 731 days from the first to the newest commit.
        churn_rate: 0.12
      })
      assert.deepInclude(churn, { source: "measured_now", complete: true, commits_walked: 6 })
      const all = yield* at.call("analyze", {
        kind: "churn",
        options: { kinds: "all", sort_by: "commit_count", path_prefix: "src/flags.ts" }
      })
      assert.deepStrictEqual(
        all["symbols"].map((row: Value) => [row["id"], row["commit_count"]]),
        [
          ["src/flags.ts::beta", 1],
          ["src/flags.ts::gamma", 1]
        ]
      )
      assert.deepStrictEqual(
        (yield* at.call("analyze", { kind: "churn", options: { min_commits: 2 } }))["symbols"].length,
        1
      )

      const owners = yield* at.call("analyze", { kind: "ownership" })
      assert.deepStrictEqual(
        owners["owners"].map((row: Value) => [
          row["email"],
          row["name"],
          row["symbols"],
          row["files"],
          row["lines"],
          row["newest_timestamp"]
        ]),
        // label and total's frame are Ada's under her old address, one line of total is Grace's.
        [
          ["ada@example.org", "Ada", 4, 3, 8, "2022-01-01T00:00:00Z"],
          ["grace@example.org", "Grace", 1, 1, 1, "2021-06-01T00:00:00Z"]
        ]
      )
      const stale = yield* at.call("analyze", { kind: "stale_code", options: { older_than: 30 } })
      assert.deepStrictEqual(idsOf(stale["stale"]).slice(0, 3), [
        "src/flags.ts::beta",
        "src/kit.ts::isFeatureEnabled",
        "src/money.ts::label"
      ])
      assert.deepInclude(stale["stale"][0], {
        email: "ada@example.org",
        commit: heads[0],
        timestamp: "2020-01-01T00:00:00Z"
      })
      assert.isAbove(stale["stale"][0].age_days, 2000)
      const hers = yield* at.call("analyze", {
        kind: "stale_code",
        options: { older_than: 30, email: "Grace@example.org" }
      })
      assert.deepStrictEqual(idsOf(hers["stale"]), ["src/money.ts::total"])
      assert.deepStrictEqual(
        (yield* at.call("analyze", { kind: "stale_code", options: { older_than: 1_000_000 } }))["stale"],
        []
      )

      const fixes = yield* at.call("analyze", { kind: "fixes_history" })
      assert.deepStrictEqual(
        fixes["files"].map((row: Value) => [row["file_path"], row["fix_commits"], row["commits"]]),
        [
          ["src/money.ts", 2, 4],
          ["test/sum.test.ts", 2, 2]
        ]
      )
      assert.deepInclude(fixes, { total_fix_commits: 2, commits_looked_at: 6, complete: true })
      assert.deepInclude(fixes["files"][0].recent[0], { subject: "fix(money): negative totals crash" })

      const together = yield* at.call("analyze", { kind: "co_change", target: { file: "src/money.ts" } })
      // Four commits of money.ts, two of them with the test, which has two in all.
      assert.deepStrictEqual(
        together["co_changing"].map((row: Value) => [row["file_path"], row["score"], row["count"]]),
        [
          ["test/sum.test.ts", 0.7071, 2],
          [".mailmap", 0.5, 1],
          ["src/kit.ts", 0.5, 1],
          ["src/flags.ts", 0.3536, 1]
        ]
      )
      const ofSymbol = yield* at.call("analyze", { kind: "co_change", target: { symbol: "label" } })
      assert.deepInclude(ofSymbol, { symbol_id: "src/money.ts::label", target_commits: 1 })
      assert.deepStrictEqual(
        ofSymbol["co_changing"].map((row: Value) => [row["file_path"], row["score"]]),
        [
          [".mailmap", 1],
          ["src/kit.ts", 1],
          ["src/flags.ts", 0.7071]
        ]
      )
    })
  )

  it.scopedLive("of releases, flags, reasons and recent days", () =>
    Effect.gen(function* () {
      const at = yield* served6
      const heads = at.folder.git("", "log", "--format=%H", "--reverse").trim().split("\n")
      const releases = yield* at.call("analyze", { kind: "releases" })
      assert.deepStrictEqual(
        releases["releases"].map((row: Value) => [
          row["tag"],
          row["version"],
          row["prerelease"],
          row["order"],
          row["commits"],
          row["files"]
        ]),
        [
          ["v2.0.0-rc.1", "2.0.0-rc.1", true, 2, 3, ["docs/adr/0001-cents.md"]],
          ["v1.1.0", "1.1.0", false, 1, 2, ["src/money.ts", "test/sum.test.ts"]],
          ["v1.0.0", "1.0.0", false, 0, 1, [".mailmap", "src/flags.ts", "src/kit.ts", "src/sum.ts"]]
        ]
      )
      const one = yield* at.call("analyze", { kind: "releases", options: { tag: "v1.0.0" } })
      assert.deepStrictEqual(
        one["file_hits"].map((row: Value) => [row["file_path"], row["symbols"]]),
        [
          [".mailmap", 0],
          ["src/flags.ts", 2],
          ["src/kit.ts", 1]
        ]
      )
      assert.strictEqual(one["files_that_are_gone"], 1)

      const flags = yield* at.call("analyze", { kind: "stale_flags", options: { older_than: 365 } })
      assert.deepStrictEqual(
        flags["flags"].map((row: Value) => [
          row["id"],
          row["provider"],
          row["caller_ids"],
          row["newest_call_timestamp"]
        ]),
        [
          ["internal:old-checkout", "internal", ["src/flags.ts::beta"], "2020-01-01T00:00:00.000Z"],
          ["internal:new-cart", "internal", ["src/flags.ts::gamma"], "2022-01-01T00:00:00.000Z"]
        ]
      )
      const unleash = yield* at.call("analyze", { kind: "stale_flags", options: { provider: "unleash" } })
      assert.deepInclude(unleash, { total: 0, flags_found: 0, unscored: 0 })

      const why = yield* at.call("analyze", { kind: "why", target: { symbol: "total" } })
      const rationale = why["rationale"] as ReadonlyArray<Value>
      assert.deepInclude(rationale[0], {
        kind: "document",
        rationale_kind: "decision",
        asset_kind: "adr",
        name: "Decision",
        file_path: "docs/adr/0001-cents.md",
        line: 5
      })
      const introduced = rationale.find((row) => row["rationale_kind"] === "introduction")
      assert.strictEqual(introduced?.["commit"], heads[0])
      assert.include(introduced?.["text"], "because floats lose money")
      assert.deepStrictEqual(
        rationale
          .filter(({ kind }) => kind === "commit")
          .map((row) => row["commit"])
          .sort(),
        [heads[0], heads[1], heads[3]].sort()
      )
      assert.deepStrictEqual(why["not_looked_at"], [{ source: "memories", because: "not here" }])

      const replay = yield* at.call("analyze", {
        kind: "replay",
        options: { anchor_symbol: "src/flags.ts::beta", window_days: 0 }
      })
      assert.deepStrictEqual(
        replay["timeline"].map((row: Value) => [row["id"], row["relation"], row["distance"], row["commit"]]),
        [
          ["src/flags.ts::beta", "anchor", 0, heads[0]],
          ["src/kit.ts::isFeatureEnabled", "used", 1, heads[0]]
        ]
      )
      assert.deepStrictEqual(
        replay["not_looked_at"].map(({ source }: Value) => source),
        ["coverage", "memories"]
      )
      const recently = yield* at.call("analyze", {
        kind: "replay",
        options: { anchor_symbol: "src/flags.ts::beta" }
      })
      assert.deepStrictEqual(recently["timeline"], [])
      at.write(
        "src/kit.ts",
        `export const isFeatureEnabled = (name: string) => name !== "" && name !== "x"\n`
      )
      const edited = yield* at.call("analyze", {
        kind: "replay",
        options: { anchor_symbol: "src/flags.ts::beta" }
      })
      assert.deepStrictEqual(
        edited["timeline"].map((row: Value) => [row["id"], row["kind"]]),
        [["src/kit.ts::isFeatureEnabled", "uncommitted"]]
      )

      const recent = yield* at.call("analyze", {
        kind: "recent_changes",
        options: { since: "2021-06-15" }
      })
      const rows = recent["changes"] as ReadonlyArray<Value>
      assert.deepInclude(rows[0], {
        file_path: "src/kit.ts",
        kind: "modified",
        nodes_before: 1,
        nodes_after: 1
      })
      assert.deepStrictEqual(
        rows.filter(({ kind }) => kind === "committed").map((row) => [row["file_path"], row["commit"]]),
        [
          ["src/flags.ts", heads[5]],
          ["docs/adr/0001-cents.md", heads[4]]
        ]
      )
      assert.strictEqual(recent["before_watching"], "only commits are known; edits nobody committed are not")

      const cited = (span: string, sha?: string, file_path = "src/money.ts") =>
        at.call("analyze", {
          kind: "citation",
          options: { span, file_path, ...(sha === undefined ? {} : { sha }) }
        })
      assert.deepInclude(yield* cited("Math.max(n || 0, 0)\n}"), {
        verified: true,
        span_first_line: 2,
        match_count: 1,
        sha_resolved: heads[5]
      })
      assert.deepInclude(yield* cited("Math.max", heads[2]), {
        verified: false,
        match_count: 0,
        sha_resolved: heads[2]
      })
      assert.deepInclude(yield* cited("return n", "v1.0.0"), { verified: false })
      assert.deepInclude(yield* cited("return n", "v1.0.0", "src/sum.ts"), { verified: true, match_count: 1 })
    })
  )

  it.scopedLive("refuses what can match nothing, and a folder without a history", () =>
    Effect.gen(function* () {
      const at = yield* served6
      const refused = (args: Value) => at.refused("analyze", args)
      const codes: ReadonlyArray<readonly [Value, string, string | undefined, string | undefined]> = [
        [
          { kind: "churn", options: { kinds: "funktion" } },
          "invalid_argument",
          "unknown_kind",
          "options.kinds"
        ],
        [
          { kind: "churn", options: { path_prefix: "nowhere" } },
          "invalid_argument",
          "path_not_indexed",
          "options.path_prefix"
        ],
        [{ kind: "churn", target: { file: "src/money.ts" } }, "invalid_argument", undefined, "target"],
        [
          { kind: "ownership", options: { kinds: "klass" } },
          "invalid_argument",
          "unknown_kind",
          "options.kinds"
        ],
        [
          { kind: "stale_code", options: { email: "who@example.org" } },
          "invalid_argument",
          "unknown_author",
          "options.email"
        ],
        [
          { kind: "stale_flags", options: { provider: "acme" } },
          "invalid_argument",
          undefined,
          "options.provider"
        ],
        [
          { kind: "releases", options: { tag: "v1.0" } },
          "invalid_argument",
          "unknown_release",
          "options.tag"
        ],
        [{ kind: "fixes_history", options: { since: "x" } }, "invalid_argument", undefined, "options.since"],
        [
          { kind: "co_change", target: { file: "src/none.ts" } },
          "file_not_indexed",
          undefined,
          "target.file"
        ],
        [{ kind: "co_change", target: { symbol: "totl" } }, "symbol_not_found", undefined, "target.symbol"],
        [
          { kind: "why", target: { symbol: "src/money.ts" } },
          "invalid_argument",
          "file_not_symbol",
          "target.symbol"
        ],
        [
          { kind: "replay", options: { anchor_symbol: "nothing" } },
          "symbol_not_found",
          undefined,
          "options.anchor_symbol"
        ],
        [
          { kind: "recent_changes", options: { since: "yesterday" } },
          "invalid_argument",
          "invalid_time",
          "options.since"
        ],
        [
          { kind: "recent_changes", options: { repo: "other" } },
          "invalid_argument",
          "unknown_repository",
          "options.repo"
        ],
        [
          { kind: "citation", options: { span: "x", file_path: "a", sha: "nope" } },
          "invalid_argument",
          "unknown_revision",
          "options.sha"
        ],
        [
          { kind: "citation", options: { span: "x", file_path: "../a" } },
          "path_outside_root",
          "path_outside_root",
          "options.file_path"
        ]
      ]
      for (const [args, code, reason, field] of codes) {
        const failure = yield* refused(args)
        assert.deepStrictEqual(
          [failure.code, reason === undefined ? undefined : failure.reason_code, failure.field],
          [code, reason, field],
          JSON.stringify(args)
        )
      }
      const plain = yield* served({ "a.ts": "export function alone() {}\n" })
      for (const kind of ["churn", "ownership", "stale_code", "releases", "fixes_history"]) {
        const failure = yield* plain.refused("analyze", { kind })
        assert.deepStrictEqual(
          [failure.code, failure.reason_code],
          ["capability_unavailable", "no_history"],
          kind
        )
      }
      const why = yield* plain.call("analyze", { kind: "why", target: { symbol: "alone" } })
      assert.strictEqual(why["count"], 0)
      assert.deepStrictEqual(
        why["not_looked_at"].map(({ source }: Value) => source),
        ["commits", "memories"]
      )
    })
  )

  it.scopedLive("sees the session's overlay, and says which files it could not measure", () =>
    Effect.gen(function* () {
      const at = yield* served6
      yield* at.overlay("s", {
        path: "src/money.ts",
        content: money("return 1"),
        deleted: false
      } as never)
      const churn = yield* at.call("analyze", { kind: "churn" }, "s")
      assert.deepStrictEqual(churn["files_not_measured"], { moved: 1 })
      assert.notInclude(idsOf(churn["symbols"]), "src/money.ts::total")
    })
  )
})
