import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import * as Arbitraries from "../../src/registry/Arbitraries.ts"
import type { OperationFailure } from "../../src/registry/Failure.ts"
import * as F from "../../src/registry/Fields.ts"
import type { Operation } from "../../src/registry/Operation.ts"
import * as sample from "./sample.ts"

const good = (op: Operation.Any, args: unknown) =>
  Either.getOrThrowWith(op.decode(args), (error) => new Error(error.message))
const bad = (op: Operation.Any, args: unknown): OperationFailure =>
  Either.getOrThrowWith(Either.flip(op.decode(args)), () => new Error("was accepted"))
const value = (op: Operation.Any, args: unknown): any => good(op, args).value

describe("decoding", () => {
  it("reports everything that is wrong at once", () => {
    const error = bad(sample.file, {
      target: {},
      options: { ofset: 1, limit: 0, allow_secrets: "yes" },
      junk: 1
    })
    const fields = (error.data!["problems"] as Array<{ field: string }>).map((_) => _.field)
    assert.sameMembers(fields, ["options.ofset", "junk", "target", "options.limit", "options.allow_secrets"])
    assert.strictEqual(error.code, "invalid_argument")
    assert.strictEqual(error.failure_stage, "decode")
    assert.strictEqual(error.state_changed, false)
    assert.deepStrictEqual(error.data?.["unknown_fields"], ["options.ofset", "junk"])
  })

  it("refuses what nests without end by the field it stands in, given as text too", () => {
    let nested: unknown = 1
    for (let level = 0; level < 20_000; level++) nested = { a: nested }
    const error = bad(sample.file, { target: { file: "a" }, options: nested })
    assert.strictEqual(error.field, "options")
    assert.strictEqual(error.reason_code, "too_deep")
    assert.strictEqual(bad(sample.file, { target: { file: "a" }, [`zz`]: [[nested]] }).field, "zz")
    const text = `${"[".repeat(20_000)}${"]".repeat(20_000)}`
    assert.strictEqual(bad(sample.batch, { changes: text }).field, "changes")
  })

  it("suggests the nearest field and never applies it", () => {
    const error = bad(sample.file, { target: { file: "a" }, options: { ofset: 1 } })
    assert.strictEqual(error.field, "options.ofset")
    assert.strictEqual(error.data?.["suggested_field"], "options.offset")
    assert.includeMembers(error.data?.["valid_fields"] as Array<string>, ["options.offset", "options.limit"])
  })

  it("is closed in every container", () => {
    for (const place of ["arguments", "options", "source", "context", "guard", "output"]) {
      assert.strictEqual(
        bad(sample.file, { target: { file: "a" }, [place]: { zzzzzz: 1 } }).field,
        `${place}.zzzzzz`
      )
    }
    assert.strictEqual(bad(sample.file, { target: { file: "a" }, zzzzzz: 1 }).field, "zzzzzz")
    assert.strictEqual(
      bad(sample.batch, { changes: [{ op: "delete_file", path: "a", recursive: true }] }).field,
      "changes.0.recursive"
    )
  })

  it("names the expected type of a container that is not an object", () => {
    const error = bad(sample.file, { target: { file: "a" }, arguments: [1] })
    assert.deepInclude(error.data, { received_type: "array", accepted_shape: "object" })
    assert.strictEqual(error.field, "arguments")
  })

  it("fills defaults, also inside containers that were not sent", () => {
    assert.deepStrictEqual(value(sample.file, { target: { file: "a" } }), {
      target: { file: "a" },
      options: { offset: 0, limit: 200, allow_secrets: false },
      context: { compress_bodies: false },
      output: {}
    })
  })

  it("says the same for a default sent and left out", () => {
    const plain = value(sample.file, { target: { file: "a" } })
    assert.deepStrictEqual(
      value(sample.file, { target: { file: "a" }, options: { offset: 0, limit: 200, allow_secrets: false } }),
      plain
    )
  })

  it.prop("never changes the caller's own objects", [Arbitraries.ofInput(sample.file.input)], ([args]) => {
    const before = JSON.stringify(args)
    const raw = JSON.parse(before)
    good(sample.file, raw)
    assert.strictEqual(JSON.stringify(raw), before)
  })
})

