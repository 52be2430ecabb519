/** Expressions: uses of names and members, calls, functions, object literals, patterns and JSX. */
import { Space } from "../FactsBuilder.ts"
import { Bind, Flag, ImportFlag, kindNumber, Mark, Op, ResultUse, Role } from "../Vocabulary.ts"
import {
  namePart,
  startsName,
  tAnd,
  tAssign,
  tChain,
  tEof,
  tName,
  tNullish,
  tNumber,
  tOperator,
  tOr,
  tPrivate,
  tSpread,
  tStep,
  tString
} from "./Lexer.ts"
import {
  deepest,
  expectArgument,
  lArray,
  lBoolean,
  lNumber,
  lRegExp,
  lString,
  thisUnknown,
  vExpression,
  vLiteral,
  vMember,
  vName,
  vUnknown
} from "./Reader.ts"
import { rootMeta, rootThis } from "./Functions.ts"
import type { Condition, Narrowed } from "./Narrowing.ts"
import { ObjectReader } from "./Objects.ts"
import {
  kAs,
  kAsync,
  kAwait,
  kClass,
  kConst,
  kDelete,
  kFalse,
  kFunction,
  kImport,
  kIn,
  kInstanceof,
  kNew,
  kNull,
  kSatisfies,
  kSuper,
  kThis,
  kTrue,
  kTypeof,
  kVoid,
  kYield,
  lastReserved
} from "./Words.ts"

/** A member of a lexical name. */
export interface MemberRead {
  readonly name: number
  readonly at: number
  readonly key: number
}

export abstract class ExpressionReader extends ObjectReader {
  /** A test runner is imported, or the path is one of tests. */
  protected testFile = false

  // ---- operators --------------------------------------------------------------------------------

  /** Expressions separated by commas. */
  expression(want: boolean): void {
    this.assign(want)
    while (this.at(44)) {
      this.next()
      this.assign(want)
    }
  }

  assign(want: boolean): void {
    if (this.depth > deepest) {
      this.expected = -1
      return this.skipRest()
    }
    this.depth++
    this.assignment(want)
    this.depth--
  }

  private assignment(want: boolean): void {
    const { b, tok } = this
    if (tok === tName) {
      if (this.kw === 0 || this.kw > lastReserved) {
        const q = this.after(this.te)
        const c = b[q]!
        if (c === 61) {
          if (b[q + 1] === 62) return this.arrow(-1, this.ts)
        } else if (this.says(kAsync) && !this.crossed) {
          if (
            c === 40
              ? this.arrowParameters(q)
              : c === 60
                ? this.genericArrow(q)
                : startsName(c) && this.functionAt(this.ts) && this.wordNumber(q) !== kFunction
          ) {
            return this.arrow(-1, this.ts)
          }
        } else if (this.says(kYield) && this.generator) return this.yielded(want)
      }
    } else if (tok === 40 ? this.arrowParameters(this.ts) : tok === 60 && this.genericArrow(this.ts))
      return this.arrow(-1, this.ts)
    const { expected, ts } = this
    this.unary(want)
    this.binaryRest(want, expected)
    switch (this.token) {
      case 61: {
        const name = this.narrowed.size > 0 && this.vk === vName && this.vw === 0 ? this.va : 0
        this.assigned(want, ts)
        this.when = undefined
        if (name > 0) this.reassigned(name)
        return
      }
      case tAssign:
        if (this.plainRef >= 0) this.builder.setRole(this.plainRef, Role.write)
        if (this.isLogical(this.ts)) this.builder.branch()
        this.next()
        this.assign(want)
        this.plainRef = this.callRef = -1
        this.when = undefined
        return
      case 63:
        return this.choice(want, expected)
    }
  }

  /** Whether the compound assignment at an offset is `&&=`, `||=` or `??=`, whose right side may be left out. */
  private isLogical(at: number): boolean {
    const c = this.b[at]!
    return this.b[at + 1] === c && (c === 38 || c === 124 || c === 63)
  }

  /**
   * What the literal that starts here is said to be behind it, by `satisfies` or `as` with a plain type name: an
   * expression for the value, -1 when there is none.
   */
  protected typeBehind(): number {
    if (!this.types || !(this.at(123) || this.at(91) || this.at(40))) return -1
    const end = this.literalEnd(this.ts)
    if (end < 0) return -1
    let q = this.after(end)
    if (this.b[q] !== 97 && this.b[q] !== 115) return -1
    const word = this.wordNumber(q)
    if (this.crossed || (word !== kAs && word !== kSatisfies)) return -1
    q = this.after(this.wordEnd(q))
    if (!startsName(this.b[q]!) || this.wordNumber(q) !== 0) return -1
    const { builder } = this
    const at = q
    q = this.wordEnd(q)
    let type = builder.nameExpression(builder.name(at, q), at, Space.type)
    while (this.b[q] === 46 && startsName(this.b[q + 1]!)) {
      const from = q + 1
      q = this.wordEnd(from)
      type = builder.expression(Op.member, type, builder.name(from, q))
    }
    return this.instance(type)
  }

