/**
 * Items: functions, types, traits, impls, modules, imports and what belongs to them.
 */
import { Scope, Space } from "../FactsBuilder.ts"
import { Bind, Flag, ImportFlag, Inherit, kindNumber, Mark, Op, Role } from "../Vocabulary.ts"
import { ExpressionReader } from "./ExpressionReader.ts"
import { isWordByte, isWordStart } from "./Lexer.ts"
import { T, Word } from "./Names.ts"
import { depthLimit } from "./TypeReader.ts"

/** Where items are read, which decides what their members belong to. */
const Place = { module: 0, impl: 1, trait: 2, foreign: 3, body: 4 } as const

export class ItemReader extends ExpressionReader {
  private site: number = Place.module
  // The `impl` around the current place.
  private owner = -1
  private ownerName = 0
  /** Flags of the members of the current `impl` or `trait`. */
  private memberFlags = 0

  // What the attributes before an item say.
  private attributesStart = -1
  private attributeFlags = 0
  private testModule = false
  private macroExport = false
  private pathStart = -1
  private pathEnd = -1

  /** Reads the whole file. */
  read(): void {
    this.itemsInMacro = true
    this.next()
    this.itemsUntil(T.eof)
    if (this.testsSeen) this.builder.setRunner(this.names.cargoTest)
  }
  private testsSeen = false

  private itemsUntil(close: number): void {
    while (!this.is(close) && !this.is(T.eof)) {
      const at = this.start
      if (this.is(59)) {
        this.next()
        continue
      }
      if (!(this.startsItem() && this.item())) this.itemMacro()
      if (this.start === at && !this.is(T.eof)) {
        this.error()
        if (this.isOpen()) this.skipGroup()
        else this.next()
      }
    }
  }

  /** `name! { … }` among items. */
  private itemMacro(): void {
    if (
      !this.is(T.identifier) &&
      !this.is(T.path) &&
      !this.is(T.crate) &&
      !this.is(T.self) &&
      !this.is(T.super)
    ) {
      return
    }
    this.expression()
    this.accept(59)
  }

  protected override startsItem(): boolean {
    switch (this.token as number) {
      case T.fn:
      case T.struct:
      case T.enum:
      case T.trait:
      case T.impl:
      case T.mod:
      case T.use:
      case T.pub:
      case T.extern:
      case 35:
      case T.macro:
        return true
      case T.type:
        return this.peekWord()
      case T.static:
        return this.site !== Place.body || this.peekWord()
      case T.const: {
        const c = this.peek()
        return c !== 123 && c !== 124
      }
      case T.unsafe:
      case T.async:
        return this.modifierOfItem()
      case T.identifier: {
        const { name, names } = this
        if (name === names.macroRules) return this.peek() === 33
        if (name === names.union || name === names.auto || name === names.default || name === names.safe)
          return this.peekWord()
        return false
      }
      default:
        return false
    }
  }
  /** Whether an `async` or `unsafe` belongs to an item rather than to a block or closure. */
  private modifierOfItem(): boolean {
    const { bytes, length } = this
    let p = this.end
    for (;;) {
      while (p < length && (bytes[p] === 32 || bytes[p] === 10 || bytes[p] === 13 || bytes[p] === 9)) p++
      const c = bytes[p]
      if (c === 102 && bytes[p + 1] === 110) return true // fn
      if (c === 105 && bytes[p + 1] === 109) return true // impl
      if (c === 116 && bytes[p + 1] === 114) return true // trait
      if (c === 101 && bytes[p + 1] === 120) return true // extern
      if (c === 97 && bytes[p + 1] === 117) return true // auto
      if (c === 109 && bytes[p + 1] === 111 && bytes[p + 2] === 100) return true // mod
      if (c === 117 && bytes[p + 1] === 110 && bytes[p + 2] === 115) {
        p += 6
        continue
      }
      return false
    }
  }
  protected override statementItem(): boolean {
    return this.item()
  }

  // ---- attributes ---------------------------------------------------------------------------------

  protected override attributes(): void {
    this.attributesStart = -1
    this.attributeFlags = 0
    this.testModule = this.macroExport = false
    this.pathStart = -1
    while (this.is(35)) {
      const at = this.start
      this.attribute()
      if (this.start === at) return
    }
  }

