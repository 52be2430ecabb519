/** What sessions over standard input and output see and may call, by who they are and what was asked for. */
import { beforeAll, describe, expect, it } from "vitest"
import { catalog as registry } from "../../src/facades/index.ts"
import { parse } from "../../src/surface/Selection.ts"
import { surfaceOf } from "../../src/surface/Surface.ts"
import { roster } from "../../src/surface/Tools.ts"
import { build, environment, folder, Server } from "./server.ts"

beforeAll(build, 120_000)

const small = (more: { readonly [name: string]: string } = {}) =>
  folder({
    "lib/greet.ts": "export const greet = (name: string) => `Hello ${name}`\n",
    "lib/use.ts":
      'import { greet } from "./greet.ts"\nexport const all = ["a", "b"].map((name) => greet(name))\n',
    ...more
  })

const compact = roster.map(({ name }) => name)
const listOf = (specification: string) =>
  surfaceOf(registry, parse(specification)).tools.map(({ name }) => name)

const listed = async (server: Server): Promise<ReadonlyArray<string>> =>
  (await server.request("tools/list")).result.tools.map((tool: { name: string }) => tool.name)

const opened = async (
  client: string,
  directory = small(),
  args: ReadonlyArray<string> = [],
  env = environment()
) => {
  const server = new Server(directory, args, env)
  const { result } = await server.open(client)
  return { server, instructions: result.instructions as string }
}

describe("a session", () => {
  it("of a client with any name lists the 21 tools, and nothing else", async () => {
    const directory = small()
    for (const client of [
      // Known clients, and names their hosts give them.
      "claude-code",
      "codex",
      "cursor",
      "vscode",
      "zed",
      "opencode",
      "gemini-cli",
      "copilot-cli",
      "codex-mcp-client",
      "cursor-vscode",
      "Visual Studio Code",
      "claude-ai",
      // Nobody.
      "nobody-has-heard-of-this-one"
    ]) {
      const { server } = await opened(client, directory)
      expect(await listed(server), client).toEqual(compact)
      server.child.kill("SIGKILL")
    }
  }, 60_000)

  it("without a name keeps the server's default", async () => {
    const { instructions, server } = await opened("")
    expect(await listed(server)).toEqual(listOf("core"))
    expect(instructions).toContain("tools_search")
    expect(instructions.length).toBeLessThan(550)
  })

  it("that lists before it says its name keeps the server's default, also afterwards", async () => {
    const server = new Server(small())
    expect(await listed(server)).toEqual(listOf("core"))
    await server.open("claude-code")
    expect(await listed(server)).toEqual(listOf("core"))
    expect((await server.call("read_file", { path: "lib/greet.ts" })).result.isError).toBeUndefined()
  })
})

describe("what is asked for", () => {
  it("on the command line comes before the environment, that before the settings, those before the profile", async () => {
    const directory = small({ ".effectrc": '{ "tools": "nav" }' })
    const env = environment()
    const cases: ReadonlyArray<readonly [string, ReadonlyArray<string>, NodeJS.ProcessEnv]> = [
      ["edit", ["--tools", "edit"], { ...env, PORTICO_TOOLS: "agent" }],
      ["agent", [], { ...env, PORTICO_TOOLS: "agent", GORTEX_TOOLS: "edit" }],
      ["localization", [], { ...env, GORTEX_TOOLS: "localization" }],
      ["nav", [], { ...env, PORTICO_INSTRUCTIONS_PROFILE: "full" }]
    ]
    for (const [surface, args, given] of cases) {
      const { server } = await opened("claude-code", directory, args, given)
      expect(await listed(server), surface).toEqual(listOf(surface))
      server.child.kill("SIGKILL")
    }
    const { server } = await opened("claude-code", small(), [], {
      ...env,
      PORTICO_INSTRUCTIONS_PROFILE: "full"
    })
    expect(await listed(server)).toEqual(listOf("core"))
  }, 60_000)

  it("and is no surface opens everything, and says so to the operator", async () => {
    const { server } = await opened("claude-code", small(), ["--tools", "mega"])
    expect(await listed(server)).toHaveLength(178)
    expect(server.err).toContain('"mega" names no surface; all tools are listed')
  })
})

describe("a call in a session of the 21 tools", () => {
  it("reaches by a tool what it may not call by its canonical name", async () => {
    const { server } = await opened("codex")
    const hidden = (await server.call("read_file", { path: "lib/greet.ts" })).result
    expect(hidden.isError).toBe(true)
    expect(hidden.structuredContent).toMatchObject({
      error_code: "tool_blocked_by_mode",
      data: {
        tool: "read_file",
        replacements: [{ tool: "read", operation: "file" }],
        recovery_tool: "capabilities"
      },
      recovery: { tool: "capabilities" }
    })
    const reached = (await server.call("read", { target: { file: "lib/greet.ts" } })).result
    expect(reached.structuredContent.content).toContain("Hello")
    expect(reached._meta.gortex_facade).toMatchObject({ canonical_tool: "read_file" })
    expect(JSON.parse(reached.content[0].text)).toEqual(reached.structuredContent)
    expect(await listed(server)).toEqual(compact)
  })

  it("goes the whole way from finding to checking a change, listing tools once and hearing of no other list", async () => {
    const { server } = await opened("codex")
    const tools = new Set(await listed(server))
    const done = async (name: string, args: unknown) => {
      expect(tools).toContain(name)
      const { result } = await server.call(name, args)
      expect(result.isError, JSON.stringify(result.structuredContent)).toBeUndefined()
      return result.structuredContent
    }
    await done("explore", { task: "greet people by name" })
    const { results } = await done("search", { query: "greet" })
    expect(JSON.stringify(results)).toContain("lib/greet.ts::greet")
    const { read_revision } = await done("read", { target: { file: "lib/greet.ts" } })
    expect(JSON.stringify(await done("relations", { target: { symbol: "lib/greet.ts::greet" } }))).toContain(
      "lib/use.ts"
    )
    await done("change", { operation: "impact", target: { symbol: "lib/greet.ts::greet" } })
    await done("edit", {
      target: { file: "lib/greet.ts" },
      match: "Hello",
      replacement: "Welcome",
      guard: { read_revision }
    })
    await done("change", { operation: "tests", target: { symbol: "lib/greet.ts::greet" } })
    await done("capabilities", { domain: "read", operation: "file", detail: "schema" })
    expect(server.messages.filter(({ method }) => method === "notifications/tools/list_changed")).toEqual([])
  }, 60_000)
})