describe("lowering", () => {
  it("takes a field from another container or the top level when only one is meant", () => {
    for (const args of [
      { keep: "a,b" },
      { arguments: { keep: "a,b" } },
      { context: { keep: "a,b" } },
      { output: { keep: "a,b" } }
    ]) {
      assert.deepStrictEqual(value(sample.file, { target: { file: "a" }, ...args }).options.keep, ["a", "b"])
    }
    assert.strictEqual(
      value(sample.editFile, {
        target: { file: "a" },
        options: { match: "x", replacement: "" },
        base_sha: "1"
      }).guard.base_sha,
      "1"
    )
  })

  it("refuses two places that differ, and takes two that agree", () => {
    const error = bad(sample.file, {
      target: { file: "a" },
      options: { offset: 3 },
      context: { start_line: 4 }
    })
    assert.include(error.message, "context.start_line says something else than options.offset")
    assert.strictEqual(
      value(sample.file, { target: { file: "a" }, options: { offset: 3 }, context: { start_line: 3 } })
        .options.offset,
      3
    )
  })

  it.prop("an alias says the same as its field", [FastCheck.nat()], ([at]) => {
    const canonical = value(sample.file, { target: { file: "a" }, options: { offset: at } })
    for (const args of [
      { options: { start: at } },
      { context: { start_line: at } },
      { options: { window: { offset: at } } },
      { start: at }
    ]) {
      assert.deepStrictEqual(value(sample.file, { target: { file: "a" }, ...args }), canonical)
    }
  })

  it("sees an unknown neighbour of an alias that is a place of its own", () => {
    assert.strictEqual(
      bad(sample.file, { target: { file: "a" }, options: { window: { offset: 1, size: 2 } } }).field,
      "options.window"
    )
  })

  it("prefers an operation's own field to a shared one of the same name", () => {
    assert.strictEqual(value(sample.file, { target: { file: "a" }, limit: 7 }).options.limit, 7)
    assert.strictEqual(value(sample.file, { target: { file: "a" }, output: { limit: 7 } }).options.limit, 7)
    assert.strictEqual(value(sample.rows, { options: { limit: 7 } }).output.limit, 7)
  })

  it("refuses an attempt to set what the operation fixes", () => {
    const changes = [{ op: "delete_file", path: "a" }]
    assert.strictEqual(
      bad(sample.batch, { changes, options: { to_disk: false } }).reason_code,
      "fixed_argument"
    )
    assert.deepStrictEqual(
      value(sample.batch, { changes, options: { to_disk: true } }),
      value(sample.batch, { changes })
    )
  })
})

