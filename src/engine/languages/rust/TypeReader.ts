/**
 * Types, bounds and generic lists. Every reader returns the expression of what it read, or -1 when there is none
 * to tell, and never consumes a closing bracket that it did not open.
 */
import { Space } from "../FactsBuilder.ts"
import { Bind, Op, Role } from "../Vocabulary.ts"
import { Lexer } from "./Lexer.ts"
import { T, Word } from "./Names.ts"

/** Beyond this many nested constructs the rest of a bracket is skipped. */
export const depthLimit = 400

export abstract class TypeReader extends Lexer {
  protected depth = 0
  /** Above 0 inside macro bodies, where any token may appear: nothing there is an error. */
  protected lenient = 0
  /** Type expression of the enclosing `impl`, or the `Self` of the enclosing trait; -1 outside. */
  protected selfType = -1
  /** The `self` value there; -1 outside. */
  protected selfValue = -1
  /** Inline modules around the current place, outermost first. */
  protected readonly modules: Array<number> = []
  /** Name of the type read last, for members declared outside of it; 0 when it has none. */
  protected head = 0
  private readonly parts: Array<number> = []
  /** Type parameters in scope, newest last; items cut it back when they end. */
  protected readonly typeParameters: Array<number> = []

  protected abstract expression(): void
  protected abstract block(): void
  protected abstract macroBody(name: number): void

  protected error(): void {
    if (this.lenient === 0) this.builder.addParseError()
  }

  // ---- brackets -----------------------------------------------------------------------------------

  protected isOpen(): boolean {
    const t = this.token
    return t === 40 || t === 91 || t === 123
  }
  protected isClose(): boolean {
    const t = this.token
    return t === 41 || t === 93 || t === 125
  }
  /** Skips the bracket that opens at the current token, whatever it holds. */
  protected skipGroup(): void {
    let open = 0
    while (!this.is(T.eof)) {
      if (this.isOpen()) open++
      else if (this.isClose() && --open === 0) {
        this.next()
        return
      }
      this.next()
    }
  }
  /** Skips a token, or the bracket it opens; never a closing bracket. */
  protected skipToken(): void {
    if (this.isOpen()) this.skipGroup()
    else if (!this.isClose() && !this.is(T.eof)) this.next()
  }
  /** Consumes `close`, skipping what stands before it; stops at a bracket that closes something else. */
  protected closeGroup(close: number): void {
    if (this.is(close)) {
      this.next()
      return
    }
    this.error()
    while (!this.is(T.eof)) {
      if (this.is(close)) {
        this.next()
        return
      }
      if (this.isOpen()) this.skipGroup()
      else if (this.isClose()) return
      else this.next()
    }
  }
  protected accept(token: number): boolean {
    if (!this.is(token)) return false
    this.next()
    return true
  }

  // ---- paths --------------------------------------------------------------------------------------

  /**
   * The module that a leading `self`, `super` or `crate` stands for: an inline module of this file where it is one,
   * otherwise the free name `self` (the module of the file), `super` (its parent) or `crate`.
   */
  protected modulePath(keyword: number, supers: number): number {
    const { builder, modules, names } = this
    if (keyword === T.crate) return builder.expression(Op.name, names.crate, Bind.free, 0)
    const level = modules.length - supers
    if (level > 0) {
      const definition = modules[level - 1]!
      return builder.expression(Op.name, builder.nameOfDefinition(definition), Bind.definition, definition)
    }
    if (level === 0) return builder.expression(Op.name, names.self, Bind.free, 0)
    let x = builder.expression(Op.name, names.super, Bind.free, 0)
    for (let i = level + 1; i < 0; i++) x = builder.expression(Op.member, x, names.super)
    return x
  }

