/** Imports, and the names a module publishes. */
import { ImportFlag } from "../Vocabulary.ts"
import { FrameKind } from "./Frame.ts"
import { NameReader } from "./Names.ts"
import { Token } from "./Token.ts"
import { Word } from "./Words.ts"

export abstract class ImportReader extends NameReader {
  /** The file is the face of a package. */
  protected packageFile = false
  /** Whether the statements read are seen by type checkers only. */
  protected typeOnly = false
  /** How many exception handlers the statements read are in. */
  protected handling = 0
  protected usesUnittest = false
  protected usesPytest = false
  /** Names in `__all__` with their offsets. */
  protected readonly published: Array<number> = []

  protected override open(): void {
    super.open()
    this.typeOnly = this.usesUnittest = this.usesPytest = false
    this.handling = 0
    this.published.length = 0
  }

  protected importFlags(): number {
    return (
      (this.typeOnly ? ImportFlag.typeOnly : 0) |
      (this.packageFile && this.frame.kind === FrameKind.module ? ImportFlag.reexport : 0)
    )
  }
  protected bindImported(local: number, index: number, at: number): void {
    // The first of several alternatives counts, unless it was a handler's.
    if (this.frame.imported.has(local) && this.handling > 0) return
    this.frame.imported.add(local)
    this.shadow(local)
    this.facts.bindImport(local, index, at)
  }
  /** `a.b.c`; returns its number, 0 when there is none. */
  protected dotted(): number {
    const from = this.start
    if (!this.is(Token.name)) return 0
    if (this.word === Word.unittest) this.usesUnittest = true
    else if (this.word === Word.pytest) this.usesPytest = true
    this.next()
    let plain = true
    let to = this.lastEnd
    while (this.is(Token.dot)) {
      if (this.start !== to) plain = false
      this.next()
      if (this.is(Token.name) || this.token >= Token.false) {
        if (this.start !== this.lastEnd) plain = false
        this.next()
      } else {
        this.facts.addParseError()
        break
      }
      to = this.lastEnd
    }
    if (plain) return this.facts.name(from, to)
    return this.facts.nameOf(new TextDecoder().decode(this.b.subarray(from, to)).replace(/[\s\\]+/g, ""))
  }
  protected importModules(): void {
    const { facts } = this
    this.next()
    for (;;) {
      const { start, id } = this
      if (!this.is(Token.name)) {
        facts.addParseError()
        return
      }
      const module = this.dotted()
      let local = id
      let at = start
      if (this.is(Token.as)) {
        this.next()
        if (this.is(Token.name)) {
          local = this.id
          at = this.start
          this.next()
        } else facts.addParseError()
      }
      this.bindImported(
        local,
        facts.import(module, 0, local, ImportFlag.namespace | this.importFlags(), at),
        at
      )
      if (!this.is(Token.comma)) return
      this.next()
    }
  }
  protected importNames(): void {
    const { facts } = this
    this.next()
    let level = 0
    while (this.is(Token.dot) || this.is(Token.ellipsis)) {
      level += this.is(Token.dot) ? 1 : 3
      this.next()
    }
    const module = this.dotted()
    if (!this.expect(Token.import)) return
    if (this.is(Token.star)) {
      facts.import(module, 0, 0, ImportFlag.wildcard | this.importFlags(), this.start, level)
      return this.next()
    }
    const grouped = this.is(Token.openParen)
    if (grouped) this.next()
    while (this.is(Token.name)) {
      const { id, start } = this
      let local = id
      this.next()
      if (this.is(Token.as)) {
        this.next()
        if (this.is(Token.name)) {
          local = this.id
          this.next()
        } else facts.addParseError()
      }
      const flags =
        this.importFlags() |
        (local === id && this.lastEnd !== start + this.lengthOf(start) ? ImportFlag.reexport : 0)
      this.bindImported(local, facts.import(module, id, local, flags, start, level), start)
      if (!this.is(Token.comma)) break
      this.next()
    }
    if (grouped) this.closing(Token.closeParen)
  }
  protected isAll(id: number): boolean {
    const { classes } = this.words
    return id < classes.length && classes[id] === Word.all
  }
  /** At the value of `__all__`: the strings in it are names the module publishes. */
  protected publish(): void {
    const back = this.remember()
    let depth = 0
    for (;;) {
      const t = this.token
      if (t === Token.end || (t === Token.newline && depth <= 0)) break
      if (t === Token.openParen || t === Token.openBracket) depth++
      else if (t === Token.closeParen || t === Token.closeBracket) depth--
      else if (t === Token.formatted) this.skipFormatted()
      else if (t === Token.string && this.contentEnd > this.contentStart) {
        this.published.push(this.facts.name(this.contentStart, this.contentEnd), this.contentStart)
      }
      if (t === Token.newline) break
      this.next()
    }
    this.rewind(back)
  }
}
