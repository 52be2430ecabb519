/** Bytes that mean something to the shell. */

/** Bits of {@link classes}. */
export const Class = {
  /** Separates words on one line. */
  blank: 1,
  letter: 2,
  digit: 4,
  /** Ends a word unless quoted: blanks, line ends and `;&|<>()`. */
  ends: 8,
  /** Makes more of a word than its letters: quotes, `$`, `\`, brackets and braces. */
  makes: 16,
  /** Has a meaning between double quotes. */
  quoted: 32,
  /** May stand in a function's name after a letter: `.`, `:`, `-`. */
  joins: 64
} as const

/** What each byte is. */
export const classes = new Uint8Array(256)
const mark = (characters: string, bits: number) => {
  for (const c of characters) classes[c.charCodeAt(0)]! |= bits
}
mark(" \t\r\v\f", Class.blank | Class.ends)
mark("\n;&|<>()", Class.ends)
mark("'\"$`\\{}[]", Class.makes)
mark('"$`\\', Class.quoted)
mark(".:-", Class.joins)
mark("0123456789", Class.digit)
mark("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_", Class.letter)

/** Letters and digits: what the name of a variable is made of. */
export const isName = Class.letter | Class.digit

export const Byte = {
  tab: 9,
  line: 10,
  return: 13,
  bang: 33,
  double: 34,
  hash: 35,
  dollar: 36,
  percent: 37,
  and: 38,
  single: 39,
  open: 40,
  close: 41,
  star: 42,
  plus: 43,
  comma: 44,
  minus: 45,
  dot: 46,
  slash: 47,
  colon: 58,
  semicolon: 59,
  less: 60,
  equals: 61,
  greater: 62,
  question: 63,
  at: 64,
  bracket: 91,
  backslash: 92,
  unbracket: 93,
  caret: 94,
  backtick: 96,
  brace: 123,
  pipe: 124,
  unbrace: 125,
  tilde: 126
} as const
