/** The extractor of the ECMAScript languages. */
import type { Extract } from "../Language.ts"
import { type Dialect, StatementReader } from "./Statements.ts"

/** An extractor with a parser of its own, which it uses for one file after another. */
export const extractor = (dialect: Dialect): Extract => {
  const reader = new StatementReader(dialect)
  return (builder) => reader.read(builder)
}
