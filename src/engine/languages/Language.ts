/**
 * A language: how its files are recognised, how their facts are read, and by which rules its names find their
 * definitions. One folder per language holds all of it.
 */
import type { FactsBuilder } from "./FactsBuilder.ts"

/** How deep a language is understood. `references`: definitions, references, imports, inheritance; `outline`: definitions only. */
export type Depth = "references" | "outline"

/** The rules by which modules and names of other files are found; languages that share files share one family. */
export type Family =
  | "ecmascript"
  | "python"
  | "go"
  | "rust"
  | "jvm"
  | "csharp"
  | "php"
  | "c"
  | "ruby"
  | "swift"
  | "lua"
  | "shell"
  | "none"

/**
 * Reads one file into the builder. The builder is open and empty, its source is set; the extractor calls neither
 * `begin` nor `end`. It may throw: the file is then recorded as failed and no other file is affected.
 */
export type Extract = (builder: FactsBuilder) => void

export interface Language {
  /** Lower-case identifier shown to users, such as "typescript". */
  readonly id: string
  readonly label: string
  readonly extensions: ReadonlyArray<string>
  /** Whole file names, such as "Dockerfile". */
  readonly filenames?: ReadonlyArray<string>
  /** Program names after `#!`, for files without an extension. */
  readonly interpreters?: ReadonlyArray<string>
  readonly depth: Depth
  readonly family: Family
  /** What its parser reads: UTF-8 bytes or a string. */
  readonly reads: "bytes" | "text"
  readonly hoisting: boolean
  /** Members of a class are visible inside it by bare name, inherited ones included. */
  readonly implicitThis?: boolean
  /** Calling a class makes an instance. */
  readonly callMakesInstance?: boolean
  /** Its parser finds an error in a file wherever its grammar does. */
  readonly thorough?: boolean
  /** Prepares the parser in a worker (grammars are loaded once) and returns the extractor. */
  readonly load: () => Promise<Extract>
  /** Package and file of the tree-sitter grammar, for structural search and as oracle in tests. */
  readonly grammar?: { readonly package: string; readonly file: string }
}
