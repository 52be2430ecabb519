import * as fc from "effect/FastCheck"
import { readdirSync } from "node:fs"
import { assert, describe, it } from "vitest"
import type { Language } from "../../../../src/engine/languages/Language.ts"
import { c } from "../../../../src/engine/languages/c/index.ts"
import { cpp } from "../../../../src/engine/languages/cpp/index.ts"
import { csharp } from "../../../../src/engine/languages/csharp/index.ts"
import { java } from "../../../../src/engine/languages/java/index.ts"
import { kotlin } from "../../../../src/engine/languages/kotlin/index.ts"
import { lua } from "../../../../src/engine/languages/lua/index.ts"
import { php } from "../../../../src/engine/languages/php/index.ts"
import { ruby } from "../../../../src/engine/languages/ruby/index.ts"
import { scala } from "../../../../src/engine/languages/scala/index.ts"
import { swift } from "../../../../src/engine/languages/swift/index.ts"
import { ParseAbandoned } from "../../../../src/engine/languages/treesitter/Grammar.ts"
import { factsOf } from "../support.ts"
import { sample } from "./shown.ts"

const languages: ReadonlyArray<Language> = [c, cpp, csharp, java, kotlin, lua, php, ruby, scala, swift]

const sampleOf = (id: string): string => {
  const folder = new URL(`../${id}/`, import.meta.url)
  const file = readdirSync(folder).find((f) => !f.endsWith(".test.ts"))!
  return sample(`../${id}/${file}`, import.meta.url)
}

/** Whatever was read, the records must refer to each other. */
const wellFormed = (facts: Awaited<ReturnType<typeof factsOf>>) => {
  const count = facts.definitions.length
  facts.definitions.forEach((d, i) => {
    assert.isBelow(d.parent, i)
    const [from, to] = d.span.split("-").map((p) => p.split(":").map(Number)) as [
      [number, number],
      [number, number]
    ]
    assert.isTrue(from[0] < to[0] || (from[0] === to[0] && from[1] <= to[1]), `${d.kind} ${d.name} ${d.span}`)
  })
  for (const r of facts.references) {
    assert.isBelow(r.within, count)
    assert.notStrictEqual(r.name, "")
  }
}

/** Made once: it begins with a table of all there are. */
const characters = fc.string({ unit: "binary", maxLength: 200 })

describe.each(languages.map((l) => [l.id, l] as const))("%s", (id, language) => {
  it("reads every truncation of a file", async () => {
    const text = sampleOf(id)
    for (let at = 0; at < text.length; at += Math.max(1, text.length >> 5))
      wellFormed(await factsOf(language, text.slice(0, at)))
  })

  it("reads any shuffle of a file's lines and tokens", async () => {
    const words = sampleOf(id).split(/(?<=\W)|(?=\W)/)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(words.length - 1), { maxLength: 120 }), async (picks) => {
        wellFormed(await factsOf(language, picks.map((p) => words[p]!).join("")))
      }),
      { numRuns: 25, seed: 7 }
    )
  })

  it("reads arbitrary characters", async () => {
    await fc.assert(
      fc.asyncProperty(characters, async (text) => {
        wellFormed(await factsOf(language, text))
      }),
      { numRuns: 25, seed: 11 }
    )
  })

  it("survives deep nesting, or gives up on it", async () => {
    const deep = 50_000
    for (const text of [
      "(".repeat(deep) + ")".repeat(deep),
      `x = ${"(".repeat(2_000)}1${")".repeat(2_000)};`,
      `a${".b()".repeat(5_000)};`
    ]) {
      try {
        wellFormed(await factsOf(language, text))
      } catch (e) {
        if (!(e instanceof ParseAbandoned)) throw e
      }
    }
  }, 60_000)
})
