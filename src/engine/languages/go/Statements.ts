/** Statements and the declarations that may stand among them. */
import { Scope } from "../FactsBuilder.ts"
import { Flag, kindNumber, Op, ResultUse, Role } from "../Vocabulary.ts"
import { ExpressionReader } from "./Expressions.ts"
import { Token } from "./Token.ts"

export abstract class StatementReader extends ExpressionReader {
  /** Whether the declarations read are inside a function. */
  protected inside = false
  private switchName = 0
  private switchValue = -1

  protected override open(): void {
    super.open()
    this.inside = this.condition = false
    this.switchName = this.pendingBind = 0
    this.switchValue = this.lastCall = -1
  }

  /** At `{`: a block in a scope of its own. */
  protected override block(): void {
    const { facts, inside } = this
    facts.openScope()
    this.inside = true
    this.next()
    this.statements()
    this.inside = inside
    facts.closeScope()
    this.expect(Token.closeBrace)
  }

  private statements(): void {
    for (;;) {
      const t = this.token
      if (t === Token.closeBrace || t === Token.end || t === Token.case || t === Token.default) return
      if (t === Token.semicolon) {
        this.next()
        continue
      }
      const before = this.start
      this.statement()
      if (this.is(Token.semicolon)) this.next()
      else if (!this.is(Token.closeBrace) && !this.is(Token.end)) {
        this.facts.addParseError()
        if (this.start === before) this.skip()
      }
    }
  }

  private statement(): void {
    if (this.tooDeep()) return
    this.level++
    this.statementInside()
    this.level--
  }
  private statementInside(): void {
    const { facts } = this
    while (this.is(Token.name) && this.isKey()) {
      // A label.
      this.next()
      this.next()
      while (this.is(Token.semicolon)) this.next()
      if (this.is(Token.closeBrace)) return
    }
    switch (this.token) {
      case Token.openBrace:
        return this.block()
      case Token.if:
        return this.conditional()
      case Token.for:
        return this.loop()
      case Token.switch:
        return this.choice()
      case Token.select:
        return this.selection()
      case Token.return:
        this.next()
        if (this.is(Token.semicolon) || this.is(Token.closeBrace)) return
        for (;;) {
          this.expression(ResultUse.returned)
          if (!this.is(Token.comma)) return
          this.next()
        }
      case Token.go:
      case Token.defer: {
        const use = this.is(Token.go) ? ResultUse.spawned : ResultUse.deferred
        this.next()
        return this.expression(use)
      }
      case Token.goto:
        this.next()
        this.expect(Token.name)
        return
      case Token.break:
      case Token.continue:
        this.next()
        if (this.is(Token.name)) this.next()
        return
      case Token.fallthrough:
        return this.next()
      case Token.var:
      case Token.const:
      case Token.type:
        return this.declaration()
      case Token.func:
        if (this.peek() !== 40) {
          // A declaration where none may stand; read as a literal it costs one name.
          facts.addParseError()
          this.next()
          return
        }
        return this.simpleStatement()
      default:
        return this.simpleStatement()
    }
  }

  private simpleStatement(): void {
    this.lastCall = -1
    this.simple(false)
    this.discard(ResultUse.discarded)
  }
  /** A simple statement. Returns whether it was a range clause. */
  private simple(loop: boolean): boolean {
    const { facts } = this
    this.switchName = 0
    if (this.is(Token.name) && this.startsDefinition()) return this.shortDefinition(loop)
    if (loop && this.is(Token.range)) {
      this.next()
      this.expression()
      return true
    }
    let blanks = this.is(Token.name) && this.id === this.words.blank ? 1 : 0
    this.expression()
    const first = this.reference
    const { called } = this
    let targets: Array<number> | undefined
    while (this.is(Token.comma)) {
      this.next()
      if (this.is(Token.name) && this.id === this.words.blank) blanks++
      this.expression()
      ;(targets ??= [first]).push(this.reference)
    }
    switch (this.token) {
      case Token.assign:
      case Token.update:
      case Token.define: {
        if (targets === undefined) {
          if (first >= 0) facts.setRole(first, Role.write)
        } else {
          for (const t of targets) if (t >= 0) facts.setRole(t, Role.write)
        }
        this.next()
        if (loop && this.is(Token.range)) {
          this.next()
          this.expression()
          return true
        }
        const all = targets?.length ?? 1
        const use =
          blanks === 0
            ? ResultUse.assigned
            : blanks === all
              ? ResultUse.discarded
              : ResultUse.partially_ignored
        for (;;) {
          this.expression(use)
          if (!this.is(Token.comma)) break
          this.next()
        }
        return false
      }
      case Token.step:
        if (first >= 0) facts.setRole(first, Role.write)
        this.next()
        return false
      case Token.arrow:
        this.next()
        this.expression(ResultUse.argument)
        return false
      default:
        if (called >= 0 && targets === undefined) this.lastCall = called
        return false
    }
  }
  /** The call an expression statement consists of, until someone takes it. */
  private lastCall = -1
  private discard(use: number): void {
    if (this.lastCall >= 0) this.facts.setUse(this.lastCall, use)
    this.lastCall = -1
  }

