import { describe, expect, it } from "vitest"
import { post, postMs } from "../../src/telemetry/Post.ts"
import { collector } from "./support.ts"

describe("a request", () => {
  it("carries its JSON and nothing that tells one machine from another", async () => {
    await using server = await collector()
    expect(await post(server.url, '{"a":1}')).toBe(true)
    expect(server.taken).toHaveLength(1)
    const [{ body, headers, method, url }] = server.taken as [(typeof server.taken)[number]]
    expect({ body, method, url }).toEqual({ body: '{"a":1}', method: "POST", url: "/counts" })
    expect(Object.keys(headers).sort()).toEqual(["connection", "content-length", "content-type", "host"])
    expect(headers["content-type"]).toBe("application/json")
  })

  it.each([500, 404, 301])("that is answered with %i is not repeated", async (status) => {
    await using elsewhere = await collector()
    await using server = await collector(status, { location: elsewhere.url })
    expect(await post(server.url, "{}")).toBe(false)
    expect(server.taken).toHaveLength(1)
    expect(elsewhere.taken).toEqual([])
  })

  it.each(["never", "half"] as const)(
    "that is answered %s is given up at its limit, which is five seconds",
    async (answer) => {
      expect(postMs).toBe(5_000)
      await using server = await collector(answer)
      // Its own clock keeps nobody waiting, so this one does.
      const waiting = setInterval(() => {}, 1_000)
      expect(await post(server.url, "{}", 500)).toBe(false)
      clearInterval(waiting)
      expect(server.taken).toHaveLength(1)
    }
  )

  it("to nobody fails without a word", async () => {
    const gone = await collector()
    await gone[Symbol.asyncDispose]()
    expect(await post(gone.url, "{}")).toBe(false)
  })
})
