/** Expressions. What an expression yields is kept in a few fields and becomes a fact only when something asks for it. */
import { Scope } from "../FactsBuilder.ts"
import { Flag, kindNumber, Mark, Op, ResultUse, Role } from "../Vocabulary.ts"
import { Token } from "./Token.ts"
import { TypeReader } from "./Types.ts"
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
  /** a = a type expression. */
  type: 4,
  /** A function literal; a = its function type, at = its result. */
  function: 5,
  /** a = name of a built-in type. */
  literal: 6
} as const
const After = { nothing: 0, call: 1, element: 2 } as const

export abstract class ExpressionReader extends TypeReader {
  protected kind: number = Kind.none
  protected a = -1
  protected at = 0
  private after: number = After.nothing
  /** Reference that names the value, when it is a name or member as it stands; -1 otherwise. */
  protected reference = -1
  /** Reference called, when the value is the result of a call as it stands; -1 otherwise. */
  protected called = -1
  /** The value is the result of a call, named or not. */
  protected isCall = false
  /** The value may be a type by the look of it. */
  private typeLike = false
  /** Composite literals of a bare name are possible: not in the header of a statement. */
  protected headerless = 0
  /** `x.(type)` was read. */
  protected typeSwitch = false
  protected tests = false
  private lookahead = 0
  /** The name that the member read last was selected from, 0 when that was no name. */
  private qualifier = 0

  protected abstract block(): void

  protected override open(): void {
    super.open()
    this.headerless = 0
    this.typeSwitch = false
    this.lookahead = this.n * 4
    this.set(Kind.none, -1)
  }

