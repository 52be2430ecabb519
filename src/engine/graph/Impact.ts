/**
 * How far a change reaches: which files' names may mean something else now. The answer may name too many files, never
 * too few.
 *
 * A file's names mean what the words it uses lead to: a word names a definition, whose type is written in other words,
 * and so on. So the words that a change touches are spread along definitions, imports, exports and super types whose
 * own meaning is written with them, until no more join; a file that uses none of them is as before. What no word says
 * (a file that comes or goes, a package that is renamed, a star export) makes its whole family of languages doubtful.
 */
import { D, E, type FactsView, H, I, N, R, X } from "../languages/Facts.ts"
import type { Interner } from "../languages/Interner.ts"
import type { Family } from "../languages/Language.ts"
import { languages } from "../languages/index.ts"
import { operandsOf } from "../languages/Operands.ts"
import { Bind, Flag, ImportFlag, kindNumber, Op } from "../languages/Vocabulary.ts"
import { Likeness } from "./Likeness.ts"
import type { FileEntry, Snapshot } from "./Snapshot.ts"
import { pathsOfNames, segmentsOf, Words } from "./Words.ts"
import { baseOf } from "./World.ts"

export interface Impact {
  /** Files to look up again; undefined for all. */
  readonly dirty: Set<number> | undefined
  /** Definitions that only got another index, per changed file: old index to new, -1 for those that are gone. */
  readonly moved: ReadonlyMap<number, Int32Array>
  /** Files to look up again of which nothing but themselves has changed; none where anything else has. */
  readonly alike: ReadonlyMap<number, Likeness>
  /** Base names of files that came or went: a configuration file that mentions one makes everything doubtful. */
  readonly bases: ReadonlyArray<string>
}

/** Expressions nested deeper than this, counted from what is known already, are taken to have changed. */
const depthLimit = 200

/** What iterating, awaiting, calling and constructing look up. */
const unnamedMembers = [
  "[Symbol.iterator]",
  "[Symbol.asyncIterator]",
  "next",
  "then",
  "constructor",
  "(call)"
]

type Files = ReadonlyArray<FileEntry | undefined>

const families: ReadonlyArray<Family> = [...new Set(languages.map((l) => l.family))].filter(
  (f) => f !== "none"
)
const allBits = (1 << families.length) - 1
/** The bit of a family; files of no family can be looked into by all. */
const bitOf = (family: Family): number => (family === "none" ? allBits : 1 << families.indexOf(family))
const familyOf = (file: FileEntry): Family => languages[file.language]?.family ?? "none"

/** Families where a changed import list matters to the file's own names only. */
const privateImports: ReadonlySet<Family> = new Set<Family>([
  "go",
  "jvm",
  "csharp",
  "php",
  "swift",
  "ruby",
  "lua",
  "shell"
])

export const impactOf = (
  previous: Snapshot,
  entries: ReadonlyArray<FileEntry>,
  removed: ReadonlyArray<number>,
  files: Files,
  names: Interner
): Impact => {
  const reach = new Reach(files, names)
  for (const id of removed) {
    const old = previous.files[id]
    if (old !== undefined && files[id] === undefined) reach.membership(old)
  }
  for (const entry of entries) {
    const old = previous.files[entry.id]
    if (
      old !== undefined &&
      old.path === entry.path &&
      old.view === entry.view &&
      old.language === entry.language
    )
      continue
    reach.dirty.add(entry.id)
    if (
      old?.view !== undefined &&
      entry.view !== undefined &&
      old.path === entry.path &&
      old.language === entry.language
    ) {
      reach.edit(entry, old.view, entry.view)
    } else {
      if (old !== undefined) reach.membership(old)
      reach.membership(entry)
    }
  }
  reach.spread()
  for (const [id, map] of reach.moved) {
    // Whatever pointed at a definition that is gone looks again, by whichever way it got there.
    for (let i = 0; i < map.length; i++) {
      if (map[i]! < 0) previous.incoming.each(id, i, (source) => reach.dirty.add(source))
    }
  }
  for (const id of reach.dirty) if (files[id]?.view === undefined) reach.dirty.delete(id)
  return {
    dirty: reach.dirty,
    moved: reach.moved,
    alike: reach.isQuiet ? reach.alike : new Map(),
    bases: reach.bases
  }
}

