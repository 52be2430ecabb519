/** Lists of commands, compound commands and functions. */
import { Scope } from "../FactsBuilder.ts"
import { Flag, kindNumber, ResultUse } from "../Vocabulary.ts"
import { Byte, Class } from "./Characters.ts"
import { CommandReader, functionSpace } from "./Commands.ts"
import { Word } from "./Words.ts"

const { condition, discarded, unknown } = ResultUse

export abstract class StatementReader extends CommandReader {
  protected override substituted(use: number): void {
    this.statements(use)
    if (this.p < this.n && this.closers.paren === 0) this.error()
  }

  /** Reads statements up to what closes something that is open, or the end. `use` is what becomes of their commands' status. */
  protected statements(use: number): void {
    while (this.separators()) {
      const { p } = this
      if (this.closes()) return
      if (this.p > p) continue
      this.list(use)
      if (this.p === p) {
        this.error()
        this.p++
      } else this.separated()
    }
  }
  /** Skips what separates statements; false at the end. */
  private separators(): boolean {
    for (;;) {
      this.lines()
      const c = this.byte(this.p)
      const next = this.byte(this.p + 1)
      const separates =
        (c === Byte.semicolon && next !== Byte.semicolon && next !== Byte.and) ||
        (c === Byte.and && next !== Byte.and && next !== Byte.greater)
      if (!separates) return this.p < this.n
      this.p++
    }
  }
  /** A statement ends with the line, a separator or before what closes something. */
  private separated(): void {
    this.blanks()
    const c = this.byte(this.p)
    if (this.p >= this.n || c === Byte.line || c === Byte.semicolon || c === Byte.and) return
    if (c === Byte.hash || c === Byte.close || c === Byte.unbrace) return
    this.look()
    if (this.closer() < 0) this.error()
  }
  /** How many constructs are open that the reserved word looked at goes on with or closes; -1 for any other word. */
  private closer(): number {
    const { closers } = this
    switch (this.nameClass) {
      case Word.consequence:
      case Word.elif:
      case Word.else:
      case Word.fi:
        return closers.if
      case Word.do:
      case Word.done:
        return closers.loop
      case Word.esac:
        return closers.case
      default:
        return -1
    }
  }
  /** Whether something that is open is closed here. What closes nothing is an error and left out. */
  private closes(): boolean {
    const { closers } = this
    const c = this.byte(this.p)
    let open: number
    let end = this.p + 1
    if (c === Byte.close) open = closers.paren
    else if (c === Byte.semicolon) {
      open = closers.case
      end++
    } else if (c === Byte.unbrace && this.ends(end)) open = closers.brace
    else {
      this.look()
      open = this.closer()
      if (open < 0) return false
      end = -1
    }
    if (open > 0) return true
    this.error()
    if (end < 0) this.skipName()
    else this.p = end
    return false
  }

  /** Commands joined by `&&` and `||`. */
  private list(use: number): void {
    let call = this.pipeline()
    for (;;) {
      const { p } = this
      this.blanks()
      const c = this.byte(this.p)
      if ((c !== Byte.and && c !== Byte.pipe) || this.byte(this.p + 1) !== c) {
        this.p = p
        break
      }
      this.p += 2
      this.facts.branch()
      call = -1
      this.next()
    }
    if (call >= 0) this.facts.setUse(call, use)
  }
  /** What must follow an operator. */
  private next(): void {
    this.lines()
    const { p } = this
    this.pipeline()
    if (this.p === p) this.error()
  }
  /** Gives the call of a single command, else -1. */
  private pipeline(): number {
    let single = true
    for (;;) {
      if (this.byte(this.p) === Byte.bang && this.ends(this.p + 1)) {
        this.p++
        single = false
      } else {
        this.look()
        if (this.nameClass !== Word.time || !this.timed()) break
      }
      this.blanks()
    }
    const call = this.command()
    for (;;) {
      const { p } = this
      this.blanks()
      if (this.byte(this.p) !== Byte.pipe || this.byte(this.p + 1) === Byte.pipe) {
        this.p = p
        return single ? call : -1
      }
      this.p += this.byte(this.p + 1) === Byte.and ? 2 : 1
      single = false
      this.lines()
      const from = this.p
      this.command()
      if (this.p === from) this.error()
    }
  }
  /** The reserved word `time`, unless the program of that name is meant. */
  private timed(): boolean {
    const { p } = this
    this.skipName()
    const option = this.afterBlanks(this.p)
    if (this.byte(option) !== Byte.minus) return true
    if (this.byte(option + 1) === 112 && this.ends(option + 2)) {
      this.p = option + 2
      return true
    }
    this.p = p
    return false
  }