  private yielded(want: boolean): void {
    this.expected = -1
    this.next()
    this.forget()
    if (this.nl) return
    switch (this.token) {
      case 41:
      case 93:
      case 125:
      case 44:
      case 59:
      case 58:
      case tEof:
        return
    }
    const star = this.eat(42)
    this.assign(want)
    if (this.callRef >= 0) this.builder.setUse(this.callRef, ResultUse.awaited)
    this.callRef = this.plainRef = -1
    if (!star) this.forget()
    else if (this.types) {
      const of = this.value()
      this.setExpression(of < 0 ? -1 : this.builder.expression(Op.delegated, of))
    } else this.wrapUnwrap()
  }

  private choice(want: boolean, expected: number): void {
    let all = -1
    const outer: Array<Narrowed> = []
    // Chains of conditionals are read in a loop.
    while (this.at(63)) {
      const { when } = this
      this.builder.branch()
      if (this.callRef >= 0) this.builder.setUse(this.callRef, ResultUse.condition)
      this.next()
      const { conditional } = this
      this.conditional = true
      this.expected = expected
      const names = this.narrow(when?.yes)
      this.assign(want)
      this.widen(names)
      this.conditional = conditional
      if (want) all = this.either(all, this.value())
      if (!this.eat(58)) break
      if (when !== undefined && when.no.length > 0) outer.push(this.narrow(when.no))
      this.expected = expected
      if (this.at(40) && this.arrowParameters(this.ts)) {
        this.assign(want)
        break
      }
      const { ts } = this
      if (this.depth > deepest) {
        this.expected = -1
        this.skipRest()
        break
      }
      if (this.at(tName) && this.startsFunction()) {
        this.assign(want)
        break
      }
      this.unary(want)
      this.binaryRest(want, expected)
      if (this.at(61)) this.assigned(want, ts)
      else if (this.at(tAssign)) {
        this.next()
        this.assign(want)
      }
    }
    if (want) {
      all = this.either(all, this.value())
      this.setExpression(all)
    }
    while (outer.length > 0) this.widen(outer.pop()!)
    this.when = undefined
    this.callRef = this.plainRef = -1
  }
  private startsFunction(): boolean {
    return (
      (this.kw === 0 || this.kw > lastReserved || this.says(kFunction)) &&
      (this.functionAt(this.ts) || (this.says(kYield) && this.generator))
    )
  }
  private either(a: number, b: number): number {
    return a < 0 ? b : b < 0 || a === b ? a : this.builder.expression(Op.union, a, b)
  }

