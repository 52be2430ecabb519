/** Object literals and their members. */
import { Space } from "../FactsBuilder.ts"
import { Flag, kindNumber, Op, ResultUse, Role } from "../Vocabulary.ts"
import { namePart, tEof, tName, tNumber, tPrivate, tSpread, tString } from "./Lexer.ts"
import { deepest, lObject, thisInstance, thisUnknown } from "./Reader.ts"
import { kAsync, kGet, kSet } from "./Words.ts"
import { JsxReader } from "./Jsx.ts"

export abstract class ObjectReader extends JsxReader {
  /** Tells that the file publishes a name: for a definition, or for what a name of the file stands for. */
  abstract publish(exported: number, local: number, at: number, definition: number): void
  /** Goes on behind a literal that was read as a value of its own. */
  protected abstract afterLiteral(): void

  /**
   * An object literal at `{`. With a definition its members become definitions of it, `level` levels deep so far;
   * with `shorthand`, names given alone are told as published names as well. Where it is known what the object is
   * expected to be, its keys write members of that.
   */
  protected object(definition: number, level: number, shorthand: boolean): void {
    if (this.depth > deepest) {
      this.expected = -1
      return this.skipRest()
    }
    const { builder, conditional } = this
    this.depth++
    this.conditional = false
    this.next()
    let given = -1
    if (!this.at(125)) given = this.takeExpected()
    this.expected = -1
    const parts: Array<number> | undefined = this.types && (definition < 0 || given >= 0) ? [] : undefined
    const wanted = given
    if (given >= 0 && this.types) given = builder.expression(Op.chosen)
    while (!this.at(125) && !this.at(tEof)) {
      const at = this.ts
      if (this.at(tSpread)) {
        this.next()
        this.assign(parts !== undefined)
        const spread = parts === undefined ? -1 : this.value()
        if (spread >= 0) parts!.push(builder.expression(Op.property, spread, this.known.spread))
      } else this.property(definition, level, shorthand, given, parts)
      if (this.at(44)) {
        this.next()
        continue
      }
      if (this.at(125)) break
      builder.addParseError()
      if (this.at(41) || this.at(93)) break
      if (this.ts === at) this.next()
    }
    this.conditional = conditional
    this.depth--
    this.eat(125)
    const record = parts === undefined || parts.length === 0 ? -1 : builder.withArguments(Op.record, 0, parts)
    if (wanted >= 0 && this.types) builder.setArguments(given, [wanted, record])
    if (record < 0) this.setLiteral(lObject)
    else this.setExpression(record)
  }

