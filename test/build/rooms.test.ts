import * as path from "node:path"
import { describe, expect, it } from "vitest"
import { directoryOf, lines, node, top } from "./support.ts"

const rooms = (files: Record<string, string>) => {
  const ran = node(top, ["src/build/rooms.mjs", directoryOf(files)])
  return { status: ran.status, lines: lines(ran) }
}

describe("room rules", () => {
  it("let each room import what the table grants it", () => {
    expect(
      rooms({
        "src/registry/Operation.ts":
          'import { ReadFs } from "../services/ReadFs.ts"\nexport const a = ReadFs\n',
        "src/registry/Failure.ts": "export class NotFound {}\n",
        "src/services/ReadFs.ts":
          'import { Context } from "effect"\nimport type { Operation } from "../registry/Operation.ts"\n',
        "src/facades/read/file.ts":
          'import { a } from "../../registry/Operation.ts"\nimport { b } from "../../services/ReadFs.ts"\n',
        "src/engine/files/Files.ts":
          'import { NotFound } from "../../registry/Failure.ts"\nimport type { Operation } from "../../registry/Operation.ts"\nimport { x } from "../text/Index.ts"\n',
        "src/pipeline/Call.ts":
          'import { s } from "../surface/Preset.ts"\nimport { a } from "../registry/Operation.ts"\n',
        "src/transports/mcp/Stdio.ts": 'import { c } from "../../pipeline/Call.ts"\n',
        "src/layers.ts": 'import { layer } from "./engine/files/Files.ts"\n',
        "src/main.ts": 'import { all } from "./layers.ts"\nimport { c } from "./transports/mcp/Stdio.ts"\n'
      })
    ).toEqual({ status: 0, lines: [] })
  })

  it("name the file, the line and the import of each breach", () => {
    expect(
      rooms({
        "src/facades/read/file.ts":
          '// a comment\nimport type { F } from "../../engine/files/Files.ts"\nexport { all } from "../../layers.ts"\n',
        "src/registry/Operation.ts": 'export const lazy = () => import("../facades/index.ts")\n',
        "src/surface/Preset.ts": 'export type T = import("../services/ReadFs.ts").T\n',
        "src/transports/http/Api.ts": 'export * from "../../registry/Operation.ts"\n'
      })
    ).toEqual({
      status: 1,
      lines: [
        "src/facades/read/file.ts:2 imports src/engine/files/Files.ts: facades may not import engine",
        "src/facades/read/file.ts:3 imports src/layers.ts: only the entry files know it",
        "src/registry/Operation.ts:1 imports src/facades/index.ts: registry may not import facades",
        "src/surface/Preset.ts:1 imports src/services/ReadFs.ts: surface may not import services",
        "src/transports/http/Api.ts:1 imports src/registry/Operation.ts: transports may not import registry"
      ]
    })
  })

  it("tell imports of types from imports of values", () => {
    expect(
      rooms({
        "src/services/ReadFs.ts":
          'import { type A, type B } from "../registry/Operation.ts"\nimport { c } from "../registry/Operation.ts"\nimport { readFile } from "node:fs"\n',
        "src/engine/git/Git.ts": 'import { c } from "../../registry/Operation.ts"\n'
      })
    ).toEqual({
      status: 1,
      lines: [
        "src/engine/git/Git.ts:1 imports src/registry/Operation.ts: engine may import only types of registry",
        "src/services/ReadFs.ts:2 imports src/registry/Operation.ts: services may import only types of registry",
        "src/services/ReadFs.ts:3 imports node:fs: services hold tags and types only"
      ]
    })
  })

  it("refuse a room that is not in the table, and imports from outside src", () => {
    expect(
      rooms({
        "src/helpers/any.ts": "export const a = 1\n",
        "src/hosts/Init.ts": 'import { b } from "../../test/support.ts"\n'
      })
    ).toEqual({
      status: 1,
      lines: [
        "src/helpers/any.ts:1 is in no known room (src/helpers)",
        "src/hosts/Init.ts:1 imports test/support.ts, outside src/"
      ]
    })
  })
})

describe("the facades' gate", () => {
  const gate = (text: string) => {
    const directory = directoryOf({ "src/facades/edit/file.ts": text, "src/engine/Run.ts": text })
    return lines(node(top, [path.join("src/build/facades.mjs"), directory]))
  }

  it("refuses to provide services or run effects, however Effect was imported", () => {
    expect(
      gate(
        [
          'import { Effect as E, Layer } from "effect"',
          'import * as Eff from "effect/Effect"',
          'import * as All from "effect"',
          'import { provideService } from "effect/Effect"',
          "export const a = E.provide(x, y)",
          "export const b = x.pipe(Eff.provideService(T, y))",
          "export const c = All.Effect.runSync(x)",
          'export const d = Layer["provide"](x, y)'
        ].join("\n")
      )
    ).toEqual([
      "src/facades/edit/file.ts:4 uses provideService: a facade leaves its services to the caller",
      "src/facades/edit/file.ts:5 uses provide: a facade leaves its services to the caller",
      "src/facades/edit/file.ts:6 uses provideService: a facade leaves its services to the caller",
      "src/facades/edit/file.ts:7 uses runSync: a facade leaves its services to the caller",
      "src/facades/edit/file.ts:8 uses provide: a facade leaves its services to the caller"
    ])
  })

  it("passes comments, strings and other objects' methods of the same name", () => {
    expect(
      gate(
        [
          'import { Effect } from "effect"',
          "// Effect.provide is for layers.ts",
          'export const a = Effect.succeed("Effect.provide")',
          "export const b = shop.provide(a)"
        ].join("\n")
      )
    ).toEqual([])
  })
})
