/**
 * Expressions, statements and macro bodies. Operators are read flat: precedence makes no difference to facts.
 *
 * The value of the expression read last is kept as a description ({@link V}) and becomes a record only when
 * something asks for it with {@link ExpressionReader.value}.
 */
import { Scope, Space } from "../FactsBuilder.ts"
import { Flag, kindNumber, Mark, Op, ResultUse, Role } from "../Vocabulary.ts"
import { isWordByte, isWordStart } from "./Lexer.ts"
import { T, Word } from "./Names.ts"
import { PatternReader } from "./PatternReader.ts"
import { depthLimit } from "./TypeReader.ts"

/** What the value of an expression is. */
const V = {
  none: 0,
  /** The expression `vx`. */
  made: 1,
  /** The name `vn` at `va`. */
  name: 2,
  /** Member `vn` of `vx`. */
  member: 3,
  callName: 4,
  /** The result of calling the expression `vx`. */
  callMade: 5,
  callMember: 6,
  /** What `vx` wraps. */
  unwrap: 7,
  element: 8,
  /** A literal of type `vn`. */
  literal: 9,
  /** An instance of the type `vx`. */
  instance: 10
} as const

const chainLimit = 120

export abstract class ExpressionReader extends PatternReader {
  private vk = 0
  private vx = -1
  private vn = 0
  private va = 0
  /** The reference of the place or callee just read, -1 without. */
  private place = -1
  /** The reference of the call the expression just read consists of, -1 when it is no call. */
  private call = -1
  /** Braces after a path begin a block: in conditions and scrutinees. */
  private noStruct = false
  /** Whether the value of the block being read is asked for. */
  private wanted = false
  /** The function type that the closure about to be read is to have, by what it is given to; -1 when nothing is known. */
  private expected = -1

  /** Reads an item at the current token, attributes and visibility included; false when none starts here. */
  protected abstract statementItem(): boolean
  /** Whether an item starts at the current token. */
  protected abstract startsItem(): boolean
  protected abstract attributes(): void

  private setNone(): void {
    this.vk = V.none
    this.place = this.call = -1
  }
  private setMade(x: number): void {
    this.vk = x < 0 ? V.none : V.made
    this.vx = x
    this.place = this.call = -1
  }
  private setLiteral(name: number): void {
    this.vk = V.literal
    this.vn = name
    this.place = this.call = -1
  }

  /** The value of the expression read last as an expression record; -1 when unknown. */
  protected value(): number {
    const { builder } = this
    const k = this.vk
    if (k === V.none) return -1
    let x = this.vx
    switch (k) {
      case V.name:
        x = builder.nameExpression(this.vn, this.va, Space.value)
        break
      case V.member:
        x = builder.expression(Op.member, x, this.vn)
        break
      case V.callName:
        x = builder.expression(Op.call, builder.nameExpression(this.vn, this.va, Space.value))
        break
      case V.callMade:
        x = builder.expression(Op.call, x)
        break
      case V.callMember:
        x = builder.expression(Op.call, builder.expression(Op.member, x, this.vn))
        break
      case V.unwrap:
        x = builder.expression(Op.unwrap, x)
        break
      case V.element:
        x = builder.expression(Op.element, x)
        break
      case V.literal:
        x = builder.expression(Op.literal, this.vn)
        break
      case V.instance:
        x = builder.expression(Op.instance, x)
        break
    }
    this.vk = V.made
    this.vx = x
    return x
  }
  private use(use: number): void {
    if (this.call >= 0) this.builder.setUse(this.call, use)
  }

  // ---- expressions --------------------------------------------------------------------------------

  protected override expression(): void {
    if (this.depth >= depthLimit) {
      this.error()
      this.skipToken()
      return this.setNone()
    }
    this.depth++
    this.operand()
    this.operators(false)
    this.depth--
  }
  /** An expression before which `noStruct` holds: condition, scrutinee, iterator. */
  private condition(): void {
    const saved = this.noStruct
    this.noStruct = true
    this.expression()
    this.noStruct = saved
  }

  /** The rest after an operand; `scrutinee` stops before `&&` and `||`, as the value of a `let` condition does. */
  private operators(scrutinee: boolean): void {
    const { builder, names } = this
    for (;;) {
      const at = this.start
      switch (this.token as number) {
        case 43:
        case 45:
        case 42:
        case 47:
        case 37:
        case 94:
          this.next()
          this.operand()
          this.setNone()
          break
        case T.equal:
        case T.notEqual:
        case T.lessEqual:
          this.next()
          this.operand()
          this.setLiteral(names.boolean)
          break
        case 60: {
          this.next()
          if (this.start === at + 1 && (this.is(60) || this.is(T.lessEqual))) {
            const assign = this.is(T.lessEqual)
            if (assign && this.place >= 0) builder.setRole(this.place, Role.write)
            this.next()
            this.operand()
            this.setNone()
          } else {
            this.operand()
            this.setLiteral(names.boolean)
          }
          break
        }
        case 62: {
          const place = this.place
          this.next()
          let shift = false
          let end = at + 1
          if (this.start === end && this.is(62)) {
            this.next()
            shift = true
            end++
          }
          if (this.start === end && this.is(61)) {
            this.next()
            if (shift && place >= 0) builder.setRole(place, Role.write)
          }
          this.operand()
          if (shift) this.setNone()
          else this.setLiteral(names.boolean)
          break
        }
        case 38:
          if (this.end < this.length && this.bytes[this.end] === 38) {
            if (scrutinee) return
            this.next()
            this.next()
            builder.branch()
            this.operand()
            this.setLiteral(names.boolean)
          } else {
            this.next()
            this.operand()
            this.setNone()
          }
          break
        case 124:
          if (this.end < this.length && this.bytes[this.end] === 124) {
            if (scrutinee) return
            this.next()
            this.next()
            builder.branch()
            this.operand()
            this.setLiteral(names.boolean)
          } else {
            this.next()
            this.operand()
            this.setNone()
          }
          break
        case 61:
          if (this.place >= 0) builder.setRole(this.place, Role.write)
          this.next()
          this.operand()
          this.use(ResultUse.assigned)
          this.vk = V.none
          this.call = -1
          break
        case T.opAssign:
          if (this.place >= 0) builder.setRole(this.place, Role.write)
          this.next()
          this.operand()
          this.setNone()
          break
        case T.dots:
          this.next()
          if (this.startsOperand()) this.operand()
          this.setNone()
          break
        case T.as: {
          this.next()
          const x = this.type(Role.type)
          this.vk = x < 0 ? V.none : V.instance
          this.vx = x
          this.place = this.call = -1
          break
        }
        default:
          return
      }
    }
  }