describe("values", () => {
  it("holds an ergonomic limit at its ceiling and says so", () => {
    const { effective, value } = good(sample.rows, { output: { limit: 1e9 } })
    assert.strictEqual((value as any).output.limit, 50)
    assert.deepStrictEqual(effective, { "output.limit": 50 })
    assert.deepStrictEqual(good(sample.rows, { output: { limit: 50 } }).effective, {})
  })

  it("refuses a limit that means nothing, naming the range", () => {
    for (const limit of [0, -1, 1.5, NaN, "10", null]) {
      const error = bad(sample.rows, { output: { limit } })
      assert.strictEqual(error.data?.["expected"], "integer from 1 to 50")
    }
    assert.strictEqual(value(sample.rows, { output: { max_bytes: 0 } }).output.max_bytes, 0)
  })

  it.prop(
    "a clamped value is inside its range, and reported exactly when it moved",
    [FastCheck.integer()],
    ([limit]) => {
      const result = sample.rows.decode({ output: { limit } })
      if (limit < 1) return assert.isTrue(Either.isLeft(result))
      const { effective, value } = Either.getOrThrow(result)
      assert.strictEqual((value as any).output.limit, Math.min(50, limit))
      assert.strictEqual("output.limit" in effective, limit > 50)
    }
  )

  it("splits comma text and leaves array items whole", () => {
    assert.deepStrictEqual(
      value(sample.file, { target: { file: "a" }, options: { keep: "a, b,,c" } }).options.keep,
      ["a", "b", "c"]
    )
    assert.deepStrictEqual(
      value(sample.file, { target: { file: "a" }, options: { keep: ["Map<K, V>", "b"] } }).options.keep,
      ["Map<K, V>", "b"]
    )
  })

  it("takes an array as JSON text only where no text is meant", () => {
    const changes = [{ op: "delete_file", path: "a" }]
    const decoded = good(sample.batch, { changes: JSON.stringify(changes), options: { tags: '["x"]' } })
    assert.deepStrictEqual((decoded.value as any).changes, changes)
    assert.deepStrictEqual((decoded.value as any).options.tags, ["x"])
    assert.strictEqual(decoded.normalization?.code, "json_string_to_array")
    assert.strictEqual(good(sample.batch, { changes }).normalization, undefined)
    assert.strictEqual(
      bad(sample.batch, { changes: JSON.stringify(JSON.stringify(changes)) }).field,
      "changes"
    )
    assert.strictEqual(bad(sample.batch, { changes, options: { tags: "x" } }).field, "options.tags")
    assert.strictEqual(bad(sample.source, { target: { symbols: '["a"]' } }).field, "target.symbols")
    assert.strictEqual(
      bad(sample.file, { target: { file: "a" }, options: { keep: '["a"]' } }).field,
      "options.keep"
    )
    assert.strictEqual(
      value(sample.editFile, { target: { file: "a" }, match: "[1]", replacement: "[2]" }).match,
      "[1]"
    )
  })

  it("reads a JSON field from its value or its text", () => {
    const changes = [{ op: "delete_file", path: "a" }]
    assert.deepStrictEqual(value(sample.batch, { changes, options: { extra: '{"a":[1]}' } }).options.extra, {
      a: [1]
    })
    assert.deepStrictEqual(value(sample.batch, { changes, options: { extra: { a: [1] } } }).options.extra, {
      a: [1]
    })
    assert.strictEqual(bad(sample.batch, { changes, options: { extra: "{" } }).field, "options.extra")
  })

  it("reports the union member that came furthest", () => {
    assert.strictEqual(
      bad(sample.batch, { changes: [{ op: "move_file", source: "a" }] }).field,
      "changes.0.destination"
    )
  })

  it("holds counts of items", () => {
    assert.strictEqual(bad(sample.batch, { changes: [] }).reason_code, "item_count")
    assert.strictEqual(
      bad(sample.batch, { changes: Array.from({ length: 17 }, () => ({ op: "delete_file", path: "a" })) })
        .reason_code,
      "item_count"
    )
  })

  it("checks rules across fields", () => {
    const args = { target: { file: "a" }, match: "x", replacement: "y" }
    const error = bad(sample.editFile, { ...args, options: { occurrence: 1, expected_match_count: 2 } })
    assert.strictEqual(error.reason_code, "field_combination")
    assert.deepStrictEqual(error.data?.["fields"], ["options.occurrence", "options.expected_match_count"])
  })
})

