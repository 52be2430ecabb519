/**
 * Writes the facts of one file after another. A parser reports what it sees, in source order, with offsets into
 * its {@link Source}; the builder keeps the lexical scopes, decides at the end of each scope which names it binds,
 * and turns offsets into lines and columns.
 *
 * Names that end up bound to a parameter or local variable leave no reference behind.
 */
import { D, E, FactsView, H, I, M, N, R, X } from "./Facts.ts"
import { grown, type Interner } from "./Interner.ts"
import { leads, Sharing } from "./Sharing.ts"
import type { Source } from "./Source.ts"
import { Bind, Flag, kindNumber, Op } from "./Vocabulary.ts"

/** What may see the names of a scope. */
export const Scope = {
  block: 0,
  /** A function: names it does not bind leave it marked as seen from inside a function. */
  function: 1,
  /** A class body whose names nested functions do not see (Python). */
  body: 2,
  /** A class body whose members are visible by bare name everywhere inside (Java, C++, C#, Kotlin …). */
  members: 3,
  /** Added by {@link FactsBuilder.openToGlob}. */
  glob: 8
} as const

/** What a pending name is marked with beside the space it looks in. */
const Crossed = { space: 3, function: 4, glob: 8 } as const

/** Name spaces a binding lives in and a reference looks in. */
export const Space = {
  value: 1,
  type: 2,
  any: 3,
  /** Set in a binding that nothing before its offset finds, hoisting or not. */
  onwards: 8
} as const

const signatureLimit = 240
const docLimit = 320

class Column {
  items = new Int32Array(1 << 10)
  count = 0
  reserve(extra: number) {
    if (this.count + extra > this.items.length) {
      this.items = grown(this.items, Math.max(this.items.length * 2, this.count + extra))
    }
  }
  push(value: number): void {
    if (this.count === this.items.length) this.items = grown(this.items, this.items.length * 2)
    this.items[this.count++] = value
  }
}

/**
 * Levels of definitions a file may have. A qualified name is as long as its levels, so without a bound a file of
 * nothing but nested classes would need the square of its length. What is nested deeper counts as nested so deep.
 */
export const deepestNesting = 200

export class FactsBuilder {
  private readonly defs = new Column()
  private readonly refs = new Column()
  private readonly exprs = new Column()
  private readonly args = new Column()
  private readonly imports = new Column()
  private readonly exports = new Column()
  private readonly inherits = new Column()
  private readonly marks = new Column()

  // Scopes: [kind, first pending, first binding]
  private readonly scopes = new Column()
  // Bindings: name, kind, value, visible from, space, next of the same name in the scope
  private readonly bindings = new Column()
  // Pending names: name, offset, target (reference * 2 or expression * 2 + 1), space | what it crossed
  private readonly pending = new Column()
  private heads = new Int32Array(1 << 12)
  private readonly sharing = new Sharing()

  private out = new Column()
  private blob = new Uint8Array(1 << 16)
  private blobLength = 0
  private blobStart = 0
  private sent = 1
  private at = new Column()
  private textAt = new Column()

  private packageName = 0
  private runnerName = 0
  private parseErrors = 0
  private hoisting = false
  source!: Source
  /** Index of the definition being read, -1 at file level. */
  current = -1
  /** Levels of definitions down to each one, 1 at file level, as far as they have been asked for. */
  private readonly levels: Array<number> = []
  /** What encloses definitions that are nested too deeply, where that is not their parent. */
  private readonly around = new Map<number, number>()

  /**
   * With `compact` (the default) expressions that mean the same become one: a local variable is what its type says, and
   * equal trees are shared. Without it facts keep what was written, which is easier to read in tests.
   */
  constructor(
    readonly interner: Interner,
    private readonly compact = true
  ) {}

  /**
   * Starts a file. With `hoisting`, a name is bound by its scope even before its declaration (JavaScript, Python);
   * otherwise only from `visibleFrom` on (Go and Rust locals), and earlier uses mean the outer name.
   */
  begin(source: Source, options: { readonly hoisting: boolean }): void {
    for (const c of [
      this.defs,
      this.refs,
      this.exprs,
      this.args,
      this.imports,
      this.exports,
      this.inherits,
      this.marks
    ])
      c.count = 0
    for (const c of [this.scopes, this.bindings, this.pending]) c.count = 0
    this.source = source
    this.hoisting = options.hoisting
    this.packageName = this.runnerName = this.parseErrors = 0
    this.blobStart = this.blobLength
    this.current = -1
    this.levels.length = 0
    this.around.clear()
    this.openScope(Scope.block)
  }

