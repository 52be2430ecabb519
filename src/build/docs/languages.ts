/** docs/languages.md: every language, and what its extractor was seen to yield. */
import type { Language } from "../../engine/languages/Language.ts"
import { definitionKinds, roles } from "../../engine/languages/Vocabulary.ts"
import { code, codes, table } from "./markdown.ts"
import { markdownPage, type Page } from "./Page.ts"
import { factsOf, type Reading, readingOf, samplesOf } from "./readings.ts"

const yes = (value: boolean): string => (value ? "yes" : "")

const files = ({ extensions, filenames = [], interpreters = [] }: Language): string =>
  [
    codes(extensions),
    ...(filenames.length === 0 ? [] : [codes(filenames)]),
    ...(interpreters.length === 0 ? [] : [`after ${code("#!")}: ${codes(interpreters)}`])
  ].join("; ")

/** The reading of each language, from its samples below the folders. */
export const readings = async (
  languages: ReadonlyArray<Language>,
  folders: ReadonlyArray<string>
): Promise<ReadonlyMap<string, Reading>> => {
  const found = new Map<string, Reading>()
  for (const language of languages) {
    const all = []
    for (const sample of samplesOf(language, folders)) all.push(await factsOf(language, sample))
    found.set(language.id, readingOf(all, { kinds: definitionKinds, roles }))
  }
  return found
}

export const languagesPage = (
  languages: ReadonlyArray<Language>,
  seen: ReadonlyMap<string, Reading>
): Page => {
  const deep = languages.filter(({ depth }) => depth === "references")
  const outlines = languages.filter(({ depth }) => depth === "outline")
  const reading = ({ id }: Language): Reading => {
    const found = seen.get(id)
    if (found === undefined || found.samples === 0) throw new Error(`no sample of ${id} was read`)
    return found
  }
  return markdownPage(
    "docs/languages.md",
    "Languages",
    [
      `${languages.length} languages: ${deep.length} are read with references, ${outlines.length} as outlines.`,
      "A file of another language is indexed for text search and file names only."
    ],
    [
      "The columns of the second and third table are not claims. They are what the extractor yielded when it read the sample",
      "files of the language in this repository; an empty cell means that it yielded none of that there."
    ],
    ["## Files"],
    table(
      ["language", "id", "files", "depth", "family", "grammar"],
      languages.map((language) => [
        language.label,
        code(language.id),
        files(language),
        language.depth,
        language.family === "none" ? "" : language.family,
        language.grammar === undefined ? "" : code(language.grammar.package)
      ])
    ),
    [
      "Languages of one family resolve each other's names by the same rules. A grammar serves syntax search; where the",
      "extractor is not hand-written it reads the grammar's tree as well."
    ],
    ["## Read with references"],
    table(
      [
        "language",
        "definitions",
        "references by role",
        "imports",
        "inheritance",
        "types",
        "receivers",
        "tests",
        "docs"
      ],
      deep.map((language) => {
        const it = reading(language)
        return [
          code(language.id),
          it.kinds.join(", "),
          it.roles.join(", "),
          yes(it.imports),
          it.inherits.join(", "),
          yes(it.types),
          yes(it.receivers),
          yes(it.tests),
          yes(it.docs)
        ]
      })
    ),
    [
      "*Types*: a definition has a declared or inferred type. *Receivers*: for `a.b`, what `a` is written as is kept, so that",
      "`b` can be looked up in its type. *Tests*: test functions are told from others. *Docs*: documentation comments."
    ],
    ["## Read as outlines"],
    table(
      ["language", "definitions", "docs"],
      outlines.map((language) => {
        const it = reading(language)
        return [code(language.id), it.kinds.join(", "), yes(it.docs)]
      })
    )
  )
}
