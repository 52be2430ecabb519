/** A session that has to ask, and the person at the command line who answers. */
import { createClient } from "@libsql/client"
import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import * as path from "node:path"
import { beforeAll, describe, expect, it, vi } from "vitest"
import { fileOf } from "../../src/engine/store/layer.ts"
import { build, environment, folder, main, Server } from "./server.ts"

beforeAll(build, 120_000)

const edit = (more: object = {}) => ({
  operation: "file",
  target: { file: "a.txt" },
  match: "one",
  replacement: "two",
  ...more
})

/** A server that asks before it changes anything, the folder it serves, and the command beside it. */
const house = async () => {
  const directory = folder({ "a.txt": "one\n" })
  const settings = folder({ effectrc: '{ "approvals": { "mode": "inspect" } }' })
  const env: NodeJS.ProcessEnv = { ...environment(), PORTICO_CONFIG: path.join(settings, "effectrc") }
  const server = new Server(directory, [], env)
  await server.open()
  const portico = (...args: ReadonlyArray<string>) => {
    const { status, stderr, stdout } = spawnSync(process.execPath, [main, ...args], {
      cwd: directory,
      env,
      encoding: "utf8"
    })
    return { code: status, out: stdout, err: stderr }
  }
  const call = async (args: object) => (await server.call("edit", args)).result.structuredContent
  return {
    directory,
    server,
    portico,
    call,
    text: () => readFileSync(path.join(directory, "a.txt"), "utf8"),
    write: (text: string) => writeFileSync(path.join(directory, "a.txt"), text),
    records: fileOf(directory, env["PORTICO_HOME"]),
    /** Asks and answers the reference of the question. */
    asks: async (args: object = edit()): Promise<string> => {
      const { data, error_code } = await call(args)
      expect(error_code).toBe("approval_required")
      return data.approval.reference
    },
    waiting: () =>
      JSON.parse(portico("approvals", "--json").out).map((one: { reference: string; state: string }) => [
        one.reference,
        one.state
      ])
  }
}

describe("a session that has to ask", () => {
  it("is let through once by a person at the command line, and everything is written down", async () => {
    const { asks, call, portico, text, waiting } = await house()
    const reference = await asks()
    expect(await asks()).toBe(reference)
    expect(text()).toBe("one\n")
    expect(waiting()).toEqual([[reference, "pending"]])
    expect(portico("approvals").out).toContain("file=a.txt match=one replacement=two")
    expect(portico("approvals", "approve", reference)).toMatchObject({ code: 0, err: "" })
    expect((await call(edit())).status).toBe("applied")
    expect(text()).toBe("two\n")
    // Replayed, it is asked about anew.
    const again = await asks(edit({ match: "two", replacement: "three" }))
    expect(again).not.toBe(reference)
    expect(portico("approvals", "approve", reference)).toMatchObject({ code: 1 })
    // What changes nothing is written down a moment later.
    const rows = await vi.waitFor(
      () => {
        const found = JSON.parse(portico("audit", "log", "--json").out)
        expect(found.length).toBeGreaterThanOrEqual(9)
        return found
      },
      { timeout: 20_000, interval: 500 }
    )
    expect(
      rows.map((row: any) => [row.door, row.layer, row.decision, row.outcome, row.approval ?? null])
    ).toEqual([
      ["stdio", "facade", "pending", "approval_required", reference],
      ["stdio", "target", "pending", "approval_required", reference],
      ["stdio", "facade", "pending", "approval_required", reference],
      ["stdio", "target", "pending", "approval_required", reference],
      ["cli", "target", "approved", "approved", reference],
      ["stdio", "facade", "allowed", "begun", reference],
      ["stdio", "target", "allowed", "ok", reference],
      ["stdio", "facade", "pending", "approval_required", again],
      ["stdio", "target", "pending", "approval_required", again]
    ])
    expect(portico("audit", "verify")).toMatchObject({ code: 0 })
    expect(JSON.stringify(rows)).not.toMatch(/replacement|"one"|a\.txt/)
  }, 90_000)

  it("is not let through with other arguments, after the file moved, after the question lapsed, or when it was denied", async () => {
    const { asks, call, portico, records, text, waiting, write } = await house()
    const first = await asks()
    portico("approvals", "approve", first)
    const other = await asks(edit({ replacement: "three" }))
    expect(other).not.toBe(first)
    expect(text()).toBe("one\n")

    write("one more\n")
    const moved = await asks()
    expect(moved).not.toBe(first)
    expect(JSON.parse(portico("approvals", "show", first, "--json").out).state).toBe("void")
    expect(text()).toBe("one more\n")

    portico("approvals", "approve", moved)
    const raw = createClient({ url: `file:${records}` })
    await raw.execute({ sql: "UPDATE approvals SET expires_at = 1 WHERE reference = ?", args: [moved] })
    raw.close()
    const lapsed = await asks()
    expect(lapsed).not.toBe(moved)
    expect(portico("approvals", "approve", moved)).toMatchObject({ code: 1, out: "" })
    expect(text()).toBe("one more\n")

    expect(portico("approvals", "deny", lapsed)).toMatchObject({ code: 0 })
    expect((await call(edit())).error_code).toBe("approval_denied")
    expect(portico("approvals", "approve", lapsed).err).toContain("is denied already")
    expect(text()).toBe("one more\n")
    expect(waiting()).toEqual([[other, "pending"]])
    expect(portico("audit", "log", "--json").out).not.toContain('"begun"')
  }, 90_000)

  it("has no tool with which it could agree with itself", async () => {
    const { asks, server, text } = await house()
    const reference = await asks()
    for (const name of ["approvals", "approve", "approvals_approve"]) {
      const { error, result } = await server.call(name, { reference })
      expect(error !== undefined || result.isError === true).toBe(true)
    }
    // What is said in the arguments of a call is no authority.
    expect(await asks(edit({ options: {} }))).not.toBe("")
    const claimed = (await server.call("edit", edit({ approval: reference }))).result.structuredContent
    expect(claimed.error_code).toBe("invalid_argument")
    expect(text()).toBe("one\n")
  }, 90_000)
})
