import { cpSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { catalog } from "../../src/facades/index.ts"
import { load } from "../../src/policy/Packs.ts"
import { packFolder } from "./packs.ts"

const { end, root } = packFolder()
afterAll(end)

const loaded = (...modules: ReadonlyArray<string>) =>
  load(
    modules.map((module) => ({ module, from: [root] })),
    catalog
  )

const refusals = (module: string) =>
  loaded(module).flatMap(({ facades, refused }) => [facades.length, ...refused])

describe("a pack", () => {
  it("is loaded by path or by the name of its package, and brings its tools", () => {
    mkdirSync(join(root, "node_modules"), { recursive: true })
    cpSync(join(root, "census"), join(root, "node_modules/portico-pack-census"), { recursive: true })
    for (const module of [
      "./census",
      "./census/index.js",
      join(root, "census/index.js"),
      "portico-pack-census"
    ]) {
      const [pack] = loaded(module)
      expect(pack?.refused, module).toEqual([])
      expect(
        pack?.facades.map(({ effect, name, operations }) => [name, effect, operations[0]?.needs])
      ).toEqual([
        ["census", "read", ["portico/CodeGraph"]],
        ["tally", "session_write", ["portico/SessionStore"]]
      ])
    }
  })

  it("may be a function of what packs are made with", () => {
    const [pack] = loaded("./handed")
    expect(pack?.refused).toEqual([])
    expect(pack?.facades.map(({ name, pack: from }) => [name, from])).toEqual([["glance", "./handed"]])
  })

  it("may not widen its class, by needs or past the builder", () => {
    expect(refusals("./widening")).toEqual([
      0,
      "looks.everywhere has class read and needs LocalWriter, which is local_write"
    ])
    expect(refusals("./forged")).toEqual([0, "forged.anything was not made by the builder"])
    expect(refusals("./changed")).toEqual([0, "changes.one was not made by the builder"])
    expect(refusals("./altered")).toEqual([0, "alters.one was not made by the builder"])
  })

  it("takes no name of ours and none of another pack", () => {
    expect(refusals("./colliding")).toEqual([0, "search is the name of a tool of this server"])
    expect(refusals("./canonical")).toEqual([
      0,
      "seeks.mine stands behind get_callers, which is the name of a tool of this server"
    ])
    const [first, second] = loaded("./census", "./census/index.js")
    expect(first?.refused).toEqual([])
    expect(second?.refused).toEqual([
      "census is the name of a tool of ./census",
      "census.languages stands behind count_languages, which is the name of a tool of ./census",
      "tally is the name of a tool of ./census",
      "tally.begin stands behind begin_tally, which is the name of a tool of ./census"
    ])
  })

  it("that cannot be loaded says why, and stops no other", () => {
    expect(
      loaded("./broken", "./awaiting", "./empty", "./absent", "./census").map(({ refused }) => refused)
    ).toEqual([
      ["it cannot be loaded: nothing works today"],
      ["it awaits at its top level, and packs are loaded at once"],
      ["it exports no tool"],
      [expect.stringMatching(/^it is not found: /)],
      []
    ])
  })
})
