import { connect } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { api } from "../../../../src/transports/http/Api.ts"
import { documentNames, documentsOf } from "../../../../src/transports/http/inventories/documents.ts"
import { routesOf, type Route } from "../../../../src/transports/http/inventories/Routes.ts"
import { run, type Running, tokens, version } from "./running.ts"

const { routes } = routesOf(api)
const asked = ({ template }: Route): string => template.replace(/\{\w+\}/g, "none")

describe("a running server", () => {
  let server: Running
  let strict: Running
  beforeAll(async () => {
    ;[server, strict] = [await run(), await run({ loopback: false })]
  })
  afterAll(async () => {
    await server.close()
    await strict.close()
  })

  const get = (path: string, headers: Record<string, string> = {}) => fetch(server.url + path, { headers })

  it("serves the documents that the routes come to", async () => {
    const made = documentsOf(api, version)
    for (const name of documentNames) {
      const response = await get(`/api/api-docs/${name}`)
      expect(response.status).toBe(200)
      expect(response.headers.get("content-type")).toContain("application/json")
      expect(response.headers.get("cache-control")).toBe("private, no-cache")
      expect(await response.text()).toBe(made[name].text)
    }
  })

  it("stops though a client reads no answer and keeps its connection", async () => {
    const other = await run()
    const socket = connect(Number(new URL(other.url).port), "127.0.0.1")
    socket.on("error", () => {})
    await new Promise<void>((resolve) => socket.once("connect", () => resolve()))
    socket.pause()
    for (let i = 0; i < 200; i++)
      socket.write(`GET /api/api-docs/${documentNames[0]} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`)
    await new Promise((resolve) => setTimeout(resolve, 200))
    await other.close()
    socket.destroy()
  }, 30_000)

  it("sends none of them twice to who has it", async () => {
    for (const name of documentNames) {
      const path = `/api/api-docs/${name}`
      const tag = (await get(path)).headers.get("etag") as string
      expect(tag).toMatch(/^"[0-9a-f]{64}"$/)
      for (const held of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
        const again = await get(path, { "if-none-match": held })
        expect([held, again.status]).toEqual([held, 304])
        expect(again.headers.get("etag")).toBe(tag)
        expect(await again.text()).toBe("")
      }
      for (const held of ['"other"', tag.slice(1, -1), ""])
        expect((await get(path, { "if-none-match": held })).status).toBe(200)
    }
  })

  it("knows every listed route", async () => {
    for (const route of routes) {
      const response = await fetch(server.url + asked(route), {
        method: route.method,
        headers: { authorization: `Bearer ${tokens.caller}` }
      })
      const text = await response.text()
      const missing = response.status === 404 && text.includes("there is nothing at this address")
      expect([route.method, route.path, missing, response.status < 500 || response.status === 503]).toEqual([
        route.method,
        route.path,
        false,
        true
      ])
    }
    const none = await get("/api/none")
    expect([none.status, ((await none.json()) as { code: string }).code]).toEqual([404, "NOT_FOUND"])
  })

  it("lets in without a token only where that is declared", async () => {
    for (const route of routes) {
      const response = await fetch(strict.url + asked(route), { method: route.method })
      await response.body?.cancel()
      const open = route.access === "always-public"
      expect([route.method, route.path, response.status === 401]).toEqual([route.method, route.path, !open])
    }
  })

  it("takes ids as long as they may be, and tells longer ones what is wrong with them", async () => {
    const look = async (length: number) => {
      const response = await get(`/api/cos/tools/calls/${"a".repeat(length)}`)
      return [response.status, ((await response.json()) as { code: string }).code]
    }
    expect(await look(200)).toEqual([404, "TOOL_CALL_NOT_FOUND"])
    expect(await look(201)).toEqual([400, "VALIDATION_ERROR"])
    expect(await look(8000)).toEqual([400, "VALIDATION_ERROR"])
  })

  it("says what is wrong with a call that may not be made and does not fit either", async () => {
    const response = await fetch(`${server.url}/api/cos/tools/call`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ requestId: "served-1", name: "edit.write", arguments: { operation: "x" } })
    })
    expect(response.status).toBe(403)
    expect(await response.json()).toMatchObject({
      code: "TOOL_AUTH_REQUIRED",
      error: expect.stringContaining("edit.write has effect local_write")
    })
  })

  it("answers with a status that is declared", async () => {
    const paths = documentsOf(api, version)["internal/openapi.json"].value["paths"] as {
      readonly [path: string]: { readonly [method: string]: { readonly responses: object } }
    }
    for (const route of routes) {
      const response = await fetch(server.url + asked(route), { method: route.method })
      await response.body?.cancel()
      const declared = Object.keys(paths[route.template]?.[route.method.toLowerCase()]?.responses ?? {})
      expect(declared).toContain(`${response.status}`)
    }
  })
})
