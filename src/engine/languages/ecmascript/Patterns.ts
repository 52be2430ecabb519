/** Binding patterns: read before the value they take apart is known, bound after. */
import { Space } from "../FactsBuilder.ts"
import { Flag, kindNumber, Op, Role } from "../Vocabulary.ts"
import { tEof, tName, tNumber, tSpread, tString } from "./Lexer.ts"
import { deepest } from "./Reader.ts"
import { TypeReader } from "./Types.ts"

// A pattern is read before the value it takes apart is known: flat records of six numbers.
const pParent = 0
const pStep = 1
const pKey = 2
const pName = 3
const pAt = 4
const pKeyAt = 5
const patternSize = 6
const stepMember = 1
const stepElement = 2
const stepSlot = 4
export const stepNone = 3

/** What the names of a pattern become. */
export const asLocal = 0
export const asHoisted = 1
export const asDefinition = 2

export abstract class PatternReader extends TypeReader {
  protected readonly pattern: Array<number> = []

  /** Reads a name or pattern into {@link pattern}; what it takes apart comes later. */
  protected readPattern(parent: number, step: number, key: number, keyAt = -1): void {
    if (this.depth > deepest) return this.skipRest()
    const index = this.pattern.length / patternSize
    if (this.at(123) || this.at(91)) {
      this.depth++
      this.pattern.push(parent, step, key, 0, this.ts, keyAt)
      if (this.at(123)) this.objectPattern(index)
      else this.arrayPattern(index)
      this.depth--
      return
    }
    if (this.at(tName)) {
      this.pattern.push(parent, step, key, this.name, this.ts, keyAt)
      this.next()
    }
  }
  private objectPattern(parent: number): void {
    this.next()
    while (!this.at(125) && !this.at(tEof)) {
      const at = this.ts
      if (this.eat(tSpread)) this.readPattern(parent, stepNone, 0)
      else if (this.at(tName) && this.following !== 58) {
        const { name } = this
        this.readPattern(parent, stepMember, name, this.ts)
      } else if (this.at(tName) || this.at(tString) || this.at(tNumber) || this.at(91)) {
        const computed = this.at(91)
        const key = this.propertyKey()
        if (this.eat(58)) this.readPattern(parent, computed ? stepElement : stepMember, key, at)
      }
      if (this.eat(61)) this.assign(false)
      if (this.eat(44)) continue
      if (this.at(125)) break
      this.builder.addParseError()
      if (this.at(41) || this.at(93) || this.at(59)) break
      if (this.ts === at) this.next()
    }
    this.eat(125)
  }
  private arrayPattern(parent: number): void {
    this.next()
    let slot = 0
    while (!this.at(93) && !this.at(tEof)) {
      const at = this.ts
      if (this.eat(44)) {
        slot++
        continue
      }
      const rest = this.eat(tSpread)
      this.readPattern(parent, rest ? stepNone : this.types ? stepSlot : stepElement, slot)
      if (this.eat(61)) this.assign(false)
      if (this.at(44) || this.at(93)) continue
      this.builder.addParseError()
      if (this.at(41) || this.at(125) || this.at(59)) break
      if (this.ts === at) this.next()
    }
    this.eat(93)
  }
  /** Declares the names of the pattern records from `base` on, `value` being what they take apart: its members are read. */
  protected bindPattern(base: number, value: number, as: number, flags: number, start: number): void {
    const { builder, pattern } = this
    const types: Array<number> = []
    const first = base / patternSize
    for (let p = base; p < pattern.length; p += patternSize) {
      const parent = pattern[p + pParent]! - first
      const of = parent < 0 ? value : types[parent]!
      const step = pattern[p + pStep]!
      const type =
        parent < 0
          ? value
          : of < 0 || step === stepNone
            ? -1
            : step === stepMember
              ? builder.expression(Op.member, of, pattern[p + pKey]!)
              : step === stepSlot
                ? builder.expression(Op.slot, of, pattern[p + pKey]!)
                : builder.expression(Op.element, of)
      types.push(type)
      if (step === stepMember && parent >= 0) {
        builder.memberReference(
          of < 0 ? this.unknown() : of,
          pattern[p + pKey]!,
          pattern[p + pKeyAt]!,
          Role.read
        )
      }
      const name = pattern[p + pName]!
      if (name === 0) continue
      const at = pattern[p + pAt]!
      if (as !== asDefinition) this.narrowed.delete(name)
      if (as === asDefinition) {
        const constant = (flags & Flag.readonly) !== 0
        const definition = builder.define(
          constant ? kindNumber.constant : kindNumber.variable,
          name,
          at,
          start,
          this.prevEnd,
          flags & ~Flag.readonly
        )
        builder.setType(definition, type)
        builder.setSignature(definition, start, this.headEnd(start, this.prevEnd))
        builder.bindDefinition(name, definition, constant ? at : 0, Space.value)
        this.remember(name, definition)
      } else if (as === asHoisted) builder.bindLocalOuter(builder.depth - this.fnDepth, name, type)
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
}
