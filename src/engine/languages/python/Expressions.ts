/** Expressions and annotations. What an expression yields becomes a fact only when something asks for it. */
import { Scope } from "../FactsBuilder.ts"
import { ImportFlag, Mark, Op, ResultUse, Role } from "../Vocabulary.ts"
import type { Frame } from "./Frame.ts"
import { Lexer } from "./Lexer.ts"
import { Token } from "./Token.ts"
import { Word } from "./Words.ts"

/** What kind of value was read last. */
export const Kind = {
  none: 0,
  /** a = name, at = its offset. */
  name: 1,
  /** a = receiver expression, at = name. */
  member: 2,
  /** a = an expression. */
  ready: 3,
  /** a = name of a built-in type. */
  literal: 4
} as const
const After = { nothing: 0, call: 1, element: 2 } as const

/** Nesting beyond which text is skipped. */
export const deepest = 500
const noType = -2

export abstract class ExpressionReader extends Lexer {
  protected level = 0
  protected frame!: Frame
  protected kind: number = Kind.none
  protected a = -1
  protected at = 0
  protected after: number = After.nothing
  /** Reference that names the value, when it is a name or member as it stands; -1 otherwise. */
  protected reference = -1
  /** Reference called, when the value is the result of a call as it stands; -1 otherwise. */
  protected called = -1
  /** Whether names read at top level are kept as possible targets of an assignment. */
  protected collects = false
  /** Possible targets: reference, 1 name or 2 attribute of the instance or 0 other, name, offset. */
  protected readonly targets: Array<number> = []
  /** Parameters of the lists being read: name, value expression. */
  protected readonly parameters: Array<number> = []
  protected least = 0
  protected most = 0
  protected variadic = false
  /** What was given to `enumerate`, or what `items` was called on, in the expression read last. */
  protected counted = -1
  protected paired = -1
  /** Built-in types that this file declares or imports anew. */
  protected readonly shadows = new Set<number>()
  private readonly literals = new Map<number, number>()
  private unknownReceiver = -1

  protected override open(): void {
    super.open()
    this.level = 0
    this.collects = false
    this.targets.length = 0
    this.parameters.length = 0
    this.literals.clear()
    this.shadows.clear()
    this.unknownReceiver = -1
    this.set(Kind.none, -1)
  }

  // ---- small things -----------------------------------------------------------------------------

  protected literal(name: number): number {
    let known = this.literals.get(name)
    if (known === undefined) this.literals.set(name, (known = this.facts.expression(Op.literal, name)))
    return known
  }
  protected unknown(): number {
    return this.unknownReceiver < 0
      ? (this.unknownReceiver = this.facts.expression(Op.unknown))
      : this.unknownReceiver
  }
  protected instance(type: number): number {
    return type < 0 ? -1 : this.facts.expression(Op.instance, type)
  }
  protected expect(token: number): boolean {
    if (this.token === token) {
      this.next()
      return true
    }
    this.facts.addParseError()
    return false
  }
  /** Skips one token, and all up to the matching one if it opens a bracket; never past a logical line. */
  protected skip(): void {
    let depth = 0
    do {
      const t = this.token
      if (t === Token.end || t === Token.newline) return
      if (t === Token.openParen || t === Token.openBracket || t === Token.openBrace) depth++
      else if (t === Token.closeParen || t === Token.closeBracket || t === Token.closeBrace) depth--
      else if (t === Token.formatted) this.skipFormatted()
      this.next()
    } while (depth > 0)
  }
  protected skipFormatted(): void {
    const { quote, triple, rawText } = this
    while (this.textPiece(quote, triple, rawText, false));
    this.token = Token.string
    this.end = this.p
  }
  protected tooDeep(): boolean {
    if (this.level < deepest) return false
    this.facts.addParseError()
    this.skip()
    return true
  }

