/** Statements and declarations: the top of the parser. */
import type { FactsBuilder } from "../FactsBuilder.ts"
import { Space } from "../FactsBuilder.ts"
import { Flag, Inherit, kindNumber, Op, ResultUse, Role } from "../Vocabulary.ts"
import { startsName, tEof, tName, tNumber, tString } from "./Lexer.ts"
import { ModuleReader } from "./Modules.ts"
import type { Condition, Narrowed } from "./Narrowing.ts"
import type { MemberRead } from "./Expressions.ts"
import { asDefinition, asHoisted, asLocal } from "./Patterns.ts"
import { deepest, lObject, lString, thisUnknown } from "./Reader.ts"
import {
  kAbstract,
  kAsync,
  kAwait,
  kBreak,
  kCase,
  kCatch,
  kClass,
  kConst,
  kContinue,
  kDebugger,
  kDeclare,
  kDefault,
  kDo,
  kElse,
  kEnum,
  kExport,
  kExtends,
  kFinally,
  kFor,
  kFunction,
  kGlobal,
  kIf,
  kImport,
  kIn,
  kInterface,
  kLet,
  kModule,
  kNamespace,
  kOf,
  kReturn,
  kSwitch,
  kThrow,
  kTry,
  kType,
  kUsing,
  kVar,
  kWhile,
  kWith
} from "./Words.ts"

export interface Dialect {
  readonly types: boolean
  readonly jsx: boolean
}

export class StatementReader extends ModuleReader {
  constructor(dialect: Dialect) {
    super()
    this.types = dialect.types
    this.jsx = dialect.jsx
  }

  /** Reads the builder's source. */
  read(builder: FactsBuilder): void {
    this.start(builder)
    this.testFile = testPath.test(builder.source.path)
    this.heritage = false
    this.heritageOf = this.membersOf = -1
    this.typeRole = Role.type
    this.pattern.length = 0
    this.statementDocStart = -1
    this.next()
    this.statementList(-1)
    this.tellExports()
  }

  /** The statement read last never goes on to the next one. */
  private leaves = false
  /** What is known to hold behind the statement read last. */
  private behind: Condition["yes"] = []

  /** Statements up to the closing token, which is left, or the end of the file. */
  statementList(closer: number): void {
    const known: Array<Narrowed> = []
    while (!this.at(closer) && !this.at(tEof)) {
      const at = this.ts
      this.statement()
      if (this.behind.length > 0) known.push(this.narrow(this.behind))
      if (this.ts === at && !this.at(closer) && !this.at(tEof)) {
        this.builder.addParseError()
        this.next()
      }
    }
    while (known.length > 0) this.widen(known.pop()!)
  }

  private statement(): void {
    if (this.depth > deepest) return this.skipRest()
    this.depth++
    this.leaves = false
    this.behind = []
    const leads =
      this.at(123) ||
      (this.at(tName) &&
        (this.says(kIf) ||
          this.says(kReturn) ||
          this.says(kThrow) ||
          this.says(kBreak) ||
          this.says(kContinue)))
    const branches = leads && this.says(kIf)
    this.oneStatement()
    if (!leads) this.leaves = false
    if (!branches) this.behind = []
    this.depth--
  }

  private oneStatement(): void {
    const { builder } = this
    switch (this.token) {
      case 123:
        return this.blockStatement()
      case 59:
        return this.next()
      case 64: {
        const { docEnd, docStart, ts: start } = this
        this.decorators()
        if (this.at(tName) && this.says(kExport)) return this.exportDeclaration(start, docStart, docEnd)
        if (!this.declaration(start, this.ts, docStart, docEnd, 0, false)) builder.addParseError()
        return
      }
      case tName:
        break
      default:
        return this.expressionStatement()
    }
    switch (this.kw) {
      case 0:
        return this.expressionStatement()
      case kIf:
        return this.ifStatement()
      case kFor:
        return this.forStatement()
      case kWhile:
        builder.branch()
        this.next()
        this.head()
        return this.bodyWhere(this.when?.yes)
      case kDo:
        builder.branch()
        this.next()
        this.statement()
        if (this.eatWord(kWhile)) this.head()
        this.eat(59)
        return
      case kSwitch:
        return this.switchStatement()
      case kTry:
        return this.tryStatement()
      case kReturn:
        return this.returnStatement()
      case kThrow:
        this.next()
        this.expression(false)
        this.eat(59)
        this.leaves = true
        return
      case kBreak:
      case kContinue:
        this.next()
        if (!this.nl && this.isName) this.next()
        this.eat(59)
        this.leaves = true
        return
      case kWith:
        this.next()
        this.head()
        return this.statement()
      case kDebugger:
        this.next()
        this.eat(59)
        return
      case kImport: {
        const c = this.following
        if (c === 40 || c === 46) return this.expressionStatement()
        return this.importDeclaration(this.ts, false)
      }
      case kExport:
        return this.exportDeclaration(this.ts, this.docStart, this.docEnd)
      case kElse:
      case kCatch:
      case kFinally:
      case kCase:
      case kDefault:
      case kExtends:
      case kIn:
        return
    }
    if (!this.declaration(this.ts, this.ts, this.docStart, this.docEnd, 0, false)) this.expressionStatement()
  }

