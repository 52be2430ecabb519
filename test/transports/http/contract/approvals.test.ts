/** Calls that wait for a person: who may agree, to what, for how long, and how often. */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { newId } from "./client.ts"
import { run, type Running } from "./running.ts"

describe("a call that waits for a person", () => {
  let server: Running
  beforeAll(async () => {
    server = await run()
  })
  beforeEach(() => server.settings({ approvals: { mode: "inspect" } }))
  afterAll(() => server.close())

  const at = (file: string) => join(server.folder, file)
  const write = (file: string, content = "agreed\n") => ({ target: { file }, content })
  const of = (id: string, end = "") => `/api/cos/tools/calls/${id}${end}`

  /** Asks for a write; gives the id of the call and the reference of the question. */
  const ask = async (file: string, content?: string) => {
    const id = newId()
    const { body, status } = await server.call("edit.write", write(file, content), { id })
    expect(status).toBe(200)
    expect(body).toMatchObject({ state: "confirmation_required", duplicate: false, name: "edit.write" })
    expect(body.confirmation.digest).toMatch(/^[0-9a-f]{64}$/)
    return { id, reference: body.confirmation.reference as string, body }
  }
  const approve = (id: string, reference: string) =>
    server.post(of(id, "/approve"), { reference }, "approver")
  const confirm = (id: string, approvalId: string) =>
    server.post(of(id, "/confirm"), { approvalId }, "approver")

  it("has not happened, and says the same each time it is made or looked up", async () => {
    const { body, id } = await ask("one.txt")
    expect((await server.call("edit.write", write("one.txt"), { id })).body).toEqual(body)
    expect((await server.get(of(id))).body).toEqual(body)
    expect(existsSync(at("one.txt"))).toBe(false)
  })

  it("happens once when the one who agreed has it made, however many try", async () => {
    const { id, reference } = await ask("two.txt")
    const ticket = await approve(id, reference)
    expect(ticket.status).toBe(200)
    expect(ticket.body).toMatchObject({ type: "portos_tool_approval", requestId: id, reference })
    expect(existsSync(at("two.txt"))).toBe(false)
    const tries = await Promise.all([1, 2, 3, 4].map(() => confirm(id, ticket.body.approvalId)))
    expect(tries.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    expect(tries.filter(({ body }) => body.code === "CONFIRMATION_INVALID")).toHaveLength(3)
    expect(readFileSync(at("two.txt"), "utf8")).toBe("agreed\n")
    const known = await server.get(of(id))
    expect(known.body).toMatchObject({ state: "completed", name: "edit.write" })
    const replay = await server.call("edit.write", write("two.txt"), { id })
    expect([replay.status, replay.body.duplicate]).toEqual([200, true])
  })

  it("happens when its caller makes it again after somebody agreed, and not a second time", async () => {
    const { id, reference } = await ask("three.txt")
    const decided = await server.post(
      `/api/cos/tools/approvals/${reference}`,
      { verdict: "approved" },
      "approver"
    )
    expect([decided.status, decided.body.state]).toEqual([200, "approved"])
    const made = await server.call("edit.write", write("three.txt"), { id })
    expect([made.status, made.body.state, made.body.duplicate]).toEqual([200, "completed", false])
    // The answer is used up: the same call under another id is asked about anew.
    const other = await server.call("edit.write", write("three.txt"))
    expect(other.body.state).toBe("confirmation_required")
  })

  it("is not agreed to by its caller, by nobody, or by who made it as an approver", async () => {
    const { id, reference } = await ask("self.txt")
    for (const who of ["caller", "nobody"] as const) {
      for (const [path, body] of [
        [of(id, "/approve"), { reference }],
        [of(id, "/confirm"), { approvalId: "ticket_x" }],
        [`/api/cos/tools/approvals/${reference}`, { verdict: "approved" }]
      ] as const) {
        const { body: refused, status } = await server.post(path, body, who)
        expect([path, who, status, refused.code]).toEqual([path, who, 403, "TOOL_AUTH_REQUIRED"])
      }
    }
    const own = newId()
    const asked = await server.call("edit.write", write("own.txt"), { id: own, who: "approver" })
    const refused = await approve(own, asked.body.confirmation.reference)
    expect([refused.status, refused.body.code]).toEqual([409, "CONFIRMATION_INVALID"])
    expect([existsSync(at("self.txt")), existsSync(at("own.txt"))]).toEqual([false, false])
  })

  it("cannot change on the way", async () => {
    const { id, reference } = await ask("edited.txt")
    const edited = await server.call("edit.write", write("edited.txt", "other\n"), { id })
    expect([edited.status, edited.body.code]).toEqual([409, "TOOL_IDEMPOTENCY_CONFLICT"])
    await approve(id, reference)
    const late = await server.call("edit.write", write("edited.txt", "other\n"))
    expect(late.body.state).toBe("confirmation_required")
    expect(existsSync(at("edited.txt"))).toBe(false)
  })

  it("is void when the file has moved", async () => {
    writeFileSync(at("moved.txt"), "before\n")
    const { id, reference } = await ask("moved.txt")
    const { body } = await approve(id, reference)
    writeFileSync(at("moved.txt"), "since\n")
    const refused = await confirm(id, body.approvalId)
    expect([refused.status, refused.body.code, refused.body.context.reason]).toEqual([
      409,
      "CONFIRMATION_INVALID",
      "moved"
    ])
    expect(readFileSync(at("moved.txt"), "utf8")).toBe("since\n")
  })

  it("is refused when the grant was taken back in between", async () => {
    const { id, reference } = await ask("grant.txt")
    const { body } = await approve(id, reference)
    server.settings({ approvals: { mode: "inspect" }, grants: { ui: ["read"] } })
    const refused = await confirm(id, body.approvalId)
    expect([refused.status, refused.body.code]).toEqual([403, "TOOL_CAPABILITY_DENIED"])
    expect(existsSync(at("grant.txt"))).toBe(false)
  })

  it("lapses", async () => {
    const settings = { approvals: { mode: "inspect", expires_seconds: 10 } } as const
    server.settings(settings)
    const { id, reference } = await ask("late.txt")
    const { body } = await approve(id, reference)
    await new Promise((resolve) => setTimeout(resolve, Date.parse(body.expiresAt) - Date.now() + 50))
    const refused = await confirm(id, body.approvalId)
    expect([refused.status, refused.body.code]).toEqual([409, "CONFIRMATION_INVALID"])
    expect((await approve(id, reference)).status).toBe(404)
    expect((await server.call("edit.write", write("late.txt"), { id })).body.state).toBe(
      "confirmation_required"
    )
    expect(existsSync(at("late.txt"))).toBe(false)
  }, 30_000)

  it("is refused once a person said no", async () => {
    const { id, reference } = await ask("no.txt")
    await server.post(`/api/cos/tools/approvals/${reference}`, { verdict: "denied" }, "approver")
    const { body, status } = await server.call("edit.write", write("no.txt"), { id })
    expect([status, body.code]).toEqual([403, "TOOL_CAPABILITY_DENIED"])
    expect((await approve(id, reference)).body.code).toBe("CONFIRMATION_INVALID")
  })

  it("is confirmed under its own id, with the right that was handed out for it", async () => {
    const [one, two] = [await ask("a.txt"), await ask("b.txt")]
    const first = await approve(one.id, one.reference)
    expect((await approve(two.id, one.reference)).status).toBe(404)
    for (const [id, right] of [
      [two.id, first.body.approvalId],
      [one.id, "ticket_made_up"],
      [one.id, one.reference]
    ] as const)
      expect((await confirm(id, right)).body.code).toBe("CONFIRMATION_INVALID")
    expect((await confirm(one.id, first.body.approvalId)).status).toBe(200)
  })

  it("can be taken back by its caller", async () => {
    const { id, reference } = await ask("back.txt")
    const { body, status } = await server.post(of(id, "/cancel"), {})
    expect([status, body.state, body.cancellation]).toEqual([200, "cancelled", "withdrawn"])
    expect((await approve(id, reference)).status).toBe(404)
    expect((await server.get(of(id))).status).toBe(404)
  })

  it("is a job afterwards where it is long", async () => {
    const id = newId()
    const asked = await server.call("workspace_admin.index", { arguments: { path: "." } }, { id })
    const { body } = await approve(id, asked.body.confirmation.reference)
    const made = await confirm(id, body.approvalId)
    expect([made.status, made.body.state]).toEqual([202, "accepted"])
    await expect
      .poll(async () => (await server.get(of(id))).body.state, { timeout: 10_000 })
      .toBe("completed")
  })

  it("is listed whole for the approver, and for a caller only where it is its own", async () => {
    const { reference } = await ask("listed.txt")
    const listed = async (who: "caller" | "approver" | "nobody", query = "") =>
      (await server.get(`/api/cos/tools/approvals${query}`, who)).body.approvals as ReadonlyArray<any>
    const found = (await listed("approver", "?state=pending")).find((one) => one.reference === reference)
    expect(found).toMatchObject({
      state: "pending",
      tool: "edit.write",
      effect: "local_write",
      files: ["listed.txt"],
      arguments: { content: "agreed\n" }
    })
    expect((await listed("caller")).some((one) => one.reference === reference)).toBe(true)
    expect(await listed("nobody")).toEqual([])
    expect((await server.get("/api/cos/tools/approvals?state=maybe")).status).toBe(400)
    expect(
      (await server.post("/api/cos/tools/approvals/apr_none", { verdict: "approved" }, "approver")).body.code
    ).toBe("APPROVAL_NOT_FOUND")
  })
})
