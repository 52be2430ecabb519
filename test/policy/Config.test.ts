import { Either } from "effect"
import { describe, expect, it } from "vitest"
import { read } from "../../src/policy/Config.ts"

const left = (text: string) => Either.match(read(text), { onLeft: (why) => why, onRight: () => "accepted" })

describe(".effectrc", () => {
  it("is JSON with comments", () => {
    expect(read('{\n  // ours\n  "ceilings": { "edit": ["read", "local_write"], },\n}')).toEqual(
      Either.right({ ceilings: { edit: ["read", "local_write"] } })
    )
    expect(read("{}")).toEqual(Either.right({}))
  })
  it("is closed: what nobody knows is refused by name", () => {
    expect(left('{"grnts": {}}')).toContain("grnts")
    expect(left('{"ceilings": {"edit": "read"}}')).toContain("ceilings.edit")
    expect(left("[]")).toContain(".effectrc")
  })
  it("says where it is broken", () => {
    expect(left('{\n\n  "grants" {}\n}')).toMatch(/^\.effectrc:3 /)
    expect(left("")).toMatch(/^\.effectrc:1 /)
  })
})
