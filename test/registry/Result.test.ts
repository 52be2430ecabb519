import { Ajv2020 } from "ajv/dist/2020.js"
import { describe, expect, it } from "vitest"
import { catalog } from "../../src/facades/index.ts"
import { failure, wire } from "../../src/registry/Failure.ts"
import { layoutOf } from "../../src/registry/Layout.ts"
import { failureSchema, isClosed, outputSchema, shapeOf } from "../../src/registry/Result.ts"

const operations = catalog.facades.flatMap((facade) => facade.operations.filter(({ available }) => available))
const ajv = new Ajv2020({ strict: false })

describe("the schema of what an operation answers", () => {
  it("is there for every operation that has a handler, and for no other", () => {
    for (const { facade, name } of operations)
      expect([facade, name, shapeOf(facade, name)]).not.toContain(undefined)
    for (const operation of catalog.facades.flatMap((facade) => facade.operations))
      if (!operation.available) expect(shapeOf(operation.facade, operation.name)).toBeUndefined()
  })

  it("tells every member, but for operations whose results are open", () => {
    expect(
      operations
        .filter((operation) => !isClosed(operation))
        .map(({ facade, name }) => `${facade}.${name}`)
        .sort()
    ).toEqual([
      "analyze.churn",
      "analyze.contracts",
      "analyze.coverage_gaps",
      "analyze.coverage_summary",
      "analyze.health_score",
      "analyze.impact",
      "analyze.inspection_catalog",
      "analyze.ownership",
      "analyze.releases",
      "analyze.replay",
      "analyze.stale_code",
      "capabilities.legacy_profile",
      "change.detect",
      "change.preview",
      "change.simulate",
      "edit.batch",
      "edit.file",
      "edit.symbol",
      "explore.context",
      "overlay.simulate",
      "read.editing_context",
      "refactor.rename",
      "relations.callers",
      "relations.cluster",
      "relations.dependencies",
      "relations.dependents",
      "relations.overrides",
      "workspace_admin.index",
      "workspace_admin.reindex"
    ])
  })

  it("holds of answers that are paged, cut and noted, of failures, and of nothing else", () => {
    const check = ajv.compile(outputSchema(catalog.lookup("workspace", "repos")!))
    const whole = { repos: [] }
    const known = Object.keys((shapeOf("workspace", "repos")?.["properties"] ?? {}) as object)
    expect(known).toContain("repos")
    const cut = {
      ...whole,
      _truncated_by_budget: true,
      _max_returned_repos: 0,
      _original_count_repos: 3,
      next_cursor: "x",
      total: 3,
      effective: { "output.limit": 5 },
      input_normalization: { code: "alias", hint: "" }
    }
    const required = (shapeOf("workspace", "repos")?.["required"] ?? []) as ReadonlyArray<string>
    const rest = Object.fromEntries(
      required.filter((name) => name !== "repos").map((name) => [name, "multi"])
    )
    expect([check({ ...rest, ...cut }), check.errors]).toEqual([true, null])
    expect(check({ ...rest, ...whole, zq7: 1 })).toBe(false)
    expect(check(wire(failure("not_found", "no", { failure_stage: "resolve" })))).toBe(true)
    expect(check({ error_code: "not_found" })).toBe(false)
  })

  it("lets callers choose the members of rows", () => {
    const check = ajv.compile(outputSchema(catalog.lookup("search", "symbols")!))
    const list = Object.keys(layoutOf("search.symbols")?.lists ?? {})
    expect(list.length).toBeGreaterThan(0)
    expect(check({ [list[0] as string]: [{}], complete: true })).toBeTypeOf("boolean")
  })

  it("of a failure has room for all a failure says", () => {
    const check = ajv.compile(failureSchema)
    const full = wire(
      failure("edit_conflict", "no", {
        field: "match",
        reason_code: "not_unique",
        failure_stage: "preflight",
        state_changed: false,
        data: { matches: 2 },
        recovery: { follow_up_kind: "fallback_recovery", tool: "read", arguments: {} }
      })
    )
    expect([check(full), check.errors]).toEqual([true, null])
  })
})
