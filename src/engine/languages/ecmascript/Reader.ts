/**
 * What all parts of the parser share: the value of the expression read last, the function and class being read,
 * and the small steps from source to facts.
 */
import type { FactsBuilder } from "../FactsBuilder.ts"
import { Scope, Space } from "../FactsBuilder.ts"
import type { Interner } from "../Interner.ts"
import { Flag, Mark, Op } from "../Vocabulary.ts"
import { tEof, tName, tPrivate, tString } from "./Lexer.ts"
import { Lookahead } from "./Lookahead.ts"

/** How deep brackets, statements and operators may nest before the rest of a bracket is skipped. */
export const deepest = 500

// Kinds of value: what the expression read last stands for. An expression record is made only on demand.
export const vUnknown = 0
/** A lexical name: a = name, b = offset. */
export const vName = 1
/** A member: a = receiver expression, b = name. */
export const vMember = 2
/** An expression made already: a. */
export const vExpression = 3
/** A literal: a = index in {@link literalNames}. */
export const vLiteral = 4

export const literalNames = [
  "string",
  "number",
  "boolean",
  "array",
  "object",
  "function",
  "RegExp",
  "bigint",
  "symbol",
  "Promise",
  "Generator",
  "unknown"
] as const
export const lString = 0
export const lNumber = 1
export const lBoolean = 2
export const lArray = 3
export const lObject = 4
export const lFunction = 5
export const lRegExp = 6
export const lBigint = 7
export const lSymbol = 8
export const lPromise = 9
export const lGenerator = 10
export const lUnknown = 11

// What was done to that value afterwards, three bits a step.
const wCall = 1
const wElement = 2
const wUnwrap = 3
const wNew = 4
const fullWraps = 1 << 24

/** An expression is expected to be what the call being read takes as its argument: made only on demand. */
export const expectArgument = -2

// What `this` stands for.
export const thisUnknown = 0
export const thisInstance = 1
export const thisClass = 2
export const thisExpression = 3

/** Names the parser compares with, interned once per interner. */
export interface KnownNames {
  readonly of: Interner
  readonly literals: ReadonlyArray<number>
  readonly default: number
  readonly star: number
  readonly constructor: number
  readonly exports: number
  readonly module: number
  readonly prototype: number
  readonly process: number
  readonly env: number
  readonly require: number
  readonly object: number
  readonly defineProperty: number
  readonly anonymous: number
  readonly spread: number
  readonly global: number
  readonly tests: ReadonlyMap<number, boolean>
  readonly modifiers: ReadonlySet<number>
  readonly routes: ReadonlySet<number>
  readonly exportStar: number
  readonly runners: ReadonlyMap<number, string>
}

const knownNames = (interner: Interner): KnownNames => {
  const of = (text: string) => interner.string(text)
  return {
    of: interner,
    literals: literalNames.map(of),
    default: of("default"),
    star: of("*"),
    constructor: of("constructor"),
    exports: of("exports"),
    module: of("module"),
    prototype: of("prototype"),
    process: of("process"),
    env: of("env"),
    require: of("require"),
    object: of("Object"),
    defineProperty: of("defineProperty"),
    anonymous: of("class"),
    spread: of("..."),
    global: of("global"),
    // The value says whether the name alone, without an import, is taken for a test.
    tests: new Map(
      (
        [
          ["describe", true],
          ["it", true],
          ["test", true],
          ["suite", false],
          ["context", false],
          ["specify", false],
          ["layer", false]
        ] as const
      ).map(([word, alone]) => [of(word), alone])
    ),
    modifiers: new Set(
      [
        "skip",
        "only",
        "each",
        "todo",
        "fails",
        "concurrent",
        "sequential",
        "skipIf",
        "runIf",
        "effect",
        "live",
        "scoped",
        "scopedLive",
        "prop",
        "for",
        "failing",
        "serial",
        "parallel",
        "extend",
        "describe",
        "step",
        "slow",
        "fixme"
      ].map(of)
    ),
    routes: new Set(
      [
        "get",
        "post",
        "put",
        "delete",
        "patch",
        "head",
        "options",
        "all",
        "route",
        "use",
        "handle",
        "del",
        "any"
      ].map(of)
    ),
    exportStar: of("__exportStar"),
    runners: new Map(
      [
        ["vitest", "vitest"],
        ["@effect/vitest", "vitest"],
        ["@jest/globals", "jest"],
        ["mocha", "mocha"],
        ["node:test", "node:test"],
        ["test", "node:test"],
        ["bun:test", "bun test"],
        ["@playwright/test", "playwright"],
        ["ava", "ava"],
        ["tap", "tap"],
        ["tape", "tape"]
      ].map(([module, runner]) => [of(module!), runner!])
    )
  }
}