  private expressionStatement(): void {
    if (this.isName) {
      const q = this.after(this.te)
      if (this.b[q] === 58) {
        // a label
        this.jump(q + 1)
        if (!this.at(125)) this.statement()
        return
      }
    }
    this.statementDocStart = this.docStart
    this.statementDocEnd = this.docEnd
    this.expression(false)
    if (this.callRef >= 0) this.builder.setUse(this.callRef, ResultUse.discarded)
    this.eat(59)
  }

  private blockStatement(): void {
    this.builder.openScope()
    this.block++
    this.next()
    this.statementList(125)
    this.eat(125)
    this.block--
    this.builder.closeScope()
  }
  /** A statement that is the body of another one: what it declares is local. */
  private body(): void {
    if (this.at(123)) return this.blockStatement()
    this.block++
    this.statement()
    this.block--
  }
  /** As {@link body}, where tests are known to hold. */
  private bodyWhere(tests: Condition["yes"] | undefined): void {
    const names = this.narrow(tests)
    this.body()
    this.widen(names)
  }
  /** `( expression )` of a statement. */
  private head(): void {
    this.when = undefined
    if (!this.eat(40)) return
    this.expression(false)
    if (this.callRef >= 0) this.builder.setUse(this.callRef, ResultUse.condition)
    this.subject = this.memberRead()
    this.closeBracket(41)
  }
  /** The member of a name that the head read last consists of. */
  private subject: MemberRead | undefined = undefined

  private ifStatement(): void {
    const outer: Array<Narrowed> = []
    let behind: Array<Condition["yes"]> | undefined = []
    for (let leaves = true; ; ) {
      this.builder.branch()
      this.next()
      this.head()
      const { when } = this
      this.bodyWhere(when?.yes)
      leaves &&= this.leaves
      // What goes on behind the branches read so far has not met their conditions.
      if (leaves) behind?.push(when?.no ?? [])
      if (!this.at(tName) || !this.says(kElse)) {
        if (!leaves) behind = undefined
        this.leaves = false
        break
      }
      if (!leaves) behind = undefined
      this.next()
      if (when !== undefined && when.no.length > 0) outer.push(this.narrow(when.no))
      if (this.at(tName) && this.says(kIf)) continue
      this.body()
      if (this.leaves && outer.length < 2 && !leaves) behind = [when?.yes ?? []]
      else if (this.leaves) behind = undefined
      this.leaves &&= leaves
      break
    }
    while (outer.length > 0) this.widen(outer.pop()!)
    this.behind = behind === undefined ? [] : behind.flat()
  }

