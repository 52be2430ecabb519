/**
 * Line endings of bytes and of edit text. A file has one ending or none; text that mixes them, or holds a carriage
 * return that ends no CRLF, is ambiguous and is never converted.
 */

/** `cr`: a bare carriage return is present. `mixed`: both LF and CRLF, no bare CR. `none`: a single line. */
export type LineEnding = "lf" | "crlf" | "mixed" | "cr" | "none"

/** The line ending of UTF-8 bytes. */
export const endingOfBytes = (bytes: Uint8Array): LineEnding => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  let crlf = false
  for (let cr = buffer.indexOf(13); cr >= 0; cr = buffer.indexOf(13, cr + 1)) {
    if (buffer[cr + 1] !== 10) return "cr"
    crlf = true
  }
  if (!crlf) return buffer.indexOf(10) < 0 ? "none" : "lf"
  for (let lf = buffer.indexOf(10); lf >= 0; lf = buffer.indexOf(10, lf + 1)) {
    if (buffer[lf - 1] !== 13) return "mixed"
  }
  return "crlf"
}

/** The line ending of a text. */
export const endingOf = (text: string): LineEnding =>
  /\r(?!\n)/.test(text)
    ? "cr"
    : text.includes("\r\n")
      ? /(?<!\r)\n/.test(text)
        ? "mixed"
        : "crlf"
      : text.includes("\n")
        ? "lf"
        : "none"

/** A text with every ending turned into the given one. Only for text of one ending. */
export const withEnding = (text: string, ending: "lf" | "crlf"): string =>
  ending === "lf" ? text.replaceAll("\r\n", "\n") : text.replaceAll("\r\n", "\n").replaceAll("\n", "\r\n")

/**
 * Edit text in the ending of the file it is meant for. A file of one line takes the text as it is.
 */
export const adopt = (text: string, file: LineEnding): string =>
  file === "lf" || file === "crlf" ? withEnding(text, file) : text
