/** Calls over HTTP: what comes in, who may, and that each runs once. */
import { of as catalogOf } from "../../../../src/pipeline/Catalog.ts"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { request } from "node:http"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { newId, type Who } from "./client.ts"
import { run, type Running } from "./running.ts"

const path = "/api/cos/tools/call"
const readName = { target: { file: "src/name.ts" } }
const write = (file: string, content = "new\n") => ({ target: { file }, content })

describe("a call", () => {
  let server: Running
  beforeAll(async () => {
    server = await run()
  })
  afterAll(() => server.close())

  it("answers with the outcome under its canonical name, by whichever name it was called", async () => {
    for (const name of ["read.file", "read_file"]) {
      const { body, status } = await server.call(name, readName, { id: `by ${name}`.replace(" ", "-") })
      expect(status).toBe(200)
      expect(body).toMatchObject({
        type: "portos_tool_result",
        name: "read.file",
        version: 1,
        state: "completed",
        duplicate: false,
        result: { path: "src/name.ts" }
      })
    }
  })

  it("takes its outcome from the pipeline as it is", async () => {
    const { body } = await server.call("relations.usages", { target: { symbol: "name" } })
    const direct = await server.engine.call({
      tool: "relations",
      args: { operation: "usages", target: { symbol: "name" } }
    })
    expect(body.result).toEqual(JSON.parse(JSON.stringify(direct.structuredContent)))
  })

  it("gives defaults to what is left out of the envelope and trims its words", async () => {
    const { body, status } = await server.post(path, {
      requestId: "  spaced ",
      name: " read.file ",
      arguments: readName
    })
    expect([status, body.requestId, body.name]).toEqual([200, "spaced", "read.file"])
  })

  const envelope = { requestId: "e", name: "read.file", arguments: readName }
  for (const [what, body] of [
    ["no id", { ...envelope, requestId: undefined }],
    ["an empty id", { ...envelope, requestId: " " }],
    ["an id with a slash", { ...envelope, requestId: "a/b" }],
    ["an id of 201 characters", { ...envelope, requestId: "x".repeat(201) }],
    ["a name with a colon", { ...envelope, name: "read:file" }],
    ["a name of 101 characters", { ...envelope, name: "x".repeat(101) }],
    ["another type", { ...envelope, type: "portos_tool" }],
    ["another version", { ...envelope, version: 2 }],
    ["arguments that are a list", { ...envelope, arguments: [] }],
    ["arguments that are null", { ...envelope, arguments: null }],
    ["a scope", { ...envelope, scope: "agent" }],
    ["a principal", { ...envelope, principal: { kind: "cli" } }],
    ["capabilities", { ...envelope, capabilities: ["external_write"] }],
    ["a context", { ...envelope, context: {} }],
    ["an adapter", { ...envelope, adapter: "x" }],
    ["a list", []],
    ["text", '"text"'],
    ["no JSON", "{"],
    ["nothing", ""]
  ] as const)
    it(`with ${what} is refused before anything else`, async () => {
      const { body: answer, status } = await server.post(path, body)
      expect([status, answer.code]).toEqual([400, "VALIDATION_ERROR"])
      expect(answer).toMatchObject({ error: expect.any(String), timestamp: expect.any(Number) })
      expect(JSON.stringify(answer)).not.toMatch(/ at .*\.ts|node_modules/)
    })

  it("is refused for the same from whoever sends it, unless who sends it is nobody", async () => {
    for (const who of ["caller", "approver", "nobody"] as const)
      expect((await server.post(path, { ...envelope, scope: "ui" }, who)).status).toBe(400)
  })

  it("keeps to the id in its header", async () => {
    const { body, status } = await server.call("read.file", readName, {
      id: "h1",
      headers: { "idempotency-key": "h2" }
    })
    expect([status, body.code]).toEqual([400, "TOOL_IDEMPOTENCY_MISMATCH"])
    expect(
      (await server.call("read.file", readName, { id: "h1", headers: { "idempotency-key": "h1" } })).status
    ).toBe(200)
  })

  it("of a tool there is none of says so and what may be meant", async () => {
    const { body, status } = await server.call("read.fill", readName)
    expect([status, body.code, body.context.suggested]).toEqual([404, "TOOL_NOT_FOUND", "read.file"])
    // A tool behind several operations names none of them.
    expect((await server.call("analyze", {})).status).toBe(404)
  })

  it("with arguments that do not fit says which", async () => {
    const { body, status } = await server.call("read.file", { ...readName, nothing: 1 })
    expect([status, body.code, body.context.retry]).toEqual([400, "TOOL_VALIDATION_ERROR", "fix_arguments"])
    expect(body.error).toContain("nothing")
  })

  it("cannot name another operation than its own", async () => {
    for (const args of [
      { ...readName, operation: "summary" },
      { operation: "file", ...readName }
    ]) {
      const { body, status } = await server.call("read.file", args)
      expect([status, body.code]).toEqual([400, "TOOL_VALIDATION_ERROR"])
    }
  })

  it("of what is not built says why", async () => {
    const { body, status } = await server.call("review.run", {})
    expect([status, body.code, body.context.retry]).toEqual([409, "TOOL_UNAVAILABLE", "report_setup"])
  })

  it("that fails in the operation is an outcome, kept like any other", async () => {
    const first = await server.call("read.file", { target: { file: "src/none.ts" } }, { id: "gone" })
    expect(first.status).toBe(422)
    expect(first.body).toMatchObject({ state: "failed", duplicate: false, name: "read.file" })
    expect(first.body.error.length).toBeLessThanOrEqual(500)
    expect(first.body.errorCode).toBe(first.body.result.error_code)
    writeFileSync(join(server.folder, "src/none.ts"), "export const none = 0\n")
    const second = await server.call("read.file", { target: { file: "src/none.ts" } }, { id: "gone" })
    expect(second.status).toBe(422)
    expect(second.body).toEqual({ ...first.body, duplicate: true })
  })

  it("that ran is found again by its id and its caller alone", async () => {
    const { body } = await server.call("read.file", readName, { id: "mine" })
    const again = await server.get("/api/cos/tools/calls/mine")
    expect(again.status).toBe(200)
    expect(again.body).toEqual(body)
    for (const who of ["approver", "nobody"] as const) {
      const other = await server.get("/api/cos/tools/calls/mine", who)
      expect([other.status, other.body.code]).toEqual([404, "TOOL_CALL_NOT_FOUND"])
    }
    expect((await server.get("/api/cos/tools/calls/never")).body.code).toBe("TOOL_CALL_NOT_FOUND")
    expect((await server.get("/api/cos/tools/calls/no%2Fid")).status).toBe(400)
    const failed = await server.get("/api/cos/tools/calls/gone")
    expect([failed.status, failed.body.state]).toEqual([200, "failed"])
  })

  it("under an id that belongs to other content is refused, whoever else uses that id", async () => {
    await server.call("read.file", readName, { id: "taken" })
    const { body, status } = await server.call(
      "read.file",
      { target: { file: "README.md" } },
      { id: "taken" }
    )
    expect([status, body.code, body.context.retry]).toEqual([
      409,
      "TOOL_IDEMPOTENCY_CONFLICT",
      "new_request_id"
    ])
    const other = await server.call(
      "read.file",
      { target: { file: "README.md" } },
      { id: "taken", who: "approver" }
    )
    expect([other.status, other.body.duplicate]).toEqual([200, false])
  })

  it("made 50 times at once runs once", async () => {
    const id = newId()
    const before = (await server.engine.ledger.last()) as number
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => server.call("edit.write", write("fifty.txt"), { id }))
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200))
    expect(answers.filter(({ body }) => !body.duplicate)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.duplicate)).toHaveLength(49)
    expect(new Set(answers.map(({ body }) => JSON.stringify(body.result))).size).toBe(1)
    const rows = await server.engine.ledger.rows(before, 1000)
    const begun = rows.filter(
      (row) => row.layer === "facade" && row.outcome === "begun" && row.operation === "write"
    )
    expect(begun).toHaveLength(1)
    // Once it ran it does not again: what somebody did since stays.
    writeFileSync(join(server.folder, "fifty.txt"), "since\n")
    expect((await server.call("edit.write", write("fifty.txt"), { id })).body.duplicate).toBe(true)
    expect(readFileSync(join(server.folder, "fifty.txt"), "utf8")).toBe("since\n")
  })

  it("made 50 times at once with as many contents has one winner", async () => {
    const id = newId()
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) => server.call("edit.write", write("race.txt", `${at}\n`), { id }))
    )
    const winners = answers.flatMap(({ status }, at) => (status === 200 ? [at] : []))
    expect(winners).toHaveLength(1)
    expect(
      answers.filter(({ body, status }) => status === 409 && body.code === "TOOL_IDEMPOTENCY_CONFLICT")
    ).toHaveLength(49)
    expect(readFileSync(join(server.folder, "race.txt"), "utf8")).toBe(`${winners[0]}\n`)
  })

  it("of a write is remembered through any number of reads", async () => {
    const id = newId()
    await server.call("edit.write", write("kept.txt"), { id })
    for (let at = 0; at < 12; at++)
      await Promise.all(Array.from({ length: 50 }, () => server.call("read.file", readName)))
    const { body, status } = await server.call("edit.write", write("kept.txt"), { id })
    expect([status, body.duplicate]).toEqual([200, true])
  }, 60_000)

  it("goes on when its caller hangs up", async () => {
    /** Makes a call and hangs up so many milliseconds after all of it was sent. */
    const hangUp = (id: string, file: string, ms: number) =>
      new Promise<void>((resolve) => {
        const sent = request(server.url + path, {
          method: "POST",
          headers: { authorization: "Bearer caller-token-of-a-test", "content-type": "application/json" }
        })
        sent.on("error", () => resolve())
        sent.end(JSON.stringify({ requestId: id, name: "edit.write", arguments: write(file) }), () => {
          setTimeout(() => sent.destroy(), ms)
        })
        sent.on("response", (response) => response.resume().on("end", resolve))
      })
    const stateOf = async (id: string) => (await server.get(`/api/cos/tools/calls/${id}`)).body?.state
    // A busy server may not have begun it by then, and then it never does: nothing is known of such a call.
    for (let ms = 5; ; ms *= 2) {
      const id = newId()
      const file = `left${ms}.txt`
      await hangUp(id, file, ms)
      for (let look = 0; look < 20 && (await stateOf(id)) === undefined; look++)
        await new Promise((resolve) => setTimeout(resolve, 50))
      const state = await stateOf(id)
      expect(existsSync(join(server.folder, file))).toBe(state !== undefined)
      if (state === undefined && ms < 1000) continue
      expect(state).toBe("completed")
      return
    }
  }, 60_000)

  it("of a body that is too long is refused by its size", async () => {
    const { body, status } = await server.call("edit.write", write("big.txt", "x".repeat(16 * 1024 * 1024)))
    expect([status, body.code]).toEqual([413, "PAYLOAD_TOO_LARGE"])
    expect(existsSync(join(server.folder, "big.txt"))).toBe(false)
  })

  it("by a caller whose grant was taken back is refused, also where its outcome is kept", async () => {
    const id = newId()
    expect((await server.call("edit.write", write("revoked.txt"), { id })).status).toBe(200)
    server.settings({ grants: { ui: ["read"] } })
    const { body, status } = await server.call("edit.write", write("revoked.txt"), { id })
    expect([status, body.code]).toEqual([403, "TOOL_CAPABILITY_DENIED"])
    server.settings({})
    expect((await server.call("edit.write", write("revoked.txt"), { id })).body.duplicate).toBe(true)
  })
})