  /** A path of type position; references are made on the way, the last with `role`. */
  protected typePath(role: number): number {
    const { builder } = this
    let x = -1
    let first = true
    if (this.is(T.path)) this.next()
    for (;;) {
      const token = this.token
      const name = this.name
      const at = this.start
      if (token === T.Self && first) {
        this.next()
        x = this.selfType
        this.head = 0
      } else if ((token === T.self || token === T.super || token === T.crate) && first) {
        let supers = token === T.super ? 1 : 0
        this.next()
        while (this.is(T.path) && this.peekSuper()) {
          this.next()
          this.next()
          supers++
        }
        x = this.modulePath(token, supers)
      } else if (token === T.identifier) {
        this.next()
        const last = !this.is(T.path)
        this.head = name
        if (first) {
          if ((this.names.wordOf(name) & Word.primitive) !== 0) x = builder.expression(Op.literal, name)
          else {
            builder.reference(name, at, last ? role : Role.read, Space.type)
            x = builder.nameExpression(name, at, Space.type)
          }
        } else {
          const receiver = x >= 0 ? x : this.unknown
          builder.memberReference(receiver, name, at, last ? role : Role.read)
          x = builder.expression(Op.member, receiver, name)
        }
      } else {
        if (first) this.error()
        return x
      }
      first = false
      let more = false
      if (this.is(T.path)) {
        this.next()
        more = true
      }
      const head = this.head
      if (this.is(60)) {
        x = this.names.isPointer(head) ? this.pointer(x) : this.generic(x)
        more = this.accept(T.path)
      } else if (this.is(40)) {
        // `Fn(A, B) -> C`
        x = this.callable(Role.generic_arg, Role.generic_arg)
        more = false
      }
      this.head = head
      if (!more) return x
    }
  }

  private peekSuper(): boolean {
    const { bytes } = this
    let p = this.end
    while (p < this.length && (bytes[p] === 32 || bytes[p] === 10)) p++
    return (
      bytes[p] === 115 &&
      bytes[p + 1] === 117 &&
      bytes[p + 2] === 112 &&
      bytes[p + 3] === 101 &&
      bytes[p + 4] === 114 &&
      !(bytes[p + 5]! >= 97 && bytes[p + 5]! <= 122) &&
      bytes[p + 5] !== 95
    )
  }

  /** A path without generic arguments whose uses all have `role`, as in attributes. Ends after its last segment. */
  protected plainPath(role: number): void {
    const { builder } = this
    if (this.is(T.path)) this.next()
    let x = -1
    let first = true
    for (;;) {
      const { name, start, token } = this
      if (token === T.identifier) {
        this.next()
        if (first) builder.reference(name, start, role, Space.type)
        else builder.memberReference(x, name, start, role)
        if (this.is(T.path)) {
          x = first ? builder.nameExpression(name, start, Space.type) : builder.expression(Op.member, x, name)
        }
      } else if (first && (token === T.crate || token === T.self || token === T.super)) {
        this.next()
        x = this.modulePath(token, token === T.super ? 1 : 0)
      } else return
      first = false
      if (!this.is(T.path)) return
      this.next()
    }
  }

  private unknownExpression = -1
  /** The receiver nothing is known of. */
  protected get unknown(): number {
    if (this.unknownExpression < 0) this.unknownExpression = this.builder.expression(Op.unknown)
    return this.unknownExpression
  }

  // ---- types --------------------------------------------------------------------------------------

  /** Reads a type; uses of its outermost name get `role`, of its arguments `generic_arg`. */
  protected type(role: number): number {
    this.head = 0
    if (this.depth >= depthLimit) {
      this.error()
      this.skipToken()
      return -1
    }
    this.depth++
    const x = this.typeBody(role)
    this.depth--
    return x
  }

