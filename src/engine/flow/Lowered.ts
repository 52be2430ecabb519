/** Texts lowered to their intermediate form, with grammars that are loaded once. */
import { languages } from "../languages/index.ts"
import { Grammar, parseLimits, type Stretch } from "../languages/treesitter/Grammar.ts"
import { type FileIr, linesOf } from "./Ir.ts"
import { flowLanguages } from "./languages/index.ts"
import { type Language, Lower } from "./Lower.ts"

const tables = new Map<string, Language>(flowLanguages.flatMap((l) => l.ids.map((id) => [id, l] as const)))

/** Ids of the languages that can be lowered, sorted. */
export const lowerable: ReadonlyArray<string> = [...tables.keys()].sort()
export const isLowerable = (language: string | undefined): boolean =>
  language !== undefined && tables.has(language)

const grammars = new Map<string, Promise<Grammar>>()
const grammarOf = (id: string, table: Language): Promise<Grammar> | undefined => {
  const file = languages.find((l) => l.id === id)?.grammar
  if (file === undefined) return undefined
  const key = `${file.package}/${file.file}`
  let loading = grammars.get(key)
  if (loading === undefined) grammars.set(key, (loading = Grammar.load(file, table.probe)))
  return loading
}

export interface Lowering {
  /** Lowers a text; throws {@link import("../languages/treesitter/Grammar.ts").ParseAbandoned} when it is too long or takes too long. */
  readonly lower: (path: string, text: string) => FileIr
  /** Lowers parts of a text as if nothing else were in it, or without any all of it; `lines` are where its lines start. */
  readonly lowerParts: (
    path: string,
    text: string,
    parts: ReadonlyArray<Stretch> | undefined,
    lines: Int32Array
  ) => FileIr
}

/** The lowering of a language; undefined when there is none. Rejects when its grammar is not installed. */
export const loweringOf = (id: string): Promise<Lowering> | undefined => {
  const table = tables.get(id)
  const loading = table === undefined ? undefined : grammarOf(id, table)
  if (table === undefined || loading === undefined) return undefined
  return loading.then((grammar) => {
    const lowerParts: Lowering["lowerParts"] = (path, text, parts, lines) =>
      new Lower(
        (text.length > parseLimits.length ? undefined : table.read?.(text, parts)) ??
          grammar.parse(path, text, parseLimits, parts),
        text,
        table
      ).run(id, lines)
    return { lower: (path, text) => lowerParts(path, text, undefined, linesOf(text)), lowerParts }
  })
}
