/** `portico doctor` as it is built: what it tells of real homes and projects, and that it leaves all of them as they were. */
import { createHash } from "node:crypto"
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { dirname, join } from "node:path"
import Libsql from "libsql"
import { beforeAll, describe, expect, it } from "vitest"
import manifest from "../../package.json" with { type: "json" }
import { HttpServer } from "./http_server.ts"
import { build, folder, main, ran, Server } from "./server.ts"

beforeAll(build, 120_000)

interface Finding {
  readonly about: string
  readonly status: string
  readonly verdict: string
  readonly means: string
  readonly mend?: string
}

class User {
  readonly home = folder({})
  readonly project = folder({ ".git/HEAD": "ref: refs/heads/main\n", "a.ts": "export const a = 1\n" })
  readonly env: NodeJS.ProcessEnv = { PATH: "/usr/bin:/bin", HOME: this.home }

  run(...args: ReadonlyArray<string>) {
    return ran(process.execPath, [main, ...args], {
      cwd: this.project,
      env: this.env,
      input: '{"hook_event_name":"SessionStart"}'
    })
  }

  /** Runs the command that mends something. */
  async mend({ mend }: Finding): Promise<void> {
    expect((await ran("sh", ["-c", mend!], { env: this.env })).code).toBe(0)
  }

  /** What the doctor finds, by what it is about, with his exit code. Everything has to be as it was before. */
  async doctor(): Promise<{
    readonly code: number | null
    readonly find: (about: string) => Finding | undefined
  }> {
    const before = this.everything()
    const { code, err, out } = await this.run("doctor", "--json")
    expect(err).toBe("")
    expect(this.everything()).toBe(before)
    const { findings, ok } = JSON.parse(out) as { ok: boolean; findings: ReadonlyArray<Finding> }
    expect(code).toBe(ok ? 0 : 1)
    expect(ok).toBe(!findings.some(({ verdict }) => verdict === "broken"))
    for (const { status, verdict } of findings) if (status === "unknown") expect(verdict).toBe("unknown")
    return { code, find: (about) => findings.find((one) => one.about.startsWith(about)) }
  }

  /** A digest of home and project: names, kinds, times and contents. */
  everything(): string {
    const hash = createHash("sha256")
    for (const top of [this.home, this.project])
      for (const name of readdirSync(top, { recursive: true, encoding: "utf8" }).sort()) {
        const stat = lstatSync(join(top, name), { bigint: true })
        hash.update(`${name} ${stat.mode} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs} ${stat.ino}\n`)
        if (stat.isFile()) hash.update(readFileSync(join(top, name)))
      }
    return hash.digest("hex")
  }

