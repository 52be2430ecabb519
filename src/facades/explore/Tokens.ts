/** How large text is, in the tokens a reader is charged for. Counted, not tokenised: 3.5 bytes make one. */
import { byteLength } from "../../registry/Json.ts"

const bytesPerToken = 3.5

/** Bytes that so many tokens hold. */
export const bytesOf = (tokens: number): number => Math.floor(tokens * bytesPerToken)
/** Tokens of a JSON value. */
export const tokensOf = (value: unknown): number => Math.ceil(byteLength(value) / bytesPerToken)
/** Tokens of so many bytes. */
export const tokensIn = (bytes: number): number => Math.ceil(bytes / bytesPerToken)

/** A text on one line, cut to so many characters. */
export const brief = (text: string, most: number): string => {
  const line = text.replace(/\s+/g, " ").trim()
  return line.length <= most ? line : `${line.slice(0, most - 1).replace(/[\ud800-\udbff]$/, "")}…`
}