  protected set(kind: number, a: number, at = 0): void {
    this.kind = kind
    this.a = a
    this.at = at
    this.after = After.nothing
    this.reference = this.called = -1
  }
  /** The value read last as an expression, -1 when nothing is known of it. */
  protected value(): number {
    const { facts } = this
    let x = -1
    switch (this.kind) {
      case Kind.name:
        x = facts.nameExpression(this.a, this.at)
        break
      case Kind.member:
        x = facts.expression(Op.member, this.a, this.at)
        break
      case Kind.ready:
        x = this.a
        break
      case Kind.literal:
        x = this.literal(this.a)
        break
      default:
        break
    }
    if (x >= 0 && this.after !== After.nothing)
      x = facts.expression(this.after === After.call ? Op.call : Op.element, x)
    this.kind = x < 0 ? Kind.none : Kind.ready
    this.a = x
    this.after = After.nothing
    return x
  }
  /** As {@link value}, but -1 for `None`, which tells nothing. */
  protected informative(): number {
    return this.isNull() ? -1 : this.value()
  }
  protected isNull(): boolean {
    return this.kind === Kind.literal && this.a === this.words.null
  }

  // ---- annotations ------------------------------------------------------------------------------

  /** Reads an annotation. Returns its type expression, -1 when it tells nothing. */
  protected annotation(role: number): number {
    const type = this.terms(role)
    return type === noType ? this.literal(this.words.null) : type
  }
  private terms(role: number): number {
    if (this.tooDeep()) return -1
    this.level++
    let type = this.term(role)
    while (this.is(Token.pipe)) {
      this.next()
      type = this.joined(type, this.term(role))
    }
    this.level--
    return type
  }
  private joined(a: number, b: number): number {
    if (a === noType) return b
    if (b === noType) return a
    return a < 0 || b < 0 ? Math.max(a, b) : this.facts.expression(Op.union, a, b)
  }
  private term(role: number): number {
    switch (this.token) {
      case Token.none:
        this.next()
        return noType
      case Token.name:
        return this.typeName(role)
      case Token.string:
        return this.quoted(role)
      case Token.openBracket:
      case Token.openParen: {
        const close = this.is(Token.openBracket) ? Token.closeBracket : Token.closeParen
        this.next()
        let type = -1
        let count = 0
        while (!this.is(close) && !this.ended()) {
          const before = this.start
          type = this.terms(role)
          count++
          if (this.is(Token.comma)) this.next()
          else if (!this.is(close) || this.start === before) break
        }
        this.expect(close)
        return close === Token.closeParen && count === 1 ? type : -1
      }
      case Token.ellipsis:
        this.next()
        return -1
      case Token.star:
      case Token.power:
        this.next()
        this.terms(role)
        return -1
      default:
        this.expression()
        return -1
    }
  }
  private ended(): boolean {
    return this.token === Token.end || this.token === Token.newline
  }
  private typeName(role: number): number {
    const { facts } = this
    const { id, start } = this
    let word = this.word
    this.next()
    if (
      word === Word.scalar &&
      !this.shadows.has(id) &&
      !this.is(Token.dot) &&
      !this.is(Token.openParen) &&
      !this.is(Token.openBracket)
    )
      return this.literal(id)
    let reference = facts.reference(id, start, role)
    let type = facts.nameExpression(id, start)
    while (this.is(Token.dot)) {
      this.next()
      if (!this.is(Token.name)) {
        facts.addParseError()
        return type
      }
      facts.setRole(reference, Role.read)
      reference = facts.memberReference(type, this.id, this.start, role)
      type = facts.expression(Op.member, type, this.id)
      word = this.word
      this.next()
    }
    if (this.is(Token.openBracket)) type = this.typeArguments(type, word, role)
    if (this.is(Token.openParen)) {
      this.set(Kind.ready, type)
      this.reference = reference
      this.postfix(word)
      return -1
    }
    return type
  }
  private typeArguments(base: number, word: number, role: number): number {
    this.next()
    const parts: Array<number> = []
    let joined = noType
    const plain = word === Word.transparent || word === Word.union
    while (!this.is(Token.closeBracket) && !this.ended()) {
      const before = this.start
      if (word === Word.literal || (word === Word.transparent && parts.length > 0)) {
        this.expression()
        parts.push(-1)
      } else {
        const part = this.terms(plain ? role : Role.generic_arg)
        if (word === Word.union) joined = this.joined(joined, part)
        parts.push(part)
      }
      if (this.is(Token.comma)) this.next()
      else if (!this.is(Token.closeBracket)) {
        this.facts.addParseError()
        if (this.start === before) this.skip()
        else if (!this.is(Token.comma)) break
      }
    }
    this.expect(Token.closeBracket)
    if (word === Word.literal) return this.literal(this.words.string)
    if (word === Word.callable) return -1
    if (word === Word.transparent) return parts[0] ?? -1
    if (word === Word.union) return joined
    return this.facts.withArguments(
      Op.generic,
      base,
      parts.map((p) => (p === noType ? this.literal(this.words.null) : p < 0 ? this.unknown() : p))
    )
  }
  /** A type written as a string. */
  private quoted(role: number): number {
    const { n, contentStart, contentEnd } = this
    this.next()
    const back = this.remember()
    this.n = contentEnd
    this.p = contentStart
    this.nest = 1
    this.token = Token.comma
    this.end = contentStart
    this.next()
    const type = this.is(Token.newline) || this.is(Token.end) ? -1 : this.terms(role)
    this.n = n
    this.rewind(back)
    return type
  }

