/** Names of code points that look like others, and what a difference between two of them is called. */

/** How two texts differ in one place. */
export type DifferenceKind =
  | "space"
  | "tab"
  | "quote"
  | "dash"
  | "invisible"
  | "case"
  | "line_break"
  | "whitespace_run"
  | "trailing_whitespace"
  | "indentation"
  | "normalization"
  | "content"

const names: { readonly [codePoint: number]: string } = {
  0x09: "TAB",
  0x0a: "LINE FEED",
  0x0d: "CARRIAGE RETURN",
  0x20: "SPACE",
  0x22: "QUOTATION MARK",
  0x27: "APOSTROPHE",
  0x2d: "HYPHEN-MINUS",
  0x60: "GRAVE ACCENT",
  0xa0: "NO-BREAK SPACE",
  0xad: "SOFT HYPHEN",
  0xb4: "ACUTE ACCENT",
  0x2000: "EN QUAD",
  0x2001: "EM QUAD",
  0x2002: "EN SPACE",
  0x2003: "EM SPACE",
  0x2007: "FIGURE SPACE",
  0x2009: "THIN SPACE",
  0x200a: "HAIR SPACE",
  0x200b: "ZERO WIDTH SPACE",
  0x200c: "ZERO WIDTH NON-JOINER",
  0x200d: "ZERO WIDTH JOINER",
  0x200e: "LEFT-TO-RIGHT MARK",
  0x200f: "RIGHT-TO-LEFT MARK",
  0x2010: "HYPHEN",
  0x2011: "NON-BREAKING HYPHEN",
  0x2012: "FIGURE DASH",
  0x2013: "EN DASH",
  0x2014: "EM DASH",
  0x2015: "HORIZONTAL BAR",
  0x2018: "LEFT SINGLE QUOTATION MARK",
  0x2019: "RIGHT SINGLE QUOTATION MARK",
  0x201a: "SINGLE LOW-9 QUOTATION MARK",
  0x201b: "SINGLE HIGH-REVERSED-9 QUOTATION MARK",
  0x201c: "LEFT DOUBLE QUOTATION MARK",
  0x201d: "RIGHT DOUBLE QUOTATION MARK",
  0x201e: "DOUBLE LOW-9 QUOTATION MARK",
  0x2028: "LINE SEPARATOR",
  0x2029: "PARAGRAPH SEPARATOR",
  0x202f: "NARROW NO-BREAK SPACE",
  0x205f: "MEDIUM MATHEMATICAL SPACE",
  0x2060: "WORD JOINER",
  0x2212: "MINUS SIGN",
  0x3000: "IDEOGRAPHIC SPACE",
  0xfeff: "ZERO WIDTH NO-BREAK SPACE"
}

/** "U+00A0 NO-BREAK SPACE"; the number alone for code points without confusable relatives. */
export const nameOf = (codePoint: number): string => {
  const number = `U+${codePoint.toString(16).toUpperCase().padStart(4, "0")}`
  const name = names[codePoint]
  if (name !== undefined) return `${number} ${name}`
  return codePoint > 0x20 && codePoint < 0x7f ? `${number} ${String.fromCodePoint(codePoint)}` : number
}

const spaces = /^[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]$/
const singleQuotes = /^[\u0060\u00b4\u2018-\u201b\u2032\u2035\uff07]$/
const doubleQuotes = /^[\u201c-\u201f\u2033\u2036\uff02]$/
const dashes = /^[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]$/
const invisible = /^[\u00ad\u200b-\u200f\u2060\ufeff]$/

/** What a character is taken for when looking for something similar: a base character, or "" for nothing visible. */
export const plain = (character: string): string =>
  character === "\t" || spaces.test(character)
    ? " "
    : singleQuotes.test(character)
      ? "'"
      : doubleQuotes.test(character)
        ? '"'
        : dashes.test(character)
          ? "-"
          : invisible.test(character) || character === "\r"
            ? ""
            : character.toLowerCase()

/** What the difference between two characters is called; either may be missing. */
export const kindOf = (expected: string | undefined, found: string | undefined): DifferenceKind => {
  const one = expected ?? ""
  const two = found ?? ""
  if (one === "" || two === "") {
    const there = one + two
    if (there === "\r") return "line_break"
    return invisible.test(there) ? "invisible" : /^\s$/.test(there) ? "whitespace_run" : "content"
  }
  if (plain(one) === plain(two)) {
    if (one === "\t" || two === "\t") return "tab"
    if (plain(one) === " ") return "space"
    if (plain(one) === "'" || plain(one) === '"') return "quote"
    if (plain(one) === "-") return "dash"
    return "case"
  }
  if (/^['"]$/.test(plain(one)) && /^['"]$/.test(plain(two))) return "quote"
  return "content"
}
