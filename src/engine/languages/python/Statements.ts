/** Statements: assignments and compound statements. */
import { Flag, kindNumber, Op, ResultUse, Role } from "../Vocabulary.ts"
import { DefinitionReader, undecorated } from "./Definitions.ts"
import { deepest, Kind } from "./Expressions.ts"
import { FrameKind } from "./Frame.ts"
import { Token } from "./Token.ts"
import { Word } from "./Words.ts"

export abstract class StatementReader extends DefinitionReader {
  // ---- blocks -----------------------------------------------------------------------------------

  /** Statements up to the end of the file or of the block. */
  protected statements(): void {
    while (!this.is(Token.end) && !this.is(Token.dedent)) {
      if (this.is(Token.newline)) {
        this.next()
        continue
      }
      if (this.is(Token.indent)) {
        this.facts.addParseError()
        if (this.level >= deepest - 100) {
          this.skipBlock()
          continue
        }
        this.level++
        this.next()
        this.statements()
        this.level--
        if (this.is(Token.dedent)) this.next()
        continue
      }
      const before = this.p
      this.statement()
      if (this.p === before && !this.is(Token.end) && !this.is(Token.dedent) && !this.is(Token.newline)) {
        this.facts.addParseError()
        this.next()
      }
    }
  }
  /** At an indent: skips to behind its dedent. */
  private skipBlock(): void {
    let depth = 0
    do {
      if (this.is(Token.end)) return
      if (this.is(Token.indent)) depth++
      else if (this.is(Token.dedent)) depth--
      else if (this.is(Token.formatted)) this.skipFormatted()
      this.next()
    } while (depth > 0)
  }
  /** `: …`, on the same line or indented below. `document` is a definition a string at its start documents. */
  protected override suite(document = -1): void {
    const { facts } = this
    if (!this.expect(Token.colon)) {
      // Read on at the end of the line, so that an indented block still belongs here.
      while (!this.is(Token.newline) && !this.is(Token.end) && !this.is(Token.colon)) this.skip()
      if (this.is(Token.colon)) this.next()
    }
    if (!this.is(Token.newline)) {
      if (this.is(Token.end) || this.is(Token.dedent)) return
      this.docstring(document)
      this.simpleLine()
      return
    }
    this.next()
    if (!this.is(Token.indent)) {
      facts.addParseError()
      return
    }
    if (this.level >= deepest - 100) {
      facts.addParseError()
      return this.skipBlock()
    }
    this.level++
    this.next()
    this.docstring(document)
    this.statements()
    this.level--
    if (this.is(Token.dedent)) this.next()
  }
  private docstring(definition: number): void {
    if (definition < 0 || !this.is(Token.string)) return
    this.facts.setDoc(definition, this.start, this.end)
    const { b, contentEnd } = this
    for (let p = this.contentStart; p + 14 <= contentEnd; p++) {
      if (b[p] === 46 && this.startsWith(p, ".. deprecated:")) {
        this.facts.addFlags(definition, Flag.deprecated)
        return
      }
    }
  }
  /** Simple statements separated by semicolons, with the line's end. */
  private simpleLine(): void {
    for (;;) {
      this.simple()
      if (!this.is(Token.semicolon)) break
      this.next()
      if (this.is(Token.newline) || this.is(Token.end)) break
    }
    if (this.is(Token.newline)) this.next()
    else if (!this.is(Token.end) && !this.is(Token.dedent)) {
      this.facts.addParseError()
      const before = this.p
      while (!this.is(Token.newline) && !this.is(Token.end) && !this.is(Token.dedent)) {
        if (this.is(Token.semicolon) && this.p !== before) return
        this.skip()
      }
      if (this.is(Token.newline)) this.next()
    }
  }