  // ---- expressions ------------------------------------------------------------------------------

  /** Expressions separated by commas. Returns how many, with a comma after a single one counting as a second. */
  protected expressions(use: number = ResultUse.unknown, values?: Array<number>): number {
    let count = 0
    for (;;) {
      if (this.is(Token.star)) this.next()
      this.expression(use)
      count++
      if (values !== undefined) values.push(this.value())
      if (!this.is(Token.comma)) break
      this.next()
      if (!this.startsExpression()) {
        count++
        break
      }
    }
    if (count > 1) this.set(Kind.none, -1)
    return count
  }
  protected startsExpression(): boolean {
    switch (this.token) {
      case Token.name:
      case Token.number:
      case Token.string:
      case Token.formatted:
      case Token.openParen:
      case Token.openBracket:
      case Token.openBrace:
      case Token.ellipsis:
      case Token.tilde:
      case Token.star:
      case Token.sign:
      case Token.false:
      case Token.none:
      case Token.true:
      case Token.await:
      case Token.lambda:
      case Token.not:
      case Token.yield:
        return true
      default:
        return false
    }
  }

  protected expression(use: number = ResultUse.unknown): void {
    if (this.tooDeep()) return this.set(Kind.none, -1)
    this.level++
    this.operation(use)
    if (this.is(Token.walrus)) this.walrus()
    if (this.is(Token.if)) this.alternatives(use)
    this.level--
  }
  /** `if c else y …` after a value. What the whole yields is its first informative branch. */
  private alternatives(use: number): void {
    let { kind, a, at, after } = this
    let chosen = kind !== Kind.none && !this.isNull()
    while (this.is(Token.if)) {
      this.facts.branch()
      this.next()
      this.operation(ResultUse.condition)
      if (!this.expect(Token.else)) break
      this.operation(use)
      if (this.is(Token.walrus)) this.walrus()
      if (!chosen) {
        ;({ kind, a, at, after } = this)
        chosen = kind !== Kind.none && !this.isNull()
      }
    }
    this.set(kind, a, at)
    this.after = after
  }

  private walrus(): void {
    const { kind, a, at, reference } = this
    this.next()
    const { collects } = this
    this.collects = false
    this.expression(ResultUse.assigned)
    this.collects = collects
    const x = this.value()
    if (kind === Kind.name) {
      if (reference >= 0) this.facts.setRole(reference, Role.write)
      this.bindWalrus(a, at, x)
    }
    this.set(x < 0 ? Kind.none : Kind.ready, x)
  }
  protected abstract bindWalrus(id: number, at: number, value: number): void

