import { describe, expect, it } from "vitest"
import { catalog as registry } from "../../src/facades/index.ts"
import { tools as facadeTools } from "../../src/registry/Capabilities.ts"
import { definition, directs } from "../../src/registry/Direct.ts"
import { draft } from "../../src/registry/FollowUp.ts"
import { presets } from "../../src/registry/Presets.ts"
import { parse } from "../../src/surface/Selection.ts"
import { surfaceOf } from "../../src/surface/Surface.ts"
import { roster } from "../../src/surface/Tools.ts"
import lists from "./fixtures/presets.json" with { type: "json" }

const surface = (specification: string) => surfaceOf(registry, parse(specification))
const names = (specification: string) => surface(specification).tools.map(({ name }) => name)
const bytes = (specification: string) =>
  Buffer.byteLength(JSON.stringify({ tools: surface(specification).tools }))
const facades = registry.facades.map(({ name }) => name)
const canonical = [...directs(registry).values()].filter(({ listed }) => listed).map(({ name }) => name)
const tag = (specification: string, tool: string) => surface(specification).resolve(tool).tag

describe("what surfaces list", () => {
  it("compact: the tools with operations, as they lie ready", () => {
    expect(surface("compact").tools).toEqual(roster)
    expect(names("compact")).toHaveLength(21)
    expect(surface("compact").mode).toBe("hide")
  })

  it("full: all canonical tools", () => {
    expect(names("full")).toEqual(canonical)
    expect(new Set(names("full")).size).toBe(178)
  })

  for (const [preset, tools] of Object.entries(lists))
    it(`${preset}: the tools that say they belong to it, and those that find others`, () => {
      expect([...names(preset)].sort()).toEqual([...tools, "tool_profile", "tools_search"].sort())
    })

  it("readonly: all but what outlasts the session", () => {
    const left = canonical.filter((name) => !names("readonly").includes(name))
    expect(left.sort()).toEqual(
      (
        "apply_code_action batch_edit edit_file edit_symbol fix_all_in_file inline_symbol move_symbol rename_symbol " +
        "safe_delete_symbol scaffold write_file export_graph generate_docs generate_skill generate_wiki edit_memory " +
        "feedback notebook_save notebook_used rename_memory save_note store_memory surface_memories " +
        "suppress_finding enrich_churn enrich_releases index_repository reindex_repository delete_scope save_scope " +
        "set_active_project track_repository untrack_repository post_review overlay_merge"
      )
        .split(" ")
        .sort()
    )
  })

  it("hybrid: the compact ones first, 49 in all", () => {
    const listed = names("hybrid")
    expect(listed.slice(0, 21)).toEqual(facades)
    expect(listed).toHaveLength(49)
    expect(new Set(listed).size).toBe(49)
    expect(surface("hybrid").tools.slice(0, 21)).toEqual(facadeTools(registry))
  })

  it("names shared by two surfaces have the schema of the session's", () => {
    for (const name of ["explore", "analyze", "ask", "review"]) {
      const of = (specification: string) => surface(specification).tools.find((tool) => tool.name === name)
      expect(of("compact")).toEqual(facadeTools(registry).find((tool) => tool.name === name))
      expect(of("hybrid")).toEqual(of("compact"))
      expect(of("full")).toBe(definition(directs(registry).get(name)!))
      expect(of("full")).not.toEqual(of("compact"))
    }
  })

  it("stay within their bytes", () => {
    const most = {
      compact: 12_000,
      agent: 27_883,
      core: 95_060,
      full: 200_000,
      hybrid: 46_707,
      localization: 21_350
    }
    for (const [name, limit] of Object.entries(most)) expect(bytes(name), name).toBeLessThanOrEqual(limit)
    expect(bytes("localization")).toBeLessThan(bytes("agent"))
  })

  it("have descriptions that end before anybody tires", () => {
    for (const { description } of surface("full").tools) expect(description.length).toBeLessThanOrEqual(1536)
  })

  it("are known from the operations alone", () => {
    for (const preset of presets)
      expect([...directs(registry).values()].some((direct) => direct.presets.has(preset))).toBe(true)
  })
})

