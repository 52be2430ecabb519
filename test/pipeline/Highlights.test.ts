import { Effect } from "effect"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { layerWorkspace } from "../../src/engine/workspace/layer.ts"
import { highlights } from "../../src/pipeline/Highlights.ts"

const made: Array<string> = []
afterAll(() => {
  for (const directory of made) rmSync(directory, { recursive: true, force: true })
})

const found = (files: { readonly [path: string]: string }, limit: number) => {
  const directory = mkdtempSync(join(tmpdir(), "portico-highlights-"))
  made.push(directory)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    writeFileSync(join(directory, path), text)
  }
  const layer = layerWorkspace({ directory, watch: false, store: false, exact: true, threads: 1 })
  return Effect.runPromise(highlights(limit).pipe(Effect.provide(layer), Effect.scoped))
}

const names = (rows: ReadonlyArray<{ readonly name: string }>) => rows.map(({ name }) => name)

describe("highlights", () => {
  it("are there wherever a symbol is: two one-letter functions of two lines", async () => {
    expect(await found({ "m.py": "def a():\n    return b()\n\ndef b():\n    return 1\n" }, 1)).toEqual([
      { id: "m.py::b", name: "b", kind: "function", path: "m.py", line: 4, uses: 1, calls: 1 }
    ])
  })
  it("put functions by their calls before types by their uses, and those before what is never called", async () => {
    const rows = await found(
      {
        "shop.ts": [
          "export interface Cart { readonly total: number }",
          "export const often = (cart: Cart): number => {",
          "  const { total } = cart",
          "  return total",
          "}",
          "export function handed(cart: Cart): number {",
          "  const { total } = cart",
          "  return total",
          "}",
          "export function main(cart: Cart): number {",
          "  const all = [handed, handed, handed, handed]",
          "  return all.length + often(cart) + often(cart)",
          "}"
        ].join("\n")
      },
      4
    )
    expect(names(rows)).toEqual(["often", "Cart", "handed", "main"])
    expect(rows.map(({ calls }) => calls)).toEqual([2, 0, 0, 0])
    expect(rows[2]?.uses).toBe(4)
  })
  it("come from tests only where there is nothing else", async () => {
    const test = "def helper():\n    return 1\n\ndef test_it():\n    helper()\n    helper()\n"
    expect(
      names(await found({ "tests/test_a.py": test, "a.py": "def alone():\n    return 2\n" }, 1))
    ).toEqual(["alone"])
    expect(names(await found({ "tests/test_a.py": test }, 1))).toEqual(["helper"])
  })
  it("may be headings or keys", async () => {
    expect(names(await found({ "README.md": "# Title\n" }, 1))).toEqual(["Title"])
  })
  it("are none where nothing is defined", async () => {
    expect(await found({ "notes.unknown": "nothing\n" }, 3)).toEqual([])
  })
})