  /** Operands and operators, without `x if c else y`. */
  protected operation(use: number = ResultUse.unknown): void {
    this.unary()
    if (!this.startsOperator()) {
      if (use !== 0 && this.called >= 0) this.facts.setUse(this.called, use)
      return
    }
    const { kind, a, at, after } = this
    let boolean = false
    let logical = false
    if (use === ResultUse.condition && this.called >= 0) this.facts.setUse(this.called, use)
    do {
      switch (this.token) {
        case Token.and:
        case Token.or:
          this.facts.branch()
          logical = true
          this.next()
          break
        case Token.not:
          // `not in`
          boolean = true
          this.next()
          if (this.is(Token.in)) this.next()
          else this.facts.addParseError()
          break
        case Token.is:
          boolean = true
          this.next()
          if (this.is(Token.not)) this.next()
          break
        case Token.in:
        case Token.compare:
          boolean = true
          this.next()
          break
        default:
          this.next()
      }
      this.unary()
      if (use === ResultUse.condition && this.called >= 0) this.facts.setUse(this.called, use)
    } while (this.startsOperator())
    if (boolean && !logical) this.set(Kind.literal, this.words.boolean)
    else {
      this.set(kind, a, at)
      this.after = after
    }
  }
  private startsOperator(): boolean {
    const t = this.token
    return (
      (t >= Token.star && t <= Token.pipe) ||
      t === Token.and ||
      t === Token.or ||
      t === Token.in ||
      t === Token.is ||
      t === Token.not
    )
  }

  private unary(): void {
    let awaits = 0
    let not = false
    let signed = false
    for (;;) {
      const t = this.token
      if (t === Token.not) not = true
      else if (t === Token.await) awaits++
      else if (t === Token.sign || t === Token.tilde) signed = true
      else break
      this.next()
    }
    this.primary()
    if (awaits > 0) {
      if (this.called >= 0) this.facts.setUse(this.called, ResultUse.awaited)
      const x = this.value()
      this.set(x < 0 ? Kind.none : Kind.ready, x < 0 ? -1 : this.facts.expression(Op.unwrap, x))
    }
    if (not) {
      const { called } = this
      this.set(Kind.literal, this.words.boolean)
      this.called = called
    } else if (signed) this.reference = -1
  }

  private primary(): void {
    const { words } = this
    if (this.tooDeep()) return this.set(Kind.none, -1)
    switch (this.token) {
      case Token.name: {
        const { id, start, word } = this
        const from = this.collects
        this.next()
        const reference = this.facts.reference(id, start, Role.read)
        this.set(Kind.name, id, start)
        this.reference = reference
        this.postfix(word)
        if (from) this.collect()
        return
      }
      case Token.number:
        this.next()
        this.set(Kind.literal, words.number)
        break
      case Token.string:
      case Token.formatted:
        while (this.is(Token.string) || this.is(Token.formatted)) {
          if (this.is(Token.formatted)) this.formattedString()
          else this.next()
        }
        this.set(Kind.literal, words.string)
        break
      case Token.openParen:
        this.parenthesized()
        break
      case Token.openBracket:
        this.list()
        break
      case Token.openBrace:
        this.dictionary()
        break
      case Token.ellipsis:
        this.next()
        this.set(Kind.none, -1)
        break
      case Token.true:
      case Token.false:
        this.next()
        this.set(Kind.literal, words.boolean)
        break
      case Token.none:
        this.next()
        this.set(Kind.literal, words.null)
        break
      case Token.lambda:
        this.lambda(-1)
        return
      case Token.yield:
        this.yielded()
        return
      default:
        this.facts.addParseError()
        this.set(Kind.none, -1)
        return
    }
    const from = this.collects
    if (this.is(Token.dot) || this.is(Token.openParen) || this.is(Token.openBracket)) {
      this.postfix(0)
      if (from) this.collect()
    }
  }
  private collect(): void {
    if (this.reference < 0 || this.after !== After.nothing) {
      this.targets.push(-1, 0, 0, 0)
      return
    }
    if (this.kind === Kind.name) this.targets.push(this.reference, 1, this.a, this.at)
    else this.targets.push(this.reference, this.selfMember ? 2 : 0, this.at, this.memberAt)
  }
  private selfMember = false
  private memberAt = 0

  protected yielded(): void {
    const { collects } = this
    this.collects = false
    this.next()
    if (this.is(Token.from)) {
      this.next()
      this.expression()
    } else if (this.startsExpression()) this.expressions()
    this.collects = collects
    this.generator()
    this.set(Kind.none, -1)
  }
  protected abstract generator(): void