  /** Operators behind an operand; `expected` is what the whole is expected to be. */
  private binaryRest(want: boolean, expected: number): void {
    let names: Array<Narrowed> | undefined
    /** What the operands before the one read last tell together, and how they are joined. */
    let told: Condition | undefined
    let joined = 0
    let mixed = false
    reading: for (;;) {
      switch (this.token) {
        case tAnd:
        case tOr:
        case tNullish: {
          const { tok, when } = this
          // A condition behind another operator is told of on its own only.
          if (joined === tOr && tok === tAnd) mixed = true
          else told = joined === 0 ? when : this.together(joined, told, when)
          if (joined === tAnd && tok !== tAnd)
            while (names !== undefined && names.length > 0) this.widen(names.pop()!)
          if (tok === tNullish) mixed = true
          joined = tok
          const and = this.at(tAnd)
          this.builder.branch()
          if (this.callRef >= 0) this.builder.setUse(this.callRef, ResultUse.condition)
          const left = want && !and ? this.value() : -1
          this.next()
          this.when = undefined
          if (when !== undefined && tok !== tNullish)
            (names ??= []).push(this.narrow(and ? when.yes : when.no))
          this.expected = expected
          this.unary(want)
          if (left >= 0) this.setExpression(this.either(left, this.value()))
          else if (!want) this.forget()
          this.callRef = this.plainRef = -1
          continue
        }
        case tOperator:
          if (this.compared()) continue
          this.next()
          break
        case 42:
        case 43:
        case 45:
        case 37:
        case 94:
        case 38:
        case 124:
          this.next()
          break
        case 47:
          if (this.b[this.te] === 61) {
            this.tok = tAssign
            this.p = this.te = this.te + 1
            break reading
          }
          this.next()
          break
        case 60:
        case 62: {
          const { b, tok } = this
          let q = this.te
          while (b[q] === tok && q - this.ts < 3) q++
          if (b[q] === 61) {
            const shift = q - this.ts > 1
            q++
            if (shift) {
              this.tok = tAssign
              this.p = this.te = q
              break reading
            }
          }
          this.jump(q)
          break
        }
        case tName:
          if (this.says(kIn) || this.says(kInstanceof)) {
            const test = this.says(kInstanceof)
            const { pathRoot, pathRootAt } = this
            const named = test && this.isNameRead()
            const key = !test && this.textEnd === this.prevEnd ? this.text : 0
            this.next()
            this.unary(false)
            if (test && this.plainRef >= 0) this.builder.setRole(this.plainRef, Role.type)
            this.when = undefined
            if (named) {
              const type = this.vk === vName || this.vk === vMember ? this.value() : -1
              if (type >= 0) this.testedAs(pathRoot, pathRootAt, this.instance(type), true)
            } else if (key > 0 && this.isNameRead()) this.testedKey(this.pathRoot, this.pathRootAt, key)
            this.setLiteral(lBoolean)
            continue
          }
          if ((this.says(kAs) || this.says(kSatisfies)) && !this.nl && this.types) {
            const as = this.says(kAs)
            this.next()
            const { callRef, va, vb, vk, vw } = this
            if (this.at(tName) && this.says(kConst)) this.next()
            else {
              const type = this.typeAs(Role.type, want && as)
              if (as && type >= 0) {
                this.setExpression(this.instance(type))
                this.callRef = callRef
                continue
              }
            }
            this.vk = vk
            this.va = va
            this.vb = vb
            this.vw = vw
            this.callRef = callRef
            this.plainRef = -1
            continue
          }
          break reading
        default:
          break reading
      }
      this.unary(false)
      this.forget()
      this.when = undefined
    }
    if (joined === 0) return
    this.when = mixed ? undefined : this.together(joined, told, this.when)
    while (names !== undefined && names.length > 0) this.widen(names.pop()!)
  }
  private together(
    joined: number,
    a: Condition | undefined,
    b: Condition | undefined
  ): Condition | undefined {
    return joined === tAnd ? this.both(a, b) : this.one(a, b)
  }

  /** The expression read last is a name and nothing else. */
  private isNameRead(): boolean {
    return this.vk === vName && this.vw === 0 && this.pathLength === 0 && this.pathRoot === this.va
  }
  /** The member of a name that the expression read last consists of. */
  protected memberRead(): MemberRead | undefined {
    return this.vk === vMember && this.vw === 0 && this.pathLength === 1 && this.pathRoot > 0
      ? { name: this.pathRoot, at: this.pathRootAt, key: this.path1 }
      : undefined
  }
  /** Where the text read last ends, and what it says. */
  private textEnd = -1
  private text = 0
  /** Where `typeof` of a name ends. */
  private typeofEnd = -1

  /** At an operator that may compare what was read with a text; false when it is any other. */
  private compared(): boolean {
    const { b, ts } = this
    const equal = b[ts] === 61
    if (!(equal || b[ts] === 33) || !this.types) return false
    const member = this.memberRead()
    const typeOf = this.typeofEnd === this.prevEnd
    if (member === undefined && !typeOf) return false
    const { pathRoot, pathRootAt } = this
    this.next()
    if (!this.at(tString)) {
      this.unary(false)
      this.forget()
      this.when = undefined
      return true
    }
    const { memberName } = this
    this.unary(false)
    const plain = this.textEnd === this.prevEnd
    this.forget()
    this.when = undefined
    if (!plain) return true
    if (typeOf) this.testedAs(pathRoot, pathRootAt, this.builder.expression(Op.literal, memberName), equal)
    else if (member !== undefined)
      this.testedText(member.name, member.at, member.key, [this.textOf(memberName)], equal)
    return true
  }

