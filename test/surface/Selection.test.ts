import { describe, expect, it } from "vitest"
import { select } from "../../src/surface/Selection.ts"

describe("the selection of a surface", () => {
  it("takes any client name for the one surface, known or not", () => {
    for (const client of ["claude-code", "codex", "cursor", "zed", "something-nobody-has-heard-of", " x "]) {
      expect(select({ client })).toEqual({ ok: true, surface: "facade-v1", source: "client" })
    }
  })
  it("falls back on the server's default without a client name", () => {
    for (const client of [undefined, "", "  "]) {
      expect(select({ client })).toEqual({ ok: true, surface: "facade-v1", source: "default" })
    }
  })
  it("knows the surface by all its names, in any case", () => {
    for (const forwarded of ["facade-v1", "compact", "facade", "agent-v2", "Compact", " FACADE "]) {
      expect(select({ forwarded })).toEqual({ ok: true, surface: "facade-v1", source: "forwarded" })
    }
  })
  it("lets the stronger source decide", () => {
    expect(select({ forwarded: "compact", operator: "full", profile: "core", client: "x" })).toMatchObject({
      ok: true,
      source: "forwarded"
    })
    expect(select({ operator: "compact", profile: "core", client: "x" })).toMatchObject({
      ok: true,
      source: "operator"
    })
    expect(select({ profile: "compact", client: "x" })).toMatchObject({ ok: true, source: "profile" })
    expect(select({ forwarded: "", operator: " ", client: "x" })).toMatchObject({
      ok: true,
      source: "client"
    })
    expect(select({ operator: "core", client: "x" })).toMatchObject({ ok: false, source: "operator" })
  })
  it("refuses what it does not have, and names what it has", () => {
    for (const asked of ["agent", "core", "full", "readonly", "nav", "compact,+read_file", "nonsense"]) {
      const selection = select({ forwarded: asked, client: "x" })
      expect(selection).toMatchObject({ ok: false, source: "forwarded", asked })
      expect(selection.ok ? "" : selection.message).toContain("valid: facade-v1, compact, facade, agent-v2")
    }
  })
})
