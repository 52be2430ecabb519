/** Types, parameter lists and the bodies of structs and interfaces. */
import { Flag, Inherit, kindNumber, Op, Role } from "../Vocabulary.ts"
import { Lexer } from "./Lexer.ts"
import { Token } from "./Token.ts"
import { Word } from "./Words.ts"

const upper = /^\p{Lu}/u
const decoder = new TextDecoder()
/** Nesting beyond which text is skipped. */
const deepest = 300

export abstract class TypeReader extends Lexer {
  /** How deep the reader is in types, expressions and statements together. */
  protected level = 0
  /** The definition that fields of an anonymous struct type belong to, -1 when they have none to be known by. */
  protected anonymous = -1
  /** Element and key type of the array and map types read so far, by type expression. */
  protected readonly elements = new Map<number, number>()
  protected readonly keys = new Map<number, number>()
  private readonly literals = new Map<number, number>()
  private readonly shadows = new Set<number>()
  private unknownReceiver = -1
  /** Parameters of the lists being read: name, offset, type expression. */
  protected readonly parameters: Array<number> = []
  /** What the last parameter list held. */
  protected count = 0
  protected variadic = false
  /** Types of the parameters the last signature held, as type expressions or -1. */
  protected taken: ReadonlyArray<number> = []
  /** What the last `name[…]…` turned out to be: a name and its array type, or an instantiated type. */
  private named = false

  protected abstract expression(use?: number): void
  protected abstract value(): number

  protected override open(): void {
    super.open()
    this.level = 0
    this.anonymous = -1
    this.elements.clear()
    this.keys.clear()
    this.literals.clear()
    this.shadows.clear()
    this.unknownReceiver = -1
    this.parameters.length = 0
    this.taken = []
  }