  private parenthesized(): void {
    const { facts } = this
    this.next()
    if (this.is(Token.closeParen)) {
      this.next()
      return this.set(Kind.none, -1)
    }
    facts.openScope()
    this.level++
    const { collects } = this
    const count = this.expressions()
    let generated = false
    if (this.is(Token.for) || this.is(Token.async)) {
      this.collects = false
      this.comprehension()
      generated = true
    }
    this.level--
    this.closing(Token.closeParen)
    facts.closeScope()
    this.collects = collects
    if (count > 1 || generated) this.set(Kind.none, -1)
  }
  private list(): void {
    const { facts } = this
    this.next()
    facts.openScope()
    this.level++
    const { collects } = this
    if (!this.is(Token.closeBracket)) {
      this.expressions()
      if (this.is(Token.for) || this.is(Token.async)) {
        this.collects = false
        this.comprehension()
      }
    }
    this.level--
    this.closing(Token.closeBracket)
    facts.closeScope()
    this.collects = collects
    this.set(Kind.literal, this.words.list)
  }
  /** After the content of brackets: skips what should not be there. */
  protected closing(token: number): void {
    if (this.token !== token) {
      this.facts.addParseError()
      while (
        this.token !== token &&
        !this.ended() &&
        this.token !== Token.closeParen &&
        this.token !== Token.closeBracket &&
        this.token !== Token.closeBrace
      )
        this.skip()
      if (this.token !== token) return
    }
    this.next()
  }
  private dictionary(): void {
    const { facts, collects } = this
    this.collects = false
    this.next()
    facts.openScope()
    this.level++
    let pairs = this.is(Token.closeBrace)
    while (!this.is(Token.closeBrace) && !this.ended()) {
      const before = this.start
      if (this.is(Token.power) || this.is(Token.star)) {
        if (this.is(Token.power)) pairs = true
        this.next()
      }
      this.expression()
      if (this.is(Token.colon)) {
        pairs = true
        this.next()
        this.expression()
      }
      if (this.is(Token.for) || this.is(Token.async)) this.comprehension()
      if (this.is(Token.comma)) this.next()
      else if (this.is(Token.closeBrace)) break
      else {
        facts.addParseError()
        if (this.start === before) {
          if (this.is(Token.closeParen) || this.is(Token.closeBracket)) break
          this.skip()
        }
      }
    }
    this.level--
    this.closing(Token.closeBrace)
    facts.closeScope()
    this.collects = collects
    this.set(Kind.literal, pairs ? this.words.map : this.words.list)
  }
  /** `for … in … if …`, at `for` or `async`. */
  private comprehension(): void {
    for (;;) {
      if (this.is(Token.async)) this.next()
      if (!this.is(Token.for)) return
      this.facts.branch()
      this.next()
      this.forClause(true)
      while (this.is(Token.if)) {
        this.facts.branch()
        this.next()
        this.operation(ResultUse.condition)
        if (this.is(Token.walrus)) this.walrus()
      }
    }
  }

  /** `targets in iterable`. The targets are bound once the iterable is known. */
  protected forClause(inner: boolean): void {
    const { facts } = this
    if (this.is(Token.name) && this.nameBeforeIn()) {
      const { id, start } = this
      this.next()
      this.next()
      this.iterable(inner)
      const x = this.value()
      const element = x < 0 ? -1 : facts.expression(Op.element, x)
      this.bindLoop(id, start, element, inner)
      return
    }
    const { collects } = this
    this.collects = true
    const from = this.targets.length
    let shape = this.targetList()
    this.collects = collects
    const found = this.targets.slice(from)
    this.targets.length = from
    this.expect(Token.in)
    this.iterable(inner)
    const counted = this.counted
    const paired = this.paired
    const x = counted >= 0 || paired >= 0 ? -1 : this.value()
    const element = x < 0 ? -1 : facts.expression(Op.element, x)
    if (shape === 0 && found.length > 4) shape = 1
    for (let i = 0; i < found.length; i += 4) {
      const nth = i / 4
      let value = -1
      if (counted >= 0 || paired >= 0) {
        if (nth === 1) value = facts.expression(Op.element, counted >= 0 ? counted : paired)
      } else if (element >= 0)
        value = shape === 1 ? facts.expression(Op.slot, element, nth) : shape === 0 ? element : -1
      if (found[i + 1] === 1) this.bindLoop(found[i + 2]!, found[i + 3]!, value, inner)
      else if (found[i]! >= 0) facts.setRole(found[i]!, Role.write)
    }
  }
  private nameBeforeIn(): boolean {
    const { b } = this
    let p = this.p
    while (b[p] === 32) p++
    return b[p] === 105 && b[p + 1] === 110 && (b[p + 2] === 32 || b[p + 2] === 40 || b[p + 2] === 91)
  }
  private iterable(inner: boolean): void {
    this.counted = this.paired = -1
    if (inner) this.operation()
    else this.expressions()
    if (this.after !== After.call) this.counted = this.paired = -1
  }
  private bindLoop(id: number, at: number, value: number, inner: boolean): void {
    if (inner) this.facts.bindLocal(id, value, 0)
    else this.bindVariable(id, at, value)
  }
  /** Binds a name that is no definition even at module level. */
  protected abstract bindVariable(id: number, at: number, value: number): void

