/** Expressions: uses of names and members, calls, functions, object literals, patterns and JSX. */
import { Scope, Space } from "../FactsBuilder.ts"
import { Bind, Flag, ImportFlag, kindNumber, Mark, Op, ResultUse, Role } from "../Vocabulary.ts"
import {
  namePart, startsName, tAnd, tArrow, tAssign, tChain, tEof, tName, tNullish, tNumber, tOperator, tOr, tPrivate, tSpread,
  tStep, tString
} from "./Lexer.ts"
import {
  deepest, lArray, lBoolean, lFunction, lNumber, lObject, lRegExp, lString, thisClass, thisExpression, thisInstance,
  thisUnknown, vExpression, vLiteral, vMember, vName, vUnknown
} from "./Reader.ts"
import { TypeReader } from "./Types.ts"
import {
  kAccessor, kAs, kAsync, kAwait, kClass, kConst, kDelete, kExtends, kFalse, kFunction, kGet, kImport, kIn, kInstanceof, kNew,
  kNull, kOverride, kPrivate, kProtected, kPublic, kReadonly, kRequire, kSatisfies, kSet, kSuper, kThis, kTrue, kTypeof,
  kVoid, kYield, lastReserved
} from "./Words.ts"

/** Root of a member path that is `this`, and one that is `import.meta`. */
const rootThis = -1
const rootMeta = -2

// A pattern is read before the value it takes apart is known: flat records of five numbers.
const pParent = 0
const pStep = 1
const pKey = 2
const pName = 3
const pAt = 4
const patternSize = 5
const stepMember = 1
const stepElement = 2
const stepNone = 3

/** What the names of a pattern become. */
export const asLocal = 0
export const asHoisted = 1
export const asDefinition = 2

export abstract class ExpressionReader extends TypeReader {
  // The member path read last, such as module.exports.x: its root and up to two members.
  private pathRoot = 0
  private pathRootAt = 0
  /** Number of members, -1 when the expression read last is no such path. */
  private pathLength = -1
  private path1 = 0
  private path2 = 0
  private pathAt = 0

  /** An expression with type arguments may be followed by `{` or `implements`. */
  protected heritage = false
  protected readonly pattern: Array<number> = []
  /** A test runner is imported, or the path is one of tests. */
  protected testFile = false
  /** Names published through `exports`. */
  protected readonly published = new Set<number>()

  abstract publish(exported: number, local: number, at: number, definition: number): void

  // ---- operators --------------------------------------------------------------------------------

  /** Expressions separated by commas. */
  expression(want: boolean): void {
    this.assign(want)
    while (this.tok === 44) {
      this.next()
      this.assign(want)
    }
  }

