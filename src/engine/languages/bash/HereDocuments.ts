/** Here-documents: their bodies follow the line that asks for them, whatever else that line begins. */
import { Byte, Class } from "./Characters.ts"
import { Lexer } from "./Lexer.ts"

interface HereDocument {
  readonly delimiter: Uint8Array
  /** Nothing in its body is expanded. */
  readonly raw: boolean
  /** Tabs before its lines do not count. */
  readonly indented: boolean
}

export abstract class HereDocumentReader extends Lexer {
  private awaited: Array<HereDocument> = []

  /** Reads a `$` and what it expands, at the current offset. */
  protected abstract dollar(quoted: boolean): void
  /** Reads a command substitution between backticks, at the current offset. */
  protected abstract backticks(): void
  /** Reads a part of the text as if nothing came after it. */
  protected abstract within(to: number, read: () => void): void

  protected override open(): void {
    super.open()
    this.awaited = []
  }

  protected override newline(): void {
    this.p++
    if (this.awaited.length === 0) return
    const { awaited } = this
    this.awaited = []
    for (const document of awaited) this.body(document)
  }
  /** At the end of the file: bodies that never came. */
  protected finish(): void {
    for (const _ of this.awaited) this.error()
    this.awaited = []
  }

  /** The delimiter after `<<` or `<<-`, at the current offset. */
  protected hereDocument(indented: boolean): void {
    const { b } = this
    this.blanks()
    const delimiter: Array<number> = []
    const from = this.p
    let raw = false
    let quote = 0
    for (; this.p < this.n; this.p++) {
      const c = b[this.p]!
      if (c === quote) quote = 0
      else if (quote !== 0) {
        if (c === Byte.line) break
        delimiter.push(c)
      } else if (this.is(this.p, Class.ends)) break
      else if (c === Byte.single || c === Byte.double) {
        raw = true
        quote = c
      } else {
        if (c === Byte.backslash) {
          raw = true
          if (++this.p >= this.n) break
        }
        delimiter.push(b[this.p]!)
      }
    }
    if (this.p === from || quote !== 0) this.error()
    else this.awaited.push({ delimiter: Uint8Array.from(delimiter), raw, indented })
  }

  private body({ delimiter, indented, raw }: HereDocument): void {
    const { b, n } = this
    const from = this.p
    let end = n
    let next = n
    for (let line = from; ; ) {
      if (line >= n) {
        this.error()
        break
      }
      let stop = b.indexOf(Byte.line, line)
      if (stop < 0 || stop > n) stop = n
      let start = line
      if (indented) while (b[start] === Byte.tab) start++
      const last = stop > start && b[stop - 1] === Byte.return ? stop - 1 : stop
      if (last - start === delimiter.length && delimiter.every((c, i) => b[start + i] === c)) {
        end = line
        next = Math.min(stop + 1, n)
        break
      }
      line = stop + 1
    }
    if (!raw) this.within(end, () => this.expansions())
    this.p = next
  }
  private expansions(): void {
    const { b } = this
    while (this.p < this.n) {
      const c = b[this.p]!
      if (c === Byte.dollar) this.dollar(true)
      else if (c === Byte.backtick) this.backticks()
      else this.p += c === Byte.backslash ? 2 : 1
    }
  }
}