  /**
   * Targets up to `in` or `=`. Names become entries of {@link targets}. Returns 0 for a single one, 1 for a flat
   * list and 2 for a nested one.
   */
  private targetList(): number {
    let shape = 0
    if (this.tooDeep()) return 2
    this.level++
    for (;;) {
      if (this.is(Token.star)) this.next()
      if (this.is(Token.openParen) || this.is(Token.openBracket)) {
        const close = this.is(Token.openParen) ? Token.closeParen : Token.closeBracket
        const first = shape === 0
        this.next()
        const inner = this.is(close) ? 0 : this.targetList()
        this.closing(close)
        shape = first && !this.is(Token.comma) ? Math.max(inner, 1) : 2
      } else this.primary()
      if (!this.is(Token.comma)) break
      this.next()
      if (shape === 0) shape = 1
      if (!this.startsExpression()) break
    }
    this.level--
    return shape
  }

  // ---- after a primary --------------------------------------------------------------------------

  protected postfix(word: number): void {
    const { facts } = this
    for (;;) {
      switch (this.token) {
        case Token.dot: {
          this.next()
          if (!this.is(Token.name)) {
            // A keyword after a dot is a name being typed.
            facts.addParseError()
            if (this.token >= Token.false) this.next()
            this.reference = -1
            return
          }
          this.selfMember =
            this.kind === Kind.name &&
            this.after === After.nothing &&
            this.a === this.frame.self &&
            this.a !== 0
          const x = this.value()
          const receiver = x < 0 ? this.unknown() : x
          const { id, start } = this
          const previous = word
          word = this.word
          const reference = facts.memberReference(receiver, id, start, Role.read)
          this.set(Kind.member, receiver, id)
          this.memberAt = start
          this.reference = reference
          this.next()
          if (word === Word.get && previous === Word.environ && this.is(Token.openParen)) word = Word.getenv
          else if (word === Word.get && this.is(Token.openParen)) word = Word.route
          break
        }
        case Token.openParen:
          this.call(word)
          word = 0
          break
        case Token.openBracket:
          this.subscript(word)
          word = 0
          break
        default:
          return
      }
    }
  }

