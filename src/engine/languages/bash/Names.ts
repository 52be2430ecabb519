/** The functions a script defines, known before it is read: whoever is handed the name of one may call it. */
import type { Interner } from "../Interner.ts"
import { Byte, Class, classes, isName } from "./Characters.ts"

const head = isName | Class.joins
const keyword = Uint8Array.from("function", (c) => c.charCodeAt(0))
const test = Uint8Array.from("@test", (c) => c.charCodeAt(0))

export class Names {
  private readonly hashes = new Set<number>()
  private readonly ids = new Set<number>()
  /** The script has tests of Bats. */
  readonly hasTests: boolean = false

  constructor(
    private readonly interner: Interner,
    private readonly b: Uint8Array
  ) {
    const n = b.length
    for (let line = 0; line >= 0 && line < n; ) {
      const from = this.blanks(line)
      const end = this.name(from)
      if (end > from) {
        const next = this.blanks(end)
        if (b[next] === Byte.open && b[next + 1] === Byte.close) this.add(from, end)
        else if (next > end && end - from === keyword.length && this.matches(from, keyword)) {
          const to = this.name(next)
          if (to > next) this.add(next, to)
        }
      } else if (b[from] === Byte.at && this.matches(from, test)) this.hasTests = true
      line = b.indexOf(Byte.line, end) + 1
      if (line === 0) break
    }
  }

  /** Number of the function that the text from `from` on names if a blank, a semicolon or `end` follows its name; else 0. */
  named(from: number, end: number): number {
    if (this.hashes.size === 0) return 0
    const { b } = this
    const quote = b[from] === Byte.double || b[from] === Byte.single ? b[from++]! : 0
    if ((classes[b[from]!]! & Class.letter) === 0) return 0
    let h = 0
    let p = from
    for (; p < end && (classes[b[p]!]! & head) !== 0; p++) h = (Math.imul(h, 31) + b[p]!) | 0
    if (!this.hashes.has(h)) return 0
    const whole = quote === 0 ? p === end : b[p] === quote && p + 1 === end
    if (!whole && b[p] !== Byte.semicolon && b[p] !== Byte.line && (classes[b[p]!]! & Class.blank) === 0)
      return 0
    if (p >= end && quote !== 0) return 0
    const id = this.interner.hashed(b, from, p, h)
    return this.ids.has(id) ? id : 0
  }

  private add(from: number, to: number): void {
    let h = 0
    for (let p = from; p < to; p++) h = (Math.imul(h, 31) + this.b[p]!) | 0
    this.hashes.add(h)
    this.ids.add(this.interner.hashed(this.b, from, to, h))
  }
  private matches(at: number, word: Uint8Array): boolean {
    return word.every((c, i) => this.b[at + i] === c)
  }
  private blanks(at: number): number {
    while (this.b[at] === 32 || this.b[at] === Byte.tab) at++
    return at
  }
  private name(at: number): number {
    while ((classes[this.b[at]!]! & head) !== 0) at++
    return at
  }
}