  /** Whether this is the current token. */
  protected is(token: number): boolean {
    return this.token === token
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
  /** A predeclared type or constant that nothing in this file has redeclared so far. */
  protected predeclared(id: number, word: number): boolean {
    return word >= Word.type && word <= Word.number && (this.shadows.size === 0 || !this.shadows.has(id))
  }
  protected local(id: number, type: number, from: number): void {
    if (id === this.words.blank || id === 0) return
    this.shadow(id)
    this.facts.bindLocal(id, type, from)
  }
  protected shadow(id: number): void {
    const { classes } = this.words
    if (id < classes.length && classes[id]! >= Word.type && classes[id]! <= Word.number) this.shadows.add(id)
  }
  protected expect(token: number): boolean {
    if (this.token === token) {
      this.next()
      return true
    }
    this.facts.addParseError()
    return false
  }
  /** Whether the identifier at this offset is visible to other packages. */
  protected exported(at: number, end: number): number {
    const c = this.b[at]!
    if (c < 128) return c >= 65 && c <= 90 ? Flag.exported : 0
    return upper.test(decoder.decode(this.b.subarray(at, Math.min(end, at + 4)))) ? Flag.exported : 0
  }
  /** True when it is too deep to read on; then the bracket at hand is skipped with all it holds. */
  protected tooDeep(): boolean {
    if (this.level < deepest) return false
    this.facts.addParseError()
    this.skip()
    return true
  }
  /** Skips one token, and all up to the matching one if it opens a bracket. */
  protected skip(): void {
    let depth = 0
    do {
      const t = this.token
      if (t === Token.end) return
      if (t === Token.openParen || t === Token.openBracket || t === Token.openBrace) depth++
      else if (t === Token.closeParen || t === Token.closeBracket || t === Token.closeBrace) depth--
      this.next()
    } while (depth > 0)
  }
  protected document(definition: number): void {
    if (this.docStart < 0) return
    this.facts.setDoc(definition, this.docStart, this.docEnd)
    if (this.deprecatedAt >= this.docStart && this.deprecatedAt < this.docEnd)
      this.facts.addFlags(definition, Flag.deprecated)
  }

  // ---- types ------------------------------------------------------------------------------------

  protected startsType(): boolean {
    switch (this.token) {
      case Token.name:
      case Token.star:
      case Token.openBracket:
      case Token.func:
      case Token.map:
      case Token.chan:
      case Token.struct:
      case Token.interface:
      case Token.arrow:
      case Token.openParen:
        return true
      default:
        return false
    }
  }

  /** Reads a type. Returns its expression; -1 where there is none. */
  protected type(role: number): number {
    if (this.tooDeep()) return -1
    this.level++
    const type = this.typeInside(role)
    this.level--
    return type
  }
  private typeInside(role: number): number {
    const { facts } = this
    while (this.is(Token.star)) this.next()
    switch (this.token) {
      case Token.name: {
        const { id, start, word } = this
        this.next()
        return this.typeName(id, start, word, role)
      }
      case Token.openBracket: {
        this.next()
        if (this.is(Token.ellipsis)) this.next()
        else if (!this.is(Token.closeBracket)) this.bounded()
        this.expect(Token.closeBracket)
        return this.arrayOf(this.type(role))
      }
      case Token.map: {
        this.next()
        this.expect(Token.openBracket)
        const key = this.type(role)
        this.expect(Token.closeBracket)
        const element = this.type(role)
        const none = this.unknown()
        const type = facts.withArguments(Op.generic, this.literal(this.words.map), [
          key < 0 ? none : key,
          element < 0 ? none : element
        ])
        this.elements.set(type, element)
        this.keys.set(type, key)
        return type
      }
      case Token.arrow:
      case Token.chan:
        // A channel of T is read like an array of T: receiving yields an element.
        if (this.is(Token.arrow)) this.next()
        if (this.is(Token.chan)) this.next()
        if (this.is(Token.arrow)) this.next()
        return facts.withArguments(Op.generic, this.literal(this.words.array), [
          this.orUnknown(this.type(role))
        ])
      case Token.func: {
        this.next()
        const base = this.parameters.length
        const result = this.signature()
        this.parameters.length = base
        return this.callable(result)
      }
      case Token.struct:
        return this.anonymousBody(true)
      case Token.interface:
        return this.anonymousBody(false)
      case Token.openParen: {
        this.next()
        const type = this.type(role)
        this.expect(Token.closeParen)
        return type
      }
      default:
        facts.addParseError()
        return -1
    }
  }
  private anonymousBody(struct: boolean): number {
    const owner = this.anonymous
    const { facts } = this
    if (owner < 0) {
      if (struct && facts.current >= 0 && this.peek() === 123 && !this.isEmptyBody())
        return this.unnamedStruct()
      if (struct) this.structBody(-1)
      else this.interfaceBody(-1)
      return this.literal(struct ? this.words.struct : this.words.interface)
    }
    const outer = facts.current
    // Inside a struct without a name, uses stay with the function around it.
    if (facts.parentOf(owner) === outer) facts.current = owner
    if (struct) this.structBody(owner)
    else this.interfaceBody(owner)
    facts.current = outer
    return facts.expression(Op.selfType, owner)
  }
  /** At `struct` in a function: a definition without a name of its own holds the fields; uses stay with the function. */
  private unnamedStruct(): number {
    const { facts, start, end } = this
    const definition = facts.define(
      kindNumber.struct,
      this.words.struct,
      start,
      start,
      -1,
      Flag.local | Flag.synthetic
    )
    facts.setSignature(definition, start, end)
    this.structBody(definition)
    facts.setEnd(definition, this.lastEnd)
    return facts.expression(Op.selfType, definition)
  }
  /** At `struct` or `interface` followed by `{`: whether nothing is in there. */
  private isEmptyBody(): boolean {
    const { b, n } = this
    let p = this.end
    while (p < n && b[p] !== 123) p++
    p++
    while (p < n && (b[p] === 32 || b[p] === 9 || b[p] === 10 || b[p] === 13)) p++
    return b[p] === 125
  }
  private orUnknown(type: number): number {
    return type < 0 ? this.unknown() : type
  }
  protected arrayOf(element: number): number {
    const type = this.facts.withArguments(Op.generic, this.literal(this.words.array), [
      this.orUnknown(element)
    ])
    this.elements.set(type, element)
    return type
  }
  /** An expression in brackets, where composite literals are unambiguous. */
  protected abstract bounded(): void

  /** The rest of a type that starts with a name already consumed. */
  protected typeName(id: number, at: number, word: number, role: number): number {
    const { facts } = this
    let type: number
    if (this.is(Token.dot)) {
      facts.reference(id, at, Role.read)
      this.next()
      const receiver = facts.nameExpression(id, at)
      if (!this.is(Token.name)) {
        facts.addParseError()
        return receiver
      }
      facts.memberReference(receiver, this.id, this.start, role)
      type = facts.expression(Op.member, receiver, this.id)
      this.next()
    } else if (this.predeclared(id, word)) type = this.literal(id)
    else if (id === this.words.blank) type = -1
    else {
      facts.reference(id, at, role)
      type = facts.nameExpression(id, at)
    }
    if (this.is(Token.openBracket)) {
      this.next()
      type = this.instantiate(type)
    }
    return type
  }
  /** Type arguments up to and with the closing bracket. */
  protected instantiate(base: number): number {
    const parts: Array<number> = []
    while (!this.is(Token.closeBracket) && !this.is(Token.end)) {
      parts.push(this.orUnknown(this.type(Role.generic_arg)))
      if (!this.is(Token.comma)) break
      this.next()
    }
    this.expect(Token.closeBracket)
    return base < 0 ? -1 : this.facts.withArguments(Op.generic, base, parts)
  }

  /**
   * After a name, at `[`: either the name of something with an array type (`a [n]T`) or an instantiated type
   * (`T[K]`). Sets {@link named} and returns the type.
   */
  private arrayOrInstance(id: number, at: number, word: number, role: number): number {
    const { facts } = this
    this.next()
    if (this.is(Token.closeBracket)) {
      this.next()
      this.named = true
      return this.arrayOf(this.type(role))
    }
    if (this.is(Token.ellipsis)) {
      this.next()
      this.expect(Token.closeBracket)
      this.named = true
      return this.arrayOf(this.type(role))
    }
    const parts: Array<number> = []
    for (;;) {
      this.bounded()
      parts.push(this.orUnknown(this.value()))
      if (!this.is(Token.comma)) break
      this.next()
      if (this.is(Token.closeBracket)) break
    }
    this.expect(Token.closeBracket)
    if (parts.length === 1 && this.startsType()) {
      this.named = true
      return this.arrayOf(this.type(role))
    }
    this.named = false
    if (this.predeclared(id, word)) return this.literal(id)
    facts.reference(id, at, role)
    return facts.withArguments(Op.generic, facts.nameExpression(id, at), parts)
  }

  // ---- functions --------------------------------------------------------------------------------

  /**
   * Parameters and results, at `(`. Leaves names in {@link parameters}, number and kind of the parameters in
   * {@link count} and {@link variadic}, their types in {@link taken}, and returns the result's value expression.
   */
  protected signature(): number {
    if (!this.is(Token.openParen)) {
      this.facts.addParseError()
      this.count = 0
      this.variadic = false
      this.taken = []
      return -1
    }
    const taken = this.parameterList(Role.parameter_type)
    const { count, variadic } = this
    let result = -1
    if (this.is(Token.openParen)) {
      const parts = this.parameterList(Role.return_type)
      if (parts.length === 1) result = this.instance(parts[0]!)
      else if (parts.length > 1) {
        result = this.facts.withArguments(
          Op.tuple,
          0,
          parts.map((t) => (t < 0 ? this.unknown() : this.instance(t)))
        )
      }
    } else if (this.startsType()) result = this.instance(this.type(Role.return_type))
    this.count = count
    this.variadic = variadic
    this.taken = taken
    return result
  }
  /** The function type of the signature read last. */
  protected callable(result: number): number {
    return this.facts.withArguments(
      Op.callable,
      result,
      this.taken.map((t) => this.instance(t))
    )
  }
  /** Notes what the function takes by the signature read last, unless that is nothing or built-in types alone. */
  protected takes(definition: number): void {
    const { facts, taken } = this
    if (!taken.some((t) => t >= 0 && facts.operatorOf(t) !== Op.literal)) return
    facts.setTakes(
      definition,
      facts.withArguments(
        Op.tuple,
        0,
        taken.map((t) => this.instance(t))
      )
    )
  }

  /** A list in parentheses. Returns the type of each entry. */
  protected parameterList(role: number): ReadonlyArray<number> {
    const { facts } = this
    const outer = this.anonymous
    this.anonymous = -1
    this.next()
    // Per entry: name, offset, type; a lone name has type -2 until it is known whether it is a type.
    const names: Array<number> = []
    const places: Array<number> = []
    const types: Array<number> = []
    const words: Array<number> = []
    let named = false
    let variadic = false
    while (!this.is(Token.closeParen) && !this.is(Token.end)) {
      let name = 0
      let at = 0
      let type: number
      let word = 0
      if (this.is(Token.name)) {
        const { id, start } = this
        word = this.word
        this.next()
        switch (this.token) {
          case Token.comma:
          case Token.closeParen:
            name = id
            at = start
            type = -2
            break
          case Token.dot:
            type = this.typeName(id, start, word, role)
            break
          case Token.openBracket:
            type = this.arrayOrInstance(id, start, word, role)
            if (this.named) {
              name = id
              at = start
              named = true
            }
            break
          case Token.ellipsis:
            this.next()
            variadic = named = true
            name = id
            at = start
            type = this.arrayOf(this.type(role))
            break
          default:
            if (this.startsType()) {
              name = id
              at = start
              named = true
              type = this.type(role)
            } else {
              facts.addParseError()
              type = this.typeName(id, start, word, role)
            }
        }
      } else if (this.is(Token.ellipsis)) {
        this.next()
        variadic = true
        type = this.arrayOf(this.type(role))
      } else type = this.type(role)
      names.push(name)
      places.push(at)
      types.push(type)
      words.push(word)
      if (this.is(Token.comma)) this.next()
      else if (!this.is(Token.closeParen)) break
    }
    this.expect(Token.closeParen)
    let carried = -1
    for (let i = types.length - 1; i >= 0; i--) {
      if (types[i] !== -2) carried = types[i]!
      else if (named) types[i] = carried
      else types[i] = this.typeNameAlone(names[i]!, places[i]!, words[i]!, role)
    }
    if (named) {
      for (let i = 0; i < names.length; i++) this.parameters.push(names[i]!, places[i]!, types[i]!)
    }
    this.count = names.length
    this.variadic = variadic
    this.anonymous = outer
    return types
  }
  private typeNameAlone(id: number, at: number, word: number, role: number): number {
    if (id === this.words.blank) return -1
    if (this.predeclared(id, word)) return this.literal(id)
    this.facts.reference(id, at, role)
    return this.facts.nameExpression(id, at)
  }

  /** Binds the parameters read since `base` in the open scope. */
  protected bindParameters(base: number, from: number): void {
    const { parameters } = this
    for (let i = base; i < parameters.length; i += 3) {
      if (parameters[i] !== 0) this.local(parameters[i]!, this.instance(parameters[i + 2]!), from)
    }
    parameters.length = base
  }

  /** Type parameters after `[`, up to and with `]`; bound in the open scope. */
  protected typeParameters(): void {
    // Each may occur in the constraints of all others.
    const first = this.start
    while (this.is(Token.name)) {
      const names: Array<number> = []
      for (;;) {
        names.push(this.id)
        this.next()
        if (!this.is(Token.comma)) break
        this.next()
        if (!this.is(Token.name)) break
      }
      const constraint = this.constraint(-1)
      for (const name of names) this.local(name, constraint, first)
      if (!this.is(Token.comma)) break
      this.next()
    }
    this.expect(Token.closeBracket)
  }

  /** A union of type terms. Returns the type when it is a single one; `owner` embeds it then. */
  private constraint(owner: number): number {
    let terms = 0
    let type = -1
    for (;;) {
      const at = this.start
      const approximate = this.is(Token.tilde)
      if (approximate) this.next()
      type = this.type(owner >= 0 ? Role.extends : Role.type)
      terms++
      if (!this.is(Token.pipe)) {
        if (owner >= 0 && terms === 1 && !approximate && type >= 0)
          this.facts.inherit(owner, -1, type, Inherit.embeds, at)
        break
      }
      this.next()
    }
    return terms === 1 ? type : -1
  }

  // ---- bodies -----------------------------------------------------------------------------------

  private bodyOf(owner: number): void {
    if (owner < 0) return
    const kind = this.facts.kindOf(owner)
    if (kind === kindNumber.struct || kind === kindNumber.interface) this.facts.setBody(owner, this.start)
  }
  /** At `struct`. With an owner its fields are definitions and members of it. */
  protected structBody(owner: number): void {
    const { facts } = this
    this.next()
    this.bodyOf(owner)
    if (!this.expect(Token.openBrace)) return
    const outer = this.anonymous
    while (!this.is(Token.closeBrace) && !this.is(Token.end)) {
      const before = this.start
      this.anonymous = -1
      this.fieldLine(owner)
      if (this.is(Token.string)) this.next()
      if (this.is(Token.semicolon)) this.next()
      else if (!this.is(Token.closeBrace)) {
        facts.addParseError()
        if (this.start === before) this.skip()
      }
    }
    this.anonymous = outer
    this.expect(Token.closeBrace)
  }
  private fieldLine(owner: number): void {
    const { facts, docStart, docEnd } = this
    if (this.is(Token.name)) {
      const { id, start, word, end } = this
      this.next()
      switch (this.token) {
        case Token.semicolon:
        case Token.closeBrace:
        case Token.string:
        case Token.dot:
          return this.embedded(owner, id, start, word, end, docStart, docEnd)
        case Token.openBracket: {
          const field = owner < 0 ? -1 : this.field(owner, id, start, end, docStart, docEnd)
          this.anonymous = field
          const type = this.arrayOrInstance(id, start, word, Role.field_type)
          if (field >= 0) this.finishField(field, type)
          if (!this.named && owner >= 0) facts.inherit(owner, -1, type, Inherit.embeds, start)
          return
        }
        default: {
          const first = owner < 0 ? -1 : this.field(owner, id, start, end, docStart, docEnd)
          const others: Array<number> = []
          while (this.is(Token.comma)) {
            this.next()
            if (!this.is(Token.name)) break
            if (owner >= 0) others.push(this.field(owner, this.id, this.start, this.end, docStart, docEnd))
            this.next()
          }
          this.anonymous = first
          const type = this.type(Role.field_type)
          if (first >= 0) this.finishField(first, type)
          for (const f of others) this.finishField(f, type)
        }
      }
      return
    }
    if (this.is(Token.star) || this.is(Token.openParen)) {
      while (this.is(Token.star) || this.is(Token.openParen)) this.next()
      const { id, start, word, end } = this
      if (!this.is(Token.name)) {
        facts.addParseError()
        return
      }
      this.next()
      this.embedded(owner, id, start, word, end, docStart, docEnd)
      while (this.is(Token.closeParen)) this.next()
      return
    }
    facts.addParseError()
    this.skip()
  }
  /** Members of a type inside a function are inside that function. */
  private locality(): number {
    return this.facts.flagsOf(this.facts.current) & Flag.local
  }
  private field(
    owner: number,
    id: number,
    at: number,
    end: number,
    docStart: number,
    docEnd: number
  ): number {
    const { facts } = this
    const within = facts.current
    facts.current = owner
    const field = facts.define(kindNumber.field, id, at, at, end, this.exported(at, end) | this.locality())
    facts.current = within
    if (docStart >= 0) {
      facts.setDoc(field, docStart, docEnd)
      if (this.deprecatedAt >= docStart && this.deprecatedAt < docEnd) facts.addFlags(field, Flag.deprecated)
    }
    return field
  }
  private finishField(field: number, type: number): void {
    this.facts.setEnd(field, this.lastEnd)
    this.facts.setType(field, this.instance(type))
  }
  private embedded(
    owner: number,
    id: number,
    at: number,
    word: number,
    end: number,
    docStart: number,
    docEnd: number
  ): void {
    if (this.is(Token.dot)) {
      const member = this.memberOf(id, at)
      return this.embed(owner, member.name, member.at, member.end, at, member.type, docStart, docEnd)
    }
    const type = this.typeName(id, at, word, Role.extends)
    this.embed(owner, id, at, end, at, type, docStart, docEnd)
  }
  private memberOf(
    id: number,
    at: number
  ): { readonly type: number; readonly name: number; readonly at: number; readonly end: number } {
    const { facts } = this
    facts.reference(id, at, Role.read)
    const receiver = facts.nameExpression(id, at)
    this.next()
    if (!this.is(Token.name)) {
      facts.addParseError()
      return { type: receiver, name: id, at, end: this.lastEnd }
    }
    const { id: member, start, end } = this
    facts.memberReference(receiver, member, start, Role.extends)
    let type = facts.expression(Op.member, receiver, member)
    this.next()
    if (this.is(Token.openBracket)) {
      this.next()
      type = this.instantiate(type)
    }
    return { type, name: member, at: start, end }
  }
  private embed(
    owner: number,
    name: number,
    nameAt: number,
    nameEnd: number,
    at: number,
    type: number,
    docStart: number,
    docEnd: number
  ): void {
    if (owner < 0) return
    const { facts } = this
    const field = this.field(owner, name, nameAt, nameEnd, docStart, docEnd)
    facts.setEnd(field, Math.max(nameEnd, this.lastEnd))
    facts.setType(field, this.instance(type))
    if (type >= 0) facts.inherit(owner, -1, type, Inherit.embeds, at)
  }

  /** At `interface`. With an owner its methods are definitions and members of it. */
  protected interfaceBody(owner: number): void {
    const { facts } = this
    this.next()
    this.bodyOf(owner)
    if (!this.expect(Token.openBrace)) return
    const outer = this.anonymous
    this.anonymous = -1
    while (!this.is(Token.closeBrace) && !this.is(Token.end)) {
      const before = this.start
      if (this.is(Token.name) && this.peek() === 40) {
        const { id, start, end, docStart } = this
        if (owner >= 0) {
          const within = facts.current
          facts.current = owner
          const method = facts.openDefinition(
            kindNumber.method,
            id,
            start,
            start,
            this.exported(start, end) | this.locality() | Flag.abstract
          )
          if (docStart >= 0) this.document(method)
          this.next()
          const base = this.parameters.length
          facts.setType(method, this.signature())
          this.parameters.length = base
          facts.setParameters(method, this.variadic ? this.count - 1 : this.count, this.count, this.variadic)
          this.takes(method)
          facts.setSignature(method, start, this.lastEnd)
          facts.closeDefinition(this.lastEnd)
          facts.current = within
        } else {
          this.next()
          const base = this.parameters.length
          this.signature()
          this.parameters.length = base
        }
      } else this.constraint(owner)
      if (this.is(Token.semicolon)) this.next()
      else if (!this.is(Token.closeBrace)) {
        facts.addParseError()
        if (this.start === before) this.skip()
      }
    }
    this.anonymous = outer
    this.expect(Token.closeBrace)
  }
}
