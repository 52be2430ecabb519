import { parseAst } from "rolldown/parseAst"
import { describe, expect, it } from "vitest"

type Tables = Map<string, Map<string, number>>
const { tablesIn, withConstants } = (await import(
  new URL("../../src/build/constants.mjs", import.meta.url).href
)) as {
  readonly tablesIn: (tree: unknown) => Tables
  readonly withConstants: (code: string, tree: unknown, tablesOf: (specifier: string) => Tables) => string
}

const parsed = (code: string) => parseAst(code, { lang: "ts" }, "a.ts")
const tables = `
export const D = { kind: 0, name: 1 << 1, low: -3, all: (1 | 4) + 2, size: 8 } as const
const words = ["read", "write"] as const
export const Role = Object.fromEntries(words.map((w, i) => [w, i])) as { readonly [K in string]: number }
export const open = { a: 0 }
export const mixed = { a: 0, b: "text" } as const
export let later = { a: 1 } as const
`
const written = (code: string) => withConstants(code, parsed(code), () => tablesIn(parsed(tables)))

describe("constant tables", () => {
  it("are objects of numbers that nothing can change, and numberings of words", () => {
    const found = tablesIn(parsed(tables))
    expect([...found.keys()]).toEqual(["D", "Role"])
    expect([...found.get("D")!]).toEqual([
      ["kind", 0],
      ["name", 2],
      ["low", -3],
      ["all", 7],
      ["size", 8]
    ])
    expect([...found.get("Role")!]).toEqual([
      ["read", 0],
      ["write", 1]
    ])
  })

  it("are written out where they are imported, under any name, after any characters", () => {
    expect(
      written('import { D as E, Role } from "./a.ts"\nconst é = "😀" + E.name\nx[E.low]; Role.write * E.size')
    ).toBe('import { D as E, Role } from "./a.ts"\nconst é = "😀" + 2\nx[(-3)]; 1 * 8')
  })

  it("are written out where they are declared", () => {
    expect(written("const T = { a: 4 } as const\nf(T.a, T)")).toBe("const T = { a: 4 } as const\nf(4, T)")
  })

  it("stay where the name means something else, where it is not theirs, and for unknown members", () => {
    for (const code of [
      'import { D } from "./a.ts"\nconst f = (D) => D.name',
      'import { D } from "./a.ts"\nfor (const { x: [D] } of y) D.name',
      'import { D } from "./a.ts"\ntry {} catch (D) { D.name }',
      'import { D } from "./a.ts"\nfunction f(a = 1, ...D) { return D.name }',
      'import { D } from "a"\nD.name',
      'import { D } from "./a.ts"\nD.none; D["name"]; x.D.name',
      'import type { Other } from "./a.ts"\nlet t: typeof D.name',
      "const T = { a: 4 } as const\n{ class T {}; T.a }"
    ])
      expect(written(code)).toBe(code)
  })
})