  private attribute(): void {
    const { builder, names } = this
    const { start } = this
    const c = this.peek()
    if (c !== 91 && c !== 33) return
    this.next()
    const inner = this.accept(33)
    if (!this.is(91)) return
    this.next()
    if (this.attributesStart < 0 && !inner) this.attributesStart = start
    // The name that decides is the last segment: `tokio::test`.
    let unsafe = false
    if (this.is(T.unsafe)) {
      this.next()
      unsafe = this.accept(40)
    }
    const { name } = this
    const first = this.is(T.identifier)
    const alone = first && !this.peekIs(58, 0)
    let last = name
    if (first && alone && (names.wordOf(name) & Word.attribute) !== 0) this.next()
    else if (first && !alone && (names.wordOf(name) & Word.attribute) !== 0) {
      // A tool's attribute: `rustfmt::skip`.
      while (this.is(T.identifier) || this.is(T.path)) this.next()
      last = 0
    } else if (first || this.is(T.path) || this.is(T.crate)) {
      const from = this.start
      this.plainPath(Role.decorate)
      last = this.lastWord(from, this.before)
    }
    if (!inner) {
      const word = names.wordOf(last)
      if ((word & Word.test) !== 0) {
        this.attributeFlags |= Flag.test
        this.testsSeen = true
      } else if (last === names.deprecated) this.attributeFlags |= Flag.deprecated
      else if (last === names.macroExport) this.macroExport = true
      if (this.is(40)) {
        if (last === names.derive) {
          this.next()
          while (!this.is(41) && !this.is(T.eof) && !this.isClose()) {
            const at = this.start
            this.plainPath(Role.decorate)
            if (!this.accept(44) && this.start === at) this.next()
          }
          this.closeGroup(41)
        } else if (last === names.cfg) this.configuration()
        else if ((word & Word.spelled) !== 0) this.spelledPaths()
        else if ((word & Word.route) !== 0) {
          this.next()
          if (this.is(T.string) && this.bytes[this.contentStart] === 47)
            builder.mark(Mark.route, this.contentStart, this.contentEnd)
          this.lenient++
          this.closeGroup(41)
          this.lenient--
        }
      } else if (last === names.path && this.is(61)) {
        this.next()
        if (this.is(T.string)) {
          this.pathStart = this.contentStart
          this.pathEnd = this.contentEnd
        }
      }
    }
    this.lenient++
    if (unsafe) this.closeGroup(41)
    this.closeGroup(93)
    this.lenient--
  }
  private lastWord(from: number, to: number): number {
    let p = to
    while (p > from && this.bytes[p - 1] !== 58) p--
    return this.builder.name(p, to)
  }

  /** `serde(default = "path")`: paths that the macro behind an attribute finds in strings. */
  private spelledPaths(): void {
    const { names } = this
    let open = 0
    let key = 0
    while (!this.is(T.eof)) {
      if (this.isOpen()) open++
      else if (this.isClose()) {
        if (--open === 0) {
          this.next()
          return
        }
      } else if (this.is(T.identifier)) key = this.name
      else if (this.is(T.string)) {
        const word = names.wordOf(key)
        if ((word & (Word.spellsValue | Word.spellsType)) !== 0)
          this.spelledPath((word & Word.spellsType) !== 0 ? Space.type : Space.value)
      } else if (this.is(44)) key = 0
      this.next()
    }
  }
  /** The names in the string that is the current token, when it is a path and nothing else. */
  private spelledPath(space: number): void {
    const { builder, bytes, contentEnd, contentStart, names } = this
    let p = contentStart
    while (p < contentEnd && (isWordByte(bytes[p]!) || bytes[p] === 58)) p++
    if (p < contentEnd || !isWordStart(bytes[contentStart]!)) return
    let x = -1
    let first = true
    for (p = contentStart; p < contentEnd && isWordStart(bytes[p]!); p += 2) {
      const at = p
      while (p < contentEnd && isWordByte(bytes[p]!)) p++
      const name = builder.name(at, p)
      const last = p >= contentEnd
      const keyword = names.keywordOf(name)
      if (keyword !== 0) {
        if (!first || (keyword !== T.crate && keyword !== T.self && keyword !== T.super)) return
        x = this.modulePath(keyword, keyword === T.super ? 1 : 0)
      } else if (first) {
        builder.reference(name, at, Role.read, last ? space : Space.type)
        if (!last) x = builder.nameExpression(name, at, Space.type)
      } else {
        builder.memberReference(x, name, at, Role.read)
        if (!last) x = builder.expression(Op.member, x, name)
      }
      first = false
    }
  }

  /** `cfg(…)`: whether it asks for tests. */
  private configuration(): void {
    const { names } = this
    let open = 0
    let negated = -1
    while (!this.is(T.eof)) {
      if (this.isOpen()) open++
      else if (this.isClose()) {
        if (--open === negated) negated = -1
        if (open === 0) {
          this.next()
          return
        }
      } else if (this.is(T.identifier)) {
        if (this.name === names.not && negated < 0) negated = open
        else if (this.name === names.test && negated < 0 && this.peek() !== 61) this.testModule = true
      }
      this.next()
    }
  }

  private visibility(): boolean {
    if (!this.is(T.pub)) return false
    this.next()
    if (this.is(40)) {
      const at = this.start
      this.next()
      const t = this.token as number
      if ((t === T.crate || t === T.self || t === T.super) && this.peek() === 41) {
        this.next()
        this.next()
      } else if (t === T.in) {
        this.lenient++
        this.closeGroup(41)
        this.lenient--
      } else this.seek(at)
    }
    return true
  }

  // ---- items --------------------------------------------------------------------------------------

