import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { catalog } from "../../src/facades/index.ts"
import { families, familyOf } from "../../src/telemetry/Clients.ts"
import {
  dimensionPattern,
  type Key,
  localKeys,
  namesOf,
  sentKeys,
  shortened
} from "../../src/telemetry/Keys.ts"
import { Tally } from "../../src/telemetry/Tally.ts"

const names = namesOf(catalog, { languages: ["typescript"], commands: ["index"] })
const sent: { readonly [key: string]: Key } = sentKeys

describe("what may be sent", () => {
  it("is these keys and no others", () => {
    expect(Object.keys(sentKeys).sort()).toEqual([
      "cli_command",
      "client",
      "daemon_session",
      "index",
      "index_lang",
      "install",
      "mcp_facade_call",
      "mcp_facade_invalid",
      "mcp_facade_latency",
      "mcp_facade_outcome",
      "mcp_facade_status",
      "mcp_tool_call",
      "surface",
      "surface_bytes",
      "surface_schema",
      "surface_tools",
      "uninstall"
    ])
  })

  it("shares no key with what stays on this machine", () => {
    expect(Object.keys(localKeys).filter((key) => key in sentKeys)).toEqual([])
  })

  it("stands in 32 characters or fewer, all of them harmless", () => {
    for (const { dimension } of Object.values(sent)) {
      if (dimension.tag === "words")
        for (const word of dimension.words) expect(word, word).toMatch(dimensionPattern)
      if (dimension.tag === "names")
        for (const name of names[dimension.of]) expect(name, name).toMatch(dimensionPattern)
    }
  })

  it("tells every operation and every tool of the registry apart", () => {
    const operations = catalog.facades.flatMap((facade) =>
      facade.operations.map(({ name }) => `${facade.name}.${name}`)
    )
    expect(new Set(operations.map(shortened)).size).toBe(operations.length)
    for (const operation of operations) expect(names.operations.has(shortened(operation))).toBe(true)
    for (const facade of catalog.facades) expect(names.operations.has(`${facade.name}.unknown`)).toBe(true)
    const tools = new Set(catalog.facades.flatMap(({ operations: all }) => all.flatMap((each) => each.tools)))
    expect(new Set([...tools].map(shortened)).size).toBe(tools.size)
  })
})

describe("the page about it", () => {
  const page = readFileSync(new URL("../../docs/telemetry.md", import.meta.url), "utf8")
  const [, sent = "", local = ""] = /## What is sent\n(.*)## What stays here\n(.*)## Files/s.exec(page) ?? []
  const rows = (text: string) =>
    [...text.matchAll(/^\| `(\w+)` \| (.*?) \|/gm)].map(([, key, about]) => [key, about])

  it("has every key of either list, in its place, and says the same of it", () => {
    for (const [text, keys] of [
      [sent, sentKeys],
      [local, localKeys]
    ] as ReadonlyArray<readonly [string, { readonly [key: string]: Key }]>)
      expect(rows(text)).toEqual(Object.entries(keys).map(([key, { about }]) => [key, about]))
  })

  it("has every word that may stand beside one", () => {
    for (const { dimension } of [...Object.values<Key>(sentKeys), ...Object.values<Key>(localKeys)])
      if (dimension.tag === "words") for (const word of dimension.words) expect(page).toContain(`\`${word}\``)
  })
})

describe("a name", () => {
  it("of 32 characters stays; a longer one is 23 of them, a dot and 8 digits of its SHA-256", () => {
    const fitting = `${"a".repeat(20)}.${"b".repeat(11)}`
    expect(shortened(fitting)).toBe(fitting)
    const long = `${fitting}c`
    const digits = createHash("sha256").update(long).digest("hex").slice(0, 8)
    expect(shortened(long)).toBe(`${"a".repeat(20)}.bb.${digits}`)
    expect(shortened(long)).toHaveLength(32)
  })
})

describe("a tally", () => {
  it("takes nothing in that its list does not have", () => {
    const tally = new Tally(sentKeys, names)
    fc.assert(
      fc.property(fc.string(), fc.string(), (key, dimension) => {
        tally.add(key, dimension)
        for (const known of Object.keys(sentKeys)) tally.add(known, `zq7${dimension}`)
      })
    )
    for (const key of ["constructor", "__proto__", "toString"]) tally.add(key, "ok")
    tally.add("mcp_facade_status", "ok", -1)
    tally.add("mcp_facade_status", "ok", 0.5)
    tally.add("mcp_facade_status", "ok", Infinity)
    tally.addAll({ mcp_facade_status: { ok: "5", maybe: 5 }, paths: { "src/a.ts": 1 }, index: 3 })
    tally.addAll([1])
    expect(tally.counts()).toEqual({})
    expect(tally.isEmpty).toBe(true)
  })

  it("adds up, and shows its counts in order", () => {
    const tally = new Tally(sentKeys, names)
    tally.add("mcp_facade_status", "ok")
    tally.add("mcp_facade_call", "read.source", 2)
    tally.addAll({ mcp_facade_status: { error: 1, ok: 3 } })
    expect(JSON.stringify(tally.counts())).toBe(
      '{"mcp_facade_call":{"read.source":2},"mcp_facade_status":{"error":1,"ok":4}}'
    )
  })
})

describe("the family of a client", () => {
  it.each([
    ["claude-code", "claude-code"],
    ["Claude Code", "claude-code"],
    ["claude-code/1.2.3", "claude-code"],
    ["Visual Studio Code", "vscode"],
    ["Visual Studio Code - Insiders", "vscode"],
    ["cursor@1", "cursor"],
    ["claude-ai", "claude-desktop"],
    ["codex-mcp-client", "codex"],
    ["omp-coding-agent", "oh-my-pi"],
    ["claude-codex", "other"],
    ["picture", "other"],
    ["the secret agent of Ada", "other"],
    ["", "other"],
    [undefined, "other"],
    ["cursor ".repeat(100), "other"]
  ])("of %j is %s", (name, family) => {
    expect(familyOf(name)).toBe(family)
  })

  it("is one of the list, whatever a client calls itself", () => {
    fc.assert(fc.property(fc.string(), (name) => families.includes(familyOf(name))))
  })
})