  // ---- names ------------------------------------------------------------------------------------

  /** Interns source text between two offsets. */
  name(start: number, end: number): number {
    const { source } = this
    return source.text === undefined
      ? this.interner.bytes(source.bytes, start, end)
      : this.interner.string(source.text.slice(start, end))
  }
  nameOf(text: string): number {
    return this.interner.string(text)
  }

  // ---- scopes -----------------------------------------------------------------------------------

  openScope(kind: number = Scope.block): void {
    const { scopes } = this
    scopes.reserve(3)
    scopes.push(kind)
    scopes.push(this.pending.count)
    scopes.push(this.bindings.count)
  }

  closeScope(): void {
    const { bindings, pending, scopes } = this
    scopes.count -= 3
    const kind = scopes.items[scopes.count]! & ~Scope.glob
    const glob = kind !== scopes.items[scopes.count]
    const firstPending = scopes.items[scopes.count + 1]!
    const firstBinding = scopes.items[scopes.count + 2]!
    if (bindings.count > firstBinding) {
      if (this.heads.length < this.interner.size) this.heads = grown(this.heads, this.interner.size * 2)
      const { heads } = this
      const b = bindings.items
      for (let i = firstBinding; i < bindings.count; i += 6) {
        const name = b[i]!
        b[i + 5] = heads[name]!
        heads[name] = i + 1
      }
      const p = pending.items
      let kept = firstPending
      for (let i = firstPending; i < pending.count; i += 4) {
        const head = heads[p[i]!]!
        if (head !== 0 && !(kind === Scope.body && (p[i + 3]! & Crossed.function) !== 0)) {
          const found = this.pick(head, p[i + 1]!, p[i + 3]! & Crossed.space)
          if (
            found >= 0 &&
            !((p[i + 3]! & Crossed.glob) !== 0 && this.isOfModule(b[found + 1]!, b[found + 2]!))
          ) {
            this.bindTo(p[i + 2]!, b[found + 1]!, b[found + 2]!)
            continue
          }
        }
        p[kept] = p[i]!
        p[kept + 1] = p[i + 1]!
        p[kept + 2] = p[i + 2]!
        p[kept + 3] = p[i + 3]!
        kept += 4
      }
      pending.count = kept
      for (let i = firstBinding; i < bindings.count; i += 6) heads[b[i]!] = 0
      bindings.count = firstBinding
    }
    if (kind === Scope.function) {
      for (let i = firstPending + 3; i < pending.count; i += 4) pending.items[i]! |= Crossed.function
    }
    if (glob) this.crossGlob(firstPending)
  }

  /**
   * Tells that a glob import stands in the open scope, which belongs to a definition that is no module. What the scope
   * does not bind may be one of its names: items and imports of the modules around do not bind it then, and an
   * expression is told where it stands.
   */
  openToGlob(): void {
    this.scopes.items[this.scopes.count - 3]! |= Scope.glob
  }
  private crossGlob(from: number): void {
    const { exprs, pending } = this
    const p = pending.items
    for (let i = from; i < pending.count; i += 4) {
      if ((p[i + 3]! & Crossed.glob) !== 0) continue
      p[i + 3]! |= Crossed.glob
      const target = p[i + 2]!
      if ((target & 1) === 1) exprs.items[(target >> 1) * X.size + X.c] = this.current + 1
    }
  }
  /** Whether what binds a name is an item or import of a module. */
  private isOfModule(kind: number, value: number): boolean {
    if (kind !== Bind.definition && kind !== Bind.import) return false
    const around =
      kind === Bind.import ? this.imports.items[value * I.size + I.within]! : this.get(value, D.parent)
    return around < 0 || this.get(around, D.kind) === kindNumber.module
  }