  /** Whether an operand may start here, for the open ends of ranges and of `return`. */
  private startsOperand(): boolean {
    switch (this.token as number) {
      case T.eof:
      case 41:
      case 93:
      case 125:
      case 44:
      case 59:
      case T.fatArrow:
      case 61:
      case 58:
      case T.else:
      case T.as:
        return false
      case 123:
        return !this.noStruct
      default:
        return true
    }
  }

  private operand(): void {
    let negated = false
    prefix: for (;;) {
      switch (this.token as number) {
        case 33:
          negated = true
          this.next()
          continue
        case 45:
        case 42:
          this.next()
          continue
        case 38:
          this.next()
          if (this.is(T.mut)) this.next()
          else if (this.is(T.identifier) && this.name === this.names.raw && this.peekWord()) {
            this.next()
            if (this.is(T.const) || this.is(T.mut)) this.next()
          }
          continue
        default:
          break prefix
      }
    }
    this.primary()
    this.postfix()
    if (negated) this.setLiteral(this.names.boolean)
  }

  private postfix(): void {
    const { builder, names } = this
    let chain = 0
    for (;;) {
      switch (this.token as number) {
        case 46: {
          // .
          this.next()
          const receiver = chain++ < chainLimit ? this.value() : -1
          if (this.is(T.await)) {
            this.next()
            this.use(ResultUse.awaited)
            this.wrap(V.unwrap, receiver)
            this.call = -1
          } else if (this.is(T.identifier)) {
            const { name, start } = this
            this.next()
            const x = receiver >= 0 ? receiver : this.unknown
            const ref = builder.memberReference(x, name, start, Role.read)
            if (this.is(T.path)) {
              this.next()
              if (this.is(60)) this.skipGeneric()
            }
            this.vk = V.member
            this.vx = x
            this.vn = name
            this.place = ref
            this.call = -1
          } else if (this.is(T.number)) {
            this.tupleIndex(receiver)
          } else if (this.is(36)) {
            this.next()
            if (this.is(T.identifier)) this.next()
            this.setNone()
          } else if (this.is(T.match) || this.is(T.yield)) {
            this.next()
            this.setNone()
          } else {
            this.error()
            return this.setNone()
          }
          break
        }
        case 40: {
          // (
          const { place, va, vk, vn } = this
          let { vx } = this
          let kind: number = V.none
          if (vk === V.name) kind = V.callName
          else if (vk === V.member) kind = V.callMember
          else if (vk !== V.none) {
            vx = this.value()
            kind = vx < 0 ? V.none : V.callMade
          }
          this.next()
          if (this.is(T.string) && place >= 0) this.markArgument(vk, vn, vx)
          const count = this.argumentList(
            vn === names.spawn ? ResultUse.spawned : ResultUse.argument,
            kind,
            vx,
            vn,
            va
          )
          const argument = count === 1 && vk === V.member && vn === names.zip ? this.value() : -1
          if (place >= 0) builder.setCall(place, Role.call, count)
          this.vk = kind
          this.vx = vx
          this.vn = vn
          this.va = va
          this.place = -1
          this.call = place
          if (vk === V.member) {
            const word = names.wordOf(vn)
            if ((word & Word.unwrap) !== 0) this.vk = V.unwrap
            else if ((word & Word.identity) !== 0 && count === 0) this.vk = V.made
            else if (vx === this.unknown) this.vk = V.none
            else if (vn === names.enumerate && count === 0)
              this.pairs(
                builder.expression(Op.literal, names.number),
                builder.expression(Op.element, vx),
                place
              )
            else if (argument >= 0)
              this.pairs(builder.expression(Op.element, vx), builder.expression(Op.element, argument), place)
            if (this.vk !== V.callMember && vx === this.unknown) this.vk = V.none
          } else if (vk === V.name && (vn === names.Some || vn === names.Ok)) this.vk = V.none
          break
        }
        case 91: {
          // [
          const x = this.value()
          this.next()
          const saved = this.noStruct
          this.noStruct = false
          this.expression()
          this.noStruct = saved
          this.closeGroup(93)
          this.wrap(V.element, x)
          this.call = -1
          break
        }
        case 63: {
          // ?
          this.next()
          this.wrap(V.unwrap, this.value())
          break
        }
        default:
          return
      }
    }
  }
  private wrap(kind: number, x: number): void {
    this.vk = x < 0 ? V.none : kind
    this.vx = x
    this.place = -1
  }