  private shortDefinition(loop: boolean): boolean {
    const { facts, words } = this
    const names: Array<number> = []
    const places: Array<number> = []
    let blanks = 0
    for (;;) {
      names.push(this.id)
      places.push(this.start)
      if (this.id === words.blank) blanks++
      this.next()
      if (!this.is(Token.comma)) break
      this.next()
    }
    this.next()
    if (loop && this.is(Token.range)) {
      this.next()
      this.expression()
      const x = this.value()
      const element = x < 0 ? -1 : facts.expression(Op.element, x)
      // A single variable may be an index, a key or what a channel yields; only the latter has members worth knowing.
      this.local(names[0]!, names.length === 1 ? element : -1, this.lastEnd)
      for (let i = 1; i < names.length; i++) this.local(names[i]!, element, this.lastEnd)
      return true
    }
    const use =
      blanks === 0
        ? ResultUse.assigned
        : blanks === names.length
          ? ResultUse.discarded
          : ResultUse.partially_ignored
    this.typeSwitch = false
    const types: Array<number> = []
    let definitions: Array<number> | undefined
    let spread = false
    for (;;) {
      const i = types.length
      if (this.is(Token.func) && i < names.length && names[i] !== words.blank && this.isClosure()) {
        types.push(-1)
        ;(definitions ??= [])[i] = this.closure(names[i]!, places[i]!)
      } else {
        this.expression(use)
        spread = this.isCall
        types.push(this.typeSwitch ? -1 : this.value())
      }
      if (!this.is(Token.comma)) break
      this.next()
    }
    const from = this.lastEnd
    if (this.typeSwitch && names.length === 1) {
      this.typeSwitch = false
      this.switchName = names[0]!
      this.switchValue = this.value()
      return false
    }
    for (let i = 0; i < names.length; i++) {
      const definition = definitions?.[i]
      if (definition !== undefined) facts.bindDefinition(names[i]!, definition, from)
      else if (types.length === names.length) this.local(names[i]!, types[i]!, from)
      else if (types.length === 1) this.local(names[i]!, this.part(types[0]!, i, spread), from)
      else this.local(names[i]!, -1, from)
    }
    return false
  }
  /** One of the values of a call, or of an operation that also tells whether it succeeded. */
  private part(value: number, i: number, call: boolean): number {
    if (value < 0) return -1
    if (call) return this.facts.expression(Op.slot, value, i)
    return i === 0 ? value : this.literal(this.words.boolean)
  }
  private closure(name: number, at: number): number {
    const { facts } = this
    const definition = facts.openDefinition(kindNumber.function, name, at, at, Flag.local)
    if (this.docStart >= 0) this.document(definition)
    this.functionLiteral(definition, at)
    facts.closeDefinition(this.lastEnd)
    return definition
  }

