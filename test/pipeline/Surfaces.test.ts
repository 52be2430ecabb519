import { Either } from "effect"
import { describe, expect, it } from "vitest"
import { catalog as registry } from "../../src/facades/index.ts"
import * as Admission from "../../src/pipeline/Admission.ts"
import * as Speech from "../../src/pipeline/Speech.ts"
import { directs } from "../../src/registry/Direct.ts"
import { failure } from "../../src/registry/Failure.ts"
import { parse } from "../../src/surface/Selection.ts"
import { surfaceOf } from "../../src/surface/Surface.ts"

const admit = Admission.make(registry)
const surface = (specification: string) => surfaceOf(registry, parse(specification))
const admitted = (specification: string, tool: string, args: unknown) =>
  Either.getOrThrow(admit(tool, args, surface(specification)))
const refused = (specification: string, tool: string, args: unknown = {}) =>
  Either.getOrThrow(Either.flip(admit(tool, args, surface(specification))))

describe("admission to the compact surface", () => {
  it("leads a tool with operations to one of them, and every canonical name to what does the same", () => {
    expect(admitted("compact", "read", { target: { file: "a" } })).toMatchObject({
      direct: undefined,
      routing: { facade: "read", operation: "file", canonical_tool: "read_file" }
    })
    for (const { name } of directs(registry).values()) {
      if (registry.facade(name) !== undefined) continue
      const { failure: given, routing } = refused("compact", name)
      expect(given).toMatchObject({
        code: "tool_blocked_by_mode",
        data: { tool: name, recovery_tool: "capabilities" }
      })
      expect(given.recovery?.tool).toBe("capabilities")
      expect(routing.canonical_tool).toBe(name)
    }
  })

  it("is the one of calls that name no surface", () => {
    expect(Either.isRight(admit("read", {}))).toBe(true)
    expect(Either.isLeft(admit("read_file", {}))).toBe(true)
  })
})

describe("admission to surfaces of single tools", () => {
  it("lowers flat arguments to an operation that nothing in them can change", () => {
    const { args, direct, facade } = admitted("full", "get_symbol_source", { id: "a::b", path: "a" })
    expect([facade.name, direct?.name]).toEqual(["read", "source"])
    expect(args).toEqual({ target: { symbol: "a::b" }, path: "a" })
  })

  it("takes the shared names in either form", () => {
    expect(admitted("full", "analyze", { kind: "todos" }).direct?.name).toBe("todos")
    const whole = admitted("full", "analyze", { kind: "architecture", options: { top_hotspots: 1 } })
    expect(whole.direct).toBeUndefined()
    expect(whole.routing).toMatchObject({ operation: "architecture", canonical_tool: "get_architecture" })
  })

  it("refuses the tools with operations, with the single tools of this surface in their place", () => {
    expect(refused("full", "relations", { operation: "usages" }).failure).toMatchObject({
      code: "tool_blocked_by_mode",
      data: { replacements: [{ tool: "find_usages" }], recovery_tool: "tools_search" }
    })
    const { replacements } = refused("agent,hide", "search").failure.data as {
      readonly replacements: ReadonlyArray<{ readonly tool: string }>
    }
    expect(replacements).toEqual([{ tool: "search_symbols" }])
  })

  it("refuses what would write where only reading is", () => {
    expect(refused("readonly", "analyze", { kind: "sql_rebuild" })).toMatchObject({
      routing: { facade: "workspace_admin", operation: "sql_rebuild", canonical_tool: "analyze" },
      failure: { code: "tool_blocked_by_mode" }
    })
    expect(refused("readonly", "change_contract", { ack: true }).failure.code).toBe("tool_blocked_by_mode")
    expect(admitted("readonly", "change_contract", {}).direct?.name).toBe("contract")
  })

  it("knows names that exist nowhere, and says what is listed", () => {
    const { failure: given } = refused("agent", "read_fil")
    expect(given).toMatchObject({ code: "unknown_tool", data: { suggested_tool: "read_file" } })
    expect((given.data as { readonly valid_tools: ReadonlyArray<string> }).valid_tools).toHaveLength(20)
  })

  it("wants an object", () => {
    for (const args of [[], "x", 1])
      expect(refused("full", "read_file", args).failure).toMatchObject({ reason_code: "not_an_object" })
    expect(admitted("full", "tool_profile", undefined).args).toEqual({})
  })
})

describe("speech", () => {
  it("is the registry's own without a surface of single tools", () => {
    expect(Speech.of(undefined, undefined)).toBe(Speech.plain)
  })

  it("says failures, places and follow-ups as the caller of a single tool does", () => {
    const operation = registry.lookup("read", "file")
    const { failure: say, followUp, places } = Speech.of(surface("full"), operation)
    expect(
      say(failure("invalid_argument", "read.file: target is required: object with file", { field: "target" }))
    ).toMatchObject({ message: "read.file: path is required: a value", field: "path" })
    expect(places({ "options.limit": 5, "output.max_bytes": 3 })).toEqual({ limit: 5, max_bytes: 3 })
    expect(
      followUp({ follow_up_kind: "fallback_recovery", tool: "search", arguments: { query: "x" } })
    ).toMatchObject({ tool: "search_symbols", arguments: { query: "x" } })
  })
})
