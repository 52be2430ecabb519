/** Functions and classes. */
import { Scope } from "../FactsBuilder.ts"
import { Flag, Inherit, kindNumber, Op, Role } from "../Vocabulary.ts"
import { Kind } from "./Expressions.ts"
import { Frame, FrameKind } from "./Frame.ts"
import { PatternReader } from "./Patterns.ts"
import { Token } from "./Token.ts"
import { Word } from "./Words.ts"

/** What the decorators above a definition say of it. */
interface Decoration {
  flags: number
  property: boolean
  accessor: boolean
  classMethod: boolean
  staticMethod: boolean
}
export const undecorated: Decoration = {
  flags: 0,
  property: false,
  accessor: false,
  classMethod: false,
  staticMethod: false
}

export abstract class DefinitionReader extends PatternReader {
  /** The file is one that test runners look into. */
  protected testFile = false
  protected hasTests = false
  protected hasTestCases = false
  /** There are test functions outside of classes, which only pytest runs. */
  protected hasBareTests = false

  protected override open(): void {
    super.open()
    this.hasTests = this.hasTestCases = this.hasBareTests = false
  }

  /** `: …`, on the same line or indented below. `document` is a definition a string at its start documents. */
  protected abstract suite(document?: number): void

  /** `[T: bound = default, *Ts, **P]`, at `[`; bound in the open scope. */
  protected typeParameters(): void {
    this.next()
    while (!this.is(Token.closeBracket) && !this.is(Token.newline) && !this.is(Token.end)) {
      const before = this.start
      if (this.is(Token.star) || this.is(Token.power)) this.next()
      if (this.is(Token.name)) {
        const { id } = this
        this.next()
        let bound = -1
        if (this.is(Token.colon)) {
          this.next()
          bound = this.annotation(Role.type)
        }
        if (this.is(Token.assign)) {
          this.next()
          this.annotation(Role.type)
        }
        this.facts.bindLocal(id, bound)
      }
      if (this.is(Token.comma)) this.next()
      else if (!this.is(Token.closeBracket)) {
        this.facts.addParseError()
        if (this.start === before) this.skip()
      }
    }
    this.expect(Token.closeBracket)
  }

  protected decorated(): void {
    const { start } = this
    const decoration: Decoration = {
      flags: 0,
      property: false,
      accessor: false,
      classMethod: false,
      staticMethod: false
    }
    while (this.is(Token.at)) {
      this.next()
      let word = 0
      if (this.is(Token.name)) {
        // The last name of a dotted decorator tells what it does.
        const back = this.remember()
        for (;;) {
          word = this.word
          this.next()
          if (!this.is(Token.dot)) break
          this.next()
          if (!this.is(Token.name)) break
        }
        this.rewind(back)
      }
      this.expression()
      if (this.reference >= 0) this.facts.setRole(this.reference, Role.decorate)
      switch (word) {
        case Word.property:
          decoration.property = true
          decoration.flags |= Flag.getter
          break
        case Word.setter:
          decoration.property = decoration.accessor = true
          decoration.flags |= Flag.setter
          break
        case Word.deleter:
          decoration.property = decoration.accessor = true
          break
        case Word.classMethod:
          decoration.classMethod = true
          decoration.flags |= Flag.static
          break
        case Word.staticMethod:
          decoration.staticMethod = true
          decoration.flags |= Flag.static
          break
        case Word.overload:
          decoration.flags |= Flag.declaration
          break
        case Word.abstract:
          decoration.flags |= Flag.abstract
          break
        case Word.override:
          decoration.flags |= Flag.override
          break
        case Word.deprecated:
          decoration.flags |= Flag.deprecated
          break
      }
      while (!this.is(Token.newline) && !this.is(Token.end)) {
        this.facts.addParseError()
        this.skip()
      }
      while (this.is(Token.newline)) this.next()
    }
    let flags = 0
    if (this.is(Token.async)) {
      this.next()
      flags = Flag.async
    }
    if (this.is(Token.def)) this.functionDefinition(start, decoration, flags)
    else if (this.is(Token.class)) this.classDefinition(start, decoration)
    else this.facts.addParseError()
  }