  private forStatement(): void {
    const { builder } = this
    builder.branch()
    this.next()
    this.eatWord(kAwait)
    builder.openScope()
    this.block++
    if (this.eat(40)) {
      if (this.at(tName) && this.says(kAwait) && this.wordNumber(this.after(this.te)) === kUsing) this.next()
      if (
        this.at(tName) &&
        (this.says(kVar) ||
          this.says(kConst) ||
          ((this.says(kLet) || this.says(kUsing)) && this.bindingFollows()))
      ) {
        const hoisted = this.says(kVar)
        this.next()
        const base = this.pattern.length
        const simple = this.at(tName)
        this.readPattern(-1, 0, 0)
        let type = -1
        if (this.eat(58)) type = this.instance(this.typeAs(Role.type, true))
        if (this.at(tName) && (this.says(kOf) || this.says(kIn))) {
          const of = this.says(kOf)
          this.next()
          if (of) {
            this.assign(true)
            const list = this.value()
            if (list >= 0 && type < 0) type = builder.expression(Op.element, list)
          } else {
            this.expression(false)
            type = this.literal(lString)
          }
          this.bindPattern(base, type, hoisted ? asHoisted : asLocal, 0, 0)
        } else {
          if (this.at(61)) {
            this.next()
            this.assign(type < 0 && simple)
            if (type < 0) type = this.value()
          }
          this.bindPattern(base, type, hoisted ? asHoisted : asLocal, 0, 0)
          if (this.eat(44)) this.declarators(hoisted ? kVar : kLet, this.ts, -1, -1, 0)
        }
      } else if (!this.at(59)) {
        this.expression(false)
        if (this.at(tName) && this.says(kOf)) {
          if (this.plainRef >= 0) builder.setRole(this.plainRef, Role.write)
          this.next()
          this.assign(false)
        }
      }
      if (this.eat(59)) {
        if (!this.at(59)) this.expression(false)
        if (this.callRef >= 0) builder.setUse(this.callRef, ResultUse.condition)
        this.eat(59)
        if (!this.at(41)) this.expression(false)
      }
      this.closeBracket(41)
    }
    this.body()
    this.block--
    builder.closeScope()
  }
  /** A name or pattern follows `let` or `using`, so that it declares. */
  private bindingFollows(): boolean {
    const q = this.after(this.te)
    const c = this.b[q]!
    if (this.says(kUsing)) {
      if (this.crossed || !startsName(c)) return false
      const word = this.wordNumber(q)
      return word !== kIn && !(word === kOf && this.b[this.after(q + 2)] !== 61) && this.b[q] !== 61
    }
    if (c === 123 || c === 91) return true
    if (!startsName(c)) return false
    const word = this.wordNumber(q)
    return word !== kIn && word !== kOf
  }

  private switchStatement(): void {
    const { builder } = this
    this.next()
    this.head()
    const subject = this.subject
    if (!this.eat(123)) return
    builder.openScope()
    this.block++
    const known: Array<Narrowed> = []
    /** Texts of the clause at hand and of all before; none in a clause that is entered by other ways as well. */
    let texts: Array<number> | undefined = []
    const all: Array<number> = []
    let open = false
    let otherwise = false
    while (!this.at(125) && !this.at(tEof)) {
      const at = this.ts
      const isCase = this.at(tName) && this.says(kCase)
      if (isCase || (this.at(tName) && this.says(kDefault))) {
        if (open) {
          while (known.length > 0) this.widen(known.pop()!)
          texts = this.leaves ? [] : undefined
          otherwise = open = false
        }
        if (isCase) builder.branch()
        else otherwise = true
        this.next()
        if (isCase) {
          const text =
            subject !== undefined && this.at(tString) && this.following === 58 ? this.textLiteral() : -1
          if (text < 0) texts = undefined
          else {
            texts?.push(text)
            all.push(text)
          }
          this.conditional = true
          this.expression(false)
          this.conditional = false
        }
        this.eat(58)
      } else {
        if (!open && subject !== undefined && texts !== undefined) {
          const { at, key, name } = subject
          const told = otherwise ? all : texts
          if (told.length > 0 && !(otherwise && texts.length > 0)) {
            this.testedText(name, at, key, told.slice(), !otherwise)
            known.push(this.narrow(this.when?.yes))
          }
        }
        open = true
        this.statement()
        if (this.behind.length > 0) known.push(this.narrow(this.behind))
      }
      if (this.ts === at && !this.at(125)) {
        builder.addParseError()
        this.next()
      }
    }
    while (known.length > 0) this.widen(known.pop()!)
    this.block--
    builder.closeScope()
    this.eat(125)
  }

  private tryStatement(): void {
    const { builder } = this
    this.next()
    if (this.at(123)) this.blockStatement()
    if (this.at(tName) && this.says(kCatch)) {
      builder.branch()
      this.next()
      builder.openScope()
      if (this.eat(40)) {
        const base = this.pattern.length
        this.readPattern(-1, 0, 0)
        if (this.eat(58)) this.typeAs(Role.type, false)
        this.bindPattern(base, -1, asLocal, 0, 0)
        this.closeBracket(41)
      }
      if (this.at(123)) this.blockStatement()
      builder.closeScope()
    }
    if (this.at(tName) && this.says(kFinally)) {
      this.next()
      if (this.at(123)) this.blockStatement()
    }
  }