  private conditional(): void {
    const { facts, headerless } = this
    let scopes = 0
    for (;;) {
      facts.branch()
      this.next()
      facts.openScope()
      scopes++
      this.headerless = 1
      // The last part is the condition, and it is always there.
      let isMissing = this.is(Token.openBrace)
      if (!this.is(Token.semicolon)) this.header()
      if (this.is(Token.semicolon)) {
        this.next()
        isMissing = this.is(Token.openBrace)
        if (!isMissing) this.header()
      }
      this.headerless = headerless
      if (isMissing) facts.addParseError()
      if (!this.is(Token.openBrace)) {
        facts.addParseError()
        break
      }
      this.block()
      if (!this.is(Token.else)) break
      this.next()
      if (this.is(Token.if) && scopes < 5000) continue
      if (this.is(Token.openBrace)) this.block()
      else facts.addParseError()
      break
    }
    while (scopes-- > 0) facts.closeScope()
  }
  /** The condition of a statement or the simple statement before it. */
  private header(): void {
    this.lastCall = -1
    if (this.is(Token.openBrace)) return
    this.simpleOrCondition()
  }
  private simpleOrCondition(): void {
    if (this.is(Token.name) && this.startsDefinition()) {
      this.shortDefinition(false)
      return
    }
    // Any call in a condition decides it.
    this.condition = true
    this.simple(false)
    this.condition = false
    this.discard(this.is(Token.semicolon) ? ResultUse.discarded : ResultUse.condition)
  }
  private condition = false
  protected override expression(use: number = ResultUse.unknown): void {
    if (this.condition && use === ResultUse.unknown) {
      this.condition = false
      super.expression(ResultUse.condition)
    } else super.expression(use)
  }

  private loop(): void {
    const { facts, headerless } = this
    facts.branch()
    this.next()
    facts.openScope()
    this.headerless = 1
    let ranges = false
    if (!this.is(Token.openBrace)) {
      if (!this.is(Token.semicolon)) {
        if (this.is(Token.name) && this.startsDefinition()) ranges = this.shortDefinition(true)
        else {
          this.lastCall = -1
          this.condition = !this.is(Token.range)
          ranges = this.simple(true)
          this.condition = false
          this.discard(this.is(Token.openBrace) ? ResultUse.condition : ResultUse.discarded)
        }
      }
      if (!ranges && this.is(Token.semicolon)) {
        this.next()
        if (!this.is(Token.semicolon) && !this.is(Token.openBrace)) this.header()
        this.expect(Token.semicolon)
        if (!this.is(Token.openBrace)) {
          this.lastCall = -1
          this.simple(false)
          this.discard(ResultUse.discarded)
        }
      }
    }
    this.headerless = headerless
    if (this.is(Token.openBrace)) this.block()
    else facts.addParseError()
    facts.closeScope()
  }

  private choice(): void {
    const { facts, headerless } = this
    this.next()
    facts.openScope()
    this.headerless = 1
    this.typeSwitch = false
    this.switchName = 0
    if (!this.is(Token.openBrace)) {
      if (!this.is(Token.semicolon)) this.header()
      if (this.is(Token.semicolon)) {
        this.next()
        this.switchName = 0
        this.typeSwitch = false
        if (!this.is(Token.openBrace)) this.header()
      }
    }
    this.headerless = headerless
    const name = this.switchName
    const value = this.switchValue
    const types = this.typeSwitch || name !== 0
    this.typeSwitch = false
    this.switchName = 0
    this.cases((from) => {
      let type = -1
      let count = 0
      while (!this.is(Token.colon) && !this.is(Token.end) && !this.is(Token.closeBrace)) {
        const before = this.start
        if (types) {
          if (
            this.is(Token.name) &&
            this.predeclared(this.id, this.word) &&
            this.id === this.facts.nameOf("nil")
          )
            this.next()
          else type = this.type(Role.type)
        } else this.expression(ResultUse.condition)
        count++
        if (this.is(Token.comma)) this.next()
        else if (this.start === before) break
        else if (!this.is(Token.colon)) break
      }
      if (name !== 0) this.local(name, count === 1 && type >= 0 ? this.instance(type) : value, from)
    })
    facts.closeScope()
  }
  private selection(): void {
    this.next()
    this.cases(() => {
      this.lastCall = -1
      if (!this.is(Token.colon)) this.simple(false)
    })
  }
  /** `{ case …: … default: … }`. */
  private cases(guard: (from: number) => void): void {
    const { facts } = this
    if (!this.is(Token.openBrace)) {
      facts.addParseError()
      return
    }
    this.next()
    while (!this.is(Token.closeBrace) && !this.is(Token.end)) {
      const before = this.start
      facts.openScope()
      if (this.is(Token.case)) {
        facts.branch()
        this.next()
        guard(this.start)
        this.expect(Token.colon)
        this.statements()
      } else if (this.is(Token.default)) {
        this.next()
        guard(this.start)
        this.expect(Token.colon)
        this.statements()
      } else {
        facts.addParseError()
        this.statements()
      }
      facts.closeScope()
      if (this.start === before) this.skip()
    }
    this.expect(Token.closeBrace)
  }