  assign(want: boolean): void {
    if (this.depth > deepest) return this.skipRest()
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
        } else if (this.kw === kAsync && !this.crossed) {
          if (c === 40 ? this.arrowParameters(q) : c === 60 ? this.genericArrow(q) : startsName(c) && this.functionAt(this.ts) && this.wordNumber(q) !== kFunction) {
            return this.arrow(-1, this.ts)
          }
        } else if (this.kw === kYield && this.generator) return this.yielded(want)
      }
    } else if (tok === 40 ? this.arrowParameters(this.ts) : tok === 60 && this.genericArrow(this.ts)) return this.arrow(-1, this.ts)
    const { ts } = this
    this.binary(want)
    switch (this.tok) {
      case 61:
        return this.assigned(want, ts)
      case tAssign:
        if (this.plainRef >= 0) this.builder.setRole(this.plainRef, Role.write)
        this.next()
        this.assign(want)
        this.plainRef = this.callRef = -1
        return
      case 63:
        return this.choice(want)
    }
  }

  private yielded(want: boolean): void {
    this.next()
    this.forget()
    if (this.nl) return
    switch (this.tok) {
      case 41: case 93: case 125: case 44: case 59: case 58: case tEof: return
    }
    const star = this.eat(42)
    this.assign(want)
    if (this.callRef >= 0) this.builder.setUse(this.callRef, ResultUse.awaited)
    this.callRef = this.plainRef = -1
    if (star) this.wrapUnwrap()
    else this.forget()
  }

  private choice(want: boolean): void {
    let all = -1
    // Chains of conditionals are read in a loop.
    while (this.tok === 63) {
      this.builder.branch()
      if (this.callRef >= 0) this.builder.setUse(this.callRef, ResultUse.condition)
      this.next()
      const { conditional } = this
      this.conditional = true
      this.assign(want)
      this.conditional = conditional
      if (want) all = this.either(all, this.value())
      if (!this.eat(58)) break
      if (this.tok === 40 && this.arrowParameters(this.ts)) {
        this.assign(want)
        break
      }
      const { ts } = this
      if (this.depth > deepest) return this.skipRest()
      if (this.tok === tName && this.startsFunction()) {
        this.assign(want)
        break
      }
      this.binary(want)
      if (this.tok === 61) this.assigned(want, ts)
      else if (this.tok === tAssign) {
        this.next()
        this.assign(want)
      }
    }
    if (want) {
      all = this.either(all, this.value())
      this.setExpression(all)
    }
    this.callRef = this.plainRef = -1
  }
  private startsFunction(): boolean {
    return (this.kw === 0 || this.kw > lastReserved || this.kw === kFunction) && (this.functionAt(this.ts) || (this.kw === kYield && this.generator))
  }
  private either(a: number, b: number): number {
    return a < 0 ? b : b < 0 || a === b ? a : this.builder.expression(Op.union, a, b)
  }

  private binary(want: boolean): void {
    this.unary(want)
    for (;;) {
      switch (this.tok) {
        case tAnd: case tOr: case tNullish: {
          const and = this.tok === tAnd
          this.builder.branch()
          if (this.callRef >= 0) this.builder.setUse(this.callRef, ResultUse.condition)
          const left = want && !and ? this.value() : -1
          this.next()
          this.unary(want)
          if (left >= 0) this.setExpression(this.either(left, this.value()))
          else if (!want) this.forget()
          this.callRef = this.plainRef = -1
          continue
        }
        case tOperator: case 42: case 43: case 45: case 37: case 94: case 38: case 124:
          this.next()
          break
        case 47:
          if (this.b[this.te] === 61) {
            this.tok = tAssign
            this.p = this.te = this.te + 1
            return
          }
          this.next()
          break
        case 60: case 62: {
          const { b, tok } = this
          let q = this.te
          while (b[q] === tok && q - this.ts < 3) q++
          if (b[q] === 61) {
            const shift = q - this.ts > 1
            q++
            if (shift) {
              this.tok = tAssign
              this.p = this.te = q
              return
            }
          }
          this.jump(q)
          break
        }
        case tName:
          if (this.kw === kIn || this.kw === kInstanceof) {
            const test = this.kw === kInstanceof
            this.next()
            this.unary(false)
            if (test && this.plainRef >= 0) this.builder.setRole(this.plainRef, Role.type)
            this.setLiteral(lBoolean)
            continue
          }
          if ((this.kw === kAs || this.kw === kSatisfies) && !this.nl && this.types) {
            const as = this.kw === kAs
            this.next()
            const { callRef, va, vb, vk, vw } = this
            if (this.tok === tName && this.kw === kConst) this.next()
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
          return
        default:
          return
      }
      this.unary(false)
      this.forget()
    }
  }

  private unary(want: boolean): void {
    if (this.depth > deepest) return this.skipRest()
    switch (this.tok) {
      case 33: case 126: case 43: case 45: case tStep: {
        const { tok } = this
        this.next()
        this.depth++
        this.unary(false)
        this.depth--
        if (tok === tStep && this.plainRef >= 0) this.builder.setRole(this.plainRef, Role.write)
        if (this.callRef >= 0 && tok === 33) this.builder.setUse(this.callRef, ResultUse.condition)
        if (tok === 33) this.setLiteral(lBoolean)
        else this.setLiteral(lNumber)
        return
      }
      case tName:
        if (this.kw === kTypeof || this.kw === kVoid || this.kw === kDelete) {
          this.next()
          this.depth++
          this.unary(false)
          this.depth--
          return this.forget()
        }
        if (this.kw === kAwait && this.awaits()) {
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
          const parts = this.typeArguments(want)
          this.depth++
          this.unary(want && parts.length === 0)
          this.depth--
          if (parts.length === 1) this.setExpression(this.instance(parts[0]!))
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
    return namePart[c] === 1 || c === 40 || c === 91 || c === 123 || c === 34 || c === 39 || c === 96 || c === 33 || c === 47 || (c === 60 && this.jsx)
  }

  // ---- assignment -------------------------------------------------------------------------------

  /** At `=`, the target just read. */
  private assigned(want: boolean, start: number): void {
    const { builder, pathLength, pathRoot } = this
    if (this.plainRef >= 0) builder.setRole(this.plainRef, Role.write)
    if (pathLength > 0) {
      if (pathRoot === rootThis) {
        if (pathLength === 1 && this.classFields !== undefined && this.thisKind === thisInstance) return this.fieldAssigned(start)
      } else if (!this.inFunction) {
        const { known, path1, path2 } = this
        if (pathLength === 1 && pathRoot === known.exports) return this.memberPublished(path1, start, this.pathAt)
        if (pathRoot === known.module && path1 === known.exports) {
          return pathLength === 1 ? this.modulePublished(want) : this.memberPublished(path2, start, this.pathAt)
        }
        if (pathLength === 2 && path1 === known.prototype) return this.memberAttached(path2, start, true)
        if (pathLength === 1 && path1 !== known.prototype && pathRoot !== known.module) {
          if (this.functionAt(this.te) || this.ownsMembers(pathRoot)) return this.memberAttached(path1, start, false)
        }
      }
    }
    this.next()
    this.assign(want)
    if (this.callRef >= 0) builder.setUse(this.callRef, ResultUse.assigned)
    this.callRef = this.plainRef = -1
  }
  private ownsMembers(name: number): boolean {
    const known = this.topLevel.get(name)
    if (known === undefined) return false
    return known.some((d) => {
      const kind = this.builder.kindOf(d)
      return kind === kindNumber.function || kind === kindNumber.class
    })
  }

  private fieldAssigned(start: number): void {
    const fields = this.classFields!
    const { path1: name, pathAt: at } = this
    const callable = this.functionAt(this.te)
    this.next()
    this.assign(true)
    if (this.callRef >= 0) this.builder.setUse(this.callRef, ResultUse.assigned)
    if (!fields.declared.has(name) && !fields.assigned.some((f) => f[0] === name)) {
      fields.assigned.push([name, at, start, this.prevEnd, callable ? -1 : this.value(), callable])
    }
    this.callRef = this.plainRef = -1
  }

  /** `exports.name = …` */
  private memberPublished(name: number, start: number, at: number): void {
    const { b, builder } = this
    const q = this.after(this.te)
    const word = this.wordNumber(q)
    if (startsName(b[q]!) && !this.functionAt(q) && word !== kClass && word !== kNew && word !== kRequire) {
      const end = this.after(this.wordEnd(q))
      const simple = b[end] === 59 || b[end] === 44 || this.crossed || b[end] === 0 || b[end] === 61
      if (word === kVoid || (simple && (word === 0 || word > lastReserved))) {
        // `= void 0`, or the name of something declared elsewhere, or a chain of assignments.
        this.next()
        const local = word === kVoid || b[end] === 61 ? 0 : this.name
        this.assign(false)
        if (local !== 0) {
          this.published.add(name)
          this.publish(name, local, at, -1)
        } else if (b[end] === 61 && b[end + 1] !== 61 && word !== kVoid) this.published.add(name)
        return this.forget()
      }
    }
    const callable = this.functionAt(q)
    const kind = callable ? kindNumber.function : word === kClass ? kindNumber.class : kindNumber.constant
    const again = this.published.has(name)
    if (again) {
      this.next()
      this.assign(false)
      return this.forget()
    }
    this.published.add(name)
    const definition = this.valueDefinition(kind, name, at, start, Flag.exported, -1, 0)
    this.publish(name, 0, at, definition)
    this.setExpression(builder.expression(Op.name, name, Bind.definition, definition))
  }

  /** `module.exports = …` */
  private modulePublished(want: boolean): void {
    const { builder, known } = this
    const at = this.pathAt
    const q = this.after(this.te)
    const c = this.b[q]!
    const word = this.wordNumber(q)
    if (this.functionAt(q) || word === kClass || c === 123) {
      const kind = c === 123 ? kindNumber.constant : word === kClass ? kindNumber.class : kindNumber.function
      // A named function or class is told under its own name, which it has in itself as well.
      let name = known.default
      let nameAt = at
      if (word === kFunction || word === kClass) {
        const own = this.after(this.wordEnd(q))
        if (startsName(this.b[own]!) && this.wordNumber(own) !== kExtends) {
          name = builder.name(own, this.wordEnd(own))
          nameAt = own
        }
      }
      if (c === 123) {
        this.next()
        const definition = builder.openDefinition(kind, name, nameAt, this.ts, Flag.exported | Flag.defaultExport)
        this.publish(known.default, 0, at, definition)
        this.object(definition, 1, true)
        builder.setType(definition, this.literal(lObject))
        builder.closeDefinition(this.prevEnd)
        this.forget()
        // What follows a literal belongs to it no more.
        return
      }
      const definition = this.valueDefinition(kind, name, nameAt, q, Flag.exported | Flag.defaultExport, -1, 0)
      this.publish(known.default, 0, at, definition)
      this.setExpression(builder.expression(Op.name, name, Bind.definition, definition))
      return
    }
    if (startsName(c) && (word === 0 || word > lastReserved)) {
      const end = this.after(this.wordEnd(q))
      if (this.b[end] === 59 || this.crossed || this.b[end] === 0) {
        this.next()
        this.publish(known.default, this.name, at, -1)
        return this.assign(want)
      }
    }
    this.next()
    if (word === kRequire) {
      const before = this.lastRequire
      this.assign(want)
      if (this.lastRequire !== before && this.vk === vExpression) this.republish(this.lastRequireModule, at)
      return
    }
    const definition = builder.openDefinition(kindNumber.constant, known.default, at, this.ts, Flag.exported | Flag.defaultExport)
    this.assign(true)
    builder.setType(definition, this.value())
    builder.closeDefinition(this.prevEnd)
    this.publish(known.default, 0, at, definition)
    this.forget()
  }
  protected lastRequire = -1
  protected lastRequireModule = 0
  /** `module.exports = require(module)` */
  abstract republish(module: number, at: number): void

  /** `Foo.name = …` and `Foo.prototype.name = …` at top level. */
  private memberAttached(name: number, start: number, ofInstance: boolean): void {
    const { builder, pathAt: at, pathRoot, pathRootAt } = this
    const callable = this.functionAt(this.te)
    const isClass = this.wordNumber(this.after(this.te)) === kClass
    const kind = callable ? kindNumber.method : isClass ? kindNumber.class : kindNumber.property
    const owner = builder.nameExpression(pathRoot, pathRootAt, Space.value)
    const definition = this.valueDefinition(kind, name, at, start, ofInstance ? 0 : Flag.static, owner, pathRoot)
    this.setExpression(builder.typeOf(definition))
  }

  /** Opens a definition and reads the value behind `=` into it. */
  private valueDefinition(kind: number, name: number, at: number, start: number, flags: number, owner: number, container: number): number {
    const { builder } = this
    const definition = builder.openDefinition(kind, name, at, start, flags)
    if (owner >= 0) builder.setOwner(definition, owner, container)
    this.document(definition, this.statementDocStart, this.statementDocEnd)
    this.statementDocStart = -1
    this.next()
    if (kind === kindNumber.function || kind === kindNumber.method) {
      const self = owner < 0 ? -1 : (flags & Flag.static) !== 0 ? owner : builder.expression(Op.selfOf, owner)
      this.functionValue(definition, start, self < 0 ? thisUnknown : thisExpression, self)
    } else if (kind === kindNumber.class) this.classValue(definition, start)
    else {
      if (this.tok === 123) {
        this.object(definition, 1, true)
        builder.setType(definition, this.literal(lObject))
      } else {
        this.assign(true)
        if (this.callRef >= 0) builder.setUse(this.callRef, ResultUse.assigned)
        builder.setType(definition, this.value())
      }
      builder.setSignature(definition, start, Math.min(this.prevEnd, this.lineEnd(start)))
    }
    builder.closeDefinition(this.prevEnd)
    this.callRef = this.plainRef = -1
    return definition
  }
  protected statementDocStart = -1
  protected statementDocEnd = -1

  // ---- members, calls ---------------------------------------------------------------------------

  protected postfix(): void {
    const start = this.ts
    this.primary()
    const root = this.vk === vName && this.vw === 0 ? this.va : 0
    /** The members between the root and here are those of a test runner. */
    let tests = root !== 0
    let lastMember = 0
    for (;;) {
      switch (this.tok) {
        case 46: {
          this.next()
          if (this.tok !== tName && this.tok !== tPrivate) {
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
          if (this.tok === tName || this.tok === tPrivate) {
            lastMember = this.name
            tests = false
            this.member(lastMember)
            this.pathLength = -1
          } else if (this.tok === 40) this.call(0, start, lastMember)
          else if (this.tok === 91) this.index()
          else if (this.tok === 96) this.tagged()
          else if (this.tok === 60) this.quietTypeArguments()
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
            this.quietTypeArguments()
            continue
          }
          if (this.heritage && this.types) {
            const q = this.typeArgumentsEnd(this.ts)
            if (q >= 0 && this.b[this.after(q)] === 40) {
              this.membersOf = this.heritageOf
              this.quietTypeArguments()
              continue
            }
          }
          return
        default:
          return
      }
    }
  }
  /** The class whose super class is being read: object types among its type arguments tell members of it. */
  protected heritageOf = -1

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
        if (this.path1 === this.known.env && (this.pathRoot === this.known.process || this.pathRoot === rootMeta)) {
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
    this.next()
    if (this.tok === tString && pathLength === 1 && path1 === this.known.env && pathRoot === this.known.process) {
      this.builder.mark(Mark.env, this.ts + 1, this.te - 1)
    }
    this.conditional = false
    if (this.tok !== 93) this.expression(false)
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
  /** Ends at the closing bracket, skipping what could not be read. */
  protected closeBracket(closer: number): void {
    if (this.tok !== closer && this.tok !== tEof) {
      this.builder.addParseError()
      const end = this.closerFrom(this.ts)
      if (this.b[end] !== closer) return
      this.jump(end)
    }
    this.eat(closer)
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
      const definition = builder.openDefinition(kindNumber.test, builder.name(q + 1, cut), q + 1, start, Flag.test | this.localFlag)
      builder.setSignature(definition, start, end)
    }
    const required = vk === vName && vw === 0 && va === known.require ? this.moduleArgument() : 0
    const requiredAt = this.after(this.te)
    const exportsAll = vk === vName && vw === 0 && va === known.exportStar
    const count = this.args()
    if (isTest) builder.closeDefinition(this.prevEnd)
    if (route >= 0 && routeEnd > route && (count > 1 || method === this.routeName)) builder.mark(Mark.route, route, routeEnd)
    if (exportsAll && this.lastRequireModule !== 0 && !this.inFunction) this.republishAll(this.lastRequireModule, start)
    if (plainRef >= 0) builder.setCall(plainRef, Role.call, count)
    if (required !== 0) {
      const index = builder.import(required, 0, 0, ImportFlag.namespace | (this.inFunction ? ImportFlag.dynamic : 0), requiredAt)
      this.lastRequire = index
      this.lastRequireModule = required
      this.setExpression(builder.expression(Op.name, required, Bind.import, index))
    } else {
      this.vk = vk
      this.va = va
      this.vb = vb
      this.vw = vw
      this.wrapCall()
    }
    this.callRef = plainRef
    this.plainRef = -1
    this.pathLength = -1
  }
  private get routeName(): number {
    return this.routeWord === 0 || this.routeOf !== this.known ? (this.routeOf = this.known, this.routeWord = this.builder.nameOf("route")) : this.routeWord
  }
  private routeWord = 0
  private routeOf: unknown = undefined
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

  /** `( … )` of a call; gives the number of arguments. */
  private args(): number {
    const { conditional, heritage, heritageOf } = this
    this.conditional = false
    this.heritage = false
    this.heritageOf = -1
    this.next()
    let count = 0
    while (this.tok !== 41 && this.tok !== tEof) {
      const at = this.ts
      this.eat(tSpread)
      this.assign(false)
      count++
      if (this.callRef >= 0) this.builder.setUse(this.callRef, ResultUse.argument)
      if (this.tok === 44) {
        this.next()
        continue
      }
      if (this.tok === 41) break
      this.builder.addParseError()
      if (this.tok === 125 || this.tok === 93) break
      if (this.ts === at) this.next()
    }
    this.eat(41)
    this.conditional = conditional
    this.heritage = heritage
    this.heritageOf = heritageOf
    return count
  }

  // ---- primaries --------------------------------------------------------------------------------

  private primary(): void {
    this.pathLength = -1
    switch (this.tok) {
      case tName:
        return this.word()
      case tNumber:
        this.next()
        return this.setLiteral(lNumber)
      case tString:
        this.markText(this.ts + 1, this.te - 1)
        this.next()
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
        if (this.tok === 41) this.forget()
        else this.expression(true)
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
        if (this.tok === tName && this.kw === kClass) return this.classValue(-1, this.ts)
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
        if (this.tok === 40) {
          this.plainRef = builder.memberReference(of, this.known.constructor, at, Role.call)
          this.callRef = -1
          this.vk = vUnknown
        } else this.setExpression(of)
        return
      }
      case kNull:
        this.next()
        return this.forget()
      case kTrue: case kFalse:
        this.next()
        return this.setLiteral(lBoolean)
      case kImport:
        return this.importExpression()
      case kAsync: {
        const q = this.after(this.te)
        if (!this.crossed && this.wordNumber(q) === kFunction) return this.functionValue(-1, this.ts, thisUnknown, -1)
        break
      }
    }
    if (this.kw !== 0 && this.kw <= lastReserved) return this.forget()
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
    if (this.tok === 46) { // import.meta
      this.next()
      this.next()
      this.forget()
      this.pathRoot = rootMeta
      this.pathLength = 0
      return
    }
    if (this.tok !== 40) return this.forget()
    const module = this.dynamicModule()
    const at = this.after(this.te)
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
    if (this.tok === 46) { // new.target
      this.next()
      this.next()
      return this.forget()
    }
    if (this.depth > deepest) return this.skipRest()
    this.depth++
    // The class: members and indices, but no calls.
    if (this.tok === tName && this.kw === kNew) this.newExpression()
    else this.primary()
    let parts: ReadonlyArray<number> = []
    for (;;) {
      if (this.tok === 46 || this.tok === tChain) {
        this.next()
        if (this.tok !== tName && this.tok !== tPrivate) break
        this.member(this.name)
      } else if (this.tok === 91) this.index()
      else if (this.tok === 33 && this.types && !this.nl) this.next()
      else if (this.tok === 60 && this.typeArgumentsIn(this.ts, false)) {
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
    if (this.tok === 40) {
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
    while (this.tok !== 93 && this.tok !== tEof) {
      if (this.eat(44)) continue
      const at = this.ts
      const spread = this.eat(tSpread)
      this.assign(empty)
      if (empty) {
        first = this.value()
        if (spread && first >= 0) first = this.builder.expression(Op.element, first)
        empty = false
      }
      if (this.tok === 44 || this.tok === 93) continue
      this.builder.addParseError()
      if (this.tok === 125 || this.tok === 41) break
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
        if (this.tok !== 125) this.expression(false)
        q = this.substitutionEnd()
        from = q
      } else q++
    }
    this.conditional = conditional
    this.jump(q)
    return count
  }

  // ---- object literals --------------------------------------------------------------------------

  /**
   * An object literal at `{`. With a definition its members become definitions of it, `level` levels deep so far;
   * with `shorthand`, names given alone are told as published names as well.
   */
  protected object(definition: number, level: number, shorthand: boolean): void {
    if (this.depth > deepest) return this.skipRest()
    const { builder, conditional } = this
    this.depth++
    this.conditional = false
    this.next()
    while (this.tok !== 125 && this.tok !== tEof) {
      const at = this.ts
      if (this.tok === tSpread) {
        this.next()
        this.assign(false)
      } else this.property(definition, level, shorthand)
      if (this.tok === 44) {
        this.next()
        continue
      }
      if (this.tok === 125) break
      builder.addParseError()
      if (this.tok === 41 || this.tok === 93) break
      if (this.ts === at) this.next()
    }
    this.conditional = conditional
    this.depth--
    this.eat(125)
    this.setLiteral(lObject)
  }

  private property(definition: number, level: number, shorthand: boolean): void {
    const { builder, docEnd, docStart, ts: start } = this
    let flags = 0
    let accessor = false
    while (this.tok === tName && (this.kw === kAsync || this.kw === kGet || this.kw === kSet)) {
      const q = this.after(this.te)
      const c = this.b[q]!
      if (!(namePart[c] === 1 || c === 34 || c === 39 || c === 91 || c === 35 || (c === 42 && this.kw === kAsync))) break
      if (this.kw === kAsync) flags |= Flag.async
      else {
        flags |= this.kw === kGet ? Flag.getter : Flag.setter
        accessor = true
      }
      this.next()
    }
    if (this.eat(42)) flags |= Flag.generator
    const nameAt = this.ts
    if (this.tok === tName && flags === 0) {
      const c = this.following
      if (c === 44 || c === 125 || c === 61) {
        // Shorthand.
        const { name } = this
        builder.reference(name, nameAt, Role.read, Space.value)
        this.next()
        if (shorthand && level === 1 && definition >= 0) this.publishMember(definition, name, nameAt)
        if (this.eat(61)) this.assign(false)
        return
      }
    }
    const known = definition >= 0 && level <= 3
    if (this.tok !== tName && this.tok !== tString && this.tok !== tNumber && this.tok !== 91 && this.tok !== tPrivate) return
    const name = this.propertyKey()
    if (this.tok === 40 || this.tok === 60) {
      // A method.
      let method = -1
      if (known) {
        method = builder.openDefinition(accessor ? kindNumber.property : kindNumber.method, name, nameAt, start, flags | this.localFlag)
        this.document(method, docStart, docEnd)
      }
      const state = this.enterFunction((flags & Flag.generator) !== 0 ? -1 : method, (flags & Flag.generator) !== 0, (flags & Flag.async) !== 0)
      this.thisKind = definition >= 0 ? thisInstance : thisUnknown
      this.thisValue = definition
      this.classDef = -1
      this.classFields = undefined
      this.callable(method, -1, start)
      this.leaveFunction(state)
      if (method >= 0) builder.closeDefinition(this.prevEnd)
      return
    }
    if (!this.eat(58)) {
      if (this.eat(61)) this.assign(false)
      return
    }
    if (!known) return this.assign(false)
    const callable = this.functionAt(this.ts)
    const nested = this.tok === 123
    if (shorthand && level === 1 && this.isName) {
      // `name: local` publishes what is declared elsewhere.
      const q = this.after(this.te)
      if (this.b[q] === 44 || this.b[q] === 125) {
        this.publish(name, this.name, nameAt, -1)
        return this.assign(false)
      }
    }
    const member = builder.openDefinition(callable ? kindNumber.method : kindNumber.property, name, nameAt, start, this.localFlag)
    this.document(member, docStart, docEnd)
    if (callable) this.functionValue(member, start, thisUnknown, -1, definition)
    else if (nested && level < 3) {
      this.object(member, level + 1, false)
      builder.setType(member, this.literal(lObject))
      if (this.tok !== 44 && this.tok !== 125) this.afterLiteral()
    } else {
      this.assign(true)
      if (this.callRef >= 0) builder.setUse(this.callRef, ResultUse.assigned)
      builder.setType(member, this.value())
    }
    if (!callable) builder.setSignature(member, start, Math.min(this.prevEnd, this.lineEnd(start)))
    builder.closeDefinition(this.prevEnd)
    if (shorthand && level === 1) this.publish(name, 0, nameAt, member)
  }
  private publishMember(_object: number, name: number, at: number): void {
    this.publish(name, name, at, -1)
  }
  /** What may follow an object literal that was read as a value of its own: `as const`, members, operators. */
  protected afterLiteral(): void {
    while (this.tok === tName && (this.kw === kAs || this.kw === kSatisfies) && this.types) {
      this.next()
      if (this.tok === tName && this.kw === kConst) this.next()
      else this.typeAs(Role.type, false)
    }
    while (this.tok === 46 || this.tok === 91 || this.tok === 40) {
      this.forget()
      if (this.tok === 46) {
        this.next()
        if (this.tok === tName || this.tok === tPrivate) this.member(this.name)
      } else if (this.tok === 91) this.index()
      else this.call(0, this.ts, 0)
    }
  }

  /** A property name of any form; gives it interned. */
  propertyKey(): number {
    if (this.tok === 91) {
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

  // ---- functions --------------------------------------------------------------------------------

  /**
   * A function or arrow function, the current token being its first. Its facts go to the definition, if one is given.
   * `this` inside a `function` is what is given; with `object`, an instance of that definition.
   */
  protected functionValue(definition: number, headerStart: number, thisKind: number, thisValue: number, object = -1): void {
    const { builder } = this
    if (this.tok === tName && (this.kw === kFunction || (this.kw === kAsync && this.wordNumber(this.after(this.te)) === kFunction && !this.crossed))) {
      const start = this.ts
      const isAsync = this.kw === kAsync
      if (isAsync) this.next()
      this.next()
      const generator = this.eat(42)
      let own = 0
      let ownAt = 0
      let opened = false
      if (this.isName) {
        own = this.name
        ownAt = this.ts
        this.next()
        if (definition < 0) {
          definition = builder.openDefinition(kindNumber.function, own, ownAt, start, Flag.local)
          headerStart = start
          opened = true
        }
      }
      if (definition >= 0) builder.addFlags(definition, (isAsync ? Flag.async : 0) | (generator ? Flag.generator : 0))
      const state = this.enterFunction(generator ? -1 : definition, generator, isAsync)
      if (own !== 0) builder.bindDefinition(own, definition, 0, Space.value)
      this.thisKind = object >= 0 ? thisInstance : thisKind
      this.thisValue = object >= 0 ? object : thisValue
      this.classDef = -1
      this.classFields = undefined
      this.callable(definition, -1, headerStart)
      this.leaveFunction(state)
      if (opened) {
        builder.closeDefinition(this.prevEnd)
        this.setExpression(builder.expression(Op.function, definition))
      } else this.setLiteral(lFunction)
      return
    }
    this.arrow(definition, headerStart)
  }

  /** Type parameters, parameters, result type and body; the scope is open. */
  protected callable(definition: number, owner: number, headerStart: number): void {
    const { builder } = this
    this.typeParameters()
    if (this.tok === 40) this.parameters(definition, owner)
    if (this.eat(58)) {
      this.returnsOf = -1
      const type = this.typeAs(Role.return_type, definition >= 0)
      if (definition >= 0) builder.setType(definition, this.instance(type))
    }
    if (definition >= 0) builder.setSignature(definition, headerStart, this.tok === 123 ? this.ts : this.prevEnd)
    if (this.tok === 123) {
      if (definition >= 0) builder.setBody(definition, this.ts)
      this.functionBody(definition)
    } else if (definition >= 0) builder.addFlags(definition, Flag.declaration)
  }
  functionBody(_definition: number): void {
    const { heritage, heritageOf, membersOf } = this
    this.heritage = false
    this.heritageOf = this.membersOf = -1
    this.next()
    this.statementList(125)
    this.eat(125)
    this.heritage = heritage
    this.heritageOf = heritageOf
    this.membersOf = membersOf
  }

  private arrow(definition: number, headerStart: number): void {
    const { builder } = this
    let isAsync = false
    if (this.tok === tName && this.kw === kAsync) {
      const q = this.after(this.te)
      isAsync = !(this.b[q] === 61 && this.b[q + 1] === 62)
      if (isAsync) this.next()
    }
    if (definition >= 0 && isAsync) builder.addFlags(definition, Flag.async)
    const { generator } = this
    const state = this.enterFunction(definition, false, isAsync)
    if (this.tok === tName) {
      builder.bindLocal(this.name, -1, this.ts, Space.value)
      if (definition >= 0) builder.setParameters(definition, 1, 1, false)
      this.next()
    } else {
      this.typeParameters()
      if (this.tok === 40) this.parameters(definition, -1)
      if (this.eat(58)) {
        this.returnsOf = -1
        const type = this.typeAs(Role.return_type, definition >= 0)
        if (definition >= 0) builder.setType(definition, this.instance(type))
      }
    }
    if (definition >= 0) builder.setSignature(definition, headerStart, this.te)
    this.eat(tArrow)
    if (definition >= 0) builder.setBody(definition, this.ts)
    if (this.tok === 123) this.functionBody(definition)
    else {
      this.conditional = state.conditional
      const infer = this.returnsOf >= 0 && this.returnsOf === definition
      this.assign(infer)
      if (this.callRef >= 0) builder.setUse(this.callRef, ResultUse.returned)
      if (infer) {
        const type = this.value()
        if (type >= 0) builder.setType(definition, type)
      }
    }
    this.leaveFunction(state)
    this.generator = generator
    this.setLiteral(lFunction)
    this.pathLength = -1
  }

  /**
   * `( … )` of a function at its parenthesis. `owner` is the class whose constructor this is: modifiers declare
   * fields of it; -1 for any other function, -2 where only the types matter.
   */
  parameters(definition: number, owner: number): void {
    const { builder } = this
    this.next()
    let min = 0
    let max = 0
    let variadic = false
    while (this.tok !== 41 && this.tok !== tEof) {
      const at = this.ts
      const { docEnd, docStart } = this
      if (this.tok === 64) this.decorators()
      const start = this.ts
      let flags = 0
      while (this.tok === tName && (this.kw === kPublic || this.kw === kPrivate || this.kw === kProtected || this.kw === kReadonly || this.kw === kOverride)) {
        const c = this.following
        if (!startsName(c) && c !== 123 && c !== 91) break
        flags |= this.kw === kPrivate ? Flag.private
          : this.kw === kProtected ? Flag.protected
          : this.kw === kReadonly ? Flag.readonly
          : this.kw === kOverride ? Flag.override
          : Flag.exported
        this.next()
      }
      let optional = false
      if (this.eat(tSpread)) {
        variadic = true
        optional = true
      }
      if (this.tok === tName) {
        const isThis = this.kw === kThis
        const name = isThis ? 0 : this.name
        const nameAt = this.ts
        this.next()
        if (this.eat(63)) optional = true
        let type = -1
        let annotated = false
        if (this.eat(58)) {
          annotated = true
          type = this.instance(this.typeAs(Role.parameter_type, owner > -2))
        }
        if (this.eat(61)) {
          optional = true
          this.assign(!annotated)
          if (!annotated) type = this.value()
        }
        if (isThis) {
          if (owner > -2 && type >= 0) {
            this.thisKind = thisExpression
            this.thisValue = type
          }
        } else {
          builder.bindLocal(name, type, nameAt, Space.value)
          if (flags !== 0 && owner >= 0) {
            const { current } = builder
            builder.current = owner
            const visible = (flags & (Flag.private | Flag.protected)) === 0 ? Flag.exported : 0
            const field = builder.define(kindNumber.field, name, nameAt, start, this.prevEnd, flags | visible)
            builder.setType(field, type)
            builder.setSignature(field, start, this.prevEnd)
            this.document(field, docStart, docEnd)
            builder.current = current
            this.classFields?.declared.add(name)
          }
          max++
          if (!optional) min = max
        }
      } else if (this.tok === 123 || this.tok === 91) {
        const base = this.pattern.length
        this.readPattern(-1, stepNone, 0)
        if (this.eat(63)) optional = true
        let type = -1
        let annotated = false
        if (this.eat(58)) {
          annotated = true
          type = this.instance(this.typeAs(Role.parameter_type, owner > -2))
        }
        if (this.eat(61)) {
          optional = true
          this.assign(!annotated)
          if (!annotated) type = this.value()
        }
        this.bindPattern(base, type, asLocal, 0, 0)
        max++
        if (!optional) min = max
      }
      if (this.tok === 44) {
        this.next()
        continue
      }
      if (this.tok === 41) break
      builder.addParseError()
      if (this.tok === 125 || this.tok === 59) break
      if (this.ts === at) this.next()
    }
    this.eat(41)
    if (definition >= 0) builder.setParameters(definition, min, max, variadic)
  }

  // ---- patterns ---------------------------------------------------------------------------------

  /** Reads a name or pattern into {@link pattern}; what it takes apart comes later. */
  protected readPattern(parent: number, step: number, key: number): void {
    if (this.depth > deepest) return this.skipRest()
    const index = this.pattern.length / patternSize
    if (this.tok === 123 || this.tok === 91) {
      this.depth++
      this.pattern.push(parent, step, key, 0, this.ts)
      if (this.tok === 123) this.objectPattern(index)
      else this.arrayPattern(index)
      this.depth--
      return
    }
    if (this.tok === tName) {
      this.pattern.push(parent, step, key, this.name, this.ts)
      this.next()
    }
  }
  private objectPattern(parent: number): void {
    this.next()
    while (this.tok !== 125 && this.tok !== tEof) {
      const at = this.ts
      if (this.eat(tSpread)) this.readPattern(parent, stepNone, 0)
      else if (this.tok === tName && this.following !== 58) {
        const { name } = this
        this.readPattern(parent, stepMember, name)
      } else if (this.tok === tName || this.tok === tString || this.tok === tNumber || this.tok === 91) {
        const computed = this.tok === 91
        const key = this.propertyKey()
        if (this.eat(58)) this.readPattern(parent, computed ? stepElement : stepMember, key)
      }
      if (this.eat(61)) this.assign(false)
      if (this.eat(44)) continue
      if (this.tok === 125) break
      this.builder.addParseError()
      if (this.tok === 41 || this.tok === 93 || this.tok === 59) break
      if (this.ts === at) this.next()
    }
    this.eat(125)
  }
  private arrayPattern(parent: number): void {
    this.next()
    while (this.tok !== 93 && this.tok !== tEof) {
      const at = this.ts
      if (this.eat(44)) continue
      const rest = this.eat(tSpread)
      this.readPattern(parent, rest ? stepNone : stepElement, 0)
      if (this.eat(61)) this.assign(false)
      if (this.tok === 44 || this.tok === 93) continue
      this.builder.addParseError()
      if (this.tok === 41 || this.tok === 125 || this.tok === 59) break
      if (this.ts === at) this.next()
    }
    this.eat(93)
  }
  /** Declares the names of the pattern records from `base` on, `value` being what they take apart. */
  protected bindPattern(base: number, value: number, as: number, flags: number, start: number): void {
    const { builder, pattern } = this
    const types: Array<number> = []
    const first = base / patternSize
    for (let p = base; p < pattern.length; p += patternSize) {
      const parent = pattern[p + pParent]! - first
      const of = parent < 0 ? value : types[parent]!
      const step = pattern[p + pStep]!
      const type = parent < 0 ? value
        : of < 0 || step === stepNone ? -1
        : step === stepMember ? builder.expression(Op.member, of, pattern[p + pKey]!)
        : builder.expression(Op.element, of)
      types.push(type)
      const name = pattern[p + pName]!
      if (name === 0) continue
      const at = pattern[p + pAt]!
      if (as === asDefinition) {
        const constant = (flags & Flag.readonly) !== 0
        const definition = builder.define(constant ? kindNumber.constant : kindNumber.variable, name, at, start, this.prevEnd, flags & ~Flag.readonly)
        builder.setType(definition, type)
        builder.setSignature(definition, start, Math.min(this.prevEnd, this.lineEnd(start)))
        builder.bindDefinition(name, definition, at, Space.value)
        this.remember(name, definition)
      } else if (as === asHoisted) builder.bindLocalOuter(builder.depth - this.fnDepth, name, type, at)
      else builder.bindLocal(name, type, at, Space.value)
    }
    pattern.length = base
  }
  /** Names of a pattern of one level as [imported, local, offset], or undefined when it is deeper. */
  protected flatPattern(base: number): ReadonlyArray<readonly [number, number, number]> | undefined {
    const { pattern } = this
    const out: Array<readonly [number, number, number]> = []
    for (let p = base + patternSize; p < pattern.length; p += patternSize) {
      if (pattern[p + pStep] !== stepMember || pattern[p + pName] === 0) return undefined
      out.push([pattern[p + pKey]!, pattern[p + pName]!, pattern[p + pAt]!])
    }
    return out
  }

  // ---- decorators, classes ----------------------------------------------------------------------

  protected decorators(): void {
    while (this.tok === 64) {
      this.next()
      if (this.tok === 40) {
        this.next()
        this.expression(false)
        this.closeBracket(41)
        continue
      }
      if (!this.isName && !(this.tok === tName && this.kw === kThis)) return
      this.primary()
      for (;;) {
        if (this.tok === 46) {
          this.next()
          if (this.tok !== tName && this.tok !== tPrivate) break
          this.member(this.name)
        } else break
      }
      const ref = this.plainRef
      if (ref >= 0) this.builder.setRole(ref, Role.decorate)
      if (this.tok === 60 && this.types && this.typeArgumentsEnd(this.ts) >= 0) this.quietTypeArguments()
      if (this.tok === 40) {
        const count = this.args()
        if (ref >= 0) this.builder.setCall(ref, Role.decorate, count)
        // A call may give the function that decorates.
        while (this.tok === 40 && this.b[this.ts - 1] === 41) this.args()
      }
    }
  }

  /** A class expression at `class`, told as the given definition or as one of its own. */
  protected classValue(definition: number, headerStart: number): void {
    const { builder } = this
    const start = this.ts
    this.next()
    let own = 0
    let ownAt = start
    if (this.isName && !(this.kw === 0 ? false : this.wordsAfterClass())) {
      own = this.name
      ownAt = this.ts
      this.next()
    }
    let opened = false
    if (definition < 0) {
      opened = true
      headerStart = start
      definition = builder.openDefinition(kindNumber.class, own === 0 ? this.known.anonymous : own, ownAt, start, Flag.local | (own === 0 ? Flag.synthetic : 0))
    }
    builder.openScope()
    if (own !== 0) builder.bindDefinition(own, definition)
    this.classBody(definition, headerStart)
    builder.closeScope()
    if (opened) builder.closeDefinition(this.prevEnd)
    this.setExpression(opened ? builder.expression(Op.name, own === 0 ? this.known.anonymous : own, Bind.definition, definition) : -1)
    this.pathLength = -1
  }
  /** The word behind `class` is `implements`, not a name. */
  private wordsAfterClass(): boolean {
    const c = this.following
    return this.types && c !== 123 && c !== 60 && this.builder.interner.text(this.name) === "implements"
  }

  // ---- JSX --------------------------------------------------------------------------------------

  /** An element at `<`; gives the offset behind it. The token that follows is not read. */
  private element(): number {
    if (this.depth > deepest) {
      this.builder.addParseError()
      return this.closerFrom(this.te)
    }
    this.depth++
    const { conditional } = this
    this.conditional = false
    const end = this.elementRest()
    this.conditional = conditional
    this.depth--
    return end
  }
  private elementRest(): number {
    const { b, n } = this
    this.next()
    if (this.tok !== 62) {
      this.tagName(Role.call)
      if (this.tok === 60 && this.types) this.typeArguments(false)
      for (;;) {
        const at = this.ts
        if (this.tok === 62) break
        if (this.tok === tEof) return n
        if (this.tok === 47) {
          if (b[this.te] === 62) return this.te + 1
          this.next()
        } else if (this.tok === 123) {
          this.next()
          this.eat(tSpread)
          if (this.tok !== 125) this.assign(false)
          this.jump(this.substitutionEnd())
        } else if (this.tok === tName) {
          this.attributeName()
          if (this.tok === 61) {
            const q = this.after(this.te)
            const c = b[q]!
            if (c === 34 || c === 39) {
              const end = b.indexOf(c, q + 1)
              if (end < 0 || end >= n) return n
              this.markText(q + 1, end)
              this.jump(end + 1)
            } else {
              this.jump(q)
              if (this.tok === 123) {
                this.next()
                if (this.tok !== 125) this.assign(false)
                this.jump(this.substitutionEnd())
              } else if (this.tok === 60) this.jump(this.element())
            }
          }
        }
        if (this.ts === at) {
          this.builder.addParseError()
          this.next()
        }
      }
    }
    // Children: text up to `<` or `{`.
    let q = this.te
    for (;;) {
      if (q >= n) return n
      const c = b[q]!
      if (c === 123) {
        this.jump(q + 1)
        this.eat(tSpread)
        if (this.tok !== 125) this.expression(false)
        q = this.substitutionEnd()
      } else if (c === 60) {
        this.jump(q)
        if (b[this.after(this.te)] === 47) {
          this.next()
          this.next()
          if (this.tok !== 62) this.tagName(Role.read)
          return this.tok === 62 ? this.te : this.tok === tEof ? n : this.te
        }
        q = this.element()
      } else q++
    }
  }
  private attributeName(): void {
    const { b } = this
    let q = this.te
    while (namePart[b[q]!] === 1 || b[q] === 45 || b[q] === 58) q++
    this.jump(q)
  }
  private tagName(role: number): void {
    const { b, builder } = this
    if (this.tok !== tName) return
    const first = b[this.ts]!
    const c = b[this.te]!
    if (c === 45 || c === 58) return this.attributeName()
    if (this.kw === kThis) {
      this.setExpression(this.thisValueExpression())
      this.next()
    } else if (this.following === 46 || !(first >= 97 && first <= 122)) {
      const { name, ts } = this
      const ref = builder.reference(name, ts, Role.read, Space.value)
      this.vk = vName
      this.va = name
      this.vb = ts
      this.vw = 0
      this.next()
      if (this.tok !== 46) return builder.setRole(ref, role)
    } else return this.next()
    while (this.tok === 46) {
      this.next()
      if (this.tok !== tName) return
      const at = this.ts
      const { name } = this
      const of = this.receiver()
      const ref = builder.memberReference(of, name, at, Role.read)
      this.vk = vMember
      this.va = of
      this.vb = name
      this.vw = 0
      this.next()
      if (this.tok !== 46) builder.setRole(ref, role)
    }
  }

  protected get literalRead(): boolean {
    return this.vk === vLiteral
  }
}
export { kAccessor, Scope, thisClass }
