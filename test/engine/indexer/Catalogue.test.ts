import { assert, describe, it } from "@effect/vitest"
import { existsSync, readdirSync } from "node:fs"
import { languages } from "../../../src/engine/languages/index.ts"
import type { Language } from "../../../src/engine/languages/Language.ts"

const room = new URL("../../../src/engine/languages/", import.meta.url)
const folders = readdirSync(room, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(new URL(`${entry.name}/index.ts`, room)))
  .map(({ name }) => name)

const isLanguage = (value: unknown): value is Language =>
  typeof value === "object" && value !== null && "extensions" in value && "load" in value

describe("the list of languages", () => {
  it("holds what every language folder exports", async () => {
    const exported: Array<string> = []
    for (const folder of folders) {
      const module: Record<string, unknown> = await import(new URL(`${folder}/index.ts`, room).href)
      exported.push(
        ...Object.values(module)
          .filter(isLanguage)
          .map(({ id }) => id)
      )
    }
    assert.deepStrictEqual(languages.map(({ id }) => id).toSorted(), exported.toSorted())
  })

  it("names each language, file name and interpreter once, and each extension but that of C and C++ headers", () => {
    const twice = (of: (language: Language) => ReadonlyArray<string>) => {
      const all = languages.flatMap(of)
      return [...new Set(all.filter((name, at) => all.indexOf(name) !== at))]
    }
    assert.deepStrictEqual(
      twice(({ id }) => [id]),
      []
    )
    assert.deepStrictEqual(
      twice(({ filenames }) => filenames ?? []),
      []
    )
    assert.deepStrictEqual(
      twice(({ interpreters }) => interpreters ?? []),
      []
    )
    assert.deepStrictEqual(
      twice(({ extensions }) => extensions).filter((extension) => extension !== ".h"),
      []
    )
  })
})
