/**
 * Walks a file's syntax once and lowers every function in it. What a node type means is told by the tables of its
 * language; this holds what all of them share: scopes, slots, statements, calls, patterns, branches.
 */
import type { Stretch } from "../languages/treesitter/Grammar.ts"
import { type Node, NodeFlag, type SyntaxTree } from "../languages/treesitter/SyntaxTree.ts"
import { FunctionBuilder } from "./FunctionBuilder.ts"
import { type FileIr, type FunctionIr, type How, linesOf, type Slot, type SlotKind } from "./Ir.ts"

export type LowerNode = (lower: Lower, node: Node) => void
export type LowerExpression = (lower: Lower, node: Node) => number
export type LowerPattern = (lower: Lower, node: Node, value: number, declares: boolean) => void

/** What a function node says of itself. */
export interface FunctionParts {
  readonly name: Node
  /** A name of another kind, such as that of an accessor. */
  readonly word?: string
  readonly generator?: boolean
  readonly async?: boolean
  readonly marks?: ReadonlyArray<string>
  /** Lowers parameters and body; runs with the function's builder current. */
  readonly body: () => void
}

export interface Language {
  /** Language ids this tells of. */
  readonly ids: ReadonlyArray<string>
  /** A short valid text. */
  readonly probe: string
  /** Reads a text, or parts of it, without the grammar; undefined for one it does not understand. */
  readonly read?: (text: string, parts: ReadonlyArray<Stretch> | undefined) => SyntaxTree | undefined
  /** Node types of plain names. */
  readonly names: ReadonlySet<string>
  readonly functions: { readonly [type: string]: (lower: Lower, node: Node) => FunctionParts }
  readonly statements: { readonly [type: string]: LowerNode }
  readonly expressions: { readonly [type: string]: LowerExpression }
  readonly patterns: { readonly [type: string]: LowerPattern }
  /** Node types that hold no values: types, comments, attributes. */
  readonly silent: ReadonlySet<string>
  /** A bare name that nothing declares may be a field of the object. */
  readonly fieldsByName?: boolean
  /** Names of a body that belong to the whole function although they are declared further down. */
  readonly hoist?: (lower: Lower, body: Node) => void
}

interface Scope {
  names: ReadonlyMap<string, number>
  readonly outer: Scope | undefined
  readonly fn: number
  /** A function's own, where names without a block of their own go. */
  readonly whole: boolean
}

/** Most blocks declare nothing. */
const noNames: ReadonlyMap<string, number> = new Map()
const enterName = (scope: Scope, name: string, slot: number): void => {
  if (scope.names === noNames) scope.names = new Map()
  ;(scope.names as Map<string, number>).set(name, slot)
}

interface Waiting {
  readonly node: Node
  readonly parts: FunctionParts
  readonly scope: Scope
  readonly index: number
  readonly parent: number
  readonly nameAt: number
  readonly name: string
}

/** Levels of syntax that are walked into; what is deeper counts as one expression that reads the names in it. */
const deepest = 260
const longestPath = 120

export class Lower {
  readonly slots: Array<Slot> = []
  readonly captures = new Map<number, Array<{ readonly fn: number; readonly op: number }>>()
  private readonly done: Array<FunctionIr> = []
  private readonly waiting: Array<Waiting> = []
  private readonly free: Scope
  private count = 1
  private depth = 0
  private wanted: { readonly at: number; readonly name: string } | undefined
  scope: Scope
  fn: FunctionBuilder

  constructor(
    readonly tree: SyntaxTree,
    readonly text: string,
    readonly language: Language
  ) {
    this.free = { names: noNames, outer: undefined, fn: 0, whole: true }
    this.scope = { names: noNames, outer: this.free, fn: 0, whole: true }
    this.fn = new FunctionBuilder({
      index: 0,
      parent: -1,
      name: "",
      nameAt: -1,
      start: 0,
      end: text.length,
      generator: false,
      async: false,
      marks: []
    })
  }

