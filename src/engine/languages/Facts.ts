/**
 * The facts of one file: flat records in one Int32Array, short texts in one byte array, names as interned numbers.
 * A worker writes them once ({@link FactsBuilder}), they travel without a copy, and every reader walks them in place.
 * The references, most of all and asked for least, come last: they and the texts may lie elsewhere ({@link FactsHome}).
 */
import type { Interner } from "./Interner.ts"
import { Op } from "./Vocabulary.ts"

/** Bumped whenever the meaning of a field changes: facts of another version are never read. */
export const factsVersion = 5

/** Header fields, as offsets from the start of a file's facts. */
export const H = {
  definitions: 0,
  references: 1,
  expressions: 2,
  arguments: 3,
  imports: 4,
  exports: 5,
  inherits: 6,
  marks: 7,
  /** Name of the package, namespace or module the file declares itself part of; 0 when it does not. */
  package: 8,
  /** Name of the test runner its tests are written for; 0 when it has none. */
  runner: 9,
  parseErrors: 10,
  lines: 11,
  /** Two halves of a hash over everything other files can see of this one. */
  interfaceHigh: 12,
  interfaceLow: 13,
  textLength: 14,
  length: 15,
  size: 16
} as const

/** A definition. Lines are 1-based, columns 0-based UTF-16; `end` is exclusive. `type`, `owner` are expressions or -1. */
export const D = {
  kind: 0,
  flags: 1,
  name: 2,
  /** Index of the enclosing definition, -1 at file level. */
  parent: 3,
  /** Name of the type a member belongs to when that is not its parent (Go receiver, Rust impl, C++ qualifier); 0 if none. */
  container: 4,
  nameLine: 5,
  nameColumn: 6,
  startLine: 7,
  startColumn: 8,
  endLine: 9,
  endColumn: 10,
  /** Where the body opens; line 0 when there is none. */
  bodyLine: 11,
  bodyColumn: 12,
  /** Declared or inferred type: of the value for variables and fields, of the result for functions. */
  type: 13,
  owner: 14,
  signature: 15,
  signatureLength: 16,
  doc: 17,
  docLength: 18,
  /** Cyclomatic complexity of the body, 0 without one. */
  complexity: 19,
  /** Parameters: minimum | maximum << 8 | variadic << 16; -1 when unknown. */
  parameters: 20,
  /**
   * Types of the parameters, as a tuple expression with -1 for those without one, or the type a function is declared to
   * have as a whole; -1 when there is nothing to tell.
   */
  takes: 21,
  /**
   * Type parameters, as a tuple expression of each with its default or -1; an odd last part is the type `this` is
   * declared to have. -1 when there are none.
   */
  generics: 22,
  size: 23
} as const

/** A reference. */
export const R = {
  name: 0,
  line: 1,
  /** column | role << 16 | result use << 20 */
  place: 2,
  /** Index of the enclosing definition, -1 at file level. */
  within: 3,
  /** bind kind | value << 3 */
  bind: 4,
  /** Arguments of a call plus one; 0 when unknown or no call. */
  arity: 5,
  size: 6
} as const

/** An expression: operator and three operands; see {@link Op}. */
export const X = { op: 0, a: 1, b: 2, c: 3, size: 4 } as const

/** An import. */
export const I = {
  /** The module as written. */
  module: 0,
  /** The name taken from it; 0 for the module as a whole. */
  imported: 1,
  /** The name it is known by here; 0 when it binds none. */
  local: 2,
  flags: 3,
  line: 4,
  column: 5,
  within: 6,
  /** Leading dots of a relative module (Python), 0 otherwise. */
  level: 7,
  size: 8
} as const

/** An export that is more than a flag on a definition. `exported` is a name, "default" or "*". */
export const E = {
  exported: 0,
  /** Name in this file; 0 for a re-export. */
  local: 1,
  /** Module re-exported from; 0 for a local name. */
  from: 2,
  /** Name in that module; 0 for the module as a whole. */
  imported: 3,
  line: 4,
  column: 5,
  /** Index of the definition the local name stands for, -1 when it is bound otherwise. */
  definition: 6,
  size: 7
} as const

