import asyncapi from "@asyncapi/specs"
import { Validator } from "@seriousme/openapi-schema-validator"
import { Ajv } from "ajv"
import { Ajv2020 } from "ajv/dist/2020.js"
import { existsSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { api } from "../../../../src/transports/http/Api.ts"
import { domains } from "../../../../src/transports/http/inventories/declared.ts"
import { documentNames, documentsOf } from "../../../../src/transports/http/inventories/documents.ts"
import { events } from "../../../../src/transports/http/inventories/events.ts"
import { routesOf } from "../../../../src/transports/http/inventories/Routes.ts"

const documents = documentsOf(api, "1.2.3")
const { routes } = routesOf(api)
// The documents are JSON from here on, as a client would read them.
// oxlint-disable-next-line typescript/no-explicit-any
const read = (name: (typeof documentNames)[number]): any => JSON.parse(documents[name].text)

describe("the documents", () => {
  it("are the same bytes each time", () => {
    const again = documentsOf(api, "1.2.3")
    for (const name of documentNames) expect(again[name].text).toBe(documents[name].text)
  })

  it("say nothing of when, where or on what line they were made", () => {
    for (const name of documentNames) {
      const { text } = documents[name]
      expect(text).not.toContain(process.cwd())
      expect(text).not.toMatch(/127\.0\.0\.1|\b20\d\d-\d\d-\d\d|\.ts:\d+/)
      expect(text.endsWith("\n")).toBe(true)
    }
    expect(documents["tools.min.json"].text.trim()).not.toContain("\n")
    expect(documents["catalog.json"].text).toContain('\n  "schemaVersion": 1,\n')
  })

  it("change when the version does, and not otherwise", () => {
    const other = documentsOf(api, "2.0.0")
    for (const name of documentNames)
      expect(other[name].text.replaceAll("2.0.0", "1.2.3")).toBe(documents[name].text)
  })
})

describe("OpenAPI", () => {
  for (const name of ["internal/openapi.json", "openapi.json"] as const)
    it(`${name} is a valid 3.0.3 document`, async () => {
      const result = await new Validator().validate(read(name))
      expect(result.errors ?? []).toEqual([])
      expect(result.valid).toBe(true)
      expect(read(name).openapi).toBe("3.0.3")
    })

  it("holds every route in the internal document, and only those for callers elsewhere in the public one", () => {
    const of = (name: "internal/openapi.json" | "openapi.json") =>
      Object.entries<object>(read(name).paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`)
      )
    const listed = (only: ReadonlyArray<string>) =>
      routes
        .filter(({ access }) => only.includes(access))
        .map(({ method, template }) => `${method} ${template}`)
    expect(of("internal/openapi.json").sort()).toEqual(
      listed(["always-public", "loopback", "externally-exposable", "authenticated-ui"]).sort()
    )
    expect(of("openapi.json").sort()).toEqual(listed(["always-public", "externally-exposable"]).sort())
  })

  it("names every operation once, and declares every parameter of its path", () => {
    const seen = new Set<string>()
    // oxlint-disable-next-line typescript/no-explicit-any
    for (const [path, methods] of Object.entries<Record<string, any>>(read("internal/openapi.json").paths))
      for (const operation of Object.values(methods)) {
        expect(seen).not.toContain(operation.operationId)
        seen.add(operation.operationId)
        expect(operation.operationId).toMatch(/^[A-Za-z0-9_]{1,80}_[0-9a-f]{8}$/)
        const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
        const declared = operation.parameters
          .filter((parameter: { in: string }) => parameter.in === "path")
          .map((parameter: { name: string }) => parameter.name)
        expect(declared.sort()).toEqual(inPath.sort())
        for (const { status } of operation["x-portos-error-codes"])
          expect(operation.responses).toHaveProperty(`${status}`)
      }
  })
})

describe("AsyncAPI", () => {
  it("is a valid 3.0.0 document", () => {
    const ajv = new Ajv({ meta: false, validateSchema: false, strict: false, validateFormats: false })
    // The schemas of the specification are draft-07, under names of their own.
    const valid = ajv.compile(asyncapi.schemas["3.0.0"] as object)
    const ok = valid(read("asyncapi.json"))
    expect(valid.errors ?? []).toEqual([])
    expect(ok).toBe(true)
  })

  it("leads every reference somewhere", () => {
    const document = read("asyncapi.json")
    const refs = [...documents["asyncapi.json"].text.matchAll(/"\$ref": "#\/([^"]+)"/g)].map(([, ref]) => ref)
    expect(refs.length).toBeGreaterThan(0)
    for (const ref of refs)
      expect((ref as string).split("/").reduce((at, key) => at?.[key], document)).toBeTypeOf("object")
  })

  it("has a message and an operation for each event, with a payload that compiles", () => {
    const document = read("asyncapi.json")
    const ajv = new Ajv2020({ strict: true, strictTypes: false, allowUnionTypes: true })
    expect(Object.keys(document.operations)).toHaveLength(events.length)
    expect(
      Object.values<{ name: string }>(document.components.messages)
        .map(({ name }) => name)
        .sort()
    ).toEqual(events.map(({ event }) => event).sort())
    for (const { payload } of events) ajv.compile(payload)
  })
})

describe("the catalogs", () => {
  it("count what they list", () => {
    const { domains: listed, routes: rows, stats } = read("catalog.json")
    expect(rows).toHaveLength(routes.length)
    expect(stats).toMatchObject({
      operations: rows.length,
      declarations: rows.length,
      domains: listed.length
    })
    expect(stats.modeled + stats.generated).toBe(rows.length)
    expect(listed.reduce((sum: number, { operations }: { operations: number }) => sum + operations, 0)).toBe(
      rows.length
    )
    const key = ({ path, method }: { path: string; method: string }) => `${path} ${method}`
    expect(rows.map(key)).toEqual(rows.map(key).sort())
    const { events: told, stats: counted } = read("events.json")
    expect(told).toHaveLength(events.length)
    expect(counted.clientToServer + counted.serverToClient + counted.bidirectional).toBe(told.length)
  })

  it("name sources that are there", () => {
    for (const { source } of [...Object.values(domains), ...events]) expect(existsSync(source)).toBe(true)
  })

  it("begin every path with what its domain is mounted on", () => {
    for (const { domain, path } of routes) expect(path.startsWith(domain.mount)).toBe(true)
  })

  it("take no route that reads for one that changes something", () => {
    for (const { method, sideEffect, path } of routes)
      if (sideEffect !== "read") expect([path, method]).not.toEqual([path, "GET"])
  })
})

describe("the tool resource", () => {
  it("has closed inputs and outputs that compile, and only declared tools", () => {
    const { stats, tools } = read("tools.min.json")
    const noted = routes.filter(({ declaration }) => declaration.tool !== undefined)
    expect(tools).toHaveLength(noted.length)
    expect(stats.read + stats.write).toBe(tools.length)
    for (const tool of tools) {
      const ajv = new Ajv2020({
        strict: true,
        strictTypes: false,
        allowUnionTypes: true,
        validateFormats: false
      })
      ajv.compile(tool.input_schema)
      ajv.compile(tool.output_schema)
      expect(tool.input_schema.additionalProperties).toBe(false)
      expect(tool.providerName).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
      for (const [, name] of tool.binding.path.matchAll(/\{(\w+)\}/g))
        expect(tool.input_schema.required).toContain(name)
    }
  })
})
