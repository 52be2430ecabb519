/** An extractor reads one file after another; what it read before, whole or broken, says nothing of the next. */
import * as FastCheck from "effect/FastCheck"
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "vitest"
import { bash } from "../../../src/engine/languages/bash/index.ts"
import { describeFacts } from "../../../src/engine/languages/describe.ts"
import { FactsBuilder } from "../../../src/engine/languages/FactsBuilder.ts"
import { go } from "../../../src/engine/languages/go/index.ts"
import { Interner } from "../../../src/engine/languages/Interner.ts"
import { javascript } from "../../../src/engine/languages/javascript/index.ts"
import type { Extract, Language } from "../../../src/engine/languages/Language.ts"
import { python } from "../../../src/engine/languages/python/index.ts"
import { rust } from "../../../src/engine/languages/rust/index.ts"
import { Source } from "../../../src/engine/languages/Source.ts"
import { tsx, typescript } from "../../../src/engine/languages/typescript/index.ts"

const encoder = new TextEncoder()

/** Reads texts one after another with the same builder and extractor; gives what is known of the last. */
const lastOf = (language: Language, extract: Extract, texts: ReadonlyArray<string>): string => {
  const interner = new Interner()
  const builder = new FactsBuilder(interner, false)
  for (const text of texts) {
    const bytes = encoder.encode(text)
    const path = `sample${language.extensions[0]!}`
    builder.begin(language.reads === "bytes" ? Source.bytes(path, bytes) : Source.text(path, bytes, text), {
      hoisting: language.hoisting
    })
    extract(builder)
    builder.end()
  }
  return JSON.stringify(describeFacts(builder.last(), (id) => interner.text(id)))
}

const root = join(dirname(fileURLToPath(import.meta.url)), "../../..")
const textsBelow = (folder: string, ending: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(ending))
    .sort()
    .map((path) => readFileSync(join(root, folder, path), "utf8"))

const scripts = textsBelow("src/engine/languages/ecmascript", ".ts")
const samples: ReadonlyArray<readonly [Language, ReadonlyArray<string>]> = [
  [typescript, scripts],
  [tsx, scripts],
  [javascript, textsBelow("test/fixtures", ".js")],
  [go, [...textsBelow("test/fixtures", ".go"), ...textsBelow("test/eval", ".go")]],
  [python, textsBelow("test/fixtures", ".py")],
  [rust, textsBelow("test/fixtures", ".rs")],
  [bash, textsBelow("test/engine/languages/bash", ".sh")]
]

describe("a file read after others", () => {
  it("takes no parameters from a function type of the one before", async () => {
    const extract = await typescript.load()
    // The type has the number of the function type in one of these.
    for (const first of ["type F = (a: A) => B", "type F = { a: (b: B) => C }"])
      for (const type of ["Map<A, B>", "A | B", "[A, B]", "{ a: B }"])
        for (let before = 0; before < 6; before++) {
          const second = `${"type X = Y\n".repeat(before)}type M = ${type}`
          assert.notInclude(lastOf(typescript, extract, [first, second]), "takes", second)
        }
  })

  for (const [language, texts] of samples)
    it(`is known as if it were the first in ${language.label}`, async () => {
      const extract = await language.load()
      /** A text with a part of it gone. */
      const cut = FastCheck.tuple(
        FastCheck.nat(texts.length - 1),
        FastCheck.double({ min: 0, max: 1, noNaN: true }),
        FastCheck.double({ min: 0, max: 1, noNaN: true })
      ).map(([which, a, b]) => {
        const text = texts[which]!
        return text.slice(0, Math.floor(a * text.length)) + text.slice(Math.floor(b * text.length))
      })
      const fresh = await Promise.all(
        texts.map(async (text) => lastOf(language, await language.load(), [text]))
      )
      FastCheck.assert(
        FastCheck.property(cut, FastCheck.nat(texts.length - 1), (broken, which) => {
          assert.strictEqual(lastOf(language, extract, [broken, texts[which]!]), fresh[which])
        }),
        { numRuns: 25, seed: 3 }
      )
    })
})