  /** `.0`, or `.0.1` which the lexer takes for one number. */
  private tupleIndex(receiver: number): void {
    const { bytes, builder } = this
    let x = receiver >= 0 ? receiver : this.unknown
    let from = this.start
    let ref = -1
    let name = 0
    const { end } = this
    for (let p = from; p <= end; p++) {
      if (p < end && bytes[p] !== 46) continue
      if (p > from) {
        if (ref >= 0) x = builder.expression(Op.member, x, name)
        name = builder.name(from, p)
        ref = builder.memberReference(x, name, from, Role.read)
      }
      from = p + 1
    }
    this.next()
    this.vk = V.member
    this.vx = x
    this.vn = name
    this.place = ref
    this.call = -1
  }

  /** The value is a sequence of pairs, as the call just read makes one. */
  private pairs(first: number, second: number, call: number): void {
    const { builder, names } = this
    const pair = builder.withArguments(Op.tuple, 0, [first, second])
    this.setMade(builder.withArguments(Op.generic, builder.expression(Op.literal, names.array), [pair]))
    this.call = call
  }

  /** Arguments after `(`, which is consumed, of the callee that the rest describes; returns how many. */
  private argumentList(use: number, kind: number = V.none, vx = -1, vn = 0, va = 0): number {
    const { builder, names } = this
    // What is expected of the call is expected of the closure in `Box::new(…)`, `Some(…)`.
    let handed = -1
    if (this.expected >= 0) {
      if (kind === V.callMember && vn === names.new && names.isPointer(this.lastQualifier))
        handed = this.expected
      else if (kind === V.callName && vn === names.Some) handed = builder.expression(Op.unwrap, this.expected)
      this.expected = -1
    }
    const saved = this.noStruct
    this.noStruct = false
    let count = 0
    while (!this.is(41) && !this.is(T.eof) && !this.isClose()) {
      const at = this.start
      if (this.is(35)) this.attributes()
      this.wanted = false
      if (handed >= 0 && count === 0 && this.mayBeClosure()) this.expected = handed
      else if (kind !== V.none && vx !== this.unknown && this.mayBeClosure()) {
        const callee =
          kind === V.callMade
            ? vx
            : kind === V.callMember
              ? builder.expression(Op.member, vx, vn)
              : builder.nameExpression(vn, va, Space.value)
        this.expected = builder.expression(Op.argument, callee, count)
      }
      this.expression()
      this.expected = -1
      this.use(use)
      count++
      if (!this.accept(44)) {
        if (this.is(41)) break
        this.error()
        if (this.start === at) {
          this.skipToken()
        }
      }
    }
    this.closeGroup(41)
    this.noStruct = saved
    return count
  }

  /** Whether a closure starts here, or a call that wraps one. */
  private mayBeClosure(): boolean {
    if (this.is(T.identifier)) return this.names.isPointer(this.name) || this.name === this.names.Some
    return this.closureFollows()
  }

  /** Environment variables and routes named by the first argument. */
  private markArgument(vk: number, vn: number, vx: number): void {
    const { builder, names } = this
    if (vn === names.var || vn === names.varOs) {
      if (vk === V.member && vx >= 0 && this.lastQualifier === names.env)
        builder.mark(Mark.env, this.contentStart, this.contentEnd)
    } else if (
      (vk === V.member || vk === V.name) &&
      this.bytes[this.contentStart] === 47 &&
      (names.wordOf(vn) & Word.route) !== 0
    ) {
      builder.mark(Mark.route, this.contentStart, this.contentEnd)
    }
  }
  /** The path segment before the last one read. */
  private lastQualifier = 0

  private stringMark(): void {
    const { bytes, builder, contentEnd } = this
    let p = this.contentStart
    if (contentEnd - p < 8) return
    while (p < contentEnd && (bytes[p] === 32 || bytes[p] === 10 || bytes[p] === 13 || bytes[p] === 9)) p++
    const c = bytes[p]!
    if (c === 104) {
      if (bytes[p + 1] === 116 && bytes[p + 2] === 116 && bytes[p + 3] === 112) {
        const q = bytes[p + 4] === 115 ? p + 5 : p + 4
        if (bytes[q] === 58 && bytes[q + 1] === 47 && bytes[q + 2] === 47 && q + 3 < contentEnd)
          builder.mark(Mark.url, p, contentEnd)
      }
    } else if (c >= 65 && c <= 90) {
      for (const word of sqlWords) {
        if (word[0] !== c || p + word.length >= contentEnd) continue
        let i = 0
        while (i < word.length && bytes[p + i] === word[i]) i++
        if (i === word.length && (bytes[p + i] === 32 || bytes[p + i] === 10))
          builder.mark(Mark.sql, p, contentEnd)
      }
    }
  }

