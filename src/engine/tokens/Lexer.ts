/**
 * One lexer for many languages: names, numbers, strings and signs, comments and white space left out. It knows what
 * opens and closes comments and strings in each, and nothing of grammar.
 */

/** Kinds of tokens. */
export const T = { name: 0, word: 1, number: 2, string: 3, sign: 4 } as const

/** How a language writes comments, strings and bodies. */
export interface Manner {
  readonly line: ReadonlyArray<string>
  readonly block: ReadonlyArray<readonly [string, string]>
  /** Block comments nest. */
  readonly nests?: boolean
  readonly triple?: boolean
  readonly template?: boolean
  readonly rawBacktick?: boolean
  readonly regexp?: boolean
  /** `'` opens a character or a lifetime rather than a string. */
  readonly rust?: boolean
  /** Bodies are told by braces or by indentation; undefined where neither holds. */
  readonly bodies?: "braces" | "indent" | undefined
  /** Conditions stand in round brackets, so a body without braces is one statement. */
  readonly bracketed?: boolean
  readonly words: ReadonlySet<string>
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))
const slashes: Pick<Manner, "line" | "block"> = { line: ["//"], block: [["/*", "*/"]] }
const script = words(
  "break case catch class const continue debugger default delete do else enum export extends finally for function if implements import in instanceof interface let new of private protected public return static super switch this throw try typeof var void while with yield async await null true false undefined"
)

const ecmascript: Manner = {
  ...slashes,
  template: true,
  regexp: true,
  bodies: "braces",
  bracketed: true,
  words: script
}
const c: Manner = {
  ...slashes,
  bodies: "braces",
  bracketed: true,
  words: words(
    "auto break case catch char class const constexpr continue default delete do double else enum extern false float for goto if inline int long namespace new nullptr operator private protected public register return short signed sizeof static struct switch template this throw true try typedef typename union unsigned using virtual void volatile while"
  )
}

/** By language id. */
export const manners: { readonly [language: string]: Manner } = {
  typescript: ecmascript,
  tsx: ecmascript,
  javascript: ecmascript,
  jsx: ecmascript,
  go: {
    ...slashes,
    rawBacktick: true,
    bodies: "braces",
    words: words(
      "break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var nil true false"
    )
  },
  rust: {
    ...slashes,
    nests: true,
    rust: true,
    bodies: "braces",
    words: words(
      "as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return self Self static struct super trait true type unsafe use where while"
    )
  },
  python: {
    line: ["#"],
    block: [],
    triple: true,
    bodies: "indent",
    words: words(
      "and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield None True False match case"
    )
  },
  java: {
    ...slashes,
    triple: true,
    bodies: "braces",
    bracketed: true,
    words: words(
      "abstract assert boolean break byte case catch char class const continue default do double else enum extends final finally float for if implements import instanceof int interface long native new package private protected public return short static super switch synchronized this throw throws transient try void volatile while null true false var record"
    )
  },
  csharp: {
    ...slashes,
    triple: true,
    bodies: "braces",
    bracketed: true,
    words: words(
      "abstract as async await base bool break byte case catch char class const continue decimal default delegate do double else enum event explicit extern false finally fixed float for foreach goto if implicit in int interface internal is lock long namespace new null object operator out override params private protected public readonly ref return sbyte sealed short sizeof static string struct switch this throw true try typeof uint ulong unchecked unsafe ushort using var virtual void volatile while"
    )
  },
  kotlin: {
    ...slashes,
    nests: true,
    triple: true,
    bodies: "braces",
    bracketed: true,
    words: words(
      "as break class continue do else false for fun if in interface is null object package return super this throw true try typealias val var when while by catch constructor finally get import init set where"
    )
  },
  scala: {
    ...slashes,
    nests: true,
    triple: true,
    bodies: "braces",
    bracketed: true,
    words: words(
      "abstract case catch class def do else extends false final finally for given if implicit import lazy match new null object override package private protected return sealed super then this throw trait true try type val var while with yield"
    )
  },
  swift: {
    ...slashes,
    nests: true,
    triple: true,
    bodies: "braces",
    words: words(
      "as break case catch class continue default defer do else enum extension fallthrough false for func guard if import in init inout is let nil operator protocol repeat rethrows return self static struct subscript super switch throw throws true try typealias var where while"
    )
  },
  c,
  cpp: c,
  php: {
    line: ["//", "#"],
    block: [["/*", "*/"]],
    bodies: "braces",
    bracketed: true,
    words: words(
      "abstract and array as break case catch class clone const continue declare default do echo else elseif extends final finally fn for foreach function global if implements include instanceof interface isset list match namespace new or print private protected public require return static switch throw trait try unset use var while xor yield null true false"
    )
  },
  ruby: {
    line: ["#"],
    block: [["=begin", "=end"]],
    words: words(
      "alias and begin break case class def defined do else elsif end ensure false for if in module next nil not or redo rescue retry return self super then true undef unless until when while yield"
    )
  },
  lua: {
    line: ["--"],
    block: [["--[[", "]]"]],
    words: words(
      "and break do else elseif end false for function goto if in local nil not or repeat return then true until while"
    )
  },
  bash: {
    line: ["#"],
    block: [],
    words: words("case do done elif else esac fi for function if in local return select then until while")
  }
}