  private set(kind: number, a: number, at = 0): void {
    this.kind = kind
    this.a = a
    this.at = at
    this.after = After.nothing
    this.reference = this.called = -1
    this.isCall = this.typeLike = false
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
      case Kind.type:
        x = this.a
        if (this.after === After.call) {
          x = this.instance(x)
          this.after = After.nothing
        }
        break
      case Kind.function:
        x = this.a
        if (this.after === After.call) {
          x = this.at
          this.after = After.nothing
        }
        break
      default:
        break
    }
    if (x >= 0 && this.after !== After.nothing)
      x = facts.expression(this.after === After.call ? Op.call : Op.element, x)
    if (this.kind !== Kind.type || x !== this.a) {
      this.kind = x < 0 ? Kind.none : Kind.ready
      this.a = x
    }
    this.after = After.nothing
    return x
  }
  private isTypeArgument(): boolean {
    return this.after === After.nothing && (this.kind === Kind.type || this.typeLike)
  }
  protected override bounded(): void {
    const { headerless } = this
    this.headerless = 0
    this.expression()
    this.headerless = headerless
  }

  /** Reads an expression or type. `use` tells what becomes of a call it consists of. */
  protected override expression(use: number = ResultUse.unknown): void {
    this.unary()
    if (this.token < Token.star || this.token > Token.pipe || this.is(Token.not) || this.is(Token.tilde)) {
      if (use !== 0 && this.called >= 0) this.facts.setUse(this.called, use)
      return
    }
    const { kind, a, at, after } = this
    let boolean = false
    if (use === ResultUse.condition && this.called >= 0) this.facts.setUse(this.called, use)
    do {
      if (this.is(Token.and) || this.is(Token.or)) {
        this.facts.branch()
        boolean = true
      } else if (this.is(Token.compare)) boolean = true
      this.next()
      this.unary()
      if (use === ResultUse.condition && this.called >= 0) this.facts.setUse(this.called, use)
    } while (
      this.token >= Token.star &&
      this.token <= Token.pipe &&
      !this.is(Token.not) &&
      !this.is(Token.tilde)
    )
    if (boolean) this.set(Kind.literal, this.words.boolean)
    else {
      this.set(kind, a, at)
      this.after = after
    }
  }

  private unary(): void {
    if (this.tooDeep()) return this.set(Kind.none, -1)
    this.level++
    let receives = 0
    let not = false
    let plain = true
    for (;;) {
      const t = this.token
      if (t === Token.arrow) {
        this.next()
        if (this.is(Token.chan)) {
          this.set(Kind.type, this.type(Role.type))
          this.postfix(true)
          this.level--
          return
        }
        receives++
      } else if (t === Token.not) {
        not = true
        this.next()
      } else if (t === Token.star || t === Token.ampersand || t === Token.sign || t === Token.tilde) {
        plain = false
        this.next()
      } else break
    }
    this.primary()
    this.level--
    if (plain && receives === 0 && !not) return
    this.reference = -1
    if (not) {
      const { called } = this
      this.set(Kind.literal, this.words.boolean)
      this.called = called
    } else if (receives > 0) {
      let x = this.value()
      for (let i = 0; i < receives && x >= 0; i++) x = this.facts.expression(Op.element, x)
      this.set(x < 0 ? Kind.none : Kind.ready, x)
    }
  }

  private primary(): void {
    const { words } = this
    let composes = false
    switch (this.token) {
      case Token.name: {
        const { id, start, word, end } = this
        this.next()
        this.operand(id, start, word, end)
        return
      }
      case Token.number:
      case Token.rune:
        this.next()
        this.set(Kind.literal, words.number)
        break
      case Token.string:
        this.next()
        this.set(Kind.literal, words.string)
        break
      case Token.func:
        this.functionLiteral(-1)
        break
      case Token.openBracket:
      case Token.map:
      case Token.chan:
      case Token.struct:
      case Token.interface:
        this.set(Kind.type, this.type(Role.type))
        composes = true
        break
      case Token.openParen: {
        const { headerless } = this
        this.headerless = 0
        this.next()
        this.expression()
        this.headerless = headerless
        this.expect(Token.closeParen)
        break
      }
      default:
        this.facts.addParseError()
        return this.set(Kind.none, -1)
    }
    this.postfix(composes)
  }

  /** The rest of an expression that starts with a name already consumed. */
  private operand(id: number, at: number, word: number, end: number): void {
    const { words } = this
    let composes = false
    if (id === words.blank) this.set(Kind.none, -1)
    else if (this.predeclared(id, word)) {
      if (word === Word.type) {
        this.set(Kind.type, this.literal(id))
        this.typeLike = true
      } else
        this.set(
          Kind.literal,
          word === Word.nil ? words.null : word === Word.boolean ? words.boolean : words.number
        )
    } else {
      const reference = this.facts.reference(id, at, Role.read)
      this.set(Kind.name, id, at)
      this.reference = reference
      this.typeLike = this.exported(at, end) !== 0
      composes = this.headerless === 0
      if (this.is(Token.openParen) && (word === Word.make || word === Word.new)) {
        this.allocation(word)
        composes = false
      }
    }
    this.postfix(composes, word)
  }

  private postfix(composes: boolean, word = 0): void {
    const { facts } = this
    for (;;) {
      switch (this.token) {
        case Token.dot:
          this.next()
          if (this.is(Token.name)) {
            this.qualifier = this.kind === Kind.name && this.after === After.nothing ? this.a : 0
            const x = this.value()
            const receiver = x < 0 ? this.unknown() : x
            const { id, start, end } = this
            word = this.word
            const reference = facts.memberReference(receiver, id, start, Role.read)
            this.set(Kind.member, receiver, id)
            this.reference = reference
            this.typeLike = this.exported(start, end) !== 0
            composes = this.headerless === 0
            this.next()
          } else if (this.is(Token.openParen)) {
            this.next()
            if (this.is(Token.type)) {
              this.next()
              this.typeSwitch = true
            } else {
              const type = this.type(Role.type)
              this.set(type < 0 ? Kind.none : Kind.ready, this.instance(type))
            }
            composes = false
            this.expect(Token.closeParen)
          } else {
            facts.addParseError()
            return
          }
          break
        case Token.openBracket:
          composes = this.index(composes)
          break
        case Token.openParen:
          this.call(word)
          composes = false
          break
        case Token.openBrace: {
          if (!composes || this.after !== After.nothing) return
          const named = this.reference
          if (named >= 0) facts.setRole(named, Role.new)
          const type = this.value()
          const value = this.instance(type)
          this.composite(type, value)
          this.set(value < 0 ? Kind.none : Kind.ready, value)
          composes = false
          break
        }
        default:
          return
      }
    }
  }

  /** `[…]`: an index, a slice or type arguments. Returns whether a composite literal may follow. */
  private index(composes: boolean): boolean {
    const { facts, kind, a, at, after, reference } = this
    const { headerless, typeLike } = this
    this.headerless = 0
    this.next()
    let slice = false
    let types = false
    const parts: Array<number> = []
    if (this.is(Token.closeBracket)) facts.addParseError()
    else if (!this.is(Token.colon)) {
      this.expression()
      types = this.isTypeArgument()
      if (this.is(Token.comma) || this.is(Token.closeBracket)) {
        if (
          types ||
          this.is(Token.comma) ||
          (composes && (this.kind === Kind.name || this.kind === Kind.member))
        ) {
          if (types && this.reference >= 0) facts.setRole(this.reference, Role.generic_arg)
          const x = this.value()
          parts.push(x < 0 ? this.unknown() : x)
        }
      }
      while (this.is(Token.comma)) {
        types = true
        this.next()
        if (this.is(Token.closeBracket)) break
        this.expression()
        if (this.reference >= 0) facts.setRole(this.reference, Role.generic_arg)
        const x = this.value()
        parts.push(x < 0 ? this.unknown() : x)
      }
    }
    while (this.is(Token.colon)) {
      slice = true
      this.next()
      if (!this.is(Token.colon) && !this.is(Token.closeBracket)) this.expression()
    }
    this.expect(Token.closeBracket)
    this.headerless = headerless
    this.set(kind, a, at)
    this.after = after
    if (slice) return false
    if (
      parts.length > 0 &&
      after === After.nothing &&
      (types || (composes && this.is(Token.openBrace) && headerless === 0))
    ) {
      const base = this.value()
      if (base >= 0) this.set(Kind.ready, facts.withArguments(Op.generic, base, parts))
      this.reference = reference
      this.typeLike = typeLike
      return composes
    }
    if (after !== After.nothing) this.value()
    this.after = After.element
    return false
  }

  private call(word: number): void {
    const { facts } = this
    if (this.after !== After.nothing) this.value()
    const { kind, a, at, reference } = this
    const wraps = kind === Kind.member && this.qualifier === this.words.sync && this.words.onces.includes(at)
    const args = this.callArguments(word)
    if (wraps && args === 1) {
      // The function returned is called like the one given.
      const x = this.value()
      this.set(x < 0 ? Kind.none : Kind.ready, x)
    } else {
      this.set(kind, a, at)
      this.after = After.call
    }
    this.isCall = true
    if (reference >= 0) {
      facts.setCall(reference, Role.call, args)
      this.called = reference
    }
  }
  private callArguments(word: number): number {
    const { facts, headerless } = this
    this.headerless = 0
    this.next()
    let count = 0
    let test = false
    if (this.is(Token.string) && word >= Word.route) {
      if (word === Word.run) test = this.tests
      else if (word === Word.environment) facts.mark(Mark.env, this.start + 1, this.end - 1)
      else if (this.isRoute()) facts.mark(Mark.route, this.start + 1, this.end - 1)
    }
    while (!this.is(Token.closeParen) && !this.is(Token.end)) {
      const before = this.start
      if (test && count === 0) {
        const { start, end } = this
        this.expression()
        if (this.is(Token.comma) && this.lastEnd === end && this.peek() === 102) {
          this.next()
          if (this.is(Token.func)) {
            count++
            const to = Math.max(start + 1, Math.min(end - 1, start + 121))
            const name = facts.name(start + 1, to)
            facts.openDefinition(kindNumber.test, name, start, start, Flag.test | Flag.local)
            this.expression(ResultUse.argument)
            facts.closeDefinition(this.lastEnd)
          } else {
            count++
            continue
          }
        }
        test = false
      } else this.expression(ResultUse.argument)
      count++
      if (this.is(Token.ellipsis)) this.next()
      if (this.is(Token.comma)) this.next()
      else if (!this.is(Token.closeParen)) {
        facts.addParseError()
        if (this.is(Token.semicolon) || this.is(Token.closeBrace)) break
        if (this.start === before) this.skip()
      }
    }
    this.headerless = headerless
    this.expect(Token.closeParen)
    return count
  }
  private isRoute(): boolean {
    const { b, end } = this
    let p = this.start + 1
    while (p < end && b[p]! >= 65 && b[p]! <= 90) p++
    if (p > this.start + 1 && b[p] === 32) p++
    return b[p] === 47
  }
  /** `make(T, …)` and `new(T)`, at `(`. */
  private allocation(word: number): void {
    const { facts, headerless } = this
    const reference = this.reference
    this.headerless = 0
    this.next()
    let count = 0
    let result = -1
    while (!this.is(Token.closeParen) && !this.is(Token.end)) {
      const before = this.start
      this.expression(ResultUse.argument)
      if (count === 0) {
        const type = word === Word.make || this.isTypeArgument()
        if (type && this.reference >= 0) facts.setRole(this.reference, Role.new)
        const x = this.value()
        result = type ? this.instance(x) : x
      }
      count++
      if (this.is(Token.comma)) this.next()
      else if (!this.is(Token.closeParen)) {
        facts.addParseError()
        if (this.is(Token.semicolon) || this.is(Token.closeBrace)) break
        if (this.start === before) this.skip()
      }
    }
    this.headerless = headerless
    this.expect(Token.closeParen)
    this.set(result < 0 ? Kind.none : Kind.ready, result)
    this.isCall = true
    facts.setCall(reference, Role.call, count)
    this.called = reference
  }

  /** `{…}` of a composite literal. `type` is its type expression or -1, `value` an instance of it or -1. */
  private composite(type: number, value: number): void {
    const { facts, headerless } = this
    if (this.tooDeep()) return
    this.level++
    this.headerless = 0
    const ordered = this.elements.has(type)
    const element = this.elements.get(type) ?? -1
    const key = this.keys.get(type) ?? -1
    const keyed = this.keys.has(type)
    this.next()
    while (!this.is(Token.closeBrace) && !this.is(Token.end)) {
      const before = this.start
      if (this.is(Token.name) && !ordered && this.isKey()) {
        facts.memberReference(value < 0 ? this.unknown() : value, this.id, this.start, Role.write)
        this.next()
        this.next()
        this.compositeElement(element, value, ordered)
      } else {
        // In a map literal an element that starts with a brace is a key.
        if (this.is(Token.openBrace) && keyed) this.compositeElement(key, value, true)
        else this.compositeElement(element, value, ordered)
        if (this.is(Token.colon)) {
          this.next()
          this.compositeElement(element, value, ordered)
        }
      }
      if (this.is(Token.comma)) this.next()
      else if (!this.is(Token.closeBrace)) {
        facts.addParseError()
        if (this.start === before) this.skip()
        else if (this.is(Token.semicolon)) this.next()
      }
    }
    this.headerless = headerless
    this.level--
    this.expect(Token.closeBrace)
  }
  private compositeElement(type: number, outer: number, known: boolean): void {
    if (!this.is(Token.openBrace)) return this.expression(ResultUse.assigned)
    if (known) return this.composite(type, this.instance(type))
    this.composite(-1, outer < 0 ? -1 : this.facts.expression(Op.element, outer))
  }

  /**
   * At `func`: a function literal, or a function type when no body follows. With a definition it is
   * that function, declared from `from` on.
   */
  protected functionLiteral(definition: number, from = this.start): void {
    const { facts, headerless } = this
    const outer = this.anonymous
    this.anonymous = -1
    this.next()
    facts.openScope(Scope.function)
    const base = this.parameters.length
    const result = this.signature()
    const type = this.callable(result)
    if (definition >= 0) {
      facts.setType(definition, result)
      facts.setParameters(definition, this.variadic ? this.count - 1 : this.count, this.count, this.variadic)
      this.takes(definition)
    }
    const body = this.is(Token.openBrace)
    if (body) {
      if (definition >= 0) {
        facts.setBody(definition, this.start)
        facts.setSignature(definition, from, this.lastEnd)
      }
      this.bindParameters(base, this.start)
      this.headerless = 0
      this.block()
      this.headerless = headerless
    } else this.parameters.length = base
    facts.closeScope()
    this.anonymous = outer
    if (body) this.set(Kind.function, type, result)
    else {
      this.set(Kind.type, type)
      this.typeLike = true
    }
  }

  /** At `func`: whether a function literal stands here that is not called on the spot. */
  protected isClosure(): boolean {
    if (this.lookahead <= 0) return true
    const back = this.remember()
    const from = this.start
    let depth = 0
    let before: number = Token.func
    let body = false
    this.next()
    for (;;) {
      const t = this.token
      if (t === Token.end || (depth === 0 && !body && t === Token.semicolon)) break
      if (t === Token.openParen || t === Token.openBracket) depth++
      else if (t === Token.openBrace) {
        if (depth === 0 && before !== Token.struct && before !== Token.interface) body = true
        depth++
      } else if (t === Token.closeParen || t === Token.closeBracket || t === Token.closeBrace) {
        depth--
        if (depth < 0) break
        if (depth === 0 && body) {
          this.next()
          break
        }
      }
      before = t
      this.next()
    }
    const closure = body && !this.is(Token.openParen)
    this.lookahead -= this.start - from
    this.rewind(back)
    return closure
  }
}