  private unary(want: boolean): void {
    if (this.depth > deepest) {
      this.expected = -1
      return this.skipRest()
    }
    switch (this.token) {
      case 33:
      case 126:
      case 43:
      case 45:
      case tStep: {
        const { tok } = this
        this.expected = -1
        this.next()
        this.depth++
        this.unary(false)
        this.depth--
        if (tok === tStep && this.plainRef >= 0) this.builder.setRole(this.plainRef, Role.write)
        if (this.callRef >= 0 && tok === 33) this.builder.setUse(this.callRef, ResultUse.condition)
        if (tok === 33) {
          this.negate()
          this.setLiteral(lBoolean)
        } else this.setLiteral(lNumber)
        return
      }
      case tName:
        if (this.says(kTypeof) || this.says(kVoid) || this.says(kDelete)) {
          this.expected = -1
          const typeOf = this.says(kTypeof)
          this.next()
          this.depth++
          this.unary(false)
          this.depth--
          this.when = undefined
          if (typeOf && this.isNameRead()) this.typeofEnd = this.prevEnd
          return this.forget()
        }
        if (this.says(kAwait) && this.awaits()) {
          this.expected = -1
          this.next()
          this.depth++
          this.unary(want)
          this.depth--
          if (this.callRef >= 0) this.builder.setUse(this.callRef, ResultUse.awaited)
          this.callRef = this.plainRef = -1
          return this.wrapUnwrap()
        }
        break
      case 60:
        if (!this.jsx && this.types) {
          const parts = this.typeArguments(true)
          if (parts.length === 1) this.expected = this.instance(parts[0]!)
          this.depth++
          this.unary(want && parts.length === 0)
          this.depth--
          if (want && parts.length === 1) this.setExpression(this.instance(parts[0]!))
          return
        }
        break
    }
    this.postfix()
  }
  private awaits(): boolean {
    const q = this.after(this.te)
    const c = this.b[q]!
    if (startsName(c)) {
      const word = this.wordNumber(q)
      return word !== kIn && word !== kInstanceof && (word !== kAs || !this.types)
    }
    return (
      namePart[c] === 1 ||
      c === 40 ||
      c === 91 ||
      c === 123 ||
      c === 34 ||
      c === 39 ||
      c === 96 ||
      c === 33 ||
      c === 47 ||
      (c === 60 && this.jsx)
    )
  }

  /** At `=`, the target just read. */
  protected abstract assigned(want: boolean, start: number): void

  /** Goes on behind a literal or class that was read as a value of its own: `as const`, members, operators. */
  protected afterLiteral(): void {
    if (this.at(44) || this.at(59) || this.at(125) || this.at(tEof)) return
    this.pathLength = -1
    this.postfixRest(this.ts, 0)
    this.binaryRest(false, -1)
    if (this.at(63)) this.choice(false, -1)
  }

  // ---- members, calls ---------------------------------------------------------------------------

  protected postfix(): void {
    const start = this.ts
    this.when = undefined
    this.primary()
    this.postfixRest(start, this.vk === vName && this.vw === 0 ? this.va : 0)
  }
  private postfixRest(start: number, root: number): void {
    /** The members between the root and here are those of a test runner. */
    let tests = root !== 0
    let lastMember = 0
    for (;;) {
      switch (this.token) {
        case 46: {
          this.next()
          if (!this.at(tName) && !this.at(tPrivate)) {
            this.pathLength = -1
            this.forget()
            continue
          }
          lastMember = this.name
          tests = tests && this.known.modifiers.has(lastMember)
          this.member(lastMember)
          continue
        }
        case tChain:
          this.next()
          this.pathLength = -1
          if (this.at(tName) || this.at(tPrivate)) {
            lastMember = this.name
            tests = false
            this.member(lastMember)
            this.pathLength = -1
          } else if (this.at(40)) this.call(0, start, lastMember)
          else if (this.at(91)) this.index()
          else if (this.at(96)) this.tagged()
          else if (this.at(60)) this.quietTypeArguments()
          continue
        case 91:
          this.index()
          tests = false
          continue
        case 40:
          this.call(tests ? root : 0, start, lastMember)
          lastMember = 0
          continue
        case 96:
          this.tagged()
          continue
        case 33:
          if (this.nl || !this.types) return
          this.next()
          continue
        case tStep:
          if (this.nl) return
          if (this.plainRef >= 0) this.builder.setRole(this.plainRef, Role.write)
          this.next()
          this.setLiteral(lNumber)
          this.pathLength = -1
          return
        case 60:
          if (this.types && !this.heritage && this.typeArgumentsIn(this.ts, false)) {
            this.givenTypeArguments()
            continue
          }
          if (this.heritage && this.types) {
            const q = this.typeArgumentsEnd(this.ts)
            if (q >= 0 && this.b[this.after(q)] === 40) {
              this.membersOf = this.heritageOf
              this.givenTypeArguments()
              continue
            }
          }
          return
        default:
          return
      }
    }
  }
  /** Type arguments of the function read last. */
  private givenTypeArguments(): void {
    const { callRef, plainRef, va, vb, vk, vw } = this
    const parts = this.typeArguments(true)
    this.vk = vk
    this.va = va
    this.vb = vb
    this.vw = vw
    const of = this.value()
    if (of >= 0 && parts.length > 0) this.setExpression(this.builder.withArguments(Op.generic, of, parts))
    this.callRef = callRef
    this.plainRef = plainRef
  }
  private quietTypeArguments(): void {
    const { callRef, plainRef, va, vb, vk, vw } = this
    this.typeArguments(false)
    this.vk = vk
    this.va = va
    this.vb = vb
    this.vw = vw
    this.callRef = callRef
    this.plainRef = plainRef
  }