  // ---- declarations -----------------------------------------------------------------------------

  /** At `var`, `const` or `type`: one declaration or a group. */
  protected declaration(): void {
    const keyword = this.token
    const start = this.start
    const { docStart, docEnd } = this
    this.next()
    if (!this.is(Token.openParen)) {
      this.docStart = docStart
      this.docEnd = docEnd
      if (keyword === Token.type) this.typeDeclaration(start)
      else this.values(keyword === Token.const, start, -1)
      return
    }
    this.next()
    let repeated = -1
    while (!this.is(Token.closeParen) && !this.is(Token.end)) {
      const before = this.start
      if (this.is(Token.semicolon)) {
        this.next()
        continue
      }
      if (keyword === Token.type) this.typeDeclaration(before)
      else repeated = this.values(keyword === Token.const, before, repeated)
      if (this.is(Token.semicolon)) this.next()
      else if (!this.is(Token.closeParen)) {
        this.facts.addParseError()
        if (this.start === before) this.skip()
      }
    }
    this.expect(Token.closeParen)
  }

  private typeDeclaration(start: number): void {
    const { facts, inside } = this
    if (!this.is(Token.name)) {
      facts.addParseError()
      return
    }
    const { id, start: at, end, docStart, docEnd } = this
    const flags = this.exported(at, end) | (inside ? Flag.local : 0)
    this.next()
    const generic = this.is(Token.openBracket) && this.startsTypeParameters()
    const body = generic ? this.tokenAfterBrackets() : this.token
    const kind =
      body === Token.struct
        ? kindNumber.struct
        : body === Token.interface
          ? kindNumber.interface
          : kindNumber.type_alias
    const definition = facts.openDefinition(kind, id, at, start, flags)
    if (docStart >= 0) {
      this.docStart = docStart
      this.docEnd = docEnd
      this.document(definition)
    }
    this.shadow(id)
    facts.bindDefinition(id, definition, inside ? at : 0)
    facts.openScope()
    if (generic) {
      this.next()
      this.typeParameters()
    }
    const outer = this.anonymous
    if (this.is(Token.struct)) {
      facts.setSignature(definition, start, this.end)
      this.structBody(definition)
    } else if (this.is(Token.interface)) {
      facts.setSignature(definition, start, this.end)
      this.interfaceBody(definition)
    } else {
      if (this.is(Token.assign)) this.next()
      this.anonymous = definition
      const type = this.type(Role.type)
      facts.setType(definition, type)
      facts.setSignature(definition, start, this.lastEnd)
    }
    this.anonymous = outer
    facts.closeScope()
    facts.closeDefinition(this.lastEnd)
  }
  private tokenAfterBrackets(): number {
    const back = this.remember()
    this.skip()
    const { token } = this
    this.rewind(back)
    return token
  }
  /** At `[` after the name of a type: type parameters rather than an array length. */
  private startsTypeParameters(): boolean {
    const back = this.remember()
    this.next()
    let yes = false
    if (this.is(Token.name)) {
      this.next()
      switch (this.token) {
        case Token.comma:
        case Token.name:
        case Token.interface:
        case Token.struct:
        case Token.map:
        case Token.func:
        case Token.chan:
        case Token.openBracket:
        case Token.tilde:
        case Token.arrow:
          yes = true
          break
        case Token.star:
          this.next()
          while (this.is(Token.name) || this.is(Token.dot)) this.next()
          yes = this.is(Token.comma) || this.is(Token.pipe)
          break
        default:
          break
      }
    }
    this.rewind(back)
    return yes
  }