  private primary(): void {
    const { builder, names } = this
    switch (this.token as number) {
      case T.identifier:
        return this.pathExpression()
      case T.number:
        this.next()
        return this.setLiteral(names.number)
      case T.string:
        this.stringMark()
        this.next()
        return this.setLiteral(names.string)
      case T.char:
        this.next()
        return this.setLiteral(names.string)
      case T.true:
      case T.false:
        this.next()
        return this.setLiteral(names.boolean)
      case T.self:
        if (this.peek() === 58 && !this.peekIs(58, 58)) return this.pathExpression()
        this.next()
        return this.setMade(this.selfValue)
      case T.Self:
      case T.super:
      case T.crate:
      case T.path:
      case 60:
        return this.pathExpression()
      case 40: {
        this.next()
        return this.parenthesised()
      }
      case 91: {
        this.next()
        const saved = this.noStruct
        this.noStruct = false
        this.wanted = false
        while (!this.is(93) && !this.is(T.eof) && !this.isClose()) {
          const at = this.start
          if (this.is(35)) this.attributes()
          this.expression()
          this.use(ResultUse.argument)
          if (!this.accept(44) && !this.accept(59)) {
            if (this.is(93)) break
            this.error()
            if (this.start === at) {
              this.skipToken()
            }
          }
        }
        this.noStruct = saved
        this.closeGroup(93)
        return this.setLiteral(names.list)
      }
      case 123:
        return this.block()
      case T.if:
        return this.ifExpression()
      case T.match:
        return this.matchExpression()
      case T.while: {
        this.next()
        builder.openScope()
        builder.branch()
        this.wanted = false
        this.condition()
        this.use(ResultUse.condition)
        this.block()
        builder.closeScope()
        return this.setNone()
      }
      case T.for: {
        this.next()
        if (this.is(60)) {
          // `for<'a> |x| …`
          builder.openScope()
          this.genericParameters()
          this.accept(T.async)
          this.accept(T.move)
          if (this.is(124)) this.closure(-1)
          builder.closeScope()
          return this.setNone()
        }
        builder.openScope()
        builder.branch()
        const from = this.bound
        this.pattern()
        const at = this.start
        if (this.accept(T.in)) {
          this.wanted = true
          this.condition()
          this.use(ResultUse.argument)
        }
        let subject = -1
        if (this.needsSubject(from)) {
          const x = this.value()
          if (x >= 0) subject = builder.expression(Op.element, x)
        }
        this.bindPattern(from, subject, Math.max(at, this.before))
        this.block()
        builder.closeScope()
        return this.setNone()
      }
      case T.loop:
        this.next()
        builder.branch()
        this.wanted = false
        this.block()
        return this.setNone()
      case T.lifetime:
        // A label, or a lifetime among macro tokens.
        this.next()
        if (this.accept(58)) return this.labelled()
        return this.setNone()
      case T.unsafe:
        this.next()
        if (this.is(123)) return this.block()
        return this.setNone()
      case T.async:
        this.next()
        this.accept(T.move)
        if (this.is(123)) {
          this.wanted = false
          this.block()
          return this.setNone()
        }
        if (this.is(124)) return this.closure(-1)
        return this.setNone()
      case T.const:
        this.next()
        if (this.is(123)) return this.block()
        if (this.is(124) || this.is(T.move) || this.is(T.async)) return this.primary()
        return this.setNone()
      case T.static:
        this.next()
        if (this.is(124) || this.is(T.move)) return this.primary()
        return this.setNone()
      case T.move:
        this.next()
        if (this.is(124)) return this.closure(-1)
        return this.setNone()
      case 124:
        return this.closure(-1)
      case T.return:
      case T.break:
      case T.yield: {
        const isReturn = this.is(T.return)
        this.next()
        if (this.is(T.lifetime)) this.next()
        if (this.startsOperand()) {
          this.wanted = false
          this.expression()
          if (isReturn) this.use(ResultUse.returned)
        }
        return this.setNone()
      }
      case T.continue:
        this.next()
        if (this.is(T.lifetime)) this.next()
        return this.setNone()
      case T.let:
        return this.letCondition()
      case T.dots:
        this.next()
        if (this.startsOperand()) this.operand()
        return this.setNone()
      case T.underscore:
        this.next()
        return this.setNone()
      case 36: // $
        this.next()
        if (this.is(T.crate)) return this.pathExpression()
        if (this.is(40)) {
          this.macroBody(0)
          return this.setNone()
        }
        if (this.is(T.identifier) || this.token >= T.as) this.next()
        return this.setNone()
      case T.fn:
      case T.struct:
      case T.enum:
      case T.mod:
      case T.trait:
      case T.type:
        if (this.lenient > 0) {
          this.next()
          if (this.is(T.identifier)) this.next()
          return this.setNone()
        }
        this.error()
        return this.setNone()
      case 35:
        if (this.lenient === 0) {
          const at = this.start
          this.attributes()
          if (this.start !== at) return this.primary()
        }
        return this.setNone()
      default:
        this.error()
        return this.setNone()
    }
  }

  private labelled(): void {
    if (this.is(T.loop) || this.is(T.while) || this.is(T.for)) return this.primary()
    if (this.is(123)) return this.block()
    this.setNone()
  }

