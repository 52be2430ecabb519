/** `portico telemetry` as a command line, and that commands are counted where somebody agreed. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { afterEach, describe, expect, it, vi } from "vitest"
import { Days, dayOf } from "../../../src/telemetry/Days.ts"
import { run } from "../../../src/transports/cli/run.ts"
import { User } from "../../telemetry/support.ts"

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

const notNeeded = () => Promise.reject(new Error("not needed"))

/** Runs command lines as one user, whose environment says no more than is given. */
const shell = (user: User, more: { readonly [name: string]: string } = {}) => {
  const variables = ["PORTICO_TELEMETRY", "GORTEX_TELEMETRY", "DO_NOT_TRACK", "PORTICO_TELEMETRY_ENDPOINT"]
  for (const name of variables) vi.stubEnv(name, "")
  for (const [name, value] of Object.entries({ ...user.env(), ...more })) vi.stubEnv(name, value)
  return async (...argv: ReadonlyArray<string>) => {
    const said = { out: "", err: "" }
    const into = (stream: "out" | "err") => (text: string | Uint8Array) => {
      said[stream] += text.toString()
      return true
    }
    vi.spyOn(process.stdout, "write").mockImplementation(into("out"))
    vi.spyOn(process.stderr, "write").mockImplementation(into("err"))
    const code = await run(argv, {
      version: "9.8.7",
      loadEngine: notNeeded,
      loadRecords: notNeeded,
      loadInspect: notNeeded,
      loadAudit: notNeeded
    })
    vi.restoreAllMocks()
    return { code, ...said }
  }
}

describe("portico telemetry", () => {
  it("says that it is off and that nothing is sent, and leaves nothing behind", async () => {
    using user = new User()
    const portico = shell(user)
    const expected = {
      code: 0,
      err: "",
      out: "telemetry is off: nobody turned it on\nnothing is sent: there is no endpoint\n"
    }
    expect(await portico("telemetry")).toEqual(expected)
    expect(await portico("telemetry", "status")).toEqual(expected)
    await portico("version")
    expect(user.files()).toBeUndefined()
    expect(existsSync(join(user.home, "config"))).toBe(false)
  })

  it("turns it on, with an endpoint, and off again with everything that was counted", async () => {
    using user = new User()
    const portico = shell(user)
    expect((await portico("telemetry", "on")).out).toBe(
      "telemetry is on: says saved choice\nnothing is sent: there is no endpoint\n"
    )
    expect((await portico("telemetry", "on", "--endpoint", "https://counts.example/")).out).toBe(
      "telemetry is on: says saved choice\neach finished day is sent once to https://counts.example/ (saved choice)\n"
    )
    await portico("version")
    await portico("nonsense")
    const shown = await portico("telemetry", "show", "--json")
    const report = JSON.parse(shown.out)
    // The command that turns it on was made before anybody agreed.
    expect(report.today).toEqual({ cli_command: { telemetry: 2, version: 1 } })
    expect(report.waiting).toEqual([])
    expect(report.consent).toEqual({ on: true, source: "saved choice" })
    expect((await portico("telemetry", "show")).out).toContain("  cli_command  telemetry  3\n")
    expect((await portico("telemetry", "off")).out).toBe(
      "telemetry is off: says saved choice\nnothing is sent; the endpoint would be https://counts.example/ (saved choice)\n"
    )
    await portico("version")
    expect(user.files()).toEqual([])
  })

  it("shows finished days as they would be sent, and what never is", async () => {
    using user = new User()
    const portico = shell(user)
    const days = new Days(user.folder)
    const yesterday = dayOf(Date.now() - 2 * 86_400_000)
    days.append(yesterday, "sent", { index: { "<100": 2 } })
    days.append(yesterday, "local", { reread_loop: { "read.file": 1 } })
    const { out } = await portico("telemetry", "show")
    expect(out).toContain(`\n  {"schema":1,"day":"${yesterday}","counts":{"index":{"<100":2}}}\n`)
    expect(out).toContain("\n  reread_loop  read.file  1\n")
    expect(out).toContain("counted today:\n  nothing\n")
  })

  it("says when something stronger decides", async () => {
    using user = new User()
    const portico = shell(user, { DO_NOT_TRACK: "1" })
    expect(await portico("telemetry", "on")).toEqual({
      code: 1,
      out: "telemetry is off: says DO_NOT_TRACK\nnothing is sent: there is no endpoint\n",
      err: "portico telemetry: saved, but DO_NOT_TRACK decides otherwise\n"
    })
    expect(JSON.parse((await portico("telemetry", "status", "--json")).out)).toEqual({
      consent: { on: false, source: "DO_NOT_TRACK" },
      endpoint: { source: "none" }
    })
  })

  it.each([
    [["maybe"], "maybe is none of status, on, off, show"],
    [["on", "--endpoint", "http://counts.example/"], "https address"],
    [["on", "--endpoint", "nowhere"], "no address"],
    [["off", "--endpoint", "https://counts.example/"], "--endpoint goes with on"],
    [["on", "--json"], "--json goes with status and show"]
  ])("refuses %j", async (args, message) => {
    using user = new User()
    const { code, err } = await shell(user)("telemetry", ...args)
    expect(code).toBe(2)
    expect(err).toContain(message)
    expect(existsSync(join(user.home, "config"))).toBe(false)
  })
})
