/** What assigned names become: definitions of the module or class, or local variables. */
import { Flag, kindNumber, Role } from "../Vocabulary.ts"
import { ExpressionReader } from "./Expressions.ts"
import { Frame, FrameKind } from "./Frame.ts"
import { Word } from "./Words.ts"

export abstract class NameReader extends ExpressionReader {
  protected readonly globals = new Set<number>()
  private readonly assignedGlobals = new Map<number, number>()

  protected override open(): void {
    super.open()
    this.frame = new Frame(FrameKind.module, -1, undefined, undefined)
    this.frameDepth = 1
    this.globals.clear()
    this.assignedGlobals.clear()
  }

  /** Visible to other files by the language's custom: no leading underscore, or two on both sides. */
  protected visibility(at: number, end: number, member: boolean): number {
    const { b } = this
    if (b[at] !== 95) return Flag.exported
    if (b[at + 1] !== 95) return member ? Flag.protected : 0
    if (end - at > 4 && b[end - 1] === 95 && b[end - 2] === 95) return Flag.exported
    return member ? Flag.private : 0
  }
  /** As {@link visibility}, for a definition in the frame the reader is in. */
  protected visible(at: number, end: number, member: boolean): number {
    return this.frame.local ? Flag.local : this.visibility(at, end, member)
  }
  protected isConstant(at: number, end: number): boolean {
    const { b } = this
    let letters = 0
    for (let p = at; p < end; p++) {
      const c = b[p]!
      if (c >= 97 && c <= 122) return false
      if (c >= 65 && c <= 90) letters++
    }
    return letters > 0
  }
  protected lengthOf(at: number): number {
    const { b } = this
    let p = at
    for (;;) {
      const c = b[p]!
      if (c === 95 || c >= 128 || (c >= 48 && c <= 57) || (c >= 65 && c <= 90) || (c >= 97 && c <= 122)) p++
      else return p - at
    }
  }
  protected startsWith(at: number, word: string): boolean {
    for (let i = 0; i < word.length; i++) if (this.b[at + i] !== word.charCodeAt(i)) return false
    return true
  }

  /** A variable of the module or a field of the class the reader is in; -1 when the name has one already or gets none. */
  protected declare(id: number, at: number, start: number, shared = true): number {
    const { facts, frame, words } = this
    if (frame.names.has(id) || frame.imported.has(id)) return -1
    const word = id < words.classes.length ? words.classes[id]! : 0
    if (word === Word.slots || id === words.blank) return -1
    const end = at + this.lengthOf(at)
    const member = frame.kind === FrameKind.class
    const kind = member
      ? frame.isEnum
        ? kindNumber.enum_member
        : kindNumber.field
      : this.isConstant(at, end)
        ? kindNumber.constant
        : kindNumber.variable
    const flags = this.visible(at, end, member) | (member && shared && !frame.isEnum ? Flag.static : 0)
    const definition = facts.define(kind, id, at, start, end, flags)
    frame.names.set(id, definition)
    this.shadow(id)
    facts.bindDefinition(id, definition, at)
    return definition
  }
  /** A function assigns a name it declared `global`. */
  protected publishes(id: number, at: number): void {
    if (this.globals.has(id) && !this.assignedGlobals.has(id)) this.assignedGlobals.set(id, at)
  }
  /** Variables of the module that only functions assign. Call at the end of the file. */
  protected declareGlobals(): void {
    for (const [id, at] of this.assignedGlobals) if (!this.declared(id)) this.declare(id, at, at)
  }
  protected shadow(id: number): void {
    const { classes } = this.words
    if (id < classes.length && classes[id] === Word.scalar) this.shadows.add(id)
  }
  protected declared(id: number): boolean {
    return this.frame.names.has(id) || this.frame.imported.has(id)
  }

  /** A name that is assigned. `reference` is the reference it was read as, -1 when there is none yet. */
  protected bindTarget(id: number, at: number, value: number, reference: number): void {
    const { facts, frame } = this
    if (frame.outer?.has(id)) {
      if (reference < 0) facts.reference(id, at, Role.write)
      else facts.setRole(reference, Role.write)
      this.publishes(id, at)
      return
    }
    if (frame.kind === FrameKind.function) {
      if (reference >= 0) facts.setRole(reference, Role.write)
      facts.bindLocal(id, value, this.lastEnd)
      return
    }
    const definition = this.declare(id, at, at)
    if (definition >= 0) facts.setType(definition, value)
    else if (reference < 0 && this.declared(id)) facts.reference(id, at, Role.write)
    if (reference >= 0) facts.setRole(reference, Role.write)
  }
  protected override bindVariable(id: number, at: number, value: number): void {
    const { frame, facts } = this
    if (frame.outer?.has(id) || (frame.kind !== FrameKind.function && this.declared(id)))
      facts.reference(id, at, Role.write)
    else facts.bindLocal(id, value, this.lastEnd)
  }
  protected override bindWalrus(id: number, at: number, value: number): void {
    const { frame, facts } = this
    if (frame.outer?.has(id)) return
    // Out of the brackets it may stand in.
    const up = facts.depth - this.frameDepth
    if (frame.kind === FrameKind.function) facts.bindLocalOuter(up, id, value, at)
    else if (!this.declared(id)) {
      const end = at + this.lengthOf(at)
      const kind = this.isConstant(at, end) ? kindNumber.constant : kindNumber.variable
      const definition = facts.define(
        frame.kind === FrameKind.class ? kindNumber.field : kind,
        id,
        at,
        at,
        end,
        this.visible(at, end, false)
      )
      facts.setType(definition, value)
      frame.names.set(id, definition)
      facts.bindDefinitionOuter(up, id, definition, at)
    }
  }
  /** How many scopes are open where the frame's own names live. */
  protected frameDepth = 1

  /** An attribute of the current instance that is assigned. */
  protected bindAttribute(id: number, at: number, value: number): boolean {
    const { facts, frame } = this
    const owner = frame.owner
    if (owner === undefined) return false
    const known = owner.attributes.get(id) ?? owner.names.get(id)
    if (known !== undefined) {
      if (value >= 0 && owner.untyped.has(id)) {
        facts.setType(known, value)
        owner.untyped.delete(id)
      }
      return false
    }
    const end = at + this.lengthOf(at)
    const { current } = facts
    facts.current = owner.definition
    const definition = facts.define(
      kindNumber.field,
      id,
      at,
      at,
      end,
      owner.local ? Flag.local : this.visibility(at, end, true)
    )
    facts.current = current
    facts.setType(definition, value)
    owner.attributes.set(id, definition)
    if (value < 0) owner.untyped.add(id)
    return true
  }

  protected override generator(): void {
    if (this.frame.kind === FrameKind.function && this.frame.definition >= 0)
      this.facts.addFlags(this.frame.definition, Flag.generator)
  }
}
