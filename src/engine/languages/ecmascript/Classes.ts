/** Classes: heritage, fields, methods, accessors, static blocks. */
import { Flag, Inherit, kindNumber, Op, Role } from "../Vocabulary.ts"
import { AssignmentReader } from "./Assignments.ts"
import { namePart, startsName, tEof, tName, tNumber, tPrivate, tString } from "./Lexer.ts"
import { type ClassFields, deepest, thisClass, thisInstance } from "./Reader.ts"
import {
  kAbstract,
  kAccessor,
  kAsync,
  kConstructor,
  kDeclare,
  kExtends,
  kGet,
  kImplements,
  kOverride,
  kPrivate,
  kProtected,
  kPublic,
  kReadonly,
  kSet,
  kStatic
} from "./Words.ts"

export abstract class ClassReader extends AssignmentReader {
  /** What follows a class's name; the scope for its type parameters is open. */
  classBody(definition: number, headerStart: number): void {
    const { builder } = this
    this.generic(definition, this.typeParameters())
    if (this.at(tName) && this.says(kExtends)) {
      this.next()
      const { heritage, heritageOf } = this
      const at = this.ts
      this.heritage = true
      this.heritageOf = definition
      this.depth++
      if (this.depth > deepest) this.skipRest()
      else this.postfix()
      this.depth--
      this.heritage = heritage
      this.heritageOf = heritageOf
      if (this.plainRef >= 0) builder.setRole(this.plainRef, Role.extends)
      let superType = this.value()
      if (this.at(60) && this.types) {
        this.membersOf = definition
        const parts = this.typeArguments(true)
        if (superType >= 0 && parts.length > 0)
          superType = builder.withArguments(Op.generic, superType, parts)
      }
      builder.inherit(definition, -1, superType < 0 ? this.unknown() : superType, Inherit.extends, at)
    }
    if (this.at(tName) && this.says(kImplements)) {
      do {
        this.next()
        const at = this.ts
        const type = this.typeAs(Role.implements, true)
        if (type >= 0) builder.inherit(definition, -1, type, Inherit.implements, at)
      } while (this.at(44))
    }
    builder.setSignature(definition, headerStart, this.ts)
    if (!this.at(123)) return this.forget()
    builder.setBody(definition, this.ts)
    const { block, classDef, classFields, conditional, thisKind, thisValue } = this
    this.conditional = false
    const fields: ClassFields | undefined = this.types ? undefined : { declared: new Set(), assigned: [] }
    this.next()
    while (!this.at(125) && !this.at(tEof)) {
      const at = this.ts
      if (this.at(59)) this.next()
      else this.classMember(definition, fields)
      if (this.ts === at && !this.at(125)) {
        builder.addParseError()
        this.next()
      }
    }
    this.block = block
    this.classDef = classDef
    this.classFields = classFields
    this.conditional = conditional
    this.thisKind = thisKind
    this.thisValue = thisValue
    if (fields !== undefined) {
      const { current } = builder
      builder.current = definition
      for (const [name, at, start, end, type, callable] of fields.assigned) {
        if (fields.declared.has(name)) continue
        const kind = callable ? kindNumber.method : kindNumber.field
        const field = builder.define(kind, name, at, start, end, Flag.exported | this.localFlag)
        builder.setType(field, type)
        builder.setSignature(field, start, this.headEnd(start, end))
      }
      builder.current = current
    }
    this.eat(125)
    this.forget()
  }

