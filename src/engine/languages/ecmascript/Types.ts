/** Type annotations: references to the types named, and an expression for the type where one is wanted. */
import { Scope, Space } from "../FactsBuilder.ts"
import { Flag, ImportFlag, kindNumber, Bind, Op, Role } from "../Vocabulary.ts"
import { tArrow, tEof, tName, tNumber, tPrivate, tSpread, tString } from "./Lexer.ts"
import {
  deepest,
  lArray,
  lBigint,
  lBoolean,
  lNumber,
  lObject,
  lString,
  lSymbol,
  lUnknown,
  thisInstance
} from "./Reader.ts"
import { NarrowingReader } from "./Narrowing.ts"
import {
  kAbstract,
  kAccessor,
  kAny,
  kAsserts,
  kBigint,
  kBoolean,
  kConst,
  kExtends,
  kFalse,
  kGet,
  kImport,
  kIn,
  kInfer,
  kIs,
  kKeyof,
  kNever,
  kNew,
  kNull,
  kNumber,
  kObject,
  kOut,
  kReadonly,
  kSet,
  kString,
  kSymbol,
  kThis,
  kTrue,
  kTypeof,
  kUndefined,
  kUnique,
  kUnknown,
  kVoid,
  kAs
} from "./Words.ts"

export abstract class TypeReader extends NarrowingReader {
  /** Role of the names in the type being read. */
  typeRole: number = Role.type
  /** A conditional type may not start here: the type is the constraint of another one. */
  private plainExtends = false
  /** The next object type's members are members of this definition; -1 when they are not told. */
  membersOf = -1

  /** Reads a type whose names have the given role. */
  typeAs(role: number, want: boolean): number {
    const before = this.typeRole
    this.typeRole = role
    const type = this.type(want)
    this.typeRole = before
    return type
  }

  /** Reads a type; gives its expression, -1 when there is none or it is not wanted. */
  type(want: boolean): number {
    if (this.depth > deepest) {
      this.skipRest()
      return -1
    }
    this.depth++
    const { plainExtends } = this
    const type = this.wholeType(want)
    this.plainExtends = plainExtends
    this.depth--
    return type
  }

  private wholeType(want: boolean): number {
    if (this.at(40) ? this.functionTypeAt(this.ts) : this.at(60)) return this.functionType(want)
    if (this.at(tName)) {
      if (this.says(kNew)) {
        this.next()
        return this.functionType(want)
      }
      if (this.says(kAbstract) && this.wordNumber(this.after(this.te)) === kNew) {
        this.next()
        this.next()
        return this.functionType(want)
      }
      const asserts = this.says(kAsserts)
      if (asserts) {
        const at = this.after(this.te)
        if (!this.crossed && this.b[at]! > 64 && this.wordNumber(at) !== kIs && this.wordEnd(at) > at)
          this.next()
      }
      const at = this.after(this.te)
      if (this.b[at] === 105 && !this.crossed && this.wordNumber(at) === kIs) {
        const own = this.says(kThis)
        if (!own) this.builder.reference(this.name, this.ts, Role.read, Space.value)
        this.next()
        this.next()
        // A guard gives a boolean that tells of this type.
        const told = this.type(want && !own && !asserts)
        const boolean = this.literal(lBoolean)
        return told < 0 || own || asserts ? boolean : this.builder.withArguments(Op.generic, boolean, [told])
      }
    }
    const { membersOf } = this
    this.membersOf = -1
    const left = this.union(want, membersOf)
    if (!this.at(tName) || !this.says(kExtends) || this.nl || this.plainExtends) return left
    this.next()
    const { inferDepth } = this
    this.builder.openScope()
    this.inferDepth = this.builder.depth
    this.plainExtends = true
    const any = this.at(tName) && (this.says(kAny) || this.says(kUnknown)) && this.following === 63
    let pattern = this.type(true)
    if (any) pattern = this.literal(lUnknown)
    this.plainExtends = false
    this.inferDepth = inferDepth
    const then = this.eat(63) ? this.type(true) : -1
    this.builder.closeScope()
    const otherwise = this.eat(58) ? this.type(true) : -1
    return want
      ? this.builder.withArguments(Op.conditional, 0, [
          this.instance(left),
          this.instance(pattern),
          this.instance(then),
          this.instance(otherwise)
        ])
      : -1
  }