  private statement(): void {
    switch (this.token) {
      case Token.def:
        return this.functionDefinition(this.start, undecorated, 0)
      case Token.class:
        return this.classDefinition(this.start, undecorated)
      case Token.at:
        return this.decorated()
      case Token.async: {
        const { start } = this
        this.next()
        if (this.is(Token.def)) return this.functionDefinition(start, undecorated, Flag.async)
        if (this.is(Token.for) || this.is(Token.with)) return this.statement()
        this.facts.addParseError()
        return
      }
      case Token.if:
        return this.conditional()
      case Token.while:
        this.facts.branch()
        this.next()
        this.expression(ResultUse.condition)
        this.suite()
        return this.otherwise()
      case Token.for:
        this.facts.branch()
        this.next()
        this.forClause(false)
        this.suite()
        return this.otherwise()
      case Token.try:
        return this.attempt()
      case Token.with:
        return this.withStatement()
      case Token.name:
        if (this.word === Word.match && this.isMatch()) return this.matchStatement()
    }
    this.simpleLine()
  }
  private otherwise(): void {
    if (this.is(Token.else)) {
      this.next()
      this.suite()
    }
  }
  private conditional(): void {
    const { typeOnly } = this
    for (;;) {
      this.facts.branch()
      this.next()
      const word = this.is(Token.name) ? this.word : 0
      this.expression(ResultUse.condition)
      if (word === Word.typeChecking || (this.kind === Kind.member && this.isTypeChecking(this.at)))
        this.typeOnly = true
      this.suite()
      this.typeOnly = typeOnly
      if (!this.is(Token.elif)) break
    }
    this.otherwise()
  }
  private isTypeChecking(id: number): boolean {
    const { classes } = this.words
    return id < classes.length && classes[id] === Word.typeChecking
  }
  private attempt(): void {
    const { facts } = this
    this.next()
    this.suite()
    while (this.is(Token.except)) {
      facts.branch()
      this.next()
      if (this.is(Token.star)) this.next()
      let type = -1
      if (!this.is(Token.colon)) {
        type = this.caught()
        if (this.is(Token.as)) {
          this.next()
          if (this.is(Token.name)) {
            const { id, start } = this
            this.next()
            this.bindVariable(id, start, this.instance(type))
          } else facts.addParseError()
        }
      }
      this.handling++
      this.suite()
      this.handling--
    }
    this.otherwise()
    if (this.is(Token.finally)) {
      this.next()
      this.suite()
    }
  }
  /** The classes of exceptions a handler is for. Returns an expression for them. */
  private caught(): number {
    if (this.is(Token.openParen)) {
      this.next()
      let type = -1
      while (!this.is(Token.closeParen) && !this.is(Token.newline) && !this.is(Token.end)) {
        const before = this.start
        if (this.is(Token.star)) this.next()
        this.expression()
        if (this.reference >= 0) this.facts.setRole(this.reference, Role.type)
        const x = this.value()
        if (x >= 0) type = type < 0 ? x : this.facts.expression(Op.union, type, x)
        if (this.is(Token.comma)) this.next()
        else if (!this.is(Token.closeParen)) {
          this.facts.addParseError()
          if (this.start === before) this.skip()
        }
      }
      this.expect(Token.closeParen)
      return type
    }
    this.expression()
    if (this.reference >= 0) this.facts.setRole(this.reference, Role.type)
    const type = this.value()
    while (this.is(Token.comma)) {
      this.next()
      this.expression()
    }
    return type
  }
  private withStatement(): void {
    this.next()
    // Parentheses around all items only when `as` or a comma stands inside and a colon follows.
    const grouped = this.is(Token.openParen) && this.isGroup()
    if (grouped) this.next()
    for (;;) {
      if (grouped && this.is(Token.closeParen)) break
      this.expression(ResultUse.assigned)
      const x = this.value()
      if (this.is(Token.as)) {
        this.next()
        this.assignTo(x)
      }
      if (!this.is(Token.comma)) break
      this.next()
    }
    if (grouped) this.closing(Token.closeParen)
    this.suite()
  }
  private isGroup(): boolean {
    const back = this.remember()
    let as = false
    let depth = 0
    for (;;) {
      const t = this.token
      if (t === Token.end || t === Token.newline) break
      if (t === Token.openParen || t === Token.openBracket || t === Token.openBrace) depth++
      else if (t === Token.closeParen || t === Token.closeBracket || t === Token.closeBrace) {
        depth--
        if (depth === 0) {
          this.next()
          break
        }
      } else if (t === Token.formatted) this.skipFormatted()
      else if (depth === 1 && (t === Token.as || t === Token.comma)) as = true
      this.next()
    }
    const yes = as && this.is(Token.colon)
    this.rewind(back)
    return yes
  }
  /** A target that takes a known value. */
  private assignTo(value: number): void {
    if (this.is(Token.name)) {
      const c = this.peek()
      if (c !== 46 && c !== 91 && c !== 40) {
        const { id, start } = this
        this.next()
        return this.bindVariable(id, start, value)
      }
    }
    const from = this.targets.length
    const { collects } = this
    this.collects = true
    this.operation()
    this.collects = collects
    this.assign(from, value, false)
  }

  // ---- simple statements ------------------------------------------------------------------------