  private typeBody(role: number): number {
    const { builder, names } = this
    for (;;) {
      switch (this.token as number) {
        case 38: // &
          this.next()
          if (this.is(T.lifetime)) this.next()
          if (this.is(T.mut)) this.next()
          else if (this.is(T.identifier) && this.name === names.raw && this.peekWord()) this.next()
          continue
        case 42: // *
          this.next()
          if (this.is(T.const) || this.is(T.mut)) this.next()
          continue
        case 40: {
          // (
          this.next()
          const base = this.parts.length
          const tuple = this.typeParts(41, role)
          const { parts } = this
          let x = -1
          if (parts.length - base === 1 && !tuple) x = parts[base]!
          else if (parts.length > base) x = builder.withArguments(Op.tuple, 0, parts.slice(base))
          parts.length = base
          return x
        }
        case 91: {
          // [
          this.next()
          const element = this.type(role)
          if (this.accept(59)) this.expression()
          this.closeGroup(93)
          this.head = 0
          return builder.withArguments(Op.generic, builder.expression(Op.literal, names.array), [element])
        }
        case 33:
        case T.underscore:
          this.next()
          return -1
        case T.lifetime:
          this.next()
          return -1
        case T.for:
          this.next()
          if (this.is(60)) this.genericParameters()
          continue
        case T.async:
        case T.const:
          this.next()
          continue
        case T.unsafe:
          this.next()
          continue
        case T.extern:
          this.next()
          if (this.is(T.string)) this.next()
          continue
        case T.fn: {
          this.next()
          const x = this.callable(Role.parameter_type, Role.return_type)
          this.head = 0
          return x
        }
        case T.dyn:
        case T.impl:
          this.next()
          return this.bounds(role)
        case 60: {
          // <T as Trait>::X
          const x = this.qualified()
          return this.afterQualified(x, role)
        }
        case 63: // ?Sized
          this.next()
          continue
        case 123:
          if (this.lenient === 0) this.error()
          return -1
        case T.number:
        case T.string:
        case T.char:
        case T.true:
        case T.false:
          this.next()
          return -1
        case T.identifier:
        case T.path:
        case T.Self:
        case T.self:
        case T.super:
        case T.crate: {
          const macro = this.is(T.identifier) && this.peekIs(33, 61)
          if (macro) {
            const { name, start } = this
            builder.setCall(builder.reference(name, start, Role.macro, Space.type), Role.macro, 0)
            this.next()
            this.next()
            if (this.isOpen()) this.macroBody(name)
            return -1
          }
          const x = this.typePath(role)
          if (this.is(33) && (this.peek() === 40 || this.peek() === 91 || this.peek() === 123)) {
            this.next()
            this.macroBody(0)
            return -1
          }
          return x
        }
        case 36: // $name of a macro
          this.next()
          this.skipToken()
          return -1
        default:
          this.error()
          return -1
      }
    }
  }

  /** `<Type as Trait>` at its `<`; the value is the type, or the trait when the type is not known. */
  protected qualified(): number {
    this.next()
    const subject = this.type(Role.type)
    let x = subject
    if (this.accept(T.as)) {
      const trait = this.type(Role.type)
      if (x < 0) x = trait
    }
    this.closeAngle()
    return x
  }
  private afterQualified(from: number, role: number): number {
    const { builder } = this
    let x = from
    while (this.is(T.path)) {
      this.next()
      if (this.is(60)) {
        x = this.generic(x)
        continue
      }
      if (!this.is(T.identifier)) break
      const { name, start } = this
      this.next()
      const receiver = x >= 0 ? x : this.unknown
      builder.memberReference(receiver, name, start, this.is(T.path) ? Role.read : role)
      x = builder.expression(Op.member, receiver, name)
      this.head = name
      if (this.is(60)) x = this.generic(x)
    }
    return x
  }

  /** `(A, B) -> C` of a function type. */
  private callable(parameterRole: number, resultRole: number): number {
    const { builder, parts } = this
    const base = parts.length
    if (this.is(40)) {
      this.next()
      this.typeParts(41, parameterRole)
    }
    const takes = parts.slice(base)
    parts.length = base
    const result = this.accept(T.arrow) ? this.type(resultRole) : -1
    return builder.withArguments(
      Op.callable,
      this.instanceOf(result),
      takes.map((x) => this.instanceOf(x))
    )
  }
  protected instanceOf(type: number): number {
    return type < 0 ? -1 : this.builder.expression(Op.instance, type)
  }

