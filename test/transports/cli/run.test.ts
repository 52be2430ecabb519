import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import { auditOf, inspect, openEngine, openRecords } from "../../../src/layers.ts"
import { run } from "../../../src/transports/cli/run.ts"

const made: Array<string> = []
const folder = (files: { readonly [path: string]: string }): string => {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "portico-cli-")))
  made.push(directory)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    writeFileSync(join(directory, path), text)
  }
  return directory
}

beforeAll(() => {
  vi.stubEnv("PORTICO_HOME", folder({}))
})
afterEach(() => {
  vi.restoreAllMocks()
})
afterAll(() => {
  vi.unstubAllEnvs()
  for (const directory of made) rmSync(directory, { recursive: true, force: true })
})

/** Runs a command line and gives what it printed. */
const command = async (...argv: ReadonlyArray<string>) => {
  const said = { out: "", err: "" }
  const into = (stream: "out" | "err") => (text: string | Uint8Array) => {
    said[stream] += text.toString()
    return true
  }
  vi.spyOn(process.stdout, "write").mockImplementation(into("out"))
  vi.spyOn(process.stderr, "write").mockImplementation(into("err"))
  const code = await run(argv, {
    version: "9.8.7",
    loadEngine: async () => openEngine,
    loadRecords: async () => openRecords,
    loadInspect: async () => inspect,
    loadAudit: async () => auditOf
  })
  vi.restoreAllMocks()
  return { code, ...said }
}

const names = [
  "start",
  "init",
  "doctor",
  "call",
  "index",
  "status",
  "capabilities",
  "tools",
  "surface",
  "approvals",
  "audit",
  "telemetry",
  "version"
]

describe("a command", () => {
  it.each(names)("%s tells its usage, asked in either way", async (name) => {
    const asked = await command(name, "--help")
    expect(asked).toMatchObject({ code: 0, err: "" })
    expect(asked.out).toMatch(new RegExp(`^portico ${name}\\b`))
    expect(await command("help", name)).toEqual(asked)
    expect(await command(name, "-h")).toEqual(asked)
  })

  it.each(names)("%s refuses an option it does not have, with those it has", async (name) => {
    const refused = await command(name, "--colour")
    expect(refused).toMatchObject({ code: 2, out: "" })
    expect(refused.err).toMatch(
      new RegExp(`^portico ${name}: there is no option --colour; there are .*--help\\n$`)
    )
  })

  it("that is not there is refused, also by help", async () => {
    expect((await command("nothing")).code).toBe(2)
    expect(await command("help", "nothing")).toMatchObject({
      code: 2,
      err: expect.stringContaining("there is no command nothing; there are start,")
    })
  })

  it("names its folder once", async () => {
    expect(await command("status", "a", "--dir", "b")).toMatchObject({
      code: 2,
      err: "portico status: a and --dir b both name the folder; give one of them\n"
    })
  })
})

describe("portico start", () => {
  it("walks through a folder with two functions, and its command lines name the folder", async () => {
    const directory = folder({ "m.py": "def a():\n    return b()\n\ndef b():\n    return 1\n" })
    const { code, out } = await command("start", directory)
    expect(code).toBe(0)
    expect(out).toMatch(new RegExp(`^Portico on ${basename(directory)}\\nIndex up to date`))
    expect(out).toContain("A definition to look at: b (function, m.py:4), with 1 call.\n")
    const lines = out.split("\n").filter((line) => line.startsWith("$ "))
    expect(lines.map((line) => line.split(" ").slice(0, 6))).toEqual(
      ["explore", "search", "read", "relations"].map((tool) => [
        "$",
        "portico",
        "call",
        tool,
        "--dir",
        directory
      ])
    )
    expect(out).toContain("── Who calls it\n")
    expect(out).not.toMatch(/: $/m)
  })

  it("names the work tree around a folder, and shows uses of what is not called", async () => {
    const top = folder({
      ".git/HEAD": "ref: refs/heads/main\n",
      "lib/cart.ts":
        "export interface Cart { readonly total: number }\nexport type Carts = ReadonlyArray<Cart>\n",
      "docs/guide.md": "# Guide\n"
    })
    const { code, out } = await command("start", join(top, "docs"))
    expect(code).toBe(0)
    const name = basename(top)
    expect(
      out.startsWith(`Portico on ${name}\nThe folder docs lies in it; all of ${name} is indexed.\n`)
    ).toBe(true)
    expect(out).toContain("A definition to look at: Cart (interface, lib/cart.ts:1), with 1 use.\n")
    expect(out).toContain("── Where it is used\n")
    expect(out).not.toContain("── Who calls it")
  })

  it("says so where no definition is", async () => {
    const { code, out } = await command("start", folder({ "notes.unknown": "nothing\n" }))
    expect(code).toBe(0)
    expect(out).toContain("No definition is indexed here")
  })
})

describe("portico status", () => {
  it("says what is not indexed and why", async () => {
    const directory = folder({
      "a.py": "def a():\n    return 1\n",
      "notes.unknown": "nothing\n",
      "broken.py": "def (:\n"
    })
    const { code, out } = await command("status", directory)
    expect(code).toBe(0)
    const lines = out.split("\n")
    expect(lines).toEqual(
      expect.arrayContaining([
        "state: ready",
        "freshness: fresh",
        "listed_files: 3",
        "indexed_files: 2",
        "skipped_files: no_language 1",
        "failed_files: none",
        "stale_files: none",
        "watching: no"
      ])
    )
    expect(out).toMatch(/^parse_errors: [1-9]\d*$/m)
    expect(out).toMatch(/^ {2}python: {2}2 files {2}\d+ symbols? {2}references$/m)
    expect(out).toMatch(/^store: ([\d.]+ (bytes|KiB)|nothing stored)$/m)
    const { out: json } = await command("status", directory, "--json")
    expect(JSON.parse(json)).toMatchObject({ skipped: { no_language: 1 }, watching: false })
  })
})

describe("portico capabilities", () => {
  it("tells available operations from the others", async () => {
    const { out } = await command("capabilities", "--dir", folder({}))
    expect(out).toMatch(/^ {2}read {2}read {2}\d+ of \d+ operations available {2}Read a file/m)
  })
})