  write(path: string, text: string): string {
    const file = path.startsWith("~/") ? join(this.home, path.slice(2)) : join(this.project, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    return file
  }

  /** The only file with such an ending below the home. */
  kept(ending: string): string {
    const [found, more] = readdirSync(this.home, { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(ending)
    )
    expect(more).toBeUndefined()
    return join(this.home, found!)
  }
}

const entry = (args: ReadonlyArray<string>, command = process.execPath) =>
  JSON.stringify({ mcpServers: { portico: { command, args } } })

/** A program that calls itself Portico, of another version, in a folder. */
const impostor = (top: string, more = ""): string => {
  mkdirSync(join(top, "dist"), { recursive: true })
  writeFileSync(join(top, "package.json"), '{"name":"portico","type":"commonjs"}')
  writeFileSync(join(top, "dist/main.js"), `${more}\nconsole.log("0.0.1")\n`)
  return join(top, "dist/main.js")
}

describe("portico doctor", () => {
  it("finds nothing broken where nothing is set up, and makes nothing", async () => {
    const user = new User()
    user.env["PORTICO_TELEMETRY"] = "on"
    const { code, find } = await user.doctor()
    expect(code).toBe(0)
    for (const about of ["Claude Code", "Codex", "Cursor"])
      expect(find(about)).toMatchObject({ status: "missing", verdict: "note" })
    expect(find("index")).toMatchObject({ status: "missing", verdict: "note" })
    expect(find("record of calls")).toMatchObject({ status: "missing" })
    expect(find("folder")).toMatchObject({ status: "writable", verdict: "ok" })
    expect(readdirSync(user.home)).toEqual([])
    const { out } = await user.run("doctor")
    expect(out).toMatch(/^note {5}Claude Code: server: missing\n {9}/)
    expect(out).toMatch(/\n\d ok, \d note, 0 unknown, 0 broken\n$/)
  }, 60_000)

  it("finds what init wrote, and that its commands mend what is missing", async () => {
    const user = new User()
    mkdirSync(join(user.home, ".codex"))
    await user.mend((await user.doctor()).find("Codex: server")!)
    await user.run("init", "--host", "claude-code", "--host", "cursor")
    const { code, find } = await user.doctor()
    expect(code).toBe(0)
    for (const about of [
      "Claude Code: server in .mcp.json",
      "Codex: server in ~/.codex/config.toml",
      "Cursor: server in .cursor/mcp.json"
    ])
      expect(find(about)).toMatchObject({
        status: "present",
        verdict: "ok",
        means: `it starts this program, version ${manifest.version}`
      })
    expect(find("Claude Code: hooks")).toMatchObject({ status: "missing", verdict: "note" })
  }, 60_000)

  it("finds programs of another version, or none, and a cursor that was moved", async () => {
    const user = new User()
    const other = impostor(folder({}))
    user.write(".mcp.json", entry([other, "mcp"]))
    user.write("~/.claude.json", entry(["mcp"], "nowhere-to-be-found"))
    user.write(".cursor/mcp.json", entry([main, "mcp", "--dir", "/another/project"]))
    user.write("~/.codex/config.toml", `[mcp_servers.portico]\ncommand = "node"\nargs = ["${main}", "mcp"]\n`)
    const { code, find } = await user.doctor()
    expect(code).toBe(1)
    expect(find("Claude Code: server in .mcp.json")).toMatchObject({
      status: "stale",
      verdict: "broken",
      means: expect.stringContaining(`it starts ${other} (version 0.0.1)`)
    })
    expect(find("Claude Code: server in ~/.claude.json")).toMatchObject({
      status: "stale",
      means: expect.stringContaining("there is no program nowhere-to-be-found")
    })
    expect(find("Cursor: server")).toMatchObject({ status: "stale" })
    // Another node is as good.
    expect(find("Codex: server")?.status).toBe("present")
    for (const about of ["Claude Code: server in .mcp.json", "Cursor: server"]) await user.mend(find(about)!)
    expect((await user.doctor()).find("Claude Code: server in .mcp.json")?.status).toBe("present")
    expect((await user.doctor()).find("Cursor: server")?.status).toBe("present")
  }, 60_000)

  it("runs nothing that a project brings, and nothing that is not Portico", async () => {
    const user = new User()
    const trace = join(folder({}), "trace")
    const evil = `require("fs").writeFileSync(${JSON.stringify(trace)}, "")`
    const within = impostor(join(user.project, "tools"), evil)
    const odd = join(folder({ "package.json": '{"name":"odd"}', "main.js": evil }), "main.js")
    for (const text of [
      entry([within, "mcp"]),
      entry([odd, "mcp"]),
      entry(["-e", evil, "mcp"]),
      entry(["-c", `: > ${trace}`], "/bin/sh"),
      entry([], within)
    ]) {
      user.write(".mcp.json", text)
      const { code, find } = await user.doctor()
      expect(find("Claude Code: server")).toMatchObject({ status: "stale", verdict: "broken" })
      expect(code).toBe(1)
      expect(existsSync(trace)).toBe(false)
    }
    user.env["PORTICO_TRUST_WORKSPACE"] = "1"
    user.write(".mcp.json", entry([within, "mcp"]))
    expect((await user.doctor()).find("Claude Code: server")?.means).toContain("version 0.0.1")
    expect(existsSync(trace)).toBe(true)
  }, 60_000)

  it("tells files that cannot be read, with the line", async () => {
    const user = new User()
    user.write(".mcp.json", "{\n  nonsense\n")
    user.write("~/.codex/config.toml", "a = 1\nb = \n")
    mkdirSync(join(user.project, ".cursor/mcp.json"), { recursive: true })
    user.write(".effectrc", '{ "nothing": 1 }')
    const { code, find } = await user.doctor()
    expect(code).toBe(1)
    expect(find("Claude Code: .mcp.json")).toMatchObject({
      status: "unreadable",
      means: expect.stringContaining("line 2: ")
    })
    expect(find("Codex: ~/.codex/config.toml")?.means).toContain("line 2: this is no TOML")
    expect(find("Cursor: .cursor/mcp.json")?.means).toContain("it is a folder")
    expect(find("settings in .effectrc")).toMatchObject({ status: "unreadable", verdict: "broken" })
  }, 60_000)

  it("tells hooks that run from those that never did, and does not guess where nothing is written down", async () => {
    const user = new User()
    await user.run("init", "--host", "claude-code", "--hooks")
    const hooks = "Claude Code: hooks in .claude/settings.json"
    expect((await user.doctor()).find(hooks)).toMatchObject({
      status: "unknown",
      mend: expect.stringMatching(/telemetry on$/)
    })
    await user.run("telemetry", "on")
    expect((await user.doctor()).find(hooks)).toMatchObject({ status: "silent", verdict: "note" })
    await user.run("hook", "--agent", "codex")
    expect((await user.doctor()).find(hooks)?.status).toBe("silent")
    await user.run("hook", "--agent", "claude-code")
    expect((await user.doctor()).find(hooks)).toMatchObject({ status: "active", verdict: "ok" })
    const file = join(user.project, ".claude/settings.json")
    const text = readFileSync(file, "utf8")
    writeFileSync(file, text.replace('"SessionStart"', '"SessionEnd"'))
    expect((await user.doctor()).find(hooks)).toMatchObject({
      status: "incomplete",
      means: "none is configured for SessionStart"
    })
    writeFileSync(file, text.replaceAll(main, "/gone/dist/main.js"))
    expect((await user.doctor()).find(hooks)).toMatchObject({ status: "stale", verdict: "broken" })
    await user.run("init", "--host", "claude-code", "--hooks")
    expect(readFileSync(file, "utf8")).toBe(text)
  }, 60_000)

  it("asks the servers that settings name, as far as they are on this machine", async () => {
    const user = new User()
    const remote = (url: string) =>
      user.write(".mcp.json", JSON.stringify({ mcpServers: { portico: { url } } }))
    const serving = await HttpServer.start(folder({ "a.ts": "export const a = 1\n" }))
    remote(`${serving.url}/mcp`)
    user.write(
      ".claude/settings.json",
      JSON.stringify({
        hooks: {
          SessionStart: [
            {
              hooks: [
                { type: "command", command: `${process.execPath} ${main} hook --server ${serving.url}` }
              ]
            }
          ]
        }
      })
    )
    expect((await user.doctor()).find("Claude Code: server in")).toMatchObject({
      status: "reachable",
      verdict: "ok"
    })
    expect((await user.doctor()).find("Claude Code: server of the hooks")?.status).toBe("reachable")
    await serving.stop()
    const gone = await user.doctor()
    expect(gone.find("Claude Code: server in")).toMatchObject({ status: "unreachable", verdict: "broken" })
    expect(gone.find("Claude Code: server of the hooks")?.status).toBe("unreachable")
    remote("https://code.example.org/mcp")
    expect((await user.doctor()).find("Claude Code: server in")).toMatchObject({ status: "unknown" })
    user.write(
      "~/.config/portico/effectrc",
      JSON.stringify({ federation: { peers: [{ name: "b", url: serving.url }] } })
    )
    expect((await user.doctor()).find("server b")).toMatchObject({ status: "unreachable" })
  }, 60_000)

  it("tells an index that is fresh from one that is stale or damaged", async () => {
    const user = new User()
    const index = async () => (await user.doctor()).find("index")
    await user.run("index")
    expect(await index()).toMatchObject({ status: "fresh", verdict: "ok" })
    const file = join(user.project, "a.ts")
    // The same bytes under another time are no change.
    utimesSync(file, 1, 1)
    expect((await index())?.status).toBe("fresh")
    const { mtime } = statSync(file)
    writeFileSync(file, "export const b = 1\n")
    utimesSync(file, mtime, mtime)
    user.write("c.ts", "export const c = 1\n")
    expect(await index()).toMatchObject({
      status: "stale",
      verdict: "note",
      means: expect.stringMatching(/: 2$/)
    })
    await user.mend((await index())!)
    expect((await index())?.status).toBe("fresh")

    const graph = user.kept(".graph")
    const bytes = readFileSync(graph)
    const spoilt = Buffer.from(bytes)
    spoilt[bytes.length - 100]! ^= 1
    for (const damaged of [
      spoilt,
      bytes.subarray(0, bytes.length >> 1),
      Buffer.from("nonsense"),
      Buffer.alloc(0)
    ]) {
      writeFileSync(graph, damaged)
      expect(await index()).toMatchObject({ status: "damaged", verdict: "broken" })
    }
    const foreign = Buffer.from(bytes)
    foreign.writeUInt32LE(1, 8)
    writeFileSync(graph, foreign)
    expect(await index()).toMatchObject({ status: "stale", means: expect.stringContaining("another build") })
  }, 120_000)

  it("verifies the record of calls, also while a server writes to it, and finds what was done to it", async () => {
    const user = new User()
    await user.run("call", "search", "--arg", "query=a")
    const record = async () => (await user.doctor()).find("record of calls")
    expect(await record()).toMatchObject({
      status: "whole",
      means: expect.stringMatching(/^2 rows, all as they were/)
    })
    const server = new Server(user.project, [], user.env)
    await server.open()
    await server.call("search", { query: "a" })
    for (;;) {
      // Reads are written down soon after they were answered.
      await new Promise((soon) => setTimeout(soon, 200))
      if (existsSync(user.kept("records.db-wal"))) break
    }
    await new Promise((soon) => setTimeout(soon, 1500))
    const { findings } = JSON.parse((await user.run("doctor", "--json")).out)
    expect(findings.find(({ about }: Finding) => about === "record of calls")).toMatchObject({
      status: "whole",
      means: expect.stringMatching(/^4 rows/)
    })
    server.child.stdin.end()
    await server.ended

    const file = user.kept("records.db")
    const database = new Libsql(file)
    database.exec(
      "DROP TRIGGER ledger_stays; UPDATE ledger SET entry = replace(entry, 'search', 'tested') WHERE seq = 2"
    )
    database.close()
    expect(await record()).toMatchObject({
      status: "damaged",
      verdict: "broken",
      means: expect.stringContaining("Row 2")
    })
    writeFileSync(file, "nonsense ".repeat(1000))
    expect(await record()).toMatchObject({ status: "unreadable", verdict: "broken" })
  }, 120_000)

  it("tells where nothing can be kept", async () => {
    const user = new User()
    user.env["PORTICO_HOME"] = join(user.write("~/file", ""), "portico")
    const { code, find } = await user.doctor()
    expect(code).toBe(1)
    expect(find("folder")).toMatchObject({
      status: "unwritable",
      means: expect.stringContaining("is no folder")
    })
  }, 60_000)
})
