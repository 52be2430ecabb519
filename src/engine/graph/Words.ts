/**
 * Which files may use a word: what a change of a name's meaning can reach. Kept for all snapshots that share their
 * names: files that changed since it was made are answered for every word, until there are so many that it is made
 * anew.
 */
import { D, E, type FactsView, H, I, R, X } from "../languages/Facts.ts"
import type { Interner } from "../languages/Interner.ts"
import type { Family } from "../languages/Language.ts"
import { languages } from "../languages/index.ts"
import { ImportFlag, Op } from "../languages/Vocabulary.ts"
import type { FileEntry } from "./Snapshot.ts"

/** Families whose import paths are made of names that are looked up one by one. */
export const pathsOfNames: ReadonlySet<Family> = new Set<Family>([
  "python",
  "rust",
  "jvm",
  "csharp",
  "php",
  "swift"
])

const segments = new WeakMap<Interner, Map<number, ReadonlyArray<number>>>()
/** The words of a module's path. */
export const segmentsOf = (names: Interner, module: number): ReadonlyArray<number> => {
  let table = segments.get(names)
  if (table === undefined) segments.set(names, (table = new Map()))
  let words = table.get(module)
  if (words === undefined) {
    words = names
      .text(module)
      .split(/[.:/\\]+/)
      .filter((part) => part !== "")
      .map((part) => names.string(part))
    table.set(module, words)
  }
  return words
}

type Files = ReadonlyArray<FileEntry | undefined>

/** Every word that what a file says, or how others see it, is written with. More than those do no harm. */
const eachWord = (
  view: FactsView,
  family: Family,
  names: Interner,
  defaultName: number,
  visit: (word: number) => void
): void => {
  const { ints } = view
  for (let i = 0, p = view.definitions + D.name, n = view.definitionCount; i < n; i++, p += D.size)
    visit(ints[p]!)
  const refs = view.glance()
  for (let i = 0, p = view.references + R.name, n = view.referenceCount; i < n; i++, p += R.size)
    visit(refs[p]!)
  for (let i = 0, p = view.expressions, n = ints[view.at + H.expressions]!; i < n; i++, p += X.size) {
    switch (ints[p + X.op]) {
      case Op.name:
        visit(ints[p + X.a]!)
        break
      case Op.member:
      case Op.property:
      case Op.typeParameter:
        visit(ints[p + X.b]!)
    }
  }
  for (let i = 0, n = view.importCount; i < n; i++) {
    const imported = view.import(i, I.imported)
    visit(imported)
    visit(view.import(i, I.local))
    if (family === "ecmascript" && (imported === 0 || (view.import(i, I.flags) & ImportFlag.default) !== 0))
      visit(defaultName)
    if (pathsOfNames.has(family)) segmentsOf(names, view.import(i, I.module)).forEach(visit)
  }
  for (let i = 0, n = view.exportCount; i < n; i++) {
    visit(view.export(i, E.exported))
    visit(view.export(i, E.local))
    visit(view.export(i, E.imported))
  }
}

/** So many files may have changed before the index is made anew. */
const mostChanged = 64

class Base {
  readonly views: ReadonlyArray<FactsView | undefined>
  readonly starts: Int32Array
  readonly users: Uint16Array | Int32Array

  constructor(files: Files, names: Interner) {
    this.views = files.map((f) => f?.view)
    const defaultName = names.string("default")
    let stamps = new Int32Array(names.size + 1024)
    let words = new Int32Array(1 << 16)
    const ends = new Int32Array(files.length)
    let count = 0
    const grown = (old: Int32Array<ArrayBuffer>, length: number) => {
      const more = new Int32Array(length)
      more.set(old)
      return more
    }
    files.forEach((file, id) => {
      if (file?.view !== undefined) {
        eachWord(file.view, languages[file.language]?.family ?? "none", names, defaultName, (word) => {
          if (word >= stamps.length) stamps = grown(stamps, word + (word >> 2))
          if (stamps[word] === id + 1) return
          stamps[word] = id + 1
          if (count === words.length) words = grown(words, count * 2)
          words[count++] = word
        })
      }
      ends[id] = count
    })
    const starts = (this.starts = new Int32Array(names.size + 2))
    for (let i = 0; i < count; i++) starts[words[i]! + 2]!++
    for (let i = 1; i < starts.length; i++) starts[i]! += starts[i - 1]!
    const users = (this.users = files.length < 1 << 16 ? new Uint16Array(count) : new Int32Array(count))
    for (let id = 0, i = 0; id < ends.length; id++)
      for (; i < ends[id]!; i++) users[starts[words[i]! + 1]!++] = id
  }
}
const bases = new WeakMap<Interner, Base>()

export class Words {
  /** Ids of files that are not as the index knows them; they may use any word. */
  readonly changed: ReadonlyArray<number>

  private constructor(
    private readonly base: Base,
    changed: ReadonlyArray<number>
  ) {
    this.changed = changed
  }

  /** For these files, if it need not be made. */
  static known(files: Files, names: Interner): Words | undefined {
    const base = bases.get(names)
    if (base === undefined) return undefined
    const changed: Array<number> = []
    for (let id = 0; id < files.length && changed.length <= mostChanged; id++) {
      const view = files[id]?.view
      if (view !== undefined && view !== base.views[id]) changed.push(id)
    }
    return changed.length <= mostChanged ? new Words(base, changed) : undefined
  }

  /** For these files, which are a state of the snapshots that share the names. */
  static of(files: Files, names: Interner): Words {
    const known = Words.known(files, names)
    if (known !== undefined) return known
    const base = new Base(files, names)
    bases.set(names, base)
    return new Words(base, [])
  }

  /** Ids of all files that may use the word, ascending. */
  files(word: number): ReadonlyArray<number> {
    const out: Array<number> = [...this.changed]
    this.each(word, (file) => out.push(file))
    return [...new Set(out)].sort((a, b) => a - b)
  }
  /** Ids of files that used the word when the index was made. */
  each(word: number, visit: (file: number) => void): void {
    const { starts, users } = this.base
    if (word + 1 >= starts.length) return
    for (let i = starts[word]!, end = starts[word + 1]!; i < end; i++) visit(users[i]!)
  }
}