  private union(want: boolean, membersOf: number): number {
    if (this.at(124) || this.at(38)) this.next()
    let left = this.operand(want, membersOf)
    let count = 0
    while (this.at(124) || this.at(38)) {
      const and = this.at(38)
      this.next()
      const right =
        this.at(40) && this.functionTypeAt(this.ts) ? this.functionType(want) : this.operand(want, membersOf)
      if (right < 0 || right === left) continue
      left =
        left < 0 ? right : ++count < 64 ? this.builder.expression(Op.union, left, right, and ? 1 : 0) : left
    }
    return left
  }

  private operand(want: boolean, membersOf: number): number {
    let type = -1
    switch (this.token) {
      case 40: {
        // (
        this.next()
        const { plainExtends } = this
        this.plainExtends = false
        type = this.type(want)
        this.plainExtends = plainExtends
        this.eat(41)
        break
      }
      case 123:
        type = this.objectType(membersOf, want)
        break
      case 91:
        type = this.tupleType(want)
        break
      case tString:
        type = want ? this.textLiteral() : -1
        this.next()
        break
      case 96:
        type = want ? this.literal(lString) : -1
        this.templateType()
        break
      case 45: // -
        this.next()
        if (this.at(tNumber)) this.next()
        type = want ? this.literal(lNumber) : -1
        break
      case tNumber:
        type = want ? this.literal(lNumber) : -1
        this.next()
        break
      case 60:
        return this.functionType(want)
      case tName:
        type = this.namedType(want)
        break
      case 63:
      case 33:
      case 42: // Closure-style ?T, !T, *
        this.next()
        if (this.at(tName) || this.at(40) || this.at(123)) return this.operand(want, -1)
        return -1
      default:
        return -1
    }
    for (;;) {
      if (this.at(91) && !this.nl) {
        this.next()
        if (this.eat(93)) type = want ? this.arrayOf(type) : -1
        else type = this.indexed(type)
      } else if (this.at(33) && !this.nl) this.next()
      else return type
    }
  }
  /** `T["name"]` or `T[number]`, behind its bracket. */
  private indexed(type: number): number {
    const { builder } = this
    let out = -1
    if (this.at(tString) && this.following === 93) {
      const of = type < 0 ? this.unknown() : this.instance(type)
      builder.memberReference(of, this.memberName, this.ts + 1, Role.type)
      out = builder.expression(Op.member, of, this.memberName)
      this.next()
    } else if ((this.at(tNumber) || (this.at(tName) && this.says(kNumber))) && this.following === 93) {
      if (type >= 0) out = builder.expression(Op.element, this.instance(type))
      this.next()
    } else {
      const { plainExtends } = this
      this.plainExtends = false
      const index = this.type(true)
      this.plainExtends = plainExtends
      if (type >= 0 && index >= 0)
        out = builder.withArguments(Op.indexed, 0, [this.instance(type), this.instance(index)])
    }
    this.eat(93)
    return out
  }
  private arrayOf(type: number): number {
    return this.builder.withArguments(Op.generic, this.literal(lArray), [type < 0 ? this.unknown() : type])
  }

