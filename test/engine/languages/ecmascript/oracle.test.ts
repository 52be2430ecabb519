import { readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { assert, describe, it } from "vitest"
import { javascript } from "../../../../src/engine/languages/javascript/index.ts"
import type { Language } from "../../../../src/engine/languages/Language.ts"
import { typescript } from "../../../../src/engine/languages/typescript/index.ts"
import { compare, grammarSight, ourSight } from "./oracle.ts"

const require = createRequire(import.meta.url)
const modules = join(dirname(require.resolve("effect/package.json")), "..")

/** Every `step`th file of a folder that the language reads. */
const sample = (folder: string, language: Language, step: number): ReadonlyArray<string> =>
  readdirSync(join(modules, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => language.extensions.some((extension) => path.endsWith(extension)))
    .sort()
    .filter((_, i) => i % step === 0)
    .map((path) => join(modules, folder, path))

const agreement = async (
  language: Language,
  files: ReadonlyArray<string>,
  expected: (word: string) => boolean
) => {
  const ours = await ourSight(language)
  const theirs = await grammarSight(language)
  const total = { definitions: 0, calls: 0, files: 0 }
  const differences: Array<string> = []
  for (const file of files) {
    const bytes = readFileSync(file)
    const there = theirs(bytes.toString("utf8"))
    if (there === undefined) continue
    const here = ours(file, bytes)
    if (here.errors > 0) differences.push(`${file}: ${here.errors} parse errors`)
    const definitions = compare(here.definitions, there.definitions)
    const calls = compare(here.calls, there.calls)
    total.files++
    total.definitions += definitions.same
    total.calls += calls.same
    for (const word of [...definitions.missing, ...calls.missing])
      if (!expected(word)) differences.push(`${file}: - ${word}`)
    for (const word of [...definitions.extra, ...calls.extra])
      if (!expected(word)) differences.push(`${file}: + ${word}`)
  }
  return { total, differences }
}

describe("agreement with the tree-sitter grammars", () => {
  it("holds for definitions and calls of TypeScript sources", async () => {
    const files = [...sample("effect/src", typescript, 9), ...sample("zod/src", typescript, 6)]
    const { differences, total } = await agreement(typescript, files, () => false)
    assert.isAbove(total.files, 30)
    assert.isAbove(total.definitions, 500)
    assert.isAbove(total.calls, 2000)
    assert.isAtMost(differences.length, (total.definitions + total.calls) * 0.005, differences.join("\n"))
  })

  it("holds for definitions and calls of JavaScript modules", async () => {
    const files = [
      ...sample("effect/dist/esm", javascript, 15),
      ...sample("vitest/dist", javascript, 4),
      ...sample("hono/dist/middleware", javascript, 3)
    ]
    // The grammar takes `await (x)` at the top of a module for a call of `await`.
    const { differences, total } = await agreement(javascript, files, (word) =>
      word.startsWith("call await ")
    )
    assert.isAbove(total.files, 30)
    assert.isAbove(total.definitions, 500)
    assert.isAbove(total.calls, 2000)
    assert.isAtMost(differences.length, (total.definitions + total.calls) * 0.005, differences.join("\n"))
  })
})