  private parenthesised(): void {
    const { builder } = this
    const saved = this.noStruct
    this.noStruct = false
    const parts: Array<number> = []
    const wanted = this.wanted
    let comma = false
    while (!this.is(41) && !this.is(T.eof) && !this.isClose()) {
      const at = this.start
      if (this.is(35)) this.attributes()
      this.expression()
      if (this.is(44)) {
        this.next()
        comma = true
        if (wanted) parts.push(this.value())
        this.use(ResultUse.argument)
      } else if (this.is(41)) {
        if (comma && wanted) parts.push(this.value())
      } else {
        this.error()
        if (this.start === at) {
          this.skipToken()
        }
      }
    }
    this.noStruct = saved
    this.closeGroup(41)
    if (comma) this.setMade(parts.length > 0 ? builder.withArguments(Op.tuple, 0, parts) : -1)
  }

  /** A path as a value: name, call target, struct literal or macro call. */
  private pathExpression(): void {
    const { builder, names } = this
    let x = -1
    let first = true
    let qualifier = 0
    if (this.is(60)) {
      x = this.qualified()
      first = false
      if (!this.is(T.path)) return this.setMade(x)
      this.next()
    } else if (this.is(T.path)) this.next()
    for (;;) {
      const { name, start, token } = this
      let ref = -1
      if (token === T.identifier) {
        this.next()
        const after = this.token as number
        const last = after !== T.path
        if (last && after === 33 && this.opensAfter()) {
          // A macro call. `name ! [` can be nothing else.
          ref = first
            ? builder.reference(name, start, Role.macro, Space.type)
            : builder.memberReference(x >= 0 ? x : this.unknown, name, start, Role.macro)
          builder.setCall(ref, Role.macro, 0)
          this.next()
          if (this.is(T.identifier)) this.next()
          return this.macroCall(name)
        }
        if (first) {
          if (!last && (names.wordOf(name) & Word.primitive) !== 0) x = builder.expression(Op.literal, name)
          else if (!last) {
            // With type arguments it may be a function's name as well as a type's.
            const space = this.peek() === 60 ? Space.any : Space.type
            ref = builder.reference(name, start, Role.read, space)
            x = builder.nameExpression(name, start, space)
          } else if (after === 123 && this.structFollows(start)) {
            builder.reference(name, start, Role.new, Space.type)
            return this.structLiteral(builder.nameExpression(name, start, Space.type))
          } else {
            this.place = builder.reference(name, start, Role.read, Space.value)
            this.call = -1
            this.vk = V.name
            this.vn = name
            this.va = start
            return
          }
        } else {
          const receiver = x >= 0 ? x : this.unknown
          ref = builder.memberReference(receiver, name, start, Role.read)
          if (last) {
            if (after === 123 && this.structFollows(start)) {
              builder.setRole(ref, Role.new)
              return this.structLiteral(builder.expression(Op.member, receiver, name))
            }
            this.lastQualifier = qualifier
            this.vk = V.member
            this.vx = receiver
            this.vn = name
            this.place = ref
            this.call = -1
            return
          }
          x = builder.expression(Op.member, receiver, name)
        }
        qualifier = name
      } else if (first && token === T.Self) {
        this.next()
        x = this.selfType
      } else if (first && (token === T.self || token === T.super || token === T.crate)) {
        this.next()
        let supers = token === T.super ? 1 : 0
        let more = false
        while (this.is(T.path)) {
          this.next()
          if (!this.is(T.super)) {
            more = true
            break
          }
          supers++
          this.next()
        }
        x = this.modulePath(token, supers)
        first = false
        if (more) continue
        return this.setMade(x)
      } else if (!first && token === 60) {
        // Turbofish: `::<T>`
        if (x < 0) this.skipGeneric()
        else x = this.generic(x)
        if (this.is(T.path)) {
          this.next()
          continue
        }
        this.setMade(x)
        if (this.is(123) && x >= 0 && this.structFollows(start)) return this.structLiteral(x)
        return
      } else {
        if (this.lenient === 0) this.error()
        return this.setMade(x)
      }
      first = false
      if (this.is(T.path)) {
        this.next()
        if (this.is(60)) {
          // `name::<T>`: the arguments end the path, or stand within it.
          const target = x
          const place = ref
          if (x < 0) this.skipGeneric()
          else x = this.generic(x)
          if (this.is(T.path)) {
            this.next()
            continue
          }
          if (this.is(123) && this.structFollows(start)) return this.structLiteral(x)
          this.setMade(target)
          this.place = place
          return
        }
        continue
      }
      // Only `Self` gets here.
      if (this.is(123) && !this.noStruct) return this.structLiteral(x)
      return this.setMade(x)
    }
  }
  private opensAfter(): boolean {
    const c = this.peek()
    return c === 40 || c === 91 || c === 123
  }

  private structFollows(start: number): boolean {
    if (this.noStruct) return false
    if (this.lenient === 0) return true
    const c = this.bytes[start]!
    return c >= 65 && c <= 90
  }