  private namedType(want: boolean): number {
    const { builder } = this
    switch (this.kw) {
      case kString:
        return this.keywordType(want, lString)
      case kNumber:
        return this.keywordType(want, lNumber)
      case kBoolean:
      case kTrue:
      case kFalse:
        return this.keywordType(want, lBoolean)
      case kBigint:
        return this.keywordType(want, lBigint)
      case kSymbol:
        return this.keywordType(want, lSymbol)
      case kObject:
        return this.keywordType(want, lObject)
      case kAny:
      case kUnknown:
      case kNever:
      case kVoid:
      case kNull:
      case kUndefined:
        if (this.following !== 46) {
          this.next()
          return -1
        }
        break
      case kThis: {
        this.next()
        return this.thisKind === thisInstance
          ? builder.expression(Op.thisType, this.thisValue)
          : this.classDef >= 0
            ? builder.expression(Op.thisType, this.classDef)
            : -1
      }
      case kKeyof:
      case kUnique:
      case kReadonly: {
        const word = this.kw
        const at = this.after(this.te)
        const c = this.b[at]!
        if (
          (c > 64 && this.wordEnd(at) > at) ||
          c === 36 ||
          c === 123 ||
          c === 91 ||
          c === 40 ||
          c === 34 ||
          c === 39
        ) {
          this.next()
          const type = this.operand(true, -1)
          if (word === kKeyof) return type < 0 ? -1 : builder.expression(Op.keyOf, this.instance(type))
          return word === kReadonly ? type : want ? this.literal(lSymbol) : -1
        }
        break
      }
      case kInfer: {
        const at = this.after(this.te)
        if (!this.crossed && this.wordEnd(at) > at) {
          this.next()
          const name = this.name
          const up = this.inferDepth > 0 ? builder.depth - this.inferDepth : 0
          const infer = this.typeParameter(name, -1)
          builder.bindLocalOuter(up, name, infer)
          this.next()
          if (this.at(tName) && this.says(kExtends)) {
            const end = this.plainExtends ? 0 : this.typeEnd(this.te)
            if (this.plainExtends || (end >= 0 && this.b[this.after(end)] !== 63)) {
              this.next()
              const { plainExtends } = this
              this.plainExtends = true
              this.type(true)
              this.plainExtends = plainExtends
            }
          }
          return infer
        }
        break
      }
      case kTypeof: {
        this.next()
        if (this.at(tName) && this.says(kImport)) return this.importType(want)
        if (!this.at(tName)) return -1
        let type = -1
        if (this.says(kThis)) {
          type = this.thisValueExpression()
          this.next()
        } else {
          const name = this.name
          builder.reference(name, this.ts, Role.type, Space.value)
          if (want || this.following === 46) type = builder.nameExpression(name, this.ts, Space.value)
          this.next()
        }
        while (this.at(46)) {
          this.next()
          if (!this.at(tName) && !this.at(tPrivate)) break
          type = this.typeMember(type, want)
        }
        if (this.at(60) && !this.nl) this.typeArguments(false)
        return want && type >= 0 ? builder.expression(Op.typeOf, type) : type
      }
      case kImport:
        return this.importType(want)
      case kAsserts:
      case kAbstract:
      case kNew:
        break
    }
    const { name, ts } = this
    let type: number
    if (this.following === 46) {
      builder.reference(name, ts, Role.type)
      type = builder.nameExpression(name, ts)
      this.next()
      while (this.at(46)) {
        this.next()
        if (!this.at(tName)) break
        type = this.typeMember(type, want)
      }
    } else {
      this.typeReference(name, ts, this.typeRole)
      type = want ? builder.nameExpression(name, ts, Space.type) : -1
      this.next()
    }
    if (this.at(60) && !this.nl) {
      const parts = this.typeArguments(want)
      if (want && parts.length > 0) type = builder.withArguments(Op.generic, type, parts)
    }
    return want ? type : -1
  }
  /** The member the current token names, of a qualified type name. */
  private typeMember(receiver: number, want: boolean): number {
    const { builder, name } = this
    const of = receiver < 0 ? this.unknown() : receiver
    const more = this.following === 46
    builder.memberReference(of, name, this.ts, more ? Role.type : this.typeRole)
    this.next()
    return want || more ? builder.expression(Op.member, of, name) : -1
  }
  private keywordType(want: boolean, which: number): number {
    this.next()
    return want ? this.literal(which) : -1
  }