  /** One member; what its value is goes to `parts`. */
  private property(
    definition: number,
    level: number,
    shorthand: boolean,
    given: number,
    parts: Array<number> | undefined
  ): void {
    const { builder, docEnd, docStart, ts: start } = this
    let flags = 0
    let accessor = false
    while (this.at(tName) && (this.says(kAsync) || this.says(kGet) || this.says(kSet))) {
      const q = this.after(this.te)
      const c = this.b[q]!
      if (
        !(
          namePart[c] === 1 ||
          c === 34 ||
          c === 39 ||
          c === 91 ||
          c === 35 ||
          (c === 42 && this.says(kAsync))
        )
      )
        break
      if (this.says(kAsync)) flags |= Flag.async
      else {
        flags |= this.says(kGet) ? Flag.getter : Flag.setter
        accessor = true
      }
      this.next()
    }
    if (this.eat(42)) flags |= Flag.generator
    const nameAt = this.ts
    if (this.at(tName) && flags === 0) {
      const c = this.following
      if (c === 44 || c === 125 || c === 61) {
        // Shorthand.
        const { name } = this
        if (given >= 0) builder.memberReference(given, name, nameAt, Role.write)
        builder.reference(name, nameAt, Role.read, Space.value)
        parts?.push(builder.expression(Op.property, builder.nameExpression(name, nameAt, Space.value), name))
        this.next()
        if (shorthand && level === 1 && definition >= 0) this.publish(name, name, nameAt, -1)
        if (this.eat(61)) this.assign(false)
        return
      }
    }
    const known = definition >= 0 && level <= 3
    if (!this.at(tName) && !this.at(tString) && !this.at(tNumber) && !this.at(91) && !this.at(tPrivate))
      return
    const computed = this.at(91)
    const name = this.propertyKey()
    if (computed) {
      given = -1
      parts = undefined
    }
    if (given >= 0 && (this.at(40) || this.at(60) || this.at(58)))
      builder.memberReference(given, name, nameAt, Role.write)
    if (this.at(40) || this.at(60)) {
      // A method.
      let method = -1
      if (known) {
        method = builder.openDefinition(
          accessor ? kindNumber.property : kindNumber.method,
          name,
          nameAt,
          start,
          flags | this.localFlag
        )
        this.document(method, docStart, docEnd)
      }
      const state = this.enterFunction(
        (flags & Flag.generator) !== 0 ? -1 : method,
        (flags & Flag.generator) !== 0,
        (flags & Flag.async) !== 0
      )
      this.thisKind = definition >= 0 ? thisInstance : thisUnknown
      this.thisValue = definition
      this.classDef = -1
      this.classFields = undefined
      if (given < 0 || accessor) this.callable(method, -1, start)
      else this.callable(method, -1, start, builder.expression(Op.member, given, name), true)
      this.leaveFunction(state)
      if (method >= 0) builder.closeDefinition(this.prevEnd)
      if (shorthand && level === 1 && method >= 0) this.publish(name, 0, nameAt, method)
      return
    }
    if (!this.eat(58)) {
      if (this.eat(61)) this.assign(false)
      return
    }
    const callable = (known || given >= 0) && this.functionAt(this.ts)
    const nested = this.at(123)
    if (given >= 0 && (callable || nested || this.at(91) || this.at(40)))
      this.expected = builder.expression(Op.member, given, name)
    if (!known) {
      if (parts === undefined) return this.assign(false)
      const text = this.textAlone()
      this.assign(true)
      if (given >= 0 && builder.takesContext(this.value()))
        this.contextualize(builder.expression(Op.member, given, name))
      parts.push(builder.expression(Op.property, text < 0 ? this.value() : text, name))
      return
    }
    if (shorthand && level === 1 && this.isName) {
      // `name: local` publishes what is declared elsewhere.
      const q = this.after(this.te)
      if (this.b[q] === 44 || this.b[q] === 125) {
        this.publish(name, this.name, nameAt, -1)
        return this.assign(false)
      }
    }
    const member = builder.openDefinition(
      callable ? kindNumber.method : kindNumber.property,
      name,
      nameAt,
      start,
      this.localFlag
    )
    this.document(member, docStart, docEnd)
    if (callable) this.functionValue(member, start, thisUnknown, -1, definition)
    else if (nested && level < 3) {
      this.object(member, level + 1, false)
      builder.setType(member, this.literal(lObject))
      this.afterLiteral()
    } else {
      const text = parts === undefined ? -1 : this.textAlone()
      this.assign(true)
      if (this.callRef >= 0) builder.setUse(this.callRef, ResultUse.assigned)
      if (given >= 0 && builder.takesContext(this.value()))
        this.contextualize(builder.expression(Op.member, given, name))
      builder.setType(member, this.value())
      if (text >= 0) parts?.push(builder.expression(Op.property, text, name))
    }
    if (!callable) builder.setSignature(member, start, this.headEnd(start, this.prevEnd))
    builder.closeDefinition(this.prevEnd)
    if (shorthand && level === 1) this.publish(name, 0, nameAt, member)
  }
  /** The type of the text that is the whole value read next, -1 when it is anything else. */
  private textAlone(): number {
    return this.at(tString) && (this.following === 44 || this.following === 125) ? this.textLiteral() : -1
  }
  /** A property name of any form; gives it interned. */
  propertyKey(): number {
    if (this.at(91)) {
      const start = this.ts
      const { conditional } = this
      this.conditional = false
      this.next()
      this.assign(false)
      this.conditional = conditional
      const end = this.te
      this.closeBracket(93)
      return this.builder.name(start, Math.min(end, start + 120))
    }
    const { memberName } = this
    this.next()
    return memberName
  }
}