  /** The fields of a struct literal at its `{`. */
  private structLiteral(type: number): void {
    const { builder } = this
    const saved = this.noStruct
    this.noStruct = false
    const instance = type >= 0 ? builder.expression(Op.instance, type) : this.unknown
    this.next()
    while (!this.is(125) && !this.is(T.eof) && !this.isClose()) {
      const at = this.start
      while (this.is(35)) this.attributeTokens()
      if (this.is(T.dots)) {
        this.next()
        this.wanted = false
        if (!this.is(125) && !this.is(44)) this.expression()
      } else if (this.is(T.identifier) || this.is(T.number)) {
        const { start } = this
        const field = this.is(T.number) ? builder.name(start, this.end) : this.name
        const named = this.peekIs(58, 58)
        if (named || this.lenient === 0 || this.peek() === 44 || this.peek() === 125) {
          this.next()
          builder.memberReference(instance, field, start, Role.write)
          if (named) {
            this.next()
            this.wanted = false
            if (type >= 0 && this.mayBeClosure())
              this.expected = builder.expression(Op.member, instance, field)
            this.expression()
            this.expected = -1
            this.use(ResultUse.assigned)
          } else builder.reference(field, start, Role.read, Space.value)
        }
      }
      if (!this.accept(44) && !this.is(125)) {
        this.error()
        if (this.start === at) {
          this.skipToken()
        }
      }
    }
    this.closeGroup(125)
    this.noStruct = saved
    this.setMade(type >= 0 ? instance : -1)
  }

  // ---- conditions, matches, closures --------------------------------------------------------------

  /** `let pattern = scrutinee` within a condition; names are bound in the open scope. */
  private letCondition(): void {
    const { builder } = this
    const from = this.bound
    const wanted = this.wanted
    this.next()
    this.pattern()
    let subject = -1
    if (this.accept(58)) {
      const x = this.type(Role.type)
      if (x >= 0) subject = builder.expression(Op.instance, x)
    }
    if (this.accept(61)) {
      this.wanted = true
      this.operand()
      this.operators(true)
      this.use(ResultUse.condition)
      if (subject < 0 && this.needsSubject(from)) subject = this.value()
    }
    this.bindPattern(from, subject, this.before)
    this.wanted = wanted
    this.setLiteral(this.names.boolean)
  }

  private ifExpression(): void {
    const { builder } = this
    const { wanted } = this
    let value = -1
    for (;;) {
      this.next()
      builder.openScope()
      builder.branch()
      this.wanted = false
      this.condition()
      this.use(ResultUse.condition)
      this.wanted = wanted && value < 0
      this.block()
      if (wanted && value < 0) value = this.value()
      builder.closeScope()
      if (!this.accept(T.else)) break
      if (this.is(T.if)) continue
      this.wanted = wanted && value < 0
      this.block()
      if (wanted && value < 0) value = this.value()
      break
    }
    this.wanted = wanted
    this.setMade(value)
  }

  private matchExpression(): void {
    const { builder } = this
    const { wanted } = this
    let value = -1
    this.next()
    this.wanted = true
    this.condition()
    this.use(ResultUse.condition)
    const subject = this.value()
    const saved = this.noStruct
    this.noStruct = false
    if (!this.is(123)) this.error()
    else {
      this.next()
      while (!this.is(125) && !this.is(T.eof) && !this.isClose()) {
        const at = this.start
        while (this.is(35)) this.attributeTokens()
        if (this.is(125)) break
        builder.openScope()
        const from = this.bound
        if (!this.is(T.underscore)) builder.branch()
        this.pattern()
        this.bindPattern(from, subject, 0)
        if (this.accept(T.if)) {
          this.wanted = false
          this.expression()
          this.use(ResultUse.condition)
        }
        if (this.accept(T.fatArrow)) {
          this.wanted = wanted && value < 0
          const block = this.is(123)
          if (block) {
            this.block()
            if (this.is(46) || this.is(63)) {
              this.postfix()
              this.operators(false)
            }
          } else this.expression()
          if (wanted && value < 0) value = this.value()
          if (!this.accept(44) && !block && !this.is(125)) this.error()
        } else {
          this.error()
          if (this.start === at) {
            this.skipToken()
          }
        }
        builder.closeScope()
      }
      this.closeGroup(125)
    }
    this.noStruct = saved
    this.wanted = wanted
    this.setMade(value)
  }

  /** A closure at its first `|`; `definition` is the one it is the body of, or -1. */
  private closure(definition: number): void {
    const { builder, expected } = this
    const saved = this.noStruct
    this.expected = -1
    builder.openScope(Scope.function)
    this.next()
    let count = 0
    const takes: Array<number> = []
    while (!this.is(124) && !this.is(T.eof) && !this.isClose()) {
      const at = this.start
      while (this.is(35)) this.attributeTokens()
      const from = this.bound
      this.patternNoTop()
      let subject = -1
      if (this.accept(58)) {
        const x = this.type(Role.parameter_type)
        subject = this.instanceOf(x)
      }
      if (subject < 0 && expected >= 0 && this.needsSubject(from))
        subject = builder.expression(Op.parameter, expected, count)
      takes.push(subject)
      count++
      this.bindPattern(from, subject, at)
      if (!this.accept(44) && this.start === at) {
        this.error()
        this.skipToken()
      }
    }
    if (this.is(124)) this.next()
    else this.error()
    if (this.accept(T.arrow)) {
      const x = this.type(Role.return_type)
      if (definition >= 0 && x >= 0) builder.setType(definition, builder.expression(Op.instance, x))
    }
    if (definition >= 0) {
      builder.setParameters(definition, count, count, false)
      this.takes(definition, takes)
      builder.setBody(definition, this.start)
    }
    const infer = definition >= 0 && builder.typeOf(definition) < 0
    this.wanted = infer
    if (definition >= 0) this.noStruct = false
    this.expression()
    this.use(ResultUse.returned)
    if (infer) builder.setType(definition, this.value())
    this.noStruct = saved
    builder.closeScope()
    this.setNone()
  }

