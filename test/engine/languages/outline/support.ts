import type { Language } from "../../../../src/engine/languages/Language.ts"
import { factsOf } from "../support.ts"

/** What an outline shows of each definition: kind, qualified name, first and last line. */
export const outlineOf = async (language: Language, text: string, path?: string) =>
  (await factsOf(language, text, path)).definitions.map((d) => {
    const [from, to] = d.span.split("-")
    return `${d.kind} ${d.qualified} ${from!.split(":")[0]}-${to!.split(":")[0]}`
  })