  private returnStatement(): void {
    const { builder } = this
    this.next()
    if (!this.nl && !this.at(59) && !this.at(125) && !this.at(tEof)) {
      const { returnsOf } = this
      const lambda = returnsOf === -2 && this.lambdaResult < 0
      const infer = returnsOf >= 0 && builder.typeOf(returnsOf) < 0
      const expected = this.returns < 0 ? this.typeBehind() : this.returns
      this.expected = expected
      this.expression(infer || lambda)
      this.contextualize(expected)
      if (this.callRef >= 0) builder.setUse(this.callRef, ResultUse.returned)
      if (infer) {
        const type = this.value()
        if (type >= 0) builder.setType(returnsOf, type)
      } else if (lambda) this.lambdaResult = this.value()
    }
    this.eat(59)
    this.leaves = true
  }

  // ---- declarations -----------------------------------------------------------------------------

  declaration(
    start: number,
    headerStart: number,
    docStart: number,
    docEnd: number,
    flags: number,
    single: boolean
  ): boolean {
    if (!this.at(tName)) return false
    switch (this.kw) {
      case kFunction:
        this.functionDeclaration(start, headerStart, docStart, docEnd, flags)
        return true
      case kAsync: {
        const q = this.after(this.te)
        if (this.crossed || this.wordNumber(q) !== kFunction) return false
        this.functionDeclaration(start, headerStart, docStart, docEnd, flags)
        return true
      }
      case kClass:
        this.classDeclaration(start, headerStart, docStart, docEnd, flags)
        return true
      case kAbstract: {
        const q = this.after(this.te)
        if (this.crossed || this.wordNumber(q) !== kClass) return false
        this.next()
        this.classDeclaration(start, headerStart, docStart, docEnd, flags | Flag.abstract)
        return true
      }
      case kInterface:
        if (!this.types || !this.nameFollows()) return false
        this.interfaceDeclaration(start, docStart, docEnd, flags)
        return true
    }
    if (single) return false
    switch (this.kw) {
      case kConst: {
        const q = this.after(this.te)
        if (this.wordNumber(q) === kEnum) {
          this.next()
          this.enumDeclaration(start, docStart, docEnd, flags)
          return true
        }
        this.next()
        this.declarators(kConst, start, docStart, docEnd, flags)
        this.eat(59)
        return true
      }
      case kVar:
        this.next()
        this.declarators(kVar, start, docStart, docEnd, flags)
        this.eat(59)
        return true
      case kLet:
        if (!this.bindingFollows()) return false
        this.next()
        this.declarators(kLet, start, docStart, docEnd, flags)
        this.eat(59)
        return true
      case kUsing:
        if (!this.bindingFollows()) return false
        this.next()
        this.declarators(kConst, start, docStart, docEnd, flags)
        this.eat(59)
        return true
      case kAwait: {
        const q = this.after(this.te)
        if (this.wordNumber(q) !== kUsing || this.crossed) return false
        const r = this.after(q + 5)
        if (this.crossed || !startsName(this.b[r]!)) return false
        this.next()
        this.next()
        this.declarators(kConst, start, docStart, docEnd, flags)
        this.eat(59)
        return true
      }
      case kEnum:
        this.enumDeclaration(start, docStart, docEnd, flags)
        return true
      case kType:
        if (!this.types || !this.nameFollows()) return false
        this.typeAlias(start, docStart, docEnd, flags)
        return true
      case kNamespace:
      case kModule: {
        if (!this.types) return false
        const c = this.following
        if (this.crossed || !(startsName(c) || c === 34 || c === 39)) return false
        this.namespaceDeclaration(start, docStart, docEnd, flags)
        return true
      }
      case kGlobal:
        if (!this.types || this.following !== 123) return false
        this.globalDeclaration(start)
        return true
      case kDeclare:
        if (!this.types || !this.nameFollows()) return false
        this.next()
        return !this.says(kDeclare) && this.declaration(start, headerStart, docStart, docEnd, flags, false)
      case kImport:
        this.importDeclaration(start, (flags & Flag.exported) !== 0)
        return true
    }
    return false
  }
  private nameFollows(): boolean {
    const c = this.following
    return !this.crossed && startsName(c) && !(this.wordNumber(this.after(this.te)) === kIn)
  }