  /** An item with its attributes; false when, after attributes, none follows. */
  private item(): boolean {
    const { builder, names } = this
    let docStart = this.docStart
    let docEnd = this.docEnd
    let start = this.start
    let flags = 0
    let test = false
    let macroExport = false
    let pathStart = -1
    let pathEnd = -1
    if (this.is(35)) {
      this.attributes()
      if (this.attributesStart >= 0) {
        start = this.attributesStart
        flags = this.attributeFlags
        test = this.testModule
        macroExport = this.macroExport
        pathStart = this.pathStart
        pathEnd = this.pathEnd
      } else start = this.start
      if (this.docStart >= 0) {
        docStart = this.docStart
        docEnd = this.docEnd
      }
      if (!this.startsItem() || this.is(35)) return false
    }
    if (this.depth >= depthLimit) {
      this.error()
      this.next()
      return true
    }
    const header = this.start
    if (this.visibility()) flags |= Flag.exported
    const place = this.site
    if (place === Place.body) flags |= Flag.local
    else if (place === Place.impl || place === Place.trait) flags |= this.memberFlags
    const parameters = this.typeParameters.length
    this.depth++
    let definition = -1
    // Modifiers of functions, impls and traits.
    let constant = false
    let external = false
    modifiers: for (;;) {
      switch (this.token as number) {
        case T.async:
          flags |= Flag.async
          this.next()
          continue
        case T.unsafe:
          this.next()
          continue
        case T.const: {
          this.next()
          const t = this.token as number
          if (
            t === T.fn ||
            t === T.async ||
            t === T.unsafe ||
            t === T.extern ||
            t === T.trait ||
            t === T.impl
          )
            continue
          constant = true
          break modifiers
        }
        case T.extern:
          this.next()
          external = true
          if (this.is(T.string)) this.next()
          continue
        case T.identifier:
          if (
            (this.name === names.default || this.name === names.auto || this.name === names.safe) &&
            this.peekWord()
          ) {
            this.next()
            continue
          }
          break modifiers
        default:
          break modifiers
      }
    }
    if (constant) definition = this.constant(kindNumber.constant, start, header, flags)
    else {
      switch (this.token as number) {
        case T.fn:
          definition = this.function(start, header, flags)
          break
        case T.struct:
          definition = this.struct(kindNumber.struct, start, header, flags)
          break
        case T.enum:
          definition = this.enum(start, header, flags)
          break
        case T.trait:
          definition = this.trait(start, header, flags)
          break
        case T.impl:
          this.impl()
          break
        case T.mod:
          definition = this.module(start, header, flags, test, pathStart, pathEnd, docStart, docEnd)
          docStart = -1
          break
        case T.use:
          this.useItem((flags & Flag.exported) !== 0)
          break
        case T.static: {
          this.next()
          const mutable = this.accept(T.mut)
          this.accept(T.ref)
          definition = this.constant(
            kindNumber.variable,
            start,
            header,
            mutable ? flags : flags | Flag.readonly
          )
          break
        }
        case T.type:
          definition = this.typeAlias(start, header, flags)
          break
        case T.crate:
          if (external) {
            this.externCrate((flags & Flag.exported) !== 0)
            break
          }
          this.error()
          break
        case 123:
          if (external) this.foreign()
          else this.error()
          break
        case T.macro:
          definition = this.declarativeMacro(start, header, flags)
          break
        case T.identifier:
          if (this.name === names.union) definition = this.struct(kindNumber.union, start, header, flags)
          else if (this.name === names.macroRules)
            definition = this.macroRules(start, header, flags, macroExport)
          else if (this.lenient > 0) break
          else this.itemMacro()
          break
        default:
          this.error()
      }
    }
    this.depth--
    this.typeParameters.length = parameters
    if (definition >= 0) {
      if (docStart >= 0) builder.setDoc(definition, docStart, docEnd)
      if (place === Place.impl && this.owner >= 0) builder.setOwner(definition, this.owner, this.ownerName)
      else if (place === Place.impl && this.ownerName !== 0) builder.setContainer(definition, this.ownerName)
    }
    return true
  }

  /** Whether an item's name is visible by itself where it is declared. */
  private binds(): boolean {
    return this.site !== Place.impl && this.site !== Place.trait
  }

  /** Runs `body` with everything that describes the surroundings of items set for a nested place. */
  private within(place: number, body: () => void): void {
    const { itemsInMacro, memberFlags, owner, ownerName, site } = this
    this.site = place
    this.itemsInMacro = place !== Place.body
    body()
    this.site = site
    this.itemsInMacro = itemsInMacro
    this.owner = owner
    this.ownerName = ownerName
    this.memberFlags = memberFlags
  }

