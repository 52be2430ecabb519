import { Either } from "effect"
import { describe, expect, it } from "vitest"
import { catalog as registry } from "../../src/facades/index.ts"
import {
  definition,
  type Direct,
  directs,
  isFacadeForm,
  lower,
  raise,
  speak
} from "../../src/registry/Direct.ts"
import { failure } from "../../src/registry/Failure.ts"

const table = directs(registry)
const tool = (name: string): Direct => {
  const found = table.get(name)
  if (found === undefined) throw new Error(`there is no ${name}`)
  return found
}
const lowered = (name: string, args: { readonly [key: string]: unknown }) => {
  const { args: out, route } = Either.getOrThrow(lower(tool(name), args))
  return { operation: `${route.facade.name}.${route.operation.name}`, args: out }
}

describe("direct tools", () => {
  it("are every canonical tool of the registry but the one that is only a facade", () => {
    const canonical = new Set(
      registry.facades.flatMap(({ operations }) => operations.flatMap(({ tools }) => tools))
    )
    canonical.delete("capabilities")
    expect(new Set(table.keys())).toEqual(canonical)
    expect([...table.values()].filter(({ listed }) => listed)).toHaveLength(178)
    expect([...table.values()].filter(({ listed }) => !listed).map(({ name }) => name)).toEqual([
      "mutation_status"
    ])
  })

  it("lead to one operation, or tell several apart by an argument", () => {
    const several = [...table.values()].flatMap(({ discriminator, name, routes }) =>
      discriminator === undefined ? [] : [[name, discriminator.name, routes.length] as const]
    )
    expect(several.map(([name, by]) => [name, by])).toEqual([
      ["analyze", "kind"],
      ["change_contract", "ack"],
      ["simulate_chain", "keep"],
      ["overlay_merge", "to_disk"]
    ])
    for (const { discriminator, routes } of table.values())
      if (discriminator === undefined) expect(routes).toHaveLength(1)
  })

  it("choose by the argument, and by its absence", () => {
    expect(lowered("overlay_merge", {}).operation).toBe("overlay.merge")
    expect(lowered("overlay_merge", { to_disk: false }).operation).toBe("overlay.merge")
    expect(lowered("overlay_merge", { to_disk: true }).operation).toBe("edit.apply_overlay")
    expect(lowered("simulate_chain", { keep: true }).operation).toBe("overlay.simulate")
    expect(lowered("change_contract", {}).operation).toBe("change.contract")
    expect(lowered("change_contract", { ack: true }).operation).toBe("remember.risk_ack")
    expect(lowered("analyze", {}).operation).toBe("analyze.help")
    expect(lowered("analyze", { kind: "Dead-Code" }).operation).toBe("analyze.dead_code")
    expect(lowered("analyze", { kind: "blame" }).operation).toBe("workspace_admin.blame")
    expect(lowered("subscribe_diagnostics", { min_severity: 1 })).toEqual({
      operation: "session.subscribe_diagnostics",
      args: { arguments: { min_severity: 1 } }
    })
  })

  it("refuse a value that leads nowhere, and say which do", () => {
    const refused = Either.flip(lower(tool("analyze"), { kind: "astrology" })).pipe(Either.getOrThrow)
    expect(refused).toMatchObject({
      code: "invalid_argument",
      field: "kind",
      reason_code: "unknown_operation"
    })
    expect(Either.isLeft(lower(tool("overlay_merge"), { to_disk: "yes" }))).toBe(true)
  })

  it("bring the names of an edit to their places", () => {
    expect(
      lowered("edit_file", { path: "a.ts", old_string: "x", new_string: "y", base_sha: "0", dry_run: true })
    ).toEqual({
      operation: "edit.file",
      args: {
        target: { file: "a.ts" },
        match: "x",
        replacement: "y",
        guard: { base_sha: "0" },
        dry_run: true
      }
    })
    expect(lowered("edit_symbol", { id: "a.ts::f", old_source: "x", new_source: "y" }).args).toEqual({
      target: { symbol: "a.ts::f" },
      match: "x",
      replacement: "y"
    })
    expect(lowered("flow_between", { source_id: "a", sink_id: "b" }).args).toEqual({
      target: { symbol: "a" },
      to: { symbol: "b" }
    })
    expect(lowered("explore", { task: "find it", repo: "lib" }).args).toEqual({
      task: "find it",
      path: "lib"
    })
  })

  it("are raised from the arguments of an operation, with the argument that tells it apart", () => {
    const [, disk] = tool("overlay_merge").routes
    const apply = tool("overlay_merge").routes.find(({ when }) => when === true) ?? disk
    expect(raise(tool("overlay_merge"), apply!.operation, {})).toEqual({ to_disk: true })
    expect(
      raise(tool("read_file"), tool("read_file").routes[0].operation, {
        target: { file: "a.ts" },
        options: { offset: 2 }
      })
    ).toEqual({ path: "a.ts", offset: 2 })
  })

  it("know the form of the tools they share a name with", () => {
    expect(isFacadeForm({ task: "x", repo: "y" })).toBe(false)
    expect(isFacadeForm({ options: { a: 1 } })).toBe(true)
    expect(isFacadeForm({ target: { file: "a" } })).toBe(true)
    expect(isFacadeForm({ operation: "task" })).toBe(true)
    expect(isFacadeForm({ source: "working_tree" })).toBe(false)
  })

  it("say refusals in their own names", () => {
    const told = speak(
      tool("edit_file").routes[0].operation,
      failure("invalid_argument", "edit.file: match is required: string", {
        field: "match",
        data: {
          field: "match",
          valid_fields: ["target.file", "match"],
          problems: [{ field: "target.file", problem: "must be x" }]
        }
      })
    )
    expect(told.field).toBe("old_string")
    expect(told.message).toBe("edit.file: old_string is required: string")
    expect(told.data).toEqual({
      field: "old_string",
      valid_fields: ["path", "old_string"],
      problems: [{ field: "path", problem: "must be x" }]
    })
  })
})

describe("a direct tool as it is listed", () => {
  it("has a flat schema: no containers, no selectors", () => {
    for (const direct of table.values()) {
      const { properties } = definition(direct).inputSchema as unknown as {
        readonly properties: { readonly [name: string]: unknown }
      }
      for (const container of ["target", "to", "options", "guard", "output", "context"])
        expect(
          (properties[container] as { readonly type?: unknown } | undefined)?.type,
          direct.name
        ).not.toBe("object")
    }
  })

  it("requires what its operation requires, and tells of selectors of which one is needed", () => {
    expect(definition(tool("read_file")).inputSchema["required"]).toEqual(["path"])
    expect(definition(tool("edit_file")).inputSchema["required"]).toContain("path")
    expect(definition(tool("explain_change_impact")).description).toMatch(/one of/)
  })

  it("says what its operations do to the world", () => {
    expect(definition(tool("read_file")).annotations).toEqual({
      readOnlyHint: true,
      destructiveHint: false,
      openWorldHint: false
    })
    expect(definition(tool("overlay_merge")).annotations.destructiveHint).toBe(true)
    expect(definition(tool("overlay_push")).annotations).toMatchObject({
      readOnlyHint: false,
      destructiveHint: false
    })
    expect(definition(tool("post_review")).annotations.openWorldHint).toBe(true)
  })
})