  /** The newest binding visible at the offset; where names are hoisted, the oldest if none is. */
  private pick(head: number, at: number, space: number): number {
    const b = this.bindings.items
    let oldest = -1
    for (let i = head; i !== 0; i = b[i - 1 + 5]!) {
      if ((b[i - 1 + 4]! & space) === 0) continue
      if (b[i - 1 + 3]! <= at) return i - 1
      if ((b[i - 1 + 4]! & Space.onwards) === 0) oldest = i - 1
    }
    return this.hoisting ? oldest : -1
  }

  private bindTo(target: number, kind: number, value: number): void {
    const index = target >> 1
    if ((target & 1) === 0) this.refs.items[index * R.size + R.bind] = kind | (value << 3)
    else {
      this.exprs.items[index * X.size + X.b] = kind
      this.exprs.items[index * X.size + X.c] = value
    }
  }

  private bind(name: number, kind: number, value: number, from: number, space: number): void {
    const { bindings } = this
    bindings.reserve(6)
    bindings.push(name)
    bindings.push(kind)
    bindings.push(value)
    bindings.push(from)
    bindings.push(space)
    bindings.push(0)
  }

  /** Declares a parameter, local variable or type parameter in the open scope. `type` is an expression or -1. */
  bindLocal(name: number, type = -1, visibleFrom = 0, space: number = Space.any): void {
    this.bind(name, Bind.local, type, visibleFrom, space)
  }
  bindDefinition(name: number, definition: number, visibleFrom = 0, space: number = Space.any): void {
    this.bind(name, Bind.definition, definition, visibleFrom, space)
  }
  bindImport(name: number, index: number, visibleFrom = 0, space: number = Space.any): void {
    this.bind(name, Bind.import, index, visibleFrom, space)
  }
  /**
   * Declares a name in the scope `up` levels out (0 is the open one), so that hoisted declarations land in their
   * function. Names already pending keep their place.
   */
  bindLocalOuter(up: number, name: number, type = -1, visibleFrom = 0): void {
    this.insertOuter(up, name, Bind.local, type, visibleFrom, Space.any)
  }
  bindDefinitionOuter(
    up: number,
    name: number,
    definition: number,
    visibleFrom = 0,
    space: number = Space.any
  ): void {
    this.insertOuter(up, name, Bind.definition, definition, visibleFrom, space)
  }
  private insertOuter(
    up: number,
    name: number,
    kind: number,
    value: number,
    from: number,
    space: number
  ): void {
    this.bind(name, kind, value, from, space)
    if (up === 0) return
    const { bindings, scopes } = this
    // Move the new record in front of the bindings of the inner scopes.
    const inner = scopes.count - 3 * up
    if (inner < 3) throw new RangeError("no such scope")
    const at = scopes.items[inner + 2]!
    const record = bindings.items.slice(bindings.count - 6, bindings.count)
    bindings.items.copyWithin(at + 6, at, bindings.count - 6)
    bindings.items.set(record, at)
    for (let s = inner; s < scopes.count; s += 3) scopes.items[s + 2]! += 6
  }
  /** Whether the name stands for a parameter or local variable of an open scope, as far as is known here. */
  isLocal(name: number): boolean {
    const { count, items } = this.bindings
    for (let i = count - 6; i >= 0; i -= 6)
      if (items[i] === name && (items[i + 4]! & Space.value) !== 0) return items[i + 1] === Bind.local
    return false
  }
  /** How many scopes are open, the file's included. */
  get depth(): number {
    return this.scopes.count / 3
  }

  // ---- definitions ------------------------------------------------------------------------------

