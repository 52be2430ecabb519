import { describe, expect, it } from "vitest"
import {
  aliases,
  isCompact,
  parse,
  select,
  surfaceNamed,
  surfaceNames,
  type Wishes
} from "../../src/surface/Selection.ts"
import { lineReaders, readsLines, wireOf } from "../../src/surface/Wire.ts"

const hidden = { preset: "compact", mode: "hide", add: [], remove: [] }

describe("the selection of a surface", () => {
  it("takes any client name for the compact surface, known or not", () => {
    for (const client of [...lineReaders, "Claude Code", "something-nobody-has-heard-of", " x "])
      expect(select({ client })).toEqual({ ...hidden, source: "client" })
  })

  it("keeps the server's default without a client name", () => {
    for (const client of [undefined, "", "  "])
      expect(select({ client })).toEqual({
        preset: "core",
        mode: "defer",
        add: [],
        remove: [],
        source: "default"
      })
  })

  it("knows every surface by all its names, in any case", () => {
    for (const name of surfaceNames) {
      expect(surfaceNamed(name)).toBe(name)
      expect(surfaceNamed(` ${name.toUpperCase()} `)).toBe(name)
    }
    for (const [alias, name] of Object.entries(aliases)) expect(surfaceNamed(alias)).toBe(name)
    for (const alias of ["facade-v1", "facade", "agent-v2"]) expect(surfaceNamed(alias)).toBe("compact")
    expect(surfaceNamed("constructor")).toBeUndefined()
  })

  const sources = ["forwarded", "operator", "profile", "client"] as const
  /** What each source asks for, and what that comes to alone. */
  const asks = {
    forwarded: ["nav", "nav"],
    operator: ["edit", "edit"],
    profile: ["full", "core"],
    client: ["codex", "compact"]
  } as const

  for (const [at, stronger] of sources.entries())
    for (const weaker of sources.slice(at + 1))
      it(`hears ${stronger} before ${weaker}`, () => {
        const wishes: Wishes = { [stronger]: asks[stronger][0], [weaker]: asks[weaker][0] }
        expect(select(wishes)).toMatchObject({ preset: asks[stronger][1], source: stronger })
        expect(select({ ...wishes, [stronger]: " " })).toMatchObject({
          preset: asks[weaker][1],
          source: weaker
        })
        expect(select({ ...wishes, [weaker]: "" })).toMatchObject({
          preset: asks[stronger][1],
          source: stronger
        })
      })

  for (const source of sources)
    it(`hears ${source} before the server's default`, () => {
      expect(select({ [source]: asks[source][0] })).toMatchObject({ preset: asks[source][1], source })
      expect(select({ [source]: "" })).toMatchObject({ preset: "core", source: "default" })
    })

  it("hears all of them in their order", () => {
    const all = Object.fromEntries(sources.map((source) => [source, asks[source][0]])) as Wishes
    expect(select(all).source).toBe("forwarded")
    expect(select({ ...all, forwarded: undefined }).source).toBe("operator")
    expect(select({ ...all, forwarded: "", operator: "" }).source).toBe("profile")
  })

  it("has no opinion from profiles without a surface, or that nobody knows", () => {
    for (const profile of ["core", "localization", "unheard-of", "toString"])
      expect(select({ profile, client: "x" })).toMatchObject({ preset: "compact", source: "client" })
  })
})

describe("a specification", () => {
  const parsed = (text: string) => {
    const { add, mode, preset, remove } = parse(text)
    return { preset, mode, add, remove }
  }

  it("is a surface, with tools added and taken away", () => {
    expect(parsed("core, +get_cluster,-write_file  trace_path")).toEqual({
      preset: "core",
      mode: "defer",
      add: ["get_cluster", "trace_path"],
      remove: ["write_file"]
    })
    expect(parsed("Read-Only")).toMatchObject({ preset: "readonly", add: [], remove: [] })
  })

  it("is the tools alone, when no surface comes first", () => {
    expect(parsed("read_file,find-usages,core")).toEqual({
      preset: undefined,
      mode: "defer",
      add: ["read_file", "find_usages", "core"],
      remove: []
    })
  })

  it("changes the server's default, when it holds changes alone", () => {
    expect(parsed("+get_cluster -write_file")).toEqual({
      preset: "core",
      mode: "defer",
      add: ["get_cluster"],
      remove: ["write_file"]
    })
  })

  it("says what becomes of the rest", () => {
    expect(parsed("agent,hide")).toMatchObject({ preset: "agent", mode: "hide" })
    expect(parsed("hide agent")).toMatchObject({ preset: "agent", mode: "hide" })
    expect(parsed("agent DEFER")).toMatchObject({ preset: "agent", mode: "defer" })
  })

  it("cannot change the compact surface, which always hides", () => {
    for (const text of ["compact", "compact,defer", "facade-v1,+read_file,-edit", "AGENT-V2"]) {
      expect(parsed(text)).toEqual(hidden)
      expect(isCompact(parse(text))).toBe(true)
    }
  })
})

describe("the form of answers", () => {
  it("is the line form for clients known to read it, in sessions of single tools", () => {
    for (const client of lineReaders) {
      for (const name of [
        client,
        `${client} 1.2`,
        `${client}/1.0`,
        `${client}@2`,
        ` ${client.toUpperCase()} `
      ])
        expect(wireOf(parse("core"), name), name).toBe("gcx")
      expect(wireOf(parse("core"), `${client}-fork`)).toBe("json")
    }
    for (const client of [undefined, "", "piper", "my codex", "unheard-of"]) {
      expect(readsLines(client)).toBe(false)
      expect(wireOf(parse("full"), client)).toBe("json")
    }
  })

  it("is JSON on the compact surface, whoever it is", () => {
    for (const client of [...lineReaders, "unheard-of"]) expect(wireOf(parse("compact"), client)).toBe("json")
  })
})