class Reach {
  readonly dirty = new Set<number>()
  readonly moved = new Map<number, Int32Array>()
  readonly alike = new Map<number, Likeness>()
  readonly bases: Array<string> = []
  /** Families that are looked up again as a whole. */
  private wide = 0
  /** Per word the families in which it may mean something else. */
  private flags: Uint16Array
  /** Words with any flag, in the order they got one; those from `spreadFrom` on have not been followed yet. */
  private readonly words: Array<number> = []
  /** Names of members that came, went or changed: a lone name match may have become one, or none. */
  private readonly members = new Set<number>()
  private readonly defaultName: number
  /** Members of ECMAScript that are looked up where their type is used, without being named there. */
  private readonly unnamed: ReadonlySet<number>

  constructor(
    readonly files: Files,
    readonly names: Interner
  ) {
    this.defaultName = names.string("default")
    this.unnamed = new Set(unnamedMembers.map((name) => names.string(name)))
    this.flags = new Uint16Array(names.size)
  }

  /** Whether every file to look up again is like what it was. */
  get isQuiet(): boolean {
    return this.bases.length === 0 && [...this.dirty].every((id) => this.alike.has(id))
  }

  private flag(word: number, bits: number): boolean {
    if (word === 0 || word >= this.flags.length || (this.flags[word]! & bits) === bits) return false
    this.flags[word]! |= bits
    this.words.push(word)
    return true
  }
  private widen(family: Family): void {
    this.wide |= bitOf(family)
  }

  /** A file came or went. */
  membership(file: FileEntry): void {
    if (file.view === undefined) return
    const family = familyOf(file)
    if (family !== "none") this.widen(family)
    // Components are found by their bare names.
    if (/\.(?:vue|svelte)$/.test(file.path)) this.widen("ecmascript")
    this.bases.push(baseOf(file.path))
    for (let i = 0; i < file.view.definitionCount; i++) this.members.add(file.view.def(i, D.name))
    if (family === "none")
      for (let i = 0; i < file.view.definitionCount; i++) this.flag(file.view.def(i, D.name), allBits)
  }

  /** A file was edited in place. */
  edit(file: FileEntry, old: FactsView, now: FactsView): void {
    const likeness = Likeness.of(old, now)
    if (likeness !== undefined) {
      this.alike.set(file.id, likeness)
      return
    }
    const family = familyOf(file)
    const bits = bitOf(family)
    const shapes = new Shapes(this.names)
    const before = shapes.of(old)
    const after = shapes.of(now)
    if (old.package !== now.package) this.widen(family)

    const change = (view: FactsView, i: number) => {
      const name = view.def(i, D.name)
      const kind = view.def(i, D.kind)
      this.members.add(name)
      if (view.def(i, D.owner) < 0 && (view.def(i, D.flags) & Flag.local) !== 0) return
      this.flag(name, bits)
      if ((view.def(i, D.flags) & Flag.defaultExport) !== 0) this.flag(this.defaultName, bits)
      if (kind === kindNumber.module || kind === kindNumber.namespace) this.widen(family)
      const parent = view.def(i, D.parent)
      if (family === "ecmascript" && parent >= 0 && this.unnamed.has(name))
        this.flag(view.def(parent, D.name), bits)
      // A first member makes a namespace of what had none.
      for (let at = view.def(i, D.parent); at >= 0; at = view.def(at, D.parent)) {
        if (before.children.get(before.keyOf(view, at)) !== after.children.get(after.keyOf(view, at)))
          this.flag(view.def(at, D.name), bits)
      }
      if (view.def(i, D.owner) >= 0 && family !== "go" && family !== "rust")
        eachName(view, view.def(i, D.owner), (word) => this.flag(word, bits))
    }
    const map = new Int32Array(old.definitionCount).fill(-1)
    let stayed = old.definitionCount === now.definitionCount
    const last = new Map<number, number>()
    for (const [key, i] of before.definitions) {
      const k = after.definitions.get(key)
      if (k === undefined) change(old, i)
      else {
        map[i] = k
        if (i !== k) stayed = false
        if (before.shape(i) !== after.shape(k)) {
          change(old, i)
          change(now, k)
        }
        // Of definitions with one name the order counts.
        const name = old.def(i, D.name)
        if ((last.get(name) ?? -1) > k) change(old, i)
        last.set(name, k)
      }
    }
    for (const [key, k] of after.definitions) if (!before.definitions.has(key)) change(now, k)
    if (!stayed) this.moved.set(file.id, map)

    if (before.isScript !== after.isScript) {
      for (const view of [old, now])
        for (let i = 0; i < view.definitionCount; i++) if (view.def(i, D.parent) < 0) change(view, i)
    }

    each(before.imports, after.imports, (side, i) => {
      const view = side === 0 ? old : now
      const flags = view.import(i, I.flags)
      const local = view.import(i, I.local)
      this.flag(local, bits)
      this.flag(view.import(i, I.imported), bits)
      if ((flags & ImportFlag.default) !== 0) this.flag(this.defaultName, bits)
      const unnamed =
        (flags & ImportFlag.wildcard) !== 0 || (local === 0 && (flags & ImportFlag.sideEffect) === 0)
      if (
        family === "c"
          ? this.isIncluded(file)
          : unnamed &&
            !privateImports.has(family) &&
            (family !== "rust" || local !== 0 || (flags & ImportFlag.wildcard) !== 0)
      ) {
        this.widen(family)
      }
      if (family === "c" || family === "go" || (unnamed && privateImports.has(family)))
        this.doubtFreeNames(now, bits)
    })
    each(before.exports, after.exports, (side, i) => {
      const view = side === 0 ? old : now
      for (const field of [E.exported, E.local, E.imported]) this.flag(view.export(i, field), bits)
      if (this.names.text(view.export(i, E.exported)) === "*") this.widen(family)
    })
    each(before.inherits, after.inherits, (side, i) => {
      const view = side === 0 ? old : now
      this.doubtSubject(view, i, bits)
    })
  }