  private simple(): void {
    const { facts } = this
    switch (this.token) {
      case Token.pass:
      case Token.break:
      case Token.continue:
        return this.next()
      case Token.import:
        return this.importModules()
      case Token.from:
        return this.importNames()
      case Token.return: {
        this.next()
        if (!this.startsExpression()) return
        const { frame } = this
        const wanted = frame.kind === FrameKind.function && frame.result < 0
        const count = this.expressions(ResultUse.returned)
        if (wanted && count === 1) frame.result = this.informative()
        return
      }
      case Token.raise:
        this.next()
        if (!this.startsExpression()) return
        this.expression()
        if (this.is(Token.from)) {
          this.next()
          this.expression()
        } else
          while (this.is(Token.comma)) {
            this.next()
            this.expression()
          }
        return
      case Token.assert:
        this.next()
        this.expression(ResultUse.condition)
        if (this.is(Token.comma)) {
          this.next()
          this.expression()
        }
        return
      case Token.del:
        this.next()
        if (this.startsExpression()) this.expressions()
        return
      case Token.global:
      case Token.nonlocal: {
        const global = this.is(Token.global)
        this.next()
        while (this.is(Token.name)) {
          if (global) this.globals.add(this.id)
          ;(this.frame.outer ??= new Set()).add(this.id)
          this.next()
          if (this.is(Token.comma)) this.next()
        }
        return
      }
      case Token.name:
        if (this.word === Word.type && this.startsName() && this.typeAlias()) return
        if (this.startsTargets()) return this.plainAssignment()
        if (this.id === this.frame.self && this.id !== 0) {
          if (this.startsAttribute()) return this.attributeAssignment()
          if (this.startsAttributes()) return this.attributeAssignments()
        }
        break
      case Token.yield:
        this.expressionStatement()
        return
      default:
        if (!this.startsExpression()) {
          facts.addParseError()
          this.skip()
          return
        }
    }
    this.expressionStatement()
  }

  private expressionStatement(): void {
    const from = this.targets.length
    this.collects = true
    const { facts } = this
    this.expressions()
    this.collects = false
    const { called } = this
    if (this.is(Token.assign)) {
      this.next()
      const value = this.rightSide(-1)
      return this.assign(from, value, true)
    }
    if (this.is(Token.update)) {
      this.next()
      this.writes(from)
      this.expressions(ResultUse.assigned)
      return
    }
    if (this.is(Token.colon)) {
      this.next()
      const type = this.annotation(Role.field_type)
      let value = this.instance(type)
      if (this.is(Token.assign)) {
        this.next()
        const x = this.rightSide(-1)
        if (value < 0) value = x
      }
      return this.assign(from, value, false)
    }
    this.targets.length = from
    if (called >= 0) facts.setUse(called, ResultUse.discarded)
  }
  private writes(from: number): void {
    const { targets, facts } = this
    for (let i = from; i < targets.length; i += 4) {
      if (targets[i]! >= 0) facts.setRole(targets[i]!, Role.write)
      if (targets[i + 1] === 1 && this.isAll(targets[i + 2]!)) this.publish()
      if (
        targets[i + 1] === 1 &&
        this.frame.kind === FrameKind.function &&
        !this.frame.outer?.has(targets[i + 2]!)
      ) {
        facts.bindLocal(targets[i + 2]!, -1, 0x7fffffff)
      }
    }
    targets.length = from
  }
  /** Gives the collected targets their value. */
  private assign(from: number, value: number, spreads: boolean): void {
    const { targets, facts } = this
    const many = targets.length - from > 4
    const found = targets.slice(from)
    targets.length = from
    for (let i = 0; i < found.length; i += 4) {
      const x = !many ? value : spreads && value >= 0 ? facts.expression(Op.slot, value, i / 4) : -1
      const reference = found[i]!
      if (found[i + 1] === 1) this.bindTarget(found[i + 2]!, found[i + 3]!, x, reference)
      else {
        if (reference >= 0) facts.setRole(reference, Role.write)
        if (found[i + 1] === 2) this.bindAttribute(found[i + 2]!, found[i + 3]!, x)
      }
    }
  }
  /** What follows `=`, further targets included. Returns the value. */
  private rightSide(definition: number): number {
    if (this.tooDeep()) return -1
    this.level++
    const value = this.rightSideInside(definition)
    this.level--
    return value
  }
  private rightSideInside(definition: number): number {
    const from = this.targets.length
    if (this.is(Token.name) && this.startsTargets() && this.peek() !== 58) {
      this.plainAssignment()
      return this.lastValue
    }
    const { current } = this.facts
    if (definition >= 0) this.facts.current = definition
    this.collects = true
    const count = this.expressions(ResultUse.assigned)
    this.collects = false
    this.facts.current = current
    if (this.is(Token.assign)) {
      this.next()
      const value = this.rightSide(-1)
      this.assign(from, value, true)
      return value
    }
    this.targets.length = from
    return (this.lastValue = count > 1 ? -1 : this.informative())
  }
  private lastValue = -1

