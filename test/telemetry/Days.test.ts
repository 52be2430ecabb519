import { spawn } from "node:child_process"
import { once } from "node:events"
import { appendFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import { describe, expect, it } from "vitest"
import { Days, dayOf } from "../../src/telemetry/Days.ts"
import { User } from "./support.ts"

const at = (text: string) => Date.parse(text)
const ok = (count: number) => ({ mcp_facade_status: { ok: count } })

describe("a day's file", () => {
  it("adds up what was appended, each kind by itself, and is the user's own", () => {
    using user = new User()
    const days = new Days(user.folder)
    expect(days.days("sent")).toEqual([])
    expect(days.read("2026-11-30", "sent")).toEqual({})
    days.append("2026-11-30", "sent", ok(2))
    days.append("2026-11-30", "sent", { mcp_facade_status: { ok: 1, error: 4 } })
    days.append("2026-11-30", "local", { direct_read: { success: 1 } })
    days.append("2026-12-01", "local", { direct_read: { success: 1, failure: 2 } })
    expect(days.read("2026-11-30", "sent")).toEqual({ mcp_facade_status: { error: 4, ok: 3 } })
    expect(days.readAll("local")).toEqual({ direct_read: { failure: 2, success: 2 } })
    expect(user.files()).toEqual(["2026-11-30.counts", "2026-11-30.local", "2026-12-01.local"])
    expect(statSync(join(user.folder, "2026-11-30.counts")).mode & 0o777).toBe(0o600)
    expect(statSync(user.folder).mode & 0o777).toBe(0o700)
  })

  it("loses no more than the line of a writer that died, and nothing that does not belong gets out of it", () => {
    using user = new User()
    const days = new Days(user.folder)
    days.append("2026-11-30", "sent", ok(1))
    appendFileSync(join(user.folder, "2026-11-30.counts"), '\n{"mcp_facade_status":{"ok":9')
    days.append("2026-11-30", "sent", ok(1))
    appendFileSync(
      join(user.folder, "2026-11-30.counts"),
      '\n{"paths":{"src/secret.ts":1},"mcp_facade_call":{"src/secret.ts":1,"a b":2}}\nnull\n7\n'
    )
    expect(days.read("2026-11-30", "sent")).toEqual(ok(2))
  })

  it("is finished five minutes after its midnight, and can be taken once", () => {
    using user = new User()
    const days = new Days(user.folder)
    days.append("2026-11-29", "sent", ok(1))
    days.append("2026-11-30", "sent", ok(1))
    expect(days.finished(at("2026-11-30T00:04:59.999Z"))).toEqual([])
    expect(days.finished(at("2026-11-30T00:05:00Z"))).toEqual(["2026-11-29"])
    expect(days.claim("2026-11-29")).toBe(true)
    expect(days.claim("2026-11-29")).toBe(false)
    expect(new Days(user.folder).claim("2026-11-29")).toBe(false)
    // Whoever wakes up late and still has something of that day is too late.
    days.append("2026-11-29", "sent", ok(1))
    expect(days.finished(at("2026-12-01T01:00:00Z"))).toEqual(["2026-11-30"])
  })

  it("goes when it is old: what was to be sent after a week, the rest after a month", () => {
    using user = new User()
    const days = new Days(user.folder)
    days.append("2026-11-01", "sent", ok(1))
    days.append("2026-11-01", "local", { direct_read: { success: 1 } })
    days.claim("2026-11-01")
    writeFileSync(join(user.folder, "notes.txt"), "not ours")
    days.expire(at("2026-11-08T23:59:00Z"))
    expect(days.days("sent")).toEqual(["2026-11-01"])
    days.expire(at("2026-11-09T00:01:00Z"))
    expect(user.files()).toEqual(["2026-11-01.claimed", "2026-11-01.local", "notes.txt"])
    days.expire(at("2026-12-02T00:01:00Z"))
    expect(user.files()).toEqual(["notes.txt"])
  })

  it("of UTC is the one of the time", () => {
    expect(dayOf(at("2026-11-30T23:59:59.999Z"))).toBe("2026-11-30")
    expect(dayOf(at("2026-12-01T00:30:00+02:00"))).toBe("2026-11-30")
  })
})

describe("several processes", () => {
  it("count into one file at the same time and lose nothing", async () => {
    using user = new User()
    const child = join(user.home, "child.mjs")
    await build({
      entryPoints: [fileURLToPath(new URL("count-child.ts", import.meta.url))],
      outfile: child,
      bundle: true,
      platform: "node",
      format: "esm",
      target: "node20",
      logLevel: "error"
    })
    const children = [
      [600, 1],
      [600, 2],
      [600, 7]
    ].map(([times, every]) =>
      spawn(process.execPath, [child, `${times}`, `${every}`], {
        env: { PATH: process.env["PATH"], PORTICO_TELEMETRY: "1", ...user.env() } as NodeJS.ProcessEnv,
        stdio: ["pipe", "pipe", "inherit"]
      })
    )
    const ends = children.map((each) => once(each, "exit"))
    await Promise.all(children.map((each) => once(each.stdout, "data")))
    for (const each of children) each.stdin.write("go\n")
    expect((await Promise.all(ends)).map(([code]) => code)).toEqual([0, 0, 0])
    expect(new Days(user.folder).readAll("sent")).toEqual({ cli_command: { index: 1800 } })
  })
})