  private command(): number {
    if (!this.compound()) return this.simple()
    this.redirections()
    return -1
  }
  /** Reads a compound command, if there is one at the current offset. */
  private compound(): boolean {
    const c = this.byte(this.p)
    const next = this.byte(this.p + 1)
    let read: () => void
    if (c === Byte.open) read = this.parenthesis
    else if (c === Byte.brace && this.ends(this.p + 1)) read = this.group
    else if (c === Byte.bracket && next === Byte.bracket && this.ends(this.p + 2)) read = this.conditional
    else {
      this.look()
      switch (this.nameClass) {
        case Word.if:
          read = this.if
          break
        case Word.while:
        case Word.until:
          read = this.while
          break
        case Word.for:
        case Word.select:
          read = this.for
          break
        case Word.case:
          read = this.case
          break
        case Word.function:
          read = this.function
          break
        case Word.coproc:
          read = this.coprocess
          break
        default:
          return false
      }
    }
    if (!this.enter()) {
      this.p++
      return true
    }
    read.call(this)
    this.leave()
    return true
  }

  /** Arithmetic or a subshell. */
  private parenthesis(): void {
    if (this.byte(this.p + 1) === Byte.open && this.isArithmetic(this.p + 2)) {
      this.p += 2
      return this.arithmetic(Byte.close)
    }
    this.p++
    this.closers.paren++
    this.statements(unknown)
    this.closers.paren--
    this.close(Byte.close)
  }
  private group(): void {
    this.p++
    this.closers.brace++
    this.statements(discarded)
    this.closers.brace--
    this.close(Byte.unbrace)
  }
  private close(c: number): void {
    if (this.byte(this.p) === c) this.p++
    else this.error()
  }
  /** Goes past a reserved word; an error where there is another one. */
  private expect(word: number): boolean {
    this.look()
    if (this.nameClass === word) {
      this.skipName()
      return true
    }
    this.error()
    return false
  }

  private conditional(): void {
    const { b } = this
    this.p += 2
    let regex = false
    for (;;) {
      this.lines()
      const from = this.p
      const c = this.byte(from)
      if (from >= this.n) return this.error()
      if (c === Byte.unbracket && this.byte(from + 1) === Byte.unbracket && this.ends(from + 2)) {
        this.p += 2
        return
      }
      this.word(regex)
      if (this.p > from) {
        regex = this.p === from + 2 && c === Byte.equals && b[from + 1] === Byte.tilde
        continue
      }
      if (c === Byte.semicolon) return this.error()
      this.p++
    }
  }

  private if(): void {
    const { closers, facts } = this
    this.skipName()
    facts.branch()
    closers.if++
    this.statements(condition)
    if (this.expect(Word.consequence)) this.statements(condition)
    for (;;) {
      this.look()
      const word = this.nameClass
      if (word !== Word.elif && word !== Word.else) break
      this.skipName()
      if (word === Word.elif) {
        facts.branch()
        this.statements(unknown)
        this.expect(Word.consequence)
      }
      this.statements(unknown)
    }
    closers.if--
    this.expect(Word.fi)
  }

  private while(): void {
    this.skipName()
    this.facts.branch()
    this.closers.loop++
    this.statements(condition)
    this.loopBody()
  }
  /** The body of a loop that was counted as open. */
  private loopBody(): void {
    this.lines()
    if (this.byte(this.p) === Byte.brace && this.ends(this.p + 1)) {
      this.closers.loop--
      this.group()
      return
    }
    if (this.expect(Word.do)) this.statements(discarded)
    this.closers.loop--
    this.expect(Word.done)
  }

  private for(): void {
    const { facts } = this
    this.skipName()
    this.blanks()
    if (this.byte(this.p) === Byte.open && this.byte(this.p + 1) === Byte.open) this.counting()
    else {
      facts.branch()
      const from = this.p
      this.p = this.nameEnd(from)
      if (this.p === from) this.error()
      else facts.bindLocal(facts.name(from, this.p), -1, from)
      this.lines()
      this.look()
      if (this.nameClass === Word.in) {
        this.skipName()
        this.values()
      }
    }
    this.blanks()
    if (this.byte(this.p) === Byte.semicolon) this.p++
    this.lines()
    this.closers.loop++
    this.loopBody()
  }
  private values(): void {
    for (;;) {
      this.blanks()
      const from = this.p
      if (this.byte(from) !== Byte.hash) this.word()
      if (this.p === from) return
    }
  }
  /** `((first; test; step))`, where the first assignment of a variable declares it. */
  private counting(): void {
    const { b } = this
    this.p += 2
    for (let p = this.p, nested = 0, starts = true; p < this.n; p++) {
      const c = b[p]!
      if (starts && this.is(p, Class.letter)) {
        const end = this.nameEnd(p)
        const at = this.afterBlanks(end)
        if (this.byte(at) === Byte.equals && this.byte(at + 1) !== Byte.equals)
          this.declared(p, end, this.counted(at))
        p = end - 1
      } else if (c === Byte.open) nested++
      else if (c === Byte.close && nested-- === 0) break
      starts = c === Byte.semicolon || c === Byte.comma || (starts && this.is(p, Class.blank))
    }
    this.arithmetic(Byte.close)
  }
  /** The end of an expression in the head of a counting loop. */
  private counted(at: number): number {
    let nested = 0
    let end = at
    for (let p = at; p < this.n; p++) {
      const c = this.b[p]!
      if (c === Byte.open) nested++
      else if (c === Byte.close && nested-- === 0) break
      else if (nested === 0 && (c === Byte.semicolon || c === Byte.comma || c === Byte.line)) break
      if (!this.is(p, Class.blank)) end = p + 1
    }
    return end
  }

