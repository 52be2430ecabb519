/** `portico audit` by itself: the policy of this program, and of packs. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, describe, expect, it, vi } from "vitest"
import { auditOf, inspect } from "../../../src/layers.ts"
import { run } from "../../../src/transports/cli/run.ts"
import { packFolder } from "../../policy/packs.ts"

const packs = packFolder()
const elsewhere = realpathSync(mkdtempSync(join(tmpdir(), "portico-policy-")))
afterEach(() => void vi.restoreAllMocks())
afterAll(() => {
  packs.end()
  rmSync(elsewhere, { recursive: true, force: true })
})

const never = () => Promise.reject(new Error("only the audit is needed for this"))

const audit = async (...args: ReadonlyArray<string>) => {
  const said = { out: "", err: "" }
  const into = (stream: "out" | "err") => (text: string | Uint8Array) => {
    said[stream] += text.toString()
    return true
  }
  vi.spyOn(process.stdout, "write").mockImplementation(into("out"))
  vi.spyOn(process.stderr, "write").mockImplementation(into("err"))
  const code = await run(["audit", ...args], {
    version: "9.8.7",
    loadEngine: never,
    loadRecords: never,
    loadInspect: async () => inspect,
    loadAudit: async () => auditOf
  })
  vi.restoreAllMocks()
  return { code, ...said }
}

const pack = (name: string) => join(packs.root, name)

describe("portico audit", () => {
  it("of this program passes, by values and by types", { timeout: 120_000 }, async () => {
    const { code, out } = await audit("--dir", elsewhere)
    expect(out).toMatch(
      /^explore\.context +read +closed +planning federation full +agent ui federation cli /m
    )
    expect(out).toMatch(
      /\d+ operations, no differences; no ceilings to check; types of \d+ declarations in \d+ files asked of TypeScript 7/
    )
    expect(code).toBe(0)
  })

  it("holds the settings of a folder against them", { timeout: 120_000 }, async () => {
    mkdirSync(join(elsewhere, "bound"))
    writeFileSync(join(elsewhere, "bound/.effectrc"), `{ "ceilings": { "edit": ["read"] } }`)
    const { code, out } = await audit("--dir", join(elsewhere, "bound"), "--json")
    const { differences } = JSON.parse(out)
    expect(code).toBe(1)
    expect(
      differences.find((each: any) => each.subject === "edit.edit_file" || each.service === "LocalWriter")
    ).toMatchObject({ rule: "ceilings", service: "LocalWriter" })
  })

  it("passes a pack whose operations keep to their class", { timeout: 60_000 }, async () => {
    const { code, err, out } = await audit("--pack", pack("census"))
    expect(err).toBe("")
    expect(out).toMatch(/^census\.languages +read +closed .* CodeGraph +CodeGraph$/m)
    expect(out).toMatch(/2 operations, no differences/)
    expect(code).toBe(0)
    expect((await audit("--pack", pack("handed"))).out).toMatch(/^glance\.once .* ReadFs +ReadFs$/m)
  })

  it("fails a pack that reaches for a writer, and names operation, class, service and line", {
    timeout: 60_000
  }, async () => {
    const sly = await audit("--pack", pack("sly"))
    expect(sly.code).toBe(1)
    expect(sly.out).toMatch(
      /^index\.js:12:50 hidden: peeks\.write an assertion takes LocalWriter out of a type \(class read\)$/m
    )
    expect(sly.out).toMatch(
      /^index\.js:7:3 unknown: peeks\.write has a handler whose requirements the compiler knows as any$/m
    )
    const widening = await audit("--pack", pack("widening"), "--sarif")
    expect(widening.code).toBe(1)
    const results: ReadonlyArray<any> = JSON.parse(widening.out).runs[0].results
    expect(results.map(({ message }) => message.text)).toContain(
      "looks.everywhere has class read and its handler requires LocalWriter, which is local_write"
    )
    expect(results.map(({ message }) => message.text)).toContain(
      "pack is refused: looks.everywhere has class read and needs LocalWriter, which is local_write"
    )
  })

  it("takes a source as well, whose values it cannot have", { timeout: 60_000 }, async () => {
    const file = join(elsewhere, "pack.ts")
    writeFileSync(
      file,
      [
        `import { Effect, Facade, Fields, LocalWriter } from "portico/registry"`,
        `const looks = Facade.make("looks", { effect: "read", purpose: "", envelope: { properties: {} } })`,
        `export const a = looks.operation("a", { tool: "t", summary: "", input: Fields.input({}), needs: [],`,
        `  // @ts-expect-error`,
        `  handler: () => Effect.as(LocalWriter, {}) })`
      ].join("\n")
    )
    const { code, out } = await audit("--pack", file)
    expect(code).toBe(1)
    expect(out).toMatch(
      /^pack\.ts:3:18 authority: looks\.a has class read and its handler requires LocalWriter, which is local_write$/m
    )
    expect(out).toMatch(/^pack\.ts:4:6 silenced: looks\.a /m)
  })

  it("refuses what it cannot look at, and formats at odds", async () => {
    expect(await audit("--pack", join(elsewhere, "absent"))).toMatchObject({ code: 1, out: "" })
    expect((await audit("--json", "--sarif")).code).toBe(2)
  })
})
