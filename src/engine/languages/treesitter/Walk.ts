/**
 * Runs a rule set over one file's tree and writes the facts. The walk is a single loop over the rows of the tree;
 * a visit may open scopes and definitions, which close by themselves when the walk leaves the node, and may give
 * its descendants roles before they are reached.
 */
import { type FactsBuilder, Scope, Space } from "../FactsBuilder.ts"
import type { Interner } from "../Interner.ts"
import { type DefinitionKind, Flag, kindNumber, Mark, Op, ResultUse, Role } from "../Vocabulary.ts"
import type { Rules, Form, Visit } from "./Rules.ts"
import { type Node, NodeFlag, type SyntaxTree } from "./SyntaxTree.ts"

/** Role value of a subtree that the walk leaves out. */
const skipped = 255
/** Nested expressions deeper than this are not followed: their value is not known. */
const expressionDepth = 150
/** Parse errors are counted up to here. */
const errorLimit = 1_000

const typeKinds: ReadonlyArray<DefinitionKind> = [
  "class",
  "interface",
  "struct",
  "enum",
  "trait",
  "object",
  "annotation",
  "union",
  "extension",
  "module",
  "namespace"
]
const functionKinds: ReadonlyArray<DefinitionKind> = ["function", "method", "constructor", "test", "operator"]
const isTypeKind = new Set<number>(typeKinds.filter((k) => k !== "namespace").map((k) => kindNumber[k]))
const isFunctionKind = new Set<number>(functionKinds.map((k) => kindNumber[k]))

export interface Declaration {
  readonly kind: DefinitionKind
  /** Node that spells the name. */
  readonly name: Node
  /** The name, where it is not just the node's text. */
  readonly as?: string
  readonly flags?: number
  /** The body node; a declaration without one is a signature. */
  readonly body?: Node
  /** Where the signature starts; by default where the declaration does. */
  readonly header?: number
  /** Where the signature ends; by default where the body starts. */
  readonly headerEnd?: number
  /** Where the declaration starts; by default where the node does. */
  readonly start?: number
  /** Where the declaration ends; by default where the node does. */
  readonly end?: number
  /** Name space to bind the name in, 0 for none; by default all. */
  readonly space?: number
  /** From where on the name is visible; by default in its whole scope. */
  readonly visibleFrom?: number
  /** How many scopes out the name is bound. */
  readonly up?: number
}

/** Names seen before, so that most identifiers are interned without encoding them again. */
const knownNames = new WeakMap<Interner, Map<string, number>>()

interface Prepared {
  readonly visits: ReadonlyArray<Visit | undefined>
  readonly values: ReadonlyArray<Form | undefined>
  readonly types: ReadonlyArray<Form | undefined>
  readonly passes: Uint8Array
  readonly comments: Uint8Array
  readonly strings: Uint8Array
  readonly errorType: number
}

/** Turns a rule set's node type names into tables by number. Throws when a rule names a type the grammar lacks. */
export const prepare = (rules: Rules, tree: SyntaxTree): Prepared => {
  const { types } = tree
  const table = <A>(from: { readonly [type: string]: A }): ReadonlyArray<A | undefined> =>
    types.map((t) => (Object.hasOwn(from, t) ? from[t] : undefined))
  const set = (names: ReadonlyArray<string>) => Uint8Array.from(types, (t) => (names.includes(t) ? 1 : 0))
  return {
    visits: table(rules.nodes),
    values: table(rules.values),
    types: table(rules.types),
    passes: set(rules.passes),
    comments: set(rules.comments),
    strings: set(rules.strings),
    errorType: types.length - 1
  }
}

/** Node types that a rule set names and its grammar does not have: a misspelling, or another version of the grammar. */
export const unknownTypes = (rules: Rules, tree: SyntaxTree): ReadonlyArray<string> => {
  const known = new Set(tree.types)
  return [
    ...Object.keys(rules.nodes),
    ...Object.keys(rules.values),
    ...Object.keys(rules.types),
    ...rules.passes,
    ...rules.comments,
    ...Object.keys(rules.uses),
    ...rules.strings
  ].filter((t) => !known.has(t))
}