  private case(): void {
    const { closers, facts } = this
    this.skipName()
    this.blanks()
    this.word()
    this.lines()
    if (!this.expect(Word.in)) return
    closers.case++
    for (;;) {
      this.lines()
      this.look()
      const from = this.p
      if (from >= this.n || this.nameClass === Word.esac) break
      if (this.byte(from) === Byte.open) this.p++
      this.patterns()
      if (this.byte(this.p) !== Byte.close) {
        this.error()
        break
      }
      this.p++
      facts.branch()
      this.statements(unknown)
      const next = this.byte(this.p + 1)
      if (this.byte(this.p) !== Byte.semicolon) break
      this.p += next === Byte.semicolon && this.byte(this.p + 2) === Byte.and ? 3 : 2
    }
    closers.case--
    this.expect(Word.esac)
  }
  private patterns(): void {
    for (;;) {
      this.lines()
      this.word()
      this.lines()
      if (this.byte(this.p) !== Byte.pipe) return
      this.p++
    }
  }

  private coprocess(): void {
    this.skipName()
    this.blanks()
    const { p } = this
    const end = this.nameEnd(p)
    if (end > p) {
      const body = this.afterBlanks(end)
      const c = this.byte(body)
      if (c === Byte.open || (c === Byte.brace && this.ends(body + 1))) this.p = body
    }
    this.command()
  }

  // ---- functions --------------------------------------------------------------------------------

  private function(): void {
    const start = this.p
    this.skipName()
    this.blanks()
    const from = this.p
    this.word()
    const nameEnd = this.p
    if (nameEnd === from) return this.error()
    const open = this.afterBlanks(nameEnd)
    if (this.byte(open) === Byte.open) {
      const close = this.afterBlanks(open + 1)
      if (this.byte(close) === Byte.close) this.p = close + 1
    }
    this.definedFunction(start, from, nameEnd)
  }

  protected override definedFunction(start: number, nameStart: number, nameEnd: number): void {
    const { facts } = this
    const docStart = this.documentation(start)
    const docEnd = this.documented
    this.lines()
    if (!this.startsBody()) return this.error()
    const name = facts.name(nameStart, nameEnd)
    const definition = facts.openDefinition(
      kindNumber.function,
      name,
      nameStart,
      start,
      Flag.exported |
        (this.isTest(nameStart, nameEnd) ? Flag.test : 0) |
        (this.locals.length > 0 ? Flag.local : 0)
    )
    facts.setSignature(definition, start, this.p)
    facts.setBody(definition, this.p)
    facts.setParameters(definition, 0, 0, true)
    this.document(definition, docStart, docEnd)
    facts.bindDefinition(name, definition, 0, functionSpace)
    facts.openScope(Scope.function)
    this.locals.push(new Set())
    this.compound()
    this.redirections()
    this.locals.pop()
    facts.closeScope()
    facts.closeDefinition(this.p)
  }
  /** Whether a compound command starts here. */
  private startsBody(): boolean {
    const c = this.byte(this.p)
    if (c === Byte.open || (c === Byte.brace && this.ends(this.p + 1))) return true
    if (c === Byte.bracket && this.byte(this.p + 1) === Byte.bracket) return this.ends(this.p + 2)
    this.look()
    const word = this.nameClass
    return (
      word === Word.if ||
      word === Word.while ||
      word === Word.until ||
      word === Word.for ||
      word === Word.select ||
      word === Word.case
    )
  }
  /** Whether the name is `test` with a capital or an underscore after it. */
  private isTest(from: number, to: number): boolean {
    return to - from > 4 && /^test[A-Z_]/.test(this.text(from, Math.min(to, from + 5)))
  }

  protected override test(start: number, title: number, end: number): void {
    const { facts } = this
    const definition = facts.openDefinition(
      kindNumber.test,
      this.titleOf(title, end),
      title,
      start,
      Flag.test | (this.locals.length > 0 ? Flag.local : 0)
    )
    facts.setSignature(definition, start, end)
    facts.setBody(definition, title)
    this.document(definition, this.documentation(start), this.documented)
    facts.setRunner(this.words.bats)
    this.locals.push(new Set())
    this.blanks()
    if (this.byte(this.p) === Byte.brace && this.ends(this.p + 1) && this.enter()) {
      this.group()
      this.leave()
    }
    this.locals.pop()
    facts.closeDefinition(this.p)
  }
}
