import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import { changes } from "../../src/facades/diff.ts"
import { window } from "../../src/facades/read/fields.ts"
import { selector } from "../../src/facades/selectors.ts"
import * as Facade from "../../src/registry/Facade.ts"
import { complete, operation } from "./support.ts"

const meant = (name: string, args: { readonly [key: string]: unknown }) =>
  Either.map(
    Facade.select(complete.facade(name) as Facade.Facade.Any, args),
    (selection) => selection.operation.name
  )
const chosen = (name: string, args: { readonly [key: string]: unknown }) =>
  Either.getOrThrow(meant(name, args))
const value = (name: string, op: string, args: unknown): any =>
  Either.getOrThrowWith(operation(name, op).decode(args), (error) => new Error(error.message)).value
const refusal = (name: string, op: string, args: unknown) =>
  Either.getOrThrow(Either.flip(operation(name, op).decode(args)))

describe("read", () => {
  it("takes the view its target stands for", () => {
    assert.strictEqual(chosen("read", { target: { file: "a" } }), "file")
    assert.strictEqual(chosen("read", { target: { symbol: "a" } }), "source")
    assert.strictEqual(chosen("read", { target: { symbols: ["a"] } }), "symbols")
    assert.strictEqual(chosen("read", { target: { artifact: "a" } }), "artifact")
    assert.strictEqual(chosen("read", { path: "a" }), "file")
    assert.strictEqual(chosen("read", {}), "source")
  })
  it("lets how many are named outrank the stated view of code", () => {
    assert.strictEqual(chosen("read", { operation: "source", target: { symbols: ["a", "b"] } }), "symbols")
    assert.strictEqual(chosen("read", { operation: "symbols", target: { symbol: "a" } }), "source")
    for (const stated of ["source", "symbols", "get_symbol_source"]) {
      assert.strictEqual(chosen("read", { operation: stated, target: { file: "a" } }), "file")
    }
  })
  it("keeps any other stated view", () => {
    for (const stated of ["summary", "editing_context"]) {
      assert.strictEqual(chosen("read", { operation: stated, target: { file: "a" } }), stated)
    }
    for (const stated of ["history", "editing_context"]) {
      assert.strictEqual(chosen("read", { operation: stated, target: { symbol: "a" } }), stated)
    }
  })
  it("refuses a target of none or several selectors, naming those there are", () => {
    for (const target of [{}, { file: "" }, { file: "a", symbol: "b" }, { symbol: "a", symbols: ["b"] }]) {
      const name = chosen("read", { target })
      const error = refusal("read", name, { target })
      assert.strictEqual(error.code, "invalid_argument")
      assert.isNotEmpty(error.data?.["valid_selectors"])
    }
    assert.deepStrictEqual(
      refusal("read", "source", { target: { kind: "symbol", symbol: "a" } }).data?.["valid_selectors"],
      ["symbol"]
    )
  })
  it("keeps ids whole and does not split text into them", () => {
    assert.deepStrictEqual(value("read", "symbols", { target: { symbols: ["Map<K, V>", "b"] } }).target, {
      symbols: ["Map<K, V>", "b"]
    })
    assert.strictEqual(refusal("read", "symbols", { target: { symbols: "a,b" } }).field, "target.symbols")
    assert.isTrue(value("read", "symbols", { ids: ["a"] }).options.include_source)
  })
  it("reads one window from all its spellings", () => {
    const target = { file: "a" }
    const canonical = value("read", "file", { target, options: { offset: 100, limit: 80 } })
    for (const args of [
      { options: { start: 100, limit: 80 } },
      { options: { start_line: 100, window: { limit: 80 } } },
      { options: { window: { offset: 100, limit: 80 } } },
      { window: { offset: 100, limit: 80 } },
      { context: { window: { offset: 100, limit: 80 } } },
      { offset: 100, limit: 80 },
      { context: { start_line: 100 }, output: { limit: 80 } }
    ]) {
      assert.deepStrictEqual(value("read", "file", { target, ...args }), canonical)
    }
    assert.deepStrictEqual(window(canonical.options), { start: 100, count: 80 })
    const ended = value("read", "file", { target, context: { start_line: 100, end_line: 179 } })
    assert.deepStrictEqual(window(ended.options), { start: 100, count: 80 })
    assert.deepStrictEqual(window(value("read", "file", { target, line: 7 }).options), { start: 7, count: 1 })
    assert.deepStrictEqual(window(value("read", "file", { target, window: { line: 7, limit: 3 } }).options), {
      start: 7,
      count: 3
    })
    assert.isUndefined(window(value("read", "file", { target }).options))
    for (const options of [
      { limit: 2, end_line: 9 },
      { line: 1, offset: 1 },
      { line: 1, end: 4 }
    ]) {
      assert.strictEqual(refusal("read", "file", { target, options }).reason_code, "field_combination")
    }
    assert.strictEqual(
      refusal("read", "file", { target, options: { offset: 3 }, context: { start_line: 4 } }).reason_code,
      "conflicting_fields"
    )
  })
  it.prop(
    "a window starts in the file and is never empty",
    [
      FastCheck.option(FastCheck.integer(), { nil: undefined }),
      FastCheck.option(FastCheck.integer(), { nil: undefined })
    ],
    ([offset, end]) => {
      const found = window({
        ...(offset === undefined ? {} : { offset }),
        ...(end === undefined ? {} : { end })
      })
      if (found === undefined) return assert.isTrue(offset === undefined && end === undefined)
      assert.isAtLeast(found.start, 1)
      if (found.count !== undefined) assert.isAtLeast(found.count, 1)
      if (end !== undefined && end >= found.start)
        assert.strictEqual(found.start + (found.count as number) - 1, end)
    }
  )
})