  private member(name: number): void {
    const { builder, ts: at } = this
    const of = this.receiver()
    this.when = undefined
    this.plainRef = builder.memberReference(of, name, at, Role.read)
    this.callRef = -1
    this.vk = vMember
    this.va = of
    this.vb = name
    this.vw = 0
    if (this.pathLength >= 0) {
      if (this.pathLength === 0) this.path1 = name
      else if (this.pathLength === 1) {
        this.path2 = name
        if (
          this.path1 === this.known.env &&
          (this.pathRoot === this.known.process || this.pathRoot === rootMeta)
        ) {
          builder.mark(Mark.env, at, this.te)
        }
      }
      this.pathAt = at
      this.pathLength = this.pathLength >= 2 ? -1 : this.pathLength + 1
    }
    this.next()
  }

  private index(): void {
    const { conditional, va, vb, vk, vw, pathLength, pathRoot, path1 } = this
    this.when = undefined
    this.next()
    if (this.at(tString) && pathLength === 1 && path1 === this.known.env && pathRoot === this.known.process) {
      this.builder.mark(Mark.env, this.ts + 1, this.te - 1)
    }
    if (this.at(tString) && this.following === 93 && vk !== vUnknown) {
      const { memberName, ts: at } = this
      this.next()
      this.closeBracket(93)
      this.vk = vk
      this.va = va
      this.vb = vb
      this.vw = vw
      const of = this.receiver()
      this.plainRef = this.builder.memberReference(of, memberName, at + 1, Role.read)
      this.callRef = -1
      this.vk = vMember
      this.va = of
      this.vb = memberName
      this.vw = 0
      this.pathLength = -1
      return
    }
    this.conditional = false
    if (!this.at(93)) this.expression(false)
    this.conditional = conditional
    this.closeBracket(93)
    this.vk = vk
    this.va = va
    this.vb = vb
    this.vw = vw
    this.wrapElement()
    this.callRef = this.plainRef = -1
    this.pathLength = -1
  }
  private tagged(): void {
    const { plainRef, va, vb, vk, vw } = this
    const parts = this.template()
    this.vk = vk
    this.va = va
    this.vb = vb
    this.vw = vw
    this.wrapCall()
    if (plainRef >= 0) this.builder.setCall(plainRef, Role.call, parts + 1)
    this.callRef = plainRef
    this.plainRef = -1
    this.pathLength = -1
  }

  /** At `(`. `test` is the name of the test function called, 0 for any other. */
  private call(test: number, start: number, method: number): void {
    const { builder, known, plainRef, va, vb, vk, vw } = this
    const isTest = test !== 0 && known.tests.has(test) && this.testTitle(test)
    let route = -1
    let routeEnd = -1
    if (method !== 0 && known.routes.has(method) && this.b[this.te] !== 41) {
      const q = this.after(this.te)
      const c = this.b[q]
      if ((c === 34 || c === 39 || c === 96) && this.b[q + 1] === 47) {
        route = q + 1
        routeEnd = c === 96 ? this.b.indexOf(96, q + 1) : this.stringEnd(q) - 1
      }
    }
    if (isTest) {
      const q = this.after(this.te)
      const end = this.b[q] === 96 ? this.plainTemplateEnd(q) : this.stringEnd(q)
      let cut = Math.min(end - 1, q + 121)
      while (cut > q + 1 && (this.b[cut]! & 0xc0) === 0x80) cut--
      const definition = builder.openDefinition(
        kindNumber.test,
        builder.name(q + 1, cut),
        q + 1,
        start,
        Flag.test | this.localFlag
      )
      builder.setSignature(definition, start, end)
    }
    const required = vk === vName && vw === 0 && va === known.require ? this.moduleArgument() : 0
    const requiredAt = this.after(this.te)
    const exportsAll = vk === vName && vw === 0 && va === known.exportStar
    const count = this.args()
    const made = this.callMade
    if (isTest) builder.closeDefinition(this.prevEnd)
    if (route >= 0 && routeEnd > route && (count > 1 || method === this.routeName))
      builder.mark(Mark.route, route, routeEnd)
    if (exportsAll && this.lastRequireModule !== 0 && !this.inFunction)
      this.republishAll(this.lastRequireModule, start)
    if (plainRef >= 0) builder.setCall(plainRef, Role.call, count)
    if (required !== 0) {
      const index = builder.import(
        required,
        0,
        0,
        ImportFlag.namespace | (this.inFunction ? ImportFlag.dynamic : 0),
        requiredAt
      )
      this.lastRequire = index
      this.lastRequireModule = required
      this.setExpression(builder.expression(Op.name, required, Bind.import, index))
    } else {
      this.vk = vk
      this.va = va
      this.vb = vb
      this.vw = vw
      if (made >= 0) this.setExpression(made)
      else this.wrapCall()
      this.when = undefined
      if (made >= 0 && this.firstName > 0) this.testedAs(this.firstName, this.firstNameAt, made, true)
    }
    this.callRef = plainRef
    this.plainRef = -1
    this.pathLength = -1
  }
  private get routeName(): number {
    return this.routeWord === 0 || this.routeOf !== this.known
      ? ((this.routeOf = this.known), (this.routeWord = this.builder.nameOf("route")))
      : this.routeWord
  }
  private routeWord = 0
  private routeOf: unknown = undefined
  /** The module required last, as an import and by name. */
  protected lastRequire = -1
  protected lastRequireModule = 0
  abstract republishAll(module: number, at: number): void