  private isIncluded(file: FileEntry): boolean {
    const base = baseOf(file.path)
    for (const other of this.files) {
      if (other?.view === undefined || familyOf(other) !== "c") continue
      for (let i = 0; i < other.view.importCount; i++)
        if (baseOf(this.names.text(other.view.import(i, I.module))) === base) return true
    }
    return false
  }
  /** Every definition whose type is written with names that the file does not bind. */
  private doubtFreeNames(view: FactsView, bits: number): void {
    const free = (e: number) =>
      e >= 0 && some(view, e, (op, at) => op === Op.name && view.expr(at, X.b) === Bind.free)
    for (let i = 0; i < view.definitionCount; i++) {
      if ([D.type, D.owner, D.takes, D.generics].some((field) => free(view.def(i, field))))
        this.flag(view.def(i, D.name), bits)
    }
    for (let i = 0; i < view.inheritCount; i++) {
      if (free(view.inherit(i, N.superType)) || free(view.inherit(i, N.subjectType)))
        this.doubtSubject(view, i, bits)
    }
  }
  private doubtSubject(view: FactsView, inherit: number, bits: number): void {
    const subject = view.inherit(inherit, N.subject)
    if (subject >= 0) this.flag(view.def(subject, D.name), bits)
    else eachName(view, view.inherit(inherit, N.subjectType), (word) => this.flag(word, bits))
  }

  /** Spreads the words, then collects the files that use them. */
  spread(): void {
    const { files } = this
    if (this.bases.length > 0) this.spreadBases()
    if (this.words.length === 0 && this.members.size === 0 && this.wide === 0) return
    const index = Words.of(files, this.names)
    for (let from = 0; from < this.words.length; ) {
      const to = this.words.length
      this.eachUser(index, this.words, from, to, (view, family) => {
        if (family !== "none") this.spreadIn(view, family)
      })
      from = to
    }
    if (this.wide !== 0) {
      for (const file of files) {
        const family = file?.view === undefined ? "none" : familyOf(file)
        if (family !== "none" && (this.wide & bitOf(family)) !== 0) this.dirty.add(file!.id)
      }
    }
    this.eachUser(index, this.words, 0, this.words.length, (view, family, id) => {
      if (!this.dirty.has(id) && this.uses(view, family)) this.dirty.add(id)
    })
    this.eachUser(index, [...this.members], 0, this.members.size, (view, _, id) => {
      if (!this.dirty.has(id) && this.usesMember(view)) this.dirty.add(id)
    })
  }