describe("edit", () => {
  it("takes the operation its fields stand for", () => {
    const target = { file: "a" }
    assert.strictEqual(chosen("edit", { changes: [] }), "batch")
    assert.strictEqual(chosen("edit", { target: { symbol: "a" }, match: "x", replacement: "y" }), "symbol")
    assert.strictEqual(chosen("edit", { target, content: "" }), "write")
    assert.strictEqual(chosen("edit", { target, content: "x", match: "y" }), "file")
    assert.strictEqual(chosen("edit", { target, match: "x", replacement: "y" }), "file")
    assert.strictEqual(chosen("edit", { operation: "file", changes: [] }), "file")
  })
  it("refuses whole content beside a match", () => {
    const error = refusal("edit", "file", {
      target: { file: "a" },
      match: "x",
      replacement: "y",
      content: "z"
    })
    assert.strictEqual(error.field, "content")
  })
  it("takes the guards under guard, from wherever they stand", () => {
    const args = { target: { file: "a" }, match: "x", replacement: "" }
    const canonical = value("edit", "file", { ...args, guard: { base_sha: "1", read_revision: 2 } })
    assert.deepStrictEqual(canonical.guard, { base_sha: "1", read_revision: 2 })
    assert.deepStrictEqual(
      value("edit", "file", { ...args, options: { base_sha: "1", expected_read_revision: 2 } }),
      canonical
    )
    for (const revision of [0, 1.5, "2", -1, 2 ** 53]) {
      assert.strictEqual(
        refusal("edit", "file", { ...args, guard: { read_revision: revision } }).field,
        "guard.read_revision"
      )
    }
  })
  it("refuses an occurrence beside a count, and counts outside 1 to 1024", () => {
    const args = { target: { file: "a" }, match: "x", replacement: "y" }
    assert.strictEqual(
      refusal("edit", "file", { ...args, options: { occurrence: 1, expected_match_count: 2 } }).reason_code,
      "field_combination"
    )
    for (const count of [0, 1025])
      assert.strictEqual(
        refusal("edit", "file", { ...args, options: { expected_match_count: count } }).field,
        "options.expected_match_count"
      )
    assert.strictEqual(
      value("edit", "file", { ...args, options: { expected_occurrences: 1024 } }).options
        .expected_match_count,
      1024
    )
  })
  it("takes the four kinds of batch item and names what is wrong in one", () => {
    const changes = [
      { op: "edit_file", path: "a", match: "x", replacement: "y" },
      { op: "edit_symbol", id: "a::b", match: "x", replacement: "y" },
      { op: "move_file", source: "a", destination: "b" },
      { op: "delete_file", path: "a" }
    ]
    assert.strictEqual(value("edit", "batch", { changes }).changes.length, 4)
    assert.strictEqual(
      refusal("edit", "batch", { changes: [{ op: "move_file", source: "a" }] }).field,
      "changes.0.destination"
    )
    assert.strictEqual(refusal("edit", "batch", {}).reason_code, "field_combination")
    assert.strictEqual(
      refusal("edit", "batch", { changes, options: { transaction_id: "x".repeat(201) } }).field,
      "options.transaction_id"
    )
  })
})

describe("explore", () => {
  it("tells the repository from paths inside it", () => {
    const decoded = value("explore", "task", { task: "x", path: "api", options: { path: "src,test" } })
    assert.strictEqual(decoded.path, "api")
    assert.deepStrictEqual(decoded.options.path, ["src", "test"])
  })
  it("suggests path to a caller who names a repository otherwise", () => {
    for (const args of [{ repo: "api" }, { options: { repo_root: "api" } }]) {
      assert.strictEqual(refusal("explore", "task", { task: "x", ...args }).data?.["suggested_field"], "path")
    }
    assert.strictEqual(
      refusal("explore", "task", { task: "x", path: " " }).data?.["expected_type"],
      "non-empty string"
    )
  })
})

