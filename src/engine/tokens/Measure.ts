/** Cognitive complexity and loops of a body, from its tokens. */
import type { LoopSpan } from "../../services/CodeTokens.ts"
import { type Manner, T, type Tokens } from "./Lexer.ts"

export interface Measured {
  readonly cognitive: number
  readonly loop_depth: number
  readonly loops: ReadonlyArray<LoopSpan>
}

const loopWords = new Set(["for", "foreach", "while", "loop", "repeat", "until"])
const branchWords = new Set([
  "if",
  "switch",
  "catch",
  "match",
  "when",
  "select",
  "unless",
  "guard",
  "elseif",
  "elif",
  "except"
])
const functionWords = new Set(["function", "func", "fun", "fn", "def", "lambda"])

interface Frame {
  /** What ends it: a closing brace, the end of a statement, or a line indented less. */
  readonly ends: "brace" | "statement" | "dedent"
  readonly nests: boolean
  readonly loop: boolean
  readonly did: boolean
  readonly line: number
  /** Round and square brackets open when it began, or the column of what opened it. */
  readonly at: number
}

/** Measures the tokens from one place up to, exclusive, another: those of one definition, its head included. */
export const measure = (text: string, tokens: Tokens, from: number, to: number, manner: Manner): Measured => {
  const { ends, kinds, lines, starts } = tokens
  const word = (i: number): string => (i >= from && i < to ? text.slice(starts[i], ends[i]) : "")
  const frames: Array<Frame> = []
  const loops: Array<LoopSpan> = []
  let cognitive = 0
  let nesting = 0
  let looping = 0
  let deepest = 0
  let brackets = 0
  let last = ""
  /** What a control word opened and whose body has not begun. */
  let pending:
    | {
        nests: boolean
        loop: boolean
        did: boolean
        line: number
        at: number
        closed: boolean
        braces?: boolean
      }
    | undefined
  const enter = (frame: Frame) => {
    frames.push(frame)
    if (frame.nests) nesting++
    if (frame.loop) deepest = Math.max(deepest, ++looping)
  }
  const leave = (end: number): Frame | undefined => {
    const frame = frames.pop()
    if (frame === undefined) return undefined
    if (frame.nests) nesting--
    if (frame.loop) loops.push({ start_line: frame.line, end_line: end, depth: looping-- })
    return frame
  }
  const statements = (end: number) => {
    while (frames.at(-1)?.ends === "statement") leave(end)
  }
  const flow = (n: number) => {
    cognitive += n
    last = ""
  }
  const indents = manner.bodies === "indent"
  const columnOf = (i: number): number => starts[i]! - (text.lastIndexOf("\n", starts[i]! - 1) + 1)
  /** Column of the line that opened what is pending, for bodies told by indentation. */
  let pendingColumn = 0
  let own = true
  let afterDo = false

  for (let i = from; i < to; i++) {
    const kind = kinds[i]!
    const line = lines[i]!
    if (indents && brackets === 0 && (i === from || lines[i - 1] !== line)) {
      const column = columnOf(i)
      while (frames.length > 0 && frames.at(-1)!.ends === "dedent" && column <= frames.at(-1)!.at)
        leave(i > from ? lines[i - 1]! : line)
      last = ""
    }
    // A statement without braces and without a semicolon ends with its line, unless either side says that it goes on.
    if (!indents && frames.length > 0 && i > from && lines[i - 1] !== line && pending === undefined) {
      const frame = frames.at(-1)!
      if (
        frame.ends === "statement" &&
        brackets <= frame.at &&
        (kinds[i - 1] !== T.sign || /^[)\]}]$|^(?:\+\+|--)$/.test(word(i - 1))) &&
        (kind !== T.sign || word(i) === "}") &&
        !/^(?:else|catch|finally|in|of|instanceof|as|satisfies)$/.test(word(i))
      )
        statements(lines[i - 1]!)
    }
    // The first token behind a condition is that of its body, when no brace opens one.
    if (
      pending?.closed === true &&
      pending.braces !== true &&
      brackets === pending.at &&
      !indents &&
      manner.bracketed === true &&
      (kind !== T.sign || !/^[{;)]$/.test(word(i))) &&
      word(i) !== "else"
    ) {
      enter({
        ends: "statement",
        nests: pending.nests,
        loop: pending.loop,
        did: pending.did,
        line: pending.line,
        at: brackets
      })
      pending = undefined
    }
    if (kind === T.name || kind === T.number || kind === T.string) continue
    const said = word(i)
    if (kind === T.sign) {
      switch (said) {
        case "(":
        case "[":
          brackets++
          last = ""
          break
        case ")":
        case "]":
          brackets = Math.max(0, brackets - 1)
          if (manner.bracketed === true && pending !== undefined && brackets === pending.at && said === ")")
            pending.closed = true
          // A comprehension ends with its brackets.
          while (indents && frames.at(-1)?.ends === "statement" && frames.at(-1)!.at > brackets) leave(line)
          break
        case "{":
          if (indents) {
            brackets++
            break
          }
          if (pending !== undefined && brackets <= pending.at) {
            enter({
              ends: "brace",
              nests: pending.nests,
              loop: pending.loop,
              did: pending.did,
              line: pending.line,
              at: brackets
            })
            pending = undefined
          } else {
            const arrow = word(i - 1) === "=>" || word(i - 1) === "->"
            enter({ ends: "brace", nests: arrow && !own, loop: false, did: false, line, at: brackets })
          }
          own = false
          last = ""
          // What lies inside counts its own brackets.
          break
        case "}": {
          if (indents) {
            brackets = Math.max(0, brackets - 1)
            break
          }
          statements(line)
          const frame = leave(line)
          if (frame !== undefined) brackets = frame.at
          afterDo = frame?.did === true
          // A block ends the statement it was all of; what goes on behind it is still the same one.
          if (
            frames.at(-1)?.ends === "statement" &&
            brackets <= frames.at(-1)!.at &&
            !/^(?:[,.)\]?:;]|\|\||&&|else$|catch$|finally$)/.test(word(i + 1))
          )
            statements(line)
          last = ""
          break
        }
        case ";":
          if (frames.at(-1)?.ends === "statement" && brackets <= frames.at(-1)!.at) statements(line)
          if (pending !== undefined && pending.closed && brackets === pending.at) pending = undefined
          last = ""
          break
        case ",":
        case "=":
        case ":":
          if (indents && said === ":" && pending !== undefined && brackets === pending.at) {
            enter({
              ends: "dedent",
              nests: pending.nests,
              loop: pending.loop,
              did: false,
              line: pending.line,
              at: pendingColumn
            })
            pending = undefined
          }
          if (said !== ":" || !indents) last = ""
          break
        case "&&":
        case "||":
          if (last !== said) cognitive++
          last = said
          break
        case "?": {
          // A conditional, not a mark of what is optional.
          const next = word(i + 1)
          const spaced = text[starts[i]! - 1] === " " || text[starts[i]! - 1] === "\n"
          if (spaced && manner.rust !== true && !indents && !/^[:,)\].?=;>]/.test(next)) flow(1 + nesting)
          break
        }
      }
      continue
    }
    // A word: of a member, of a key, or of the language.
    if (word(i - 1) === "." || word(i - 1) === "?.") continue
    if (said === "and" || said === "or") {
      if (indents) {
        if (last !== said) cognitive++
        last = said
      }
      continue
    }
    if (functionWords.has(said)) {
      if (i > from && !own)
        pending = { nests: true, loop: false, did: false, line, at: brackets, closed: false, braces: true }
      if (indents) {
        pendingColumn = columnOf(i)
        if (said === "lambda") pending = undefined
        else if (own) {
          pending = { nests: false, loop: false, did: false, line, at: brackets, closed: false }
          own = false
        }
      }
      continue
    }
    if (said === "else") {
      if (!indents && frames.at(-1)?.ends === "statement") leave(line)
      const next = word(i + 1)
      if (next === "if") {
        cognitive++
        // The `if` itself is part of this.
        pending = { nests: true, loop: false, did: false, line, at: brackets, closed: false }
        i++
      } else if (indents && brackets > 0) {
        // Of a conditional expression, which was counted at its `if`.
      } else {
        cognitive++
        pending = {
          nests: true,
          loop: false,
          did: false,
          line,
          at: brackets,
          closed: manner.bracketed === true
        }
      }
      if (indents) pendingColumn = columnOf(i)
      last = ""
      continue
    }
    if (said === "do" || said === "try" || said === "finally") {
      const loop = said === "do" && word(i + 1) === "{" && !isSwift(manner)
      if (loop) flow(1 + nesting)
      pending = { nests: loop, loop, did: loop, line, at: brackets, closed: false }
      if (indents) pendingColumn = columnOf(i)
      continue
    }
    if (loopWords.has(said)) {
      if (said === "while" && afterDo) {
        afterDo = false
        continue
      }
      // `for` of Rust's `impl Trait for Type` and of type bounds opens no body of a loop here.
      if (manner.rust === true && said === "for" && (word(i + 1) === "<" || word(i - 1) === "impl")) continue
      if (indents && brackets > 0) {
        enter({ ends: "statement", nests: false, loop: true, did: false, line, at: brackets })
        continue
      }
      if (word(i - 1) === "await" && manner.rust !== true && !indents) {
        // `for await` was seen at its `for`.
        continue
      }
      flow(1 + nesting)
      pending = { nests: true, loop: true, did: false, line, at: brackets, closed: false }
      if (indents) pendingColumn = lineColumn(i)
      continue
    }
    if (branchWords.has(said)) {
      if (
        (said === "match" || said === "when" || said === "select" || said === "guard") &&
        word(i + 1) === "(" &&
        indents
      )
        continue
      if (indents && (said === "match" || (said === "if" && !startsLine(i)))) {
        if (said === "if") cognitive += brackets > 0 && !ternary(i) ? 0 : 1 + nesting
        else if (startsLine(i) && word(i + 1) !== "=" && word(i + 1) !== ".") {
          flow(1 + nesting)
          pending = { nests: true, loop: false, did: false, line, at: brackets, closed: false }
          pendingColumn = columnOf(i)
        }
        continue
      }
      if (said === "elif" || said === "elseif") cognitive++
      // A guard of a match arm.
      else if (manner.rust === true && said === "if" && guards(i)) {
        flow(1)
        continue
      } else flow(1 + nesting)
      pending = { nests: true, loop: false, did: false, line, at: brackets, closed: false }
      if (indents) pendingColumn = columnOf(i)
    }
  }
  const end = to > from ? lines[to - 1]! : 0
  while (frames.length > 0) leave(end)
  return {
    cognitive,
    loop_depth: deepest,
    loops: loops.sort((a, b) => a.start_line - b.start_line || a.depth - b.depth)
  }

  function startsLine(i: number): boolean {
    return i === from || lines[i - 1] !== lines[i]
  }
  function lineColumn(i: number): number {
    return columnOf(startsLine(i) ? i : i - 1)
  }
  /** Whether an `if` inside brackets belongs to `a if b else c` rather than to a comprehension. */
  function ternary(i: number): boolean {
    let depth = 0
    for (let k = i + 1; k < to; k++) {
      const sign = word(k)
      if (sign === "(" || sign === "[" || sign === "{") depth++
      else if (sign === ")" || sign === "]" || sign === "}") {
        if (depth-- === 0) return false
      } else if (depth === 0 && sign === "else") return true
      else if (depth === 0 && sign === "for") return false
    }
    return false
  }
  /** Whether an `if` stands between a pattern and its `=>`. */
  function guards(i: number): boolean {
    let depth = 0
    for (let k = i + 1; k < to && k < i + 200; k++) {
      const sign = word(k)
      if (sign === "(" || sign === "[") depth++
      else if (sign === ")" || sign === "]") depth--
      else if (depth === 0 && sign === "=>") return true
      else if (depth === 0 && (sign === "{" || sign === ";" || sign === "}")) return false
    }
    return false
  }
}
const isSwift = (manner: Manner): boolean => manner.words.has("guard")