  /** `a = …`, `a, b = …` or `a: T = …`, at the first name. */
  private plainAssignment(): void {
    const { facts, frame } = this
    const { start } = this
    const names: Array<number> = []
    const places: Array<number> = []
    while (this.is(Token.name)) {
      names.push(this.id)
      places.push(this.start)
      this.next()
      if (!this.is(Token.comma)) break
      this.next()
    }
    const own = frame.kind !== FrameKind.function
    if (names.length === 1) {
      const id = names[0]!
      const all = own && this.isAll(id)
      if (this.assignsLambda() && this.closure(id, start)) return
      let type = -1
      const annotated = this.is(Token.colon)
      const definition = own ? this.declare(id, start, start, !annotated) : -1
      if (annotated) {
        this.next()
        type = this.annotation(Role.field_type)
      }
      let value = this.instance(type)
      if (this.is(Token.assign)) {
        this.next()
        if (all) this.publish()
        const x = this.rightSide(definition)
        if (value < 0) value = x
      }
      if (definition >= 0) {
        facts.setType(definition, value)
        facts.setEnd(definition, this.lastEnd)
        facts.setSignature(definition, start, this.lastEnd)
      } else if (frame.outer?.has(id) || (own && this.declared(id))) {
        facts.reference(id, start, Role.write)
        this.publishes(id, start)
        const known = frame.names.get(id)
        if (known !== undefined && value >= 0 && facts.typeOf(known) < 0) facts.setType(known, value)
      } else if (!own) facts.bindLocal(id, value, this.lastEnd)
      this.lastValue = value
      return
    }
    this.expect(Token.assign)
    const values: Array<number> = []
    let value = -1
    if (this.is(Token.name) && this.startsTargets()) {
      this.plainAssignment()
      value = this.lastValue
    } else {
      const from = this.targets.length
      this.collects = true
      const count = this.expressions(ResultUse.assigned, values)
      this.collects = false
      if (this.is(Token.assign)) {
        this.next()
        value = this.rightSide(-1)
        values.length = 0
        this.assign(from, value, true)
      } else {
        this.targets.length = from
        if (count === 1) value = values[0]!
      }
    }
    for (let i = 0; i < names.length; i++) {
      const x =
        values.length === names.length && names.length > 1
          ? values[i]!
          : value >= 0
            ? facts.expression(Op.slot, value, i)
            : -1
      this.bindTarget(names[i]!, places[i]!, x, -1)
    }
    this.lastValue = value
  }
  /** `f = lambda …`, at `=`: a function, unless the name means something else already. */
  private closure(id: number, at: number): boolean {
    const { facts, frame } = this
    if (frame.outer?.has(id) || (frame.kind !== FrameKind.function && this.declared(id))) return false
    const end = at + this.lengthOf(at)
    const member = frame.kind === FrameKind.class
    const flags = this.visible(at, end, member)
    const definition = facts.openDefinition(
      member ? kindNumber.method : kindNumber.function,
      id,
      at,
      at,
      flags
    )
    if (frame.kind !== FrameKind.function) frame.names.set(id, definition)
    this.next()
    this.lambda(definition)
    facts.setSignature(definition, at, this.lastEnd)
    facts.closeDefinition(this.lastEnd)
    facts.bindDefinition(id, definition, at)
    this.lastValue = -1
    return true
  }

  /** `self.a = …` or `self.a: T = …`, at `self`. */
  private attributeAssignment(): void {
    const { facts } = this
    const { id: self, start: selfAt } = this
    this.next()
    this.next()
    const { id, start, end } = this
    this.next()
    let type = -1
    if (this.is(Token.colon)) {
      this.next()
      type = this.annotation(Role.field_type)
    }
    // Declared before its value is read: what is nested in the value comes after it.
    const fresh = this.bindAttribute(id, start, -1)
    const owner = this.frame.owner!
    let value = this.instance(type)
    if (this.is(Token.assign)) {
      this.next()
      const x = this.rightSide(-1)
      if (value < 0) value = x
    }
    const definition = owner.attributes.get(id) ?? owner.names.get(id)
    if (definition !== undefined && value >= 0 && (fresh || owner.untyped.has(id))) {
      facts.setType(definition, value)
      owner.untyped.delete(id)
    }
    if (fresh && definition !== undefined) {
      facts.setEnd(definition, Math.max(end, this.lastEnd))
      facts.setSignature(definition, selfAt, this.lastEnd)
    } else facts.memberReference(facts.nameExpression(self, selfAt), id, start, Role.write)
    this.lastValue = value
  }

