/** How facts are looked for: passes, each in a file of its own, that read one source file at a time. */
import type { Family } from "../../services/FrameworkFacts.ts"
import { T } from "./Lexer.ts"
import { Script } from "./Script.ts"
import type { LocalFact } from "./Local.ts"

export type { Family }

/** One file as a pass sees it. */
export class Source {
  private read: Script | undefined
  private plain: string | undefined
  constructor(
    readonly path: string,
    readonly language: string,
    readonly text: string
  ) {}

  get script(): Script {
    this.read ??= new Script(this.path, this.language, this.text)
    return this.read
  }

  /** The text with comments blanked, so that offsets stay. Strings are kept. */
  get code(): string {
    if (this.plain === undefined) {
      const { comments } = this.script.tokens
      let out = ""
      let at = 0
      for (let i = 0; i < comments.length; i += 2) {
        out +=
          this.text.slice(at, comments[i]!) +
          this.text.slice(comments[i]!, comments[i + 1]!).replace(/[^\n]/g, " ")
        at = comments[i + 1]!
      }
      this.plain = out + this.text.slice(at)
    }
    return this.plain
  }

  /** 1-based line of an offset. */
  line(offset: number): number {
    return this.script.lineAt(offset)
  }

  /** The place of an offset. */
  at(offset: number): { readonly line: number; readonly column: number } {
    return { line: this.line(offset), column: offset - (this.text.lastIndexOf("\n", offset - 1) + 1) }
  }

  /** The token an offset lies in or behind, -1 before the first. */
  token(offset: number): number {
    const { start } = this.script.tokens
    let low = 0
    let high = start.length - 1
    while (low <= high) {
      const middle = (low + high) >>> 1
      if (start[middle]! <= offset) low = middle + 1
      else high = middle - 1
    }
    return high
  }

  /** Matches that begin in code, not in a comment or a string. */
  *matches(pattern: RegExp): Generator<RegExpExecArray> {
    const { end, kind } = this.script.tokens
    for (const found of this.code.matchAll(pattern)) {
      const token = this.token(found.index)
      if (
        token >= 0 &&
        kind[token] === T.string &&
        found.index < end[token]! &&
        found.index > this.script.tokens.start[token]!
      )
        continue
      yield found
    }
  }
}

export interface Pass {
  /** What it is called in answers: the framework's name in lower case. */
  readonly name: string
  readonly family: Family
  /** Languages it reads. */
  readonly languages: ReadonlyArray<string>
  /** A file without any of these texts has none of its facts. Without hints every file of its languages is read. */
  readonly hints?: ReadonlyArray<string>
  /** Files it reads by their path alone, whatever their text. */
  readonly files?: (path: string) => boolean
  /** Helps other passes and finds nothing of its own. */
  readonly hidden?: boolean
  readonly read: (source: Source) => Iterable<LocalFact>
}

/** The languages that are read as one. */
export const ecmascript = ["javascript", "typescript", "tsx", "jsx", "vue", "svelte"] as const