  /**
   * Adds a definition and returns its index. `start` is where the declaration starts (modifiers and decorators
   * included, documentation excluded); `end` may be set later with {@link closeDefinition}.
   */
  define(kind: number, name: number, nameStart: number, start: number, end = -1, flags = 0): number {
    const { defs, source } = this
    defs.reserve(D.size)
    const index = defs.count / D.size
    const p = defs.count
    defs.count += D.size
    const d = defs.items
    d.fill(0, p, p + D.size)
    d[p + D.kind] = kind
    d[p + D.flags] = flags
    d[p + D.name] = name
    d[p + D.parent] = this.nestable()
    d[p + D.nameLine] = source.lineOf(nameStart)
    d[p + D.nameColumn] = source.columnOf(nameStart, d[p + D.nameLine]!)
    d[p + D.startLine] = source.lineOf(start)
    d[p + D.startColumn] = source.columnOf(start, d[p + D.startLine]!)
    d[p + D.type] = -1
    d[p + D.owner] = -1
    d[p + D.parameters] = -1
    d[p + D.takes] = -1
    d[p + D.generics] = -1
    if (end >= 0) this.setEnd(index, end)
    return index
  }
  /** The enclosing definition, or one further out when it is nested too deeply to hold another. */
  private nestable(): number {
    const { current, levels } = this
    if (current < 0) return current
    for (let known = levels.length; known <= current; known++) {
      const parent = this.get(known, D.parent)
      levels.push(parent < 0 ? 1 : levels[parent]! + 1)
    }
    return levels[current]! < deepestNesting ? current : this.get(current, D.parent)
  }
  /** Adds a definition and makes it the enclosing one until {@link closeDefinition}. */
  openDefinition(kind: number, name: number, nameStart: number, start: number, flags = 0): number {
    const around = this.current
    const index = this.define(kind, name, nameStart, start, -1, flags)
    if (this.get(index, D.parent) !== around) this.around.set(index, around)
    return (this.current = index)
  }
  closeDefinition(end: number): void {
    const index = this.current
    this.setEnd(index, end)
    this.current = this.around.get(index) ?? this.defs.items[index * D.size + D.parent]!
  }
  setEnd(index: number, end: number): void {
    const line = this.source.lineOf(end)
    this.set(index, D.endLine, line)
    this.set(index, D.endColumn, this.source.columnOf(end, line))
  }
  /** Where the body opens (its brace, colon or first token). A body gives the definition complexity 1. */
  setBody(index: number, start: number): void {
    const line = this.source.lineOf(start)
    this.set(index, D.bodyLine, line)
    this.set(index, D.bodyColumn, this.source.columnOf(start, line))
    if (this.get(index, D.complexity) === 0) this.set(index, D.complexity, 1)
  }
  /** One more path through the enclosing definition that has a body. */
  branch(): void {
    for (let i = this.current; i >= 0; i = this.get(i, D.parent)) {
      const p = i * D.size + D.complexity
      if (this.defs.items[p]! > 0) {
        this.defs.items[p]!++
        return
      }
    }
  }
  setType(index: number, expression: number): void {
    this.set(index, D.type, expression)
  }
  /** The type a member belongs to when it is declared outside of it; `container` is that type's name. */
  setOwner(index: number, expression: number, container: number): void {
    this.set(index, D.owner, expression)
    this.set(index, D.container, container)
  }
  /** The type's name for the qualified name, where there is no expression for it. */
  setContainer(index: number, container: number): void {
    this.set(index, D.container, container)
  }
  addFlags(index: number, flags: number): void {
    this.defs.items[index * D.size + D.flags]! |= flags
  }
  flagsOf(index: number): number {
    return this.get(index, D.flags)
  }
  kindOf(index: number): number {
    return this.get(index, D.kind)
  }
  nameOfDefinition(index: number): number {
    return this.get(index, D.name)
  }
  parentOf(index: number): number {
    return this.get(index, D.parent)
  }
  typeOf(index: number): number {
    return this.get(index, D.type)
  }
  setParameters(index: number, min: number, max: number, variadic: boolean): void {
    this.set(index, D.parameters, Math.min(min, 255) | (Math.min(max, 255) << 8) | (variadic ? 1 << 16 : 0))
  }
  /** Types of the parameters: a tuple expression ({@link withArguments}) whose parts are expressions or -1. */
  setTakes(index: number, tuple: number): void {
    this.set(index, D.takes, tuple)
  }
  /** Type parameters; see {@link D.generics}. */
  setGenerics(index: number, tuple: number): void {
    this.set(index, D.generics, tuple)
  }
  /** The header as one line: source text between two offsets with white space collapsed, cut at 240 bytes. */
  setSignature(index: number, start: number, end: number): void {
    const from = this.blobLength
    this.append(start, end, signatureLimit, true)
    this.set(index, D.signature, from - this.blobStart)
    this.set(index, D.signatureLength, this.blobLength - from)
  }
  /** The documentation comment as written, cut at 320 bytes. */
  setDoc(index: number, start: number, end: number): void {
    const from = this.blobLength
    this.append(start, end, docLimit, false)
    this.set(index, D.doc, from - this.blobStart)
    this.set(index, D.docLength, this.blobLength - from)
  }
  private get(index: number, field: number): number {
    return this.defs.items[index * D.size + field]!
  }
  private set(index: number, field: number, value: number): void {
    this.defs.items[index * D.size + field] = value
  }