/** Tokens side by side: kind, where each starts and ends in the text, its 1-based line, and a hash of its text. */
export interface Tokens {
  readonly count: number
  readonly hashes: Int32Array
  readonly kinds: Uint8Array
  readonly starts: Int32Array
  readonly ends: Int32Array
  readonly lines: Int32Array
}

const isNameStart = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || code === 36 || code > 127
const isDigit = (code: number): boolean => code >= 48 && code <= 57
const isName = (code: number): boolean => isNameStart(code) || isDigit(code)

/** Signs of several characters that mean one thing, the longest first. */
const signs = [
  "===",
  "!==",
  "...",
  ">>>=",
  "<<=",
  ">>=",
  "**=",
  "&&=",
  "||=",
  "??=",
  "=>",
  "->",
  "::",
  "&&",
  "||",
  "??",
  "?.",
  "==",
  "!=",
  "<=",
  ">=",
  "+=",
  "-=",
  "*=",
  "/=",
  "%=",
  "&=",
  "|=",
  "^=",
  "++",
  "--",
  ":=",
  "<-",
  "<<",
  ">>",
  "**",
  "//",
  ".."
]
/** By their first character. */
const signsBy = Array.from({ length: 128 }, (_, code) => signs.filter((sign) => sign.charCodeAt(0) === code))

const none: ReadonlyArray<string> = []
const seed = 0x811c9dc5 | 0
const mixed = (hash: number, code: number): number => Math.imul(hash ^ code, 0x01000193)
/** A hash of a piece of text. */
export const hashOf = (text: string, from = 0, to = text.length): number => {
  let hash = seed
  for (let i = from; i < to; i++) hash = mixed(hash, text.charCodeAt(i))
  return hash
}

interface Ready {
  readonly words: ReadonlySet<number>
  /** By character below 128: 1 where it may open a comment. */
  readonly opens: Uint8Array
}
const prepared = new WeakMap<Manner, Ready>()
const readyFor = (manner: Manner): Ready => {
  const known = prepared.get(manner)
  if (known !== undefined) return known
  const opens = new Uint8Array(128)
  for (const begin of [...manner.line, ...manner.block.map(([open]) => open)]) opens[begin.charCodeAt(0)] = 1
  const made = { words: new Set([...manner.words].map((word) => hashOf(word))), opens }
  prepared.set(manner, made)
  return made
}

