/** What ties a text to the file, folder or package that it stands in. */
import type { ImportLanguage } from "./Imports.ts"
import { partsOf, whereIs } from "./Lexical.ts"
import { pythonRebased, rebased } from "./Specifier.ts"

export interface Tie {
  readonly reason: string
  /** What of the text ties it. */
  readonly word: string
}

const folder = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1)

const inCode = (text: string, language: string, pattern: RegExp): string | undefined => {
  const parts = partsOf(text, language)
  for (const match of text.matchAll(pattern)) if (whereIs(parts, match.index) === "code") return match[0]
  return undefined
}

/** Why a text would mean something else in another place; undefined when nothing of it says so. */
export const tieOf = (language: ImportLanguage, text: string, from: string, to: string): Tie | undefined => {
  const stays = folder(from) === folder(to)
  const tie = (reason: string, word: string | undefined): Tie | undefined =>
    word === undefined ? undefined : { reason, word }
  if (language === "go")
    return (
      (stays ? undefined : tie("embeds_files", /^\/\/go:embed\b.*/m.exec(text)?.[0])) ??
      (stays ? undefined : tie("bound_to_package", /^\/\/go:linkname\b.*/m.exec(text)?.[0])) ??
      tie(
        "uses_cgo",
        /^\/\/export\s.*/m.exec(text)?.[0] ?? inCode(text, "go", /(?<![\p{ID_Continue}.])C\.\w+/gu)
      )
    )
  if (language === "python") {
    const bare = stays
      ? text.replaceAll(
          /(?:\bdirname\(\s*(?:os\.path\.abspath\(\s*)?|\bPath\(\s*)__file__(?=[\s)]*(?:\.resolve\(\))?(?:\.parent\b|\)|$))/g,
          ""
        )
      : text
    return tie(
      "bound_to_file",
      inCode(bare, "python", /(?<![\p{ID_Continue}.])__(?:file|name|package|spec|path)__/gu)
    )
  }
  return (
    tie(
      "bound_to_file",
      inCode(
        stays
          ? text.replaceAll(
              /new URL\(\s*(["'])\.[^"']*\1\s*,\s*import\.meta\.url\s*\)|import\.meta\.dirname\b/g,
              ""
            )
          : text,
        "typescript",
        /(?<![\p{ID_Continue}$.])(?:__filename|import\.meta)(?![\p{ID_Continue}$])/gu
      )
    ) ??
    (stays
      ? undefined
      : tie(
          "bound_to_file",
          inCode(text, "typescript", /(?<![\p{ID_Continue}$.])__dirname(?![\p{ID_Continue}$])/gu)
        ))
  )
}

/** A text with the modules that it names itself, as by `import()`, `require()` or an import within a function, said from another file. */
export const rebasedWithin = (language: ImportLanguage, text: string, from: string, to: string): string => {
  if (language === "go" || folder(from) === folder(to)) return text
  const parts = partsOf(text, language === "python" ? "python" : "typescript")
  if (language === "python")
    return text.replaceAll(
      /^([ \t]+from[ \t]+)(\.+[\w.]*)(?=[ \t]+import\b)/gm,
      (whole, head: string, module: string, at: number) =>
        whereIs(parts, at) === "code" ? head + pythonRebased(module, from, to) : whole
    )
  return text.replaceAll(
    /(\b(?:import|require|require\.resolve|mock|unmock|doMock|importActual|requireActual)\s*\(\s*)(["'])(\.[^"'\n]*)\2/g,
    (whole, head: string, quote: string, module: string, at: number) =>
      whereIs(parts, at) === "code" ? `${head}${quote}${rebased(module, from, to)}${quote}` : whole
  )
}
