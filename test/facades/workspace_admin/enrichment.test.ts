import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { utimesSync } from "node:fs"
import { pathMatcher } from "../../../src/facades/workspace_admin/enrichment/paths.ts"
import { ControlView } from "../../../src/services/ControlView.ts"
import { write } from "../analyze/history/support.ts"
import { type Folder, served, type Value } from "../read/support.ts"

const ada = ["Ada", "ada@example.org"] as const
const grace = ["Grace", "grace@example.org"] as const

const money = (inner: string) => `export function total(n: number): number {
  if (n < 0) {
    return 0
  }
  ${inner}
}

export function label(n: number): string {
  return "sum " + n
}
`
const served2 = served(
  {},
  {
    before: (folder) => {
      write(folder, [
        {
          at: "2020-01-01T00:00:00Z",
          by: ada,
          subject: "feat: begin",
          files: {
            "src/money.ts": money("return n"),
            "src/util.ts": "export const util = () => 1\n",
            "pkg/calc/calc.go":
              "package calc\n\nfunc Add(a, b int) int {\n\treturn a + b\n}\n\nfunc Sub(a, b int) int {\n\treturn a - b\n}\n",
            "other/util.ts": "export const other = () => 2\n",
            ".gitignore": "out/\n"
          },
          tag: "v1.0.0"
        },
        {
          at: "2020-06-01T00:00:00Z",
          by: grace,
          subject: "fix: totals",
          files: { "src/money.ts": money("return n || 0") },
          tag: "v1.1.0"
        }
      ])
    }
  }
)
const admin = (at: Folder, operation: string, args: Value = {}) =>
  at.call("workspace_admin", { operation, arguments: args })
const stored = <A>(at: Folder, use: (view: ControlView["Type"]) => Effect.Effect<A, unknown>) =>
  Effect.orDie(Effect.provide(Effect.flatMap(ControlView, use), at.context))

