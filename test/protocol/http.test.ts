/** The built server behind HTTP, killed in the middle and started again: what it says afterwards is what happened. */
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import * as path from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { clientOf, newId, type Who } from "../transports/http/contract/client.ts"
import { build, environment, folder, main } from "./server.ts"

beforeAll(build, 120_000)

const running = new Set<ChildProcess>()
afterAll(() => {
  for (const child of running) child.kill("SIGKILL")
})

/** A repository large enough that to index it takes a while. */
const project = () =>
  folder(
    Object.fromEntries(
      Array.from({ length: 600 }, (_, at) => [
        `src/m${at}.ts`,
        Array.from(
          { length: 40 },
          (_, n) =>
            `export const f${at}_${n} = (x: number): number => (x > ${n} ? x + ${n} : f${at}_${Math.max(0, n - 1)}(x))\n`
        ).join("")
      ])
    )
  )

const start = async (directory: string, env: NodeJS.ProcessEnv) => {
  const child = spawn(process.execPath, [main, "serve", "--dir", directory, "--port", "0"], {
    env,
    stdio: ["ignore", "pipe", "pipe"]
  })
  running.add(child)
  const url = await new Promise<string>((found, failed) => {
    let said = ""
    const look = (text: string) => {
      said += text
      const address = /serves on (http:\S+)/.exec(said)?.[1]
      if (address !== undefined) found(address)
    }
    child.stdout.setEncoding("utf8").on("data", look)
    child.stderr.setEncoding("utf8").on("data", look)
    child.once("exit", () => failed(new Error(`the server ended: ${said}`)))
  })
  const read = (role: Exclude<Who, "nobody">) =>
    readFileSync(path.join(env["PORTICO_TOKENS"] as string, `${role}.token`), "utf8").trim()
  return {
    ...clientOf(url, { caller: read("caller"), approver: read("approver") }),
    end: (signal: NodeJS.Signals) =>
      new Promise<void>((resolve) => {
        child.once("exit", () => {
          running.delete(child)
          resolve()
        })
        child.kill(signal)
      })
  }
}

const home = (): NodeJS.ProcessEnv => {
  const env = environment()
  return {
    ...env,
    PORTICO_TOKENS: path.join(env["HOME"] as string, "tokens"),
    PORTICO_CONFIG: path.join(env["HOME"] as string, "effectrc")
  }
}

const after = (ms: number) => new Promise<undefined>((resolve) => setTimeout(resolve, ms, undefined))

const of = (id: string) => `/api/cos/tools/calls/${id}`
const index = { arguments: { path: "." } }

