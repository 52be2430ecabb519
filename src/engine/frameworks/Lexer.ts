/**
 * Splits source text of many languages into words, strings, numbers, punctuation and matched brackets. It knows of
 * each language only how comments and strings are written, so it reads unfinished and broken code as well; what it does
 * not know becomes punctuation.
 */

/** Kinds of tokens. */
export const T = { word: 0, string: 1, number: 2, punct: 3, open: 4, close: 5 } as const

/** The tokens of one text, column by column. */
export interface Tokens {
  readonly text: string
  readonly count: number
  readonly kind: Uint8Array
  /** UTF-16 offsets, the end exclusive; those of a string hold its quotes. */
  readonly start: Int32Array
  readonly end: Int32Array
  /** The bracket that belongs to this one, -1 for none and for all other tokens. */
  readonly match: Int32Array
  /** The open bracket around a token, -1 at top level. */
  readonly around: Int32Array
  /** Offsets of comments, start and end in turn. */
  readonly comments: ReadonlyArray<number>
  /** Values of strings that are not what stands between their quotes: heredocs, words of a list. */
  readonly values: ReadonlyMap<number, string>
}

interface Style {
  readonly line: ReadonlyArray<string>
  readonly block: ReadonlyArray<readonly [string, string]>
  /** Quotes that may not run over a line end. */
  readonly quotes: string
  /** Quotes that may. */
  readonly long: string
  readonly triple: boolean
  readonly regex?: boolean
}

const cLike: Style = { line: ["//"], block: [["/*", "*/"]], quotes: "\"'", long: "", triple: false }
const styles: { readonly [language: string]: Style } = {
  javascript: { ...cLike, long: "`", regex: true },
  go: { ...cLike, quotes: "\"'", long: "`" },
  rust: { ...cLike, quotes: "", long: '"' },
  java: { ...cLike, triple: true },
  kotlin: { ...cLike, triple: true },
  scala: { ...cLike, triple: true },
  swift: { ...cLike, quotes: '"', triple: true },
  csharp: { ...cLike, triple: true },
  php: { ...cLike, line: ["//"], quotes: "", long: "\"'" },
  c: cLike,
  python: { line: ["#"], block: [], quotes: "\"'", long: "", triple: true },
  ruby: { line: ["#"], block: [], quotes: "", long: "\"'`", triple: false, regex: true },
  graphql: { line: ["#"], block: [], quotes: '"', long: "", triple: true },
  protobuf: cLike,
  thrift: { ...cLike, line: ["//", "#"] }
}

/** Languages read in the same way. */
const alike: { readonly [language: string]: string } = {
  typescript: "javascript",
  tsx: "javascript",
  jsx: "javascript",
  vue: "javascript",
  svelte: "javascript",
  cpp: "c"
}

/** The name under which a language is read; undefined when it is not. */
export const dialectOf = (language: string): string | undefined => {
  const dialect = alike[language] ?? language
  return dialect in styles ? dialect : undefined
}

const wordStart = /[A-Za-z_$\u0080-\uffff]/
const isWordCode = (code: number): boolean =>
  (code >= 97 && code <= 122) ||
  (code >= 65 && code <= 90) ||
  (code >= 48 && code <= 57) ||
  code === 95 ||
  code === 36 ||
  code >= 128
const operators = [
  "...",
  "===",
  "!==",
  "<=>",
  "**=",
  "??=",
  "=>",
  "->",
  "::",
  ":=",
  "?.",
  "==",
  "!=",
  "<=",
  ">=",
  "&&",
  "||",
  "??",
  "..",
  "**",
  "+=",
  "-=",
  "*=",
  "/=",
  "|=",
  "&=",
  "%=",
  "<<",
  "!!",
  "=~"
]
/** What stands in second place in one of them. */
const behindOperator = new Set(operators.map((each) => each[1]!))
const closing: { readonly [open: string]: string } = { "(": ")", "[": "]", "{": "}" }
const rubyOpeners = new Set(["class", "module", "def", "begin", "case", "do"])
const rubyModifiers = new Set(["if", "unless", "while", "until", "for"])
/** After these a slash begins a regular expression. */
const beforeRegex = new Set([
  "return",
  "typeof",
  "case",
  "in",
  "of",
  "and",
  "or",
  "not",
  "if",
  "unless",
  "when",
  "while"
])