  // ---- references -------------------------------------------------------------------------------

  /** A use of a lexical name. Returns the reference, for {@link setCall}. */
  reference(name: number, at: number, role: number, space: number = Space.any): number {
    const index = this.put(name, at, role, Bind.free)
    this.wait(name, at, index * 2, space)
    return index
  }
  /** A use of a member of `receiver` (an expression). */
  memberReference(receiver: number, name: number, at: number, role: number): number {
    return this.put(name, at, role, Bind.member | (receiver << 3))
  }
  /** Turns a reference into a call, or completes one: number of arguments and what becomes of the result. */
  setCall(reference: number, role: number, args: number, use = 0): void {
    const p = reference * R.size
    const r = this.refs.items
    r[p + R.place] = (r[p + R.place]! & 0xffff) | (role << 16) | (use << 20)
    r[p + R.arity] = args + 1
  }
  setRole(reference: number, role: number): void {
    const p = reference * R.size + R.place
    this.refs.items[p] = (this.refs.items[p]! & ~(15 << 16)) | (role << 16)
  }
  setUse(reference: number, use: number): void {
    const p = reference * R.size + R.place
    this.refs.items[p] = (this.refs.items[p]! & ~(15 << 20)) | (use << 20)
  }
  private put(name: number, at: number, role: number, bind: number): number {
    const { refs, source } = this
    refs.reserve(R.size)
    const p = refs.count
    refs.count += R.size
    const r = refs.items
    const line = source.lineOf(at)
    r[p + R.name] = name
    r[p + R.line] = line
    r[p + R.place] = Math.min(source.columnOf(at, line), 0xffff) | (role << 16)
    r[p + R.within] = this.current
    r[p + R.bind] = bind
    r[p + R.arity] = 0
    return p / R.size
  }
  private wait(name: number, at: number, target: number, space: number): void {
    const { pending } = this
    pending.reserve(4)
    pending.push(name)
    pending.push(at)
    pending.push(target)
    pending.push(space)
  }

  // ---- expressions ------------------------------------------------------------------------------

  /** A lexical name as a value or type; bound when its scope closes. */
  nameExpression(name: number, at: number, space: number = Space.any): number {
    const index = this.expression(Op.name, name, Bind.free, 0)
    this.wait(name, at, index * 2 + 1, space)
    return index
  }
  /** Any other operator; see {@link Op} for the operands. */
  expression(op: number, a = 0, b = 0, c = 0): number {
    const { exprs } = this
    exprs.reserve(X.size)
    const p = exprs.count
    exprs.count += X.size
    exprs.items[p] = op
    exprs.items[p + 1] = a
    exprs.items[p + 2] = b
    exprs.items[p + 3] = c
    return p / X.size
  }
  /** Operator of an expression made earlier. */
  operatorOf(expression: number): number {
    return this.exprs.items[expression * X.size]!
  }
  /** A generic type, a tuple or a function type: the parts are copied to the argument list; a part may be -1. */
  withArguments(
    op:
      | typeof Op.generic
      | typeof Op.tuple
      | typeof Op.callable
      | typeof Op.record
      | typeof Op.conditional
      | typeof Op.indexed
      | typeof Op.mapped
      | typeof Op.chosen
      | typeof Op.call,
    base: number,
    parts: ReadonlyArray<number>
  ): number {
    const start = this.args.count
    for (const part of parts) this.args.push(part)
    return this.expression(op, base, start, parts.length)
  }
  /** The first part of an expression made with {@link withArguments}. */
  firstOf(expression: number): number {
    return this.args.items[this.exprs.items[expression * X.size + X.b]!]!
  }
  /** Tells the list of an expression made before: of a call what it is expected to give, then its arguments. */
  setArguments(call: number, parts: ReadonlyArray<number>): void {
    const p = call * X.size
    this.exprs.items[p + X.b] = this.args.count
    this.exprs.items[p + X.c] = parts.length
    for (const part of parts) this.args.push(part)
  }
  /** Whether the expression is a call that could do with knowing what it is expected to give. */
  takesContext(expression: number): boolean {
    const p = expression * X.size
    const x = this.exprs.items
    return expression >= 0 && x[p] === Op.call && x[p + X.c] !== 0 && this.args.items[x[p + X.b]!]! < 0
  }
  /** Tells what a call is expected to give, unless that is known or nothing is told of its arguments. */
  setContext(call: number, expected: number): void {
    const p = call * X.size
    const x = this.exprs.items
    if (x[p] !== Op.call || x[p + X.c] === 0) return
    if (this.args.items[x[p + X.b]!]! < 0) this.args.items[x[p + X.b]!] = expected
  }