  /** `self.a, self.b = …`, at the first `self`. */
  private attributeAssignments(): void {
    const { facts } = this
    const self = this.id
    const names: Array<number> = []
    const places: Array<number> = []
    while (this.is(Token.name)) {
      const selfAt = this.start
      this.next()
      this.next()
      names.push(this.id)
      places.push(this.start)
      if (!this.bindAttribute(this.id, this.start, -1)) {
        facts.memberReference(facts.nameExpression(self, selfAt), this.id, this.start, Role.write)
      }
      this.next()
      if (!this.is(Token.comma)) break
      this.next()
    }
    this.expect(Token.assign)
    const values: Array<number> = []
    const count = this.expressions(ResultUse.assigned, values)
    for (let i = 0; i < names.length; i++) {
      const value =
        count === names.length
          ? values[i]!
          : count === 1 && values[0]! >= 0
            ? facts.expression(Op.slot, values[0]!, i)
            : -1
      if (value >= 0) this.bindAttribute(names[i]!, places[i]!, value)
    }
    // Should the same value go to more targets, they are ordinary ones.
    if (this.is(Token.assign)) {
      this.next()
      this.rightSide(-1)
    }
  }

  /** `type X[T] = …`, at `type`. */
  private typeAlias(): boolean {
    const { facts, frame } = this
    const back = this.remember()
    const { start } = this
    this.next()
    if (!this.is(Token.name) || (this.peek() !== 61 && this.peek() !== 91)) {
      this.rewind(back)
      return false
    }
    const { id, start: at, end } = this
    this.next()
    const local = frame.kind === FrameKind.function
    const flags = this.visible(at, end, frame.kind === FrameKind.class)
    const definition = facts.openDefinition(kindNumber.type_alias, id, at, start, flags)
    facts.bindDefinition(id, definition, at)
    if (!local) frame.names.set(id, definition)
    facts.openScope()
    if (this.is(Token.openBracket)) this.typeParameters()
    if (this.expect(Token.assign)) facts.setType(definition, this.annotation(Role.type))
    facts.closeScope()
    facts.setSignature(definition, start, this.lastEnd)
    facts.closeDefinition(this.lastEnd)
    return true
  }
  // ---- match ------------------------------------------------------------------------------------

  /** At the name `match`: whether it starts a match statement. */
  private isMatch(): boolean {
    const c = this.peek()
    if (c === 61 || c === 46 || c === 44 || c === 41 || c === 58 || c === 59 || c === 10 || c === 0)
      return false
    const back = this.remember()
    let last: number = Token.end
    let depth = 0
    this.next()
    while (!this.is(Token.newline) && !this.is(Token.end)) {
      const t = this.token
      if (t === Token.openParen || t === Token.openBracket || t === Token.openBrace) depth++
      else if (t === Token.closeParen || t === Token.closeBracket || t === Token.closeBrace) depth--
      else if (t === Token.formatted) this.skipFormatted()
      last = t
      this.next()
    }
    this.rewind(back)
    return last === Token.colon && depth === 0
  }
  private matchStatement(): void {
    const { facts } = this
    this.next()
    const count = this.expressions(ResultUse.condition)
    const subject = count === 1 ? this.value() : -1
    if (!this.expect(Token.colon) || !this.is(Token.newline)) return
    this.next()
    if (!this.is(Token.indent)) {
      facts.addParseError()
      return
    }
    if (this.level >= deepest - 100) {
      facts.addParseError()
      return this.skipBlock()
    }
    this.level++
    this.next()
    while (!this.is(Token.dedent) && !this.is(Token.end)) {
      const before = this.p
      if (this.is(Token.name) && this.word === Word.case) {
        this.next()
        if (!(this.is(Token.name) && this.id === this.words.blank && this.peek() === 58)) facts.branch()
        this.patterns(subject)
        if (this.is(Token.if)) {
          this.next()
          this.expression(ResultUse.condition)
        }
        this.suite()
      } else if (this.is(Token.newline)) this.next()
      else this.statement()
      if (this.p === before && !this.is(Token.end) && !this.is(Token.dedent)) this.next()
    }
    this.level--
    if (this.is(Token.dedent)) this.next()
  }
}
