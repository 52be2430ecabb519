import { describe, expect, it } from "vitest"
import { run, tokens } from "../transports/http/inventories/running.ts"
import { fuzz } from "./Fuzz.ts"
import { wrong } from "./Exchange.ts"
import { fuzzed } from "./settings.ts"
import { type Made, Requests, targetsOf } from "./Requests.ts"

const document = {
  paths: {
    "/a/{id}": {
      post: {
        parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
        requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/Body" } } } },
        responses: {
          "200": { content: { "application/json": { schema: { type: "object", required: ["a"] } } } },
          "204": { description: "nothing" }
        }
      }
    }
  },
  components: {
    schemas: { Body: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] } }
  }
}

describe("the requests", () => {
  const targets = targetsOf(document)
  const source = (seed: number) =>
    new Requests(targets, { tools: [], ids: [], sessions: [], tokens: ["t"] }, seed)
  const many = (seed: number): ReadonlyArray<Made> => {
    const requests = source(seed)
    return Array.from({ length: 200 }, () => requests.next())
  }

  it("are the same for a seed, and others for another", () => {
    expect(many(1)).toEqual(many(1))
    expect(many(1)).not.toEqual(many(2))
  })

  it("are partly as the document has them and partly not", () => {
    const made = many(3)
    const plain = made.filter(({ twists }) => twists.length === 0)
    expect(plain.length).toBeGreaterThan(20)
    expect(plain.length).toBeLessThan(180)
    for (const { body, path } of plain) {
      expect(path).toMatch(/^\/a\/[^/]+$/)
      expect(JSON.parse(body as string).n).toBeTypeOf("number")
    }
  })
})

describe("an answer", () => {
  const [target] = targetsOf(document)
  const made: Made = {
    target: target as NonNullable<typeof target>,
    method: "POST",
    path: "/a/1",
    headers: {},
    body: "{}",
    twists: []
  }
  const of = (status: number, text: string, type = "application/json") => wrong(made, { status, text, type })

  it("is wrong where the server failed, or answers otherwise than it says", () => {
    expect(of(200, '{"a":1}')).toBeUndefined()
    expect(of(204, "")).toBeUndefined()
    expect(of(200, "{}")).toContain("another shape")
    expect(of(200, "{")).toContain("not JSON")
    expect(of(201, "{}")).toContain("not declared")
    expect(of(500, "{}")).toContain("500")
    expect(wrong({ ...made, method: "PUT" }, { status: 404, text: "", type: "" })).toBeUndefined()
    expect(wrong({ ...made, method: "PUT" }, { status: 503, text: "", type: "" })).toContain("503")
  })
})

describe("a running server", () => {
  it.each(fuzzed.map((settings, at) => ({ settings, seed: 20 + at })))(
    "takes requests of all kinds without failing (seed $seed)",
    async ({ seed, settings }) => {
      const server = await run({ settings })
      try {
        const { answers, findings } = await fuzz({
          url: server.url,
          requests: 250,
          seed,
          tokens: Object.values(tokens)
        })
        expect(findings).toEqual([])
        expect(server.log).toEqual([])
        const statuses = new Set(Object.values(answers).flatMap((counts) => Object.keys(counts)))
        for (const status of ["200", "400", "401", "404"]) expect(statuses).toContain(status)
      } finally {
        await server.close()
      }
    },
    300_000
  )
})