  private function(start: number, header: number, flags: number): number {
    const { builder } = this
    this.next()
    if (!this.is(T.identifier)) {
      this.error()
      if (this.isOpen()) this.skipGroup()
      return -1
    }
    const { name, start: at } = this
    const { site } = this
    const member = site === Place.impl || site === Place.trait
    const definition = builder.openDefinition(
      member ? kindNumber.method : kindNumber.function,
      name,
      at,
      start,
      flags
    )
    if (!member) builder.bindDefinition(name, definition, 0, Space.value)
    this.next()
    builder.openScope(Scope.function)
    if (this.is(60)) this.genericParameters()
    let receiver = false
    if (this.is(40)) {
      this.next()
      receiver = this.parameters(definition)
    } else this.error()
    if (member && !receiver) builder.addFlags(definition, Flag.static)
    if (this.accept(T.arrow)) {
      const x = this.type(Role.return_type)
      if (x >= 0) builder.setType(definition, builder.expression(Op.instance, x))
    }
    this.whereClause()
    builder.setSignature(definition, header, this.before)
    if (this.is(123)) {
      builder.setBody(definition, this.start)
      const { selfValue } = this
      if (!member) this.selfValue = -1
      this.within(Place.body, () => {
        this.next()
        this.statements(true)
        this.closeGroup(125)
      })
      this.selfValue = selfValue
    } else {
      builder.addFlags(definition, Flag.declaration)
      if (!this.accept(59)) this.error()
    }
    builder.closeScope()
    builder.closeDefinition(this.before)
    return definition
  }

  /** Parameters after `(`; says whether there is a `self`, which counts neither as a parameter nor as a type taken. */
  private parameters(definition: number): boolean {
    const { builder } = this
    let count = 0
    let receiver = false
    let variadic = false
    const takes: Array<number> = []
    while (!this.is(41) && !this.is(T.eof) && !this.isClose()) {
      const at = this.start
      while (this.is(35)) this.attributeTokens()
      if (count === 0 && !receiver && this.receiverFollows()) {
        receiver = true
        while (this.is(38) || this.is(T.lifetime) || this.is(T.mut)) this.next()
        this.next()
        if (this.accept(58)) this.type(Role.parameter_type)
      } else if (this.is(T.dots)) {
        this.next()
        variadic = true
      } else {
        const from = this.bound
        const untyped = this.untypedFollows()
        if (!untyped) this.pattern()
        let subject = -1
        if (untyped || this.accept(58)) {
          if (this.is(T.dots)) {
            this.next()
            variadic = true
          } else {
            const x = this.type(Role.parameter_type)
            if (x >= 0) subject = builder.expression(Op.instance, x)
          }
        } else if (this.accept(T.in)) this.expression()
        this.bindPattern(from, subject, at)
        if (!variadic) {
          count++
          takes.push(subject)
        }
      }
      if (!this.accept(44) && this.start === at) {
        this.error()
        this.skipToken()
      }
    }
    this.closeGroup(41)
    builder.setParameters(definition, count, count, variadic)
    this.takes(definition, takes)
    return receiver
  }
  /** Parameters of old trait methods may be types alone. */
  private untypedFollows(): boolean {
    if (this.site !== Place.trait) return false
    if (this.is(T.identifier)) {
      const c = this.peek()
      return c === 44 || c === 41 || c === 60 || (c === 58 && !this.peekIs(58, 58))
    }
    return (this.is(38) && this.peek() !== 95 && this.referenceType()) || this.is(T.Self)
  }
  private referenceType(): boolean {
    // `&T` rather than the pattern `&x`: no colon before the next comma or parenthesis.
    for (let p = this.end; p < this.length; p++) {
      const c = this.bytes[p]!
      if (c === 58 && this.bytes[p + 1] !== 58 && this.bytes[p - 1] !== 58) return false
      if (c === 44 || c === 41 || c === 10) return true
    }
    return true
  }
  private receiverFollows(): boolean {
    if (this.is(T.self)) return true
    if (!this.is(38) && !this.is(T.mut)) return false
    const { bytes, length } = this
    let p = this.end
    for (;;) {
      while (p < length && (bytes[p] === 32 || bytes[p] === 10 || bytes[p] === 9 || bytes[p] === 13)) p++
      if (bytes[p] === 39) {
        p++
        while (p < length && bytes[p]! > 47 && bytes[p] !== 58) p++
        continue
      }
      if (
        bytes[p] === 109 &&
        bytes[p + 1] === 117 &&
        bytes[p + 2] === 116 &&
        (bytes[p + 3] === 32 || bytes[p + 3] === 10)
      ) {
        p += 3
        continue
      }
      if (bytes[p] === 115 && bytes[p + 1] === 101 && bytes[p + 2] === 108 && bytes[p + 3] === 102) {
        const c = bytes[p + 4]
        return c === 44 || c === 41 || c === 32 || c === 58 || c === 10
      }
      return false
    }
  }

  private struct(kind: number, start: number, header: number, flags: number): number {
    const { builder } = this
    this.next()
    if (!this.is(T.identifier)) {
      this.error()
      return -1
    }
    const { name, start: at } = this
    const definition = builder.openDefinition(kind, name, at, start, flags)
    this.next()
    builder.openScope()
    let space: number = Space.any
    if (this.is(60)) this.genericParameters()
    this.whereClause()
    if (this.is(58) && this.lenient > 0) {
      // `struct Name: Type { … }` of a macro.
      this.next()
      this.type(Role.type)
    }
    let signed = false
    if (this.is(40)) {
      this.next()
      this.positionalFields()
      this.whereClause()
    }
    if (this.is(123)) {
      space = Space.type
      builder.setSignature(definition, header, this.before)
      signed = true
      this.next()
      this.namedFields(0)
    } else if (!this.accept(59)) this.error()
    if (!signed)
      builder.setSignature(
        definition,
        header,
        this.bytes[this.before - 1] === 59 ? this.before - 1 : this.before
      )
    builder.closeScope()
    builder.closeDefinition(this.before)
    builder.bindDefinition(name, definition, 0, space)
    return definition
  }