describe("workspace_admin: stamps", () => {
  it.scopedLive(
    "of churn, authors and releases are what analyses answer from, and say when they are old",
    () =>
      Effect.gen(function* () {
        const at = yield* served2
        const heads = at.folder.git("", "log", "--format=%H", "--reverse").trim().split("\n")
        const churn = yield* admin(at, "enrich_churn")
        assert.deepInclude(churn, { files: 4, symbols: 6 })
        assert.deepStrictEqual(churn["repos"], [
          { root: ".", head: heads[1], commits: 2, files: 4, symbols: 6 }
        ])
        const record = yield* stored(at, (view) => view.get("churn", "src/money.ts"))
        assert.deepInclude(record?.value, {
          sha: at.folder.git("", "rev-parse", "HEAD:src/money.ts").trim(),
          commits: 2,
          added: 11,
          deleted: 1,
          authors: 2,
          first_at: Date.parse("2020-01-01T00:00:00Z") / 1000,
          last_author: "Grace",
          last_commit: heads[1]
        })
        const answer = yield* at.call("analyze", { kind: "churn" })
        assert.deepInclude(answer, { source: "stamped", complete: true })
        assert.deepInclude(answer["symbols"][0], { id: "src/money.ts::total", commit_count: 2 })

        const blame = yield* admin(at, "blame")
        assert.deepInclude(blame, { enriched: 6, files: 4 })
        const owners = yield* at.call("analyze", { kind: "ownership" })
        assert.deepInclude(owners, { source: "stamped", complete: true, symbols_blamed: 6 })
        assert.deepStrictEqual(
          owners["owners"].map((row: Value) => [row["email"], row["symbols"]]),
          [
            ["ada@example.org", 5],
            ["grace@example.org", 1]
          ]
        )

        const releases = yield* admin(at, "enrich_releases")
        assert.deepInclude(releases, { releases: 2, files: 5 })
        assert.deepInclude(yield* at.call("analyze", { kind: "releases" }), { source: "stamped", total: 2 })

        // A new commit, and the stamps are behind.
        at.write("src/money.ts", `// first\n${money("return 5")}`)
        at.folder.commit("", "feat: five")
        at.folder.git("", "tag", "v1.2.0")
        const later = yield* at.call("analyze", { kind: "churn" })
        assert.deepInclude(later, { complete: false, head_moved: true, stale_file_count: 1 })
        assert.deepInclude(later["symbols"][0], { id: "src/money.ts::total", line: 2, commit_count: 2 })
        assert.deepStrictEqual(later["follow_up"].arguments, { operation: "enrich_churn" })
        assert.strictEqual((yield* at.call("analyze", { kind: "releases" }))["tags_not_stamped"], 1)

        // Only a part again; the rest stays as it was.
        const part = yield* admin(at, "enrich_churn", { path: "src" })
        assert.deepInclude(part, { files: 2 })
        assert.strictEqual((yield* stored(at, (view) => view.list("churn"))).length, 4)
        assert.strictEqual((yield* stored(at, (view) => view.get("churn", "src/money.ts")))?.value.commits, 3)

        // As a branch has it: what is not the same there is not measured.
        const old = yield* admin(at, "enrich_churn", { branch: "v1.0.0" })
        assert.deepInclude(old, { files: 3, files_not_measured: 1 })
        for (const [operation, args, field, reason] of [
          ["enrich_churn", { branch: "nowhere" }, "arguments.branch", "unknown_revision"],
          ["enrich_churn", { path: "nowhere" }, "arguments.path", "path_not_indexed"],
          ["enrich_releases", { branch: "nowhere" }, "arguments.branch", "unknown_revision"],
          ["enrich_releases", { path: "nowhere" }, "arguments.path", "path_not_indexed"]
        ] as const) {
          const failure = yield* at.refused("workspace_admin", { operation, arguments: args })
          assert.deepStrictEqual([failure.field, failure.reason_code], [field, reason], operation)
        }
        const plain = yield* served({ "a.ts": "export const a = () => 1\n" })
        for (const operation of ["enrich_churn", "enrich_releases", "blame"])
          assert.strictEqual(
            (yield* plain.refused("workspace_admin", { operation })).reason_code,
            "no_history"
          )
      })
  )

  it.scopedLive("of coverage lie on lines and definitions, from profiles of every form", () =>
    Effect.gen(function* () {
      const at = yield* served2
      at.write(
        "out/lcov.info",
        `SF:${at.folder.at("src/money.ts")}\nDA:2,4\nDA:3,0\nDA:5,4\nDA:9,0\nend_of_record\nSF:gone/away.ts\nDA:1,1\nend_of_record\n`
      )
      const lcov = yield* admin(at, "coverage", { profile: "out/lcov.info" })
      assert.deepInclude(lcov, {
        enriched: 2,
        files: 1,
        segments: 5,
        coverage_pct: 50,
        format: "lcov",
        profile: "out/lcov.info",
        left_out: [{ path: "gone/away.ts", reason: "not_indexed" }]
      })
      const record = yield* stored(at, (view) => view.get("coverage", "src/money.ts"))
      assert.deepStrictEqual(record?.value, {
        sha: at.folder.git("", "rev-parse", "HEAD:src/money.ts").trim(),
        covered: [2, 2, 5, 5],
        uncovered: [3, 3, 9, 9],
        hit: 2,
        total: 4,
        symbols: [
          { id: "src/money.ts::total", kind: "function", line: 1, hit: 2, total: 3 },
          { id: "src/money.ts::label", kind: "function", line: 8, hit: 0, total: 1 }
        ]
      })

      at.write(
        "out/cover.out",
        "mode: set\nexample.org/m/pkg/calc/calc.go:3.26,5.2 1 1\nexample.org/m/pkg/calc/calc.go:7.26,9.2 1 0\n"
      )
      const go = yield* admin(at, "coverage", { profile: "out/cover.out" })
      assert.deepInclude(go, {
        enriched: 2,
        files: 1,
        format: "go",
        module_path: "example.org/m",
        coverage_pct: 50
      })
      assert.deepStrictEqual(
        (yield* stored(at, (view) => view.get("coverage", "pkg/calc/calc.go")))?.value.symbols.map(
          ({ hit, id, total }) => [id, hit, total]
        ),
        [
          ["pkg/calc/calc.go::Add", 1, 1],
          ["pkg/calc/calc.go::Sub", 0, 1]
        ]
      )
      // A profile takes the place of the one before it.
      assert.isUndefined(yield* stored(at, (view) => view.get("coverage", "src/money.ts")))

      // Written before the file was, or of another version of it.
      utimesSync(at.folder.at("out/cover.out"), 1_000_000, 1_000_000)
      assert.deepInclude(yield* admin(at, "coverage", { profile: "out/cover.out" }), {
        files_newer_than_profile: 1,
        newer_than_profile: ["pkg/calc/calc.go"]
      })
      at.write(
        "out/long.info",
        "SF:src/money.ts\nDA:400,1\nend_of_record\nSF:src/util.ts\nDA:1,1\nend_of_record\n"
      )
      assert.deepInclude(yield* admin(at, "coverage", { profile: "out/long.info" }), {
        files: 1,
        left_out: [{ path: "src/money.ts", reason: "other_version" }]
      })

      at.write("out/notes.txt", "hello\n")
      at.write("out/none.info", "SF:util.ts\nDA:1,1\nend_of_record\n")
      for (const [profile, code, reason] of [
        ["out/notes.txt", "invalid_argument", "unknown_format"],
        ["out/none.info", "invalid_argument", "no_file_matches"],
        ["out/absent.info", "not_found", "not_found"],
        ["../x", "path_outside_root", "path_outside_root"]
      ] as const) {
        const failure = yield* at.refused("workspace_admin", {
          operation: "coverage",
          arguments: { profile }
        })
        assert.deepStrictEqual(
          [failure.code, failure.reason_code, failure.field],
          [code, reason, "arguments.profile"]
        )
      }
    })
  )

  it.scopedLive("of feedback are counted, and scopes are saved, listed and forgotten", () =>
    Effect.gen(function* () {
      const at = yield* served({ "a.ts": "export const a = 1\n" })
      const feedback = (args: Value) => admin(at, "feedback", args)
      assert.deepStrictEqual(yield* feedback({ action: "query" }), {
        total_entries: 0,
        tool_source: "smart_context",
        most_useful: [],
        most_missed: [],
        most_demoted: []
      })
      yield* feedback({
        action: "record",
        task: "Fix totals",
        useful: "a.ts::a,b.ts::b",
        not_needed: ["c.ts::c"]
      })
      assert.deepStrictEqual(
        yield* feedback({ action: "record", useful: ["a.ts::a"], missing: ["d.ts::d"] }),
        {
          recorded: true,
          useful_count: 1,
          not_needed_count: 0,
          missing_count: 1
        }
      )
      yield* feedback({ action: "record", tool_source: "prefetch_context", not_needed: ["a.ts::a"] })
      assert.deepStrictEqual(yield* feedback({ action: "query", top_n: 1 }), {
        total_entries: 2,
        tool_source: "smart_context",
        accuracy: 0.75,
        most_useful: [{ id: "a.ts::a", count: 2 }],
        most_missed: [{ id: "d.ts::d", count: 1 }],
        most_demoted: [{ id: "c.ts::c", count: 1 }]
      })
      assert.strictEqual((yield* feedback({ action: "query", task: "totals" }))["total_entries"], 1)
      assert.strictEqual((yield* feedback({ action: "query", tool_source: "all" }))["total_entries"], 3)
      for (const [args, reason] of [
        [{ action: "record" }, "nothing_to_record"],
        [{ action: "record", useful: ["a"], tool_source: "all" }, "source_of_record"],
        [{ action: "record", useful: ["a"], not_needed: ["a"] }, "contradiction"],
        [{ action: "query", useful: ["a"] }, "not_for_queries"]
      ] as const)
        assert.strictEqual(
          (yield* at.refused("workspace_admin", { operation: "feedback", arguments: args })).reason_code,
          reason
        )

      const [{ name }] = (yield* at.call("workspace", { operation: "repos" }))["repos"]
      assert.deepStrictEqual(yield* at.call("workspace", { operation: "scopes" }), { total: 0, scopes: [] })
      const saved = yield* admin(at, "save_scope", {
        name: "core",
        repos: name,
        paths: "./src/,lib",
        description: "the core"
      })
      assert.deepStrictEqual(saved, {
        status: "saved",
        scope: { name: "core", description: "the core", repos: [name], paths: ["src", "lib"] }
      })
      assert.deepInclude(yield* admin(at, "save_scope", { name: "core", repos: [name] }), {
        status: "replaced"
      })
      assert.deepStrictEqual(yield* at.call("workspace", { operation: "scopes" }), {
        total: 1,
        scopes: [{ name: "core", repos: [name], paths: [] }]
      })
      for (const [args, reason] of [
        [{ name: "staged", repos: [name] }, "invalid_name"],
        [{ name: "-x", repos: [name] }, "invalid_name"],
        [{ name: "x", repos: ["nowhere"] }, "unknown_repository"],
        [{ name: "x", repos: [] }, "empty_scope"],
        [{ name: "x", repos: [name], paths: ["../y"] }, "path_outside_root"]
      ] as const)
        assert.strictEqual(
          (yield* at.refused("workspace_admin", { operation: "save_scope", arguments: args })).reason_code,
          reason
        )
      const unknown = yield* at.refused("workspace_admin", {
        operation: "delete_scope",
        arguments: { name: "cor" }
      })
      assert.deepInclude(unknown.data, { suggestion: "core", saved: ["core"] })
      assert.deepStrictEqual(yield* admin(at, "delete_scope", { name: "core" }), {
        status: "deleted",
        name: "core"
      })
      assert.strictEqual((yield* at.call("workspace", { operation: "scopes" }))["total"], 0)
    })
  )

  it("brings written paths to files, and guesses nothing", () => {
    const match = pathMatcher(
      ["src/a.ts", "lib/a.ts", "pkg/x/b.go", "b.go", "web/src/c.ts", "d.py"],
      "web/coverage/lcov.info"
    )
    assert.deepStrictEqual(match("src/a.ts"), { path: "src/a.ts" })
    assert.deepStrictEqual(match("/home/me/project/src/a.ts"), { path: "src/a.ts" })
    assert.deepStrictEqual(match("example.org/mod/pkg/x/b.go"), { path: "pkg/x/b.go" })
    assert.deepStrictEqual(match("src/c.ts"), { path: "web/src/c.ts" })
    assert.deepStrictEqual(match("../src/c.ts"), { path: "web/src/c.ts" })
    assert.deepStrictEqual(match("C:\\work\\src\\a.ts"), { path: "src/a.ts" })
    assert.deepStrictEqual(match("./d.py"), { path: "d.py" })
    assert.deepStrictEqual(match("a.ts"), { path: undefined, reason: "ambiguous" })
    assert.deepStrictEqual(match("other/a.ts"), { path: undefined, reason: "not_indexed" })
  })
})