  private importType(want: boolean): number {
    const { builder } = this
    const at = this.ts
    this.next()
    let type = -1
    if (this.eat(40)) {
      if (this.at(tString)) {
        const index = builder.import(
          this.memberName,
          0,
          0,
          ImportFlag.namespace | ImportFlag.typeOnly | ImportFlag.dynamic,
          this.ts
        )
        type = builder.expression(Op.name, this.memberName, Bind.import, index)
        this.next()
      } else this.type(false)
      if (this.eat(44) && !this.at(41)) this.type(false)
      this.eat(41)
    } else if (this.ts === at) this.next()
    while (this.at(46)) {
      this.next()
      if (!this.at(tName)) break
      type = this.typeMember(type, want)
    }
    if (this.at(60) && !this.nl) {
      const parts = this.typeArguments(want)
      if (want && parts.length > 0 && type >= 0) type = builder.withArguments(Op.generic, type, parts)
    }
    return want ? type : -1
  }

  /** `<A, B>` behind a name. */
  typeArguments(want: boolean): ReadonlyArray<number> {
    const parts: Array<number> = []
    const { inferDepth, membersOf, plainExtends, typeRole } = this
    this.next()
    this.typeRole = Role.generic_arg
    this.plainExtends = false
    while (!this.at(62) && !this.at(tEof)) {
      const at = this.ts
      this.membersOf = membersOf
      const part = this.type(want)
      if (want) parts.push(part < 0 ? this.unknown() : part)
      if (this.eat(44)) continue
      if (!this.at(62)) {
        if (this.ts === at || this.at(59) || this.at(41) || this.at(125)) break
        this.builder.addParseError()
        break
      }
    }
    this.membersOf = -1
    this.typeRole = typeRole
    this.plainExtends = plainExtends
    this.inferDepth = inferDepth
    this.eat(62)
    return parts
  }

  private serial = 0
  private typeParameter(name: number, constraint: number): number {
    return this.builder.expression(Op.typeParameter, constraint, name, ++this.serial)
  }
  /** The definition takes these type parameters, as {@link typeParameters} gives them. */
  protected generic(definition: number, parts: ReadonlyArray<number>, self = -1): void {
    if (definition < 0 || (parts.length === 0 && self < 0)) return
    this.builder.setGenerics(
      definition,
      this.builder.withArguments(Op.tuple, 0, self < 0 ? parts : [...parts, self])
    )
  }
  /** `<T extends X = Y>` of a declaration: bound in the open scope. Gives each parameter and its default or -1. */
  typeParameters(): ReadonlyArray<number> {
    if (!this.at(60)) return noParts
    const parts: Array<number> = []
    const { plainExtends } = this
    this.plainExtends = false
    this.next()
    while (!this.at(62) && !this.at(tEof)) {
      if (!this.at(tName)) break
      while (
        this.says(kConst) ||
        ((this.says(kIn) || this.says(kOut)) && this.wordEnd(this.after(this.te)) > this.after(this.te))
      ) {
        if (!this.says(kConst) && this.wordNumber(this.after(this.te)) === kExtends) break
        this.next()
        if (!this.at(tName)) break
      }
      if (!this.at(tName)) break
      const { name, ts } = this
      this.next()
      let constraint = -1
      if (this.at(tName) && this.says(kExtends)) {
        this.next()
        constraint = this.typeAs(Role.type, true)
      }
      const parameter = this.typeParameter(name, this.instance(constraint))
      this.builder.bindLocal(name, parameter, ts, Space.type)
      parts.push(parameter, this.eat(61) ? this.instance(this.typeAs(Role.type, true)) : -1)
      if (!this.eat(44)) break
    }
    this.plainExtends = plainExtends
    if (this.at(62)) this.next()
    return parts
  }