  private positionalFields(): void {
    const { builder } = this
    let slot = 0
    while (!this.is(41) && !this.is(T.eof) && !this.isClose()) {
      const start = this.start
      const { docEnd, docStart } = this
      if (this.is(35)) this.attributes()
      const exported = this.visibility()
      const definition = builder.openDefinition(
        kindNumber.field,
        this.slotName(slot++),
        this.start,
        start,
        Flag.synthetic | (exported ? Flag.exported : 0)
      )
      const x = this.type(Role.field_type)
      if (x >= 0) builder.setType(definition, builder.expression(Op.instance, x))
      if (docStart >= 0) builder.setDoc(definition, docStart, docEnd)
      builder.closeDefinition(this.before)
      if (!this.accept(44)) {
        if (this.is(41)) break
        this.error()
        if (this.start === start) {
          this.skipToken()
        }
      }
    }
    this.closeGroup(41)
  }

  /** Fields after `{`; `inherited` are the flags every field has anyway. */
  private namedFields(inherited: number): void {
    const { builder } = this
    while (!this.is(125) && !this.is(T.eof) && !this.isClose()) {
      const at = this.start
      let { docEnd, docStart } = this
      let start = at
      let flags = inherited
      if (this.is(35)) {
        this.attributes()
        flags |= this.attributeFlags & Flag.deprecated
        if (this.docStart >= 0) {
          docStart = this.docStart
          docEnd = this.docEnd
        }
        if (this.attributesStart < 0) start = this.start
      }
      if (this.lenient > 0 && (this.is(T.const) || this.is(T.fn))) {
        this.item()
        this.accept(59)
        continue
      }
      const header = this.start
      if (this.visibility()) flags |= Flag.exported
      while (this.is(T.mut) || this.is(T.ref)) this.next()
      if (this.is(T.identifier)) {
        const definition = builder.openDefinition(kindNumber.field, this.name, this.start, start, flags)
        this.next()
        if (this.accept(58)) {
          const x = this.type(Role.field_type)
          if (x >= 0) builder.setType(definition, builder.expression(Op.instance, x))
        } else this.error()
        if (this.accept(61)) this.expression()
        builder.setSignature(definition, header, this.before)
        if (docStart >= 0) builder.setDoc(definition, docStart, docEnd)
        builder.closeDefinition(this.before)
      } else this.itemMacro()
      if (!this.accept(44)) {
        if (this.is(125)) break
        this.error()
        if (this.start === at) {
          this.skipToken()
        }
      }
    }
    this.closeGroup(125)
  }

  private enum(start: number, header: number, flags: number): number {
    const { builder } = this
    this.next()
    if (!this.is(T.identifier)) {
      this.error()
      return -1
    }
    const { name, start: at } = this
    const definition = builder.openDefinition(kindNumber.enum, name, at, start, flags)
    builder.bindDefinition(name, definition, 0, Space.type)
    this.next()
    builder.openScope()
    if (this.is(60)) this.genericParameters()
    this.whereClause()
    builder.setSignature(definition, header, this.before)
    const inherited = flags & Flag.exported
    const type = builder.expression(
      Op.instance,
      builder.expression(Op.name, name, Bind.definition, definition)
    )
    if (this.is(123)) {
      this.next()
      while (!this.is(125) && !this.is(T.eof) && !this.isClose()) this.variant(inherited, type)
      this.closeGroup(125)
    } else this.error()
    builder.closeScope()
    builder.closeDefinition(this.before)
    return definition
  }
  private variant(inherited: number, type: number): void {
    const { builder } = this
    const at = this.start
    let { docEnd, docStart } = this
    let start = at
    let flags = inherited
    if (this.is(35)) {
      this.attributes()
      flags |= this.attributeFlags & Flag.deprecated
      if (this.docStart >= 0) {
        docStart = this.docStart
        docEnd = this.docEnd
      }
      if (this.attributesStart < 0) start = this.start
    }
    const header = this.start
    this.visibility()
    if (this.is(T.identifier)) {
      const definition = builder.openDefinition(kindNumber.enum_member, this.name, this.start, start, flags)
      builder.setType(definition, type)
      this.next()
      if (this.is(40)) {
        this.next()
        this.positionalFields()
      } else if (this.is(123)) {
        this.next()
        this.namedFields(inherited)
      } else if (this.is(33) && this.lenient === 0) {
        this.next()
        if (this.isOpen()) this.macroBody(0)
      }
      if (this.accept(61)) this.expression()
      builder.setSignature(definition, header, this.before)
      if (docStart >= 0) builder.setDoc(definition, docStart, docEnd)
      builder.closeDefinition(this.before)
    }
    if (!this.accept(44) && !this.is(125)) {
      this.error()
      if (this.start === at && !this.is(T.eof)) {
        this.skipToken()
      }
    }
  }