  /** Files that may use one of the words and are not looked up again anyway, each once. */
  private eachUser(
    index: Words,
    words: ReadonlyArray<number>,
    from: number,
    to: number,
    visit: (view: FactsView, family: Family, id: number) => void
  ): void {
    const { files } = this
    const seen = new Uint8Array(files.length)
    const once = (id: number) => {
      if (id >= seen.length || seen[id] === 1) return
      seen[id] = 1
      const file = files[id]
      if (file?.view === undefined) return
      const family = familyOf(file)
      if (family === "none" || (this.wide & bitOf(family)) === 0) visit(file.view, family, id)
    }
    index.changed.forEach(once)
    for (let i = from; i < to; i++) index.each(words[i]!, once)
  }

  /** Files of other families that came or went may be imported by their full name. */
  private spreadBases(): void {
    const here = (module: number) => {
      const text = this.names.text(module)
      return text !== "" && this.bases.some((base) => text.includes(base))
    }
    for (const file of this.files) {
      if (file?.view === undefined) continue
      const { view } = file
      const bits = bitOf(familyOf(file))
      for (let i = 0; i < view.importCount; i++) {
        if (!here(view.import(i, I.module))) continue
        this.dirty.add(file.id)
        this.flag(view.import(i, I.local), bits)
        if ((view.import(i, I.flags) & ImportFlag.wildcard) !== 0) this.widen(familyOf(file))
      }
      for (let i = 0; i < view.exportCount; i++) {
        if (!here(view.export(i, E.from))) continue
        this.dirty.add(file.id)
        if (this.names.text(view.export(i, E.exported)) === "*") this.widen(familyOf(file))
        else this.flag(view.export(i, E.exported), bits)
      }
    }
  }

  /** Tells which expressions of a file lead to a word in doubt. */
  private mentions(view: FactsView, bits: number): (expression: number) => boolean {
    const { flags } = this
    const { ints } = view
    const found = new Uint8Array(ints[view.at + H.expressions]!)
    const known = (e: number): boolean => e >= 0 && found[e] === 1
    const any = (start: number, count: number): boolean => {
      for (let i = 0; i < count; i++) if (known(ints[view.args + start + i]!)) return true
      return false
    }
    const leads = (p: number): boolean => {
      const a = ints[p + X.a]!
      const b = ints[p + X.b]!
      const c = ints[p + X.c]!
      switch (ints[p + X.op]) {
        case Op.name:
          return (
            (flags[a]! & bits) !== 0 ||
            (b === Bind.local && known(c)) ||
            (b === Bind.definition && (view.def(c, D.flags) & Flag.local) !== 0 && known(view.def(c, D.type)))
          )
        case Op.member:
        case Op.property:
          return (flags[b]! & bits) !== 0 || known(a)
        case Op.union:
          return known(a) || known(b)
        case Op.call:
        case Op.generic:
        case Op.callable:
          return known(a) || any(b, c)
        case Op.tuple:
        case Op.record:
        case Op.conditional:
        case Op.indexed:
        case Op.mapped:
        case Op.chosen:
          return any(b, c)
        case Op.signature:
        case Op.argument:
          return known(a) || known(c - 1)
        case Op.self:
        case Op.selfType:
        case Op.thisType:
        case Op.super:
        case Op.function:
          return (flags[view.def(a, D.name)]! & bits) !== 0
        case Op.literal:
        case Op.unknown:
          return false
        default:
          return known(a)
      }
    }
    // Parts mostly come before the whole, so that few rounds are needed.
    for (let more = true; more; ) {
      more = false
      for (let e = 0, p = view.expressions; e < found.length; e++, p += X.size) {
        if (found[e] === 0 && leads(p)) {
          found[e] = 1
          more = true
        }
      }
    }
    return known
  }
  private pathMentions(module: number, family: Family, bits: number): boolean {
    return (
      pathsOfNames.has(family) &&
      segmentsOf(this.names, module).some((word) => (this.flags[word]! & bits) !== 0)
    )
  }
  private takesDefault(view: FactsView, i: number, family: Family, bits: number): boolean {
    if (family !== "ecmascript" || (this.flags[this.defaultName]! & bits) === 0) return false
    const imported = view.import(i, I.imported)
    return (
      imported === 0 || imported === this.defaultName || (view.import(i, I.flags) & ImportFlag.default) !== 0
    )
  }

