import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { generate } from "openapi-typescript-codegen"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { api } from "../../../../src/transports/http/Api.ts"
import { operationIdOf } from "../../../../src/transports/http/inventories/openapi.ts"
import { routesOf } from "../../../../src/transports/http/inventories/Routes.ts"
import { run, type Running, tokens } from "./running.ts"

/** The method the generator makes of an operation. */
const methodOf = (method: string, template: string): string => {
  const route = routesOf(api).routes.find((route) => route.method === method && route.template === template)
  if (route === undefined) throw new Error(`there is no ${method} ${template}`)
  return operationIdOf(route)
    .replace(/[^a-zA-Z0-9]+(.)/g, (_, letter: string) => letter.toUpperCase())
    .replace(/(\d)([a-z])/g, (_, digit: string, letter: string) => `${digit}${letter.toUpperCase()}`)
}

describe("a client generated from the OpenAPI document", () => {
  let server: Running
  let output: string
  // What is generated has no type before the test runs; the compiler checks it in a test of its own.
  // oxlint-disable-next-line typescript/no-explicit-any
  let tools: Record<string, (...args: ReadonlyArray<unknown>) => Promise<any>>

  beforeAll(async () => {
    server = await run()
    output = mkdtempSync(join(tmpdir(), "portico-client-"))
    const document = await fetch(`${server.url}/api/api-docs/openapi.json`)
    const input = join(output, "openapi.json")
    writeFileSync(input, await document.text())
    await generate({ input, output: join(output, "client"), httpClient: "fetch", clientName: "Client" })
    const { Client } = await import(join(output, "client/index.ts"))
    const client = new Client({ BASE: server.url, TOKEN: tokens.caller })
    tools = new Proxy(client.tools, {
      get: (target, name) => target[name].bind(target)
    })
  })
  afterAll(async () => {
    await server.close()
    rmSync(output, { recursive: true, force: true })
  })

  it("compiles", () => {
    writeFileSync(
      join(output, "tsconfig.json"),
      JSON.stringify({
        compilerOptions: {
          strict: true,
          noEmit: true,
          module: "esnext",
          moduleResolution: "bundler",
          target: "es2022",
          lib: ["es2022", "dom"],
          skipLibCheck: true,
          types: []
        },
        include: ["client"]
      })
    )
    execFileSync(process.execPath, ["node_modules/typescript/lib/tsc.js", "-p", output], { encoding: "utf8" })
  })

  it("reads the catalog, makes a call, and looks it up", async () => {
    const list = methodOf("GET", "/api/cos/tools")
    const call = methodOf("POST", "/api/cos/tools/call")
    const look = methodOf("GET", "/api/cos/tools/calls/{requestId}")
    const catalog = await tools[list]?.()
    expect(catalog.type).toBe("portos_tool_catalog")
    const tool = catalog.tools.find(({ name }: { name: string }) => name === "search.symbols")
    expect(tool.input_schema.additionalProperties).toBe(false)

    const body = {
      type: "portos_tool_call",
      requestId: "client-1",
      name: tool.name,
      version: 1,
      arguments: { query: "greet" }
    }
    const result = await tools[call]?.(body)
    expect(result).toMatchObject({
      type: "portos_tool_result",
      requestId: "client-1",
      name: tool.name,
      state: "completed",
      duplicate: false
    })
    expect(JSON.stringify(result.result)).toContain("src/greet.ts")

    const found = await tools[look]?.("client-1")
    expect(found).toEqual(result)
    expect(await tools[call]?.(body)).toEqual({ ...result, duplicate: true })
  })

  it("is told what it did wrong", async () => {
    const call = methodOf("POST", "/api/cos/tools/call")
    await expect(
      tools[call]?.({ requestId: "client-2", name: "no.such", arguments: {} })
    ).rejects.toMatchObject({ status: 404, body: { code: "TOOL_NOT_FOUND" } })
    await expect(
      tools[call]?.({ requestId: "client-3", name: "search.symbols", arguments: { zz: 1 } })
    ).rejects.toMatchObject({ status: 400, body: { code: "TOOL_VALIDATION_ERROR" } })
  })
})
