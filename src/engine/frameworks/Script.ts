/**
 * What passes read: the calls, decorations, classes, functions and bindings of one file, in a form that is the same for
 * all languages. Made of tokens, without a grammar, so it says what is written and never what it means.
 */
import { dialectOf, lex, scriptsOf, T, type Tokens } from "./Lexer.ts"

/** A value that is not computed here. Tokens are places in {@link Script.tokens}. */
export type Expr =
  | {
      readonly kind: "string"
      readonly text: string /** False when a part is computed; it shows as `{…}`. */
      readonly exact: boolean
      readonly at: number
    }
  | { readonly kind: "number"; readonly text: string; readonly at: number }
  | { readonly kind: "chain"; readonly chain: Chain; readonly at: number }
  | { readonly kind: "list"; readonly items: ReadonlyArray<Argument>; readonly at: number }
  | { readonly kind: "record"; readonly items: ReadonlyArray<Argument>; readonly at: number }
  | {
      readonly kind: "function"
      readonly params: ReadonlyArray<Parameter>
      readonly from: number
      readonly to: number
      readonly at: number
    }
  | { readonly kind: "other"; readonly at: number; readonly to: number }

export interface Argument {
  /** Name of a named argument, key of an entry. */
  readonly label?: string
  readonly value: Expr
}

export interface Parameter {
  readonly name: string
  readonly at: number
  /** The type as written, "" without one. */
  readonly type: string
}

/** One link of a chain: a name, and what it is called with. An index has the name `[]`, a call of a call "". */
export interface Part {
  readonly name: string
  readonly at: number
  /** How it hangs on the one before: `.`, `::`, `->`, "" for the first. */
  readonly by: string
  args?: ReadonlyArray<Argument>
  /** Type arguments as written. */
  generic?: string
  /** A block behind the call, as Kotlin, Swift and Ruby write it, or a composite literal. */
  block?: { readonly from: number; readonly to: number; readonly params: ReadonlyArray<Parameter> }
  /** Entries of a composite literal. */
  entries?: ReadonlyArray<Argument>
}

export interface Chain {
  readonly parts: ReadonlyArray<Part>
  readonly at: number
  /** Behind its last token. */
  readonly to: number
  /** The chain is a decoration's. */
  readonly decorates?: boolean
}

/** What a bracket is the arguments or the block of. */
export interface Owner {
  readonly chain: Chain
  readonly index: number
}

export interface Class {
  readonly name: string
  readonly at: number
  readonly keyword: string
  /** From behind the name to the body. */
  readonly header: string
  /** Tokens of the body, from first to behind the last. */
  readonly from: number
  readonly to: number
}

export interface Func {
  readonly name: string
  readonly at: number
  readonly params: ReadonlyArray<Parameter>
  readonly from: number
  readonly to: number
}

/** An annotation, decorator or attribute, and the name of what it is written on. */
export interface Decoration {
  readonly chain: Chain
  /** The last name of the chain. */
  readonly name: string
  readonly args: ReadonlyArray<Argument>
  readonly at: number
  readonly on: {
    readonly kind: "class" | "function" | "member" | "none"
    readonly name: string
    readonly at: number
  }
}

export interface Binding {
  readonly name: string
  readonly at: number
  /** Tokens in which the name has this value. */
  readonly from: number
  readonly to: number
  /** Undefined for a parameter. */
  readonly value: Expr | undefined
  readonly parameter?: { readonly of: number; readonly index: number; readonly type: string }
  /** Bound as a member of this, of self or of an object. */
  readonly member?: boolean
}

const prefixes = new Set([
  "await",
  "new",
  "async",
  "move",
  "mut",
  "ref",
  "try",
  "yield",
  "throw",
  "typeof",
  "go",
  "defer",
  "static",
  "suspend",
  "return"
])
const notNames = new Set([
  "if",
  "else",
  "for",
  "while",
  "switch",
  "case",
  "return",
  "catch",
  "in",
  "of",
  "import",
  "export",
  "from",
  "const",
  "let",
  "var",
  "val",
  "function",
  "func",
  "fn",
  "fun",
  "def",
  "class",
  "interface",
  "struct",
  "enum",
  "trait",
  "impl",
  "package",
  "namespace",
  "use",
  "using",
  "public",
  "private",
  "protected",
  "static",
  "final",
  "void",
  "async",
  "await",
  "new",
  "throw",
  "yield",
  "try",
  "finally",
  "do",
  "end",
  "then",
  "elsif",
  "elif",
  "unless",
  "when",
  "until",
  "and",
  "or",
  "not",
  "with",
  "as",
  "is",
  "typeof",
  "instanceof",
  "match",
  "go",
  "defer",
  "select",
  "range",
  "type",
  "lambda",
  "extends",
  "implements",
  "override",
  "abstract",
  "readonly",
  "module",
  "raise",
  "assert",
  "del",
  "pass",
  "pub",
  "mut",
  "where",
  "guard",
  "rescue",
  "ensure",
  "begin",
  "default"
])
const classWords = new Set([
  "class",
  "interface",
  "struct",
  "trait",
  "enum",
  "impl",
  "record",
  "object",
  "extension",
  "protocol",
  "actor",
  "module"
])
const generics = new Set(["javascript", "java", "kotlin", "csharp", "rust", "swift", "scala", "c"])
const blocks = new Set(["kotlin", "swift", "scala"])
/** Of those, what may as well be the name of a function. */
const softNames = new Set([
  "match",
  "with",
  "use",
  "select",
  "namespace",
  "default",
  "type",
  "range",
  "module",
  "do"
])
const none: ReadonlyArray<never> = []

export class Script {
  readonly tokens: Tokens
  readonly dialect: string
  private readonly chainAt = new Map<number, Chain>()
  /** By open bracket. */
  readonly owners = new Map<number, Owner>()
  private lineStarts: Int32Array | undefined
  private made: {
    chains?: ReadonlyArray<Chain>
    decorations?: ReadonlyArray<Decoration>
    classes?: ReadonlyArray<Class>
    functions?: ReadonlyArray<Func>
    bindings?: ReadonlyMap<string, ReadonlyArray<Binding>>
  } = {}

  constructor(
    readonly path: string,
    readonly language: string,
    readonly text: string
  ) {
    this.dialect = dialectOf(language) ?? "c"
    this.tokens = lex(language === "vue" || language === "svelte" ? scriptsOf(text) : text, language)
  }

  get count(): number {
    return this.tokens.count
  }

  /** The token as written; "" outside. */
  word(i: number): string {
    return i < 0 || i >= this.tokens.count
      ? ""
      : this.tokens.text.slice(this.tokens.start[i]!, this.tokens.end[i]!)
  }