  private trait(start: number, header: number, flags: number): number {
    const { builder } = this
    this.next()
    if (!this.is(T.identifier)) {
      this.error()
      return -1
    }
    const { name, start: at } = this
    const definition = builder.openDefinition(kindNumber.trait, name, at, start, flags)
    builder.bindDefinition(name, definition, 0, Space.type)
    this.next()
    builder.openScope()
    const { selfType, selfValue } = this
    this.selfType = builder.expression(Op.selfType, definition)
    this.selfValue = builder.expression(Op.self, definition)
    if (this.is(60)) this.genericParameters()
    if (this.accept(58) || this.is(61)) {
      this.accept(61)
      do {
        const line = this.start
        const x = this.traitBound()
        if (x >= 0) builder.inherit(definition, -1, x, Inherit.extends, line)
      } while (this.accept(43))
    }
    this.whereClause()
    builder.setSignature(definition, header, this.before)
    if (this.is(123)) {
      this.within(Place.trait, () => {
        this.owner = -1
        this.ownerName = 0
        this.memberFlags = flags & Flag.exported
        this.next()
        this.itemsUntil(125)
      })
      this.closeGroup(125)
    } else if (!this.accept(59)) this.error()
    this.selfType = selfType
    this.selfValue = selfValue
    builder.closeScope()
    builder.closeDefinition(this.before)
    return definition
  }
  private traitBound(): number {
    if (this.is(T.lifetime)) {
      this.next()
      return -1
    }
    return this.oneBound(Role.extends)
  }

  private impl(): void {
    const { builder } = this
    this.next()
    builder.openScope()
    // `impl<T> …`, but not `impl <T as Trait>::Type`.
    if (this.is(60)) this.genericParameters()
    this.accept(T.const)
    const negative = this.is(33) && this.peek() !== 123 && this.accept(33)
    const { selfType, selfValue } = this
    const first = this.start
    const t = this.implHead()
    let subject = t
    let name = this.head
    let trait = -1
    let overrides = false
    if (this.accept(T.for)) {
      trait = t
      overrides = true
      subject = this.type(Role.type)
      name = this.head
    }
    this.selfType = subject
    this.whereClause()
    if (trait >= 0 && subject >= 0 && !negative)
      builder.inherit(-1, subject, trait, Inherit.implements, first)
    this.selfValue = subject >= 0 ? builder.expression(Op.selfOf, subject) : -1
    if (this.is(123)) {
      this.within(Place.impl, () => {
        this.owner = subject
        this.ownerName = name
        this.memberFlags = overrides ? Flag.exported | Flag.override : 0
        this.next()
        this.itemsUntil(125)
      })
      this.closeGroup(125)
    } else if (!this.accept(59)) this.error()
    this.selfType = selfType
    this.selfValue = selfValue
    builder.closeScope()
  }
  /** The type after `impl`; its name counts as implemented when `for` follows. */
  private implHead(): number {
    const role = this.forFollows() ? Role.implements : Role.type
    return this.type(role)
  }
  private forFollows(): boolean {
    const { bytes, length } = this
    for (let p = this.start; p < length; p++) {
      const c = bytes[p]!
      if (c === 123 || c === 59) return false
      if (
        c === 102 &&
        bytes[p + 1] === 111 &&
        bytes[p + 2] === 114 &&
        (bytes[p - 1] === 32 || bytes[p - 1] === 10 || bytes[p - 1] === 62) &&
        (bytes[p + 3] === 32 || bytes[p + 3] === 10)
      ) {
        return true
      }
    }
    return false
  }

  private foreign(): void {
    this.next()
    this.within(Place.foreign, () => {
      this.itemsUntil(125)
    })
    this.closeGroup(125)
  }

  private module(
    start: number,
    header: number,
    flags: number,
    test: boolean,
    pathStart: number,
    pathEnd: number,
    docStart: number,
    docEnd: number
  ): number {
    const { builder } = this
    this.next()
    if (!this.is(T.identifier)) {
      this.error()
      return -1
    }
    const { name, start: at } = this
    this.next()
    if (!this.is(123)) {
      const definition = builder.define(
        kindNumber.module,
        name,
        at,
        start,
        this.is(59) ? this.end : this.before,
        flags | Flag.declaration | (test ? Flag.test : 0)
      )
      builder.setSignature(definition, header, this.before)
      const path = pathStart >= 0
      const index = builder.import(
        path ? builder.name(pathStart, pathEnd) : name,
        0,
        name,
        ImportFlag.namespace |
          (path ? ImportFlag.quoted : 0) |
          ((flags & Flag.exported) !== 0 ? ImportFlag.reexport : 0),
        at
      )
      builder.bindImport(name, index, 0, Space.type)
      if (docStart >= 0) builder.setDoc(definition, docStart, docEnd)
      if (!this.accept(59)) this.error()
      return definition
    }
    const definition = builder.openDefinition(
      kindNumber.module,
      name,
      at,
      start,
      flags | (test ? Flag.test : 0)
    )
    builder.bindDefinition(name, definition, 0, Space.type)
    builder.setSignature(definition, header, this.before)
    if (docStart >= 0) builder.setDoc(definition, docStart, docEnd)
    builder.openScope()
    const { selfType, selfValue } = this
    this.selfType = this.selfValue = -1
    this.modules.push(definition)
    this.within(Place.module, () => {
      this.owner = -1
      this.ownerName = 0
      this.next()
      this.itemsUntil(125)
    })
    this.modules.pop()
    this.selfType = selfType
    this.selfValue = selfValue
    builder.closeScope()
    this.closeGroup(125)
    builder.closeDefinition(this.before)
    return definition
  }

