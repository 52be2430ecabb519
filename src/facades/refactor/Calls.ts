/** Calls as text. */
import { type Part, whereIs } from "./Lexical.ts"

const closing: { readonly [open: string]: string } = { "(": ")", "[": "]", "{": "}" }

/** Offset behind the bracket that closes the one at an offset; undefined when none does. */
export const closeOf = (
  text: string,
  open: number,
  parts: ReadonlyArray<Part> | undefined
): number | undefined => {
  const stack: Array<string> = []
  for (let at = open; at < text.length; at++) {
    if (whereIs(parts, at) !== "code") continue
    const c = text[at]!
    if (closing[c] !== undefined) stack.push(closing[c])
    else if (c === ")" || c === "]" || c === "}") {
      if (stack.pop() !== c) return undefined
      if (stack.length === 0) return at + 1
    }
  }
  return undefined
}

/** The parts of a text between commas that stand in no brackets, with their offsets; blanks cut off. */
export const splitArguments = (
  text: string,
  from: number,
  to: number,
  parts: ReadonlyArray<Part> | undefined
): ReadonlyArray<{ readonly from: number; readonly text: string }> => {
  const out: Array<{ readonly from: number; readonly text: string }> = []
  let depth = 0
  let start = from
  const push = (end: number) => {
    const raw = text.slice(start, end)
    const lead = raw.length - raw.trimStart().length
    if (raw.trim() !== "") out.push({ from: start + lead, text: raw.trim() })
  }
  for (let at = from; at < to; at++) {
    if (whereIs(parts, at) !== "code") continue
    const c = text[at]!
    if (c === "(" || c === "[" || c === "{") depth++
    else if (c === ")" || c === "]" || c === "}") depth--
    else if (c === "," && depth === 0) {
      push(at)
      start = at + 1
    }
  }
  push(to)
  return out
}

/** Whether evaluating an expression can do or depend on anything but reading names and literals. */
export const isPure = (expression: string): boolean => {
  const bare = expression.replace(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/g, '""')
  return (
    !/[`(]|\+\+|--|(?<![=!<>])=(?![=>])|\b(?:await|yield|new|delete|throw|func|function|lambda|async)\b|=>|<-|:=/.test(
      bare
    ) && bare.trim() !== ""
  )
}
