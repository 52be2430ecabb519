import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { catalog as registry } from "../../src/facades/index.ts"
import { rosterText } from "../../src/surface/RosterFile.ts"
import { roster } from "../../src/surface/Tools.ts"

describe("the roster", () => {
  it("is what the registry gives (npx tsx src/build/roster.ts writes it anew)", () => {
    const file = new URL("../../src/surface/tools.json", import.meta.url)
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(JSON.parse(rosterText(registry)))
  })
  it("has 21 tools in at most 12,000 bytes, and does not speak of itself", () => {
    const text = JSON.stringify({ tools: roster })
    expect(roster.length).toBe(21)
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(12_000)
    expect(text).not.toMatch(/facade/i)
  })
  it("has no description over 1,536 characters", () => {
    for (const { description } of roster) expect(description.length).toBeLessThanOrEqual(1536)
  })
})