  private functionDeclaration(
    start: number,
    headerStart: number,
    docStart: number,
    docEnd: number,
    flags: number
  ): void {
    const { builder } = this
    const isAsync = this.says(kAsync)
    if (isAsync) this.next()
    let nameAt = this.ts
    this.next()
    const generator = this.eat(42)
    let name = this.known.default
    if (this.isName) {
      name = this.name
      nameAt = this.ts
      this.next()
    }
    const definition = builder.openDefinition(
      kindNumber.function,
      name,
      nameAt,
      start,
      flags | this.localFlag | (isAsync ? Flag.async : 0) | (generator ? Flag.generator : 0)
    )
    this.document(definition, docStart, docEnd)
    if (name !== this.known.default) builder.bindDefinition(name, definition, 0, Space.value)
    if (!this.isLocal && builder.depth === 1) this.remember(name, definition)
    const state = this.enterFunction(generator ? -1 : definition, generator, isAsync)
    this.thisKind = thisUnknown
    this.classDef = -1
    this.classFields = undefined
    this.callable(definition, -1, headerStart)
    this.leaveFunction(state)
    builder.closeDefinition(this.prevEnd)
    this.eat(59)
    this.declared = definition
  }

  private interfaceDeclaration(start: number, docStart: number, docEnd: number, flags: number): void {
    const { builder } = this
    this.next()
    const { name, ts: nameAt } = this
    this.next()
    const definition = builder.openDefinition(
      kindNumber.interface,
      name,
      nameAt,
      start,
      flags | Flag.typeOnly | this.localFlag
    )
    this.document(definition, docStart, docEnd)
    builder.bindDefinition(name, definition, 0, Space.type)
    if (!this.isLocal && builder.depth === 1) this.remember(name, definition)
    builder.openScope()
    this.generic(definition, this.typeParameters())
    if (this.at(tName) && this.says(kExtends)) {
      do {
        this.next()
        const at = this.ts
        const type = this.typeAs(Role.extends, true)
        if (type >= 0) builder.inherit(definition, -1, type, Inherit.extends, at)
      } while (this.at(44))
    }
    builder.setSignature(definition, start, this.ts)
    if (this.at(123)) {
      builder.setBody(definition, this.ts)
      const { classDef, thisKind } = this
      this.classDef = definition
      this.thisKind = thisUnknown
      builder.setType(definition, this.recordOf(this.typeMembers(true)))
      this.classDef = classDef
      this.thisKind = thisKind
    }
    builder.closeScope()
    builder.closeDefinition(this.prevEnd)
    this.declared = definition
  }

  private typeAlias(start: number, docStart: number, docEnd: number, flags: number): void {
    const { builder } = this
    this.next()
    const { name, ts: nameAt } = this
    this.next()
    const definition = builder.openDefinition(
      kindNumber.type_alias,
      name,
      nameAt,
      start,
      flags | Flag.typeOnly | this.localFlag
    )
    this.document(definition, docStart, docEnd)
    builder.bindDefinition(name, definition, 0, Space.type)
    if (!this.isLocal && builder.depth === 1) this.remember(name, definition)
    builder.openScope()
    this.generic(definition, this.typeParameters())
    if (this.eat(61)) {
      this.membersOf = definition
      const type = this.typeAs(Role.type, true)
      this.membersOf = -1
      builder.setType(definition, type)
      this.takeParametersOf(definition, type)
    }
    builder.closeScope()
    builder.setSignature(definition, start, this.prevEnd)
    builder.closeDefinition(this.prevEnd)
    this.eat(59)
  }

  private enumDeclaration(start: number, docStart: number, docEnd: number, flags: number): void {
    const { builder } = this
    this.next()
    if (!this.isName) return
    const { name, ts: nameAt } = this
    this.next()
    const definition = builder.openDefinition(kindNumber.enum, name, nameAt, start, flags | this.localFlag)
    this.document(definition, docStart, docEnd)
    builder.bindDefinition(name, definition)
    if (!this.isLocal && builder.depth === 1) this.remember(name, definition)
    builder.setSignature(definition, start, this.ts)
    if (this.at(123)) {
      builder.setBody(definition, this.ts)
      builder.openScope()
      this.next()
      while (!this.at(125) && !this.at(tEof)) {
        const at = this.ts
        if (this.at(tName) || this.at(tString) || this.at(91) || this.at(tNumber)) {
          const { docEnd: to, docStart: from } = this
          const key = this.propertyKey()
          const member = builder.openDefinition(
            kindNumber.enum_member,
            key,
            at,
            at,
            Flag.exported | this.localFlag
          )
          this.document(member, from, to)
          builder.bindDefinition(key, member, 0, Space.value)
          if (this.eat(61)) this.assign(false)
          builder.setSignature(member, at, this.prevEnd)
          builder.closeDefinition(this.prevEnd)
        }
        if (!this.eat(44) && !this.at(125)) {
          builder.addParseError()
          if (this.ts === at || this.at(41) || this.at(93)) this.next()
        }
      }
      builder.closeScope()
      this.eat(125)
    }
    builder.closeDefinition(this.prevEnd)
  }

