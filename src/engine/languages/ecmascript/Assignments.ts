/** Assignments, those among them that declare: fields, CommonJS exports, members attached from outside. */
import { Space } from "../FactsBuilder.ts"
import { Bind, Flag, kindNumber, Op, ResultUse, Role } from "../Vocabulary.ts"
import { startsName } from "./Lexer.ts"
import {
  lObject,
  thisExpression,
  thisInstance,
  thisUnknown,
  vExpression,
  vLiteral,
  vUnknown
} from "./Reader.ts"
import {
  kClass,
  kExports,
  kExtends,
  kFunction,
  kModule,
  kNew,
  kRequire,
  kVoid,
  lastReserved
} from "./Words.ts"
import { rootThis } from "./Functions.ts"
import { ExpressionReader } from "./Expressions.ts"

export abstract class AssignmentReader extends ExpressionReader {
  /** Names published through `exports`. */
  protected readonly published = new Set<number>()

  protected assigned(want: boolean, start: number): void {
    const { builder, pathLength, pathRoot } = this
    if (this.plainRef >= 0) builder.setRole(this.plainRef, Role.write)
    if (pathLength > 0) {
      if (pathRoot === rootThis) {
        if (pathLength === 1 && this.classFields !== undefined && this.thisKind === thisInstance)
          return this.fieldAssigned(start)
      } else if (!this.inFunction) {
        const { known, path1, path2 } = this
        if (pathLength === 1 && pathRoot === known.exports)
          return this.memberPublished(path1, start, this.pathAt)
        if (pathRoot === known.module && path1 === known.exports) {
          return pathLength === 1
            ? this.modulePublished(want)
            : this.memberPublished(path2, start, this.pathAt)
        }
        if (pathLength === 2 && path1 === known.prototype) return this.memberAttached(path2, start, true)
        if (pathLength === 1 && path1 !== known.prototype && pathRoot !== known.module) {
          if (this.functionAt(this.te) || this.ownsMembers(pathRoot))
            return this.memberAttached(path1, start, false)
        }
      }
    }
    let target = -1
    if (
      this.vk !== vUnknown &&
      this.vk !== vLiteral &&
      (this.functionAt(this.te) || (this.types && this.following === 123))
    )
      target = this.value()
    this.next()
    this.expected = target
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
    if (word === kExports || word === kModule) {
      // A chain of assignments: every name of it stands for what the last one is given.
      const before = this.publishedLast
      this.publishedLast = -1
      this.next()
      this.assign(false)
      if (this.publishedLast >= 0 && !this.published.has(name)) {
        this.published.add(name)
        this.publish(name, 0, at, this.publishedLast)
      } else this.publishedLast = before
      return this.forget()
    }
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
    this.publishedLast = definition
    this.setExpression(builder.expression(Op.name, name, Bind.definition, definition))
  }
  /** The definition published last. */
  private publishedLast = -1

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
        const definition = builder.openDefinition(
          kind,
          name,
          nameAt,
          this.ts,
          Flag.exported | Flag.defaultExport
        )
        this.publish(known.default, 0, at, definition)
        this.object(definition, 1, true)
        builder.setType(definition, this.literal(lObject))
        this.afterLiteral()
        builder.closeDefinition(this.prevEnd)
        return this.forget()
      }
      const definition = this.valueDefinition(
        kind,
        name,
        nameAt,
        q,
        Flag.exported | Flag.defaultExport,
        -1,
        0
      )
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
    const definition = builder.openDefinition(
      kindNumber.constant,
      known.default,
      at,
      this.ts,
      Flag.exported | Flag.defaultExport
    )
    this.assign(true)
    builder.setType(definition, this.value())
    builder.closeDefinition(this.prevEnd)
    this.publish(known.default, 0, at, definition)
    this.forget()
  }
  /** `module.exports = require(module)` */
  abstract republish(module: number, at: number): void

  /** `Foo.name = …` and `Foo.prototype.name = …` at top level. */
  private memberAttached(name: number, start: number, ofInstance: boolean): void {
    const { builder, pathAt: at, pathRoot, pathRootAt } = this
    const callable = this.functionAt(this.te)
    const isClass = this.wordNumber(this.after(this.te)) === kClass
    const kind = callable ? kindNumber.method : isClass ? kindNumber.class : kindNumber.property
    const owner = builder.nameExpression(pathRoot, pathRootAt, Space.value)
    const definition = this.valueDefinition(
      kind,
      name,
      at,
      start,
      ofInstance ? 0 : Flag.static,
      owner,
      pathRoot
    )
    this.setExpression(builder.typeOf(definition))
  }

  /** Opens a definition and reads the value behind `=` into it. */
  private valueDefinition(
    kind: number,
    name: number,
    at: number,
    start: number,
    flags: number,
    owner: number,
    container: number
  ): number {
    const { builder } = this
    const definition = builder.openDefinition(kind, name, at, start, flags)
    if (owner >= 0) builder.setOwner(definition, owner, container)
    this.document(definition, this.statementDocStart, this.statementDocEnd)
    this.statementDocStart = -1
    this.next()
    if (kind === kindNumber.function || kind === kindNumber.method) {
      if (owner >= 0 && (flags & Flag.static) !== 0 && !this.ownsMembers(container))
        this.expected = builder.expression(Op.member, owner, name)
      const self = owner < 0 ? -1 : (flags & Flag.static) !== 0 ? owner : builder.expression(Op.selfOf, owner)
      this.functionValue(definition, start, self < 0 ? thisUnknown : thisExpression, self)
    } else if (kind === kindNumber.class) {
      this.classValue(definition, start)
      this.afterLiteral()
    } else {
      if (this.at(123)) {
        this.object(definition, 1, false)
        builder.setType(definition, this.literal(lObject))
        this.afterLiteral()
      } else {
        this.assign(true)
        if (this.callRef >= 0) builder.setUse(this.callRef, ResultUse.assigned)
        builder.setType(definition, this.value())
      }
      builder.setSignature(definition, start, this.headEnd(start, this.prevEnd))
    }
    builder.closeDefinition(this.prevEnd)
    this.callRef = this.plainRef = -1
    return definition
  }
  protected statementDocStart = -1
  protected statementDocEnd = -1
}