describe("a server that is killed", () => {
  it("in the middle of a write says afterwards what became of it, and does not write again", async () => {
    const directory = folder({ "a.txt": "one\n" })
    const env = home()
    const seen = new Set<string>()
    for (const delay of [0, 3, 8, 20, 60]) {
      const server = await start(directory, env)
      const id = newId()
      const file = `made-${delay}.txt`
      const args = { target: { file }, content: `${delay}\n` }
      const answer = server.call("edit.write", args, { id }).catch(() => undefined)
      await new Promise((resolve) => setTimeout(resolve, delay))
      await server.end("SIGKILL")
      // A connection that was under way when its other end was killed may never tell.
      const said = await Promise.race([answer, after(5_000)])
      const again = await start(directory, env)
      const looked = await again.get(of(id))
      const there = existsSync(path.join(directory, file))
      if (said !== undefined) expect(said.status).toBe(200)
      if (looked.status === 404) {
        // The call never began, so nobody was told that it had.
        expect([said, there]).toEqual([undefined, false])
        seen.add("never")
      } else {
        expect(looked.status).toBe(200)
        const { errorCode, result, state } = looked.body
        seen.add(state)
        if (state === "completed") expect(there).toBe(true)
        else {
          expect([state, errorCode]).toEqual(["failed", "internal"])
          expect(result.reason_code).toBe("server_ended")
          if (result.state_changed === false) expect(there).toBe(false)
          else expect(result.outcome_unknown).toBe(true)
        }
        const repeat = await again.call("edit.write", args, { id })
        expect(repeat.body).toEqual({ ...looked.body, duplicate: true })
        expect(existsSync(path.join(directory, file))).toBe(there)
      }
      await again.end("SIGTERM")
    }
    expect(seen.size).toBeGreaterThan(0)
  }, 120_000)

  it("in the middle of a job ends the job with the truth, once, for everybody who asks", async () => {
    const directory = project()
    const env = home()
    const first = await start(directory, env)
    const id = newId()
    const { body, status } = await first.call("workspace_admin.index", index, { id })
    expect([status, body.state]).toEqual([202, "accepted"])
    await first.end("SIGKILL")
    const second = await start(directory, env)
    const looked = await second.get(of(id))
    expect([looked.status, looked.body.state]).toEqual([200, "failed"])
    expect(looked.body.result).toMatchObject({ reason_code: "server_ended", outcome_unknown: true })
    const events = await second.text(body.job.eventsUrl)
    expect(events.match(/^event: (completed|failed|cancelled)$/gm)).toEqual(["event: failed"])
    const repeat = await second.call("workspace_admin.index", index, { id })
    expect([repeat.status, repeat.body.state, repeat.body.duplicate]).toEqual([422, "failed", true])
    const anew = await second.call("workspace_admin.index", index, { headers: { prefer: "wait=60" } })
    expect([anew.status, anew.body.state]).toEqual([200, "completed"])
    await second.end("SIGTERM")
    const third = await start(directory, env)
    expect(await third.text(body.job.eventsUrl)).toBe(events)
    expect((await third.get(of(anew.body.requestId))).body).toEqual(anew.body)
    await third.end("SIGTERM")
  }, 120_000)

  it("by a signal that it hears ends its jobs itself", async () => {
    const directory = project()
    const env = home()
    const first = await start(directory, env)
    const id = newId()
    const { body } = await first.call("workspace_admin.index", index, { id })
    await first.end("SIGTERM")
    const second = await start(directory, env)
    const events = await second.text(body.job.eventsUrl)
    const last = /^event: (completed|cancelled)\ndata: (.*)$/m.exec(events)
    expect(last).not.toBeNull()
    const state = await second.get(`/api/cos/tools/jobs/${body.job.id}`)
    expect(state.body.status).toBe(last?.[1])
    if (last?.[1] === "cancelled") expect(state.body.reason).toBe("the server ended")
    await second.end("SIGTERM")
  }, 120_000)

  it("keeps a question, its answer, and that it was used", async () => {
    const directory = folder({ "a.txt": "one\n" })
    const env = home()
    writeFileSync(env["PORTICO_CONFIG"] as string, JSON.stringify({ approvals: { mode: "inspect" } }))
    const id = newId()
    const args = { target: { file: "b.txt" }, content: "two\n" }
    const first = await start(directory, env)
    const asked = await first.call("edit.write", args, { id })
    expect(asked.body.state).toBe("confirmation_required")
    await first.end("SIGKILL")
    const second = await start(directory, env)
    expect((await second.get(of(id))).body).toEqual(asked.body)
    const ticket = await second.post(
      `${of(id)}/approve`,
      { reference: asked.body.confirmation.reference },
      "approver"
    )
    expect(ticket.status).toBe(200)
    await second.end("SIGKILL")
    const third = await start(directory, env)
    const confirm = () => third.post(`${of(id)}/confirm`, { approvalId: ticket.body.approvalId }, "approver")
    expect((await confirm()).body.state).toBe("completed")
    expect((await confirm()).body.code).toBe("CONFIRMATION_INVALID")
    expect(readFileSync(path.join(directory, "b.txt"), "utf8")).toBe("two\n")
    await third.end("SIGTERM")
  }, 120_000)
})