  kind(i: number): number {
    return i < 0 || i >= this.tokens.count ? T.punct : this.tokens.kind[i]!
  }

  private starts(): Int32Array {
    if (this.lineStarts === undefined) {
      const found = [0]
      const { text } = this.tokens
      for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) found.push(at + 1)
      this.lineStarts = Int32Array.from(found)
    }
    return this.lineStarts
  }

  /** 1-based line of an offset. */
  lineAt(offset: number): number {
    const starts = this.starts()
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if (starts[middle]! <= offset) low = middle
      else high = middle - 1
    }
    return low + 1
  }

  /** 1-based line of a token. */
  line(i: number): number {
    return this.lineAt(this.tokens.start[Math.max(0, Math.min(i, this.tokens.count - 1))] ?? 0)
  }

  /** 0-based UTF-16 column of a token. */
  column(i: number): number {
    return (this.tokens.start[i] ?? 0) - (this.starts()[this.line(i) - 1] ?? 0)
  }

  /** Text from one token to before another, on one line. */
  slice(from: number, to: number): string {
    if (to <= from) return ""
    return this.tokens.text.slice(this.tokens.start[from]!, this.tokens.end[to - 1]!).replace(/\s+/g, " ")
  }

  private gap(i: number): number {
    return this.tokens.start[i]! - this.tokens.end[i - 1]!
  }

  private sameLine(a: number, b: number): boolean {
    const { end, start, text } = this.tokens
    if (b >= this.count) return false
    const newline = text.indexOf("\n", end[a]!)
    return newline < 0 || newline >= start[b]!
  }

  /** The value of a string token. */
  private stringAt(i: number): { readonly text: string; readonly exact: boolean } {
    const known = this.tokens.values.get(i)
    const raw = this.word(i)
    const opened = /^(?:[A-Za-z]{0,2}|[$@]{1,2})("""|'''|["'`])/.exec(raw)
    let body = known ?? (opened === null ? raw : raw.slice(opened[0].length, -opened[1]!.length))
    const prefix = opened === null ? "" : opened[0].slice(0, -opened[1]!.length)
    const holes: RegExp | undefined =
      this.dialect === "javascript"
        ? opened?.[1] === "`"
          ? /\$\{((?:[^{}]|\{[^{}]*\})*)\}/g
          : undefined
        : this.dialect === "ruby"
          ? /#\{([^}]*)\}/g
          : this.dialect === "kotlin" || this.dialect === "scala"
            ? /\$\{([^}]*)\}|\$([A-Za-z_]\w*)/g
            : this.dialect === "php"
              ? /\{\$([^}]*)\}|\$([A-Za-z_]\w*)/g
              : this.dialect === "swift"
                ? /\\\(([^)]*)\)/g
                : (this.dialect === "python" && /f/i.test(prefix)) ||
                    (this.dialect === "csharp" && prefix.includes("$"))
                  ? /\{([^{}]*)\}/g
                  : undefined
    let exact = true
    if (holes !== undefined && !(this.dialect === "php" && raw.startsWith("'")))
      body = body.replace(holes, (_, a: string | undefined, b: string | undefined) => {
        exact = false
        return `{${(a ?? b ?? "").replace(/[^\w.]+/g, "")}}`
      })
    return {
      text: body.includes("\\") && known === undefined ? body.replace(/\\(["'`\\/])/g, "$1") : body,
      exact
    }
  }

  /** Where the brackets around a token belong, innermost first. */
  *enclosing(token: number): Generator<Owner> {
    this.chains()
    for (let at = this.tokens.around[token] ?? -1; at >= 0; at = this.tokens.around[at]!) {
      const owner = this.owners.get(at)
      if (owner !== undefined) yield owner
    }
  }

  /** All chains in source order, those inside arguments and blocks as well. */
  chains(): ReadonlyArray<Chain> {
    if (this.made.chains === undefined) {
      const found: Array<Chain> = []
      for (let i = 0; i < this.count; i++) {
        if (!this.startsChain(i)) continue
        const chain = this.chain(i)
        found.push(chain)
      }
      this.made.chains = found
    }
    return this.made.chains
  }

  private startsChain(i: number): boolean {
    if (this.kind(i) !== T.word) return false
    const before = this.word(i - 1)
    if (
      before === "." ||
      before === "?." ||
      before === "::" ||
      before === "!!" ||
      (before === "->" && this.dialect === "php")
    )
      return false
    const word = this.word(i)
    if (!notNames.has(word)) return true
    return (
      softNames.has(word) &&
      (this.dialect === "ruby"
        ? this.commandFollows(i + 1) || this.word(i + 1) === "("
        : this.word(i + 1) === "(" && this.gap(i + 1) === 0 && this.dialect !== "rust")
    )
  }

  /** The chain that begins at a word. */
  chain(i: number): Chain {
    const known = this.chainAt.get(i)
    if (known !== undefined) return known
    const { match } = this.tokens
    const parts: Array<Part> = [{ name: this.word(i), at: i, by: "" }]
    const chain: { parts: Array<Part>; at: number; to: number } = { parts, at: i, to: i + 1 }
    this.chainAt.set(i, chain)
    let j = i + 1
    const last = () => parts[parts.length - 1]!
    while (j < this.count) {
      const word = this.word(j)
      const kind = this.kind(j)
      if (
        word === "(" &&
        kind === T.open &&
        match[j]! >= 0 &&
        (this.sameLine(j - 1, j) || this.dialect === "rust")
      ) {
        if (this.dialect === "ruby" && this.gap(j) > 0) break
        if (last().args !== undefined || last().block !== undefined) parts.push({ name: "", at: j, by: "" })
        this.owners.set(j, { chain, index: parts.length - 1 })
        last().args = this.args(j + 1, match[j]!)
        j = match[j]! + 1
        continue
      }
      if (
        word === "!" &&
        this.dialect === "rust" &&
        this.kind(j + 1) === T.open &&
        this.gap(j) === 0 &&
        match[j + 1]! >= 0
      ) {
        const name = `${last().name}!`
        const previous = parts.pop()!
        parts.push({ ...previous, name })
        this.owners.set(j + 1, { chain, index: parts.length - 1 })
        last().args = this.args(j + 2, match[j + 1]!)
        j = match[j + 1]! + 1
        continue
      }
      if (word === "[" && match[j]! >= 0 && this.gap(j) === 0) {
        parts.push({ name: "[]", at: j, by: "", args: this.args(j + 1, match[j]!) })
        this.owners.set(j, { chain, index: parts.length - 1 })
        j = match[j]! + 1
        continue
      }
      if (word === "<" && generics.has(this.dialect)) {
        const end = this.genericEnd(j)
        if (end > 0) {
          last().generic = this.slice(j + 1, end - 1)
          j = end
          continue
        }
      }
      if (
        word === "{" &&
        match[j]! >= 0 &&
        this.sameLine(j - 1, j) &&
        ((blocks.has(this.dialect) && last().block === undefined) ||
          (this.dialect === "ruby" &&
            last().block === undefined &&
            (last().args !== undefined || parts.length > 1 || this.gap(j) > 0)))
      ) {
        this.owners.set(j, { chain, index: parts.length - 1 })
        last().block = { from: j + 1, to: match[j]!, params: this.blockParams(j + 1, match[j]!) }
        j = match[j]! + 1
        continue
      }
      if (
        word === "{" &&
        this.dialect === "go" &&
        this.gap(j) === 0 &&
        last().args === undefined &&
        match[j]! >= 0
      ) {
        this.owners.set(j, { chain, index: parts.length - 1 })
        last().entries = this.args(j + 1, match[j]!)
        j = match[j]! + 1
        continue
      }
      if (
        this.dialect === "ruby" &&
        word === "do" &&
        kind === T.open &&
        match[j]! >= 0 &&
        this.sameLine(j - 1, j)
      ) {
        this.owners.set(j, { chain, index: parts.length - 1 })
        last().block = { from: j + 1, to: match[j]!, params: this.blockParams(j + 1, match[j]!) }
        j = match[j]! + 1
        continue
      }
      if (
        this.dialect === "ruby" &&
        last().args === undefined &&
        last().block === undefined &&
        this.commandFollows(j)
      ) {
        const end = this.commandEnd(j)
        last().args = this.args(j, end)
        for (let k = j; k < end; k++)
          if (
            this.kind(k) === T.open &&
            this.tokens.around[k] === this.tokens.around[i] &&
            !this.owners.has(k)
          )
            this.owners.set(k, { chain, index: parts.length - 1 })
        j = end
        continue
      }
      if (
        (word === "?" || word === "!" || word === "!!") &&
        /^(?:\.|\?\.)$/.test(this.word(j + 1)) &&
        this.gap(j) === 0
      ) {
        j++
        continue
      }
      const joins =
        word === "." ||
        word === "?." ||
        (word === "&" && this.dialect === "ruby" && this.word(j + 1) === ".") ||
        (word === "::" && this.dialect !== "kotlin") ||
        (word === "->" && this.dialect === "php")
      if (!joins) break
      const next = word === "&" ? j + 2 : j + 1
      if (this.word(next) === "<" && word === "::") {
        const end = this.genericEnd(next, true)
        if (end > 0) {
          last().generic = this.slice(next + 1, end - 1)
          j = end
          continue
        }
      }
      // What stands on the next line without any sign of belonging here does not.
      if (this.kind(next) === T.open && this.word(next) === "(" && word === "?.") {
        j = next
        continue
      }
      if (this.kind(next) !== T.word && !(this.kind(next) === T.number)) break
      parts.push({
        name: this.word(next).replace(/^\$/, this.dialect === "php" ? "" : "$"),
        at: next,
        by: word
      })
      j = next + 1
    }
    chain.to = j
    return chain
  }

  /** Behind the closing angle of type arguments that begin here, when that is what they are; else -1. */
  private genericEnd(from: number, certain = false): number {
    let depth = 0
    for (let k = from; k < Math.min(this.count, from + 40); k++) {
      const word = this.word(k)
      if (word === "<") depth++
      else if (word === "<<") depth += 2
      else if (word === ">") depth--
      else if (word === "(" || word === "[" || word === "{") {
        const to = this.tokens.match[k]!
        if (to < 0 || to - k > 12) return -1
        k = to
      } else if (this.kind(k) === T.string) {
        if (this.dialect !== "javascript") return -1
      } else if (
        this.kind(k) !== T.word &&
        this.kind(k) !== T.number &&
        !/^(?:,|\.|::|\?|&|\||=>|->|:|;|'|-)$/.test(word)
      )
        return -1
      if (depth <= 0) {
        const after = this.word(k + 1)
        return certain || after === "(" || after === "::" || after === "." ? k + 1 : -1
      }
    }
    return -1
  }

  private blockParams(from: number, to: number): ReadonlyArray<Parameter> {
    if (this.dialect === "ruby") {
      if (this.word(from) !== "|") return none
      const params: Array<Parameter> = []
      for (let k = from + 1; k < to && this.word(k) !== "|"; k++)
        if (this.kind(k) === T.word) params.push({ name: this.word(k), at: k, type: "" })
      return params
    }
    const params: Array<Parameter> = []
    for (let k = from; k < Math.min(to, from + 16); k++) {
      const word = this.word(k)
      if (word === "->" || word === "in" || word === "=>") return params
      if (this.kind(k) === T.word && this.word(k - 1) !== ":") params.push({ name: word, at: k, type: "" })
      else if (!/^[,:().]$/.test(word)) return none
    }
    return none
  }

  /** Whether arguments without parentheses begin here. */
  private commandFollows(j: number): boolean {
    if (!this.sameLine(j - 1, j) || this.gap(j) === 0) return false
    const kind = this.kind(j)
    const word = this.word(j)
    if (kind === T.string || kind === T.number) return true
    if (kind === T.word) return !notNames.has(word) || word === "new"
    if (kind === T.open) return word === "[" || word.startsWith("%")
    return (
      word === "->" || (word === "::" && this.gap(j + 1) === 0) || (word === "*" && this.gap(j + 1) === 0)
    )
  }

  private commandEnd(from: number): number {
    let k = from
    while (k < this.count) {
      const word = this.word(k)
      const kind = this.kind(k)
      if (kind === T.close) break
      if (kind === T.open) {
        if (word === "do" || (word !== "[" && word !== "(" && word !== "{" && !word.startsWith("%"))) break
        k = this.tokens.match[k]! < 0 ? k + 1 : this.tokens.match[k]! + 1
      } else {
        if (kind === T.word && (word === "if" || word === "unless" || word === "while" || word === "rescue"))
          break
        if (word === ";") break
        k++
      }
      if (k < this.count && !this.sameLine(k - 1, k)) {
        const before = this.word(k - 1)
        if (before !== "," && before !== "=>" && before !== "||" && before !== "&&" && before !== "+") break
      }
    }
    return k
  }

  /** The pieces between commas from one token to before another. */
  args(from: number, to: number): ReadonlyArray<Argument> {
    const found: Array<Argument> = []
    const { match } = this.tokens
    let begin = from
    const finish = (end: number) => {
      if (end > begin) found.push(this.argument(begin, end))
    }
    for (let k = from; k < to; k++) {
      if (this.kind(k) === T.open && match[k]! >= 0) k = match[k]!
      else if (this.word(k) === ",") {
        finish(k)
        begin = k + 1
      } else if (
        k > begin &&
        this.kind(k) === T.string &&
        this.kind(k - 1) === T.string &&
        this.dialect === "ruby" &&
        this.word(from - 1).startsWith("%")
      ) {
        finish(k)
        begin = k
      }
    }
    finish(to)
    return found
  }

  private argument(from: number, to: number): Argument {
    const second = this.word(from + 1)
    const kind = this.kind(from)
    if (from + 1 < to && (kind === T.word || kind === T.string || kind === T.number)) {
      const named =
        (second === ":" &&
          !(this.dialect === "javascript" && kind === T.word && this.word(from) === "case")) ||
        (second === "=>" && (kind === T.string || this.dialect === "php" || this.dialect === "ruby")) ||
        (second === "=" && kind === T.word)
      if (named) {
        const label = kind === T.string ? this.stringAt(from).text : this.word(from)
        return from + 2 < to
          ? { label, value: this.expr(from + 2, to) }
          : { label, value: { kind: "other", at: from, to } }
      }
      // Attributes of C# and annotations of Scala name theirs with a colon or an equals sign as well; a method of an
      // object in JavaScript is a function under its name.
      if (this.dialect === "javascript") {
        const at = this.word(from) === "async" && this.kind(from + 1) === T.word ? from + 1 : from
        if (this.word(at + 1) === "(" && this.tokens.match[at + 1]! >= 0) {
          const body = this.tokens.match[at + 1]! + 1
          if (
            this.word(body) === "{" &&
            this.tokens.match[body]! >= 0 &&
            this.tokens.match[body]! < to &&
            this.word(at) !== "function"
          )
            return {
              label: this.word(at),
              value: {
                kind: "function",
                params: this.params(at + 1),
                from: body + 1,
                to: this.tokens.match[body]!,
                at: at
              }
            }
        }
      }
    }
    if (
      this.dialect === "javascript" &&
      kind === T.open &&
      this.word(from) === "[" &&
      this.word(this.tokens.match[from]! + 1) === ":"
    )
      return {
        label: this.slice(from + 1, this.tokens.match[from]!),
        value: this.expr(this.tokens.match[from]! + 2, to)
      }
    return { value: this.expr(from, to) }
  }

  /** Parameters between the parenthesis at a token and its partner. */
  params(open: number): ReadonlyArray<Parameter> {
    const to = this.tokens.match[open] ?? -1
    if (to < 0) return none
    const found: Array<Parameter> = []
    let begin = open + 1
    const finish = (end: number) => {
      if (end > begin) {
        const parameter = this.parameter(begin, end)
        if (parameter !== undefined) found.push(parameter)
      }
    }
    let angle = 0
    for (let k = open + 1; k < to; k++) {
      const word = this.word(k)
      if (this.kind(k) === T.open && this.tokens.match[k]! >= 0) k = this.tokens.match[k]!
      else if (word === "<") angle++
      else if (word === ">") angle = Math.max(0, angle - 1)
      else if (word === "," && angle === 0) {
        finish(k)
        begin = k + 1
      }
    }
    finish(to)
    // In Go several names share the type behind the last of them.
    if (this.dialect === "go")
      for (let k = found.length - 2; k >= 0; k--)
        if (found[k]!.type === "" && found[k + 1]!.type !== "")
          found[k] = { ...found[k]!, type: found[k + 1]!.type }
    return found
  }

  private parameter(from: number, to: number): Parameter | undefined {
    let names = from
    const words: Array<number> = []
    while (
      names < to &&
      (this.word(names) === "@" || (this.word(names) === "[" && this.dialect === "csharp"))
    ) {
      names = this.word(names) === "[" ? this.tokens.match[names]! + 1 : this.chain(names + 1).to
    }
    let stop = to
    for (let k = names; k < to; k++) {
      if (
        this.word(k) === "=" ||
        (this.word(k) === ":" && !["java", "csharp", "go", "c"].includes(this.dialect))
      ) {
        stop = k
        break
      }
      if (this.kind(k) === T.open && this.tokens.match[k]! >= 0) k = this.tokens.match[k]!
      else if (this.kind(k) === T.word) words.push(k)
    }
    if (words.length === 0) return undefined
    if (this.dialect === "go") {
      const at = words[0]!
      return { name: this.word(at), at, type: this.slice(at + 1, to) }
    }
    const typed = ["java", "csharp", "c", "php"].includes(this.dialect)
    const plain = words.filter(
      (k) =>
        ![
          "mut",
          "ref",
          "out",
          "in",
          "params",
          "final",
          "const",
          "readonly",
          "public",
          "private",
          "protected"
        ].includes(this.word(k))
    )
    const at = (typed ? plain[plain.length - 1] : plain[plain.length - 1]) ?? words[0]!
    const type = typed
      ? this.slice(names, at)
      : this.word(stop) === ":"
        ? this.slice(stop + 1, this.indexOf("=", stop, to))
        : ""
    return { name: this.word(at), at, type }
  }

  private indexOf(word: string, from: number, to: number): number {
    for (let k = from; k < to; k++) {
      if (this.kind(k) === T.open && this.tokens.match[k]! >= 0) k = this.tokens.match[k]!
      else if (this.word(k) === word) return k
    }
    return to
  }

  /** The value written from one token to before another. */
  expr(from: number, to: number): Expr {
    const first = this.single(from, to)
    // Strings that are joined, or stand side by side, are one string.
    const end = this.endOf(first)
    if (end < to && first.kind !== "other") {
      const joint = this.word(end)
      const side = first.kind === "string" && this.kind(end) === T.string
      if (joint === "+" || (joint === "." && this.dialect === "php") || side) {
        const rest = this.expr(side ? end : end + 1, to)
        if (first.kind === "string" || rest.kind === "string") {
          const text = (part: Expr): string =>
            part.kind === "string"
              ? part.text
              : part.kind === "chain"
                ? `{${part.chain.parts
                    .map(({ name }) => name)
                    .join(".")
                    .replace(/^\$/, "")}}`
                : part.kind === "number"
                  ? part.text
                  : "{}"
          return {
            kind: "string",
            text: text(first) + text(rest),
            exact: first.kind === "string" && first.exact && rest.kind === "string" && rest.exact,
            at: from
          }
        }
      }
    }
    return first
  }

  /** Behind the last token of a value that is no longer than its kind says. */
  private endOf(expr: Expr): number {
    if (expr.kind === "string" || expr.kind === "number") return expr.at + 1
    if (expr.kind === "chain") return expr.chain.to
    if (expr.kind === "list" || expr.kind === "record") return this.tokens.match[expr.at]! + 1
    return Number.MAX_SAFE_INTEGER
  }

  private single(start: number, to: number): Expr {
    let from = start
    while (from < to) {
      const word = this.word(from)
      if (
        this.kind(from) === T.word &&
        prefixes.has(word) &&
        from + 1 < to &&
        this.word(from + 1) !== "." &&
        this.word(from + 1) !== "(" &&
        this.word(from + 1) !== "=>"
      )
        from++
      else if (word === "async" && this.word(from + 1) === "(") from++
      else if (/^(?:&|\*|!|-|\.\.\.|\*\*|&&)$/.test(word) && !(word === "&&" && this.dialect !== "rust"))
        from++
      else break
    }
    if (from >= to) return { kind: "other", at: start, to }
    const word = this.word(from)
    const kind = this.kind(from)
    const { match } = this.tokens
    const fn = this.functionAt(from, to)
    if (fn !== undefined) return fn
    if (kind === T.string) return { kind: "string", ...this.stringAt(from), at: from }
    if (kind === T.number) return { kind: "number", text: word, at: from }
    if (kind === T.open && match[from]! >= 0 && match[from]! < Math.max(to, from + 1)) {
      if (word === "[" || word.startsWith("%")) {
        // Go writes the type of a list before its entries.
        const behind = match[from]! + 1
        if (this.dialect === "go") {
          const brace = this.indexOf("{", behind, Math.min(to, behind + 6))
          for (let k = behind; k < Math.min(to, behind + 6); k++)
            if (this.word(k) === "{" && match[k]! >= 0)
              return { kind: "list", items: this.args(k + 1, match[k]!), at: k }
          if (brace < to) return { kind: "other", at: from, to }
        }
        return { kind: "list", items: this.args(from + 1, match[from]!), at: from }
      }
      if (word === "{") {
        if (blocks.has(this.dialect))
          return {
            kind: "function",
            params: this.blockParams(from + 1, match[from]!),
            from: from + 1,
            to: match[from]!,
            at: from
          }
        const items = this.args(from + 1, match[from]!)
        if (this.dialect === "java" || this.dialect === "csharp" || this.dialect === "c")
          return { kind: "list", items, at: from }
        if (this.dialect === "python" && items.length > 0 && items.every(({ label }) => label === undefined))
          return { kind: "list", items, at: from }
        return {
          kind: "record",
          items: items.map((item) =>
            item.label === undefined && item.value.kind === "chain"
              ? { label: item.value.chain.parts[0]!.name, value: item.value }
              : item
          ),
          at: from
        }
      }
      if (word === "(") {
        const inner = this.args(from + 1, match[from]!)
        if (inner.length === 1 && inner[0]!.label === undefined && this.word(match[from]! - 1) !== ",")
          return inner[0]!.value
        return { kind: "list", items: inner, at: from }
      }
    }
    if (kind === T.word && (!notNames.has(word) || word === "new" || word === "default" || word === "type"))
      return { kind: "chain", chain: this.chain(from), at: from }
    return { kind: "other", at: from, to }
  }

  private functionAt(from: number, to: number): Expr | undefined {
    const word = this.word(from)
    const kind = this.kind(from)
    const { match } = this.tokens
    const bodyAt = (k: number): readonly [number, number] | undefined =>
      this.word(k) === "{" && match[k]! >= 0 ? [k + 1, match[k]!] : k < to ? [k, to] : undefined
    const made = (
      params: ReadonlyArray<Parameter>,
      body: readonly [number, number] | undefined
    ): Expr | undefined =>
      body === undefined ? undefined : { kind: "function", params, from: body[0], to: body[1], at: from }
    const arrow = (k: number): boolean =>
      this.word(k) === "=>" || (this.word(k) === "->" && this.dialect === "java")
    if (kind === T.word && (word === "function" || word === "func" || word === "fn" || word === "fun")) {
      let k = from + 1
      if (this.word(k) === "*") k++
      if (this.kind(k) === T.word) k++
      if (this.word(k) !== "(" || match[k]! < 0) return undefined
      const params = this.params(k)
      for (let b = match[k]! + 1; b < to; b++) {
        if (this.word(b) === "=>") return made(params, bodyAt(b + 1))
        if (this.word(b) === "{" && match[b]! >= 0) return made(params, [b + 1, match[b]!])
        if (this.kind(b) === T.open && match[b]! >= 0) b = match[b]!
      }
      return undefined
    }
    if (kind === T.word && word === "lambda" && this.dialect === "python") return made(none, [from + 1, to])
    if (kind === T.word && this.dialect !== "php" && arrow(from + 1))
      return made([{ name: word, at: from, type: "" }], bodyAt(from + 2))
    if (this.dialect === "csharp" && kind === T.word) {
      // A lambda may say what it answers: Task<Result> (int id) => …
      for (let k = from + 1; k < to; k++) {
        if (this.word(k) === "=>" && this.word(k - 1) === ")") {
          const open = match[k - 1]!
          const before = this.word(open - 1)
          if (
            open > from &&
            (before === ">" || this.kind(open - 1) === T.word) &&
            this.word(open - 2) !== "."
          )
            return made(this.params(open), bodyAt(k + 1))
          break
        }
        if (this.kind(k) === T.open && match[k]! >= 0) k = match[k]!
      }
    }
    if (word === "(" && match[from]! >= 0) {
      let k = match[from]! + 1
      if (this.word(k) === ":" && this.dialect === "javascript") {
        while (k < to && this.word(k) !== "=>")
          k = this.kind(k) === T.open && match[k]! >= 0 ? match[k]! + 1 : k + 1
      }
      if (arrow(k) && k < to) return made(this.params(from), bodyAt(k + 1))
    }
    if ((word === "|" || word === "||") && this.dialect === "rust") {
      if (word === "||") return made(none, bodyAt(from + 1))
      const params: Array<Parameter> = []
      let k = from + 1
      for (; k < to && this.word(k) !== "|"; k++)
        if (this.kind(k) === T.word && this.word(k - 1) !== ":")
          params.push({ name: this.word(k), at: k, type: "" })
      return made(params, bodyAt(k + 1))
    }
    if (word === "->" && this.dialect === "ruby") {
      for (let k = from + 1; k < to; k++)
        if ((this.word(k) === "{" || this.word(k) === "do") && match[k]! >= 0)
          return made(none, [k + 1, match[k]!])
    }
    return undefined
  }

  /** Annotations, decorators and attributes in source order. */
  decorations(): ReadonlyArray<Decoration> {
    this.made.decorations ??= this.readDecorations()
    return this.made.decorations
  }

  private readDecorations(): ReadonlyArray<Decoration> {
    const found: Array<Decoration> = []
    const { match } = this.tokens
    const add = (start: number): number => {
      let at = start
      if (this.word(at + 1) === ":" && this.dialect === "kotlin") at += 2
      const chain = this.chain(at)
      Object.assign(chain, { decorates: true })
      const named = chain.parts.filter(({ name }) => name !== "" && name !== "[]")
      const last = named[named.length - 1]!
      found.push({
        chain,
        name: last.name,
        args: last.args ?? none,
        at,
        on: { kind: "none", name: "", at: -1 }
      })
      return chain.to
    }
    let pending = 0
    for (let i = 0; i < this.count; i++) {
      const word = this.word(i)
      let behind = -1
      if (
        word === "@" &&
        this.kind(i + 1) === T.word &&
        this.word(i + 1) !== "interface" &&
        this.dialect !== "ruby" &&
        this.dialect !== "php"
      ) {
        behind = add(i + 1)
      } else if (word === "#" && (this.dialect === "rust" || this.dialect === "php")) {
        const open = this.word(i + 1) === "!" ? i + 2 : i + 1
        if (this.word(open) === "[" && match[open]! >= 0) {
          this.listed(open, add)
          behind = match[open]! + 1
        }
      } else if (
        word === "[" &&
        this.dialect === "csharp" &&
        match[i]! >= 0 &&
        /^(?:[{};\]]|)$/.test(this.word(i - 1)) &&
        this.kind(i + 1) === T.word &&
        !/^[;,.=)]$/.test(this.word(match[i]! + 1))
      ) {
        this.listed(i, add)
        behind = match[i]! + 1
      }
      if (behind < 0) continue
      const next = this.word(behind)
      const more = next === "@" || next === "#" || (next === "[" && this.dialect === "csharp")
      if (!more) {
        const on = this.declared(behind)
        for (let k = pending; k < found.length; k++) found[k] = { ...found[k]!, on }
        pending = found.length
      }
      i = behind - 1
    }
    return found
  }

  private listed(open: number, add: (at: number) => number): void {
    const to = this.tokens.match[open]!
    let k = open + 1
    if (this.word(k + 1) === ":" && this.dialect === "csharp") k += 2
    while (k < to) {
      if (this.kind(k) === T.word) {
        const behind = add(k)
        // The arguments of Rust's attributes may be anything.
        k = Math.max(behind, k + 1)
        while (k < to && this.word(k) !== ",")
          k = this.kind(k) === T.open && this.tokens.match[k]! >= 0 ? this.tokens.match[k]! + 1 : k + 1
      }
      k++
    }
  }

  /** The name of the declaration that begins at a token. */
  private declared(start: number): Decoration["on"] {
    const { match } = this.tokens
    for (let k = start; k < Math.min(this.count, start + 60); k++) {
      const word = this.word(k)
      const kind = this.kind(k)
      if (kind === T.close || word === ";") break
      if (
        kind === T.word &&
        classWords.has(word) &&
        this.kind(k + 1) === T.word &&
        !(word === "record" && this.word(k + 2) === "=")
      ) {
        // `data class`, `enum class`, `record struct` are named behind the last of the words.
        if (classWords.has(this.word(k + 1))) continue
        return { kind: "class", name: this.word(k + 1), at: k + 1 }
      }
      if (
        kind === T.word &&
        (word === "func" || word === "fun" || word === "fn" || word === "def" || word === "function")
      ) {
        let n = k + 1
        if (this.word(n) === "(" && match[n]! >= 0) n = match[n]! + 1
        if (this.word(n) === "<") n = Math.max(n, this.genericEnd(n, true))
        while (this.word(n + 1) === "." && this.kind(n + 2) === T.word) n += 2
        if (this.kind(n) === T.word) return { kind: "function", name: this.word(n), at: n }
      }
      if (
        kind === T.word &&
        this.word(k + 1) === "(" &&
        !notNames.has(word) &&
        this.dialect !== "python" &&
        this.dialect !== "kotlin"
      )
        return { kind: "function", name: word, at: k }
      if (
        kind === T.word &&
        /^(?:=|;|:|\?|!|=>|\{|,)$/.test(this.word(k + 1)) &&
        !notNames.has(word) &&
        !(this.word(k + 1) === "?" && (this.dialect === "csharp" || this.dialect === "kotlin"))
      )
        return { kind: "member", name: word, at: k }
      if (word === "{" || word === "=") break
      if (word === "(" && match[k]! >= 0) k = match[k]!
    }
    return { kind: "none", name: "", at: start }
  }

  /** Classes and what is like them, with the tokens of their bodies. */
  classes(): ReadonlyArray<Class> {
    this.made.classes ??= this.readClasses()
    return this.made.classes
  }

  private readClasses(): ReadonlyArray<Class> {
    const found: Array<Class> = []
    const { match } = this.tokens
    for (let i = 0; i < this.count; i++) {
      const keyword = this.word(i)
      if (this.kind(i) !== T.word) continue
      if (!classWords.has(keyword)) {
        // Go: type Name struct { … }
        if (
          keyword === "type" &&
          this.dialect === "go" &&
          this.kind(i + 1) === T.word &&
          /^(?:struct|interface)$/.test(this.word(i + 2)) &&
          match[i + 3]! >= 0
        )
          found.push({
            name: this.word(i + 1),
            at: i + 1,
            keyword: this.word(i + 2),
            header: "",
            from: i + 4,
            to: match[i + 3]!
          })
        continue
      }
      let nameAt = i + 1
      if (this.dialect === "ruby" && this.kind(nameAt) === T.open) nameAt++
      if (this.kind(nameAt) !== T.word || (classWords.has(this.word(nameAt)) && this.dialect !== "ruby"))
        continue
      const before = this.word(i - 1)
      if (before === "." || before === "::" || (before === ":" && this.dialect !== "kotlin")) continue
      let name = this.word(nameAt)
      let k = nameAt + 1
      while (this.dialect === "ruby" && this.word(k) === "::" && this.kind(k + 1) === T.word) {
        name += `::${this.word(k + 1)}`
        k += 2
      }
      if (this.dialect === "python") {
        let colon = k
        while (colon < this.count && this.word(colon) !== ":")
          colon = this.kind(colon) === T.open && match[colon]! >= 0 ? match[colon]! + 1 : colon + 1
        found.push({
          name,
          at: nameAt,
          keyword,
          header: this.slice(k, colon),
          from: colon + 1,
          to: this.dedent(i, colon + 1)
        })
        continue
      }
      if (this.dialect === "ruby") {
        const open = this.kind(i + 1) === T.open ? i + 1 : -1
        if (open < 0 || match[open]! < 0) continue
        let end = k
        while (end < this.count && this.sameLine(end - 1, end)) end++
        found.push({ name, at: nameAt, keyword, header: this.slice(k, end), from: end, to: match[open]! })
        continue
      }
      if (keyword === "impl" && this.dialect === "rust" && this.word(nameAt) === "<") continue
      let brace = k
      while (brace < this.count && brace < k + 300) {
        const word = this.word(brace)
        if (word === "{" || word === ";" || this.kind(brace) === T.close) break
        brace = this.kind(brace) === T.open && match[brace]! >= 0 ? match[brace]! + 1 : brace + 1
      }
      if (this.word(brace) === "{" && match[brace]! >= 0)
        found.push({
          name,
          at: nameAt,
          keyword,
          header: this.slice(k, brace),
          from: brace + 1,
          to: match[brace]!
        })
      else if (
        keyword === "record" ||
        (keyword === "class" &&
          (this.dialect === "kotlin" || this.dialect === "csharp" || this.dialect === "scala"))
      )
        found.push({
          name,
          at: nameAt,
          keyword,
          header: this.slice(k, Math.min(brace, k + 200)),
          from: brace,
          to: brace
        })
    }
    return found
  }

  /** The innermost class around a token. */
  classAround(token: number): Class | undefined {
    let best: Class | undefined
    for (const each of this.classes())
      if (each.from <= token && token < each.to && (best === undefined || each.from >= best.from)) best = each
    return best
  }

  /** First token behind the block that is indented more than the line of a token. */
  private dedent(head: number, from: number): number {
    const indent = this.indentOf(this.line(head))
    for (let k = from; k < this.count; k++) {
      if (k > from && this.sameLine(k - 1, k)) continue
      if (this.line(k) === this.line(from - 1)) continue
      const around = this.tokens.around[k]!
      if (around >= 0 && around >= from) continue
      if (this.column(k) <= indent) return k
    }
    return this.count
  }

  private indentOf(line: number): number {
    const start = this.starts()[line - 1] ?? 0
    const found = /^[ \t]*/.exec(this.tokens.text.slice(start, start + 200))
    return found?.[0].length ?? 0
  }

  /** Named functions and methods. */
  functions(): ReadonlyArray<Func> {
    this.made.functions ??= this.readFunctions()
    return this.made.functions
  }

  private readFunctions(): ReadonlyArray<Func> {
    const found: Array<Func> = []
    const { match } = this.tokens
    const bodies = new Set(
      this.dialect === "python" || this.dialect === "ruby" ? [] : this.classes().map(({ from }) => from - 1)
    )
    for (let i = 0; i < this.count; i++) {
      if (this.kind(i) !== T.word) continue
      const word = this.word(i)
      if (word === "func" || word === "fn" || word === "fun" || word === "def" || word === "function") {
        let n = i + 1
        if (this.dialect === "ruby" && this.kind(n) === T.open) n++
        if (this.word(n) === "*") n++
        if (this.word(n) === "(" && match[n]! >= 0 && (this.dialect === "go" || this.dialect === "kotlin"))
          n = match[n]! + 1
        if (this.word(n) === "<") n = Math.max(n, this.genericEnd(n, true))
        while ((this.word(n + 1) === "." || this.word(n + 1) === "::") && this.kind(n + 2) === T.word) n += 2
        if (this.kind(n) !== T.word) continue
        let open = n + 1
        if (this.word(open) === "<") open = Math.max(open, this.genericEnd(open, true))
        if (this.dialect === "go" && this.word(open) === "[" && match[open]! >= 0) open = match[open]! + 1
        if (this.dialect === "ruby") {
          const start = this.kind(i + 1) === T.open ? i + 1 : -1
          if (start >= 0 && match[start]! >= 0)
            found.push({
              name: this.word(n),
              at: n,
              params: this.word(open) === "(" ? this.params(open) : none,
              from: this.word(open) === "(" ? match[open]! + 1 : n + 1,
              to: match[start]!
            })
          continue
        }
        if (this.word(open) !== "(" || match[open]! < 0) continue
        const params = this.params(open)
        if (this.dialect === "python") {
          let colon = match[open]! + 1
          while (colon < this.count && this.word(colon) !== ":")
            colon = this.kind(colon) === T.open && match[colon]! >= 0 ? match[colon]! + 1 : colon + 1
          found.push({ name: this.word(n), at: n, params, from: colon + 1, to: this.dedent(i, colon + 1) })
          continue
        }
        let brace = match[open]! + 1
        while (brace < this.count && brace < match[open]! + 80) {
          const next = this.word(brace)
          if (next === "{" || next === ";" || next === "=") break
          if (this.kind(brace) === T.close) break
          brace = this.kind(brace) === T.open && match[brace]! >= 0 ? match[brace]! + 1 : brace + 1
        }
        if (this.word(brace) === "{" && match[brace]! >= 0)
          found.push({ name: this.word(n), at: n, params, from: brace + 1, to: match[brace]! })
        else if (this.word(brace) === "=") {
          const next = this.statementEnd(brace + 1)
          found.push({ name: this.word(n), at: n, params, from: brace + 1, to: next })
        }
        continue
      }
      // Methods: a name and parentheses straight in a class body.
      if (
        bodies.has(this.tokens.around[i]!) &&
        this.word(i + 1) === "(" &&
        match[i + 1]! >= 0 &&
        !notNames.has(word) &&
        this.word(i - 1) !== "@" &&
        this.word(i - 1) !== "." &&
        this.word(i - 1) !== "="
      ) {
        let brace = match[i + 1]! + 1
        while (brace < this.count && brace < match[i + 1]! + 60) {
          const next = this.word(brace)
          if (next === "{" || next === ";" || next === "=" || next === "=>" || this.kind(brace) === T.close)
            break
          brace = this.kind(brace) === T.open && match[brace]! >= 0 ? match[brace]! + 1 : brace + 1
        }
        if (this.word(brace) === "{" && match[brace]! >= 0)
          found.push({ name: word, at: i, params: this.params(i + 1), from: brace + 1, to: match[brace]! })
        else found.push({ name: word, at: i, params: this.params(i + 1), from: brace, to: brace })
      }
      // A name bound to a function.
      if (
        this.dialect === "javascript" &&
        (this.word(i + 1) === "=" || this.word(i + 1) === ":") &&
        this.word(i - 1) !== "."
      ) {
        let equals = i + 1
        if (this.word(equals) === ":") {
          if (!/^(?:const|let|var)$/.test(this.word(i - 1))) continue
          equals = this.indexOf("=", equals, Math.min(this.count, equals + 60))
        }
        if (this.word(equals) !== "=") continue
        const value = this.single(equals + 1, this.statementEnd(equals + 1))
        if (value.kind === "function")
          found.push({ name: word, at: i, params: value.params, from: value.from, to: value.to })
      }
    }
    return found
  }

  /** The innermost named function around a token. */
  functionAround(token: number): Func | undefined {
    let best: Func | undefined
    for (const each of this.functions())
      if (each.from <= token && token < each.to && (best === undefined || each.from >= best.from)) best = each
    return best
  }

  /** Behind the last token of the statement a token is in. */
  statementEnd(from: number): number {
    for (let k = from; k < this.count; k++) {
      const word = this.word(k)
      if (this.kind(k) === T.close || word === ";" || (word === "," && k > from)) return k
      if (k > from && !this.sameLine(k - 1, k) && !this.continues(k)) return k
      if (this.kind(k) === T.open && this.tokens.match[k]! >= 0) k = this.tokens.match[k]!
    }
    return this.count
  }

  private continues(k: number): boolean {
    const word = this.word(k)
    const before = this.word(k - 1)
    if (/^(?:\.|\?\.|::|->|\+|\|\||&&|\?|:|\||=>)$/.test(word)) return true
    return /^(?:=|\+|,|\.|\(|\[|\{|=>|\?|:|\|\||&&|\||return|:=)$/.test(before)
  }

  /** What names are bound to, by name. */
  bindings(): ReadonlyMap<string, ReadonlyArray<Binding>> {
    this.made.bindings ??= this.readBindings()
    return this.made.bindings
  }

  /** Tokens in which what is declared at a token can be seen. */
  private scopeOf(token: number): readonly [number, number] {
    if (this.dialect === "python") {
      const around = this.functionAround(token)
      return around === undefined ? [0, this.count] : [around.from, around.to]
    }
    for (let at = this.tokens.around[token] ?? -1; at >= 0; at = this.tokens.around[at]!) {
      const word = this.word(at)
      if (word !== "(" && word !== "[" && this.tokens.match[at]! >= 0) return [at + 1, this.tokens.match[at]!]
    }
    return [0, this.count]
  }

  private readBindings(): ReadonlyMap<string, ReadonlyArray<Binding>> {
    const found = new Map<string, Array<Binding>>()
    const add = (binding: Binding) => {
      const list = found.get(binding.name)
      if (list === undefined) found.set(binding.name, [binding])
      else list.push(binding)
    }
    for (let i = 1; i < this.count; i++) {
      const word = this.word(i)
      if (word !== "=" && word !== ":=") continue
      // A type may stand between the name and what it is bound to.
      let nameAt = i - 1
      if (this.kind(nameAt) === T.close && this.word(nameAt) !== "]") continue
      let k = nameAt
      const floor = Math.max(0, i - 24)
      while (
        k > floor &&
        this.sameLine(k - 1, k) &&
        !/^(?:[;{,]|let|var|val|const|mut)$/.test(this.word(k - 1)) &&
        this.word(k) !== ":"
      )
        k--
      if (this.word(k) === ":" && this.kind(k - 1) === T.word && !/^[?]$/.test(this.word(k - 2)))
        nameAt = k - 1
      if (this.kind(nameAt) !== T.word) continue
      const name = this.word(nameAt)
      const owner = this.word(nameAt - 1)
      const member = owner === "." || owner === "->"
      const declared =
        word === ":=" ||
        /^(?:const|let|var|val|mut|my|auto|final)$/.test(this.word(nameAt - 1)) ||
        (!member && nameAt !== i - 1) ||
        (this.kind(nameAt - 1) === T.word && this.sameLine(nameAt - 1, nameAt))
      const [from, to] =
        member ||
        (!declared && this.dialect !== "python" && this.dialect !== "php" && this.dialect !== "ruby")
          ? [0, this.count]
          : this.scopeOf(nameAt)
      // In Go the name list before := may hold several.
      const value = this.expr(i + 1, Math.max(i + 2, this.statementEnd(i + 1)))
      add({ name: this.word(nameAt), at: nameAt, from, to, value, ...(member ? { member: true } : {}) })
      if (word === ":=" && this.word(nameAt - 1) === "," && this.kind(nameAt - 2) === T.word)
        add({ name: this.word(nameAt - 2), at: nameAt - 2, from, to, value })
      if (name === "") continue
    }
    for (const [of, { from, params, to }] of this.functions().entries())
      for (const [index, { at, name, type }] of params.entries())
        add({ name, at, from, to, value: undefined, parameter: { of, index, type } })
    for (const { index, chain } of this.owners.values()) {
      const part = chain.parts[index]
      if (part === undefined) continue
      for (const { value } of part.args ?? none)
        if (value.kind === "function")
          for (const [at, param] of value.params.entries())
            add({
              name: param.name,
              at: param.at,
              from: value.from,
              to: value.to,
              value: undefined,
              parameter: { of: -1, index: at, type: param.type }
            })
      if (part.block !== undefined)
        for (const [at, param] of part.block.params.entries())
          add({
            name: param.name,
            at: param.at,
            from: part.block.from,
            to: part.block.to,
            value: undefined,
            parameter: { of: -1, index: at, type: param.type }
          })
    }
    return found
  }

  /** What a name is bound to at a token: the innermost scope, and there the latest before it. */
  binding(name: string, token: number): Binding | undefined {
    this.chains()
    let best: Binding | undefined
    for (const each of this.bindings().get(name) ?? none) {
      if (token < each.from || token >= each.to) continue
      if (best === undefined) best = each
      else if (each.to - each.from < best.to - best.from) best = each
      else if (
        each.to - each.from === best.to - best.from &&
        (each.at <= token ? best.at > token || each.at > best.at : best.at > token && each.at < best.at)
      )
        best = each
    }
    return best
  }
}

/** The last name of a chain and its arguments. */
export const lastPart = (chain: Chain): Part => chain.parts[chain.parts.length - 1]!

/** The names of a chain without its calls, joined with dots. */
export const nameOfChain = (chain: Chain, parts = chain.parts.length): string =>
  chain.parts
    .slice(0, parts)
    .map(({ name }) => name)
    .join(".")

/** A string argument's text. */
export const textOf = (expr: Expr | undefined): string | undefined =>
  expr?.kind === "string" ? expr.text : undefined

/** The value under a label, or at a place among those without one. */
export const argOf = (
  args: ReadonlyArray<Argument> | undefined,
  label: string | ReadonlyArray<string>,
  position?: number
): Expr | undefined => {
  const labels = typeof label === "string" ? [label] : label
  const named = args?.find((arg) => arg.label !== undefined && labels.includes(arg.label))
  if (named !== undefined) return named.value
  if (position === undefined) return undefined
  const plain = args?.filter((arg) => arg.label === undefined)
  return plain?.[position]?.value
}

/** Strings of a string or of a list of them. */
export const textsOf = (expr: Expr | undefined): ReadonlyArray<string> =>
  expr === undefined
    ? none
    : expr.kind === "string"
      ? [expr.text]
      : expr.kind === "list"
        ? expr.items.flatMap(({ value }) => textsOf(value))
        : none