export class Walk {
  readonly b: FactsBuilder
  readonly source: string
  private readonly owners = new Map<number, { readonly type: number; readonly name: number }>()
  /** Free for a rule set's own bookkeeping within one file. */
  readonly notes = new Map<string, number>()
  private roles: Uint8Array
  private valueMemo: Int32Array
  private typeMemo: Int32Array
  private depth = 0
  private unknownExpression = -1
  private errors = 0
  private readonly exitAt: Array<number> = []
  private readonly exits: Array<(() => void) | undefined> = []
  private readonly names: Map<string, number>
  private jump = -1
  // The comment block read last: start, end, whether it stands on its own lines and documents.
  private docStart = -1
  private docEnd = -1

  constructor(
    readonly tree: SyntaxTree,
    builder: FactsBuilder,
    private readonly rules: Rules,
    private readonly prepared: Prepared
  ) {
    this.b = builder
    this.source = builder.source.text ?? ""
    this.roles = new Uint8Array(tree.count)
    this.valueMemo = new Int32Array(tree.count)
    this.typeMemo = new Int32Array(tree.count)
    let names = knownNames.get(builder.interner)
    if (names === undefined) knownNames.set(builder.interner, (names = new Map()))
    this.names = names
  }

  run(): void {
    const { tree, prepared, roles, exitAt } = this
    const { symbol, flags, after } = tree
    this.rules.begin?.(this)
    for (let n = 0, count = tree.count; n < count; ) {
      while (exitAt.length > 0 && exitAt[exitAt.length - 1]! <= n) this.leave()
      const role = roles[n]!
      if (role === skipped) {
        n = after[n]!
        continue
      }
      const s = symbol[n]!
      const f = flags[n]!
      if ((f & NodeFlag.missing) !== 0 || s === prepared.errorType) {
        if (this.errors++ < errorLimit) this.b.addParseError()
      }
      if ((f & (NodeFlag.named | NodeFlag.missing)) === NodeFlag.named) {
        if (prepared.comments[s] === 1) {
          this.comment(n)
          n = after[n]!
          continue
        }
        if (prepared.strings[s] === 1) this.literal(n)
        const visit = prepared.visits[s]
        if (visit !== undefined) {
          visit(this, n)
          if (this.jump >= 0) {
            n = this.jump
            this.jump = -1
            continue
          }
        }
        if (prepared.passes[s] === 1 && roles[n] !== 0) {
          const pass = roles[n]!
          for (let c = n + 1, end = after[n]!; c < end; c = after[c]!) if (roles[c] === 0) roles[c] = pass
        }
      }
      n++
    }
    while (exitAt.length > 0) this.leave()
    this.rules.finish?.(this)
  }

  private leave(): void {
    this.exitAt.pop()
    this.exits.pop()!()
  }

  /** Runs when the walk leaves the node; later registrations run first. */
  onLeave(n: Node, run: () => void): void {
    this.exitAt.push(this.tree.after[n]!)
    this.exits.push(run)
  }

  // ---- the tree ---------------------------------------------------------------------------------

