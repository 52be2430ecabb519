/**
 * Patterns. The names a pattern binds are collected together with how each is reached from the value matched, and
 * bound once that value's type is known: a pattern is written before its type and its initializer.
 */
import { Space } from "../FactsBuilder.ts"
import { Op, Role } from "../Vocabulary.ts"
import { T } from "./Names.ts"
import { depthLimit, TypeReader } from "./TypeReader.ts"

/** How a part of a value is reached from the whole. */
const Step = { slot: 0, unwrap: 1, element: 2, is: 3, unknown: 4 } as const
/** The whole value. */
const whole = -1

export abstract class PatternReader extends TypeReader {
  // Names bound by the patterns being read, newest last.
  protected bound = 0
  private boundNames = new Int32Array(256)
  private boundSteps = new Int32Array(256)
  // Steps: parent step, what, operand.
  private steps = 0
  private stepItems = new Int32Array(768)

  private step(parent: number, what: number, operand: number): number {
    const p = this.steps * 3
    if (p + 3 > this.stepItems.length) this.stepItems = doubled(this.stepItems)
    this.stepItems[p] = parent
    this.stepItems[p + 1] = what
    this.stepItems[p + 2] = operand
    return this.steps++
  }
  private binding(name: number, step: number): void {
    if (this.bound === this.boundNames.length) {
      this.boundNames = doubled(this.boundNames)
      this.boundSteps = doubled(this.boundSteps)
    }
    this.boundNames[this.bound] = name
    this.boundSteps[this.bound++] = step
  }

  /** Whether a name bound since `from` needs the type of the whole value. */
  protected needsSubject(from: number): boolean {
    for (let i = from; i < this.bound; i++) {
      let s = this.boundSteps[i]!
      while (s !== whole && this.stepItems[s * 3 + 1]! < Step.is) s = this.stepItems[s * 3]!
      if (s === whole) return true
    }
    return false
  }
  /** The name bound since `from` when it is the whole pattern; 0 otherwise. */
  protected soleName(from: number): number {
    return this.bound === from + 1 && this.boundSteps[from] === whole ? this.boundNames[from]! : 0
  }
  /** Binds the names collected since `from`; `subject` is the expression of the whole value or -1. */
  protected bindPattern(from: number, subject: number, visibleFrom: number): void {
    for (let i = from; i < this.bound; i++) {
      this.builder.bindLocal(
        this.boundNames[i]!,
        this.reach(this.boundSteps[i]!, subject, 0),
        visibleFrom,
        Space.value
      )
    }
    this.dropPattern(from)
  }
  protected dropPattern(from: number): void {
    this.bound = from
    if (from === 0) this.steps = 0
  }
  private reach(step: number, subject: number, depth: number): number {
    if (step === whole) return subject
    const p = step * 3
    const what = this.stepItems[p + 1]!
    const operand = this.stepItems[p + 2]!
    if (what === Step.is) return operand
    if (what === Step.unknown || depth > 12) return -1
    const x = this.reach(this.stepItems[p]!, subject, depth + 1)
    if (x < 0) return -1
    if (what === Step.slot) return this.builder.expression(Op.slot, x, operand)
    return this.builder.expression(what === Step.unwrap ? Op.unwrap : Op.element, x)
  }

  /** Alternatives included. */
  protected pattern(): void {
    this.alternatives(whole)
  }
  private alternatives(step: number): void {
    this.accept(124)
    this.single(step)
    while (this.is(124)) {
      this.next()
      this.single(step)
    }
  }
  /** One alternative only: closure parameters end at `|`. */
  protected patternNoTop(): void {
    this.single(whole)
  }

  private single(step: number): void {
    if (this.depth >= depthLimit) {
      this.error()
      this.skipToken()
      return
    }
    this.depth++
    this.singleBody(step)
    if (this.is(T.dots)) {
      // A range: `1..=9`, `A..`
      this.next()
      this.rangeEnd()
    }
    this.depth--
  }

  private rangeEnd(): void {
    this.accept(45)
    switch (this.token as number) {
      case T.number:
      case T.char:
      case T.string:
        this.next()
        return
      case T.identifier:
      case T.path:
      case T.self:
      case T.super:
      case T.crate:
      case T.Self:
        if (this.is(T.identifier) && this.name === 0) return
        this.typePath(Role.read)
        return
      case 60:
        this.type(Role.read)
    }
  }