describe("changes to a surface", () => {
  it("add and take away, but for what finds the others", () => {
    const listed = names("agent,+get_cluster,-write_file,-tools_search")
    expect(listed).toContain("get_cluster")
    expect(listed).not.toContain("write_file")
    expect(listed).toContain("tools_search")
    expect(tag("agent,-write_file", "write_file")).toBe("hidden")
    expect(tag("agent,-write_file", "tools_search")).toBe("direct")
  })

  it("list single tools alone", () => {
    expect(names("read_file,find_usages")).toEqual(
      ["read_file", "find_usages", "tool_profile", "tools_search"].sort(
        (a, b) => canonical.indexOf(a) - canonical.indexOf(b)
      )
    )
    expect(surface("read_file").name).toBe("custom")
  })

  it("tell of tools that are not there", () => {
    expect(surface("core,+flux_capacitor,-nothing").warnings).toEqual([
      'there is no tool "flux_capacitor" to list',
      'there is no tool "nothing" to leave out'
    ])
    expect(surface("core").warnings).toEqual([])
  })

  it("fall back on everything when nothing of it is known, and say so", () => {
    const unknown = surface("mega")
    expect(unknown.name).toBe("full")
    expect(unknown.tools).toHaveLength(178)
    expect(unknown.warnings.join(" ")).toContain('"mega" names no surface; all tools are listed')
  })

  it("are the same surface when they are equal", () => {
    expect(surface("core,+get_cluster")).toBe(surface("core +get_cluster"))
  })
})

describe("what a name leads to", () => {
  it("compact: the tools with operations, and no other", () => {
    for (const name of facades) expect(tag("compact", name)).toBe("facade")
    for (const name of canonical.filter((each) => !facades.includes(each)))
      expect(tag("compact", name), name).toBe("hidden")
    expect(tag("compact", "nothing_like_it")).toBe("unknown")
  })

  it("defer: also what is not listed; hide: only what is", () => {
    expect(names("agent")).not.toContain("get_cluster")
    expect(tag("agent", "get_cluster")).toBe("direct")
    expect(tag("agent", "mutation_status")).toBe("direct")
    expect(tag("agent,hide", "get_cluster")).toBe("hidden")
    expect(tag("agent,hide", "read_file")).toBe("direct")
  })

  it("single tools: the tools with operations are not called by their names, but for the shared ones", () => {
    const shared = ["explore", "analyze", "ask", "review"]
    for (const name of facades)
      expect(tag("full", name), name).toBe(shared.includes(name) ? "direct" : "hidden")
    expect(facades.filter((name) => !shared.includes(name))).toHaveLength(17)
  })

  it("hybrid: both", () => {
    for (const name of facades) expect(tag("hybrid", name)).toBe("facade")
    expect(tag("hybrid", "read_file")).toBe("direct")
    expect(tag("hybrid", "get_cluster")).toBe("direct")
    expect(tag("hybrid,hide", "get_cluster")).toBe("hidden")
  })

  it("readonly: writers are not called, deferred or not", () => {
    for (const name of ["write_file", "store_memory", "post_review", "overlay_merge", "track_repository"])
      expect(tag("readonly", name), name).toBe("hidden")
    expect(tag("readonly", "read_file")).toBe("direct")
    expect(tag("readonly", "overlay_push")).toBe("direct")
    const { permits } = surface("readonly")
    expect(permits(registry.lookup("workspace_admin", "blame")!)).toBe(false)
    expect(permits(registry.lookup("analyze", "todos")!)).toBe(true)
  })
})

describe("a follow-up", () => {
  const follow = (tool: string, args: { readonly [key: string]: any }) =>
    draft("mechanically_followable", tool, args)

  it("is said in the tools of the session", () => {
    const { translate } = surface("full")
    expect(
      translate(
        follow("read", { operation: "source", target: { symbol: "a.ts::f" }, context: { context_lines: 3 } })
      )
    ).toEqual({
      follow_up_kind: "mechanically_followable",
      tool: "get_symbol_source",
      arguments: { id: "a.ts::f", context_lines: 3 }
    })
    expect(translate(follow("overlay", { operation: "merge", branch: "x" }))).toMatchObject({
      tool: "overlay_merge"
    })
    expect(translate(follow("edit", { operation: "apply_overlay" }))).toMatchObject({
      tool: "overlay_merge",
      arguments: { to_disk: true }
    })
    expect(
      translate(follow("capabilities", { domain: "read", operation: "file", detail: "schema" }))
    ).toMatchObject({
      tool: "tool_profile",
      arguments: { tool: "read_file" }
    })
    expect(translate(follow("capabilities", { domain: "read" }))).toMatchObject({
      tool: "tools_search",
      arguments: { query: "read" }
    })
  })

  it("is left out where nothing in the session does it", () => {
    expect(
      surface("readonly").translate(follow("edit", { operation: "file", target: { file: "a" } }))
    ).toBeUndefined()
    expect(
      surface("nav,hide").translate(follow("edit", { operation: "file", target: { file: "a" } }))
    ).toBeUndefined()
  })

  it("stays as it is where the tools with operations are", () => {
    const given = follow("read", { target: { file: "a" } })
    for (const name of ["compact", "hybrid"]) expect(surface(name).translate(given)).toBe(given)
  })
})

it("a surface's details list what can be called, listed tools first", () => {
  const rows = surface("nav").details.tools()
  expect(rows.slice(0, 21).every(({ listed }) => listed)).toBe(true)
  expect(rows.slice(21).some(({ listed }) => listed)).toBe(false)
  expect(rows).toHaveLength(179)
})