  type(n: Node): string {
    return this.tree.type(n)
  }
  child(n: Node, field: string): Node {
    return this.tree.child(n, field)
  }
  childOf(n: Node, type: string): Node {
    return this.tree.childOf(n, type)
  }
  named(n: Node, index = 0): Node {
    return this.tree.named(n, index)
  }
  all(n: Node): Array<Node> {
    return this.tree.namedChildren(n)
  }
  parent(n: Node): Node {
    return n < 0 ? -1 : this.tree.parent[n]!
  }
  start(n: Node): number {
    return this.tree.start[n]!
  }
  end(n: Node): number {
    return this.tree.end[n]!
  }
  text(n: Node): string {
    return n < 0 ? "" : this.source.slice(this.tree.start[n]!, this.tree.end[n]!)
  }
  /** Whether the node has a token child with this text. */
  has(n: Node, token: string): boolean {
    return this.tree.childOf(n, token) >= 0
  }
  /** All children with the field. */
  withField(n: Node, field: string): Array<Node> {
    return this.tree
      .children(n)
      .filter((c) => this.tree.hasField(c, field) && (this.tree.flags[c]! & NodeFlag.missing) === 0)
  }
  /** Number of named children that are no comments. */
  countNamed(n: Node): number {
    let count = 0
    if (n < 0) return 0
    const { flags, after } = this.tree
    for (let c = n + 1, end = after[n]!; c < end; c = after[c]!) {
      if ((flags[c]! & (NodeFlag.named | NodeFlag.extra | NodeFlag.missing)) === NodeFlag.named) count++
    }
    return count
  }
  /** Nearest ancestor of one of the types. */
  ancestor(n: Node, ...types: ReadonlyArray<string>): Node {
    for (let p = this.parent(n); p >= 0; p = this.parent(p)) if (types.includes(this.type(p))) return p
    return -1
  }

  // ---- roles ------------------------------------------------------------------------------------

  /** Gives the node a role, which its visit uses instead of its own. A node left out of the walk stays so. */
  assign(n: Node, role: number): void {
    if (n >= 0 && this.roles[n] !== skipped) this.roles[n] = role + 1
  }
  /** Gives the role unless the node has one. */
  suggest(n: Node, role: number): void {
    if (n >= 0 && this.roles[n] === 0) this.roles[n] = role + 1
  }
  roleOf(n: Node, fallback: number): number {
    const role = this.roles[n]!
    return role === 0 ? fallback : role - 1
  }
  hasRole(n: Node): boolean {
    return this.roles[n] !== 0
  }
  /** Leaves the node and all below it out of the walk. */
  skip(n: Node): void {
    if (n >= 0) this.roles[n] = skipped
  }
  /** From within a visit: goes on after the node, leaving its children out. */
  skipChildren(n: Node): void {
    this.jump = this.tree.after[n]!
  }

  // ---- names and references ---------------------------------------------------------------------

  intern(text: string): number {
    let id = this.names.get(text)
    if (id === undefined) {
      id = this.b.nameOf(text)
      // A copy, so that the map does not keep the file's whole text alive.
      this.names.set(text.length < 13 ? text : Buffer.from(text).toString(), id)
    }
    return id
  }
  /** The text of an interned name. */
  spelled(name: number): string {
    return this.b.interner.text(name)
  }
  name(n: Node): number {
    return this.intern(this.text(n))
  }
  /** A use of a lexical name spelled by the node. Returns the reference, -1 where error recovery left the name empty. */
  reference(n: Node, role: number, space: number = Space.any): number {
    const name = this.name(n)
    return name === 0 ? -1 : this.b.reference(name, this.start(n), role, space)
  }
  /** A use of a member spelled by the node, on the value of `receiver`. */
  member(receiver: Node, n: Node, role: number): number {
    return this.memberReference(
      receiver < 0 ? this.unknown : this.receiverOf(receiver),
      this.name(n),
      this.start(n),
      role
    )
  }
  /** A use of a member of a value or type given as an expression. */
  memberReference(receiver: number, name: number, at: number, role: number): number {
    return name === 0 ? -1 : this.b.memberReference(receiver, name, at, role)
  }
  setCall(reference: number, role: number, args: number, use = 0): void {
    if (reference >= 0) this.b.setCall(reference, role, args, use)
  }
  /** Completes a reference as a call whose arguments are the named children of `args`. */
  called(reference: number, call: Node, args: Node, role: number = Role.call): void {
    this.setCall(reference, role, this.countNamed(args), this.useOf(call))
  }

  /** What becomes of the node's value. */
  useOf(n: Node): number {
    let at = n
    for (let i = 0; i < 4; i++) {
      const parent = this.parent(at)
      if (parent < 0) return ResultUse.unknown
      const type = this.type(parent)
      const use = Object.hasOwn(this.rules.uses, type) ? this.rules.uses[type] : undefined
      if (use !== undefined) return ResultUse[use]
      if (!type.startsWith("parenthesized")) return ResultUse.unknown
      at = parent
    }
    return ResultUse.unknown
  }