  /** Types up to `close`, which is consumed, left on `parts`; says whether there was a comma. */
  private typeParts(close: number, role: number): boolean {
    let comma = false
    while (!this.is(close) && !this.is(T.eof) && !this.isClose()) {
      const at = this.start
      while (this.is(35)) this.attributeTokens()
      // Names of function pointer parameters and `...`.
      if ((this.is(T.identifier) || this.is(T.underscore)) && this.peekIs(58, 58)) {
        this.next()
        this.next()
      } else if (this.is(T.self) && this.peekIs(58, 58)) {
        this.next()
        this.next()
      }
      if (this.is(T.dots)) this.next()
      else this.parts.push(this.boundedType(role))
      if (this.accept(44)) comma = true
      else if (this.start === at) {
        this.error()
        this.skipToken()
      }
    }
    this.closeGroup(close)
    this.head = 0
    return comma
  }

  protected attributeTokens(): void {
    this.next()
    this.accept(33)
    if (this.is(91)) this.skipGroup()
  }

  /** A type that may be a bare trait object with several bounds. */
  protected boundedType(role: number): number {
    const x = this.type(role)
    while (this.is(43)) {
      this.next()
      if (this.is(T.lifetime)) this.next()
      else this.oneBound(role)
    }
    return x
  }

  /** `A + B + 'a`; the value is the first bound that is a trait. */
  protected bounds(role: number): number {
    let x = -1
    let head = 0
    do {
      const bound = this.oneBound(role)
      if (x < 0) {
        x = bound
        head = this.head
      }
    } while (this.accept(43))
    this.head = head
    return x
  }
  protected oneBound(role: number): number {
    if (this.is(T.lifetime)) {
      this.next()
      return -1
    }
    if (this.is(40)) {
      if (this.depth >= depthLimit) {
        this.error()
        this.skipGroup()
        return -1
      }
      this.depth++
      this.next()
      const x = this.bounds(role)
      this.closeGroup(41)
      this.depth--
      return x
    }
    // `?Sized`, `~const Trait`, `async Fn`, `use<'a, T>`
    while (this.is(63) || this.is(126) || this.is(T.const) || this.is(T.async)) this.next()
    if (this.is(T.use)) {
      this.next()
      if (this.is(60)) this.genericList()
      return -1
    }
    if (this.is(91) && this.lenient === 0) {
      // `[const] Trait`
      this.skipGroup()
    }
    if (this.is(T.for)) {
      this.next()
      if (this.is(60)) this.genericParameters()
      while (this.is(T.async)) this.next()
    }
    switch (this.token as number) {
      case T.identifier:
      case T.path:
      case T.Self:
      case T.self:
      case T.super:
      case T.crate:
      case 36:
      case T.dyn:
      case T.impl:
      case 60:
        return this.type(role)
      default:
        return -1
    }
  }

  /** Generic arguments at `<`, applied to `base`. */
  protected generic(base: number): number {
    const from = this.parts.length
    this.genericList()
    const { parts } = this
    let x = base
    if (base >= 0 && parts.length > from) x = this.builder.withArguments(Op.generic, base, parts.slice(from))
    parts.length = from
    return x
  }
  /** As {@link generic}; a pointer to a function is that function. */
  private pointer(base: number): number {
    const { builder, parts } = this
    const from = parts.length
    this.genericList()
    let x = base
    if (parts.length === from + 1 && parts[from]! >= 0 && builder.operatorOf(parts[from]!) === Op.callable)
      x = parts[from]!
    else if (base >= 0 && parts.length > from) x = builder.withArguments(Op.generic, base, parts.slice(from))
    parts.length = from
    return x
  }
  /** Generic arguments whose types nobody asks for. */
  protected skipGeneric(): void {
    const from = this.parts.length
    this.genericList()
    this.parts.length = from
  }