/** A super type. `subject` is a definition or -1, then `subjectType` is an expression. */
export const N = { subject: 0, subjectType: 1, superType: 2, how: 3, line: 4, size: 5 } as const

/** A mark: a text in the blob tied to a line. */
export const M = { kind: 0, text: 1, textLength: 2, line: 3, within: 4, size: 5 } as const

/** Where the references and texts of files are that are not held in memory. All of it may throw when they cannot be read. */
export interface FactsHome {
  /** A file's references, from 0 on; the view holds them for a while. */
  readonly references: (view: FactsView) => Int32Array
  /** The same for one look: good until the next. */
  readonly glance: (view: FactsView) => Int32Array
  /** A file's texts; the view holds them for a while. */
  readonly text: (view: FactsView) => Uint8Array
  /** One number of a file's references. */
  readonly number: (view: FactsView, at: number) => number
  /** Some bytes of a file's texts: good until the next. */
  readonly part: (view: FactsView, from: number, length: number) => Uint8Array
}

/** References and texts that are in memory, but not with the rest, and where they start. */
export interface Apart {
  readonly refs: Int32Array
  readonly references: number
  readonly text: Uint8Array
  readonly textAt: number
}
/** References and texts that are not in memory, and their numbers at home. */
export interface Parked {
  readonly home: FactsHome
  readonly refsPlace: number
  readonly textPlace: number
}

/** Start offsets of a file's sections, computed from its header. */
export class FactsView {
  readonly definitions: number
  /** Offset of the references in {@link refs}. */
  readonly references: number
  readonly expressions: number
  readonly args: number
  readonly imports: number
  readonly exports: number
  readonly inherits: number
  readonly marks: number
  /** Where the file's texts start in {@link text}. */
  readonly textAt: number
  private heldRefs: Int32Array | undefined
  private heldText: Uint8Array | undefined
  private readonly home: FactsHome | undefined
  /** Numbers of its references and texts at home; 0 when it has none. */
  readonly refsPlace: number
  readonly textPlace: number

  /** Facts in one piece and where its texts start in a text, or facts whose references and texts are elsewhere. */
  constructor(
    readonly ints: Int32Array,
    /** Where the file's header is in `ints`. */
    readonly at: number,
    text: Uint8Array | Apart | Parked,
    textAt = 0
  ) {
    let p = at + H.size
    this.definitions = p
    p += ints[at + H.definitions]! * D.size
    this.expressions = p
    p += ints[at + H.expressions]! * X.size
    this.args = p
    p += ints[at + H.arguments]!
    this.imports = p
    p += ints[at + H.imports]! * I.size
    this.exports = p
    p += ints[at + H.exports]! * E.size
    this.inherits = p
    p += ints[at + H.inherits]! * N.size
    this.marks = p
    p += ints[at + H.marks]! * M.size
    if (text instanceof Uint8Array) {
      this.textAt = textAt
      this.references = p
      this.heldRefs = ints
      this.heldText = text
      this.home = undefined
      this.refsPlace = this.textPlace = 0
    } else if ("home" in text) {
      this.textAt = this.references = 0
      this.heldRefs = this.heldText = undefined
      this.home = text.home
      this.refsPlace = text.refsPlace
      this.textPlace = text.textPlace
    } else {
      this.textAt = text.textAt
      this.references = text.references
      this.heldRefs = text.refs
      this.heldText = text.text
      this.home = undefined
      this.refsPlace = this.textPlace = 0
    }
  }

  /** The references, from {@link references} on. */
  get refs(): Int32Array {
    return this.heldRefs ?? this.home!.references(this)
  }
  /** The same for one look at many files: good until the next. */
  glance(): Int32Array {
    return this.heldRefs ?? this.home!.glance(this)
  }
  get text(): Uint8Array {
    return this.heldText ?? this.home!.text(this)
  }
  /** For the home: holds what it read. */
  hold(refs: Int32Array | undefined, text: Uint8Array | undefined): void {
    if (refs !== undefined) this.heldRefs = refs
    if (text !== undefined) this.heldText = text
  }
  /** For the home: lets go of what it read; answers how many bytes that are. */
  release(): number {
    const bytes = (this.heldRefs?.byteLength ?? 0) + (this.heldText?.byteLength ?? 0)
    this.heldRefs = this.heldText = undefined
    return bytes
  }