  // ---- expressions ------------------------------------------------------------------------------

  /** One expression for all values of which nothing is known. */
  get unknown(): number {
    return this.unknownExpression < 0
      ? (this.unknownExpression = this.b.expression(Op.unknown))
      : this.unknownExpression
  }
  /** Expression of a value, -1 when nothing is known of it. */
  valueOf(n: Node): number {
    return this.form(n, this.valueMemo, this.prepared.values)
  }
  /** As {@link valueOf}, with an unknown expression instead of -1. */
  receiverOf(n: Node): number {
    const value = this.valueOf(n)
    return value < 0 ? this.unknown : value
  }
  /** Expression that names a type, -1 when it is not understood. */
  typeOf(n: Node): number {
    return this.form(n, this.typeMemo, this.prepared.types)
  }
  /** Instance of the type the node names, or -1. */
  instanceOf(n: Node): number {
    const type = this.typeOf(n)
    return type < 0 ? -1 : this.b.expression(Op.instance, type)
  }
  private form(n: Node, memo: Int32Array, forms: ReadonlyArray<Form | undefined>): number {
    if (n < 0) return -1
    const known = memo[n]!
    if (known !== 0) return known === -1 ? -1 : known - 1
    const form = forms[this.tree.symbol[n]!]
    if (form === undefined || this.depth >= expressionDepth) return -1
    this.depth++
    const made = form(this, n)
    this.depth--
    memo[n] = made < 0 ? -1 : made + 1
    return made
  }
  literalExpression(name: string): number {
    return this.b.expression(Op.literal, this.intern(name))
  }
  nameExpression(n: Node, space: number = Space.any): number {
    return this.b.nameExpression(this.name(n), this.start(n), space)
  }
  memberExpression(receiver: number, n: Node): number {
    return this.b.expression(Op.member, receiver < 0 ? this.unknown : receiver, this.name(n))
  }
  /** A collection type: "array" of one part, "map" of two. Unknown parts stay unknown. */
  collection(name: "array" | "map", parts: ReadonlyArray<number>): number {
    return this.b.withArguments(
      Op.generic,
      this.literalExpression(name),
      parts.map((p) => (p < 0 ? this.unknown : p))
    )
  }
  generic(base: number, parts: ReadonlyArray<number>): number {
    if (base < 0) return -1
    return parts.length === 0
      ? base
      : this.b.withArguments(
          Op.generic,
          base,
          parts.map((p) => (p < 0 ? this.unknown : p))
        )
  }

  // ---- scopes and definitions -------------------------------------------------------------------

  /** The type a member declared elsewhere belongs to: an expression, and the type's name. */
  setOwner(definition: number, type: number, name: number): void {
    this.b.setOwner(definition, type, name)
    this.owners.set(definition, { type, name })
  }

  /** Opens a scope that closes when the walk leaves the node. */
  scope(n: Node, kind: number = Scope.block): void {
    this.b.openScope(kind)
    this.onLeave(n, () => this.b.closeScope())
  }

  /** Opens a definition that closes when the walk leaves the node. Binds its name in the scope open now. */
  open(n: Node, d: Declaration): number {
    const index = this.definition(n, d, true)
    const end = d.end ?? this.end(n)
    this.onLeave(n, () => this.b.closeDefinition(end))
    return index
  }
  /** Adds a definition that encloses nothing. */
  define(n: Node, d: Declaration): number {
    return this.definition(n, d, false)
  }
  private definition(n: Node, d: Declaration, opens: boolean): number {
    const { b } = this
    const name = d.as === undefined ? this.name(d.name) : this.intern(d.as)
    const start = d.start ?? this.start(n)
    const flags = (d.flags ?? 0) | (this.insideFunction() ? Flag.local : 0)
    const index = opens
      ? b.openDefinition(kindNumber[d.kind], name, this.start(d.name), start, flags)
      : b.define(kindNumber[d.kind], name, this.start(d.name), start, d.end ?? this.end(n), flags)
    const body = d.body ?? -1
    const header = d.header ?? start
    b.setSignature(
      index,
      header,
      Math.max(header, d.headerEnd ?? (body >= 0 ? this.start(body) : this.end(n)))
    )
    if (body >= 0 && isFunctionKind.has(kindNumber[d.kind])) b.setBody(index, this.start(body))
    this.document(index, start)
    const space = d.space ?? Space.any
    if (space !== 0) {
      if ((d.up ?? 0) > 0) b.bindDefinitionOuter(d.up!, name, index, d.visibleFrom ?? 0, space)
      else b.bindDefinition(name, index, d.visibleFrom ?? 0, space)
    }
    return index
  }