  private call(word: number): void {
    const { facts } = this
    const isName = this.kind === Kind.name
    if (this.after !== After.nothing) this.value()
    const { kind, a, at, reference, collects } = this
    this.collects = false
    facts.openScope()
    this.level++
    this.next()
    if (this.is(Token.string)) {
      if (word === Word.dynamicImport) this.dynamicImport()
      else if (word === Word.getenv) facts.mark(Mark.env, this.contentStart, this.contentEnd)
      else if (word === Word.route && this.b[this.contentStart] === 47)
        facts.mark(Mark.route, this.contentStart, this.contentEnd)
    }
    let count = 0
    let first = -1
    while (!this.is(Token.closeParen) && !this.ended()) {
      const before = this.start
      if (this.is(Token.star) || this.is(Token.power)) this.next()
      else if (this.is(Token.name) && this.isKeyword()) {
        this.next()
        this.next()
      }
      this.expression(ResultUse.argument)
      if (count === 0 && word === Word.enumerate && isName) first = this.value()
      count++
      if (this.is(Token.for) || this.is(Token.async)) this.comprehension()
      if (this.is(Token.comma)) this.next()
      else if (!this.is(Token.closeParen)) {
        facts.addParseError()
        if (this.is(Token.closeBracket) || this.is(Token.closeBrace)) break
        if (this.start === before) this.skip()
      }
    }
    this.level--
    this.closing(Token.closeParen)
    facts.closeScope()
    this.collects = collects
    this.set(kind, a, at)
    this.after = After.call
    if (reference >= 0) facts.setCall(reference, Role.call, count)
    this.called = reference
    this.counted = first
    this.paired = word === Word.items && kind === Kind.member ? a : -1
    const owner = this.frame.owner
    if (word === Word.super && kind === Kind.name && owner !== undefined) {
      this.set(Kind.ready, facts.expression(Op.super, owner.definition))
      this.called = reference
    }
  }
  /** At the literal that names the module. */
  private dynamicImport(): void {
    let from = this.contentStart
    while (from < this.contentEnd && this.b[from] === 46) from++
    if (from === this.contentEnd) return
    this.facts.import(
      this.facts.name(from, this.contentEnd),
      0,
      0,
      ImportFlag.dynamic,
      this.start,
      from - this.contentStart
    )
  }
  private subscript(word: number): void {
    const { facts } = this
    const { kind, a, at, after, collects } = this
    this.collects = false
    const generic = after === After.nothing && kind !== Kind.none && this.typeLike()
    const { reference } = this
    this.next()
    if (word === Word.environ && this.is(Token.string))
      facts.mark(Mark.env, this.contentStart, this.contentEnd)
    this.level++
    let slice = false
    let types = generic
    const parts: Array<number> = []
    while (!this.is(Token.closeBracket) && !this.ended()) {
      const before = this.start
      if (this.is(Token.star)) this.next()
      if (!this.is(Token.colon)) {
        this.expression()
        if (this.is(Token.walrus)) this.walrus()
        if (types) {
          types = this.after === After.nothing && this.typeLike()
          if (types) {
            const x = this.value()
            parts.push(x < 0 ? this.unknown() : x)
          }
        }
      }
      while (this.is(Token.colon)) {
        slice = true
        this.next()
        if (!this.is(Token.colon) && !this.is(Token.comma) && !this.is(Token.closeBracket)) this.expression()
      }
      if (this.is(Token.comma)) this.next()
      else if (!this.is(Token.closeBracket)) {
        facts.addParseError()
        if (this.is(Token.closeParen) || this.is(Token.closeBrace)) break
        if (this.start === before) this.skip()
      }
    }
    this.level--
    this.closing(Token.closeBracket)
    this.collects = collects
    this.set(kind, a, at)
    this.after = after
    if (slice) {
      this.value()
      return
    }
    if (types && parts.length > 0) {
      const base = this.value()
      if (base >= 0) this.set(Kind.ready, facts.withArguments(Op.generic, base, parts))
      this.reference = reference
      return
    }
    if (after !== After.nothing) this.value()
    this.after = After.element
  }
  /** Looks like the name of a class: a capital and a small letter, or a single capital. */
  private typeLike(): boolean {
    if (this.kind !== Kind.name && this.kind !== Kind.member) return false
    const { b } = this
    const at = this.kind === Kind.name ? this.at : this.memberAt
    const c = b[at]!
    if (c < 65 || c > 90)
      return (
        this.kind === Kind.name &&
        this.a < this.words.classes.length &&
        this.words.classes[this.a] === Word.scalar
      )
    for (let p = at + 1; ; p++) {
      const x = b[p]!
      if (x >= 97 && x <= 122) return true
      if ((x < 65 || x > 90) && x !== 95) return p === at + 1
    }
  }

  // ---- strings, lambdas -------------------------------------------------------------------------