  run(id: string, lines: Int32Array = linesOf(this.text)): FileIr {
    this.language.hoist?.(this, 0)
    for (const child of this.tree.namedChildren(0)) this.any(child)
    const functions: Array<FunctionIr> = []
    this.done.push(this.fn.finish())
    for (let i = 0; i < this.waiting.length; i++) this.lowerFunction(this.waiting[i]!)
    for (const fn of this.done) functions[fn.index] = fn
    let errors = 0
    const bad = this.tree.types.length - 1
    for (let n = 0; n < this.tree.count; n++)
      if (this.tree.symbol[n] === bad || (this.tree.flags[n]! & NodeFlag.missing) !== 0) errors++
    for (const fn of functions) this.note(fn)
    return {
      language: id,
      slots: this.slots,
      functions,
      lines,
      text: this.text,
      errors,
      captures: this.captures
    }
  }

  /** Notes which slots cross functions, and where. */
  private note(fn: FunctionIr): void {
    const crossing = (slot: number) => {
      if (slot < 0) return false
      const known = this.slots[slot]!
      if (known.kind === "temporary") return false
      if (known.fn !== fn.index) known.captured = true
      return true
    }
    fn.ops.forEach((op, index) => {
      crossing(op.to)
      for (const slot of op.from)
        if (crossing(slot)) {
          const uses = this.captures.get(slot)
          if (uses === undefined) this.captures.set(slot, [{ fn: fn.index, op: index }])
          else uses.push({ fn: fn.index, op: index })
        }
    })
  }

  private lowerFunction({ index, name, nameAt, node, parent, parts, scope }: Waiting): void {
    this.fn = new FunctionBuilder({
      index,
      parent,
      name,
      nameAt,
      start: this.tree.start[node]!,
      end: this.tree.end[node]!,
      generator: parts.generator === true,
      async: parts.async === true,
      marks: parts.marks ?? []
    })
    this.scope = { names: noNames, outer: scope, fn: index, whole: true }
    this.depth = 0
    this.wanted = undefined
    parts.body()
    this.done.push(this.fn.finish())
  }

  // ── Nodes ──

  type(n: Node): string {
    return this.tree.type(n)
  }
  field(n: Node, name: string): Node {
    return this.tree.child(n, name)
  }
  textOf(n: Node): string {
    return n < 0 ? "" : this.text.slice(this.tree.start[n]!, this.tree.end[n]!)
  }
  at(n: Node): number {
    return n < 0 ? -1 : this.tree.start[n]!
  }
  named(n: Node): Array<Node> {
    return this.tree.namedChildren(n)
  }
  has(n: Node, type: string): boolean {
    return this.tree.childOf(n, type) >= 0
  }
  /** All children that have the field. */
  fields(n: Node, name: string): Array<Node> {
    return this.tree.children(n).filter((c) => this.tree.hasField(c, name) && this.tree.isNamed(c))
  }

  // ── Slots and scopes ──

  slot(kind: SlotKind, name: string, at: number, path = "", type = ""): number {
    this.slots.push({
      name,
      kind,
      at,
      fn: this.fn.shape.index,
      captured: false,
      path: path.length > longestPath ? path.slice(0, longestPath) : path,
      type
    })
    return this.slots.length - 1
  }
  temp(path = ""): number {
    return this.slot("temporary", "", -1, path)
  }
  pathOf(slot: number): string {
    return slot < 0 ? "" : this.slots[slot]!.path
  }

  /** Declares a name in the innermost scope, or in the function's. */
  declare(
    name: string,
    at: number,
    options: { readonly whole?: boolean; readonly kind?: SlotKind; readonly type?: string } = {}
  ): number {
    let scope = this.scope
    if (options.whole === true) while (!scope.whole && scope.outer !== undefined) scope = scope.outer
    if (options.whole === true) {
      const known = scope.names.get(name)
      if (known !== undefined) return known
    }
    const made = this.slot(options.kind ?? "local", name, at, name, options.type ?? "")
    enterName(scope, name, made)
    return made
  }

  /** The slot a name means here; undefined when nothing in the file declares it. */
  lookup(name: string): number | undefined {
    for (let scope: Scope | undefined = this.scope; scope !== undefined; scope = scope.outer) {
      const known = scope.names.get(name)
      if (known !== undefined) return known
    }
    return undefined
  }