  /** Notes the types of a definition's parameters, where one is known. */
  protected takes(definition: number, types: ReadonlyArray<number>): void {
    const { builder } = this
    if (types.some((x) => x >= 0)) builder.setTakes(definition, builder.withArguments(Op.tuple, 0, types))
  }

  // ---- blocks and statements ----------------------------------------------------------------------

  /** A block with its scope; afterwards the value is that of its tail where it was asked for. */
  protected override block(): void {
    if (!this.is(123)) {
      this.error()
      return this.setNone()
    }
    if (this.depth >= depthLimit) {
      this.error()
      this.skipGroup()
      return this.setNone()
    }
    this.builder.openScope()
    this.next()
    this.statements(false)
    this.builder.closeScope()
    this.closeGroup(125)
  }

  /** Statements up to a `}`, which is left. `body` says that the tail is what a function returns. */
  protected statements(body: boolean): void {
    const saved = this.noStruct
    const wanted = this.wanted
    this.noStruct = false
    this.depth++
    let value = -1
    while (!this.is(125) && !this.is(T.eof)) {
      const at = this.start
      value = this.statement(wanted, body)
      if (this.start === at && !this.is(T.eof)) {
        if (this.lenient > 0 && this.isClose()) break
        this.error()
        if (this.isOpen()) this.skipGroup()
        else this.next()
      }
    }
    this.depth--
    this.noStruct = saved
    this.wanted = wanted
    this.setMade(value)
  }

  /** One statement; the value when it turns out to be the tail and the value is wanted. */
  private statement(wanted: boolean, body: boolean): number {
    const { token } = this
    switch (token) {
      case 59:
        this.next()
        return -1
      case T.let:
        this.letStatement()
        return -1
    }
    if (this.startsItem() && this.statementItem()) return -1
    if (this.is(T.let)) {
      this.letStatement()
      return -1
    }
    this.wanted = wanted
    const first = this.token
    let lone =
      first === 123 ||
      first === T.if ||
      first === T.match ||
      first === T.while ||
      first === T.for ||
      first === T.loop ||
      (first === T.unsafe && this.peek() === 123) ||
      (first === T.const && this.peek() === 123) ||
      (first === T.lifetime && this.peekIs(58, 58))
    const braceMacro =
      (first === T.identifier || first === T.crate || first === T.self || first === T.super) &&
      this.braceMacro()
    if (lone || braceMacro) {
      this.depth++
      if (this.depth >= depthLimit) {
        this.error()
        this.skipToken()
        this.setNone()
      } else this.primary()
      this.depth--
      if (this.is(46) || this.is(63)) {
        this.postfix()
        this.operators(false)
        lone = false
      }
    } else this.expression()
    if (this.is(59)) {
      this.use(ResultUse.discarded)
      this.next()
      return -1
    }
    if (this.is(125)) {
      if (body) this.use(ResultUse.returned)
      return wanted ? this.value() : -1
    }
    if (!lone && !braceMacro && this.lenient === 0 && !this.is(T.eof)) {
      this.error()
    }
    return -1
  }

  /** Whether a macro call with braces starts here, which ends its statement: `name! { … }`, `path::name! { … }`. */
  private braceMacro(): boolean {
    const { bytes, length } = this
    let p = this.end
    for (;;) {
      while (p < length && bytes[p]! <= 32) p++
      if (bytes[p] !== 58 || bytes[p + 1] !== 58) break
      p += 2
      while (p < length && bytes[p]! <= 32) p++
      if (p >= length || !isWordStart(bytes[p]!)) return false
      while (p < length && isWordByte(bytes[p]!)) p++
    }
    if (bytes[p] !== 33) return false
    p++
    while (p < length && bytes[p]! <= 32) p++
    return bytes[p] === 123
  }

  private letStatement(): void {
    const { builder } = this
    const statement = this.start
    const from = this.bound
    this.next()
    const nameAt = this.is(T.mut) ? this.wordAfter(this.end) : this.start
    this.pattern()
    const sole = this.soleName(from)
    let subject = -1
    let typed = false
    if (this.accept(58)) {
      typed = true
      const x = this.type(Role.type)
      if (x >= 0) subject = builder.expression(Op.instance, x)
    }
    if (this.accept(61)) {
      if (sole !== 0 && !typed && !this.is(123) && this.closureFollows()) {
        // A closure with a name of its own.
        const definition = builder.openDefinition(kindNumber.function, sole, nameAt, statement, Flag.local)
        const async = this.accept(T.async)
        if (async) builder.addFlags(definition, Flag.async)
        this.accept(T.move)
        this.closure(definition)
        builder.setSignature(definition, statement, this.closureHead(statement))
        builder.closeDefinition(this.before)
        this.dropPattern(from)
        builder.bindDefinition(sole, definition, this.before, Space.value)
        this.accept(59)
        return this.setNone()
      }
      const needed = !typed && this.needsSubject(from)
      this.wanted = needed
      if (subject >= 0 && this.mayBeClosure()) this.expected = subject
      this.expression()
      this.expected = -1
      this.use(ResultUse.assigned)
      if (needed) subject = this.value()
      if (this.is(T.else)) {
        this.next()
        this.wanted = false
        this.block()
      }
    }
    this.bindPattern(from, subject, this.before)
    if (this.is(59)) this.next()
    else {
      this.error()
    }
    this.setNone()
  }
  private wordAfter(p: number): number {
    while (p < this.length && !isWordStart(this.bytes[p]!)) p++
    return p
  }
  private closureFollows(): boolean {
    const { token } = this
    if (token === 124) return true
    const c = this.peek()
    if (token === T.move) return c === 124
    if (token !== T.async) return false
    if (c !== 109) return c === 124
    // `async move |…|` rather than `async move { … }`.
    let p = this.wordAfter(this.end) + 4
    while (p < this.length && this.bytes[p]! <= 32) p++
    return this.bytes[p] === 124
  }
  /** Where the header of a closure bound by `let` ends: after its second `|`. */
  private closureHead(from: number): number {
    const { bytes } = this
    let p = from
    while (p < this.before && bytes[p] !== 124) p++
    p++
    while (p < this.before && bytes[p] !== 124) p++
    return Math.min(p + 1, this.before)
  }