/** The fields of a class: those it declares, and those it only assigns (name, offset, end, type, is a function). */
export interface ClassFields {
  readonly declared: Set<number>
  readonly assigned: Array<
    readonly [name: number, at: number, start: number, end: number, type: number, callable: boolean]
  >
}

/** What the parser knows about the function it is in. */
export interface FunctionState {
  depth: number
  inFunction: boolean
  block: number
  thisKind: number
  thisValue: number
  classDef: number
  classFields: ClassFields | undefined
  returnsOf: number
  generator: boolean
  isAsync: boolean
  inferDepth: number
  conditional: boolean
  returns: number
  narrowed: Map<number, number>
}

export abstract class Reader extends Lookahead {
  known!: KnownNames
  depth = 0

  // The expression read last.
  vk = vUnknown
  va = 0
  vb = 0
  vw = 0
  /** The call the expression read last consists of, -1 when it is none. */
  callRef = -1
  /** The name or member the expression read last consists of, -1 when it is none. */
  plainRef = -1

  // The function being read.
  fnDepth = 1
  inFunction = false
  /** Blocks open inside the function or file. */
  block = 0
  thisKind = thisUnknown
  thisValue = -1
  /** The class or object whose member is being read, -1 outside. */
  classDef = -1
  /** The fields of that class, where assignments to `this` declare more of them. */
  classFields: ClassFields | undefined = undefined
  /** The function whose result type is still to be inferred from its returns, -1 for none. */
  returnsOf = -1
  generator = false
  isAsync = false
  /** Scope that `infer` names are bound in, 0 outside of conditional types. */
  inferDepth = 0

  /**
   * What the expression read next is expected to be, as an expression for a value of that type: -1 when nothing is
   * known, {@link expectArgument} for an argument. Whoever starts the expression takes it.
   */
  expected = -1
  /** What the function being read is declared to return, as an expression for the value; -1 when unknown. */
  returns = -1
  // The call whose arguments are being read: what is called, as a value not made yet, and the place of the argument.
  protected calleeKind = vUnknown
  protected calleeA = 0
  protected calleeB = 0
  protected calleeWraps = 0
  protected calleePlace = 0
  /** The call itself, once an argument asks for it. */
  protected calleeCall = -1
  /** What the function read as a value gives, from its first return. */
  protected lambdaResult = -1

  /** Names that conditions narrow here, with what they are bound to. */
  protected narrowed = new Map<number, number>()

  private unknownIndex = -1
  private readonly literalIndex = new Int32Array(literalNames.length)

  /** Definitions of the file by name, for exports. */
  readonly topLevel = new Map<number, Array<number>>()

  protected override start(builder: FactsBuilder): void {
    super.start(builder)
    if (this.known === undefined || this.known.of !== builder.interner)
      this.known = knownNames(builder.interner)
    this.depth = 0
    this.fnDepth = builder.depth
    this.inFunction = false
    this.block = 0
    this.thisKind = thisUnknown
    this.thisValue = this.classDef = this.returnsOf = -1
    this.classFields = undefined
    this.generator = this.isAsync = false
    this.inferDepth = 0
    this.expected = this.returns = -1
    this.calleeKind = vUnknown
    this.calleeCall = this.lambdaResult = -1
    this.narrowed = new Map()
    this.unknownIndex = -1
    this.literalIndex.fill(-1)
    this.topLevel.clear()
    this.forget()
  }

  // ---- tokens -----------------------------------------------------------------------------------

  /** Whether the current token is of this kind. */
  at(tok: number): boolean {
    return this.tok === tok
  }
  /** Whether the current name is this word. */
  says(word: number): boolean {
    return this.kw === word
  }
  get token(): number {
    return this.tok
  }
  eat(tok: number): boolean {
    if (this.tok !== tok) return false
    this.next()
    return true
  }
  eatWord(word: number): boolean {
    if (this.tok !== tName || this.kw !== word) return false
    this.next()
    return true
  }
  /** Too deep: continues behind what is left of the enclosing bracket. */
  protected skipRest(): void {
    this.builder.addParseError()
    this.jump(this.closerFrom(this.ts))
    this.forget()
  }
  /** Name of the member the current token spells. */
  get memberName(): number {
    return this.at(tName) || this.at(tPrivate)
      ? this.name
      : this.at(tString)
        ? this.builder.name(this.ts + 1, Math.max(this.ts + 1, this.te - 1))
        : this.builder.name(this.ts, this.te)
  }

  // ---- values -----------------------------------------------------------------------------------