  get definitionCount(): number {
    return this.ints[this.at + H.definitions]!
  }
  get referenceCount(): number {
    return this.ints[this.at + H.references]!
  }
  get importCount(): number {
    return this.ints[this.at + H.imports]!
  }
  get exportCount(): number {
    return this.ints[this.at + H.exports]!
  }
  get inheritCount(): number {
    return this.ints[this.at + H.inherits]!
  }
  get markCount(): number {
    return this.ints[this.at + H.marks]!
  }
  get package(): number {
    return this.ints[this.at + H.package]!
  }

  /** One field of a definition. */
  def(index: number, field: number): number {
    return this.ints[this.definitions + index * D.size + field]!
  }
  ref(index: number, field: number): number {
    return (this.heldRefs ?? this.refs)[this.references + index * R.size + field]!
  }
  /** The same where few of a file's references are looked at. */
  glimpse(index: number, field: number): number {
    const held = this.heldRefs
    return held === undefined
      ? this.home!.number(this, index * R.size + field)
      : held[this.references + index * R.size + field]!
  }
  expr(index: number, field: number): number {
    return this.ints[this.expressions + index * X.size + field]!
  }
  import(index: number, field: number): number {
    return this.ints[this.imports + index * I.size + field]!
  }
  export(index: number, field: number): number {
    return this.ints[this.exports + index * E.size + field]!
  }
  inherit(index: number, field: number): number {
    return this.ints[this.inherits + index * N.size + field]!
  }
  mark(index: number, field: number): number {
    return this.ints[this.marks + index * M.size + field]!
  }

  signature(index: number): string {
    return this.slice(this.def(index, D.signature), this.def(index, D.signatureLength))
  }
  /** The documentation comment as written, comment markers included. */
  doc(index: number): string {
    return this.slice(this.def(index, D.doc), this.def(index, D.docLength))
  }
  markText(index: number): string {
    return this.slice(this.mark(index, M.text), this.mark(index, M.textLength))
  }
  private slice(from: number, length: number): string {
    if (length === 0) return ""
    const held = this.heldText
    return decoder.decode(
      held === undefined
        ? this.home!.part(this, from, length)
        : held.subarray(this.textAt + from, this.textAt + from + length)
    )
  }
}
const decoder = new TextDecoder()

/** Rewrites every name of a file's facts, which are in one piece, through `map`, in place. */
export const renumber = (view: FactsView, map: Int32Array): void => {
  const { ints } = view
  const column = (start: number, count: number, size: number, field: number) => {
    for (let i = 0, p = start + field; i < count; i++, p += size) ints[p] = map[ints[p]!]!
  }
  const h = view.at
  ints[h + H.package] = map[ints[h + H.package]!]!
  ints[h + H.runner] = map[ints[h + H.runner]!]!
  column(view.definitions, view.definitionCount, D.size, D.name)
  column(view.definitions, view.definitionCount, D.size, D.container)
  column(view.references, view.referenceCount, R.size, R.name)
  for (let i = 0, p = view.expressions, n = ints[h + H.expressions]!; i < n; i++, p += X.size) {
    const op = ints[p]!
    if (op === Op.name || op === Op.literal) ints[p + X.a] = map[ints[p + X.a]!]!
    else if (op === Op.member || op === Op.property || op === Op.typeParameter)
      ints[p + X.b] = map[ints[p + X.b]!]!
  }
  for (const field of [I.module, I.imported, I.local]) column(view.imports, view.importCount, I.size, field)
  for (const field of [E.exported, E.local, E.from, E.imported])
    column(view.exports, view.exportCount, E.size, field)
}

/** What a worker sends back for a group of files. All buffers are transferable. */
export interface FactsBatch {
  readonly ints: Int32Array<ArrayBuffer>
  readonly text: Uint8Array<ArrayBuffer>
  /** Names that this worker has not sent before. */
  readonly strings: ReturnType<Interner["since"]>
  /** Per file of the batch: where its facts start in `ints` and its texts in `text`; -1 when it has none. */
  readonly at: Int32Array<ArrayBuffer>
  readonly textAt: Int32Array<ArrayBuffer>
}