  private classMember(owner: number, fields: ClassFields | undefined): void {
    const { builder, docEnd, docStart, ts: start } = this
    if (this.at(64)) this.decorators()
    const headerStart = this.ts
    let flags = 0
    let accessor = false
    for (; this.at(tName) && this.kw !== 0; this.next()) {
      const q = this.after(this.te)
      const c = this.b[q]!
      // A modifier is followed by another one, a name or a bracketed name.
      if (
        !(
          namePart[c] === 1 ||
          c === 34 ||
          c === 39 ||
          c === 91 ||
          c === 35 ||
          c === 42 ||
          (c === 123 && this.says(kStatic))
        )
      )
        break
      if (c === 42 && !this.says(kAsync) && !this.says(kStatic) && !modifier(this.kw)) break
      if (this.says(kStatic)) {
        if (c === 123) {
          this.next()
          const state = this.enterFunction(-1, false, false)
          this.thisKind = thisClass
          this.thisValue = this.classDef = owner
          this.functionBody(-1)
          this.leaveFunction(state)
          return
        }
        flags |= Flag.static
        continue
      }
      if (this.says(kGet) || this.says(kSet)) {
        if (c === 42) break
        flags |= this.says(kGet) ? Flag.getter : Flag.setter
        accessor = true
        continue
      }
      if (
        !modifier(this.kw) ||
        (this.crossed &&
          (this.says(kAsync) || this.says(kAccessor) || this.says(kDeclare) || this.says(kAbstract)))
      )
        break
      if (!this.types && !this.says(kAsync) && !this.says(kAccessor)) break
      switch (this.kw) {
        case kPrivate:
          flags |= Flag.private
          break
        case kProtected:
          flags |= Flag.protected
          break
        case kReadonly:
          flags |= Flag.readonly
          break
        case kAbstract:
          flags |= Flag.abstract
          break
        case kOverride:
          flags |= Flag.override
          break
        case kAsync:
          flags |= Flag.async
          break
      }
    }
    if (this.at(64)) this.decorators()
    if (this.eat(42)) flags |= Flag.generator
    const nameAt = this.ts
    let constructs = false
    if (this.at(tPrivate)) flags |= Flag.private
    else if (this.at(91)) {
      const q = this.after(this.te)
      const end = this.wordEnd(q)
      if (end > q && this.types && this.b[this.after(end)] === 58) return this.indexSignature()
    } else if (this.at(tName)) constructs = this.says(kConstructor) && (flags & Flag.static) === 0
    else if (!this.at(tString) && !this.at(tNumber)) return
    else
      constructs =
        this.at(tString) && (flags & Flag.static) === 0 && this.memberName === this.known.constructor
    const name = this.propertyKey()
    if (this.at(63)) {
      flags |= Flag.optional
      this.next()
    } else if (this.at(33)) this.next()
    if ((flags & (Flag.private | Flag.protected)) === 0) flags |= Flag.exported
    flags |= this.localFlag
    fields?.declared.add(name)

    if (this.at(40) || this.at(60)) {
      const kind = constructs ? kindNumber.constructor : accessor ? kindNumber.property : kindNumber.method
      const method = builder.openDefinition(kind, name, nameAt, start, flags)
      this.document(method, docStart, docEnd)
      const generator = (flags & Flag.generator) !== 0
      const state = this.enterFunction(
        generator || constructs || (flags & Flag.setter) !== 0 ? -1 : method,
        generator,
        (flags & Flag.async) !== 0
      )
      this.thisKind = (flags & Flag.static) !== 0 ? thisClass : thisInstance
      this.thisValue = this.classDef = owner
      this.classFields = (flags & Flag.static) !== 0 ? undefined : fields
      this.callable(method, constructs ? owner : -1, headerStart)
      this.leaveFunction(state)
      builder.closeDefinition(this.prevEnd)
      this.eat(59)
      return
    }

    const typed = this.at(58) && this.types
    const callableType = typed && this.functionTypeStarts(this.te)
    let callable = callableType
    if (!callable) {
      if (this.at(61)) callable = this.functionAt(this.te)
      else if (typed) {
        const end = this.typeEnd(this.te)
        const q = end < 0 ? -1 : this.after(end)
        callable = q >= 0 && this.b[q] === 61 && this.b[q + 1] !== 62 && this.functionAt(q + 1)
      }
    }
    const field = builder.openDefinition(
      callable ? kindNumber.method : kindNumber.field,
      name,
      nameAt,
      start,
      flags
    )
    this.document(field, docStart, docEnd)
    let known = false
    let declared = -1
    if (typed) {
      this.next()
      if (callableType) declared = this.instance(this.functionTypeOf(field))
      else {
        declared = this.instance(this.typeAs(Role.field_type, true))
        known = true
        if (!callable) builder.setType(field, declared)
      }
    }
    if (this.at(61)) {
      // Initializers run as functions of the instance or the class.
      const end = this.prevEnd
      this.next()
      const state = this.enterFunction(callable && !callableType ? field : -1, false, false)
      this.thisKind = (flags & Flag.static) !== 0 ? thisClass : thisInstance
      this.thisValue = this.classDef = owner
      this.classFields = undefined
      this.expected = declared
      if (callable && this.functionAt(this.ts))
        this.functionValue(callableType ? -1 : field, headerStart, thisInstance, owner)
      else {
        this.assign(!known)
        this.contextualize(declared)
        if (!known && !callable) builder.setType(field, this.value())
        builder.setSignature(field, headerStart, Math.max(end, this.headEnd(end, this.prevEnd)))
      }
      this.leaveFunction(state)
    } else builder.setSignature(field, headerStart, this.prevEnd)
    builder.closeDefinition(this.prevEnd)
    if (this.at(59)) this.next()
  }

  private indexSignature(): void {
    const { builder } = this
    this.next()
    builder.openScope()
    builder.bindLocal(this.name)
    this.next()
    this.next()
    this.type(false)
    this.closeBracket(93)
    if (this.eat(58)) this.typeAs(Role.field_type, false)
    builder.closeScope()
    this.eat(59)
  }

  protected abstract declared: number
  /** A class declaration at `class`. */
  protected classDeclaration(
    start: number,
    headerStart: number,
    docStart: number,
    docEnd: number,
    flags: number
  ): void {
    const { builder } = this
    this.next()
    let name = this.known.default
    let nameAt = this.prevEnd - 5
    if (this.isName && !(this.says(kImplements) && startsName(this.following))) {
      name = this.name
      nameAt = this.ts
      this.next()
    }
    const definition = builder.openDefinition(kindNumber.class, name, nameAt, start, flags | this.localFlag)
    this.document(definition, docStart, docEnd)
    if (name !== this.known.default) builder.bindDefinition(name, definition)
    if (!this.isLocal && builder.depth === 1) this.remember(name, definition)
    builder.openScope()
    this.classBody(definition, headerStart)
    builder.closeScope()
    builder.closeDefinition(this.prevEnd)
    this.declared = definition
  }
}

const modifier = (word: number): boolean =>
  word === kPrivate ||
  word === kProtected ||
  word === kPublic ||
  word === kReadonly ||
  word === kAbstract ||
  word === kOverride ||
  word === kDeclare ||
  word === kAsync ||
  word === kAccessor
