/** What is changed in other people's files, and that nothing else is: held against the parsers of the formats. */
import { FastCheck as fc } from "effect"
import { parse as parseJsonc } from "jsonc-parser"
import { parse as parseToml } from "toml"
import { describe, expect, it } from "vitest"
import { at, changed, Unreadable } from "../../../src/hosts/config/Format.ts"
import { json } from "../../../src/hosts/config/Json.ts"
import { toml } from "../../../src/hosts/config/Toml.ts"

const entry = { command: "node", args: ["/x y/main.js", "mcp"] }

/** Whether every character of a text is still there, in its order. */
const isWithin = (text: string, after: string): boolean => {
  let found = 0
  for (const character of after) if (text.startsWith(character, found)) found += character.length
  return found === text.length
}

describe("JSON", () => {
  const texts = [
    '{ "a": 1 }',
    '{"mcpServers":{"x":{"command":"y"}}}',
    '{\n  "mcpServers": {\n    "x": {\n      "command": "y"\n    }\n  }\n}\n',
    '{\r\n\t"a": 1, // c\r\n\t"mcpServers": {\r\n\t\t"x": { "command": "y" }, // last\r\n\t},\r\n}\r\n',
    '{\n  // none yet\n  "mcpServers": {\n    // here\n  }\n}\n',
    '{\n  "mcpServers": { /* c */ },\n  "z": [1,2]\n}',
    '{\n  "a": 1 // trailing\n}\n',
    '{\n  "a": 1, // trailing\n  /* b */\n}\n',
    '{\n    "a": {\n        "mcpServers": 1 }, "b": [ 1,\n 2 ]\n}',
    '{ "a": 1, }',
    '{"a":1/*x*/}',
    '{"a":1,"a":2}',
    '{ // c\n"mcpServers":{ // d\n"x":1},}',
    '{\n  "é": "\\u00e9 \ud83d\ude00",\n  "__proto__": 1\n}'
  ]

  it.each(texts)("takes an entry into %j and out again without a trace", (text) => {
    for (const path of [
      ["mcpServers", "portico"],
      ["hooks", "PreToolUse", 0]
    ]) {
      const after = changed(json, text, path, entry)
      expect(at(parseJsonc(after), path)).toEqual(entry)
      expect(isWithin(text, after)).toBe(true)
      if (text.includes("\r\n")) expect(after.replaceAll("\r\n", "")).not.toContain("\n")
      expect(changed(json, after, path, entry)).toBe(after)
      expect(changed(json, after, path, undefined)).toBe(text)
    }
  })

  it("changes a value where it stands", () => {
    const text =
      '{\n  "mcpServers": {\n    "portico": {"command": "a", "env": {"A": "b"}, "args": []} // mine\n  }\n}'
    expect(changed(json, text, ["mcpServers", "portico", "command"], "c")).toBe(text.replace('"a"', '"c"'))
  })

  it.each([
    ['{"mcpServers":[]}', 1],
    ['{\n"mcpServers":{"portico":1,\n"portico":2}}', 3],
    ['{"a":1}x', 1],
    ["[1]", 1],
    ['{\n"a":\n}', 3],
    ["{", 1],
    ["nonsense", 1],
    [`{"a":${"[".repeat(200_000)}`, undefined]
  ])("refuses %j with the line", (text, line) => {
    let caught: unknown
    try {
      changed(json, text, ["mcpServers", "portico"], entry)
    } catch (cause) {
      caught = cause
    }
    expect(caught).toBeInstanceOf(Unreadable)
    expect((caught as Unreadable).line).toBe(line)
  })

  it("begins where there is nothing", () => {
    for (const text of ["", "  \n", "{}", "{ }\n"])
      expect(parseJsonc(changed(json, text, ["mcpServers", "portico"], entry))).toEqual({
        mcpServers: { portico: entry }
      })
    expect(json.isEmpty(changed(json, changed(json, "", ["a", "b"], 1), ["a", "b"], undefined))).toBe(true)
  })

  it("leaves everything else of any text as it was", () => {
    const value = fc.dictionary(
      fc.constantFrom("a", "mcpServers", "b c", "hooks"),
      fc.oneof(fc.string(), fc.integer(), fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }))),
      { minKeys: 1 }
    )
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 2, 4, "\t"), (some, indent) => {
        if (typeof some["mcpServers"] !== "object" && some["mcpServers"] !== undefined) return
        const text = JSON.stringify(some, null, indent)
        const after = changed(json, text, ["mcpServers", "portico"], entry)
        expect(JSON.parse(after)).toEqual({
          ...some,
          mcpServers: { ...(some["mcpServers"] as object | undefined), portico: entry }
        })
      }),
      { numRuns: 300 }
    )
  })
})

describe("TOML", () => {
  const path = ["mcp_servers", "portico"]
  const texts = [
    "",
    "a = 1\n",
    "a = 1",
    "a = 1\r\n[x]\r\nb=2\r\n",
    '# c\n[mcp_servers.other]\ncommand="z"\n',
    's = """\n[mcp_servers.portico]\n"""\n',
    "x=[\n1,\n]\n[mcp_servers]\n",
    '[mcp_servers]\nq = {command="a"}\n',
    "[[h]]\na=1\n\n\n# end\n",
    "a.b.c = 1979-05-27T07:32:00Z\n"
  ]

  it.each(texts)("takes a table into %j and out again without a trace", (text) => {
    const after = changed(toml, text, path, entry)
    expect(at(parseToml(after), path)).toEqual(entry)
    expect(after.startsWith(text)).toBe(true)
    expect(changed(toml, after, path, undefined)).toBe(text)
  })

  const ours =
    'a = 1\n\n# ours\n[mcp_servers.portico] # hi\n# note\n  command = "x"\nargs = [\n  "a", # first\n  "b"\n]\nstartup_timeout_sec = 90\n\n[mcp_servers.portico.env]\nA = "b"\n\n# other\n[zed]\nc = 1\n'

  it("changes a key of the table, and nothing else of it", () => {
    expect(changed(toml, ours, [...path, "args"], ["n"])).toBe(
      ours.replace(/args = \[[^\]]*\]/, 'args = ["n"]')
    )
    expect(changed(toml, ours, [...path, "command"], "n")).toBe(ours.replace('"x"', '"n"'))
    const wide = changed(toml, ours, [...path, "cwd"], "n")
    expect(wide.replace('cwd = "n"\n', "")).toBe(ours)
  })

  it("takes the table out with its own, wherever they are, and leaves the comments of others", () => {
    const scattered = `${ours}[mcp_servers.portico.more]\nx = 1\n`
    expect(changed(toml, scattered, path, undefined)).toBe("a = 1\n\n# ours\n\n# other\n[zed]\nc = 1\n")
  })

  it.each([
    ['[mcp_servers]\nportico = {command="a"}\n', "only a person"],
    ['mcp_servers.portico.command = "a"\n', "only a person"],
    ["mcp_servers = {}\n", "only a person"],
    ["a = 1\nb = \n", "no TOML"],
    [`${"a.".repeat(100_000)}b = 1`, "more than 1000 dots"],
    [`a = "${"x".repeat(1 << 20)}"`, "larger than 1 MiB"]
  ])("refuses %j", (text, why) => {
    expect(() =>
      changed(
        toml,
        text,
        text.includes("portico") ? [...path, "command"] : path,
        text.includes("portico") ? "q" : entry
      )
    ).toThrow(why)
  })

  it("says the line of what it cannot read", () => {
    try {
      toml.read("a = 1\nb = \n")
      expect.unreachable()
    } catch (cause) {
      expect((cause as Unreadable).line).toBe(2)
    }
  })
})