  /** `<T>(x: A) => B`, the current token being `<` or `(`. */
  private functionType(want: boolean): number {
    const { builder, inferDepth, plainExtends } = this
    builder.openScope()
    this.plainExtends = false
    const generics = this.typeParameters()
    const takes = this.at(40) ? this.parameters(-1, want ? -2 : -3) : undefined
    const arity = this.arityRead
    const result = this.eat(tArrow) ? this.instance(this.typeAs(Role.return_type, want)) : -1
    this.plainExtends = plainExtends
    this.inferDepth = inferDepth
    builder.closeScope()
    if (!want) return -1
    const type = this.callableType(result, takes)
    if (generics.length === 0) return type
    const all = builder.withArguments(Op.tuple, 0, generics)
    return (this.callableRead = builder.expression(Op.signature, type, arity, all + 1))
  }
  private callableType(result: number, takes: ReadonlyArray<number> | undefined): number {
    this.takesRead = takes
    return (this.callableRead = this.builder.withArguments(Op.callable, result, takes ?? []))
  }
  /** The function type made last, and the types of its parameters. */
  private callableRead = -1
  private takesRead: ReadonlyArray<number> | undefined = undefined
  /** The definition stands for this type: its parameters, if it is the function type read last. */
  protected takeParametersOf(definition: number, type: number): void {
    if (type >= 0 && type === this.callableRead && this.takesRead !== undefined) {
      this.builder.setTakes(definition, this.builder.withArguments(Op.tuple, 0, this.takesRead))
    }
  }
  /** As {@link functionType}, of the given definition: its parameters and result become known. */
  functionTypeOf(definition: number): number {
    const { builder, inferDepth } = this
    builder.openScope()
    const generics = this.typeParameters()
    const takes = this.at(40) ? this.parameters(definition, -2) : undefined
    this.generic(definition, generics, this.thisTaken)
    let result = -1
    if (this.eat(tArrow)) {
      result = this.instance(this.typeAs(Role.return_type, true))
      builder.setType(definition, result)
    }
    this.inferDepth = inferDepth
    builder.closeScope()
    return this.callableType(result, takes)
  }
  /** Whether the type at `q` is a function type, not one in parentheses. */
  functionTypeStarts(q: number): boolean {
    q = this.after(q)
    if (this.b[q] === 60) return true
    if (this.b[q] !== 40 || !this.functionTypeAt(q)) return false
    return true
  }

  private tupleType(want: boolean): number {
    const parts: Array<number> = []
    const { plainExtends } = this
    this.plainExtends = false
    this.next()
    while (!this.at(93) && !this.at(tEof)) {
      const at = this.ts
      const spread = this.eat(tSpread)
      if (this.at(tName)) {
        const q = this.after(this.te)
        const c = this.b[q]
        if (c === 58 || (c === 63 && this.b[this.after(q + 1)] === 58)) {
          this.next()
          this.eat(63)
          this.next()
        }
      }
      const part = this.type(want)
      this.eat(63)
      if (want && !spread) parts.push(part < 0 ? this.unknown() : part)
      if (this.eat(44)) continue
      if (!this.at(93)) {
        if (this.ts === at || this.at(41) || this.at(125) || this.at(59)) break
        this.builder.addParseError()
        break
      }
    }
    this.plainExtends = plainExtends
    this.eat(93)
    return want ? this.builder.withArguments(Op.tuple, 0, parts) : -1
  }

  private templateType(): void {
    const { b, n, plainExtends } = this
    this.plainExtends = false
    let q = this.ts + 1
    for (;;) {
      const c = b[q]!
      if (q >= n) break
      if (c === 96) {
        q++
        break
      }
      if (c === 92) q += 2
      else if (c === 36 && b[q + 1] === 123) {
        this.jump(q + 2)
        this.type(false)
        q = this.substitutionEnd()
      } else q++
    }
    this.plainExtends = plainExtends
    this.jump(q)
  }
  /** Behind a substitution of a template: offset at which its text goes on. */
  substitutionEnd(): number {
    if (this.at(125)) return this.te
    if (this.at(tEof)) return this.n
    this.builder.addParseError()
    const end = this.closerFrom(this.ts)
    return Math.min(end + 1, this.n)
  }