  /** Module of `require("module")` at `(`, 0 when its argument is anything but a plain string. */
  private moduleArgument(): number {
    const q = this.after(this.te)
    const c = this.b[q]
    if (c !== 34 && c !== 39) return 0
    const end = this.stringEnd(q)
    return this.b[this.after(end)] === 41 ? this.builder.name(q + 1, end - 1) : 0
  }
  /** End of a template without substitutions at `q`, or of its first text. */
  private plainTemplateEnd(q: number): number {
    const { b, n } = this
    for (let i = q + 1; i < n; i++) {
      if (b[i] === 92) i++
      else if (b[i] === 96) return i + 1
    }
    return n
  }
  /** Whether the call at `(` is a test: a literal title, then more. */
  private testTitle(test: number): boolean {
    const { b } = this
    const q = this.after(this.te)
    const c = b[q]
    if (c !== 34 && c !== 39 && c !== 96) return false
    const end = c === 96 ? this.plainTemplateEnd(q) : this.stringEnd(q)
    const r = this.after(end)
    if (b[r] !== 44) return false
    return this.testFile || (this.known.tests.get(test) === true && this.functionAt(r + 1))
  }

  /** `( … )` of a call of the expression read last; gives the number of arguments. */
  private args(): number {
    const { builder, calleeA, calleeB, calleeCall, calleeKind, calleePlace, calleeWraps } = this
    const { conditional, heritage, heritageOf } = this
    this.conditional = false
    this.heritage = false
    this.heritageOf = -1
    const literal =
      this.vw === 0 &&
      (this.vk === vLiteral || (this.vk === vExpression && builder.operatorOf(this.va) === Op.callable))
    let place = this.vk === vUnknown || literal ? -1 : 0
    this.calleeKind = place < 0 ? vUnknown : this.vk
    this.calleeA = this.va
    this.calleeB = this.vb
    this.calleeWraps = this.vw
    this.calleeCall = -1
    const given: Array<number> | undefined = this.types && place === 0 ? [-1] : undefined
    this.next()
    let count = 0
    let firstName = 0
    let firstNameAt = 0
    while (!this.at(41) && !this.at(tEof)) {
      const at = this.ts
      // Behind a spread, places are unknown.
      if (this.eat(tSpread)) place = -1
      if (place >= 0) {
        this.calleePlace = place++
        this.expected = expectArgument
      }
      this.assign(given !== undefined && place >= 0)
      if (count === 0 && this.isNameRead()) {
        firstName = this.va
        firstNameAt = this.vb
      }
      count++
      if (given !== undefined && place >= 0) {
        const value = this.value()
        given.push(value)
        if (builder.takesContext(value)) builder.setContext(value, this.expectedArgument())
      }
      if (this.callRef >= 0) this.builder.setUse(this.callRef, ResultUse.argument)
      if (this.at(44)) {
        this.next()
        continue
      }
      if (this.at(41)) break
      this.builder.addParseError()
      if (this.at(125) || this.at(93)) break
      if (this.ts === at) this.next()
    }
    this.eat(41)
    this.callMade = -1
    this.firstName = firstName
    this.firstNameAt = firstNameAt
    if (given !== undefined && given.length > 1) {
      if (this.calleeCall < 0) this.expectedArgument()
      this.callMade = this.calleeCall
      builder.setArguments(this.callMade, given)
    }
    this.calleeCall = calleeCall
    this.conditional = conditional
    this.heritage = heritage
    this.heritageOf = heritageOf
    this.calleeKind = calleeKind
    this.calleeA = calleeA
    this.calleeB = calleeB
    this.calleeWraps = calleeWraps
    this.calleePlace = calleePlace
    return count
  }