  private genericList(): void {
    this.next()
    if (this.depth >= depthLimit) {
      this.error()
      return
    }
    this.depth++
    while (!this.is(62) && !this.is(T.eof) && !this.isClose() && !this.is(59)) {
      const at = this.start
      switch (this.token as number) {
        case T.lifetime:
          this.next()
          break
        case 44:
          this.next()
          continue
        case T.number:
        case T.string:
        case T.char:
        case T.true:
        case T.false:
          this.next()
          this.parts.push(-1)
          break
        case 45:
          this.next()
          if (this.is(T.number)) this.next()
          this.parts.push(-1)
          break
        case 123:
          this.block()
          this.parts.push(-1)
          break
        default:
          if (this.is(T.identifier) && this.peekIs(61, 61)) {
            // Item = Type
            this.next()
            this.next()
            if (this.is(T.number) || this.is(123)) this.expression()
            else this.parts.push(this.boundedType(Role.generic_arg))
          } else if (this.is(T.identifier) && this.peekIs(58, 58)) {
            // Item: Bound
            this.next()
            this.next()
            this.parts.push(this.bounds(Role.generic_arg))
          } else {
            const x = this.boundedType(Role.generic_arg)
            if (this.is(61)) {
              // An associated type with arguments of its own.
              this.next()
              this.parts.push(this.boundedType(Role.generic_arg))
            } else this.parts.push(x)
          }
      }
      if (this.is(44)) this.next()
      else if (this.start === at) {
        this.error()
        this.skipToken()
      } else if (!this.is(62) && !this.isClose() && !this.is(T.identifier) && !this.is(T.lifetime)) break
    }
    this.depth--
    this.closeAngle()
  }
  protected closeAngle(): void {
    if (this.is(62)) this.next()
    else this.error()
  }

  // ---- declared generics --------------------------------------------------------------------------

  /** `<'a, T: Bound = Default, const N: usize>` at its `<`; binds the names in the open scope. */
  protected genericParameters(): void {
    const { builder } = this
    this.next()
    while (!this.is(62) && !this.is(T.eof) && !this.isClose()) {
      const at = this.start
      while (this.is(35)) this.attributeTokens()
      if (this.is(T.lifetime)) {
        this.next()
        if (this.accept(58)) this.bounds(Role.type)
      } else if (this.is(T.const)) {
        this.next()
        const { name } = this
        if (this.is(T.identifier)) {
          this.next()
          builder.bindLocal(name, -1, 0, Space.any)
        }
        if (this.accept(58)) this.type(Role.type)
        if (this.accept(61)) {
          if (this.is(123)) this.block()
          else {
            this.accept(45)
            this.type(Role.read)
          }
        }
      } else if (this.is(T.identifier)) {
        const { name } = this
        this.next()
        const bound = this.accept(58) ? this.bounds(Role.type) : -1
        builder.bindLocal(name, bound, 0, Space.type)
        this.typeParameters.push(name)
        if (this.accept(61)) this.type(Role.type)
      }
      if (this.is(44)) this.next()
      else if (this.start === at) {
        this.error()
        this.skipToken()
      } else if (!this.is(62)) break
    }
    this.closeAngle()
  }

  /** `where T: Bound, …` up to the body. A type parameter takes the bound given here. */
  protected whereClause(): void {
    if (!this.accept(T.where)) return
    const { builder } = this
    while (!this.is(123) && !this.is(59) && !this.is(61) && !this.is(T.eof) && !this.isClose()) {
      const at = this.start
      if (this.is(T.for)) {
        this.next()
        if (this.is(60)) this.genericParameters()
      }
      if (this.is(T.lifetime)) {
        this.next()
        if (this.accept(58)) this.bounds(Role.type)
      } else {
        const name = this.is(T.identifier) && this.peekIs(58, 58) ? this.name : 0
        this.type(Role.type)
        if (this.accept(58)) {
          const bound = this.bounds(Role.type)
          // Only a name that already is a type parameter may be rebound; others are concrete types.
          if (name !== 0 && bound >= 0 && this.typeParameters.includes(name))
            builder.bindLocal(name, bound, 0, Space.type)
        } else if (this.is(T.equal) || this.is(61)) {
          this.next()
          this.type(Role.type)
        }
      }
      if (this.is(44)) this.next()
      else if (this.start === at) {
        this.error()
        this.skipToken()
      }
    }
  }
}
