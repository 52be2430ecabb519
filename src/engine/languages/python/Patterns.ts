/** Patterns of match statements. */
import { Op, Role } from "../Vocabulary.ts"
import { ImportReader } from "./Imports.ts"
import { Token } from "./Token.ts"

export abstract class PatternReader extends ImportReader {
  protected patterns(subject: number): void {
    this.pattern(subject)
    while (this.is(Token.comma)) {
      this.next()
      if (this.is(Token.colon) || this.is(Token.if)) return
      this.pattern(-1)
    }
  }
  protected capture(value: number): void {
    const { id, start } = this
    this.next()
    if (id !== this.words.blank) this.bindVariable(id, start, value)
  }
  protected pattern(subject: number): void {
    const { facts } = this
    if (this.tooDeep()) return
    this.level++
    let type = -1
    for (;;) {
      type = this.closedPattern(subject)
      if (!this.is(Token.pipe)) break
      this.next()
    }
    if (this.is(Token.as)) {
      this.next()
      if (this.is(Token.name)) this.capture(type >= 0 ? this.instance(type) : subject)
      else facts.addParseError()
    }
    this.level--
  }
  /** One alternative. Returns the class it asks for, if it does. */
  protected closedPattern(subject: number): number {
    const { facts } = this
    switch (this.token) {
      case Token.name: {
        const c = this.peek()
        if (c !== 46 && c !== 40) {
          this.capture(subject)
          return -1
        }
        const { id, start } = this
        this.next()
        let reference = facts.reference(id, start, Role.read)
        let x = facts.nameExpression(id, start)
        while (this.is(Token.dot)) {
          this.next()
          if (!this.is(Token.name)) break
          reference = facts.memberReference(x, this.id, this.start, Role.read)
          x = facts.expression(Op.member, x, this.id)
          this.next()
        }
        if (!this.is(Token.openParen)) return -1
        facts.setRole(reference, Role.type)
        const instance = this.instance(x)
        this.next()
        while (!this.is(Token.closeParen) && !this.is(Token.newline) && !this.is(Token.end)) {
          const before = this.start
          if (this.is(Token.name) && this.isKeyword()) {
            const { id: field, start: at } = this
            facts.memberReference(instance, field, at, Role.read)
            this.next()
            this.next()
            this.pattern(facts.expression(Op.member, instance, field))
          } else this.pattern(-1)
          if (this.is(Token.comma)) this.next()
          else if (this.start === before) {
            facts.addParseError()
            this.skip()
          }
        }
        this.closing(Token.closeParen)
        return x
      }
      case Token.star:
        this.next()
        if (this.is(Token.name)) this.capture(-1)
        return -1
      case Token.openParen:
      case Token.openBracket: {
        const close = this.is(Token.openParen) ? Token.closeParen : Token.closeBracket
        const element =
          close === Token.closeBracket && subject >= 0 ? facts.expression(Op.element, subject) : -1
        this.next()
        while (!this.is(close) && !this.is(Token.newline) && !this.is(Token.end)) {
          const before = this.start
          this.pattern(element)
          if (this.is(Token.comma)) this.next()
          else if (this.start === before) {
            facts.addParseError()
            this.skip()
          }
        }
        this.closing(close)
        return -1
      }
      case Token.openBrace:
        this.next()
        while (!this.is(Token.closeBrace) && !this.is(Token.newline) && !this.is(Token.end)) {
          const before = this.start
          if (this.is(Token.power)) {
            this.next()
            if (this.is(Token.name)) this.capture(-1)
          } else {
            this.operation()
            if (this.is(Token.colon)) {
              this.next()
              this.pattern(-1)
            }
          }
          if (this.is(Token.comma)) this.next()
          else if (this.start === before) {
            facts.addParseError()
            this.skip()
          }
        }
        this.closing(Token.closeBrace)
        return -1
      default: {
        // A literal, perhaps signed or complex; `|` belongs to the pattern.
        let any = false
        while (
          this.is(Token.number) ||
          this.is(Token.sign) ||
          this.is(Token.string) ||
          this.is(Token.none) ||
          this.is(Token.true) ||
          this.is(Token.false)
        ) {
          this.next()
          any = true
        }
        if (!any) {
          facts.addParseError()
          if (!this.is(Token.colon) && !this.is(Token.newline)) this.skip()
        }
        return -1
      }
    }
  }
}