  private constant(kind: number, start: number, header: number, flags: number): number {
    const { builder } = this
    const anonymous = this.is(T.underscore)
    if (!this.is(T.identifier) && !anonymous) {
      this.error()
      return -1
    }
    const { name, start: at } = this
    let definition = -1
    if (!anonymous) {
      definition = builder.openDefinition(kind, name, at, start, flags)
      if (this.binds()) builder.bindDefinition(name, definition, 0, Space.value)
    }
    this.next()
    builder.openScope()
    if (this.is(60)) this.genericParameters()
    let typed = false
    if (this.accept(58)) {
      const x = this.type(Role.type)
      typed = x >= 0
      if (definition >= 0 && typed) builder.setType(definition, builder.expression(Op.instance, x))
    }
    if (definition >= 0) builder.setSignature(definition, header, this.before)
    if (this.accept(61)) {
      this.within(Place.body, () => {
        this.itemsInMacro = false
        this.expression()
      })
      if (definition >= 0 && !typed) builder.setType(definition, this.value())
    } else if (definition >= 0) builder.addFlags(definition, Flag.declaration)
    this.whereClause()
    builder.closeScope()
    if (!this.accept(59) && !(this.lenient > 0 && this.isClose())) this.error()
    if (definition >= 0) builder.closeDefinition(this.before)
    return definition
  }

  private typeAlias(start: number, header: number, flags: number): number {
    const { builder } = this
    this.next()
    if (!this.is(T.identifier)) {
      this.error()
      return -1
    }
    const { name, start: at } = this
    const definition = builder.openDefinition(kindNumber.type_alias, name, at, start, flags)
    if (this.binds()) builder.bindDefinition(name, definition, 0, Space.type)
    this.next()
    builder.openScope()
    if (this.is(60)) this.genericParameters()
    let bound = -1
    if (this.accept(58)) bound = this.bounds(Role.type)
    this.whereClause()
    if (this.accept(61)) {
      const x = this.boundedType(Role.type)
      if (x >= 0) builder.setType(definition, x)
      this.whereClause()
    } else {
      builder.addFlags(definition, Flag.declaration)
      if (bound >= 0) builder.setType(definition, bound)
    }
    builder.setSignature(definition, header, this.before)
    builder.closeScope()
    if (!this.accept(59)) this.error()
    builder.closeDefinition(this.before)
    return definition
  }

  private macroRules(start: number, header: number, flags: number, exported: boolean): number {
    const { builder } = this
    this.next()
    this.accept(33)
    if (!this.is(T.identifier)) {
      this.error()
      if (this.isOpen()) this.skipGroup()
      return -1
    }
    const { name, start: at } = this
    const definition = builder.openDefinition(
      kindNumber.macro,
      name,
      at,
      start,
      flags | (exported ? Flag.exported : 0)
    )
    builder.bindDefinition(name, definition, 0, Space.type)
    this.next()
    builder.setSignature(definition, header, this.before)
    if (this.isOpen()) {
      const close = this.is(40) ? 41 : this.is(91) ? 93 : 125
      builder.setBody(definition, this.start)
      this.next()
      this.rules(close)
      this.accept(59)
    } else this.error()
    builder.closeDefinition(this.before)
    return definition
  }
  /** `(matcher) => { transcriber };` …: only what the transcribers use is read. */
  private rules(close: number): void {
    this.lenient++
    this.within(Place.body, () => {
      while (!this.is(close) && !this.is(T.eof) && !this.isClose()) {
        if (this.isOpen()) {
          this.skipGroup()
          if (this.accept(T.fatArrow) && this.isOpen()) this.macroBody(0)
        } else this.next()
      }
    })
    this.closeGroup(close)
    this.lenient--
  }
  /** `macro name(matcher) { transcriber }` */
  private declarativeMacro(start: number, header: number, flags: number): number {
    const { builder } = this
    this.next()
    if (!this.is(T.identifier)) {
      this.error()
      return -1
    }
    const definition = builder.openDefinition(kindNumber.macro, this.name, this.start, start, flags)
    builder.bindDefinition(this.name, definition, 0, Space.type)
    this.next()
    builder.setSignature(definition, header, this.before)
    if (this.is(40)) {
      this.skipGroup()
      if (this.is(123)) this.macroBody(0)
    } else if (this.is(123)) {
      this.next()
      this.rules(125)
    } else this.error()
    builder.closeDefinition(this.before)
    return definition
  }