  private singleBody(step: number): void {
    for (;;) {
      switch (this.token as number) {
        case 38:
        case T.ref:
        case T.mut:
          this.next()
          continue
        case T.underscore:
        case T.number:
        case T.string:
        case T.char:
        case T.true:
        case T.false:
          this.next()
          return
        case 45:
          this.next()
          continue
        case T.dots:
          // A rest pattern, or a range without a start.
          this.next()
          this.rangeEnd()
          return
        case 40:
          this.next()
          this.tuple(step)
          return
        case 91: {
          this.next()
          const element = this.step(step, Step.element, 0)
          while (!this.is(93) && !this.is(T.eof) && !this.isClose()) {
            const at = this.start
            this.alternatives(element)
            if (!this.accept(44) && this.start === at) {
              this.error()
              this.skipToken()
            }
          }
          this.closeGroup(93)
          return
        }
        case T.const:
          this.next()
          if (this.is(123)) this.block()
          return
        case 36:
        case 35:
          this.next()
          if (this.is(T.identifier)) this.next()
          else if (this.isOpen()) this.skipGroup()
          return
        case 60:
        case T.path:
        case T.self:
        case T.super:
        case T.crate:
        case T.Self:
        case T.identifier:
          this.named(step)
          return
        default:
          this.error()
          return
      }
    }
  }

  private tuple(step: number): void {
    let slot = 0
    let rest = false
    const from = this.bound
    const single = this.steps
    while (!this.is(41) && !this.is(T.eof) && !this.isClose()) {
      const at = this.start
      if (this.is(T.dots) && (this.peek() === 44 || this.peek() === 41)) {
        this.next()
        rest = true
      } else {
        this.alternatives(rest ? this.step(step, Step.unknown, 0) : this.step(step, Step.slot, slot))
        slot++
      }
      if (this.is(44)) this.next()
      else {
        if (this.is(41) && slot === 1 && !rest) this.unparenthesise(from, single, step)
        if (this.start === at) {
          this.error()
          this.skipToken()
        }
      }
    }
    this.closeGroup(41)
  }
  /** `(pattern)` is the pattern itself: its first step becomes the step around it. */
  private unparenthesise(from: number, single: number, step: number): void {
    for (let i = from; i < this.bound; i++) if (this.boundSteps[i] === single) this.boundSteps[i] = step
    for (let s = single + 1; s < this.steps; s++)
      if (this.stepItems[s * 3] === single) this.stepItems[s * 3] = step
  }

  /** A binding, a constant, or a path with the parts of a struct or variant. */
  private named(step: number): void {
    const { builder, names } = this
    const { name, start } = this
    if (this.is(T.identifier)) {
      const follows = this.peek()
      const capital = this.bytes[start]! >= 65 && this.bytes[start]! <= 90
      if (follows === 33 && this.peekIs(33, 61)) {
        builder.setCall(builder.reference(name, start, Role.macro, Space.type), Role.macro, 0)
        this.next()
        this.next()
        if (this.isOpen()) this.macroBody(name)
        return
      }
      const plain =
        follows !== 40 && follows !== 123 && follows !== 60 && !(follows === 58 && !this.peekIs(58, 58))
      if (plain || (follows === 123 && !capital)) {
        if (follows === 64) {
          this.next()
          this.next()
          this.binding(name, step)
          this.single(step)
          return
        }
        this.next()
        if (capital) builder.reference(name, start, Role.read, Space.value)
        else this.binding(name, step)
        return
      }
      if (follows === 40 && (name === names.Some || name === names.Ok || name === names.Err)) {
        this.next()
        builder.reference(name, start, Role.read, Space.value)
        this.next()
        const inner = name === names.Err ? this.step(step, Step.unknown, 0) : this.step(step, Step.unwrap, 0)
        while (!this.is(41) && !this.is(T.eof) && !this.isClose()) {
          const at = this.start
          this.alternatives(inner)
          if (!this.accept(44) && this.start === at) {
            this.error()
            this.skipToken()
          }
        }
        this.closeGroup(41)
        return
      }
    }
    const x = this.patternPath()
    if (this.is(40)) {
      this.next()
      let slot = 0
      let rest = false
      while (!this.is(41) && !this.is(T.eof) && !this.isClose()) {
        const at = this.start
        if (this.is(T.dots) && (this.peek() === 44 || this.peek() === 41)) {
          this.next()
          rest = true
        } else {
          const before = this.bound
          const part = rest || x < 0 ? this.step(step, Step.unknown, 0) : this.step(step, Step.unknown, slot)
          this.alternatives(part)
          if (!rest && x >= 0 && this.uses(before, part)) {
            const member = builder.expression(
              Op.member,
              builder.expression(Op.instance, x),
              this.slotName(slot)
            )
            this.stepItems[part * 3 + 1] = Step.is
            this.stepItems[part * 3 + 2] = member
          }
          slot++
        }
        if (!this.accept(44) && this.start === at) {
          this.error()
          this.skipToken()
        }
      }
      this.closeGroup(41)
      return
    }
    if (this.is(123)) {
      this.next()
      this.fields(step, x)
      return
    }
    if (this.is(33) && (this.peek() === 40 || this.peek() === 91)) {
      this.next()
      this.macroBody(0)
    }
  }