  /** Whether the innermost scope, or the function whose body it is, declares a name. */
  declaredHere(name: string): boolean {
    const { names, outer } = this.scope
    return names.has(name) || (outer?.whole === true && outer.fn === this.scope.fn && outer.names.has(name))
  }
  typeOf(slot: number): string {
    return slot < 0 ? "" : this.slots[slot]!.type
  }

  /** Sets a name of the function's scope to a slot of an outer one. */
  alias(name: string, slot: number): void {
    enterName(this.scope, name, slot)
  }

  /** The slot of a name, one for what no scope of the file declares if need be. */
  variable(name: string): number {
    const known = this.lookup(name)
    if (known !== undefined) return known
    const made = this.slot("free", name, -1, name)
    enterName(this.free, name, made)
    return made
  }

  scoped<A>(run: () => A): A {
    const outer = this.scope
    this.scope = { names: noNames, outer, fn: outer.fn, whole: false }
    try {
      return run()
    } finally {
      this.scope = outer
    }
  }

  // ── Walking ──

  /** A statement, a declaration or an expression in the place of a statement. */
  any(n: Node): void {
    if (n < 0) return
    const type = this.type(n)
    if (this.language.silent.has(type)) return
    const own = this.language.statements[type]
    if (own !== undefined) {
      if (++this.depth > deepest) this.flatten(n)
      else own(this, n)
      this.depth--
      return
    }
    if (type in this.language.functions) {
      this.declareFunction(n)
      return
    }
    if (type in this.language.expressions || this.language.names.has(type)) {
      this.statement(kindOfExpression(type), n, () => this.expr(n))
      return
    }
    for (const child of this.named(n)) {
      if (++this.depth > deepest) this.flatten(child)
      else this.any(child)
      this.depth--
    }
  }

  each(nodes: ReadonlyArray<Node>): void {
    for (const n of nodes) this.any(n)
  }

  /** The value of an expression. */
  expr(n: Node): number {
    if (n < 0) return this.constant()
    const type = this.type(n)
    if (this.language.names.has(type)) return this.read(n)
    if (this.language.silent.has(type)) return this.constant()
    if (++this.depth > deepest) {
      this.depth--
      return this.flatten(n)
    }
    try {
      const own = this.language.expressions[type]
      if (own !== undefined) return own(this, n)
      if (type in this.language.functions) return this.closure(n)
      const statement = this.language.statements[type]
      if (statement !== undefined) {
        statement(this, n)
        return this.constant()
      }
      const parts = this.named(n).map((child) => this.expr(child))
      return parts.length === 0 ? this.constant() : parts.length === 1 ? parts[0]! : this.derive(parts)
    } finally {
      this.depth--
    }
  }

  /** What is nested too deep: one value made of every name that is read in it. */
  private flatten(n: Node): number {
    this.fn.approximations.add("deep_nesting")
    const from = new Set<number>()
    const end = this.tree.after[n]!
    for (let c = n; c < end; c++)
      if (this.language.names.has(this.type(c))) {
        const known = this.lookup(this.textOf(c))
        if (known !== undefined) from.add(known)
      }
    const to = this.temp()
    if (this.fn.inStatement) this.fn.op("copy", "derive", to, [...from], { at: this.at(n) })
    else
      this.statement("expression", n, () => this.fn.op("copy", "derive", to, [...from], { at: this.at(n) }))
    return to
  }

  statement(kind: string, n: Node, run: () => void, end = this.tree.end[n]!): void {
    this.fn.begin(kind, this.tree.start[n]!, end)
    run()
    this.fn.close()
  }

  /** A statement that covers the text from one node to the end of another. */
  spanning(kind: string, from: Node, to: Node, run: () => void): void {
    this.fn.begin(kind, this.tree.start[from]!, this.tree.end[to]!)
    run()
    this.fn.close()
  }

  // ── Values ──

  constant(path = "", at = -1): number {
    const to = this.temp(path)
    this.fn.op("constant", "assign", to, [], { at })
    return to
  }

