/** Tokens of Python, as small numbers. Keywords start at {@link Token.false}. */
export const Token = {
  end: 0, name: 1, number: 2, string: 3,
  /** The opening quote of a formatted string: what follows is read piece by piece. */
  formatted: 4,
  newline: 5, indent: 6, dedent: 7,
  openParen: 8, closeParen: 9, openBracket: 10, closeBracket: 11, openBrace: 12, closeBrace: 13,
  comma: 14, dot: 15, ellipsis: 16, colon: 17, semicolon: 18, assign: 19,
  /** `+=` and its kin. */
  update: 20,
  /** `:=` */
  walrus: 21,
  /** `->` */
  arrow: 22,
  /** `!` and bytes that start no token. */
  other: 23,
  tilde: 24,
  // From here to `pipe`: binary operators.
  star: 25, power: 26, at: 27,
  /** `+ -`, both unary and binary. */
  sign: 28,
  compare: 29, binary: 30, pipe: 31,
  false: 40, none: 41, true: 42, and: 43, as: 44, assert: 45, async: 46, await: 47, break: 48, class: 49, continue: 50,
  def: 51, del: 52, elif: 53, else: 54, except: 55, finally: 56, for: 57, from: 58, global: 59, if: 60, import: 61,
  in: 62, is: 63, lambda: 64, nonlocal: 65, not: 66, or: 67, pass: 68, raise: 69, return: 70, try: 71, while: 72,
  with: 73, yield: 74
} as const
