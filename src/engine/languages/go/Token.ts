/** Tokens of Go, as small numbers. Keywords start at {@link Token.break}. */
export const Token = {
  end: 0,
  name: 1,
  number: 2,
  string: 3,
  rune: 4,
  semicolon: 5,
  openParen: 6,
  closeParen: 7,
  openBracket: 8,
  closeBracket: 9,
  openBrace: 10,
  closeBrace: 11,
  comma: 12,
  dot: 13,
  ellipsis: 14,
  colon: 15,
  /** `:=` */
  define: 16,
  assign: 17,
  /** `+=` and its kin. */
  update: 18,
  /** `++` and `--`. */
  step: 19,
  arrow: 20,
  star: 21,
  /** `&`, which is both unary and binary. */
  ampersand: 22,
  /** `+ - ^`, both unary and binary. */
  sign: 23,
  not: 24,
  tilde: 25,
  and: 26,
  or: 27,
  /** Comparisons, whose result is a boolean. */
  compare: 28,
  /** Other binary operators. */
  binary: 29,
  /** `|`, which also joins type terms. */
  pipe: 30,
  break: 40,
  case: 41,
  chan: 42,
  const: 43,
  continue: 44,
  default: 45,
  defer: 46,
  else: 47,
  fallthrough: 48,
  for: 49,
  func: 50,
  go: 51,
  goto: 52,
  if: 53,
  import: 54,
  interface: 55,
  map: 56,
  package: 57,
  range: 58,
  return: 59,
  select: 60,
  struct: 61,
  switch: 62,
  type: 63,
  var: 64
} as const

/** Keywords, each with its token. */
export const keywords: ReadonlyArray<readonly [word: string, token: number]> = Object.entries(Token).filter(
  ([, token]) => token >= Token.break
)

/** Tokens after which a line end is a semicolon. */
export const endsStatement = new Uint8Array(Token.var + 1)
for (const t of [
  Token.name,
  Token.number,
  Token.string,
  Token.rune,
  Token.break,
  Token.continue,
  Token.fallthrough,
  Token.return,
  Token.step,
  Token.closeParen,
  Token.closeBracket,
  Token.closeBrace
])
  endsStatement[t] = 1