  /** The type of an unannotated function, from the value of a `return` in it: the first that says something. */
  returns(value: Node): void {
    const f = this.enclosingFunction()
    if (f < 0 || this.b.typeOf(f) >= 0) return
    const expression = this.valueOf(value)
    if (expression >= 0 && this.b.operatorOf(expression) !== Op.unknown) this.b.setType(f, expression)
  }

  /** Runs with another definition as the enclosing one, for members declared inside of a function. */
  inside(definition: number, run: () => void): void {
    const { b } = this
    const before = b.current
    b.current = definition
    run()
    b.current = before
  }

  /** Declares a parameter or local variable spelled by the node. */
  local(n: Node, type = -1, visibleFrom?: number): void {
    if (n >= 0) this.b.bindLocal(this.name(n), type, visibleFrom ?? this.start(n))
  }

  /** Whether a definition made now would be inside a function's body. */
  insideFunction(): boolean {
    const { b } = this
    return (
      b.current >= 0 && (isFunctionKind.has(b.kindOf(b.current)) || (b.flagsOf(b.current) & Flag.local) !== 0)
    )
  }
  /** The innermost enclosing type definition, -1 outside of types. */
  enclosingType(): number {
    const { b } = this
    let at = b.current
    while (at >= 0 && !isTypeKind.has(b.kindOf(at))) at = b.parentOf(at)
    return at
  }
  /** The innermost enclosing function definition, -1 outside of functions. */
  enclosingFunction(): number {
    const { b } = this
    let at = b.current
    while (at >= 0 && !isFunctionKind.has(b.kindOf(at))) at = b.parentOf(at)
    return at
  }
  /** The type that the innermost enclosing function belongs to though declared elsewhere: expression and name. */
  enclosingOwner(): { readonly type: number; readonly name: number } | undefined {
    const f = this.enclosingFunction()
    return f < 0 ? undefined : this.owners.get(f)
  }
  /** Whether the definition being read is a type. */
  directlyInType(): boolean {
    return this.b.current >= 0 && isTypeKind.has(this.b.kindOf(this.b.current))
  }

  /** Sets minimum, maximum and variadic from one word per parameter; `undefined` counts for nothing. */
  parameters(index: number, list: Iterable<"required" | "optional" | "variadic" | undefined>): void {
    let min = 0
    let max = 0
    let variadic = false
    for (const p of list) {
      if (p === undefined) continue
      if (p === "variadic") variadic = true
      else {
        max++
        if (p === "required") min++
      }
    }
    this.b.setParameters(index, min, max, variadic)
  }

  // ---- comments and literals --------------------------------------------------------------------