describe("who may have what called", () => {
  let server: Running
  beforeAll(async () => {
    server = await run()
  })
  afterAll(() => server.close())

  const all = ["read", "local_write", "session_write", "control_write", "external_write"] as const
  const samples = {
    read: ["read.file", { target: { file: "src/name.ts" } }],
    local_write: ["edit.write", { target: { file: "sample.txt" }, content: "x\n" }],
    session_write: ["session.planning_mode", { mode: "off" }],
    control_write: ["workspace_admin.reindex", {}],
    external_write: ["publish_review.post", {}]
  } as const

  for (const granted of [
    [],
    ["read"],
    ["local_write"],
    ["read", "local_write", "session_write", "control_write"],
    all
  ] as const)
    for (const who of ["caller", "nobody"] as ReadonlyArray<Who>)
      for (const effect of all)
        it(`${who} with [${granted.join(" ")}] and a ${effect}`, async () => {
          server.settings({ grants: { ui: [...granted] } })
          const [name, args] = samples[effect]
          const { body, status } = await server.call(name, args, { who })
          const has = (granted as ReadonlyArray<string>).includes(effect)
          if (!has) {
            expect([status, body.code]).toEqual([403, "TOOL_CAPABILITY_DENIED"])
            expect(body.context).toMatchObject({ effect, retry: "do_not_retry", principal_kind: "ui" })
          } else if (who === "nobody" && effect !== "read") {
            expect([status, body.code]).toEqual([403, "TOOL_AUTH_REQUIRED"])
            expect(body.context).toMatchObject({ effect, retry: "authenticate" })
          } else {
            expect(status).not.toBe(403)
            expect(status).not.toBe(401)
            expect(status).toBeLessThan(500)
          }
          expect(JSON.stringify(body)).not.toContain("token-of-a-test")
        })

  it("is not what the scope of the catalog says", async () => {
    server.settings({ grants: { ui: ["read"], agent: [...all] } })
    await server.get("/api/cos/tools?scope=agent")
    const { status } = await server.call("edit.write", { target: { file: "scope.txt" }, content: "x" })
    expect(status).toBe(403)
  })

  it("refuses every write to a caller who may only read, and nothing is written", async () => {
    server.settings({ grants: { ui: ["read"] } })
    const writes = catalogOf(server.engine.registry).entries.filter(
      ({ policy }) => policy.sideEffect === "write"
    )
    expect(writes.length).toBeGreaterThan(20)
    const counts = new Map<string, number>()
    for (const { name, policy } of writes) {
      const { body, status } = await server.call(name, {})
      expect([name, status, body.code, body.context.effect]).toEqual([
        name,
        403,
        "TOOL_CAPABILITY_DENIED",
        policy.effect
      ])
      counts.set(policy.effect, (counts.get(policy.effect) ?? 0) + 1)
    }
    expect([...counts.keys()].sort()).toEqual([
      "control_write",
      "external_write",
      "local_write",
      "session_write"
    ])
  })
})