export const lex = (text: string, manner: Manner): Tokens => {
  let room = Math.max(64, text.length >> 2)
  let kinds = new Uint8Array(room)
  let starts = new Int32Array(room)
  let ends = new Int32Array(room)
  let lines = new Int32Array(room)
  let hashes = new Int32Array(room)
  const { opens, words: known } = readyFor(manner)
  let count = 0
  let line = 1
  let at = 0
  const length = text.length
  const put = (kind: number, from: number, to: number, on: number, hash = hashOf(text, from, to)) => {
    if (count === room) {
      room *= 2
      const more = <A extends Uint8Array | Int32Array>(old: A, made: A): A => {
        made.set(old as never)
        return made
      }
      kinds = more(kinds, new Uint8Array(room))
      starts = more(starts, new Int32Array(room))
      ends = more(ends, new Int32Array(room))
      lines = more(lines, new Int32Array(room))
      hashes = more(hashes, new Int32Array(room))
    }
    kinds[count] = kind
    hashes[count] = hash
    starts[count] = from
    ends[count] = to
    lines[count++] = on
  }
  const newlines = (from: number, to: number) => {
    for (let i = text.indexOf("\n", from); i >= 0 && i < to; i = text.indexOf("\n", i + 1)) line++
  }
  /** Whether what comes may be an operand: then a slash opens a regular expression. */
  const operand = (): boolean => {
    if (count === 0) return true
    const kind = kinds[count - 1]!
    if (kind === T.number || kind === T.string || kind === T.name) return false
    const word = text.slice(starts[count - 1], ends[count - 1])
    if (kind === T.word) return !/^(?:this|super|null|true|false|undefined)$/.test(word)
    return word !== ")" && word !== "]" && word !== "}" && word !== "++" && word !== "--"
  }
  const quoted = (quote: string, from: number): number => {
    let i = from
    while (i < length) {
      const ch = text[i]!
      if (ch === "\\") i += 2
      else if (ch === quote) return i + 1
      else if (ch === "\n") return i
      else i++
    }
    return length
  }
  /** The end of a template from behind its opening. Code inside is taken for part of it. */
  const template = (from: number): number => {
    let i = from
    let depth = 0
    while (i < length) {
      const ch = text[i]!
      if (ch === "\\") i += 2
      else if (depth === 0 && ch === "`") return i + 1
      else if (ch === "$" && text[i + 1] === "{") {
        depth++
        i += 2
      } else if (depth > 0 && ch === "{") {
        depth++
        i++
      } else if (depth > 0 && ch === "}") {
        depth--
        i++
      } else if (depth > 0 && (ch === "'" || ch === '"')) i = quoted(ch, i + 1)
      else if (depth > 0 && ch === "`") i = template(i + 1)
      else i++
    }
    return length
  }
  const open = manner.block.map(([begin]) => begin)

  scan: while (at < length) {
    const code = text.charCodeAt(at)
    if (code === 10) {
      line++
      at++
      continue
    }
    if (code <= 32) {
      at++
      continue
    }
    const opening = code < 128 && opens[code] === 1
    for (let i = 0; opening && i < open.length; i++) {
      if (!text.startsWith(open[i]!, at)) continue
      const [begin, close] = manner.block[i]!
      let end = at + begin.length
      let depth = 1
      while (depth > 0 && end < length) {
        const next = text.indexOf(close, end)
        if (next < 0) {
          end = length
          break
        }
        const again = manner.nests === true ? text.indexOf(begin, end) : -1
        if (again >= 0 && again < next) {
          depth++
          end = again + begin.length
        } else {
          depth--
          end = next + close.length
        }
      }
      newlines(at, end)
      at = end
      continue scan
    }
    for (const begin of opening ? manner.line : none) {
      if (!text.startsWith(begin, at)) continue
      // `$#` and `${x#y}` of shells are no comments.
      if (
        begin === "#" &&
        manner.block.length === 0 &&
        manner.bodies === undefined &&
        at > 0 &&
        text.charCodeAt(at - 1) > 32
      )
        continue
      const end = text.indexOf("\n", at)
      at = end < 0 ? length : end
      continue scan
    }
    const from = at
    const on = line
    if (isNameStart(code)) {
      let hash = mixed(seed, code)
      for (at++; at < length; at++) {
        const next = text.charCodeAt(at)
        if (!isName(next)) break
        hash = mixed(hash, next)
      }
      // r"…", b'…', f"…" and their like are strings.
      const next = text.charCodeAt(at)
      if (
        at - from <= 2 &&
        (next === 34 || next === 39 || (next === 35 && manner.rust === true)) &&
        /^[rRbBfFuUcL]+$/.test(text.slice(from, at))
      ) {
        if (manner.rust === true && text.slice(from, at).includes("r")) {
          const hashes = /^#*/.exec(text.slice(at, at + 16))![0]
          if (text[at + hashes.length] === '"') {
            const end = text.indexOf(`"${hashes}`, at + hashes.length + 1)
            at = end < 0 ? length : end + 1 + hashes.length
            newlines(from, at)
            put(T.string, from, at, on)
            continue
          }
        }
        if (next !== 35) continue
      }
      put(known.has(hash) ? T.word : T.name, from, at, on, hash)
      continue
    }
    if (isDigit(code)) {
      at++
      while (
        at < length &&
        (isName(text.charCodeAt(at)) || (text[at] === "." && isDigit(text.charCodeAt(at + 1))))
      )
        at++
      put(T.number, from, at, on)
      continue
    }
    if (code === 34 || code === 39) {
      const quote = text[at]!
      if (manner.triple === true && text.startsWith(quote.repeat(3), at)) {
        const end = text.indexOf(quote.repeat(3), at + 3)
        at = end < 0 ? length : end + 3
      } else if (manner.rust === true && code === 39) {
        const char = /^'(?:\\(?:u\{[^}]*\}|x..|.)|[^'\\\n])'/u.exec(text.slice(at, at + 14))
        if (char === null) {
          // A lifetime.
          at++
          while (at < length && isName(text.charCodeAt(at))) at++
          put(T.sign, from, at, on)
          continue
        }
        at += char[0].length
      } else if (manner.rust === true || manner.bodies === undefined) {
        // Strings that go on over lines.
        at++
        while (at < length && text[at] !== quote) at += text[at] === "\\" ? 2 : 1
        at = Math.min(length, at + 1)
      } else at = quoted(quote, at + 1)
      newlines(from, at)
      put(T.string, from, at, on)
      continue
    }
    if (code === 96 && (manner.template === true || manner.rawBacktick === true)) {
      if (manner.template === true) at = template(at + 1)
      else {
        const end = text.indexOf("`", at + 1)
        at = end < 0 ? length : end + 1
      }
      newlines(from, at)
      put(T.string, from, at, on)
      continue
    }
    if (code === 47 && manner.regexp === true && operand()) {
      let i = at + 1
      let set = false
      while (i < length && text[i] !== "\n" && (set || text[i] !== "/")) {
        if (text[i] === "\\") i++
        else if (text[i] === "[") set = true
        else if (text[i] === "]") set = false
        i++
      }
      if (text[i] === "/") {
        at = i + 1
        while (at < length && isName(text.charCodeAt(at))) at++
        put(T.string, from, at, on)
        continue
      }
    }
    let wide = 1
    if (code < 128)
      for (const sign of signsBy[code]!)
        if (text.startsWith(sign, at)) {
          wide = sign.length
          break
        }
    at += wide
    put(T.sign, from, at, on)
  }
  return {
    count,
    hashes: hashes.subarray(0, count),
    kinds: kinds.subarray(0, count),
    starts: starts.subarray(0, count),
    ends: ends.subarray(0, count),
    lines: lines.subarray(0, count)
  }
}
