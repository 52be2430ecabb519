import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { auditOf, inspect, openEngine, openRecords, surfacesOf } from "../../../src/layers.ts"
import { parse } from "../../../src/surface/Selection.ts"
import { roster } from "../../../src/surface/Tools.ts"
import { run } from "../../../src/transports/cli/run.ts"
import { difference } from "../../../src/transports/cli/surface.ts"

const home = mkdtempSync(join(tmpdir(), "portico-surface-"))
beforeAll(() => {
  vi.stubEnv("PORTICO_HOME", home)
})
afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(home, { recursive: true, force: true })
})

/** Runs a command line; `opened` counts the engines it needed. */
const command = async (...argv: ReadonlyArray<string>) => {
  const said = { out: "", err: "", opened: 0 }
  const into = (stream: "out" | "err") => (text: string | Uint8Array) => {
    said[stream] += text.toString()
    return true
  }
  vi.spyOn(process.stdout, "write").mockImplementation(into("out"))
  vi.spyOn(process.stderr, "write").mockImplementation(into("err"))
  const code = await run(argv, {
    version: "1",
    loadEngine: async () => {
      said.opened++
      return (options) => openEngine({ ...options, directory: home })
    },
    loadRecords: async () => openRecords,
    loadInspect: async () => inspect,
    loadAudit: async () => auditOf
  })
  vi.restoreAllMocks()
  return { code, ...said }
}

const of = (specification: string) => surfacesOf(parse(specification))

describe("tools", () => {
  it("prints the compact surface without an engine", async () => {
    const printed = await command("tools", "--json")
    expect(printed).toMatchObject({ code: 0, opened: 0, err: "" })
    expect(JSON.parse(printed.out)).toEqual(roster)
  })

  it("prints any surface as a client lists it", async () => {
    const printed = await command("tools", "--surface", "nav,+get_cluster", "--json")
    expect(JSON.parse(printed.out)).toEqual(of("nav,+get_cluster").tools)
    const plain = await command("tools", "--surface", "agent,+flux_capacitor")
    expect(plain.err).toContain('there is no tool "flux_capacitor" to list')
    expect(plain.out.split("\n").filter((line) => line !== "")).toHaveLength(20)
  })
})

describe("surface", () => {
  it("lists the surfaces with what they cost", async () => {
    const { surfaces } = JSON.parse((await command("surface", "list", "--json")).out)
    expect(surfaces.find(({ surface }: { surface: string }) => surface === "full")).toEqual({
      surface: "full",
      mode: "defer",
      tools: 178,
      bytes: Buffer.byteLength(JSON.stringify({ tools: of("full").tools }))
    })
  })

  it("tells of every member a client is shown that differs, such as whether calls may be tasks", () => {
    const [tool] = of("compact").tools.filter(({ execution }) => execution !== undefined)
    const { execution: _, ...plain } = tool as NonNullable<typeof tool>
    const shown = (tools: ReadonlyArray<typeof plain>) => ({ ...of("compact"), tools })
    const name = plain.name
    expect(difference(shown([plain]), shown([tool as typeof plain])).changed).toEqual([
      { name, changes: ["execution"] }
    ])
    expect(difference(shown([{ ...plain, title: "a" } as typeof plain]), shown([plain])).changed).toEqual([
      { name, changes: ["title"] }
    ])
    expect(difference(shown([plain]), shown([plain])).changed).toEqual([])
  })

  it("tells how one differs from another", async () => {
    const found = difference(of("agent"), of("hybrid"))
    expect(found.removed).toEqual(["index_health", "tool_profile", "tools_search"])
    expect(found.added).toContain("edit_symbol")
    expect(found.added).not.toContain("edit_file")
    expect(found.changed).toEqual([{ name: "explore", changes: ["description", "inputSchema"] }])
    expect(found.same + found.changed.length + found.added.length).toBe(49)
    expect(found.same + found.changed.length + found.removed.length).toBe(20)
    expect(JSON.parse((await command("surface", "diff", "agent", "hybrid", "--json")).out)).toEqual(found)
    const plain = (await command("surface", "diff", "agent", "hybrid")).out
    expect(plain).toContain("- index_health\n")
    expect(plain).toContain("+ edit_symbol\n")
    expect(plain).toContain("~ explore: description, inputSchema\n")
  })

  it("finds nothing between equal ones", () => {
    expect(difference(of("core"), of("default"))).toMatchObject({
      added: [],
      removed: [],
      changed: [],
      same: 37
    })
  })

  it("refuses what it does not understand", async () => {
    for (const argv of [
      ["surface"],
      ["surface", "diff", "agent"],
      ["surface", "shine"],
      ["surface", "list", "x"]
    ])
      expect(await command(...argv)).toMatchObject({ code: 2, out: "" })
  })
})
