/** What is told of a definition. Most who ask for it want a word or two, so each is worked out when it is asked for. */
import type { SymbolInfo, SymbolRef } from "../../services/CodeGraph.ts"
import { cleanDoc } from "../languages/Doc.ts"
import { D, type FactsView, H } from "../languages/Facts.ts"
import { languages } from "../languages/index.ts"
import { definitionKinds, Flag } from "../languages/Vocabulary.ts"
import { FileFlag, type FileEntry } from "./Snapshot.ts"
import { definitionOf } from "./World.ts"

const flagNames: ReadonlyArray<readonly [string, number]> = [
  ["exported", Flag.exported],
  ["default_export", Flag.defaultExport],
  ["async", Flag.async],
  ["static", Flag.static],
  ["abstract", Flag.abstract],
  ["local", Flag.local],
  ["test", Flag.test],
  ["private", Flag.private],
  ["protected", Flag.protected],
  ["declaration", Flag.declaration],
  ["generator", Flag.generator],
  ["readonly", Flag.readonly],
  ["getter", Flag.getter],
  ["setter", Flag.setter],
  ["deprecated", Flag.deprecated],
  ["optional", Flag.optional],
  ["override", Flag.override]
]

/** By flags, their names: there are few combinations. */
const flagWords = new Map<number, ReadonlyArray<string>>()
const wordsOf = (flags: number): ReadonlyArray<string> => {
  let words = flagWords.get(flags)
  if (words === undefined) {
    words = flagNames.flatMap(([name, bit]) => ((flags & bit) !== 0 ? [name] : []))
    flagWords.set(flags, words)
  }
  return words
}

/** Words that need more than a definition's own file. */
export interface Words {
  readonly text: (name: number) => string
  readonly qualified: (view: FactsView, definition: number) => string
  readonly id: (file: FileEntry, definition: number, qualified: string) => string
  readonly test: (file: FileEntry, view: FactsView, definition: number) => boolean
}

/** A span that ends at the start of a line ends with the line before. */
export const endLineOf = (view: FactsView, i: number): number => {
  const end = view.def(i, D.endLine)
  return view.def(i, D.endColumn) === 0 && end > view.def(i, D.startLine) ? end - 1 : end
}

/** A definition inside a file. */
class Described implements SymbolInfo {
  private readonly view: FactsView
  private readonly at: number
  private qualifiedName: string | undefined
  private wholeId: string | undefined

  constructor(
    readonly ref: SymbolRef,
    private readonly file: FileEntry,
    private readonly words: Words
  ) {
    this.view = file.view!
    this.at = definitionOf(ref)
  }

  get id() {
    return (this.wholeId ??= this.words.id(this.file, this.at, this.qualified))
  }
  get kind() {
    return definitionKinds[this.view.def(this.at, D.kind)]!
  }
  get name() {
    return this.words.text(this.view.def(this.at, D.name))
  }
  get qualified() {
    return (this.qualifiedName ??= this.words.qualified(this.view, this.at))
  }
  get path() {
    return this.file.path
  }
  get language() {
    return languages[this.file.language]?.id ?? ""
  }
  get line() {
    return this.view.def(this.at, D.nameLine)
  }
  get column() {
    return this.view.def(this.at, D.nameColumn)
  }
  get start_line() {
    return this.view.def(this.at, D.startLine)
  }
  get end_line() {
    return endLineOf(this.view, this.at)
  }
  get start_column() {
    return this.view.def(this.at, D.startColumn)
  }
  get end_column() {
    return this.view.def(this.at, D.endColumn)
  }
  get body_line() {
    const body = this.view.def(this.at, D.bodyLine)
    return body === 0 ? undefined : body
  }
  get signature() {
    return this.view.signature(this.at)
  }
  get doc() {
    return cleanDoc(this.view.doc(this.at))
  }
  get flags() {
    return wordsOf(this.view.def(this.at, D.flags))
  }
  get test() {
    return this.words.test(this.file, this.view, this.at)
  }
  get complexity() {
    return this.view.def(this.at, D.complexity)
  }
}

/** What is told of a definition, or of a file as one. */
export const described = (ref: SymbolRef, file: FileEntry, words: Words): SymbolInfo => {
  if (definitionOf(ref) >= 0) return new Described(ref, file, words)
  const { path, view } = file
  return {
    ref,
    id: path,
    kind: "file",
    name: path.slice(path.lastIndexOf("/") + 1),
    qualified: path,
    path,
    language: languages[file.language]?.id ?? "",
    line: 1,
    column: 0,
    start_line: 1,
    end_line: view === undefined ? 0 : view.ints[view.at + H.lines]!,
    start_column: 0,
    end_column: 0,
    body_line: undefined,
    signature: path,
    doc: "",
    flags: [],
    test: (file.flags & FileFlag.test) !== 0,
    complexity: 0
  }
}
