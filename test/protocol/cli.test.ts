import { spawnSync } from "node:child_process"
import { beforeAll, describe, expect, it } from "vitest"
import { build, environment, folder, main, Server } from "./server.ts"

beforeAll(build, 120_000)

const files = {
  "lib/greet.ts": "/** Greets. */\nexport const greet = (name: string) => `Hello ${name}`\n",
  "lib/use.ts": 'import { greet } from "./greet.ts"\nexport const twice = () => [greet("a"), greet("b")]\n',
  "README.md": "# Small\n"
}

const portico = (directory: string, args: ReadonlyArray<string>, input = "") => {
  const { status, stderr, stdout } = spawnSync(process.execPath, [main, ...args], {
    cwd: directory,
    env: environment(),
    encoding: "utf8",
    input
  })
  return { code: status, out: stdout, err: stderr }
}

/** An answer without what is of one session only. */
const ofAnySession = (text: string) => text.replace(/\n$/, "").replace(/"read_revision":\s*\d+,\s*/, "")

describe("portico call", () => {
  it("gives what the protocol gives, text and structure and what is said about the call", async () => {
    const directory = folder(files)
    const server = new Server(directory)
    await server.open()
    const calls = [
      ["search", { query: "greet" }],
      ["search", { operation: "text", query: "greet" }],
      ["read", { target: { file: "lib/greet.ts" } }],
      ["read", { target: { file: "nowhere.ts" } }],
      ["read", { target: {} }],
      ["read_file", { path: "lib/greet.ts" }],
      ["capabilities", { domain: "edit" }]
    ] as const
    for (const [tool, args] of calls) {
      const { result } = await server.call(tool, args)
      const text = portico(directory, ["call", tool, "--json", JSON.stringify(args)])
      expect(ofAnySession(text.out), tool).toBe(ofAnySession(result.content[0].text))
      const json = portico(directory, [
        "call",
        tool,
        "--json",
        JSON.stringify(args),
        "--format",
        "json",
        "--meta"
      ])
      expect(JSON.parse(ofAnySession(json.out)), tool).toEqual(
        JSON.parse(ofAnySession(JSON.stringify({ ...result.structuredContent, _meta: result._meta })))
      )
      expect([text.code, json.code], tool).toEqual(result.isError === true ? [1, 1] : [0, 0])
    }
  }, 120_000)

  it("takes the arguments from a file, from standard input, or one by one", () => {
    const directory = folder({ ...files, "args.json": '{"domain":"read","operation":"file"}' })
    const whole = portico(directory, [
      "call",
      "capabilities",
      "--json",
      '{"domain":"read","operation":"file"}'
    ])
    expect(whole.code).toBe(0)
    expect(portico(directory, ["call", "capabilities", "--json-file", "args.json"]).out).toBe(whole.out)
    expect(
      portico(directory, ["call", "capabilities", "--json-file", "-"], '{"domain":"read","operation":"file"}')
        .out
    ).toBe(whole.out)
    expect(
      portico(directory, ["call", "capabilities", "--arg", "domain=read", "--arg", 'operation:="file"']).out
    ).toBe(whole.out)
  }, 60_000)

  it("exits with 2 when the command line is wrong, and says why on standard error only", () => {
    const directory = folder({})
    const wrong: ReadonlyArray<readonly [ReadonlyArray<string>, RegExp]> = [
      [["call"], /name a tool/],
      [["call", "reed"], /did you mean read\?/],
      [["call", "read", "--json", "{"], /--json is not JSON/],
      [["call", "read", "--json", "[]"], /--json must be a JSON object/],
      [["call", "read", "--json", "{}", "--json-file", "x"], /exclude each other/],
      [["call", "read", "--json-file", "nowhere.json"], /cannot be read/],
      [["call", "read", "--arg", "target"], /key=text or key:=json/],
      [["call", "read", "--format", "yaml"], /--format is text or json/],
      [["call", "read", "--unheard-of"], /unheard-of/],
      [["call", "read", "target.file=a"], /not expected here/],
      [["nothing"], /no command nothing/],
      [["mcp", "--port", "3"], /port/],
      [["call", "read", "--dir", "nowhere"], /nowhere is not there/],
      [["start", "nowhere"], /nowhere is not there/],
      [[], /portico COMMAND/]
    ]
    for (const [args, message] of wrong) {
      const { code, err, out } = portico(directory, args)
      expect([args, code, out]).toEqual([args, 2, ""])
      expect(err).toMatch(message)
    }
  }, 60_000)
})

describe("other commands", () => {
  it("tell the version, the help and the tools", () => {
    const directory = folder({})
    expect(portico(directory, ["version"])).toEqual({ code: 0, out: "0.1.0\n", err: "" })
    const help = portico(directory, ["--help"])
    for (const command of [
      "start",
      "mcp",
      "call",
      "index",
      "status",
      "capabilities",
      "tools",
      "audit",
      "version"
    ]) {
      expect(help.out).toContain(`\n  ${command}`)
    }
    expect(help.code).toBe(0)
    expect(
      portico(directory, ["tools"])
        .out.split("\n")
        .filter((line) => line !== "").length
    ).toBe(21)
    expect(portico(directory, ["call", "--help"]).out).toContain("--arg KEY=TEXT")
  }, 60_000)

  it("audit the registry against a folder's ceilings", () => {
    const tight = portico(
      folder({ ".effectrc": '{\n  // nothing for edits\n  "ceilings": { "edit": ["read"] }\n}' }),
      ["audit"]
    )
    expect(tight.code).toBe(1)
    expect(tight.out).toMatch(/read\.file +read +closed +planning federation full/)
    expect(tight.out).toContain(
      "ceilings: edit.file needs LocalWriter (local_write), which is above its ceiling"
    )
    const odd = portico(folder({ ".effectrc": '{"ceiling": {}}' }), ["audit"])
    expect(odd.code).toBe(1)
    expect(odd.err).toContain("ceiling")
  }, 60_000)

  it("start with a tour of real answers, and how to connect", () => {
    const { code, out } = portico(folder(files), ["start"])
    expect(code).toBe(0)
    expect(out).toContain("A definition to look at: greet (function, lib/greet.ts:2), with 2 calls.")
    expect(out).toContain("lib/greet.ts::greet")
    expect(out).toContain("Claude Code, in .mcp.json:\n")
    expect(out).toContain("Codex, in ~/.codex/config.toml:\n  [mcp_servers.portico]\n")
    expect(out).toContain('"mcpServers"')
  }, 60_000)

  it("start in an empty folder with honest words", () => {
    const { code, out } = portico(folder({}), ["start", "."])
    expect(code).toBe(0)
    expect(out).toContain("No definition is indexed here")
    expect(out).not.toContain("portico call read ")
  }, 60_000)
})