  // ---- the rest ---------------------------------------------------------------------------------

  /** Records an import and returns its index; bind its local name with {@link bindImport}. */
  import(module: number, imported: number, local: number, flags: number, at: number, level = 0): number {
    const { imports, source } = this
    const index = imports.count / I.size
    const line = source.lineOf(at)
    for (const v of [module, imported, local, flags, line, source.columnOf(at, line), this.current, level])
      imports.push(v)
    return index
  }
  export(exported: number, local: number, from: number, imported: number, at: number, definition = -1): void {
    const line = this.source.lineOf(at)
    for (const v of [exported, local, from, imported, line, this.source.columnOf(at, line), definition])
      this.exports.push(v)
  }
  /** `subject` is a definition, or -1 with its type given as an expression (Rust `impl Trait for Type`). */
  inherit(subject: number, subjectType: number, superType: number, how: number, at: number): void {
    for (const v of [subject, subjectType, superType, how, this.source.lineOf(at)]) this.inherits.push(v)
  }
  mark(kind: number, start: number, end: number): void {
    const from = this.blobLength
    this.append(start, end, docLimit, true)
    const line = this.source.lineOf(start)
    for (const v of [kind, from - this.blobStart, this.blobLength - from, line, this.current])
      this.marks.push(v)
  }
  setPackage(name: number): void {
    this.packageName = name
  }
  setRunner(name: number): void {
    this.runnerName = name
  }
  addParseError(): void {
    this.parseErrors++
  }

  private append(start: number, end: number, limit: number, collapse: boolean): void {
    const { source } = this
    let bytes = source.bytes
    if (source.text !== undefined) {
      bytes = encoder.encode(source.text.slice(start, Math.min(end, start + limit)))
      start = 0
      end = bytes.length
    }
    end = Math.min(end, start + limit * (collapse ? 2 : 1), bytes.length)
    if (this.blobLength + limit + 8 > this.blob.length) {
      const more = new Uint8Array(this.blob.length * 2)
      more.set(this.blob)
      this.blob = more
    }
    const { blob } = this
    let to = this.blobLength
    const stop = to + limit
    let gap = false
    for (let i = start; i < end && to < stop; i++) {
      const b = bytes[i]!
      if (collapse && (b === 32 || b === 9 || b === 10 || b === 13)) {
        gap = to > this.blobLength
        continue
      }
      if (gap) {
        blob[to++] = 32
        gap = false
      }
      blob[to++] = b
    }
    // Never end inside a UTF-8 sequence.
    if (to === stop) {
      while (to > this.blobLength && (blob[to - 1]! & 0xc0) === 0x80) to--
      if (to > this.blobLength && blob[to - 1]! >= 0xc0) to--
    }
    this.blobLength = to
  }

  // ---- output -----------------------------------------------------------------------------------