  /** Whether a name bound since `from` hangs on the step. */
  private uses(from: number, step: number): boolean {
    for (let i = from; i < this.bound; i++) {
      let s = this.boundSteps[i]!
      while (s > step) s = this.stepItems[s * 3]!
      if (s === step) return true
    }
    return false
  }

  private readonly slotNames: Array<number> = []
  /** The name of a positional field. */
  protected slotName(slot: number): number {
    return (this.slotNames[slot] ??= this.builder.nameOf(String(slot)))
  }

  private patternPath(): number {
    if (this.is(60)) return this.type(Role.read)
    return this.valuePath()
  }
  /** The path of a struct or variant in a pattern; parentheses after it are left alone. */
  private valuePath(): number {
    const { builder } = this
    let x = -1
    let first = true
    if (this.is(T.path)) this.next()
    for (;;) {
      const { name, start, token } = this
      if (first && token === T.Self) {
        this.next()
        x = this.selfType
      } else if (first && (token === T.self || token === T.super || token === T.crate)) {
        this.next()
        let supers = token === T.super ? 1 : 0
        while (this.is(T.path)) {
          this.next()
          if (!this.is(T.super)) {
            first = false
            break
          }
          supers++
          this.next()
        }
        x = this.modulePath(token, supers)
        if (first) return x
        continue
      } else if (token === T.identifier) {
        this.next()
        if (first) {
          builder.reference(
            name,
            start,
            Role.read,
            this.is(T.path) || this.is(123) ? Space.type : Space.value
          )
          x = builder.nameExpression(name, start, this.is(T.path) || this.is(123) ? Space.type : Space.value)
        } else {
          const receiver = x >= 0 ? x : this.unknown
          builder.memberReference(receiver, name, start, Role.read)
          x = builder.expression(Op.member, receiver, name)
        }
      } else return x
      first = false
      if (!this.is(T.path)) return x
      this.next()
      if (this.is(60)) {
        this.skipGeneric()
        if (!this.is(T.path)) return x
        this.next()
      }
    }
  }

  private fields(step: number, x: number): void {
    const { builder } = this
    const instance = x >= 0 ? builder.expression(Op.instance, x) : this.unknown
    while (!this.is(125) && !this.is(T.eof) && !this.isClose()) {
      const at = this.start
      while (this.is(35)) this.attributeTokens()
      if (this.is(T.dots)) this.next()
      else {
        while (this.is(T.ref) || this.is(T.mut)) this.next()
        if (this.is(T.identifier) || this.is(T.number)) {
          const { start } = this
          const name = this.is(T.number) ? builder.name(start, this.end) : this.name
          this.next()
          builder.memberReference(instance, name, start, Role.read)
          const part =
            x >= 0
              ? this.step(step, Step.is, builder.expression(Op.member, instance, name))
              : this.step(step, Step.unknown, 0)
          if (this.accept(58)) this.alternatives(part)
          else this.binding(name, part)
        }
      }
      if (!this.accept(44) && this.start === at) {
        this.error()
        this.skipToken()
      }
    }
    this.closeGroup(125)
  }
}

const doubled = (old: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> => {
  const out = new Int32Array(old.length * 2)
  out.set(old)
  return out
}
