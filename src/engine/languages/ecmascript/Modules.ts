/** Imports and exports, of ECMAScript modules and CommonJS. */
import { Space } from "../FactsBuilder.ts"
import { Flag, ImportFlag, kindNumber, Role } from "../Vocabulary.ts"
import { ClassReader } from "./Classes.ts"
import { startsName, tEof, tName, tString } from "./Lexer.ts"
import { lObject, thisUnknown } from "./Reader.ts"
import {
  kAs,
  kAssert,
  kAwait,
  kDefault,
  kFrom,
  kImport,
  kNamespace,
  kRequire,
  kType,
  kWith
} from "./Words.ts"

interface Specifier {
  readonly imported: number
  readonly local: number
  readonly flags: number
  readonly at: number
  readonly localAt: number
}

export abstract class ModuleReader extends ClassReader {
  /** Exports to be told at the end of the file, when all its definitions are known. */
  private readonly exports: Array<
    readonly [exported: number, local: number, at: number, definition: number]
  > = []

  protected override start(...args: Parameters<ClassReader["start"]>): void {
    super.start(...args)
    this.exports.length = 0
    this.published.clear()
    this.lastRequire = -1
    this.lastRequireModule = 0
  }

  publish(exported: number, local: number, at: number, definition: number): void {
    this.exports.push([exported, local, at, definition])
  }
  republish(module: number, at: number): void {
    this.builder.export(this.known.star, 0, module, 0, at)
    this.builder.export(this.known.default, 0, module, this.known.default, at)
  }
  republishAll(module: number, at: number): void {
    this.builder.export(this.known.star, 0, module, 0, at)
  }

  /** Tells the exports of the file. */
  protected tellExports(): void {
    const { builder } = this
    for (const [exported, local, at, definition] of this.exports) {
      let found = definition
      if (found < 0 && local !== 0) {
        const extra = Flag.exported | (exported === this.known.default ? Flag.defaultExport : 0)
        for (const d of this.topLevel.get(local) ?? []) {
          builder.addFlags(d, extra)
          // A value goes before a type, an implementation before its overload signatures.
          if (found < 0 || (builder.flagsOf(found) & (Flag.typeOnly | Flag.declaration)) !== 0) found = d
        }
      }
      builder.export(
        exported,
        local === 0 && found >= 0 ? builder.nameOfDefinition(found) : local,
        0,
        0,
        at,
        found
      )
    }
  }

  // ---- import -----------------------------------------------------------------------------------

  /** A declaration at `import`. */
  protected importDeclaration(start: number, exported: boolean): void {
    const { builder, known } = this
    this.next()
    if (this.at(tString)) {
      this.noticeModule(this.memberName)
      builder.import(this.memberName, 0, 0, ImportFlag.sideEffect, this.ts)
      this.next()
      return this.attributes()
    }
    let flags = 0
    if (this.at(tName) && this.says(kType)) {
      // `import type from "m"` imports the default under the name `type`.
      const q = this.after(this.te)
      const c = this.b[q]!
      if (
        c === 123 ||
        c === 42 ||
        (startsName(c) &&
          (this.wordNumber(q) !== kFrom || this.wordNumber(this.after(this.wordEnd(q))) === kFrom))
      ) {
        flags = ImportFlag.typeOnly
        this.next()
      }
    }
    const specifiers: Array<Specifier> = []
    if (this.isName) {
      const local = this.name
      const at = this.ts
      this.next()
      if (this.at(61)) return this.importEquals(local, at, start, flags, exported)
      specifiers.push({ imported: known.default, local, flags: flags | ImportFlag.default, at, localAt: at })
      this.eat(44)
    }
    if (this.eat(42)) {
      this.eatWord(kAs)
      if (this.at(tName)) {
        specifiers.push({
          imported: 0,
          local: this.name,
          flags: flags | ImportFlag.namespace,
          at: this.ts,
          localAt: this.ts
        })
        this.next()
      }
    } else if (this.at(123)) {
      for (const s of this.specifiers(flags)) {
        specifiers.push(s.imported === known.default ? { ...s, flags: s.flags | ImportFlag.default } : s)
      }
    }
    this.eatWord(kFrom)
    const module = this.at(tString) ? this.memberName : 0
    if (module !== 0) {
      this.noticeModule(module)
      if (specifiers.length === 0) builder.import(module, 0, 0, ImportFlag.sideEffect | flags, this.ts)
      this.next()
    }
    for (const s of specifiers) {
      builder.bindImport(s.local, builder.import(module, s.imported, s.local, s.flags, s.at))
    }
    this.attributes()
  }