  /**
   * `a, b T = x, y`. Returns the type that later constants of the group repeat, or -1; `repeated` is that of the
   * ones before.
   */
  private values(constant: boolean, start: number, repeated: number): number {
    const { facts, inside, words } = this
    if (!this.is(Token.name)) {
      facts.addParseError()
      return -1
    }
    const { docStart, docEnd } = this
    const names: Array<number> = []
    const places: Array<number> = []
    const ends: Array<number> = []
    for (;;) {
      names.push(this.id)
      places.push(this.start)
      ends.push(this.end)
      this.next()
      if (!this.is(Token.comma)) break
      this.next()
      if (!this.is(Token.name)) break
    }
    const typed = !this.is(Token.assign) && this.startsType()
    // At file level each name is a definition before its type is read, so that an anonymous struct has an owner.
    // A function literal makes its variable a function, which is only known further on.
    const closure = !inside && names.length === 1 && this.assignsClosure()
    const kind = constant ? kindNumber.constant : closure ? kindNumber.function : kindNumber.variable
    const definitions: Array<number> = []
    if (!inside) {
      for (let i = 0; i < names.length; i++) {
        if (names[i] === words.blank) {
          definitions.push(-1)
          continue
        }
        const d = facts.define(
          kind,
          names[i]!,
          places[i]!,
          i === 0 ? start : places[i]!,
          ends[i]!,
          this.exported(places[i]!, ends[i]!)
        )
        if (docStart >= 0) {
          this.docStart = docStart
          this.docEnd = docEnd
          this.document(d)
        }
        definitions.push(d)
      }
    }
    const single = names.length === 1 && definitions.length === 1 ? definitions[0]! : -1
    const outer = this.anonymous
    const within = facts.current
    this.anonymous = single
    let type = typed ? this.instance(this.type(Role.type)) : -1
    const signatureEnd = this.lastEnd
    const types: Array<number> = []
    let closures: Array<number> | undefined
    let spread = false
    if (this.is(Token.assign)) {
      this.next()
      for (;;) {
        const i = types.length
        this.anonymous = single
        const owner = definitions[i] ?? -1
        if (closure && i === 0 && owner >= 0) {
          types.push(-1)
          facts.current = owner
          this.functionLiteral(owner, start)
          facts.current = within
        } else if (
          inside &&
          this.is(Token.func) &&
          i < names.length &&
          names[i] !== words.blank &&
          this.isClosure()
        ) {
          types.push(-1)
          ;(closures ??= [])[i] = this.closure(names[i]!, places[i]!)
        } else {
          if (!inside && owner >= 0) facts.current = owner
          this.expression(ResultUse.assigned)
          facts.current = within
          spread = this.isCall
          types.push(this.value())
        }
        if (!this.is(Token.comma)) break
        this.next()
      }
    } else if (constant) {
      if (type < 0) type = repeated
    } else if (!typed) facts.addParseError()
    this.anonymous = outer
    const from = this.lastEnd
    const assigned = types.length
    for (let i = 0; i < names.length; i++) {
      const value =
        type >= 0
          ? type
          : assigned === 0
            ? -1
            : assigned === names.length
              ? types[i]!
              : assigned === 1
                ? this.part(types[0]!, i, spread)
                : -1
      const id = names[i]!
      if (id === words.blank) continue
      if (inside) {
        const nested = closures?.[i]
        if (nested !== undefined) facts.bindDefinition(id, nested, from)
        else this.local(id, value, from)
        continue
      }
      const d = definitions[i]!
      if (facts.kindOf(d) !== kindNumber.function) {
        facts.setType(d, value)
        facts.setSignature(
          d,
          i === 0 ? start : places[i]!,
          assigned === 0 ? signatureEnd : Math.max(signatureEnd, from)
        )
      }
      if (names.length === 1) facts.setEnd(d, from)
      this.shadow(id)
      facts.bindDefinition(id, d, 0)
    }
    return constant && (typed || assigned === 0) ? type : -1
  }

  /** After the only name of a declaration: `= func…` that is not called on the spot. */
  private assignsClosure(): boolean {
    if (!this.is(Token.assign)) return false
    const back = this.remember()
    this.next()
    const yes = this.is(Token.func) && this.isClosure()
    this.rewind(back)
    return yes
  }

