/** The catalog over HTTP: what is in it, and when it has to be sent again. */
import { of as catalogOf } from "../../../../src/pipeline/Catalog.ts"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { run, type Running } from "./running.ts"

const path = "/api/cos/tools"

describe("the catalog", () => {
  let server: Running
  beforeAll(async () => {
    server = await run()
  })
  afterAll(() => server.close())

  const tagOf = async (query = "") => (await server.get(path + query)).headers.get("etag") as string

  it("lists every operation once, and counts them", async () => {
    const { body, headers, status } = await server.get(path)
    expect(status).toBe(200)
    expect(headers.get("cache-control")).toBe("private, no-cache")
    expect(body).toMatchObject({ type: "portos_tool_catalog", schemaVersion: 1, scope: "all" })
    const names = body.tools.map((tool: { name: string }) => tool.name)
    expect(new Set(names).size).toBe(names.length)
    expect(names).toEqual(catalogOf(server.engine.registry).entries.map(({ name }) => name))
    const reads = body.tools.filter((tool: any) => tool.policy.sideEffect === "read").length
    expect(body.stats).toEqual({
      total: names.length,
      read: reads,
      write: names.length - reads,
      granted: 0
    })
    const write = body.tools.find(({ name }: { name: string }) => name === "edit.write")
    expect(write).toMatchObject({
      type: "portos_tool",
      version: 1,
      providerName: "edit_write",
      policy: {
        scopes: ["agent", "ui"],
        requiredCapabilities: ["local_write"],
        sideEffect: "write",
        effect: "local_write",
        privacy: "internal",
        idempotent: false,
        async: false,
        confirmation: "capability-grant",
        openWorld: false
      },
      available: true,
      availableInScope: true,
      granted: null
    })
    expect(write.input_schema.additionalProperties).toBe(false)
    expect(JSON.stringify(body)).not.toContain("adapter")
    const review = body.tools.find(({ name }: { name: string }) => name === "review.run")
    expect(review).toMatchObject({ available: false, policy: { async: true } })
    expect(review.unavailableReason).toEqual(expect.any(String))
  })

  it("says what a scope's callers were granted, and lists nothing for callers there are not", async () => {
    server.settings({ grants: { agent: ["read"], ui: ["read", "local_write"] } })
    const granted = async (scope: string) => {
      const { body } = await server.get(`${path}?scope=${scope}`)
      return new Map<string, boolean>(body.tools.map((tool: any) => [tool.name, tool.granted]))
    }
    expect((await granted("agent")).get("edit.write")).toBe(false)
    expect((await granted("ui")).get("edit.write")).toBe(true)
    expect((await granted("ui")).get("workspace_admin.index")).toBe(false)
    expect((await granted("agent")).get("read.file")).toBe(true)
    expect((await granted("mind")).size).toBe(0)
    expect((await granted("voice")).size).toBe(0)
    const { body } = await server.get(`${path}?scope=agent&format=openai`)
    const names = body.tools.map((tool: any) => tool.function.name)
    expect(names).toContain("read_file")
    expect(names).not.toContain("edit_write")
    server.settings({})
  })

  for (const [format, name] of [
    ["openai", (tool: any) => tool.function.name],
    ["anthropic", (tool: any) => tool.name],
    ["mcp", (tool: any) => tool.name]
  ] as const)
    it(`in the form of ${format} names what can be called, and every name leads back`, async () => {
      const { body } = await server.get(`${path}?format=${format}`)
      expect(body.type).toBe(`${format}_tool_catalog`)
      expect(body.tools.length).toBeGreaterThan(50)
      for (const tool of body.tools) {
        expect(name(tool)).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
        const entry = catalogOf(server.engine.registry).resolve(name(tool))
        expect(entry?.available).toBe(true)
        expect(entry?.providerName).toBe(name(tool))
      }
    })

  it("need not be sent to who has it, whatever the form of the question", async () => {
    const tag = await tagOf()
    expect(tag).toMatch(/^"[A-Za-z0-9_-]{43}"$/)
    for (const held of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
      const { body, headers, status } = await server.get(path, "caller", { "if-none-match": held })
      expect([held, status, body]).toEqual([held, 304, undefined])
      expect(headers.get("etag")).toBe(tag)
    }
    expect((await server.get(path, "caller", { "if-none-match": '"other"' })).status).toBe(200)
    expect(await tagOf()).toBe(tag)
    expect(await tagOf("?scope=ui")).not.toBe(tag)
    expect(await tagOf("?format=mcp")).not.toBe(tag)
  })

  it("has another tag once a grant changed or a person must agree, and the old one when that is over", async () => {
    const before = [await tagOf("?scope=ui"), await tagOf()]
    server.settings({ grants: { ui: ["read"] } })
    expect(await tagOf("?scope=ui")).not.toBe(before[0])
    server.settings({ approvals: { mode: "inspect" } })
    expect(await tagOf()).not.toBe(before[1])
    const { body } = await server.get(path)
    const of = (name: string) => body.tools.find((tool: any) => tool.name === name).policy.confirmation
    expect([of("edit.write"), of("read.file")]).toEqual(["approval", "none"])
    server.settings({})
    expect([await tagOf("?scope=ui"), await tagOf()]).toEqual(before)
  })

  it("is narrowed by an intent to what has to do with it, and by none or a strange one to nothing less", async () => {
    const count = async (intent: string) =>
      (await server.get(`${path}?intent=${encodeURIComponent(intent)}`)).body.tools.length as number
    const all = await count("")
    expect(await count("   ")).toBe(all)
    expect(await count("xyzzy")).toBe(all)
    const { body } = await server.get(`${path}?intent=${encodeURIComponent("rename a function")}`)
    const names = body.tools.map((tool: any) => tool.name)
    expect(names).toContain("refactor.rename")
    expect(names).toContain("capabilities.summary")
    expect(names.length).toBeLessThan(all / 2)
  })

  it("takes no question it does not know", async () => {
    for (const query of [
      "?scope=root",
      "?format=xml",
      "?cursor=1",
      `?intent=${"x".repeat(501)}`,
      "?scope=ui&scope=agent"
    ]) {
      const { body, status } = await server.get(path + query)
      expect([query, status, body.code]).toEqual([query, 400, "VALIDATION_ERROR"])
    }
    expect((await server.get(`${path}?intent=${"x".repeat(500)}`)).status).toBe(200)
  })
})