  /** `{ a, b as c, type D }` at its brace. */
  private specifiers(flags: number): ReadonlyArray<Specifier> {
    const out: Array<Specifier> = []
    this.next()
    while (!this.at(125) && !this.at(tEof)) {
      let own = flags
      if (this.at(tName) && this.says(kType)) {
        const q = this.after(this.te)
        if (startsName(this.b[q]!) && this.wordNumber(q) !== kAs) {
          own |= ImportFlag.typeOnly
          this.next()
        } else if (this.b[q] === 34 || this.b[q] === 39) this.next()
      }
      if (!this.at(tName) && !this.at(tString)) {
        this.builder.addParseError()
        if (this.at(59) || this.at(40)) break
        this.next()
        continue
      }
      const imported = this.memberName
      const at = this.ts
      let local = imported
      let localAt = at
      this.next()
      if (this.at(tName) && this.says(kAs)) {
        this.next()
        local = this.memberName
        localAt = this.ts
        this.next()
      }
      out.push({ imported, local, flags: own, at, localAt })
      if (!this.eat(44) && !this.at(125)) break
    }
    this.eat(125)
    return out
  }

  private importEquals(local: number, at: number, start: number, flags: number, exported: boolean): void {
    const { builder } = this
    this.next()
    if (this.at(tName) && this.says(kRequire)) {
      this.next()
      this.eat(40)
      if (this.at(tString)) {
        const module = this.memberName
        this.noticeModule(module)
        builder.bindImport(
          local,
          builder.import(
            module,
            0,
            local,
            flags | ImportFlag.namespace | (exported ? ImportFlag.reexport : 0),
            at
          )
        )
        this.next()
      }
      this.closeBracket(41)
    } else {
      const definition = builder.openDefinition(
        kindNumber.type_alias,
        local,
        at,
        start,
        exported ? Flag.exported : 0
      )
      const type = this.typeAs(Role.type, true)
      builder.setType(definition, type)
      builder.setSignature(definition, start, this.prevEnd)
      builder.closeDefinition(this.prevEnd)
      builder.bindDefinition(local, definition)
      if (builder.depth === 1) this.remember(local, definition)
    }
    this.eat(59)
  }

  private attributes(): void {
    if (this.at(tName) && (this.says(kWith) || (this.says(kAssert) && !this.nl)) && this.following === 123) {
      this.next()
      const end = this.balancedEnd(this.ts)
      if (end >= 0) this.jump(end)
    }
    this.eat(59)
  }

  private noticeModule(module: number): void {
    const runner = this.known.runners.get(module)
    if (runner === undefined) return
    this.testFile = true
    this.builder.setRunner(this.builder.nameOf(runner))
  }

  // ---- require ----------------------------------------------------------------------------------

  private requireModule = 0
  private requireMember = 0
  private requireEnd = -1
  private requireAwaits = false
  private requireText = 0

  /** Whether `require("m")`, `require("m").x` or `await import("m")` is all there is at `q`. */
  protected requireAt(q: number): boolean {
    const { b } = this
    q = this.after(q)
    let word = this.wordNumber(q)
    this.requireAwaits = word === kAwait
    if (this.requireAwaits) {
      q = this.after(q + 5)
      word = this.wordNumber(q)
      if (word !== kImport) return false
    } else if (word !== kRequire) return false
    this.requireText = q
    q = this.after(this.wordEnd(q))
    if (b[q] !== 40) return false
    q = this.after(q + 1)
    if (b[q] !== 34 && b[q] !== 39) return false
    const end = this.stringEnd(q)
    this.requireModule = this.builder.name(q + 1, Math.max(q + 1, end - 1))
    q = this.after(end)
    if (b[q] !== 41) return false
    this.requireEnd = q + 1
    q = this.after(q + 1)
    this.requireMember = 0
    if (b[q] === 46 && !this.requireAwaits && startsName(b[q + 1]!)) {
      const stop = this.wordEnd(q + 1)
      this.requireMember = this.builder.name(q + 1, stop)
      this.requireEnd = stop
      q = this.after(stop)
    }
    return (
      b[q] === 59 ||
      b[q] === 44 ||
      b[q] === 0 ||
      (this.crossed && b[q] !== 46 && b[q] !== 40 && b[q] !== 91 && b[q] !== 63)
    )
  }
  /** Records what {@link requireAt} found, bound to one name or to several taken from it, and continues behind it. */
  protected requireAs(names: ReadonlyArray<readonly [imported: number, local: number, at: number]>): void {
    const { builder, known, requireMember } = this
    const flags = this.requireAwaits || this.isLocal ? ImportFlag.dynamic : 0
    this.noticeModule(this.requireModule)
    if (!this.requireAwaits) {
      const ref = builder.reference(known.require, this.requireText, Role.read, Space.value)
      builder.setCall(ref, Role.call, 1)
    }
    for (const [imported, local, at] of names) {
      const taken = requireMember !== 0 ? requireMember : imported
      const extra = taken === 0 ? ImportFlag.namespace : taken === known.default ? ImportFlag.default : 0
      builder.bindImport(local, builder.import(this.requireModule, taken, local, flags | extra, at))
    }
    this.jump(this.requireEnd)
  }