  private spreadIn(view: FactsView, family: Family): void {
    const bits = bitOf(family)
    const { flags } = this
    const mentions = this.mentions(view, bits)
    const add = (word: number) => void this.flag(word, bits)
    for (let i = 0; i < view.importCount; i++) {
      const path = this.pathMentions(view.import(i, I.module), family, bits)
      if (
        !path &&
        (flags[view.import(i, I.imported)]! & bits) === 0 &&
        !this.takesDefault(view, i, family, bits)
      )
        continue
      add(view.import(i, I.local))
      if (path && (view.import(i, I.flags) & ImportFlag.wildcard) !== 0) {
        if (privateImports.has(family)) {
          this.doubtFreeNames(view, bits)
        } else this.widen(family)
      }
    }
    for (let i = 0; i < view.definitionCount; i++) {
      const name = view.def(i, D.name)
      const parent = view.def(i, D.parent)
      const local = view.def(i, D.owner) < 0 && (view.def(i, D.flags) & Flag.local) !== 0
      const unnamed =
        parent >= 0 &&
        family === "ecmascript" &&
        this.unnamed.has(name) &&
        (flags[view.def(parent, D.name)]! & bits) === 0
      if (!local && (unnamed || (flags[name]! & bits) === 0)) {
        if (
          mentions(view.def(i, D.type)) ||
          mentions(view.def(i, D.owner)) ||
          mentions(view.def(i, D.takes)) ||
          mentions(view.def(i, D.generics)) ||
          (view.def(i, D.kind) === kindNumber.enum_member &&
            parent >= 0 &&
            (flags[view.def(parent, D.name)]! & bits) !== 0)
        ) {
          add(name)
          if (unnamed) add(view.def(parent, D.name))
        }
      }
      if ((view.def(i, D.flags) & Flag.defaultExport) !== 0 && (flags[name]! & bits) !== 0)
        add(this.defaultName)
    }
    for (let i = 0; i < view.inheritCount; i++) {
      if (mentions(view.inherit(i, N.superType)) || mentions(view.inherit(i, N.subjectType)))
        this.doubtSubject(view, i, bits)
    }
    for (let i = 0; i < view.exportCount; i++) {
      const definition = view.export(i, E.definition)
      if (
        (flags[view.export(i, E.local)]! & bits) !== 0 ||
        (flags[view.export(i, E.imported)]! & bits) !== 0 ||
        (definition >= 0 && (flags[view.def(definition, D.name)]! & bits) !== 0)
      )
        add(view.export(i, E.exported))
    }
  }

  /** Whether anything in the file is written with a word in doubt. */
  private uses(view: FactsView, family: Family): boolean {
    const bits = bitOf(family)
    const { flags } = this
    const { ints } = view
    const refs = view.glance()
    for (let i = 0, p = view.references + R.name, n = view.referenceCount; i < n; i++, p += R.size)
      if ((flags[refs[p]!]! & bits) !== 0) return true
    for (let p = view.expressions, end = view.args; p < end; p += X.size) {
      const op = ints[p]!
      if (op === Op.name && (flags[ints[p + X.a]!]! & bits) !== 0) return true
      if ((op === Op.member || op === Op.property) && (flags[ints[p + X.b]!]! & bits) !== 0) return true
      if (
        (op === Op.self ||
          op === Op.selfType ||
          op === Op.thisType ||
          op === Op.super ||
          op === Op.function) &&
        (flags[view.def(ints[p + X.a]!, D.name)]! & bits) !== 0
      )
        return true
    }
    for (let i = 0; i < view.importCount; i++) {
      if (
        (flags[view.import(i, I.imported)]! & bits) !== 0 ||
        (flags[view.import(i, I.local)]! & bits) !== 0 ||
        this.takesDefault(view, i, family, bits) ||
        this.pathMentions(view.import(i, I.module), family, bits)
      )
        return true
    }
    for (let i = 0; i < view.exportCount; i++) {
      if ([E.exported, E.local, E.imported].some((field) => (flags[view.export(i, field)]! & bits) !== 0))
        return true
    }
    return false
  }
  private usesMember(view: FactsView): boolean {
    const refs = view.glance()
    for (let i = 0, p = view.references, n = view.referenceCount; i < n; i++, p += R.size) {
      if ((refs[p + R.bind]! & 7) === Bind.member && this.members.has(refs[p + R.name]!)) return true
    }
    return false
  }
}