  /** Closes the file and appends its facts to the batch. */
  end(): void {
    if (this.scopes.count !== 3)
      throw new RangeError(`${this.source.path}: ${this.scopes.count / 3} scopes open at the end, expected 1`)
    this.closeScope()
    this.dropLocals()
    if (this.compact) this.shareExpressions()
    const out = this.out
    const start = out.count
    const sections = [
      this.defs,
      this.exprs,
      this.args,
      this.imports,
      this.exports,
      this.inherits,
      this.marks,
      this.refs
    ]
    const counts = [
      H.definitions,
      H.expressions,
      H.arguments,
      H.imports,
      H.exports,
      H.inherits,
      H.marks,
      H.references
    ]
    const sizes = [D.size, X.size, 1, I.size, E.size, N.size, M.size, R.size]
    let length = H.size
    for (const s of sections) length += s.count
    out.reserve(length)
    const o = out.items
    sections.forEach((s, i) => {
      o[start + counts[i]!] = s.count / sizes[i]!
    })
    o[start + H.package] = this.packageName
    o[start + H.runner] = this.runnerName
    o[start + H.parseErrors] = this.parseErrors
    o[start + H.lines] = this.source.lineCount
    o[start + H.textLength] = this.blobLength - this.blobStart
    o[start + H.length] = length
    let p = start + H.size
    for (const s of sections) {
      o.set(s.items.subarray(0, s.count), p)
      p += s.count
    }
    const [high, low] = this.interfaceHash()
    o[start + H.interfaceHigh] = high
    o[start + H.interfaceLow] = low
    out.count = start + length
    this.at.push(start)
    this.textAt.push(this.blobStart)
  }
  /** Gives up on the file begun last; the batch records that it has no facts. */
  abandon(): void {
    this.blobLength = this.blobStart
    this.at.push(-1)
    this.textAt.push(-1)
  }

  /** The batch so far, emptied for the next one. */
  take() {
    const batch = {
      ints: this.out.items.slice(0, this.out.count),
      text: this.blob.slice(0, this.blobLength),
      strings: this.interner.since(this.sent),
      at: this.at.items.slice(0, this.at.count),
      textAt: this.textAt.items.slice(0, this.textAt.count)
    }
    this.sent = this.interner.size
    this.out.count = this.at.count = this.textAt.count = 0
    this.blobLength = this.blobStart = 0
    return batch
  }

  /** The facts of the file ended last, read in place: for tests. */
  last(): FactsView {
    return new FactsView(
      this.out.items,
      this.at.items[this.at.count - 1]!,
      this.blob,
      this.textAt.items[this.textAt.count - 1]!
    )
  }

  private dropLocals(): void {
    const r = this.refs.items
    let to = 0
    for (let p = 0; p < this.refs.count; p += R.size) {
      if ((r[p + R.bind]! & 7) === Bind.local) continue
      if (to !== p) r.copyWithin(to, p, p + R.size)
      to += R.size
    }
    this.refs.count = to
  }

  /** Replaces local variables by what they hold, shares equal expressions, drops those nothing uses. */
  private shareExpressions(): void {
    const count = this.exprs.count / X.size
    if (count === 0) return
    const { sharing } = this
    sharing.settle(this.exprs.items, count)
    const d = this.defs.items
    for (let p = 0; p < this.defs.count; p += D.size) {
      sharing.need(d[p + D.type]!)
      sharing.need(d[p + D.owner]!)
      sharing.need(d[p + D.takes]!)
      sharing.need(d[p + D.generics]!)
    }
    const n = this.inherits.items
    for (let p = 0; p < this.inherits.count; p += N.size) {
      sharing.need(n[p + N.subjectType]!)
      sharing.need(n[p + N.superType]!)
    }
    const r = this.refs.items
    for (let p = R.bind; p < this.refs.count; p += R.size)
      if ((r[p]! & 7) === Bind.member) sharing.need(r[p]! >> 3)
    this.exprs.count = sharing.rewrite(this.args) * X.size
    for (let p = 0; p < this.defs.count; p += D.size) {
      d[p + D.type] = sharing.now(d[p + D.type]!)
      d[p + D.owner] = sharing.now(d[p + D.owner]!)
      d[p + D.takes] = sharing.now(d[p + D.takes]!)
      d[p + D.generics] = sharing.now(d[p + D.generics]!)
    }
    for (let p = 0; p < this.inherits.count; p += N.size) {
      n[p + N.subjectType] = sharing.now(n[p + N.subjectType]!)
      n[p + N.superType] = sharing.now(n[p + N.superType]!)
    }
    for (let p = R.bind; p < this.refs.count; p += R.size)
      if ((r[p]! & 7) === Bind.member) r[p] = Bind.member | (sharing.now(r[p]! >> 3) << 3)
  }