  // ---- export -----------------------------------------------------------------------------------

  /** A declaration at `export`. */
  protected exportDeclaration(start: number, docStart: number, docEnd: number): void {
    const { builder, known } = this
    this.next()
    switch (this.token) {
      case 42: {
        // *
        const at = this.ts
        this.next()
        let exported = known.star
        if (this.at(tName) && this.says(kAs)) {
          this.next()
          exported = this.memberName
          this.next()
        }
        this.eatWord(kFrom)
        if (this.at(tString)) {
          builder.export(exported, 0, this.memberName, 0, at)
          this.next()
        }
        return this.attributes()
      }
      case 123:
        return this.exportList()
      case 61: // export = X
        this.next()
        return this.exportValue(start, docStart, docEnd)
      case 64:
        this.decorators()
        break
    }
    if (this.at(tName)) {
      if (this.says(kAs) && this.wordNumber(this.after(this.te)) === kNamespace) {
        this.next()
        this.next()
        this.next()
        this.eat(59)
        return
      }
      if (this.says(kType)) {
        const c = this.following
        if (c === 123 || c === 42) {
          this.next()
          if (this.at(123)) return this.exportList()
          const at = this.ts
          this.next()
          let exported = known.star
          if (this.eatWord(kAs)) {
            exported = this.memberName
            this.next()
          }
          this.eatWord(kFrom)
          if (this.at(tString)) {
            builder.export(exported, 0, this.memberName, 0, at)
            this.next()
          }
          return this.attributes()
        }
      }
      if (this.says(kDefault)) {
        this.next()
        if (this.at(64)) this.decorators()
        const flags = Flag.exported | Flag.defaultExport
        const at = this.ts
        this.declared = -1
        if (this.declaration(start, at, docStart, docEnd, flags, true)) {
          if (this.declared >= 0 && (builder.flagsOf(this.declared) & Flag.declaration) === 0)
            this.publish(known.default, 0, at, this.declared)
          return
        }
        return this.exportValue(start, docStart, docEnd)
      }
    }
    if (!this.declaration(start, start, docStart, docEnd, Flag.exported, false)) {
      builder.addParseError()
    }
  }

  /** The function, class or interface declared last. */
  protected declared = -1
  /** A declaration, if the current token starts one: with `single`, only those that `export default` may hold. */
  abstract declaration(
    start: number,
    headerStart: number,
    docStart: number,
    docEnd: number,
    flags: number,
    single: boolean
  ): boolean

  private exportList(): void {
    const { builder } = this
    const list = this.specifiers(0)
    if (this.at(tName) && this.says(kFrom)) {
      this.next()
      if (this.at(tString)) {
        const module = this.memberName
        for (const s of list) builder.export(s.local, 0, module, s.imported, s.at)
        this.next()
      }
      return this.attributes()
    }
    for (const s of list) {
      builder.reference(s.imported, s.at, Role.export)
      this.publish(s.local, s.imported, s.at, -1)
    }
    this.eat(59)
  }

  /** The value behind `export default` or `export =`. */
  private exportValue(start: number, docStart: number, docEnd: number): void {
    const { builder, known } = this
    const at = this.ts
    if (this.isName && !this.functionAt(at)) {
      const c = this.following
      if (c === 59 || c === 0 || this.crossedAfter()) {
        this.publish(known.default, this.name, at, -1)
        builder.reference(this.name, at, Role.export)
        this.next()
        this.eat(59)
        return
      }
    }
    const callable = this.functionAt(at)
    const definition = builder.openDefinition(
      callable ? kindNumber.function : kindNumber.constant,
      known.default,
      at,
      start,
      Flag.exported | Flag.defaultExport
    )
    this.document(definition, docStart, docEnd)
    this.expected = this.typeBehind()
    if (callable) this.functionValue(definition, start, thisUnknown, -1)
    else {
      if (this.at(123)) {
        this.object(definition, 1, false)
        builder.setType(definition, this.literal(lObject))
        this.afterLiteral()
      } else {
        this.expression(true)
        builder.setType(definition, this.value())
      }
      builder.setSignature(definition, start, this.headEnd(start, this.prevEnd))
    }
    builder.closeDefinition(this.prevEnd)
    this.publish(known.default, 0, at, definition)
    this.eat(59)
  }
  private crossedAfter(): boolean {
    const c = this.following
    return this.crossed && c !== 46 && c !== 40 && c !== 91 && c !== 96 && c !== 63
  }
}