describe("a request that no endpoint takes", () => {
  let server: Running
  beforeAll(async () => {
    server = await run()
  })
  afterAll(() => server.close())

  it("to nowhere is told so", async () => {
    for (const where of ["/nothing", "/api/cos/tools/none/x", "/api/cos"]) {
      const { body, status } = await server.get(where)
      expect([where, status, body.code]).toEqual([where, 404, "NOT_FOUND"])
    }
  })

  it("in another way than there is is told which there are", async () => {
    for (const [method, where, allow] of [
      ["GET", "/api/cos/tools/call", "POST"],
      ["DELETE", "/api/cos/tools", "GET"],
      ["PUT", "/api/cos/tools/calls/a", "GET"],
      ["PATCH", "/api/cos/tools/approvals/x", "POST"],
      ["POST", "/health", "GET"]
    ] as const) {
      const response = await fetch(server.url + where, { method })
      expect([where, response.status, response.headers.get("allow")]).toEqual([where, 405, allow])
      expect(await response.json()).toMatchObject({ code: "METHOD_NOT_ALLOWED" })
    }
  })

  it("with a token nobody has is asked for another, whatever else is wrong with it", async () => {
    for (const [method, where] of [
      ["GET", "/api/cos/tools?scope=root"],
      ["GET", "/api/cos/tools/calls/no%2Fid"],
      ["POST", path]
    ] as const) {
      const response = await fetch(server.url + where, {
        method,
        headers: { authorization: "Bearer nobody-has-this-token" }
      })
      expect([where, response.status]).toEqual([where, 401])
      expect(response.headers.get("www-authenticate")).toContain("Bearer")
      expect(await response.json()).toMatchObject({ code: "AUTH_REQUIRED" })
    }
  })

  it("is never answered with what went on inside", async () => {
    expect(server.log).toEqual([])
  })
})