  /** At the opening quote of a formatted string. */
  private formattedString(): void {
    const { quote, triple, rawText, contentStart, collects } = this
    this.collects = false
    if (this.level >= deepest) {
      this.facts.addParseError()
      this.skipFormatted()
      this.next()
      return
    }
    this.level++
    this.text(contentStart, contentStart + 64 < this.n ? contentStart + 64 : this.n)
    this.pieces(quote, triple, rawText, false)
    this.level--
    this.collects = collects
    this.token = Token.string
    this.end = this.p
    this.next()
  }
  /** Text and replacement fields up to the closing quotes, or in a format up to the field's brace. */
  private pieces(quote: number, triple: boolean, raw: boolean, spec: boolean): boolean {
    while (this.textPiece(quote, triple, raw, spec)) {
      if (this.level >= deepest) {
        this.facts.addParseError()
        continue
      }
      this.level++
      const nest = ++this.nest
      this.token = Token.openBrace
      this.end = this.p
      this.next()
      if (this.is(Token.yield)) this.yielded()
      else this.fieldExpressions()
      if (this.is(Token.assign)) this.next()
      if (this.is(Token.other)) {
        this.next()
        if (this.is(Token.name)) this.next()
      }
      this.level--
      if (this.is(Token.colon) || this.is(Token.walrus)) {
        this.p = this.start + 1
        this.level++
        const closed = this.pieces(quote, triple, raw, true)
        this.level--
        this.nest = nest - 1
        if (!closed) return false
      } else if (this.is(Token.closeBrace)) {
        this.p = this.end
        this.nest = nest - 1
      } else {
        this.facts.addParseError()
        this.nest = nest - 1
        if (this.is(Token.newline) || this.is(Token.end)) {
          this.p = this.start
          return false
        }
        this.p = this.end
      }
    }
    if (spec && this.p < this.n && this.b[this.p] === 125) {
      this.p++
      return true
    }
    return false
  }
  private fieldExpressions(): void {
    for (;;) {
      if (this.is(Token.star)) this.next()
      this.fieldExpression()
      if (!this.is(Token.comma)) return
      this.next()
      if (!this.startsExpression()) return
    }
  }
  /** As an expression, but `:=` starts the format. */
  private fieldExpression(): void {
    for (;;) {
      this.operation()
      if (!this.is(Token.if)) return
      this.facts.branch()
      this.next()
      this.operation(ResultUse.condition)
      if (!this.is(Token.else)) return
      this.next()
    }
  }

  /** At `lambda`. With a definition it is that function. */
  protected lambda(definition: number): void {
    const { facts, collects } = this
    if (this.tooDeep()) return this.set(Kind.none, -1)
    this.level++
    this.collects = false
    this.next()
    const base = this.parameters.length
    facts.openScope(Scope.function)
    this.parameterList(Token.colon)
    if (definition >= 0) {
      facts.setParameters(definition, this.least, this.most, this.variadic)
      facts.setBody(definition, this.start)
    }
    for (let i = base; i < this.parameters.length; i += 2)
      facts.bindLocal(this.parameters[i]!, this.parameters[i + 1]!)
    this.parameters.length = base
    this.expect(Token.colon)
    this.expression(ResultUse.returned)
    if (definition >= 0) facts.setType(definition, this.informative())
    facts.closeScope()
    this.level--
    this.collects = collects
    this.set(Kind.literal, this.words.function)
  }

  /** Parameters up to the closing token, which stays. Leaves names and values in {@link parameters}. */
  protected parameterList(close: number): void {
    const { facts } = this
    let least = 0
    let most = 0
    let variadic = false
    while (!this.is(close) && !this.ended()) {
      const before = this.start
      let rest = 0
      if (this.is(Token.star) || this.is(Token.power)) {
        rest = this.is(Token.star) ? 1 : 2
        this.next()
      }
      if (this.is(Token.name)) {
        const { id } = this
        this.next()
        let type = -1
        if (close === Token.closeParen && this.is(Token.colon)) {
          this.next()
          type = this.annotation(Role.parameter_type)
        }
        let value = this.instance(type)
        if (rest === 0) {
          most++
          if (this.is(Token.assign)) {
            this.next()
            this.expression(ResultUse.assigned)
            if (type < 0) value = this.informative()
          } else least++
        } else {
          variadic = true
          if (type >= 0) {
            const shape = rest === 1 ? this.words.list : this.words.map
            value = this.instance(
              facts.withArguments(
                Op.generic,
                this.literal(shape),
                rest === 1 ? [type] : [this.literal(this.words.string), type]
              )
            )
          }
        }
        this.parameters.push(id, value)
      } else if (rest === 0 && this.is(Token.binary)) this.next()
      if (this.is(Token.comma)) this.next()
      else if (!this.is(close)) {
        facts.addParseError()
        if (this.start === before) this.skip()
        if (this.is(Token.colon) && close === Token.closeParen) break
      }
    }
    this.least = least
    this.most = most
    this.variadic = variadic
  }
}