  /** A function or method declaration at file level, at `func`. */
  protected functionDeclaration(): void {
    const { facts, words } = this
    const { start, docStart, docEnd } = this
    this.next()
    facts.openScope(Scope.function)
    const base = this.parameters.length
    let owner = -1
    let container = 0
    if (this.is(Token.openParen)) {
      // The definition is not open yet, so that references in the receiver would belong to the file: read the name first.
      const back = this.remember()
      this.skip()
      const { id, start: at, end, token } = this
      if ((token as number) !== Token.name) {
        facts.addParseError()
        facts.closeScope()
        return
      }
      const definition = facts.openDefinition(kindNumber.method, id, at, start, this.exported(at, end))
      this.rewind(back)
      const receiver = this.receiver()
      owner = receiver.type
      container = receiver.name
      if (owner >= 0) facts.setOwner(definition, owner, container)
      if (receiver.local !== 0)
        this.local(receiver.local, owner < 0 ? -1 : facts.expression(Op.selfOf, owner), receiver.at)
      this.next()
      return this.functionRest(definition, at, end, base, start, docStart, docEnd)
    }
    if (!this.is(Token.name)) {
      facts.addParseError()
      facts.closeScope()
      return
    }
    const { id, start: at, end } = this
    const definition = facts.openDefinition(kindNumber.function, id, at, start, this.exported(at, end))
    if (this.tests && this.isTest(at, end)) {
      facts.addFlags(definition, Flag.test)
      facts.setRunner(words.runner)
    }
    this.next()
    this.pendingBind = id !== words.init && id !== words.blank ? id : 0
    this.functionRest(definition, at, end, base, start, docStart, docEnd)
  }
  private pendingBind = 0
  private functionRest(
    definition: number,
    nameAt: number,
    nameEnd: number,
    base: number,
    start: number,
    docStart: number,
    docEnd: number
  ): void {
    const { facts } = this
    const bind = this.pendingBind
    this.pendingBind = 0
    if (docStart >= 0) {
      this.docStart = docStart
      this.docEnd = docEnd
      this.document(definition)
    }
    if (this.is(Token.openBracket)) {
      this.next()
      this.typeParameters()
    }
    facts.setType(definition, this.signature())
    facts.setParameters(definition, this.variadic ? this.count - 1 : this.count, this.count, this.variadic)
    this.takes(definition)
    // A method without parameters is a test of a suite.
    if (
      this.tests &&
      facts.kindOf(definition) === kindNumber.method &&
      this.count === 0 &&
      this.isTest(nameAt, nameEnd)
    ) {
      facts.addFlags(definition, Flag.test)
    }
    facts.setSignature(definition, start, this.lastEnd)
    if (this.is(Token.openBrace)) {
      facts.setBody(definition, this.start)
      this.bindParameters(base, this.start)
      this.headerless = 0
      this.block()
    } else {
      this.parameters.length = base
      facts.addFlags(definition, Flag.declaration)
    }
    facts.closeScope()
    facts.closeDefinition(this.lastEnd)
    if (bind !== 0) {
      this.shadow(bind)
      facts.bindDefinition(bind, definition, 0)
    }
  }
  /** `(r *T[K])`. */
  private receiver(): {
    readonly local: number
    readonly at: number
    readonly type: number
    readonly name: number
  } {
    const { facts } = this
    this.next()
    let local = 0
    let at = this.start
    if (this.is(Token.name)) {
      const back = this.remember()
      const { id } = this
      this.next()
      if (!this.is(Token.closeParen) && !this.is(Token.openBracket) && !this.is(Token.dot)) local = id
      else this.rewind(back)
    }
    while (this.is(Token.star) || this.is(Token.openParen)) this.next()
    let type = -1
    let name = 0
    if (this.is(Token.name)) {
      name = this.id
      at = this.end
      facts.reference(name, this.start, Role.type)
      type = facts.nameExpression(name, this.start)
      this.next()
      if (this.is(Token.openBracket)) {
        this.next()
        while (this.is(Token.name)) {
          this.local(this.id, -1, this.start)
          this.next()
          if (this.is(Token.comma)) this.next()
        }
        this.expect(Token.closeBracket)
      }
    }
    while (this.is(Token.closeParen)) this.next()
    return { local, at, type, name }
  }
  /** `TestX`, `BenchmarkX`, `FuzzX`, `ExampleX` where X does not start with a small letter. */
  private isTest(at: number, end: number): boolean {
    const { b } = this
    for (const p of ["Test", "Benchmark", "Fuzz", "Example"]) {
      let i = 0
      while (i < p.length && b[at + i] === p.charCodeAt(i)) i++
      if (i < p.length || at + i > end) continue
      const c = at + i < end ? b[at + i]! : 0
      return !(c >= 97 && c <= 122)
    }
    return false
  }
}