  private namespaceDeclaration(start: number, docStart: number, docEnd: number, flags: number): void {
    const { builder } = this
    const isModule = this.says(kModule)
    this.next()
    let opened = 0
    for (;;) {
      const { name, ts: nameAt } = this
      const quoted = this.at(tString)
      if (!quoted && !this.at(tName)) break
      const text = quoted ? this.memberName : name
      this.next()
      const definition = builder.openDefinition(
        quoted || isModule ? kindNumber.module : kindNumber.namespace,
        text,
        nameAt,
        start,
        (opened > 0 ? Flag.exported : flags) | this.localFlag
      )
      if (opened === 0) {
        this.document(definition, docStart, docEnd)
        if (!quoted) {
          // A class, function or enum of the same name keeps it.
          const merged = (this.topLevel.get(text) ?? []).some((d) => {
            const kind = builder.kindOf(d)
            return kind === kindNumber.class || kind === kindNumber.function || kind === kindNumber.enum
          })
          if (!merged || builder.depth > 1) builder.bindDefinition(text, definition)
          if (builder.depth === 1) this.remember(text, definition)
        }
      }
      builder.setSignature(definition, start, this.prevEnd)
      opened++
      if (!this.at(46)) break
      this.next()
    }
    if (this.at(123)) {
      const { fnDepth } = this
      if (builder.current >= 0) builder.setBody(builder.current, this.ts)
      builder.openScope()
      this.fnDepth = builder.depth
      this.next()
      this.statementList(125)
      this.fnDepth = fnDepth
      builder.closeScope()
      this.eat(125)
    }
    for (; opened > 0; opened--) builder.closeDefinition(this.prevEnd)
    this.eat(59)
  }

  /** `declare global { … }`: its declarations are visible in the file as well. */
  private globalDeclaration(start: number): void {
    const { builder } = this
    const definition = builder.openDefinition(kindNumber.namespace, this.name, this.ts, start, 0)
    this.next()
    builder.setSignature(definition, start, this.prevEnd)
    this.next()
    this.statementList(125)
    this.eat(125)
    builder.closeDefinition(this.prevEnd)
  }

  /** What follows `const`, `let` or `var`. */
  private declarators(word: number, start: number, docStart: number, docEnd: number, flags: number): void {
    // In a block, only `var` reaches the file.
    const local = this.inFunction || (this.block > 0 && word !== kVar)
    let first = true
    for (;;) {
      const at = this.ts
      if (this.at(123) || this.at(91)) this.patternDeclarator(word, first ? start : at, flags, local)
      else if (this.at(tName) && (this.isName || this.says(kConst)))
        this.nameDeclarator(word, first ? start : at, docStart, docEnd, flags, local)
      first = false
      docStart = -1
      if (!this.at(44)) break
      this.next()
    }
  }

  private patternDeclarator(word: number, start: number, flags: number, local: boolean): void {
    const base = this.pattern.length
    const isObject = this.at(123)
    this.readPattern(-1, 0, 0)
    let type = -1
    let annotated = false
    if (this.eat(58)) {
      annotated = true
      type = this.instance(this.typeAs(Role.type, true))
    }
    if (this.at(61)) {
      if (isObject && this.requireAt(this.te)) {
        const names = this.flatPattern(base)
        if (names !== undefined) {
          this.pattern.length = base
          return this.requireAs(names)
        }
      }
      this.next()
      this.expected = type >= 0 ? type : this.typeBehind()
      this.assign(!annotated)
      if (this.callRef >= 0) this.builder.setUse(this.callRef, ResultUse.assigned)
      if (!annotated) type = this.value()
    }
    if (local) this.bindPattern(base, type, word === kVar ? asHoisted : asLocal, 0, 0)
    else this.bindPattern(base, type, asDefinition, flags | (word === kConst ? Flag.readonly : 0), start)
  }

