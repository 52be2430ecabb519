/** The extractor of the ECMAScript languages. */
import type { Extract } from "../Language.ts"
import { type Dialect, StatementReader } from "./Statements.ts"

/**
 * An extractor with a parser of its own, which it uses for one file after another. Each file finds the parser as it was
 * made: places and expressions it remembers mean something else in the next file.
 */
export const extractor = (dialect: Dialect): Extract => {
  const reader = new StatementReader(dialect)
  // Names of an interner stay what they are; collections are emptied where a file begins.
  const made = Object.fromEntries(
    Object.entries(reader).filter(([field, value]) => field !== "known" && typeof value !== "object")
  )
  return (builder) => {
    Object.assign(reader, made)
    reader.read(builder)
  }
}