/** Entries that only one of two lists has; when both have the same in another order, all of them. */
const each = (
  before: ReadonlyArray<string>,
  after: ReadonlyArray<string>,
  visit: (side: 0 | 1, index: number) => void
): void => {
  if (before.length === after.length && before.every((text, i) => text === after[i])) return
  const count = new Map<string, number>()
  for (const text of before) count.set(text, (count.get(text) ?? 0) + 1)
  for (const text of after) count.set(text, (count.get(text) ?? 0) - 1)
  const reordered = [...count.values()].every((n) => n === 0)
  before.forEach((text, i) => (reordered || count.get(text)! > 0) && visit(0, i))
  after.forEach((text, i) => (reordered || count.get(text)! < 0) && visit(1, i))
}

/** Whether any part of an expression satisfies a test. */
const some = (view: FactsView, expression: number, test: (op: number, at: number) => boolean): boolean => {
  const seen = new Set<number>()
  const queue = [expression]
  for (let e = queue.pop(); e !== undefined; e = queue.pop()) {
    if (e < 0 || seen.has(e)) continue
    seen.add(e)
    const op = view.expr(e, X.op)
    if (test(op, e)) return true
    if (op !== Op.name) operandsOf(view, e, queue)
    else {
      const definition = view.expr(e, X.c)
      if (view.expr(e, X.b) === Bind.local) queue.push(definition)
      else if (view.expr(e, X.b) === Bind.definition && (view.def(definition, D.flags) & Flag.local) !== 0)
        queue.push(view.def(definition, D.type))
    }
  }
  return false
}
const eachName = (view: FactsView, expression: number, visit: (word: number) => void): void => {
  some(view, expression, (op, at) => {
    if (op === Op.name) visit(view.expr(at, X.a))
    else if (op === Op.member || op === Op.property) visit(view.expr(at, X.b))
    else if (op === Op.self || op === Op.selfType || op === Op.thisType || op === Op.super)
      visit(view.def(view.expr(at, X.a), D.name))
    return false
  })
}

/** What others see of a file, in terms that do not depend on positions or definition numbers. */
interface Shape {
  /** Definitions by a key that survives moves. */
  readonly definitions: ReadonlyMap<string, number>
  readonly keyOf: (view: FactsView, definition: number) => string
  /** Number of members per key. */
  readonly children: ReadonlyMap<string, number>
  readonly shape: (definition: number) => string
  readonly imports: ReadonlyArray<string>
  readonly exports: ReadonlyArray<string>
  readonly inherits: ReadonlyArray<string>
  readonly isScript: boolean
}

/** Makes the shapes of two versions of a file, with one numbering of expressions for both. */
class Shapes {
  private readonly ids = new Map<string, number>()
  private readonly keys = new Map<FactsView, ReadonlyArray<string>>()

  constructor(readonly names: Interner) {}

  private id(text: string): number {
    let id = this.ids.get(text)
    if (id === undefined) this.ids.set(text, (id = this.ids.size))
    return id
  }

