/** `portico init` as it is built, with real files in homes and projects of their own. */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { dirname, join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { build, folder, main, ran } from "./server.ts"

beforeAll(build, 120_000)

/** A user with a home and a project; everything there is, by path. */
class User {
  readonly home = folder({})
  readonly project = folder({ ".git/HEAD": "ref: refs/heads/main\n" })

  init(...args: ReadonlyArray<string>) {
    return this.initWith({}, ...args)
  }

  initWith(env: NodeJS.ProcessEnv, ...args: ReadonlyArray<string>) {
    return ran(process.execPath, [main, "init", ...args], {
      cwd: this.project,
      env: { PATH: "/usr/bin:/bin", HOME: this.home, ...env }
    })
  }

  write(path: string, text: string | Buffer, mode = 0o644): string {
    const file = this.at(path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    chmodSync(file, mode)
    return file
  }

  at(path: string): string {
    return path.startsWith("~/") ? join(this.home, path.slice(2)) : join(this.project, path)
  }

  text(path: string): string {
    return readFileSync(this.at(path), "utf8")
  }

  /** Every file but git's, with its text. */
  all(): { readonly [path: string]: string } {
    const found: { [path: string]: string } = {}
    for (const [top, shown] of [
      [this.home, "~/"],
      [this.project, ""]
    ] as const)
      for (const entry of readdirSync(top, { recursive: true, encoding: "utf8" }))
        if (!entry.startsWith(".git/") && statSync(join(top, entry)).isFile())
          found[`${shown}${entry}`] = readFileSync(join(top, entry), "utf8")
    return found
  }
}

const every = ["--host", "claude-code", "--host", "codex", "--host", "cursor", "--hooks"]
const files = [
  ".claude/settings.json",
  ".cursor/mcp.json",
  ".mcp.json",
  "~/.codex/config.toml",
  "~/.codex/hooks.json"
]

describe("portico init", () => {
  it("sets up every host in files that were not there, does nothing more, and takes all of it back", async () => {
    const user = new User()
    const dry = await user.init(...every, "--dry-run")
    expect(dry).toMatchObject({ code: 0, err: "" })
    expect(dry.out).toContain("Nothing was written: this was a dry run.")
    expect(user.all()).toEqual({})
    expect(await user.init(...every)).toMatchObject({ code: 0, err: "" })
    const made = user.all()
    expect(Object.keys(made).sort()).toEqual(files)
    const own = { command: process.execPath, args: [main, "mcp"] }
    expect(JSON.parse(made[".mcp.json"]!)).toEqual({ mcpServers: { portico: own } })
    expect(JSON.parse(made[".cursor/mcp.json"]!)).toEqual({
      mcpServers: { portico: { ...own, args: [main, "mcp", "--dir", user.project] } }
    })
    expect(made["~/.codex/config.toml"]).toBe(
      `[mcp_servers.portico]\ncommand = "${process.execPath}"\nargs = ["${main}", "mcp"]\n`
    )
    const { hooks } = JSON.parse(made[".claude/settings.json"]!)
    expect(Object.keys(hooks)).toEqual(["SessionStart", "PreToolUse", "PostToolUse"])
    expect(hooks.SessionStart).toEqual([
      { hooks: [{ type: "command", command: `${process.execPath} ${main} hook --agent claude-code` }] }
    ])
    expect(statSync(user.at("~/.codex/config.toml")).mode & 0o077).toBe(0)

    const again = await user.init(...every)
    expect(again).toMatchObject({ code: 0, err: "" })
    expect(again.out).toContain("There is nothing to do.")
    expect(user.all()).toEqual(made)

    expect(await user.init(...every, "--remove")).toMatchObject({ code: 0, err: "" })
    expect(user.all()).toEqual({})
    expect((await user.init(...every, "--remove")).out).toContain("There is nothing to do.")
  }, 60_000)

  it("starts what it writes: a hook's line is one a shell takes", async () => {
    const user = new User()
    await user.init("--host", "claude-code", "--hooks")
    const { hooks } = JSON.parse(user.text(".claude/settings.json"))
    const { code, out } = await ran("sh", ["-c", hooks.SessionStart[0].hooks[0].command], {
      input: JSON.stringify({ hook_event_name: "SessionStart" }),
      env: { PATH: "/usr/bin:/bin", HOME: user.home }
    })
    expect(code).toBe(0)
    expect(JSON.parse(out).hookSpecificOutput.hookEventName).toBe("SessionStart")
  }, 60_000)

  it("leaves every byte of others as it was, of all kinds of files, and gives them back whole", async () => {
    const user = new User()
    const before = {
      ".mcp.json":
        '\uFEFF{\r\n\t// our servers\r\n\t"mcpServers": {\r\n\t\t"x": { "command": "y" }, // last\r\n\t},\r\n}\r\n',
      ".claude/settings.json":
        '{"permissions":{"allow":["Bash(ls)"]},"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"mine"}]}]}}',
      ".cursor/mcp.json": '{\n    "mcpServers": {\n        "b": {"url": "https://b.example"}\n    }\n}',
      "~/.codex/config.toml":
        '# mine\nmodel = "m"\n\n[mcp_servers.other]\ncommand = "o" # why\n\n[projects."/a b"]\ntrust_level = "trusted"',
      "~/.codex/hooks.json": '{\n  "hooks": {\n  }\n}\n'
    }
    for (const [path, text] of Object.entries(before)) user.write(path, text, 0o640)
    expect(await user.init(...every)).toMatchObject({ code: 0, err: "" })
    const during = user.all()
    for (const [path, text] of Object.entries(before)) {
      let found = 0
      for (const character of during[path]!) if (character === text[found]) found++
      if (path !== "~/.codex/hooks.json") expect(found, path).toBe(text.length)
      expect(statSync(user.at(path)).mode & 0o777, path).toBe(0o640)
    }
    expect(JSON.parse(during[".claude/settings.json"]!).hooks.PreToolUse[0]).toEqual({
      matcher: "Bash",
      hooks: [{ type: "command", command: "mine" }]
    })
    expect(during["~/.codex/config.toml"]).toContain('command = "o" # why\n')
    expect((await user.init(...every, "--remove")).code).toBe(0)
    const { "~/.codex/hooks.json": _gone, ...rest } = before
    expect(user.all()).toEqual(rest)
  }, 60_000)

  it("mends what starts another program, and keeps what the user wrote into it", async () => {
    const user = new User()
    user.write(
      ".mcp.json",
      '{"mcpServers": {"portico": {"command": "node", "args": ["/gone/main.js", "mcp", "--tools", "core"], "env": {"A": "b"}}}}'
    )
    user.write(
      "~/.codex/config.toml",
      '[mcp_servers.portico]\ncommand = "gone"\nargs = ["mcp"] # mine\nstartup_timeout_sec = 9\n'
    )
    user.write(
      ".claude/settings.json",
      '{"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "node /gone/dist/main.js hook --server http://127.0.0.1:1", "timeout": 5}]}]}}'
    )
    const { code, out } = await user.init("--host", "claude-code", "--host", "codex", "--hooks")
    expect(code).toBe(0)
    expect(out).toContain("mends the server: there is no script /gone/main.js")
    expect(JSON.parse(user.text(".mcp.json"))).toEqual({
      mcpServers: {
        portico: { command: process.execPath, args: [main, "mcp", "--tools", "core"], env: { A: "b" } }
      }
    })
    expect(user.text("~/.codex/config.toml")).toBe(
      `[mcp_servers.portico]\ncommand = "${process.execPath}"\nargs = ["${main}", "mcp"]\nstartup_timeout_sec = 9\n`
    )
    const { hooks } = JSON.parse(user.text(".claude/settings.json"))
    expect(hooks.SessionStart).toEqual([
      {
        hooks: [
          {
            type: "command",
            command: `${process.execPath} ${main} hook --server http://127.0.0.1:1`,
            timeout: 5
          }
        ]
      }
    ])
    expect(Object.keys(hooks)).toEqual(["SessionStart", "PreToolUse", "PostToolUse"])
  }, 60_000)

  it("leaves an entry that names an address, and takes the places it is told", async () => {
    const user = new User()
    const remote = '{"mcpServers": {"portico": {"url": "http://127.0.0.1:7878/mcp"}}}'
    user.write(".mcp.json", remote)
    expect((await user.init("--host", "claude-code")).out).toContain(
      "leaves the server at http://127.0.0.1:7878/mcp"
    )
    expect(user.text(".mcp.json")).toBe(remote)
    await user.init("--host", "claude-code", "--host", "cursor", "--global")
    expect(Object.keys(user.all()).sort()).toEqual([".mcp.json", "~/.claude.json"])
    await user.init("--host", "codex", "--project")
    expect(user.text(".codex/config.toml")).toContain("[mcp_servers.portico]")
    const elsewhere = folder({})
    await user.initWith({ CODEX_HOME: elsewhere }, "--host", "codex")
    expect(readdirSync(elsewhere)).toEqual(["config.toml"])
  }, 60_000)

  it("finds the hosts that are used, and says so where there is none", async () => {
    const user = new User()
    const none = await user.init()
    expect(none.code).toBe(1)
    expect(none.err).toContain("name one with --host: claude-code, codex, cursor")
    mkdirSync(user.at(".cursor"))
    expect((await user.init()).code).toBe(0)
    expect(Object.keys(user.all())).toEqual([".cursor/mcp.json"])
  }, 60_000)

  it("refuses what it cannot understand, with file, line and what to do, and then writes nothing at all", async () => {
    const bad: ReadonlyArray<readonly [path: string, text: string | Buffer, says: RegExp]> = [
      [".mcp.json", '{\n  "mcpServers": {\n', /\.mcp\.json:\d: .*; mend that/],
      [".mcp.json", '{"mcpServers": []}', /\.mcp\.json:1: an object is expected/],
      [
        ".mcp.json",
        '{"mcpServers": {\n"portico": {},\n"portico": {}}}',
        /\.mcp\.json:3: portico is there more than once/
      ],
      [
        ".mcp.json",
        '{"mcpServers": {},\n"mcpServers": {}}',
        /\.mcp\.json:2: mcpServers is there more than once/
      ],
      [".mcp.json", Buffer.from([0x7b, 0xff, 0x7d]), /it is not UTF-8; save it as UTF-8/],
      [".mcp.json", Buffer.from('{"a":1}', "utf16le"), /\.mcp\.json/],
      [".mcp.json", Buffer.alloc((16 << 20) + 1, " "), /larger than 16 MiB/],
      ["~/.codex/config.toml", 'a = 1\nb = [1,\n"x\n', /config\.toml:3: this is no TOML; mend that/],
      ["~/.codex/config.toml", 'mcp_servers = { portico = { command = "x" } }', /only a person can change/]
    ]
    for (const [path, text, says] of bad) {
      const user = new User()
      user.write(path, text)
      const { code, err, out } = await user.init(...every)
      expect(code, String(says)).toBe(1)
      expect(err).toMatch(says)
      expect(out).toContain("Nothing was written.")
      expect(Object.keys(user.all())).toEqual([path])
      expect(readFileSync(user.at(path)).equals(Buffer.from(text as string))).toBe(true)
    }
  }, 120_000)

  it("takes empty files, and refuses folders, read-only files and homes that are not there", async () => {
    const user = new User()
    user.write(".mcp.json", "")
    user.write("~/.codex/config.toml", "\n")
    expect((await user.init("--host", "claude-code", "--host", "codex")).code).toBe(0)
    expect(JSON.parse(user.text(".mcp.json")).mcpServers.portico.command).toBe(process.execPath)

    const folders = new User()
    mkdirSync(folders.at(".mcp.json"))
    expect((await folders.init("--host", "claude-code")).err).toContain("it is a folder; move it away")
    writeFileSync(folders.at(".cursor"), "")
    expect(await folders.init("--host", "cursor")).toMatchObject({ code: 1 })

    const guarded = new User()
    const file = guarded.write(".mcp.json", "{}", 0o444)
    expect((await guarded.init("--host", "claude-code")).err).toMatch(/read-only|cannot be written/)
    expect(readFileSync(file, "utf8")).toBe("{}")

    const homeless = new User()
    const gone = await homeless.initWith({ HOME: "/nowhere/at/all" }, "--host", "codex")
    expect(gone.code).toBe(1)
    expect(gone.err).toContain("there is no folder /nowhere/at/all")
    expect(existsSync("/nowhere")).toBe(false)
    expect((await homeless.initWith({ HOME: "/nowhere/at/all" }, "--host", "claude-code")).code).toBe(0)
  }, 60_000)

  it("writes through a link of the user's own, and not through one out of a project", async () => {
    const user = new User()
    const dots = folder({ "codex.toml": "a = 1\n" })
    mkdirSync(user.at("~/.codex"))
    symlinkSync(join(dots, "codex.toml"), user.at("~/.codex/config.toml"))
    expect((await user.init("--host", "codex")).code).toBe(0)
    expect(lstatSync(user.at("~/.codex/config.toml")).isSymbolicLink()).toBe(true)
    expect(readFileSync(join(dots, "codex.toml"), "utf8")).toContain("[mcp_servers.portico]")

    symlinkSync(join(dots, "codex.toml"), user.at(".mcp.json"))
    symlinkSync(dots, user.at(".cursor"))
    const { code, err } = await user.init("--host", "claude-code", "--host", "cursor")
    expect(code).toBe(1)
    expect(err.match(/a link leads out of the project/g)).toHaveLength(2)
    expect(readdirSync(dots)).toEqual(["codex.toml"])

    rmSync(user.at(".mcp.json"))
    symlinkSync(user.at("nothing"), user.at(".mcp.json"))
    expect((await user.init("--host", "claude-code")).err).toContain("its link leads nowhere")
  }, 60_000)

  it.each([
    [["--global", "--project"], "exclude each other"],
    [["--host", "emacs"], "emacs is none of claude-code, codex, cursor"],
    [["a", "--dir", "b"], "both name the folder"],
    [["nowhere"], "nowhere is not there"]
  ])("refuses %j", async (args, says) => {
    const { code, err } = await new User().init(...args)
    expect(code).toBe(2)
    expect(err).toContain(says)
  })
})