  private nameDeclarator(
    word: number,
    start: number,
    docStart: number,
    docEnd: number,
    flags: number,
    local: boolean
  ): void {
    const { builder } = this
    const { name, ts: at } = this
    this.next()
    if (this.at(33)) this.next()
    const typed = this.at(58)
    const typeIsCallable = typed && this.functionTypeStarts(this.te)
    let valueAt = -1
    if (this.at(61)) valueAt = this.te
    else if (typed) {
      const end = this.typeEnd(this.te)
      const q = end < 0 ? -1 : this.after(end)
      if (q >= 0 && this.b[q] === 61) valueAt = q + 1
    }
    const callable = valueAt >= 0 && this.functionAt(valueAt)
    const isClass = !callable && valueAt >= 0 && this.wordNumber(this.after(valueAt)) === kClass
    const up = word === kVar ? builder.depth - this.fnDepth : 0

    if (!typed && valueAt >= 0 && !callable && this.requireAt(valueAt)) {
      if (up === 0) return this.requireAs([[0, name, at]])
    }
    if (local && !callable && !isClass) {
      let type = -1
      if (typed) {
        this.next()
        type = this.instance(this.typeAs(Role.type, true))
      }
      if (this.eat(61)) {
        this.expected = type >= 0 ? type : this.typeBehind()
        this.assign(!typed)
        this.contextualize(type)
        if (this.callRef >= 0) builder.setUse(this.callRef, ResultUse.assigned)
        if (!typed) type = this.value()
      }
      this.narrowed.delete(name)
      if (up > 0) builder.bindLocalOuter(up, name, type)
      else builder.bindLocal(name, type, word === kVar ? 0 : at, Space.value)
      return
    }

    const kind =
      callable || typeIsCallable
        ? kindNumber.function
        : isClass
          ? kindNumber.class
          : word === kConst
            ? kindNumber.constant
            : kindNumber.variable
    const definition = builder.openDefinition(
      kind,
      name,
      at,
      start,
      flags | (local ? Flag.local : this.localFlag)
    )
    this.document(definition, docStart, docEnd)
    if (up > 0) builder.bindDefinitionOuter(up, name, definition, 0, isClass ? Space.any : Space.value)
    else builder.bindDefinition(name, definition, word === kVar ? 0 : at, isClass ? Space.any : Space.value)
    if (!local && builder.depth === 1 + up) this.remember(name, definition)
    let type = -1
    let annotated = false
    let declared = -1
    if (typed) {
      this.next()
      annotated = true
      if (typeIsCallable) {
        declared = this.instance(this.functionTypeOf(definition))
        if (callable) annotated = builder.typeOf(definition) >= 0
      } else declared = type = this.instance(this.typeAs(Role.type, true))
    }
    const headerEnd = this.prevEnd
    if (this.eat(61)) {
      if (!isClass) this.expected = declared >= 0 ? declared : this.typeBehind()
      if (callable) {
        const result = builder.typeOf(definition)
        this.functionValue(definition, start, thisUnknown, -1)
        // What is declared counts more than what the body gives.
        if (declared >= 0 && !typeIsCallable && this.types) builder.setTakes(definition, declared)
        if (result >= 0) builder.setType(definition, result)
        else if (declared >= 0 && !typeIsCallable && builder.typeOf(definition) < 0)
          builder.setType(definition, builder.expression(Op.call, declared))
      } else if (isClass) {
        this.classValue(definition, start)
        this.afterLiteral()
      } else {
        if (this.at(123)) {
          this.object(definition, 1, false)
          if (!annotated) type = this.literal(lObject)
          this.afterLiteral()
        } else {
          this.assign(!annotated)
          this.contextualize(declared)
          if (this.callRef >= 0) builder.setUse(this.callRef, ResultUse.assigned)
          if (!annotated) type = this.value()
        }
      }
    }
    if (!callable && !isClass) {
      if (!typeIsCallable) builder.setType(definition, type)
      builder.setSignature(definition, start, Math.max(headerEnd, this.headEnd(headerEnd, this.prevEnd)))
    }
    builder.closeDefinition(this.prevEnd)
  }
}

const testPath = /(^|\/)(tests?|__tests__|specs?|e2e)\/|[._-](test|spec|tst|e2e)\.[cm]?[jt]sx?$/
