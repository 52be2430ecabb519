import { describeFacts } from "../../../src/engine/languages/describe.ts"
import { FactsBuilder } from "../../../src/engine/languages/FactsBuilder.ts"
import { Interner } from "../../../src/engine/languages/Interner.ts"
import type { Language } from "../../../src/engine/languages/Language.ts"
import { Source } from "../../../src/engine/languages/Source.ts"

/** Reads one text with a language and describes its facts. */
export const factsOf = async (
  language: Language,
  text: string,
  path = `sample${language.extensions[0] ?? ""}`
) => {
  const interner = new Interner()
  const builder = new FactsBuilder(interner, false)
  const extract = await language.load()
  const bytes = new TextEncoder().encode(text)
  builder.begin(language.reads === "bytes" ? Source.bytes(path, bytes) : Source.text(path, bytes, text), {
    hoisting: language.hoisting
  })
  extract(builder)
  builder.end()
  return describeFacts(builder.last(), (id) => interner.text(id))
}