  private objectType(membersOf: number, want: boolean): number {
    const { builder, inferDepth, plainExtends, typeRole } = this
    this.plainExtends = false
    let type = -1
    if (this.mappedAt(this.te)) {
      this.next()
      builder.openScope()
      while (!this.at(91) && !this.at(tEof)) this.next()
      this.next()
      const { name } = this
      this.next()
      if (this.at(tName) && this.says(kIn)) this.next()
      const range = this.instance(this.type(true))
      const key = this.typeParameter(name, range)
      builder.bindLocal(name, key, 0, Space.type)
      if (this.eatWord(kAs)) this.type(true)
      this.eat(93)
      if (this.at(43) || this.at(45)) this.next()
      this.eat(63)
      const member = this.eat(58) ? this.instance(this.type(true)) : -1
      if (want && range >= 0 && member >= 0) type = builder.withArguments(Op.mapped, 0, [key, range, member])
      while (this.at(59) || this.at(44)) this.next()
      builder.closeScope()
      this.closeBrace()
    } else if (membersOf >= 0) {
      const { current } = builder
      builder.current = membersOf
      type = this.recordOf(this.typeMembers(true))
      builder.current = current
    } else {
      const parts = this.typeMembers(false)
      if (want) type = this.recordOf(parts)
    }
    this.inferDepth = inferDepth
    this.plainExtends = plainExtends
    this.typeRole = typeRole
    return type
  }
  /** The object type with these members and call signatures, -1 without any. */
  protected recordOf(parts: ReadonlyArray<number>): number {
    return parts.length === 0 ? -1 : this.builder.withArguments(Op.record, 0, parts)
  }
  /** Ends at `}`, skipping what could not be read. */
  protected closeBrace(): void {
    if (!this.at(125) && !this.at(tEof)) {
      this.builder.addParseError()
      this.jump(this.closerFrom(this.ts))
    }
    this.eat(125)
  }
  /** Ends at the closing bracket, skipping what could not be read. */
  protected closeBracket(closer: number): void {
    if (!this.at(closer) && !this.at(tEof)) {
      this.builder.addParseError()
      const end = this.closerFrom(this.ts)
      if (this.b[end] !== closer) return
      this.jump(end)
    }
    this.eat(closer)
  }

  private mappedAt(q: number): boolean {
    const { b } = this
    q = this.after(q)
    if (b[q] === 43 || b[q] === 45) q = this.after(q + 1)
    if (b[q] === 114 && this.wordNumber(q) === kReadonly) q = this.after(this.wordEnd(q))
    if (b[q] !== 91) return false
    q = this.after(q + 1)
    const end = this.wordEnd(q)
    if (end === q) return false
    return this.wordNumber(this.after(end)) === kIn
  }

  /**
   * `{ … }` of an interface or object type, the current token being `{`. Gives its call signatures, and its members
   * where they are not defined.
   */
  typeMembers(define: boolean): ReadonlyArray<number> {
    const { builder } = this
    const parts: Array<number> = []
    this.next()
    while (!this.at(125) && !this.at(tEof)) {
      const at = this.ts
      if (this.at(59) || this.at(44)) this.next()
      else this.memberSignature(define, parts)
      if (this.ts === at && !this.at(125)) {
        builder.addParseError()
        this.next()
      }
    }
    this.eat(125)
    return parts
  }

