/** Reads one shell script into facts. */
import type { FactsBuilder } from "../FactsBuilder.ts"
import { ResultUse } from "../Vocabulary.ts"
import { StatementReader } from "./Statements.ts"

class ScriptReader extends StatementReader {
  script(): void {
    this.open()
    this.statements(ResultUse.discarded)
    this.finish()
  }
}

const readers = new WeakMap<FactsBuilder, ScriptReader>()

export const extract = (facts: FactsBuilder): void => {
  let reader = readers.get(facts)
  if (reader === undefined) readers.set(facts, (reader = new ScriptReader(facts)))
  reader.script()
}