  /** The name that is the first argument read last, 0 when that is anything else. */
  private firstName = 0
  private firstNameAt = 0
  /** The call whose arguments were read last, -1 where nothing is told of them. */
  private callMade = -1

  // ---- primaries --------------------------------------------------------------------------------

  private primary(): void {
    this.pathLength = -1
    const { tok } = this
    // Only literals of functions, objects and arrays look at what is expected of them.
    if (tok === tName ? !this.says(kFunction) && !this.says(kAsync) : tok !== 40 && tok !== 91 && tok !== 123)
      this.expected = -1
    switch (tok) {
      case tName:
        return this.word()
      case tNumber:
        this.next()
        return this.setLiteral(lNumber)
      case tString:
        this.markText(this.ts + 1, this.te - 1)
        if (this.types) this.text = this.memberName
        this.next()
        this.textEnd = this.prevEnd
        return this.setLiteral(lString)
      case 96:
        this.template()
        return this.setLiteral(lString)
      case 47:
        this.jump(this.regexEnd(this.ts))
        return this.setLiteral(lRegExp)
      case 40: {
        const { conditional, heritage } = this
        this.conditional = false
        this.heritage = false
        this.next()
        if (this.at(41)) {
          this.expected = -1
          this.forget()
        } else this.expression(true)
        this.conditional = conditional
        this.heritage = heritage
        this.pathLength = -1
        return this.closeBracket(41)
      }
      case 91:
        return this.array()
      case 123:
        return this.object(-1, 0, false)
      case 60:
        if (this.jsx) {
          this.jump(this.element())
          return this.forget()
        }
        return this.forget()
      case tPrivate:
        this.builder.memberReference(this.unknown(), this.name, this.ts, Role.read)
        this.next()
        return this.forget()
      case 64:
        this.decorators()
        if (this.at(tName) && this.says(kClass)) return this.classValue(-1, this.ts)
        return this.forget()
      default:
        return this.forget()
    }
  }

  private word(): void {
    const { builder } = this
    switch (this.kw) {
      case kFunction:
        return this.functionValue(-1, this.ts, thisUnknown, -1)
      case kClass:
        return this.classValue(-1, this.ts)
      case kNew:
        return this.newExpression()
      case kThis:
        this.setExpression(this.thisKind === thisUnknown ? -1 : this.thisValueExpression())
        this.pathLength = 0
        this.pathRoot = rootThis
        this.pathRootAt = this.ts
        return this.next()
      case kSuper: {
        const at = this.ts
        const of = this.classDef >= 0 ? builder.expression(Op.super, this.classDef) : this.unknown()
        this.next()
        if (this.at(40)) {
          this.plainRef = builder.memberReference(of, this.known.constructor, at, Role.call)
          this.callRef = -1
          this.vk = this.classDef >= 0 ? vMember : vUnknown
          this.va = of
          this.vb = this.known.constructor
          this.vw = 0
        } else this.setExpression(of)
        return
      }
      case kNull:
        this.next()
        return this.forget()
      case kTrue:
      case kFalse:
        this.next()
        return this.setLiteral(lBoolean)
      case kImport:
        return this.importExpression()
      case kAsync: {
        const q = this.after(this.te)
        if (!this.crossed && this.wordNumber(q) === kFunction)
          return this.functionValue(-1, this.ts, thisUnknown, -1)
        break
      }
    }
    if (this.kw !== 0 && this.kw <= lastReserved) return this.forget()
    this.expected = -1
    const { name, ts } = this
    this.plainRef = builder.reference(name, ts, Role.read, Space.value)
    this.callRef = -1
    this.vk = vName
    this.va = name
    this.vb = ts
    this.vw = 0
    this.pathRoot = name
    this.pathRootAt = ts
    this.pathLength = 0
    this.next()
  }

  private importExpression(): void {
    const { builder } = this
    this.next()
    if (this.at(46)) {
      // import.meta
      this.next()
      this.next()
      this.forget()
      this.pathRoot = rootMeta
      this.pathLength = 0
      return
    }
    if (!this.at(40)) return this.forget()
    const module = this.dynamicModule()
    const at = this.after(this.te)
    this.forget()
    this.args()
    if (module === 0) return this.forget()
    const index = builder.import(module, 0, 0, ImportFlag.namespace | ImportFlag.dynamic, at)
    this.setExpression(builder.expression(Op.name, module, Bind.import, index))
  }
  private dynamicModule(): number {
    const q = this.after(this.te)
    const c = this.b[q]
    if (c !== 34 && c !== 39) return 0
    const end = this.stringEnd(q)
    const d = this.b[this.after(end)]
    return d === 41 || d === 44 ? this.builder.name(q + 1, end - 1) : 0
  }