describe("a call in a session of single tools", () => {
  it("takes flat arguments, and is told of refusals in them", async () => {
    const { server } = await opened("unknown-client", small(), ["--tools", "agent"])
    const read = (await server.call("read_file", { path: "lib/greet.ts" })).result
    expect(read.structuredContent.content).toContain("Hello")
    const usages = (await server.call("find_usages", { id: "lib/greet.ts::greet" })).result
    expect(JSON.stringify(usages.structuredContent)).toContain("lib/use.ts")
    const symbol = (await server.call("get_symbol", { id: "lib/greet.ts::greet", detail: "full" })).result
    expect(symbol.structuredContent).toMatchObject({
      id: "lib/greet.ts::greet",
      file_path: "lib/greet.ts",
      start_line: 1,
      language: "typescript"
    })
    expect(symbol.structuredContent).not.toHaveProperty("source")
    const missing = (await server.call("read_file", {})).result
    expect(missing.structuredContent).toMatchObject({ error_code: "invalid_argument", field: "path" })
    expect(missing.structuredContent.message).toContain("path is required")
    const lost = (await server.call("get_symbol_source", { id: "nowhere" })).result
    expect(lost.structuredContent).toMatchObject({ field: "id", recovery: { tool: "search_symbols" } })
  })

  it("may be of a tool that is only found, unless such tools are hidden", async () => {
    const directory = small()
    const deferring = await opened("unknown-client", directory, ["--tools", "agent"])
    expect(await listed(deferring.server)).not.toContain("find_files")
    const found = (await deferring.server.call("tools_search", { query: "files by name glob" })).result
    expect(found.structuredContent.tools[0]).toMatchObject({ name: "find_files", listed: false })
    expect((await deferring.server.call("find_files", { glob: "**/*.ts" })).result.isError).toBeUndefined()
    const profile = (await deferring.server.call("tool_profile")).result.structuredContent
    expect(profile).toMatchObject({ surface: "agent", mode: "defer" })
    expect(profile.listed).toEqual(await listed(deferring.server))

    const hiding = await opened("unknown-client", directory, ["--tools", "agent,hide"])
    expect(
      (await hiding.server.call("find_files", { glob: "**/*.ts" })).result.structuredContent
    ).toMatchObject({
      error_code: "tool_blocked_by_mode",
      data: { recovery_tool: "tools_search" }
    })
    expect((await hiding.server.call("tool_profile")).result.structuredContent.callable_unlisted).toEqual([])
  }, 30_000)

  it("is refused by the name of a tool with operations, and told what there is", async () => {
    const { server } = await opened("unknown-client", small(), ["--tools", "full"])
    expect(
      (await server.call("read", { target: { file: "lib/greet.ts" } })).result.structuredContent
    ).toMatchObject({
      error_code: "tool_blocked_by_mode",
      data: { replacements: [{ tool: "read_file" }] },
      recovery: { tool: "tool_profile", arguments: { tool: "read_file" } }
    })
    const shared = await server.call("explore", { operation: "task", task: "greet", options: { limit: 1 } })
    expect(shared.result._meta.gortex_facade).toMatchObject({ facade: "explore", operation: "task" })
  })

  it("writes nothing where the surface only reads", async () => {
    const { server } = await opened("unknown-client", small(), ["--tools", "readonly"])
    for (const [name, args] of [
      ["write_file", { path: "new.ts", content: "1" }],
      ["analyze", { kind: "blame" }],
      ["overlay_merge", { to_disk: true }]
    ] as const)
      expect((await server.call(name, args)).result.structuredContent.error_code, name).toBe(
        "tool_blocked_by_mode"
      )
  })

  it("is answered in lines to clients that read them, and in JSON when they say so", async () => {
    const directory = small()
    const { server } = await opened("codex", directory, ["--tools", "agent"])
    const lines = (await server.call("find_usages", { id: "lib/greet.ts::greet" })).result
    expect(lines.content[0].text).toMatch(/^GCX1 tool=find_usages/)
    expect(lines.structuredContent.edges.length).toBeGreaterThan(0)
    const json = (await server.call("find_usages", { id: "lib/greet.ts::greet", format: "json" })).result
    expect(JSON.parse(json.content[0].text)).toEqual(json.structuredContent)
    const other = await opened("unknown-client", directory, ["--tools", "agent"])
    const plain = (await other.server.call("find_usages", { id: "lib/greet.ts::greet" })).result
    expect(JSON.parse(plain.content[0].text)).toEqual(plain.structuredContent)
    const asked = (await other.server.call("find_usages", { id: "lib/greet.ts::greet", format: "toon" }))
      .result
    expect(asked.content[0].text).toContain("symbol:")
  }, 30_000)
})