  protected functionDefinition(start: number, decoration: Decoration, async: number): void {
    const { facts, frame } = this
    const header = this.start
    this.next()
    if (!this.is(Token.name)) {
      facts.addParseError()
      return
    }
    const { id, start: at, end, word } = this
    const inClass = frame.kind === FrameKind.class
    const nested = frame.kind === FrameKind.function
    const kind = !inClass
      ? kindNumber.function
      : word === Word.init
        ? kindNumber.constructor
        : decoration.property
          ? kindNumber.property
          : kindNumber.method
    let flags = async | decoration.flags | this.visible(at, end, inClass)
    if (this.testFile && !inClass && !nested && this.startsWith(at, "test")) this.hasBareTests = true
    if (
      inClass
        ? frame.isTest && this.startsWith(at, "test")
        : this.testFile && !nested && this.startsWith(at, "test")
    ) {
      flags |= Flag.test
      this.hasTests = true
    }
    const definition = facts.openDefinition(kind, id, at, start, flags)
    if (!frame.outer?.has(id)) facts.bindDefinition(id, definition, at)
    if (!nested) frame.names.set(id, definition)
    this.next()
    const generic = this.is(Token.openBracket)
    if (generic) {
      facts.openScope()
      this.typeParameters()
    }
    const base = this.parameters.length
    const { collects } = this
    this.collects = false
    if (this.expect(Token.openParen)) {
      this.parameterList(Token.closeParen)
      this.closing(Token.closeParen)
    } else this.least = this.most = 0
    const own = inClass && !decoration.staticMethod
    const given = own && this.parameters.length > base && this.most > 0 ? 1 : 0
    facts.setParameters(definition, Math.max(0, this.least - given), this.most - given, this.variadic)
    let result = -1
    let annotated = false
    if (this.is(Token.arrow)) {
      this.next()
      result = this.instance(this.annotation(Role.return_type))
      annotated = true
    }
    facts.setSignature(definition, async !== 0 && decoration === undecorated ? start : header, this.lastEnd)
    if (this.is(Token.colon)) facts.setBody(definition, this.start)
    const inner = new Frame(FrameKind.function, definition, inClass ? frame : frame.owner, frame)
    facts.openScope(Scope.function)
    inner.self = frame.self
    for (let i = base; i < this.parameters.length; i += 2) {
      let type = this.parameters[i + 1]!
      if (given === 1 && i === base) {
        const asClass = decoration.classMethod || word === Word.new || word === Word.implicitClass
        type = facts.expression(asClass ? Op.selfType : Op.self, frame.definition)
        inner.self = asClass ? 0 : this.parameters[i]!
      } else if (inner.self === this.parameters[i]) inner.self = 0
      facts.bindLocal(this.parameters[i]!, type)
    }
    if (inClass && given === 0) inner.self = 0
    this.parameters.length = base
    const depth = this.frameDepth
    this.frame = inner
    this.frameDepth = facts.depth
    this.suite(definition)
    this.frame = frame
    this.frameDepth = depth
    this.collects = collects
    facts.closeScope()
    if (generic) facts.closeScope()
    facts.setType(definition, annotated ? result : inner.result)
    facts.closeDefinition(this.lastEnd)
  }

  protected classDefinition(start: number, decoration: Decoration): void {
    const { facts, frame } = this
    const header = this.start
    this.next()
    if (!this.is(Token.name)) {
      facts.addParseError()
      return
    }
    const { id, start: at, end } = this
    const nested = frame.kind === FrameKind.function
    this.next()
    const bases = this.basesSay()
    const flags = decoration.flags | this.visible(at, end, frame.kind === FrameKind.class)
    const test = bases.testCase || (this.testFile && !nested && this.startsWith(at, "Test"))
    if (bases.testCase) this.hasTestCases = true
    const definition = facts.openDefinition(
      bases.enum ? kindNumber.enum : kindNumber.class,
      id,
      at,
      start,
      flags | (test ? Flag.test : 0)
    )
    if (!frame.outer?.has(id)) facts.bindDefinition(id, definition, at)
    if (!nested) frame.names.set(id, definition)
    this.shadow(id)
    const generic = this.is(Token.openBracket)
    if (generic) {
      facts.openScope()
      this.typeParameters()
    }
    if (this.is(Token.openParen)) this.bases(definition)
    facts.setSignature(definition, header, this.lastEnd)
    if (this.is(Token.colon)) facts.setBody(definition, this.start)
    const inner = new Frame(FrameKind.class, definition, frame.owner, frame)
    inner.isEnum = bases.enum
    inner.isTest = test
    facts.openScope(Scope.body)
    const depth = this.frameDepth
    this.frame = inner
    this.frameDepth = facts.depth
    this.suite(definition)
    this.frame = frame
    this.frameDepth = depth
    facts.closeScope()
    if (generic) facts.closeScope()
    facts.closeDefinition(this.lastEnd)
  }
  /** What the names of the bases tell of the class, before they are read. */
  protected basesSay(): { readonly enum: boolean; readonly testCase: boolean } {
    let isEnum = false
    let testCase = false
    if (this.is(Token.openParen)) {
      const back = this.remember()
      let depth = 0
      for (;;) {
        const t = this.token
        if (t === Token.end || t === Token.newline) break
        if (t === Token.openParen) depth++
        else if (t === Token.closeParen) {
          if (--depth === 0) break
        } else if (t === Token.formatted) this.skipFormatted()
        else if (t === Token.name && depth === 1) {
          if (this.word === Word.enum) isEnum = true
          else if (this.word === Word.testCase || this.endsWithTestCase()) testCase = true
        }
        this.next()
      }
      this.rewind(back)
    }
    return { enum: isEnum, testCase }
  }
  protected endsWithTestCase(): boolean {
    return this.end - this.start >= 8 && this.startsWith(this.end - 8, "TestCase")
  }
  protected bases(definition: number): void {
    const { facts } = this
    this.next()
    while (!this.is(Token.closeParen) && !this.is(Token.newline) && !this.is(Token.end)) {
      const before = this.start
      if (this.is(Token.star) || this.is(Token.power)) {
        this.next()
        this.expression()
      } else if (this.is(Token.name) && this.isKeyword()) {
        this.next()
        this.next()
        this.expression()
      } else if (this.is(Token.name)) {
        const { start } = this
        this.set(Kind.none, -1)
        const type = this.annotation(Role.extends)
        const base = type >= 0 ? type : this.value()
        if (base >= 0) facts.inherit(definition, -1, base, Inherit.extends, start)
      } else this.expression()
      if (this.is(Token.comma)) this.next()
      else if (!this.is(Token.closeParen)) {
        facts.addParseError()
        if (this.start === before) this.skip()
        else if (!this.is(Token.comma) && !this.is(Token.closeParen)) this.skip()
      }
    }
    this.closing(Token.closeParen)
  }
}