  private comment(n: Node): void {
    const start = this.start(n)
    let end = this.end(n)
    while (end > start && (this.source.charCodeAt(end - 1) === 10 || this.source.charCodeAt(end - 1) === 13))
      end--
    const text = this.source.slice(start, end)
    if (this.rules.docs.test(text) && this.startsLine(start)) {
      if (this.docEnd < 0 || !this.adjoins(this.docEnd, start)) this.docStart = start
      this.docEnd = end
    }
    if (/\b(?:TODO|FIXME|HACK|XXX)\b/.test(text)) {
      let line = 0
      for (const part of text.split("\n")) {
        const at = /\b(?:TODO|FIXME|HACK|XXX)\b.*/.exec(part)
        if (at !== null) {
          const from = start + line + at.index
          this.b.mark(Mark.todo, from, from + at[0].replace(/\s*(?:\*\/|-->|\]\])?\s*$/, "").length)
        }
        line += part.length + 1
      }
    }
  }
  private startsLine(at: number): boolean {
    for (let i = at - 1; i >= 0; i--) {
      const c = this.source.charCodeAt(i)
      if (c === 10) return true
      if (c !== 32 && c !== 9 && c !== 0xfeff) return false
    }
    return true
  }
  /** Whether only white space with at most one line end lies between the offsets. */
  private adjoins(from: number, to: number): boolean {
    let lines = 0
    for (let i = from; i < to; i++) {
      const c = this.source.charCodeAt(i)
      if (c === 10) lines++
      else if (c !== 32 && c !== 9 && c !== 13) return false
    }
    return lines <= 1
  }
  /** The documentation block that ends directly above the offset, as [start, end]. */
  documentation(at: number): readonly [number, number] | undefined {
    return this.docEnd >= 0 && this.docEnd <= at && this.adjoins(this.docEnd, at)
      ? [this.docStart, this.docEnd]
      : undefined
  }
  private document(index: number, start: number): void {
    // A declaration that shares its line with the start of a larger one is documented by what is above that.
    const doc = this.documentation(start)
    if (doc === undefined) return
    this.b.setDoc(index, doc[0], doc[1])
    if (/@deprecated\b|\\deprecated\b/i.test(this.source.slice(doc[0], doc[1])))
      this.b.addFlags(index, Flag.deprecated)
  }

  private literal(n: Node): void {
    const start = this.start(n)
    const end = this.end(n)
    let from = start
    while (from < end && /["'`@$LuUR8]/.test(this.source[from]!)) from++
    let to = end
    while (to > from && /["'`]/.test(this.source[to - 1]!)) to--
    if (to - from < 8) return
    const head = this.source.slice(from, Math.min(to, from + 40))
    if (/^https?:\/\/\S/.test(head)) this.b.mark(Mark.url, from, to)
    else if (
      /^\s*(?:SELECT\s|INSERT\s+INTO\s|UPDATE\s+\S+\s+SET\b|DELETE\s+FROM\s|CREATE\s+(?:TABLE|INDEX|VIEW|UNIQUE|TEMP)|ALTER\s+TABLE\s|WITH\s+\w+\s+AS\b)/i.test(
        head
      )
    ) {
      this.b.mark(Mark.sql, from, to)
    }
  }
  /** Content of a string literal, quotes left out. */
  content(n: Node): readonly [number, number] {
    let from = this.start(n)
    let to = this.end(n)
    while (from < to && !/["'`]/.test(this.source[from]!)) from++
    while (from < to && /["'`]/.test(this.source[from]!)) from++
    while (to > from && /["'`]/.test(this.source[to - 1]!)) to--
    return [from, to]
  }
  isString(n: Node): boolean {
    return n >= 0 && this.prepared.strings[this.tree.symbol[n]!] === 1
  }
  /** Marks a route or an environment variable named by the first argument of a call of `name`. */
  markCall(name: string, args: Node): void {
    const env = this.rules.environment?.includes(name) === true
    const route = this.rules.routes?.includes(name) === true
    if (!env && !route) return
    let first = this.named(args)
    while (first >= 0 && !this.isString(first) && /^(?:value_)?argument$/.test(this.type(first)))
      first = this.named(first)
    if (route) this.markRoute(first)
    else this.markEnvironment(first)
  }
  /** Marks a string literal as a route if it starts with a slash. */
  markRoute(n: Node): void {
    if (!this.isString(n)) return
    const [from, to] = this.content(n)
    if (this.source[from] === "/") this.b.mark(Mark.route, from, to)
  }
  /** Marks a string literal as the name of an environment variable. */
  markEnvironment(n: Node): void {
    if (!this.isString(n)) return
    const [from, to] = this.content(n)
    if (to > from) this.b.mark(Mark.env, from, to)
  }
}