  /** A hash of what other files can depend on: never of positions, bodies or local names. */
  private interfaceHash(): readonly [number, number] {
    let high = 0x811c9dc5 | 0
    let low = 0x1b873593 | 0
    const mix = (v: number) => {
      high = Math.imul(high ^ v, 0x01000193)
      low = (Math.imul((low << 13) | (low >>> 19), 5) + (v ^ 0x5bd1e995)) | 0
    }
    const name = (id: number) => mix(this.interner.hash(id))
    const tree = (expression: number, depth: number): void => {
      if (expression < 0 || depth > 12) return mix(-1)
      const p = expression * X.size
      const x = this.exprs.items
      const op = x[p]!
      mix(op)
      switch (op) {
        case Op.name:
          name(x[p + 1]!)
          mix(x[p + 2]!)
          if (x[p + 2] === Bind.local) tree(x[p + 3]!, depth + 1)
          else mix(x[p + 3]!)
          return
        case Op.member:
          name(x[p + 2]!)
          return tree(x[p + 1]!, depth + 1)
        case Op.literal:
          return name(x[p + 1]!)
        case Op.self:
        case Op.selfType:
        case Op.super:
        case Op.function:
        case Op.thisType:
          return mix(x[p + 1]!)
        case Op.union:
          tree(x[p + 1]!, depth + 1)
          return tree(x[p + 2]!, depth + 1)
        case Op.generic:
        case Op.tuple:
        case Op.callable:
        case Op.record:
        case Op.conditional:
        case Op.indexed:
        case Op.mapped:
        case Op.chosen:
        case Op.call:
          if (leads(op)) tree(x[p + 1]!, depth + 1)
          for (let i = 0; i < x[p + 3]!; i++) tree(this.args.items[x[p + 2]! + i]!, depth + 1)
          return
        case Op.slot:
        case Op.argument:
        case Op.parameter:
        case Op.signature:
          mix(x[p + 2]!)
          return tree(x[p + 1]!, depth + 1)
        case Op.property:
          name(x[p + 2]!)
          return tree(x[p + 1]!, depth + 1)
        case Op.typeParameter:
          // A constraint may be written with the parameter itself.
          name(x[p + 2]!)
          return tree(x[p + 1]!, depth + 4)
        case Op.unknown:
          return
        default:
          return tree(x[p + 1]!, depth + 1)
      }
    }
    name(this.packageName)
    const d = this.defs.items
    for (let p = 0; p < this.defs.count; p += D.size) {
      mix(d[p + D.kind]!)
      mix(d[p + D.flags]!)
      name(d[p + D.name]!)
      mix(d[p + D.parent]!)
      name(d[p + D.container]!)
      mix(d[p + D.parameters]!)
      if ((d[p + D.flags]! & Flag.local) === 0) {
        tree(d[p + D.type]!, 0)
        tree(d[p + D.owner]!, 0)
        tree(d[p + D.takes]!, 0)
        tree(d[p + D.generics]!, 0)
      }
    }
    const i = this.imports.items
    for (let p = 0; p < this.imports.count; p += I.size) {
      name(i[p + I.module]!)
      name(i[p + I.imported]!)
      name(i[p + I.local]!)
      mix(i[p + I.flags]!)
      mix(i[p + I.level]!)
    }
    const e = this.exports.items
    for (let p = 0; p < this.exports.count; p += E.size) {
      for (const f of [E.exported, E.local, E.from, E.imported]) name(e[p + f]!)
      mix(e[p + E.definition]!)
    }
    const n = this.inherits.items
    for (let p = 0; p < this.inherits.count; p += N.size) {
      mix(n[p + N.subject]!)
      tree(n[p + N.subjectType]!, 0)
      tree(n[p + N.superType]!, 0)
      mix(n[p + N.how]!)
    }
    return [high, low]
  }
}
const encoder = new TextEncoder()