  private newExpression(): void {
    const { builder } = this
    this.next()
    if (this.at(46)) {
      // new.target
      this.next()
      this.next()
      return this.forget()
    }
    if (this.depth > deepest) return this.skipRest()
    this.depth++
    // The class: members and indices, but no calls.
    if (this.at(tName) && this.says(kNew)) this.newExpression()
    else this.primary()
    let parts: ReadonlyArray<number> = []
    for (;;) {
      if (this.at(46) || this.at(tChain)) {
        this.next()
        if (!this.at(tName) && !this.at(tPrivate)) break
        this.member(this.name)
      } else if (this.at(91)) this.index()
      else if (this.at(33) && this.types && !this.nl) this.next()
      else if (this.at(60) && this.typeArgumentsIn(this.ts, false)) {
        const { plainRef, va, vb, vk, vw } = this
        parts = this.typeArguments(true)
        this.vk = vk
        this.va = va
        this.vb = vb
        this.vw = vw
        this.plainRef = plainRef
        break
      } else break
    }
    this.depth--
    const ref = this.plainRef
    if (parts.length > 0) {
      const base = this.value()
      if (base >= 0) this.setExpression(builder.withArguments(Op.generic, base, parts))
    }
    let count = 0
    if (this.at(40)) {
      const { va, vb, vk, vw } = this
      count = this.args()
      this.vk = vk
      this.va = va
      this.vb = vb
      this.vw = vw
    }
    if (ref >= 0) builder.setCall(ref, Role.new, count)
    this.wrapNew()
    this.callRef = ref
    this.plainRef = -1
    this.pathLength = -1
  }

  private array(): void {
    const { conditional } = this
    this.conditional = false
    this.next()
    let first = -1
    let empty = true
    // Made when an element asks for it.
    let given = this.expected === -1 || this.at(93) ? -1 : this.takeExpected()
    this.expected = -1
    if (given >= 0) given = this.builder.expression(Op.element, given)
    while (!this.at(93) && !this.at(tEof)) {
      if (this.eat(44)) continue
      const at = this.ts
      const spread = this.eat(tSpread)
      if (!spread) this.expected = given
      this.assign(empty)
      if (empty) {
        first = this.value()
        if (spread && first >= 0) first = this.builder.expression(Op.element, first)
        empty = false
      }
      if (this.at(44) || this.at(93)) continue
      this.builder.addParseError()
      if (this.at(125) || this.at(41)) break
      if (this.ts === at) this.next()
    }
    this.conditional = conditional
    this.eat(93)
    if (first < 0) this.setLiteral(lArray)
    else this.setExpression(this.builder.withArguments(Op.generic, this.literal(lArray), [first]))
  }

  /** A template literal at its backtick; gives the number of substitutions. */
  private template(): number {
    const { b, conditional, n } = this
    let count = 0
    let q = this.ts + 1
    let from = q
    this.conditional = false
    for (;;) {
      if (q >= n) {
        q = n
        break
      }
      const c = b[q]!
      if (c === 96) {
        if (count === 0) this.markText(from, q)
        q++
        break
      }
      if (c === 92) q += 2
      else if (c === 36 && b[q + 1] === 123) {
        if (count === 0) this.markText(from, q)
        count++
        this.jump(q + 2)
        if (!this.at(125)) this.expression(false)
        q = this.substitutionEnd()
        from = q
      } else q++
    }
    this.conditional = conditional
    this.jump(q)
    return count
  }

  // ---- decorators, classes ----------------------------------------------------------------------

  protected decorators(): void {
    while (this.at(64)) {
      this.next()
      if (this.at(40)) {
        this.next()
        this.expression(false)
        this.closeBracket(41)
        continue
      }
      if (!this.isName && !(this.at(tName) && this.says(kThis))) return
      this.primary()
      for (;;) {
        if (this.at(46)) {
          this.next()
          if (!this.at(tName) && !this.at(tPrivate)) break
          this.member(this.name)
        } else break
      }
      const ref = this.plainRef
      if (ref >= 0) this.builder.setRole(ref, Role.decorate)
      if (this.at(60) && this.types && this.typeArgumentsEnd(this.ts) >= 0) this.quietTypeArguments()
      if (this.at(40)) {
        const count = this.args()
        if (ref >= 0) this.builder.setCall(ref, Role.decorate, count)
        // A call may give the function that decorates.
        while (this.at(40) && this.b[this.ts - 1] === 41) {
          this.forget()
          this.args()
        }
      }
    }
  }
}
