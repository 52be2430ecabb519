/** Simple commands: what is assigned before them, the command's name, its arguments and redirections. */
import { Space } from "../FactsBuilder.ts"
import { Flag, ImportFlag, kindNumber, Role } from "../Vocabulary.ts"
import { Byte, Class, isName } from "./Characters.ts"
import { ExpansionReader } from "./Expansions.ts"
import { Names } from "./Names.ts"
import { Word } from "./Words.ts"

/** Functions are looked up where types are, apart from variables. */
export const functionSpace = Space.type

/** How far an index may reach to the assignment it belongs to, in bytes. */
const indexLimit = 256
/** A name of a test that is longer is cut, in UTF-16 units. */
const titleLimit = 120

/** What a redirection is. */
export const Redirection = { none: 0, file: 1, string: 2 } as const

/** An assignment read but not yet declared: it declares nothing if a command follows. */
interface Assignment {
  readonly start: number
  readonly end: number
  readonly nameEnd: number
  readonly docStart: number
  readonly docEnd: number
}

/** A path in a `source` command: a leading directory that is computed is taken as the script's own. */
const sourcedPath = (text: string): string => {
  const path = text.replace(/^["']|["']$/g, "").replace(/["']/g, "")
  const computed = /^(?:\$\{[^}]*\}|\$\([^)]*\)|\$\w+|`[^`]*`)(?=\/)/.exec(path)
  return computed === null ? path : `.${path.slice(computed[0].length)}`
}

export abstract class CommandReader extends ExpansionReader {
  /** The name at {@link lookedAt} if that is a whole word and could be a function's, else 0; its class and end. */
  protected name = 0
  protected nameClass = 0
  private nameStop = 0
  private lookedAt = -1
  private names!: Names
  /** Global variables declared so far. */
  private globals = new Set<number>()
  /** Variables declared local in each of the functions around. */
  protected locals: Array<Set<number>> = []

  protected abstract definedFunction(start: number, nameStart: number, nameEnd: number): void
  protected abstract test(start: number, title: number, end: number): void

  protected override open(): void {
    super.open()
    this.lookedAt = -1
    this.globals = new Set()
    this.locals = []
    this.names = new Names(this.facts.interner, this.b)
  }

  /** Reads the name at the current offset ahead. */
  protected look(): void {
    if (this.lookedAt === this.p) return
    const from = (this.lookedAt = this.p)
    this.name = this.nameClass = 0
    if (!this.is(from, Class.letter)) return
    let end = from + 1
    while (this.is(end, isName | Class.joins)) end++
    if (!this.ends(end)) return
    this.nameStop = end
    this.name = this.facts.name(from, end)
    const { classes } = this.words
    this.nameClass = this.name < classes.length ? classes[this.name]! : 0
  }
  /** Goes past the name looked at. */
  protected skipName(): void {
    this.p = this.nameStop
  }

  // ---- redirections -----------------------------------------------------------------------------

  /** Reads a redirection, if there is one at the current offset. */
  protected redirection(): number {
    let at = this.p
    let c = this.byte(at)
    if (this.is(at, Class.digit)) while (this.is(at, Class.digit)) at++
    else if (c === Byte.brace) {
      at = this.nameEnd(at + 1)
      if (at === this.p + 1 || this.byte(at++) !== Byte.unbrace) return Redirection.none
    } else if (c === Byte.and) at++
    const described = at > this.p
    const next = this.byte(at + 1)
    if (described && c === Byte.and && this.byte(at) !== Byte.greater) return Redirection.none
    c = this.byte(at)
    if (next === Byte.open) return Redirection.none
    if (c === Byte.less) {
      if (next === Byte.less) {
        this.p = at + 2
        if (this.byte(this.p) === Byte.less) {
          this.p++
          this.target()
          return Redirection.string
        }
        const indented = this.byte(this.p) === Byte.minus
        if (indented) this.p++
        this.hereDocument(indented)
        return Redirection.file
      }
      this.p = at + (next === Byte.and || next === Byte.greater ? 2 : 1)
    } else if (c === Byte.greater)
      this.p = at + (next === Byte.and || next === Byte.greater || next === Byte.pipe ? 2 : 1)
    else return Redirection.none
    this.target()
    return Redirection.file
  }
  private target(): void {
    this.blanks()
    const from = this.p
    this.word()
    if (this.p === from) this.error()
  }
  /** Reads the redirections after a command; says whether there are any. */
  protected redirections(): boolean {
    let any = false
    for (;;) {
      const { p } = this
      this.blanks()
      if (this.redirection() === Redirection.none) {
        this.p = p
        return any
      }
      any = true
    }
  }

  // ---- variables --------------------------------------------------------------------------------

  /** The end of the name that is assigned at the current offset, -1 where no assignment is. */
  private assignedName(): number {
    if (!this.is(this.p, Class.letter)) return -1
    const end = this.nameEnd(this.p)
    const at = this.byte(end) === Byte.bracket ? this.indexEnd(end) : end
    return this.assigns(at) ? end : -1
  }
  private assigns(at: number): boolean {
    const c = this.byte(at)
    return c === Byte.equals || (c === Byte.plus && this.byte(at + 1) === Byte.equals)
  }
  private indexEnd(at: number): number {
    const limit = Math.min(this.n, at + indexLimit)
    let nested = 0
    for (let p = at; p < limit; p++) {
      const c = this.b[p]!
      if (c === Byte.bracket) nested++
      else if (c === Byte.unbracket) {
        if (--nested === 0) return p + 1
      } else if (c === Byte.line || c === Byte.semicolon) break
      else if (c === Byte.backslash) p++
    }
    return at
  }
  /** Reads an assignment whose name ends there; what documents it is what was read before. */
  private assignment(nameEnd: number): Assignment {
    const start = this.p
    const docStart = this.documentation(start)
    const docEnd = this.documented
    this.p = nameEnd
    if (this.byte(nameEnd) === Byte.bracket) {
      const end = this.indexEnd(nameEnd)
      this.subscript()
      this.p = end
    }
    this.p += this.byte(this.p) === Byte.plus ? 2 : 1
    if (this.byte(this.p) === Byte.open) this.array()
    else this.word()
    return { start, end: this.p, nameEnd, docStart, docEnd }
  }
  /** A list of values in parentheses. */
  private array(): void {
    this.p++
    for (;;) {
      this.lines()
      if (this.p >= this.n) return this.error()
      if (this.byte(this.p) === Byte.close) {
        this.p++
        return
      }
      const { p } = this
      this.word()
      if (this.p === p) {
        this.error()
        return
      }
    }
  }

  /** Variables are global unless declared local; the first assignment of a global declares it. */
  private assigned({ docEnd, docStart, end, nameEnd, start }: Assignment, keyword = 0): void {
    const { facts, words } = this
    const name = facts.name(start, nameEnd)
    const around = this.locals[this.locals.length - 1]
    if (around !== undefined) {
      if (keyword !== 0 && keyword !== words.export && keyword !== words.readonly) {
        around.add(name)
        facts.bindLocal(name, -1, start)
        return
      }
      if (around.has(name)) return
    }
    if (this.globals.has(name)) {
      facts.reference(name, start, Role.write, Space.value)
      return
    }
    this.globals.add(name)
    const constant = keyword === words.readonly
    const { current } = facts
    facts.current = -1
    const definition = facts.define(
      constant ? kindNumber.constant : kindNumber.variable,
      name,
      start,
      start,
      end,
      Flag.exported | (constant ? Flag.readonly : 0)
    )
    facts.setSignature(definition, start, end)
    this.document(definition, docStart, docEnd)
    facts.bindDefinitionOuter(facts.depth - 1, name, definition, 0, Space.value)
    facts.current = current
  }
  /** Declares a variable by an assignment of which only the name and the extent are of interest. */
  protected declared(start: number, nameEnd: number, end: number): void {
    this.assigned({ start, end, nameEnd, docStart: this.documentation(start), docEnd: this.documented })
  }

  // ---- commands ---------------------------------------------------------------------------------

  /** Reads a simple command or a function's definition. Gives the call it makes if nothing is redirected, else -1. */
  protected simple(): number {
    const start = this.p
    let assignments: Array<Assignment> | undefined
    for (;;) {
      const nameEnd = this.assignedName()
      if (nameEnd >= 0) (assignments ??= []).push(this.assignment(nameEnd))
      else if (this.redirection() === Redirection.none) break
      this.blanks()
    }
    const from = this.p
    const c = this.byte(from)
    const substituted = (c === Byte.less || c === Byte.greater) && this.byte(from + 1) === Byte.open
    if ((this.ends(from) && !substituted) || (c === Byte.hash && from > start)) {
      if (assignments !== undefined) for (const assignment of assignments) this.assigned(assignment)
      return -1
    }
    if (c === Byte.bracket && this.ends(from + 1)) {
      this.p++
      this.arguments(() => {})
      return -1
    }
    this.look()
    const plain = this.word()
    if (!plain) {
      this.arguments(() => {})
      return -1
    }
    if (this.name === 0 || this.lookedAt !== from || this.nameStop !== this.p) this.name = this.nameClass = 0
    if (from === start) {
      const open = this.afterBlanks(this.p)
      const close = this.byte(open) === Byte.open ? this.afterBlanks(open + 1) : open
      if (close > open && this.byte(close) === Byte.close) {
        const nameEnd = this.p
        this.p = close + 1
        this.definedFunction(start, from, nameEnd)
        return -1
      }
    }
    if (c === Byte.dot && this.p === from + 1) return this.sourced()
    if (c === Byte.at && this.text(from, this.p) === "@test") return this.bats(start)
    switch (this.nameClass) {
      case Word.declaration:
        return this.declaration(this.name)
      case Word.unset:
        return this.unset()
      case Word.source:
        return this.sourced()
      case Word.alias:
        return this.alias(start)
      case Word.trap:
        return this.trap()
      default:
        return this.called(from)
    }
  }

  /** Reads the arguments of a command and its redirections. Says whether it is redirected, other than from a string. */
  private arguments(each: (from: number, plain: boolean) => void): boolean {
    let redirected = false
    for (;;) {
      const { p } = this
      this.blanks()
      const from = this.p
      const c = this.byte(from)
      const redirection = this.redirection()
      if (redirection !== Redirection.none) {
        if (redirection === Redirection.file) redirected = true
        continue
      }
      const plain = c !== Byte.hash && this.word()
      if (this.p === from) {
        this.p = p
        return redirected
      }
      each(from, plain)
    }
  }

  private called(from: number): number {
    const { facts, name, nameClass } = this
    const calls = name !== 0 && (nameClass < Word.builtin || nameClass >= Word.load)
    const refer = () => facts.reference(name, from, Role.call, functionSpace)
    let call = calls && nameClass !== Word.run ? refer() : -1
    let count = 0
    let run = -1
    const redirected = this.arguments((from, plain) => {
      count++
      if (count === 1) {
        if (nameClass === Word.run && plain && this.isCommand(from)) {
          run = facts.reference(facts.name(from, this.p), from, Role.call, functionSpace)
          return
        }
        if (nameClass === Word.load && this.names.hasTests) this.import(from, this.p, 0)
      }
      if (nameClass !== Word.printer) this.handed(from)
      if (nameClass === Word.read && this.is(from, Class.letter) && this.nameEnd(from) === this.p)
        facts.bindLocal(facts.name(from, this.p), -1, from)
    })
    if (run >= 0) facts.setCall(run, Role.call, count - 1)
    if (nameClass === Word.run) call = refer()
    if (call < 0) return -1
    facts.setCall(call, Role.call, count)
    return redirected ? -1 : call
  }
  /** Whether a plain word names a command: neither an option nor a number. */
  private isCommand(from: number): boolean {
    let digits = from
    while (this.is(digits, Class.digit)) digits++
    return this.byte(from) !== Byte.minus && digits < this.p
  }
  /** An argument that names a function of the script, alone or as the first word of a string: who takes it may call it. */
  private handed(from: number): void {
    const name = this.names.named(from, this.p)
    if (name === 0) return
    const quoted = this.is(from, Class.letter) ? 0 : 1
    this.facts.reference(name, from + quoted, Role.read, functionSpace)
  }

  private trap(): number {
    const { facts } = this
    let count = 0
    let call = -1
    this.arguments((from, plain) => {
      count++
      if (count === 1 && plain && this.isCommand(from))
        call = facts.reference(facts.name(from, this.p), from, Role.call, functionSpace)
      else if (count === 1 || call >= 0) this.handed(from)
    })
    if (call >= 0) facts.setCall(call, Role.call, count - 1)
    return -1
  }

  private sourced(): number {
    let first = -1
    let end = -1
    this.arguments((from) => {
      if (first >= 0) return
      first = from
      end = this.p
    })
    if (first >= 0) this.import(first, end, this.locals.length > 0 ? ImportFlag.dynamic : 0)
    return -1
  }
  private import(from: number, to: number, flags: number): void {
    const { facts } = this
    const path = sourcedPath(this.text(from, to))
    if (path === "" || /[$`]/.test(path)) return
    facts.import(facts.nameOf(path), 0, 0, ImportFlag.wildcard | ImportFlag.quoted | flags, from)
  }

  private alias(start: number): number {
    const { facts } = this
    const docStart = this.documentation(start)
    const docEnd = this.documented
    let first = -1
    let end = start
    this.arguments((from) => {
      if (first < 0) first = from
      end = this.p
    })
    let nameEnd = first
    while (
      nameEnd >= 0 &&
      (this.is(nameEnd, isName) || this.byte(nameEnd) === Byte.dot || this.byte(nameEnd) === Byte.minus)
    )
      nameEnd++
    if (first < 0 || nameEnd === first || this.byte(nameEnd) !== Byte.equals) return -1
    const name = facts.name(first, nameEnd)
    const definition = facts.define(
      kindNumber.function,
      name,
      first,
      start,
      end,
      Flag.exported | (facts.current >= 0 ? Flag.local : 0)
    )
    facts.setSignature(definition, start, end)
    this.document(definition, docStart, docEnd)
    facts.bindDefinition(name, definition, 0, functionSpace)
    return -1
  }

  /** What follows `local`, `declare`, `export` and the like. */
  private declaration(keyword: number): number {
    const { facts, words } = this
    for (;;) {
      const { p } = this
      this.blanks()
      const nameEnd = this.assignedName()
      if (nameEnd >= 0) {
        this.assigned(this.assignment(nameEnd), keyword)
        continue
      }
      if (this.redirection() !== Redirection.none) continue
      const from = this.p
      if (this.byte(from) !== Byte.hash) this.word()
      if (this.p === from) {
        this.p = p
        return -1
      }
      if (!this.is(from, Class.letter) || this.nameEnd(from) !== this.p) continue
      if (keyword === words.export || keyword === words.readonly)
        facts.reference(facts.name(from, this.p), from, Role.export, Space.value)
      else {
        const end = this.p
        this.assigned(
          { start: from, end, nameEnd: end, docStart: this.documentation(from), docEnd: this.documented },
          keyword
        )
      }
    }
  }
  private unset(): number {
    this.arguments((from) => {
      const end = this.nameEnd(from)
      if (this.is(from, Class.letter) && (end === this.p || this.byte(end) === Byte.bracket))
        this.read(from, end)
    })
    return -1
  }

  /** A test of Bats, whose title and body follow. */
  private bats(start: number): number {
    this.blanks()
    const title = this.p
    this.word()
    if (this.p === title) this.error()
    else this.test(start, title, this.p)
    return -1
  }
  /** The title of a test, without its quotes. */
  protected titleOf(from: number, to: number): number {
    const text = this.text(from, to)
      .replace(/^[^"'`]*["'`]+/, "")
      .replace(/["'`]+$/, "")
    return this.facts.nameOf(text.slice(0, titleLimit))
  }
}
