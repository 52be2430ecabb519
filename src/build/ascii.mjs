/**
 * Scripts in ASCII. One character beyond Latin-1 makes V8 keep a whole script in two bytes a character, and reading it
 * takes thrice as long.
 */
import { parseAst } from "rolldown/parseAst"
import { walk } from "./sources.mjs"

const beyond = /[^\0-\x7f]/

/** An odd number of backslashes before a character is an escape of the character itself. */
const escaped = (_, slashes, character) => {
  const own = slashes.length % 2
  // An escaped line end goes on with the text in the next line.
  if (own === 1 && /[\u2028\u2029]/.test(character)) return slashes.slice(1)
  return `${slashes.slice(own)}\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
}

/**
 * The same script with escapes for all other characters. Comes back as it was where an escape would mean something else:
 * in a template whose tag may read it as it is written.
 */
export const inAscii = (code) => {
  if (!beyond.test(code)) return code
  let raw = false
  walk(parseAst(code), (node) => {
    raw ||=
      node.type === "TaggedTemplateExpression" &&
      node.quasi.quasis.some(({ value }) => beyond.test(value.raw))
  })
  if (raw) return code
  const ascii = code.replace(/(\\*)([^\0-\x7f])/g, escaped)
  parseAst(ascii)
  return ascii
}