describe("change", () => {
  it("reads a base as a comparison", () => {
    const source = (given: object) => changes(value("change", "detect", { source: given }).source)
    assert.deepStrictEqual(source({ base: "HEAD" }), { scope: "compare", base: "HEAD" })
    assert.deepStrictEqual(source({ base_ref: "v1" }), { scope: "compare", base: "v1" })
    assert.deepStrictEqual(source({ scope: "compare" }), { scope: "compare", base: "main" })
    assert.deepStrictEqual(source({ scope: "staged" }), { scope: "staged" })
    assert.deepStrictEqual(source({}), { scope: "unstaged" })
    assert.strictEqual(
      refusal("change", "detect", { source: { base: "a", base_ref: "b" } }).reason_code,
      "conflicting_fields"
    )
  })
  it("takes symbols from a target and, for impact, from its source too", () => {
    assert.deepStrictEqual(
      value("change", "impact", { target: { symbol: "a" }, source: { symbols: ["b"] } }).target,
      { symbol: "a" }
    )
    assert.deepStrictEqual(value("change", "impact", { options: { ids: ["a"] } }).source.symbols, ["a"])
    assert.strictEqual(refusal("change", "impact", {}).reason_code, "field_combination")
    for (const op of ["tests", "guards", "edit_plan"]) {
      const canonical = value("change", op, { target: { symbols: ["a"] } })
      for (const args of [
        { symbols: ["a"] },
        { ids: ["a"] },
        { source: { ids: ["a"] } },
        { arguments: { symbols: ["a"] } }
      ]) {
        assert.deepStrictEqual(value("change", op, args), canonical)
      }
      assert.strictEqual(
        refusal("change", op, { target: { symbols: ["a"] }, options: { symbols: ["b"] } }).reason_code,
        "conflicting_fields"
      )
      assert.strictEqual(refusal("change", op, { target: { symbols: [] } }).code, "invalid_argument")
    }
  })
  it("finds a range in its object, beside it and at the top", () => {
    for (const [op, extra] of [
      ["ranges", {}],
      ["code_actions", { start_char: 0, end_char: 0 }]
    ] as const) {
      const file = "a"
      const canonical = value("change", op, { source: { file, range: { start_line: 3, end_line: 4 } } })
      assert.deepStrictEqual(canonical.source.range, { start_line: 3, end_line: 4, ...extra })
      for (const args of [
        { source: { file, start_line: 3, end_line: 4 } },
        { path: file, range: { start_line: 3, end_line: 4 } },
        { file, start_line: 3, end_line: 4 },
        { source: { file }, options: { start_line: 3, end_line: 4 } }
      ]) {
        assert.deepStrictEqual(value("change", op, args), canonical)
      }
    }
  })
  it("refuses an empty contract", () => {
    assert.strictEqual(chosen("change", {}), "contract")
    assert.strictEqual(refusal("change", "contract", {}).reason_code, "field_combination")
  })
})

describe("session", () => {
  it("names the channels there are", () => {
    for (const op of ["subscribe", "unsubscribe"]) {
      const valid = ["daemon_health", "diagnostics", "graph_invalidated", "stale_refs", "workspace_readiness"]
      assert.deepStrictEqual(refusal("session", op, { channel: "news" }).data?.["valid_channels"], valid)
      assert.strictEqual(refusal("session", op, {}).field, "channel")
    }
  })
  it("guesses no operation", () => {
    for (const name of ["session", "overlay", "workspace_admin"]) {
      assert.strictEqual(Either.getOrThrow(Either.flip(meant(name, {}))).reason_code, "missing_operation")
    }
  })
})

describe("search", () => {
  it("finds the words of a query under the names callers use", () => {
    assert.strictEqual(value("search", "ast", { options: { pattern: "(x)", language: "go" } }).query, "(x)")
    assert.strictEqual(value("search", "winnow", { text_match: "x" }).query, "x")
    assert.strictEqual(value("search", "files", { glob: "*.ts" }).options.glob, "*.ts")
    for (const op of ["symbols", "text", "completion"])
      assert.strictEqual(refusal("search", op, { query: " " }).field, "query")
    assert.strictEqual(refusal("search", "files", {}).reason_code, "field_combination")
    assert.strictEqual(value("relations", "declaration", { use_site: "x" }).target.query, "x")
  })
})

describe("selectors", () => {
  it("are seen in a target, or at the top level of a call without one", () => {
    assert.strictEqual(selector({ target: { id: "a" }, file: "b" }), "symbol")
    assert.strictEqual(selector({ file: "b" }), "file")
    assert.isUndefined(selector({ target: { file: "a", symbol: "b" } }))
    assert.isUndefined(selector({ target: { file: " " }, symbol: "b" }))
  })
})