/** Text of the `<script>` parts alone, everything else replaced by blanks, so that offsets stay. */
export const scriptsOf = (text: string): string => {
  const scripts = /<script\b[^>]*>([\s\S]*?)<\/script>/g
  let out = ""
  let at = 0
  for (let found = scripts.exec(text); found !== null; found = scripts.exec(text)) {
    const body = found[1]!
    const from = found.index + found[0].indexOf(">") + 1
    out += text.slice(at, from).replace(/[^\n]/g, " ") + body
    at = from + body.length
  }
  return out + text.slice(at).replace(/[^\n]/g, " ")
}

/** Reads a text in one of the languages that {@link dialectOf} knows. */
export const lex = (text: string, language: string): Tokens => {
  const dialect = dialectOf(language) ?? "c"
  const style = styles[dialect] ?? cLike
  const kinds: Array<number> = []
  const starts: Array<number> = []
  const ends: Array<number> = []
  const matches: Array<number> = []
  const arounds: Array<number> = []
  const comments: Array<number> = []
  const values = new Map<number, string>()
  const stack: Array<number> = []
  const opensComment = new Set([...style.line, ...style.block.map(([from]) => from)].map((mark) => mark[0]!))
  const heredocs: Array<{ readonly token: number; readonly tag: string; readonly loose: boolean }> = []
  const ruby = dialect === "ruby"
  const js = dialect === "javascript"
  const length = text.length
  let i = 0

  const push = (kind: number, start: number, end: number): number => {
    kinds.push(kind)
    starts.push(start)
    ends.push(end)
    matches.push(-1)
    arounds.push(stack.length === 0 ? -1 : stack[stack.length - 1]!)
    return kinds.length - 1
  }
  const open = (start: number, end: number) => stack.push(push(T.open, start, end))
  const partnerOf = (at: number): string => {
    const opened = text.slice(starts[at]!, ends[at]!)
    return closing[opened] ?? (text[starts[at]!] === "%" ? "%" : "end")
  }
  const close = (start: number, end: number, word: string) => {
    let depth = stack.length - 1
    while (depth >= 0 && partnerOf(stack[depth]!) !== word) depth--
    if (depth < 0) {
      push(T.punct, start, end)
      return
    }
    const partner = stack[depth]!
    stack.length = depth
    const token = push(T.close, start, end)
    matches[token] = partner
    matches[partner] = token
  }
  const lastWord = (): string => {
    const last = kinds.length - 1
    return last >= 0 && kinds[last] === T.word ? text.slice(starts[last]!, ends[last]!) : ""
  }
  /** Whether a value cannot have ended just now, so that a slash opens a regular expression. */
  const valueExpected = (): boolean => {
    const last = kinds.length - 1
    if (last < 0) return true
    const kind = kinds[last]!
    if (kind === T.word) {
      if (beforeRegex.has(lastWord())) return true
      return ruby && i > ends[last]! && text[i + 1] !== " " && text[i + 1] !== "="
    }
    if (kind === T.punct) return !(js && text[starts[last]!] === "<" && ends[last] === i)
    return kind === T.open
  }
  const endOfQuoted = (from: number, quote: string, long: boolean): number => {
    let at = from
    while (at < length) {
      const c = text[at]!
      if (c === "\\") at += 2
      else if (c === quote) return at + 1
      else if (c === "\n" && !long) return -1
      else if (js && quote === "`" && c === "$" && text[at + 1] === "{") {
        let depth = 1
        at += 2
        while (at < length && depth > 0) {
          const inner = text[at]!
          if (inner === "{") depth++
          else if (inner === "}") depth--
          else if (inner === '"' || inner === "'" || inner === "`") {
            const end = endOfQuoted(at + 1, inner, inner === "`")
            if (end > 0) at = end - 1
          }
          at++
        }
      } else at++
    }
    return -1
  }
  const quoted = (start: number, quoteAt: number): boolean => {
    const quote = text[quoteAt]!
    if (style.triple && text.startsWith(quote.repeat(3), quoteAt)) {
      let end = text.indexOf(quote.repeat(3), quoteAt + 3)
      while (end > 0 && text[end - 1] === "\\") end = text.indexOf(quote.repeat(3), end + 1)
      if (end < 0) return false
      push(T.string, start, end + 3)
      i = end + 3
      return true
    }
    const long = style.long.includes(quote)
    if (!long && !style.quotes.includes(quote)) return false
    const raw = dialect === "go" && quote === "`"
    const end = raw ? text.indexOf("`", quoteAt + 1) + 1 : endOfQuoted(quoteAt + 1, quote, long)
    if (end <= 0) return false
    push(T.string, start, end)
    i = end
    return true
  }
  const skipPhpMarkup = () => {
    const next = /<\?(?:php\b|=)?/g
    next.lastIndex = i
    const found = next.exec(text)
    i = found === null ? length : found.index + found[0].length
  }
  const atLineStart = (at: number): boolean => {
    for (let k = at - 1; k >= 0; k--) {
      const c = text[k]!
      if (c === "\n" || c === ";") return true
      if (c !== " " && c !== "\t") return false
    }
    return true
  }
  /** Whether a loop's condition stands before this `do` on its line. */
  const loopBefore = (at: number): boolean => {
    const line = text.slice(text.lastIndexOf("\n", at - 1) + 1, at)
    return /^\s*(?:while|until|for)\b/.test(line)
  }
  if (dialect === "php" && /<\?(?:php\b|=)/.test(text)) skipPhpMarkup()

  while (i < length) {
    const c = text[i]!
    if (c === "\n" && heredocs.length > 0) {
      i++
      for (const { loose, tag, token } of heredocs) {
        const from = i
        for (;;) {
          const lineEnd = text.indexOf("\n", i)
          const line = text.slice(i, lineEnd < 0 ? length : lineEnd)
          if ((loose ? line.trim() : line).replace(/[;,)].*$/, "") === tag || lineEnd < 0) {
            values.set(token, text.slice(from, i))
            i = dialect === "php" ? i + line.indexOf(tag) + tag.length : lineEnd < 0 ? length : lineEnd
            break
          }
          i = lineEnd + 1
        }
      }
      heredocs.length = 0
      continue
    }
    if (c === " " || c === "\n" || c === "\t" || c === "\r") {
      i++
      continue
    }
    if (dialect === "php" && c === "?" && text[i + 1] === ">") {
      skipPhpMarkup()
      continue
    }
    const comment = opensComment.has(c)
    const lineComment =
      (comment && style.line.some((mark) => text.startsWith(mark, i))) ||
      (dialect === "php" && c === "#" && text[i + 1] !== "[")
    if (lineComment) {
      const end = text.indexOf("\n", i)
      comments.push(i, end < 0 ? length : end)
      i = end < 0 ? length : end
      continue
    }
    const block = comment ? style.block.find(([from]) => text.startsWith(from, i)) : undefined
    if (block !== undefined) {
      const end = text.indexOf(block[1], i + 2)
      comments.push(i, end < 0 ? length : end + block[1].length)
      i = end < 0 ? length : end + block[1].length
      continue
    }
    if (ruby && c === "=" && text.startsWith("=begin", i) && (i === 0 || text[i - 1] === "\n")) {
      const end = text.indexOf("\n=end", i)
      comments.push(i, end < 0 ? length : end + 5)
      i = end < 0 ? length : end + 5
      continue
    }
    if (ruby) {
      const symbol = /^:(?:[A-Za-z_]\w*[?!]?|"(?:[^"\\\n]|\\.)*")/.exec(text.slice(i, i + 120))
      if (symbol !== null && text[i - 1] !== ":") {
        const token = push(T.string, i, i + symbol[0].length)
        values.set(token, symbol[0].slice(1).replace(/^"|"$/g, ""))
        i += symbol[0].length
        continue
      }
      const list = /^%([wWiI])([[({<|])/.exec(text.slice(i, i + 3))
      if (list !== null) {
        const ending = { "[": "]", "(": ")", "{": "}", "<": ">", "|": "|" }[list[2]!]!
        const end = text.indexOf(ending, i + 3)
        if (end > 0) {
          open(i, i + 3)
          for (const word of text.slice(i + 3, end).matchAll(/\S+/g)) {
            const token = push(T.string, i + 3 + word.index, i + 3 + word.index + word[0].length)
            values.set(token, word[0])
          }
          close(end, end + 1, "%")
          i = end + 1
          continue
        }
      }
      const heredoc = /^<<([~-]?)(["'`]?)([A-Z_a-z]\w*)\2/.exec(text.slice(i, i + 80))
      if (heredoc !== null && (heredoc[1] !== "" || /^[A-Z]/.test(heredoc[3]!))) {
        const token = push(T.string, i, i + heredoc[0].length)
        heredocs.push({ token, tag: heredoc[3]!, loose: heredoc[1] !== "" })
        i += heredoc[0].length
        continue
      }
    }
    if (dialect === "php" && c === "<") {
      const heredoc = /^<<<\s*(["']?)([A-Za-z_]\w*)\1/.exec(text.slice(i, i + 80))
      if (heredoc !== null) {
        const token = push(T.string, i, i + heredoc[0].length)
        heredocs.push({ token, tag: heredoc[2]!, loose: true })
        i += heredoc[0].length
        continue
      }
    }
    if (dialect === "rust") {
      const raw = /^b?r(#*)"/.exec(text.slice(i, i + 12))
      if (raw !== null) {
        const end = text.indexOf(`"${raw[1]}`, i + raw[0].length)
        if (end > 0) {
          const token = push(T.string, i, end + 1 + raw[1]!.length)
          values.set(token, text.slice(i + raw[0].length, end))
          i = end + 1 + raw[1]!.length
          continue
        }
      }
      if (c === "'") {
        const character = /^'(?:\\[^']*|[^'\\])'/.exec(text.slice(i, i + 14))
        const width = character === null ? 1 : character[0].length
        push(character === null ? T.punct : T.string, i, i + width)
        i += width
        continue
      }
    }
    if (dialect === "csharp") {
      const verbatim = /^(?:@\$|\$@|@)"/.exec(text.slice(i, i + 3))
      if (verbatim !== null) {
        let end = i + verbatim[0].length
        while (end < length && !(text[end] === '"' && text[end + 1] !== '"')) end += text[end] === '"' ? 2 : 1
        push(T.string, i, end + 1)
        i = end + 1
        continue
      }
      if (c === "$" && text[i + 1] === '"' && quoted(i, i + 1)) continue
    }
    if (dialect === "python") {
      const prefix = /^[rRbBfFuU]{1,2}(?=["'])/.exec(text.slice(i, i + 3))
      if (prefix !== null && quoted(i, i + prefix[0].length)) continue
    }
    if (
      (dialect === "scala" || dialect === "c") &&
      /^[a-zA-Z]"/.test(text.slice(i, i + 2)) &&
      quoted(i, i + 1)
    )
      continue
    if ((c === '"' || c === "'" || c === "`") && quoted(i, i)) continue
    if (style.regex === true && c === "/" && valueExpected()) {
      let end = i + 1
      let inClass = false
      while (end < length && text[end] !== "\n" && (inClass || text[end] !== "/")) {
        if (text[end] === "\\") end++
        else if (text[end] === "[") inClass = true
        else if (text[end] === "]") inClass = false
        end++
      }
      if (text[end] === "/") {
        end++
        while (end < length && /[a-z]/.test(text[end]!)) end++
        push(T.number, i, end)
        i = end
        continue
      }
    }
    const code = text.charCodeAt(i)
    if (code >= 48 && code <= 57) {
      let end = i + 1
      while (
        end < length &&
        (isWordCode(text.charCodeAt(end)) || (text[end] === "." && /\d/.test(text[end + 1] ?? "")))
      )
        end++
      push(T.number, i, end)
      i = end
      continue
    }
    if (wordStart.test(c) || (ruby && c === "@" && wordStart.test(text[i + 1] ?? ""))) {
      let end = i + 1
      while (end < length && isWordCode(text.charCodeAt(end))) end++
      if (ruby && (text[end] === "?" || text[end] === "!") && text[end + 1] !== "=") end++
      if (ruby) {
        const word = text.slice(i, end)
        const after = kinds.length > 0 && text.slice(starts[kinds.length - 1]!, ends[kinds.length - 1]!)
        const plain = after !== "." && after !== "&." && after !== "::" && text[end] !== ":"
        if (plain && word === "end") {
          close(i, end, "end")
          i = end
          continue
        }
        const opens =
          plain &&
          (word === "do"
            ? !loopBefore(i)
            : rubyOpeners.has(word) ||
              (rubyModifiers.has(word) &&
                (atLineStart(i) || (kinds[kinds.length - 1] === T.punct && after !== ")" && after !== "]"))))
        // One word both names and opens: the name first, so that what is asked about words is answered alike.
        if (opens && word !== "do") push(T.word, i, end)
        if (opens) {
          open(i, end)
          i = end
          continue
        }
      }
      push(T.word, i, end)
      i = end
      continue
    }
    if (c === "(" || c === "[" || c === "{") {
      open(i, i + 1)
      i++
      continue
    }
    if (c === ")" || c === "]" || c === "}") {
      close(i, i + 1, c)
      i++
      continue
    }
    const operator = behindOperator.has(text[i + 1] ?? "")
      ? operators.find((each) => text.startsWith(each, i))
      : undefined
    const width = operator?.length ?? 1
    push(T.punct, i, i + width)
    i += width
  }
  return {
    text,
    count: kinds.length,
    kind: Uint8Array.from(kinds),
    start: Int32Array.from(starts),
    end: Int32Array.from(ends),
    match: Int32Array.from(matches),
    around: Int32Array.from(arounds),
    comments,
    values
  }
}