  copy(how: How, from: ReadonlyArray<number>, to: number, name = "", at = -1): number {
    this.fn.op("copy", how, to, from, { name, at })
    return to
  }

  derive(from: ReadonlyArray<number>): number {
    return this.copy("derive", from, this.temp())
  }
  choose(from: ReadonlyArray<number>): number {
    return this.copy("choose", from, this.temp())
  }
  compare(from: ReadonlyArray<number>): number {
    return this.copy("compare", from, this.temp())
  }

  read(n: Node): number {
    const name = this.textOf(n)
    const slot = this.lookup(name) ?? this.variable(name)
    if (this.slots[slot]!.kind !== "free") return slot
    const self = this.language.fieldsByName === true ? this.lookup("this") : undefined
    if (self !== undefined && /^[a-z_]/.test(name)) {
      const to = this.temp(name)
      this.fn.op("load", "assign", to, [self], { name, at: this.at(n) })
      return to
    }
    return this.copy("assign", [slot], this.temp(name), name, this.at(n))
  }

  load(base: number, name: string, at = -1): number {
    const path = this.pathOf(base)
    const to = this.temp(
      path === ""
        ? name.startsWith("[")
          ? ""
          : name
        : name.startsWith("[")
          ? `${path}${name}`
          : `${path}.${name}`
    )
    this.fn.op("load", "assign", to, [base], { name, at })
    return to
  }

  store(base: number, name: string, value: number, at = -1): void {
    this.fn.op("store", "assign", base, [base, value], { name, at })
  }

  assign(slot: number, value: number, at = -1, how: How = "assign"): void {
    this.fn.op("copy", how, slot, [value], { name: this.slots[slot]!.name, at })
  }

  call(
    how: How,
    callee: {
      readonly slot?: number
      readonly receiver?: number
      readonly name: string
      readonly at: number
    },
    args: ReadonlyArray<number>,
    keywords?: ReadonlyArray<string>
  ): number {
    const to = this.temp(`${callee.name}()`)
    this.fn.op("call", how, to, [callee.slot ?? -1, callee.receiver ?? -1, ...args], {
      name: callee.name.length > longestPath ? callee.name.slice(-longestPath) : callee.name,
      at: callee.at,
      ...(keywords === undefined || keywords.every((k) => k === "") ? {} : { keywords })
    })
    return to
  }

  /** The name a method of a value is called by. */
  dotted(receiver: number, name: string): string {
    const path = this.pathOf(receiver)
    return path === "" ? `.${name}` : `${path}.${name}`
  }

  /** Stores through `n` what a pattern or target says; `declares` when names in it are new. */
  bind(n: Node, value: number, declares: boolean): void {
    if (n < 0) return
    const type = this.type(n)
    const own = this.language.patterns[type]
    if (++this.depth > deepest) this.fn.approximations.add("deep_nesting")
    else if (own !== undefined) own(this, n, value, declares)
    else if (this.language.names.has(type)) this.bindName(n, value, declares)
    else for (const child of this.named(n)) this.bind(child, value, declares)
    this.depth--
  }

  bindName(
    n: Node,
    value: number,
    declares: boolean,
    options: { readonly whole?: boolean; readonly type?: string } = {}
  ): number {
    const name = this.textOf(n)
    const type = options.type !== undefined && options.type !== "" ? options.type : this.typeOf(value)
    const slot = declares ? this.declare(name, this.at(n), { ...options, type }) : this.variable(name)
    this.assign(slot, value, this.at(n))
    return slot
  }

  /** Says what the next closure is bound to. */
  naming<A>(n: Node, run: () => A): A {
    const before = this.wanted
    this.wanted = { at: this.at(n), name: this.textOf(n) }
    try {
      return run()
    } finally {
      this.wanted = before
    }
  }

  // ── Functions ──

