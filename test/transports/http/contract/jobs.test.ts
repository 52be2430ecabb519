/** Long calls over HTTP: begun, followed, found again, stopped. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { newId } from "./client.ts"
import { repository, run, type Running, tokens } from "./running.ts"

interface Frame {
  readonly id: number
  readonly event: string
  readonly data: { readonly sequence: number; readonly phase: string; readonly [key: string]: unknown }
}

const framesOf = (text: string): ReadonlyArray<Frame> =>
  text
    .split("\n\n")
    .filter((block) => block.includes("data: "))
    .map((block) => {
      const line = (name: string) => (new RegExp(`^${name}: (.*)$`, "m").exec(block) ?? [])[1] as string
      return { id: Number(line("id")), event: line("event"), data: JSON.parse(line("data")) as Frame["data"] }
    })

const terminal = ["completed", "failed", "cancelled"]
const index = { arguments: { path: "." } }

describe("a long call", () => {
  let server: Running
  beforeAll(async () => {
    const top = repository()
    mkdirSync(join(top, "many"))
    for (let at = 0; at < 400; at++)
      writeFileSync(
        join(top, "many", `m${at}.ts`),
        Array.from({ length: 30 }, (_, n) => `export const f${at}_${n} = (x: number) => x + ${n}\n`).join("")
      )
    server = await run({ top })
  })
  afterAll(() => server.close())

  const events = (url: string, last?: number) =>
    fetch(server.url + url, {
      headers: {
        authorization: `Bearer ${tokens.caller}`,
        ...(last === undefined ? {} : { "last-event-id": String(last) })
      }
    })

  /** Reads the first frames of a stream and hangs up. */
  const first = async (url: string, count: number): Promise<ReadonlyArray<Frame>> => {
    const response = await events(url)
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    let text = ""
    while (framesOf(text).length < count) {
      const { done, value } = await reader.read()
      if (done) break
      text += value
    }
    await reader.cancel()
    return framesOf(text).slice(0, count)
  }

  it("is a job, whose result is found under the call's id once it is done", async () => {
    const id = newId()
    const { body, headers, status } = await server.call("workspace_admin.index", index, { id })
    expect(status).toBe(202)
    expect(headers.get("location")).toBe(`/api/cos/tools/calls/${id}`)
    expect(body).toMatchObject({
      type: "portos_tool_result",
      name: "workspace_admin.index",
      state: "accepted",
      duplicate: false,
      job: { id: expect.stringMatching(/^job_/), status: "running", cancelable: true }
    })
    const again = await server.call("workspace_admin.index", index, { id })
    expect([again.status, again.body.duplicate, again.body.job.id]).toEqual([202, true, body.job.id])
    const under = await server.get(`/api/cos/tools/calls/${id}`)
    expect([under.status, under.body.state]).toEqual([200, "running"])
    const frames = framesOf(await (await events(body.job.eventsUrl)).text())
    const last = frames.at(-1)!
    expect(last.event).toBe("completed")
    const done = await server.get(`/api/cos/tools/calls/${id}`)
    expect([done.status, done.body.state, done.body.duplicate]).toEqual([200, "completed", false])
    expect(done.body.result).toEqual(last.data["result"])
    const kept = await server.call("workspace_admin.index", index, { id })
    expect([kept.status, kept.body.duplicate, kept.body.state]).toEqual([200, true, "completed"])
    const state = await server.get(`/api/cos/tools/jobs/${body.job.id}`)
    expect(state.body).toMatchObject({
      type: "portos_tool_job",
      status: "completed",
      cancelable: false,
      requestId: id
    })
    const stopped = await server.post(`/api/cos/tools/calls/${id}/cancel`, {})
    expect([stopped.status, stopped.body.cancellation, stopped.body.state]).toEqual([
      200,
      "already_terminal",
      "completed"
    ])
  })

  it("tells its events in order and its end once, from wherever one takes them up again", async () => {
    const { body } = await server.call("workspace_admin.index", index)
    const url = body.job.eventsUrl as string
    const response = await events(url)
    expect(response.headers.get("content-type")).toContain("text/event-stream")
    const frames = framesOf(await response.text())
    expect(frames.map(({ id }) => id)).toEqual(frames.map((_, at) => at + 1))
    expect(frames.map(({ data }) => data.sequence)).toEqual(frames.map(({ id }) => id))
    expect(frames.every(({ data, event }) => data.phase === event)).toBe(true)
    expect(frames.filter(({ event }) => terminal.includes(event))).toHaveLength(1)
    for (let last = 0; last <= frames.length; last++) {
      const resumed = await events(url, last)
      if (last === frames.length) {
        expect(resumed.status).toBe(204)
        await resumed.body?.cancel()
      } else expect(framesOf(await resumed.text())).toEqual(frames.slice(last))
    }
    for (const wrong of ["x", "-1", "1.5"]) {
      const refused = await fetch(server.url + url, {
        headers: { authorization: `Bearer ${tokens.caller}`, "last-event-id": wrong }
      })
      expect(refused.status).toBe(400)
      await refused.body?.cancel()
    }
  })

  it("goes on while nobody follows it, and is taken up where one left off", async () => {
    const { body } = await server.call("workspace_admin.index", index)
    const url = body.job.eventsUrl as string
    const seen = await first(url, 2)
    expect(seen.map(({ event }) => event)).toEqual(["queued", "running"])
    const rest = framesOf(await (await events(url, 2)).text())
    expect(rest[0]?.id).toBe(3)
    expect(rest.at(-1)?.event).toBe("completed")
  })

  it("can be stopped, and then its end says so to whoever comes late", async () => {
    const id = newId()
    const { body } = await server.call("workspace_admin.index", index, { id })
    const stopped = await server.post(`/api/cos/tools/calls/${id}/cancel`, { reason: "not needed" })
    expect(stopped.status).toBe(200)
    expect(stopped.body).toMatchObject({
      state: "cancelled",
      cancellation: "stopped",
      errorCode: "cancelled"
    })
    expect(stopped.body.error).toContain("not needed")
    const frames = framesOf(await (await events(body.job.eventsUrl)).text())
    expect(frames.at(-1)).toMatchObject({ event: "cancelled", data: { error: { code: "cancelled" } } })
    const state = await server.get(`/api/cos/tools/jobs/${body.job.id}`)
    expect(state.body).toMatchObject({ status: "cancelled", reason: "not needed" })
    const twice = await server.post(`/api/cos/tools/calls/${id}/cancel`, {})
    expect(twice.body).toMatchObject({ state: "cancelled" })
    // It is over: to run it again takes another id.
    const again = await server.call("workspace_admin.index", index, { id })
    expect(again.body).toMatchObject({ state: "cancelled", duplicate: true })
  })

  it("is waited for by who says how long", async () => {
    const { body, status } = await server.call("workspace_admin.index", index, {
      headers: { prefer: "wait=30" }
    })
    expect([status, body.state]).toEqual([200, "completed"])
  })

  it("may be any call, where the caller asks for that", async () => {
    const { body, headers, status } = await server.call(
      "read.file",
      { target: { file: "src/name.ts" } },
      { headers: { prefer: "respond-async" } }
    )
    expect([status, headers.get("preference-applied")]).toEqual([202, "respond-async"])
    const frames = framesOf(await (await events(body.job.eventsUrl)).text())
    expect(frames.at(-1)?.data["result"]).toMatchObject({ path: "src/name.ts" })
  })

  it("that may not be made is refused and no job", async () => {
    server.settings({ grants: { ui: ["read"] } })
    const { body, status } = await server.call("workspace_admin.index", index)
    expect([status, body.code]).toEqual([403, "TOOL_CAPABILITY_DENIED"])
    server.settings({})
    const wrong = await server.call("workspace_admin.index", { arguments: { nothing: 1 } })
    expect([wrong.status, wrong.body.code]).toEqual([400, "TOOL_VALIDATION_ERROR"])
    const other = await server.call("workspace_admin.index", { arguments: { path: "src" } })
    const frames = framesOf(await (await events(other.body.job.eventsUrl)).text())
    expect(frames.at(-1)).toMatchObject({ event: "failed", data: { error: { code: "invalid_argument" } } })
  })

  it("is nobody else's business", async () => {
    const { body } = await server.call("workspace_admin.index", index)
    for (const what of [body.job.id, "job_none"])
      for (const end of ["", "/events"]) {
        const { body: refused, status } = await server.get(`/api/cos/tools/jobs/${what}${end}`, "nobody")
        expect([status, refused.code]).toEqual([404, "JOB_NOT_FOUND"])
      }
    expect((await server.get("/api/cos/tools/jobs/job_none")).status).toBe(404)
    const other = await server.post(`/api/cos/tools/calls/${body.requestId}/cancel`, {}, "nobody")
    expect([other.status, other.body.code]).toEqual([404, "TOOL_CALL_NOT_FOUND"])
  })
})