  // ---- macros -------------------------------------------------------------------------------------

  /** A macro call at its bracket; its value is known for the commonest. */
  private macroCall(name: number): void {
    const { names } = this
    if (!this.isOpen()) {
      this.error()
      return this.setNone()
    }
    this.macroBody(name)
    if (name === names.format) this.setLiteral(names.string)
    else if (name === names.vec) this.setLiteral(names.list)
    else this.setNone()
  }

  /** Whether macro bodies may hold items: at module level, in `impl` and `trait` bodies. */
  protected itemsInMacro = false
  private readonly captures: Array<number> = []

  /** The tokens of a macro call at its bracket, read as expressions where they are some. */
  protected override macroBody(name: number): void {
    if (this.depth >= depthLimit) return this.skipGroup()
    const { builder, names } = this
    const close = this.is(40) ? 41 : this.is(91) ? 93 : 125
    const items = this.itemsInMacro
    const saved = this.noStruct
    const savedWanted = this.wanted
    const word = names.wordOf(name)
    const format = (word & Word.format) !== 0
    this.noStruct = false
    this.wanted = false
    this.lenient++
    this.depth++
    builder.openScope()
    this.next()
    if (this.is(T.string) && (name === names.env || name === names.optionEnv)) {
      builder.mark(Mark.env, this.contentStart, this.contentEnd)
    }
    if ((word & Word.matches) !== 0 && !this.is(close)) {
      this.expression()
      if (this.accept(44)) {
        const from = this.bound
        const subject = this.value()
        this.pattern()
        this.bindPattern(from, subject, 0)
        this.accept(T.if)
      }
    }
    const firstCapture = this.captures.length
    const named: Array<number> = []
    while (!this.is(T.eof) && !this.isClose()) {
      const at = this.start
      if (this.is(T.identifier)) {
        if (this.peekIs(61, 61) && !this.peekArrow()) {
          // A named argument or binding.
          named.push(this.name)
          this.next()
          this.next()
          continue
        }
        if (this.peekIs(58, 58)) {
          // A field or key.
          this.next()
          this.next()
          continue
        }
      }
      if (format && this.is(T.string)) this.formatString(this.contentStart, this.contentEnd)
      if (items && this.startsItem()) {
        this.statementItem()
        if (this.start !== at) continue
      }
      if (this.is(T.let)) this.letStatement()
      else {
        this.expression()
        this.use(ResultUse.argument)
      }
      if (this.start === at && !this.is(T.eof)) {
        if (this.isClose()) break
        if (this.isOpen()) this.skipGroup()
        else this.next()
      }
    }
    for (let i = firstCapture; i < this.captures.length; i += 2) {
      if (!named.includes(this.captures[i]!))
        builder.reference(this.captures[i]!, this.captures[i + 1]!, Role.read, Space.value)
    }
    this.captures.length = firstCapture
    builder.closeScope()
    this.depth--
    this.lenient--
    this.noStruct = saved
    this.wanted = savedWanted
    this.lenient++
    this.closeGroup(close)
    this.lenient--
    this.setNone()
  }
  private peekArrow(): boolean {
    return this.peekIs(61, 61) && !this.peekIs(61, 62)
  }

  /** Names captured by `{name}` in a format string. */
  private formatString(from: number, to: number): void {
    const { bytes } = this
    for (let p = from; p < to; p++) {
      if (bytes[p] !== 123) continue
      if (bytes[p + 1] === 123) {
        p++
        continue
      }
      const start = p + 1
      if (start >= to || !isWordStart(bytes[start]!)) continue
      let q = start
      while (q < to && isWordByte(bytes[q]!)) q++
      if (q < to && (bytes[q] === 125 || bytes[q] === 58)) {
        this.captures.push(this.builder.name(start, q), start)
        if (bytes[q] === 58) {
          // `{x:width$}`, `{x:.precision$}`
          for (let r = q + 1; r < to && bytes[r] !== 125; r++) {
            if (!isWordStart(bytes[r]!) || isWordByte(bytes[r - 1]!)) continue
            let s = r
            while (s < to && isWordByte(bytes[s]!)) s++
            if (s < to && bytes[s] === 36) this.captures.push(this.builder.name(r, s), r)
            r = s - 1
          }
        }
      }
      p = q
    }
  }
}

const sqlWords = ["SELECT", "INSERT INTO", "UPDATE", "DELETE FROM", "CREATE", "WITH", "ALTER", "DROP"].map(
  (w) => Uint8Array.from(w, (c) => c.charCodeAt(0))
)
