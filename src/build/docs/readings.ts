/** What extractors yield for sample files. */
import { readdirSync, readFileSync } from "node:fs"
import { basename, extname, join, relative, sep } from "node:path"
import { describeFacts, type FactsDescription } from "../../engine/languages/describe.ts"
import { FactsBuilder } from "../../engine/languages/FactsBuilder.ts"
import { Interner } from "../../engine/languages/Interner.ts"
import type { Language } from "../../engine/languages/Language.ts"
import { Source } from "../../engine/languages/Source.ts"

export interface Sample {
  /** Path below the folder it was found in, with `/`. */
  readonly path: string
  readonly bytes: Uint8Array
}

/** Whether a language reads files of this name. */
export const reads = (language: Language, path: string): boolean =>
  language.extensions.includes(extname(path)) || (language.filenames ?? []).includes(basename(path))

/** The files below some folders, in order of their paths; a folder that is not there has none. */
export const filesBelow = (folders: ReadonlyArray<string>): ReadonlyArray<{ path: string; file: string }> =>
  folders.flatMap((folder) => {
    let entries
    try {
      entries = readdirSync(folder, { recursive: true, withFileTypes: true })
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === "ENOENT") return []
      throw cause
    }
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => {
        const file = join(entry.parentPath, entry.name)
        return { path: relative(folder, file).split(sep).join("/"), file }
      })
      .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
  })

/** Ending of a sample's file that keeps it from compilers and test runners; no part of its path. */
const kept = ".txt"

/** The samples of a language: files it reads in the folders named after it. */
export const samplesOf = (language: Language, folders: ReadonlyArray<string>): ReadonlyArray<Sample> =>
  filesBelow(folders.map((folder) => join(folder, language.id)))
    .map(({ file, path }) => ({ file, path: path.endsWith(kept) ? path.slice(0, -kept.length) : path }))
    .filter(({ path }) => reads(language, path))
    .map(({ file, path }) => ({ path, bytes: readFileSync(file) }))

/** Reads one sample with a language's extractor. Line ends are brought to line feeds first. */
export const factsOf = async (language: Language, sample: Sample): Promise<FactsDescription> => {
  const text = new TextDecoder().decode(sample.bytes).replaceAll("\r\n", "\n")
  const bytes = new TextEncoder().encode(text)
  const interner = new Interner()
  const builder = new FactsBuilder(interner)
  const extract = await language.load()
  const source =
    language.reads === "bytes" ? Source.bytes(sample.path, bytes) : Source.text(sample.path, bytes, text)
  builder.begin(source, { hoisting: language.hoisting })
  extract(builder)
  builder.end()
  return describeFacts(builder.last(), (id) => interner.text(id))
}

/** What was seen in the samples of one language. Lists hold words of the vocabulary, in its order. */
export interface Reading {
  readonly samples: number
  readonly kinds: ReadonlyArray<string>
  readonly roles: ReadonlyArray<string>
  /** Some import says which name it takes, or which module. */
  readonly imports: boolean
  readonly inherits: ReadonlyArray<string>
  /** Some definition has a declared or inferred type. */
  readonly types: boolean
  /** Some reference is a member of a receiver whose expression is known. */
  readonly receivers: boolean
  readonly tests: boolean
  readonly docs: boolean
}

const inOrder = (words: Iterable<string>, order: ReadonlyArray<string>): ReadonlyArray<string> => {
  const seen = new Set(words)
  return order.filter((word) => seen.has(word))
}

const hows = ["extends", "implements", "embeds", "mixes"]

/** Sums up what extraction yielded for a language's samples. */
export const readingOf = (
  all: ReadonlyArray<FactsDescription>,
  vocabulary: { readonly kinds: ReadonlyArray<string>; readonly roles: ReadonlyArray<string> }
): Reading => {
  const definitions = all.flatMap((facts) => facts.definitions)
  const references = all.flatMap((facts) => facts.references)
  return {
    samples: all.length,
    kinds: inOrder(
      definitions.map(({ kind }) => kind),
      vocabulary.kinds
    ),
    roles: inOrder(
      references.map(({ role }) => role),
      vocabulary.roles
    ),
    imports: all.some((facts) => facts.imports.length > 0),
    inherits: inOrder(
      all.flatMap((facts) => facts.inherits.map(({ how }) => how)),
      hows
    ),
    types: definitions.some(({ type }) => type !== undefined && type !== "?"),
    receivers: references.some(({ bind }) => bind.startsWith("of ") && bind !== "of ?"),
    tests: definitions.some(({ flags, kind }) => kind === "test" || flags.includes("test")),
    docs: definitions.some(({ doc }) => doc !== "")
  }
}