  private memberSignature(define: boolean, parts: Array<number>): void {
    const { builder, docEnd, docStart, ts: start } = this
    let flags = 0
    let accessor = false
    // Modifiers, unless the word is the name itself.
    while (
      this.at(tName) &&
      (this.says(kReadonly) || this.says(kGet) || this.says(kSet) || this.says(kAccessor))
    ) {
      const q = this.after(this.te)
      const c = this.b[q]!
      if (
        c === 40 ||
        c === 58 ||
        c === 63 ||
        c === 59 ||
        c === 44 ||
        c === 125 ||
        c === 60 ||
        (this.crossed && !this.says(kReadonly))
      )
        break
      if (this.says(kReadonly)) flags |= Flag.readonly
      else if (this.says(kGet)) flags |= Flag.getter
      else if (this.says(kSet)) flags |= Flag.setter
      accessor = this.says(kGet) || this.says(kSet)
      this.next()
    }
    // Call and construct signatures.
    if (this.at(40) || this.at(60)) {
      parts.push(this.signatureRest(-1))
      return
    }
    if (this.at(tName) && this.says(kNew)) {
      const q = this.after(this.te)
      const c = this.b[q]
      if (c === 40 || c === 60) {
        this.next()
        parts.push(this.signatureRest(-1, 1 << 17))
        return
      }
    }
    const nameAt = this.ts
    let name = 0
    if (this.at(91)) {
      // Index signature or computed key.
      const q = this.after(this.te)
      const end = this.wordEnd(q)
      if (end > q && this.b[this.after(end)] === 58) {
        builder.openScope()
        this.next()
        builder.bindLocal(this.name)
        this.next()
        this.next()
        this.typeAs(Role.type, false)
        this.eat(93)
        builder.closeScope()
        if (this.eat(58)) {
          const type = this.instance(this.typeAs(Role.field_type, true))
          if (type >= 0) parts.push(builder.expression(Op.property, type, 0))
        }
        return
      }
      name = this.propertyKey()
    } else if (this.at(tName) || this.at(tString) || this.at(tNumber) || this.at(tPrivate)) {
      name = this.propertyKey()
    } else return
    if (this.eat(63)) flags |= Flag.optional
    if (this.at(40) || this.at(60)) {
      if (!define) {
        parts.push(builder.expression(Op.property, this.signatureRest(-1), name))
        return
      }
      const kind = accessor ? kindNumber.property : kindNumber.method
      const definition = builder.openDefinition(kind, name, nameAt, start, flags | Flag.exported)
      this.document(definition, docStart, docEnd)
      this.signatureRest(definition)
      builder.setSignature(definition, start, this.prevEnd)
      builder.closeDefinition(this.prevEnd)
      return
    }
    if (!define) {
      const type = this.eat(58) ? this.instance(this.typeAs(Role.field_type, true)) : -1
      parts.push(builder.expression(Op.property, type, name))
      return
    }
    const callable = this.at(58) && this.functionTypeStarts(this.te)
    const definition = builder.openDefinition(
      callable ? kindNumber.method : kindNumber.property,
      name,
      nameAt,
      start,
      flags | Flag.exported
    )
    this.document(definition, docStart, docEnd)
    if (this.eat(58)) {
      if (callable) this.functionTypeOf(definition)
      else {
        if (this.at(123)) this.membersOf = definition
        const type = this.typeAs(Role.field_type, true)
        this.membersOf = -1
        builder.setType(definition, this.instance(type))
      }
    }
    builder.setSignature(definition, start, this.prevEnd)
    builder.closeDefinition(this.prevEnd)
  }

  /** `<T>(…): R` of a signature: of the definition, if one is given; else gives the signature. */
  private signatureRest(definition: number, how = 0): number {
    const { builder, inferDepth } = this
    builder.openScope(Scope.block)
    const generics = this.typeParameters()
    let takes: ReadonlyArray<number> | undefined
    let arity = 0
    if (this.at(40)) {
      takes = this.parameters(definition, -2)
      arity = this.arityRead
      this.generic(definition, generics, this.thisTaken)
    }
    const result = this.eat(58) ? this.instance(this.typeAs(Role.return_type, true)) : -1
    this.inferDepth = inferDepth
    builder.closeScope()
    if (definition < 0)
      return builder.expression(
        Op.signature,
        builder.withArguments(Op.callable, result, takes ?? []),
        arity | how,
        generics.length === 0 ? 0 : builder.withArguments(Op.tuple, 0, generics) + 1
      )
    builder.setType(definition, result)
    return -1
  }
  /** What the parameter list read last declares `this` to be, -1 for nothing. */
  protected thisTaken = -1
  /** Number of parameters of the parameter list read last, as in {@link D.parameters}. */
  protected arityRead = 0
}
const noParts: ReadonlyArray<number> = []