  private queue(n: Node): { readonly index: number; readonly name: string; readonly nameAt: number } {
    const parts = this.language.functions[this.type(n)]?.(this, n) ?? { name: -1, body: () => {} }
    const index = this.count++
    const wanted = this.wanted
    const name = parts.name >= 0 ? this.textOf(parts.name) : (wanted?.name ?? parts.word ?? "")
    const nameAt = parts.name >= 0 ? this.at(parts.name) : (wanted?.at ?? -1)
    this.waiting.push({ node: n, parts, scope: this.scope, index, parent: this.fn.shape.index, name, nameAt })
    return { index, name, nameAt }
  }

  /** A function as a value. */
  closure(n: Node): number {
    const { index, name, nameAt } = this.queue(n)
    const to = this.temp(name)
    this.fn.op("closure", "assign", to, [], { fn: index, name, at: nameAt })
    return to
  }

  /** A function that declares its name. */
  declareFunction(n: Node): void {
    this.wanted = undefined
    const { index, name, nameAt } = this.queue(n)
    this.fn.begin("declaration", this.at(n), Math.min(this.tree.end[n]!, endOfLine(this.text, this.at(n))))
    const slot = name === "" ? this.temp() : this.declare(name, nameAt, { whole: true })
    this.fn.op("closure", "assign", slot, [], { fn: index, name, at: nameAt })
    this.fn.close()
  }

  /** A member function: reached through its type, not by its bare name. */
  member(n: Node): void {
    this.wanted = undefined
    this.queue(n)
  }

  parameter(name: string, at: number, type = ""): number {
    const slot = this.declare(name, at, { kind: "parameter", type })
    this.fn.parameters.push(slot)
    this.inParameters(name, at, () => this.fn.op("parameter", "assign", slot, [], { name, at }))
    return slot
  }
  /** A parameter that is taken apart. */
  unnamed(at: number): number {
    return this.parameter("", at)
  }
  receiver(name: string, at: number, type = ""): number {
    const slot = this.declare(name, at, { kind: "receiver", type })
    this.fn.receiver = slot
    this.inParameters(name, at, () => this.fn.op("parameter", "assign", slot, [], { name, at }))
    return slot
  }
  private inParameters(name: string, at: number, run: () => void): void {
    const { current } = this.fn
    const alone = !this.fn.inStatement
    const written = this.text.startsWith(name, at)
    if (alone) this.fn.begin("parameter", at, written ? at + name.length : at)
    run()
    if (alone) {
      this.fn.current = this.fn.entry
      this.fn.close()
      this.fn.current = current
    }
  }

  /** Slot of what is thrown. */
  thrown(): number {
    if (this.fn.exception < 0) this.fn.exception = this.slot("exception", "thrown", -1)
    return this.fn.exception
  }

  return(n: Node, values: ReadonlyArray<number>): void {
    this.fn.op("return", "assign", -1, values, { at: this.at(n) })
  }

  throw(n: Node, value: number): void {
    this.fn.op("throw", "assign", this.thrown(), [value], { at: this.at(n) })
  }

  // ── Control ──

  /** A condition in the current block: both ways lead on. */
  test(n: Node, run: () => number = () => this.expr(n)): number {
    this.statement("condition", n, () => this.fn.op("test", "assign", -1, [run()], { at: this.at(n) }))
    return this.fn.current
  }

  if(condition: () => number, then: () => void, otherwise: (() => void) | undefined): void {
    const { fn } = this
    const from = condition()
    const yes = fn.block("then")
    const after = fn.block("after if")
    fn.link(from, yes, "true")
    fn.current = yes
    then()
    fn.link(fn.current, after, "next")
    let goes = fn.current >= 0
    if (otherwise === undefined) {
      fn.link(from, after, "false")
      goes = true
    } else {
      const no = fn.block("else")
      fn.link(from, no, "false")
      fn.current = no
      otherwise()
      fn.link(fn.current, after, "next")
      goes ||= fn.current >= 0
    }
    fn.current = goes ? after : -1
  }