  of(view: FactsView): Shape {
    const keys: Array<string> = []
    const definitions = new Map<string, number>()
    const children = new Map<string, number>()
    for (let i = 0; i < view.definitionCount; i++) {
      const parent = view.def(i, D.parent)
      const above = parent < 0 ? "" : keys[parent]!
      const key = `${above}/${view.def(i, D.kind)} ${view.def(i, D.container)} ${view.def(i, D.name)}`
      let unique = key
      for (let n = 1; definitions.has(unique); n++) unique = `${key}#${n}`
      keys.push(unique)
      definitions.set(unique, i)
      if (parent >= 0) children.set(above, 1)
    }
    this.keys.set(view, keys)
    const imports = Array.from(
      { length: view.importCount },
      (_, i) =>
        `${[I.module, I.imported, I.local, I.flags, I.level].map((f) => view.import(i, f)).join()} ${keys[view.import(i, I.within)] ?? ""}`
    )
    const memo = new Int32Array(view.ints[view.at + H.expressions]!).fill(-1)
    let depth = 0
    const list = (start: number, count: number, wanted: (at: number) => boolean = () => true): string => {
      let text = ""
      for (let i = 0; i < count; i++) {
        const at = view.ints[view.args + start + i]!
        text += `${at >= 0 && wanted(at) ? canonical(at) : -1},`
      }
      return text
    }
    const canonical = (e: number): number => {
      if (e < 0) return -1
      if (memo[e] !== -1) return memo[e]!
      // Equal to nothing, not even to itself in the other version.
      if (depth > depthLimit) return this.id(`deep ${this.ids.size}`)
      depth++
      memo[e] = -2
      const op = view.expr(e, X.op)
      const a = view.expr(e, X.a)
      const b = view.expr(e, X.b)
      const c = view.expr(e, X.c)
      let text: string
      switch (op) {
        case Op.name: {
          const bound =
            b === Bind.local
              ? canonical(c)
              : b === Bind.import
                ? imports[c]
                : b === Bind.definition
                  ? (view.def(c, D.flags) & Flag.local) !== 0
                    ? `${view.def(c, D.kind)} ${canonical(view.def(c, D.type))}`
                    : keys[c]
                  : (keys[c - 1] ?? "")
          text = `${a} ${b} ${bound}`
          break
        }
        case Op.member:
        case Op.property:
        case Op.typeParameter:
        case Op.slot:
        case Op.parameter:
          text = `${canonical(a)} ${b}`
          break
        case Op.signature:
          text = `${canonical(a)} ${b} ${canonical(c - 1)}`
          break
        // The other arguments of the call have their say; functions among them may lead back here.
        case Op.argument:
          text = `${canonical(a)} ${b} ${
            c <= 0
              ? ""
              : list(view.expr(c - 1, X.b), view.expr(c - 1, X.c), (at) => {
                  const kind = view.expr(at, X.op)
                  return kind !== Op.callable && kind !== Op.function
                })
          }`
          break
        case Op.literal:
          text = String(a)
          break
        case Op.self:
        case Op.selfType:
        case Op.thisType:
        case Op.super:
        case Op.function:
          text = keys[a]!
          break
        case Op.union:
          text = `${canonical(a)} ${canonical(b)} ${c}`
          break
        case Op.call:
        case Op.generic:
        case Op.callable:
          text = `${canonical(a)}<${list(b, c)}>`
          break
        case Op.tuple:
        case Op.record:
        case Op.conditional:
        case Op.indexed:
        case Op.mapped:
        case Op.chosen:
          text = list(b, c)
          break
        case Op.unknown:
          text = ""
          break
        default:
          text = String(canonical(a))
      }
      depth--
      return (memo[e] = this.id(`${op}:${text}`))
    }
    for (let e = 0; e < memo.length; e++) canonical(e)
    const exported = Array.from({ length: view.definitionCount }, (_, i) => i).some(
      (i) =>
        view.def(i, D.parent) === -1 && (view.def(i, D.flags) & (Flag.exported | Flag.defaultExport)) !== 0
    )
    return {
      definitions,
      children,
      keyOf: (of, i) => this.keys.get(of)![i]!,
      shape: (i) =>
        `${view.def(i, D.flags)} ${view.def(i, D.parameters)} ${canonical(view.def(i, D.type))} ${canonical(view.def(i, D.owner))} ${canonical(view.def(i, D.takes))} ${canonical(view.def(i, D.generics))} ` +
        (view.def(i, D.kind) === kindNumber.module ? view.def(i, D.bodyLine) !== 0 : ""),
      imports,
      exports: Array.from(
        { length: view.exportCount },
        (_, i) =>
          `${[E.exported, E.local, E.from, E.imported].map((f) => view.export(i, f)).join()} ${keys[view.export(i, E.definition)] ?? ""}`
      ),
      inherits: Array.from(
        { length: view.inheritCount },
        (_, i) =>
          `${keys[view.inherit(i, N.subject)] ?? canonical(view.inherit(i, N.subjectType))} ${canonical(view.inherit(i, N.superType))} ${view.inherit(i, N.how)}`
      ),
      isScript: view.importCount === 0 && view.exportCount === 0 && !exported
    }
  }
}