  forget(): void {
    this.vk = vUnknown
    this.vw = 0
    this.callRef = this.plainRef = -1
  }
  setLiteral(which: number): void {
    this.vk = vLiteral
    this.va = which
    this.vw = 0
    this.callRef = this.plainRef = -1
  }
  setExpression(index: number): void {
    this.vk = index < 0 ? vUnknown : vExpression
    this.va = index
    this.vw = 0
    this.callRef = this.plainRef = -1
  }
  private wrap(step: number): void {
    if (this.vk === vUnknown) return
    if (this.vw >= fullWraps) this.setExpression(this.value())
    // Steps are read back from the last one: keep the first in the highest bits.
    this.vw = (this.vw << 3) | step
  }
  wrapCall(): void {
    this.wrap(wCall)
  }
  wrapElement(): void {
    this.wrap(wElement)
  }
  wrapUnwrap(): void {
    this.wrap(wUnwrap)
  }
  wrapNew(): void {
    this.wrap(wNew)
  }

  /** The expression read last as an expression index, -1 when nothing is known of it. */
  value(): number {
    const { builder } = this
    let index: number
    switch (this.vk) {
      case vName:
        index = builder.nameExpression(this.va, this.vb, Space.value)
        break
      case vMember:
        index = builder.expression(Op.member, this.va, this.vb)
        break
      case vExpression:
        index = this.va
        break
      case vLiteral:
        index = this.literal(this.va)
        break
      default:
        return -1
    }
    if (this.vw !== 0) {
      for (let shift = 27; shift >= 0; shift -= 3) {
        const step = (this.vw >> shift) & 7
        if (step !== 0) {
          index = builder.expression(
            step === wCall ? Op.call : step === wElement ? Op.element : step === wNew ? Op.new : Op.unwrap,
            index
          )
        }
      }
    }
    this.vk = vExpression
    this.va = index
    this.vw = 0
    return index
  }
  /** Takes what is expected of the expression that starts here: its expression, -1 when nothing is known. */
  protected takeExpected(): number {
    const { expected } = this
    this.expected = -1
    return expected === expectArgument ? this.expectedArgument() : expected
  }
  protected expectedArgument(): number {
    if (this.calleeKind === vUnknown) return -1
    const { va, vb, vk, vw } = this
    this.vk = this.calleeKind
    this.va = this.calleeA
    this.vb = this.calleeB
    this.vw = this.calleeWraps
    const callee = this.value()
    // Further arguments find it made.
    this.calleeKind = vExpression
    this.calleeA = callee
    this.calleeWraps = 0
    this.vk = vk
    this.va = va
    this.vb = vb
    this.vw = vw
    if (!this.types) return this.builder.expression(Op.argument, callee, this.calleePlace)
    if (this.calleeCall < 0) this.calleeCall = this.builder.expression(Op.call, callee)
    return this.builder.expression(Op.argument, callee, this.calleePlace, this.calleeCall + 1)
  }
  /** The value read last is expected to be this: it matters where that is a call. */
  protected contextualize(expected: number): void {
    if (expected >= 0 && this.vk === vExpression && this.vw === 0) this.builder.setContext(this.va, expected)
  }
  /** As {@link value}, for a receiver: the unknown expression where nothing is known. */
  receiver(): number {
    const index = this.value()
    return index < 0 ? this.unknown() : index
  }
  unknown(): number {
    if (this.unknownIndex < 0) this.unknownIndex = this.builder.expression(Op.unknown)
    return this.unknownIndex
  }
  literal(which: number): number {
    if (this.literalIndex[which]! < 0)
      this.literalIndex[which] = this.builder.expression(Op.literal, this.known.literals[which]!)
    return this.literalIndex[which]!
  }
  /** The type of the string at the current token, which is that string only. */
  protected textLiteral(): number {
    return this.textOf(this.memberName)
  }
  protected textOf(text: number): number {
    return this.builder.expression(Op.literal, this.builder.nameOf(`"${this.builder.interner.text(text)}"`))
  }
  instance(type: number): number {
    return type < 0 ? -1 : this.builder.expression(Op.instance, type)
  }
  thisValueExpression(): number {
    switch (this.thisKind) {
      case thisInstance:
        return this.builder.expression(Op.self, this.thisValue)
      case thisClass:
        return this.builder.expression(Op.selfType, this.thisValue)
      case thisExpression:
        return this.thisValue
      default:
        return -1
    }
  }

  // ---- definitions ------------------------------------------------------------------------------