  // ---- imports ------------------------------------------------------------------------------------

  /** The module path of the use tree being read, as bytes. */
  private path = new Uint8Array(256)
  private pathLength = 0

  private pushSegment(start: number, end: number): void {
    const length = end - start
    while (this.pathLength + length + 2 > this.path.length) {
      const more = new Uint8Array(this.path.length * 2)
      more.set(this.path)
      this.path = more
    }
    const { path } = this
    if (this.pathLength > 0) {
      path[this.pathLength++] = 58
      path[this.pathLength++] = 58
    }
    for (let i = start; i < end; i++) path[this.pathLength++] = this.bytes[i]!
  }
  private moduleName(): number {
    return this.pathLength === 0 ? 0 : this.interner.bytes(this.path, 0, this.pathLength)
  }

  private useItem(exported: boolean): void {
    this.next()
    this.pathLength = 0
    this.tree(exported ? ImportFlag.reexport : 0, 0)
    if (!this.accept(59)) {
      this.error()
      this.lenient++
      while (!this.is(59) && !this.is(T.eof) && !this.isClose() && !this.startsItem()) {
        this.skipToken()
      }
      this.accept(59)
      this.lenient--
    }
  }

  /** One tree of a `use`, the path so far in `path`. */
  private tree(flags: number, depth: number): void {
    const { builder } = this
    const length = this.pathLength
    if (this.is(T.path)) this.next()
    // The segment not yet part of the module.
    let name = 0
    let start = -1
    let end = -1
    for (;;) {
      const { token } = this
      if (token === 42) {
        if (start >= 0) this.pushSegment(start, end)
        builder.import(this.moduleName(), 0, 0, flags | ImportFlag.wildcard, this.start)
        if (this.site === Place.body) builder.openToGlob()
        this.next()
        break
      }
      if (token === 123) {
        if (start >= 0) this.pushSegment(start, end)
        if (depth > 64) {
          this.error()
          this.skipGroup()
          break
        }
        this.next()
        while (!this.is(125) && !this.is(T.eof) && !this.isClose()) {
          const at = this.start
          this.tree(flags, depth + 1)
          if (!this.accept(44) && this.start === at) {
            this.error()
            this.skipToken()
          }
        }
        this.closeGroup(125)
        break
      }
      if (token === 36) {
        this.next()
        continue
      }
      if (
        token === T.identifier ||
        token === T.self ||
        token === T.super ||
        token === T.crate ||
        token === T.Self
      ) {
        if (start >= 0) this.pushSegment(start, end)
        name = this.name
        start = this.start
        end = this.end
        if (token === T.identifier && this.bytes[start] === 114 && this.bytes[start + 1] === 35) start += 2
        const at = this.start
        this.next()
        if (this.is(T.path)) {
          this.next()
          continue
        }
        this.leaf(token, name, at, start, end, length, flags)
        break
      }
      if (start >= 0 || token !== T.eof) this.error()
      break
    }
    this.pathLength = length
  }

  private leaf(
    token: number,
    name: number,
    at: number,
    start: number,
    end: number,
    prefix: number,
    flags: number
  ): void {
    const { builder, names } = this
    let local = name
    let module = 0
    let imported = name
    let f = flags
    if (token === T.self && this.pathLength > 0 && this.pathLength === prefix) {
      // `a::b::{self}` is `a::b`.
      let p = this.pathLength
      while (p > 0 && this.path[p - 1] !== 58) p--
      imported = this.interner.bytes(this.path, p, this.pathLength)
      module = p >= 2 ? this.interner.bytes(this.path, 0, p - 2) : 0
      local = imported
      if (module === 0) {
        module = imported
        imported = 0
        f |= ImportFlag.namespace
      }
    } else if (this.pathLength === 0) {
      this.pushSegment(start, end)
      module = this.moduleName()
      this.pathLength = 0
      imported = 0
      f |= ImportFlag.namespace
    } else module = this.moduleName()
    let localAt = at
    if (this.accept(T.as)) {
      if (this.is(T.identifier)) {
        local = this.name
        if ((f & ImportFlag.namespace) !== 0) localAt = this.start
      } else local = 0
      if (this.is(T.identifier) || this.is(T.underscore)) this.next()
    }
    const index = builder.import(module, imported, local, f, localAt)
    if (local !== 0 && local !== names.none) builder.bindImport(local, index)
  }

  private externCrate(exported: boolean): void {
    const { builder } = this
    this.next()
    if (!this.is(T.identifier) && !this.is(T.self)) return this.error()
    const module = this.is(T.self) ? this.names.crate : this.name
    let local = this.name
    let at = this.start
    this.next()
    if (this.accept(T.as)) {
      local = this.is(T.identifier) ? this.name : 0
      at = this.start
      this.next()
    }
    const index = builder.import(
      module,
      0,
      local,
      ImportFlag.namespace | (exported ? ImportFlag.reexport : 0),
      at
    )
    if (local !== 0) builder.bindImport(local, index, 0, Space.type)
    if (!this.accept(59)) this.error()
  }
}