  /** `labels` of the loop; the head is tested before each round, `step` runs after it. */
  while(parts: {
    readonly labels?: ReadonlyArray<string>
    /** Undefined for a loop without a condition. */
    readonly condition: (() => number) | undefined
    readonly step?: (() => void) | undefined
    readonly body: () => void
    readonly otherwise?: (() => void) | undefined
    readonly result?: number
  }): void {
    const { fn } = this
    const head = fn.block("loop")
    const out = fn.block("after loop")
    const again = parts.step === undefined ? head : fn.block("step")
    fn.enter(head)
    const body = fn.block("loop body")
    if (parts.condition === undefined) fn.link(head, body, "next")
    else {
      const tested = parts.condition()
      fn.link(tested, body, "true")
      if (parts.otherwise === undefined) fn.link(tested, out, "false")
      else {
        const otherwise = fn.block("loop else")
        fn.link(tested, otherwise, "false")
        const before = fn.current
        fn.current = otherwise
        parts.otherwise()
        fn.link(fn.current, out, "next")
        fn.current = before
      }
    }
    fn.current = body
    fn.loop(parts.labels ?? [], out, again, parts.body, parts.result)
    if (parts.step === undefined) fn.link(fn.current, head, "loop")
    else {
      fn.link(fn.current, again, "next")
      fn.current = again
      parts.step()
      fn.link(fn.current, head, "loop")
    }
    fn.current = parts.condition === undefined && !this.reached(out) ? -1 : out
  }

  do(labels: ReadonlyArray<string>, body: () => void, condition: () => number): void {
    const { fn } = this
    const start = fn.block("loop body")
    const head = fn.block("loop")
    const out = fn.block("after loop")
    fn.enter(start)
    fn.loop(labels, out, head, body)
    fn.link(fn.current, head, "next")
    fn.current = head
    const tested = condition()
    fn.link(tested, start, "loop")
    fn.link(tested, out, "false")
    fn.current = out
  }

  private reached(block: number): boolean {
    return (
      this.fn.blocks.some(({ successors }) => successors.some(({ to }) => to === block)) ||
      this.fn.leadsTo(block)
    )
  }

  /**
   * Ways out of one choice. Each arm is entered from the choice; `falls` arms go on into the next one instead of out.
   * Without a default the choice itself leads out.
   */
  switch(parts: {
    readonly labels?: ReadonlyArray<string>
    readonly arms: ReadonlyArray<{
      readonly fallback: boolean
      readonly falls: boolean
      readonly run: () => void
    }>
    readonly exhaustive?: boolean
    readonly result?: number
    /** Whether a plain `break` leaves it. */
    readonly breaks?: boolean
  }): void {
    const { fn } = this
    const from = fn.current
    const out = fn.block("after switch")
    const blocks = parts.arms.map(() => fn.block("case"))
    let fallback = parts.exhaustive === true
    const run = () =>
      parts.arms.forEach((arm, i) => {
        fn.link(from, blocks[i]!, arm.fallback ? "default" : "case")
        fallback ||= arm.fallback
        fn.current = blocks[i]!
        arm.run()
        const next = blocks[i + 1]
        if (arm.falls && next !== undefined) fn.link(fn.current, next, "fallthrough")
        else fn.link(fn.current, out, "next")
      })
    fn.switch(parts.labels ?? [], out, run, parts.breaks === false ? "label" : "switch", parts.result)
    if (!fallback) fn.link(from, out, "default")
    fn.current = this.reached(out) ? out : -1
  }

  private labels: ReadonlyArray<string> = []
  /** Says the labels of the loop or choice that follows. */
  labelling(label: string, run: () => void): void {
    this.labels = [...this.labels, label]
    run()
    this.labels = []
  }
  /** The labels of the loop or choice at hand. */
  takeLabels(): ReadonlyArray<string> {
    const labels = this.labels
    this.labels = []
    return labels
  }

  labelled(label: string, run: () => void): void {
    const { fn } = this
    const out = fn.block(`after ${label}`)
    fn.switch([label], out, run, "label")
    fn.link(fn.current, out, "next")
    fn.current = this.reached(out) ? out : -1
  }
}

const endOfLine = (text: string, from: number): number => {
  const end = text.indexOf("\n", from)
  return end < 0 ? text.length : end
}

const kindOfExpression = (type: string): string =>
  type.includes("assignment")
    ? "assignment"
    : type.includes("call") || type.includes("invocation")
      ? "call"
      : "expression"