  /** Code here runs inside a function or block: what it declares is local. */
  get isLocal(): boolean {
    return this.inFunction || this.block > 0
  }
  get localFlag(): number {
    return this.inFunction || this.block > 0 ? Flag.local : 0
  }
  /** Remembers a definition of the file by its name. */
  protected remember(name: number, definition: number): void {
    const known = this.topLevel.get(name)
    if (known === undefined) this.topLevel.set(name, [definition])
    else known.push(definition)
  }
  /** Attaches the documentation comment found before the declaration. */
  protected document(definition: number, start: number, end: number): void {
    if (start < 0) return
    this.builder.setDoc(definition, start, end)
    const { b } = this
    for (let i = start + 3; i < end - 10; i++) {
      if (
        b[i] === 64 &&
        b[i + 1] === 100 &&
        b[i + 2] === 101 &&
        b[i + 3] === 112 &&
        b[i + 4] === 114 &&
        b[i + 5] === 101 &&
        b[i + 6] === 99
      ) {
        this.builder.addFlags(definition, Flag.deprecated)
        return
      }
    }
  }

  /** Where the first line of what lies between the offsets ends, as far as a signature shows it. */
  protected headEnd(start: number, end: number): number {
    const { b } = this
    const stop = Math.min(end, start + 480)
    for (let i = start; i < stop; i++) if (b[i] === 10) return i
    return stop
  }

  /** Enters a function: opens its scope and forgets the state that stays outside. */
  protected enterFunction(returnsOf: number, generator: boolean, isAsync: boolean): FunctionState {
    const state: FunctionState = {
      depth: this.fnDepth,
      inFunction: this.inFunction,
      block: this.block,
      thisKind: this.thisKind,
      thisValue: this.thisValue,
      classDef: this.classDef,
      classFields: this.classFields,
      returnsOf: this.returnsOf,
      generator: this.generator,
      isAsync: this.isAsync,
      inferDepth: this.inferDepth,
      conditional: this.conditional,
      returns: this.returns,
      narrowed: this.narrowed
    }
    this.builder.openScope(Scope.function)
    this.fnDepth = this.builder.depth
    this.inFunction = true
    this.block = 0
    this.returnsOf = returnsOf
    this.generator = generator
    this.isAsync = isAsync
    this.inferDepth = 0
    this.conditional = false
    this.returns = -1
    this.narrowed = new Map()
    return state
  }
  protected leaveFunction(state: FunctionState): void {
    this.builder.closeScope()
    this.fnDepth = state.depth
    this.inFunction = state.inFunction
    this.block = state.block
    this.thisKind = state.thisKind
    this.thisValue = state.thisValue
    this.classDef = state.classDef
    this.classFields = state.classFields
    this.returnsOf = state.returnsOf
    this.generator = state.generator
    this.isAsync = state.isAsync
    this.inferDepth = state.inferDepth
    this.conditional = state.conditional
    this.returns = state.returns
    this.narrowed = state.narrowed
  }

  // ---- marks ------------------------------------------------------------------------------------

  /** Marks texts that look like addresses or database statements. `start`, `end` without the quotes. */
  protected markText(start: number, end: number): void {
    const { b } = this
    if (end - start < 8) return
    const c = b[start]!
    if (c === 104) {
      if (b[start + 1] === 116 && b[start + 2] === 116 && b[start + 3] === 112) {
        const at = b[start + 4] === 115 ? start + 5 : start + 4
        if (b[at] === 58 && b[at + 1] === 47 && b[at + 2] === 47) this.builder.mark(Mark.url, start, end)
      }
      return
    }
    if (c <= 32) {
      while (start < end && b[start]! <= 32) start++
      if (end - start < 8) return
    }
    for (const word of statements) {
      if (b[start] !== word[0]) continue
      let i = 1
      while (i < word.length && b[start + i] === word[i]) i++
      if (i === word.length && b[start + i]! <= 32) this.builder.mark(Mark.sql, start, end)
    }
  }

  /** A reference in type position. */
  protected typeReference(name: number, at: number, role: number): number {
    return this.builder.reference(name, at, role, Space.type)
  }
  /** The parts of the language that call each other across modules. */
  abstract type(want: boolean): number
  abstract typeArguments(want: boolean): ReadonlyArray<number>
  abstract typeParameters(): ReadonlyArray<number>
  abstract assign(want: boolean): void
  abstract expression(want: boolean): void
  abstract parameters(definition: number, owner: number, given?: number): ReadonlyArray<number> | undefined
  abstract typeMembers(define: boolean): ReadonlyArray<number>
  abstract propertyKey(): number
  abstract functionBody(definition: number): void
  abstract classBody(definition: number, headerStart: number): void
  abstract statementList(closer: number): void

  protected get atEnd(): boolean {
    return this.at(tEof)
  }
}
const statements = ["SELECT", "INSERT", "UPDATE", "DELETE", "CREATE", "WITH", "ALTER", "DROP"].map((word) =>
  new TextEncoder().encode(word)
)