describe("targets", () => {
  it("take exactly one selector", () => {
    assert.deepStrictEqual(bad(sample.source, { target: {} }).data?.["selectors"], [])
    const both = bad(sample.source, { target: { symbol: "a", symbols: ["b"] } })
    assert.deepStrictEqual(both.data?.["selectors"], ["symbol", "symbols"])
    assert.deepStrictEqual(both.data?.["valid_selectors"], ["symbol", "symbols"])
    assert.deepStrictEqual(value(sample.source, { target: { symbol: "a", symbols: [] } }).target, {
      symbol: "a"
    })
  })
  it("refuse a selector the operation does not take", () => {
    const error = bad(sample.source, { target: { file: "a" } })
    assert.deepStrictEqual(error.data?.["valid_selectors"], ["symbol", "symbols"])
    assert.strictEqual(error.reason_code, "unsupported_target")
    assert.strictEqual(bad(sample.rows, { target: { symbol: "a" } }).reason_code, "unsupported_target")
    assert.strictEqual(bad(sample.source, { target: { symbol: "a" }, to: { symbol: "b" } }).field, "to")
    assert.strictEqual(bad(sample.source, { target: "a" }).field, "target")
    assert.strictEqual(bad(sample.source, {}).field, "target")
  })
  it("take a declared spelling of a selector", () => {
    assert.deepStrictEqual(value(sample.file, { target: { path: "a" } }).target, { file: "a" })
    assert.strictEqual(
      bad(sample.file, { target: { path: "a", file: "b" } }).reason_code,
      "conflicting_fields"
    )
  })
})

describe("repository selectors", () => {
  const spellings = [
    "repo",
    "repo_path",
    "repository",
    "repository_path",
    "repo_root",
    "repository_root",
    "repoPath",
    "repo-path",
    "repo_dir",
    "root",
    "cwd",
    "dir",
    "worktree",
    "work_tree",
    "base_repo",
    "workspace",
    "project",
    "REPO",
    " Repo "
  ]
  const places = [undefined, "arguments", "options", "source", "context", "guard", "output"]
  it("are refused by an operation that takes none, wherever and however they are spelled", () => {
    for (const name of spellings) {
      for (const place of places) {
        const error = bad(sample.editFile, {
          target: { file: "a" },
          match: "x",
          replacement: "y",
          ...(place === undefined ? { [name]: "other" } : { [place]: { [name]: "other" } })
        })
        assert.strictEqual(error.data?.["reason"], "no_repository_selector")
        assert.strictEqual(error.field, place === undefined ? name : `${place}.${name}`)
        assert.strictEqual(error.data?.["container"], place)
      }
    }
  })
  it("are pointed to the published one where there is one", () => {
    for (const name of spellings.filter((_) => _ !== "repo")) {
      assert.strictEqual(
        bad(sample.source, { target: { symbol: "a" }, [name]: "x" }).data?.["suggested_field"],
        "options.repo"
      )
      assert.strictEqual(
        bad(sample.prList, { options: { [name]: "x" } }).data?.["suggested_field"],
        "arguments.repo"
      )
    }
    assert.strictEqual(value(sample.source, { target: { symbol: "a" }, repo: "x" }).options.repo, "x")
    for (const repo of ["", "  ", 3]) {
      assert.strictEqual(
        bad(sample.source, { target: { symbol: "a" }, options: { repo } }).data?.["expected_type"],
        "non-empty string"
      )
    }
  })
  it("do not include path and scope", () => {
    for (const name of ["path", "scope"]) {
      assert.strictEqual(bad(sample.rows, { options: { [name]: "x" } }).reason_code, "unknown_field")
    }
  })
})

describe("every operation", () => {
  for (const facade of sample.registry.facades) {
    for (const op of facade.operations) {
      it.prop(
        `${facade.name}.${op.name} takes what its fields make, and canonical arguments stay as they are`,
        [Arbitraries.ofInput(op.input)],
        ([args]) => {
          const { effective, normalization, value } = good(op, args)
          assert.deepStrictEqual(effective, {})
          assert.strictEqual(normalization, undefined)
          assert.deepStrictEqual(good(op, value).value, value)
        }
      )
      it(`${facade.name}.${op.name} holds every field exact or ergonomic, and clamps only the latter`, () => {
        for (const [path, field] of F.walk(op.input.fields)) {
          assert.strictEqual(field.shape.tag === "clamped", field.strictness === "ergonomic", path)
        }
      })
    }
  }
})
