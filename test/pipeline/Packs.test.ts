/** Operation packs in a running engine. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { catalog, registryWith } from "../../src/facades/index.ts"
import { openEngine } from "../../src/layers.ts"
import type { Engine } from "../../src/pipeline/Engine.ts"
import { load } from "../../src/policy/Packs.ts"
import { surfaceOf } from "../../src/surface/Surface.ts"
import { packFolder } from "../policy/packs.ts"

const { end, root } = packFolder()
const tree = join(root, "tree")
const told: Array<string> = []
let engine: Engine

const open = async (user: object, repository: object | undefined): Promise<Engine> => {
  writeFileSync(join(root, "effectrc"), JSON.stringify(user))
  writeFileSync(join(tree, ".effectrc"), JSON.stringify(repository ?? {}))
  vi.stubEnv("PORTICO_CONFIG", join(root, "effectrc"))
  vi.stubEnv("PORTICO_HOME", join(root, "home"))
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    told.push(text.toString())
    return true
  })
  return openEngine({ directory: tree, watch: false })
}

beforeAll(async () => {
  mkdirSync(tree)
  writeFileSync(join(tree, "a.ts"), "export const a = 1\n")
  writeFileSync(join(tree, "b.ts"), "export const b = 2\n")
  writeFileSync(join(tree, "c.py"), "c = 3\n")
  engine = await open({ packs: ["./census", "./widening", "./sly"] }, { packs: ["../colliding"] })
})
afterAll(async () => {
  await engine.close()
  end()
})

const call = async (tool: string, args: object, more: object = {}) => {
  const { isError, structuredContent } = await engine.call({ tool, args, ...more })
  return { failed: isError === true, value: structuredContent as any }
}

describe("packs in an engine", () => {
  it("answer by their tools' names, decoded and projected like any other", async () => {
    expect(await call("census", {})).toEqual({
      failed: false,
      value: {
        languages: [
          { language: "typescript", files: 2 },
          { language: "python", files: 1 }
        ]
      }
    })
    expect((await call("census", { options: { least: 2 } })).value.languages).toHaveLength(1)
    expect((await call("census", { options: { most: 2 } })).value).toMatchObject({
      error_code: "invalid_argument"
    })
  })

  it("are told of by capabilities, as what they are", async () => {
    const { value } = await call("capabilities", {})
    expect(value.domains).toHaveLength(24)
    expect(value.domains.filter(({ pack }: any) => pack !== undefined)).toEqual([
      expect.objectContaining({ name: "census", effect: "read", pack: "./census" }),
      expect.objectContaining({ name: "tally", effect: "session_write", pack: "./census" }),
      expect.objectContaining({ name: "peeks", effect: "read", pack: "./sly" })
    ])
    const schema = await call("capabilities", { detail: "schema", domain: "census", operation: "languages" })
    expect(schema.value.request_shape).toBeDefined()
  })

  it("leave the tools a client is shown at the twenty-one", () => {
    const [pack] = load([{ module: "./census", from: [root] }], catalog)
    const surface = surfaceOf(registryWith(pack?.facades ?? []))
    expect(surface.tools).toHaveLength(21)
    expect(surface.resolve("census").tag).toBe("facade")
  })

  it("run with what they need and nothing else, whatever their handlers reach for", async () => {
    const { failed, value } = await call("peeks", { operation: "write" })
    expect(failed).toBe(true)
    expect(value.error_code).toBe("internal")
  })

  it("stand under the same grants and modes as ours", async () => {
    const federation = { principal: { kind: "federation", id: "f", authenticated: true }, door: "federation" }
    expect((await call("census", {}, federation)).failed).toBe(false)
    expect((await call("tally", { operation: "begin" }, federation)).value).toMatchObject({
      error_code: "permission_denied",
      data: { effect: "session_write" }
    })
    const nobody = { principal: { kind: "ui", id: "u", authenticated: false }, door: "http" }
    expect((await call("tally", { operation: "begin" }, nobody)).value.error_code).toBe("permission_denied")
  })

  it("are refused by name where they would widen, and not taken from a repository", async () => {
    expect(told.join("")).toContain(
      "the operation pack ./widening is left out: looks.everywhere has class read and needs LocalWriter, which is local_write"
    )
    expect(told.join("")).toContain("packs of the repository's .effectrc is not followed")
    expect((await call("looks", { operation: "everywhere" })).value.error_code).toBe("unknown_tool")
  })
})
